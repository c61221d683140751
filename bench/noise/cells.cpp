#include "cells.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <mutex>
#include <thread>

#include "burnish/denoise.hpp"
#include "burnish/methods.hpp"

namespace burnish::bench {
namespace {

double thread_microseconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e6 * static_cast<double>(time.tv_sec) + 1e-3 * static_cast<double>(time.tv_nsec);
}

struct Distances {
  double mean = 0.0;
  double rms = 0.0;
};

/// Distances to the surface of all points but the outliers.
Distances distances(const Surface& surface, std::span<const Vec3> points, std::span<const std::uint32_t> outliers) {
  double sum = 0.0;
  double squares = 0.0;
  auto next_outlier = outliers.begin();
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (next_outlier != outliers.end() && *next_outlier == i) {
      ++next_outlier;
      continue;
    }
    const double distance = surface.distance(points[i]);
    sum += distance;
    squares += distance * distance;
  }
  const auto count = static_cast<double>(points.size() - outliers.size());
  return {sum / count, std::sqrt(squares / count)};
}

std::vector<Row> measure(const Case& item, const std::vector<std::string>& methods) {
  const Measurable truth = item.make();
  const std::vector<Vec3>& noisy = truth.cloud.positions;
  const auto points = static_cast<double>(noisy.size());
  const std::vector<double> before = truth.errors(noisy);
  std::vector<Row> rows;
  for (std::size_t q = 0; q < item.quantities.size(); ++q) {
    Row row;
    row.about = item;
    row.about.make = nullptr;
    row.quantity = item.quantities[q];
    row.points = noisy.size();
    row.before = before[q];
    row.noise = truth.noise;
    row.outliers = truth.cloud.outliers.size();
    rows.push_back(std::move(row));
  }
  const auto add = [&](const std::string& method, std::span<const Vec3> result, double microseconds) {
    const std::vector<double> after = truth.errors(result);
    for (std::size_t q = 0; q < rows.size(); ++q) {
      rows[q].runs.push_back({method, after[q] / before[q], microseconds / points});
    }
  };
  for (const std::string& method : methods) {
    const double start = thread_microseconds();
    if (method != "auto") {
      const MethodResult result = run_method(method, noisy, {}, single_thread());
      add(method, result.positions, thread_microseconds() - start);
      continue;
    }
    const DenoiseResult result = denoise(noisy, {}, single_thread());
    add(method, result.positions, thread_microseconds() - start);
    const auto found = std::ranges::count_if(
        result.outliers, [&](std::uint32_t i) { return std::ranges::binary_search(truth.cloud.outliers, i); });
    for (Row& row : rows) {
      row.noise_found = result.noise;
      row.outliers_found = static_cast<std::size_t>(found);
      row.good_rejected = result.outliers.size() - row.outliers_found;
    }
  }
  return rows;
}

}  // namespace

Case surface_case(const std::string& table, const std::shared_ptr<const Scene>& scene, const CloudKind& kind) {
  Case item{table, scene->surface->name, kind.name, scene->seed, scene->points, {"mean distance"}, {}};
  item.make = [=] {
    Measurable truth;
    truth.cloud = kind.make(*scene);
    truth.noise = distances(*scene->surface, truth.cloud.positions, truth.cloud.outliers).rms;
    truth.errors = [scene, outliers = truth.cloud.outliers](std::span<const Vec3> points) {
      return std::vector{distances(*scene->surface, points, outliers).mean};
    };
    return truth;
  };
  return item;
}

std::vector<Row> measure(const std::vector<Case>& cases, const std::vector<std::string>& methods, unsigned jobs) {
  std::vector<std::vector<Row>> rows(cases.size());
  std::atomic<std::size_t> next{0};
  std::exception_ptr error;
  std::mutex lock;
  std::size_t done = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < cases.size(); i = next++) {
      try {
        rows[i] = measure(cases[i], methods);
      } catch (...) {
        const std::lock_guard guard(lock);
        error = std::current_exception();
        next = cases.size();
      }
      const std::lock_guard guard(lock);
      ++done;
      if (isatty(STDERR_FILENO) != 0) {
        fmt::print(stderr, "\r{} of {} clouds{}", done, cases.size(), done == cases.size() ? "\n" : "");
      }
    }
  };
  {
    std::vector<std::jthread> threads;
    for (unsigned t = 0; t < jobs; ++t) {
      threads.emplace_back(work);
    }
  }
  if (error) {
    std::rethrow_exception(error);
  }
  std::vector<Row> all;
  for (std::vector<Row>& of_case : rows) {
    std::ranges::move(of_case, std::back_inserter(all));
  }
  return all;
}

}  // namespace burnish::bench
