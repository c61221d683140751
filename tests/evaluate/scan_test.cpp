#include "burnish/scan.hpp"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <sstream>

#include "burnish/error.hpp"
#include "burnish/io.hpp"
#include "burnish/mesh_distance.hpp"
#include "shared_data.hpp"
#include "test_clouds.hpp"

namespace burnish {
namespace {

constexpr double degree = std::numbers::pi / 180.0;
constexpr ScanLength::Unit spacings = ScanLength::Unit::spacing;

/// A scan as a table of doubles.
struct Scanned {
  ScanResult result;
  std::vector<double> scan, row, column, incidence;
  std::vector<Vec3> viewpoint, truth;

  explicit Scanned(ScanResult r) : result(std::move(r)) {
    scan = numbers("scan");
    row = numbers("row");
    column = numbers("column");
    incidence = numbers("incidence");
    viewpoint = vectors("viewpoint_");
    truth = vectors("true_");
  }
  [[nodiscard]] std::size_t size() const { return result.cloud.size(); }
  [[nodiscard]] const Vec3& position(std::size_t i) const { return result.cloud.positions[i]; }

 private:
  [[nodiscard]] std::vector<double> numbers(const std::string& name) const {
    const Column* const attribute = result.cloud.find_attribute(name);
    std::vector<double> values;
    std::visit(
        [&]<class T>(const std::vector<T>& own) {
          if constexpr (std::is_arithmetic_v<T>) {
            values.assign(own.begin(), own.end());
          }
        },
        attribute->values);
    return values;
  }
  [[nodiscard]] std::vector<Vec3> vectors(const std::string& prefix) const {
    const auto x = numbers(prefix + "x");
    const auto y = numbers(prefix + "y");
    const auto z = numbers(prefix + "z");
    std::vector<Vec3> all;
    for (std::size_t i = 0; i < x.size(); ++i) {
      all.emplace_back(x[i], y[i], z[i]);
    }
    return all;
  }
};

/// Settings without errors, only points that were seen, with their true positions.
ScanSettings exact(Sensor sensor) {
  ScanSettings settings = default_settings(sensor);
  settings.noise = settings.quantisation = settings.registration = settings.background = {};
  settings.beam = 0.0;
  settings.organised = false;
  settings.truth = true;
  return settings;
}

struct Pose {
  Vec3 position;
  Eigen::Quaterniond orientation;
};

/// From the comment that PCD files have as a line of their header.
Pose pose_of(const PointCloud& cloud) {
  for (const std::string& comment : cloud.comments) {
    std::istringstream words(comment);
    std::string keyword;
    Pose pose;
    words >> keyword >> pose.position.x() >> pose.position.y() >> pose.position.z();
    words >> pose.orientation.w() >> pose.orientation.x() >> pose.orientation.y() >> pose.orientation.z();
    if (keyword == "VIEWPOINT" && words) {
      return pose;
    }
  }
  ADD_FAILURE() << "no viewpoint";
  return {};
}

TriangleMesh model(const std::string& name) { return mesh_of(read(shared_data() / "models" / name)); }

/// The points in `count` bins of equal population by some value: root mean square of the errors against that of what
/// was expected, within 5 %.
void expect_deviation(const std::string& what, const std::vector<double>& by, const std::vector<double>& errors,
                      const std::vector<double>& expected, std::size_t count = 6) {
  std::vector<std::size_t> order(by.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return by[i]; });
  for (std::size_t bin = 0; bin < count; ++bin) {
    double sum = 0.0;
    const std::size_t begin = bin * by.size() / count;
    const std::size_t end = (bin + 1) * by.size() / count;
    ASSERT_GT(end - begin, 3000U);
    for (std::size_t k = begin; k < end; ++k) {
      sum += std::pow(errors[order[k]] / expected[order[k]], 2);
    }
    EXPECT_NEAR(std::sqrt(sum / static_cast<double>(end - begin)), 1.0, 0.05) << what << " from " << by[order[begin]];
  }
}

/// Errors of depth or range, checked against incidence, depth or range, row and column; and that they are along the
/// rays.
void expect_noise_as_specified(const Scanned& scanned, const ScanSettings& settings, const Vec3& centre) {
  std::vector<double> measures;
  std::vector<double> errors;
  std::vector<double> expected;
  double farthest = 0.0;
  for (std::size_t i = 0; i < scanned.size(); ++i) {
    const Vec3 axis = (centre - scanned.viewpoint[i]).normalized();
    const Vec3 ray = scanned.truth[i] - scanned.viewpoint[i];
    const double cosine = settings.sensor == Sensor::lidar ? 1.0 : ray.normalized().dot(axis);
    const double measure = ray.norm() * cosine;
    const Vec3 error = scanned.position(i) - scanned.truth[i];
    ASSERT_LT(error.cross(ray.normalized()).norm(), 1e-12 * scanned.result.reference);
    measures.push_back(measure);
    errors.push_back(error.dot(ray.normalized()) * cosine);
    expected.push_back(scanned.result.noise * std::pow(measure / scanned.result.reference, settings.range_power) /
                       std::pow(std::cos(scanned.incidence[i] * degree), settings.incidence_power));
    farthest = std::max(farthest, measure);
  }
  const double nearest = *std::ranges::min_element(measures);
  EXPECT_GT(farthest / nearest, 1.2) << "too little to see noise grow with range";
  expect_deviation("incidence", scanned.incidence, errors, expected);
  expect_deviation("range", measures, errors, expected);
  expect_deviation("row", scanned.row, errors, expected);
  expect_deviation("column", scanned.column, errors, expected);
}

TEST(Scan, NoiseOfThePartIsAsSpecified) {
  const auto part = make_shape("part");
  for (const Sensor sensor : {Sensor::depth, Sensor::lidar, Sensor::structured_light}) {
    SCOPED_TRACE(static_cast<int>(sensor));
    ScanSettings settings = exact(sensor);
    settings.noise = {0.5, spacings};
    settings.width = 600;
    settings.height = 300;
    settings.correlation = 0.0;
    settings.distance = {1.5, ScanLength::Unit::diameter};
    const Scanned scanned(scan(*part, settings));
    const Vec3 centre = scanned.result.viewpoints[0] -
                        scanned.result.reference * (scanned.result.viewpoints[0] - Vec3::Zero()).normalized();
    // The centre is found from the part's box, which is symmetric around the origin.
    ASSERT_LT(centre.norm(), 0.01);
    expect_noise_as_specified(scanned, settings, centre);
  }
}

TEST(Scan, NoiseOfModelsIsAsSpecified) {
  BURNISH_NEEDS_DATA();
  for (const char* name :
       {"bunny.obj", "fandisk.off", "anchor.off", "gargoyle.ply", "daratech.off", "dc.off", "lordquas.off"}) {
    for (const Sensor sensor : {Sensor::depth, Sensor::lidar, Sensor::structured_light}) {
      SCOPED_TRACE(name);
      const TriangleMesh mesh = model(name);
      Eigen::AlignedBox3d box;
      for (const Vec3& v : mesh.vertices) {
        box.extend(v);
      }
      ScanSettings settings = exact(sensor);
      settings.noise = {0.7, spacings};
      settings.correlation = 0.0;
      settings.width = 600;
      settings.height = 500;
      settings.distance = {1.5, ScanLength::Unit::diameter};
      const Scanned scanned(scan(mesh, settings));
      expect_noise_as_specified(scanned, settings, box.center());
      const MeshDistance distance(mesh);
      for (std::size_t i = 0; i < scanned.size(); i += 50) {
        ASSERT_LT(distance.squared_distance(scanned.truth[i]), 1e-24 * box.diagonal().squaredNorm());
      }
    }
  }
}

TEST(Scan, NoiseGrowsByThePowersGiven) {
  const auto sphere = make_shape("sphere");
  ScanSettings settings = exact(Sensor::lidar);
  settings.width = settings.height = 500;
  settings.distance = {0.8};
  settings.noise = {1e-5};
  settings.range_power = 3.0;
  settings.incidence_power = 2.0;
  settings.reference = {0.25};
  const Scanned scanned(scan(*sphere, settings));
  EXPECT_EQ(scanned.result.reference, 0.25);
  EXPECT_EQ(scanned.result.noise, 1e-5);
  expect_noise_as_specified(scanned, settings, Vec3::Zero());
}

TEST(Scan, IncidenceIsTheAngleToTheNormal) {
  const Scanned scanned(scan(*make_shape("sphere"), exact(Sensor::depth)));
  double steepest = 0.0;
  for (std::size_t i = 0; i < scanned.size(); ++i) {
    const Vec3 to_sensor = (scanned.viewpoint[i] - scanned.truth[i]).normalized();
    const double angle = std::acos(scanned.truth[i].normalized().dot(to_sensor)) / degree;
    ASSERT_NEAR(scanned.incidence[i], angle, 1e-4);
    steepest = std::max(steepest, angle);
  }
  EXPECT_LE(steepest, 85.0);
  EXPECT_GT(steepest, 84.0);
  ScanSettings all = exact(Sensor::depth);
  all.largest_incidence = 90.0;
  EXPECT_GT(scan(*make_shape("sphere"), all).points, scanned.size());
}

TEST(Scan, StructuredLightHasNoiseThatIsCorrelatedAlongRows) {
  ScanSettings settings = exact(Sensor::structured_light);
  settings.noise = {0.3, spacings};
  settings.height = 320;
  settings.incidence_power = 0.0;
  settings.range_power = 0.0;
  const Scanned scanned(scan(*make_shape("sphere"), settings));
  std::map<std::pair<int, int>, double> errors;
  for (std::size_t i = 0; i < scanned.size(); ++i) {
    const Vec3 axis = -scanned.viewpoint[i].normalized();
    errors[{static_cast<int>(scanned.row[i]), static_cast<int>(scanned.column[i])}] =
        (scanned.position(i) - scanned.truth[i]).dot(axis) / scanned.result.noise;
  }
  const auto correlation = [&](int rows, int columns) {
    double sum = 0.0;
    int count = 0;
    for (const auto& [place, error] : errors) {
      if (const auto other = errors.find({place.first + rows, place.second + columns}); other != errors.end()) {
        sum += error * other->second;
        ++count;
      }
    }
    return sum / count;
  };
  EXPECT_NEAR(correlation(0, 0), 1.0, 0.05);
  for (const int columns : {1, 4, 8, 16}) {
    EXPECT_NEAR(correlation(0, columns), std::exp(-columns / 8.0), 0.04) << columns;
  }
  EXPECT_NEAR(correlation(0, 60), 0.0, 0.04);
  EXPECT_NEAR(correlation(1, 0), 0.0, 0.04);
  EXPECT_NEAR(correlation(1, 1), 0.0, 0.04);
}

TEST(Scan, DisparitiesAreWholeNumbersOfSteps) {
  ScanSettings settings = exact(Sensor::depth);
  settings.quantisation = {0.004};
  settings.noise = {0.003};
  const Scanned scanned(scan(*make_shape("part"), settings));
  std::set<long> levels;
  for (std::size_t i = 0; i < scanned.size(); ++i) {
    const double depth = (scanned.position(i) - scanned.viewpoint[i]).dot(-scanned.viewpoint[i].normalized());
    const double steps = scanned.result.reference * scanned.result.reference / (0.004 * depth);
    ASSERT_NEAR(steps, std::round(steps), 0.05) << "the axis is known only as well as the centre of the part";
    levels.insert(std::lround(steps));
  }
  EXPECT_GT(levels.size(), 50U);
  settings.sensor = Sensor::lidar;
  const Scanned ranges(scan(*make_shape("part"), settings));
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const double steps = (ranges.position(i) - ranges.viewpoint[i]).norm() / 0.004;
    ASSERT_NEAR(steps, std::round(steps), 1e-9);
  }
}

