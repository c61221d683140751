#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "automatic/centres.hpp"
#include "automatic/consensus.hpp"
#include "automatic/patch_smoothing.hpp"
#include "automatic/plan.hpp"
#include "automatic/windows.hpp"

namespace burnish::automatic {

/// The steps of a plan, on one cloud. All centres are chosen on the cloud as it came, so that they do not depend on how
/// exactly it was moved since.
class Steps {
 public:
  /// `noise` is what is to be taken out at each of the points. Both must stay alive and unchanged.
  /// `sights` are the directions from the points to their scanners; empty if they are not known.
  Steps(const std::vector<Vec3>& points, const std::vector<double>& noise, std::vector<Vec3> sights,
        const ExecutionContext& context);

  /// How far apart centres must be: of patches, and of the smallest windows of the consensus.
  [[nodiscard]] double find_patch_centre_distance(unsigned patch_size) const;
  [[nodiscard]] double find_window_centre_distance() const;

  /// The iterations over patches. ε is found from the data if the plan has none.
  [[nodiscard]] PatchSmoothing smoothing(const Plan& plan) const;

  /// All passes of the consensus of planes and quadrics over the points as they have become, which takes the noise
  /// across the surface out; then that along the surface, where it shows.
  /// `after_pass` is called after every pass.
  [[nodiscard]] std::vector<Vec3> agree(const Plan& plan, std::vector<Vec3> points,
                                        const std::function<void()>& after_pass = {});

  /// The consensus of quadrics at the end, and its windows.
  [[nodiscard]] FitWindows quadric_windows(const Plan& plan, const std::vector<Vec3>& points);
  [[nodiscard]] std::vector<Vec3> agree_on_quadrics(const Plan& plan, const std::vector<Vec3>& points,
                                                    const FitWindows& around) const;

  /// Everything in a plan. Quadrics come after the spacing was equalised, to put points back on the surface that slid
  /// off it; then what went too far is taken back.
  /// `progress` is called with the part of the work that is done, from 0 to 1.
  [[nodiscard]] std::vector<Vec3> all(const Plan& plan, const std::function<void(double)>& progress = {});

  /// The variance of the error that the last consensus left at each point, relative to that at others; empty if there
  /// was none.
  [[nodiscard]] const std::vector<double>& variance() const { return variance_; }

  [[nodiscard]] const std::vector<Vec3>& sights() const { return sights_; }

 private:
  enum class Kind : std::uint8_t { planes, large_planes, quadrics, large_quadrics, widest };
  [[nodiscard]] Windows windows(const Plan& plan, const std::vector<Vec3>& points, const NeighbourSearch& search,
                                Kind kind);
  [[nodiscard]] FitWindows all_windows(const Plan& plan, const std::vector<Vec3>& points);

  [[nodiscard]] std::vector<double> noise_times(double part) const;

  const std::vector<Vec3>& points_;
  const std::vector<double>& noise_;
  std::vector<Vec3> sights_;
  const ExecutionContext& context_;
  Centres centres_;
  std::vector<double> variance_;
  std::array<std::vector<std::uint32_t>, 5> window_centres_;  ///< of each kind, once they are needed
};

}  // namespace burnish::automatic
