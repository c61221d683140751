#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

#include "burnish/io.hpp"
#include "program.hpp"
#include "shared_data.hpp"

using nlohmann::json;

namespace {

TEST(Convert, ReportsWhatIsLeftOut) {
  const Folder folder;
  std::ofstream(folder.file("in.csv")) << "x,y,z,red,label\n0,0,0,1,a\n1,nan,0,2,b\n1,1,1,3,c\n";
  const Outcome outcome = folder.burnish("convert in.csv out.las");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err,
            "out.las: left out, because the format cannot hold it: the text column \"label\"\n"
            "out.las: left out, because the format cannot hold it: 1 point whose coordinates are not finite\n"
            "out.las: 2 points with 1 attribute\n");
  EXPECT_EQ(burnish::read(folder.file("out.las")).size(), 2U);
  const json report = json::parse(folder.burnish("convert in.csv out.pcd --json").out);
  EXPECT_EQ(report["points"], 3);
  EXPECT_EQ(report["left_out"], json::array({"the text column \"label\""}));
}

TEST(Convert, RefusesWhatItCannotWrite) {
  const Folder folder;
  std::ofstream(folder.file("in.xyz")) << "0 0 0\n";
  EXPECT_EQ(folder.burnish("convert in.xyz out.usd").code, 1);
  EXPECT_EQ(folder.burnish("convert in.xyz").code, 2);
  EXPECT_EQ(folder.burnish("convert missing.xyz out.ply").code, 1);
  for (const char* command : {"convert", "denoise"}) {
    const Outcome outcome = folder.burnish(std::string(command) + " in.xyz out.stl");
    EXPECT_EQ(outcome.code, 1);
    EXPECT_NE(outcome.err.find("out.stl: cannot be written: STL holds triangles"), std::string::npos) << outcome.err;
  }
  EXPECT_EQ(folder.entries(), 1U);
}

TEST(Convert, GoesThroughEveryFormat) {
  const Folder folder;
  ASSERT_EQ(folder.burnish("synth torus a.ply --points 500").code, 0);
  std::string last = "a.ply";
  for (const char* next : {"b.pcd", "c.las", "d.xyz", "e.txt", "f.asc", "g.csv", "h.npy", "i.obj", "j.off", "k.pts",
                           "l.npz", "m.ptx", "n.laz", "o.e57"}) {
    ASSERT_EQ(folder.burnish("convert " + last + " " + next).code, 0) << next;
    last = next;
  }
  const burnish::PointCloud before = burnish::read(folder.file("a.ply"));
  const burnish::PointCloud after = burnish::read(folder.file(last));
  ASSERT_EQ(after.size(), before.size());
  for (std::size_t i = 0; i < after.size(); ++i) {
    EXPECT_LT((after.positions[i] - before.positions[i]).norm(), 1e-9);
  }
}

