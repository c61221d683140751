"""denoise: the same as the command, with everything the command reports."""

import json
import pickle

import numpy as np
import pytest

import burnish


@pytest.mark.parametrize(
    "arguments, keywords",
    [
        ([], {}),
        (["--strength", "0.5"], {"strength": 0.5}),
        (
            ["--method", "glr", "--preset", "authors", "--length-unit", "spacing", "--epsilon", "0.5,0.4"]
            + ["--noise-level", "0.03", "--iterations", "2", "--resample", "no"],
            {"method": "glr", "preset": "authors", "length_unit": "spacing", "epsilon": [0.5, 0.4]}
            | {"noise_level": 0.03, "iterations": 2, "resample": False},
        ),
        (["--method", "wlop", "--filter-scale", "3"], {"method": "wlop", "filter_scale": 3}),
    ],
)
def test_is_what_the_command_does(noisy, command, tmp_path, arguments, keywords):
    burnish.write(tmp_path / "noisy.ply", noisy)
    report = json.loads(command("denoise", tmp_path / "noisy.ply", tmp_path / "out.ply", "--json", *arguments))
    result = burnish.denoise(noisy, **keywords)
    assert np.array_equal(result.positions, burnish.read(tmp_path / "out.ply").positions)
    assert not np.array_equal(result.positions, noisy.positions)
    for name, value in result.diagnostics.items():
        if name not in ("outliers", "iterations"):
            assert report[name] == value, name
    assert report["method"] == result.method


def test_every_method_runs(noisy):
    for name, method in burnish.methods().items():
        result = burnish.denoise(noisy.positions[::3], name)
        assert result.positions.shape == (1000, 3)
        assert not np.array_equal(result.positions, noisy.positions[::3]), name
        assert method.description and result.summary and result.seconds > 0


def test_every_option_takes_its_default(noisy):
    few = noisy.positions[:50]
    for name, method in burnish.methods().items():
        given = {option.name: option.default for option in method.options.values() if option.default}
        assert np.array_equal(burnish.denoise(few, name, **given).positions, burnish.denoise(few, name).positions)


def test_result_tells_what_was_found():
    clean = burnish.synth("sphere", points=4000)
    points = burnish.add_noise(clean, 0.01).positions
    points[17] = [3, 3, 3]
    result = burnish.denoise(points)
    assert result.noise == pytest.approx(0.01, rel=0.15)
    assert result.noise_uncertainty > 0
    assert result.spacing == pytest.approx((np.pi / 4000) ** 0.5, rel=0.2)
    assert result.outliers.tolist() == [17]
    assert result.positions[17].tolist() == [3, 3, 3]
    assert result.consensus_passes > 0
    assert result.patch_size == 0 or result.iterations > 0
    assert 0 < result.expected_error_after < result.expected_error_before
    kept = np.arange(4000) != 17
    true_error = np.sqrt(np.mean(np.sum((result.positions - clean.positions)[kept] ** 2, axis=1)))
    assert true_error < np.sqrt(np.mean(np.sum((points - clean.positions)[kept] ** 2, axis=1)))
    assert "noise" in dir(result) and "4000 points by auto" in repr(result)
    with pytest.raises(AttributeError, match="auto gives spacing"):
        result.patches
    again = pickle.loads(pickle.dumps(result))
    assert np.array_equal(again.positions, result.positions) and again.noise == result.noise


def test_iterations_of_glr_are_told(noisy):
    result = burnish.denoise(noisy, "glr", iterations=2, convergence=0)
    assert len(result.iterations) == 2
    assert result.iterations[0]["seconds"]["solve"] > 0


def test_clouds_keep_their_attributes(noisy):
    number = np.arange(3000, dtype=np.uint16)
    cloud = burnish.Cloud(noisy.positions, {"number": number}, comments=["mine"], width=100, height=30)
    result = burnish.denoise(cloud, "mls")
    assert result.cloud.attributes["number"] is number
    assert (result.cloud.width, result.cloud.height, result.cloud.comments) == (100, 30, ["mine"])
    assert np.array_equal(result.cloud.positions, result.positions)
    assert np.array_equal(cloud.positions, noisy.positions)
    twice = burnish.denoise(result, "mls")
    assert twice.cloud.attributes["number"] is number
    assert burnish.denoise(noisy.positions).cloud is None


def test_points_that_are_not_finite_stay(noisy):
    points = noisy.positions.copy()
    points[5] = [np.nan, 1, 2]
    points[6] = [np.inf, -np.inf, 0]
    result = burnish.denoise(points)
    assert np.array_equal(result.positions[5:7], points[5:7], equal_nan=True)
    assert np.isfinite(np.delete(result.positions, [5, 6], axis=0)).all()


