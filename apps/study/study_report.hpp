#pragma once

#include "study_cells.hpp"
#include "text_table.hpp"

namespace burnish::cli {

/// One metric of a study as the paper has it: a row for every noise level and method, a column for every model, and
/// their mean.
[[nodiscard]] TextTable metric_table(const StudyResults& results, const StudyMetric& metric);

/// Writes what a study found into its folder: results.csv with every cell, results.md with tables, plots and pictures,
/// each table as table-*.csv, each plot as *.svg, pictures as *.png.
void write_study_report(const StudyResults& results, const std::filesystem::path& out, ExecutionContext& context);

}  // namespace burnish::cli
