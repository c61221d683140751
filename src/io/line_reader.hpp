#pragma once

#include <cstddef>
#include <string_view>

#include "io/block_reader.hpp"

namespace burnish::io {

inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// The lines of a text file, or of the text at the head of a binary one: it takes nothing beyond the line it returns.
/// Lines may end in LF, CR LF or (old) CR alone.
class LineReader {
 public:
  /// Starts at the next byte of the file; a UTF-8 byte order mark at its very start is skipped.
  explicit LineReader(BlockReader& file);

  /// For some lines of another reader's file, which end as its lines do.
  LineReader(BlockReader& lines, const LineReader& whole) : file_(lines), ending_(whole.ending_) {}

  /// No line may be longer than this: a file that is not text must not fill the memory with one "line".
  static constexpr std::size_t longest_line = std::size_t{64} << 20;

  /// The next line without its ending, valid until the next call; false at the end of the file. Throws Error if the
  /// line is longer than `limit`.
  bool next(std::string_view& line, std::size_t limit = longest_line);

  /// As many of the next lines as fit into `bytes` bytes, with their endings, valid until the next call. They are not
  /// taken yet. None before the first line, which shows how lines end.
  std::string_view next_lines(std::size_t bytes);

  /// Takes such lines.
  void skip_lines(std::string_view lines);

  /// How lines end, once the first is read: LF or CR.
  [[nodiscard]] char ending() const { return ending_; }

  /// Number of the line returned last, from 1.
  [[nodiscard]] std::size_t number() const { return number_; }

  [[nodiscard]] BlockReader& file() const { return file_; }

  /// Throws Error "<file>: line <number>: <message>".
  [[noreturn]] void fail(std::string_view message) const;

 private:
  /// Buffers the file up to one of these characters and a little beyond, or up to its end.
  std::string_view up_to(std::string_view any_of, std::size_t limit);

  BlockReader& file_;
  std::size_t number_ = 0;
  char ending_ = 0;
};

[[nodiscard]] constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

/// Takes the next word, separated by blanks, off the front of a line; empty if there is none.
[[nodiscard]] inline std::string_view next_word(std::string_view& line) {
  std::size_t begin = 0;
  while (begin < line.size() && is_blank(line[begin])) {
    ++begin;
  }
  std::size_t end = begin;
  while (end < line.size() && !is_blank(line[end])) {
    ++end;
  }
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

/// The text without blanks at both ends.
[[nodiscard]] inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) {
    text.remove_prefix(1);
  }
  while (!text.empty() && is_blank(text.back())) {
    text.remove_suffix(1);
  }
  return text;
}

}  // namespace burnish::io
