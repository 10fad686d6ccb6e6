"""The decisions about an upload: the tables of docs/upload-decisions.md, row by row."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from support.pages import PAGES, section, tables
from wes_provider.coupon_files import Statuses
from wes_provider.exceptions import (
    WesBadRequestError,
    WesRateLimitError,
    WesServerError,
    WesUnknownOutcomeError,
)
from wes_provider.models import CouponFile
from wes_provider.uploads.decision import (
    SAID_BEFORE_REQUEST,
    Accepted,
    AcceptedBeforeClear,
    Adopt,
    Answer,
    AskPerson,
    CalledAbsent,
    CalledAbsentOnForm,
    CannotRead,
    CannotTell,
    Earlier,
    Fail,
    FailDuplicate,
    FailNeverArrived,
    FailOtherContent,
    FailUnreadable,
    FileStatus,
    FoundFromBeforeClear,
    FoundSinceClear,
    Gone,
    Known,
    LatestStatus,
    Listed,
    MaybeSent,
    MaybeSentBeforeClear,
    NamedFile,
    NamedWrongFile,
    NeverSent,
    NobodyDecided,
    NoEffect,
    NotThere,
    Policy,
    ReadAnswer,
    Reading,
    ReadList,
    ReadStatus,
    Refused,
    Send,
    StatusUnreadable,
    Step,
    Stored,
    StoredBeforeClear,
    decide,
)

PAGE = PAGES["upload-decisions.md"]
(EARLIER_TABLE,) = tables(section(PAGE, "Earlier requests"))
(EARLY_TABLE,) = tables(section(PAGE, "While the list may lag"))
LATE_TABLES = {
    shows: tables(text)[0]
    for shows, text in re.findall(
        r"^### The list shows ([^\n]*)\n(.*?)(?=^### )",
        section(PAGE, "When the list has had its time"),
        re.MULTILINE | re.DOTALL,
    )
}
(BEFORE_CLEAR_TABLE,) = tables(section(PAGE, "A file from before the clear"))

LOOKING_SINCE = 1000.0
LISTED_BY = 1030.0


def file(status: str, file_id: str = "f1") -> CouponFile:
    return CouponFile(file_id, "summer", status=status)


NAMED = file("PENDING", "named")
PENDING, PROCESSED, FAILED = file("PENDING"), file("SUCCESS"), file("FAILED")

EARLIER: dict[str, Earlier] = {
    "never sent": NeverSent(),
    "without effect": NoEffect(),
    "stored": Stored(PENDING),
    "stored before the clear": StoredBeforeClear(PENDING),
    "sent before the clear": MaybeSentBeforeClear(),
    "accepted before the clear": AcceptedBeforeClear(),
    "maybe sent": MaybeSent(),
    "accepted": Accepted(),
}
UNSETTLED = ("sent before the clear", "accepted before the clear", "maybe sent", "accepted")
LISTED: dict[str, Listed] = {
    "its file": FoundSinceClear(PENDING),
    "a processed file from before the clear": FoundFromBeforeClear(PROCESSED),
    "any other file from before the clear": FoundFromBeforeClear(PENDING),
    "a file from before the clear": FoundFromBeforeClear(PROCESSED),
    "nothing of it": NotThere(),
    "no answer": CannotTell("it hides names"),
    "an error that passes": CannotRead(WesServerError("503", status_code=503)),
}
ANSWERS: dict[str, Answer] = {
    "says nothing": NobodyDecided(),
    "calls it absent": CalledAbsent(),
    "calls it absent on a form": CalledAbsentOnForm(),
    "names a file": NamedFile(NAMED),
    "names a wrong file": NamedWrongFile("404"),
}
STATUSES: dict[str, FileStatus] = {
    "failed": LatestStatus(FAILED),
    "processed": LatestStatus(PROCESSED),
    "pending": LatestStatus(PENDING),
    "unknown": LatestStatus(file("")),
    "not readable now": StatusUnreadable(WesServerError("503", status_code=503)),
    "the service knows no such file": Gone(),
}
MODES = ("adopt", "upload", "fail")


def policy(mode: str) -> Policy:
    return Policy(mode, Statuses(), max_attempts=5, timeout=300.0)


def known(earlier: Earlier, **fields: Any) -> Known:
    return Known(earlier, looking_since=LOOKING_SINCE, listed_by=LISTED_BY, **fields)


def describe(step: Step) -> str:
    """Name a step as the page does."""
    if isinstance(step, Adopt):
        return "adopt that one" if step.file == NAMED else "adopt"
    if isinstance(step, ReadStatus):
        return "decide about that file"
    if isinstance(step, ReadList):
        return "read the list" if step.at == LOOKING_SINCE else "read again"
    names: dict[type, str] = {
        Send: "send",
        AskPerson: "ask",
        Fail: "fail, and let Airflow retry",
        FailUnreadable: "fail, and let Airflow retry",
        FailDuplicate: "fail with WesDuplicateError",
        ReadAnswer: "see what a person says, as below",
    }
    return names[type(step)]


class Row(NamedTuple):
    """One combination of what a row of the page says."""

    then: str
    earlier: str = ""
    shows: str = ""
    mode: str = ""
    person: str = ""
    status: str = ""


def expand(cell: str, everything: Sequence[str]) -> list[str]:
    return list(everything) if cell == "any" else cell.split(", ")


def early_rows() -> Iterator[Row]:
    for row in EARLY_TABLE:
        for earlier, mode in itertools.product(
            expand(row["earlier requests"], UNSETTLED), expand(row["on_duplicate"], MODES)
        ):
            yield Row(row["then"], earlier=earlier, shows=row["the list shows"], mode=mode)


def late_rows() -> Iterator[Row]:
    for shows, table in LATE_TABLES.items():
        for row in table:
            for earlier, person, mode in itertools.product(
                expand(row["earlier requests"], UNSETTLED),
                expand(row["a person"], list(ANSWERS)),
                expand(row["on_duplicate"], MODES),
            ):
                yield Row(row["then"], earlier=earlier, shows=shows, mode=mode, person=person)


def before_clear_rows() -> Iterator[Row]:
    for row in BEFORE_CLEAR_TABLE:
        for mode in row["on_duplicate"].split(", "):
            for status in expand(row["its status"], list(STATUSES)):
                yield Row(row["then"], mode=mode, status=status)


def named(rows: Iterator[Row]) -> Any:
    return [pytest.param(row, id="; ".join(filter(None, row[1:]))) for row in rows]


@pytest.mark.parametrize("row", EARLIER_TABLE, ids=lambda row: str(row["earlier requests"]))
def test_what_became_of_earlier_requests_decides_first(row: dict[str, str]):
    step = decide(known(EARLIER[row["earlier requests"]]), policy("adopt"), LOOKING_SINCE)
    assert describe(step) == row["then"]


@pytest.mark.parametrize("row", named(early_rows()))
def test_before_the_list_has_to_have_the_file(row: Row):
    reading = Reading(LISTED[row.shows], read_at=LOOKING_SINCE + 1)
    step = decide(known(EARLIER[row.earlier], reading=reading), policy(row.mode), LOOKING_SINCE)
    assert describe(step) == row.then


@pytest.mark.parametrize("row", named(late_rows()))
def test_when_the_list_has_to_have_the_file(row: Row):
    state = known(EARLIER[row.earlier], reading=Reading(LISTED[row.shows], read_at=LISTED_BY))
    step = decide(state, policy(row.mode), LISTED_BY)
    if isinstance(step, ReadAnswer):
        step = decide(replace(state, answer=ANSWERS[row.person]), policy(row.mode), LISTED_BY)
    if row.then == "decide about that file" and row.mode == "upload":
        assert describe(step) == "send", "whatever its status is"
    else:
        assert describe(step) == row.then


@pytest.mark.parametrize("row", named(before_clear_rows()))
def test_a_file_from_before_the_clear(row: Row):
    state = known(StoredBeforeClear(PENDING), statuses={"f1": STATUSES[row.status]})
    assert describe(decide(state, policy(row.mode), LOOKING_SINCE)) == row.then.replace("`", "")


def test_the_page_has_one_row_for_each_situation():
    late = [row[1:] for row in late_rows()]
    shown = [name for name in LISTED if "processed" not in name and "any other" not in name]
    every = itertools.product(UNSETTLED, shown, MODES, ANSWERS)
    assert sorted(row[:4] for row in late) == sorted(every)
    early = [row[1:4] for row in early_rows()]
    shown = [name for name in LISTED if name != "a file from before the clear"]
    assert sorted(early) == sorted(itertools.product(UNSETTLED, shown, MODES))
    before_clear = sorted((row.mode, row.status) for row in before_clear_rows())
    assert before_clear == sorted(itertools.product(MODES, STATUSES))


# -- what the tables leave to sentences ------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_a_file_that_is_gone_is_looked_for_in_the_list(mode: str):
    """What the list shows counts, though the service does not know the file by its identifier."""
    gone = known(
        StoredBeforeClear(PENDING),
        statuses={"f1": Gone()},
        reading=Reading(FoundFromBeforeClear(PROCESSED), read_at=LISTED_BY),
    )
    expected = {"adopt": "adopt", "upload": "send", "fail": "fail with WesDuplicateError"}
    assert describe(decide(gone, policy(mode), LISTED_BY)) == expected[mode]


def test_the_status_of_one_file_is_not_that_of_another():
    """The record's file is gone, and the list shows another one: its status is not known yet."""
    listed = file("PENDING", "of another task")
    state = known(
        StoredBeforeClear(PENDING),
        statuses={PENDING.id: Gone()},
        reading=Reading(FoundFromBeforeClear(listed, is_own=False), read_at=LISTED_BY),
    )
    assert decide(state, policy("adopt"), LISTED_BY) == ReadStatus(listed)
    failed = LatestStatus(file("FAILED", listed.id))
    state = replace(state, statuses={**state.statuses, listed.id: failed})
    assert isinstance(decide(state, policy("adopt"), LISTED_BY), Send)


