"""What was sent to a segment, and what a restore sends again."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wes_provider.arguments import json_bytes
from wes_provider.exceptions import (
    WesBadRequestError,
    WesConfigurationError,
    WesConnectionError,
    WesError,
    WesRateLimitError,
    WesResponseError,
    WesServerError,
    WesUnknownOutcomeError,
)
from wes_provider.filters import segment_body
from wes_provider.guards.history import Entry, History
from wes_provider.guards.restore import find, restored_body
from wes_provider.guards.update import had_no_effect

START = datetime(2026, 1, 1, tzinfo=timezone.utc)


class MemoryStore(dict[str, Any]):
    """A store that keeps JSON, as Airflow's do."""

    def get(self, key: str, default: Any = None) -> Any:
        return json.loads(self[key]) if key in self else default

    def set(self, key: str, value: Any) -> None:
        self[key] = json.dumps(value)

    def delete(self, key: str) -> None:
        self.pop(key, None)


class Recorded:
    """A history with a clock that goes on by a minute with each reading."""

    def __init__(self) -> None:
        self.store = MemoryStore()
        self.minutes = 0
        self.history = self.of("https://api.example.com", "shop", "a/b")

    def of(self, *segment: str) -> History:
        return History(self.store, segment, now=self._now)

    def _now(self) -> datetime:
        self.minutes += 1
        return START + timedelta(minutes=self.minutes)

    def update(self, body: dict[str, Any], run: str = "", keep: int = 20, **details: str) -> Entry:
        entry = self.history.begin(task(run), body, **details)
        self.history.finish(entry, keep)
        return self.history.entries[0]


def task(run: str, **more: Any) -> dict[str, Any]:
    return {"dag_id": "d", "task_id": "t", "run_id": run, "map_index": -1, **more}


def body(*values: Any) -> dict[str, Any]:
    return {"included_filters": {"filters": [{"name": "city", "value": list(values)}]}}


@pytest.fixture
def recorded() -> Recorded:
    return Recorded()


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(st.dictionaries(st.text("abc", min_size=1), values, min_size=1), min_size=1, max_size=4))
def test_a_restore_sends_exactly_the_bytes_that_were_sent_then(filters: list[dict[str, Any]]):
    filters = [{key: value for key, value in item.items() if key != "value"} for item in filters]
    sent = segment_body(included_filters={"x": 1.0, "filters": filters, "a": "é"}, updated_by="me", allow_empty=True)
    recorded = Recorded()
    entry = recorded.update(sent)
    recorded.update(body("other"))
    assert json_bytes(restored_body(recorded.history, entry)) == json_bytes(sent)


def test_a_definition_that_somebody_changed_is_not_restored(recorded: Recorded):
    entry = recorded.update(body("a"))
    (key,) = (key for key in recorded.store if not isinstance(recorded.store.get(key), dict))
    recorded.store.set(key, '{"included_filters":{"filters":[]}}')
    with pytest.raises(
        WesConfigurationError, match="the history no longer has the definition: the update of 2026-01-01"
    ):
        restored_body(recorded.history, entry)
    baseline = recorded.history.baseline()
    assert baseline.fields == {}
    assert baseline.notes == ["the included_filters that was sent last is not kept"]


def test_the_baseline_is_what_was_sent_last_of_each_field(recorded: Recorded):
    recorded.update({"name": "n", **body("a")}, "one")
    recorded.update(body("b"), "two")
    recorded.update({"updated_by": "me"}, "three")
    baseline = recorded.history.baseline()
    assert baseline.fields == {"name": "n", **body("b"), "updated_by": "me"}
    assert "by d.t, run two" in baseline.description
    assert not baseline.uncertain


def test_an_update_that_is_not_recorded_as_finished_may_be_in_effect(recorded: Recorded):
    """It may still be under way, so a later one is not taken for the one in effect at once."""
    recorded.update(body("a"))
    recorded.history.begin(task("killed"), body("b"))
    baseline = recorded.history.baseline()
    assert baseline.fields == body("a")
    assert baseline.uncertain
    assert "run killed was not recorded as finished; it may be in effect" in baseline.notes[0]
    assert [filters["filters"][0]["value"] for filters in baseline.others.values()] == [["b"]]
    recorded.update(body("c"), "next")
    assert recorded.history.baseline().uncertain
    recorded.update(body("b"), "equal")
    assert not recorded.history.baseline().uncertain
    recorded.minutes += 60
    recorded.update(body("c"), "after an hour")
    baseline = recorded.history.baseline()
    assert not baseline.uncertain
    assert baseline.others == {}
    assert recorded.history.pending == []


