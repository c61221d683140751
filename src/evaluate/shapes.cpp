#include "burnish/shapes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "burnish/error.hpp"
#include "burnish/nearest_word.hpp"
#include "burnish/sampling.hpp"
#include "core/math.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "evaluate/first_zero.hpp"
#include "evaluate/machined.hpp"
#include "evaluate/organic.hpp"

namespace burnish {
namespace {

class Sphere final : public Shape {
 public:
  [[nodiscard]] double distance(const Vec3& p) const override { return std::abs(p.norm() - radius); }
  [[nodiscard]] bool contains(const Vec3& p) const override { return p.norm() < radius; }
  [[nodiscard]] RayHit first_hit(const Ray& ray) const override {
    const double middle = -ray.origin.dot(ray.direction);
    const Vec3 nearest = ray.origin + middle * ray.direction;  // to the centre
    const double square = radius * radius - nearest.squaredNorm();
    const double t = middle - std::sqrt(std::max(0.0, square));
    return square >= 0.0 && t >= 0.0 ? RayHit{t, (ray.origin + t * ray.direction).normalized()} : RayHit{};
  }
  [[nodiscard]] Vec3 random_point(RandomStream& random) const override { return radius * random.direction3(); }

 private:
  static constexpr double radius = 0.5;
};

class Torus final : public Shape {
 public:
  [[nodiscard]] double distance(const Vec3& p) const override {
    return std::abs(math::hypot(math::hypot(p.x(), p.y()) - ring, p.z()) - tube);
  }
  [[nodiscard]] bool contains(const Vec3& p) const override {
    return math::hypot(math::hypot(p.x(), p.y()) - ring, p.z()) < tube;
  }
  [[nodiscard]] RayHit first_hit(const Ray& ray) const override {
    // The surface is (|p|^2 + ring^2 - tube^2)^2 = 4 ring^2 (x^2 + y^2). With t counted from the place of the ray that
    // is nearest to the centre, this is the quartic (t^2 + k)^2 - 4 ring^2 (a t^2 + 2 b t + c) = 0, whose second
    // derivative is least at t = 0. Beyond the sphere around the torus there is no zero.
    const double middle = -ray.origin.dot(ray.direction);
    const Vec3 nearest = ray.origin + middle * ray.direction;
    const double square = (ring + tube) * (ring + tube) - nearest.squaredNorm();
    if (square < 0.0) {
      return {};
    }
    const double k = nearest.squaredNorm() + ring * ring - tube * tube;
    const double a = ray.direction.head<2>().squaredNorm();
    const double b = ray.direction.head<2>().dot(nearest.head<2>());
    const double c = nearest.head<2>().squaredNorm();
    const double bend = std::max(0.0, 8.0 * ring * ring * a - 4.0 * k);
    const auto quartic = [&](double t) -> Tangent {
      const double s = t * t + k;
      return {s * s - 4.0 * ring * ring * ((a * t + 2.0 * b) * t + c), 4.0 * t * s - 8.0 * ring * ring * (a * t + b),
              bend};
    };
    const double end = std::sqrt(square);
    const auto t = first_zero(quartic, std::max(-end, -middle), end, 1e-16);
    if (!t) {
      return {};
    }
    const Vec3 p = nearest + *t * ray.direction;
    const Vec3 axis = ring * Vec3(p.x(), p.y(), 0.0).normalized();
    return {middle + *t, (p - axis).normalized()};
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
  const std::vector<std::string> known(names.begin(), names.end());
  const std::string suggestion = did_you_mean(name, known);
  std::string message = "there is no shape '" + std::string(name) + "'" + suggestion;
  message += suggestion.empty() ? "; there are" : " There are";
  for (const std::string& one : known) {
    message += (one == known.front() ? " " : ", ") + one;
  }
  throw Error(message);
}

}  // namespace burnish
