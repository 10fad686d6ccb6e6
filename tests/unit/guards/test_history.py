"""
The history of a segment (``docs/guards.md``, from *Restore a segment* on). It keeps what was
sent, byte for byte: the last twenty finished updates, the last one of each field, and the latest
twenty that are not recorded as finished. What an update is compared with, the baseline, is what
was sent last of each field; an update that is not recorded as finished leaves it, and may be in
effect (it is doubted) until a later one of the same fields is finished. Of two at the same time,
the one recorded last counts.

A restore finds ``previous``, the definition before the one in effect, and one further back with
each further run, or a run's last update, or an update's time in any zone. Updates of the name
alone do not count. Anything else is an error that lists the latest twenty finished updates.

The document is kept as version 1 in the state store of the segment's asset. Without that, XComs
of the task's earlier runs hold it, of which the latest counts.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta, timezone
from itertools import count
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from support.attempts import Store, TaskInstance
from wes_provider import assets, exceptions
from wes_provider.arguments import json_bytes
from wes_provider.filters import segment_body
from wes_provider.guards.history import Entry, History, XComStore, find, now
from wes_provider.guards.update import identity

if TYPE_CHECKING:
    from pytest_mock import MockerFixture

START = datetime(2026, 1, 1, tzinfo=timezone.utc)


class Recorded(History):
    """The history of one segment, in a state store of its own, with steps as tasks take them."""

    def __init__(self) -> None:
        self.store = Store()
        super().__init__(self.store, ("https://api.example.com", "shop", "a/b"))

    def update(self, body: dict[str, Any], run: str = "", **details: str) -> Entry:
        """Record that a run's update has begun and finished, and return its entry."""
        self.finish(self.begin(task(run), body, **details), body)
        return self.document().updates[0]

    def previous(self, run: str = "undo") -> Entry:
        """Find the update that a run restores with ``to="previous"``."""
        return find(self, "previous", task(run))


def task(run: str, **more: Any) -> dict[str, Any]:
    """The task ``d.t`` of a run, as entries have it."""
    return {"dag_id": "d", "task_id": "t", "run_id": run, "map_index": -1, **more}


def body(*values: Any) -> dict[str, Any]:
    """The body of an update to users in some cities."""
    return {"included_filters": {"filters": [{"name": "city", "value": list(values)}]}}


@pytest.fixture(autouse=True)
def _clock_that_goes_on_by_a_minute_with_each_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    """An update reads it when it begins, and whenever the document is written."""
    minutes = count(1)
    monkeypatch.setattr(
        "wes_provider.guards.history.now",
        lambda: (START + timedelta(minutes=next(minutes))).isoformat(timespec="microseconds"),
    )


@pytest.fixture
def recorded() -> Recorded:
    return Recorded()


# JSON that a second encoding may change: numbers, order of keys, escapes, characters.
UNUSUAL = segment_body(
    included_filters={
        "x": 1.0,
        "filters": [
            {
                "b": [1, 1.0, True, None, -0.0, 1e22, 2**70, "1", {"z": [], "a": {}}],
                "a": "é\u2028\0\\",
            },
            {"": "🎟"},
        ],
        "a": "é",
    },
    updated_by="me@example.com",
    allow_empty=True,
)


def test_a_definition_is_kept_byte_for_byte(recorded: Recorded):
    entry = recorded.update(UNUSUAL)
    recorded.update(body("other"))
    assert recorded.definition(entry) == json_bytes(UNUSUAL)


def test_a_definition_that_is_read_and_sent_again_has_the_same_bytes():
    again = segment_body(**json.loads(json_bytes(UNUSUAL)), allow_empty=True)
    assert json_bytes(again) == json_bytes(UNUSUAL)


@pytest.mark.parametrize(
    "changed",
    ['{"included_filters":{"filters":[]}}', "", {"included_filters": {}}, 7],
    ids=["another definition", "an empty string", "an object", "a number"],
)
def test_a_definition_that_somebody_changed_is_neither_restored_nor_compared_with(
    changed: Any, recorded: Recorded
):
    entry = recorded.update(body("a"))
    (key,) = (key for key in recorded.store.values if not isinstance(recorded.store.get(key), dict))
    recorded.store.set(key, changed)
    assert recorded.definition(entry) is None
    assert recorded.baseline().fields == {}


