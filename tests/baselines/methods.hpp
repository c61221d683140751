#pragma once

#include <functional>
#include <ostream>

#include "burnish/baselines.hpp"
#include "test_clouds.hpp"

namespace burnish {

/// A baseline with its default settings.
struct Method {
  const char* name;
  std::function<BaselineResult(std::span<const Vec3>, const ExecutionContext&)> run;

  [[nodiscard]] std::vector<Vec3> operator()(std::span<const Vec3> cloud) const { return run(cloud, {}).positions; }
};

inline void PrintTo(const Method& method, std::ostream* out) { *out << method.name; }

template <class Settings>
Method method(const char* name,
              BaselineResult (*denoise)(std::span<const Vec3>, const Settings&, const ExecutionContext&)) {
  return {name, [denoise](std::span<const Vec3> cloud, const ExecutionContext& context) {
            return denoise(cloud, Settings{}, context);
          }};
}

inline std::vector<Method> all_methods() {
  return {method<MlsSettings>("mls", denoise_mls),       method<BilateralSettings>("bilateral", denoise_bilateral),
          method<ApssSettings>("apss", denoise_apss),    method<RimlsSettings>("rimls", denoise_rimls),
          method<LopSettings>("lop", denoise_lop),       method<WlopSettings>("wlop", denoise_wlop),
          method<AwlopSettings>("awlop", denoise_awlop), method<NldSettings>("nld", denoise_nld),
          method<MrpcaSettings>("mrpca", denoise_mrpca), method<LowRankSettings>("low_rank", denoise_low_rank)};
}

}  // namespace burnish
