"""burnish denoise --memory, as a user runs it: the same result as in memory, after a kill, on a full disk.

Needs the folder of the Python module on PYTHONPATH and the program in BURNISH_PROGRAM. With BURNISH_SLOW=1 more moments
to be killed at, and a large cloud.
"""

import json
import os
import random
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

import burnish

project = Path(__file__).resolve().parents[2]
program = os.environ.get("BURNISH_PROGRAM", str(project / "build/release/burnish"))
slow = os.environ.get("BURNISH_SLOW") == "1"


def run(*arguments, check=True, **how):
    command = [program, "denoise", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=3600, **how)
    assert done.returncode == 0 or not check, done.stderr
    return done


def uneven(points, seed=1):
    """A shape that is denser on one side, noisy, with attributes."""
    clean = burnish.synth("organic", points=3 * points, seed=seed, random=True)
    x = clean.positions[:, 0]
    chance = np.random.default_rng(seed).random(len(x))
    keep = chance < 0.1 + 0.9 * (x - x.min()) / np.ptp(x)
    positions = clean.positions[keep][:points]
    noisy = burnish.add_noise(burnish.Cloud(positions), 0.002, unit="diameter")
    noisy.attributes["number"] = np.arange(len(positions), dtype=np.int32)
    noisy.attributes["red"] = (np.arange(len(positions)) % 251).astype(np.uint8)
    return noisy


# The least that will do: so that a small cloud has several tiles.
MEMORY = ("--memory", "106M")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """With a cloud that is a little too large for that, and its result."""
    folder = tmp_path_factory.mktemp("tiles")
    burnish.write(folder / "noisy.ply", uneven(24000))
    report = json.loads(run("noisy.ply", "whole.ply", *MEMORY, "--json", cwd=folder).stdout)
    assert report["tiles"] > 3
    assert sorted(path.name for path in folder.iterdir()) == ["noisy.ply", "whole.ply"]
    return folder


def near_borders(scratch, positions, distance):
    """The points that are nearer than that to a side of the box around a tile in which they are."""
    near = np.zeros(len(positions), bool)
    for _, *box, _ in json.loads((scratch / "plan.json").read_text().splitlines()[1])["tiles"]:
        low, high = np.array(box[:3]), np.array(box[3:])
        inside = ((positions >= low) & (positions <= high)).all(axis=1)
        margin = np.minimum(positions - low, high - positions).min(axis=1)
        near |= inside & (margin < distance)
    return near


def test_tiled_is_what_untiled_is(tmp_path):
    """Within 1 % of the spacing everywhere, 0.1 % for 99.9 % of the points, and as close to the truth at the seams."""
    noisy = uneven(2_000_000 if slow else 60_000)
    burnish.write(tmp_path / "noisy.ply", noisy)
    run("noisy.ply", "whole.ply", "--memory", "1T", cwd=tmp_path)
    memory = (665 if slow else 183) << 20
    files = (str(tmp_path / "noisy.ply"), str(tmp_path / "tiled.ply"))
    plan = burnish._burnish.plan_tiles(*files, memory, "", False, 0.0, 1.0, 0, None)
    assert plan["tiles"] > 3 and len(plan["unfinished"]) == plan["tiles"]
    spacing = burnish.estimate_spacing(noisy, local=True)
    near = near_borders(Path(plan["scratch"]), noisy.positions, 3 * spacing)
    report = json.loads(run("noisy.ply", "tiled.ply", "--memory", str(memory), "--resume", "--json", cwd=tmp_path).stdout)
    assert not report["warnings"]
    whole, tiled = burnish.read(tmp_path / "whole.ply"), burnish.read(tmp_path / "tiled.ply")
    assert np.array_equal(tiled.attributes["number"], noisy.attributes["number"])
    moved = np.linalg.norm(whole.positions - noisy.positions, axis=1)
    assert np.median(moved / spacing) > 0.05  # there is something to compare
    apart = np.linalg.norm(whole.positions - tiled.positions, axis=1) / spacing
    print(f"apart: 99.9 % {np.quantile(apart, 0.999):.1e}, largest {apart.max():.1e} spacings")
    assert np.quantile(apart, 0.999) < 0.001
    assert apart.max() < 0.01
    assert 0.01 < near.mean() < 0.9
    for part in (near, ~near):
        error = [burnish.evaluate(c.positions[part], "organic")["mean_distance"] for c in (whole, tiled)]
        assert abs(error[1] / error[0] - 1) < 0.001


