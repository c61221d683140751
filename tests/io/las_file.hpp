#pragma once

#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

// A writer of LAS files that shares nothing with the one under test.

namespace burnish {

template <class T>
void put(std::string& bytes, std::size_t place, T value) {
  std::memcpy(bytes.data() + place, &value, sizeof(T));
}

template <class T>
T get(const std::string& bytes, std::size_t place) {
  T value{};
  std::memcpy(&value, bytes.data() + place, sizeof(T));
  return value;
}

inline std::string las_vlr(const std::string& user, std::uint16_t id, const std::string& content) {
  std::string record(54, '\0');
  record.replace(2, user.size(), user);
  put(record, 18, id);
  put(record, 20, static_cast<std::uint16_t>(content.size()));
  return record + content;
}

inline std::string las_extra(const std::string& name, std::uint8_t type, std::uint8_t options = 0) {
  std::string descriptor(192, '\0');
  put(descriptor, 2, type);
  put(descriptor, 3, options);
  descriptor.replace(4, name.size(), name);
  return descriptor;
}

struct LasFile {
  unsigned minor = 2;
  unsigned format = 0;
  std::string records;  ///< variable length records
  std::uint32_t record_count = 0;
  std::size_t extra = 0;  ///< bytes behind each point
  std::string points;     ///< as many as fit
  std::string trailer;
  std::uint32_t extended = 0;
  double scale = 0.01;
  double offset = 1000;

  [[nodiscard]] std::size_t point_size() const {
    constexpr std::size_t sizes[] = {20, 28, 26, 34, 57, 63, 30, 36, 38, 59, 67};
    return sizes[format] + extra;
  }

  void add_random_points(std::size_t count, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    for (std::size_t i = 0; i < count * point_size(); ++i) {
      points += static_cast<char>(random());
    }
  }

  [[nodiscard]] std::string bytes() const {
    const std::size_t header_size = minor == 4 ? 375 : minor == 3 ? 235 : 227;
    const std::size_t count = points.size() / point_size();
    std::string header(header_size, '\0');
    header.replace(0, 4, "LASF");
    header.replace(26, 11, "test system");
    put<std::uint8_t>(header, 24, 1);
    put<std::uint8_t>(header, 25, static_cast<std::uint8_t>(minor));
    put(header, 94, static_cast<std::uint16_t>(header_size));
    put(header, 96, static_cast<std::uint32_t>(header_size + records.size()));
    put(header, 100, record_count);
    put(header, 104, static_cast<std::uint8_t>(format));
    put(header, 105, static_cast<std::uint16_t>(point_size()));
    put(header, 107, static_cast<std::uint32_t>(format < 6 ? count : 0));
    for (std::size_t axis = 0; axis < 3; ++axis) {
      put(header, 131 + 8 * axis, scale);
      put(header, 155 + 8 * axis, offset);
    }
    if (minor == 4) {
      put(header, 235, static_cast<std::uint64_t>(trailer.empty() ? 0 : header_size + records.size() + points.size()));
      put(header, 243, extended);
      put(header, 247, static_cast<std::uint64_t>(count));
    }
    return header + records + points + trailer;
  }
};

}  // namespace burnish
