#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace burnish {

/// The one of some words that a mistyped one most probably stands for, upper or lower case: by the number of letters
/// that are missing, too many, wrong or swapped. Nothing if none is near.
[[nodiscard]] std::optional<std::string> nearest_word(std::string_view word, std::span<const std::string> words);

/// The same for the end of a message: "; did you mean mls?", or nothing.
[[nodiscard]] std::string did_you_mean(std::string_view word, std::span<const std::string> words);

}  // namespace burnish
