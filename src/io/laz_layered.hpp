#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "io/laz_fields.hpp"
#include "io/laz_layout.hpp"

// Points of formats 6 to 10: every field has a layer, a stream of the range coder for itself, so that readers can leave
// out what they do not need. A layer is empty if its field is the same for all points. Predictions are made from the
// last point of the same scanner channel.

namespace burnish::io {

/// The start of a point record of formats 6 to 10.
struct NewPoint {
  std::int32_t x = 0;
  std::int32_t y = 0;
  std::int32_t z = 0;
  std::uint16_t intensity = 0;
  std::uint8_t returns = 0;  ///< return number, number of returns
  std::uint8_t flags = 0;    ///< four flags, scanner channel, direction of scan, edge of flight line
  std::uint8_t classification = 0;
  std::uint8_t user_data = 0;
  std::int16_t scan_angle = 0;
  std::uint16_t source = 0;
  std::int64_t time = 0;  ///< the bits of a double

  [[nodiscard]] unsigned return_number() const { return returns & 15U; }
  [[nodiscard]] unsigned number_of_returns() const { return returns >> 4U; }
  [[nodiscard]] unsigned channel() const { return flags >> 4U & 3U; }
  void set_channel(unsigned channel) { flags = static_cast<std::uint8_t>((flags & ~0x30U) | channel << 4U); }

  /// The flags without the scanner channel.
  [[nodiscard]] unsigned other_flags() const { return (flags & 15U) | (flags >> 2U & 0x30U); }
  void set_other_flags(unsigned other) {
    flags = static_cast<std::uint8_t>((flags & 0x30U) | (other & 15U) | (other & 0x30U) << 2U);
  }

  [[nodiscard]] bool is_first() const { return return_number() == 1; }
  [[nodiscard]] bool is_last() const { return return_number() >= number_of_returns(); }
};

inline constexpr std::size_t new_point_fields = 22;  // bytes before the time

inline void load_item(const char* place, NewPoint& point) {
  std::memcpy(&point.x, place, new_point_fields);
  std::memcpy(&point.time, place + new_point_fields, sizeof point.time);
}
inline void store_item(const NewPoint& point, char* place) {
  std::memcpy(place, &point, new_point_fields);
  std::memcpy(place + new_point_fields, &point.time, sizeof point.time);
}

/// The stream of a field.
template <class Coder>
struct Layer {
  Coder coder;
  bool is_coded = Coder::encodes;  ///< decoding: there are bytes
  bool is_needed = false;          ///< encoding: the field is not the same for all points

  /// Codes a value by a function of the coder and the value.
  template <class Value, class Code>
  void code(const Value& last, Value& value, const Code& how) {
    is_needed = is_needed || (Coder::encodes && value != last);
    if (is_coded) {
      how(coder, value);
    } else {
      value = last;
    }
  }
};

/// The layers of the start of a record, in the order they have in the file.
enum class PointLayer : std::uint8_t {
  returns_and_xy,
  z,
  classification,
  flags,
  intensity,
  scan_angle,
  user_data,
  source,
  time
};
inline constexpr std::size_t point_layers = 9;  // the others come behind

template <class Coder>
using PointLayers = std::vector<Layer<Coder>>;

/// Models for the points of one scanner channel.
class ChannelModel {
 public:
  explicit ChannelModel(const NewPoint& first) : last_(first) {
    heights_.fill(first.z);
    intensities_.fill(first.intensity);
    time_.start(first.time);
  }

  [[nodiscard]] const NewPoint& last() const { return last_; }

  // How a point differs from the last one of its channel: bits of a symbol.
  static constexpr unsigned return_number_changed = 3;  ///< by 1, by −1, or by more
  static constexpr unsigned number_of_returns_changed = 4;
  static constexpr unsigned scan_angle_changed = 8;
  static constexpr unsigned time_changed = 16;
  static constexpr unsigned source_changed = 32;
  static constexpr unsigned channel_changed = 64;

  [[nodiscard]] unsigned changes_to(const NewPoint& point) const {
    const unsigned step = (point.return_number() - last_.return_number()) & 15U;
    return (step == 0    ? 0
            : step == 1  ? 1
            : step == 15 ? 2
                         : 3) |
           (point.number_of_returns() != last_.number_of_returns() ? number_of_returns_changed : 0) |
           (point.scan_angle != last_.scan_angle ? scan_angle_changed : 0) |
           (point.time != last_.time ? time_changed : 0) | (point.source != last_.source ? source_changed : 0);
  }

