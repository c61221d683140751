#pragma once

#include <Eigen/Geometry>
#include <pugixml.hpp>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "io/e57_fields.hpp"

// The XML section of an E57 file: what is in the file, and where.

namespace burnish::io {

/// Something in the XML is not as it should be.
class E57XmlError : public std::runtime_error {
 public:
  E57XmlError(std::ptrdiff_t offset, const std::string& what) : std::runtime_error(what), offset_(offset) {}

  /// Bytes from the start of the XML.
  [[nodiscard]] std::ptrdiff_t offset() const { return offset_; }

 private:
  std::ptrdiff_t offset_ = 0;
};

/// From the coordinates of a scan to those of the file.
struct E57Pose {
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
  Vec3 translation = Vec3::Zero();
  bool rotates = false;
  bool moves = false;

  // Not computed with where there is nothing to do, so that coordinates keep their bits.
  [[nodiscard]] Vec3 apply(const Vec3& p) const {
    const Vec3 turned = rotates ? Vec3(rotation * p) : p;
    return moves ? Vec3(turned + translation) : turned;
  }
  [[nodiscard]] Vec3 undo(const Vec3& p) const {
    const Vec3 centred = moves ? Vec3(p - translation) : p;
    return rotates ? Vec3(rotation.transpose() * centred) : centred;
  }
};

/// An entry of data3D.
struct E57Scan {
  pugi::xml_node node;
  std::string name;
  std::uint64_t points = 0;
  std::uint64_t offset = 0;  ///< of its section, physical
  std::vector<E57Field> fields;
  E57Coordinates coordinates;
  E57Pose pose;
  bool has_pose = false;
};

struct E57Document {
  pugi::xml_document xml;
  std::vector<E57Scan> scans;
  std::vector<pugi::xml_node> blobs;  ///< images and other bytes that are carried along, in the order of the XML

  [[nodiscard]] pugi::xml_node root() const { return xml.document_element(); }
};

/// Throws E57XmlError if it is no XML, nested too deeply, or says of scans and blobs what cannot be.
void read_e57_document(std::string_view text, E57Document& document);

/// Makes the element of a field say what the field is; its other attributes stay.
void describe_e57_field(const E57Field& field, pugi::xml_node node);

/// The field that an element of a prototype describes. Throws E57XmlError if burnish does not read such fields.
[[nodiscard]] E57Field read_e57_field(const pugi::xml_node& node);

/// A number that is an attribute of an element. Throws E57XmlError if it is missing or no such number.
[[nodiscard]] std::uint64_t e57_count(const pugi::xml_node& node, const char* attribute);

/// The number that an element holds: an empty one is 0. Throws E57XmlError if it is not finite.
[[nodiscard]] double e57_number(const pugi::xml_node& node);

/// The XML as text.
[[nodiscard]] std::string e57_text(const E57Document& document);

}  // namespace burnish::io
