#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace burnish {

/// What kind of thing went wrong, for programs that react to it; the message is for people.
enum class ErrorKind : std::uint8_t {
  bad_input,          ///< a file or a value that is not what it should be
  wrong_option,       ///< a method, option or setting that does not exist or makes no sense
  not_found,          ///< a file or folder that is not there
  permission_denied,  ///< a file that may not be read or written
  is_directory,       ///< a folder where a file was expected
  system_failure,     ///< the operating system could not do it: disk full, device gone
};

/// The kind of an error number of the operating system, such as ENOENT.
[[nodiscard]] ErrorKind error_kind(int error_number) noexcept;

/// What went wrong with the input, in one line that says what to do: it names the file and the line or byte,
/// what was found and what was expected.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message, ErrorKind kind = ErrorKind::bad_input)
      : std::runtime_error(message), kind_(kind) {}

  [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }

 private:
  ErrorKind kind_;
};

/// Thrown out of a running function after ExecutionContext::cancel(). Nothing has been changed or written.
class Cancelled : public std::runtime_error {
 public:
  Cancelled() : std::runtime_error("cancelled") {}
};

}  // namespace burnish
