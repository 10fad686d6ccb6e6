"""What was sent to a segment, what a restore sends again, and where that is kept."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
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
    def __init__(self) -> None:
        self.store = Store()
        super().__init__(self.store, ("https://api.example.com", "shop", "a/b"))

    def update(self, body: dict[str, Any], run: str = "", **details: str) -> Entry:
        self.finish(self.begin(task(run), body, **details), body)
        return self.document().updates[0]

    def previous(self, run: str = "undo") -> Entry:
        return find(self, "previous", task(run))


def task(run: str, **more: Any) -> dict[str, Any]:
    return {"dag_id": "d", "task_id": "t", "run_id": run, "map_index": -1, **more}


def body(*values: Any) -> dict[str, Any]:
    return {"included_filters": {"filters": [{"name": "city", "value": list(values)}]}}


@pytest.fixture(autouse=True)
def _clock_that_goes_on_by_a_minute_with_each_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    minutes = count(1)
    monkeypatch.setattr(
        "wes_provider.guards.history.now",
        lambda: (START + timedelta(minutes=next(minutes))).isoformat(timespec="microseconds"),
    )


@pytest.fixture
def recorded() -> Recorded:
    return Recorded()


def test_a_definition_is_kept_byte_for_byte(recorded: Recorded):
    filters = [
        {"b": [1, 1.0, True, None, -0.0, 1e22, 2**70, "1", {"z": [], "a": {}}], "a": "é\u2028\0\\"},
        {"": "🎟"},
    ]
    sent = segment_body(
        included_filters={"x": 1.0, "filters": filters, "a": "é"},
        updated_by="me@example.com",
        allow_empty=True,
    )
    entry = recorded.update(sent)
    recorded.update(body("other"))
    assert recorded.definition(entry) == json_bytes(sent)
    assert json_bytes(segment_body(**json.loads(json_bytes(sent)), allow_empty=True)) == json_bytes(
        sent
    )


@pytest.mark.parametrize(
    "changed",
    ['{"included_filters":{"filters":[]}}', "", {"included_filters": {}}, 7],
    ids=["another", "empty", "an object", "a number"],
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
    """Which runs' updates may be in effect, and the first value that each sent."""
    return [(entry.task["run_id"], sent) for entry, sent in history.baseline().doubts]


def test_an_update_that_is_not_recorded_as_finished_may_be_in_effect_until_a_later_one_is(
    recorded: Recorded,
):
    recorded.update({"name": "n", **body("a")})
    recorded.begin(task("killed"), body("b"))
    recorded.begin_unknown(task("retried"), list(body("c")))
    recorded.begin(task("equal to the last"), {"name": "n", **body("a")})
    recorded.update({"name": "other"}, "of another field")
    assert recorded.baseline().fields == {"name": "other", **body("a")}
    assert doubted(recorded) == [("retried", {}), ("killed", body("b"))]
    recorded.update(body("d"), "next")
    assert doubted(recorded) == []
    assert [entry.task["run_id"] for entry in recorded.document().updates if not entry.ended] == []


def test_of_updates_at_the_same_time_the_one_that_is_recorded_last_is_in_effect(
    recorded: Recorded,
):
    recorded.update(body("before"), "before")
    first = recorded.begin(task("first"), body("a"))
    recorded.finish(recorded.begin(task("second"), body("b")), body("b"))
    recorded.finish(first, body("a"))
    assert recorded.baseline().fields == body("a")
    runs = [entry.task["run_id"] for entry in recorded.document().updates]
    assert runs == ["first", "second", "before"]
    assert find(recorded, "first", task("undo")) == recorded.document().updates[0]
    assert recorded.definition(recorded.document().updates[0]) == json_bytes(body("a"))


def test_an_update_that_began_before_one_that_is_recorded_is_not_doubted(recorded: Recorded):
    first = recorded.begin(task("first"), body("a"))
    recorded.finish(recorded.begin(task("second"), body("b")), body("b"))
    assert doubted(recorded) == []
    recorded.abandon(first)
    assert [entry.task["run_id"] for entry in recorded.document().updates] == ["second"]


