#include "io/text_tokens.hpp"

#include <algorithm>
#include <array>

#include "io/line_reader.hpp"
#include "io/parse_number.hpp"

namespace burnish::io {
namespace {

/// Where the value that starts with a quote ends: at the next quote that is not doubled; `end` if there is none.
const char* closing_quote(const char* begin, const char* end) {
  for (const char* c = begin + 1; c != end; ++c) {
    if (*c == '"') {
      if (c + 1 == end || c[1] != '"') {
        return c;
      }
      ++c;
    }
  }
  return end;
}

}  // namespace

std::string Token::unquoted() const {
  if (!is_quoted) {
    return std::string(text);
  }
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    result += text[i];
    i += text.substr(i, 2) == "\"\"" ? 1 : 0;  // a quote is doubled
  }
  return result;
}

void split_line(std::string_view line, char separator, std::vector<Token>& tokens) {
  tokens.clear();
  const auto ends_value = [separator](char c) { return separator == ' ' ? is_blank(c) : c == separator; };
  const std::string_view text = trimmed(line);
  const char* next = text.data();
  const char* const end = text.data() + text.size();
  for (bool more = next != end; more;) {
    while (next != end && is_blank(*next)) {
      ++next;
    }
    const char* const begin = next;
    const char* const quote = next != end && *next == '"' ? closing_quote(begin, end) : end;
    next = quote != end ? quote + 1 : begin;
    while (next != end && !ends_value(*next)) {
      ++next;
    }
    // What follows a closing quote belongs to a value that is not quoted after all.
    if (quote != end && trimmed({quote + 1, next}).empty()) {
      tokens.push_back({{begin + 1, quote}, true});
    } else {
      tokens.push_back({trimmed({begin, next}), false});
    }
    // The line is trimmed: a separator is never followed by blanks alone, unless it is a comma or semicolon itself.
    more = next != end && tokens.size() <= most_text_columns;
    next += more ? 1 : 0;
  }
}

bool parse_real(const Token& token, char separator, double& value) {
  if (separator != ';' || token.text.find(',') == token.text.npos) {
    return parse_number(token.text, value);
  }
  std::array<char, 64> spelled{};
  if (token.text.size() > spelled.size()) {
    return false;
  }
  char* const end = std::ranges::copy(token.text, spelled.begin()).out;
  std::replace(spelled.begin(), end, ',', '.');
  return parse_number(std::string_view(spelled.data(), end), value);
}

std::string quote_value(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    result += c;
    if (c == '"') {
      result += '"';
    }
  }
  return result + '"';
}

}  // namespace burnish::io
