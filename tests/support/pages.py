"""The pages of docs/ and the README, and what stands in them."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = {page.name: page.read_text() for page in sorted(DOCS.glob("*.md"))}
README = (ROOT / "README.md").read_text()


def snippets(text: str, language: str = r"\w*") -> list[str]:
    """Content of the fenced blocks in a text."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def section(text: str, heading: str) -> str:
    """From a heading of the second level to the next."""
    (found,) = re.findall(rf"^## {heading}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return str(found)


def tables(text: str) -> list[list[dict[str, str]]]:
    """Read the tables of a text: the rows of each, by the names of their columns."""
    found: list[list[dict[str, str]]] = []
    for block in re.findall(r"(?:^\|.*\|\n)+", text, re.MULTILINE):
        names, _, *rows = [_cells(line) for line in block.strip().split("\n")]
        found.append([dict(zip(names, row, strict=True)) for row in rows])
    return found


def _cells(line: str) -> list[str]:
    return [cell.strip().strip("`") for cell in line.strip().strip("|").split("|")]
