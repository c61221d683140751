#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "io/laz_fields.hpp"
#include "io/laz_layout.hpp"

// Points of formats 0 to 5: all fields of a point, then the next point, in one stream of the range coder. What the
// fields are predicted from is version 2 of the compression. Version 1, of files from before 2011, is in
// laz_pointwise_old.hpp.

namespace burnish::io {

/// The start of a point record of formats 0 to 5.
struct OldPoint {
  std::int32_t x = 0;
  std::int32_t y = 0;
  std::int32_t z = 0;
  std::uint16_t intensity = 0;
  std::uint8_t returns = 0;  ///< return number, number of returns, direction of scan, edge of flight line
  std::uint8_t classification = 0;
  std::uint8_t scan_angle = 0;
  std::uint8_t user_data = 0;
  std::uint16_t source = 0;

  [[nodiscard]] unsigned return_number() const { return returns & 7U; }
  [[nodiscard]] unsigned number_of_returns() const { return returns >> 3U & 7U; }
  [[nodiscard]] unsigned scan_direction() const { return returns >> 6U & 1U; }
};
static_assert(sizeof(OldPoint) == 20);

/// What of a point is different from the last one: bits of a symbol that comes before the fields.
namespace laz_changed {
inline constexpr unsigned source = 1;
inline constexpr unsigned user_data = 2;
inline constexpr unsigned scan_angle = 4;
inline constexpr unsigned classification = 8;
inline constexpr unsigned intensity = 16;
inline constexpr unsigned returns = 32;
}  // namespace laz_changed

class OldPointModel {
 public:
  void start(const OldPoint& first) {
    last_ = first;
    last_.intensity = 0;
  }

  template <class Coder>
  void code(Coder& coder, OldPoint& point) {
    unsigned changed = 0;
    if constexpr (Coder::encodes) {
      changed = (point.returns != last_.returns ? laz_changed::returns : 0) |
                (point.intensity != intensities_[return_class(point)] ? laz_changed::intensity : 0) |
                (point.classification != last_.classification ? laz_changed::classification : 0) |
                (point.scan_angle != last_.scan_angle ? laz_changed::scan_angle : 0) |
                (point.user_data != last_.user_data ? laz_changed::user_data : 0) |
                (point.source != last_.source ? laz_changed::source : 0);
    } else {
      point = last_;
    }
    coder.code(changed_, 64, changed);
    if ((changed & laz_changed::returns) != 0) {
      coder.code(returns_[last_.returns], 256, point.returns);
    }
    const std::size_t kind = return_class(point);
    if ((changed & laz_changed::intensity) != 0) {
      intensity_.code(coder, intensities_[kind], point.intensity, std::min<std::size_t>(kind, 3));
      intensities_[kind] = point.intensity;
    }
    if constexpr (!Coder::encodes) {
      point.intensity = intensities_[kind];
    }
    if ((changed & laz_changed::classification) != 0) {
      coder.code(classification_[last_.classification], 256, point.classification);
    }
    if ((changed & laz_changed::scan_angle) != 0) {
      scan_angle_[point.scan_direction()].code(coder, last_.scan_angle, point.scan_angle);
    }
    if ((changed & laz_changed::user_data) != 0) {
      coder.code(user_data_[last_.user_data], 256, point.user_data);
    }
    if ((changed & laz_changed::source) != 0) {
      source_.code(coder, last_.source, point.source);
    }
    code_coordinates(coder, point, kind);
    last_ = point;
  }

 private:
  template <class Coder>
  void code_coordinates(Coder& coder, OldPoint& point, std::size_t kind) {
    const bool is_single = point.number_of_returns() == 1;
    std::int32_t change = wrapped_difference(point.x, last_.x);
    x_.code(coder, x_changes_[kind].get(), change, is_single ? 1 : 0);
    x_changes_[kind].add(change);
    point.x = wrapped_sum(last_.x, change);

    change = wrapped_difference(point.y, last_.y);
    y_.code(coder, y_changes_[kind].get(), change, laz_context(x_.last_class(), 20, is_single));
    y_changes_[kind].add(change);
    point.y = wrapped_sum(last_.y, change);

    const auto level = static_cast<std::size_t>(
        std::abs(static_cast<int>(point.number_of_returns()) - static_cast<int>(point.return_number())));
    z_.code(coder, heights_[level], point.z, laz_context((x_.last_class() + y_.last_class()) / 2, 18, is_single));
    heights_[level] = point.z;
  }

