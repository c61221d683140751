#include "automatic/sure.hpp"

#include <algorithm>

#include "core/math.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "geometry/frames.hpp"
#include "geometry/intrinsic_order.hpp"

namespace burnish::automatic {
namespace {

/// Size of the perturbation, in standard deviations of the noise: large enough that many neighbours and partners
/// change, so that single changes do not dominate, and small enough that the response of the steps is that to the
/// original cloud.
constexpr double perturbation = 0.2;

/// The principal frame of the cloud, each axis pointing to the side on which the cloud extends further.
Eigen::Matrix3d intrinsic_axes(const std::vector<Vec3>& points) {
  const PrincipalFrame frame = principal_frame(points);
  Eigen::Matrix3d axes = frame.axes;
  for (int a = 0; a < 3; ++a) {
    double skewness = 0.0;
    for (const Vec3& p : points) {
      skewness += math::cube(axes.col(a).dot(p - frame.mean));
    }
    axes.col(a) *= skewness < 0.0 ? -1.0 : 1.0;
  }
  return axes;
}

}  // namespace

SureEstimator::SureEstimator(std::vector<Vec3> cloud, std::vector<double> noise, std::vector<bool> counts,
                             const ExecutionContext& context)
    : noise_(std::move(noise)), counts_(std::move(counts)), context_(context) {
  start_.original = std::move(cloud);
  start_.perturbed.resize(start_.original.size());
  probe_.resize(start_.original.size());
  part_.resize(start_.original.size());
  // Independent normal numbers of variance 1, which rotate with the cloud and do not depend on the order of its points.
  const Eigen::Matrix3d axes = intrinsic_axes(start_.original);
  const std::vector<std::uint32_t> order = intrinsic_order(start_.original, context);
  parallel_for(context, order.size(), 4096, [&](std::size_t rank) {
    RandomStream random(1, rank);
    const double x = random.normal();
    const double y = random.normal();
    const double z = random.normal();
    const std::uint32_t p = order[rank];
    probe_[p] = axes * Vec3(x, y, z);
    part_[p] = static_cast<std::uint8_t>(rank % SureEstimate::part_count);
    start_.perturbed[p] = start_.original[p] + perturbation * noise_[p] * probe_[p];
  });
}

SureEstimate SureEstimator::judge(const PerturbedPair& pair) const {
  struct Sums {
    double moved = 0.0;         // |g(v) − v|²
    double kept = 0.0;          // σ b·(g(v + εσb) − g(v))
    double probe_square = 0.0;  // σ²|b|²
    Sums& operator+=(const Sums& other) {
      moved += other.moved;
      kept += other.kept;
      probe_square += other.probe_square;
      return *this;
    }
  };
  struct AllSums {
    Sums all;
    Sums normal;
    double points = 0.0;
    double noise2 = 0.0;  // σ²
    AllSums& operator+=(const AllSums& other) {
      all += other.all;
      normal += other.normal;
      points += other.points;
      noise2 += other.noise2;
      return *this;
    }
  };
  struct Parts : std::array<AllSums, SureEstimate::part_count> {
    Parts& operator+=(const Parts& other) {
      std::ranges::transform(*this, other, this->begin(), [](AllSums a, const AllSums& b) { return a += b; });
      return *this;
    }
  };
  const Parts parts = parallel_sum(context_, probe_.size(), 4096, Parts{}, [&](std::size_t begin, std::size_t end) {
    Parts sums{};
    for (std::size_t i = begin; i < end; ++i) {
      if (!counts_.empty() && !counts_[i]) {
        continue;
      }
      AllSums& part = sums[part_[i]];
      const Vec3 move = pair.original[i] - start_.original[i];
      // Points that moved far are strays, not noise.
      constexpr double far = 16.0;
      if (has_normals() ? math::square(normals_[i].dot(move)) > far * noise_[i] * noise_[i]
                        : move.squaredNorm() > 3.0 * far * noise_[i] * noise_[i]) {
        continue;
      }
      const double noise2 = noise_[i] * noise_[i];
      const Vec3 left = noise_[i] * (pair.perturbed[i] - pair.original[i]);
      part.all += {move.squaredNorm(), probe_[i].dot(left), noise2 * probe_[i].squaredNorm()};
      if (has_normals()) {
        const Vec3& n = normals_[i];
        part.normal +=
            {math::square(n.dot(move)), n.dot(probe_[i]) * n.dot(left), noise2 * math::square(n.dot(probe_[i]))};
      }
      part.points += 1.0;
      part.noise2 += noise2;
    }
    return sums;
  });
  const auto expected = [&](const AllSums& sums) {
    const auto degrees_of_freedom = [&](const Sums& of) { return of.kept / (perturbation * of.probe_square); };
    const auto squared = [&](const Sums& of, double directions) {
      return (of.moved + sums.noise2 * directions * (2.0 * degrees_of_freedom(of) - 1.0)) / sums.points;
    };
    ExpectedError error;
    error.squared = squared(sums.all, 3.0);
    error.degrees_of_freedom = 3.0 * degrees_of_freedom(sums.all);
    error.squared_along_normal = has_normals() ? squared(sums.normal, 1.0) : error.squared / 3.0;
    error.degrees_of_freedom_along_normal =
        has_normals() ? degrees_of_freedom(sums.normal) : error.degrees_of_freedom / 3.0;
    return error;
  };
  SureEstimate estimate;
  AllSums all;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    all += parts[part];
    estimate.parts[part] = expected(parts[part]);
  }
  estimate.all = expected(all);
  return estimate;
}

}  // namespace burnish::automatic
