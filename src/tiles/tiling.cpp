#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "automatic/analyse.hpp"
#include "burnish/error.hpp"
#include "burnish/io.hpp"
#include "burnish/tiles.hpp"
#include "io/in_parts.hpp"
#include "tiles/memory.hpp"
#include "tiles/scratch.hpp"
#include "tiles/sorting.hpp"
#include "tiles/stitching.hpp"
#include "tiles/tile_method.hpp"
#include "tiles/tile_work.hpp"

namespace burnish {
namespace {

using namespace tiles;
namespace fs = std::filesystem;

/// Larger tiles have hardly less halo relative to their size, and fewer of them fit into memory together.
constexpr double most_points_in_tile = 1e6;

/// Halo radius in spacings that is assumed before the analysis, for the size of tiles.
constexpr double usual_halo_radius = 75.0;

/// Smaller tiles consist mostly of halo.
constexpr double fewest_points = 17'000;

fs::path scratch_of(const fs::path& output, const TilingSettings& settings) {
  return settings.scratch.empty() ? fs::path(output.string() + ".scratch") : settings.scratch;
}

std::uint64_t memory_of(const TilingSettings& settings) {
  return settings.memory > 0 ? settings.memory : memory_limit();
}

std::string text_of(const TilingSettings& settings) {
  const DenoiseSettings& s = settings.denoise;
  return fmt::format(
      "noise {}, strength {}, patches {}, rotations {}, planes {}, quadrics {}, equalise spacing {}, restraint {}, "
      "normals {}, attributes {}",
      s.noise, s.strength, s.patches, s.rotations, s.planes, s.quadrics, s.equalise_spacing, s.restraint,
      settings.normals, settings.attributes);
}

/// Size limits of tiles: their points, and the points including the halo.
struct TileSize {
  std::size_t points = 0;
  std::uint64_t with_surroundings = 0;
};

TileSize tile_size(std::uint64_t memory) {
  const double room = (static_cast<double>(memory) - static_cast<double>(memory_of_program)) / memory_of_point;
  if (!(room >= fewest_points)) {
    throw Error(fmt::format("{} MB of memory are not enough for denoising, which needs at least {}", memory >> 20U,
                            (memory_of_work(static_cast<std::uint64_t>(fewest_points)) >> 20U) + 1));
  }
  // On a surface a tile of n points is about √n spacings wide.
  const double width = std::min(std::sqrt(room), std::sqrt(most_points_in_tile) + 2.0 * usual_halo_radius);
  const double inner = std::max(width - 2.0 * usual_halo_radius, width / 2.0);
  return {static_cast<std::size_t>(inner * inner), static_cast<std::uint64_t>(width * width)};
}

/// The finite points of a file with their rows, which can be visited repeatedly.
class PointsOfFile {
 public:
  PointsOfFile(const fs::path& path, const ExecutionContext& context)
      : context_(context), silent_(context, context.threads), file_(path, silent_) {}

  [[nodiscard]] std::uint64_t points() { return file_.parts().points(); }

  void visit(const RecordVisitor& visitor) {
    constexpr std::size_t rows_at_once = 32768;
    io::CloudParts& parts = file_.parts();
    const std::string stage = ++visits_ == 1 ? "surveying points" : "sorting points into tiles";
    parts.restart();
    std::vector<Record> records;
    std::uint64_t row = 0;
    while (parts.left() > 0) {
      context_.report(stage, static_cast<double>(row) / static_cast<double>(parts.points()));
      records.clear();
      const PointCloud part = parts.next(static_cast<std::size_t>(std::min<std::uint64_t>(rows_at_once, parts.left())));
      if (visits_ == 1) {
        note_scanners(part, row);
      }
      for (const Vec3& p : part.positions) {
        if (is_finite(p)) {
          records.push_back({row, {p[0], p[1], p[2]}});
        }
        ++row;
      }
      visitor(records);
    }
  }

