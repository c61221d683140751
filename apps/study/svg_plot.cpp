#include "svg_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "text_table.hpp"

namespace burnish::cli {
namespace {

constexpr double left = 70;
constexpr double top = 40;
constexpr double width = 460;
constexpr double height = 300;
constexpr double legend_left = left + width + 20;
constexpr double legend_line = 19;

/// Of middling lightness, so that they can be seen on white and on black.
constexpr std::array colours = {"#1f7fc4", "#e0641c", "#16a06d", "#c65fa1", "#c79a10", "#7a6ff0",
                                "#d6404a", "#38aebf", "#8a8f2e", "#a0715c", "#7f8c99", "#4f9a3a"};

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return result;
}

/// An axis: from where to where values go, and which of them have a tick.
struct Axis {
  double from = 0.0;
  double to = 1.0;
  std::vector<std::pair<double, std::string>> ticks;
  bool logarithmic = false;

  /// 0 at its begin, 1 at its end.
  [[nodiscard]] double place(double value) const {
    return logarithmic ? std::log(value / from) / std::log(to / from) : (value - from) / (to - from);
  }
};

/// About five ticks at 1, 2 or 5 times a power of ten.
Axis linear_axis(double smallest, double largest) {
  const double span = largest > smallest ? largest - smallest : std::max(std::abs(largest), 1.0);
  const double power = std::pow(10.0, std::floor(std::log10(span / 5.0)));
  const double mantissa = span / 5.0 / power;
  const double step = power * (mantissa < 1.5 ? 1.0 : mantissa < 3.5 ? 2.0 : mantissa < 7.5 ? 5.0 : 10.0);
  Axis axis;
  const double first = std::floor(smallest / step + 1e-9);
  const double last = std::max(first + 1.0, std::ceil(largest / step - 1e-9));
  axis.from = step * first;
  axis.to = step * last;
  const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
  for (double tick = first; tick <= last; tick += 1.0) {
    axis.ticks.emplace_back(step * tick, fmt::format("{:.{}f}", step * tick, decimals));
  }
  return axis;
}

Axis logarithmic_axis(double smallest, double largest) {
  Axis axis;
  axis.logarithmic = true;
  axis.from = 0.8 * smallest;
  axis.to = 1.25 * largest;
  for (double power = std::pow(10.0, std::floor(std::log10(axis.from))); power <= axis.to; power *= 10.0) {
    for (const double digit : {1.0, 2.0, 5.0}) {
      if (digit * power >= axis.from && digit * power <= axis.to) {
        axis.ticks.emplace_back(digit * power, fmt::format("{:g}", digit * power));
      }
    }
  }
  return axis;
}

Axis axis_of_places(const std::vector<std::string>& places) {
  Axis axis;
  axis.from = -0.5;
  axis.to = static_cast<double>(places.size()) - 0.5;
  for (std::size_t i = 0; i < places.size(); ++i) {
    axis.ticks.emplace_back(static_cast<double>(i), escaped(places[i]));
  }
  return axis;
}

/// Circles, squares, diamonds, triangles: distinct without colours.
std::string marker(std::size_t kind, double x, double y, const std::string& colour) {
  switch (kind % 4) {
    case 0:
      return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"{}\"/>\n", x, y, colour);
    case 1:
      return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"7\" height=\"7\" fill=\"{}\"/>\n", x - 3.5, y - 3.5,
                         colour);
    case 2:
      return fmt::format("<path d=\"M{:.1f} {:.1f}l5 5l-5 5l-5-5z\" fill=\"{}\"/>\n", x, y - 5, colour);
    default:
      return fmt::format("<path d=\"M{:.1f} {:.1f}l5 8h-10z\" fill=\"{}\"/>\n", x, y - 5, colour);
  }
}

}  // namespace

