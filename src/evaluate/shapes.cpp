#include "burnish/shapes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "burnish/error.hpp"
#include "burnish/sampling.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "evaluate/machined.hpp"
#include "evaluate/organic.hpp"

namespace burnish {
namespace {

class Sphere final : public Shape {
 public:
  [[nodiscard]] double distance(const Vec3& p) const override { return std::abs(p.norm() - radius); }
  [[nodiscard]] Vec3 random_point(RandomStream& random) const override { return radius * random.direction3(); }

 private:
  static constexpr double radius = 0.5;
};

class Torus final : public Shape {
 public:
  [[nodiscard]] double distance(const Vec3& p) const override {
    return std::abs(std::hypot(std::hypot(p.x(), p.y()) - ring, p.z()) - tube);
  }
  [[nodiscard]] Vec3 random_point(RandomStream& random) const override {
    const Vec2 around = random.direction2().first;
    for (;;) {
      // The outer side of the tube has more area than the inner one.
      const Vec2 section = random.direction2().first;
      const double from_axis = ring + tube * section.x();
      if (random.uniform() * (ring + tube) < from_axis) {
        return {from_axis * around.x(), from_axis * around.y(), tube * section.y()};
      }
    }
  }

 private:
  static constexpr double ring = 0.35;
  static constexpr double tube = 0.15;
};

constexpr std::array<std::string_view, 5> names{"sphere", "torus", "cube", "part", "organic"};

}  // namespace

double Shape::edge_distance(const Vec3& /*p*/) const { return std::numeric_limits<double>::infinity(); }

std::vector<Vec3> Shape::random_points(std::size_t points, std::uint64_t seed, std::uint64_t first_item,
                                       const ExecutionContext& context) const {
  std::vector<Vec3> result(points);
  parallel_for(context, points, 1024, [&](std::size_t i) {
    RandomStream random(seed, first_item + i);
    result[i] = random_point(random);
  });
  return result;
}

std::vector<Vec3> Shape::sample_at_random(std::size_t points, std::uint64_t seed,
                                          const ExecutionContext& context) const {
  return random_points(points, seed, first_random_point, context);
}

std::vector<Vec3> Shape::sample(std::size_t points, std::uint64_t seed, const ExecutionContext& context) const {
  const std::vector<Vec3> candidates = random_points(4 * points, seed, 0, context);
  std::vector<std::uint32_t> chosen = farthest_point_sample(candidates, points, 0, context);
  // Farthest-point sampling goes from coarse to fine; nothing shall depend on that.
  std::ranges::sort(chosen);
  std::vector<Vec3> result(points);
  std::ranges::transform(chosen, result.begin(), [&](std::uint32_t i) { return candidates[i]; });
  return result;
}

std::span<const std::string_view> shape_names() { return names; }

std::unique_ptr<const Shape> make_shape(std::string_view name) {
  if (name == "sphere") {
    return std::make_unique<Sphere>();
  }
  if (name == "torus") {
    return std::make_unique<Torus>();
  }
  if (name == "cube") {
    return make_cube();
  }
  if (name == "part") {
    return make_part();
  }
  if (name == "organic") {
    return std::make_unique<Organic>();
  }
  std::string message = "there is no shape '" + std::string(name) + "'; there are";
  for (const std::string_view known : names) {
    message += (known == names.front() ? " " : ", ") + std::string(known);
  }
  throw Error(message);
}

}  // namespace burnish
