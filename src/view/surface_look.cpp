#include "view/surface_look.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "burnish/neighbours.hpp"
#include "core/parallel.hpp"
#include "geometry/frames.hpp"
#include "geometry/height_fit.hpp"
#include "geometry/normals.hpp"
#include "geometry/working_points.hpp"

namespace burnish {
namespace {

constexpr std::size_t neighbours_to_fit = 20;
constexpr std::size_t fewest_to_fit = 7;
constexpr std::size_t neighbours_to_orient = 10;

struct Look {
  Vec3 normal;
  float curvature;
};

/// Of the quadric that fits the nearest points best, at the place of the first of them.
Look look_at(std::span<const Vec3> nearest) {
  const PrincipalFrame frame = principal_frame(nearest);
  std::array<Vec3, neighbours_to_fit> in_frame;
  std::array<double, neighbours_to_fit> weights;
  weights.fill(1.0);
  double radius = 0.0;
  for (std::size_t i = 0; i < nearest.size(); ++i) {
    in_frame[i] = frame.axes.transpose() * (nearest[i] - frame.mean);
    radius = std::max(radius, in_frame[i].norm());
  }
  const std::span points(in_frame.data(), nearest.size());
  const HeightFit fit = fit_heights(points, std::span(weights.data(), nearest.size()), radius, 2);
  const auto [normal, curvature] = fit.bend(points[0].x(), points[0].y());
  return {frame.axes * normal, static_cast<float>(curvature)};
}

}  // namespace

void SurfaceLook::flip(std::size_t i) {
  normals[i] = -normals[i];
  curvatures[i] = -curvatures[i];
}

SurfaceLook surface_look(std::span<const Vec3> points, std::span<const std::uint32_t> rows,
                         const ExecutionContext& context) {
  const WorkingPoints working = working_points(points, context);
  const NeighbourSearch search(working.points, context);
  SurfaceLook result;
  result.normals.assign(rows.size(), Vec3::UnitZ());
  result.curvatures.assign(rows.size(), std::numeric_limits<float>::quiet_NaN());
  if (working.points.size() < fewest_to_fit) {
    return result;
  }
  parallel_for(context, rows.size(), 256, [&](std::size_t i) {
    std::array<std::uint32_t, neighbours_to_fit> indices;
    std::array<double, neighbours_to_fit> distances;
    std::array<Vec3, neighbours_to_fit> nearest;
    const std::size_t found = search.nearest(working.points[working.place[rows[i]]], indices, distances);
    for (std::size_t j = 0; j < found; ++j) {
      nearest[j] = working.points[indices[j]];
    }
    const Look look = look_at(std::span(nearest.data(), found));
    if (look.normal.allFinite()) {
      result.normals[i] = look.normal;
      result.curvatures[i] = look.curvature;
    }
  });
  return result;
}

void orient_outwards(std::span<const Vec3> positions, SurfaceLook& look, const ExecutionContext& context) {
  const WorkingPoints working = working_points(positions, context);
  std::vector<Vec3> normals(working.points.size());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    normals[working.place[i]] = look.normals[i];
  }
  const NeighbourSearch search(working.points, context);
  const Neighbourhoods neighbourhoods(working.points, search, neighbours_to_orient, context);
  orient_normals(working.points, normals, neighbourhoods, neighbours_to_orient, Orientation::along_arc, context);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (normals[working.place[i]].dot(look.normals[i]) < 0.0) {
      look.flip(i);
    }
  }
}

}  // namespace burnish