@pytest.mark.parametrize(
    "earlier",
    [MaybeSent(), MaybeSentBeforeClear(), AcceptedBeforeClear()],
    ids=lambda e: type(e).__name__,
)
def test_a_failed_file_that_the_list_calls_processed_is_replaced_when_the_list_had_its_time(
    earlier: Earlier,
):
    shows = FoundFromBeforeClear(PROCESSED)
    statuses = {PROCESSED.id: LatestStatus(FAILED)}
    early = known(earlier, statuses=statuses, reading=Reading(shows, read_at=LOOKING_SINCE + 1))
    assert isinstance(decide(early, policy("adopt"), LOOKING_SINCE + 1), ReadList)
    late = replace(early, reading=Reading(shows, read_at=LISTED_BY))
    assert isinstance(decide(late, policy("adopt"), LISTED_BY), Send)


class NotSettled(NamedTuple):
    """Why a person is asked about a request since the clear."""

    shows: Listed
    answer: Answer
    why: str
    earlier: Earlier = Accepted()


NOT_SETTLED = {
    "not there": NotSettled(
        NotThere(), NobodyDecided(), "the service accepted it, but the list does not show it"
    ),
    "an older file": NotSettled(
        FoundFromBeforeClear(PENDING),
        NobodyDecided(),
        "the service accepted it, but the list shows only coupon file f1, which is from before the "
        "clear",
    ),
    "an older Variable": NotSettled(
        CannotTell("it hides names"),
        CalledAbsent(),
        f"it hides names; {SAID_BEFORE_REQUEST}",
        earlier=MaybeSent(),
    ),
    "an older Variable, and accepted": NotSettled(
        NotThere(),
        CalledAbsent(),
        f"the service accepted it, but the list does not show it; {SAID_BEFORE_REQUEST}",
    ),
}


