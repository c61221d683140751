#pragma once

#include <string>

#include "burnish/point_cloud.hpp"

namespace burnish::cli {

/// The coordinate reference that a LAS or E57 file names, "EPSG:25832" or "ETRS89 / UTM zone 32N"; empty if the cloud
/// came from no such file, or it names none.
[[nodiscard]] std::string coordinate_reference(const PointCloud& cloud);

}  // namespace burnish::cli
