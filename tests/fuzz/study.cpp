#include "burnish/error.hpp"
#include "fuzz.hpp"
#include "study/study_file.hpp"

namespace burnish::fuzz {

void run_study(Bytes bytes) {
  const MemoryFile file(bytes);
  try {
    static_cast<void>(cli::read_study(file.path()));
  } catch (const Error&) {
  }
}

}  // namespace burnish::fuzz
