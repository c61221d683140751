#include "io/copc_hierarchy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "io/bytes_at.hpp"
#include "io/little_endian.hpp"

namespace burnish::io {
namespace {

constexpr std::int32_t is_page = -1;  // instead of a number of points: the entry is of another page

struct Page {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

bool is_inside_octree(const CopcKey& key) {
  const auto is_cell = [&](std::int32_t cell) { return cell >= 0 && cell < (std::int64_t{1} << key.level); };
  return key.level >= 0 && key.level <= copc::deepest && is_cell(key.x) && is_cell(key.y) && is_cell(key.z);
}

std::string entry_of(const CopcKey& key, std::uint64_t offset, std::uint64_t bytes, std::int32_t points) {
  std::string entry(copc::entry_size, '\0');
  put_little_endian(entry, 0, key.level);
  put_little_endian(entry, 4, key.x);
  put_little_endian(entry, 8, key.y);
  put_little_endian(entry, 12, key.z);
  put_little_endian(entry, 16, offset);
  put_little_endian(entry, 24, static_cast<std::int32_t>(bytes));
  put_little_endian(entry, 28, points);
  return entry;
}

}  // namespace

Eigen::AlignedBox3d CopcInfo::box(const CopcKey& key) const {
  const double size = std::ldexp(2 * half_size, -key.level);
  const Vec3 low = centre - Vec3::Constant(half_size) + size * Vec3(key.x, key.y, key.z);
  return {low, low + Vec3::Constant(size)};
}

CopcInfo read_copc_info(const BlockReader& file, std::string_view record) {
  if (record.size() < copc::info_size) {
    file.fail(fmt::format("the COPC record has {} bytes, expected {}", record.size(), copc::info_size));
  }
  CopcInfo info;
  for (const std::size_t axis : {0U, 1U, 2U}) {
    info.centre[static_cast<Eigen::Index>(axis)] = little_endian<double>(record, 8 * axis);
  }
  info.half_size = little_endian<double>(record, 24);
  info.spacing = little_endian<double>(record, 32);
  info.root_offset = little_endian<std::uint64_t>(record, 40);
  info.root_size = little_endian<std::uint64_t>(record, 48);
  info.first_time = little_endian<double>(record, 56);
  info.last_time = little_endian<double>(record, 64);
  if (!info.centre.allFinite() || !std::isfinite(info.half_size) || info.half_size < 0 ||
      !std::isfinite(info.spacing) || info.spacing < 0) {
    file.fail(fmt::format("byte 429: found a COPC octree of half size {} and spacing {} around {} {} {}",
                          info.half_size, info.spacing, info.centre.x(), info.centre.y(), info.centre.z()));
  }
  return info;
}

std::string copc_info_record(const CopcInfo& info) {
  std::string record(copc::info_size, '\0');
  for (const std::size_t axis : {0U, 1U, 2U}) {
    put_little_endian(record, 8 * axis, info.centre[static_cast<Eigen::Index>(axis)]);
  }
  put_little_endian(record, 24, info.half_size);
  put_little_endian(record, 32, info.spacing);
  put_little_endian(record, 40, info.root_offset);
  put_little_endian(record, 48, info.root_size);
  put_little_endian(record, 56, info.first_time);
  put_little_endian(record, 64, info.last_time);
  return record;
}

std::vector<CopcNode> read_copc_nodes(BlockReader& file, const CopcInfo& info,
                                      const std::function<bool(const CopcKey&)>& is_wanted) {
  std::vector<CopcNode> nodes;
  std::vector<Page> pages = {{info.root_offset, info.root_size}};
  std::uint64_t bytes_read = 0;
  while (!pages.empty()) {
    const Page page = pages.back();
    pages.pop_back();
    // Together they fit into the file: a page that is named twice could lead in a circle.
    if (page.offset > file.size() || page.size > file.size() - page.offset || page.size > file.size() - bytes_read ||
        page.size % copc::entry_size != 0) {
      file.fail(fmt::format("the COPC hierarchy refers to a page of {} bytes at byte {} of {}, or the same one twice",
                            page.size, page.offset, file.size()));
    }
    bytes_read += page.size;
    const std::string entries = bytes_at(file, page.offset, static_cast<std::size_t>(page.size));
    for (std::size_t at = 0; at < entries.size(); at += copc::entry_size) {
      const std::string_view entry = std::string_view(entries).substr(at, copc::entry_size);
      const CopcKey key{little_endian<std::int32_t>(entry, 0), little_endian<std::int32_t>(entry, 4),
                        little_endian<std::int32_t>(entry, 8), little_endian<std::int32_t>(entry, 12)};
      const auto offset = little_endian<std::uint64_t>(entry, 16);
      const auto bytes = little_endian<std::int32_t>(entry, 24);
      const auto points = little_endian<std::int32_t>(entry, 28);
      if (!is_inside_octree(key) || bytes < 0 || points < is_page) {
        file.fail(fmt::format("byte {}: found a COPC node {}-{}-{}-{} of {} bytes and {} points", page.offset + at,
                              key.level, key.x, key.y, key.z, bytes, points));
      }
      if (points == 0 || !is_wanted(key)) {
        continue;
      }
      if (points == is_page) {
        pages.push_back({offset, static_cast<std::uint64_t>(bytes)});
      } else {
        nodes.push_back({key, offset, static_cast<std::uint64_t>(bytes), static_cast<std::uint64_t>(points)});
      }
    }
  }
  return nodes;
}

CopcPages copc_pages(const std::vector<CopcNode>& nodes, std::uint64_t begin) {
  constexpr std::size_t most_entries = 4096;  // of a hierarchy in one page
  constexpr std::size_t least_entries = 32;
  constexpr std::int32_t levels_of_page = 4;
  // Page by page: the nodes of four levels below the cell that gives the page its name.
  const auto page_of = [&](const CopcKey& key) {
    const std::int32_t level = nodes.size() <= most_entries ? 0 : key.level / levels_of_page * levels_of_page;
    const std::int32_t shift = key.level - level;
    return std::tuple(level, key.x >> shift, key.y >> shift, key.z >> shift);
  };
  std::map<std::tuple<std::int32_t, std::int32_t, std::int32_t, std::int32_t>, std::string> pages;
  for (const CopcNode& node : nodes) {
    pages[page_of(node.key)] += entry_of(node.key, node.offset, node.bytes, static_cast<std::int32_t>(node.points));
  }
  if (pages.empty()) {
    pages[{0, 0, 0, 0}] = entry_of({}, 0, 0, 0);
  }
  // From the deepest, so that the place of a page is known when its parent names it.
  CopcPages result;
  for (auto page = pages.rbegin(); page != pages.rend(); ++page) {
    const auto& [level, x, y, z] = page->first;
    const std::uint64_t offset = begin + result.bytes.size();
    const std::string& entries = page->second;
    if (level == 0) {
      result.root_offset = offset;
      result.root_size = entries.size();
      result.bytes += entries;
      continue;
    }
    std::string& parent = pages[page_of({level - 1, x >> 1U, y >> 1U, z >> 1U})];
    if (entries.size() < least_entries * copc::entry_size) {
      parent += entries;  // not worth a page
    } else {
      parent += entry_of({level, x, y, z}, offset, entries.size(), is_page);
      result.bytes += entries;
    }
  }
  return result;
}

}  // namespace burnish::io
