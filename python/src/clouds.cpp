#include "clouds.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <type_traits>

#include "arrays.hpp"
#include "burnish/error.hpp"

namespace burnish::python {
namespace {

py::str to_name(ScalarType type) { return std::string(scalar_type_names.at(static_cast<std::size_t>(type))); }

ScalarType to_type(const py::handle& name) {
  const auto found = std::ranges::find(scalar_type_names, py::cast<std::string>(name));
  if (found == scalar_type_names.end()) {
    throw Error("there is no type \"" + py::cast<std::string>(name) + "\" of numbers");
  }
  return static_cast<ScalarType>(found - scalar_type_names.begin());
}

// Files may hold text that is not UTF-8: its bytes go through Python and back as surrogates do.

py::object to_text(const std::string& bytes) {
  PyObject* const text = PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "surrogateescape");
  if (text == nullptr) {
    throw py::error_already_set();
  }
  return py::reinterpret_steal<py::object>(text);
}

std::string from_text(const py::handle& text) {
  PyObject* const bytes = PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogateescape");
  if (bytes == nullptr) {
    throw py::error_already_set();
  }
  return py::cast<std::string>(py::reinterpret_steal<py::bytes>(bytes));
}

py::tuple to_tuple(Column&& column) {
  const py::object ends = column.is_list ? py::object(to_array(std::move(column.list_ends))) : py::none();
  return py::make_tuple(to_text(column.name), to_object(std::move(column.values)), ends,
                        to_name(column.list_size_type));
}

py::list to_list(std::vector<Column>&& columns) {
  py::list list;
  for (Column& column : columns) {
    list.append(to_tuple(std::move(column)));
  }
  return list;
}

template <class T>
std::vector<T> numbers_of(const py::handle& object) {
  const auto array = py::cast<py::array_t<T, py::array::c_style>>(object);
  return {array.data(), array.data() + array.size()};
}

std::vector<std::string> texts_of(const py::handle& object) {
  std::vector<std::string> texts;
  for (const py::handle& text : object) {
    texts.push_back(from_text(text));
  }
  return texts;
}

/// The values of a column: a list of texts, or an array of one of the library's types.
Values to_values(const py::handle& object) {
  if (py::isinstance<py::list>(object)) {
    return texts_of(object);
  }
  const auto type = to_type(py::str(py::cast<py::array>(object).dtype()));
  switch (type) {
    case ScalarType::int8:
      return numbers_of<std::int8_t>(object);
    case ScalarType::uint8:
      return numbers_of<std::uint8_t>(object);
    case ScalarType::int16:
      return numbers_of<std::int16_t>(object);
    case ScalarType::uint16:
      return numbers_of<std::uint16_t>(object);
    case ScalarType::int32:
      return numbers_of<std::int32_t>(object);
    case ScalarType::uint32:
      return numbers_of<std::uint32_t>(object);
    case ScalarType::int64:
      return numbers_of<std::int64_t>(object);
    case ScalarType::uint64:
      return numbers_of<std::uint64_t>(object);
    case ScalarType::float32:
      return numbers_of<float>(object);
    case ScalarType::float64:
      return numbers_of<double>(object);
    case ScalarType::text:
      break;
  }
  throw Error("a column holds neither numbers nor text");
}

Column to_column(const py::handle& parts, std::size_t rows) {
  const auto tuple = py::cast<py::tuple>(parts);
  Column column;
  column.name = from_text(tuple[0]);
  column.values = to_values(tuple[1]);
  if (!tuple[2].is_none()) {
    column.is_list = true;
    column.list_ends = numbers_of<std::size_t>(tuple[2]);
    column.list_size_type = to_type(tuple[3]);
    const std::size_t size = std::visit([](const auto& values) { return values.size(); }, column.values);
    if (!std::ranges::is_sorted(column.list_ends) || (column.list_ends.empty() ? 0 : column.list_ends.back()) != size) {
      throw Error("the rows of the list \"" + column.name + "\" do not end where its values do");
    }
  }
  if (column.rows() != rows) {
    throw Error("\"" + column.name + "\" has " + std::to_string(column.rows()) + " rows, expected " +
                std::to_string(rows));
  }
  return column;
}

std::vector<Column> to_columns(const py::handle& list, std::size_t rows) {
  std::vector<Column> columns;
  for (const py::handle& parts : list) {
    columns.push_back(to_column(parts, rows));
  }
  return columns;
}

}  // namespace

py::object to_object(Values&& values) {
  return std::visit(
      []<class T>(std::vector<T>& list) -> py::object {
        if constexpr (std::is_same_v<T, std::string>) {
          py::list texts;
          for (const std::string& text : list) {
            texts.append(to_text(text));
          }
          return texts;
        } else {
          return to_array(std::move(list));
        }
      },
      values);
}

py::dict to_parts(PointCloud&& cloud) {
  py::list tables;
  for (Table& table : cloud.tables) {
    tables.append(py::make_tuple(to_text(table.name), table.rows, to_list(std::move(table.columns))));
  }
  py::list comments;
  for (const std::string& comment : cloud.comments) {
    comments.append(to_text(comment));
  }
  py::dict format_data;
  for (const auto& [key, bytes] : cloud.format_data) {
    format_data[py::str(key)] = py::bytes(bytes);
  }
  py::dict parts;
  parts["positions"] = to_array(std::move(cloud.positions));
  parts["attributes"] = to_list(std::move(cloud.attributes));
  parts["tables"] = tables;
  parts["comments"] = comments;
  parts["position_type"] = to_name(cloud.position_type);
  parts["width"] = cloud.width;
  parts["height"] = cloud.height;
  parts["format_data"] = format_data;
  return parts;
}

PointCloud from_parts(const py::dict& parts) {
  PointCloud cloud;
  const auto positions = py::cast<PointArray>(parts["positions"]);
  const std::span<const Vec3> points = points_of(positions);
  cloud.positions.assign(points.begin(), points.end());
  cloud.attributes = to_columns(parts["attributes"], cloud.size());
  for (const py::handle& table : parts["tables"]) {
    const auto tuple = py::cast<py::tuple>(table);
    const auto rows = py::cast<std::size_t>(tuple[1]);
    cloud.tables.push_back({from_text(tuple[0]), rows, to_columns(tuple[2], rows)});
  }
  cloud.comments = texts_of(parts["comments"]);
  cloud.position_type = to_type(parts["position_type"]);
  cloud.width = py::cast<std::size_t>(parts["width"]);
  cloud.height = py::cast<std::size_t>(parts["height"]);
  const bool is_organised = cloud.width != 0 || cloud.height != 0;
  if (is_organised &&
      (cloud.width == 0 || cloud.size() % cloud.width != 0 || cloud.size() / cloud.width != cloud.height)) {
    throw Error("width " + std::to_string(cloud.width) + " and height " + std::to_string(cloud.height) +
                " are not those of " + std::to_string(cloud.size()) + " points");
  }
  for (const auto& [key, bytes] : py::cast<py::dict>(parts["format_data"])) {
    cloud.format_data[from_text(key)] = py::cast<std::string>(py::cast<py::bytes>(bytes));
  }
  return cloud;
}

}  // namespace burnish::python
