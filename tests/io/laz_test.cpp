#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "io/crc32c.hpp"
#include "io/files.hpp"
#include "io/las_file.hpp"
#include "io/las_layout.hpp"
#include "io/laz_chunk.hpp"
#include "io/laz_fields.hpp"
#include "io/laz_table.hpp"
#include "io/range_coder.hpp"

// That LAZ files of other programs are read, and that ours are what those programs would write, is tested on the files
// of shared_files_test.cpp; with laspy, lazrs and laz-perf in tests/peers.

namespace burnish {
namespace {

TEST(RangeCoder, GivesBackSymbolsBitsAndNumbersOfAnyDistribution) {
  std::mt19937_64 random(1);
  constexpr std::size_t count = 20000;
  struct Models {
    io::BitModel bit;
    io::SymbolModel<3> few;
    io::SymbolModel<256> many;
    io::SymbolModel<516> most;
    io::IntegerModel<32, 2> numbers;
    io::IntegerModel<16, 1> short_numbers;
  };
  struct Value {
    unsigned bit = 0;
    unsigned few = 0;
    unsigned many = 0;
    unsigned most = 0;
    std::uint32_t bits = 0;
    std::int32_t number = 0;
    std::uint16_t short_number = 0;
  };
  std::vector<Value> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    // Long stretches of the likeliest, now and then anything.
    const bool is_odd = random() % (i < count / 2 ? 2 : 500) == 0;
    values[i] = {is_odd ? 1U : 0U,
                 is_odd ? static_cast<unsigned>(random() % 3) : 2U,
                 is_odd ? static_cast<unsigned>(random() % 256) : 255U,
                 is_odd ? static_cast<unsigned>(random() % 516) : 0U,
                 static_cast<std::uint32_t>(random()) >> (i % 32),
                 static_cast<std::int32_t>(static_cast<std::uint32_t>(random()) >> (is_odd ? 0 : 20)),
                 static_cast<std::uint16_t>(random())};
  }
  values[7].number = std::numeric_limits<std::int32_t>::min();
  const auto code = [](auto& coder, Models& models, std::size_t i, auto& value) {
    coder.code(models.bit, value.bit);
    coder.code(models.few, 3, value.few);
    coder.code(models.many, 256, value.many);
    coder.code(models.most, 516, value.most);
    coder.code_bits(static_cast<unsigned>(32 - i % 32), value.bits);
    models.numbers.code(coder, static_cast<std::int32_t>(i) * 1000, value.number, i % 2);
    models.short_numbers.code(coder, 40000, value.short_number);
  };
  io::RangeEncoder encoder;
  const auto models = std::make_unique<Models>();
  for (std::size_t i = 0; i < count; ++i) {
    code(encoder, *models, i, values[i]);
  }
  std::string bytes = encoder.finish();
  const std::size_t size = bytes.size();
  bytes.append(io::RangeDecoder::padding, '\xAA');
  io::RangeDecoder decoder(std::string_view(bytes).substr(0, size));
  const auto models_again = std::make_unique<Models>();
  for (std::size_t i = 0; i < count; ++i) {
    Value value;
    code(decoder, *models_again, i, value);
    ASSERT_EQ(value.bit, values[i].bit);
    ASSERT_EQ(value.few, values[i].few);
    ASSERT_EQ(value.many, values[i].many);
    ASSERT_EQ(value.most, values[i].most);
    ASSERT_EQ(value.bits, values[i].bits);
    ASSERT_EQ(value.number, values[i].number);
    ASSERT_EQ(value.short_number, values[i].short_number);
  }
  EXPECT_EQ(decoder.consumed(), size);
  EXPECT_FALSE(decoder.is_past_end());
}

TEST(StreamingMedian, IsTheMedianOfFiveValuesThatAreKept) {
  // The largest is replaced while new values are below the median, then the smallest: by sorting.
  std::mt19937_64 random(2);
  std::vector<std::int32_t> kept(5, 0);
  bool drops_largest = true;
  io::StreamingMedian median;
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(median.get(), kept[2]);
    const auto value = static_cast<std::int32_t>(random() % 41) - 20;
    const std::int32_t middle = kept[2];
    kept.erase(drops_largest ? kept.end() - 1 : kept.begin());
    kept.push_back(value);
    std::ranges::sort(kept);
    drops_largest = drops_largest ? value < middle : value <= middle;
    median.add(value);
  }
}

