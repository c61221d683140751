#include "tiles/scratch.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <string_view>

#include "burnish/error.hpp"
#include "burnish/io.hpp"
#include "fuzz.hpp"
#include "tiles/stitching.hpp"
#include "tiles/tile_method.hpp"
#include "tiles/tile_work.hpp"

// The scratch folder of tiles. Checksums are made right first: they are against accidents, and what is behind them must
// hold out against more than that.

namespace burnish::fuzz {
namespace {

namespace fs = std::filesystem;

/// A folder of this process, in memory where there is such a place: files in scratch folders are synced.
class Folder {
 public:
  Folder()
      : path_((fs::is_directory("/dev/shm") ? fs::path("/dev/shm") : fs::temp_directory_path()) /
              fmt::format("burnish-fuzz-{}", ::getpid())) {
    fs::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

const fs::path& folder() {
  static const Folder made;
  return made.path();
}

void write_bytes(const fs::path& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary);
  demand(static_cast<bool>(file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()))), "a file is written");
}

std::uint32_t checksum_of(const std::string& bytes, std::size_t begin, std::size_t end) {
  return static_cast<std::uint32_t>(
      ::crc32_z(0, reinterpret_cast<const unsigned char*>(bytes.data()) + begin, end - begin));
}

template <class T>
void put(std::string& bytes, std::size_t place, T value) {
  std::memcpy(bytes.data() + place, &value, sizeof value);
}

/// A file of one block that is refused for nothing its head or its checksums say. The rest is unchanged: rows,
/// points, boxes and spacings.
std::string mended(Bytes bytes, std::uint64_t run) {
  constexpr std::size_t head = 40;
  constexpr std::size_t head_checksum = 36;
  constexpr std::size_t records = head + sizeof(tiles::Block);
  const std::size_t count =
      std::min(bytes.size() < records ? 0 : (bytes.size() - records) / sizeof(tiles::Record), tiles::block_size);
  std::string file(bytes.begin(), bytes.end());
  file.resize(count == 0 ? head : records + count * sizeof(tiles::Record));
  std::memcpy(file.data(), "burnish tile 1\n", 16);
  put(file, 16, run);
  put(file, 24, std::uint64_t{count});
  put(file, 32, static_cast<std::uint32_t>(tiles::block_size));
  if (count > 0) {
    put(file, head + offsetof(tiles::Block, count), static_cast<std::uint32_t>(count));
    put(file, head + offsetof(tiles::Block, checksum), checksum_of(file, records, file.size()));
  }
  const std::string checked = file.substr(0, head_checksum) + file.substr(head, count == 0 ? 0 : records - head);
  put(file, head_checksum, checksum_of(checked, 0, checked.size()));
  return file;
}

}  // namespace

void run_tile(Bytes bytes) {
  static const PointCloud cloud = [] {
    PointCloud made;
    for (int i = 0; i < 50; ++i) {
      made.positions.emplace_back(i % 7, i / 7, 0.1 * (i % 3));
    }
    write(folder() / "in.ply", made);
    return made;
  }();
  tiles::TilingPlan plan;
  plan.points = cloud.size();
  plan.most_points = 1000;
  const std::string file = mended(bytes, plan.run());
  const tiles::TileMethod method{1.0, 10.0,
                                 [](std::span<const Vec3> points, std::span<const Vec3>, const ExecutionContext&) {
                                   return std::vector<Vec3>(points.begin(), points.end());
                                 }};
  ExecutionContext context;
  context.threads = 1;
  for (const std::string_view content :
       {std::string_view(file), std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size())}) {
    for (const std::size_t t : {0, 1}) {
      write_bytes(tiles::tile_file(folder(), t), content);
    }
    try {
      const tiles::PointFile opened(tiles::tile_file(folder(), 0), plan.run());
      demand(opened.read_all().size() == opened.count(), "a file has as many records as it says");
      plan.tiles.assign(2, {opened.count(), opened.box(), 0.1});
      for (const std::size_t t : {0, 1}) {
        tiles::work_on_tile(folder(), plan, t, method, context);
      }
      static_cast<void>(tiles::stitch(folder(), plan, folder() / "in.ply", folder() / "out.ply", 1 << 20, context));
      const PointCloud result = read(folder() / "out.ply");
      demand(result.size() == cloud.size(), "the result has as many points as the input");
      demand(std::ranges::all_of(result.positions, [](const Vec3& p) { return p.allFinite(); }), "they are finite");
    } catch (const Error&) {
    }
  }
}

void run_plan(Bytes bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::uint64_t checksum =
      (std::uint64_t{::crc32_z(0, bytes.data(), bytes.size())} << 32U) | ::adler32_z(1, bytes.data(), bytes.size());
  write_bytes(folder() / "plan.json", fmt::format("{:016x}\n{}\n", checksum, text));
  ExecutionContext context;
  context.threads = 1;
  try {
    tiles::TilingPlan plan = tiles::read_plan(folder());
    const tiles::TileMethod method = tiles::method_of(plan);
    demand(tiles::find_results(folder(), plan, context).size() == plan.tiles.size(), "every tile is looked for");
    std::vector<tiles::Record> records(200);
    for (std::size_t i = 0; i < records.size(); ++i) {
      records[i].row = i;
      records[i].position[0] = static_cast<double>(i % 15);
      records[i].position[1] = static_cast<double>(i / 15);
      records[i].position[2] = 0.1 * static_cast<double>(i % 3);
    }
    tiles::write_point_file(tiles::tile_file(folder(), 0), plan.run(), records, {});
    plan.tiles.resize(1);
    tiles::work_on_tile(folder(), plan, 0, method, context);
  } catch (const Error&) {
  }
}

}  // namespace burnish::fuzz
