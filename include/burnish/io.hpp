#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "burnish/execution.hpp"
#include "burnish/point_cloud.hpp"

namespace burnish {

/// Reads a point cloud with all its attributes, or a mesh as points with its faces in the table "face" (see mesh_of).
/// The format is found from the content; the file's ending matters only where the content does not tell.
///
/// - PLY, as text or binary in either byte order. Every property becomes a column of its own type, every element but
///   "vertex" a table, lists included. Comments are kept, lines "obj_info …" as comments that start with that word.
/// - OFF, also with colours (COFF), normals (NOFF) and texture coordinates (STOFF): attributes red, green, blue, alpha
///   (bytes if the file has whole numbers up to 255), nx, ny, nz, s, t. Colours of faces, and values beyond what the
///   first word of the file promises, are left out.
/// - Text with one point a line (XYZ, TXT, CSV, ASC, PTS, …), values separated by blanks, tabs, commas or semicolons
///   (a decimal comma is understood between semicolons). Lines starting with # or // are comments. Names of columns, in
///   the first line or in a comment, are used if x, y and z are among them, upper or lower case, in any order. Without
///   names the first three columns are x, y and z and the others are called column4, column5, …: what they mean is not
///   guessed. Columns of whole numbers become int32 (int64 if need be), of other numbers double, all others text, and
///   so does every value in double quotes. A first line with nothing but the number of points is checked against them.
///
/// The file is read in blocks, never held in memory as a whole, and nothing it promises is believed before its size
/// bears it out: memory stays within a small multiple of the file's size. Bytes after the last promised row are
/// ignored.
///
/// Throws Error, naming the file and the line or byte, if it cannot be read or is not what its format promises.
/// Progress is reported as "reading".
[[nodiscard]] PointCloud read(const std::filesystem::path& path, const ExecutionContext& context = {});

/// Writes a cloud in the format of the file's ending:
///
/// - .ply: binary little-endian; positions as float if position_type is float32, otherwise as double; every attribute,
///   table and comment. Blanks in names become underscores. Text columns cannot be held.
/// - .xyz, .txt, .asc: text separated by blanks, with the names of the columns in a comment, "# x y z red …", unless
///   they are the column4, column5, … that reading gives.
/// - .csv: text separated by commas, with the names of the columns in the first line (after the comments).
///   Both kinds of text hold the shortest digits that give the same numbers again (the same floats where position_type
///   is float32) and text in double quotes. List attributes cannot be held; tables, such as the faces of a mesh, are
///   left out: these are formats of points.
///
/// The file appears complete or not at all, and replaces one that is there only then: it is written beside and renamed.
/// Throws Error, leaving nothing behind, if the ending is unknown, the format cannot hold an attribute, the folder does
/// not exist or the disk is full. Progress is reported as "writing".
void write(const std::filesystem::path& path, const PointCloud& cloud, const ExecutionContext& context = {});

/// The same from and to a stream, for instance standard input and output. The name is for messages, and its ending tells
/// the format. The whole content is in memory at once; if writing fails before its end, the stream gets nothing.
[[nodiscard]] PointCloud read(std::istream& stream, const std::filesystem::path& name,
                              const ExecutionContext& context = {});
void write(std::ostream& stream, const std::filesystem::path& name, const PointCloud& cloud,
           const ExecutionContext& context = {});

/// Throws the Error that write would throw because of the name: an unknown ending or a folder that does not exist. To
/// be asked before long work.
void check_writable(const std::filesystem::path& path);

/// Takes out of a cloud what the format of the file's ending cannot hold, and tells what that was, a phrase each: "the
/// table "face"", "the list column "descriptor"". Nothing about the cloud keeps write from writing it then. For LAS,
/// points that are not finite are taken out too.
[[nodiscard]] std::vector<std::string> fit_to_format(const std::filesystem::path& path, PointCloud& cloud);

}  // namespace burnish