@pytest.mark.parametrize("row", NOT_SETTLED.values(), ids=NOT_SETTLED)
def test_a_person_learns_why_nothing_else_settles_it(row: NotSettled):
    state = known(row.earlier, reading=Reading(row.shows, read_at=LISTED_BY), answer=row.answer)
    assert decide(state, policy("adopt"), LISTED_BY) == AskPerson(row.why)


CONTENTS = {
    "both known, alike": ("a", "a", Adopt),
    "both known, different": ("a", "b", FailOtherContent),
    "unknown what was sent": ("", "b", Adopt),
    "unknown what is to be sent": ("a", "", Adopt),
    "both unknown": ("", "", Adopt),
}


@pytest.mark.parametrize(("sent", "wanted", "step"), CONTENTS.values(), ids=CONTENTS)
def test_a_file_of_another_content_is_not_adopted(sent: str, wanted: str, step: type):
    found = Reading(FoundSinceClear(PENDING), read_at=LOOKING_SINCE)
    for state in (
        known(Stored(PENDING)),
        known(MaybeSent(), reading=found),
        known(StoredBeforeClear(PROCESSED), statuses={"f1": LatestStatus(PROCESSED)}),
    ):
        contents = replace(state, recorded_content=sent, wanted_content=wanted)
        assert isinstance(decide(contents, policy("adopt"), LOOKING_SINCE), step)


