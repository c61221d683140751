#pragma once

#include <string_view>
#include <vector>

#include "burnish/point_cloud.hpp"

namespace burnish {

/// Whether a comment describes a scan, as in clouds read from PTX and E57.
[[nodiscard]] bool is_scan_comment(std::string_view comment);

/// The scanner position of each scan, from the comments of clouds read from PTX and E57; empty unless it is known for
/// every scan.
[[nodiscard]] std::vector<Vec3> scanner_places(const PointCloud& cloud);

}  // namespace burnish
