#include <fmt/format.h>

#include <array>
#include <memory>
#include <string_view>

#include "after_denoising.hpp"
#include "burnish/normals.hpp"
#include "burnish/reconstruct.hpp"
#include "command.hpp"
#include "option_values.hpp"

namespace burnish::cli {
namespace {

struct MeshOptions {
  std::string input;
  std::string output;
  SurfaceSettings settings;
};

/// The normals a cloud has, or those that point to where the scanner was; none if the cloud does not say.
std::vector<Vec3> oriented_normals(const PointCloud& cloud, const Common& common) {
  std::vector<Vec3> normals = normals_of(cloud);
  if (normals.empty()) {
    const std::vector<Vec3> to_scanner = directions_to_scanner(cloud);
    const std::optional<Vec3> viewpoint = viewpoint_of(cloud);
    if (!to_scanner.empty() || viewpoint) {
      normals = estimate_normals(cloud.positions, to_scanner, viewpoint, common.context);
    }
  }
  return normals;
}

/// Gives vertices the colours of their nearest points.
void carry_colours(const PointCloud& cloud, const Surface& surface, PointCloud& vertices) {
  constexpr std::array<std::string_view, 3> names{"red", "green", "blue"};
  for (const std::string_view name : names) {
    if (cloud.find_attribute(name) == nullptr) {
      return;
    }
  }
  for (const std::string_view name : names) {
    Column column = *cloud.find_attribute(name);
    std::visit(
        [&](auto& values) {
          auto picked = values;
          picked.resize(surface.nearest.size());
          for (std::size_t v = 0; v < picked.size(); ++v) {
            picked[v] = values[surface.nearest[v]];
          }
          values = std::move(picked);
        },
        column.values);
    vertices.attributes.push_back(std::move(column));
  }
}

void mesh(const MeshOptions& options, const Common& common) {
  common.terminal.keep_moving();
  check_output(options.output, common);
  if (!keeps_faces(options.output, common)) {
    throw CLI::ValidationError("OUT", "a mesh is written as .ply, .obj, .off or .stl");
  }
  const PointCloud cloud = read_input(options.input, common);
  const Surface surface =
      reconstruct_surface(cloud.positions, oriented_normals(cloud, common), options.settings, common.context);
  PointCloud result = cloud_of(surface.mesh);
  result.position_type = cloud.position_type;
  carry_colours(cloud, surface, result);
  result.comments.push_back(fmt::format("burnish mesh {} --cell {}", options.input, surface.cell));
  write_output(options.output, result, common);
  if (common.json) {
    print_json({{"input", options.input},
                {"output", options.output},
                {"points", cloud.size()},
                {"left_out", surface.left_out},
                {"cell", surface.cell},
                {"vertices", surface.mesh.vertices.size()},
                {"triangles", surface.mesh.triangles.size()},
                {"border_edges", surface.border_edges},
                {"watertight", surface.border_edges == 0}});
    return;
  }
  if (surface.left_out > 0) {
    common.terminal.warn(fmt::format("{}: {} not finite or without a normal: not used", options.input,
                                     counted(surface.left_out, "point")));
  }
  common.terminal.report(fmt::format(
      "{}: {}, {}, cells of {:.4g}", options.output, counted(surface.mesh.triangles.size(), "triangle"),
      surface.border_edges == 0 ? "watertight" : counted(surface.border_edges, "edge") + " on a border", surface.cell));
}

}  // namespace

void add_mesh(CLI::App& app, Common& common) {
  CLI::App* command = app.add_subcommand("mesh", "Reconstruct a triangle mesh from a cloud");
  const auto options = std::make_shared<MeshOptions>();
  command->add_option("IN", options->input, "A denoised cloud")->required();
  command->add_option("OUT", options->output, "Where to write the mesh: .ply, .obj, .off or .stl")->required();
  command
      ->add_option("--cell", options->settings.cell,
                   "Edge length of the grid cells (default: the spacing of the points); smaller cells give more "
                   "triangles, larger ones smooth")
      ->type_name("LENGTH")
      ->check(above_zero());
  add_selection_options(*command, common);
  add_format_option(*command, common);
  add_common_options(*command, common, true);
  command->footer(
      "The surface is the zero set of the signed distance to the points. It is oriented by the normals in the file;\n"
      "without these, estimated normals point towards the scanner if its position is known, otherwise outwards.\n"
      "Closed shapes become watertight; gaps wider than about four spacings stay open. Vertices have the colours\n"
      "of their nearest points. Noise is not removed, so denoise first.\n"
      "\n"
      "Examples:\n"
      "  burnish mesh smooth.ply mesh.ply\n"
      "  burnish mesh smooth.ply mesh.stl --cell 0.02");
  command->callback([options, &common] { mesh(*options, common); });
}

}  // namespace burnish::cli
