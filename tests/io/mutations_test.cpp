#include <gtest/gtest.h>

#include <array>
#include <random>

#include "files.hpp"
#include "fuzz/fuzz.hpp"

// The targets of the fuzzer on its seeds and on some thousand damaged ones: what ./run fuzz does at length.

namespace burnish {
namespace {

/// The seeds of the repository, and a cloud with some of everything in each format that is written.
std::vector<std::string> seeds() {
  std::vector<std::string> all;
  for (const auto& entry : std::filesystem::directory_iterator(BURNISH_SOURCE_DIR "/tests/fuzz/seeds")) {
    all.push_back(bytes_of(entry.path()));
  }
  const TempFolder folder;
  const PointCloud cloud = read(BURNISH_SOURCE_DIR "/tests/fuzz/seeds/cloud.ply");
  for (const char* name : {"a.ply", "a.pcd", "a.las", "a.laz", "a.copc.laz", "a.e57", "a.npy", "a.bin", "a.off"}) {
    PointCloud fitting = cloud;
    static_cast<void>(fit_to_format(folder / name, fitting));
    write(folder / name, fitting);
    all.push_back(bytes_of(folder / name));
  }
  write(folder / "text.e57", read(BURNISH_SOURCE_DIR "/tests/fuzz/seeds/cloud.csv"));  // which has a column of text
  all.push_back(bytes_of(folder / "text.e57"));
  return all;
}

std::string damaged(std::string content, std::mt19937_64& random) {
  constexpr auto words = std::to_array<std::string_view>(
      {"0", "-1", "18446744073709551615", "4294967295", "1e999", "nan", " ", "\n", "\"", "#", "vertex", "x",
       std::string_view("\0\0\0\0", 4), "\xFF\xFF\xFF\xFF", "\xFF\xFF\xFF\x7F"});
  for (std::size_t changes = 1 + random() % 4; changes > 0 && !content.empty(); --changes) {
    const std::size_t at = random() % content.size();
    switch (random() % 4) {
      case 0:
        content[at] = static_cast<char>(random());
        break;
      case 1:
        content.resize(at);
        break;
      case 2:
        content.replace(at, random() % 8, words[random() % words.size()]);
        break;
      default:
        content.insert(at, content.substr(random() % content.size(), random() % 64));
    }
  }
  return content;
}

void feed(const fuzz::Target& target, const std::string& content) {
  target.run({reinterpret_cast<const std::uint8_t*>(content.data()), content.size()});
}

TEST(Fuzz, SeedsAndDamagedSeedsBreakNoPromise) {
  const std::vector<std::string> contents = seeds();
  ASSERT_GT(contents.size(), 10U);
  std::mt19937_64 random(3);
  for (const fuzz::Target& target : fuzz::reader_targets()) {
    for (const std::string& content : contents) {
      feed(target, content);
      for (int i = 0; i < 25; ++i) {
        feed(target, damaged(content, random));
      }
    }
  }
}

}  // namespace
}  // namespace burnish
