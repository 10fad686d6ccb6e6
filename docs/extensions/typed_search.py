"""
Pages search as one types: what the script for it needs of the index.

A keyword that stands below a heading leads to that section.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms import SphinxTransform
from sphinx.util import logging

SCRIPT: Final = "_static/search-as-you-type.js"
PARTS: Final = ("alltitles", "docnames", "indexentries", "objects", "terms")
"""What the script reads of the index."""

_logger = logging.getLogger(__name__)


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.add_transform(KeywordsOfSections)
    app.connect("build-finished", report_what_is_missing)


class KeywordsOfSections(SphinxTransform):
    """Gives the entries of ``.. index::`` the anchor of their section."""

    default_priority = 800  # before Sphinx collects them

    def apply(self, **_: Any) -> None:
        """Do so with the entries of pages, not with those of code."""
        for index in self.document.findall(addnodes.index):
            section = index.parent
            while section and not isinstance(section, nodes.section):
                section = section.parent
            if section:
                anchor = section["ids"][0]
                index["entries"] = [
                    _at(entry, anchor) for entry in index["entries"]
                ]


def _at(entry: tuple[Any, ...], anchor: str) -> tuple[Any, ...]:
    """Return an entry with another anchor, unless it is one of code."""
    kind, text, place, *rest = entry
    if not place.startswith("index-"):
        return entry
    return (kind, text, anchor, *rest)


def report_what_is_missing(app: Any, exception: Exception | None) -> None:
    """Warn if the script, or something that it reads, is not there."""
    if exception or app.builder.format != "html":
        return
    root = Path(app.outdir)
    if not (root / SCRIPT).exists():
        _logger.warning("no %s", SCRIPT)
    for page in root.glob("*.html"):
        if SCRIPT not in page.read_text(encoding="utf-8"):
            _logger.warning("%s does not load %s", page.name, SCRIPT)
    index = (root / "searchindex.js").read_text(encoding="utf-8")
    for part in ("Search.setIndex(", *PARTS):
        if part not in index:
            _logger.warning("searchindex.js has no %s", part)
