#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <utility>

#include "burnish/error.hpp"
#include "burnish/nearest_word.hpp"
#include "burnish/noise.hpp"
#include "core/from_chars.hpp"
#include "evaluate/noise_steps.hpp"

// Noise models as text, "student-t:degrees=4:sigma=0.5spacing", for the command line, study files and Python.

namespace burnish {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  return begin == std::string_view::npos ? std::string_view()
                                         : text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(trimmed(text.substr(0, end)));
    if (end == std::string_view::npos) {
      return parts;
    }
    text.remove_prefix(end + 1);
  }
}

/// A number at the start of a text; what follows it stays in `text`.
bool take_number(std::string_view& text, double& number) {
  const auto [end, error] = from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return error == std::errc();
}

/// The value of an option.
struct OptionValue {
  std::string_view kind;
  std::string_view option;
  std::string_view text;
  NoiseUnit default_unit;

  [[noreturn]] void fail(std::string_view expected) const {
    throw Error(fmt::format("{}: {} is \"{}\", expected {}", kind, option, text, expected));
  }

  [[nodiscard]] double number() const {
    std::string_view rest = text;
    double value = 0.0;
    if (!take_number(rest, value) || !rest.empty()) {
      fail("a number");
    }
    return value;
  }

  [[nodiscard]] NoiseLength length() const {
    std::string_view rest = text;
    NoiseLength length(0.0, default_unit);
    if (!take_number(rest, length.value)) {
      fail("a length such as 0.01 or 0.5spacing");
    }
    rest = trimmed(rest);
    if (!rest.empty()) {
      length.unit = noise_unit(rest);
    }
    return length;
  }

  [[nodiscard]] Vec3 vector() const {
    const std::vector<std::string_view> parts = split(text, ',');
    Vec3 value = Vec3::Zero();
    bool holds = parts.size() == 3;
    for (std::size_t i = 0; holds && i < 3; ++i) {
      std::string_view rest = parts[i];
      holds = take_number(rest, value[static_cast<Eigen::Index>(i)]) && rest.empty();
    }
    if (!holds) {
      fail("three numbers such as 0,0,1");
    }
    return value;
  }
};

template <class Step>
struct Option {
  NoiseOption description;
  std::function<void(Step&, const OptionValue&)> set;
};

template <class Step>
using Options = std::vector<Option<Step>>;

// Options that several kinds have.

NoiseOption viewpoint_option() {
  return {"viewpoint", "X,Y,Z", "position of the sensor (default: the viewpoint in the file)"};
}

NoiseOption share_option() {
  return {"share", "X", "share of the points, chosen at random (default: all; for outliers and halo 0.05)"};
}

NoiseOption attribute_option() {
  return {"attribute", "NAME",
          "attribute of the file with each point's standard deviation in multiples of sigma (1 if not given); for "
          "misregistration, with the number of its scan"};
}

/// What every random displacement has.
Options<RandomDisplacement> displacement_options(const Options<RandomDisplacement>& own) {
  using Step = RandomDisplacement;
  Options<Step> options = {{{"sigma", "LENGTH", "standard deviation, in each direction in which points are moved"},
                            [](Step& step, const OptionValue& value) { step.sigma = value.length(); }}};
  options.insert(options.end(), own.begin(), own.end());
  options.insert(options.end(),
                 {{{"along", "all|normal|sight|X,Y,Z",
                    "direction: all (default), the normal of the surface, the line of sight from the viewpoint, or a "
                    "fixed direction"},
                   [](Step& step, const OptionValue& value) {
                     if (value.text == "all") {
                       step.along = NoiseDirection::isotropic;
                     } else if (value.text == "normal") {
                       step.along = NoiseDirection::normal;
                     } else if (value.text == "sight") {
                       step.along = NoiseDirection::line_of_sight;
                     } else if (value.text.find(',') != std::string_view::npos) {
                       step.along = NoiseDirection::fixed;
                       step.direction = value.vector();
                     } else {
                       value.fail("all, normal, sight, or a direction such as 0,0,1");
                     }
                   }},
                  {viewpoint_option(), [](Step& step, const OptionValue& value) { step.viewpoint = value.vector(); }},
                  {{"growth", "constant|linear|quadratic",
                    "how the standard deviation depends on the distance from the viewpoint (default: constant)"},
                   [](Step& step, const OptionValue& value) {
                     if (value.text == "constant") {
                       step.growth = NoiseGrowth::constant;
                     } else if (value.text == "linear") {
                       step.growth = NoiseGrowth::linear;
                     } else if (value.text == "quadratic") {
                       step.growth = NoiseGrowth::quadratic;
                     } else {
                       value.fail("constant, linear or quadratic");
                     }
                   }},
                  {{"range", "LENGTH",
                    "the distance at which the standard deviation is sigma (default: the mean distance of the points)"},
                   [](Step& step, const OptionValue& value) { step.range = value.length(); }},
                  {attribute_option(), [](Step& step, const OptionValue& value) { step.attribute = value.text; }},
                  {share_option(), [](Step& step, const OptionValue& value) { step.share = value.number(); }}});
  return options;
}