def test_an_update_of_other_fields_does_not_replace_one(recorded: Recorded):
    recorded.update(body("a"))
    recorded.history.begin(task("killed"), body("b"))
    recorded.minutes += 60
    recorded.update({"name": "n"})
    assert list(recorded.history.baseline().others.values()) == [body("b")["included_filters"]]


def test_an_update_whose_definition_was_lost_may_be_in_effect(recorded: Recorded):
    recorded.update(body("a"))
    recorded.history.begin(task("retried"), body("b"), known=False)
    baseline = recorded.history.baseline()
    assert (baseline.fields, baseline.others, baseline.uncertain) == (body("a"), {}, True)


def test_unfinished_updates_do_not_pile_up(recorded: Recorded):
    for number in range(50):
        recorded.history.begin(task(str(number)), body(number))
    assert [entry.task["run_id"] for entry in recorded.history.pending] == [str(number) for number in range(30, 50)]


def test_workspaces_and_services_have_histories_of_their_own(recorded: Recorded):
    recorded.update(body("a"))
    for address, workspace in (("https://api-02.example.com", "shop"), ("https://api.example.com", "other")):
        assert recorded.of(address, workspace, "a/b").entries == []


def test_an_update_that_had_no_effect_leaves_nothing(recorded: Recorded):
    recorded.update(body("a"))
    recorded.history.abandon(recorded.history.begin(task("refused"), body("b")))
    assert not recorded.history.baseline().uncertain
    assert len(recorded.history.entries) == 1


@pytest.mark.parametrize("first_ends_first", [True, False])
def test_of_two_updates_at_the_same_time_neither_is_taken_for_the_last(recorded: Recorded, first_ends_first: bool):
    history = recorded.history
    recorded.update(body("before"))
    both = [history.begin(task("one"), body("a")), history.begin(task("other"), body("b"))]
    for entry in both if first_ends_first else both[::-1]:
        history.finish(entry, 20)
    baseline = history.baseline()
    assert baseline.uncertain
    assert "ran at the same time as another one; it may be in effect" in baseline.notes[0]
    assert len(baseline.others) == 1
    assert len(history.entries) == 3
    recorded.update(body("b"), "after")
    assert not history.baseline().uncertain


def test_the_history_has_a_length_and_forgets_what_nobody_needs(recorded: Recorded):
    recorded.update({"name": "only once", **body("first")})
    for number in range(30):
        recorded.update({"updated_by": str(number % 3)}, keep=5)
    entries = recorded.history.entries
    assert len(entries) == 6, "the five last ones, and the last one with filters"
    assert recorded.history.baseline().fields == {"name": "only once", **body("first"), "updated_by": "2"}
    assert len(recorded.store) == 1 + 4


def test_previous_goes_back_one_step_each_time(recorded: Recorded):
    for value in "abc":
        recorded.update(body(value), value)
    for run, expected in (("undo 1", "b"), ("undo 2", "a")):
        entry = find(recorded.history, "previous", task(run))
        assert entry.task["run_id"] == expected
        recorded.update(body(expected), run, restored=entry.at)
    with pytest.raises(WesConfigurationError, match="the history has no update before the one in effect"):
        find(recorded.history, "previous", task("undo 3"))


def test_a_repeated_restore_does_not_go_back_further(recorded: Recorded):
    for value in "abc":
        recorded.update(body(value), value)
    chosen = find(recorded.history, "previous", task("undo"))
    recorded.update(body("b"), "undo", restored=chosen.at)
    assert find(recorded.history, "previous", task("undo")) == chosen


def test_previous_of_an_update_that_may_be_in_effect_is_the_last_that_certainly_was(recorded: Recorded):
    for value in "ab":
        recorded.update(body(value), value)
    recorded.history.begin(task("killed"), body("c"))
    chosen = find(recorded.history, "previous", task("undo"))
    assert chosen.task["run_id"] == "b"
    recorded.update(body("b"), "undo", restored=chosen.at)
    assert find(recorded.history, "previous", task("undo again")).task["run_id"] == "a"


