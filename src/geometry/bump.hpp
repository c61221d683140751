#pragma once

namespace burnish {

/// φ(r) = (1 − r²/h²)⁴ inside the radius h, 0 outside; from r²/h².
inline double bump(double squared) {
  const double t = squared < 1.0 ? 1.0 - squared : 0.0;
  return t * t * t * t;
}

}  // namespace burnish
