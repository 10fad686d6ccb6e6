"""
The next step of an upload, from what is known of it. The tables of ``docs/upload-decisions.md`` say
it for each combination of what earlier requests did, what the list shows, what a person decided,
``on_duplicate`` and a file's status, and each of their rows is run here, but for those of the last
table, which is about requests.

The rest says what the tables leave to sentences. With ``on_duplicate="upload"``, a file from
before the clear is not read, and a stored one is sent again at once; with any mode, a person is
asked about an accepted upload that only an older file stands for. If both contents are known and
differ, the mode ``adopt`` ends the task, unless the file has failed or a person has named it. The
list is read after 0, 1, 3, 7, 15 s and at twice the distance after that, and last when it has to
have the file. A refusal by the limit is waited out for ``timeout`` seconds; ``max_attempts``
unknown outcomes fail the attempt.
"""

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
    WesError,
    WesRateLimitError,
    WesServerError,
    WesUnknownOutcomeError,
)
from wes_provider.models import CouponFile
from wes_provider.uploads.decision import (
    Accepted,
    AcceptedBeforeClear,
    Adopt,
    Answer,
    AskPerson,
    Behind,
    CalledAbsent,
    CalledAbsentOnForm,
    CannotLookUp,
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
"""When the attempt begins to look for the file; the list has to show it 30 s later."""
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
    "that it is behind": Behind("a cache sent it"),
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
    """
    Name a step as the page does, which has one name for the two failures that leave an error to a
    retry: of the list or of a file that cannot be read, and of a request.
    """
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
def test_each_row_of_what_earlier_requests_decide_before_the_list_is_read(row: dict[str, str]):
    step = decide(known(EARLIER[row["earlier requests"]]), policy("adopt"), LOOKING_SINCE)
    assert describe(step) == row["then"]


@pytest.mark.parametrize("row", named(early_rows()))
def test_each_row_of_what_is_done_while_the_list_may_lag(row: Row):
    reading = Reading(LISTED[row.shows], read_at=LOOKING_SINCE + 1)
    step = decide(known(EARLIER[row.earlier], reading=reading), policy(row.mode), LOOKING_SINCE)
    assert describe(step) == row.then


@pytest.mark.parametrize("row", named(late_rows()))
def test_each_row_of_what_is_done_when_the_list_has_had_its_time(row: Row):
    """With ``on_duplicate="upload"``, a file from before the clear is not read: it is left."""
    state = known(EARLIER[row.earlier], reading=Reading(LISTED[row.shows], read_at=LISTED_BY))
    step = decide(state, policy(row.mode), LISTED_BY)
    if isinstance(step, ReadAnswer):
        step = decide(replace(state, answer=ANSWERS[row.person]), policy(row.mode), LISTED_BY)
    if row.then == "decide about that file" and row.mode == "upload":
        assert describe(step) == "send", "whatever its status is"
    else:
        assert describe(step) == row.then


@pytest.mark.parametrize("row", named(before_clear_rows()))
def test_each_row_of_what_is_done_about_a_file_from_before_the_clear(row: Row):
    state = known(StoredBeforeClear(PENDING), statuses={"f1": STATUSES[row.status]})
    step = decide(state, policy(row.mode), LOOKING_SINCE)
    if row.status == "failed" and isinstance(step, ReadList):
        # The list is read once, in case it has another file of the same request.
        state = replace(state, reading=Reading(NotThere(), read_at=LOOKING_SINCE))
        step = decide(state, policy(row.mode), LOOKING_SINCE)
    assert describe(step) == row.then.replace("`", "")


def test_the_page_has_one_row_for_each_kind_of_earlier_requests():
    assert sorted(row["earlier requests"] for row in EARLIER_TABLE) == sorted(EARLIER)


def test_the_page_has_one_row_for_each_situation_while_the_list_may_lag():
    early = [row[1:4] for row in early_rows()]
    shown = [name for name in LISTED if name != "a file from before the clear"]
    assert sorted(early) == sorted(itertools.product(UNSETTLED, shown, MODES))


def test_the_page_has_one_row_for_each_situation_when_the_list_has_had_its_time():
    late = [row[1:5] for row in late_rows()]
    shown = [name for name in LISTED if "processed" not in name and "any other" not in name]
    assert sorted(late) == sorted(itertools.product(UNSETTLED, shown, MODES, ANSWERS))


def test_the_page_has_one_row_for_each_status_of_a_file_from_before_the_clear():
    before_clear = [(row.mode, row.status) for row in before_clear_rows()]
    assert sorted(before_clear) == sorted(itertools.product(MODES, STATUSES))


# -- what the tables leave to sentences ------------------------------------------------------------


class Twin(NamedTuple):
    """What the list shows when the stored file has failed, and what is done."""

    name: str
    shows: Listed
    then: str


TWIN = file("SUCCESS", "twin")
TWINS = [
    Twin("the same file", FoundFromBeforeClear(FAILED), "send"),
    Twin("nothing of it", NotThere(), "send"),
    Twin("no answer", CannotTell("it is refused"), "send"),
    Twin("another file of the same request", FoundFromBeforeClear(TWIN), "decide about that file"),
    Twin(
        "an error that passes",
        CannotRead(WesServerError("503", status_code=503)),
        "fail, and let Airflow retry",
    ),
]


@pytest.mark.parametrize("row", TWINS, ids=[row.name for row in TWINS])
def test_a_failed_file_is_sent_again_unless_the_list_has_another_one_of_its_request(row: Twin):
    state = known(StoredBeforeClear(PENDING), statuses={"f1": LatestStatus(FAILED)})
    assert decide(state, policy("adopt"), LOOKING_SINCE) == ReadList(LOOKING_SINCE)
    read = replace(state, reading=Reading(row.shows, read_at=LOOKING_SINCE))
    assert describe(decide(read, policy("adopt"), LOOKING_SINCE)) == row.then


class OnlyListed(NamedTuple):
    """``on_duplicate``, the file as the list shows it, and what is done."""

    name: str
    mode: str
    listed: CouponFile
    then: str


ONLY_LISTED = [
    OnlyListed("processed, adopt", "adopt", PROCESSED, "adopt"),
    OnlyListed("pending, adopt", "adopt", PENDING, "adopt"),
    OnlyListed("failed, adopt", "adopt", FAILED, "send"),
    OnlyListed("processed, fail", "fail", PROCESSED, "fail with WesDuplicateError"),
    OnlyListed("failed, fail", "fail", FAILED, "send"),
]


def gone_and_listed(listed: CouponFile) -> Known:
    """The service does not know the record's file by its identifier, and the list shows it."""
    return known(
        StoredBeforeClear(PENDING),
        statuses={PENDING.id: Gone()},
        reading=Reading(FoundFromBeforeClear(listed), read_at=LISTED_BY),
    )


@pytest.mark.parametrize("row", ONLY_LISTED, ids=[row.name for row in ONLY_LISTED])
def test_a_file_that_the_service_shows_only_in_the_list_has_the_status_of_the_list(row: OnlyListed):
    assert describe(decide(gone_and_listed(row.listed), policy(row.mode), LISTED_BY)) == row.then


def test_a_file_that_the_service_shows_only_in_the_list_is_sent_again_if_the_task_says_upload():
    """The list is not needed for that."""
    state = replace(gone_and_listed(PROCESSED), reading=None)
    assert describe(decide(state, policy("upload"), LOOKING_SINCE)) == "send"


LISTED_OTHER = file("PENDING", "of another task")


def gone_and_another_one_listed(**statuses: FileStatus) -> Known:
    """The record's file is gone, and the list shows one of another task, with these statuses."""
    return known(
        StoredBeforeClear(PENDING),
        statuses={PENDING.id: Gone(), **statuses},
        reading=Reading(FoundFromBeforeClear(LISTED_OTHER, is_own=False), read_at=LISTED_BY),
    )


def test_the_status_of_one_file_is_not_that_of_another():
    state = gone_and_another_one_listed()
    assert decide(state, policy("adopt"), LISTED_BY) == ReadStatus(LISTED_OTHER)


def test_a_file_of_another_task_that_has_failed_is_sent_again():
    failed = LatestStatus(file("FAILED", LISTED_OTHER.id))
    state = gone_and_another_one_listed(**{LISTED_OTHER.id: failed})
    assert isinstance(decide(state, policy("adopt"), LISTED_BY), Send)


def test_a_file_of_another_task_is_adopted_whatever_it_holds():
    processed = LatestStatus(file("SUCCESS", LISTED_OTHER.id))
    state = gone_and_another_one_listed(**{LISTED_OTHER.id: processed})
    contents = replace(state, recorded_content="a", wanted_content="b")
    assert describe(decide(contents, policy("adopt"), LISTED_BY)) == "adopt"


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
    """What is known of a request since the clear, and why a person is asked about it."""

    earlier: Earlier
    shows: Listed
    answer: Answer
    why: str


NOT_SETTLED = {
    "accepted, and not in the list": NotSettled(
        Accepted(),
        NotThere(),
        NobodyDecided(),
        "the service accepted it, but the list does not show it",
    ),
    "accepted, and only an older file in the list": NotSettled(
        Accepted(),
        FoundFromBeforeClear(PENDING),
        NobodyDecided(),
        "the service accepted it, but the list shows only coupon file f1, which is from before the "
        "clear",
    ),
    "a list that hides names, and an older Variable": NotSettled(
        MaybeSent(),
        CannotTell("it hides names"),
        CalledAbsent(),
        "it hides names; the Variable that calls it absent was set before the last request, and "
        "says nothing of it",
    ),
    "accepted, not in the list, and an older Variable": NotSettled(
        Accepted(),
        NotThere(),
        CalledAbsent(),
        "the service accepted it, but the list does not show it; the Variable that calls it absent "
        "was set before the last request, and says nothing of it",
    ),
}


@pytest.mark.parametrize("row", NOT_SETTLED.values(), ids=NOT_SETTLED)
def test_a_person_learns_why_nothing_else_settles_it(row: NotSettled):
    state = known(row.earlier, reading=Reading(row.shows, read_at=LISTED_BY), answer=row.answer)
    assert decide(state, policy("adopt"), LISTED_BY) == AskPerson(row.why)


STATES = {
    "stored since the clear": known(Stored(PENDING)),
    "found in the list": known(
        MaybeSent(), reading=Reading(FoundSinceClear(PENDING), read_at=LOOKING_SINCE)
    ),
    "stored before the clear": known(
        StoredBeforeClear(PROCESSED), statuses={"f1": LatestStatus(PROCESSED)}
    ),
}


class Contents(NamedTuple):
    """The hash of what was sent and of what is to be sent; empty if it is not known."""

    name: str
    sent: str
    wanted: str


ALIKE = [
    Contents("both known", "a", "a"),
    Contents("unknown what was sent", "", "b"),
    Contents("unknown what is to be sent", "a", ""),
    Contents("both unknown", "", ""),
]


@pytest.mark.parametrize("state", STATES.values(), ids=STATES)
@pytest.mark.parametrize("row", ALIKE, ids=[row.name for row in ALIKE])
def test_a_file_is_adopted_if_its_content_is_the_same_or_not_known(row: Contents, state: Known):
    contents = replace(state, recorded_content=row.sent, wanted_content=row.wanted)
    assert isinstance(decide(contents, policy("adopt"), LOOKING_SINCE), Adopt)


@pytest.mark.parametrize("state", STATES.values(), ids=STATES)
def test_a_file_with_another_content_ends_a_task_that_adopts(state: Known):
    contents = replace(state, recorded_content="a", wanted_content="b")
    assert isinstance(decide(contents, policy("adopt"), LOOKING_SINCE), FailOtherContent)


class OtherContent(NamedTuple):
    """``on_duplicate``, the status of a stored file of another content, and the next step."""

    name: str
    mode: str
    status: CouponFile
    step: type[Step]


OTHER_CONTENTS = [
    OtherContent("processed, upload", "upload", PROCESSED, Send),
    OtherContent("processed, fail", "fail", PROCESSED, FailDuplicate),
    OtherContent("failed, adopt", "adopt", FAILED, Send),
    OtherContent("failed, upload", "upload", FAILED, Send),
    OtherContent("failed, fail", "fail", FAILED, Send),
]


@pytest.mark.parametrize("row", OTHER_CONTENTS, ids=[row.name for row in OTHER_CONTENTS])
def test_another_content_makes_no_difference_to_a_file_that_would_not_be_adopted(row: OtherContent):
    state = known(
        StoredBeforeClear(row.status),
        statuses={"f1": LatestStatus(row.status)},
        reading=Reading(NotThere(), read_at=LOOKING_SINCE),
        recorded_content="a",
        wanted_content="b",
    )
    assert isinstance(decide(state, policy(row.mode), LOOKING_SINCE), row.step)


def test_a_task_that_uploads_anew_sends_at_once_if_the_record_has_the_file():
    state = known(StoredBeforeClear(PROCESSED))
    assert isinstance(decide(state, policy("upload"), LOOKING_SINCE), Send)


def test_a_task_that_uploads_anew_reads_on_while_a_request_may_have_arrived():
    shows = Reading(FoundFromBeforeClear(PROCESSED), read_at=LOOKING_SINCE + 1)
    state = known(MaybeSent(), reading=shows)
    assert isinstance(decide(state, policy("upload"), LOOKING_SINCE + 1), ReadList)


@pytest.mark.parametrize("mode", MODES)
def test_a_person_is_asked_about_an_accepted_upload_that_only_an_older_file_stands_for(mode: str):
    """Whatever becomes of the older one, also if it has failed."""
    state = known(
        Accepted(),
        statuses={PROCESSED.id: LatestStatus(FAILED)},
        reading=Reading(FoundFromBeforeClear(PROCESSED), read_at=LISTED_BY),
        answer=NobodyDecided(),
    )
    assert isinstance(decide(state, policy(mode), LISTED_BY), AskPerson)


def test_a_file_that_a_person_names_is_adopted_whatever_it_holds():
    state = known(
        MaybeSentBeforeClear(),
        reading=Reading(NotThere(), read_at=LISTED_BY),
        answer=NamedFile(NAMED),
        recorded_content="a",
        wanted_content="b",
    )
    assert describe(decide(state, policy("adopt"), LISTED_BY)) == "adopt that one"


def refused_for(seconds: float, error: WesRateLimitError) -> Step:
    """The step after refusals by the limit for some seconds, with a ``timeout`` of 300 s."""
    state = known(NoEffect(), send_at=1100.0, limited_since=1000.0, last_limit_error=error)
    return decide(state, policy("adopt"), 1000.0 + seconds)


@pytest.mark.parametrize("seconds", [0.0, 300.0])
def test_refusals_by_the_limit_are_waited_out_until_the_timeout(seconds: float):
    assert refused_for(seconds, WesRateLimitError("429")) == Send(1100.0)


def test_refusals_by_the_limit_for_longer_than_the_timeout_fail_the_attempt_with_the_last_one():
    error = WesRateLimitError("429")
    assert refused_for(300.1, error) == Fail(error)


def test_a_refusal_for_another_reason_than_the_limit_fails_the_attempt():
    error = WesBadRequestError("400", status_code=400)
    assert decide(known(Refused(error)), policy("adopt"), LOOKING_SINCE) == Fail(error)


def test_a_file_that_was_processed_by_the_record_is_adopted_though_it_cannot_be_read_now():
    unreadable = StatusUnreadable(WesServerError("503", status_code=503))
    state = known(StoredBeforeClear(PROCESSED), statuses={"f1": unreadable})
    assert describe(decide(state, policy("adopt"), LOOKING_SINCE)) == "adopt"


def without_a_list(earlier: Earlier, *, acceptance_is_stored: bool) -> Step:
    """The step if the list cannot be read and nobody has decided."""
    unreadable = CannotRead(WesServerError("503", status_code=503))
    state = known(
        earlier,
        reading=Reading(unreadable, LOOKING_SINCE),
        answer=NobodyDecided(),
        acceptance_is_stored=acceptance_is_stored,
    )
    return decide(state, policy("adopt"), LOOKING_SINCE)


def test_if_nobody_decided_a_list_that_cannot_be_read_is_left_to_a_retry_that_knows_it_all():
    step = without_a_list(Accepted(), acceptance_is_stored=True)
    assert isinstance(step, FailUnreadable)


def test_if_nobody_decided_and_nothing_was_accepted_a_list_that_cannot_be_read_is_left_to_a_retry():
    step = without_a_list(MaybeSent(), acceptance_is_stored=False)
    assert isinstance(step, FailUnreadable)


def test_if_nobody_decided_a_person_is_asked_without_a_list_if_the_retry_would_not_know_it_all():
    """It might send the file again."""
    step = without_a_list(Accepted(), acceptance_is_stored=False)
    assert isinstance(step, AskPerson)


def without_look_up(earlier: Earlier, error: WesError, *, acceptance_is_stored: bool) -> Step:
    """The step if a person names a file that cannot be looked up now, and the list lacks it."""
    state = known(
        earlier,
        reading=Reading(NotThere(), read_at=LISTED_BY),
        answer=CannotLookUp(error),
        acceptance_is_stored=acceptance_is_stored,
    )
    return decide(state, policy("adopt"), LISTED_BY)


def test_a_named_file_that_cannot_be_looked_up_is_left_to_a_retry_that_knows_of_the_acceptance():
    error = WesServerError("503", status_code=503)
    assert without_look_up(Accepted(), error, acceptance_is_stored=True) == Fail(error)


def test_a_named_file_that_cannot_be_looked_up_is_left_to_a_retry_if_nothing_was_accepted():
    error = WesServerError("503", status_code=503)
    assert without_look_up(MaybeSent(), error, acceptance_is_stored=False) == Fail(error)


def test_a_person_is_asked_about_a_named_file_if_the_retry_would_not_know_of_the_acceptance():
    error = WesServerError("503", status_code=503)
    step = without_look_up(Accepted(), error, acceptance_is_stored=False)
    assert step == AskPerson("the file that a person names cannot be looked up: 503")


def after_unknown_outcomes(number: int) -> Step:
    """The step if the list lacks the file after requests with an unknown outcome, of 5 at most."""
    state = known(
        MaybeSent(),
        reading=Reading(NotThere(), read_at=LISTED_BY),
        answer=NobodyDecided(),
        unknown_outcomes=number,
        last_unknown=WesUnknownOutcomeError("no response"),
    )
    return decide(state, policy("adopt"), LISTED_BY)


def test_a_file_that_never_arrived_is_sent_again_after_fewer_than_max_attempts_unknown_outcomes():
    assert isinstance(after_unknown_outcomes(4), Send)


def test_after_max_attempts_unknown_outcomes_the_attempt_fails():
    assert isinstance(after_unknown_outcomes(5), FailNeverArrived)


class Moments(NamedTuple):
    """Seconds until the list has to have the file, and those after which it is read."""

    name: str
    listed_after: float
    moments: list[float]


MOMENTS = [
    Moments("this attempt sent it: coupon_files_lag", 30.0, [0, 1, 3, 7, 15, 30]),
    Moments("no record has its time: read_timeout besides", 90.0, [0, 1, 3, 7, 15, 31, 63, 90]),
]


def test_a_list_that_is_behind_is_read_for_five_minutes_more_before_a_person_is_asked():
    moments = []
    state = known(MaybeSent(), answer=NobodyDecided())
    step = decide(state, policy("adopt"), LOOKING_SINCE)
    while isinstance(step, ReadList):
        moments.append(step.at - LOOKING_SINCE)
        state = replace(state, reading=Reading(Behind("a cache sent it"), read_at=step.at))
        step = decide(state, policy("adopt"), step.at)
    assert moments == [0, 1, 3, 7, 15, 30, 61, 123, 247, 330]
    assert step == AskPerson("a cache sent it")


@pytest.mark.parametrize("row", MOMENTS, ids=[row.name for row in MOMENTS])
def test_the_list_is_read_less_and_less_often_until_it_has_to_have_the_file(row: Moments):
    moments = []
    listed_by = LOOKING_SINCE + row.listed_after
    state = replace(known(MaybeSent()), listed_by=listed_by)
    step = decide(state, policy("adopt"), LOOKING_SINCE)
    while isinstance(step, ReadList):
        moments.append(step.at - LOOKING_SINCE)
        state = replace(state, reading=Reading(NotThere(), read_at=step.at))
        step = decide(state, policy("adopt"), step.at)
    assert moments == row.moments
