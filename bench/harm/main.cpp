#include <fmt/format.h>

#include "automatic/harm.hpp"

// The table of docs/reliability.md: what denoising does, nothing set, where it could do harm.

int main() {
  fmt::print("| cloud | measured | | below |\n|---|---|---:|---:|\n");
  int exceeded = 0;
  for (const burnish::HarmCase& one : burnish::harm_cases()) {
    for (const burnish::HarmFigure& figure : one.measure()) {
      const bool is_within = figure.value < figure.limit;
      exceeded += is_within ? 0 : 1;
      fmt::print("| {} | {} | {:.3g}{} | {} |\n", one.cloud, figure.what, figure.value, is_within ? "" : " (!)",
                 figure.limit == burnish::exactly_nothing ? "exactly 0" : fmt::format("{:g}", figure.limit));
      std::fflush(stdout);
    }
  }
  return exceeded == 0 ? 0 : 1;
}
