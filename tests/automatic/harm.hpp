#pragma once

#include <functional>
#include <string>

#include "burnish/denoise.hpp"
#include "burnish/estimate.hpp"
#include "burnish/metrics.hpp"
#include "test_clouds.hpp"

// What the default must not do to clouds: the cases, what is measured of each, and what that may be at most.
// harm_test.cpp checks the limits, `./run bench harm` prints the table of docs/reliability.md.

namespace burnish {

struct HarmFigure {
  std::string what;
  double value = 0.0;
  double limit = 0.0;  ///< the value is to be below
};

/// The limit of what must be 0 to the bit.
inline constexpr double exactly_nothing = std::numeric_limits<double>::denorm_min();

struct HarmCase {
  std::string name;  ///< one word, for the test
  std::string cloud;
  std::function<std::vector<HarmFigure>()> measure;
};

namespace harm {

struct Sheets {
  std::vector<Vec3> clean;
  std::vector<Vec3> noisy;
};

/// Points with noise of one standard deviation in each direction; `place` makes them.
template <class Place>
Sheets make_sheets(std::size_t count, double noise, Place&& place) {
  TestRandom random;
  Sheets sheets;
  for (std::size_t i = 0; i < count; ++i) {
    sheets.clean.push_back(place(random, i));
    sheets.noisy.push_back(sheets.clean.back() + noise * random.normal3());
  }
  return sheets;
}

/// Root mean square of a number of every chosen point.
template <class Choose, class Number>
double rms(std::size_t count, Choose&& choose, Number&& number) {
  double squares = 0.0;
  double chosen = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    if (choose(i)) {
      squares += number(i) * number(i);
      chosen += 1.0;
    }
  }
  return std::sqrt(squares / chosen);
}

inline bool all(std::size_t) { return true; }

inline std::vector<HarmFigure> clean_shapes() {
  std::vector<HarmFigure> figures;
  for (const char* name : {"sphere", "torus", "cube", "organic", "part"}) {
    const std::vector<Vec3> clean = make_shape(name)->sample(8000);
    const DenoiseResult result = denoise(clean);
    const double moved = compare_to_cloud(result.positions, clean).aligned_rms.value();
    figures.push_back({std::string(name) + ": moves, in spacings", moved / result.spacing, 0.01});
  }
  return figures;
}

inline std::vector<HarmFigure> moves() {
  std::vector<HarmFigure> figures;
  for (const std::string name : {"part", "organic"}) {
    const std::vector<Vec3> noisy = noisy_shape(name, 8000, 0.01);
    const DenoiseResult once = denoise(noisy);
    const DenoiseResult twice = denoise(once.positions);
    const double first = compare_to_cloud(once.positions, noisy).aligned_rms.value();
    const double second = compare_to_cloud(twice.positions, once.positions).aligned_rms.value();
    figures.push_back(
        {name + ": farthest move, in noises", largest_deviation(once.positions, noisy) / once.noise, 5.0});
    figures.push_back({name + ": moves of the second time, of those of the first", second / first, 0.1});
  }
  return figures;
}

inline std::vector<HarmFigure> open_borders() {
  constexpr double noise = 0.02;
  const Sheets sheet = make_sheets(5000, noise, [](TestRandom& random, std::size_t) {
    const double x = random.uniform(-1.0, 1.0);
    return Vec3(x, random.uniform(-1.0, 1.0), 0.0);
  });
  const std::vector<Vec3> result = denoise(sheet.noisy).positions;
  const auto at_border = [&](std::size_t i) {
    return std::max(std::abs(sheet.clean[i].x()), std::abs(sheet.clean[i].y())) > 0.95;
  };
  const auto height = [&](std::size_t i) { return result[i].z(); };
  // How far the border has moved inwards, on average.
  double inwards = 0.0;
  double count = 0.0;
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (sheet.clean[i].x() > 0.95) {
      inwards += sheet.clean[i].x() - result[i].x();
      count += 1.0;
    }
  }
  const double inside = rms(
      result.size(), [&](std::size_t i) { return !at_border(i); }, height);
  return {{"height left inside, in noises", inside / noise, 0.25},
          {"height left at the border, in noises", rms(result.size(), at_border, height) / noise, 0.5},
          {"border moved inwards, in noises", std::abs(inwards / count) / noise, 0.15}};
}

inline std::vector<HarmFigure> uneven_density() {
  constexpr double noise = 0.01;
  const Sheets sheet = make_sheets(10100, noise, [](TestRandom& random, std::size_t i) {
    const double x = random.uniform(0.0, 1.0);
    return Vec3(i < 10000 ? -x : x, random.uniform(-1.0, 1.0), 0.0);
  });
  const std::vector<Vec3> result = denoise(sheet.noisy).positions;
  const auto after = [&](std::size_t i) { return result[i].z(); };
  const double dense = rms(
      result.size(), [](std::size_t i) { return i < 10000; }, after);
  const double sparse = rms(
      result.size(), [](std::size_t i) { return i >= 10000; }, after);
  return {{"height left where dense, in noises", dense / noise, 0.3},
          {"height left where sparse, in noises", sparse / noise, 0.4}};
}

