#pragma once

#include <cstdint>
#include <vector>

#include "burnish/point_cloud.hpp"
#include "io/e57_document.hpp"

namespace burnish::io {

/// The document of a cloud that was not read from E57, with the given number of scans and in their prototypes the
/// coordinates. The places of the scanners, if there is one for each scan, become their poses. Identifiers are left
/// empty.
void make_e57_document(const PointCloud& cloud, std::size_t scans, const std::vector<Vec3>& scanners,
                       E57Document& document);

/// Gives the file and all scans that have no identifier one, made from a number that the content decides.
void set_e57_identifiers(std::uint64_t content, E57Document& document);

/// Adds to a scan what the standard wants readers to know of intensities and colours: their limits.
void add_e57_limits(const PointCloud& cloud, pugi::xml_node scan);

}  // namespace burnish::io
