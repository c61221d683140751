#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "burnish/execution.hpp"

namespace burnish::io {

/// The file that is written for `path`: the target of a link, in an existing folder. Throws Error otherwise.
[[nodiscard]] std::filesystem::path file_to_write(const std::filesystem::path& path);

/// Writes a file through a buffer, reporting progress and checking for cancellation at each block. The bytes go to a
/// temporary file in the same folder, which is renamed in finish(); without finish(), for instance after an exception,
/// it is removed.
class BlockWriter {
 public:
  /// Throws Error if the folder does not exist or cannot be written to.
  BlockWriter(const std::filesystem::path& path, const ExecutionContext& context);

  /// Writes to a stream in finish(), everything or nothing; the name is for messages.
  BlockWriter(std::ostream& stream, const std::filesystem::path& name, const ExecutionContext& context);
  ~BlockWriter();
  BlockWriter(const BlockWriter&) = delete;
  BlockWriter& operator=(const BlockWriter&) = delete;

  /// Recommended number of bytes per write.
  static constexpr std::size_t block_size = std::size_t{256} << 10;

  /// Space for the next `count` bytes; they count as written after take().
  [[nodiscard]] char* room(std::size_t count) {
    if (buffer_.size() - used_ < count) {
      make_room(count);
    }
    return buffer_.data() + used_;
  }
  void take(std::size_t count) { used_ += count; }

  void append(std::string_view bytes);

  /// Bytes written so far.
  [[nodiscard]] std::uint64_t offset() const { return flushed_ + used_; }

  [[nodiscard]] const ExecutionContext& context() const { return context_; }

  /// Replaces bytes at the start of the file, which must be at least as long.
  void overwrite_start(std::string_view bytes);

  /// For progress reports: the number of rows, and that some of them are done.
  void expect_rows(std::size_t count) { rows_expected_ = count; }
  void rows_done(std::size_t count) { rows_done_ += count; }

  /// Renames the finished file to its final name.
  void finish();

  /// Throws Error "<file>: <message>".
  [[noreturn]] void fail(std::string_view message, ErrorKind kind = ErrorKind::bad_input) const;

 private:
  void flush();
  void make_room(std::size_t count);

  std::filesystem::path path_;
  std::filesystem::path target_;
  std::filesystem::path temporary_;
  const ExecutionContext& context_;
  std::ostream* stream_ = nullptr;
  std::vector<char> for_stream_;
  int file_ = -1;
  std::vector<char> buffer_;
  std::size_t used_ = 0;
  std::uint64_t flushed_ = 0;
  std::size_t rows_expected_ = 0;
  std::size_t rows_done_ = 0;
};

}  // namespace burnish::io
