#include "text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace burnish::cli {
namespace {

std::string shown(const Cell& cell) { return cell.number ? to_text(*cell.number) : cell.text; }

/// Characters, not bytes.
std::size_t display_width(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string quoted(const std::string& field) {
  if (field.find_first_of(",\"\n\r") == std::string::npos) {
    return field;
  }
  std::string result = "\"";
  for (const char c : field) {
    result += c == '"' ? "\"\"" : std::string(1, c);
  }
  return result + '"';
}

bool holds_numbers(const TextTable& table, std::size_t column) {
  return std::ranges::any_of(table.rows, [&](const auto& row) { return row[column].number.has_value(); });
}

/// A field of a Markdown table is one line without bars.
std::string one_line(std::string field) {
  std::ranges::replace(field, '|', '/');
  std::ranges::replace(field, '\n', ' ');
  return field;
}

}  // namespace

void TextTable::mark_best(std::size_t column, std::size_t first_row, std::size_t last_row, bool more_is_better) {
  std::optional<double> best;
  const auto each = [&](const auto& use) {
    for (std::size_t row = first_row; row < last_row; ++row) {
      Cell& cell = rows[row][column];
      if (cell.number && std::isfinite(*cell.number)) {
        use(cell);
      }
    }
  };
  each([&](Cell& cell) {
    best = !best ? *cell.number : more_is_better ? std::max(*best, *cell.number) : std::min(*best, *cell.number);
  });
  each([&](Cell& cell) { cell.best = to_text(*cell.number) == to_text(*best); });
}

std::string to_text(double number) {
  if (!std::isfinite(number)) {
    return fmt::format("{}", number);
  }
  if (number == 0.0) {
    return "0";
  }
  const int digits_before = static_cast<int>(std::floor(std::log10(std::abs(number)))) + 1;
  if (digits_before > 6 || digits_before < -3) {
    return fmt::format("{:.3e}", number);
  }
  return fmt::format("{:.{}f}", number, std::clamp(4 - digits_before, 0, 8));
}

std::string to_text(const TextTable& table) {
  std::string text;
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < table.header.size(); ++c) {
    widths.push_back(display_width(table.header[c]));
    for (const auto& row : table.rows) {
      widths[c] = std::max(widths[c], display_width(shown(row[c])) + (row[c].best ? 1 : 0));
    }
  }
  // Words at the left of their column, numbers at the right.
  const auto append = [&](std::size_t column, const std::string& field, bool at_left) {
    const std::string blanks(widths[column] - display_width(field), ' ');
    text += fmt::format("{}{}{}", column > 0 ? "  " : "", at_left ? field : blanks, at_left ? blanks : field);
  };
  const auto end_line = [&] {
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  };
  for (std::size_t c = 0; c < table.header.size(); ++c) {
    append(c, table.header[c], !holds_numbers(table, c));
  }
  end_line();
  for (const auto& row : table.rows) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      append(c, fmt::format("{}{}", row[c].best ? "*" : "", shown(row[c])), !holds_numbers(table, c));
    }
    end_line();
  }
  return text;
}

std::string to_markdown(const TextTable& table) {
  std::string text = "|";
  for (const std::string& name : table.header) {
    text += fmt::format(" {} |", one_line(name));
  }
  text += "\n|";
  for (std::size_t c = 0; c < table.header.size(); ++c) {
    text += holds_numbers(table, c) ? "---:|" : "---|";
  }
  text += '\n';
  for (const auto& row : table.rows) {
    text += '|';
    for (const Cell& cell : row) {
      text += fmt::format(" {0}{1}{0} |", cell.best ? "**" : "", one_line(shown(cell)));
    }
    text += '\n';
  }
  return text;
}

std::string to_csv(const TextTable& table) {
  std::string text;
  const auto end_row = [&] { text.back() = '\n'; };
  for (const std::string& name : table.header) {
    text += quoted(name) + ',';
  }
  end_row();
  for (const auto& row : table.rows) {
    for (const Cell& cell : row) {
      text += (cell.number ? fmt::format("{}", *cell.number) : quoted(cell.text)) + ',';
    }
    end_row();
  }
  return text;
}

}  // namespace burnish::cli
