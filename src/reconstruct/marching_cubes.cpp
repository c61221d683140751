#include "reconstruct/marching_cubes.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/parallel.hpp"
#include "reconstruct/cube_triangles.hpp"

namespace burnish::reconstruct {
namespace {

/// Vertices keep this part of an edge from its ends, so that no triangle shrinks to a line where points lie on nodes.
constexpr double least_part = 1e-3;

struct Corner {
  Node node;
  double distance;
};

Vec3 place_of(const Node& node) {
  return {static_cast<double>(node[0]), static_cast<double>(node[1]), static_cast<double>(node[2])};
}

Vec3 crossing(const Corner& low, const Corner& high) {
  const double part = std::clamp(low.distance / (low.distance - high.distance), least_part, 1.0 - least_part);
  return place_of(low.node) + part * (place_of(high.node) - place_of(low.node));
}

/// Axis 0 to 2: the edge from the node along that axis; above, a vertex within the cube at the node.
std::uint64_t key_of(const Node& node, unsigned kind) {
  static_assert(most_nodes == 1 << 20);
  std::uint64_t key = kind;
  for (const std::int32_t place : node) {
    key = key << 20 | static_cast<std::uint64_t>(place);
  }
  return key;
}

class BrickMarch {
 public:
  void cube(const std::array<Corner, 8>& corners) {
    unsigned inside = 0;
    for (unsigned c = 0; c < 8; ++c) {
      if (std::isnan(corners[c].distance)) {
        return;
      }
      inside |= static_cast<unsigned>(corners[c].distance < 0.0) << c;
    }
    const CubeTriangles& shape = cube_triangles()[inside];
    std::array<std::uint32_t, 16> vertices{};
    for (std::uint8_t e = 0; e < 12; ++e) {
      const auto [a, b] = edge_corners(e);
      if ((inside >> a & 1U) != (inside >> b & 1U)) {
        vertices[e] = vertex(key_of(corners[a].node, e / 4U), crossing(corners[a], corners[b]));
      }
    }
    for (std::size_t c = 0; c < shape.centres.size(); ++c) {
      Vec3 sum = Vec3::Zero();
      for (const std::uint8_t e : shape.centres[c]) {
        sum += mesh.vertices[vertices[e]];
      }
      vertices[12 + c] = vertex(key_of(corners[0].node, 3U + static_cast<unsigned>(c)),
                                sum / static_cast<double>(shape.centres[c].size()));
    }
    for (const auto& [a, b, c] : shape.triangles) {
      mesh.triangles.push_back({vertices[a], vertices[b], vertices[c]});
    }
  }

  BrickMesh mesh;

 private:
  std::uint32_t vertex(std::uint64_t key, const Vec3& place) {
    const auto [found, is_new] = numbers_.try_emplace(key, static_cast<std::uint32_t>(mesh.keys.size()));
    if (is_new) {
      mesh.keys.push_back(key);
      mesh.vertices.push_back(place);
    }
    return found->second;
  }

  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
};

}  // namespace

BrickMesh march(const Brick& brick, const BrickDistances& distances) {
  BrickMarch run;
  std::array<Corner, 8> corners{};
  for (std::int32_t z = 0; z < brick_cells; ++z) {
    for (std::int32_t y = 0; y < brick_cells; ++y) {
      for (std::int32_t x = 0; x < brick_cells; ++x) {
        for (std::int32_t c = 0; c < 8; ++c) {
          const Node at{x + (c & 1), y + (c >> 1 & 1), z + (c >> 2 & 1)};
          corners[static_cast<std::size_t>(c)] = {
              {brick.first[0] + at[0], brick.first[1] + at[1], brick.first[2] + at[2]},
              distances[node_index(at[0], at[1], at[2])]};
        }
        run.cube(corners);
      }
    }
  }
  return std::move(run.mesh);
}

TriangleMesh join(const std::vector<BrickMesh>& bricks, const ExecutionContext& context) {
  struct Use {
    std::uint64_t key;
    std::uint32_t brick;
    std::uint32_t vertex;
  };
  std::vector<Use> uses;
  for (std::uint32_t b = 0; b < bricks.size(); ++b) {
    for (std::uint32_t v = 0; v < bricks[b].keys.size(); ++v) {
      uses.push_back({bricks[b].keys[v], b, v});
    }
  }
  // The first brick that has a vertex numbers it, so that those of a brick stay together.
  parallel_sort(context, uses,
                [](const Use& a, const Use& b) { return a.key != b.key ? a.key < b.key : a.brick < b.brick; });
  std::vector<std::vector<Use>> firsts(bricks.size());
  for (std::size_t b = 0; b < bricks.size(); ++b) {
    firsts[b].resize(bricks[b].keys.size());
  }
  for (std::size_t i = 0, first = 0; i < uses.size(); ++i) {
    first = i > 0 && uses[i].key == uses[i - 1].key ? first : i;
    firsts[uses[i].brick][uses[i].vertex] = uses[first];
  }
  TriangleMesh mesh;
  std::vector<std::vector<std::uint32_t>> numbers(bricks.size());
  for (std::uint32_t b = 0; b < bricks.size(); ++b) {
    numbers[b].resize(bricks[b].keys.size());
    for (std::uint32_t v = 0; v < numbers[b].size(); ++v) {
      const Use& first = firsts[b][v];
      if (first.brick == b) {
        numbers[b][v] = static_cast<std::uint32_t>(mesh.vertices.size());
        mesh.vertices.push_back(bricks[b].vertices[v]);
      } else {
        numbers[b][v] = numbers[first.brick][first.vertex];
      }
    }
    for (const auto& [i, j, k] : bricks[b].triangles) {
      mesh.triangles.push_back({numbers[b][i], numbers[b][j], numbers[b][k]});
    }
  }
  return mesh;
}

}  // namespace burnish::reconstruct
