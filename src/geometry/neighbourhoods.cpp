#include "geometry/neighbourhoods.hpp"

#include <algorithm>

#include "core/parallel.hpp"

namespace burnish {

Neighbourhoods::Neighbourhoods(std::span<const Vec3> points, const NeighbourSearch& search, std::size_t wanted,
                               const ExecutionContext& context)
    : size_(std::min(wanted, points.size())), indices_(size_ * points.size()) {
  parallel_blocks(context, points.size(), 256, [&](std::size_t begin, std::size_t end) {
    std::vector<double> distances(size_);
    for (std::size_t i = begin; i < end; ++i) {
      search.nearest(points[i], {indices_.data() + i * size_, size_}, distances);
    }
  });
}

}  // namespace burnish
