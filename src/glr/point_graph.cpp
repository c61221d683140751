#include "glr/point_graph.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/math.hpp"
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
    factors[m] = degree > 0.0 ? math::pow(degree, -gamma) : 0.0;
  });
  parallel_for(context, patches, block, [&](std::size_t m) {
    for (std::uint32_t s = graph.begin[m]; s < graph.begin[m + 1]; ++s) {
      weights[s] *= factors[m] * factors[graph.neighbours[s]];
    }
  });
}

/// What the edges between two patches add to the degrees of one's nodes: `out` where a node has a partner among `own`,
/// `in` for every time it is a partner of the other's nodes. `stride` is a multiple of 16.
template <std::size_t LaneCount>
[[gnu::always_inline]] inline void add_degrees_body(const std::uint8_t* own, std::uint8_t none, double out,
                                                    const std::uint8_t* counts, double in, std::size_t stride,
                                                    double* degrees) {
  using Bytes [[gnu::vector_size(16)]] = std::uint8_t;
  using Ints [[gnu::vector_size(4 * sizeof(std::int32_t))]] = std::int32_t;
  using Doubles [[gnu::vector_size(4 * sizeof(double))]] = double;
  for (std::size_t begin = 0; begin < stride; begin += sizeof(Bytes)) {
    Bytes partners;
    Bytes times;
    std::memcpy(&partners, own + begin, sizeof partners);
    std::memcpy(&times, counts + begin, sizeof times);
    const Bytes once = reinterpret_cast<Bytes>(partners != none) & 1;
    const auto add = [&](std::size_t i, const Ints& has, const Ints& is) __attribute__((always_inline)) {
      Doubles sums;
      std::memcpy(&sums, degrees + begin + i, sizeof sums);
      sums += out * __builtin_convertvector(has, Doubles) + in * __builtin_convertvector(is, Doubles);
      std::memcpy(degrees + begin + i, &sums, sizeof sums);
    };
    // Bytes between zeros are whole numbers.
    const Bytes zeros{};
    const auto widen = [&](const Bytes& bytes, auto first) __attribute__((always_inline)) {
      constexpr int f = decltype(first)::value;
      return reinterpret_cast<Ints>(__builtin_shufflevector(bytes, zeros, f, 16, 16, 16, f + 1, 16, 16, 16, f + 2, 16,
                                                            16, 16, f + 3, 16, 16, 16));
    };
    add(0, widen(once, std::integral_constant<int, 0>{}), widen(times, std::integral_constant<int, 0>{}));
    add(4, widen(once, std::integral_constant<int, 4>{}), widen(times, std::integral_constant<int, 4>{}));
    add(8, widen(once, std::integral_constant<int, 8>{}), widen(times, std::integral_constant<int, 8>{}));
    add(12, widen(once, std::integral_constant<int, 12>{}), widen(times, std::integral_constant<int, 12>{}));
  }
}

BURNISH_FOR_ALL_LANES(add_degrees,
                      (const std::uint8_t* own, std::uint8_t none, double out, const std::uint8_t* counts, double in,
                       std::size_t stride, double* degrees),
                      (own, none, out, counts, in, stride, degrees))

}  // namespace

PointGraph make_point_graph(const Patches& patches, const PatchGraph& patch_graph,
                            const Correspondences& correspondences, const PointEdges& edges,
                            const GlrSettings& settings, double length, unsigned iteration,
                            const ExecutionContext& context, std::span<const double> noise) {
  PointGraph graph{patches, patch_graph, correspondences, edges, std::vector<double>(patch_graph.slots(), 0.0)};
  std::vector<double> d2 = pair_distances(patch_graph, correspondences, settings.symmetric_distance, context);
  if (!noise.empty()) {
    parallel_for(context, patches.count(), block, [&](std::size_t m) {
      for (std::uint32_t s = patch_graph.begin[m]; s < patch_graph.begin[m + 1]; ++s) {
        d2[s] /= 0.5 * (noise[m] + noise[patch_graph.neighbours[s]]);
      }
    });
  }
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
      graph.weights[s] = math::exp(-d2[s] * falloff);
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

void PointGraph::degrees(std::size_t m, double* degrees) const {
  double sums[patch_capacity] = {};
  for (std::uint32_t s = patch_graph.begin[m]; s < patch_graph.begin[m + 1]; ++s) {
    const std::uint32_t r = patch_graph.reverse[s];
    // What belongs to reverse slots lies anywhere: the memory is asked for it in time.
    __builtin_prefetch(edges.counts_of(patch_graph.reverse[std::min<std::size_t>(s + 24, patch_graph.slots() - 1)]));
    add_degrees_any(edges.partners_of(s), edges.none, weights[s], edges.counts_of(r), weights[r], edges.stride, sums);
    for (const InterpolatedPartner& plane : correspondences.interpolations_of(s)) {
      sums[plane.node] += weights[s] * (plane.shares[0] + plane.shares[1] + plane.shares[2]);
    }
    for (const InterpolatedPartner& plane : correspondences.interpolations_of(r)) {
      for (std::size_t c = 0; c < 3; ++c) {
        sums[plane.corners[c]] += weights[r] * plane.shares[c];
      }
    }
  }
  std::copy_n(sums, patches.size, degrees);
}

std::vector<double> PointGraph::sums_over_edges(const std::vector<double>& values,
                                                const ExecutionContext& context) const {
  const std::size_t k = patches.size;
  std::vector<double> result(patches.members.size());
  parallel_for(context, patches.count(), 256, [&](std::size_t m) {
    double sums[patch_capacity] = {};
    for (std::uint32_t s = patch_graph.begin[m]; s < patch_graph.begin[m + 1]; ++s) {
      const std::uint32_t r = patch_graph.reverse[s];
      const double* others = &values[patch_graph.neighbours[s] * k];
      for (std::size_t i = 0; i < k; ++i) {
        const std::uint8_t partner = edges.partners_of(s)[i];
        sums[i] += partner != edges.none ? weights[s] * others[partner] : 0.0;
        sums[edges.partners_of(r)[i]] += weights[r] * others[i];  // behind all nodes where there is no partner
      }
      for (const InterpolatedPartner& plane : correspondences.interpolations_of(s)) {
        for (std::size_t c = 0; c < 3; ++c) {
          sums[plane.node] += weights[s] * plane.shares[c] * others[plane.corners[c]];
        }
      }
      for (const InterpolatedPartner& plane : correspondences.interpolations_of(r)) {
        for (std::size_t c = 0; c < 3; ++c) {
          sums[plane.corners[c]] += weights[r] * plane.shares[c] * others[plane.node];
        }
      }
    }
    std::copy_n(sums, k, &result[m * k]);
  });
  return result;
}

}  // namespace burnish::glr
