#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/cloud_writer.hpp"
#include "io/convert_column.hpp"
#include "io/formats.hpp"
#include "io/las_header.hpp"
#include "io/las_layout.hpp"
#include "io/laz_write.hpp"
#include "io/records.hpp"
#include "io/scalar.hpp"
#include "io/strided_copy.hpp"

namespace burnish::io {
namespace {

/// Where the values of each field come from: an attribute, a converted copy of one, or nowhere.
struct Sources {
  std::vector<LasField> fields;
  std::vector<const Column*> columns;
};

bool belongs_to(const Column& column, const LasField& field) {
  return column.name == field.name && values_a_row(column) == field.count &&
         can_convert(column, field.type, field.bits);
}

/// Finds a place for every attribute: the field of its name if its values fit exactly, otherwise extra bytes, which
/// are added to the header. `converted` keeps what had to be converted; it must not move.
Sources place_columns(const BlockWriter& file, const PointCloud& cloud, std::string& header,
                      std::vector<Column>& converted) {
  Sources sources;
  sources.fields = las_layout(header);
  sources.columns.resize(sources.fields.size(), nullptr);
  converted.reserve(cloud.attributes.size());
  std::vector<const Column*> extra;
  for (const Column& column : cloud.attributes) {
    const auto field =
        std::ranges::find_if(sources.fields, [&](const LasField& one) { return belongs_to(column, one); });
    if (field == sources.fields.end()) {
      extra.push_back(&column);
      continue;
    }
    const Column* source = &column;
    if (column.type() != field->type) {
      converted.push_back(convert(column, field->type));
      source = &converted.back();
    }
    sources.columns[static_cast<std::size_t>(field - sources.fields.begin())] = source;
  }
  if (!extra.empty() && cloud.size() > 0) {
    for (const Column* column : extra) {
      if (!las_extra_type(*column)) {
        file.fail(fmt::format("LAS cannot hold the column {}; write .ply instead", excerpt(column->name)));
      }
    }
    if (!add_las_extra_bytes(header, extra)) {
      file.fail("the columns are more than a LAS file can hold");
    }
    sources.fields = las_layout(header);  // the same fields, and the new ones behind
    sources.columns.insert(sources.columns.end(), extra.begin(), extra.end());
  }
  return sources;
}

void encode_field(const LasField& field, const Column& column, std::size_t row, std::size_t count, std::size_t stride,
                  char* data) {
  if (field.bits > 0) {
    const auto& values = std::get<std::vector<std::uint8_t>>(column.values);
    for (std::size_t i = 0; i < count; ++i) {
      char& byte = data[i * stride + field.offset];
      byte = static_cast<char>(static_cast<unsigned char>(byte) | (values[row + i] << field.shift));
    }
    return;
  }
  const std::size_t size = scalar_size(field.type);
  const char* const source =
      std::visit([](const auto& values) { return reinterpret_cast<const char*>(values.data()); }, column.values);
  for (std::size_t k = 0; k < field.count; ++k) {
    copy_strided({source + (row * field.count + k) * size, field.count * size, field.type},
                 {data + field.offset + k * size, stride, field.type}, count, false);
  }
}

/// Makes the records of some points.
void encode_records(std::string_view header, const Sources& sources, const PointCloud& cloud, std::size_t row,
                    std::size_t count, char* data) {
  const std::size_t record_size = las_number<std::uint16_t>(header, las::record_size);
  std::memset(data, 0, count * record_size);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto scale = las_number<double>(header, las::scale + 8 * axis);
    const auto offset = las_number<double>(header, las::offset + 8 * axis);
    for (std::size_t i = 0; i < count; ++i) {
      const auto integer = static_cast<std::int32_t>(
          las_stored(cloud.positions[row + i][static_cast<Eigen::Index>(axis)], scale, offset));
      std::memcpy(data + i * record_size + 4 * axis, &integer, sizeof integer);
    }
  }
  for (std::size_t i = 0; i < sources.columns.size(); ++i) {
    if (sources.columns[i] != nullptr) {
      encode_field(sources.fields[i], *sources.columns[i], row, count, record_size, data);
    }
  }
}

class LasWriter final : public CloudWriter {
 public:
  LasWriter(BlockWriter& file, const Whole& whole, bool is_compressed)
      : file_(file), whole_(whole), is_compressed_(is_compressed) {}

