"""
With ``on_unknown="ask"``, from Airflow 3.1 on (an error before), a task shows a form if nobody but
a person can know whether an upload or a catalog was made: what, when, under which name, why, and
where to look. Without it, or if the operator runs in another task's code, the task fails.

"There" with the file's identifier adopts the file. A wrong identifier, or that of another upload,
asks again; "not there" sends again, unless the list shows the file by now. A response counts for
one request, and outlives a deferral. A retry or a clear while it waits asks again, and sends
nothing. A second file in doubt fails, and is asked about in the next attempt. Stop, another option,
no response within ``decision_timeout`` (a day), and a form without its field or about another file
decide nothing: nothing is sent, and the error says what to do. The same holds for catalogs; a name
that is taken after a lost response, or after a killed attempt, is asked about.

Each time a form is shown, the notifiers are called, each with a context of its own that has the
error. One that fails is logged, and the task waits all the same. What cannot be called is refused.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from airflow.providers.common.compat.sdk import AirflowFailException, TaskDeferred

from support.attempts import Clock, Store, TaskInstance
from unit.uploads.conftest import replenish, upload, urls
from wes_provider.client.responses import Listing
from wes_provider.emulator import Emulator, faults
from wes_provider.exceptions import WesConfigurationError, WesError, WesUnknownOutcomeError
from wes_provider.forms import Form, has_forms
from wes_provider.hooks import WesHook
from wes_provider.operators import WesCreateCatalogOperator
from wes_provider.operators.asking import NOT_THERE, STOP, THERE

if TYPE_CHECKING:
    from pytest_mock import MockerFixture

if has_forms():
    try:
        from airflow.sdk.exceptions import TaskAwaitingInput as Waiting
    except ImportError:  # Airflow 3.1 and 3.2
        Waiting = TaskDeferred
else:
    Waiting = TaskDeferred

forms = pytest.mark.skipif(not has_forms(), reason="forms come with Airflow 3.1")

UPLOAD = "upload_coupon_file"
FIELD = "the field of the form"
TIMEOUT = {"error": "The timeout has passed", "error_type": "timeout"}


def chose(option: str, identifier: Any = "") -> dict[str, Any]:
    """The response to a form; its field gets its name when the form is there."""
    return {
        "chosen_options": [option],
        "params_input": {FIELD: identifier},
        "responded_by_user": {"id": "7", "name": "Ada"},
    }


class Person:
    """Who looks at Airflow's page: the form that is there, and the task that waits for it."""

    def __init__(self, ti: TaskInstance, mocker: MockerFixture) -> None:
        self.ti = ti
        self.shown: list[Form] = []
        self.waiting: Any = None
        mocker.patch("wes_provider.operators.asking.show_form", autospec=True).side_effect = (
            lambda form, ti_id: self.shown.append(form)
        )

    def run(self, make: Callable[[], Any]) -> None:
        """Run an attempt until it waits for a person."""
        self.until_waiting(lambda: self.ti.run(make))

    def respond(self, make: Callable[[], Any], event: Any) -> Any:
        """Resume the task in another process, as Airflow does."""
        waiting = self.waiting
        if event and FIELD in (event.get("params_input") or {}):
            (field,) = self.shown[-1].fields
            event = {**event, "params_input": {field: event["params_input"][FIELD]}}
        kwargs = json.loads(json.dumps(waiting.kwargs))
        return getattr(make(), waiting.method_name)(self.ti.context(), event=event, **kwargs)

    def respond_again(self, make: Callable[[], Any], event: Any) -> None:
        """Respond, so that the task asks once more."""
        self.until_waiting(lambda: self.respond(make, event))

    def until_waiting(self, step: Callable[[], Any]) -> None:
        with pytest.raises(Waiting) as raised:
            step()
        self.waiting = raised.value


@pytest.fixture
def person(ti: TaskInstance, mocker: MockerFixture) -> Person:
    return Person(ti, mocker)


