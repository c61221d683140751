#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "io/cloud_parts.hpp"
#include "io/formats.hpp"
#include "io/lzf.hpp"
#include "io/parse_number.hpp"
#include "io/pcd_header.hpp"
#include "io/scalar.hpp"

namespace burnish::io {
namespace {

std::string_view take_value(LineReader& lines, std::string_view& line, const RecordField& field) {
  // Commas are not what the description says, but what some programs write.
  const auto is_between = [](char c) { return is_blank(c) || c == ','; };
  while (!line.empty() && is_between(line.front())) {
    line.remove_prefix(1);
  }
  const auto end = std::ranges::find_if(line, is_between);
  const std::string_view word = line.substr(0, static_cast<std::size_t>(end - line.begin()));
  if (word.empty()) {
    lines.fail(fmt::format("the line ends before the value of field {}", excerpt(field.name)));
  }
  line.remove_prefix(word.size());
  return word;
}

void parse_field(LineReader& lines, std::string_view& line, const RecordField& field, char* target) {
  with_number_type(field.type, [&]<class T>(std::type_identity<T>) {
    for (std::size_t i = 0; i < field.count; ++i) {
      const std::string_view word = take_value(lines, line, field);
      T value{};
      if (!parse_number(word, value)) {
        lines.fail(fmt::format("found {}, expected a value of field {}", excerpt(word), excerpt(field.name)));
      }
      std::memcpy(target + i * sizeof(T), &value, sizeof(T));
    }
  });
}

/// The points after the first ones.
void read_text(LineReader& lines, const PcdHeader& header, const std::vector<RecordField>& fields, std::uint64_t first,
               PointCloud& cloud) {
  std::vector<char> record(header.record_size);
  std::string_view line;
  for (std::size_t row = 0; row < cloud.size(); ++row) {
    do {
      if (!lines.next(line)) {
        lines.fail(fmt::format("the file ends after {} of {} points", first + row, header.points));
      }
      line = trimmed(line);
    } while (line.empty() || line.starts_with('#'));
    for (const RecordField& field : header.fields) {
      parse_field(lines, line, field, record.data() + field.offset);
    }
    if (!trimmed(line).empty()) {
      lines.fail(fmt::format("found {} after the last value of a point", excerpt(trimmed(line))));
    }
    for (const RecordField& field : fields) {
      decode_field(field, record.data() + field.offset, record.size(), row, 1, false, cloud);
    }
  }
}

std::uint32_t read_size(BlockReader& file) {
  std::uint32_t size = 0;
  const std::string_view bytes = file.fill(sizeof size);
  if (bytes.size() < sizeof size) {
    file.fail(fmt::format("the file ends at byte {} before the size of its compressed points", file.size()));
  }
  std::memcpy(&size, bytes.data(), sizeof size);
  file.skip(sizeof size);
  return size;
}

/// Compressed points are held field by field, not point by point: that compresses better.
std::vector<char> read_compressed(BlockReader& file, const PcdHeader& header) {
  const std::uint32_t compressed = read_size(file);
  const std::uint32_t size = read_size(file);
  if (compressed > file.remaining()) {
    file.fail(fmt::format("the file ends at byte {}, but its points take {} bytes from byte {}", file.size(),
                          compressed, file.offset()));
  }
  if (size != header.points * header.record_size || size > largest_lzf_content(compressed)) {
    file.fail(fmt::format("byte {}: {} compressed bytes expand to {}, expected the {} of {} points", file.offset(),
                          compressed, size, header.points * header.record_size, header.points));
  }
  std::vector<char> content(size);
  if (!decompress_lzf(file.fill(compressed).substr(0, compressed), content)) {
    file.fail(fmt::format("the compressed points from byte {} are damaged", file.offset()));
  }
  return content;
}

void check_points(const BlockReader& file, const PcdHeader& header) {
  if (header.encoding == PcdEncoding::compressed) {
    if (header.points > 0 && header.points > ~std::uint32_t{0} / header.record_size) {
      file.fail(fmt::format("{} points are more than compressed data can hold", header.points));
    }
    return;
  }
  // In text a value takes at least a digit and a separator, which the last one may lack.
  std::size_t least = header.record_size;
  if (header.encoding == PcdEncoding::ascii) {
    least = 0;
    for (const RecordField& field : header.fields) {
      least += 2 * field.count;
    }
  }
  const std::uint64_t bytes = file.remaining() + (header.encoding == PcdEncoding::ascii ? 1 : 0);
  if (header.points > bytes / least) {
    file.fail(fmt::format("the header declares {} points, more than the {} bytes after byte {} can hold", header.points,
                          file.remaining(), file.offset()));
  }
}

class PcdParts final : public CloudParts {
 public:
  explicit PcdParts(BlockReader& file) : lines_(file), header_(read_pcd_header(lines_)), fields_(header_.fields) {
    std::erase_if(fields_, [](const RecordField& field) { return field.name == pcd_padding; });
    for (const std::size_t axis : {0U, 1U, 2U}) {
      if (std::ranges::find(fields_, axis, &RecordField::axis) == fields_.end()) {
        file.fail(fmt::format("the PCD header has no field {}, so its points have no position", "xyz"[axis]));
      }
    }
    check_points(file, header_);
    points_ = header_.points;
    start_ = file.offset();
  }

  [[nodiscard]] bool holds_all() const override { return header_.encoding == PcdEncoding::compressed; }

 private:
  [[nodiscard]] PointCloud read_rows(std::uint64_t first, std::size_t count) override {
    PointCloud cloud;
    cloud.comments = header_.comments;
    cloud.position_type = common_position_type(fields_);
    if (header_.height > 1) {
      cloud.width = header_.width;
      cloud.height = header_.height;
    }
    if (header_.encoding == PcdEncoding::compressed && count > 0 && content_.empty()) {
      content_ = read_compressed(lines_.file(), header_);  // which bears out what the header declares
    }
    make_columns(fields_, count, cloud);
    if (count == 0) {
      return cloud;  // and no room for a record, whose size nothing has borne out
    }
    if (header_.encoding == PcdEncoding::ascii) {
      read_text(lines_, header_, fields_, first, cloud);
    } else if (header_.encoding == PcdEncoding::binary) {
      read_records(lines_.file(), fields_, header_.record_size, false, cloud);
    } else {
      for (const RecordField& field : fields_) {
        const char* const values = content_.data() + field.offset * points_ + field.size() * first;
        decode_field(field, values, field.size(), 0, count, false, cloud);
      }
    }
    return cloud;
  }

  void go_back() override { lines_.file().seek(start_); }

  LineReader lines_;
  PcdHeader header_;
  std::uint64_t start_ = 0;          ///< of the points
  std::vector<RecordField> fields_;  ///< without padding
  std::vector<char> content_;        ///< the points of a compressed file
};

}  // namespace

std::unique_ptr<CloudParts> pcd_parts(BlockReader& file) { return std::make_unique<PcdParts>(file); }

PointCloud read_pcd(BlockReader& file) { return read_all(*pcd_parts(file)); }

}  // namespace burnish::io