  /// Points whose number of returns and place among them are alike, for which the same predictions hold.
  [[nodiscard]] static std::size_t return_class(const OldPoint& point) {
    static constexpr std::uint8_t classes[8][8] = {{15, 14, 13, 12, 11, 10, 9, 8},  {14, 0, 1, 3, 6, 10, 10, 9},
                                                   {13, 1, 2, 4, 7, 11, 11, 10},    {12, 3, 4, 5, 8, 12, 12, 11},
                                                   {11, 6, 7, 8, 9, 13, 13, 12},    {10, 10, 11, 12, 13, 14, 14, 13},
                                                   {9, 10, 11, 12, 13, 14, 15, 14}, {8, 9, 10, 11, 12, 13, 14, 15}};
    return classes[point.number_of_returns()][point.return_number()];
  }

  OldPoint last_;
  std::array<std::uint16_t, 16> intensities_{};
  std::array<StreamingMedian, 16> x_changes_;
  std::array<StreamingMedian, 16> y_changes_;
  std::array<std::int32_t, 8> heights_{};
  SymbolModel<64> changed_;
  IntegerModel<32, 2> x_;
  IntegerModel<32, 22> y_;
  IntegerModel<32, 20> z_;
  IntegerModel<16, 4> intensity_;
  IntegerModel<16, 1> source_;
  std::array<ByteModel, 2> scan_angle_;
  std::array<SymbolModel<256>, 256> returns_;
  std::array<SymbolModel<256>, 256> classification_;
  std::array<SymbolModel<256>, 256> user_data_;
};

/// What points of formats 0 to 5 consist of, besides the wave packet, and the models for it.
struct PointwiseVersion2 {
  using Point = OldPointModel;
  using Time = TimeModel<true>;
  using Colours = ColourModel;

  /// Bytes that the LAS header describes, or nothing does.
  class Extra {
   public:
    explicit Extra(std::size_t count) : models_(count) {}

    template <class Coder>
    void code(Coder& coder, std::size_t i, std::uint8_t last, std::uint8_t& byte) {
      models_[i].code(coder, last, byte);
    }

   private:
    std::vector<ByteModel> models_;
  };
};

/// Codes the points of a chunk but the first, which is stored as it is.
template <class Version>
class PointwiseModels {
 public:
  PointwiseModels(const LazLayout& layout, const char* first)
      : layout_(layout), extra_(layout.extra_bytes), last_extra_(layout.extra_bytes) {
    OldPoint point;
    load_item(first, point);
    point_.start(point);
    if (layout_.has_time()) {
      std::int64_t time = 0;
      load_item(first + layout_.time(), time);
      time_.start(time);
    }
    if (layout_.has_colours()) {
      load_item(first + layout_.colours(), last_colour_);
    }
    if (layout_.has_waves()) {
      load_item(first + layout_.waves(), last_wave_);
    }
    std::copy_n(first + layout_.extra(), last_extra_.size(), last_extra_.begin());
  }

  template <class Coder>
  void code(Coder& coder, typename Coder::Byte* record) {
    code_item<OldPoint>(record, [&](OldPoint& point) { point_.code(coder, point); });
    if (layout_.has_time()) {
      code_item<std::int64_t>(record + layout_.time(), [&](std::int64_t& time) { time_.code(coder, time); });
    }
    if (layout_.has_colours()) {
      code_item<Colour>(record + layout_.colours(), [&](Colour& colour) {
        colours_.code(coder, last_colour_, colour);
        last_colour_ = colour;
      });
    }
    if (layout_.has_waves()) {
      code_item<WavePacket>(record + layout_.waves(), [&](WavePacket& packet) {
        waves_.code(coder, last_wave_, packet);
        last_wave_ = packet;
      });
    }
    for (std::size_t i = 0; i < last_extra_.size(); ++i) {
      code_item<std::uint8_t>(record + layout_.extra() + i, [&](std::uint8_t& byte) {
        extra_.code(coder, i, last_extra_[i], byte);
        last_extra_[i] = byte;
      });
    }
  }

 private:
  LazLayout layout_;
  typename Version::Point point_;
  typename Version::Time time_;
  typename Version::Colours colours_;
  WavePacketModel waves_;
  typename Version::Extra extra_;
  Colour last_colour_{};
  WavePacket last_wave_;
  std::vector<std::uint8_t> last_extra_;
};

}  // namespace burnish::io
