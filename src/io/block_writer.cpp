#include "io/block_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ostream>
#include <system_error>

#include "core/operating_system.hpp"

namespace burnish::io {

std::filesystem::path file_to_write(const std::filesystem::path& path) {
  std::error_code ignored;
  std::filesystem::path target = path;
  if (std::filesystem::is_symlink(path, ignored)) {
    target = std::filesystem::weakly_canonical(path, ignored);  // write what the link points to, keep the link
  }
  if (!target.has_parent_path()) {
    target = "." / target;
  }
  std::error_code why_not;
  if (!std::filesystem::is_directory(target.parent_path(), why_not)) {
    if (why_not == std::errc::permission_denied) {  // of a folder on the way there
      throw Error(fmt::format("{}: cannot be written: {}", path.string(), why_not.message()),
                  ErrorKind::permission_denied);
    }
    throw Error(
        fmt::format("{}: cannot be written: there is no folder {}", path.string(), target.parent_path().string()),
        ErrorKind::not_found);
  }
  if (std::filesystem::is_directory(target, ignored)) {
    throw Error(fmt::format("{}: cannot be written: it is a folder", path.string()), ErrorKind::is_directory);
  }
  return target;
}

BlockWriter::BlockWriter(const std::filesystem::path& path, const ExecutionContext& context)
    : path_(path), target_(file_to_write(path)), context_(context), buffer_(block_size) {
  for (int attempt = 0; file_ < 0; ++attempt) {
    temporary_ = target_.parent_path() / fmt::format(".burnish-{}-{}.part", system::process_number(), attempt);
    file_ = system::create_file(temporary_);
    if (file_ < 0 && errno != EEXIST) {
      fail(fmt::format("cannot be written: {}", std::strerror(errno)), error_kind(errno));
    }
  }
}

BlockWriter::BlockWriter(std::ostream& stream, const std::filesystem::path& name, const ExecutionContext& context)
    : path_(name), context_(context), stream_(&stream), buffer_(block_size) {}

BlockWriter::~BlockWriter() {
  if (file_ >= 0) {
    system::close_file(file_);
  }
  if (!temporary_.empty()) {
    std::error_code ignored;
    std::filesystem::remove(temporary_, ignored);
  }
}

void BlockWriter::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t part = std::min(bytes.size(), block_size);
    std::memcpy(room(part), bytes.data(), part);
    take(part);
    bytes.remove_prefix(part);
  }
}

void BlockWriter::make_room(std::size_t count) {
  flush();
  if (buffer_.size() < count) {
    buffer_.resize(count);
  }
}

void BlockWriter::flush() {
  context_.report("writing", rows_expected_ == 0 ? 0. : double(rows_done_) / double(rows_expected_));
  flushed_ += used_;
  if (stream_ != nullptr) {
    for_stream_.insert(for_stream_.end(), buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(used_));
    used_ = 0;
  }
  for (std::size_t written = 0; written < used_;) {
    const std::ptrdiff_t count = system::write_file(file_, buffer_.data() + written, used_ - written);
    if (count < 0) {
      fail(fmt::format("cannot be written: {}", std::strerror(errno)), error_kind(errno));
    }
    written += static_cast<std::size_t>(count);
  }
  used_ = 0;
}

void BlockWriter::overwrite_start(std::string_view bytes) {
  flush();
  if (stream_ != nullptr) {
    std::ranges::copy(bytes, for_stream_.begin());
    return;
  }
  for (std::size_t written = 0; written < bytes.size();) {
    const std::ptrdiff_t count = system::write_file_at(file_, bytes.data() + written, bytes.size() - written, written);
    if (count < 0) {
      fail(fmt::format("cannot be written: {}", std::strerror(errno)), error_kind(errno));
    }
    written += static_cast<std::size_t>(count);
  }
}

void BlockWriter::finish() {
  flush();
  context_.report("writing", 1);
  if (stream_ != nullptr) {
    errno = 0;
    if (!stream_->write(for_stream_.data(), static_cast<std::streamsize>(for_stream_.size())).flush()) {
      const int reason = errno;  // some streams set it
      fail(reason == 0 ? "cannot be written" : fmt::format("cannot be written: {}", std::strerror(reason)));
    }
    return;
  }
  // The bytes must be on the disk before the name is: a machine that stops in between must not find an empty file
  // where a good one was. Some file systems report a full disk only here.
  const bool synced = system::sync_file(file_) == 0;
  const int sync_error = errno;
  const bool closed = system::close_file(file_) == 0;
  file_ = -1;
  if (!synced || !closed) {
    fail(fmt::format("cannot be written: {}", std::strerror(synced ? errno : sync_error)));
  }
  std::error_code error;
  std::filesystem::rename(temporary_, target_, error);
  if (error) {
    fail(fmt::format("cannot be written: {}", error.message()));
  }
  temporary_.clear();
}

void BlockWriter::fail(std::string_view message, ErrorKind kind) const {
  throw Error(fmt::format("{}: {}", path_.string(), message), kind);
}

}  // namespace burnish::io
