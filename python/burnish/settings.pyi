"""Types of burnish.settings, whose classes are made from what the library says about its methods."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

class Settings:
    method: ClassVar[str]

@dataclass(frozen=True)
class Auto(Settings):
    noise: float | None = None
    strength: float | None = None

@dataclass(frozen=True)
class Glr(Settings):
    preset: Literal["paper", "authors"] | None = None
    noise_level: float | None = None
    iterations: int | None = None
    convergence: float | None = None
    patch_size: int | None = None
    patch_neighbours: int | None = None
    centre_rate: float | None = None
    first_centre: Literal["outermost", "first-point"] | None = None
    patch_origin: Literal["centre-point", "mean"] | None = None
    resample: bool | None = None
    symmetric_distance: bool | None = None
    interpolation: Literal["connect", "distance", "off"] | None = None
    interpolation_distance: float | None = None
    epsilon: Sequence[float] | None = None
    epsilon_factor: float | None = None
    threshold_factor: float | None = None
    threshold: float | None = None
    normalisation: Literal["patch-degree", "node-degree"] | None = None
    gamma: float | None = None
    laplacian: Literal["combinatorial", "normalised"] | None = None
    mu_factor: float | None = None
    mu_growth: float | None = None
    fidelity: Literal["previous", "input"] | None = None
    solver: Literal["conjugate-gradients", "least-squares"] | None = None
    solver_tolerance: float | None = None
    solver_steps: int | None = None
    length_unit: Literal["spacing", "absolute"] | None = None

@dataclass(frozen=True)
class Mls(Settings):
    filter_scale: float | None = None
    iterations: int | None = None
    degree: int | None = None

@dataclass(frozen=True)
class Bilateral(Settings):
    iterations: int | None = None
    sharpness_angle: float | None = None
    neighbours: int | None = None
    normal_neighbours: int | None = None

@dataclass(frozen=True)
class Apss(Settings):
    filter_scale: float | None = None
    iterations: int | None = None
    spherical: float | None = None
    normal_neighbours: int | None = None

@dataclass(frozen=True)
class Rimls(Settings):
    filter_scale: float | None = None
    iterations: int | None = None
    sharpness: float | None = None
    residual: float | None = None
    refits: int | None = None
    normal_neighbours: int | None = None

@dataclass(frozen=True)
class Lop(Settings):
    filter_scale: float | None = None
    repulsion: float | None = None
    iterations: int | None = None

@dataclass(frozen=True)
class Wlop(Settings):
    filter_scale: float | None = None
    repulsion: float | None = None
    iterations: int | None = None

@dataclass(frozen=True)
class Awlop(Settings):
    filter_scale: float | None = None
    repulsion: float | None = None
    iterations: int | None = None
    sharpness_angle: float | None = None
    normal_neighbours: int | None = None

@dataclass(frozen=True)
class Nld(Settings):
    neighbours: int | None = None
    window: int | None = None
    similarity: float | None = None

@dataclass(frozen=True)
class Mrpca(Settings):
    data_fitting: float | None = None
    iterations: int | None = None
    neighbours: int | None = None

@dataclass(frozen=True)
class LowRank(Settings):
    atoms: int | None = None
    patch_radius: float | None = None
