#include "glr/patch_distance.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>

#include "core/math.hpp"
#include "core/parallel.hpp"
#include "geometry/frames.hpp"
#include "glr/nearest.hpp"
#include "glr/patch_pair.hpp"
#include "glr/patch_rotations.hpp"
#include "glr/projection.hpp"

namespace burnish::glr {
namespace {

/// The patches relative to their origins. Those that follow each other have most of their neighbours in common: the
/// last ones gathered are kept.
class LocalPatches {
 public:
  LocalPatches(std::span<const Vec3> points, const Patches& patches, std::span<const double> radii)
      : points_(points), patches_(patches), radii_(radii) {}

  const LocalPatch& operator[](std::uint32_t m) {
    const std::size_t place = m % kept;
    LocalPatch& local = local_[place];
    if (patch_[place] != m) {
      patch_[place] = m;
      local.set_unit(power_of_two(radii_[m]));
      const std::span<const std::uint32_t> members = patches_.patch(m);
      for (std::size_t i = 0; i < members.size(); ++i) {
        local.set(i, points_[members[i]] - patches_.origins[m]);
      }
    }
    return local;
  }

 private:
  static constexpr std::size_t kept = 256;
  std::span<const Vec3> points_;
  const Patches& patches_;
  std::span<const double> radii_;
  std::vector<LocalPatch> local_ = std::vector<LocalPatch>(kept, LocalPatch(patches_.size, 1.0));
  std::vector<std::uint32_t> patch_ = std::vector<std::uint32_t>(kept, 0xFFFFFFFF);
};

/// The places whose margins are not above a level; returns how many. Margins lie in whole vectors.
std::size_t places_up_to(std::uint8_t level, const std::uint8_t* margins, std::size_t count, std::uint8_t* places) {
  using Bytes [[gnu::vector_size(16)]] = std::uint8_t;
  std::size_t found = 0;
  for (std::size_t begin = 0; begin < count; begin += sizeof(Bytes)) {
    Bytes here;
    std::memcpy(&here, margins + begin, sizeof here);
    const auto not_above = here <= level;
    std::uint64_t words[2];
    std::memcpy(words, &not_above, sizeof words);
    for (std::size_t w = 0; w < 2; ++w) {
      for (std::uint64_t bits = words[w] & 0x8080808080808080; bits != 0; bits &= bits - 1) {
        places[found++] =
            static_cast<std::uint8_t>(begin + 8 * w + static_cast<std::size_t>(std::countr_zero(bits)) / 8);
      }
    }
  }
  return found;
}

/// Compares patches with their neighbours: the work of one thread.
class Comparison {
 public:
  Comparison(std::span<const Vec3> points, const Patches& patches, const PatchGraph& graph, Interpolation interpolation,
             double tau, const PatchRotations* rotations, Correspondences& result)
      : graph_(graph),
        interpolation_(interpolation),
        tau_(interpolation != Interpolation::off ? tau : std::numeric_limits<double>::infinity()),
        rotations_(rotations),
        result_(result),
        points_(points),
        patches_(patches),
        local_(points, patches, result.search.radii),
        own_local_(patches.size, 1.0),
        own_points_(patches.size) {}

  std::vector<InterpolatedPartner> interpolations;

  /// Projects the patch onto its reference plane, equations 29 and 30.
  void choose(std::uint32_t m);

  /// Finds the partners and the distance of the patch that was chosen and the other one of a slot. Two points of them
  /// have moved by no more than `move` together since last time, if there was one.
  void compare(std::uint32_t slot, std::optional<double> move);

 private:
  void find_partners(const PatchPair& pair, std::size_t asked, const MarginScale& scale, std::uint8_t* partners,
                     std::uint8_t* margins);
  double interpolate_far_partners(const PatchPair& pair, std::size_t asked, std::uint32_t slot, std::uint8_t* partners);

  const PatchGraph& graph_;
  Interpolation interpolation_;
  double tau_;
  const PatchRotations* rotations_;
  Correspondences& result_;
  std::span<const Vec3> points_;
  const Patches& patches_;
  LocalPatches local_;

