#include "burnish/point_cloud.hpp"

#include <algorithm>

namespace burnish {

std::size_t Column::rows() const {
  return is_list ? list_ends.size() : std::visit([](const auto& v) { return v.size(); }, values);
}

const Column* PointCloud::find_attribute(std::string_view name) const {
  const auto found = std::ranges::find(attributes, name, &Column::name);
  return found == attributes.end() ? nullptr : &*found;
}

}  // namespace burnish