@pytest.fixture
def hidden(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A list that is incomplete, and shows nothing, until ``shows`` says otherwise."""
    read_list = WesHook.read_list

    class Hidden:
        shows = False

    def read(hook: WesHook, list_id: str) -> Listing:
        return read_list(hook, list_id) if Hidden.shows else Listing([], "it has next")

    monkeypatch.setattr(WesHook, "read_list", read)
    return Hidden


def fails(match: str) -> Any:
    """Before Airflow 3.3, what keeps Airflow from retrying the task."""
    return pytest.raises((WesUnknownOutcomeError, AirflowFailException), match=match)


ask = upload(on_unknown="ask")
"""Makes the operator that uploads a file, and shows a form if nobody but a person can know."""


@forms
def test_the_form_says_what_when_under_which_name_and_where_to_look(
    person: Person, wes_emulator: Emulator, hidden: Any
):
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    person.run(ask)
    (form,) = person.shown
    (file,) = wes_emulator.files("summer")
    assert form.subject == "Is a.csv in coupon list summer?"
    assert form.options == [THERE, NOT_THERE, STOP]
    assert [field.title for field in form.fields.values()] == ["identifier"]
    for text in ("**a.csv**", "**summer**", " UTC", file["name"], "service's console", "has next"):
        assert text in form.body


@forms
def test_the_file_whose_identifier_a_person_gives_is_adopted(
    person: Person, wes_emulator: Emulator, ti: TaskInstance, hidden: Any
):
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    person.run(ask)
    (file,) = wes_emulator.files("summer")
    assert person.respond(ask, chose(THERE, f" {file['_id']} ")) == file["_id"]
    assert ti.xcoms["coupon_file"]["id"] == file["_id"]
    assert len(wes_emulator.files("summer")) == 1


@forms
def test_a_file_that_a_person_calls_not_there_is_sent_again(
    person: Person, wes_emulator: Emulator, hidden: Any
):
    wes_emulator.fail(UPLOAD, faults.reply_lost(effect=False), times=1)
    person.run(ask)
    result = person.respond(ask, chose(NOT_THERE))
    assert [file["_id"] for file in wes_emulator.files("summer")] == [result]


@forms
def test_a_list_that_shows_it_by_now_is_believed_more_than_a_person(
    person: Person, wes_emulator: Emulator, hidden: Any
):
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    person.run(ask)
    hidden.shows = True
    result = person.respond(ask, chose(NOT_THERE))
    assert [file["_id"] for file in wes_emulator.files("summer")] == [result]


class Ending(NamedTuple):
    """Airflow's event after a form, which decides nothing, and what the error says of it."""

    id: str
    event: Any
    says: str


ENDINGS = [
    Ending("the option Stop", chose(STOP), "Ada chose Stop"),
    Ending("an option that the form does not have", chose("Approve"), "Ada chose Approve"),
    Ending("the timeout of a day", TIMEOUT, "Nobody responded within 86400 s"),
    Ending("an error of Airflow's", {"error": "gone"}, "No response came: 'gone'"),
    Ending("no event", None, "No response came"),
]


@forms
@pytest.mark.parametrize("arrives", [True, False], ids=["it has arrived", "it has not arrived"])
@pytest.mark.parametrize("ending", ENDINGS, ids=[ending.id for ending in ENDINGS])
def test_without_a_decision_nothing_is_sent_and_the_error_asks_for_the_variable(
    ending: Ending, arrives: bool, person: Person, wes_emulator: Emulator, hidden: Any
):
    wes_emulator.fail(UPLOAD, faults.reply_lost(effect=arrives), times=1)
    person.run(ask)
    with fails("Set the Airflow Variable wes_decision_") as raised:
        person.respond(ask, ending.event)
    assert ending.says in str(raised.value)
    assert len(wes_emulator.requests_for(UPLOAD)) == 1


@forms
def test_after_stop_a_clear_adopts_the_file_that_the_variable_names(
    person: Person, wes_emulator: Emulator, ti: TaskInstance, hidden: Any
):
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    person.run(ask)
    with fails("Perhaps uploaded") as raised:
        person.respond(ask, chose(STOP))
    (variable,) = [word for word in str(raised.value).split() if word.startswith("wes_decision_")]
    (file,) = wes_emulator.files("summer")
    ti.variables[variable] = file["_id"]
    assert ti.clear(ask) == file["_id"]


WRONG = {
    "one that the service does not know": "nobody",
    "an empty string": "",
    "null": None,
    "a dot segment": "..",
    "absent, which is the other option": "absent",
    "absent in capitals": " Absent",
}


@forms
@pytest.mark.parametrize("identifier", WRONG.values(), ids=WRONG)
def test_a_wrong_identifier_asks_again(
    identifier: Any, person: Person, wes_emulator: Emulator, hidden: Any
):
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    person.run(ask)
    # As often as it is wrong.
    person.respond_again(ask, chose(THERE, identifier))
    person.respond_again(ask, chose(THERE, identifier))
    (file,) = wes_emulator.files("summer")
    assert person.respond(ask, chose(THERE, file["_id"])) == file["_id"]
    assert len(person.shown) == 3


@forms
def test_a_file_of_another_upload_asks_again(person: Person, wes_emulator: Emulator, hidden: Any):
    make = replenish(urls(2), on_unknown="ask")
    wes_emulator.fail(UPLOAD, faults.slow(0.0), times=1)
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    person.run(make)
    first, second = wes_emulator.files("summer")
    person.respond_again(make, chose(THERE, first["_id"]))
    assert person.respond(make, chose(THERE, second["_id"])) == [first["_id"], second["_id"]]


@forms
def test_a_response_counts_for_one_request(person: Person, wes_emulator: Emulator, hidden: Any):
    wes_emulator.fail(UPLOAD, faults.reply_lost(effect=False), times=2)
    person.run(ask)
    person.respond_again(ask, chose(NOT_THERE))
    assert wes_emulator.files("summer") == []
    assert person.respond(ask, chose(NOT_THERE)) == wes_emulator.files("summer")[0]["_id"]


@forms
@pytest.mark.parametrize("store", [True, False], ids=["with a state store", "before Airflow 3.3"])
def test_a_response_outlives_a_deferral_for_the_limit(
    store: bool,
    person: Person,
    wes_emulator: Emulator,
    ti: TaskInstance,
    clock: Clock,
    hidden: Any,
):
    if not store:
        ti.store = None
    make = upload(on_unknown="ask", deferrable=True)
    wes_emulator.fail(UPLOAD, faults.reply_lost(effect=False), times=1)
    person.run(make)
    wes_emulator.fail(UPLOAD, faults.rate_limited(reset_in=120), times=1)
    with pytest.raises(TaskDeferred) as deferred:
        person.respond(make, chose(NOT_THERE))
    assert deferred.value.method_name == "execute_at_reset"
    state = json.loads(json.dumps(deferred.value.trigger.serialize()[1]["state"]))
    clock.sleep(130)
    wes_emulator.clear_faults()
    result = make().execute_at_reset(ti.context(), {"state": state, "waited": 130})
    assert [file["_id"] for file in wes_emulator.files("summer")] == [result]


@forms
def test_without_a_state_store_a_response_that_is_lost_uploads_nothing_twice(
    person: Person, wes_emulator: Emulator, ti: TaskInstance, hidden: Any
):
    """As on Airflow 3.1: what was sent before the form is in the form's state alone."""
    ti.store = None
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    person.run(ask)
    (file,) = wes_emulator.files("summer")
    person.respond_again(ask, chose(THERE, "nobody"))
    assert person.respond(ask, chose(THERE, file["_id"])) == file["_id"]
    assert len(wes_emulator.files("summer")) == 1


@forms
@pytest.mark.parametrize(
    "attempt", [TaskInstance.retry, TaskInstance.clear], ids=["a retry", "a clear"]
)
def test_another_attempt_while_it_waits_asks_again_and_uploads_nothing(
    person: Person,
    wes_emulator: Emulator,
    ti: TaskInstance,
    hidden: Any,
    attempt: Callable[[TaskInstance, Any], Any],
):
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    person.run(ask)
    person.until_waiting(lambda: attempt(ti, ask))
    assert len(person.shown) == 2
    assert len(wes_emulator.requests_for(UPLOAD)) == 1


@forms
def test_a_second_file_in_doubt_fails_and_is_asked_about_in_the_next_attempt(
    person: Person, wes_emulator: Emulator, ti: TaskInstance, hidden: Any
):
    """Airflow does not replace the text of an attempt's form."""
    make = replenish(urls(2), on_unknown="ask")
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=2)
    person.run(make)
    (first,) = wes_emulator.files("summer")
    with fails("Perhaps uploaded"):
        person.respond(make, chose(THERE, first["_id"]))
    person.until_waiting(lambda: ti.clear(make))
    assert "part-1" in person.shown[-1].subject
    second = wes_emulator.files("summer")[1]
    assert person.respond(make, chose(THERE, second["_id"])) == [first["_id"], second["_id"]]


