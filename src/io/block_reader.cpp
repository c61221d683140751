#include "io/block_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/operating_system.hpp"

namespace burnish::io {
namespace {

// Small enough for a block and the columns decoded from it to stay in the cache, large enough to make the cost of a
// system call vanish.
constexpr std::size_t block_size = std::size_t{256} << 10;

}  // namespace

BlockReader::BlockReader(std::filesystem::path path, const ExecutionContext& context)
    : path_(std::move(path)), context_(context), buffer_(block_size) {
  file_ = system::open_to_read(path_);
  if (file_ < 0) {
    const int reason = errno;
    fail(reason == ENOENT ? "there is no such file" : fmt::format("cannot be read: {}", std::strerror(reason)),
         error_kind(reason));
  }
  try {
    system::FileFacts facts;
    if (system::find_facts(file_, facts) != 0) {
      fail(fmt::format("cannot be read: {}", std::strerror(errno)));
    }
    if (facts.kind == system::FileKind::folder) {
      fail("is a folder, not a file", ErrorKind::is_directory);
    }
    if (facts.kind != system::FileKind::regular) {
      fail("is not a regular file");
    }
    if (facts.size == 0) {
      fail("the file is empty");
    }
    size_ = facts.size;
  } catch (...) {
    system::close_file(file_);
    throw;
  }
}

BlockReader::BlockReader(std::filesystem::path name, std::vector<char> content, const ExecutionContext& context)
    : path_(std::move(name)),
      context_(context),
      size_(content.size()),
      read_(content.size()),
      buffer_(std::move(content)),
      end_(buffer_.size()) {
  if (size_ == 0) {
    fail("the file is empty");
  }
}

BlockReader::~BlockReader() {
  if (file_ >= 0) {
    system::close_file(file_);
  }
}

std::string_view BlockReader::fill(std::size_t wanted) {
  if (end_ - begin_ < wanted && file_ >= 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    if (buffer_.size() < wanted) {
      buffer_.resize(wanted);
    }
    while (end_ < wanted) {
      context_.report("reading", static_cast<double>(std::min(read_, size_)) / static_cast<double>(size_));
      const std::ptrdiff_t got = system::read_file(file_, buffer_.data() + end_, buffer_.size() - end_);
      if (got < 0) {
        fail(fmt::format("cannot be read after byte {}: {}", read_, std::strerror(errno)));
      }
      if (got == 0) {
        break;
      }
      end_ += static_cast<std::size_t>(got);
      read_ += static_cast<std::uint64_t>(got);
    }
  }
  return {buffer_.data() + begin_, end_ - begin_};
}

void BlockReader::seek(std::uint64_t offset) {
  if (file_ < 0) {
    begin_ = static_cast<std::size_t>(std::min(offset, size_));
    return;
  }
  if (offset <= read_ && offset >= read_ - end_) {
    begin_ = static_cast<std::size_t>(offset - (read_ - end_));  // buffered: small steps cost nothing
    return;
  }
  if (system::seek_in_file(file_, offset) < 0) {
    fail(fmt::format("cannot be read at byte {}: {}", offset, std::strerror(errno)));
  }
  begin_ = end_ = 0;
  read_ = offset;
}

void BlockReader::fail(std::string_view message, ErrorKind kind) const {
  throw Error(fmt::format("{}: {}", path_.string(), message), kind);
}

std::string excerpt(std::string_view content) {
  constexpr std::size_t longest = 40;
  std::string text = "\"";
  for (const char c : content.substr(0, longest)) {
    text += c >= ' ' && c <= '~' ? c : '?';
  }
  return text + (content.size() > longest ? "…\"" : "\"");
}

}  // namespace burnish::io
