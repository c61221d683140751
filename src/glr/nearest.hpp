#pragma once

#include <cstdint>

#include "glr/projection.hpp"

namespace burnish::glr {

/// For points of a patch the nearest one of another in the plane of projection.
struct Nearest {
  alignas(64) std::uint8_t index[patch_capacity];
  /// By how much distances may change before another point can be the nearest, or this one be beyond the limit: in
  /// units, rounded down, 0 to 255.
  alignas(64) std::uint8_t margin[patch_capacity];
  alignas(64) std::uint8_t doubtful[patch_capacity];  ///< 1 where rounding may decide between the two nearest
  bool any_doubtful = false;
  bool any_far = false;  ///< some distance may be beyond the limit
};

/// How margins are counted. All lengths are in the unit of the projection.
struct MarginScale {
  float units = 0.0F;  ///< in one length
  float limit = 0.0F;  ///< a length, positive
  float start = 0.0F;  ///< units that are added to all
};

/// The hot kernel of the method: for every point of `a` the nearest one of `b` by exhaustive search, in single
/// precision. Where an index is not doubtful it is that of the nearest point in double precision too. Both patches must
/// be projected with the same radius.
void find_nearest(const ProjectedPatch& a, const ProjectedPatch& b, const MarginScale& scale, Nearest& result);

}  // namespace burnish::glr
