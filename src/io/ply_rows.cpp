#include "io/ply_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <cstring>
#include <numeric>
#include <type_traits>

#include "io/many_lines.hpp"
#include "io/parse_number.hpp"
#include "io/scalar.hpp"

namespace burnish::io {
namespace {

[[noreturn]] void fail_truncated(const BlockReader& file, const PlyElement& element, std::uint64_t row) {
  file.fail(fmt::format("the file ends at byte {} inside row {} of element {}, whose header declares {} rows",
                        file.offset() + file.remaining(), row + 1, excerpt(element.name), element.rows));
}

/// The least number of bytes of a row in a binary file, which is exact if there are no lists.
std::size_t least_row_size(const PlyElement& element) {
  std::size_t size = 0;
  for (const PlyProperty& property : element.properties) {
    size += scalar_size(property.is_list ? property.list_size_type : property.type);
  }
  return size;
}

/// Every row has the same size: whole blocks are decoded column by column.
void read_equal_rows(BlockReader& file, const PlyElement& element, const PlyRows& rows,
                     const std::vector<PlyField>& fields, bool swap) {
  const std::size_t row_size = least_row_size(element);
  for (std::uint64_t row = rows.begin; row < rows.end;) {
    const std::string_view block = file.fill(row_size);
    const std::size_t count = std::min<std::uint64_t>(block.size() / row_size, rows.end - row);
    if (count == 0) {
      fail_truncated(file, element, row);
    }
    const char* data = block.data();
    for (const PlyField& field : fields) {
      Strided<char> target = field.target;
      target.data += (row - rows.begin) * target.stride;
      copy_strided({data, row_size, field.type}, target, count, swap);
      data += scalar_size(field.type);
    }
    file.skip(count * row_size);
    row += count;
  }
}

std::uint64_t read_list_size(BlockReader& file, const PlyElement& element, std::uint64_t row, ScalarType type,
                             bool swap) {
  const std::size_t size = scalar_size(type);
  const std::string_view bytes = file.fill(size);
  if (bytes.size() < size) {
    fail_truncated(file, element, row);
  }
  return with_number_type(type, [&]<class T>(std::type_identity<T>) -> std::uint64_t {
    T count{};
    copy_strided({bytes.data(), size, type}, {reinterpret_cast<char*>(&count), size, type}, 1, swap);
    if (count < T{0}) {
      file.fail(fmt::format("byte {}: the list in row {} of element {} has the length {}", file.offset(), row + 1,
                            excerpt(element.name), count));
    }
    file.skip(size);
    return static_cast<std::uint64_t>(count);
  });
}

void read_list(BlockReader& file, const PlyElement& element, std::uint64_t row, Column& column, bool swap) {
  const std::uint64_t count = read_list_size(file, element, row, column.list_size_type, swap);
  const ScalarType type = column.type();
  const std::size_t size = scalar_size(type);
  if (count > file.remaining() / size) {
    file.fail(fmt::format("byte {}: the list in row {} of element {} has {} values, more than the file can hold",
                          file.offset(), row + 1, excerpt(element.name), count));
  }
  std::visit(
      [&]<class T>(std::vector<T>& values) {
        std::size_t done = values.size();
        values.resize(done + count);
        while (done < values.size()) {
          const std::string_view block = file.fill(size);
          const std::size_t part = std::min(block.size() / size, values.size() - done);
          if (part == 0) {
            fail_truncated(file, element, row);
          }
          copy_strided({block.data(), size, type}, {reinterpret_cast<char*>(values.data() + done), size, type}, part,
                       swap);
          file.skip(part * size);
          done += part;
        }
        column.list_ends.push_back(done);
      },
      column.values);
}

/// Rows with lists: value by value.
void read_unequal_rows(BlockReader& file, const PlyElement& element, const PlyRows& rows,
                       const std::vector<PlyField>& fields, bool swap) {
  for (std::uint64_t row = rows.begin; row < rows.end; ++row) {
    for (const PlyField& field : fields) {
      if (field.list != nullptr) {
        read_list(file, element, row, *field.list, swap);
        continue;
      }
      const std::size_t size = scalar_size(field.type);
      const std::string_view bytes = file.fill(size);
      if (bytes.size() < size) {
        fail_truncated(file, element, row);
      }
      Strided<char> target = field.target;
      target.data += (row - rows.begin) * target.stride;
      copy_strided({bytes.data(), size, field.type}, target, 1, swap);
      file.skip(size);
    }
  }
}

template <class T>
T parse_value(const LineReader& lines, std::string_view& line, const PlyProperty& property) {
  const std::string_view word = next_word(line);
  T value{};
  if (!parse_number(word, value)) {
    if (word.empty()) {
      lines.fail(fmt::format("the line ends before the value of property {}", excerpt(property.name)));
    }
    lines.fail(fmt::format("found {}, expected a value of property {} that is a {}", excerpt(word),
                           excerpt(property.name), ply_type_name(property.type)));
  }
  return value;
}

void parse_list(const LineReader& lines, std::string_view& line, const PlyProperty& property, Column& column) {
  const auto count = with_number_type(property.list_size_type, [&]<class T>(std::type_identity<T>) -> std::uint64_t {
    const std::string_view word = next_word(line);
    T size{};
    if (!parse_number(word, size) || size < T{0}) {
      lines.fail(fmt::format("found {}, expected the length of list {} that is a {}", excerpt(word),
                             excerpt(property.name), ply_type_name(property.list_size_type)));
    }
    return static_cast<std::uint64_t>(size);
  });
  std::visit(
      [&]<class T>(std::vector<T>& values) {
        if constexpr (std::is_arithmetic_v<T>) {
          for (std::uint64_t i = 0; i < count; ++i) {
            values.push_back(parse_value<T>(lines, line, property));
          }
          column.list_ends.push_back(values.size());
        }
      },
      column.values);
}

/// The next line that is not blank, trimmed; false at the end of the file.
bool next_row(LineReader& lines, std::string_view& line) {
  do {
    if (!lines.next(line)) {
      return false;
    }
    line = trimmed(line);
  } while (line.empty());
  return true;
}

void parse_row(const LineReader& lines, std::string_view line, const PlyElement& element, std::uint64_t row,
               const std::vector<PlyField>& fields) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const PlyProperty& property = element.properties[i];
    if (property.is_list) {
      parse_list(lines, line, property, *fields[i].list);
      continue;
    }
    char* const target = fields[i].target.data + row * fields[i].target.stride;
    with_number_type(property.type, [&]<class T>(std::type_identity<T>) {
      const T value = parse_value<T>(lines, line, property);
      copy_strided({reinterpret_cast<const char*>(&value), sizeof(T), property.type},
                   {target, fields[i].target.stride, fields[i].target.type}, 1, false);
    });
  }
  if (!line.empty()) {
    lines.fail(fmt::format("found {} after the last value of a row of element {}", excerpt(trimmed(line)),
                           excerpt(element.name)));
  }
}

