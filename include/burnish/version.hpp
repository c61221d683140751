#pragma once

// The version of the library: major.minor.patch. Programs that are linked to a shared library work with any other of
// the same major and minor version.

#define BURNISH_VERSION_MAJOR 0
#define BURNISH_VERSION_MINOR 1
#define BURNISH_VERSION_PATCH 0

namespace burnish {

/// The same of the library that the program runs with, which may be another than that it was compiled with: "0.1.0".
[[nodiscard]] const char* version() noexcept;

}  // namespace burnish
