#include "burnish/mesh.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "burnish/error.hpp"
#include "core/face_corners.hpp"

namespace burnish {
namespace {

template <class T>
std::uint32_t vertex_index(T value, std::size_t vertices, std::size_t face) {
  if (!(value >= T{0}) || static_cast<double>(value) >= static_cast<double>(vertices)) {
    throw Error("face " + std::to_string(face) + " refers to vertex " + std::to_string(value) +
                ", but there are only " + std::to_string(vertices) + " vertices");
  }
  return static_cast<std::uint32_t>(value);
}

}  // namespace

TriangleMesh mesh_of(const PointCloud& cloud) {
  TriangleMesh mesh;
  const auto faces = std::ranges::find(cloud.tables, "face", &Table::name);
  if (faces == cloud.tables.end()) {
    return mesh;
  }
  const auto corners = std::ranges::find_if(faces->columns, lists_corners);
  if (corners == faces->columns.end()) {
    return mesh;
  }
  std::visit(
      [&]<class T>(const std::vector<T>& indices) {
        if constexpr (std::is_arithmetic_v<T>) {
          std::size_t begin = 0;
          for (std::size_t face = 0; face < corners->list_ends.size(); ++face) {
            const std::size_t end = corners->list_ends[face];
            const auto corner = [&](std::size_t i) { return vertex_index(indices[begin + i], cloud.size(), face); };
            for (std::size_t i = 2; i < end - begin; ++i) {
              mesh.triangles.push_back({corner(0), corner(i - 1), corner(i)});
            }
            begin = end;
          }
        }
      },
      corners->values);
  if (!mesh.triangles.empty()) {
    mesh.vertices = cloud.positions;
  }
  return mesh;
}

PointCloud cloud_of(const TriangleMesh& mesh) {
  Column corners;
  corners.name = "vertex_indices";
  corners.is_list = true;
  std::vector<std::int32_t> indices;
  indices.reserve(3 * mesh.triangles.size());
  for (const auto& triangle : mesh.triangles) {
    indices.insert(indices.end(), triangle.begin(), triangle.end());
    corners.list_ends.push_back(indices.size());
  }
  corners.values = std::move(indices);
  PointCloud cloud;
  cloud.positions = mesh.vertices;
  cloud.tables.push_back({"face", mesh.triangles.size(), {std::move(corners)}});
  return cloud;
}

}  // namespace burnish
