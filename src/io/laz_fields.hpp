#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "io/laz_integer.hpp"

// Fields of LAZ points that pointwise and layered compression predict in the same way, up to the numbers of contexts.

namespace burnish::io {

// A part of a record, of any alignment.
template <class Item>
void load_item(const char* place, Item& item) {
  std::memcpy(&item, place, sizeof item);
}
template <class Item>
void store_item(const Item& item, char* place) {
  std::memcpy(place, &item, sizeof item);
}

/// Codes a part of a record: decoding sets it, encoding leaves it as it is.
template <class Item, class Byte, class Code>
void code_item(Byte* place, const Code& code) {
  Item item;
  load_item(place, item);
  code(item);
  if constexpr (!std::is_const_v<Byte>) {
    store_item(item, place);
  }
}

/// The difference and the sum of two coordinates, modulo 2³².
[[nodiscard]] inline std::int32_t wrapped_difference(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) - static_cast<std::uint32_t>(b));
}
[[nodiscard]] inline std::int32_t wrapped_sum(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
}

/// The context of a y coordinate, from the magnitude class of x, or of a height, from the mean class of x and y. Even
/// classes up to `highest` have contexts of their own, two each: several returns or a single one.
[[nodiscard]] inline unsigned laz_context(unsigned magnitude, unsigned highest, bool is_single) {
  return std::min(magnitude, highest) / 2 * 2 + (is_single ? 1 : 0);
}

/// Median of the last few values. Five are kept in order; a new one replaces the largest as long as new values are
/// below the median, otherwise the smallest.
class StreamingMedian {
 public:
  [[nodiscard]] std::int32_t get() const { return values_[2]; }

  void add(std::int32_t value) {
    const std::array<std::int32_t, 5> old = values_;
    const std::size_t from = drops_largest_ ? 0 : 1;
    drops_largest_ = drops_largest_ ? value < old[2] : !(old[2] < value);
    // The four that stay, and the new one at its place.
    values_[0] = std::min(old[from], value);
    values_[1] = std::max(old[from], std::min(old[from + 1], value));
    values_[2] = std::max(old[from + 1], std::min(old[from + 2], value));
    values_[3] = std::max(old[from + 2], std::min(old[from + 3], value));
    values_[4] = std::max(old[from + 3], value);
  }

 private:
  std::array<std::int32_t, 5> values_{};
  bool drops_largest_ = true;
};

/// GPS times, as 64-bit integers. Four sequences of times are kept, because points of several flight lines or channels
/// may alternate; a time is coded as a multiple of the last difference in its sequence and a correction.
/// `CodesUnchanged`: that a time is the same as before has a symbol of its own; otherwise only times that differ are
/// coded.
template <bool CodesUnchanged>
class TimeModel {
 public:
  void start(std::int64_t time) { sequences_[0].time = time; }

  [[nodiscard]] std::int64_t last() const { return sequences_[current_].time; }

  template <class Coder>
  void code(Coder& coder, std::int64_t& time) {
    constexpr unsigned most_switches = 4;  // an encoder needs one at most
    for (unsigned i = 0; i < most_switches; ++i) {
      if (sequences_[current_].difference == 0 ? code_after_zero(coder, time) : code_multiple(coder, time)) {
        break;
      }
    }
    if constexpr (!Coder::encodes) {
      time = last();
    }
  }

 private:
  struct Sequence {
    std::int64_t time = 0;
    std::int32_t difference = 0;  ///< what multiples are of
    std::int32_t extremes = 0;    ///< differences in a row that were far from any multiple

    void advance(std::int32_t change) {
      time = static_cast<std::int64_t>(static_cast<std::uint64_t>(time) + static_cast<std::uint64_t>(change));
    }
  };

  static constexpr unsigned unchanged = CodesUnchanged ? 1 : 0;  ///< how many symbols stand for that
  static constexpr std::int32_t largest_multiple = 500;
  static constexpr std::int32_t smallest_multiple = -10;
  static constexpr unsigned multiples = largest_multiple - smallest_multiple + 1;  ///< symbols that stand for multiples
  static constexpr unsigned symbols_after_zero = 5 + unchanged;
  static constexpr unsigned symbols = multiples + 4 + unchanged;

  [[nodiscard]] static bool fits(std::int64_t difference) {
    return difference == static_cast<std::int32_t>(difference);
  }

  [[nodiscard]] static std::int64_t difference(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
  }

  /// Of a time too far from that of the current sequence: how many sequences on is one it is near to; 0 if there is
  /// none.
  [[nodiscard]] unsigned steps_to_near_sequence(std::int64_t time) const {
    for (unsigned steps = 1; steps < sequences_.size(); ++steps) {
      if (fits(difference(time, sequences_[(current_ + steps) % 4].time))) {
        return steps;
      }
    }
    return 0;
  }

