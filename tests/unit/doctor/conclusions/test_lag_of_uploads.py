"""
How soon the list shows an uploaded file, compared with ``coupon_files_lag``, 30 s here or 60 s.

The lag is *sure* up to a third of it. Above that it is *Not proved*, and three times as long is
guessed, rounded up to tens of seconds. It is wrong if the list still lacked the file after more
than all of it. It is *Not proved*, whatever the time, if a cache sent the list without the file
(first of all), or if the list had the file only when it was processed, by one reading. If the list
did not show the file in 20 s, it is *Not proved*; in a part of the list, or if the file went
meanwhile, *not shown*. If the reads just before that with the file got no answer, the lag is at
most that long: nothing is proposed, and it is *sure* up to a third, and else *not shown*; but it is
wrong as above. If no list was read at all, it is *not shown*. If the reply with the file took more than 5 s, it says "within".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from support.doctor_files import (
    NAME,
    NOT_PROVED,
    NOT_SHOWN,
    SETTINGS,
    SURE,
    THREE_ADDED,
    WRONG,
    followed,
    rec,
)
from support.doctor_findings import ids
from support.doctor_replies import changed, error_body, reply
from wes_provider.doctor.conclusions.file_conclusions import conclude_from_upload
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.writes.upload import Followed
from wes_provider.settings import WesSettings

WITH_60_S = changed(coupon_files_lag=60.0)


class Lag(NamedTuple):
    """
    A file that was uploaded and followed, and what is said of the lag.

    :ivar proposed: the seconds that are proposed for ``coupon_files_lag``; ``None`` for none. They
        are a guess unless the finding is certain.
    :ivar settings: which give the list 30 s, unless they say otherwise.
    """

    name: str
    followed: Followed
    certainty: Certainty
    text: str
    proposed: float | None = None
    settings: WesSettings = SETTINGS

    def check(self) -> None:
        """The finding about the lag says and proposes this."""
        findings = conclude_from_upload(self.settings, self.followed, NAME)
        (finding,) = [finding for finding in findings if finding.topic is Topic.LAG]
        assert (finding.certainty, finding.text) == (self.certainty, self.text)
        proposed = {}
        if self.proposed is not None:
            proposed = {"coupon_files_lag": self.proposed}
        if self.certainty in (SURE, WRONG):
            assert (finding.settings, finding.guesses) == (proposed, {})
        else:
            assert (finding.settings, finding.guesses) == ({}, proposed)


def seen(
    after: float | None,
    not_yet: float = 0.0,
    took: float = 0.1,
    when_processed: bool = False,
    cache: str = "",
    others: Sequence[dict[str, Any]] = (),
    partial: bool = False,
) -> Followed:
    """
    A file that was processed with three coupons.

    :param after: seconds after which the list had it; ``None`` if it never did.
    :param not_yet: seconds after which it was read last before, and had not.
    :param took: seconds that its reply took.
    :param when_processed: whether it had it as soon as the file was processed, and not before.
    :param cache: what said that a cache had sent the list without it.
    :param partial: whether the list announces more files.
    """
    file = followed(
        rec("up", "SUCCESS", **THREE_ADDED),
        listed=after is not None,
        after=after or 0.0,
        unlisted=not_yet,
        took=took,
        others=others,
        partial=partial,
    )
    return replace(file, is_listed_when_processed=when_processed, unlisted_by_cache=cache)


NOT_AGAIN = "It was accepted: do not upload it again."
UNLISTED = [
    Lag(
        "not listed",
        seen(None),
        NOT_PROVED,
        "The list did not show the file in 20 s: ask the service's support how soon it does. "
        f"{NOT_AGAIN}",
    ),
    Lag(
        "not listed, and a cache sent the list",
        seen(None, cache="Age: 12"),
        NOT_PROVED,
        "The list did not show the file in 20 s: a cache sent the list (Age: 12), so how soon "
        "the service itself has a new file is not shown. Ask whoever runs the cache to leave "
        "out these paths. Until then, coupon_files_lag has to be above the time for which it "
        "keeps a list (tasks give it 30 s), or a task sends a file again that is there. "
        f"{NOT_AGAIN}",
    ),
    Lag(
        "not listed in a part of the list",
        seen(None, others=[rec("f1", "SUCCESS")], partial=True),
        NOT_SHOWN,
        "The list may show a part of its files, so how soon it has a new one is not shown.",
    ),
]


@pytest.mark.parametrize("row", UNLISTED, ids=ids(UNLISTED))
def test_a_list_that_did_not_show_the_file_shows_no_lag(row: Lag):
    row.check()


def test_a_file_that_went_while_it_was_followed_shows_no_lag():
    went = replace(
        followed(rec("up", "PROCESSING"), problem="410 superseded: f901, f902."),
        gone=reply(410, error_body("superseded", "f901, f902.")),
    )
    text = "Not shown, since the file went meanwhile (410 superseded)."
    Lag("", went, NOT_SHOWN, text).check()


UP_TO_A_THIRD = [
    Lag(
        "after 10 s of 30 s",
        seen(10.0),
        SURE,
        "In the list after 10 s; the 30 s that tasks give it leave room.",
        30.0,
    ),
    Lag(
        "after 20 s of 60 s",
        seen(20.0),
        SURE,
        "In the list after 20 s; the 60 s that tasks give it leave room.",
        60.0,
        WITH_60_S,
    ),
    Lag(
        "after 4 s in a part of the list",
        seen(4.0, others=[rec("f1", "SUCCESS")], partial=True),
        SURE,
        "In the list after 4 s; the 30 s that tasks give it leave room.",
        30.0,
    ),
]


@pytest.mark.parametrize("row", UP_TO_A_THIRD, ids=ids(UP_TO_A_THIRD))
def test_a_lag_is_sure_up_to_a_third_of_what_tasks_give_it(row: Lag):
    row.check()


ABOVE_A_THIRD = [
    Lag(
        "after 10.1 s of 30 s",
        seen(10.1),
        NOT_PROVED,
        "In the list after 10 s. Tasks give it 30 s (coupon_files_lag); another file may take "
        "longer, and 40 s leave room for that.",
        40.0,
    ),
    Lag(
        "after 30 s of 30 s",
        seen(30.0),
        NOT_PROVED,
        "In the list after 30 s. Tasks give it 30 s (coupon_files_lag); another file may take "
        "longer, and 90 s leave room for that.",
        90.0,
    ),
    Lag(
        "after 31 s of 30 s, and not yet after 21 s",
        seen(31.0, not_yet=21.0),
        NOT_PROVED,
        "In the list after 31 s, and not yet after 21 s. Tasks give it 30 s "
        "(coupon_files_lag): if that is too few, they send a file again that is there. 100 s "
        "leave room for a slower one.",
        100.0,
    ),
    Lag(
        "after 41 s of 30 s, and not yet after 30 s",
        seen(41.0, not_yet=30.0),
        NOT_PROVED,
        "In the list after 41 s, and not yet after 30 s. Tasks give it 30 s "
        "(coupon_files_lag): if that is too few, they send a file again that is there. 130 s "
        "leave room for a slower one.",
        130.0,
    ),
    Lag(
        "after 31 s of 60 s",
        seen(31.0),
        NOT_PROVED,
        "In the list after 31 s. Tasks give it 60 s (coupon_files_lag); another file may take "
        "longer, and 100 s leave room for that.",
        100.0,
        WITH_60_S,
    ),
]


@pytest.mark.parametrize("row", ABOVE_A_THIRD, ids=ids(ABOVE_A_THIRD))
def test_a_lag_above_a_third_is_not_proved_and_guesses_three_times_as_long(row: Lag):
    """The guess is rounded up to tens of seconds."""
    row.check()


AWAY = reply(503, error_body("unavailable", "Deployment in progress."))


def after_outage(after: float | None, not_yet: float = 0.0) -> Followed:
    """A file whose list was read without it last before an outage, or never (0)."""
    return replace(seen(after, not_yet=not_yet), unanswered=AWAY)


AT_MOST = [
    Lag(
        "after 10 s",
        after_outage(10.0),
        SURE,
        "At most 10 s: reads of it just before got 503 unavailable.",
    ),
    Lag(
        "after 10.1 s",
        after_outage(10.1),
        NOT_SHOWN,
        "At most 10 s: reads of it just before got 503 unavailable.",
    ),
    Lag(
        "after 41 s, and not yet after 30 s",
        after_outage(41.0, not_yet=30.0),
        NOT_SHOWN,
        "At most 41 s, and more than 30 s: reads of it just before got 503 unavailable.",
    ),
    Lag(
        "never",
        after_outage(None),
        NOT_SHOWN,
        "Not shown: no list was read since the upload (503 unavailable: 'Deployment in progress').",
    ),
    Lag(
        "never, and not yet after 3 s",
        after_outage(None, not_yet=3.0),
        NOT_PROVED,
        "The list did not show the file in 3 s, and was not read after that (503 unavailable: "
        f"'Deployment in progress'): ask the service's support how soon it does. {NOT_AGAIN}",
    ),
]


@pytest.mark.parametrize("row", AT_MOST, ids=ids(AT_MOST))
def test_reads_without_an_answer_before_the_file_make_a_lag_an_upper_bound(row: Lag):
    row.check()


TOO_LATE = [
    Lag(
        "after 41 s of 30 s, and not yet after 30.1 s",
        seen(41.0, not_yet=30.1),
        WRONG,
        "In the list after 41 s, and tasks give it 30 s (coupon_files_lag): they would send a "
        "file again that is there. 130 s leave room for a slower one.",
        130.0,
    ),
    Lag(
        "after 71 s of 60 s, and not yet after 61 s",
        seen(71.0, not_yet=61.0),
        WRONG,
        "In the list after 71 s, and tasks give it 60 s (coupon_files_lag): they would send a "
        "file again that is there. 220 s leave room for a slower one.",
        220.0,
        WITH_60_S,
    ),
    Lag(
        "after 41 s of 30 s, not yet after 30.1 s, and unread in between",
        after_outage(41.0, not_yet=30.1),
        WRONG,
        "In the list after 41 s, and tasks give it 30 s (coupon_files_lag): they would send a "
        "file again that is there. 130 s leave room for a slower one.",
        130.0,
    ),
]


@pytest.mark.parametrize("row", TOO_LATE, ids=ids(TOO_LATE))
def test_a_lag_is_wrong_if_the_list_lacked_the_file_after_all_that_tasks_give_it(row: Lag):
    row.check()


MAY_LEAVE_OUT = (
    "the list may leave out files that are on their way, or be late. If it leaves them out, "
    "coupon_files_lag has to be above the longest time that processing takes (tasks give it 30 s), "
    "or a task sends a file again that is there. Ask the service's support."
)
WHEN_PROCESSED = [
    Lag(
        "after 4 s",
        seen(4.0, when_processed=True),
        NOT_PROVED,
        "In the list after 4 s, when it was processed, and not yet after 0 s, when it was on its "
        f"way: {MAY_LEAVE_OUT}",
        30.0,
    ),
    Lag(
        "after 41 s, and not yet after 31 s",
        seen(41.0, not_yet=31.0, when_processed=True),
        NOT_PROVED,
        "In the list after 41 s, when it was processed, and not yet after 31 s, when it was on "
        f"its way: {MAY_LEAVE_OUT}",
        130.0,
    ),
]


@pytest.mark.parametrize("row", WHEN_PROCESSED, ids=ids(WHEN_PROCESSED))
def test_a_lag_is_not_proved_if_the_list_had_the_file_only_when_it_was_processed(row: Lag):
    row.check()


def test_a_lag_is_not_proved_if_a_cache_sent_the_list_before_it_had_the_file():
    """Even if the list had it only when it was processed, after all that tasks give it."""
    cached = seen(41.0, not_yet=31.0, when_processed=True, cache="x-cache: HIT, max-age=40")
    text = (
        "In the list after 41 s; before that, a cache sent the list (x-cache: HIT, "
        "max-age=40), so how soon the service itself has a new file is not shown. Ask whoever "
        "runs the cache to leave out these paths. Until then, coupon_files_lag has to be above "
        "the time for which it keeps a list (tasks give it 30 s), or a task sends a file again "
        "that is there."
    )
    Lag("", cached, NOT_PROVED, text, 130.0).check()


SLOW_REPLIES = [
    Lag(
        "5 s",
        seen(10.0, took=5.0),
        SURE,
        "In the list after 10 s; the 30 s that tasks give it leave room.",
        30.0,
    ),
    Lag(
        "6 s",
        seen(10.0, took=6.0),
        SURE,
        "In the list within 10 s, as long as the reply took; the 30 s that tasks give it leave "
        "room.",
        30.0,
    ),
    Lag(
        "6 s, above a third of what tasks give it",
        seen(12.0, took=6.0),
        NOT_PROVED,
        "In the list within 12 s, as long as the reply took. Tasks give it 30 s "
        "(coupon_files_lag); another file may take longer, and 40 s leave room for that.",
        40.0,
    ),
]


@pytest.mark.parametrize("row", SLOW_REPLIES, ids=ids(SLOW_REPLIES))
def test_the_list_had_the_file_within_the_lag_if_its_reply_took_more_than_5_s(row: Lag):
    row.check()
