#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "io/files.hpp"
#include "io/in_parts.hpp"
#include "io/las_file.hpp"

namespace burnish {
namespace {

/// Files of every kind that can be read in parts, with what makes that hard: lists, tables before and after the points,
/// types that only a late value shows, comments between points, a trailer.
class Parts : public ::testing::TestWithParam<std::string> {
 protected:
  static std::string text_rows(const std::string& separator, std::size_t rows) {
    std::string text;
    for (std::size_t i = 0; i < rows; ++i) {
      const std::string n = std::to_string(i);
      text += n + ".5" + separator + n + separator + "-" + n + separator;
      text += (i == rows - 1 ? "0.25" : n) + separator + (i == rows / 2 ? "\"a word\"" : n) + separator + n;
      text += i == 3 ? "\n# between\n" : "\n";
    }
    return text;
  }

  static PointCloud cloud() {
    PointCloud cloud;
    for (int i = 0; i < 100; ++i) {
      cloud.positions.emplace_back(0.25 * i, 3.0 - i, i % 7);
    }
    Column colour{"red", std::vector<std::uint8_t>(100), {}, {}, false};
    Column list{"list", std::vector<float>(), {}, {}, true};
    for (std::size_t i = 0; i < 100; ++i) {
      std::get<std::vector<std::uint8_t>>(colour.values)[i] = static_cast<std::uint8_t>(i);
      std::get<std::vector<float>>(list.values).resize(2 * (i + 1), static_cast<float>(i));
      list.list_ends.push_back(2 * (i + 1));
    }
    cloud.attributes = {colour, list};
    cloud.comments = {"one", "two"};
    return cloud;
  }

