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

/// Why a cloud cannot be copied from one file to another part by part, as text after the name of the input: "is a NumPy
/// file, …"; empty if it can. Reads only the header of the input. Throws Error if that is damaged, or the ending of the
/// output unknown.
[[nodiscard]] std::string why_not_in_parts(const std::filesystem::path& input, const std::filesystem::path& output,
                                           const ExecutionContext& context);

/// The size of a cloud, from its header: exact where the format states it, otherwise an upper estimate from the size of
/// the file.
struct CloudSize {
  std::uint64_t points = 0;
  std::uint64_t bytes = 0;  ///< of the file
};
[[nodiscard]] CloudSize size_of_cloud(const std::filesystem::path& path);

/// A file that is read in parts, which why_not_in_parts has confirmed to be possible.
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
