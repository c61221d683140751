#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace burnish::io {

/// A value as Python spells it, as far as the headers of NumPy files have them: text, whole numbers, True and False,
/// tuples, lists, and dictionaries, whose keys and values alternate in `items`.
struct PythonLiteral {
  enum class Kind : std::uint8_t { text, number, boolean, tuple, list, dictionary };

  Kind kind = Kind::number;
  std::string text;
  std::uint64_t number = 0;  ///< 1 for True
  std::vector<PythonLiteral> items;

  /// The value of a key of a dictionary, or nullptr.
  [[nodiscard]] const PythonLiteral* find(std::string_view key) const;
};

/// The value a text spells, blanks around it allowed; nothing if it spells none of these.
[[nodiscard]] std::optional<PythonLiteral> parse_python_literal(std::string_view text);

}  // namespace burnish::io
