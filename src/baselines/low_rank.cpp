#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include <numbers>

#include "baselines/baseline_run.hpp"
#include "baselines/filter_radius.hpp"
#include "baselines/height_maps.hpp"
#include "burnish/sampling.hpp"
#include "geometry/frames.hpp"
#include "geometry/normals.hpp"

// K. Sarkar, F. Bernard, K. Varanasi, C. Theobalt, D. Stricker: "Structured low-rank matrix factorization for
// point-cloud denoising", International Conference on 3D Vision, 2018.

namespace burnish {
namespace {

using namespace baselines;

constexpr std::size_t points_per_patch_centre = 8;
constexpr std::size_t normal_neighbours = 20;
/// Width of the weights that make the heights of a cell, in spacings.
constexpr double height_width = 0.5;
/// Patches whose mean a point goes to.
constexpr std::size_t patches_of_point = 8;

/// Where a patch lies, and what it is made of.
struct Patch {
  Vec3 centre = Vec3::Zero();
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();
  Eigen::VectorXd coefficients;  ///< of the atoms
};

/// Brings points into the frame of a patch, in units of its radius. The directions of the frame depend on the points
/// alone, so that they rotate with them: the first is the one they spread most in, and they extend farther to its
/// positive side.
void enter_frame(std::vector<Vec3>& around, const Vec3& normal, double radius, Patch& patch) {
  const PrincipalFrame frame = principal_frame(around);
  Vec3 tangent = frame.axes.col(0) - frame.axes.col(0).dot(normal) * normal;
  if (!(tangent.squaredNorm() > 1e-6)) {
    tangent = frame.axes.col(1) - frame.axes.col(1).dot(normal) * normal;
  }
  patch.axes.col(0) = tangent.normalized();
  patch.axes.col(1) = normal.cross(patch.axes.col(0));
  patch.axes.col(2) = normal;
  Vec3 skew = Vec3::Zero();
  for (Vec3& p : around) {
    p = patch.axes.transpose() * (p - patch.centre) / radius;
    skew += p.cwiseProduct(p).cwiseProduct(p);
  }
  const Vec3 signs(skew.x() < 0.0 ? -1.0 : 1.0, skew.y() < 0.0 ? -1.0 : 1.0, 1.0);
  for (Vec3& p : around) {
    p = p.cwiseProduct(signs);
  }
  patch.axes = patch.axes * signs.asDiagonal();
}

/// The columns are the atoms; how much of each is kept is in `kept`.
struct Dictionary {
  Eigen::MatrixXd atoms;
  Eigen::VectorXd kept;
};

/// Factors D, A of few columns with little Σ‖d‖‖a‖ have as their product the matrix of patches with its singular
/// values made smaller by a threshold (Haeffele and Vidal 2014), which needs no iteration. The threshold is the first
/// singular value that the dictionary has no atom for: what it leaves out is taken to be noise.
Dictionary dictionary_of(const Eigen::MatrixXd& products, unsigned atoms) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(products);
  const auto count = static_cast<Eigen::Index>(atoms);
  // Squares of the singular values, smallest first.
  const Eigen::VectorXd values = solver.eigenvalues().cwiseMax(0.0).cwiseSqrt().reverse();
  Dictionary dictionary;
  dictionary.atoms = solver.eigenvectors().rowwise().reverse().leftCols(count);
  dictionary.kept = Eigen::VectorXd::Zero(count);
  for (Eigen::Index a = 0; a < count; ++a) {
    dictionary.kept[a] = values[a] > 0.0 ? 1.0 - values[count] / values[a] : 0.0;
  }
  return dictionary;
}

}  // namespace

