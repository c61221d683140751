"""A virtual scanner: clouds with simulated sensor errors that are known exactly."""

import os

import numpy as np

from . import _burnish
from ._arrays import running, to_points
from ._cloud import Cloud
from ._evaluate import shape_names
from ._files import read


def scan(
    scene,
    *,
    sensor="depth",
    viewpoints=None,
    views=None,
    distance=None,
    width=None,
    height=None,
    field_of_view=None,
    largest_incidence=None,
    noise=None,
    reference=None,
    range_power=None,
    incidence_power=None,
    correlation=None,
    quantisation=None,
    beam=None,
    background=None,
    registration=None,
    seed=None,
    truth=False,
    threads=0,
    progress=None,
):
    """Scans a mesh (a Cloud with faces, or the name of a file) or a shape of synth, and returns a Cloud.

    sensor is "depth", "lidar" or "structured-light". Rays start from the viewpoints (N x 3), or from as many as views
    says, spread evenly around the scene. The options are those of `burnish scan`, and `burnish scan --help` has their
    meaning and default for each sensor. A length is a number in the unit of the scene, or text such as "0.5spacing" or
    "2diameter".

    Every point has the attributes scan, row, column, viewpoint_x, viewpoint_y, viewpoint_z and incidence (in degrees);
    with truth=True also true_x, true_y, true_z, where its ray met the surface. One view of a depth camera is an organised
    cloud in which missing points are NaN.

    >>> import burnish, numpy as np
    >>> image = burnish.scan("part", width=160, height=120, truth=True)
    >>> image.width, image.height
    (160, 120)
    >>> found = ~np.isnan(image.positions[:, 0])
    >>> true = np.stack([image.attributes["true_" + axis] for axis in "xyz"], axis=1)[found]
    >>> burnish.evaluate(true, "part")["max_distance"] < 1e-12
    True
    >>> lines = burnish.scan("sphere", sensor="lidar", views=3, noise="0.2spacing")
    >>> sorted(set(lines.attributes["scan"].tolist()))
    [0, 1, 2]
    """
    given = {
        "views": views,
        "distance": distance,
        "width": width,
        "height": height,
        "field-of-view": field_of_view,
        "largest-incidence": largest_incidence,
        "noise": noise,
        "reference": reference,
        "range-power": range_power,
        "incidence-power": incidence_power,
        "correlation": correlation,
        "quantisation": quantisation,
        "beam": beam,
        "background": background,
        "registration": registration,
        "seed": seed,
    }
    if viewpoints is not None and (views is not None or distance is not None):
        raise ValueError("viewpoints are given, so views and distance must not be")
    settings = (
        str(sensor).replace("_", "-"),
        {name: str(value) for name, value in given.items() if value is not None},
        np.empty((0, 3)) if viewpoints is None else to_points(np.atleast_2d(viewpoints)),
        bool(truth),
        *running(threads, progress),
    )
    if isinstance(scene, (str, os.PathLike)):
        name = os.fspath(scene)
        if name in shape_names() and not os.path.exists(name):
            return Cloud._from_parts(_burnish.scan_shape(name, *settings))
        scene = read(name)
    return Cloud._from_parts(_burnish.scan_mesh(to_points(scene), scene.triangles, *settings))
