"""
What guarded updates and restores send, by the verdict of the guard, by replies, and by a person's
approval (``docs/guards.md``). An update that is equal to what this workspace was sent last, a
plan alone, and an update that exceeds a limit with ``fail`` or ``skip`` send nothing; with
``warn`` it is sent. A restore without a guard is sent whatever it removes. An update is forgotten
only if the service refused its first request: after a lost reply, the next update is sent though
it is equal. An approval serves for the plan that was shown, and for nothing else; what was
approved twice is sent once.

Rejections and forms without a response are in ``test_traces.py``. With Airflow,
``tests/airflow/test_guarded_updates.py`` has plans and skips, ``test_restored_segments.py`` has
restores, and ``tests/scheduler/test_guards.py`` persons and kills.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from airflow.providers.common.compat.sdk import (
    DAG,
    AirflowFailException,
    AirflowSkipException,
    TaskDeferred,
)

from support.attempts import Store, TaskInstance
from wes_provider.emulator import Emulator, faults
from wes_provider.exceptions import (
    WesBadRequestError,
    WesConfigurationError,
    WesError,
    WesUnknownOutcomeError,
)
from wes_provider.guards import SegmentGuard, WesGuardError, can_approve
from wes_provider.guards.history import History
from wes_provider.guards.update import identity
from wes_provider.models import all_of, user_attribute
from wes_provider.operators import WesRestoreSegmentOperator, WesUpdateSegmentOperator
from wes_provider.retry_policy import RETRY_POLICIES

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
    """The arguments of an update to users in these cities."""
    return {"included_filters": all_of(user_attribute("city", cities))}


def for_good(error: type[WesError]) -> type[Exception]:
    """What ends a task that Airflow does not retry: before Airflow 3.3, an exception of Airflow."""
    return error if RETRY_POLICIES else AirflowFailException


class Setting:
    """
    An emulator, the state store of the segment's asset, and a task whose run ``first`` has sent
    ``MANY``; each request is sent at most twice.
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
        """The task that updates, with a guard that allows 50 % removals by default."""
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
        """Update in a run, with a guard that allows all removals by default; return the verdict."""
        self.task(cities, **{"max_removed": None, **options}).execute(self.context(run_id))
        return str(self.plan["verdict"])

    def wait(self, cities: list[str], run_id: str = "run") -> list[str]:
        """Update in a run until it waits for approval; the options that a person has."""
        return self.wait_for(self.task(cities, on_violation="approve"), run_id)

    def wait_for(self, task: Any, run_id: str = "run") -> list[str]:
        """Run a task until it waits for approval; the options that a person has."""
        with pytest.raises((TaskDeferred, TaskAwaitingInput)):
            task.execute(self.context(run_id))
        assert self.request is not None
        options: list[str] = self.request.call_args.kwargs["options"]
        return options

    def respond(self, cities: list[str], event: Any, run_id: str = "run") -> str:
        """Resume the task that waits for approval of an update."""
        task = self.task(cities, on_violation="approve")
        return task.execute_approved(self.context(run_id), event)

    def lose_the_record_of(self, update: Any) -> None:
        """The update is sent, and the task is killed before it records that."""
        lost = self.mocker.patch.object(History, "finish", side_effect=WesError("killed"))
        with pytest.raises(WesError, match="killed"):
            update()
        self.mocker.stop(lost)

    @property
    def sent(self) -> list[Any]:
        """The cities of each request so far."""
        bodies = [json.loads(request.body) for request in self.emulator.requests]
        return [body["included_filters"]["filters"][0]["value"] for body in bodies]


@pytest.fixture
def setting(
    wes_emulator: Emulator, mocker: MockerFixture, monkeypatch: pytest.MonkeyPatch
) -> Setting:
    return Setting(wes_emulator, mocker, monkeypatch)


def test_an_equal_update_is_not_sent(setting: Setting):
    assert setting.update(MANY[::-1]) == "unchanged"
    assert setting.sent == [MANY]


def test_a_plan_alone_is_not_sent(setting: Setting):
    assert setting.update(FEW, plan_only=True) == "send"
    assert setting.sent == [MANY]


def test_an_update_that_is_equal_to_one_of_another_workspace_is_sent(
    setting: Setting, monkeypatch: pytest.MonkeyPatch
):
    setting.emulator.configure(workspaces={"other": {"api_key": "k", "data_api_key": "d"}})
    monkeypatch.setenv(
        "AIRFLOW_CONN_WES_DEFAULT", json.dumps(setting.emulator.connection(workspace="other"))
    )
    assert setting.update(MANY) == "send"
    assert setting.sent == [MANY, MANY]


# FEW removes eight of ten values, and half of them may be removed.


def test_a_violation_fails_the_task_by_default_and_sends_nothing(setting: Setting):
    with pytest.raises(
        for_good(WesGuardError),
        match="'s' is not updated: city in: 8 of 10 values removed, allowed 50%\nCompared",
    ):
        setting.update(FEW, max_removed=0.5)
    assert setting.sent == [MANY]


def test_a_violation_with_skip_skips_the_task_and_sends_nothing(setting: Setting):
    with pytest.raises(AirflowSkipException):
        setting.update(FEW, max_removed=0.5, on_violation="skip")
    assert setting.sent == [MANY]


def test_a_violation_with_warn_is_sent(setting: Setting):
    assert setting.update(FEW, max_removed=0.5, on_violation="warn") == "warn"
    assert setting.sent == [MANY, FEW]


@pytest.fixture
def restore() -> WesRestoreSegmentOperator:
    """A task without a guard that sends again what the run ``first`` has sent."""
    with DAG("d", schedule=None):
        return WesRestoreSegmentOperator(task_id="back", segment_id="s", to="first")