/// Points as a scanner gives them, so that every way of prediction is used: lines, several returns, times of two
/// channels that alternate, colours that change slowly. A tenth of them has random bits instead.
std::string scanned_points(unsigned format, std::size_t extra, std::size_t count, std::uint64_t seed) {
  LasFile file;
  file.format = format;
  file.extra = extra;
  file.add_random_points(count, seed);
  std::mt19937_64 random(seed);
  std::string points = file.points;
  const std::size_t size = file.point_size();
  double time = 1e5;
  for (std::size_t i = 0; i < count; ++i) {
    if (random() % 10 == 0) {
      continue;
    }
    std::string point = i == 0 ? points.substr(0, size) : points.substr((i - 1) * size, size);
    const auto line = static_cast<std::int32_t>(i / 100);
    put(point, 0, static_cast<std::int32_t>(i % 100 * 37 + random() % 5));
    put(point, 4, line * 50 + static_cast<std::int32_t>(random() % 3));
    put(point, 8, static_cast<std::int32_t>(1000 + random() % 200));
    put(point, 12, static_cast<std::uint16_t>(300 + random() % 50));
    time += random() % 50 == 0 ? 0.5 : 1e-5 * static_cast<double>(random() % 4);
    const double own_time = random() % 7 == 0 ? -1e9 + time : time;
    const auto returns = static_cast<unsigned>(1 + random() % 4);
    const auto number = static_cast<unsigned>(1 + random() % returns);
    if (format >= 6) {
      put(point, 14, static_cast<std::uint8_t>(returns << 4U | number));
      put(point, 15, static_cast<std::uint8_t>(random() % 5 == 0 ? random() % 4 << 4U : 0));
      put(point, 18, static_cast<std::int16_t>(i % 100 * 20));
      put(point, 22, own_time);
    } else {
      put(point, 14, static_cast<std::uint8_t>(returns << 3U | number));
      put(point, 16, static_cast<std::uint8_t>(i % 100 / 10));
      if (format != 0 && format != 2) {
        put(point, 20, own_time);
      }
    }
    for (std::size_t k = size - 3; k < size; ++k) {
      point[k] = static_cast<char>(point[k] + static_cast<char>(random() % 3));
    }
    points.replace(i * size, size, point);
  }
  return points;
}

/// A file with everything that can be in one.
LasFile full_file(unsigned format, std::string points) {
  LasFile file;
  file.minor = format >= 6 ? 4 : 3;
  file.format = format;
  file.records = las_vlr("LASF_Projection", 34735, std::string(17, '\3')) +
                 las_vlr("LASF_Spec", 4, las_extra("height", 9) + las_extra("pair", 13)) + "gap";
  file.record_count = 2;
  file.extra = 4 + 4 + 3;
  file.points = std::move(points);
  if (format >= 6) {
    std::string head(60, '\0');
    head.replace(2, 4, "mine");
    put(head, 20, std::uint64_t{7});
    file.trailer = head + "content";
    file.extended = 1;
  }
  return file;
}

TEST(Laz, GivesBackEveryByteOfALasFile) {
  const TempFolder folder;
  for (unsigned format = 0; format <= 10; ++format) {
    for (const std::size_t count : {1U, 2U, 3000U}) {
      SCOPED_TRACE(testing::Message() << "format " << format << ", " << count << " points");
      const LasFile file = full_file(format, scanned_points(format, 11, count, format + count));
      const PointCloud cloud = read(folder.file("a.las", file.bytes()));
      write(folder / "a.las", cloud);
      write(folder / "a.laz", cloud);
      const PointCloud again = read(folder / "a.laz");
      expect_same(again, cloud);
      write(folder / "b.las", again);
      EXPECT_TRUE(bytes_of(folder / "b.las") == bytes_of(folder / "a.las"));
      EXPECT_EQ(get<std::uint8_t>(bytes_of(folder / "a.laz"), 104), format + 128);
      if (count > 1000) {
        EXPECT_LT(bytes_of(folder / "a.laz").size(), bytes_of(folder / "a.las").size());
      }
    }
  }
}

