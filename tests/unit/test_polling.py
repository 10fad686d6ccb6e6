"""The decision that every wait is on: when to look again, when it is over, and what is worth a log line."""

from __future__ import annotations

import json
import logging
import time
from dataclasses import replace
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wes_provider.exceptions import (
    WesAuthenticationError,
    WesConfigurationError,
    WesConnectionError,
    WesCouponFileFailedError,
    WesError,
    WesForbiddenError,
    WesNotFoundError,
    WesRateLimitError,
    WesServerError,
    WesTimeoutError,
)
from wes_provider.models import CouponFile
from wes_provider.polling import (
    CountNames,
    CouponFileWait,
    Done,
    Failed,
    NoConnection,
    Statuses,
    Wait,
    check_coupons_added,
    dump_outcomes,
    failure,
    first_pause,
    load_outcomes,
    only_outcome,
    pause,
)

if TYPE_CHECKING:
    from pytest_mock import MockerFixture

START = 1_700_000_000.0

SERVER_ERROR = WesServerError("get_coupon_file: 500", status_code=500)
UNREACHED = WesConnectionError("get_coupon_file: refused")
GONE = WesNotFoundError("get_coupon_file: 404", status_code=404)


def file(status: str) -> CouponFile:
    return CouponFile("f", "l", "coupons", status, (("added", 3),))


def limited(reset: float) -> WesRateLimitError:
    return WesRateLimitError("get_coupon_file: 429", reset_at=datetime.fromtimestamp(reset, timezone.utc))


def wait(**arguments: Any) -> CouponFileWait:
    given = {"statuses": Statuses(), "started": START, "deadline": START + 7200, "poll_interval": 60.0}
    return CouponFileWait("l", "f", **{**given, **arguments})


def texts(decision: object, level: int | None = None) -> list[str]:
    assert isinstance(decision, Wait)
    return [text for note_level, text in decision.notes if level in (None, note_level)]


seconds = st.floats(0, 1e6)
still_waiting = st.sampled_from(
    [file("PENDING"), file("processing"), file("CHEWING"), SERVER_ERROR, UNREACHED, limited(START + 5)]
)


# -- when to look again


@given(
    waited=seconds,
    poll_interval=st.floats(1, 1e5),
    concurrent_waits=st.integers(1, 100_000),
    chance=st.floats(0, 1),
)
def test_a_pause_is_never_negative_and_never_above_the_poll_interval(waited, poll_interval, concurrent_waits, chance):
    assert 0 < pause(waited, poll_interval, concurrent_waits, chance) <= poll_interval


@pytest.mark.parametrize(
    ("waited", "poll_interval", "concurrent_waits", "expected"),
    [
        (0, 60, 1, 1.0),
        (0.75, 60, 1, 0.25),
        (100, 60, 1, 13.0),
        (1000, 60, 1, 60.0),
        (100, 60, 10_000, 25.0),
        (0, 0.5, 1, 0.5),
    ],
)
def test_a_pause_grows_with_the_time_waited_and_with_the_waits(waited, poll_interval, concurrent_waits, expected):
    assert pause(waited, poll_interval, concurrent_waits, 0.0) == pytest.approx(expected)
    assert pause(waited, poll_interval, concurrent_waits, 1.0) == pytest.approx(0.9 * expected)


def test_chance_spreads_pauses(mocker: MockerFixture):
    assert len({pause(100, 60) for _ in range(9)}) > 1
    assert len({first_pause(100, 60) for _ in range(9)}) > 1
    mocker.patch("random.random", return_value=1.0)
    assert pause(100, 60, 10_000) == first_pause(100, 60, 10_000) == 22.5
    mocker.patch("random.random", return_value=0.5)
    assert first_pause(100, 60, 10_000) == 0.5 * 23.75


@given(waited=seconds, poll_interval=st.floats(1, 1e5), concurrent_waits=st.integers(1, 100_000))
def test_the_first_pause_of_a_wait_taken_over_is_any_part_of_a_pause(waited, poll_interval, concurrent_waits):
    assert (
        0
        <= first_pause(waited, poll_interval, concurrent_waits)
        <= pause(waited, poll_interval, concurrent_waits, chance=0)
    )


