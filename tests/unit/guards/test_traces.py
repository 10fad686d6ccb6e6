"""
What guarded updates and restores leave (``docs/guards.md``). An update leaves its plan and the
response as XComs, the plan in the event of its asset, the plan and whether it was sent in the
log, and a record in the history. One that the guard stops leaves its plan and no record, and
sends nothing: with ``fail`` the error has the first limit and the plan's table, with ``skip`` the
first limit alone.

The form of an approval has the plan and its number. A response sends that plan alone; a rejection
or no response in time fails or skips, as ``if_not_approved`` says, and anything that cannot be
understood fails. Before Airflow 3.3, a retry reckons with an update of the earlier try, whose
XComs are gone. A restore says which update it sends again, and a repeated one sends the same.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import pytest
from airflow.providers.common.compat.sdk import AirflowSkipException, TaskDeferred

from support.attempts import Store, TaskInstance
from wes_provider import assets
from wes_provider.emulator import Emulator, faults
from wes_provider.exceptions import (
    WesBadRequestError,
    WesConfigurationError,
    WesUnknownOutcomeError,
)
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
"""When the first update is recorded."""
AN_HOUR_LATER = "2026-01-01T19:00:01.000002+00:00"
"""When all others are."""
FIRST = "the update of 2026-01-01T18:00:01Z by d.t, run first"


def of(values: Any) -> dict[str, Any]:
    """The body of an update to users in these cities."""
    return {"included_filters": all_of(user_attribute("city", values))}


class Task:
    """
    The task ``t`` of the DAG ``d``, and what its latest run leaves.

    :ivar ti: of the latest run.
    :ivar store: where its history is, unless a run has another.
    """

    def __init__(self, caplog: pytest.LogCaptureFixture, emulator: Emulator) -> None:
        caplog.set_level("INFO", logger="task")
        self._caplog = caplog
        self._emulator = emulator
        self._received_before = 0
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
        """
        Begin a run, whose log is empty.

        :param guard: options of the guard, which by default allows to remove 20 % of the values.
        """
        self._caplog.clear()
        self._received_before = len(self._emulator.requests)
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
    def requests(self) -> int:
        """How many requests the service has received from the latest run."""
        return len(self._emulator.requests) - self._received_before

    @property
    def plan(self) -> Plan:
        """The plan that the latest run has pushed."""
        return msgspec.convert(self.ti.xcoms["plan"], Plan)

    @property
    def lines(self) -> list[str]:
        """The log of the latest run."""
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
        """What the history has of all runs, the latest first."""
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
    """A task whose run ``first`` has sent ten cities; time stands still an hour later."""
    monkeypatch.setenv("AIRFLOW_CONN_WES_DEFAULT", json.dumps(wes_emulator.connection()))
    mocker.patch("wes_provider.guards.history.now", return_value=AT)
    made = Task(caplog, wes_emulator)
    made.guarded("first").run(of(CITIES))
    mocker.patch("wes_provider.guards.history.now", return_value=AN_HOUR_LATER)
    return made


PLAN = {
    "segment_id": "s",
    "verdict": "send",
    "compared_with": FIRST,
    "conditions": [{"condition": "city in", "before": 10, "after": 10, "removed": 1, "added": 1}],
    "conditions_changed": 1,
    "fields": [],
    "violations": [],
    "notes": [],
    # It stays the same from version to version: people approve a plan by it.
    "token": "45376392",
}


def replace_a_city(task: Task) -> None:
    """Have the run ``next`` replace one of the ten cities."""
    assert task.guarded("next", min_values=1).run(of([*CITIES[1:], "new"])) == "s"


def test_an_update_leaves_its_plan_and_the_response_as_xcoms(
    task: Task, wes_emulator: Emulator
) -> None:
    replace_a_city(task)
    assert task.ti.xcoms == {"plan": PLAN, "segment": wes_emulator.segments["s"]}


def test_an_update_leaves_an_event_of_its_asset_with_the_plan(task: Task) -> None:
    replace_a_city(task)
    assert {asset: event.extra for asset, event in task.ti.events.items()} == {
        ASSET: {"segment_id": "s", "plan": PLAN}
    }


def test_the_log_of_an_update_has_the_plan_and_that_it_was_sent(task: Task) -> None:
    replace_a_city(task)
    assert task.lines == [task.plan_line, "INFO Updated segment s"]


def test_an_update_is_recorded_as_finished_above_the_earlier_one(task: Task) -> None:
    replace_a_city(task)
    (update, earlier) = task.updates
    assert len(update.pop("definition")) == 64
    assert update == {
        "at": AN_HOUR_LATER,
        "task": {"dag_id": "d", "task_id": "t", "run_id": "next", "map_index": -1},
        "fields": ["included_filters"],
        "restored": "",
        "ended": 1,
    }
    assert earlier["task"]["run_id"] == "first"


class Logged(NamedTuple):
    """Values and options of an update, what is sent, and what the log has after its plan."""

    name: str
    values: list[str]
    options: dict[str, Any]
    requests: int
    lines: list[str]


# Of the ten cities, CITIES[:2] keeps two.
BOTH_EXCEEDED = {"max_removed": 1, "min_values": 9}
LOGGED = (
    Logged("an unchanged update", CITIES, {}, 0, ["INFO Nothing is sent: s is unchanged"]),
    Logged(
        "plan_only with an update that exceeds max_removed",
        CITIES[:2],
        {"plan_only": True},
        0,
        ["INFO Nothing is sent: plan_only"],
    ),
    Logged(
        "on_violation='warn' with an update that exceeds two limits",
        CITIES[:2],
        {**BOTH_EXCEEDED, "on_violation": "warn"},
        1,
        [
            "WARNING Updating segment s all the same: city in: 8 of 10 values removed, allowed 1; "
            "city in: 2 values, at least 9 required",
            "INFO Updated segment s",
        ],
    ),
)


@pytest.mark.parametrize("row", LOGGED, ids=[row.name for row in LOGGED])
def test_the_log_has_the_plan_and_whether_it_is_sent(row: Logged, task: Task) -> None:
    assert task.guarded("next", **row.options).run(of(row.values)) == "s"
    assert task.lines == [task.plan_line, *row.lines]
    assert task.requests == row.requests


def test_the_log_warns_of_a_first_update_which_is_compared_with_nothing(task: Task) -> None:
    task.store = Store()
    task.guarded("next").run(of(CITIES))
    assert task.lines == [
        task.plan_line,
        "WARNING Updating segment s all the same: nothing to compare it with",
        "INFO Updated segment s",
    ]


def test_the_log_does_not_warn_of_a_first_update_of_the_name_alone(task: Task) -> None:
    task.store = Store()
    task.guarded("next").run({"name": "new"})
    assert task.lines == [task.plan_line, "INFO Updated segment s"]


def test_the_error_of_an_update_that_the_guard_stops_has_the_first_limit_and_the_plan(
    task: Task,
) -> None:
    with pytest.raises(WesGuardError) as raised:
        task.guarded("next", **BOTH_EXCEEDED).run(of(CITIES[:2]))
    assert str(raised.value) == (
        "segment 's' is not updated: city in: 8 of 10 values removed, allowed 1\n"
        f"{task.plan.table()}"
    )


def test_the_skip_of_an_update_that_the_guard_stops_has_the_first_limit_without_the_plan(
    task: Task,
) -> None:
    with pytest.raises(AirflowSkipException) as raised:
        task.guarded("next", **BOTH_EXCEEDED, on_violation="skip").run(of(CITIES[:2]))
    message = "segment 's' is not updated: city in: 8 of 10 values removed, allowed 1"
    assert str(raised.value) == message


STOPS = ("fail", "skip")
EITHER = (WesGuardError, AirflowSkipException)


@pytest.mark.parametrize("on_violation", STOPS)
def test_an_update_that_the_guard_stops_leaves_its_plan_and_no_record_and_sends_nothing(
    on_violation: str, task: Task
) -> None:
    with pytest.raises(EITHER):
        task.guarded("next", **BOTH_EXCEEDED, on_violation=on_violation).run(of(CITIES[:2]))
    assert (task.plan.verdict, task.lines) == (on_violation, [task.plan_line])
    assert [update["task"]["run_id"] for update in task.updates] == ["first"]
    assert task.requests == 0


def test_the_error_of_a_first_update_that_the_guard_stops_has_the_plan(task: Task) -> None:
    task.store = Store()
    with pytest.raises(WesGuardError) as raised:
        task.guarded("next", on_missing_baseline="fail").run(of(CITIES))
    assert str(raised.value) == (
        f"segment 's' is not updated: nothing to compare it with\n{task.plan.table()}"
    )


def test_the_skip_of_a_first_update_that_the_guard_stops_is_one_line(task: Task) -> None:
    task.store = Store()
    with pytest.raises(AirflowSkipException) as raised:
        task.guarded("next", on_missing_baseline="skip").run(of(CITIES))
    assert str(raised.value) == "segment 's' is not updated: nothing to compare it with"


@pytest.mark.parametrize("on_missing_baseline", STOPS)
def test_a_first_update_that_the_guard_stops_leaves_its_plan_and_no_history_and_sends_nothing(
    on_missing_baseline: str, task: Task
) -> None:
    task.store = Store()
    with pytest.raises(EITHER):
        task.guarded("next", on_missing_baseline=on_missing_baseline).run(of(CITIES))
    assert (task.plan.verdict, task.lines) == (on_missing_baseline, [task.plan_line])
    assert task.store.values == {}
    assert task.requests == 0


def test_a_guard_without_limits_sends_filters_without_values(
    task: Task, wes_emulator: Emulator
) -> None:
    task.guarded("next", max_removed=None).run(of([]))
    assert wes_emulator.segments["s"]["included_filters"] == of([])["included_filters"]


def test_each_asset_of_the_task_has_an_event_with_the_plan(task: Task) -> None:
    """Also if nothing is sent, as here."""
    update = task.guarded("next", plan_only=True)
    update.outlets = [ASSET, assets.segment("other")]
    update.run(of(CITIES))
    plan = msgspec.to_builtins(task.plan)
    assert {asset: event.extra for asset, event in task.ti.events.items()} == {
        ASSET: {"segment_id": "s", "plan": plan},
        assets.segment("other"): {"segment_id": "s", "plan": plan},
    }


def test_an_update_is_recorded_as_finished_before_its_response_is_pushed(task: Task) -> None:
    """So it is if the task is killed when it pushes the response."""
    update = task.guarded("next", max_removed=None)

    def kill(key: str, value: Any) -> None:
        if key == "segment":
            raise KeyboardInterrupt

    task.ti.pushed = kill
    with pytest.raises(KeyboardInterrupt):
        update.run(of(CITIES[:2]))
    latest = task.updates[0]
    assert (latest["task"]["run_id"], latest["ended"]) == ("next", 1)


def refused_after_unknown_outcome() -> WesBadRequestError:
    """The error of a request that the client has repeated, since the first may be in effect."""
    error = WesBadRequestError("no", status_code=400)
    error.note_unknown_attempt()
    return error


class Failure(NamedTuple):
    """What the request of an update raises; it, or one before it, may have had an effect."""

    name: str
    error: Exception


FAILURES = (
    Failure("unknown outcome", WesUnknownOutcomeError("gone")),
    Failure("400 after an unknown outcome", refused_after_unknown_outcome()),
    Failure("fault of the program", RuntimeError("gone")),
)


@pytest.mark.parametrize("row", FAILURES, ids=[row.name for row in FAILURES])
def test_an_update_whose_request_may_have_had_an_effect_stays_recorded_as_not_finished(
    row: Failure, task: Task, mocker: MockerFixture
) -> None:
    mocker.patch.object(WesHook, "update_segment", autospec=True, side_effect=row.error)
    with pytest.raises(type(row.error)) as raised:
        task.guarded("next", max_removed=None).run(of(CITIES[:2]))
    assert raised.value is row.error
    recorded = [(update["task"]["run_id"], update["ended"]) for update in task.updates]
    assert recorded == [("next", 0), ("first", 1)]


def test_an_update_whose_request_had_no_effect_is_not_recorded(
    task: Task, wes_emulator: Emulator
) -> None:
    wes_emulator.fail("update_segment", faults.error(400))
    with pytest.raises(WesBadRequestError):
        task.guarded("next", max_removed=None).run(of(CITIES[:2]))
    assert [update["task"]["run_id"] for update in task.updates] == ["first"]
    assert task.requests == 1


# -- XComs as a store, before Airflow 3.3 ----------------------------------------------------------


FIRST_UPDATE = (
    "the filters cannot be compared: this is the first update, or Airflow's records are gone"
)
MAYBE = (
    "the update of 2026-01-01T19:00:01Z by d.t, run next was not recorded as finished; it may be "
    "in effect"
)


class Retry(NamedTuple):
    """
    Which try of the task an update is of, and the notes of its plan.

    The XComs of the task's other runs are not in the test's store, so each is a first update, too.
    """

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


@pytest.fixture
def renamed(task: Task) -> Task:
    """The task after its second try has sent a name, with XComs as its store."""
    second = task.guarded("next", try_number=2, store=lambda context: XComStore(context, ["t"]))
    second.run({"name": "new"})
    return task


def test_a_retry_without_a_state_store_says_nothing_of_filters_that_it_does_not_send(
    renamed: Task,
) -> None:
    assert renamed.plan.notes == [MAYBE]


def test_a_retry_without_a_state_store_is_recorded_in_place_of_the_earlier_try(
    renamed: Task,
) -> None:
    (document,) = (value for value in renamed.ti.xcoms.values() if "updates" in value)
    assert [(update["fields"], update["ended"]) for update in document["updates"]] == [
        (["name"], 1)
    ]


def test_a_retry_with_a_state_store_adds_no_update_of_the_earlier_try(task: Task) -> None:
    task.guarded("next", try_number=2).run(of(CITIES))
    assert task.plan.notes == []


# -- approval --------------------------------------------------------------------------------------


@pytest.fixture
def form(mocker: MockerFixture) -> Any:
    """Airflow's function that shows a form, which shows none."""
    return mocker.patch("airflow.sdk.execution_time.hitl.upsert_hitl_detail")


