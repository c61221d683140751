#include <Eigen/Geometry>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <numbers>
#include <string_view>

#include "core/math.hpp"
#include "io/block_writer.hpp"
#include "view/colour_map.hpp"
#include "view/image.hpp"

namespace burnish {
namespace {

constexpr std::size_t panel_width = 460;
constexpr std::size_t panel_height = 430;
constexpr std::size_t heading_height = 40;
constexpr std::size_t legend_height = 56;
constexpr std::size_t finer = 2;  ///< pixels are averages of `finer` × `finer`
constexpr double margin = 24.0;
constexpr double text_size = 11.0;
constexpr Rgb white{255, 255, 255};
constexpr Rgb ink{38, 44, 52};
constexpr Rgb faint_ink{104, 112, 122};

/// Turns the world so that x goes right on the picture, y up, and z towards the viewer.
Eigen::Matrix3d view_axes(const ViewSettings& settings) {
  const auto axis = static_cast<int>(settings.up);
  const Vec3 up = (axis < 3 ? 1.0 : -1.0) * Vec3::Unit(axis % 3);
  const Vec3 first = Vec3::Unit((axis + 1) % 3);
  const Vec3 second = up.cross(first);
  const double azimuth = settings.azimuth * std::numbers::pi / 180.0;
  const double elevation = settings.elevation * std::numbers::pi / 180.0;
  const Vec3 right = -math::sin(azimuth) * first + math::cos(azimuth) * second;
  const Vec3 to_viewer =
      math::sin(elevation) * up + math::cos(elevation) * (math::cos(azimuth) * first + math::sin(azimuth) * second);
  Eigen::Matrix3d axes;
  axes.row(0) = right;
  axes.row(1) = to_viewer.cross(right);
  axes.row(2) = to_viewer;
  return axes;
}

/// Where the world lies on a panel.
struct Camera {
  Eigen::Matrix3d axes;
  Eigen::Vector2d middle;  ///< of what is seen, in units of the world
  double scale = 1.0;      ///< fine pixels for one unit of the world
};

/// A camera that sees all clouds but their outermost few points.
Camera camera_for(const Scene& scene) {
  constexpr double left_out = 0.0005;
  Camera camera{view_axes(scene.settings), Eigen::Vector2d::Zero(), 1.0};
  Eigen::Vector2d low = Eigen::Vector2d::Zero();
  Eigen::Vector2d high = Eigen::Vector2d::Zero();
  for (int axis = 0; axis < 2; ++axis) {
    std::vector<double> places;
    for (const SceneCloud& cloud : scene.clouds) {
      for (const Vec3& p : cloud.positions) {
        places.push_back(camera.axes.row(axis).dot(p));
      }
    }
    const auto skipped = static_cast<std::ptrdiff_t>(left_out * static_cast<double>(places.size()));
    std::nth_element(places.begin(), places.begin() + skipped, places.end());
    low[axis] = places[static_cast<std::size_t>(skipped)];
    std::nth_element(places.begin(), places.end() - 1 - skipped, places.end());
    high[axis] = *(places.end() - 1 - skipped);
  }
  camera.middle = 0.5 * (low + high);
  const Eigen::Vector2d room(panel_width - 2.0 * margin, panel_height - 2.0 * margin);
  const double fitting = (room.array() / (high - low).array()).minCoeff();
  camera.scale = std::isfinite(fitting) ? static_cast<double>(finer) * fitting : 1.0;
  return camera;
}

/// Lit from the viewer's upper left, softly: what is turned away is not black. The same as on the page.
double brightness(const Vec3& normal) {
  static const Vec3 light = Vec3(-0.40, 0.50, 0.80).normalized();
  return 0.22 + 0.82 * math::pow(0.5 + 0.5 * normal.dot(light), 1.5);
}

/// Few enough steps that a picture stays small, too many to be seen.
std::uint8_t to_byte(double part_of_one) {
  return static_cast<std::uint8_t>(std::lround(std::clamp(part_of_one, 0.0, 1.0) * 63.0) * 255 / 63);
}

/// Points as round discs that lie on the surface, the nearest in front. Colour is called with the number of the point.
template <class Colour>
Image draw_cloud(const SceneCloud& cloud, const Camera& camera, const Colour& colour, const ExecutionContext& context) {
  Image fine(finer * panel_width, finer * panel_height, white);
  std::vector<double> depth(fine.pixels.size(), -std::numeric_limits<double>::infinity());
  const double radius = std::max(0.95 * camera.scale * cloud.spacing, 0.75 * static_cast<double>(finer));
  const Eigen::Vector2d centre(0.5 * static_cast<double>(fine.width), 0.5 * static_cast<double>(fine.height));
  for (std::size_t i = 0; i < cloud.positions.size(); ++i) {
    if (i % 65536 == 0) {
      context.report("drawing", static_cast<double>(i) / static_cast<double>(cloud.positions.size()));
    }
    const Vec3 place = camera.axes * cloud.positions[i];
    const double x = centre.x() + camera.scale * (place.x() - camera.middle.x());
    const double y = centre.y() - camera.scale * (place.y() - camera.middle.y());
    if (!(x > -radius && y > -radius && x < static_cast<double>(fine.width) + radius &&
          y < static_cast<double>(fine.height) + radius)) {
      continue;
    }
    Vec3 normal = camera.axes * cloud.normals[i].cast<double>();
    normal = normal.z() < 0.0 ? (-normal).eval() : normal;
    const double steepness = std::max(0.45, normal.z());  // seen from the side a disc would vanish
    const Vec3 lit = brightness(normal) * colour(i);
    const Rgb bytes{to_byte(lit.x()), to_byte(lit.y()), to_byte(lit.z())};
    const auto first = [&](double at) { return static_cast<std::size_t>(std::max(0.0, std::ceil(at - radius))); };
    const auto last = [&](double at, std::size_t size) {
      return std::min(size, static_cast<std::size_t>(std::max(0.0, at + radius + 1.0)));
    };
    for (std::size_t row = first(y); row < last(y, fine.height); ++row) {
      for (std::size_t column = first(x); column < last(x, fine.width); ++column) {
        const double dx = static_cast<double>(column) - x;
        const double dy = y - static_cast<double>(row);
        const double dz = -(normal.x() * dx + normal.y() * dy) / steepness;
        double& there = depth[row * fine.width + column];
        const double here = camera.scale * place.z() + dz;
        if (dx * dx + dy * dy + dz * dz <= radius * radius && here > there) {
          there = here;
          fine.at(column, row) = bytes;
        }
      }
    }
  }
  return fine;
}

void paste_averages(const Image& fine, Image& image, std::size_t left, std::size_t top) {
  for (std::size_t y = 0; y < fine.height / finer; ++y) {
    for (std::size_t x = 0; x < fine.width / finer; ++x) {
      std::array<std::size_t, 3> sum{};
      for (std::size_t k = 0; k < finer * finer; ++k) {
        const Rgb& pixel = fine.at(finer * x + k % finer, finer * y + k / finer);
        for (std::size_t c = 0; c < 3; ++c) {
          sum[c] += pixel[c];
        }
      }
      Rgb& pixel = image.at(left + x, top + y);
      for (std::size_t c = 0; c < 3; ++c) {
        pixel[c] = to_byte(static_cast<double>(sum[c]) / (255.0 * finer * finer));
      }
    }
  }
}

void draw_heading(Image& image, const std::string& text, std::size_t left, std::size_t top) {
  constexpr double size = 1.2 * text_size;
  const std::string fitted = fitted_text(text, size, panel_width - 2.0 * margin);
  draw_text(image, fitted, static_cast<double>(left) + margin, static_cast<double>(top) + 30.0, size, ink);
}

void draw_legend(Image& image, const SceneField& field, std::size_t left, std::size_t top) {
  constexpr std::size_t width = panel_width - 160;
  constexpr std::size_t height = 12;
  const std::size_t bar_left = left + (panel_width - width) / 2;
  for (std::size_t x = 0; x < width; ++x) {
    const Vec3 colour = mapped_colour(field.has_sign, (static_cast<double>(x) + 0.5) / width);
    for (std::size_t y = 0; y < height; ++y) {
      image.at(bar_left + x, top + y) = {to_byte(colour.x()), to_byte(colour.y()), to_byte(colour.z())};
    }
  }
  for (const double part : {0.0, 0.5, 1.0}) {
    std::string label = fmt::format("{:.3g}", field.low + part * (field.high - field.low));
    if (part == 1.0 && !field.unit.empty()) {
      label += " " + field.unit;
    }
    label = fitted_text(label, text_size, 0.45 * width);
    const double x = static_cast<double>(bar_left) + part * width - 0.5 * text_width(label, text_size);
    draw_text(image, label, x, static_cast<double>(top + height) + 18.0, text_size, faint_ink);
  }
}

/// The first of these fields that the last cloud has; nullptr if there is none.
const SceneField* find_field(const Scene& scene, std::initializer_list<std::string_view> ids) {
  for (const std::string_view id : ids) {
    const auto found = std::ranges::find(scene.fields, id, &SceneField::id);
    if (found != scene.fields.end() && !found->values.back().empty()) {
      return &*found;
    }
  }
  return nullptr;
}

/// A cloud, and the field that colours it; as it is if that is nullptr or the cloud does not have it.
struct Panel {
  std::size_t cloud;
  const SceneField* field;
  std::string heading;
};

std::vector<Panel> panels_of(const Scene& scene, PictureOf what, const SceneField* field) {
  std::vector<Panel> panels;
  for (std::size_t c = 0; c < scene.clouds.size(); ++c) {
    panels.push_back({c, what == PictureOf::shapes_and_error ? nullptr : field, scene.clouds[c].name});
  }
  if (what == PictureOf::shapes_and_error && field != nullptr) {
    panels.push_back({scene.clouds.size() - 1, field, field->label + ": " + scene.clouds.back().name});
  }
  return panels;
}

Vec3 colour_of_point(const Scene& scene, const Panel& panel, std::size_t i) {
  const std::vector<Rgb>& colours = scene.clouds[panel.cloud].colours;
  if (panel.field == nullptr) {
    return colours.empty() ? plain_colour() : (Vec3(colours[i][0], colours[i][1], colours[i][2]) / 255.0).eval();
  }
  const std::vector<float>& values = panel.field->values[panel.cloud];
  if (values.empty()) {
    return plain_colour();
  }
  const double part = (panel.field->origin + values[i] - panel.field->low) / (panel.field->high - panel.field->low);
  return mapped_colour(panel.field->has_sign, part);
}

Image draw(const Scene& scene, PictureOf what, const ExecutionContext& context) {
  // The error if it is known, otherwise the moves.
  const SceneField* field =
      what == PictureOf::curvatures ? find_field(scene, {"curvature"}) : find_field(scene, {"truth", "move"});
  const std::vector<Panel> panels = panels_of(scene, what, field);
  const auto columns = panels.size() <= 4
                           ? panels.size()
                           : static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(panels.size()))));
  const std::size_t rows = (panels.size() + columns - 1) / columns;
  constexpr std::size_t row_height = heading_height + panel_height;
  Image image(columns * panel_width, rows * row_height + (field != nullptr ? legend_height : 0), white);
  const Camera camera = camera_for(scene);
  for (std::size_t p = 0; p < panels.size(); ++p) {
    const std::size_t left = p % columns * panel_width;
    const std::size_t top = p / columns * row_height;
    const auto colour = [&](std::size_t i) { return colour_of_point(scene, panels[p], i); };
    paste_averages(draw_cloud(scene.clouds[panels[p].cloud], camera, colour, context), image, left,
                   top + heading_height);
    draw_heading(image, panels[p].heading, left, top);
  }
  if (field != nullptr) {
    draw_legend(image, *field, (panels.size() - 1) % columns * panel_width, rows * row_height + 8);
  }
  return image;
}

}  // namespace

void write_picture(const std::filesystem::path& path, const Scene& scene, PictureOf what,
                   const ExecutionContext& context) {
  io::BlockWriter writer(path, context);
  writer.append(png(draw(scene, what, context)));
  writer.finish();
}

}  // namespace burnish
