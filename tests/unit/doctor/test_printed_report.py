"""
The lines of a report for people: the verdict, the connection, a row for each trouble, the extra, a
row for what is sure, and the rest that is not shown.
The row of the first trouble refers to the verdict, which has its text; a stopped run has the text
in the row. Below a trouble stand three of its requests, each once with how often it was sent, and
below the first one how many more there are; not those that stand below an earlier trouble, and none
if its text refers to two answers above. Settings that change are named there as well. The extra
stands below the troubles, ready to paste, and names the data key to keep if the connection has one;
if the account is ready, it has one line at the end. An announcement has a row unless the verdict
has it.
Lines have 100 columns, a request goes on indented, and loses its middle beyond 300 characters; the
extra's lines are never broken, and a setting is cut after a whole word, wide letters by columns.
Each certainty has a colour, requests are dim, and secrets are masked in settings and the
connection's name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_replies import changed, error_body, reply
from support.doctor_reports import (
    ADDRESS,
    COMPANY,
    COUNTS,
    GONE,
    LAG,
    NOT_PROVED,
    NOT_SHOWN,
    PASTE,
    READY_BY_READS,
    REFUSED,
    SUCCESS,
    SURE,
    WRONG,
    printed,
    report_of,
)
from support.doctor_service import CAMPAIGN_KEY
from wes_provider.doctor.findings.finding import ON_TWO_ANSWERS, Certainty, Finding, Topic
from wes_provider.doctor.replies.probes import Probe

LIST, NOWHERE = "GET /v1/coupon-list/spring/files", "GET /v1/wes-doctor/spring"
SERVER_ERRORS = [reply(status) for status in (500, 502, 503, 503)]


class Below(NamedTuple):
    """The requests of a trouble, and the lines below it."""

    name: str
    probes: Sequence[Probe]
    lines: list[str]


BELOW_FIRST = [
    Below("no request", (), []),
    Below("one request", [REFUSED], [f"{LIST} → 401, JSON: x: No."]),
    Below(
        "three requests",
        [REFUSED, GONE, SERVER_ERRORS[0]],
        [
            f"{LIST} → 401, JSON: x: No.",
            f"{NOWHERE} → 404, JSON: y: Gone.",
            f"{LIST} → 500, no body",
        ],
    ),
    Below(
        "four requests",
        [REFUSED, GONE, *SERVER_ERRORS[:2]],
        [
            f"{LIST} → 401, JSON: x: No.",
            f"{NOWHERE} → 404, JSON: y: Gone.",
            f"{LIST} → 500, no body (and 1 more)",
        ],
    ),
    Below(
        "eight requests, three of them alike",
        [REFUSED, GONE, REFUSED, *SERVER_ERRORS, REFUSED],
        [
            f"{LIST} (3 times) → 401, JSON: x: No.",
            f"{NOWHERE} → 404, JSON: y: Gone.",
            f"{LIST} → 500, no body (and 3 more)",
        ],
    ),
]


@pytest.mark.parametrize("row", BELOW_FIRST, ids=ids(BELOW_FIRST))
def test_below_the_first_trouble_stand_three_of_its_requests_and_how_many_more_there_are(
    row: Below,
):
    finding = Finding(Topic.ADDRESS, WRONG, "First.", tuple(row.probes))
    assert printed(report_of(finding)) == [
        "Not ready: Address. First.",
        COMPANY,
        "wrong       Address                   See the first lines.",
        *(f"            {line}" for line in row.lines),
    ]


def below_second(first: Sequence[Probe], second: Sequence[Probe], text: str) -> list[str]:
    """What stands below the second of two troubles with these requests, which has the text."""
    lines = printed(
        report_of(
            Finding(Topic.ADDRESS, WRONG, "First.", tuple(first)),
            Finding(Topic.LAG, NOT_PROVED, text, tuple(second)),
        )
    )
    at = lines.index(f"not proved  Lag of the list           {text}")
    return [line.removeprefix(" " * 12) for line in lines[at + 1 :]]


def test_below_a_later_trouble_stand_three_of_its_requests_and_not_how_many_more_there_are():
    assert below_second([], [REFUSED, GONE, *SERVER_ERRORS], "Second.") == [
        f"{LIST} → 401, JSON: x: No.",
        f"{NOWHERE} → 404, JSON: y: Gone.",
        f"{LIST} → 500, no body",
    ]


def test_a_request_that_stands_below_an_earlier_trouble_is_not_repeated():
    assert below_second([REFUSED], [REFUSED, GONE], "Second.") == [
        f"{NOWHERE} → 404, JSON: y: Gone."
    ]


def test_a_request_that_is_left_out_below_an_earlier_trouble_stands_below_the_later_one():
    assert below_second([REFUSED, GONE, *SERVER_ERRORS], SERVER_ERRORS, "Second.") == [
        f"{LIST} → 502, no body",
        f"{LIST} (2 times) → 503, no body",
    ]


def test_no_request_stands_below_a_trouble_whose_text_refers_to_the_one_above():
    assert below_second([REFUSED], [GONE], ON_TWO_ANSWERS) == []


def test_a_stopped_run_has_the_text_of_its_first_trouble_and_not_how_many_more_requests():
    """Its verdict does not have the text."""
    finding = Finding(Topic.ADDRESS, WRONG, "First.", (REFUSED, GONE, *SERVER_ERRORS))
    assert printed(report_of(finding, stopped=True)) == [
        "Stopped: this is what was seen so far.",
        COMPANY,
        "wrong       Address                   First.",
        f"            {LIST} → 401, JSON: x: No.",
        f"            {NOWHERE} → 404, JSON: y: Gone.",
        f"            {LIST} → 500, no body",
    ]


def test_a_request_that_is_longer_than_a_line_goes_on_indented():
    refused = reply(401, error_body("x", "No such workspace is known here, please check."))
    finding = Finding(Topic.ADDRESS, WRONG, "First.", (refused, refused))
    assert printed(report_of(finding), 60)[2:] == [
        "wrong       Address                   See the first lines.",
        "            GET /v1/coupon-list/spring/files (2 times) →",
        "              401, JSON: x: No such workspace is known here,",
        "              please check.",
    ]


def test_how_often_a_request_was_sent_stands_before_what_came():
    refused = reply(401, error_body("x", "Old → new."))
    lines = printed(report_of(Finding(Topic.ADDRESS, WRONG, "First.", (refused, refused))))
    assert lines[3] == f"            {LIST} (2 times) → 401, JSON: x: Old → new."


def test_a_report_is_printed_with_100_columns_and_longer_lines_are_not_broken(
    capsys: pytest.CaptureFixture[str],
):
    report = report_of(
        Finding(Topic.LAG, WRONG, "word " * 50, settings={"paths.coupon_files": "/x" * 80})
    )
    report.print()
    assert capsys.readouterr().out.splitlines() == printed(report)
    assert max(map(len, printed(report))) > 160


def test_the_middle_of_a_request_of_more_than_300_characters_is_left_out():
    refused = reply(401, error_body("x", "word " * 100))
    lines = printed(report_of(Finding(Topic.ADDRESS, WRONG, "First.", (refused,))))[3:]
    said = " ".join(line.strip() for line in lines)
    assert said == f"{LIST} → 401, JSON: x: " + "word " * 19 + "… " + "word " * 29 + "word"


def test_the_extra_stands_below_the_troubles_with_what_each_setting_becomes():
    statuses = [*SUCCESS[1:], "FERTIG", "ÜBER"]
    settings = {"coupon_file_statuses.success": statuses, **LAG}
    report = report_of(
        Finding(Topic.STATUSES, WRONG, "Set.", settings=settings),
        Finding(
            Topic.COUNTS,
            NOT_PROVED,
            "Perhaps.",
            settings={"coupon_files_lag": 30.0},
            guesses={"coupon_file_counts.added": "ü", "workspace_header": "SVC-APPKEY"},
        ),
        Finding(Topic.NAMES, SURE, "Whole."),
        given={"data_api_key": "k"},
    )
    assert printed(report) == [
        f"Not ready: Statuses. Set. {PASTE} Part of it is",
        "a guess, as the rows say.",
        COMPANY,
        "wrong       Statuses                  See the first lines.",
        '            coupon_file_statuses.success: with "FERTIG", "ÜBER"',
        '            coupon_file_statuses.success: without "COMPLETE"',
        "not proved  Counts                    Perhaps.",
        '            coupon_file_counts.added: "ü"',
        "",
        "The connection's extra, ready to paste (keep data_api_key, not shown here):",
        "{",
        '  "coupon_file_statuses": {',
        '    "success": ["COMPLETED", "DONE", "PROCESSED", "SUCCEEDED", "SUCCESS", "SUCCESSFUL", '
        '"FERTIG",',
        '        "ÜBER"]',
        "  },",
        '  "coupon_file_counts": {"added": "ü"}',
        "}",
        "",
        "sure        Names in the list         Whole.",
    ]


def test_an_extra_without_a_data_api_key_says_nothing_of_one():
    report = report_of(COUNTS, given={"data_api_key": ""})
    assert "The connection's extra, ready to paste:" in printed(report)


def test_a_ready_account_has_an_extra_that_is_not_needed_in_one_line():
    report = report_of(
        Finding(Topic.COUNTS, NOT_SHOWN, "No file."),
        Finding(Topic.LAG, SURE, "Slow.", settings=LAG),
        Finding(Topic.NOTICES, SURE, "Ends."),
    )
    assert printed(report) == [
        f"{READY_BY_READS} Ends.",
        COMPANY,
        "sure        Lag of the list           Slow.",
        "not shown   Counts                    No file.",
        'An extra that spares warnings, but is not needed: {"coupon_files_lag": 5.0}',
    ]


def test_an_announcement_has_a_row_of_its_own_unless_the_verdict_has_it():
    report = report_of(ADDRESS, Finding(Topic.NOTICES, SURE, "Ends."))
    assert printed(report)[-1] == "sure        Announcements             Ends."


class Colour(NamedTuple):
    """A certainty, and how its word is printed."""

    certainty: Certainty
    style: str


COLOURS = [
    Colour(WRONG, "bold red"),
    Colour(NOT_PROVED, "yellow"),
    Colour(NOT_SHOWN, "dim"),
    Colour(SURE, "green"),
]


@pytest.mark.parametrize("row", COLOURS, ids=[row.certainty.value for row in COLOURS])
def test_each_certainty_has_a_colour(row: Colour):
    lines = report_of(Finding(Topic.LAG, row.certainty, "Text.", (REFUSED,))).lines()
    assert [line.style for line in lines[:2]] == ["bold", ""]
    (span,) = lines[2].spans
    assert (span.start, span.end, span.style) == (0, 12, row.style)


def test_requests_below_a_trouble_are_dim():
    lines = report_of(Finding(Topic.LAG, WRONG, "Text.", (REFUSED, GONE))).lines()
    assert [line.style for line in lines[3:]] == ["dim", "dim"]


def test_secrets_in_settings_below_a_trouble_are_masked():
    settings = {
        "workspace_header": f"X-{CAMPAIGN_KEY}",
        "coupon_file_statuses.success": [*SUCCESS, f"OK {CAMPAIGN_KEY}"],
    }
    lines = printed(report_of(Finding(Topic.LAG, WRONG, "Late.", settings=settings)))
    assert '            workspace_header: "X-***"' in lines
    assert '            coupon_file_statuses.success: with "OK ***"' in lines
    assert CAMPAIGN_KEY not in "".join(lines)


def test_secrets_in_the_name_of_the_connection_are_masked():
    report = report_of(settings=changed(conn_id=f"c-{CAMPAIGN_KEY}"))
    assert printed(report)[1] == "c-***: https://api.example.com (3 reads, 1 write)"


def test_a_setting_of_wide_letters_is_cut_by_columns_after_a_whole_word():
    settings = {"coupon_file_counts.added": "表表表 " * 12}
    lines = printed(report_of(Finding(Topic.COUNTS, WRONG, "Set.", settings=settings)))
    assert lines[3] == f'            coupon_file_counts.added: "{"表表表 " * 8}…'


def test_a_request_of_300_characters_is_whole():
    said = f"{LIST} → 401, JSON: x: ".ljust(300, "w")
    refused = reply(401, error_body("x", said.partition("x: ")[2]))
    lines = printed(report_of(Finding(Topic.ADDRESS, WRONG, "First.", (refused,))), 400)[3:]
    assert [line.strip() for line in lines] == [said]
