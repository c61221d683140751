#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace burnish::io {

/// A value on a line of a text file. In quotes, it is text even if it looks like a number.
struct Token {
  std::string_view text;
  bool is_quoted = false;

  /// The text with doubled quotes made single.
  [[nodiscard]] std::string unquoted() const;
};

/// A text file with more columns is none of points: a long line must not become as many columns as it has blanks.
inline constexpr std::size_t most_text_columns = 65536;

/// Splits a line at a separator; a blank stands for any run of blanks and tabs. Blanks around a value do not belong to
/// it. A separator at the very end makes a last, empty value, as an empty field of a CSV file does. Of a line with more
/// than `most_text_columns` values it returns one more than that.
void split_line(std::string_view line, char separator, std::vector<Token>& tokens);

/// True if the token is a number, and which. A comma is a decimal point where values are separated by semicolons.
[[nodiscard]] bool parse_real(const Token& token, char separator, double& value);

/// The text as split_line finds it again: in quotes.
[[nodiscard]] std::string quote_value(std::string_view text);

}  // namespace burnish::io
