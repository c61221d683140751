#include "tiles/stitching.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "burnish/io.hpp"
#include "io/in_parts.hpp"
#include "tiles/memory.hpp"

namespace burnish::tiles {
namespace {

constexpr std::size_t rows_at_once = 32768;

/// Where the points of some consecutive rows are now; NaN for those that are in no tile.
class MovedRows {
 public:
  MovedRows(const std::filesystem::path& folder, const Plan& plan, std::uint64_t begin, std::uint64_t end)
      : begin_(begin), positions_(end - begin, Vec3::Constant(std::numeric_limits<double>::quiet_NaN())) {
    std::vector<Record> records;
    for (std::size_t t = 0; t < plan.tiles.size(); ++t) {
      const PointFile file(result_file(folder, t), plan.run());
      for (std::size_t b = 0; b < file.blocks().size(); ++b) {
        if (file.blocks()[b].first_row < end && file.blocks()[b].last_row >= begin) {
          records.clear();
          file.read(b, records);
          for (const Record& record : records) {
            if (record.row >= begin && record.row < end) {
              positions_[record.row - begin] = record.point();
            }
          }
        }
      }
    }
  }

  void apply(std::uint64_t row, PointCloud& part) const {
    for (std::size_t i = 0; i < part.size(); ++i) {
      const Vec3& moved = positions_[row - begin_ + i];
      if (is_finite(moved)) {
        part.positions[i] = moved;
      }
    }
  }

 private:
  std::uint64_t begin_;
  std::vector<Vec3> positions_;
};

/// The box around all points of all results. Throws Error if one is missing.
Eigen::AlignedBox3d box_of_results(const std::filesystem::path& folder, const Plan& plan) {
  Eigen::AlignedBox3d box;
  for (std::size_t t = 0; t < plan.tiles.size(); ++t) {
    const PointFile file(result_file(folder, t), plan.run());
    if (file.count() != plan.tiles[t].points) {
      throw Error(fmt::format("{}: has {} points, expected {}", result_file(folder, t).string(), file.count(),
                              plan.tiles[t].points));
    }
    box.extend(file.box());
  }
  return box;
}

}  // namespace

std::vector<std::string> stitch(const std::filesystem::path& folder, const Plan& plan,
                                const std::filesystem::path& input, const std::filesystem::path& output,
                                std::uint64_t memory, const ExecutionContext& context) {
  const ExecutionContext silent(context, context.threads);  // progress is that of the writing
  io::PartsFile file(input, silent);
  io::CloudParts& parts = file.parts();
  if (parts.points() != plan.points) {
    throw Error(fmt::format("{}: has changed since its tiles were made", input.string()));
  }
  io::Whole whole{plan.points, box_of_results(folder, plan), parts.table_shapes(), parts.has_trailer()};
  // Half of the memory for positions; the rest is more than enough for a part of the input with its attributes.
  const std::uint64_t rows_in_memory = std::max<std::uint64_t>(rows_at_once, memory / 2 / sizeof(Vec3));
  return_free_memory();
  become_writer(folder, output);
  io::BlockWriter target(output, context);
  const std::unique_ptr<io::CloudWriter> writer = io::open_writer(output, target, whole);
  std::vector<std::string> left_out;
  for (std::uint64_t begin = 0; begin < plan.points; begin += rows_in_memory) {
    const std::uint64_t end = std::min(plan.points, begin + rows_in_memory);
    const MovedRows moved(folder, plan, begin, end);
    for (std::uint64_t row = begin; row < end;) {
      const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(rows_at_once, end - row));
      PointCloud part = parts.next(count);
      moved.apply(row, part);
      part.tables = row == 0 ? whole.tables : std::vector<Table>();
      std::vector<std::string> what = fit_to_format(output, part);
      left_out = row == 0 ? std::move(what) : std::move(left_out);
      writer->write_part(part);
      row += count;
    }
  }
  PointCloud tail;
  parts.read_tail(tail);
  writer->write_tail(tail);
  target.finish();
  return left_out;
}

}  // namespace burnish::tiles
