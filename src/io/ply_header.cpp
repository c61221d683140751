#include "io/ply_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "io/parse_number.hpp"
#include "io/scalar.hpp"

namespace burnish::io {
namespace {

constexpr std::size_t longest_header_line = std::size_t{1} << 20;

// The old names come first: they are the ones written. There are no old names for 64-bit integers.
constexpr std::array<std::pair<std::string_view, ScalarType>, 18> type_names = {{
    {"char", ScalarType::int8},
    {"uchar", ScalarType::uint8},
    {"short", ScalarType::int16},
    {"ushort", ScalarType::uint16},
    {"int", ScalarType::int32},
    {"uint", ScalarType::uint32},
    {"int64", ScalarType::int64},
    {"uint64", ScalarType::uint64},
    {"float", ScalarType::float32},
    {"double", ScalarType::float64},
    {"int8", ScalarType::int8},
    {"uint8", ScalarType::uint8},
    {"int16", ScalarType::int16},
    {"uint16", ScalarType::uint16},
    {"int32", ScalarType::int32},
    {"uint32", ScalarType::uint32},
    {"float32", ScalarType::float32},
    {"float64", ScalarType::float64},
}};

ScalarType parse_type(const LineReader& lines, std::string_view word) {
  const auto* const found = std::ranges::find(type_names, word, &std::pair<std::string_view, ScalarType>::first);
  if (found == type_names.end()) {
    lines.fail(fmt::format("found {}, expected the type of a property such as float or uchar", excerpt(word)));
  }
  return found->second;
}

std::string parse_name(const LineReader& lines, std::string_view word, std::string_view what) {
  if (word.empty()) {
    lines.fail(fmt::format("the name of the {} is missing", what));
  }
  return std::string(word);
}

PlyEncoding parse_encoding(const LineReader& lines, std::string_view rest) {
  const std::string_view name = next_word(rest);
  const std::string_view version = next_word(rest);
  if (version != "1.0") {
    lines.fail(fmt::format("found format version {}, expected 1.0", excerpt(version)));
  }
  if (name == "ascii") {
    return PlyEncoding::ascii;
  }
  if (name == "binary_little_endian") {
    return PlyEncoding::little_endian;
  }
  if (name == "binary_big_endian") {
    return PlyEncoding::big_endian;
  }
  lines.fail(fmt::format("found format {}, expected ascii, binary_little_endian or binary_big_endian", excerpt(name)));
}

PlyElement parse_element(const LineReader& lines, std::string_view rest) {
  PlyElement element;
  element.name = parse_name(lines, next_word(rest), "element");
  const std::string_view rows = next_word(rest);
  if (!parse_number(rows, element.rows)) {
    lines.fail(
        fmt::format("found {}, expected the number of rows of element {}", excerpt(rows), excerpt(element.name)));
  }
  return element;
}

PlyProperty parse_property(const LineReader& lines, std::string_view rest) {
  PlyProperty property;
  std::string_view word = next_word(rest);
  if (word == "list") {
    property.is_list = true;
    property.list_size_type = parse_type(lines, next_word(rest));
    if (is_float(property.list_size_type)) {
      lines.fail("the length of a list has a float type, expected an integer type");
    }
    word = next_word(rest);
  }
  property.type = parse_type(lines, word);
  property.name = parse_name(lines, next_word(rest), "property");
  return property;
}

}  // namespace

PlyHeader read_ply_header(LineReader& lines) {
  PlyHeader header;
  bool has_format = false;
  std::set<std::string> elements;
  std::set<std::string> properties;
  std::string_view line;
  for (bool first = true; lines.next(line, longest_header_line); first = false) {
    const std::string_view whole = line;
    const std::string_view keyword = next_word(line);
    if (first) {
      if (keyword != "ply") {
        lines.fail(fmt::format("found {}, expected ply", excerpt(whole)));
      }
    } else if (keyword == "format") {
      header.encoding = parse_encoding(lines, line);
      has_format = true;
    } else if (keyword == "comment") {
      header.comments.emplace_back(line.substr(line.empty() ? 0 : 1));
    } else if (keyword == ply_info) {
      header.comments.push_back(std::string(ply_info) + std::string(line));
    } else if (keyword == "element") {
      header.elements.push_back(parse_element(lines, line));
      properties.clear();
      if (!elements.insert(header.elements.back().name).second) {
        lines.fail(fmt::format("there are two elements {}", excerpt(header.elements.back().name)));
      }
    } else if (keyword == "property") {
      if (header.elements.empty()) {
        lines.fail("found a property before the first element");
      }
      PlyElement& element = header.elements.back();
      element.properties.push_back(parse_property(lines, line));
      if (!properties.insert(element.properties.back().name).second) {
        lines.fail(fmt::format("element {} has two properties {}", excerpt(element.name),
                               excerpt(element.properties.back().name)));
      }
    } else if (keyword == "end_header") {
      if (!has_format) {
        lines.fail("the header ends without a format line");
      }
      return header;
    } else if (!keyword.empty()) {
      lines.fail(fmt::format("found {}, expected format, comment, element, property or end_header", excerpt(whole)));
    }
  }
  lines.fail("the file ends inside its header, expected end_header");
}

std::string_view ply_type_name(ScalarType type) {
  return std::ranges::find(type_names, type, &std::pair<std::string_view, ScalarType>::second)->first;
}

}  // namespace burnish::io
