#include "core/operating_system.hpp"

#ifdef _WIN32
#ifndef NOMINMAX
#define NOMINMAX
#endif
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
// after windows.h
#include <fcntl.h>
#include <io.h>
#include <share.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <limits>

namespace burnish::system {
namespace {

int open_file(const std::filesystem::path& path, int flags) {
  int file = -1;
  return ::_wsopen_s(&file, path.c_str(), flags | _O_BINARY | _O_NOINHERIT, _SH_DENYNO, _S_IREAD | _S_IWRITE) == 0
             ? file
             : -1;
}

HANDLE handle_of(int file) { return reinterpret_cast<HANDLE>(::_get_osfhandle(file)); }

/// The calls of Windows count in 32 bits.
DWORD part_of(std::size_t count) {
  return static_cast<DWORD>(std::min<std::size_t>(count, std::numeric_limits<int>::max()));
}

OVERLAPPED place_of(std::uint64_t offset) {
  OVERLAPPED place{};
  place.Offset = static_cast<DWORD>(offset);
  place.OffsetHigh = static_cast<DWORD>(offset >> 32U);
  return place;
}

}  // namespace

int open_to_read(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    errno = EISDIR;
    return -1;
  }
  return open_file(path, _O_RDONLY);
}

int create_file(const std::filesystem::path& path) { return open_file(path, _O_WRONLY | _O_CREAT | _O_EXCL); }

int open_scratch_file(const std::filesystem::path& path) { return open_file(path, _O_RDWR | _O_CREAT | _O_TRUNC); }

int close_file(int file) { return ::_close(file); }

int find_facts(int file, FileFacts& facts) {
  struct _stat64 status {};
  if (::_fstat64(file, &status) != 0) {
    return -1;
  }
  facts.kind = (status.st_mode & _S_IFREG) != 0 ? FileKind::regular : FileKind::other;
  facts.size = static_cast<std::uint64_t>(status.st_size);
  return 0;
}

std::ptrdiff_t read_file(int file, void* bytes, std::size_t count) { return ::_read(file, bytes, part_of(count)); }

std::ptrdiff_t read_file_at(int file, void* bytes, std::size_t count, std::uint64_t offset) {
  OVERLAPPED place = place_of(offset);
  DWORD done = 0;
  if (::ReadFile(handle_of(file), bytes, part_of(count), &done, &place) == 0 && ::GetLastError() != ERROR_HANDLE_EOF) {
    errno = EIO;
    return -1;
  }
  return static_cast<std::ptrdiff_t>(done);
}

std::ptrdiff_t write_file(int file, const void* bytes, std::size_t count) {
  return ::_write(file, bytes, part_of(count));
}

std::ptrdiff_t write_file_at(int file, const void* bytes, std::size_t count, std::uint64_t offset) {
  OVERLAPPED place = place_of(offset);
  DWORD done = 0;
  if (::WriteFile(handle_of(file), bytes, part_of(count), &done, &place) == 0) {
    errno = ::GetLastError() == ERROR_DISK_FULL ? ENOSPC : EIO;
    return -1;
  }
  return static_cast<std::ptrdiff_t>(done);
}

int seek_in_file(int file, std::uint64_t offset) {
  return ::_lseeki64(file, static_cast<std::int64_t>(offset), SEEK_SET) < 0 ? -1 : 0;
}

int sync_file(int file) { return ::_commit(file); }

std::uint64_t process_number() { return ::GetCurrentProcessId(); }

std::uint64_t physical_memory() {
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof status;
  return ::GlobalMemoryStatusEx(&status) != 0 ? status.ullTotalPhys : 0;
}

void return_free_memory() {}

}  // namespace burnish::system
#endif
