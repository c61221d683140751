#include <Eigen/Core>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "view/image.hpp"

// Letters as strokes of a pen, so that pictures need no font file and look the same everywhere.

namespace burnish {
namespace {

/// Strokes are separated by blanks; a stroke is a row of places, two digits each: x from the left edge, y from the
/// deepest descender (0) over the baseline (2) and the top of small letters (6) to that of capitals (8).
struct Glyph {
  int width;
  std::string_view strokes;
};

constexpr double baseline = 2.0;
constexpr double capital_height = 6.0;
constexpr double gap = 1.9;
constexpr double pen = 0.85;
constexpr Glyph unknown{4, "0242480802"};

constexpr std::array<Glyph, 26> small_letters{{
    {4, "4536160503123243 4642"},
    {4, "0802 0516364543321203"},
    {4, "4536160503123243"},
    {4, "4842 4536160503123243"},
    {4, "04444536160503123243"},
    {3, "38281712 0636"},
    {4, "4536160503123243 4641301001"},
    {4, "0802 0516364542"},
    {1, "0602 0808"},
    {2, "26211000 2828"},
    {4, "0802 460442"},
    {2, "08031222"},
    {6, "0602 0516263532 3546566562"},
    {4, "0602 0516364542"},
    {4, "123243453616050312"},
    {4, "0600 0516364543321203"},
    {4, "4640 4536160503123243"},
    {3, "0602 041636"},
    {4, "45361605143443321203"},
    {3, "18132232 0636"},
    {4, "0603123243 4642"},
    {4, "062246"},
    {6, "0612355266"},
    {4, "0642 4602"},
    {4, "0622 461000"},
    {4, "06460242"},
}};

constexpr std::array<Glyph, 26> capitals{{
    {4, "022842 1434"},
    {4, "02083847463505 3544433202"},
    {4, "4738180703123243"},
    {4, "02083847433202"},
    {4, "48080242 0535"},
    {4, "480802 0535"},
    {4, "47381807031232434525"},
    {4, "0802 4842 0545"},
    {1, "0802"},
    {3, "3833221203"},
    {4, "0802 480542"},
    {4, "080242"},
    {6, "0208346862"},
    {4, "02084248"},
    {4, "123243473818070312"},
    {4, "02083847463505"},
    {4, "123243473818070312 2442"},
    {4, "02083847463505 2542"},
    {4, "473818070615354443321203"},
    {4, "0848 2822"},
    {4, "080312324348"},
    {4, "082248"},
    {6, "0812365268"},
    {4, "0842 4802"},
    {4, "0825 4825 2522"},
    {4, "08480242"},
}};

constexpr std::array<Glyph, 10> digits{{
    {4, "123243473818070312"},
    {3, "062822"},
    {4, "07183847460242"},
    {4, "07183847463525 354443321203"},
    {4, "32380444"},
    {4, "480805354443321203"},
    {4, "473818070312324344351504"},
    {4, "084812"},
    {4, "15060718384746351504031232434435"},
    {4, "031232434738180706153546"},
}};

Glyph glyph_of(char c) {
  if (c >= 'a' && c <= 'z') {
    return small_letters[static_cast<std::size_t>(c - 'a')];
  }
  if (c >= 'A' && c <= 'Z') {
    return capitals[static_cast<std::size_t>(c - 'A')];
  }
  if (c >= '0' && c <= '9') {
    return digits[static_cast<std::size_t>(c - '0')];
  }
  switch (c) {
    case ' ':
      return {2, ""};
    case '.':
      return {1, "0202"};
    case ',':
      return {1, "1201"};
    case ':':
      return {1, "0303 0606"};
    case '-':
      return {3, "0535"};
    case '+':
      return {4, "0545 2723"};
    case '=':
      return {4, "0444 0646"};
    case '_':
      return {4, "0141"};
    case '/':
      return {3, "0138"};
    case '(':
      return {2, "29171321"};
    case ')':
      return {2, "09171301"};
    case '%':
      return {4, "0248 0717180807 3242433332"};
    default:
      return unknown;
  }
}

/// Calls use(glyph, left) for every character of a text; returns where it ends. Lengths in units of the glyphs. A
/// character of several bytes counts as one.
template <class Use>
double walk(std::string_view text, const Use& use) {
  double left = 0.0;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xC0U) == 0x80U) {
      continue;  // goes on with the character before
    }
    const Glyph glyph = glyph_of(c);
    use(glyph, left);
    left += glyph.width + gap;
  }
  return std::max(0.0, left - gap);
}