  /// What changes after the last point of this channel.
  template <class Coder>
  void code_changes(Coder& coder, unsigned& changes) {
    const unsigned context = (last_.is_first() ? 1 : 0) + (last_.is_last() ? 2 : 0) + (last_time_changed_ ? 4 : 0);
    coder.code(changes_[context], 128, changes);
  }

  /// The channel after this one, `channel`.
  template <class Coder>
  void code_channel(Coder& coder, unsigned channel, unsigned& next) {
    unsigned step = (next - channel - 1) & 3U;
    coder.code(channel_step_, 3, step);
    next = (channel + step + 1) & 3U;
  }

  /// A point of this channel.
  template <class Coder>
  void code(PointLayers<Coder>& layers, unsigned changes, NewPoint& point) {
    if constexpr (!Coder::encodes) {
      const unsigned channel = point.channel();
      point = last_;
      point.set_channel(channel);
    }
    const auto layer = [&](PointLayer which) -> Layer<Coder>& { return layers[static_cast<std::size_t>(which)]; };
    const bool has_new_time = (changes & time_changed) != 0;
    code_returns(layer(PointLayer::returns_and_xy).coder, changes, point);
    code_coordinates(layer(PointLayer::returns_and_xy).coder, layer(PointLayer::z).coder, has_new_time, point);

    const unsigned position = (point.is_first() ? 2 : 0) + (point.is_last() ? 1 : 0);
    layer(PointLayer::classification).code(last_.classification, point.classification, [&](Coder& coder, auto& value) {
      coder.code(classification_[(last_.classification & 31U) * 2 + (position == 3 ? 1 : 0)], 256, value);
    });
    unsigned flags = point.other_flags();
    layer(PointLayer::flags).code(last_.other_flags(), flags, [&](Coder& coder, unsigned& value) {
      coder.code(flags_[last_.other_flags()], 64, value);
    });
    point.set_other_flags(flags);
    layer(PointLayer::intensity).code(last_.intensity, point.intensity, [&](Coder& coder, std::uint16_t& value) {
      std::uint16_t& last = intensities_[position * 2 + (has_new_time ? 1 : 0)];
      intensity_.code(coder, last, value, position);
      last = value;
    });
    layer(PointLayer::user_data).code(last_.user_data, point.user_data, [&](Coder& coder, std::uint8_t& value) {
      coder.code(user_data_[last_.user_data / 4], 256, value);
    });
    if ((changes & scan_angle_changed) != 0) {
      layer(PointLayer::scan_angle).code(last_.scan_angle, point.scan_angle, [&](Coder& coder, std::int16_t& value) {
        scan_angle_.code(coder, last_.scan_angle, value, has_new_time ? 1 : 0);
      });
    }
    if ((changes & source_changed) != 0) {
      layer(PointLayer::source).code(last_.source, point.source, [&](Coder& coder, std::uint16_t& value) {
        source_.code(coder, last_.source, value);
      });
    }
    if (has_new_time) {
      layer(PointLayer::time).code(last_.time, point.time, [&](Coder& coder, std::int64_t& value) {
        time_.code(coder, value);
      });
    }
    last_ = point;
    last_time_changed_ = has_new_time;
  }

 private:
  template <class Coder>
  void code_returns(Coder& coder, unsigned changes, NewPoint& point) {
    unsigned number_of_returns = point.number_of_returns();
    unsigned return_number = point.return_number();
    const unsigned last_number = last_.return_number();
    if ((changes & number_of_returns_changed) != 0) {
      coder.code(number_of_returns_[last_.number_of_returns()], 16, number_of_returns);
    }
    if ((changes & return_number_changed) < 3) {
      constexpr unsigned steps[3] = {0, 1, 15};
      return_number = (last_number + steps[changes & return_number_changed]) & 15U;
    } else if ((changes & time_changed) != 0) {
      coder.code(return_number_[last_number], 16, return_number);
    } else {
      unsigned step = (return_number - last_number - 2) & 15U;
      coder.code(return_number_of_same_pulse_, 13, step);
      return_number = (last_number + step + 2) & 15U;
    }
    point.returns = static_cast<std::uint8_t>(number_of_returns << 4U | return_number);
  }

