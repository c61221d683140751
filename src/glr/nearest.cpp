#include "glr/nearest.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "glr/lanes.hpp"

// This file is compiled with contraction to fused multiply-add where the processor has it. That changes the last bits
// of what is compared, which the margin of doubt allows for, and so no result.

namespace burnish::glr {
namespace {

template <std::size_t LaneCount>
struct Vector {
  using Float [[gnu::vector_size(LaneCount * sizeof(float))]] = float;
  using Int [[gnu::vector_size(LaneCount * sizeof(std::int32_t))]] = std::int32_t;
};

/// Minimises |b|² − 2 a·b, which is the squared distance less |a|², over the points of b. The lowest bits of each value
/// give way to the number of the point, so that the minimum knows where it comes from. Points of `a` lie across the
/// lanes, two vectors at a time to hide latency; points of `b` are gone through one by one.
template <std::size_t LaneCount>
[[gnu::always_inline]] inline void find_nearest_body(const ProjectedPatch& a, const ProjectedPatch& b, float far,
                                                     Nearest& result) {
  using Float = typename Vector<LaneCount>::Float;
  using Int = typename Vector<LaneCount>::Int;
  constexpr std::size_t together = 2;
  const auto number_bits = static_cast<std::int32_t>(std::bit_ceil(b.count)) - 1;
  // All coordinates are at most 1, so that no value exceeds 4. Coordinates rounded by 2⁻²⁵ and three rounded operations
  // make an error below 2⁻²⁰, and the number changes a value by at most number_bits · 2⁻²¹.
  const float doubt = 2.0F * (0x1p-20F + static_cast<float>(number_bits) * 0x1p-21F);
  Int any_doubtful{};
  Int any_far{};
  Float margin = Float{} + std::numeric_limits<float>::max();  // squared, and four times that
  Float farthest{};
  for (std::size_t i = 0; i < a.count; i += together * LaneCount) {
    Float minus_2u[together], minus_2v[together], nearest[together], second[together];
    for (std::size_t t = 0; t < together; ++t) {
      std::memcpy(&minus_2u[t], a.unit_u + i + t * LaneCount, sizeof(Float));
      std::memcpy(&minus_2v[t], a.unit_v + i + t * LaneCount, sizeof(Float));
      minus_2u[t] *= -2.0F;
      minus_2v[t] *= -2.0F;
      nearest[t] = Float{} + std::numeric_limits<float>::max();
      second[t] = nearest[t];
    }
    for (std::size_t j = 0; j < b.count; ++j) {
      for (std::size_t t = 0; t < together; ++t) {
        const Float value = minus_2u[t] * b.unit_u[j] + (minus_2v[t] * b.unit_v[j] + b.unit_square[j]);
        const auto numbered =
            reinterpret_cast<Float>((reinterpret_cast<Int>(value) & ~number_bits) | static_cast<std::int32_t>(j));
        const Float larger = numbered < nearest[t] ? nearest[t] : numbered;
        second[t] = larger < second[t] ? larger : second[t];
        nearest[t] = numbered < nearest[t] ? numbered : nearest[t];
      }
    }
    for (std::size_t t = 0; t < together; ++t) {
      const Int index = reinterpret_cast<Int>(nearest[t]) & number_bits;
      // Written as choices: the compiler takes a bare comparison of vectors apart.
      const Int doubtful = second[t] - nearest[t] <= doubt ? Int{} + 1 : Int{};
      Float square;
      std::memcpy(&square, a.unit_square + i + t * LaneCount, sizeof(Float));
      any_doubtful |= doubtful;
      any_far |= nearest[t] + square > far - doubt ? Int{} + 1 : Int{};
      // √s − √n = (s − n) / (√s + √n) ≥ (s − n) / 2√s
      const Float apart = second[t] - nearest[t] - doubt;
      const Float margin_here = apart * apart / (second[t] + square + doubt);
      margin = margin_here < margin ? margin_here : margin;
      farthest = farthest < nearest[t] + square + doubt ? nearest[t] + square + doubt : farthest;
      std::memcpy(result.index + i + t * LaneCount, &index, sizeof(Int));
      std::memcpy(result.doubtful + i + t * LaneCount, &doubtful, sizeof(Int));
    }
  }
  result.any_doubtful = false;
  result.any_far = false;
  result.margin = std::numeric_limits<float>::max();
  result.farthest = 0.0F;
  for (std::size_t lane = 0; lane < LaneCount; ++lane) {
    result.any_doubtful |= any_doubtful[lane] != 0;
    result.any_far |= any_far[lane] != 0;
    result.margin = std::min(result.margin, margin[lane]);
    result.farthest = std::max(result.farthest, farthest[lane]);
  }
  result.margin = result.any_doubtful ? 0.0F : std::sqrt(result.margin) / 2.0F;
  result.farthest = std::sqrt(result.farthest);
}

BURNISH_FOR_ALL_LANES(find_nearest, (const ProjectedPatch& a, const ProjectedPatch& b, float far, Nearest& result),
                      (a, b, far, result))

}  // namespace

void find_nearest(const ProjectedPatch& a, const ProjectedPatch& b, double far, Nearest& result) {
  find_nearest_any(a, b, static_cast<float>(far * far), result);
}

}  // namespace burnish::glr