USERS = [{"id": "7", "name": "Ada"}]


def wait_for_approval(task: Task, **options: Any) -> Any:
    """Update two cities, which needs approval, and return the exception that the task waits by."""
    options = {"on_violation": "approve", "approval_timeout": 90, **options}
    with pytest.raises((TaskDeferred, TaskAwaitingInput)) as waiting:
        task.guarded("next", **options).run(of(CITIES[:2]))
    return waiting.value


@approval
def test_the_form_has_the_plan_and_its_number(task: Task, form: Any) -> None:
    wait_for_approval(task, assigned_users=USERS)
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
        assigned_users=USERS,
    )


@approval
@pytest.mark.usefixtures("form")
def test_the_response_leads_back_to_the_task(task: Task) -> None:
    wait = wait_for_approval(task)
    assert (wait.method_name, wait.kwargs) == ("execute_approved", {})


@approval
@pytest.mark.usefixtures("form")
def test_the_task_waits_no_longer_than_the_approval_may_take(task: Task) -> None:
    before = datetime.now(timezone.utc)
    wait = wait_for_approval(task)
    if isinstance(wait, TaskAwaitingInput):
        assert wait.timeout == timedelta(seconds=90)  # type: ignore[attr-defined]
    else:  # Airflow 3.1 and 3.2 wait in the triggerer
        until = wait.trigger.timeout_datetime - timedelta(seconds=90)
        assert before <= until <= datetime.now(timezone.utc)


