"""
A report has at most 30 lines, or 16 if the account is ready. What is too much is left out in this
order. Rows of what is sure or not shown are cut, the last ones first, to one line each. Then
troubles but the first have 2, 1 or 0 requests below them in place of 3, and before each further one
the rows are cut again. Then the first trouble has 2. Then the rows are given up for their topics
alone, and the first has 3, 2 or 1 request as 30 lines hold. Last, the topics are cut to one line.

The row of each trouble stays, though a report has more than 30 lines then, and so does one request
of the first one. Rows that need action are not cut: their lines beyond the first come on top of the
16. A row is cut after a whole word, with …, and not between a number and what it counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_replies import reply
from support.doctor_reports import (
    LAG,
    NOT_PROVED,
    NOT_SHOWN,
    SURE,
    WRONG,
    printed,
    report_of,
)
from wes_provider.doctor.findings.finding import Certainty, Finding, Topic
from wes_provider.doctor.report import Report


def many(number: int, certainty: Certainty, text: str, **more: Any) -> list[Finding]:
    """Findings about different topics."""
    topics = [topic for topic in Topic if topic not in (Topic.ADDRESS, Topic.UPLOAD, Topic.NOTICES)]
    return [Finding(topic, certainty, text, **more) for topic in topics[:number]]


LONG = "word " * 30  # three lines of 100 columns
DISTINCT = tuple(reply(status) for status in (400, 402, 405, 406))


def outline(report: Report, width: int = 100) -> str:
    """
    How many lines each row of a report has, and how many stand below it: ``3 1+2`` is one of three
    lines, and one of one line with two lines below it. Those below are a trouble's requests, or
    further topics of a row that has the topics alone. A row that is cut has the mark ``…``.
    """
    rows: list[list[int]] = []
    marks = []
    for line in printed(report, width)[2:]:
        if line[:12].strip():
            rows.append([1, 0])
            marks.append("")
        else:
            is_below = line[12:13] != " "
            rows[-1][is_below] += 1
        if line.endswith("…"):
            marks[-1] = "…"
    return " ".join(
        f"{own}{mark}+{below}" if below else f"{own}{mark}"
        for (own, below), mark in zip(rows, marks, strict=True)
    )


class Length(NamedTuple):
    """Findings, the rows of the report, and how many lines it has with the two above the rows."""

    name: str
    findings: Sequence[Finding]
    rows: str
    lines: int


def check_length(findings: Sequence[Finding], rows: str, lines: int) -> None:
    """The report has these rows, and so many lines."""
    report = report_of(*findings)
    assert outline(report) == rows
    assert len(printed(report)) == lines


FIRST = Finding(Topic.ADDRESS, WRONG, "First.", DISTINCT)


def with_requests(number: int) -> list[Finding]:
    """Findings that are open, each with four requests of its own."""
    return [
        Finding(finding.topic, NOT_PROVED, "t", tuple(reply(410 + n + 20 * i) for i in range(4)))
        for n, finding in enumerate(many(number, NOT_PROVED, ""))
    ]


OPEN = 3 * many(14, NOT_PROVED, "t")
NEEDED = many(2, NOT_SHOWN, LONG, needs_action=True)
SURE_ROWS = [
    Length("8 of three lines", [FIRST, *many(8, SURE, LONG)], "1+3 3 3 3 3 3 3 3 3", 30),
    Length("9 of three lines", [FIRST, *many(9, SURE, LONG)], "1+3 3 3 3 3 3 3 3 2… 1…", 30),
]


@pytest.mark.parametrize("row", SURE_ROWS, ids=ids(SURE_ROWS))
def test_the_last_rows_of_what_is_sure_are_cut_if_a_report_would_have_more_than_30_lines(
    row: Length,
):
    check_length(row.findings, row.rows, row.lines)


REQUESTS_BELOW = [
    Length("6 more", [FIRST, *with_requests(6)], "1+3" + 6 * " 1+3", 30),
    Length("7 more", [FIRST, *with_requests(7)], "1+3" + 7 * " 1+2", 27),
    Length(
        "7 more, and 2 of three lines that are sure",
        [FIRST, *with_requests(7), *many(2, SURE, LONG)],
        "1+3" + 7 * " 1+2" + " 2… 1…",
        30,
    ),
    Length("8 more", [FIRST, *with_requests(8)], "1+3" + 8 * " 1+2", 30),
    Length(
        "9 more, and 2 of three lines that are sure",
        [FIRST, *with_requests(9), *many(2, SURE, LONG)],
        "1+3" + 9 * " 1+1" + " 3 3",
        30,
    ),
    Length(
        "11 more, and 4 of one line that are sure",
        [FIRST, *with_requests(11), *many(4, SURE, "s")],
        "1+3" + 11 * " 1" + 4 * " 1",
        21,
    ),
]


@pytest.mark.parametrize("row", REQUESTS_BELOW, ids=ids(REQUESTS_BELOW))
def test_below_all_troubles_but_the_first_stand_2_1_or_0_requests_if_30_lines_hold_no_more(
    row: Length,
):
    """For each number, what is sure is cut before fewer requests are shown."""
    check_length(row.findings, row.rows, row.lines)


def test_of_more_troubles_the_first_keeps_2_requests_before_rows_that_are_sure_are_given_up():
    check_length([FIRST, *OPEN[:20], *many(5, SURE, "s")], "1+2" + 25 * " 1", 30)


SURE_AND_NOT_SHOWN = [*many(3, SURE, "s"), *many(2, NOT_SHOWN, "s")]
TOGETHER = [
    Length(
        "20 open, and 6 sure, whose row has two lines",
        [FIRST, *OPEN[:20], *many(6, SURE, "s")],
        "1+3" + 20 * " 1" + " 1+1",
        28,
    ),
    Length(
        "22 open, a row of topics that are sure and one of topics that are not shown",
        [FIRST, *OPEN[:22], *SURE_AND_NOT_SHOWN],
        "1+3" + 24 * " 1",
        30,
    ),
    Length(
        "23 open, and these rows",
        [FIRST, *OPEN[:23], *SURE_AND_NOT_SHOWN],
        "1+2" + 25 * " 1",
        30,
    ),
    Length(
        "24 open, and these rows",
        [FIRST, *OPEN[:24], *SURE_AND_NOT_SHOWN],
        "1+1" + 26 * " 1",
        30,
    ),
]


@pytest.mark.parametrize("row", TOGETHER, ids=ids(TOGETHER))
def test_above_topics_alone_the_first_trouble_has_3_2_or_1_requests_as_30_lines_hold(row: Length):
    check_length(row.findings, row.rows, row.lines)


CUT_TOPICS = [
    Length(
        "25 open, and 14 sure",
        [FIRST, *OPEN[:25], *many(14, SURE, "s")],
        "1+1" + 25 * " 1" + " 1…",
        30,
    ),
    Length(
        "22 open, 9 sure, and 1 that needs action, whose three lines count",
        [FIRST, *OPEN[:22], *many(9, SURE, "s"), *NEEDED[:1]],
        "1+1" + 22 * " 1" + " 1… 3",
        30,
    ),
]


@pytest.mark.parametrize("row", CUT_TOPICS, ids=ids(CUT_TOPICS))
def test_topics_are_cut_to_a_line_if_the_first_trouble_has_1_request_and_30_lines_do_not_do(
    row: Length,
):
    check_length(row.findings, row.rows, row.lines)


def test_an_open_trouble_keeps_its_row_though_a_report_has_more_than_30_lines():
    check_length([FIRST, *OPEN[:30]], "1+1" + 30 * " 1", 34)


def test_no_empty_line_stands_between_the_extra_and_topics_that_are_cut_to_a_line():
    troubles = [Finding(Topic.STATUSES, WRONG, "t", settings=LAG), *OPEN[:22]]
    lines = printed(report_of(*troubles, *many(9, SURE, "s")))
    assert lines[-2:] == [
        "}",
        "sure        Account, Campaign API key, Data API key, Workspace header, Path of the list's "
        "files, …",
    ]


READY_ROWS = [
    Length("4 of three lines", many(4, SURE, LONG), "3 3 3 3", 14),
    Length("5 of three lines", many(5, SURE, LONG), "3 3 3 3 2…", 16),
    Length("14 of three lines", many(14, SURE, LONG), " ".join(14 * ["1…"]), 16),
    Length("15, whose topics alone are shown", many(15, SURE, LONG), "1+2", 5),
    Length(
        "5 of three lines, and an extra",
        [Finding(Topic.LAG, SURE, LONG, settings=LAG), *many(4, SURE, LONG)],
        "3 3 3 3 1… 1",
        16,
    ),
    Length(
        "6 of three lines, and 2 that need action, whose further lines come on top of the 16",
        [*many(6, SURE, LONG), *NEEDED],
        "3 3 3 1… 1… 1… 3 3",
        20,
    ),
]


@pytest.mark.parametrize("row", READY_ROWS, ids=ids(READY_ROWS))
def test_the_last_rows_of_a_ready_account_are_cut_if_its_report_would_have_more_than_16_lines(
    row: Length,
):
    check_length(row.findings, row.rows, row.lines)


class Cut(NamedTuple):
    """A text, and the end of the only line that it has room for."""

    name: str
    text: str
    end: str


CUTS = [
    Cut("words", "word " * 30, "word word …"),
    Cut(
        "two numbers, and a word that has no room",
        "x" * 40 + "x cat 12 34 " + "y" * 30 + "word " * 30,
        "x cat …",
    ),
    Cut(
        "a number, and one with a letter, before words that have no room",
        "x" * 50 + " cats 1 2b " + "word " * 30,
        "cats …",
    ),
]


@pytest.mark.parametrize("row", CUTS, ids=ids(CUTS))
def test_a_row_is_cut_after_a_whole_word_and_not_between_a_number_and_what_it_counts(row: Cut):
    lines = printed(report_of(*many(14, SURE, row.text)))[2:]
    assert all(line.endswith(row.end) and len(line) <= 100 for line in lines)
    assert lines[0].startswith("sure        Account                   ")
