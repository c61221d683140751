#include "io/zip.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <utility>

// After PKWARE's APPNOTE, with the fields of 64 bits that archives of more than 4 GB have.

namespace burnish::io {
namespace {

template <class T>
T number(std::string_view bytes, std::size_t place) {
  T value{};
  if (place + sizeof(T) <= bytes.size()) {
    std::memcpy(&value, bytes.data() + place, sizeof(T));
  }
  return value;
}

constexpr std::uint32_t too_large = 0xFFFFFFFF;  // look in the fields of 64 bits

/// Where the directory is.
struct Place {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

Place find_directory(BlockReader& file) {
  constexpr std::uint64_t longest_end = 22 + 65535;  // with a comment
  const std::uint64_t tail_start = file.size() - std::min(file.size(), longest_end);
  file.seek(tail_start);
  const std::string_view tail = file.fill(static_cast<std::size_t>(file.size() - tail_start));
  const std::size_t end = tail.rfind(std::string_view("PK\5\6", 4));
  if (end == tail.npos || tail.size() - end < 22) {
    return {};
  }
  Place place{number<std::uint32_t>(tail, end + 16), number<std::uint32_t>(tail, end + 12)};
  if ((place.offset == too_large || place.size == too_large) && end >= 20 &&
      tail.substr(end - 20, 4) == std::string_view("PK\6\7", 4)) {
    file.seek(number<std::uint64_t>(tail, end - 12));
    const std::string_view record = file.fill(56);
    if (record.starts_with(std::string_view("PK\6\6", 4)) && record.size() >= 56) {
      place = {number<std::uint64_t>(record, 48), number<std::uint64_t>(record, 40)};
    }
  }
  return place;
}

/// Sizes and offset that do not fit 32 bits are in a further field, those that do are not.
void use_wide_fields(std::string_view extra, ZipMember& member) {
  while (extra.size() >= 4) {
    const std::size_t size = std::min<std::size_t>(number<std::uint16_t>(extra, 2), extra.size() - 4);
    if (number<std::uint16_t>(extra, 0) == 1) {
      const std::string_view wide = extra.substr(4, size);
      std::size_t at = 0;
      for (std::uint64_t* value : {&member.size, &member.compressed_size, &member.offset}) {
        if (*value == too_large) {
          *value = number<std::uint64_t>(wide, at);
          at += 8;
        }
      }
    }
    extra.remove_prefix(4 + size);
  }
}

std::vector<char> inflate_member(BlockReader& file, const ZipMember& member) {
  // Deflate makes one byte of 1032 at best.
  if (member.size > (member.compressed_size + 1) * 1032) {
    file.fail(fmt::format("{} declares {} bytes in {} compressed ones", excerpt(member.name), member.size,
                          member.compressed_size));
  }
  // Memory grows with the data: the size in the directory is not trusted.
  std::vector<char> content;
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) {
    file.fail("zlib could not be initialised");
  }
  std::uint64_t left = member.compressed_size;
  std::size_t done = 0;
  int state = Z_OK;
  while (state == Z_OK) {
    const std::string_view block = file.fill(1);
    constexpr std::uint64_t most = std::uint64_t{1} << 30;  // zlib counts in unsigned int
    const auto in = std::min<std::uint64_t>({block.size(), left, most});
    if (done == content.size()) {
      constexpr std::uint64_t first = std::uint64_t{1} << 16;
      content.resize(std::min(member.size, std::max(2 * std::uint64_t{done}, first)));
    }
    const std::size_t out = std::min<std::uint64_t>(content.size() - done, most);
    char none = 0;
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(block.data()));
    stream.avail_in = static_cast<uInt>(in);
    stream.next_out = reinterpret_cast<Bytef*>(out > 0 ? content.data() + done : &none);
    stream.avail_out = static_cast<uInt>(out);
    state = inflate(&stream, Z_NO_FLUSH);
    file.skip(in - stream.avail_in);
    left -= in - stream.avail_in;
    done += out - stream.avail_out;
  }
  inflateEnd(&stream);
  if (state != Z_STREAM_END || done != member.size) {
    file.fail(fmt::format("byte {}: the compressed member {} is damaged", file.offset(), excerpt(member.name)));
  }
  return content;
}

}  // namespace

std::vector<ZipMember> zip_members(BlockReader& file) {
  std::vector<ZipMember> members;
  const Place place = find_directory(file);
  if (place.size == 0 || place.size > file.size() || place.offset > file.size() - place.size) {
    return members;
  }
  file.seek(place.offset);
  std::string_view directory = file.fill(static_cast<std::size_t>(place.size)).substr(0, place.size);
  constexpr std::size_t fixed = 46;
  std::uint64_t compressed = 0;
  while (directory.size() >= fixed && directory.starts_with(std::string_view("PK\1\2", 4))) {
    ZipMember member;
    member.flags = number<std::uint16_t>(directory, 8);
    member.method = number<std::uint16_t>(directory, 10);
    member.compressed_size = number<std::uint32_t>(directory, 20);
    member.size = number<std::uint32_t>(directory, 24);
    member.offset = number<std::uint32_t>(directory, 42);
    const std::size_t name_size = number<std::uint16_t>(directory, 28);
    const std::size_t extra_size = number<std::uint16_t>(directory, 30);
    const std::size_t comment_size = number<std::uint16_t>(directory, 32);
    if (name_size + extra_size + comment_size > directory.size() - fixed) {
      break;
    }
    member.name = directory.substr(fixed, name_size);
    use_wide_fields(directory.substr(fixed + name_size, extra_size), member);
    directory.remove_prefix(fixed + name_size + extra_size + comment_size);
    compressed += std::min(member.compressed_size, file.size());
    members.push_back(std::move(member));
  }
  // Members that share their bytes would make a small archive a large one.
  if (compressed > file.size()) {
    file.fail(fmt::format("the members of the archive declare {} bytes, more than the {} of the file", compressed,
                          file.size()));
  }
  return members;
}

std::vector<char> read_zip_member(BlockReader& file, const ZipMember& member) {
  constexpr std::size_t fixed = 30;
  file.seek(std::min(member.offset, file.size()));
  const std::string_view head = file.fill(fixed);
  if (head.size() < fixed || !head.starts_with(std::string_view("PK\3\4", 4))) {
    file.fail(fmt::format("byte {}: expected the member {}", member.offset, excerpt(member.name)));
  }
  file.seek(member.offset + fixed + number<std::uint16_t>(head, 26) + number<std::uint16_t>(head, 28));
  if (member.compressed_size > file.remaining()) {
    file.fail(fmt::format("the file ends at byte {} inside the member {}", file.size(), excerpt(member.name)));
  }
  if ((member.flags & 1) != 0 || (member.method != 0 && member.method != 8)) {
    file.fail(fmt::format("the member {} is encrypted or compressed in a way that burnish does not read",
                          excerpt(member.name)));
  }
  if (member.method == 8) {
    return inflate_member(file, member);
  }
  const std::string_view bytes = file.fill(static_cast<std::size_t>(member.compressed_size));
  if (bytes.size() < member.compressed_size) {
    file.fail(fmt::format("the file became shorter while it was read, inside the member {}", excerpt(member.name)));
  }
  return {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(member.compressed_size)};
}

}  // namespace burnish::io
