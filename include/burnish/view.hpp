#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/point_cloud.hpp"

// Visualisation: make_scene computes the displayed values of clouds, write_page and write_picture show them.
//
//     const ViewedCloud clouds[] = {{"before", noisy, {}}, {"after", smooth, {}}};
//     const Scene scene = make_scene(clouds);
//     write_picture("look.png", scene);
//     write_page("look.html", page_template, scene);

namespace burnish {

/// A number or setting displayed beside the picture.
struct Fact {
  std::string name;
  std::string value;
  std::string meaning;  ///< an explanation, one sentence; may be empty
};

struct ViewedCloud {
  std::string name;
  const PointCloud& cloud;
  std::vector<Fact> facts;
};

/// The upward direction in a picture.
enum class UpAxis : std::uint8_t { x, y, z, minus_x, minus_y, minus_z };

struct ViewSettings {
  std::string title;
  /// The unit of the coordinates, such as "m", for labels only. Empty: unknown.
  std::string unit;
  /// Points to show in all clouds together. If there are more, every cloud is thinned by the same factor, evenly in
  /// space.
  std::size_t max_points = 5000000;
  /// Distance of a position to the true surface; empty if unknown. Called from several threads.
  std::function<double(const Vec3&)> distance_to_truth;
  /// The initial view direction: degrees around the vertical, counted from the first of the two horizontal axes, and
  /// above the horizon.
  double azimuth = -53.0;
  double elevation = 30.0;
  UpAxis up = UpAxis::z;
};

using Rgb = std::array<std::uint8_t, 3>;

/// The displayed points of a cloud, some or all of them, in spatial order.
struct SceneCloud {
  std::string name;
  std::size_t points = 0;      ///< in the cloud
  std::size_t not_finite = 0;  ///< of these, left out
  /// Point i is the same point as point i of the first cloud, and has row rows[i] in both.
  bool follows_first = false;
  std::vector<std::uint32_t> rows;
  std::vector<Vec3> positions;
  std::vector<Eigen::Vector3f> normals;  ///< unit length, outwards where that can be determined
  std::vector<Rgb> colours;              ///< colours of the file, or its intensities as greys; empty if it has neither
  double spacing = 0.0;                  ///< of the points shown
  std::vector<Fact> facts;
};

/// A number at every point, displayed by colour: computed by make_scene, or an attribute of the file.
struct SceneField {
  std::string id;  ///< "move", "moved", "truth", "noise", "curvature"; "attribute NAME" for one of the file
  std::string label;
  std::string unit;
  bool has_sign = false;  ///< positive and negative values have different colours, and low is −high
  double low = 0.0;       ///< ends of the colour scale: nearly all values are between
  double high = 0.0;
  bool is_attribute = false;
  bool is_whole = false;  ///< an attribute whose type is an integer
  double origin = 0.0;    ///< to be added to each of the values; 0 for computed ones
  /// For every cloud of the scene; NaN at points, and empty for clouds, where it cannot be computed.
  std::vector<std::vector<float>> values;
};

struct Scene {
  ViewSettings settings;
  std::vector<SceneCloud> clouds;
  std::vector<SceneField> fields;
};

/// Computes the values of clouds, the first of which is the one before denoising:
///
///     move       how far the point came from its place in the first cloud, along the normal (plus is outwards);
///     moved      the same in any direction; both only for clouds with as many points as the first, which are taken to
///                be the same points; for the first, what the second does with it, if there are only two
///     truth      distance to the truth, if that is given
///     noise      standard deviation of the noise around the point, as estimated from the cloud; not if the files have
///                an attribute of that name
///     curvature  mean curvature of the quadric that fits the nearest points best, plus on convex places
///     attribute  NAME: every attribute of the files that is a number, but colours and normals
///
/// Throws Error if there is no cloud, or a cloud without finite points. Progress is reported as "measuring".
[[nodiscard]] Scene make_scene(std::span<const ViewedCloud> clouds, const ViewSettings& settings = {},
                               const ExecutionContext& context = {});

/// Writes a scene as one self-contained HTML file: the template, which is built from viewer/, with the data inserted.
/// Throws Error if the template is invalid or the file cannot be written; it appears complete or not at all.
void write_page(const std::filesystem::path& path, std::string_view page_template, const Scene& scene,
                const ExecutionContext& context = {});

/// What a picture shows.
enum class PictureOf : std::uint8_t {
  shapes_and_error,  ///< every cloud, shaded, and then the error of the last one by colour
  errors,            ///< every cloud by its error
  curvatures         ///< every cloud by its mean curvature
};

/// Renders a scene without a display, clouds side by side. The error is the distance to the truth or, if that is
/// unknown, how far points moved; all clouds have the same colour scale. Written as PNG, complete or not at all.
void write_picture(const std::filesystem::path& path, const Scene& scene, PictureOf what = PictureOf::shapes_and_error,
                   const ExecutionContext& context = {});

}  // namespace burnish
