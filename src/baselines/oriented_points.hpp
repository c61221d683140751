#pragma once

#include <algorithm>

#include "baselines/baseline_run.hpp"
#include "baselines/filter_radius.hpp"
#include "geometry/normals.hpp"

namespace burnish::baselines {

struct OrientedPoint {
  Vec3 position;
  Vec3 normal;
};

inline void check_projection(const std::string& method, double filter_scale, unsigned normal_neighbours) {
  require(filter_scale >= 1.0 && filter_scale <= 100.0, method + ": the filter scale must be from 1 to 100");
  require(normal_neighbours >= 3 && normal_neighbours <= 1000, method + ": normals need from 3 to 1000 neighbours");
}

/// Moves every point onto the surface that the points around it and their normals make. `project` gets these, seen from
/// the point, with the radius they were found in, and returns where the point goes, seen from where it is.
template <class Project>
std::vector<Vec3> project_points(std::span<const Vec3> points, std::span<const Vec3> known_normals, double filter_scale,
                                 std::size_t normal_neighbours, const ExecutionContext& context,
                                 const Project& project) {
  const NeighbourSearch search(points, context);
  const Neighbourhoods nearest(points, search, std::max(normal_neighbours, radius_neighbours), context);
  const std::vector<Vec3> normals = oriented_normals(points, known_normals, nearest, normal_neighbours, context);

  std::vector<Vec3> moved(points.size());
  blocks_with_progress(context, points.size(), 0.4, 1.0, [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t> indices;
    std::vector<OrientedPoint> around;
    for (std::size_t i = begin; i < end; ++i) {
      const double radius =
          filter_surroundings(search, points[i], filter_scale, local_spacing(points, nearest, i), indices);
      around.clear();
      for (const std::uint32_t j : indices) {
        around.push_back({points[j] - points[i], normals[j]});
      }
      moved[i] = points[i] + project(std::span<const OrientedPoint>(around), radius);
    }
  });
  return moved;
}

/// Points that move less than this part of a spacing have arrived.
constexpr double arrived = 1e-4;

}  // namespace burnish::baselines
