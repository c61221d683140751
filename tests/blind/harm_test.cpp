#include <gtest/gtest.h>

#include "burnish/denoise.hpp"
#include "burnish/estimate.hpp"
#include "burnish/metrics.hpp"
#include "test_clouds.hpp"

// What the default must not do to clouds that are no closed shape of even density.

namespace burnish {
namespace {

struct Sheets {
  std::vector<Vec3> clean;
  std::vector<Vec3> noisy;
};

/// Flat sheets of random points, [−1, 1]², noise of one standard deviation; `place` makes the points.
template <class Place>
Sheets make_sheets(std::size_t count, double noise, Place&& place) {
  TestRandom random;
  Sheets sheets;
  for (std::size_t i = 0; i < count; ++i) {
    sheets.clean.push_back(place(random, i));
    sheets.noisy.push_back(sheets.clean.back() + noise * random.normal3());
  }
  return sheets;
}

/// Root mean square of a number of every chosen point.
template <class Choose, class Number>
double rms(std::size_t count, Choose&& choose, Number&& number) {
  double squares = 0.0;
  double chosen = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    if (choose(i)) {
      squares += number(i) * number(i);
      chosen += 1.0;
    }
  }
  return std::sqrt(squares / chosen);
}

TEST(DoNoHarm, OpenBordersNeitherCurlNorShrink) {
  constexpr double noise = 0.02;
  const Sheets sheet = make_sheets(5000, noise, [](TestRandom& random, std::size_t) {
    const double x = random.uniform(-1.0, 1.0);
    return Vec3(x, random.uniform(-1.0, 1.0), 0.0);
  });
  const std::vector<Vec3> result = denoise(sheet.noisy).positions;
  const auto at_border = [&](std::size_t i) {
    return std::max(std::abs(sheet.clean[i].x()), std::abs(sheet.clean[i].y())) > 0.95;
  };
  const auto height = [&](std::size_t i) { return result[i].z(); };
  const double inside = rms(
      result.size(), [&](std::size_t i) { return !at_border(i); }, height);
  const double border = rms(result.size(), at_border, height);
  EXPECT_LT(inside, 0.25 * noise);
  EXPECT_LT(border, 0.5 * noise);
  // How far the border has moved inwards, on average.
  double inwards = 0.0;
  double count = 0.0;
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (sheet.clean[i].x() > 0.95) {
      inwards += sheet.clean[i].x() - result[i].x();
      count += 1.0;
    }
  }
  EXPECT_LT(std::abs(inwards / count), 0.3 * noise);
}

TEST(DoNoHarm, DensityMayVaryAHundredfold) {
  constexpr double noise = 0.01;
  const Sheets sheet = make_sheets(10100, noise, [](TestRandom& random, std::size_t i) {
    const double x = random.uniform(0.0, 1.0);
    return Vec3(i < 10000 ? -x : x, random.uniform(-1.0, 1.0), 0.0);
  });
  const std::vector<Vec3> result = denoise(sheet.noisy).positions;
  const auto after = [&](std::size_t i) { return result[i].z(); };
  const double dense = rms(
      result.size(), [](std::size_t i) { return i < 10000; }, after);
  const double sparse = rms(
      result.size(), [](std::size_t i) { return i >= 10000; }, after);
  EXPECT_LT(dense, 0.3 * noise);
  EXPECT_LT(sparse, 1.1 * noise);
}

TEST(DoNoHarm, TwoSidesOfASheetStayApart) {
  constexpr double noise = 0.01;
  // Closer than four standard deviations, points are on the wrong side too often.
  for (const auto& [gap, left_of_gap] : {std::pair{4.0, 0.75}, {8.0, 0.95}}) {
    const Sheets sheets = make_sheets(20000, noise, [distance = gap * noise](TestRandom& random, std::size_t i) {
      const double x = random.uniform(-1.0, 1.0);
      return Vec3(x, random.uniform(-1.0, 1.0), (i % 2 == 0 ? 0.5 : -0.5) * distance);
    });
    const std::vector<Vec3> result = denoise(sheets.noisy).positions;
    double apart = 0.0;
    for (std::size_t i = 0; i < result.size(); ++i) {
      apart += (i % 2 == 0 ? 2.0 : -2.0) * result[i].z() / static_cast<double>(result.size());
    }
    const double left = rms(
        result.size(), [](std::size_t) { return true; },
        [&](std::size_t i) { return result[i].z() - sheets.clean[i].z(); });
    EXPECT_GT(apart, left_of_gap * gap * noise) << gap;
    EXPECT_LT(left, noise) << gap;
  }
}

TEST(DoNoHarm, PartsOfOtherSizesAreEachBroughtCloser) {
  // The same noise on a sphere of radius 0.5 and on one of 0.2 beside it.
  std::vector<Vec3> cloud = noisy_shape("sphere", 8000, 0.01);
  const Vec3 aside(0.8, 0, 0);
  for (const Vec3& p : noisy_shape("sphere", 2000, 0.025)) {
    cloud.push_back(0.4 * p + aside);
  }
  const std::vector<Vec3> result = denoise(cloud).positions;
  const auto error = [&](const std::vector<Vec3>& points, bool of_the_large) {
    return rms(
        points.size(), [&](std::size_t i) { return (i < 8000) == of_the_large; },
        [&](std::size_t i) { return of_the_large ? points[i].norm() - 0.5 : (points[i] - aside).norm() - 0.2; });
  };
  EXPECT_LT(error(result, true), 0.4 * error(cloud, true));
  EXPECT_LT(error(result, false), 0.5 * error(cloud, false));
}

TEST(DoNoHarm, MovesAreBoundAndTheSecondTimeSmall) {
  for (const char* name : {"part", "organic"}) {
    const std::vector<Vec3> noisy = noisy_shape(name, 8000, 0.01);
    const DenoiseResult once = denoise(noisy);
    const DenoiseResult twice = denoise(once.positions);
    double farthest = 0.0;
    for (std::size_t i = 0; i < noisy.size(); ++i) {
      farthest = std::max(farthest, (once.positions[i] - noisy[i]).norm());
    }
    const double first = compare_to_cloud(once.positions, noisy).aligned_rms.value();
    const double second = compare_to_cloud(twice.positions, once.positions).aligned_rms.value();
    EXPECT_LT(farthest, 5.0 * once.noise) << name;
    EXPECT_LT(second, 0.1 * first) << name;
  }
}

}  // namespace
}  // namespace burnish