def test_the_baseline_is_what_was_sent_last_of_each_field(recorded: Recorded):
    recorded.update({"name": "n", **body("a")}, "one")
    recorded.update(body("b"), "two")
    recorded.update({"updated_by": "me@example.com"}, "three")
    baseline = recorded.baseline()
    assert baseline.fields == {"name": "n", **body("b"), "updated_by": "me@example.com"}
    assert "by d.t, run two" in baseline.description
    assert not baseline.doubts


def doubted(history: History) -> list[tuple[str, Any]]:
    """Which runs' updates may be in effect, and the body of each; empty if it is not known."""
    return [(entry.task["run_id"], sent) for entry, sent in history.baseline().doubts]


@pytest.fixture
def unsure(recorded: Recorded) -> Recorded:
    """One update that was finished, three of the filters that were not, and one of the name."""
    recorded.update({"name": "n", **body("a")}, "finished")
    recorded.begin(task("killed"), body("b"))
    recorded.begin_unknown(task("retried"), list(body("c")))
    recorded.begin(task("equal to the last"), {"name": "n", **body("a")})
    recorded.update({"name": "other"}, "of another field")
    return recorded


def test_an_update_that_is_not_recorded_as_finished_leaves_the_baseline(unsure: Recorded):
    assert unsure.baseline().fields == {"name": "other", **body("a")}


def test_an_update_that_is_not_recorded_as_finished_may_be_in_effect_unless_it_changes_nothing(
    unsure: Recorded,
):
    assert doubted(unsure) == [("retried", {}), ("killed", body("b"))]


def test_no_earlier_update_may_be_in_effect_after_one_that_is_recorded_as_finished(
    unsure: Recorded,
):
    unsure.update(body("d"), "next")
    assert doubted(unsure) == []


def test_an_update_that_can_no_longer_be_in_effect_is_forgotten(unsure: Recorded):
    unsure.update(body("d"), "next")
    runs = [entry.task["run_id"] for entry in unsure.document().updates]
    assert runs == ["next", "of another field", "finished"]


@pytest.fixture
def concurrent(recorded: Recorded) -> Recorded:
    """Of two updates, the one that began first was recorded last."""
    recorded.update(body("before"), "before")
    first = recorded.begin(task("first"), body("a"))
    recorded.finish(recorded.begin(task("second"), body("b")), body("b"))
    recorded.finish(first, body("a"))
    return recorded


def test_of_updates_at_the_same_time_the_one_that_is_recorded_last_is_in_effect(
    concurrent: Recorded,
):
    assert concurrent.baseline().fields == body("a")


def test_of_updates_at_the_same_time_the_one_that_is_recorded_last_is_listed_first(
    concurrent: Recorded,
):
    runs = [entry.task["run_id"] for entry in concurrent.document().updates]
    assert runs == ["first", "second", "before"]


def test_of_updates_at_the_same_time_the_one_that_is_recorded_last_can_be_restored(
    concurrent: Recorded,
):
    """When the other one was recorded, this one was forgotten, with its definition."""
    found = find(concurrent, "first", task("undo"))
    assert concurrent.definition(found) == json_bytes(body("a"))


def test_an_update_that_began_before_one_that_is_recorded_is_not_doubted(recorded: Recorded):
    recorded.begin(task("first"), body("a"))
    recorded.finish(recorded.begin(task("second"), body("b")), body("b"))
    assert doubted(recorded) == []


def test_an_update_that_was_forgotten_can_be_abandoned(recorded: Recorded):
    first = recorded.begin(task("first"), body("a"))
    recorded.finish(recorded.begin(task("second"), body("b")), body("b"))
    recorded.abandon(first)
    assert [entry.task["run_id"] for entry in recorded.document().updates] == ["second"]


def test_an_update_of_several_fields_is_doubted_once(recorded: Recorded):
    recorded.begin(task("killed"), {"name": "n", **body("a")})
    assert doubted(recorded) == [("killed", {"name": "n", **body("a")})]


def test_a_field_that_was_never_recorded_stays_doubted_when_another_field_is(recorded: Recorded):
    recorded.begin(task("killed"), {"name": "n"})
    recorded.update(body("a"))
    assert doubted(recorded) == [("killed", {"name": "n"})]


def test_doubts_stand_in_the_alphabetical_order_of_their_fields(recorded: Recorded):
    for field in ("included_filters", "updated_by", "name"):
        recorded.begin_unknown(task(field), [field])
    assert [run for run, _ in doubted(recorded)] == ["included_filters", "name", "updated_by"]


