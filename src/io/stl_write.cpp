#include <Eigen/Geometry>

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>

#include "burnish/mesh.hpp"
#include "io/formats.hpp"

// Binary STL: 80 bytes that mean nothing, the number of triangles, then for each its normal, its corners and 16 bits.

namespace burnish::io {

void write_stl(BlockWriter& file, const PointCloud& cloud) {
  const TriangleMesh mesh = mesh_of(cloud);
  if (mesh.triangles.size() > std::numeric_limits<std::uint32_t>::max()) {
    file.fail("STL cannot hold more than 4294967295 triangles; write .ply instead");
  }
  const auto count = static_cast<std::uint32_t>(mesh.triangles.size());
  std::array<char, 80> title{};
  file.append({title.data(), title.size()});
  file.append({reinterpret_cast<const char*>(&count), sizeof count});
  file.expect_rows(count);
  for (const auto& [a, b, c] : mesh.triangles) {
    const Vec3& p = mesh.vertices[a];
    const Vec3& q = mesh.vertices[b];
    const Vec3& r = mesh.vertices[c];
    const Vec3 normal = (q - p).cross(r - p).stableNormalized();
    constexpr std::size_t triangle = 50;
    char* const room = file.room(triangle);
    std::array<float, 12> numbers{};
    std::size_t next = 0;
    for (const Vec3& v : {normal, p, q, r}) {
      for (const double coordinate : v) {
        numbers[next++] = static_cast<float>(coordinate);
      }
    }
    std::memcpy(room, numbers.data(), sizeof numbers);
    std::memset(room + sizeof numbers, 0, triangle - sizeof numbers);
    file.take(triangle);
    file.rows_done(1);
  }
}

}  // namespace burnish::io
