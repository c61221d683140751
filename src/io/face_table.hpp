#pragma once

#include <cstdint>
#include <vector>

#include "burnish/point_cloud.hpp"

namespace burnish::io {

/// The table "face" that a PLY file of a mesh has: lists of the numbers of points, counted from 0.
class FaceTable {
 public:
  void add_corner(std::int32_t vertex) { corners_.push_back(vertex); }
  void end_face() { ends_.push_back(corners_.size()); }

  [[nodiscard]] std::size_t faces() const { return ends_.size(); }
  [[nodiscard]] std::vector<std::int32_t>& corners() { return corners_; }

  /// The finished table; nothing is left here.
  [[nodiscard]] Table take();

 private:
  std::vector<std::int32_t> corners_;
  std::vector<std::size_t> ends_;
};

/// The column of a cloud's table "face" that lists the corners, if it is one of integers; otherwise nullptr.
[[nodiscard]] const Column* find_faces(const PointCloud& cloud);

/// Calls f with each corner of one face of that column.
template <class F>
void for_each_corner(const Column& faces, std::size_t face, F&& f) {
  const std::size_t begin = face == 0 ? 0 : faces.list_ends[face - 1];
  std::visit(
      [&]<class T>(const std::vector<T>& corners) {
        if constexpr (std::is_integral_v<T>) {
          for (std::size_t i = begin; i < faces.list_ends[face]; ++i) {
            f(static_cast<std::int64_t>(corners[i]));
          }
        }
      },
      faces.values);
}

}  // namespace burnish::io
