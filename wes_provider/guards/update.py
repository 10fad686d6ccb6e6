"""
A guarded update of a segment from a task: plan it, have it approved if it must be, send it, and
record it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NoReturn

import msgspec
from airflow.providers.common.compat.sdk import AirflowSkipException

from wes_provider.attempt import Attempt
from wes_provider.exceptions import WesConfigurationError, WesError
from wes_provider.forms import (
    Form,
    NoResponse,
    Responded,
    TimedOut,
    call_notifiers,
    read_response,
    show_form,
    wait_for_response,
)
from wes_provider.guards.history import History, XComStore, find
from wes_provider.guards.plan import Plan, Verdict
from wes_provider.guards.segment_guard import SegmentGuard, WesGuardError
from wes_provider.texts import shown

if TYPE_CHECKING:
    from wes_provider.hooks import WesHook

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
        settings = self.hook.settings
        segment = (settings.base_url, settings.workspace_id, self.segment_id)
        self.history = History(self.store, segment)

    def run(self, body: Mapping[str, Any], restored: str = "") -> str:
        """
        Plan an update, and send it if the guard lets it pass.

        :param body: the request's, checked.
        :param restored: as :class:`~wes_provider.guards.history.Entry` has it.
        :return: the segment's identifier.
        :raises WesGuardError: if a limit is exceeded and ``on_violation`` is ``fail``.
        """
        is_retry = Attempt.of(self.context).try_number > 1
        if isinstance(self.store, XComStore) and is_retry and not self.plan_only:
            # Airflow has removed the XComs of the earlier attempt, which may have sent something.
            self.history.begin_unknown(self.task, list(body))
        plan = self._plan(body)
        self._show(plan)
        if self.plan_only:
            self.log.info("Nothing is sent: plan_only")
            return self.segment_id
        if plan.verdict is Verdict.UNCHANGED:
            return self._leave_unchanged()
        if plan.verdict in (Verdict.FAIL, Verdict.SKIP):
            self._stop(plan.verdict.value, plan.cause, plan)
        if plan.verdict is Verdict.APPROVE:
            self._ask(plan)
        return self._send(body, restored)

    def resume(self, body: Mapping[str, Any], event: Any, restored: str = "") -> str:
        """
        Go on after a person has responded, or has not in time.

        :param event: Airflow's.
        :return: the segment's identifier.
        :raises WesGuardError: if the update is not approved, or if it is not the one that was
            approved.
        """
        plan = self._plan(body)
        response = read_response(event)
        if isinstance(response, Responded) and response.option == REJECT:
            self._stop(self.guard.if_not_approved, f"{response.person} rejected it", plan)
        if isinstance(response, TimedOut):
            late = f"nobody responded within {self.guard.approval_timeout:g} s"
            self._stop(self.guard.if_not_approved, late, plan)
        if isinstance(response, NoResponse):
            self._stop("fail", f"no response came\n{response.error}", plan)
        if plan.verdict is Verdict.UNCHANGED:
            # Another task was approved, and has sent the same update since.
            self._show(plan)
            return self._leave_unchanged()
        if response.option != _approve(plan):
            advice = (
                "The filters or what was sent last have changed since. Start another run to plan "
                "the update again: of this one, Airflow goes on showing the old plan."
            )
            self._stop("fail", f"{response.person} approved another plan\n{advice}", plan)
        notes = [*plan.notes, f"approved by {response.person}"]
        self._show(msgspec.structs.replace(plan, verdict=Verdict.SEND, notes=notes))
        return self._send(body, restored)

    def restorable(self, to: str) -> tuple[dict[str, Any], str]:
        """
        Return the body of an earlier update, and ``at`` of that.

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
        """Log the plan, push it, and add it to the events of the task's assets."""
        self.log.info("Plan for segment %s\n%s\n%s", plan.segment_id, plan.table(), BASELINE)
        if plan.verdict is Verdict.WARN or plan.is_sent_without_comparison:
            cause = "; ".join(plan.violations) or plan.cause
            self.log.warning("Updating segment %s all the same: %s", plan.segment_id, cause)
        content = msgspec.to_builtins(plan)
        self.ti.xcom_push(key="plan", value=content)
        for asset in self.outlets:
            extra = self.context["outlet_events"][asset].extra
            extra.update(segment_id=plan.segment_id, plan=content)

    def _ask(self, plan: Plan) -> NoReturn:
        seconds = self.guard.approval_timeout
        self.log.info("Waiting for approval of plan %s, at most %g s", plan.token, seconds)
        request_approval(plan, self.ti.id, self.guard, self.context, self.log)

    def _send(self, body: Mapping[str, Any], restored: str) -> str:
        entry = self.history.begin(self.task, body, restored)
        try:
            response = self.hook.update_segment(self.segment_id, **body, allow_empty=True)
        except WesError as error:
            if not (error.may_have_effect or error.after_unknown):
                self.history.abandon(entry)
            raise
        self.history.finish(entry, body)
        self.ti.xcom_push(key="segment", value=response)
        self.log.info("Updated segment %s", self.segment_id)
        return self.segment_id

    def _leave_unchanged(self) -> str:
        self.log.info("Nothing is sent: %s is unchanged", self.segment_id)
        return self.segment_id

    def _stop(self, action: str, cause: str, plan: Plan) -> NoReturn:
        message = f"segment {shown(self.segment_id)} is not updated: {cause}"
        if action == "skip":
            raise AirflowSkipException(message)
        raise WesGuardError(f"{message}\n{plan.table()}")


# -- approval --------------------------------------------------------------------------------------


def request_approval(
    plan: Plan, ti_id: Any, guard: SegmentGuard, context: Any, log: Any
) -> NoReturn:
    """
    Have the task wait until a person responds; ``execute_approved`` of the operator resumes it.

    :param guard: who may respond, who is told, and for how long the task waits.
    :param log: the task's.
    """
    form = Form(
        subject=f"Update segment {plan.segment_id}?",
        body=f"{plan.table()}\n\n{BASELINE}\n\n{_explain_number(plan)}",
        # Airflow does not replace the text of an attempt's form: the option names the plan.
        options=[_approve(plan), REJECT],
        assigned_users=guard.assigned_users or (),
    )
    show_form(form, ti_id)
    call_notifiers(guard.notifiers, context, log)
    wait_for_response(
        form,
        ti_id,
        seconds=guard.approval_timeout,
        method_name="execute_approved",
        state={},
    )


def _explain_number(plan: Plan) -> str:
    return (
        f"The number {plan.token} stands for this plan: if the filters, or what was sent before, "
        "change until you respond, nothing is sent."
    )


def _approve(plan: Plan) -> str:
    return f"Approve {plan.token}"


def identity(context: Any) -> dict[str, Any]:
    """Tell which task instance it is, the same for all of its attempts."""
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
