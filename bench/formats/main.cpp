#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <sstream>
#include <string>

#include "burnish/io.hpp"
#include "io/las_records.hpp"
#include "io/las_start.hpp"
#include "io/laz_write.hpp"

// Seconds of processor time that reading and writing a LAZ or E57 file takes on a number of threads, as a JSON object:
// burnish_formats FILE THREADS. "decode" and "encode" are from and to point records, which is what other programs'
// libraries do; "read" and "write" from and to a cloud. "decode_wall" and "encode_wall" are seconds that passed.

namespace burnish {
namespace {

struct Seconds {
  double of_processor = 1e300;
  double wall = 1e300;
};

/// The best of three: other programs may be running.
template <class Work>
Seconds measure(const Work& work) {
  Seconds best;
  for (int turn = 0; turn < 3; ++turn) {
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t start_of_processor = std::clock();
    work();
    best.of_processor =
        std::min(best.of_processor, static_cast<double>(std::clock() - start_of_processor) / CLOCKS_PER_SEC);
    best.wall = std::min(best.wall, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

void time_laz(const std::string& path, const ExecutionContext& context) {
  io::BlockReader file(path, context);
  const io::LasStart start = io::read_las_start(file);
  const io::LazLayout& layout = *start.compressed;
  std::string records;
  const Seconds decode = measure([&] {
    const auto reader =
        io::laz_records(file, layout, io::find_laz_chunks(file, layout, start.points_offset, start.points));
    records.clear();
    records.reserve(start.points * layout.size());
    for (std::uint64_t left = start.points; left > 0;) {
      const std::string_view some = reader->next(left);
      records += some;
      left -= some.size() / layout.size();
    }
  });
  const Seconds encode = measure([&] {
    std::ostringstream stream;
    io::BlockWriter out(stream, "a.laz", context);
    io::LazWriter writer(out, io::laz_layout_for(layout.format, layout.size()));
    constexpr std::size_t at_once = 4096;
    for (std::size_t row = 0; row < start.points; row += at_once) {
      const std::size_t count = std::min<std::size_t>(at_once, start.points - row);
      records.copy(writer.room(count), count * layout.size(), row * layout.size());
    }
    static_cast<void>(writer.finish());
  });
  fmt::print("\"decode\": {}, \"decode_wall\": {}, \"encode\": {}, \"encode_wall\": {}, ", decode.of_processor,
             decode.wall, encode.of_processor, encode.wall);
}

void time_file(const std::string& path, int threads) {
  ExecutionContext context;
  context.threads = threads;
  fmt::print("{{");
  if (path.ends_with(".laz")) {
    time_laz(path, context);
  }
  PointCloud cloud;
  const Seconds read_time = measure([&] { cloud = read(path, context); });
  const Seconds write_time = measure([&] {
    std::ostringstream stream;
    write(stream, path, cloud, context);
  });
  fmt::print("\"points\": {}, \"read\": {}, \"write\": {}}}\n", cloud.size(), read_time.of_processor,
             write_time.of_processor);
}

}  // namespace
}  // namespace burnish

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "burnish_formats FILE THREADS\n");
    return 2;
  }
  burnish::time_file(argv[1], std::stoi(argv[2]));
  return 0;
}
