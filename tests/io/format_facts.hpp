#pragma once

#include <array>
#include <cstddef>

// What the files in the folders formats and scans of the test data hold, found without burnish: by a separate reader
// (numpy, struct; 74 of the 96 files Open3D 0.16 can read agree, and it splits or refuses the others).

namespace burnish {

struct FormatFacts {
  const char* path;
  std::size_t points;
  std::size_t finite;
  std::array<double, 3> low;
  std::array<double, 3> high;
};

inline constexpr FormatFacts format_facts[] = {
@FACTS@
};

/// Files that are to be refused, and a part of why.
struct RefusedFile {
  const char* path;
  const char* reason;
};

inline constexpr RefusedFile refused_files[] = {
@REFUSED@
};

}  // namespace burnish
