#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/scanner_places.hpp"
#include "io/e57_format_data.hpp"
#include "io/e57_new_document.hpp"
#include "io/e57_pages.hpp"
#include "io/e57_scan_plan.hpp"
#include "io/formats.hpp"

namespace burnish::io {
namespace {

/// Scans that a cloud which was not read from E57 is made of, if the attribute "scan" says so.
std::size_t count_scans(const PointCloud& cloud) {
  constexpr double most = 65535;
  const auto numbers = numbers_of(cloud, e57::scan_attribute);
  const bool is_told = numbers && !numbers->empty() && std::ranges::is_sorted(*numbers) && numbers->front() >= 0 &&
                       numbers->back() <= most &&
                       std::ranges::all_of(*numbers, [](double number) { return std::trunc(number) == number; });
  return is_told ? static_cast<std::size_t>(numbers->back()) + 1 : 1;
}

/// Attributes that fields can hold, by name.
const Column* usable(const PointCloud& cloud, std::string_view name) {
  const Column* const column = cloud.find_attribute(name);
  return column != nullptr && can_be_e57_field(*column) && column->rows() == cloud.size() ? column : nullptr;
}

class E57Writer {
 public:
  E57Writer(BlockWriter& file, const PointCloud& cloud) : file_(file), cloud_(cloud), pages_(file) {}

  void write() {
    file_.expect_rows(cloud_.size());
    for (const Column& column : cloud_.attributes) {
      if (usable(cloud_, column.name) != &column) {
        file_.fail(fmt::format("E57 cannot hold the column {}; write .ply instead", excerpt(column.name)));
      }
    }
    make_document();
    place_columns();
    for (std::size_t i = 0; i < document_.scans.size(); ++i) {
      write_scan(i);
    }
    write_blobs();
    declare_extensions();
    set_e57_identifiers(pages_.content_mark(), document_);
    pages_.finish(e57_text(document_));
  }

 private:
  void make_document() {
    const auto kept = cloud_.format_data.find(e57::xml_key);
    if (kept == cloud_.format_data.end()) {
      const std::size_t scans = count_scans(cloud_);
      make_e57_document(cloud_, scans, scanner_places(cloud_), document_);
      scan_ends_ = e57_scan_ends(cloud_, scans);
      return;
    }
    try {
      read_e57_document(kept->second, document_);
    } catch (const E57XmlError& error) {
      file_.fail(fmt::format("the E57 XML kept with the cloud is damaged: {}", error.what()));
    }
    scan_ends_ = e57_scan_ends(cloud_, document_.scans.size());
    if (!has_e57_scans(cloud_)) {
      file_.fail(fmt::format("the points do not match the {} scans kept with the cloud", document_.scans.size()));
    }
  }

  /// Which attribute each field of each scan had when it was read; all others go to every scan.
  void place_columns() {
    std::vector<const std::vector<E57Field>*> fields;
    for (const E57Scan& scan : document_.scans) {
      fields.push_back(&scan.fields);
    }
    columns_ = find_columns(fields);
    std::set<std::string_view> taken;
    for (const E57Columns::One& column : columns_.columns) {
      taken.insert(column.name);
    }
    if (document_.scans.size() > 1) {
      taken.insert(e57::scan_attribute);
    }
    std::set<std::string, std::less<>> names;
    for (const E57Scan& scan : document_.scans) {
      for (const E57Field& field : scan.fields) {
        names.insert(field.name);
      }
    }
    for (const Column& column : cloud_.attributes) {
      if (taken.contains(column.name)) {
        continue;
      }
      const std::string name = e57_field_name(column.name);
      E57ScanPlan::Extra extra{name, &column};
      for (int i = 2; !names.insert(extra.name).second; ++i) {
        extra.name = fmt::format("{}_{}", name, i);
      }
      extra_.push_back(std::move(extra));
    }
  }

