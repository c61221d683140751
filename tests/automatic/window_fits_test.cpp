#include "automatic/window_fits.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "automatic/centres.hpp"
#include "burnish/neighbours.hpp"
#include "core/math.hpp"
#include "glr/lanes.hpp"
#include "test_clouds.hpp"

namespace burnish::automatic {
namespace {

using glr::Lanes;
constexpr Lanes widths[] = {Lanes::four, Lanes::eight, Lanes::sixteen};

/// Tests choose kernels; others should get the widest again.
class WindowFits : public testing::Test {
 protected:
  ~WindowFits() override {
    for (const Lanes lanes : widths) {
      glr::use_lanes(lanes);
    }
  }

  WindowFits() {
    const NeighbourSearch search(points_);
    Centres centres(points_, search, {});
    windows_ = make_windows(points_, search, centres.choose(0.1, 30), 30, {});
  }

  [[nodiscard]] FitTask task() const { return {points_, noise2_, {}, windows_.patches, {}, {}, 1.0, {}}; }

  /// Every field of every contribution, as numbers one after the other.
  [[nodiscard]] std::vector<double> numbers(decltype(fit_planes)& fit, const FitTask& of, std::size_t begin,
                                            std::size_t end) const {
    std::vector<Contribution> contributions((end - begin) * windows_.patches.size);
    fit(of, begin, end, contributions.data());
    std::vector<double> all;
    for (const Contribution& one : contributions) {
      all.insert(all.end(), {one.correction.x(), one.correction.y(), one.correction.z(), one.variance, one.weight,
                             one.residual_variance});
    }
    return all;
  }

  std::vector<Vec3> points_ = noisy_shape("sphere", 2000, 0.02);
  std::vector<double> noise2_ = std::vector<double>(points_.size(), 0.02 * 0.02);
  Windows windows_;
};

TEST_F(WindowFits, AreTheSameBytesInVectorsOfAnyWidth) {
  ASSERT_GT(windows_.patches.count(), 21U);
  const std::vector<double> usual(points_.size(), 0.015 * 0.015);
  const std::vector<Agreed> agreed(points_.size(), {Vec3(0.001, 0.002, -0.001), 1e-5});
  const std::vector<Vec3> sights(points_.size(), Vec3(0.0, 0.6, 0.8));
  std::vector<FitTask> tasks(4, task());
  tasks[1].usual = usual;
  tasks[2].agreed = agreed;
  tasks[3].sights = sights;
  for (const FitTask& one : tasks) {
    for (decltype(fit_planes)* fit : {&fit_planes, &fit_quadrics}) {
      ASSERT_TRUE(glr::use_lanes(Lanes::four));
      const std::vector<double> expected = numbers(*fit, one, 0, 21);
      for (const Lanes lanes : widths) {
        if (!glr::use_lanes(lanes)) {
          continue;  // not on this processor
        }
        EXPECT_EQ(numbers(*fit, one, 0, 21), expected);
        // In another lane, beside other windows.
        std::vector<double> in_two = numbers(*fit, one, 0, 3);
        const std::vector<double> rest = numbers(*fit, one, 3, 21);
        in_two.insert(in_two.end(), rest.begin(), rest.end());
        EXPECT_EQ(in_two, expected);
      }
    }
  }
}

TEST_F(WindowFits, ProposeTheSphere) {
  for (decltype(fit_planes)* fit : {&fit_planes, &fit_quadrics}) {
    const std::size_t count = windows_.patches.count();
    std::vector<Contribution> contributions(count * windows_.patches.size);
    (*fit)(task(), 0, count, contributions.data());
    double before = 0.0;
    double after = 0.0;
    double weights = 0.0;
    for (std::size_t node = 0; node < contributions.size(); ++node) {
      const Contribution& one = contributions[node];
      if (one.weight > 0.0) {
        const Vec3& point = points_[windows_.patches.members[node]];
        const double radius = point.norm();
        const double proposed = (point + one.correction / one.weight).norm();
        before += one.weight * math::square(radius - 0.5);
        after += one.weight * math::square(proposed - 0.5);
        weights += one.weight;
      }
    }
    EXPECT_NEAR(std::sqrt(before / weights), 0.02, 0.002);
    EXPECT_LT(after, 0.25 * before);
  }
}

TEST_F(WindowFits, LeavePointsThatWereMeasuredFromBehindAlone) {
  // Every other point is seen from within.
  std::vector<Vec3> sights(points_.size());
  for (std::size_t p = 0; p < points_.size(); ++p) {
    sights[p] = (p % 2 == 0 ? 1.0 : -1.0) * points_[p].normalized();
  }
  FitTask with_sights = task();
  with_sights.sights = sights;
  std::vector<Contribution> contributions(windows_.patches.size);
  fit_quadrics(with_sights, 0, 1, contributions.data());
  for (std::size_t i = 0; i < contributions.size(); ++i) {
    const bool is_of_centre = windows_.patches.patch(0)[i] % 2 == windows_.patches.centres[0] % 2;
    EXPECT_EQ(contributions[i].weight > 0.0, is_of_centre);
    EXPECT_EQ(contributions[i].residual_variance >= 0.0, is_of_centre);
  }
}

}  // namespace
}  // namespace burnish::automatic
