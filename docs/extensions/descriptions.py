"""What a search engine shows of a page: the beginning of its first text."""

from __future__ import annotations

from html import escape
from typing import Any, Final

from docutils import nodes

LONGEST: Final = 160  # letters; search engines show no more


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("html-page-context", describe_page)


def describe_page(
    _app: Any,
    _page: str,
    _template: str,
    context: dict[str, Any],
    doctree: nodes.document | None,
) -> None:
    """Add a description to the page's head."""
    paragraph = None
    if doctree is not None:
        paragraph = next(iter(doctree.findall(nodes.paragraph)), None)
    if paragraph is None:
        return
    text = " ".join(paragraph.astext().split())
    if len(text) > LONGEST:
        text = text[:LONGEST].rpartition(" ")[0] + " …"
    tag = f'<meta name="description" content="{escape(text)}" />'
    context["metatags"] = context.get("metatags", "") + tag
