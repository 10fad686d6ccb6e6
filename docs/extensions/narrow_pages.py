"""
What makes pages readable on a narrow screen, and in a narrow column.

Code is at most 76 columns wide, and pictures are narrow enough to be read,
or the build fails. The marks of an example's parts are left out. Each
picture is a link to itself. Each cell of a table knows the heading of its
column, so that ``pages.css`` can turn rows into blocks. Tables of entries
are blocks at every width: a link leads to each of their rows, and a badge
marks errors that Airflow retries. Code that
fits into a line stays whole, and a longer identifier breaks where a reader
would break it.
"""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any, Final

import imagesize
from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

COLUMNS: Final = 76

WIDEST: Final = 1060
"""Pixels of a picture whose text can be read on a telephone."""

SAYS_NOTHING: Final = "any"
"""A condition that needs no line where rows are blocks."""

WITHOUT_LABELS: Final = "entries"
"""The class around a table whose rows are blocks without headings."""

RETRIED: Final = re.compile(r", retried(?=[:;])")
"""How an entry says that Airflow retries the task, which a badge shows."""

DECIDES: Final = "then"
"""The column of a table whose other columns are conditions."""

MARK: Final = re.compile(r"^ *# \[(?:START|END) \w+\]\n", re.MULTILINE)
"""The beginning or the end of a part of an example that a page shows."""

LONGEST_WORD: Final = 40
"""Letters of code that fit into a line of any telephone."""

LONGEST_IN_HEADING: Final = 16
"""Letters of an identifier in a heading that need no place to break."""

LONGEST_COMMAND: Final = 36
"""Letters of a command within a sentence that stays in a line."""

COMMAND: Final = re.compile(
    r'<code class="(docutils literal[^"]*)">(.*?)</code>'
)
CODE: Final = re.compile(r'<span class="pre">([^<]*)</span>')
HEADING: Final = re.compile(r"<h([1-6])>.*?</h\1>", re.DOTALL)
TEXT: Final = re.compile(r"(?<=>)[^<>]+(?=<)")
STRING: Final = re.compile(r"&quot;[^&<\s]+&quot;")
"""A string within code, whose hyphens are no places to break."""

PLACES: Final = re.compile(
    r"(?<=[a-z0-9])(?=[A-Z])|(?<=[_./=,])(?<!//)(?=\w)"
)
AFTER_SLASH: Final = re.compile(r"(?<=/)(?<!//)(?=[\w{])")
"""Where a path may break that has parts to fill in."""

_logger = logging.getLogger(__name__)


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.add_post_transform(ImageLinks)
    app.add_post_transform(ColumnHeadings)
    app.connect("doctree-read", leave_marks_out)
    app.connect("doctree-resolved", report_wide_code)
    app.connect("build-finished", break_identifiers)


def leave_marks_out(_app: Any, doctree: nodes.document) -> None:
    """Take the marks out of code that a page includes as a whole."""
    for block in doctree.findall(nodes.literal_block):
        if MARK.search(block.rawsource):
            block.rawsource = MARK.sub("", block.rawsource)
            block.children = [nodes.Text(block.rawsource)]


def report_wide_code(_app: Any, doctree: nodes.document, page: str) -> None:
    """Warn of each block of code that is wider than its column."""
    if page.startswith("_modules/"):
        return
    for block in doctree.findall(nodes.literal_block):
        widest = max(block.astext().splitlines(), key=len, default="")
        if len(widest) > COLUMNS:
            _logger.warning("wider than %d: %s", COLUMNS, widest)


def break_identifiers(app: Any, exception: Exception | None) -> None:
    """Say where code and headings of each page may break."""
    if exception or app.builder.format != "html":
        return
    for page in Path(app.outdir).rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        text = COMMAND.sub(_whole_command, text)
        text = CODE.sub(_breakable_code, text)
        text = HEADING.sub(_breakable_heading, text)
        page.write_text(text, encoding="utf-8")


def _whole_command(found: re.Match[str]) -> str:
    kind, code = found.groups()
    if len(unescape(re.sub("<[^>]*>", "", code))) > LONGEST_COMMAND:
        return found[0]
    return f'<code class="{kind} whole">{code}</code>'


def _breakable_code(found: re.Match[str]) -> str:
    code = found[1]
    if len(unescape(code)) <= LONGEST_WORD or code.startswith("--"):
        return f'<span class="pre whole">{code}</span>'
    text = _with_places(code, LONGEST_WORD)
    text = STRING.sub(r'<span class="whole">\g<0></span>', text)
    return f'<span class="pre">{text}</span>'


def _breakable_heading(found: re.Match[str]) -> str:
    return TEXT.sub(
        lambda text: _with_places(text[0], LONGEST_IN_HEADING), found[0]
    )


def _with_places(text: str, longest: int) -> str:
    words = text.split(" ")
    for number, word in enumerate(words):
        if len(word) > longest:
            places = AFTER_SLASH if "/{" in word else PLACES
            words[number] = places.sub("<wbr>", word)
    return " ".join(words)


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
            link["classes"].append("picture")
            width, _ = imagesize.get(Path(self.app.srcdir, image["uri"]))
            if width > WIDEST:
                _logger.warning("wider than %d: %s", WIDEST, name)
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
            if _is_without_labels(table):
                _give_anchors(table)
                continue
            headings = [
                entry.astext() for entry in heads[0].findall(nodes.entry)
            ]
            for body in table.findall(nodes.tbody):
                for row in body.findall(nodes.row):
                    _label(list(row.findall(nodes.entry)), headings)


def _give_anchors(table: nodes.table) -> None:
    """Give each row an anchor made of its first cell, and a link to it."""
    for row in next(iter(table.findall(nodes.tbody))).findall(nodes.row):
        first, *_, last = row.findall(nodes.entry)
        anchor = nodes.make_id(f"error-{first.astext()}")
        row["ids"].append(anchor)
        link = nodes.raw(
            "",
            f'<a class="headerlink" href="#{anchor}" '
            'title="Link to this entry">¶</a>',
            format="html",
        )
        (paragraph,) = first.findall(nodes.paragraph)
        if _is_retried(last):
            paragraph += nodes.Text(" ")
            paragraph += nodes.inline("", "retried", classes=["badge"])
        paragraph += link


def _is_retried(entry: nodes.entry) -> bool:
    """Whether it says so; it no longer does, as a badge does."""
    for text in list(entry.findall(nodes.Text)):
        if RETRIED.search(text):
            text.parent.replace(text, nodes.Text(RETRIED.sub("", text)))
            return True
    return False


def _label(entries: list[nodes.entry], headings: list[str]) -> None:
    """
    Put its column's heading before each cell.

    The first cell of a row is its own label. But in a table of conditions,
    it has a label, too, and the first one that says something is the head.
    """
    decides = DECIDES in headings
    head = None
    for entry, heading in zip(entries, headings, strict=False):
        text = entry.astext().strip()
        if not text:
            continue
        if decides and text == SAYS_NOTHING:
            entry["classes"].append("says-nothing")
        elif head is None:
            head = entry
            entry["classes"].append("row-head")
        if decides or entry is not entries[0]:
            # A colon, as a search shows a page in a row.
            label = nodes.inline("", f"{heading}: ")
            label["classes"].append("column-heading")
            entry.insert(0, label)


def _is_without_labels(table: nodes.table) -> bool:
    around = table.parent
    while around is not None:
        if WITHOUT_LABELS in around.get("classes", []):
            return True
        around = around.parent
    return False