@forms
@pytest.mark.parametrize("option", [THERE, NOT_THERE], ids=["it is there", "it is not there"])
def test_a_response_to_a_form_about_another_file_decides_nothing(
    option: str, person: Person, wes_emulator: Emulator, hidden: Any
):
    """Airflow may show the form of an earlier attempt, whose text it does not replace."""
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    person.run(ask)
    fields = {"identifier_of_another_file": "f"}
    with fails("about something else. Clear the task"):
        person.respond(ask, {"chosen_options": [option], "params_input": fields})
    assert len(wes_emulator.files("summer")) == 1


@forms
@pytest.mark.parametrize("option", [THERE, NOT_THERE], ids=["it is there", "it is not there"])
@pytest.mark.parametrize("fields", [{}, None], ids=["no field", "no fields at all"])
def test_a_response_without_the_forms_field_decides_nothing_and_says_so(
    option: str, fields: Any, person: Person, wes_emulator: Emulator, hidden: Any
):
    """Airflow's API lets it out; the field shows which form it is."""
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    person.run(ask)
    with fails("has no field identifier_.*give it in params_input, also if it is empty"):
        person.respond(ask, {"chosen_options": [option], "params_input": fields})
    assert len(wes_emulator.files("summer")) == 1


@forms
def test_an_operator_in_the_code_of_another_task_fails_instead_of_asking(
    ti: TaskInstance, wes_emulator: Emulator, hidden: Any
):
    """A lost upload that the list does not show fails with "Perhaps uploaded"."""
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    ti.task_id = "another"
    with fails("Perhaps uploaded"):
        ti.run(ask)


