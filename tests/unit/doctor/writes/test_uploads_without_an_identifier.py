"""
If the response to an upload has no identifier, or none came, the file is looked for in the list by
its name, for the shorter of the timeout and coupon_files_lag. A read that was sent before that end
and lasted beyond it is followed by one more. An upload that was not sent is not looked for. A new
file with the URL and another name is the renamed upload; one that the list had before is not. A
file that was found by its name stays that file. If the list has the name with another identifier
than the response, the file that the response's identifier leads to is followed; the list's, if it
leads to nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_followers import (
    SUCCESSOR,
    URL,
    Records,
    follow,
    uploaded_record,
)
from support.doctor_service import not_found, record
from support.skipping_clock import CLOCK


class LookedUpAt(NamedTuple):
    """When the list shows the file, the bounds, and whether it is found."""

    name: str
    shown_after: float
    is_found: bool
    timeout: float = 100.0
    lag: float = 60.0


LOOKED_UP = [
    LookedUpAt("within both bounds", 15.0, is_found=True),
    LookedUpAt("within the time that the list may take", 15.0, is_found=True, lag=20.0),
    LookedUpAt("after the time that the list may take", 40.0, is_found=False, lag=20.0),
    LookedUpAt("after the timeout", 40.0, is_found=False, timeout=20.0),
]


@pytest.mark.parametrize("row", LOOKED_UP, ids=ids(LOOKED_UP))
def test_a_file_is_looked_for_by_its_name_for_the_shorter_of_two_times(row: LookedUpAt):
    follower, _ = follow(
        lambda seconds: [uploaded_record()] if seconds >= row.shown_after else [],
        lambda _: uploaded_record(),
        accepted={},
        timeout=row.timeout,
        lag=row.lag,
    )
    assert follower.looked_up is not None
    assert (follower.looked_up.file is not None) is row.is_found


def test_the_list_is_read_once_more_after_a_read_that_lasted_beyond_the_end():
    def listed(seconds: float) -> Records:
        if seconds < 1:
            CLOCK.sleep(40)
            return []
        return [uploaded_record()]

    follower, _ = follow(listed, lambda _: uploaded_record(), accepted={}, lag=30.0)
    assert follower.looked_up is not None
    assert follower.looked_up.file is not None


class Renamed(NamedTuple):
    """A file of the list, whether the list had it before, and whether it is the renamed upload."""

    name: str
    file: Mapping[str, Any]
    is_known: bool
    is_renamed: bool


RENAMED = [
    Renamed("a new file with the URL", {"file_url": URL}, is_known=False, is_renamed=True),
    Renamed("a known file with the URL", {"file_url": URL}, is_known=True, is_renamed=False),
    Renamed("a new file with another URL", {"file_url": "x"}, is_known=False, is_renamed=False),
]


@pytest.mark.parametrize("row", RENAMED, ids=ids(RENAMED))
def test_a_new_file_with_the_url_and_another_name_is_the_renamed_upload(row: Renamed):
    file = record("g1", name="another.csv", **row.file)
    follower, _ = follow(
        lambda _: [file],
        lambda _: not_found("file"),
        accepted={},
        known=[file] if row.is_known else [],
        lag=5.0,
    )
    assert follower.looked_up is not None
    assert (follower.looked_up.renamed is not None) is row.is_renamed


class Lost(NamedTuple):
    """Why an upload got no response, and whether its file is looked for."""

    lost: str
    is_looked_for: bool


LOST = [Lost("sent", is_looked_for=True), Lost("unsent", is_looked_for=False)]


@pytest.mark.parametrize("row", LOST, ids=[row.lost for row in LOST])
def test_a_file_is_looked_for_if_the_upload_without_a_response_was_sent(row: Lost):
    follower, sender = follow(
        lambda _: [uploaded_record()], lambda _: uploaded_record(), lost=row.lost
    )
    assert (follower.looked_up is not None) is row.is_looked_for
    assert bool(sender.probes) is row.is_looked_for


def test_a_file_that_was_found_by_its_name_stays_that_file():
    bodies = iter([[uploaded_record()]])
    follower, _ = follow(
        lambda _: next(bodies, [SUCCESSOR]), lambda _: not_found("file"), accepted={}, timeout=5.0
    )
    assert follower.followed is not None
    assert follower.followed.file.id == "f1"


class Identified(NamedTuple):
    """What the path of the identifier in a response has, and which file is followed then."""

    name: str
    alone: Any
    followed: str


IDENTIFIED = [
    Identified("a file", uploaded_record(), "f1"),
    Identified("nothing", not_found("file"), "f9"),
]


@pytest.mark.parametrize("row", IDENTIFIED, ids=ids(IDENTIFIED))
def test_the_list_has_the_file_by_another_identifier_than_the_response(row: Identified):
    follower, _ = follow(lambda _: [SUCCESSOR], lambda _: row.alone, timeout=5.0)
    assert follower.looked_up is not None
    assert follower.looked_up.file is not None
    assert follower.looked_up.file.id == "f9"
    assert follower.followed is not None
    assert follower.followed.file.id == row.followed
    assert follower.followed.listed_after is not None
