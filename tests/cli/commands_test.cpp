#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

#include "burnish/io.hpp"
#include "program.hpp"

using nlohmann::json;

namespace {

TEST(Commands, TheExampleOfTheHelpWorks) {
  const Folder folder;
  ASSERT_EQ(folder.burnish("synth part clean.ply --points 12000").code, 0);
  ASSERT_EQ(folder.burnish("noise clean.ply noisy.ply --sigma 0.002 --unit diameter").code, 0);
  const Outcome denoised = folder.burnish("denoise noisy.ply smooth.ply");
  ASSERT_EQ(denoised.code, 0) << denoised.err;
  EXPECT_EQ(denoised.out, "");

  const auto distance = [&](const std::string& file) {
    const Outcome outcome = folder.burnish("evaluate " + file + " --truth part --json");
    return json::parse(outcome.out)["comparisons"][0]["mean_distance"].get<double>();
  };
  EXPECT_LT(distance("clean.ply"), 1e-7);  // positions are written as double
  EXPECT_LT(distance("smooth.ply"), distance("noisy.ply"));
}

TEST(Commands, DenoiseReportsWhatItDid) {
  const Folder folder;
  ASSERT_EQ(folder.burnish("synth cube clean.ply --points 1500").code, 0);
  ASSERT_EQ(folder.burnish("noise clean.ply noisy.ply --sigma 0.005 --unit diameter").code, 0);
  const Outcome outcome =
      folder.burnish("denoise noisy.ply smooth.ply --json --method glr --iterations 3 --convergence 0");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json report = json::parse(outcome.out);
  EXPECT_EQ(report["points"], 1500);
  EXPECT_EQ(report["preset"], "paper");
  ASSERT_EQ(report["iterations"].size(), 3U);
  for (const json& iteration : report["iterations"]) {
    EXPECT_GT(iteration["mean_move"].get<double>(), 0.0);
    EXPECT_GT(iteration["manifold_dimension"].get<double>(), 0.0);
    EXPECT_GE(iteration["largest_degree"].get<double>(), iteration["mean_degree"].get<double>());
    EXPECT_GT(iteration["condition_bound"].get<double>(), 1.0);
    EXPECT_GT(iteration["solver_steps"].get<int>(), 0);
    EXPECT_LE(iteration["residual"].get<double>(), 1e-9);
    for (const char* stage : {"patches", "distances", "assembly", "solve"}) {
      EXPECT_GE(iteration["seconds"][stage].get<double>(), 0.0);
    }
  }
}

TEST(Commands, ParametersOverrideThePresetInAnyOrder) {
  const Folder folder;
  ASSERT_EQ(folder.burnish("synth cube clean.ply --points 1500").code, 0);
  ASSERT_EQ(folder
                .burnish("denoise clean.ply a.ply --iterations 2 --preset authors --epsilon 0.5,0.4 --length-unit "
                         "spacing --threshold 2 --noise-level 0.03")
                .code,
            0);
  ASSERT_EQ(folder
                .burnish("denoise --noise-level 0.03 --threshold 2 --length-unit spacing --epsilon 0.5,0.4 --preset "
                         "authors --iterations 2 clean.ply b.ply")
                .code,
            0);
  EXPECT_EQ(contents(folder.file("a.ply")), contents(folder.file("b.ply")));
}

TEST(Commands, DenoiseKnowsOtherMethodsAndTheirParametersOnly) {
  const Folder folder;
  ASSERT_EQ(folder.burnish("synth cube clean.ply --points 1500").code, 0);
  ASSERT_EQ(folder.burnish("noise clean.ply noisy.ply --sigma 0.005 --unit diameter").code, 0);
  for (const std::string method :
       {"mls", "bilateral", "apss", "rimls", "lop", "wlop", "awlop", "nld", "mrpca", "low_rank"}) {
    const Outcome outcome = folder.burnish("denoise noisy.ply " + method + ".ply --json --method " + method);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(json::parse(outcome.out)["method"], method);
    EXPECT_NE(contents(folder.file(method + ".ply")), contents(folder.file("noisy.ply")));
  }
  ASSERT_EQ(
      folder.burnish("denoise noisy.ply out.ply --method wlop --iterations 2 --filter-scale 3 --repulsion 0.1").code,
      0);
  EXPECT_NE(contents(folder.file("out.ply")), contents(folder.file("wlop.ply")));
  ASSERT_EQ(folder.burnish("denoise noisy.ply out.ply --method mrpca --data-fitting 5").code, 0);
  EXPECT_NE(contents(folder.file("out.ply")), contents(folder.file("mrpca.ply")));
  for (const char* wrong : {"apss --repulsion 0.2", "apss --patch-size 20", "nld --iterations 3", "mls --preset paper",
                            "glr --filter-scale 4", "glr --data-fitting 4", "splines"}) {
    const Outcome outcome = folder.burnish(std::string("denoise noisy.ply out.ply --method ") + wrong);
    EXPECT_EQ(outcome.code, 2) << wrong;
  }
  EXPECT_EQ(folder.burnish("denoise noisy.ply out.ply --method apss --filter-scale 0").code, 2);
}

TEST(Commands, AttributesAndOrderSurvive) {
  const Folder folder;
  ASSERT_EQ(folder.burnish("synth torus clean.ply --points 1200").code, 0);
  burnish::PointCloud cloud = burnish::read(folder.file("clean.ply"));
  std::vector<std::uint16_t> number(cloud.size());
  std::vector<float> intensity(cloud.size());
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    number[i] = static_cast<std::uint16_t>(i);
    intensity[i] = 1.0F / static_cast<float>(i + 1);
  }
  cloud.attributes = {{"number", number, {}}, {"intensity", intensity, {}}};
  cloud.positions[7].x() = std::nan("");
  burnish::write(folder.file("in.ply"), cloud);
  ASSERT_EQ(folder.burnish("denoise in.ply out.ply").code, 0);

