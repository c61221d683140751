#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

// Runs the program as a user does, in a folder of its own.

struct Outcome {
  int code = -1;
  std::string out;
  std::string err;
};

inline std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Folder {
 public:
  Folder() {
    static std::atomic<int> counter{0};
    path_ = std::filesystem::temp_directory_path() /
            ("burnish-cli-" + std::to_string(::getpid()) + "-" + std::to_string(counter++));
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }

  [[nodiscard]] std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

  /// Runs burnish with these arguments, as a shell would split them. Standard output and error are kept apart.
  /// `variables` are further ones for its environment: "NAME=value ".
  [[nodiscard]] Outcome burnish(const std::string& arguments, const std::string& variables = "") const {
    const std::string out = file(".out");
    const std::string err = file(".err");
    const std::string command = "cd '" + path_.string() + "' && " + variables + "'" BURNISH_PROGRAM "' " + arguments +
                                " >'" + out + "' 2>'" + err + "'";
    const int status = std::system(command.c_str());
    Outcome outcome{WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(out), contents(err)};
    std::filesystem::remove(out);
    std::filesystem::remove(err);
    return outcome;
  }

  /// The least that burnish view and compare can fill in instead of the page, so that they need not have it.
  void use_page_frame() const {
    std::ofstream(file("frame.html")) << "<title><!--burnish:title--></title><!--burnish:scene-->";
    setenv("BURNISH_VIEWER", file("frame.html").c_str(), 1);
  }

 private:
  std::filesystem::path path_;
};
