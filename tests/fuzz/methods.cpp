#include "burnish/methods.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "fuzz.hpp"

namespace burnish::fuzz {
namespace {

/// Takes numbers off the front of the bytes; zeros after their end.
class Source {
 public:
  explicit Source(Bytes bytes) : bytes_(bytes) {}

  template <class T>
  T take() {
    T value{};
    const std::size_t size = std::min(sizeof(T), bytes_.size());
    std::memcpy(&value, bytes_.data(), size);
    bytes_ = bytes_.subspan(size);
    return value;
  }

  [[nodiscard]] bool empty() const { return bytes_.empty(); }

 private:
  Bytes bytes_;
};

/// A coordinate in one of several spellings: few bytes make lattices, lines, planes and duplicates, many make anything.
double coordinate(Source& source, unsigned kind) {
  switch (kind % 4) {
    case 0:
      return source.take<std::int8_t>();
    case 1:
      return source.take<std::int16_t>() / 4096.0;
    case 2:
      return source.take<float>();
    default:
      return source.take<double>();
  }
}

/// A cloud of up to some hundred points. Its first byte selects the spelling of each coordinate and the second how
/// often the last point is there.
std::vector<Vec3> make_cloud(Source& source) {
  constexpr std::size_t most_points = 400;
  const unsigned kinds = source.take<std::uint8_t>();
  const std::size_t copies = source.take<std::uint8_t>();
  std::vector<Vec3> cloud;
  while (!source.empty() && cloud.size() < most_points) {
    Vec3 p;
    p.x() = coordinate(source, kinds);
    p.y() = coordinate(source, kinds / 4);
    p.z() = (kinds & 64) != 0 ? 1.0 : coordinate(source, kinds / 16);
    cloud.push_back((kinds & 128) != 0 ? Vec3(p + Vec3::Constant(1e6)) : p);
  }
  if (!cloud.empty()) {
    cloud.insert(cloud.end(), copies, Vec3(cloud.back()));
  }
  return cloud;
}

bool same_bits(const Vec3& a, const Vec3& b) { return std::memcmp(a.data(), b.data(), sizeof(Vec3)) == 0; }

}  // namespace

void run_methods(Bytes bytes) {
  Source source(bytes);
  const Method& method = methods()[source.take<std::uint8_t>() % methods().size()];
  const std::vector<Vec3> cloud = make_cloud(source);
  ExecutionContext context;
  context.threads = 1;
  const bool is_too_large =
      std::ranges::any_of(cloud, [](const Vec3& p) { return p.allFinite() && p.cwiseAbs().maxCoeff() > 1e150; });
  MethodResult result;
  try {
    result = method.prepare({})(cloud, {}, context);
    demand(!is_too_large, method.name + " refuses coordinates whose squares are no numbers");
  } catch (const Error&) {
    demand(is_too_large, method.name + " takes all other coordinates");
    return;
  }
  demand(result.positions.size() == cloud.size(), method.name + " gives back as many points");
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    if (cloud[i].allFinite()) {
      demand(result.positions[i].allFinite(), method.name + " makes finite points of finite ones");
    } else {
      demand(same_bits(result.positions[i], cloud[i]), method.name + " leaves points alone that are not finite");
    }
  }
}

}  // namespace burnish::fuzz
