#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/cloud_parts.hpp"
#include "io/e57_coordinates.hpp"
#include "io/e57_document.hpp"
#include "io/e57_format_data.hpp"
#include "io/e57_packets.hpp"
#include "io/e57_pages.hpp"
#include "io/e57_vector_read.hpp"
#include "io/formats.hpp"
#include "io/little_endian.hpp"
#include "io/records.hpp"
#include "io/rotation_comment.hpp"
#include "io/scalar.hpp"

namespace burnish::io {
namespace {

std::string read_xml(E57PageReader& pages) {
  constexpr std::uint64_t most_bytes = std::uint64_t{64} << 20U;  // a parsed document takes several times as many
  if (pages.xml_length() > most_bytes) {
    pages.file().fail(fmt::format("byte 32: the E57 header declares {} bytes of XML, more than the {} burnish reads",
                                  pages.xml_length(), most_bytes));
  }
  std::string xml(static_cast<std::size_t>(pages.xml_length()), '\0');
  pages.read(pages.xml_offset(), xml.size(), xml.data());
  return xml;
}

/// Runs `work`, whose complaints about the XML become errors that name the byte of the file.
template <class Work>
void with_xml_errors(const E57PageReader& pages, const Work& work) {
  try {
    work();
  } catch (const E57XmlError& error) {
    const auto offset = static_cast<std::uint64_t>(std::max<std::ptrdiff_t>(0, error.offset()));
    pages.file().fail(fmt::format("byte {}: {}", e57::physical(pages.xml_offset() + offset), error.what()));
  }
}

/// The values of a field that were decoded last, whatever their kind.
class FieldValues {
 public:
  FieldValues(const E57VectorReader& reader, const E57Scan& scan, std::size_t field)
      : field_(scan.fields[field]), integers_(reader.integers(field).data()), floats_(reader.floats(field).data()) {}

  [[nodiscard]] double operator[](std::size_t i) const {
    return field_.is_float()                        ? floats_[i]
           : field_.kind == E57Field::Kind::integer ? static_cast<double>(integers_[i])
                                                    : static_cast<double>(integers_[i]) * field_.scale + field_.offset;
  }

  template <class T>
  void copy(std::size_t count, T* target) const {
    for (std::size_t i = 0; i < count; ++i) {
      target[i] = field_.kind == E57Field::Kind::integer ? static_cast<T>(integers_[i]) : static_cast<T>((*this)[i]);
    }
  }

 private:
  const E57Field& field_;
  const std::int64_t* integers_;
  const double* floats_;
};

class E57Parts final : public CloudParts {
 public:
  explicit E57Parts(BlockReader& file) : file_(file), pages_(file), xml_(read_xml(pages_)) {
    with_xml_errors(pages_, [&] { read_e57_document(xml_, document_); });
    std::vector<const std::vector<E57Field>*> fields;
    for (const E57Scan& scan : document_.scans) {
      fields.push_back(&scan.fields);
      add_points(scan);
    }
    columns_ = find_columns(fields);
    check_size();
  }

  [[nodiscard]] std::uint64_t decompressed_bytes() const override { return points_ * bytes_of_point(); }

  /// The content of images and other blobs, one after the other.
  [[nodiscard]] std::string read_blobs() {
    std::string content;
    with_xml_errors(pages_, [&] {
      for (const pugi::xml_node& blob : document_.blobs) {
        const std::uint64_t length = e57_count(blob, "length");
        const std::uint64_t offset = pages_.logical(e57_count(blob, "fileOffset"), "a blob");
        // Together they cannot be longer than the file, unless some of them are the same bytes.
        if (length > pages_.size() - offset || pages_.size() - offset - length < e57::blob_head ||
            length > pages_.size() - content.size()) {
          throw E57XmlError(blob.offset_debug(),
                            fmt::format("the XML declares a blob of {} bytes, more than the file has there", length));
        }
        const std::size_t before = content.size();
        content.resize(before + static_cast<std::size_t>(length));
        pages_.read(offset + e57::blob_head, static_cast<std::size_t>(length), content.data() + before);
      }
    });
    return content;
  }

