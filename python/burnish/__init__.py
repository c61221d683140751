"""Removes noise from 3D point clouds and keeps edges, corners and fine detail.

>>> import burnish
>>> clean = burnish.synth("part", points=5000)
>>> noisy = burnish.add_noise(clean, sigma=0.003)
>>> smooth = burnish.denoise(noisy)
>>> before = burnish.evaluate(noisy, "part")["mean_distance"]
>>> burnish.evaluate(smooth, "part")["mean_distance"] < before
True

Wherever points are expected, an array of N x 3 numbers, a Cloud or the Result of denoise is accepted. Contiguous arrays
of float64 are read in place, all others are converted once. The library releases the global interpreter lock; do not
change arrays while another thread works on them. Ctrl-C stops any function and leaves no files behind.

Functions that may take long have two more keywords:

threads   maximum number of threads; 0 for all processors. It does not change the result.
progress  a function that is called repeatedly with the name of the stage and the fraction of it that is done, on the
          calling thread. An exception raised by it stops the work.
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
