#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "burnish/baselines.hpp"
#include "command.hpp"

// The baselines as methods of `burnish denoise`: one table, and the options they share.

namespace burnish::cli {

/// What was given on the command line; what was not is the method's default.
struct BaselineOptions {
  std::optional<double> filter_scale;
  std::optional<double> repulsion;
  std::optional<double> data_fitting;
  std::optional<unsigned> iterations;
};

struct Baseline {
  std::string name;
  std::string help;
  std::vector<std::string> options;  ///< those it understands
  std::function<BaselineResult(std::span<const Vec3>, const BaselineOptions&, const ExecutionContext&)> run;
};

[[nodiscard]] const std::vector<Baseline>& baselines();

/// The baseline of that name, or nullptr.
[[nodiscard]] const Baseline* find_baseline(const std::string& method);

/// Adds the options of the baselines to `burnish denoise`, except --iterations, which GLR has too.
void add_baseline_options(CLI::App& command, BaselineOptions& options);

/// For methods that are none of the baselines: it is wrong usage to give them options of these.
void refuse_baseline_options(const BaselineOptions& options, const std::string& method);

/// `burnish denoise --method NAME` for a baseline. Options that the method does not have are wrong usage.
void denoise_by_baseline(const CLI::App& command, const Baseline& method, BaselineOptions options,
                         const std::string& input, const std::string& output, const Common& common);

}  // namespace burnish::cli
