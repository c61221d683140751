#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

#include "cells.hpp"

namespace burnish::bench {

/// Tables of all rows, as Markdown. Rows that differ only in the seed become one.
[[nodiscard]] std::string to_markdown(const std::vector<Row>& rows);

/// Gives rows of the default alone what other methods made of the same clouds in an earlier run.
void add_other_methods(std::vector<Row>& rows, const nlohmann::ordered_json& earlier);

/// All numbers of all rows, by what they are about.
[[nodiscard]] nlohmann::ordered_json to_json(const std::vector<Row>& rows);

/// A line for each error that differs by more than 2 % from that of an earlier run.
[[nodiscard]] std::string differences(const nlohmann::ordered_json& rows, const nlohmann::ordered_json& earlier);

}  // namespace burnish::bench
