#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "test_clouds.hpp"

namespace burnish::bench {

/// A cloud, and how far it or a result of it is from the truth.
struct Measurable {
  TestCloud cloud;
  /// One error for each of Case::quantities; points that are not finite are left out.
  std::function<std::vector<double>(std::span<const Vec3>)> errors;
  double noise = 0.0;  ///< standard deviation across the surface; 0: unknown
};

/// One row of a table that is still to be measured.
struct Case {
  std::string table;    ///< "noise", "sensors", "scans", "thickness"
  std::string surface;  ///< shape, mesh or scan
  std::string kind;     ///< of noise, or of scans
  std::uint64_t seed = 0;
  std::size_t points = 0;  ///< asked for; 0: those that there are
  std::vector<std::string> quantities;
  std::function<Measurable()> make;
};

/// What a method made of a cloud.
struct MethodRun {
  std::string method;
  double ratio = 0.0;         ///< error after / before
  double microseconds = 0.0;  ///< of processor time per point
};

/// One row of a table.
struct Row {
  Case about;
  std::string quantity;
  std::size_t points = 0;
  double before = 0.0;  ///< error of the input
  double noise = 0.0;
  double noise_found = 0.0;  ///< by the default
  std::size_t outliers = 0;
  std::size_t outliers_found = 0;  ///< by the default, of those
  std::size_t good_rejected = 0;   ///< good points that the default calls outliers
  std::vector<MethodRun> runs;     ///< the default first
};

[[nodiscard]] Case surface_case(const std::string& table, const std::shared_ptr<const Scene>& scene,
                                const CloudKind& kind);

/// Real scans in a folder: with a reference in `scans-with-truth`, without one in `scans`. Nothing where these are
/// missing.
[[nodiscard]] std::vector<Case> scan_cases(const std::filesystem::path& data);

/// Measures `jobs` cases at a time, each on one thread; a row for each quantity of each case, in the
/// order of the cases.
[[nodiscard]] std::vector<Row> measure(const std::vector<Case>& cases, const std::vector<std::string>& methods,
                                       unsigned jobs);

}  // namespace burnish::bench
