"""Whether pages search as one types, and the index is as that expects."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from sphinx.util import logging

SCRIPT: Final = "_static/search-as-you-type.js"
PARTS: Final = ("alltitles", "docnames", "indexentries", "objects", "terms")
"""What the script reads of the index."""

_logger = logging.getLogger(__name__)


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("build-finished", report_what_is_missing)


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
