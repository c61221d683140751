#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "burnish/execution.hpp"
#include "json.hpp"

namespace burnish::cli {

/// What a stretch of work took. Peak memory is that of the process so far.
struct Cost {
  double seconds = 0.0;
  double cpu_seconds = 0.0;
  std::uint64_t peak_memory = 0;  ///< bytes
};

/// Time since it was made.
class CostMeter {
 public:
  CostMeter();
  [[nodiscard]] Cost cost() const;

 private:
  double wall_;
  double cpu_;
};

/// Does work in a process of its own and returns what it returned, so that its memory can be measured by itself and its
/// crash does not stop this one. Exceptions and crashes of the work are reported as Error; progress is shown as "label:
/// stage". Throws Cancelled, after the work has ended, if the context is cancelled meanwhile.
///
/// The process splits by fork: this one must not have started threads, so everything that does (on more threads than
/// one) is done in children.
[[nodiscard]] Json run_in_child(const std::string& label, ExecutionContext& context, const std::function<Json()>& work);

}  // namespace burnish::cli
