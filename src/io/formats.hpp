#pragma once

#include "burnish/point_cloud.hpp"
#include "io/block_reader.hpp"
#include "io/block_writer.hpp"

// The functions of each format, one source file each. read and write in read_write.cpp choose among them. Some can be
// read and written in parts: see cloud_parts.hpp and cloud_writer.hpp.

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
[[nodiscard]] PointCloud read_e57(BlockReader& file);
[[nodiscard]] PointCloud read_text(BlockReader& file);

void write_npy(BlockWriter& file, const PointCloud& cloud);
void write_npz(BlockWriter& file, const PointCloud& cloud);
void write_kitti(BlockWriter& file, const PointCloud& cloud);
void write_obj(BlockWriter& file, const PointCloud& cloud);
void write_off(BlockWriter& file, const PointCloud& cloud);
void write_stl(BlockWriter& file, const PointCloud& cloud);
void write_pts(BlockWriter& file, const PointCloud& cloud);
void write_ptx(BlockWriter& file, const PointCloud& cloud);
void write_copc(BlockWriter& file, const PointCloud& cloud);
void write_e57(BlockWriter& file, const PointCloud& cloud);

}  // namespace burnish::io
