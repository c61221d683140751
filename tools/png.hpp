#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

using Colour = std::array<std::uint8_t, 3>;

/// An image of width × height pixels, row by row.
struct Image {
  std::size_t width = 0;
  std::size_t height = 0;
  std::vector<Colour> pixels;
};

/// Throws burnish::Error if the file cannot be written.
void write_png(const std::filesystem::path& path, const Image& image);
