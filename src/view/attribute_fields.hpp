#pragma once

#include <span>

#include "burnish/view.hpp"

namespace burnish {

/// Adds a field to the scene for every attribute of the clouds that is a number and differs between points. Colours and
/// normals are left out: the page shows these by themselves.
void add_attribute_fields(Scene& scene, std::span<const ViewedCloud> clouds);

}  // namespace burnish
