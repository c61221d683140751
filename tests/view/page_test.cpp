#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <zlib.h>

#include <cmath>
#include <set>

#include "burnish/error.hpp"
#include "burnish/view.hpp"
#include "io/files.hpp"
#include "test_clouds.hpp"

namespace burnish {
namespace {

using nlohmann::json;

constexpr std::string_view page_frame =
    "<html><title><!--burnish:title--></title><body><!--burnish:scene--><script>run()</script></body></html>";

/// The text of an element with an id.
std::string element(const std::string& page, const std::string& id) {
  const std::size_t tag = page.find("id=\"" + id + "\"");
  if (tag == std::string::npos) {
    ADD_FAILURE() << "no element " << id;
    return "";
  }
  const std::size_t begin = page.find('>', tag) + 1;
  return page.substr(begin, page.find("</script>", begin) - begin);
}

/// Whole numbers as they were packed, unpacked as the description says: base64, zlib, planes of bytes, differences.
std::vector<std::uint32_t> unpacked(const std::string& page, const json& packed, std::size_t points) {
  const std::string text = element(page, "block-" + packed["block"].dump());
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<Bytef> bytes;
  unsigned bits = 0;
  int filled = 0;
  for (const char c : text) {
    if (c == '=') {
      break;
    }
    bits = bits << 6 | static_cast<unsigned>(digits.find(c));
    filled += 6;
    if (filled >= 8) {
      filled -= 8;
      bytes.push_back(static_cast<Bytef>(bits >> filled));
    }
  }
  const auto components = packed["components"].get<std::size_t>();
  const auto width = packed["bytes"].get<std::size_t>();
  std::vector<Bytef> planes(points * components * width + 1);
  uLongf size = planes.size();
  EXPECT_EQ(uncompress(planes.data(), &size, bytes.data(), bytes.size()), Z_OK);
  EXPECT_EQ(size, points * components * width);
  std::vector<std::uint32_t> values(points * components);
  const std::uint32_t mask = width == 4 ? 0xFFFFFFFFU : (1U << 8 * width) - 1;
  for (std::size_t c = 0; c < components; ++c) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < points; ++i) {
      for (std::size_t b = 0; b < width; ++b) {
        value += static_cast<std::uint32_t>(planes[(c * width + b) * points + i]) << 8 * b;
      }
      value &= mask;
      values[i * components + c] = value;
    }
  }
  return values;
}

struct Page {
  std::string text;
  json scene;
};

Page page_of(const Scene& scene) {
  const TempFolder folder;
  write_page(folder / "page.html", page_frame, scene);
  Page page{bytes_of(folder / "page.html"), {}};
  page.scene = json::parse(element(page.text, "scene"));
  return page;
}

/// Far from the origin, with colours, a truth and values of very different size.
Scene example(double extent) {
  const Vec3 origin(4e6, -5e5, 100.0);
  PointCloud before;
  before.positions =
      transformed(noisy_shape("torus", 2000, 0.01), [&](const Vec3& p) { return Vec3(origin + extent * p); });
  std::vector<std::uint8_t> red(2000);
  std::vector<std::uint8_t> green(2000, 7);
  for (std::size_t i = 0; i < red.size(); ++i) {
    red[i] = static_cast<std::uint8_t>(i);
  }
  before.attributes = {{"red", red, {}}, {"green", green, {}}, {"blue", green, {}}};
  PointCloud after = before;
  for (Vec3& p : after.positions) {
    p += extent * Vec3(0.001, 0, 0);
  }
  after.positions[3] += extent * Vec3(0, 0, 3);  // one far outlier
  ViewSettings settings;
  settings.title = "Example";
  settings.distance_to_truth = [=](const Vec3& p) { return (p - origin).norm(); };
  const ViewedCloud clouds[] = {{"before", before, {}}, {"after", after, {{"time", "1 s", "how long it took"}}}};
  return make_scene(clouds, settings);
}

TEST(Page, HoldsTheDataItWasGiven) {
  for (const double extent : {1e-3, 1.0, 1e4}) {
    const Scene scene = example(extent);
    const Page page = page_of(scene);
    ASSERT_EQ(page.scene["clouds"].size(), 2U);
    for (std::size_t c = 0; c < 2; ++c) {
      const SceneCloud& cloud = scene.clouds[c];
      const json& shown = page.scene["clouds"][c];
      EXPECT_EQ(shown["shown"], 2000);
      const auto places = unpacked(page.text, shown["positions"], 2000);
      const auto colours = unpacked(page.text, shown["colours"], 2000);
      const auto normals = unpacked(page.text, shown["normals"], 2000);
      const double step = shown["positions"]["step"];
      EXPECT_LE(step, 0.0101 * cloud.spacing);
      for (std::size_t i = 0; i < 2000; ++i) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const double low = page.scene["box"]["min"][axis];
          EXPECT_NEAR(low + step * places[3 * i + axis], cloud.positions[i][static_cast<int>(axis)],
                      0.501 * step + 1e-9);
          EXPECT_EQ(colours[3 * i + axis], cloud.colours[i][axis]);
        }
        // Unfolded octahedron.
        const auto coordinate = [&](std::size_t k) { return static_cast<float>(normals[2 * i + k]) / 127.5F - 1.0F; };
        Eigen::Vector3f n(coordinate(0), coordinate(1), 0.0F);
        n.z() = 1.0F - std::abs(n.x()) - std::abs(n.y());
        if (n.z() < 0.0F) {
          const Eigen::Vector3f flat = n;
          n.x() = (1.0F - std::abs(flat.y())) * (flat.x() < 0.0F ? -1.0F : 1.0F);
          n.y() = (1.0F - std::abs(flat.x())) * (flat.y() < 0.0F ? -1.0F : 1.0F);
        }
        EXPECT_GT(n.normalized().dot(cloud.normals[i]), 0.9997F);  // within 1.4 degrees
      }
      for (const SceneField& field : scene.fields) {
        const json& packed = shown["fields"][field.id];
        const auto values = unpacked(page.text, packed, 2000);
        const double largest = packed["largest"];
        for (std::size_t i = 0; i < 2000; ++i) {
          const double root = (values[i] - 32768.0) / 32767.0;
          const double value = std::copysign(root * root * largest, root);
          const double expected = field.values[c][i];
          const double tolerance = std::sqrt(std::abs(expected) * largest) / 32767.0 + 1e-9 * largest;
          EXPECT_NEAR(value, expected, 1.01 * tolerance) << field.id;
        }
      }
    }
    EXPECT_EQ(page.scene["clouds"][1]["facts"][0]["value"], "1 s");
    EXPECT_EQ(page.scene["fields"].size(), scene.fields.size());
  }
}

