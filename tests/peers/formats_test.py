"""LAZ, COPC and E57 beside readers that share nothing with burnish: laz-perf, copc and web-e57 of npm, and laspy with
lazrs and laszip (the reference), and pye57, of Python.

./run check installs them below BURNISH_PEERS (node and python); tests of those that are not there are skipped, and say
so. The program is BURNISH_PROGRAM, the folder of test data BURNISH_DATA.
"""

import importlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

project = Path(__file__).resolve().parents[2]
peers = Path(os.environ.get("BURNISH_PEERS", project / "build/peers"))
data = Path(os.environ.get("BURNISH_DATA", project.parent / "shared/data"))
program = os.environ.get("BURNISH_PROGRAM", str(project / "build/release/burnish"))
sys.path.insert(0, str(peers / "python"))

import numpy as np  # noqa: E402, the one the others were installed with

laz_files = sorted(p for p in data.glob("**/*.laz") if not p.name.startswith("broken"))
copc_files = [p for p in laz_files if p.name.endswith(".copc.laz")]
e57_files = sorted(p for p in data.glob("**/*.e57") if p.name not in ("corrupt_crc.e57", "empty.e57"))


def parametrize(name, files):
    """A test for each file, or one that is skipped."""
    if not files:
        return pytest.mark.skip(reason=f"needs the test data in {data}")
    return pytest.mark.parametrize(name, files, ids=lambda path: path.name)


def need(name):
    try:
        return importlib.import_module(name)
    except ImportError as error:
        pytest.skip(f"{name} is not installed in {peers}/python: {error}")


def burnish(*arguments):
    subprocess.run([program, *map(str, arguments), "--quiet"], check=True, capture_output=True, text=True)


def node(how, path, out):
    package = {"laz": "laz-perf", "copc": "copc", "e57": "web-e57"}[how]
    if not (peers / "node/node_modules" / package).is_dir():
        pytest.skip(f"{package} is not installed in {peers}/node")
    command = ["node", "--experimental-wasm-modules", "--no-warnings", str(project / "tests/peers/read.mjs"), how]
    done = subprocess.run([*command, str(path), str(out)], capture_output=True, text=True, check=False,
                          env={**os.environ, "BURNISH_PEERS": str(peers)})
    assert done.returncode == 0, done.stderr
    return out


def header_number(bytes_, place, type_):
    return int(np.frombuffer(bytes_, type_, 1, place)[0])


def las_records(path):
    """The point records of an uncompressed file, as bytes."""
    content = path.read_bytes()
    begin, size = header_number(content, 96, "<u4"), header_number(content, 105, "<u2")
    count = header_number(content, 107, "<u4")
    if content[25] >= 4:
        count = max(count, header_number(content, 247, "<u8"))
    return content[begin : begin + size * count]


@parametrize("path", laz_files)
def test_laz_perf_finds_the_same_records(path, tmp_path):
    if "version-1" in path.name or "1.2r0" in path.name:
        pytest.skip("laz-perf does not decompress version 1")
    burnish("convert", path, tmp_path / "a.las")
    assert node("laz", path, tmp_path / "records").read_bytes() == las_records(tmp_path / "a.las")


def laspy_records(path, backend):
    """The point records as bytes, decompressed by lazrs or laszip."""
    laspy = need("laspy")
    need(backend)
    return laspy.read(path, laz_backend=laspy.LazBackend[backend.capitalize()]).points.array.tobytes()


@pytest.mark.parametrize("backend", ["lazrs", "laszip"])
@parametrize("path", laz_files)
def test_laspy_finds_the_same_records(path, backend, tmp_path):
    if backend == "lazrs" and "version-1" in path.name:
        pytest.skip("lazrs does not decompress version 1")
    burnish("convert", path, tmp_path / "a.las")
    assert laspy_records(path, backend) == las_records(tmp_path / "a.las")


@pytest.mark.parametrize("backend", ["lazrs", "laszip", "laz-perf"])
@parametrize("path", laz_files)
def test_what_is_written_is_read_by_all(path, backend, tmp_path):
    """And denoised by nothing, every record is the same still."""
    burnish("convert", path, tmp_path / "a.las")
    burnish("denoise", path, tmp_path / "a.laz", "--strength", "0")
    written = tmp_path / "a.laz"
    theirs = node("laz", written, tmp_path / "records").read_bytes() if backend == "laz-perf" else laspy_records(written, backend)
    assert theirs == las_records(tmp_path / "a.las")


