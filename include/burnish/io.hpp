#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/point_cloud.hpp"

namespace burnish {

/// Reads a point cloud with all its attributes, or a mesh as points with its faces in the table "face" (see mesh_of).
/// The format is detected from the content; the file's ending is used only where the content is ambiguous.
///
/// - PLY, as text or binary in either byte order. Every property becomes a column of its own type, every element but
///   "vertex" a table, lists included. Comments are kept, lines "obj_info …" as comments that start with that word.
/// - PCD: ascii, binary and binary_compressed. Every field becomes a column of its own type, a field of several values
///   (COUNT) a list column whose rows are all that long; padding (fields "_") is left out. WIDTH and HEIGHT are kept,
///   and so is an unusual VIEWPOINT, as a comment that starts with that word.
/// - LAS 1.0 to 1.4, point formats 0 to 10. Every field becomes a column, parts of bytes too: intensity, return_number,
///   classification, withheld, gps_time, red, …; extra bytes under the names the file describes them by, undescribed
///   ones as the list "extra_bytes". Header and all further records are kept in format_data.
/// - LAZ, compressed LAS, of all these point formats: the result is that of the LAS file. Chunks are decompressed by
///   all threads. COPC files are LAZ files whose chunks are the nodes of an octree.
/// - E57: all scans, their poses applied. Every field of the points becomes a column: intensity, red, green, blue, nx,
///   ny, nz, row_index, column_index, return_index, return_count, time_stamp, …; those of extensions keep their names.
///   If a scan lacks a field, its values are 0, or empty text. Points whose coordinates are invalid are NaN. If there
///   are several scans, the attribute "scan" is the number of the scan; a comment for each has its name and the
///   position (see scanner_positions_of) and rotation of its scanner. Poses, images and all else in the XML are kept in
///   format_data.
/// - NumPy: .npy files with an array of N × 3 or more numbers of any type and order (further columns are column4, …),
///   H × W × 3 or more (an organised cloud), or records with fields x, y and z; .npz archives with such an array, whose
///   other arrays of N rows become attributes.
/// - Scans of the KITTI data set, known by the ending .bin: four floats per point, the last called intensity.
/// - OBJ: vertices, colours after the coordinates as red, green, blue, normals as nx, ny, nz if each vertex has its
///   own, and faces. All else is left out.
/// - STL, as text or binary. Corners at exactly the same place become one point; normals of triangles are columns of
///   the table "face".
/// - PTS (with the number of points in the first line, and that ending): further columns are intensity, or red, green,
///   blue, or all four.
/// - PTX: the transformation of each scan is applied. Missing points (0 0 0) become NaN. A single scan is an organised
///   cloud, whose width is the number of points in a column; if there are several, the attribute "scan" is the number
///   of the scan. A comment for each has the position and rotation of its scanner.
/// - OFF, also with colours (COFF), normals (NOFF) and texture coordinates (STOFF): attributes red, green, blue, alpha
///   (bytes if the file has whole numbers up to 255), nx, ny, nz, s, t. Three or four values after the coordinates are
///   a colour if the first word is plain OFF, or is missing in a file with that ending. Colours of faces, and other
///   values not announced by the first word, are left out.
/// - Text with one point per line (XYZ, TXT, CSV, ASC, …), values separated by blanks, tabs, commas or semicolons (a
///   decimal comma is understood between semicolons). Lines starting with # or // are comments. Names of columns, in
///   the first line or in a comment, are used if x, y and z are among them, upper or lower case, in any order. Without
///   names the first three columns are x, y and z and the others are called column4, column5, …, without guessing their
///   meaning. Columns of whole numbers become int32 (int64 if need be), of other numbers double, all others text, and
///   so does every value in double quotes. If the first line contains only a number, it is taken as the number of
///   points and checked.
///
/// The file is read in blocks and never held in memory as a whole (except compressed points of PCD and NPZ, and for LAZ
/// one chunk per thread). Counts in it are checked against its size before they are used, so memory stays within a
/// small multiple of the size of the file, or of its uncompressed size. Bytes after the last row are ignored, but kept
/// for LAS.
///
/// Throws Error, naming the file and the line or byte, if it cannot be read or violates its format. Progress is
/// reported as "reading".
[[nodiscard]] PointCloud read(const std::filesystem::path& path, const ExecutionContext& context = {});

/// Which points of a file to read. Of a COPC file, only the nodes that contain them are read.
struct Selection {
  /// Corners of a box; points on its faces are inside. Infinite coordinates where the box is unbounded.
  Vec3 low = Vec3::Constant(-std::numeric_limits<double>::infinity());
  Vec3 high = Vec3::Constant(std::numeric_limits<double>::infinity());

  /// Only COPC: read the levels of the octree from the root down to the first that reaches this spacing. 0: all levels.
  double spacing = 0;

  /// Only COPC: the number of levels to read, from the root. 0: all levels. If a spacing is given too, the smaller
  /// number of levels.
  int levels = 0;

