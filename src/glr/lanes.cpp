#include "glr/lanes.hpp"

namespace burnish::glr {
namespace {

bool has(Lanes lanes) {
#if defined(__x86_64__)
  if (lanes == Lanes::sixteen) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq");
  }
  if (lanes == Lanes::eight) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  }
#endif
  return lanes == Lanes::four;
}

}  // namespace

constinit std::atomic<Lanes> detail::lanes{Lanes::four};

bool use_lanes(Lanes lanes) {
  if (has(lanes)) {
    detail::lanes.store(lanes);
  }
  return has(lanes);
}

namespace {
/// When the program or library is loaded.
[[maybe_unused]] const bool widest_chosen = use_lanes(Lanes::sixteen) || use_lanes(Lanes::eight);
}  // namespace

}  // namespace burnish::glr
