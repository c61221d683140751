#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/colours.hpp"
#include "io/detect.hpp"
#include "io/face_table.hpp"
#include "io/formats.hpp"
#include "io/line_reader.hpp"
#include "io/parse_word.hpp"

// OFF as Geomview's manual describes it, one vertex or face a line: [ST][C][N]OFF, the numbers of vertices, faces and
// edges, then vertices "x y z [normal] [colour] [texture]", then faces "corners index …" with an optional colour.

namespace burnish::io {
namespace {

struct OffHeader {
  bool has_normals = false;
  bool has_colours = false;
  bool has_texture = false;
  std::uint64_t vertices = 0;
  std::uint64_t faces = 0;
};

/// The next line that holds more than a comment, without its comment; false at the end of the file.
bool next_line(LineReader& lines, std::string_view& line, std::vector<std::string>& comments) {
  while (lines.next(line)) {
    if (const std::size_t sign = line.find('#'); sign != line.npos) {
      if (const std::string_view comment = trimmed(line.substr(sign + 1)); !comment.empty()) {
        comments.emplace_back(comment);
      }
      line = line.substr(0, sign);
    }
    line = trimmed(line);
    if (!line.empty()) {
      return true;
    }
  }
  return false;
}

OffHeader read_header(LineReader& lines, std::vector<std::string>& comments) {
  OffHeader header;
  std::string_view line;
  if (!next_line(lines, line, comments)) {
    lines.fail("the file ends before OFF");
  }
  const std::size_t keyword = line.find("OFF");
  if (keyword == line.npos && !(line.front() >= '0' && line.front() <= '9')) {  // the keyword may be missing
    lines.fail(fmt::format("found {}, expected OFF", excerpt(line)));
  }
  const std::string_view word = keyword == line.npos ? "" : line.substr(0, keyword);
  header.has_texture = word.starts_with("ST");
  header.has_colours = word.find('C') != word.npos;
  header.has_normals = word.find('N') != word.npos;
  if (word.find_first_of("4n") != word.npos) {
    lines.fail(fmt::format("found {}OFF, but burnish reads only points with three coordinates", word));
  }
  line.remove_prefix(keyword == line.npos ? 0 : word.size() + 3);
  line = trimmed(line);
  if (line.starts_with("BINARY")) {
    lines.fail("found OFF BINARY, but burnish reads only OFF text");
  }
  if (line.empty() && !next_line(lines, line, comments)) {
    lines.fail("the file ends before the number of vertices");
  }
  header.vertices = parse_word<std::uint64_t>(lines, line, "the number of vertices");
  header.faces = parse_word<std::uint64_t>(lines, line, "the number of faces");
  // Before anything is allocated: a vertex is at least "0 0 0" and its line ending, a face "0" and its own.
  const std::uint64_t bytes = lines.file().remaining() + 1;
  if (header.vertices > bytes / 6 || header.faces > bytes / 2) {
    lines.fail(fmt::format("{} vertices and {} faces are more than a file of that size can hold", header.vertices,
                           header.faces));
  }
  return header;
}

Column make_column(std::string_view name, std::size_t rows) {
  Column column;
  column.name = name;
  column.values = std::vector<double>(rows);
  return column;
}

std::size_t count_words(std::string_view line) {
  std::size_t count = 0;
  while (!next_word(line).empty()) {
    ++count;
  }
  return count;
}

/// The attribute columns the header and the first vertex promise: a colour may have three parts or four.
std::vector<Column> make_columns(const OffHeader& header, std::string_view first_vertex) {
  std::vector<std::string_view> names;
  if (header.has_normals) {
    names.insert(names.end(), {"nx", "ny", "nz"});
  }
  if (header.has_colours) {
    names.insert(names.end(), {"red", "green", "blue"});
    const std::size_t with_alpha = 3 + names.size() + (header.has_texture ? 2 : 0) + 1;
    if (count_words(first_vertex) >= with_alpha) {
      names.emplace_back("alpha");
    }
  }
  if (header.has_texture) {
    names.insert(names.end(), {"s", "t"});
  }
  std::vector<Column> columns;
  columns.reserve(names.size());
  for (const std::string_view name : names) {
    columns.push_back(make_column(name, header.vertices));
  }
  return columns;
}

void read_vertices(LineReader& lines, OffHeader header, PointCloud& cloud) {
  cloud.positions.resize(header.vertices);
  std::string_view line;
  std::size_t words = 0;
  bool is_undeclared = false;
  for (std::size_t v = 0; v < header.vertices; ++v) {
    if (!next_line(lines, line, cloud.comments)) {
      lines.fail(fmt::format("the file ends after {} of {} vertices", v, header.vertices));
    }
    if (v == 0) {
      // Many programs write colours and do not say so in the first line.
      words = count_words(line);
      is_undeclared = !header.has_colours && !header.has_normals && !header.has_texture && (words == 6 || words == 7);
      header.has_colours |= is_undeclared;
      cloud.attributes = make_columns(header, line);
    } else if (is_undeclared && count_words(line) != words) {
      is_undeclared = false;  // colours of some points only are none
      cloud.attributes.clear();
    }
    for (const Eigen::Index axis : {0, 1, 2}) {
      cloud.positions[v][axis] = parse_word(lines, line, "a coordinate");
    }
    for (Column& column : cloud.attributes) {
      std::get<std::vector<double>>(column.values)[v] = parse_word(lines, line, column.name);
    }
  }
  if (header.has_colours && !cloud.attributes.empty()) {
    const std::size_t first = header.has_normals ? 3 : 0;
    const std::size_t count = cloud.attributes.size() - first - (header.has_texture ? 2 : 0);
    make_bytes(std::span(cloud.attributes).subspan(first, count));
  }
}

Table read_faces(LineReader& lines, const OffHeader& header, std::vector<std::string>& comments) {
  FaceTable faces;
  std::string_view line;
  for (std::size_t face = 0; face < header.faces; ++face) {
    if (!next_line(lines, line, comments)) {
      lines.fail(fmt::format("the file ends after {} of {} faces", face, header.faces));
    }
    const auto count = parse_word<std::uint32_t>(lines, line, "the number of corners of a face");
    for (std::uint32_t i = 0; i < count; ++i) {
      faces.add_corner(parse_word<std::int32_t>(lines, line, "the index of a vertex"));
    }
    faces.end_face();
  }
  return faces.take();
}

}  // namespace

PointCloud read_off(BlockReader& file) {
  LineReader lines(file);
  PointCloud cloud;
  const OffHeader header = read_header(lines, cloud.comments);
  read_vertices(lines, header, cloud);
  if (header.faces > 0) {
    cloud.tables.push_back(read_faces(lines, header, cloud.comments));
  }
  return cloud;
}

}  // namespace burnish::io
