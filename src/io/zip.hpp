#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/block_reader.hpp"

namespace burnish::io {

/// A member of a ZIP archive, as its directory describes it.
struct ZipMember {
  std::string name;
  std::uint16_t method = 0;  ///< 0: stored, 8: deflated
  std::uint16_t flags = 0;
  std::uint64_t compressed_size = 0;
  std::uint64_t size = 0;
  std::uint64_t offset = 0;
};

/// The directory at the end of an archive; empty if there is none.
[[nodiscard]] std::vector<ZipMember> zip_members(BlockReader& file);

/// The content of a member. Throws Error if it is damaged, encrypted or compressed in another way.
[[nodiscard]] std::vector<char> read_zip_member(BlockReader& file, const ZipMember& member);

}  // namespace burnish::io