 private:
  /// Counts the points of a scan, if the file can have that many.
  void add_points(const E57Scan& scan) {
    std::uint64_t bits = 0;
    for (const E57Field& field : scan.fields) {
      bits += field.bits();
    }
    // Fields that are the same for all points take no room: then a point counts as a byte.
    const std::uint64_t most = pages_.size() * 8 / (bits == 0 ? 8 : bits);
    if (scan.points > most || points_ + scan.points > pages_.size() * 8) {
      file_.fail(fmt::format("byte {}: the XML declares {} points of {} bits, more than a file of that size can hold",
                             e57::physical(pages_.xml_offset() + offset_of(scan)), scan.points, bits));
    }
    points_ += scan.points;
  }

  [[nodiscard]] static std::uint64_t offset_of(const E57Scan& scan) {
    return static_cast<std::uint64_t>(std::max<std::ptrdiff_t>(0, scan.node.child("points").offset_debug()));
  }

  [[nodiscard]] std::uint64_t bytes_of_point() const {
    std::uint64_t bytes = sizeof(Vec3);
    for (const E57Columns::One& column : columns_.columns) {
      bytes += column.type == ScalarType::text ? sizeof(std::string) : scalar_size(column.type);
    }
    return bytes;
  }

  /// Many scans with many fields that take few bits each could make a small file fill the memory.
  void check_size() const {
    constexpr std::uint64_t most_bytes_for_byte = 1000;
    if (points_ > file_.size() * most_bytes_for_byte / bytes_of_point()) {
      file_.fail(fmt::format(
          "byte {}: the XML declares {} points with {} columns, more than {} bytes for each byte of the file",
          e57::physical(pages_.xml_offset()), points_, columns_.columns.size(), most_bytes_for_byte));
    }
  }

  [[nodiscard]] PointCloud read_rows(std::uint64_t /*first*/, std::size_t count) override {
    PointCloud cloud = empty_cloud();
    cloud.positions.resize(count);
    for (const E57Columns::One& column : columns_.columns) {
      cloud.attributes.push_back(column_of(column, count));
    }
    std::vector<std::int32_t> scans;
    for (std::size_t row = 0; row < count;) {
      while (!reader_ || row_in_scan_ == document_.scans[scan_].points) {
        open_scan(reader_ ? scan_ + 1 : 0);
      }
      const std::uint64_t left = std::min<std::uint64_t>(count - row, document_.scans[scan_].points - row_in_scan_);
      const auto rows = static_cast<std::size_t>(std::min<std::uint64_t>(left, E57VectorReader::most_rows));
      reader_->next(rows);
      take_positions(row, rows, cloud);
      take_attributes(row, rows, cloud);
      row += rows;
      row_in_scan_ += rows;
      scans.resize(row, static_cast<std::int32_t>(scan_));
    }
    if (document_.scans.size() > 1) {
      Column column;
      column.name = e57::scan_attribute;
      column.values = std::move(scans);
      cloud.attributes.push_back(std::move(column));
    }
    return cloud;
  }

  [[nodiscard]] static Column column_of(const E57Columns::One& one, std::size_t rows) {
    if (one.type != ScalarType::text) {
      return make_column(one.name, one.type, 1, rows);
    }
    Column column;
    column.name = one.name;
    column.values = std::vector<std::string>(rows);
    return column;
  }

  /// What all parts have in common.
  [[nodiscard]] PointCloud empty_cloud() const {
    PointCloud cloud;
    cloud.format_data.emplace(e57::xml_key, xml_);
    cloud.position_type = ScalarType::float32;
    for (const E57Scan& scan : document_.scans) {
      cloud.comments.push_back(e57_comment(scan));
      for (const std::size_t axis : scan.coordinates.axes) {
        if (scan.fields[axis].kind != E57Field::Kind::float32 || scan.coordinates.is_spherical || scan.pose.moves ||
            scan.pose.rotates) {
          cloud.position_type = ScalarType::float64;
        }
      }
    }
    return cloud;
  }

