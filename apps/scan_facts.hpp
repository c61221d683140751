#pragma once

#include <string>
#include <vector>

#include "json.hpp"

namespace burnish::cli {

/// What the comments of a cloud that was read from E57 or PTX say of its scans, one object for each: points, or columns
/// and rows; where they are stated, name, scanner (its position) and rotation (w, x, y, z of a unit quaternion that
/// takes the scanner's axes to those of the cloud). Empty if no comment is about a scan.
[[nodiscard]] Json scan_facts(const std::vector<std::string>& comments);

/// True for a comment that scan_facts understands.
[[nodiscard]] bool is_scan_comment(const std::string& comment);

}  // namespace burnish::cli
