#pragma once

#include <vector>

#include "burnish/shapes.hpp"
#include "evaluate/outline.hpp"

namespace burnish {

/// Three perpendicular axes of length 1 and where they start.
struct Frame {
  Vec3 origin = Vec3::Zero();
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  // columns

  Frame(const Vec3& at, const Vec3& x, const Vec3& y) : origin(at) { axes << x, y, x.cross(y); }

  [[nodiscard]] Vec3 to_local(const Vec3& p) const { return axes.transpose() * (p - origin); }
  [[nodiscard]] Vec3 to_space(const Vec3& p) const { return origin + axes * p; }
  [[nodiscard]] Vec3 to_space(const Vec2& p, double z) const { return to_space({p.x(), p.y(), z}); }
  [[nodiscard]] Frame raised(double height) const { return {to_space({0, 0, height}), axes.col(0), axes.col(1)}; }
};

/// A solid with flat faces and pieces of cylinders, as a milling machine makes it. Every distance has a closed form:
/// that to the plane of a face first, then that within the plane.
class Solid final : public Shape {
 public:
  /// Adds the body that an outline sweeps along the frame's z axis, with its two flat ends.
  void extrude(const Frame& frame, const Loop& outline, double height);

  /// Cuts a hole through what lies within `depth` along the tool's z axis: between each pair of flat faces, one after
  /// the other, that stand across the axis. The outline must lie inside these faces.
  void drill(const Frame& tool, const Loop& outline, double depth);

  [[nodiscard]] double distance(const Vec3& p) const override;
  [[nodiscard]] double edge_distance(const Vec3& p) const override;
  [[nodiscard]] bool contains(const Vec3& p) const override;
  [[nodiscard]] RayHit first_hit(const Ray& ray) const override;
  [[nodiscard]] Vec3 random_point(RandomStream& random) const override;

  /// Faces one by one: flat ones first.
  [[nodiscard]] std::size_t face_count() const { return flats_.size() + strips_.size(); }
  [[nodiscard]] double face_distance(std::size_t face, const Vec3& p) const;
  [[nodiscard]] double face_area(std::size_t face) const;

 private:
  struct Flat {  // z = 0 of its frame
    Frame frame;
    Region region;
    Eigen::AlignedBox2d box = region.box();
    [[nodiscard]] double distance(const Vec3& p) const;
    template <class Visit>
    void meet(const Ray& ray, double tolerance, const Visit& visit) const;
  };
  struct Strip {  // an arc, from z = 0 to the height
    Frame frame;
    Curve arc;
    double height;
    [[nodiscard]] double distance(const Vec3& p) const;
    template <class Visit>
    void meet(const Ray& ray, double tolerance, const Visit& visit) const;
  };
  struct Edge {  // a curve in z = 0
    Frame frame;
    Curve curve;
  };

  /// Calls visit(distance, normal) for every place where the ray meets a face, in no order; the normal may point
  /// inwards. Where the ray passes a face by less than the tolerance, it meets it too.
  template <class Visit>
  void meet(const Ray& ray, double tolerance, const Visit& visit) const;

  void add_walls(const Frame& frame, const Loop& outline, double height);
  void add_up_areas();

  std::vector<Flat> flats_;
  std::vector<Strip> strips_;
  std::vector<Edge> edges_;
  std::vector<double> area_up_to_;  // of the faces up to this one, for choosing one by its area
};

}  // namespace burnish
