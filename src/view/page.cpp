#include <Eigen/Geometry>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "burnish/error.hpp"
#include "burnish/view.hpp"
#include "io/block_writer.hpp"
#include "view/colour_map.hpp"
#include "view/packed_values.hpp"

// The page is the template with two marks replaced: the title, and the scene. The scene is a block of JSON, which
// refers to blocks of packed numbers. viewer/scene.js is the other end of everything here.

namespace burnish {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view title_mark = "<!--burnish:title-->";
constexpr std::string_view scene_mark = "<!--burnish:scene-->";

/// Text that is safe anywhere in HTML, quoted attributes included. What is not UTF-8 is for the browser to replace.
std::string escape(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped.push_back(c);
    }
  }
  return escaped;
}

/// JSON that cannot end the script element it stands in, nor open a comment there: without "<". Bytes that are not
/// UTF-8 become the replacement character.
std::string json_for_html(const Json& json) {
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string safe;
  for (const char c : text) {
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe.push_back(c);
    }
  }
  return safe;
}

/// Collects the packed blocks while the JSON that refers to them by number is made.
class Blocks {
 public:
  explicit Blocks(const ExecutionContext& context) : context_(context) {}

  Json add(std::span<const std::uint32_t> values, std::size_t components, std::size_t bytes) {
    texts_.push_back(pack(values, components, bytes, context_));
    return {{"block", texts_.size() - 1}, {"components", components}, {"bytes", bytes}};
  }
  [[nodiscard]] const std::vector<std::string>& texts() const { return texts_; }

 private:
  const ExecutionContext& context_;
  std::vector<std::string> texts_;
};

Json to_json(const Vec3& p) { return {p.x(), p.y(), p.z()}; }

/// Whole numbers of two bytes if their step is fine enough for what is to be seen, otherwise of three, which is as
/// much as the float that the graphics card gets can hold.
Json pack_positions(const SceneCloud& cloud, const Eigen::AlignedBox3d& box, Blocks& blocks) {
  const double size = box.sizes().maxCoeff();
  const std::size_t bytes = size / 65535.0 <= 0.01 * cloud.spacing ? 2 : 3;
  const double largest = bytes == 2 ? 65535.0 : 16777215.0;
  const double step = size > 0.0 ? size / largest : 1.0;
  std::vector<std::uint32_t> values;
  values.reserve(3 * cloud.positions.size());
  for (const Vec3& p : cloud.positions) {
    for (int axis = 0; axis < 3; ++axis) {
      values.push_back(static_cast<std::uint32_t>(std::lround((p[axis] - box.min()[axis]) / step)));
    }
  }
  Json json = blocks.add(values, 3, bytes);
  json["step"] = step;
  return json;
}

/// Directions as two bytes each: the place on an octahedron, unfolded to a square.
Json pack_normals(const SceneCloud& cloud, Blocks& blocks) {
  std::vector<std::uint32_t> values;
  values.reserve(2 * cloud.normals.size());
  for (const Eigen::Vector3f& n : cloud.normals) {
    const Eigen::Vector3f on_octahedron = n / n.lpNorm<1>();
    Eigen::Vector2f square = on_octahedron.head<2>();
    if (n.z() < 0.0F) {
      square = {std::copysign(1.0F - std::abs(on_octahedron.y()), on_octahedron.x()),
                std::copysign(1.0F - std::abs(on_octahedron.x()), on_octahedron.y())};
    }
    for (const float coordinate : {square.x(), square.y()}) {
      values.push_back(static_cast<std::uint32_t>(std::lround((coordinate * 0.5F + 0.5F) * 255.0F)));
    }
  }
  return blocks.add(values, 2, 1);
}

Json pack_colours(const std::vector<Rgb>& colours, Blocks& blocks) {
  std::vector<std::uint32_t> values;
  values.reserve(3 * colours.size());
  for (const Rgb& colour : colours) {
    values.insert(values.end(), colour.begin(), colour.end());
  }
  return blocks.add(values, 3, 1);
}

/// The signed square root of each value, as a part of that of the largest, in 16 bits: small values stay distinct where
/// a few are huge. 0 stands for no value.
Json pack_field(const std::vector<float>& field, Blocks& blocks) {
  float largest = 0.0F;
  for (const float v : field) {
    largest = std::isfinite(v) ? std::max(largest, std::abs(v)) : largest;
  }
  std::vector<std::uint32_t> values;
  values.reserve(field.size());
  for (const float v : field) {
    const float part = largest > 0.0F ? std::copysign(std::sqrt(std::abs(v) / largest), v) : 0.0F;
    values.push_back(std::isfinite(v) ? static_cast<std::uint32_t>(32768 + std::lround(part * 32767.0F)) : 0U);
  }
  Json json = blocks.add(values, 1, 2);
  json["largest"] = largest;
  return json;
}

/// Steps from the lowest value, counted from 1; 0 stands for no value. Whole numbers are exact if they fit, other
/// numbers as fine as floats.
Json pack_attribute(const SceneField& field, const std::vector<float>& attribute, Blocks& blocks) {
  constexpr double most = 16777214.0;  // of three bytes
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const float v : attribute) {
    if (std::isfinite(v)) {
      low = std::min<double>(low, v);
      high = std::max<double>(high, v);
    }
  }
  const double extent = std::max(0.0, high - low);
  const double step = field.is_whole && extent <= most ? 1.0 : extent > 0.0 ? extent / most : 1.0;
  std::vector<std::uint32_t> values;
  values.reserve(attribute.size());
  for (const float v : attribute) {
    values.push_back(std::isfinite(v) ? 1U + static_cast<std::uint32_t>(std::lround((v - low) / step)) : 0U);
  }
  const double steps = extent / step;
  Json json = blocks.add(values, 1, steps <= 254.0 ? 1 : steps <= 65534.0 ? 2 : 3);
  json["low"] = field.origin + (high >= low ? low : 0.0);
  json["step"] = step;
  return json;
}

