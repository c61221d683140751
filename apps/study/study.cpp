#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "command.hpp"
#include "study_report.hpp"

namespace burnish::cli {
namespace {

struct StudyOptions {
  std::filesystem::path file;
  std::vector<std::string> models;  ///< none: all
  std::filesystem::path out;
  std::filesystem::path data;
};

/// Leaves only the models of these names.
void keep_models(Study& study, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (std::ranges::find(study.models, name, &StudyModel::name) == study.models.end()) {
      throw CLI::ValidationError("--models", fmt::format("there is no model \"{}\" in the study", name));
    }
  }
  std::erase_if(study.models,
                [&](const StudyModel& model) { return std::ranges::find(names, model.name) == names.end(); });
}

void study(const StudyOptions& options, const Common& common) {
  Study study = read_study(options.file);
  if (!options.models.empty()) {
    keep_models(study, options.models);
  }
  const std::filesystem::path data = options.data.empty() ? options.file.parent_path() : options.data;
  const StudyResults results = run_study(study, data, options.out, common);
  write_study_report(results, options.out, common.context);
  for (const StudyMetric& metric : study.metrics) {
    fmt::print("{}\n{}\n", metric.title, to_text(metric_table(results, metric)));
  }
  common.terminal.report(fmt::format("tables, plots and pictures: {}", (options.out / "results.md").string()));
  if (results.failed() > 0) {
    throw Error(fmt::format("{} of {} cells failed; the same command tries them again", results.failed(),
                            results.cells.size()));
  }
}

}  // namespace

void add_study(CLI::App& app, Common& common) {
  CLI::App* command = app.add_subcommand("study", "Run a whole experiment: models × noise levels × methods");
  const auto options = std::make_shared<StudyOptions>();
  command->add_option("STUDY", options->file, "The study, a TOML file: see docs/studies.md")->required();
  command->add_option("--out", options->out, "Folder for the results; created if necessary")
      ->required()
      ->type_name("DIR");
  command->add_option("--data", options->data, "Folder of the input files (default: that of STUDY)")->type_name("DIR");
  command->add_option("--models", options->models, "Only these models of the study (default: all)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("A,B,…");
  add_common_options(*command, common, false);
  command->footer(
      "Writes results.md with tables, plots and pictures, results.csv with every cell. Cells finished in an\n"
      "earlier run are not computed again, so an interrupted study can be continued.\n"
      "\n"
      "Examples:\n"
      "  burnish study studies/synth.toml --out synth             needs no data\n"
      "  burnish study studies/anchor.toml --data data --out anchor");
  command->callback([options, &common] { study(*options, common); });
}

}  // namespace burnish::cli
