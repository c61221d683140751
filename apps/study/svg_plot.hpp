#pragma once

#include <string>
#include <utility>
#include <vector>

namespace burnish::cli {

/// A line, or points if there is only one, with a name in the legend.
struct Series {
  std::string name;
  std::vector<std::pair<double, double>> points;  ///< x and y
};

struct Plot {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<Series> series;
  /// Names of the places 0, 1, … of the x axis, if x is no number.
  std::vector<std::string> places;
  bool logarithmic_x = false;
  bool connect = true;  ///< points of a series by lines
};

/// The plot as an SVG image, readable on light and dark pages. Points that are not finite are left out.
[[nodiscard]] std::string to_svg(const Plot& plot);

}  // namespace burnish::cli