def test_an_update_of_several_fields_is_doubted_once(recorded: Recorded):
    recorded.begin(task("killed"), {"name": "n", **body("a")})
    assert doubted(recorded) == [("killed", {"name": "n", **body("a")})]


def test_a_field_that_was_never_recorded_stays_doubted_when_another_field_is(recorded: Recorded):
    recorded.begin(task("killed"), {"name": "n"})
    recorded.update(body("a"))
    assert doubted(recorded) == [("killed", {"name": "n"})]


def test_doubts_stand_in_the_order_of_their_fields(recorded: Recorded):
    for field in ("included_filters", "updated_by", "name"):
        recorded.begin_unknown(task(field), [field])
    assert [run for run, _ in doubted(recorded)] == ["included_filters", "name", "updated_by"]


class Killed(Store):
    """A store whose task is killed instead of a write."""

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


@pytest.mark.parametrize("writes", [0, 1])
@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_each_recorded_update_has_its_definition_wherever_its_task_is_killed(
    step: Callable[[History], Any], writes: int
):
    store = Killed()
    history = History(store, ("https://api.example.com", "shop", "s"))
    history.begin(task("first"), body("a"))
    store.writes_left = writes
    with suppress(KeyboardInterrupt):
        step(history)
    updates = history.document().updates
    assert [update for update in updates if history.definition(update) is None] == []


def test_an_update_that_had_no_effect_leaves_nothing_and_unfinished_ones_do_not_pile_up(
    recorded: Recorded,
):
    recorded.update(body("a"), "first")
    recorded.abandon(recorded.begin(task("refused"), body("b")))
    assert doubted(recorded) == []
    for number in range(50):
        recorded.begin(task(str(number)), body(number))
    assert [entry.task["run_id"] for entry in recorded.document().updates] == [
        *map(str, range(49, 29, -1)),
        "first",
    ]


def test_the_history_has_a_length_and_forgets_what_nobody_needs(recorded: Recorded, mocker: Any):
    mocker.patch("wes_provider.guards.history.KEPT", 5)
    recorded.update({"name": "only once", **body("first")})
    for number in range(30):
        recorded.update({"updated_by": str(number % 3)})
    assert len(recorded.document().updates) == 6, (
        "the five last ones, and the last one with filters"
    )
    assert recorded.baseline().fields == {"name": "only once", **body("first"), "updated_by": "2"}
    assert len(recorded.store.values) == 1 + 4


def test_previous_goes_back_one_step_each_time_and_a_repeated_task_does_not(recorded: Recorded):
    for value in "abbc":
        recorded.update(body(value), value)
    for run, expected in (("undo 1", "b"), ("undo 2", "a")):
        chosen = recorded.previous(run)
        assert recorded.definition(chosen) == json_bytes(body(expected))
        recorded.update(body(expected), run, restored=chosen.at)
        assert recorded.previous(run) == chosen
    with pytest.raises(exceptions.WesConfigurationError) as raised:
        recorded.previous("undo 3")
    assert str(raised.value).splitlines() == [
        "the history has no update before the one in effect",
        *(f"  {update.at}  {update}" for update in recorded.document().updates),
    ]


def test_a_restore_that_was_killed_before_its_record_is_repeated_as_it_was(recorded: Recorded):
    for value in "abc":
        recorded.update(body(value), value)
    chosen = recorded.previous("undo")
    recorded.begin(task("undo"), body("b"), restored=chosen.at)
    assert recorded.previous("undo") == chosen


def test_previous_of_an_update_after_a_restore_is_what_was_restored(recorded: Recorded):
    for value in "abc":
        recorded.update(body(value), value)
    for run, expected in (("undo 1", "b"), ("undo 2", "b"), ("undo 3", "a")):
        chosen = recorded.previous(run)
        assert recorded.definition(chosen) == json_bytes(body(expected))
        recorded.update(body(expected), run, restored=chosen.at)
        if run == "undo 1":
            recorded.update(body("broken"), "d")


