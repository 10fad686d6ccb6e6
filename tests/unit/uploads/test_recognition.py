"""
What a list shows of an upload. A file with its name is its own, whatever case, spaces and suffix.
After a clear, the task instance's latest file from before it is found, or another task's of this
run. In a run that was never cleared, those are other uploads. For a task of a single file, the only
file of its attempts from another URL is its own.

The list cannot tell, and says why, if it is a part without such a file, if the file has no usable
identifier, if names are cut (to four characters or more), if another file may be the later one, if
the URL has another query, or if there are several files from other URLs, of which five are named.
Else it shows nothing of the upload (test_other_names.py is about files with other names); but a
list is behind if it lacks files that it has to show, or if a cache had it before the
request.

With a name that the user gives, the only file with that name and from its URL is its own, if the
name has the run and nothing else may have sent the file; it is from before the clear if nothing was
sent since. In any other case the list cannot tell.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wes_provider.client.responses import Listing
from wes_provider.uploads.decision import (
    AcceptedBeforeClear,
    Behind,
    CannotTell,
    FoundFromBeforeClear,
    FoundSinceClear,
    Listed,
    MaybeSent,
    MaybeSentBeforeClear,
    NotThere,
)
from wes_provider.uploads.identity import UploadName
from wes_provider.uploads.recognition import recognise
from wes_provider.uploads.sought import Sought

URL = "https://files.example.com/a.csv"
ELSEWHERE = "https://files.example.com/b.csv"
NAME = UploadName("aaaaaaaa", 3, "bbbb", "cccccc")
OTHER_FILE = NAME._replace(hash="dddddddd")
OF_A_NEIGHBOUR = NAME._replace(origin="eeeeee")
BEFORE_THE_CLEAR = NAME._replace(generation=2, start="ffff")
WITH_QUERY = NAME._replace(query="qqqqqq")
OTHER_QUERY = NAME._replace(query="rrrrrr")

# What is looked for: one of several files of a task, from URL.
RETRY = Sought("summer", NAME, MaybeSent(), normalised_url=URL, run_never_cleared=True)
"""The run was never cleared, and an earlier attempt perhaps sent it."""
AFTER_CLEAR = replace(RETRY, earlier=MaybeSentBeforeClear(), run_never_cleared=False)
"""It was perhaps sent before the clear, and not since."""
RETRY_AFTER_CLEAR = replace(RETRY, run_never_cleared=False)
"""It was perhaps sent since the clear."""


def record(name: Any, url: str | None = URL, file_id: Any = "f1") -> dict[str, Any]:
    """A record of a list; without a name, if that is ``None``."""
    shown = None if name is None else str(name)
    return {"_id": file_id, "name": shown, "file_url": url, "coupons_list_id": "summer"}


KEPT = record(OTHER_FILE._replace(origin="hhhhhh"), ELSEWHERE, "f9") | {"status": "SUCCESS"}
"""A file of another upload that has ended under a name of ours, so that the service keeps names."""


class Row(NamedTuple):
    """
    A list, and what is looked for.

    :ivar incomplete: why the list may be a part; empty if it is whole.
    """

    records: list[dict[str, Any]]
    sought: Sought
    incomplete: str = ""


class Doubt(NamedTuple):
    """A list that cannot tell, what is looked for, and the begin of what is said of it."""

    records: list[dict[str, Any]]
    sought: Sought
    why: str


def look(row: Row) -> Listed:
    return recognise(Listing(row.records, row.incomplete), row.sought)


def check_found_since_clear(row: Row) -> None:
    """The list shows the file ``f1`` as this upload's."""
    shows = look(row)
    assert isinstance(shows, FoundSinceClear)
    assert shows.file.id == "f1"


def check_found_from_before_clear(row: Row, *, is_own: bool = True) -> None:
    """The list shows the file ``f1`` as one from before the clear."""
    shows = look(row)
    assert isinstance(shows, FoundFromBeforeClear)
    assert (shows.file.id, shows.is_own) == ("f1", is_own)


def check_cannot_tell(row: Doubt) -> None:
    shows = recognise(Listing(row.records), row.sought)
    assert isinstance(shows, CannotTell)
    assert shows.why.startswith(row.why)


# -- names of ours: its own ------------------------------------------------------------------------

