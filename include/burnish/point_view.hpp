#pragma once

#include <concepts>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <ranges>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "burnish/denoise.hpp"
#include "burnish/methods.hpp"
#include "burnish/point_cloud.hpp"

// Points in the containers of a program, read and written in place:
//
//     std::vector<Eigen::Vector3f> points;            denoise_in_place(points);
//     pcl::PointCloud<pcl::PointXYZ> cloud;           denoise_in_place(cloud.points);       // anything with x, y, z
//     Eigen::Map<Eigen::Matrix3Xf> map(data, 3, n);   denoise_in_place(map);
//     float* data; records of 32 bytes, x y z first:  denoise_in_place(StridedPoints(data, n, 32));
//
// Contiguous doubles are used without a copy, also in Eigen matrices. Other coordinates are converted once, into 24
// bytes per point; other members of a point are not touched.

namespace burnish {

/// Points whose coordinates x, y, z are contiguous, each point `stride_in_bytes` after the previous one.
template <class Scalar>
requires std::floating_point<std::remove_const_t<Scalar>>
class StridedPoints {
 public:
  StridedPoints(Scalar* first, std::size_t count, std::size_t stride_in_bytes = 3 * sizeof(Scalar))
      : first_(first), count_(count), stride_(stride_in_bytes) {}

  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] Scalar* at(std::size_t i) const {
    using Byte = std::conditional_t<std::is_const_v<Scalar>, const char, char>;
    return reinterpret_cast<Scalar*>(reinterpret_cast<Byte*>(first_) + i * stride_);
  }
  /// Whether they are contiguous doubles.
  [[nodiscard]] bool is_plain() const {
    return std::is_same_v<std::remove_const_t<Scalar>, double> && stride_ == 3 * sizeof(double);
  }

 private:
  Scalar* first_;
  std::size_t count_;
  std::size_t stride_;
};

namespace detail {

template <class Point>
concept HasXyzMembers = requires(const Point& p) {
  { p.x } -> std::convertible_to<double>;
  { p.y } -> std::convertible_to<double>;
  { p.z } -> std::convertible_to<double>;
};

template <class Point>
concept HasXyzFunctions = requires(const Point& p) {
  { p.x() } -> std::convertible_to<double>;
  { p.y() } -> std::convertible_to<double>;
  { p.z() } -> std::convertible_to<double>;
};

/// std::array<float, 3>, float[3].
template <class Point>
concept HasXyzIndices = requires(const Point& p) {
  { p[2] } -> std::convertible_to<double>;
};

template <class Point>
concept AnyPoint = HasXyzMembers<Point> || HasXyzFunctions<Point> || HasXyzIndices<Point>;

template <AnyPoint Point>
Vec3 position_of(const Point& p) {
  if constexpr (HasXyzMembers<Point>) {
    return {static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)};
  } else if constexpr (HasXyzFunctions<Point>) {
    return {static_cast<double>(p.x()), static_cast<double>(p.y()), static_cast<double>(p.z())};
  } else {
    return {static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])};
  }
}

template <AnyPoint Point>
void set_position(Point& p, const Vec3& place) {
  const auto put = [](auto& coordinate, double value) {
    coordinate = static_cast<std::remove_cvref_t<decltype(coordinate)>>(value);
  };
  if constexpr (HasXyzMembers<Point>) {
    put(p.x, place.x());
    put(p.y, place.y());
    put(p.z, place.z());
  } else if constexpr (HasXyzFunctions<Point>) {
    put(p.x(), place.x());
    put(p.y(), place.y());
    put(p.z(), place.z());
  } else {
    put(p[0], place.x());
    put(p[1], place.y());
    put(p[2], place.z());
  }
}

}  // namespace detail

/// A range of points: structs with x, y, z, Eigen vectors, arrays of three.
template <class Range>
concept PointRange = std::ranges::random_access_range<Range> && std::ranges::sized_range<Range> &&
    detail::AnyPoint<std::ranges::range_value_t<Range>>;

/// An Eigen matrix or map with three rows or three columns, one point per column or row.
template <class Matrix>
concept PointMatrix = std::derived_from<std::remove_cvref_t<Matrix>, Eigen::DenseBase<std::remove_cvref_t<Matrix>>> &&
    (std::remove_cvref_t<Matrix>::RowsAtCompileTime == 3 || std::remove_cvref_t<Matrix>::ColsAtCompileTime == 3);

/// Positions to read: referenced if they are contiguous doubles, otherwise converted.
class Positions {
 public:
  explicit Positions(std::span<const Vec3> points) : view_(points) {}

