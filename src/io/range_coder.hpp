#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

// The range coder of LAZ files, after A. Said, "Introduction to Arithmetic Coding – Theory and Practice", HP
// Laboratories report HPL-2004-76, 2004, with the constants that LAZ uses.
//
// Encoder and decoder have the same interface, so that what codes a point is written once: `code` writes the value it
// is given or sets it to the value that was read.

namespace burnish::io {

/// Adaptive probability of a bit.
class BitModel {
 public:
  static constexpr unsigned precision = 13;

  [[nodiscard]] std::uint32_t zero_probability() const { return probability_; }

  void add(unsigned bit) {
    zeros_ += bit == 0 ? 1 : 0;
    if (--left_ == 0) {
      update();
    }
  }

 private:
  void update() {
    constexpr std::uint32_t longest_cycle = 64;
    if ((total_ += cycle_) > 1U << precision) {
      total_ = (total_ + 1) / 2;
      zeros_ = (zeros_ + 1) / 2;
      total_ += zeros_ == total_ ? 1 : 0;
    }
    probability_ = zeros_ * (0x80000000U / total_) >> (31 - precision);
    cycle_ = std::min(cycle_ * 5 / 4, longest_cycle);
    left_ = cycle_;
  }

  std::uint32_t probability_ = 1U << (precision - 1);
  std::uint32_t zeros_ = 1;
  std::uint32_t total_ = 2;
  std::uint32_t cycle_ = 4;
  std::uint32_t left_ = 4;
};

/// Adaptive probabilities of up to `Capacity` symbols. The number of symbols is given with each use and must not
/// change; the model is set up by the first use, because most models of a chunk are never needed.
template <std::size_t Capacity>
class SymbolModel {
 public:
  static constexpr unsigned precision = 15;

  SymbolModel() {}  // NOLINT(modernize-use-equals-default): leaves the arrays uninitialised

  void prepare(std::uint32_t size) {
    if (cycle_ == 0) [[unlikely]] {
      start(size);
    }
  }

  /// The probability of all symbols before this one, in units of 2⁻¹⁵; for `size` the sum of all.
  [[nodiscard]] std::uint32_t before(std::uint32_t symbol) const { return before_[symbol]; }

  /// The symbol in whose range a number below 2¹⁵ lies.
  [[nodiscard]] std::uint32_t find(std::uint32_t number) const {
    std::uint32_t symbol = starts_[number >> shift];
    while (before_[symbol + 1] <= number) {
      ++symbol;
    }
    return symbol;
  }

  void add(std::uint32_t symbol) {
    ++counts_[symbol];
    if (--left_ == 0) [[unlikely]] {
      update();
    }
  }

 private:
  static constexpr unsigned start_bits = std::bit_width(Capacity - 1) > 7 ? 7 : std::bit_width(Capacity - 1);
  static constexpr unsigned shift = precision - start_bits;

  [[gnu::noinline]] void start(std::uint32_t size) {
    size_ = size;
    std::fill_n(counts_.begin(), size, std::uint16_t{1});
    total_ = 0;
    cycle_ = size;
    update();
    cycle_ = left_ = (size + 6) / 2;
  }

  [[gnu::noinline]] void update() {
    if ((total_ += cycle_) > 1U << precision) {
      total_ = 0;
      for (std::uint32_t i = 0; i < size_; ++i) {
        counts_[i] = static_cast<std::uint16_t>((counts_[i] + 1) / 2);
        total_ += counts_[i];
      }
    }
    const std::uint32_t scale = 0x80000000U / total_;
    std::uint32_t sum = 0;
    std::uint32_t next_start = 0;
    for (std::uint32_t i = 0; i < size_; ++i) {
      before_[i] = static_cast<std::uint16_t>(scale * sum >> (31 - precision));
      sum += counts_[i];
      // Every start that lies in the range of this symbol.
      const std::uint32_t end = i + 1 < size_ ? scale * sum >> (31 - precision) : 1U << precision;
      for (; next_start << shift < end; ++next_start) {
        starts_[next_start] = static_cast<Symbol>(i);
      }
    }
    before_[size_] = 1U << precision;
    cycle_ = std::min(cycle_ * 5 / 4, (size_ + 6) * 8);
    left_ = cycle_;
  }

  using Symbol = std::conditional_t<(Capacity > 256), std::uint16_t, std::uint8_t>;

  std::uint32_t cycle_ = 0;  ///< symbols between two updates; 0 before the first use
  std::uint32_t left_;       ///< symbols until the next update
  std::uint32_t total_;
  std::uint32_t size_;
  std::array<std::uint16_t, Capacity + 1> before_;
  std::array<std::uint16_t, Capacity> counts_;
  std::array<Symbol, std::size_t{1} << start_bits>
      starts_;  ///< symbol of each multiple of 2^shift: where to search from
};

/// Decodes what RangeEncoder wrote. After the end of its bytes it reads zeros, which `consumed` shows.
class RangeDecoder {
 public:
  static constexpr bool encodes = false;
  using Byte = char;  ///< of the records that are coded

  /// Bytes that must be readable after the last of those to decode; their values do not matter.
  static constexpr std::size_t padding = 8;

  RangeDecoder() = default;
  explicit RangeDecoder(std::string_view bytes) : bytes_(bytes) {
    value_ = static_cast<std::uint32_t>(next_bytes());
    used_ = 4;
  }

  /// Bytes decoded so far; more than there are if the data is damaged or cut off.
  [[nodiscard]] std::size_t consumed() const { return used_; }
  [[nodiscard]] bool is_past_end() const { return used_ > bytes_.size(); }