OWN = {
    "its name": Row([record(NAME)], RETRY),
    "its name with a suffix": Row([record(f"{NAME}.csv")], RETRY),
    "its name in capitals, with spaces": Row([record(f" {str(NAME).upper()}.CSV")], RETRY),
    "its name in a part of the list": Row([record(f"{NAME}.csv")], RETRY, "too long"),
    "its name beside one of before the clear": Row(
        [record(NAME), record(BEFORE_THE_CLEAR, file_id="f0")], RETRY_AFTER_CLEAR
    ),
    "its name with its query": Row([record(WITH_QUERY)], replace(RETRY, name=WITH_QUERY)),
}


@pytest.mark.parametrize("row", OWN.values(), ids=OWN)
def test_the_file_with_its_name_is_its_own(row: Row):
    check_found_since_clear(row)


TWINS = {
    "its own": Row(
        [
            {**record(NAME, file_id="f0"), "status": "FAILED"},
            {**record(NAME), "status": "SUCCESS"},
        ],
        RETRY,
    ),
    "from before the clear": Row(
        [
            {**record(BEFORE_THE_CLEAR), "status": "PENDING"},
            {**record(BEFORE_THE_CLEAR, file_id="f0"), "status": "FAILED"},
        ],
        AFTER_CLEAR,
    ),
}


@pytest.mark.parametrize("row", TWINS.values(), ids=TWINS)
def test_of_two_files_that_a_gateway_has_made_of_one_request_one_that_did_not_fail_counts(row: Row):
    shows = look(row)
    assert isinstance(shows, (FoundSinceClear, FoundFromBeforeClear))
    assert shows.file.id == "f1"


WITHOUT_ID = {
    "its name, and no _id": Row([record(NAME, file_id=None)], RETRY),
    "its name, and a number as _id": Row([record(NAME, file_id=7)], RETRY),
    "its name, and a path as _id": Row([record(NAME, file_id="../f1")], RETRY),
    "of before the clear, and an empty _id": Row(
        [record(BEFORE_THE_CLEAR, file_id="")], AFTER_CLEAR
    ),
}


@pytest.mark.parametrize("row", WITHOUT_ID.values(), ids=WITHOUT_ID)
def test_a_file_that_is_recognised_and_has_no_identifier_that_can_be_used_cannot_tell(row: Row):
    assert look(row) == CannotTell("the list shows it without an _id that can be used")


INCOMPLETE = {
    "an empty one": Row([], RETRY, "too long"),
    "with another file of the task": Row(
        [record(OTHER_FILE)], replace(RETRY, files_of_task=["dddddddd"]), "too long"
    ),
    "with a file of before the clear": Row([record(BEFORE_THE_CLEAR)], AFTER_CLEAR, "too long"),
}


@pytest.mark.parametrize("row", INCOMPLETE.values(), ids=INCOMPLETE)
def test_a_part_of_a_list_without_a_file_of_its_name_cannot_tell(row: Row):
    assert look(row) == CannotTell("too long")


FROM_OTHER_URL = {
    "another path": Row([record(OTHER_FILE)], replace(RETRY, single=True)),
    "another query": Row([record(OTHER_QUERY)], replace(RETRY, name=WITH_QUERY, single=True)),
    "no query, and now one": Row([record(NAME)], replace(RETRY, name=WITH_QUERY, single=True)),
}


@pytest.mark.parametrize("row", FROM_OTHER_URL.values(), ids=FROM_OTHER_URL)
def test_the_one_file_of_these_attempts_from_another_url_is_its_own_for_a_task_of_a_single_file(
    row: Row,
):
    check_found_since_clear(row)


FROM_OTHER_URLS = {
    "one, of a task of several files": Doubt(
        [record(OTHER_FILE)],
        RETRY,
        "an earlier attempt uploaded f1 from other URLs: give each file a name",
    ),
    "one with another query, of a task of several files": Doubt(
        [record(OTHER_QUERY)],
        replace(RETRY, name=WITH_QUERY),
        "an earlier attempt uploaded f1 from other URLs: give each file a name",
    ),
    "two, of a task of a single file": Doubt(
        [record(OTHER_FILE), record(OTHER_FILE._replace(hash="eeeeeeee"), file_id="f2")],
        replace(RETRY, single=True),
        "an earlier attempt uploaded f1, f2 from other URLs: give each file a name",
    ),
}


