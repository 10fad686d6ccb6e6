"""
Folds the groups of the sidebar, so that it fits beside a page.

On each page, the group to start with is open, and the one of the page
itself. The sidebar's order is no reading order: a page that is best read
before another one says so itself, at its end. So the theme's links to the
previous and the next page are left out.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

OPEN: Final = ("Start",)

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
    app.connect("html-page-context", leave_neighbours_out)
    app.connect("build-finished", fold_groups)


def leave_neighbours_out(
    _app: Any,
    _page: str,
    _template: str,
    context: dict[str, Any],
    _doctree: Any,
) -> None:
    """Have the theme link neither to the previous page nor to the next."""
    context["prev"] = context["next"] = None


def fold_groups(app: Any, exception: Exception | None) -> None:
    """Make a group of each caption of a page's sidebar."""
    if exception or app.builder.format != "html":
        return
    for page in Path(app.outdir).rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        page.write_text(GROUP.sub(_as_group, text), encoding="utf-8")


def _as_group(found: re.Match[str]) -> str:
    name, pages = found["name"], found["pages"]
    is_open = name in OPEN or CURRENT in pages
    opened = " open" if is_open else ""
    return (
        f'<details class="group"{opened}><summary>'
        f'<span class="caption" role="heading" aria-level="2">{name}</span>'
        f"</summary>{pages}</details>"
    )
