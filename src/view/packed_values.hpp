#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "burnish/execution.hpp"

namespace burnish {

/// Whole numbers as short text for the page: each as its difference to the one before, all first bytes, then all second
/// bytes, and so on, lowest first, compressed (zlib) and in base64. Neighbouring points are alike, so that high bytes
/// of differences are nearly all the same and cost next to nothing.
///
/// `values` holds `components` numbers per point, point by point; of each the lowest `bytes` (at most 4) are kept, and
/// components are packed one after the other.
[[nodiscard]] std::string pack(std::span<const std::uint32_t> values, std::size_t components, std::size_t bytes,
                               const ExecutionContext& context);

}  // namespace burnish
