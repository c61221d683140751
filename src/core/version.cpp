#include "burnish/version.hpp"

#define BURNISH_TEXT_OF(number) #number
#define BURNISH_TEXT(number) BURNISH_TEXT_OF(number)

namespace burnish {

const char* version() noexcept {
  return BURNISH_TEXT(BURNISH_VERSION_MAJOR) "." BURNISH_TEXT(BURNISH_VERSION_MINOR) "." BURNISH_TEXT(
      BURNISH_VERSION_PATCH);
}

}  // namespace burnish