  template <std::size_t Capacity, class Value>
  void code(SymbolModel<Capacity>& model, std::uint32_t size, Value& value) {
    model.prepare(size);
    const std::uint32_t unit = length_ >> SymbolModel<Capacity>::precision;
    const std::uint32_t number = std::min(value_ / unit, (1U << SymbolModel<Capacity>::precision) - 1);
    const std::uint32_t symbol = model.find(number);
    const std::uint32_t low = model.before(symbol) * unit;
    const std::uint32_t high = symbol + 1 == size ? length_ : model.before(symbol + 1) * unit;
    value_ -= low;
    length_ = high - low;
    renormalise();
    model.add(symbol);
    value = static_cast<Value>(symbol);
  }

  template <class Value>
  void code(BitModel& model, Value& value) {
    const std::uint32_t border = model.zero_probability() * (length_ >> BitModel::precision);
    const unsigned bit = value_ >= border ? 1 : 0;
    value_ -= bit != 0 ? border : 0;
    length_ = bit != 0 ? length_ - border : border;
    renormalise();
    model.add(bit);
    value = static_cast<Value>(bit);
  }

  /// Bits that are all equally likely, 32 at most.
  void code_bits(unsigned count, std::uint32_t& value) {
    constexpr unsigned most = 19;
    std::uint32_t low = 0;
    unsigned shift = 0;
    if (count > most) {
      low = take_bits(16);
      shift = 16;
      count -= 16;
    }
    value = take_bits(count) << shift | low;
  }

 private:
  std::uint32_t take_bits(unsigned count) {
    length_ >>= count;
    const std::uint32_t bits = value_ / length_;
    value_ -= bits * length_;
    renormalise();
    return bits;
  }

  /// Reads bytes until the length has its highest byte again.
  [[gnu::always_inline]] void renormalise() {
    const unsigned shift = static_cast<unsigned>(std::countl_zero(length_)) & ~7U;
    value_ = static_cast<std::uint32_t>(((std::uint64_t{value_} << 32U | next_bytes()) << shift) >> 32U);
    length_ <<= shift;
    used_ += shift / 8;
  }

  /// The next four bytes, the first of them the highest.
  [[nodiscard]] std::uint64_t next_bytes() const {
    std::uint32_t bytes = 0;
    const std::size_t place = std::min(used_, bytes_.size());
    std::memcpy(&bytes, bytes_.data() + place, sizeof bytes);
    const std::size_t missing = 8 * (place + 4 - std::min(place + 4, bytes_.size()));
    return std::uint64_t{__builtin_bswap32(bytes)} >> missing << missing;
  }

  std::string_view bytes_;
  std::size_t used_ = 0;
  std::uint32_t value_ = 0;
  std::uint32_t length_ = ~0U;
};

class RangeEncoder {
 public:
  static constexpr bool encodes = true;
  using Byte = const char;

  template <std::size_t Capacity, class Value>
  void code(SymbolModel<Capacity>& model, std::uint32_t size, const Value& value) {
    const auto symbol = static_cast<std::uint32_t>(value);
    model.prepare(size);
    const std::uint32_t unit = length_ >> SymbolModel<Capacity>::precision;
    const std::uint32_t low = model.before(symbol) * unit;
    narrow(low, (symbol + 1 == size ? length_ : model.before(symbol + 1) * unit) - low);
    model.add(symbol);
  }

  template <class Value>
  void code(BitModel& model, const Value& value) {
    const std::uint32_t border = model.zero_probability() * (length_ >> BitModel::precision);
    const auto bit = static_cast<unsigned>(value);
    narrow(bit != 0 ? border : 0, bit != 0 ? length_ - border : border);
    model.add(bit);
  }

  void code_bits(unsigned count, const std::uint32_t& value) {
    constexpr unsigned most = 19;
    std::uint32_t rest = value;
    if (count > most) {
      put_bits(16, rest & 0xFFFFU);
      rest >>= 16U;
      count -= 16;
    }
    put_bits(count, rest);
  }

  /// The bytes written; nothing can be written after that.
  [[nodiscard]] std::string finish() {
    // A number inside the last interval, with as few bytes as it takes, and as many zeros as the decoder reads ahead.
    const bool is_long = length_ > 2 * shortest;
    narrow(is_long ? shortest : shortest / 2, is_long ? shortest / 2 : shortest / 512);
    bytes_.resize(used_);
    bytes_.append(is_long ? 3 : 2, '\0');
    return std::move(bytes_);
  }

 private:
  static constexpr std::uint32_t shortest = 1U << 24U;

  void put_bits(unsigned count, std::uint32_t bits) {
    const std::uint32_t unit = length_ >> count;
    narrow(bits * unit, unit);
  }

  /// Goes on in a part of the current interval, and writes the bytes that are the same for all numbers of it.
  [[gnu::always_inline]] void narrow(std::uint32_t low, std::uint32_t length) {
    base_ += low;
    if (base_ < low) {
      carry();
    }
    if (bytes_.size() < used_ + sizeof base_) {
      bytes_.resize(2 * bytes_.size() + 64);
    }
    const std::uint32_t highest_first = __builtin_bswap32(base_);
    std::memcpy(bytes_.data() + used_, &highest_first, sizeof highest_first);
    const unsigned shift = static_cast<unsigned>(std::countl_zero(length)) & ~7U;
    used_ += shift / 8;
    base_ <<= shift;
    length_ = length << shift;
  }

  /// Adds one to the number written so far.
  void carry() {
    std::size_t at = used_ - 1;
    while (bytes_[at] == '\xFF') {
      bytes_[at--] = '\0';
    }
    ++bytes_[at];
  }

  std::string bytes_;
  std::size_t used_ = 0;  ///< of the bytes
  std::uint32_t base_ = 0;
  std::uint32_t length_ = ~0U;
};

}  // namespace burnish::io
