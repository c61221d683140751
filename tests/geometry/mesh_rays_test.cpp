#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "burnish/error.hpp"
#include "burnish/io.hpp"
#include "burnish/ray.hpp"
#include "shared_data.hpp"
#include "test_clouds.hpp"

namespace burnish {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A second way to the first hit: the plane of every triangle, and the place in it by barycentric coordinates. `margin`
/// becomes the smallest of the coordinates that decided about a triangle at or before the hit: where it is tiny,
/// rounding may decide otherwise.
double brute_force(const TriangleMesh& mesh, const Ray& ray, double& margin) {
  double best = infinity;
  margin = infinity;
  for (const auto& [i, j, k] : mesh.triangles) {
    const Vec3& a = mesh.vertices[i];
    const Vec3& b = mesh.vertices[j];
    const Vec3& c = mesh.vertices[k];
    const Vec3 normal = (b - a).cross(c - a);
    const double t = (a - ray.origin).dot(normal) / ray.direction.dot(normal);
    if (!std::isfinite(t) || t < 0.0) {
      continue;
    }
    const Vec3 p = ray.origin + t * ray.direction;
    const double u = (c - b).cross(p - b).dot(normal) / normal.squaredNorm();
    const double v = (a - c).cross(p - c).dot(normal) / normal.squaredNorm();
    const double least = std::min({u, v, 1.0 - u - v});
    margin = std::min(margin, std::abs(least));
    if (least >= 0.0) {
      best = std::min(best, t);
    }
  }
  return best;
}

TriangleMesh triangle_soup(std::size_t count) {
  TestRandom random(3);
  TriangleMesh mesh;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Vec3 a = random.in_cube(1.0);
    const double size = i % 7 == 0 ? 1.5 : 0.1;
    mesh.vertices.insert(mesh.vertices.end(), {a, a + random.in_cube(size), a + random.in_cube(size)});
    mesh.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  return mesh;
}

/// A closed polyhedron, normals outwards: an octahedron whose triangles are cut into four and pushed to the unit
/// sphere, repeatedly.
TriangleMesh ball(int subdivisions) {
  TriangleMesh mesh;
  mesh.vertices = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  mesh.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  for (int round = 0; round < subdivisions; ++round) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
    const auto middle = [&](std::uint32_t a, std::uint32_t b) {
      const auto [at, is_new] =
          middles.try_emplace(std::minmax(a, b), static_cast<std::uint32_t>(mesh.vertices.size()));
      if (is_new) {
        mesh.vertices.push_back((mesh.vertices[a] + mesh.vertices[b]).normalized());
      }
      return at->second;
    };
    std::vector<std::array<std::uint32_t, 3>> finer;
    for (const auto& [a, b, c] : mesh.triangles) {
      const std::uint32_t ab = middle(a, b);
      const std::uint32_t bc = middle(b, c);
      const std::uint32_t ca = middle(c, a);
      finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    mesh.triangles = std::move(finer);
  }
  return mesh;
}

void expect_agreement(const TriangleMesh& mesh, std::size_t count, double size) {
  const MeshRays rays(mesh);
  TestRandom random(5);
  Vec3 centre = Vec3::Zero();
  for (const Vec3& v : mesh.vertices) {
    centre += v / static_cast<double>(mesh.vertices.size());
  }
  std::size_t compared = 0;
  std::size_t hits = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 origin = centre + size * random.normal3();
    const Vec3 target = centre + 0.3 * size * random.normal3();
    const Ray ray{origin, (target - origin).normalized()};
    double margin = 0.0;
    const double expected = brute_force(mesh, ray, margin);
    if (margin < 1e-9) {
      continue;  // through an edge, to rounding
    }
    const RayHit found = rays.first_hit(ray);
    ASSERT_EQ(found.found(), expected < infinity) << i;
    if (found.found()) {
      ASSERT_NEAR(found.distance, expected, 1e-9 * size) << i;
      ASSERT_NEAR(found.normal.norm(), 1.0, 1e-12);
      ++hits;
    }
    ++compared;
  }
  EXPECT_GT(compared, count * 9 / 10);
  EXPECT_GT(hits, count / 5);
}

TEST(MeshRays, AgreeWithBruteForce) { expect_agreement(triangle_soup(2000), 5000, 1.5); }

TEST(MeshRays, AgreeWithBruteForceOnModels) {
  BURNISH_NEEDS_DATA();
  for (const char* name : {"anchor.off", "gargoyle.ply", "fandisk.off"}) {
    SCOPED_TRACE(name);
    const TriangleMesh mesh = mesh_of(read(shared_data() / "models" / name));
    Eigen::AlignedBox3d box;
    for (const Vec3& v : mesh.vertices) {
      box.extend(v);
    }
    expect_agreement(mesh, 100, 0.5 * box.diagonal().norm());
  }
}

