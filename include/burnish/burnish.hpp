#pragma once

// Includes the whole library. Each header covers one concept and is its manual; most programs need only a few of them.

#include "burnish/baselines.hpp"      // IWYU pragma: export
#include "burnish/denoise.hpp"        // IWYU pragma: export
#include "burnish/error.hpp"          // IWYU pragma: export
#include "burnish/estimate.hpp"       // IWYU pragma: export
#include "burnish/execution.hpp"      // IWYU pragma: export
#include "burnish/glr.hpp"            // IWYU pragma: export
#include "burnish/io.hpp"             // IWYU pragma: export
#include "burnish/mesh.hpp"           // IWYU pragma: export
#include "burnish/mesh_distance.hpp"  // IWYU pragma: export
#include "burnish/mesh_sampling.hpp"  // IWYU pragma: export
#include "burnish/methods.hpp"        // IWYU pragma: export
#include "burnish/metrics.hpp"        // IWYU pragma: export
#include "burnish/nearest_word.hpp"   // IWYU pragma: export
#include "burnish/neighbours.hpp"     // IWYU pragma: export
#include "burnish/noise.hpp"          // IWYU pragma: export
#include "burnish/normals.hpp"        // IWYU pragma: export
#include "burnish/point_cloud.hpp"    // IWYU pragma: export
#include "burnish/point_view.hpp"     // IWYU pragma: export
#include "burnish/progress.hpp"       // IWYU pragma: export
#include "burnish/ray.hpp"            // IWYU pragma: export
#include "burnish/reconstruct.hpp"    // IWYU pragma: export
#include "burnish/sampling.hpp"       // IWYU pragma: export
#include "burnish/scan.hpp"           // IWYU pragma: export
#include "burnish/shapes.hpp"         // IWYU pragma: export
#include "burnish/tiles.hpp"          // IWYU pragma: export
#include "burnish/version.hpp"        // IWYU pragma: export
#include "burnish/view.hpp"           // IWYU pragma: export