class Killed(Store):
    """A store whose task is killed instead of the write after ``writes_left`` others."""

    def __init__(self) -> None:
        super().__init__()
        self.writes_left: float = float("inf")

    def set(self, key: str, value: Any, *, retention: Any = None) -> None:
        self._count()
        super().set(key, value)

    def delete(self, key: str) -> None:
        self._count()
        super().delete(key)

    def _count(self) -> None:
        self.writes_left -= 1
        if self.writes_left < 0:
            raise KeyboardInterrupt


STEPS: dict[str, Callable[[History], Any]] = {
    "begin": lambda history: history.begin(task("next"), body("b")),
    "abandon": lambda history: history.abandon(history.document().updates[0]),
}


@pytest.mark.parametrize("writes", [0, 1], ids=["at the first write", "at the second write"])
@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_each_recorded_update_has_its_definition_wherever_its_task_is_killed(
    step: Callable[[History], Any], writes: int
):
    store = Killed()
    history = History(store, ("https://api.example.com", "shop", "s"))
    history.begin(task("first"), body("a"))
    store.writes_left = writes
    with pytest.raises(KeyboardInterrupt):
        step(history)
    updates = history.document().updates
    assert [update for update in updates if history.definition(update) is None] == []


def test_an_update_that_had_no_effect_is_not_doubted(recorded: Recorded):
    recorded.update(body("a"), "first")
    recorded.abandon(recorded.begin(task("refused"), body("b")))
    assert doubted(recorded) == []


def test_the_latest_twenty_updates_that_are_not_finished_are_kept_beside_the_finished_one(
    recorded: Recorded,
):
    recorded.update(body("a"), "first")
    for number in range(50):
        recorded.begin(task(str(number)), body(number))
    assert [entry.task["run_id"] for entry in recorded.document().updates] == [
        *map(str, range(49, 29, -1)),
        "first",
    ]


@pytest.fixture
def long(recorded: Recorded, mocker: Any) -> Recorded:
    """
    A history that keeps five finished updates, after one of name and filters and 30 of another
    field, which have three definitions in turn.
    """
    mocker.patch("wes_provider.guards.history.KEPT", 5)
    recorded.update({"name": "only once", **body("first")}, "first")
    for number in range(30):
        recorded.update({"updated_by": str(number % 3)}, str(number))
    return recorded


def test_the_history_keeps_the_latest_updates_and_the_last_one_of_each_field(long: Recorded):
    runs = [entry.task["run_id"] for entry in long.document().updates]
    assert runs == ["29", "28", "27", "26", "25", "first"]


def test_the_baseline_has_a_field_that_was_sent_long_ago(long: Recorded):
    assert long.baseline().fields == {"name": "only once", **body("first"), "updated_by": "2"}


def test_the_history_keeps_no_definition_that_no_kept_update_has(long: Recorded):
    assert keys(long) == 1 + 4, "the document, and the four definitions that six updates have"


@pytest.fixture
def undone(recorded: Recorded) -> Recorded:
    """Four updates, two of them with one definition, of which ``undo 1`` has restored b."""
    for value in "abbc":
        recorded.update(body(value), value)
    recorded.update(body("b"), "undo 1", restored=recorded.previous("undo 1").at)
    return recorded


def test_previous_is_the_update_before_the_one_in_effect(recorded: Recorded):
    for value in "abbc":
        recorded.update(body(value), value)
    assert recorded.definition(recorded.previous("undo 1")) == json_bytes(body("b"))


def test_previous_of_another_run_goes_back_by_one_definition_more(undone: Recorded):
    assert undone.definition(undone.previous("undo 2")) == json_bytes(body("a"))


def test_previous_of_a_repeated_run_is_the_same(undone: Recorded):
    assert undone.definition(undone.previous("undo 1")) == json_bytes(body("b"))


def test_previous_after_the_oldest_definition_is_an_error_with_the_history(undone: Recorded):
    undone.update(body("a"), "undo 2", restored=undone.previous("undo 2").at)
    with pytest.raises(exceptions.WesConfigurationError) as raised:
        undone.previous("undo 3")
    assert str(raised.value).splitlines() == [
        "the history has no update before the one in effect",
        *(f"  {update.at}  {update}" for update in undone.document().updates),
    ]


def test_a_restore_that_was_killed_before_its_record_is_repeated_as_it_was(recorded: Recorded):
    for value in "abc":
        recorded.update(body(value), value)
    chosen = recorded.previous("undo")
    recorded.begin(task("undo"), body("b"), restored=chosen.at)
    assert recorded.previous("undo") == chosen


