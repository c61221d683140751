#include "io/copc_read.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/math.hpp"
#include "io/copc_hierarchy.hpp"
#include "io/las_layout.hpp"
#include "io/las_records.hpp"

namespace burnish::io {
namespace {

/// The first level whose points are as close as `spacing`.
std::int32_t level_of_spacing(const CopcInfo& info, double spacing) {
  if (spacing <= 0 || info.spacing <= 0) {
    return copc::deepest;
  }
  const double levels = std::ceil(math::log2(info.spacing / spacing) - 1e-9);
  return static_cast<std::int32_t>(std::clamp(levels, 0.0, double{copc::deepest}));
}

std::int32_t last_level(const CopcInfo& info, const Selection& selection) {
  const std::int32_t level = level_of_spacing(info, selection.spacing);
  return selection.levels > 0 ? std::min(level, selection.levels - 1) : level;
}

/// The selected box, larger by one step of the coordinates: a point may be stored a step outside of its node if the
/// node was chosen before the coordinates were rounded.
Eigen::AlignedBox3d box_to_look_in(const LasStart& start, const Selection& selection) {
  Vec3 step;
  for (const std::size_t axis : {0U, 1U, 2U}) {
    step[static_cast<Eigen::Index>(axis)] = std::abs(little_endian<double>(start.header, las::scale + 8 * axis));
  }
  return {selection.low - step, selection.high + step};
}

/// Nodes that share bytes could make a small file fill the memory. The chunks are in the order of the file.
void check_overlap(const BlockReader& file, const std::vector<LazChunk>& chunks) {
  const auto overlap = std::ranges::adjacent_find(
      chunks, [](const LazChunk& one, const LazChunk& next) { return next.offset - one.offset < one.bytes; });
  if (overlap != chunks.end()) {
    file.fail(fmt::format("the COPC hierarchy has nodes that share the {} bytes at byte {}", overlap->bytes,
                          overlap->offset));
  }
}

}  // namespace

bool is_copc(const LasStart& start) { return !start.copc_info.empty(); }

std::unique_ptr<CloudParts> copc_parts(BlockReader& file, LasStart start, const Selection& selection) {
  const CopcInfo info = read_copc_info(file, start.copc_info);
  const std::int32_t last = last_level(info, selection);
  const Eigen::AlignedBox3d box = box_to_look_in(start, selection);
  const auto is_wanted = [&](const CopcKey& key) { return key.level <= last && info.box(key).intersects(box); };
  std::vector<LazChunk> chunks;
  std::uint64_t points = 0;
  for (const CopcNode& node : read_copc_nodes(file, info, is_wanted)) {
    const LazChunk chunk{node.offset, node.bytes, node.points};
    if (node.offset > file.size() || node.bytes > file.size() - node.offset ||
        !can_hold_points(chunk, start.compressed->size()) || node.points > start.points - points) {
      file.fail(
          fmt::format("the COPC hierarchy declares {} points in {} bytes at byte {} of a file of {} bytes with "
                      "{} points",
                      node.points, node.bytes, node.offset, file.size(), start.points));
    }
    points += node.points;
    chunks.push_back(chunk);
  }
  std::ranges::sort(chunks, {}, &LazChunk::offset);  // the order of the file
  check_overlap(file, chunks);
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
