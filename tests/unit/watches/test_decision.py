"""
What follows from one reading of a watched list. Each file that has ended and was not seen before is
reported, once: ``processed`` or ``failed``. The first reading reports nothing: what has ended by
then is seen, and what is pending is reported when it ends. A file that is pending, has an unknown
or no status, or has no identifier that is a string, is neither. What was seen stays seen if a list
lacks it or shows it with another end. If only some files may be reported, the others are seen. A
reading reports at most 500 files, and the next ones report the rest. A file is reported as the flat
coupon file with its outcome, its URL without credentials and query.

The pause after a reading is ``poll_interval``. From the second failure in a row on it doubles, up
to five minutes or the interval if that is longer; a rate limit that resets later prolongs it.
"""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wes_provider.coupon_files import Statuses
from wes_provider.exceptions import (
    WesAuthenticationError,
    WesConnectionError,
    WesError,
    WesRateLimitError,
)
from wes_provider.watches.decision import decide, files_on_their_way, fingerprint, pause_after

SUCCESS, FAILED, PENDING = "SUCCESS", "FAILED", "PENDING"


def records(*files: tuple[Any, Any]) -> list[dict[str, Any]]:
    return [{"_id": file_id, "status": status, "name": "n"} for file_id, status in files]


class Row(NamedTuple):
    """
    What a reading shows, and what follows.

    :ivar shown: identifiers and statuses.
    :ivar seen: the files that were seen before, a letter each; ``None`` for the first reading.
    :ivar reported: identifiers and outcomes.
    """

    id: str
    shown: list[tuple[Any, Any]]
    seen: str | None
    reported: list[tuple[str, str]]
    seen_then: str


ROWS = [
    Row(
        "the first reading, of a processed and a pending file",
        [("a", SUCCESS), ("b", PENDING)],
        None,
        [],
        "a",
    ),
    Row("the first reading, of no file", [], None, [], ""),
    Row("a processed file", [("a", SUCCESS)], "", [("a", "processed")], "a"),
    Row("a status in lower case", [("a", "success")], "", [("a", "processed")], "a"),
    Row("a status with spaces around", [("a", " SUCCESS ")], "", [("a", "processed")], "a"),
    Row("another name of success", [("a", "DONE")], "", [("a", "processed")], "a"),
    Row("a failed file", [("a", FAILED)], "", [("a", "failed")], "a"),
    Row("a pending file", [("a", PENDING)], "", [], ""),
    Row("an unknown status", [("a", "CHEWING")], "", [], ""),
    Row("a file that was seen", [("a", SUCCESS)], "a", [], "a"),
    Row("a file that was seen and now fails", [("a", FAILED)], "a", [], "a"),
    Row(
        "a file that is shown twice",
        [("a", SUCCESS), ("a", SUCCESS)],
        "",
        [("a", "processed")],
        "a",
    ),
    Row(
        "twice, and pending first", [("a", PENDING), ("a", SUCCESS)], "", [("a", "processed")], "a"
    ),
    Row("a list that lacks a file", [("b", SUCCESS)], "a", [("b", "processed")], "ab"),
    Row("an empty list", [], "ab", [], "ab"),
    Row("files in another order", [("b", SUCCESS), ("a", SUCCESS)], "ab", [], "ab"),
    Row(
        "a failed and a processed file",
        [("b", FAILED), ("a", SUCCESS)],
        "",
        [("b", "failed"), ("a", "processed")],
        "ba",
    ),
    Row("no identifier", [(None, SUCCESS)], "", [], ""),
    Row("a number as identifier", [(7, SUCCESS)], "", [], ""),
    Row("an empty identifier", [("", SUCCESS)], "", [], ""),
    Row("a space as identifier", [(" ", SUCCESS)], "", [], ""),
    Row("no status", [("a", None)], "", [], ""),
    Row("a number as status", [("a", 3)], "", [], ""),
]


FINGERPRINTS = {"a": "QzkRxusN", "b": "oSDQrVDx"}


def marks(files: str) -> dict[str, None]:
    """What was seen of files, a letter each."""
    return dict.fromkeys(FINGERPRINTS[file] for file in files)


def test_a_fingerprint_is_a_digest_of_the_identifier():
    assert {name: fingerprint(name) for name in "ab"} == FINGERPRINTS


@pytest.mark.parametrize("row", ROWS, ids=[row.id for row in ROWS])
def test_a_reading_reports_each_file_that_has_ended_and_was_not_seen_before(row: Row):
    seen = None if row.seen is None else marks(row.seen)
    decision = decide(records(*row.shown), seen, Statuses(), "l")
    assert [(file["id"], file["outcome"]) for file in decision.files] == row.reported
    assert list(decision.seen) == list(marks(row.seen_then))


def test_a_file_that_is_pending_in_the_first_reading_is_reported_by_the_one_that_shows_its_end():
    first = decide(records(("a", PENDING)), None, Statuses(), "l")
    second = decide(records(("a", SUCCESS)), first.seen, Statuses(), "l")
    assert [len(decision.files) for decision in (first, second)] == [0, 1]


def test_files_that_may_have_ended_before_are_seen_and_not_reported():
    shown = records(("a", SUCCESS), ("b", SUCCESS), ("c", PENDING))
    decision = decide(shown, {}, Statuses(), "l", only={fingerprint("b"), fingerprint("c")})
    assert [file["id"] for file in decision.files] == ["b"]
    assert list(decision.seen) == list(marks("ab"))


