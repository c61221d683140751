"""Progress, Ctrl-C, threads, forks, memory."""

import gc
import io
import multiprocessing
import os
import signal
import statistics
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import burnish


@pytest.fixture(scope="module")
def large():
    return burnish.add_noise(burnish.synth("organic", points=60000, random=True), 0.005, unit="diameter").positions


def test_progress_is_told_in_the_calling_thread(noisy):
    reports = []
    burnish.denoise(noisy, progress=lambda stage, fraction: reports.append((stage, fraction, threading.get_ident())))
    assert reports
    assert all(isinstance(stage, str) and 0 <= fraction <= 1 for stage, fraction, _ in reports)
    assert {thread for _, _, thread in reports} == {threading.get_ident()}


def test_progress_is_told_every_second(large):
    """Also where the library itself reports seconds apart; never less than before in the same work."""
    times, reports = [time.monotonic()], []

    def progress(stage, fraction):
        times.append(time.monotonic())
        reports.append((stage, fraction))

    burnish.denoise(large, progress=progress)
    times.append(time.monotonic())
    assert max(after - before for before, after in zip(times, times[1:])) < 1
    for (stage, before), (other, after) in zip(reports, reports[1:]):
        assert stage != other or after >= before - 1e-9


def test_what_progress_raises_stops_the_work(large):
    class Enough(Exception):
        pass

    def stop(stage, fraction):
        raise Enough(stage)

    start = time.monotonic()
    with pytest.raises(Enough):
        burnish.denoise(large, "glr", iterations=100, convergence=0, progress=stop)
    assert time.monotonic() - start < 5


def test_interrupt_stops_the_work():
    program = """
import burnish, sys, time
points = burnish.synth("organic", points=60000, random=True)
print("ready", flush=True)
try:
    burnish.denoise(points, "glr", iterations=1000, convergence=0)
except KeyboardInterrupt:
    sys.exit(7)
"""
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
    assert child.stdout.readline() == b"ready\n"
    time.sleep(0.5)
    asked = time.monotonic()
    child.send_signal(signal.SIGINT)
    assert child.wait(30) == 7
    assert time.monotonic() - asked < 2
    child.stdout.close()


def test_other_threads_run_meanwhile(large):
    done = threading.Event()
    worker = threading.Thread(target=lambda: (burnish.denoise(large, "mls"), done.set()))
    worker.start()
    turns = 0
    while not done.is_set():
        turns += 1
        time.sleep(0.001)
    worker.join()
    assert turns >= 5  # none while the lock is held; how many more depends on who else wants the cores


def test_two_threads_at_once_get_what_each_alone_gets(noisy):
    inputs = [noisy.positions, noisy.positions[::2]]
    alone = [burnish.denoise(points).positions for points in inputs]
    found = [[], []]

    def work(i):
        for _ in range(3):
            found[i].append(burnish.denoise(inputs[i]).positions)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for i in range(2):
        assert len(found[i]) == 3
        assert all(np.array_equal(positions, alone[i]) for positions in found[i])


def threads_while_denoising(points):
    """How many threads this process had at most during the work, and its result."""
    most = []
    result = burnish.denoise(points, progress=lambda *_: most.append(len(os.listdir("/proc/self/task"))))
    return max(most), result.positions


def test_forked_processes_work_with_threads(noisy):
    expected = burnish.denoise(noisy).positions  # the library's threads exist now
    with multiprocessing.get_context("fork").Pool(2) as pool:
        for threads, positions in pool.map_async(threads_while_denoising, [noisy.positions] * 4).get(120):
            assert np.array_equal(positions, expected)
            if os.cpu_count() > 1:
                assert threads > 2  # the one that waits, the one that works, and helpers
    assert np.array_equal(burnish.denoise(noisy).positions, expected)


