#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "io/laz_pointwise.hpp"

// Version 1 of the compression of formats 0 to 5, which LASzip wrote before 2011. It is read only.

namespace burnish::io {

class OldPointModelVersion1 {
 public:
  void start(const OldPoint& first) { last_ = first; }

  void code(RangeDecoder& coder, OldPoint& point) {
    point = last_;
    code_coordinates(coder, point);
    unsigned changed = 0;
    coder.code(changed_, 64, changed);
    if ((changed & laz_changed::returns) != 0) {
      intensity_.code(coder, last_.intensity, point.intensity);
    }
    if ((changed & laz_changed::intensity) != 0) {
      coder.code(returns_[last_.returns], 256, point.returns);
    }
    if ((changed & laz_changed::classification) != 0) {
      coder.code(classification_[last_.classification], 256, point.classification);
    }
    if ((changed & laz_changed::scan_angle) != 0) {
      const unsigned magnitude = (x_.last_class() + y_.last_class()) / 2;
      scan_angle_.code(coder, last_.scan_angle, point.scan_angle, magnitude < 3 ? 1 : 0);
    }
    if ((changed & laz_changed::user_data) != 0) {
      coder.code(user_data_[last_.user_data], 256, point.user_data);
    }
    if ((changed & laz_changed::source) != 0) {
      source_.code(coder, last_.source, point.source);
    }
    last_ = point;
  }

 private:
  using LastThree = std::array<std::int32_t, 3>;

  static std::int32_t median(const LastThree& values) {
    return std::max(std::min(values[0], values[1]), std::min(std::max(values[0], values[1]), values[2]));
  }

  void code_coordinates(RangeDecoder& coder, OldPoint& point) {
    constexpr unsigned highest = 19;
    std::int32_t& x_change = x_changes_[place_];
    std::int32_t& y_change = y_changes_[place_];
    x_.code(coder, median(x_changes_), x_change);
    y_.code(coder, median(y_changes_), y_change, std::min(x_.last_class(), highest));
    point.x = wrapped_sum(last_.x, x_change);
    point.y = wrapped_sum(last_.y, y_change);
    z_.code(coder, last_.z, point.z, std::min((x_.last_class() + y_.last_class()) / 2, highest));
    place_ = (place_ + 1) % 3;
  }

  OldPoint last_;
  LastThree x_changes_{};
  LastThree y_changes_{};
  std::size_t place_ = 0;  ///< of the oldest of the three changes
  SymbolModel<64> changed_;
  IntegerModel<32, 1> x_;
  IntegerModel<32, 20> y_;
  IntegerModel<32, 20> z_;
  IntegerModel<16, 1> intensity_;
  IntegerModel<16, 1> source_;
  IntegerModel<8, 2> scan_angle_;
  std::array<SymbolModel<256>, 256> returns_;
  std::array<SymbolModel<256>, 256> classification_;
  std::array<SymbolModel<256>, 256> user_data_;
};

/// Times as multiples of the last difference, of which there is one.
class TimeModelVersion1 {
 public:
  void start(std::int64_t time) { time_ = time; }

  void code(RangeDecoder& coder, std::int64_t& time) {
    if (difference_ == 0) {
      unsigned symbol = 0;
      coder.code(after_zero_, 3, symbol);
      if (symbol == 1) {
        numbers_.code(coder, 0, difference_, 0);
        add(difference_);
      } else if (symbol == 2) {
        read_whole(coder);
      }
    } else {
      unsigned symbol = 0;
      coder.code(multiple_, symbols, symbol);
      if (symbol < whole) {
        read_multiple(coder, static_cast<std::int32_t>(symbol));
      } else if (symbol == whole) {
        read_whole(coder);
      }
    }
    time = time_;
  }

 private:
  static constexpr unsigned symbols = 512;
  static constexpr unsigned whole = symbols - 2;
  static constexpr std::int32_t largest_multiple = symbols - 3;

  void read_multiple(RangeDecoder& coder, std::int32_t multiple) {
    const auto unit = static_cast<std::uint32_t>(difference_);
    const auto prediction =
        multiple == 0 ? difference_ / 4 : static_cast<std::int32_t>(static_cast<std::uint32_t>(multiple) * unit);
    const std::size_t context = multiple == 1 ? 1 : multiple == 0 ? 2 : multiple < 10 ? 3 : multiple < 50 ? 4 : 5;
    std::int32_t change = 0;
    numbers_.code(coder, prediction, change, context);
    add(change);
    if (multiple == 1) {
      difference_ = change;
      extremes_ = 0;
    } else if (multiple == 0 || multiple == largest_multiple) {
      constexpr int most_extremes = 3;
      if (++extremes_ > most_extremes) {
        difference_ = change;
        extremes_ = 0;
      }
    }
  }

  void read_whole(RangeDecoder& coder) {
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    coder.code_bits(32, low);
    coder.code_bits(32, high);
    time_ = static_cast<std::int64_t>(std::uint64_t{high} << 32U | low);
  }

  void add(std::int32_t change) {
    time_ =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(time_) + static_cast<std::uint64_t>(std::int64_t{change}));
  }

  std::int64_t time_ = 0;
  std::int32_t difference_ = 0;
  int extremes_ = 0;
  SymbolModel<3> after_zero_;
  SymbolModel<symbols> multiple_;
  IntegerModel<32, 6> numbers_;
};

class ColourModelVersion1 {
 public:
  void code(RangeDecoder& coder, const Colour& last, Colour& colour) {
    colour = last;
    unsigned mask = 0;
    coder.code(mask_, 64, mask);
    for (std::size_t i = 0; i < colour.size(); ++i) {
      if ((mask >> i & 1U) != 0) {
        bytes_.code(coder, last[i], colour[i], i);
      }
    }
  }

 private:
  SymbolModel<64> mask_;
  IntegerModel<8, 6> bytes_;
};

struct PointwiseVersion1 {
  using Point = OldPointModelVersion1;
  using Time = TimeModelVersion1;
  using Colours = ColourModelVersion1;

  class Extra {
   public:
    explicit Extra(std::size_t count) : bytes_(count) {}

    void code(RangeDecoder& coder, std::size_t i, std::uint8_t last, std::uint8_t& byte) {
      bytes_.code(coder, last, byte, i);
    }

   private:
    IntegerModel<8, 0> bytes_;
  };
};

}  // namespace burnish::io
