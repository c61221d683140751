#include "burnish/denoise.hpp"

#include "automatic/choice.hpp"
#include "automatic/follow.hpp"
#include "geometry/working_points.hpp"

namespace burnish {

DenoiseResult denoise(std::span<const Vec3> positions, const DenoiseSettings& settings,
                      const ExecutionContext& context) {
  automatic::check(settings);
  const WorkingPoints working = working_points(positions, context);
  const automatic::Choice choice =
      automatic::choose(automatic::take_samples(working.points, context), settings, context);
  const automatic::Followed followed =
      working.points.size() <= automatic::piece_size
          ? automatic::follow(choice, working.points, context)
          : automatic::follow_in_pieces(choice, working.points, automatic::piece_size, context);

  DenoiseResult result = automatic::findings_of(choice);
  std::vector<bool> is_outlier(working.points.size(), false);
  for (const std::uint32_t p : followed.outliers) {
    is_outlier[p] = true;
  }
  for (std::uint32_t i = 0; i < positions.size(); ++i) {
    if (working.place[i] != WorkingPoints::absent && is_outlier[working.place[i]]) {
      result.outliers.push_back(i);
    }
  }
  result.positions = working.restore(positions, followed.points);
  context.report("denoising", 1.0);
  return result;
}

}  // namespace burnish
