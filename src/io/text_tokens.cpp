#include "io/text_tokens.hpp"

#include <algorithm>
#include <array>

#include "io/line_reader.hpp"
#include "io/parse_number.hpp"

namespace burnish::io {
namespace {

/// Where the value that starts with a quote ends: at the next quote that is not doubled, or at the end of the line.
std::size_t closing_quote(std::string_view line) {
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (line[i] == '"') {
      if (i + 1 == line.size() || line[i + 1] != '"') {
        return i;
      }
      ++i;
    }
  }
  return line.npos;
}

}  // namespace

std::string Token::unquoted() const {
  std::string result(text);
  if (is_quoted) {
    for (std::size_t at = result.find("\"\""); at != result.npos; at = result.find("\"\"", at + 1)) {
      result.erase(at, 1);
    }
  }
  return result;
}

void split_line(std::string_view line, char separator, std::vector<Token>& tokens) {
  tokens.clear();
  line = trimmed(line);
  bool at_value = !line.empty();
  while (at_value) {
    const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
    line.remove_prefix(begin);
    Token token;
    std::size_t end = 0;
    if (line.starts_with('"')) {
      if (const std::size_t quote = closing_quote(line); quote != line.npos) {
        token = {line.substr(1, quote - 1), true};
        end = quote + 1;
      }
    }
    const std::size_t after_quote = end;
    if (separator == ' ') {
      while (end < line.size() && !is_blank(line[end])) {
        ++end;
      }
    } else {
      end = std::min(line.find(separator, end), line.size());
    }
    // What follows a closing quote belongs to a value that is not quoted after all.
    if (!token.is_quoted || !trimmed(line.substr(after_quote, end - after_quote)).empty()) {
      token = {trimmed(line.substr(0, end)), false};
    }
    tokens.push_back(token);
    at_value = separator == ' ' ? end < line.size() : end < line.size() && line[end] == separator;
    line.remove_prefix(separator == ' ' ? end : std::min(end + 1, line.size()));
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
