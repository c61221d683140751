#include <cstring>

#include "core/parallel.hpp"
#include "glr/lanes.hpp"
#include "glr/laplacian.hpp"

// The product of the system matrix with vectors, one per step of the solver.

namespace burnish::glr {
namespace {

constexpr std::size_t rows_of_a_product = 256;

/// Four lanes are one vector with AVX, two without; the result is the same.
[[gnu::always_inline]] inline void multiply_rows_body(const PointLaplacian& laplacian, double mu,
                                                      std::span<const Quad> x, std::span<Quad> y, std::size_t begin,
                                                      std::size_t end) {
  using QuadVector [[gnu::vector_size(sizeof(Quad))]] = double;
  using Floats [[gnu::vector_size(4 * sizeof(float))]] = float;
  static_assert(sizeof(PointLaplacian::Entry) == 2 * sizeof(float));
  for (std::size_t p = begin; p < end; ++p) {
    const PointLaplacian::Entry* entry = laplacian.entries.data() + laplacian.begins[p];
    const PointLaplacian::Entry* last = laplacian.entries.data() + laplacian.ends[p];
    const auto subtract = [&](std::uint32_t column, const QuadVector& weight, QuadVector& from)
        __attribute__((always_inline)) {
      QuadVector lanes;
      std::memcpy(&lanes, x[column].data(), sizeof lanes);
      from -= lanes * weight;
    };
    QuadVector sum;
    std::memcpy(&sum, x[p].data(), sizeof sum);
    sum *= laplacian.diagonal[p] + mu;
    QuadVector a{};  // several sums, so that one addition need not wait for another
    QuadVector b{};
    QuadVector c{};
    for (; last - entry > 3; entry += 4) {
      // Four weights are converted to double at once, which is cheaper than one by one.
      Floats first;
      Floats second;
      std::memcpy(&first, entry, sizeof first);
      std::memcpy(&second, entry + 2, sizeof second);
      const QuadVector weights =
          __builtin_convertvector(__builtin_shufflevector(first, second, 1, 3, 5, 7), QuadVector);
      subtract(entry[0].column, __builtin_shufflevector(weights, weights, 0, 0, 0, 0), sum);
      subtract(entry[1].column, __builtin_shufflevector(weights, weights, 1, 1, 1, 1), a);
      subtract(entry[2].column, __builtin_shufflevector(weights, weights, 2, 2, 2, 2), b);
      subtract(entry[3].column, __builtin_shufflevector(weights, weights, 3, 3, 3, 3), c);
    }
    for (; entry < last; ++entry) {
      const double weight = entry->weight;
      subtract(entry->column, QuadVector{weight, weight, weight, weight}, sum);
    }
    sum += (a + b) + c;
    std::memcpy(y[p].data(), &sum, sizeof sum);
  }
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void multiply_rows_avx2(const PointLaplacian& laplacian, double mu, std::span<const Quad> x,
                                                std::span<Quad> y, std::size_t begin, std::size_t end) {
  multiply_rows_body(laplacian, mu, x, y, begin, end);
}
#endif

void multiply_rows(const PointLaplacian& laplacian, double mu, std::span<const Quad> x, std::span<Quad> y,
                   std::size_t begin, std::size_t end) {
#if defined(__x86_64__)
  if (lanes_in_use() != Lanes::four) {
    multiply_rows_avx2(laplacian, mu, x, y, begin, end);
    return;
  }
#endif
  multiply_rows_body(laplacian, mu, x, y, begin, end);
}

}  // namespace

void PointLaplacian::multiply(double mu, std::span<const Quad> x, std::span<Quad> y,
                              const ExecutionContext& context) const {
  parallel_blocks(context, diagonal.size(), rows_of_a_product,
                  [&](std::size_t begin, std::size_t end) { multiply_rows(*this, mu, x, y, begin, end); });
}

}  // namespace burnish::glr
