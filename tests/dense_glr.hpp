#pragma once

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "glr/laplacian.hpp"
#include "glr/patch_distance.hpp"
#include "glr/patch_graph.hpp"
#include "glr/patches.hpp"
#include "glr/point_graph.hpp"

// The stages of one iteration of the method, and the same from the definitions with dense matrices over all nodes:
// slow, plain, and sharing no code with the library beyond its data types.

namespace burnish::glr {

/// Runs the stages one after the other. Not copied: later stages refer to earlier ones.
struct Stages {
  std::vector<Vec3> points;
  GlrSettings settings;
  double length;
  ExecutionContext context{};
  Patches patches = make_patches(points, settings, 0, context);
  PatchGraph patch_graph = make_patch_graph(points, patches, settings, context);
  NodesOfPoints nodes = nodes_of_points(patches, points.size());
  const Correspondences correspondences = corresponding();
  const PointEdges edges = connecting();
  PointGraph graph = make_point_graph(patches, patch_graph, correspondences, edges, settings, length, 1, context);
  LaplacianAssembler assembler{};
  const PointLaplacian& laplacian = assembler.assemble(graph, nodes, settings, context);

  Stages(std::vector<Vec3> cloud, GlrSettings glr_settings, double unit)
      : points(std::move(cloud)), settings(std::move(glr_settings)), length(unit) {}
  Stages(const Stages&) = delete;
  Stages& operator=(const Stages&) = delete;

  /// Calls visit(m, s, n) for every slot s: m → n.
  template <class Visit>
  void for_each_slot(const Visit& visit) const {
    for (std::size_t m = 0; m < patches.count(); ++m) {
      for (std::uint32_t s = patch_graph.begin[m]; s < patch_graph.begin[m + 1]; ++s) {
        visit(m, s, static_cast<std::size_t>(patch_graph.neighbours[s]));
      }
    }
  }

  /// SᵀL_pS + μI as the library multiplies with it, one unit vector after the other.
  [[nodiscard]] Eigen::MatrixXd matrix(double mu) const {
    const auto count = static_cast<Eigen::Index>(points.size());
    Eigen::MatrixXd result(count, count);
    std::vector<Quad> x(points.size(), Quad::Zero());
    std::vector<Quad> y(points.size());
    for (Eigen::Index column = 0; column < count; ++column) {
      x[static_cast<std::size_t>(column)].x() = 1.0;
      laplacian.multiply(mu, x, y, context);
      for (Eigen::Index row = 0; row < count; ++row) {
        result(row, column) = y[static_cast<std::size_t>(row)].x();
      }
      x[static_cast<std::size_t>(column)].x() = 0.0;
    }
    return result;
  }

 private:
  Correspondences corresponding() const {
    Correspondences result;
    find_correspondences(points, patches, patch_graph, settings.interpolation, length * settings.interpolation_distance,
                         result, context);
    return result;
  }
  PointEdges connecting() const {
    PointEdges result;
    result.update(patches, patch_graph, correspondences, settings.symmetric_distance, Reuse::none, context);
    return result;
  }
};

/// A patch as another one sees it: points relative to the patch's origin, split along the normal of the reference plane
/// (equations 29 and 30, by singular values instead of the covariance).
struct PatchView {
  Vec3 normal;
  std::vector<Vec3> in_plane;
  std::vector<double> height;

  PatchView(const Stages& stages, std::size_t patch, const Vec3& reference_normal) : normal(reference_normal) {
    for (const std::uint32_t p : stages.patches.patch(patch)) {
      const Vec3 local = stages.points[p] - stages.patches.origins[patch];
      height.push_back(local.dot(normal));
      in_plane.emplace_back(local - height.back() * normal);
    }
  }