/// Two squares that face the sensor at (0, 0, 5): one at z = 0 of side 4, one before its left half at z = 1.
TriangleMesh two_squares() {
  TriangleMesh mesh;
  mesh.vertices = {{-2, -2, 0}, {2, -2, 0}, {2, 2, 0}, {-2, 2, 0}, {-2, -2, 1}, {0, -2, 1}, {0, 2, 1}, {-2, 2, 1}};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}, {4, 5, 6}, {4, 6, 7}};
  return mesh;
}

TEST(Scan, PointsFloatBetweenForegroundAndBackground) {
  for (const Sensor sensor : {Sensor::depth, Sensor::lidar}) {
    ScanSettings settings = exact(sensor);
    settings.viewpoints = {{0.37, 0.21, 5.5}};  // from above, so that the edge passes through pixels at a slant
    settings.width = settings.height = 300;
    settings.beam.reset();
    const Scanned scanned(scan(two_squares(), settings));
    std::vector<double> heights;
    for (std::size_t i = 0; i < scanned.size(); ++i) {
      const double z = scanned.position(i).z();
      ASSERT_GT(z, -0.01);
      ASSERT_LT(z, 1.01);
      if (z > 0.02 && z < 0.98) {
        heights.push_back(z);
        EXPECT_LT(std::abs(scanned.position(i).x()), 0.15) << "not at the edge";
        EXPECT_TRUE(std::abs(scanned.truth[i].z()) < 1e-12 || std::abs(scanned.truth[i].z() - 1.0) < 1e-12);
      }
    }
    // A beam is as wide as a column of pixels; about that many contain the edge.
    EXPECT_GT(heights.size(), 100U);
    EXPECT_LT(heights.size(), 600U);
    std::ranges::sort(heights);
    double largest_gap = 0.0;
    for (std::size_t i = 1; i < heights.size(); ++i) {
      largest_gap = std::max(largest_gap, heights[i] - heights[i - 1]);
    }
    EXPECT_LT(largest_gap, 0.2) << "anywhere between, not on a few levels";
    settings.beam = 0.0;
    const Scanned single(scan(two_squares(), settings));
    for (std::size_t i = 0; i < single.size(); ++i) {
      ASSERT_LT((single.position(i) - single.truth[i]).norm(), 1e-12);
    }
  }
}

