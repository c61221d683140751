#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

// Kernels are written once, as loops over vectors of 4, 8 or 16 lanes, and compiled for the instruction sets that have
// them.

namespace burnish::glr {

enum class Lanes : int { four = 4, eight = 8, sixteen = 16 };

namespace detail {
extern std::atomic<Lanes> lanes;
}  // namespace detail

/// The widest vectors of this processor, or those set by use_lanes.
[[nodiscard]] inline Lanes lanes_in_use() { return detail::lanes.load(std::memory_order_relaxed); }

/// For tests: kernels use vectors of this width from now on. False if this processor does not have it.
bool use_lanes(Lanes lanes);

/// Vectors of one size. The compiler's own type, because it assumes that a write through one of Eigen's may alias
/// anything.
template <std::size_t LaneCount>
struct Vector {
  using Float [[gnu::vector_size(LaneCount * sizeof(float))]] = float;
  using Int [[gnu::vector_size(LaneCount * sizeof(std::int32_t))]] = std::int32_t;
  using Byte [[gnu::vector_size(LaneCount * sizeof(float))]] = std::uint8_t;  ///< of four times as many lanes
  using Double [[gnu::vector_size(LaneCount * sizeof(float))]] = double;      ///< of half as many lanes
};

}  // namespace burnish::glr

// Defines name_4 and, where there are such processors, name_8 and name_16, which call name_body<lanes>; and a function
// name that calls the one in use. The arguments are the parameters in brackets and their names in brackets.
#if defined(__x86_64__)
#define BURNISH_FOR_ALL_LANES(name, parameters, arguments)                                              \
  void name##_4 parameters { name##_body<4> arguments; }                                                \
  [[gnu::target("avx2,fma")]] void name##_8 parameters { name##_body<8> arguments; }                    \
  [[gnu::target("avx512f,avx512vl,avx512dq")]] void name##_16 parameters { name##_body<16> arguments; } \
  void name##_any parameters {                                                                          \
    switch (lanes_in_use()) {                                                                           \
      case Lanes::sixteen:                                                                              \
        return name##_16 arguments;                                                                     \
      case Lanes::eight:                                                                                \
        return name##_8 arguments;                                                                      \
      case Lanes::four:                                                                                 \
        return name##_4 arguments;                                                                      \
    }                                                                                                   \
  }
#else
#define BURNISH_FOR_ALL_LANES(name, parameters, arguments) \
  void name##_any parameters { name##_body<4> arguments; }
#endif