@given(waited=st.floats(0, 1e6))
def test_ten_thousand_waits_look_at_most_four_hundred_times_a_second(waited):
    assert 10_000 / pause(waited, poll_interval=60, concurrent_waits=10_000, chance=0) <= 400


@given(took=st.floats(2, 3 * 3600), chances=st.lists(st.floats(0, 1), min_size=1))
def test_an_end_is_noticed_within_15_percent_of_the_processing_time_and_within_the_poll_interval(took, chances):
    waited, polls = 0.0, 0
    while waited < took:
        waited += pause(waited, 60.0, chance=chances[polls % len(chances)])
        polls += 1
    assert waited - took <= min(0.15 * took, 60.0)


@given(polls=st.lists(st.tuples(still_waiting, st.floats(0, 100)), min_size=1), timeout=st.floats(0, 1000))
def test_whatever_is_seen_the_wait_goes_on_until_its_deadline_and_ends_at_it(polls, timeout):
    waiting, now = wait(deadline=START + timeout), START
    for polled, late in polls:
        decision = waiting.decide(polled, now)
        if now >= START + timeout:
            assert isinstance(decision, Failed)
            assert isinstance(decision.error, WesTimeoutError)
            return
        assert isinstance(decision, Wait)
        assert 0 <= decision.seconds <= START + timeout - now
        now += decision.seconds + late


@given(polls=st.lists(st.sampled_from([file("PENDING"), SERVER_ERROR, UNREACHED]), min_size=1, max_size=50))
def test_no_trouble_makes_looks_rarer_than_the_poll_interval(polls):
    waiting, now = wait(deadline=START + 1e9), START
    for polled in polls:
        decision = waiting.decide(polled, now)
        assert isinstance(decision, Wait)
        assert decision.seconds <= 60
        now += decision.seconds


def test_the_only_wait_of_many_polls_as_rarely_as_they_all_do():
    assert 22.5 <= wait().decide(file("PENDING"), START, 10_000).seconds <= 25
    refused = wait(was_read=True, poll_interval=3600)
    for _ in range(12):
        decision = refused.decide(REFUSED[0], START + 1, 20_000)
    assert decision.seconds == 50  # more than half a minute, since so many wait
    assert wait(deadline=START + 3).decide(file("PENDING"), START + 2, 10_000).seconds == 1
    assert wait(deadline=START + 0.5).decide(file("PENDING"), START).seconds <= 0.5


def test_trouble_is_looked_at_at_doubling_intervals():
    waiting = wait(poll_interval=10)
    pauses = [waiting.decide(SERVER_ERROR, START + 1).seconds for _ in range(6)]
    assert [round(seconds) for seconds in pauses] == [1, 2, 4, 8, 10, 10]


@given(left=st.floats(1, 3600))
def test_reads_that_are_limited_pause_until_the_reset_and_at_most_a_second_more(left):
    decision = wait().decide(limited(START + left), START)
    assert isinstance(decision, Wait)
    assert left - 1e-3 <= decision.seconds <= left + 1


def test_a_limit_of_reads_pauses_for_an_hour_at_most():
    decision = wait(deadline=START + 100_000).decide(limited(START + 80_000), START)
    assert isinstance(decision, Wait)
    assert 3600 <= decision.seconds <= 3601


# -- when it is over


@pytest.mark.parametrize("status", ["SUCCESS", "completed", " Done "])
def test_a_known_success_ends_the_wait_even_after_the_deadline(status):
    assert wait(deadline=START).decide(file(status), START + 99)[0] == file(status)


def test_a_known_failure_ends_the_wait_even_after_the_deadline_with_what_the_service_says_of_the_file():
    decision = wait(deadline=START).decide(file("Rejected"), START + 99)
    assert isinstance(decision, Failed)
    assert isinstance(decision.error, WesCouponFileFailedError)
    assert "Rejected" in str(decision.error)
    assert decision.error.coupon_file == file("Rejected").summary()


