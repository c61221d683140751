#pragma once

#include <cstddef>
#include <vector>

namespace burnish {

/// Arrays of numbers of all lanes at each of some places, in whole cache lines.
class LaneMemory {
 public:
  LaneMemory(std::size_t arrays, std::size_t places, std::size_t lanes)
      : lines_((places * lanes + 7) / 8), memory_(arrays * lines_) {}

  [[nodiscard]] double* array(std::size_t number) { return memory_[number * lines_].numbers; }

 private:
  struct alignas(64) Line {
    double numbers[8];
  };
  std::size_t lines_;
  std::vector<Line> memory_;
};

}  // namespace burnish
