#pragma once

#include <cstddef>
#include <iterator>
#include <vector>

#include "burnish/methods.hpp"

namespace burnish {

/// A list of diagnostics that were moved into it. An initializer list would copy them, and copying a variant ends in a
/// jump to nowhere under g++ 12 if there is no memory for it.
template <std::size_t Count>
std::vector<Diagnostic> list_of(Diagnostic (&&items)[Count]) {
  return {std::make_move_iterator(std::begin(items)), std::make_move_iterator(std::end(items))};
}

}  // namespace burnish
