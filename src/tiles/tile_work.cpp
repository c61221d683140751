#include "tiles/tile_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "burnish/io.hpp"
#include "burnish/normals.hpp"

namespace burnish::tiles {
namespace {

struct Neighbour {
  Record record;
  double distance = 0.0;  ///< as a part of the distance up to which it would count
};

class Gathering {
 public:
  Gathering(const std::vector<Block>& own, const TileMethod& method, std::size_t most)
      : own_(own), method_(method), most_(most) {
    for (const Block& block : own) {
      spacing_ = std::max(spacing_, block.spacing);
      box_.extend(block.box());
    }
  }

  /// True if a box whose spacing is at most that may have points that count.
  [[nodiscard]] bool may_reach(const Eigen::AlignedBox3d& box, double spacing) const {
    return box_.squaredExteriorDistance(box) <= squared_halo_radius(std::max(spacing, spacing_));
  }

  void add_from(const PointFile& file, const ExecutionContext& context) {
    std::vector<Record> records;
    std::vector<const Block*> near;
    for (std::size_t b = 0; b < file.blocks().size(); ++b) {
      const Block& block = file.blocks()[b];
      near.clear();
      for (const Block& own : own_) {
        if (own.box().squaredExteriorDistance(block.box()) <=
            squared_halo_radius(std::max(own.spacing, block.spacing))) {
          near.push_back(&own);
        }
      }
      if (near.empty()) {
        continue;
      }
      context.check_cancelled();
      records.clear();
      file.read(b, records);
      add(block, records, near);
    }
  }

  /// The points in the order they came; false if some had to be left out.
  bool take(std::vector<Record>& records) {
    const bool is_complete = !has_cut_ && neighbours_.size() <= most_;
    cut();
    std::ranges::sort(neighbours_, {}, [](const Neighbour& one) { return one.record.row; });
    std::ranges::transform(neighbours_, std::back_inserter(records), &Neighbour::record);
    return is_complete;
  }

 private:
  [[nodiscard]] double squared_halo_radius(double spacing) const {
    const double radius = std::max(method_.halo_radius, method_.halo_radius_in_spacings * spacing);
    return radius * radius;
  }

  void add(const Block& block, const std::vector<Record>& records, const std::vector<const Block*>& near) {
    std::optional<Vec3> last;
    for (const Record& record : records) {
      const Vec3 point = record.point();
      if (last == point) {
        continue;  // to a method, points at the same place are one
      }
      last = point;
      double distance = std::numeric_limits<double>::infinity();
      for (const Block* own : near) {
        const double square = squared_halo_radius(std::max(own->spacing, block.spacing));
        distance = std::min(distance, square > 0.0 ? own->box().squaredExteriorDistance(point) / square : distance);
      }
      if (distance <= 1.0) {
        neighbours_.push_back({record, distance});
      }
    }
    if (neighbours_.size() > 2 * most_ + block_size) {
      cut();
      has_cut_ = true;
    }
  }

  /// Leaves out the farthest if there are too many.
  void cut() {
    if (neighbours_.size() > most_) {
      const auto end = neighbours_.begin() + static_cast<std::ptrdiff_t>(most_);
      std::ranges::nth_element(neighbours_, end, [](const Neighbour& a, const Neighbour& b) {
        return std::pair(a.distance, a.record.row) < std::pair(b.distance, b.record.row);
      });
      neighbours_.erase(end, neighbours_.end());
    }
  }

  const std::vector<Block>& own_;
  const TileMethod& method_;
  std::size_t most_;
  double spacing_ = 0.0;
  Eigen::AlignedBox3d box_;
  std::vector<Neighbour> neighbours_;
  bool has_cut_ = false;
};

}  // namespace

Surrounded gather(const std::filesystem::path& folder, const TilingPlan& plan, std::size_t tile,
                  const TileMethod& method, const ExecutionContext& context) {
  Surrounded surrounded;
  const PointFile own(tile_file(folder, tile), plan.run());
  surrounded.own = own.read_all();
  const std::uint64_t room = plan.most_points > own.count() ? plan.most_points - own.count() : 0;
  Gathering gathering(own.blocks(), method, static_cast<std::size_t>(room));
  for (std::size_t t = 0; t < plan.tiles.size(); ++t) {
    if (t != tile && gathering.may_reach(plan.tiles[t].box, plan.tiles[t].spacing)) {
      gathering.add_from(PointFile(tile_file(folder, t), plan.run()), context);
    }
  }
  surrounded.is_complete = gathering.take(surrounded.around);
  return surrounded;
}

void work_on_tile(const std::filesystem::path& folder, const TilingPlan& plan, std::size_t tile,
                  const TileMethod& method, const ExecutionContext& context) {
  if (tile >= plan.tiles.size()) {
    throw Error(fmt::format("there is no tile {}: there are {}", tile, plan.tiles.size()));
  }
  Surrounded surrounded = gather(folder, plan, tile, method, context);
  std::vector<Vec3> points;
  points.reserve(surrounded.own.size() + surrounded.around.size());
  std::ranges::transform(surrounded.own, std::back_inserter(points), &Record::point);
  std::ranges::transform(surrounded.around, std::back_inserter(points), &Record::point);
  std::vector<Vec3> scanner_positions;
  if (!plan.scanners.empty()) {
    scanner_positions.reserve(points.size());
    const auto scanner_of = [&](const Record& record) { return plan.scanner_of(record.row); };
    std::ranges::transform(surrounded.own, std::back_inserter(scanner_positions), scanner_of);
    std::ranges::transform(surrounded.around, std::back_inserter(scanner_positions), scanner_of);
  }
  surrounded.around = {};
  if (!surrounded.is_complete) {
    write_file(truncated_halo_file(folder, tile), "");
  }
  const DenoisedTile denoised = method.denoise(points, scanner_positions, context);
  points = {};
  scanner_positions = {};
  std::vector<Record>& own = surrounded.own;
  std::vector<Record> outliers;
  for (const std::uint32_t i : denoised.outliers) {
    if (i < own.size()) {
      outliers.push_back(own[i]);
    }
  }
  const auto write_rows = [&](const std::filesystem::path& path, std::vector<Record>& records) {
    std::ranges::sort(records, {}, &Record::row);
    write_point_file(path, plan.run(), records, {});
  };
  write_rows(outlier_file(folder, tile), outliers);
  if (plan.normals) {
    // Signs are set when the output is written, by what the input says; towards a viewpoint is the quickest.
    const std::vector<Vec3> normals = estimate_normals(denoised.positions, {}, Vec3(Vec3::Zero()), context);
    std::vector<Record> records = own;
    for (std::size_t i = 0; i < own.size(); ++i) {
      std::copy_n(normals[i].data(), 3, records[i].position);
    }
    write_rows(normal_file(folder, tile), records);
  }
  if (plan.attributes) {
    std::vector<Record> records = own;
    for (std::size_t i = 0; i < own.size(); ++i) {
      records[i] = {own[i].row, {denoised.noise[i], denoised.variance[i], 0.0}};
    }
    write_rows(attribute_file(folder, tile), records);
  }
  for (std::size_t i = 0; i < own.size(); ++i) {
    std::copy_n(denoised.positions[i].data(), 3, own[i].position);
  }
  write_rows(result_file(folder, tile), own);  // the last: it says that the tile is done
}

}  // namespace burnish::tiles
