"""What the program shows on a terminal and elsewhere: help, progress, colours, completion, the manual page."""

import os
import pty
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest

project = Path(__file__).resolve().parents[2]
program = os.environ.get("BURNISH_PROGRAM", str(project / "build/release/burnish"))
slow = os.environ.get("BURNISH_SLOW") == "1"


def needs(tool):
    """Skips a test where the tool is missing; with BURNISH_SLOW=1, which promises all of them, it fails there."""
    return pytest.mark.skipif(not slow and not shutil.which(tool), reason=f"needs {tool}")


def burnish(*arguments, **keywords):
    keywords.setdefault("check", True)
    return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, timeout=120, **keywords)


def on_terminal(*arguments, **environment):
    """Runs the program on a terminal of its own; what that shows, and the exit code."""
    environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR"} | {"TERM": "xterm"} | environment
    ours, its = pty.openpty()
    child = subprocess.Popen([program, *map(str, arguments)], stdout=its, stderr=its, env=environment)
    os.close(its)
    shown = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:  # how a terminal ends
            break
        if not part:
            break
        shown += part
    os.close(ours)
    return shown.decode().replace("\r\n", "\n"), child.wait()


def commands():
    help_text = burnish("--help").stdout
    section = help_text.split("Subcommands:\n")[1].split("\n\n")[0]
    return re.findall(r"^  ([a-z]+)", section, re.MULTILINE)


