#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "burnish/error.hpp"
#include "fuzz/fuzz.hpp"
#include "tiles/tile_method.hpp"

// The fuzzer's targets for the scratch folder, on bytes drawn at random and on a plan whose numbers are others.

namespace burnish {
namespace {

TEST(Fuzz, NoTileBreaksAPromise) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 200; ++i) {
    std::vector<std::uint8_t> bytes(random() % 1000);
    const std::uint8_t mask = i % 2 == 0 ? 0xFF : 0x03;  // few values: rows that are there, and small numbers
    for (std::uint8_t& byte : bytes) {
      byte = static_cast<std::uint8_t>(random()) & mask;
    }
    fuzz::run_tile(bytes);
  }
}

TEST(Fuzz, NoPlanBreaksAPromise) {
  std::ifstream file(BURNISH_SOURCE_DIR "/tests/fuzz/seeds/plan.json");
  const std::string seed{std::istreambuf_iterator<char>(file), {}};
  ASSERT_FALSE(seed.empty());
  const auto feed = [](const std::string& text) {
    fuzz::run_plan({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  };
  // What the seed asks for can be done; otherwise nothing below would get far.
  tiles::TilingPlan plan;
  plan.method = nlohmann::json::parse(seed).at("method").get<std::string>();
  EXPECT_NO_THROW(static_cast<void>(tiles::method_of(plan)));
  plan.method.replace(plan.method.find("\"patch_size\":12"), 15, "\"patch_size\":0");
  EXPECT_THROW(static_cast<void>(tiles::method_of(plan)), Error);
  feed(seed);
  constexpr auto values = std::to_array<const char*>(
      {"0", "-1", "1e-300", "1e300", "4294967295", "18446744073709551615", "1e9", "null", "[]", "\\\"\\\""});
  for (std::size_t at = seed.find_first_of("0123456789"); at != std::string::npos;) {
    const std::size_t end = seed.find_first_not_of("0123456789.", at);
    for (const char* value : values) {
      feed(seed.substr(0, at) + value + seed.substr(end));
    }
    at = seed.find_first_of("0123456789", end);
  }
}

}  // namespace
}  // namespace burnish
