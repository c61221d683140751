#include "automatic/run_plan.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numbers>
#include <numeric>
#include <string_view>

#include "automatic/left_out.hpp"
#include "automatic/step_runner.hpp"
#include "burnish/estimate.hpp"
#include "core/parallel.hpp"

namespace burnish::automatic {
namespace {

using Box = Eigen::AlignedBox3d;

/// Boxes around consecutive points, which are near each other because the points are in spatial order.
class Blocks {
 public:
  explicit Blocks(const std::vector<Vec3>& points) : points_(points), boxes_((points.size() + size - 1) / size) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      boxes_[i / size].extend(points[i]);
    }
  }

  /// The points in a box, ascending.
  [[nodiscard]] std::vector<std::uint32_t> inside(const Box& box) const {
    std::vector<std::uint32_t> found;
    for (std::size_t b = 0; b < boxes_.size(); ++b) {
      if (boxes_[b].intersects(box)) {
        const std::size_t end = std::min((b + 1) * size, points_.size());
        for (std::size_t i = b * size; i < end; ++i) {
          if (box.contains(points_[i])) {
            found.push_back(static_cast<std::uint32_t>(i));
          }
        }
      }
    }
    return found;
  }

 private:
  static constexpr std::size_t size = 1024;

  const std::vector<Vec3>& points_;
  std::vector<Box> boxes_;
};

/// Halves points across their longest side, recursively, until no piece has more than `most` points. Pieces are ranges
/// of the indices.
void cut(const std::vector<Vec3>& points, std::span<std::uint32_t> indices, std::size_t most,
         std::vector<std::span<std::uint32_t>>& pieces) {
  if (indices.size() <= most) {
    std::ranges::sort(indices);
    pieces.push_back(indices);
    return;
  }
  Box box;
  for (const std::uint32_t i : indices) {
    box.extend(points[i]);
  }
  Eigen::Index axis = 0;
  box.sizes().maxCoeff(&axis);
  const std::size_t half = indices.size() / 2;
  std::ranges::nth_element(indices, indices.begin() + static_cast<std::ptrdiff_t>(half), [&](auto a, auto b) {
    return points[a][axis] != points[b][axis] ? points[a][axis] < points[b][axis] : a < b;
  });
  cut(points, indices.first(half), most, pieces);
  cut(points, indices.subspan(half), most, pieces);
}

std::vector<Vec3> gather(const std::vector<Vec3>& points, std::span<const std::uint32_t> indices) {
  std::vector<Vec3> gathered(indices.size());
  std::ranges::transform(indices, gathered.begin(), [&](std::uint32_t i) { return points[i]; });
  return gathered;
}

/// An upper quantile of the distances of neighbouring points.
double wide_spacing(const std::vector<Vec3>& points, const ExecutionContext& context) {
  std::vector<double> spacings = estimate_local_spacing(points, context);
  const auto place = spacings.begin() + static_cast<std::ptrdiff_t>(spacings.size() * 19 / 20);
  std::ranges::nth_element(spacings, place);
  return *place;
}

}  // namespace

PlanResult run_plan(const ChosenPlan& chosen, const std::vector<Vec3>& points, const Sights& sights,
                    const ExecutionContext& context) {
  PlanResult done;
  done.points = points;
  done.noise = chosen.field.at(points, context);
  done.variance.assign(points.size(), 1.0);
  const PreparedCloud cloud =
      prepare_cloud(points, NeighbourSearch(points, context), done.noise, chosen.strays, sights, context);
  done.outliers = cloud.outliers;
  if (chosen.plan.empty() || cloud.points.empty()) {
    return done;
  }
  double whole_cost = 0.0;
  for (const Step& step : chosen.plan) {
    whole_cost += relative_cost(step);
  }
  Centres centres(cloud.points, cloud.search, context);
  StepRunner runner(cloud, centres, context);
  std::vector<Vec3> moving = cloud.points;
  double cost = 0.0;
  for (const Step& step : chosen.plan) {
    const auto report = [&](double part) {
      context.report("denoising", (cost + part * relative_cost(step)) / whole_cost);
    };
    report(0.0);
    runner.run(step, moving, report);
    cost += relative_cost(step);
  }
  done.points = put_back(points, done.outliers, moving);
  if (!runner.variance().empty()) {
    done.variance = put_back(std::vector<double>(points.size(), 0.0), done.outliers, runner.variance());
  }
  return done;
}

