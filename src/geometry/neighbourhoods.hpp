#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/neighbours.hpp"
#include "burnish/point_cloud.hpp"

namespace burnish {

/// The nearest points of every point of a set, found once: the point itself first, then by distance.
class Neighbourhoods {
 public:
  /// `wanted` points in each neighbourhood, or all there are if there are fewer. `search` must be over `points`.
  Neighbourhoods(std::span<const Vec3> points, const NeighbourSearch& search, std::size_t wanted,
                 const ExecutionContext& context = {});

  /// Points in a neighbourhood, itself included.
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::span<const std::uint32_t> operator[](std::size_t i) const {
    return {indices_.data() + i * size_, size_};
  }
  /// The first `count` of them, or all if there are fewer.
  [[nodiscard]] std::span<const std::uint32_t> nearest(std::size_t i, std::size_t count) const {
    return {indices_.data() + i * size_, count < size_ ? count : size_};
  }

 private:
  std::size_t size_ = 0;
  std::vector<std::uint32_t> indices_;
};

}  // namespace burnish
