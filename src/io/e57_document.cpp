#include "io/e57_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <utility>

#include "io/block_reader.hpp"
#include "io/parse_number.hpp"

namespace burnish::io {
namespace {

constexpr int deepest = 64;  // levels of elements; standard files have ten

[[noreturn]] void fail(const pugi::xml_node& node, const std::string& what) {
  throw E57XmlError(node.offset_debug(), what);
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

template <class T>
T number_in(const pugi::xml_node& node, const char* attribute, T otherwise) {
  const pugi::xml_attribute found = node.attribute(attribute);
  T value = otherwise;
  if (found && (!parse_number(trimmed(found.value()), value) || !std::isfinite(static_cast<double>(value)))) {
    fail(node, fmt::format("found {} as the {} of {}, expected a number", excerpt(found.value()), attribute,
                           excerpt(node.name())));
  }
  return value;
}

E57Pose read_pose(const pugi::xml_node& node) {
  E57Pose pose;
  if (const pugi::xml_node rotation = node.child("rotation")) {
    Eigen::Quaterniond quaternion(e57_number(rotation.child("w")), e57_number(rotation.child("x")),
                                  e57_number(rotation.child("y")), e57_number(rotation.child("z")));
    const double norm = quaternion.norm();
    if (!(norm > 0) || !std::isfinite(norm)) {
      fail(rotation, "the rotation of a scan is 0 0 0 0, expected a quaternion");
    }
    // Exactly no rotation is the rule; the digits of a quaternion's length are rarely exactly 1.
    pose.rotates = !quaternion.vec().isZero(0);
    pose.rotation = quaternion.normalized().toRotationMatrix();
  }
  const pugi::xml_node translation = node.child("translation");
  pose.translation = {e57_number(translation.child("x")), e57_number(translation.child("y")),
                      e57_number(translation.child("z"))};
  pose.moves = !pose.translation.isZero(0);
  return pose;
}

E57Scan read_scan(const pugi::xml_node& node) {
  const pugi::xml_node points = node.child("points");
  if (std::string_view(points.attribute("type").value()) != "CompressedVector") {
    fail(points ? points : node, "found a scan without points of type CompressedVector");
  }
  E57Scan scan;
  scan.node = node;
  scan.name = node.child("name").text().get();
  scan.points = e57_count(points, "recordCount");
  scan.offset = e57_count(points, "fileOffset");
  for (const pugi::xml_node& child : points.child("prototype").children()) {
    if (child.type() == pugi::node_element) {
      if (std::ranges::find(scan.fields, std::string_view(child.name()), &E57Field::name) != scan.fields.end()) {
        fail(child, fmt::format("the points have two fields {}", excerpt(child.name())));
      }
      scan.fields.push_back(read_e57_field(child));
    }
  }
  for (const pugi::xml_node& codec : points.child("codecs").children()) {
    if (codec.type() == pugi::node_element) {
      fail(codec, "the points are coded by an extension, expected the codecs of the standard");
    }
  }
  scan.coordinates = find_coordinates(scan.fields);
  if (!scan.coordinates.is_complete()) {
    fail(points,
         "a scan has neither cartesianX, cartesianY, cartesianZ nor sphericalRange, sphericalAzimuth, "
         "sphericalElevation");
  }
  scan.has_pose = !node.child("pose").empty();
  scan.pose = read_pose(node.child("pose"));
  return scan;
}

/// Finds blobs and what is nested too deeply.
class Walker final : public pugi::xml_tree_walker {
 public:
  explicit Walker(std::vector<pugi::xml_node>& blobs) : blobs_(blobs) {}

  bool for_each(pugi::xml_node& node) override {
    if (depth() > deepest) {
      fail(node, fmt::format("the XML is nested more than {} levels deep", deepest));
    }
    if (std::string_view(node.attribute("type").value()) == "Blob") {
      blobs_.push_back(node);
    }
    return true;
  }

 private:
  std::vector<pugi::xml_node>& blobs_;
};

/// Unlike a stream, it does not keep it to itself if memory runs out.
struct StringWriter final : pugi::xml_writer {
  void write(const void* data, std::size_t size) override { text.append(static_cast<const char*>(data), size); }

  std::string text;
};

}  // namespace

void read_e57_document(std::string_view text, E57Document& document) {
  constexpr unsigned everything = pugi::parse_full & ~static_cast<unsigned>(pugi::parse_eol);
  const pugi::xml_parse_result result =
      document.xml.load_buffer(text.data(), text.size(), everything | pugi::parse_ws_pcdata, pugi::encoding_utf8);
  if (result.status == pugi::status_out_of_memory) {
    throw std::bad_alloc();
  }
  if (!result) {
    throw E57XmlError(result.offset, fmt::format("the XML is damaged: {}", result.description()));
  }
  const pugi::xml_node root = document.root();
  if (std::string_view(root.name()) != "e57Root") {
    fail(root, fmt::format("found the XML element {}, expected \"e57Root\"", excerpt(root.name())));
  }
  Walker walker(document.blobs);
  document.xml.traverse(walker);
  for (const pugi::xml_node& node : root.child("data3D").children()) {
    if (node.type() == pugi::node_element) {
      document.scans.push_back(read_scan(node));
    }
  }
}

E57Field read_e57_field(const pugi::xml_node& node) {
  using Limits = std::numeric_limits<std::int64_t>;
  E57Field field;
  field.name = node.name();
  const std::string_view type = node.attribute("type").value();
  if (type == "Float") {
    const bool is_single = std::string_view(node.attribute("precision").value()) == "single";
    field.kind = is_single ? E57Field::Kind::float32 : E57Field::Kind::float64;
    return field;
  }
  if (type == "String" && !has_to_be_number(field.name)) {
    field.kind = E57Field::Kind::text;
    return field;
  }
  if (type != "Integer" && type != "ScaledInteger") {
    fail(node, fmt::format("the field {} of the points is of type {}, expected Float, Integer or ScaledInteger",
                           excerpt(field.name), excerpt(type)));
  }
  field.kind = type == "Integer" ? E57Field::Kind::integer : E57Field::Kind::scaled_integer;
  field.minimum = number_in(node, "minimum", Limits::min());
  field.maximum = number_in(node, "maximum", Limits::max());
  field.scale = number_in(node, "scale", 1.0);
  field.offset = number_in(node, "offset", 0.0);
  if (field.minimum > field.maximum || field.scale == 0) {
    fail(node, fmt::format("the field {} of the points has minimum {}, maximum {} and scale {}", excerpt(field.name),
                           field.minimum, field.maximum, field.scale));
  }
  return field;
}

void describe_e57_field(const E57Field& field, pugi::xml_node node) {
  const auto set = [&](const char* name, const std::string& value) {
    pugi::xml_attribute attribute = node.attribute(name);
    (attribute ? attribute : node.append_attribute(name)).set_value(value.c_str());
  };
  const bool is_scaled = field.kind == E57Field::Kind::scaled_integer;
  set("type", field.is_text() ? "String" : field.is_float() ? "Float" : is_scaled ? "ScaledInteger" : "Integer");
  if (field.is_float() || field.is_text()) {
    for (const char* const name : {"minimum", "maximum", "scale", "offset"}) {
      node.remove_attribute(name);
    }
    if (field.is_float()) {
      set("precision", field.kind == E57Field::Kind::float32 ? "single" : "double");
    }
    return;
  }
  node.remove_attribute("precision");
  set("minimum", fmt::format("{}", field.minimum));
  set("maximum", fmt::format("{}", field.maximum));
  if (is_scaled) {
    set("scale", fmt::format("{}", field.scale));
    set("offset", fmt::format("{}", field.offset));
  }
}

std::uint64_t e57_count(const pugi::xml_node& node, const char* attribute) {
  std::uint64_t value = 0;
  if (!parse_number(trimmed(node.attribute(attribute).value()), value)) {
    fail(node, fmt::format("found {} as the {} of {}, expected a whole number",
                           excerpt(node.attribute(attribute).value()), attribute, excerpt(node.name())));
  }
  return value;
}

double e57_number(const pugi::xml_node& node) {
  const std::string_view text = trimmed(node.text().get());
  double value = 0;
  if (!text.empty() && (!parse_number(text, value) || !std::isfinite(value))) {
    fail(node, fmt::format("found {} in {}, expected a number", excerpt(text), excerpt(node.name())));
  }
  return value;
}

std::string e57_text(const E57Document& document) {
  StringWriter writer;
  document.xml.save(writer, "", pugi::format_raw | pugi::format_no_declaration, pugi::encoding_utf8);
  return std::move(writer.text);
}

}  // namespace burnish::io
