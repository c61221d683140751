#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "burnish/point_cloud.hpp"

namespace burnish::io {

/// What a format can hold besides positions; .npy and .npz are the same, and so are .obj and .off.
enum class FormatCapabilities : std::uint8_t { ply, pcd, las, e57, text, npy, pts, ptx, kitti, mesh, stl };

/// Why the format cannot hold the cloud at all; empty if it can.
[[nodiscard]] std::string why_not_held(FormatCapabilities format, const PointCloud& cloud);

/// See fit_to_format.
[[nodiscard]] std::vector<std::string> leave_out_what_cannot_be_held(FormatCapabilities format, PointCloud& cloud);

}  // namespace burnish::io
