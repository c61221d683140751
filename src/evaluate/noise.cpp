#include "burnish/noise.hpp"

#include <Eigen/Geometry>

#include <cmath>
#include <string>

#include "burnish/error.hpp"
#include "burnish/sampling.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "evaluate/finite_points.hpp"

namespace burnish {
namespace {

double unit_of(NoiseScale scale, std::span<const Vec3> points) {
  switch (scale) {
    case NoiseScale::diameter:
      return sampled_diameter(points);
    case NoiseScale::sqrt_diameter:
      return std::sqrt(sampled_diameter(points));
    case NoiseScale::sphere:
      return radius_around_box_centre(points);
    case NoiseScale::absolute:
      break;
  }
  return 1.0;
}

/// Random with mean 0 and variance 1.
double draw(NoiseKind kind, RandomStream& random) {
  switch (kind) {
    case NoiseKind::laplacian:
      return random.laplace();
    case NoiseKind::uniform:
      return 1.7320508075688772 * random.symmetric();
    case NoiseKind::gaussian:
      break;
  }
  return random.normal();
}

}  // namespace

NoisyCloud add_noise(PointCloud cloud, const NoiseSettings& settings, const ExecutionContext& context) {
  if (!(settings.sigma >= 0.0) || !std::isfinite(settings.sigma)) {
    throw Error("sigma must be a number not below 0, not " + std::to_string(settings.sigma));
  }
  if (!(settings.outliers >= 0.0 && settings.outliers <= 1.0)) {
    throw Error("the part of outliers must be between 0 and 1, not " + std::to_string(settings.outliers));
  }
  const std::vector<Vec3> finite = finite_points(cloud.positions);
  const double deviation = settings.sigma * unit_of(settings.scale, finite);
  Eigen::AlignedBox3d box;
  for (const Vec3& p : finite) {
    box.extend(p);
  }

  const auto thrown =
      parallel_sum(context, cloud.size(), 4096, std::size_t{0}, [&](std::size_t begin, std::size_t end) {
        std::size_t outliers = 0;
        for (std::size_t i = begin; i < end; ++i) {
          Vec3& p = cloud.positions[i];
          if (!is_finite(p)) {
            continue;
          }
          RandomStream random(settings.seed, i);
          const bool outlier = random.uniform() < settings.outliers;
          for (int d = 0; d < 3; ++d) {
            p[d] = outlier ? box.min()[d] + random.uniform() * box.sizes()[d]
                           : p[d] + deviation * draw(settings.kind, random);
          }
          outliers += outlier ? 1 : 0;
        }
        return outliers;
      });
  return {std::move(cloud), deviation, thrown};
}

}  // namespace burnish
