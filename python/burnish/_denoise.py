"""Denoising, by any of the library's methods."""

import difflib
import inspect
import numbers
import time
import warnings
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from . import _burnish
from ._arrays import positions_of, running, shaped_like, to_points
from ._cloud import Cloud
from ._errors import DenoiseWarning, Error, in_python
from ._files import loaded
from ._interop import kind_of


@dataclass(frozen=True)
class Option:
    """An option of a method: a keyword of denoise.

    type is the form of a value: "X" a number, "N" an integer, "yes|no" one of these words. An empty default means that
    the value is estimated from the data.
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


class _Findings:
    """Diagnostics of a method, as a dict and as attributes."""

    def __init__(self, diagnostics, summary):
        self.diagnostics = diagnostics
        self.summary = in_python(summary)

    def __getattr__(self, name):
        diagnostics = self.__dict__.get("diagnostics", {})
        if name in diagnostics:
            return diagnostics[name]
        finder = self.__dict__.get("method", "analyse")
        known = f"; {finder} gives {', '.join(diagnostics)}" if diagnostics else ""
        raise AttributeError(f"the {type(self).__name__.lower()} has no {name}{known}")

    def __dir__(self):
        return [*super().__dir__(), *self.diagnostics]


class Result(_Findings):
    """The result of denoise.

    positions    the new positions, in the order, shape and float type of the input
    points       the same as an object of the type that was given: an Open3D cloud, a DataFrame, a masked array, a Cloud
    cloud        for a Cloud or the name of a file: the same cloud with these positions; otherwise None
    attributes   a dict of arrays with a value for each point: "moved", how far it has moved; by the method "auto" also
                 "noise", the local standard deviation of the noise, "confidence", the expected remaining distance from
                 the surface, and "outlier", 1 for points that belong to no surface.
                 write(file, result, result.attributes) writes them, view(before, result) colours by them
    method       the name of the method
    seconds      run time
    summary      the most important diagnostics, in a line
    diagnostics  the same as a dict. Every entry is an attribute too: result.spacing. The method "auto" gives spacing,
                 noise, noise_uncertainty, patch_size, iterations, consensus_passes, expected_error_before,
                 expected_error_after (root mean square distance from the surface) and outliers
                 (indices of the points that belong to no surface, which are unchanged)
    """

    def __init__(self, positions, cloud, method, seconds, summary, diagnostics, points=None, attributes=None):
        super().__init__(diagnostics, summary)
        self.positions = positions
        self.points = positions if points is None else points
        self.cloud = cloud
        self.attributes = {} if attributes is None else attributes
        self.method = method
        self.seconds = seconds

    def __array__(self, dtype=None, copy=None):
        return np.array(self.positions, dtype) if copy else np.asarray(self.positions, dtype)

    def __repr__(self):
        return f"<Result: {self.positions.size // 3} points by {self.method} in {self.seconds:.2f} s; {self.summary}>"


class Analysis(_Findings):
    """The result of analyse: estimates for a cloud, and the steps that denoise(points, analysis=…) will run.

    summary      the most important diagnostics, in a line
    diagnostics  the same as a dict. Every entry is an attribute too: spacing, noise, noise_uncertainty, patch_size,
                 iterations, consensus_passes, expected_error_before, expected_error_after, warnings
    """

    def __init__(self, native, diagnostics, summary):
        super().__init__(diagnostics, summary)
        self._native = native

    def noise_at(self, points, *, threads=0, progress=None):
        """The standard deviation of the noise at points of this cloud, or of others in the same coordinates."""
        threads, progress = running(threads, progress)
        points = loaded(points)
        noise = self._native.noise_at(to_points(points), threads, progress)
        return noise.reshape(positions_of(points).shape[:-1])

    def __repr__(self):
        return f"<Analysis: {self.summary}>"


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


def settings_of(settings, options):
    """The method of some settings, and its options; keywords have precedence."""
    name = getattr(type(settings), "method", None)
    if name is None:
        raise TypeError(f"method is {settings!r}, expected the name of a method or one of burnish.settings")
    given = {field: value for field, value in vars(settings).items() if value is not None}
    return name, {**given, **options}


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
            near = difflib.get_close_matches(keyword, known[method].options, 1)
            hint = f"; {', '.join(others)} {'has' if len(others) == 1 else 'have'} it" if others else f"; did you mean {near[0]}?" if near else ""
            raise TypeError(f"{keyword} is not an option of the method {method}{hint}")


def _method_and_options(method, options):
    """The name of a method, also if it is given by its settings, and the options as text."""
    if not isinstance(method, str):
        method, options = settings_of(method, options)
    method = method.lower().replace("-", "_")
    _check_keywords(method, options)
    texts = {
        keyword.replace("_", "-"): _as_text(keyword, value) for keyword, value in options.items() if value is not None
    }
    return method, texts


def _scanner_positions(cloud):
    """The scanner positions of a Cloud, if it has any."""
    places = cloud.scanner_positions if isinstance(cloud, Cloud) else None
    return np.empty((0, 3)) if places is None else places


def _in_words_of_python(function, *arguments):
    try:
        return function(*arguments)
    except Error as error:
        raise type(error)(in_python(str(error))) from None


def _warn(diagnostics):
    """Python warnings for those of a method, on behalf of the caller's caller."""
    diagnostics["warnings"] = [in_python(text) for text in diagnostics["warnings"]]
    for text in diagnostics["warnings"]:
        warnings.warn(text, DenoiseWarning, stacklevel=3)