  void write_part(const PointCloud& part) override {
    for (std::size_t i = 0; i < part.size(); ++i) {
      if (!is_finite(part.positions[i])) {
        file_.fail(fmt::format("LAS cannot hold point {}, whose coordinates are not finite; write .ply or .pcd instead",
                               written_ + i + 1));
      }
    }
    check_record_columns(file_, "LAS", part);
    const bool is_first = header_.empty();
    std::string header = is_first ? las_header_for(file_, part) : header_;
    if (is_first) {
      old_header_ = header;
    }
    std::vector<Column> converted;
    const Sources sources = place_columns(file_, part, header, converted);
    if (is_first) {
      header_ = std::move(header);
      write_header();
    } else if (header != header_) {
      file_.fail("the columns of its parts differ");
    }
    count_returns(sources);
    write_points(sources, part);
    written_ += part.size();
  }

  void write_tail(const PointCloud& cloud) override {
    std::string start;
    if (compressor_) {
      const std::uint64_t table = compressor_->finish();
      start.resize(sizeof table);
      put_las_number(start, 0, table);
    }
    shift_las_trailer(old_header_, whole_.has_trailer, file_.offset(), header_);
    if (const auto trailer = cloud.format_data.find(las::trailer_key); trailer != cloud.format_data.end()) {
      file_.append(trailer->second);
    }
    set_las_counts(file_, whole_.points, returns_, header_);
    file_.overwrite_start(header_in_file() + start);
  }

 private:
  /// For the first part, whose columns have found their places in the header.
  void write_header() {
    set_las_scale(file_, whole_.box, header_);
    set_las_bounds(whole_.box, header_);
    set_las_counts(file_, whole_.points, returns_, header_);
    file_.expect_rows(whole_.points);
    file_.append(header_in_file());
    if (is_compressed_) {
      compressor_.emplace(file_, layout());
    }
  }

  [[nodiscard]] LazLayout layout() const {
    return laz_layout_for(las_number<std::uint8_t>(header_, las::point_format),
                          las_number<std::uint16_t>(header_, las::record_size));
  }

  [[nodiscard]] std::string header_in_file() const { return is_compressed_ ? laz_header(header_, layout()) : header_; }

  void write_points(const Sources& sources, const PointCloud& part) {
    const std::size_t record_size = las_number<std::uint16_t>(header_, las::record_size);
    const std::size_t rows_at_once = std::max<std::size_t>(1, BlockWriter::block_size / record_size);
    for (std::size_t row = 0; row < part.size();) {
      const std::size_t count = std::min(rows_at_once, part.size() - row);
      char* const data = compressor_ ? compressor_->room(count) : file_.room(count * record_size);
      encode_records(header_, sources, part, row, count, data);
      if (!compressor_) {
        file_.take(count * record_size);
        file_.rows_done(count);
      }
      row += count;
    }
  }

  void count_returns(const Sources& sources) {
    const auto field = std::ranges::find(sources.fields, "return_number", &LasField::name) - sources.fields.begin();
    if (const Column* const column = sources.columns[static_cast<std::size_t>(field)]; column != nullptr) {
      for (const std::uint8_t number : std::get<std::vector<std::uint8_t>>(column->values)) {
        ++returns_.at(std::min<std::size_t>(number, 15));
      }
    }
  }

  BlockWriter& file_;
  Whole whole_;
  bool is_compressed_;
  std::string old_header_;  ///< as it was in the file that was read
  std::string header_;      ///< of the file as it would be without compression
  std::optional<LazWriter> compressor_;
  LasReturns returns_{};
  std::uint64_t written_ = 0;
};

}  // namespace

std::unique_ptr<CloudWriter> las_writer(BlockWriter& file, const Whole& whole) {
  return std::make_unique<LasWriter>(file, whole, false);
}

std::unique_ptr<CloudWriter> laz_writer(BlockWriter& file, const Whole& whole) {
  return std::make_unique<LasWriter>(file, whole, true);
}

}  // namespace burnish::io
