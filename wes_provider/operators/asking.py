"""What operators do if nobody but a person can know whether a request took effect."""

from __future__ import annotations

from typing import Any, Final, NamedTuple, NoReturn

import msgspec

from wes_provider import arguments
from wes_provider.arguments import check_choice, check_notifiers, check_seconds
from wes_provider.attempt import ABSENT
from wes_provider.exceptions import WesConfigurationError, WesError, load_error
from wes_provider.forms import (
    Field,
    Form,
    Responded,
    Response,
    TimedOut,
    call_notifiers,
    has_forms,
    read_response,
    show_form,
    wait_for_response,
)
from wes_provider.operators.base import WesTask

# The labels of the form's buttons.
THERE: Final = "It is there"
NOT_THERE: Final = "It is not there: send it"
STOP: Final = "Stop"
WITHOUT_FIELD: Final = (
    "The response has no field {field}, which shows the form that it is to. Over Airflow's API, "
    "give it in params_input, also if it is empty. Clear the task: it shows a new form."
)
OTHER_FORM: Final = (
    "The response is to a form of an earlier attempt, about something else. Clear the task: it "
    "shows a new form."
)


class Named(NamedTuple):
    """A person says that it is there, under this identifier."""

    identifier: str


class Absent(NamedTuple):
    """A person says that it is not there."""


class Question(msgspec.Struct):
    """
    What a person is asked, as Airflow stores it until the response.

    :ivar about: what the question is about, in letters and digits.
    :ivar subject: the question, in one line.
    :ivar body: what may have happened, when, under which name, and where to look; Markdown.
    :ivar error: with which the task fails if nobody decides, from ``dump_error``.
    :ivar progress: what the task has done, as JSON.
    """

    about: str
    subject: str
    body: str
    error: dict[str, Any]
    progress: dict[str, Any] = {}

    @property
    def field(self) -> str:
        """The name of the form's field, by which its responses are recognised."""
        return f"identifier_{self.about}"


class AskingTask(WesTask):
    """
    Ask a person, or fail, if it cannot be known whether a request took effect.

    :param on_unknown: ``fail`` with :class:`~wes_provider.exceptions.WesUnknownOutcomeError`, or
        ``ask``: wait without a worker slot until a person has responded on Airflow's page *Required
        Actions* (Airflow 3.1 and later).
    :param decision_timeout: seconds to wait for a person; after that, the task fails.
    :param notifiers: a notifier of Airflow, or several: called when the task begins to wait for a
        person, with the task's context, in which ``exception`` is the error that the task would
        fail with.
    """

    def __init__(
        self,
        *,
        on_unknown: str = "fail",
        decision_timeout: float = 86400,
        notifiers: Any = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.on_unknown = on_unknown
        self.decision_timeout = decision_timeout
        self.notifiers = notifiers
        check_notifiers("notifiers", notifiers)
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

    def ask(self, context: Any, question: Question) -> NoReturn:
        """Have a person decide; ``execute_decided`` resumes the task."""
        form = Form(
            subject=question.subject,
            body=question.body,
            options=[THERE, NOT_THERE, STOP],
            fields={
                question.field: Field("identifier", f"What the service calls it. For '{THERE}'.")
            },
        )
        show_form(form, context["ti"].id)
        self.log.warning(
            "%s\nWaiting for a person under Required Actions, at most %g s",
            question.error["text"],
            self.decision_timeout,
        )
        told = {**context, "exception": load_error(question.error)}
        call_notifiers(self.notifiers, told, self.log)
        wait_for_response(
            form,
            context["ti"].id,
            seconds=self.decision_timeout,
            method_name="execute_decided",
            state={"question": msgspec.to_builtins(question)},
        )

    def read_decision(self, context: Any, event: Any, question: Question) -> Named | Absent:
        """
        Read what a person has decided; ask again if the identifier is missing or is none, such as
        *It is there* with "absent".

        :raises WesError: the one of the question, if nobody decides, or a person chooses *Stop*.
        """
        response = read_response(event)
        if not isinstance(response, Responded) or response.option not in (THERE, NOT_THERE):
            raise self._undecided(question, _why_not_decided(response, self.decision_timeout))
        if not response.fields:
            raise self._undecided(question, WITHOUT_FIELD.format(field=question.field))
        if question.field not in response.fields:
            raise self._undecided(question, OTHER_FORM)
        if response.option == NOT_THERE:
            self.log.info("%s says that it is not there", response.person)
            return Absent()
        written = response.fields[question.field]
        if isinstance(written, str):
            # What people paste may have a space around it.
            written = written.strip()
        try:
            identifier = arguments.identifier("identifier", written)
        except WesConfigurationError as error:
            self.log.warning("%s gave no identifier, asking again: %s", response.person, error)
            self.ask(context, question)
        if identifier.lower() == ABSENT:
            # In a Variable, the word says the opposite.
            self.log.warning(
                "%s chose '%s', and wrote absent: asking again", response.person, THERE
            )
            self.ask(context, question)
        self.log.info("%s says that it is there: %s", response.person, identifier)
        return Named(identifier)

    def _undecided(self, question: Question, why: str) -> WesError:
        error = load_error(question.error)
        error.add(why)
        return error


def _why_not_decided(response: Response, timeout: float) -> str:
    if isinstance(response, Responded):
        return f"{response.person} chose {response.option}."
    if isinstance(response, TimedOut):
        return f"Nobody responded within {timeout:g} s."
    return f"No response came: {response.error}"
