#pragma once

#include <string_view>
#include <vector>

#include "burnish/point_cloud.hpp"

namespace burnish {

/// Whether a comment is about a scan, as those are that clouds read from PTX and E57 have for each.
[[nodiscard]] bool is_scan_comment(std::string_view comment);

/// Where the scanner of each scan was, as the comments of clouds read from PTX and E57 say; empty unless they say it
/// of every scan.
[[nodiscard]] std::vector<Vec3> scanner_places(const PointCloud& cloud);

}  // namespace burnish
