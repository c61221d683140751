#include "page_template.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "burnish/error.hpp"

namespace burnish::cli {
namespace {

std::vector<std::filesystem::path> places() {
  if (const char* given = std::getenv("BURNISH_VIEWER")) {  // NOLINT(concurrency-mt-unsafe): nothing sets it
    return {given};
  }
  std::error_code ignored;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
  return {folder / "viewer.html", folder.parent_path() / "share" / "burnish" / "viewer.html"};
}

}  // namespace

std::string page_template() {
  for (const auto& place : places()) {
    std::ifstream file(place, std::ios::binary);
    try {
      if (file) {
        return {std::istreambuf_iterator<char>(file), {}};
      }
    } catch (const std::ios_base::failure& failure) {  // a disk that fails; streams do not tell the name
      throw Error(fmt::format("{}: cannot be read: {}", place.string(), failure.code().message()));
    }
  }
  throw Error(fmt::format(
      "{}: the page to fill in is missing. ./run view builds it; so does cmake --build … --target burnish_viewer "
      "(needs node and npm)",
      places().front().string()));
}

}  // namespace burnish::cli