def test_a_restore_without_a_guard_sends_also_what_was_sent_last(
    setting: Setting, restore: WesRestoreSegmentOperator
):
    restore.execute(setting.context("again"))
    assert setting.sent == [MANY, MANY]


def test_a_restore_without_a_guard_sends_whatever_it_removes(
    setting: Setting, restore: WesRestoreSegmentOperator
):
    more = [*MANY, *(f"town-{number}" for number in range(10))]
    setting.update(more, run_id="more")
    restore.execute(setting.context("half"))
    assert setting.sent == [MANY, more, MANY]


MORE = [*MANY, "x"]
REFUSED = for_good(WesBadRequestError)


class Outcome(NamedTuple):
    """
    Replies to an update that sends ``MORE``, and the verdict of a next one.

    :ivar requests: how many requests the first update sends.
    :ivar error: by which the first update fails; ``None`` if it does not.
    :ivar cities: of the next update: what would be in effect if the first one was without effect
        (``MANY``), or if it had one (``MORE``).
    """

    name: str
    replies: list[faults.Fault]
    requests: int
    error: type[Exception] | None
    cities: list[str]
    verdict: str


OUTCOMES = (
    Outcome("one reply is lost", [faults.reply_lost()], 2, None, MORE, "unchanged"),
    # The service sends JSON: a login or a gateway has sent the page, and may have kept the request.
    Outcome(
        "a page with 200", [faults.wrong_content_type()], 1, WesUnknownOutcomeError, MORE, "send"
    ),
    Outcome("200 without a body", [faults.empty()], 1, None, MORE, "unchanged"),
    Outcome("half of a 200's JSON", [faults.garbage()], 1, None, MORE, "unchanged"),
    Outcome("400", [faults.error(400, "invalid-request")], 1, REFUSED, MANY, "unchanged"),
    Outcome(
        "all replies are lost", [faults.reply_lost()] * 2, 2, WesUnknownOutcomeError, MANY, "send"
    ),
    Outcome("408, then 400", [faults.error(408), faults.error(400)], 2, REFUSED, MANY, "send"),
    Outcome("502, then 400", [faults.error(502), faults.error(400)], 2, REFUSED, MANY, "send"),
)


@pytest.mark.parametrize("row", OUTCOMES, ids=[row.name for row in OUTCOMES])
def test_only_an_update_without_effect_is_forgotten(
    setting: Setting, row: Outcome, mocker: MockerFixture
):
    mocker.patch("tenacity.nap.time", autospec=True)  # no pause before a request is repeated
    for fault in row.replies:
        setting.emulator.fail("update_segment", fault)
    if row.error is None:
        setting.update(MORE)
    else:
        with pytest.raises(row.error):
            setting.update(MORE)
    assert setting.sent == [MANY, *[MORE] * row.requests]
    went_wrong = [request for request in setting.emulator.requests if request.fault]
    assert len(went_wrong) == len(row.replies)
    assert setting.update(row.cities) == row.verdict


# -- approval --------------------------------------------------------------------------------------


def chosen(option: str) -> dict[str, Any]:
    """Airflow's event after Ada has chosen an option of the form."""
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
    approve, _ = setting.wait_for(restore)
    restore.execute_approved(setting.context(), chosen(approve))
    restore.guard = None
    restore.execute(setting.context("later"))
    assert setting.sent[-2:] == [FEW, MANY], "the definition before the restored one"
    with pytest.raises(
        for_good(WesConfigurationError),
        match="the history has no update before the one in effect",
    ):
        restore.execute(setting.context("once more"))


class Meanwhile(NamedTuple):
    """What happens between the form and the response, and the update that is resumed."""

    name: str
    happens: Callable[[Setting], Any]
    cities: list[str]


MEANWHILE = (
    Meanwhile("the task has other filters", lambda setting: None, MANY[:1]),
    Meanwhile(
        "another update is sent",
        lambda setting: setting.update([*MANY, "new"], "meanwhile"),
        FEW,
    ),
    Meanwhile(
        "an update of unknown outcome is sent",
        lambda setting: setting.lose_the_record_of(lambda: setting.update(FEW, "meanwhile")),
        FEW,
    ),
)


@approval
@pytest.mark.parametrize("row", MEANWHILE, ids=[row.name for row in MEANWHILE])
def test_an_approval_serves_for_the_plan_alone(setting: Setting, row: Meanwhile):
    approve, _ = setting.wait(FEW)
    row.happens(setting)
    before = setting.sent
    with pytest.raises(for_good(WesGuardError), match="is not updated: Ada approved another plan"):
        setting.respond(row.cities, chosen(approve))
    assert setting.sent == before


@approval
def test_an_update_that_was_approved_twice_is_sent_once_and_ends_well_both_times(setting: Setting):
    """Two runs ask for approval of the same update; what was approved is in effect."""
    first, _ = setting.wait(FEW, "one")
    second, _ = setting.wait(FEW, "two")
    assert setting.respond(FEW, chosen(first), "one") == "s"
    before = setting.sent
    assert setting.respond(FEW, chosen(second), "two") == "s"
    assert setting.plan["verdict"] == "unchanged"
    assert setting.sent == before


@approval
def test_an_earlier_attempt_of_the_task_is_noted_and_leaves_the_number_of_the_plan(
    setting: Setting,
):
    """Airflow 3.1 shows the first attempt's plan to the end."""
    options = setting.wait(FEW)
    history = History(setting.store, (setting.emulator.url, "emulated-workspace", "s"))
    history.begin_unknown(identity(setting.context()), ["included_filters"])
    assert history.baseline().doubts
    assert setting.wait(FEW) == options
    assert "it may be in effect" in setting.plan["notes"][0]
