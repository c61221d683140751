#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "io/cloud_parts.hpp"
#include "io/cloud_writer.hpp"
#include "io/detect.hpp"
#include "io/format_capabilities.hpp"

// The functions that read and write each format: the only place where a new format is registered.

namespace burnish::io {

using Reader = PointCloud (*)(BlockReader&);
using Writer = void (*)(BlockWriter&, const PointCloud&);
using PartsReader = std::unique_ptr<CloudParts> (*)(BlockReader&);
using PartsWriter = std::unique_ptr<CloudWriter> (*)(BlockWriter&, const FileHeader&);

/// The ending of a file's name in lower case, with its dot; ".copc.laz" is one ending.
[[nodiscard]] std::string ending_of(const std::filesystem::path& path);

[[nodiscard]] Reader reader_of(Format format);

/// The reader of a format in parts, or nullptr if it can only be read as a whole.
[[nodiscard]] PartsReader parts_reader_of(Format format);

/// How files with this ending are written.
struct OutputFormat {
  std::string_view ending;
  FormatCapabilities capabilities;
  Writer write;
  PartsWriter in_parts = nullptr;  ///< if that is possible
};

/// The format of a file's ending. Throws Error if the ending is unknown.
[[nodiscard]] const OutputFormat& output_format_of(const std::filesystem::path& path);

}  // namespace burnish::io
