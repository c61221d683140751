#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "burnish/baselines.hpp"
#include "burnish/denoise.hpp"
#include "burnish/glr.hpp"
#include "burnish/io.hpp"
#include "burnish/mesh_sampling.hpp"
#include "burnish/metrics.hpp"
#include "burnish/noise.hpp"

// How close methods come to the truth, nothing set: Anchor and the PU-Net shapes where their files are at hand, and
// procedural shapes, which are everywhere. Prints tables, stores them, and says what changed since the last run.

namespace burnish {
namespace {

using Json = nlohmann::ordered_json;
using Method = std::function<std::vector<Vec3>(std::span<const Vec3>, const ExecutionContext&)>;

DenoiseSettings without(bool DenoiseSettings::*step) {
  DenoiseSettings settings;
  settings.*step = false;
  return settings;
}

const std::vector<std::pair<std::string, Method>>& methods() {
  const auto automatic = [](const DenoiseSettings& settings) {
    return [settings](std::span<const Vec3> points, const ExecutionContext& context) {
      return denoise(points, settings, context).positions;
    };
  };
  static const std::vector<std::pair<std::string, Method>> all = {
      {"input", [](std::span<const Vec3> p, const ExecutionContext&) { return std::vector<Vec3>(p.begin(), p.end()); }},
      {"auto", automatic({})},
      {"auto, no patches", automatic(without(&DenoiseSettings::patches))},
      {"auto, no rotations", automatic(without(&DenoiseSettings::rotations))},
      {"auto, no planes", automatic(without(&DenoiseSettings::planes))},
      {"auto, no quadrics", automatic(without(&DenoiseSettings::quadrics))},
      {"auto, no equal spacing", automatic(without(&DenoiseSettings::equalise_spacing))},
      {"auto, no restraint", automatic(without(&DenoiseSettings::restraint))},
      {"glr, paper",
       [](std::span<const Vec3> p, const ExecutionContext& c) { return denoise_glr(p, {}, c).positions; }},
      {"apss", [](std::span<const Vec3> p, const ExecutionContext& c) { return denoise_apss(p, {}, c).positions; }},
      {"bilateral",
       [](std::span<const Vec3> p, const ExecutionContext& c) { return denoise_bilateral(p, {}, c).positions; }},
  };
  return all;
}

/// One cloud to denoise, and how to measure the result: two numbers.
struct Case {
  std::string group;  ///< a column of the table
  std::vector<Vec3> noisy;
  std::function<std::array<double, 2>(std::span<const Vec3>, const ExecutionContext&)> measure;
};

/// Chamfer distance and point-to-mesh distance.
Case mesh_case(std::string group, std::vector<Vec3> noisy, std::vector<Vec3> clean, TriangleMesh mesh) {
  const auto truth = std::make_shared<std::pair<std::vector<Vec3>, TriangleMesh>>(std::move(clean), std::move(mesh));
  return {std::move(group), std::move(noisy), [=](std::span<const Vec3> result, const ExecutionContext& context) {
            return std::array{1e4 * compare_to_cloud(result, truth->first, context).chamfer,
                              1e4 * compare_to_mesh(result, truth->second, context).p2m};
          }};
}

std::vector<Case> punet_cases(const std::filesystem::path& folder) {
  std::vector<Case> cases;
  for (const char* size : {"10k", "50k"}) {
    for (const char* level : {"0.01", "0.02", "0.03"}) {
      for (const auto& entry : std::filesystem::directory_iterator(folder / "meshes")) {
        const std::string name = entry.path().stem().string() + ".ply";
        cases.push_back(mesh_case(fmt::format("{} {}", size, level),
                                  read(folder / size / (std::string("noisy-") + level) / name).positions,
                                  read(folder / size / "clean" / name).positions, mesh_of(read(entry.path()))));
      }
    }
  }
  return cases;
}

/// Other meshes by the protocol of PU-Net, so that what helps those eight alone is seen.
std::vector<Case> model_cases(const std::filesystem::path& data) {
  std::vector<Case> cases;
  for (const double level : {0.01, 0.02, 0.03}) {
    for (const char* name : {"models/bunny.obj", "models/gargoyle.ply", "models/anchor.off", "lowpoly/lamp.off",
                             "lowpoly/sofa.ply", "lowpoly/speaker.obj"}) {
      const TriangleMesh mesh = mesh_of(read(data / name));
      PointCloud clean;
      clean.positions = sample_poisson_disk(mesh, 10000).positions;
      const RandomDisplacement noise{.sigma = {level, NoiseUnit::radius}};
      cases.push_back(
          mesh_case(fmt::format("10k {}", level), add_noise(clean, {noise}).cloud.positions, clean.positions, mesh));
    }
  }
  return cases;
}

std::vector<Case> anchor_cases(const std::filesystem::path& folder) {
  std::vector<Case> cases;
  const auto clean = std::make_shared<PointCloud>(read(folder / "clean.ply"));
  for (const std::string level : {"0.02", "0.03", "0.04"}) {
    cases.push_back({"Anchor " + level, read(folder / ("noisy-" + level + ".ply")).positions,
                     [=](std::span<const Vec3> result, const ExecutionContext& context) {
                       const CloudMetrics metrics = compare_to_cloud(result, clean->positions, context);
                       return std::array{metrics.mean_distance, metrics.surface};
                     }});
  }
  return cases;
}

/// Noise and result in spacings: root mean square distance to the surface everywhere, and within two spacings of an
/// edge.
std::vector<Case> shape_cases() {
  std::vector<Case> cases;
  for (const char* name : {"sphere", "torus", "cube", "part", "organic"}) {
    const std::shared_ptr<const Shape> shape = make_shape(name);
    PointCloud clean;
    clean.positions = shape->sample(20000);
    const double spacing = estimate_spacing(clean.positions);
    for (const double spacings : {0.0, 0.5, 1.0, 2.0, 4.0}) {
      const RandomDisplacement noise{.sigma = spacings * spacing};
      cases.push_back({fmt::format("{} {}", name, spacings), add_noise(clean, {noise}).cloud.positions,
                       [=](std::span<const Vec3> result, const ExecutionContext& context) {
                         const ShapeMetrics metrics = compare_to_shape(result, *shape, 2.0 * spacing, context);
                         return std::array{metrics.rms_distance / spacing, metrics.edge_rms_distance / spacing};
                       }});
    }
  }
  return cases;
}

/// Real scans with more noise than they had, in spacings. The result by what came in: below 1 is closer to the scan.
std::vector<Case> scan_cases(const std::filesystem::path& folder) {
  std::vector<Case> cases;
  for (const char* name :
       {"hippo1.ply", "bun045.ply", "urban.las", "superq_toy.off", "samp11-utm.pcd", "kitti_000000.bin"}) {
    const auto scan = std::make_shared<PointCloud>(read(folder / name));
    const double spacing = estimate_spacing(scan->positions);
    for (const double spacings : {0.1, 0.3, 0.5, 1.0}) {
      const std::vector<Vec3> noisy =
          add_noise(*scan, {RandomDisplacement{.sigma = spacings * spacing}}).cloud.positions;
      const CloudMetrics before = compare_to_cloud(noisy, scan->positions);
      cases.push_back({fmt::format("{} {}", name, spacings), noisy,
                       [=](std::span<const Vec3> result, const ExecutionContext& context) {
                         const CloudMetrics after = compare_to_cloud(result, scan->positions, context);
                         return std::array{after.chamfer / before.chamfer, after.surface / before.surface};
                       }});
    }
  }
  return cases;
}

/// Runs every method on every case, as many at once as the machine has cores; means over the cases of a group.
Json run(const std::vector<Case>& cases) {
  struct Sum {
    std::array<double, 2> values{};
    double cases = 0.0;
    double microseconds = 0.0;
  };
  std::map<std::pair<std::string, std::string>, Sum> sums;
  std::mutex lock;
  std::atomic<std::size_t> next{0};
  const std::size_t jobs = cases.size() * methods().size();
  const auto work = [&] {
    for (std::size_t job = next++; job < jobs; job = next++) {
      const Case& item = cases[job / methods().size()];
      const auto& [name, method] = methods()[job % methods().size()];
      ExecutionContext context;
      context.threads = 1;
      const auto start = std::chrono::steady_clock::now();
      const std::vector<Vec3> result = method(item.noisy, context);
      const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
      const std::array<double, 2> measured = item.measure(result, context);
      const std::lock_guard guard(lock);
      Sum& sum = sums[{name, item.group}];
      sum.values[0] += measured[0];
      sum.values[1] += measured[1];
      sum.microseconds += time.count() / static_cast<double>(item.noisy.size());
      sum.cases += 1.0;
    }
  };
  {
    std::vector<std::jthread> threads;
    for (unsigned t = 0; t < std::max(1U, std::thread::hardware_concurrency()); ++t) {
      threads.emplace_back(work);
    }
  }
  Json table;
  for (const auto& [name, method] : methods()) {
    for (const Case& item : cases) {
      const Sum& sum = sums.at({name, item.group});
      table[name][item.group] = {sum.values[0] / sum.cases, sum.values[1] / sum.cases, sum.microseconds / sum.cases};
    }
  }
  return table;
}

void print(const std::string& title, const Json& table, const Json& last) {
  fmt::print("\n{}\n\n| method |", title);
  for (const auto& [group, values] : table.front().items()) {
    fmt::print(" {} |", group);
  }
  fmt::print(" µs per point |\n|---|");
  for (std::size_t i = 0; i <= table.front().size(); ++i) {
    fmt::print("---|");
  }
  for (const auto& [name, row] : table.items()) {
    fmt::print("\n| {} |", name);
    double microseconds = 0.0;
    for (const auto& [group, values] : row.items()) {
      fmt::print(" {:.4g} / {:.4g}", values[0].get<double>(), values[1].get<double>());
      if (last.contains(name) && last[name].contains(group)) {
        const double change = values[0].get<double>() / last[name][group][0].get<double>() - 1.0;
        if (std::abs(change) > 0.005) {
          fmt::print(" ({:+.1f} %)", 100.0 * change);
        }
      }
      fmt::print(" |");
      microseconds += values[2].get<double>() / static_cast<double>(row.size());
    }
    fmt::print(" {:.0f} |", microseconds);
  }
  fmt::print("\n");
}

int run_all(const std::filesystem::path& data, const std::filesystem::path& store) {
  Json last;
  if (std::ifstream file(store); file) {
    last = Json::parse(file, nullptr, false);
  }
  Json all = last.is_object() ? last : Json::object();
  const auto section = [&](const std::string& title, const std::vector<Case>& cases) {
    all[title] = run(cases);
    print(title, all[title], last.contains(title) ? last[title] : Json());
    std::fflush(stdout);
    std::ofstream(store) << all.dump(1) << '\n';  // what is done is kept if the rest is not
  };
  section("Shapes of 20,000 points, noise in spacings: rms distance to the surface, and near edges, in spacings",
          shape_cases());
  if (std::filesystem::is_directory(data)) {
    section("Anchor: mean distance / surface", anchor_cases(data / "anchor"));
    section("Six other models, means: CD × 10⁴ / P2M × 10⁴", model_cases(data));
    section("Scans with noise added, in spacings: CD / surface, by those of the input", scan_cases(data / "scans"));
    section("PU-Net, means over the shapes: CD × 10⁴ / P2M × 10⁴", punet_cases(data / "punet"));
  } else {
    fmt::print(
        "\nno files in {}: Anchor, the models, the scans and PU-Net left out (--data DIR names another folder)\n",
        data.string());
  }
  fmt::print("\nstored in {}\n", store.string());
  return 0;
}

}  // namespace
}  // namespace burnish

int main(int argc, char** argv) {
  std::filesystem::path data = BURNISH_DEFAULT_DATA;
  if (argc == 3 && std::string_view(argv[1]) == "--data") {
    data = argv[2];
  } else if (argc != 1) {
    std::cerr << "usage: burnish_accuracy [--data DIR]\n";
    return 2;
  }
  try {
    return burnish::run_all(data, BURNISH_ACCURACY_STORE);
  } catch (const std::exception& error) {
    std::cerr << "burnish_accuracy: " << error.what() << '\n';
    return 1;
  }
}
