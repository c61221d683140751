#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <optional>

#include "burnish/execution.hpp"

// How a long function of the library runs when Python calls it.

namespace burnish::python {

/// Keywords that every long function has.
struct Running {
  int threads = 0;
  pybind11::object progress;  ///< None, or called with the name of the work and the part that is done
};

/// Runs work that touches nothing of Python on a thread of its own, so that others can have the interpreter. The
/// calling thread waits; it calls the progress callback and notices Ctrl-C. What either of them raises stops the work
/// and is raised here.
void run_without_python(const Running& running, const std::function<void(const ExecutionContext&)>& work);

/// The same for work with a result.
template <class Work>
[[nodiscard]] auto run(const Running& running, const Work& work) {
  std::optional<decltype(work(std::declval<const ExecutionContext&>()))> result;
  run_without_python(running, [&](const ExecutionContext& context) { result = work(context); });
  return std::move(*result);
}

/// Adds what os.register_at_fork is to call.
void add_fork_handlers(pybind11::module_& module);

}  // namespace burnish::python
