import os
import subprocess
from pathlib import Path

import pytest

import burnish

project = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def noisy():
    """A small noisy cloud with sharp edges."""
    cloud = burnish.add_noise(burnish.synth("cube", points=3000), 0.005, unit="diameter")
    cloud.positions.flags.writeable = False
    return cloud


@pytest.fixture(scope="session")
def command():
    """Runs the program as a user does, to compare with."""
    program = os.environ.get("BURNISH_PROGRAM", str(project / "build/release/burnish"))

    def run(*arguments):
        return subprocess.run([program, *map(str, arguments)], check=True, capture_output=True, text=True).stdout

    return run


@pytest.fixture(scope="session")
def shared_data():
    """Test data that is not ours and therefore not in the repository."""
    folder = Path(os.environ.get("BURNISH_DATA", project.parent / "shared" / "data"))
    if not folder.is_dir():
        if os.environ.get("CI"):
            pytest.fail(f"test data is missing: {folder}")
        pytest.skip(f"needs the test data in {folder} (or set BURNISH_DATA)")
    return folder