def test_previous_of_an_update_that_may_be_in_effect_is_the_last_that_certainly_was(
    recorded: Recorded,
):
    for value in "ab":
        recorded.update(body(value), value)
    recorded.begin(task("killed"), body("c"))
    chosen = recorded.previous()
    assert chosen.task["run_id"] == "b"
    recorded.update(body("b"), "undo", restored=chosen.at)
    assert recorded.previous("undo again").task["run_id"] == "a"


def test_previous_goes_back_if_a_killed_update_sent_what_was_in_effect(recorded: Recorded):
    for value in "ab":
        recorded.update(body(value), value)
    recorded.begin(task("killed"), body("b"))
    assert recorded.previous().task["run_id"] == "a"


@pytest.mark.parametrize("is_killed", [False, True], ids=["finished", "killed"])
@pytest.mark.parametrize("runs", [("a", "name", "b"), ("a", "b", "name")], ids=["between", "last"])
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


def test_previous_goes_back_if_what_was_restored_is_no_longer_in_the_history(recorded: Recorded):
    recorded.update(body("a"), "a")
    recorded.update(body("b"), "undo", restored="2025-01-01T00:00:00.000000+00:00")
    assert recorded.previous("undo").task["run_id"] == "a"


OTHER_TASKS: dict[str, dict[str, Any]] = {
    "mapped": task("undo", map_index=0),
    "another": task("undo", task_id="other"),
    "of another DAG": task("undo", dag_id="other"),
    "of another run": task("again"),
}


@pytest.mark.parametrize("other", OTHER_TASKS.values(), ids=OTHER_TASKS)
def test_another_task_that_restores_goes_back_further(other: dict[str, Any], recorded: Recorded):
    for value in "abc":
        recorded.update(body(value), value)
    recorded.update(body("b"), "undo", restored=recorded.previous("undo").at)
    assert recorded.previous("undo").task["run_id"] == "b"
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


def test_an_update_is_found_by_its_run_or_its_time(recorded: Recorded):
    first, second = recorded.update(body("a"), "one"), recorded.update(body("b"), "two")
    last = recorded.update(body("c"), "two")
    times = (second.at, second.at[:19], f"{second.at[:19]}Z", second.at[:-6])
    for to, entry in {"one": first, "two": last, **dict.fromkeys(times, second)}.items():
        assert find(recorded, to, task("x")) == entry


def test_a_run_whose_last_update_was_killed_is_the_one_that_it_sent_before(recorded: Recorded):
    sent = recorded.update(body("a"), "run")
    recorded.begin(task("run"), body("b"))
    assert find(recorded, "run", task("x")) == sent


NOT_FOUND = ["", "2020-01-01", "2026-01-01", "yesterday", "None", "kille", "killed", "scheduled,"]


@pytest.mark.parametrize("to", NOT_FOUND)
def test_what_the_history_does_not_have_is_an_error_with_the_history(recorded: Recorded, to: str):
    recorded.begin(task("killed"), body("b"))
    with pytest.raises(exceptions.WesConfigurationError) as raised:
        find(recorded, to, task("x"))
    assert str(raised.value) == (
        "the segment has no history: no guarded update of it is recorded\n"
        "Before Airflow 3.3, restore in the DAG that updates; from 3.3 on, in any task with the "
        "segment's asset."
    )
    recorded.update(body("a"), "scheduled")
    with pytest.raises(exceptions.WesConfigurationError) as raised:
        find(recorded, to, task("x"))
    assert str(raised.value) == (
        f"to='{to}' is neither 'previous' nor a run or the time of an update\n"
        "  2026-01-01T00:03:00.000000+00:00  the update of 2026-01-01T00:03:00Z by d.t, run "
        "scheduled"
    )