@pytest.mark.parametrize("row", FROM_OTHER_URLS.values(), ids=FROM_OTHER_URLS)
def test_files_of_these_attempts_from_other_urls_cannot_tell_which_one_is_meant(row: Doubt):
    check_cannot_tell(row)


# -- names of ours: from before a clear, and of other tasks ----------------------------------------

BEFORE_AND_ACCEPTED = replace(AFTER_CLEAR, earlier=AcceptedBeforeClear(), open_acceptance=2)
"""The service accepted a request of the generation 2, and nobody knows what became of it."""

FROM_BEFORE_CLEAR = {
    "nothing sent since the clear": Row([record(BEFORE_THE_CLEAR)], AFTER_CLEAR),
    "perhaps sent since the clear": Row([record(BEFORE_THE_CLEAR)], RETRY_AFTER_CLEAR),
    "of the generation that was accepted": Row([record(BEFORE_THE_CLEAR)], BEFORE_AND_ACCEPTED),
    "failed, beside one that failed, too": Row(
        [
            {**record(BEFORE_THE_CLEAR), "status": "FAILED"},
            {**record(BEFORE_THE_CLEAR._replace(generation=1), file_id="f0"), "status": "FAILED"},
        ],
        AFTER_CLEAR,
    ),
    "listed twice": Row([record(BEFORE_THE_CLEAR), record(BEFORE_THE_CLEAR)], AFTER_CLEAR),
    "with its query, beside one with another query": Row(
        [
            record(BEFORE_THE_CLEAR._replace(query="qqqqqq")),
            record(BEFORE_THE_CLEAR._replace(query="rrrrrr"), file_id="f0"),
        ],
        replace(AFTER_CLEAR, name=WITH_QUERY),
    ),
}


@pytest.mark.parametrize("row", FROM_BEFORE_CLEAR.values(), ids=FROM_BEFORE_CLEAR)
def test_the_latest_file_of_the_task_instance_from_before_the_clear_is_found(row: Row):
    check_found_from_before_clear(row)


def test_after_a_clear_the_file_of_another_task_of_the_run_is_found_as_anothers():
    check_found_from_before_clear(Row([record(OF_A_NEIGHBOUR)], AFTER_CLEAR), is_own=False)


NOT_THE_LATEST = {
    "it failed, and an earlier generation was processed": Doubt(
        [
            {**record(BEFORE_THE_CLEAR), "status": "FAILED"},
            {**record(BEFORE_THE_CLEAR._replace(generation=1), file_id="f0"), "status": "SUCCESS"},
        ],
        AFTER_CLEAR,
        "f1 of this task failed processing, f0 did not, and either may be the later one",
    ),
    "a deleted run of this identifier has one": Doubt(
        [record(BEFORE_THE_CLEAR), record(BEFORE_THE_CLEAR._replace(start="gggg"), file_id="f2")],
        AFTER_CLEAR,
        "a run of this id was deleted: f1, f2",
    ),
    "a later generation was accepted": Doubt(
        [record(BEFORE_THE_CLEAR)],
        replace(BEFORE_AND_ACCEPTED, open_acceptance=3),
        "the service accepted a later upload than f1, and the list does not show it",
    ),
    "it is another task's, and one of this task was accepted": Doubt(
        [record(OF_A_NEIGHBOUR)],
        BEFORE_AND_ACCEPTED,
        "the service accepted a later upload than f1, and the list does not show it",
    ),
}


@pytest.mark.parametrize("row", NOT_THE_LATEST.values(), ids=NOT_THE_LATEST)
def test_a_file_from_before_the_clear_cannot_tell_if_another_one_may_be_later(row: Doubt):
    check_cannot_tell(row)


ANOTHER_QUERY = (
    "f1 of before the clear has the same URL with another query, and may be this file or another "
    "one: give each file a name"
)
OTHER_QUERIES = {
    "of this task, another query": Doubt(
        [record(BEFORE_THE_CLEAR._replace(query="rrrrrr"))],
        replace(AFTER_CLEAR, name=WITH_QUERY),
        ANOTHER_QUERY,
    ),
    "of another task, another query": Doubt(
        [record(BEFORE_THE_CLEAR._replace(query="rrrrrr", origin="eeeeee"))],
        replace(AFTER_CLEAR, name=WITH_QUERY),
        ANOTHER_QUERY,
    ),
    "no query, and now one": Doubt(
        [record(BEFORE_THE_CLEAR)], replace(AFTER_CLEAR, name=WITH_QUERY), ANOTHER_QUERY
    ),
    "a query, and now none": Doubt(
        [record(BEFORE_THE_CLEAR._replace(query="rrrrrr"))], AFTER_CLEAR, ANOTHER_QUERY
    ),
}


