#pragma once

#include <vector>

#include "burnish/point_cloud.hpp"

namespace burnish {

/// Where the scanner of each scan was, as the comments of clouds read from PTX and E57 say; empty unless they say it
/// of every scan.
[[nodiscard]] std::vector<Vec3> scanner_places(const PointCloud& cloud);

}  // namespace burnish
