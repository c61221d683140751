#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace burnish {

/// The kind of an error, for programs that react to it; the message is for people.
enum class ErrorKind : std::uint8_t {
  bad_input,          ///< a file or value that is damaged or invalid
  wrong_option,       ///< a method, option or setting that does not exist or is out of range
  not_found,          ///< a file or folder that does not exist
  permission_denied,  ///< a file that may not be read or written
  is_directory,       ///< a folder where a file was expected
  system_failure,     ///< a failed system call: disk full, device removed
};

/// The kind of an error number of the operating system, such as ENOENT.
[[nodiscard]] ErrorKind error_kind(int error_number) noexcept;

/// An error whose message is one line: it names the file and the line or byte, what was found, what was expected, and
/// what to do.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message, ErrorKind kind = ErrorKind::bad_input)
      : std::runtime_error(message), kind_(kind) {}

  [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }

 private:
  ErrorKind kind_;
};

/// Thrown by a running function after ExecutionContext::cancel(). Nothing has been changed or written.
class Cancelled : public std::runtime_error {
 public:
  Cancelled() : std::runtime_error("cancelled") {}
};

}  // namespace burnish
