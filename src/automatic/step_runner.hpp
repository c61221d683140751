#pragma once

#include <functional>
#include <vector>

#include "automatic/centres.hpp"
#include "automatic/consensus.hpp"
#include "automatic/patch_smoothing.hpp"
#include "automatic/plan.hpp"
#include "automatic/prepared_cloud.hpp"

namespace burnish::automatic {

/// Centres for the windows of a consensus that is to be done with `find_window_centre_distance`, and for patches of a
/// size: distances at which every point is in enough of them.
[[nodiscard]] double find_window_centre_distance(const Centres& centres);
[[nodiscard]] double find_patch_centre_distance(const Centres& centres, unsigned patch_size);

/// Carries out steps on one cloud, for the trial, for whole clouds, pieces and tiles alike. Centres of patches and
/// windows are those of the cloud as it came, so that they do not depend on how exactly it was moved since.
class StepRunner {
 public:
  /// All must stay alive and unchanged. Centres may be those of a cloud that differs a little.
  StepRunner(const PreparedCloud& cloud, Centres& centres, const ExecutionContext& context)
      : cloud_(cloud), centres_(centres), context_(context) {}

  /// Carries out a step on the points of the cloud as earlier steps have left them. `progress` is called with the part
  /// of the step that is done.
  void run(const Step& step, std::vector<Vec3>& points, const std::function<void(double)>& progress = {});

  /// The iterations of a step over patches, to be carried out one by one. ε is found from the data if the step has
  /// none.
  [[nodiscard]] PatchSmoothing smoothing(const SmoothPatches& step);

  /// The variance of the error across the surface that the last consensus left at each point, relative to that at
  /// others; empty if there was none.
  [[nodiscard]] const std::vector<double>& variance() const { return variance_; }

 private:
  using Points = std::vector<Vec3>;
  using Progress = std::function<void(double)>;

  void carry_out(const SmoothPatches& step, Points& points, const Progress& progress);
  void carry_out(const AgreeOnFits& step, Points& points, const Progress& progress);
  void carry_out(const RemoveTangentialNoise& step, Points& points, const Progress& progress);
  void carry_out(const EqualiseSpacing& step, Points& points, const Progress& progress);
  void carry_out(const AgreeOnQuadrics& step, Points& points, const Progress& progress);
  void carry_out(const Restrain& step, Points& points, const Progress& progress);

  [[nodiscard]] NeighbourSearch search_among(const Points& points) const;
  [[nodiscard]] std::vector<double> noise_times(double part) const;

  const PreparedCloud& cloud_;
  Centres& centres_;
  const ExecutionContext& context_;
  std::vector<double> variance_;
};

/// About what a step costs, in passes of the consensus.
[[nodiscard]] double relative_cost(const Step& step);

}  // namespace burnish::automatic
