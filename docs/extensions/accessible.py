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

OF_ANY_TASK = ">kwargs</span>"
"""The arguments that every Airflow task has."""

ARGUMENTS = re.compile(r"<dl>\n((?:<dd>.*?</dd>\n?)+)</dl>", re.DOTALL)

PARAMETERS = re.compile(
    r'(?<=Parameters<span class="colon">:</span></dt>\n)'
    r'<dd class="field-odd"><ul class="simple">(?P<list>.*?)</ul>\n</dd>',
    re.DOTALL,
)
ERRORS = re.compile(
    r'(?<=Raises<span class="colon">:</span></dt>\n)'
    r'<dd class="field-even"><ul class="simple">(?P<list>.*?)</ul>\n</dd>',
    re.DOTALL,
)
ENTRY = re.compile(r"<li><p><strong>(\w+)</strong>.*?</li>", re.DOTALL)
FOLDING = ("operators",)
"""Pages whose long lists of parameters are folded, and those of errors."""

MOST_OPEN = 10
"""Parameters of a list that does not fold."""

OFTEN = (
    "coupon_list_id",
    "file_url",
    "files",
    "wait_for_completion",
    "deferrable",
    "max_failed_files",
    "on_duplicate",
)
"""Parameters that stay open in a list that folds: most tasks have them."""


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
            text = PARAMETERS.sub(_with_further_folded, text)
            text = ERRORS.sub(_errors_folded, text)
        text = _link_within_article(text)
        page.write_text(text, encoding="utf-8")


def _link_within_article(text: str) -> str:
    """Move the link back to the top into the article, a landmark."""
    if not (found := BACK_TO_TOP.search(text)):
        return text
    text = text.replace(found[0], "", 1)
    return text.replace("</article>", f"{found[0]}</article>", 1)


def _with_further_folded(found: re.Match[str]) -> str:
    """Leave the parameters that most tasks have, and fold the others."""
    entries = list(ENTRY.finditer(found["list"]))
    if len(entries) <= MOST_OPEN:
        return found[0]
    often = [entry[0] for entry in entries if entry[1] in OFTEN]
    further = [entry[0] for entry in entries if entry[1] not in OFTEN]
    summary = f"{len(further)} further arguments"
    return (
        f'<dd class="field-odd">{_list_of(often)}'
        f"{_folded(summary, _list_of(further))}</dd>"
    )


def _errors_folded(found: re.Match[str]) -> str:
    number = found["list"].count("<li>")
    folded = _folded(f"{number} errors", _list_of([found["list"]]))
    return f'<dd class="field-even">{folded}</dd>'


def _list_of(entries: list[str]) -> str:
    return f'<ul class="simple">{"".join(entries)}</ul>'


def _folded(summary: str, content: str) -> str:
    return (
        '<details class="parameters">'
        f"<summary>{summary}</summary>{content}</details>"
    )


def _as_blocks(found: re.Match[str]) -> str:
    arguments = found[1].replace("<dd>", '<span class="argument">')
    arguments = arguments.replace("</dd>", "</span>")
    count = found[1].count(NAME) - found[1].count(OF_ANY_TASK)
    if count <= MOST_ARGUMENTS:
        return arguments
    summary = f"<summary>{count} arguments, with defaults</summary>"
    return f'<details class="arguments">{summary}{arguments}</details>'