def results(folder):
    """The tiles that are finished, and when they were."""
    return {path: path.stat().st_mtime_ns for path in folder.glob("out.ply.scratch/done-*")}


def start(folder, *options):
    return subprocess.Popen([program, "denoise", "noisy.ply", "out.ply", *MEMORY, "--quiet", *options], cwd=folder)


def kill(child):
    child.kill()
    child.wait()


def kill_when(folder, happened, *options):
    """Starts a run and kills it when something has happened."""
    child = start(folder, *options)
    while not happened():
        assert child.poll() is None, "the run has ended before"
        time.sleep(0.01)
    kill(child)


def test_a_run_that_is_killed_goes_on(folder):
    moments = 20 if slow else 2
    chance = random.Random(5)
    begin = time.monotonic()
    run("noisy.ply", "again.ply", *MEMORY, cwd=folder)
    seconds = time.monotonic() - begin
    expected = (folder / "whole.ply").read_bytes()
    assert (folder / "again.ply").read_bytes() == expected
    counts = []
    for moment in range(moments):
        child = start(folder)
        time.sleep(seconds * (moment + chance.random()) / moments)
        kill(child)
        counts.append(len(results(folder)))
        run("noisy.ply", "out.ply", *MEMORY, "--resume", cwd=folder)
        assert (folder / "out.ply").read_bytes() == expected, f"after {counts} tiles"
        assert not (folder / "out.ply.scratch").exists()
        assert not list(folder.glob(".burnish-*")), "something unfinished was left"
        (folder / "out.ply").unlink()
    print("tiles that were finished when the run was killed:", counts)


def test_finished_tiles_are_kept_and_damaged_ones_are_not(folder):
    kill_when(folder, lambda: len(results(folder)) >= 2)
    found = results(folder)
    assert "contains an unfinished run" in run("noisy.ply", "out.ply", *MEMORY, cwd=folder, check=False).stderr
    other = run("noisy.ply", "out.ply", *MEMORY, "--resume", "--strength", "0.5", cwd=folder, check=False)
    assert other.returncode == 1 and "other settings" in other.stderr
    other = run("whole.ply", "out.ply", *MEMORY, "--resume", cwd=folder, check=False)
    assert other.returncode == 1 and "another input" in other.stderr
    assert {path: path.stat().st_mtime_ns for path in found} == found

    damaged = next(iter(found))
    content = bytearray(damaged.read_bytes())
    content[-5] ^= 1
    damaged.write_bytes(content)
    report = json.loads(run("noisy.ply", "out.ply", "--resume", "--json", cwd=folder).stdout)
    assert report["tiles_resumed"] == len(found) - 1
    assert (folder / "out.ply").read_bytes() == (folder / "whole.ply").read_bytes()
    (folder / "out.ply").unlink()


def test_a_damaged_plan_is_refused(folder):
    plan = folder / "out.ply.scratch/plan.json"
    kill_when(folder, plan.exists)
    good = plan.read_bytes()
    for bad in [b"", good[:100], good.replace(b"0", b"1", 1), b"{}\n", good[:17] + b"{}\n", os.urandom(1000)]:
        plan.write_bytes(bad)
        done = run("noisy.ply", "out.ply", *MEMORY, "--resume", cwd=folder, check=False)
        assert done.returncode == 1 and "cannot be used" in done.stderr, done.stderr
    subprocess.run(["rm", "-rf", "out.ply.scratch"], cwd=folder, check=True)


def test_files_that_may_not_grow_stop_the_run(folder):
    """Every write fails that would make a file larger than some size, as on a full disk. The output is the largest."""
    limit = (folder / "whole.ply").stat().st_size // 2 // 1024
    command = f"trap '' XFSZ; ulimit -f {limit}; exec '{program}' denoise noisy.ply out.ply {' '.join(MEMORY)}"
    done = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 1
    assert "out.ply: cannot be written: File too large" in done.stderr and "--resume" in done.stderr
    assert not (folder / "out.ply").exists() and not list(folder.glob(".burnish-*"))
    report = json.loads(run("noisy.ply", "out.ply", *MEMORY, "--resume", "--json", cwd=folder).stdout)
    assert report["tiles_resumed"] == report["tiles"]
    assert (folder / "out.ply").read_bytes() == (folder / "whole.ply").read_bytes()
    (folder / "out.ply").unlink()