  void take_positions(std::size_t row, std::size_t count, PointCloud& cloud) const {
    const E57Scan& scan = document_.scans[scan_];
    const E57Coordinates& places = scan.coordinates;
    for (const std::size_t axis : {0U, 1U, 2U}) {
      const FieldValues values(*reader_, scan, places.axes[axis]);
      for (std::size_t i = 0; i < count; ++i) {
        cloud.positions[row + i][static_cast<Eigen::Index>(axis)] = values[i];
      }
    }
    std::optional<FieldValues> states;
    if (places.invalid_state != E57Coordinates::none) {
      states.emplace(*reader_, scan, places.invalid_state);
    }
    for (std::size_t i = 0; i < count; ++i) {
      Vec3& p = cloud.positions[row + i];
      if (states && (*states)[i] != 0) {
        p = hidden_in_nan(p);
      } else {
        p = scan.pose.apply(places.is_spherical ? from_spherical(p) : p);
      }
    }
  }

  void take_attributes(std::size_t row, std::size_t count, PointCloud& cloud) const {
    const E57Scan& scan = document_.scans[scan_];
    for (std::size_t i = 0; i < scan.fields.size(); ++i) {
      const std::size_t column = columns_.of_scans[scan_][i];
      if (column != E57Columns::none) {
        const FieldValues values(*reader_, scan, i);
        std::visit(
            [&]<class T>(std::vector<T>& target) {
              if constexpr (std::is_arithmetic_v<T>) {
                values.copy(count, target.data() + row);
              } else {
                std::ranges::copy(reader_->texts(i), target.begin() + static_cast<std::ptrdiff_t>(row));
              }
            },
            cloud.attributes[column].values);
      }
    }
    if (scan.pose.rotates && scan.coordinates.has_normals()) {
      rotate_normals(row, count, cloud);
    }
  }

  /// Normals are directions in the coordinates of their scan.
  void rotate_normals(std::size_t row, std::size_t count, PointCloud& cloud) const {
    const E57Scan& scan = document_.scans[scan_];
    for (std::size_t i = 0; i < count; ++i) {
      Vec3 normal;
      for (const Eigen::Index axis : {0, 1, 2}) {
        normal[axis] = FieldValues(*reader_, scan, scan.coordinates.normals[axis])[i];
      }
      normal = scan.pose.rotation * normal;
      for (const Eigen::Index axis : {0, 1, 2}) {
        const std::size_t column = columns_.of_scans[scan_][scan.coordinates.normals[axis]];
        std::visit(
            [&]<class T>(std::vector<T>& target) {
              if constexpr (std::is_floating_point_v<T>) {
                target[row + i] = static_cast<T>(normal[axis]);
              }
            },
            cloud.attributes[column].values);
      }
    }
  }

  void open_scan(std::size_t scan) {
    scan_ = scan;
    row_in_scan_ = 0;
    reader_.emplace(pages_, document_.scans[scan]);
    // Texts are not counted before. Scans that share them could make a small file fill the memory.
    section_bytes_ += reader_->section_bytes();
    if (section_bytes_ > pages_.size()) {
      file_.fail(
          fmt::format("the section of points at byte {} is that of several scans", document_.scans[scan].offset));
    }
  }

  void go_back() override {
    reader_.reset();
    scan_ = 0;
    row_in_scan_ = 0;
    section_bytes_ = 0;
  }

  BlockReader& file_;
  E57PageReader pages_;
  std::string xml_;
  E57Document document_;
  E57Columns columns_;
  std::size_t scan_ = 0;
  std::uint64_t row_in_scan_ = 0;
  std::uint64_t section_bytes_ = 0;  ///< of the scans opened so far
  std::optional<E57VectorReader> reader_;
};

}  // namespace

std::string e57_comment(const E57Scan& scan) {
  const Vec3& place = scan.pose.translation;
  return fmt::format("{}{}of {} points{}{}", e57::comment_start, scan.name.empty() ? "" : excerpt(scan.name) + " ",
                     scan.points,
                     scan.has_pose ? fmt::format(", scanner at {} {} {}", place.x(), place.y(), place.z()) : "",
                     rotation_comment(scan.pose.rotation));
}

std::unique_ptr<CloudParts> e57_parts(BlockReader& file) { return std::make_unique<E57Parts>(file); }

PointCloud read_e57(BlockReader& file) {
  E57Parts parts(file);
  PointCloud cloud = read_all(parts);
  if (std::string blobs = parts.read_blobs(); !blobs.empty()) {
    cloud.format_data.emplace(e57::blobs_key, std::move(blobs));
  }
  return cloud;
}

}  // namespace burnish::io