def test_threads_do_not_change_the_result(noisy):
    one = burnish.denoise(noisy, threads=1).positions
    assert np.array_equal(one, burnish.denoise(noisy, threads=3).positions)
    assert np.array_equal(one, burnish.denoise(noisy).positions)


@pytest.mark.parametrize(
    "method, keywords, error, message",
    [
        ("auto", {"preset": "paper"}, TypeError, "preset is not an option of the method auto; glr has it"),
        ("auto", {"colour": 1}, TypeError, "colour is not an option"),
        ("auto", {"strenght": 1}, TypeError, "did you mean strength?"),
        ("wlop", {"noise": 1}, TypeError, "not an option of the method wlop"),
        ("splines", {}, burnish.Error, "there is no method"),
        ("auto", {"strength": -1}, burnish.Error, "strength"),
        ("auto", {"strength": "much"}, burnish.Error, "strength"),
        ("glr", {"preset": "mine"}, burnish.Error, "paper"),
        ("glr", {"iterations": 2.5}, burnish.Error, "iterations"),
        ("glr", {"iterations": {}}, burnish.Error, "iterations"),
        ("glr", {"iterations": print}, TypeError, "iterations"),
        ("auto", {"threads": -1}, ValueError, "threads"),
        ("auto", {"threads": 1.5}, TypeError, ""),
        ("auto", {"progress": 3}, TypeError, "progress"),
        ("auto", {"normals": np.zeros((2, 3))}, ValueError, "2 normals for 3000 points"),
    ],
)
def test_wrong_arguments_are_refused(noisy, method, keywords, error, message):
    with pytest.raises(error, match=message):
        burnish.denoise(noisy, method, **keywords)


def test_none_means_the_default(noisy):
    few = noisy.positions[:50]
    assert np.array_equal(burnish.denoise(few, noise=None).positions, burnish.denoise(few).positions)


def test_attributes_tell_about_each_point(tmp_path):
    cloud = burnish.add_noise(burnish.synth("sphere", points=3000), 0.01)
    cloud.positions[17] = [3, 3, 3]
    result = burnish.denoise(cloud)
    assert set(result.attributes) == {"noise", "confidence", "moved", "outlier"}
    moved = np.linalg.norm(result.positions - cloud.positions, axis=1)
    assert np.allclose(result.attributes["moved"], moved, rtol=1e-12, atol=0) and moved.max() > 0.01
    assert result.attributes["noise"] == pytest.approx(np.full(3000, 0.01), rel=0.3)
    assert list(np.flatnonzero(result.attributes["outlier"])) == list(result.outliers) == [17]
    confidence = np.delete(result.attributes["confidence"], 17)
    assert np.sqrt(np.mean(confidence**2)) == pytest.approx(result.expected_error_after) and confidence.min() > 0
    burnish.write(tmp_path / "out.ply", result, result.attributes)
    assert np.array_equal(burnish.read(tmp_path / "out.ply")["moved"], result.attributes["moved"])
    image = burnish.denoise(cloud.positions.reshape(30, 100, 3), "mls")
    assert list(image.attributes) == ["moved"] and image.attributes["moved"].shape == (30, 100)


def noisy_wall(thickness, noise):
    """Two sides, each seen by a scanner of its own."""
    random = np.random.default_rng(1)
    x, y = np.meshgrid(np.arange(60.0), np.arange(60.0))
    side = np.stack([x.ravel(), y.ravel(), np.zeros(x.size)], axis=1)
    points = np.concatenate([side, side + [0, 0, thickness]]) + noise * random.normal(size=(7200, 3))
    scans = [f'E57 scan "{name}" of 3600 points, scanner at 30 30 {z}' for name, z in (("a", -100), ("b", 100))]
    return burnish.Cloud(points, {"scan": np.repeat(np.arange(2, dtype=np.int32), 3600)}, comments=scans)


def test_the_scanner_positions_of_a_cloud_are_used():
    cloud = noisy_wall(1.5, 0.5)
    assert burnish.Cloud(cloud.positions).scanner_positions is None
    assert np.array_equal(cloud.scanner_positions[[0, -1]], [[30, 30, -100], [30, 30, 100]])

    def error(result):
        return np.abs(result.positions[:, 2] - np.repeat([0, 1.5], 3600)).mean()

    known = burnish.denoise(cloud, noise=0.5)
    unknown = burnish.denoise(cloud.positions, noise=0.5)
    assert error(known) < 0.6 * error(unknown)
    analysis = burnish.analyse(cloud, noise=0.5)
    assert analysis.expected_error_after == known.expected_error_after
