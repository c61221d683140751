#include "burnish/scan.hpp"

#include <fmt/format.h>

#include <memory>
#include <type_traits>

#include "child_process.hpp"
#include "command.hpp"
#include "truth.hpp"

namespace burnish::cli {
namespace {

struct ScanOptions {
  std::string scene;
  std::string output;
  std::string sensor = "depth";
  std::vector<std::string> viewpoints;
  std::vector<std::pair<std::string, std::string>> settings;  ///< names of scan_options and values
  bool truth = false;
};

Vec3 parse_viewpoint(const std::string& text) {
  const std::vector<std::string> words = CLI::detail::split(text, ',');
  Vec3 p = Vec3::Zero();
  bool is_sound = words.size() == 3;
  for (std::size_t axis = 0; is_sound && axis < 3; ++axis) {
    is_sound = CLI::detail::lexical_cast(words[axis], p[static_cast<Eigen::Index>(axis)]);
  }
  if (!is_sound || !is_finite(p)) {
    throw CLI::ValidationError(
        "--viewpoint", fmt::format("found \"{}\", expected X,Y,Z, three finite numbers such as 2,-1,0.5", text));
  }
  return p;
}

ScanSettings settings_of(const ScanOptions& options, const Common& common) {
  ScanSettings settings = default_settings(find_sensor(options.sensor));
  for (const auto& [name, value] : options.settings) {
    try {
      set_scan_option(settings, name, value);
    } catch (const Error& error) {
      throw CLI::ValidationError(fmt::format("--{}", error.what()));
    }
  }
  for (const std::string& text : options.viewpoints) {
    settings.viewpoints.push_back(parse_viewpoint(text));
  }
  settings.truth = options.truth;
  settings.organised = keeps_rows(options.output, common);
  return settings;
}

/// Standard input has no name of a shape.
Truth read_scene(const std::string& name, const Common& common) {
  if (name != "-") {
    return read_truth(name, common.context);
  }
  PointCloud cloud = read_input(name, common);
  TriangleMesh mesh = mesh_of(cloud);
  return mesh.triangles.empty() ? Truth(std::move(cloud)) : Truth(std::move(mesh));
}

ScanResult run(const Truth& scene, const std::string& name, const ScanSettings& settings,
               const ExecutionContext& context) {
  return std::visit(
      [&]<class Scene>(const Scene& kind) -> ScanResult {
        if constexpr (std::is_same_v<Scene, TriangleMesh>) {
          return burnish::scan(kind, settings, context);
        } else if constexpr (std::is_same_v<Scene, PointCloud>) {
          throw Error((name == "-" ? "standard input" : name) +
                      ": has no faces; give a mesh, or the name of a shape of burnish synth");
        } else {
          return burnish::scan(*kind, settings, context);
        }
      },
      scene);
}

/// The command that makes the same scan.
std::string comment_of(const ScanOptions& options) {
  std::string text = fmt::format("burnish scan {} --sensor {}", options.scene, options.sensor);
  for (const std::string& viewpoint : options.viewpoints) {
    text += fmt::format(" --viewpoint={}", viewpoint);
  }
  for (const auto& [name, value] : options.settings) {
    text += fmt::format(" --{} {}", name, value);
  }
  return text + (options.truth ? " --truth" : "");
}

void scan(const ScanOptions& options, const Common& common) {
  common.terminal.keep_moving();
  const ScanSettings settings = settings_of(options, common);
  check_output(options.output, common);
  const Truth scene = read_scene(options.scene, common);
  const CostMeter meter;
  ScanResult result = run(scene, options.scene, settings, common.context);
  const Cost cost = meter.cost();
  result.cloud.comments.push_back(comment_of(options));
  write_output(options.output, result.cloud, common);
  if (common.json) {
    Json viewpoints = Json::array();
    for (const Vec3& p : result.viewpoints) {
      viewpoints.push_back({p.x(), p.y(), p.z()});
    }
    print_json({{"scene", options.scene},
                {"output", options.output},
                {"sensor", options.sensor},
                {"points", result.points},
                {"views", viewpoints.size()},
                {"width", settings.width},
                {"height", settings.height},
                {"spacing", result.spacing},
                {"diameter", result.diameter},
                {"reference", result.reference},
                {"noise", result.noise},
                {"viewpoints", viewpoints},
                {"seed", settings.seed},
                {"rays", result.rays},
                {"seconds", cost.seconds},
                {"cpu_seconds", cost.cpu_seconds}});
  } else {
    common.terminal.report(
        fmt::format("{}: {} from {} view{} of {} x {}, spacing {:.4g}; noise {:.4g} at distance {:.4g}", options.output,
                    counted(result.points, "point"), result.viewpoints.size(), result.viewpoints.size() == 1 ? "" : "s",
                    settings.width, settings.height, result.spacing, result.noise, result.reference));
  }
}

}  // namespace

void add_scan(CLI::App& app, Common& common) {
  CLI::App* command = app.add_subcommand("scan", "Scan a mesh or shape with a virtual sensor, with known errors");
  const auto options = std::make_shared<ScanOptions>();
  command->add_option("MESH|SHAPE", options->scene, "A mesh, or the name of a synth shape")->required();
  command->add_option("OUT", options->output, "Where to write the points")->required();
  const std::vector<std::string> sensors(sensor_names().begin(), sensor_names().end());
  command
      ->add_option("--sensor", options->sensor,
                   "depth: a depth camera (default); lidar: a laser scanner that works line by line; structured-light: "
                   "stripes seen by a camera")
      ->type_name(fmt::format("{}", fmt::join(sensors, "|")))
      ->transform(one_of({sensors.begin(), sensors.end()}));
  CLI::Option* const viewpoint =
      command
          ->add_option(
              "--viewpoint", options->viewpoints,
              "Position of the sensor, which looks at the centre of the bounding box; may be given more than once")
          ->type_name("X,Y,Z")
          ->allow_extra_args(false);
  for (const ScanOption& option : scan_options()) {
    std::string meaning = option.meaning;
    meaning.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(meaning.front())));
    CLI::Option* const added = command
                                   ->add_option_function<std::string>(
                                       "--" + option.name,
                                       [options, name = option.name](const std::string& value) {
                                         options->settings.emplace_back(name, value);
                                       },
                                       fmt::format("{} (default: {})", meaning, option.defaults))
                                   ->type_name(option.type);
    if (option.name == "views" || option.name == "distance") {
      added->excludes(viewpoint);
    }
  }
  command->add_flag("--truth", options->truth, "Add the true positions: the attributes true_x, true_y, true_z");
  add_format_option(*command, common);
  add_common_options(*command, common, true);
  command->footer(
      "A LENGTH is a number in the unit of the scene, or a multiple of the spacing of the points (0.5spacing) or of\n"
      "the diameter of the scene (2diameter). Every error can be set to 0. Errors move points along their rays; the\n"
      "attributes scan, row, column, viewpoint_x, viewpoint_y, viewpoint_z and incidence (in degrees) describe "
      "each point.\n"
      "\n"
      "One view of a depth camera becomes an image, missing pixels NaN, if the format of OUT can hold one: .pcd, with\n"
      "the viewpoint in its header, .npy, .npz, .ptx. docs/scan.md has the formulas.\n"
      "\n"
      "Examples:\n"
      "  burnish scan part scan.pcd                                        one image of a depth camera\n"
      "  burnish scan mesh.off scan.ply --sensor lidar --views 6           a laser scanner at six places around a "
      "mesh\n"
      "  burnish scan part scan.ply --viewpoint=2,-1,1 --viewpoint=-2,0,1 --noise 0.002 --registration 0.005\n"
      "  burnish scan part clean.ply --views 8 --noise 0 --quantisation 0 --beam 0 --registration 0    no errors\n"
      "  burnish scan organic scan.ply --sensor structured-light --noise 0.3spacing --truth");
  command->callback([options, &common] { scan(*options, common); });
}

}  // namespace burnish::cli
