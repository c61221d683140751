#include "study_file.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <tuple>

#include "burnish/io.hpp"
#include "burnish/shapes.hpp"

namespace burnish::cli {
namespace {

/// A table of the file. Remembers which keys were read, so that unknown ones can be reported.
class Fields {
 public:
  Fields(const toml::table& table, const std::string& file) : table_(table), file_(file) {}

  [[noreturn]] void fail(const toml::node& node, const std::string& message) const {
    throw Error(fmt::format("{}: line {}: {}", file_, node.source().begin.line, message));
  }
  [[noreturn]] void fail(const std::string& message) const { fail(table_, message); }

  [[nodiscard]] const toml::node* find(const std::string& key) {
    asked_.insert(key);
    return table_.get(key);
  }

  [[nodiscard]] std::string text(const std::string& key, const std::string& otherwise) {
    const toml::node* node = find(key);
    return node != nullptr ? text_of(key, *node) : otherwise;
  }

  [[nodiscard]] std::string text(const std::string& key) {
    const toml::node* node = find(key);
    if (node == nullptr) {
      fail(key + " is missing");
    }
    return text_of(key, *node);
  }

  [[nodiscard]] double number(const std::string& key, double otherwise, double least) {
    const toml::node* node = find(key);
    if (node == nullptr) {
      return otherwise;
    }
    const std::optional<double> value = node->is_number() ? node->value<double>() : std::nullopt;
    if (!value || !std::isfinite(*value) || *value < least) {
      fail(*node, fmt::format("{} must be a number from {} on", key, least));
    }
    return *value;
  }

  [[nodiscard]] std::size_t count(const std::string& key, std::size_t otherwise) {
    const toml::node* node = find(key);
    if (node == nullptr) {
      return otherwise;
    }
    const std::optional<std::int64_t> value = node->is_integer() ? node->value<std::int64_t>() : std::nullopt;
    if (!value || *value < 0) {
      fail(*node, key + " must be a whole number");
    }
    return static_cast<std::size_t>(*value);
  }

  template <class Value>
  [[nodiscard]] Value choice(const std::string& key, const std::vector<std::pair<std::string, Value>>& choices,
                             Value otherwise) {
    const toml::node* node = find(key);
    if (node == nullptr) {
      return otherwise;
    }
    std::string names;
    for (const auto& [name, value] : choices) {
      if (node->value<std::string>() == name) {
        return value;
      }
      names += (names.empty() ? "" : ", ") + name;
    }
    fail(*node, fmt::format("{} must be one of {}", key, names));
  }

  /// Texts or numbers, as text.
  [[nodiscard]] std::vector<std::string> list(const std::string& key) {
    const toml::node* node = find(key);
    return node != nullptr ? list_of(key, *node) : std::vector<std::string>{};
  }

  /// Further tables by name; none if there is no such key.
  [[nodiscard]] std::vector<std::pair<std::string, Fields>> tables(const std::string& key) {
    const toml::node* node = find(key);
    std::vector<std::pair<std::string, Fields>> result;
    if (node != nullptr) {
      const toml::table* table = node->as_table();
      if (table == nullptr) {
        fail(*node, key + " must be a table");
      }
      for (const auto& [name, value] : *table) {
        if (!value.is_table()) {
          fail(value, fmt::format("{}.{} must be a table", key, name.str()));
        }
        result.emplace_back(name.str(), Fields(*value.as_table(), file_));
      }
    }
    return result;
  }

  [[nodiscard]] std::vector<Fields> array_of_tables(const std::string& key) {
    const toml::node* node = find(key);
    std::vector<Fields> result;
    if (node != nullptr) {
      if (!node->is_array_of_tables()) {
        fail(*node, fmt::format("{} must be tables, [[{}]]", key, key));
      }
      for (const toml::node& item : *node->as_array()) {
        result.emplace_back(*item.as_table(), file_);
      }
    }
    return result;
  }

  /// All keys of this table with their values as lists of texts.
  [[nodiscard]] LevelOptions all_lists() {
    LevelOptions result;
    for (const auto& [key, value] : table_) {
      result[std::string(key.str())] = list(std::string(key.str()));
    }
    return result;
  }

  [[nodiscard]] LevelOptions lists(const std::string& key) {
    const toml::node* node = find(key);
    if (node == nullptr) {
      return {};
    }
    if (!node->is_table()) {
      fail(*node, key + " must be a table");
    }
    return Fields(*node->as_table(), file_).all_lists();
  }