@pytest.fixture
def broken_again(recorded: Recorded) -> Recorded:
    """Three updates, of which ``undo 1`` has restored b, and another one after that."""
    for value in "abc":
        recorded.update(body(value), value)
    recorded.update(body("b"), "undo 1", restored=recorded.previous("undo 1").at)
    recorded.update(body("broken"), "d")
    return recorded


def test_previous_of_an_update_after_a_restore_is_what_was_restored(broken_again: Recorded):
    assert broken_again.previous("undo 2").task["run_id"] == "b"


def test_previous_goes_on_from_the_place_of_what_was_restored_twice(broken_again: Recorded):
    chosen = broken_again.previous("undo 2")
    broken_again.update(body("b"), "undo 2", restored=chosen.at)
    assert broken_again.previous("undo 3").task["run_id"] == "a"


@pytest.fixture
def killed(recorded: Recorded) -> Recorded:
    """Two updates, and one that was killed and may be in effect."""
    for value in "ab":
        recorded.update(body(value), value)
    recorded.begin(task("killed"), body("c"))
    return recorded


def test_previous_of_an_update_that_may_be_in_effect_is_the_last_that_certainly_was(
    killed: Recorded,
):
    assert killed.previous().task["run_id"] == "b"


def test_previous_goes_back_from_the_restore_of_the_last_that_certainly_was_in_effect(
    killed: Recorded,
):
    killed.update(body("b"), "undo", restored=killed.previous().at)
    assert killed.previous("undo again").task["run_id"] == "a"


def test_previous_goes_back_if_a_killed_update_sent_what_was_in_effect(recorded: Recorded):
    for value in "ab":
        recorded.update(body(value), value)
    recorded.begin(task("killed"), body("b"))
    assert recorded.previous().task["run_id"] == "a"


@pytest.mark.parametrize("is_killed", [False, True], ids=["finished", "killed"])
@pytest.mark.parametrize(
    "runs",
    [("a", "name", "b"), ("a", "b", "name")],
    ids=["before the one in effect", "after the one in effect"],
)
def test_previous_leaves_out_updates_of_the_name_alone(
    runs: Sequence[str], is_killed: bool, recorded: Recorded
):
    for run in runs:
        if run != "name":
            recorded.update(body(run), run)
        elif is_killed:
            recorded.begin(task(run), {"name": "n"})
        else:
            recorded.update({"name": "n"}, run)
    assert recorded.previous().task["run_id"] == "a"


def test_previous_goes_back_to_another_name_if_no_update_has_filters(recorded: Recorded):
    for name in ("first", "second"):
        recorded.update({"name": name}, name)
    assert recorded.previous().task["run_id"] == "first"


def test_previous_leaves_out_an_update_between_of_which_nobody_knows(recorded: Recorded):
    """It is kept for its name, which no later update has sent."""
    recorded.update(body("a"), "a")
    recorded.begin(task("killed"), {"name": "n", **body("x")})
    recorded.update(body("b"), "b")
    assert recorded.previous().task["run_id"] == "a"


def test_previous_fails_if_what_was_restored_is_no_longer_in_the_history(recorded: Recorded):
    """What stands before the restore may be later than what it has restored."""
    recorded.update(body("a"), "a")
    recorded.update(body("b"), "undo", restored="2025-01-01T00:00:00.000000+00:00")
    with pytest.raises(exceptions.WesConfigurationError, match="no longer has the update") as error:
        recorded.previous("undo again")
    assert "Name a run or the time of an update" in str(error.value)


def test_previous_goes_back_by_one_with_each_restore_to_the_first_update_that_is_kept(
    recorded: Recorded,
):
    """Restores do not push out of the history what the next one needs."""
    for number in range(25):
        recorded.update(body(number), f"update {number}")
    restored = []
    for number in range(19):
        entry = recorded.previous(f"undo {number}")
        restored.append(entry.task["run_id"])
        content = json.loads(recorded.definition(entry) or b"")
        recorded.update(content, f"undo {number}", restored=entry.at)
    assert restored == [f"update {number}" for number in range(23, 4, -1)]
    with pytest.raises(exceptions.WesConfigurationError, match="no update before"):
        recorded.previous("undo again")


def test_the_latest_twenty_updates_and_the_latest_twenty_restores_are_kept(recorded: Recorded):
    for number in range(25):
        entry = recorded.update(body(number), f"update {number}")
        recorded.update(body(number), f"undo {number}", restored=entry.at)
    updates = recorded.document().updates
    assert sum(bool(update.restored) for update in updates) == 20
    assert sum(not update.restored for update in updates) == 20
    assert updates[-1].task["run_id"] == "update 5"


