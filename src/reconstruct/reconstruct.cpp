#include "burnish/reconstruct.hpp"

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "burnish/error.hpp"
#include "burnish/estimate.hpp"
#include "burnish/neighbours.hpp"
#include "burnish/normals.hpp"
#include "core/check_coordinates.hpp"
#include "core/parallel.hpp"
#include "geometry/working_points.hpp"
#include "reconstruct/marching_cubes.hpp"

namespace burnish {
namespace {

using namespace reconstruct;

/// How far points count: in local spacings, of which fewer than one cell and more than four count as that.
constexpr double radius_in_spacings = 2.5;
constexpr double most_cells_in_spacing = 4.0;

/// Points that can be used, with their normals.
struct OrientedPoints {
  Vec3 origin;
  std::vector<Vec3> positions;  ///< from there
  std::vector<Vec3> normals;
  std::vector<std::uint32_t> rows;  ///< which of the input they are
  std::size_t left_out = 0;
};

OrientedPoints usable_points(std::span<const Vec3> input, std::span<const Vec3> known_normals,
                             const ExecutionContext& context) {
  const WorkingPoints working = working_points(input, context);
  constexpr std::uint32_t none = 0xFFFFFFFF;
  std::vector<std::uint32_t> rows(working.points.size(), none);
  std::vector<Vec3> sums(working.points.size(), Vec3::Zero());
  for (std::size_t i = 0; i < input.size(); ++i) {
    if (working.place[i] != WorkingPoints::absent) {
      std::uint32_t& row = rows[working.place[i]];
      row = std::min(row, static_cast<std::uint32_t>(i));
      if (!known_normals.empty()) {
        sums[working.place[i]] += known_normals[i].stableNormalized();
      }
    }
  }
  if (known_normals.empty()) {
    sums = estimate_normals(working.points, {}, std::nullopt, context);
  }
  OrientedPoints result;
  result.origin = working.origin;
  std::vector<bool> is_used(working.points.size());
  for (std::size_t i = 0; i < working.points.size(); ++i) {
    const Vec3 normal = sums[i].normalized();
    is_used[i] = std::abs(normal.squaredNorm() - 1.0) < 1e-6;
    if (is_used[i]) {
      result.positions.push_back(working.points[i]);
      result.normals.push_back(normal);
      result.rows.push_back(rows[i]);
    }
  }
  result.left_out = static_cast<std::size_t>(std::ranges::count_if(
      working.place, [&](std::uint32_t place) { return place == WorkingPoints::absent || !is_used[place]; }));
  return result;
}

void check_not_on_a_line(std::span<const Vec3> points) {
  const Vec3 mean = mean_of(points);
  double size = 0.0;
  for (const Vec3& p : points) {
    size = std::max(size, (p - mean).cwiseAbs().maxCoeff());
  }
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
  for (const Vec3& p : points) {
    const Vec3 d = (p - mean) / size;
    spread += d * d.transpose();
  }
  const Vec3 values = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(spread, Eigen::EigenvaluesOnly).eigenvalues();
  if (!(values[1] > 1e-12 * values[2])) {
    throw Error("all points lie on one line, so there is no surface");
  }
}

std::size_t count_border_edges(const TriangleMesh& mesh, const ExecutionContext& context) {
  std::vector<std::uint64_t> edges;
  edges.reserve(3 * mesh.triangles.size());
  for (const auto& corners : mesh.triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [low, high] = std::minmax(corners[k], corners[(k + 1) % 3]);
      edges.push_back(static_cast<std::uint64_t>(low) << 32 | high);
    }
  }
  parallel_sort(context, edges, std::less<>());
  std::size_t once = 0;
  for (std::size_t i = 0; i < edges.size();) {
    std::size_t next = i + 1;
    while (next < edges.size() && edges[next] == edges[i]) {
      ++next;
    }
    once += next - i == 1 ? 1 : 0;
    i = next;
  }
  return once;
}

}  // namespace

Surface reconstruct_surface(std::span<const Vec3> positions, std::span<const Vec3> normals,
                            const SurfaceSettings& settings, const ExecutionContext& context) {
  context.report("reconstructing", 0.0);
  if (!normals.empty() && normals.size() != positions.size()) {
    throw Error("there must be one normal for each point");
  }
  check_coordinates(positions);
  const OrientedPoints oriented = usable_points(positions, normals, context);
  if (oriented.positions.size() < 4) {
    throw Error(fmt::format("a surface needs at least 4 distinct points with normals; there are {}",
                            oriented.positions.size()));
  }
  context.report("reconstructing", 0.3);

  Surface result;
  std::vector<double> spacings = estimate_local_spacing(oriented.positions, context);
  std::vector<double> sorted = spacings;
  std::ranges::nth_element(sorted, sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2));
  const double spacing = sorted[sorted.size() / 2];
  result.cell = settings.cell > 0.0 ? settings.cell : spacing;
  if (!(result.cell >= 0.25 * spacing)) {
    throw Error(fmt::format("cells of {:g} are too small for points {:g} apart; {:g} is the least", result.cell,
                            spacing, 0.25 * spacing));
  }

  // The grid begins so far below the points that they count nowhere below 0.
  const double most_radius = radius_in_spacings * most_cells_in_spacing;
  const double rim = std::ceil(most_radius) + brick_cells;
  Vec3 low = oriented.positions.front();
  Vec3 high = low;
  for (const Vec3& p : oriented.positions) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  const double across = (high - low).maxCoeff() / result.cell;
  if (!(across + 2.0 * rim < most_nodes)) {
    throw Error(
        fmt::format("the points are {:.3g} cells of {:g} across, more than {}: remove distant outliers or choose "
                    "larger cells",
                    across, result.cell, most_nodes));
  }
  check_not_on_a_line(oriented.positions);
  std::vector<GridPoint> points(oriented.positions.size());
  parallel_for(context, points.size(), 4096, [&](std::size_t i) {
    const Vec3 place = (oriented.positions[i] - low) / result.cell + Vec3::Constant(rim);
    points[i] = {place, oriented.normals[i],
                 radius_in_spacings * std::clamp(spacings[i] / result.cell, 1.0, most_cells_in_spacing)};
  });
  const Bricks bricks(points, context);
  context.report("reconstructing", 0.5);

  std::vector<BrickMesh> meshes(bricks.size());
  parallel_for(context, meshes.size(), 1,
               [&](std::size_t b) { meshes[b] = march(bricks[b], signed_distances(bricks[b], points)); });
  context.report("reconstructing", 0.8);
  result.mesh = join(meshes, context);
  if (result.mesh.triangles.empty()) {
    throw Error("no surface was found: there are too few points, or their normals are inconsistent");
  }
  parallel_for(context, result.mesh.vertices.size(), 4096, [&](std::size_t v) {
    result.mesh.vertices[v] = low + result.cell * (result.mesh.vertices[v] - Vec3::Constant(rim));
  });
  result.border_edges = count_border_edges(result.mesh, context);
  result.left_out = oriented.left_out;

  const NeighbourSearch search(oriented.positions, context);
  result.nearest.resize(result.mesh.vertices.size());
  parallel_for(context, result.nearest.size(), 256, [&](std::size_t v) {
    std::uint32_t index = 0;
    double distance = 0.0;
    search.nearest(result.mesh.vertices[v], {&index, 1}, {&distance, 1});
    result.nearest[v] = oriented.rows[index];
    result.mesh.vertices[v] += oriented.origin;
  });
  context.report("reconstructing", 1.0);
  return result;
}

}  // namespace burnish