/// Of the compressed points, without the chunk table.
std::uint32_t checksum_of_chunks(const std::string& file) {
  const std::size_t begin = get<std::uint32_t>(file, 96) + sizeof(std::uint64_t);
  return io::crc32c(std::string_view(file).substr(begin, get<std::uint64_t>(file, begin - 8) - begin));
}

TEST(Laz, CompressesWavePacketsAsTheReferenceDoes) {
  // Of the same points, compressed by LASzip (the Python package laszip 0.3.0), which tests/peers has too if it can be
  // installed: no file of the test data has wave packets. Scanner channels change within them.
  const TempFolder folder;
  const std::vector<std::pair<unsigned, std::uint32_t>> checksums = {
      {4, 0x77F91C02}, {5, 0x0335204A}, {9, 0x3DBC1986}, {10, 0x00795F8A}};
  for (const auto& [format, expected] : checksums) {
    SCOPED_TRACE(format);
    LasFile file;
    file.minor = 4;
    file.format = format;
    file.points = scanned_points(format, 0, 500, 1);
    write(folder / "a.laz", read(folder.file("a.las", file.bytes())));
    EXPECT_EQ(checksum_of_chunks(bytes_of(folder / "a.laz")), expected);
  }
}

TEST(Laz, HoldsRandomBits) {
  const TempFolder folder;
  for (unsigned format = 0; format <= 10; ++format) {
    SCOPED_TRACE(format);
    LasFile file = full_file(format, "");
    file.add_random_points(500, format);
    write(folder / "a.laz", read(folder.file("a.las", file.bytes())));
    write(folder / "b.las", read(folder / "a.laz"));
    const std::string before = file.bytes();
    const std::size_t points = get<std::uint32_t>(before, 96);
    EXPECT_TRUE(bytes_of(folder / "b.las").substr(points) == before.substr(points));
  }
}

TEST(Laz, KeepsRecordsBehindThePointsWhereTheHeaderSays) {
  const TempFolder folder;
  const LasFile file = full_file(6, scanned_points(6, 11, 100, 1));
  write(folder / "a.laz", read(folder.file("a.las", file.bytes())));
  const std::string bytes = bytes_of(folder / "a.laz");
  EXPECT_EQ(get<std::uint32_t>(bytes, 243), 1U);
  EXPECT_EQ(bytes.substr(get<std::uint64_t>(bytes, 235)), file.trailer);
  EXPECT_EQ(read(folder / "a.laz").format_data.at("las trailer"), file.trailer);
}

TEST(Laz, KeepsWaveformsOfVersion13) {
  const TempFolder folder;
  LasFile file = full_file(4, scanned_points(4, 11, 100, 1));
  std::string waves(60, '\0');
  put(waves, 18, std::uint16_t{65535});
  put(waves, 20, std::uint64_t{5});
  file.trailer = waves + "waves";
  std::string bytes = file.bytes();
  put(bytes, 227, static_cast<std::uint64_t>(bytes.size() - file.trailer.size()));
  write(folder / "a.laz", read(folder.file("a.las", bytes)));
  const std::string compressed = bytes_of(folder / "a.laz");
  EXPECT_EQ(compressed.substr(get<std::uint64_t>(compressed, 227)), file.trailer);
  write(folder / "b.las", read(folder / "a.laz"));
  EXPECT_EQ(get<std::uint64_t>(bytes_of(folder / "b.las"), 227), get<std::uint64_t>(bytes, 227));
}

TEST(Laz, HoldsACloudOfAnotherFormat) {
  const TempFolder folder;
  PointCloud cloud;
  for (int i = 0; i < 1000; ++i) {
    cloud.positions.emplace_back(0.25 * i, 3.0 - i, i % 7);
  }
  cloud.attributes = {
      make_column("red", std::vector<std::uint8_t>(1000, 7)), make_column("green", std::vector<std::uint8_t>(1000, 8)),
      make_column("blue", std::vector<std::uint8_t>(1000, 9)), make_column("noise", std::vector<float>(1000, 0.5F))};
  write(folder / "a.las", cloud);
  write(folder / "a.laz", cloud);
  expect_same(read(folder / "a.laz"), read(folder / "a.las"));
  write(folder / "empty.laz", PointCloud());
  EXPECT_EQ(read(folder / "empty.laz").size(), 0U);
}