TEST(Scan, OutlinesFloatTowardsTheWallBehind) {
  ScanSettings settings = exact(Sensor::depth);
  settings.beam.reset();
  settings.background = {0.7};
  const auto flying = [&] {
    const Scanned scanned(scan(*make_shape("sphere"), settings));
    std::size_t count = 0;
    for (std::size_t i = 0; i < scanned.size(); ++i) {
      const double moved = (scanned.position(i) - scanned.truth[i]).norm();
      const Vec3 axis = -scanned.viewpoint[i].normalized();
      const double depth = (scanned.position(i) - scanned.viewpoint[i]).dot(axis);
      EXPECT_LT(depth, scanned.result.reference + 0.71);
      if (moved > 0.02) {
        ++count;
        EXPECT_GT(scanned.incidence[i], 70.0);
      }
    }
    return static_cast<double>(count) / static_cast<double>(scanned.size());
  };
  settings.largest_incidence = 90.0;
  const double share = flying();
  EXPECT_GT(share, 0.001);
  EXPECT_LT(share, 0.05);
  settings.background = {};
  EXPECT_EQ(flying(), 0.0);
}

TEST(Scan, ABeamChangesNothingOnAPlane) {
  TriangleMesh plane;
  plane.vertices = {{-9, -9, -9}, {9, -9, 9}, {9, 9, 9}, {-9, 9, -9}};
  plane.triangles = {{0, 1, 2}, {0, 2, 3}};
  ScanSettings settings = exact(Sensor::lidar);
  settings.viewpoints = {{-1, 0, 3}};
  settings.field_of_view = 20.0;
  settings.beam = 0.05;
  const Scanned scanned(scan(plane, settings));
  for (std::size_t i = 0; i < scanned.size(); ++i) {
    ASSERT_LT((scanned.position(i) - scanned.truth[i]).norm(), 2e-6);  // of second order in the beam
  }
}

