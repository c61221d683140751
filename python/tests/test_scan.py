"""The virtual scanner from Python."""

import inspect
import os
import re
import subprocess

import numpy as np
import pytest

import burnish


def true_positions(cloud):
    return np.stack([cloud.attributes["true_" + axis] for axis in "xyz"], axis=1)


def test_errors_are_along_the_rays():
    cloud = burnish.scan("part", sensor="lidar", views=2, noise=0.01, beam=0, registration=0, truth=True)
    viewpoints = np.stack([cloud.attributes["viewpoint_" + axis] for axis in "xyz"], axis=1)
    truth = true_positions(cloud)
    rays = truth - viewpoints
    rays /= np.linalg.norm(rays, axis=1, keepdims=True)
    errors = cloud.positions - truth
    along = (errors * rays).sum(axis=1)
    assert np.abs(errors - along[:, None] * rays).max() < 1e-12
    face_on = cloud.attributes["incidence"] < 30
    assert abs(np.std(along[face_on]) / 0.01 - 1) < 0.1


def test_a_mesh_is_scanned_like_its_file(tmp_path):
    corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    mesh = burnish.Cloud.mesh(corners, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    burnish.write(tmp_path / "mesh.ply", mesh)
    options = {"viewpoints": [3, 2, 1], "width": 60, "height": 50, "seed": 5, "noise": "0.2spacing"}
    cloud = burnish.scan(mesh, **options)
    again = burnish.scan(tmp_path / "mesh.ply", **options)
    assert (cloud.width, cloud.height) == (60, 50)
    np.testing.assert_array_equal(cloud.positions, again.positions)
    assert cloud.comments[0].startswith("VIEWPOINT 3 2 1 ")
    other = burnish.scan(mesh, **options | {"seed": 6})
    assert not np.array_equal(cloud.positions, other.positions, equal_nan=True)
    one = burnish.scan(mesh, **options, threads=1)
    np.testing.assert_array_equal(cloud.positions, one.positions)


def test_bad_settings_are_refused():
    for options, message in (
        ({"sensor": "sonar"}, "there is no sensor"),
        ({"width": 0}, "width"),
        ({"noise": float("nan")}, "noise"),
        ({"noise": "much"}, "expected a length"),
        ({"viewpoints": [0, 0, 0]}, "is inside"),
        ({"viewpoints": [0, 0, 9], "views": 2}, "must not be"),
    ):
        with pytest.raises(ValueError, match=message):
            burnish.scan("sphere", **options)
    with pytest.raises(burnish.Error, match="no triangles"):
        burnish.scan(burnish.Cloud(np.zeros((3, 3))))


def test_has_every_option_of_the_command():
    program = os.environ.get("BURNISH_PROGRAM")
    if not program:
        pytest.skip("needs BURNISH_PROGRAM")
    text = subprocess.run([program, "scan", "--help"], check=True, capture_output=True, text=True).stdout
    options = set(re.findall(r"^ +(?:-\w,)?--([a-z-]+)", text, re.MULTILINE))
    options -= {"help", "format", "json", "quiet", "verbose", "viewpoint"}
    keywords = {name.replace("_", "-") for name in inspect.signature(burnish.scan).parameters}
    assert options == keywords - {"scene", "viewpoints", "progress"}
