#include "scan_facts.hpp"

#include <cstdint>
#include <regex>

namespace burnish::cli {
namespace {

/// Written by burnish when it reads E57 and PTX files; they survive in PLY, PCD and text files.
bool match(const std::string& comment, std::smatch& found) {
  static const std::regex form(
      "(?:E57|PTX) scan (?:\"(.*)\" )?of (?:(\\d+) points|(\\d+) columns and (\\d+) rows)"
      "(?:, scanner at (\\S+) (\\S+) (\\S+))?(?:, rotation (\\S+) (\\S+) (\\S+) (\\S+))?");
  constexpr std::size_t longest = 400;  // burnish writes no longer ones, and the regular expression is recursive
  return comment.size() <= longest && std::regex_match(comment, found, form);
}

template <class Number>
Json number(const std::string& text) {
  const Json value = Json::parse(text, nullptr, false);  // burnish writes them as JSON does
  return value.is_number() ? Json(value.get<Number>()) : Json();
}

}  // namespace

bool is_scan_comment(const std::string& comment) {
  std::smatch found;
  return match(comment, found);
}

Json scan_facts(const std::vector<std::string>& comments) {
  Json scans = Json::array();
  for (const std::string& comment : comments) {
    std::smatch found;
    if (!match(comment, found)) {
      continue;
    }
    Json scan = Json::object();
    if (found[1].matched) {
      scan["name"] = found[1].str();
    }
    for (const auto& [group, key] : {std::pair(2, "points"), {3, "columns"}, {4, "rows"}}) {
      if (found[group].matched) {
        scan[key] = number<std::uint64_t>(found[group].str());
      }
    }
    const auto add_numbers = [&](const char* key, int first, int count) {
      for (int i = first; i < first + count && found[first].matched; ++i) {
        scan[key].push_back(number<double>(found[i].str()));
      }
    };
    add_numbers("scanner", 5, 3);
    add_numbers("rotation", 8, 4);
    scans.push_back(std::move(scan));
  }
  return scans;
}

}  // namespace burnish::cli
