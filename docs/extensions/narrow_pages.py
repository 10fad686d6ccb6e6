"""
What makes pages readable on a narrow screen, and in a narrow column.

Code is at most 76 columns wide, or the build fails. Each picture is a link
to itself. Each cell of a table knows the heading of its column, so that
``pages.css`` can turn rows into blocks.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

COLUMNS: Final = 76

_logger = logging.getLogger(__name__)


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.add_post_transform(ImageLinks)
    app.add_post_transform(ColumnHeadings)
    app.connect("doctree-resolved", report_wide_code)


def report_wide_code(_app: Any, doctree: nodes.document, page: str) -> None:
    """Warn of each block of code that is wider than its column."""
    if page.startswith("_modules/"):
        return
    for block in doctree.findall(nodes.literal_block):
        widest = max(block.astext().splitlines(), key=len, default="")
        if len(widest) > COLUMNS:
            _logger.warning("wider than %d: %s", COLUMNS, widest)


class ImageLinks(SphinxPostTransform):
    """Makes each picture a link to itself, to be seen large."""

    default_priority = 900
    formats = ("html",)

    def run(self, **_: Any) -> None:
        """Wrap the images."""
        for image in list(self.document.findall(nodes.image)):
            name = Path(image["uri"]).name
            link = nodes.reference(
                "", "", internal=True, refuri=f"_images/{name}"
            )
            image.replace_self(link)
            link += image


class ColumnHeadings(SphinxPostTransform):
    """Wraps a cell's content, and puts its column's heading before it."""

    default_priority = 900
    formats = ("html",)

    def run(self, **_: Any) -> None:
        """Do so in each table that has headings."""
        for table in self.document.findall(nodes.table):
            heads = list(table.findall(nodes.thead))
            if not heads:
                continue
            headings = [
                entry.astext() for entry in heads[0].findall(nodes.entry)
            ]
            for body in table.findall(nodes.tbody):
                for row in body.findall(nodes.row):
                    entries = list(row.findall(nodes.entry))
                    for entry, heading in zip(
                        entries[1:], headings[1:], strict=False
                    ):
                        if not entry.astext().strip():
                            continue
                        label = nodes.inline("", heading)
                        label["classes"].append("column-heading")
                        entry.insert(0, label)
