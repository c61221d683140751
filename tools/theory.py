#!/usr/bin/env python3
"""The paper's theory in numbers, as Markdown on standard output.

    tools/theory.py dimension BURNISH DATA   manifold dimension and condition by iteration, for the models of studies/small.toml
    tools/theory.py condition BURNISH DATA CONDITION   condition numbers of the same systems beside the bound; CONDITION is
                                             the program bench/condition
    tools/theory.py theorem                  Theorem 1: the dimension of known manifolds from random points on them
    tools/theory.py cost BURNISH             CPU seconds of an iteration against N, k and K

Needs Debian's python3-numpy for the theorem.
"""

import json
import math
import pathlib
import subprocess
import sys
import tempfile
import tomllib

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent


def table(head, rows):
    for row in [head, ["---"] * len(head), *rows]:
        print("| " + " | ".join(str(cell) for cell in row) + " |")
    print()


def run(burnish, *arguments, is_json=False):
    command = [burnish, *map(str, arguments), *(["--json"] if is_json else ["-q"])]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout) if is_json else None


# The dimension of the patch manifold, iteration by iteration.


def noisy_cloud(burnish, data, study, model, level, folder):
    """The cloud that the study denoises; its scale is that of the file, which GLR as printed does not see."""
    index = study["noise"]["levels"].index(level)
    if "noisy" in model:
        return data / model["noisy"][index]
    noisy = folder / "noisy.ply"
    if "mesh" in model:
        clean = folder / f"{model['name']}.ply"
        if not clean.exists():
            run(burnish, "sample", data / model["mesh"], clean, "--points", model["points"], "--poisson-disk")
    else:
        clean = data / model["cloud"]
    diameter = run(burnish, "noise", clean, noisy, "--sigma", 1, "--unit", "diameter", is_json=True)["standard_deviation"]
    wanted = model.get("diameter", diameter)
    run(burnish, "noise", clean, noisy, "--sigma", level * math.sqrt(wanted) * diameter / wanted)
    return noisy


def dimension(burnish, data):
    study = tomllib.loads((REPOSITORY / "studies/small.toml").read_text())
    level = 0.02
    shown = [1, 2, 3, 5, 8, 15]
    dimensions, conditions = [], []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for model in study["model"]:
            noisy = noisy_cloud(burnish, data, study, model, level, folder)
            options = ["--method", "glr", "--noise-level", level, "--convergence", 0]
            steps = run(burnish, "denoise", noisy, folder / "out.ply", *options, is_json=True)["iterations"]
            first = steps[0]["manifold_dimension"]
            dimensions.append([model["name"], *(f"{steps[i - 1]['manifold_dimension'] / first:.3f}" for i in shown)])
            conditions.append(
                [model["name"]]
                + [f"{steps[i - 1]['condition_bound']:.2f} ({steps[i - 1]['solver_steps']})" for i in shown]
            )
            print(model["name"], file=sys.stderr)
    mus = [25 * math.expm1(i / 4) for i in shown]
    print(f"Dimension of the patch manifold before iteration i, equation 15, as a part of the noisy cloud's; level {level}\n")
    table(["model", *shown], dimensions)
    print("Bound on the condition number, (2·largest degree + μ)/μ (steps of the solver to 10⁻⁹)\n")
    table(["model", *shown], conditions + [["the paper's bound, 1 + 2/μ", *(f"{1 + 2 / mu:.3f}" for mu in mus)]])


def condition(burnish, data, program):
    study = tomllib.loads((REPOSITORY / "studies/small.toml").read_text())
    level = 0.02
    shown = [1, 2, 3, 5]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for model in study["model"]:
            noisy = noisy_cloud(burnish, data, study, model, level, pathlib.Path(folder))
            command = [program, noisy, level, *shown]
            lines = subprocess.run(map(str, command), check=True, capture_output=True, text=True).stdout.splitlines()
            values = [line.split() for line in lines]
            rows.append([model["name"], *(f"{float(number):.3f} / {float(bound):.3f}" for _, number, bound in values)])
            print(model["name"], file=sys.stderr)
    print(f"Condition number of the system / its bound, in iteration i; level {level}\n")
    table(["model", *shown], rows)


# Theorem 1.


def sphere(dimensions):
    def sample(count, random):
        points = random.standard_normal((count, dimensions + 1))
        return points / (points**2).sum(axis=1, keepdims=True) ** 0.5

    return sample


def torus(dimensions):
    """The flat torus: a circle for each dimension."""

    def sample(count, random):
        import numpy

        angles = random.uniform(0, 2 * math.pi, (count, dimensions))
        return numpy.concatenate([numpy.cos(angles), numpy.sin(angles)], axis=1)

    return sample


