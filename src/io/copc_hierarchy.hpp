#pragma once

#include <Eigen/Geometry>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "burnish/point_cloud.hpp"
#include "io/block_reader.hpp"

// COPC 1.0 after its public specification: a LAZ file of version 1.4 whose chunks are the nodes of an octree. The first
// record of the header describes the octree, a record after the points says which node is which chunk.

namespace burnish::io {

/// A cell of the octree: of the 2^level cells along each axis, which one.
struct CopcKey {
  std::int32_t level = 0;
  std::int32_t x = 0;
  std::int32_t y = 0;
  std::int32_t z = 0;
};

/// An entry of the hierarchy: where the chunk of a node is.
struct CopcNode {
  CopcKey key;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t points = 0;
};

/// The content of the first record.
struct CopcInfo {
  Vec3 centre = Vec3::Zero();  ///< of the octree's cube
  double half_size = 0;
  double spacing = 0;             ///< of points in the root; half of that in its children, and so on
  std::uint64_t root_offset = 0;  ///< of the first page of the hierarchy
  std::uint64_t root_size = 0;
  double first_time = 0;
  double last_time = 0;

  [[nodiscard]] Eigen::AlignedBox3d box(const CopcKey& key) const;
};

namespace copc {
inline constexpr std::string_view user = "copc";
inline constexpr std::uint16_t info_id = 1;
inline constexpr std::uint16_t hierarchy_id = 1000;
inline constexpr std::size_t info_size = 160;
inline constexpr std::size_t entry_size = 32;
inline constexpr std::int32_t deepest = 30;  // levels whose cells 32 bits can number
}  // namespace copc

/// Throws Error if the record cannot be what it should.
[[nodiscard]] CopcInfo read_copc_info(const BlockReader& file, std::string_view record);
[[nodiscard]] std::string copc_info_record(const CopcInfo& info);

/// The nodes that have points and for which `is_wanted`, which is also asked whether to look below a cell. Throws Error
/// if the hierarchy declares more than the file can hold.
[[nodiscard]] std::vector<CopcNode> read_copc_nodes(BlockReader& file, const CopcInfo& info,
                                                    const std::function<bool(const CopcKey&)>& is_wanted);

/// A hierarchy in pages.
struct CopcPages {
  std::string bytes;
  std::uint64_t root_offset = 0;  ///< in the file
  std::uint64_t root_size = 0;
};

/// The hierarchy of nodes, parents before children, as the bytes of the file from `begin` on.
[[nodiscard]] CopcPages copc_pages(const std::vector<CopcNode>& nodes, std::uint64_t begin);

}  // namespace burnish::io
