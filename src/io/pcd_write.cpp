#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "io/cloud_writer.hpp"
#include "io/formats.hpp"
#include "io/parse_number.hpp"
#include "io/pcd_header.hpp"
#include "io/scalar.hpp"

namespace burnish::io {
namespace {

/// Names in a header are words, and padding has a name that says so.
std::string word_of(const std::string& name) {
  std::string word = name.empty() || name == pcd_padding ? "unnamed" : name;
  std::ranges::replace_if(
      word, [](unsigned char c) { return c <= ' ' || c == 127; }, '_');
  return word;
}

char kind_of(ScalarType type) {
  if (is_float(type)) {
    return 'F';
  }
  return static_cast<int>(type) % 2 == 0 ? 'I' : 'U';  // the two alternate in ScalarType
}

bool is_viewpoint(std::string_view comment) {
  if (next_word(comment) != pcd_viewpoint) {
    return false;
  }
  double number = 0;
  for (int i = 0; i < 7; ++i) {
    if (!parse_number(next_word(comment), number)) {
      return false;
    }
  }
  return trimmed(comment).empty();
}

std::string header_of(const PointCloud& cloud, std::uint64_t points, const std::vector<RecordField>& fields) {
  std::string header = "# .PCD v0.7 - Point Cloud Data file format\n";
  std::string viewpoint = fmt::format("{} {}", pcd_viewpoint, pcd_usual_viewpoint);
  for (std::string comment : cloud.comments) {
    std::ranges::replace_if(
        comment, [](char c) { return c == '\n' || c == '\r'; }, ' ');
    if (is_viewpoint(comment)) {
      viewpoint = comment;
    } else {
      header += "# " + comment + '\n';
    }
  }
  std::string names;
  std::string sizes;
  std::string kinds;
  std::string counts;
  for (const RecordField& field : fields) {
    names += ' ' + word_of(field.name);
    sizes += fmt::format(" {}", scalar_size(field.type));
    kinds += fmt::format(" {}", kind_of(field.type));
    counts += fmt::format(" {}", field.count);
  }
  const bool is_organised = cloud.height > 0 && points / cloud.height == cloud.width && points % cloud.height == 0;
  return header + fmt::format(
                      "VERSION 0.7\nFIELDS{}\nSIZE{}\nTYPE{}\nCOUNT{}\nWIDTH {}\nHEIGHT {}\n{}\nPOINTS {}\n"
                      "DATA binary\n",
                      names, sizes, kinds, counts, is_organised ? cloud.width : points, is_organised ? cloud.height : 1,
                      viewpoint, points);
}

class PcdWriter final : public CloudWriter {
 public:
  PcdWriter(BlockWriter& file, const FileHeader& header) : file_(file), points_(header.points) {}

  void write_part(const PointCloud& part) override {
    check_record_columns(file_, "PCD", part);
    const std::vector<RecordField> fields = fields_of(part);
    if (!std::exchange(has_header_, true)) {
      check_names(fields);
      file_.expect_rows(points_);
      file_.append(header_of(part, points_, fields));
    }
    write_records(file_, fields, part);
  }

 private:
  void check_names(const std::vector<RecordField>& fields) const {
    std::set<std::string> names;
    for (const RecordField& field : fields) {
      if (!names.insert(word_of(field.name)).second) {
        file_.fail(fmt::format("PCD cannot hold two columns {}", excerpt(word_of(field.name))));
      }
    }
  }

  BlockWriter& file_;
  std::uint64_t points_;
  bool has_header_ = false;
};

}  // namespace

std::unique_ptr<CloudWriter> pcd_writer(BlockWriter& file, const FileHeader& header) {
  return std::make_unique<PcdWriter>(file, header);
}

}  // namespace burnish::io
