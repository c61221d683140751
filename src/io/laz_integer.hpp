#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "io/range_coder.hpp"

namespace burnish::io {

/// Codes whole numbers of `Bits` bits by how far they are from a prediction. First comes the magnitude class k of that
/// difference, with probabilities for each context: k = 0 stands for 0 and 1, any other for −(2ᵏ−1) … −2ᵏ⁻¹ and
/// 2ᵏ⁻¹+1 … 2ᵏ. Then comes which number of the class it is: up to eight high bits with probabilities of their own, the
/// rest as they are.
///
/// Without a number of contexts, it is given to the constructor.
template <unsigned Bits, unsigned Contexts>
class IntegerModel {
 public:
  IntegerModel() = default;
  explicit IntegerModel(std::size_t contexts) : classes_(contexts) {}

  /// The prediction wraps around like the numbers do.
  template <class Coder, class Value>
  void code(Coder& coder, std::int32_t prediction, Value& value, std::size_t context = 0) {
    std::int32_t difference = 0;
    if constexpr (Coder::encodes) {
      difference = wrap(static_cast<std::uint32_t>(value) - static_cast<std::uint32_t>(prediction));
    }
    code_difference(coder, difference, context);
    if constexpr (!Coder::encodes) {
      value = static_cast<Value>(static_cast<std::uint32_t>(prediction) + static_cast<std::uint32_t>(difference));
    }
  }

  /// The magnitude class of the number coded last.
  [[nodiscard]] unsigned last_class() const { return class_; }

 private:
  static constexpr unsigned modelled_bits = 8;

  /// The signed number of `Bits` bits that is the same modulo 2^Bits.
  static std::int32_t wrap(std::uint32_t number) {
    constexpr unsigned unused = 32 - Bits;
    return static_cast<std::int32_t>(number << unused) >> unused;
  }

  template <class Coder>
  void code_difference(Coder& coder, std::int32_t& difference, std::size_t context) {
    if constexpr (Coder::encodes) {
      // −d for negative numbers and zero, d − 1 for others: below 2ᵏ exactly for the numbers of classes up to k.
      const auto bits = static_cast<std::uint32_t>(difference);
      class_ = static_cast<unsigned>(std::bit_width(difference <= 0 ? 0U - bits : bits - 1));
    }
    coder.code(classes_[context], Bits + 1, class_);
    const unsigned k = class_;
    if (k == 0) {
      coder.code(zero_or_one_, difference);
    } else if (k == 32) {
      difference = std::numeric_limits<std::int32_t>::min();  // the only number of its class
    } else {
      // Numbers of a class, in order: first the negative ones, then the positive ones.
      std::uint32_t place = 0;
      if constexpr (Coder::encodes) {
        place = static_cast<std::uint32_t>(difference) + (difference < 0 ? (1U << k) - 1 : ~0U);
      }
      code_place(coder, k, place);
      if constexpr (!Coder::encodes) {
        difference = static_cast<std::int32_t>(place + (place >> (k - 1) != 0 ? 1U : 1U - (1U << k)));
      }
    }
  }

  template <class Coder>
  void code_place(Coder& coder, unsigned k, std::uint32_t& place) {
    if (k <= modelled_bits) {
      coder.code(places_[k], 1U << k, place);
      return;
    }
    const unsigned raw_bits = k - modelled_bits;
    std::uint32_t high = place >> raw_bits;
    std::uint32_t low = place & ((1U << raw_bits) - 1);
    coder.code(places_[k], 1U << modelled_bits, high);
    coder.code_bits(raw_bits, low);
    place = high << raw_bits | low;
  }

  unsigned class_ = 0;
  BitModel zero_or_one_;
  using Class = SymbolModel<Bits + 1>;
  std::conditional_t<Contexts == 0, std::vector<Class>, std::array<Class, Contexts>> classes_;
  std::array<SymbolModel<1U << modelled_bits>, Bits + 1> places_;  ///< of each class from 1 on, except 32
};

}  // namespace burnish::io
