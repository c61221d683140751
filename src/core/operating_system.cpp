#include "core/operating_system.hpp"

#ifndef _WIN32
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <cerrno>

namespace burnish::system {
namespace {

/// Repeats a call while it is interrupted by signals.
template <class Call>
auto finished(const Call& call) {
  auto result = call();
  while (result < 0 && errno == EINTR) {
    result = call();
  }
  return result;
}

}  // namespace

int open_to_read(const std::filesystem::path& path) { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); }

int create_file(const std::filesystem::path& path) {
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

int open_scratch_file(const std::filesystem::path& path) {
  return ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

int close_file(int file) {
  // After an interruption the file is closed already.
  return ::close(file) == 0 || errno == EINTR ? 0 : -1;
}

int find_facts(int file, FileFacts& facts) {
  struct stat status {};
  if (::fstat(file, &status) != 0) {
    return -1;
  }
  facts.kind = S_ISREG(status.st_mode)   ? FileKind::regular
               : S_ISDIR(status.st_mode) ? FileKind::folder
                                         : FileKind::other;
  facts.size = static_cast<std::uint64_t>(status.st_size);
  return 0;
}

std::ptrdiff_t read_file(int file, void* bytes, std::size_t count) {
  return finished([&] { return ::read(file, bytes, count); });
}

std::ptrdiff_t read_file_at(int file, void* bytes, std::size_t count, std::uint64_t offset) {
  return finished([&] { return ::pread(file, bytes, count, static_cast<off_t>(offset)); });
}

std::ptrdiff_t write_file(int file, const void* bytes, std::size_t count) {
  return finished([&] { return ::write(file, bytes, count); });
}

std::ptrdiff_t write_file_at(int file, const void* bytes, std::size_t count, std::uint64_t offset) {
  return finished([&] { return ::pwrite(file, bytes, count, static_cast<off_t>(offset)); });
}

int seek_in_file(int file, std::uint64_t offset) {
  return ::lseek(file, static_cast<off_t>(offset), SEEK_SET) < 0 ? -1 : 0;
}

int sync_file(int file) {
  const int result = finished([&] { return ::fsync(file); });
  return result < 0 && errno == EINVAL ? 0 : result;  // a pipe, for instance, which has no disk
}

std::uint64_t process_number() { return static_cast<std::uint64_t>(::getpid()); }

std::uint64_t physical_memory() {
  const auto pages = ::sysconf(_SC_PHYS_PAGES);
  return pages > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

void return_free_memory() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

}  // namespace burnish::system
#endif