@pytest.mark.parametrize("row", OTHER_QUERIES.values(), ids=OTHER_QUERIES)
def test_a_file_from_before_the_clear_of_its_url_with_another_query_cannot_tell(row: Doubt):
    check_cannot_tell(row)


# -- names of ours: other uploads ------------------------------------------------------------------

OF_ANOTHER_UPLOAD = {
    "none": Row([], RETRY),
    "of another generation and start, in a run that was never cleared": Row(
        [record(BEFORE_THE_CLEAR)], RETRY
    ),
    "of another task, in a run that was never cleared": Row([record(OF_A_NEIGHBOUR)], RETRY),
    "another file of the task": Row(
        [record(OTHER_FILE)], replace(AFTER_CLEAR, files_of_task=["dddddddd"])
    ),
    "from another URL, and nothing was sent since the clear": Row(
        [record(OTHER_FILE)], replace(AFTER_CLEAR, single=True)
    ),
    "another query, which is another file of the task": Row(
        [record(BEFORE_THE_CLEAR._replace(query="rrrrrr"))],
        replace(AFTER_CLEAR, name=WITH_QUERY, files_of_task=[OTHER_QUERY.file]),
    ),
    "another query, of another task since the run was started": Row(
        [record(OTHER_QUERY._replace(origin="eeeeee"))], replace(AFTER_CLEAR, name=WITH_QUERY)
    ),
    "another query, of another task, in a run that was never cleared": Row(
        [record(OTHER_QUERY._replace(origin="eeeeee"))], replace(RETRY, name=WITH_QUERY)
    ),
}


@pytest.mark.parametrize("row", OF_ANOTHER_UPLOAD.values(), ids=OF_ANOTHER_UPLOAD)
def test_a_list_with_files_of_other_uploads_alone_has_nothing_of_this_one(row: Row):
    assert look(row) == NotThere()


# -- names that the service cuts or does not show --------------------------------------------------

CUT = {
    "its name, cut to 12 characters": Row([record(str(NAME)[:12], url=ELSEWHERE)], RETRY),
    "its name, cut to 4 characters": Row([record(str(NAME)[:4], url=ELSEWHERE)], RETRY),
    "a name of before the clear": Row(
        [record(str(BEFORE_THE_CLEAR)[:20], url=ELSEWHERE)], AFTER_CLEAR
    ),
    "a name of these attempts from another URL": Row(
        [record(str(OTHER_FILE)[:20], url=ELSEWHERE)], RETRY
    ),
}


@pytest.mark.parametrize("row", CUT.values(), ids=CUT)
def test_a_name_that_is_cut_and_may_be_its_own_cannot_tell(row: Row):
    assert look(row) == CannotTell(
        "the service cuts or changes names, and this may be its file: f1"
    )


def test_a_name_of_three_characters_is_too_short_to_be_its_own():
    short = {**record(str(NAME)[:3], url=ELSEWHERE), "status": "SUCCESS"}
    shows = look(Row([short, KEPT], RETRY))
    assert shows == NotThere()


def test_of_files_of_before_a_clear_the_task_instances_latest_counts_in_any_order():
    names = {
        "f0": OF_A_NEIGHBOUR._replace(generation=9),
        "f1": BEFORE_THE_CLEAR._replace(generation=1),
        "f2": BEFORE_THE_CLEAR,
    }
    records = [record(name, file_id=file_id) for file_id, name in names.items()]
    for listed in (records, records[::-1]):
        shows = recognise(Listing(listed), AFTER_CLEAR)
        assert isinstance(shows, FoundFromBeforeClear)
        assert shows.file.id == "f2"


def test_of_files_of_other_tasks_one_that_has_not_failed_is_found():
    failed = {**record(OF_A_NEIGHBOUR), "status": "FAILED"}
    lower = OF_A_NEIGHBOUR._replace(origin="ffffff", generation=1)
    processed = {**record(lower, file_id="f2"), "status": "SUCCESS"}
    shows = recognise(Listing([failed, processed]), AFTER_CLEAR)
    assert isinstance(shows, FoundFromBeforeClear)
    assert shows.file.id == "f2"