/// A kind of step: its options, what it starts from, and the options it cannot do without.
struct Kind {
  NoiseKind description;
  std::vector<std::string> required;
  std::function<void(NoiseStep&, const OptionValue&)> set;
  NoiseStep start;
};

template <class Step>
Kind make_kind(std::string name, std::string meaning, const Step& start, const Options<Step>& options,
               std::vector<std::string> required) {
  Kind kind{{std::move(name), std::move(meaning), {}}, std::move(required), {}, start};
  for (const Option<Step>& option : options) {
    kind.description.options.push_back(option.description);
  }
  kind.set = [options](NoiseStep& step, const OptionValue& value) {
    const auto found = std::ranges::find(options, value.option,
                                         [](const Option<Step>& o) -> std::string_view { return o.description.name; });
    if (found == options.end()) {
      std::vector<std::string> names;
      for (const Option<Step>& option : options) {
        names.push_back(option.description.name);
      }
      throw Error(
          fmt::format("{}: there is no option \"{}\"; there are {}", value.kind, value.option, fmt::join(names, ", ")));
    }
    found->set(std::get<Step>(step), value);
  };
  return kind;
}

Kind displacement_kind(NoiseDistribution distribution, std::string name, std::string meaning,
                       const Options<RandomDisplacement>& own = {}, std::vector<std::string> required = {}) {
  return make_kind(std::move(name), std::move(meaning), RandomDisplacement{.distribution = distribution},
                   displacement_options(own), std::move(required));
}

std::vector<Kind> make_kinds() {
  using Displacement = RandomDisplacement;
  const Option<Quantisation> step = {{"step", "LENGTH", "size of the steps"},
                                     [](Quantisation& s, const OptionValue& value) { s.step = value.length(); }};
  const Option<Outliers> share = {share_option(),
                                  [](Outliers& s, const OptionValue& value) { s.share = value.number(); }};
  return {
      displacement_kind(
          NoiseDistribution::gaussian, "gaussian", "normally distributed",
          {{{"correlation", "LENGTH", "distance over which displacements are correlated (default: uncorrelated)"},
            [](Displacement& s, const OptionValue& value) { s.correlation = value.length(); }}}),
      displacement_kind(NoiseDistribution::uniform, "uniform", "uniformly distributed up to 1.7 sigma"),
      displacement_kind(NoiseDistribution::laplace, "laplace", "Laplace distributed: more small and more large errors"),
      displacement_kind(NoiseDistribution::student_t, "student-t",
                        "distributed as Student's t: mostly small errors, and some very large",
                        {{{"degrees", "X", "degrees of freedom, above 2; fewer have heavier tails (default: 3)"},
                          [](Displacement& s, const OptionValue& value) { s.degrees_of_freedom = value.number(); }}}),
      displacement_kind(NoiseDistribution::periodic, "periodic", "a wave over the surface",
                        {{{"wavelength", "LENGTH", "of the wave"},
                          [](Displacement& s, const OptionValue& value) { s.wavelength = value.length(); }}},
                        {"wavelength"}),
      make_kind<Quantisation>("quantise", "rounds coordinates", {}, {step}, {"step"}),
      make_kind<Quantisation>(
          "quantise-depth", "rounds the depth from the viewpoint", {.depth = true},
          {step,
           {viewpoint_option(), [](Quantisation& s, const OptionValue& value) { s.viewpoint = value.vector(); }},
           {{"axis", "X,Y,Z", "direction in which depth is measured (default: from the viewpoint to the centre)"},
            [](Quantisation& s, const OptionValue& value) { s.axis = value.vector(); }}},
          {"step"}),
      make_kind<Outliers>("outliers", "moves a share of the points to random places in the bounding box", {},
                          {share,
                           {{"margin", "X", "enlargement of the box on each side, relative to its size (default: 0)"},
                            [](Outliers& s, const OptionValue& value) { s.margin = value.number(); }}},
                          {}),
      make_kind<Outliers>("halo", "moves a share of the points off the surface, up to a distance", {},
                          {share,
                           {{"distance", "LENGTH", "maximum distance"},
                            [](Outliers& s, const OptionValue& value) { s.halo = value.length(); }}},
                          {"distance"}),
      make_kind<Misregistration>(
          "misregistration", "divides the cloud into scans and moves each rigidly", {},
          {{{"scans", "N", "number of scans, to which points are assigned at random (default: 2)"},
            [](Misregistration& s, const OptionValue& value) {
              const double number = value.number();
              if (!(number >= 1.0 && number <= 1e6 && number == std::floor(number))) {
                value.fail("a whole number from 1 to 1000000");
              }
              s.scans = static_cast<std::size_t>(number);
            }},
           {attribute_option(), [](Misregistration& s, const OptionValue& value) { s.attribute = value.text; }},
           {{"shift", "LENGTH", "distance by which each scan is moved, in a random direction"},
            [](Misregistration& s, const OptionValue& value) { s.shift = value.length(); }},
           {{"angle", "DEGREES", "angle by which each scan is rotated, about a random axis through the centre"},
            [](Misregistration& s, const OptionValue& value) { s.angle = value.number(); }}},
          {}),
  };
}

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = make_kinds();
  return all;
}

}  // namespace

