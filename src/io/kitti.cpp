#include <fmt/format.h>

#include <vector>

#include "io/convert_column.hpp"
#include "io/formats.hpp"
#include "io/records.hpp"

// A scan of the KITTI data set: four floats per point, x, y, z and the strength of the echo, and no header at all.

namespace burnish::io {
namespace {

std::vector<RecordField> kitti_fields() {
  return {{"x", ScalarType::float32, 0, 1, 0},
          {"y", ScalarType::float32, 4, 1, 1},
          {"z", ScalarType::float32, 8, 1, 2},
          {"intensity", ScalarType::float32, 12, 1, 3}};
}

}  // namespace

PointCloud read_kitti(BlockReader& file) {
  constexpr std::size_t record_size = 16;
  if (file.size() % record_size != 0) {
    file.fail(fmt::format("is read as a KITTI scan because of its ending, but has {} bytes, no multiple of {}",
                          file.size(), record_size));
  }
  PointCloud cloud;
  cloud.position_type = ScalarType::float32;
  std::vector<RecordField> fields = kitti_fields();
  make_columns(fields, file.size() / record_size, cloud);
  read_records(file, fields, record_size, false, cloud);
  return cloud;
}

void write_kitti(BlockWriter& file, const PointCloud& cloud) {
  PointCloud points;
  points.positions = cloud.positions;
  points.position_type = ScalarType::float32;
  const Column* const intensity = cloud.find_attribute("intensity");
  if (intensity != nullptr && !intensity->is_list && can_convert(*intensity, ScalarType::float32, 0)) {
    points.attributes.push_back(convert(*intensity, ScalarType::float32));
  } else {
    points.attributes.push_back(make_column("intensity", ScalarType::float32, 1, cloud.size()));
  }
  check_record_columns(file, "a KITTI scan", points);
  file.expect_rows(cloud.size());
  write_records(file, kitti_fields(), points);
}

}  // namespace burnish::io