def scanned(laspy, point_format, count=70_000):
    """Points as a scanner gives them, with extra bytes; a hundredth of them random."""
    random = np.random.default_rng(point_format)
    header = laspy.LasHeader(point_format=point_format, version="1.4")
    header.add_extra_dim(laspy.ExtraBytesParams("height", "f4"))
    header.add_extra_dim(laspy.ExtraBytesParams("kind", "u1"))
    header.scales, header.offsets = [0.01] * 3, [0] * 3
    las = laspy.LasData(header)
    array = np.zeros(count, las.points.array.dtype)
    line = np.arange(count) % 500
    for name in array.dtype.names:
        array[name] = random.integers(0, 4, count).astype(array.dtype[name])
    array["X"], array["Y"] = line * 37 + random.integers(0, 5, count), np.arange(count) // 500 * 50
    array["Z"] = 1000 + random.integers(0, 200, count)
    if "gps_time" in array.dtype.names:
        array["gps_time"] = 1e8 + np.cumsum(random.integers(0, 4, count)) * 1e-5
    wild = random.random(count) < 0.01
    noise = random.integers(0, 256, (int(wild.sum()), array.dtype.itemsize), dtype=np.uint8)
    array[wild] = noise.view(array.dtype)[:, 0]
    las.points = laspy.ScaleAwarePointRecord(array, header.point_format, header.scales, header.offsets)
    return las


@pytest.mark.parametrize("backend", ["lazrs", "laszip"])
@pytest.mark.parametrize("point_format", range(11))
def test_every_point_format(point_format, backend, tmp_path):
    if backend == "lazrs" and point_format in (4, 5, 9, 10):
        pytest.skip("lazrs has no wave packets")
    laspy = need("laspy")
    need(backend)
    las = scanned(laspy, point_format)
    las.write(tmp_path / "a.las")
    burnish("convert", tmp_path / "a.las", tmp_path / "ours.laz")
    records = las_records(tmp_path / "a.las")
    las.write(tmp_path / "theirs.laz", laz_backend=laspy.LazBackend[backend.capitalize()])
    assert laspy_records(tmp_path / "ours.laz", backend) == records
    burnish("convert", tmp_path / "theirs.laz", tmp_path / "b.las")
    assert las_records(tmp_path / "b.las") == records
    sizes = [(tmp_path / name).stat().st_size for name in ("ours.laz", "theirs.laz")]
    assert sizes[0] <= 1.02 * sizes[1]
    burnish("denoise", tmp_path / "ours.laz", tmp_path / "again.laz", "--strength", "0")
    burnish("convert", tmp_path / "again.laz", tmp_path / "c.las")
    assert las_records(tmp_path / "c.las") == records


def ours_as_array(path, tmp_path):
    burnish("convert", path, tmp_path / "ours.npz")
    return np.load(tmp_path / "ours.npz")


@parametrize("path", copc_files)
def test_laspy_finds_the_records_of_copc(path, tmp_path):
    """In ours of the same points, every attribute, in another order."""
    burnish("convert", path, tmp_path / "ours.copc.laz")
    burnish("convert", path, tmp_path / "a.las")

    def in_order(records):
        size = header_number((tmp_path / "a.las").read_bytes(), 105, "<u2")
        return sorted(records[i : i + size] for i in range(0, len(records), size))

    assert in_order(laspy_records(tmp_path / "ours.copc.laz", "laszip")) == in_order(las_records(tmp_path / "a.las"))


def in_one_order(rows):
    return rows[np.lexsort(rows.T)]


@parametrize("path", copc_files)
def test_copc_finds_the_same_nodes_and_points(path, tmp_path):
    """Every attribute, in files of other programs, and in ours of the same points."""
    burnish("convert", path, tmp_path / "ours.copc.laz")
    ours = ours_as_array(path, tmp_path)
    for file in (path, tmp_path / "ours.copc.laz"):
        found = json.loads(node("copc", file, tmp_path / "copc.json").read_text())
        points = np.concatenate([np.array(p, float) for p in found["nodes"].values()])
        assert found["points"] == len(ours["points"]) == len(points)
        assert found["dimensions"][:3] == ["X", "Y", "Z"]
        # "ScanDirectionFlag" is "scan_direction_flag" here
        columns = [re.sub("(?<!^)(?=[A-Z])", "_", name).lower() for name in found["dimensions"][3:]]
        assert sorted(columns) == sorted(set(ours.files) - {"points"})
        expected = np.column_stack([ours["points"], *(ours[name] for name in columns)]).astype(float)
        # Whole numbers, so that the order does not depend on last digits. Angles are in degrees there.
        angle = 3 + columns.index("scan_angle")
        points[:, angle] = (points[:, angle] / 0.006).round()
        points[:, :3], expected[:, :3] = (points[:, :3] * 1e5).round(), (expected[:, :3] * 1e5).round()
        assert np.array_equal(in_one_order(points), in_one_order(expected))
        levels = subprocess.run([program, "info", str(file), "--json"], check=True, capture_output=True, text=True).stdout
        nodes_of_level = [0] * len(json.loads(levels)["levels"])
        for key in found["nodes"]:
            nodes_of_level[int(key.split("-")[0])] += 1
        assert [level["nodes"] for level in json.loads(levels)["levels"]] == nodes_of_level


