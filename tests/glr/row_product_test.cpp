#include <gtest/gtest.h>

#include <cstring>

#include "dense_glr.hpp"
#include "glr/lanes.hpp"
#include "test_clouds.hpp"

// The product of the system with a vector, row by row, with and without wide vectors.

namespace burnish::glr {
namespace {

/// Uses vectors of other widths, and the widest again in the end.
class RowProduct : public testing::Test {
 protected:
  ~RowProduct() override { use_lanes(widest_); }

  [[nodiscard]] std::vector<Quad> product(double mu, const std::vector<Quad>& x) const {
    std::vector<Quad> y(x.size());
    stages_.laplacian.multiply(mu, x, y, {});
    return y;
  }

  [[nodiscard]] std::vector<Quad> random_quads() const {
    TestRandom random;
    std::vector<Quad> x(stages_.points.size());
    for (Quad& q : x) {
      q << random.normal(), 1e3 * random.normal(), 1e-3 * random.normal(), 0.0;
    }
    return x;
  }

  static GlrSettings settings() {
    GlrSettings settings;
    settings.patch_size = 10;
    return settings;
  }

  Lanes widest_ = lanes_in_use();
  Stages stages_{noisy_shape("part", 600, 0.02), settings(), 0.1};
};

TEST_F(RowProduct, WithoutWideVectorsIsTheSumOverTheEntries) {
  ASSERT_TRUE(use_lanes(Lanes::four));
  constexpr double mu = 0.7;
  const PointLaplacian& laplacian = stages_.laplacian;
  const std::vector<Quad> x = random_quads();
  const std::vector<Quad> y = product(mu, x);
  std::vector<bool> has_remainder(4, false);
  for (std::size_t p = 0; p < x.size(); ++p) {
    Quad expected = (laplacian.diagonal[p] + mu) * x[p];
    Quad size = expected.abs();
    for (std::size_t e = laplacian.begins[p]; e < laplacian.ends[p]; ++e) {
      expected -= static_cast<double>(laplacian.entries[e].weight) * x[laplacian.entries[e].column];
      size += static_cast<double>(laplacian.entries[e].weight) * x[laplacian.entries[e].column].abs();
    }
    has_remainder[(laplacian.ends[p] - laplacian.begins[p]) % 4] = true;
    ASSERT_TRUE(((y[p] - expected).abs() <= 1e-14 * size).all()) << p;
  }
  EXPECT_EQ(has_remainder, std::vector<bool>(4, true)) << "entries are taken four at a time, and then one by one";
}

TEST_F(RowProduct, IsTheSameToTheBitForEveryWidth) {
  const std::vector<Quad> x = random_quads();
  ASSERT_TRUE(use_lanes(Lanes::four));
  const std::vector<Quad> expected = product(0.7, x);
  for (const Lanes lanes : {Lanes::eight, Lanes::sixteen}) {
    if (!use_lanes(lanes)) {
      continue;  // this processor has none
    }
    const std::vector<Quad> found = product(0.7, x);
    EXPECT_EQ(std::memcmp(found.data(), expected.data(), expected.size() * sizeof(Quad)), 0) << static_cast<int>(lanes);
  }
}

}  // namespace
}  // namespace burnish::glr
