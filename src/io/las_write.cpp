#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "io/cloud_writer.hpp"
#include "io/las_header.hpp"
#include "io/las_layout.hpp"
#include "io/las_points.hpp"
#include "io/laz_write.hpp"

namespace burnish::io {
namespace {

class LasWriter final : public CloudWriter {
 public:
  LasWriter(BlockWriter& file, const FileHeader& header, bool is_compressed)
      : file_(file), cloud_header_(header), is_compressed_(is_compressed) {}

  void write_part(const PointCloud& part) override {
    const bool is_first = header_.empty();
    std::string header = is_first ? las_header_for(file_, part) : header_;
    if (is_first) {
      old_header_ = header;
    }
    const LasPoints points(file_, part, header, written_);
    if (is_first) {
      header_ = std::move(header);
      write_header();
    } else if (header != header_) {
      file_.fail("the columns of its parts differ");
    }
    points.add_returns(returns_);
    write_points(points, part.size());
    written_ += part.size();
  }

  void write_tail(const PointCloud& cloud) override {
    std::string start;
    if (compressor_) {
      const std::uint64_t table = compressor_->finish();
      start.resize(sizeof table);
      put_little_endian(start, 0, table);
    }
    shift_las_trailer(old_header_, cloud_header_.has_trailer, file_.offset(), header_);
    if (const auto trailer = cloud.format_data.find(las::trailer_key); trailer != cloud.format_data.end()) {
      file_.append(trailer->second);
    }
    set_las_counts(file_, cloud_header_.points, counted_returns(), header_);
    file_.overwrite_start(header_in_file() + start);
  }

 private:
  /// For the first part, whose columns have found their places in the header.
  void write_header() {
    set_las_scale(file_, cloud_header_.box, header_);
    set_las_bounds(cloud_header_.box, header_);
    set_las_counts(file_, cloud_header_.points, counted_returns(), header_);
    file_.expect_rows(cloud_header_.points);
    file_.append(header_in_file());
    if (is_compressed_) {
      compressor_.emplace(file_, layout());
    }
  }

  [[nodiscard]] LazLayout layout() const {
    return laz_layout_for(little_endian<std::uint8_t>(header_, las::point_format),
                          little_endian<std::uint16_t>(header_, las::record_size));
  }

  [[nodiscard]] std::string header_in_file() const { return is_compressed_ ? laz_header(header_, layout()) : header_; }

  void write_points(const LasPoints& points, std::size_t rows) {
    const std::size_t record_size = little_endian<std::uint16_t>(header_, las::record_size);
    const std::size_t rows_at_once = std::max<std::size_t>(1, BlockWriter::block_size / record_size);
    for (std::size_t row = 0; row < rows;) {
      const std::size_t count = std::min(rows_at_once, rows - row);
      char* const data = compressor_ ? compressor_->room(count) : file_.room(count * record_size);
      points.encode(header_, row, count, data);
      if (!compressor_) {
        file_.take(count * record_size);
        file_.rows_done(count);
      }
      row += count;
    }
  }

  /// Of points that all say return 0, which is no return, what the file said that was read.
  [[nodiscard]] LasReturns counted_returns() const {
    return returns_[0] > 0 && returns_[0] == cloud_header_.points && !old_header_.empty()
               ? las_returns_of(old_header_, cloud_header_.points, returns_)
               : returns_;
  }

  BlockWriter& file_;
  FileHeader cloud_header_;
  bool is_compressed_;
  std::string old_header_;  ///< as it was in the file that was read
  std::string header_;      ///< of the file as it would be without compression
  std::optional<LazWriter> compressor_;
  LasReturns returns_{};
  std::uint64_t written_ = 0;
};

}  // namespace

std::unique_ptr<CloudWriter> las_writer(BlockWriter& file, const FileHeader& header) {
  return std::make_unique<LasWriter>(file, header, false);
}

std::unique_ptr<CloudWriter> laz_writer(BlockWriter& file, const FileHeader& header) {
  return std::make_unique<LasWriter>(file, header, true);
}

}  // namespace burnish::io
