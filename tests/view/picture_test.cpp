#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>

#include "burnish/error.hpp"
#include "burnish/view.hpp"
#include "io/files.hpp"
#include "test_clouds.hpp"
#include "view/image.hpp"

namespace burnish {
namespace {

std::uint32_t number_at(const std::string& bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    number = number << 8 | static_cast<std::uint8_t>(bytes.at(at + i));
  }
  return number;
}

/// Reads the PNG files that are written here: one block of data, 8-bit colours, filters 0 and 2.
Image read_png(const std::string& file) {
  EXPECT_EQ(file.substr(0, 8), "\x89PNG\r\n\x1a\n");
  Image image(0, 0, {});
  std::string packed;
  for (std::size_t at = 8; at < file.size();) {
    const std::uint32_t size = number_at(file, at);
    const std::string type = file.substr(at + 4, 4);
    const std::string body = file.substr(at + 4, size + 4);
    EXPECT_EQ(number_at(file, at + 8 + size),
              crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size())));
    if (type == "IHDR") {
      image = Image(number_at(file, at + 8), number_at(file, at + 12), {});
    } else if (type == "IDAT") {
      packed = body.substr(4);
    }
    at += size + 12;
  }
  std::string rows(image.height * (3 * image.width + 1), '\0');
  uLongf size = rows.size();
  EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(rows.data()), &size, reinterpret_cast<const Bytef*>(packed.data()),
                       packed.size()),
            Z_OK);
  EXPECT_EQ(size, rows.size());
  for (std::size_t y = 0; y < image.height; ++y) {
    const std::size_t row = y * (3 * image.width + 1);
    for (std::size_t x = 0; x < image.width; ++x) {
      for (std::size_t c = 0; c < 3; ++c) {
        const std::uint8_t above = rows[row] == 2 && y > 0 ? image.at(x, y - 1)[c] : 0;
        image.at(x, y)[c] = static_cast<std::uint8_t>(above + static_cast<std::uint8_t>(rows[row + 1 + 3 * x + c]));
      }
    }
  }
  return image;
}

TEST(Picture, PngHoldsTheImage) {
  TestRandom random;
  Image image(37, 23, {});
  for (Rgb& pixel : image.pixels) {
    pixel = {static_cast<std::uint8_t>(random.index(256)), static_cast<std::uint8_t>(random.index(4)), 9};
  }
  const Image again = read_png(png(image));
  EXPECT_EQ(again.width, 37U);
  EXPECT_EQ(again.height, 23U);
  EXPECT_EQ(again.pixels, image.pixels);
}

Image picture_of(const Scene& scene) {
  const TempFolder folder;
  write_picture(folder / "picture.png", scene);
  return read_png(bytes_of(folder / "picture.png"));
}

PointCloud square(double height, Rgb colour) {
  PointCloud cloud;
  cloud.positions = plane_lattice(40, 1.0, {0, 0, 1});
  for (Vec3& p : cloud.positions) {
    p.z() = height;
  }
  for (std::size_t c = 0; c < 3; ++c) {
    cloud.attributes.push_back(
        {std::array{"red", "green", "blue"}[c], std::vector<std::uint8_t>(cloud.size(), colour[c]), {}});
  }
  return cloud;
}

bool is_reddish(const Rgb& pixel) { return pixel[0] > 2 * pixel[1] && pixel[0] > 60; }
bool is_greenish(const Rgb& pixel) { return pixel[1] > 2 * pixel[0] && pixel[1] > 60; }

TEST(Picture, WhatIsInFrontHidesWhatIsBehind) {
  PointCloud both = square(1.0, {255, 0, 0});
  const PointCloud below = square(0.0, {0, 255, 0});
  both.positions.insert(both.positions.end(), below.positions.begin(), below.positions.end());
  for (std::size_t c = 0; c < 3; ++c) {
    auto& values = std::get<std::vector<std::uint8_t>>(both.attributes[c].values);
    const auto& more = std::get<std::vector<std::uint8_t>>(below.attributes[c].values);
    values.insert(values.end(), more.begin(), more.end());
  }
  const ViewedCloud clouds[] = {{"both", both, {}}};
  ViewSettings settings;
  settings.elevation = 90.0;
  const Image from_above = picture_of(make_scene(clouds, settings));
  settings.elevation = -90.0;
  const Image from_below = picture_of(make_scene(clouds, settings));
  settings.elevation = 90.0;
  settings.up = UpAxis::minus_z;
  const Image upside_down = picture_of(make_scene(clouds, settings));
  ASSERT_EQ(from_above.width, 460U);  // one panel: there is nothing to compare with
  const std::size_t x = from_above.width / 2;
  const std::size_t y = from_above.height / 2;
  EXPECT_TRUE(is_reddish(from_above.at(x, y)));
  EXPECT_TRUE(is_greenish(from_below.at(x, y)));
  EXPECT_TRUE(is_greenish(upside_down.at(x, y)));
  EXPECT_EQ(from_above.at(3, from_above.height - 3), (Rgb{255, 255, 255}));
}

