#include "tiles/survey.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <queue>

#include "geometry/scanner_directions.hpp"
#include "geometry/working_points.hpp"

namespace burnish::tiles {
namespace {

/// Calls visit(point, row), relative to the origin, for all points of all tiles; once for those at the same place,
/// which follow each other.
class AllPoints {
 public:
  AllPoints(std::filesystem::path folder, const TilingPlan& plan, const ExecutionContext& context)
      : folder_(std::move(folder)), plan_(plan), origin_(origin_of(plan)), context_(context) {}

  template <class Visit>
  void visit(const Visit& visit) const {
    std::optional<Vec3> last;
    std::vector<Record> records;
    for (std::size_t t = 0; t < plan_.tiles.size(); ++t) {
      context_.report("choosing", 0.0);
      const PointFile file = open(t);
      for (std::size_t b = 0; b < file.blocks().size(); ++b) {
        records.clear();
        file.read(b, records);
        for (const Record& record : records) {
          const Vec3 point = record.point();
          if (last != point) {
            last = point;
            visit(Vec3(point - origin_), record.row);
          }
        }
      }
    }
  }

  /// The points nearest to one, nearest first.
  [[nodiscard]] std::vector<Vec3> nearest_to(const Vec3& middle, std::size_t count) const {
    struct Found {
      double square;
      Vec3 point;
      bool operator<(const Found& other) const { return square < other.square; }
    };
    std::priority_queue<Found> found;
    const Vec3 place = middle + origin_;
    const auto is_too_far = [&](const Eigen::AlignedBox3d& box) {
      // With some room, because what is compared was rounded differently.
      return found.size() == count && 0.999999 * box.squaredExteriorDistance(place) > found.top().square;
    };
    std::vector<std::size_t> order(plan_.tiles.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {},
                             [&](std::size_t t) { return plan_.tiles[t].box.squaredExteriorDistance(place); });
    std::vector<Record> records;
    for (const std::size_t t : order) {
      if (is_too_far(plan_.tiles[t].box)) {
        break;
      }
      const PointFile file = open(t);
      for (std::size_t b = 0; b < file.blocks().size(); ++b) {
        if (is_too_far(file.blocks()[b].box())) {
          continue;
        }
        records.clear();
        file.read(b, records);
        std::optional<Vec3> last;
        for (const Record& record : records) {
          if (last == record.point()) {
            continue;
          }
          last = record.point();
          const Vec3 point = *last - origin_;
          const double square = (point - middle).squaredNorm();
          if (found.size() < count) {
            found.push({square, point});
          } else if (square < found.top().square) {
            found.pop();
            found.push({square, point});
          }
        }
      }
    }
    std::vector<Vec3> points(found.size());
    for (std::size_t i = points.size(); i > 0; --i) {
      points[i - 1] = found.top().point;
      found.pop();
    }
    return points;
  }

 private:
  [[nodiscard]] PointFile open(std::size_t tile) const { return {tile_file(folder_, tile), plan_.run()}; }

  std::filesystem::path folder_;
  const TilingPlan& plan_;
  Vec3 origin_;
  const ExecutionContext& context_;
};

/// The point that has a given place among all by its distance to the mean, found within a bounded memory: first the
/// range of distances in which it is, narrower and narrower, then it.
class Ranked {
 public:
  Ranked(std::uint64_t rank, double square_of_farthest, std::uint64_t points)
      : rank_(rank),
        high_(std::nextafter(square_of_farthest, std::numeric_limits<double>::infinity())),
        inside_(points) {}

  [[nodiscard]] bool is_narrow() const { return inside_ <= few || !(width() > 0.0); }

  void start_counting() { counts_.assign(is_narrow() ? 0 : bins, 0); }

  void count(double square) {
    if (!counts_.empty() && square >= low_ && square < high_) {
      ++counts_[bin_of(square)];
    }
  }

  void narrow() {
    if (counts_.empty()) {
      return;
    }
    std::size_t bin = 0;
    while (bin + 1 < bins && below_ + counts_[bin] <= rank_) {
      below_ += counts_[bin++];
    }
    inside_ = counts_[bin];
    const double start = low_;
    const double step = width();
    low_ = bin == 0 ? low_ : start + static_cast<double>(bin) * step;
    high_ = bin + 1 == bins ? high_ : start + static_cast<double>(bin + 1) * step;
  }

  void collect(double square, const Vec3& point) {
    if (square >= low_ && square < high_ && found_.size() < few) {
      found_.push_back({square, point});
    }
  }

  [[nodiscard]] Vec3 take() {
    const auto place =
        found_.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(rank_ - below_, found_.size() - 1));
    std::ranges::nth_element(found_, place, [](const Found& a, const Found& b) {
      return a.square != b.square
                 ? a.square < b.square
                 : std::lexicographical_compare(a.point.begin(), a.point.end(), b.point.begin(), b.point.end());
    });
    return place->point;
  }

 private:
  static constexpr std::size_t bins = 4096;
  static constexpr std::size_t few = 4000;

  struct Found {
    double square;
    Vec3 point;
  };

