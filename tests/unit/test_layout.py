"""Who may import whom, and where each module is named."""

from __future__ import annotations

import ast
import re
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "wes_provider"
LEAVES = ("storage", "guards", "doctor", "emulator")
SOURCES = {
    str(path.relative_to(PACKAGE)): path.read_text() for path in sorted(PACKAGE.rglob("*.py"))
}


def imports() -> dict[str, set[str]]:
    """By module, those of ours that it imports, lazily and for types included."""
    graph: dict[str, set[str]] = {path: set() for path in SOURCES}
    for path, text in SOURCES.items():
        for node in ast.walk(ast.parse(text)):
            if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith(
                "wes_provider"
            ):
                continue
            for alias in node.names:
                names = (f"{node.module}.{alias.name}".split("."), (node.module or "").split("."))
                places = ["/".join(name[1:]) for name in names]
                files = [place + end for place in places for end in (".py", "/__init__.py")]
                graph[path] |= set([file for file in files if file in SOURCES][:1]) - {path}
    return graph


def test_there_are_no_circles():
    TopologicalSorter(imports()).prepare()  # or an error that shows the circle


def named_in(page: str) -> set[str]:
    """What stands in backticks on a page of the docs."""
    return set(re.findall(r"(?<!`)`([^`\n]+)`(?!`)", (ROOT / "docs" / page).read_text()))


def test_each_module_is_named_by_the_pages_for_contributors():
    modules = [Path(path) for path in SOURCES if not Path(path).stem.startswith("__")]
    of_leaves = {path.stem for path in modules if path.parts[0] in LEAVES}
    others = {path.stem for path in modules if path.parts[0] not in LEAVES}
    assert of_leaves - named_in("leaves.md") == set()
    assert others - named_in("architecture.md") == set()