  void write_scan(std::size_t number) {
    const E57Scan& scan = document_.scans[number];
    std::vector<const Column*> of_fields;
    for (const std::size_t column : columns_.of_scans[number]) {
      of_fields.push_back(column == E57Columns::none ? nullptr : usable(cloud_, columns_.columns[column].name));
    }
    E57ScanPlan plan(cloud_, scan, number == 0 ? 0 : scan_ends_[number - 1], scan_ends_[number], of_fields, extra_);
    const std::uint64_t offset = write_e57_vector(pages_, plan.fields(), plan.points(), plan);
    pugi::xml_node points = scan.node.child("points");
    points.attribute("fileOffset").set_value(fmt::format("{}", offset).c_str());
    points.attribute("recordCount").set_value(fmt::format("{}", plan.points()).c_str());
    describe_prototype(plan, points.child("prototype"));
    const std::array<std::string, 3> axes = {"x", "y", "z"};
    describe_bounds(plan.bounds(), axes, scan.node.child("cartesianBounds"));
    // Azimuths have a start and an end instead, which may lie on either side of the smallest: these stay.
    const std::array<std::string, 3> spherical_axes = {"range", "", "elevation"};
    describe_bounds(plan.spherical_bounds(), spherical_axes, scan.node.child("sphericalBounds"));
  }

  /// Elements of fields that did not change stay as they are.
  static void describe_prototype(const E57ScanPlan& plan, pugi::xml_node prototype) {
    std::vector<pugi::xml_node> gone;
    std::set<std::string_view> there;
    for (const pugi::xml_node& node : prototype.children()) {
      if (node.type() != pugi::node_element) {
        continue;
      }
      const auto field = std::ranges::find(plan.fields(), std::string_view(node.name()), &E57Field::name);
      if (field == plan.fields().end()) {
        gone.push_back(node);
        continue;
      }
      there.insert(field->name);
      const E57Field before = read_e57_field(node);
      if (before.kind != field->kind || before.minimum != field->minimum || before.maximum != field->maximum) {
        describe_e57_field(*field, node);
      }
      widen_limits(plan.bounds(), *field, node);
    }
    for (const pugi::xml_node& node : gone) {
      prototype.remove_child(node);
    }
    for (const E57Field& field : plan.fields()) {
      if (!there.contains(field.name)) {
        describe_e57_field(field, prototype.append_child(field.name.c_str()));
      }
    }
  }

  /// Some files state the limits of floats too.
  static void widen_limits(const Eigen::AlignedBox3d& bounds, const E57Field& field, pugi::xml_node node) {
    const std::optional<E57Axis> axis = e57_axis(field.name);
    if (!axis || axis->is_spherical || !field.is_float() || bounds.isEmpty()) {
      return;
    }
    pugi::xml_attribute low = node.attribute("minimum");
    pugi::xml_attribute high = node.attribute("maximum");
    const double smallest = bounds.min()[axis->axis];
    const double largest = bounds.max()[axis->axis];
    if (low && low.as_double() > smallest) {
      low.set_value(fmt::format("{}", smallest).c_str());
    }
    if (high && high.as_double() < largest) {
      high.set_value(fmt::format("{}", largest).c_str());
    }
  }

  /// Corrects bounds that are not those of the points, but not for their last digits.
  static void describe_bounds(const Eigen::AlignedBox3d& bounds, const std::array<std::string, 3>& axes,
                              const pugi::xml_node& node) {
    constexpr double tolerance = 1e-9;
    if (bounds.isEmpty()) {
      return;
    }
    const auto correct = [&](const std::string& name, double value) {
      pugi::xml_node child = node.child(name.c_str());
      if (child && std::abs(child.text().as_double() - value) > tolerance * bounds.diagonal().norm()) {
        child.text().set(fmt::format("{}", value).c_str());
      }
    };
    for (const Eigen::Index axis : {0, 1, 2}) {
      const std::string& name = axes.at(static_cast<std::size_t>(axis));
      correct(name + "Minimum", bounds.min()[axis]);
      correct(name + "Maximum", bounds.max()[axis]);
    }
  }

