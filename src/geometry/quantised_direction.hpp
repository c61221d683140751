#pragma once

#include <optional>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/neighbours.hpp"
#include "burnish/point_cloud.hpp"

namespace burnish {

/// Points whose coordinates along one direction take few values: depths of a camera in steps of its disparity, or
/// coordinates that were rounded.
struct QuantisedDirection {
  Vec3 direction;             ///< of length 1
  std::vector<double> steps;  ///< distance to the next value, of every value
  std::vector<double> values;

  /// The step at a point.
  [[nodiscard]] double step_at(const Vec3& point) const;
};

/// Finds directions along which a cloud is quantised, among the axes and the normals of small neighbourhoods that are
/// exactly flat. Steps below a tenth of `spacing` are ignored.
[[nodiscard]] std::vector<QuantisedDirection> find_quantised_directions(const std::vector<Vec3>& points,
                                                                        const NeighbourSearch& search, double spacing,
                                                                        const ExecutionContext& context);

}  // namespace burnish
