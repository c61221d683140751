#include <gtest/gtest.h>

#include <random>

#include "burnish/methods.hpp"
#include "fuzz/fuzz.hpp"

// The fuzzer's target for methods on clouds drawn at random: lattices, lines, planes, duplicates, anything.

namespace burnish {
namespace {

TEST(Fuzz, NoCloudBreaksAMethod) {
  std::mt19937_64 random(5);
  for (std::size_t method = 0; method < methods().size(); ++method) {
    for (unsigned kinds = 0; kinds < 256; kinds += 7) {
      std::vector<std::uint8_t> bytes(3 + random() % 1500);
      const std::uint8_t mask = random() % 2 == 0 ? 0xFF : 0x03;  // few values: many duplicates
      for (std::uint8_t& byte : bytes) {
        byte = static_cast<std::uint8_t>(random()) & mask;
      }
      bytes[0] = static_cast<std::uint8_t>(method);
      bytes[1] = static_cast<std::uint8_t>(kinds);
      SCOPED_TRACE(methods()[method].name);
      fuzz::run_methods(bytes);
    }
  }
}

}  // namespace
}  // namespace burnish
