#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

// Test data that is not ours and therefore not in the repository: ../shared/data beside the project, or the folder
// named by BURNISH_DATA. Where it is missing, tests that need it say so and skip; under CI they fail.

inline std::filesystem::path shared_data() {
  if (const char* folder = std::getenv("BURNISH_DATA")) {
    return folder;
  }
  return std::filesystem::path(BURNISH_SOURCE_DIR).parent_path() / "shared" / "data";
}

#define BURNISH_NEEDS_DATA()                                                                \
  if (!std::filesystem::is_directory(shared_data())) {                                      \
    if (std::getenv("CI")) {                                                                \
      FAIL() << "test data is missing: " << shared_data();                                  \
    }                                                                                       \
    GTEST_SKIP() << "needs the test data in " << shared_data() << " (or set BURNISH_DATA)"; \
  }                                                                                         \
  static_assert(true)