def test_a_full_disk_stops_the_run(folder, tmp_path):
    size = 24000 * 32 * 3 // 2  # room for the tiles and half of their results
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", disk]
    if subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("may not mount a small disk")
    try:
        arguments = ("noisy.ply", "out.ply", *MEMORY, "--scratch", disk / "scratch")
        done = run(*arguments, cwd=folder, check=False)
        assert done.returncode == 1
        assert "No space left on device" in done.stderr and "--resume" in done.stderr
        assert not (folder / "out.ply").exists()
        subprocess.run(["mount", "-o", f"remount,size={10 * size}", disk], check=True)
        report = json.loads(run(*arguments, "--resume", "--json", cwd=folder).stdout)
        assert 0 < report["tiles_resumed"] < report["tiles"]
        assert (folder / "out.ply").read_bytes() == (folder / "whole.ply").read_bytes()
        assert not (disk / "scratch").exists()
    finally:
        subprocess.run(["umount", disk], check=False)
        (folder / "out.ply").unlink(missing_ok=True)


def test_scratch_files_have_a_folder_of_their_own(folder):
    (folder / "mine").mkdir()
    (folder / "mine/letter.txt").write_text("dear")
    done = run("noisy.ply", "out.ply", *MEMORY, "--scratch", "mine", cwd=folder, check=False)
    assert done.returncode == 1 and "is not empty (letter.txt)" in done.stderr
    assert (folder / "mine/letter.txt").read_text() == "dear"
    subprocess.run(["rm", "-r", "mine"], cwd=folder, check=True)


@pytest.mark.parametrize("ending", ["xyz", "pcd", "las", "laz"])
def test_other_formats(folder, ending):
    if ending in ("pcd", "las") and not slow:
        pytest.skip("slow; tests/io has these formats in parts")
    burnish.write(folder / f"noisy.{ending}", burnish.read(folder / "noisy.ply"))
    run(f"noisy.{ending}", f"tiled.{ending}", *MEMORY, cwd=folder)
    tiled, whole = burnish.read(folder / f"tiled.{ending}"), burnish.read(folder / "whole.ply")
    if ending in ("las", "laz"):  # whose coordinates are whole numbers
        run(f"noisy.{ending}", f"whole.{ending}", cwd=folder)
        whole = burnish.read(folder / f"whole.{ending}")
        assert np.abs(tiled.positions - whole.positions).max() < 0.01 * burnish.estimate_spacing(whole)
    else:
        assert np.array_equal(tiled.positions, whole.positions)
    for name in ("number", "red"):
        assert np.array_equal(tiled.attributes[name], whole.attributes[name]), name
    for path in folder.glob(f"*.{ending}"):
        path.unlink()


@pytest.mark.skipif(not slow, reason="slow")
def test_a_large_laz_file_stays_under_its_limit(tmp_path):
    burnish.write(tmp_path / "noisy.laz", uneven(1_000_000))
    report = json.loads(run("noisy.laz", "out.laz", "--memory", "500M", "--json", cwd=tmp_path).stdout)
    assert report["tiles"] > 3
    assert report["peak_memory"] < 500e6


def test_tiles_with_more_around_them_than_fits_are_told(tmp_path):
    """Strong noise takes large patches and many iterations, and these a wide look around."""
    noisy = burnish.add_noise(burnish.synth("organic", points=40000, random=True), 0.02, unit="diameter")
    burnish.write(tmp_path / "noisy.ply", noisy)
    done = run("noisy.ply", "out.ply", *MEMORY, "--json", cwd=tmp_path)
    report = json.loads(done.stdout)
    assert any("tiles had a halo that does not fit" in warning for warning in report["warnings"])
    assert "A larger --memory" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["noisy.ply", "out.ply"]