@pytest.mark.parametrize(
    "error",
    [
        WesAuthenticationError("401", status_code=401),
        WesForbiddenError("403", status_code=403),
        WesConfigurationError("bad identifier"),
    ],
    ids=lambda error: str(error),
)
def test_what_no_repetition_mends_ends_the_wait_at_once(error):
    decision = wait().decide(error, START)
    assert isinstance(decision, Failed)
    assert decision.error is error


@pytest.mark.parametrize("error", [WesAuthenticationError("401", status_code=401), GONE], ids=["401", "late 404"])
def test_silent_fail_looks_past_what_the_service_answers_until_the_deadline(error):
    waiting = wait(silent_fail=True, deadline=START + 600)
    assert isinstance(waiting.decide(error, START + 599), Wait)
    decision = waiting.decide(error, START + 600)
    assert isinstance(decision, Failed)
    assert isinstance(decision.error, WesTimeoutError)


@pytest.mark.parametrize("polled", [file("FAILED"), WesConfigurationError("bad identifier")], ids=["file", "setting"])
def test_silent_fail_looks_past_neither_a_file_that_failed_nor_what_cannot_be_asked(polled):
    assert isinstance(wait(silent_fail=True).decide(polled, START), Failed)


@pytest.mark.parametrize(("after", "passes"), [(0, True), (59, True), (60, False), (3600, False)])
def test_a_404_passes_for_a_minute_after_the_upload(after, passes):
    decision = wait().decide(GONE, START + after)
    assert isinstance(decision, Wait if passes else Failed)


def test_the_error_of_the_deadline_quotes_the_last_status_and_the_last_trouble():
    waiting = wait(deadline=START + 30)
    waiting.decide(file("CHEWING"), START)
    decision = waiting.decide(SERVER_ERROR, START + 30)
    assert isinstance(decision, Failed)
    assert str(decision.error) == (
        "Not processed within 30 s (f of list l)\n"
        "It may still be processed: raise timeout, or wait for it with a sensor.\n"
        "The last status: CHEWING\nCoupon file: f\nCoupon list: l\nPolls: 2\n"
        "The last poll failed: get_coupon_file: 500"
    )


def test_the_error_of_the_deadline_says_if_nothing_was_seen_and_what_the_file_is_called():
    waiting = wait(deadline=START + 30, title="a.csv")
    decision = waiting.decide(NoConnection(WesError("away")), START + 30)
    assert isinstance(decision, Failed)
    lines = str(decision.error).splitlines()
    assert lines[0] == "Not processed within 30 s (a.csv, f of list l)"
    assert lines[2:] == [
        "The last status: none seen",
        "Coupon file: f (a.csv)",
        "Coupon list: l",
        "Polls: 0",
        "The last poll failed: away",
    ]
    assert "The last poll failed" not in str(waiting.timed_out(None, START))


def test_an_end_says_how_long_the_wait_took():
    waiting = wait()
    waiting.decide(file("PENDING"), START)
    done = waiting.decide(file("SUCCESS"), START + 7)
    assert done == Done(file("SUCCESS"), 7.0, 2)
    assert str(done) == "Waited 7 s, 2 polls, last status SUCCESS"
    failed = wait().decide(file("FAILED"), START + 7)
    assert failed[1:] == (7.0, 1, "FAILED")
    assert str(failed) == "Waited 7 s, 1 poll, last status FAILED"
    assert str(Failed(WesError("away"), 3.0)) == "Waited 3 s, 0 polls, last status none seen"


def test_a_file_that_failed_has_the_title_and_the_advice_of_its_wait():
    lines = str(wait(title="a.csv", advice="Do this.").decide(file("FAILED"), START).error).splitlines()
    assert "(a.csv, f of list l)" in lines[0]
    assert lines[1] == "Do this."
    assert lines[0].startswith("Processing failed with status FAILED (")
    assert "(b.csv, f of list l)" in str(failure(replace(file("FAILED"), file_url="https://h.example/b.csv")))


