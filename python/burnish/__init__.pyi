from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO, Literal, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

__version__: str

# Called with a stage and the part of it that is done; or tqdm, the class itself.
Progress = Callable[[str, float], object] | type
# Clouds of Open3D, PyVista, trimesh, laspy and pandas too, which are not imported here.
Points = ArrayLike | Cloud | Result | str | PathLike[str] | Any
Column = NDArray[Any] | Lists
Unit = Literal["absolute", "spacing", "diameter", "sqrt-diameter", "radius"]

from . import settings as settings

class Error(ValueError): ...
class NotFoundError(Error, FileNotFoundError): ...
class AccessError(Error, PermissionError): ...
class FolderError(Error, IsADirectoryError): ...
class SystemFailure(Error, OSError): ...
class LeftOut(UserWarning): ...
class DenoiseWarning(UserWarning): ...

class Lists(Sequence[NDArray[Any]]):
    values: NDArray[Any]
    ends: NDArray[np.uint64]
    size_type: str
    def __init__(self, values: ArrayLike, ends: ArrayLike, size_type: str = "uint8") -> None: ...
    @classmethod
    def of(cls, rows: Iterable[ArrayLike], dtype: DTypeLike = ...) -> Lists: ...
    def __len__(self) -> int: ...
    def __getitem__(self, row: int) -> NDArray[Any]: ...  # type: ignore[override]

class Cloud:
    positions: NDArray[np.float64]
    attributes: dict[str, Column]
    width: int
    height: int
    tables: dict[str, Mapping[str, Column]]
    comments: list[str]
    position_type: str
    format_data: dict[str, bytes]
    def __init__(
        self,
        positions: ArrayLike,
        attributes: Mapping[str, ArrayLike | Lists] | None = None,
        *,
        width: int = 0,
        height: int = 0,
        tables: Mapping[str, Mapping[str, ArrayLike | Lists]] | None = None,
        comments: Iterable[str] = (),
        position_type: str | None = None,
        format_data: Mapping[str, bytes] | None = None,
    ) -> None: ...
    @classmethod
    def mesh(cls, vertices: ArrayLike, triangles: ArrayLike, **keywords: Any) -> Cloud: ...
    @property
    def triangles(self) -> NDArray[np.uint32]: ...
    @property
    def normals(self) -> NDArray[np.float64] | None: ...
    @property
    def scanner_positions(self) -> NDArray[np.float64] | None: ...
    def with_positions(self, positions: ArrayLike) -> Cloud: ...
    @classmethod
    def concatenate(cls, clouds: Iterable[Cloud | ArrayLike]) -> Cloud: ...
    @overload
    def __getitem__(self, key: str) -> Column: ...
    @overload
    def __getitem__(self, key: int | slice | ArrayLike) -> Cloud: ...
    def __add__(self, other: Cloud) -> Cloud: ...
    def __len__(self) -> int: ...
    def __array__(self, dtype: DTypeLike = None, copy: bool | None = None) -> NDArray[Any]: ...

@dataclass(frozen=True)
class Option:
    name: str
    type: str
    meaning: str
    default: str

@dataclass(frozen=True)
class Method:
    name: str
    description: str
    options: dict[str, Option]

class Result:
    positions: NDArray[np.floating[Any]]
    points: Any
    cloud: Cloud | None
    attributes: dict[str, NDArray[Any]]
    method: str
    seconds: float
    summary: str
    diagnostics: dict[str, Any]
    # What the method "auto" gives; other methods give less, or more.
    spacing: float
    noise: float
    noise_uncertainty: float
    patch_size: int
    iterations: Any
    consensus_passes: int
    expected_error_before: float
    expected_error_after: float
    expected_error_is_rough: int
    outliers: NDArray[np.uint32]
    warnings: list[str]
    def __getattr__(self, name: str) -> Any: ...
    def __array__(self, dtype: DTypeLike = None, copy: bool | None = None) -> NDArray[Any]: ...

class Analysis:
    summary: str
    diagnostics: dict[str, Any]
    spacing: float
    noise: float
    noise_uncertainty: float
    patch_size: int
    iterations: int
    consensus_passes: int
    expected_error_before: float
    expected_error_after: float
    expected_error_is_rough: int
    warnings: list[str]
    def noise_at(
        self, points: Points, *, threads: int = 0, progress: Progress | None = None
    ) -> NDArray[np.float64]: ...

class View:
    path: Path
    height: int
    def show(self) -> bool: ...

class Estimate(float):
    uncertainty: float
    def __new__(cls, value: float, uncertainty: float = 0.0) -> Estimate: ...