def test_without_on_unknown_a_task_fails_instead_of_asking(
    ti: TaskInstance, wes_emulator: Emulator, hidden: Any
):
    """A lost upload that the list does not show fails with "Perhaps uploaded"."""
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    with fails("Perhaps uploaded"):
        ti.run(upload())


class Wrong(NamedTuple):
    """Arguments that are refused, and what the error says of them."""

    name: str
    arguments: dict[str, Any]
    says: str


ARGUMENTS = [
    Wrong("another word", {"on_unknown": "guess"}, "on_unknown"),
    Wrong("no time", {"decision_timeout": 0}, "decision_timeout"),
    Wrong("a time in words", {"decision_timeout": "a day"}, "decision_timeout"),
]


@pytest.mark.parametrize("row", ARGUMENTS, ids=[row.name for row in ARGUMENTS])
def test_a_wrong_argument_is_named_when_the_dag_is_parsed(row: Wrong):
    with pytest.raises(WesConfigurationError, match=row.says):
        upload(**row.arguments)()


@pytest.mark.skipif(has_forms(), reason="Airflow 3.1 and later have forms")
def test_before_airflow_3_1_there_are_no_forms():
    with pytest.raises(WesConfigurationError, match="needs Airflow 3"):
        ask()


# -- catalogs --------------------------------------------------------------------------------------


def catalog(**arguments: Any) -> WesCreateCatalogOperator:
    """An operator that asks if the outcome is unknown."""
    return WesCreateCatalogOperator(
        task_id="replenish",
        name="goods",
        price_currency="EUR",
        attributes=[{"name": "id", "type": "string"}],
        on_unknown="ask",
        **arguments,
    )


NO_IDENTIFIER = faults.error(201, body=b"{}", effect=True)
"""A 201 that says nothing of the catalog, which is created."""


