#include "glr/patches.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "burnish/sampling.hpp"
#include "core/parallel.hpp"
#include "geometry/intrinsic_order.hpp"
#include "geometry/working_points.hpp"

namespace burnish::glr {
namespace {

/// Appends the patches of further centres.
void gather_members(std::span<const Vec3> points, const NeighbourSearch& search, Patches& patches,
                    const ExecutionContext& context) {
  const std::size_t done = patches.members.size() / patches.size;
  patches.members.resize(patches.count() * patches.size);
  parallel_blocks(context, patches.count() - done, 256, [&](std::size_t begin, std::size_t end) {
    std::vector<double> distances(patches.size);
    for (std::size_t m = done + begin; m < done + end; ++m) {
      search.nearest(points[patches.centres[m]], {&patches.members[m * patches.size], patches.size}, distances);
    }
  });
}

/// Uneven density can leave points between the patches: each becomes a centre itself, unless the patch of one before
/// it covers it.
void cover_all_points(std::span<const Vec3> points, const NeighbourSearch& search, Patches& patches,
                      const ExecutionContext& context) {
  std::vector<bool> covered(points.size(), false);
  for (const std::uint32_t point : patches.members) {
    covered[point] = true;
  }
  if (std::ranges::find(covered, false) == covered.end()) {
    return;
  }
  std::vector<std::uint32_t> members(patches.size);
  std::vector<double> distances(patches.size);
  for (const std::uint32_t p : intrinsic_order(points, context)) {
    if (!covered[p]) {
      patches.ranks.push_back(static_cast<std::uint32_t>(patches.centres.size()));
      patches.centres.push_back(p);
      search.nearest(points[p], members, distances);
      for (const std::uint32_t member : members) {
        covered[member] = true;
      }
    }
  }
  gather_members(points, search, patches, context);
}

/// Patches in the spatial order of the points, so that neighbouring patches are close in memory.
void sort_by_centre(Patches& patches) {
  std::vector<std::uint32_t> order(patches.count());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, {}, [&](std::uint32_t m) { return patches.centres[m]; });
  Patches sorted;
  sorted.size = patches.size;
  sorted.members.reserve(patches.members.size());
  for (const std::uint32_t m : order) {
    sorted.centres.push_back(patches.centres[m]);
    sorted.ranks.push_back(patches.ranks[m]);
    std::ranges::copy(patches.patch(m), std::back_inserter(sorted.members));
  }
  patches = std::move(sorted);
}

void set_origins(std::span<const Vec3> points, const GlrSettings& settings, Patches& patches,
                 const ExecutionContext& context) {
  patches.origins.resize(patches.count());
  parallel_for(context, patches.count(), 1024, [&](std::size_t m) {
    if (settings.patch_origin == PatchOrigin::centre_point) {
      patches.origins[m] = points[patches.centres[m]];
      return;
    }
    Vec3 sum = Vec3::Zero();
    for (const std::uint32_t p : patches.patch(m)) {
      sum += points[p];
    }
    patches.origins[m] = sum / static_cast<double>(patches.size);
  });
}

}  // namespace

Patches make_patches(std::span<const Vec3> points, const GlrSettings& settings, std::uint32_t first_centre,
                     const ExecutionContext& context) {
  Patches patches;
  patches.size = std::min<std::size_t>(settings.patch_size, points.size());
  const auto wanted = static_cast<std::size_t>(settings.centre_rate * static_cast<double>(points.size()));
  patches.centres = farthest_point_sample(points, std::max<std::size_t>(wanted, 1), first_centre, context);
  patches.ranks.resize(patches.count());
  std::iota(patches.ranks.begin(), patches.ranks.end(), 0U);

  const NeighbourSearch search(points, context);
  gather_members(points, search, patches, context);
  cover_all_points(points, search, patches, context);
  sort_by_centre(patches);

  set_origins(points, settings, patches, context);
  return patches;
}

Patches make_patches_around(std::span<const Vec3> points, const NeighbourSearch& search,
                            std::span<const std::uint32_t> centres, const GlrSettings& settings,
                            const ExecutionContext& context) {
  Patches patches;
  patches.size = std::min<std::size_t>(settings.patch_size, points.size());
  patches.ranks.resize(centres.size());
  std::iota(patches.ranks.begin(), patches.ranks.end(), 0U);
  std::ranges::sort(patches.ranks, {}, [&](std::uint32_t rank) { return centres[rank]; });
  patches.centres.resize(centres.size());
  std::ranges::transform(patches.ranks, patches.centres.begin(), [&](std::uint32_t rank) { return centres[rank]; });
  gather_members(points, search, patches, context);
  set_origins(points, settings, patches, context);
  return patches;
}

Patches make_patches_again(std::span<const Vec3> points, const Patches& patches, const GlrSettings& settings,
                           const ExecutionContext& context) {
  Patches again = patches;
  again.members.clear();
  gather_members(points, NeighbourSearch(points, context), again, context);
  set_origins(points, settings, again, context);
  return again;
}

NodesOfPoints nodes_of_points(const Patches& patches, std::size_t points) {
  NodesOfPoints result;
  result.begin.assign(points + 1, 0);
  for (const std::uint32_t p : patches.members) {
    ++result.begin[p + 1];
  }
  std::partial_sum(result.begin.begin(), result.begin.end(), result.begin.begin());
  result.nodes.resize(patches.members.size());
  std::vector<std::uint32_t> next(result.begin.begin(), result.begin.end() - 1);
  for (std::size_t node = 0; node < patches.members.size(); ++node) {
    result.nodes[next[patches.members[node]]++] = static_cast<std::uint32_t>(node);
  }
  return result;
}

}  // namespace burnish::glr