/// Draws a line with round ends, blended at its border.
void draw_line(Image& image, const Eigen::Vector2d& from, const Eigen::Vector2d& to, double width, const Rgb& colour) {
  const Eigen::Vector2d way = to - from;
  const double reach = 0.5 * width + 1.0;
  const auto first = [&](double a, double b) {
    return static_cast<std::size_t>(std::max(0.0, std::min(a, b) - reach));
  };
  const auto last = [&](double a, double b, std::size_t size) {
    return static_cast<std::size_t>(std::clamp(std::max(a, b) + reach, 0.0, static_cast<double>(size)));
  };
  for (std::size_t y = first(from.y(), to.y()); y < last(from.y(), to.y(), image.height); ++y) {
    for (std::size_t x = first(from.x(), to.x()); x < last(from.x(), to.x(), image.width); ++x) {
      const Eigen::Vector2d pixel(static_cast<double>(x) + 0.5, static_cast<double>(y) + 0.5);
      const double along = std::clamp((pixel - from).dot(way) / std::max(way.squaredNorm(), 1e-12), 0.0, 1.0);
      const double distance = (pixel - from - along * way).norm();
      const double cover = std::clamp(0.5 * width + 0.5 - distance, 0.0, 1.0);
      Rgb& there = image.at(x, y);
      for (std::size_t c = 0; c < 3; ++c) {
        // Strokes of a letter meet: what is darker already must not be covered twice.
        const double blended = 255.0 + cover * (colour[c] - 255.0);
        there[c] = static_cast<std::uint8_t>(std::lround(std::min<double>(there[c], blended)));
      }
    }
  }
}

}  // namespace

double text_width(std::string_view text, double size) {
  return size / capital_height * walk(text, [](const Glyph&, double) {});
}

std::string fitted_text(std::string_view text, double size, double width) {
  std::vector<std::string_view> characters;  // of one or several bytes
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end) {
    end = begin + 1;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
      ++end;
    }
    characters.push_back(text.substr(begin, end - begin));
  }
  std::string fitted(text);
  for (std::size_t kept = characters.size(); text_width(fitted, size) > width && kept > 0;) {
    --kept;
    fitted.clear();
    for (std::size_t i = 0; i < characters.size(); ++i) {
      if (i == (kept + 1) / 2) {
        fitted += "...";
      }
      if (i < (kept + 1) / 2 || i >= characters.size() - kept / 2) {
        fitted += characters[i];
      }
    }
  }
  return fitted;
}

void draw_text(Image& image, std::string_view text, double x, double y, double size, Rgb colour) {
  const double unit = size / capital_height;
  walk(text, [&](const Glyph& glyph, double left) {
    std::optional<Eigen::Vector2d> previous;
    for (std::size_t i = 0; i < glyph.strokes.size();) {
      if (glyph.strokes[i] == ' ') {
        previous.reset();
        ++i;
        continue;
      }
      const Eigen::Vector2d place(x + unit * (left + (glyph.strokes[i] - '0')),
                                  y - unit * (glyph.strokes[i + 1] - '0' - baseline));
      if (previous) {
        draw_line(image, *previous, place, unit * pen, colour);
      }
      previous = place;
      i += 2;
    }
  });
}

}  // namespace burnish
