"""
Mends what the theme and Sphinx leave out for screen readers.

Headings of the sidebar get their level, landmarks get labels, and the
arguments of a long signature are no list of definitions without terms: if
there are many, they fold. Code can be reached by keys.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

REPLACED = (
    # Code that is wider than the screen scrolls, by keys, too.
    ("<pre>", '<pre tabindex="0">'),
    (' role="heading">', ' role="heading" aria-level="2">'),
    (
        '<aside class="sidebar-drawer">',
        '<aside class="sidebar-drawer" aria-label="Pages">',
    ),
    (
        '<aside class="toc-drawer">',
        '<aside class="toc-drawer" aria-label="This page">',
    ),
    # The theme has one, too.
    (
        '<meta name="viewport" content="width=device-width, '
        'initial-scale=1" />',
        "",
    ),
    (
        '<div class="content-icon-container">',
        '<div class="content-icon-container" role="navigation" '
        'aria-label="Source of this page">',
    ),
)

BACK_TO_TOP = re.compile(
    r'<a href="#" class="back-to-top.*?</a>\s*', re.DOTALL
)
MOST_ARGUMENTS = 5
"""Of a signature that does not fold."""

NAME = '<span class="n">'
"""The beginning of an argument's name."""

ARGUMENTS = re.compile(r"<dl>\n((?:<dd>.*?</dd>\n?)+)</dl>", re.DOTALL)

PARAMETERS = re.compile(
    r'(?<=Parameters<span class="colon">:</span></dt>\n)'
    r'<dd class="field-odd">(?P<list><ul class="simple">.*?)</dd>',
    re.DOTALL,
)
FOLDING = ("operators",)
"""Pages whose lists of parameters are folded: each is several screens."""


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("build-finished", mend_pages)


def mend_pages(app: Any, exception: Exception | None) -> None:
    """Mend each page that was written."""
    if exception or app.builder.format != "html":
        return
    for page in Path(app.outdir).rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        for old, new in REPLACED:
            text = text.replace(old, new)
        text = ARGUMENTS.sub(_as_blocks, text)
        if page.stem in FOLDING:
            text = PARAMETERS.sub(_as_details, text)
        text = _link_within_article(text)
        page.write_text(text, encoding="utf-8")


def _link_within_article(text: str) -> str:
    """Move the link back to the top into the article, a landmark."""
    if not (found := BACK_TO_TOP.search(text)):
        return text
    text = text.replace(found[0], "", 1)
    return text.replace("</article>", f"{found[0]}</article>", 1)


def _as_details(found: re.Match[str]) -> str:
    return (
        '<dd class="field-odd"><details class="parameters">'
        "<summary>What each of them means</summary>"
        f"{found['list']}</details></dd>"
    )


def _as_blocks(found: re.Match[str]) -> str:
    arguments = found[1].replace("<dd>", '<span class="argument">')
    arguments = arguments.replace("</dd>", "</span>")
    if (count := found[1].count(NAME)) <= MOST_ARGUMENTS:
        return arguments
    summary = f"<summary>{count} arguments, with their defaults</summary>"
    return f'<details class="arguments">{summary}{arguments}</details>'
