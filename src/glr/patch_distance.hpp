#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "glr/patch_graph.hpp"
#include "glr/patches.hpp"

namespace burnish::glr {

/// A point whose partner is the plane through three points of the other patch (section V-A3).
struct InterpolatedPartner {
  std::uint32_t slot;
  std::uint8_t node;                    ///< place in the patch that looks for partners
  std::array<std::uint8_t, 3> corners;  ///< places in the other patch
  std::array<double, 3> shares;         ///< how the weight of the connection is divided (equation 34)
};

/// How patches correspond: for every slot m→n of the patch graph that connects, the partners of m's points in patch n
/// and the distance of the two patches seen in the reference plane of m.
struct Correspondences {
  /// In place of a partner: the partner is interpolated, the slot does not connect, or the row ends.
  static constexpr std::uint8_t no_partner = 255;

  /// Bytes from one slot to the next in `partners`: the patch size, rounded up so that rows can be read as words.
  std::size_t stride = 0;
  std::vector<std::uint8_t> partners;     ///< slot × place → place in the other patch, or `no_partner`
  std::vector<double> squared_distances;  ///< slot → d²_{m→n} (equation 31)
  std::vector<std::uint8_t> changed;      ///< slot → whether some partner is not the one before

  std::vector<InterpolatedPartner> interpolations;  ///< ordered by slot, then node
  std::vector<std::uint32_t> interpolations_begin;  ///< slot → its first one; one entry more than slots

  /// Bounds by which partners are known not to change when points move.
  struct Search {
    /// slot × place → while the difference of two distances in projection changes by less, the partner stays: in units,
    /// from where `changes` is 0
    std::vector<std::uint8_t> margins;
    std::vector<float> changes;   ///< slot → how much such differences may have changed since margins were counted
    std::vector<float> units;     ///< slot → of its margins
    std::vector<Vec3> points;     ///< where they were
    std::vector<Vec3> normals;    ///< patch → normal of its reference plane
    std::vector<double> radii;    ///< patch → no point is farther from the origin
    std::vector<double> lengths;  ///< patch → near its radius before points moved: what the above are multiples of

    /// Notes that differences may have changed once more. True if all margins of the slot are to be counted again, from
    /// now on and in new units.
    bool count(std::uint32_t slot, double change);

    /// Partners with no larger margin may have changed.
    [[nodiscard]] std::uint8_t units_used_up(std::uint32_t slot) const {
      return static_cast<std::uint8_t>(changes[slot] / units[slot] + 1.0F);
    }
  } search;

  [[nodiscard]] const std::uint8_t* partners_of(std::uint32_t slot) const { return &partners[slot * stride]; }
  [[nodiscard]] std::span<const InterpolatedPartner> interpolations_of(std::uint32_t slot) const {
    return std::span(interpolations)
        .subspan(interpolations_begin[slot], interpolations_begin[slot + 1] - interpolations_begin[slot]);
  }
};

class PatchRotations;

/// What can be reused of the previous content of `result`: only its memory; or the correspondences of the same patches,
/// with the same settings, before their points moved. Then partners are kept where no other point can have become
/// nearer, which does not change results.
enum class Reuse : std::uint8_t { none, same_patches };

/// `interpolation_distance` is τ in the units of the points. With rotations, patches are compared as these say, and
/// nothing is kept of before.
void find_correspondences(std::span<const Vec3> points, const Patches& patches, const PatchGraph& graph,
                          Interpolation interpolation, double interpolation_distance, Correspondences& result,
                          const ExecutionContext& context, Reuse before = Reuse::none,
                          const PatchRotations* rotations = nullptr);

}  // namespace burnish::glr
