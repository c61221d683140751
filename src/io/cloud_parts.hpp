#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "burnish/point_cloud.hpp"
#include "io/block_reader.hpp"

// A cloud part by part, for files larger than memory.

namespace burnish::io {

/// The points of a file from first to last, as many at a time as one likes. What reading the file as a whole gives is
/// one part with all points, and the tail. The reader of the file must live as long.
class CloudParts {
 public:
  CloudParts() = default;
  virtual ~CloudParts() = default;
  CloudParts(const CloudParts&) = delete;
  CloudParts& operator=(const CloudParts&) = delete;

  /// Points in all. The size of the file bears them out.
  [[nodiscard]] std::uint64_t points() const { return points_; }

  /// Points not read yet.
  [[nodiscard]] std::uint64_t left() const { return points_ - done_; }

  /// The next `count` points, at most those that are left, with all attributes, comments, and whatever else a cloud
  /// has but what follows the points in the file.
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

  /// What follows the points: tables, and bytes that only the format understands. After the last part.
  virtual void read_tail(PointCloud& /*cloud*/) {}

  /// The tables of the tail, without their rows.
  [[nodiscard]] virtual std::vector<Table> table_shapes() const { return {}; }

  /// True if bytes follow that only the format understands.
  [[nodiscard]] virtual bool has_trailer() const { return false; }

  /// True if the file has to be taken in as a whole, because it is compressed.
  [[nodiscard]] virtual bool holds_all() const { return false; }

  /// Bytes the file would take if it were not compressed; 0 if it is not.
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

// Of each format that can be read in parts; the reader is at the start of the file.
[[nodiscard]] std::unique_ptr<CloudParts> ply_parts(BlockReader& file);
[[nodiscard]] std::unique_ptr<CloudParts> pcd_parts(BlockReader& file);
[[nodiscard]] std::unique_ptr<CloudParts> las_parts(BlockReader& file);

/// Without the images, which are only kept when the file is read as a whole: E57 is not written in parts.
[[nodiscard]] std::unique_ptr<CloudParts> e57_parts(BlockReader& file);

/// Reads the whole file once before: text states neither the types of its columns nor the number of points.
[[nodiscard]] std::unique_ptr<CloudParts> text_parts(BlockReader& file);

/// All points and the tail.
[[nodiscard]] PointCloud read_all(CloudParts& parts);

}  // namespace burnish::io
