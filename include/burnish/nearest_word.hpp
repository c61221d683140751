#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace burnish {

/// The word of a list that was most probably meant by a mistyped one, ignoring case: the one with the fewest missing,
/// additional, wrong or swapped letters. nullopt if none is close.
[[nodiscard]] std::optional<std::string> nearest_word(std::string_view word, std::span<const std::string> words);

/// The same for the end of a message: "; did you mean mls?", or nothing.
[[nodiscard]] std::string did_you_mean(std::string_view word, std::span<const std::string> words);

}  // namespace burnish
