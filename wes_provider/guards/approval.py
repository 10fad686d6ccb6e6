"""A person's approval of a plan, through Airflow's *Required Actions* (3.1 and later)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta, timezone
from typing import Any, Final, NoReturn

from wes_provider.guards.plan import BASELINE, Plan, WesGuardError, not_updated
from wes_provider.texts import shown

__all__ = ["approver", "outdated", "request"]

REJECT: Final = "Reject"


def request(plan: Plan, ti_id: Any, timeout: float) -> NoReturn:
    """
    Have the task wait until a person responds; ``execute_approved`` of the operator resumes it.

    :param timeout: seconds.
    """
    from airflow.sdk.execution_time.hitl import upsert_hitl_detail

    # Airflow keeps one request for each attempt, and does not replace its text: the option names the plan.
    options, seconds = [_approve(plan), REJECT], timedelta(seconds=timeout)
    body = f"{plan.markdown()}\n\n{BASELINE}"
    upsert_hitl_detail(ti_id=ti_id, options=options, subject=f"Update segment {plan.segment_id}?", body=body, params={})
    try:
        from airflow.sdk.exceptions import TaskAwaitingInput
    except ImportError:  # before Airflow 3.3
        from airflow.providers.common.compat.sdk import TaskDeferred
        from airflow.providers.standard.triggers.hitl import HITLTrigger

        deadline = datetime.now(timezone.utc) + seconds
        trigger = HITLTrigger(ti_id=ti_id, options=options, params={}, timeout_datetime=deadline)
        raise TaskDeferred(trigger=trigger, method_name="execute_approved") from None
    raise TaskAwaitingInput(method_name="execute_approved", timeout=seconds)


def approver(event: Any, plan: Plan, timeout: float) -> tuple[str, str]:
    """
    Who has approved a plan, or else why it may not be sent: a name and nothing, or nothing and the cause.

    :param event: Airflow's.
    :param plan: the one that would be sent now.
    :param timeout: seconds that the person had.
    :raises WesGuardError: if another plan was approved, or no response came.
    """
    event = event if isinstance(event, Mapping) else {}
    chosen = list(event.get("chosen_options") or ())
    person = event.get("responded_by_user") or {}
    name = str(person.get("name") or person.get("id") or "somebody")
    if chosen == [_approve(plan)]:
        return name, ""
    if chosen == [REJECT]:
        return "", f"{name} rejected it"
    if chosen:
        raise outdated(plan, name)
    if event.get("error_type") == "timeout":
        return "", f"nobody responded within {timeout:g} s"
    raise WesGuardError(f"{not_updated(plan.segment_id)}: no response came\n{shown(event.get('error'))}")


def outdated(plan: Plan, name: str) -> WesGuardError:
    """The error about an approval of another plan."""
    return WesGuardError(
        f"{not_updated(plan.segment_id)}: {name} approved another plan\n"
        "The filters or what was sent last have changed since. Clear the task to plan the update again; on "
        f"Airflow 3.1, which does not replace what it has shown, start another run.\n{plan.table()}"
    )


def _approve(plan: Plan) -> str:
    return f"Approve {plan.token}"
