#include "burnish/execution.hpp"

#include <tbb/global_control.h>

#include <new>

namespace burnish {

bool end_idle_threads() noexcept {
  tbb::task_scheduler_handle scheduler{tbb::attach{}};
  return tbb::finalize(scheduler, std::nothrow);
}

}  // namespace burnish
