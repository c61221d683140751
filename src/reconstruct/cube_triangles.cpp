#include "reconstruct/cube_triangles.hpp"

#include <algorithm>

namespace burnish::reconstruct {
namespace {

constexpr std::uint8_t none = 255;

/// The corners of the six faces, counter-clockwise seen from outside of the cube.
constexpr std::array<std::array<std::uint8_t, 4>, 6> faces{
    {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}};

std::uint8_t edge_between(std::uint8_t a, std::uint8_t b) {
  for (std::uint8_t edge = 0; edge < 12; ++edge) {
    const auto corners = edge_corners(edge);
    if (corners[0] == std::min(a, b) && corners[1] == std::max(a, b)) {
      return edge;
    }
  }
  return none;
}

bool on_one_face(std::uint8_t edge, std::uint8_t other) {
  return std::ranges::any_of(faces, [&](const auto& face) {
    const auto has = [&](std::uint8_t e) {
      return std::ranges::all_of(edge_corners(e), [&](std::uint8_t c) { return std::ranges::count(face, c) > 0; });
    };
    return has(edge) && has(other);
  });
}

using Loop = std::vector<std::uint8_t>;

std::vector<Loop> loops_of(unsigned inside) {
  const auto is_inside = [&](std::uint8_t corner) { return (inside >> corner & 1U) != 0; };
  // Around one of its two faces, an edge that the surface crosses enters a run of inside corners, around the other it
  // leaves one: so it has one successor.
  std::array<std::uint8_t, 12> next{};
  next.fill(none);
  for (const auto& face : faces) {
    for (std::size_t i = 0; i < 4; ++i) {
      if (!is_inside(face[i]) || is_inside(face[(i + 1) % 4])) {
        continue;
      }
      std::size_t first = i;  // of the run that ends at i
      while (is_inside(face[(first + 3) % 4])) {
        first = (first + 3) % 4;
      }
      next[edge_between(face[(first + 3) % 4], face[first])] = edge_between(face[i], face[(i + 1) % 4]);
    }
  }
  std::vector<Loop> loops;
  for (std::uint8_t edge = 0; edge < 12; ++edge) {
    Loop loop;
    for (std::uint8_t at = edge; next[at] != none;) {
      loop.push_back(at);
      const std::uint8_t to = next[at];
      next[at] = none;
      at = to;
    }
    if (!loop.empty()) {
      loops.push_back(std::move(loop));
    }
  }
  return loops;
}

/// Whether a fan from that place of the loop has all its diagonals within the cube.
bool is_fan(const Loop& loop, std::size_t from) {
  for (std::size_t i = 2; i + 1 < loop.size(); ++i) {
    if (on_one_face(loop[from], loop[(from + i) % loop.size()])) {
      return false;
    }
  }
  return true;
}

CubeTriangles triangles_of(unsigned inside) {
  CubeTriangles result;
  for (const Loop& loop : loops_of(inside)) {
    const std::size_t size = loop.size();
    std::size_t from = 0;
    while (from < size && !is_fan(loop, from)) {
      ++from;
    }
    if (from < size) {
      for (std::size_t i = 1; i + 1 < size; ++i) {
        result.triangles.push_back({loop[from], loop[(from + i) % size], loop[(from + i + 1) % size]});
      }
    } else {
      const auto centre = static_cast<std::uint8_t>(12 + result.centres.size());
      result.centres.push_back(loop);
      for (std::size_t i = 0; i < size; ++i) {
        result.triangles.push_back({centre, loop[i], loop[(i + 1) % size]});
      }
    }
  }
  return result;
}

}  // namespace

std::array<std::uint8_t, 2> edge_corners(std::uint8_t edge) {
  const unsigned axis = edge / 4U;
  const unsigned k = edge % 4U;
  const unsigned low_bits = k & ((1U << axis) - 1U);
  const unsigned corner = low_bits | (k >> axis) << (axis + 1U);
  return {static_cast<std::uint8_t>(corner), static_cast<std::uint8_t>(corner | 1U << axis)};
}

const std::array<CubeTriangles, 256>& cube_triangles() {
  static const std::array<CubeTriangles, 256> table = [] {
    std::array<CubeTriangles, 256> made;
    for (unsigned inside = 0; inside < 256; ++inside) {
      made[inside] = triangles_of(inside);
    }
    return made;
  }();
  return table;
}

}  // namespace burnish::reconstruct
