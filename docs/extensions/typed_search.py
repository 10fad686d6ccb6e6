"""
Pages search as one types: what the script for it needs of the index.

A keyword that stands below a heading leads to that section. A file has the
text of each section, of which the script shows the sentence with the hit,
and of each entry for an error, which the name of its exception finds.
"""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any, Final

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms import SphinxTransform
from sphinx.util import logging

SCRIPT: Final = "_static/search-as-you-type.js"
PARTS: Final = ("alltitles", "docnames", "indexentries", "objects", "terms")
"""What the script reads of the index."""

EXCERPTS: Final = "_static/excerpts.js"

SECTION: Final = re.compile(
    r'<section id="(?P<anchor>[^"]+)">\s*(?:<span[^>]*></span>\s*)*'
    r"<h([1-3])>.*?</h\2>(?P<content>.*?)(?=<section |</article>)",
    re.DOTALL,
)
"""A section, without those below it."""

NO_TEXT: Final = re.compile(
    r"<(svg|pre|script|style|dt|thead)\b.*?</\1>"
    r'|<a class="(?:headerlink|back-to-top).*?</a>'
    r'|<span class="(?:column-heading|badge)">.*?</span>',
    re.DOTALL,
)
"""Code, diagrams, signatures, headings of columns, links of the page."""

ROW: Final = re.compile(
    r'<tr\b[^>]*?(?: id="(?P<anchor>error-[^"]+)")?>(?P<cells>.*?)</tr>',
    re.DOTALL,
)
CELL: Final = re.compile(r"<td\b[^>]*>(.*?)</td>", re.DOTALL)

BLOCK_END: Final = re.compile(
    r"</(?:p|li|td|th|dd|div|figcaption|h\d)>", re.IGNORECASE
)

MARKING: Final = "const SPHINX_HIGHLIGHT_ENABLED = true;"
"""Sphinx marks what one searched for, inside of words, too."""

HEADER: Final = '<div class="header-right">'
BUTTON: Final = (
    '<button class="search-button" aria-label="Search">'
    '<svg viewBox="0 0 24 24" aria-hidden="true">'
    '<circle cx="10" cy="10" r="6" /><path d="m15 15 6 6" />'
    "</svg></button>"
)
"""In the header of telephones, whose field is in the drawer."""

RESULTS: Final = '<div id="search-results"></div>'
FIELD: Final = (
    "<h1>Search</h1>"
    '<form class="results-search" method="get" action="search.html" '
    'role="search" aria-label="Search these pages">'
    '<input name="q" type="search" placeholder="Search" '
    'aria-label="Search these pages" />'
    '<button type="submit">Search</button></form>'
)
"""Above the results, for the same screens. Sphinx fills the query in."""

_logger = logging.getLogger(__name__)


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.add_transform(KeywordsOfSections)
    app.connect("build-finished", write_excerpts)
    app.connect("build-finished", mark_nothing)
    app.connect("build-finished", add_button)
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


def write_excerpts(app: Any, exception: Exception | None) -> None:
    """Write the text of each section, by page and anchor."""
    if exception or app.builder.format != "html":
        return
    root = Path(app.outdir)
    pages = {
        page.stem: page.read_text(encoding="utf-8")
        for page in sorted(root.glob("*.html"))
    }
    found = {
        name: {
            section["anchor"]: _text(section["content"])
            for section in SECTION.finditer(page)
        }
        for name, page in pages.items()
    }
    entries = [
        _entry(name, row)
        for name, page in pages.items()
        for row in ROW.finditer(page)
        if row["anchor"]
    ]
    both = json.dumps([found, entries], ensure_ascii=False)
    text = f"window.setExcerpts(...{both});"
    (root / EXCERPTS).write_text(text, encoding="utf-8")


def _entry(page: str, row: re.Match[str]) -> dict[str, str]:
    """Return an error's first words, what happened, and what to do."""
    first, *_, last = map(_text, CELL.findall(row["cells"]))
    return {
        "page": page,
        "anchor": row["anchor"],
        "title": first,
        "text": last,
    }


def _text(html: str) -> str:
    """Return the text, in a line for each paragraph."""
    html = " ".join(NO_TEXT.sub(" ", html).split())
    html = ROW.sub(_row_as_paragraph, html)
    text = re.sub("<[^>]*>", "", BLOCK_END.sub("\n", html))
    lines = (" ".join(line.split()) for line in unescape(text).split("\n"))
    return "\n".join(filter(None, lines))


def _row_as_paragraph(row: re.Match[str]) -> str:
    """Write a row of a table as a sentence: its head, and its cells."""
    texts = (
        " ".join(re.sub("<[^>]*>", "", cell).split())
        for cell in CELL.findall(row["cells"])
    )
    head, *rest = [text for text in texts if text] or [""]
    return f"<p>{head}{': ' if rest else ''}{'; '.join(rest)}</p>"


def mark_nothing(app: Any, exception: Exception | None) -> None:
    """Switch off that results are marked."""
    if exception or app.builder.format != "html":
        return
    script = Path(app.outdir, "_static", "sphinx_highlight.js")
    marks = script.read_text(encoding="utf-8")
    marks_nothing = marks.replace(MARKING, MARKING.replace("true", "false"))
    if MARKING.replace("true", "false") not in marks_nothing:
        _logger.warning("%s has another setting", script.name)
    script.write_text(marks_nothing, encoding="utf-8")


def add_button(app: Any, exception: Exception | None) -> None:
    """Put the button into the header, and a field above the results."""
    if exception or app.builder.format != "html":
        return
    for page in Path(app.outdir).glob("*.html"):
        text = page.read_text(encoding="utf-8")
        if page.stem == "search":
            place, added = RESULTS, FIELD
        else:
            place, added = HEADER, BUTTON
        if added not in text:
            text = text.replace(place, added + place, 1)
            page.write_text(text, encoding="utf-8")


def report_what_is_missing(app: Any, exception: Exception | None) -> None:
    """Warn if the script, or something that it reads, is not there."""
    if exception or app.builder.format != "html":
        return
    root = Path(app.outdir)
    for name in (SCRIPT, EXCERPTS):
        if not (root / name).exists():
            _logger.warning("no %s", name)
    for page in root.glob("*.html"):
        if SCRIPT not in page.read_text(encoding="utf-8"):
            _logger.warning("%s does not load %s", page.name, SCRIPT)
    index = (root / "searchindex.js").read_text(encoding="utf-8")
    for part in ("Search.setIndex(", *PARTS):
        if part not in index:
            _logger.warning("searchindex.js has no %s", part)
