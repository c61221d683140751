#pragma once

#include "burnish/point_cloud.hpp"
#include "io/block_reader.hpp"
#include "io/block_writer.hpp"

// What each format offers; one source file each. read and write in read_write.cpp choose among them.

namespace burnish::io {

[[nodiscard]] PointCloud read_ply(BlockReader& file);
[[nodiscard]] PointCloud read_pcd(BlockReader& file);
[[nodiscard]] PointCloud read_las(BlockReader& file);
[[nodiscard]] PointCloud read_npy(BlockReader& file);
[[nodiscard]] PointCloud read_npz(BlockReader& file);
[[nodiscard]] PointCloud read_kitti(BlockReader& file);
[[nodiscard]] PointCloud read_obj(BlockReader& file);
[[nodiscard]] PointCloud read_off(BlockReader& file);
[[nodiscard]] PointCloud read_stl(BlockReader& file);
[[nodiscard]] PointCloud read_pts(BlockReader& file);
[[nodiscard]] PointCloud read_ptx(BlockReader& file);
[[nodiscard]] PointCloud read_text(BlockReader& file);

void write_ply(BlockWriter& file, const PointCloud& cloud);
void write_pcd(BlockWriter& file, const PointCloud& cloud);
void write_las(BlockWriter& file, const PointCloud& cloud);
void write_npy(BlockWriter& file, const PointCloud& cloud);
void write_npz(BlockWriter& file, const PointCloud& cloud);
void write_kitti(BlockWriter& file, const PointCloud& cloud);
void write_obj(BlockWriter& file, const PointCloud& cloud);
void write_off(BlockWriter& file, const PointCloud& cloud);
void write_stl(BlockWriter& file, const PointCloud& cloud);
void write_pts(BlockWriter& file, const PointCloud& cloud);
void write_ptx(BlockWriter& file, const PointCloud& cloud);

/// One point a line, values separated by `separator`: a comma makes it CSV, whose first line names the columns.
void write_text(BlockWriter& file, const PointCloud& cloud, char separator);

}  // namespace burnish::io
