"""Takes the noise out of 3D point clouds and keeps their edges, corners and fine shape.

>>> import burnish
>>> clean = burnish.synth("part", points=5000)
>>> noisy = burnish.add_noise(clean, sigma=0.003)
>>> smooth = burnish.denoise(noisy)
>>> before = burnish.evaluate(noisy, "part")["mean_distance"]
>>> burnish.evaluate(smooth, "part")["mean_distance"] < before
True

Wherever points are expected, an array of N x 3 numbers will do, or a Cloud, or the Result of denoise. Arrays of float64
without gaps are read in place, all others converted once. The interpreter is free for other threads while the library
works; leave arrays alone that another thread is working on. Ctrl-C stops any function; nothing is left behind.

Every function that works for a while takes two more keywords:

threads   how many threads to use at most; 0 for as many as the machine has. It never changes the result.
progress  a function that is called now and then with the name of the work and the part of it that is done, from the
          thread that called. What it raises stops the work.
"""

import os as _os

from . import _burnish
from ._burnish import Error, __version__
from ._cloud import Cloud, Lists
from ._denoise import Analysis, Method, Option, Result, analyse, denoise, methods
from ._errors import AccessError, DenoiseWarning, FolderError, NotFoundError, SystemFailure
from ._evaluate import Estimate, add_noise, estimate_noise, estimate_spacing, evaluate, sample, shape_names, synth
from ._files import LeftOut, read, write
from ._scan import scan
from ._view import View, view
from . import settings

__all__ = [
    "AccessError",
    "Analysis",
    "Cloud",
    "DenoiseWarning",
    "Error",
    "Estimate",
    "FolderError",
    "LeftOut",
    "Lists",
    "Method",
    "NotFoundError",
    "Option",
    "Result",
    "SystemFailure",
    "View",
    "__version__",
    "add_noise",
    "analyse",
    "denoise",
    "estimate_noise",
    "estimate_spacing",
    "evaluate",
    "methods",
    "read",
    "sample",
    "scan",
    "settings",
    "shape_names",
    "synth",
    "view",
    "write",
]

# Threads do not survive a fork: those that wait for work are ended before and start again when they are needed.
_os.register_at_fork(before=_burnish.before_fork, after_in_child=_burnish.after_fork_in_child)
