#include <algorithm>
#include <array>
#include <cstring>
#include <sstream>
#include <utility>

#include "burnish/io.hpp"
#include "burnish/mesh.hpp"
#include "fuzz.hpp"
#include "io/crc32c.hpp"
#include "io/formats.hpp"
#include "io/many_lines.hpp"

namespace burnish::fuzz {
namespace {

void check_rows(const std::vector<Column>& columns, std::size_t rows) {
  for (const Column& column : columns) {
    demand(column.rows() == rows, "a column has a value for each row");
    if (column.is_list) {
      const std::size_t values = std::visit([](const auto& all) { return all.size(); }, column.values);
      demand(column.list_ends.empty() ? values == 0 : column.list_ends.back() == values, "a list ends with its values");
    }
  }
}

void check_cloud(const PointCloud& cloud) {
  check_rows(cloud.attributes, cloud.size());
  for (const Table& table : cloud.tables) {
    check_rows(table.columns, table.rows);
  }
  demand(cloud.height == 0 || cloud.width * cloud.height == cloud.size(), "rows of points hold all points");
}

/// What was read can be written in a format, here one that the content chooses, and read again: the same points.
void write_and_read(PointCloud cloud, unsigned choice) {
  constexpr auto endings = std::to_array<const char*>({"a.ply", "a.pcd", "a.las", "a.laz", "a.e57", "a.xyz", "a.csv",
                                                       "a.pts", "a.npy", "a.bin", "a.obj", "a.off", "a.copc.laz"});
  const std::string name = endings[choice % endings.size()];
  static_cast<void>(fit_to_format(name, cloud));
  std::stringstream stream;
  try {
    write(stream, name, cloud);
  } catch (const Error&) {
    return;  // coordinates that LAS cannot hold, columns without names
  }
  PointCloud again;
  try {
    again = read(stream, name);
  } catch (const Error& error) {
    // Formats without a mark of their own: what is in the points can look like something else, or like nothing.
    const bool has_mark = name == "a.ply" || name == "a.pcd" || name == "a.las" || name == "a.laz" || name == "a.e57" ||
                          name == "a.npy" || name == "a.off" || name == "a.copc.laz";
    demand(!has_mark, name + ", as written, can be read: " + error.what());
    return;
  }
  check_cloud(again);
}

template <PointCloud (*read_format)(io::BlockReader&)>
void read_one(Bytes bytes) {
  const MemoryFile file(bytes);
  try {
    const ExecutionContext context;
    io::BlockReader reader(file.path(), context);
    PointCloud cloud = read_format(reader);
    check_cloud(cloud);
    try {
      static_cast<void>(mesh_of(cloud));
    } catch (const Error&) {
    }
    write_and_read(std::move(cloud), bytes.back());
  } catch (const Error&) {
  }
}

/// All that a file says, or why it cannot be read.
std::string outcome_of(const MemoryFile& file, PointCloud (*read_format)(io::BlockReader&)) {
  try {
    const ExecutionContext context;
    io::BlockReader reader(file.path(), context);
    PointCloud cloud = read_format(reader);
    static_cast<void>(fit_to_format("a.ply", cloud));
    std::stringstream stream;
    write(stream, "a.ply", cloud);
    return stream.str();
  } catch (const Error& error) {
    return error.what();
  }
}

/// Lines are read many at a time, or one by one, with the same result.
template <PointCloud (*read_format)(io::BlockReader&)>
void read_lines(Bytes bytes) {
  read_one<read_format>(bytes);
  const MemoryFile file(bytes);
  const std::string one_by_one = outcome_of(file, read_format);
  const std::size_t usual = std::exchange(io::ManyLines::piece_size, 40);
  demand(outcome_of(file, read_format) == one_by_one, "many lines are read as a few are");
  io::ManyLines::piece_size = usual;
}

/// Damage behind a wrong checksum would never be met: here the checksums and the length fit the content.
void read_e57_content(Bytes bytes) {
  constexpr std::size_t page_content = 1020;
  constexpr std::size_t page_size = 1024;
  std::string file(bytes.begin(), bytes.end());
  file.resize(std::max<std::size_t>(1, (file.size() + page_size - 1) / page_size) * page_size, '\0');
  const std::uint64_t length = file.size();
  std::memcpy(file.data() + 16, &length, sizeof length);
  for (std::size_t page = 0; page < file.size(); page += page_size) {
    const std::uint32_t crc = io::crc32c(std::string_view(file).substr(page, page_content));
    for (std::size_t i = 0; i < 4; ++i) {
      file[page + page_content + i] = static_cast<char>(crc >> (24 - 8 * i));
    }
  }
  read_one<io::read_e57>({reinterpret_cast<const std::uint8_t*>(file.data()), file.size()});
}

/// A box of a COPC file and some of its levels.
PointCloud read_copc(io::BlockReader& file) {
  Selection selection;
  selection.low = {-1, -1, -1};
  selection.high = {1e6, 1e6, 1e6};
  selection.spacing = 0.01;
  static_cast<void>(levels_of(file.path()));
  return read(file.path(), selection);
}

PointCloud read_any(io::BlockReader& file) { return read(file.path()); }

}  // namespace

std::vector<Target> reader_targets() {
  return {{"any", read_one<read_any>},         {"ply", read_lines<io::read_ply>}, {"pcd", read_one<io::read_pcd>},
          {"las", read_one<io::read_las>},     {"npy", read_one<io::read_npy>},   {"npz", read_one<io::read_npz>},
          {"kitti", read_one<io::read_kitti>}, {"obj", read_one<io::read_obj>},   {"off", read_one<io::read_off>},
          {"stl", read_one<io::read_stl>},     {"pts", read_one<io::read_pts>},   {"ptx", read_one<io::read_ptx>},
          {"e57", read_one<io::read_e57>},     {"e57_content", read_e57_content}, {"copc", read_one<read_copc>},
          {"text", read_lines<io::read_text>}};
}

}  // namespace burnish::fuzz
