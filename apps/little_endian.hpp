#pragma once

#include <cstddef>
#include <cstring>
#include <optional>
#include <string_view>

namespace burnish::cli {

/// A number of a little-endian file; nothing if the bytes end before it.
template <class Number>
std::optional<Number> number_at(std::string_view bytes, std::size_t place) {
  if (place + sizeof(Number) > bytes.size()) {
    return std::nullopt;
  }
  Number number;
  std::memcpy(&number, bytes.data() + place, sizeof number);
  return number;
}

}  // namespace burnish::cli
