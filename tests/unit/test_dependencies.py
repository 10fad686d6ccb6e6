"""
Each dependency stands in the docs with its reason, and the package imports each, and besides
Airflow, its providers and the standard library nothing that the docs do not name.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import wes_provider

ROOT = Path(__file__).parents[2]
PYPROJECT, PAGE = ROOT / "pyproject.toml", ROOT / "docs" / "dependencies.md"


def declared() -> list[str]:
    """The names of the dependencies in ``pyproject.toml``, without the extras' ones."""
    found = re.search(
        r"^dependencies = \[\n(.*?)^\]", PYPROJECT.read_text(), re.MULTILINE | re.DOTALL
    )
    assert found
    return re.findall(r'^    "([\w-]+)', found[1], re.MULTILINE)


def imports_in(source: str) -> Iterator[str]:
    """The modules that a source imports by their whole names when it runs, and not for types."""
    tree = ast.parse(source)
    for_types = {
        id(below)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for below in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in for_types:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


@pytest.fixture(scope="module")
def imported() -> set[str]:
    """The modules that the package imports."""
    folder = Path(wes_provider.__file__).parent
    return {name for path in folder.rglob("*.py") for name in imports_in(path.read_text())}


def test_every_dependency_has_its_reason_on_the_page():
    explained = re.findall(r"^\| `([\w-]+)` \| [^\s|]", PAGE.read_text(), re.MULTILINE)
    assert sorted(explained) == sorted(declared())


def module_of(dependency: str) -> str:
    """The module of a dependency, as ``airflow.providers.common.compat``."""
    if dependency.startswith("apache-"):
        return dependency.removeprefix("apache-").replace("-", ".")
    return dependency.replace("-", "_")


@pytest.mark.parametrize("dependency", declared())
def test_every_dependency_is_imported(imported: set[str], dependency: str):
    module = module_of(dependency)
    assert any(f"{name}.".startswith(f"{module}.") for name in imported)


def test_every_import_besides_those_of_airflow_is_named_on_the_page(imported: set[str]):
    packages = {name.partition(".")[0] for name in imported}
    foreign = packages - sys.stdlib_module_names - {"wes_provider", "airflow"}
    text = PAGE.read_text()
    assert {name for name in foreign if f"`{name}`" not in text} == set()
