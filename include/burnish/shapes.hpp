#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/point_cloud.hpp"
#include "burnish/ray.hpp"

namespace burnish {

class RandomStream;

/// A closed surface of about unit size around the origin, with an exact distance function: a ground truth without the
/// error of sampling.
///
///     const auto shape = make_shape("part");
///     PointCloud clean;
///     clean.positions = shape->sample(50000);
class Shape {
 public:
  virtual ~Shape() = default;

  /// Exact distance to the surface, from inside or outside.
  [[nodiscard]] virtual double distance(const Vec3& p) const = 0;

  /// Distance to the nearest sharp edge, to measure how well a method keeps edges; infinite for a smooth shape.
  [[nodiscard]] virtual double edge_distance(const Vec3& p) const;

  /// True inside the surface.
  [[nodiscard]] virtual bool contains(const Vec3& p) const = 0;

  /// Where a ray first meets the surface, exact to rounding, with the normal that points outwards. The ray must start
  /// outside.
  [[nodiscard]] virtual RayHit first_hit(const Ray& ray) const = 0;

  /// Points evenly spread on the surface: chosen by farthest-point sampling from four times as many random points. The
  /// same for the same seed, in no particular order.
  [[nodiscard]] std::vector<Vec3> sample(std::size_t points, std::uint64_t seed = 1,
                                         const ExecutionContext& context = {}) const;

  /// Points drawn independently and uniformly on the surface, with clumps and gaps.
  [[nodiscard]] std::vector<Vec3> sample_at_random(std::size_t points, std::uint64_t seed = 1,
                                                   const ExecutionContext& context = {}) const;

 private:
  [[nodiscard]] virtual Vec3 random_point(RandomStream& random) const = 0;
  [[nodiscard]] std::vector<Vec3> random_points(std::size_t points, std::uint64_t seed, std::uint64_t first_item,
                                                const ExecutionContext& context) const;
};

/// The names of the shapes:
///     sphere   diameter 1
///     torus    diameter 1, thickness 0.3
///     cube     edges of length 1
///     part     a machined bracket: sharp edges, fillets, a thin fin (0.03), holes and slots
///     organic  a smooth body with bulges and dents
[[nodiscard]] std::span<const std::string_view> shape_names();

/// Throws Error, listing the shapes, if there is none of that name.
[[nodiscard]] std::unique_ptr<const Shape> make_shape(std::string_view name);

}  // namespace burnish