const std::vector<std::string>& noise_unit_names() {
  static const std::vector<std::string> names = {"absolute", "spacing", "diameter", "sqrt-diameter", "radius"};
  return names;
}

NoiseUnit noise_unit(std::string_view name) {
  const auto found = std::ranges::find(noise_unit_names(), name);
  if (found == noise_unit_names().end()) {
    throw Error(fmt::format("there is no unit \"{}\"; there are {}", name, fmt::join(noise_unit_names(), ", ")));
  }
  return static_cast<NoiseUnit>(found - noise_unit_names().begin());
}

const std::vector<NoiseKind>& noise_kinds() {
  static const std::vector<NoiseKind> all = [] {
    std::vector<NoiseKind> descriptions;
    std::ranges::transform(kinds(), std::back_inserter(descriptions), &Kind::description);
    return descriptions;
  }();
  return all;
}

NoiseStep parse_noise(std::string_view text, std::optional<NoiseLength> sigma, NoiseUnit unit) {
  const std::vector<std::string_view> parts = split(text, ':');
  const auto kind =
      std::ranges::find(kinds(), parts.front(), [](const Kind& k) -> std::string_view { return k.description.name; });
  if (kind == kinds().end()) {
    std::vector<std::string> names;
    std::ranges::transform(noise_kinds(), std::back_inserter(names), &NoiseKind::name);
    const std::string suggestion = did_you_mean(parts.front(), names);
    throw Error(fmt::format("there is no noise of the kind \"{}\"{}{} {}", parts.front(), suggestion,
                            suggestion.empty() ? "; there are" : " There are", fmt::join(names, ", ")));
  }
  NoiseStep step = kind->start;
  std::set<std::string_view> given;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::size_t equals = parts[i].find('=');
    if (equals == std::string_view::npos) {
      throw Error(fmt::format("{}: \"{}\" is not OPTION=VALUE", parts.front(), parts[i]));
    }
    const std::string_view option = trimmed(parts[i].substr(0, equals));
    if (!given.insert(option).second) {
      throw Error(fmt::format("{}: {} is given twice", parts.front(), option));
    }
    kind->set(step, {parts.front(), option, trimmed(parts[i].substr(equals + 1)), unit});
  }
  for (const std::string& option : kind->required) {
    if (!given.contains(option)) {
      throw Error(fmt::format("{}: {} is missing", parts.front(), option));
    }
  }
  if (std::holds_alternative<Misregistration>(step) && !given.contains("shift") && !given.contains("angle")) {
    throw Error(fmt::format("{}: shift or angle is missing", parts.front()));
  }
  if (auto* displacement = std::get_if<RandomDisplacement>(&step);
      displacement != nullptr && !given.contains("sigma")) {
    if (displacement->attribute.empty() && !sigma) {
      throw Error(fmt::format("{}: sigma is missing", parts.front()));
    }
    displacement->sigma = sigma.value_or(1.0);
  }
  try {
    std::visit([](const auto& one) { check(one); }, step);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", parts.front(), error.what()));
  }
  return step;
}

}  // namespace burnish
