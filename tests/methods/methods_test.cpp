#include "burnish/methods.hpp"

#include <gtest/gtest.h>

#include <set>

#include "burnish/baselines.hpp"
#include "burnish/denoise.hpp"
#include "burnish/glr.hpp"
#include "test_clouds.hpp"

namespace burnish {
namespace {

std::vector<Vec3> cloud() { return noisy_shape("part", 1500, 0.005); }

const Diagnostic& find(const std::vector<Diagnostic>& diagnostics, std::string_view name) {
  const auto found = std::ranges::find(diagnostics, name, &Diagnostic::name);
  EXPECT_NE(found, diagnostics.end()) << name;
  return *found;
}

TEST(Methods, HaveNamesDescriptionsAndOptions) {
  std::set<std::string> names;
  std::map<std::string, std::string> meanings;
  for (const Method& method : methods()) {
    EXPECT_TRUE(names.insert(method.name).second) << method.name;
    EXPECT_FALSE(method.description.empty()) << method.name;
    EXPECT_FALSE(method.options.empty()) << method.name;
    for (const MethodOption& option : method.options) {
      EXPECT_FALSE(option.type.empty()) << option.name;
      // The same name means the same everywhere.
      EXPECT_EQ(meanings.try_emplace(option.name, option.meaning).first->second, option.meaning) << option.name;
      EXPECT_EQ(method.find_option(option.name), &option);
    }
    EXPECT_EQ(method.find_option("colour"), nullptr);
  }
  EXPECT_EQ(names, (std::set<std::string>{"auto", "glr", "mls", "bilateral", "apss", "rimls", "lop", "wlop", "awlop",
                                          "nld", "mrpca", "low_rank"}));
}

TEST(Methods, AreThoseOfTheLibrary) {
  const std::vector<Vec3> noisy = cloud();
  EXPECT_TRUE(same_bits(run_method("auto", noisy).positions, denoise(noisy).positions));
  EXPECT_TRUE(same_bits(run_method("glr", noisy).positions, denoise_glr(noisy).positions));
  EXPECT_TRUE(same_bits(run_method("apss", noisy).positions, denoise_apss(noisy).positions));
  EXPECT_TRUE(same_bits(run_method("awlop", noisy).positions, denoise_awlop(noisy).positions));
}

TEST(Methods, AutoReportsWhatItDid) {
  const MethodResult patches = run_method("auto", noisy_shape("sphere", 2000, 0.06));
  EXPECT_NE(patches.summary.find("patches of "), std::string::npos) << patches.summary;
  // Little noise on a smooth surface.
  const MethodResult fits = run_method("auto", noisy_shape("sphere", 5000, 0.0015));
  ASSERT_EQ(std::get<std::uint64_t>(find(fits.diagnostics, "iterations").value), 0U) << "try less noise";
  ASSERT_GT(std::get<std::uint64_t>(find(fits.diagnostics, "consensus_passes").value), 0U) << "try more noise";
  EXPECT_NE(fits.summary.find("; local fits only; expected error"), std::string::npos) << fits.summary;
  EXPECT_NE(run_method("auto", random_points(3)).summary.find("left unchanged"), std::string::npos);
}

TEST(Methods, DefaultsGivenAsTextChangeNothing) {
  const std::vector<Vec3> noisy = noisy_shape("part", 600, 0.005);
  for (const Method& method : methods()) {
    MethodOptions defaults;
    for (const MethodOption& option : method.options) {
      if (!option.default_value.empty()) {
        defaults[option.name] = option.default_value;
      }
    }
    EXPECT_TRUE(same_bits(run_method(method.name, noisy).positions, run_method(method.name, noisy, defaults).positions))
        << method.name;
  }
}

TEST(Methods, TakeOptionsByName) {
  const std::vector<Vec3> noisy = cloud();
  WlopSettings wlop;
  wlop.repulsion = 0.1;
  wlop.iterations = 3;
  EXPECT_TRUE(same_bits(run_method("wlop", noisy, {{"repulsion", "0.1"}, {"iterations", "3"}}).positions,
                        denoise_wlop(noisy, wlop).positions));
  GlrSettings glr = glr_authors();
  glr.epsilon = {0.5, 0.4};
  glr.laplacian = Laplacian::normalised;
  glr.length_unit = LengthUnit::spacing;
  glr.iterations = 2;
  const MethodOptions options = {{"epsilon", "0.5,0.4"},
                                 {"iterations", "2"},
                                 {"laplacian", "normalised"},
                                 {"length-unit", "spacing"},
                                 {"preset", "authors"}};
  EXPECT_TRUE(same_bits(run_method("glr", noisy, options).positions, denoise_glr(noisy, glr).positions));
}

TEST(Methods, ReportWhatTheyDid) {
  const std::vector<Vec3> noisy = cloud();
  const MethodResult glr = run_method("glr", noisy, {{"iterations", "3"}, {"convergence", "0"}});
  EXPECT_EQ(std::get<std::string>(find(glr.diagnostics, "preset").value), "paper");
  EXPECT_GT(std::get<double>(find(glr.diagnostics, "spacing").value), 0.0);
  const auto& iterations = std::get<std::vector<std::vector<Diagnostic>>>(find(glr.diagnostics, "iterations").value);
  ASSERT_EQ(iterations.size(), 3U);
  EXPECT_GT(std::get<double>(find(iterations[2], "mu").value), std::get<double>(find(iterations[0], "mu").value));
  EXPECT_NE(glr.summary.find("3 iterations"), std::string::npos) << glr.summary;

  const std::vector<Vec3> three(noisy.begin(), noisy.begin() + 3);
  for (const Method& method : methods()) {
    const MethodResult result = run_method(method.name, three);
    EXPECT_TRUE(same_bits(result.positions, three)) << method.name;
    EXPECT_NE(result.summary.find("left unchanged"), std::string::npos) << method.name << ": " << result.summary;
  }
}

TEST(Methods, RefuseWhatTheyDoNotKnow) {
  EXPECT_THROW((void)find_method("splines"), WrongOption);
  const auto refuses = [](const char* method, const char* option, const char* value) {
    EXPECT_THROW((void)find_method(method).prepare({{option, value}}), WrongOption) << method << option << value;
  };
  refuses("apss", "repulsion", "0.1");
  refuses("auto", "patch-size", "30");
  refuses("glr", "strength", "1");
  refuses("glr", "preset", "mine");
  refuses("glr", "laplacian", "Combinatorial");
  refuses("glr", "patch-size", "thirty");
  refuses("glr", "patch-size", "-1");
  refuses("glr", "patch-size", "2.5");
  refuses("glr", "patch-size", "99999999999");
  refuses("glr", "epsilon", "0.1,,0.2");
  refuses("glr", "epsilon", "");
  refuses("glr", "gamma", "0.5 ");
  // Understood, but without sense: said where the method looks at its settings.
  EXPECT_THROW((void)run_method("apss", cloud(), {{"filter-scale", "0"}}), Error);
  EXPECT_THROW((void)run_method("glr", cloud(), {{"gamma", "nan"}}), Error);
}

TEST(Methods, UseTheNormalsOfTheCloud) {
  const std::vector<Vec3> noisy = noisy_shape("sphere", 3000, 0.01);
  std::vector<Vec3> outwards(noisy.size());
  std::ranges::transform(noisy, outwards.begin(), [](const Vec3& p) { return Vec3(3.0 * p); });  // of any length
  std::vector<Vec3> unit(noisy.size());
  std::ranges::transform(noisy, unit.begin(), [](const Vec3& p) { return p.normalized(); });
  const auto off = [](const std::vector<Vec3>& points) {
    double sum = 0.0;
    for (const Vec3& p : points) {
      sum += std::abs(p.norm() - 0.5);
    }
    return sum;
  };
  EXPECT_LT(off(run_method("apss", noisy, {}, {}, outwards).positions), off(run_method("apss", noisy).positions))
      << "true normals are better than estimated ones";
  for (const char* method : {"apss", "rimls", "bilateral", "awlop"}) {
    const std::vector<Vec3> estimated = run_method(method, noisy).positions;
    const std::vector<Vec3> given = run_method(method, noisy, {}, {}, outwards).positions;
    EXPECT_GT(largest_deviation(given, estimated), 1e-4) << method;
    EXPECT_LT(largest_deviation(given, run_method(method, noisy, {}, {}, unit).positions), 1e-9) << method;
    std::vector<Vec3> bad = outwards;
    bad[5] = Vec3::Zero();
    EXPECT_TRUE(same_bits(run_method(method, noisy, {}, {}, bad).positions, estimated)) << method;
    bad.pop_back();
    EXPECT_THROW((void)run_method(method, noisy, {}, {}, bad), Error) << method;
  }
  EXPECT_TRUE(same_bits(run_method("mls", noisy, {}, {}, outwards).positions, run_method("mls", noisy).positions));
}

}  // namespace
}  // namespace burnish
