#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "burnish/point_cloud.hpp"
#include "io/block_writer.hpp"
#include "io/las_header.hpp"
#include "io/las_layout.hpp"

namespace burnish::io {

/// Makes the point records of a cloud.
class LasPoints {
 public:
  /// Finds a place for every attribute: the field of its name if its values fit exactly, otherwise extra bytes, which
  /// are added to the header. Throws Error if LAS cannot hold a column or a point; `first` is the number of the first
  /// point for messages. The cloud must outlive the object.
  LasPoints(const BlockWriter& file, const PointCloud& cloud, std::string& header, std::uint64_t first = 0);
  LasPoints(const LasPoints&) = delete;
  LasPoints& operator=(const LasPoints&) = delete;

  /// Makes the records of some points. The header has the scale of the coordinates by now.
  void encode(std::string_view header, std::size_t row, std::size_t count, char* data) const;

  /// Counts first, second, … returns.
  void add_returns(LasReturns& returns) const;

 private:
  void place_columns(const BlockWriter& file, std::string& header);

  const PointCloud& cloud_;
  std::vector<LasField> fields_;
  std::vector<const Column*> columns_;  ///< where the values of each field come from, or nullptr
  std::vector<Column> converted_;       ///< attributes in the type of their field
};

}  // namespace burnish::io
