#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/parallel.hpp"
#include "io/cloud_writer.hpp"
#include "io/copc_octree.hpp"
#include "io/formats.hpp"
#include "io/las_header.hpp"
#include "io/las_layout.hpp"
#include "io/las_points.hpp"
#include "io/laz_chunk.hpp"
#include "io/laz_table.hpp"
#include "io/laz_write.hpp"

namespace burnish::io {
namespace {

constexpr std::size_t extended_head = 60;  // of a record behind the points

/// Point formats 0 to 5 have whole degrees, later ones steps of 0.006 degrees.
Column finer_scan_angle(const Column& rank) {
  constexpr double step = 0.006;
  std::vector<std::int16_t> angles;
  for (const std::int8_t degrees : std::get<std::vector<std::int8_t>>(rank.values)) {
    angles.push_back(static_cast<std::int16_t>(std::lround(degrees / step)));
  }
  Column column;
  column.name = "scan_angle";
  column.values = std::move(angles);
  return column;
}

/// The point format of COPC that has the fields of another one, but for wave packets.
unsigned copc_format(unsigned format) {
  constexpr std::array<unsigned, 11> formats = {6, 6, 7, 7, 6, 7, 6, 7, 8, 6, 8};
  return formats.at(format);
}

/// The header of a cloud as COPC wants it: version 1.4, point format 6, 7 or 8, nothing between it and its records.
std::string copc_header_for(const BlockWriter& file, const PointCloud& cloud) {
  const std::string old = las_header_for(file, cloud);
  if (!cloud.format_data.contains(las::header_key)) {
    return old;
  }
  std::string header = las_header_for(file, PointCloud());
  const auto copy = [&](std::size_t begin, std::size_t end) {
    header.replace(begin, end - begin, old.substr(begin, end - begin));
  };
  copy(4, las::version_minor - 1);                 // identifiers and the kind of coordinate system
  copy(las::version_minor + 1, las::header_size);  // names and date
  copy(las::scale, las::waveform_start);           // scale, offset and bounds
  const unsigned old_format = little_endian<std::uint8_t>(old, las::point_format);
  const std::size_t extra = little_endian<std::uint16_t>(old, las::record_size) - las_point_size(old_format);
  const unsigned format = copc_format(old_format);
  put_little_endian(header, las::point_format, static_cast<std::uint8_t>(format));
  put_little_endian(header, las::record_size, static_cast<std::uint16_t>(las_point_size(format) + extra));
  std::uint32_t count = 0;
  for (const LasRecord& record : las_records(old)) {
    header += old.substr(record.begin - las::record_head, las::record_head + record.size);
    ++count;
  }
  put_little_endian(header, las::record_count, count);
  put_little_endian(header, las::points_offset, static_cast<std::uint32_t>(header.size()));
  return header;
}

/// Whether bytes start with `count` records as they follow the points.
bool starts_with_records(std::string_view bytes, std::uint32_t count) {
  for (; count > 0; --count) {
    if (bytes.size() < extended_head || little_endian<std::uint64_t>(bytes, 20) > bytes.size() - extended_head) {
      return false;
    }
    bytes.remove_prefix(extended_head + static_cast<std::size_t>(little_endian<std::uint64_t>(bytes, 20)));
  }
  return true;
}

class CopcWriter {
 public:
  CopcWriter(BlockWriter& file, const PointCloud& cloud) : file_(file), cloud_(cloud) {}

  void write() {
    if (cloud_.size() > std::numeric_limits<std::uint32_t>::max()) {
      file_.fail(fmt::format("burnish writes COPC files of up to 2^32 points, not of {}; write .laz", cloud_.size()));
    }
    encode_points();
    build_octree();
    file_.expect_rows(cloud_.size());
    file_.append(header_in_file());
    file_.append(std::string(sizeof(std::uint64_t), '\xFF'));  // where the chunk table is: filled in at the end
    write_chunks();
    const std::uint64_t table = file_.offset();
    write_table();
    write_hierarchy();
    std::string start = header_in_file();
    start.resize(start.size() + sizeof table);
    put_little_endian(start, start.size() - sizeof table, table);
    file_.overwrite_start(start);
  }

 private:
  [[nodiscard]] std::size_t record_size() const { return little_endian<std::uint16_t>(header_, las::record_size); }

  [[nodiscard]] LazLayout layout() const {
    LazLayout layout = laz_layout_for(little_endian<std::uint8_t>(header_, las::point_format), record_size());
    layout.chunk_size = LazLayout::variable_chunks;
    return layout;
  }

  /// All records of the file, in the order of the cloud.
  void encode_points() {
    const Column* const rank = cloud_.find_attribute("scan_angle_rank");
    if (rank != nullptr && rank->type() == ScalarType::int8 && !rank->is_list) {
      PointCloud cloud = cloud_;
      cloud.attributes[static_cast<std::size_t>(rank - cloud_.attributes.data())] = finer_scan_angle(*rank);
      encode_points(cloud);
    } else {
      encode_points(cloud_);
    }
  }

