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
    double kept = 0.0;     // b·(g(v + εb) − g(v)) / ε
    double shaking = 0.0;  // |b|²
    double points = 0.0;
    Sums& operator+=(const Sums& other) {
      moved += other.moved;
      kept += other.kept;
      shaking += other.shaking;
      points += other.points;
      return *this;
    }
  };
  const Sums sums = parallel_sum(context_, probe_.size(), 4096, Sums{}, [&](std::size_t begin, std::size_t end) {
    Sums part;
    for (std::size_t i = begin; i < end; ++i) {
      if (counts_.empty() || counts_[i]) {
        part.moved += (twins.plain[i] - start_.plain[i]).squaredNorm();
        part.kept += probe_[i].dot(twins.shaken[i] - twins.plain[i]);
        part.shaking += probe_[i].squaredNorm();
        part.points += 1.0;
      }
    }
    return part;
  });
  ExpectedError error;
  error.freedom = 3.0 * sums.kept / (shake * noise_ * sums.shaking);
  error.squared = sums.moved / sums.points + noise_ * noise_ * (2.0 * error.freedom - 3.0);
  return error;
}

}  // namespace burnish::blind
