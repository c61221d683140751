#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

// What libFuzzer is let loose on. A target gets bytes and must come back, whatever they are: errors that belong to bad
// input are caught inside, all else that is thrown, a broken promise (`demand`), a sanitizer's finding, too much time
// or memory is a finding.

namespace burnish::fuzz {

using Bytes = std::span<const std::uint8_t>;

struct Target {
  std::string name;
  void (*run)(Bytes bytes);
};

/// One for every format that is read, by its name, and "any", where the content decides the format.
[[nodiscard]] std::vector<Target> reader_targets();

void run_study(Bytes bytes);
void run_methods(Bytes bytes);
void run_tile(Bytes bytes);
void run_plan(Bytes bytes);

/// Stops the program with a message unless `holds`.
void demand(bool holds, const std::string& what);

/// A file with that content, which costs no more than memory: readers treat files and memory differently.
class MemoryFile {
 public:
  explicit MemoryFile(Bytes bytes);
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  int file_ = -1;
  std::filesystem::path path_;
};

}  // namespace burnish::fuzz
