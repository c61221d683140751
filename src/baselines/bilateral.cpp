#include "baselines/baseline_run.hpp"
#include "baselines/bilateral_normals.hpp"
#include "geometry/normals.hpp"

// The bilateral filter of point sets in H. Huang et al.: "Edge-aware point set resampling", ACM Transactions on
// Graphics 32(1), 2013, applied to normals and positions at once.

namespace burnish {

using namespace baselines;

BaselineResult denoise_bilateral(std::span<const Vec3> positions, const BilateralSettings& settings,
                                 const ExecutionContext& context) {
  require(settings.neighbours >= 3 && settings.neighbours <= 1000 && settings.normal_neighbours >= 3 &&
              settings.normal_neighbours <= 1000,
          "bilateral: there must be from 3 to 1000 neighbours");
  require(settings.sharpness_angle > 0.0 && settings.sharpness_angle <= 90.0,
          "bilateral: the sharpness angle must be above 0, at most 90 degrees");
  const auto filter = [&](std::span<const Vec3> input, std::span<const Vec3> known) {
    std::vector<Vec3> points(input.begin(), input.end());
    std::vector<Vec3> normals;
    for (unsigned k = 0; k < settings.iterations; ++k) {
      const NeighbourSearch search(points, context);
      const std::size_t wanted =
          k == 0 ? std::max(settings.neighbours + 1, settings.normal_neighbours) : settings.neighbours + 1;
      const Neighbourhoods nearest(points, search, wanted, context);
      if (k == 0) {
        normals = oriented_normals(points, known, nearest, settings.normal_neighbours, context);
      }
      std::vector<Vec3> moved(points.size());
      std::vector<Vec3> turned(points.size());
      const double from = static_cast<double>(k) / settings.iterations;
      const double to = static_cast<double>(k + 1) / settings.iterations;
      blocks_with_progress(context, points.size(), from, to, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          const auto around = nearest.nearest(i, settings.neighbours + 1);
          const BilateralWeight weight((points[around.back()] - points[i]).norm(), settings.sharpness_angle);
          double sum = 0.0;
          double offset = 0.0;
          Vec3 normal = Vec3::Zero();
          for (const std::uint32_t j : around) {
            const Vec3 to_other = points[j] - points[i];
            const double w = weight(to_other.squaredNorm(), normals[i], normals[j]);
            sum += w;
            offset += w * to_other.dot(normals[j]);
            normal += w * normals[j];
          }
          turned[i] = normal.squaredNorm() > 0.0 ? Vec3(normal.normalized()) : normals[i];
          moved[i] = points[i] + (offset / sum) * turned[i];
        }
      });
      points = std::move(moved);
      normals = std::move(turned);
    }
    return points;
  };
  return run_baseline(positions, settings.normals, context, filter);
}

}  // namespace burnish