OTHER_TASKS: dict[str, dict[str, Any]] = {
    "a mapped one": task("undo", map_index=0),
    "of another task_id": task("undo", task_id="other"),
    "of another DAG": task("undo", dag_id="other"),
    "of another run": task("again"),
}


@pytest.mark.parametrize("other", OTHER_TASKS.values(), ids=OTHER_TASKS)
def test_another_task_that_restores_goes_back_further(other: dict[str, Any], recorded: Recorded):
    for value in "abc":
        recorded.update(body(value), value)
    recorded.update(body("b"), "undo", restored=recorded.previous("undo").at)
    assert find(recorded, "previous", other).task["run_id"] == "a"


def test_previous_names_the_update_whose_definition_a_restore_has_sent(recorded: Recorded):
    for value in "ab":
        recorded.update(body(value), value)
    recorded.update(body("a"), "undo", restored=recorded.previous("undo").at)
    recorded.update(body("c"), "c")
    assert recorded.previous("undo again").task["run_id"] == "a"


def test_an_update_whose_values_are_not_known_is_recorded_without_a_definition(recorded: Recorded):
    recorded.begin_unknown(task("killed"), ["name"])
    at = "2026-01-01T00:01:00.000000+00:00"
    assert recorded.document().updates == [Entry(at, task("killed"), "", ["name"])]
    assert keys(recorded) == 1


class Described(NamedTuple):
    """The place of a task instance, and how messages call its update."""

    name: str
    task: dict[str, Any]
    place: str


DESCRIBED = (
    Described("not mapped", task("r"), "d.t, run r"),
    Described("the first of mapped ones", task("r", map_index=0), "d.t[0], run r"),
    Described("another of mapped ones", task("r", map_index=12), "d.t[12], run r"),
    Described("without an index", {"dag_id": "d", "task_id": "t", "run_id": "r"}, "d.t, run r"),
)


@pytest.mark.parametrize("row", DESCRIBED, ids=[row.name for row in DESCRIBED])
def test_an_update_is_called_by_its_time_and_its_task(row: Described):
    entry = Entry("2026-01-01T18:00:01.000002+00:00", row.task, "", [])
    assert str(entry) == f"the update of 2026-01-01T18:00:01Z by {row.place}"


def test_previous_goes_back_from_a_restore_of_a_restore(recorded: Recorded):
    for value in "abc":
        recorded.update(body(value), value)
    recorded.update(body("b"), "undo", restored=recorded.previous("undo").at)
    recorded.update(body("d"), "d")
    restored = find(recorded, "undo", task("redo"))
    recorded.update(body("b"), "redo", restored=restored.at)
    assert recorded.previous("undo again").task["run_id"] == "a"


def test_a_run_names_the_last_update_that_it_has_sent(recorded: Recorded):
    recorded.update(body("a"), "one")
    recorded.update(body("b"), "two")
    last = recorded.update(body("c"), "two")
    assert find(recorded, "two", task("x")) == last


class OfTwoDags(NamedTuple):
    """
    What DAGs have sent in runs of one id, in order, and whether the id names one definition: what
    a DAG sent last counts.
    """

    name: str
    sent: Sequence[tuple[str, str]]
    is_one: bool


OF_TWO_DAGS = (
    OfTwoDags("different definitions", [("first", "a"), ("second", "b")], is_one=False),
    OfTwoDags("the same definition", [("first", "a"), ("second", "a")], is_one=True),
    OfTwoDags("one DAG", [("first", "a")], is_one=True),
    OfTwoDags("one DAG, and something else before", [("first", "b"), ("first", "a")], is_one=True),
    OfTwoDags(
        "the same definition, and something else before",
        [("first", "b"), ("second", "a"), ("first", "a")],
        is_one=True,
    ),
    OfTwoDags(
        "different definitions, and the same one before",
        [("first", "a"), ("second", "a"), ("first", "b"), ("second", "a")],
        is_one=False,
    ),
)


@pytest.mark.parametrize("row", OF_TWO_DAGS, ids=[row.name for row in OF_TWO_DAGS])
def test_a_run_of_two_dags_names_a_definition_only_if_both_have_sent_it(
    row: OfTwoDags, recorded: Recorded
):
    for dag_id, value in row.sent:
        entry = recorded.begin(task("scheduled", dag_id=dag_id), body(value))
        recorded.finish(entry, body(value))
    recorded.update(body("c"), "later")
    if row.is_one:
        found = find(recorded, "scheduled", task("x"))
        assert recorded.definition(found) == json_bytes(body("a"))
        return
    with pytest.raises(
        exceptions.WesConfigurationError, match=r"runs of several DAGs \(second, first\)"
    ):
        find(recorded, "scheduled", task("x"))


