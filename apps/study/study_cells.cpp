#include "study_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "burnish/io.hpp"
#include "burnish/mesh_sampling.hpp"
#include "burnish/sampling.hpp"
#include "burnish/shapes.hpp"
#include "child_process.hpp"
#include "truth.hpp"

namespace burnish::cli {
namespace {

/// The hash FNV-1a of some bytes, as text. Whoever relies on it compares the bytes as well.
std::string hash_of(std::string_view bytes) {
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const char c : bytes) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  }
  return fmt::format("{:016x}", hash);
}

/// Differs for files of different content.
std::string fingerprint(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) {
    throw Error(fmt::format("{}: cannot be read (--data names the folder of the data)", path.string()));
  }
  const std::string bytes = read_file(path);
  return fmt::format("{}-{}", bytes.size(), hash_of(bytes));
}

/// A clean and a noisy cloud, made from the data once and kept in the folder of the study.
struct Input {
  Json definition;
  std::filesystem::path clean;
  std::filesystem::path noisy;
};

Input define_input(const Study& study, const StudyModel& model, std::size_t level, const std::filesystem::path& data,
                   const std::filesystem::path& out) {
  Json definition = {{"points", model.points}, {"diameter", model.diameter}};
  if (!model.shape.empty()) {
    definition["shape"] = model.shape;
  } else {
    definition[model.mesh.empty() ? "cloud" : "mesh"] =
        fingerprint(data / (model.mesh.empty() ? model.cloud : model.mesh));
  }
  if (!model.mesh.empty()) {
    definition["poisson_disk"] = model.poisson_disk;
  }
  if (!model.noisy.empty()) {
    definition["noisy"] = fingerprint(data / model.noisy[level]);
  } else {
    definition["noise"] = {{"sigma", study.noise.factor * study.levels[level]},
                           {"unit", noise_unit_names()[static_cast<std::size_t>(study.noise.unit)]},
                           {"model", study.noise.model},
                           {"seed", study.noise.seed}};
  }
  const std::string name = hash_of(definition.dump());
  return {definition, out / "inputs" / (name + "-clean.ply"), out / "inputs" / (name + "-noisy.ply")};
}

std::vector<Vec3> clean_points(const StudyModel& model, const std::filesystem::path& data,
                               const ExecutionContext& context) {
  if (!model.shape.empty()) {
    return make_shape(model.shape)->sample(model.points, 1, context);
  }
  if (!model.mesh.empty()) {
    const TriangleMesh mesh = mesh_of(read(data / model.mesh, context));
    return model.poisson_disk ? sample_poisson_disk(mesh, model.points, 1, context).positions
                              : sample_uniformly(mesh, model.points, 1, context);
  }
  std::vector<Vec3> points = read(data / model.cloud, context).positions;
  if (model.points == 0 || model.points >= points.size()) {
    return points;
  }
  std::erase_if(points, [](const Vec3& p) { return !is_finite(p); });
  std::vector<Vec3> chosen;
  for (const std::uint32_t i : farthest_point_sample(points, std::min(model.points, points.size()), 0, context)) {
    chosen.push_back(points[i]);
  }
  return chosen;
}

Json make_input(const Study& study, const StudyModel& model, std::size_t level, const Input& input,
                const std::filesystem::path& data, const ExecutionContext& context) {
  PointCloud clean;
  clean.positions = clean_points(model, data, context);
  if (model.diameter > 0.0) {
    const double scale = model.diameter / sampled_diameter(clean.positions);
    std::ranges::for_each(clean.positions, [&](Vec3& p) { p *= scale; });
  }
  PointCloud noisy;
  if (model.noisy.empty()) {
    noisy = add_noise(clean, noise_at(study.noise, study.levels[level]), study.noise.seed, context).cloud;
  } else {
    noisy.positions = read(data / model.noisy[level], context).positions;
  }
  write(input.clean, clean, context);
  write(input.noisy, noisy, context);
  return nullptr;
}

/// The options of a method in a cell, without those that are searched for.
MethodOptions options_of(const StudyRow& row, const StudyModel& model, std::size_t level) {
  MethodOptions options;
  const auto add = [&](const LevelOptions& more) {
    for (const auto& [name, values] : more) {
      options[name] = values.size() == 1 ? values.front() : values[level];
    }
  };
  add(row.method->options);
  if (const auto own = model.options.find(row.method->name); own != model.options.end()) {
    add(own->second);
  }
  if (!row.method->varied.empty()) {
    options[row.method->varied] = row.value;
  }
  return options;
}

/// All combinations of what is searched for.
std::vector<MethodOptions> candidates(const MethodOptions& options,
                                      const std::map<std::string, std::vector<std::string>>& search) {
  std::vector<MethodOptions> all{options};
  for (const auto& [name, values] : search) {
    std::vector<MethodOptions> longer;
    for (const MethodOptions& before : all) {
      for (const std::string& value : values) {
        longer.push_back(before);
        longer.back()[name] = value;
      }
    }
    all = std::move(longer);
  }
  return all;
}

Json measure_cell(const StudyRow& row, const StudyCell& cell, const Input& input, const ExecutionContext& context) {
  const Truth truth = read(input.clean, context);
  PointCloud cloud = read(input.noisy, context);
  Json result = Json::object();
  if (row.method != nullptr) {
    const PreparedMethod run = find_method(row.method->method).prepare(cell.options);
    const CostMeter meter;
    cloud.positions = run(cloud.positions, {}, context).positions;
    const Cost cost = meter.cost();
    result = {{"seconds", cost.seconds}, {"cpu_seconds", cost.cpu_seconds}, {"peak_memory", cost.peak_memory}};
  }
  result["metrics"] = Json::object();
  for (const NamedMetric& metric : measure(cloud.positions, truth, context).metrics) {
    result["metrics"][metric.name] = metric.value;
  }
  if (!cell.cloud.empty()) {
    write(cell.cloud, cloud, context);
  }
  return result;
}

