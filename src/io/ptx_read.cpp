#include <fmt/format.h>

#include <array>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/colours.hpp"
#include "io/formats.hpp"
#include "io/line_reader.hpp"
#include "io/parse_word.hpp"
#include "io/rotation_comment.hpp"

// PTX, as Leica's programs write it: scans one after the other, each with the numbers of its columns and rows, the
// place and axes of the scanner (four lines), a transformation (four lines, to be applied to row vectors), then a line
// for each point of the grid, column by column: x, y, z, the strength of the echo, perhaps a colour in bytes. Where
// nothing came back a line has 0 0 0.

namespace burnish::io {
namespace {

struct PtxPass {
  explicit PtxPass(BlockReader& file) : lines(file) {}

  LineReader lines;
  PointCloud cloud;
  std::vector<std::vector<double>> values;  ///< of each attribute
  std::vector<std::int32_t> scans;          ///< which scan a point is of
};

/// The next line that is not blank; false at the end of the file.
bool next_line(LineReader& lines, std::string_view& line) {
  while (lines.next(line)) {
    line = trimmed(line);
    if (!line.empty()) {
      return true;
    }
  }
  return false;
}

std::uint64_t parse_count(const LineReader& lines, std::string_view line, std::string_view what) {
  std::uint64_t count = 0;
  if (!parse_number(line, count) || count == 0) {
    lines.fail(fmt::format("found {}, expected {}", excerpt(line), what));
  }
  return count;
}

template <std::size_t Count>
std::array<double, Count> parse_line(LineReader& lines, std::string_view what) {
  std::string_view line;
  if (!next_line(lines, line)) {
    lines.fail(fmt::format("the file ends before {}", what));
  }
  std::array<double, Count> numbers{};
  for (double& number : numbers) {
    number = parse_word(lines, line, what);
  }
  return numbers;
}

struct ScanHeader {
  std::uint64_t columns = 0;
  std::uint64_t rows = 0;
  std::array<std::array<double, 4>, 4> transformation{};

  [[nodiscard]] Vec3 apply(const Vec3& p) const {
    Vec3 result;
    for (const std::size_t axis : {0U, 1U, 2U}) {
      result[static_cast<Eigen::Index>(axis)] = p.x() * transformation[0][axis] + p.y() * transformation[1][axis] +
                                                p.z() * transformation[2][axis] + transformation[3][axis];
    }
    return result;
  }

  /// Of column vectors.
  [[nodiscard]] Eigen::Matrix3d rotation() const {
    Eigen::Matrix3d rotation;
    for (const std::size_t axis : {0U, 1U, 2U}) {
      for (const std::size_t row : {0U, 1U, 2U}) {
        rotation(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(axis)) = transformation[axis][row];
      }
    }
    return rotation;
  }
};

/// Reads the head of a scan, whose first line was met already.
ScanHeader read_header(PtxPass& pass, std::string_view line) {
  ScanHeader header;
  header.columns = parse_count(pass.lines, line, "the number of columns of a scan");
  if (!next_line(pass.lines, line)) {
    pass.lines.fail("the file ends before the number of rows of a scan");
  }
  header.rows = parse_count(pass.lines, line, "the number of rows of a scan");
  const std::array<double, 3> place = parse_line<3>(pass.lines, "the place of the scanner");
  for (int axis = 0; axis < 3; ++axis) {
    static_cast<void>(parse_line<3>(pass.lines, "an axis of the scanner"));
  }
  for (auto& row : header.transformation) {
    row = parse_line<4>(pass.lines, "a row of the transformation");
  }
  pass.cloud.comments.push_back(fmt::format("PTX scan of {} columns and {} rows, scanner at {} {} {}{}", header.columns,
                                            header.rows, place[0], place[1], place[2],
                                            rotation_comment(header.rotation())));
  // Before anything is allocated: a point is at least "0 0 0" and its line ending.
  const std::uint64_t bytes = pass.lines.file().remaining() + 1;
  if (header.columns > bytes / 6 / header.rows) {
    pass.lines.fail(
        fmt::format("{} columns of {} points are more than a file of that size can hold", header.columns, header.rows));
  }
  return header;
}

void read_points(PtxPass& pass, const ScanHeader& header) {
  const std::uint64_t count = header.columns * header.rows;
  std::string_view line;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (!next_line(pass.lines, line)) {
      pass.lines.fail(fmt::format("the file ends after {} of {} points of a scan", i, count));
    }
    Vec3 p;
    for (const Eigen::Index axis : {0, 1, 2}) {
      p[axis] = parse_word(pass.lines, line, "a coordinate");
    }
    std::size_t found = 0;
    for (; !trimmed(line).empty() && found < 4; ++found) {
      if (pass.values.size() <= found) {
        pass.values.emplace_back(pass.cloud.size(), 0.0);
      }
      pass.values[found].push_back(parse_word(pass.lines, line, "the strength or the colour of an echo"));
    }
    for (; found < pass.values.size(); ++found) {
      pass.values[found].push_back(0);  // scans with and without colour may follow each other
    }
    const bool is_missing = p == Vec3::Zero();
    pass.cloud.positions.push_back(is_missing ? Vec3::Constant(std::numeric_limits<double>::quiet_NaN())
                                              : header.apply(p));
  }
}

}  // namespace

PointCloud read_ptx(BlockReader& file) {
  PtxPass pass(file);
  std::string_view line;
  std::int32_t scan = 0;
  ScanHeader header;
  for (; next_line(pass.lines, line); ++scan) {
    header = read_header(pass, line);
    read_points(pass, header);
    pass.scans.resize(pass.cloud.size(), scan);
  }
  PointCloud& cloud = pass.cloud;
  for (std::size_t i = 0; i < pass.values.size(); ++i) {
    Column column;
    column.name = echo_columns[i];
    column.values = std::move(pass.values[i]);
    cloud.attributes.push_back(std::move(column));
  }
  if (cloud.attributes.size() == echo_columns.size()) {
    make_bytes(std::span(cloud.attributes).last(3));
  }
  if (scan == 1) {
    cloud.width = header.rows;  // the points of a column follow each other
    cloud.height = header.columns;
  } else {
    Column column;
    column.name = "scan";
    column.values = std::move(pass.scans);
    cloud.attributes.push_back(std::move(column));
  }
  return std::move(pass.cloud);
}

}  // namespace burnish::io
