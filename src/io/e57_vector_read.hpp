#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "io/e57_document.hpp"
#include "io/e57_pages.hpp"

namespace burnish::io {

/// The points of a scan: a compressed vector section. Its data packets hold a piece of one bytestream for each field,
/// whose bits go on in the next packet.
class E57VectorReader {
 public:
  /// Reads the head of the section. Pages and scan must outlive the reader.
  E57VectorReader(E57PageReader& pages, const E57Scan& scan);

  /// Points decoded at once, at most.
  static constexpr std::size_t most_rows = 4096;

  /// Decodes the next `count` values of every field. Throws Error if the section ends before.
  void next(std::size_t count);

  [[nodiscard]] std::uint64_t section_bytes() const { return end_ - begin_; }

  // Of the values decoded last, those of a field: integers as they are stored, floats, or texts.
  [[nodiscard]] const std::vector<std::int64_t>& integers(std::size_t field) const { return streams_[field].integers; }
  [[nodiscard]] const std::vector<double>& floats(std::size_t field) const { return streams_[field].floats; }
  [[nodiscard]] const std::vector<std::string>& texts(std::size_t field) const { return streams_[field].texts; }

 private:
  /// What was read of a bytestream and not decoded yet, and what was decoded last.
  struct Stream {
    std::string bytes;
    std::size_t bit = 0;  ///< the first that is not decoded
    std::vector<std::int64_t> integers;
    std::vector<double> floats;
    std::vector<std::string> texts;
  };

  /// True if that number of values of every field was read. Only texts, whose lengths stand before them, are decoded
  /// for that.
  [[nodiscard]] bool has(std::size_t count);
  void read_packet();
  void decode_texts(const E57Field& field, std::size_t count, Stream& stream) const;
  void decode(const E57Field& field, std::size_t count, Stream& stream) const;

  E57PageReader& pages_;
  const E57Scan& scan_;
  std::uint64_t begin_ = 0;  ///< of the section, logical
  std::uint64_t place_ = 0;  ///< of the next packet
  std::uint64_t end_ = 0;
  std::uint64_t done_ = 0;  ///< points
  std::vector<Stream> streams_;
  std::string packet_;
};

}  // namespace burnish::io