/// One cell: from its file if that is there, otherwise computed, and kept.
StudyCell run_cell(const StudyRow& row, const MethodOptions& options, const Input& input, bool with_cloud,
                   const std::string& label, const std::filesystem::path& out, const Common& common) {
  ExecutionContext& context = common.context;
  const Json definition = {{"burnish", BURNISH_VERSION},
                           {"input", input.definition},
                           {"method", row.method != nullptr ? row.method->method : "noisy"},
                           {"options", options}};
  const std::string name = hash_of(definition.dump());
  const std::filesystem::path file = out / "cells" / (name + ".json");
  StudyCell cell{options, nullptr, "", input.clean, {}};
  if (with_cloud) {
    cell.cloud = out / "clouds" / (name + ".ply");
  }
  if (std::ifstream stored(file); stored) {
    const Json known = Json::parse(stored, nullptr, false);
    const bool is_same =
        known.is_object() && known.contains("result") && known.value("definition", Json()) == definition;
    if (is_same && (cell.cloud.empty() || std::filesystem::exists(cell.cloud))) {
      cell.result = known["result"];
      return cell;
    }
  }
  try {
    cell.result = run_in_child(label, context, [&] {
      common.terminal.keep_moving();
      return measure_cell(row, cell, input, context);
    });
    write_file(file, Json{{"definition", definition}, {"result", cell.result}}.dump(1) + "\n");
  } catch (const Error& error) {
    cell.error = error.what();
    common.terminal.warn(fmt::format("{}: {}", label, error.what()));
  }
  return cell;
}

double metric_of(const StudyCell& cell, const std::string& key) {
  const Json& value = cell.result["metrics"][key];
  return value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

/// The best of some cells; of those that all failed, the first.
StudyCell best_of(const std::vector<StudyCell>& cells, const std::string& metric) {
  const StudyCell* best = &cells.front();
  for (const StudyCell& cell : cells) {
    if (cell.error.empty() &&
        (!best->error.empty() || (more_is_better(metric) ? metric_of(cell, metric) > metric_of(*best, metric)
                                                         : metric_of(cell, metric) < metric_of(*best, metric)))) {
      best = &cell;
    }
  }
  return *best;
}

std::vector<StudyRow> rows_of(const Study& study) {
  std::vector<StudyRow> rows{{"noisy", nullptr, ""}};
  for (const StudyMethod& method : study.methods) {
    if (method.varied.empty()) {
      rows.push_back({method.name, &method, ""});
    }
    for (const std::string& value : method.values) {
      rows.push_back({fmt::format("{} {}={}", method.name, method.varied, value), &method, value});
    }
  }
  return rows;
}

}  // namespace

std::size_t StudyResults::failed() const {
  return static_cast<std::size_t>(std::ranges::count_if(cells, [](const StudyCell& c) { return !c.error.empty(); }));
}

std::string level_name(double level) { return fmt::format("{}", level); }

bool is_pictured(const Study& study, std::size_t model, std::size_t level) {
  const auto has = [](const std::vector<std::string>& names, const std::string& name) {
    return std::ranges::find(names, name) != names.end();
  };
  return has(study.pictures.models, study.models[model].name) &&
         has(study.pictures.levels, level_name(study.levels[level]));
}

StudyResults run_study(const Study& study, const std::filesystem::path& data, const std::filesystem::path& out,
                       const Common& common) {
  ExecutionContext& context = common.context;
  StudyResults results{study, rows_of(study), {}};
  // All definitions first, so that a missing file is reported before anything is computed.
  std::vector<Input> inputs;
  for (const StudyModel& model : study.models) {
    for (std::size_t level = 0; level < study.levels.size(); ++level) {
      inputs.push_back(define_input(study, model, level, data, out));
    }
  }
  for (const char* folder : {"inputs", "cells", "clouds"}) {
    std::filesystem::create_directories(out / folder);
  }
  std::vector<std::string> input_errors(inputs.size());
  for (const StudyRow& row : results.rows) {
    for (std::size_t m = 0; m < study.models.size(); ++m) {
      for (std::size_t level = 0; level < study.levels.size(); ++level) {
        const StudyModel& model = study.models[m];
        const std::size_t i = m * study.levels.size() + level;
        const std::string label =
            fmt::format("{}/{} {} {} {}", results.cells.size() + 1, results.rows.size() * inputs.size(), model.name,
                        level_name(study.levels[level]), row.name);
        if (row.method == nullptr && !std::filesystem::exists(inputs[i].noisy)) {
          try {
            (void)run_in_child(label, context, [&] {
              common.terminal.keep_moving();
              return make_input(study, model, level, inputs[i], data, context);
            });
          } catch (const Error& error) {
            input_errors[i] = error.what();
            common.terminal.warn(fmt::format("{} {}: {}", model.name, level_name(study.levels[level]), error.what()));
          }
        }
        if (!input_errors[i].empty()) {
          results.cells.push_back({{}, nullptr, input_errors[i], {}, {}});
          continue;
        }
        const MethodOptions options = row.method != nullptr ? options_of(row, model, level) : MethodOptions{};
        std::vector<StudyCell> tried;
        for (const MethodOptions& candidate :
             candidates(options, row.method != nullptr ? row.method->search : LevelOptions{})) {
          tried.push_back(run_cell(row, candidate, inputs[i], is_pictured(study, m, level), label, out, common));
        }
        results.cells.push_back(best_of(tried, study.best));
      }
    }
  }
  return results;
}

}  // namespace burnish::cli
