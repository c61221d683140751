#include "blind/trial.hpp"

#include <cmath>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "geometry/frames.hpp"
#include "geometry/intrinsic_order.hpp"

namespace burnish::blind {
namespace {

/// How far points are shaken, in standard deviations of the noise: enough to change neighbours and partners, as noise
/// would, not so much that the steps answer to it in another way than to none.
constexpr double shake = 0.05;

/// The principal frame of the cloud, each axis pointing to where the cloud reaches out further.
Eigen::Matrix3d intrinsic_axes(const std::vector<Vec3>& points) {
  const PrincipalFrame frame = principal_frame(points);
  Eigen::Matrix3d axes = frame.axes;
  for (int a = 0; a < 3; ++a) {
    double skewness = 0.0;
    for (const Vec3& p : points) {
      skewness += std::pow(axes.col(a).dot(p - frame.mean), 3);
    }
    axes.col(a) *= skewness < 0.0 ? -1.0 : 1.0;
  }
  return axes;
}

/// Independent normal numbers of variance 1, which turn with the cloud and do not depend on the order of its points.
std::vector<Vec3> make_probe(const std::vector<Vec3>& points, const ExecutionContext& context) {
  const Eigen::Matrix3d axes = intrinsic_axes(points);
  const std::vector<std::uint32_t> order = intrinsic_order(points, context);
  std::vector<Vec3> probe(points.size());
  parallel_for(context, points.size(), 4096, [&](std::size_t rank) {
    RandomStream random(1, rank);
    const double x = random.normal();
    const double y = random.normal();
    const double z = random.normal();
    probe[order[rank]] = axes * Vec3(x, y, z);
  });
  return probe;
}

}  // namespace

Trial::Trial(std::vector<Vec3> cloud, double noise, std::vector<bool> counts, const ExecutionContext& context)
    : noise_(noise), counts_(std::move(counts)), context_(context) {
  start_.plain = std::move(cloud);
  probe_ = make_probe(start_.plain, context);
  start_.shaken = start_.plain;
  for (std::size_t i = 0; i < probe_.size(); ++i) {
    start_.shaken[i] += shake * noise * probe_[i];
  }
}

ExpectedError Trial::judge(const Twins& twins) const {
  struct Sums {
    double moved = 0.0;    // |g(v) − v|²
    double kept = 0.0;     // b·(g(v + εb) − g(v))
    double shaking = 0.0;  // |b|²
    Sums& operator+=(const Sums& other) {
      moved += other.moved;
      kept += other.kept;
      shaking += other.shaking;
      return *this;
    }
  };
  struct AllSums {
    Sums all;
    Sums normal;
    double points = 0.0;
    AllSums& operator+=(const AllSums& other) {
      all += other.all;
      normal += other.normal;
      points += other.points;
      return *this;
    }
  };
  const AllSums sums = parallel_sum(context_, probe_.size(), 4096, AllSums{}, [&](std::size_t begin, std::size_t end) {
    AllSums part;
    for (std::size_t i = begin; i < end; ++i) {
      if (!counts_.empty() && !counts_[i]) {
        continue;
      }
      const Vec3 move = twins.plain[i] - start_.plain[i];
      const Vec3 left = twins.shaken[i] - twins.plain[i];
      part.all += {move.squaredNorm(), probe_[i].dot(left), probe_[i].squaredNorm()};
      if (has_normals()) {
        const Vec3& n = normals_[i];
        part.normal += {std::pow(n.dot(move), 2), n.dot(probe_[i]) * n.dot(left), std::pow(n.dot(probe_[i]), 2)};
      }
      part.points += 1.0;
    }
    return part;
  });
  const auto freedom = [&](const Sums& of) { return of.kept / (shake * noise_ * of.shaking); };
  const auto squared = [&](const Sums& of, double directions) {
    return of.moved / sums.points + noise_ * noise_ * directions * (2.0 * freedom(of) - 1.0);
  };
  ExpectedError error;
  error.squared = squared(sums.all, 3.0);
  error.freedom = 3.0 * freedom(sums.all);
  error.squared_along_normal = has_normals() ? squared(sums.normal, 1.0) : error.squared / 3.0;
  error.freedom_along_normal = has_normals() ? freedom(sums.normal) : error.freedom / 3.0;
  return error;
}

}  // namespace burnish::blind
