"""
If no path shows the uploaded file, or the list, that path is *not proved*, and the finding names at
least eight reads with a 404; fewer than 70 reads are sent. If neither is shown, they are searched
for for a minute, even if ten minutes are given, with more than 40 and at most 100 reads, and no
setting is proposed. A list that was read is said to have no file at all only if its array is empty.

If the file's own path shows it, and the list never does, its end is read from the file alone, and
the Lag is *not proved*, with the seconds in which the list did not show it. An empty list is no
page whose limit would be named. If the list says that it has more files than it shows, such as a
total of 7 with none of them, it is a part, and the Lag is *not shown*.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

import pytest

from support.doctor_followed import (
    ON_THE_WAY,
    FollowedAccount,
)
from support.doctor_service import about
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.report import Report

MOST_READS_OF_ALL_PATHS = 70


class Missing(NamedTuple):
    """What no path shows, what is not proved then, and what is said."""

    name: str
    paths: Mapping[str, None]
    topic: Topic
    says: str


MISSING = [
    Missing(
        "one file",
        {"file_path": None},
        Topic.FILE_PATH,
        "the uploaded file: ask the service's support for the path of one file.",
    ),
    Missing(
        "the list",
        {"list_path": None},
        Topic.LIST_PATH,
        "the uploaded file. Ask the service's support where and when",
    ),
]


@pytest.mark.parametrize("row", MISSING, ids=[row.name for row in MISSING])
def test_a_path_that_no_read_shows_is_named_with_the_reads(row: Missing):
    account = FollowedAccount(**row.paths)
    report = account.examine(timeout=1.5)
    finding = about(report, row.topic)
    assert finding.certainty is Certainty.NOT_PROVED
    assert len(finding.probes) >= 8
    assert all("→ 404, JSON: not-found: no such path" in str(probe) for probe in finding.probes)
    assert len(account.reads) < MOST_READS_OF_ALL_PATHS
    assert f"None of these paths shows {row.says}" in finding.text
    assert not report.works


class WithoutIt(NamedTuple):
    """What a list has in place of the uploaded file, and what the report says of it."""

    name: str
    records: list[dict[str, Any]]
    text: str


NO_FILE_AT_ALL = "the uploaded file: /v1/coupon-list/{coupon_list_id}/files has no file at all."
WHEN = "the uploaded file. Ask the service's support where and when"
WITHOUT_IT = [
    WithoutIt("no object", [], NO_FILE_AT_ALL),
    WithoutIt("an object without an identifier", [{"id": "a"}], WHEN),
    WithoutIt("another file", [{"_id": "older"}], WHEN),
]


@pytest.mark.parametrize("row", WITHOUT_IT, ids=[row.name for row in WITHOUT_IT])
def test_a_list_without_the_uploaded_file_is_called_empty_only_if_it_is(row: WithoutIt):
    account = FollowedAccount(list_body=lambda shown: shown and row.records)
    found = about(account.examine(timeout=1.5), Topic.LIST_PATH)
    assert row.text in found.text, found.text


MOST_READS_IN_A_MINUTE = 100


def test_a_file_that_nothing_shows_is_looked_for_for_a_minute():
    account = FollowedAccount(file_path=None, list_path=None)
    report = account.examine(timeout=600.0)
    # Ten minutes are given, but the search ends after one.
    assert 40 < len(account.reads) <= MOST_READS_IN_A_MINUTE
    assert report.changed == {}
    assert not report.works


class Unlisted(NamedTuple):
    """The last status of a file that no list shows, how long it is followed, and what is said."""

    name: str
    status: str
    timeout: float
    says: str


@cache
def report_of(row: Unlisted) -> Report:
    """What the doctor reports of an upload whose file is not in the list."""
    stages = [ON_THE_WAY, (3.0, row.status, {"coupons_added": 5})]
    account = FollowedAccount(stages, list_body=lambda _: [])
    return account.examine(timeout=row.timeout, final_after=8.0)


UNLISTED = [
    Unlisted(
        "unknown", "QUARANTINED", 45.0, "PENDING → QUARANTINED, which lasted and may mean success"
    ),
    Unlisted(
        "unknown, followed for longer",
        "QUARANTINED",
        90.0,
        "PENDING → QUARANTINED, which lasted and may mean success",
    ),
    Unlisted(
        "partial",
        "REJECTED_BY_HAND",
        45.0,
        "PENDING → REJECTED_BY_HAND, which lasted and is partial",
    ),
    Unlisted("a success", "SUCCESS", 45.0, "PENDING → SUCCESS, which means success"),
    Unlisted("a failure", "FAILED", 45.0, "FAILED: the file failed"),
    Unlisted(
        "on its way", "PENDING", 45.0, "The end of the file was not seen: Not processed within 4"
    ),
]


@pytest.mark.parametrize("row", UNLISTED, ids=[row.name for row in UNLISTED])
def test_the_end_of_a_file_that_no_list_shows_is_read_from_the_file_alone(row: Unlisted):
    assert row.says in about(report_of(row), Topic.STATUSES).text


@pytest.mark.parametrize("row", UNLISTED, ids=[row.name for row in UNLISTED])
def test_the_lag_of_a_list_that_does_not_show_the_file_is_not_proved(row: Unlisted):
    lag = about(report_of(row), Topic.LAG)
    assert lag.certainty is Certainty.NOT_PROVED
    assert re.match(r"The list did not show the file in \d+ s: ask", lag.text)


def test_an_empty_list_is_no_page_of_a_longer_one_whose_limit_would_be_named():
    unknown = UNLISTED[0]
    assert "limit" not in about(report_of(unknown), Topic.LIST_PATH).text


def test_a_new_file_beyond_the_first_page_is_not_called_late():
    page = {"total": 7, "data": []}
    report = FollowedAccount(list_body=lambda _: page).examine(timeout=20.0)
    assert "has a part of the list only: 0 of 7 files" in about(report, Topic.LIST_PATH).text
    assert about(report, Topic.LAG).certainty is Certainty.NOT_SHOWN
    assert report.changed == {}