TEST(MeshRays, CannotSlipThroughEdgesAndCorners) {
  const TriangleMesh mesh = ball(4);
  const MeshRays rays(mesh);
  const auto expect_hit = [&](const Vec3& origin, const Vec3& target) {
    const RayHit hit = rays.first_hit({origin, (target - origin).normalized()});
    ASSERT_TRUE(hit.found());
    ASSERT_LT(hit.distance, (target - origin).norm() + 1e-9);
  };
  TestRandom random(9);
  for (const Vec3& corner : mesh.vertices) {
    expect_hit(3.0 * corner, corner);                                   // along an axis of symmetry
    expect_hit(2.5 * corner + Vec3(0.125, 0.25, 0.0625), corner);       // slanted
    expect_hit(2.0 * corner + random.in_cube(0.4), 0.999999 * corner);  // a little inside, from anywhere in front
  }
  for (const auto& [a, b, c] : mesh.triangles) {
    const Vec3 middle = 0.5 * (mesh.vertices[a] + mesh.vertices[b]);
    expect_hit(3.0 * middle, middle);
    expect_hit(3.0 * mesh.vertices[c], middle);
  }
}

TEST(MeshRays, HitBothSidesButNothingBehindTheOrigin) {
  const MeshRays rays(ball(0));
  EXPECT_NEAR(rays.first_hit({{3, 0, 0}, {-1, 0, 0}}).distance, 2.0, 1e-15);
  EXPECT_NEAR(rays.first_hit({{0.1, 0.1, 0.1}, Vec3(1, 1, 1).normalized()}).distance,
              std::sqrt(3.0) * (1.0 / 3.0 - 0.1), 1e-15);
  EXPECT_FALSE(rays.first_hit({{3, 0, 0}, {1, 0, 0}}).found());
  EXPECT_FALSE(rays.first_hit({{3, 0, 0}, {0, 1, 0}}).found());
  const RayHit hit = rays.first_hit({{2, 2, 2}, Vec3(-1, -1, -1).normalized()});
  EXPECT_NEAR((hit.normal - Vec3(1, 1, 1).normalized()).norm(), 0.0, 1e-15);
}

TEST(MeshRays, DoNotDependOnSizeAndPlace) {
  const TriangleMesh mesh = ball(3);
  const Ray ray{{3.0, 0.3, 0.2}, Vec3(-1, -0.05, -0.02).normalized()};
  const double expected = MeshRays(mesh).first_hit(ray).distance;
  for (const double scale : {1e-100, 1e-9, 1e9, 1e100}) {
    for (const double offset : {0.0, 1000.0}) {
      TriangleMesh other = mesh;
      const Vec3 move(offset, -offset, 0.0);
      for (Vec3& v : other.vertices) {
        v = scale * (v + move);
      }
      const RayHit hit = MeshRays(other).first_hit({scale * (ray.origin + move), ray.direction});
      EXPECT_NEAR(hit.distance / scale, expected, 1e-12 * (1.0 + offset)) << scale;
    }
  }
  const RayHit far = MeshRays(mesh).first_hit({ray.origin - 1e9 * ray.direction, ray.direction});
  EXPECT_NEAR(far.distance - 1e9, expected, 1e-6);
}

TEST(MeshRays, PassTrianglesWithoutArea) {
  TriangleMesh mesh = ball(1);
  mesh.vertices.emplace_back(2, 0, 0);
  const auto tip = static_cast<std::uint32_t>(mesh.vertices.size() - 1);
  mesh.triangles.push_back({tip, tip, tip});
  mesh.triangles.push_back({0, tip, 0});
  EXPECT_NEAR(MeshRays(mesh).first_hit({{3, 0, 0}, {-1, 0, 0}}).distance, 2.0, 1e-15);
  mesh.triangles = {{tip, tip, tip}};
  EXPECT_FALSE(MeshRays(mesh).first_hit({{3, 0, 0}, {-1, 0, 0}}).found());
}

TEST(MeshRays, WindingNumberDistinguishesInsideFromOutside) {
  TriangleMesh mesh = ball(2);
  EXPECT_NEAR(MeshRays(mesh).winding_number({0.1, 0.2, 0.3}), 1.0, 1e-12);
  EXPECT_NEAR(MeshRays(mesh).winding_number({1.1, 0.2, 0.3}), 0.0, 1e-12);
  for (auto& triangle : mesh.triangles) {
    std::swap(triangle[0], triangle[1]);
  }
  EXPECT_NEAR(MeshRays(mesh).winding_number({0.1, 0.2, 0.3}), -1.0, 1e-12);
  mesh.triangles.resize(mesh.triangles.size() / 2);  // one half of the ball
  EXPECT_NEAR(MeshRays(mesh).winding_number({0, 0, 0}), -0.5, 1e-12);
}

TEST(MeshRays, RefuseMeshesThatAreNone) {
  TriangleMesh mesh;
  EXPECT_THROW((void)MeshRays(mesh), Error);
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, std::nan(""), 0}};
  mesh.triangles = {{0, 1, 3}};
  EXPECT_THROW((void)MeshRays(mesh), Error);
  mesh.triangles = {{0, 1, 2}};
  EXPECT_THROW((void)MeshRays(mesh), Error);
}

}  // namespace
}  // namespace burnish
