#include "io/e57_pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "io/crc32c.hpp"
#include "io/little_endian.hpp"

namespace burnish::io {
namespace {

// Where things are in the header.
constexpr std::size_t version_place = 8;  // two numbers of 32 bits
constexpr std::size_t length_place = 16;
constexpr std::size_t xml_offset_place = 24;
constexpr std::size_t xml_length_place = 32;
constexpr std::size_t page_size_place = 40;

/// The only numbers of the format with the most significant byte first.
std::array<char, 4> checksum_bytes(std::string_view content) {
  const std::uint32_t crc = crc32c(content);
  return {static_cast<char>(crc >> 24U), static_cast<char>(crc >> 16U), static_cast<char>(crc >> 8U),
          static_cast<char>(crc)};
}

}  // namespace

E57PageReader::E57PageReader(BlockReader& file) : file_(file) {
  const std::string_view start = file.fill(e57::page_size);
  if (start.size() < e57::header_size) {
    file.fail(fmt::format("the file ends at byte {} inside its E57 header", file.size()));
  }
  const std::string header(start.substr(0, e57::header_size));
  const auto major = little_endian<std::uint32_t>(header, version_place);
  const auto minor = little_endian<std::uint32_t>(header, version_place + 4);
  const auto length = little_endian<std::uint64_t>(header, length_place);
  const auto page_size = little_endian<std::uint64_t>(header, page_size_place);
  if (major != 1) {
    file.fail(fmt::format("byte {}: found E57 version {}.{}, expected 1.0", version_place, major, minor));
  }
  if (page_size != e57::page_size) {
    file.fail(fmt::format("byte {}: found pages of {} bytes, expected {}", page_size_place, page_size, e57::page_size));
  }
  if (length > file.size() || length == 0 || length % e57::page_size != 0) {
    file.fail(fmt::format("byte {}: the E57 header declares {} bytes, but the file has {}{}", length_place, length,
                          file.size(), length > file.size() ? "" : ", and expected are pages of 1024 bytes"));
  }
  size_ = length / e57::page_size * e57::page_content;
  std::array<char, e57::header_size> checked{};
  read(0, checked.size(), checked.data());
  xml_offset_ = logical(little_endian<std::uint64_t>(header, xml_offset_place), "the XML section");
  xml_length_ = little_endian<std::uint64_t>(header, xml_length_place);
  if (xml_length_ > size_ - xml_offset_) {
    file.fail(fmt::format("byte {}: the E57 header declares {} bytes of XML, but the file has {} there",
                          xml_length_place, xml_length_, size_ - xml_offset_));
  }
}

std::uint64_t E57PageReader::logical(std::uint64_t physical, std::string_view what) const {
  const std::uint64_t in_page = physical % e57::page_size;
  const std::uint64_t offset = physical / e57::page_size * e57::page_content + in_page;
  if (in_page >= e57::page_content || offset < e57::header_size || offset >= size_) {
    file_.fail(fmt::format("{} is declared to be at byte {}, expected a position after the header and before byte {}",
                           what, physical, e57::physical(size_)));
  }
  return offset;
}

void E57PageReader::read(std::uint64_t offset, std::size_t count, char* target) {
  while (count > 0) {
    const std::uint64_t page = offset / e57::page_content;
    file_.seek(page * e57::page_size);
    const std::string_view bytes = file_.fill(e57::page_size).substr(0, e57::page_size);
    if (offset >= size_ || bytes.size() < e57::page_size) {
      file_.fail(
          fmt::format("the file ends at byte {}, expected {} more", e57::physical(std::min(offset, size_)), count));
    }
    if (page != checked_page_) {
      const std::array<char, 4> expected = checksum_bytes(bytes.substr(0, e57::page_content));
      if (!std::ranges::equal(expected, bytes.substr(e57::page_content))) {
        file_.fail(fmt::format("byte {}: the checksum of the page at byte {} is wrong: the file is damaged there",
                               page * e57::page_size + e57::page_content, page * e57::page_size));
      }
      checked_page_ = page;
    }
    const auto begin = static_cast<std::size_t>(offset % e57::page_content);
    const std::size_t part = std::min(count, e57::page_content - begin);
    std::memcpy(target, bytes.data() + begin, part);
    target += part;
    offset += part;
    count -= part;
  }
}

E57PageWriter::E57PageWriter(BlockWriter& file) : file_(file) { append(std::string(e57::header_size, '\0')); }

void E57PageWriter::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t part = std::min(bytes.size(), page_.size() - used_);
    std::memcpy(page_.data() + used_, bytes.data(), part);
    used_ += part;
    offset_ += part;
    bytes.remove_prefix(part);
    if (used_ == page_.size()) {
      write_page();
    }
  }
}

void E57PageWriter::align() { append(std::string((4 - offset_ % 4) % 4, '\0')); }

void E57PageWriter::write_page() {
  const std::string_view content(page_.data(), page_.size());
  const std::array<char, 4> checksum = checksum_bytes(content);
  if (first_page_.empty()) {
    first_page_ = content;
  }
  file_.append(content);
  file_.append({checksum.data(), checksum.size()});
  constexpr std::uint64_t odd_number = 0x9E3779B97F4A7C15;
  content_mark_ = (content_mark_ ^ crc32c(content)) * odd_number + 1;
  used_ = 0;
}

void E57PageWriter::finish(std::string_view xml) {
  align();
  const std::uint64_t xml_offset = offset_;
  append(xml);
  if (used_ > 0) {
    append(std::string(page_.size() - used_, '\0'));
  }
  std::string header(e57::header_size, '\0');
  header.replace(0, e57::signature.size(), e57::signature);
  put_little_endian(header, version_place, std::uint32_t{1});
  put_little_endian(header, length_place, file_.offset());
  put_little_endian(header, xml_offset_place, e57::physical(xml_offset));
  put_little_endian(header, xml_length_place, static_cast<std::uint64_t>(xml.size()));
  put_little_endian(header, page_size_place, std::uint64_t{e57::page_size});
  first_page_.replace(0, header.size(), header);
  const std::array<char, 4> checksum = checksum_bytes(first_page_);
  file_.overwrite_start(first_page_ + std::string(checksum.data(), checksum.size()));
}

}  // namespace burnish::io