def test_copc_reads_many_pages(tmp_path):
    """An octree that is deep and wide, and a box of it."""
    random = np.random.default_rng(1)
    points = np.concatenate([random.random((400_000, 3)) * [1000, 1000, 20], random.random((100_000, 3))])
    np.save(tmp_path / "a.npy", points)
    burnish("convert", tmp_path / "a.npy", tmp_path / "a.copc.laz")
    found = json.loads(node("copc", tmp_path / "a.copc.laz", tmp_path / "copc.json").read_text())
    assert sum(map(len, found["nodes"].values())) == len(points)
    half, spacing = found["info"]["cube"], found["info"]["spacing"]
    assert spacing == pytest.approx((half[3] - half[0]) / 128)
    burnish("convert", tmp_path / "a.copc.laz", tmp_path / "box.npy", "--box", "0,0,0,1,1,1")
    inside = (points >= 0).all(1) & (points <= 1).all(1)
    assert abs(len(np.load(tmp_path / "box.npy")) - inside.sum()) <= 3  # those on a face are rounded


def pye57_scans(path):
    pye57 = need("pye57")
    for name in names:  # those that pye57 does not read unless it is asked to
        pye57.e57.SUPPORTED_POINT_FIELDS.setdefault(name, "d")
    file = pye57.E57(str(path))
    scans = []
    for i in range(file.scan_count):
        header = file.get_header(i)
        raw = file.read_scan_raw(i, ignore_unsupported_fields=True)
        if "cartesianX" in raw:
            points = np.stack([raw["cartesian" + axis] for axis in "XYZ"], 1)
        else:
            distance, azimuth, elevation = (raw["spherical" + a] for a in ("Range", "Azimuth", "Elevation"))
            points = distance[:, None] * np.stack([np.cos(elevation) * np.cos(azimuth),
                                                   np.cos(elevation) * np.sin(azimuth), np.sin(elevation)], 1)
        if header.has_pose():
            points = points @ header.rotation_matrix.T + header.translation
            if "nor:normalX" in raw:
                normals = np.stack([raw["nor:normal" + axis] for axis in "XYZ"], 1) @ header.rotation_matrix.T
                raw.update({"nor:normal" + axis: normals[:, i] for i, axis in enumerate("XYZ")})
        state = raw.get("cartesianInvalidState", raw.get("sphericalInvalidState", np.zeros(len(points))))
        scans.append((points, state, raw))
    return scans


names = {"intensity": "intensity", "colorRed": "red", "colorGreen": "green", "colorBlue": "blue",
         "rowIndex": "row_index", "columnIndex": "column_index", "returnIndex": "return_index",
         "returnCount": "return_count", "timeStamp": "time_stamp", "nor:normalX": "nx", "nor:normalY": "ny",
         "nor:normalZ": "nz", "isIntensityInvalid": "is_intensity_invalid", "isColorInvalid": "is_color_invalid",
         "isTimeStampInvalid": "is_time_stamp_invalid", "cartesianInvalidState": "cartesian_invalid_state",
         "sphericalInvalidState": "spherical_invalid_state"}


def check_e57(path, ours):
    theirs = pye57_scans(path)
    points = np.concatenate([p for p, _, _ in theirs])
    valid = np.concatenate([state for _, state, _ in theirs]) == 0
    assert len(ours["points"]) == len(points)
    assert np.isnan(ours["points"][~valid]).all()
    assert np.allclose(ours["points"][valid], points[valid], rtol=0, atol=1e-6)
    for theirs_name, name in names.items():
        if all(theirs_name in raw for _, _, raw in theirs):
            values = np.concatenate([raw[theirs_name] for _, _, raw in theirs])
            assert np.allclose(ours[name], values, rtol=1e-6), name


@parametrize("path", e57_files)
def test_pye57_finds_the_same(path, tmp_path):
    check_e57(path, ours_as_array(path, tmp_path))
    burnish("convert", path, tmp_path / "a.e57")
    check_e57(tmp_path / "a.e57", ours_as_array(path, tmp_path))


