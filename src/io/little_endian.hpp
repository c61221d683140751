#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

// Numbers in the headers of binary files, least significant byte first, as the machines are that burnish runs on.

namespace burnish::io {

/// The number at a place that is known to be there.
template <class T>
[[nodiscard]] T little_endian(std::string_view bytes, std::size_t place) {
  T value{};
  std::memcpy(&value, bytes.data() + place, sizeof(T));
  return value;
}

template <class T>
void put_little_endian(std::string& bytes, std::size_t place, T value) {
  std::memcpy(bytes.data() + place, &value, sizeof(T));
}

}  // namespace burnish::io
