#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "burnish/point_cloud.hpp"
#include "io/little_endian.hpp"

// LAS after the specification of the ASPRS (1.4 R15): a header, variable length records, then points as binary records
// whose layout is one of eleven, perhaps with extra bytes behind, which a record of the header may describe.

namespace burnish::io {

/// A field of a point record. With `bits`, it is a part of the byte at its offset.
struct LasField {
  std::string name;
  ScalarType type = ScalarType::uint8;
  std::size_t offset = 0;
  std::size_t count = 1;  ///< values; a field of several becomes a list column
  unsigned shift = 0;
  unsigned bits = 0;
  std::size_t descriptor = 0;  ///< where the header describes it, for extra bytes
};

// Where things are in the header.
namespace las {
inline constexpr std::size_t version_minor = 25;
inline constexpr std::size_t header_size = 94;
inline constexpr std::size_t points_offset = 96;
inline constexpr std::size_t record_count = 100;
inline constexpr std::size_t point_format = 104;
inline constexpr std::size_t record_size = 105;
inline constexpr std::size_t legacy_points = 107;
inline constexpr std::size_t legacy_returns = 111;  // five counts
inline constexpr std::size_t scale = 131;
inline constexpr std::size_t offset = 155;
inline constexpr std::size_t bounds = 179;          // of each axis, first the upper one
inline constexpr std::size_t waveform_start = 227;  // since 1.3
inline constexpr std::size_t extended_start = 235;  // since 1.4
inline constexpr std::size_t points = 247;
inline constexpr std::size_t returns = 255;  // fifteen counts
inline constexpr std::size_t smallest_header = 227;
inline constexpr std::size_t header_1_3 = 235;
inline constexpr std::size_t header_1_4 = 375;

inline constexpr std::size_t record_head = 54;  // of a variable length record
inline constexpr std::size_t descriptor = 192;  // of extra bytes
inline constexpr std::uint16_t extra_bytes_id = 4;

// Names under which the header and what follows the points are kept in PointCloud::format_data.
inline constexpr std::string_view header_key = "las header";
inline constexpr std::string_view trailer_key = "las trailer";
}  // namespace las

/// A variable length record of a header: who it is for, its number there, and where its content is.
struct LasRecord {
  std::string_view user;
  std::uint16_t id = 0;
  std::size_t begin = 0;
  std::size_t size = 0;
};

/// The variable length records that lie between the header and the points; those that do not fit are left out.
[[nodiscard]] std::vector<LasRecord> las_records(std::string_view header);

/// A variable length record as it stands in a header.
[[nodiscard]] std::string las_record(std::string_view user, std::uint16_t id, std::string_view content);

/// Bytes of a point of that format (0 to 10) without extra bytes.
[[nodiscard]] std::size_t las_point_size(unsigned format);

/// All fields of the point records but the coordinates: those of the point format, the extra bytes that are described,
/// each under its name, and the bytes that are not as "extra_bytes". Every bit of a record belongs to one field. The
/// header reaches up to the points; its point format and record size are known to be sound.
[[nodiscard]] std::vector<LasField> las_layout(std::string_view header);

/// The type number that describes a column as extra bytes, 0 for bytes without a type of their own; nothing if a point
/// record cannot hold the column: text, rows of different lengths, or too many values in each.
[[nodiscard]] std::optional<unsigned> las_extra_type(const Column& column);

/// Makes a point record of that header longer by a field for each of the columns, after all others, and describes them
/// and all extra bytes that were not described before. False if the header has no room for that.
[[nodiscard]] bool add_las_extra_bytes(std::string& header, const std::vector<const Column*>& columns);

}  // namespace burnish::io
