#pragma once

#include <functional>
#include <memory>
#include <variant>

#include "burnish/mesh.hpp"
#include "burnish/metrics.hpp"
#include "burnish/shapes.hpp"
#include "command.hpp"

// What a result is measured against, and the metrics there are for it.

namespace burnish::cli {

/// A clean cloud, a mesh, or an exactly known shape.
using Truth = std::variant<PointCloud, TriangleMesh, std::shared_ptr<const Shape>>;

/// The truth of that name: a file, or a synth shape if there is no such file.
[[nodiscard]] Truth read_truth(const std::string& name, const ExecutionContext& context);

/// The distance of a place to the surface: exact, or for a cloud that to the planes of its points. For any thread; the
/// truth need not stay.
[[nodiscard]] std::function<double(const Vec3&)> distance_to(const Truth& truth, const ExecutionContext& context);

/// "cloud", "mesh" or "shape".
[[nodiscard]] std::string kind_of(const Truth& truth);

/// Every metric there is for a result and that kind of truth.
[[nodiscard]] Measurement measure(const std::vector<Vec3>& result, const Truth& truth, const ExecutionContext& context);

}  // namespace burnish::cli
