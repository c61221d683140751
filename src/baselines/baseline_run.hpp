#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "burnish/baselines.hpp"
#include "burnish/error.hpp"
#include "burnish/estimate.hpp"
#include "core/parallel.hpp"
#include "geometry/working_points.hpp"

// What every baseline does before and after its own work.

namespace burnish::baselines {

/// Of settings.
inline void require(bool holds, const std::string& what) {
  if (!holds) {
    throw Error(what, ErrorKind::wrong_option);
  }
}

/// Unit normals of the working points from those of the cloud: nothing if there are none, or one cannot be used.
inline std::vector<Vec3> working_normals(std::span<const Vec3> normals, const WorkingPoints& working) {
  if (normals.empty()) {
    return {};
  }
  require(normals.size() == working.place.size(), "there must be one normal for each point");
  std::vector<Vec3> sums(working.points.size(), Vec3::Zero());
  for (std::size_t i = 0; i < normals.size(); ++i) {
    if (working.place[i] != WorkingPoints::absent) {
      sums[working.place[i]] += normals[i].stableNormalized();
    }
  }
  for (Vec3& normal : sums) {
    normal.normalize();
    if (!(std::abs(normal.squaredNorm() - 1.0) < 1e-6)) {
      return {};
    }
  }
  return sums;
}

/// Runs a method on points that are finite, distinct, near the origin and scaled so that their spacing is 1: lengths
/// in a method are numbers, and no power of them overflows. `method` gets the points, and their normals as far as they
/// are known, and gives back new positions.
template <class Method>
BaselineResult run_baseline(std::span<const Vec3> positions, std::span<const Vec3> normals,
                            const ExecutionContext& context, const Method& method) {
  context.report("denoising", 0.0);
  BaselineResult result;
  const WorkingPoints working = working_points(positions, context);
  const double spacing = working.points.size() < 4 ? 0.0 : estimate_spacing(working.points, context);
  // Points too close, or too far apart, for their squared distances to differ from 0 and infinity.
  double extent = 0.0;
  for (const Vec3& p : working.points) {
    extent = std::max(extent, p.cwiseAbs().maxCoeff() / spacing);
  }
  if (working.points.size() < 4 || !std::isnormal(spacing * spacing) || !std::isfinite(extent * extent)) {
    result.positions.assign(positions.begin(), positions.end());
    context.report("denoising", 1.0);
    return result;
  }
  result.spacing = spacing;
  std::vector<Vec3> points(working.points.size());
  parallel_for(context, points.size(), 1 << 14, [&](std::size_t i) { points[i] = working.points[i] / result.spacing; });

  const std::vector<Vec3> known_normals = working_normals(normals, working);
  std::vector<Vec3> moved = method(std::span<const Vec3>(points), std::span<const Vec3>(known_normals));
  parallel_for(context, points.size(), 1 << 14, [&](std::size_t i) {
    // By how far it moved, so that a point that did not move keeps its bits.
    const Vec3 move = result.spacing * (moved[i] - points[i]);
    moved[i] = is_finite(move) ? Vec3(working.points[i] + move) : working.points[i];
  });
  result.positions = working.restore(positions, moved);
  context.report("denoising", 1.0);
  return result;
}

/// The same for a method without normals.
template <class Method>
BaselineResult run_baseline(std::span<const Vec3> positions, const ExecutionContext& context, const Method& method) {
  return run_baseline(positions, {}, context,
                      [&](std::span<const Vec3> points, std::span<const Vec3> /*normals*/) { return method(points); });
}

/// Calls body(begin, end) for blocks of [0, count), in parallel, and reports the progress now and then, which goes from
/// `from` to `to`.
template <class Body>
void blocks_with_progress(const ExecutionContext& context, std::size_t count, double from, double to,
                          const Body& body) {
  constexpr std::size_t slices = 10;
  for (std::size_t s = 0; s < slices; ++s) {
    context.report("denoising", from + (to - from) * static_cast<double>(s) / slices);
    const std::size_t begin = count * s / slices;
    const std::size_t end = count * (s + 1) / slices;
    parallel_blocks(context, end - begin, 256,
                    [&](std::size_t first, std::size_t last) { body(begin + first, begin + last); });
  }
}

}  // namespace burnish::baselines
