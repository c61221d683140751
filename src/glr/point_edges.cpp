#include "glr/point_edges.hpp"

#include <algorithm>
#include <cstring>

#include "core/parallel.hpp"
#include "glr/lanes.hpp"

namespace burnish::glr {
namespace {

/// One of these holds a patch of the usual size.
using PartnerBytes [[gnu::vector_size(32)]] = std::uint8_t;
constexpr PartnerBytes places = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

/// Whether whole vectors of a patch are one of these.
constexpr bool fills(std::size_t count) { return whole_vectors(count) == sizeof(PartnerBytes); }

/// table[place % 32] for every place.
[[gnu::always_inline]] inline void look_up(const PartnerBytes& table, const PartnerBytes& at, PartnerBytes& result) {
#if defined(__clang__)
  for (std::size_t i = 0; i < sizeof(PartnerBytes); ++i) {
    result[i] = table[at[i] % sizeof(PartnerBytes)];
  }
#else
  result = __builtin_shuffle(table, at);
#endif
}

/// The partners of a slot without those that are second edges: `other` are the partners of the reverse slot.
template <std::size_t LaneCount>
[[gnu::always_inline]] inline void keep_single_body(const std::uint8_t* own, const std::uint8_t* other,
                                                    std::size_t count, std::uint8_t none, std::uint8_t* kept) {
  if (LaneCount > 4 && fills(count)) {
    PartnerBytes mine;
    PartnerBytes theirs;
    std::memcpy(&mine, own, sizeof mine);
    std::memcpy(&theirs, other, sizeof theirs);
    PartnerBytes partners_of_partners;  // of no_partner: some, which does not matter
    look_up(theirs, mine, partners_of_partners);
    const PartnerBytes result =
        ((partners_of_partners == places) | (mine == Correspondences::no_partner)) ? PartnerBytes{} + none : mine;
    std::memcpy(kept, &result, count);
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    // Half of the edges are mutual, without pattern: no branch on it.
    const bool has_partner = own[i] != Correspondences::no_partner;
    const bool second = other[has_partner ? own[i] : 0] == i;
    kept[i] = has_partner && !second ? own[i] : none;
  }
}

BURNISH_FOR_ALL_LANES(keep_single,
                      (const std::uint8_t* own, const std::uint8_t* other, std::size_t count, std::uint8_t none,
                       std::uint8_t* kept),
                      (own, other, count, none, kept))

/// How often each of `count` numbers is among as many partners.
template <std::size_t LaneCount>
[[gnu::always_inline]] inline void count_partners_body(const std::uint8_t* partners, std::size_t count,
                                                       std::uint8_t* counts) {
  if (LaneCount > 4 && fills(count)) {
    PartnerBytes result{};
    for (std::size_t j = 0; j < count; ++j) {
      result -= reinterpret_cast<PartnerBytes>(places == partners[j]);  // true is −1
    }
    std::memcpy(counts, &result, count);
    return;
  }
  std::uint8_t found[patch_capacity] = {};
  for (std::size_t j = 0; j < count; ++j) {
    ++found[partners[j]];
  }
  std::memcpy(counts, found, count);
}

BURNISH_FOR_ALL_LANES(count_partners, (const std::uint8_t* partners, std::size_t count, std::uint8_t* counts),
                      (partners, count, counts))

}  // namespace

void PointEdges::update(const Patches& patches, const PatchGraph& graph, const Correspondences& correspondences,
                        bool symmetric, Reuse before, const ExecutionContext& context) {
  const std::size_t k = patches.size;
  if (before == Reuse::none) {
    stride = correspondences.stride;
    none = static_cast<std::uint8_t>(k);
    partners.assign(graph.slots() * stride, none);
    counts.assign(graph.slots() * stride, 0);
  }
  parallel_for(context, patches.count(), 256, [&](std::size_t m) {
    for (std::uint32_t s = graph.begin[m]; s < graph.begin[m + 1]; ++s) {
      const std::uint32_t r = graph.reverse[s];
      const bool changed = before == Reuse::none || correspondences.changed[s] != 0 || correspondences.changed[r] != 0;
      if (graph.connects[s] == 0 || !changed) {
        continue;
      }
      const std::uint8_t* own = correspondences.partners_of(s);
      std::uint8_t* kept = &partners[s * stride];
      if (!symmetric && patches.ranks[graph.neighbours[s]] > patches.ranks[m]) {
        keep_single_any(own, correspondences.partners_of(r), k, none, kept);
      } else {
        std::replace_copy(own, own + k, kept, Correspondences::no_partner, none);
      }
      count_partners_any(kept, k, &counts[s * stride]);
    }
  });
}

}  // namespace burnish::glr
