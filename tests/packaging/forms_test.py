"""The descriptions for package managers are of the form that these want, and agree with each other.

Those that can be run here are run by ./run check packages; docs/install.md says which were."""

import json
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

yaml = pytest.importorskip("yaml")
tomllib = pytest.importorskip("tomllib")

project = Path(__file__).resolve().parents[2]
header = (project / "include/burnish/version.hpp").read_text()
version = ".".join(re.findall(r"#define BURNISH_VERSION_[A-Z]+ (\d+)", header))
pyproject = tomllib.loads((project / "pyproject.toml").read_text())
conda = yaml.safe_load((project / "packaging/conda/recipe.yaml").read_text())
vcpkg = json.loads((project / "packaging/vcpkg/burnish/vcpkg.json").read_text())
formula = (project / "packaging/homebrew/burnish.rb").read_text()
docker = (project / "packaging/Dockerfile").read_text()
ros = ElementTree.parse(project / "package.xml").getroot()
citation = yaml.safe_load((project / "CITATION.cff").read_text())
workflows = {path.name: yaml.safe_load(path.read_text()) for path in (project / ".github/workflows").glob("*.yml")}
texts = [path for folder in ("packaging", ".github") for path in (project / folder).rglob("*") if path.is_file()]


def test_all_have_the_version_of_the_header():
    assert conda["context"]["version"] == version
    assert vcpkg["version"] == version
    assert re.search(r'^  version "(.*)"$', formula, re.MULTILINE).group(1) == version
    assert ros.findtext("version") == version
    assert citation["version"] == version
    found = re.search(pyproject["tool"]["scikit-build"]["metadata"]["version"]["regex"], header).groupdict()
    assert pyproject["tool"]["scikit-build"]["metadata"]["version"]["result"].format(**found) == version


def wanted():
    """What CMakeLists.txt looks for, in small letters, without what differs between managers."""
    names = re.findall(r"find_package\((\w+) ", (project / "CMakeLists.txt").read_text())
    return {re.sub(r"[^a-z]|\d", "", name.lower()) for name in names}


def simplified(names):
    """nlohmann-json3-dev, tbb-devel, libeigen3-dev … as wanted() has them."""
    plain = {re.sub(r"^lib|[-_]dev(el)?$|\d*[-_]?dev$|\d+g?$", "", name.split(" ")[0].lower()) for name in names}
    return {re.sub(r"[^a-z]", "", name).removesuffix("g") for name in plain}


@pytest.mark.parametrize(
    "names, without",
    [
        (conda["requirements"]["host"], set()),
        (re.findall(r'depends_on "([^"]+)"|uses_from_macos "([^"]+)"', formula), set()),
        (re.findall(r"\S+", docker.split("install -y")[1]), set()),
        ([name for name in vcpkg["dependencies"] if isinstance(name, str)], {"cli", "tomlplusplus"}),
        ([element.text for element in ros if element.tag.endswith("depend")], set()),
    ],
    ids=["conda", "homebrew", "docker", "vcpkg", "ros"],
)
def test_all_name_what_cmake_looks_for(names, without):
    plain = simplified("".join(name) if isinstance(name, tuple) else name for name in names)
    assert wanted() - without <= plain, wanted() - without - plain


def test_workflows_are_of_their_form():
    assert set(workflows) == {"test.yml", "wheels.yml"}
    for workflow in workflows.values():
        assert workflow["name"] and workflow[True]  # YAML reads the key "on" as a truth value
        assert workflow["permissions"] == {"contents": "read"}
        for job in workflow["jobs"].values():
            assert job["runs-on"] and job["steps"]
            for step in job["steps"]:
                assert len({"run", "uses"} & set(step)) == 1
                if "uses" in step:
                    assert re.fullmatch(r"[\w-]+/[\w-]+@v\d[\d.]*", step["uses"]), step["uses"]


def test_workflows_run_what_there_is():
    usage = subprocess.run([project / "run"], check=True, capture_output=True, text=True).stdout
    for command in workflows["test.yml"]["jobs"]["debian"]["strategy"]["matrix"]["command"]:
        assert f"./run {command} " in usage
    systems = workflows["wheels.yml"]["jobs"]["wheels"]["strategy"]["matrix"]["os"]
    assert {system.split("-")[0] for system in systems} == {"ubuntu", "macos", "windows"}
    for system in ("linux", "macos", "windows"):
        script = pyproject["tool"]["cibuildwheel"][system]["before-all"]
        named = re.search(r"packaging/\S+", script)
        assert not named or (project / named.group()).exists()


def test_windows_is_built_by_clang():
    # Visual Studio's own compiler lacks the vectors that the library is written with.
    assert pyproject["tool"]["cibuildwheel"]["windows"]["environment"]["CMAKE_GENERATOR_TOOLSET"] == "ClangCL"
    assert "-T ClangCL" in workflows["test.yml"]["jobs"]["windows"]["steps"][2]["run"]


def test_recipes_use_options_that_there_are():
    cmake = "".join((project / path).read_text() for path in ("CMakeLists.txt", "python/CMakeLists.txt"))
    known = set(re.findall(r"\b(?:option|set)\((BURNISH_\w+)", cmake))
    used = set(pyproject["tool"]["scikit-build"]["cmake"]["define"])
    for path in texts:
        used.update(re.findall(r"-D(BURNISH_\w+)=", path.read_text()))
    assert {name for name in used if name.startswith("BURNISH")} <= known


def test_citation_and_ros_have_what_they_must():
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    assert ros.tag == "package" and ros.get("format") == "3"
    for name in ("name", "version", "description", "maintainer", "license"):
        assert ros.findtext(name), name
    assert ros.find("export/build_type").text == "cmake"


def test_docker_copies_what_an_earlier_stage_made():
    instructions = [line.split()[0] for line in docker.replace("\\\n", "").splitlines() if line and line[0] not in "# "]
    assert set(instructions) <= {"FROM", "RUN", "COPY", "WORKDIR", "ENTRYPOINT"} and instructions[0] == "FROM"
    stages = set(re.findall(r"^FROM \S+ AS (\w+)", docker, re.MULTILINE))
    assert set(re.findall(r"--from=(\w+)", docker)) <= stages


def test_licence_and_name_are_the_same():
    for licence in (conda["about"]["license"], vcpkg["license"], ros.findtext("license"), citation["license"]):
        assert licence == pyproject["project"]["license"]["text"] == "Apache-2.0"
    for name in (conda["package"]["name"], vcpkg["name"], ros.findtext("name"), citation["title"]):
        assert name == pyproject["project"]["name"]


@pytest.mark.skipif(not shutil.which("ruby"), reason="no ruby")
def test_formula_is_ruby():
    subprocess.run(["ruby", "-c", project / "packaging/homebrew/burnish.rb"], check=True, capture_output=True)


def test_scripts_are_shell():
    for path in texts:
        if path.suffix == ".sh":
            subprocess.run(["bash", "-n", path], check=True)
