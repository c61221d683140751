#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "after_denoising.hpp"
#include "command.hpp"
#include "methods.hpp"
#include "selection.hpp"

// What `burnish denoise` is asked to do.

namespace burnish::cli {

struct DenoiseOptions {
  std::string input;
  std::string output;
  std::vector<std::string> others;  ///< the output, or with a folder for outputs further inputs
  std::string folder;
  std::string method;  ///< empty: auto, unless there is a preset, which is GLR's
  MethodOptions parameters;
  PointFilter selection;
  Normals normals = Normals::update;
  bool is_dry = false;
  bool remove_outliers = false;
  bool mark_outliers = false;
  std::vector<std::string> attributes;  ///< of each point, to be written
  std::string index_map;                ///< file for the rows of the input that are left
  std::string memory;                   ///< empty: what the machine has
  std::string scratch;
  bool resume = false;

  [[nodiscard]] std::uint64_t memory_limit() const;
};

/// Adds all of them to the command, with its examples.
void add_denoise_options(CLI::App& command, DenoiseOptions& options, Common& common);

/// The method named, or the one that has presets where one is given.
[[nodiscard]] const Method& chosen_method(const DenoiseOptions& options);

/// Throws WrongOption if the method, or the output's format, cannot do what is asked.
void check_options(const DenoiseOptions& options, const Method& method);

}  // namespace burnish::cli
