#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "io/las_start.hpp"

namespace burnish::io {

/// The point records of a LAS or LAZ file, one after the other.
class LasRecords {
 public:
  LasRecords() = default;
  virtual ~LasRecords() = default;
  LasRecords(const LasRecords&) = delete;
  LasRecords& operator=(const LasRecords&) = delete;

  /// The next records: at least one and at most `most`, of which so many are left. Valid until the next call.
  [[nodiscard]] virtual std::string_view next(std::size_t most) = 0;

  /// Goes back to the first point.
  virtual void restart() = 0;
};

/// The file must outlive them.
[[nodiscard]] std::unique_ptr<LasRecords> plain_las_records(BlockReader& file, const LasStart& start);

/// Decodes as many chunks at once as there are threads.
[[nodiscard]] std::unique_ptr<LasRecords> laz_records(BlockReader& file, const LasStart& start);

}  // namespace burnish::io
