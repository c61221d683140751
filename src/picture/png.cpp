#include <zlib.h>

#include <string>

#include "burnish/io.hpp"
#include "burnish/picture.hpp"

namespace burnish {
namespace {

void append_number(std::string& bytes, std::uint32_t number) {
  for (int shift = 24; shift >= 0; shift -= 8) {
    bytes.push_back(static_cast<char>(number >> shift & 0xFF));
  }
}

void append_chunk(std::string& file, const std::string& type, const std::string& data) {
  append_number(file, static_cast<std::uint32_t>(data.size()));
  const std::string body = type + data;
  file += body;
  append_number(file, static_cast<std::uint32_t>(
                          crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()))));
}

}  // namespace

void write_png(const std::filesystem::path& path, const Image& image) {
  std::string rows;
  for (std::size_t y = 0; y < image.height; ++y) {
    rows.push_back(2);  // filter "up": every byte as its difference to the one above
    for (std::size_t x = 0; x < image.width; ++x) {
      for (std::size_t c = 0; c < 3; ++c) {
        const int above = y > 0 ? image.pixels[(y - 1) * image.width + x][c] : 0;
        rows.push_back(static_cast<char>(image.pixels[y * image.width + x][c] - above));
      }
    }
  }
  uLongf size = compressBound(rows.size());
  std::string packed(size, '\0');
  compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(rows.data()), rows.size(),
            9);
  packed.resize(size);

  std::string header;
  append_number(header, static_cast<std::uint32_t>(image.width));
  append_number(header, static_cast<std::uint32_t>(image.height));
  header += std::string("\x08\x02\x00\x00\x00", 5);  // 8 bits, red green blue
  std::string file = "\x89PNG\r\n\x1a\n";
  append_chunk(file, "IHDR", header);
  append_chunk(file, "IDAT", packed);
  append_chunk(file, "IEND", "");
  write_file(path, file);
}

}  // namespace burnish
