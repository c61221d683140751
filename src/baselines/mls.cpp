#include "baselines/baseline_run.hpp"
#include "baselines/filter_radius.hpp"
#include "geometry/frames.hpp"
#include "geometry/height_fit.hpp"

// M. Alexa et al.: "Computing and rendering point set surfaces", IEEE Transactions on Visualization and Computer
// Graphics 9(1), 2003.

namespace burnish {

using namespace baselines;

BaselineResult denoise_mls(std::span<const Vec3> positions, const MlsSettings& settings,
                           const ExecutionContext& context) {
  require(settings.filter_scale >= 1.0 && settings.filter_scale <= 100.0,
          "MLS: the filter scale must be from 1 to 100");
  require(settings.degree == 1 || settings.degree == 2, "MLS: the degree must be 1 or 2");
  return run_baseline(positions, context, [&](std::span<const Vec3> points) {
    const NeighbourSearch search(points, context);
    const Neighbourhoods nearest(points, search, radius_neighbours, context);

    std::vector<Vec3> moved(points.size());
    blocks_with_progress(context, points.size(), 0.3, 1.0, [&](std::size_t begin, std::size_t end) {
      std::vector<std::uint32_t> indices;
      std::vector<Vec3> around;
      std::vector<Vec3> local;
      std::vector<double> weights;
      for (std::size_t i = begin; i < end; ++i) {
        const double radius =
            filter_surroundings(search, points[i], settings.filter_scale, local_spacing(points, nearest, i), indices);
        around.clear();
        for (const std::uint32_t j : indices) {
          around.emplace_back(points[j] - points[i]);
        }
        weights.resize(around.size());
        local.resize(around.size());
        Vec3 place = Vec3::Zero();
        for (unsigned k = 0; k < settings.iterations; ++k) {
          for (std::size_t j = 0; j < around.size(); ++j) {
            weights[j] = bump((around[j] - place).squaredNorm() / (radius * radius));
          }
          const PrincipalFrame frame = principal_frame(around, weights);
          for (std::size_t j = 0; j < around.size(); ++j) {
            local[j] = frame.axes.transpose() * (around[j] - place);
          }
          const HeightFit surface = fit_heights(local, weights, radius, settings.degree);
          const double height = surface.coefficients[0];
          if (!(std::abs(height) < radius)) {
            break;
          }
          place += height * frame.axes.col(2);
        }
        moved[i] = points[i] + place;
      }
    });
    return moved;
  });
}

}  // namespace burnish
