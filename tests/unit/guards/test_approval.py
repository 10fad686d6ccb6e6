"""What follows from a person's response; tests/scheduler has the same with a real Airflow."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from airflow.providers.common.compat.sdk import DAG, AirflowSkipException, TaskDeferred

from wes_provider.emulator import Emulator
from wes_provider.exceptions import WesError
from wes_provider.guards.history import History
from wes_provider.guards.segment_guard import SegmentGuard, can_approve
from wes_provider.guards.update import identity
from wes_provider.models import all_of, user_attribute
from wes_provider.operators import WesUpdateSegmentOperator

try:
    from airflow.sdk.exceptions import TaskAwaitingInput
except ImportError:  # before Airflow 3.3

    class TaskAwaitingInput(Exception):  # type: ignore[no-redef]  # noqa: N818 - Airflow's name
        """Is never raised."""


if TYPE_CHECKING:
    from pytest_mock import MockerFixture

pytestmark = pytest.mark.skipif(not can_approve(), reason="approval needs Airflow 3.1")

MANY = [f"city-{number}" for number in range(10)]
MORE = [f"more-{number}" for number in range(9)]


class MemoryStore(dict[str, Any]):
    """The state store of the segment's asset."""

    def set(self, key: str, value: Any) -> None:
        self[key] = json.loads(json.dumps(value))

    def delete(self, key: str) -> None:
        self.pop(key, None)


