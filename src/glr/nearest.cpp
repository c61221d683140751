#include "glr/nearest.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "glr/lanes.hpp"

// This file is compiled with contraction to fused multiply-add where the processor has it. That changes the last bits
// of compared values, which the margin for double precision covers, so results do not change.

namespace burnish::glr {
namespace {

/// The numbers of points, in memory, because a vector unit repeats what comes from there at no cost.
constexpr auto numbers = [] {
  std::array<std::int32_t, patch_capacity> result{};
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = static_cast<std::int32_t>(i);
  }
  return result;
}();

/// Minimises |b|² − 2 a·b + lift, which is the squared distance and lift − |a|², over the points of b, for a vector of
/// points of a. The value is positive, so that its bits compare as whole numbers do, which takes less time; the lowest
/// ones give way to the number of the point, so that the minimum knows where it comes from.
template <std::size_t LaneCount>
struct Minimum {
  using Float = typename Vector<LaneCount>::Float;
  using Int = typename Vector<LaneCount>::Int;
  Float minus_2u;
  Float minus_2v;
  Int nearest = Int{} + std::numeric_limits<std::int32_t>::max();
  Int second = nearest;

  [[gnu::always_inline]] Minimum(const ProjectedPatch& a, std::size_t i) {
    std::memcpy(&minus_2u, a.u + i, sizeof(Float));
    std::memcpy(&minus_2v, a.v + i, sizeof(Float));
    minus_2u *= -2.0F;
    minus_2v *= -2.0F;
  }

