#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <thread>

#include "burnish/io.hpp"
#include "burnish/methods.hpp"
#include "report.hpp"

// Every kind of noise and every virtual sensor on exactly known surfaces, and real scans: how much error the default
// leaves, beside other methods at their defaults. docs/noise.md explains the tables.

namespace burnish::bench {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::vector<std::string> shapes{"sphere", "part", "organic", "torus"};
  std::vector<fs::path> meshes;
  std::size_t points = 25000;
  std::vector<std::uint64_t> seeds{1};
  std::vector<std::string> kinds;
  std::vector<std::string> only{"noise", "sensors", "scans"};
  bool all_methods = false;
  bool default_only = false;
  unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
  fs::path scans = BURNISH_DEFAULT_DATA;
  fs::path out = ".";
  fs::path document;
};

std::vector<Surface> surfaces_of(const Options& options) {
  std::vector<Surface> surfaces;
  for (const std::string& name : options.shapes) {
    surfaces.push_back(shape_surface(name));
  }
  for (const fs::path& path : options.meshes) {
    if (!fs::is_directory(path)) {
      surfaces.push_back(mesh_surface(path));
      continue;
    }
    std::vector<fs::path> files{fs::directory_iterator(path), fs::directory_iterator()};
    std::ranges::sort(files);
    for (const fs::path& file : files) {
      try {
        surfaces.push_back(mesh_surface(file));
      } catch (const Error& error) {
        fmt::print(stderr, "left out: {}\n", error.what());
      }
    }
  }
  return surfaces;
}

std::vector<Case> cases_of(const Options& options, const std::vector<Surface>& surfaces) {
  const auto is_wanted = [&](const std::string& table) {
    return std::ranges::find(options.only, table) != options.only.end();
  };
  std::vector<Case> cases;
  if (is_wanted("noise") || is_wanted("sensors")) {
    for (const Surface& surface : surfaces) {
      for (const std::uint64_t seed : options.seeds) {
        const auto scene = std::make_shared<const Scene>(make_scene(surface, options.points, seed));
        const auto add = [&](const std::string& table, const std::vector<CloudKind>& kinds) {
          for (const CloudKind& kind : kinds) {
            if (is_wanted(table)) {
              cases.push_back(surface_case(table, scene, kind));
            }
          }
        };
        add("noise", noise_clouds());
        add("sensors", sensor_clouds());
      }
    }
  }
  if (is_wanted("scans")) {
    std::ranges::move(scan_cases(options.scans), std::back_inserter(cases));
  }
  std::erase_if(cases, [&](const Case& item) {
    const std::string name = item.kind + ", " + item.surface;
    return !options.kinds.empty() && std::ranges::none_of(options.kinds, [&](const std::string& part) {
      return name.find(part) != std::string::npos;
    });
  });
  return cases;
}

std::vector<std::string> methods_of(const Options& options) {
  if (options.default_only) {
    return {"auto"};
  }
  std::vector<std::string> names = {"auto", "mls", "apss", "bilateral", "rimls"};
  if (options.all_methods) {
    names.clear();
    for (const Method& method : methods()) {
      names.push_back(method.name);
    }
  }
  return names;
}

/// Puts the tables where a document has them, between two comments.
void put_into(const fs::path& document, const std::string& tables) {
  const std::string begin = "<!-- tables of ./run bench noise -->\n";
  const std::string end = "<!-- end of the tables -->\n";
  std::string text = read_file(document);
  const std::size_t from = text.find(begin);
  const std::size_t to = text.find(end);
  if (from == std::string::npos || to == std::string::npos || to < from) {
    throw Error(document.string() + ": has no comments that say where the tables begin and end");
  }
  text.replace(from + begin.size(), to - from - begin.size(), "\n" + tables + "\n");
  write_file(document, text);
}

void run(const Options& options) {
  const std::vector<Surface> surfaces = surfaces_of(options);
  const std::vector<Case> cases = cases_of(options, surfaces);
  if (cases.empty()) {
    throw Error("no cloud is left: no row has a name that contains the text of --kinds, or there are no scans in " +
                options.scans.string());
  }
  const fs::path store = options.out / "noise.json";
  nlohmann::ordered_json stored = nlohmann::ordered_json::object();
  if (std::ifstream file(store); file) {
    stored = nlohmann::ordered_json::parse(file);
  }
  std::vector<Row> rows = measure(cases, methods_of(options), options.jobs);
  if (options.default_only) {
    add_other_methods(rows, stored);
  }
  const std::string markdown = to_markdown(rows);
  fmt::print("{}\n", markdown);

  fs::create_directories(options.out);
  const nlohmann::ordered_json results = to_json(rows);
  if (!stored.empty()) {
    const std::string changed = differences(results, stored);
    fmt::print("{}", changed.empty() ? "No error differs from that of the stored run by more than 2 %.\n"
                                     : "Errors that differ from those of the stored run by more than 2 %:\n" + changed);
  }
  stored.update(results);
  std::ofstream(store) << stored.dump(1) << '\n';
  std::ofstream(options.out / "noise.md") << markdown;
  fmt::print("stored in {} and noise.md\n", store.string());
  if (!options.document.empty()) {
    put_into(options.document, markdown);
  }
}

}  // namespace
}  // namespace burnish::bench

int main(int argc, char** argv) {
  burnish::bench::Options options;
  CLI::App app("Every kind of noise and every virtual sensor: what the default makes of it, beside other methods");
  app.option_defaults()->delimiter(',');
  app.add_option("--shapes", options.shapes, "Shapes of burnish synth; none leaves them out")->capture_default_str();
  app.add_option("--data", options.meshes, "Meshes, or folders of meshes, to be used beside the shapes")
      ->check(CLI::ExistingPath);
  app.add_option("--points", options.points, "Points of a cloud, about")
      ->check(CLI::Range(100, 10'000'000))
      ->capture_default_str();
  app.add_option("--seeds", options.seeds, "Several: mean and standard deviation")->capture_default_str();
  app.add_option("--kinds", options.kinds, "Only rows whose name contains one of these texts");
  app.add_option("--only", options.only, "Only these tables")
      ->check(CLI::IsMember({"noise", "sensors", "scans"}))
      ->capture_default_str();
  app.add_flag("--all", options.all_methods,
               "All methods, slow ones too, instead of auto, mls, apss, bilateral, rimls");
  app.add_flag("--default-only", options.default_only,
               "Runs the default alone; other methods are taken from the stored run of the same clouds")
      ->excludes("--all");
  app.add_option("--jobs", options.jobs, "Clouds at once, each on one thread")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  app.add_option("--scans", options.scans, "Folder with the folders scans-with-truth and scans")
      ->envname("BURNISH_DATA")
      ->capture_default_str();
  app.add_option("--out", options.out, "Folder for noise.json and noise.md")->capture_default_str();
  app.add_option("--document", options.document, "Markdown file whose tables are replaced, such as docs/noise.md")
      ->check(CLI::ExistingFile);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  std::erase(options.shapes, "none");
  try {
    burnish::bench::run(options);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "burnish_noise: " << error.what() << '\n';
    return 1;
  }
}
