#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/text_tokens.hpp"

namespace burnish::io {

/// What the columns of a text file are.
struct TextLayout {
  char separator = ' ';
  std::vector<std::string> names;
  std::array<std::size_t, 3> axes = {0, 1, 2};  ///< the columns of x, y and z
};

/// The layout if the line names columns and x, y and z are among them, in upper or lower case.
[[nodiscard]] std::optional<TextLayout> layout_of_names(std::string_view line);

/// The layout if the line starts with three numbers: the first columns are x, y and z, the others are called column4,
/// column5, … because what they mean cannot be known.
[[nodiscard]] std::optional<TextLayout> layout_of_values(std::string_view line);

/// The separator that makes a line of values agree with the names above it, which may be separated in another way.
[[nodiscard]] std::optional<char> separator_for(const TextLayout& layout, std::string_view line);

/// The name of a column without one, counted from 0.
[[nodiscard]] std::string default_column_name(std::size_t column);

}  // namespace burnish::io
