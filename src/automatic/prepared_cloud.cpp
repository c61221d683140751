#include "automatic/prepared_cloud.hpp"

#include "automatic/left_out.hpp"

namespace burnish::automatic {

PreparedCloud prepare_cloud(const std::vector<Vec3>& points, const NeighbourSearch& search,
                            const std::vector<double>& noise, const StrayRule& rule, const Sights& sights,
                            const ExecutionContext& context) {
  std::vector<Vec3> near = points;
  std::vector<std::uint32_t> outliers;
  const StraySearch strays(points, search, context);
  const auto among = rule.farthest_pull > 0.0 ? StraySearch::Among::all : StraySearch::Among::isolated;
  for (const Stray& stray : strays.find(rule.typical_distance, noise, among)) {
    if (stray.height > rule.farthest_pull) {
      outliers.push_back(stray.point);
    } else {
      near[stray.point] = stray.foot;
    }
  }
  std::vector<Vec3> rest = without(near, outliers);
  NeighbourSearch search_of_rest = search.without(outliers, context).moved_to(rest, context);
  std::vector<double> noise_of_rest = without(noise, outliers);
  std::vector<Vec3> sights_of_rest = without(sights.of(points, context), outliers);
  return {std::move(rest), std::move(search_of_rest), std::move(noise_of_rest), std::move(sights_of_rest),
          std::move(outliers)};
}

PreparedCloud moved(const PreparedCloud& cloud, std::vector<Vec3> points, const ExecutionContext& context) {
  NeighbourSearch search = cloud.search.moved_to(points, context);
  return {std::move(points), std::move(search), cloud.noise, cloud.sights, cloud.outliers};
}

}  // namespace burnish::automatic