@pytest.mark.parametrize(
    ("overrides", "problem"),
    [
        ({"done": ["X"]}, "coupon_file_statuses has 'done'; it takes pending, success and failure"),
        ({"success": "X"}, "coupon_file_statuses.success takes a list of statuses, not 'X'"),
        ({"success": b"X"}, "coupon_file_statuses.success takes a list of statuses, not "),
        ({"success": 5}, "coupon_file_statuses.success takes a list of statuses, not 5"),
        ({"success": ["X", 5]}, "coupon_file_statuses.success takes texts, not 5"),
        ({"success": [" "]}, "coupon_file_statuses.success takes texts, not ' '"),
        (
            {"success": ["x", "y"], "failure": ["Y "]},
            "coupon_file_statuses.failure has Y, which another list of coupon_file_statuses has too",
        ),
        (
            {"pending": ["x"], "success": ["y"], "failure": ["x"]},
            "coupon_file_statuses.failure has X, which another list of coupon_file_statuses has too",
        ),
    ],
)
def test_statuses_that_make_no_sense_are_named(overrides, problem):
    with pytest.raises(WesConfigurationError) as caught:
        Statuses.of(overrides)
    assert str(caught.value).startswith(problem)


def test_a_status_that_is_named_leaves_the_lists_that_are_not():
    base = Statuses.of({"success": ["ready"], "failure": None})
    statuses = Statuses.of({"pending": (" Ready ", "done")}, base=base)
    assert statuses.to_dict() == {
        "pending": ["DONE", "READY"],
        "success": [],
        "failure": sorted(Statuses().failure),
    }
    assert Statuses.of(statuses.to_dict()) == statuses
    assert Statuses.of(None, base=base) is base
    assert Statuses.of({}) == Statuses()
    assert [statuses.ended(status) for status in ("FAILED", "ready")] == [True, False]
    assert [Statuses().ended(status) for status in (" success", "failed ", "new")] == [True, True, False]
    assert [Statuses().succeeded(status) for status in (" success", "failed ")] == [True, False]


def test_statuses_of_ones_own_decide():
    statuses = Statuses.of({"success": ["pending"], "failure": ["success"]})
    assert isinstance(wait(statuses=statuses).decide(file("PENDING"), START), Done)
    assert isinstance(wait(statuses=statuses).decide(file("SUCCESS"), START), Failed)


# -- what is worth a log line


@given(statuses=st.lists(st.sampled_from(["CHEWING", "chewing", "BITING", "PENDING"])))
def test_an_unknown_status_is_warned_of_once(statuses):
    waiting = wait()
    warnings = [
        text
        for number, status in enumerate(statuses)
        for text in texts(waiting.decide(file(status), START + number), logging.WARNING)
    ]
    assert len(warnings) == len({status.upper() for status in statuses} - {"PENDING"})


def test_a_change_is_logged_and_the_same_again_is_not():
    waiting = wait()
    polled = ["PENDING", "PENDING", "PROCESSING", "PROCESSING", "PENDING"]
    logged = [len(texts(waiting.decide(file(status), START + 1))) for status in polled]
    assert logged == [1, 0, 1, 0, 1]


def test_a_wait_in_which_nothing_changes_gives_a_sign_of_life_every_ten_minutes():
    waiting = wait()
    logged = [minute for minute in range(61) if texts(waiting.decide(file("PENDING"), START + 60 * minute))]
    assert logged == [0, 10, 20, 30, 40, 50, 60]


def test_trouble_is_warned_of_when_it_begins_and_its_end_is_logged():
    waiting = wait()
    waiting.decide(file("PENDING"), START)
    assert texts(waiting.decide(SERVER_ERROR, START + 1), logging.WARNING)
    assert not texts(waiting.decide(UNREACHED, START + 2))
    assert texts(waiting.decide(file("PENDING"), START + 3)) == ["PENDING (f of list l)"]


