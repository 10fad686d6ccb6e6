"""
A guarded update of a segment from a task: plan it, have it approved if it must be, send it, and
record it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any, Final, NoReturn

import msgspec
from airflow.providers.common.compat.sdk import AirflowSkipException

from wes_provider.attempt import Attempt
from wes_provider.exceptions import WesConfigurationError, WesError
from wes_provider.guards.history import History, XComStore, find
from wes_provider.guards.segment_guard import Plan, SegmentGuard, WesGuardError
from wes_provider.texts import shown

if TYPE_CHECKING:
    from wes_provider.hooks import WesHook

__all__ = ["GuardedUpdate"]

REJECT: Final = "Reject"
BASELINE: Final = (
    "Edits outside of Airflow are not seen, since the service has no way to read a segment."
)


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
        service = self.hook.settings.base_url, self.hook.settings.workspace_id
        self.history = History(self.store, (*service, self.segment_id))

    def run(self, body: Mapping[str, Any], restored: str = "") -> str:
        """
        Plan an update, and send it if the guard lets it pass.

        :param body: the request's, checked.
        :param restored: as :class:`~wes_provider.guards.history.Entry` has it.
        :return: the segment's identifier.
        :raises WesGuardError: if a limit is exceeded and ``on_violation`` is ``fail``.
        """
        if (
            isinstance(self.store, XComStore)
            and Attempt.of(self.context).try_number > 1
            and not self.plan_only
        ):
            # Airflow has removed the XComs of the earlier attempt, which may have sent something.
            self.history.begin(self.task, body, known=False)
        plan = self._plan(body)
        self._show(plan)
        if self.plan_only or plan.verdict == "unchanged":
            self.log.info(
                "Nothing is sent: %s",
                "plan_only" if self.plan_only else f"{self.segment_id} is unchanged",
            )
            return self.segment_id
        self._check(plan)
        return self._send(body, restored)

    def resume(self, body: Mapping[str, Any], event: Any, restored: str = "") -> str:
        """
        Go on after a person has responded, or has not in time.

        :param event: Airflow's.
        :return: the segment's identifier.
        :raises WesGuardError: if the update is not approved, or if it is not the one that was
            approved.
        """
        plan, event = self._plan(body), event if isinstance(event, Mapping) else {}
        chosen, person = (
            list(event.get("chosen_options") or ()),
            event.get("responded_by_user") or {},
        )
        name = str(person.get("name") or person.get("id") or "somebody")
        if chosen == [REJECT] or (not chosen and event.get("error_type") == "timeout"):
            late = f"nobody responded within {self.guard.approval_timeout:g} s"
            self._stop(self.guard.if_not_approved, f"{name} rejected it" if chosen else late, plan)
        if not chosen:
            self._stop("fail", f"no response came\n{shown(event.get('error'))}", plan)
        if chosen != [_approve(plan)]:
            advice = (
                "The filters or what was sent last have changed since. Start another run to plan "
                "the update again: "
                "of this one, Airflow goes on showing the old plan."
            )
            self._stop("fail", f"{name} approved another plan\n{advice}", plan)
        self._show(
            msgspec.structs.replace(
                plan, verdict="send", notes=[*plan.notes, f"approved by {name}"]
            )
        )
        return self._send(body, restored)

    def restorable(self, to: str) -> tuple[dict[str, Any], str]:
        """
        The body of an earlier update, and ``at`` of that.

        :param to: as :func:`~wes_provider.guards.history.find` takes it.
        """
        entry = find(self.history, to, self.task)
        self.log.info("Restoring %s", entry)
        self.ti.xcom_push(key="restored", value={"at": entry.at, **entry.task})
        content = self.history.definition(entry)
        if content is None:
            raise WesConfigurationError(f"the history no longer has the definition: {entry}")
        return json.loads(content), entry.at

    def _plan(self, body: Mapping[str, Any]) -> Plan:
        return self.guard.plan(self.segment_id, body, self.history.baseline(), self.task)

    def _show(self, plan: Plan) -> None:
        self.log.info("Plan for segment %s\n%s\n%s", plan.segment_id, plan.table(), BASELINE)
        if plan.verdict == "warn" or (
            plan.verdict == "send" and plan.conditions and not plan.compared_with
        ):
            cause = "; ".join(plan.violations) or "nothing to compare it with"
            self.log.warning("Updating segment %s all the same: %s", plan.segment_id, cause)
        content = msgspec.to_builtins(plan)
        self.ti.xcom_push(key="plan", value=content)
        for asset in self.outlets:
            self.context["outlet_events"][asset].extra.update(
                segment_id=plan.segment_id, plan=content
            )

    def _check(self, plan: Plan) -> None:
        """Stop or wait unless the plan may be sent."""
        if plan.verdict in ("fail", "skip"):
            cause = plan.violations[0] if plan.violations else "nothing to compare it with"
            self._stop(plan.verdict, cause.partition(", compared with")[0], plan)
        if plan.verdict == "approve":
            self.log.info(
                "Waiting for approval of plan %s, at most %g s",
                plan.token,
                self.guard.approval_timeout,
            )
            request_approval(plan, self.ti.id, self.guard.approval_timeout)

    def _send(self, body: Mapping[str, Any], restored: str) -> str:
        entry = self.history.begin(self.task, body, restored)
        try:
            response = self.hook.update_segment(self.segment_id, **body, allow_empty=True)
        except WesError as error:
            if not (error.may_have_effect or error.after_unknown):
                self.history.abandon(entry)
            raise
        self.history.finish(entry)
        self.ti.xcom_push(key="segment", value=response)
        self.log.info("Updated segment %s", self.segment_id)
        return self.segment_id

    def _stop(self, action: str, cause: str, plan: Plan) -> NoReturn:
        message = f"segment {shown(self.segment_id)} is not updated: {cause}"
        if action == "skip":
            raise AirflowSkipException(message)
        raise WesGuardError(f"{message}\n{plan.table()}")


def request_approval(plan: Plan, ti_id: Any, timeout: float) -> NoReturn:
    """
    Have the task wait until a person responds; ``execute_approved`` of the operator resumes it.

    :param timeout: seconds.
    """
    from airflow.sdk.execution_time.hitl import upsert_hitl_detail

    # Airflow keeps one request for each attempt, and does not replace its text: the option names
    # the plan.
    options, seconds = [_approve(plan), REJECT], timedelta(seconds=timeout)
    subject, text = f"Update segment {plan.segment_id}?", f"{plan.table()}\n\n{BASELINE}"
    upsert_hitl_detail(ti_id=ti_id, options=options, subject=subject, body=text, params={})
    try:
        from airflow.sdk.exceptions import TaskAwaitingInput
    except ImportError:  # before Airflow 3.3
        from airflow.providers.common.compat.sdk import TaskDeferred
        from airflow.providers.standard.triggers.hitl import HITLTrigger

        deadline = datetime.now(timezone.utc) + seconds
        trigger = HITLTrigger(ti_id=ti_id, options=options, params={}, timeout_datetime=deadline)
        raise TaskDeferred(trigger=trigger, method_name="execute_approved") from None
    raise TaskAwaitingInput(method_name="execute_approved", timeout=seconds)


def _approve(plan: Plan) -> str:
    return f"Approve {plan.token}"


def identity(context: Any) -> dict[str, Any]:
    """Which task instance it is, the same for all of its attempts."""
    attempt = Attempt.of(context)
    task: dict[str, Any] = {
        "dag_id": attempt.dag_id,
        "task_id": attempt.task_id,
        "run_id": attempt.run_id,
        "map_index": attempt.map_index,
    }
    if attempt.loop_index is not None:
        # Airflow 3.4: its iterations share all of the above.
        task["loop_index"] = attempt.loop_index
    return task