/// Enough for several chunks.
const LasFile& large_file() {
  static const LasFile file = [] {
    LasFile large;
    large.format = 1;
    large.points = scanned_points(1, 0, 120001, 5);
    return large;
  }();
  return file;
}

TEST(Laz, IsTheSameForAnyNumberOfThreads) {
  const TempFolder folder;
  const PointCloud cloud = read(folder.file("a.las", large_file().bytes()));
  std::vector<std::string> files;
  for (const int threads : {1, 2}) {
    ExecutionContext context;
    context.threads = threads;
    write(folder / "a.laz", cloud, context);
    files.push_back(bytes_of(folder / "a.laz"));
    expect_same(read(folder / "a.laz", context), cloud);
  }
  EXPECT_TRUE(files[1] == files[0]);
}

/// A LAZ file put together from chunks of these sizes; the table at its end says how many points they have.
std::string file_of_chunks(const LasFile& las, const std::vector<std::size_t>& sizes, std::uint32_t chunk_size) {
  io::LazLayout layout = io::laz_layout_for(las.format, las.point_size());
  layout.chunk_size = chunk_size;
  LasFile head = las;
  head.records += las_vlr("laszip encoded", 22204, io::laz_record_of(layout));
  ++head.record_count;
  std::string bytes = head.bytes();
  bytes.resize(bytes.size() - las.points.size());
  put(bytes, 104, static_cast<std::uint8_t>(las.format + 128));
  const std::size_t pointer = bytes.size();
  bytes.resize(pointer + 8);
  std::vector<io::LazChunk> chunks;
  std::size_t row = 0;
  for (const std::size_t size : sizes) {
    const std::string coded = io::encode_laz_chunk(
        layout, std::string_view(las.points).substr(row * las.point_size(), size * las.point_size()));
    chunks.push_back({bytes.size(), coded.size(), size});
    bytes += coded;
    row += size;
  }
  put(bytes, pointer, static_cast<std::uint64_t>(bytes.size()));
  return bytes + io::laz_chunk_table(layout, chunks);
}

PointCloud without_format_data(PointCloud cloud) {
  cloud.format_data.clear();
  return cloud;
}

TEST(Laz, HasChunksOfAnySizes) {
  for (const unsigned format : {3U, 7U}) {
    LasFile las;
    las.minor = 4;
    las.format = format;
    las.points = scanned_points(format, 0, 1000, 9);
    const PointCloud cloud = without_format_data(read_content("a.las", las.bytes()));
    for (const std::vector<std::size_t>& sizes : {std::vector<std::size_t>{1000}, {1, 1, 998}, {400, 600}}) {
      const std::string variable = file_of_chunks(las, sizes, io::LazLayout::variable_chunks);
      expect_same(without_format_data(read_content("a.laz", variable)), cloud);
    }
    expect_same(without_format_data(read_content("a.laz", file_of_chunks(las, {300, 300, 300, 100}, 300))), cloud);
  }
}

TEST(Laz, IsReadWithoutItsChunkTable) {
  for (const unsigned format : {1U, 6U}) {
    SCOPED_TRACE(format);
    LasFile las;
    las.minor = 4;
    las.format = format;
    las.points = scanned_points(format, 0, 700, 9);
    const PointCloud cloud = without_format_data(read_content("a.las", las.bytes()));
    const std::string bytes = file_of_chunks(las, {300, 300, 100}, 300);
    const std::size_t pointer = get<std::uint32_t>(bytes, 96);
    const auto table = get<std::uint64_t>(bytes, pointer);
    for (const std::int64_t place : {std::int64_t{-1}, std::int64_t{0}, std::int64_t{1} << 60}) {
      std::string missing = bytes.substr(0, table);
      put(missing, pointer, place);
      expect_same(without_format_data(read_content("a.laz", missing)), cloud);
    }
    expect_same(without_format_data(read_content("a.laz", bytes.substr(0, table + 5))), cloud);
    // Where the program that wrote the file could not go back, the pointer is its end.
    std::string at_the_end = bytes + bytes.substr(pointer, 8);
    put(at_the_end, pointer, std::int64_t{-1});
    expect_same(without_format_data(read_content("a.laz", at_the_end)), cloud);
  }
  LasFile las;
  las.points = scanned_points(0, 0, 10, 9);
  std::string bytes = file_of_chunks(las, {4, 6}, io::LazLayout::variable_chunks);
  put(bytes, get<std::uint32_t>(bytes, 96), std::int64_t{0});
  EXPECT_CONTAINS(error_of_content("a.laz", bytes), "the LAZ chunk table is missing");
}