def test_a_limit_of_reads_is_no_trouble_and_is_mentioned_once():
    waiting = wait()
    polls = [limited(START + 9), file("PENDING"), limited(START + 99), limited(START + 99)]
    logged = [waiting.decide(polled, START).notes for polled in polls]
    assert logged == [
        ((logging.INFO, "The service limits polls (f of list l)\nget_coupon_file: 429"),),
        ((logging.INFO, "PENDING (f of list l)"),),
        (),
        (),
    ]
    assert not texts(waiting.decide(limited(START + 99), START))


def test_a_line_of_a_wait_says_which_file_it_is_about_and_for_how_long_it_goes_on():
    def first_line(waiting: CouponFileWait, polled: Any, after: float = 0) -> str:
        (text,) = texts(waiting.decide(polled, START + after))
        return text.partition("\n")[0]

    trouble = "Poll failed, trying again"
    assert first_line(wait(), SERVER_ERROR) == f"{trouble} (f of list l)"
    assert first_line(wait(was_read=True), REFUSED[0]) == f"{trouble} for 300 s (f of list l)"
    assert first_line(wait(), NoConnection(UNREACHED)) == f"{trouble} for 180 s (f of list l)"
    assert first_line(wait(title="a.csv"), file("PENDING")) == "PENDING (a.csv, f of list l)"
    assert first_line(wait(), file("CHEWING")) == "Status 'CHEWING' is not known, still waiting (f of list l)"
    waiting = wait()
    waiting.decide(limited(START + 1), START)
    assert first_line(waiting, limited(START + 700), 700) == "Still not read after 700 s (f of list l)"
    waiting.decide(file("PENDING"), START + 701)
    assert first_line(waiting, limited(START + 1400), 1400) == "Still PENDING after 1400 s (f of list l)"


def test_the_end_of_trouble_is_logged_once_even_if_the_very_same_file_comes():
    waiting, pending = wait(), file("PENDING")
    waiting.decide(pending, START)
    waiting.decide(SERVER_ERROR, START + 1)
    assert [len(texts(waiting.decide(pending, START + 2 + number))) for number in range(3)] == [1, 0, 0]


# -- from the triggerer to the worker


def test_outcomes_arrive_as_they_left():
    error = WesCouponFileFailedError("failed", {"id": "b"})
    outcomes = load_outcomes(
        dump_outcomes({"a": Done(file("SUCCESS"), 1.5, 3), "b": Failed(error), "c": Failed(limited(START))})
    )
    assert outcomes["a"] == Done(file("SUCCESS"), 1.5, 3)
    assert isinstance(outcomes["b"], Failed)
    assert type(outcomes["b"].error) is WesCouponFileFailedError
    assert outcomes["b"].error.coupon_file == {"id": "b"}
    assert isinstance(outcomes["c"], Failed)
    assert outcomes["c"].error.reset_at == datetime.fromtimestamp(START, timezone.utc)  # type: ignore[attr-defined]


@pytest.mark.parametrize("event", [None, {}, [], "success", {"files": None}, {"files": {"a": {}}}, {"files": {"a": 1}}])
def test_an_event_that_cannot_be_read_is_no_success(event):
    with pytest.raises(WesError, match="cannot be read"):
        load_outcomes(event)


def test_an_event_of_other_files_than_one_is_no_outcome_of_one():
    with pytest.raises(WesError, match="of 0 coupon files"):
        only_outcome({"files": {}})
    done = Done(file("SUCCESS"), 1.5, 3)
    assert only_outcome(dump_outcomes({"a": done})) == done


LITERAL_EVENT = {
    "version": 1,
    "files": {
        "a": {
            "done": {
                "coupons_added": 3,
                "note": "first",
                "id": "a",
                "coupon_list_id": "l",
                "name": "n",
                "status": "SUCCESS",
                "file_url": "https://h.example/a.csv",
            },
            "waited": 1.5,
            "polls": 3,
            "last_status": "SUCCESS",
        },
        "b": {
            "failed": {"type": "WesTimeoutError", "text": "late", "attributes": {}},
            "waited": 60.0,
            "polls": 9,
            "last_status": "PENDING",
        },
    },
}


