#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "io/las_records.hpp"
#include "io/laz_chunk.hpp"
#include "io/laz_table.hpp"
#include "io/range_coder.hpp"

namespace burnish::io {
namespace {

/// Bytes of decoded records that are in memory at once for each thread. A chunk with more is decoded part by part.
constexpr std::size_t most_bytes_at_once = std::size_t{16} << 20U;

class LazRecords final : public LasRecords {
 public:
  LazRecords(BlockReader& file, const LazLayout& layout, std::vector<LazChunk> chunks)
      : file_(file), layout_(layout), chunks_(std::move(chunks)) {}

  [[nodiscard]] std::string_view next(std::size_t most) override {
    while (taken_ == records_.size()) {
      decode_more();
    }
    const std::size_t size = std::min(records_.size() - taken_, most * layout_.size());
    const std::string_view some = std::string_view(records_).substr(taken_, size);
    taken_ += size;
    return some;
  }

  void restart() override {
    next_chunk_ = 0;
    taken_ = 0;
    records_.clear();
    decoder_.reset();
  }

 private:
  [[nodiscard]] std::size_t most_rows() const { return std::max<std::size_t>(1, most_bytes_at_once / layout_.size()); }

  void decode_more() {
    taken_ = 0;
    records_.clear();
    if (next_chunk_ == chunks_.size() && !decoder_) {
      file_.fail("there are fewer points than its header declares");
    }
    if (decoder_ || chunks_[next_chunk_].points > most_rows()) {
      decode_part();
    } else {
      decode_chunks();
    }
  }

  /// The next points of a large chunk.
  void decode_part() {
    if (!decoder_) {
      chunk_bytes_ = read_laz_chunk(file_, chunks_[next_chunk_]);
      decoder_.emplace(layout_, std::string_view(chunk_bytes_).substr(0, chunk_bytes_.size() - RangeDecoder::padding));
      left_in_chunk_ = chunks_[next_chunk_++].points;
    }
    constexpr std::uint64_t rows_at_once = 4096;  // few, so that a chunk that promises too much takes little memory
    const std::uint64_t rows = std::min({left_in_chunk_, rows_at_once, std::uint64_t{most_rows()}});
    records_.resize(static_cast<std::size_t>(rows) * layout_.size());
    if (!decoder_->read(records_.data(), static_cast<std::size_t>(rows))) {
      fail_for_laz_chunk(file_, chunks_[next_chunk_ - 1]);
    }
    left_in_chunk_ -= rows;
    if (left_in_chunk_ == 0) {
      decoder_.reset();
      chunk_bytes_ = {};
    }
  }

  /// One chunk for each thread.
  void decode_chunks() {
    const ExecutionContext& context = file_.context();
    const std::size_t first = next_chunk_;
    std::vector<std::string> bytes;
    std::vector<std::size_t> places;
    std::size_t size = 0;
    while (bytes.size() < thread_count(context) && next_chunk_ < chunks_.size() &&
           chunks_[next_chunk_].points <= most_rows()) {
      places.push_back(size);
      size += static_cast<std::size_t>(chunks_[next_chunk_].points) * layout_.size();
      bytes.push_back(read_laz_chunk(file_, chunks_[next_chunk_++]));
    }
    records_.resize(size);
    std::vector<char> is_whole(bytes.size(), 0);
    parallel_for(context, bytes.size(), 1, [&](std::size_t i) {
      const std::string_view chunk = std::string_view(bytes[i]).substr(0, bytes[i].size() - RangeDecoder::padding);
      const auto rows = static_cast<std::size_t>(chunks_[first + i].points);
      is_whole[i] = LazChunkDecoder(layout_, chunk).read(records_.data() + places[i], rows) ? 1 : 0;
    });
    if (const auto damaged = std::ranges::find(is_whole, 0); damaged != is_whole.end()) {
      fail_for_laz_chunk(file_, chunks_[first + static_cast<std::size_t>(damaged - is_whole.begin())]);
    }
  }

  BlockReader& file_;
  LazLayout layout_;
  std::vector<LazChunk> chunks_;
  std::size_t next_chunk_ = 0;
  std::string records_;    ///< decoded
  std::size_t taken_ = 0;  ///< bytes of them that were given away

  // Of a large chunk, as long as it is not decoded to its end.
  std::optional<LazChunkDecoder> decoder_;
  std::string chunk_bytes_;
  std::uint64_t left_in_chunk_ = 0;
};

}  // namespace

std::unique_ptr<LasRecords> laz_records(BlockReader& file, const LazLayout& layout, std::vector<LazChunk> chunks) {
  return std::make_unique<LazRecords>(file, layout, std::move(chunks));
}

}  // namespace burnish::io
