#pragma once

#include <fmt/format.h>

#include <string_view>

#include "io/line_reader.hpp"
#include "io/parse_number.hpp"

namespace burnish::io {

/// Takes the next word off the front of a line, as a number. Throws Error if there is none, or it is no number that T
/// can hold; `what` names what was expected: "a coordinate".
template <class T = double>
[[nodiscard]] T parse_word(const LineReader& lines, std::string_view& line, std::string_view what) {
  const std::string_view word = next_word(line);
  T value{};
  if (!parse_number(word, value)) {
    lines.fail(word.empty() ? fmt::format("the line ends before {}", what)
                            : fmt::format("found {}, expected {}", excerpt(word), what));
  }
  return value;
}

}  // namespace burnish::io
