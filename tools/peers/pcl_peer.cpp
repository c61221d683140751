#include <pcl/io/ply_io.h>
#include <pcl/point_types.h>
#include <pcl/search/kdtree.h>
#include <pcl/surface/mls.h>

#include <ctime>
#include <iostream>
#include <string>

// PCL's moving least squares on a cloud, to measure ours against; never part of what is shipped. Prints the CPU seconds
// of the method.
//   pcl_peer IN.ply OUT.ply RADIUS ORDER

int main(int argc, char** argv) {
  if (argc != 5) {
    std::cerr << "usage: pcl_peer IN.ply OUT.ply RADIUS ORDER\n";
    return 2;
  }
  const pcl::PointCloud<pcl::PointXYZ>::Ptr cloud(new pcl::PointCloud<pcl::PointXYZ>);
  if (pcl::io::loadPLYFile(argv[1], *cloud) != 0) {
    std::cerr << argv[1] << ": cannot be read\n";
    return 1;
  }
  pcl::PointCloud<pcl::PointXYZ> smooth;
  const std::clock_t start = std::clock();
  const pcl::search::KdTree<pcl::PointXYZ>::Ptr tree(new pcl::search::KdTree<pcl::PointXYZ>);
  pcl::MovingLeastSquares<pcl::PointXYZ, pcl::PointXYZ> mls;
  mls.setInputCloud(cloud);
  mls.setSearchMethod(tree);
  mls.setSearchRadius(std::stod(argv[3]));
  mls.setPolynomialOrder(std::stoi(argv[4]));
  mls.process(smooth);
  std::cout << static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC << '\n';
  return pcl::io::savePLYFileBinary(argv[2], smooth) == 0 ? 0 : 1;
}
