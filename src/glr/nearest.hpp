#pragma once

#include <cstdint>

#include "glr/projection.hpp"

namespace burnish::glr {

/// For every point of a patch the nearest one of another in the plane of projection.
struct Nearest {
  alignas(64) std::int32_t index[patch_capacity];
  alignas(64) std::int32_t doubtful[patch_capacity];  ///< not 0 where the kernel cannot tell the two nearest apart
  bool any_doubtful = false;
  bool any_far = false;  ///< some distance may be above the limit that was asked about
  /// While no distance changes by half of this, no nearest point changes: at least the smallest difference between the
  /// second nearest and the nearest. 0 where any is doubtful.
  float margin = 0.0F;
  float farthest = 0.0F;  ///< no distance to a nearest point is larger
};

/// The hot kernel of the method: for every point of `a` the nearest one of `b` by looking at all, in single precision.
/// Where an index is not doubtful it is that of the nearest point in double precision too. Both patches must be
/// projected with the same radius; `far` is the limit for `any_far`, in units of it.
void find_nearest(const ProjectedPatch& a, const ProjectedPatch& b, double far, Nearest& result);

}  // namespace burnish::glr
