#include "tiles/scratch.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string_view>

#include "burnish/error.hpp"
#include "burnish/io.hpp"
#include "core/operating_system.hpp"
#include "io/block_reader.hpp"
#include "io/block_writer.hpp"

namespace burnish::tiles {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::string_view plan_name = "plan.json";
constexpr std::string_view tile_prefix = "tile-";
constexpr std::string_view result_prefix = "done-";
constexpr std::string_view outlier_prefix = "outliers-";
constexpr std::string_view normal_prefix = "normals-";
constexpr std::string_view attribute_prefix = "attributes-";
constexpr std::string_view truncated_halo_prefix = "truncated-halo-";
constexpr std::string_view spill_prefix = "sort-";
constexpr std::string_view writer_name = "writer";
constexpr int version = 5;

fs::path numbered(const fs::path& folder, std::string_view prefix, std::size_t number) {
  return folder / fmt::format("{}{:06}", prefix, number);
}

/// True for the names of files of a run, including unfinished ones.
bool is_ours(const std::string& name) {
  const auto has_number = [&](std::string_view prefix) {
    return name.size() > prefix.size() && name.starts_with(prefix) &&
           std::all_of(name.begin() + static_cast<std::ptrdiff_t>(prefix.size()), name.end(),
                       [](char c) { return c >= '0' && c <= '9'; });
  };
  return name == plan_name || name == writer_name || has_number(tile_prefix) || has_number(result_prefix) ||
         has_number(outlier_prefix) || has_number(normal_prefix) || has_number(attribute_prefix) ||
         has_number(truncated_halo_prefix) || has_number(spill_prefix) ||
         (name.starts_with(".burnish-") && name.ends_with(".part"));
}

std::uint64_t checksum_of(std::string_view bytes) {
  // Two different checksums, because 32 bits are too few to distinguish runs.
  const auto* const data = reinterpret_cast<const unsigned char*>(bytes.data());
  return (std::uint64_t{::crc32_z(0, data, bytes.size())} << 32U) | ::adler32_z(1, data, bytes.size());
}

[[noreturn]] void fail_plan(const fs::path& folder, std::string_view why) {
  throw Error(
      fmt::format("{}: cannot be used: {}; remove the folder and start again", (folder / plan_name).string(), why));
}

/// The part of a plan that is known before the tiles are made.
Json start_of(const TilingPlan& plan) {
  return {{"input", {plan.input.size, plan.input.changed, plan.input.start}},
          {"settings", plan.settings},
          {"points", plan.points},
          {"normals", plan.normals},
          {"attributes", plan.attributes},
          {"most_points", plan.most_points}};
}

Json to_json(const Tile& tile) {
  const Vec3& low = tile.box.min();
  const Vec3& high = tile.box.max();
  return {tile.points, low[0], low[1], low[2], high[0], high[1], high[2], tile.spacing};
}

/// Other numbers would be made whole, if they can be.
std::uint64_t to_count(const Json& json) {
  if (!json.is_number_unsigned()) {
    throw Error("the plan of the run has a count that is not a whole number");
  }
  return json.get<std::uint64_t>();
}

double number_at(const Json& json, std::size_t i) {
  const auto value = json.at(i).get<double>();
  if (!std::isfinite(value)) {
    throw Error("a number is not finite");
  }
  return value;
}

/// Three numbers, from number i on.
Vec3 point_in(const Json& json, std::size_t i) {
  return {number_at(json, i), number_at(json, i + 1), number_at(json, i + 2)};
}

Tile to_tile(const Json& json) {
  Tile tile;
  tile.points = to_count(json.at(0));
  tile.box = {point_in(json, 1), point_in(json, 4)};
  tile.spacing = number_at(json, 7);
  return tile;
}

}  // namespace

fs::path tile_file(const fs::path& folder, std::size_t tile) { return numbered(folder, tile_prefix, tile); }
fs::path result_file(const fs::path& folder, std::size_t tile) { return numbered(folder, result_prefix, tile); }
fs::path outlier_file(const fs::path& folder, std::size_t tile) { return numbered(folder, outlier_prefix, tile); }
fs::path normal_file(const fs::path& folder, std::size_t tile) { return numbered(folder, normal_prefix, tile); }
fs::path attribute_file(const fs::path& folder, std::size_t tile) { return numbered(folder, attribute_prefix, tile); }
fs::path truncated_halo_file(const fs::path& folder, std::size_t tile) {
  return numbered(folder, truncated_halo_prefix, tile);
}
fs::path spill_file(const fs::path& folder, std::size_t number) { return numbered(folder, spill_prefix, number); }

InputMark mark_of(const fs::path& input) {
  const ExecutionContext silent;
  io::BlockReader file(input, silent);
  std::error_code error;
  const auto changed = fs::last_write_time(input, error).time_since_epoch();
  if (error) {
    file.fail(fmt::format("cannot be read: {}", error.message()));
  }
  constexpr std::size_t enough = 65536;
  const std::string_view start = file.fill(enough);
  return {file.size(), std::chrono::duration_cast<std::chrono::nanoseconds>(changed).count(),
          checksum_of(start.substr(0, enough))};
}

std::uint64_t TilingPlan::run() const { return checksum_of(start_of(*this).dump()); }

const Vec3& TilingPlan::scanner_of(std::uint64_t row) const {
  return std::prev(std::ranges::upper_bound(scanners, row, {}, &ScannerRows::first_row))->scanner;
}

