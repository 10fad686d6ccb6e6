"""
Each dependency of the package itself, not of its extras, stands in the docs with its reason, and
the package imports it. Besides these, Airflow, its providers and the standard library, the package
imports nothing that the docs do not name. The dependencies of the extra are named in the docs; they
need no reason of their own and no import.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

import wes_provider

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib  # which pytest installs there

ROOT = Path(__file__).parents[2]
PYPROJECT, PAGE = ROOT / "pyproject.toml", ROOT / "docs" / "dependencies.md"
FOR_TYPES = ("TYPE_CHECKING", "typing.TYPE_CHECKING")
BY_NAME = ("__import__", "import_module", "importlib.import_module")


def names_of(requirements: list[str]) -> list[str]:
    """The names of distributions, without their versions."""
    return [Requirement(requirement).name for requirement in requirements]


def read_project() -> dict[str, Any]:
    """The table ``project`` of ``pyproject.toml``."""
    project: dict[str, Any] = tomllib.loads(PYPROJECT.read_text())["project"]
    return project


DEPENDENCIES = names_of(read_project()["dependencies"])
OF_EXTRAS = names_of([*chain.from_iterable(read_project()["optional-dependencies"].values())])


def imports_in(source: str) -> Iterator[str]:
    """
    The modules that a source imports by their whole names when it runs, and not for types; also
    those that it imports by a string.
    """
    tree = ast.parse(source)
    for_types = {
        id(below)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) in FOR_TYPES
        for below in chain.from_iterable(map(ast.walk, node.body))
    }
    for node in ast.walk(tree):
        if id(node) in for_types:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in BY_NAME:
            yield from (each.value for each in node.args[:1] if isinstance(each, ast.Constant))


@pytest.fixture(scope="module")
def imported() -> set[str]:
    """The modules that the package imports."""
    folder = Path(wes_provider.__file__).parent
    return {name for path in folder.rglob("*.py") for name in imports_in(path.read_text())}


def test_every_dependency_has_its_reason_on_the_page():
    """A reason begins with a word."""
    explained = re.findall(r"^\| `([\w-]+)` \| \w", PAGE.read_text(), re.MULTILINE)
    assert sorted(explained) == sorted(DEPENDENCIES)


@pytest.mark.parametrize("dependency", OF_EXTRAS)
def test_every_dependency_of_an_extra_is_named_on_the_page(dependency: str):
    assert f"`{dependency}`" in PAGE.read_text()


def module_of(dependency: str) -> str:
    """The module of a dependency, as ``airflow.providers.common.compat``."""
    if dependency.startswith("apache-"):
        return dependency.removeprefix("apache-").replace("-", ".")
    return dependency.replace("-", "_")


def is_part_of(name: str, module: str) -> bool:
    """Tell whether a module is another one or below it; Airflow's providers are not Airflow's."""
    if module == "airflow" and name.startswith("airflow.providers."):
        return False
    return f"{name}.".startswith(f"{module}.")


@pytest.mark.parametrize("dependency", DEPENDENCIES)
def test_every_dependency_is_imported(imported: set[str], dependency: str):
    module = module_of(dependency)
    assert any(is_part_of(name, module) for name in imported)


def test_every_import_besides_those_of_airflow_is_named_on_the_page(imported: set[str]):
    packages = {name.partition(".")[0] for name in imported}
    foreign = packages - sys.stdlib_module_names - {"wes_provider", "airflow"}
    text = PAGE.read_text()
    assert {name for name in foreign if f"`{name}`" not in text} == set()
