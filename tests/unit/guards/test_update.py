"""
Guarded updates of a task, and what follows from a person's response; tests/scheduler has both with
Airflow.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from airflow.providers.common.compat.sdk import DAG, AirflowSkipException, TaskDeferred

from support.attempts import Store, TaskInstance
from wes_provider.emulator import Emulator, faults
from wes_provider.exceptions import WesError
from wes_provider.guards import SegmentGuard, can_approve
from wes_provider.guards.history import History
from wes_provider.guards.update import identity
from wes_provider.models import all_of, user_attribute
from wes_provider.operators import WesRestoreSegmentOperator, WesUpdateSegmentOperator

try:
    from airflow.sdk.exceptions import TaskAwaitingInput
except ImportError:  # before Airflow 3.3

    class TaskAwaitingInput(Exception):  # type: ignore[no-redef]  # noqa: N818 - Airflow's name
        """Is never raised."""


if TYPE_CHECKING:
    from pytest_mock import MockerFixture

approval = pytest.mark.skipif(not can_approve(), reason="approval needs Airflow 3.1")
MANY = [f"city-{number}" for number in range(10)]
FEW = MANY[:2]


def of(cities: list[str]) -> dict[str, Any]:
    return {"included_filters": all_of(user_attribute("city", cities))}


class Setting:
    """
    An emulator, the state store of the segment's asset, and a task whose first update was sent.
    """

    def __init__(
        self, emulator: Emulator, mocker: MockerFixture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv(
            "AIRFLOW_CONN_WES_DEFAULT", json.dumps(emulator.connection(extra={"max_attempts": 2}))
        )
        self.emulator, self.store, self.mocker = emulator, Store(), mocker
        self.plan: dict[str, Any] = {}
        self.request = (
            mocker.patch("airflow.sdk.execution_time.hitl.upsert_hitl_detail")
            if can_approve()
            else None
        )
        mocker.patch("wes_provider.attempt.Attempt.asset_store", return_value=self.store)
        self.update(MANY)

    def task(
        self, cities: list[str], plan_only: bool = False, **guard: Any
    ) -> WesUpdateSegmentOperator:
        with DAG("d", schedule=None):
            return WesUpdateSegmentOperator(
                task_id="t",
                segment_id="s",
                guard=SegmentGuard(**guard),
                plan_only=plan_only,
                **of(cities),
            )

    def context(self, run_id: str = "run") -> Any:
        ti = TaskInstance(store=None, dag_id="d", task_id="t", run_id=run_id)
        ti.pushed = lambda key, value: self.plan.update(value) if key == "plan" else None
        return ti.context()

    def update(self, cities: list[str], run_id: str = "first", **options: Any) -> str:
        """The verdict."""
        self.task(cities, **{"max_removed": None, **options}).execute(self.context(run_id))
        return str(self.plan["verdict"])

    def wait(self, cities: list[str], task: Any = None) -> list[str]:
        """Update, or run a task, until it waits for approval; the options that a person has."""
        with pytest.raises((TaskDeferred, TaskAwaitingInput)):
            (task or self.task(cities, on_violation="approve")).execute(self.context())
        assert self.request is not None
        options: list[str] = self.request.call_args.kwargs["options"]
        return options

    def respond(self, cities: list[str], event: Any, **guard: Any) -> str:
        return self.task(cities, on_violation="approve", **guard).execute_approved(
            self.context(), event
        )

    def lose_the_record_of(self, update: Any) -> None:
        """The update is sent, and the task is killed before it records that."""
        lost = self.mocker.patch.object(History, "finish", side_effect=WesError("killed"))
        with pytest.raises(Exception, match="killed"):
            update()
        self.mocker.stop(lost)

    @property
    def sent(self) -> list[Any]:
        bodies = [json.loads(request.body) for request in self.emulator.requests]
        return [body["included_filters"]["filters"][0]["value"] for body in bodies]


@pytest.fixture
def setting(
    wes_emulator: Emulator, mocker: MockerFixture, monkeypatch: pytest.MonkeyPatch
) -> Setting:
    return Setting(wes_emulator, mocker, monkeypatch)


def test_an_equal_update_is_not_sent_and_a_plan_alone_neither(
    setting: Setting, monkeypatch: pytest.MonkeyPatch
):
    assert setting.update(MANY[::-1]) == "unchanged"
    assert setting.update(FEW, plan_only=True) == "send"
    assert setting.sent == [MANY]
    setting.emulator.configure(workspaces={"other": {"api_key": "k", "data_api_key": "d"}})
    monkeypatch.setenv(
        "AIRFLOW_CONN_WES_DEFAULT", json.dumps(setting.emulator.connection(workspace="other"))
    )
    assert setting.update(MANY) == "send", "each workspace gets the update"


def test_a_violation_has_the_result_that_the_guard_asks_for(
    setting: Setting, caplog: pytest.LogCaptureFixture
):
    with pytest.raises(AirflowSkipException):
        setting.update(FEW, max_removed=0.5, on_violation="skip")
    with pytest.raises(
        Exception,
        match="'s' is not updated: city in: 8 of 10 values removed, allowed 50%\nCompared",
    ):
        setting.update(FEW, max_removed=0.5)
    assert setting.sent == [MANY]
    assert setting.update(FEW, max_removed=0.5, on_violation="warn") == "warn"
    assert setting.sent == [MANY, FEW]


def test_a_restore_without_a_guard_sends_also_what_was_sent_last(setting: Setting):
    with DAG("d", schedule=None):
        restore = WesRestoreSegmentOperator(task_id="back", segment_id="s", to="first")
    restore.execute(setting.context("again"))
    more = [*MANY, *(f"town-{number}" for number in range(10))]
    setting.update(more, run_id="more")
    restore.execute(setting.context("half"))
    assert setting.sent == [MANY, MANY, more, MANY], "whatever it removes"


OUTCOMES = {  # what happens to an update, the next one, and its verdict
    "one reply is lost": ([faults.reply_lost()], [*MANY, "x"], "unchanged"),
    "all replies are lost": ([faults.reply_lost()] * 2, MANY, "send"),
    # A 2xx is a success, whatever its body is.
    "a page": ([faults.wrong_content_type()], [*MANY, "x"], "unchanged"),
    "refused": ([faults.error(400, "invalid-request")], MANY, "unchanged"),
    **{
        f"refused after {code}": ([faults.error(code), faults.error(400)], MANY, "send")
        for code in (408, 502)
    },
}


@pytest.mark.parametrize(("replies", "cities", "verdict"), OUTCOMES.values(), ids=OUTCOMES)
def test_only_an_update_without_effect_is_forgotten(
    setting: Setting, replies: Any, cities: list[str], verdict: str, mocker: MockerFixture
):
    mocker.patch("tenacity.nap.time", autospec=True)  # no pause before a request is repeated
    for fault in replies:
        setting.emulator.fail("update_segment", fault)
    with suppress(Exception):  # Airflow's or ours, by its version
        setting.update([*MANY, "x"])
    assert setting.update(cities) == verdict


# -- approval --------------------------------------------------------------------------------------


def chosen(option: str) -> dict[str, Any]:
    return {
        "chosen_options": [option],
        "params_input": {},
        "responded_by_user": {"id": "7", "name": "Ada"},
    }


@approval
def test_the_request_for_an_approval_shows_the_plan_and_names_it_in_its_options(setting: Setting):
    approve, reject = setting.wait(FEW)
    request = setting.request.call_args.kwargs
    assert request["subject"] == "Update segment s?"
    assert "| city in   | 10            | 2     | 8 (80%) | 0     |" in request["body"]
    assert (approve, reject) == (f"Approve {setting.plan['token']}", "Reject")


@approval
def test_an_update_is_sent_once_it_is_approved_and_the_plan_says_by_whom(setting: Setting):
    approve, _ = setting.wait(FEW)
    assert setting.sent == [MANY]
    assert setting.respond(FEW, chosen(approve)) == "s"
    assert setting.sent == [MANY, FEW]
    assert setting.plan["notes"] == ["approved by Ada"]


@approval
def test_a_restore_is_recorded_as_one_whether_it_was_approved_or_needed_no_approval(
    setting: Setting,
):
    """So the second one restores the definition before, and a third has nothing to restore."""
    setting.update(FEW, run_id="few")
    setting.update([*MANY, "x"], run_id="more")
    with DAG("d", schedule=None):
        restore = WesRestoreSegmentOperator(
            task_id="t", segment_id="s", guard=SegmentGuard(on_violation="approve")
        )
    approve, _ = setting.wait(FEW, restore)
    restore.execute_approved(setting.context(), chosen(approve))
    restore.guard = None
    restore.execute(setting.context("later"))
    assert setting.sent[-2:] == [FEW, MANY], "the definition before the restored one"
    with pytest.raises(Exception, match="the history has no update before the one in effect"):
        restore.execute(setting.context("once more"))


MEANWHILE = {  # what makes an approval that of another plan
    "other filters": lambda setting: None,
    "another update": lambda setting: setting.update([*MANY, "new"], "meanwhile"),
    "one of unknown outcome": lambda setting: setting.lose_the_record_of(
        lambda: setting.update(FEW, "meanwhile")
    ),
}


@approval
@pytest.mark.parametrize("case", MEANWHILE)
def test_an_approval_serves_for_the_plan_alone(setting: Setting, case: str):
    approve, _ = setting.wait(FEW)
    MEANWHILE[case](setting)
    before = setting.sent
    with pytest.raises(Exception, match="is not updated: Ada approved another plan"):
        setting.respond(MANY[:1] if case == "other filters" else FEW, chosen(approve))
    assert setting.sent == before


@approval
def test_an_update_that_was_approved_twice_ends_well_both_times(setting: Setting):
    """Two runs ask for approval of the same update; what was approved is in effect."""
    first, _ = setting.wait(FEW)
    second, _ = setting.wait(FEW)
    assert setting.respond(FEW, chosen(first)) == "s"
    before = setting.sent
    assert setting.respond(FEW, chosen(second)) == "s"
    assert setting.plan["verdict"] == "unchanged"
    assert setting.sent == before


@approval
def test_an_earlier_attempt_of_the_task_makes_no_other_plan(setting: Setting):
    """Airflow 3.1 shows the first attempt's plan to the end."""
    options = setting.wait(FEW)
    history = History(setting.store, (setting.emulator.url, "emulated-workspace", "s"))
    history.begin_unknown(identity(setting.context()), ["included_filters"])
    assert history.baseline().doubts
    assert setting.wait(FEW) == options
    assert "it may be in effect" in setting.plan["notes"][0]