std::string to_svg(const Plot& plot) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double x_min = infinity;
  double x_max = -infinity;
  double y_min = infinity;
  double y_max = -infinity;
  std::vector<Series> all = plot.series;
  for (Series& series : all) {
    std::erase_if(series.points, [&](const auto& point) {
      return !std::isfinite(point.first) || !std::isfinite(point.second) || (plot.logarithmic_x && point.first <= 0.0);
    });
    for (const auto& [x, y] : series.points) {
      x_min = std::min(x_min, x);
      x_max = std::max(x_max, x);
      y_min = std::min(y_min, y);
      y_max = std::max(y_max, y);
    }
  }
  if (!(x_min <= x_max)) {
    x_min = y_min = 1.0;
    x_max = y_max = 2.0;
  }
  const Axis x_axis = !plot.places.empty() ? axis_of_places(plot.places)
                      : plot.logarithmic_x ? logarithmic_axis(x_min, x_max)
                                           : linear_axis(x_min, x_max);
  const Axis y_axis = linear_axis(y_min, y_max);
  const auto x_of = [&](double x) { return left + width * x_axis.place(x); };
  const auto y_of = [&](double y) { return top + height * (1.0 - y_axis.place(y)); };

  std::size_t longest_name = 0;
  for (const Series& series : all) {
    longest_name = std::max(longest_name, series.name.size());
  }
  const double total_width = legend_left + 40 + 7.5 * static_cast<double>(longest_name);
  const double total_height = std::max(top + height + 60, top + legend_line * static_cast<double>(all.size()) + 20);

  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" width=\"{:.0f}\" height=\"{:.0f}\" "
      "font-family=\"sans-serif\" font-size=\"13\">\n"
      "<style>\n"
      "text {{ fill: #222 }} .page {{ fill: #fff }} .axis {{ stroke: #222 }} .grid {{ stroke: #ddd }}\n"
      "@media (prefers-color-scheme: dark) {{\n"
      "text {{ fill: #ddd }} .page {{ fill: #15181c }} .axis {{ stroke: #ddd }} .grid {{ stroke: #3a3f46 }}\n"
      "}}\n"
      "</style>\n"
      "<title>{}</title>\n"
      "<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n"
      "<text x=\"{:.0f}\" y=\"24\" font-size=\"15\" text-anchor=\"middle\">{}</text>\n",
      total_width, total_height, total_width, total_height, escaped(plot.title), left + width / 2, escaped(plot.title));
  for (const auto& [value, label] : x_axis.ticks) {
    svg += fmt::format("<line class=\"grid\" x1=\"{0:.1f}\" y1=\"{1:.0f}\" x2=\"{0:.1f}\" y2=\"{2:.0f}\"/>\n",
                       x_of(value), top, top + height);
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.0f}\" text-anchor=\"middle\">{}</text>\n", x_of(value),
                       top + height + 18, label);
  }
  for (const auto& [value, label] : y_axis.ticks) {
    svg += fmt::format("<line class=\"grid\" x1=\"{0:.0f}\" y1=\"{1:.1f}\" x2=\"{2:.0f}\" y2=\"{1:.1f}\"/>\n", left,
                       y_of(value), left + width);
    svg += fmt::format("<text x=\"{:.0f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", left - 8, y_of(value) + 4,
                       label);
  }
  svg += fmt::format("<path class=\"axis\" fill=\"none\" d=\"M{0:.0f} {1:.0f}V{2:.0f}H{3:.0f}\"/>\n", left, top,
                     top + height, left + width);
  svg += fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"middle\">{}</text>\n", left + width / 2,
                     top + height + 42, escaped(plot.x_label));
  svg += fmt::format("<text transform=\"translate(18 {:.0f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                     top + height / 2, escaped(plot.y_label));
  for (std::size_t s = 0; s < all.size(); ++s) {
    const std::string colour = colours.at(s % colours.size());
    std::string path;
    std::string markers;
    for (const auto& [x, y] : all[s].points) {
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x_of(x), y_of(y));
      markers += marker(s, x_of(x), y_of(y), colour);
    }
    if (plot.connect && all[s].points.size() > 1) {
      svg += fmt::format("<path fill=\"none\" stroke=\"{}\" stroke-width=\"2\" d=\"{}\"/>\n", colour, path);
    }
    const double y = top + 8 + legend_line * static_cast<double>(s);
    svg += markers + marker(s, legend_left + 6, y, colour);
    svg += fmt::format("<text x=\"{:.0f}\" y=\"{:.1f}\">{}</text>\n", legend_left + 18, y + 4, escaped(all[s].name));
  }
  return svg + "</svg>\n";
}

}  // namespace burnish::cli
