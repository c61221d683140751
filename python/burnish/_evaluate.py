"""Test data and accuracy: exact shapes, noise, and the distance between clouds."""

import os

from . import _burnish
from ._arrays import running, shaped_like, to_points, whole_number
from ._cloud import Cloud
from ._files import loaded, read


class Estimate(float):
    """A length estimated from the data, usable as a number; uncertainty is one standard deviation."""

    def __new__(cls, value, uncertainty=0.0):
        estimate = super().__new__(cls, value)
        estimate.uncertainty = uncertainty
        return estimate

    def __getnewargs__(self):
        return float(self), self.uncertainty

    def __repr__(self):
        return f"{float(self):.4g} ± {self.uncertainty:.1g}"


def estimate_spacing(points, *, local=False, threads=0, progress=None):
    """The typical distance of neighbouring points: the square root of the surface area per point.

    An Estimate; with local=True an array with the value around each point, 0 for points that are not finite.

    >>> import burnish
    >>> sphere = burnish.synth("sphere", points=4000)
    >>> spacing = burnish.estimate_spacing(sphere)
    >>> 0.9 < spacing / (3.14159 / 4000) ** 0.5 < 1.1
    True
    """
    found = _burnish.estimate_spacing(to_points(loaded(points)), bool(local), *running(threads, progress))
    return found if local else Estimate(*found)


def estimate_noise(points, *, local=False, threads=0, progress=None):
    """The standard deviation of the noise across the surface, which is assumed to be the same in all directions.

    An Estimate; with local=True an array with the value around each point, 0 for points that are not finite.

    >>> import burnish
    >>> noisy = burnish.add_noise(burnish.synth("torus", points=4000), sigma=0.01)
    >>> noise = burnish.estimate_noise(noisy)
    >>> abs(noise - 0.01) < 0.001, noise.uncertainty > 0
    (True, True)
    """
    found = _burnish.estimate_noise(to_points(loaded(points)), bool(local), *running(threads, progress))
    return found if local else Estimate(*found)


def add_noise(
    points, sigma=None, *, unit="absolute", model="gaussian", seed=1, details=False, threads=0, progress=None
):
    """Adds simulated sensor noise to clean points. Returns a Cloud for a Cloud, an array for an array.

    sigma is the standard deviation, in the unit of the points; unit="spacing", "diameter", "sqrt-diameter" or "radius"
    makes it a multiple of that length of the cloud. model is a kind of noise with its options, as `--model` of `burnish
    noise`, or a list of them that are applied one after the other: "student-t:degrees=4",
    "gaussian:along=sight:viewpoint=0,0,3:growth=quadratic", "outliers:share=0.05", … (`burnish noise --help` has all).
    Models without sigma use the argument. The same seed gives the same noise.

    With details=True also returns a dict: "standard_deviation", that of the displacements per coordinate, and
    "outliers", the indices of points that were replaced.

    >>> import burnish, numpy as np
    >>> clean = burnish.synth("cube", points=10000).positions
    >>> noisy = burnish.add_noise(clean, 0.1)
    >>> f"{np.std(noisy - clean):.2f}"
    '0.10'
    >>> noisy, found = burnish.add_noise(
    ...     clean, model=["gaussian:sigma=0.5spacing:along=normal", "outliers:share=0.01"], details=True
    ... )
    >>> 70 < len(found["outliers"]) < 130
    True
    """
    points = loaded(points)
    moved, deviation, outliers = _burnish.add_noise(
        (points if isinstance(points, Cloud) else Cloud(to_points(points)))._parts(),
        [model] if isinstance(model, str) else list(model),
        None if sigma is None else float(sigma),
        str(unit),
        whole_number("seed", seed, 2**64 - 1),
        *running(threads, progress),
    )
    noisy = points.with_positions(moved) if isinstance(points, Cloud) else shaped_like(moved, points)
    return (noisy, {"standard_deviation": deviation, "outliers": outliers}) if details else noisy


def shape_names():
    """The names of the shapes of synth and evaluate.

    >>> import burnish
    >>> burnish.shape_names()
    ['sphere', 'torus', 'cube', 'part', 'organic']
    """
    return _burnish.shape_names()


def synth(shape, *, points=50000, seed=1, random=False, threads=0, progress=None):
    """A clean cloud of an exactly known shape, about one unit in size, as a Cloud.

    The points are evenly spread; with random=True they are drawn independently, with clumps and gaps.

    >>> import burnish
    >>> burnish.evaluate(burnish.synth("organic", points=1000), "organic")["max_distance"] < 1e-6
    True
    """
    positions = _burnish.synth(
        str(shape),
        whole_number("points", points, 10**9),
        whole_number("seed", seed, 2**64 - 1),
        bool(random),
        *running(threads, progress),
    )
    return Cloud(positions)


def sample(mesh, *, points=30000, seed=1, poisson_disk=False, threads=0, progress=None):
    """Points on a mesh, as a Cloud. mesh is a Cloud with faces, or the name of a file.

    The points are drawn independently and uniformly, with clumps and gaps; with poisson_disk=True they are evenly
    spread: no two are nearer than a distance that is chosen to give about this number.

    >>> import burnish
    >>> square = burnish.Cloud.mesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]])
    >>> burnish.evaluate(burnish.sample(square, points=1000), square)["max_distance"] < 1e-9
    True
    """
    if not isinstance(mesh, Cloud):
        mesh = read(mesh)
    triangles = mesh.triangles
    if not len(triangles):
        raise ValueError("there are no faces; points are sampled from a mesh")
    positions = _burnish.sample(
        to_points(mesh),
        triangles,
        whole_number("points", points, 10**9),
        whole_number("seed", seed, 2**64 - 1),
        bool(poisson_disk),
        *running(threads, progress),
    )
    return Cloud(positions)


def evaluate(result, truth, *, threads=0, progress=None):
    """The error of a cloud, as a dict of metrics, named as in `burnish evaluate --json`.

    truth is a clean cloud (an array or Cloud), a mesh (a Cloud with faces), the name of a file with either, or the name
    of a shape of synth. "kind" is which of these it was. Lengths are in the unit of the points.

    Against a cloud: mean_distance, mse, mcd, snr, snr_tabulated, chamfer_e4, surface, hausdorff, evenness, aligned_rms.
    Against a mesh: p2m_e4, p2m_points_e4, p2m_triangles_e4, mean_distance, rms_distance, max_distance. Against a shape:
    mean_distance, rms_distance, max_distance, and near its sharp edges edge_mean_distance, edge_rms_distance.
    include/burnish/metrics.hpp defines each.

    >>> import burnish
    >>> clean = burnish.synth("part", points=2000)
    >>> noisy = burnish.add_noise(clean, 0.01)
    >>> near = burnish.evaluate(noisy, clean)
    >>> near["kind"], near["aligned_rms"] > near["surface"]
    ('cloud', True)
    """
    points = to_points(loaded(result))
    how = running(threads, progress)
    if isinstance(truth, (str, os.PathLike)):
        name = os.fspath(truth)
        if name in shape_names() and not os.path.exists(name):
            return _burnish.evaluate_shape(points, name, *how)
        truth = read(name)
    if isinstance(truth, Cloud):
        triangles = truth.triangles
        if len(triangles):
            return _burnish.evaluate_mesh(points, to_points(truth), triangles, *how)
    return _burnish.evaluate_cloud(points, to_points(truth), *how)
