"""What operators do if nobody but a person can know whether a request took effect."""

from __future__ import annotations

from typing import Any, Final, NamedTuple, NoReturn

import msgspec

from wes_provider import arguments
from wes_provider.arguments import check_choice, check_seconds
from wes_provider.exceptions import WesConfigurationError, WesError, dump_error, load_error
from wes_provider.forms import (
    Form,
    Responded,
    TimedOut,
    has_forms,
    read_response,
    show_form,
    wait_for_response,
)
from wes_provider.operators.base import WesTask

THERE: Final = "It is there"
ABSENT: Final = "It is not there: send it"
STOP: Final = "Stop"
IDENTIFIER: Final = "identifier"
"""The name of the form's field."""


class Named(NamedTuple):
    """A person says that it is there, under this identifier."""

    identifier: str


class Absent(NamedTuple):
    """A person says that it is not there."""


class Question(msgspec.Struct):
    """
    What a person is asked, as Airflow stores it until the response.

    :ivar subject: the question, in one line.
    :ivar body: what may have happened, when, under which name, and where to look; Markdown.
    :ivar error: with which the task fails if nobody decides, from ``dump_error``.
    :ivar progress: what the task has done, as JSON.
    """

    subject: str
    body: str
    error: dict[str, Any]
    progress: dict[str, Any] = {}


class AskingTask(WesTask):
    """
    Ask a person, or fail, if it cannot be known whether a request took effect.

    :param on_unknown: ``fail`` with :class:`~wes_provider.exceptions.WesUnknownOutcomeError`, or
        ``ask``: wait without a worker slot until a person has responded on Airflow's page *Required
        Actions* (Airflow 3.1 and later).
    :param decision_timeout: seconds to wait for a person; after that, the task fails.
    """

    def __init__(
        self, *, on_unknown: str = "fail", decision_timeout: float = 86400, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.on_unknown = on_unknown
        self.decision_timeout = decision_timeout
        check_choice("on_unknown", on_unknown, "fail", "ask")
        check_seconds("decision_timeout", decision_timeout)
        if on_unknown == "ask" and not has_forms():
            raise WesConfigurationError(
                "on_unknown='ask' needs Airflow 3.1 or later\n"
                "Leave it out: a person decides with an Airflow Variable."
            )

    def asks_in(self, context: Any) -> bool:
        """Tell whether to ask; Airflow cannot resume an operator that another task calls."""
        return self.on_unknown == "ask" and context["ti"].task_id == self.task_id

    def ask(
        self, context: Any, subject: str, body: str, error: WesError, progress: Any = None
    ) -> NoReturn:
        """
        Have a person decide; ``execute_decided`` resumes the task.

        :param error: with which the task fails if nobody decides.
        :param progress: what the task has done.
        """
        stored = msgspec.to_builtins(progress or {})
        self._show(context, Question(subject, body, dump_error(error), stored))

    def _show(self, context: Any, question: Question) -> NoReturn:
        form = Form(
            subject=question.subject,
            body=question.body,
            options=[THERE, ABSENT, STOP],
            fields={IDENTIFIER: f"What the service calls it. Only for '{THERE}'."},
        )
        show_form(form, context["ti"].id)
        self.log.warning(
            "%s\nWaiting for a person under Required Actions, at most %g s",
            question.error["text"],
            self.decision_timeout,
        )
        wait_for_response(
            form,
            context["ti"].id,
            seconds=self.decision_timeout,
            method_name="execute_decided",
            state={"question": msgspec.to_builtins(question)},
        )

    def read_decision(self, context: Any, event: Any, question: Question) -> Named | Absent:
        """
        Read what a person has decided; ask again if the identifier is missing or is none.

        :raises WesError: the one of the question, if nobody decides, or a person chooses *Stop*.
        """
        response = read_response(event)
        if isinstance(response, Responded) and response.option == ABSENT:
            self.log.info("%s says that it is not there", response.person)
            return Absent()
        if isinstance(response, Responded) and response.option == THERE:
            try:
                identifier = arguments.identifier(IDENTIFIER, response.fields.get(IDENTIFIER, ""))
            except WesConfigurationError as error:
                self.log.warning("%s gave no identifier, asking again: %s", response.person, error)
                self._show(context, question)
            self.log.info("%s says that it is there: %s", response.person, identifier)
            return Named(identifier)
        undecided = load_error(question.error)
        undecided.add(_why_not_decided(response, self.decision_timeout))
        raise undecided


def _why_not_decided(response: Any, timeout: float) -> str:
    if isinstance(response, Responded):
        return f"{response.person} chose {response.option}."
    if isinstance(response, TimedOut):
        return f"Nobody responded within {timeout:g} s."
    return f"No response came: {response.error}"
