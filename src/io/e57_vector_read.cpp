#include "io/e57_vector_read.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "io/e57_packets.hpp"
#include "io/little_endian.hpp"

namespace burnish::io {
namespace {

constexpr std::size_t padding = 16;  // bytes behind a bytestream that may be read, not used

/// An unsigned number of up to 64 bits that starts at a bit.
std::uint64_t bits_at(const char* bytes, std::size_t bit, unsigned count) {
  std::uint64_t low = 0;
  std::memcpy(&low, bytes + bit / 8, sizeof low);
  const unsigned shift = bit % 8;
  std::uint64_t value = low >> shift;
  if (shift + count > 64) {
    value |= std::uint64_t{static_cast<unsigned char>(bytes[bit / 8 + 8])} << (64 - shift);
  }
  return count == 64 ? value : value & ((std::uint64_t{1} << count) - 1);
}

template <class T>
void copy_floats(const char* bytes, std::size_t count, std::vector<double>& floats) {
  for (std::size_t i = 0; i < count; ++i) {
    T value{};
    std::memcpy(&value, bytes + i * sizeof(T), sizeof(T));
    floats[i] = static_cast<double>(value);
  }
}

}  // namespace

E57VectorReader::E57VectorReader(E57PageReader& pages, const E57Scan& scan)
    : pages_(pages),
      scan_(scan),
      begin_(pages.logical(scan.offset, "a section of points")),
      streams_(scan.fields.size()) {
  for (Stream& stream : streams_) {
    stream.bytes.assign(padding, '\0');
  }
  std::string head(e57::vector_head, '\0');
  pages_.read(begin_, head.size(), head.data());
  const auto id = little_endian<std::uint8_t>(head, 0);
  const auto length = little_endian<std::uint64_t>(head, e57::section_length_place);
  if (id != e57::vector_section) {
    pages_.file().fail(fmt::format("byte {}: found a section of kind {}, expected the points of a scan, kind {}",
                                   scan.offset, id, e57::vector_section));
  }
  if (length < head.size() || length > pages_.size() - begin_) {
    pages_.file().fail(fmt::format("byte {}: the section declares {} bytes, but the file has {} there",
                                   scan.offset + e57::section_length_place, length, pages_.size() - begin_));
  }
  end_ = begin_ + length;
  place_ = end_;
  if (length > head.size() && scan.points > 0) {
    place_ = pages_.logical(little_endian<std::uint64_t>(head, e57::data_offset_place), "the first packet of points");
  }
}

void E57VectorReader::next(std::size_t count) {
  for (Stream& stream : streams_) {
    stream.texts.clear();
  }
  while (!has(count)) {
    read_packet();
  }
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    if (!scan_.fields[i].is_text()) {
      decode(scan_.fields[i], count, streams_[i]);
    }
  }
  done_ += count;
}

bool E57VectorReader::has(std::size_t count) {
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    const E57Field& field = scan_.fields[i];
    Stream& stream = streams_[i];
    if (field.is_text()) {
      decode_texts(field, count, stream);
    }
    const std::size_t bits = (stream.bytes.size() - padding) * 8 - stream.bit;
    if (field.is_text() ? stream.texts.size() < count : bits < count * field.bits()) {
      return false;
    }
  }
  return true;
}

