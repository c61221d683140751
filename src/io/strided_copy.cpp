#include "io/strided_copy.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <type_traits>

#include "io/scalar.hpp"

// Files are little-endian where we choose, and so is every machine burnish is built for.
static_assert(std::endian::native == std::endian::little);

namespace burnish::io {
namespace {

template <class T>
T load(const char* data, bool swap) {
  T value;
  if (swap) {
    char bytes[sizeof(T)];
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      bytes[i] = data[sizeof(T) - 1 - i];
    }
    std::memcpy(&value, bytes, sizeof(T));
  } else {
    std::memcpy(&value, data, sizeof(T));
  }
  return value;
}

template <class From, class To>
void copy(const Strided<const char>& from, const Strided<char>& to, std::size_t count, bool swap) {
  // By value: stores through char* could otherwise change the strides for all the compiler knows.
  const auto loop = [source = from.data, source_stride = from.stride, target = to.data, target_stride = to.stride,
                     count](auto swapped) {
    for (std::size_t i = 0; i < count; ++i) {
      const To value = static_cast<To>(load<From>(source + i * source_stride, swapped));
      std::memcpy(target + i * target_stride, &value, sizeof(To));
    }
  };
  if (swap) {
    loop(std::true_type());
  } else {
    loop(std::false_type());
  }
}

}  // namespace

void copy_strided(const Strided<const char>& from, const Strided<char>& to, std::size_t count, bool swap) {
  if (from.type == to.type) {
    // As integers, so that not even a signalling NaN changes on its way through a register.
    switch (scalar_size(from.type)) {
      case 1:
        return copy<std::uint8_t, std::uint8_t>(from, to, count, false);
      case 2:
        return copy<std::uint16_t, std::uint16_t>(from, to, count, swap);
      case 4:
        return copy<std::uint32_t, std::uint32_t>(from, to, count, swap);
      default:
        return copy<std::uint64_t, std::uint64_t>(from, to, count, swap);
    }
  }
  if (to.type == ScalarType::float64) {
    return with_number_type(from.type, [&]<class T>(std::type_identity<T>) { copy<T, double>(from, to, count, swap); });
  }
  if (from.type == ScalarType::float64 && to.type == ScalarType::float32) {
    return copy<double, float>(from, to, count, swap);
  }
  throw std::logic_error("copy_strided does not convert between these types");
}

}  // namespace burnish::io
