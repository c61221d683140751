#include "las_facts.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "little_endian.hpp"

// Places in the header are those of the LAS specification, 1.0 to 1.4.

namespace burnish::cli {

Json las_facts(std::string_view header) {
  Json facts = Json::object();
  const auto major = number_at<std::uint8_t>(header, 24);
  const auto minor = number_at<std::uint8_t>(header, 25);
  const auto format = number_at<std::uint8_t>(header, 104);
  if (major && minor && format) {
    facts["version"] = fmt::format("{}.{}", *major, *minor);
    facts["point_format"] = *format & 0x3F;
  }
  const auto x = number_at<double>(header, 131);
  const auto y = number_at<double>(header, 139);
  const auto z = number_at<double>(header, 147);
  if (x && y && z) {
    facts["scale"] = {*x, *y, *z};
  }
  return facts;
}

}  // namespace burnish::cli
