#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "io/cloud_parts.hpp"
#include "io/las_start.hpp"
#include "io/laz_table.hpp"

namespace burnish::io {

/// The point records of a LAS or LAZ file, one after the other.
class LasRecords {
 public:
  LasRecords() = default;
  virtual ~LasRecords() = default;
  LasRecords(const LasRecords&) = delete;
  LasRecords& operator=(const LasRecords&) = delete;

  /// The next records: at least one and at most `most`, which is no more than are left. Valid until the next call.
  [[nodiscard]] virtual std::string_view next(std::size_t most) = 0;

  /// Goes back to the first point.
  virtual void restart() = 0;
};

/// The file must outlive them.
[[nodiscard]] std::unique_ptr<LasRecords> plain_las_records(BlockReader& file, const LasStart& start);

/// Those of some chunks, which follow each other in the file. Decodes as many at once as there are threads.
[[nodiscard]] std::unique_ptr<LasRecords> laz_records(BlockReader& file, const LazLayout& layout,
                                                      std::vector<LazChunk> chunks);

/// The points of a LAS file, or those of some chunks of a LAZ file, with everything else it has.
[[nodiscard]] std::unique_ptr<CloudParts> las_parts(BlockReader& file, LasStart start, std::vector<LazChunk> chunks);

}  // namespace burnish::io