def test_an_error_has_the_latest_twenty_updates_that_are_recorded(recorded: Recorded):
    recorded.update({"name": "n"}, "long ago")
    for number in range(20):
        recorded.update({"updated_by": str(number)}, str(number))
    recorded.begin(task("killed"), {"name": "n"})
    with pytest.raises(exceptions.WesConfigurationError) as raised:
        find(recorded, "nowhere", task("x"))
    lines = str(raised.value).splitlines()[1:]
    assert [line.rpartition(" ")[2] for line in lines] == [*map(str, range(19, -1, -1))]


def test_an_error_of_previous_has_no_update_that_may_not_have_been_sent(recorded: Recorded):
    sent = recorded.update(body("a"), "a")
    recorded.begin(task("killed"), body("a"))
    with pytest.raises(exceptions.WesConfigurationError) as raised:
        recorded.previous()
    assert str(raised.value) == (
        f"the history has no update before the one in effect\n  {sent.at}  {sent}"
    )


def test_what_is_stored_is_this_and_later_fields_are_ignored(recorded: Recorded):
    """Version 1, as it stands in databases."""
    more = {"restored": "", "ended": 1}
    entry = {
        "at": "2026-01-01T00:01:00.000000+00:00",
        "task": task("r"),
        "fields": ["name"],
        **more,
    }
    entry["definition"] = recorded.update({"name": "n"}, "r").definition
    (key,) = (key for key in recorded.store.values if isinstance(recorded.store.get(key), dict))
    document = recorded.store.get(key)
    assert key == "wes_segment_4dca2929614ef27e"
    assert set(recorded.store.values) == {key, f"{key}_e5d7b2adb8fb9f91"}
    assert document == {"version": 1, "at": "2026-01-01T00:03:00.000000+00:00", "updates": [entry]}
    recorded.store.set(
        key, {**document, "updates": [{**entry, "approved_by": "Ada"}], "mood": "good"}
    )
    assert recorded.document().updates == [Entry(**entry)]
    recorded.store.set(key, {**document, "version": 2})
    assert recorded.document().updates == []


# -- where it is kept ------------------------------------------------------------------------------

DOCUMENTS = [
    {"at": "2026-01-01", "n": 1},
    {"at": "2026-03-01", "n": 3},
    {"at": "2026-02-01", "n": 2},
]
LATEST = {"at": "2026-04-01", "n": 0}
PULLED = {  # what a pull returns of each of two tasks
    "nothing": (None, None, None),
    "a task that is not mapped": (DOCUMENTS[0], None, DOCUMENTS[0]),
    "a mapped task, or several runs": (DOCUMENTS, None, DOCUMENTS[1]),
    "with gaps": ([None, DOCUMENTS[0], None], [None], DOCUMENTS[0]),
    "two tasks": ([DOCUMENTS[0]], DOCUMENTS[2], DOCUMENTS[2]),
    "the latest has the least number": (DOCUMENTS, LATEST, LATEST),
    "a definition": ("text", None, "text"),
    "the same definition of several runs": (["text", "text"], None, "text"),
}


def xcoms(one: Any, other: Any, **context: Any) -> XComStore:
    found = {("one", "k"): one, ("other", "k"): other}
    ti = TaskInstance()
    ti.xcom_pull = lambda task_ids, key, include_prior_dates: (  # type: ignore[method-assign]
        found.get((task_ids, key)) if include_prior_dates else None
    )
    return XComStore(ti.context(**context), ["one", "other"])


@pytest.mark.parametrize(("one", "other", "value"), PULLED.values(), ids=PULLED)
def test_of_xcoms_the_latest_document_is_taken_whatever_its_place(one: Any, other: Any, value: Any):
    assert xcoms(one, other).get("k") == value


