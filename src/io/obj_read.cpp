#include <fmt/format.h>

#include <array>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/colours.hpp"
#include "io/face_table.hpp"
#include "io/formats.hpp"
#include "io/line_reader.hpp"
#include "io/parse_word.hpp"

// Wavefront's OBJ, as far as it is points and faces: "v x y z", perhaps with a colour behind, "vn x y z", and "f" with
// a corner "vertex/texture/normal" after the other, counted from 1, or from the last one backwards if negative.

namespace burnish::io {
namespace {

struct ObjPass {
  explicit ObjPass(BlockReader& file) : lines(file) {}

  LineReader lines;
  PointCloud cloud;
  std::array<std::vector<double>, 3> colours;
  std::array<std::vector<double>, 3> normals;
  FaceTable faces;
  bool normals_follow_vertices = true;  ///< wherever a corner names a normal, it is that of its vertex
};

void add_vertex(ObjPass& pass, std::string_view line) {
  Vec3 p;
  for (const Eigen::Index axis : {0, 1, 2}) {
    p[axis] = parse_word(pass.lines, line, "a coordinate");
  }
  std::array<double, 5> further{};
  std::size_t count = 0;
  while (count < further.size() && !trimmed(line).empty()) {
    further.at(count++) = parse_word(pass.lines, line, "a colour");
  }
  // One number is a weight, which points have no use for; three are a colour, four one with transparency.
  if (count == 3 || count == 4) {
    for (std::size_t i = 0; i < 3; ++i) {
      pass.colours[i].resize(pass.cloud.size(), 0.0);
      pass.colours[i].push_back(further[i]);
    }
  }
  pass.cloud.positions.push_back(p);
}

/// A number of a corner as an index from 0.
std::int64_t parse_index(const ObjPass& pass, std::string_view word, std::size_t count) {
  std::int64_t number = 0;
  if (!parse_integer(word, number) || number == 0) {
    pass.lines.fail(fmt::format("found {}, expected the number of a vertex, from 1", excerpt(word)));
  }
  const std::int64_t index = number > 0 ? number - 1 : static_cast<std::int64_t>(count) + number;
  if (index < 0 || index >= std::numeric_limits<std::int32_t>::max()) {
    pass.lines.fail(fmt::format("found {}, but the number of vertices before it is {}", excerpt(word), count));
  }
  return index;
}

void add_face(ObjPass& pass, std::string_view line) {
  for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) {
    const std::size_t slash = std::min(word.find('/'), word.size());
    const std::int64_t vertex = parse_index(pass, word.substr(0, slash), pass.cloud.size());
    pass.faces.add_corner(static_cast<std::int32_t>(vertex));
    const std::size_t last = word.rfind('/');
    if (last != word.npos && last > slash && last + 1 < word.size()) {
      const std::int64_t normal = parse_index(pass, word.substr(last + 1), pass.normals[0].size());
      pass.normals_follow_vertices = pass.normals_follow_vertices && normal == vertex;
    }
  }
  pass.faces.end_face();
}

void add_line(ObjPass& pass, std::string_view line) {
  const std::string_view word = next_word(line);
  if (word == "v") {
    add_vertex(pass, line);
  } else if (word == "vn") {
    for (auto& values : pass.normals) {
      values.push_back(parse_word(pass.lines, line, "a part of a normal"));
    }
  } else if (word == "f") {
    add_face(pass, line);
  } else if (word.starts_with('#')) {
    line = trimmed(line);
    if (!line.empty() && word == "#") {
      pass.cloud.comments.emplace_back(line);
    }
  }
  // All else is how it looks and how it is grouped.
}

void add_columns(PointCloud& cloud, std::array<std::vector<double>, 3>& values, std::array<const char*, 3> names) {
  for (std::size_t i = 0; i < 3; ++i) {
    Column column;
    column.name = names[i];
    values[i].resize(cloud.size(), 0.0);
    column.values = std::move(values[i]);
    cloud.attributes.push_back(std::move(column));
  }
}

}  // namespace

PointCloud read_obj(BlockReader& file) {
  ObjPass pass(file);
  std::string_view line;
  std::string joined;
  while (pass.lines.next(line)) {
    line = trimmed(line);
    if (line.ends_with('\\') || !joined.empty()) {  // continues on the next line
      const bool goes_on = line.ends_with('\\');
      joined += std::string(line.substr(0, line.size() - (goes_on ? 1 : 0))) + ' ';
      if (joined.size() > LineReader::longest_line) {
        pass.lines.fail("the line is too long");
      }
      if (!goes_on) {
        add_line(pass, joined);
        joined.clear();
      }
      continue;
    }
    add_line(pass, line);
  }
  if (!joined.empty()) {
    add_line(pass, joined);
  }
  PointCloud& cloud = pass.cloud;
  if (cloud.size() == 0) {
    file.fail("the file holds no points");
  }
  for (const std::int32_t corner : pass.faces.corners()) {
    if (static_cast<std::size_t>(corner) >= cloud.size()) {
      file.fail(fmt::format("a face refers to vertex {}, but there are only {}", corner + 1, cloud.size()));
    }
  }
  if (pass.normals[0].size() == cloud.size() && pass.normals_follow_vertices) {
    add_columns(cloud, pass.normals, {"nx", "ny", "nz"});
  }
  if (!pass.colours[0].empty()) {
    add_columns(cloud, pass.colours, {"red", "green", "blue"});
    make_bytes(std::span(cloud.attributes).last(3));
  }
  if (pass.faces.faces() > 0) {
    cloud.tables.push_back(pass.faces.take());
  }
  return std::move(cloud);
}

}  // namespace burnish::io