  /// Where the scanners were, if the file says that of all points, and the points of a scan are together; after a
  /// visit.
  [[nodiscard]] const std::vector<ScannerRows>& scanners() const { return scanners_; }

  /// Bytes that follow the points; after a visit.
  [[nodiscard]] std::uint64_t bytes_after_points() const { return file_.bytes_left(); }

 private:
  void note_scanners(const PointCloud& part, std::uint64_t row) {
    constexpr std::size_t most_changes = 100'000;
    if (!knows_scanners_) {
      return;
    }
    const std::vector<Vec3> places = scanner_positions_of(part);
    for (const Vec3& place : places) {
      if (scanners_.empty() || place != scanners_.back().scanner) {
        scanners_.push_back({row, place});
      }
      ++row;
    }
    knows_scanners_ = places.size() == part.size() && scanners_.size() <= most_changes;
    if (!knows_scanners_) {
      scanners_.clear();
    }
  }

  const ExecutionContext& context_;
  ExecutionContext silent_;
  io::PartsFile file_;
  int visits_ = 0;
  bool knows_scanners_ = true;
  std::vector<ScannerRows> scanners_;
};

TilingPlan make_plan(const fs::path& folder, const fs::path& input, const TilingSettings& settings,
                     const ExecutionContext& context) {
  const std::uint64_t memory = memory_of(settings);
  const TileSize size = tile_size(memory);
  TilingPlan plan;
  plan.input = mark_of(input);
  plan.settings = text_of(settings);
  plan.normals = settings.normals;
  plan.attributes = settings.attributes;
  PointsOfFile points(input, context);
  plan.points = points.points();
  plan.most_points = size.with_surroundings;
  const auto source = [&](const RecordVisitor& visitor) {
    points.visit(visitor);
    // Tables in memory take up to four times what they take in a file.
    if (points.bytes_after_points() > memory / 8) {
      throw Error(fmt::format("{}: the data after its points, {} MB, does not fit into memory: it needs at least {} MB",
                              input.string(), points.bytes_after_points() >> 20U, points.bytes_after_points() >> 17U));
    }
  };
  plan.tiles = sort_into_tiles(source, folder, plan.run(), size.points, context);
  plan.scanners = points.scanners();
  plan.method = choose_method(folder, plan, settings.denoise, context);
  return plan;
}

/// The plan of the run in a folder, if it is the requested one.
TilingPlan plan_to_resume(const fs::path& folder, const fs::path& input, const TilingSettings& settings) {
  TilingPlan plan = read_plan(folder);
  if (plan.input != mark_of(input)) {
    throw Error(
        fmt::format("{}: is the scratch folder of another input, or {} has changed since; remove the folder to "
                    "start again",
                    folder.string(), input.string()));
  }
  if (plan.settings != text_of(settings)) {
    throw Error(
        fmt::format("{}: is the scratch folder of a run with other settings ({}); remove the folder to start "
                    "again",
                    folder.string(), plan.settings));
  }
  return plan;
}

/// The warnings of a finished run, from its tiles.
std::vector<std::string> warnings_about(const fs::path& folder, const TilingPlan& plan) {
  std::vector<std::string> warnings = findings_of(plan).warnings;
  std::size_t truncated_halos = 0;
  for (std::size_t t = 0; t < plan.tiles.size(); ++t) {
    truncated_halos += fs::exists(truncated_halo_file(folder, t)) ? 1 : 0;
  }
  if (truncated_halos > 0) {
    warnings.push_back(fmt::format(
        "{} of {} tiles had a halo that does not fit into the memory limit, so the result may be less accurate "
        "at their borders. A larger `memory` avoids this",
        truncated_halos, plan.tiles.size()));
  }
  return warnings;
}

std::uint64_t memory_of_tile(const TilingPlan& plan) { return memory_of_work(plan.most_points); }

/// A folder without a run is useless.
template <class Work>
auto or_remove_scratch(const fs::path& folder, const Work& work) {
  try {
    return work();
  } catch (...) {
    remove_scratch(folder);
    throw;
  }
}

}  // namespace

TilesToDo plan_tiles(const fs::path& input, const fs::path& output, const TilingSettings& settings,
                     const ExecutionContext& context) {
  const fs::path folder = scratch_of(output, settings);
  automatic::check(settings.denoise);
  check_writable(output);
  if (!settings.index_map.empty()) {
    check_file_writable(settings.index_map);
  }
  if (const std::string why = why_not_in_tiles(input, output); !why.empty()) {
    throw Error(fmt::format("{}: {}", input.string(), why));
  }
  TilingPlan plan;
  if (has_plan(folder)) {
    if (!settings.resume) {
      throw Error(
          fmt::format("{}: contains an unfinished run; continue it (--resume) or remove the folder", folder.string()));
    }
    plan = plan_to_resume(folder, input, settings);
  } else {
    prepare_folder(folder);
    or_remove_scratch(folder, [&] {
      plan = make_plan(folder, input, settings, context);
      write_plan(folder, plan);
    });
  }
  TilesToDo to_do{folder, plan.points, plan.tiles.size(), plan.points, {}, memory_of_tile(plan), findings_of(plan)};
  for (const Tile& tile : plan.tiles) {
    to_do.not_finite -= tile.points;
  }
  const std::vector<bool> found = find_results(folder, plan, context);
  for (std::size_t t = 0; t < found.size(); ++t) {
    if (!found[t]) {
      to_do.unfinished.push_back(t);
    }
  }
  return to_do;
}

void denoise_tile(const fs::path& scratch, std::size_t tile, const ExecutionContext& context) {
  const TilingPlan plan = read_plan(scratch);
  work_on_tile(scratch, plan, tile, method_of(plan), context);
}

std::vector<std::string> stitch_tiles(const fs::path& input, const fs::path& output, const TilingSettings& settings,
                                      const ExecutionContext& context) {
  const fs::path folder = scratch_of(output, settings);
  const TilingPlan plan = plan_to_resume(folder, input, settings);
  std::vector<std::string> warnings = warnings_about(folder, plan);
  for (const std::string& what :
       stitch(folder, plan, input, output, memory_of(settings), context, settings.finish_part, settings.index_map)) {
    warnings.push_back("left out, because the format cannot hold it: " + what);
  }
  remove_scratch(folder);
  return warnings;
}

void discard_tiles(const fs::path& output, const TilingSettings& settings) {
  remove_scratch(scratch_of(output, settings));
}

bool has_unfinished_run(const fs::path& output, const TilingSettings& settings) {
  return has_plan(scratch_of(output, settings));
}

TilingResult denoise_in_tiles(const fs::path& input, const fs::path& output, const TilingSettings& settings,
                              const ExecutionContext& context) {
  const TilesToDo to_do = plan_tiles(input, output, settings, context);
  try {
    const TilingPlan plan = read_plan(to_do.scratch);
    work_on_tiles(to_do.scratch, plan, to_do.unfinished, method_of(plan), memory_of(settings) / to_do.memory_of_tile,
                  context);
    TilingResult result{to_do.points, to_do.tiles,     to_do.found, to_do.tiles - to_do.unfinished.size(),
                        {},           to_do.not_finite};
    result.warnings = stitch_tiles(input, output, settings, context);
    return result;
  } catch (const Error& error) {
    throw Error(fmt::format("{}\nWhat is finished is kept in {}; --resume goes on from there.", error.what(),
                            to_do.scratch.string()));
  }
}

PointCloud first_points(const fs::path& input, std::size_t count) {
  const ExecutionContext silent;
  io::PartsFile file(input, silent);
  return file.parts().next(static_cast<std::size_t>(std::min<std::uint64_t>(count, file.parts().points())));
}

std::string why_not_in_tiles(const fs::path& input, const fs::path& output) {
  const ExecutionContext silent;
  return io::why_not_in_parts(input, output, silent);
}

}  // namespace burnish