  void write_blobs() {
    const auto kept = cloud_.format_data.find(e57::blobs_key);
    std::string_view left = kept == cloud_.format_data.end() ? std::string_view() : kept->second;
    for (pugi::xml_node blob : document_.blobs) {
      std::uint64_t length = 0;
      try {
        length = e57_count(blob, "length");
      } catch (const E57XmlError& error) {
        file_.fail(fmt::format("the E57 XML kept with the cloud is damaged: {}", error.what()));
      }
      if (length > left.size()) {
        file_.fail(fmt::format("the cloud has {} bytes of an image of {} bytes that its E57 XML describes", left.size(),
                               length));
      }
      const std::uint64_t offset = write_e57_blob(pages_, left.substr(0, static_cast<std::size_t>(length)));
      blob.attribute("fileOffset").set_value(fmt::format("{}", offset).c_str());
      left.remove_prefix(static_cast<std::size_t>(length));
    }
  }

  /// The prefixes of field names that are not the standard's.
  void declare_extensions() {
    pugi::xml_node root = document_.root();
    const auto declare = [&](std::string_view prefix, std::string_view address) {
      const std::string name = fmt::format("xmlns:{}", prefix);
      const std::string start = fmt::format("{}:", prefix);
      const bool is_used =
          std::ranges::any_of(extra_, [&](const auto& extra) { return extra.name.starts_with(start); });
      if (is_used && !root.attribute(name.c_str())) {
        root.append_attribute(name.c_str()).set_value(std::string(address).c_str());
      }
    };
    declare(e57::normals_prefix, e57::normals_address);
    declare(e57::attributes_prefix, e57::attributes_address);
  }

  BlockWriter& file_;
  const PointCloud& cloud_;
  E57PageWriter pages_;
  E57Document document_;
  E57Columns columns_;
  std::vector<E57ScanPlan::Extra> extra_;  ///< attributes that were not read from E57
  std::vector<std::size_t> scan_ends_;
};

}  // namespace

bool can_be_e57_field(const Column& column) {
  if (column.is_list) {
    return false;
  }
  if (column.type() == ScalarType::text) {
    return !has_to_be_number(e57_field_name(column.name));
  }
  const auto* const numbers = std::get_if<std::vector<std::uint64_t>>(&column.values);
  constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();
  return numbers == nullptr || std::ranges::all_of(*numbers, [](std::uint64_t value) { return value <= largest; });
}

std::vector<std::size_t> e57_scan_ends(const PointCloud& cloud, std::size_t scans) {
  if (scans == 1) {
    return {cloud.size()};
  }
  const auto numbers = numbers_of(cloud, e57::scan_attribute);
  if (!numbers && (scans == 0 || cloud.size() > 0)) {
    return {};
  }
  std::vector<std::size_t> ends(scans, 0);
  std::size_t scan = 0;
  for (std::size_t row = 0; row < cloud.size(); ++row) {
    const double number = (*numbers)[row];
    if (!(number >= static_cast<double>(scan)) || number >= static_cast<double>(scans) ||
        std::trunc(number) != number) {
      return {};
    }
    for (; static_cast<double>(scan) < number; ++scan) {
      ends[scan] = row;
    }
  }
  for (; scan < scans; ++scan) {
    ends[scan] = cloud.size();
  }
  return ends;
}

bool has_e57_scans(const PointCloud& cloud) {
  const auto kept = cloud.format_data.find(e57::xml_key);
  if (kept == cloud.format_data.end()) {
    return true;
  }
  try {
    E57Document document;
    read_e57_document(kept->second, document);
    return e57_scan_ends(cloud, document.scans.size()).size() == document.scans.size() &&
           (!document.scans.empty() || cloud.size() == 0);
  } catch (const E57XmlError&) {
    return false;
  }
}

void write_e57(BlockWriter& file, const PointCloud& cloud) { E57Writer(file, cloud).write(); }

}  // namespace burnish::io
