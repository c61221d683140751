// Makes one call of a program fail, to see what it does then. To be loaded before all other libraries:
//   LD_PRELOAD=libburnish_faults.so BURNISH_FAULT=write:3 BURNISH_FAULT_MARK=mark burnish …
// lets the third write from main on fail, and puts a file at the mark if there was a third one. Processes that the
// program forks are counted with it. Calls are write, fsync, rename, open, read, memory; half lets the n-th write take
// only half of the bytes, which is no failure.

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}

namespace {

std::atomic<long>* calls_left = nullptr;  // shared with forked processes; 0: nothing is to fail, or has failed already
char failing_call[16] = "";

void read_settings() {
  const char* const fault = std::getenv("BURNISH_FAULT");
  const char* const colon = fault != nullptr ? std::strchr(fault, ':') : nullptr;
  if (colon == nullptr || static_cast<std::size_t>(colon - fault) >= sizeof failing_call) {
    return;
  }
  std::memcpy(failing_call, fault, static_cast<std::size_t>(colon - fault));
  void* const shared =
      ::mmap(nullptr, sizeof(std::atomic<long>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared != MAP_FAILED) {
    calls_left = new (shared) std::atomic<long>(std::atol(colon + 1));
  }
}

void leave_mark() {
  if (const char* const mark = std::getenv("BURNISH_FAULT_MARK")) {
    const long file = ::syscall(SYS_openat, AT_FDCWD, mark, O_WRONLY | O_CREAT, 0666);
    ::syscall(SYS_close, file);
  }
}

/// Whether this is the call that is to fail.
bool is_hit(const char* call) {
  if (calls_left == nullptr || calls_left->load() == 0 || std::strcmp(call, failing_call) != 0 ||
      calls_left->fetch_sub(1) != 1) {
    return false;
  }
  leave_mark();
  return true;
}

template <class Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

using Main = int (*)(int, char**, char**);
Main real_main = nullptr;

int armed_main(int argc, char** argv, char** environment) {
  read_settings();
  return real_main(argc, argv, environment);
}

mode_t mode_of(int flags, va_list arguments) { return (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0; }

}  // namespace

extern "C" {

// What happens before main is the libraries' own business.
int __libc_start_main(Main main, int argc, char** argv, void (*init)(), void (*fini)(), void (*end)(), void* stack) {
  real_main = main;
  using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
  return real<Start>("__libc_start_main")(armed_main, argc, argv, init, fini, end, stack);
}

ssize_t write(int file, const void* bytes, size_t count) {
  if (file != STDERR_FILENO && is_hit("write")) {
    errno = ENOSPC;
    return -1;
  }
  if (file != STDERR_FILENO && count > 1 && is_hit("half")) {
    count /= 2;
  }
  return ::syscall(SYS_write, file, bytes, count);
}

ssize_t read(int file, void* bytes, size_t count) {
  if (is_hit("read")) {
    errno = EIO;
    return -1;
  }
  return ::syscall(SYS_read, file, bytes, count);
}

int fsync(int file) {
  if (is_hit("fsync")) {
    errno = EIO;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_fsync, file));
}

int rename(const char* from, const char* to) {
  if (is_hit("rename")) {
    errno = EACCES;
    return -1;
  }
  return real<int (*)(const char*, const char*)>("rename")(from, to);
}

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  if (is_hit("open")) {
    errno = EMFILE;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}

FILE* fopen(const char* path, const char* mode) {
  if (is_hit("open")) {
    errno = EMFILE;
    return nullptr;
  }
  return real<FILE* (*)(const char*, const char*)>("fopen")(path, mode);
}

FILE* fopen64(const char* path, const char* mode) { return fopen(path, mode); }

void* malloc(size_t size) {
  if (is_hit("memory")) {
    errno = ENOMEM;
    return nullptr;
  }
  return __libc_malloc(size);
}

void* calloc(size_t count, size_t size) {
  if (is_hit("memory")) {
    errno = ENOMEM;
    return nullptr;
  }
  return __libc_calloc(count, size);
}

void* realloc(void* memory, size_t size) {
  if (is_hit("memory")) {
    errno = ENOMEM;
    return nullptr;
  }
  return __libc_realloc(memory, size);
}

void* aligned_alloc(size_t alignment, size_t size) {
  if (is_hit("memory")) {
    errno = ENOMEM;
    return nullptr;
  }
  return __libc_memalign(alignment, size);
}

int posix_memalign(void** memory, size_t alignment, size_t size) {
  *memory = aligned_alloc(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}
}
