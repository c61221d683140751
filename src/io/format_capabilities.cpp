#include "io/format_capabilities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

#include "burnish/mesh.hpp"
#include "core/scanner_places.hpp"
#include "io/block_reader.hpp"
#include "io/convert_column.hpp"
#include "io/e57_format_data.hpp"
#include "io/face_table.hpp"
#include "io/las_layout.hpp"
#include "io/records.hpp"

namespace burnish::io {
namespace {

using Notes = std::vector<std::string>;

bool is_number(const Column* column) {
  return column != nullptr && !column->is_list && column->type() != ScalarType::text;
}

/// True if the attribute is one of the names the format knows and, for one of three that belong together, the others
/// are there.
bool is_among(const PointCloud& cloud, const Column& column, bool with_normals, bool with_intensity) {
  using Triple = std::array<std::string_view, 3>;
  const auto is_one_of = [&](const Triple& names) {
    return std::ranges::find(names, column.name) != names.end() &&
           std::ranges::all_of(names, [&](auto name) { return is_number(cloud.find_attribute(name)); });
  };
  return (with_intensity && column.name == "intensity" && is_number(&column)) || is_one_of({"red", "green", "blue"}) ||
         (with_normals && is_one_of({"nx", "ny", "nz"}));
}

bool can_hold(FormatCapabilities format, const PointCloud& cloud, const Column& column) {
  const bool is_text = column.type() == ScalarType::text;
  const bool has_equal_rows = values_a_row(column) > 0 || column.rows() == 0;
  switch (format) {
    case FormatCapabilities::ply:
      return !is_text;
    case FormatCapabilities::text:
      return !column.is_list;
    case FormatCapabilities::pcd:
    case FormatCapabilities::npy:
      return !is_text && has_equal_rows;
    case FormatCapabilities::las:
      return !is_text && (column.rows() == 0 || las_extra_type(column).has_value());
    case FormatCapabilities::e57:
      return can_be_e57_field(column);
    case FormatCapabilities::pts:
    case FormatCapabilities::ptx:
      return is_among(cloud, column, false, true);
    case FormatCapabilities::mesh:
      return is_among(cloud, column, true, false);
    case FormatCapabilities::stl:
      return false;
    case FormatCapabilities::kitti:
      return column.name == "intensity" && is_number(&column) && can_convert(column, ScalarType::float32, 0);
  }
  return false;
}

void leave_out_attributes(FormatCapabilities format, PointCloud& cloud, Notes& notes) {
  std::vector<Column> kept;
  std::vector<bool> keep;
  for (const Column& column : cloud.attributes) {
    keep.push_back(can_hold(format, cloud, column));
    if (!keep.back()) {
      const std::string_view kind = column.type() == ScalarType::text ? "text " : column.is_list ? "list " : "";
      notes.push_back(fmt::format("the {}column {}", kind, excerpt(column.name)));
    }
  }
  for (std::size_t i = 0; i < keep.size(); ++i) {
    if (keep[i]) {
      kept.push_back(std::move(cloud.attributes[i]));
    }
  }
  cloud.attributes = std::move(kept);
}

/// Faces with corners beyond the number of points, which only PLY files can have. Returns how many are left.
std::size_t leave_out_broken_faces(Column& corners, std::size_t points, Notes& notes) {
  const std::size_t faces = corners.list_ends.size();
  std::vector<bool> is_whole(faces);
  for (std::size_t face = 0; face < faces; ++face) {
    bool whole = true;
    for_each_corner(corners, face, [&](std::int64_t corner) {
      whole = whole && corner >= 0 && static_cast<std::uint64_t>(corner) < points;
    });
    is_whole[face] = whole;
  }
  const auto broken = std::ranges::count(is_whole, false);
  if (broken > 0) {
    notes.push_back(fmt::format("{} faces with corners that are not points", broken));
    keep_rows(corners, is_whole);
  }
  return corners.list_ends.size();
}

void leave_out_tables(FormatCapabilities format, PointCloud& cloud, Notes& notes) {
  if (format == FormatCapabilities::ply) {
    return;
  }
  const bool has_faces = format == FormatCapabilities::mesh || format == FormatCapabilities::stl;
  const Column* const faces = has_faces ? find_faces(cloud) : nullptr;
  const auto is_recomputed = [&](const Column& column) {
    return format == FormatCapabilities::stl && (column.name == "nx" || column.name == "ny" || column.name == "nz");
  };
  std::vector<Table> kept;
  for (Table& table : cloud.tables) {
    const bool is_faces = faces != nullptr && table.name == "face";
    if (!is_faces) {
      notes.push_back(fmt::format("the table {}", excerpt(table.name)));
      continue;
    }
    std::vector<Column> corners;
    for (Column& column : table.columns) {
      if (&column == faces) {
        table.rows = leave_out_broken_faces(column, cloud.size(), notes);
        corners.push_back(std::move(column));
      } else if (!is_recomputed(column)) {
        notes.push_back(fmt::format("the column {} of table \"face\"", excerpt(column.name)));
      }
    }
    table.columns = std::move(corners);
    kept.push_back(std::move(table));
  }
  cloud.tables = std::move(kept);
}

void leave_out_points(PointCloud& cloud, const std::vector<bool>& keep, std::string_view which, Notes& notes) {
  if (const auto gone = std::ranges::count(keep, false); gone > 0) {
    notes.push_back(fmt::format("{} point{} {}", gone, gone == 1 ? "" : "s", which));
    keep_points(cloud, keep);
  }
}

std::vector<bool> finite_points(const PointCloud& cloud) {
  std::vector<bool> finite;
  for (const Vec3& p : cloud.positions) {
    finite.push_back(is_finite(p));
  }
  return finite;
}

std::vector<bool> corners_of_triangles(const PointCloud& cloud) {
  std::vector<bool> corners(cloud.size(), false);
  for (const auto& triangle : mesh_of(cloud).triangles) {
    for (const std::uint32_t corner : triangle) {
      corners[corner] = true;
    }
  }
  return corners;
}

/// What only the format understands that the cloud was read from.
void leave_out_format_data(FormatCapabilities format, PointCloud& cloud, Notes& notes) {
  const auto leave_out = [&](std::string_view key, std::string_view start, std::string_view what) {
    if (cloud.format_data.contains(key)) {
      notes.emplace_back(what);
    }
    std::erase_if(cloud.format_data, [&](const auto& entry) { return entry.first.starts_with(start); });
  };
  if (format != FormatCapabilities::las) {
    leave_out(las::header_key, "las ", "the LAS header with its projection and other records");
  }
  if (format != FormatCapabilities::e57) {
    leave_out(e57::xml_key, "e57 ", "the poses of E57 scans, images and other metadata");
  } else if (!has_e57_scans(cloud)) {
    leave_out(e57::xml_key, "e57 ",
              "the poses of E57 scans and images: the points are not in the order of those scans");
  }
}

/// A line of a text file is a point, and a file with other control characters is no text.
void replace_control_characters(PointCloud& cloud, Notes& notes) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' && c != '\t'; };
  for (Column& column : cloud.attributes) {
    auto* const texts = std::get_if<std::vector<std::string>>(&column.values);
    if (texts != nullptr &&
        std::ranges::any_of(*texts, [&](const std::string& text) { return std::ranges::any_of(text, is_control); })) {
      for (std::string& text : *texts) {
        std::ranges::replace_if(text, is_control, ' ');
      }
      notes.push_back(fmt::format("the line breaks and control characters in column {}", excerpt(column.name)));
    }
  }
}

/// In a PTX file 0 0 0 stands for a point that is missing.
void make_missing(PointCloud& cloud, Notes& notes) {
  std::size_t changed = 0;
  for (Vec3& p : cloud.positions) {
    const bool is_missing = p.array().isNaN().all();
    if (!is_missing && (!is_finite(p) || p == Vec3::Zero())) {
      p.setConstant(std::numeric_limits<double>::quiet_NaN());
      ++changed;
    }
  }
  if (changed > 0) {
    notes.push_back(fmt::format("the coordinates of {} point{} at 0 0 0 or not finite: they count as missing", changed,
                                changed == 1 ? "" : "s"));
  }
}

}  // namespace