void E57VectorReader::read_packet() {
  std::array<char, e57::shortest_packet> start{};
  if (place_ < begin_ || place_ >= end_ || end_ - place_ < start.size()) {
    pages_.file().fail(fmt::format("the section of points at byte {} ends after {} of {} points, at byte {}",
                                   scan_.offset, done_, scan_.points, e57::physical(end_)));
  }
  pages_.read(place_, start.size(), start.data());
  const std::string_view head(start.data(), start.size());
  const auto kind = little_endian<std::uint8_t>(head, 0);
  const std::size_t length = std::size_t{little_endian<std::uint16_t>(head, 2)} + 1;
  const std::uint64_t place = e57::physical(place_);
  if (kind > e57::empty_packet) {
    pages_.file().fail(fmt::format("byte {}: found a packet of kind {}, expected 0, 1 or 2", place, kind));
  }
  if (length < (kind == e57::data_packet ? e57::packet_head : start.size()) || length % 4 != 0 ||
      length > end_ - place_) {
    pages_.file().fail(fmt::format("byte {}: found a packet of {} bytes, expected a multiple of 4 of at most {}",
                                   place + 2, length, end_ - place_));
  }
  place_ += length;
  if (kind != e57::data_packet) {
    return;
  }
  packet_.resize(length);
  pages_.read(place_ - length, length, packet_.data());
  const std::size_t count = little_endian<std::uint16_t>(packet_, 4);
  if (count != streams_.size()) {
    pages_.file().fail(fmt::format("byte {}: found a packet of {} bytestreams, expected one for each of {} fields",
                                   place + 4, count, streams_.size()));
  }
  std::size_t at = e57::packet_head + 2 * count;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t size =
        at <= length ? little_endian<std::uint16_t>(packet_, e57::packet_head + 2 * i) : length + 1;
    if (at > length || size > length - at) {
      pages_.file().fail(
          fmt::format("byte {}: the bytestreams of the packet are longer than its {} bytes", place, length));
    }
    Stream& stream = streams_[i];
    stream.bytes.erase(0, stream.bit / 8);
    stream.bit %= 8;
    stream.bytes.resize(stream.bytes.size() - padding);
    stream.bytes.append(packet_, at, size).append(padding, '\0');
    at += size;
  }
}

void E57VectorReader::decode_texts(const E57Field& field, std::size_t count, Stream& stream) const {
  const std::string_view bytes(stream.bytes.data(), stream.bytes.size() - padding);
  while (stream.texts.size() < count) {
    const std::string_view left = bytes.substr(stream.bit / 8);
    if (left.empty()) {
      return;
    }
    const bool is_long = (left.front() & e57::long_text) != 0;
    const std::size_t head = is_long ? sizeof(std::uint64_t) : 1;
    if (left.size() < head) {
      return;
    }
    const std::uint64_t length =
        (is_long ? little_endian<std::uint64_t>(left, 0) : little_endian<std::uint8_t>(left, 0)) >> 1U;
    if (length > end_ - begin_) {
      pages_.file().fail(fmt::format(
          "the section of points at byte {}: {} of point {} declares a text of {} bytes, but the section has {}",
          scan_.offset, excerpt(field.name), done_ + stream.texts.size() + 1, length, end_ - begin_));
    }
    if (left.size() - head < length) {
      return;
    }
    stream.texts.emplace_back(left.substr(head, static_cast<std::size_t>(length)));
    stream.bit += (head + static_cast<std::size_t>(length)) * 8;
  }
}

void E57VectorReader::decode(const E57Field& field, std::size_t count, Stream& stream) const {
  const unsigned width = field.bits();
  if (field.is_float()) {
    stream.floats.resize(count);
    const char* const bytes = stream.bytes.data() + stream.bit / 8;
    if (field.kind == E57Field::Kind::float32) {
      copy_floats<float>(bytes, count, stream.floats);
    } else {
      copy_floats<double>(bytes, count, stream.floats);
    }
  } else if (width == 0) {
    stream.integers.assign(count, field.minimum);
  } else {
    // Unsigned, because the difference may not fit a signed number.
    const std::uint64_t range = static_cast<std::uint64_t>(field.maximum) - static_cast<std::uint64_t>(field.minimum);
    bool is_inside = true;
    stream.integers.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t above = bits_at(stream.bytes.data(), stream.bit + i * width, width);
      is_inside = is_inside && above <= range;
      stream.integers[i] = static_cast<std::int64_t>(static_cast<std::uint64_t>(field.minimum) + above);
    }
    if (!is_inside) {
      pages_.file().fail(
          fmt::format("the section of points at byte {}: a value of {} among points {} to {} is above its maximum, {}",
                      scan_.offset, excerpt(field.name), done_ + 1, done_ + count, field.maximum));
    }
  }
  stream.bit += count * width;
}

}  // namespace burnish::io
