#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "study/svg_plot.hpp"
#include "text_table.hpp"

namespace burnish::cli {
namespace {

TextTable example() {
  TextTable table{{"method", "error", "note"}, {}};
  table.rows = {{"noisy", 0.25894, ""}, {"größer, \"so\"", 0.1, "a|b"}, {"third", std::optional<double>(), "failed"}};
  table.mark_best(1, 0, 3, false);
  return table;
}

TEST(TextTable, ForTheTerminal) {
  EXPECT_EQ(to_text(example()),
            "method          error  note\n"
            "noisy          0.2589\n"
            "größer, \"so\"  *0.1000  a|b\n"
            "third                  failed\n");
}

TEST(TextTable, ForDocuments) {
  EXPECT_EQ(to_markdown(example()),
            "| method | error | note |\n"
            "|---|---:|---|\n"
            "| noisy | 0.2589 |  |\n"
            "| größer, \"so\" | **0.1000** | a/b |\n"
            "| third |  | failed |\n");
}

TEST(TextTable, ForPrograms) {
  EXPECT_EQ(to_csv(example()),
            "method,error,note\n"
            "noisy,0.25894,\n"
            "\"größer, \"\"so\"\"\",0.1,a|b\n"
            "third,,failed\n");
}

TEST(TextTable, NumbersHaveFourDigits) {
  EXPECT_EQ(to_text(0.0), "0");
  EXPECT_EQ(to_text(0.018951), "0.01895");
  EXPECT_EQ(to_text(-47.4123), "-47.41");
  EXPECT_EQ(to_text(1234.567), "1235");
  EXPECT_EQ(to_text(1.5e9), "1.500e+09");
  EXPECT_EQ(to_text(1.5e-9), "1.500e-09");
  EXPECT_EQ(to_text(std::numeric_limits<double>::infinity()), "inf");
}

TEST(TextTable, TheBestMayBeSeveralOrTheLargest) {
  TextTable table{{"a"}, {}};
  table.rows = {{1.00001}, {1.00002}, {3.0}, {std::numeric_limits<double>::quiet_NaN()}};
  table.mark_best(0, 0, 4, false);
  EXPECT_TRUE(table.rows[0][0].best && table.rows[1][0].best && !table.rows[2][0].best);
  table.mark_best(0, 0, 4, true);
  EXPECT_TRUE(!table.rows[0][0].best && table.rows[2][0].best && !table.rows[3][0].best);
}

TEST(SvgPlot, HoldsWhatItShows) {
  Plot plot{"Error <of> all", "noise & more", "error", {{"one", {{0.02, 0.2}, {0.03, 0.25}, {0.04, 0.4}}}}, {}};
  plot.series.push_back({"two", {{0.02, 0.3}, {0.03, std::nan("")}}});
  const std::string svg = to_svg(plot);
  EXPECT_NE(svg.find("Error &lt;of&gt; all"), std::string::npos);
  EXPECT_NE(svg.find("noise &amp; more"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_NE(svg.find("prefers-color-scheme: dark"), std::string::npos);
  for (const char* tick : {">0.020<", ">0.040<", ">0.20<", ">0.40<"}) {
    EXPECT_NE(svg.find(tick), std::string::npos) << tick << svg;
  }
  // y = 0.2 is at the foot of the plot and y = 0.4 at its top, x = 0.02 left and 0.04 right.
  EXPECT_NE(svg.find("M70.0 340.0L"), std::string::npos) << svg;
  EXPECT_NE(svg.find("L530.0 40.0"), std::string::npos) << svg;
}

TEST(SvgPlot, AcceptsAnything) {
  EXPECT_NE(to_svg({}).find("</svg>"), std::string::npos);
  Plot plot{"", "", "", {{"same", {{1.0, 5.0}, {1.0, 5.0}}}}, {}};
  EXPECT_EQ(to_svg(plot).find("nan"), std::string::npos);
  plot.logarithmic_x = true;
  plot.series.push_back({"not positive", {{0.0, 1.0}, {-1.0, 2.0}}});
  EXPECT_EQ(to_svg(plot).find("nan"), std::string::npos);
  EXPECT_EQ(to_svg(plot).find("inf"), std::string::npos);
  plot.places = {"a", "b"};
  EXPECT_NE(to_svg(plot).find(">b<"), std::string::npos);
}

}  // namespace
}  // namespace burnish::cli
