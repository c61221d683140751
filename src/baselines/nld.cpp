#include "baselines/baseline_run.hpp"
#include "core/math.hpp"
#include "geometry/frames.hpp"
#include "geometry/height_fit.hpp"
#include "geometry/normals.hpp"

// J.-E. Deschaud, F. Goulette: "Point cloud non local denoising using local surface descriptor similarity",
// ISPRS Archives XXXVIII-3A, 2010.

namespace burnish {
namespace {

using namespace baselines;

/// The local surface of a point: a quadric over its tangent plane.
struct Place {
  Vec3 normal = Vec3::Zero();
  double height = 0.0;          ///< of the surface over the point, along the normal
  double mean_curvature = 0.0;  ///< with the sign of the normal
  double difference = 0.0;      ///< half the difference of the principal curvatures
};

Place local_surface(std::span<const Vec3> points, std::span<const std::uint32_t> nearest, const Vec3& towards,
                    std::vector<Vec3>& around, std::vector<double>& weights) {
  const Vec3& point = points[nearest.front()];
  const double radius = (points[nearest.back()] - point).norm();
  around.clear();
  weights.clear();
  for (const std::uint32_t j : nearest) {
    around.emplace_back(points[j] - point);
    weights.push_back(math::exp(-around.back().squaredNorm() / (radius * radius)));
  }
  PrincipalFrame frame = principal_frame(around, weights);
  if (frame.axes.col(2).dot(towards) < 0.0) {
    frame.axes.rightCols<2>() *= -1.0;
  }
  for (Vec3& p : around) {
    p = frame.axes.transpose() * p;
  }
  const HeightFit fit = fit_heights(around, weights, radius, 2);
  const auto& c = fit.coefficients;
  Place place;
  place.normal = frame.axes.col(2);
  place.height = c[0];
  place.mean_curvature = c[3] + c[5];
  place.difference = math::hypot(c[3] - c[5], c[4]);
  return place;
}

}  // namespace

BaselineResult denoise_nld(std::span<const Vec3> positions, const NldSettings& settings,
                           const ExecutionContext& context) {
  require(settings.neighbours >= 6 && settings.neighbours <= 1000, "NLD: quadrics need from 6 to 1000 neighbours");
  require(settings.window >= 1 && settings.window <= 1000, "NLD: the window must hold from 1 to 1000 points");
  require(settings.similarity > 0.0, "NLD: the similarity must be positive");
  return run_baseline(positions, context, [&](std::span<const Vec3> points) {
    const std::size_t wanted = std::max<std::size_t>(settings.neighbours, settings.window) + 1;
    const Neighbourhoods nearest(points, NeighbourSearch(points, context), wanted, context);
    std::vector<Vec3> normals = estimate_normals(points, nearest, settings.neighbours + 1, context);
    orient_normals(points, normals, nearest, 10, Orientation::parallel, context);

    std::vector<Place> places(points.size());
    blocks_with_progress(context, points.size(), 0.4, 0.8, [&](std::size_t begin, std::size_t end) {
      std::vector<Vec3> around;
      std::vector<double> weights;
      for (std::size_t i = begin; i < end; ++i) {
        places[i] = local_surface(points, nearest.nearest(i, settings.neighbours + 1), normals[i], around, weights);
      }
    });
    // Descriptors are compared in units of how much they vary over the cloud.
    const double squares = parallel_sum(context, points.size(), 4096, 0.0, [&](std::size_t begin, std::size_t end) {
      double sum = 0.0;
      for (std::size_t i = begin; i < end; ++i) {
        sum += places[i].mean_curvature * places[i].mean_curvature + places[i].difference * places[i].difference;
      }
      return sum;
    });
    const double variance = squares / static_cast<double>(points.size());
    const double by_similarity = variance > 0.0 ? 1.0 / (settings.similarity * settings.similarity * variance) : 0.0;

    std::vector<Vec3> moved(points.size());
    blocks_with_progress(context, points.size(), 0.8, 1.0, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        double sum = 0.0;
        double offset = 0.0;
        for (const std::uint32_t j : nearest.nearest(i, settings.window + 1)) {
          const double mean = places[j].mean_curvature - places[i].mean_curvature;
          const double difference = places[j].difference - places[i].difference;
          const double w = math::exp(-(mean * mean + difference * difference) * by_similarity);
          sum += w;
          offset -= w * places[j].height;  // how far point j lies above its surface
        }
        // Where the surface is, and as far off it as points at places alike are on average.
        moved[i] = points[i] + (places[i].height + offset / sum) * places[i].normal;
      }
    });
    return moved;
  });
}

}  // namespace burnish
