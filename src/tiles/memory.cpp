#include "tiles/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>

#include "automatic/run_plan.hpp"
#include "burnish/error.hpp"
#include "burnish/tiles.hpp"
#include "core/from_chars.hpp"
#include "core/math.hpp"
#include "core/operating_system.hpp"
#include "core/parallel.hpp"
#include "io/in_parts.hpp"

namespace burnish {
namespace {

constexpr std::uint64_t unknown = std::numeric_limits<std::uint64_t>::max();

/// The number in a file that holds nothing else.
std::uint64_t number_in(const std::string& path) {
  std::ifstream file(path);
  std::uint64_t value = 0;
  return file >> value ? value : unknown;
}

std::uint64_t free_memory() {
  std::ifstream file("/proc/meminfo");
  std::string name;
  std::uint64_t kilobytes = 0;
  std::string rest;
  while (file >> name >> kilobytes) {
    if (name == "MemAvailable:") {
      return kilobytes * 1024;
    }
    std::getline(file, rest);
  }
  const std::uint64_t all = system::physical_memory();
  return all > 0 ? all : unknown;
}

/// What a container may have: of control groups, those of this process and all above count.
std::uint64_t container_memory() {
  std::uint64_t least = number_in("/sys/fs/cgroup/memory/memory.limit_in_bytes");
  std::ifstream file("/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("0::")) {
      std::string group = line.substr(3);
      for (bool more = true; more;) {
        least = std::min(least, number_in("/sys/fs/cgroup" + (group == "/" ? "" : group) + "/memory.max"));
        more = group.size() > 1;
        group = group.substr(0, std::max<std::size_t>(1, group.rfind('/')));
      }
    }
  }
  return least;
}

}  // namespace

std::uint64_t memory_to_denoise(std::uint64_t points, const ExecutionContext& context) {
  // Large clouds are done in pieces, each with what is around it, as many at a time as there are threads.
  constexpr double with_surroundings = 1.35;
  constexpr std::uint64_t where_it_waits = 160;
  const auto in_pieces = static_cast<std::uint64_t>(with_surroundings *
                                                    static_cast<double>(automatic::piece_size * thread_count(context)));
  return tiles::memory_of_work(std::min(points, in_pieces)) + where_it_waits * points;
}

std::uint64_t memory_to_denoise(const std::filesystem::path& input, const ExecutionContext& context) {
  const auto [points, bytes] = io::size_of_cloud(input);
  return memory_to_denoise(points, context) + 2 * bytes;
}

std::uint64_t memory_limit() { return std::min(free_memory(), container_memory()) / 2; }

std::uint64_t parse_memory(const std::string& text) {
  double value = 0.0;
  const auto [end, error] = from_chars(text.data(), text.data() + text.size(), value);
  std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
  double factor = 1.0;
  constexpr std::string_view letters = "KMGT";
  if (const std::size_t power = letters.find(unit.empty() ? '?' : static_cast<char>(unit.front() & ~0x20));
      power != letters.npos) {
    factor = math::pow(1024.0, static_cast<double>(power + 1));
    unit.remove_prefix(1);
  }
  const bool is_unit = unit.empty() || unit == "B" || unit == "b" || (factor > 1.0 && unit == "iB");
  if (error != std::errc() || !is_unit || !(value > 0.0) || !(value * factor < 1e18)) {
    throw Error(fmt::format("\"{}\" is not an amount of memory; expected something like 500M or 2G", text));
  }
  return static_cast<std::uint64_t>(value * factor);
}

}  // namespace burnish