  std::filesystem::path make(const TempFolder& folder) const {
    const std::string kind = GetParam();
    if (kind == "text.xyz") {
      return folder.file(kind, "# x y z a b c\n" + text_rows(" ", 50));
    }
    if (kind == "text.csv") {
      return folder.file(kind, "x;y;z;a;b;c\n" + text_rows(";", 50));
    }
    if (kind == "ascii.ply") {
      std::string text = "ply\nformat ascii 1.0\ncomment c\nelement before 2\nproperty uchar b\nelement vertex 50\n";
      text += "property float x\nproperty float y\nproperty float z\nproperty list uchar int l\n";
      text += "element face 1\nproperty list uchar int vertex_indices\nend_header\n7\n8\n";
      for (int i = 0; i < 50; ++i) {
        const std::string n = std::to_string(i);
        text += n + " " + n + " 1 " + (i % 3 == 0 ? "0" : i % 3 == 1 ? "1 5" : "2 6 7") + "\n";
      }
      return folder.file(kind, text + "3 0 1 2\n");
    }
    if (kind == "trailer.las") {
      LasFile las;
      las.minor = 4;
      las.format = 6;
      las.add_random_points(60, 1);
      las.trailer = "what follows the points";
      return folder.file(kind, las.bytes());
    }
    if (kind == "scans.e57") {
      PointCloud scans = cloud();
      scans.attributes.back() = {"scan", std::vector<std::int32_t>(100, 0), {}, {}, false};
      std::fill_n(std::get<std::vector<std::int32_t>>(scans.attributes.back().values).begin() + 40, 60, 2);
      write(folder / kind, scans);
      return folder / kind;
    }
    if (kind == "compressed.laz") {
      LasFile las;
      las.minor = 4;
      las.format = 6;
      las.points.assign(51000 * las.point_size(), '\1');  // more than a chunk
      las.trailer = std::string(60, '\0');
      las.extended = 1;
      write(folder / kind, read(folder.file("a.las", las.bytes())));
      return folder / kind;
    }
    if (kind == "many.csv") {
      std::string text;
      for (int i = 0; i < 40000; ++i) {
        text += std::to_string(i) + (i % 1000 == 0 ? ",2,3,4.5,text\n# more\n" : ",1,2,3,text\n");
      }
      return folder.file(kind, text);
    }
    if (kind == "ascii.pcd") {
      std::string text = "VERSION 0.7\nFIELDS x y z i\nSIZE 4 4 4 2\nTYPE F F F U\nCOUNT 1 1 1 2\nWIDTH 10\nHEIGHT 5\n";
      text += "POINTS 50\nDATA ascii\n";
      for (int i = 0; i < 50; ++i) {
        text += std::to_string(i) + " 1 2 3 " + std::to_string(i) + "\n";
      }
      return folder.file(kind, text);
    }
    write(folder / kind, cloud());
    return folder / kind;
  }
};

TEST_P(Parts, TogetherAreTheWhole) {
  const TempFolder folder;
  const std::filesystem::path path = make(folder);
  const PointCloud whole = read(path);
  const ExecutionContext context;
  for (const std::size_t rows : {1U, 7U, 1000U, 30000U}) {
    if (whole.size() > 1000 * rows) {
      continue;
    }
    io::PartsFile file(path, context);
    ASSERT_EQ(file.parts().points(), whole.size());
    // Twice: after a restart they are the same again.
    for (int turn = 0; turn < 2; ++turn) {
      std::size_t row = 0;
      file.parts().restart();
      while (file.parts().left() > 0) {
        const std::size_t count = std::min<std::size_t>(rows, file.parts().left());
        const PointCloud part = file.parts().next(count);
        ASSERT_EQ(part.size(), count);
        EXPECT_EQ(part.comments, whole.comments);
        EXPECT_EQ(part.position_type, whole.position_type);
        ASSERT_EQ(part.attributes.size(), whole.attributes.size());
        for (std::size_t i = 0; i < count; ++i) {
          EXPECT_EQ(part.positions[i], whole.positions[row + i]);
        }
        for (std::size_t a = 0; a < part.attributes.size(); ++a) {
          EXPECT_EQ(part.attributes[a].name, whole.attributes[a].name);
          EXPECT_EQ(part.attributes[a].type(), whole.attributes[a].type());
        }
        row += count;
      }
    }
  }
}

TEST_P(Parts, WrittenGiveTheBytesOfTheWhole) {
  const TempFolder folder;
  const std::filesystem::path path = make(folder);
  const ExecutionContext context;
  const std::string ending = path.extension().string();
  for (const std::string& out : {ending, std::string(".ply"), std::string(".csv"), std::string(".pcd")}) {
    if (!io::why_not_in_parts(path, folder / ("a" + out), context).empty()) {
      EXPECT_TRUE(out == ".pcd" || out == ".e57");
      continue;
    }
    SCOPED_TRACE(out);
    PointCloud whole = read(path);
    const std::vector<std::string> left_out = fit_to_format(folder / ("whole" + out), whole);
    write(folder / ("whole" + out), whole);

    io::PartsFile file(path, context);
    io::FileHeader shape{file.parts().points(), io::header_of(read(path)).box, file.parts().table_shapes(),
                         file.parts().has_trailer()};
    io::BlockWriter target(folder / ("parts" + out), context);
    const auto writer = io::open_writer(folder / ("parts" + out), target, shape);
    const std::size_t rows = whole.size() > 1000 ? 7000 : 7;
    for (bool first = true; file.parts().left() > 0; first = false) {
      PointCloud part = file.parts().next(std::min<std::size_t>(rows, file.parts().left()));
      part.tables = first ? shape.tables : std::vector<Table>();
      const std::vector<std::string> what = fit_to_format(folder / ("parts" + out), part);
      if (first) {
        EXPECT_EQ(what, left_out);
      }
      writer->write_part(part);
    }
    PointCloud tail;
    file.parts().read_tail(tail);
    writer->write_tail(tail);
    target.finish();
    EXPECT_EQ(bytes_of(folder / ("parts" + out)), bytes_of(folder / ("whole" + out)));
  }
}

INSTANTIATE_TEST_SUITE_P(Files, Parts,
                         ::testing::Values("text.xyz", "text.csv", "many.csv", "ascii.ply", "binary.ply", "ascii.pcd",
                                           "binary.pcd", "trailer.las", "compressed.laz", "scans.e57"),
                         [](const auto& file) {
                           std::string name = file.param;
                           std::ranges::replace(name, '.', '_');
                           return name;
                         });

TEST(WhyNotInParts, SaysWhatToDo) {
  const TempFolder folder;
  const ExecutionContext context;
  PointCloud cloud;
  cloud.positions = {{0, 0, 0}, {1, 0, 0}};
  write(folder / "a.npy", cloud);
  write(folder / "a.ply", cloud);
  EXPECT_CONTAINS(io::why_not_in_parts(folder / "a.npy", folder / "b.ply", context),
                  "PLY, PCD, LAS, LAZ, E57 and text");
  EXPECT_CONTAINS(io::why_not_in_parts(folder / "a.ply", folder / "b.npy", context), ".npy, which can only be written");
  EXPECT_CONTAINS(io::why_not_in_parts(folder / "a.ply", folder / "b.las", context), "only from LAS and LAZ");
  EXPECT_EQ(io::why_not_in_parts(folder / "a.ply", folder / "b.xyz", context), "");
  const auto compressed =
      folder.file("c.pcd",
                  "VERSION 0.7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH 1\nHEIGHT 1\n"
                  "POINTS 1\nDATA binary_compressed\n0000");
  EXPECT_CONTAINS(io::why_not_in_parts(compressed, folder / "b.ply", context), "is compressed");
}

}  // namespace
}  // namespace burnish