  /// The two ways to code a time. False if another sequence was chosen instead, with which coding goes on.
  template <class Coder>
  bool code_after_zero(Coder& coder, std::int64_t& time) {
    Sequence& sequence = sequences_[current_];
    std::int32_t change = 0;
    unsigned symbol = 0;
    if constexpr (Coder::encodes) {
      const std::int64_t exact = difference(time, sequence.time);
      change = static_cast<std::int32_t>(exact);
      symbol = CodesUnchanged && exact == 0 ? 0 : unchanged + (fits(exact) ? 0 : 1 + steps_to_near_sequence(time));
    }
    coder.code(after_zero_, symbols_after_zero, symbol);
    if (CodesUnchanged && symbol == 0) {
      return true;
    }
    if (symbol > unchanged) {
      return code_other(coder, time, symbol - unchanged - 1);
    }
    numbers_.code(coder, 0, change, 0);
    sequence.difference = change;
    sequence.extremes = 0;
    sequence.advance(change);
    return true;
  }

  template <class Coder>
  bool code_multiple(Coder& coder, std::int64_t& time) {
    Sequence& sequence = sequences_[current_];
    std::int32_t change = 0;
    unsigned symbol = 0;
    if constexpr (Coder::encodes) {
      const std::int64_t exact = difference(time, sequence.time);
      change = static_cast<std::int32_t>(exact);
      symbol = CodesUnchanged && exact == 0 ? multiples
               : fits(exact)                ? symbol_of_multiple(change, sequence.difference)
                                            : multiples + unchanged + steps_to_near_sequence(time);
    }
    coder.code(multiple_, symbols, symbol);
    if (CodesUnchanged && symbol == multiples) {
      return true;
    }
    if (symbol >= multiples) {
      return code_other(coder, time, symbol - multiples - unchanged);
    }
    const auto multiple = static_cast<std::int32_t>(symbol) <= largest_multiple
                              ? static_cast<std::int32_t>(symbol)
                              : largest_multiple - static_cast<std::int32_t>(symbol);
    const auto prediction = static_cast<std::int32_t>(static_cast<std::uint32_t>(multiple) *
                                                      static_cast<std::uint32_t>(sequence.difference));
    numbers_.code(coder, prediction, change, context_of(multiple));
    sequence.advance(change);
    if (multiple == 1) {
      sequence.extremes = 0;
    } else if (multiple == 0 || multiple == largest_multiple || multiple == smallest_multiple) {
      constexpr std::int32_t most_extremes = 3;
      if (++sequence.extremes > most_extremes) {
        sequence.difference = change;
        sequence.extremes = 0;
      }
    }
    return true;
  }

  /// A time near that of the sequence this number of places on, or (0) one that starts a sequence of its own.
  template <class Coder>
  bool code_other(Coder& coder, std::int64_t& time, unsigned steps) {
    if (steps > 0) {
      current_ = (current_ + steps) % 4;
      return false;
    }
    auto high = static_cast<std::int32_t>(time >> 32);
    auto low = static_cast<std::uint32_t>(time);
    numbers_.code(coder, static_cast<std::int32_t>(last() >> 32), high, 8);
    coder.code_bits(32, low);
    newest_ = (newest_ + 1) % 4;
    current_ = newest_;
    const std::uint64_t bits = static_cast<std::uint64_t>(static_cast<std::uint32_t>(high)) << 32U | low;
    sequences_[current_] = {static_cast<std::int64_t>(bits), 0, 0};
    return true;
  }

  /// Multiples from 0 to 500 stand for themselves; behind them come −1 to −10.
  [[nodiscard]] static unsigned symbol_of_multiple(std::int32_t change, std::int32_t unit) {
    const float ratio = static_cast<float>(change) / static_cast<float>(unit);
    const float limited = std::clamp(ratio, float{smallest_multiple}, float{largest_multiple});
    const auto multiple = static_cast<std::int32_t>(limited < 0.0F ? limited - 0.5F : limited + 0.5F);
    return static_cast<unsigned>(multiple >= 0 ? multiple : largest_multiple - multiple);
  }

  [[nodiscard]] static unsigned context_of(std::int32_t multiple) {
    if (multiple > 0) {
      return multiple == 1 ? 1 : multiple < 10 ? 2 : multiple < largest_multiple ? 3 : 4;
    }
    return multiple == 0 ? 7 : multiple > smallest_multiple ? 5 : 6;
  }

  std::array<Sequence, 4> sequences_;
  unsigned current_ = 0;
  unsigned newest_ = 0;
  SymbolModel<symbols_after_zero> after_zero_;
  SymbolModel<symbols> multiple_;
  IntegerModel<32, 9> numbers_;
};

/// Red, green and blue, two bytes each.
using Colour = std::array<std::uint8_t, 6>;