  void encode_points(const PointCloud& cloud) {
    header_ = copc_header_for(file_, cloud);
    const LasPoints points(file_, cloud, header_);
    const Eigen::AlignedBox3d box = header_of(cloud).box;
    set_las_scale(file_, box, header_);
    set_las_bounds(box, header_);
    LasReturns returns{};
    points.add_returns(returns);
    set_las_counts(file_, cloud.size(), returns, header_);
    records_.resize(cloud.size() * record_size());
    constexpr std::size_t rows_at_once = 4096;
    parallel_blocks(file_.context(), cloud.size(), rows_at_once, [&](std::size_t begin, std::size_t end) {
      points.encode(header_, begin, end - begin, records_.data() + begin * record_size());
    });
  }

  /// From the coordinates as they are stored.
  void build_octree() {
    constexpr std::size_t time_place = 22;
    std::vector<Vec3> points(cloud_.size());
    Eigen::AlignedBox3d box;
    double first_time = std::numeric_limits<double>::infinity();
    double last_time = -first_time;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const std::string_view record = std::string_view(records_).substr(i * record_size(), record_size());
      for (const std::size_t axis : {0U, 1U, 2U}) {
        points[i][static_cast<Eigen::Index>(axis)] =
            little_endian<std::int32_t>(record, 4 * axis) * little_endian<double>(header_, las::scale + 8 * axis) +
            little_endian<double>(header_, las::offset + 8 * axis);
      }
      box.extend(points[i]);
      first_time = std::min(first_time, little_endian<double>(record, time_place));
      last_time = std::max(last_time, little_endian<double>(record, time_place));
    }
    info_ = copc_cube(box);
    info_.first_time = points.empty() ? 0 : first_time;
    info_.last_time = points.empty() ? 0 : last_time;
    cells_ = build_copc_octree(points, info_, file_.context());
  }

  /// The record about the octree comes first.
  [[nodiscard]] std::string header_in_file() const {
    std::string header = header_;
    header.insert(las::header_1_4, las_record(copc::user, copc::info_id, copc_info_record(info_)));
    put_little_endian(header, las::record_count, little_endian<std::uint32_t>(header, las::record_count) + 1);
    return laz_header(header, layout());
  }

  /// Each node is a chunk; as many are compressed at once as there are threads.
  void write_chunks() {
    const std::size_t at_once = 4 * thread_count(file_.context());
    for (std::size_t first = 0; first < cells_.size(); first += at_once) {
      std::vector<std::string> coded(std::min(at_once, cells_.size() - first));
      parallel_for(file_.context(), coded.size(), 1, [&](std::size_t i) {
        std::string records;
        for (const std::uint32_t row : cells_[first + i].rows) {
          records += std::string_view(records_).substr(row * record_size(), record_size());
        }
        coded[i] = encode_laz_chunk(layout(), records);
      });
      for (std::size_t i = 0; i < coded.size(); ++i) {
        const CopcCell& cell = cells_[first + i];
        nodes_.push_back({cell.key, file_.offset(), coded[i].size(), cell.rows.size()});
        file_.append(coded[i]);
        file_.rows_done(cell.rows.size());
      }
    }
  }

  void write_table() {
    std::vector<LazChunk> chunks;
    for (const CopcNode& node : nodes_) {
      chunks.push_back({node.offset, node.bytes, node.points});
    }
    file_.append(laz_chunk_table(layout(), chunks));
  }

  /// The record of the hierarchy, and behind it those that the file had which was read.
  void write_hierarchy() {
    const std::uint64_t begin = file_.offset();
    const CopcPages pages = copc_pages(nodes_, begin + extended_head);
    info_.root_offset = pages.root_offset;
    info_.root_size = pages.root_size;
    std::string head(extended_head, '\0');
    std::ranges::copy(copc::user, head.begin() + 2);
    put_little_endian(head, 18, copc::hierarchy_id);
    put_little_endian(head, 20, static_cast<std::uint64_t>(pages.bytes.size()));
    file_.append(head + pages.bytes);
    put_little_endian(header_, las::extended_start, begin);
    put_little_endian(header_, las::extended_start + 8, 1 + append_kept_records());
  }

  /// Returns how many these are.
  [[nodiscard]] std::uint32_t append_kept_records() {
    const auto old = cloud_.format_data.find(las::header_key);
    const auto trailer = cloud_.format_data.find(las::trailer_key);
    if (old == cloud_.format_data.end() || trailer == cloud_.format_data.end() ||
        little_endian<std::uint8_t>(old->second, las::version_minor) < 4) {
      return 0;
    }
    const auto count = little_endian<std::uint32_t>(old->second, las::extended_start + 8);
    if (!starts_with_records(trailer->second, count)) {
      return 0;
    }
    file_.append(trailer->second);
    return count;
  }

  BlockWriter& file_;
  const PointCloud& cloud_;
  std::string header_;  ///< without the records about compression and octree
  std::string records_;
  CopcInfo info_;
  std::vector<CopcCell> cells_;
  std::vector<CopcNode> nodes_;
};

}  // namespace

void write_copc(BlockWriter& file, const PointCloud& cloud) { CopcWriter(file, cloud).write(); }

}  // namespace burnish::io
