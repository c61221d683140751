#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "fuzz.hpp"

namespace burnish::fuzz {

void demand(bool holds, const std::string& what) {
  if (!holds) {
    std::fprintf(stderr, "broken promise: %s\n", what.c_str());
    std::abort();
  }
}

MemoryFile::MemoryFile(Bytes bytes) : file_(::memfd_create("fuzz", 0)) {
  demand(file_ >= 0 && ::write(file_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()),
         "a file in memory can be made");
  path_ = "/proc/self/fd/" + std::to_string(file_);
}

MemoryFile::~MemoryFile() { ::close(file_); }

}  // namespace burnish::fuzz
