#pragma once

#include <stdexcept>

namespace burnish {

/// What went wrong with the input, in one line that says what to do: it names the file and the line or byte,
/// what was found and what was expected.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Thrown out of a running function after ExecutionContext::cancel(). Nothing has been changed or written.
class Cancelled : public std::runtime_error {
 public:
  Cancelled() : std::runtime_error("cancelled") {}
};

}  // namespace burnish
