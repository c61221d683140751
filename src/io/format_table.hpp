#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "io/cloud_parts.hpp"
#include "io/cloud_writer.hpp"
#include "io/detect.hpp"
#include "io/format_capabilities.hpp"

// Which function reads and which writes a format: the one place that a new format is entered in.

namespace burnish::io {

using Reader = PointCloud (*)(BlockReader&);
using Writer = void (*)(BlockWriter&, const PointCloud&);
using PartsReader = std::unique_ptr<CloudParts> (*)(BlockReader&);
using PartsWriter = std::unique_ptr<CloudWriter> (*)(BlockWriter&, const FileHeader&);

/// The ending of a file's name in lower case, with its dot; ".copc.laz" is one ending.
[[nodiscard]] std::string ending_of(const std::filesystem::path& path);

[[nodiscard]] Reader reader_of(Format format);

/// How a format is read in parts, or nullptr if it cannot be.
[[nodiscard]] PartsReader parts_reader_of(Format format);

/// How files whose names end so are written.
struct OutputFormat {
  std::string_view ending;
  FormatCapabilities capabilities;
  Writer write;
  PartsWriter in_parts = nullptr;  ///< if that is possible
};

/// The format of a file's ending. Throws Error if the ending is unknown.
[[nodiscard]] const OutputFormat& output_format_of(const std::filesystem::path& path);

}  // namespace burnish::io