def test_a_run_whose_last_update_was_killed_is_the_one_that_it_sent_before(recorded: Recorded):
    sent = recorded.update(body("a"), "run")
    recorded.begin(task("run"), body("b"))
    assert find(recorded, "run", task("x")) == sent


class NotFound(NamedTuple):
    """A ``to`` that names no update of the run ``scheduled`` on 2026-01-01."""

    why: str
    to: str


NOT_FOUND = (
    NotFound("empty", ""),
    NotFound("another day", "2020-01-01"),
    NotFound("the day without a time", "2026-01-01"),
    NotFound("a word for a time", "yesterday"),
    NotFound("None", "None"),
    NotFound("the run of an update that is not finished", "killed"),
    NotFound("the beginning of a run", "schedule"),
    NotFound("more than a run", "scheduled,"),
)


@pytest.mark.parametrize("to", ["previous", "killed"], ids=["previous", "the run of the update"])
def test_a_history_without_a_finished_update_is_an_error_with_advice(recorded: Recorded, to: str):
    recorded.begin(task("killed"), body("b"))
    with pytest.raises(exceptions.WesConfigurationError) as raised:
        find(recorded, to, task("x"))
    assert str(raised.value) == (
        "the segment has no history: no guarded update of it is recorded\n"
        "Before Airflow 3.3, restore in the DAG that updates; from 3.3 on, in any task with the "
        "segment's asset."
    )


@pytest.mark.parametrize("row", NOT_FOUND, ids=[row.why for row in NOT_FOUND])
def test_what_the_history_does_not_have_is_an_error_with_the_history(
    recorded: Recorded, row: NotFound
):
    recorded.begin(task("killed"), body("b"))
    recorded.update(body("a"), "scheduled")
    with pytest.raises(exceptions.WesConfigurationError) as raised:
        find(recorded, row.to, task("x"))
    assert str(raised.value) == (
        f"to='{row.to}' is neither 'previous' nor a run or the time of an update\n"
        "  2026-01-01T00:03:00.000000+00:00  the update of 2026-01-01T00:03:00Z by d.t, run "
        "scheduled"
    )


def test_an_error_has_the_latest_twenty_updates_that_are_finished(recorded: Recorded):
    recorded.update({"name": "n"}, "long ago")
    for number in range(20):
        recorded.update({"updated_by": str(number)}, str(number))
    recorded.begin(task("killed"), {"name": "n"})
    with pytest.raises(exceptions.WesConfigurationError) as raised:
        find(recorded, "nowhere", task("x"))
    lines = str(raised.value).splitlines()[1:]
    assert [line.rpartition(" ")[2] for line in lines] == [*map(str, range(19, -1, -1))]


def test_an_error_of_previous_leaves_out_an_update_that_is_not_finished(recorded: Recorded):
    sent = recorded.update(body("a"), "a")
    recorded.begin(task("killed"), body("a"))
    with pytest.raises(exceptions.WesConfigurationError) as raised:
        recorded.previous()
    assert str(raised.value) == (
        f"the history has no update before the one in effect\n  {sent.at}  {sent}"
    )


DOCUMENT_KEY = "wes_segment_4dca2929614ef27e"


def test_version_1_is_stored_as_it_stands_in_databases(recorded: Recorded):
    entry = recorded.update({"name": "n"}, "r")
    assert set(recorded.store.values) == {DOCUMENT_KEY, f"{DOCUMENT_KEY}_e5d7b2adb8fb9f91"}
    assert recorded.store.get(DOCUMENT_KEY) == {
        "version": 1,
        "at": "2026-01-01T00:03:00.000000+00:00",
        "updates": [
            {
                "at": "2026-01-01T00:01:00.000000+00:00",
                "task": task("r"),
                "definition": entry.definition,
                "fields": ["name"],
                "restored": "",
                "ended": 1,
            }
        ],
    }


def test_fields_of_a_later_version_are_ignored(recorded: Recorded):
    entry = recorded.update({"name": "n"}, "r")
    document = recorded.store.get(DOCUMENT_KEY)
    (update,) = document["updates"]
    later = {**document, "updates": [{**update, "approved_by": "Ada"}], "mood": "good"}
    recorded.store.set(DOCUMENT_KEY, later)
    assert recorded.document().updates == [entry]


