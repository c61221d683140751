#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "burnish/execution.hpp"
#include "io/block_reader.hpp"
#include "io/cloud_parts.hpp"
#include "io/cloud_writer.hpp"

// Files of any format that can be read or written in parts.

namespace burnish::io {

/// Why a cloud cannot go from one file to another part by part, to follow the name of the input: "is a NumPy file, …";
/// empty if it can. Looks at the input's header only. Throws Error if that is damaged, or the output's ending unknown.
[[nodiscard]] std::string why_not_in_parts(const std::filesystem::path& input, const std::filesystem::path& output,
                                           const ExecutionContext& context);

/// How large a cloud is, found from its header: exactly where the format states it, otherwise guessed from the size of
/// the file, rather too many than too few.
struct CloudSize {
  std::uint64_t points = 0;
  std::uint64_t bytes = 0;  ///< of the file
};
[[nodiscard]] CloudSize size_of_cloud(const std::filesystem::path& path);

/// A file that is read in parts; why_not_in_parts said that it can be.
class PartsFile {
 public:
  PartsFile(const std::filesystem::path& path, const ExecutionContext& context);

  [[nodiscard]] CloudParts& parts() { return *parts_; }

  /// Bytes of the file that follow its points, once they are read.
  [[nodiscard]] std::uint64_t bytes_left() const { return file_.remaining(); }

 private:
  BlockReader file_;
  std::unique_ptr<CloudParts> parts_;
};

/// Writes parts in the format of the path's ending.
[[nodiscard]] std::unique_ptr<CloudWriter> open_writer(const std::filesystem::path& path, BlockWriter& file,
                                                       const FileHeader& header);

}  // namespace burnish::io
