"""
What a list shows of an upload: its file, one from before the clear, nothing of it, or that it
cannot tell. Files are recognised by the name of ours, and else by a name that the user gives.
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
    CannotTell,
    FoundFromBeforeClear,
    FoundSinceClear,
    Listed,
    MaybeSent,
    MaybeSentBeforeClear,
    NotThere,
)
from wes_provider.uploads.identity import UploadName
from wes_provider.uploads.recognition import Sought, recognise

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


def record(name: Any = None, url: str | None = URL, file_id: Any = "f1") -> dict[str, Any]:
    return {"_id": file_id, "name": str(name), "file_url": url}


class Row(NamedTuple):
    """
    A list, what is looked for, and what the list shows of it.

    :ivar incomplete: why the list may be a part; empty if it is whole.
    """

    records: list[dict[str, Any]]
    sought: Sought
    shows: type[Listed]
    incomplete: str = ""


def check(row: Row) -> None:
    """The list shows what the row says; if it cannot tell, it says why."""
    shows = recognise(Listing(row.records, row.incomplete), row.sought)
    assert isinstance(shows, row.shows)
    assert not isinstance(shows, CannotTell) or shows.why


def test_an_empty_list_has_nothing_of_an_upload() -> None:
    check(Row([], RETRY, NotThere))


# Own.
OWN = {
    "its name": Row([record(NAME)], RETRY, FoundSinceClear),
    "its name with a suffix": Row([record(f"{NAME}.csv")], RETRY, FoundSinceClear),
    "its name, changed in case": Row([record(f" {str(NAME).upper()}.CSV")], RETRY, FoundSinceClear),
    "its name in a part of the list": Row(
        [record(f"{NAME}.csv")], RETRY, FoundSinceClear, "too long"
    ),
    "its name beside one of before the clear": Row(
        [record(NAME), record(BEFORE_THE_CLEAR, file_id="f0")], RETRY_AFTER_CLEAR, FoundSinceClear
    ),
    "its name without an _id": Row([record(NAME, file_id=None)], RETRY, CannotTell),
    "its name with a number as _id": Row([record(NAME, file_id=7)], RETRY, CannotTell),
    "its name with a path as _id": Row([record(NAME, file_id="../f1")], RETRY, CannotTell),
}


@pytest.mark.parametrize("row", OWN.values(), ids=OWN)
def test_a_file_with_its_name_is_its_own_in_any_case_and_with_any_suffix_if_it_has_an_identifier(
    row: Row,
) -> None:
    check(row)


# A list that is incomplete.
INCOMPLETE = {
    "a part of the list without it": Row([], RETRY, CannotTell, "too long"),
    "a part of the list with another file of the task": Row(
        [record(OTHER_FILE)], replace(RETRY, files_of_task=["dddddddd"]), CannotTell, "too long"
    ),
}


@pytest.mark.parametrize("row", INCOMPLETE.values(), ids=INCOMPLETE)
def test_a_part_of_a_list_without_the_file_cannot_tell(
    row: Row,
) -> None:
    check(row)


# From before a clear, and of other tasks.
OTHERS = {
    "of before the clear": Row([record(BEFORE_THE_CLEAR)], AFTER_CLEAR, FoundFromBeforeClear),
    "of before the clear, retried": Row(
        [record(BEFORE_THE_CLEAR)], RETRY_AFTER_CLEAR, FoundFromBeforeClear
    ),
    "of a deleted run": Row([record(BEFORE_THE_CLEAR)], RETRY, NotThere),
    "of before the clear, failed, beside one that was processed": Row(
        [
            {**record(BEFORE_THE_CLEAR), "status": "FAILED"},
            {**record(BEFORE_THE_CLEAR._replace(generation=1), file_id="f0"), "status": "SUCCESS"},
        ],
        AFTER_CLEAR,
        CannotTell,
    ),
    "of before the clear, failed, beside one that failed, too": Row(
        [
            {**record(BEFORE_THE_CLEAR), "status": "FAILED"},
            {**record(BEFORE_THE_CLEAR._replace(generation=1), file_id="f0"), "status": "FAILED"},
        ],
        AFTER_CLEAR,
        FoundFromBeforeClear,
    ),
    "of a neighbour after a clear": Row(
        [record(OF_A_NEIGHBOUR)], AFTER_CLEAR, FoundFromBeforeClear
    ),
    "of a neighbour, never cleared": Row([record(OF_A_NEIGHBOUR)], RETRY, NotThere),
    "another file of the task": Row(
        [record(OTHER_FILE)], replace(AFTER_CLEAR, files_of_task=["dddddddd"]), NotThere
    ),
    "of before the clear, and of a deleted run": Row(
        [
            record(BEFORE_THE_CLEAR),
            record(BEFORE_THE_CLEAR._replace(start="gggg"), file_id="f2"),
        ],
        AFTER_CLEAR,
        CannotTell,
    ),
    "of before the clear, listed twice": Row(
        [record(BEFORE_THE_CLEAR), record(BEFORE_THE_CLEAR)], AFTER_CLEAR, FoundFromBeforeClear
    ),
    "of before the clear without an _id": Row(
        [record(BEFORE_THE_CLEAR, file_id="")], AFTER_CLEAR, CannotTell
    ),
}


@pytest.mark.parametrize("row", OTHERS.values(), ids=OTHERS)
def test_a_file_of_the_run_from_before_the_clear_or_of_another_task_counts_after_a_clear(
    row: Row,
) -> None:
    check(row)


# A URL whose path changes with each rendering.
FROM_OTHER_URL = {
    "one from another URL, of a single file": Row(
        [record(OTHER_FILE)], replace(RETRY, single=True), FoundSinceClear
    ),
    "one from another URL, nothing sent since the clear": Row(
        [record(OTHER_FILE)], replace(AFTER_CLEAR, single=True), NotThere
    ),
    "one from another URL, of several files": Row([record(OTHER_FILE)], RETRY, CannotTell),
    "two from other URLs, of a single file": Row(
        [record(OTHER_FILE), record(OTHER_FILE._replace(hash="eeeeeeee"))],
        replace(RETRY, single=True),
        CannotTell,
    ),
}


@pytest.mark.parametrize("row", FROM_OTHER_URL.values(), ids=FROM_OTHER_URL)
def test_a_file_from_another_url_is_its_own_for_a_task_of_one_file_that_sent_since_the_clear(
    row: Row,
) -> None:
    check(row)


# A URL with a query that counts.
QUERIES = {
    "its query": Row([record(WITH_QUERY)], replace(RETRY, name=WITH_QUERY), FoundSinceClear),
    "of before the clear with its query": Row(
        [
            record(BEFORE_THE_CLEAR._replace(query="qqqqqq")),
            record(BEFORE_THE_CLEAR._replace(query="rrrrrr")),
        ],
        replace(AFTER_CLEAR, name=WITH_QUERY),
        FoundFromBeforeClear,
    ),
    "of before the clear with another query": Row(
        [record(BEFORE_THE_CLEAR._replace(query="rrrrrr"))],
        replace(AFTER_CLEAR, name=WITH_QUERY),
        CannotTell,
    ),
    "of a neighbour of before the clear with another query": Row(
        [record(BEFORE_THE_CLEAR._replace(query="rrrrrr", origin="eeeeee"))],
        replace(AFTER_CLEAR, name=WITH_QUERY),
        CannotTell,
    ),
    "of before the clear without a query": Row(
        [record(BEFORE_THE_CLEAR)], replace(AFTER_CLEAR, name=WITH_QUERY), CannotTell
    ),
    "of before the clear with a query, now without": Row(
        [record(BEFORE_THE_CLEAR._replace(query="rrrrrr"))], AFTER_CLEAR, CannotTell
    ),
    "another query that another file of the task has": Row(
        [record(BEFORE_THE_CLEAR._replace(query="rrrrrr"))],
        replace(AFTER_CLEAR, name=WITH_QUERY, files_of_task=[OTHER_QUERY.file]),
        NotThere,
    ),
    "another query of a neighbour since the run was started": Row(
        [record(OTHER_QUERY._replace(origin="eeeeee"))],
        replace(AFTER_CLEAR, name=WITH_QUERY),
        NotThere,
    ),
    "another query of a neighbour, never cleared": Row(
        [record(OTHER_QUERY._replace(origin="eeeeee"))],
        replace(RETRY, name=WITH_QUERY),
        NotThere,
    ),
    "another query of this attempt, of several files": Row(
        [record(OTHER_QUERY)], replace(RETRY, name=WITH_QUERY), CannotTell
    ),
    "another query of this attempt, of a single file": Row(
        [record(OTHER_QUERY)], replace(RETRY, name=WITH_QUERY, single=True), FoundSinceClear
    ),
    "its query, cut off": Row(
        [record(NAME)], replace(RETRY, name=WITH_QUERY, single=True), FoundSinceClear
    ),
}


@pytest.mark.parametrize("row", QUERIES.values(), ids=QUERIES)
def test_a_file_from_its_url_with_another_query_is_no_answer_unless_it_is_another_files(
    row: Row,
) -> None:
    check(row)


# Names that the service cuts or does not show.
CUT = {
    "cut to 12 characters": Row([record(str(NAME)[:12], url=ELSEWHERE)], RETRY, CannotTell),
    "cut to 4 characters": Row([record(str(NAME)[:4], url=ELSEWHERE)], RETRY, CannotTell),
    "cut to 3 characters": Row([record(str(NAME)[:3], url=ELSEWHERE)], RETRY, NotThere),
    "of before the clear, cut": Row(
        [record(str(BEFORE_THE_CLEAR)[:20], url=ELSEWHERE)], RETRY, CannotTell
    ),
    "from another URL, cut": Row([record(str(OTHER_FILE)[:20], url=ELSEWHERE)], RETRY, CannotTell),
    "a name of its own, and the URL": Row([record("sale")], RETRY, CannotTell),
    "a name of its own, and a URL that was signed": Row(
        [record("sale")], replace(RETRY, normalised_url=""), CannotTell
    ),
    "a name of its own, and another URL": Row([record("sale", url=ELSEWHERE)], RETRY, NotThere),
    "a name of its own, and another query": Row(
        [record("sale", url=f"{URL}?id=1")], RETRY, NotThere
    ),
    "a name of its own, and the URL signed": Row(
        [record("sale", url=f"{URL}?sig=1")], RETRY, CannotTell
    ),
    "no name": Row([record(None)], RETRY, CannotTell),
    "a name of its own, and no URL": Row([record("sale", url=None)], RETRY, CannotTell),
    "a name of its own beside one of ours": Row(
        [record("sale", url=None), record(OTHER_FILE._replace(origin="hhhhhh"))], RETRY, NotThere
    ),
}


@pytest.mark.parametrize("row", CUT.values(), ids=CUT)
def test_a_name_that_is_cut_or_the_services_own_cannot_tell_if_it_may_be_this_one(
    row: Row,
) -> None:
    check(row)


def test_of_files_of_before_a_clear_the_task_instances_latest_counts():
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


def test_of_files_of_other_tasks_one_that_serves_is_adopted():
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


def test_an_empty_list_has_nothing_of_a_file_that_a_user_named() -> None:
    check(Row([], GIVEN, NotThere))


GIVEN_WITH_RUN = {
    "never cleared": Row(
        [record(" sale-run-1.CSV ")],
        replace(
            WITH_RUN, given_name="Sale-Run-1.csv", run_never_cleared=True, takes_older_file=False
        ),
        FoundSinceClear,
    ),
    "perhaps sent since the clear, and either serves": Row(
        [record("sale-run-1.csv")], WITH_RUN, FoundSinceClear
    ),
    "perhaps sent since the clear, and only its own serves": Row(
        [record("sale-run-1.csv")], replace(WITH_RUN, takes_older_file=False), CannotTell
    ),
    "perhaps sent since the clear, and it has failed": Row(
        [{**record("sale-run-1.csv"), "status": "FAILED"}], WITH_RUN, CannotTell
    ),
    "perhaps sent since the clear, and only an older file": Row(
        [record("sale-run-1.csv")], replace(WITH_RUN, older_files=["f1"]), NotThere
    ),
    "accepted before the clear": Row(
        [record("sale-run-1.csv")],
        replace(WITH_RUN, earlier=AcceptedBeforeClear(), open_acceptance=3),
        CannotTell,
    ),
    "nothing sent since the clear": Row(
        [record("sale-run-1.csv")],
        replace(WITH_RUN, earlier=MaybeSentBeforeClear()),
        FoundFromBeforeClear,
    ),
    "nothing sent since the clear, and only an older file": Row(
        [record("sale-run-1.csv")],
        replace(WITH_RUN, earlier=MaybeSentBeforeClear(), older_files=["f1"]),
        FoundFromBeforeClear,
    ),
    "nothing sent since the clear, and a file beside an older one": Row(
        [record("sale-run-1.csv", file_id="f0"), record("sale-run-1.csv")],
        replace(WITH_RUN, earlier=MaybeSentBeforeClear(), older_files=["f0"]),
        FoundFromBeforeClear,
    ),
    "two files": Row(
        [record("sale-run-1.csv"), record("sale-run-1.csv", file_id="f2")],
        replace(WITH_RUN, run_never_cleared=True),
        CannotTell,
    ),
    "listed twice": Row(
        [record("sale-run-1.csv")] * 2, replace(WITH_RUN, run_never_cleared=True), FoundSinceClear
    ),
    "without an _id": Row(
        [record("sale-run-1.csv", file_id="")],
        replace(WITH_RUN, run_never_cleared=True),
        CannotTell,
    ),
}


@pytest.mark.parametrize("row", GIVEN_WITH_RUN.values(), ids=GIVEN_WITH_RUN)
def test_a_file_with_a_given_name_that_has_the_run_is_its_own_if_none_but_it_can_be_meant(
    row: Row,
) -> None:
    check(row)


GIVEN_WITHOUT_RUN = {
    "a name without the run": Row([record("sale.csv")], GIVEN, CannotTell),
    "the run as a part of another word": Row(
        [record("sale-latest.csv")],
        replace(GIVEN, given_name="sale-latest.csv", run_id="test"),
        CannotTell,
    ),
    "another name, and the URL": Row([record("other.csv")], GIVEN, CannotTell),
    "another name and URL": Row([record("other.csv", url=ELSEWHERE)], GIVEN, NotThere),
}


@pytest.mark.parametrize("row", GIVEN_WITHOUT_RUN.values(), ids=GIVEN_WITHOUT_RUN)
def test_a_given_name_without_the_run_cannot_tell_of_which_run_a_file_is(
    row: Row,
) -> None:
    check(row)


GIVEN_URLS = {
    "from another URL": Row(
        [record("sale-run-1.csv", url="https://other.example.com/a.csv")], WITH_RUN, CannotTell
    ),
    "from the URL with another query": Row(
        [record("sale-run-1.csv", url=f"{URL}?id=2")], WITH_RUN, CannotTell
    ),
    "from the URL, signed": Row(
        [record("sale-run-1.csv", url=f"{URL}?token=2")],
        replace(WITH_RUN, run_never_cleared=True),
        FoundSinceClear,
    ),
    "from a URL that was signed": Row(
        [record("sale-run-1.csv", url=None)], replace(WITH_RUN, normalised_url=""), CannotTell
    ),
}


@pytest.mark.parametrize("row", GIVEN_URLS.values(), ids=GIVEN_URLS)
def test_a_file_with_a_given_name_is_its_own_only_from_its_url(
    row: Row,
) -> None:
    check(row)


GIVEN_INCOMPLETE = {
    "an incomplete list without it": Row([], WITH_RUN, CannotTell, "too long"),
    "an incomplete list with it": Row(
        [record("sale-run-1.csv")],
        replace(WITH_RUN, run_never_cleared=True),
        CannotTell,
        "too long",
    ),
}


@pytest.mark.parametrize("row", GIVEN_INCOMPLETE.values(), ids=GIVEN_INCOMPLETE)
def test_a_list_that_is_a_part_cannot_tell_of_a_given_name(
    row: Row,
) -> None:
    check(row)


# -- whatever a list holds -------------------------------------------------------------------------

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
    Several(7, "f0, f1, f2, f3, f4 and 2 more"),
]


@pytest.mark.parametrize("row", SEVERAL, ids=[f"{row.count} files" for row in SEVERAL])
def test_a_question_about_several_files_names_five_of_them_at_most(row: Several):
    records = [record(OTHER_FILE, file_id=f"f{number}") for number in range(row.count)]
    shows = recognise(Listing(records), RETRY)
    assert isinstance(shows, CannotTell)
    assert f"an earlier attempt uploaded {row.named} from other URLs" in shows.why
