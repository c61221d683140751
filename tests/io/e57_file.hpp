#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/las_file.hpp"

// A writer of E57 files that shares nothing with the one under test.

namespace burnish {

/// Bit by bit.
inline std::uint32_t slow_crc32c(std::string_view bytes) {
  std::uint32_t crc = ~std::uint32_t{0};
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0x82F63B78U : 0U);
    }
  }
  return ~crc;
}

/// Adds the checksums to the content of a file.
inline std::string e57_pages(std::string content) {
  content.resize((content.size() + 1019) / 1020 * 1020, '\0');
  std::string file;
  for (std::size_t i = 0; i < content.size(); i += 1020) {
    const std::string page = content.substr(i, 1020);
    file += page;
    for (const unsigned shift : {24U, 16U, 8U, 0U}) {
      file += static_cast<char>(slow_crc32c(page) >> shift);
    }
  }
  return file;
}

/// The content of a file without its checksums.
inline std::string e57_content(const std::string& file) {
  std::string content;
  for (std::size_t i = 0; i < file.size(); i += 1024) {
    content += file.substr(i, 1020);
  }
  return content;
}

inline std::uint64_t e57_physical(std::uint64_t logical) { return logical / 1020 * 1024 + logical % 1020; }

inline std::string e57_xml(const std::string& file) {
  const auto place = get<std::uint64_t>(file, 24);
  return e57_content(file).substr(place / 1024 * 1020 + place % 1024, get<std::uint64_t>(file, 32));
}

/// Numbers as bits, the least significant first.
inline std::string e57_bits(const std::vector<std::uint64_t>& numbers, unsigned width) {
  std::string bytes((numbers.size() * width + 7) / 8, '\0');
  for (std::size_t i = 0; i < numbers.size() * width; ++i) {
    if ((numbers[i / width] >> (i % width) & 1U) != 0) {
      bytes[i / 8] = static_cast<char>(bytes[i / 8] | (1 << (i % 8)));
    }
  }
  return bytes;
}

template <class T>
std::string e57_floats(const std::vector<T>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T)};
}

struct E57File {
  struct Field {
    std::string element;  ///< of the prototype
    std::string stream;
  };
  struct Scan {
    std::uint64_t points = 0;
    std::vector<Field> fields;
    std::string xml;  ///< further elements
  };

  std::vector<Scan> scans;
  std::vector<std::string> images;
  std::string extensions;              ///< further attributes of the root
  std::string elements;                ///< further elements of the root
  std::size_t bytes_in_packet = 1000;  ///< of each bytestream, at most

  /// A section with packets that have a piece of each stream, not cut where a value ends. An index packet and an empty
  /// one stand between.
  [[nodiscard]] std::string section(const Scan& scan, std::size_t begin) const {
    std::string packets;
    std::size_t longest = 0;
    for (const Field& field : scan.fields) {
      longest = std::max(longest, field.stream.size());
    }
    for (std::size_t at = 0; at < longest; at += bytes_in_packet) {
      std::string packet(6 + 2 * scan.fields.size(), '\0');
      for (std::size_t i = 0; i < scan.fields.size(); ++i) {
        const std::string& stream = scan.fields[i].stream;
        const std::string piece = stream.substr(std::min(at, stream.size()), bytes_in_packet);
        put(packet, 6 + 2 * i, static_cast<std::uint16_t>(piece.size()));
        packet += piece;
      }
      packet.resize((packet.size() + 3) / 4 * 4, '\0');
      put(packet, 0, std::uint8_t{1});
      put(packet, 2, static_cast<std::uint16_t>(packet.size() - 1));
      put(packet, 4, static_cast<std::uint16_t>(scan.fields.size()));
      packets += packet + std::string("\0\0\x0F\0", 4) + std::string(12, '\0') + std::string("\2\0\3\0", 4);
    }
    std::string head(32, '\0');
    put(head, 0, std::uint8_t{1});
    put(head, 8, static_cast<std::uint64_t>(32 + packets.size()));
    put(head, 16, e57_physical(begin + 32));
    return head + packets;
  }

