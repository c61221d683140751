"""Points come in any type and layout, and go back in the same."""

import numpy as np
import pytest

import burnish
from burnish._arrays import to_points


def moved(points):
    return burnish.denoise(points, "mls").positions


def test_doubles_without_gaps_are_read_in_place(noisy):
    points = noisy.positions
    assert points.flags.c_contiguous and points.dtype == np.float64
    assert np.shares_memory(to_points(points), points)
    assert np.shares_memory(to_points(points.reshape(30, 100, 3)), points)
    assert np.shares_memory(to_points(burnish.Cloud(points)), points)


def test_the_input_is_not_changed(noisy):
    points = noisy.positions.copy()
    before = points.copy()
    result = burnish.denoise(points)
    assert (points == before).all()
    assert not np.shares_memory(result.positions, points)
    assert not (result.positions == before).all()


@pytest.mark.parametrize(
    "change",
    [
        np.asfortranarray,
        lambda p: np.repeat(p, 2, axis=0)[::2],
        lambda p: np.hstack([p, p])[:, 3:],
        lambda p: p[::-1].copy()[::-1],
        lambda p: np.frombuffer(b"\0" + p.tobytes(), np.uint8)[1:].view(np.float64).reshape(-1, 3),
        lambda p: p.astype(">f8"),
        lambda p: p.astype(np.longdouble),
        lambda p: p.tolist(),
        burnish.Cloud,
    ],
    ids="fortran strided slice backwards unaligned big-endian long-double list cloud".split(),
)
def test_layout_does_not_matter(noisy, change):
    assert np.array_equal(moved(change(noisy.positions)), moved(noisy.positions))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.longdouble])
def test_float_types_come_back(noisy, dtype):
    points = noisy.positions.astype(dtype)
    result = moved(points)
    assert result.dtype == dtype
    assert np.array_equal(result, moved(points.astype(np.float64)).astype(dtype))


def test_whole_numbers_become_doubles():
    points = np.random.default_rng(1).integers(-1000, 1000, (500, 3))
    result = burnish.denoise(points)
    assert result.positions.dtype == np.float64
    assert result.positions.shape == points.shape


def test_depth_images_keep_their_shape(noisy):
    image = noisy.positions.reshape(30, 100, 3)
    result = moved(image)
    assert result.shape == image.shape
    assert np.array_equal(result.reshape(-1, 3), moved(noisy.positions))


def test_clouds_and_results_are_arrays(noisy):
    result = burnish.denoise(noisy, "mls")
    for thing in (noisy, result):
        assert np.shares_memory(np.asarray(thing), thing.positions)
        assert np.asarray(thing, np.float32).dtype == np.float32
        assert not np.shares_memory(np.array(thing), thing.positions)


def test_no_points_are_fine():
    assert burnish.denoise(np.empty((0, 3))).positions.shape == (0, 3)


@pytest.mark.parametrize("points", [np.zeros(3), np.zeros((4, 2)), np.zeros((3, 4)), [], 5, [[1, 2, 3], [4, 5]]])
def test_other_shapes_are_refused(points):
    with pytest.raises(ValueError):
        burnish.denoise(points)


@pytest.mark.parametrize("points", [None, np.zeros((4, 3), complex), np.zeros((4, 3), bool), [["a"] * 3]])
def test_other_types_are_refused(points):
    with pytest.raises(TypeError):
        burnish.denoise(points)
