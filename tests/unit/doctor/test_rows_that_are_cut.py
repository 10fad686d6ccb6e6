"""
The last row of a report, with the names of topics that are *sure*, may be too long for a line. At
each width from 60 to 109 columns, it is cut after a whole word, ends with ``…``, and is no longer
than the line.
"""

from __future__ import annotations

from wes_provider.doctor.findings.finding import Certainty, Finding, Topic
from wes_provider.doctor.report import Report
from wes_provider.settings import WesSettings

SURE, NOT_PROVED = Certainty.SURE, Certainty.NOT_PROVED


def test_a_row_that_is_cut_ends_at_a_whole_word():
    settings = WesSettings("https://localhost", "w", "k", "k")
    troubles = [Finding(topic, NOT_PROVED, f"{topic.value} " * 40) for topic in list(Topic)[:5]]
    others = [Finding(topic, SURE, "It works.") for topic in list(Topic)[5:]]
    report = Report(settings, {}, [*troubles, *others], (), 0, 0, stopped=False, clean=lambda x: x)
    names = {word.strip(",") for topic in Topic for word in topic.value.split()}
    for width in range(60, 110):
        *_, last = [line.plain for line in report.lines(width)]
        assert last.startswith("sure")
        assert len(last) <= width
        shown = last.removeprefix("sure").removesuffix("…").split()
        assert {word.strip(",") for word in shown} <= names