@approval
@pytest.mark.usefixtures("form")
def test_the_log_says_for_which_plan_the_task_waits_and_how_long(task: Task) -> None:
    wait_for_approval(task)
    assert task.lines == [
        task.plan_line,
        f"INFO Waiting for approval of plan {task.plan.token}, at most 90 s",
    ]


@approval
@pytest.mark.parametrize("is_listed", [False, True], ids=["given alone", "in a list"])
@pytest.mark.usefixtures("form")
def test_a_notifier_is_called_with_the_context_of_the_task(is_listed: bool, task: Task) -> None:
    told: list[Any] = []
    wait_for_approval(task, notifiers=[told.append] if is_listed else told.append)
    assert [context["ti"] for context in told] == [task.ti]


@approval
def test_people_are_told_of_a_form_that_is_there(task: Task, form: Any) -> None:
    forms: list[int] = []
    wait_for_approval(task, notifiers=lambda context: forms.append(form.call_count))
    assert forms == [1]


@approval
def test_nobody_is_told_of_a_form_that_cannot_be_shown(task: Task, form: Any) -> None:
    told: list[Any] = []
    form.side_effect = OSError("no API")
    with pytest.raises(OSError, match="no API"):
        task.guarded("next", on_violation="approve", notifiers=told.append).run(of(CITIES[:2]))
    assert told == []