  [[nodiscard]] double width() const { return (high_ - low_) / static_cast<double>(bins); }

  /// Such that what falls into a bin lies between its bounds as `narrow` computes them.
  [[nodiscard]] std::size_t bin_of(double square) const {
    auto bin = static_cast<std::size_t>(std::min((square - low_) / width(), static_cast<double>(bins - 1)));
    while (bin > 0 && square < low_ + static_cast<double>(bin) * width()) {
      --bin;
    }
    while (bin + 1 < bins && square >= low_ + static_cast<double>(bin + 1) * width()) {
      ++bin;
    }
    return bin;
  }

  std::uint64_t rank_;
  double low_ = 0.0;
  double high_;
  std::uint64_t below_ = 0;
  std::uint64_t inside_;
  std::vector<std::uint64_t> counts_;
  std::vector<Found> found_;
};

}  // namespace

Vec3 origin_of(const TilingPlan& plan) {
  Eigen::AlignedBox3d box;
  for (const Tile& tile : plan.tiles) {
    box.extend(tile.box);
  }
  return box.isEmpty() ? Vec3(Vec3::Zero()) : Vec3(0.5 * box.min() + 0.5 * box.max());
}

automatic::Samples take_samples(const std::filesystem::path& folder, const TilingPlan& plan,
                                const ExecutionContext& context) {
  const AllPoints all(folder, plan, context);
  std::uint64_t count = 0;
  Vec3 sum = Vec3::Zero();
  std::vector<Vec3> points;
  all.visit([&](const Vec3& point, std::uint64_t /*row*/) {
    sum += point;
    if (++count <= automatic::largest_whole_sample) {
      points.push_back(point);
    }
  });
  if (count <= automatic::largest_whole_sample) {
    return {{working_points(points, Vec3(Vec3::Zero()), context).points, {}}, {}};
  }
  points = {};

  const Vec3 mean = sum / static_cast<double>(count);
  double farthest = 0.0;
  all.visit(
      [&](const Vec3& point, std::uint64_t /*row*/) { farthest = std::max(farthest, (point - mean).squaredNorm()); });
  const std::array layouts = {automatic::regions_to_choose, automatic::regions_to_survey_noise};
  std::vector<Ranked> ranked;
  for (const automatic::RegionLayout& layout : layouts) {
    for (std::size_t c = 0; c < automatic::candidate_count(layout); ++c) {
      ranked.emplace_back(automatic::candidate_rank(layout, c, count), farthest, count);
    }
  }
  while (!std::ranges::all_of(ranked, &Ranked::is_narrow)) {
    std::ranges::for_each(ranked, &Ranked::start_counting);
    all.visit([&](const Vec3& point, std::uint64_t /*row*/) {
      const double square = (point - mean).squaredNorm();
      for (Ranked& candidate : ranked) {
        candidate.count(square);
      }
    });
    std::ranges::for_each(ranked, &Ranked::narrow);
  }
  all.visit([&](const Vec3& point, std::uint64_t /*row*/) {
    const double square = (point - mean).squaredNorm();
    for (Ranked& candidate : ranked) {
      candidate.collect(square, point);
    }
  });
  auto next = ranked.begin();
  const auto sample_of = [&](const automatic::RegionLayout& layout) {
    std::vector<Vec3> candidates;
    for (std::size_t c = 0; c < automatic::candidate_count(layout); ++c) {
      candidates.push_back((next++)->take());
    }
    std::vector<std::vector<Vec3>> regions;
    for (const Vec3& middle : automatic::choose_middles(candidates, layout.regions)) {
      regions.push_back(all.nearest_to(middle, layout.size));
    }
    return automatic::join_regions(regions, layout.part_that_counts);
  };
  automatic::Samples samples;
  samples.to_choose = sample_of(layouts[0]);
  samples.to_survey_noise = sample_of(layouts[1]);
  return samples;
}

automatic::Sights sights_of(const automatic::Samples& samples, const std::filesystem::path& folder,
                            const TilingPlan& plan, const ExecutionContext& context) {
  if (plan.scanners.empty()) {
    return {};
  }
  const auto comes_first = [](const Vec3& a, const Vec3& b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  };
  std::vector<Vec3> wanted = samples.to_choose.points;
  wanted.insert(wanted.end(), samples.to_survey_noise.points.begin(), samples.to_survey_noise.points.end());
  std::ranges::sort(wanted, comes_first);
  std::vector<Vec3> points;
  std::vector<Vec3> scanner_positions;
  const Vec3 origin = origin_of(plan);
  const AllPoints all(folder, plan, context);
  all.visit([&](const Vec3& point, std::uint64_t row) {
    if (std::ranges::binary_search(wanted, point, comes_first)) {
      points.push_back(point);
      scanner_positions.emplace_back(plan.scanner_of(row) - origin);
    }
  });
  const WorkingPoints working = working_points(points, Vec3(Vec3::Zero()), context);
  std::vector<Vec3> directions = scanner_directions(points, working, scanner_positions);
  return directions.empty() ? automatic::Sights() : automatic::Sights(working.points, std::move(directions), context);
}

}  // namespace burnish::tiles