void write_plan(const fs::path& folder, const TilingPlan& plan) {
  Json json = start_of(plan);
  json["version"] = version;
  json["method"] = plan.method;
  json["tiles"] = Json::array();
  for (const Tile& tile : plan.tiles) {
    json["tiles"].push_back(to_json(tile));
  }
  json["scanners"] = Json::array();
  for (const ScannerRows& rows : plan.scanners) {
    json["scanners"].push_back({rows.first_row, rows.scanner[0], rows.scanner[1], rows.scanner[2]});
  }
  const std::string text = json.dump();
  write_file(folder / plan_name, fmt::format("{:016x}\n{}\n", checksum_of(text), text));
}

bool has_plan(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / plan_name, ignored);
}

TilingPlan read_plan(const fs::path& folder) {
  std::ifstream file(folder / plan_name, std::ios::binary);
  if (!file) {
    throw Error(fmt::format("{}: there is no run to resume in this folder", folder.string()));
  }
  const std::string content{std::istreambuf_iterator<char>(file), {}};
  constexpr std::size_t digits = 16;
  if (content.size() < digits + 2 || content[digits] != '\n' || content.back() != '\n') {
    fail_plan(folder, "it is not complete");
  }
  const std::string_view text = std::string_view(content).substr(digits + 1, content.size() - digits - 2);
  if (fmt::format("{:016x}", checksum_of(text)) != content.substr(0, digits)) {
    fail_plan(folder, "its checksum is wrong");
  }
  try {
    const Json json = Json::parse(text);
    if (json.at("version") != version) {
      fail_plan(folder, "it was not written by this version of burnish");
    }
    TilingPlan plan;
    const Json& input = json.at("input");
    if (!input.at(1).is_number_integer()) {
      fail_plan(folder, "it is not a plan");
    }
    plan.input = {to_count(input.at(0)), input.at(1).get<std::int64_t>(), to_count(input.at(2))};
    plan.settings = json.at("settings").get<std::string>();
    plan.points = to_count(json.at("points"));
    plan.most_points = to_count(json.at("most_points"));
    plan.normals = json.at("normals").get<bool>();
    plan.attributes = json.at("attributes").get<bool>();
    plan.method = json.at("method").get<std::string>();
    for (const Json& tile : json.at("tiles")) {
      plan.tiles.push_back(to_tile(tile));
    }
    for (const Json& rows : json.at("scanners")) {
      plan.scanners.push_back({to_count(rows.at(0)), point_in(rows, 1)});
    }
    if (!plan.scanners.empty() && plan.scanners.front().first_row != 0) {
      fail_plan(folder, "it is not a plan");
    }
    return plan;
  } catch (const Json::exception&) {
    fail_plan(folder, "it is not a plan");
  }
}

namespace {

/// Reads a file to its end, and returns how many points it has. Throws Error if it is damaged.
std::uint64_t checked_count(const fs::path& path, std::uint64_t run) {
  const PointFile file(path, run);
  std::vector<Record> records;
  for (std::size_t b = 0; b < file.blocks().size(); ++b) {
    records.clear();
    file.read(b, records);
  }
  return file.count();
}

}  // namespace

std::vector<bool> find_results(const fs::path& folder, const TilingPlan& plan, const ExecutionContext& context) {
  std::vector<bool> found(plan.tiles.size(), false);
  for (std::size_t t = 0; t < found.size(); ++t) {
    context.report("checking finished tiles", static_cast<double>(t) / static_cast<double>(found.size()));
    const fs::path path = result_file(folder, t);
    std::error_code ignored;
    if (!fs::exists(path, ignored)) {
      continue;
    }
    try {
      found[t] = checked_count(path, plan.run()) == plan.tiles[t].points &&
                 checked_count(outlier_file(folder, t), plan.run()) <= plan.tiles[t].points &&
                 (!plan.normals || checked_count(normal_file(folder, t), plan.run()) == plan.tiles[t].points) &&
                 (!plan.attributes || checked_count(attribute_file(folder, t), plan.run()) == plan.tiles[t].points);
    } catch (const Error&) {
      found[t] = false;
    }
    if (!found[t]) {
      fs::remove(path, ignored);
    }
  }
  return found;
}

void become_writer(const fs::path& folder, const fs::path& output) {
  std::uint64_t process = 0;
  std::error_code ignored;
  if (std::ifstream(folder / writer_name) >> process) {
    const std::string start = fmt::format(".burnish-{}-", process);  // as io::BlockWriter names them
    for (const fs::directory_entry& entry : fs::directory_iterator(io::file_to_write(output).parent_path(), ignored)) {
      if (entry.path().filename().string().starts_with(start)) {
        fs::remove(entry.path(), ignored);
      }
    }
  }
  write_file(folder / writer_name, fmt::format("{}\n", system::process_number()));
}

void prepare_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder)) {
    throw Error(fmt::format("{}: cannot be used as the folder for scratch files{}", folder.string(),
                            error ? ": " + error.message() : ""));
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (!is_ours(entry.path().filename().string())) {
      throw Error(fmt::format("{}: is not empty ({}); scratch files need an empty folder", folder.string(),
                              entry.path().filename().string()));
    }
  }
}

void remove_scratch(const fs::path& folder) {
  std::error_code ignored;
  // The plan is removed first, so that the rest is not a run any more if the process is killed in between.
  fs::remove(folder / plan_name, ignored);
  std::vector<fs::path> ours;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    if (is_ours(entry.path().filename().string())) {
      ours.push_back(entry.path());
    }
  }
  for (const fs::path& path : ours) {
    fs::remove(path, ignored);
  }
  fs::remove(folder, ignored);  // only if it is empty
}

}  // namespace burnish::tiles