  template <class Coder>
  void code_coordinates(Coder& xy, Coder& z, bool has_new_time, NewPoint& point) {
    const bool is_single = point.number_of_returns() == 1;
    const std::size_t kind = 2 * return_class(point) + (has_new_time ? 1 : 0);
    std::int32_t change = wrapped_difference(point.x, last_.x);
    x_.code(xy, x_changes_[kind].get(), change, is_single ? 1 : 0);
    x_changes_[kind].add(change);
    point.x = wrapped_sum(last_.x, change);

    change = wrapped_difference(point.y, last_.y);
    y_.code(xy, y_changes_[kind].get(), change, laz_context(x_.last_class(), 20, is_single));
    y_changes_[kind].add(change);
    point.y = wrapped_sum(last_.y, change);

    const auto level = static_cast<std::size_t>(
        std::min(7, std::abs(static_cast<int>(point.number_of_returns()) - static_cast<int>(point.return_number()))));
    z_.code(z, heights_[level], point.z, laz_context((x_.last_class() + y_.last_class()) / 2, 18, is_single));
    heights_[level] = point.z;
  }

  /// Points whose number of returns and place among them are alike, for which the same predictions hold.
  [[nodiscard]] static std::size_t return_class(const NewPoint& point) {
    static constexpr std::uint8_t classes[16][16] = {
        {0, 1, 2, 3, 4, 5, 3, 4, 4, 5, 5, 5, 5, 5, 5, 5}, {1, 0, 1, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3},
        {2, 1, 2, 4, 4, 4, 4, 4, 4, 4, 4, 3, 3, 3, 3, 3}, {3, 3, 4, 5, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4},
        {4, 3, 4, 4, 5, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4}, {5, 3, 4, 4, 4, 5, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4},
        {3, 3, 4, 4, 4, 4, 5, 4, 4, 4, 4, 4, 4, 4, 4, 4}, {4, 3, 4, 4, 4, 4, 4, 5, 4, 4, 4, 4, 4, 4, 4, 4},
        {4, 3, 4, 4, 4, 4, 4, 4, 5, 4, 4, 4, 4, 4, 4, 4}, {5, 3, 4, 4, 4, 4, 4, 4, 4, 5, 4, 4, 4, 4, 4, 4},
        {5, 3, 4, 4, 4, 4, 4, 4, 4, 4, 5, 4, 4, 4, 4, 4}, {5, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 4, 4, 4},
        {5, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 4, 4}, {5, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 4},
        {5, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5}, {5, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5}};
    return classes[point.number_of_returns()][point.return_number()];
  }

  NewPoint last_;
  bool last_time_changed_ = false;
  std::array<StreamingMedian, 12> x_changes_;
  std::array<StreamingMedian, 12> y_changes_;
  std::array<std::int32_t, 8> heights_{};
  std::array<std::uint16_t, 8> intensities_{};
  std::array<SymbolModel<128>, 8> changes_;
  SymbolModel<3> channel_step_;
  std::array<SymbolModel<16>, 16> number_of_returns_;
  std::array<SymbolModel<16>, 16> return_number_;
  SymbolModel<13> return_number_of_same_pulse_;
  IntegerModel<32, 2> x_;
  IntegerModel<32, 22> y_;
  IntegerModel<32, 20> z_;
  std::array<SymbolModel<256>, 64> classification_;
  std::array<SymbolModel<64>, 64> flags_;
  std::array<SymbolModel<256>, 64> user_data_;
  IntegerModel<16, 4> intensity_;
  IntegerModel<16, 2> scan_angle_;
  IntegerModel<16, 1> source_;
  TimeModel<false> time_;
};

/// Models and last values of a field that is not part of the start of a record, for each scanner channel.
///
/// Version 3 of the compression does not quite do what its design says, and all programs that write it do the same: a
/// point whose channel is that of the point before counts as one of channel 0, and at a change to a channel that was
/// there before, the last value of the channel before is used and replaced.
template <class Model, class Item>
class PerChannel {
 public:
  void start(unsigned channel, const Item& first) {
    current_ = channel;
    channels_[channel] = make(first);
  }

  /// Codes an item by a function of model, last item, and item. `channel` is that of the point if it has changed.
  template <class Code>
  void code(unsigned channel, Item& item, const Code& how) {
    Item* last = &channels_[current_]->last;
    if (channel != current_) {
      if (!channels_[channel]) {
        channels_[channel] = make(*last);
        last = &channels_[channel]->last;
      }
      current_ = channel;
    }
    how(channels_[channel]->model, *last, item);
    *last = item;
  }

 private:
  struct Channel {
    Model model;
    Item last;
  };

