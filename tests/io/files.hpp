#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "burnish/io.hpp"

// Small helpers the tests of all formats share.

namespace burnish {

/// A folder that is gone with its content at the end of the test.
class TempFolder {
 public:
  TempFolder() {
    // In memory where that is offered: thousands of small files would otherwise wait for the disk.
    const std::filesystem::path in_memory = "/dev/shm";
    const bool has_memory = ::access(in_memory.c_str(), W_OK) == 0;
    std::string name =
        ((has_memory ? in_memory : std::filesystem::temp_directory_path()) / "burnish-io-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~TempFolder() { std::filesystem::remove_all(path_); }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  [[nodiscard]] std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

  /// Puts a file into the folder and returns its path.
  [[nodiscard]] std::filesystem::path file(std::string_view name, std::string_view content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
    return path_ / name;
  }

  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

 private:
  std::filesystem::path path_;
};

inline std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The message of the Error that reading gives, or what happened instead.
inline std::string error_of_reading(const std::filesystem::path& path) {
  try {
    return "no error, but points: " + std::to_string(read(path).size());
  } catch (const Error& error) {
    return error.what();
  }
}

inline PointCloud read_content(std::string_view name, std::string_view content) {
  const TempFolder folder;
  return read(folder.file(name, content));
}

inline std::string error_of_content(std::string_view name, std::string_view content) {
  const TempFolder folder;
  return error_of_reading(folder.file(name, content));
}

#define EXPECT_CONTAINS(text, part) \
  EXPECT_NE(std::string(text).find(part), std::string::npos) << "the text is: " << (text)

/// Equal to the bit: NaN equals NaN, and 0 does not equal -0.
template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  if constexpr (std::is_arithmetic_v<T>) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
  } else {
    return a == b;
  }
}

inline void expect_same(const Column& a, const Column& b) {
  SCOPED_TRACE(a.name);
  EXPECT_EQ(a.name, b.name);
  ASSERT_EQ(a.type(), b.type());
  EXPECT_EQ(a.is_list, b.is_list);
  EXPECT_EQ(a.list_ends, b.list_ends);
  if (a.is_list) {
    EXPECT_EQ(a.list_size_type, b.list_size_type);
  }
  std::visit(
      [&]<class T>(const std::vector<T>& values) {
        EXPECT_TRUE(same_bits(values, std::get<std::vector<T>>(b.values))) << "values of " << a.name << " differ";
      },
      a.values);
}

inline void expect_same(const std::vector<Column>& a, const std::vector<Column>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    expect_same(a[i], b[i]);
  }
}

inline void expect_same(const PointCloud& a, const PointCloud& b) {
  ASSERT_EQ(a.size(), b.size());
  EXPECT_EQ(a.position_type, b.position_type);
  EXPECT_EQ(a.comments, b.comments);
  if (a.size() > 0) {
    EXPECT_EQ(std::memcmp(a.positions.data(), b.positions.data(), a.size() * sizeof(Vec3)), 0) << "positions differ";
  }
  expect_same(a.attributes, b.attributes);
  ASSERT_EQ(a.tables.size(), b.tables.size());
  for (std::size_t i = 0; i < a.tables.size(); ++i) {
    EXPECT_EQ(a.tables[i].name, b.tables[i].name);
    EXPECT_EQ(a.tables[i].rows, b.tables[i].rows);
    expect_same(a.tables[i].columns, b.tables[i].columns);
  }
}

template <class T>
Column make_column(std::string name, std::vector<T> values) {
  Column column;
  column.name = std::move(name);
  column.values = std::move(values);
  return column;
}

}  // namespace burnish
