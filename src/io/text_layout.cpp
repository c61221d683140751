#include "io/text_layout.hpp"

#include <algorithm>

namespace burnish::io {
namespace {

// In the order of how sure they are: a semicolon hardly ever means anything else, a blank often does.
constexpr std::array<char, 3> separators = {';', ',', ' '};

/// A separator at the end of each line is no further column.
void drop_empty_last(std::vector<Token>& tokens) {
  if (!tokens.empty() && tokens.back().text.empty() && !tokens.back().is_quoted) {
    tokens.pop_back();
  }
}

bool is_axis_name(std::string_view name, std::size_t axis) {
  return name.size() == 1 && (name[0] == "xyz"[axis] || name[0] == "XYZ"[axis]);
}

}  // namespace

std::optional<TextLayout> layout_of_names(std::string_view line) {
  std::vector<Token> tokens;
  for (const char separator : separators) {
    split_line(line, separator, tokens);
    drop_empty_last(tokens);
    TextLayout layout;
    layout.separator = separator;
    bool complete = true;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto found =
          std::ranges::find_if(tokens, [&](const Token& token) { return is_axis_name(token.text, axis); });
      layout.axes[axis] = static_cast<std::size_t>(found - tokens.begin());
      complete = complete && found != tokens.end();
    }
    if (complete) {
      for (const Token& token : tokens) {
        layout.names.push_back(token.unquoted());
      }
      return layout;
    }
  }
  return std::nullopt;
}

std::optional<TextLayout> layout_of_values(std::string_view line) {
  std::vector<Token> tokens;
  for (const char separator : separators) {
    split_line(line, separator, tokens);
    drop_empty_last(tokens);
    double number = 0;
    if (tokens.size() >= 3 && std::all_of(tokens.begin(), tokens.begin() + 3,
                                          [&](const Token& token) { return parse_real(token, separator, number); })) {
      TextLayout layout;
      layout.separator = separator;
      for (std::size_t column = 0; column < tokens.size(); ++column) {
        layout.names.push_back(default_column_name(column));
      }
      return layout;
    }
  }
  return std::nullopt;
}

std::optional<char> separator_for(const TextLayout& layout, std::string_view line) {
  std::vector<Token> tokens;
  std::vector<char> candidates = {layout.separator};
  candidates.insert(candidates.end(), separators.begin(), separators.end());
  for (const char separator : candidates) {
    split_line(line, separator, tokens);
    if (tokens.size() == layout.names.size() + 1) {
      drop_empty_last(tokens);
    }
    double number = 0;
    if (tokens.size() == layout.names.size() && std::ranges::all_of(layout.axes, [&](std::size_t column) {
          return parse_real(tokens[column], separator, number);
        })) {
      return separator;
    }
  }
  return std::nullopt;
}

std::string default_column_name(std::size_t column) { return "column" + std::to_string(column + 1); }

}  // namespace burnish::io