std::string why_not_held(FormatCapabilities format, const PointCloud& cloud) {
  if (format == FormatCapabilities::stl && (find_faces(cloud) == nullptr || mesh_of(cloud).triangles.empty())) {
    return "STL holds triangles, and there are none; write .ply instead";
  }
  if (format == FormatCapabilities::ptx && cloud.size() == 0) {
    return "PTX cannot hold a cloud without points; write .ply instead";
  }
  return "";
}

std::vector<std::string> leave_out_what_cannot_be_held(FormatCapabilities format, PointCloud& cloud) {
  Notes notes;
  leave_out_attributes(format, cloud, notes);
  leave_out_tables(format, cloud, notes);
  const bool has_comments = format == FormatCapabilities::ply || format == FormatCapabilities::pcd ||
                            format == FormatCapabilities::text || format == FormatCapabilities::mesh;
  if (!has_comments) {
    // Those about scans say where the scanners were, which E57 holds as poses.
    const auto left_out = std::erase_if(cloud.comments, [format](const std::string& comment) {
      return format != FormatCapabilities::e57 || !is_scan_comment(comment);
    });
    if (left_out > 0) {
      notes.push_back(fmt::format("{} comment{}", left_out, left_out == 1 ? "" : "s"));
    }
  }
  const bool has_rows =
      format == FormatCapabilities::pcd || format == FormatCapabilities::npy || format == FormatCapabilities::ptx;
  if (!has_rows && cloud.height > 0) {
    notes.push_back(fmt::format("that the points are {} rows of {}", cloud.height, cloud.width));
    cloud.width = cloud.height = 0;
  }
  leave_out_format_data(format, cloud, notes);
  if (format == FormatCapabilities::las) {
    leave_out_points(cloud, finite_points(cloud), "whose coordinates are not finite", notes);
  }
  if (format == FormatCapabilities::stl) {
    leave_out_points(cloud, corners_of_triangles(cloud), "at no corner of a triangle", notes);
  }
  if (format == FormatCapabilities::text) {
    replace_control_characters(cloud, notes);
  }
  if (format == FormatCapabilities::ptx) {
    make_missing(cloud, notes);
  }
  if ((format == FormatCapabilities::kitti || format == FormatCapabilities::stl) &&
      cloud.position_type != ScalarType::float32) {
    notes.emplace_back("the digits of coordinates beyond those of a float");
    cloud.position_type = ScalarType::float32;
  }
  return notes;
}

}  // namespace burnish::io
