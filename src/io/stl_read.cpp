#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <random>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "io/face_table.hpp"
#include "io/formats.hpp"
#include "io/line_reader.hpp"
#include "io/parse_number.hpp"

// STL, as text or binary: triangles, each with its own three corners. Corners at exactly the same place become one
// point. What a file says about a triangle, its normal and 16 bits some programs use for colour, goes into the table.

namespace burnish::io {
namespace {

using Corner = std::array<float, 3>;

struct CornerHash {
  /// Different in every run, so that no file can be made of corners that all fall together; the points do not depend on
  /// it.
  std::uint64_t salt = (std::uint64_t{std::random_device()()} << 32) | std::random_device()();

  std::size_t operator()(const Corner& corner) const {
    std::uint64_t hash = salt;
    for (const float value : corner) {
      hash = (hash ^ std::bit_cast<std::uint32_t>(value)) * 0x9E3779B97F4A7C15U;
      hash ^= hash >> 32;
    }
    return static_cast<std::size_t>(hash);
  }
};

struct SameBits {
  bool operator()(const Corner& a, const Corner& b) const {
    using Bits = std::array<std::uint32_t, 3>;
    return std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b);
  }
};

class Triangles {
 public:
  void add_corner(Corner corner) {
    for (float& value : corner) {
      value += 0.0F;  // makes -0 and 0 the same place
    }
    const auto [found, is_new] = numbers_.try_emplace(corner, static_cast<std::int32_t>(cloud_.size()));
    if (is_new) {
      cloud_.positions.emplace_back(corner[0], corner[1], corner[2]);
    }
    faces_.add_corner(found->second);
  }

  void end_face(const Corner& normal, std::uint16_t attribute) {
    faces_.end_face();
    for (std::size_t i = 0; i < 3; ++i) {
      normals_[i].push_back(normal[i]);
    }
    attributes_.push_back(attribute);
    has_attributes_ = has_attributes_ || attribute != 0;
  }

  [[nodiscard]] std::size_t faces() const { return faces_.faces(); }

  PointCloud take() {
    cloud_.position_type = ScalarType::float32;
    Table table = faces_.take();
    for (std::size_t i = 0; i < 3; ++i) {
      table.columns.push_back({std::string("n") + "xyz" [i], std::move(normals_[i]), {}});
    }
    if (has_attributes_) {
      table.columns.push_back({"attribute", std::move(attributes_), {}});
    }
    cloud_.tables.push_back(std::move(table));
    return std::move(cloud_);
  }

  PointCloud& cloud() { return cloud_; }

 private:
  PointCloud cloud_;
  FaceTable faces_;
  std::array<std::vector<float>, 3> normals_;
  std::vector<std::uint16_t> attributes_;
  bool has_attributes_ = false;
  std::unordered_map<Corner, std::int32_t, CornerHash, SameBits> numbers_;
};

PointCloud read_binary(BlockReader& file) {
  constexpr std::size_t head = 84;
  constexpr std::size_t triangle = 50;
  const std::string_view start = file.fill(head);
  if (start.size() < head) {
    file.fail(fmt::format("the file ends at byte {} inside its STL header", file.size()));
  }
  std::uint32_t count = 0;
  std::memcpy(&count, start.data() + 80, sizeof count);
  file.skip(head);
  if (count > file.remaining() / triangle) {
    file.fail(fmt::format("the file ends at byte {} inside triangle {}, but its header declares {}", file.size(),
                          file.remaining() / triangle + 1, count));
  }
  Triangles triangles;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::string_view bytes = file.fill(triangle);
    if (bytes.size() < triangle) {
      file.fail(fmt::format("the file ends at byte {} inside triangle {}", file.offset(), i + 1));
    }
    std::array<Corner, 4> numbers;  // the normal first
    std::memcpy(&numbers, bytes.data(), sizeof numbers);
    std::uint16_t attribute = 0;
    std::memcpy(&attribute, bytes.data() + sizeof numbers, sizeof attribute);
    for (std::size_t corner = 1; corner < 4; ++corner) {
      triangles.add_corner(numbers[corner]);
    }
    triangles.end_face(numbers[0], attribute);
    file.skip(triangle);
  }
  return triangles.take();
}

Corner parse_corner(const LineReader& lines, std::string_view line) {
  Corner corner{};
  for (float& value : corner) {
    const std::string_view word = next_word(line);
    if (!parse_number(word, value)) {
      lines.fail(fmt::format("found {}, expected a coordinate", excerpt(word)));
    }
  }
  return corner;
}

std::string lower(std::string_view word) {
  std::string result(word);
  std::ranges::transform(result, result.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return result;
}

PointCloud read_ascii(BlockReader& file) {
  LineReader lines(file);
  Triangles triangles;
  Corner normal{};
  int corners = 0;
  bool in_facet = false;
  std::string_view line;
  while (lines.next(line)) {
    const std::string word = lower(next_word(line));
    if (word == "facet") {
      if (in_facet) {
        lines.fail("found a facet inside a facet");
      }
      in_facet = true;
      corners = 0;
      const bool has_normal = lower(next_word(line)) == "normal" && !trimmed(line).empty();
      normal = has_normal ? parse_corner(lines, line) : Corner{};
    } else if (word == "vertex") {
      if (!in_facet || ++corners > 3) {
        lines.fail("found a vertex that belongs to no triangle");
      }
      triangles.add_corner(parse_corner(lines, line));
    } else if (word == "endfacet") {
      if (!in_facet || corners != 3) {
        lines.fail(fmt::format("a facet ends with {} vertices, expected 3", corners));
      }
      triangles.end_face(normal, 0);
      in_facet = false;
    } else if (word == "solid") {
      if (line = trimmed(line); !line.empty()) {
        triangles.cloud().comments.push_back(fmt::format("solid {}", line));
      }
    } else if (!word.empty() && word != "outer" && word != "endloop" && word != "endsolid" && word != "end") {
      lines.fail(fmt::format("found {}, expected facet, vertex or another word of an STL file", excerpt(word)));
    }
  }
  if (in_facet) {
    lines.fail("the file ends inside a facet");
  }
  return triangles.take();
}

}  // namespace

PointCloud read_stl(BlockReader& file) {
  const std::string_view start = file.fill(84);
  std::uint32_t count = 0;
  if (start.size() >= 84) {
    std::memcpy(&count, start.data() + 80, sizeof count);
  }
  // Binary files may start with the word that text files start with: only their size shows which they are.
  const bool has_size_of_binary = start.size() >= 84 && file.size() == 84 + std::uint64_t{50} * count;
  const std::size_t word = std::min(start.find_first_not_of(" \t\r\n"), start.size());
  const bool is_text = lower(start.substr(word, 5)) == "solid";
  return is_text && !has_size_of_binary ? read_ascii(file) : read_binary(file);
}

}  // namespace burnish::io
