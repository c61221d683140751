#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "burnish/view.hpp"

namespace burnish {

/// An image of width × height pixels, row by row from the top.
struct Image {
  std::size_t width = 0;
  std::size_t height = 0;
  std::vector<Rgb> pixels;

  Image(std::size_t w, std::size_t h, Rgb colour) : width(w), height(h), pixels(w * h, colour) {}

  [[nodiscard]] Rgb& at(std::size_t x, std::size_t y) { return pixels[y * width + x]; }
  [[nodiscard]] const Rgb& at(std::size_t x, std::size_t y) const { return pixels[y * width + x]; }
};

/// The bytes of a PNG file.
[[nodiscard]] std::string png(const Image& image);

/// Writes a line of text, its baseline at `y`, capital letters `size` pixels high, into an image. Letters, digits and
/// common signs of ASCII; anything else becomes an empty box. What is outside of the image is cut off.
void draw_text(Image& image, std::string_view text, double x, double y, double size, Rgb colour);

/// How wide draw_text writes it.
[[nodiscard]] double text_width(std::string_view text, double size);

/// A text that is no wider than that: with dots for what is in its middle if it would be.
[[nodiscard]] std::string fitted_text(std::string_view text, double size, double width);

}  // namespace burnish
