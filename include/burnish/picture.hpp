#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "burnish/point_cloud.hpp"

// Pictures of clouds, coloured by their error.

namespace burnish {

using Colour = std::array<std::uint8_t, 3>;

/// An image of width × height pixels, row by row; white at first.
struct Image {
  Image(std::size_t columns, std::size_t rows)
      : width(columns), height(rows), pixels(columns * rows, Colour{255, 255, 255}) {}

  std::size_t width;
  std::size_t height;
  std::vector<Colour> pixels;
};

/// Writes a PNG file, complete or not at all. Throws Error if it cannot be written.
void write_png(const std::filesystem::path& path, const Image& image);

/// Where one looks from, obliquely from above, and at what.
struct View {
  Vec3 centre = Vec3::Zero();  ///< in the middle of the picture
  double size = 1.0;           ///< this length, in the unit of the cloud, fills most of the height
  bool y_is_up = false;        ///< otherwise z is
};

/// A view of all finite points.
[[nodiscard]] View view_of(std::span<const Vec3> points, bool y_is_up = false);

/// Draws points into columns left … left + width of an image, lit from where one looks. `errors` has a number for every
/// point: 0 is grey, 1 and more is red. Points that are not finite are left out.
void draw_points(std::span<const Vec3> points, std::span<const double> errors, const View& view, std::size_t left,
                 std::size_t width, Image& image);

}  // namespace burnish