def options_of(command):
    return set(re.findall(r"^ +(?:-\w,)?--([a-z0-9-]+)", burnish(command, "--help").stdout, re.MULTILINE))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The files that examples speak of, small ones."""
    path = tmp_path_factory.mktemp("examples")
    burnish("synth", "part", "clean.ply", "--points", 1500, cwd=path)
    burnish("noise", "clean.ply", "noisy.ply", "--sigma", 0.003, "--unit", "diameter", cwd=path)
    for name in ("scan.ply", "smooth.ply"):
        shutil.copy(path / "noisy.ply", path / name)
    for name in ("scan.las", "survey.laz", "survey.copc.laz", "station.e57"):
        burnish("convert", "noisy.ply", name, cwd=path)
    (path / "mesh.off").write_text("OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n")
    (path / "studies").mkdir()
    (path / "data").mkdir()
    for name in ("synth.toml", "anchor.toml"):
        (path / "studies" / name).write_text(small_study)
    return path


small_study = """
title = "Small"
metric = [{ key = "mean_distance" }]
[noise]
levels = [0.01]
[[model]]
name = "cube"
shape = "cube"
points = 300
[[method]]
name = "MLS"
method = "mls"
"""


@pytest.mark.parametrize("command", commands())
def test_examples_of_the_help_work(command, folder, tmp_path):
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    text = burnish(command, "--help").stdout
    assert "\nExamples:\n" in text, f"{command} --help has no examples"
    examples = re.findall(r"^  (.*\bburnish .*)", text.split("\nExamples:\n")[1], re.MULTILINE)
    assert len(examples) >= 2
    environment = os.environ | {"PATH": f"{Path(program).parent}:{os.environ['PATH']}", "BROWSER": "true"}
    for example in examples:
        line = re.split(r"   +", example)[0]  # what is said about it comes after blanks
        subprocess.run(["bash", "-o", "pipefail", "-ec", line], check=True, cwd=tmp_path, env=environment, timeout=120)


def test_examples_of_the_program_work(tmp_path):
    text = burnish("--help").stdout.split("Try it:\n")[1]
    examples = re.findall(r"^  burnish (.*?)(?:   .*)?$", text, re.MULTILINE)
    assert len(examples) >= 4
    for example in examples:
        burnish(*example.replace("50000", "3000").split(), cwd=tmp_path)


def test_nothing_moves_and_no_colour_shows_off_a_terminal(folder):
    outcome = burnish("denoise", "noisy.ply", "out.ply", cwd=folder)
    assert outcome.stdout == ""
    assert outcome.stderr.count("\n") == 1 and "\033" not in outcome.stderr and "\r" not in outcome.stderr
    failed = burnish("info", "missing.ply", check=False)
    assert failed.stderr.startswith("burnish: missing.ply") and "\033" not in failed.stderr


def test_a_terminal_shows_progress_and_wipes_it(folder):
    burnish("synth", "part", "large.ply", "--points", 20000, cwd=folder)  # takes longer than a line is redrawn
    shown, code = on_terminal("denoise", folder / "large.ply", folder / "out.ply", "--method", "glr", "--threads", 1)
    assert code == 0
    assert re.search(r"\r\x1b\[Kdenoising +\d+ %", shown)
    last = shown.rstrip("\n").split("\r\x1b[K")[-1]
    assert "20000 points in" in last and "\n" not in last


def test_time_left_is_shown(tmp_path):
    burnish("synth", "organic", tmp_path / "large.ply", "--points", 60000, "--random")
    start = time.monotonic()
    shown, code = on_terminal(
        *("denoise", tmp_path / "large.ply", tmp_path / "out.ply", "--method", "glr", "--iterations", 4),
        *("--convergence", 0, "--threads", 1),
    )
    seconds = time.monotonic() - start
    assert code == 0
    left = [int(number) for number in re.findall(r"%, (\d+) s left", shown)]
    assert left, shown
    assert max(left) < 4 * seconds  # an estimate, not a promise
    assert left[-1] < left[0] or seconds < 4


def moments_of(*arguments):
    """Runs the program on a terminal; when it started, showed something and ended, and the lines it showed."""
    ours, its = pty.openpty()
    environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR"} | {"TERM": "xterm"}
    times, lines = [time.monotonic()], []
    child = subprocess.Popen([program, *map(str, arguments)], stdout=its, stderr=its, env=environment)
    os.close(its)
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:
            break
        times.append(time.monotonic())
        lines += part.decode(errors="replace").split("\r\x1b[K")
    os.close(ours)
    times.append(time.monotonic())
    assert child.wait() == 0, lines
    return times, lines


@pytest.mark.parametrize(
    "command",
    ["denoise noisy.ply out.ply", "mesh noisy.ply mesh.ply", "evaluate noisy.ply --truth clean.ply",
     "compare noisy.ply --truth clean.ply --methods mls --report report"],
)
def test_progress_moves_every_second(command, tmp_path, monkeypatch):
    """Also where the library reports seconds apart: the line is drawn again, and its numbers change."""
    monkeypatch.chdir(tmp_path)
    for points in (100_000, 200_000, 400_000, 800_000, 1_600_000):
        burnish("synth", "organic", "clean.ply", "--points", points, "--random")
        burnish("noise", "clean.ply", "noisy.ply", "--sigma", 0.004, "--unit", "diameter")
        times, lines = moments_of(*command.split(), "--threads", 1)
        took = times[-1] - times[0]
        if took > 4:
            break
    assert took > 4
    assert max(after - before for before, after in zip(times, times[1:])) < 1.5
    assert len(set(lines)) > took / 2


def test_colours_on_a_terminal_unless_unwanted():
    shown, code = on_terminal("info", "missing.ply")
    assert code == 1 and "\x1b[31m" in shown
    for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        shown, code = on_terminal("info", "missing.ply", **environment)
        assert code == 1 and "missing.ply" in shown and "\x1b[3" not in shown
    assert "\x1b[31m" in on_terminal("info", "missing.ply", NO_COLOR="")[0]


def test_quiet_says_nothing_but_errors(folder):
    for quiet in (["--quiet"], ["-q"]):
        outcome = burnish("convert", "scan.las", "out.pts", *quiet, cwd=folder)
        assert outcome.stdout == outcome.stderr == ""
    assert on_terminal("denoise", folder / "noisy.ply", folder / "out.ply", "--quiet") == ("", 0)
    assert "missing" in burnish("info", "missing.ply", "--quiet", check=False).stderr
    assert "spacing" in burnish("info", "scan.ply", "--quiet", cwd=folder).stdout


def test_verbose_tells_each_step(folder):
    report = burnish("denoise", "noisy.ply", "out.ply", "--verbose", cwd=folder).stderr
    steps = re.findall(r"^(\w+): \d+\.\d\d s$", report, re.MULTILINE)
    assert steps[0] == "reading" and steps[-1] == "writing" and "choosing" in steps
    assert burnish("info", "scan.ply", "--verbose", "--quiet", check=False, cwd=folder).returncode == 2


def test_help_says_burnish_wherever_it_is_run_from(folder):
    assert "Usage: burnish denoise" in burnish("denoise", "--help").stdout


def bash_completion(*words):
    line = f"""
