#pragma once

#include <cstdint>
#include <vector>

#include "burnish/point_cloud.hpp"

namespace burnish::automatic {

/// All items but some, which are named by ascending indices.
template <class Item>
[[nodiscard]] std::vector<Item> without(const std::vector<Item>& items, const std::vector<std::uint32_t>& left_out) {
  std::vector<Item> rest;
  rest.reserve(items.size());
  auto next = left_out.begin();
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (next != left_out.end() && *next == i) {
      ++next;
    } else {
      rest.push_back(items[i]);
    }
  }
  return rest;
}

/// The points that were left out, among the others, which have moved.
[[nodiscard]] inline std::vector<Vec3> put_back(std::vector<Vec3> points, const std::vector<std::uint32_t>& left_out,
                                                const std::vector<Vec3>& moved) {
  auto next = left_out.begin();
  auto from = moved.begin();
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (next != left_out.end() && *next == i) {
      ++next;
    } else {
      points[i] = *from++;
    }
  }
  return points;
}

}  // namespace burnish::automatic
