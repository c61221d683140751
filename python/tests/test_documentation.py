"""Examples in docstrings run; the stubs say what is there."""

import ast
import doctest
import importlib
import inspect
from pathlib import Path

import burnish

package = Path(burnish.__file__).parent


def test_examples_run():
    modules = [burnish] + [importlib.import_module(f"burnish.{file.stem}") for file in package.glob("_[a-z]*.py")]
    results = [doctest.testmod(module) for module in modules]
    assert sum(result.failed for result in results) == 0
    assert sum(result.attempted for result in results) > 25


def stub():
    return ast.parse((package / "__init__.pyi").read_text())


def test_stub_names_everything_and_nothing_else():
    named = {node.name for node in stub().body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    assert named | {"__version__", "settings"} == set(burnish.__all__)
    assert all(getattr(burnish, name).__doc__ for name in named if name != "Error")


def test_stub_has_the_parameters_there_are():
    for node in stub().body:
        if isinstance(node, ast.FunctionDef):
            several = [node.args.vararg] if node.args.vararg else []
            documented = [a.arg for a in node.args.args + several + node.args.kwonlyargs]
            there = list(inspect.signature(getattr(burnish, node.name)).parameters)
            assert documented == there, node.name


def test_stub_has_the_members_there_are():
    for node in stub().body:
        if isinstance(node, ast.ClassDef) and node.name not in ("Error", "LeftOut", "Result", "Method", "Option"):
            for member in node.body:
                if isinstance(member, ast.FunctionDef):
                    assert hasattr(getattr(burnish, node.name), member.name), (node.name, member.name)


def test_stub_has_the_settings_there_are():
    stub_of_settings = ast.parse((package / "settings.pyi").read_text())
    for node in stub_of_settings.body:
        if isinstance(node, ast.ClassDef) and node.name != "Settings":
            documented = [field.target.id for field in node.body if isinstance(field, ast.AnnAssign)]
            there = list(getattr(burnish.settings, node.name).__dataclass_fields__)
            assert documented == there, node.name
    named = {node.name for node in stub_of_settings.body if isinstance(node, ast.ClassDef)}
    assert named - {"Settings"} == set(burnish.settings.__all__)
