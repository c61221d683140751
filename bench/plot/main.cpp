#include <nlohmann/json.hpp>

#include <iostream>

#include "study/svg_plot.hpp"

// Draws what report.py measured: a plot as JSON on standard input, an SVG image on standard output.

int main() {
  const auto json = nlohmann::json::parse(std::cin);
  burnish::cli::Plot plot;
  plot.title = json["title"];
  plot.x_label = json["x_label"];
  plot.y_label = json["y_label"];
  plot.logarithmic_x = true;
  for (const auto& series : json["series"]) {
    plot.series.push_back({series["name"], series["points"]});
  }
  std::cout << burnish::cli::to_svg(plot);
}