def test_a_document_of_another_version_counts_as_none(recorded: Recorded):
    recorded.update({"name": "n"}, "r")
    recorded.store.set(DOCUMENT_KEY, {**recorded.store.get(DOCUMENT_KEY), "version": 2})
    assert recorded.document().updates == []


# -- where it is kept ------------------------------------------------------------------------------

DOCUMENTS = [
    {"at": "2026-01-01", "n": 1},
    {"at": "2026-03-01", "n": 3},
    {"at": "2026-02-01", "n": 2},
]
LATEST = {"at": "2026-04-01", "n": 0}


class Pulled(NamedTuple):
    """What Airflow returns of the XComs of each of two tasks, and the value that is taken."""

    name: str
    one: Any
    other: Any
    value: Any


PULLED = (
    Pulled("nothing", None, None, None),
    Pulled("a task that is not mapped", DOCUMENTS[0], None, DOCUMENTS[0]),
    Pulled("a mapped task, or several runs", DOCUMENTS, None, DOCUMENTS[1]),
    Pulled("with gaps", [None, DOCUMENTS[0], None], [None], DOCUMENTS[0]),
    Pulled("two tasks", [DOCUMENTS[0]], DOCUMENTS[2], DOCUMENTS[2]),
    Pulled("the latest has the least number", DOCUMENTS, LATEST, LATEST),
    Pulled("a definition", "text", None, "text"),
    Pulled("the same definition of several runs", ["text", "text"], None, "text"),
)


def xcoms(one: Any, other: Any, **context: Any) -> XComStore:
    """A store of the XComs that two tasks have pushed in earlier runs under the key ``k``."""
    found = {("one", "k"): one, ("other", "k"): other}
    ti = TaskInstance()
    ti.xcom_pull = lambda task_ids, key, include_prior_dates: (  # type: ignore[method-assign]
        found.get((task_ids, key)) if include_prior_dates else None
    )
    return XComStore(ti.context(**context), ["one", "other"])


@pytest.mark.parametrize("row", PULLED, ids=[row.name for row in PULLED])
def test_of_xcoms_the_latest_document_is_taken_whatever_its_place(row: Pulled):
    assert xcoms(row.one, row.other).get("k") == row.value


LOOPS: dict[str, dict[str, Any]] = {
    "outside of loops": {},
    "in a loop": {"loop": SimpleNamespace(index=1)},
}


@pytest.mark.parametrize("loop", LOOPS.values(), ids=LOOPS)
def test_of_xcoms_a_document_that_the_task_has_written_is_taken_though_others_are_later(
    loop: dict[str, Any],
):
    store = xcoms(DOCUMENTS, None, **loop)
    store.set("k", {"at": "2025-04-01"})
    assert store.get("k") == {"at": "2025-04-01"}


@pytest.mark.parametrize("index", [0, 1], ids=["first iteration", "another iteration"])
def test_of_xcoms_a_loop_reads_none_of_earlier_runs(index: int):
    """Airflow 3.4 fails a task that tries to."""
    assert xcoms(DOCUMENTS, "text", loop=SimpleNamespace(index=index)).get("k") is None


def test_of_xcoms_a_definition_that_the_task_has_written_is_the_latest():
    store = xcoms("earlier", None)
    store.set("k", "of this run")
    assert store.get("k") == "of this run"


def test_what_the_task_writes_is_an_xcom_of_it():
    ti = TaskInstance()
    XComStore(ti.context(), ["one"]).set("k", DOCUMENTS[0])
    assert ti.xcoms == {"k": DOCUMENTS[0]}


class Identified(NamedTuple):
    """A context of Airflow, and how databases have its task instance."""

    name: str
    context: dict[str, Any]
    stored: dict[str, Any]


PLACE = {"dag_id": "shop", "task_id": "replenish", "run_id": "nightly", "map_index": 3}
IDENTITIES = (
    Identified("outside of loops", {}, PLACE),
    # Airflow 3.4
    Identified("first of a loop", {"loop": SimpleNamespace(index=0)}, {**PLACE, "loop_index": 0}),
    Identified("another of a loop", {"loop": SimpleNamespace(index=2)}, {**PLACE, "loop_index": 2}),
)


@pytest.mark.parametrize("row", IDENTITIES, ids=[row.name for row in IDENTITIES])
def test_a_task_instance_is_told_from_all_others_as_databases_have_it(row: Identified):
    assert identity(TaskInstance(map_index=3).context(**row.context)) == row.stored


ASSET = assets.segment("s")


def test_an_asset_that_airflow_knows_has_a_store():
    assert TaskInstance(assets={ASSET: "its store"}).attempt().asset_store(ASSET) == "its store"