@forms
def test_the_form_about_a_catalog_says_what_when_why_and_where_to_look(
    person: Person, wes_emulator: Emulator
):
    wes_emulator.fail("create_catalog", NO_IDENTIFIER)
    person.run(catalog)
    (form,) = person.shown
    assert form.subject == "Was catalog goods created?"
    for text in ("**goods**", " UTC", "holds no identifier", "service's console"):
        assert text in form.body


@forms
def test_the_catalog_whose_identifier_a_person_gives_is_the_tasks_in_a_retry_as_well(
    person: Person, wes_emulator: Emulator, ti: TaskInstance
):
    wes_emulator.fail("create_catalog", NO_IDENTIFIER)
    person.run(catalog)
    ((catalog_id, _),) = wes_emulator.catalogs.items()
    assert person.respond(catalog, chose(THERE, catalog_id)) == catalog_id
    assert ti.retry(catalog) == catalog_id


@forms
def test_a_form_about_a_catalog_without_an_identifier_asks_again(
    person: Person, wes_emulator: Emulator
):
    wes_emulator.fail("create_catalog", NO_IDENTIFIER)
    person.run(catalog)
    person.respond_again(catalog, chose(THERE))
    assert len(person.shown) == 2


@forms
def test_a_catalog_that_a_person_calls_not_there_is_created(person: Person, wes_emulator: Emulator):
    wes_emulator.fail("create_catalog", faults.error(201, body=b"{}"))
    person.run(catalog)
    catalog_id = person.respond(catalog, chose(NOT_THERE))
    assert list(wes_emulator.catalogs) == [catalog_id]


@forms
def test_a_name_that_is_taken_after_a_lost_response_is_asked_about(
    person: Person, wes_emulator: Emulator
):
    wes_emulator.fail("create_catalog", faults.reply_lost())
    person.run(catalog)
    ((catalog_id, _),) = wes_emulator.catalogs.items()
    assert person.respond(catalog, chose(THERE, catalog_id)) == catalog_id


@forms
def test_a_catalog_of_an_attempt_that_was_killed_is_asked_about(
    person: Person, wes_emulator: Emulator, ti: TaskInstance, mocker: MockerFixture
):
    """The service has created it, and the process that would have kept the identifier is gone."""
    kept = mocker.patch("wes_provider.operators.catalogs.CatalogRecords.keep", autospec=True)
    kept.side_effect = KeyboardInterrupt
    with pytest.raises(KeyboardInterrupt):
        ti.run(catalog)
    mocker.stop(kept)
    ti.store = Store()
    person.until_waiting(lambda: ti.retry(catalog))
    assert "may have been created by an earlier attempt" in person.shown[-1].body
    ((catalog_id, _),) = wes_emulator.catalogs.items()
    assert person.respond(catalog, chose(THERE, catalog_id)) == catalog_id


@forms
@pytest.mark.parametrize("ending", ENDINGS, ids=[ending.id for ending in ENDINGS])
def test_without_a_decision_about_a_catalog_the_error_asks_for_the_variable(
    ending: Ending, person: Person, wes_emulator: Emulator
):
    wes_emulator.fail("create_catalog", NO_IDENTIFIER)
    person.run(catalog)
    with pytest.raises((WesError, AirflowFailException), match="wes_decision_") as raised:
        person.respond(catalog, ending.event)
    assert ending.says in str(raised.value)


@forms
@pytest.mark.parametrize("away", ["list_coupon_files", "get_coupon_file"])
def test_an_accepted_upload_that_only_the_form_knows_is_asked_about_again(
    wes_emulator: Emulator, ti: TaskInstance, person: Person, away: str
):
    """Without a state store, a retry would not know that the service accepted it."""
    ti.store = None
    wes_emulator.fail(UPLOAD, faults.empty(effect=False), times=1)
    person.run(ask)
    wes_emulator.fail(away, faults.error(503), times=10)
    person.respond_again(ask, chose(THERE, "some-file"))
    assert len(wes_emulator.requests_for(UPLOAD)) == 1


class ForgetsAcceptances(Store):
    """A store that is away whenever it is to note that a request of this generation is accepted."""

    def set(self, key: str, value: Any, *, retention: Any = None) -> None:
        if value.get("accepted_in") == value["generation"]:
            raise RuntimeError("the store is away")
        super().set(key, value, retention=retention)


