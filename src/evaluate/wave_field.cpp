#include "evaluate/wave_field.hpp"

#include <cmath>

#include "core/math.hpp"
#include "core/random.hpp"

namespace burnish {
namespace {

/// As many that no single wave is seen in the sum.
constexpr std::size_t waves_of_correlated_field = 400;

}  // namespace

void WaveField::add_wave(const Vec3& turns_per_length, RandomStream& random) {
  Wave& wave = waves_.emplace_back();
  wave.turns_per_length = turns_per_length;
  for (int component = 0; component < 3; ++component) {
    const math::SineCosine phase = math::sine_cosine_of_turns(random.uniform());
    wave.sines[component] = phase.sine;
    wave.cosines[component] = phase.cosine;
  }
}

WaveField WaveField::correlated(double length, std::uint64_t seed) {
  constexpr double two_pi = 6.283185307179586477;
  WaveField field;
  field.amplitude_ = std::sqrt(2.0 / static_cast<double>(waves_of_correlated_field));
  for (std::size_t i = 0; i < waves_of_correlated_field; ++i) {
    RandomStream random(seed, first_random_quantity + i);
    const double x = random.normal();
    const double y = random.normal();
    field.add_wave(Vec3(x, y, random.normal()) / (two_pi * length), random);
  }
  return field;
}

WaveField WaveField::plane_wave(double wavelength, std::uint64_t seed) {
  WaveField field;
  field.amplitude_ = std::sqrt(2.0);
  RandomStream random(seed, first_random_quantity);
  field.add_wave(random.direction3() / wavelength, random);
  return field;
}

Vec3 WaveField::at(const Vec3& place) const {
  Vec3 sum = Vec3::Zero();
  for (const Wave& wave : waves_) {
    const math::SineCosine value = math::sine_cosine_of_turns(wave.turns_per_length.dot(place));
    sum += value.cosine * wave.cosines - value.sine * wave.sines;
  }
  return amplitude_ * sum;
}

}  // namespace burnish