  [[nodiscard]] bool has_box() const { return low.array().isFinite().any() || high.array().isFinite().any(); }
  [[nodiscard]] bool has_levels() const { return spacing > 0 || levels > 0; }
};

/// The same of a part of the cloud. Points that are not finite are not inside a box. Throws Error if a spacing or a
/// number of levels is given and the file is not a COPC file.
[[nodiscard]] PointCloud read(const std::filesystem::path& path, const Selection& selection,
                              const ExecutionContext& context = {});

/// A level of the octree of a COPC file.
struct Level {
  double spacing = 0;  ///< of the points in this level and all levels above
  std::uint64_t nodes = 0;
  std::uint64_t points = 0;
};

/// The levels of a COPC file, from the root; none for any other file. Reads the header and the hierarchy only.
[[nodiscard]] std::vector<Level> levels_of(const std::filesystem::path& path, const ExecutionContext& context = {});

/// Writes a cloud in the format of the file's ending:
///
/// - .ply: binary little-endian; positions as float if position_type is float32, otherwise as double; every attribute,
///   table and comment. Blanks in names become underscores. Text columns cannot be stored.
/// - .pcd: binary, with the types, lists of equal rows, width and height of the cloud.
/// - .las: a cloud read from LAS keeps its header, scale, offset and records; points that did not move keep their
///   integers, others are rounded to the scale (a coarser one on an axis where they exceed its range); bounds and
///   counts are recomputed. Any other cloud is written as LAS 1.4, point format 6, 7 with red, green, blue, 8 with nir,
///   and the finest decimal scale that fits. Attributes go to the field of their name if their values fit (8-bit
///   colours are scaled to 16 bits), otherwise to extra bytes. Points that are not finite cannot be stored.
/// - .laz: the same, compressed.
/// - .copc.laz: the same as a COPC file, point format 6, 7 or 8. The points are reordered by its octree.
/// - .e57: a cloud read from E57 keeps its XML, images, and the pose and points of each scan: scaled integers of points
///   that did not move are unchanged, and so are floats of scans without a pose. Any other cloud becomes one scan, or
///   one for each value of the attribute "scan" if its points are in that order. Points that are not finite are marked
///   invalid. Attributes go to the field of the standard that has their name in read's list, otherwise to an extension.
///   Lists cannot be stored.
/// - .xyz, .txt, .asc: text separated by blanks, with the names of the columns in a comment, "# x y z red …", unless
///   they are the column4, column5, … that reading gives.
/// - .csv: text separated by commas, with the names of the columns in the first line (after the comments). Both kinds
///   of text have the shortest digits from which the same numbers are read again (the same floats where position_type
///   is float32) and text in double quotes, without line breaks. List attributes cannot be stored.
/// - .npy: one plain array if there are no attributes, or all are called column4, … and have the type of the positions;
///   otherwise records.
/// - .npz: the array "points" and an array for each attribute, not compressed.
/// - .pts, .ptx, .bin (KITTI): those of intensity, red, green, blue that the format has. A PTX file has one scan and no
///   transformation; points that are not finite, or at exactly 0 0 0, are missing there.
/// - .obj, .off: points, faces, red, green, blue, nx, ny, nz.
/// - .stl: binary; faces, cut into triangles, whose normals are recomputed. Only if there are any. Tables that a format
///   cannot store, such as the faces of a mesh, and for the last six formats other attributes, are left out.
///   fit_to_format lists them.
///
/// The file appears complete or not at all: it is written under a temporary name and renamed, which replaces an
/// existing file. Throws Error, leaving nothing behind, if the ending is unknown, the format cannot store an attribute,
/// the folder does not exist or the disk is full. Progress is reported as "writing".
void write(const std::filesystem::path& path, const PointCloud& cloud, const ExecutionContext& context = {});

/// The same from and to a stream, for instance standard input and output. The name is used in messages, and its ending
/// selects the format. The whole content is in memory at once; if an error occurs while writing, nothing is sent to the
/// stream.
[[nodiscard]] PointCloud read(std::istream& stream, const std::filesystem::path& name,
                              const ExecutionContext& context = {});
void write(std::ostream& stream, const std::filesystem::path& name, const PointCloud& cloud,
           const ExecutionContext& context = {});

/// Throws the Error that write would throw because of the name: an unknown ending or a folder that does not exist. Call
/// it before a long computation.
void check_writable(const std::filesystem::path& path);

/// Throws the Error that write would throw because nothing of such a cloud can be stored: STL needs triangles, PTX
/// points. Call it before a long computation.
void check_writable(const std::filesystem::path& path, const PointCloud& cloud);

/// Removes from a cloud what the format of the file's ending cannot store, and lists it, a phrase each: "the table
/// "face"", "the list column "descriptor"". The rest can be written if check_writable does not throw. For LAS, points
/// that are not finite are removed too, for STL points that are not a corner of a triangle.
[[nodiscard]] std::vector<std::string> fit_to_format(const std::filesystem::path& path, PointCloud& cloud);

/// Reads a file as bytes.
[[nodiscard]] std::string read_file(const std::filesystem::path& path);

/// Writes bytes, such as a table or a picture, to a file: complete or not at all, as write does.
void write_file(const std::filesystem::path& path, std::string_view bytes);

/// Throws the Error that write_file would throw because of the name: a folder that does not exist. Call it before a
/// long computation.
void check_file_writable(const std::filesystem::path& path);

}  // namespace burnish
