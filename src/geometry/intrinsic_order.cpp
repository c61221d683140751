#include "geometry/intrinsic_order.hpp"

#include <algorithm>

#include "core/parallel.hpp"
#include "geometry/working_points.hpp"

namespace burnish {

std::vector<std::uint32_t> intrinsic_order(std::span<const Vec3> points, const ExecutionContext& context) {
  struct Ranked {
    double distance;
    std::uint32_t index;
  };
  std::vector<Ranked> ranked(points.size());
  const Vec3 middle = points.empty() ? Vec3(Vec3::Zero()) : mean_of(points);
  parallel_for(context, points.size(), 1 << 14, [&](std::size_t i) {
    ranked[i] = {(points[i] - middle).squaredNorm(), static_cast<std::uint32_t>(i)};
  });
  parallel_sort(context, ranked, [](const Ranked& a, const Ranked& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.index < b.index;
  });
  std::vector<std::uint32_t> order(points.size());
  std::ranges::transform(ranked, order.begin(), &Ranked::index);
  return order;
}

std::vector<std::uint32_t> intrinsic_sample(std::span<const Vec3> points, std::size_t count,
                                            const ExecutionContext& context) {
  std::vector<std::uint32_t> order = intrinsic_order(points, context);
  if (count >= order.size()) {
    return order;
  }
  for (std::size_t s = 0; s < count; ++s) {
    order[s] = order[s * order.size() / count];
  }
  order.resize(count);
  return order;
}

}  // namespace burnish
