#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "burnish/error.hpp"
#include "burnish/view.hpp"
#include "test_clouds.hpp"

namespace burnish {
namespace {

PointCloud cloud_of(std::vector<Vec3> positions) {
  PointCloud cloud;
  cloud.positions = std::move(positions);
  return cloud;
}

const SceneField* find_field(const Scene& scene, std::string_view id) {
  const auto found = std::ranges::find(scene.fields, id, &SceneField::id);
  return found == scene.fields.end() ? nullptr : &*found;
}

Scene scene_of(const std::vector<PointCloud>& clouds, const ViewSettings& settings = {}) {
  std::vector<ViewedCloud> viewed;
  for (const PointCloud& cloud : clouds) {
    viewed.push_back({"cloud " + std::to_string(viewed.size()), cloud, {}});
  }
  return make_scene(viewed, settings);
}

TEST(Scene, SeesTheNormalsAndTheCurvatureOfASphere) {
  const PointCloud sphere = cloud_of(make_shape("sphere")->sample(5000));
  const Scene scene = scene_of({sphere});
  const SceneCloud& shown = scene.clouds[0];
  ASSERT_EQ(shown.positions.size(), 5000U);
  const SceneField* curvature = find_field(scene, "curvature");
  ASSERT_NE(curvature, nullptr);
  for (std::size_t i = 0; i < 5000; ++i) {
    EXPECT_EQ(shown.positions[i], sphere.positions[shown.rows[i]]);
    EXPECT_GT(shown.normals[i].cast<double>().dot(shown.positions[i].normalized()), 0.999);  // outwards
    EXPECT_NEAR(curvature->values[0][i], 2.0, 0.1);                                          // 1 / radius
  }
  EXPECT_GE(curvature->high, 2.0);
  EXPECT_EQ(curvature->low, -curvature->high);
  EXPECT_EQ(find_field(scene, "move"), nullptr);
  EXPECT_EQ(find_field(scene, "truth"), nullptr);
}

TEST(Scene, MeasuresMovesAlongTheNormalAndInAll) {
  const std::vector<Vec3> small = make_shape("sphere")->sample(3000);
  const std::vector<Vec3> large = transformed(small, [](const Vec3& p) { return Vec3(1.02 * p); });
  const std::vector<Vec3> turned =
      transformed(small, [](const Vec3& p) { return Vec3(p.x() - 0.01 * p.y(), p.y() + 0.01 * p.x(), p.z()); });
  const Scene scene = scene_of({cloud_of(small), cloud_of(large), cloud_of(turned)});
  const SceneField* along = find_field(scene, "move");
  const SceneField* length = find_field(scene, "moved");
  ASSERT_NE(along, nullptr);
  ASSERT_NE(length, nullptr);
  EXPECT_TRUE(along->values[0].empty());  // which of the two it should show is undecided
  for (std::size_t i = 0; i < small.size(); ++i) {
    EXPECT_NEAR(along->values[1][i], 0.01, 1e-4);
    EXPECT_NEAR(length->values[1][i], 0.01, 1e-6);
    EXPECT_NEAR(along->values[2][i], 0.0, 5e-4);
    const Vec3 p = scene.clouds[0].positions[i];
    EXPECT_NEAR(length->values[2][i], 0.01 * std::hypot(p.x(), p.y()), 1e-6);
  }
  const auto median = std::ranges::find(scene.clouds[1].facts, "moved, median", &Fact::name);
  ASSERT_NE(median, scene.clouds[1].facts.end());
  EXPECT_EQ(median->value, "0.01");

  const Scene pair = scene_of({cloud_of(small), cloud_of(large)});
  EXPECT_EQ(find_field(pair, "move")->values[0], find_field(pair, "move")->values[1]);
}

TEST(Scene, AsksForTheDistanceToTheTruth) {
  ViewSettings settings;
  settings.unit = "m";
  settings.distance_to_truth = [](const Vec3& p) { return std::abs(p.z()); };
  const Scene scene = scene_of({cloud_of(random_points(500))}, settings);
  const SceneField* truth = find_field(scene, "truth");
  ASSERT_NE(truth, nullptr);
  EXPECT_EQ(truth->unit, "m");
  EXPECT_EQ(find_field(scene, "curvature")->unit, "1/m");
  for (std::size_t i = 0; i < 500; ++i) {
    EXPECT_FLOAT_EQ(truth->values[0][i], static_cast<float>(std::abs(scene.clouds[0].positions[i].z())));
  }
}

TEST(Scene, HoldsEveryAttributeThatIsANumberAndVaries) {
  PointCloud cloud = cloud_of(random_points(400));
  std::vector<double> time(400);
  std::vector<std::uint16_t> intensity(400);
  for (std::size_t i = 0; i < 400; ++i) {
    time[i] = 3e8 + 0.25 * static_cast<double>(i);
    intensity[i] = static_cast<std::uint16_t>(1000 + i);
  }
  cloud.attributes = {{"gps_time", time, {}},
                      {"intensity", intensity, {}},
                      {"constant", std::vector<float>(400, 7.0F), {}},
                      {"label", std::vector<std::string>(400, "a"), {}},
                      {"nx", std::vector<float>(400, 1.0F), {}}};
  std::get<std::vector<float>>(cloud.attributes[4].values)[0] = 0.0F;
  const Scene scene = scene_of({cloud, cloud_of(random_points(400))});
  const SceneField* field = find_field(scene, "attribute gps_time");
  ASSERT_NE(field, nullptr);
  EXPECT_NEAR(field->low, 3e8 + 2.0, 0.5);  // two percent at either end
  EXPECT_NEAR(field->high, 3e8 + 98.0, 0.5);
  for (std::size_t i = 0; i < 400; ++i) {
    EXPECT_EQ(field->origin + field->values[0][i], time[scene.clouds[0].rows[i]]);
  }
  EXPECT_TRUE(field->values[1].empty());
  EXPECT_TRUE(find_field(scene, "attribute intensity")->is_whole);
  for (const char* none : {"attribute constant", "attribute label", "attribute nx"}) {
    EXPECT_EQ(find_field(scene, none), nullptr) << none;
  }
}

TEST(Scene, EstimatesTheNoiseUnlessTheFileHasIt) {
  PointCloud cloud = cloud_of(noisy_shape("torus", 3000, 0.01));
  const Scene estimated = scene_of({cloud});
  ASSERT_NE(find_field(estimated, "noise"), nullptr);
  EXPECT_GT(find_field(estimated, "noise")->high, 0.003);
  std::vector<float> noise(3000, 0.5F);
  noise[7] = 0.6F;
  cloud.attributes = {{"noise", noise, {}}};
  const Scene given = scene_of({cloud});
  EXPECT_EQ(find_field(given, "noise"), nullptr);
  EXPECT_NE(find_field(given, "attribute noise"), nullptr);
}

TEST(Scene, CloudsOfAnotherSizeAreOtherPoints) {
  const Scene scene = scene_of({cloud_of(random_points(300)), cloud_of(random_points(200))});
  EXPECT_FALSE(scene.clouds[1].follows_first);
  EXPECT_EQ(find_field(scene, "move"), nullptr);
  EXPECT_EQ(scene.clouds[1].positions.size(), 200U);
}

TEST(Scene, LeavesOutWhatIsNotFiniteInAnyOfThem) {
  std::vector<PointCloud> clouds{cloud_of(random_points(300)), cloud_of(random_points(300, 9))};
  clouds[0].positions[5].x() = std::nan("");
  clouds[1].positions[6].z() = std::numeric_limits<double>::infinity();
  clouds[1].positions[7].z() = -std::numeric_limits<double>::infinity();
  const Scene scene = scene_of(clouds);
  EXPECT_EQ(scene.clouds[0].not_finite, 1U);
  EXPECT_EQ(scene.clouds[1].not_finite, 2U);
  EXPECT_TRUE(scene.clouds[1].follows_first);
  EXPECT_EQ(scene.clouds[0].rows, scene.clouds[1].rows);
  const std::set<std::uint32_t> rows(scene.clouds[0].rows.begin(), scene.clouds[0].rows.end());
  EXPECT_EQ(rows.size(), 297U);
  EXPECT_FALSE(rows.contains(5) || rows.contains(6) || rows.contains(7));
}

TEST(Scene, ThinsLargeCloudsEvenlyAndAlike) {
  const std::vector<Vec3> points = plane_lattice(120, 1.0, {0, 0, 1}, 0.2);
  ViewSettings settings;
  settings.max_points = 2880;  // a tenth
  const Scene scene = scene_of({cloud_of(points), cloud_of(points)}, settings);
  EXPECT_EQ(scene.clouds[0].points, 14400U);
  ASSERT_EQ(scene.clouds[0].positions.size(), 1440U);
  EXPECT_EQ(scene.clouds[0].rows, scene.clouds[1].rows);
  EXPECT_NEAR(scene.clouds[0].spacing, std::sqrt(10.0), 0.3);
  // About 40 in every of 36 squares.
  std::map<std::pair<int, int>, int> counts;
  const auto square = [&](double v, double low) { return std::min(5, static_cast<int>((v - low) / 20.0)); };
  Vec3 low = points[0];
  for (const Vec3& p : points) {
    low = low.cwiseMin(p);
  }
  for (const Vec3& p : scene.clouds[0].positions) {
    ++counts[{square(p.x(), low.x()), square(p.y(), low.y())}];
  }
  for (const auto& [place, count] : counts) {
    EXPECT_NEAR(count, 40, 12);
  }
}

TEST(Scene, MassesOfDuplicatesAndTinyCloudsAreNoProblem) {
  std::vector<Vec3> points(20000, Vec3(1, 2, 3));
  const std::vector<Vec3> others = random_points(1000);
  points.insert(points.end(), others.begin(), others.end());
  EXPECT_EQ(scene_of({cloud_of(points)}).clouds[0].positions.size(), 21000U);
  const Scene one = scene_of({cloud_of({Vec3(1, 2, 3)})});
  EXPECT_EQ(one.clouds[0].positions.size(), 1U);
  EXPECT_EQ(find_field(one, "curvature"), nullptr);
  const Scene line =
      scene_of({cloud_of({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}, {5, 0, 0}, {6, 0, 0}})});
  for (const Eigen::Vector3f& normal : line.clouds[0].normals) {
    EXPECT_NEAR(normal.norm(), 1.0F, 1e-5F);
  }
}

TEST(Scene, RefusesWhatCannotBeSeen) {
  EXPECT_THROW((void)make_scene({}), Error);
  EXPECT_THROW((void)scene_of({cloud_of({})}), Error);
  EXPECT_THROW((void)scene_of({cloud_of({Vec3(std::nan(""), 0, 0)})}), Error);
  EXPECT_THROW((void)scene_of({cloud_of({Vec3(1e308, 0, 0), Vec3(-1e308, 0, 0)})}), Error);
  EXPECT_THROW((void)scene_of({cloud_of({Vec3(1, 0, 0)}), cloud_of({Vec3(std::nan(""), 0, 0)})}), Error);
}

std::vector<Rgb> colours_of(std::vector<Column> attributes) {
  PointCloud cloud = cloud_of({{0, 0, 0}, {0, 0, 1}, {0, 0, 2}});
  cloud.attributes = std::move(attributes);
  const Scene scene = scene_of({cloud});
  const SceneCloud& shown = scene.clouds[0];
  std::vector<Rgb> colours(shown.colours.size());
  for (std::size_t i = 0; i < colours.size(); ++i) {
    colours[shown.rows[i]] = shown.colours[i];
  }
  return colours;
}

TEST(Scene, TakesTheColoursOfTheFile) {
  using Bytes = std::vector<std::uint8_t>;
  using Words = std::vector<std::uint16_t>;
  using Floats = std::vector<float>;
  const std::vector<Rgb> expected{{255, 0, 10}, {0, 128, 20}, {1, 2, 30}};
  EXPECT_EQ(
      colours_of({{"red", Bytes{255, 0, 1}, {}}, {"green", Bytes{0, 128, 2}, {}}, {"blue", Bytes{10, 20, 30}, {}}}),
      expected);
  EXPECT_EQ(colours_of({{"Red", Words{65535, 0, 257}, {}},
                        {"Green", Words{0, 32896, 514}, {}},
                        {"Blue", Words{2570, 5140, 7710}, {}}}),
            expected);
  // Bytes in words, as many programs write LAS.
  EXPECT_EQ(
      colours_of({{"red", Words{255, 0, 1}, {}}, {"green", Words{0, 128, 2}, {}}, {"blue", Words{10, 20, 30}, {}}}),
      expected);
  EXPECT_EQ(colours_of({{"r", Floats{1, 0, 1 / 255.F}, {}},
                        {"g", Floats{0, 128 / 255.F, 2 / 255.F}, {}},
                        {"b", Floats{10 / 255.F, 20 / 255.F, 30 / 255.F}, {}}}),
            expected);
  const std::vector<std::uint32_t> packed{0xFF00000A, 0x00008014, 0x0001021E};
  EXPECT_EQ(colours_of({{"rgb", packed, {}}})[0], (Rgb{0, 0, 10}));
  Floats as_floats(3);
  std::memcpy(as_floats.data(), packed.data(), 12);
  EXPECT_EQ(colours_of({{"rgba", as_floats, {}}})[2], (Rgb{1, 2, 30}));
}

TEST(Scene, TakesIntensitiesAsGreysWhereThereAreNoColours) {
  using Words = std::vector<std::uint16_t>;
  const std::vector<Rgb> greys{{0, 0, 0}, {128, 128, 128}, {255, 255, 255}};
  EXPECT_EQ(colours_of({{"intensity", Words{100, 200, 300}, {}}}), greys);
  const Words none(3, 0);
  EXPECT_EQ(colours_of({{"red", none, {}}, {"green", none, {}}, {"blue", none, {}}, {"intensity", Words{1, 2, 3}, {}}}),
            greys);
  EXPECT_TRUE(colours_of({{"intensity", none, {}}}).empty());
  EXPECT_TRUE(colours_of({{"red", std::vector<std::string>{"a", "b", "c"}, {}}}).empty());
}

}  // namespace
}  // namespace burnish
