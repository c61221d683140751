#include <Eigen/Geometry>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "burnish/estimate.hpp"
#include "command.hpp"
#include "coordinate_reference.hpp"
#include "coordinate_step.hpp"
#include "las_facts.hpp"
#include "measured_noise.hpp"
#include "scan_facts.hpp"

namespace burnish::cli {
namespace {

std::string type_name(const Column& column) {
  const std::string name(scalar_type_names.at(static_cast<std::size_t>(column.type())));
  return column.is_list ? "list of " + name : name;
}

Json columns_to_json(const std::vector<Column>& columns) {
  Json result = Json::array();
  for (const Column& column : columns) {
    result.push_back({{"name", column.name}, {"type", type_name(column)}});
  }
  return result;
}

std::string columns_to_text(const std::vector<Column>& columns) {
  std::vector<std::string> names;
  std::ranges::transform(columns, std::back_inserter(names), [](const Column& column) {
    return fmt::format("{} ({})", printable(column.name), type_name(column));
  });
  return fmt::format("{}", fmt::join(names, ", "));
}

Json to_json(const Vec3& p) { return {p.x(), p.y(), p.z()}; }

/// How a value varies over the points that have one.
Json quantiles(std::vector<double> values) {
  std::erase(values, 0.0);
  if (values.empty()) {
    return {};
  }
  std::ranges::sort(values);
  const auto at = [&](double part) {
    return values[static_cast<std::size_t>(part * static_cast<double>(values.size()))];
  };
  return {{"10%", at(0.1)}, {"50%", at(0.5)}, {"90%", at(0.9)}};
}

Json to_json(const std::vector<Level>& levels) {
  Json result = Json::array();
  for (const Level& level : levels) {
    result.push_back({{"spacing", level.spacing}, {"nodes", level.nodes}, {"points", level.points}});
  }
  return result;
}

void info(const std::string& path, const Common& common) {
  const std::vector<Level> levels = path == "-" ? std::vector<Level>() : levels_of(path, common.context);
  common.terminal.keep_moving();
  const PointCloud cloud = read_input(path, common);
  Eigen::AlignedBox3d box;
  std::size_t finite = 0;
  for (const Vec3& p : cloud.positions) {
    if (is_finite(p)) {
      box.extend(p);
      ++finite;
    }
  }
  const Vec3 steps(coordinate_step(cloud.positions, 0, cloud.position_type),
                   coordinate_step(cloud.positions, 1, cloud.position_type),
                   coordinate_step(cloud.positions, 2, cloud.position_type));
  const bool is_float = cloud.position_type == ScalarType::float32;
  const double of_floats = is_float ? float_step(cloud.positions) : 0.0;
  const auto las = cloud.format_data.find("las header");
  const Json of_las = las == cloud.format_data.end() ? Json() : las_facts(las->second);
  const std::string reference = coordinate_reference(cloud);
  const std::optional<Vec3> viewpoint = viewpoint_of(cloud);
  const std::optional<Analysis> analysis = measure_noise(cloud.positions, common.context);
  const DenoiseFindings found = analysis ? analysis->findings() : DenoiseFindings();
  const Json unknown;
  if (common.json) {
    Json json = {{"file", path},
                 {"points", cloud.size()},
                 {"not_finite", cloud.size() - finite},
                 {"attributes", columns_to_json(cloud.attributes)},
                 {"tables", Json::array()},
                 {"comments", cloud.comments},
                 {"organised", cloud.height > 0 ? Json{{"width", cloud.width}, {"height", cloud.height}} : Json()},
                 {"bounds", finite > 0 ? Json{{"min", to_json(box.min())}, {"max", to_json(box.max())}} : Json()},
                 {"position_type", is_float ? "float32" : "float64"},
                 {"coordinate_step", steps.isZero() ? Json() : to_json(steps)},
                 {"float_step", is_float ? Json(of_floats) : Json()},
                 {"las", of_las},
                 {"crs", reference.empty() ? Json() : Json(reference)},
                 {"viewpoint", viewpoint ? to_json(*viewpoint) : Json()},
                 {"spacing", analysis ? Json(found.spacing) : unknown},
                 {"spacing_uncertainty", estimate_spacing(cloud.positions, common.context).uncertainty},
                 {"local_spacing", quantiles(estimate_local_spacing(cloud.positions, common.context))},
                 {"noise", analysis ? Json(found.noise.value) : unknown},
                 {"noise_uncertainty", analysis ? Json(found.noise.uncertainty) : unknown},
                 {"local_noise", analysis ? quantiles(analysis->noise_at(cloud.positions, common.context)) : unknown}};
    if (!levels.empty()) {
      json["levels"] = to_json(levels);
    }
    if (Json scans = scan_facts(cloud.comments); !scans.empty()) {
      json["scans"] = std::move(scans);
    }
    for (const Table& table : cloud.tables) {
      json["tables"].push_back(
          {{"name", table.name}, {"rows", table.rows}, {"columns", columns_to_json(table.columns)}});
    }
    print_json(json);
    return;
  }
  fmt::print("points      {}", cloud.size());
  fmt::print("{}\n", finite < cloud.size() ? fmt::format(", {} of them not finite", cloud.size() - finite) : "");
  if (cloud.height > 0) {
    fmt::print("organised   {} × {}\n", cloud.width, cloud.height);
  }
  if (finite > 0) {
    fmt::print("from        {:.10g} {:.10g} {:.10g}\n", box.min().x(), box.min().y(), box.min().z());
    fmt::print("to          {:.10g} {:.10g} {:.10g}\n", box.max().x(), box.max().y(), box.max().z());
  }
  for (const auto& [key, title] : {std::pair("version", "LAS"), {"point_format", "format"}, {"scale", "scale"}}) {
    if (of_las.contains(key)) {
      fmt::print("{:<12}{}\n", title, of_las[key].is_string() ? of_las[key].get<std::string>() : of_las[key].dump());
    }
  }
  if (of_las.is_object() || !reference.empty()) {
    fmt::print("reference   {}\n", reference.empty() ? "not stated" : printable(reference));
  }
  if (viewpoint) {
    fmt::print("viewpoint   {:.10g} {:.10g} {:.10g}\n", viewpoint->x(), viewpoint->y(), viewpoint->z());
  }
  if (!steps.isZero()) {
    fmt::print("quantised   in steps of {:.4g} {:.4g} {:.4g} along x, y, z (0: not)\n", steps.x(), steps.y(),
               steps.z());
  }
  if (is_float && found.spacing > 0 && of_floats > 0.05 * found.spacing) {
    fmt::print("float32     resolves these coordinates only to {:.3g}\n", of_floats);
  }
  if (analysis) {
    fmt::print("spacing     {:.4g}\n", found.spacing);
    fmt::print("noise       {:.3g} ± {:.1g}{}\n", found.noise.value, found.noise.uncertainty,
               found.spacing > 0 ? fmt::format(" ({:.2g} spacings)", found.noise / found.spacing) : "");
  } else {
    fmt::print("noise       not known: the coordinates are too large to be denoised\n");
  }
  fmt::print("attributes  {}\n", cloud.attributes.empty() ? "none" : columns_to_text(cloud.attributes));
  for (std::size_t i = 0; i < levels.size(); ++i) {
    fmt::print("level       {}: spacing {:.4g}, {}, {}\n", i, levels[i].spacing, counted(levels[i].nodes, "node"),
               counted(levels[i].points, "point"));
  }
  for (const Table& table : cloud.tables) {
    fmt::print("table       {}, {}: {}\n", printable(table.name), counted(table.rows, "row"),
               columns_to_text(table.columns));
  }
  for (const std::string& comment : cloud.comments) {
    fmt::print("{}{}\n", is_scan_comment(comment) ? "scan        " : "comment     ", printable(comment));
  }
}

}  // namespace

void add_info(CLI::App& app, Common& common) {
  CLI::App* command = app.add_subcommand("info", "Show the contents of a file: points, attributes, spacing, noise");
  const auto path = std::make_shared<std::string>();
  command->add_option("FILE", *path, "A point cloud or mesh")->required();
  add_selection_options(*command, common);
  add_common_options(*command, common, true);
  command->footer(
      "Spacing is the square root of the surface area per point; noise is its standard deviation across the\n"
      "surface, estimated as by burnish denoise. Both are in the unit of the file.\n"
      "\n"
      "Examples:\n"
      "  burnish info scan.ply\n"
      "  burnish info scan.las --json\n"
      "  burnish info survey.copc.laz --spacing 2                    the levels of its octree; read down to that "
      "spacing\n"
      "  burnish info station.e57 --json                             scans: points, position and rotation of the "
      "scanner");
  command->callback([path, &common] { info(*path, common); });
}

}  // namespace burnish::cli
