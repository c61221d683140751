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

/// What a file holds beside the points, such as the faces of a mesh: carried along untouched.
struct Table {
  std::string name;
  std::size_t rows = 0;
  std::vector<Column> columns;
};

/// Points with everything the file says about them.
///
/// Algorithms read and write `positions` and leave the rest alone: row i of every attribute belongs to point i.
struct PointCloud {
  std::vector<Vec3> positions;

  /// Colours, normals, intensities, …: one row per point, kept in type and value.
  std::vector<Column> attributes;

  /// Further tables of the file, for instance "face".
  std::vector<Table> tables;

  /// The file's comment lines, without the format's own comment sign.
  std::vector<std::string> comments;

  /// The type positions have in the file, used again when writing; in memory they are double.
  ScalarType position_type = ScalarType::float64;

  /// Rows and columns of an organised cloud (a depth image); both 0 for an unorganised one.
  std::size_t width = 0;
  std::size_t height = 0;

  /// What a format's own header holds that is neither point, table nor comment, as bytes only that format understands:
  /// kept so that writing the same format again gives it back, and ignored by every other. The keys start with the name
  /// of the format: "las header" (scale, offset, projection and all variable length records), "las trailer",
  /// "e57 xml" (scans with their poses, and all else the file says), "e57 blobs" (images).
  std::map<std::string, std::string, std::less<>> format_data;

  [[nodiscard]] std::size_t size() const { return positions.size(); }

  /// The attribute of that name, or nullptr.
  [[nodiscard]] const Column* find_attribute(std::string_view name) const;
};

/// The normals of a cloud's points, as it holds them in the attributes nx, ny, nz or normal_x, normal_y, normal_z;
/// empty if it has none.
[[nodiscard]] std::vector<Vec3> normals_of(const PointCloud& cloud);

/// Where the sensor was, if the cloud says so: from a comment "VIEWPOINT x y z …", which is how the viewpoint of a PCD
/// file is kept (unless it is the origin, which PCD files also have when nobody set it).
[[nodiscard]] std::optional<Vec3> viewpoint_of(const PointCloud& cloud);

/// Where the scanner was when it measured each point; empty if the cloud does not say so. Clouds read from PTX and E57
/// do: a comment for each scan, "PTX scan …, scanner at x y z" or "E57 scan …, scanner at x y z", and the attribute
/// "scan", which is the number of a point's scan, from 0, if there are several.
[[nodiscard]] std::vector<Vec3> scanner_positions_of(const PointCloud& cloud);

/// The values of an attribute as numbers; nothing if the cloud has no such attribute, or it is a list or text.
[[nodiscard]] std::optional<std::vector<double>> numbers_of(const PointCloud& cloud, std::string_view name);

/// Takes points out of a cloud, with their attributes: those for which `keep` is false. An organised cloud is organised
/// no more then. Faces that had one of the points as a corner go too; in the others points are renumbered.
void keep_points(PointCloud& cloud, const std::vector<bool>& keep);

/// Takes rows out of a column: those for which `keep` is false.
void keep_rows(Column& column, const std::vector<bool>& keep);

/// True if none of the three coordinates is NaN or infinite.
[[nodiscard]] inline bool is_finite(const Vec3& p) { return p.allFinite(); }

}  // namespace burnish
