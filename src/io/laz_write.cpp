#include "io/laz_write.hpp"

#include <algorithm>

#include "core/parallel.hpp"
#include "io/las_layout.hpp"
#include "io/laz_chunk.hpp"

namespace burnish::io {

std::string laz_header(std::string_view las_header, const LazLayout& layout) {
  std::string header(las_header);
  const std::vector<LasRecord> records = las_records(header);
  const std::size_t end = records.empty() ? little_endian<std::uint16_t>(header, las::header_size)
                                          : records.back().begin + records.back().size;
  header.insert(end, las_record(laz_user, laz_record_id, laz_record_of(layout)));
  put_little_endian(header, las::record_count, static_cast<std::uint32_t>(records.size() + 1));
  put_little_endian(header, las::points_offset, static_cast<std::uint32_t>(header.size()));
  put_little_endian(header, las::point_format, static_cast<std::uint8_t>(layout.format | 0x80U));
  return header;
}

LazWriter::LazWriter(BlockWriter& file, const LazLayout& layout) : file_(file), layout_(layout) {
  file_.append(std::string(sizeof(std::uint64_t), '\xFF'));  // filled in at the end; until then the table is missing
}

char* LazWriter::room(std::size_t count) {
  const std::size_t chunk_bytes = layout_.chunk_size * layout_.size();
  if (const std::size_t whole = records_.size() / chunk_bytes; whole >= thread_count(file_.context())) {
    write_chunks(whole);
  }
  records_.resize(records_.size() + count * layout_.size());
  return records_.data() + records_.size() - count * layout_.size();
}

void LazWriter::write_chunks(std::size_t count) {
  const std::size_t chunk_bytes = layout_.chunk_size * layout_.size();
  std::vector<std::string> coded(count);
  parallel_for(file_.context(), count, 1, [&](std::size_t i) {
    coded[i] = encode_laz_chunk(layout_, std::string_view(records_).substr(i * chunk_bytes, chunk_bytes));
  });
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t points = std::min(chunk_bytes, records_.size() - i * chunk_bytes) / layout_.size();
    chunks_.push_back({file_.offset(), coded[i].size(), points});
    file_.append(coded[i]);
    file_.rows_done(points);
  }
  records_.erase(0, count * chunk_bytes);
}

std::uint64_t LazWriter::finish() {
  const std::size_t chunk_bytes = layout_.chunk_size * layout_.size();
  write_chunks((records_.size() + chunk_bytes - 1) / chunk_bytes);
  const std::uint64_t place = file_.offset();
  file_.append(laz_chunk_table(layout_, chunks_));
  return place;
}

}  // namespace burnish::io
