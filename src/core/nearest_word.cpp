#include "burnish/nearest_word.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

namespace burnish {
namespace {

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

/// Number of letters to insert, delete, replace or transpose (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> distance(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        distance[i][j] = i + j;
        continue;
      }
      const std::size_t replaced = distance[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      distance[i][j] = std::min({distance[i - 1][j] + 1, distance[i][j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        distance[i][j] = std::min(distance[i][j], distance[i - 2][j - 2] + 1);
      }
    }
  }
  return distance[a.size()][b.size()];
}

}  // namespace

std::optional<std::string> nearest_word(std::string_view word, std::span<const std::string> words) {
  constexpr std::size_t longest = 100;  // what is longer is no word
  if (word.empty() || word.size() > longest) {
    return std::nullopt;
  }
  const std::string typed = lower_case(word);
  const std::size_t most = typed.size() <= 2 ? 1 : typed.size() <= 5 ? 2 : typed.size() / 3 + 1;
  std::optional<std::string> nearest;
  std::size_t least = most + 1;
  for (const std::string& candidate : words) {
    const std::string known = lower_case(candidate);
    // A prefix of a word counts as a small error.
    const bool is_beginning = typed.size() >= 3 && known.starts_with(typed);
    const std::size_t distance =
        is_beginning ? std::min<std::size_t>(1, known.size() - typed.size()) : edit_distance(typed, known);
    if (distance < least && 2 * distance <= std::max(typed.size(), known.size())) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> words) {
  const std::optional<std::string> nearest = nearest_word(word, words);
  return nearest ? "; did you mean " + *nearest + "?" : "";
}

}  // namespace burnish
