#include "io/detect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "io/line_reader.hpp"
#include "io/parse_number.hpp"

namespace burnish::io {
namespace {

using namespace std::string_view_literals;

constexpr std::array<std::pair<std::string_view, std::string_view>, 11> known_starts = {{
    {"LASF"sv, "a LAS or LAZ file"sv},
    {"ASTM-E57"sv, "an E57 file"sv},
    {"# .PCD"sv, "a PCD file"sv},
    {"glTF"sv, "a glTF file"sv},
    {"\x93NUMPY"sv, "a NumPy file"sv},
    {"\x89HDF"sv, "an HDF5 file"sv},
    {"PK\x03\x04"sv, "a ZIP archive"sv},
    {"\x1F\x8B"sv, "compressed by gzip"sv},
    {"\x28\xB5\x2F\xFD"sv, "compressed by zstd"sv},
    {"\xFE\xFF"sv, "UTF-16 text"sv},
    {"\xFF\xFE"sv, "UTF-16 text"sv},
}};

[[noreturn]] void refuse(const BlockReader& file, std::string_view what) {
  file.fail(fmt::format("is {}; burnish reads PLY, OFF and text (XYZ, CSV) files", what));
}

/// The first line that holds something other than a comment.
std::string_view first_content_line(std::string_view head) {
  while (!head.empty()) {
    const std::size_t end = std::min(head.find_first_of("\r\n"), head.size());
    const std::string_view line = trimmed(head.substr(0, end));
    if (!line.empty() && !line.starts_with('#')) {
      return line;
    }
    head.remove_prefix(std::min(end + 1, head.size()));
  }
  return {};
}

bool is_number(std::string_view word) {
  double number = 0;
  return parse_number(word, number);
}

/// Names of formats that are text but not points line by line; empty if it may be points.
std::string_view other_text_format(std::string_view line, std::string_view ending) {
  const std::string_view word = next_word(line);
  const std::string_view second = next_word(line);
  if (word == "VERSION" || word == "FIELDS") {
    return "a PCD file";
  }
  if (word == "solid" || (ending == ".stl" && !is_number(word.substr(0, word.find_first_of(",;"))))) {
    return "an STL file";
  }
  constexpr std::array<std::string_view, 5> obj_words = {"v", "vn", "vt", "mtllib", "usemtl"};
  if ((std::ranges::find(obj_words, word) != obj_words.end() && (!word.starts_with('v') || is_number(second))) ||
      (ending == ".obj" && !is_number(word.substr(0, word.find_first_of(",;"))))) {
    return "an OBJ file";
  }
  if (word.starts_with('{')) {
    return "a JSON file";
  }
  if (word.starts_with('<')) {
    return "an XML file";
  }
  return {};
}

bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' && !is_blank(c) && c != '\n'; }

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
  for (const auto& [start, name] : known_starts) {
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
  const std::string_view line = first_content_line(head);
  std::string_view rest = line;
  if (is_off_keyword(next_word(rest))) {
    return Format::off;
  }
  if (const auto odd = std::ranges::find_if(head, is_control); odd != head.end()) {
    refuse(file, ending == ".stl" ? std::string("an STL file")
                                  : fmt::format("binary (byte {} is {:#04x}) and of no known kind", odd - head.begin(),
                                                static_cast<unsigned char>(*odd)));
  }
  if (const std::string_view other = other_text_format(line, ending); !other.empty()) {
    refuse(file, other);
  }
  return Format::text;
}

}  // namespace burnish::io
