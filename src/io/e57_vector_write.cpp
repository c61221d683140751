#include "io/e57_vector_write.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "io/e57_packets.hpp"
#include "io/little_endian.hpp"

namespace burnish::io {
namespace {

/// Bits one after the other, the least significant first.
void append_bits(std::span<const std::int64_t> integers, std::int64_t minimum, unsigned width, std::string& bytes) {
  std::uint64_t waiting = 0;
  unsigned count = 0;  // of bits that wait
  for (const std::int64_t integer : integers) {
    const std::uint64_t value = static_cast<std::uint64_t>(integer) - static_cast<std::uint64_t>(minimum);
    waiting |= value << count;
    if (count + width >= 64) {
      bytes.append(reinterpret_cast<const char*>(&waiting), sizeof waiting);
      waiting = count == 0 ? 0 : value >> (64 - count);
      count = count + width - 64;
    } else {
      count += width;
    }
  }
  bytes.append(reinterpret_cast<const char*>(&waiting), (count + 7) / 8);
}

template <class T>
void append_floats(std::span<const double> floats, std::string& bytes) {
  const std::size_t before = bytes.size();
  bytes.resize(before + floats.size() * sizeof(T));
  for (std::size_t i = 0; i < floats.size(); ++i) {
    const auto value = static_cast<T>(floats[i]);
    std::memcpy(bytes.data() + before + i * sizeof(T), &value, sizeof(T));
  }
}

std::size_t head_of_text(const std::string& text) {
  return text.size() <= e57::longest_short_text ? 1 : sizeof(std::uint64_t);
}

void append_texts(std::span<const std::string> texts, std::string& bytes) {
  for (const std::string& text : texts) {
    std::string head(head_of_text(text), '\0');
    if (head.size() == 1) {
      put_little_endian(head, 0, static_cast<std::uint8_t>(text.size() * 2));
    } else {
      put_little_endian(head, 0, static_cast<std::uint64_t>(text.size() * 2 + e57::long_text));
    }
    bytes += head;
    bytes += text;
  }
}

/// The packets of a section. Each row of packets takes as many points as it can; if texts make it longer than a packet
/// may be, the bytestreams go on in further ones.
class Packets {
 public:
  Packets(const BlockWriter& file, const std::vector<E57Field>& fields)
      : fields_(fields), head_(e57::packet_head + 2 * fields.size()) {
    std::size_t bits = 0;
    for (const E57Field& field : fields) {
      bits += field.bits();
    }
    room_ = e57::longest_packet - std::min(e57::longest_packet, (head_ + 3) / 4 * 4);
    if (room_ < bits) {
      file.fail("an E57 file cannot hold that many columns; write .ply instead");
    }
    constexpr std::size_t most = 16384;
    points_at_once_ = bits == 0 ? most : std::min(most, room_ / bits * 8);
  }

  /// A multiple of eight, so that every bytestream ends with a byte.
  [[nodiscard]] std::size_t points_at_once() const { return points_at_once_; }

  /// Bytes of all packets.
  [[nodiscard]] std::uint64_t size(std::size_t points, const E57Source& source) const {
    std::uint64_t size = 0;
    for (std::size_t row = 0; row < points; row += points_at_once_) {
      const std::size_t rows = std::min(points_at_once_, points - row);
      std::uint64_t content = 0;
      for (std::size_t i = 0; i < fields_.size(); ++i) {
        if (fields_[i].is_text()) {
          for (const std::string& text : source.texts(i, row, rows)) {
            content += head_of_text(text) + text.size();
          }
        } else {
          content += (rows * fields_[i].bits() + 7) / 8;
        }
      }
      const std::uint64_t full = content == 0 ? 0 : (content - 1) / room_;
      size += full * padded(room_) + padded(content - full * room_);
    }
    return size;
  }

  /// Those of some points, whose bytestreams are given.
  void append(const std::vector<std::string>& streams, E57PageWriter& pages) {
    std::size_t left = 0;
    for (const std::string& stream : streams) {
      left += stream.size();
    }
    std::vector<std::size_t> done(streams.size(), 0);
    do {
      std::size_t room = room_;
      packet_.assign(head_, '\0');
      for (std::size_t i = 0; i < streams.size(); ++i) {
        const std::size_t part = std::min(room, streams[i].size() - done[i]);
        packet_.append(streams[i], done[i], part);
        put_little_endian(packet_, e57::packet_head + 2 * i, static_cast<std::uint16_t>(part));
        done[i] += part;
        room -= part;
        left -= part;
      }
      packet_.resize((packet_.size() + 3) / 4 * 4, '\0');
      put_little_endian(packet_, 0, e57::data_packet);
      put_little_endian(packet_, 2, static_cast<std::uint16_t>(packet_.size() - 1));
      put_little_endian(packet_, 4, static_cast<std::uint16_t>(fields_.size()));
      pages.append(packet_);
    } while (left > 0);
  }

 private:
  /// Bytes of a packet with that many bytes of bytestreams.
  [[nodiscard]] std::uint64_t padded(std::uint64_t content) const { return (head_ + content + 3) / 4 * 4; }

  const std::vector<E57Field>& fields_;
  std::size_t head_;
  std::size_t room_ = 0;  ///< for bytestreams
  std::size_t points_at_once_ = 0;
  std::string packet_;
};

}  // namespace

std::uint64_t write_e57_vector(E57PageWriter& pages, const std::vector<E57Field>& fields, std::size_t points,
                               E57Source& source) {
  pages.align();
  const std::uint64_t begin = pages.offset();
  Packets packets(pages.file(), fields);
  const std::size_t at_once = packets.points_at_once();
  std::string head(e57::vector_head, '\0');
  put_little_endian(head, 0, e57::vector_section);
  // The head states the length of the section, so that is counted first.
  put_little_endian(head, e57::section_length_place, head.size() + packets.size(points, source));
  put_little_endian(head, e57::data_offset_place, e57::physical(begin + head.size()));
  pages.append(head);
  std::vector<std::int64_t> integers;
  std::vector<double> floats;
  std::vector<std::string> streams(fields.size());
  for (std::size_t row = 0; row < points; row += at_once) {
    const std::size_t rows = std::min(at_once, points - row);
    source.prepare(row, rows);
    for (std::size_t i = 0; i < fields.size(); ++i) {
      std::string& stream = streams[i];
      stream.clear();
      if (fields[i].is_text()) {
        append_texts(source.texts(i, row, rows), stream);
      } else if (fields[i].is_float()) {
        floats.resize(rows);
        source.floats(i, floats);
        if (fields[i].kind == E57Field::Kind::float32) {
          append_floats<float>(floats, stream);
        } else {
          append_floats<double>(floats, stream);
        }
      } else if (fields[i].bits() > 0) {
        integers.resize(rows);
        source.integers(i, integers);
        append_bits(integers, fields[i].minimum, fields[i].bits(), stream);
      }
    }
    packets.append(streams, pages);
    pages.file().rows_done(rows);
  }
  return e57::physical(begin);
}

std::uint64_t write_e57_blob(E57PageWriter& pages, std::string_view content) {
  pages.align();
  const std::uint64_t begin = pages.offset();
  std::string head(e57::blob_head, '\0');
  put_little_endian(head, 0, e57::blob_section);
  const std::size_t padded = (content.size() + 3) / 4 * 4;
  put_little_endian(head, e57::section_length_place, static_cast<std::uint64_t>(head.size() + padded));
  pages.append(head);
  pages.append(content);
  pages.align();
  return e57::physical(begin);
}

}  // namespace burnish::io
