#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/glr.hpp"
#include "burnish/neighbours.hpp"

namespace burnish::glr {

/// No patch has more points, nor does its number of points in whole vectors.
inline constexpr std::size_t patch_capacity = 256;

/// Arrays of a patch have room for whole vectors of any kind.
[[nodiscard]] constexpr std::size_t whole_vectors(std::size_t count) { return (count + 15) / 16 * 16; }

/// Surface patches (section III-A of the paper): patch m is the k points nearest to its centre point.
/// A pair (patch, place in the patch) is a node of the graph; node m·k + i is place i of patch m.
struct Patches {
  std::size_t size = 0;                ///< k
  std::vector<std::uint32_t> members;  ///< node → point, the sampling matrix S
  std::vector<std::uint32_t> centres;  ///< patch → its centre point, ascending
  std::vector<std::uint32_t> ranks;    ///< patch → when its centre was chosen
  std::vector<Vec3> origins;           ///< patch → c_m, what is subtracted from its points: the matrix C

  [[nodiscard]] std::size_t count() const { return centres.size(); }
  [[nodiscard]] std::span<const std::uint32_t> patch(std::size_t m) const { return {&members[m * size], size}; }
};

/// Chooses the centres, gathers the members and sets the origins. Every point is in at least one patch.
[[nodiscard]] Patches make_patches(std::span<const Vec3> points, const GlrSettings& settings,
                                   std::uint32_t first_centre, const ExecutionContext& context);

/// The same with centres that are given, in the order they were chosen, and a search among the points.
[[nodiscard]] Patches make_patches_around(std::span<const Vec3> points, const NeighbourSearch& search,
                                          std::span<const std::uint32_t> centres, const GlrSettings& settings,
                                          const ExecutionContext& context);

/// The same centres in other positions of the points: members and origins are found again.
[[nodiscard]] Patches make_patches_again(std::span<const Vec3> points, const Patches& patches,
                                         const GlrSettings& settings, const ExecutionContext& context);

/// For every point the nodes that are this point, ascending: the transpose of S.
struct NodesOfPoints {
  std::vector<std::uint32_t> begin;  ///< point → its first entry in `nodes`; one entry more than points
  std::vector<std::uint32_t> nodes;
};

[[nodiscard]] NodesOfPoints nodes_of_points(const Patches& patches, std::size_t points);

}  // namespace burnish::glr
