"""The house stays small: rooms, modules, classes and functions have budgets."""

from __future__ import annotations

import ast
import re
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "wes_provider"
SOURCES = {str(path.relative_to(PACKAGE)): path.read_text() for path in sorted(PACKAGE.rglob("*.py"))}
LEAVES = ("storage", "guards", "doctor", "emulator")

ROOMS = {  # the first that matches counts; lines
    "storage/": 1300,
    "guards/": 800,
    "doctor/": 1600,
    "emulator/": 4000,
    "client/": 900,
    "uploads/": 1000,
    "operators/": 1300,
    "": 2800,
}
LONGEST = {"module": 350, "class": 150, "function": 40}
REGULAR_EXPRESSIONS = {"core": 12, "leaves": 15}


def room_of(path: str) -> str:
    return next(room for room in ROOMS if path.startswith(room))


def pieces(kind: str) -> list[tuple[int, str]]:
    """Lines and place of each, the longest first."""
    if kind == "module":
        return sorted(((text.count("\n"), path) for path, text in SOURCES.items()), reverse=True)
    nodes = (ast.ClassDef,) if kind == "class" else (ast.FunctionDef, ast.AsyncFunctionDef)
    found = [
        ((node.end_lineno or 0) - node.lineno + 1, f"{path}:{node.name}")
        for path, text in SOURCES.items()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, nodes)
    ]
    return sorted(found, reverse=True)


@pytest.mark.parametrize("room", ROOMS)
def test_each_room_keeps_to_its_budget(room: str):
    assert sum(text.count("\n") for path, text in SOURCES.items() if room_of(path) == room) <= ROOMS[room]


@pytest.mark.parametrize("kind", LONGEST)
def test_nothing_is_too_long_to_read(kind: str):
    largest = pieces(kind)[:5]
    print("\n".join(f"{lines:5} {place}" for lines, place in largest))
    assert largest[0][0] <= LONGEST[kind]


def test_libraries_parse_instead_of_regular_expressions():
    calls = re.compile(r"\bre\.(?:compile|match|search|fullmatch|sub|split|findall|finditer)\(")
    counts = dict.fromkeys(REGULAR_EXPRESSIONS, 0)
    for path, text in SOURCES.items():
        counts["leaves" if path.startswith(LEAVES) else "core"] += len(calls.findall(text))
    assert all(counts[part] <= most for part, most in REGULAR_EXPRESSIONS.items()), counts


def imports() -> dict[str, set[str]]:
    """By module, those of ours that it imports, lazily and for types included."""
    graph: dict[str, set[str]] = {path: set() for path in SOURCES}
    for path, text in SOURCES.items():
        for node in ast.walk(ast.parse(text)):
            if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("wes_provider"):
                continue
            for alias in node.names:
                names = (f"{node.module}.{alias.name}".split("."), (node.module or "").split("."))
                places = ["/".join(name[1:]) for name in names]
                files = [place + end for place in places for end in (".py", "/__init__.py")]
                graph[path] |= set([file for file in files if file in SOURCES][:1]) - {path}
    return graph


def test_there_are_no_circles():
    TopologicalSorter(imports()).prepare()  # or an error that shows the circle
