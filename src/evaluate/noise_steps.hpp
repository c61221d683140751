#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "burnish/noise.hpp"
#include "evaluate/noise_input.hpp"

// The steps of a noise model, one source file each. They move the finite ones of `positions`, whose i-th is the i-th of
// the input after the earlier steps. check throws Error if a value makes no sense whatever the cloud.

namespace burnish {

void check(const RandomDisplacement& step);
void check(const Quantisation& step);
void check(const Outliers& step);
void check(const Misregistration& step);

void displace(const RandomDisplacement& step, const NoiseInput& input, std::uint64_t seed, std::span<Vec3> positions,
              const ExecutionContext& context);

void quantise(const Quantisation& step, const NoiseInput& input, std::span<Vec3> positions,
              const ExecutionContext& context);

/// Sets `is_outlier` of those that it replaces.
void throw_outliers(const Outliers& step, const NoiseInput& input, std::uint64_t seed, std::span<Vec3> positions,
                    std::span<std::uint8_t> is_outlier, const ExecutionContext& context);

void misregister(const Misregistration& step, const NoiseInput& input, std::uint64_t seed, std::span<Vec3> positions,
                 const ExecutionContext& context);

/// Throws Error, with what was expected and the value, unless `holds`.
void expect_value(bool holds, const char* expectation, double value);

/// Throws Error unless the length is finite and not negative, and not 0 if it must not be.
void expect_length(const NoiseLength& length, const char* name, bool can_be_zero);

}  // namespace burnish
