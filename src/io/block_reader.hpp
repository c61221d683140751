#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "burnish/execution.hpp"

namespace burnish::io {

/// Reads a file sequentially through a small buffer, reporting progress and checking for cancellation at each block.
/// All formats use it, so none has the whole file in memory.
class BlockReader {
 public:
  /// Throws Error if the file does not exist, cannot be read, is not a regular file or is empty.
  BlockReader(std::filesystem::path path, const ExecutionContext& context);

  /// Reads from memory, for instance a member of an archive, with a name for messages.
  BlockReader(std::filesystem::path name, std::vector<char> content, const ExecutionContext& context);
  ~BlockReader();
  BlockReader(const BlockReader&) = delete;
  BlockReader& operator=(const BlockReader&) = delete;

  /// Buffers at least `wanted` bytes, fewer only if the file ends before, and returns the whole buffer. Earlier return
  /// values become invalid. The caller limits `wanted`.
  std::string_view fill(std::size_t wanted);

  /// Removes bytes from the front of the buffer.
  void skip(std::size_t count) { begin_ += count; }

  /// Moves to a byte of the file, for instance back to its start.
  void seek(std::uint64_t offset);

  /// Position in the file of the first byte not removed yet.
  [[nodiscard]] std::uint64_t offset() const { return read_ - (end_ - begin_); }

  /// Remaining bytes, according to the size of the file: the limit for all counts in a header.
  [[nodiscard]] std::uint64_t remaining() const { return size_ > offset() ? size_ - offset() : 0; }

  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] const ExecutionContext& context() const { return context_; }

  /// Throws Error "<file>: <message>".
  [[noreturn]] void fail(std::string_view message, ErrorKind kind = ErrorKind::bad_input) const;

 private:
  std::filesystem::path path_;
  const ExecutionContext& context_;
  int file_ = -1;
  std::uint64_t size_ = 0;
  std::uint64_t read_ = 0;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

/// Part of a file's content for an error message: quoted, cut if long, on one line and printable.
[[nodiscard]] std::string excerpt(std::string_view content);

}  // namespace burnish::io
