#include "glr/nearest_projection.hpp"

#include <cstring>
#include <limits>

namespace burnish::glr {
namespace {

template <int Lanes>
struct Vector {
  typedef float Float __attribute__((vector_size(Lanes * sizeof(float))));
  typedef std::int32_t Int __attribute__((vector_size(Lanes * sizeof(std::int32_t))));
};

/// Points of `a` lie across the lanes, two vectors at a time to hide latency; points of `b` are gone through one by
/// one. Inlined into functions that are compiled for one instruction set each.
template <int Lanes>
[[gnu::always_inline]] inline void nearest_body(const PlanePoints& a, const PlanePoints& b, NearestInPlane& result) {
  using Float = typename Vector<Lanes>::Float;
  using Int = typename Vector<Lanes>::Int;
  constexpr int together = 2;
  for (std::size_t i = 0; i < a.count; i += together * Lanes) {
    Float u[together], v[together], nearest[together], second[together];
    Int index[together];
    for (int t = 0; t < together; ++t) {
      std::memcpy(&u[t], a.u + i + t * Lanes, sizeof(Float));
      std::memcpy(&v[t], a.v + i + t * Lanes, sizeof(Float));
      nearest[t] = Float{} + std::numeric_limits<float>::infinity();
      second[t] = nearest[t];
      index[t] = Int{};
    }
    for (std::size_t j = 0; j < b.count; ++j) {
      for (int t = 0; t < together; ++t) {
        const Float du = u[t] - b.u[j];
        const Float dv = v[t] - b.v[j];
        const Float d = du * du + dv * dv;
        const Int nearer = d < nearest[t];
        const Float beaten = nearer ? nearest[t] : d;
        second[t] = beaten < second[t] ? beaten : second[t];
        nearest[t] = nearer ? d : nearest[t];
        index[t] = nearer ? Int{} + static_cast<std::int32_t>(j) : index[t];
      }
    }
    for (int t = 0; t < together; ++t) {
      std::memcpy(result.nearest + i + t * Lanes, &nearest[t], sizeof(Float));
      std::memcpy(result.second + i + t * Lanes, &second[t], sizeof(Float));
      std::memcpy(result.index + i + t * Lanes, &index[t], sizeof(Int));
    }
  }
}

void nearest_4(const PlanePoints& a, const PlanePoints& b, NearestInPlane& result) { nearest_body<4>(a, b, result); }

#if defined(__x86_64__)
[[gnu::target("avx2")]] void nearest_8(const PlanePoints& a, const PlanePoints& b, NearestInPlane& result) {
  nearest_body<8>(a, b, result);
}

[[gnu::target("avx512f")]] void nearest_16(const PlanePoints& a, const PlanePoints& b, NearestInPlane& result) {
  nearest_body<16>(a, b, result);
}
#endif

using Kernel = void (*)(const PlanePoints&, const PlanePoints&, NearestInPlane&);

/// nullptr if this processor has no vectors of that many lanes.
Kernel kernel_with(int lanes) {
#if defined(__x86_64__)
  if (lanes == 16) {
    return __builtin_cpu_supports("avx512f") ? nearest_16 : nullptr;
  }
  if (lanes == 8) {
    return __builtin_cpu_supports("avx2") ? nearest_8 : nullptr;
  }
#endif
  return lanes == 4 ? nearest_4 : nullptr;
}

Kernel best_kernel() {
  for (const int lanes : {16, 8}) {
    if (Kernel kernel = kernel_with(lanes)) {
      return kernel;
    }
  }
  return nearest_4;
}

}  // namespace

void nearest_projection(const PlanePoints& a, const PlanePoints& b, NearestInPlane& result) {
  static const Kernel kernel = best_kernel();
  kernel(a, b, result);
}

bool nearest_projection_with(int lanes, const PlanePoints& a, const PlanePoints& b, NearestInPlane& result) {
  const Kernel kernel = kernel_with(lanes);
  if (kernel != nullptr) {
    kernel(a, b, result);
  }
  return kernel != nullptr;
}

}  // namespace burnish::glr
