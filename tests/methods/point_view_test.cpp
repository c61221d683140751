#include "burnish/point_view.hpp"

#include <gtest/gtest.h>

#include <array>

#include "test_clouds.hpp"

namespace burnish {
namespace {

struct Record {
  float x, y, z;
  std::uint32_t colour;
};

TEST(PointView, TakesAnyFormAndGivesTheResultBackInIt) {
  const std::vector<Vec3> noisy = noisy_shape("sphere", 1500, 0.01);
  const std::vector<Vec3> expected = denoise(noisy).positions;
  const auto near = [&](const Vec3& place, std::size_t i) {
    EXPECT_NEAR((place - expected[i]).norm(), 0.0, 1e-4) << i;
    EXPECT_GT((place - noisy[i]).norm() + (noisy[i] - expected[i]).norm(), 0.0);
  };
  std::vector<Eigen::Vector3f> floats;
  std::vector<Record> records;
  std::vector<std::array<double, 3>> arrays;
  Eigen::Matrix<float, Eigen::Dynamic, 3, Eigen::RowMajor> rows(1500, 3);
  for (std::size_t i = 0; i < noisy.size(); ++i) {
    const Eigen::Vector3f p = noisy[i].cast<float>();
    floats.push_back(p);
    records.push_back({p.x(), p.y(), p.z(), static_cast<std::uint32_t>(i)});
    arrays.push_back({noisy[i].x(), noisy[i].y(), noisy[i].z()});
    rows.row(static_cast<Eigen::Index>(i)) = p.transpose();
  }
  std::vector<Record> strided = records;
  std::vector<Eigen::Vector3f> mapped = floats;
  std::vector<Vec3> doubles = noisy;

  EXPECT_GT(denoise_in_place(floats).spacing, 0.0);
  denoise_in_place(std::span(records));
  denoise_in_place(arrays);
  denoise_in_place(rows);
  denoise_in_place(StridedPoints(&strided[0].x, strided.size(), sizeof(Record)));
  Eigen::Map<Eigen::Matrix3Xf> map(mapped[0].data(), 3, 1500);
  denoise_in_place(map);
  denoise_in_place(doubles);
  for (std::size_t i = 0; i < noisy.size(); ++i) {
    near(floats[i].cast<double>(), i);
    near({records[i].x, records[i].y, records[i].z}, i);
    near({strided[i].x, strided[i].y, strided[i].z}, i);
    near(mapped[i].cast<double>(), i);
    near({arrays[i][0], arrays[i][1], arrays[i][2]}, i);
    near(rows.row(static_cast<Eigen::Index>(i)).transpose().cast<double>(), i);
    EXPECT_EQ(doubles[i], expected[i]);
    EXPECT_EQ(records[i].colour, i);
    EXPECT_EQ(strided[i].colour, i);
  }
}

TEST(PointView, BorrowsDoublesWithoutGaps) {
  const std::vector<Vec3> points = random_points(10);
  EXPECT_EQ(Positions(points).span().data(), points.data());
  const double* const first = points[0].data();
  EXPECT_EQ(Positions(StridedPoints(first, 10)).span().data(), points.data());
  EXPECT_NE(Positions(StridedPoints(first, 5, 48)).span().data(), points.data());
  EXPECT_EQ(Positions(StridedPoints(first, 5, 48)).span()[2], points[4]);
  const Eigen::Map<const Eigen::Matrix3Xd> columns(first, 3, 10);
  EXPECT_EQ(Positions(columns).span().data(), points.data());
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;
  EXPECT_EQ(Positions(Eigen::Map<const Rows>(first, 10, 3)).span().data(), points.data());
  const Positions every_other(
      Eigen::Map<const Eigen::Matrix3Xd, 0, Eigen::OuterStride<>>(first, 3, 5, Eigen::OuterStride<>(6)));
  EXPECT_EQ(every_other.span()[2], points[4]);
  const Rows rows = columns.transpose();
  const Eigen::Matrix<double, Eigen::Dynamic, 3> by_column = rows;
  EXPECT_EQ(Positions(rows).span()[7], points[7]);
  EXPECT_EQ(Positions(by_column).span()[7], points[7]);
  std::vector<Vec3> fewer(9);
  EXPECT_THROW(write_positions(points, fewer), Error);
}

}  // namespace
}  // namespace burnish
