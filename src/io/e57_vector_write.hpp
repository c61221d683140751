#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/e57_fields.hpp"
#include "io/e57_pages.hpp"

namespace burnish::io {

/// Where the values of fields come from.
class E57Source {
 public:
  E57Source() = default;
  virtual ~E57Source() = default;
  E57Source(const E57Source&) = delete;
  E57Source& operator=(const E57Source&) = delete;

  /// Called before the values of these rows are asked for, field by field.
  virtual void prepare(std::size_t row, std::size_t count) = 0;

  /// Integers as they are stored, for fields of integers and scaled integers.
  virtual void integers(std::size_t field, std::span<std::int64_t> values) = 0;
  virtual void floats(std::size_t field, std::span<double> values) = 0;

  /// For fields of texts, those of any rows.
  [[nodiscard]] virtual std::span<const std::string> texts(std::size_t field, std::size_t row,
                                                           std::size_t count) const = 0;
};

/// Writes the points of a scan as a compressed vector section. Returns where it starts, a physical offset.
[[nodiscard]] std::uint64_t write_e57_vector(E57PageWriter& pages, const std::vector<E57Field>& fields,
                                             std::size_t points, E57Source& source);

/// Writes a section of bytes. Returns where it starts, a physical offset.
[[nodiscard]] std::uint64_t write_e57_blob(E57PageWriter& pages, std::string_view content);

}  // namespace burnish::io