  const burnish::PointCloud result = burnish::read(folder.file("out.ply"));
  ASSERT_EQ(result.size(), cloud.size());
  EXPECT_EQ(std::get<std::vector<std::uint16_t>>(result.find_attribute("number")->values), number);
  EXPECT_EQ(std::get<std::vector<float>>(result.find_attribute("intensity")->values), intensity);
  EXPECT_TRUE(std::isnan(result.positions[7].x()));
  EXPECT_EQ(result.positions[7].y(), cloud.positions[7].y());
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    if (i != 7) {
      EXPECT_LT((result.positions[i] - cloud.positions[i]).norm(), 0.1);
    }
  }
}

TEST(Commands, ThreadsDoNotChangeTheBytes) {
  const Folder folder;
  ASSERT_EQ(folder.burnish("synth organic clean.ply --points 4000").code, 0);
  ASSERT_EQ(folder.burnish("noise clean.ply noisy.ply --sigma 0.005 --unit diameter").code, 0);
  ASSERT_EQ(folder.burnish("denoise noisy.ply one.ply --threads 1").code, 0);
  ASSERT_EQ(folder.burnish("denoise noisy.ply three.ply --threads 3").code, 0);
  EXPECT_EQ(contents(folder.file("one.ply")), contents(folder.file("three.ply")));
}

TEST(Commands, NoiseSaysHowMuchThereIs) {
  const Folder folder;
  ASSERT_EQ(folder.burnish("synth sphere clean.ply --points 20000").code, 0);
  const auto deviation = [&](const std::string& options) {
    const Outcome outcome = folder.burnish("noise clean.ply noisy.ply --json " + options);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return json::parse(outcome.out)["standard_deviation"].get<double>();
  };
  const double spacing = std::sqrt(3.14159 / 20000);
  EXPECT_NEAR(deviation("--sigma 0.02"), 0.02, 0.0002);  // a plain number is in the unit of the file
  EXPECT_NEAR(deviation("--sigma 2 --unit spacing"), 2 * spacing, 0.1 * spacing);
  EXPECT_NEAR(deviation("--sigma 0.1 --unit radius"), 0.05, 0.001);
  EXPECT_NEAR(deviation("--model gaussian:sigma=0.03 --model uniform:sigma=0.04"), 0.05, 0.0005);
  EXPECT_NEAR(deviation("--sigma 0.03 --model gaussian:along=1,0,0"), 0.03 / std::sqrt(3.0), 0.0003);
  const Outcome outcome = folder.burnish("noise clean.ply noisy.ply --model outliers:share=0.01");
  EXPECT_NE(outcome.err.find(" outliers"), std::string::npos) << outcome.err;
}

TEST(Commands, NoiseNeedsAViewpointForTheLineOfSight) {
  const Folder folder;
  ASSERT_EQ(folder.burnish("synth sphere clean.pcd --points 100").code, 0);
  const Outcome outcome = folder.burnish("noise clean.pcd noisy.pcd --sigma 0.01 --model gaussian:along=sight");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("viewpoint=X,Y,Z"), std::string::npos) << outcome.err;
  EXPECT_EQ(folder.entries(), 1U);
  // A PCD file with one is enough.
  burnish::PointCloud cloud = burnish::read(folder.file("clean.pcd"));
  cloud.comments = {"VIEWPOINT 0 0 3 1 0 0 0"};
  burnish::write(folder.file("seen.pcd"), cloud);
  EXPECT_EQ(folder.burnish("noise seen.pcd noisy.pcd --sigma 0.01 --model gaussian:along=sight").code, 0);
}

TEST(Commands, InfoKnowsSpacingAndNoise) {
  const Folder folder;
  ASSERT_EQ(folder.burnish("synth sphere clean.csv --points 20000").code, 0);
  ASSERT_EQ(folder.burnish("noise clean.csv noisy.csv --sigma 0.004").code, 0);
  const json info = json::parse(folder.burnish("info noisy.csv --json").out);
  EXPECT_EQ(info["points"], 20000);
  EXPECT_NEAR(info["spacing"].get<double>(), std::sqrt(3.14159 / 20000), 0.1 * std::sqrt(3.14159 / 20000));
  EXPECT_NEAR(info["noise"].get<double>(), 0.004, 0.0004);
  EXPECT_EQ(folder.burnish("info noisy.csv").code, 0);
}

