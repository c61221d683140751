#include "evaluate/noise_input.hpp"

#include <cmath>
#include <utility>

#include "burnish/error.hpp"
#include "burnish/estimate.hpp"
#include "burnish/sampling.hpp"
#include "evaluate/finite_points.hpp"
#include "geometry/neighbourhoods.hpp"
#include "geometry/normals.hpp"
#include "geometry/working_points.hpp"

namespace burnish {
namespace {

/// In each neighbourhood that a normal is estimated from.
constexpr std::size_t normal_neighbours = 12;

double size_of_unit(NoiseUnit unit, std::span<const Vec3> points, const ExecutionContext& context) {
  switch (unit) {
    case NoiseUnit::spacing:
      return estimate_spacing(points, context);
    case NoiseUnit::diameter:
      return sampled_diameter(points);
    case NoiseUnit::sqrt_diameter:
      return std::sqrt(sampled_diameter(points));
    case NoiseUnit::radius:
      return radius_around_box_centre(points);
    case NoiseUnit::absolute:
      break;
  }
  return 1.0;
}

std::vector<Vec3> estimated_normals(std::span<const Vec3> positions, const ExecutionContext& context) {
  const WorkingPoints working = working_points(positions, context);
  std::vector<Vec3> normals(positions.size(), Vec3::Zero());
  if (working.points.size() < 3) {
    throw Error(
        "noise along the normal needs normals, and the cloud has neither normals nor enough points to estimate them");
  }
  const NeighbourSearch search(working.points, context);
  const Neighbourhoods neighbourhoods(working.points, search, normal_neighbours, context);
  const std::vector<Vec3> found = oriented_normals(working.points, {}, neighbourhoods, normal_neighbours, context);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (working.place[i] != WorkingPoints::absent) {
      normals[i] = found[working.place[i]];
    }
  }
  return normals;
}

}  // namespace

NoiseInput::NoiseInput(const PointCloud& cloud, std::span<const Vec3> positions, const ExecutionContext& context)
    : cloud_(cloud), positions_(positions), context_(context), finite_(finite_points(positions)) {
  for (const Vec3& p : finite_) {
    box_.extend(p);
  }
  if (!finite_.empty()) {
    Vec3 sum = Vec3::Zero();  // from a corner of the box, so that map coordinates lose no digits
    for (const Vec3& p : finite_) {
      sum += p - box_.min();
    }
    centre_ = box_.min() + sum / static_cast<double>(finite_.size());
  }
}

double NoiseInput::measure(const NoiseLength& length) const {
  if (length.value == 0.0) {
    return 0.0;
  }
  std::optional<double>& unit = units_.at(static_cast<std::size_t>(length.unit));
  if (!unit) {
    unit = size_of_unit(length.unit, finite_, context_);
  }
  if (!(*unit > 0.0) && !finite_.empty()) {
    throw Error("a length is given in units of " + noise_unit_names()[static_cast<std::size_t>(length.unit)] +
                ", which is 0 in this cloud");
  }
  return length.value * *unit;
}

Vec3 NoiseInput::viewpoint(const std::optional<Vec3>& given) const {
  const std::optional<Vec3> place = given ? given : viewpoint_of(cloud_);
  if (!place) {
    throw Error("this noise needs viewpoint=X,Y,Z, the position of the sensor: the cloud has none");
  }
  return *place;
}

std::vector<double> NoiseInput::attribute(const std::string& name) const {
  std::optional<std::vector<double>> values = numbers_of(cloud_, name);
  if (!values) {
    throw Error("the cloud has no attribute \"" + name + "\" that is a number for every point");
  }
  for (std::size_t i = 0; i < values->size(); ++i) {
    if (!std::isfinite((*values)[i]) && is_finite(positions_[i])) {
      throw Error("the attribute \"" + name + "\" of point " + std::to_string(i) + " is not finite");
    }
  }
  return std::move(*values);
}

const std::vector<Vec3>& NoiseInput::normals() const {
  if (normals_.empty()) {
    normals_ = normals_of(cloud_);
    for (Vec3& normal : normals_) {
      normal = is_finite(normal) && normal.squaredNorm() > 0.0 ? normal.normalized() : Vec3::Zero();
    }
  }
  if (normals_.empty() && !finite_.empty()) {
    normals_ = estimated_normals(positions_, context_);
  }
  return normals_;
}

}  // namespace burnish
