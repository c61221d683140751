#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "blind/centres.hpp"
#include "blind/patch_smoothing.hpp"
#include "blind/plan.hpp"
#include "blind/windows.hpp"

namespace burnish::blind {

/// The steps of a plan, on one cloud. All centres are chosen on the cloud as it came, so that they do not depend on how
/// exactly it was moved since.
class Steps {
 public:
  /// The points must stay alive and unchanged.
  Steps(const std::vector<Vec3>& points, const ExecutionContext& context);

  /// How far apart centres must be: of patches, and of the neighbourhoods of a pass of the consensus.
  [[nodiscard]] double find_patches_apart(unsigned patch_size) const;
  [[nodiscard]] double find_pass_apart(std::size_t pass) const;

  /// The iterations over patches. ε is found from the data if the plan has none.
  [[nodiscard]] PatchSmoothing smoothing(const Plan& plan) const;

  /// A pass of the consensus over the points as they have become.
  [[nodiscard]] std::vector<Vec3> agree(const Plan& plan, std::size_t pass, const std::vector<Vec3>& points);

  /// Everything in a plan. The last pass comes after the evening, to put points back on the surface that slid off it;
  /// then what went too far is taken back.
  [[nodiscard]] std::vector<Vec3> all(const Plan& plan);

 private:
  [[nodiscard]] Windows windows(const Plan& plan, std::size_t pass, const std::vector<Vec3>& points);
  [[nodiscard]] std::vector<Vec3> agree(const Plan& plan, std::size_t pass, const std::vector<Vec3>& points,
                                        const Windows& windows) const;

  const std::vector<Vec3>& points_;
  const ExecutionContext& context_;
  Centres centres_;
  std::array<std::vector<std::uint32_t>, Plan::most_passes> pass_centres_;  ///< once they are needed
};

}  // namespace burnish::blind
