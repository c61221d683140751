#pragma once

#include <string>
#include <vector>

namespace burnish::cli {

/// Names for files on pages and pictures: without folders, except those that distinguish two files of the same name. A
/// file that appears more than once gets a number.
[[nodiscard]] std::vector<std::string> names_to_show(const std::vector<std::string>& paths);

}  // namespace burnish::cli
