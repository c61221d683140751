#pragma once

#include <Eigen/Core>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace burnish {

using Vec3 = Eigen::Vector3d;

/// The values of one column, in the type they have in the file.
using Values = std::variant<std::vector<std::int8_t>, std::vector<std::uint8_t>, std::vector<std::int16_t>,
                            std::vector<std::uint16_t>, std::vector<std::int32_t>, std::vector<std::uint32_t>,
                            std::vector<std::int64_t>, std::vector<std::uint64_t>, std::vector<float>,
                            std::vector<double>, std::vector<std::string>>;

/// The type of a column's values; the order is that of the alternatives of Values.
enum class ScalarType : std::uint8_t {
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  float32,
  float64,
  text
};

/// The names of these types, in the same order.
inline constexpr std::array<std::string_view, 11> scalar_type_names = {
    "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64", "text"};

/// A named column: one value per row, or, for a list column, any number of values per row.
struct Column {
  std::string name;
  Values values;

  /// Only for a list column: row r holds values[list_ends[r-1] … list_ends[r]), and the file stores the length of each
  /// list as list_size_type. Empty for a plain column.
  std::vector<std::size_t> list_ends;
  ScalarType list_size_type = ScalarType::uint8;
  bool is_list = false;

  [[nodiscard]] ScalarType type() const { return static_cast<ScalarType>(values.index()); }

  /// Number of rows.
  [[nodiscard]] std::size_t rows() const;
};

/// Further data of a file, such as the faces of a mesh; kept unchanged.
struct Table {
  std::string name;
  std::size_t rows = 0;
  std::vector<Column> columns;
};

/// Points with all other contents of their file.
///
/// Algorithms read and write `positions` only. Row i of every attribute belongs to point i.
struct PointCloud {
  std::vector<Vec3> positions;

  /// Colours, normals, intensities, …: one row per point, kept in type and value.
  std::vector<Column> attributes;

  /// Further tables of the file, for instance "face".
  std::vector<Table> tables;

  /// The file's comment lines, without the format's own comment sign.
  std::vector<std::string> comments;

  /// The type of the positions in the file, used again for writing; in memory they are double.
  ScalarType position_type = ScalarType::float64;

  /// Rows and columns of an organised cloud (a depth image); both 0 for an unorganised one.
  std::size_t width = 0;
  std::size_t height = 0;

  /// Contents of a file header that are neither points, tables nor comments, as bytes in the encoding of that format.
  /// They are written back to the same format and ignored by all others. The keys start with the name of the format:
  /// "las header" (scale, offset, projection and all variable length records), "las trailer", "e57 xml" (scans with
  /// their poses, and all other metadata), "e57 blobs" (images).
  std::map<std::string, std::string, std::less<>> format_data;

  [[nodiscard]] std::size_t size() const { return positions.size(); }

  /// The attribute of that name, or nullptr.
  [[nodiscard]] const Column* find_attribute(std::string_view name) const;
};

/// The normals of a cloud, from its attributes nx, ny, nz or normal_x, normal_y, normal_z; empty if it has none.
[[nodiscard]] std::vector<Vec3> normals_of(const PointCloud& cloud);

/// The position of the sensor, if it is known: from a comment "VIEWPOINT x y z …", in which the viewpoint of a PCD file
/// is kept (unless it is the origin, which is also the default of PCD files).
[[nodiscard]] std::optional<Vec3> viewpoint_of(const PointCloud& cloud);

/// The position of the scanner that measured each point; empty if unknown. Clouds read from PTX and E57 have it: a
/// comment for each scan, "PTX scan …, scanner at x y z" or "E57 scan …, scanner at x y z", and the attribute "scan",
/// which is the number of a point's scan, from 0, if there are several.
[[nodiscard]] std::vector<Vec3> scanner_positions_of(const PointCloud& cloud);

/// The values of an attribute as numbers; nullopt if the cloud has no such attribute, or it is a list or text.
[[nodiscard]] std::optional<std::vector<double>> numbers_of(const PointCloud& cloud, std::string_view name);

/// Removes the points for which `keep` is false, with their attributes. The cloud is not organised any more then. Faces
/// with a removed corner are removed too; in the others the indices are updated.
void keep_points(PointCloud& cloud, const std::vector<bool>& keep);

/// Removes the rows of a column for which `keep` is false.
void keep_rows(Column& column, const std::vector<bool>& keep);

/// True if none of the three coordinates is NaN or infinite.
[[nodiscard]] inline bool is_finite(const Vec3& p) { return p.allFinite(); }

}  // namespace burnish
