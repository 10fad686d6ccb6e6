"""The docs list every metric."""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs" / "assets.md"


def test_the_docs_list_every_metric():
    listed = set(re.findall(r"`wes\.(\w+)", DOCS.read_text()))
    assert listed == {"requests", "retries", "rate_limits", "unknown_outcomes", "waits"}
