#include "tiles/stitching.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "burnish/io.hpp"
#include "core/operating_system.hpp"
#include "io/in_parts.hpp"
#include "tiles/memory.hpp"
#include "tiles/tile_method.hpp"

namespace burnish::tiles {
namespace {

constexpr std::size_t rows_at_once = 32768;

/// What became of the points of some consecutive rows.
class DenoisedRows {
 public:
  DenoisedRows(const std::filesystem::path& folder, const TilingPlan& plan, std::uint64_t begin, std::uint64_t end,
               double error_scale)
      : begin_(begin),
        end_(end),
        positions_(end - begin, Vec3::Constant(std::numeric_limits<double>::quiet_NaN())),
        is_outlier_(end - begin, false),
        normals_(plan.normals ? end - begin : 0, Vec3::Zero()),
        noise_(plan.attributes ? end - begin : 0, 0.0),
        error_(noise_.size(), 0.0) {
    for (std::size_t t = 0; t < plan.tiles.size(); ++t) {
      visit(PointFile(result_file(folder, t), plan.run()),
            [&](const Record& record) { positions_[record.row - begin] = record.point(); });
      visit(PointFile(outlier_file(folder, t), plan.run()),
            [&](const Record& record) { is_outlier_[record.row - begin] = true; });
      if (plan.normals) {
        visit(PointFile(normal_file(folder, t), plan.run()),
              [&](const Record& record) { normals_[record.row - begin] = record.point(); });
      }
      if (plan.attributes) {
        visit(PointFile(attribute_file(folder, t), plan.run()), [&](const Record& record) {
          noise_[record.row - begin] = record.position[0];
          error_[record.row - begin] = error_scale * std::sqrt(record.position[1]);
        });
      }
    }
  }

  /// Takes over what became of a part, from that row on; returns which points to write, all if it is empty.
  [[nodiscard]] std::vector<bool> apply(std::uint64_t row, PointCloud& part, const FinishPart& finish_part) {
    const auto first = static_cast<std::ptrdiff_t>(row - begin_);
    const auto size = static_cast<std::ptrdiff_t>(part.size());
    for (std::size_t i = 0; i < part.size(); ++i) {
      Vec3& moved = positions_[row - begin_ + i];
      moved = is_finite(moved) ? moved : part.positions[i];
    }
    const std::span positions = std::span(positions_).subspan(row - begin_, part.size());
    if (!finish_part) {
      std::ranges::copy(positions, part.positions.begin());
      return {};
    }
    const std::vector<bool> is_outlier(is_outlier_.begin() + first, is_outlier_.begin() + first + size);
    const auto of_part = [&]<class T>(const std::vector<T>& values) {
      return values.empty() ? std::span<const T>() : std::span(values).subspan(row - begin_, part.size());
    };
    return finish_part(part, {row, positions, is_outlier, of_part(normals_), of_part(noise_), of_part(error_)});
  }

 private:
  template <class Visitor>
  void visit(const PointFile& file, const Visitor& visitor) const {
    std::vector<Record> records;
    for (std::size_t b = 0; b < file.blocks().size(); ++b) {
      if (file.blocks()[b].first_row < end_ && file.blocks()[b].last_row >= begin_) {
        records.clear();
        file.read(b, records);
        for (const Record& record : records) {
          if (record.row >= begin_ && record.row < end_) {
            visitor(record);
          }
        }
      }
    }
  }

