#include "glr/patch_graph.hpp"

#include <algorithm>
#include <numeric>

#include "burnish/neighbours.hpp"
#include "core/parallel.hpp"

namespace burnish::glr {
namespace {

/// For every patch the patches with the nearest centres, itself left out: `count` entries each.
std::vector<std::uint32_t> nearest_patches(std::span<const Vec3> points, const Patches& patches, std::size_t count,
                                           const ExecutionContext& context) {
  std::vector<Vec3> centres(patches.count());
  std::ranges::transform(patches.centres, centres.begin(), [&](std::uint32_t p) { return points[p]; });
  const NeighbourSearch search(centres, context);
  std::vector<std::uint32_t> nearest(patches.count() * count);
  parallel_blocks(context, patches.count(), 256, [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t> indices(count + 1);
    std::vector<double> distances(count + 1);
    for (std::size_t m = begin; m < end; ++m) {
      search.nearest(centres[m], indices, distances);
      std::ranges::remove_copy(indices, nearest.begin() + static_cast<std::ptrdiff_t>(m * count),
                               static_cast<std::uint32_t>(m));
    }
  });
  return nearest;
}

}  // namespace

PatchGraph make_patch_graph(std::span<const Vec3> points, const Patches& patches, const GlrSettings& settings,
                            const ExecutionContext& context) {
  const std::size_t count = std::min<std::size_t>(settings.patch_neighbours, patches.count() - 1);
  const std::vector<std::uint32_t> nearest = nearest_patches(points, patches, count, context);
  const auto nearest_of = [&](std::size_t m) { return std::span(nearest).subspan(m * count, count); };

  // Who has m among its nearest, by counting.
  std::vector<std::uint32_t> chosen_begin(patches.count() + 1, 0);
  for (const std::uint32_t n : nearest) {
    ++chosen_begin[n + 1];
  }
  std::partial_sum(chosen_begin.begin(), chosen_begin.end(), chosen_begin.begin());
  std::vector<std::uint32_t> chosen_by(nearest.size());
  std::vector<std::uint32_t> next(chosen_begin.begin(), chosen_begin.end() - 1);
  for (std::size_t m = 0; m < patches.count(); ++m) {
    for (const std::uint32_t n : nearest_of(m)) {
      chosen_by[next[n]++] = static_cast<std::uint32_t>(m);
    }
  }

  PatchGraph graph;
  graph.begin.assign(patches.count() + 1, 0);
  graph.neighbours.reserve(2 * nearest.size());
  std::vector<std::uint32_t> own(count);
  for (std::size_t m = 0; m < patches.count(); ++m) {
    std::ranges::copy(nearest_of(m), own.begin());
    std::ranges::sort(own);
    std::ranges::set_union(own, std::span(chosen_by).subspan(chosen_begin[m], chosen_begin[m + 1] - chosen_begin[m]),
                           std::back_inserter(graph.neighbours));
    graph.begin[m + 1] = static_cast<std::uint32_t>(graph.neighbours.size());
  }

  graph.reverse.resize(graph.slots());
  graph.connects.resize(graph.slots());
  parallel_for(context, patches.count(), 256, [&](std::size_t m) {
    for (std::uint32_t s = graph.begin[m]; s < graph.begin[m + 1]; ++s) {
      const std::uint32_t n = graph.neighbours[s];
      const auto other = std::span(graph.neighbours).subspan(graph.begin[n], graph.begin[n + 1] - graph.begin[n]);
      const auto found = std::ranges::lower_bound(other, static_cast<std::uint32_t>(m));
      graph.reverse[s] = graph.begin[n] + static_cast<std::uint32_t>(found - other.begin());
      const bool chosen = std::ranges::find(nearest_of(m), n) != nearest_of(m).end();
      graph.connects[s] = settings.symmetric_distance || chosen ? 1 : 0;
    }
  });
  return graph;
}

}  // namespace burnish::glr