# -- names that the user gives ---------------------------------------------------------------------

GIVEN = replace(RETRY_AFTER_CLEAR, given_name="sale.csv", run_id="Run-1")
WITH_RUN = replace(GIVEN, given_name="sale-run-1.csv")
"""A name that has the run; an older file serves as well, unless a row says otherwise."""


GIVEN_FOUND = {
    "never cleared, and only a file of its own serves": Row(
        [record("sale-run-1.csv")],
        replace(WITH_RUN, run_never_cleared=True, takes_older_file=False),
    ),
    "never cleared, in other letters": Row(
        [record(" sale-run-1.CSV ")],
        replace(WITH_RUN, given_name="Sale-Run-1.csv", run_never_cleared=True),
    ),
    "never cleared, and listed twice": Row(
        [record("sale-run-1.csv")] * 2, replace(WITH_RUN, run_never_cleared=True)
    ),
    "never cleared, from its URL with a signature": Row(
        [record("sale-run-1.csv", url=f"{URL}?token=2")],
        replace(WITH_RUN, run_never_cleared=True),
    ),
    "perhaps sent since the clear, and an older file serves as well": Row(
        [record("sale-run-1.csv")], WITH_RUN
    ),
}


@pytest.mark.parametrize("row", GIVEN_FOUND.values(), ids=GIVEN_FOUND)
def test_the_only_file_with_a_given_name_that_has_the_run_is_its_own(row: Row):
    check_found_since_clear(row)


NOTHING_SENT = replace(WITH_RUN, earlier=MaybeSentBeforeClear())
GIVEN_FROM_BEFORE_CLEAR = {
    "one that was not known before the last request": Row([record("sale-run-1.csv")], NOTHING_SENT),
    "only one that was known before the last request": Row(
        [record("sale-run-1.csv")], replace(NOTHING_SENT, older_files=["f1"])
    ),
    "one that was not known beside one that was": Row(
        [record("sale-run-1.csv", file_id="f0"), record("sale-run-1.csv")],
        replace(NOTHING_SENT, older_files=["f0"]),
    ),
}


@pytest.mark.parametrize("row", GIVEN_FROM_BEFORE_CLEAR.values(), ids=GIVEN_FROM_BEFORE_CLEAR)
def test_a_file_with_a_given_name_is_from_before_the_clear_if_nothing_was_sent_since(row: Row):
    check_found_from_before_clear(row)


NOT_GIVEN = {
    "none": Row([], GIVEN),
    "one that was known before the last request": Row(
        [record("sale-run-1.csv")], replace(WITH_RUN, older_files=["f1"])
    ),
}


@pytest.mark.parametrize("row", NOT_GIVEN.values(), ids=NOT_GIVEN)
def test_a_list_without_a_file_that_may_have_been_sent_under_a_given_name_has_nothing_of_it(
    row: Row,
):
    assert look(row) == NotThere()


OLD_OR_NEW = "f1 has its name, and may be of before the last request, or what came of it"
GIVEN_OLD_OR_NEW = {
    "perhaps sent since the clear, and only a file of its own serves": Doubt(
        [record("sale-run-1.csv")], replace(WITH_RUN, takes_older_file=False), OLD_OR_NEW
    ),
    "perhaps sent since the clear, and the file has failed": Doubt(
        [{**record("sale-run-1.csv"), "status": "FAILED"}], WITH_RUN, OLD_OR_NEW
    ),
    "accepted before the clear": Doubt(
        [record("sale-run-1.csv")],
        replace(WITH_RUN, earlier=AcceptedBeforeClear(), open_acceptance=3),
        "f1 has its name, and may be of before the request that was accepted or what came of it",
    ),
    "two files": Doubt(
        [record("sale-run-1.csv"), record("sale-run-1.csv", file_id="f2")],
        replace(WITH_RUN, run_never_cleared=True),
        "several files have its name, and any may be the last one: f1, f2",
    ),
}


@pytest.mark.parametrize("row", GIVEN_OLD_OR_NEW.values(), ids=GIVEN_OLD_OR_NEW)
def test_a_file_with_a_given_name_cannot_tell_if_it_may_be_of_another_request(row: Doubt):
    check_cannot_tell(row)