/// Reads many rows at once. How many: none if there are not many, or not all of them can be read.
std::uint64_t read_many_text_rows(LineReader& lines, const PlyElement& element, const PlyRows& rows, std::uint64_t row,
                                  const std::vector<PlyField>& fields) {
  ManyLines many(lines, rows.end - row, 2 * fields.size());  // a digit and what follows it, for every value
  std::vector<std::uint64_t> begins(many.pieces() + 1, 0);
  const bool all_counted = many.read_each([&](std::size_t i, LineReader& piece) {
    std::string_view line;
    while (next_row(piece, line)) {
      ++begins[i + 1];
    }
  });
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  const bool all_read =
      all_counted && begins.back() <= rows.end - row && many.read_each([&](std::size_t i, LineReader& piece) {
        std::string_view line;
        for (std::uint64_t r = begins[i]; next_row(piece, line); ++r) {
          parse_row(piece, line, element, row + r - rows.begin, fields);
        }
      });
  if (!all_read) {
    return 0;
  }
  many.take();
  return begins.back();
}

void read_text_rows(LineReader& lines, const PlyElement& element, const PlyRows& rows,
                    const std::vector<PlyField>& fields) {
  bool row_by_row = std::ranges::any_of(element.properties, &PlyProperty::is_list);
  for (std::uint64_t row = rows.begin; row < rows.end;) {
    if (!row_by_row) {
      const std::uint64_t read = read_many_text_rows(lines, element, rows, row, fields);
      row_by_row = read == 0;
      row += read;
      continue;
    }
    std::string_view line;
    if (!next_row(lines, line)) {
      fail_truncated(lines.file(), element, row);
    }
    parse_row(lines, line, element, row++ - rows.begin, fields);
  }
}

}  // namespace

void check_ply_rows(BlockReader& file, PlyEncoding encoding, const PlyElement& element) {
  const bool has_lists = std::ranges::any_of(element.properties, &PlyProperty::is_list);
  // In text a value takes at least a digit and a separator, which the last one may lack.
  const bool is_text = encoding == PlyEncoding::ascii;
  const std::size_t row_size = is_text ? 2 * element.properties.size() : least_row_size(element);
  const std::uint64_t bytes = file.remaining() + (is_text ? 1 : 0);
  if (row_size == 0 || element.rows <= bytes / row_size) {
    return;
  }
  if (!is_text && !has_lists) {
    fail_truncated(file, element, bytes / row_size);
  }
  file.fail(fmt::format("element {} declares {} rows, more than the {} bytes after byte {} can hold",
                        excerpt(element.name), element.rows, file.remaining(), file.offset()));
}

void read_ply_rows(LineReader& lines, PlyEncoding encoding, const PlyElement& element, const PlyRows& rows,
                   const std::vector<PlyField>& fields) {
  if (fields.empty()) {
    return;  // rows without properties take no bytes and, in text, no lines
  }
  const bool swap = encoding == PlyEncoding::big_endian;
  if (encoding == PlyEncoding::ascii) {
    read_text_rows(lines, element, rows, fields);
  } else if (std::ranges::any_of(element.properties, &PlyProperty::is_list)) {
    read_unequal_rows(lines.file(), element, rows, fields, swap);
  } else {
    read_equal_rows(lines.file(), element, rows, fields, swap);
  }
}

}  // namespace burnish::io
