#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

/// Calls that differ between operating systems: file descriptors, memory, processes. They are in operating_system.cpp
/// for Linux and macOS and in operating_system_windows.cpp; the rest of the library is standard C++.
///
/// Negative file descriptors and results mean failure, with the reason in errno. Interrupted calls are repeated.
namespace burnish::system {

/// Does not block on a named pipe without a writer.
[[nodiscard]] int open_to_read(const std::filesystem::path& path);

/// Creates a file; fails with EEXIST if it exists.
[[nodiscard]] int create_file(const std::filesystem::path& path);

/// An empty file for writing and reading.
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

/// Returns when the written data is on the disk.
[[nodiscard]] int sync_file(int file);

[[nodiscard]] std::uint64_t process_number();

/// Physical memory of the machine in bytes; 0 if unknown.
[[nodiscard]] std::uint64_t physical_memory();

/// Returns free memory to the system that the C library would keep: after the tiles of a run, half of what they used.
void return_free_memory();

}  // namespace burnish::system
