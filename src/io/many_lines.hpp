#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/parallel.hpp"
#include "io/line_reader.hpp"

namespace burnish::io {

/// Many of the next lines of a file, cut into pieces for several threads to read.
class ManyLines {
 public:
  /// Bytes of a piece; two of them are many. For tests to change.
  static inline std::size_t piece_size = std::size_t{64} << 10;

  /// At most `rows` whole lines of at least `least_bytes` bytes each, the ending included. No pieces if the
  /// lines are not many.
  ManyLines(LineReader& whole, std::uint64_t rows, std::size_t least_bytes) : whole_(whole) {
    const std::size_t most_bytes = 64 * piece_size;
    const std::size_t bytes = rows < most_bytes / least_bytes ? rows * least_bytes : most_bytes;
    if (std::min<std::uint64_t>(bytes, whole.file().remaining()) < 2 * piece_size) {
      return;
    }
    lines_ = whole.next_lines(bytes);
    for (std::size_t begin = 0, end = 0; begin < lines_.size(); begin = end) {
      end = std::min(begin + piece_size, lines_.size());
      end = lines_.find(whole.ending(), end - 1) + 1;
      pieces_.push_back(lines_.substr(begin, end - begin));
    }
  }

  [[nodiscard]] std::size_t pieces() const { return pieces_.size(); }

  /// Calls read(i, lines of piece i) for all pieces, in parallel. False if it threw an Error for any of them: which
  /// line that was, who reads them one by one will find.
  template <class Read>
  [[nodiscard]] bool read_each(const Read& read) const {
    const BlockReader& file = whole_.file();
    std::vector<std::uint8_t> failed(pieces_.size(), 0);
    parallel_for(file.context(), pieces_.size(), 1, [&](std::size_t i) {
      BlockReader piece(file.path(), {pieces_[i].begin(), pieces_[i].end()}, file.context());
      LineReader lines(piece, whole_);
      try {
        read(i, lines);
      } catch (const Error&) {
        failed[i] = 1;
      }
    });
    return std::ranges::count(failed, 1) == 0;
  }

  /// Takes the lines off the front of the file.
  void take() { whole_.skip_lines(lines_); }

 private:
  LineReader& whole_;
  std::string_view lines_;
  std::vector<std::string_view> pieces_;
};

}  // namespace burnish::io
