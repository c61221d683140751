#include "burnish/error.hpp"

#include <cerrno>

namespace burnish {

ErrorKind error_kind(int error_number) noexcept {
  switch (error_number) {
    case ENOENT:
    case ENOTDIR:
      return ErrorKind::not_found;
    case EACCES:
    case EPERM:
    case EROFS:
      return ErrorKind::permission_denied;
    case EISDIR:
      return ErrorKind::is_directory;
    default:
      return ErrorKind::system_failure;
  }
}

}  // namespace burnish