def test_files_on_their_way_are_those_without_an_end():
    shown = records(("a", SUCCESS), ("b", PENDING), ("c", "ODD"), ("d", None), (7, PENDING))
    assert files_on_their_way(shown, Statuses()) == {fingerprint(name) for name in "bcd"}


def test_a_file_is_reported_as_the_flat_coupon_file_with_its_outcome():
    record = {
        "_id": "f",
        "status": "FAILED",
        "name": "summer",
        "error": "Wrong columns",
        "file_url": "https://h.example.com/a/b.csv",
        "added": 3,
    }
    (file,) = decide([record], {}, Statuses(), "l").files
    assert file == {
        "added": 3,
        "id": "f",
        "coupon_list_id": "l",
        "name": "summer",
        "status": "FAILED",
        "file_url": "https://h.example.com/a/b.csv",
        "reason": "Wrong columns",
        "outcome": "failed",
    }


def test_the_url_of_a_reported_file_has_no_credentials_and_no_query():
    url = "https://u:p@h.example.com/a/b.csv?signature=secret"
    record = {"_id": "f", "status": SUCCESS, "file_url": url}
    (file,) = decide([record], {}, Statuses(), "l").files
    assert file["file_url"] == "https://h.example.com/a/b.csv"


def test_an_outcome_that_the_service_shows_itself_is_replaced():
    (file,) = decide([{"_id": "f", "status": FAILED, "outcome": 7}], {}, Statuses(), "l").files
    assert file["outcome"] == "failed"


def test_what_was_decided_before_is_left_as_it_was():
    seen = marks("a")
    decide(records(("b", SUCCESS)), seen, Statuses(), "l")
    assert seen == marks("a")


def test_many_files_that_end_at_once_come_in_parts_of_five_hundred_and_each_once():
    files = records(*((f"f{number}", SUCCESS) for number in range(1001)))
    ids: list[str] = []
    seen: dict[str, None] = {}
    sizes = []
    for _ in range(4):
        decision = decide(files, seen, Statuses(), "l")
        ids += [file["id"] for file in decision.files]
        sizes.append(len(decision.files))
        seen = decision.seen
    assert sizes == [500, 500, 1, 0]
    assert ids == [record["_id"] for record in files]


@given(
    st.lists(
        st.dictionaries(st.sampled_from("abcdefgh"), st.sampled_from([SUCCESS, FAILED, PENDING]))
    )
)
def test_whatever_readings_show_no_file_is_reported_twice_and_none_is_missed(
    readings: list[dict[str, str]],
):
    seen: dict[str, None] | None = None
    reported: list[str] = []
    for shown in readings:
        decision = decide(records(*shown.items()), seen, Statuses(), "l")
        seen = decision.seen
        reported += [file["id"] for file in decision.files]
    ended = [{name for name in shown if shown[name] != PENDING} for shown in readings]
    expected = set().union(*ended) - (ended[0] if ended else set())
    assert len(reported) == len(set(reported))
    assert set(reported) == expected


NOW = datetime(2026, 1, 1, tzinfo=timezone.utc)
IN_100_S = NOW + timedelta(seconds=100)
IN_900_S = NOW + timedelta(seconds=900)


class Pause(NamedTuple):
    id: str
    failures: int
    error: WesError | None
    poll_interval: float
    seconds: float


PAUSES = [
    # Failures in a row.
    Pause("no failure", 0, None, 60, 60),
    Pause("the first failure", 1, WesConnectionError("refused"), 60, 60),
    Pause("the second failure", 2, WesConnectionError("refused"), 60, 120),
    Pause("the third failure, a 401", 3, WesAuthenticationError("401", status_code=401), 60, 240),
    Pause("the ninth failure", 9, WesConnectionError("refused"), 60, 300),
    Pause("the failures of weeks", 100_000, WesConnectionError("refused"), 60, 300),
    Pause("an interval of an hour", 9, WesConnectionError("refused"), 3600, 3600),
    # Limits.
    Pause("a limit that resets later", 1, WesRateLimitError("429", reset_at=IN_900_S), 60, 900),
    Pause("a limit that resets sooner", 1, WesRateLimitError("429", reset_at=IN_900_S), 1000, 1000),
    Pause("a limit without a reset", 1, WesRateLimitError("429"), 60, 60),
    Pause("the third limit without a reset", 3, WesRateLimitError("429"), 60, 240),
    Pause(
        "the third limit, which resets later",
        3,
        WesRateLimitError("429", reset_at=IN_900_S),
        60,
        900,
    ),
    Pause(
        "the third limit, which resets sooner",
        3,
        WesRateLimitError("429", reset_at=IN_100_S),
        60,
        240,
    ),
]


@pytest.mark.parametrize("row", PAUSES, ids=[row.id for row in PAUSES])
def test_the_pause_doubles_with_failures_in_a_row_and_lasts_until_a_limit_resets(row: Pause):
    """
    It doubles with each failure in a row from the second on, up to five minutes or a longer
    interval. A rate limit that resets later prolongs it.
    """
    seconds = pause_after(row.failures, row.error, row.poll_interval, NOW.timestamp())
    assert seconds == row.seconds