TEST(Page, HoldsAttributesExactlyAndOnce) {
  PointCloud before;
  before.positions = noisy_shape("torus", 2000, 0.01);
  std::vector<std::uint16_t> intensity(2000);
  std::vector<double> time(2000);
  for (std::size_t i = 0; i < 2000; ++i) {
    intensity[i] = static_cast<std::uint16_t>(31 * i);
    time[i] = 3e8 + 0.125 * static_cast<double>(i);
  }
  before.attributes = {{"intensity", intensity, {}}, {"gps_time", time, {}}};
  PointCloud after = before;
  for (Vec3& p : after.positions) {
    p.x() += 0.01;
  }
  const ViewedCloud clouds[] = {{"before", before, {}}, {"after", after, {}}};
  const Scene scene = make_scene(clouds);
  const Page page = page_of(scene);
  const json& first = page.scene["clouds"][0];
  const auto rows = unpacked(page.text, first["rows"], 2000);
  const auto check = [&](const char* id, const auto& expected, double tolerance) {
    const json& packed = first["fields"][id];
    const auto steps = unpacked(page.text, packed, 2000);
    for (std::size_t i = 0; i < 2000; ++i) {
      EXPECT_EQ(rows[i], scene.clouds[0].rows[i]);
      const double value = packed["low"].get<double>() + packed["step"].get<double>() * (steps[i] - 1.0);
      EXPECT_NEAR(value, expected[rows[i]], tolerance);
    }
    EXPECT_EQ(page.scene["clouds"][1]["fields"][id]["block"], packed["block"]);
  };
  check("attribute intensity", intensity, 0.0);
  check("attribute gps_time", time, 1e-4);
  EXPECT_EQ(page.scene["clouds"][1]["rows"]["block"], first["rows"]["block"]);
}

TEST(Page, IsSmall) {
  const Scene scene = example(1.0);
  // 2 × 2000 points with row, position, normal, colours and five fields, some 23 bytes per point unpacked.
  EXPECT_LT(page_of(scene).text.size(), 4000U * 26U);
}

TEST(Page, MarksPointsWithoutAValue) {
  Scene scene = example(1.0);
  scene.fields[0].values[0][7] = std::nanf("");
  const Page page = page_of(scene);
  const json& packed = page.scene["clouds"][0]["fields"][scene.fields[0].id];
  const auto values = unpacked(page.text, packed, 2000);
  EXPECT_EQ(values[7], 0U);
  EXPECT_EQ(std::ranges::count(values, 0U), 1);
}

TEST(Page, NamesCannotBreakOut) {
  Scene scene = example(1.0);
  const std::string hostile = "</script><script>alert(1)</script><!--\"'&\xff\xe2\x80\xa8.ply";
  scene.settings.title = hostile;
  scene.settings.unit = hostile;
  scene.clouds[0].name = hostile;
  scene.clouds[1].facts[0] = {hostile, hostile, hostile};
  scene.fields[0].label = hostile;
  const Page page = page_of(scene);
  EXPECT_EQ(page.text.find("<script>alert"), std::string::npos);
  EXPECT_EQ(page.text.find("<!--"), std::string::npos);
  // One script of the template, one with the scene, one for every block.
  std::size_t ends = 0;
  for (std::size_t at = page.text.find("</script>"); at != std::string::npos;
       at = page.text.find("</script>", at + 1)) {
    ++ends;
  }
  std::set<std::size_t> blocks;
  for (const json& cloud : page.scene["clouds"]) {
    for (const char* part : {"rows", "positions", "normals", "colours"}) {
      blocks.insert(cloud[part]["block"].get<std::size_t>());
    }
    for (const json& field : cloud["fields"]) {
      blocks.insert(field["block"].get<std::size_t>());
    }
  }
  EXPECT_EQ(ends, 2U + blocks.size());
  const std::string name = page.scene["clouds"][0]["name"];
  EXPECT_TRUE(name.starts_with("</script><script>alert(1)</script><!--\"'&"));
  EXPECT_NE(page.text.find("<title>&lt;/script&gt;&lt;script&gt;alert(1)"), std::string::npos);
}

TEST(Page, IsNotWrittenFromAWrongTemplateOrToAWrongPlace) {
  const TempFolder folder;
  const Scene scene = example(1.0);
  for (const char* wrong :
       {"", "<html></html>", "<!--burnish:title-->", "<!--burnish:scene-->", "<!--burnish:scene--><!--burnish:title-->",
        "<!--burnish:title--><!--burnish:scene--><!--burnish:scene-->"}) {
    EXPECT_THROW(write_page(folder / "page.html", wrong, scene), Error) << wrong;
  }
  EXPECT_THROW(write_page(folder / "no/such/folder.html", page_frame, scene), Error);
  EXPECT_EQ(folder.files(), 0U);
}

}  // namespace
}  // namespace burnish