NO_LIST = {**record("sale-run-1.csv"), "coupons_list_id": ""}


def test_a_file_with_a_given_name_that_does_not_say_of_which_list_it_is_cannot_tell():
    """A path may show the files of all lists, and another task may give the name in another one."""
    check_cannot_tell(
        Doubt([NO_LIST], WITH_RUN, "of its name and URL, but perhaps of another list")
    )


OF_OTHER_RUNS = "files of other runs may have its name, too: f1; leave name out, or put"
GIVEN_WITHOUT_RUN = {
    "no run": Doubt([record("sale.csv")], GIVEN, OF_OTHER_RUNS),
    "a run that is a number, which may be in the name by chance": Doubt(
        [record("sale-2026.csv")],
        replace(GIVEN, given_name="sale-2026.csv", run_id="2026"),
        OF_OTHER_RUNS,
    ),
    "the run as a part of another word": Doubt(
        [record("sale-latest.csv")],
        replace(GIVEN, given_name="sale-latest.csv", run_id="test"),
        OF_OTHER_RUNS,
    ),
}


@pytest.mark.parametrize("row", GIVEN_WITHOUT_RUN.values(), ids=GIVEN_WITHOUT_RUN)
def test_a_given_name_without_the_run_cannot_tell_of_which_run_a_file_is(row: Doubt):
    check_cannot_tell(row)


NOT_FROM_ITS_URL = "of its name, but not from its URL, the list has f1"
GIVEN_URLS = {
    "from another URL": Doubt(
        [record("sale-run-1.csv", url=ELSEWHERE)], WITH_RUN, NOT_FROM_ITS_URL
    ),
    "from its URL with another query": Doubt(
        [record("sale-run-1.csv", url=f"{URL}?id=2")], WITH_RUN, NOT_FROM_ITS_URL
    ),
    "from another URL, and the URL that was sent is not known": Doubt(
        [record("sale-run-1.csv", url=ELSEWHERE)],
        replace(WITH_RUN, normalised_url=""),
        "its URL is not known, and these have its name: f1",
    ),
    "without a URL, and the URL that was sent is not known": Doubt(
        [record("sale-run-1.csv", url=None)],
        replace(WITH_RUN, normalised_url=""),
        "its URL is not known, and these have its name: f1",
    ),
}


@pytest.mark.parametrize("row", GIVEN_URLS.values(), ids=GIVEN_URLS)
def test_a_file_with_a_given_name_cannot_tell_if_its_url_is_not_shown_to_be_the_one_sent(
    row: Doubt,
):
    check_cannot_tell(row)


def test_a_file_with_a_given_name_and_no_identifier_cannot_tell():
    row = Row([record("sale-run-1.csv", file_id="")], replace(WITH_RUN, run_never_cleared=True))
    assert look(row) == CannotTell("the list shows it without an _id that can be used")


GIVEN_INCOMPLETE = {
    "without it": Row([], WITH_RUN, "too long"),
    "with it": Row(
        [record("sale-run-1.csv")], replace(WITH_RUN, run_never_cleared=True), "too long"
    ),
}


@pytest.mark.parametrize("row", GIVEN_INCOMPLETE.values(), ids=GIVEN_INCOMPLETE)
def test_a_part_of_a_list_cannot_tell_of_a_given_name(row: Row):
    shows = look(row)
    assert isinstance(shows, CannotTell)
    assert shows.why == "too long; leave name out, or put {{ run_id }} into it"


# -- a list that is behind ----------------------------------------------------------------------


class Older(NamedTuple):
    """A list, how old a cache says that it is, what is looked for, and what is said of the list."""

    records: list[dict[str, Any]]
    age: int
    sought: Sought
    why: str