TEST(Convert, ReadsAPartOfACopcFile) {
  const Folder folder;
  ASSERT_EQ(folder.burnish("synth cube a.ply --points 60000").code, 0);
  ASSERT_EQ(folder.burnish("convert a.ply a.copc.laz").code, 0);
  const json levels = json::parse(folder.burnish("info a.copc.laz --json").out)["levels"];
  ASSERT_GE(levels.size(), 2U);
  EXPECT_NE(folder.burnish("info a.copc.laz").out.find("level       0: spacing "), std::string::npos);
  const std::string spacing = std::to_string(levels[0]["spacing"].get<double>() * 1.01);
  const json coarse = json::parse(folder.burnish("convert a.copc.laz b.ply --json --spacing " + spacing).out);
  EXPECT_EQ(coarse["points"], levels[0]["points"]);
  const json root = json::parse(folder.burnish("convert a.copc.laz b.ply --json --levels 1").out);
  EXPECT_EQ(root["points"], levels[0]["points"]);
  const json part = json::parse(folder.burnish("info a.copc.laz --json --levels 2 --box=-9,-9,-9,9,9,9").out);
  EXPECT_EQ(part["points"], levels[0]["points"].get<int>() + levels[1]["points"].get<int>());

  ASSERT_EQ(folder.burnish("convert a.copc.laz box.xyz --box=-9,-9,-9,9,9,0").code, 0);
  ASSERT_EQ(folder.burnish("convert a.ply same.xyz --box=9,9,0,-9,-9,-9").code, 0);
  const std::size_t inside = burnish::read(folder.file("same.xyz")).size();
  EXPECT_GT(inside, 1000U);
  EXPECT_LT(inside, 59000U);
  EXPECT_EQ(burnish::read(folder.file("box.xyz")).size(), inside);

  EXPECT_EQ(folder.burnish("convert a.copc.laz d.ply --box 1,2,3").code, 2);
  EXPECT_EQ(folder.burnish("convert a.copc.laz d.ply --spacing=-1").code, 2);
  EXPECT_EQ(folder.burnish("convert a.copc.laz d.ply --levels 0").code, 2);
  EXPECT_EQ(folder.burnish("convert - d.ply --spacing 1 < a.copc.laz").code, 2);
  EXPECT_EQ(folder.burnish("convert - d.ply --levels 1 < a.copc.laz").code, 2);
  const Outcome outcome = folder.burnish("convert a.ply d.ply --spacing 1");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("is not a COPC file"), std::string::npos) << outcome.err;
}

TEST(Convert, ReadsStandardInputAndWritesStandardOutput) {
  const Folder folder;
  std::ofstream(folder.file("in.xyz")) << "0 0 0\n1 0 0\n0 1 0\n";
  const Outcome outcome = folder.burnish("convert - - --format xyz < in.xyz");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "0 0 0\n1 0 0\n0 1 0\n");
  EXPECT_EQ(folder.burnish("denoise in.xyz - --format csv").out, "x,y,z\n0,0,0\n1,0,0\n0,1,0\n");
  EXPECT_EQ(folder.burnish("convert in.xyz - ").out.substr(0, 4), "ply\n");
  EXPECT_EQ(folder.burnish("convert - out.csv < in.xyz").code, 0);
  EXPECT_EQ(contents(folder.file("out.csv")), "x,y,z\n0,0,0\n1,0,0\n0,1,0\n");
  EXPECT_EQ(folder.burnish("convert in.xyz - --format pcd | '" BURNISH_PROGRAM "' convert - - --format xyz").out,
            "0 0 0\n1 0 0\n0 1 0\n");
  EXPECT_EQ(folder.burnish("convert - out.ply < /dev/null").code, 1);
  EXPECT_EQ(folder.burnish("convert in.xyz - --format usd").code, 1);
  EXPECT_EQ(folder.burnish("convert in.xyz - --json").code, 2);
}

TEST(Convert, DenoisesScansInTheirOwnFormat) {
  BURNISH_NEEDS_DATA();
  const Folder folder;
  const std::string las = (shared_data() / "scans/urban.las").string();
  Outcome outcome = folder.burnish("denoise '" + las + "' out.las --method glr --iterations 2");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string before = contents(las);
  const std::string after = contents(folder.file("out.las"));
  ASSERT_EQ(after.size(), before.size());
  std::size_t moved = 0;
  for (std::size_t point = 227; point < before.size(); point += 34) {  // format 3 after a header of 227 bytes
    EXPECT_EQ(after.substr(point + 12, 22), before.substr(point + 12, 22));
    moved += after.substr(point, 12) != before.substr(point, 12) ? 1 : 0;
  }
  EXPECT_GT(moved, 10000U);

  const std::string pcd = (shared_data() / "formats/pcl/milk_color.pcd").string();
  outcome = folder.burnish("denoise '" + pcd + "' out.pcd --method glr --iterations 2");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const burnish::PointCloud milk = burnish::read(pcd);
  const burnish::PointCloud smooth = burnish::read(folder.file("out.pcd"));
  ASSERT_EQ(smooth.size(), milk.size());
  EXPECT_EQ(smooth.attributes.at(0).values, milk.attributes.at(0).values);
}

}  // namespace