def test_events_of_version_1_stay_as_they_are():
    done = CouponFile(
        "a", "l", "n", "SUCCESS", (("coupons_added", 3),), "https://h.example/a.csv", (("note", "first"),)
    )
    outcomes = {"a": Done(done, 1.5, 3), "b": Failed(WesTimeoutError("late"), 60.0, 9, "PENDING")}
    assert dump_outcomes(outcomes) == LITERAL_EVENT
    newer = {**LITERAL_EVENT, "version": 2, "new": 1}
    newer["files"] = {file_id: {**entry, "new": 1} for file_id, entry in newer["files"].items()}  # type: ignore[attr-defined]
    for event in (LITERAL_EVENT, newer):
        loaded = load_outcomes(event)
        assert loaded["a"] == outcomes["a"]
        assert loaded["b"][1:] == outcomes["b"][1:]
        assert str(loaded["b"].error) == "late"


def test_events_without_a_version_are_read():
    summary = {"id": "a", "coupon_list_id": "l", "name": "n", "status": "SUCCESS", "coupons_added": 3}
    outcomes = load_outcomes({"files": {"a": {"done": summary}}})
    failed = load_outcomes({"files": {"b": {"failed": {"type": "WesTimeoutError", "text": "late"}}}})["b"]
    assert failed[1:] == (0.0, 0, "")
    assert outcomes == {"a": Done(CouponFile("a", "l", "n", "SUCCESS", (("coupons_added", 3),)))}


# -- what operations do to a wait


REFUSED = [WesAuthenticationError("401", status_code=401), WesForbiddenError("403", status_code=403)]


@pytest.mark.parametrize("error", REFUSED, ids=str)
def test_a_wait_that_has_read_its_file_outlives_five_minutes_of_refused_keys(error):
    waiting = wait(poll_interval=3600, was_read=False)
    waiting.decide(file("PENDING"), START)
    now, polls = START + 1000, 0
    while isinstance(decision := waiting.decide(error, now), Wait):
        polls += 1
        assert decision.seconds <= 30
        now += decision.seconds
    assert decision.error is error
    assert 300 <= now - START - 1000 <= 330
    assert polls >= 10


def test_a_key_that_is_accepted_again_starts_the_five_minutes_anew():
    waiting = wait(was_read=True)
    for minutes in range(0, 60, 4):
        assert isinstance(waiting.decide(REFUSED[0], START + 60 * minutes), Wait)
        assert isinstance(waiting.decide(file("PENDING"), START + 60 * minutes + 1), Wait)


@pytest.mark.parametrize("was_read", [False, True])
def test_a_wait_outlives_minutes_without_a_connection(was_read):
    error = WesConfigurationError("connection 'wes_default' is not defined")
    waiting, now = wait(poll_interval=3600, was_read=was_read), START
    while isinstance(decision := waiting.decide(NoConnection(error), now), Wait):
        assert 1 - 0.1 <= decision.seconds <= 30
        now += decision.seconds
    assert decision.error is error
    assert 180 <= now - START <= 210
    assert decision.polls == 0


def test_any_response_starts_the_minutes_without_a_connection_anew():
    waiting = wait()
    for minutes in range(0, 30, 2):
        assert isinstance(waiting.decide(NoConnection(WesError("away")), START + 60 * minutes), Wait)
        assert isinstance(waiting.decide(SERVER_ERROR, START + 60 * minutes + 1), Wait)


def test_no_wait_polls_more_often_than_once_a_second_for_long():
    waiting = wait(poll_interval=0.001)
    assert waiting.decide(file("PENDING"), START + 60).seconds >= 0.9


