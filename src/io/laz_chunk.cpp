#include "io/laz_chunk.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "io/las_layout.hpp"
#include "io/laz_layered.hpp"
#include "io/laz_pointwise.hpp"
#include "io/laz_pointwise_old.hpp"
#include "io/range_coder.hpp"

namespace burnish::io {

/// One way of compression. Codes all points of a chunk but the first, which is stored as it is.
class LazChunkDecoder::Work {
 public:
  Work() = default;
  virtual ~Work() = default;
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  /// False if bytes were needed that are not there.
  [[nodiscard]] virtual bool read(char* records, std::size_t count) = 0;

  /// Bytes used up.
  [[nodiscard]] virtual std::size_t consumed() const = 0;
};

/// Bytes are those behind the first point.
template <class Version>
class LazChunkDecoder::Pointwise final : public Work {
 public:
  Pointwise(const LazLayout& layout, const char* first, std::string_view bytes)
      : record_size_(layout.size()), coder_(bytes), models_(layout, first) {}

  bool read(char* records, std::size_t count) override {
    RangeDecoder coder = coder_;
    for (; count > 0 && !coder.is_past_end(); --count) {
      models_.code(coder, records);
      records += record_size_;
    }
    coder_ = coder;
    return !coder_.is_past_end();
  }

  [[nodiscard]] std::size_t consumed() const override { return coder_.consumed(); }

 private:
  std::size_t record_size_;
  RangeDecoder coder_;
  PointwiseModels<Version> models_;
};

/// The number of points, the sizes of the layers, the layers.
class LazChunkDecoder::Layered final : public Work {
 public:
  Layered(const LazLayout& layout, const char* first, std::string_view bytes)
      : record_size_(layout.size()), models_(layout, first) {
    std::size_t place = 4 + 4 * models_.layers.size();
    for (std::size_t i = 0; i < models_.layers.size() && place <= bytes.size(); ++i) {
      const std::size_t size = little_endian<std::uint32_t>(bytes, 4 + 4 * i);
      auto& layer = models_.layers[i];
      layer.coder = RangeDecoder(bytes.substr(place, size));
      layer.is_coded = size > 0;
      place += size;
    }
    is_whole_ = place <= bytes.size();
    consumed_ = place;
  }

  bool read(char* records, std::size_t count) override {
    for (; is_whole_ && count > 0; --count) {
      models_.code(records);
      records += record_size_;
      is_whole_ = !models_.layers[0].coder.is_past_end();
    }
    for (const auto& layer : models_.layers) {
      is_whole_ = is_whole_ && !(layer.is_coded && layer.coder.is_past_end());
    }
    return is_whole_;
  }

  [[nodiscard]] std::size_t consumed() const override { return consumed_; }

 private:
  std::size_t record_size_;
  LayeredModels<RangeDecoder> models_;
  bool is_whole_ = false;
  std::size_t consumed_ = 0;
};

LazChunkDecoder::LazChunkDecoder(const LazLayout& layout, std::string_view bytes) : layout_(layout), bytes_(bytes) {}
LazChunkDecoder::LazChunkDecoder(LazChunkDecoder&&) noexcept = default;
LazChunkDecoder& LazChunkDecoder::operator=(LazChunkDecoder&&) noexcept = default;
LazChunkDecoder::~LazChunkDecoder() = default;

bool LazChunkDecoder::read(char* records, std::size_t count) {
  const std::size_t record_size = layout_.size();
  if (count > 0 && !has_begun_) {
    if (bytes_.size() < record_size) {
      return false;
    }
    std::memcpy(records, bytes_.data(), record_size);
    has_begun_ = true;
    records += record_size;
    --count;
  }
  if (count == 0) {
    return true;
  }
  if (!work_) {
    const std::string_view rest = bytes_.substr(record_size);
    if (layout_.is_layered()) {
      work_ = std::make_unique<Layered>(layout_, bytes_.data(), rest);
    } else if (layout_.version == 1) {
      work_ = std::make_unique<Pointwise<PointwiseVersion1>>(layout_, bytes_.data(), rest);
    } else {
      work_ = std::make_unique<Pointwise<PointwiseVersion2>>(layout_, bytes_.data(), rest);
    }
  }
  return work_->read(records, count);
}

std::size_t LazChunkDecoder::consumed() const { return layout_.size() + (work_ ? work_->consumed() : 0); }

std::string encode_laz_chunk(const LazLayout& layout, std::string_view records) {
  const std::size_t record_size = layout.size();
  const std::size_t count = records.size() / record_size;
  std::string bytes(records.substr(0, record_size));
  if (!layout.is_layered()) {
    const auto models = std::make_unique<PointwiseModels<PointwiseVersion2>>(layout, records.data());
    RangeEncoder coder;
    for (std::size_t i = 1; i < count; ++i) {
      models->code(coder, records.data() + i * record_size);
    }
    return bytes + coder.finish();
  }
  LayeredModels<RangeEncoder> models(layout, records.data());
  for (std::size_t i = 1; i < count; ++i) {
    models.code(records.data() + i * record_size);
  }
  std::string head(4 + 4 * models.layers.size(), '\0');
  put_little_endian(head, 0, static_cast<std::uint32_t>(count));
  std::string content;
  for (std::size_t i = 0; i < models.layers.size(); ++i) {
    auto& layer = models.layers[i];
    const bool is_always_there = i <= static_cast<std::size_t>(PointLayer::z);
    const std::string coded = layer.is_needed || is_always_there ? layer.coder.finish() : std::string();
    put_little_endian(head, 4 + 4 * i, static_cast<std::uint32_t>(coded.size()));
    content += coded;
  }
  return bytes + head + content;
}

}  // namespace burnish::io
