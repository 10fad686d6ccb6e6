"""Who may import whom."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "wes_provider"
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
