#include "tiles/sorting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <memory>
#include <numbers>
#include <optional>
#include <utility>

#include "burnish/neighbours.hpp"
#include "core/operating_system.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "geometry/spatial_order.hpp"
#include "tiles/scratch.hpp"

namespace burnish::tiles {
namespace {

/// Files open at once. More cells than that are made by sharing out again what fell into one of them.
constexpr std::size_t most_cells = 256;

/// Points a tree is made from: some hundreds in every cell, so that cells differ in size by a few percent.
constexpr std::size_t sample_size = 100'000;

/// The part of what a tile may have that cells are made for, because of those few percent.
constexpr double aim = 0.85;

/// Points taken at random, the same ones whatever order they come in; and what all of them have in common.
class Sample {
 public:
  void look(const Record& record) {
    ++count_;
    box_.extend(record.point());
    if (RandomStream(0, record.row).bits() >= limit_) {
      return;
    }
    kept_.push_back(record);
    if (kept_.size() > 2 * sample_size) {
      limit_ /= 2;
      std::erase_if(kept_, [this](const Record& one) { return RandomStream(0, one.row).bits() >= limit_; });
    }
  }

  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] bool is_one_place() const { return box_.isEmpty() || box_.min() == box_.max(); }
  [[nodiscard]] std::vector<Vec3> points() const {
    std::vector<Vec3> points;
    std::ranges::transform(kept_, std::back_inserter(points), &Record::point);
    return points;
  }

 private:
  std::uint64_t count_ = 0;
  Eigen::AlignedBox3d box_;
  std::uint64_t limit_ = ~std::uint64_t{0};
  std::vector<Record> kept_;
};

/// Halves space recursively, so that half of a sample is on either side.
class Tree {
 public:
  Tree(std::vector<Vec3> sample, std::size_t cells) { grow(sample, cells); }

  [[nodiscard]] std::size_t cells() const { return cells_; }

  [[nodiscard]] std::size_t cell_of(const Vec3& point) const {
    if (only_place_) {
      return point == *only_place_ ? 0 : 1;
    }
    std::size_t node = 0;
    while (nodes_[node].axis >= 0) {
      node = nodes_[node].child[point[nodes_[node].axis] < nodes_[node].value ? 0 : 1];
    }
    return nodes_[node].child[0];
  }

 private:
  struct Node {
    int axis = -1;  ///< none: a cell, whose number is the first child
    double value = 0.0;
    std::size_t child[2] = {0, 0};
  };

  std::size_t grow(std::span<Vec3> sample, std::size_t cells) {
    const std::size_t node = nodes_.size();
    nodes_.emplace_back();
    Eigen::AlignedBox3d box;
    for (const Vec3& p : sample) {
      box.extend(p);
    }
    int axis = 0;
    const double extent = box.isEmpty() ? 0.0 : box.sizes().maxCoeff(&axis);
    if (cells <= 1 || !(extent > 0.0)) {
      if (node == 0 && !sample.empty()) {
        // All of the sample is in one place: that and all else are the cells, so that each is smaller than the whole.
        only_place_ = sample.front();
        cells_ = 2;
      } else {
        nodes_[node].child[0] = cells_++;
      }
      return node;
    }
    const auto middle = sample.begin() + static_cast<std::ptrdiff_t>(sample.size() * (cells / 2) / cells);
    std::ranges::nth_element(sample, middle, {}, [axis](const Vec3& p) { return p[axis]; });
    double value = (*middle)[axis];
    if (!(box.min()[axis] < value)) {
      // Something must lie below: the next larger value, which the extent says is there.
      value = box.max()[axis];
      for (const Vec3& p : sample) {
        value = p[axis] > box.min()[axis] ? std::min(value, p[axis]) : value;
      }
    }
    const auto above = std::partition(sample.begin(), sample.end(), [&](const Vec3& p) { return p[axis] < value; });
    const auto below = static_cast<std::size_t>(above - sample.begin());
    const std::size_t first = grow(sample.first(below), cells / 2);
    const std::size_t second = grow(sample.subspan(below), cells - cells / 2);
    nodes_[node] = {axis, value, {first, second}};
    return node;
  }

  std::vector<Node> nodes_;
  std::size_t cells_ = 0;
  std::optional<Vec3> only_place_;
};

/// Records that wait in a file, which goes away with this.
class Spill {
 public:
  explicit Spill(std::filesystem::path path) : path_(std::move(path)) {
    file_ = system::open_scratch_file(path_);
    if (file_ < 0) {
      fail();
    }
  }
  ~Spill() {
    system::close_file(file_);
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  Spill(const Spill&) = delete;
  Spill& operator=(const Spill&) = delete;

  void add(const Record& record) {
    if (waiting_.size() == most_waiting) {
      flush();
    }
    waiting_.push_back(record);
    ++count_;
  }

  void flush() {
    const char* data = reinterpret_cast<const char*>(waiting_.data());
    for (std::size_t left = waiting_.size() * sizeof(Record); left > 0;) {
      const std::ptrdiff_t written = system::write_file(file_, data, left);
      if (written < 0) {
        fail();
      }
      data += written;
      left -= static_cast<std::size_t>(written);
    }
    waiting_.clear();
  }

  /// Gives the memory of the buffer back; nothing can be added any more.
  void close() {
    flush();
    waiting_ = {};
  }

  [[nodiscard]] std::uint64_t count() const { return count_; }

  void visit(const RecordVisitor& visitor) const {
    std::vector<Record> records(most_waiting);
    for (std::uint64_t done = 0; done < count_;) {
      const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(records.size(), count_ - done));
      char* const data = reinterpret_cast<char*>(records.data());
      for (std::size_t got = 0; got < part * sizeof(Record);) {
        const std::ptrdiff_t bytes =
            system::read_file_at(file_, data + got, part * sizeof(Record) - got, done * sizeof(Record) + got);
        if (bytes <= 0) {
          fail();
        }
        got += static_cast<std::size_t>(bytes);
      }
      visitor(std::span(records).first(part));
      done += part;
    }
  }

