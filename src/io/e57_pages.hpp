#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "io/block_reader.hpp"
#include "io/block_writer.hpp"

// E57 after ASTM E2807: a file consists of pages of 1024 bytes, each ending in a checksum of its first 1020. Offsets in
// headers and XML are physical, which counts the checksums; lengths are logical, which does not. The first 48 bytes are
// the header, the rest are sections: compressed vectors, blobs and one of XML.

namespace burnish::io {

namespace e57 {
inline constexpr std::size_t page_size = 1024;
inline constexpr std::size_t page_content = 1020;
inline constexpr std::size_t header_size = 48;
inline constexpr std::string_view signature = "ASTM-E57";

[[nodiscard]] constexpr std::uint64_t physical(std::uint64_t logical) {
  return logical / page_content * page_size + logical % page_content;
}
}  // namespace e57

/// The content of an E57 file without its checksums, each of which is compared before a byte of its page is used.
class E57PageReader {
 public:
  /// Reads the header. Throws Error if the file cannot be what it promises.
  explicit E57PageReader(BlockReader& file);

  /// Logical bytes of the file.
  [[nodiscard]] std::uint64_t size() const { return size_; }

  [[nodiscard]] std::uint64_t xml_offset() const { return xml_offset_; }  ///< logical
  [[nodiscard]] std::uint64_t xml_length() const { return xml_length_; }

  /// The logical offset of a physical one. Throws Error if there is none: it is said to be the offset of `what`.
  [[nodiscard]] std::uint64_t logical(std::uint64_t physical, std::string_view what) const;

  /// Copies bytes from a logical offset. Throws Error if the file ends before or a checksum is wrong.
  void read(std::uint64_t offset, std::size_t count, char* target);

  [[nodiscard]] BlockReader& file() const { return file_; }

 private:
  BlockReader& file_;
  std::uint64_t size_ = 0;
  std::uint64_t xml_offset_ = 0;
  std::uint64_t xml_length_ = 0;
  std::uint64_t checked_page_ = ~std::uint64_t{0};
};

/// Writes the content of an E57 file, to which it adds the checksums.
class E57PageWriter {
 public:
  /// Leaves room for the header.
  explicit E57PageWriter(BlockWriter& file);

  void append(std::string_view bytes);

  /// Adds zeros up to a multiple of four bytes, where sections and packets begin.
  void align();

  /// Logical bytes written so far.
  [[nodiscard]] std::uint64_t offset() const { return offset_; }

  /// A number made from all bytes written so far in whole pages.
  [[nodiscard]] std::uint64_t content_mark() const { return content_mark_; }

  /// Writes the XML section, fills the last page and puts the header in its place.
  void finish(std::string_view xml);

  [[nodiscard]] BlockWriter& file() const { return file_; }

 private:
  void write_page();

  BlockWriter& file_;
  std::uint64_t offset_ = 0;
  std::size_t used_ = 0;
  std::array<char, e57::page_content> page_{};
  std::string first_page_;
  std::uint64_t content_mark_ = 0;
};

}  // namespace burnish::io
