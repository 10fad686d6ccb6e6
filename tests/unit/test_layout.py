"""Who may import whom, where each module is named, and that tests assign a name once."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "wes_provider"
LEAVES = ("storage", "guards", "doctor", "emulator")

ROOMS_OF_THE_DOCTOR = (
    "replies",
    "records",
    "reads",
    "findings",
    "in_front",
    "questions",
    "writes",
    "conclusions",
)
"""Each imports from those that stand before it, and never from those behind it."""
SOURCES = {
    str(path.relative_to(PACKAGE)): path.read_text() for path in sorted(PACKAGE.rglob("*.py"))
}


@cache
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


def room_of(path: str) -> str | None:
    """The doctor's room that has a module; None for other modules, the doctor's own included."""
    parts = Path(path).parts
    return parts[1] if parts[0] == "doctor" and len(parts) == 3 else None


def test_rooms_of_the_doctor_import_only_rooms_before_them():
    upwards = [
        f"{path} imports {imported}"
        for path, all_imported in imports().items()
        for imported in sorted(all_imported)
        if (room := room_of(path)) and (used := room_of(imported))
        if ROOMS_OF_THE_DOCTOR.index(used) > ROOMS_OF_THE_DOCTOR.index(room)
    ]
    assert upwards == []


def test_rooms_of_the_doctor_know_nothing_of_its_command_but_the_options():
    of_the_command = {
        imported
        for path, all_imported in imports().items()
        for imported in all_imported
        if room_of(path) and imported.startswith("doctor/") and not room_of(imported)
    }
    assert of_the_command == {"doctor/options.py"}


def named_in(page: str) -> set[str]:
    """What stands in backticks on a page of the docs."""
    return set(re.findall(r"(?<!`)`([^`\n]+)`(?!`)", (ROOT / "docs" / page).read_text()))


def test_each_module_is_named_by_the_pages_for_contributors():
    modules = [Path(path) for path in SOURCES if not Path(path).stem.startswith("__")]
    of_leaves = {path.stem for path in modules if path.parts[0] in LEAVES}
    others = {path.stem for path in modules if path.parts[0] not in LEAVES}
    assert of_leaves - named_in("leaves.md") == set()
    assert others - named_in("architecture.md") == set()


def assigned_names(module: ast.Module) -> Iterator[str]:
    """The names that assignments of a module bind; ruff notices functions and classes."""
    for statement in module.body:
        if isinstance(statement, ast.Assign):
            for target in statement.targets:
                for node in ast.walk(target):
                    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                        yield node.id


def test_no_module_of_the_tests_assigns_a_name_twice():
    twice = [
        f"{path}: {name}"
        for path in sorted((ROOT / "tests").rglob("*.py"))
        for name, number in Counter(assigned_names(ast.parse(path.read_text()))).items()
        if number > 1
    ]
    assert twice == []
