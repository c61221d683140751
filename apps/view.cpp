#include "burnish/view.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <thread>

#include "burnish/error.hpp"
#include "burnish/io.hpp"
#include "command.hpp"
#include "measured_noise.hpp"
#include "names_to_show.hpp"
#include "page_template.hpp"
#include "truth.hpp"

namespace burnish::cli {
namespace {

struct ViewOptions {
  std::vector<std::string> inputs;
  std::string truth;
  std::vector<std::string> numbers;
  std::string page;
  std::string picture;
  PictureOf picture_of = PictureOf::shapes_and_error;
  ViewSettings settings;
};

std::string short_number(double value) { return fmt::format("{:.4g}", value); }

std::vector<Fact> facts_of(const PointCloud& cloud, const Truth* truth, const Common& common) {
  std::vector<Fact> facts;
  if (const std::optional<Analysis> analysis = measure_noise(cloud.positions, common.context)) {
    const auto& [value, uncertainty] = analysis->findings().noise;
    facts = {{"spacing", short_number(analysis->findings().spacing), "the square root of the surface area per point"},
             {"noise", fmt::format("{:.3g} ± {:.1g}", value, uncertainty),
              "standard deviation of the noise across the surface, estimated from the cloud alone"}};
  }
  if (truth != nullptr) {
    for (const NamedMetric& metric : measure(cloud.positions, *truth, common.context).metrics) {
      facts.push_back({metric.name, short_number(metric.value), metric.meaning});
    }
  }
  return facts;
}

/// What `burnish denoise --json` or `burnish evaluate --json` printed, as facts about the cloud it names.
struct Numbers {
  std::string about;
  std::vector<Fact> facts;
};

std::string to_text(const Json& value) {
  if (value.is_string()) {
    return value.get<std::string>();
  }
  return value.is_number_float() ? short_number(value.get<double>()) : value.dump();
}

/// Numbers, words, truths; of lists their length, of tables every entry. Not what the page shows by itself, nor what is
/// about the cloud before. No report nests far, and no file may exhaust the stack: what is deeper is left out.
void add_facts(const std::string& name, const Json& value, std::vector<Fact>& facts, int depth = 0) {
  constexpr int most_depth = 16;
  if (depth > most_depth) {
    return;
  }
  static const std::set<std::string> known_anyway{"input",    "output",  "result", "points",           "kind",
                                                  "left_out", "spacing", "noise",  "noise_uncertainty"};
  if (value.is_object()) {
    for (const auto& [key, entry] : value.items()) {
      if (!known_anyway.contains(key)) {
        add_facts(key, entry, facts, depth + 1);
      }
    }
  } else if (value.is_array() && name == "comparisons") {
    for (const Json& entry : value) {
      add_facts("", entry, facts, depth + 1);
    }
  } else if (value.is_array()) {
    facts.push_back({name, std::to_string(value.size()), ""});
  } else if (!value.is_null()) {
    facts.push_back({name, to_text(value), ""});
  }
}

Numbers read_numbers(const std::string& path) {
  std::ifstream file(path);
  if (!file || std::filesystem::is_directory(path)) {
    throw Error(path + (file ? ": is a folder, not a file" : ": cannot be read"));
  }
  const Json json = Json::parse(file, nullptr, false);
  const auto is_text = [&](const char* key) { return json.is_object() && json.contains(key) && json[key].is_string(); };
  const char* about = is_text("output") ? "output" : "result";
  if (!is_text(about)) {
    throw Error(path + ": is not the output of burnish denoise --json or burnish evaluate --json");
  }
  Numbers numbers{json[about], {}};
  add_facts("", json, numbers.facts);
  return numbers;
}

void add_numbers(const std::string& path, std::vector<ViewedCloud>& clouds, const ViewOptions& options) {
  Numbers numbers = read_numbers(path);
  const auto found = std::ranges::find(options.inputs, numbers.about);
  if (found == options.inputs.end()) {
    throw Error(fmt::format("{}: is about {}, which is not one of the clouds", path, numbers.about));
  }
  std::vector<Fact>& facts = clouds[static_cast<std::size_t>(found - options.inputs.begin())].facts;
  facts.insert(facts.end(), numbers.facts.begin(), numbers.facts.end());
}

/// The page, where no file was named for it: in the folder for temporary files, opened by the browser.
std::string temporary_page() {
  return (std::filesystem::temp_directory_path() / fmt::format("burnish-view-{}.html", ::getpid())).string();
}

/// Opens a page in the browser that BROWSER names, or in the desktop's own. False if there is none.
bool open_in_browser(const std::string& page) {
  const char* const named = std::getenv("BROWSER");  // NOLINT(concurrency-mt-unsafe): nothing sets it
  const std::string browser = named != nullptr && *named != '\0' ? named : "xdg-open";
  const pid_t child = ::fork();
  if (child == 0) {
    // A process of its own, without messages, which outlives this one.
    ::setsid();
    const int nowhere = ::open("/dev/null", O_RDWR);
    ::dup2(nowhere, STDIN_FILENO);
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
    ::execlp(browser.c_str(), browser.c_str(), page.c_str(), static_cast<char*>(nullptr));
    ::_exit(127);
  }
  if (child < 0) {
    return false;
  }
  // A program that does not exist ends at once; a browser may go on for as long as it is looked at.
  for (int tries = 0; tries < 20; ++tries) {
    int status = 0;
    if (::waitpid(child, &status, WNOHANG) == child) {
      return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return true;
}

void view(ViewOptions& options, const Common& common) {
  common.terminal.keep_moving();
  const bool is_opened = options.page.empty() && options.picture.empty();
  if (is_opened) {
    options.page = temporary_page();
  }
  for (const std::string& to_write : {options.page, options.picture}) {
    if (!to_write.empty()) {
      check_file_writable(to_write);
    }
  }
  const std::string page = options.page.empty() ? "" : page_template();
  std::unique_ptr<const Truth> truth;
  if (!options.truth.empty()) {
    truth = std::make_unique<const Truth>(read_truth(options.truth, common.context));
    options.settings.distance_to_truth = distance_to(*truth, common.context);
  }
  std::vector<PointCloud> clouds;
  for (const std::string& input : options.inputs) {
    clouds.push_back(read_input(input, common));
  }
  const std::vector<std::string> names = names_to_show(options.inputs);
  if (options.settings.title.empty()) {
    options.settings.title = fmt::format("{}", fmt::join(names, " · "));
  }
  std::vector<ViewedCloud> viewed;
  viewed.reserve(clouds.size());
  for (std::size_t i = 0; i < clouds.size(); ++i) {
    // A picture shows none, and they take the most time.
    viewed.push_back(
        {names[i], clouds[i], options.page.empty() ? std::vector<Fact>() : facts_of(clouds[i], truth.get(), common)});
  }
  for (const std::string& path : options.numbers) {
    add_numbers(path, viewed, options);
  }
  const Scene scene = make_scene(viewed, options.settings, common.context);
  if (!options.page.empty()) {
    write_page(options.page, page, scene, common.context);
  }
  if (!options.picture.empty()) {
    write_picture(options.picture, scene, options.picture_of, common.context);
  }
  for (const SceneCloud& cloud : scene.clouds) {
    common.terminal.report(fmt::format(
        "{}: {} of {} points{}", cloud.name, cloud.positions.size(), cloud.points,
        cloud.positions.size() + cloud.not_finite < cloud.points ? " (thinned: --max-points shows more)" : ""));
  }
  for (const std::string& written : {options.page, options.picture}) {
    if (!written.empty()) {
      common.terminal.report(
          fmt::format("{}: {:.1f} MB", written, static_cast<double>(std::filesystem::file_size(written)) / 1e6));
    }
  }
  common.terminal.finish();  // no thread of ours when the browser is started
  if (is_opened && !open_in_browser(options.page)) {
    common.terminal.warn(
        fmt::format("no browser was found to open it: open {} by hand, or name one in BROWSER", options.page));
  }
}

}  // namespace

void add_view(CLI::App& app, Common& common) {
  CLI::App* command = app.add_subcommand("view", "Show clouds on a web page or as a picture");
  const auto options = std::make_shared<ViewOptions>();
  ViewSettings& settings = options->settings;
  command->add_option("CLOUD", options->inputs, "The cloud before denoising, and one or several results")->required();
  command
      ->add_option("--truth", options->truth, "A clean cloud, a mesh, or the name of a synth shape, to show the error")
      ->type_name("CLOUD|MESH|SHAPE");
  command
      ->add_option(
          "--out", options->page,
          "The page to write: one file that needs no network (default: a temporary file, opened in the browser)")
      ->type_name("PAGE.html");
  command->add_option("--png", options->picture, "Picture to write, with the clouds side by side")
      ->type_name("FILE.png");
  add_choice<PictureOf>(
      *command, "--picture",
      {{"shapes", PictureOf::shapes_and_error}, {"errors", PictureOf::errors}, {"curvatures", PictureOf::curvatures}},
      [options](PictureOf what) { options->picture_of = what; },
      "What the picture shows: shapes and the error of the last (the default), or every cloud by its error or its mean "
      "curvature");
  command
      ->add_option("--numbers", options->numbers,
                   "Output of burnish denoise --json or evaluate --json for one of the clouds, shown beside it; may be "
                   "given more than once")
      ->type_name("FILE.json")
      ->allow_extra_args(false);
  command->add_option("--title", settings.title, "Title of the page (default: the names of the files)");
  command->add_option("--unit", settings.unit, "Unit of the coordinates, for the legends")->type_name("UNIT");
  command
      ->add_option("--max-points", settings.max_points,
                   "Show at most this many points, all clouds together (default: 5000000)")
      ->type_name("N")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1000000000}).description(""));
  add_choice<UpAxis>(
      *command, "--up",
      {{"z", UpAxis::z},
       {"y", UpAxis::y},
       {"x", UpAxis::x},
       {"-z", UpAxis::minus_z},
       {"-y", UpAxis::minus_y},
       {"-x", UpAxis::minus_x}},
      [&settings](UpAxis up) { settings.up = up; }, "Upward direction (default: z; depth cameras: --up=-y)");
  command->add_option("--azimuth", settings.azimuth, "Direction of view, in degrees around the vertical (default: -53)")
      ->type_name("DEGREES");
  command
      ->add_option("--elevation", settings.elevation, "Direction of view, in degrees above the horizon (default: 30)")
      ->type_name("DEGREES");
  add_common_options(*command, common, false);
  command->footer(
      "Examples:\n"
      "  burnish view noisy.ply smooth.ply                          opens the page in the browser\n"
      "  burnish view noisy.ply smooth.ply clean.ply --out page.html\n"
      "  burnish view noisy.ply smooth.ply --truth part --out page.html --png picture.png\n"
      "Clouds of equal size are assumed to have the same points in the same order, and their moves are shown.\n"
      "The page has keys for everything: ? lists them.");
  command->callback([options, &common] { view(*options, common); });
}

}  // namespace burnish::cli
