"""What the README and docs/python.md show is executed, and what they name exists.

Needs the folder of the Python module on PYTHONPATH and the program in BURNISH_PROGRAM. With BURNISH_SLOW=1 also what
takes long or large packages.
"""

import importlib.util
import os
import pty
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import burnish

project = Path(__file__).resolve().parents[2]
readme = (project / "README.md").read_text()
documents = [project / "README.md", project / "CONTRIBUTING.md", *sorted((project / "docs").glob("*.md"))]
program = os.environ.get("BURNISH_PROGRAM", str(project / "build/release/burnish"))
slow = os.environ.get("BURNISH_SLOW") == "1"

# Lines of the README that are not run here, and where they are.
elsewhere = {
    "git clone … burnish && cd burnish": "has no address",
    "./run demo": "run by ./run check",
    "./run bench accuracy": "takes many minutes and data that is not ours",
}


def shell_lines(text):
    """The lines of indented blocks, without what is said about them."""
    outside_fences = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    return [line.split("  #")[0].strip() for line in re.findall(r"^    (\S.*)", outside_fences, re.MULTILINE)]


def python_blocks(text):
    return re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


@pytest.fixture
def folder(tmp_path):
    """A folder with the files that the examples speak of, small ones."""
    clean = burnish.synth("part", points=2000)
    noisy = burnish.add_noise(clean, 0.003, unit="diameter")
    for name in ("scan.ply", "scan.pcd", "noisy-0.02.ply"):
        burnish.write(tmp_path / name, noisy)
    burnish.write(tmp_path / "clean.ply", clean)
    return tmp_path


def run_python(code, folder):
    subprocess.run([sys.executable, "-c", code], cwd=folder, check=True, timeout=120)


def test_shell_lines_of_the_readme_run(folder):
    ran = 0
    for line in shell_lines(readme):
        if line in elsewhere:
            continue
        assert line.startswith("./run "), f"do not know how to run: {line}"
        subprocess.run(f"'{program}' {line.removeprefix('./run ')}", shell=True, cwd=folder, check=True, timeout=120)
        ran += 1
    assert ran >= 3


def test_what_is_run_elsewhere_is_still_there():
    assert set(elsewhere) - set(shell_lines(readme)) <= {"./run bench accuracy"}


@pytest.mark.skipif(not slow, reason="slow")
def test_the_demo_runs():
    subprocess.run([project / "run", "demo"], check=True, timeout=600)
    assert (project / "build/demo/before-after.png").stat().st_size > 10000


@pytest.mark.parametrize("document", ["README.md", "docs/python.md"])
def test_python_blocks_run(document, folder):
    blocks = python_blocks((project / document).read_text())
    assert blocks
    before = burnish.evaluate(burnish.read(folder / "scan.ply"), "part")["mean_distance"]
    for code in blocks:
        if "open3d" in code:
            if not slow:
                continue
            code += "burnish.write('smooth.ply', smooth)\n"
        for old in folder.glob("smooth.*"):
            old.unlink()
        run_python(code, folder)
        (written,) = folder.glob("smooth.*")
        assert burnish.evaluate(burnish.read(written), "part")["mean_distance"] < before


def test_the_tutorial_runs(tmp_path):
    subprocess.run([sys.executable, project / "python/examples/tutorial.py", tmp_path], check=True, timeout=600)
    assert (tmp_path / "smooth.ply").exists()
    if slow or importlib.util.find_spec("matplotlib"):
        for figure in ("slices", "methods", "moves"):
            assert (tmp_path / f"{figure}.png").stat().st_size > 10000


def test_commands_and_methods_that_are_named_exist():
    help_text = subprocess.run([program, "--help"], check=True, capture_output=True, text=True).stdout
    for command in set(re.findall(r"`burnish ([a-z]+)", readme)):
        assert re.search(rf"^  {command}\b", help_text, re.MULTILINE), command
    usage = subprocess.run([project / "run"], check=True, capture_output=True, text=True).stdout
    for command in set(re.findall(r"\./run ([a-z]+)", readme)):
        assert re.search(rf"\b{command}\b", usage), command
    methods = re.search(r"--method NAME`: (.*?)\.", readme, re.DOTALL).group(1)
    assert set(re.findall(r"`(\w+)`", methods)) <= set(burnish.methods())


def headings(document):
    """The headings of a page as links name them."""
    titles = re.findall(r"^#+ (.*)$", document.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\s-]", "", title.lower()).strip().replace(" ", "-") for title in titles}


@pytest.mark.parametrize("document", documents, ids=lambda path: path.name)
def test_links_lead_somewhere(document):
    for target in re.findall(r"\]\(([^)\s]+)\)", document.read_text()):
        if "://" in target:
            continue
        file, _, heading = target.partition("#")
        path = document.parent / file if file else document
        assert path.exists(), target
        if heading and path.suffix == ".md":
            assert heading in headings(path), target


@pytest.fixture
def front_door(tmp_path):
    """A folder with `run`, and on PATH programs in place of cmake and others, which say what they were asked for."""
    shutil.copy(project / "run", tmp_path / "run")
    tools = tmp_path / "tools"
    built = tmp_path / "build/release"
    tools.mkdir()
    built.mkdir(parents=True)
    scripts = {
        tools / "cmake": f"echo cmake $* >>{tmp_path}/asked; echo '[1/2] Building'; echo '[2/2] Linking'",
        tools / "dpkg-query": "echo install ok installed",
        tools / "node": "",
        tools / "npm": "",
        built / "burnish": f"echo burnish $1 >>{tmp_path}/asked; echo it came close",
    }
    for path, text in scripts.items():
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
    return tmp_path, {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "TERM": "xterm"}


@pytest.mark.parametrize("command", ["demo", "denoise"])
def test_run_builds_what_it_runs_and_no_more(front_door, command):
    folder, environment = front_door
    outcome = subprocess.run([folder / "run", command], env=environment, check=True, capture_output=True, text=True)
    asked = (folder / "asked").read_text().splitlines()
    builds = [line for line in asked if "--build" in line]
    targets = [line.split("--target ")[1] for line in builds if "--target" in line]
    assert targets == ["burnish_program", "burnish_viewer"][: len(builds)]
    assert "burnish denoise" in asked and "it came close" in outcome.stdout
    assert outcome.stderr == "building burnish (release): a few minutes the first time\n" * len(builds)


def test_run_shows_on_a_terminal_how_far_a_build_is(front_door):
    folder, environment = front_door
    ours, its = pty.openpty()
    subprocess.run([folder / "run", "denoise"], env=environment, check=True, stdout=its, stderr=its)
    os.close(its)
    shown = b""
    while not shown.endswith(b"close\r\n"):  # what the program says at the end; a terminal gives it in pieces
        shown += os.read(ours, 4096)
    os.close(ours)
    assert b"building: 1 of 2\rbuilding: 2 of 2\r\x1b[K" in shown
    assert "[2/2] Linking" in (folder / "build/release.log").read_text()


def test_run_shows_why_a_build_failed(front_door):
    folder, environment = front_door
    (folder / "tools/cmake").write_text("#!/bin/sh\necho no such thing as a compiler >&2\nexit 1\n")
    outcome = subprocess.run([folder / "run", "denoise"], env=environment, capture_output=True, text=True)
    assert outcome.returncode == 1 and "no such thing as a compiler" in outcome.stderr
