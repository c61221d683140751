#include "io/line_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace burnish::io {

LineReader::LineReader(BlockReader& file) : file_(file) {
  if (file.offset() == 0 && file.fill(byte_order_mark.size()).starts_with(byte_order_mark)) {
    file.skip(byte_order_mark.size());
  }
}

bool LineReader::next(std::string_view& line, std::size_t limit) {
  if (file_.fill(1).empty()) {
    return false;
  }
  ++number_;
  if (ending_ == 0) {
    // The first line decides: LF, perhaps after CR, unless something else follows its CR.
    const std::string_view start = up_to("\r\n", limit);
    const std::size_t after = start.find_first_not_of('\r', start.find_first_of("\r\n"));
    ending_ = after != start.npos && start[after] != '\n' ? '\r' : '\n';
  }
  const std::string_view buffered = up_to({&ending_, 1}, limit);
  const std::size_t end = buffered.find(ending_);
  line = buffered.substr(0, end);
  file_.skip(std::min(line.size() + 1, buffered.size()));
  while (line.ends_with('\r')) {
    line.remove_suffix(1);
  }
  return true;
}

std::string_view LineReader::next_lines(std::size_t bytes) {
  if (ending_ == 0) {
    return {};
  }
  const std::string_view buffered = file_.fill(bytes).substr(0, bytes);
  return buffered.substr(0, buffered.rfind(ending_) + 1);  // nothing if there is no ending: npos + 1 is 0
}

void LineReader::skip_lines(std::string_view lines) {
  number_ += static_cast<std::size_t>(std::ranges::count(lines, ending_));
  file_.skip(lines.size());
}

std::string_view LineReader::up_to(std::string_view any_of, std::size_t limit) {
  std::string_view buffered = file_.fill(1);
  std::size_t searched = 0;
  while (true) {
    // Searching for one character is much faster than for any of several.
    const std::size_t end =
        any_of.size() == 1 ? buffered.find(any_of.front(), searched) : buffered.find_first_of(any_of, searched);
    if (std::min(end, buffered.size()) > limit) {
      fail(fmt::format("the line is longer than {} bytes", limit));
    }
    // With some bytes after it, to see what follows a CR.
    constexpr std::size_t beyond = 16;
    if (end != buffered.npos && buffered.size() - end > beyond) {
      return buffered;
    }
    searched = std::min(end, buffered.size());
    const std::size_t before = buffered.size();
    buffered = file_.fill(std::min(2 * before, before + limit) + beyond);
    if (buffered.size() == before) {
      return buffered;
    }
  }
}

void LineReader::fail(std::string_view message) const { file_.fail(fmt::format("line {}: {}", number_, message)); }

}  // namespace burnish::io
