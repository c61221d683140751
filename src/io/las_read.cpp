#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "io/cloud_parts.hpp"
#include "io/formats.hpp"
#include "io/las_layout.hpp"
#include "io/records.hpp"
#include "io/scalar.hpp"
#include "io/strided_copy.hpp"

namespace burnish::io {
namespace {

[[noreturn]] void refuse_compressed(const BlockReader& file, bool is_copc) {
  file.fail(
      fmt::format("is a {} file, compressed LAS, which burnish does not read; make it LAS, for instance with "
                  "\"pdal translate {} out.las\" or \"laszip\"",
                  is_copc ? "COPC" : "LAZ", file.path().filename().string()));
}

/// The header and all up to the points.
std::string read_header(BlockReader& file) {
  const std::string_view start = file.fill(las::smallest_header);
  if (start.size() < las::smallest_header) {
    file.fail(fmt::format("the file ends at byte {} inside its LAS header", file.size()));
  }
  const std::size_t header_size = las_number<std::uint16_t>(start, las::header_size);
  const std::size_t points_offset = las_number<std::uint32_t>(start, las::points_offset);
  const unsigned major = las_number<std::uint8_t>(start, las::version_minor - 1);
  const unsigned minor = las_number<std::uint8_t>(start, las::version_minor);
  if (major != 1 || minor > 4) {
    file.fail(fmt::format("byte 24: found LAS version {}.{}, expected 1.0 to 1.4", major, minor));
  }
  const std::size_t least = minor == 4 ? las::header_1_4 : minor == 3 ? las::header_1_3 : las::smallest_header;
  if (header_size < least || points_offset < header_size || points_offset > file.size()) {
    file.fail(fmt::format("the LAS header promises points at byte {} after a header of {} bytes in a file of {} bytes",
                          points_offset, header_size, file.size()));
  }
  std::string header;
  while (header.size() < points_offset) {
    const std::string_view block = file.fill(1);
    if (block.empty()) {
      file.fail(fmt::format("the file ends at byte {} before its points", file.offset()));
    }
    const std::size_t part = std::min(block.size(), points_offset - header.size());
    header += block.substr(0, part);
    file.skip(part);
  }
  return header;
}

std::uint64_t point_count(std::string_view header) {
  const std::uint64_t old = las_number<std::uint32_t>(header, las::legacy_points);
  const bool has_new = las_number<std::uint8_t>(header, las::version_minor) >= 4;
  const std::uint64_t count = has_new ? las_number<std::uint64_t>(header, las::points) : 0;
  return count > 0 ? count : old;
}

void check_header(const BlockReader& file, std::string_view header) {
  const unsigned format = las_number<std::uint8_t>(header, las::point_format);
  const std::vector<LasRecord> records = las_records(header);
  const bool is_copc = std::ranges::any_of(records, [](const LasRecord& r) { return r.user == "copc"; });
  if (format >= 64 || is_copc ||
      std::ranges::any_of(records, [](const LasRecord& r) { return r.user == "laszip encoded"; })) {
    refuse_compressed(file, is_copc);
  }
  if (const auto promised = las_number<std::uint32_t>(header, las::record_count); promised > records.size()) {
    file.fail(
        fmt::format("byte 100: the LAS header promises {} variable length records, but only {} lie before the "
                    "points at byte {}",
                    promised, records.size(), header.size()));
  }
  if (format > 10) {
    file.fail(fmt::format("byte 104: found point format {}, expected 0 to 10", format));
  }
  const std::size_t record_size = las_number<std::uint16_t>(header, las::record_size);
  if (record_size < las_point_size(format)) {
    file.fail(fmt::format("byte 105: found {} bytes a point, but format {} takes {}", record_size, format,
                          las_point_size(format)));
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto scale = las_number<double>(header, las::scale + 8 * axis);
    const auto offset = las_number<double>(header, las::offset + 8 * axis);
    if (!std::isfinite(scale) || !std::isfinite(offset) || scale == 0) {
      file.fail(fmt::format("byte {}: found scale {} and offset {} of coordinate {}", las::scale + 8 * axis, scale,
                            offset, "xyz"[axis]));
    }
  }
  const std::uint64_t points = point_count(header);
  if (points > file.remaining() / record_size) {
    file.fail(fmt::format("the file ends at byte {} inside point {}, but its header promises {} points of {} bytes",
                          file.size(), file.remaining() / record_size + 1, points, record_size));
  }
}

void decode_positions(std::string_view header, const char* data, std::size_t stride, std::size_t row, std::size_t count,
                      PointCloud& cloud) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto scale = las_number<double>(header, las::scale + 8 * axis);
    const auto offset = las_number<double>(header, las::offset + 8 * axis);
    for (std::size_t i = 0; i < count; ++i) {
      const auto stored = las_number<std::int32_t>({data + i * stride, stride}, 4 * axis);
      cloud.positions[row + i][static_cast<Eigen::Index>(axis)] = stored * scale + offset;
    }
  }
}