def test_what_cannot_be_done_in_tiles_is_told(folder):
    burnish.write(folder / "noisy.npy", burnish.read(folder / "noisy.ply"))
    cases = [
        (("noisy.npy", "out.ply", *MEMORY), 1, "PLY, PCD, LAS, LAZ, E57 and text can be read in parts"),
        (("noisy.ply", "out.npy", *MEMORY), 1, "which can only be written as a whole"),
        (("noisy.ply", "out.ply", *MEMORY, "--remove-outliers", "--index-map", "none/rows"), 1, "no folder none"),
        (("noisy.ply", "out.ply", *MEMORY, "--method", "mls"), 2, "needs the whole cloud in memory"),
        (("noisy.ply", "out.ply", "--memory", "much"), 2, "is not an amount of memory"),
        (("noisy.ply", "out.ply", "--memory", "10M"), 1, "not enough for denoising, which needs at least"),
        (("-", "out.ply", *MEMORY), 1, "is not a file that can be read in parts"),
    ]
    for arguments, code, message in cases:
        with (folder / "noisy.ply").open() as noisy:
            done = run(*arguments, cwd=folder, check=False, stdin=noisy)
        assert done.returncode == code and message in done.stderr, done.stderr
        assert not (folder / "out.ply").exists() and not (folder / "out.ply.scratch").exists()
    run("noisy.npy", "out.ply", "--memory", "1G", cwd=folder)  # where it fits
    (folder / "out.ply").unlink()
    (folder / "noisy.npy").unlink()


def in_both_ways(folder, name, *options):
    """A cloud denoised as a whole and in tiles with the same options: both clouds, and the report of each run."""
    results = []
    for way, memory in (("whole", "1T"), ("tiled", "106M")):
        out = folder / f"{way}{Path(name).suffix}"
        report = json.loads(run(name, out.name, "--memory", memory, "--json", *options, cwd=folder).stdout)
        assert ("tiles" in report) == (way == "tiled")
        results.append((burnish.read(out) if out.exists() else None, report))
    assert not list(folder.glob("*.scratch"))
    return results


@pytest.fixture(scope="module")
def survey(tmp_path_factory):
    """A cloud with classes, normals that point inwards, points far off the surface and one that is not finite."""
    folder = tmp_path_factory.mktemp("survey")
    cloud = uneven(24000)
    rng = np.random.default_rng(3)
    far = np.arange(100, 24000, 800)
    cloud.positions[far] += rng.choice([-1, 1], (len(far), 3)) * rng.uniform(0.2, 0.4, (len(far), 3))
    cloud.attributes["classification"] = (np.arange(len(cloud)) % 3).astype(np.uint8)
    inwards = -cloud.positions / np.linalg.norm(cloud.positions, axis=1)[:, None]
    cloud.attributes.update(zip(("nx", "ny", "nz"), inwards.T))
    burnish.write(folder / "noisy.las", cloud)
    cloud.positions[17] = np.nan
    burnish.write(folder / "noisy.ply", cloud)
    return folder


def expect_alike(whole, tiled, spacing):
    apart = np.linalg.norm(whole.positions - tiled.positions, axis=1)
    assert np.nanquantile(apart, 0.99) < 0.01 * spacing


def test_points_that_are_not_selected_stay_in_tiles(survey):
    noisy = burnish.read(survey / "noisy.ply")
    (whole, _), (tiled, report) = in_both_ways(survey, "noisy.ply", "--only", "classification=1", "--box=-9,-9,-9,0,9,9")
    expect_alike(whole, tiled, report["spacing"])
    stays = (noisy["classification"] != 1) | ~(noisy.positions[:, 0] <= 0)
    assert np.array_equal(tiled.positions[stays], noisy.positions[stays], equal_nan=True)
    assert (tiled.positions != noisy.positions).any(axis=1).sum() > 1000
    assert report["selected"] == (~stays).sum() and report["not_finite"] == 1
    typo = run("noisy.ply", "out.ply", *MEMORY, "--mask", "clasification", check=False, cwd=survey)
    assert typo.returncode == 1 and "did you mean classification?" in typo.stderr


