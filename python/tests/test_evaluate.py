"""evaluate, noise, estimates: the numbers of the command, and of numpy."""

import json
import pickle

import numpy as np
import pytest

import burnish


def test_evaluate_is_what_the_command_tells(noisy, command, tmp_path):
    clean = burnish.synth("cube", points=3000)
    square = burnish.Cloud.mesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]])
    for name, cloud in {"noisy": noisy, "clean": clean, "square": square}.items():
        burnish.write(tmp_path / f"{name}.ply", cloud)
    truths = [("cube", "cube"), (tmp_path / "clean.ply", clean), (tmp_path / "square.ply", square)]
    for path, truth in truths:
        report = json.loads(command("evaluate", tmp_path / "noisy.ply", "--truth", path, "--json"))["comparisons"][0]
        del report["truth"]
        assert burnish.evaluate(noisy, truth) == report
        assert burnish.evaluate(noisy.positions, path) == report


def test_evaluate_agrees_with_numpy():
    random = np.random.default_rng(5)
    a, b = random.normal(size=(200, 3)), random.normal(size=(200, 3))
    distances = np.linalg.norm(a[:, None] - b[None], axis=2)
    found = burnish.evaluate(a, b)
    assert found["mean_distance"] == pytest.approx((distances.min(0).mean() + distances.min(1).mean()) / 2)
    assert found["hausdorff"] == pytest.approx(max(distances.min(0).max(), distances.min(1).max()))
    assert found["aligned_rms"] == pytest.approx(np.sqrt(((a - b) ** 2).sum(1).mean()))


def test_noise_is_what_the_command_adds(command, tmp_path):
    clean = burnish.synth("organic", points=500, seed=4)
    burnish.write(tmp_path / "clean.ply", clean)
    model = ["student-t:degrees=5", "gaussian:along=normal:sigma=0.3spacing", "outliers:share=0.1"]
    options = [word for step in model for word in ("--model", step)]
    report = command("noise", tmp_path / "clean.ply", tmp_path / "noisy.ply", "--json", "--sigma", "0.02",
                   "--unit", "sqrt-diameter", *options)
    noisy, found = burnish.add_noise(clean, 0.02, unit="sqrt-diameter", model=model, details=True)
    assert np.array_equal(noisy.positions, burnish.read(tmp_path / "noisy.ply").positions)
    assert found["standard_deviation"] == json.loads(report)["standard_deviation"]
    moves = np.delete(noisy.positions - clean.positions, found["outliers"], axis=0)
    assert np.sqrt((moves**2).mean()) == pytest.approx(found["standard_deviation"])
    command("synth", "organic", tmp_path / "same.ply", "--points", "500", "--seed", "4")
    assert np.array_equal(clean.positions, burnish.read(tmp_path / "same.ply").positions)


def test_sample_is_what_the_command_samples(command, tmp_path):
    mesh = burnish.Cloud.mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    burnish.write(tmp_path / "mesh.ply", mesh)
    for flag, keywords in (([], {}), (["--poisson-disk"], {"poisson_disk": True})):
        command("sample", tmp_path / "mesh.ply", tmp_path / "points.ply", "--points", 400, "--seed", 7, *flag)
        expected = burnish.read(tmp_path / "points.ply").positions
        assert np.array_equal(burnish.sample(mesh, points=400, seed=7, **keywords).positions, expected)
        assert np.array_equal(burnish.sample(tmp_path / "mesh.ply", points=400, seed=7, **keywords), expected)
    with pytest.raises(ValueError, match="no faces"):
        burnish.sample(burnish.synth("cube", points=10))


@pytest.mark.parametrize("kind, kurtosis", [("gaussian", 3), ("laplace", 6), ("uniform", 1.8), ("student-t:degrees=10", 4)])
def test_kinds_of_noise(kind, kurtosis):
    noise = burnish.add_noise(np.zeros((30000, 3)), 2, model=kind, seed=9)
    assert noise.std() == pytest.approx(2, rel=0.02)
    assert (noise**4).mean() / noise.var() ** 2 == pytest.approx(kurtosis, rel=0.1)


def test_noise_uses_attributes_and_viewpoint_of_a_cloud():
    positions = np.zeros((20000, 3))
    positions[:, 2] = 4.0
    sigma = np.where(np.arange(20000) < 10000, 0.0, 2.0)
    cloud = burnish.Cloud(positions, {"sigma": sigma}, comments=["VIEWPOINT 0 0 1 1 0 0 0"])
    moves = burnish.add_noise(cloud, 0.5, model="gaussian:along=sight:attribute=sigma").positions - positions
    assert np.all(moves[:10000] == 0) and np.all(moves[:, :2] == 0)
    assert moves[10000:, 2].std() == pytest.approx(1.0, rel=0.03)


def test_estimates():
    clean = burnish.synth("sphere", points=4000)
    noisy = burnish.add_noise(clean, 0.008)
    noise = burnish.estimate_noise(noisy)
    spacing = burnish.estimate_spacing(noisy)
    assert noise == pytest.approx(0.008, rel=0.15)
    assert spacing == pytest.approx((np.pi / 4000) ** 0.5, rel=0.2)
    assert noise.uncertainty > 0 and "±" in repr(noise)
    again = pickle.loads(pickle.dumps(noise))
    assert (again, again.uncertainty) == (noise, noise.uncertainty)
    assert burnish.estimate_spacing(noisy, local=True).shape == (4000,)
    assert np.median(burnish.estimate_noise(noisy, local=True)) == pytest.approx(0.008, rel=0.3)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: burnish.synth("pyramid"), "pyramid"),
        (lambda: burnish.synth("cube", points=-1), "points is -1"),
        (lambda: burnish.add_noise(np.zeros((4, 3)), -1), "sigma"),
        (lambda: burnish.add_noise(np.zeros((4, 3))), "sigma is missing"),
        (lambda: burnish.add_noise(np.zeros((4, 3)), 1, unit="room"), 'no unit "room"'),
        (lambda: burnish.add_noise(np.zeros((4, 3)), 1, model="pink"), 'kind "pink"'),
        (lambda: burnish.add_noise(np.zeros((4, 3)), 1, model="gaussian:along=sight"), "viewpoint"),
        (lambda: burnish.add_noise(np.zeros((4, 3)), 1, seed=-1), "seed is -1"),
        (lambda: burnish.evaluate(np.zeros((0, 3)), np.zeros((4, 3))), ""),
        (lambda: burnish.evaluate(np.zeros((4, 3)), "missing.ply"), "missing.ply"),
    ],
)
def test_wrong_arguments_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
