#pragma once

#include <filesystem>

#include "burnish/execution.hpp"
#include "burnish/point_cloud.hpp"

namespace burnish {

/// Reads a point cloud with all its attributes, or a mesh as points with its faces in the table "face" (see mesh_of).
/// The format is found from the content first and the file's ending second: PLY, OFF, and text with one point a line
/// (XYZ, TXT, CSV, …).
/// Throws Error, naming the file and the line or byte, if the content is not what its format promises.
[[nodiscard]] PointCloud read(const std::filesystem::path& path, const ExecutionContext& context = {});

/// Writes a cloud in the format of the file's ending (.ply; .xyz, .txt, .csv). The file appears complete or not at all:
/// it is written beside and renamed. Throws Error if the format cannot hold an attribute or the disk is full.
void write(const std::filesystem::path& path, const PointCloud& cloud, const ExecutionContext& context = {});

}  // namespace burnish
