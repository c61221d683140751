#pragma once

#include <memory>
#include <variant>

#include "burnish/mesh.hpp"
#include "burnish/shapes.hpp"
#include "command.hpp"

// What a result is measured against, and the metrics there are for it.

namespace burnish::cli {

/// A clean cloud, a mesh, or an exactly known shape.
using Truth = std::variant<PointCloud, TriangleMesh, std::unique_ptr<const Shape>>;

/// The truth of that name: a file, or a synth shape if there is no such file.
[[nodiscard]] Truth read_truth(const std::string& name, const ExecutionContext& context);

/// "cloud", "mesh" or "shape".
[[nodiscard]] std::string kind_of(const Truth& truth);

/// A metric as it is printed: its key in JSON, its value, what it means.
struct Metric {
  std::string key;
  double value = 0.0;
  std::string meaning;
};

struct Measurement {
  std::size_t points = 0;    ///< finite ones
  std::size_t left_out = 0;  ///< the others
  std::vector<Metric> metrics;
};

/// Every metric there is for a result and that kind of truth.
[[nodiscard]] Measurement measure(const std::vector<Vec3>& result, const Truth& truth, const ExecutionContext& context);

/// True for metrics of which more is better.
[[nodiscard]] bool more_is_better(std::string_view metric);

}  // namespace burnish::cli