TEST(Laz, ReadsAChunkThatIsTooLargeToBeDecodedAtOnce) {
  LasFile las;
  las.extra = 480;  // 500 bytes per point, 20 MB in all
  las.points.assign(40000 * las.point_size(), '\0');
  for (std::size_t i = 0; i < 40000; ++i) {
    put(las.points, i * las.point_size(), static_cast<std::int32_t>(i));
  }
  const PointCloud cloud = read_content("a.laz", file_of_chunks(las, {40000}, 40000));
  ASSERT_EQ(cloud.size(), 40000U);
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    ASSERT_EQ(cloud.positions[i].x(), static_cast<double>(i) * 0.01 + 1000);
  }
}

TEST(Laz, RefusesWhatIsNotSoWithOneClearLine) {
  LasFile las;
  las.points = scanned_points(0, 0, 700, 9);
  const std::string good = file_of_chunks(las, {300, 300, 100}, 300);
  const std::size_t pointer = get<std::uint32_t>(good, 96);
  const auto table = static_cast<std::size_t>(get<std::uint64_t>(good, pointer));
  const std::size_t record = 227 + 54;
  const auto with = [&](std::size_t place, auto value) {
    std::string bytes = good;
    put(bytes, place, value);
    return bytes;
  };
  LasFile plain;
  plain.points.assign(100, '\0');
  std::string unmarked = plain.bytes();
  put(unmarked, 104, std::uint8_t{128});
  const std::vector<std::pair<std::string, std::string>> cases = {
      {unmarked, "byte 104: the points are compressed, but no record \"laszip encoded\" says how"},
      {with(record, std::uint16_t{3}), "byte 281: found LAZ compressor 3, expected 1 or 2 for point format 0"},
      {with(record + 2, std::uint16_t{1}), "byte 283: found LAZ coder 1, expected 0"},
      {with(record + 12, std::uint32_t{0}), "byte 293: found LAZ chunks of 0 points"},
      {with(record + 32, std::uint16_t{9}), "byte 313: found 9 LAZ items, but there is room for 1"},
      {with(record + 34, std::uint16_t{10}), "byte 315: found LAZ item type 10, size 20, version 2"},
      {with(record + 38, std::uint16_t{4}), "byte 319: found version 4 of LAZ compression, expected 1 or 2"},
      {with(table, std::uint32_t{1}), "found version 1 of the LAZ chunk table, expected 0"},
      {with(table + 4, ~std::uint32_t{0}), "declares 4294967295 chunks, but 700 points are 3 chunks"},
      {with(table + 8, ~std::uint32_t{0}), "the LAZ chunk table declares 300 points in"},
      {with(table + 8, std::uint32_t{0x5A5A5A5A}), "the LAZ chunk at byte 329 is damaged or ends before the last"},
      {with(107, std::uint32_t{701}), "is damaged or ends before the last of its 101 points"},
      {with(107, ~std::uint32_t{0}), "declares 3 chunks, but 4294967295 points are 14316558 chunks"},
      {good.substr(0, pointer + 4), "before its points"},
      {good.substr(0, table - 1000), "is damaged or ends before the last of its"},
  };
  for (const auto& [content, message] : cases) {
    const std::string error = error_of_content("a.laz", content);
    EXPECT_CONTAINS(error, message);
    EXPECT_EQ(error.find('\n'), std::string::npos);
  }
}

}  // namespace
}  // namespace burnish
