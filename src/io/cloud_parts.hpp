#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "burnish/point_cloud.hpp"
#include "io/block_reader.hpp"

// A cloud part by part, for files larger than memory.

namespace burnish::io {

/// The points of a file from first to last, in parts of any size. Reading the file as a whole is reading one part with
/// all points, and the tail. The reader of the file must outlive this.
class CloudParts {
 public:
  CloudParts() = default;
  virtual ~CloudParts() = default;
  CloudParts(const CloudParts&) = delete;
  CloudParts& operator=(const CloudParts&) = delete;

  /// Number of points, checked against the size of the file.
  [[nodiscard]] std::uint64_t points() const { return points_; }

  /// Points not read yet.
  [[nodiscard]] std::uint64_t left() const { return points_ - done_; }

  /// The next `count` points, at most the remaining ones, with all attributes, comments, and other contents except
  /// those after the points in the file.
  [[nodiscard]] PointCloud next(std::size_t count) {
    PointCloud part = read_rows(done_, count);
    done_ += count;
    return part;
  }

  /// Goes back to the first point.
  void restart() {
    go_back();
    done_ = 0;
  }

  /// The data after the points: tables, and bytes in the encoding of the format. To be called after the last part.
  virtual void read_tail(PointCloud& /*cloud*/) {}

  /// The tables of the tail, without their rows.
  [[nodiscard]] virtual std::vector<Table> table_shapes() const { return {}; }

  /// True if bytes in the encoding of the format follow.
  [[nodiscard]] virtual bool has_trailer() const { return false; }

  /// True if the file can only be read as a whole, because it is compressed.
  [[nodiscard]] virtual bool holds_all() const { return false; }

  /// Uncompressed size of the file in bytes; 0 if it is not compressed.
  [[nodiscard]] virtual std::uint64_t decompressed_bytes() const { return 0; }

  /// True if rows of a list may differ in length: known only after all parts.
  [[nodiscard]] virtual bool has_unequal_lists() const { return false; }

 protected:
  std::uint64_t points_ = 0;

 private:
  [[nodiscard]] virtual PointCloud read_rows(std::uint64_t first, std::size_t count) = 0;
  virtual void go_back() = 0;

  std::uint64_t done_ = 0;
};

// For each format that can be read in parts; the reader is at the start of the file.
[[nodiscard]] std::unique_ptr<CloudParts> ply_parts(BlockReader& file);
[[nodiscard]] std::unique_ptr<CloudParts> pcd_parts(BlockReader& file);
[[nodiscard]] std::unique_ptr<CloudParts> las_parts(BlockReader& file);

/// Without the images, which are only kept when the file is read as a whole: E57 is not written in parts.
[[nodiscard]] std::unique_ptr<CloudParts> e57_parts(BlockReader& file);

/// Reads the whole file once in advance, because text files declare neither the types of columns nor the number of
/// points.
[[nodiscard]] std::unique_ptr<CloudParts> text_parts(BlockReader& file);

/// All points and the tail.
[[nodiscard]] PointCloud read_all(CloudParts& parts);

}  // namespace burnish::io
