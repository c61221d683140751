#include "las_facts.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>

// Places in the header are those of the LAS specification, 1.0 to 1.4.

namespace burnish::cli {
namespace {

/// A number of the file, which is little-endian; nothing if the bytes end before it.
template <class Number>
std::optional<Number> number_at(std::string_view bytes, std::size_t place) {
  if (place + sizeof(Number) > bytes.size()) {
    return std::nullopt;
  }
  Number number;
  std::memcpy(&number, bytes.data() + place, sizeof number);
  return number;
}

/// Names that stand in quotes behind a word of WKT: PROJCS["ETRS89 / UTM zone 32N", …
std::string name_in_wkt(std::string_view wkt) {
  for (const std::string_view word : {"COMPD_CS[\"", "COMPOUNDCRS[\"", "PROJCS[\"", "PROJCRS[\"", "GEOGCS[\"",
                                      "GEOGCRS[\"", "GEOCCS[\"", "LOCAL_CS[\""}) {
    if (const std::size_t begin = wkt.find(word); begin != wkt.npos) {
      const std::string_view rest = wkt.substr(begin + word.size());
      return std::string(rest.substr(0, rest.find('"')));
    }
  }
  return "";
}

/// The code of the projected or else the geographic reference in a directory of GeoTIFF keys.
std::string code_in_geo_keys(std::string_view keys) {
  constexpr std::uint16_t projected = 3072;
  constexpr std::uint16_t geographic = 2048;
  constexpr std::uint16_t user_defined = 32767;
  for (const std::uint16_t wanted : {projected, geographic}) {
    for (std::size_t place = 8; place + 8 <= keys.size(); place += 8) {
      const std::uint16_t code = number_at<std::uint16_t>(keys, place + 6).value_or(0);
      if (number_at<std::uint16_t>(keys, place) == wanted && code > 0 && code < user_defined) {
        return fmt::format("EPSG:{}", code);
      }
    }
  }
  return "";
}

std::string coordinate_reference(std::string_view header) {
  constexpr std::size_t record_header = 54;
  constexpr std::uint16_t wkt_record = 2112;
  constexpr std::uint16_t geo_keys_record = 34735;
  std::size_t place = number_at<std::uint16_t>(header, 94).value_or(0);
  std::string found;
  for (std::uint32_t left = number_at<std::uint32_t>(header, 100).value_or(0); left > 0 && found.empty(); --left) {
    if (place + record_header > header.size()) {
      break;
    }
    const auto length = number_at<std::uint16_t>(header, place + 20).value_or(0);
    const auto record = number_at<std::uint16_t>(header, place + 18).value_or(0);
    const std::string_view content = header.substr(place + record_header, length);
    if (header.substr(place + 2, 15) == "LASF_Projection") {
      found = record == wkt_record ? name_in_wkt(content) : record == geo_keys_record ? code_in_geo_keys(content) : "";
    }
    place += record_header + length;
  }
  return found;
}

}  // namespace

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
  if (const std::string reference = coordinate_reference(header); !reference.empty()) {
    facts["crs"] = reference;
  }
  return facts;
}

}  // namespace burnish::cli
