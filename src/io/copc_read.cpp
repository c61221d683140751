#include "io/copc_read.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "io/copc_hierarchy.hpp"
#include "io/las_records.hpp"

namespace burnish::io {
namespace {

/// How many levels it takes until points are so close.
std::int32_t last_level(const CopcInfo& info, double spacing) {
  if (spacing <= 0 || info.spacing <= 0) {
    return copc::deepest;
  }
  const double levels = std::ceil(std::log2(info.spacing / spacing) - 1e-9);
  return static_cast<std::int32_t>(std::clamp(levels, 0.0, double{copc::deepest}));
}

}  // namespace

bool is_copc(const LasStart& start) { return !start.copc_info.empty(); }

std::unique_ptr<CloudParts> copc_parts(BlockReader& file, LasStart start, const Selection& selection) {
  const CopcInfo info = read_copc_info(file, start.copc_info);
  const std::int32_t deepest = last_level(info, selection.spacing);
  const Eigen::AlignedBox3d box(selection.low, selection.high);
  const auto is_wanted = [&](const CopcKey& key) { return key.level <= deepest && info.box(key).intersects(box); };
  std::vector<LazChunk> chunks;
  std::uint64_t points = 0;
  for (const CopcNode& node : read_copc_nodes(file, info, is_wanted)) {
    const LazChunk chunk{node.offset, node.bytes, node.points};
    if (node.offset > file.size() || node.bytes > file.size() - node.offset ||
        !can_hold_points(chunk, start.compressed->size()) || node.points > start.points - points) {
      file.fail(
          fmt::format("the COPC hierarchy promises {} points in {} bytes at byte {} of a file of {} bytes with "
                      "{} points",
                      node.points, node.bytes, node.offset, file.size(), start.points));
    }
    points += node.points;
    chunks.push_back(chunk);
  }
  std::ranges::sort(chunks, {}, &LazChunk::offset);  // the order of the file
  start.points = points;
  return las_parts(file, std::move(start), std::move(chunks));
}

std::vector<Level> copc_levels(BlockReader& file) {
  const LasStart start = read_las_start(file);
  if (!is_copc(start)) {
    return {};
  }
  const CopcInfo info = read_copc_info(file, start.copc_info);
  std::vector<Level> levels;
  for (const CopcNode& node : read_copc_nodes(file, info, [](const CopcKey&) { return true; })) {
    const auto level = static_cast<std::size_t>(node.key.level);
    for (std::size_t i = levels.size(); i <= level; ++i) {
      levels.push_back({std::ldexp(info.spacing, -static_cast<int>(i)), 0, 0});
    }
    ++levels[level].nodes;
    levels[level].points += node.points;
  }
  return levels;
}

}  // namespace burnish::io