HAS_TO_LIST = replace(RETRY, has_to_list=["f8", "f9"])
FROM_CACHE = replace(RETRY, longest_age=30.0)
OLDER = {
    "it lacks one of two files": Older(
        [KEPT], 0, HAS_TO_LIST, "the list lacks files that it has to show: f8"
    ),
    "it has a file of before the request, with another name": Older(
        [record("sale")], 0, HAS_TO_LIST, "the list lacks files that it has to show: f8, f9"
    ),
    "it is empty": Older([], 0, HAS_TO_LIST, "the list lacks files that it has to show: f8, f9"),
    "it lacks one, and a name is given": Older(
        [KEPT],
        0,
        replace(WITH_RUN, has_to_list=["f8"]),
        "the list lacks files that it has to show: f8",
    ),
    "it has a file of before the clear that has failed": Older(
        [{**record(BEFORE_THE_CLEAR), "status": "FAILED"}],
        0,
        replace(RETRY_AFTER_CLEAR, has_to_list=["f8"]),
        "the list lacks files that it has to show: f8",
    ),
    "a cache had it before the request": Older(
        [KEPT], 31, FROM_CACHE, "a cache sent the list as it was 31 s before"
    ),
}


@pytest.mark.parametrize("row", OLDER.values(), ids=OLDER)
def test_a_list_that_shows_an_earlier_state_is_behind(row: Older):
    assert recognise(Listing(row.records, age=row.age), row.sought) == Behind(row.why)


UP_TO_DATE = {
    "it has all files that it has to show": Older(
        [KEPT, record(OTHER_FILE._replace(origin="iiiiii"), file_id="f8")], 0, HAS_TO_LIST, ""
    ),
    "a cache had it after the request": Older([KEPT], 30, FROM_CACHE, ""),
}


@pytest.mark.parametrize("row", UP_TO_DATE.values(), ids=UP_TO_DATE)
def test_a_list_that_shows_the_state_after_the_request_is_not_behind(row: Older):
    assert recognise(Listing(row.records, age=row.age), row.sought) == NotThere()


FOUND_IN_OLDER = {
    "its own": Older([record(NAME)], 31, replace(FROM_CACHE, has_to_list=["f8"]), ""),
    "its own from before the clear, which was processed": Older(
        [{**record(BEFORE_THE_CLEAR), "status": "SUCCESS"}],
        0,
        replace(RETRY_AFTER_CLEAR, has_to_list=["f8"]),
        "",
    ),
}


@pytest.mark.parametrize("row", FOUND_IN_OLDER.values(), ids=FOUND_IN_OLDER)
def test_what_an_older_list_has_counts(row: Older):
    shows = recognise(Listing(row.records, age=row.age), row.sought)
    assert isinstance(shows, (FoundSinceClear, FoundFromBeforeClear))
    assert shows.file.id == "f1"


# -- whatever a list holds -------------------------------------------------------------------------

OF_ANOTHER_LIST = {**record(NAME), "coupons_list_id": "winter"}


def test_files_of_another_list_alone_cannot_tell():
    why = "the service shows files of another list: f1"
    assert look(Row([OF_ANOTHER_LIST], RETRY)) == CannotTell(why)


def test_a_file_of_another_list_is_not_its_own_beside_files_of_this_list():
    sought = replace(RETRY, files_of_task=[OTHER_FILE.file])
    of_another_list = {**record("sale"), "coupons_list_id": "winter"}
    assert look(Row([of_another_list, record(OTHER_FILE, file_id="f2")], sought)) == NotThere()


ANY_RECORDS = st.lists(
    st.fixed_dictionaries(
        {}, optional=dict.fromkeys(("_id", "name", "file_url"), st.none() | st.text())
    )
)


@given(ANY_RECORDS)
def test_records_of_any_texts_are_no_file_of_ours(records: list[dict[str, Any]]):
    for sought in (AFTER_CLEAR, replace(AFTER_CLEAR, given_name="sale.csv")):
        assert isinstance(recognise(Listing(records), sought), (NotThere, CannotTell))


class Several(NamedTuple):
    """How many files from other URLs a list has, and how the question names them."""

    count: int
    named: str


SEVERAL = [
    Several(2, "f0, f1"),
    Several(5, "f0, f1, f2, f3, f4"),
    Several(6, "f0, f1, f2, f3, f4 and 1 more"),
]


@pytest.mark.parametrize("row", SEVERAL, ids=[f"{row.count} files" for row in SEVERAL])
def test_a_question_about_several_files_names_five_of_them_at_most(row: Several):
    records = [record(OTHER_FILE, file_id=f"f{number}") for number in range(row.count)]
    shows = recognise(Listing(records), RETRY)
    assert isinstance(shows, CannotTell)
    assert f"an earlier attempt uploaded {row.named} from other URLs" in shows.why
