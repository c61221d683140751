#!/usr/bin/env bash
# Our methods beside those of MeshLab, CGAL and PCL, on the same points and the same normals, in the same run: how far
# apart the results are, how close each is to the truth, and the CPU seconds of each.
#   check.sh BURNISH FOLDER NOISY CLEAN
# FOLDER has the programs cgal_peer and pcl_peer, and is where the results go.
set -euo pipefail
burnish=$1 folder=$2 noisy=$3 clean=$4
export LC_ALL=C
cd "$folder"

# meshlab IN OUT SCRIPT: runs MeshLab without a screen; prints its CPU seconds.
meshlab() {
  local TIMEFORMAT='%U %S'
  { time xvfb-run -a meshlabserver -i "$1" -o "$2" -m vn -s "$3" >meshlab.log 2>&1; } 2>&1 | awk '{print $1 + $2}'
}

# filter NAME PARAMETERS…: a MeshLab script of one filter on the only mesh.
filter() {
  local name=$1
  shift
  echo '<!DOCTYPE FilterScript>'
  echo "<FilterScript><filter name=\"$name\">"
  printf '<Param %s/>\n' "$@"
  echo '</filter></FilterScript>'
}

# field KEY: a number of the JSON object on standard input.
field() { python3 -c "import json, sys; o = json.load(sys.stdin); print((o.get('comparisons') or [o])[0]['$1'])"; }

# mean_difference A B: mean distance of point i to point i.
mean_difference() {
  "$burnish" convert "$1" a.xyz 2>/dev/null
  "$burnish" convert "$2" b.xyz 2>/dev/null
  paste -d' ' <(grep -v '#' a.xyz | cut -d' ' -f1-3) <(grep -v '#' b.xyz | cut -d' ' -f1-3) |
    awk '{s += sqrt(($1-$4)^2 + ($2-$5)^2 + ($3-$6)^2)} END {print s / NR}'
}

spacing=$("$burnish" info "$noisy" --json | field spacing)

failed=0

# report METHOD PEER OURS THEIRS OUR_SECONDS THEIR_SECONDS COMPARED [LIMIT]: a row of the table. The difference is that of
# the points, in the same order, or where that is another of ours from the surface theirs make. Above LIMIT, in percent of
# the spacing, and where ours is slower, the check fails.
report() {
  local ours theirs difference
  ours=$("$burnish" evaluate "$3" --truth "$clean" --json | field mean_distance)
  theirs=$("$burnish" evaluate "$4" --truth "$clean" --json | field mean_distance)
  if [ "$7" = points ]; then
    difference=$(mean_difference "$3" "$4")
  else
    difference=$("$burnish" evaluate "$3" --truth "$4" --json | field surface)
  fi
  difference=$(awk -v d="$difference" -v s="$spacing" 'BEGIN {print 100 * d / s}')
  printf '| %s | %s | %.1f %% | %.4f | %.4f | %.2f | %.2f |\n' "$1" "$2" "$difference" "$ours" "$theirs" "$5" "$6"
  awk -v d="$difference" -v limit="${8:-$difference}" -v a="$5" -v b="$6" 'BEGIN {exit !(d <= limit && a <= b)}' || failed=1
}

# ours IN OUT OPTIONS…: our CPU seconds on one thread, the method alone.
ours() {
  "$burnish" denoise "$1" "$2" --json --threads 1 "${@:3}" | field cpu_seconds
}

# The normals both sides use: MeshLab's.
normals() {
  filter "Compute normals for point sets" "name=\"K\" type=\"RichInt\" value=\"$1\"" \
    'name="smoothIter" type="RichInt" value="0"' 'name="flipFlag" type="RichBool" value="false"' \
    'name="viewPos" type="RichPoint3f" x="0" y="0" z="0"' >normals.mlx
  meshlab "$noisy" "$2" normals.mlx >/dev/null
}

# projection NAME OURS SCALE NEIGHBOURS PARAMETERS…: a moving-least-squares projection of MeshLab and ours.
projection() {
  local name=$1 method=$2 scale=$3 neighbours=$4
  shift 4
  normals "$neighbours" "$method-in.ply"
  filter "MLS projection ($name)" 'name="ControlMesh" type="RichMesh" value="0"' \
    'name="ProxyMesh" type="RichMesh" value="0"' 'name="SelectionOnly" type="RichBool" value="false"' \
    "name=\"FilterScale\" type=\"RichFloat\" value=\"$scale\"" \
    'name="ProjectionAccuracy" type="RichFloat" value="0.0001"' \
    'name="MaxProjectionIters" type="RichInt" value="15"' 'name="MaxSubdivisions" type="RichInt" value="0"' \
    'name="ThAngleInDegree" type="RichFloat" value="2"' "$@" >"$method.mlx"
  echo '<!DOCTYPE FilterScript><FilterScript></FilterScript>' >nothing.mlx
  local loading working seconds
  loading=$(meshlab "$method-in.ply" nothing.ply nothing.mlx)
  working=$(meshlab "$method-in.ply" "$method-meshlab.ply" "$method.mlx")
  seconds=$(ours "$method-in.ply" "$method-ours.ply" --method "$method" --filter-scale "$scale")
  report "$method" MeshLab "$method-ours.ply" "$method-meshlab.ply" "$seconds" \
    "$(awk -v a="$working" -v b="$loading" 'BEGIN {print a - b}')" points 5
}

echo '| method | peer | mean difference, of the spacing | our distance to the truth | theirs | our CPU s | theirs |'
echo '|---|---|---|---|---|---|---|'
projection APSS apss 5 20 'name="SphericalParameter" type="RichFloat" value="1"' \
  'name="AccurateNormal" type="RichBool" value="true"'
projection RIMLS rimls 7 10 'name="SigmaN" type="RichFloat" value="0.75"' \
  'name="MaxRefittingIters" type="RichInt" value="3"'

# The same radius for both; CGAL writes the points in another order.
radius=$(awk -v s="$spacing" 'BEGIN {print 4 * s}')
theirs=$(./cgal_peer wlop "$noisy" wlop-cgal.ply "$radius" 10)
seconds=$(ours "$noisy" wlop-ours.ply --method wlop --filter-scale 4 --iterations 10)
report wlop CGAL wlop-ours.ply wlop-cgal.ply "$seconds" "$theirs" surface

normals 36 bilateral-in.ply
theirs=$(./cgal_peer bilateral bilateral-in.ply bilateral-cgal.ply 24 3)
seconds=$(ours bilateral-in.ply bilateral-ours.ply --method bilateral)
report bilateral CGAL bilateral-ours.ply bilateral-cgal.ply "$seconds" "$theirs" points 5

# PCL has one radius for the whole cloud, here our mean one: 5 local spacings, 2/√π of the spacing each. Its weights are
# exp(−r²/h²) up to the radius h, ours (1 − r²/h²)⁴, and over a plane their mean r² is 0.418 h² where ours has h²/6. So
# there is a second row, with the radius that makes its weights as wide as ours.
seconds=$(ours "$noisy" mls-ours.ply --method mls --filter-scale 5)
mls() {
  local radius theirs
  radius=$(awk -v s="$spacing" -v part="$2" 'BEGIN {print part * 5 * 1.128 * s}')
  theirs=$(./pcl_peer "$noisy" mls-pcl.ply "$radius" 2)
  report "mls, $1" PCL mls-ours.ply mls-pcl.ply "$seconds" "$theirs" points ${3:+"$3"}
}
mls "same radius" 1
mls "same width of weights" 0.631 5

[ $failed = 0 ] || { echo "peers: a difference above 5 % of the spacing, or a method slower than its peer" >&2; exit 1; }