@pytest.mark.parametrize("name", ["noisy.ply", "noisy.las"])
def test_outliers_are_removed_and_marked_in_tiles(survey, name):
    (whole, _), (tiled, report) = in_both_ways(survey, name, "--remove-outliers")
    assert len(tiled) == report["points_left"] < 24000 - 20
    assert np.array_equal(tiled["number"], whole["number"]) or abs(len(tiled) - len(whole)) < 5
    run(name, f"marked{name[5:]}", *MEMORY, "--mark-outliers", cwd=survey)
    marked = burnish.read(survey / f"marked{name[5:]}")
    is_marked = marked["classification"] == 7 if name.endswith("las") else marked["outlier"] == 1
    assert len(marked) == 24000
    assert np.array_equal(marked["number"][~is_marked], tiled["number"])


@pytest.mark.parametrize("name", ["noisy.ply", "noisy.las"])
def test_attributes_of_each_point_in_tiles(survey, name):
    names = ("noise", "confidence", "moved", "outlier")
    wish = ("--attributes", ",".join(names))
    (whole, found), (tiled, report) = in_both_ways(survey, name, *wish)
    noisy = burnish.read(survey / name)
    finite = np.isfinite(noisy.positions).all(axis=1)
    assert np.allclose(tiled["moved"][finite], np.linalg.norm(tiled.positions - noisy.positions, axis=1)[finite], atol=1e-9)
    assert tiled["moved"].max() > 0.1 * report["noise"]
    assert np.array_equal(np.flatnonzero(whole["outlier"]), found["outliers"]) and len(found["outliers"]) > 20
    assert (tiled["outlier"] != whole["outlier"]).sum() < 5
    good = finite & (tiled["outlier"] == 0) & (whole["outlier"] == 0)
    for attribute in ("noise", "confidence"):
        apart = np.abs(tiled[attribute] / whole[attribute] - 1)[good]
        assert np.quantile(apart, 0.95) < 0.02, attribute
        assert (tiled[attribute][~finite] == 0).all() and np.ptp(tiled[attribute][good]) > 0
    rms = np.sqrt(np.mean(tiled["confidence"][good] ** 2))
    assert rms == pytest.approx(report["expected_error_after"], rel=0.01)
    # Points that are not selected have not moved.
    run(name, f"some{name[5:]}", *MEMORY, "--attributes", "moved", "--only", "classification=1", cwd=survey)
    some = burnish.read(survey / f"some{name[5:]}")
    assert (some["moved"][noisy["classification"] != 1] == 0).all() and some["moved"].max() > 0
    assert "noise" not in some.attributes


def test_attributes_in_tiles_go_on_after_a_stop(survey):
    """The scratch folder says whether attributes are kept."""
    wish = ("--attributes", "noise")
    kill_when(survey, lambda: len(results(survey)) > 0, *wish)
    other = run("noisy.ply", "out.ply", *MEMORY, "--resume", check=False, cwd=survey)
    assert other.returncode == 1 and "other settings" in other.stderr
    report = json.loads(run("noisy.ply", "out.ply", *MEMORY, "--resume", *wish, "--json", cwd=survey).stdout)
    assert report["tiles_resumed"] > 0
    resumed = burnish.read(survey / "out.ply")["noise"]
    run("noisy.ply", "tiled.ply", *MEMORY, *wish, cwd=survey)
    assert np.array_equal(burnish.read(survey / "tiled.ply")["noise"], resumed)
    (survey / "out.ply").unlink()


def test_an_index_map_in_tiles(survey):
    results = in_both_ways(survey, "noisy.ply", "--remove-outliers", "--index-map", "rows.txt")
    for cloud, _ in results:
        assert len(cloud) < 24000 - 20
    tiled, report = results[1]
    rows = np.loadtxt(survey / "rows.txt", dtype=int)
    assert np.array_equal(rows, tiled["number"]) and len(rows) == report["points_left"]


def test_a_dry_run_in_tiles_looks_at_the_selection(survey):
    typo = run("noisy.ply", "out.ply", *MEMORY, "--dry-run", "--mask", "clasification", check=False, cwd=survey)
    assert typo.returncode == 1 and "did you mean classification?" in typo.stderr
    report = json.loads(run("noisy.ply", "out.ply", *MEMORY, "--dry-run", "--json", cwd=survey).stdout)
    assert report["not_finite"] == 1 and not list(survey.glob("*.scratch"))


def test_outliers_that_are_not_selected_stay(survey):
    for cloud, _ in in_both_ways(survey, "noisy.ply", "--remove-outliers", "--only", "classification=1"):
        assert 24000 - 20 < len(cloud) < 24000
        assert (cloud["classification"] != 1).sum() == 16000