 private:
  static constexpr std::size_t most_waiting = 2048;

  [[noreturn]] void fail() const {
    throw Error(fmt::format("{}: cannot be written: {}", path_.string(), std::strerror(errno)));
  }

  std::filesystem::path path_;
  int file_ = -1;
  std::uint64_t count_ = 0;
  std::vector<Record> waiting_;
};

/// How far the neighbours of some points of each block are. At the border of a tile some are missing, so that it comes
/// out too large there rather than too small.
std::vector<double> spacings_of(const std::vector<Vec3>& points, const ExecutionContext& context) {
  constexpr std::size_t asked = 32;
  constexpr std::size_t neighbours = 9;  // with the point itself
  std::vector<Vec3> distinct;            // they are sorted, and masses of equal ones would make the search slow
  std::ranges::unique_copy(points, std::back_inserter(distinct));
  const NeighbourSearch search(distinct, context);
  std::vector<double> spacings((points.size() + block_size - 1) / block_size);
  parallel_for(context, spacings.size(), 1, [&](std::size_t b) {
    const std::size_t begin = b * block_size;
    const std::size_t count = std::min(block_size, points.size() - begin);
    std::vector<double> found;
    std::uint32_t indices[neighbours];
    double distances[neighbours];
    for (std::size_t i = 0; i < std::min(asked, count); ++i) {
      const std::size_t got = search.nearest(points[begin + i * count / asked], indices, distances);
      // As many points as that in a disc of that radius: what a lattice of squares would have as its side.
      found.push_back(std::sqrt(distances[got - 1] * std::numbers::pi / static_cast<double>(neighbours)));
    }
    const auto upper = found.begin() + static_cast<std::ptrdiff_t>(found.size() * 3 / 4);
    std::ranges::nth_element(found, upper);
    spacings[b] = *upper;
  });
  return spacings;
}

class Sorter {
 public:
  Sorter(std::filesystem::path folder, std::uint64_t run, std::size_t points_in_tile, const ExecutionContext& context)
      : folder_(std::move(folder)), run_(run), points_in_tile_(points_in_tile), context_(context) {}

  void share_out(const RecordSource& source) {
    Sample sample;
    source([&](std::span<const Record> records) {
      for (const Record& record : records) {
        sample.look(record);
      }
    });
    if (sample.count() <= points_in_tile_ || sample.is_one_place()) {
      make_tiles_in_order(source);
      return;
    }
    const auto wanted = static_cast<double>(sample.count()) / (aim * static_cast<double>(points_in_tile_));
    const Tree tree(sample.points(), static_cast<std::size_t>(std::min<double>(most_cells, std::ceil(wanted))));
    std::vector<std::unique_ptr<Spill>> cells(tree.cells());
    std::ranges::generate(cells, [&] { return std::make_unique<Spill>(spill_file(folder_, spills_++)); });
    source([&](std::span<const Record> records) {
      for (const Record& record : records) {
        cells[tree.cell_of(record.point())]->add(record);
      }
    });
    std::ranges::for_each(cells, [](const auto& cell) { cell->close(); });
    for (std::unique_ptr<Spill>& cell : cells) {
      const RecordSource again = [&](const RecordVisitor& visitor) { cell->visit(visitor); };
      if (cell->count() <= points_in_tile_) {
        make_tiles_in_order(again);
      } else {
        share_out(again);
      }
      cell.reset();
    }
  }

  std::vector<Tile> tiles;

 private:
  /// Tiles of consecutive records, in the order they come.
  void make_tiles_in_order(const RecordSource& source) {
    std::vector<Record> records;
    source([&](std::span<const Record> some) {
      for (const Record& record : some) {
        records.push_back(record);
        if (records.size() == points_in_tile_) {
          make_tile(std::exchange(records, {}));
        }
      }
    });
    if (!records.empty()) {
      make_tile(std::move(records));
    }
  }

  void make_tile(std::vector<Record> records) {
    context_.check_cancelled();
    std::vector<Vec3> points;
    std::ranges::transform(records, std::back_inserter(points), &Record::point);
    std::vector<Record> sorted;
    sorted.reserve(records.size());
    for (const std::uint32_t i : spatial_order(points, context_)) {
      sorted.push_back(records[i]);
    }
    records = {};
    std::ranges::transform(sorted, points.begin(), &Record::point);
    const std::vector<double> spacings = spacings_of(points, context_);
    write_point_file(tile_file(folder_, tiles.size()), run_, sorted, spacings);
    Tile tile{sorted.size(), {}, std::ranges::max(spacings)};
    for (const Vec3& p : points) {
      tile.box.extend(p);
    }
    tiles.push_back(tile);
  }

  std::filesystem::path folder_;
  std::uint64_t run_;
  std::size_t points_in_tile_;
  const ExecutionContext& context_;
  std::size_t spills_ = 0;
};

}  // namespace

std::vector<Tile> sort_into_tiles(const RecordSource& source, const std::filesystem::path& folder, std::uint64_t run,
                                  std::size_t points_in_tile, const ExecutionContext& context) {
  Sorter sorter(folder, run, points_in_tile, context);
  sorter.share_out(source);
  return std::move(sorter.tiles);
}

}  // namespace burnish::tiles
