#include "names_to_show.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

namespace burnish::cli {
namespace {

/// The last parts of a path: its name, and `folders` of the folders it is in.
std::string end_of(const std::filesystem::path& path, std::size_t folders) {
  const std::vector<std::filesystem::path> parts(path.begin(), path.end());
  std::filesystem::path end;
  for (std::size_t i = parts.size() - std::min(parts.size(), folders + 1); i < parts.size(); ++i) {
    end /= parts[i];
  }
  return end.string();
}

}  // namespace

std::vector<std::string> names_to_show(const std::vector<std::string>& paths) {
  std::map<std::string, std::set<std::string>> files_named;  // by name
  for (const std::string& path : paths) {
    files_named[end_of(path, 0)].insert(path);
  }
  std::vector<std::string> names;
  std::map<std::string, int> times;
  for (const std::string& path : paths) {
    const std::set<std::string>& alike = files_named[end_of(path, 0)];
    std::size_t folders = 0;
    const auto is_shared = [&](const std::string& other) {
      return other != path && end_of(other, folders) == end_of(path, folders) && end_of(path, folders) != path;
    };
    while (std::ranges::any_of(alike, is_shared)) {
      ++folders;
    }
    const int time = ++times[path];
    names.push_back(end_of(path, folders) + (time > 1 ? " (" + std::to_string(time) + ")" : ""));
  }
  return names;
}

}  // namespace burnish::cli
