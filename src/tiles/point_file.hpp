#pragma once

#include <Eigen/Geometry>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "burnish/point_cloud.hpp"

// Points in the scratch folder: the row of each in the input, and its position. A file is complete or does not exist,
// belongs to one run, and is not used before its checksum has been verified: it may have been written during a power
// failure, or by another program.
//
// A header, a table of blocks, then the records block by block; all numbers little-endian.

namespace burnish::tiles {

struct Record {
  std::uint64_t row = 0;
  double position[3] = {0, 0, 0};

  [[nodiscard]] Vec3 point() const { return {position[0], position[1], position[2]}; }
};
static_assert(sizeof(Record) == 32);

/// Consecutive records that are read and checked together.
struct Block {
  double low[3];  ///< of the box around its points
  double high[3];
  double spacing;  ///< distance of neighbouring points there, 0 if not requested
  std::uint64_t first_row;
  std::uint64_t last_row;
  std::uint32_t count;
  std::uint32_t checksum;

  [[nodiscard]] Eigen::AlignedBox3d box() const {
    return {Vec3(low[0], low[1], low[2]), Vec3(high[0], high[1], high[2])};
  }
};
static_assert(sizeof(Block) == 80);

inline constexpr std::size_t block_size = 2048;

/// Writes records in this order. A spacing for each block, or none at all.
void write_point_file(const std::filesystem::path& path, std::uint64_t run, const std::vector<Record>& records,
                      const std::vector<double>& spacings);

/// A file open for reading.
class PointFile {
 public:
  /// Throws Error, naming the file, if it is missing, damaged or belongs to another run.
  PointFile(std::filesystem::path path, std::uint64_t run);
  ~PointFile();
  PointFile(const PointFile&) = delete;
  PointFile& operator=(const PointFile&) = delete;

  [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }
  [[nodiscard]] std::uint64_t count() const { return count_; }

  /// The box around all points.
  [[nodiscard]] Eigen::AlignedBox3d box() const;

  /// Appends the records of a block. Throws Error if their checksum is wrong.
  void read(std::size_t block, std::vector<Record>& records) const;

  /// All records.
  [[nodiscard]] std::vector<Record> read_all() const;

 private:
  void read_bytes(std::uint64_t offset, void* target, std::size_t bytes) const;
  [[noreturn]] void fail_damaged(const std::string& how) const;

  std::filesystem::path path_;
  int file_ = -1;
  std::uint64_t count_ = 0;
  std::vector<Block> blocks_;
};

}  // namespace burnish::tiles