  LocalPatch own_local_;
  std::vector<Vec3> own_points_;
  std::uint32_t own_number_ = 0;
  Eigen::Matrix3d axes_;
  double radius_ = 0.0;          ///< of the patch and its neighbours
  double length_ = 0.0;          ///< changes are counted in
  double plane_rotation_ = 0.0;  ///< of the reference plane since last time
  double own_height_ = 0.0;      ///< the largest
  ProjectedPatch own_;
  ProjectedPatch other_;
  ProjectedPatch asked_;  ///< those points of the own patch whose partners may have changed
  std::array<std::uint8_t, patch_capacity> places_{};  ///< of these
  Nearest nearest_;
};

void Comparison::choose(std::uint32_t m) {
  Correspondences::Search& search = result_.search;
  own_number_ = m;
  own_local_ = local_[m];  // a copy, because what is kept gives way to others
  std::ranges::transform(patches_.patch(m), own_points_.begin(), [&](std::uint32_t p) { return points_[p]; });
  axes_ = principal_frame(own_points_).axes;
  radius_ = std::max(search.radii[m], std::numeric_limits<double>::min());
  for (std::uint32_t s = graph_.begin[m]; s < graph_.begin[m + 1]; ++s) {
    radius_ = std::max(radius_, search.radii[graph_.neighbours[s]]);
  }
  length_ = search.lengths[m];
  const Vec3 normal = axes_.col(2);
  plane_rotation_ = std::min((normal - search.normals[m]).norm(), (normal + search.normals[m]).norm());
  search.normals[m] = normal;
  project_to_plane(own_local_, axes_, radius_, own_);
  own_height_ = project_heights(own_local_, normal, own_.height);
}

void Comparison::compare(std::uint32_t slot, std::optional<double> move) {
  Correspondences::Search& search = result_.search;
  const std::size_t count = own_local_.count();
  const std::uint32_t other = graph_.neighbours[slot];
  const Eigen::Matrix3d other_axes =
      rotations_ != nullptr ? rotations_->rotation(own_number_, other).transpose() * axes_ : axes_;
  const PatchPair pair{own_local_, local_[other], axes_, other_axes};
  const double height = own_height_ + project_heights(pair.other, other_axes.col(2), other_.height);
  std::uint8_t* partners = &result_.partners[slot * result_.stride];
  std::uint8_t* margins = &search.margins[slot * result_.stride];

  // A distance in projection changes by no more than its two points move, plus a difference in height times the
  // rotation of the plane, plus a second-order term; the difference of two distances by twice that.
  const double change =
      move ? 2.02 * (*move + plane_rotation_ * height + plane_rotation_ * plane_rotation_ * radius_) : radius_ / 16.0;
  std::size_t asked = count;
  if (!search.count(slot, change / length_)) {
    asked = places_up_to(search.units_used_up(slot), margins, count, places_.data());
  }
  if (2 * asked > count) {  // all take less time then
    asked = count;
    std::iota(places_.begin(), places_.begin() + static_cast<std::ptrdiff_t>(count), std::uint8_t{0});
  }
  std::array<std::uint8_t, patch_capacity> before;
  if (asked > 0) {
    std::copy_n(partners, count, before.begin());
    const MarginScale scale{.units = static_cast<float>(radius_ / length_) / search.units[slot],
                            .limit = static_cast<float>(std::clamp(tau_ / radius_, 1e-6, 1e6)),
                            .start = search.changes[slot] / search.units[slot]};
    find_partners(pair, asked, scale, partners, margins);
  }
  double sum = sum_of_squared_differences(own_.height, other_.height, partners, count);
  if (asked > 0 && nearest_.any_far) {
    sum += interpolate_far_partners(pair, asked, slot, partners);
  }
  result_.squared_distances[slot] = sum / static_cast<double>(count);
  result_.changed[slot] = asked > 0 && !std::equal(partners, partners + count, before.begin()) ? 1 : 0;
}

/// Finds the partners of those points of the patch that are asked for, and how much distances may change before that
/// must be done again.
void Comparison::find_partners(const PatchPair& pair, std::size_t asked, const MarginScale& scale,
                               std::uint8_t* partners, std::uint8_t* margins) {
  project_to_plane(pair.other, pair.other_axes, radius_, other_);
  if (asked == pair.own.count()) {
    find_nearest(own_, other_, scale, nearest_);
    std::copy_n(nearest_.index, asked, partners);
    std::copy_n(nearest_.margin, asked, margins);
  } else {
    asked_.count = asked;
    for (std::size_t a = 0; a < asked; ++a) {
      asked_.u[a] = own_.u[places_[a]];
      asked_.v[a] = own_.v[places_[a]];
      asked_.lifted_square[a] = own_.lifted_square[places_[a]];
    }
    find_nearest(asked_, other_, scale, nearest_);
    for (std::size_t a = 0; a < asked; ++a) {
      partners[places_[a]] = nearest_.index[a];
      margins[places_[a]] = nearest_.margin[a];
    }
  }
  for (std::size_t a = 0; nearest_.any_doubtful && a < asked; ++a) {
    if (nearest_.doubtful[a] != 0) {
      partners[places_[a]] = pair.nearest(places_[a]);
    }
  }
}

/// Replaces partners farther than τ in projection by planes; returns the change of the sum of squared differences in
/// height.
double Comparison::interpolate_far_partners(const PatchPair& pair, std::size_t asked, std::uint32_t slot,
                                            std::uint8_t* partners) {
  double more = 0.0;
  for (const std::uint8_t i : std::span(places_).first(asked)) {
    if (pair.squared_distance(i, partners[i]) > tau_ * tau_) {
      const PlanePartner plane = pair.plane_partner(i, own_.height[i], other_.height);
      if (plane.valid) {
        more += math::square(plane.height_difference) - math::square(own_.height[i] - other_.height[partners[i]]);
        if (interpolation_ == Interpolation::connect) {
          interpolations.push_back({slot, i, plane.corners, pair.shares(i, plane.corners)});
          partners[i] = Correspondences::no_partner;
        }
      }
    }
  }
  return more;
}

/// Allocates the correspondences of new patches.
void start(std::span<const Vec3> points, const Patches& patches, const PatchGraph& graph, Correspondences& result,
           const ExecutionContext& context) {
  Correspondences::Search& search = result.search;
  result.stride = whole_vectors(patches.size);
  result.partners.assign(graph.slots() * result.stride, Correspondences::no_partner);
  result.squared_distances.assign(graph.slots(), 0.0);
  result.changed.assign(graph.slots(), 0);
  search.margins.assign(graph.slots() * result.stride, 0);
  search.changes.assign(graph.slots(), 0.0F);
  search.units.assign(graph.slots(), 0.0F);
  search.normals.assign(patches.count(), Vec3::Zero());
  search.radii.resize(patches.count());
  search.lengths.resize(patches.count());
  parallel_for(context, patches.count(), 512, [&](std::size_t m) {
    double squared = 0.0;
    for (const std::uint32_t p : patches.patch(m)) {
      squared = std::max(squared, (points[p] - patches.origins[m]).squaredNorm());
    }
    search.radii[m] = std::sqrt(squared);
    search.lengths[m] = power_of_two(search.radii[m]);
  });
}

/// The largest displacement of a point of each patch since last time.
std::vector<double> largest_moves(std::span<const Vec3> from, std::span<const Vec3> to, const Patches& patches,
                                  const ExecutionContext& context) {
  std::vector<double> of_points(to.size());
  parallel_for(context, to.size(), 4096, [&](std::size_t p) { of_points[p] = (to[p] - from[p]).norm(); });
  std::vector<double> of_patches(patches.count(), 0.0);
  parallel_for(context, patches.count(), 512, [&](std::size_t m) {
    for (const std::uint32_t p : patches.patch(m)) {
      of_patches[m] = std::max(of_patches[m], of_points[p]);
    }
  });
  return of_patches;
}

}  // namespace

bool Correspondences::Search::count(std::uint32_t slot, double change) {
  constexpr float smallest = 1e-6F;
  changes[slot] += static_cast<float>(change);
  // Where changes are of few units, or add up to many, units of another size serve better.
  const bool recount =
      !(changes[slot] < 120.0F * units[slot]) || (change < 4.0F * units[slot] && units[slot] > smallest);
  if (recount) {
    changes[slot] = 0.0F;
    units[slot] = std::max(smallest, static_cast<float>(change / 32.0));
  }
  return recount;
}

void find_correspondences(std::span<const Vec3> points, const Patches& patches, const PatchGraph& graph,
                          Interpolation interpolation, double interpolation_distance, Correspondences& result,
                          const ExecutionContext& context, Reuse before, const PatchRotations* rotations) {
  std::vector<double> moves;
  if (before == Reuse::none || rotations != nullptr) {
    start(points, patches, graph, result, context);
  } else {
    moves = largest_moves(result.search.points, points, patches, context);
    std::ranges::transform(result.search.radii, moves, result.search.radii.begin(), std::plus<>{});
  }
  result.search.points.assign(points.begin(), points.end());

  constexpr std::size_t block = 512;
  std::vector<std::vector<InterpolatedPartner>> interpolations((patches.count() + block - 1) / block);
  parallel_blocks(context, patches.count(), block, [&](std::size_t begin, std::size_t end) {
    const auto comparison =
        std::make_unique<Comparison>(points, patches, graph, interpolation, interpolation_distance, rotations, result);
    for (std::size_t m = begin; m < end; ++m) {
      comparison->choose(static_cast<std::uint32_t>(m));
      for (std::uint32_t s = graph.begin[m]; s < graph.begin[m + 1]; ++s) {
        if (graph.connects[s] != 0) {
          comparison->compare(s, moves.empty() ? std::nullopt : std::optional(moves[m] + moves[graph.neighbours[s]]));
        }
      }
    }
    interpolations[begin / block] = std::move(comparison->interpolations);
  });

  result.interpolations.clear();
  result.interpolations_begin.assign(graph.slots() + 1, 0);
  for (const auto& part : interpolations) {
    for (const InterpolatedPartner& partner : part) {
      ++result.interpolations_begin[partner.slot + 1];
    }
    result.interpolations.insert(result.interpolations.end(), part.begin(), part.end());
  }
  std::partial_sum(result.interpolations_begin.begin(), result.interpolations_begin.end(),
                   result.interpolations_begin.begin());
}

}  // namespace burnish::glr
