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
  std::string_view buffered = file_.fill(1);
  if (buffered.empty()) {
    return false;
  }
  ++number_;
  std::size_t searched = 0;
  while (true) {
    // The first line decides how lines end.
    std::size_t end = ending_ != 0 ? buffered.find(ending_, searched) : buffered.find_first_of("\r\n", searched);
    const bool lonely_return = ending_ == 0 && end != buffered.npos && buffered[end] == '\r';
    if (end != buffered.npos && !(lonely_return && end + 1 == buffered.size())) {
      if (ending_ == 0) {
        ending_ = lonely_return && buffered[end + 1] != '\n' ? '\r' : '\n';
        end = buffered.find(ending_, end);
      }
      line = buffered.substr(0, end);
      file_.skip(end + 1);
      break;
    }
    if (std::min(end, buffered.size()) > limit) {
      fail(fmt::format("the line is longer than {} bytes", limit));
    }
    searched = end != buffered.npos ? end : buffered.size();
    const std::size_t before = buffered.size();
    buffered = file_.fill(std::min(2 * before, before + limit) + 1);
    if (buffered.size() == before) {
      line = buffered;
      file_.skip(before);
      break;
    }
  }
  if (line.size() > limit) {
    fail(fmt::format("the line is longer than {} bytes", limit));
  }
  if (line.ends_with('\r')) {
    line.remove_suffix(1);
  }
  return true;
}

void LineReader::fail(std::string_view message) const { file_.fail(fmt::format("line {}: {}", number_, message)); }

}  // namespace burnish::io
