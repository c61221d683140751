#include "baselines/baseline_run.hpp"
#include "core/math.hpp"
#include "geometry/frames.hpp"
#include "geometry/neighbourhoods.hpp"

// E. Mattei, A. Castrodad: "Point cloud denoising via moving RPCA", Computer Graphics Forum 36(8), 2017.

namespace burnish {
namespace {

using namespace baselines;

struct Plane {
  Vec3 point = Vec3::Zero();
  Vec3 normal = Vec3::Zero();
};

/// The plane with the least weighted sum of absolute deviations, by iteratively reweighted least squares.
Plane robust_plane(std::span<const Vec3> around, std::span<const double> weights, std::vector<double>& trust) {
  constexpr int rounds = 2;
  constexpr double smallest_deviation = 0.2;  // in spacings: within it the absolute value is rounded off
  trust.assign(weights.begin(), weights.end());
  Plane plane;
  for (int k = 0; k < rounds; ++k) {
    const PrincipalFrame frame = principal_frame(around, trust);
    plane = {frame.mean, frame.axes.col(2)};
    for (std::size_t j = 0; j < around.size(); ++j) {
      const double deviation = plane.normal.dot(around[j] - plane.point);
      trust[j] = weights[j] / std::max(std::abs(deviation), smallest_deviation);
    }
  }
  return plane;
}

/// exp(−((1 − |n·n'|) / (1 − cos 30°))²): little between planes of different faces.
double likeness(const Plane& a, const Plane& b) {
  constexpr double by_angle = 7.464101615137754;
  const double difference = (1.0 - std::abs(a.normal.dot(b.normal))) * by_angle;
  return math::exp(-difference * difference);
}

}  // namespace

BaselineResult denoise_mrpca(std::span<const Vec3> positions, const MrpcaSettings& settings,
                             const ExecutionContext& context) {
  require(settings.data_fitting >= 0.0, "MRPCA: the weight of data fitting must not be negative");
  require(settings.neighbours >= 4 && settings.neighbours <= 1000, "MRPCA: planes need from 4 to 1000 neighbours");
  return run_baseline(positions, context, [&](std::span<const Vec3> input) {
    std::vector<Vec3> points(input.begin(), input.end());
    std::vector<Plane> planes(points.size());
    std::vector<Plane> new_planes(points.size());
    std::vector<Vec3> moved(points.size());
    for (unsigned k = 0; k < settings.iterations; ++k) {
      const auto part_done = [&](double part) { return (k + part) / settings.iterations; };
      const Neighbourhoods nearest(points, NeighbourSearch(points, context), settings.neighbours, context);
      const auto nearness = [&](std::size_t i, std::uint32_t j) {
        const double squared_radius = (points[nearest[i].back()] - points[i]).squaredNorm();
        return math::exp(-2.0 * (points[j] - points[i]).squaredNorm() / squared_radius);
      };

      blocks_with_progress(context, points.size(), part_done(0.0), part_done(0.7),
                           [&](std::size_t begin, std::size_t end) {
                             std::vector<Vec3> around(nearest.size());
                             std::vector<double> weights(nearest.size());
                             std::vector<double> trust;
                             for (std::size_t i = begin; i < end; ++i) {
                               for (std::size_t n = 0; n < nearest.size(); ++n) {
                                 const std::uint32_t j = nearest[i][n];
                                 around[n] = points[j] - points[i];
                                 weights[n] = nearness(i, j) * (k > 0 ? likeness(planes[i], planes[j]) : 1.0);
                               }
                               new_planes[i] = robust_plane(around, weights, trust);
                               new_planes[i].point += points[i];
                             }
                           });
      std::swap(planes, new_planes);

      // Least squares between the point and the planes of all the neighbourhoods it takes part in.
      blocks_with_progress(
          context, points.size(), part_done(0.7), part_done(1.0), [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
              double sum = settings.data_fitting;
              Vec3 move = Vec3::Zero();
              for (const std::uint32_t j : nearest[i]) {
                const double weight = nearness(i, j) * likeness(planes[i], planes[j]);
                sum += weight;
                move += (weight * planes[j].normal.dot(planes[j].point - points[i])) * planes[j].normal;
              }
              moved[i] = points[i] + move / sum;
            }
          });
      std::swap(points, moved);
    }
    return points;
  });
}

}  // namespace burnish
