#include "io/detect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "io/line_reader.hpp"
#include "io/parse_number.hpp"

namespace burnish::io {
namespace {

using namespace std::string_view_literals;

constexpr auto own_starts = std::to_array<std::pair<std::string_view, Format>>({
    {"LASF"sv, Format::las},
    {"# .PCD"sv, Format::pcd},
    {"\x93NUMPY"sv, Format::npy},
    {"PK\x03\x04"sv, Format::npz},
    {"ASTM-E57"sv, Format::e57},
});

constexpr auto foreign_starts = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"glTF"sv, "a glTF file"sv},
    {"\x89HDF"sv, "an HDF5 file"sv},
    {"\x1F\x8B"sv, "compressed by gzip"sv},
    {"\x28\xB5\x2F\xFD"sv, "compressed by zstd"sv},
    {"\xFE\xFF"sv, "UTF-16 text"sv},
    {"\xFF\xFE"sv, "UTF-16 text"sv},
});

[[noreturn]] void refuse(const BlockReader& file, std::string_view what) {
  file.fail(fmt::format(
      "is {}; burnish reads PLY, PCD, LAS, LAZ, E57, NPY, NPZ, OBJ, OFF, STL, PTS, PTX, KITTI and text (XYZ, "
      "CSV) files",
      what));
}

/// Takes the next line that holds something other than a comment off the front; empty at the end.
std::string_view next_content_line(std::string_view& head) {
  while (!head.empty()) {
    const std::size_t end = std::min(head.find_first_of("\r\n"), head.size());
    const std::string_view line = trimmed(head.substr(0, end));
    head.remove_prefix(std::min(end + 1, head.size()));
    if (!line.empty() && !line.starts_with('#')) {
      return line;
    }
  }
  return {};
}

bool is_count(std::string_view line) {
  std::int64_t count = 0;
  return !line.empty() && parse_integer(line, count) && count >= 0;
}

bool is_number(std::string_view word) {
  double number = 0;
  return parse_number(word, number);
}

/// The format of a file that is text, by its first line that is no comment and, where need be, what follows.
std::optional<Format> text_format(std::string_view line, std::string_view rest, std::string_view ending) {
  const std::string_view whole = line;
  const std::string_view word = next_word(line);
  const std::string_view second = next_word(line);
  const bool starts_with_number = is_number(word.substr(0, word.find_first_of(",;")));
  if (word == "VERSION" || word == "FIELDS" || word == "COLUMNS") {
    return Format::pcd;
  }
  if (word == "solid" || (ending == ".stl" && !starts_with_number)) {
    return Format::stl;
  }
  constexpr std::array<std::string_view, 5> obj_words = {"v", "vn", "vt", "mtllib", "usemtl"};
  if ((std::ranges::find(obj_words, word) != obj_words.end() && (!word.starts_with('v') || is_number(second))) ||
      (ending == ".obj" && !starts_with_number)) {
    return Format::obj;
  }
  if (ending == ".off" && is_count(word) && is_count(second) && (line.empty() || is_count(trimmed(line)))) {
    return Format::off;  // without the keyword
  }
  if (word.starts_with('{') || word.starts_with('<')) {
    return std::nullopt;
  }
  if (is_count(whole) && is_count(next_content_line(rest))) {
    return Format::ptx;
  }
  return is_count(whole) && ending == ".pts" ? Format::pts : Format::text;
}

bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' && !is_blank(c) && c != '\n'; }

/// Binary STL has no mark of its own but its size, which the number of triangles gives.
bool has_size_of_stl(const BlockReader& file, std::string_view head, std::string_view ending) {
  std::uint32_t triangles = 0;
  if (head.size() < 84) {
    return false;
  }
  std::memcpy(&triangles, head.data() + 80, sizeof triangles);
  return (triangles > 0 || ending == ".stl") && file.size() == 84 + std::uint64_t{50} * triangles;
}

/// Scans of the KITTI data set have no mark at all: floats that could be metres, or NaN, must do.
bool looks_like_kitti(std::string_view head, std::string_view ending) {
  if (ending != ".bin" || head.size() < 16 ||
      std::ranges::all_of(head, [](char c) { return (c >= ' ' && c <= '~') || is_blank(c) || c == '\n'; })) {
    return false;
  }
  for (std::size_t at = 0; at + 4 <= head.size(); at += 4) {
    float value = 0;
    std::memcpy(&value, head.data() + at, sizeof value);
    if (std::abs(value) >= 1e6F) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool is_off_keyword(std::string_view word) {
  for (const std::string_view letters : {"ST"sv, "C"sv, "N"sv, "4"sv, "n"sv}) {
    if (word.starts_with(letters)) {
      word.remove_prefix(letters.size());
    }
  }
  return word.starts_with("OFF") && (word.size() == 3 || (word[3] >= '0' && word[3] <= '9'));
}

Format detect_format(BlockReader& file, std::string_view ending) {
  constexpr std::size_t enough = 4096;
  std::string_view head = file.fill(enough);
  for (const auto& [start, format] : own_starts) {
    if (head.starts_with(start)) {
      return format;
    }
  }
  for (const auto& [start, name] : foreign_starts) {
    if (head.starts_with(start)) {
      refuse(file, name);
    }
  }
  if (head.starts_with(byte_order_mark)) {
    head.remove_prefix(byte_order_mark.size());
  }
  if (head.starts_with("ply") && (head.size() == 3 || is_blank(head[3]) || head[3] == '\n')) {
    return Format::ply;
  }
  if (has_size_of_stl(file, head, ending)) {
    return Format::stl;
  }
  std::string_view rest = head;
  const std::string_view line = next_content_line(rest);
  std::string_view words = line;
  const std::string_view word = next_word(words);
  if (is_off_keyword(word)) {
    return Format::off;
  }
  if (word == "VERSION" || word == "FIELDS") {
    return Format::pcd;  // binary content may follow
  }
  if (looks_like_kitti(head, ending)) {
    return Format::kitti;
  }
  if (const auto odd = std::ranges::find_if(head, is_control); odd != head.end()) {
    if (ending == ".stl") {
      return Format::stl;
    }
    refuse(file, fmt::format("binary (byte {} is {:#04x}) and of no known kind", odd - head.begin(),
                             static_cast<unsigned char>(*odd)));
  }
  const std::optional<Format> format = text_format(line, rest, ending);
  if (!format) {
    refuse(file, line.starts_with('{') ? "a JSON file" : "an XML file");
  }
  return *format;
}

}  // namespace burnish::io
