"""Tiles on a Dask cluster, and that it does not matter who does them."""

import os
import signal
import subprocess
import sys

import pytest

import burnish

slow = os.environ.get("BURNISH_SLOW") == "1"
if not slow:
    pytest.importorskip("distributed", reason="Dask is not installed (python3-distributed)")

MEMORY = 110 << 20


@pytest.fixture(scope="module")
def cloud(tmp_path_factory):
    """A file whose denoising takes more memory than it may, and its result in tiles on one machine."""
    folder = tmp_path_factory.mktemp("cluster")
    noisy = burnish.add_noise(burnish.synth("organic", points=30000, random=True), 0.004, unit="diameter")
    noisy.attributes["number"] = range(30000)
    burnish.write(folder / "noisy.ply", noisy)
    program = os.environ.get("BURNISH_PROGRAM")
    subprocess.run(
        [program, "denoise", folder / "noisy.ply", folder / "alone.ply", "--memory", str(MEMORY), "--quiet"], check=True
    )
    return folder


@pytest.fixture(scope="module")
def client():
    from distributed import Client, LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            yield client


def test_a_lost_worker_changes_nothing(cloud, client):
    import burnish.cluster

    killed = []

    def kill_one(stage, fraction):
        if stage == "denoising" and not killed:
            workers = client.scheduler_info()["workers"]
            killed.append(client.run(os.getpid, workers=[next(iter(workers))]))
            os.kill(next(iter(killed[0].values())), signal.SIGKILL)

    points = burnish.cluster.denoise(
        cloud / "noisy.ply", cloud / "together.ply", client=client, memory=MEMORY, progress=kill_one
    )
    assert killed and points == 30000
    assert (cloud / "together.ply").read_bytes() == (cloud / "alone.ply").read_bytes()
    assert not (cloud / "together.ply.scratch").exists()


def test_the_command_does_the_same(cloud, client):
    address = client.scheduler_info()["address"]
    assert "127.0.0.1" in address
    command = [sys.executable, "-m", "burnish.cluster", cloud / "noisy.ply", cloud / "command.ply"]
    done = subprocess.run(
        [*command, "--scheduler", address, "--memory", str(MEMORY)], capture_output=True, text=True, check=True
    )
    assert "30000 points" in done.stderr
    assert (cloud / "command.ply").read_bytes() == (cloud / "alone.ply").read_bytes()

    failed = subprocess.run(
        [*command, "--scheduler", address, "--memory", "1M"], capture_output=True, text=True, check=False
    )
    assert failed.returncode == 1
    assert "not enough for denoising" in failed.stderr


def test_memory_is_that_of_the_smallest_worker(client):
    import burnish.cluster

    limits = [worker["memory_limit"] for worker in client.scheduler_info()["workers"].values()]
    assert 0.5 * min(limits) < burnish.cluster._memory_of_worker(client) < min(limits)
