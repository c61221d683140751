#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/cloud_parts.hpp"
#include "io/formats.hpp"
#include "io/line_reader.hpp"
#include "io/many_lines.hpp"
#include "io/parse_number.hpp"
#include "io/text_layout.hpp"

namespace burnish::io {
namespace {

/// Text files do not state the types of their columns. Each starts as integers and becomes float or text when a value
/// is met that asks for it. What became text is read once more from the start, since numbers do not show how they were
/// spelled.
struct TextPass {
  explicit TextPass(BlockReader& file) : lines(file) {}
  TextPass(const LineReader& piece, const TextPass& whole)
      : lines(piece), layout(whole.layout), has_values(true), line_by_line(true) {}

  LineReader lines;
  PointCloud cloud;
  std::optional<TextLayout> layout;
  bool has_values = false;                      ///< a point was met, so the layout's separator is sure
  std::optional<TextLayout> comment_layout;     ///< names found in a comment, for instance "# x y z red"
  std::size_t names_comment = 0;                ///< which comment that is
  std::optional<std::int64_t> promised_points;  ///< a PTS file starts with the number of its points
  std::uint64_t points_before = 0;              ///< in parts that were taken out of the cloud
  bool must_read_again = false;
  bool line_by_line = false;  ///< among the next lines is one that cannot be read, to find out which
};

void add_comment(TextPass& pass, std::string_view line) {
  line.remove_prefix(line.starts_with('#') ? 1 : 2);
  if (!pass.layout) {
    if (auto layout = layout_of_names(line)) {
      pass.comment_layout = std::move(layout);
      pass.names_comment = pass.cloud.comments.size();
    }
  }
  pass.cloud.comments.emplace_back(line.substr(line.starts_with(' ') ? 1 : 0));
}

void use_names_in_comment(TextPass& pass) {
  pass.layout->names = std::move(pass.comment_layout->names);
  pass.layout->axes = pass.comment_layout->axes;
  pass.cloud.comments.erase(pass.cloud.comments.begin() + static_cast<std::ptrdiff_t>(pass.names_comment));
}

void make_columns(TextPass& pass, const std::vector<ScalarType>& known_types) {
  if (pass.layout->names.size() > most_text_columns) {
    pass.lines.fail(fmt::format("found more than {} values, too many to be the columns of points", most_text_columns));
  }
  for (std::size_t i = 0; i < pass.layout->names.size(); ++i) {
    if (std::ranges::find(pass.layout->axes, i) == pass.layout->axes.end()) {
      Column column;
      column.name = pass.layout->names[i];
      column.values = std::vector<std::int64_t>();
      const std::size_t index = pass.cloud.attributes.size();
      if (index < known_types.size() && known_types[index] == ScalarType::text) {
        column.values = std::vector<std::string>();
      } else if (index < known_types.size() && known_types[index] == ScalarType::float64) {
        column.values = std::vector<double>();
      }
      pass.cloud.attributes.push_back(std::move(column));
    }
  }
}

/// Interprets the first lines; true if the line is the first point, false if it belongs to the head of the file.
bool read_first_lines(TextPass& pass, std::string_view line, const std::vector<ScalarType>& known_types) {
  if (!pass.layout) {
    std::int64_t count = 0;
    if (parse_integer(line, count)) {
      if (pass.promised_points) {
        pass.lines.fail("found a second line with one number");
      }
      pass.promised_points = count;
      return false;
    }
    if ((pass.layout = layout_of_names(line))) {
      make_columns(pass, known_types);
      return false;
    }
    pass.layout = layout_of_values(line);
    if (!pass.layout) {
      pass.lines.fail(
          fmt::format("found {}, expected a point of three or more numbers, or names of columns with x, y "
                      "and z among them",
                      excerpt(line)));
    }
    if (pass.comment_layout && pass.comment_layout->names.size() == pass.layout->names.size()) {
      use_names_in_comment(pass);
    }
    make_columns(pass, known_types);
  } else {
    pass.layout->separator = separator_for(*pass.layout, line).value_or(pass.layout->separator);
  }
  pass.has_values = true;
  return true;
}

void append_value(Values& values, const Token& token, char separator, bool& must_read_again) {
  double real = 0;
  if (auto* const integers = std::get_if<std::vector<std::int64_t>>(&values)) {
    std::int64_t integer = 0;
    if (!token.is_quoted && parse_integer(token.text, integer)) {
      integers->push_back(integer);
      return;
    }
    if (token.is_quoted || !parse_real(token, separator, real)) {
      must_read_again = must_read_again || !integers->empty();
      values = std::vector<std::string>();
    } else {
      values = std::vector<double>(integers->begin(), integers->end());
    }
  }
  if (auto* const reals = std::get_if<std::vector<double>>(&values)) {
    if (!token.is_quoted && parse_real(token, separator, real)) {
      reals->push_back(real);
      return;
    }
    must_read_again = must_read_again || !reals->empty();
    values = std::vector<std::string>();
  }
  std::get<std::vector<std::string>>(values).push_back(token.unquoted());
}

void add_point(TextPass& pass, const std::vector<Token>& tokens) {
  const TextLayout& layout = *pass.layout;
  Vec3 position;
  std::size_t attribute = 0;
  for (std::size_t i = 0; i < layout.names.size(); ++i) {
    const auto axis = std::ranges::find(layout.axes, i) - layout.axes.begin();
    if (axis == 3) {
      append_value(pass.cloud.attributes[attribute++].values, tokens[i], layout.separator, pass.must_read_again);
    } else if (!parse_real(tokens[i], layout.separator, position[axis])) {
      pass.lines.fail(fmt::format("found {}, expected the coordinate {}", excerpt(tokens[i].text), "xyz"[axis]));
    }
  }
  pass.cloud.positions.push_back(position);
}

void check_end(TextPass& pass, const std::vector<ScalarType>& known_types) {
  if (!pass.layout && pass.comment_layout && !pass.promised_points) {
    pass.layout.emplace();  // names and no points: what writing an empty cloud gives
    use_names_in_comment(pass);
    make_columns(pass, known_types);
  }
  if (!pass.layout) {
    pass.lines.file().fail("the file holds no points");
  }
  const std::uint64_t points = pass.points_before + pass.cloud.size();
  if (pass.promised_points && std::cmp_less(points, *pass.promised_points)) {
    pass.lines.file().fail(fmt::format("the file declares {} points and ends after {}", *pass.promised_points, points));
  }
}

/// Integers that fit become 32-bit ones: other formats have, and other programs read, no 64-bit ones.
bool can_narrow(const Values& values) {
  const auto* const wide = std::get_if<std::vector<std::int64_t>>(&values);
  return wide != nullptr && std::ranges::all_of(*wide, [](std::int64_t v) { return std::in_range<std::int32_t>(v); });
}

void narrow(Values& values) {
  const auto& wide = std::get<std::vector<std::int64_t>>(values);
  std::vector<std::int32_t> narrowed(wide.size());
  std::ranges::transform(wide, narrowed.begin(), [](std::int64_t v) { return static_cast<std::int32_t>(v); });
  values = std::move(narrowed);
}

/// Takes in a line that is not empty.
void read_line(TextPass& pass, std::string_view line, const std::vector<ScalarType>& known_types,
               std::vector<Token>& tokens) {
  if (line.starts_with('#') || line.starts_with("//")) {
    add_comment(pass, line);
    return;
  }
  if (!pass.has_values && !read_first_lines(pass, line, known_types)) {
    return;
  }
  split_line(line, pass.layout->separator, tokens);
  const std::size_t columns = pass.layout->names.size();
  const bool ends_in_separator = tokens.size() == columns + 1 && tokens.back().text.empty();
  if (tokens.size() != columns && !ends_in_separator) {
    pass.lines.fail(fmt::format("found {} values, expected {} as on the lines before", tokens.size(), columns));
  }
  add_point(pass, tokens);
}

void append_values(Values& values, const Values& more, bool& must_read_again) {
  if (values.index() == more.index()) {
    std::visit([&]<class T>(
                   std::vector<T>& all) { std::ranges::copy(std::get<std::vector<T>>(more), std::back_inserter(all)); },
               values);
    return;
  }
  const bool are_numbers = !std::holds_alternative<std::vector<std::string>>(values) &&
                           !std::holds_alternative<std::vector<std::string>>(more);
  if (!are_numbers) {
    must_read_again = true;
    values = std::vector<std::string>();
    return;
  }
  if (const auto* const integers = std::get_if<std::vector<std::int64_t>>(&values)) {
    values = std::vector<double>(integers->begin(), integers->end());
  }
  auto& reals = std::get<std::vector<double>>(values);
  if (const auto* const integers = std::get_if<std::vector<std::int64_t>>(&more)) {
    reals.insert(reals.end(), integers->begin(), integers->end());
  } else {
    std::ranges::copy(std::get<std::vector<double>>(more), std::back_inserter(reals));
  }
}

bool read_lines(TextPass& pass, const std::vector<ScalarType>& known_types, std::size_t points);

/// Reads many of the next lines at once, but no more than the given number of points. False if there are not many, or
/// not all of them can be read.
bool read_many_lines(TextPass& pass, std::size_t points) {
  constexpr std::size_t least_bytes = 6;  // three digits and what follows each
  if (!pass.has_values || pass.line_by_line) {
    return false;
  }
  ManyLines many(pass.lines, points, least_bytes);
  std::vector<ScalarType> types;
  std::ranges::transform(pass.cloud.attributes, std::back_inserter(types), &Column::type);
  struct Piece {
    PointCloud cloud;
    bool must_read_again = false;
  };
  std::vector<Piece> pieces(many.pieces());
  const bool all_read = many.read_each([&](std::size_t i, const LineReader& lines) {
    TextPass piece(lines, pass);
    make_columns(piece, types);
    read_lines(piece, types, std::numeric_limits<std::size_t>::max());
    pieces[i] = {std::move(piece.cloud), piece.must_read_again};
  });
  if (!all_read) {
    pass.line_by_line = true;
    return false;
  }
  for (Piece& piece : pieces) {
    std::ranges::copy(piece.cloud.positions, std::back_inserter(pass.cloud.positions));
    std::ranges::move(piece.cloud.comments, std::back_inserter(pass.cloud.comments));
    for (std::size_t c = 0; c < types.size(); ++c) {
      append_values(pass.cloud.attributes[c].values, piece.cloud.attributes[c].values, pass.must_read_again);
    }
    pass.must_read_again = pass.must_read_again || piece.must_read_again;
  }
  many.take();
  return !pieces.empty();
}

/// Reads on until the cloud has the given number of points; false if the file ends before.
bool read_lines(TextPass& pass, const std::vector<ScalarType>& known_types, std::size_t points) {
  std::vector<Token> tokens;
  std::string_view line;
  while (pass.cloud.size() < points) {
    if (read_many_lines(pass, points - pass.cloud.size())) {
      continue;
    }
    if (!pass.lines.next(line)) {
      return false;
    }
    line = trimmed(line);
    if (!line.empty()) {
      read_line(pass, line, known_types, tokens);
    }
  }
  return true;
}

void read_to_end(TextPass& pass, const std::vector<ScalarType>& known_types) {
  read_lines(pass, known_types, std::numeric_limits<std::size_t>::max());
  check_end(pass, known_types);
}

class TextParts final : public CloudParts {
 public:
  explicit TextParts(BlockReader& file) : file_(file) {
    constexpr std::size_t rows_at_once = 65536;
    TextPass& pass = pass_.emplace(file);
    std::vector<bool> narrows;
    for (bool more = true; more;) {
      more = read_lines(pass, {}, rows_at_once);
      narrows.resize(pass.cloud.attributes.size(), true);
      for (std::size_t i = 0; i < narrows.size(); ++i) {
        Values& values = pass.cloud.attributes[i].values;
        narrows[i] = narrows[i] && can_narrow(values);
        std::visit([](auto& all) { all.clear(); }, values);
      }
      pass.points_before += std::exchange(pass.cloud.positions, {}).size();
    }
    check_end(pass, {});
    points_ = pass.points_before;
    for (std::size_t i = 0; i < narrows.size(); ++i) {
      types_.push_back(narrows[i] ? ScalarType::int32 : pass.cloud.attributes[i].type());
    }
    comments_ = std::move(pass.cloud.comments);
    go_back();
  }