@approval
@pytest.mark.usefixtures("form")
def test_several_notifiers_are_called_one_after_another(task: Task) -> None:
    told: list[str] = []
    notifiers = [lambda context: told.append("first"), lambda context: told.append("second")]
    wait_for_approval(task, notifiers=notifiers)
    assert told == ["first", "second"]


@approval
@pytest.mark.usefixtures("form")
def test_a_notifier_that_fails_does_not_end_the_wait_for_approval(task: Task) -> None:
    told: list[Any] = []

    def fail(_: Any) -> None:
        raise OSError("Slack is down")

    wait_for_approval(task, notifiers=[fail, told.append])
    assert len(told) == 1
    assert "ERROR A notifier failed: nobody may know that the task waits for a person" in "".join(
        task.lines
    )


def chosen(option: str) -> dict[str, Any]:
    """Airflow's event after Ada has chosen an option of the form."""
    return {"chosen_options": [option], "responded_by_user": {"id": "7", "name": "Ada"}}


def approve(task: Task) -> None:
    """Resume the update of two cities as approved, whose plan is the latest one of the task."""
    option = f"Approve {task.plan.token}"
    update = task.guarded("next", **BOTH_EXCEEDED, on_violation="approve")
    update.resume(of(CITIES[:2]), chosen(option))


