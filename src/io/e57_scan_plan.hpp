#pragma once

#include <Eigen/Geometry>

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "burnish/point_cloud.hpp"
#include "io/e57_document.hpp"
#include "io/e57_vector_write.hpp"

namespace burnish::io {

/// How some points of a cloud are written as a scan of an E57 file: its fields, and where their values come from.
class E57ScanPlan final : public E57Source {
 public:
  /// An attribute that becomes a new field of that name.
  struct Extra {
    std::string name;
    const Column* column = nullptr;
  };

  /// For the rows from `begin` to `end`. Takes the fields that the scan had in the file that was read, those whose
  /// attribute the cloud still has, and adds one for each of `extra`. Integers become wide enough for the values, and
  /// floats where they are integers no more. `of_fields` has the attribute of each field of the scan, nullptr for
  /// coordinates and those that are gone.
  E57ScanPlan(const PointCloud& cloud, const E57Scan& scan, std::size_t begin, std::size_t end,
              const std::vector<const Column*>& of_fields, const std::vector<Extra>& extra);

  [[nodiscard]] const std::vector<E57Field>& fields() const { return fields_; }
  [[nodiscard]] std::size_t points() const { return end_ - begin_; }

  /// Around the points that are finite, in the coordinates of the scan.
  [[nodiscard]] const Eigen::AlignedBox3d& bounds() const { return bounds_; }

  /// Their ranges, azimuths and elevations; empty if the scan has no such fields.
  [[nodiscard]] const Eigen::AlignedBox3d& spherical_bounds() const { return spherical_bounds_; }

  void prepare(std::size_t row, std::size_t count) override;
  void integers(std::size_t field, std::span<std::int64_t> values) override;
  void floats(std::size_t field, std::span<double> values) override;
  [[nodiscard]] std::span<const std::string> texts(std::size_t field, std::size_t row,
                                                   std::size_t count) const override;

 private:
  struct FieldSource {
    static constexpr std::ptrdiff_t none = 3;

    const Column* column = nullptr;  ///< nullptr for a coordinate
    Eigen::Index axis = 0;           ///< of a coordinate
    bool is_spherical = false;
    bool is_state = false;         ///< whether the coordinates are valid
    std::ptrdiff_t normal = none;  ///< axis of a normal that has to be rotated
  };

  void add(const E57Field& field, const FieldSource& source);
  void fit_fields();

  /// True if the values need not go through a double, which does not hold all integers.
  [[nodiscard]] bool has_integers(std::size_t field) const;
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> integer_range(const Column& column) const;

  /// The values of a field in the rows prepared last.
  void values_of(std::size_t field, std::span<double> values) const;

  const PointCloud& cloud_;
  E57Pose pose_;
  std::size_t begin_;
  std::size_t end_;
  bool is_spherical_ = false;   ///< the scan was read from spherical coordinates
  bool has_spherical_ = false;  ///< some fields are spherical coordinates
  bool keeps_nan_ = false;  ///< points that are not finite are written as they are: nothing says that they are invalid
  std::vector<E57Field> fields_;
  std::vector<FieldSource> sources_;
  std::array<const Column*, 3> normal_columns_{};
  Eigen::AlignedBox3d bounds_;
  Eigen::AlignedBox3d spherical_bounds_;

  // Of the rows prepared last.
  std::size_t row_ = 0;
  std::vector<Vec3> cartesian_;
  std::vector<Vec3> spherical_;
};

}  // namespace burnish::io