@pytest.mark.parametrize("known", [{}, None], ids=["other assets alone", "an older Airflow"])
def test_an_asset_that_airflow_does_not_know_has_no_store(known: dict[Any, Any] | None):
    """A mapped task's own inlets are not those that Airflow has seen."""
    assert TaskInstance(assets=known).attempt().asset_store(ASSET) is None


def keys(recorded: Recorded) -> int:
    """How many keys the store has: one for the document, and one for each definition."""
    return len(recorded.store.values)


def test_updates_that_had_no_effect_leave_nothing_in_the_store():
    recorded = Recorded()
    recorded.update(body("a"))
    before = keys(recorded)
    for number in range(30):
        recorded.abandon(recorded.begin(task("refused"), body(number)))
    assert keys(recorded) == before


def test_definitions_of_unfinished_updates_that_are_forgotten_go_with_them():
    recorded = Recorded()
    for number in range(60):
        recorded.begin(task("killed"), body(number))
    assert keys(recorded) == 1 + 20, "the document, and the definitions that it names"


def test_a_definition_stays_if_one_of_two_updates_that_have_it_had_no_effect():
    recorded = Recorded()
    recorded.update(body("a"))
    recorded.abandon(recorded.begin(task("again"), body("a")))
    (update,) = recorded.document().updates
    assert recorded.definition(update) == json_bytes(body("a"))


@pytest.fixture
def midnight(mocker: MockerFixture) -> Recorded:
    """The history of an update that began at midnight, to the microsecond."""
    mocker.patch("wes_provider.guards.history.now", return_value="2026-01-01T00:00:00.000000+00:00")
    recorded = Recorded()
    recorded.update(body("a"))
    return recorded


@pytest.mark.parametrize("to", ["2026-01-01", "2026-01-01T00", "2026-01-01T00:00"])
def test_a_time_without_seconds_names_no_update(to: str, midnight: Recorded):
    with pytest.raises(exceptions.WesConfigurationError, match="is neither 'previous' nor a run"):
        find(midnight, to, task("restore"))


class OfOneSecond(NamedTuple):
    """A time, and the microseconds of the update that it names."""

    name: str
    to: str
    found: str


OF_ONE_SECOND = (
    OfOneSecond("to the microsecond", "2026-01-01T18:00:01.000002Z", ".000002+00:00"),
    OfOneSecond("to the second", "2026-01-01T18:00:01Z", ".000003+00:00"),
)


@pytest.mark.parametrize("row", OF_ONE_SECOND, ids=[row.name for row in OF_ONE_SECOND])
def test_of_two_updates_in_a_second_a_time_names_the_one_it_says_or_the_later(
    row: OfOneSecond, mocker: MockerFixture
):
    clock = mocker.patch("wes_provider.guards.history.now")
    recorded = Recorded()
    for at in ("2026-01-01T18:00:01.000002+00:00", "2026-01-01T18:00:01.000003+00:00"):
        clock.return_value = at
        recorded.update(body(at))
    assert find(recorded, row.to, task("x")).at.endswith(row.found)


TIMES = {
    "UTC, with Z": "2026-01-01T18:00:01Z",
    "UTC, without a zone": "2026-01-01T18:00:01",
    "UTC, as an offset": "2026-01-01T18:00:01+00:00",
    "another zone": "2026-01-01T19:00:01+01:00",
    "with a space": "2026-01-01 18:00:01+00:00",
    "to the microsecond": "2026-01-01T18:00:01.000002+00:00",
    "to the microsecond, without a zone": "2026-01-01T18:00:01.000002",
}


@pytest.fixture
def _a_machine_in_another_zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Its clock shows five and a half hours more than UTC."""
    monkeypatch.setenv("TZ", "IST-5:30")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("_a_machine_in_another_zone")
def test_the_time_of_an_update_is_recorded_in_utc():
    before = datetime.now(timezone.utc)
    at = now()
    assert at.endswith("+00:00")
    assert before <= datetime.fromisoformat(at) <= datetime.now(timezone.utc)


@pytest.mark.usefixtures("_a_machine_in_another_zone")
@pytest.mark.parametrize("to", TIMES.values(), ids=TIMES)
def test_the_time_of_an_update_may_be_in_any_zone(to: str, mocker: MockerFixture):
    at = "2026-01-01T18:00:01.000002+00:00"
    mocker.patch("wes_provider.guards.history.now", return_value=at)
    recorded = Recorded()
    recorded.update(body("a"))
    assert find(recorded, to, task("restore")).at == at