/// The distance along a ray to the nearest triangle, by the plane of each and the signs of three volumes.
double nearest_triangle(const TriangleMesh& mesh, const Vec3& from, const Vec3& direction) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const auto& [i, j, k] : mesh.triangles) {
    const Vec3 a = mesh.vertices[i] - from;
    const Vec3 b = mesh.vertices[j] - from;
    const Vec3 c = mesh.vertices[k] - from;
    const double u = direction.dot(b.cross(c));
    const double v = direction.dot(c.cross(a));
    const double w = direction.dot(a.cross(b));
    const Vec3 normal = (b - a).cross(c - a);
    const double t = a.dot(normal) / direction.dot(normal);
    if (((u >= 0.0 && v >= 0.0 && w >= 0.0) || (u <= 0.0 && v <= 0.0 && w <= 0.0)) && t > 0.0) {
      nearest = std::min(nearest, t);
    }
  }
  return nearest;
}

TEST(Scan, NoPointOfAMeshIsBehindAnother) {
  BURNISH_NEEDS_DATA();
  for (const char* name : {"anchor.off", "gargoyle.ply"}) {
    SCOPED_TRACE(name);
    const TriangleMesh mesh = model(name);
    ScanSettings settings = exact(Sensor::depth);
    settings.views = 5;
    settings.width = settings.height = 40;
    const Scanned scanned(scan(mesh, settings));
    std::size_t views = 0;
    for (std::size_t i = 0; i < scanned.size(); i += 13) {
      const Vec3 ray = scanned.position(i) - scanned.viewpoint[i];
      const double distance = nearest_triangle(mesh, scanned.viewpoint[i], ray.normalized());
      ASSERT_NEAR(distance, ray.norm(), 1e-9 * ray.norm()) << i;
      views = std::max(views, static_cast<std::size_t>(scanned.scan[i]));
    }
    EXPECT_EQ(views, 4U);
  }
}

TEST(Scan, NoPointOfTheShapesIsBehindAnother) {
  for (const std::string_view name : shape_names()) {
    SCOPED_TRACE(name);
    const auto shape = make_shape(name);
    ScanSettings settings = exact(Sensor::lidar);
    settings.views = 7;
    settings.width = settings.height = 40;
    const Scanned scanned(scan(*shape, settings));
    ASSERT_GT(scanned.size(), 2000U);
    for (std::size_t i = 0; i < scanned.size(); i += 7) {
      const Vec3 ray = scanned.position(i) - scanned.viewpoint[i];
      ASSERT_LT(shape->distance(scanned.truth[i]), 1e-14);
      // Steps as long as the distance to the surface cannot pass through it.
      double t = 0.0;
      for (int step = 0; step < 3000 && t < ray.norm() - 1e-6; ++step) {
        t += shape->distance(scanned.viewpoint[i] + t * ray.normalized());
        ASSERT_LT(t, ray.norm() + 1e-12);
        if (shape->distance(scanned.viewpoint[i] + t * ray.normalized()) < 1e-9) {
          break;
        }
      }
      ASSERT_NEAR(t, ray.norm(), 1e-6) << i;
    }
  }
}

