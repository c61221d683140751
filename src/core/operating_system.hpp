#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

/// What operating systems call differently: files by number, memory, processes. All of it is in operating_system.cpp
/// for Linux and macOS and in operating_system_windows.cpp; the rest of the library is standard C++.
///
/// Numbers of files and results below zero mean that it failed, for the reason in errno. What is interrupted goes on.
namespace burnish::system {

/// Does not wait where a named pipe has no writer.
[[nodiscard]] int open_to_read(const std::filesystem::path& path);

/// Makes a file; fails with EEXIST where there is one.
[[nodiscard]] int create_file(const std::filesystem::path& path);

/// A file to write and read again, empty.
[[nodiscard]] int open_scratch_file(const std::filesystem::path& path);

int close_file(int file);

enum class FileKind { regular, folder, other };

struct FileFacts {
  FileKind kind = FileKind::other;
  std::uint64_t size = 0;
};

[[nodiscard]] int find_facts(int file, FileFacts& facts);

/// At most `count` bytes, none at the end of the file.
[[nodiscard]] std::ptrdiff_t read_file(int file, void* bytes, std::size_t count);
[[nodiscard]] std::ptrdiff_t read_file_at(int file, void* bytes, std::size_t count, std::uint64_t offset);

/// At most `count` bytes.
[[nodiscard]] std::ptrdiff_t write_file(int file, const void* bytes, std::size_t count);
[[nodiscard]] std::ptrdiff_t write_file_at(int file, const void* bytes, std::size_t count, std::uint64_t offset);

[[nodiscard]] int seek_in_file(int file, std::uint64_t offset);

/// Returns when what was written is on the disk.
[[nodiscard]] int sync_file(int file);

[[nodiscard]] std::uint64_t process_number();

/// Bytes that the machine has; 0 if that is unknown.
[[nodiscard]] std::uint64_t physical_memory();

/// Gives the system back what is free, where the C library keeps it: after tiles half of what they took, beside what
/// comes next.
void return_free_memory();

}  // namespace burnish::system
