"""A guarded update of a segment from a task: plan it, have it approved if it must be, send it, and record it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NoReturn

import msgspec
from airflow.providers.common.compat.sdk import AirflowSkipException

from wes_provider.arguments import json_bytes
from wes_provider.exceptions import WesConfigurationError, WesConnectionError, WesError, WesResponseError
from wes_provider.guards import approval
from wes_provider.guards.history import Entry, History
from wes_provider.guards.plan import BASELINE, Plan, WesGuardError, not_updated
from wes_provider.guards.restore import find, restored_body
from wes_provider.guards.segment_guard import SegmentGuard
from wes_provider.guards.stores import XComStore

if TYPE_CHECKING:
    from wes_provider.hooks import WesHook

__all__ = ["GuardedUpdate"]

PLANS: Final = 3
"""How often an update is planned if others begin meanwhile."""


class PlanOutdatedError(WesError):
    """Another update of the segment began after this one was planned; nothing was sent."""


@dataclass
class GuardedUpdate:
    """
    An update of a segment that a guard has to let pass.

    :param guard: after rendering, and checked.
    :param store: where the history is.
    :param log: the task's.
    :param outlets: the task's assets, whose events have the plan.
    :param plan_only: show the plan, and send nothing.
    """

    guard: SegmentGuard
    hook: WesHook
    segment_id: str
    context: Any
    store: Any
    log: Any
    outlets: Sequence[Any] = ()
    plan_only: bool = False

    def __post_init__(self) -> None:
        self.task = identity(self.context)
        self.ti = self.context["ti"]
        settings = self.hook.settings
        self.history = History(self.store, (settings.base_url, settings.workspace_id, self.segment_id))

    def run(self, body: Mapping[str, Any], restored: str = "") -> str:
        """
        Plan an update, and send it if the guard lets it pass.

        :param body: the request's, checked.
        :param restored: as :class:`~wes_provider.guards.history.Entry` has it.
        :return: the segment's identifier.
        :raises WesGuardError: if a limit is exceeded and ``on_violation`` is ``fail``.
        """
        if isinstance(self.store, XComStore) and self.ti.try_number > 1 and not self.plan_only:
            # Airflow has removed the XComs of the earlier attempt, which may have sent something.
            self.history.begin(self.task, body, known=False)
        for _ in range(PLANS):
            with suppress(PlanOutdatedError):
                self._run(body, restored)
                return self.segment_id
        raise PlanOutdatedError(
            f"{not_updated(self.segment_id)}\nOther updates of it began meanwhile, {PLANS} times in a row."
        )

    def resume(self, body: Mapping[str, Any], event: Any, restored: str = "") -> str:
        """
        Go on after a person has responded, or has not in time.

        :param event: Airflow's.
        :return: the segment's identifier.
        :raises WesGuardError: if the update is not approved, or if it is not the one that was approved.
        """
        plan = self._plan(body)
        name, cause = approval.approver(event, plan, self.guard.approval_timeout)
        if not name:
            self._stop(self.guard.if_not_approved, cause, plan)
        self._show(msgspec.structs.replace(plan, verdict="send", notes=[*plan.notes, f"approved by {name}"]))
        try:
            self._send(plan, body, restored, approved_by=name)
        except PlanOutdatedError:
            raise approval.outdated(self._plan(body), name) from None
        return self.segment_id

    def restorable(self, to: str) -> tuple[dict[str, Any], str]:
        """
        The body of an earlier update, and ``at`` of that.

        :param to: as :func:`~wes_provider.guards.restore.find` takes it.
        """
        entry = find(self.history, to, self.task)
        self.log.info("Restoring %s", entry)
        self.ti.xcom_push(key="restored", value={"at": entry.at, **entry.task})
        return restored_body(self.history, entry), entry.at

    def _run(self, body: Mapping[str, Any], restored: str) -> None:
        plan = self._plan(body)
        self._show(plan)
        if self.plan_only:
            self.log.info("plan_only: nothing is sent, and no asset event is emitted")
        elif plan.verdict == "unchanged":
            self.log.info("Segment %s is unchanged: nothing is sent", self.segment_id)
        elif plan.verdict in ("send", "warn"):
            self._send(plan, body, restored)
        elif plan.verdict != "approve":
            cause = plan.violations[0] if plan.violations else "nothing to compare it with"
            self._stop(plan.verdict, cause.partition(", compared with")[0], plan)
        elif name := self._approved_earlier(plan, body):
            self._send(plan, body, restored, approved_by=name)
        else:
            self.log.info("Waiting for approval of plan %s, at most %g s", plan.token, self.guard.approval_timeout)
            approval.request(plan, self.ti.id, self.guard.approval_timeout)

    def _plan(self, body: Mapping[str, Any], besides: Sequence[Entry] = ()) -> Plan:
        # What earlier attempts of the task may have sent makes no other plan: on Airflow 3.1, a person would have to
        # approve the first attempt's for good.
        own = [entry for entry in self.history.pending if entry.task == self.task]
        plan, of_others = (
            self.guard.plan(self.segment_id, body, self.history.baseline(left_out))
            for left_out in (besides, [*besides, *own])
        )
        return msgspec.structs.replace(plan, token=of_others.token)

    def _show(self, plan: Plan) -> None:
        self.log.info("Plan for segment %s\n%s\n%s", plan.segment_id, plan.table(), BASELINE)
        if plan.verdict == "warn" or (plan.verdict == "send" and plan.conditions and not plan.compared_with):
            cause = "; ".join(plan.violations) or "nothing to compare it with"
            self.log.warning("Updating segment %s all the same: %s", plan.segment_id, cause)
        self.ti.xcom_push(key="plan", value=plan.to_dict())
        for asset in self.outlets:
            self.context["outlet_events"][asset].extra.update(segment_id=plan.segment_id, plan=plan.to_dict())

    def _send(self, plan: Plan, body: Mapping[str, Any], restored: str, approved_by: str = "") -> None:
        token = plan.token if approved_by else ""
        entry = self.history.begin(self.task, body, restored=restored, approved_by=approved_by, approved_plan=token)
        # If two tasks get here at the same time, at least one of them sees the other's record.
        now = self._plan(body, [entry])
        same = (now.compared_with, now.violations) == (plan.compared_with, plan.violations)
        if not same or (approved_by and now.token != plan.token):
            self.history.abandon(entry)
            self.log.info("Another update of segment %s began after this one was planned", self.segment_id)
            raise PlanOutdatedError
        try:
            response = self.hook.update_segment(self.segment_id, **body, allow_empty=True)
        except WesError as error:
            if had_no_effect(error):
                self.history.abandon(entry)
            raise
        self.history.finish(entry, self.guard.keep)
        self.ti.xcom_push(key="segment", value=response)
        self.log.info("Updated segment %s", self.segment_id)

    def _approved_earlier(self, plan: Plan, body: Mapping[str, Any]) -> str:
        """Who approved the plan before an earlier attempt of the task was killed; empty if nobody did."""
        for entry in self.history.pending:
            if (entry.task, entry.approved_plan) == (self.task, plan.token):
                return entry.approved_by if self.history.definition(entry) == json_bytes(body) else ""
        return ""

    def _stop(self, action: str, cause: str, plan: Plan) -> NoReturn:
        message = f"{not_updated(self.segment_id)}: {cause}"
        if action == "skip":
            raise AirflowSkipException(message)
        raise WesGuardError(f"{message}\n{plan.table()}")


def had_no_effect(error: WesError) -> bool:
    """Whether it is certain that a failed update did not reach the segment."""
    if isinstance(error, WesResponseError):  # 408 and 499 are of gateways that may have passed the request on
        refused = 400 <= error.status_code < 500 and error.status_code not in (408, 499)
    else:
        refused = isinstance(error, (WesConfigurationError, WesConnectionError))
    return refused and not error.after_unknown


def identity(context: Any) -> dict[str, Any]:
    """Which task instance it is, the same for all of its attempts."""
    ti = context["ti"]
    task = {"dag_id": ti.dag_id, "task_id": ti.task_id, "run_id": ti.run_id}
    task["map_index"] = -1 if ti.map_index is None else ti.map_index
    if "loop" in context:  # Airflow 3.4: its iterations share all of the above
        task["loop_index"] = context["loop"].index
    return task