def test_previous_is_another_definition_than_the_one_in_effect(recorded: Recorded):
    for value in "aabb":
        recorded.update(body(value), value)
    assert recorded.history.definition(find(recorded.history, "previous", task("x"))) == json_bytes(body("a"))


def test_an_update_is_found_by_its_run_or_by_a_time(recorded: Recorded):
    first, second = recorded.update(body("a"), "one"), recorded.update(body("b"), "two")
    history = recorded.history
    assert find(history, "one", task("x")) == first
    assert find(history, second.at, task("x")) == second
    just_before = datetime.fromisoformat(second.at) - timedelta(seconds=1)
    assert find(history, just_before.isoformat(), task("x")) == first
    assert find(history, just_before.strftime("%Y-%m-%dT%H:%M:%SZ"), task("x")) == first


MISSING = {
    "before the history": ("2020-01-01", "is before the history begins"),
    "neither": ("yesterday", "is neither 'previous' nor a run of the history nor a time"),
}


@pytest.mark.parametrize(("to", "message"), MISSING.values(), ids=MISSING)
def test_what_the_history_does_not_have_is_an_error_with_the_history(recorded: Recorded, to: str, message: str):
    recorded.update(body("a"), "one")
    with pytest.raises(WesConfigurationError, match=message) as raised:
        find(recorded.history, to, task("x"))
    assert "by d.t, run one" in str(raised.value)


def test_a_run_id_of_two_dags_is_an_error(recorded: Recorded):
    recorded.update(body("a"), "scheduled")
    entry = recorded.history.begin(task("scheduled", dag_id="other"), body("b"))
    recorded.history.finish(entry, 20)
    with pytest.raises(WesConfigurationError, match="is a run that sent several updates\nGive a time"):
        find(recorded.history, "scheduled", task("x"))


def test_a_segment_without_history_cannot_be_restored(recorded: Recorded):
    with pytest.raises(WesConfigurationError, match="the segment has no history"):
        find(recorded.history, "previous", task("x"))


def test_what_is_stored_is_this_and_later_fields_are_ignored(recorded: Recorded):
    """Version 1, as it stands in databases."""
    entry: dict[str, Any] = {
        "at": "2026-01-01T00:01:00.000000+00:00",
        "task": {"dag_id": "d", "task_id": "t", "run_id": "r", "map_index": -1},
        "fields": ["name"],
        "restored": "",
        "approved_by": "",
        "approved_plan": "",
        "begun": 1,
        "ended": 2,
    }
    entry["definition"] = recorded.update({"name": "n"}, "r").definition
    (document,) = (value for key in recorded.store if isinstance(value := recorded.store.get(key), dict))
    assert set(document) == {"version", "steps", "entries", "pending", "at"}
    assert document["version"] == 1
    assert document["entries"][0] == entry
    (key,) = (key for key in recorded.store if isinstance(recorded.store.get(key), dict))
    assert key == "wes_segment_4dca2929614ef27e"
    recorded.store.set(key, {**document, "entries": [{**entry, "color": "red"}], "mood": "good"})
    assert recorded.history.entries == [Entry(**entry)]


WITHOUT_EFFECT = {
    "never sent": (WesConnectionError("x"), True),
    "bad argument": (WesConfigurationError("x"), True),
    "400": (WesBadRequestError("x", status_code=400), True),
    "429": (WesRateLimitError("x"), True),
    "408 of a gateway": (WesResponseError("x", status_code=408), False),
    "499 of a gateway": (WesResponseError("x", status_code=499), False),
    "redirect": (WesResponseError("x", status_code=302), False),
    "500": (WesServerError("x", status_code=500), False),
    "reply lost": (WesUnknownOutcomeError("x"), False),
}


@pytest.mark.parametrize(("error", "certain"), WITHOUT_EFFECT.values(), ids=WITHOUT_EFFECT)
def test_only_a_refusal_of_the_service_proves_that_nothing_changed(error: WesError, certain: bool):
    assert had_no_effect(error) is certain
    error.after_unknown = "a read timeout"
    assert not had_no_effect(error)
