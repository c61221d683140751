#include "io/line_reader.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "io/files.hpp"

namespace burnish {
namespace {

TEST(LineReader, FindsEveryLineAcrossBlocks) {
  const TempFolder folder;
  for (const std::string ending : {"\n", "\r\n", "\r", "\r\r\n"}) {
    std::mt19937_64 random(3);
    std::vector<std::string> expected;
    std::string content;
    while (content.size() < 2000000) {
      // Long lines now and then, so that lines and their endings lie across the edges of blocks in many ways.
      expected.emplace_back(random() % 50 == 0 ? 1 + random() % 600000 : 1 + random() % 2000, 'x');
      content += expected.back() + ending;
    }
    expected.emplace_back("last");
    content += "last";
    const ExecutionContext context;
    io::BlockReader file(folder.file("a", content), context);
    io::LineReader lines(file);
    std::string_view line;
    for (const std::string& one : expected) {
      ASSERT_TRUE(lines.next(line));
      ASSERT_EQ(line, one) << lines.number();
    }
    EXPECT_FALSE(lines.next(line));
    EXPECT_EQ(lines.number(), expected.size());
    EXPECT_EQ(file.offset(), content.size());
    EXPECT_EQ(file.remaining(), 0U);
  }
}

TEST(LineReader, TakesNothingBeyondTheLine) {
  const TempFolder folder;
  const ExecutionContext context;
  for (const std::string content : {"one\n\r\n\r rest", "one\r\n\r\n rest", "one"}) {
    io::BlockReader file(folder.file("a", content), context);
    io::LineReader lines(file);
    std::string_view line;
    ASSERT_TRUE(lines.next(line));
    EXPECT_EQ(line, "one");
    EXPECT_EQ(file.offset(), std::min(content.find('\n'), content.size() - 1) + 1);
  }
}

TEST(LineReader, RefusesLongLines) {
  const TempFolder folder;
  const ExecutionContext context;
  io::BlockReader file(folder.file("a", fmt::format("{:x<100}\n{:x<101}\n", "", "")), context);
  io::LineReader lines(file);
  std::string_view line;
  EXPECT_TRUE(lines.next(line, 100));
  EXPECT_THROW((void)lines.next(line, 100), Error);
}

}  // namespace
}  // namespace burnish