BaselineResult denoise_low_rank(std::span<const Vec3> positions, const LowRankSettings& settings,
                                const ExecutionContext& context) {
  require(settings.atoms >= 1 && settings.atoms < map_cells, "low rank: there must be from 1 to 255 atoms");
  require(settings.patch_radius >= 1.0 && settings.patch_radius <= 20.0,
          "low rank: the patch radius must be from 1 to 20");
  return run_baseline(positions, context, [&](std::span<const Vec3> points) {
    const double radius = settings.patch_radius;
    const NeighbourSearch search(points, context);
    const Neighbourhoods nearest(points, search, normal_neighbours, context);
    std::vector<Vec3> normals = estimate_normals(points, nearest, normal_neighbours, context);
    orient_normals(points, normals, nearest, 10, Orientation::parallel, context);
    const std::vector<std::uint32_t> centres =
        farthest_point_sample(points, (points.size() + points_per_patch_centre - 1) / points_per_patch_centre,
                              farthest_from_mean(points), context);

    // The height map of a patch, of the points on its side of the surface. Made twice rather than kept.
    std::vector<Patch> patches(centres.size());
    const auto map_of = [&](std::size_t m, std::vector<std::uint32_t>& indices, std::vector<Vec3>& around) {
      const Vec3& normal = normals[centres[m]];
      Patch& patch = patches[m];
      patch.centre = points[centres[m]];
      surroundings(search, patch.centre, radius, std::numbers::pi * radius * radius, indices);
      around.clear();
      for (const std::uint32_t j : indices) {
        if (normals[j].dot(normal) > 0.0) {
          around.push_back(points[j]);
        }
      }
      enter_frame(around, normal, radius, patch);
      return height_map(around, height_width / radius);
    };

    const std::size_t block = std::max<std::size_t>(64, centres.size() / 32);
    const Eigen::MatrixXd products =
        parallel_sum(context, centres.size(), block, Eigen::MatrixXd(Eigen::MatrixXd::Zero(map_cells, map_cells)),
                     [&](std::size_t begin, std::size_t end) {
                       Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(map_cells, map_cells);
                       std::vector<std::uint32_t> indices;
                       std::vector<Vec3> around;
                       for (std::size_t m = begin; m < end; ++m) {
                         const HeightMap map = map_of(m, indices, around);
                         for (int c = 0; c < map_cells; ++c) {
                           sum.col(c) += map[c] * map;
                         }
                       }
                       return sum;
                     });
    context.report("denoising", 0.5);
    const Dictionary dictionary = dictionary_of(products, settings.atoms);
    blocks_with_progress(context, centres.size(), 0.6, 0.8, [&](std::size_t begin, std::size_t end) {
      std::vector<std::uint32_t> indices;
      std::vector<Vec3> around;
      for (std::size_t m = begin; m < end; ++m) {
        const HeightMap map = map_of(m, indices, around);
        patches[m].coefficients.resize(dictionary.kept.size());
        for (Eigen::Index a = 0; a < dictionary.kept.size(); ++a) {
          patches[m].coefficients[a] = dictionary.kept[a] * dictionary.atoms.col(a).dot(map);
        }
      }
    });

    // Every point goes to the mean of what the patches around it say.
    std::vector<Vec3> middles(centres.size());
    std::ranges::transform(centres, middles.begin(), [&](std::uint32_t c) { return points[c]; });
    const NeighbourSearch patch_search(middles, context);
    std::vector<Vec3> moved(points.size());
    blocks_with_progress(context, points.size(), 0.8, 1.0, [&](std::size_t begin, std::size_t end) {
      std::array<std::uint32_t, patches_of_point> indices{};
      std::array<double, patches_of_point> distances{};
      for (std::size_t i = begin; i < end; ++i) {
        const std::size_t found = patch_search.nearest(points[i], indices, distances);
        double sum = 0.0;
        Vec3 move = Vec3::Zero();
        for (std::size_t k = 0; k < found; ++k) {
          const Patch& patch = patches[indices[k]];
          const Vec3 local = patch.axes.transpose() * (points[i] - patch.centre) / radius;
          const double t = 1.0 - local.squaredNorm();
          if (!(t > 0.0 && normals[i].dot(patch.axes.col(2)) > 0.0)) {  // nor where one is not a number
            continue;
          }
          const Interpolation at = interpolation_at(local.x(), local.y());
          double height = 0.0;
          for (int c = 0; c < 4; ++c) {
            height += at.weights[c] * dictionary.atoms.row(at.cells[c]).dot(patch.coefficients);
          }
          const double weight = t * t * std::abs(normals[i].dot(patch.axes.col(2)));
          sum += weight;
          move += (weight * radius * (height - local.z())) * patch.axes.col(2);
        }
        moved[i] = sum > 0.0 ? Vec3(points[i] + move / sum) : points[i];
      }
    });
    return moved;
  });
}

}  // namespace burnish
