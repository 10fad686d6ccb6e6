"""A guarded update of a segment from a task: plan it, have it approved if it must be, send it, and record it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import Any, NoReturn

from airflow.providers.common.compat.sdk import AirflowSkipException

from wes_provider import assets, models
from wes_provider.exceptions import WesConfigurationError, WesConnectionError, WesError, WesResponseError
from wes_provider.guards.history import Entry, History, XComStore
from wes_provider.guards.plan import BASELINE, Plan, WesGuardError
from wes_provider.guards.segment_guard import SegmentGuard

__all__ = ["GuardedUpdate"]

MAYBE_PASSED_ON = (408, 444, 460, 499)
"""Statuses below 500 of a gateway that may have passed the request on."""

REJECT = "Reject"

PLANS = 3
"""How often an update is planned again because another one began meanwhile."""


class PlanOutdatedError(WesError):
    """Another update of the segment began after this one was planned; nothing was sent."""


class GuardedUpdate:
    """
    An update of a segment that a guard has to let pass.

    :param task: the operator, with ``segment_id``, ``plan_only`` and a hook.
    :param context: Airflow's.
    :param guard: after rendering.
    :raises WesConfigurationError: if the guard makes no sense.
    """

    def __init__(self, task: Any, context: Any, guard: SegmentGuard) -> None:
        self._task = task
        self._context = context
        self._guard = guard.checked()
        self._identity = identity(context)
        store = asset_store(task, context)
        self._kept_by_asset = store is not None
        if store is None:
            store = XComStore(context, segment_tasks(task))
        settings = task.hook.settings
        self.history = History(store, (settings.base_url, settings.workspace_id, task.segment_id))

    def run(self, body: Mapping[str, Any], *, restored: str = "") -> str:
        """
        Plan an update, and send it if the guard lets it pass.

        :param body: the request's, checked.
        :param restored: as :class:`~wes_provider.guards.history.Entry` has it.
        :return: the segment's identifier.
        :raises WesGuardError: if a limit is exceeded and ``on_violation`` is ``fail``.
        """
        if not self._kept_by_asset and self._context["ti"].try_number > 1 and not self._task.plan_only:
            # Airflow has removed the XComs of the earlier attempt, which may have sent something.
            self.history.begin_unknown(self._identity, body)
        for _ in range(PLANS):
            with suppress(PlanOutdatedError):
                return self._run(body, restored)
        raise PlanOutdatedError(f"{self._not_updated}\nOther updates of it began meanwhile, {PLANS} times in a row.")

    def _run(self, body: Mapping[str, Any], restored: str) -> str:
        plan = self._plan(body)
        self._show(plan)
        if self._task.plan_only:
            self._task.outlets = [
                asset for asset in self._task.outlets if asset not in assets.outlets(self._task, "segment")
            ]
            self._task.log.info("plan_only: nothing is sent, and no asset event is emitted")
        elif plan.verdict == "unchanged":
            self._task.log.info("Segment %s is unchanged: nothing is sent", self._task.segment_id)
        elif plan.verdict in ("send", "warn"):
            self._send(plan, body, restored=restored)
        elif plan.verdict == "approve":
            approved_by = self._approved_earlier(plan, body)
            if not approved_by:
                self._request_approval(plan)
            self._send(plan, body, restored=restored, approved_by=approved_by)
        else:
            self._stop(plan.verdict, models.with_reason(self._not_updated, _cause(plan), models.ERROR_HEADLINE), plan)
        return str(self._task.segment_id)

    @property
    def _not_updated(self) -> str:
        return f"segment {models.shorten(models.shown(self._task.segment_id), 40)} is not updated"

    def resume(self, body: Mapping[str, Any], event: Any, *, restored: str = "") -> str:
        """
        Go on after a person has responded, or has not in time.

        :param event: Airflow's.
        :return: the segment's identifier.
        :raises WesGuardError: if the update is not approved, or if it is not the one that was approved.
        """
        event = event if isinstance(event, Mapping) else {}
        plan = self._plan(body)
        chosen = list(event.get("chosen_options") or ())
        person = event.get("responded_by_user") or {}
        name = str(person.get("name") or person.get("id") or "somebody")
        if chosen == [_approve(plan)]:
            self._task.log.info("Approved by %s", name)
            self._show(replace(plan, verdict="send", notes=(*plan.notes, f"approved by {name}")))
            with suppress(PlanOutdatedError):
                self._send(plan, body, restored=restored, approved_by=name)
                return str(self._task.segment_id)
            plan = self._plan(body)
        if chosen and chosen != [REJECT]:
            raise WesGuardError(
                f"{self._not_updated}\n{name} approved another plan than the one to be sent now.\n"
                "The filters or what was sent last have changed since. Clear the task to plan the update again; on "
                "Airflow 3.1, which does not replace what it has shown, start another run.\n" + plan.table()
            )
        if chosen:
            cause = f"{name} rejected it"
        elif event.get("error_type") == "timeout":
            cause = f"nobody responded within {self._guard.approval_timeout:g} s"
        else:
            raise WesGuardError(f"{self._not_updated}: no response came\n{models.shown(event.get('error'))}")
        return self._stop(
            self._guard.if_not_approved, models.with_reason(self._not_updated, cause, models.ERROR_HEADLINE), plan
        )

    def _plan(self, body: Mapping[str, Any], besides: Sequence[Entry] = ()) -> Plan:
        def plan(besides: Sequence[Entry]) -> Plan:
            return self._guard.plan(self._task.segment_id, body, self.history.baseline(besides=besides))

        # What earlier attempts of the task may have sent makes no other plan: on Airflow 3.1, a person would have to
        # approve the first attempt's for good.
        own = [entry for entry in self.history.pending() if entry.task == self._identity]
        return replace(plan(besides), token=plan([*besides, *own]).token)

    def _show(self, plan: Plan) -> None:
        log = self._task.log
        log.info("Plan for segment %s\n%s\n%s", plan.segment_id, plan.table(), BASELINE)
        if plan.verdict == "warn":
            log.warning(
                "Updating segment %s although a limit is exceeded\n%s", plan.segment_id, "; ".join(plan.violations)
            )
        elif plan.verdict == "send" and plan.changes and not plan.compared_with:
            log.warning("Updating segment %s although there is nothing to compare it with", plan.segment_id)
        self._context["ti"].xcom_push(key="plan", value=plan.to_dict())
        if not self._task.plan_only:
            extra = {"segment_id": plan.segment_id, "plan": plan.to_dict()}
            assets.describe_events(self._task, self._context, extra)

    def _send(self, plan: Plan, body: Mapping[str, Any], *, restored: str, approved_by: str = "") -> None:
        task, history = self._task, self.history
        approved = {"approved_by": approved_by, "approved_plan": plan.token} if approved_by else {}
        entry = history.begin(self._identity, body, restored=restored, **approved)
        # If two tasks get here at the same time, at least one of them sees the other's record.
        now = self._plan(body, besides=[entry])
        if (now.compared_with, now.violations) != (plan.compared_with, plan.violations) or (
            approved_by and now.token != plan.token
        ):
            history.abandon(entry)
            task.log.info("Another update of segment %s began after this one was planned", task.segment_id)
            raise PlanOutdatedError(self._not_updated)
        try:
            response = task.hook.update_segment(task.segment_id, **body, allow_empty=True)
        except WesError as error:
            if had_no_effect(error):
                history.abandon(entry)
            raise
        history.finish(entry, self._guard.keep)
        self._context["ti"].xcom_push(key="segment", value=response)
        task.log.info("Updated segment %s", task.segment_id)

    def _approved_earlier(self, plan: Plan, body: Mapping[str, Any]) -> str:
        """Who approved the plan before an earlier attempt of the task was killed; empty if nobody did."""
        for entry in self.history.pending():
            if (
                entry.task == self._identity
                and entry.approved_plan == plan.token
                and self.history.definition(entry) == models.json_bytes(body)
            ):
                return entry.approved_by
        return ""

    def _request_approval(self, plan: Plan) -> NoReturn:
        from airflow.sdk.execution_time.hitl import upsert_hitl_detail

        # Airflow keeps one request for each attempt, and does not replace its text: the option names the plan.
        options = [_approve(plan), REJECT]
        seconds = timedelta(seconds=self._guard.approval_timeout)
        ti = self._context["ti"]
        upsert_hitl_detail(
            ti_id=ti.id,
            options=options,
            subject=f"Update segment {plan.segment_id}?",
            body=f"{plan.markdown()}\n\n{BASELINE}",
            params={},
        )
        self._task.log.info("Waiting for approval of plan %s, at most %s", plan.token, seconds)
        try:
            from airflow.sdk.exceptions import TaskAwaitingInput
        except ImportError:  # before Airflow 3.3
            from airflow.providers.standard.triggers.hitl import HITLTrigger

            deadline = datetime.now(timezone.utc) + seconds
            trigger = HITLTrigger(ti_id=ti.id, options=options, params={}, timeout_datetime=deadline)
            self._task.defer(trigger=trigger, method_name="execute_approved")
        raise TaskAwaitingInput(method_name="execute_approved", timeout=seconds)

    def _stop(self, action: str, message: str, plan: Plan) -> NoReturn:
        if action == "skip":
            raise AirflowSkipException(message)
        raise WesGuardError(f"{message}\n{plan.table()}")


def restored_body(history: History, entry: Entry) -> dict[str, Any]:
    """
    The body of an earlier update, to be sent again.

    :raises WesConfigurationError: if it cannot be sent byte for byte.
    """
    content = history.definition(entry)
    if content is None:
        raise WesConfigurationError(f"the history no longer has the definition: {entry}")
    body = models.segment_body(**json.loads(content), allow_empty=True)
    if models.json_bytes(body) != content:
        raise WesConfigurationError(f"the definition cannot be sent byte for byte: {entry}")
    return body


def had_no_effect(error: WesError) -> bool:
    """Whether it is certain that a failed update did not reach the segment."""
    if error.after_unknown:
        return False
    if isinstance(error, WesResponseError):
        return 400 <= error.status_code < 500 and error.status_code not in MAYBE_PASSED_ON
    return isinstance(error, (WesConfigurationError, WesConnectionError))


def identity(context: Any) -> dict[str, Any]:
    """Which task instance it is, the same for all of its attempts."""
    ti = context["ti"]
    task = {"dag_id": ti.dag_id, "task_id": ti.task_id, "run_id": ti.run_id, "map_index": -1}
    if ti.map_index is not None:
        task["map_index"] = ti.map_index
    if "loop" in context:  # Airflow 3.4: its iterations share all of the above
        task["loop_index"] = context["loop"].index
    return task


def asset_store(task: Any, context: Any) -> Any:
    """The state store of the segment's asset (Airflow 3.3); ``None`` if the asset is no inlet or outlet of the task."""
    stores = context.get("asset_state_store")
    wanted = assets.segment(task.segment_id).uri
    for asset in (*task.inlets, *task.outlets):
        if stores is not None and getattr(asset, "uri", None) == wanted:
            with suppress(KeyError):  # of a mapped task, Airflow knows only what all of its instances share
                return stores[asset]
    return None


def segment_tasks(task: Any) -> list[str]:
    """The tasks of the DAG that update segments."""
    from wes_provider.segments import SegmentTask

    return [one.task_id for one in task.dag.tasks if issubclass(getattr(one, "operator_class", type(one)), SegmentTask)]


def _approve(plan: Plan) -> str:
    return f"Approve {plan.token}"


def _cause(plan: Plan) -> str:
    return plan.violations[0] if plan.violations else "nothing to compare it with"