def methods() -> dict[str, Method]: ...
def shape_names() -> list[str]: ...
def view(
    *clouds: Points,
    names: Iterable[str] | None = None,
    out: str | PathLike[str] | None = None,
    title: str = "",
    unit: str = "",
    height: int = 600,
    max_points: int = 5_000_000,
    open: bool | None = None,
    threads: int = 0,
    progress: Progress | None = None,
) -> View: ...
def denoise(
    points: Points,
    method: str | settings.Settings = "auto",
    *,
    analysis: Analysis | None = None,
    normals: ArrayLike | None = None,
    threads: int = 0,
    progress: Progress | None = None,
    # The options of the methods: burnish.methods() lists which has which.
    noise: float | None = None,
    strength: float | None = None,
    preset: Literal["paper", "authors"] | None = None,
    noise_level: float | None = None,
    iterations: int | None = None,
    convergence: float | None = None,
    patch_size: int | None = None,
    patch_neighbours: int | None = None,
    centre_rate: float | None = None,
    first_centre: Literal["outermost", "first-point"] | None = None,
    patch_origin: Literal["centre-point", "mean"] | None = None,
    resample: bool | None = None,
    symmetric_distance: bool | None = None,
    interpolation: Literal["connect", "distance", "off"] | None = None,
    interpolation_distance: float | None = None,
    epsilon: Sequence[float] | None = None,
    epsilon_factor: float | None = None,
    threshold_factor: float | None = None,
    threshold: float | None = None,
    normalisation: Literal["patch-degree", "node-degree"] | None = None,
    gamma: float | None = None,
    laplacian: Literal["combinatorial", "normalised"] | None = None,
    mu_factor: float | None = None,
    mu_growth: float | None = None,
    fidelity: Literal["previous", "input"] | None = None,
    solver: Literal["conjugate-gradients", "least-squares"] | None = None,
    solver_tolerance: float | None = None,
    solver_steps: int | None = None,
    length_unit: Literal["spacing", "absolute"] | None = None,
    filter_scale: float | None = None,
    degree: int | None = None,
    sharpness_angle: float | None = None,
    neighbours: int | None = None,
    normal_neighbours: int | None = None,
    spherical: float | None = None,
    sharpness: float | None = None,
    residual: float | None = None,
    refits: int | None = None,
    repulsion: float | None = None,
    window: int | None = None,
    similarity: float | None = None,
    data_fitting: float | None = None,
    atoms: int | None = None,
    patch_radius: float | None = None,
) -> Result: ...
def analyse(
    points: Points,
    *,
    noise: float | None = None,
    strength: float | None = None,
    threads: int = 0,
    progress: Progress | None = None,
) -> Analysis: ...
def read(source: str | PathLike[str] | BinaryIO, *, progress: Progress | None = None) -> Cloud: ...
def write(
    target: str | PathLike[str] | BinaryIO,
    cloud: Points,
    attributes: Mapping[str, ArrayLike | Lists] | None = None,
    *,
    format: str = "ply",
    progress: Progress | None = None,
) -> None: ...
def evaluate(
    result: Points,
    truth: Points | str | PathLike[str],
    *,
    threads: int = 0,
    progress: Progress | None = None,
) -> dict[str, Any]: ...
@overload
def add_noise(  # type: ignore[misc]  # a Cloud can be made an array
    points: Cloud | str | PathLike[str],
    sigma: float | None = None,
    *,
    unit: Unit = "absolute",
    model: str | Sequence[str] = "gaussian",
    seed: int = 1,
    details: Literal[False] = False,
    threads: int = 0,
    progress: Progress | None = None,
) -> Cloud: ...
@overload
def add_noise(  # type: ignore[misc]  # a Cloud can be made an array
    points: Cloud | str | PathLike[str],
    sigma: float | None = None,
    *,
    unit: Unit = "absolute",
    model: str | Sequence[str] = "gaussian",
    seed: int = 1,
    details: Literal[True],
    threads: int = 0,
    progress: Progress | None = None,
) -> tuple[Cloud, dict[str, Any]]: ...
@overload
def add_noise(
    points: ArrayLike | Result,
    sigma: float | None = None,
    *,
    unit: Unit = "absolute",
    model: str | Sequence[str] = "gaussian",
    seed: int = 1,
    details: Literal[False] = False,
    threads: int = 0,
    progress: Progress | None = None,
) -> NDArray[np.floating[Any]]: ...
@overload
def add_noise(
    points: ArrayLike | Result,
    sigma: float | None = None,
    *,
    unit: Unit = "absolute",
    model: str | Sequence[str] = "gaussian",
    seed: int = 1,
    details: Literal[True],
    threads: int = 0,
    progress: Progress | None = None,
) -> tuple[NDArray[np.floating[Any]], dict[str, Any]]: ...
@overload
def estimate_spacing(
    points: Points, *, local: Literal[False] = False, threads: int = 0, progress: Progress | None = None
) -> Estimate: ...
@overload
def estimate_spacing(
    points: Points, *, local: Literal[True], threads: int = 0, progress: Progress | None = None
) -> NDArray[np.float64]: ...
@overload
def estimate_noise(
    points: Points, *, local: Literal[False] = False, threads: int = 0, progress: Progress | None = None
) -> Estimate: ...
@overload
def estimate_noise(
    points: Points, *, local: Literal[True], threads: int = 0, progress: Progress | None = None
) -> NDArray[np.float64]: ...
def sample(
    mesh: Cloud | str | PathLike[str],
    *,
    points: int = 30000,
    seed: int = 1,
    poisson_disk: bool = False,
    threads: int = 0,
    progress: Progress | None = None,
) -> Cloud: ...
def scan(
    scene: Cloud | str | PathLike[str],
    *,
    sensor: Literal["depth", "lidar", "structured-light"] = "depth",
    viewpoints: ArrayLike | None = None,
    views: int | None = None,
    # A length is a number in the unit of the scene, or text such as "0.5spacing" or "2diameter".
    distance: float | str | None = None,
    width: int | None = None,
    height: int | None = None,
    field_of_view: float | None = None,
    largest_incidence: float | None = None,
    noise: float | str | None = None,
    reference: float | str | None = None,
    range_power: float | None = None,
    incidence_power: float | None = None,
    correlation: float | None = None,
    quantisation: float | str | None = None,
    beam: float | None = None,
    background: float | str | None = None,
    registration: float | str | None = None,
    seed: int | None = None,
    truth: bool = False,
    threads: int = 0,
    progress: Progress | None = None,
) -> Cloud: ...
def synth(
    shape: str,
    *,
    points: int = 50000,
    seed: int = 1,
    random: bool = False,
    threads: int = 0,
    progress: Progress | None = None,
) -> Cloud: ...
