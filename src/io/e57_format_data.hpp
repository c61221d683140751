#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "burnish/point_cloud.hpp"

// What of an E57 file is kept with a cloud beside its points, and what of a cloud an E57 file can hold.

namespace burnish::io {

struct E57Scan;

namespace e57 {
// Names in PointCloud::format_data: the XML section, and the content of all blobs in the order of the XML, one after
// the other.
inline constexpr std::string_view xml_key = "e57 xml";
inline constexpr std::string_view blobs_key = "e57 blobs";

inline constexpr std::string_view comment_start = "E57 scan ";
}  // namespace e57

/// The comment that says how many points a scan has and, if the file says so, where its scanner was.
[[nodiscard]] std::string e57_comment(const E57Scan& scan);

/// True for plain columns of numbers that fit 64 bits with a sign, and of text unless it is called as normals are.
[[nodiscard]] bool can_be_e57_field(const Column& column);

/// Where in the cloud each of the scans ends, by the attribute "scan"; empty if the points are not in the order of
/// scans, or of others than these.
[[nodiscard]] std::vector<std::size_t> e57_scan_ends(const PointCloud& cloud, std::size_t scans);

/// True if the XML kept with a cloud, if any, can be written with its points again.
[[nodiscard]] bool has_e57_scans(const PointCloud& cloud);

}  // namespace burnish::io
