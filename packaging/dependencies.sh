#!/usr/bin/env bash
# packaging/dependencies.sh FOLDER: what wheels for Linux and macOS are built from, by vcpkg in that folder.
set -euo pipefail
folder=$1
[ -d "$folder" ] || git clone --depth 1 https://github.com/microsoft/vcpkg "$folder"
"$folder/bootstrap-vcpkg.sh" -disableMetrics
"$folder/vcpkg" install eigen3 tbb fmt zlib pugixml nlohmann-json
