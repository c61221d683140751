#include "geometry/spatial_order.hpp"

#include <Eigen/Geometry>

#include <algorithm>

#include "core/parallel.hpp"
#include "geometry/morton.hpp"

namespace burnish {
namespace {

struct Entry {
  std::uint64_t code;
  std::uint32_t index;
};

}  // namespace

std::vector<std::uint32_t> spatial_order(std::span<const Vec3> points, const ExecutionContext& context) {
  Eigen::AlignedBox3d box;
  for (const Vec3& p : points) {
    box.extend(p);
  }
  constexpr double cells = 0x1FFFFF;
  const double extent = points.empty() ? 0.0 : box.sizes().maxCoeff();
  const double scale = extent > 0.0 ? cells / extent : 0.0;

  std::vector<Entry> entries(points.size());
  parallel_for(context, points.size(), 1 << 16, [&](std::size_t i) {
    const Vec3 cell = (points[i] - box.min()) * scale;
    entries[i] = {morton_code(static_cast<std::uint64_t>(cell.x()), static_cast<std::uint64_t>(cell.y()),
                              static_cast<std::uint64_t>(cell.z())),
                  static_cast<std::uint32_t>(i)};
  });
  const auto before = [&](const Entry& a, const Entry& b) {
    if (a.code != b.code) {
      return a.code < b.code;
    }
    const Vec3& p = points[a.index];
    const Vec3& q = points[b.index];
    for (int d = 0; d < 3; ++d) {
      if (p[d] != q[d]) {
        return p[d] < q[d];
      }
    }
    return a.index < b.index;
  };
  parallel_sort(context, entries, before);

  std::vector<std::uint32_t> order(points.size());
  std::ranges::transform(entries, order.begin(), &Entry::index);
  return order;
}

}  // namespace burnish