TEST(Scan, DirectionsAreThoseOfTheSensor) {
  ScanSettings settings = exact(Sensor::lidar);
  settings.width = 60;
  settings.height = 30;
  settings.field_of_view = 24.0;
  settings.viewpoints = {{3, 0, 0}};
  const Scanned lidar(scan(*make_shape("sphere"), settings));
  for (std::size_t i = 0; i < lidar.size(); ++i) {
    const Vec3 d = lidar.position(i) - lidar.viewpoint[i];
    // It looks along -x with z upwards, so that y grows to the right of the image.
    EXPECT_NEAR(std::atan2(d.y(), -d.x()) / degree, (lidar.column[i] + 0.5 - 30.0) * 24.0 / 60.0, 0.1);
    EXPECT_NEAR(-std::asin(d.normalized().z()) / degree, (lidar.row[i] + 0.5 - 15.0) * 24.0 / 30.0, 0.1);
  }
  settings.sensor = Sensor::structured_light;
  const Scanned stripes(scan(*make_shape("sphere"), settings));
  const double side = 2.0 * std::tan(12.0 * degree);
  for (std::size_t i = 0; i < stripes.size(); ++i) {
    const Vec3 d = stripes.position(i) - stripes.viewpoint[i];
    EXPECT_NEAR(-d.y() / d.x(), (stripes.column[i] + 0.5 - 30.0) * side / 60.0, 1e-3);
    EXPECT_NEAR(d.z() / d.x(), (stripes.row[i] + 0.5 - 15.0) * side / 30.0, 1e-3);
  }
}

TEST(Scan, OneViewOfADepthCameraIsAnImageThatPcdFilesKeep) {
  ScanSettings settings = default_settings(Sensor::depth);
  settings.width = 160;
  settings.height = 120;
  settings.truth = true;
  const Scanned scanned(scan(*make_shape("part"), settings));
  const PointCloud& cloud = scanned.result.cloud;
  ASSERT_EQ(cloud.width, 160U);
  ASSERT_EQ(cloud.height, 120U);
  ASSERT_EQ(cloud.size(), 160U * 120U);

  const std::filesystem::path file = std::filesystem::temp_directory_path() / "burnish-scan-test.pcd";
  write(file, cloud);
  const PointCloud again = read(file);
  std::filesystem::remove(file);
  EXPECT_TRUE(same_bits(again.positions, cloud.positions));
  EXPECT_EQ(again.width, cloud.width);
  EXPECT_EQ(again.height, cloud.height);
  EXPECT_EQ(again.comments, cloud.comments);
  ASSERT_EQ(again.attributes.size(), cloud.attributes.size());
  for (std::size_t i = 0; i < cloud.attributes.size(); ++i) {
    EXPECT_EQ(again.attributes[i].name, cloud.attributes[i].name);
    EXPECT_EQ(again.attributes[i].type(), cloud.attributes[i].type());
  }

  // With the pose of the file the points are at their pixels.
  const Pose pose = pose_of(again);
  EXPECT_EQ(pose.position, scanned.result.viewpoints[0]);
  EXPECT_NEAR(pose.orientation.norm(), 1.0, 1e-12);
  const double pixel = scanned.result.spacing / scanned.result.reference;
  std::size_t finite = 0;
  for (std::size_t i = 0; i < again.size(); ++i) {
    const Vec3& p = again.positions[i];
    EXPECT_EQ(scanned.row[i], static_cast<double>(i / 160));
    EXPECT_EQ(scanned.column[i], static_cast<double>(i % 160));
    EXPECT_EQ(is_finite(p), is_finite(scanned.truth[i]));
    EXPECT_EQ(is_finite(p), std::isfinite(scanned.incidence[i]));
    if (is_finite(p)) {
      const Vec3 q = pose.orientation.conjugate() * (p - pose.position);
      ASSERT_NEAR(q.x() / q.z(), pixel * (scanned.column[i] + 0.5 - 80.0), 1e-12);
      ASSERT_NEAR(q.y() / q.z(), pixel * (scanned.row[i] + 0.5 - 60.0), 1e-12);
      ++finite;
    }
  }
  EXPECT_EQ(finite, scanned.result.points);
  EXPECT_GT(finite, 2000U);

  settings.organised = false;
  const PointCloud seen = scan(*make_shape("part"), settings).cloud;
  EXPECT_EQ(seen.size(), finite);
  EXPECT_EQ(seen.height, 0U);
  settings.organised = true;
  settings.views = 2;
  EXPECT_EQ(scan(*make_shape("part"), settings).cloud.height, 0U);
}