  template <class Scalar>
  explicit Positions(const StridedPoints<Scalar>& points) {
    if (points.is_plain()) {
      borrow(points.at(0), points.size());
      return;
    }
    reserve(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Scalar* const p = points.at(i);
      own_.emplace_back(static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2]));
    }
    view_ = own_;
  }

  template <PointMatrix Matrix>
  explicit Positions(const Matrix& points) {
    constexpr bool has_columns = Matrix::RowsAtCompileTime == 3;  // one column per point
    const Eigen::Index count = has_columns ? points.cols() : points.rows();
    if constexpr (requires {
                    { points.data() } -> std::same_as<const double*>;
                  } &&
                  bool(Matrix::IsRowMajor) != has_columns) {
      if (count > 0 && points.innerStride() == 1 && points.outerStride() == 3) {
        borrow(points.data(), static_cast<std::size_t>(count));
        return;
      }
    }
    reserve(static_cast<std::size_t>(count));
    for (Eigen::Index i = 0; i < count; ++i) {
      if constexpr (has_columns) {
        own_.emplace_back(points.col(i).template cast<double>());
      } else {
        own_.emplace_back(points.row(i).transpose().template cast<double>());
      }
    }
    view_ = own_;
  }

  template <PointRange Range>
  requires(!std::convertible_to<const Range&, std::span<const Vec3>> &&
           !PointMatrix<Range>) explicit Positions(const Range& points) {
    reserve(std::ranges::size(points));
    for (const auto& point : points) {
      own_.push_back(detail::position_of(point));
    }
    view_ = own_;
  }

  Positions(const Positions&) = delete;
  Positions& operator=(const Positions&) = delete;

  [[nodiscard]] std::span<const Vec3> span() const { return view_; }

 private:
  void reserve(std::size_t count) { own_.reserve(count); }
  void borrow(const void* first, std::size_t count) { view_ = {static_cast<const Vec3*>(first), count}; }

  std::vector<Vec3> own_;
  std::span<const Vec3> view_;
};

/// Writes positions to points, in order; only coordinates change. Throws Error if the numbers of points differ.
template <class Scalar>
void write_positions(std::span<const Vec3> positions, const StridedPoints<Scalar>& points);
template <PointMatrix Matrix>
void write_positions(std::span<const Vec3> positions, Matrix&& points);
template <PointRange Range>
requires(!PointMatrix<Range>) void write_positions(std::span<const Vec3> positions, Range&& points);

/// Denoises points in place; `how` is a DenoiseSettings or an Analysis, such as analyse(Positions(points).span()). The
/// positions of the returned DenoiseResult are empty.
template <class Points, class How = DenoiseSettings>
DenoiseResult denoise_in_place(Points&& points, const How& how = {}, const ExecutionContext& context = {}) {
  DenoiseResult result = denoise(Positions(points).span(), how, context);
  write_positions(result.positions, points);
  result.positions = {};
  return result;
}

namespace detail {

inline void check_count(std::size_t positions, std::size_t points) {
  if (positions != points) {
    throw Error(std::to_string(positions) + " positions cannot be put into " + std::to_string(points) + " points");
  }
}

}  // namespace detail

template <class Scalar>
void write_positions(std::span<const Vec3> positions, const StridedPoints<Scalar>& points) {
  detail::check_count(positions.size(), points.size());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      points.at(i)[axis] = static_cast<Scalar>(positions[i][axis]);
    }
  }
}

template <PointMatrix Matrix>
void write_positions(std::span<const Vec3> positions, Matrix&& points) {
  using Plain = std::remove_cvref_t<Matrix>;
  constexpr bool has_columns = Plain::RowsAtCompileTime == 3;
  detail::check_count(positions.size(), static_cast<std::size_t>(has_columns ? points.cols() : points.rows()));
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if constexpr (has_columns) {
      points.col(static_cast<Eigen::Index>(i)) = positions[i].template cast<typename Plain::Scalar>();
    } else {
      points.row(static_cast<Eigen::Index>(i)) = positions[i].transpose().template cast<typename Plain::Scalar>();
    }
  }
}

template <PointRange Range>
requires(!PointMatrix<Range>) void write_positions(std::span<const Vec3> positions, Range&& points) {
  detail::check_count(positions.size(), std::ranges::size(points));
  auto place = positions.begin();
  for (auto& point : points) {
    detail::set_position(point, *place++);
  }
}

}  // namespace burnish
