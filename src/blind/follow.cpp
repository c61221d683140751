#include "blind/follow.hpp"

#include "blind/outliers.hpp"
#include "blind/steps.hpp"

namespace burnish::blind {

Followed follow(const Choice& choice, const std::vector<Vec3>& points, const ExecutionContext& context) {
  Followed followed;
  followed.outliers = find_outliers(points, choice.noise, context);
  const std::vector<Vec3> rest = without(points, followed.outliers);
  if (choice.plan.does_nothing() || rest.empty()) {
    followed.points = points;
    return followed;
  }
  Steps steps(rest, context);
  followed.points = put_back(points, followed.outliers, steps.end(choice.plan, steps.begin(choice.plan)));
  return followed;
}

}  // namespace burnish::blind
