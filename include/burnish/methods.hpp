#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "burnish/denoise.hpp"
#include "burnish/error.hpp"
#include "burnish/execution.hpp"
#include "burnish/point_cloud.hpp"

// Every method and its options by name, as in `burnish denoise --method NAME --OPTION VALUE`, for programs that let
// their users choose. The methods themselves are in denoise.hpp, glr.hpp and baselines.hpp.

namespace burnish {

/// An unknown method or option, or an invalid value of an option.
class WrongOption : public Error {
 public:
  explicit WrongOption(const std::string& message) : Error(message, ErrorKind::wrong_option) {}
};

/// Values by name of option, spelt as on the command line: {{"filter-scale", "4"}, {"laplacian", "normalised"}}.
using MethodOptions = std::map<std::string, std::string, std::less<>>;

/// An option of a method. A name has the same meaning in every method that has it.
struct MethodOption {
  std::string name;           ///< "filter-scale"
  std::string type;           ///< form of a value: "X" a number, "N" an integer, "yes|no" one of these words
  std::string meaning;        ///< one line
  std::string default_value;  ///< as text; empty: estimated from the data
};

/// Diagnostics of a method: a name and a value, which may be a list, or further names and values.
struct Diagnostic {
  std::string name;
  std::variant<bool, std::uint64_t, double, std::string, std::vector<std::uint32_t>, std::vector<Diagnostic>,
               std::vector<std::vector<Diagnostic>>>
      value;
};

struct MethodResult {
  /// Point i is input point i, moved.
  std::vector<Vec3> positions;
  /// A value for each point, with the names listed in Method::attributes.
  std::vector<Column> attributes;
  std::vector<Diagnostic> diagnostics;
  /// The most important diagnostics as text: "spacing 0.41, noise 0.19 ± 0.01; …".
  std::string summary;
  /// Doubts about the result, a sentence each: no surface was found, a solver did not converge. Options are named in
  /// backquotes, in the summary too: `solver-steps`.
  std::vector<std::string> warnings;
};

/// The findings of the default as the result of a method: its summary, diagnostics and warnings.
[[nodiscard]] MethodResult describe(const DenoiseFindings& found);

/// The settings for given options of the method auto. Throws WrongOption.
[[nodiscard]] DenoiseSettings denoise_settings(const MethodOptions& options);

/// A method with its options set. Normals of the points are used by methods that need normals; if the second span is
/// empty, they estimate them. Throws Error if the result of a finite point is not finite.
using PreparedMethod = std::function<MethodResult(std::span<const Vec3> positions, std::span<const Vec3> normals,
                                                  const ExecutionContext& context)>;

/// A value that a method reports for every point.
struct PointAttribute {
  std::string name;     ///< "noise"
  std::string meaning;  ///< one line
};

struct Method {
  std::string name;
  std::string description;  ///< one line
  std::vector<MethodOption> options;
  std::vector<PointAttribute> attributes;
  /// Throws WrongOption if an option is not one of these or its value is invalid.
  std::function<PreparedMethod(const MethodOptions&)> prepare;

  [[nodiscard]] const MethodOption* find_option(std::string_view option) const;
};

/// A value for each point, with the names listed in Method::attributes of the default, from its result.
[[nodiscard]] std::vector<Column> attributes_of(std::span<const Vec3> before, DenoiseResult found);

/// The default with settings, for those that are not options: DenoiseSettings::scanner_positions.
[[nodiscard]] PreparedMethod prepare(const DenoiseSettings& settings);

/// The method auto with a given analysis instead of options.
[[nodiscard]] PreparedMethod prepare(const Analysis& analysis);

/// All methods: auto, glr, then the baselines.
[[nodiscard]] const std::vector<Method>& methods();

/// Throws WrongOption, listing the methods, if there is none of that name.
[[nodiscard]] const Method& find_method(std::string_view name);

/// Runs a method: run_method("apss", cloud.positions, {{"filter-scale", "4"}}).positions.
[[nodiscard]] MethodResult run_method(std::string_view name, std::span<const Vec3> positions,
                                      const MethodOptions& options = {}, const ExecutionContext& context = {},
                                      std::span<const Vec3> normals = {});

}  // namespace burnish
