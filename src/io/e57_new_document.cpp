#include "io/e57_new_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

namespace burnish::io {
namespace {

pugi::xml_node add(pugi::xml_node parent, const char* name, const char* type) {
  pugi::xml_node node = parent.append_child(name);
  node.append_attribute("type") = type;
  return node;
}

void add_text(pugi::xml_node parent, const char* name, const char* text) {
  add(parent, name, "String").append_child(pugi::node_cdata).set_value(text);
}

void add_number(pugi::xml_node parent, const char* name, double value, const char* type = "Float") {
  add(parent, name, type).text().set(fmt::format("{}", value).c_str());
}

pugi::xml_node add_vector(pugi::xml_node parent, const char* name) {
  pugi::xml_node node = add(parent, name, "Vector");
  node.append_attribute("allowHeterogeneousChildren") = "1";
  return node;
}

void add_pose(pugi::xml_node scan, const Vec3& scanner) {
  pugi::xml_node pose = add(scan, "pose", "Structure");
  pugi::xml_node rotation = add(pose, "rotation", "Structure");
  add_number(rotation, "w", 1);
  for (const char* const axis : {"x", "y", "z"}) {
    add_number(rotation, axis, 0);
  }
  pugi::xml_node translation = add(pose, "translation", "Structure");
  add_number(translation, "x", scanner.x());
  add_number(translation, "y", scanner.y());
  add_number(translation, "z", scanner.z());
}

void add_scan(pugi::xml_node data, E57Field::Kind kind, bool has_invalid) {
  pugi::xml_node scan = add(data, "vectorChild", "Structure");
  add(scan, "guid", "String");
  pugi::xml_node bounds = add(scan, "cartesianBounds", "Structure");
  for (const char* const name : {"xMinimum", "xMaximum", "yMinimum", "yMaximum", "zMinimum", "zMaximum"}) {
    add(bounds, name, "Float");
  }
  pugi::xml_node points = add(scan, "points", "CompressedVector");
  points.append_attribute("fileOffset") = "0";
  points.append_attribute("recordCount") = "0";
  pugi::xml_node prototype = add(points, "prototype", "Structure");
  for (const char* const name : {"cartesianX", "cartesianY", "cartesianZ"}) {
    describe_e57_field({name, kind}, prototype.append_child(name));
  }
  if (has_invalid) {
    const char* const name = "cartesianInvalidState";
    describe_e57_field({name, E57Field::Kind::integer, 0, 2}, prototype.append_child(name));
  }
  add_vector(points, "codecs");
}

/// The smallest and the largest value that a column may have: those of its type, or for floats those it has.
std::pair<double, double> limits_of(const Column& column) {
  return std::visit(
      []<class T>(const std::vector<T>& values) -> std::pair<double, double> {
        if constexpr (std::is_integral_v<T>) {
          using Limits = std::numeric_limits<T>;
          return {static_cast<double>(Limits::min()), static_cast<double>(Limits::max())};
        } else if constexpr (std::is_floating_point_v<T>) {
          double low = 0;
          double high = 0;
          for (const T value : values) {
            if (std::isfinite(value)) {
              low = std::min(low, static_cast<double>(value));
              high = std::max(high, static_cast<double>(value));
            }
          }
          return {low, high};
        } else {
          return {0, 0};
        }
      },
      column.values);
}

/// 128 bits that two numbers decide, written as identifiers are.
std::string identifier(std::uint64_t content, std::uint64_t number) {
  std::array<std::uint64_t, 2> parts{};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    // The mixing function of SplitMix64 (Steele, Lea, Flood 2014).
    std::uint64_t z = content + (2 * number + i + 1) * 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EB;
    parts[i] = z ^ (z >> 31U);
  }
  return fmt::format("{{{:08x}-{:04x}-{:04x}-{:04x}-{:012x}}}", parts[0] >> 32U, (parts[0] >> 16U) & 0xFFFFU,
                     parts[0] & 0xFFFFU, parts[1] >> 48U, parts[1] & 0xFFFFFFFFFFFFU);
}

}  // namespace

void make_e57_document(const PointCloud& cloud, std::size_t scans, const std::vector<Vec3>& scanners,
                       E57Document& document) {
  pugi::xml_document xml;
  pugi::xml_node declaration = xml.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  pugi::xml_node root = add(xml, "e57Root", "Structure");
  root.append_attribute("xmlns") = "http://www.astm.org/COMMIT/E57/2010-e57-v1.0";
  add_text(root, "formatName", "ASTM E57 3D Imaging Data File");
  add(root, "guid", "String");
  add_number(root, "versionMajor", 1, "Integer");
  add_number(root, "versionMinor", 0, "Integer");
  add_text(root, "e57LibraryVersion", "burnish");
  pugi::xml_node data = add_vector(root, "data3D");
  const bool has_scanners = scanners.size() == scans;
  const E57Field::Kind kind =
      cloud.position_type == ScalarType::float32 && !has_scanners ? E57Field::Kind::float32 : E57Field::Kind::float64;
  const bool has_invalid = !std::ranges::all_of(cloud.positions, is_finite);
  for (std::size_t i = 0; i < scans; ++i) {
    add_scan(data, kind, has_invalid);
    if (has_scanners) {
      add_pose(data.last_child(), scanners[i]);
    }
    add_e57_limits(cloud, data.last_child());
  }
  add_vector(root, "images2D");
  E57Document made;
  made.xml.reset(xml);
  read_e57_document(e57_text(made), document);
}

void add_e57_limits(const PointCloud& cloud, pugi::xml_node scan) {
  const auto add_limits = [&](pugi::xml_node parent, const char* attribute, const std::string& name) {
    const Column& column = *cloud.find_attribute(attribute);
    const auto [low, high] = limits_of(column);
    const bool is_float = column.type() == ScalarType::float32 || column.type() == ScalarType::float64;
    add_number(parent, (name + "Minimum").c_str(), low, is_float ? "Float" : "Integer");
    add_number(parent, (name + "Maximum").c_str(), high, is_float ? "Float" : "Integer");
  };
  const auto has = [&](const char* name) {
    const Column* const column = cloud.find_attribute(name);
    return column != nullptr && !column->is_list && column->type() != ScalarType::text;
  };
  if (has("intensity")) {
    add_limits(add(scan, "intensityLimits", "Structure"), "intensity", "intensity");
  }
  if (has("red") && has("green") && has("blue")) {
    pugi::xml_node limits = add(scan, "colorLimits", "Structure");
    add_limits(limits, "red", "colorRed");
    add_limits(limits, "green", "colorGreen");
    add_limits(limits, "blue", "colorBlue");
  }
}

void set_e57_identifiers(std::uint64_t content, E57Document& document) {
  std::uint64_t number = 0;
  const auto set = [&](const pugi::xml_node& node) {
    pugi::xml_node guid = node.child("guid");
    if (guid && !guid.first_child()) {
      guid.append_child(pugi::node_cdata).set_value(identifier(content, number).c_str());
    }
    ++number;
  };
  set(document.root());
  for (const E57Scan& scan : document.scans) {
    set(scan.node);
  }
}

}  // namespace burnish::io
