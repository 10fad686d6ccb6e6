"""
What is noted of an uploaded file by the replies of its list and of its own path, as they change
with time. The doctor's pauses take no time: whoever sleeps moves the clock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_reads import settings_of
from support.doctor_replies import reply
from support.doctor_service import LIST, json_reply, not_found, record
from support.servers import Reply, replying
from support.skipping_clock import CLOCK
from wes_provider.client import requests
from wes_provider.doctor.evidence import Places
from wes_provider.doctor.probes import Question
from wes_provider.doctor.sending import Sender
from wes_provider.doctor.upload import Followed, Follower

NAME = "wes-doctor-of-this-test-1234567890.csv"
URL = "https://files.example.com/a.csv"
LIST_PATH = f"/v1/coupon-list/{LIST}/files"
FILE_PATH = f"{LIST_PATH}/f1"
COUNTED = {"coupons_added": 5, "coupons_duplicate": 0}
Records = list[dict[str, Any]]


def uploaded_record(status: str = "SUCCESS", **more: Any) -> dict[str, Any]:
    """The record of the uploaded file, f1: it has 5 coupons added."""
    return record("f1", status, **{"name": NAME, "file_url": URL, **more})


def without_counts(file: Mapping[str, Any]) -> dict[str, Any]:
    """The same record without the numbers of coupons."""
    return {name: file[name] for name in file if name not in COUNTED}


class Service:
    """
    A service with the list and the uploaded file.

    :param listed: the body of the list, by the seconds since the upload.
    :param alone: the reply of the file's own path, by them; a record comes with 200.
    """

    def __init__(self, listed: Callable[[float], Any], alone: Callable[[float], Any]) -> None:
        self._listed = listed
        self._alone = alone
        self._begun = CLOCK.time()

    def __call__(self, method: str, path: str, headers: Mapping[str, str]) -> Reply:
        seconds = CLOCK.time() - self._begun
        came: Any = not_found(path)
        if path == LIST_PATH:
            came = self._listed(seconds)
        if path == FILE_PATH:
            came = self._alone(seconds)
        if isinstance(came, Reply):
            return came
        return json_reply(200, came)


def follow(
    listed: Callable[[float], Any],
    alone: Callable[[float], Any],
    *,
    accepted: Any = None,
    lost: str = "",
    known: Sequence[Mapping[str, Any]] = (),
    timeout: float = 100.0,
    final_after: float = 15.0,
    lag: float = 60.0,
) -> tuple[Follower, Sender]:
    """
    Follow the file f1.

    :param accepted: the body of the response to the upload; by default, the file as PENDING.
    :param lost: why the upload got no response: ``sent`` or ``unsent``; empty if it got one.
    :param known: the files that the list had before; none by default.
    """
    service = Service(listed, alone)
    with replying(service) as url:
        settings = settings_of(url, coupon_files_lag=lag)
        before = reply(200, [*known])
        sender = Sender(settings)
        follower = Follower(
            sender,
            settings,
            LIST,
            Places({settings.coupon_files_path: before}, {}),
            timeout=timeout,
            final_after=final_after,
            on_step=lambda _: None,
        )
        request = requests.upload(settings, LIST, {"file_url": URL, "name": NAME})
        if accepted is None:
            accepted = uploaded_record("PENDING")
        if lost:
            accepted = b""
        uploaded = reply(
            0 if lost else 201,
            accepted,
            question=Question.WRITE,
            request=request,
            sent_at=CLOCK.time(),
            unsent=lost == "unsent",
            problem="ReadTimeout" if lost else "",
        )
        follower.follow(uploaded)
    return follower, sender


def followed_file(*args: Any, **more: Any) -> Followed:
    """What was noted of the file."""
    follower, _ = follow(*args, **more)
    assert follower.followed is not None
    return follower.followed


# -- when a success is proved ----------------------------------------------------------------------

FINAL_AFTER = 15.0
PENDING = uploaded_record("PENDING")
WITHOUT_COUNTS = without_counts(uploaded_record())
ONLY_DUPLICATES = uploaded_record(coupons_added=0, coupons_duplicate=5)


class Success(NamedTuple):
    """
    A file with success, and whether that is proved at once, or has to last.

    :ivar known: other files that the list had before.
    """

    name: str
    file: Mapping[str, Any]
    is_proved_at_once: bool
    known: Sequence[Mapping[str, Any]] = ()


SUCCESSES = [
    Success("coupons added", uploaded_record(), is_proved_at_once=True),
    Success("only duplicates", ONLY_DUPLICATES, is_proved_at_once=True),
    Success(
        "neither added nor duplicates", uploaded_record(coupons_added=0), is_proved_at_once=False
    ),
    Success("no counts, as in no file of the list", WITHOUT_COUNTS, is_proved_at_once=True),
    Success(
        "no counts, as in one of two files of the list",
        WITHOUT_COUNTS,
        is_proved_at_once=False,
        known=[record("g1"), without_counts(record("g2"))],
    ),
    Success(
        "coupons added, but 40 % of the file", uploaded_record(progress=40), is_proved_at_once=False
    ),
    Success(
        "only duplicates, and coupons were added to a file on its way",
        ONLY_DUPLICATES,
        is_proved_at_once=True,
        known=[record("g1", "PENDING")],
    ),
    Success(
        "only duplicates, and coupons were added to a file with an unknown status",
        ONLY_DUPLICATES,
        is_proved_at_once=False,
        known=[record("g1", "IMPORTED")],
    ),
]


@pytest.mark.parametrize("row", SUCCESSES, ids=ids(SUCCESSES))
def test_a_success_has_to_last_unless_it_is_proved(row: Success):
    followed = followed_file(
        lambda _: [row.file], lambda _: row.file, known=row.known, final_after=FINAL_AFTER
    )
    assert (followed.waited < FINAL_AFTER) is row.is_proved_at_once
    assert followed.problem == ""


def test_a_success_with_a_part_done_is_proved_once_all_is_done():
    def file_at(seconds: float) -> dict[str, Any]:
        return uploaded_record(progress=40 if seconds < 8 else 100)

    followed = followed_file(lambda _: [uploaded_record()], file_at, final_after=FINAL_AFTER)
    assert 8 <= followed.waited < FINAL_AFTER


def test_a_file_on_its_way_is_read_by_the_wait_alone():
    _, sender = follow(
        lambda _: [PENDING], lambda seconds: PENDING if seconds < 8 else uploaded_record()
    )
    reads = [probe.path for probe in sender.probes]
    in_search, to_prove_the_end, in_the_end = 1, 1, 3
    assert reads.count(FILE_PATH) == in_search + to_prove_the_end + in_the_end


# -- which statuses came ---------------------------------------------------------------------------


def test_a_status_that_comes_again_is_noted_again():
    def file_at(seconds: float) -> dict[str, Any]:
        if seconds < 5:
            return PENDING
        if seconds < 8:
            return uploaded_record("CHECKED", coupons_added=0)
        if seconds < 12:
            return PENDING
        return uploaded_record()

    followed = followed_file(lambda _: [PENDING], file_at)
    assert followed.statuses == ("PENDING", "CHECKED", "PENDING", "SUCCESS")


class Grown(NamedTuple):
    """The counts of a file with an unknown status, at first and later, and what is noted."""

    name: str
    first: Mapping[str, Any]
    later: Mapping[str, Any]
    grew: str


GROWN = [
    Grown("a count grew", {"rows_in": 1}, {"rows_in": 2}, "rows_in 1, then 2"),
    Grown("a count stayed", {"rows_in": 1}, {"rows_in": 1}, ""),
    Grown("a count came", {}, {"rows_in": 2}, ""),
    Grown("a count went", {"rows_in": 1}, {}, ""),
    Grown("a number of polls grew", {"poll_number": 1}, {"poll_number": 2}, ""),
]


@pytest.mark.parametrize("row", GROWN, ids=ids(GROWN))
def test_counts_that_grow_with_the_same_status_are_noted(row: Grown):
    plain = without_counts(uploaded_record("STRANGE"))

    def file_at(seconds: float) -> dict[str, Any]:
        return {**plain, **(row.first if seconds < 5 else row.later)}

    followed = followed_file(lambda _: [plain], file_at, final_after=7.0, accepted=file_at(0))
    assert followed.grew == row.grew


def test_counts_that_grew_before_the_last_status_are_not_noted():
    def file_at(seconds: float) -> dict[str, Any]:
        if seconds < 6:
            return uploaded_record("STRANGE", coupons_added=round(seconds))
        return uploaded_record("SUCCESS")

    followed = followed_file(lambda _: [uploaded_record()], file_at)
    assert followed.grew == ""


class WaitsForPerson(NamedTuple):
    """How long a file that waits for a person is followed, by two bounds."""

    name: str
    timeout: float
    final_after: float
    at_most: float


WAITS = [
    WaitsForPerson("the time of a last status is shorter", 40.0, 8.0, at_most=20.0),
    WaitsForPerson("the timeout is shorter", 8.0, 40.0, at_most=20.0),
]


@pytest.mark.parametrize("row", WAITS, ids=ids(WAITS))
def test_a_file_that_waits_for_a_person_is_followed_for_the_shorter_time(row: WaitsForPerson):
    file = without_counts(uploaded_record("AWAITING_APPROVAL"))
    followed = followed_file(
        lambda _: [file], lambda _: file, timeout=row.timeout, final_after=row.final_after
    )
    assert followed.waits_for
    assert followed.waited < row.at_most


# -- when the list shows the file ------------------------------------------------------------------


def test_a_list_that_took_long_lacked_the_file_when_its_read_was_sent():
    def listed(seconds: float) -> Records:
        if seconds < 1:
            CLOCK.sleep(7)
            return []
        return [uploaded_record()]

    followed = followed_file(listed, lambda _: uploaded_record())
    assert followed.unlisted_after < 1
    assert followed.listed_after is not None
    assert followed.listed_after > 7


class ListedWith(NamedTuple):
    """
    The status of the file in the first list that shows it, and whether that is one that has files
    only once they are processed.
    """

    name: str
    first_in_list: str
    status_before: str
    is_listed_when_processed: bool


LISTED_WITH = [
    ListedWith(
        "it has ended, and was on its way before",
        "SUCCESS",
        "PENDING",
        is_listed_when_processed=True,
    ),
    ListedWith("it is on its way, as before", "PENDING", "PENDING", is_listed_when_processed=False),
    ListedWith("it has ended, as before", "SUCCESS", "SUCCESS", is_listed_when_processed=False),
]


@pytest.mark.parametrize("row", LISTED_WITH, ids=ids(LISTED_WITH))
def test_a_list_shows_a_file_when_processed_if_it_has_it_with_an_end_that_just_came(
    row: ListedWith,
):
    def listed(seconds: float) -> Records:
        return [] if seconds < 5 else [uploaded_record(row.first_in_list)]

    def alone(seconds: float) -> dict[str, Any]:
        return uploaded_record(row.status_before if seconds < 5 else row.first_in_list)

    followed = followed_file(listed, alone, accepted=alone(0), timeout=10.0)
    assert followed.is_listed_when_processed is row.is_listed_when_processed


# -- files that come and go ------------------------------------------------------------------------

SUCCESSOR = {**uploaded_record(), "_id": "f9"}
OTHER = record("g1")


class Later(NamedTuple):
    """What the list has after it had the file, and whether it then lacks the file."""

    name: str
    body: Any
    is_lacking: bool


LATER = [
    Later("another file", [OTHER], is_lacking=True),
    Later("no file", [], is_lacking=True),
    Later(
        "another file, and more on a next page",
        {"data": [OTHER], "has_more": True},
        is_lacking=False,
    ),
    Later("an error", json_reply(500, {}), is_lacking=False),
    Later("a file of the same name", [SUCCESSOR], is_lacking=False),
]


@pytest.mark.parametrize("row", LATER, ids=ids(LATER))
def test_a_file_is_lacking_if_a_whole_list_that_had_it_has_neither_it_nor_its_name_later(
    row: Later,
):
    def listed(seconds: float) -> Any:
        return [uploaded_record()] if seconds < 5 else row.body

    followed = followed_file(listed, lambda seconds: PENDING if seconds < 10 else uploaded_record())
    assert (followed.lacking is not None) is row.is_lacking


def test_a_list_that_has_a_successor_of_the_file_does_not_lack_it_later():
    # The last three reads of the list are half a second apart.
    bodies = iter([[uploaded_record()], [SUCCESSOR], [OTHER], [OTHER], [OTHER]])
    followed = followed_file(lambda _: next(bodies), lambda _: uploaded_record())
    assert followed.successor is not None
    assert followed.successor.id == "f9"
    assert followed.lacking is None


def test_the_first_reply_that_lacked_the_file_is_noted():
    # The read of the search, that which proves the success, then the last three.
    replies = iter(
        [uploaded_record()] * 3 + [not_found("one"), not_found("two"), not_found("three")]
    )
    followed = followed_file(lambda _: [uploaded_record()], lambda _: next(replies))
    assert followed.lacking_alone is not None
    assert followed.lacking_alone.lacked.message == "no such one"


def test_a_file_that_is_gone_is_noted_with_its_last_record():
    replies = iter([uploaded_record()] * 3 + [json_reply(410, {})] * 3)
    followed = followed_file(lambda _: [uploaded_record()], lambda _: next(replies))
    assert followed.gone is not None
    assert followed.lacking_alone is None
    assert followed.file.status == "SUCCESS"


# -- uploads whose response has no identifier ------------------------------------------------------


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
