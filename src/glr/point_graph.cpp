#include "glr/point_graph.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/parallel.hpp"
#include "glr/lanes.hpp"

namespace burnish::glr {
namespace {

constexpr std::size_t block = 4096;

/// d²_mn for every slot: of one direction, or the mean of both (equation 28).
std::vector<double> pair_distances(const PatchGraph& graph, const Correspondences& correspondences, bool symmetric,
                                   const ExecutionContext& context) {
  std::vector<double> d2 = correspondences.squared_distances;
  if (symmetric) {
    parallel_for(context, graph.slots(), block, [&](std::size_t s) {
      d2[s] = (correspondences.squared_distances[s] + correspondences.squared_distances[graph.reverse[s]]) / 2.0;
    });
  }
  return d2;
}

/// Standard deviation of the values whose slot connects.
double standard_deviation(const std::vector<double>& values, const std::vector<std::uint8_t>& connects,
                          const ExecutionContext& context) {
  const auto sum_of = [&](const auto& term) {
    return parallel_sum(context, values.size(), block, 0.0, [&](std::size_t begin, std::size_t end) {
      double sum = 0.0;
      for (std::size_t s = begin; s < end; ++s) {
        sum += connects[s] != 0 ? term(values[s]) : 0.0;
      }
      return sum;
    });
  };
  const double count = std::max(sum_of([](double) { return 1.0; }), 1.0);  // a single patch connects to nothing
  const double mean = sum_of([](double v) { return v; }) / count;
  return std::sqrt(sum_of([&](double v) { return (v - mean) * (v - mean); }) / count);
}

/// Divides weights by a power of the degrees of the two patches (equation 7). The exponent there is −1/γ = −2, which
/// would make all weights vanish against μ; it is −γ here.
void normalise_by_patch_degree(const PatchGraph& graph, double gamma, std::vector<double>& weights,
                               const ExecutionContext& context) {
  const std::size_t patches = graph.begin.size() - 1;
  std::vector<double> factors(patches);
  parallel_for(context, patches, block, [&](std::size_t m) {
    double degree = 0.0;
    for (std::uint32_t s = graph.begin[m]; s < graph.begin[m + 1]; ++s) {
      degree += std::max(weights[s], weights[graph.reverse[s]]);
    }
    factors[m] = degree > 0.0 ? std::pow(degree, -gamma) : 0.0;
  });
  parallel_for(context, patches, block, [&](std::size_t m) {
    for (std::uint32_t s = graph.begin[m]; s < graph.begin[m + 1]; ++s) {
      weights[s] *= factors[m] * factors[graph.neighbours[s]];
    }
  });
}

/// The partners of reverse slots lie anywhere: asks the memory for those that are needed a few slots after s.
void prefetch_reverse(const PatchGraph& graph, const std::vector<std::uint8_t>& partners, std::size_t stride,
                      std::size_t s) {
  __builtin_prefetch(&partners[graph.reverse[std::min(s + 4, graph.slots() - 1)] * stride]);
}

/// Where two nodes are each other's partner, the edge of the patch that was chosen earlier goes.
void remove_second_edges(const Patches& patches, const PatchGraph& graph, Correspondences& correspondences,
                         const ExecutionContext& context) {
  correspondences.single_edges.resize(correspondences.partners.size());
  parallel_for(context, patches.count(), 256, [&](std::size_t m) {
    for (std::uint32_t s = graph.begin[m]; s < graph.begin[m + 1]; ++s) {
      prefetch_reverse(graph, correspondences.partners, correspondences.stride, s);
      const std::uint8_t* own = correspondences.partners_of(s);
      std::uint8_t* kept = &correspondences.single_edges[s * correspondences.stride];
      if (patches.ranks[graph.neighbours[s]] < patches.ranks[m]) {
        std::copy_n(own, correspondences.stride, kept);
        continue;
      }
      const std::uint8_t* other = correspondences.partners_of(graph.reverse[s]);
      for (std::size_t i = 0; i < correspondences.stride; ++i) {
        // Half of the edges are mutual, without pattern: no branch on it.
        const bool second = own[i] != Correspondences::no_partner && other[own[i]] == i;
        kept[i] = second ? Correspondences::no_partner : own[i];
      }
    }
  });
}

/// What the edges between two patches add to the degrees of one's nodes: `out` where a node has a partner among `own`,
/// `in` for every time it is a partner of the other's nodes. `stride` is that of the partners.
template <std::size_t LaneCount>
[[gnu::always_inline]] inline void add_degrees_body(const std::uint8_t* __restrict own, double out,
                                                    const std::uint8_t* __restrict other, double in, std::size_t stride,
                                                    double* __restrict degrees) {
  using Bytes [[gnu::vector_size(4)]] = std::uint8_t;
  using Ints [[gnu::vector_size(4 * sizeof(std::int32_t))]] = std::int32_t;
  using Doubles [[gnu::vector_size(4 * sizeof(double))]] = double;
  // Counted in four places in turn, so that one addition need not wait for another. What has no partner is counted
  // too, behind all nodes, where nothing is read.
  std::uint8_t counts[4][Correspondences::no_partner + 1];
  for (std::uint8_t* part : counts) {
    std::memset(part, 0, stride);
  }
  for (std::size_t j = 0; j < stride && in > 0.0; j += 4) {
    for (std::size_t part = 0; part < 4; ++part) {
      ++counts[part][other[j + part]];
    }
  }
  const auto read = [](const std::uint8_t* from) __attribute__((always_inline)) {
    Bytes bytes;
    std::memcpy(&bytes, from, sizeof bytes);
    return bytes;
  };
  for (std::size_t i = 0; i < stride; i += 4) {
    const Bytes times = read(counts[0] + i) + read(counts[1] + i) + read(counts[2] + i) + read(counts[3] + i);
    const Bytes once = reinterpret_cast<Bytes>(read(own + i) != Correspondences::no_partner) & 1;
    const Doubles is_partner = __builtin_convertvector(__builtin_convertvector(times, Ints), Doubles);
    const Doubles has_partner = __builtin_convertvector(__builtin_convertvector(once, Ints), Doubles);
    Doubles sums;
    std::memcpy(&sums, degrees + i, sizeof sums);
    sums += out * has_partner + in * is_partner;
    std::memcpy(degrees + i, &sums, sizeof sums);
  }
}

BURNISH_FOR_ALL_LANES(add_degrees,
                      (const std::uint8_t* own, double out, const std::uint8_t* other, double in, std::size_t stride,
                       double* degrees),
                      (own, out, other, in, stride, degrees))

}  // namespace

PointGraph make_point_graph(const Patches& patches, const PatchGraph& patch_graph, Correspondences& correspondences,
                            const GlrSettings& settings, double length, unsigned iteration,
                            const ExecutionContext& context) {
  if (!settings.symmetric_distance) {
    remove_second_edges(patches, patch_graph, correspondences, context);
  }
  PointGraph graph{patches, patch_graph, correspondences,
                   settings.symmetric_distance ? correspondences.partners : correspondences.single_edges,
                   std::vector<double>(patch_graph.slots(), 0.0)};
  const std::vector<double> d2 = pair_distances(patch_graph, correspondences, settings.symmetric_distance, context);
  if (settings.epsilon.empty()) {
    graph.epsilon = settings.epsilon_factor * std::sqrt(standard_deviation(d2, patch_graph.connects, context));
  } else {
    graph.epsilon = length * settings.epsilon[std::min<std::size_t>(iteration, settings.epsilon.size()) - 1];
  }
  const double r = settings.threshold > 0.0 ? length * settings.threshold : settings.threshold_factor * graph.epsilon;

  // Equation 8. All patches alike (ε = 0) are all connected with weight 1.
  const double falloff = graph.epsilon > 0.0 ? 1.0 / (2.0 * graph.epsilon * graph.epsilon) : 0.0;
  parallel_for(context, patch_graph.slots(), block, [&](std::size_t s) {
    if (patch_graph.connects[s] != 0 && d2[s] <= r * r) {
      graph.weights[s] = std::exp(-d2[s] * falloff);
    }
  });
  if (settings.normalisation == Normalisation::patch_degree) {
    normalise_by_patch_degree(patch_graph, settings.gamma, graph.weights, context);
  }
  if (settings.symmetric_distance) {
    for (double& weight : graph.weights) {
      weight /= 2.0;
    }
  }
  graph.manifold_dimension =  // equation 15
      parallel_sum(context, patch_graph.slots(), block, 0.0, [&](std::size_t begin, std::size_t end) {
        double sum = 0.0;
        for (std::size_t s = begin; s < end; ++s) {
          sum += graph.weights[s] * d2[s];
        }
        return sum;
      });
  return graph;
}

std::vector<double> PointGraph::sums_over_edges(const std::vector<double>* values,
                                                const ExecutionContext& context) const {
  const std::size_t k = patches.size;
  std::vector<double> result(patches.members.size());
  const std::vector<double> ones(k, 1.0);
  parallel_for(context, patches.count(), 256, [&](std::size_t m) {
    // What has no partner is added to places behind, a different one each time: no branch on it, and no addition that
    // waits for another.
    double sums[512] = {};
    for (std::uint32_t s = patch_graph.begin[m]; s < patch_graph.begin[m + 1]; ++s) {
      const std::uint32_t r = patch_graph.reverse[s];
      prefetch_reverse(patch_graph, partners, edges.stride, s);
      const double* others = values != nullptr ? &(*values)[patch_graph.neighbours[s] * k] : ones.data();
      const double weight_out = weights[s];
      const double weight_in = weights[r];
      const std::uint8_t* own = partners_of(s);
      const std::uint8_t* other = partners_of(r);
      if (values == nullptr) {
        add_degrees_any(own, weight_out, other, weight_in, edges.stride, sums);
      } else {
        for (std::size_t i = 0; i < k; ++i) {
          sums[i] += own[i] != Correspondences::no_partner ? weight_out * others[own[i]] : 0.0;
        }
        for (std::size_t i = 0; i < k; ++i) {
          sums[other[i] != Correspondences::no_partner ? other[i] : 256 + i] += weight_in * others[i];
        }
      }
      for (const InterpolatedPartner& plane : edges.interpolations_of(s)) {
        for (std::size_t c = 0; c < 3; ++c) {
          sums[plane.node] += weight_out * plane.shares[c] * others[plane.corners[c]];
        }
      }
      for (const InterpolatedPartner& plane : edges.interpolations_of(r)) {
        for (std::size_t c = 0; c < 3; ++c) {
          sums[plane.corners[c]] += weight_in * plane.shares[c] * others[plane.node];
        }
      }
    }
    std::copy_n(sums, k, &result[m * k]);
  });
  return result;
}

}  // namespace burnish::glr