@pytest.fixture
def planned(task: Task) -> Task:
    """The task after it has planned the update of two cities, which needs approval."""
    options: dict[str, Any] = {**BOTH_EXCEEDED, "on_violation": "approve"}
    task.guarded("next", plan_only=True, **options).run(of(CITIES[:2]))
    return task


@approval
def test_an_update_that_was_approved_leaves_what_any_update_leaves_and_who_approved(
    planned: Task, wes_emulator: Emulator
) -> None:
    approve(planned)
    assert (planned.plan.verdict, planned.plan.notes) == ("send", ["approved by Ada"])
    assert planned.ti.xcoms["segment"] == wes_emulator.segments["s"]
    assert planned.lines == [planned.plan_line, "INFO Updated segment s"]
    assert (planned.updates[0]["restored"], planned.updates[0]["ended"]) == ("", 1)
    assert planned.ti.events[ASSET].extra == {
        "segment_id": "s",
        "plan": planned.ti.xcoms["plan"],
    }


@approval
def test_a_second_approval_of_the_same_update_sends_nothing(planned: Task) -> None:
    """Another task has been approved and has sent it; the log says that it is unchanged."""
    option = f"Approve {planned.plan.token}"
    approve(planned)
    update = planned.guarded("next", **BOTH_EXCEEDED, on_violation="approve")
    update.resume(of(CITIES[:2]), chosen(option))
    assert planned.lines == [planned.plan_line, "INFO Nothing is sent: s is unchanged"]
    assert planned.requests == 0


@approval
def test_who_approved_a_first_update_stands_below_that_it_is_the_first(task: Task) -> None:
    task.store = Store()
    options: dict[str, Any] = {"on_missing_baseline": "approve"}
    task.guarded("next", plan_only=True, **options).run(of(CITIES))
    option = f"Approve {task.plan.token}"
    task.guarded("next", **options).resume(of(CITIES), chosen(option))
    assert task.plan.notes == [FIRST_UPDATE, "approved by Ada"]


class NotApproved(NamedTuple):
    """A response, Airflow's event, and the cause that the message about the update names."""

    name: str
    event: Any
    cause: str


NOBODY_DECIDED_TO_SEND = (
    NotApproved("rejected", chosen("Reject"), "Ada rejected it"),
    NotApproved("too late", {"error_type": "timeout"}, "nobody responded within 90 s"),
)
"""``if_not_approved`` is for these."""
NOT_UNDERSTOOD = (
    NotApproved("no event", None, "no response came\nNone"),
    NotApproved(
        "an error that is no timeout",
        {"error": "gone", "error_type": "unknown"},
        "no response came\n'gone'",
    ),
    NotApproved(
        "another plan approved",
        chosen("Approve 12345678"),
        "Ada approved another plan\nThe filters or what was sent last have changed since. Start "
        "another run to plan the update again: of this one, Airflow goes on showing the old plan.",
    ),
)
NOT_APPROVED = NOBODY_DECIDED_TO_SEND + NOT_UNDERSTOOD


WAITED_FOR: dict[str, Any] = {"on_violation": "approve", "approval_timeout": 90}


def table_of_two_cities(task: Task) -> str:
    """Return the plan's table of the update of two cities."""
    task.guarded("next", plan_only=True, **WAITED_FOR).run(of(CITIES[:2]))
    return task.plan.table()


def resume_two_cities(task: Task, event: Any, if_not_approved: str) -> None:
    """Have the update of two cities go on after a response."""
    update = task.guarded("next", **WAITED_FOR, if_not_approved=if_not_approved)
    update.resume(of(CITIES[:2]), event)


