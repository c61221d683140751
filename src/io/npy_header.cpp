#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

#include "io/npy.hpp"
#include "io/parse_number.hpp"
#include "io/python_literal.hpp"
#include "io/scalar.hpp"

namespace burnish::io {
namespace {

using Kind = PythonLiteral::Kind;

struct NpyType {
  ScalarType type = ScalarType::float64;
  bool swap = false;
  bool is_half = false;
  std::size_t padding = 0;  ///< not a number but this number of bytes
};

std::optional<NpyType> parse_type(std::string_view text) {
  static const std::map<std::string_view, ScalarType> types = {
      {"i1", ScalarType::int8},   {"u1", ScalarType::uint8},   {"b1", ScalarType::uint8},   {"i2", ScalarType::int16},
      {"u2", ScalarType::uint16}, {"i4", ScalarType::int32},   {"u4", ScalarType::uint32},  {"i8", ScalarType::int64},
      {"u8", ScalarType::uint64}, {"f2", ScalarType::float32}, {"f4", ScalarType::float32}, {"f8", ScalarType::float64},
  };
  if (text.empty() || std::string_view("<>|=").find(text.front()) == text.npos) {
    return std::nullopt;
  }
  NpyType result;
  result.swap = text.front() == '>';
  text.remove_prefix(1);
  if (text.starts_with('V') && parse_number(text.substr(1), result.padding) && result.padding > 0) {
    return result;
  }
  const auto found = types.find(text);
  if (found == types.end()) {
    return std::nullopt;
  }
  result.type = found->second;
  result.is_half = text == "f2";
  result.swap = result.swap && text[1] != '1';
  return result;
}

/// Adds a field of a structured type: (name, type) or (name, type, (count,)).
void add_field(const BlockReader& file, const PythonLiteral& literal, NpyHeader& header) {
  const bool is_pair = literal.kind == Kind::tuple && literal.items.size() >= 2 && literal.items.size() <= 3 &&
                       literal.items[0].kind == Kind::text && literal.items[1].kind == Kind::text;
  if (!is_pair) {
    file.fail("the NumPy array has fields within fields or titles, which burnish does not read");
  }
  RecordField field;
  field.name = literal.items[0].text;
  const auto type = parse_type(literal.items[1].text);
  std::size_t bytes = 0;
  if (type && type->padding > 0 && field.name.empty() && literal.items.size() == 2) {
    bytes = type->padding;
  } else {
    if (!type || type->padding > 0 || type->is_half) {
      file.fail(fmt::format("field {} of the NumPy array has the type {}, which burnish does not read",
                            excerpt(field.name), excerpt(literal.items[1].text)));
    }
    if (literal.items.size() == 3) {
      const PythonLiteral& shape = literal.items[2];
      const PythonLiteral* const count = shape.kind == Kind::number                             ? &shape
                                         : shape.kind == Kind::tuple && shape.items.size() == 1 ? &shape.items[0]
                                                                                                : nullptr;
      constexpr std::uint64_t most = std::uint64_t{1} << 20;
      if (count == nullptr || count->kind != Kind::number || count->number == 0 || count->number > most) {
        file.fail(fmt::format("field {} of the NumPy array has a shape burnish does not read", excerpt(field.name)));
      }
      field.count = count->number;
    }
    field.type = type->type;
    bytes = field.size();
    const bool is_wide = scalar_size(field.type) > 1;
    if (is_wide && header.swap != type->swap &&
        std::ranges::any_of(header.fields, [](const RecordField& f) { return scalar_size(f.type) > 1; })) {
      file.fail("the fields of the NumPy array differ in byte order");
    }
    header.swap = is_wide ? type->swap : header.swap;
    field.offset = header.item_size;
    field.axis = axis_of(field, header.fields);
    header.fields.push_back(field);
  }
  constexpr std::size_t largest = std::size_t{1} << 30;
  if (bytes > largest || header.item_size > largest) {
    file.fail("the items of the NumPy array are too large");
  }
  header.item_size += bytes;
}

void add_type(const BlockReader& file, const PythonLiteral& descr, NpyHeader& header) {
  if (descr.kind == Kind::list) {
    header.is_structured = true;
    for (const PythonLiteral& field : descr.items) {
      add_field(file, field, header);
    }
    return;
  }
  const auto type = descr.kind == Kind::text ? parse_type(descr.text) : std::nullopt;
  if (!type || type->padding > 0) {
    file.fail(fmt::format("the NumPy array has the type {}, which burnish does not read", excerpt(descr.text)));
  }
  header.swap = type->swap;
  header.is_half = type->is_half;
  header.item_size = type->is_half ? 2 : scalar_size(type->type);
  header.fields.push_back({"", type->type, 0, 1, 3});
}

std::string read_text(BlockReader& file) {
  const std::string_view start = file.fill(12);
  const bool is_long = start.size() >= 12 && start[6] > 1;
  std::uint32_t size = 0;
  if (start.size() < 12 || start[6] < 1 || start[6] > 3) {
    file.fail("byte 6: the file ends, or is of an unknown version, before the header of a NumPy array");
  }
  std::memcpy(&size, start.data() + 8, is_long ? 4 : 2);
  file.skip(is_long ? 12 : 10);
  constexpr std::uint32_t longest = std::uint32_t{1} << 20;
  if (size > longest || size > file.remaining()) {
    file.fail(fmt::format("byte 8: the header of the NumPy array declares {} bytes of text", size));
  }
  const std::string text(file.fill(size).substr(0, size));
  file.skip(text.size());
  return text;
}

}  // namespace

std::uint64_t NpyHeader::rows(std::size_t without) const {
  std::uint64_t product = 1;
  for (std::size_t i = 0; i + without < shape.size(); ++i) {
    product *= shape[i];  // does not overflow: checked when the header was read
  }
  return product;
}

NpyHeader read_npy_header(BlockReader& file) {
  const std::string text = read_text(file);
  const auto literal = parse_python_literal(text);
  const PythonLiteral* const descr = literal ? literal->find("descr") : nullptr;
  const PythonLiteral* const order = literal ? literal->find("fortran_order") : nullptr;
  const PythonLiteral* const shape = literal ? literal->find("shape") : nullptr;
  if (descr == nullptr || order == nullptr || order->kind != Kind::boolean || shape == nullptr ||
      shape->kind != Kind::tuple) {
    file.fail(
        fmt::format("the header of the NumPy array is {}, expected a dictionary with descr, fortran_order and "
                    "shape",
                    excerpt(text)));
  }
  NpyHeader header;
  header.is_column_major = order->number != 0;
  add_type(file, *descr, header);
  std::uint64_t room = header.item_size == 0 ? 0 : file.remaining() / header.item_size;
  bool is_empty = false;
  for (const PythonLiteral& dimension : shape->items) {
    if (dimension.kind != Kind::number) {
      file.fail("the NumPy array has a shape that is not made of whole numbers");
    }
    header.shape.push_back(dimension.number);
    is_empty = is_empty || dimension.number == 0;
  }
  bool is_there = is_empty || !header.shape.empty() || room > 0;  // an array without dimensions is one value
  for (const std::uint64_t dimension : header.shape) {
    is_there = is_there && (is_empty || dimension <= room);
    room = is_empty ? 0 : room / dimension;
  }
  if (!is_there) {
    file.fail(fmt::format("the NumPy array declares {} values of {} bytes, more than the {} bytes after byte {} hold",
                          header.shape.empty() ? "1" : fmt::format("{}", fmt::join(header.shape, " × ")),
                          header.item_size, file.remaining(), file.offset()));
  }
  if (is_empty && std::ranges::any_of(header.shape, [](std::uint64_t d) { return d > 1U << 30; })) {
    file.fail("the NumPy array has no values, but a dimension that is implausibly large");
  }
  return header;
}

}  // namespace burnish::io
