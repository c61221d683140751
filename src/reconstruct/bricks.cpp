#include "reconstruct/bricks.hpp"

#include <cmath>

#include "core/parallel.hpp"
#include "geometry/morton.hpp"

namespace burnish::reconstruct {
namespace {

struct Pair {
  std::uint64_t brick;
  std::uint32_t point;
};

struct Range {
  Node first;
  Node last;
};

/// The bricks that have nodes less than its radius away from the point, along each axis. Bricks share the nodes on
/// their faces.
Range bricks_around(const GridPoint& point) {
  Range range{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double place = point.position[static_cast<Eigen::Index>(axis)];
    range.first[axis] = static_cast<std::int32_t>(std::ceil((std::ceil(place - point.radius) / brick_cells) - 1.0));
    range.last[axis] = static_cast<std::int32_t>(std::floor(std::floor(place + point.radius) / brick_cells));
  }
  return range;
}

template <class F>
void for_each_brick(const GridPoint& point, const F& f) {
  const auto [first, last] = bricks_around(point);
  for (std::int32_t z = first[2]; z <= last[2]; ++z) {
    for (std::int32_t y = first[1]; y <= last[1]; ++y) {
      for (std::int32_t x = first[0]; x <= last[0]; ++x) {
        f(morton_code(static_cast<std::uint64_t>(x), static_cast<std::uint64_t>(y), static_cast<std::uint64_t>(z)));
      }
    }
  }
}

/// The bits of one axis out of a Morton code.
std::int32_t axis_of(std::uint64_t code, unsigned axis) {
  std::int32_t result = 0;
  for (unsigned bit = 0; bit < morton_bits; ++bit) {
    result |= static_cast<std::int32_t>(code >> (3 * bit + axis) & 1U) << bit;
  }
  return result;
}

}  // namespace

Bricks::Bricks(std::span<const GridPoint> points, const ExecutionContext& context) {
  std::vector<std::size_t> ends(points.size() + 1, 0);
  parallel_for(context, points.size(), 4096,
               [&](std::size_t i) { for_each_brick(points[i], [&](std::uint64_t) { ++ends[i + 1]; }); });
  for (std::size_t i = 0; i < points.size(); ++i) {
    ends[i + 1] += ends[i];
  }
  std::vector<Pair> pairs(ends.back());
  parallel_for(context, points.size(), 4096, [&](std::size_t i) {
    std::size_t next = ends[i];
    for_each_brick(points[i], [&](std::uint64_t brick) { pairs[next++] = {brick, static_cast<std::uint32_t>(i)}; });
  });
  parallel_sort(context, pairs, [](const Pair& a, const Pair& b) {
    return a.brick != b.brick ? a.brick < b.brick : a.point < b.point;
  });
  points_.resize(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (i == 0 || pairs[i].brick != pairs[i - 1].brick) {
      keys_.push_back(pairs[i].brick);
      begins_.push_back(i);
    }
    points_[i] = pairs[i].point;
  }
  begins_.push_back(pairs.size());
}

Brick Bricks::operator[](std::size_t b) const {
  Brick brick{};
  for (unsigned axis = 0; axis < 3; ++axis) {
    brick.first[axis] = brick_cells * axis_of(keys_[b], axis);
  }
  brick.points = {points_.data() + begins_[b], begins_[b + 1] - begins_[b]};
  return brick;
}

}  // namespace burnish::reconstruct
