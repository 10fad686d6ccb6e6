"""
Each dependency stands in the docs with its reason, and the package imports nothing that does not.
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import wes_provider

ROOT = Path(__file__).parents[2]
PYPROJECT, PAGE = ROOT / "pyproject.toml", ROOT / "docs" / "dependencies.md"


def test_every_dependency_has_its_reason():
    declared = re.search(
        r"^dependencies = \[\n(.*?)^\]", PYPROJECT.read_text(), re.MULTILINE | re.DOTALL
    )
    assert declared
    explained = re.findall(r"^\| `([\w-]+)` \| \S", PAGE.read_text(), re.MULTILINE)
    assert sorted(explained) == sorted(re.findall(r'^    "([\w-]+)', declared[1], re.MULTILINE))


def test_every_import_is_explained():
    imported = set()
    for path in Path(wes_provider.__file__).parent.rglob("*.py"):
        tree = ast.parse(path.read_text())
        for_types = {
            id(below)
            for node in ast.walk(tree)
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
            for below in ast.walk(node)
        }
        for node in ast.walk(tree):
            if id(node) in for_types:
                continue  # not imported when the package runs
            if isinstance(node, ast.Import):
                imported |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                imported.add(node.module.partition(".")[0])
    foreign = imported - sys.stdlib_module_names - {"wes_provider", "airflow"}
    text = PAGE.read_text()
    assert {name for name in foreign if f"`{name}`" not in text} == set()
