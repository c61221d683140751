#include "fuzz.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace burnish::fuzz {
namespace {

std::vector<Target> all_targets() {
  std::vector<Target> targets = reader_targets();
  targets.push_back({"study", run_study});
  targets.push_back({"tile", run_tile});
  targets.push_back({"plan", run_plan});
  targets.push_back({"methods", run_methods});
  return targets;
}

Target chosen;

}  // namespace

}  // namespace burnish::fuzz

// The names and types are libFuzzer's.

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  using namespace burnish::fuzz;
  constexpr std::string_view option = "--target=";
  const std::vector<Target> targets = all_targets();
  for (int i = 1; i < *argc; ++i) {
    const std::string_view argument = (*argv)[i];
    if (argument == "--list") {
      for (const Target& target : targets) {
        std::puts(target.name.c_str());
      }
      std::exit(0);
    }
    if (argument.starts_with(option)) {
      const auto found = std::ranges::find(targets, argument.substr(option.size()), &Target::name);
      if (found != targets.end()) {
        chosen = *found;
      }
    }
  }
  if (chosen.run == nullptr) {
    std::fputs("which target? --target=NAME; --list prints the names\n", stderr);
    std::exit(2);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  burnish::fuzz::chosen.run({data, size});
  return 0;
}
