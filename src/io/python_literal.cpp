#include "io/python_literal.hpp"

#include <array>
#include <system_error>
#include <utility>

#include "core/from_chars.hpp"

namespace burnish::io {
namespace {

constexpr int deepest = 8;  // no header of points nests further, and none may exhaust the stack

void skip_blanks(std::string_view& text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  text.remove_prefix(begin == text.npos ? text.size() : begin);
}

bool take(std::string_view& text, std::string_view start) {
  skip_blanks(text);
  if (!text.starts_with(start)) {
    return false;
  }
  text.remove_prefix(start.size());
  return true;
}

bool parse(std::string_view& text, PythonLiteral& value, int depth);

/// Items up to the closing sign, separated by commas, of which one may follow the last item.
bool parse_items(std::string_view& text, std::string_view closing, PythonLiteral& value, int depth) {
  bool may_go_on = true;
  while (!take(text, closing)) {
    value.items.emplace_back();
    if (!may_go_on || !parse(text, value.items.back(), depth)) {
      return false;
    }
    if (value.kind == PythonLiteral::Kind::dictionary) {
      value.items.emplace_back();
      if (!take(text, ":") || !parse(text, value.items.back(), depth)) {
        return false;
      }
    }
    may_go_on = take(text, ",");
  }
  return true;
}

bool parse_text(std::string_view& text, char quote, PythonLiteral& value) {
  value.kind = PythonLiteral::Kind::text;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == quote) {
      text.remove_prefix(i + 1);
      return true;
    }
    i += text[i] == '\\' && i + 1 < text.size() ? 1 : 0;
    value.text += text[i];
  }
  return false;
}

bool parse(std::string_view& text, PythonLiteral& value, int depth) {
  using Kind = PythonLiteral::Kind;
  struct Bracket {
    std::string_view opening;
    std::string_view closing;
    Kind kind;
  };
  constexpr std::array<Bracket, 3> brackets = {
      {{"(", ")", Kind::tuple}, {"[", "]", Kind::list}, {"{", "}", Kind::dictionary}}};
  if (depth > deepest) {
    return false;
  }
  for (const Bracket& bracket : brackets) {
    if (take(text, bracket.opening)) {
      value.kind = bracket.kind;
      return parse_items(text, bracket.closing, value, depth + 1);
    }
  }
  static_cast<void>(take(text, "u"));  // as Python 2 spells text
  for (const std::string_view quote : {"'", "\""}) {
    if (take(text, quote)) {
      return parse_text(text, quote.front(), value);
    }
  }
  for (const std::string_view word : {"False", "True"}) {
    if (take(text, word)) {
      value.kind = Kind::boolean;
      value.number = word == "True" ? 1 : 0;
      return true;
    }
  }
  skip_blanks(text);
  const auto [end, failure] = from_chars(text.data(), text.data() + text.size(), value.number);
  if (failure != std::errc()) {
    return false;
  }
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  static_cast<void>(take(text, "L"));  // as Python 2 spells large numbers
  return true;
}

}  // namespace

const PythonLiteral* PythonLiteral::find(std::string_view key) const {
  for (std::size_t i = 0; kind == Kind::dictionary && i + 1 < items.size(); i += 2) {
    if (items[i].kind == Kind::text && items[i].text == key) {
      return &items[i + 1];
    }
  }
  return nullptr;
}

std::optional<PythonLiteral> parse_python_literal(std::string_view text) {
  PythonLiteral value;
  if (!parse(text, value, 0)) {
    return std::nullopt;
  }
  skip_blanks(text);
  return text.empty() ? std::optional(std::move(value)) : std::nullopt;
}

}  // namespace burnish::io