DenoiseResult to_result(const ChosenPlan& chosen, const PlanResult& done, const WorkingPoints& working,
                        std::span<const Vec3> positions) {
  DenoiseResult result;
  result.positions = working.restore(positions, done.points);
  std::vector<bool> is_outlier(working.points.size(), false);
  for (const std::uint32_t p : done.outliers) {
    is_outlier[p] = true;
  }
  result.noise_at_points.assign(positions.size(), 0.0);
  result.error_at_points.assign(positions.size(), 0.0);
  // Scaled so that the mean square over all points is that of the expected error.
  const double variances = std::accumulate(done.variance.begin(), done.variance.end(), 0.0);
  const auto good_points = static_cast<double>(done.points.size() - done.outliers.size());
  const double scale = variances > 0.0 ? chosen.expected_error * std::sqrt(good_points / variances) : 0.0;
  for (std::uint32_t i = 0; i < positions.size(); ++i) {
    const std::uint32_t place = working.place[i];
    if (place != WorkingPoints::absent) {
      result.noise_at_points[i] = done.noise[place] / chosen.strength;
      result.error_at_points[i] = scale * std::sqrt(done.variance[place]);
      if (is_outlier[place]) {
        result.outliers.push_back(i);
      }
    }
  }
  return result;
}

double halo_radius(const Plan& plan) {
  // Found by experiment: one patch radius per iteration, one window radius per pass, and a constant for the choice of
  // centres and the solution of systems. Large enough that the remaining influence does not change partners, even among
  // millions of points.
  double radius = 21.0;
  for (const Step& step : plan) {
    if (const SmoothPatches* patches = std::get_if<SmoothPatches>(&step)) {
      radius += 1.2 * std::sqrt(patches->patch_size / std::numbers::pi) * static_cast<double>(patches->epsilon.size());
    } else if (const AgreeOnFits* fits = std::get_if<AgreeOnFits>(&step)) {
      radius += 3.0 * static_cast<double>(fits->noise_left.size());
    } else if (std::holds_alternative<AgreeOnQuadrics>(step)) {
      radius += 3.0;
    }
  }
  return radius;
}

PlanResult run_plan_in_pieces(const ChosenPlan& chosen, const std::vector<Vec3>& points, const Sights& sights,
                              std::size_t most_points, const ExecutionContext& context) {
  std::vector<std::uint32_t> indices(points.size());
  std::iota(indices.begin(), indices.end(), 0U);
  std::vector<std::span<std::uint32_t>> pieces;
  cut(points, indices, most_points, pieces);
  const Blocks blocks(points);
  PlanResult done;
  done.points = points;
  done.noise.resize(points.size());
  done.variance.resize(points.size());
  std::vector<bool> is_outlier(points.size(), false);
  std::mutex lock;
  std::vector<double> parts_done(pieces.size(), 0.0);
  parallel_for(context, pieces.size(), 1, [&](std::size_t i) {
    // There are enough pieces for all threads, so each piece runs on one.
    ExecutionContext alone(context, 1);
    alone.on_progress = [&, i](std::string_view stage, double part) {
      const std::lock_guard guard(lock);
      parts_done[i] = part;
      const double all = std::accumulate(parts_done.begin(), parts_done.end(), 0.0);
      context.report(stage, all / static_cast<double>(pieces.size()));
    };
    const std::span<const std::uint32_t> own = pieces[i];
    const std::vector<Vec3> own_points = gather(points, own);
    Box box;
    for (const Vec3& p : own_points) {
      box.extend(p);
    }
    const Vec3 margin = Vec3::Constant(halo_radius(chosen.plan) * wide_spacing(own_points, alone));
    const std::vector<std::uint32_t> all = blocks.inside(Box(box.min() - margin, box.max() + margin));
    const PlanResult piece = run_plan(chosen, gather(points, all), sights, alone);
    alone.report("denoising", 1.0);
    const std::lock_guard guard(lock);
    const auto place_of = [&](std::uint32_t point) {
      return static_cast<std::size_t>(std::ranges::lower_bound(all, point) - all.begin());
    };
    for (const std::uint32_t p : own) {
      const std::size_t place = place_of(p);
      done.points[p] = piece.points[place];
      done.noise[p] = piece.noise[place];
      done.variance[p] = piece.variance[place];
      is_outlier[p] = std::ranges::binary_search(piece.outliers, static_cast<std::uint32_t>(place));
    }
  });
  for (std::uint32_t p = 0; p < points.size(); ++p) {
    if (is_outlier[p]) {
      done.outliers.push_back(p);
    }
  }
  return done;
}

}  // namespace burnish::automatic
