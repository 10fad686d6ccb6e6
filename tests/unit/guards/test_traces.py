"""
What a guarded update leaves: XComs, the events of its assets, log lines, the record, and the form.
Each is compared as a whole.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import pytest
from airflow.providers.common.compat.sdk import AirflowSkipException, TaskDeferred

from support.attempts import Store, TaskInstance
from wes_provider import assets
from wes_provider.emulator import Emulator
from wes_provider.exceptions import WesConfigurationError, WesUnknownOutcomeError
from wes_provider.guards import Plan, SegmentGuard, WesGuardError, can_approve
from wes_provider.guards.history import XComStore
from wes_provider.guards.update import BASELINE, GuardedUpdate
from wes_provider.hooks import WesHook
from wes_provider.models import all_of, user_attribute

if TYPE_CHECKING:
    from pytest_mock import MockerFixture

try:
    from airflow.sdk.exceptions import TaskAwaitingInput
except ImportError:  # before Airflow 3.3

    class TaskAwaitingInput(Exception):  # type: ignore[no-redef]  # noqa: N818 - Airflow's name
        """Is never raised."""


approval = pytest.mark.skipif(not can_approve(), reason="approval needs Airflow 3.1")
ASSET = assets.segment("s")
CITIES = [f"city-{number}" for number in range(10)]
AT = "2026-01-01T18:00:01.000002+00:00"
FIRST = "the update of 2026-01-01T18:00:01Z by d.t, run first"


def of(values: Any) -> dict[str, Any]:
    return {"included_filters": all_of(user_attribute("city", values))}


class Task:
    """
    A task whose log is read, and what each of its runs leaves.

    :ivar ti: of the latest run.
    :ivar store: where its history is, unless a run has another.
    """

    def __init__(self, caplog: pytest.LogCaptureFixture) -> None:
        caplog.set_level("INFO", logger="task")
        self._caplog = caplog
        self.ti = TaskInstance()
        self.store: Any = Store()

    def guarded(
        self,
        run: str,
        plan_only: bool = False,
        try_number: int = 1,
        store: Callable[[Any], Any] | None = None,
        **guard: Any,
    ) -> GuardedUpdate:
        self._caplog.clear()
        self.ti = TaskInstance(dag_id="d", task_id="t", run_id=run, try_number=try_number)
        context = self.ti.context()
        return GuardedUpdate(
            guard=SegmentGuard(**guard).checked(),
            hook=WesHook(),
            segment_id="s",
            context=context,
            store=self.store if store is None else store(context),
            log=logging.getLogger("task"),
            outlets=[ASSET],
            plan_only=plan_only,
        )

    @property
    def plan(self) -> Plan:
        return msgspec.convert(self.ti.xcoms["plan"], Plan)

    @property
    def lines(self) -> list[str]:
        """Its log."""
        return [
            f"{record.levelname} {record.getMessage()}"
            for record in self._caplog.records
            if record.name == "task"
        ]

    @property
    def plan_line(self) -> str:
        """The line of the log that has the plan."""
        return f"INFO Plan for segment s\n{self.plan.table()}\n{BASELINE}"

    @property
    def updates(self) -> list[Any]:
        """What is recorded."""
        (document,) = (
            value for value in map(json.loads, self.store.values.values()) if "updates" in value
        )
        return list(document["updates"])


@pytest.fixture
def task(
    wes_emulator: Emulator,
    caplog: pytest.LogCaptureFixture,
    mocker: MockerFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> Task:
    """A task whose first update was sent, at a time that stands still."""
    monkeypatch.setenv("AIRFLOW_CONN_WES_DEFAULT", json.dumps(wes_emulator.connection()))
    mocker.patch("wes_provider.guards.history.now", return_value=AT)
    made = Task(caplog)
    made.guarded("first").run(of(CITIES))
    mocker.patch("wes_provider.guards.history.now", return_value=AT.replace("18:", "19:"))
    return made


def test_an_update_leaves_its_plan_the_response_an_event_and_a_record(
    task: Task, wes_emulator: Emulator
) -> None:
    assert task.guarded("next", min_values=1).run(of([*CITIES[1:], "new"])) == "s"
    plan = {
        "segment_id": "s",
        "verdict": "send",
        "compared_with": FIRST,
        "conditions": [
            {"condition": "city in", "before": 10, "after": 10, "removed": 1, "added": 1}
        ],
        "conditions_changed": 1,
        "fields": [],
        "violations": [],
        "notes": [],
        # It stays the same from version to version: people approve a plan by it.
        "token": "45376392",
    }
    assert task.ti.xcoms == {"plan": plan, "segment": wes_emulator.segments["s"]}
    assert {asset: event.extra for asset, event in task.ti.events.items()} == {
        ASSET: {"segment_id": "s", "plan": plan}
    }
    assert task.lines == [task.plan_line, "INFO Updated segment s"]
    (update, _) = task.updates
    assert len(update.pop("definition")) == 64
    assert update == {
        "at": AT.replace("18:", "19:"),
        "task": {"dag_id": "d", "task_id": "t", "run_id": "next", "map_index": -1},
        "fields": ["included_filters"],
        "restored": "",
        "ended": 1,
    }


class Logged(NamedTuple):
    """Values and options of an update, and what the log has after its plan."""

    name: str
    values: list[str]
    options: dict[str, Any]
    lines: list[str]


TWO = {"max_removed": 1, "min_values": 9}
LOGGED = (
    Logged("unchanged", CITIES, {}, ["INFO Nothing is sent: s is unchanged"]),
    Logged("plan alone", CITIES[:2], {"plan_only": True}, ["INFO Nothing is sent: plan_only"]),
    Logged(
        "warning",
        CITIES[:2],
        {**TWO, "on_violation": "warn"},
        [
            "WARNING Updating segment s all the same: city in: 8 of 10 values removed, allowed 1; "
            "city in: 2 values, at least 9 required",
            "INFO Updated segment s",
        ],
    ),
)


@pytest.mark.parametrize("row", LOGGED, ids=[row.name for row in LOGGED])
def test_the_log_has_the_plan_and_what_followed(row: Logged, task: Task) -> None:
    assert task.guarded("next", **row.options).run(of(row.values)) == "s"
    assert task.lines == [task.plan_line, *row.lines]


def test_the_log_warns_of_a_first_update_which_is_compared_with_nothing(task: Task) -> None:
    task.store = Store()
    task.guarded("next").run(of(CITIES))
    assert task.lines == [
        task.plan_line,
        "WARNING Updating segment s all the same: nothing to compare it with",
        "INFO Updated segment s",
    ]


def test_a_first_update_of_the_name_alone_is_no_reason_for_a_warning(task: Task) -> None:
    task.store = Store()
    task.guarded("next").run({"name": "new"})
    assert task.lines == [task.plan_line, "INFO Updated segment s"]


def test_an_update_that_the_guard_stops_quotes_the_plan_and_leaves_it(task: Task) -> None:
    with pytest.raises(WesGuardError) as raised:
        task.guarded("next", **TWO).run(of(CITIES[:2]))
    assert str(raised.value) == (
        "segment 's' is not updated: city in: 8 of 10 values removed, allowed 1\n"
        f"{task.plan.table()}"
    )
    assert (task.plan.verdict, task.lines) == ("fail", [task.plan_line])
    assert [update["task"]["run_id"] for update in task.updates] == ["first"]


@pytest.mark.parametrize("action", ["fail", "skip"])
def test_a_first_update_that_the_guard_stops_is_not_called_sent(action: str, task: Task) -> None:
    task.store = Store()
    with pytest.raises((WesGuardError, AirflowSkipException)) as raised:
        task.guarded("next", on_missing_baseline=action).run(of(CITIES))
    message = "segment 's' is not updated: nothing to compare it with"
    assert str(raised.value).splitlines()[0] == message
    assert (task.plan.verdict, task.lines) == (action, [task.plan_line])


def test_a_guard_without_limits_sends_filters_without_values(
    task: Task, wes_emulator: Emulator
) -> None:
    task.guarded("next", max_removed=None).run(of([]))
    assert wes_emulator.segments["s"]["included_filters"] == of([])["included_filters"]


def test_each_asset_of_the_task_has_an_event_with_the_plan(task: Task) -> None:
    update = task.guarded("next", plan_only=True)
    update.outlets = [ASSET, assets.segment("other")]
    update.run(of(CITIES))
    plan = msgspec.to_builtins(task.plan)
    assert {asset: event.extra for asset, event in task.ti.events.items()} == {
        ASSET: {"segment_id": "s", "plan": plan},
        assets.segment("other"): {"segment_id": "s", "plan": plan},
    }


def test_an_update_is_recorded_before_its_response_is_kept(task: Task) -> None:
    update = task.guarded("next", max_removed=None)

    def kill(key: str, value: Any) -> None:
        if key == "segment":
            raise KeyboardInterrupt

    task.ti.pushed = kill
    with pytest.raises(KeyboardInterrupt):
        update.run(of(CITIES[:2]))
    latest = task.updates[0]
    assert (latest["task"]["run_id"], latest["ended"]) == ("next", 1)


FAILURES: dict[str, Exception] = {
    "of an unknown outcome": WesUnknownOutcomeError("gone"),
    "of the program": RuntimeError("gone"),
}


@pytest.mark.parametrize("error", FAILURES.values(), ids=FAILURES)
def test_an_update_of_an_unknown_outcome_fails_as_it_is_and_stays_recorded(
    error: Exception, task: Task, mocker: MockerFixture
) -> None:
    mocker.patch.object(WesHook, "update_segment", autospec=True, side_effect=error)
    with pytest.raises(type(error)) as raised:
        task.guarded("next", max_removed=None).run(of(CITIES[:2]))
    assert raised.value is error
    latest = task.updates[0]
    assert (latest["task"]["run_id"], latest["ended"]) == ("next", 0)


# -- XComs as a store, before Airflow 3.3 ----------------------------------------------------------


FIRST_UPDATE = (
    "the filters cannot be compared: this is the first update, or Airflow's records are gone"
)
MAYBE = (
    "the update of 2026-01-01T19:00:01Z by d.t, run next was not recorded as finished; it may be "
    "in effect"
)


class Retry(NamedTuple):
    """Which try an update is of, and what its plan says of an earlier one."""

    name: str
    try_number: int
    plan_only: bool
    notes: list[str]


RETRIES = (
    Retry("first try", 1, False, [FIRST_UPDATE]),
    Retry("second try", 2, False, [MAYBE, FIRST_UPDATE]),
    Retry("third try", 3, False, [MAYBE, FIRST_UPDATE]),
    Retry("second try of a plan alone, which sends nothing", 2, True, [FIRST_UPDATE]),
)


@pytest.mark.parametrize("row", RETRIES, ids=[row.name for row in RETRIES])
def test_a_retry_without_a_state_store_reckons_with_an_update_of_the_earlier_try(
    row: Retry, task: Task
) -> None:
    """Airflow has removed the XComs of the earlier try."""
    task.guarded(
        "next",
        plan_only=row.plan_only,
        try_number=row.try_number,
        store=lambda context: XComStore(context, ["t"]),
    ).run(of(CITIES))
    assert task.plan.notes == row.notes


def test_a_retry_without_a_state_store_reckons_with_the_fields_that_it_sends(task: Task) -> None:
    task.guarded("next", try_number=2, store=lambda context: XComStore(context, ["t"])).run(
        {"name": "new"}
    )
    assert task.plan.notes == [MAYBE]
    (document,) = (value for value in task.ti.xcoms.values() if "updates" in value)
    assert [(update["fields"], update["ended"]) for update in document["updates"]] == [
        (["name"], 1)
    ]


def test_a_retry_with_a_state_store_reckons_with_what_that_has(task: Task) -> None:
    task.guarded("next", try_number=2).run(of(CITIES))
    assert task.plan.notes == []


# -- approval --------------------------------------------------------------------------------------


@approval
@pytest.mark.parametrize("is_listed", [False, True], ids=["one notifier", "a list of one"])
def test_the_form_has_the_plan_and_its_number_and_leads_back_to_the_task(
    is_listed: bool, task: Task, mocker: MockerFixture
) -> None:
    form = mocker.patch("airflow.sdk.execution_time.hitl.upsert_hitl_detail")
    told: list[Any] = []
    users = [{"id": "7", "name": "Ada"}]
    options: dict[str, Any] = {
        "on_violation": "approve",
        "approval_timeout": 90,
        "assigned_users": users,
        "notifiers": [told.append] if is_listed else told.append,
    }
    with pytest.raises((TaskDeferred, TaskAwaitingInput)) as waiting:
        task.guarded("next", **options).run(of(CITIES[:2]))
    token = task.plan.token
    form.assert_called_once_with(
        ti_id="ti",
        options=[f"Approve {token}", "Reject"],
        subject="Update segment s?",
        body=(
            f"{task.plan.table()}\n\n"
            "Edits outside of Airflow are not seen, since the service has no way to read a "
            "segment.\n\n"
            f"The number {token} stands for this plan: if the filters, or what was sent before, "
            "change until you respond, nothing is sent."
        ),
        params={},
        assigned_users=users,
    )
    assert [context["ti"] for context in told] == [task.ti]
    wait: Any = waiting.value
    assert (wait.method_name, wait.kwargs) == ("execute_approved", {})
    if isinstance(wait, TaskAwaitingInput):
        assert wait.timeout == timedelta(seconds=90)  # type: ignore[attr-defined]
    assert task.lines == [
        task.plan_line,
        f"INFO Waiting for approval of plan {token}, at most 90 s",
    ]


@approval
@pytest.mark.usefixtures("_without_forms_of_airflow")
def test_several_notifiers_are_called_one_after_another(task: Task) -> None:
    told: list[str] = []
    notifiers = [lambda context: told.append("first"), lambda context: told.append("second")]
    options: dict[str, Any] = {"on_violation": "approve", "notifiers": notifiers}
    with pytest.raises((TaskDeferred, TaskAwaitingInput)):
        task.guarded("next", **options).run(of(CITIES[:2]))
    assert told == ["first", "second"]


@pytest.fixture
def _without_forms_of_airflow(mocker: MockerFixture) -> None:
    mocker.patch("airflow.sdk.execution_time.hitl.upsert_hitl_detail")


def chosen(option: str) -> dict[str, Any]:
    return {"chosen_options": [option], "responded_by_user": {"id": "7", "name": "Ada"}}


@approval
def test_an_update_that_was_approved_leaves_what_any_update_leaves(
    task: Task, wes_emulator: Emulator
) -> None:
    options: dict[str, Any] = {**TWO, "on_violation": "approve"}
    task.guarded("next", plan_only=True, **options).run(of(CITIES[:2]))
    token = task.plan.token
    task.guarded("next", **options).resume(of(CITIES[:2]), chosen(f"Approve {token}"))
    assert (task.plan.verdict, task.plan.notes) == ("send", ["approved by Ada"])
    assert task.ti.xcoms["segment"] == wes_emulator.segments["s"]
    assert task.lines == [task.plan_line, "INFO Updated segment s"]
    assert (task.updates[0]["restored"], task.updates[0]["ended"]) == ("", 1)
    # A second approval of the same, meanwhile.
    task.guarded("next", **options).resume(of(CITIES[:2]), chosen(f"Approve {token}"))
    assert task.lines == [task.plan_line, "INFO Nothing is sent: s is unchanged"]


@approval
def test_an_approval_stands_beside_what_a_reader_must_know_besides(task: Task) -> None:
    task.store = Store()
    options: dict[str, Any] = {"on_missing_baseline": "approve"}
    task.guarded("next", plan_only=True, **options).run(of(CITIES))
    option = f"Approve {task.plan.token}"
    task.guarded("next", **options).resume(of(CITIES), chosen(option))
    assert task.plan.notes == [FIRST_UPDATE, "approved by Ada"]


class Stopped(NamedTuple):
    """A response, and the message about the update that is not sent."""

    name: str
    event: Any
    message: str
    may_be_skipped: bool


STOPPED = (
    Stopped("rejected", chosen("Reject"), "Ada rejected it", True),
    Stopped("too late", {"error_type": "timeout"}, "nobody responded within 90 s", True),
    Stopped("no event", None, "no response came\nNone", False),
    Stopped("error", {"error": "gone", "error_type": "unknown"}, "no response came\n'gone'", False),
    Stopped(
        "another plan",
        chosen("Approve 12345678"),
        "Ada approved another plan\nThe filters or what was sent last have changed since. Start "
        "another run to plan the update again: of this one, Airflow goes on showing the old plan.",
        False,
    ),
)


@approval
@pytest.mark.parametrize("row", STOPPED, ids=[row.name for row in STOPPED])
def test_an_update_that_was_not_approved_says_why_and_quotes_the_plan(
    row: Stopped, task: Task
) -> None:
    for action in ("fail", "skip"):
        options: dict[str, Any] = {
            "on_violation": "approve",
            "approval_timeout": 90,
            "if_not_approved": action,
        }
        task.guarded("next", plan_only=True, **options).run(of(CITIES[:2]))
        table = task.plan.table()
        message = f"segment 's' is not updated: {row.message}"
        is_skipped = row.may_be_skipped and action == "skip"
        with pytest.raises(AirflowSkipException if is_skipped else WesGuardError) as raised:
            task.guarded("next", **options).resume(of(CITIES[:2]), row.event)
        assert str(raised.value) == (message if is_skipped else f"{message}\n{table}")
    assert [update["task"]["run_id"] for update in task.updates] == ["first"]


# -- a restore -------------------------------------------------------------------------------------


def test_a_restore_leaves_which_update_it_was(task: Task) -> None:
    task.guarded("next", max_removed=None).run(of(CITIES[:2]))
    body, at = task.guarded("undo").restorable("previous")
    assert (body, at) == (of(CITIES), AT)
    assert task.ti.xcoms["restored"] == {
        "at": AT,
        "dag_id": "d",
        "task_id": "t",
        "run_id": "first",
        "map_index": -1,
    }
    assert task.lines == [f"INFO Restoring {FIRST}"]


def test_a_repeated_restore_sends_what_it_has_sent_before(task: Task) -> None:
    task.guarded("next", max_removed=None).run(of(CITIES[:2]))
    undo = task.guarded("undo", max_removed=None)
    sent = undo.restorable("previous")
    undo.run(*sent)
    assert task.guarded("undo", try_number=2).restorable("previous") == sent


def test_a_restore_of_a_restore_is_called_by_the_time_of_that_one(
    task: Task, mocker: MockerFixture
) -> None:
    task.guarded("next", max_removed=None).run(of(CITIES[:2]))
    undo = task.guarded("undo", max_removed=None)
    sent = undo.restorable("previous")
    at = AT.replace("18:", "20:")
    mocker.patch("wes_provider.guards.history.now", return_value=at)
    undo.run(*sent)
    assert task.guarded("redo").restorable("undo") == (of(CITIES), at)


def test_a_restore_of_a_definition_that_is_gone_names_the_update(task: Task) -> None:
    for key, value in list(task.store.values.items()):
        if "updates" not in json.loads(value):
            task.store.delete(key)
    with pytest.raises(WesConfigurationError) as raised:
        task.guarded("undo").restorable("first")
    assert str(raised.value) == f"the history no longer has the definition: {FIRST}"
