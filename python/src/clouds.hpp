#pragma once

#include <pybind11/pybind11.h>

#include "burnish/point_cloud.hpp"

namespace burnish::python {

/// A cloud as the keywords of burnish._cloud.Cloud._from_parts: arrays over the memory of the cloud. Columns are
/// tuples of name, values, and for lists the ends of the rows and the type of their lengths.
[[nodiscard]] pybind11::dict to_parts(PointCloud&& cloud);

/// The values of a column: an array over their memory, or a list of texts.
[[nodiscard]] pybind11::object to_object(Values&& values);

/// A cloud from its parts, copying. Throws Error if the parts do not belong together, so that the library can rely on
/// them.
[[nodiscard]] PointCloud from_parts(const pybind11::dict& parts);

}  // namespace burnish::python