TEST(Picture, LabelsStayOverTheirPanels) {
  const PointCloud cloud = square(0.0, {120, 120, 120});
  const std::string name = "a/very/long/path/to/a/file/whose/name/is/longer/than/any/picture/is/wide/noisy.ply";
  const ViewedCloud clouds[] = {{name, cloud, {}}, {name, cloud, {}}};
  const Image image = picture_of(make_scene(clouds));
  ASSERT_EQ(image.width, 920U);
  const auto is_written = [&](std::size_t from, std::size_t to) {
    for (std::size_t x = from; x < to; ++x) {
      for (std::size_t y = 0; y < 40; ++y) {
        if (image.at(x, y)[0] < 200) {
          return true;
        }
      }
    }
    return false;
  };
  EXPECT_TRUE(is_written(30, 430));
  EXPECT_TRUE(is_written(490, 890));
  EXPECT_FALSE(is_written(440, 480));  // between the two
  EXPECT_FALSE(is_written(900, 920));
  EXPECT_EQ(fitted_text("short.ply", 11.0, 400.0), "short.ply");
  const std::string fitted = fitted_text(name, 11.0, 200.0);
  EXPECT_LE(text_width(fitted, 11.0), 200.0);
  EXPECT_TRUE(fitted.starts_with("a/very/") && fitted.ends_with("noisy.ply")) << fitted;
}

TEST(Picture, ShowsEveryCloudAndTheErrorOfTheLast) {
  PointCloud clean;
  clean.positions = make_shape("sphere")->sample(4000);
  PointCloud noisy = clean;
  noisy.positions = noisy_shape("sphere", 4000, 0.02);
  const ViewedCloud clouds[] = {{"before", noisy, {}}, {"after", clean, {}}};
  ViewSettings settings;
  const auto shape = make_shape("sphere");
  settings.distance_to_truth = [&](const Vec3& p) { return shape->distance(p); };
  const Image good = picture_of(make_scene(clouds, settings));
  ASSERT_EQ(good.width, 3U * 460U);
  const ViewedCloud other_way[] = {{"before", clean, {}}, {"after", noisy, {}}};
  settings.distance_to_truth = [&](const Vec3& p) { return shape->distance(p) + 0.02 * (p.x() > 0.0); };
  const Image bad = picture_of(make_scene(other_way, settings));
  // Warm colours in the panel of the error only, and only where there is one.
  const auto warm = [](const Image& image, std::size_t panel) {
    std::size_t count = 0;
    for (std::size_t y = 60; y < 450; ++y) {
      for (std::size_t x = panel * 460; x < (panel + 1) * 460; ++x) {
        count += image.at(x, y)[0] > image.at(x, y)[2] + 60 ? 1 : 0;
      }
    }
    return count;
  };
  EXPECT_EQ(warm(good, 0) + warm(good, 1), 0U);
  EXPECT_EQ(warm(good, 2), 0U);
  EXPECT_GT(warm(bad, 2), 10000U);
}

TEST(Picture, IsTheSameOnEveryRunAndSurvivesOddClouds) {
  PointCloud one;
  one.positions = {Vec3(1, 2, 3)};
  const ViewedCloud clouds[] = {{"one", one, {}}};
  const Image image = picture_of(make_scene(clouds));
  EXPECT_GT(std::ranges::count_if(image.pixels, [](const Rgb& p) { return p != Rgb{255, 255, 255}; }), 0);
  PointCloud far = square(0.0, {9, 9, 9});
  far.positions.push_back({1e9, 1e9, 1e9});
  far.attributes.clear();
  const ViewedCloud with_outlier[] = {{"far", far, {}}};
  const Scene scene = make_scene(with_outlier);
  EXPECT_EQ(picture_of(scene).pixels, picture_of(scene).pixels);
  EXPECT_THROW(write_picture("/no/such/folder/picture.png", scene), Error);
}

TEST(Picture, LettersAreInkOfTheWidthAnnounced) {
  Image image(260, 40, {255, 255, 255});
  draw_text(image, "before.ply 0.05 (m) %&\xc3\xa4", 10.0, 25.0, 10.0, {0, 0, 0});
  std::size_t last = 0;
  std::size_t dark = 0;
  for (std::size_t y = 0; y < image.height; ++y) {
    for (std::size_t x = 0; x < image.width; ++x) {
      if (image.at(x, y)[0] < 128) {
        last = std::max(last, x);
        ++dark;
      }
    }
  }
  EXPECT_GT(dark, 300U);
  EXPECT_NEAR(static_cast<double>(last), 10.0 + text_width("before.ply 0.05 (m) %&a", 10.0), 2.0);
  draw_text(image, "cut off on all sides", -50.0, -3.0, 20.0, {0, 0, 0});
  draw_text(image, "cut off on all sides", 150.0, 45.0, 20.0, {0, 0, 0});
  EXPECT_EQ(text_width("", 10.0), 0.0);
}

}  // namespace
}  // namespace burnish
