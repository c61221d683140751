#include <Eigen/Geometry>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <random>
#include <utility>

#include "burnish/estimate.hpp"
#include "burnish/noise.hpp"
#include "test_clouds.hpp"

namespace burnish::bench {
namespace {

/// The direction of everything that has one, in no special relation to the shapes.
const Vec3 direction = Vec3(0.45, -0.6, 0.66).normalized();

Eigen::AlignedBox3d box_of(const std::vector<Vec3>& points) {
  Eigen::AlignedBox3d box;
  for (const Vec3& p : points) {
    box.extend(p);
  }
  return box;
}

/// From 0 on one side to 1 on the other, along the direction.
std::vector<double> places_along_direction(const std::vector<Vec3>& points) {
  std::vector<double> places;
  for (const Vec3& p : points) {
    places.push_back(direction.dot(p));
  }
  const auto [least, most] = std::ranges::minmax(places);
  for (double& place : places) {
    place = (place - least) / (most - least);
  }
  return places;
}

void add_attribute(PointCloud& cloud, std::string name, std::vector<double> values) {
  Column column;
  column.name = std::move(name);
  column.values = std::move(values);
  cloud.attributes.push_back(std::move(column));
}

void set_viewpoint(PointCloud& cloud, const Vec3& p) {
  cloud.comments.push_back(fmt::format("VIEWPOINT {} {} {} 1 0 0 0", p.x(), p.y(), p.z()));
}

PointCloud cloud_of(std::vector<Vec3> points) {
  PointCloud cloud;
  cloud.positions = std::move(points);
  return cloud;
}

// Clean clouds.

PointCloud evenly_spread(const Scene& scene) { return cloud_of(scene.clean); }

PointCloud at_random_places(const Scene& scene) {
  return cloud_of(scene.surface->sample_at_random(scene.points, scene.seed));
}

/// With standard deviations in attributes: growing from one side to the other, and small in one half.
PointCloud with_uneven_noise(const Scene& scene) {
  PointCloud cloud = evenly_spread(scene);
  std::vector<double> growing = places_along_direction(cloud.positions);
  std::vector<double> half;
  for (double& place : growing) {
    half.push_back(place < 0.5 ? 0.1 : 1.0);
    place = 0.2 + 2.3 * place;
  }
  add_attribute(cloud, "growing", std::move(growing));
  add_attribute(cloud, "half", std::move(half));
  return cloud;
}

/// Seen from its size away from its centre: three times as far on one side as on the other.
PointCloud near_viewpoint(const Scene& scene) {
  PointCloud cloud = evenly_spread(scene);
  const Eigen::AlignedBox3d box = box_of(cloud.positions);
  set_viewpoint(cloud, box.center() + box.sizes().maxCoeff() * direction);
  return cloud;
}

/// Ten times as dense on one side as on the other.
PointCloud with_density_gradient(const Scene& scene) {
  const std::vector<Vec3> pool = scene.surface->sample(5 * scene.points / 2, scene.seed);
  const std::vector<double> places = places_along_direction(pool);
  std::mt19937_64 random(scene.seed);
  std::vector<Vec3> kept;
  for (std::size_t i = 0; i < pool.size(); ++i) {
    if (static_cast<double>(random() >> 11U) * 0x1p-53 < std::pow(0.1, places[i])) {
      kept.push_back(pool[i]);
    }
  }
  return cloud_of(std::move(kept));
}

/// What a camera with side × side pixels sees from three times the size of the surface away: in every pixel the nearest
/// of random points of the surface. Only every `line_step`-th row is kept.
PointCloud seen_by_camera(const Scene& scene, std::size_t side, std::size_t line_step) {
  constexpr std::size_t points_per_pixel = 10;
  const std::vector<Vec3> pool = scene.surface->sample_at_random(points_per_pixel * side * side, scene.seed);
  const double size = box_of(pool).sizes().maxCoeff();
  Vec3 centre = Vec3::Zero();
  for (const Vec3& p : pool) {
    centre += p / static_cast<double>(pool.size());
  }
  const Vec3 viewpoint = centre + 3.0 * size * direction;
  const Vec3 right = (-direction).cross(Vec3::UnitZ()).normalized();
  const Vec3 down = (-direction).cross(right);
  const auto pixels = static_cast<double>(side);
  const double focal_length = 0.5 * pixels / std::tan(14.0 * std::numbers::pi / 180.0);
  struct Seen {
    double depth;
    std::size_t point;
  };
  std::map<std::pair<std::size_t, std::size_t>, Seen> image;  // row, column
  for (std::size_t i = 0; i < pool.size(); ++i) {
    const Vec3 ray = pool[i] - viewpoint;
    const double depth = -direction.dot(ray);
    const double column = right.dot(ray) / depth * focal_length + 0.5 * pixels;
    const double row = down.dot(ray) / depth * focal_length + 0.5 * pixels;
    if (column < 0.0 || row < 0.0 || column >= pixels || row >= pixels) {
      continue;
    }
    const std::pair pixel(static_cast<std::size_t>(row), static_cast<std::size_t>(column));
    if (pixel.first % line_step == 0) {
      const auto [place, is_new] = image.try_emplace(pixel, Seen{depth, i});
      if (!is_new && depth < place->second.depth) {
        place->second = {depth, i};
      }
    }
  }
  PointCloud cloud;
  for (const auto& [pixel, seen] : image) {
    cloud.positions.push_back(pool[seen.point]);
  }
  set_viewpoint(cloud, viewpoint);
  return cloud;
}

std::size_t scaled_side(const Scene& scene, double factor) {
  return static_cast<std::size_t>(factor * std::sqrt(static_cast<double>(scene.points)));
}
PointCloud camera_image(const Scene& scene) { return seen_by_camera(scene, scaled_side(scene, 1.3), 1); }
PointCloud scan_lines(const Scene& scene) { return seen_by_camera(scene, scaled_side(scene, 2.6), 6); }

// Noise on them.

using CleanCloud = PointCloud (*)(const Scene&);

TestCloud with_noise(PointCloud clean, const std::vector<std::string>& texts, std::uint64_t seed) {
  NoiseModel model;
  for (const std::string& text : texts) {
    model.push_back(parse_noise(text));
  }
  NoisyCloud noisy = add_noise(std::move(clean), model, seed, single_thread());
  return {std::move(noisy.cloud.positions), std::move(noisy.outliers)};
}

/// Steps as `burnish noise --model` takes them.
std::function<TestCloud(const Scene&)> model(CleanCloud clean, std::vector<std::string> texts) {
  return [=](const Scene& scene) { return with_noise(clean(scene), texts, scene.seed); };
}

/// Two scans, each with half of the points, one spacing from each other, with noise of `part` times 0.5 spacing.
std::function<TestCloud(const Scene&)> two_scans(double part) {
  return [=](const Scene& scene) {
    const double sigma = 0.5 * scene.spacing;
    PointCloud cloud;
    for (const double side : {1.0, -1.0}) {
      const std::uint64_t seed = 2 * scene.seed + (side > 0.0 ? 1'000'000 : 1'000'001);
      for (const Vec3& p : scene.surface->sample(scene.points / 2, seed)) {
        cloud.positions.emplace_back(p + side * sigma * direction);
      }
    }
    return with_noise(std::move(cloud), {fmt::format("gaussian:sigma={}", part * sigma)}, scene.seed);
  };
}

TestCloud every_point_twice(const Scene& scene) {
  PointCloud half = cloud_of(scene.surface->sample(scene.points / 2, scene.seed));
  TestCloud cloud = with_noise(std::move(half), {"gaussian:sigma=0.5spacing"}, scene.seed);
  const std::vector<Vec3> once = cloud.positions;
  cloud.positions.insert(cloud.positions.end(), once.begin(), once.end());
  return cloud;
}

std::vector<CloudKind> make_kinds() {
  const std::string usual = "gaussian:sigma=0.5spacing";
  const std::string little = "gaussian:sigma=0.15spacing";
  const std::string axis = "0.45,-0.6,0.66";
  const auto steps = [&](double step) { return fmt::format("quantise-depth:axis={}:step={}spacing", axis, step); };
  return {
      {"Gaussian 0.5", model(evenly_spread, {usual})},
      {"Gaussian 1.5", model(evenly_spread, {"gaussian:sigma=1.5spacing"})},
      {"random places", model(at_random_places, {usual})},
      {"density 1:10", model(with_density_gradient, {usual})},
      {"uniform", model(evenly_spread, {"uniform:sigma=0.5spacing"})},
      {"Laplace", model(evenly_spread, {"laplace:sigma=0.5spacing"})},
      {"Student t", model(evenly_spread, {"student-t:degrees=3:sigma=0.5spacing"})},
      {"10 % at 4 sigma", model(evenly_spread, {little, "gaussian:sigma=2spacing:share=0.1"})},
      {"one axis", model(evenly_spread, {"gaussian:sigma=0.5spacing:along=" + axis})},
      {"along normals", model(evenly_spread, {"gaussian:sigma=0.5spacing:along=normal"})},
      {"growing 0.2 to 2.5", model(with_uneven_noise, {"gaussian:sigma=0.5spacing:attribute=growing"})},
      {"quiet half", model(with_uneven_noise, {"gaussian:sigma=0.5spacing:attribute=half"})},
      {"range squared", model(near_viewpoint, {"gaussian:sigma=0.5spacing:growth=quadratic"})},
      {"two scans 0.5", two_scans(0.5)},
      {"two scans 1", two_scans(1.0)},
      {"correlated 1.5", model(evenly_spread, {"gaussian:sigma=0.5spacing:correlation=1.5spacing"})},
      {"correlated 4", model(evenly_spread, {"gaussian:sigma=0.5spacing:correlation=4spacing", little})},
      {"correlated 10", model(evenly_spread, {"gaussian:sigma=0.5spacing:correlation=10spacing", little})},
      {"periodic 8", model(evenly_spread, {"periodic:sigma=0.5spacing:wavelength=8spacing", little})},
      {"every point twice", every_point_twice},
      {"grid 0.5", model(evenly_spread, {usual, "quantise:step=0.5spacing"})},
      {"outliers 5 %", model(evenly_spread, {usual, "outliers:share=0.05:margin=0.1"})},
      {"outliers 20 %", model(evenly_spread, {usual, "outliers:share=0.2:margin=0.1"})},
      {"outliers 0.5 % far", model(evenly_spread, {usual, "outliers:share=0.005:margin=10"})},
      {"halo 5 %", model(evenly_spread, {usual, "halo:share=0.05:distance=10spacing"})},
      {"sight 0.5", model(camera_image, {"gaussian:sigma=0.5spacing:along=sight"})},
      {"steps 1", model(camera_image, {steps(1.0)})},
      {"steps 3", model(camera_image, {steps(3.0)})},
      {"sight 0.3, steps 1", model(camera_image, {"gaussian:sigma=0.3spacing:along=sight", steps(1.0)})},
      {"sight 1, steps 3", model(camera_image, {"gaussian:sigma=1spacing:along=sight", steps(3.0)})},
      {"scan lines 6:1", model(scan_lines, {"gaussian:sigma=0.3spacing:along=sight"})},
  };
}

}  // namespace

Scene make_scene(const Surface& surface, std::size_t points, std::uint64_t seed) {
  Scene scene{&surface, points, seed, surface.sample(points, seed), 0.0};
  scene.spacing = estimate_spacing(scene.clean, single_thread());
  return scene;
}

const std::vector<CloudKind>& noise_clouds() {
  static const std::vector<CloudKind> kinds = make_kinds();
  return kinds;
}

}  // namespace burnish::bench
