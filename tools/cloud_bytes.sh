#!/usr/bin/env bash
# tools/cloud_bytes.sh FOLDER COMMAND …: makes, scans and denoises small clouds by `COMMAND … synth` and so on, in a
# folder of its own, and prints a checksum of each file. Two builds or processors agree if they print the same.
set -euo pipefail
folder=$1
shift
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
for shape in part organic torus; do
  "$@" synth "$shape" "$shape.ply" --points 2000 --quiet
done
"$@" noise part.ply noisy.ply --model student-t:sigma=0.5spacing --model gaussian:sigma=0.3spacing:correlation=3spacing --quiet
"$@" noise organic.ply strong.ply --sigma 1.5 --unit spacing --quiet  # of which the default takes out some by patches
"$@" scan part scan.ply --sensor depth --width 60 --height 45 --quiet
for method in auto glr mls bilateral apss rimls wlop awlop nld mrpca low_rank; do
  "$@" denoise noisy.ply "$method.ply" --method "$method" --quiet
done
"$@" denoise strong.ply strong-auto.ply --quiet
sha256sum ./*.ply
