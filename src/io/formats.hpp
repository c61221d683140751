#pragma once

#include "burnish/point_cloud.hpp"
#include "io/block_reader.hpp"
#include "io/block_writer.hpp"

// What each format offers; one source file each. read and write in read_write.cpp choose among them.

namespace burnish::io {

[[nodiscard]] PointCloud read_ply(BlockReader& file);
[[nodiscard]] PointCloud read_off(BlockReader& file);
[[nodiscard]] PointCloud read_text(BlockReader& file);

void write_ply(BlockWriter& file, const PointCloud& cloud);

/// One point a line, values separated by `separator`: a comma makes it CSV, whose first line names the columns.
void write_text(BlockWriter& file, const PointCloud& cloud, char separator);

}  // namespace burnish::io
