#include <Eigen/Geometry>

#include "baselines/baseline_run.hpp"
#include "baselines/bilateral_normals.hpp"
#include "core/math.hpp"
#include "geometry/normals.hpp"

// Y. Lipman et al.: "Parameterization-free projection for geometry reconstruction", ACM Transactions on Graphics 26(3),
// 2007 (LOP); H. Huang et al.: "Consolidation of unorganized point clouds for surface reconstruction", ACM Transactions
// on Graphics 28(5), 2009 (WLOP); H. Huang et al.: "Edge-aware point set resampling", ACM Transactions on Graphics
// 32(1), 2013 (AWLOP).

namespace burnish {
namespace {

using namespace baselines;

struct Projection {
  double radius;     ///< h
  double repulsion;  ///< μ
  unsigned iterations;
  bool by_density;  ///< weights of density (WLOP) and the gentler repulsion that goes with them, or not (LOP)
  /// Normals of the points for the anisotropic weights of AWLOP; none otherwise.
  std::span<const Vec3> normals;
};

/// Distances are not taken to be shorter than this part of a spacing: the weights have a pole at 0.
constexpr double shortest = 0.05;

/// θ(r) = exp(−4 r²/h²).
double theta(double squared, double radius) { return math::exp(-4.0 * squared / (radius * radius)); }

/// 1 + Σ θ over the neighbours of every point.
std::vector<double> densities(std::span<const Vec3> points, const Neighbourhoods& nearest, double radius,
                              const ExecutionContext& context) {
  std::vector<double> result(points.size());
  parallel_for(context, points.size(), 256, [&](std::size_t i) {
    double sum = 0.0;
    for (const std::uint32_t j : nearest[i]) {  // itself is among them, and counts 1
      sum += theta((points[j] - points[i]).squaredNorm(), radius);
    }
    result[i] = sum;
  });
  return result;
}

/// Points X are drawn to the input P and pushed away from each other. Both are the same points here, so that the
/// neighbours of a point in P serve for both: they are found once.
std::vector<Vec3> locally_optimal_projection(std::span<const Vec3> p, const Neighbourhoods& nearest,
                                             const Projection& projection, const ExecutionContext& context) {
  const double h = projection.radius;
  std::vector<double> density_p(p.size(), 1.0);
  if (projection.by_density) {
    density_p = densities(p, nearest, h, context);
  }
  std::vector<Vec3> x(p.begin(), p.end());
  std::vector<double> density_x(p.size(), 1.0);
  std::vector<Vec3> next(p.size());
  for (unsigned k = 0; k < projection.iterations; ++k) {
    if (projection.by_density) {
      density_x = densities(x, nearest, h, context);
    }
    const double from = static_cast<double>(k) / projection.iterations;
    const double to = static_cast<double>(k + 1) / projection.iterations;
    blocks_with_progress(context, p.size(), from, to, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        double drawn = 0.0;
        Vec3 attraction = Vec3::Zero();
        double pushed = 0.0;
        Vec3 push = Vec3::Zero();
        for (const std::uint32_t j : nearest[i]) {
          const Vec3 to_input = p[j] - x[i];
          const double squared = to_input.squaredNorm();
          double alpha = theta(squared, h) / density_p[j];
          if (!projection.normals.empty()) {
            const double height = projection.normals[i].dot(to_input);
            alpha *= math::exp(-height * height / (h * h));
          }
          // WLOP draws to the mean, LOP to the median, except in the first step: points of X lie in P, where the pole
          // is.
          if (!projection.by_density && k > 0) {
            alpha /= std::max(std::sqrt(squared), shortest);
          }
          drawn += alpha;
          attraction += alpha * to_input;
          if (j != i) {
            const Vec3 away = x[i] - x[j];
            const double r2 = std::max(away.squaredNorm(), shortest * shortest);
            // LOP: β = θ(r) |η'(r)| / r with η = 1/(3r³). WLOP: θ(r) / r², and more from where points are dense.
            const double beta = density_x[j] * theta(r2, h) / (projection.by_density ? r2 : r2 * r2 * std::sqrt(r2));
            pushed += beta;
            push += beta * away;
          }
        }
        next[i] = x[i];
        if (drawn > 0.0) {
          next[i] += attraction / drawn;
        }
        if (pushed > 0.0) {
          next[i] += projection.repulsion * push / pushed;
        }
      }
    });
    std::swap(x, next);
  }
  return x;
}

