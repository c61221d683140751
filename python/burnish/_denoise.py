"""Denoising, by any of the library's methods."""

import inspect
import numbers
import time
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from . import _burnish
from ._arrays import running, shaped_like, to_points
from ._cloud import Cloud


@dataclass(frozen=True)
class Option:
    """An option of a method: a keyword of denoise.

    type says what a value looks like: "X" a number, "N" a whole one, "yes|no" one of these words. An empty default
    means that the value is found from the data.
    """

    name: str
    type: str
    meaning: str
    default: str


@dataclass(frozen=True)
class Method:
    """A method of denoise, with its options by name."""

    name: str
    description: str
    options: dict


class Result:
    """What denoise gives back.

    positions    the points where they are now, in the order, shape and float type they came in
    cloud        for a Cloud: the same cloud with these positions; otherwise None
    method       the name of the method
    seconds      how long it took
    summary      what it found out, in a line
    diagnostics  the same as a dict. Every entry is an attribute too: result.spacing. The method "auto" tells spacing,
                 noise, noise_uncertainty, patch_size, iterations, consensus_passes, expected_error_before,
                 expected_error_after (root mean square distance of a point from its place without noise) and outliers
                 (the numbers of the points that belong to no surface; they were left alone)
    """

    def __init__(self, positions, cloud, method, seconds, summary, diagnostics):
        self.positions = positions
        self.cloud = cloud
        self.method = method
        self.seconds = seconds
        self.summary = summary
        self.diagnostics = diagnostics

    def __getattr__(self, name):
        diagnostics = self.__dict__.get("diagnostics", {})
        if name in diagnostics:
            return diagnostics[name]
        told = f"; {self.method} tells {', '.join(diagnostics)}" if diagnostics else ""
        raise AttributeError(f"the result has no {name}{told}")

    def __dir__(self):
        return [*super().__dir__(), *self.diagnostics]

    def __array__(self, dtype=None, copy=None):
        return np.array(self.positions, dtype) if copy else np.asarray(self.positions, dtype)

    def __repr__(self):
        return f"<Result: {self.positions.size // 3} points by {self.method} in {self.seconds:.2f} s; {self.summary}>"


def _keyword(option_name):
    return option_name.replace("-", "_")


def methods():
    """All methods by name, each with its options.

    >>> import burnish
    >>> list(burnish.methods())[:4]
    ['auto', 'glr', 'mls', 'bilateral']
    >>> burnish.methods()["wlop"].options["repulsion"].default
    '0.45'
    """
    return {
        name: Method(name, description, {_keyword(o[0]): Option(_keyword(o[0]), *o[1:]) for o in options})
        for name, description, options in _burnish.methods()
    }


def _as_text(keyword, value):
    """The value of an option as one would type it on the command line."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    if isinstance(value, Iterable):
        return ",".join(_as_text(keyword, item) for item in value)
    raise TypeError(f"{keyword} is {value!r}, expected a number, a word or a list of numbers")


def _check_keywords(method, options):
    known = methods()
    if method not in known:
        return  # the library's message names the methods there are
    for keyword in options:
        if keyword not in known[method].options:
            others = [name for name, other in known.items() if keyword in other.options]
            hint = f"; it is one of {', '.join(others)}" if others else ""
            raise TypeError(f"{keyword} is not an option of the method {method}{hint}")


def denoise(points, method="auto", *, normals=None, threads=0, progress=None, **options):
    """Takes the noise out of a cloud. Gives back a Result: the same points in the same order, moved.

    points is an array of N x 3 numbers, or H x W x 3 for a depth image, or a Cloud. Points that are not finite keep
    their place.

    With nothing set, method "auto" finds the noise and everything else from the data. Its options: noise is the
    standard deviation of the noise in the unit of the points, if you know it; strength below 1 takes out less, above 1
    more. burnish.methods() tells the other methods and their options, which are keywords here. They are those of the
    command line with underscores for dashes; numbers, True and False, words, and lists of numbers are understood.

    normals (N x 3; by default those of the Cloud) are used by methods that need them; without, they are estimated.

    >>> import burnish
    >>> noisy = burnish.add_noise(burnish.synth("sphere", points=2000), sigma=0.01)
    >>> result = burnish.denoise(noisy)
    >>> len(result.positions), f"{result.noise:.2f}"
    (2000, '0.01')
    >>> other = burnish.denoise(noisy.positions, "wlop", repulsion=0.3, iterations=5)
    >>> other.positions.shape
    (2000, 3)
    """
    threads, progress = running(threads, progress)
    _check_keywords(method, options)
    texts = {
        keyword.replace("_", "-"): _as_text(keyword, value) for keyword, value in options.items() if value is not None
    }
    cloud = getattr(points, "cloud", points)  # the result of another method can be denoised once more
    if normals is None and isinstance(cloud, Cloud):
        normals = cloud.normals
    directions = np.empty((0, 3)) if normals is None else to_points(normals)
    positions = to_points(points)
    if normals is not None and len(directions) != len(positions):
        raise ValueError(f"there are {len(directions)} normals for {len(positions)} points")
    start = time.perf_counter()
    moved, diagnostics, summary = _burnish.denoise(method, positions, directions, texts, threads, progress)
    seconds = time.perf_counter() - start
    moved_cloud = cloud.with_positions(moved) if isinstance(cloud, Cloud) else None
    return Result(shaped_like(moved, points), moved_cloud, method, seconds, summary, diagnostics)


def _signature():
    """denoise with the options of all methods spelt out, for help() and editors."""
    signature = inspect.signature(denoise)
    keywords = dict.fromkeys(keyword for method in methods().values() for keyword in method.options)
    named = [p for p in signature.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD]
    named += [inspect.Parameter(keyword, inspect.Parameter.KEYWORD_ONLY, default=None) for keyword in keywords]
    return signature.replace(parameters=named)


denoise.__signature__ = _signature()