void decode_field(const LasField& field, const char* data, std::size_t stride, std::size_t row, std::size_t count,
                  Column& column) {
  if (field.bits > 0) {
    auto& values = std::get<std::vector<std::uint8_t>>(column.values);
    const unsigned mask = (1U << field.bits) - 1;
    for (std::size_t i = 0; i < count; ++i) {
      const unsigned byte = static_cast<unsigned char>(data[i * stride + field.offset]);
      values[row + i] = static_cast<std::uint8_t>((byte >> field.shift) & mask);
    }
    return;
  }
  const std::size_t size = scalar_size(field.type);
  char* const target = std::visit([](auto& values) { return reinterpret_cast<char*>(values.data()); }, column.values);
  for (std::size_t k = 0; k < field.count; ++k) {
    copy_strided({data + field.offset + k * size, stride, field.type},
                 {target + (row * field.count + k) * size, field.count * size, field.type}, count, false);
  }
}

class LasParts final : public CloudParts {
 public:
  explicit LasParts(BlockReader& file) : file_(file), header_(read_header(file)) {
    check_header(file, header_);
    points_ = point_count(header_);
    fields_ = las_layout(header_);
    has_trailer_ = file.remaining() > points_ * las_number<std::uint16_t>(header_, las::record_size);
  }

  [[nodiscard]] bool has_trailer() const override { return has_trailer_; }

  void read_tail(PointCloud& cloud) override {
    std::string trailer;
    for (std::string_view block = file_.fill(1); !block.empty(); block = file_.fill(1)) {
      trailer += block;
      file_.skip(block.size());
    }
    if (!trailer.empty()) {
      cloud.format_data.emplace(las::trailer_key, std::move(trailer));
    }
  }

 private:
  [[nodiscard]] PointCloud read_rows(std::uint64_t first, std::size_t rows) override {
    const std::size_t record_size = las_number<std::uint16_t>(header_, las::record_size);
    PointCloud cloud;
    cloud.format_data.emplace(las::header_key, header_);
    cloud.positions.resize(rows);
    for (const LasField& field : fields_) {
      cloud.attributes.push_back(make_column(field.name, field.type, field.count, rows));
    }
    for (std::size_t row = 0; row < rows;) {
      const std::string_view block = file_.fill(record_size);
      const std::size_t count = std::min(block.size() / record_size, rows - row);
      if (count == 0) {
        file_.fail(
            fmt::format("the file ends at byte {} inside point {} of {}", file_.offset(), first + row + 1, points_));
      }
      decode_positions(header_, block.data(), record_size, row, count, cloud);
      for (std::size_t i = 0; i < fields_.size(); ++i) {
        decode_field(fields_[i], block.data(), record_size, row, count, cloud.attributes[i]);
      }
      file_.skip(count * record_size);
      row += count;
    }
    return cloud;
  }

  void go_back() override { file_.seek(header_.size()); }

  BlockReader& file_;
  std::string header_;
  std::vector<LasField> fields_;
  bool has_trailer_ = false;
};

}  // namespace

std::unique_ptr<CloudParts> las_parts(BlockReader& file) { return std::make_unique<LasParts>(file); }

PointCloud read_las(BlockReader& file) { return read_all(*las_parts(file)); }

}  // namespace burnish::io