class Setting:
    """An emulator, a store, and a task that waits for approval."""

    def __init__(self, emulator: Emulator, mocker: MockerFixture, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("AIRFLOW_CONN_WES_DEFAULT", emulator.connection_env()["AIRFLOW_CONN_WES_DEFAULT"])
        self.emulator = emulator
        self.store = MemoryStore()
        self.pushed: dict[str, Any] = {}
        self.request = mocker.patch("airflow.sdk.execution_time.hitl.upsert_hitl_detail")
        mocker.patch("wes_provider.operators.segments.asset_store", return_value=self.store)

    def task(self, cities: list[str], **guard: Any) -> WesUpdateSegmentOperator:
        filters = all_of(user_attribute("city", cities))
        guard = {"on_violation": "approve", **guard}
        options = SegmentGuard(**guard)
        with DAG("d", schedule=None):
            return WesUpdateSegmentOperator(task_id="t", segment_id="s", included_filters=filters, guard=options)

    def context(self, run_id: str = "run") -> Any:
        ti = SimpleNamespace(id="ti", dag_id="d", task_id="t", run_id=run_id, map_index=-1, try_number=1)
        ti.xcom_push = lambda key, value: self.pushed.update({key: value})
        return {"ti": ti}

    def update(self, cities: list[str], run_id: str = "first") -> None:
        self.task(cities, max_removed=None).execute(self.context(run_id))

    def wait(self, cities: list[str]) -> list[str]:
        """Update until the task waits for approval; the options that a person has."""
        with pytest.raises((TaskDeferred, TaskAwaitingInput)):
            self.task(cities).execute(self.context())
        options: list[str] = self.request.call_args.kwargs["options"]
        return options

    def respond(self, cities: list[str], event: dict[str, Any], **guard: Any) -> str:
        return self.task(cities, **guard).execute_approved(self.context(), event)

    @property
    def sent(self) -> list[Any]:
        bodies = [json.loads(request.body) for request in self.emulator.requests]
        return [body["included_filters"]["filters"][0]["value"] for body in bodies]


@pytest.fixture
def setting(wes_emulator: Emulator, mocker: MockerFixture, monkeypatch: pytest.MonkeyPatch) -> Setting:
    setting = Setting(wes_emulator, mocker, monkeypatch)
    setting.update(MANY)
    return setting


def chosen(option: str) -> dict[str, Any]:
    return {"chosen_options": [option], "params_input": {}, "responded_by_user": {"id": "7", "name": "Ada"}}


def test_the_request_shows_the_plan_and_nothing_is_sent(setting: Setting):
    approve, reject = setting.wait(MANY[:2])
    request = setting.request.call_args.kwargs
    assert request["subject"] == "Update segment s?"
    assert "| city in | 10 | 2 | 8 (80%) | 0 |" in request["body"]
    assert (approve, reject) == (f"Approve {setting.pushed['plan']['token']}", "Reject")
    assert setting.sent == [MANY]


def test_an_approved_update_is_sent(setting: Setting):
    approve, _ = setting.wait(MANY[:2])
    assert setting.respond(MANY[:2], chosen(approve)) == "s"
    assert setting.sent == [MANY, MANY[:2]]
    assert setting.pushed["plan"]["notes"] == ["approved by Ada"]


NOT_APPROVED = {
    "rejected": (chosen("Reject"), "segment 's' is not updated: Ada rejected it\n"),
    "too late": ({"error": "x", "error_type": "timeout"}, "nobody responded within 86400 s\n"),
}


@pytest.mark.parametrize(("event", "message"), NOT_APPROVED.values(), ids=NOT_APPROVED)
def test_an_update_that_is_not_approved_is_not_sent(setting: Setting, event: dict[str, Any], message: str):
    setting.wait(MANY[:2])
    with pytest.raises(Exception, match="is not updated") as raised:
        setting.respond(MANY[:2], event)
    assert message in str(raised.value)
    with pytest.raises(AirflowSkipException):
        setting.respond(MANY[:2], event, if_not_approved="skip")
    assert setting.sent == [MANY]


EVENTS: dict[str, Any] = {"nothing": None, "no options": {"chosen_options": []}, "unknown": {"error_type": "unknown"}}


@pytest.mark.parametrize("event", EVENTS.values(), ids=EVENTS)
def test_a_response_that_is_none_is_never_an_approval(setting: Setting, event: Any):
    setting.wait(MANY[:2])
    with pytest.raises(Exception, match="no response came"):
        setting.respond(MANY[:2], event, if_not_approved="skip")
    assert setting.sent == [MANY]


def test_each_workspace_gets_the_update(setting: Setting, monkeypatch: pytest.MonkeyPatch):
    setting.emulator.configure(workspaces={"other": {"api_key": "k", "data_api_key": "d"}})
    setting.update(MANY)
    assert setting.pushed["plan"]["verdict"] == "unchanged"
    monkeypatch.setenv("AIRFLOW_CONN_WES_DEFAULT", json.dumps(setting.emulator.connection(workspace="other")))
    setting.update(MANY)
    assert setting.sent == [MANY, MANY]


def test_an_approval_does_not_serve_for_other_filters(setting: Setting):
    approve, _ = setting.wait(MANY[:2])
    with pytest.raises(Exception, match="is not updated: Ada approved another plan"):
        setting.respond(MANY[:1], chosen(approve))
    assert setting.sent == [MANY]


def test_an_approval_does_not_serve_after_another_update(setting: Setting):
    approve, _ = setting.wait(MANY[:2])
    setting.update([*MANY, "new"], "meanwhile")
    with pytest.raises(Exception, match="Ada approved another plan"):
        setting.respond(MANY[:2], chosen(approve))
    assert len(setting.sent) == 2


def test_an_approval_does_not_serve_after_another_update_of_unknown_outcome(setting: Setting, mocker: MockerFixture):
    approve, _ = setting.wait(MANY[:2])
    lost = mocker.patch("wes_provider.guards.history.History.finish", side_effect=WesError("killed"))
    with pytest.raises(Exception, match="killed"):
        setting.update(MANY[:2], "meanwhile")
    mocker.stop(lost)
    with pytest.raises(Exception, match="Ada approved another plan"):
        setting.respond(MANY[:2], chosen(approve))
    assert len(setting.sent) == 2


def test_an_approval_does_not_serve_after_another_update_has_begun(setting: Setting, mocker: MockerFixture):
    """Between the plan and the request."""
    approve, _ = setting.wait(MANY[:2])
    begin = History.begin

    def begin_after_another(self: History, task: Any, body: Any, **details: str) -> Any:
        begin(self, {**task, "run_id": "other"}, {"included_filters": all_of(user_attribute("city", ["x"]))})
        return begin(self, task, body, **details)

    mocker.patch.object(History, "begin", begin_after_another)
    with pytest.raises(Exception, match="Ada approved another plan"):
        setting.respond(MANY[:2], chosen(approve))
    assert len(setting.sent) == 1
    setting.wait(MANY[:2])
    assert "compared with the update of" in setting.pushed["plan"]["violations"][-1]


def test_an_update_is_planned_again_if_another_one_has_begun_since(setting: Setting, mocker: MockerFixture):
    begin, others = History.begin, iter([[*MANY, "x"], [*MANY, *MORE]])

    def begin_after_another(self: History, task: Any, body: Any, **details: str) -> Any:
        for other in others:
            filters = all_of(user_attribute("city", other))
            begin(self, {**task, "run_id": f"with {len(other)}"}, {"included_filters": filters})
        return begin(self, task, body, **details)

    mocker.patch.object(History, "begin", begin_after_another)
    task = setting.task([*MANY, "y"], on_violation="fail", max_removed=1)
    with pytest.raises(Exception, match=r"9 of 19 values removed, allowed 1, compared with .* run with 19"):
        task.execute(setting.context())
    assert len(setting.sent) == 1


def respond_and_lose_the_record(setting: Setting, approve: str, mocker: MockerFixture) -> None:
    """The update is sent, and the task is killed before it records that."""
    lost = mocker.patch("wes_provider.guards.history.History.finish", side_effect=WesError("killed"))
    with pytest.raises(Exception, match="killed"):
        setting.respond(MANY[:2], chosen(approve))
    mocker.stop(lost)


def test_an_approved_update_whose_record_was_lost_needs_no_other_approval(setting: Setting, mocker: MockerFixture):
    approve, _ = setting.wait(MANY[:2])
    respond_and_lose_the_record(setting, approve, mocker)
    assert setting.task(MANY[:2]).execute(setting.context()) == "s"
    assert setting.sent == [MANY, MANY[:2], MANY[:2]]
    assert setting.request.call_count == 1


def test_an_earlier_attempt_of_the_task_makes_no_other_plan(setting: Setting):
    """Airflow 3.1 shows the first attempt's plan to the end."""
    options = setting.wait(MANY[:2])
    history = History(setting.store, (setting.emulator.url, "emulated-workspace", "s"))
    history.begin(identity(setting.context()), {"included_filters": {}}, known=False)
    assert history.baseline().uncertain
    assert setting.wait(MANY[:2]) == options
    assert "it may be in effect" in setting.pushed["plan"]["notes"][0]


def test_an_approval_does_not_serve_after_a_kill_and_another_update(setting: Setting, mocker: MockerFixture):
    approve, _ = setting.wait(MANY[:2])
    respond_and_lose_the_record(setting, approve, mocker)
    setting.update(MANY[:5], "meanwhile")
    setting.wait(MANY[:2])
    assert setting.sent == [MANY, MANY[:2], MANY[:5]]
    assert setting.request.call_count == 2
