"""Clouds of other packages in, and the same kind of object out. Packages that are missing are skipped, with a message."""

import importlib

import numpy as np
import pytest

import burnish


@pytest.fixture(scope="module")
def points(noisy):
    return np.array(noisy.positions)


@pytest.fixture(scope="module")
def expected(points):
    return burnish.denoise(points, "mls").positions


def package(name):
    try:
        return importlib.import_module(name)
    except ImportError as error:  # it is missing, or a library it needs is
        pytest.skip(f"needs the package {name}: {error}")


def test_open3d(points, expected):
    o3d = package("open3d")
    cloud = o3d.geometry.PointCloud(o3d.utility.Vector3dVector(points))
    cloud.colors = o3d.utility.Vector3dVector(np.full(points.shape, 0.5))
    smooth = burnish.denoise(cloud, "mls").points
    assert isinstance(smooth, o3d.geometry.PointCloud)
    assert (np.asarray(smooth.points) == expected).all() and (np.asarray(cloud.points) == points).all()
    assert (np.asarray(smooth.colors) == 0.5).all()
    assert (burnish.Cloud(cloud)["red"] == 128).all()


def test_open3d_tensors(points, expected):
    o3d = package("open3d")
    if not hasattr(o3d, "t"):
        pytest.skip("this Open3D has no tensors")
    cloud = o3d.t.geometry.PointCloud(o3d.core.Tensor(points))
    cloud.point["intensity"] = o3d.core.Tensor(np.ones((len(points), 1), np.float32))
    cloud.point["colors"] = o3d.core.Tensor(np.full(points.shape, 0.5, np.float32))
    assert sorted(burnish.Cloud(cloud).attributes) == ["blue", "green", "intensity", "red"]
    smooth = burnish.denoise(cloud, "mls").points
    assert isinstance(smooth, o3d.t.geometry.PointCloud)
    assert (smooth.point["positions"].numpy() == expected).all()


def test_pyvista(points, expected):
    pyvista = package("pyvista")
    cloud = pyvista.PolyData(points)
    cloud.point_data["intensity"] = np.arange(len(points))
    smooth = burnish.denoise(cloud, "mls").points
    assert isinstance(smooth, pyvista.PolyData)
    assert np.allclose(smooth.points, expected) and (smooth.point_data["intensity"] == np.arange(len(points))).all()
    assert (burnish.Cloud(cloud)["intensity"] == np.arange(len(points))).all()


def test_trimesh(points, expected):
    trimesh = package("trimesh")
    coloured = trimesh.PointCloud(points, colors=np.tile(np.array([1, 2, 3, 4], np.uint8), (len(points), 1)))
    assert [int(burnish.Cloud(coloured)[name][0]) for name in ("red", "green", "blue", "alpha")] == [1, 2, 3, 4]
    smooth = burnish.denoise(trimesh.PointCloud(points), "mls").points
    assert isinstance(smooth, trimesh.PointCloud)
    assert (np.asarray(smooth.vertices) == expected).all()


def test_laspy(points, expected):
    laspy = package("laspy")
    las = laspy.LasData(laspy.LasHeader(point_format=3, version="1.2"))
    las.header.scales = [1e-6] * 3
    las.x, las.y, las.z = points.T
    las.intensity = np.arange(len(points)) % 1000
    smooth = burnish.denoise(las, "mls").points
    assert np.abs(np.asarray(smooth.xyz) - expected).max() < 1e-5
    assert (np.asarray(smooth.intensity) == np.asarray(las.intensity)).all()
    assert (np.asarray(burnish.Cloud(las)["intensity"]) == np.arange(len(points)) % 1000).all()


def test_pandas(points, expected):
    pandas = package("pandas")
    frame = pandas.DataFrame(points, columns=["X", "Y", "Z"], index=np.arange(5, 5 + len(points)))
    frame["label"] = "a"
    smooth = burnish.denoise(frame, "mls").points
    assert isinstance(smooth, pandas.DataFrame) and list(smooth.columns) == ["X", "Y", "Z", "label"]
    assert (smooth[["X", "Y", "Z"]].to_numpy() == expected).all() and (smooth.index == frame.index).all()
    assert (frame[["X", "Y", "Z"]].to_numpy() == points).all()
    assert (burnish.Cloud(frame)["label"] == "a").all()


def test_structured_arrays(points, expected):
    array = np.zeros(len(points), [("intensity", "u2"), ("x", "f4"), ("y", "f4"), ("z", "f4")])
    array["x"], array["y"], array["z"] = points.T
    array["intensity"] = 7
    smooth = burnish.denoise(array, "mls").points
    assert smooth.dtype == array.dtype and (smooth["intensity"] == 7).all()
    assert np.abs(np.stack([smooth[axis] for axis in "xyz"], 1) - expected).max() < 1e-4
    assert list(burnish.Cloud(array).attributes) == ["intensity"]
    assert burnish.estimate_noise(array) > 0


def test_masked_points_stay_and_have_no_influence(points):
    masked = np.ma.array(points.copy(), mask=False)
    masked[::3] += 100.0
    masked[::3] = np.ma.masked
    result = burnish.denoise(masked, "mls").points
    assert isinstance(result, np.ma.MaskedArray)
    assert (result.mask == masked.mask).all() and (result.data[::3] == masked.data[::3]).all()
    seen = np.ones(len(points), bool)
    seen[::3] = False
    assert (result.data[seen] == burnish.denoise(points[seen], "mls").positions).all()


def test_names_of_files(tmp_path, points, expected):
    file = tmp_path / "noisy.ply"
    burnish.write(file, burnish.Cloud(points, {"intensity": np.arange(len(points))}))
    for name in (file, str(file)):
        result = burnish.denoise(name, "mls")
        assert isinstance(result.points, burnish.Cloud) and (result.points.positions == expected).all()
        assert (result.cloud["intensity"] == np.arange(len(points))).all()


def test_settings_of_each_method(points, expected):
    result = burnish.denoise(points, burnish.settings.Mls())
    assert result.method == "mls" and (result.positions == expected).all()
    wide = burnish.denoise(points, burnish.settings.Mls(filter_scale=6)).positions
    assert (wide == burnish.denoise(points, "MLS", filter_scale=6).positions).all() and (wide != expected).any()
    assert burnish.settings.LowRank.method == "low_rank"
    with pytest.raises(TypeError):
        burnish.settings.Mls(strength=1)
    with pytest.raises(TypeError, match="burnish.settings"):
        burnish.denoise(points, 3)


def test_names_of_files_wherever_points_are_expected(noisy, tmp_path):
    file = tmp_path / "noisy.ply"
    burnish.write(file, noisy)
    assert burnish.estimate_noise(file) == burnish.estimate_noise(noisy)
    assert burnish.estimate_spacing(str(file)) == burnish.estimate_spacing(noisy)
    assert burnish.evaluate(file, noisy) == burnish.evaluate(noisy, noisy)
    assert (burnish.add_noise(file, 0.1).positions == burnish.add_noise(noisy, 0.1).positions).all()
    assert burnish.analyse(file).noise_at(file).shape == (len(noisy),)
    with pytest.raises(TypeError, match="burnish.read reads it"):
        burnish.Cloud(file)