@approval
@pytest.mark.parametrize("row", NOT_APPROVED, ids=[row.name for row in NOT_APPROVED])
def test_with_fail_an_update_that_was_not_approved_fails_with_the_cause_and_the_plan(
    row: NotApproved, task: Task
) -> None:
    table = table_of_two_cities(task)
    with pytest.raises(WesGuardError) as raised:
        resume_two_cities(task, row.event, if_not_approved="fail")
    assert str(raised.value) == f"segment 's' is not updated: {row.cause}\n{table}"


@approval
@pytest.mark.parametrize("row", NOT_UNDERSTOOD, ids=[row.name for row in NOT_UNDERSTOOD])
def test_with_skip_an_update_without_a_response_that_counts_fails_all_the_same(
    row: NotApproved, task: Task
) -> None:
    table = table_of_two_cities(task)
    with pytest.raises(WesGuardError) as raised:
        resume_two_cities(task, row.event, if_not_approved="skip")
    assert str(raised.value) == f"segment 's' is not updated: {row.cause}\n{table}"


@approval
@pytest.mark.parametrize(
    "row", NOBODY_DECIDED_TO_SEND, ids=[row.name for row in NOBODY_DECIDED_TO_SEND]
)
def test_with_skip_an_update_that_is_rejected_or_too_late_is_skipped_with_the_cause_alone(
    row: NotApproved, task: Task
) -> None:
    with pytest.raises(AirflowSkipException) as raised:
        resume_two_cities(task, row.event, if_not_approved="skip")
    assert str(raised.value) == f"segment 's' is not updated: {row.cause}"


@approval
@pytest.mark.parametrize("if_not_approved", STOPS)
@pytest.mark.parametrize("row", NOT_APPROVED, ids=[row.name for row in NOT_APPROVED])
def test_an_update_that_was_not_approved_is_not_recorded_and_sends_nothing(
    row: NotApproved, if_not_approved: str, task: Task
) -> None:
    with pytest.raises(EITHER):
        resume_two_cities(task, row.event, if_not_approved)
    assert [update["task"]["run_id"] for update in task.updates] == ["first"]
    assert task.requests == 0


# -- a restore -------------------------------------------------------------------------------------


@pytest.fixture
def updated(task: Task) -> Task:
    """The task after its run ``next`` has left two of the ten cities."""
    task.guarded("next", max_removed=None).run(of(CITIES[:2]))
    return task


def test_previous_restores_the_definition_of_the_update_before(updated: Task) -> None:
    assert updated.guarded("undo").restorable("previous") == (of(CITIES), AT)


def test_a_restore_leaves_which_update_it_sends_again_as_an_xcom(updated: Task) -> None:
    updated.guarded("undo").restorable("previous")
    assert updated.ti.xcoms["restored"] == {
        "at": AT,
        "dag_id": "d",
        "task_id": "t",
        "run_id": "first",
        "map_index": -1,
    }


def test_the_log_of_a_restore_names_the_update_that_it_sends_again(updated: Task) -> None:
    updated.guarded("undo").restorable("previous")
    assert updated.lines == [f"INFO Restoring {FIRST}"]


def test_a_repeated_restore_sends_what_it_has_sent_before(updated: Task) -> None:
    undo = updated.guarded("undo", max_removed=None)
    sent = undo.restorable("previous")
    undo.run(*sent)
    assert updated.guarded("undo", try_number=2).restorable("previous") == sent


def test_a_restore_of_the_run_of_a_restore_has_the_time_of_that_restore(
    updated: Task, mocker: MockerFixture
) -> None:
    undo = updated.guarded("undo", max_removed=None)
    sent = undo.restorable("previous")
    at = "2026-01-01T20:00:01.000002+00:00"
    mocker.patch("wes_provider.guards.history.now", return_value=at)
    undo.run(*sent)
    assert updated.guarded("redo").restorable("undo") == (of(CITIES), at)


def test_a_restore_of_a_definition_that_is_gone_names_the_update(task: Task) -> None:
    for key, value in list(task.store.values.items()):
        if "updates" not in json.loads(value):
            task.store.delete(key)
    with pytest.raises(WesConfigurationError) as raised:
        task.guarded("undo").restorable("first")
    assert str(raised.value) == f"the history no longer has the definition: {FIRST}"
