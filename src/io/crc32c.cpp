#include "io/crc32c.hpp"

#include <array>
#include <cstddef>
#include <cstring>

// Eight bytes at a time: table k holds the remainders of a byte that is followed by k more.

namespace burnish::io {
namespace {

constexpr std::size_t step = 8;
using Tables = std::array<std::array<std::uint32_t, 256>, step>;

constexpr Tables make_tables() {
  constexpr std::uint32_t reflected_polynomial = 0x82F63B78;
  Tables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t remainder = byte;
    for (int bit = 0; bit < 8; ++bit) {
      remainder = (remainder >> 1U) ^ ((remainder & 1U) != 0 ? reflected_polynomial : 0);
    }
    tables[0][byte] = remainder;
  }
  for (std::size_t k = 1; k < step; ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = tables[k - 1][byte];
      tables[k][byte] = (before >> 8U) ^ tables[0][before & 0xFFU];
    }
  }
  return tables;
}

constexpr Tables tables = make_tables();

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  std::uint32_t crc = ~std::uint32_t{0};
  for (; bytes.size() >= step; bytes.remove_prefix(step)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof word);
    word ^= crc;
    crc = 0;
    for (std::size_t k = 0; k < step; ++k) {
      crc ^= tables[step - 1 - k][(word >> (8 * k)) & 0xFFU];
    }
  }
  for (const char c : bytes) {
    crc = (crc >> 8U) ^ tables[0][(crc ^ static_cast<unsigned char>(c)) & 0xFFU];
  }
  return ~crc;
}

}  // namespace burnish::io
