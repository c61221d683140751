#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "command.hpp"
#include "study_file.hpp"

// A study is a block of cells, model × noise level × row of the tables, each computed by itself and kept in a file.

namespace burnish::cli {

/// A row of the tables: the noisy clouds, a method, or a method with one value of its varied option.
struct StudyRow {
  std::string name;
  const StudyMethod* method = nullptr;  ///< nullptr: the noisy clouds as they are
  std::string value;                    ///< of the varied option
};

struct StudyCell {
  MethodOptions options;
  /// {"metrics": {…}, "seconds": …, "cpu_seconds": …, "peak_memory": …}; null if it failed.
  Json result;
  std::string error;
  std::filesystem::path clean;  ///< the cloud to compare with
  std::filesystem::path cloud;  ///< the denoised cloud, if it is to be drawn
};

struct StudyResults {
  const Study& study;
  std::vector<StudyRow> rows;
  std::vector<StudyCell> cells;  ///< by row, model and level

  [[nodiscard]] const StudyCell& cell(std::size_t row, std::size_t model, std::size_t level) const {
    return cells[(row * study.models.size() + model) * study.levels.size() + level];
  }
  [[nodiscard]] std::size_t failed() const;
};

/// A level as it is written in tables and names.
[[nodiscard]] std::string level_name(double level);

/// Whether cells of that model and level are to be drawn.
[[nodiscard]] bool is_pictured(const Study& study, std::size_t model, std::size_t level);

/// Computes all cells that are not in `out` yet, from an earlier run, with the same definition. A cell that fails does
/// not stop the rest. Throws Error if a file of the data is missing.
[[nodiscard]] StudyResults run_study(const Study& study, const std::filesystem::path& data,
                                     const std::filesystem::path& out, const Common& common);

}  // namespace burnish::cli
