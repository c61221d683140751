#include "io/bytes_at.hpp"

#include <fmt/format.h>

namespace burnish::io {

std::string bytes_at(BlockReader& file, std::uint64_t offset, std::size_t count) {
  file.seek(offset);
  const std::string_view bytes = file.fill(count);
  if (bytes.size() < count) {
    file.fail(
        fmt::format("the file ends at byte {}, expected {} more", file.offset() + bytes.size(), count - bytes.size()));
  }
  return std::string(bytes.substr(0, count));
}

}  // namespace burnish::io
