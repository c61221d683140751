#include "burnish/reconstruct.hpp"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "burnish/error.hpp"
#include "burnish/estimate.hpp"
#include "reconstruct/marching_cubes.hpp"
#include "test_clouds.hpp"

namespace burnish {
namespace {

/// What can be said of a mesh by counting.
struct Topology {
  std::size_t border_edges = 0;
  /// Edges with more than two triangles, or two that do not go opposite ways along it.
  std::size_t bad_edges = 0;
  /// Vertices whose triangles do not make one fan or one ring.
  std::size_t bad_vertices = 0;
  long euler = 0;
  double volume = 0.0;
};

Topology topology_of(const TriangleMesh& mesh) {
  Topology result;
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> ways;
  std::vector<std::map<std::uint32_t, std::uint32_t>> next(mesh.vertices.size());  // around each vertex
  for (const auto& t : mesh.triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      ++ways[{t[k], t[(k + 1) % 3]}];
      result.bad_vertices += next[t[k]].emplace(t[(k + 1) % 3], t[(k + 2) % 3]).second ? 0 : 1;
    }
    result.volume += mesh.vertices[t[0]].dot(mesh.vertices[t[1]].cross(mesh.vertices[t[2]])) / 6.0;
  }
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (const auto& [edge, count] : ways) {
    edges.insert(std::minmax(edge.first, edge.second));
    result.bad_edges += count > 1 ? 1 : 0;
    result.border_edges += ways.contains({edge.second, edge.first}) ? 0 : 1;
  }
  for (const auto& around : next) {
    if (around.empty()) {
      ++result.bad_vertices;  // no triangle
      continue;
    }
    std::set<std::uint32_t> ends;
    for (const auto& [from, to] : around) {
      ends.insert(to);
    }
    auto start = around.begin();
    for (auto at = around.begin(); at != around.end(); ++at) {
      start = ends.contains(at->first) ? start : at;  // a fan begins where nothing ends
    }
    std::size_t steps = 0;
    std::uint32_t at = start->first;
    while (around.contains(at) && steps < around.size()) {
      at = around.at(at);
      ++steps;
    }
    result.bad_vertices += steps == around.size() ? 0 : 1;
  }
  result.euler = static_cast<long>(mesh.vertices.size()) - static_cast<long>(edges.size()) +
                 static_cast<long>(mesh.triangles.size());
  return result;
}

struct Distances {
  double mean = 0.0;
  double largest = 0.0;
};

Distances distances_of(const TriangleMesh& mesh, const Shape& shape) {
  Distances result;
  for (const Vec3& v : mesh.vertices) {
    const double distance = shape.distance(v);
    result.mean += distance / static_cast<double>(mesh.vertices.size());
    result.largest = std::max(result.largest, distance);
  }
  return result;
}

std::string message_of(std::span<const Vec3> points, std::span<const Vec3> normals = {},
                       SurfaceSettings settings = {}) {
  try {
    static_cast<void>(reconstruct_surface(points, normals, settings));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// Any signs at all make a closed manifold: that is what the table of cubes is for.
TEST(MarchingCubes, RandomSignsGiveAClosedManifold) {
  using namespace reconstruct;
  TestRandom random(11);
  for (int round = 0; round < 200; ++round) {
    BrickDistances distances;
    const double share_inside = random.uniform(0.05, 0.95);
    for (std::int32_t z = 0; z < brick_nodes; ++z) {
      for (std::int32_t y = 0; y < brick_nodes; ++y) {
        for (std::int32_t x = 0; x < brick_nodes; ++x) {
          const bool on_border = std::min({x, y, z}) == 0 || std::max({x, y, z}) == brick_cells;
          const double size = random.uniform(0.1, 1.0);
          const bool is_inside = random.uniform(0.0, 1.0) < share_inside && !on_border;
          distances[node_index(x, y, z)] = is_inside ? -size : size;
        }
      }
    }
    const TriangleMesh mesh = join({march({{8, 8, 8}, {}}, distances)}, {});
    const Topology topology = topology_of(mesh);
    ASSERT_FALSE(mesh.triangles.empty());
    EXPECT_EQ(topology.border_edges, 0U);
    EXPECT_EQ(topology.bad_edges, 0U);
    EXPECT_EQ(topology.bad_vertices, 0U);
    EXPECT_GT(topology.volume, 0.0) << "triangles face outwards";
  }
}

TEST(MarchingCubes, CubesWithAnUnknownCornerAreLeftOpen) {
  using namespace reconstruct;
  BrickDistances distances;
  for (std::int32_t z = 0; z < brick_nodes; ++z) {
    for (std::int32_t y = 0; y < brick_nodes; ++y) {
      for (std::int32_t x = 0; x < brick_nodes; ++x) {
        distances[node_index(x, y, z)] = z - 3.25;
      }
    }
  }
  distances[node_index(4, 4, 3)] = std::numeric_limits<double>::quiet_NaN();
  const TriangleMesh mesh = join({march({{0, 0, 0}, {}}, distances)}, {});
  EXPECT_EQ(mesh.triangles.size(), 2U * (64 - 4));
  EXPECT_EQ(topology_of(mesh).border_edges, 4U * 8 + 8);
}

struct Expected {
  const char* shape;
  std::size_t points;
  long euler;
  double mean;     ///< of the distances to the true surface, in spacings
  double largest;  ///< the same: sharp edges are rounded off
};

class Reconstruction : public testing::TestWithParam<Expected> {};

TEST_P(Reconstruction, OfAClosedShapeIsWatertightAndNear) {
  const Expected& expected = GetParam();
  const auto shape = make_shape(expected.shape);
  const std::vector<Vec3> points = shape->sample(expected.points);
  const Surface surface = reconstruct_surface(points);
  const Topology topology = topology_of(surface.mesh);
  EXPECT_EQ(topology.border_edges, 0U);
  EXPECT_EQ(surface.border_edges, 0U);
  EXPECT_EQ(topology.bad_edges, 0U);
  EXPECT_EQ(topology.bad_vertices, 0U);
  EXPECT_EQ(topology.euler, expected.euler);
  EXPECT_GT(topology.volume, 0.0);
  EXPECT_EQ(surface.left_out, 0U);
  const double spacing = estimate_spacing(points);
  const Distances distances = distances_of(surface.mesh, *shape);
  EXPECT_LT(distances.mean, expected.mean * spacing);
  EXPECT_LT(distances.largest, expected.largest * spacing);
  EXPECT_LT(surface.mesh.vertices.size(), 5 * points.size());
}

INSTANTIATE_TEST_SUITE_P(Shapes, Reconstruction,
                         testing::Values(Expected{"sphere", 3000, 2, 0.01, 0.05}, Expected{"torus", 6000, 0, 0.01, 0.1},
                                         Expected{"cube", 5000, 2, 0.05, 0.8}, Expected{"part", 10000, -8, 0.06, 0.8},
                                         Expected{"organic", 10000, 2, 0.05, 0.5}),
                         [](const auto& test) { return std::string(test.param.shape); });

TEST(Surface, TwoBodiesAreTwoSurfaces) {
  const auto shape = make_shape("sphere");
  std::vector<Vec3> points = shape->sample(1500);
  const std::vector<Vec3> other = shape->sample(1500, 2);
  for (const Vec3& p : other) {
    points.emplace_back(p + Vec3(3.0, 0.0, 0.0));
  }
  const Topology topology = topology_of(reconstruct_surface(points).mesh);
  EXPECT_EQ(topology.border_edges, 0U);
  EXPECT_EQ(topology.euler, 4);
}

TEST(Surface, FollowsTheNormalsOfTheCloud) {
  const auto shape = make_shape("sphere");
  const std::vector<Vec3> points = shape->sample(2000);
  std::vector<Vec3> inwards(points.size());
  std::ranges::transform(points, inwards.begin(), [](const Vec3& p) { return Vec3(-3.0 * p); });
  const Topology topology = topology_of(reconstruct_surface(points, inwards).mesh);
  EXPECT_EQ(topology.border_edges, 0U);
  EXPECT_LT(topology.volume, 0.0);

  inwards[7] = Vec3::Zero();
  inwards[8].x() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(reconstruct_surface(points, inwards).left_out, 2U);
  EXPECT_NE(message_of(points, std::span(inwards).first(5)).find("one normal for each point"), std::string::npos);
}

/// A flat square with a hole in it, 0.02 between points.
std::vector<Vec3> square_with_hole(double hole_radius) {
  TestRandom random(5);
  std::vector<Vec3> points;
  for (int x = 0; x < 50; ++x) {
    for (int y = 0; y < 50; ++y) {
      const Vec3 p(0.02 * x + random.uniform(-0.004, 0.004), 0.02 * y + random.uniform(-0.004, 0.004), 0.0);
      if ((p - Vec3(0.5, 0.5, 0.0)).norm() > hole_radius) {
        points.push_back(p);
      }
    }
  }
  return points;
}

TEST(Surface, EndsNearThePointsAndKeepsWideHolesOpen) {
  const std::vector<Vec3> points = square_with_hole(0.2);
  const Surface surface = reconstruct_surface(points);
  const Topology topology = topology_of(surface.mesh);
  EXPECT_EQ(topology.bad_edges, 0U);
  EXPECT_EQ(topology.euler, 0) << "a ring";
  EXPECT_EQ(surface.border_edges, topology.border_edges);
  EXPECT_GT(surface.border_edges, 0U);
  for (const Vec3& v : surface.mesh.vertices) {
    EXPECT_LT(std::abs(v.z()), 1.1e-3 * surface.cell) << "but for what keeps vertices from nodes";
    EXPECT_GT((v - Vec3(0.5, 0.5, 0.0)).norm(), 0.2 - 3.0 * 0.02);
    EXPECT_LT(v.maxCoeff(), 0.98 + 3.0 * 0.02);
  }
  EXPECT_EQ(topology_of(reconstruct_surface(square_with_hole(0.02)).mesh).euler, 1) << "a disc: small gaps are closed";
}

TEST(Surface, TakesTheColourOfTheNearestPoint) {
  const std::vector<Vec3> points = make_shape("torus")->sample(1000);
  const Surface surface = reconstruct_surface(points);
  ASSERT_EQ(surface.nearest.size(), surface.mesh.vertices.size());
  for (std::size_t v = 0; v < surface.nearest.size(); ++v) {
    const Vec3& place = surface.mesh.vertices[v];
    double least = std::numeric_limits<double>::infinity();
    for (const Vec3& p : points) {
      least = std::min(least, (p - place).squaredNorm());
    }
    EXPECT_NEAR((points[surface.nearest[v]] - place).squaredNorm(), least, 1e-12);
  }
}

TEST(Surface, IsTheSameForAnyNumberOfThreads) {
  const std::vector<Vec3> points = make_shape("part")->sample(8000);
  ExecutionContext one;
  one.threads = 1;
  const Surface expected = reconstruct_surface(points, {}, {}, one);
  for (const int threads : {2, 7}) {
    ExecutionContext context;
    context.threads = threads;
    const Surface surface = reconstruct_surface(points, {}, {}, context);
    EXPECT_EQ(surface.mesh.vertices, expected.mesh.vertices);
    EXPECT_EQ(surface.mesh.triangles, expected.mesh.triangles);
    EXPECT_EQ(surface.nearest, expected.nearest);
  }
}

TEST(Surface, MovesAndGrowsWithThePoints) {
  const auto shape = make_shape("organic");
  std::vector<Vec3> points = shape->sample(4000);
  const Surface here = reconstruct_surface(points);
  const Vec3 move(4e6, 5e5, 300.0);
  for (Vec3& p : points) {
    p = 1000.0 * p + move;
  }
  const Surface there = reconstruct_surface(points);
  ASSERT_EQ(there.border_edges, 0U);
  double mean = 0.0;
  for (const Vec3& v : there.mesh.vertices) {
    mean += shape->distance((v - move) / 1000.0) / static_cast<double>(there.mesh.vertices.size());
  }
  EXPECT_NEAR(mean, distances_of(here.mesh, *shape).mean, 0.1 * distances_of(here.mesh, *shape).mean);
}

TEST(Surface, LargerCellsMakeFewerTriangles) {
  const std::vector<Vec3> points = make_shape("sphere")->sample(4000);
  const Surface fine = reconstruct_surface(points);
  const Surface coarse = reconstruct_surface(points, {}, {3.0 * fine.cell});
  EXPECT_EQ(coarse.border_edges, 0U);
  EXPECT_EQ(topology_of(coarse.mesh).euler, 2);
  EXPECT_LT(7 * coarse.mesh.triangles.size(), fine.mesh.triangles.size());
  EXPECT_NE(message_of(points, {}, {0.1 * fine.cell}).find("too small"), std::string::npos);
}

TEST(Surface, BadPointsAreLeftOutAndDuplicatesAreOne) {
  const std::vector<Vec3> points = make_shape("sphere")->sample(1500);
  const Surface expected = reconstruct_surface(points);
  std::vector<Vec3> more = points;
  more.insert(more.end(), points.begin(), points.end());
  more.emplace_back(std::numeric_limits<double>::quiet_NaN(), 0.0, 0.0);
  more.emplace_back(0.0, std::numeric_limits<double>::infinity(), 0.0);
  const Surface surface = reconstruct_surface(more);
  EXPECT_EQ(surface.mesh.vertices, expected.mesh.vertices);
  EXPECT_EQ(surface.nearest, expected.nearest);
  EXPECT_EQ(surface.left_out, 2U);
}

TEST(Surface, SaysWhyThereIsNone) {
  std::vector<Vec3> points;
  for (std::size_t count = 0; count < 4; ++count) {
    EXPECT_NE(message_of(points).find("at least 4 distinct points"), std::string::npos) << count << " points";
    points.emplace_back(static_cast<double>(count), static_cast<double>(count * count), 0.0);
  }
  EXPECT_NE(message_of(std::vector<Vec3>(1000, Vec3(1.0, 2.0, 3.0))).find("at least 4 distinct points"),
            std::string::npos);
  std::vector<Vec3> line;
  for (int i = 0; i < 500; ++i) {
    line.emplace_back(0.1 * i * Vec3(1.0, 2.0, 3.0) + Vec3(7.0, 8.0, 9.0));
  }
  EXPECT_NE(message_of(line).find("on one line"), std::string::npos);

  std::vector<Vec3> far = make_shape("sphere")->sample(1000);
  far.emplace_back(1e9, 0.0, 0.0);
  EXPECT_NE(message_of(far).find("cells"), std::string::npos);
  far.back().x() = 1e200;
  EXPECT_NE(message_of(far).find("beyond"), std::string::npos);
}

/// Points without a surface, or with very many: whatever comes out, it is a mesh, and it comes out.
TEST(Surface, EndsWithAnythingThatIsGiven) {
  std::vector<std::vector<Vec3>> clouds{random_points(3000), grid_points(12), clustered_points(2000),
                                        square_with_hole(0.0)};
  for (const double scale : {1e-100, 1e100}) {
    clouds.push_back(make_shape("cube")->sample(1000));
    for (Vec3& p : clouds.back()) {
      p *= scale;
    }
  }
  for (const std::vector<Vec3>& points : clouds) {
    try {
      const Surface surface = reconstruct_surface(points);
      EXPECT_EQ(topology_of(surface.mesh).bad_edges, 0U);
      EXPECT_LT(surface.mesh.vertices.size(), 60 * points.size());
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()), "");
    }
  }
}

TEST(Surface, CanBeStopped) {
  ExecutionContext context;
  context.cancel();
  EXPECT_THROW(static_cast<void>(reconstruct_surface(make_shape("sphere")->sample(1000), {}, {}, context)), Cancelled);
}

}  // namespace
}  // namespace burnish
