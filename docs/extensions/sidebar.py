"""
Folds the groups of the sidebar, so that it fits beside a page.

Two groups are open: the first one, and the one of the page that is shown.
On the first page, there is one more.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

MOST_WANTED: Final = ("Start", "Fill lists")
"""Groups that are open, if no other one has the page."""

ON_THE_FIRST_PAGE: Final = (*MOST_WANTED, "Operate")
"""Groups that are open there."""

FIRST_PAGE: Final = "index.html"

CURRENT: Final = 'class="current'
"""The class of the page's own entry."""

GROUP: Final = re.compile(
    r'<p class="caption" role="heading"[^>]*>'
    r'<span class="caption-text">(?P<name>[^<]*)</span></p>\s*'
    r"(?P<pages><ul.*?</ul>)",
    re.DOTALL,
)


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("build-finished", fold_groups)


def fold_groups(app: Any, exception: Exception | None) -> None:
    """Make a group of each caption of a page's sidebar."""
    if exception or app.builder.format != "html":
        return
    for page in Path(app.outdir).rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        names = _opened(text)
        if page == Path(app.outdir, FIRST_PAGE):
            names = ON_THE_FIRST_PAGE
        page.write_text(_with_groups(text, names), encoding="utf-8")


def _with_groups(text: str, names: Sequence[str]) -> str:
    return GROUP.sub(lambda found: _as_group(found, names), text)


def _opened(text: str) -> Sequence[str]:
    names = list(MOST_WANTED)
    for found in GROUP.finditer(text):
        if CURRENT in found["pages"] and found["name"] not in names:
            names[-1] = found["name"]
    return names


def _as_group(found: re.Match[str], names: Sequence[str]) -> str:
    name, pages = found["name"], found["pages"]
    opened = " open" if name in names else ""
    return (
        f'<details class="group"{opened}><summary>'
        f'<span class="caption" role="heading" aria-level="2">{name}</span>'
        f"</summary>{pages}</details>"
    )
