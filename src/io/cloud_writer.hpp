#pragma once

#include <Eigen/Geometry>

#include <cstdint>
#include <memory>
#include <vector>

#include "burnish/point_cloud.hpp"
#include "io/block_writer.hpp"

// A cloud written part by part, for clouds larger than memory.

namespace burnish::io {

/// The information in a file before its points.
struct FileHeader {
  std::uint64_t points = 0;
  Eigen::AlignedBox3d box;    ///< around all finite points; only LAS needs it
  std::vector<Table> tables;  ///< after the points, without their rows
  bool has_trailer = false;   ///< whether bytes in the encoding of LAS follow
};

[[nodiscard]] FileHeader header_of(const PointCloud& cloud);

/// Writes parts of a cloud one after the other, all with the same columns, and then the tail. A cloud in memory is
/// written as one part and the tail.
class CloudWriter {
 public:
  CloudWriter() = default;
  virtual ~CloudWriter() = default;
  CloudWriter(const CloudWriter&) = delete;
  CloudWriter& operator=(const CloudWriter&) = delete;

  virtual void write_part(const PointCloud& part) = 0;

  /// The tables and the trailer of a cloud; its points are ignored.
  virtual void write_tail(const PointCloud& /*cloud*/) {}
};

// For each format that can be written in parts. File and cloud must outlive the writer.
[[nodiscard]] std::unique_ptr<CloudWriter> ply_writer(BlockWriter& file, const FileHeader& header);
[[nodiscard]] std::unique_ptr<CloudWriter> pcd_writer(BlockWriter& file, const FileHeader& header);

/// More parts than one only if they were read from LAS or LAZ: which field can hold a column depends on all its values.
[[nodiscard]] std::unique_ptr<CloudWriter> las_writer(BlockWriter& file, const FileHeader& header);
[[nodiscard]] std::unique_ptr<CloudWriter> laz_writer(BlockWriter& file, const FileHeader& header);

/// One point per line, values separated by `separator`: a comma makes it CSV, whose first line names the columns.
[[nodiscard]] std::unique_ptr<CloudWriter> text_writer(BlockWriter& file, const FileHeader& header, char separator);

}  // namespace burnish::io
