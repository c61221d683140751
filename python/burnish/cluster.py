"""Denoising clouds larger than memory on many machines, with Dask.

    python3 -m burnish.cluster huge.las smooth.las --scheduler tcp://127.0.0.1:8786

or, from a program:

    from dask.distributed import Client
    import burnish.cluster

    burnish.cluster.denoise("huge.las", "smooth.las", client=Client("tcp://127.0.0.1:8786"))

The cloud is divided into tiles, which the workers of the cluster denoise; docs/scale.md of the project describes the
method, and how to set up and secure a cluster. All machines must have access to input, output and scratch folder under
the same paths.
"""

import argparse
import os
import sys
import time
import warnings

from . import _burnish
from ._arrays import running
from ._errors import in_python

try:
    from distributed import Client, LocalCluster, as_completed
except ImportError as missing:
    raise ImportError(
        "burnish.cluster needs Dask: install the Debian package python3-distributed, or dask and distributed with pip"
    ) from missing

__all__ = ["denoise", "main"]


def denoise(
    source,
    target,
    *,
    client=None,
    memory=None,
    scratch=None,
    resume=False,
    noise=0.0,
    strength=1.0,
    threads=1,
    progress=None,
):
    """Denoises a file that may be larger than memory on the workers of a Dask cluster. Returns the number of points.

    client     a distributed.Client; without one, as many processes on this machine as it has processors
    memory     memory limit for one tile, in bytes or as text such as "2G"; by default that of each thread of the smallest
               worker. It determines the tiles, and thereby the last digits of the result, which do not depend on the
               number of workers, threads and machines
    scratch    folder for temporary files; by default the target's name with ".scratch" appended
    resume     continue the run whose files are in the scratch folder, if there is one
    noise, strength   as for burnish.denoise
    threads    threads per tile. Dask gives a worker as many tiles at a time as it has threads, so one is right unless
               workers were started with fewer threads than processors
    progress   called with the name of the stage and the fraction that is done

    If a worker is lost, others repeat its unfinished tiles. The output appears complete or not at all.
    """
    source, target = os.path.abspath(os.fspath(source)), os.path.abspath(os.fspath(target))
    scratch = os.path.abspath(os.fspath(scratch)) if scratch is not None else ""
    threads, progress = running(threads, progress)
    if client is None:
        with LocalCluster(threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as own:
            return _denoise(own, source, target, memory, scratch, resume, noise, strength, threads, progress)
    return _denoise(client, source, target, memory, scratch, resume, noise, strength, threads, progress)


def _denoise(client, source, target, memory, scratch, resume, noise, strength, threads, progress):
    memory = _memory_of_worker(client) if memory is None else _bytes(memory)
    noise, strength = float(noise), float(strength)
    plan = _burnish.plan_tiles(source, target, memory, scratch, resume, noise, strength, 0, progress)
    tiles = client.map(
        _denoise_tile, plan["unfinished"], scratch=plan["scratch"], threads=threads, pure=False, retries=3
    )
    try:
        for done, tile in enumerate(as_completed(tiles), 1):
            tile.result()
            tile.release()
            if progress:
                progress("denoising", done / len(tiles))
    except BaseException:
        client.cancel(tiles)
        raise
    for warning in _burnish.stitch_tiles(source, target, memory, plan["scratch"], noise, strength, progress):
        warnings.warn(f"{target}: {in_python(warning)}", stacklevel=3)
    return plan["points"]


def _denoise_tile(tile, scratch, threads):
    """On a worker."""
    _burnish.denoise_tile(scratch, tile, threads, None)


def _bytes(memory):
    return _burnish.parse_memory(memory) if isinstance(memory, str) else int(memory)


def _memory_of_worker(client):
    """Memory for each thread of the smallest worker: Dask pauses a worker at 80 % of its memory."""
    workers = client.scheduler_info()["workers"].values()
    limits = [worker["memory_limit"] / worker["nthreads"] for worker in workers if worker["memory_limit"]]
    if not limits:
        raise ValueError("no worker reports how much memory it has; give it by memory=, for instance memory='2G'")
    return int(0.75 * min(limits))


class _Line:
    """One line of progress on a terminal, with the remaining time; nothing elsewhere."""

    def __init__(self):
        self.stage = None
        self.start = 0.0

    def __call__(self, stage, fraction):
        if not sys.stderr.isatty():
            return
        now = time.monotonic()
        if stage != self.stage:
            self.stage, self.start = stage, now
        left = (now - self.start) * (1 - fraction) / fraction if fraction > 0.02 else 0
        text = f", {left / 60:.0f} min left" if left > 100 else f", {left:.0f} s left" if left > 1 else ""
        print(f"\r\033[K{stage} {100 * fraction:3.0f} %{text}", end="", file=sys.stderr, flush=True)

    def end(self):
        if self.stage is not None:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def main(arguments=None):
    """The command python3 -m burnish.cluster."""
    parser = argparse.ArgumentParser(
        prog="python3 -m burnish.cluster", description="Remove the noise of a cloud on the workers of a Dask cluster."
    )
    parser.add_argument("source", metavar="SRC", help="the noisy cloud: PLY, PCD, LAS or text")
    parser.add_argument("target", metavar="DST", help="the result: the same points in the same order, with all attributes")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="address of the cluster; by default, processes on this machine are used")
    parser.add_argument("--memory", metavar="SIZE", help="memory limit for one tile, such as 2G (default: as workers have)")
    parser.add_argument("--scratch", metavar="DIR", help="folder for temporary files, accessible to all machines")
    parser.add_argument("--resume", action="store_true", help="continue the run in the scratch folder")
    parser.add_argument("--noise", metavar="SIGMA", type=float, default=0.0, help="standard deviation (default: estimated)")
    parser.add_argument("--strength", metavar="X", type=float, default=1.0, help="below 1 removes less noise, above 1 more")
    options = parser.parse_args(arguments)
    line = _Line()
    start = time.monotonic()
    try:
        client = Client(options.scheduler) if options.scheduler else None
        points = denoise(
            options.source,
            options.target,
            client=client,
            memory=options.memory,
            scratch=options.scratch,
            resume=options.resume,
            noise=options.noise,
            strength=options.strength,
            progress=line,
        )
    except (OSError, ValueError) as error:  # burnish.Error is a ValueError
        line.end()
        print(f"burnish.cluster: {error}", file=sys.stderr)
        return 1
    line.end()
    print(f"{options.target}: {points} points in {time.monotonic() - start:.1f} s", file=sys.stderr)
    return 0


if __name__ == "__main__":
    # The workers import what they run by its name, which is not __main__ there.
    from burnish.cluster import main as run

    sys.exit(run())