TEST(Scan, ViewsAreMovedRigidly) {
  ScanSettings settings = exact(Sensor::depth);
  settings.views = 400;
  settings.width = settings.height = 12;
  settings.registration = {0.01};
  const Scanned scanned(scan(*make_shape("part"), settings));
  double found = 0.0;
  double expected = 0.0;
  double radius = 0.0;
  std::map<double, std::size_t> first;
  for (const Vec3& p : make_shape("part")->sample_at_random(20000, 1)) {
    radius = std::max(radius, p.norm());
  }
  for (std::size_t i = 0; i < scanned.size(); ++i) {
    const std::size_t k = first.try_emplace(scanned.scan[i], i).first->second;
    const double distance = (scanned.truth[i] - scanned.truth[k]).norm();
    ASSERT_NEAR((scanned.position(i) - scanned.position(k)).norm(), distance, 1e-12);
    const double to_viewpoint =
        (scanned.truth[i] - scanned.result.viewpoints[static_cast<std::size_t>(scanned.scan[i])]).norm();
    ASSERT_NEAR((scanned.position(i) - scanned.viewpoint[i]).norm(), to_viewpoint, 1e-12);
    found += (scanned.position(i) - scanned.truth[i]).squaredNorm();
    // Three directions of shift, two of rotation that move a place.
    expected += 1e-4 * (3.0 + 2.0 * scanned.truth[i].squaredNorm() / (radius * radius));
  }
  EXPECT_EQ(first.size(), 400U);
  EXPECT_NEAR(std::sqrt(found / expected), 1.0, 0.05);
  settings.views = 1;
  const Scanned one(scan(*make_shape("part"), settings));
  for (std::size_t i = 0; i < one.size(); ++i) {
    ASSERT_LT((one.position(i) - one.truth[i]).norm(), 1e-14) << "one view is registered with nothing";
  }
}

TEST(Scan, ViewpointsAreSpreadAround) {
  ScanSettings settings = exact(Sensor::depth);
  settings.views = 20;
  settings.width = settings.height = 20;
  settings.distance = {3.0};
  const std::vector<Vec3> viewpoints = scan(*make_shape("cube"), settings).viewpoints;
  ASSERT_EQ(viewpoints.size(), 20U);
  Vec3 sum = Vec3::Zero();
  double nearest = 10.0;
  for (const Vec3& p : viewpoints) {
    EXPECT_NEAR(p.norm(), 3.0, 0.01);
    sum += p;
    for (const Vec3& q : viewpoints) {
      nearest = p == q ? nearest : std::min(nearest, (p - q).norm());
    }
  }
  EXPECT_LT(sum.norm() / 20.0, 0.15);
  EXPECT_GT(nearest, 0.75 * 3.0 * std::sqrt(4.0 * std::numbers::pi / 20.0));
}

TEST(Scan, SpacingIsThatOfThePoints) {
  // Of points that face the sensor at the reference distance: on a plane through the centre, across the axis.
  TriangleMesh square;
  square.vertices = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
  square.triangles = {{0, 1, 2}, {0, 2, 3}};
  for (const Sensor sensor : {Sensor::depth, Sensor::lidar, Sensor::structured_light}) {
    ScanSettings settings = exact(sensor);
    settings.viewpoints = {{0, 0, 9}};
    const ScanResult result = scan(square, settings);
    EXPECT_NEAR(result.spacing, std::sqrt(4.0 / static_cast<double>(result.points)), 0.01 * result.spacing);
    EXPECT_EQ(result.reference, 9.0);
    EXPECT_NEAR(result.diameter, std::sqrt(8.0), 1e-12);
  }
}

TEST(Scan, BytesDependOnTheSeedButNotOnThreads) {
  const TriangleMesh mesh = two_squares();
  for (const Sensor sensor : {Sensor::depth, Sensor::lidar, Sensor::structured_light}) {
    ScanSettings settings = default_settings(sensor);
    settings.width = settings.height = 150;
    settings.views = 3;
    settings.truth = true;
    ExecutionContext one;
    one.threads = 1;
    ExecutionContext three;
    three.threads = 3;
    const ScanResult a = scan(mesh, settings, one);
    const ScanResult b = scan(mesh, settings, three);
    EXPECT_TRUE(same_bits(a.cloud.positions, b.cloud.positions));
    ASSERT_EQ(a.cloud.attributes.size(), b.cloud.attributes.size());
    for (std::size_t i = 0; i < a.cloud.attributes.size(); ++i) {
      EXPECT_EQ(a.cloud.attributes[i].values, b.cloud.attributes[i].values);
    }
    settings.seed = 2;
    EXPECT_FALSE(same_bits(scan(mesh, settings, one).cloud.positions, a.cloud.positions));
  }
}

TEST(Scan, SizeAndPlaceDoNotMatter) {
  const TriangleMesh mesh = two_squares();
  ScanSettings settings = default_settings(Sensor::depth);
  settings.width = settings.height = 80;
  settings.organised = false;
  const PointCloud expected = scan(mesh, settings).cloud;
  for (const double scale : {1e-6, 1e6}) {
    const Vec3 move(500, -300, 4000);
    TriangleMesh other = mesh;
    for (Vec3& v : other.vertices) {
      v = scale * (v + move);
    }
    const PointCloud found = scan(other, settings).cloud;
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      ASSERT_LT((found.positions[i] / scale - move - expected.positions[i]).norm(), 1e-8) << i;
    }
  }
}

