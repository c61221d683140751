#include "page_template.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "burnish/error.hpp"
#include "burnish/io.hpp"

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
    if (std::filesystem::exists(place)) {
      return read_file(place);
    }
  }
  throw Error(fmt::format(
      "{}: the page template is missing. ./run view builds it; so does cmake --build … --target burnish_viewer "
      "(needs node and npm)",
      places().front().string()));
}

}  // namespace burnish::cli