  [[nodiscard]] std::string bytes() const {
    std::string content(48, '\0');
    std::string xml =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<e57Root type=\"Structure\" "
        "xmlns=\"http://www.astm.org/COMMIT/E57/2010-e57-v1.0\"" +
        extensions +
        ">\n<formatName type=\"String\"><![CDATA[ASTM E57 3D Imaging Data File]]></formatName>\n"
        "<!-- a comment -->\n<versionMajor type=\"Integer\">1</versionMajor><versionMinor type=\"Integer\"/>\n"
        "<note type=\"String\">a &lt; b</note>\n" +
        elements + "<data3D type=\"Vector\" allowHeterogeneousChildren=\"1\">\n";
    for (const Scan& scan : scans) {
      xml += "<vectorChild type=\"Structure\">" + scan.xml + "<points type=\"CompressedVector\" fileOffset=\"" +
             std::to_string(e57_physical(content.size())) + "\" recordCount=\"" + std::to_string(scan.points) +
             "\">\n<prototype type=\"Structure\">\n";
      for (const Field& field : scan.fields) {
        xml += field.element + "\n";
      }
      xml += "</prototype>\n<codecs type=\"Vector\" allowHeterogeneousChildren=\"1\"/>\n</points>\n</vectorChild>\n";
      content += section(scan, content.size());
    }
    xml += "</data3D>\n<images2D type=\"Vector\" allowHeterogeneousChildren=\"1\">";
    for (const std::string& image : images) {
      xml += "<vectorChild type=\"Structure\"><pngImage type=\"Blob\" fileOffset=\"" +
             std::to_string(e57_physical(content.size())) + "\" length=\"" + std::to_string(image.size()) +
             "\"/></vectorChild>";
      std::string head(16, '\0');
      put(head, 8, static_cast<std::uint64_t>(16 + image.size()));
      content += head + image;
      content.resize((content.size() + 3) / 4 * 4, '\0');
    }
    xml += "</images2D>\n</e57Root>\n";
    return with_xml(content, xml);
  }

  /// Sections with another XML behind them.
  [[nodiscard]] static std::string with_xml(std::string content, const std::string& xml) {
    content.replace(0, 8, "ASTM-E57");
    put(content, 8, std::uint32_t{1});
    put(content, 24, e57_physical(content.size()));
    put(content, 32, static_cast<std::uint64_t>(xml.size()));
    put(content, 40, std::uint64_t{1024});
    content += xml;
    put(content, 16, static_cast<std::uint64_t>((content.size() + 1019) / 1020 * 1024));
    return e57_pages(content);
  }

  static Field float64(const std::string& name, const std::vector<double>& numbers) {
    return {"<" + name + " type=\"Float\"/>", e57_floats(numbers)};
  }
  static Field float32(const std::string& name, const std::vector<float>& numbers) {
    return {"<" + name + " type=\"Float\" precision=\"single\"/>", e57_floats(numbers)};
  }
  /// Each with its length before it, in one byte or eight.
  static Field text(const std::string& name, const std::vector<std::string>& texts) {
    Field field{"<" + name + " type=\"String\"/>", ""};
    for (const std::string& text : texts) {
      if (text.size() < 128) {
        field.stream += static_cast<char>(text.size() << 1U);
      } else {
        for (unsigned shift = 0; shift < 64; shift += 8) {
          field.stream += static_cast<char>((text.size() << 1U | 1U) >> shift);
        }
      }
      field.stream += text;
    }
    return field;
  }
  /// Values from `minimum` to `maximum`, given as what they are above the minimum.
  static Field integer(const std::string& name, std::int64_t minimum, std::int64_t maximum, unsigned width,
                       const std::vector<std::uint64_t>& numbers, const std::string& more = "",
                       const std::string& type = "Integer") {
    return {"<" + name + " type=\"" + type + "\" minimum=\"" + std::to_string(minimum) + "\" maximum=\"" +
                std::to_string(maximum) + "\"" + more + "/>",
            e57_bits(numbers, width)};
  }
};

}  // namespace burnish
