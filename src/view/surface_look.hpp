#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/point_cloud.hpp"

namespace burnish {

/// How a surface lies at some of the points of a cloud.
struct SurfaceLook {
  std::vector<Vec3> normals;      ///< unit length; signs agree between neighbours only if they were oriented
  std::vector<float> curvatures;  ///< mean curvature; plus where the surface bends away from the normal; may be NaN

  /// Turns the surface over at point i.
  void flip(std::size_t i);
};

/// Looks at those points of a cloud that `rows` names, which must be finite, fitting all of its points.
[[nodiscard]] SurfaceLook surface_look(std::span<const Vec3> points, std::span<const std::uint32_t> rows,
                                       const ExecutionContext& context);

/// Turns the surface at all points so that normals point outwards, as far as that can be known.
void orient_outwards(std::span<const Vec3> positions, SurfaceLook& look, const ExecutionContext& context);

}  // namespace burnish