@forms
def test_an_acceptance_of_before_the_clear_does_not_stand_for_one_that_only_the_form_knows(
    wes_emulator: Emulator, ti: TaskInstance, person: Person
):
    wes_emulator.fail(UPLOAD, faults.empty(effect=False), times=2)
    with pytest.raises(WesUnknownOutcomeError, match="accepted"):
        ti.run(upload())
    ti.clear()
    assert ti.store is not None
    values = ti.store.values
    ti.store = ForgetsAcceptances()
    ti.store.values = values
    upload_anew = upload(on_duplicate="upload", on_unknown="ask")
    person.run(upload_anew)
    wes_emulator.fail("list_coupon_files", faults.error(503), times=10)
    wes_emulator.fail("get_coupon_file", faults.error(503), times=10)
    person.respond_again(upload_anew, chose(THERE, "some-file"))
    assert len(wes_emulator.requests_for(UPLOAD)) == 2, "one before the clear, one after it"


class Told(NamedTuple):
    """Notifiers, given alone or in a list, and how many messages they get of one form."""

    name: str
    are_listed: bool
    number: int
    messages: int


TOLD = [
    Told("one", are_listed=False, number=1, messages=1),
    Told("one in a list", are_listed=True, number=1, messages=1),
    Told("two", are_listed=True, number=2, messages=2),
    Told("none", are_listed=True, number=0, messages=0),
]


@forms
@pytest.mark.parametrize("row", TOLD, ids=[row.name for row in TOLD])
def test_who_is_to_know_is_told_when_the_form_is_there(
    person: Person, wes_emulator: Emulator, hidden: Any, row: Told
):
    told: list[Any] = []
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    notifiers: Any = [told.append] * row.number if row.are_listed else told.append
    person.run(upload(on_unknown="ask", notifiers=notifiers))
    assert len(told) == row.messages
    for context in told:
        assert isinstance(context["exception"], WesUnknownOutcomeError)


@forms
def test_people_are_told_of_a_form_that_is_there(
    person: Person, wes_emulator: Emulator, hidden: Any
):
    forms_then: list[int] = []
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    person.run(upload(on_unknown="ask", notifiers=lambda _: forms_then.append(len(person.shown))))
    assert forms_then == [1]


@forms
def test_each_notifier_gets_a_context_of_its_own(
    person: Person, wes_emulator: Emulator, hidden: Any
):
    """Airflow's notifiers write their fields into it."""
    seen: list[set[str]] = []

    def notify(context: Any) -> None:
        seen.append({"text"} & set(context))
        context["text"] = "mine"

    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    person.run(upload(on_unknown="ask", notifiers=[notify, notify]))
    assert seen == [set(), set()]


@forms
def test_a_notifier_that_fails_is_logged_and_the_task_waits(
    person: Person, wes_emulator: Emulator, hidden: Any, capsys: pytest.CaptureFixture[str]
):
    told: list[Any] = []

    def fail(_: Any) -> None:
        raise OSError("Slack is down")

    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    person.run(upload(on_unknown="ask", notifiers=[fail, told.append]))
    assert len(person.shown) == len(told) == 1
    log = capsys.readouterr().out
    assert "A notifier failed: nobody may know that the task waits for a person" in log
    assert "Slack is down" in log


@forms
def test_people_are_told_again_if_they_are_asked_again(
    person: Person, wes_emulator: Emulator, hidden: Any
):
    told: list[Any] = []
    make = upload(on_unknown="ask", notifiers=told.append)
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    person.run(make)
    person.respond_again(make, chose(THERE))
    assert len(told) == 2


def test_nobody_is_told_by_a_task_that_fails_without_a_form(
    ti: TaskInstance, wes_emulator: Emulator, hidden: Any
):
    told: list[Any] = []
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    with fails("Perhaps uploaded"):
        ti.run(upload(notifiers=told.append))
    assert told == []


@pytest.mark.parametrize("notifiers", ["alert", 7, None, [print, "alert"]])
def test_what_cannot_be_called_is_no_notifier(notifiers: Any):
    with pytest.raises(WesConfigurationError, match="notifiers takes a notifier of Airflow, or a"):
        upload(notifiers=notifiers)()