@pytest.mark.parametrize("step", [600, -600])
def test_a_step_of_the_machines_clock_moves_no_deadline(monkeypatch, step):
    real = time.time
    now = real()
    waiting = wait(started=now, deadline=now + 7200)
    monkeypatch.setattr(time, "time", lambda: real() + step)
    assert 0 <= waiting.now() - now < 60
    decision = waiting.decide(limited(real() + step + 30), waiting.now())
    assert isinstance(decision, Wait)
    assert 29 <= decision.seconds <= 31


# -- why a file failed, and whether coupons were added


def test_a_failure_says_why_which_file_and_what_to_do():
    failed = CouponFile(
        "f", "l", "n", "FAILED", (("coupons_added", 0),), "https://h.example/a.csv", (("error", "the host said 404"),)
    )
    error = wait().decide(failed, START).error
    assert str(error).splitlines() == [
        "FAILED: the host said 404 (a.csv, f of list l)",
        "Fix the file, then clear the task that uploaded it: it uploads the file again.",
        "Reason: the host said 404",
        "Coupon file: f",
        "Coupon list: l",
        "URL: https://h.example/a.csv",
        "Counts: coupons_added 0",
    ]
    assert error.coupon_file["error"] == "the host said 404"


def counted(**counts: int) -> CouponFile:
    return CouponFile("f", "l", "n", "SUCCESS", tuple(counts.items()))


@pytest.mark.parametrize(
    ("counts", "text"),
    [
        ({"coupons_added": 5000, "coupons_duplicate": 0}, "5000 coupons added, 0 duplicates"),
        ({"duplicatesAdded": 1, "importedCodes": 7}, "7 coupons added, 1 duplicate"),
        ({"invalid": 3, "new": 2}, "2 coupons added"),
        ({"SKIPPED_ROWS": 4}, "4 duplicates"),
        ({"rows": 4}, ""),
        ({"notAdded": 5, "coupons_not_imported": 7, "added_errors": 2}, ""),
        ({"total": 9, "valid": 9, "invalid": 0}, ""),
        ({"coupons_added": -1, "coupons_duplicate": 0}, "0 duplicates"),
        ({"stats.imported": 7, "stats.skipped": 2}, "7 coupons added, 2 duplicates"),
        ({"created_at": 1700000000, "imported_on": 20261122, "createdBy": 5, "valid_until": 9}, ""),
    ],
)
def test_counts_are_recognised_by_name(counts, text):
    assert str(CountNames().read([counted(**counts)])) == text


def test_the_connection_names_the_counts():
    names = CountNames.of({"added": "rows", "duplicates": "twice"})
    assert str(names.read([counted(rows=4, twice=1, added=9), counted(rows=2, twice=1)])) == (
        "6 coupons added, 2 duplicates"
    )
    assert names.read([counted(rows=4), counted(added=9)]).added is None
    for wrong, problem in (
        ({"add": "rows"}, "coupon_file_counts has 'add'; it takes added and duplicates"),
        ({"added": " "}, "coupon_file_counts.added takes the name of a count, not ' '"),
        ({"added": 7}, "coupon_file_counts.added takes the name of a count, not 7"),
    ):
        with pytest.raises(WesConfigurationError) as caught:
            CountNames.of(wrong)
        assert str(caught.value) == problem


@pytest.mark.parametrize(
    ("counts", "minimum", "level"),
    [
        ({"added": 5}, None, logging.INFO),
        ({"added": 5}, 5, logging.INFO),
        ({"added": 0}, 0, logging.INFO),
        ({"added": 0}, None, logging.WARNING),
        ({"added": -1, "rows": 4}, 5, None),
        ({"added": 4}, 5, None),
        ({"rows": 4}, 5, None),
    ],
)
def test_too_few_coupons_fail_the_task_and_none_at_all_are_warned_of(counts, minimum, level):
    if level is None:
        with pytest.raises(WesCouponFileFailedError, match="min_coupons_added is 5") as caught:
            check_coupons_added([counted(**counts)], CountNames(), minimum)
        assert caught.value.coupon_file["id"] == "f"
    else:
        ((noted, text),) = check_coupons_added([counted(**counts)], CountNames(), minimum)
        assert noted == level
        assert "coupons added (f of list l)" in text


