#include "io/las_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/las_layout.hpp"

namespace burnish::io {
namespace {

constexpr unsigned compressed_bit = 0x80;

/// The header and all up to the points.
std::string read_header(BlockReader& file) {
  const std::string_view start = file.fill(las::smallest_header);
  if (start.size() < las::smallest_header) {
    file.fail(fmt::format("the file ends at byte {} inside its LAS header", file.size()));
  }
  const std::size_t header_size = little_endian<std::uint16_t>(start, las::header_size);
  const std::size_t points_offset = little_endian<std::uint32_t>(start, las::points_offset);
  const unsigned major = little_endian<std::uint8_t>(start, las::version_minor - 1);
  const unsigned minor = little_endian<std::uint8_t>(start, las::version_minor);
  if (major != 1 || minor > 4) {
    file.fail(fmt::format("byte 24: found LAS version {}.{}, expected 1.0 to 1.4", major, minor));
  }
  const std::size_t least = minor == 4 ? las::header_1_4 : minor == 3 ? las::header_1_3 : las::smallest_header;
  if (header_size < least || points_offset < header_size || points_offset > file.size()) {
    file.fail(fmt::format("the LAS header declares points at byte {} after a header of {} bytes in a file of {} bytes",
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
  const std::uint64_t old = little_endian<std::uint32_t>(header, las::legacy_points);
  const bool has_new = little_endian<std::uint8_t>(header, las::version_minor) >= 4;
  const std::uint64_t count = has_new ? little_endian<std::uint64_t>(header, las::points) : 0;
  return count > 0 ? count : old;
}

void check_header(const BlockReader& file, std::string_view header) {
  const unsigned format = little_endian<std::uint8_t>(header, las::point_format) & ~compressed_bit;
  const std::size_t records = las_records(header).size();
  if (const auto promised = little_endian<std::uint32_t>(header, las::record_count); promised > records) {
    file.fail(
        fmt::format("byte 100: the LAS header declares {} variable length records, but only {} lie before the "
                    "points at byte {}",
                    promised, records, header.size()));
  }
  if (format > 10) {
    file.fail(fmt::format("byte 104: found point format {}, expected 0 to 10", format));
  }
  const std::size_t record_size = little_endian<std::uint16_t>(header, las::record_size);
  if (record_size < las_point_size(format)) {
    file.fail(fmt::format("byte 105: found {} bytes per point, but format {} takes {}", record_size, format,
                          las_point_size(format)));
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto scale = little_endian<double>(header, las::scale + 8 * axis);
    const auto offset = little_endian<double>(header, las::offset + 8 * axis);
    if (!std::isfinite(scale) || !std::isfinite(offset) || scale == 0) {
      file.fail(fmt::format("byte {}: found scale {} and offset {} of coordinate {}", las::scale + 8 * axis, scale,
                            offset, "xyz"[axis]));
    }
  }
}

void find_plain_points(const BlockReader& file, LasStart& start) {
  const std::size_t record_size = little_endian<std::uint16_t>(start.header, las::record_size);
  if (start.points > file.remaining() / record_size) {
    file.fail(fmt::format("the file ends at byte {} inside point {}, but its header declares {} points of {} bytes",
                          file.size(), file.remaining() / record_size + 1, start.points, record_size));
  }
  const std::uint64_t end = start.points_offset + start.points * record_size;
  if (end < file.size()) {
    start.trailer.push_back({end, file.size()});
  }
}

/// A record behind the points.
struct ExtendedRecord {
  LasStart::Range range;
  std::string user;
  std::uint16_t id = 0;
};

constexpr std::size_t extended_head = 60;

/// Nothing if there is no such record inside the file.
std::optional<ExtendedRecord> extended_record_at(BlockReader& file, std::uint64_t place) {
  if (place > file.size() || file.size() - place < extended_head) {
    return std::nullopt;
  }
  file.seek(place);
  const std::string head(file.fill(extended_head).substr(0, extended_head));
  if (head.size() < extended_head) {
    return std::nullopt;
  }
  const auto size = little_endian<std::uint64_t>(head, 20);
  if (size > file.size() - place - extended_head) {
    return std::nullopt;
  }
  const std::string user = head.substr(2, 16);
  return ExtendedRecord{
      {place, place + extended_head + size}, user.substr(0, user.find('\0')), little_endian<std::uint16_t>(head, 18)};
}

/// Keeps the records behind compressed points, and makes the header say where an uncompressed file would have them.
void find_extended_records(BlockReader& file, LasStart& start) {
  std::string& header = start.header;
  const unsigned minor = little_endian<std::uint8_t>(header, las::version_minor);
  std::uint64_t end = header.size() + start.points * little_endian<std::uint16_t>(header, las::record_size);
  const std::uint64_t waveforms = minor >= 3 ? little_endian<std::uint64_t>(header, las::waveform_start) : 0;
  std::uint64_t place = minor >= 4 ? little_endian<std::uint64_t>(header, las::extended_start) : 0;
  const std::uint32_t count = minor >= 4 ? little_endian<std::uint32_t>(header, las::extended_start + 8) : 0;
  std::uint32_t kept = 0;
  const auto keep = [&](const LasStart::Range& range) {
    if (range.begin == waveforms) {
      put_little_endian(header, las::waveform_start, end);
    }
    if (kept++ == 0 && minor >= 4) {
      put_little_endian(header, las::extended_start, end);
    }
    start.trailer.push_back(range);
    end += range.end - range.begin;
  };
  bool has_waveforms = waveforms <= start.points_offset;
  for (std::uint32_t i = 0; i < count && place > start.points_offset; ++i) {
    const std::optional<ExtendedRecord> record = extended_record_at(file, place);
    if (!record) {
      file.fail(
          fmt::format("byte {}: the LAS header declares {} records after the points, but the file ends in number {}",
                      las::extended_start + 8, count, i + 1));
    }
    has_waveforms = has_waveforms || place == waveforms;
    if (record->user != "copc" || record->id != 1000) {
      keep(record->range);
    }
    place = record->range.end;
  }
  if (minor >= 4) {
    put_little_endian(header, las::extended_start + 8, kept);
    if (kept == 0) {
      put_little_endian(header, las::extended_start, std::uint64_t{0});
    }
  }
  if (const auto record = has_waveforms ? std::nullopt : extended_record_at(file, waveforms)) {
    // Files of version 1.3 have this one record and no number of records. There it is not among those counted.
    put_little_endian(header, las::waveform_start, end);
    start.trailer.push_back(record->range);
  }
}

/// Takes the records about compression and octree out of the header.
void find_compressed_points(BlockReader& file, LasStart& start) {
  std::string& header = start.header;
  const unsigned format = little_endian<std::uint8_t>(header, las::point_format) & ~compressed_bit;
  const std::vector<LasRecord> records = las_records(header);
  std::vector<std::pair<std::size_t, std::size_t>> gone;
  for (const LasRecord& record : records) {
    const std::string_view content = std::string_view(header).substr(record.begin, record.size);
    const bool is_about_compression = record.user == laz_user && record.id == laz_record_id;
    if (is_about_compression && !start.compressed) {
      start.compressed =
          read_laz_layout(file, content, record.begin, format, little_endian<std::uint16_t>(header, las::record_size));
    }
    if (record.user == "copc" && record.id == 1) {
      start.copc_info = content;
    }
    if (is_about_compression || record.user == "copc") {
      gone.emplace_back(record.begin - las::record_head, las::record_head + record.size);
    }
  }
  if (!start.compressed) {
    file.fail(fmt::format("byte 104: the points are compressed, but no record \"{}\" says how", laz_user));
  }
  for (auto range = gone.rbegin(); range != gone.rend(); ++range) {
    header.erase(range->first, range->second);
  }
  put_little_endian(header, las::record_count, static_cast<std::uint32_t>(records.size() - gone.size()));
  put_little_endian(header, las::points_offset, static_cast<std::uint32_t>(header.size()));
  put_little_endian(header, las::point_format, static_cast<std::uint8_t>(format));
  find_extended_records(file, start);
}

}  // namespace

LasStart read_las_start(BlockReader& file) {
  LasStart start;
  start.header = read_header(file);
  check_header(file, start.header);
  start.points = point_count(start.header);
  start.points_offset = start.header.size();
  if ((little_endian<std::uint8_t>(start.header, las::point_format) & compressed_bit) != 0) {
    find_compressed_points(file, start);
  } else {
    find_plain_points(file, start);
  }
  return start;
}

}  // namespace burnish::io
