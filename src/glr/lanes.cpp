#include "glr/lanes.hpp"

#include <atomic>

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

std::atomic<Lanes>& chosen() {
  static std::atomic<Lanes> lanes = has(Lanes::sixteen) ? Lanes::sixteen
                                    : has(Lanes::eight) ? Lanes::eight
                                                        : Lanes::four;
  return lanes;
}

}  // namespace

Lanes lanes_in_use() { return chosen().load(std::memory_order_relaxed); }

bool use_lanes(Lanes lanes) {
  if (has(lanes)) {
    chosen().store(lanes);
  }
  return has(lanes);
}

}  // namespace burnish::glr