def truncation(dimensions, factor):
    """Mean of t² over a Gaussian kernel cut at t = factor, in this number of dimensions, by that without the cut."""
    import numpy

    t = numpy.linspace(0, factor, 20001)[1:]
    weight = t ** (dimensions - 1) * numpy.exp(-(t**2) / 2)
    return (weight * t**2).sum() / weight.sum() / dimensions


def regulariser(points, epsilon, factor, gamma):
    """Σ_mn w_mn d_mn² with the weights of equations 7 and 8, and Σ_mn w_mn."""
    import numpy

    squares = (points**2).sum(axis=1)

    def rows():
        block = 1000
        for begin in range(0, len(points), block):
            part = points[begin : begin + block]
            d2 = numpy.maximum(squares[begin : begin + block, None] + squares[None, :] - 2 * part @ points.T, 0)
            kernel = numpy.where(d2 < (factor * epsilon) ** 2, numpy.exp(-d2 / (2 * epsilon**2)), 0)
            kernel[numpy.arange(len(part)), numpy.arange(begin, begin + len(part))] = 0
            yield begin, d2, kernel

    degree = numpy.concatenate([kernel.sum(axis=1) for _, _, kernel in rows()])
    scale = numpy.where(degree > 0, degree, 1.0) ** (-gamma)
    energy = weights = 0.0
    for begin, d2, kernel in rows():
        weight = kernel * scale[begin : begin + len(kernel), None] * scale[None, :]
        energy += (weight * d2).sum()
        weights += weight.sum()
    return energy, weights


def theorem():
    import numpy

    factor = 3.0
    manifolds = {
        "circle": (1, 2, sphere(1)),
        "sphere": (2, 3, sphere(2)),
        "flat torus": (2, 4, torus(2)),
        "3-sphere": (3, 4, sphere(3)),
        "flat 3-torus": (3, 6, torus(3)),
        "flat 5-torus": (5, 10, torus(5)),
    }
    counts = [250, 500, 1000, 2000, 4000]
    print(
        "The dimension of M random points on manifolds, Σ w d² / (ε² Σ w) by the kernel's own, for "
        f"C_r = {factor:g} and the exponents ½ and 2 of the degrees; ε = 0.5·(100/M)^(1/(δ+4))\n"
    )
    rows = []
    for name, (dimensions, space, sample) in manifolds.items():
        for gamma in (0.5, 2.0):
            row = [f"{name} in R^{space}", dimensions, "½" if gamma == 0.5 else "2"]
            for count in counts:
                random = numpy.random.default_rng(1)
                points = sample(count, random)
                epsilon = 0.5 * (100 / count) ** (1 / (dimensions + 4))
                energy, weights = regulariser(points, epsilon, factor, gamma)
                row.append(f"{energy / (weights * epsilon**2 * truncation(dimensions, factor)):.3f}")
            rows.append(row)
    table(["manifold", "dimension", "exponent", *(f"M = {count}" for count in counts)], rows)


# Cost.


def cost(burnish):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)

        def seconds(points, *options):
            cloud = folder / f"{points}.ply"
            if not cloud.exists():
                run(burnish, "synth", "organic", folder / "clean.ply", "--points", points)
                run(burnish, "noise", folder / "clean.ply", cloud, "--sigma", 0.4, "--unit", "spacing")
            options = ["--method", "glr", "--noise-level", 0.02, "--iterations", 2, "--convergence", 0, *options]
            options += ["--interpolation", "distance", "--threads", 1]
            return min(
                run(burnish, "denoise", cloud, folder / "out.ply", *options, is_json=True)["cpu_seconds"] / 2
                for _ in range(2)
            )

        for name, label, values, options in [
            ("points N", "N", [5000, 10000, 20000, 40000], lambda n: (n,)),
            ("patch size k", "k", [15, 30, 60, 120], lambda k: (10000, "--patch-size", k)),
            ("search window K", "K", [4, 8, 16, 32], lambda K: (10000, "--patch-neighbours", K)),
        ]:
            times = [seconds(*options(value)) for value in values]
            slope = math.log(times[-1] / times[0]) / math.log(values[-1] / values[0])
            print(f"CPU seconds of an iteration by {name}; exponent {slope:.2f}\n")
            table([label, *values], [["seconds", *(f"{time:.3f}" for time in times)]])


def main(arguments):
    match arguments:
        case ["dimension", burnish, data]:
            dimension(burnish, pathlib.Path(data))
        case ["condition", burnish, data, program]:
            condition(burnish, pathlib.Path(data), program)
        case ["theorem"]:
            theorem()
        case ["cost", burnish]:
            cost(burnish)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
