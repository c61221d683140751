#include "tiles/point_file.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <span>
#include <utility>

#include "burnish/error.hpp"
#include "core/operating_system.hpp"
#include "io/block_writer.hpp"

namespace burnish::tiles {
namespace {

static_assert(std::endian::native == std::endian::little);

struct Head {
  char magic[16];
  std::uint64_t run;
  std::uint64_t count;
  std::uint32_t block_size;
  std::uint32_t checksum;  ///< of all above and of the table
};
static_assert(sizeof(Head) == 40);

constexpr char magic[16] = "burnish tile 1\n";  // the last but one is the version

std::uint32_t checksum_of(const void* data, std::size_t bytes, std::uint32_t start = 0) {
  return static_cast<std::uint32_t>(::crc32_z(start, static_cast<const unsigned char*>(data), bytes));
}

std::uint32_t checksum_of(const Head& head, const std::vector<Block>& blocks) {
  const std::uint32_t of_head = checksum_of(&head, offsetof(Head, checksum));
  return checksum_of(blocks.data(), blocks.size() * sizeof(Block), of_head);
}

Block block_of(std::span<const Record> records, double spacing) {
  Block block{};
  Eigen::AlignedBox3d box;
  block.first_row = records.front().row;
  block.last_row = records.front().row;
  for (const Record& record : records) {
    box.extend(record.point());
    block.first_row = std::min(block.first_row, record.row);
    block.last_row = std::max(block.last_row, record.row);
  }
  for (const int axis : {0, 1, 2}) {
    block.low[axis] = box.min()[axis];
    block.high[axis] = box.max()[axis];
  }
  block.spacing = spacing;
  block.count = static_cast<std::uint32_t>(records.size());
  block.checksum = checksum_of(records.data(), records.size_bytes());
  return block;
}

}  // namespace

void write_point_file(const std::filesystem::path& path, std::uint64_t run, const std::vector<Record>& records,
                      const std::vector<double>& spacings) {
  std::vector<Block> blocks;
  for (std::size_t begin = 0; begin < records.size(); begin += block_size) {
    const std::size_t count = std::min(block_size, records.size() - begin);
    const double spacing = spacings.empty() ? 0.0 : spacings[blocks.size()];
    blocks.push_back(block_of(std::span(records).subspan(begin, count), spacing));
  }
  Head head{};
  std::memcpy(head.magic, magic, sizeof magic);
  head.run = run;
  head.count = records.size();
  head.block_size = block_size;
  head.checksum = checksum_of(head, blocks);
  const ExecutionContext silent;
  io::BlockWriter file(path, silent);
  const auto append = [&](const void* data, std::size_t bytes) {
    file.append({static_cast<const char*>(data), bytes});
  };
  append(&head, sizeof head);
  append(blocks.data(), blocks.size() * sizeof(Block));
  append(records.data(), records.size() * sizeof(Record));
  file.finish();
}

PointFile::PointFile(std::filesystem::path path, std::uint64_t run) : path_(std::move(path)) {
  file_ = system::open_to_read(path_);
  if (file_ < 0) {
    throw Error(fmt::format("{}: cannot be read: {}", path_.string(), std::strerror(errno)));
  }
  try {
    system::FileFacts facts;
    if (system::find_facts(file_, facts) != 0 || facts.kind != system::FileKind::regular) {
      fail_damaged("it is not a regular file");
    }
    const std::uint64_t size = facts.size;
    Head head{};
    if (size < sizeof head) {
      fail_damaged("it is too short");
    }
    read_bytes(0, &head, sizeof head);
    if (std::memcmp(head.magic, magic, sizeof magic) != 0) {
      fail_damaged("it was not written by this version of burnish");
    }
    if (head.run != run) {
      fail_damaged("it belongs to another run");
    }
    // Counts in the header are checked against the size of the file before they are used.
    const std::uint64_t blocks = head.count / block_size + (head.count % block_size > 0 ? 1 : 0);
    if (head.block_size != block_size || head.count > size / sizeof(Record) ||
        size != sizeof head + blocks * sizeof(Block) + head.count * sizeof(Record)) {
      fail_damaged("its size differs from that in its header");
    }
    count_ = head.count;
    blocks_.resize(blocks);
    read_bytes(sizeof head, blocks_.data(), blocks * sizeof(Block));
    if (checksum_of(head, blocks_) != head.checksum) {
      fail_damaged("its checksum is wrong");
    }
    for (std::size_t b = 0; b < blocks; ++b) {
      if (blocks_[b].count != std::min<std::uint64_t>(block_size, count_ - b * block_size)) {
        fail_damaged("its blocks have the wrong size");
      }
    }
  } catch (...) {
    system::close_file(file_);
    throw;
  }
}

PointFile::~PointFile() { system::close_file(file_); }

Eigen::AlignedBox3d PointFile::box() const {
  Eigen::AlignedBox3d box;
  for (const Block& block : blocks_) {
    box.extend(block.box());
  }
  return box;
}

void PointFile::read(std::size_t block, std::vector<Record>& records) const {
  const std::size_t before = records.size();
  const std::size_t count = blocks_[block].count;
  records.resize(before + count);
  const std::uint64_t start = sizeof(Head) + blocks_.size() * sizeof(Block) + block * block_size * sizeof(Record);
  read_bytes(start, records.data() + before, count * sizeof(Record));
  if (checksum_of(records.data() + before, count * sizeof(Record)) != blocks_[block].checksum) {
    fail_damaged("its checksum is wrong");
  }
}

std::vector<Record> PointFile::read_all() const {
  std::vector<Record> records;
  records.reserve(count_);
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    read(b, records);
  }
  return records;
}

void PointFile::read_bytes(std::uint64_t offset, void* target, std::size_t bytes) const {
  char* const data = static_cast<char*>(target);
  for (std::size_t done = 0; done < bytes;) {
    const std::ptrdiff_t got = system::read_file_at(file_, data + done, bytes - done, offset + done);
    if (got < 0) {
      throw Error(fmt::format("{}: cannot be read: {}", path_.string(), std::strerror(errno)));
    }
    if (got == 0) {
      fail_damaged("it ends too early");
    }
    done += static_cast<std::size_t>(got);
  }
}

void PointFile::fail_damaged(const std::string& how) const {
  throw Error(fmt::format("{}: cannot be used: {}", path_.string(), how));
}

}  // namespace burnish::tiles