/// A field of a cloud. Clouds with the same values share a block: attributes are as they were before denoising.
Json pack_field_of(const SceneField& field, std::size_t cloud, const Json& clouds, Blocks& blocks) {
  for (std::size_t before = 0; before < cloud; ++before) {
    if (field.values[before] == field.values[cloud]) {
      return clouds[before]["fields"][field.id];
    }
  }
  return field.is_attribute ? pack_attribute(field, field.values[cloud], blocks)
                            : pack_field(field.values[cloud], blocks);
}

/// Which row of the file each point is; one block for clouds of the same points.
Json pack_rows(const Scene& scene, std::size_t cloud, const Json& clouds, Blocks& blocks) {
  if (scene.clouds[cloud].follows_first) {
    return clouds[0]["rows"];
  }
  return blocks.add(scene.clouds[cloud].rows, 1, scene.clouds[cloud].points <= 16777216 ? 3 : 4);
}

Json to_json(const std::vector<Fact>& facts) {
  Json json = Json::array();
  for (const Fact& fact : facts) {
    json.push_back({{"name", fact.name}, {"value", fact.value}, {"meaning", fact.meaning}});
  }
  return json;
}

Json map_to_json(bool has_sign) {
  Json json = Json::array();
  for (const Vec3& colour : colour_map(has_sign)) {
    json.push_back(to_json(colour));
  }
  return json;
}

Json to_json(const Scene& scene, Blocks& blocks, const ExecutionContext& context) {
  Eigen::AlignedBox3d box;
  for (const SceneCloud& cloud : scene.clouds) {
    for (const Vec3& p : cloud.positions) {
      box.extend(p);
    }
  }
  Json clouds = Json::array();
  for (std::size_t c = 0; c < scene.clouds.size(); ++c) {
    context.report("packing", static_cast<double>(c) / static_cast<double>(scene.clouds.size()));
    const SceneCloud& cloud = scene.clouds[c];
    Json json = {{"name", cloud.name},
                 {"points", cloud.points},
                 {"notFinite", cloud.not_finite},
                 {"shown", cloud.positions.size()},
                 {"followsFirst", cloud.follows_first},
                 {"spacing", cloud.spacing},
                 {"rows", pack_rows(scene, c, clouds, blocks)},
                 {"positions", pack_positions(cloud, box, blocks)},
                 {"normals", pack_normals(cloud, blocks)},
                 {"colours", cloud.colours.empty() ? Json() : pack_colours(cloud.colours, blocks)},
                 {"fields", Json::object()},
                 {"facts", to_json(cloud.facts)}};
    for (const SceneField& field : scene.fields) {
      if (!field.values[c].empty()) {
        json["fields"][field.id] = pack_field_of(field, c, clouds, blocks);
      }
    }
    clouds.push_back(json);
  }
  Json fields = Json::array();
  for (const SceneField& field : scene.fields) {
    fields.push_back({{"id", field.id},
                      {"label", field.label},
                      {"unit", field.unit},
                      {"hasSign", field.has_sign},
                      {"isAttribute", field.is_attribute},
                      {"low", field.low},
                      {"high", field.high}});
  }
  constexpr std::array up_names = {"x", "y", "z", "-x", "-y", "-z"};
  const ViewSettings& settings = scene.settings;
  return {{"title", settings.title},
          {"unit", settings.unit},
          {"box", {{"min", to_json(box.min())}, {"max", to_json(box.max())}}},
          {"azimuth", settings.azimuth},
          {"elevation", settings.elevation},
          {"up", up_names.at(static_cast<std::size_t>(settings.up))},
          {"colourMaps", {{"size", map_to_json(false)}, {"sign", map_to_json(true)}}},
          {"plainColour", to_json(plain_colour())},
          {"clouds", clouds},
          {"fields", fields}};
}

/// Where the template goes on after a mark, which must be in it exactly once.
std::size_t find_mark(std::string_view page_template, std::string_view mark) {
  const std::size_t at = page_template.find(mark);
  if (at == std::string_view::npos || page_template.find(mark, at + 1) != std::string_view::npos) {
    throw Error("the template of the page is not one that burnish can fill in: it must hold " + std::string(mark) +
                " once");
  }
  return at;
}

}  // namespace

void write_page(const std::filesystem::path& path, std::string_view page_template, const Scene& scene,
                const ExecutionContext& context) {
  const std::size_t title_at = find_mark(page_template, title_mark);
  const std::size_t scene_at = find_mark(page_template, scene_mark);
  if (scene_at < title_at) {
    throw Error("the template of the page is not one that burnish can fill in: the title must come first");
  }
  Blocks blocks(context);
  const Json json = to_json(scene, blocks, context);

  io::BlockWriter writer(path, context);
  writer.append(page_template.substr(0, title_at));
  writer.append(escape(scene.settings.title));
  writer.append(page_template.substr(title_at + title_mark.size(), scene_at - title_at - title_mark.size()));
  writer.append(R"(<script type="application/json" id="scene">)" + json_for_html(json) + "</script>\n");
  for (std::size_t i = 0; i < blocks.texts().size(); ++i) {
    writer.append(R"(<script type="text/plain" id="block-)" + std::to_string(i) + R"(">)");
    writer.append(blocks.texts()[i]);
    writer.append("</script>\n");
  }
  writer.append(page_template.substr(scene_at + scene_mark.size()));
  writer.finish();
}

}  // namespace burnish