  /// Throws if there is a key that was never asked for.
  void finish() const {
    for (const auto& [key, value] : table_) {
      if (!asked_.contains(std::string(key.str()))) {
        fail(value, fmt::format("\"{}\" is unknown here", key.str()));
      }
    }
  }

 private:
  [[nodiscard]] std::string text_of(const std::string& key, const toml::node& node) const {
    if (const auto* text = node.as_string()) {
      return text->get();
    }
    if (const auto* whole = node.as_integer()) {
      return fmt::format("{}", whole->get());
    }
    if (const auto* number = node.as_floating_point()) {
      return fmt::format("{}", number->get());
    }
    if (const auto* truth = node.as_boolean()) {
      return truth->get() ? "yes" : "no";
    }
    fail(node, key + " must be a text or a number");
  }

  [[nodiscard]] std::vector<std::string> list_of(const std::string& key, const toml::node& node) const {
    std::vector<std::string> result;
    if (const toml::array* array = node.as_array()) {
      for (const toml::node& item : *array) {
        result.push_back(text_of(key, item));
      }
    } else {
      result.push_back(text_of(key, node));
    }
    return result;
  }

  const toml::table& table_;
  const std::string& file_;
  std::set<std::string> asked_;
};

void check_levels(const Fields& fields, const LevelOptions& options, std::size_t levels) {
  for (const auto& [name, values] : options) {
    if (values.size() != 1 && values.size() != levels) {
      fields.fail(fmt::format("{} has {} values, but there are {} noise levels", name, values.size(), levels));
    }
  }
}

void read_noise(Fields fields, Study& study) {
  for (const std::string& level : fields.list("levels")) {
    char* end = nullptr;
    study.levels.push_back(std::strtod(level.c_str(), &end));
    if (*end != '\0' || level.empty() || !(study.levels.back() >= 0.0 && std::isfinite(study.levels.back()))) {
      fields.fail("levels must be numbers from 0 on");
    }
  }
  if (study.levels.empty()) {
    fields.fail("levels are missing");
  }
  study.noise.factor = fields.number("factor", 1.0, 0.0);
  std::vector<std::pair<std::string, NoiseUnit>> units;
  for (const std::string& name : noise_unit_names()) {
    units.emplace_back(name, noise_unit(name));
  }
  study.noise.unit = fields.choice<NoiseUnit>("unit", units, NoiseUnit::absolute);
  if (const toml::node* model = fields.find("model")) {
    study.noise.model = fields.list("model");
    try {
      (void)noise_at(study.noise, 0.0);
    } catch (const Error& error) {
      fields.fail(*model, error.what());
    }
  }
  study.noise.seed = fields.count("seed", 1);
  fields.finish();
}

StudyModel read_model(Fields fields, const Study& study) {
  StudyModel model;
  model.name = fields.text("name");
  model.cloud = fields.text("cloud", "");
  model.mesh = fields.text("mesh", "");
  model.shape = fields.text("shape", "");
  if (!model.cloud.empty() + !model.mesh.empty() + !model.shape.empty() != 1) {
    fields.fail("a model has one of cloud, mesh, shape");
  }
  if (!model.shape.empty() && std::ranges::find(shape_names(), model.shape) == shape_names().end()) {
    fields.fail(fmt::format("there is no shape \"{}\"", model.shape));
  }
  model.points = fields.count("points", 0);
  if (model.points == 0 && model.cloud.empty()) {
    fields.fail("points are missing");
  }
  model.poisson_disk =
      fields.choice<bool>("sampling", {{"poisson-disk", true}, {"uniform", false}}, model.poisson_disk);
  model.diameter = fields.number("diameter", 0.0, 0.0);
  model.noisy = fields.list("noisy");
  if (!model.noisy.empty() && (model.noisy.size() != study.levels.size() || model.diameter > 0.0 || model.points > 0)) {
    fields.fail("noisy files are one for each noise level, of the cloud as it is");
  }
  model.y_is_up = fields.choice<bool>("up", {{"z", false}, {"y", true}}, false);
  for (auto& [method, options] : fields.tables("options")) {
    model.options[method] = options.all_lists();
    check_levels(options, model.options[method], study.levels.size());
  }
  fields.finish();
  return model;
}

StudyMethod read_method(Fields fields, const Study& study) {
  StudyMethod method;
  method.name = fields.text("name");
  method.method = fields.text("method", method.name);
  method.options = fields.lists("options");
  check_levels(fields, method.options, study.levels.size());
  method.search = fields.lists("search");
  LevelOptions varied = fields.lists("vary");
  if (varied.size() > 1) {
    fields.fail("one option can be varied");
  }
  if (!varied.empty()) {
    std::tie(method.varied, method.values) = *varied.begin();
  }
  // Every value is tried here, so that a mistake is found before hours of work.
  const Method* found = nullptr;
  const auto check = [&](const std::string& option, const std::vector<std::string>& values) {
    for (const std::string& value : values) {
      (void)found->prepare({{option, value}});
    }
  };
  try {
    found = &find_method(method.method);
    for (const LevelOptions* options : {&method.options, &method.search, &varied}) {
      for (const auto& [option, values] : *options) {
        check(option, values);
      }
    }
    for (const StudyModel& model : study.models) {
      if (const auto own = model.options.find(method.name); own != model.options.end()) {
        for (const auto& [option, values] : own->second) {
          check(option, values);
        }
      }
    }
  } catch (const WrongOption& error) {
    fields.fail(fmt::format("{}: {}", method.name, error.what()));
  }
  fields.finish();
  return method;
}

template <class Item>
void check_names(const Fields& fields, const std::vector<Item>& items, const std::string& what) {
  std::set<std::string> names;
  for (const Item& item : items) {
    if (!names.insert(item.name).second) {
      fields.fail(fmt::format("two {} have the name \"{}\"", what, item.name));
    }
  }
  if (items.empty()) {
    fields.fail(fmt::format("there are no {}", what));
  }
}

}  // namespace

NoiseModel noise_at(const StudyNoise& noise, double level) {
  const NoiseLength sigma(noise.factor * level, noise.unit);
  NoiseModel model;
  for (const std::string& step : noise.model) {
    model.push_back(parse_noise(step, sigma, noise.unit));
  }
  return model;
}

Study read_study(const std::filesystem::path& path) {
  const std::string file = path.string();
  toml::table table;
  const std::string text = read_file(path);
  try {
    table = toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    throw Error(fmt::format("{}: line {}: {}", file, error.source().begin.line, error.description()));
  }
  Fields fields(table, file);
  Study study;
  study.title = fields.text("title", path.stem().string());
  study.text = fields.text("text", "");
  const toml::node* noise = fields.find("noise");
  if (noise == nullptr || !noise->is_table()) {
    fields.fail("the table [noise] is missing");
  }
  read_noise(Fields(*noise->as_table(), file), study);
  for (Fields& model : fields.array_of_tables("model")) {
    study.models.push_back(read_model(std::move(model), study));
  }
  check_names(fields, study.models, "models");
  for (Fields& method : fields.array_of_tables("method")) {
    study.methods.push_back(read_method(std::move(method), study));
  }
  check_names(fields, study.methods, "methods");
  for (const StudyModel& model : study.models) {
    for (const auto& [name, options] : model.options) {
      if (std::ranges::find(study.methods, name, &StudyMethod::name) == study.methods.end()) {
        fields.fail(fmt::format("{} has options for \"{}\", which is no method of this study", model.name, name));
      }
    }
  }
  constexpr std::array metric_keys = {"mean_distance", "mse",     "mcd",      "snr_tabulated", "snr",
                                      "chamfer_e4",    "surface", "evenness", "hausdorff",     "aligned_rms"};
  for (Fields& metric : fields.array_of_tables("metric")) {
    StudyMetric& added = study.metrics.emplace_back();
    added.key = metric.text("key");
    added.title = metric.text("title", added.key);
    added.factor = metric.number("factor", 1.0, 0.0);
    if (std::ranges::find(metric_keys, added.key) == metric_keys.end()) {
      metric.fail(fmt::format("there is no metric \"{}\"; there are {}", added.key, fmt::join(metric_keys, ", ")));
    }
    metric.finish();
  }
  if (study.metrics.empty()) {
    study.metrics = {{"mean_distance", "mean_distance", 1.0}};
  }
  study.best = fields.text("best", study.metrics.front().key);
  if (std::ranges::find(metric_keys, study.best) == metric_keys.end()) {
    fields.fail(fmt::format("best: there is no metric \"{}\"", study.best));
  }
  if (const toml::node* pictures = fields.find("pictures")) {
    if (!pictures->is_table()) {
      fields.fail("pictures must be a table");
    }
    Fields picture_fields(*pictures->as_table(), file);
    study.pictures.models = picture_fields.list("models");
    study.pictures.levels = picture_fields.list("levels");
    picture_fields.finish();
  }
  fields.finish();
  return study;
}

}  // namespace burnish::cli
