#include "glr/correspond.hpp"

#include <atomic>
#include <cstring>
#include <limits>

namespace burnish::glr {
namespace {

template <std::size_t Lanes>
struct Vector {
  using Float [[gnu::vector_size(Lanes * sizeof(float))]] = float;
  using Int [[gnu::vector_size(Lanes * sizeof(std::int32_t))]] = std::int32_t;
};

// The bodies are inlined into functions that are compiled for one instruction set each. Loops run over whole vectors;
// what is behind the last point is computed and not used.

template <std::size_t Lanes>
[[gnu::always_inline]] inline void project_body(const LocalPatch& patch, const Eigen::Matrix3d& axes,
                                                ProjectedPatch& result) {
  result.count = patch.count;
  double a[9];
  std::memcpy(a, axes.data(), sizeof a);
  for (std::size_t begin = 0; begin < patch.count; begin += Lanes) {
    for (std::size_t i = begin; i < begin + Lanes; ++i) {
      const double u = patch.x[i] * a[0] + patch.y[i] * a[1] + patch.z[i] * a[2];
      const double v = patch.x[i] * a[3] + patch.y[i] * a[4] + patch.z[i] * a[5];
      result.u[i] = u;
      result.v[i] = v;
      result.height[i] = patch.x[i] * a[6] + patch.y[i] * a[7] + patch.z[i] * a[8];
      result.u_single[i] = static_cast<float>(u);
      result.v_single[i] = static_cast<float>(v);
    }
  }
}

/// Points of `a` lie across the lanes, two vectors at a time to hide latency; points of `b` are gone through one by
/// one.
template <std::size_t Lanes>
[[gnu::always_inline]] inline void find_nearest_body(const ProjectedPatch& a, const ProjectedPatch& b, double radius,
                                                     float far, Nearest& result) {
  using Float = typename Vector<Lanes>::Float;
  using Int = typename Vector<Lanes>::Int;
  // A coordinate is rounded by at most 2⁻²⁴ of the radius R, so that a squared distance d² is off by less than
  // 10⁻⁶·R·d. Two of them are apart beyond doubt if they differ by more than 4·10⁻⁶·R·d.
  const auto doubt = static_cast<float>(16e-12 * radius * radius);
  constexpr std::size_t together = 2;
  Int any_doubtful{};
  Float farthest{};
  for (std::size_t i = 0; i < a.count; i += together * Lanes) {
    Float u[together], v[together], nearest[together], second[together];
    Int index[together];
    for (std::size_t t = 0; t < together; ++t) {
      std::memcpy(&u[t], a.u_single + i + t * Lanes, sizeof(Float));
      std::memcpy(&v[t], a.v_single + i + t * Lanes, sizeof(Float));
      nearest[t] = Float{} + std::numeric_limits<float>::infinity();
      second[t] = nearest[t];
      index[t] = Int{};
    }
    for (std::size_t j = 0; j < b.count; ++j) {
      for (std::size_t t = 0; t < together; ++t) {
        const Float du = u[t] - b.u_single[j];
        const Float dv = v[t] - b.v_single[j];
        const Float d = du * du + dv * dv;
        const Int nearer = d < nearest[t];
        const Float beaten = nearer ? nearest[t] : d;
        second[t] = beaten < second[t] ? beaten : second[t];
        nearest[t] = nearer ? d : nearest[t];
        index[t] = nearer ? Int{} + static_cast<std::int32_t>(j) : index[t];
      }
    }
    for (std::size_t t = 0; t < together; ++t) {
      const Float gap = second[t] - nearest[t];
      const Int doubtful = gap * gap <= second[t] * doubt;
      any_doubtful |= doubtful;
      farthest = farthest < nearest[t] ? nearest[t] : farthest;
      std::memcpy(result.index + i + t * Lanes, &index[t], sizeof(Int));
      std::memcpy(result.squared_distance + i + t * Lanes, &nearest[t], sizeof(Float));
      std::memcpy(result.doubtful + i + t * Lanes, &doubtful, sizeof(Int));
    }
  }
  const Int is_far = farthest > far;
  result.any_doubtful = false;
  result.any_far = false;
  for (std::size_t lane = 0; lane < Lanes; ++lane) {
    result.any_doubtful |= any_doubtful[lane] != 0;
    result.any_far |= is_far[lane] != 0;
  }
}

struct Kernels {
  void (*project)(const LocalPatch&, const Eigen::Matrix3d&, ProjectedPatch&);
  void (*find_nearest)(const ProjectedPatch&, const ProjectedPatch&, double, float, Nearest&);
};

#define BURNISH_KERNELS(lanes, ...)                                                                                 \
  __VA_ARGS__ void project_##lanes(const LocalPatch& patch, const Eigen::Matrix3d& axes, ProjectedPatch& result) {  \
    project_body<lanes>(patch, axes, result);                                                                       \
  }                                                                                                                 \
  __VA_ARGS__ void find_nearest_##lanes(const ProjectedPatch& a, const ProjectedPatch& b, double radius, float far, \
                                        Nearest& result) {                                                          \
    find_nearest_body<lanes>(a, b, radius, far, result);                                                            \
  }                                                                                                                 \
  constexpr Kernels kernels_##lanes = {project_##lanes, find_nearest_##lanes};

BURNISH_KERNELS(4)
#if defined(__x86_64__)
BURNISH_KERNELS(8, [[gnu::target("avx2")]])
BURNISH_KERNELS(16, [[gnu::target("avx512f,avx512vl,avx512dq")]])
#endif

/// nullptr if this processor has no vectors of that many lanes.
const Kernels* kernels_with(int lanes) {
#if defined(__x86_64__)
  if (lanes == 16) {
    const bool has =
        __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
    return has ? &kernels_16 : nullptr;
  }
  if (lanes == 8) {
    return __builtin_cpu_supports("avx2") ? &kernels_8 : nullptr;
  }
#endif
  return lanes == 4 ? &kernels_4 : nullptr;
}

const Kernels* widest_kernels() {
  for (const int lanes : {16, 8}) {
    if (const Kernels* kernels = kernels_with(lanes)) {
      return kernels;
    }
  }
  return &kernels_4;
}

std::atomic<const Kernels*>& chosen_kernels() {
  static std::atomic<const Kernels*> kernels = widest_kernels();
  return kernels;
}

}  // namespace

void project(const LocalPatch& patch, const Eigen::Matrix3d& axes, ProjectedPatch& result) {
  chosen_kernels().load(std::memory_order_relaxed)->project(patch, axes, result);
}

void find_nearest(const ProjectedPatch& a, const ProjectedPatch& b, double radius, float far, Nearest& result) {
  chosen_kernels().load(std::memory_order_relaxed)->find_nearest(a, b, radius, far, result);
}

bool use_lanes(int lanes) {
  const Kernels* kernels = kernels_with(lanes);
  if (kernels != nullptr) {
    chosen_kernels().store(kernels);
  }
  return kernels != nullptr;
}

}  // namespace burnish::glr