  static std::unique_ptr<Channel> make(const Item& last) {
    // Without setting all of it to zero first: most is never used.
    auto channel = std::make_unique_for_overwrite<Channel>();
    channel->last = last;
    return channel;
  }

  unsigned current_ = 0;
  std::array<std::unique_ptr<Channel>, 4> channels_;
};

/// Infrared values: which of the two bytes changed, and by how much.
class NirModel {
 public:
  template <class Coder>
  void code(Coder& coder, const std::array<std::uint8_t, 2>& last, std::array<std::uint8_t, 2>& value) {
    unsigned mask = (value[0] != last[0] ? 1 : 0) | (value[1] != last[1] ? 2 : 0);
    coder.code(mask_, 4, mask);
    for (const std::size_t i : {0U, 1U}) {
      if ((mask >> i & 1U) != 0) {
        bytes_[i].code(coder, last[i], value[i]);
      } else {
        value[i] = last[i];
      }
    }
  }

 private:
  SymbolModel<4> mask_;
  std::array<ByteModel, 2> bytes_;
};

/// Codes the points of a chunk but the first, which is stored as it is.
template <class Coder>
class LayeredModels {
 public:
  LayeredModels(const LazLayout& layout, const char* first)
      : layers(laz_layer_count(layout)), layout_(layout), extra_(layout.extra_bytes) {
    NewPoint point;
    load_item(first, point);
    channel_ = point.channel();
    channels_[channel_] = std::make_unique<ChannelModel>(point);
    const auto start = [&]<class Model, class Item>(PerChannel<Model, Item>& model, std::size_t place) {
      Item item;
      load_item(first + place, item);
      model.start(channel_, item);
    };
    if (layout_.has_colours()) {
      start(colours_, layout_.colours());
    }
    if (layout_.has_nir()) {
      start(nir_, layout_.nir());
    }
    if (layout_.has_waves()) {
      start(waves_, layout_.waves());
    }
    for (std::size_t i = 0; i < extra_.size(); ++i) {
      start(extra_[i], layout_.extra() + i);
    }
  }

  void code(typename Coder::Byte* record) {
    unsigned channel = 0;
    code_item<NewPoint>(record, [&](NewPoint& point) { channel = code_point(point) ? channel_ : 0; });
    std::size_t layer = point_layers;
    const auto code_field = [&]<class Model, class Item>(PerChannel<Model, Item>& model, std::size_t place) {
      code_item<Item>(record + place, [&](Item& item) {
        model.code(channel, item, [&](Model& used, const Item& last, Item& value) {
          layers[layer].code(last, value, [&](Coder& coder, Item& coded) { used.code(coder, last, coded); });
        });
      });
      ++layer;
    };
    if (layout_.has_colours()) {
      code_field(colours_, layout_.colours());
    }
    if (layout_.has_nir()) {
      code_field(nir_, layout_.nir());
    }
    if (layout_.has_waves()) {
      code_field(waves_, layout_.waves());
    }
    for (std::size_t i = 0; i < extra_.size(); ++i) {
      code_field(extra_[i], layout_.extra() + i);
    }
  }

  std::vector<Layer<Coder>> layers;  ///< in the order they have in the file

 private:
  /// True if the channel is not that of the last point.
  bool code_point(NewPoint& point) {
    ChannelModel& before = *channels_[channel_];
    Coder& coder = layers[0].coder;
    unsigned changes = 0;
    unsigned next = point.channel();
    if constexpr (Coder::encodes) {
      const ChannelModel& same = channels_[next] ? *channels_[next] : before;
      changes = same.changes_to(point) | (next != channel_ ? ChannelModel::channel_changed : 0);
    }
    before.code_changes(coder, changes);
    if ((changes & ChannelModel::channel_changed) != 0) {
      before.code_channel(coder, channel_, next);
      if (!channels_[next]) {
        channels_[next] = std::make_unique<ChannelModel>(before.last());
      }
      channel_ = next;
    }
    point.set_channel(channel_);
    channels_[channel_]->code(layers, changes, point);
    return (changes & ChannelModel::channel_changed) != 0;
  }

  LazLayout layout_;
  unsigned channel_ = 0;
  std::array<std::unique_ptr<ChannelModel>, 4> channels_;
  PerChannel<ColourModel, Colour> colours_;
  PerChannel<NirModel, std::array<std::uint8_t, 2>> nir_;
  PerChannel<WavePacketModel, WavePacket> waves_;
  std::vector<PerChannel<ByteModel, std::uint8_t>> extra_;
};

}  // namespace burnish::io
