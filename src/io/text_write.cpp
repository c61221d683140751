#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>

#include "io/append_number.hpp"
#include "io/cloud_writer.hpp"
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

void append_names(BlockWriter& file, const PointCloud& cloud, bool has_points, char separator) {
  // Names that only number the columns are found again without being written, and programs that cannot skip the line
  // can read the file. Without any point the line is what makes it a file of points.
  bool says_nothing = separator == ' ' && has_points;
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

class TextWriter final : public CloudWriter {
 public:
  TextWriter(BlockWriter& file, const FileHeader& header, char separator)
      : file_(file), points_(header.points), separator_(separator) {}

  void write_part(const PointCloud& part) override {
    for (const Column& column : part.attributes) {
      check_column(file_, column, part.size());
    }
    if (!std::exchange(has_header_, true)) {
      file_.expect_rows(points_);
      append_comments(file_, part.comments);
      append_names(file_, part, points_ > 0, separator_);
    }
    const std::string_view between(&separator_, 1);
    for (std::size_t row = 0; row < part.size(); ++row) {
      for (const Eigen::Index axis : {0, 1, 2}) {
        if (axis > 0) {
          file_.append(between);
        }
        append_coordinate(file_, part, row, axis);
      }
      for (const Column& column : part.attributes) {
        file_.append(between);
        append_value(file_, column, row);
      }
      file_.append("\n");
      file_.rows_done(1);
    }
  }

 private:
  BlockWriter& file_;
  std::uint64_t points_;
  char separator_;
  bool has_header_ = false;
};

}  // namespace

std::unique_ptr<CloudWriter> text_writer(BlockWriter& file, const FileHeader& header, char separator) {
  return std::make_unique<TextWriter>(file, header, separator);
}

}  // namespace burnish::io
