"""A tour of burnish in cells, as in a notebook: run it as a whole, or cell by cell in an editor that knows `# %%`.

    ./run python python/examples/tutorial.py FOLDER

Figures and clouds go to FOLDER. Without matplotlib (Debian: python3-matplotlib) there are no figures.
"""

# %% A cloud whose surface is known exactly, and noise
import sys
from pathlib import Path

import numpy as np

import burnish

try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
except ImportError:
    plt = None

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "tutorial")
folder.mkdir(parents=True, exist_ok=True)

clean = burnish.synth("part", points=20000)
noisy = burnish.add_noise(clean, sigma=0.004)
print(clean, "-> noise of", burnish.estimate_noise(noisy), "at a spacing of", burnish.estimate_spacing(noisy))

# %% Denoising, with nothing to set
result = burnish.denoise(noisy)
print(result)

# %% How close did it come? The shape knows.
for name, points in {"noisy": noisy, "denoised": result}.items():
    error = burnish.evaluate(points, "part")
    print(f"{name:9} mean distance {error['mean_distance']:.5f}, near edges {error['edge_mean_distance']:.5f}")

# %% The same for other methods
errors = {}
for method in ("auto", "glr", "bilateral", "apss", "rimls", "wlop"):
    other = burnish.denoise(noisy, method)
    errors[method] = burnish.evaluate(other, "part")
    print(f"{method:9} mean distance {errors[method]['mean_distance']:.5f} in {other.seconds:.1f} s")

# %% Attributes stay with their points
cloud = burnish.Cloud(noisy.positions, {"intensity": np.arange(len(noisy), dtype=np.uint16)})
smooth = burnish.denoise(cloud).cloud
moved = np.linalg.norm(smooth.positions - cloud.positions, axis=1)
smooth.attributes["moved"] = moved.astype(np.float32)
burnish.write(folder / "smooth.ply", smooth)
print(burnish.read(folder / "smooth.ply"))

# %% Noise that differs from place to place
stronger = np.where(clean.positions[:, :1] > 0, 2.0, 1.0)
uneven = clean.positions + (noisy.positions - clean.positions) * stronger
local = burnish.estimate_noise(uneven, local=True)
left, right = (np.median(local[clean.positions[:, 0] * side > 0]) for side in (-1, 1))
print(f"noise where x < 0: {left:.4f}, where x > 0: {right:.4f}")


# %% Figures
def draw_slice(axes, points, title):
    """A thin slice through the middle, seen from the side."""
    inside = np.abs(points[:, 1]) < 0.02
    axes.scatter(points[inside, 0], points[inside, 2], s=2, linewidths=0)
    axes.set_title(title, loc="left")
    axes.set_aspect("equal")
    axes.axis("off")


if plt is None:
    print("matplotlib is not there: no figures")
else:
    figure, panels = plt.subplots(1, 3, figsize=(12, 4), sharex=True, sharey=True)
    for axes, (title, points) in zip(panels, {"clean": clean, "noisy": noisy, "denoised": result}.items()):
        draw_slice(axes, np.asarray(points), title)
    figure.savefig(folder / "slices.png", dpi=150, bbox_inches="tight")

    figure, axes = plt.subplots(figsize=(6, 4))
    axes.bar(list(errors), [error["mean_distance"] for error in errors.values()])
    before = burnish.evaluate(noisy, "part")["mean_distance"]
    axes.axhline(before, color="grey", linestyle="--")
    axes.annotate("noisy", (-0.4, before), xytext=(0, -4), textcoords="offset points", va="top", color="grey")
    axes.set_ylabel("mean distance to the surface")
    figure.savefig(folder / "methods.png", dpi=150, bbox_inches="tight")

    figure, axes = plt.subplots(figsize=(6, 4))
    axes.hist(moved, bins=100)
    axes.set_xlim(left=0)
    axes.set_xlabel("how far points moved")
    axes.set_ylabel("points")
    figure.savefig(folder / "moves.png", dpi=150, bbox_inches="tight")
    print("figures:", ", ".join(sorted(str(path) for path in folder.glob("*.png"))))
