#include "io/pcd_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "io/parse_number.hpp"
#include "io/scalar.hpp"

namespace burnish::io {
namespace {

constexpr std::size_t longest_header_line = std::size_t{1} << 20;
constexpr std::size_t most_values = std::size_t{1} << 20;  // of a field: far beyond any descriptor

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) {
    words.emplace_back(word);
  }
  return words;
}

std::uint64_t parse_count(const LineReader& lines, std::string_view word, std::string_view what) {
  std::uint64_t value = 0;
  if (!parse_number(word, value)) {
    lines.fail(fmt::format("found {}, expected {}", excerpt(word), what));
  }
  return value;
}

ScalarType parse_type(const LineReader& lines, const std::string& kind, const std::string& size) {
  static const std::map<std::string, ScalarType> types = {
      {"I1", ScalarType::int8},    {"U1", ScalarType::uint8},   {"I2", ScalarType::int16}, {"U2", ScalarType::uint16},
      {"I4", ScalarType::int32},   {"U4", ScalarType::uint32},  {"I8", ScalarType::int64}, {"U8", ScalarType::uint64},
      {"F4", ScalarType::float32}, {"F8", ScalarType::float64},
  };
  const auto found = types.find(kind + size);
  if (found == types.end()) {
    lines.fail(fmt::format("a field has TYPE {} and SIZE {}, expected F 4, F 8 or I or U 1, 2, 4, 8", excerpt(kind),
                           excerpt(size)));
  }
  return found->second;
}

/// The header's lines by keyword.
using Entries = std::map<std::string, std::vector<std::string>, std::less<>>;

std::vector<std::string> values_of(const LineReader& lines, const Entries& entries, std::string_view keyword,
                                   std::size_t count, std::string_view otherwise) {
  const auto found = entries.find(keyword);
  if (found == entries.end() && !otherwise.empty()) {
    return {count, std::string(otherwise)};
  }
  if (found == entries.end() || found->second.size() != count) {
    lines.fail(fmt::format("the header has {} values of {}, expected {}",
                           found == entries.end() ? 0 : found->second.size(), keyword, count));
  }
  return found->second;
}

void add_fields(const LineReader& lines, const Entries& entries, PcdHeader& header) {
  const auto names = entries.find("FIELDS");
  if (names == entries.end()) {
    lines.fail("the header has no line FIELDS");
  }
  const std::size_t count = names->second.size();
  // Files before version 0.6 may have floats only, and do not say so.
  const auto sizes = values_of(lines, entries, "SIZE", count, "4");
  const auto kinds = values_of(lines, entries, "TYPE", count, "F");
  const auto counts = values_of(lines, entries, "COUNT", count, "1");
  std::set<std::string> seen;
  for (std::size_t i = 0; i < count; ++i) {
    RecordField field;
    field.name = names->second[i];
    field.type = parse_type(lines, kinds[i], sizes[i]);
    field.offset = header.record_size;
    field.count = parse_count(lines, counts[i], "the COUNT of a field");
    if (field.count == 0 || field.count > most_values) {
      lines.fail(fmt::format("field {} has the COUNT {}", excerpt(field.name), field.count));
    }
    if (field.name != pcd_padding && !seen.insert(field.name).second) {
      lines.fail(fmt::format("there are two fields {}", excerpt(field.name)));
    }
    field.axis = axis_of(field, header.fields);
    header.record_size += field.size();
    header.fields.push_back(std::move(field));
  }
}

void add_size(const LineReader& lines, const Entries& entries, PcdHeader& header) {
  const bool has_points = entries.contains("POINTS");
  const bool has_width = entries.contains("WIDTH");
  if (!has_points && !has_width) {
    lines.fail("the header has neither a line POINTS nor a line WIDTH");
  }
  if (has_points) {
    header.points = parse_count(lines, values_of(lines, entries, "POINTS", 1, "").front(), "the number of points");
  }
  if (has_width) {
    header.width = parse_count(lines, values_of(lines, entries, "WIDTH", 1, "").front(), "the width of the cloud");
    header.height = parse_count(lines, values_of(lines, entries, "HEIGHT", 1, "1").front(), "the height of the cloud");
    const bool is_sound = header.height == 0 || header.width <= ~std::uint64_t{0} / header.height;
    const std::uint64_t product = is_sound ? header.width * header.height : 0;
    if (!is_sound || (has_points && header.points != product)) {
      lines.fail(fmt::format("the header declares {} points and {} times {} of them", header.points, header.width,
                             header.height));
    }
    header.points = product;
  }
}

void add_viewpoint(const LineReader& lines, const Entries& entries, PcdHeader& header) {
  if (!entries.contains(pcd_viewpoint)) {
    return;
  }
  const std::vector<std::string> words = values_of(lines, entries, pcd_viewpoint, 7, "");
  const std::vector<std::string> usual = words_of(pcd_usual_viewpoint);
  bool is_usual = true;
  for (std::size_t i = 0; i < words.size(); ++i) {
    double value = 0;
    double expected = 0;
    if (!parse_number(words[i], value) || !parse_number(usual[i], expected)) {
      lines.fail(fmt::format("found {}, expected a number of the viewpoint", excerpt(words[i])));
    }
    is_usual = is_usual && value == expected;
  }
  if (!is_usual) {
    header.comments.push_back(fmt::format("{} {}", pcd_viewpoint, fmt::join(words, " ")));
  }
}

PcdEncoding parse_encoding(const LineReader& lines, std::string_view word) {
  if (word == "ascii") {
    return PcdEncoding::ascii;
  }
  if (word == "binary") {
    return PcdEncoding::binary;
  }
  if (word == "binary_compressed") {
    return PcdEncoding::compressed;
  }
  lines.fail(fmt::format("found {}, expected ascii, binary or binary_compressed", excerpt(word)));
}

}  // namespace

PcdHeader read_pcd_header(LineReader& lines) {
  PcdHeader header;
  Entries entries;
  std::string_view line;
  while (lines.next(line, longest_header_line)) {
    line = trimmed(line);
    if (line.starts_with('#')) {
      const std::string_view comment = line.substr(line.starts_with("# ") ? 2 : 1);
      if (!trimmed(comment).starts_with(".PCD")) {
        header.comments.emplace_back(comment);
      }
      continue;
    }
    std::string keyword(next_word(line));
    if (keyword == "COLUMNS") {
      keyword = "FIELDS";  // its name before version 0.5
    }
    constexpr auto keywords = std::to_array<std::string_view>(
        {"VERSION", "FIELDS", "SIZE", "TYPE", "COUNT", "WIDTH", "HEIGHT", pcd_viewpoint, "POINTS", "DATA"});
    if (keyword.empty()) {
      continue;
    }
    if (std::ranges::find(keywords, keyword) == keywords.end()) {
      lines.fail(fmt::format("found {}, expected a keyword of a PCD header such as FIELDS or DATA", excerpt(keyword)));
    }
    if (keyword == "DATA") {
      header.encoding = parse_encoding(lines, next_word(line));
      add_fields(lines, entries, header);
      add_size(lines, entries, header);
      add_viewpoint(lines, entries, header);
      return header;
    }
    entries[keyword] = words_of(line);
  }
  lines.fail("the file ends inside its header, expected DATA");
}

}  // namespace burnish::io
