#pragma once

#include <optional>
#include <string>
#include <vector>

// Tables of numbers for the terminal, for documents and for other programs.

namespace burnish::cli {

/// A number or a word; both may be missing.
struct Cell {
  Cell() = default;
  Cell(std::string word) : text(std::move(word)) {}     // NOLINT(google-explicit-constructor)
  Cell(const char* word) : text(word) {}                // NOLINT(google-explicit-constructor)
  Cell(double value) : number(value) {}                 // NOLINT(google-explicit-constructor)
  Cell(std::optional<double> value) : number(value) {}  // NOLINT(google-explicit-constructor)

  std::string text;
  std::optional<double> number;
  bool best = false;  ///< to be made to stand out
};

struct TextTable {
  std::vector<std::string> header;
  std::vector<std::vector<Cell>> rows;

  /// Marks the best numbers of some rows in one column, as many as look the same.
  void mark_best(std::size_t column, std::size_t first_row, std::size_t last_row, bool more_is_better);
};

/// Four significant digits, as tables for people have them.
[[nodiscard]] std::string to_text(double number);

/// Columns below each other; the best numbers with a star.
[[nodiscard]] std::string to_text(const TextTable& table);

/// A Markdown table; the best numbers bold.
[[nodiscard]] std::string to_markdown(const TextTable& table);

/// Comma-separated values with all digits.
[[nodiscard]] std::string to_csv(const TextTable& table);

}  // namespace burnish::cli
