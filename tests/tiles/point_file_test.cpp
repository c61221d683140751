#include "tiles/point_file.hpp"

#include <gtest/gtest.h>

#include "io/files.hpp"

namespace burnish::tiles {
namespace {

std::vector<Record> some_records(std::size_t count) {
  std::vector<Record> records;
  for (std::size_t i = 0; i < count; ++i) {
    records.push_back({3 * i, {0.5 * static_cast<double>(i), -1.0, static_cast<double>(i % 11)}});
  }
  return records;
}

TEST(PointFile, GivesBackWhatWasWritten) {
  const TempFolder folder;
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, block_size, 2 * block_size + 5}) {
    const std::vector<Record> records = some_records(count);
    const std::vector<double> spacings((count + block_size - 1) / block_size, 0.125);
    write_point_file(folder / "a", 7, records, spacings);
    const PointFile file(folder / "a", 7);
    EXPECT_EQ(file.count(), count);
    const std::vector<Record> found = file.read_all();
    ASSERT_EQ(found.size(), count);
    EXPECT_EQ(count == 0 || std::memcmp(found.data(), records.data(), count * sizeof(Record)) == 0, true);
    for (const Block& block : file.blocks()) {
      EXPECT_EQ(block.spacing, 0.125);
      for (const Record& record : records) {
        const bool is_row_inside = record.row >= block.first_row && record.row <= block.last_row;
        EXPECT_TRUE(!is_row_inside || block.box().contains(record.point()));
      }
    }
  }
}

/// Any byte may be wrong, the file may end anywhere, and it may be of another run: that is reported, never read.
TEST(PointFile, RefusesWhatItDidNotWrite) {
  const TempFolder folder;
  write_point_file(folder / "good", 7, some_records(20), {});
  const std::string good = bytes_of(folder / "good");
  const auto opens = [&](const std::string& content, std::uint64_t run) {
    try {
      return !PointFile(folder.file("bad", content), run).read_all().empty();
    } catch (const Error& error) {
      EXPECT_CONTAINS(error.what(), "cannot be used");
      return false;
    }
  };
  EXPECT_TRUE(opens(good, 7));
  EXPECT_FALSE(opens(good, 8));
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x10);
    EXPECT_FALSE(opens(bad, 7)) << "byte " << i;
  }
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_FALSE(opens(good.substr(0, size), 7)) << "of size " << size;
  }
  EXPECT_FALSE(opens(good + "more", 7));
  EXPECT_THROW(PointFile(folder / "missing", 7), Error);
  EXPECT_THROW(PointFile(folder / "", 7), Error);
}

}  // namespace
}  // namespace burnish::tiles
