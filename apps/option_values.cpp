#include "option_values.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <vector>

namespace burnish::cli {

CLI::Validator above_zero() {
  return CLI::Validator(
      [](const std::string& text) {
        double number = 0.0;
        return CLI::detail::lexical_cast(text, number) && number > 0.0
                   ? std::string()
                   : fmt::format("\"{}\" is not a number above 0", text);
      },
      "");
}

Box parse_box(const std::string& text) {
  const std::vector<std::string> words = CLI::detail::split(text, ',');
  std::array<double, 6> numbers{};
  bool is_sound = words.size() == numbers.size();
  for (std::size_t i = 0; is_sound && i < numbers.size(); ++i) {
    is_sound = CLI::detail::lexical_cast(words[i], numbers[i]) && std::isfinite(numbers[i]);
  }
  if (!is_sound) {
    throw CLI::ValidationError("--box", fmt::format("found \"{}\", expected X,Y,Z,X,Y,Z", text));
  }
  const Vec3 one(numbers[0], numbers[1], numbers[2]);
  const Vec3 other(numbers[3], numbers[4], numbers[5]);
  return {one.cwiseMin(other), one.cwiseMax(other)};
}

}  // namespace burnish::cli