@parametrize("path", e57_files)
def test_web_e57_finds_the_same(path, tmp_path):
    if path.name in ("cartesian_invalid_state_single.e57", "no_ext_namespace.e57"):
        pytest.skip("web-e57 refuses invalid states that are floats, and extensions without their namespace")
    ours = ours_as_array(path, tmp_path)
    valid = np.isfinite(ours["points"]).all(1)
    has_colours = "red" in ours and ours["red"].dtype == np.uint8
    burnish("convert", path, tmp_path / "a.e57")
    for file in (path, tmp_path / "a.e57"):
        theirs = np.loadtxt(node("e57", file, tmp_path / "a.xyz"), ndmin=2)
        assert len(theirs) == valid.sum()
        assert np.allclose(theirs[:, :3], ours["points"][valid], rtol=0, atol=1e-6)
        if has_colours:
            colours = np.column_stack([ours[name] for name in ("red", "green", "blue")])
            assert np.array_equal(theirs[:, 3:6], colours[valid])


def test_pye57_scans_with_poses(tmp_path):
    """Written by pye57, through burnish, read by pye57: poses, rows and colours as they were, positions of both agree."""
    pye57 = need("pye57")
    random = np.random.default_rng(2)
    path = tmp_path / "a.e57"
    file = pye57.E57(str(path), mode="w")
    raws = []
    for i in range(3):
        raw = {f"cartesian{axis}": random.random(1000 + i) * 10 for axis in "XYZ"}
        raw["intensity"] = random.random(1000 + i)
        raw["rowIndex"] = np.arange(1000 + i) % 7
        raw["columnIndex"] = np.arange(1000 + i) // 7
        for colour in ("Red", "Green", "Blue"):
            raw["color" + colour] = random.integers(0, 256, 1000 + i)
        rotation = random.normal(size=4)
        file.write_scan_raw(raw, name=f"scan {i}", rotation=rotation / np.linalg.norm(rotation),
                            translation=random.random(3) * 1000)
        raws.append(raw)
    file.close()
    check_e57(path, ours_as_array(path, tmp_path))
    burnish("denoise", path, tmp_path / "b.e57", "--strength", "0")
    before, after = pye57.E57(str(path)), pye57.E57(str(tmp_path / "b.e57"))
    assert after.scan_count == 3
    for i in range(3):
        assert np.array_equal(after.get_header(i).rotation, before.get_header(i).rotation)
        assert np.array_equal(after.get_header(i).translation, before.get_header(i).translation)
        for name, values in after.read_scan_raw(i).items():
            assert np.allclose(values, before.read_scan_raw(i)[name], rtol=0, atol=1e-9), name


def test_pye57_reads_beside_text(tmp_path):
    """Numbers of points that have text too, some of it longer than a packet."""
    random = np.random.default_rng(3)
    points = random.random((40_000, 3))
    labels = ["x" * int(n) for n in random.choice([0, 3, 127, 128, 90_000], len(points), p=[0.5, 0.3, 0.1, 0.0999, 0.0001])]
    lines = [f'{x!r},{y!r},{z!r},"{label}",{i}' for i, ((x, y, z), label) in enumerate(zip(points.tolist(), labels))]
    (tmp_path / "a.csv").write_text("\n".join(["x,y,z,label,intensity", *lines]) + "\n")
    burnish("convert", tmp_path / "a.csv", tmp_path / "a.e57")
    (theirs, _, raw), = pye57_scans(tmp_path / "a.e57")
    assert np.array_equal(theirs, points)
    assert np.array_equal(raw["intensity"], np.arange(len(points)))
    burnish("convert", tmp_path / "a.e57", tmp_path / "b.csv")
    assert (tmp_path / "b.csv").read_text().splitlines()[-len(lines):] == lines


def test_pye57_images_are_kept(tmp_path):
    pye57 = need("pye57")
    path = data / "compressed/e57/tiny_pc_and_images.e57"
    if not path.exists():
        pytest.skip(f"needs the test data in {data}")
    burnish("convert", path, tmp_path / "a.e57")

    def images(file):
        opened = pye57.E57(str(file))
        root = opened.image_file.root()["images2D"]
        found = []
        for i in range(root.childCount()):
            for kind in ("visualReference", "spherical", "pinhole", "cylindrical"):
                if root[i].isDefined(kind + "Representation"):
                    representation = root[i][kind + "Representation"]
                    name = "jpegImage" if representation.isDefined("jpegImage") else "pngImage"
                    blob = representation[name]
                    content = np.zeros(blob.byteCount(), np.uint8)
                    blob.read(content, 0, blob.byteCount())
                    found.append((kind, content.tobytes()))
        return found

    assert len(images(path)) == 4
    assert images(tmp_path / "a.e57") == images(path)