def denoise(points, method="auto", *, analysis=None, normals=None, threads=0, progress=None, **options):
    """Removes the noise of a cloud. Returns a Result: the same points in the same order, moved.

    points is an array of N x 3 numbers, or H x W x 3 for a depth image, a Cloud, the name of a file, or a cloud of
    another package: Open3D (legacy or tensor), PyVista, trimesh, laspy, a pandas DataFrame or structured array with x,
    y and z. Result.points is an object of the same type. Points that are not finite, and masked points of a masked
    array, are not moved.

    method may be settings of one method instead of its name: burnish.settings.Mls(filter_scale=4). Doubts about the
    result are in result.warnings and issued as DenoiseWarning.

    The method "auto" estimates the noise and chooses all parameters. Its options: noise is the standard deviation of
    the noise in the unit of the points, if it is known; strength below 1 removes less noise, above 1 more.
    burnish.methods() lists the other methods and their options, which are keywords here. They have the names of the
    command line with underscores for dashes; values are numbers, True and False, words, or lists of numbers.

    analysis is the result of analyse for this cloud or another one of the same sensor; there are no other options then.

    progress is called with the name of a stage and the fraction of it that is done, at least once a second; or it is
    the class tqdm, which shows a bar for each stage. threads is the maximum number of threads, 0 for all; it does not
    change the result.

    normals (N x 3; by default those of the Cloud) are used by methods that need them; otherwise they are estimated.

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
    method, texts = _method_and_options(method, options)
    if analysis is not None and (method != "auto" or texts):
        raise TypeError("analysis says how to denoise: method and options are those of analyse")
    if not isinstance(analysis, (Analysis, type(None))):
        raise TypeError(f"analysis is {analysis!r}, expected what analyse gives")
    points = loaded(points, progress)
    kind = kind_of(points)
    cloud = getattr(points, "cloud", points)  # the result of another method can be denoised once more
    if normals is None and isinstance(cloud, Cloud):
        normals = cloud.normals
    directions = np.empty((0, 3)) if normals is None else to_points(normals)
    positions = to_points(points)
    if normals is not None and len(directions) != len(positions):
        raise ValueError(f"there are {len(directions)} normals for {len(positions)} points")
    start = time.perf_counter()
    if analysis is None:
        arguments = (method, texts, positions, directions, _scanner_positions(cloud if method == "auto" else None))
        found = _in_words_of_python(_burnish.denoise, *arguments, threads, progress)
    else:
        arguments = (analysis._native, positions, directions)
        found = _in_words_of_python(_burnish.denoise_with, *arguments, threads, progress)
    moved, attributes, diagnostics, summary = found
    seconds = time.perf_counter() - start
    moved_cloud = cloud.with_positions(moved) if isinstance(cloud, Cloud) else None
    _warn(diagnostics)
    shaped = shaped_like(moved, points)
    in_kind = kind.with_positions(points, shaped) if kind else moved_cloud
    attributes = {name: values.reshape(shaped.shape[:-1]) for name, values in attributes.items()}
    return Result(shaped, moved_cloud, method, seconds, summary, diagnostics, in_kind, attributes)


def analyse(points, *, noise=None, strength=None, threads=0, progress=None):
    """Estimates the noise of a cloud and chooses the steps of denoise, without moving points. Returns an Analysis.

    denoise(points, analysis=…) uses it, for example for a stream of frames of one sensor, of which only the first is
    analysed. points are as in denoise; noise and strength are the options of the method "auto".

    >>> import burnish
    >>> frames = [burnish.add_noise(burnish.synth("sphere", points=2000), sigma=0.01, seed=s) for s in (1, 2, 3)]
    >>> analysis = burnish.analyse(frames[0])
    >>> smooth = [burnish.denoise(frame, analysis=analysis) for frame in frames]
    >>> f"{analysis.noise:.2f}", analysis.noise_at(frames[1]).shape
    ('0.01', (2000,))
    """
    threads, progress = running(threads, progress)
    _, texts = _method_and_options("auto", {"noise": noise, "strength": strength})
    points = loaded(points, progress)
    arguments = (to_points(points), texts, _scanner_positions(getattr(points, "cloud", points)))
    native, diagnostics, summary = _in_words_of_python(_burnish.analyse, *arguments, threads, progress)
    _warn(diagnostics)
    return Analysis(native, diagnostics, summary)


def _signature():
    """The signature of denoise with the options of all methods, for help() and editors."""
    signature = inspect.signature(denoise)
    keywords = dict.fromkeys(keyword for method in methods().values() for keyword in method.options)
    named = [p for p in signature.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD]
    named += [inspect.Parameter(keyword, inspect.Parameter.KEYWORD_ONLY, default=None) for keyword in keywords]
    return signature.replace(parameters=named)


denoise.__signature__ = _signature()
