#pragma once

#include <Eigen/Geometry>

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "burnish/noise.hpp"

namespace burnish {

/// The cloud that noise is added to, as it was before the first step, and what the steps measure on it. What takes time
/// is found when it is first asked for. Not for several threads at once.
class NoiseInput {
 public:
  /// `positions` are those of the cloud; its own may have been moved. Both must outlive this.
  NoiseInput(const PointCloud& cloud, std::span<const Vec3> positions, const ExecutionContext& context);

  [[nodiscard]] std::span<const Vec3> positions() const { return positions_; }
  /// Of the finite points.
  [[nodiscard]] const Eigen::AlignedBox3d& box() const { return box_; }
  /// The mean of the finite points.
  [[nodiscard]] const Vec3& centre() const { return centre_; }

  /// A length in the unit of the cloud. Throws Error if the cloud has no such unit.
  [[nodiscard]] double measure(const NoiseLength& length) const;

  /// The viewpoint that was given, or else that of the cloud. Throws Error if there is none.
  [[nodiscard]] Vec3 viewpoint(const std::optional<Vec3>& given) const;

  /// The values of an attribute. Throws Error if there is none of that name, or one of them is not finite.
  [[nodiscard]] std::vector<double> attribute(const std::string& name) const;

  /// Unit normals, those of the cloud or else estimated ones; 0 for points that are not finite.
  [[nodiscard]] const std::vector<Vec3>& normals() const;

 private:
  const PointCloud& cloud_;
  std::span<const Vec3> positions_;
  const ExecutionContext& context_;
  std::vector<Vec3> finite_;
  Eigen::AlignedBox3d box_;
  Vec3 centre_ = Vec3::Zero();
  mutable std::array<std::optional<double>, 5> units_;  ///< by NoiseUnit
  mutable std::vector<Vec3> normals_;
};

}  // namespace burnish
