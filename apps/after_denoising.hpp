#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "burnish/methods.hpp"

// What becomes of outliers and normals once points have moved.

namespace burnish::cli {

/// What becomes of the normals that a file has.
enum class Normals : std::uint8_t { update, keep, add, remove };

/// False for the outliers that a method has found among the selected points.
[[nodiscard]] std::vector<bool> points_to_keep(const std::vector<bool>& selected,
                                               const std::vector<Diagnostic>& diagnostics);

/// Labels the points that are not kept: as class 7, low point (noise), if the cloud comes from a LAS file or goes to
/// one, otherwise by an attribute that is 1 there.
void mark_points(PointCloud& cloud, const std::vector<bool>& keep, const std::string& output);

/// Adds some of a result's attributes to the cloud, in place of those it has by the same names. Points that have not
/// moved after all have 0.
void add_attributes(PointCloud& cloud, std::vector<Column> attributes, const std::vector<std::string>& wanted,
                    const std::vector<bool>& has_moved);

/// From each point towards the scanner that measured it; empty if the cloud does not say where it was.
[[nodiscard]] std::vector<Vec3> directions_to_scanner(const PointCloud& cloud);

/// Makes the normals of points that have moved fit the new positions; returns what to report of it.
[[nodiscard]] std::string treat_normals(PointCloud& cloud, const std::vector<bool>& has_moved, Normals wish,
                                        const ExecutionContext& context);

/// The same for a part of a cloud whose normals were estimated before, with any sign.
void treat_normals(PointCloud& part, const std::vector<bool>& has_moved, Normals wish, std::span<const Vec3> estimated);

/// Moves the selected points of a cloud to their new positions; returns which ones have moved.
[[nodiscard]] std::vector<bool> move_points(PointCloud& cloud, std::span<const Vec3> positions,
                                            const std::vector<bool>& selected);

}  // namespace burnish::cli