  [[gnu::always_inline]] void look_at(const ProjectedPatch& b, std::size_t j, std::int32_t number_bits) {
    const Float value = minus_2u * b.u[j] + (minus_2v * b.v[j] + b.lifted_square[j]);
    const Int numbered = (reinterpret_cast<Int>(value) & ~number_bits) | numbers[j];
    const Int larger = numbered < nearest ? nearest : numbered;
    second = larger < second ? larger : second;
    nearest = numbered < nearest ? numbered : nearest;
  }
};

/// Writes whole numbers below 256 as bytes.
template <std::size_t LaneCount, std::size_t... Lane>
[[gnu::always_inline]] inline void write_bytes(const typename Vector<LaneCount>::Int& values, std::uint8_t* to,
                                               std::index_sequence<Lane...> /*lanes*/) {
  const auto bytes = reinterpret_cast<typename Vector<LaneCount>::Byte>(values);
  const auto lowest = __builtin_shufflevector(bytes, bytes, static_cast<int>(4 * Lane)...);
  static_assert(sizeof lowest == LaneCount);
  std::memcpy(to, &lowest, LaneCount);
}

/// Writes the partners of points i, i + 1, … of `a`, their margins, and which of them are in doubt.
template <std::size_t LaneCount>
[[gnu::always_inline]] inline void write_result(const Minimum<LaneCount>& minimum, const ProjectedPatch& a,
                                                std::size_t i, const MarginScale& scale, std::int32_t number_bits,
                                                Nearest& result, typename Vector<LaneCount>::Int& any_doubtful,
                                                typename Vector<LaneCount>::Int& any_far) {
  using Float = typename Vector<LaneCount>::Float;
  using Int = typename Vector<LaneCount>::Int;
  Int number;  // of the point
  std::memcpy(&number, &numbers[i], sizeof(Int));
  const Int there = number < static_cast<std::int32_t>(a.count) ? Int{} + 1 : Int{};
  // No value exceeds 5. Errors of coordinates make six times √2 of one, six rounded operations at most 2⁻²² each, and
  // the number changes a value by at most number_bits · 2⁻²¹.
  const float doubt =
      2.0F * (8.5F * ProjectedPatch::error + 6.0F * 0x1p-22F + static_cast<float>(number_bits) * 0x1p-21F);
  // 32, far away, where there is no second point.
  const Int second = minimum.second < 0x42000000 ? minimum.second : Int{} + 0x42000000;
  const Int index = minimum.nearest & number_bits;
  const Float apart = reinterpret_cast<Float>(second) - reinterpret_cast<Float>(minimum.nearest) - doubt;
  // Written as choices, because the compiler takes a bare comparison of vectors apart; and so that what is not a number
  // is in doubt.
  const Int doubtful = apart > 0.0F ? Int{} : there;
  const Float at_least = apart > 0.0F ? apart : Float{};
  Float lifted_square;
  std::memcpy(&lifted_square, a.lifted_square + i, sizeof(Float));
  const Float at_most =
      reinterpret_cast<Float>(minimum.nearest) + (lifted_square - 2.0F * ProjectedPatch::lift) + doubt;
  // √s − √n = (s − n) / (√s + √n) ≥ (s − n) / √(2s + 2n), for s ≥ n + at_least and n ≤ at_most.
  const Float sums = 2.0F * (2.0F * at_most + at_least);
  Float roots;
  for (std::size_t lane = 0; lane < LaneCount; ++lane) {
    roots[lane] = std::sqrt(sums[lane]);
  }
  const Float to_second = at_least / roots;
  // l − √n ≥ (l² − n) / 2l as long as that is positive.
  const Float to_limit = (scale.limit * scale.limit - at_most) * (0.5F / scale.limit);
  const Int far = to_limit >= 0.0F ? Int{} : there;
  const Float room = to_second < to_limit ? to_second : to_limit;
  Float margin = room * (scale.units * 0.999F) + scale.start;  // 0.999: for errors of rounding
  margin = margin > 0.0F ? margin : Float{};
  margin = margin > 255.0F ? Float{} + 255.0F : margin;
  const Int whole = __builtin_convertvector(margin, Int);
  any_doubtful |= doubtful;
  any_far |= far;
  constexpr auto lanes = std::make_index_sequence<LaneCount>{};
  write_bytes<LaneCount>(index, result.index + i, lanes);
  write_bytes<LaneCount>(whole, result.margin + i, lanes);
  write_bytes<LaneCount>(doubtful, result.doubtful + i, lanes);
}

/// Points of `a` lie across the lanes, two vectors at a time to hide latency; points of `b` are gone through one by
/// one.
template <std::size_t LaneCount>
[[gnu::always_inline]] inline void find_nearest_body(const ProjectedPatch& a, const ProjectedPatch& b,
                                                     const MarginScale& scale, Nearest& result) {
  const auto number_bits = static_cast<std::int32_t>(std::bit_ceil(b.count)) - 1;
  const std::size_t count = a.count;
  typename Vector<LaneCount>::Int any_doubtful{};
  typename Vector<LaneCount>::Int any_far{};
  for (std::size_t i = 0; i < count; i += 2 * LaneCount) {
    Minimum<LaneCount> first(a, i);
    Minimum<LaneCount> next(a, i + LaneCount);
    if (i + LaneCount < count) {
      for (std::size_t j = 0; j < b.count; ++j) {
        first.look_at(b, j, number_bits);
        next.look_at(b, j, number_bits);
      }
      write_result<LaneCount>(next, a, i + LaneCount, scale, number_bits, result, any_doubtful, any_far);
    } else {
      for (std::size_t j = 0; j < b.count; ++j) {
        first.look_at(b, j, number_bits);
      }
    }
    write_result<LaneCount>(first, a, i, scale, number_bits, result, any_doubtful, any_far);
  }
  result.any_doubtful = false;
  result.any_far = false;
  for (std::size_t lane = 0; lane < LaneCount; ++lane) {
    result.any_doubtful |= any_doubtful[lane] != 0;
    result.any_far |= any_far[lane] != 0;
  }
}

BURNISH_FOR_ALL_LANES(find_nearest,
                      (const ProjectedPatch& a, const ProjectedPatch& b, const MarginScale& scale, Nearest& result),
                      (a, b, scale, result))

}  // namespace

void find_nearest(const ProjectedPatch& a, const ProjectedPatch& b, const MarginScale& scale, Nearest& result) {
  find_nearest_any(a, b, scale, result);
}

}  // namespace burnish::glr