def test_normals_follow_the_points_in_tiles(survey):
    noisy = burnish.read(survey / "noisy.ply")
    (whole, _), (tiled, _) = in_both_ways(survey, "noisy.ply")
    finite = np.isfinite(noisy.positions).all(axis=1)
    moved = finite & (tiled.positions != noisy.positions).any(axis=1)
    agree = np.einsum("ij,ij->i", whole.normals, tiled.normals)
    assert np.quantile(agree[moved], 0.02) > 0.99
    assert np.array_equal(tiled.normals[~moved], noisy.normals[~moved])
    for wish, count in (("keep", 3), ("remove", 0)):
        run("noisy.ply", "tiled.ply", *MEMORY, "--normals", wish, cwd=survey)
        tiled = burnish.read(survey / "tiled.ply")
        assert sum(name in tiled.attributes for name in ("nx", "ny", "nz")) == count
        assert wish == "remove" or np.array_equal(tiled.normals, noisy.normals)


def test_normals_are_added_in_tiles_where_a_side_is_known(survey):
    cloud = burnish.read(survey / "noisy.ply")
    cloud.attributes = {}
    burnish.write(survey / "bare.pcd", cloud)
    refused = run("bare.pcd", "out.pcd", *MEMORY, "--normals", "add", check=False, cwd=survey)
    assert refused.returncode == 1 and "no normals, viewpoint or scanner positions" in refused.stderr
    text = (survey / "bare.pcd").read_bytes()
    (survey / "seen.pcd").write_bytes(text.replace(b"VIEWPOINT 0 0 0", b"VIEWPOINT 9 9 9"))
    (whole, _), (tiled, _) = in_both_ways(survey, "seen.pcd", "--normals", "add")
    agree = np.einsum("ij,ij->i", whole.normals, tiled.normals)
    assert np.quantile(agree[np.isfinite(agree) & (np.arange(24000) != 17)], 0.02) > 0.99


def test_a_dry_run_in_tiles_tells_the_expected_error(survey):
    (_, whole), (result, tiled) = in_both_ways(survey, "noisy.ply", "--dry-run")
    for name in ("spacing", "noise", "expected_error_after"):
        assert tiled[name] == pytest.approx(whole[name], rel=0.02)
    assert tiled["dry_run"] and tiled["tiles"] > 3


def test_scanner_positions_are_used_in_tiles(tmp_path):
    """A thin wall, each side seen by a scanner of its own: its sides are kept apart, and normals point to the scanners."""
    rng = np.random.default_rng(1)
    x, y = np.meshgrid(np.arange(100.0), np.arange(120.0))
    side = np.stack([x.ravel(), y.ravel(), np.zeros(x.size)], axis=1)
    positions = np.concatenate([side, side + [0, 0, 1.5]]) + 0.5 * rng.normal(size=(24000, 3))
    scans = [f'E57 scan "{name}" of 12000 points, scanner at 50 60 {z}' for name, z in (("a", -200), ("b", 200))]
    wall = burnish.Cloud(positions, {"scan": np.repeat(np.arange(2, dtype=np.int32), 12000)}, comments=scans)
    burnish.write(tmp_path / "wall.ply", wall)
    wish = ("--noise", "0.5", "--normals", "add")
    (whole, _), (tiled, tiled_summary) = in_both_ways(tmp_path, "wall.ply", *wish)
    expect_alike(whole, tiled, tiled_summary["spacing"])
    outwards = np.repeat([-1, 1], 12000)
    to_scanner = [50, 60, 0] + 200 * np.outer(outwards, [0, 0, 1]) - tiled.positions
    assert (np.einsum("ij,ij->i", tiled.normals, to_scanner) >= 0).all()
    wall.comments = []
    burnish.write(tmp_path / "wall.ply", wall)
    run("wall.ply", "out.ply", *MEMORY, "--noise", "0.5", cwd=tmp_path)
    unknown = burnish.read(tmp_path / "out.ply")
    error, error_of_unknown = (np.abs(c.positions[:, 2] - 0.75 - 0.75 * outwards).mean() for c in (tiled, unknown))
    assert error < 0.6 * error_of_unknown
