"""
Forms on Airflow's page *Required Actions*, on which a person responds to a task (Airflow 3.1 and
later). The task waits without a worker slot, and from Airflow 3.3 on without a trigger.

Airflow keeps one form for an attempt of a task instance, sometimes also for its retry, and does not
replace its text, options and fields. If a task shows a form once more, the first response is
forgotten. So a task that asks about several things gives each form an option or a field of its own,
by which it recognises the response to another one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta, timezone
from importlib.util import find_spec
from typing import Any, NamedTuple, NoReturn, TypeAlias

from wes_provider.arguments import one_or_several
from wes_provider.texts import shown


class Field(NamedTuple):
    """A field that a person may fill in: what stands beside it, and below it."""

    title: str
    description: str


class Form(NamedTuple):
    """
    What a person sees.

    :ivar subject: the question, in one line.
    :ivar body: the explanation, Markdown.
    :ivar options: the buttons.
    :ivar fields: by the names that responses have.
    :ivar assigned_users: who may respond: objects with ``id`` and ``name`` of Airflow's users;
        empty for whoever may edit the task.
    """

    subject: str
    body: str
    options: list[str]
    fields: Mapping[str, Field] = {}
    assigned_users: Sequence[Any] = ()


class Responded(NamedTuple):
    """
    A person has responded.

    :ivar person: the name of Airflow's user.
    :ivar option: the button; several are divided by commas.
    :ivar fields: what the fields hold, without the spaces around it.
    """

    person: str
    option: str
    fields: Mapping[str, str]


class TimedOut(NamedTuple):
    """Nobody has responded in time."""


class NoResponse(NamedTuple):
    """The wait has ended in another way."""

    error: str


Response: TypeAlias = "Responded | TimedOut | NoResponse"


def has_forms() -> bool:
    """Return whether this Airflow has forms: 3.1 and later."""
    try:
        return find_spec("airflow.sdk.execution_time.hitl") is not None
    except ModuleNotFoundError:
        return False


def show_form(form: Form, ti_id: Any) -> None:
    """Show a form under *Required Actions*."""
    from airflow.sdk.execution_time.hitl import upsert_hitl_detail

    assigned: dict[str, Any] = {}
    if form.assigned_users:
        assigned["assigned_users"] = list(form.assigned_users)
    upsert_hitl_detail(
        ti_id=ti_id,
        options=form.options,
        subject=form.subject,
        body=form.body,
        params=_params_of(form),
        **assigned,
    )


def call_notifiers(notifiers: Any, context: Any, log: Any) -> None:
    """
    Tell people that a form waits for them. A notifier that fails is logged, since the form is there
    without it, too.

    :param notifiers: one that is called with the context, such as a notifier of Airflow, or
        several.
    """
    for notify in one_or_several(notifiers):
        try:
            # Airflow's notifiers write their fields into the context.
            notify({**context})
        except Exception:
            log.exception("A notifier failed: nobody may know that the task waits for a person")


def wait_for_response(
    form: Form, ti_id: Any, *, seconds: float, method_name: str, state: Mapping[str, Any]
) -> NoReturn:
    """
    End this part of the task; the response, or the end of the time, resumes it.

    :param form: which was shown.
    :param seconds: the longest that the task waits.
    :param method_name: of the operator, which gets Airflow's ``event`` and the keys of ``state``.
    """
    timeout = timedelta(seconds=seconds)
    kwargs = dict(state)
    try:
        from airflow.sdk.exceptions import TaskAwaitingInput
    except ImportError:
        # Airflow 3.1 and 3.2 wait in the triggerer.
        from airflow.providers.common.compat.sdk import TaskDeferred
        from airflow.providers.standard.triggers.hitl import HITLTrigger

        trigger = HITLTrigger(
            ti_id=ti_id,
            options=form.options,
            params=_params_of(form),
            timeout_datetime=datetime.now(timezone.utc) + timeout,
        )
        raise TaskDeferred(trigger=trigger, method_name=method_name, kwargs=kwargs) from None
    raise TaskAwaitingInput(method_name=method_name, kwargs=kwargs, timeout=timeout)


def read_response(event: Any) -> Response:
    """
    Read what a person has responded.

    :param event: Airflow's, with ``chosen_options``, ``params_input`` and ``responded_by_user``, or
        with ``error`` and ``error_type``.
    """
    if not isinstance(event, Mapping):
        return NoResponse(shown(None))
    chosen = [str(option) for option in event.get("chosen_options") or ()]
    if chosen:
        return Responded(_name_of_person(event), ", ".join(chosen), _texts_of_fields(event))
    if event.get("error_type") == "timeout":
        return TimedOut()
    return NoResponse(shown(event.get("error")))


def _name_of_person(event: Mapping[str, Any]) -> str:
    person = event.get("responded_by_user") or {}
    return str(person.get("name") or person.get("id") or "somebody")


def _texts_of_fields(event: Mapping[str, Any]) -> dict[str, str]:
    """Return what was typed into each field of the form."""
    fields = event.get("params_input") or {}
    return {field: str(value or "").strip() for field, value in fields.items()}


def _params_of(form: Form) -> dict[str, dict[str, Any]]:
    """Return the fields as Airflow serializes a DAG's params."""
    return {
        name: {
            "value": "",
            "description": field.description,
            "schema": {"type": ["string", "null"], "title": field.title},
        }
        for name, field in form.fields.items()
    }
