#include "core/scanner_places.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "core/from_chars.hpp"

// Most formats keep comments, so positions are stored in these.

namespace burnish {
namespace {

/// The three numbers at the start of a text, if there are three.
std::optional<Vec3> parse_place(std::string_view text) {
  Vec3 place;
  for (const Eigen::Index axis : {0, 1, 2}) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    const auto [end, error] = from_chars(text.data(), text.data() + text.size(), place[axis]);
    if (error != std::errc() || !std::isfinite(place[axis])) {
      return std::nullopt;
    }
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
  return place;
}

}  // namespace

std::optional<Vec3> viewpoint_of(const PointCloud& cloud) {
  constexpr std::string_view keyword = "VIEWPOINT";
  for (const std::string_view comment : cloud.comments) {
    if (comment.starts_with(keyword)) {
      if (const std::optional<Vec3> place = parse_place(comment.substr(keyword.size()))) {
        return place;
      }
    }
  }
  return std::nullopt;
}

bool is_scan_comment(std::string_view comment) {
  return comment.starts_with("PTX scan ") || comment.starts_with("E57 scan ");
}

std::vector<Vec3> scanner_places(const PointCloud& cloud) {
  constexpr std::string_view words = ", scanner at ";
  std::vector<Vec3> places;
  for (const std::string_view comment : cloud.comments) {
    if (!is_scan_comment(comment)) {
      continue;
    }
    const std::size_t found = comment.rfind(words);
    const std::optional<Vec3> place =
        found == comment.npos ? std::nullopt : parse_place(comment.substr(found + words.size()));
    if (!place) {
      return {};
    }
    places.push_back(*place);
  }
  return places;
}

std::vector<Vec3> scanner_positions_of(const PointCloud& cloud) {
  const std::vector<Vec3> places = scanner_places(cloud);
  if (places.size() == 1) {
    std::vector<Vec3> positions(cloud.size(), places.front());
    return positions;
  }
  const auto scans = numbers_of(cloud, "scan");
  if (places.empty() || !scans) {
    return {};
  }
  std::vector<Vec3> positions;
  for (const double scan : *scans) {
    if (!(scan >= 0 && scan < static_cast<double>(places.size()))) {
      return {};
    }
    positions.push_back(places[static_cast<std::size_t>(scan)]);
  }
  return positions;
}

}  // namespace burnish
