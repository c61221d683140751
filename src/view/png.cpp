#include <zlib.h>

#include <cstdint>

#include "burnish/error.hpp"
#include "view/image.hpp"

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

/// Rows as they are (filter 0) or every byte as its difference to the one above (filter 2): clouds of noise are smaller
/// the one way, smooth surfaces the other.
std::string filtered_rows(const Image& image, bool by_difference) {
  std::string rows;
  rows.reserve(image.height * (3 * image.width + 1));
  for (std::size_t y = 0; y < image.height; ++y) {
    rows.push_back(by_difference ? 2 : 0);
    for (std::size_t x = 0; x < image.width; ++x) {
      for (std::size_t c = 0; c < 3; ++c) {
        const int above = by_difference && y > 0 ? image.at(x, y - 1)[c] : 0;
        rows.push_back(static_cast<char>(image.at(x, y)[c] - above));
      }
    }
  }
  return rows;
}

std::string deflated(const std::string& rows) {
  uLongf size = compressBound(rows.size());
  std::string packed(size, '\0');
  const int code = compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                             reinterpret_cast<const Bytef*>(rows.data()), rows.size(), 9);
  if (code != Z_OK) {
    throw Error("compression failed (zlib " + std::to_string(code) + ")");
  }
  packed.resize(size);
  return packed;
}

}  // namespace

std::string png(const Image& image) {
  std::string header;
  append_number(header, static_cast<std::uint32_t>(image.width));
  append_number(header, static_cast<std::uint32_t>(image.height));
  header += std::string("\x08\x02\x00\x00\x00", 5);  // 8 bits, red green blue
  const std::string plain = deflated(filtered_rows(image, false));
  const std::string differences = deflated(filtered_rows(image, true));
  std::string file = "\x89PNG\r\n\x1a\n";
  append_chunk(file, "IHDR", header);
  append_chunk(file, "IDAT", plain.size() < differences.size() ? plain : differences);
  append_chunk(file, "IEND", "");
  return file;
}

}  // namespace burnish