inline std::vector<HarmFigure> two_sides() {
  constexpr double noise = 0.01;
  std::vector<HarmFigure> figures;
  // Closer than four standard deviations, points are on the wrong side too often.
  for (const auto& [gap, most_lost] : {std::pair{4.0, 0.25}, {8.0, 0.05}}) {
    const Sheets sheets = make_sheets(20000, noise, [distance = gap * noise](TestRandom& random, std::size_t i) {
      const double x = random.uniform(-1.0, 1.0);
      return Vec3(x, random.uniform(-1.0, 1.0), (i % 2 == 0 ? 0.5 : -0.5) * distance);
    });
    const std::vector<Vec3> result = denoise(sheets.noisy).positions;
    double apart = 0.0;
    for (std::size_t i = 0; i < result.size(); ++i) {
      apart += (i % 2 == 0 ? 2.0 : -2.0) * result[i].z() / static_cast<double>(result.size());
    }
    const double left = rms(result.size(), all, [&](std::size_t i) { return result[i].z() - sheets.clean[i].z(); });
    const std::string name = std::to_string(static_cast<int>(gap)) + " noises apart: ";
    figures.push_back({name + "part of the gap that is lost", 1.0 - apart / (gap * noise), most_lost});
    figures.push_back({name + "error left, in noises", left / noise, 1.0});
  }
  return figures;
}

inline std::vector<HarmFigure> parts() {
  // The same noise on a sphere of radius 0.5 and on one of 0.2 beside it.
  std::vector<Vec3> cloud = noisy_shape("sphere", 8000, 0.01);
  const Vec3 aside(0.8, 0, 0);
  for (const Vec3& p : noisy_shape("sphere", 2000, 0.025)) {
    cloud.push_back(0.4 * p + aside);
  }
  const std::vector<Vec3> result = denoise(cloud).positions;
  const auto error = [&](const std::vector<Vec3>& points, bool of_the_large) {
    return rms(
        points.size(), [&](std::size_t i) { return (i < 8000) == of_the_large; },
        [&](std::size_t i) { return of_the_large ? points[i].norm() - 0.5 : (points[i] - aside).norm() - 0.2; });
  };
  return {{"error of the large one, of what it was", error(result, true) / error(cloud, true), 0.4},
          {"error of the small one, of what it was", error(result, false) / error(cloud, false), 0.5}};
}

/// A rod whose radius is four noises: a patch reaches around it.
inline std::vector<HarmFigure> thin_rod() {
  constexpr double noise = 0.01;
  constexpr double radius = 0.04;
  const Sheets rod = make_sheets(6000, noise, [](TestRandom& random, std::size_t) {
    const double angle = random.uniform(0.0, 2.0 * std::numbers::pi);
    return Vec3(random.uniform(-1.0, 1.0), radius * std::cos(angle), radius * std::sin(angle));
  });
  const std::vector<Vec3> result = denoise(rod.noisy).positions;
  const auto radius_at = [&](const std::vector<Vec3>& points, std::size_t i) {
    return std::hypot(points[i].y(), points[i].z());
  };
  double mean = 0.0;
  for (std::size_t i = 0; i < result.size(); ++i) {
    mean += radius_at(result, i) / static_cast<double>(result.size());
  }
  const double before = rms(rod.noisy.size(), all, [&](std::size_t i) { return radius_at(rod.noisy, i) - radius; });
  const double after = rms(result.size(), all, [&](std::size_t i) { return radius_at(result, i) - radius; });
  return {{"part of the radius that is lost", std::abs(1.0 - mean / radius), 0.1},
          {"error, of what it was", after / before, 1.0}};
}

inline std::vector<HarmFigure> isolated_points() {
  std::vector<Vec3> cloud = noisy_shape("organic", 3000, 0.012);
  const std::vector<Vec3> strays = {Vec3(7, 7, 7), Vec3(-3, 0, 1), Vec3(0, 4, 0)};
  cloud.insert(cloud.end(), strays.begin(), strays.end());
  const std::vector<Vec3> result = denoise(cloud).positions;
  return {{"farthest move of three strays", largest_deviation(std::span(result).last(3), strays), exactly_nothing}};
}

inline std::vector<HarmFigure> no_surface() {
  const std::vector<Vec3> volume = random_points(3000);
  const std::vector<Vec3> line = make_sheets(3000, 0.01, [](TestRandom& random, std::size_t) {
                                   return Vec3(random.uniform(-1.0, 1.0), 0.0, 0.0);
                                 }).noisy;
  return {{"a filled cube: farthest move", largest_deviation(denoise(volume).positions, volume), exactly_nothing},
          {"a noisy line: farthest move", largest_deviation(denoise(line).positions, line), exactly_nothing}};
}

}  // namespace harm

inline std::vector<HarmCase> harm_cases() {
  return {{"CleanShapes", "shapes without noise, 8000 points", harm::clean_shapes},
          {"Moves", "shapes with noise, denoised twice", harm::moves},
          {"OpenBorders", "a flat sheet with borders", harm::open_borders},
          {"UnevenDensity", "a sheet, one half 100 times as dense", harm::uneven_density},
          {"TwoSides", "two sheets close to each other", harm::two_sides},
          {"Parts", "a sphere and one of two fifths of its size", harm::parts},
          {"ThinRod", "a rod of four noises radius", harm::thin_rod},
          {"IsolatedPoints", "a shape and three strays", harm::isolated_points},
          {"NoSurface", "points that form no surface", harm::no_surface}};
}

}  // namespace burnish
