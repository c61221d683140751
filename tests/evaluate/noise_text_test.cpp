#include <gtest/gtest.h>

#include "burnish/error.hpp"
#include "burnish/noise.hpp"

namespace burnish {
namespace {

TEST(ParseNoise, UnderstandsEveryOption) {
  const auto step = std::get<RandomDisplacement>(
      parse_noise("student-t:sigma=0.5spacing:degrees=4.5:along=sight:viewpoint=1,-2,3e1:growth=quadratic:"
                  "range=2diameter:attribute=sigma:share=0.25"));
  EXPECT_EQ(step.distribution, NoiseDistribution::student_t);
  EXPECT_EQ(step.sigma.value, 0.5);
  EXPECT_EQ(step.sigma.unit, NoiseUnit::spacing);
  EXPECT_EQ(step.degrees_of_freedom, 4.5);
  EXPECT_EQ(step.along, NoiseDirection::line_of_sight);
  EXPECT_EQ(step.viewpoint, Vec3(1, -2, 30));
  EXPECT_EQ(step.growth, NoiseGrowth::quadratic);
  EXPECT_EQ(step.range.value, 2.0);
  EXPECT_EQ(step.range.unit, NoiseUnit::diameter);
  EXPECT_EQ(step.attribute, "sigma");
  EXPECT_EQ(step.share, 0.25);

  const auto correlated = std::get<RandomDisplacement>(
      parse_noise("gaussian : along = 0, 0, 2 : sigma = 1 radius : correlation = 4 spacing"));
  EXPECT_EQ(correlated.along, NoiseDirection::fixed);
  EXPECT_EQ(correlated.direction, Vec3(0, 0, 2));
  EXPECT_EQ(correlated.sigma.unit, NoiseUnit::radius);
  EXPECT_EQ(correlated.correlation.value, 4.0);

  const auto depth = std::get<Quantisation>(parse_noise("quantise-depth:step=0.1:axis=0,0,1:viewpoint=0,0,0"));
  EXPECT_TRUE(depth.depth);
  EXPECT_EQ(depth.axis, Vec3(0, 0, 1));
  EXPECT_FALSE(std::get<Quantisation>(parse_noise("quantise:step=0.1")).depth);

  EXPECT_EQ(std::get<Outliers>(parse_noise("outliers:share=0.2:margin=10")).margin, 10.0);
  EXPECT_EQ(std::get<Outliers>(parse_noise("halo:distance=3sqrt-diameter")).halo.unit, NoiseUnit::sqrt_diameter);
  const auto scans = std::get<Misregistration>(parse_noise("misregistration:scans=5:shift=0.1:angle=-2"));
  EXPECT_EQ(scans.scans, 5U);
  EXPECT_EQ(scans.angle, -2.0);
}

TEST(ParseNoise, UsesWhatIsGivenForAll) {
  const NoiseLength sigma(0.5, NoiseUnit::spacing);
  const auto step = std::get<RandomDisplacement>(parse_noise("uniform", sigma, NoiseUnit::diameter));
  EXPECT_EQ(step.sigma.value, 0.5);
  EXPECT_EQ(step.sigma.unit, NoiseUnit::spacing);
  const auto own = std::get<RandomDisplacement>(parse_noise("uniform:sigma=2", sigma, NoiseUnit::diameter));
  EXPECT_EQ(own.sigma.value, 2.0);
  EXPECT_EQ(own.sigma.unit, NoiseUnit::diameter);
  // Without sigma the attribute is the standard deviation itself.
  EXPECT_EQ(std::get<RandomDisplacement>(parse_noise("gaussian:attribute=s")).sigma.value, 1.0);
}

TEST(ParseNoise, DescribesItsKinds) {
  ASSERT_GE(noise_kinds().size(), 10U);
  for (const NoiseKind& kind : noise_kinds()) {
    EXPECT_FALSE(kind.meaning.empty()) << kind.name;
    EXPECT_FALSE(kind.options.empty()) << kind.name;
    for (const NoiseOption& option : kind.options) {
      EXPECT_FALSE(option.meaning.empty()) << kind.name << ' ' << option.name;
    }
  }
  for (const std::string& name : noise_unit_names()) {
    EXPECT_EQ(noise_unit_names()[static_cast<std::size_t>(noise_unit(name))], name);
  }
}

TEST(ParseNoise, RefusesInOneLineThatSaysWhy) {
  const auto refused = [](const char* text, const std::string& message) {
    try {
      static_cast<void>(parse_noise(text));
      ADD_FAILURE() << "accepted: " << text;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    }
  };
  refused("", "there is no noise of the kind \"\"");
  refused("pink:sigma=1", "there is no noise of the kind \"pink\"; there are gaussian, uniform, laplace, student-t");
  refused("gaussian", "gaussian: sigma is missing");
  refused("gaussian:sigma", "\"sigma\" is not OPTION=VALUE");
  refused("gaussian:sigma=", "sigma is \"\", expected a length such as 0.01 or 0.5spacing");
  refused("gaussian:sigma=0.5 spacings", "there is no unit \"spacings\"; there are absolute, spacing, diameter");
  refused("gaussian:sigma=1:sigma=2", "sigma is given twice");
  refused("gaussian:sigma=-1", "gaussian: sigma must be a length from 0 on, not -1");
  refused("gaussian:sigma=inf", "sigma");
  refused("gaussian:sigma=1:degrees=3", "gaussian: there is no option \"degrees\"; there are sigma");
  refused("gaussian:sigma=1:along=up", "expected all, normal, sight, or a direction such as 0,0,1");
  refused("gaussian:sigma=1:along=0,1", "expected three numbers such as 0,0,1");
  refused("gaussian:sigma=1:along=0,0,0", "not all 0");
  refused("gaussian:sigma=1:growth=cubic", "expected constant, linear or quadratic");
  refused("gaussian:sigma=1:share=2", "share must be between 0 and 1, not 2");
  refused("gaussian:sigma=1:share=half", "share is \"half\", expected a number");
  refused("student-t:sigma=1:degrees=2", "degrees of freedom must be above 2");
  refused("periodic:sigma=1", "periodic: wavelength is missing");
  refused("periodic:sigma=1:wavelength=0", "wavelength must be a length above 0");
  refused("quantise", "quantise: step is missing");
  refused("quantise:step=0", "step must be a length above 0");
  refused("halo:share=0.1", "halo: distance is missing");
  refused("misregistration:scans=2", "shift or angle is missing");
  refused("misregistration:scans=2.5:shift=1", "scans is \"2.5\", expected a whole number");
  refused("misregistration:scans=0:shift=1", "scans");
}

}  // namespace
}  // namespace burnish