TEST(Scan, ARoomCanBeScannedFromWithin) {
  TriangleMesh room;
  for (const int i : {0, 1, 2, 3, 4, 5, 6, 7}) {
    room.vertices.emplace_back(i & 1, i >> 1 & 1, i >> 2 & 1);
  }
  // Normals inwards.
  room.triangles = {{0, 1, 3}, {0, 3, 2}, {4, 7, 5}, {4, 6, 7}, {0, 5, 1}, {0, 4, 5},
                    {2, 3, 7}, {2, 7, 6}, {0, 2, 6}, {0, 6, 4}, {1, 7, 3}, {1, 5, 7}};
  ScanSettings settings = exact(Sensor::lidar);
  settings.viewpoints = {{0.4, 0.5, 0.3}};
  settings.largest_incidence = 90.0;
  const ScanResult result = scan(room, settings);
  EXPECT_EQ(result.points, 720U * 120U) << "all around";
  for (auto& triangle : room.triangles) {
    std::swap(triangle[0], triangle[1]);
  }
  EXPECT_THROW((void)scan(room, settings), Error);
}

/// The message of the error, or nothing.
template <class Scene>
std::string refusal(const Scene& scene, const ScanSettings& settings) {
  try {
    (void)scan(scene, settings);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Scan, RefusesWhatMakesNoSense) {
  const auto sphere = make_shape("sphere");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [&](const auto& change) {
    ScanSettings settings = default_settings(Sensor::depth);
    settings.width = settings.height = 10;
    change(settings);
    return refusal(*sphere, settings);
  };
  EXPECT_EQ(refused([](ScanSettings&) {}), "");
  EXPECT_EQ(refused([](ScanSettings& s) { s.width = 0; }), "the width of the image is 0, expected 1 to 65535");
  EXPECT_NE(refused([](ScanSettings& s) { s.height = 1000000; }), "");
  EXPECT_NE(refused([](ScanSettings& s) { s.width = s.height = 65535; }).find("more than the 268435456"),
            std::string::npos);
  EXPECT_NE(refused([](ScanSettings& s) { s.views = 0; }), "");
  EXPECT_NE(refused([](ScanSettings& s) { s.views = ~std::size_t{0}; }), "");
  EXPECT_NE(refused([](ScanSettings& s) { s.viewpoints = {{0.1, 0.2, 0.3}}; }).find("is inside"), std::string::npos);
  EXPECT_NE(refused([&](ScanSettings& s) { s.viewpoints = {{3, nan, 0}}; }), "");
  EXPECT_NE(refused([](ScanSettings& s) { s.distance = {0.1}; }).find("is inside"), std::string::npos);
  EXPECT_NE(refused([](ScanSettings& s) { s.distance = {3.0, spacings}; }), "");
  EXPECT_NE(refused([](ScanSettings& s) { s.field_of_view = 180.0; }), "");
  EXPECT_NE(refused([](ScanSettings& s) { s.largest_incidence = 0.0; }).find("no point is seen"), std::string::npos);
  for (const double bad : {nan, -1.0, std::numeric_limits<double>::infinity()}) {
    EXPECT_NE(refused([&](ScanSettings& s) { s.noise = {bad}; }), "");
    EXPECT_NE(refused([&](ScanSettings& s) { s.reference = {bad}; }), "");
    EXPECT_NE(refused([&](ScanSettings& s) { s.quantisation = {bad, spacings}; }), "");
    EXPECT_NE(refused([&](ScanSettings& s) { s.background = {bad}; }), "");
    EXPECT_NE(refused([&](ScanSettings& s) { s.registration = {bad}; }), "");
    EXPECT_NE(refused([&](ScanSettings& s) { s.distance = {bad}; }), "");
    EXPECT_NE(refused([&](ScanSettings& s) { s.field_of_view = bad; }), "");
    EXPECT_NE(refused([&](ScanSettings& s) { s.largest_incidence = bad; }), "");
    EXPECT_NE(refused([&](ScanSettings& s) { s.range_power = bad; }), "");
    EXPECT_NE(refused([&](ScanSettings& s) { s.incidence_power = bad; }), "");
    EXPECT_NE(refused([&](ScanSettings& s) { s.correlation = bad; }), "");
    EXPECT_NE(refused([&](ScanSettings& s) { s.beam = bad; }), "");
  }
  EXPECT_EQ(refusal(TriangleMesh{}, {}), "the mesh has no triangles");
  TriangleMesh point;
  point.vertices = {{1, 1, 1}};
  point.triangles = {{0, 0, 0}};
  EXPECT_NE(refusal(point, {}).find("no triangle of the mesh has an area"), std::string::npos);
  TriangleMesh needle;
  needle.vertices = {{0, 0, 0}, {1, 2, 3}, {2, 4, 6}};
  needle.triangles = {{0, 1, 2}};
  EXPECT_NE(refusal(needle, {}).find("no triangle of the mesh has an area"), std::string::npos);
}

TEST(Scan, RefusesLengthsThatAreTooLargeForTheScene) {
  const auto sphere = make_shape("sphere");
  constexpr ScanLength::Unit diameters = ScanLength::Unit::diameter;
  const auto refused = [&](const auto& change) {
    ScanSettings settings = default_settings(Sensor::depth);
    settings.width = settings.height = 10;
    settings.views = 2;
    change(settings);
    return refusal(*sphere, settings);
  };
  const std::string expected = "expected at most 1e+07 times the diameter of the scene";
  EXPECT_NE(refused([](ScanSettings& s) { s.viewpoints = {{1.1e7, 0, 0}}; }).find(expected), std::string::npos);
  EXPECT_NE(refused([](ScanSettings& s) { s.viewpoints = {{1e308, 1e308, 0}}; }).find(expected), std::string::npos);
  EXPECT_NE(refused([&](ScanSettings& s) { s.distance = {1e300, diameters}; }).find(expected), std::string::npos);
  EXPECT_NE(refused([&](ScanSettings& s) { s.reference = {1e8, diameters}; }).find(expected), std::string::npos);
  EXPECT_NE(refused([](ScanSettings& s) { s.noise = {1e300}; }).find(expected), std::string::npos);
  EXPECT_NE(refused([](ScanSettings& s) { s.quantisation = {1e12, spacings}; }).find(expected), std::string::npos);
  EXPECT_NE(refused([](ScanSettings& s) { s.background = {1e308}; }).find(expected), std::string::npos);
  EXPECT_NE(refused([](ScanSettings& s) { s.registration = {1e308}; }).find(expected), std::string::npos);
  // At the largest distance that is allowed, points are still where they were seen.
  ScanSettings far = exact(Sensor::lidar);
  far.viewpoints = {{9e6, 0, 0}};
  for (const Vec3& p : scan(*sphere, far).cloud.positions) {
    ASSERT_LT(sphere->distance(p), 1e-6);
  }
  EXPECT_NE(refused([](ScanSettings& s) { s.reference = {1e-300}; }).find("errors are so large"), std::string::npos);
}

TEST(Scan, SurvivesNoiseLargerThanTheScene) {
  ScanSettings settings = default_settings(Sensor::depth);
  settings.width = settings.height = 50;
  settings.noise = {1e6};
  settings.registration = {1e6};
  settings.quantisation = {};
  settings.organised = false;
  for (const Vec3& p : scan(*make_shape("torus"), settings).cloud.positions) {
    ASSERT_TRUE(is_finite(p));
  }
}

TEST(Scan, SettingsCanBeGivenAsText) {
  const auto with = [](std::string_view name, std::string_view value) {
    ScanSettings settings;
    set_scan_option(settings, name, value);
    return settings;
  };
  EXPECT_EQ(with("noise", "0.25").noise.value, 0.25);
  EXPECT_EQ(with("noise", "0.25").noise.unit, ScanLength::Unit::absolute);
  EXPECT_EQ(with("noise", "0.5spacing").noise.unit, ScanLength::Unit::spacing);
  EXPECT_EQ(with("distance", " 2e-1 diameter ").distance.value, 0.2);
  EXPECT_EQ(with("distance", "2e-1 diameter").distance.unit, ScanLength::Unit::diameter);
  EXPECT_EQ(with("width", "17").width, 17U);
  EXPECT_EQ(with("beam", "0").beam, 0.0);
  EXPECT_EQ(with("seed", "18446744073709551615").seed, ~std::uint64_t{0});
  for (const char* wrong : {"", "spacing", "1 metre", "nan", "1e999", "0.5spacing2"}) {
    EXPECT_THROW((void)with("noise", wrong), Error) << wrong;
  }
  for (const char* wrong : {"", "-1", "1.5", "1e3", "99999999999999999999"}) {
    EXPECT_THROW((void)with("width", wrong), Error) << wrong;
  }
  EXPECT_THROW((void)with("range-power", "2x"), Error);
  EXPECT_THROW((void)with("colour", "2"), Error);
  EXPECT_EQ(find_sensor("structured-light"), Sensor::structured_light);
  EXPECT_THROW((void)find_sensor("sonar"), Error);
  for (const ScanOption& option : scan_options()) {
    EXPECT_FALSE(option.defaults.empty()) << option.name;
    EXPECT_FALSE(option.meaning.empty()) << option.name;
  }
}

}  // namespace
}  // namespace burnish
