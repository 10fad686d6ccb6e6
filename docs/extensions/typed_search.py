"""
Whether ``search-as-you-type.js`` can work with the Sphinx that builds.

It calls functions of Sphinx's own search that Sphinx may rename.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from sphinx.util import logging

SCRIPT: Final = "_static/search-as-you-type.js"

CALLED: Final = {
    "_static/searchtools.js": ("_parseQuery:", "_performSearch:"),
    "_static/language_data.js": ("Scorer", "Stemmer"),
    "searchindex.js": ("Search.setIndex(",),
}
"""What the script needs, by the file that has it."""

_logger = logging.getLogger(__name__)


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("build-finished", report_what_is_missing)


def report_what_is_missing(app: Any, exception: Exception | None) -> None:
    """Warn if the script, or something that it calls, is not there."""
    if exception or app.builder.format != "html":
        return
    root = Path(app.outdir)
    if not (root / SCRIPT).exists():
        _logger.warning("no %s", SCRIPT)
    for page in root.glob("*.html"):
        if SCRIPT not in page.read_text(encoding="utf-8"):
            _logger.warning("%s does not load %s", page.name, SCRIPT)
    for file, names in CALLED.items():
        text = (root / file).read_text(encoding="utf-8")
        for name in names:
            if name not in text:
                _logger.warning("%s has no %s", file, name)