def test_a_file_that_a_person_names_is_adopted_whatever_it_holds():
    state = known(
        MaybeSentBeforeClear(),
        reading=Reading(NotThere(), read_at=LISTED_BY),
        answer=NamedFile(NAMED),
        recorded_content="a",
        wanted_content="b",
    )
    assert describe(decide(state, policy("adopt"), LISTED_BY)) == "adopt that one"


@pytest.mark.parametrize(
    ("refused_for", "gives_up"),
    [
        pytest.param(0.0, False, id="refused just now"),
        pytest.param(300.0, False, id="refused for 300 s, the timeout"),
        pytest.param(300.1, True, id="refused for longer than the timeout"),
    ],
)
def test_refusals_by_the_limit_are_waited_out_for_the_timeout(refused_for: float, gives_up: bool):
    error = WesRateLimitError("429")
    state = known(NoEffect(), send_at=1100.0, limited_since=1000.0, last_limit_error=error)
    step = decide(state, policy("adopt"), 1000.0 + refused_for)
    assert step == (Fail(error) if gives_up else Send(1100.0))


def test_another_refusal_fails_the_attempt():
    error = WesBadRequestError("400", status_code=400)
    assert decide(known(Refused(error)), policy("adopt"), LOOKING_SINCE) == Fail(error)


def test_a_file_that_was_processed_is_adopted_though_it_cannot_be_read_now():
    unreadable = StatusUnreadable(WesServerError("503", status_code=503))
    state = known(StoredBeforeClear(PROCESSED), statuses={"f1": unreadable})
    assert describe(decide(state, policy("adopt"), LOOKING_SINCE)) == "adopt"


@pytest.mark.parametrize(
    ("earlier", "is_stored", "step"),
    [
        pytest.param(Accepted(), True, FailUnreadable, id="accepted, and that is stored"),
        pytest.param(Accepted(), False, AskPerson, id="accepted, and that is not stored"),
        pytest.param(MaybeSent(), False, FailUnreadable, id="perhaps sent"),
    ],
)
def test_a_list_that_cannot_be_read_is_left_to_an_attempt_that_knows_enough(
    earlier: Earlier, is_stored: bool, step: type
):
    """One that does not know that the service accepted the upload might send it again."""
    unreadable = CannotRead(WesServerError("503", status_code=503))
    state = known(
        earlier,
        reading=Reading(unreadable, LOOKING_SINCE),
        answer=NobodyDecided(),
        acceptance_is_stored=is_stored,
    )
    assert isinstance(decide(state, policy("adopt"), LOOKING_SINCE), step)


@pytest.mark.parametrize(
    ("outcomes", "step"),
    [
        pytest.param(4, Send, id="4 so far, of 5 at most"),
        pytest.param(5, FailNeverArrived, id="5 so far, of 5 at most"),
    ],
)
def test_requests_that_never_arrive_are_sent_max_attempts_times(outcomes: int, step: type):
    state = known(
        MaybeSent(),
        reading=Reading(NotThere(), read_at=LISTED_BY),
        answer=NobodyDecided(),
        unknown_outcomes=outcomes,
        last_unknown=WesUnknownOutcomeError("no response"),
    )
    assert isinstance(decide(state, policy("adopt"), LISTED_BY), step)


def test_the_list_is_read_less_and_less_often_until_it_has_to_have_the_file():
    """After 0, 1, 3, 7 and 15 s, and a last time after 30 s, which are ``coupon_files_lag``."""
    moments = []
    state = known(MaybeSent())
    step = decide(state, policy("adopt"), LOOKING_SINCE)
    while isinstance(step, ReadList):
        moments.append(step.at - LOOKING_SINCE)
        state = replace(state, reading=Reading(NotThere(), read_at=step.at))
        step = decide(state, policy("adopt"), step.at)
    assert moments == [0, 1, 3, 7, 15, 30]
