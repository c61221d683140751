#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "io/files.hpp"

namespace burnish {
namespace {

using namespace std::string_literals;

TEST(Read, NamesTheFormatsItDoesNotRead) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"glTF\2\0"s,
       "is a glTF file; burnish reads PLY, PCD, LAS, LAZ, E57, NPY, NPZ, OBJ, OFF, STL, PTS, PTX, KITTI and text (XYZ, "
       "CSV) files"},
      {"PK\3\4"s, "is a ZIP archive"},
      {"\x1F\x8B\x08"s, "is compressed by gzip"},
      {"\xFE\xFF\0#"s, "is UTF-16 text"},
      {"{\"a\": 1}", "is a JSON file"},
      {"<?xml?>", "is an XML file"},
      {"\1\2\3garbage", "is binary (byte 0 is 0x01) and of no known kind"},
  };
  for (const auto& [content, message] : cases) {
    EXPECT_CONTAINS(error_of_content("a.xyz", content), message);
  }
}

TEST(Read, KnowsAFormatByItsContent) {
  // Each is cut off: what is missing shows which reader took it.
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"LASF\0\0"s, "inside its LAS header"},
      {"# .PCD v0.7 - Point Cloud Data\n", "expected DATA"},
      {"# comment\nVERSION .7\nFIELDS x y z\n", "expected DATA"},
      {"\x93NUMPY"s, "the header of a NumPy array"},
      {"solid cube\nfacet\n", "the file ends inside a facet"},
      {"# made by\nmtllib a.mtl\n", "the file holds no points"},
      {"v 1 2 3\nf 1 2\n", "a face refers to vertex 2"},
      {"3\n4\n", "the file ends before the place of the scanner"},
  };
  for (const auto& [content, message] : cases) {
    EXPECT_CONTAINS(error_of_content("a.xyz", content), message);
  }
}

TEST(Read, LetsTheContentDecideAndNotTheEnding) {
  EXPECT_EQ(read_content("a.off", "1.5 2 3\n").size(), 1U);
  EXPECT_EQ(read_content("a.ply", "1,2,3\n").size(), 1U);
  EXPECT_EQ(read_content("a.obj", "1,2,3\n").size(), 1U);
  EXPECT_EQ(read_content("a.xyz", "OFF\n1 0 0\n1 2 3\n").size(), 1U);
  EXPECT_EQ(read_content("noending", "OFF\n1 0 0\n1 2 3\n").size(), 1U);
}

TEST(Read, SaysWhyAFileCannotBeRead) {
  const TempFolder folder;
  EXPECT_EQ(error_of_reading(folder / "no.ply"), (folder / "no.ply").string() + ": there is no such file");
  EXPECT_CONTAINS(error_of_reading(folder / ""), "is a folder, not a file");
  EXPECT_CONTAINS(error_of_reading(folder.file("empty.ply", "")), "the file is empty");
  EXPECT_CONTAINS(error_of_reading("/dev/zero"), "is not a regular file");
  const auto secret = folder.file("secret.ply", "ply");
  std::filesystem::permissions(secret, std::filesystem::perms::none);
  if (::getuid() != 0) {
    EXPECT_CONTAINS(error_of_reading(secret), "cannot be read: Permission denied");
  }
}

TEST(Read, RandomWordsGiveACloudOrAnError) {
  const std::vector<std::string> words = {"ply\n",
                                          "format ascii 1.0\n",
                                          "format binary_little_endian 1.0\n",
                                          "format binary_big_endian 1.0\n",
                                          "element vertex 2\n",
                                          "element vertex 99999999999\n",
                                          "element face 1\n",
                                          "property float x\n",
                                          "property double y\n",
                                          "property uchar z\n",
                                          "property list uchar int l\n",
                                          "property list int64 char m\n",
                                          "comment c\n",
                                          "end_header\n",
                                          "OFF",
                                          "COFF\n",
                                          "NOFF\n",
                                          "2 1 0\n",
                                          "3 0 1 2\n",
                                          "1",
                                          "-1",
                                          "0.5",
                                          "1e-999",
                                          "1e999",
                                          "nan",
                                          " ",
                                          " ",
                                          "\n",
                                          "\n",
                                          "\r\n",
                                          "\r",
                                          "\t",
                                          ",",
                                          ";",
                                          "#",
                                          "//",
                                          "\"",
                                          "\"\"",
                                          "x y z\n",
                                          "x,y,z,t\n",
                                          "abc",
                                          "\xFF\xFF\xFF\xFF",
                                          std::string(8, '\0'),
                                          "1 2 3\n",
                                          "4 5 6 7\n",
                                          "1,2,3\n",
                                          "\v",
                                          "\xEF\xBB\xBF",
                                          "VERSION 0.7\n",
                                          "FIELDS x y z w\n",
                                          "SIZE 4 4 4 2\n",
                                          "TYPE F F F U\n",
                                          "COUNT 1 1 1 3\n",
                                          "POINTS 2\n",
                                          "POINTS 88888888888\n",
                                          "DATA ascii\n",
                                          "DATA binary\n",
                                          "DATA binary_compressed\n",
                                          "v 1 2 3\n",
                                          "f 1 2 3\n",
                                          "solid a\n",
                                          "facet normal 0 0 1\n",
                                          "vertex 0 0 1\n",
                                          "endfacet\n"};
  const std::vector<std::string> starts = {"",
                                           "ply\nformat ascii 1.0\nelement vertex 2\n",
                                           "ply\nformat binary_big_endian 1.0\nelement vertex 2\nproperty float x\n"
                                           "property float y\nproperty float z\n",
                                           "COFF\n2 1 0\n",
                                           "1 2 3\n",
                                           "VERSION 0.7\nFIELDS x y z\nPOINTS 2\n",
                                           "solid a\n",
                                           "v 1 2 3\n",
                                           "1\n2\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n"};
  const TempFolder folder;
  std::mt19937_64 random(11);
  for (int i = 0; i < 5000; ++i) {
    std::string content = starts[random() % starts.size()];
    for (std::size_t left = random() % 30; left > 0; --left) {
      content += words[random() % words.size()];
    }
    const auto path = folder.file("a.xyz", content);
    try {
      const PointCloud cloud = read(path);
      ASSERT_LE(cloud.size(), content.size());
    } catch (const Error& error) {
      ASSERT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    }
  }
}

