#include "burnish/mesh.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "burnish/io.hpp"
#include "program.hpp"

using nlohmann::json;

namespace {

TEST(Mesh, PutsASurfaceThroughAShape) {
  const Folder folder;
  ASSERT_EQ(folder.burnish("synth torus clean.ply --points 5000").code, 0);
  const Outcome outcome = folder.burnish("mesh clean.ply mesh.ply --json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json report = json::parse(outcome.out);
  EXPECT_EQ(report["points"], 5000);
  EXPECT_EQ(report["watertight"], true);
  EXPECT_EQ(report["border_edges"], 0);
  // A closed surface of genus 1: V − E + F = 0 and 2E = 3F.
  EXPECT_EQ(2 * report["vertices"].get<int>(), report["triangles"].get<int>());
  for (const std::string format : {"ply", "obj", "off", "stl"}) {
    ASSERT_EQ(folder.burnish("mesh clean.ply mesh." + format).code, 0);
    const burnish::TriangleMesh mesh = burnish::mesh_of(burnish::read(folder.file("mesh." + format)));
    EXPECT_EQ(mesh.triangles.size(), report["triangles"].get<std::size_t>()) << format;
    EXPECT_EQ(mesh.vertices.size(), report["vertices"].get<std::size_t>()) << format;
  }
  const Outcome distance = folder.burnish("evaluate mesh.ply --truth torus --json");
  EXPECT_LT(json::parse(distance.out)["comparisons"][0]["mean_distance"].get<double>(), 0.001);
}

TEST(Mesh, CarriesColours) {
  const Folder folder;
  ASSERT_EQ(folder.burnish("synth sphere clean.ply --points 1000").code, 0);
  burnish::PointCloud cloud = burnish::read(folder.file("clean.ply"));
  for (const char* name : {"red", "green", "blue"}) {
    std::vector<std::uint8_t> values(cloud.size());
    for (std::size_t i = 0; i < cloud.size(); ++i) {
      values[i] = cloud.positions[i].x() < 0.0 ? 10 : 200;
    }
    cloud.attributes.push_back({name, std::move(values), {}});
  }
  burnish::write(folder.file("coloured.ply"), cloud);
  ASSERT_EQ(folder.burnish("mesh coloured.ply mesh.ply").code, 0);
  const burnish::PointCloud mesh = burnish::read(folder.file("mesh.ply"));
  ASSERT_NE(mesh.find_attribute("green"), nullptr);
  const auto& green = std::get<std::vector<std::uint8_t>>(mesh.find_attribute("green")->values);
  for (std::size_t v = 0; v < mesh.size(); ++v) {
    if (std::abs(mesh.positions[v].x()) > 0.1) {
      EXPECT_EQ(green[v], mesh.positions[v].x() < 0.0 ? 10 : 200);
    }
  }
}

TEST(Mesh, BadInputIsReported) {
  const Folder folder;
  ASSERT_EQ(folder.burnish("synth sphere clean.ply --points 1000").code, 0);
  const Outcome no_mesh = folder.burnish("mesh clean.ply mesh.xyz");
  EXPECT_EQ(no_mesh.code, 2);
  EXPECT_NE(no_mesh.err.find(".stl"), std::string::npos) << no_mesh.err;
  EXPECT_EQ(folder.burnish("mesh clean.ply mesh.ply --cell 0").code, 2);
  std::ofstream(folder.file("two.xyz")) << "0 0 0\n1 1 1\n";
  const Outcome two = folder.burnish("mesh two.xyz mesh.ply");
  EXPECT_EQ(two.code, 1);
  EXPECT_NE(two.err.find("at least 4 distinct points"), std::string::npos) << two.err;
  EXPECT_FALSE(std::filesystem::exists(folder.file("mesh.ply")));
}

}  // namespace
