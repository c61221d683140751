#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "burnish/methods.hpp"
#include "burnish/noise.hpp"

// What a study consists of, as its file says; docs/studies.md describes the file.

namespace burnish::cli {

/// Values of options by name, as text: one for all noise levels, or one for each.
using LevelOptions = std::map<std::string, std::vector<std::string>>;

struct StudyModel {
  std::string name;
  // One of these three; files are looked for in the folder of the data.
  std::string cloud;
  std::string mesh;
  std::string shape;
  std::size_t points = 0;  ///< to sample from a mesh or shape, or to thin a cloud to; 0: all of a cloud
  bool poisson_disk = true;
  double diameter = 0.0;  ///< to scale the model to; 0: as it is
  /// Files with the noise already in it, one for each level; none: noise is added.
  std::vector<std::string> noisy;
  bool y_is_up = false;
  /// By name of method: what it is given for this model.
  std::map<std::string, LevelOptions> options;
};

struct StudyMethod {
  std::string name;    ///< in the tables
  std::string method;  ///< in burnish
  LevelOptions options;
  /// Every combination of these values is tried, and the best taken for each model and level.
  std::map<std::string, std::vector<std::string>> search;
  /// An option and values that each make a row of their own; no name: nothing is varied.
  std::string varied;
  std::vector<std::string> values;
};

/// The noise that is added to the models at each level.
struct StudyNoise {
  double factor = 1.0;  ///< sigma = factor × level
  NoiseUnit unit = NoiseUnit::absolute;
  std::vector<std::string> model = {"gaussian"};  ///< as text; steps that give no sigma have that of the level
  std::uint64_t seed = 1;
};

/// The steps of the noise at a level.
[[nodiscard]] NoiseModel noise_at(const StudyNoise& noise, double level);

/// A metric in the tables.
struct StudyMetric {
  std::string key;
  std::string title;
  double factor = 1.0;
};

struct StudyPictures {
  std::vector<std::string> models;
  std::vector<std::string> levels;  ///< as text
};

struct Study {
  std::string title;
  std::string text;
  std::vector<double> levels;
  StudyNoise noise;
  std::string best;  ///< metric by which a search chooses
  std::vector<StudyModel> models;
  std::vector<StudyMethod> methods;
  std::vector<StudyMetric> metrics;
  StudyPictures pictures;
};

/// Reads and checks a study. Throws Error, naming the line, if it cannot be understood.
[[nodiscard]] Study read_study(const std::filesystem::path& path);

}  // namespace burnish::cli
