"""Points in the forms that are accepted as arguments."""

import operator

import numpy as np

from ._interop import is_path, kind_of
from ._progress import as_callback


def positions_of(source):
    """The array of positions of an array, a Cloud, a Result or a cloud of another package, without conversion."""
    if is_path(source):
        raise TypeError(f"{source!r} is the name of a file; burnish.read reads it")
    kind = kind_of(source)
    array = kind.positions(source) if kind else np.asarray(getattr(source, "positions", source))
    if array.dtype.kind not in "fiu":
        raise TypeError(f"points are of type {array.dtype}, expected numbers")
    if array.ndim < 2 or array.shape[-1] != 3:
        raise ValueError(f"points have the shape {array.shape}, expected N x 3")
    return array


def to_points(source):
    """Contiguous N x 3 doubles: the same memory if the points have that form already."""
    return np.require(positions_of(source), np.float64, "CA").reshape(-1, 3)


def shaped_like(points, source):
    """Points in the shape and float type of the original ones."""
    array = positions_of(source)
    dtype = array.dtype.newbyteorder("=") if array.dtype.kind == "f" else np.float64
    return points.reshape(array.shape).astype(dtype, copy=False)


def running(threads, progress):
    """Checks the keywords threads and progress."""
    threads = operator.index(threads)
    if not 0 <= threads <= 4096:
        raise ValueError(f"threads is {threads}, expected 0 to 4096")
    if progress is not None and not callable(progress):
        raise TypeError("progress is not a function")
    return threads, as_callback(progress)


def whole_number(name, value, largest):
    value = operator.index(value)
    if not 0 <= value <= largest:
        raise ValueError(f"{name} is {value}, expected 0 to {largest}")
    return value
