#include "glr/point_graph.hpp"

#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"

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

/// Marks the edges that are found from both sides.
std::vector<std::uint8_t> find_mutual(const Patches& patches, const PatchGraph& graph,
                                      const Correspondences& correspondences, const ExecutionContext& context) {
  std::vector<std::uint8_t> mutual(correspondences.partners.size(), 0);
  parallel_for(context, patches.count(), 256, [&](std::size_t m) {
    for (std::uint32_t s = graph.begin[m]; s < graph.begin[m + 1]; ++s) {
      const std::uint8_t* own = correspondences.partners_of(s);
      const std::uint8_t* other = correspondences.partners_of(graph.reverse[s]);
      std::uint8_t* row = &mutual[s * correspondences.stride];
      for (std::size_t i = 0; i < patches.size; ++i) {
        // Half of the edges are mutual, without pattern: no branch on it.
        row[i] = own[i] != Correspondences::no_partner ? static_cast<std::uint8_t>(other[own[i]] == i) : 0;
      }
    }
  });
  return mutual;
}

}  // namespace

PointGraph make_point_graph(const Patches& patches, const PatchGraph& patch_graph,
                            const Correspondences& correspondences, const GlrSettings& settings, double length,
                            unsigned iteration, const ExecutionContext& context) {
  PointGraph graph{patches, patch_graph, correspondences, {}, {}};
  graph.mutual = find_mutual(patches, patch_graph, correspondences, context);
  const std::vector<double> d2 = pair_distances(patch_graph, correspondences, settings.symmetric_distance, context);
  if (settings.epsilon.empty()) {
    graph.epsilon = settings.epsilon_factor * std::sqrt(standard_deviation(d2, patch_graph.connects, context));
  } else {
    graph.epsilon = length * settings.epsilon[std::min<std::size_t>(iteration, settings.epsilon.size()) - 1];
  }
  const double r = settings.threshold > 0.0 ? length * settings.threshold : settings.threshold_factor * graph.epsilon;

  // Equation 8. All patches alike (ε = 0) are all connected with weight 1.
  const double falloff = graph.epsilon > 0.0 ? 1.0 / (2.0 * graph.epsilon * graph.epsilon) : 0.0;
  std::vector<double> weights(patch_graph.slots(), 0.0);
  parallel_for(context, patch_graph.slots(), block, [&](std::size_t s) {
    if (patch_graph.connects[s] != 0 && d2[s] <= r * r) {
      weights[s] = std::exp(-d2[s] * falloff);
    }
  });
  if (settings.normalisation == Normalisation::patch_degree) {
    normalise_by_patch_degree(patch_graph, settings.gamma, weights, context);
  }

  // A symmetric pair is the mean of its two directions, so that the edges of either carry half of its weight. Where the
  // directions stand alone, an edge found from both sides has the weight of the patch that was chosen later.
  graph.weights.resize(patch_graph.slots());
  parallel_for(context, patches.count(), block, [&](std::size_t m) {
    for (std::uint32_t s = patch_graph.begin[m]; s < patch_graph.begin[m + 1]; ++s) {
      const bool later = patches.ranks[m] > patches.ranks[patch_graph.neighbours[s]];
      const double shared = 0.5 * weights[later ? s : patch_graph.reverse[s]];
      graph.weights[s] = {settings.symmetric_distance ? shared : weights[s], shared};
    }
  });

  // Equation 15; a symmetric pair stands in two slots.
  const double share = settings.symmetric_distance ? 0.5 : 1.0;
  graph.manifold_dimension =
      share * parallel_sum(context, patch_graph.slots(), block, 0.0, [&](std::size_t begin, std::size_t end) {
        double sum = 0.0;
        for (std::size_t s = begin; s < end; ++s) {
          sum += weights[s] * d2[s];
        }
        return sum;
      });
  return graph;
}

std::vector<double> PointGraph::sums_over_edges(const std::vector<double>* values,
                                                const ExecutionContext& context) const {
  const std::size_t k = patches.size;
  std::vector<double> result(patches.members.size());
  parallel_for(context, patches.count(), 256, [&](std::size_t m) {
    double* sums = &result[m * k];
    for (std::uint32_t s = patch_graph.begin[m]; s < patch_graph.begin[m + 1]; ++s) {
      const double* others = values != nullptr ? &(*values)[patch_graph.neighbours[s] * k] : nullptr;
      const auto value = [&](std::size_t j) { return others != nullptr ? others[j] : 1.0; };
      for_each_edge(s, [&](std::size_t i, std::size_t j, double weight) { sums[i] += weight * value(j); });
      for_each_edge(patch_graph.reverse[s],
                    [&](std::size_t j, std::size_t i, double weight) { sums[i] += weight * value(j); });
    }
  });
  return result;
}

}  // namespace burnish::glr
