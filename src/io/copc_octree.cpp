#include "io/copc_octree.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/parallel.hpp"
#include "geometry/morton.hpp"

namespace burnish::io {
namespace {

constexpr unsigned cell_bits = 7;                      // 128 cells along each axis of a node
constexpr unsigned deepest = morton_bits - cell_bits;  // level of nodes that take all points
constexpr std::size_t few = 20'000;                    // points that make no children worth while

/// A point on the Morton curve. Points of a node, and of its cells, follow each other there.
struct Place {
  std::uint64_t code = 0;
  std::uint32_t row = 0;
};

/// The part of a code that identifies a cell of a level of the octree.
std::uint64_t cell_of(const Place& place, unsigned level) { return place.code >> (3 * (morton_bits - level)); }

std::vector<Place> sort_places(std::span<const Vec3> points, const CopcInfo& cube, const ExecutionContext& context) {
  constexpr double cells = 1U << morton_bits;
  const Vec3 low = cube.centre - Vec3::Constant(cube.half_size);
  const double scale = cells / (2 * cube.half_size);
  std::vector<Place> places(points.size());
  constexpr std::size_t rows_at_once = 1 << 16;
  parallel_for(context, points.size(), rows_at_once, [&](std::size_t i) {
    const Vec3 cell = ((points[i] - low) * scale).cwiseMax(0).cwiseMin(cells - 1);
    places[i] = {morton_code(static_cast<std::uint64_t>(cell.x()), static_cast<std::uint64_t>(cell.y()),
                             static_cast<std::uint64_t>(cell.z())),
                 static_cast<std::uint32_t>(i)};
  });
  parallel_sort(context, places,
                [](const Place& a, const Place& b) { return std::pair(a.code, a.row) < std::pair(b.code, b.row); });
  return places;
}

CopcKey key_of(const Place& place, unsigned level) {
  CopcKey key{static_cast<std::int32_t>(level), 0, 0, 0};
  const std::uint64_t cell = cell_of(place, level);
  for (unsigned bit = 0; bit < level; ++bit) {
    key.x |= static_cast<std::int32_t>((cell >> (3 * bit)) & 1U) << bit;
    key.y |= static_cast<std::int32_t>((cell >> (3 * bit + 1)) & 1U) << bit;
    key.z |= static_cast<std::int32_t>((cell >> (3 * bit + 2)) & 1U) << bit;
  }
  return key;
}

/// Where a run of places with the same cell ends.
std::size_t end_of_cell(std::span<const Place> places, std::size_t begin, unsigned level) {
  const std::uint64_t cell = cell_of(places[begin], level);
  const auto end = std::ranges::upper_bound(places.subspan(begin), cell, {},
                                            [&](const Place& place) { return cell_of(place, level); });
  return static_cast<std::size_t>(end - places.begin());
}

/// What a node takes of its points. The others are moved to the front, in their order; `left` is how many.
CopcCell take_points(std::span<Place> places, unsigned level, std::size_t& left) {
  CopcCell node{key_of(places.front(), level), {}};
  left = 0;
  if (level == deepest || places.size() <= few) {
    for (const Place& place : places) {
      node.rows.push_back(place.row);
    }
  } else {
    for (std::size_t begin = 0; begin < places.size();) {
      std::size_t end = begin + 1;  // most cells have few points
      while (end < places.size() &&
             cell_of(places[end], level + cell_bits) == cell_of(places[begin], level + cell_bits)) {
        ++end;
      }
      const std::size_t taken = begin + (end - begin) / 2;
      node.rows.push_back(places[taken].row);
      for (std::size_t i = begin; i < end; ++i) {
        if (i != taken) {
          places[left++] = places[i];
        }
      }
      begin = end;
    }
  }
  std::ranges::sort(node.rows);
  return node;
}

}  // namespace

CopcInfo copc_cube(const Eigen::AlignedBox3d& box) {
  CopcInfo cube;
  if (!box.isEmpty()) {
    cube.centre = box.center();
    cube.half_size = box.sizes().maxCoeff() / 2;
  }
  // A little larger, so that no point is on its face, and never without a size.
  cube.half_size += std::max(1e-6 * cube.half_size, 1e-9 * std::max(1.0, cube.centre.cwiseAbs().maxCoeff()));
  cube.spacing = 2 * cube.half_size / (1U << cell_bits);
  return cube;
}

std::vector<CopcCell> build_copc_octree(std::span<const Vec3> points, const CopcInfo& cube,
                                        const ExecutionContext& context) {
  std::vector<Place> places = sort_places(points, cube, context);
  std::vector<CopcCell> nodes;
  std::vector<std::span<Place>> open;  // points of the nodes of a level
  if (!places.empty()) {
    open.emplace_back(places);
  }
  for (unsigned level = 0; !open.empty(); ++level) {
    const std::size_t first = nodes.size();
    nodes.resize(first + open.size());
    std::vector<std::size_t> left(open.size());
    parallel_for(context, open.size(), 1,
                 [&](std::size_t i) { nodes[first + i] = take_points(open[i], level, left[i]); });
    std::vector<std::span<Place>> below;
    for (std::size_t i = 0; i < open.size(); ++i) {
      const std::span<Place> rest = open[i].first(left[i]);
      for (std::size_t begin = 0; begin < rest.size();) {
        const std::size_t end = end_of_cell(rest, begin, level + 1);
        below.push_back(rest.subspan(begin, end - begin));
        begin = end;
      }
    }
    open = std::move(below);
  }
  return nodes;
}

}  // namespace burnish::io
