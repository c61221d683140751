#pragma once

// The version of the library: major.minor.patch. Programs that are linked to a shared library work with any library of
// the same major and minor version.

#define BURNISH_VERSION_MAJOR 0
#define BURNISH_VERSION_MINOR 1
#define BURNISH_VERSION_PATCH 0

namespace burnish {

/// The version of the library that is loaded, such as "0.1.0"; it may differ from that of the headers.
[[nodiscard]] const char* version() noexcept;

}  // namespace burnish