  static Vec3 normal_of(const Stages& stages, std::size_t patch) {
    Eigen::Matrix3Xd local(3, static_cast<Eigen::Index>(stages.patches.size));
    for (Eigen::Index i = 0; i < local.cols(); ++i) {
      local.col(i) = stages.points[stages.patches.patch(patch)[static_cast<std::size_t>(i)]];
    }
    local.colwise() -= local.rowwise().mean().eval();
    return Eigen::JacobiSVD<Eigen::Matrix3Xd>(local, Eigen::ComputeFullU).matrixU().col(2);
  }
};

using Edges = std::map<std::pair<Eigen::Index, Eigen::Index>, double>;

/// The weights of the slots: equations 7, 8 and 28, with exponent −γ.
inline std::vector<double> dense_slot_weights(const Stages& stages) {
  const GlrSettings& settings = stages.settings;
  const PatchGraph& patch_graph = stages.patch_graph;
  std::vector<double> d2 = stages.correspondences.squared_distances;
  std::vector<double> connected;
  stages.for_each_slot([&](std::size_t, std::uint32_t s, std::size_t) {
    if (settings.symmetric_distance) {
      d2[s] = 0.5 * stages.correspondences.squared_distances[s] +
              0.5 * stages.correspondences.squared_distances[patch_graph.reverse[s]];
    }
    if (patch_graph.connects[s] != 0) {
      connected.push_back(d2[s]);
    }
  });
  double epsilon = 0.0;
  if (settings.epsilon.empty()) {
    const Eigen::Map<const Eigen::ArrayXd> values(connected.data(), static_cast<Eigen::Index>(connected.size()));
    epsilon = settings.epsilon_factor * std::sqrt(std::sqrt((values - values.mean()).square().mean()));
  } else {
    epsilon = stages.length * settings.epsilon.front();
  }
  const double r = settings.threshold > 0.0 ? stages.length * settings.threshold : settings.threshold_factor * epsilon;

  std::vector<double> psi(d2.size(), 0.0);
  const auto count = static_cast<Eigen::Index>(stages.patches.count());
  Eigen::MatrixXd weight = Eigen::MatrixXd::Zero(count, count);
  stages.for_each_slot([&](std::size_t m, std::uint32_t s, std::size_t n) {
    if (patch_graph.connects[s] != 0 && std::sqrt(d2[s]) <= r) {
      psi[s] = std::exp(-d2[s] / (2.0 * epsilon * epsilon));
      weight(static_cast<Eigen::Index>(m), static_cast<Eigen::Index>(n)) = psi[s];
    }
  });
  if (settings.normalisation == Normalisation::patch_degree) {
    // Patches are neighbours by the nearer of their two directions.
    const Eigen::VectorXd rho = weight.cwiseMax(weight.transpose()).rowwise().sum();
    stages.for_each_slot([&](std::size_t m, std::uint32_t s, std::size_t n) {
      psi[s] *= psi[s] == 0.0
                    ? 0.0
                    : std::pow(rho(static_cast<Eigen::Index>(m)) * rho(static_cast<Eigen::Index>(n)), -settings.gamma);
    });
  }
  return psi;
}

/// The edges of the graph of corresponding points, as point_graph.hpp defines them.
inline Edges dense_edges(const Stages& stages) {
  const std::vector<double> weights = dense_slot_weights(stages);
  const std::size_t k = stages.patches.size;
  const auto node = [&](std::size_t patch, std::size_t place) { return static_cast<Eigen::Index>(patch * k + place); };
  Edges edges;
  std::map<std::pair<Eigen::Index, Eigen::Index>, std::size_t> rank_of_finder;
  stages.for_each_slot([&](std::size_t m, std::uint32_t s, std::size_t n) {
    if (stages.patch_graph.connects[s] == 0) {
      return;
    }
    for (std::size_t i = 0; i < k; ++i) {
      const std::uint8_t partner = stages.correspondences.partners_of(s)[i];
      if (partner == Correspondences::no_partner) {
        continue;
      }
      const auto key = std::minmax({node(m, i), node(n, partner)});
      if (stages.settings.symmetric_distance) {
        edges[key] += 0.5 * weights[s];  // the mean of both directions
        continue;
      }
      // One direction alone: of an edge found from both sides the weight of the later patch stands.
      const auto [found, fresh] = rank_of_finder.try_emplace(key, stages.patches.ranks[m]);
      if (fresh || stages.patches.ranks[m] > found->second) {
        edges[key] = weights[s];
        found->second = stages.patches.ranks[m];
      }
    }
  });
  for (const InterpolatedPartner& plane : stages.correspondences.interpolations) {
    const auto owner =
        std::ranges::upper_bound(stages.patch_graph.begin, plane.slot) - stages.patch_graph.begin.begin();
    const std::size_t m = static_cast<std::size_t>(owner) - 1;
    const std::size_t n = stages.patch_graph.neighbours[plane.slot];
    for (std::size_t c = 0; c < 3; ++c) {
      const auto key = std::minmax({node(m, plane.node), node(n, plane.corners[c])});
      edges[key] += (stages.settings.symmetric_distance ? 0.5 : 1.0) * weights[plane.slot] * plane.shares[c];
    }
  }
  return edges;
}

/// L_p over all nodes, S and C.
struct DenseGlr {
  Eigen::MatrixXd laplacian;
  Eigen::MatrixXd sampling;
  Eigen::MatrixXd centring;

  explicit DenseGlr(const Stages& stages) {
    const auto count = static_cast<Eigen::Index>(stages.patches.members.size());
    Eigen::MatrixXd adjacency = Eigen::MatrixXd::Zero(count, count);
    for (const auto& [ends, weight] : dense_edges(stages)) {
      adjacency(ends.first, ends.second) = weight;
      adjacency(ends.second, ends.first) = weight;
    }
    const Eigen::VectorXd degrees = adjacency.rowwise().sum();
    const Eigen::VectorXd scale = degrees.unaryExpr([](double d) { return d > 0.0 ? 1.0 / std::sqrt(d) : 0.0; });
    const bool normalised = stages.settings.laplacian == Laplacian::normalised;
    if (normalised || stages.settings.normalisation == Normalisation::node_degree) {
      adjacency = scale.asDiagonal() * adjacency * scale.asDiagonal();
    }
    const Eigen::VectorXd diagonal = normalised ? Eigen::VectorXd((degrees.array() > 0.0).cast<double>())
                                                : Eigen::VectorXd(adjacency.rowwise().sum());
    laplacian = -adjacency;
    laplacian.diagonal() += diagonal;

    sampling = Eigen::MatrixXd::Zero(count, static_cast<Eigen::Index>(stages.points.size()));
    centring = Eigen::MatrixXd(count, 3);
    for (Eigen::Index node = 0; node < count; ++node) {
      sampling(node, stages.patches.members[static_cast<std::size_t>(node)]) = 1.0;
      centring.row(node) = stages.patches.origins[static_cast<std::size_t>(node) / stages.patches.size].transpose();
    }
  }
};

}  // namespace burnish::glr
