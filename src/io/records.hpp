#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "burnish/point_cloud.hpp"
#include "io/block_reader.hpp"
#include "io/block_writer.hpp"

// Points as binary records of one size, as PCD, NumPy and KITTI files hold them.

namespace burnish::io {

/// A field of a record.
struct RecordField {
  std::string name;
  ScalarType type = ScalarType::float32;
  std::size_t offset = 0;     ///< bytes from the start of the record
  std::size_t count = 1;      ///< values; a field of several becomes a list column whose rows are all that long
  std::size_t axis = 3;       ///< 0, 1, 2 for a coordinate
  std::size_t attribute = 0;  ///< number of the attribute it becomes otherwise; make_columns sets it

  [[nodiscard]] std::size_t size() const;  ///< in bytes
};

/// 0, 1, 2 for a field that is a coordinate: one value, with its name in upper or lower case, and none before that has
/// the name in the other case. 3 for any other.
[[nodiscard]] std::size_t axis_of(const RecordField& field, const std::vector<RecordField>& before);

/// The type positions have if the coordinates have these types: double if they differ.
[[nodiscard]] ScalarType common_position_type(const std::vector<RecordField>& fields);

/// An attribute of `rows` rows for a field: plain, or a list of as many values per row as the field has.
[[nodiscard]] Column make_column(std::string name, ScalarType type, std::size_t count, std::size_t rows);

/// Room in a cloud for `rows` points and an attribute for every field that is no coordinate, in order.
void make_columns(std::vector<RecordField>& fields, std::size_t rows, PointCloud& cloud);

/// Takes `count` values of a field, `stride` bytes apart, into the rows from `row`. With `swap`, they are in the other
/// byte order.
void decode_field(const RecordField& field, const char* data, std::size_t stride, std::size_t row, std::size_t count,
                  bool swap, PointCloud& cloud);

/// Reads one record a point of the cloud, whose columns make_columns has made. The caller has checked that the file is
/// long enough.
void read_records(BlockReader& file, const std::vector<RecordField>& fields, std::size_t record_size, bool swap,
                  PointCloud& cloud);

/// The fields that hold a cloud without gaps: x, y, z as float or double, then every attribute.
[[nodiscard]] std::vector<RecordField> fields_of(const PointCloud& cloud);

/// Writes one record a point; fields and attributes are those of fields_of.
void write_records(BlockWriter& file, const std::vector<RecordField>& fields, const PointCloud& cloud);

/// How many values each row of a list has if all have the same number and at least one, 1 for a plain column, otherwise
/// 0. A list of no rows counts as 0.
[[nodiscard]] std::size_t values_a_row(const Column& column);

/// Throws Error, naming format and column, unless every attribute holds numbers, as many in each row, for each point.
void check_record_columns(const BlockWriter& file, std::string_view format, const PointCloud& cloud);

}  // namespace burnish::io