def test_of_xcoms_what_the_task_has_written_is_the_latest_and_a_loop_reads_nothing_else():
    """Airflow 3.4 fails a task that tries to read XComs of earlier runs in a loop."""
    for store in (xcoms(DOCUMENTS, None), xcoms(DOCUMENTS, None, loop=SimpleNamespace(index=1))):
        store.set("k", {"at": "2025-04-01"})
        assert store.get("k") == {"at": "2025-04-01"}
    assert store.get("other") is None


@pytest.mark.parametrize("index", [0, 1])
def test_of_xcoms_a_loop_reads_none_of_earlier_runs(index: int):
    assert xcoms(DOCUMENTS, "text", loop=SimpleNamespace(index=index)).get("k") is None


def test_of_xcoms_a_definition_that_the_task_has_written_is_the_latest():
    store = xcoms("earlier", None)
    store.set("k", "of this run")
    assert store.get("k") == "of this run"


def test_what_the_task_writes_is_an_xcom_of_it():
    ti = TaskInstance()
    XComStore(ti.context(), ["one"]).set("k", DOCUMENTS[0])
    assert ti.xcoms == {"k": DOCUMENTS[0]}


PLACE = {"dag_id": "shop", "task_id": "replenish", "run_id": "nightly", "map_index": 3}
IDENTITIES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "outside of loops": ({}, PLACE),
    # Airflow 3.4
    "the first of a loop": ({"loop": SimpleNamespace(index=0)}, {**PLACE, "loop_index": 0}),
    "another of a loop": ({"loop": SimpleNamespace(index=2)}, {**PLACE, "loop_index": 2}),
}


@pytest.mark.parametrize(("context", "stored"), IDENTITIES.values(), ids=IDENTITIES)
def test_a_task_instance_is_told_from_all_others_as_databases_have_it(
    context: dict[str, Any], stored: dict[str, Any]
):
    assert identity(TaskInstance(map_index=3).context(**context)) == stored


def test_an_asset_that_airflow_does_not_know_is_no_store():
    """A mapped task's own inlets are not those that Airflow has seen."""
    asset = assets.segment("s")
    assert TaskInstance(assets={}).attempt().asset_store(asset) is None
    assert TaskInstance().attempt().asset_store(asset) is None
    assert TaskInstance(assets={asset: "its store"}).attempt().asset_store(asset) == "its store"


def keys(recorded: Recorded) -> int:
    return len(recorded.store.values)


def test_an_update_that_had_no_effect_leaves_nothing():
    recorded = Recorded()
    recorded.update(body("a"))
    before = keys(recorded)
    for number in range(30):
        recorded.abandon(recorded.begin(task("refused"), body(number)))
    assert keys(recorded) == before


def test_definitions_of_updates_that_are_forgotten_go_with_them():
    recorded = Recorded()
    for number in range(60):
        recorded.begin(task("killed"), body(number))
    assert keys(recorded) == 1 + 20, "the document, and the definitions that it names"


def test_a_definition_that_another_update_has_stays():
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


def test_a_time_to_the_microsecond_names_one_of_two_updates_in_a_second(mocker: MockerFixture):
    clock = mocker.patch("wes_provider.guards.history.now")
    recorded = Recorded()
    for at in ("2026-01-01T18:00:01.000002+00:00", "2026-01-01T18:00:01.000003+00:00"):
        clock.return_value = at
        recorded.update(body(at))
    assert find(recorded, "2026-01-01T18:00:01.000002Z", task("x")).at.endswith(".000002+00:00")
    assert find(recorded, "2026-01-01T18:00:01Z", task("x")).at.endswith(".000003+00:00")


TIMES = {
    "UTC, with Z": "2026-01-01T18:00:01Z",
    "UTC, without a zone": "2026-01-01T18:00:01",
    "UTC, as an offset": "2026-01-01T18:00:01+00:00",
    "another zone": "2026-01-01T19:00:01+01:00",
    "with a space": "2026-01-01 18:00:01+00:00",
    "to the microsecond": "2026-01-01T18:00:01.000002+00:00",
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
