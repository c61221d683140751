#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <type_traits>

#include "io/append_number.hpp"
#include "io/formats.hpp"
#include "io/text_layout.hpp"

namespace burnish::io {
namespace {

void append_value(BlockWriter& file, const Column& column, std::size_t row) {
  std::visit(
      [&]<class T>(const std::vector<T>& values) {
        if constexpr (std::is_arithmetic_v<T>) {
          append_number(file, values[row]);
        } else {
          file.append(quote_value(values[row]));
        }
      },
      column.values);
}

void check_column(const BlockWriter& file, const Column& column, std::size_t rows) {
  if (column.is_list) {
    file.fail(fmt::format("text files cannot hold the list column {}; write .ply instead", excerpt(column.name)));
  }
  if (column.rows() != rows) {
    file.fail(fmt::format("column {} has {} rows, expected {}", excerpt(column.name), column.rows(), rows));
  }
  if (const auto* const texts = std::get_if<std::vector<std::string>>(&column.values)) {
    if (std::ranges::any_of(*texts, [](const auto& text) { return text.find_first_of("\r\n") != text.npos; })) {
      file.fail(fmt::format("text files cannot hold the line breaks in column {}", excerpt(column.name)));
    }
  }
}

void append_comments(BlockWriter& file, const std::vector<std::string>& comments) {
  for (std::string comment : comments) {
    std::ranges::replace_if(
        comment, [](char c) { return c == '\n' || c == '\r'; }, ' ');
    file.append("# " + comment + '\n');
  }
}

void append_names(BlockWriter& file, const PointCloud& cloud, char separator) {
  // Names that only number the columns are found again without being written, and programs that cannot skip the line
  // can read the file. Without any point the line is what makes it a file of points.
  bool says_nothing = separator == ' ' && cloud.size() > 0;
  for (std::size_t i = 0; i < cloud.attributes.size(); ++i) {
    says_nothing = says_nothing && cloud.attributes[i].name == default_column_name(i + 3);
  }
  if (says_nothing) {
    return;
  }
  file.append(separator == ' ' ? "# x y z" : fmt::format("x{0}y{0}z", separator));
  for (const Column& column : cloud.attributes) {
    std::string name = column.name;
    std::ranges::replace_if(
        name, [](char c) { return c == '\n' || c == '\r'; }, ' ');
    const bool is_plain = !name.empty() && name.find_first_of(" \t,;\"#") == name.npos;
    file.append(separator + (is_plain ? name : quote_value(name)));
  }
  file.append("\n");
}

}  // namespace

void write_text(BlockWriter& file, const PointCloud& cloud, char separator) {
  for (const Column& column : cloud.attributes) {
    check_column(file, column, cloud.size());
  }
  file.expect_rows(cloud.size());
  append_comments(file, cloud.comments);
  append_names(file, cloud, separator);
  const std::string_view between(&separator, 1);
  for (std::size_t row = 0; row < cloud.size(); ++row) {
    for (const Eigen::Index axis : {0, 1, 2}) {
      if (axis > 0) {
        file.append(between);
      }
      append_coordinate(file, cloud, row, axis);
    }
    for (const Column& column : cloud.attributes) {
      file.append(between);
      append_value(file, column, row);
    }
    file.append("\n");
    file.rows_done(1);
  }
}

}  // namespace burnish::io
