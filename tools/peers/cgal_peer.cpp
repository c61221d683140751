#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/IO/read_ply_points.h>
#include <CGAL/IO/write_ply_points.h>
#include <CGAL/bilateral_smooth_point_set.h>
#include <CGAL/jet_smooth_point_set.h>
#include <CGAL/property_map.h>
#include <CGAL/wlop_simplify_and_regularize_point_set.h>

#include <ctime>
#include <fstream>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

// CGAL's methods on a cloud, to measure ours against; never part of what is shipped. Prints the CPU seconds of the
// method.
//   cgal_peer wlop      IN.ply OUT.ply RADIUS ITERATIONS
//   cgal_peer jet       IN.ply OUT.ply NEIGHBOURS ITERATIONS
//   cgal_peer bilateral IN.ply OUT.ply NEIGHBOURS ITERATIONS      (IN with normals; sharpness angle 15 degrees)

namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Point = std::pair<Kernel::Point_3, Kernel::Vector_3>;
using Position = CGAL::First_of_pair_property_map<Point>;
using Normal = CGAL::Second_of_pair_property_map<Point>;

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    std::cerr << "usage: cgal_peer wlop|jet|bilateral IN.ply OUT.ply RADIUS|NEIGHBOURS ITERATIONS\n";
    return 2;
  }
  std::vector<Point> points;
  if (!CGAL::IO::read_PLY(argv[2], std::back_inserter(points),
                          CGAL::parameters::point_map(Position()).normal_map(Normal()))) {
    std::cerr << argv[2] << ": cannot be read\n";
    return 1;
  }
  const auto iterations = static_cast<unsigned>(std::stoul(argv[5]));
  std::vector<Kernel::Point_3> result;
  const std::clock_t start = std::clock();
  if (std::string(argv[1]) == "wlop") {
    CGAL::wlop_simplify_and_regularize_point_set<CGAL::Sequential_tag>(points, std::back_inserter(result),
                                                                       CGAL::parameters::point_map(Position())
                                                                           .select_percentage(100.0)
                                                                           .neighbor_radius(std::stod(argv[4]))
                                                                           .number_of_iterations(iterations));
  } else {
    const auto neighbours = static_cast<unsigned>(std::stoul(argv[4]));
    for (unsigned i = 0; i < iterations; ++i) {
      if (std::string(argv[1]) == "jet") {
        CGAL::jet_smooth_point_set<CGAL::Sequential_tag>(points, neighbours, CGAL::parameters::point_map(Position()));
      } else {
        CGAL::bilateral_smooth_point_set<CGAL::Sequential_tag>(
            points, neighbours, CGAL::parameters::point_map(Position()).normal_map(Normal()).sharpness_angle(15.0));
      }
    }
    for (const Point& point : points) {
      result.push_back(point.first);
    }
  }
  std::cout << static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC << '\n';
  std::ofstream out(argv[3], std::ios::binary);
  CGAL::IO::set_binary_mode(out);
  return CGAL::IO::write_PLY(out, result) ? 0 : 1;
}
