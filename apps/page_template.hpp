#pragma once

#include <string>

namespace burnish::cli {

/// The page that `burnish view` fills in. It is built from viewer/ by another build step than the program, and looked
/// for beside it, where that step puts it, or where it is installed; the variable BURNISH_VIEWER may name another
/// place. Throws Error, saying how to build it, if it is not there.
[[nodiscard]] std::string page_template();

}  // namespace burnish::cli