  std::uint64_t begin_;
  std::uint64_t end_;
  std::vector<Vec3> positions_;  ///< NaN for those that are in no tile
  std::vector<bool> is_outlier_;
  std::vector<Vec3> normals_;
  std::vector<double> noise_;
  std::vector<double> error_;
};

/// What the root of a variance is to be multiplied by, so that the root mean square over all points is the expected
/// error. Outliers have none.
double error_scale(const std::filesystem::path& folder, const TilingPlan& plan) {
  if (!plan.attributes) {
    return 0.0;
  }
  double variances = 0.0;
  double points = 0.0;
  for (std::size_t t = 0; t < plan.tiles.size(); ++t) {
    const PointFile file(attribute_file(folder, t), plan.run());
    std::vector<Record> records;
    for (std::size_t b = 0; b < file.blocks().size(); ++b) {
      records.clear();
      file.read(b, records);
      for (const Record& record : records) {
        variances += record.position[1];
      }
    }
    points += static_cast<double>(file.count() - PointFile(outlier_file(folder, t), plan.run()).count());
  }
  return variances > 0.0 ? findings_of(plan).expected_error_after * std::sqrt(points / variances) : 0.0;
}

/// The box around all points of all results. Throws Error if one is missing.
Eigen::AlignedBox3d box_of_results(const std::filesystem::path& folder, const TilingPlan& plan) {
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

/// The parts of the input as they are to be written, from first to last.
class FinishedParts {
 public:
  FinishedParts(const std::filesystem::path& folder, const TilingPlan& plan, io::CloudParts& parts,
                std::uint64_t memory, const FinishPart& finish_part)
      : folder_(folder),
        plan_(plan),
        parts_(parts),
        finish_part_(finish_part),
        error_scale_(error_scale(folder, plan)),
        // Half of the memory for rows; the rest is more than enough for a part of the input with its attributes.
        rows_in_memory_(std::max<std::uint64_t>(rows_at_once, memory / 2 / bytes_per_row(plan))) {}

  void visit(const std::function<void(PointCloud& part, const std::vector<bool>& keep)>& visitor) {
    for (std::uint64_t begin = 0; begin < plan_.points; begin += rows_in_memory_) {
      const std::uint64_t end = std::min(plan_.points, begin + rows_in_memory_);
      DenoisedRows rows(folder_, plan_, begin, end, error_scale_);
      for (std::uint64_t row = begin; row < end;) {
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(rows_at_once, end - row));
        PointCloud part = parts_.next(count);
        const std::vector<bool> keep = rows.apply(row, part, finish_part_);
        visitor(part, keep);
        row += count;
      }
    }
  }

 private:
  [[nodiscard]] static std::uint64_t bytes_per_row(const TilingPlan& plan) {
    return sizeof(Vec3) * (plan.normals ? 2 : 1) + (plan.attributes ? 2 * sizeof(double) : 0);
  }

  const std::filesystem::path& folder_;
  const TilingPlan& plan_;
  io::CloudParts& parts_;
  const FinishPart& finish_part_;
  double error_scale_;
  std::uint64_t rows_in_memory_;
};

/// A file with the row of each point that is left, one per line; without a name, nothing.
class IndexMap {
 public:
  IndexMap(const std::filesystem::path& path, const ExecutionContext& context) {
    if (!path.empty()) {
      file_.emplace(path, context);
    }
  }

  /// The next rows, and which of them are left: all if that is empty.
  void add(std::size_t rows, const std::vector<bool>& keep) {
    for (std::size_t i = 0; file_ && i < rows; ++i) {
      if (keep.empty() || keep[i]) {
        file_->append(fmt::format("{}\n", row_ + i));
      }
    }
    row_ += rows;
  }

  void finish() {
    if (file_) {
      file_->finish();
    }
  }

 private:
  std::optional<io::BlockWriter> file_;
  std::uint64_t row_ = 0;
};

}  // namespace

std::vector<std::string> stitch(const std::filesystem::path& folder, const TilingPlan& plan,
                                const std::filesystem::path& input, const std::filesystem::path& output,
                                std::uint64_t memory, const ExecutionContext& context, const FinishPart& finish_part,
                                const std::filesystem::path& index_map) {
  const ExecutionContext silent(context, context.threads);  // progress is that of the writing
  io::PartsFile file(input, silent);
  io::CloudParts& parts = file.parts();
  if (parts.points() != plan.points) {
    throw Error(fmt::format("{}: has changed since its tiles were made", input.string()));
  }
  io::FileHeader whole{plan.points, box_of_results(folder, plan), parts.table_shapes(), parts.has_trailer()};
  FinishedParts finished(folder, plan, parts, memory, finish_part);
  if (finish_part) {
    // Files begin with how many points there are, and some with the box around them.
    whole.points = 0;
    whole.box.setEmpty();
    finished.visit([&](const PointCloud& part, const std::vector<bool>& keep) {
      for (std::size_t i = 0; i < part.size(); ++i) {
        if (keep.empty() || keep[i]) {
          ++whole.points;
          whole.box = is_finite(part.positions[i]) ? whole.box.extend(part.positions[i]) : whole.box;
        }
      }
    });
    parts.restart();
  }
  const bool is_smaller = whole.points < plan.points;
  if (is_smaller && std::ranges::any_of(whole.tables, [](const Table& table) { return table.rows > 0; })) {
    throw Error(
        fmt::format("{}: has faces or other tables, which name points by number: points cannot be left out of it "
                    "in tiles",
                    input.string()));
  }
  system::return_free_memory();
  become_writer(folder, output);
  io::BlockWriter target(output, context);
  IndexMap rows(index_map, silent);
  const std::unique_ptr<io::CloudWriter> writer = io::open_writer(output, target, whole);
  std::vector<std::string> left_out;
  bool is_first = true;
  finished.visit([&](PointCloud& part, const std::vector<bool>& keep) {
    rows.add(part.size(), keep);
    if (!keep.empty()) {
      keep_points(part, keep);
    }
    if (is_smaller) {
      part.width = part.height = 0;
    }
    part.tables = is_first ? whole.tables : std::vector<Table>();
    std::vector<std::string> what = fit_to_format(output, part);
    left_out = is_first ? std::move(what) : std::move(left_out);
    is_first = false;
    writer->write_part(part);
  });
  PointCloud tail;
  parts.read_tail(tail);
  writer->write_tail(tail);
  target.finish();
  rows.finish();
  return left_out;
}

}  // namespace burnish::tiles
