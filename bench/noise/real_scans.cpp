#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <memory>

#include "burnish/estimate.hpp"
#include "burnish/io.hpp"
#include "burnish/metrics.hpp"
#include "burnish/neighbours.hpp"
#include "cells.hpp"

namespace burnish::bench {
namespace {

namespace fs = std::filesystem;

std::vector<Vec3> finite_points(std::span<const Vec3> points) {
  std::vector<Vec3> finite;
  std::ranges::copy_if(points, std::back_inserter(finite), is_finite);
  return finite;
}

/// Scans of the Stanford bunny against the mesh that was merged from all of them.
std::vector<Case> bunny_cases(const fs::path& folder) {
  std::vector<Case> cases;
  const std::vector<std::string> scans = {"bun000", "bun090", "chin"};
  const auto add = [&](const std::string& name, const std::vector<std::string>& parts) {
    cases.push_back({"scans", name, "bunny", 0, 0, {"mean distance"}, [=] {
                       Measurable truth;
                       for (const std::string& part : parts) {
                         std::ranges::copy(read(folder / (part + ".ply")).positions,
                                           std::back_inserter(truth.cloud.positions));
                       }
                       const auto mesh = std::make_shared<TriangleMesh>(mesh_of(read(folder / "reference.ply")));
                       truth.errors = [mesh](std::span<const Vec3> points) {
                         return std::vector{compare_to_mesh(points, *mesh, single_thread()).mean_distance};
                       };
                       return truth;
                     }});
  };
  for (const std::string& scan : scans) {
    add(scan, {scan});
  }
  add("all scans", scans);
  return cases;
}

/// Scans of printed models against what was printed, in both directions.
std::vector<Case> printed_cases(const fs::path& folder) {
  std::vector<Case> cases;
  for (const std::string name : {"Nut", "Snoopy", "Stitch_guitar"}) {
    cases.push_back({"scans", name, "printed", 0, 0, {"mean distance", "P2M, both directions"}, [=] {
                       Measurable truth;
                       truth.cloud.positions = read(folder / (name + "_noisy.obj")).positions;
                       const auto mesh = std::make_shared<TriangleMesh>(mesh_of(read(folder / (name + "_gt.obj"))));
                       truth.errors = [mesh](std::span<const Vec3> points) {
                         const MeshMetrics metrics = compare_to_mesh(points, *mesh, single_thread());
                         return std::vector{metrics.mean_distance, metrics.p2m};
                       };
                       return truth;
                     }});
  }
  return cases;
}

/// The plane through the points within a radius.
struct Plane {
  double thickness = 0.0;  ///< root mean square distance of the points from it
  double flatness = 0.0;   ///< thickness / standard deviation of the points along it, in the narrower direction
};

std::optional<Plane> fit_plane(std::span<const Vec3> points, const NeighbourSearch& search, const Vec3& centre,
                               double radius) {
  constexpr std::size_t enough = 12;
  std::vector<std::uint32_t> indices;
  search.within_radius(centre, radius, points.size(), indices);
  if (indices.size() < enough) {
    return std::nullopt;
  }
  const auto count = static_cast<double>(indices.size());
  Vec3 mean = Vec3::Zero();
  for (const std::uint32_t i : indices) {
    mean += (points[i] - centre) / count;
  }
  Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();
  for (const std::uint32_t i : indices) {
    const Vec3 offset = points[i] - centre - mean;
    covariance += offset * offset.transpose() / count;
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(covariance, Eigen::EigenvaluesOnly);
  const Vec3 deviations = axes.eigenvalues().cwiseMax(0.0).cwiseSqrt();
  return Plane{deviations[0], deviations[0] / deviations[1]};
}

/// Places of a scan around which it is flat, the flattest half of those looked at, and the thickness of a cloud there.
class FlatPlaces {
 public:
  explicit FlatPlaces(std::span<const Vec3> scan) : radius_(radius_in_spacings * estimate_spacing(scan)) {
    const NeighbourSearch search(scan, single_thread());
    const std::size_t step = std::max<std::size_t>(1, scan.size() / places);
    std::vector<std::pair<double, std::size_t>> flatness;
    for (std::size_t i = 0; i < scan.size(); i += step) {
      if (const auto plane = fit_plane(scan, search, scan[i], radius_)) {
        flatness.emplace_back(plane->flatness, i);
      }
    }
    std::ranges::sort(flatness);
    for (std::size_t i = 0; i < flatness.size() / 2; ++i) {
      centres_.push_back(scan[flatness[i].second]);
    }
  }

  /// The median.
  [[nodiscard]] double thickness(std::span<const Vec3> points) const {
    const NeighbourSearch search(points, single_thread());
    std::vector<double> all;
    for (const Vec3& centre : centres_) {
      if (const auto plane = fit_plane(points, search, centre, radius_)) {
        all.push_back(plane->thickness);
      }
    }
    std::ranges::sort(all);
    return all.empty() ? 0.0 : all[all.size() / 2];
  }

 private:
  static constexpr double radius_in_spacings = 5.0;
  static constexpr std::size_t places = 4000;
  double radius_;
  std::vector<Vec3> centres_;
};

/// Scans without a truth.
std::vector<Case> flat_place_cases(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    files.push_back(entry.path());
  }
  std::ranges::sort(files);
  std::vector<Case> cases;
  for (const fs::path& file : files) {
    cases.push_back({"thickness", file.filename().string(), "without truth", 0, 0, {"thickness"}, [=] {
                       Measurable truth;
                       truth.cloud.positions = finite_points(read(file).positions);
                       const auto flat = std::make_shared<FlatPlaces>(truth.cloud.positions);
                       truth.errors = [flat](std::span<const Vec3> points) {
                         return std::vector{flat->thickness(points)};
                       };
                       return truth;
                     }});
  }
  return cases;
}

}  // namespace

std::vector<Case> scan_cases(const fs::path& data) {
  std::vector<Case> cases;
  const auto add = [&](const fs::path& folder, std::vector<Case> (*make)(const fs::path&)) {
    if (fs::is_directory(data / folder)) {
      std::ranges::move(make(data / folder), std::back_inserter(cases));
    }
  };
  add("scans-with-truth/bunny", bunny_cases);
  add("scans-with-truth/printed", printed_cases);
  add("scans", flat_place_cases);
  return cases;
}

}  // namespace burnish::bench