TEST(Commands, EvaluateTakesCloudMeshAndShapeAtOnce) {
  const Folder folder;
  ASSERT_EQ(folder.burnish("synth cube clean.ply --points 2000").code, 0);
  std::ofstream(folder.file("square.off")) << "OFF\n4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n";
  const Outcome outcome = folder.burnish("evaluate clean.ply --truth clean.ply --truth square.off --truth cube --json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json comparisons = json::parse(outcome.out)["comparisons"];
  ASSERT_EQ(comparisons.size(), 3U);
  EXPECT_EQ(comparisons[0]["kind"], "cloud");
  EXPECT_EQ(comparisons[0]["mean_distance"], 0.0);
  EXPECT_EQ(comparisons[1]["kind"], "mesh");
  EXPECT_EQ(comparisons[2]["kind"], "shape");
}

TEST(Commands, OutliersAreRemovedWithAMapOfWhatIsLeft) {
  const Folder folder;
  ASSERT_EQ(folder.burnish("synth sphere clean.ply --points 3000").code, 0);
  ASSERT_EQ(folder.burnish("noise clean.ply noisy.ply --sigma 0.005 --unit diameter").code, 0);
  burnish::PointCloud cloud = burnish::read(folder.file("noisy.ply"));
  cloud.positions[7] = burnish::Vec3(5, 5, 5);
  burnish::write(folder.file("stray.ply"), cloud);

  const Outcome kept = folder.burnish("denoise stray.ply kept.ply");
  EXPECT_NE(kept.err.find("1 outlier found"), std::string::npos) << kept.err;
  EXPECT_EQ(burnish::read(folder.file("kept.ply")).positions[7], burnish::Vec3(5, 5, 5));

  const Outcome removed = folder.burnish("denoise stray.ply out.ply --remove-outliers --index-map rows.txt --json");
  ASSERT_EQ(removed.code, 0) << removed.err;
  EXPECT_EQ(json::parse(removed.out)["outliers"], json::array({7}));
  EXPECT_EQ(json::parse(removed.out)["points_left"], 2999);
  std::ifstream rows(folder.file("rows.txt"));
  std::size_t row = 0;
  for (std::size_t i = 0; i < 2999; ++i) {
    ASSERT_TRUE(rows >> row);
    EXPECT_EQ(row, i < 7 ? i : i + 1);
  }
  EXPECT_FALSE(rows >> row);
  EXPECT_EQ(burnish::read(folder.file("out.ply")).size(), 2999U);

  EXPECT_EQ(folder.burnish("denoise stray.ply out.ply --method apss --remove-outliers").code, 2);
  EXPECT_EQ(folder.burnish("denoise stray.ply out.ply --index-map rows.txt").code, 2);
}

TEST(Commands, TheIndexMapHasALineForEachPointWritten) {
  const Folder folder;
  std::ofstream(folder.file("hole.csv")) << "x,y,z\n0,0,0\nnan,0,0\n0,1,0\n";
  ASSERT_EQ(folder.burnish("denoise hole.csv out.csv --remove-outliers --index-map rows.txt").code, 0);
  EXPECT_EQ(contents(folder.file("rows.txt")), "0\n1\n2\n");
  ASSERT_EQ(folder.burnish("denoise hole.csv out.las --remove-outliers --index-map rows.txt").code, 0);
  EXPECT_EQ(contents(folder.file("rows.txt")), "0\n2\n");  // LAS cannot hold the second

  std::ofstream(folder.file("none.ply"))
      << "ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nproperty float y\n"
         "property float z\nend_header\n";
  ASSERT_EQ(folder.burnish("denoise none.ply out.ply --remove-outliers --index-map rows.txt").code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder.file("rows.txt")));
  EXPECT_EQ(contents(folder.file("rows.txt")), "");
}

TEST(Commands, AnIndexMapThatCannotBeWrittenIsReportedBeforeTheWork) {
  const Folder folder;
  std::ofstream(folder.file("three.xyz")) << "0 0 0\n1 0 0\n0 1 0\n";
  const Outcome outcome = folder.burnish("denoise three.xyz out.xyz --remove-outliers --index-map nowhere/rows.txt");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("there is no folder nowhere"), std::string::npos) << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(folder.file("out.xyz")));
  EXPECT_EQ(folder.burnish("denoise three.xyz out.STL --remove-outliers --index-map rows.txt").code, 2);
}

TEST(Commands, TinyCloudsComeBackAsTheyAre) {
  const Folder folder;
  std::ofstream(folder.file("three.xyz")) << "0 0 0\n1 0 0\n0 1 0\n";
  ASSERT_EQ(folder.burnish("denoise three.xyz out.xyz").code, 0);
  EXPECT_EQ(contents(folder.file("out.xyz")), "0 0 0\n1 0 0\n0 1 0\n");
}

}  // namespace