def test_too_few_coupons_say_which_files_and_what_to_do():
    with pytest.raises(WesCouponFileFailedError) as caught:
        check_coupons_added([counted(added=4, duplicates=1)], CountNames(), 5, title="a.csv")
    assert str(caught.value).splitlines() == [
        "4 coupons added, fewer than 5 (a.csv, f of list l)",
        "Fix the file, then clear the task that uploaded it: its log says how to upload it again.",
        "If so few are fine, mark the task as success.",
        "Counts: 4 coupons added, 1 duplicate",
        "min_coupons_added is 5",
    ]
    with pytest.raises(WesCouponFileFailedError) as caught:
        check_coupons_added([counted(added=0), counted(added=1)], CountNames(), 5, upload_again="do that")
    lines = str(caught.value).splitlines()
    assert lines[:2] == ["1 coupon added, fewer than 5 (2 files of list l)", "Fix the files, then do that."]
    with pytest.raises(WesCouponFileFailedError) as caught:
        check_coupons_added([counted()], CountNames(), 5)
    assert "Counts: none" in str(caught.value)


def test_no_coupons_at_all_say_what_to_do():
    ((_, text),) = check_coupons_added([counted(added=0)], CountNames(), None)
    assert text.splitlines() == [
        "0 coupons added (f of list l)",
        "If that is wrong, fix the file, then clear the task that uploaded it: its log says how to upload it again.",
        "min_coupons_added=1 makes this an error, and 0 expects it.",
    ]


def test_counts_that_nobody_knows_are_no_warning():
    ((level, text),) = check_coupons_added([counted(rows=4)], CountNames(), None)
    assert level == logging.INFO
    assert text.splitlines() == [
        "No count of added coupons (f of list l)",
        'If the service counts them, name the count in the connection, as "added" in Counts of coupon files.',
        "Counts: rows",
    ]


def test_a_count_that_the_connection_names_in_vain_is_named():
    names = CountNames.of({"added": "coupons_added"})
    file = CouponFile.from_record({"_id": "f", "coupons_added": "1,234"}, coupon_list_id="l")
    with pytest.raises(WesCouponFileFailedError) as caught:
        check_coupons_added([file], names, 1)
    assert "has 'coupons_added' as \"added\", which is no whole number here" in str(caught.value)


@pytest.mark.parametrize(
    ("record", "text"),
    [
        ({"coupons_added": "0", "coupons_duplicate": "12"}, "0 coupons added, 12 duplicates"),
        ({"coupons_added": 5.0}, "5 coupons added"),
        ({"coupons_added": 5.5, "imported": "1,234"}, ""),
    ],
)
def test_whole_numbers_are_counts_however_the_service_writes_them(record, text):
    assert str(CountNames().read([CouponFile.from_record({"_id": "f", **record})])) == text


def test_secrets_that_only_the_worker_knows_are_taken_out_of_what_the_triggerer_sends():
    failed = CouponFile("f", "l", status="FAILED", texts=(("error", "login with pass-word1 failed"),))
    error, done = wait().decide(failed, START).error, replace(failed, id="g", status="SUCCESS")
    nested = WesCouponFileFailedError("failed", {"id": "h", "errors": [{"text": "pass-word1"}, 7]})
    event = dump_outcomes({"f": Failed(error, 7.0, 3, "FAILED"), "g": Done(done, 1.0, 2), "h": Failed(nested)})
    loaded = load_outcomes(json.loads(json.dumps(event)), ["pass-word1"])
    assert loaded["g"] == Done(replace(done, texts=(("error", "login with *** failed"),)), 1.0, 2)
    assert str(loaded["f"].error) == str(error).replace("pass-word1", "***")
    assert loaded["f"].error.coupon_file["error"] == "login with *** failed"
    assert loaded["h"].error.coupon_file["errors"] == [{"text": "***"}, 7]