PointCloud large_cloud() {
  PointCloud cloud;
  cloud.positions.assign(100000, Vec3(1, 2, 3));
  return cloud;
}

TEST(Read, ReportsProgressAndCanBeCancelled) {
  const TempFolder folder;
  write(folder / "a.ply", large_cloud());
  ExecutionContext context;
  std::vector<double> fractions;
  context.on_progress = [&](std::string_view stage, double fraction) {
    EXPECT_EQ(stage, "reading");
    fractions.push_back(fraction);
    if (fractions.size() == 3) {
      context.cancel();
    }
  };
  EXPECT_THROW((void)read(folder / "a.ply", context), Cancelled);
  EXPECT_EQ(fractions.size(), 3U);
  EXPECT_TRUE(std::ranges::is_sorted(fractions));
}

TEST(Write, ReportsProgressAndLeavesNothingWhenCancelled) {
  const TempFolder folder;
  for (const char* name : {"a.ply", "a.csv", "a.pcd", "a.las", "a.npy", "a.pts", "a.obj", "a.off", "a.bin"}) {
    ExecutionContext context;
    std::vector<double> fractions;
    context.on_progress = [&](std::string_view stage, double fraction) {
      EXPECT_EQ(stage, "writing");
      fractions.push_back(fraction);
    };
    write(folder / "ok.ply", large_cloud(), context);
    EXPECT_GT(fractions.size(), 3U);
    EXPECT_TRUE(std::ranges::is_sorted(fractions));
    EXPECT_EQ(fractions.back(), 1);
    context.on_progress = [&](std::string_view, double fraction) {
      if (fraction > 0.3) {
        context.cancel();
      }
    };
    EXPECT_THROW(write(folder / name, large_cloud(), context), Cancelled);
    EXPECT_EQ(folder.files(), 1U);
  }
}

std::string error_of_writing(const std::filesystem::path& path) {
  try {
    write(path, large_cloud());
    return "no error";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(Write, RefusesBadTargets) {
  const TempFolder folder;
  EXPECT_CONTAINS(
      error_of_writing(folder / "a.gltf"),
      "the ending .gltf is unknown; burnish writes .ply, .pcd, .las, .laz, .copc.laz, .xyz, .txt, .asc, .csv, "
      ".e57, .pts, .ptx, .npy, .npz, .bin, .obj, .off, .stl");
  EXPECT_CONTAINS(error_of_writing(folder / "a"), "the name has no ending");
  EXPECT_CONTAINS(error_of_writing(folder / "no/a.ply"),
                  "cannot be written: there is no folder " + (folder / "no").string());
  std::filesystem::create_directory(folder / "b.ply");
  EXPECT_CONTAINS(error_of_writing(folder / "b.ply"), "it is a folder");
  EXPECT_EQ(folder.files(), 1U);
}

TEST(Write, LeavesTheOldFileWhenTheDiskIsFull) {
  const TempFolder folder;
  const auto path = folder.file("a.ply", "the old file");
  // A limit on the size of files stands in for a full disk.
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  rlimit limited = before;
  limited.rlim_cur = 300000;
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &limited);
  const std::string error = error_of_writing(path);
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_CONTAINS(error, "a.ply: cannot be written: File too large");
  EXPECT_EQ(bytes_of(path), "the old file");
  EXPECT_EQ(folder.files(), 1U);
}

TEST(Write, ReplacesAFileAndFollowsALink) {
  const TempFolder folder;
  const auto path = folder.file("a.xyz", "the old file");
  std::filesystem::create_symlink("a.xyz", folder / "link.xyz");
  PointCloud cloud;
  cloud.positions = {{1, 2, 3}};
  write(folder / "link.xyz", cloud);
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.xyz"));
  EXPECT_EQ(bytes_of(path), "1 2 3\n");
  EXPECT_EQ(folder.files(), 2U);
}

}  // namespace
}  // namespace burnish
