#pragma once

#include <cstdint>
#include <vector>

namespace burnish::automatic {

/// All items except those with the given ascending indices.
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

/// Inserts the items that were left out among the others, which have changed.
template <class Item>
[[nodiscard]] std::vector<Item> put_back(std::vector<Item> items, const std::vector<std::uint32_t>& left_out,
                                         const std::vector<Item>& changed) {
  auto next = left_out.begin();
  auto from = changed.begin();
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (next != left_out.end() && *next == i) {
      ++next;
    } else {
      items[i] = *from++;
    }
  }
  return items;
}

}  // namespace burnish::automatic
