"""The dashboard that ``docs/deploy.md`` offers shows the metrics of ``docs/assets.md``."""

from __future__ import annotations

import json
import re
from pathlib import Path

from wes_provider.contract import OPERATIONS

DOCS = Path(__file__).parents[2] / "docs"

QUERIES = [
    target["expr"]
    for panel in json.loads((DOCS / "dashboard.json").read_text())["panels"]
    for target in panel["targets"]
]

# What the StatsD exporter of Prometheus adds to the name of a timer.
OF_TIMERS = "(_count|_sum)?"


def documented() -> list[str]:
    """The names of the page's table of metrics, such as ``wes.requests.<operation>``."""
    section = (DOCS / "assets.md").read_text().partition("## Metrics")[2]
    return re.findall(r"^\| `(wes\.[^`]+)` \|", section, re.MULTILINE)


def pattern_of(name: str) -> str:
    """A pattern for the names that a documented metric has in Prometheus."""
    escaped = re.escape("airflow_" + name.replace(".", "_"))
    operations = "|".join(OPERATIONS)
    escaped = escaped.replace("<operation>", f"({operations})")
    escaped = escaped.replace("<end>", f"(done|failed|timed_out){OF_TIMERS}")
    # Of any list: the query has a pattern, and a pattern with a group for its label.
    return escaped.replace("<list>", r"(\.\+)?")


def test_the_dashboard_shows_every_documented_metric():
    shown = "\n".join(QUERIES)
    assert [name for name in documented() if not re.search(pattern_of(name), shown)] == []


def test_the_dashboard_shows_no_metric_that_is_not_documented():
    patterns = "|".join(pattern_of(name) for name in documented())
    names = {name for query in QUERIES for name in re.findall(r"airflow_wes_[\w.+]+", query)}
    assert {name for name in names if not re.fullmatch(patterns, name)} == set()
