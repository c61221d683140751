#include "coordinate_reference.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

#include "little_endian.hpp"

namespace burnish::cli {
namespace {

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

/// The reference in the records of a LAS file, those in the header or, with a longer size, those behind the points.
template <class Size>
std::string reference_in_records(std::string_view bytes) {
  constexpr std::string_view user = "LASF_Projection";
  constexpr std::size_t user_length = 16;
  constexpr std::size_t description_length = 32;
  constexpr std::uint16_t wkt_record = 2112;
  constexpr std::uint16_t geo_keys_record = 34735;
  std::string found;
  for (std::size_t at = bytes.find(user); at != bytes.npos && found.empty(); at = bytes.find(user, at + 1)) {
    const std::size_t content = at + user_length + sizeof(std::uint16_t) + sizeof(Size) + description_length;
    const auto record = number_at<std::uint16_t>(bytes, at + user_length).value_or(0);
    const auto size = number_at<Size>(bytes, at + user_length + sizeof(std::uint16_t)).value_or(0);
    if (content <= bytes.size()) {
      const std::string_view text = bytes.substr(content, static_cast<std::size_t>(size));
      found = record == wkt_record ? name_in_wkt(text) : record == geo_keys_record ? code_in_geo_keys(text) : "";
    }
  }
  return found;
}

/// That of the element coordinateMetadata, which is WKT.
std::string reference_in_xml(std::string_view xml) {
  constexpr std::string_view element = "coordinateMetadata";
  const std::size_t begin = xml.find(element);
  const std::size_t end = begin == xml.npos ? xml.npos : xml.find(element, begin + element.size());
  if (end == xml.npos) {
    return "";
  }
  std::string wkt(xml.substr(begin, end - begin));
  for (std::size_t at = wkt.find("&quot;"); at != wkt.npos; at = wkt.find("&quot;", at)) {
    wkt.replace(at, 6, "\"");
  }
  return name_in_wkt(wkt);
}

}  // namespace

std::string coordinate_reference(const PointCloud& cloud) {
  const auto part = [&](const char* key) {
    const auto found = cloud.format_data.find(key);
    return found == cloud.format_data.end() ? std::string_view() : std::string_view(found->second);
  };
  const std::string in_header = reference_in_records<std::uint16_t>(part("las header"));
  const std::string in_las = in_header.empty() ? reference_in_records<std::uint64_t>(part("las trailer")) : in_header;
  return in_las.empty() ? reference_in_xml(part("e57 xml")) : in_las;
}

}  // namespace burnish::cli
