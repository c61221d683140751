#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "burnish/point_cloud.hpp"

// What the points of a scan in an E57 file consist of, and which columns of a cloud that becomes.

namespace burnish::io {

/// A field of the points of a scan: an element of its prototype.
struct E57Field {
  enum class Kind : std::uint8_t { integer, scaled_integer, float32, float64, text };

  std::string name;  ///< of the element, with its prefix
  Kind kind = Kind::float64;
  std::int64_t minimum = 0;  ///< of the stored integers
  std::int64_t maximum = 0;
  double scale = 1;  ///< the value of a scaled integer is stored * scale + offset
  double offset = 0;

  [[nodiscard]] bool is_float() const { return kind == Kind::float32 || kind == Kind::float64; }
  [[nodiscard]] bool is_text() const { return kind == Kind::text; }

  /// Of a value in its bytestream: none if all are the same; of a text at least these.
  [[nodiscard]] unsigned bits() const {
    return kind == Kind::float32   ? 32
           : kind == Kind::float64 ? 64
           : kind == Kind::text    ? 8
                                   : static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(maximum) -
                                                                          static_cast<std::uint64_t>(minimum)));
  }
};

/// Where in the fields of a scan its coordinates are. Spherical ones are used only if there are no Cartesian ones.
struct E57Coordinates {
  static constexpr std::size_t none = ~std::size_t{0};

  std::size_t axes[3] = {none, none, none};  ///< x, y, z, or range, azimuth, elevation
  std::size_t invalid_state = none;          ///< 0 for points whose coordinates are valid
  std::size_t normals[3] = {none, none, none};
  bool is_spherical = false;

  [[nodiscard]] bool is_complete() const { return axes[0] != none && axes[1] != none && axes[2] != none; }
  [[nodiscard]] bool has_normals() const { return normals[0] != none && normals[1] != none && normals[2] != none; }
};

/// Which coordinate a field is, by its name; nothing if it is none.
struct E57Axis {
  Eigen::Index axis = 0;
  bool is_spherical = false;
};
[[nodiscard]] std::optional<E57Axis> e57_axis(std::string_view field);

/// True for coordinates, their invalid states and normals, by the name of the field: burnish computes with them.
[[nodiscard]] bool has_to_be_number(std::string_view field);

[[nodiscard]] E57Coordinates find_coordinates(const std::vector<E57Field>& fields);

/// The attributes of a cloud that holds all scans of a file.
struct E57Columns {
  struct One {
    std::string name;
    ScalarType type = ScalarType::float64;
  };
  static constexpr std::size_t none = ~std::size_t{0};

  std::vector<One> columns;

  /// For each scan and each of its fields the number of its column; none for coordinates.
  std::vector<std::vector<std::size_t>> of_scans;
};

/// Fields of the same name in several scans share a column of a type that holds all of them, unless some are numbers
/// and some are text.
[[nodiscard]] E57Columns find_columns(const std::vector<const std::vector<E57Field>*>& scans);

/// The name of the field that an attribute becomes in a new file: that of the standard if it has one, otherwise the
/// attribute's own as an extension of burnish's.
[[nodiscard]] std::string e57_field_name(std::string_view attribute);

namespace e57 {
// Extensions, by their prefixes.
inline constexpr std::string_view normals_prefix = "nor";
inline constexpr std::string_view normals_address = "http://www.libe57.org/E57_NOR_surface_normals.txt";
inline constexpr std::string_view attributes_prefix = "burnish";
inline constexpr std::string_view attributes_address = "urn:burnish:attributes";

/// The attribute that says which scan a point is of, from 0, if there are several.
inline constexpr std::string_view scan_attribute = "scan";
}  // namespace e57

}  // namespace burnish::io
