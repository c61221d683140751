#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include "burnish/io.hpp"
#include "denoise_ways.hpp"

namespace burnish::cli {
namespace {

namespace fs = std::filesystem;

Json denoise_file(const DenoiseOptions& options, const Common& common) {
  const Method& method = chosen_method(options);
  static_cast<void>(method.prepare(options.parameters));  // says at once what is wrong with them
  check_options(options, method);
  check_output(options.output, common);
  if (!options.index_map.empty()) {
    check_file_writable(options.index_map);
  }
  return method.name == "auto" && uses_tiles(options, common) ? denoise_tiled(options, common)
                                                              : denoise_in_memory(options, method, common);
}

/// A folder to write to, made with all it is in; those are removed again by a dry run.
class OutputFolder {
 public:
  OutputFolder(const fs::path& folder, bool is_dry) {
    for (fs::path missing = folder; is_dry && !missing.empty() && !fs::exists(missing);) {
      made_.push_back(missing);
      missing = missing.parent_path();
    }
    fs::create_directories(folder);
  }
  ~OutputFolder() {
    std::error_code ignored;
    for (const fs::path& folder : made_) {
      fs::remove(folder, ignored);
    }
  }
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

 private:
  std::vector<fs::path> made_;  ///< the innermost first
};

/// Several inputs: each to the file of its name in the folder.
Json denoise_all(DenoiseOptions options, const Common& common) {
  std::vector<std::string> inputs{options.input};
  inputs.insert(inputs.end(), options.others.begin(), options.others.end());
  if (!options.index_map.empty() && inputs.size() > 1) {
    throw WrongOption("--index-map is for one input: with several, each would overwrite it");
  }
  std::map<std::string, std::string> input_of;
  for (const std::string& input : inputs) {
    const std::string name = fs::path(input).filename().string();
    if (const auto [other, is_new] = input_of.emplace(name, input); !is_new) {
      throw Error(fmt::format("{} and {} would both be written to {}", other->second, input,
                              (fs::path(options.folder) / name).string()));
    }
  }
  // A name that is wrong shows before the first file takes its time.
  if (const auto missing = std::ranges::find_if(inputs, [](const std::string& input) { return !fs::exists(input); });
      missing != inputs.end()) {
    throw Error(*missing + ": there is no such file");
  }
  const OutputFolder folder(options.folder, options.is_dry);
  Json results = Json::array();
  for (const std::string& input : inputs) {
    options.input = input;
    options.output = (fs::path(options.folder) / fs::path(input).filename()).string();
    if (fs::exists(options.output) && fs::equivalent(input, options.output)) {
      throw Error(fmt::format("{}: would be overwritten; name another folder", input));
    }
    results.push_back(denoise_file(options, common));
  }
  return {{"results", results}};
}

void denoise(DenoiseOptions& options, const Common& common) {
  common.terminal.keep_moving();
  Json json;
  if (!options.folder.empty()) {
    json = denoise_all(options, common);
  } else if (options.others.size() == 1) {
    options.output = options.others.front();
    json = denoise_file(options, common);
  } else {
    throw CLI::ValidationError(options.others.empty() ? "OUT is missing: burnish denoise IN OUT"
                                                      : "several inputs need --out DIR, the folder to write to");
  }
  if (common.json) {
    print_json(json);
  }
}

}  // namespace

void add_denoise(CLI::App& app, Common& common) {
  CLI::App* command = app.add_subcommand("denoise", "Remove the noise of a cloud");
  const auto options = std::make_shared<DenoiseOptions>();
  add_denoise_options(*command, *options, common);
  command->callback([options, &common] { denoise(*options, common); });
}

}  // namespace burnish::cli