eval "$('{program}' completion bash)"
compopt() {{ :; }}
COMP_WORDS=({' '.join(f"'{word}'" for word in words)})
COMP_CWORD={len(words) - 1}
_burnish
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    return subprocess.run(["bash", "-c", line], check=True, capture_output=True, text=True).stdout.split()


def test_bash_completes_commands_options_and_words():
    assert set(bash_completion("burnish", "")) == set(commands())
    assert bash_completion("burnish", "den") == ["denoise"]
    for command in commands():
        offered = {option.removeprefix("--") for option in bash_completion("burnish", command, "--")}
        assert offered == options_of(command), command
    assert bash_completion("burnish", "denoise", "a.ply", "b.ply", "--method", "mr") == ["mrpca"]
    assert bash_completion("burnish", "denoise", "--resample", "") == ["yes", "no"]
    assert bash_completion("burnish", "synth", "to") == ["torus"]
    assert bash_completion("burnish", "denoise", "--threads", "") == []
    assert bash_completion("burnish", "denoise", "sc") == []  # bash completes names of files itself
    assert bash_completion("burnish", "completion", "") == ["bash", "zsh", "fish"]


@needs("zsh")
def test_zsh_completes(tmp_path):
    (tmp_path / "_burnish").write_text(burnish("completion", "zsh").stdout)
    subprocess.run(["zsh", "-n", tmp_path / "_burnish"], check=True)
    # Types into an interactive zsh and asks it to complete.
    line = f"""
zmodload zsh/zpty
zpty -b shell zsh -f -i
zpty -w shell 'PS1=; fpath=({tmp_path} $fpath); autoload -U compinit; compinit -u -D; zstyle ":completion:*" list-colors no'
sleep 1
zpty -w -n shell "burnish denoise --meth"$'\\t'"ap"$'\\t'
sleep 1
zpty -w -n shell $'\\x01'"echo "$'\\n'
sleep 1
zpty -r -t shell text; while zpty -r -t shell more; do text+=$more; done
print -r -- $text
"""
    shown = subprocess.run(["zsh", "-fc", line], capture_output=True, text=True, timeout=60).stdout
    assert "--method apss" in shown or "--method=apss" in shown, shown


@needs("fish")
def test_fish_completes(tmp_path):
    (tmp_path / "burnish.fish").write_text(burnish("completion", "fish").stdout)

    def completed(text):
        line = f"source {tmp_path}/burnish.fish; complete -C '{text}'"
        shown = subprocess.run(["fish", "-c", line], check=True, capture_output=True, text=True).stdout
        return {row.split("\t")[0] for row in shown.splitlines()}

    assert completed("burnish ") >= set(commands())
    assert completed("burnish denoise --method mr") == {"mrpca"}
    for command in commands():
        assert {name.removeprefix("--") for name in completed(f"burnish {command} --")} == options_of(command)


def test_manual_page_tells_what_help_tells():
    page = burnish("man").stdout
    for command in commands():
        section = page.split(f"\n.SS {command}\n")[1].split("\n.SS ")[0]
        assert section.count("\\fB\\-\\-help") == 1
        for option in options_of(command):
            assert f"\\fB\\-\\-{option.replace('-', chr(92) + '-')}\\fR" in section, (command, option)


@needs("groff")
def test_manual_page_is_sound():
    page = burnish("man").stdout
    outcome = subprocess.run(
        ["groff", "-man", "-Tutf8", "-Kutf8", "-ww"], input=page, check=True, capture_output=True, text=True
    )
    assert outcome.stderr == ""
    plain = re.sub("\x1b\\[[0-9;]*m|.\b", "", outcome.stdout)  # without bold and underlined
    assert "NAME" in plain and "burnish denoise IN OUT [options]" in plain