constexpr double smallest_scale = 1.0;
constexpr double largest_scale = 20.0;

void check(double filter_scale, double repulsion) {
  require(filter_scale >= smallest_scale && filter_scale <= largest_scale,
          "LOP: the filter scale must be from 1 to 20");
  require(repulsion >= 0.0 && repulsion < 0.5, "LOP: the repulsion must be from 0 to below 0.5");
}

/// The radius that the program of the authors of AWLOP begins with: the diagonal of the bounding box by the cube root
/// of the number of points.
double box_radius(std::span<const Vec3> points) {
  Eigen::AlignedBox3d box;
  for (const Vec3& p : points) {
    box.extend(p);
  }
  const double root = math::exp(math::log(static_cast<double>(points.size())) / 3.0);
  return std::clamp(box.diagonal().norm() / root, smallest_scale, largest_scale);
}

/// As many neighbours as a surface has within the radius; farther ones hardly count.
std::size_t neighbours_within(double radius) {
  return static_cast<std::size_t>(std::numbers::pi * radius * radius) + 8;
}

BaselineResult isotropic(std::span<const Vec3> positions, const Projection& projection,
                         const ExecutionContext& context) {
  check(projection.radius, projection.repulsion);
  return run_baseline(positions, context, [&](std::span<const Vec3> points) {
    const Neighbourhoods nearest(points, NeighbourSearch(points, context), neighbours_within(projection.radius),
                                 context);
    return locally_optimal_projection(points, nearest, projection, context);
  });
}

}  // namespace

BaselineResult denoise_lop(std::span<const Vec3> positions, const LopSettings& settings,
                           const ExecutionContext& context) {
  return isotropic(positions, {settings.filter_scale, settings.repulsion, settings.iterations, false, {}}, context);
}

BaselineResult denoise_wlop(std::span<const Vec3> positions, const WlopSettings& settings,
                            const ExecutionContext& context) {
  return isotropic(positions, {settings.filter_scale, settings.repulsion, settings.iterations, true, {}}, context);
}

BaselineResult denoise_awlop(std::span<const Vec3> positions, const AwlopSettings& settings,
                             const ExecutionContext& context) {
  check(settings.filter_scale == 0.0 ? smallest_scale : settings.filter_scale, settings.repulsion);
  require(settings.normal_neighbours >= 3 && settings.normal_neighbours <= 1000,
          "AWLOP: normals need from 3 to 1000 neighbours");
  require(settings.sharpness_angle > 0.0 && settings.sharpness_angle <= 90.0,
          "AWLOP: the sharpness angle must be above 0, at most 90 degrees");
  const auto project = [&](std::span<const Vec3> points, std::span<const Vec3> known) {
    const double radius = settings.filter_scale == 0.0 ? box_radius(points) : settings.filter_scale;
    const std::size_t wanted = std::max<std::size_t>(settings.normal_neighbours, neighbours_within(radius));
    const Neighbourhoods nearest(points, NeighbourSearch(points, context), wanted, context);
    const std::vector<Vec3> normals = oriented_normals(points, known, nearest, settings.normal_neighbours, context);
    std::vector<Vec3> smooth(normals.size());
    const BilateralWeight weight(radius, settings.sharpness_angle);
    parallel_for(context, points.size(), 256, [&](std::size_t i) {
      Vec3 sum = Vec3::Zero();
      for (const std::uint32_t j : nearest[i]) {
        sum += weight((points[j] - points[i]).squaredNorm(), normals[i], normals[j]) * normals[j];
      }
      smooth[i] = sum.normalized();  // of itself at least
    });
    return locally_optimal_projection(points, nearest, {radius, settings.repulsion, settings.iterations, true, smooth},
                                      context);
  };
  return run_baseline(positions, settings.normals, context, project);
}

}  // namespace burnish
