#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "io/cloud_writer.hpp"
#include "io/formats.hpp"
#include "io/ply_header.hpp"
#include "io/scalar.hpp"
#include "io/strided_copy.hpp"

namespace burnish::io {
namespace {

/// A property and where its values come from; a list comes from its column.
struct Source {
  PlyProperty property;
  Strided<const char> values;
  const Column* list = nullptr;
};

struct Element {
  std::string name;
  std::size_t rows = 0;
  std::vector<Source> sources;
};

/// Names in a PLY header are words: blanks (which CSV allows in names) become underscores.
std::string word_of(std::string_view name) {
  std::string word(name.empty() ? "unnamed" : name);
  std::ranges::replace_if(
      word, [](unsigned char c) { return c <= ' ' || c == 127; }, '_');
  return word;
}

bool has_sound_lists(const Column& column) {
  const std::size_t values = std::visit([](const auto& v) { return v.size(); }, column.values);
  return std::ranges::is_sorted(column.list_ends) && (column.list_ends.empty() || column.list_ends.back() <= values) &&
         !is_float(column.list_size_type) && column.list_size_type != ScalarType::text;
}

Source source_of(const BlockWriter& file, const Column& column, std::size_t rows) {
  if (column.type() == ScalarType::text) {
    file.fail(fmt::format("PLY cannot hold the text column {}; write .csv instead", excerpt(column.name)));
  }
  if (column.rows() != rows) {
    file.fail(fmt::format("column {} has {} rows, expected {}", excerpt(column.name), column.rows(), rows));
  }
  if (column.is_list && !has_sound_lists(column)) {
    file.fail(fmt::format("the rows of list {} do not fit its values", excerpt(column.name)));
  }
  Source source;
  source.property = {word_of(column.name), column.type(), column.is_list, column.list_size_type};
  source.list = column.is_list ? &column : nullptr;
  std::visit(
      [&]<class T>(const std::vector<T>& values) {
        source.values = {reinterpret_cast<const char*>(values.data()), sizeof(T), column.type()};
      },
      column.values);
  return source;
}

Element element_of(const BlockWriter& file, std::string_view name, std::size_t rows,
                   const std::vector<Column>& columns) {
  Element element{word_of(name), rows, {}};
  for (const Column& column : columns) {
    element.sources.push_back(source_of(file, column, rows));
  }
  return element;
}

Element element_of(const BlockWriter& file, const Table& table) {
  return element_of(file, table.name, table.rows, table.columns);
}

/// An element as the header shows it.
Element shape_of(const BlockWriter& file, const Table& table) {
  Element element = element_of(file, table.name, 0, table.columns);
  element.rows = table.rows;
  return element;
}

Element vertices_of(const BlockWriter& file, const PointCloud& cloud) {
  Element element = element_of(file, "vertex", cloud.size(), cloud.attributes);
  // Denoised positions are no integers, whatever they were before.
  const ScalarType type = cloud.position_type == ScalarType::float32 ? ScalarType::float32 : ScalarType::float64;
  std::vector<Source> axes;
  for (const std::size_t axis : {0U, 1U, 2U}) {
    axes.push_back({{std::string(1, "xyz"[axis]), type, false, ScalarType::uint8}, axis_values(cloud, axis), nullptr});
  }
  element.sources.insert(element.sources.begin(), axes.begin(), axes.end());
  return element;
}

void check_names(const BlockWriter& file, const std::vector<Element>& elements) {
  std::set<std::string> element_names;
  for (const Element& element : elements) {
    if (!element_names.insert(element.name).second) {
      file.fail(fmt::format("PLY cannot hold two tables {}", excerpt(element.name)));
    }
    std::set<std::string> names;
    for (const Source& source : element.sources) {
      if (!names.insert(source.property.name).second) {
        file.fail(fmt::format("PLY cannot hold two columns {} in one table", excerpt(source.property.name)));
      }
    }
  }
}

std::string header_of(const std::vector<Element>& elements, const std::vector<std::string>& comments) {
  std::string header = "ply\nformat binary_little_endian 1.0\n";
  for (std::string comment : comments) {
    std::ranges::replace_if(
        comment, [](char c) { return c == '\n' || c == '\r'; }, ' ');
    const bool is_info = comment == ply_info || comment.starts_with(std::string(ply_info) + ' ');
    header += (is_info ? "" : "comment ") + comment + '\n';
  }
  for (const Element& element : elements) {
    header += fmt::format("element {} {}\n", element.name, element.rows);
    for (const Source& source : element.sources) {
      const auto& [name, type, is_list, list_size_type] = source.property;
      header += is_list
                    ? fmt::format("property list {} {} {}\n", ply_type_name(list_size_type), ply_type_name(type), name)
                    : fmt::format("property {} {}\n", ply_type_name(type), name);
    }
  }
  return header + "end_header\n";
}

void write_equal_rows(BlockWriter& file, const Element& element) {
  std::size_t row_size = 0;
  for (const Source& source : element.sources) {
    row_size += scalar_size(source.property.type);
  }
  const std::size_t rows_at_once = std::max<std::size_t>(1, BlockWriter::block_size / row_size);
  for (std::size_t row = 0; row < element.rows;) {
    const std::size_t count = std::min(rows_at_once, element.rows - row);
    char* target = file.room(count * row_size);
    for (const Source& source : element.sources) {
      Strided<const char> values = source.values;
      values.data += row * values.stride;
      copy_strided(values, {target, row_size, source.property.type}, count, false);
      target += scalar_size(source.property.type);
    }
    file.take(count * row_size);
    row += count;
    file.rows_done(count);
  }
}

void write_list(BlockWriter& file, const Source& source, std::size_t row) {
  const std::vector<std::size_t>& ends = source.list->list_ends;
  const std::size_t begin = row == 0 ? 0 : ends[row - 1];
  const std::size_t count = ends[row] - begin;
  with_number_type(source.property.list_size_type, [&]<class T>(std::type_identity<T>) {
    const T size = static_cast<T>(count);
    if (static_cast<std::size_t>(size) != count || size < T{0}) {
      file.fail(fmt::format("row {} of list {} has {} values, too many for its length to be a {}", row + 1,
                            excerpt(source.property.name), count, ply_type_name(source.property.list_size_type)));
    }
    file.append({reinterpret_cast<const char*>(&size), sizeof(T)});
  });
  file.append({source.values.data + begin * source.values.stride, count * source.values.stride});
}

void write_unequal_rows(BlockWriter& file, const Element& element) {
  for (std::size_t row = 0; row < element.rows; ++row) {
    for (const Source& source : element.sources) {
      if (source.list != nullptr) {
        write_list(file, source, row);
        continue;
      }
      const std::size_t size = scalar_size(source.property.type);
      Strided<const char> values = source.values;
      values.data += row * values.stride;
      copy_strided(values, {file.room(size), size, source.property.type}, 1, false);
      file.take(size);
    }
    file.rows_done(1);
  }
}

void write_rows(BlockWriter& file, const Element& element) {
  if (std::ranges::any_of(element.sources, [](const Source& source) { return source.list != nullptr; })) {
    write_unequal_rows(file, element);
  } else if (!element.sources.empty()) {
    write_equal_rows(file, element);
  }
}

class PlyWriter final : public CloudWriter {
 public:
  PlyWriter(BlockWriter& file, const FileHeader& header) : file_(file), cloud_header_(header) {}

  void write_part(const PointCloud& part) override {
    const Element vertices = vertices_of(file_, part);
    if (!std::exchange(has_header_, true)) {
      write_header(vertices, part.comments);
    }
    write_rows(file_, vertices);
  }

  void write_tail(const PointCloud& cloud) override {
    for (const Table& table : cloud.tables) {
      write_rows(file_, element_of(file_, table));
    }
  }

 private:
  void write_header(const Element& vertices, const std::vector<std::string>& comments) {
    std::vector<Element> elements = {vertices};
    elements.front().rows = cloud_header_.points;
    std::size_t rows = cloud_header_.points;
    for (const Table& table : cloud_header_.tables) {
      elements.push_back(shape_of(file_, table));
      rows += table.columns.empty() ? 0 : table.rows;
    }
    file_.expect_rows(rows);
    check_names(file_, elements);
    file_.append(header_of(elements, comments));
  }

  BlockWriter& file_;
  FileHeader cloud_header_;
  bool has_header_ = false;
};

}  // namespace

std::unique_ptr<CloudWriter> ply_writer(BlockWriter& file, const FileHeader& header) {
  return std::make_unique<PlyWriter>(file, header);
}

}  // namespace burnish::io
