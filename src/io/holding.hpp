#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "burnish/point_cloud.hpp"

namespace burnish::io {

/// What a format can hold beside positions; .obj and .off are alike.
enum class Holding : std::uint8_t { ply, pcd, las, text, npy, pts, kitti, mesh };

/// See fit_to_format.
[[nodiscard]] std::vector<std::string> leave_out_what_cannot_be_held(Holding holding, PointCloud& cloud);

}  // namespace burnish::io
