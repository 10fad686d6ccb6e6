"""Identifiers are of the field: a reader who knows Airflow and HTTP has no private word to learn."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "wes_provider"

PRIVATE_WORDS = set(
    "answer answers answered look looks looked tell tells told hear heard turn turns slot slots pace hold holds crowd "
    "patience patient take_in hand_on settle settles settled mend mended anew twin twins".split()
)
"""Such as "answer" for a response, "look" for a poll, "turn" for the time at which something is sent."""


def identifiers() -> Iterator[tuple[str, str]]:
    """Each name that the package gives, with the file."""
    for path in sorted(PACKAGE.rglob("*.py")):
        where = str(path.relative_to(PACKAGE))
        yield path.stem, where
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                yield node.name, where
            elif isinstance(node, ast.arg):
                yield node.arg, where
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id, where
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                yield node.attr, where


def private_words(identifier: str) -> set[str]:
    """Of the words of a name in snake_case or CamelCase, those that are not of the field."""
    if identifier.startswith("__"):
        return set()  # Python's own
    snake = "_" + re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", identifier).lower().strip("_") + "_"
    return {word for word in PRIVATE_WORDS if f"_{word}_" in snake}


def test_identifiers_are_of_the_field():
    assert {name: (words, where) for name, where in identifiers() if (words := private_words(name))} == {}


def test_words_are_found_in_both_spellings():
    assert private_words("_look_at") == private_words("LookAgain") == {"look"}
    assert private_words("outlook") == private_words("lookup") == set()
