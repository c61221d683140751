#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/mesh.hpp"
#include "burnish/point_cloud.hpp"
#include "burnish/shapes.hpp"

// A virtual scanner: it casts rays from one or several viewpoints at a mesh or an exactly known shape and simulates the
// measurement of a sensor. The error of every point is known, because its true position is.
//
//     ScanSettings settings = default_settings(Sensor::lidar);
//     settings.views = 6;
//     settings.noise = {0.002};
//     settings.truth = true;
//     const PointCloud cloud = scan(*make_shape("part"), settings).cloud;
//
// docs/scan.md has the formulas and pictures.

namespace burnish {

enum class Sensor : std::uint8_t {
  depth,            ///< a depth camera: an image of square pixels that measures depth by disparity
  lidar,            ///< a laser scanner: lines of directions at equal angles that measures range
  structured_light  ///< stripes seen by a camera: as a depth camera, with rows apart from each other
};

/// A length; a plain number is one in the unit of the mesh or shape.
struct ScanLength {
  enum class Unit : std::uint8_t {
    absolute,  ///< the unit of the mesh or shape
    spacing,   ///< the spacing of the points on a surface that faces the sensor at the reference distance
    diameter   ///< the diameter of the mesh or shape (sampled_diameter)
  };
  double value = 0.0;
  Unit unit = Unit::absolute;
};

/// The measured quantity, m below, is the depth (the distance from the sensor along its axis) or, for a lidar, the
/// range (the distance from the sensor). Errors move a point along its ray only.
///
/// The default values are those of the depth camera; default_settings returns those of any sensor.
struct ScanSettings {
  Sensor sensor = Sensor::depth;

  // Where the sensor is. It looks at the centre of the bounding box, with the z axis upwards in the image.
  std::vector<Vec3> viewpoints;                          ///< none: as many as `views`, spread evenly around the centre
  std::size_t views = 1;                                 ///< where no viewpoints are given
  ScanLength distance{2.0, ScanLength::Unit::diameter};  ///< from the centre, where no viewpoints are given

  // The image.
  std::size_t width = 640;   ///< points in a row
  std::size_t height = 480;  ///< rows
  /// Degrees from one side of the image to the other, for a depth camera across the shorter side; 0: the smallest angle
  /// that contains all of the mesh or shape, seen from the nearest viewpoint.
  double field_of_view = 0.0;
  /// Degrees; surfaces seen at a more grazing angle than this give no point.
  double largest_incidence = 85.0;

  // Errors. Every one can be set to 0.
  /// Standard deviation of m at the reference distance on a surface that faces the sensor. In general it is
  ///     noise (m / reference)^range_power / cos(incidence)^incidence_power
  ScanLength noise{0.5, ScanLength::Unit::spacing};
  ScanLength reference;  ///< 0: the mean distance of the viewpoints from the centre
  double range_power = 2.0;
  double incidence_power = 1.0;
  /// Columns over which the noise is correlated along a row: k columns apart the correlation is exp(-k / correlation).
  double correlation = 0.0;
  /// Quantisation step of m at the reference distance. Cameras quantise 1 / m, as disparity, so that steps grow with
  /// the square of m; a lidar has the same step everywhere.
  ScanLength quantisation{1.0, ScanLength::Unit::spacing};
  /// Angle in degrees of the cone over which a measurement averages: where it contains an edge, the point lies between
  /// foreground and background (flying or mixed pixels). nullopt: the angle between neighbouring points. 0: one ray for
  /// each point.
  std::optional<double> beam;
  /// Distance behind the centre of a wall, which is the background of flying pixels at outlines. It produces no points
  /// itself. 0: no wall.
  ScanLength background{1.0, ScanLength::Unit::diameter};
  /// If there are several views, each is moved by a random rigid motion: a translation, and a rotation about the centre
  /// that moves the outermost points as far. Standard deviation in every direction.
  ScanLength registration{0.5, ScanLength::Unit::spacing};

  bool truth = false;      ///< adds the attributes true_x, true_y, true_z
  bool organised = true;   ///< one view of a depth camera becomes an image in which missing points are NaN
  std::uint64_t seed = 1;  ///< of all random errors
};

/// The settings of a sensor. They differ in
///
///                      depth       lidar       structured light
///     width × height   640 × 480   720 × 120   640 × 160
///     range_power      2           0           2
///     incidence_power  1           0.5         1
///     correlation      0           0           8
///     quantisation     1 spacing   0           0
///     background       1 diameter  1 diameter  0
[[nodiscard]] ScanSettings default_settings(Sensor sensor);

/// "depth", "lidar", "structured-light".
[[nodiscard]] std::span<const std::string_view> sensor_names();

/// Throws Error, listing the sensors, if there is none of that name.
[[nodiscard]] Sensor find_sensor(std::string_view name);

/// A setting by its name in text, for the command and the Python module.
struct ScanOption {
  std::string name;      ///< "field-of-view"
  std::string type;      ///< form of a value: "LENGTH" such as 0.002, 0.5spacing or 2diameter, "DEGREES", "X", "N"
  std::string meaning;   ///< one line
  std::string defaults;  ///< "0.5spacing", or where sensors differ "2, lidar 0"
};

/// The settings that have one value for every sensor and view; not `viewpoints`, `truth` and `organised`.
[[nodiscard]] const std::vector<ScanOption>& scan_options();

/// Sets one of them. Throws Error if there is none of that name, or the text is not a value of its type.
void set_scan_option(ScanSettings& settings, std::string_view name, std::string_view value);

struct ScanResult {
  /// The points of all views, one view after the other, row by row. Attributes:
  ///     scan                                    number of the view
  ///     row, column                             place in the image or of the scan line
  ///     viewpoint_x, viewpoint_y, viewpoint_z   position of the sensor, including the registration error
  ///     incidence                               degrees between the ray and the normal of the surface
  ///     true_x, true_y, true_z                  where the ray met the surface
  /// An organised cloud also has the comment "VIEWPOINT x y z w i j k", position and orientation of the camera (its
  /// axes: x to the right of the image, y downwards, z forwards), which is the header line of that name in a PCD file.
  PointCloud cloud;

  std::size_t points = 0;        ///< without the missing ones of an organised cloud
  std::size_t rays = 0;          ///< that were cast
  std::vector<Vec3> viewpoints;  ///< true ones
  double spacing = 0.0;          ///< the unit `spacing`
  double diameter = 0.0;         ///< the unit `diameter`
  double reference = 0.0;        ///< the reference distance
  double noise = 0.0;            ///< standard deviation there
};

/// Simulates a scan. The same input and seed give the same bytes for any number of threads. Progress is reported as
/// "scanning". Throws Error if a setting is out of range or larger than 10^7 diameters, a viewpoint is inside (for a
/// mesh: where its winding number is above one half, so that a room whose normals point inwards can be scanned from
/// within) or as far away as that, no point is measured, or, for a mesh, no triangle has an area or MeshRays throws.
[[nodiscard]] ScanResult scan(const Shape& shape, const ScanSettings& settings = {},
                              const ExecutionContext& context = {});
[[nodiscard]] ScanResult scan(const TriangleMesh& mesh, const ScanSettings& settings = {},
                              const ExecutionContext& context = {});

}  // namespace burnish
