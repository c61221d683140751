#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "io/cloud_parts.hpp"
#include "io/formats.hpp"
#include "io/las_layout.hpp"
#include "io/las_records.hpp"
#include "io/records.hpp"
#include "io/scalar.hpp"
#include "io/strided_copy.hpp"

namespace burnish::io {
namespace {

void decode_positions(std::string_view header, const char* data, std::size_t stride, std::size_t row, std::size_t count,
                      PointCloud& cloud) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto scale = little_endian<double>(header, las::scale + 8 * axis);
    const auto offset = little_endian<double>(header, las::offset + 8 * axis);
    for (std::size_t i = 0; i < count; ++i) {
      const auto stored = little_endian<std::int32_t>({data + i * stride, stride}, 4 * axis);
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

class PlainRecords final : public LasRecords {
 public:
  PlainRecords(BlockReader& file, const LasStart& start)
      : file_(file),
        record_size_(little_endian<std::uint16_t>(start.header, las::record_size)),
        offset_(start.points_offset) {}

  [[nodiscard]] std::string_view next(std::size_t most) override {
    file_.skip(taken_);
    const std::string_view block = file_.fill(record_size_);
    taken_ = std::min(block.size() / record_size_, most) * record_size_;
    if (taken_ == 0) {
      file_.fail(fmt::format("the file ends at byte {} inside point {}", file_.offset(),
                             (file_.offset() - offset_) / record_size_ + 1));
    }
    return block.substr(0, taken_);
  }

  void restart() override {
    file_.seek(offset_);
    taken_ = 0;
  }

 private:
  BlockReader& file_;
  std::size_t record_size_;
  std::uint64_t offset_;
  std::size_t taken_ = 0;  ///< bytes given away last, which the file still holds
};

/// Gives all columns of a cloud the given number of rows; `fields` are those of the attributes.
void resize_rows(const std::vector<LasField>& fields, std::size_t rows, PointCloud& cloud) {
  cloud.positions.resize(rows);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    Column& column = cloud.attributes[i];
    std::visit([&](auto& values) { values.resize(rows * fields[i].count); }, column.values);
    for (std::size_t row = column.list_ends.size(); column.is_list && row < rows; ++row) {
      column.list_ends.push_back((row + 1) * fields[i].count);
    }
  }
}

class LasParts final : public CloudParts {
 public:
  LasParts(BlockReader& file, LasStart start, std::vector<LazChunk> chunks)
      : file_(file), start_(std::move(start)), fields_(las_layout(start_.header)) {
    points_ = start_.points;
    records_ =
        start_.compressed ? laz_records(file, *start_.compressed, std::move(chunks)) : plain_las_records(file, start_);
    records_->restart();
  }

  [[nodiscard]] bool has_trailer() const override { return !start_.trailer.empty(); }

  [[nodiscard]] std::uint64_t decompressed_bytes() const override {
    return start_.compressed ? points_ * start_.compressed->size() : 0;
  }

  void read_tail(PointCloud& cloud) override {
    std::string trailer;
    for (const auto& [begin, end] : start_.trailer) {
      file_.seek(begin);
      for (std::uint64_t left = end - begin; left > 0;) {
        const std::string_view block = file_.fill(1);
        if (block.empty()) {
          file_.fail(fmt::format("the file ends at byte {} inside what follows its points", file_.offset()));
        }
        const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(block.size(), left));
        trailer += block.substr(0, part);
        file_.skip(part);
        left -= part;
      }
    }
    if (!trailer.empty()) {
      cloud.format_data.emplace(las::trailer_key, std::move(trailer));
    }
  }

 private:
  [[nodiscard]] PointCloud read_rows(std::uint64_t /*first*/, std::size_t rows) override {
    const std::size_t record_size = little_endian<std::uint16_t>(start_.header, las::record_size);
    PointCloud cloud;
    cloud.format_data.emplace(las::header_key, start_.header);
    // Points that take less than a byte of the file are counted only when they are decoded.
    std::size_t room = std::min<std::uint64_t>(rows, file_.size());
    for (const LasField& field : fields_) {
      cloud.attributes.push_back(make_column(field.name, field.type, field.count, room));
    }
    cloud.positions.resize(room);
    for (std::size_t row = 0; row < rows;) {
      const std::string_view records = records_->next(rows - row);
      const std::size_t count = records.size() / record_size;
      if (row + count > room) {
        room = std::min(rows, 2 * (row + count));
        resize_rows(fields_, room, cloud);
      }
      constexpr std::size_t rows_at_once = 4096;
      parallel_blocks(file_.context(), count, rows_at_once, [&](std::size_t begin, std::size_t end) {
        const char* const data = records.data() + begin * record_size;
        decode_positions(start_.header, data, record_size, row + begin, end - begin, cloud);
        for (std::size_t i = 0; i < fields_.size(); ++i) {
          decode_field(fields_[i], data, record_size, row + begin, end - begin, cloud.attributes[i]);
        }
      });
      row += count;
    }
    return cloud;
  }

  void go_back() override { records_->restart(); }

  BlockReader& file_;
  LasStart start_;
  std::vector<LasField> fields_;
  std::unique_ptr<LasRecords> records_;
};

}  // namespace

std::unique_ptr<LasRecords> plain_las_records(BlockReader& file, const LasStart& start) {
  return std::make_unique<PlainRecords>(file, start);
}

std::unique_ptr<CloudParts> las_parts(BlockReader& file, LasStart start, std::vector<LazChunk> chunks) {
  return std::make_unique<LasParts>(file, std::move(start), std::move(chunks));
}

std::unique_ptr<CloudParts> las_parts(BlockReader& file) {
  LasStart start = read_las_start(file);
  std::vector<LazChunk> chunks;
  if (start.compressed) {
    chunks = find_laz_chunks(file, *start.compressed, start.points_offset, start.points);
  }
  return las_parts(file, std::move(start), std::move(chunks));
}

PointCloud read_las(BlockReader& file) { return read_all(*las_parts(file)); }

}  // namespace burnish::io
