"""Builds the compiled half of the Python module with CMake; all else is in pyproject.toml."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

project = Path(__file__).resolve().parent


class CMakeBuild(build_ext):
    def build_extension(self, extension):
        build = Path(self.build_temp).resolve() / "cmake"
        package = Path(self.get_ext_fullpath(extension.name)).resolve().parent
        subprocess.run(
            [
                *("cmake", "-S", project, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"),
                *("-DBURNISH_TESTS=OFF", "-DBURNISH_BENCH=OFF", "-DBURNISH_PYTHON=ON", "-DBURNISH_COMMAND=OFF"),
                *(f"-DPython_EXECUTABLE={sys.executable}", f"-DBURNISH_PYTHON_INSTALL={package}"),
            ],
            check=True,
        )
        subprocess.run(["cmake", "--build", build, "--target", "burnish_python"], check=True)
        if shutil.which("npm"):  # the page of burnish.view; all else works without it
            subprocess.run(["cmake", "--build", build, "--target", "burnish_viewer"])
        subprocess.run(["cmake", "--install", build, "--component", "python"], check=True)


numbers = re.findall(r"#define BURNISH_VERSION_[A-Z]+ (\d+)", (project / "include/burnish/version.hpp").read_text())
version = ".".join(numbers)
setup(version=version, ext_modules=[Extension("burnish._burnish", sources=[])], cmdclass={"build_ext": CMakeBuild})