/// Colours: which of their bytes changed and whether they are not grey, then the changes. Green and blue are predicted
/// to change as red did.
class ColourModel {
 public:
  template <class Coder>
  void code(Coder& coder, const Colour& last, Colour& colour) {
    Colour now = Coder::encodes ? colour : last;
    unsigned mask = Coder::encodes ? mask_of(last, colour) : 0;
    coder.code(mask_, 128, mask);
    const auto code_byte = [&](std::size_t i, int prediction) {
      if ((mask >> i & 1U) != 0) {
        auto difference = static_cast<std::uint8_t>(now[i] - prediction);
        coder.code(differences_[i], 256, difference);
        now[i] = static_cast<std::uint8_t>(prediction + difference);
      }
    };
    code_byte(0, last[0]);
    code_byte(1, last[1]);
    if ((mask & not_grey) == 0) {
      now = {now[0], now[1], now[0], now[1], now[0], now[1]};
    } else {
      for (const std::size_t byte : {0U, 1U}) {
        int change = now[byte] - last[byte];
        code_byte(2 + byte, std::clamp(last[2 + byte] + change, 0, 255));
        change = (change + now[2 + byte] - last[2 + byte]) / 2;
        code_byte(4 + byte, std::clamp(last[4 + byte] + change, 0, 255));
      }
    }
    if constexpr (!Coder::encodes) {
      colour = now;
    }
  }

 private:
  static constexpr unsigned not_grey = 64;

  [[nodiscard]] static unsigned mask_of(const Colour& last, const Colour& now) {
    unsigned mask = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
      mask |= (now[i] != last[i] ? 1U : 0U) << i;
    }
    const bool is_grey = now[0] == now[2] && now[0] == now[4] && now[1] == now[3] && now[1] == now[5];
    return mask | (is_grey ? 0 : not_grey);
  }

  SymbolModel<128> mask_;
  std::array<SymbolModel<256>, 6> differences_;
};

/// Bytes whose meaning is not known: the difference of each to the last one.
class ByteModel {
 public:
  template <class Coder>
  void code(Coder& coder, std::uint8_t last, std::uint8_t& byte) {
    auto difference = static_cast<std::uint8_t>(byte - last);
    coder.code(differences_, 256, difference);
    byte = static_cast<std::uint8_t>(last + difference);
  }

 private:
  SymbolModel<256> differences_;
};

/// Where the waveform of a point is stored and where the point is on it.
struct WavePacket {
  std::uint8_t descriptor = 0;
  std::uint64_t offset = 0;
  std::uint32_t size = 0;
  std::array<std::int32_t, 4> numbers{};  ///< place on the waveform and its direction: the bits of floats

  bool operator==(const WavePacket&) const = default;
};

inline void load_item(const char* place, WavePacket& packet) {
  std::memcpy(&packet.descriptor, place, 1);
  std::memcpy(&packet.offset, place + 1, 8);
  std::memcpy(&packet.size, place + 9, 4);
  std::memcpy(packet.numbers.data(), place + 13, 16);
}
inline void store_item(const WavePacket& packet, char* place) {
  std::memcpy(place, &packet.descriptor, 1);
  std::memcpy(place + 1, &packet.offset, 8);
  std::memcpy(place + 9, &packet.size, 4);
  std::memcpy(place + 13, packet.numbers.data(), 16);
}

/// Wave packets: most lie in the file one after the other.
class WavePacketModel {
 public:
  template <class Coder>
  void code(Coder& coder, const WavePacket& last, WavePacket& packet) {
    enum : unsigned { same, next, near, far };
    coder.code(descriptor_, 256, packet.descriptor);
    auto change = static_cast<std::int32_t>(packet.offset - last.offset);
    unsigned symbol = same;
    if constexpr (Coder::encodes) {
      const auto exact = static_cast<std::int64_t>(packet.offset - last.offset);
      symbol = exact != change ? far : exact == 0 ? same : change == static_cast<std::int32_t>(last.size) ? next : near;
    }
    coder.code(offset_kind_[last_kind_], 4, symbol);
    last_kind_ = symbol;
    if (symbol == far) {
      auto low = static_cast<std::uint32_t>(packet.offset);
      auto high = static_cast<std::uint32_t>(packet.offset >> 32U);
      coder.code_bits(32, low);
      coder.code_bits(32, high);
      packet.offset = std::uint64_t{high} << 32U | low;
    } else {
      if (symbol == near) {
        offset_change_.code(coder, last_change_, change);
        last_change_ = change;
      } else {
        change = symbol == next ? static_cast<std::int32_t>(last.size) : 0;
      }
      packet.offset = last.offset + static_cast<std::uint64_t>(std::int64_t{change});
    }
    size_.code(coder, static_cast<std::int32_t>(last.size), packet.size);
    place_.code(coder, last.numbers[0], packet.numbers[0]);
    for (const unsigned axis : {0U, 1U, 2U}) {
      direction_.code(coder, last.numbers[1 + axis], packet.numbers[1 + axis], axis);
    }
  }

 private:
  unsigned last_kind_ = 0;
  std::int32_t last_change_ = 0;
  SymbolModel<256> descriptor_;
  std::array<SymbolModel<4>, 4> offset_kind_;
  IntegerModel<32, 1> offset_change_;
  IntegerModel<32, 1> size_;
  IntegerModel<32, 1> place_;
  IntegerModel<32, 3> direction_;
};

}  // namespace burnish::io