 private:
  [[nodiscard]] PointCloud read_rows(std::uint64_t first, std::size_t count) override {
    if (first > 0) {
      make_columns(*pass_, types_);
    }
    if (!read_lines(*pass_, types_, count)) {
      pass_->lines.file().fail(
          fmt::format("the file ends after {} of {} points", first + pass_->cloud.size(), points_));
    }
    PointCloud part = std::exchange(pass_->cloud, {});
    part.comments = comments_;
    for (std::size_t i = 0; i < part.attributes.size(); ++i) {
      Values& values = part.attributes[i].values;
      if (types_[i] == ScalarType::int32 && can_narrow(values)) {
        narrow(values);
      }
      if (part.attributes[i].type() != types_[i]) {
        file_.fail("has changed while it was read");
      }
    }
    return part;
  }

  void go_back() override {
    file_.seek(0);
    pass_.emplace(file_);
  }

  BlockReader& file_;
  std::optional<TextPass> pass_;
  std::vector<ScalarType> types_;
  std::vector<std::string> comments_;
};

}  // namespace

std::unique_ptr<CloudParts> text_parts(BlockReader& file) { return std::make_unique<TextParts>(file); }

PointCloud read_text(BlockReader& file) {
  std::vector<ScalarType> known_types;
  while (true) {
    TextPass pass(file);
    read_to_end(pass, known_types);
    if (!pass.must_read_again) {
      for (Column& column : pass.cloud.attributes) {
        if (can_narrow(column.values)) {
          narrow(column.values);
        }
      }
      return std::move(pass.cloud);
    }
    for (const Column& column : pass.cloud.attributes) {
      known_types.push_back(column.type());
    }
    pass.cloud = {};
    file.seek(0);
  }
}

}  // namespace burnish::io
