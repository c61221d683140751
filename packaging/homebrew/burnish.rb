# brew install --HEAD packaging/homebrew/burnish.rb: from this checkout.
class Burnish < Formula
  desc "Takes the noise out of 3D point clouds and keeps their edges"
  homepage "https://example.org/burnish"
  license "Apache-2.0"
  version "0.1.0"
  head File.expand_path("../..", __dir__), using: :git

  depends_on "cli11" => :build
  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "nlohmann-json" => :build
  depends_on "tomlplusplus" => :build
  depends_on "eigen"
  depends_on "fmt"
  depends_on "pugixml"
  depends_on "tbb"
  uses_from_macos "zlib"

  def install
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DCMAKE_UNITY_BUILD=ON", "-DBURNISH_TESTS=OFF",
           "-DBURNISH_BENCH=OFF", "-DBURNISH_EXAMPLES=OFF", "-DBURNISH_PYTHON=OFF", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    system bin/"burnish", "synth", "sphere", "sphere.ply", "--points", "1000"
    system bin/"burnish", "denoise", "sphere.ply", "smooth.ply"
  end
end