def test_a_process_forked_in_the_middle_of_work_works(noisy, large):
    expected = burnish.denoise(noisy).positions
    started = threading.Event()
    stopped = threading.Event()

    class Stop(Exception):
        pass

    def progress(stage, fraction):
        started.set()
        if stopped.is_set():
            raise Stop

    def work():
        with pytest.raises(Stop):
            burnish.denoise(large, "glr", iterations=1000, convergence=0, progress=progress)

    worker = threading.Thread(target=work)
    worker.start()
    started.wait(60)
    try:
        with multiprocessing.get_context("fork").Pool(1) as pool:
            assert np.array_equal(pool.map_async(burnish.denoise, [noisy.positions]).get(120)[0].positions, expected)
    finally:
        stopped.set()
        worker.join()


def test_a_forked_process_ends():
    burnish.denoise(burnish.synth("cube", points=500))
    child = os.fork()
    if child == 0:
        burnish.denoise(burnish.synth("cube", points=500))
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    end = subprocess.run(
        [sys.executable, "-c", "import burnish, os; burnish.synth('cube', points=500); os.fork(); burnish.synth('cube')"],
        timeout=120,
    )
    assert end.returncode == 0


def resident_bytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_nothing_leaks(tmp_path):
    points = np.random.default_rng(2).normal(size=(2000, 3))
    cloud = burnish.Cloud(points, {"a": np.arange(2000), "text": np.array(["word"] * 2000)})
    burnish.write(tmp_path / "cloud.csv", cloud)

    def use_everything():
        burnish.denoise(points.astype(np.float32), "mls", progress=lambda *_: None)
        burnish.evaluate(points, points[::-1])
        burnish.add_noise(points, 0.1, unit="diameter")
        burnish.estimate_spacing(points, local=True)
        burnish.write(tmp_path / "again.csv", burnish.read(tmp_path / "cloud.csv"))
        with pytest.raises(burnish.Error):
            burnish.denoise(points, "mls", filter_scale=-1)
        with pytest.raises(ZeroDivisionError):
            burnish.denoise(points, "mls", progress=lambda *_: 1 / 0)

    def growth():
        before = resident_bytes()
        for _ in range(30):
            use_everything()
        gc.collect()
        return resident_bytes() - before

    # One array of this size lost in each turn would be 30 * 2000 * 24 = 1.4 MB, every time. What allocators keep for
    # their threads grows too, but comes to an end: most of the times it does not.
    assert statistics.median(growth() for _ in range(7)) < 0.7e6


def test_tqdm_moves(large):
    """The bars of the real package: one for each stage, which goes on to its end."""
    tqdm = pytest.importorskip("tqdm", reason="needs the package tqdm").tqdm
    bars = []

    class Seen(tqdm):
        def __init__(self, *arguments, **keywords):
            self.shown = []
            bars.append(self)
            super().__init__(*arguments, file=io.StringIO(), **keywords)

        def refresh(self, *arguments, **keywords):
            self.shown.append((time.monotonic(), self.n))
            return super().refresh(*arguments, **keywords)

    start = time.monotonic()
    burnish.denoise(large, progress=Seen)
    took = time.monotonic() - start
    assert len({bar.desc for bar in bars}) == len(bars) >= 2
    assert all(bar.disable for bar in bars)  # closed
    times = sorted(moment for bar in bars for moment, _ in bar.shown)
    assert len(times) > took and max(after - before for before, after in zip(times, times[1:])) < 1
    parts = [part for bar in bars if bar.desc == "denoising" for _, part in bar.shown]
    assert parts == sorted(parts) and parts[-1] == 1 and any(0.2 < part < 0.8 for part in parts)
    with pytest.raises(TypeError, match="progress"):
        burnish.denoise(large, progress=3)


def test_bars_of_finished_stages_are_full():
    bars = []

    class Bar:
        def __init__(self, total, desc, bar_format):
            self.total, self.desc, self.n = total, desc, 0
            bars.append(self)

        def refresh(self):
            assert 0 <= self.n <= self.total

        def close(self):
            pass

    burnish.denoise(burnish.add_noise(burnish.synth("sphere", points=2000), sigma=0.02), progress=Bar)
    assert [bar.desc for bar in bars] == ["choosing", "denoising"]
    assert [bar.n for bar in bars] == [1.0, 1.0]
