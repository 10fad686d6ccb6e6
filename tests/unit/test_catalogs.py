"""
The catalog operator. An identifier that this run has got is returned by a retry without another
request, also if the attempt was killed while it kept it, or if an XCom or the store was away.

With ``if_exists="adopt"``, a name that is taken (409) gives the catalog that an earlier attempt or
run of this task, or a task with the catalog's asset as an outlet, has created; of several mapped
tasks' records the newest counts. Of another run that is creating it, the identifier is waited for,
for 60 s. Another name, workspace or host, or another refusal, adopts nothing. Another schema, but
for the order of attributes, is an error, or with ``on_schema_change="warn"`` a warning, and is in
the XCom ``schema_changes``. Without ``if_exists``, a taken name is an error that says what to do.

A 201 without an identifier where the extra ``paths.catalog_id`` has it is permanent: its response
is kept, and a person gives the identifier, or calls the catalog absent, in an Airflow Variable. An
unknown type and more than 50 attributes are warned of, and sent.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import pytest
from airflow.providers.common.compat.sdk import AirflowFailException

from support.attempts import Store, TaskInstance
from wes_provider import assets
from wes_provider.emulator import Emulator, faults
from wes_provider.exceptions import WesError
from wes_provider.operators import WesCreateCatalogOperator, catalogs
from wes_provider.operators.catalog_records import CatalogRecord, CatalogRecords

if TYPE_CHECKING:
    from pytest_mock import MockerFixture

ATTRIBUTES = [{"name": "id", "type": "string"}, {"name": "price", "type": "double"}]


def operator(**arguments: Any) -> WesCreateCatalogOperator:
    given: dict[str, Any] = {
        "task_id": "t",
        "name": "goods",
        "price_currency": "EUR",
        "attributes": ATTRIBUTES,
    }
    return WesCreateCatalogOperator(**{**given, **arguments})


def fails(message: str) -> Any:
    return pytest.raises((WesError, AirflowFailException), match=message)


def record(currency: str = "EUR", attributes: Any = ATTRIBUTES) -> CatalogRecord:
    return CatalogRecord("goods", "c1", currency, attributes, None)


class Change(NamedTuple):
    """A later record of the catalog, and what has changed."""

    after: CatalogRecord
    changes: list[str]


ID, PRICE = ATTRIBUTES
CHANGES = {
    "nothing": Change(record(), []),
    "the order of attributes": Change(record(attributes=[PRICE, ID]), []),
    "the currency": Change(record("USD"), ["price_currency was EUR and is now USD"]),
    "a property that was not given": Change(
        record(attributes=[{**ID, "key": True}, PRICE]),
        ["key of attribute id was not given and is now True"],
    ),
    "a type": Change(
        record(attributes=[ID, {"name": "price", "type": "string"}]),
        ["type of attribute price was double and is now string"],
    ),
    "a name": Change(
        record(attributes=[ID, {"name": "cost", "type": "double"}]),
        ["attribute cost was added", "attribute price was removed"],
    ),
}


@pytest.mark.parametrize("row", CHANGES.values(), ids=CHANGES)
def test_changes_of_currency_and_attributes_but_for_their_order_are_reported(row: Change):
    assert sorted(record().changes_to(row.after)) == sorted(row.changes)


@pytest.fixture
def ti() -> TaskInstance:
    """A task instance with a task state store, as Airflow 3.3 has."""
    return TaskInstance(task_id="t")


@pytest.fixture(autouse=True)
def pauses(mocker: MockerFixture) -> Any:
    """Seconds that the operator has waited for another run; time passes at once."""
    return mocker.patch.object(catalogs.time, "sleep", autospec=True)


def test_the_identifier_that_an_earlier_attempt_got_is_returned_without_another_request(
    wes_emulator: Emulator, ti: TaskInstance
):
    catalog_id = ti.run(operator)
    assert ti.retry(operator) == catalog_id
    assert len(wes_emulator.requests_for("create_catalog")) == 1


def test_a_task_that_pushes_no_result_keeps_the_identifier_of_its_catalog_as_an_xcom(
    wes_emulator: Emulator, ti: TaskInstance
):
    ti.run(lambda: operator(do_xcom_push=False))
    assert "return_value" not in ti.xcoms
    assert [ti.xcoms["catalog"]["catalog_id"]] == list(wes_emulator.catalogs)


def test_the_identifier_is_kept_with_the_catalogs_asset(wes_emulator: Emulator):
    goods = assets.catalog("goods")
    stores, make = {goods: Store()}, lambda: operator(outlets=[goods], if_exists="adopt")
    created = (ti := TaskInstance(task_id="t", assets=stores)).run(make)
    assert TaskInstance(task_id="t", run_id="later", assets=stores).run(make) == created
    assert ti.retry(lambda: operator(outlets=[goods])) == created, "and as the task's own"


def test_a_catalog_that_another_run_is_creating_is_adopted(
    wes_emulator: Emulator, ti: TaskInstance, pauses: Any
):
    goods = assets.catalog("goods")
    stores = {goods: Store()}
    make = lambda: operator(outlets=[goods], if_exists="adopt")  # noqa: E731
    created = operator().hook.create_catalog("goods", "EUR", ATTRIBUTES)

    def get_its_response(seconds: float) -> None:
        if pauses.call_count == 3:
            other = TaskInstance(task_id="t", run_id="other", assets=stores)
            records = CatalogRecords(
                other, other.attempt(), operator().hook.settings, [goods], "goods"
            )
            records.keep(msgspec.structs.replace(record(), catalog_id=created), return_value=True)

    pauses.side_effect = get_its_response
    assert TaskInstance(task_id="t", assets=stores).run(make) == created
    assert pauses.call_count == 3


def test_another_runs_creation_is_waited_for_as_long_as_one_can_take(
    wes_emulator: Emulator, ti: TaskInstance, pauses: Any
):
    operator().hook.create_catalog("goods", "EUR", ATTRIBUTES)
    with fails("nor did one within 60 s"):
        ti.run(lambda: operator(**ADOPT))
    assert sum(call.args[0] for call in pauses.call_args_list) == 60


def test_of_several_mapped_tasks_the_newest_record_counts(wes_emulator: Emulator, ti: TaskInstance):
    """Whichever the map index is: one may have been created again."""
    wes_emulator.fail("create_catalog", faults.error(409))
    by_map_index = [
        msgspec.to_builtins(msgspec.structs.replace(record(), catalog_id=catalog_id, created_at=at))
        for catalog_id, at in (("old", 1.0), ("new", 3.0), ("older", 2.0))
    ]
    ti.xcom_pull = lambda **_: by_map_index  # type: ignore[method-assign]
    assert ti.run(lambda: operator(**ADOPT)) == "new"


ADOPT = {"if_exists": "adopt"}
USD = "price_currency was EUR and is now USD"


class Adopts(NamedTuple):
    """Arguments of a cleared task that adopts its catalog, and the changes that it reports."""

    arguments: dict[str, Any]
    changes: list[str] | None = None


ADOPTS = {
    "the same schema": Adopts(ADOPT),
    "another order of attributes": Adopts({**ADOPT, "attributes": ATTRIBUTES[::-1]}),
    "another schema, with a warning": Adopts(
        {**ADOPT, "price_currency": "USD", "on_schema_change": "warn"}, [USD]
    ),
}


@pytest.mark.parametrize("row", ADOPTS.values(), ids=ADOPTS)
def test_a_cleared_task_adopts_the_catalog_that_it_created(
    wes_emulator: Emulator, ti: TaskInstance, row: Adopts, logged: Callable[[], str]
):
    created = ti.run(operator)
    for _ in range(2):
        assert ti.clear(lambda: operator(**row.arguments)) == created
        assert ti.xcoms.get("schema_changes") == row.changes
        is_warned = "The schema has changed since catalog" in logged()
        assert is_warned == bool(row.changes)


class Refuses(NamedTuple):
    """Arguments of a cleared task that does not adopt its catalog, and why."""

    arguments: dict[str, Any]
    error: str
    changes: list[str] | None = None


REFUSES = {
    "another schema": Refuses(
        {**ADOPT, "price_currency": "USD"},
        f"catalog 'goods' exists with another schema: {USD}",
        [USD],
    ),
    "if_exists is left out": Refuses(
        {}, "(?s)409.*Its identifier is '.*': to take it, set if_exists='adopt'"
    ),
}


@pytest.mark.parametrize("row", REFUSES.values(), ids=REFUSES)
def test_a_cleared_task_that_may_not_adopt_its_catalog_fails_and_keeps_its_identifier(
    wes_emulator: Emulator, ti: TaskInstance, row: Refuses
):
    ti.run(operator)
    for _ in range(2):
        with fails(row.error):
            ti.clear(lambda: operator(**row.arguments))
        assert "return_value" not in ti.xcoms
        assert any(key.startswith("wes_catalog_") for key in ti.xcoms)
        assert ti.xcoms.get("schema_changes") == row.changes


def test_no_catalog_is_adopted_after_a_refusal_that_is_not_about_its_name(
    wes_emulator: Emulator, ti: TaskInstance
):
    ti.run(lambda: operator(**ADOPT))
    wes_emulator.fail("create_catalog", faults.error(403))
    with fails("403"):
        ti.clear(lambda: operator(**ADOPT))


def test_a_catalog_of_another_name_is_not_adopted(wes_emulator: Emulator, ti: TaskInstance):
    created = ti.run(lambda: operator(**ADOPT))
    assert ti.clear(lambda: operator(name="another", **ADOPT)) != created


def test_the_catalog_of_each_workspace_is_adopted_there_alone(
    wes_emulator: Emulator, ti: TaskInstance, monkeypatch: pytest.MonkeyPatch
):
    wes_emulator.configure(
        workspaces={"other": {"api_key": "other-key", "data_api_key": "other-data"}}
    )
    created = ti.run(lambda: operator(**ADOPT))
    other = {"conn_type": "wes", **wes_emulator.connection(workspace="other")}
    monkeypatch.setenv("AIRFLOW_CONN_WES_DEFAULT", json.dumps(other))
    in_the_other = ti.clear(lambda: operator(**ADOPT))
    assert in_the_other != created
    assert ti.clear(lambda: operator(**ADOPT)) == in_the_other


ELSEWHERE: dict[str, Callable[[Emulator], dict[str, Any]]] = {
    "another workspace": lambda _: {"login": "third"},
    "another host": lambda emulator: {
        "host": emulator.connection()["host"].replace("127.0.0.1", "localhost")
    },
}


@pytest.mark.parametrize("fields", ELSEWHERE.values(), ids=ELSEWHERE)
def test_a_name_that_is_taken_elsewhere_is_not_that_of_the_catalog_that_the_task_created(
    wes_emulator: Emulator,
    ti: TaskInstance,
    monkeypatch: pytest.MonkeyPatch,
    fields: Callable[[Emulator], dict[str, Any]],
):
    ti.run(lambda: operator(**ADOPT))
    connection = wes_emulator.connection(**fields(wes_emulator))
    monkeypatch.setenv("AIRFLOW_CONN_WES_DEFAULT", json.dumps(connection))
    wes_emulator.fail("create_catalog", faults.error(409))
    with fails("No run of this task got its identifier"):
        ti.clear(lambda: operator(**ADOPT))


@pytest.mark.parametrize("broken", ["return_value", "catalog", "wes_console_url"])
def test_an_identifier_that_no_xcom_can_keep_is_returned_by_the_retry(
    wes_emulator: Emulator, ti: TaskInstance, monkeypatch: pytest.MonkeyPatch, broken: str
):
    def push(key: str, value: Any) -> None:
        if key == broken:
            raise RuntimeError("the XCom backend is away")

    with monkeypatch.context() as patch:
        patch.setattr(ti, "xcom_push", push)
        with pytest.raises(RuntimeError, match="is away"):
            ti.run(operator)
    assert [ti.retry(operator)] == list(wes_emulator.catalogs)


class Killed(BaseException):
    """Stands for SIGKILL: nothing of ours may catch it."""


class KillsWriter(Store):
    """A store whose first write kills the process, before it or right after it."""

    def __init__(self, *, before: bool) -> None:
        super().__init__()
        self.before, self.written = before, 0

    def set(self, key: str, value: Any, *, retention: Any = None) -> None:
        self.written += 1
        if self.before and self.written == 1:
            raise Killed
        super().set(key, value, retention=retention)
        if self.written == 1:
            raise Killed


@pytest.mark.parametrize("before", [True, False], ids=["before the write", "after the write"])
def test_a_task_killed_while_it_keeps_an_identifier_returns_it_in_the_retry(
    wes_emulator: Emulator, before: bool
):
    """Also without ``if_exists="adopt"``: this run has created the catalog."""
    goods = assets.catalog("goods")
    ti = TaskInstance(task_id="t", assets={goods: KillsWriter(before=before)})
    make = lambda: operator(outlets=[goods])  # noqa: E731
    with pytest.raises(Killed):
        ti.run(make)
    assert [ti.retry(make)] == list(wes_emulator.catalogs)


def test_an_identifier_that_no_store_can_keep_is_in_the_xcoms(
    wes_emulator: Emulator, ti: TaskInstance, monkeypatch: pytest.MonkeyPatch
):
    def away(*args: Any, **kwargs: Any) -> None:
        raise RuntimeError("the store is away")

    monkeypatch.setattr(ti.store, "set", away)
    with pytest.raises(RuntimeError, match="is away"):
        ti.run(operator)
    assert [ti.xcoms["return_value"]] == list(wes_emulator.catalogs)


def variable_of(error: BaseException) -> str:
    (variable,) = re.findall(r"Airflow Variable (\S+)\nto its identifier", str(error))
    return str(variable)


def create_without_identifier(wes_emulator: Emulator, ti: TaskInstance) -> Any:
    """Create a catalog, whose identifier is where the connection does not look; the error."""
    wes_emulator.configure(catalog_id_property="result.key")
    with fails("Set extra paths.catalog_id to where the identifier is") as raised:
        ti.run(operator)
    return raised.value


def test_a_created_catalog_without_an_identifier_is_an_error_that_no_retry_helps(
    wes_emulator: Emulator, ti: TaskInstance, logged: Callable[[], str]
):
    """XCom and log have the response, and the error names the page about decisions."""
    error = create_without_identifier(wes_emulator, ti)
    (catalog_id,) = wes_emulator.catalogs
    assert isinstance(error, AirflowFailException) or error.permanent
    assert ti.xcoms["catalog"] == {"result": {"key": catalog_id}}
    assert catalog_id in logged()
    assert "red-task.html#a-person-decides" in str(error)


def test_a_catalog_that_a_person_calls_absent_is_created_again(
    wes_emulator: Emulator, ti: TaskInstance
):
    """It is there, so the service refuses its name with 409."""
    error = create_without_identifier(wes_emulator, ti)
    ti.variables[variable_of(error)] = "absent"
    with fails("409"):
        ti.clear(operator)
    assert len(wes_emulator.requests_for("create_catalog")) == 2


def test_the_identifier_that_a_person_gives_is_the_result_without_another_request(
    wes_emulator: Emulator, ti: TaskInstance
):
    """Also in the retry of a cleared task whose first attempt was killed, and has no record."""
    error = create_without_identifier(wes_emulator, ti)
    (catalog_id,) = wes_emulator.catalogs
    ti.variables[variable_of(error)] = "absent"
    with fails("409") as raised:
        ti.clear(operator)
    ti.variables[variable_of(raised.value)] = catalog_id
    ti.store = Store()
    ti.clear()  # and its first attempt is killed
    assert ti.retry(operator) == catalog_id
    assert ti.xcoms["return_value"] == catalog_id
    assert len(wes_emulator.requests_for("create_catalog")) == 2


def test_the_identifier_is_read_where_paths_catalog_id_of_the_connection_has_it(
    wes_emulator: Emulator, ti: TaskInstance, monkeypatch: pytest.MonkeyPatch
):
    wes_emulator.configure(catalog_id_property="result.key")
    found = wes_emulator.connection(extra={"paths": {"catalog_id": "result.key"}})
    monkeypatch.setenv("AIRFLOW_CONN_WES_DEFAULT", json.dumps(found))
    assert [ti.run(operator)] == list(wes_emulator.catalogs)


MAY_HAVE_TAKEN_EFFECT = "An earlier attempt of the request may have taken effect."


def check_what_to_do_about_a_taken_name(error: BaseException) -> None:
    assert "Look for catalog 'goods' in the service's console" in str(error)
    assert "Airflow Variable wes_decision_wes_catalog_" in str(error)


def test_a_name_that_others_have_taken_says_what_to_do(wes_emulator: Emulator, ti: TaskInstance):
    operator().hook.create_catalog("goods", "EUR", ATTRIBUTES)
    with fails("409") as raised:
        ti.run(operator)
    assert MAY_HAVE_TAKEN_EFFECT not in str(raised.value)
    check_what_to_do_about_a_taken_name(raised.value)
    assert len(wes_emulator.catalogs) == 1


def test_a_name_that_an_earlier_request_has_perhaps_taken_says_so_and_what_to_do(
    wes_emulator: Emulator, ti: TaskInstance
):
    wes_emulator.fail("create_catalog", faults.reply_lost())
    with fails("409") as raised:
        ti.run(operator)
    assert MAY_HAVE_TAKEN_EFFECT in str(raised.value)
    check_what_to_do_about_a_taken_name(raised.value)
    assert len(wes_emulator.catalogs) == 1


def test_attributes_as_the_contract_notes_them_pass_without_a_warning(
    wes_emulator: Emulator, ti: TaskInstance, logged: Callable[[], str]
):
    attributes = [{"name": f"a{number}", "type": "string"} for number in range(50)]
    ti.run(lambda: operator(attributes=attributes))
    assert "attribute" not in logged()


def test_attributes_of_an_unknown_type_pass_with_a_warning(
    wes_emulator: Emulator, ti: TaskInstance, logged: Callable[[], str]
):
    ti.run(lambda: operator(attributes=[{"name": "a", "type": "date", "unit": "s"}]))
    assert "unknown attribute types: date" in logged()


@pytest.mark.parametrize("name", ["id", "title", "link", "image_link"])
def test_an_attribute_that_the_contract_describes_as_a_string_passes_as_another_with_a_warning(
    wes_emulator: Emulator, ti: TaskInstance, logged: Callable[[], str], name: str
):
    ti.run(lambda: operator(attributes=[{"name": name, "type": "double"}]))
    assert f"attribute {name} has the type 'double'; in the contract it is a string" in logged()


def test_more_than_fifty_attributes_pass_with_a_warning(
    wes_emulator: Emulator, ti: TaskInstance, logged: Callable[[], str]
):
    attributes = [{"name": f"a{number}", "type": "string"} for number in range(51)]
    ti.run(lambda: operator(attributes=attributes))
    assert "51 attributes" in logged()


def test_attributes_are_sent_as_they_are(wes_emulator: Emulator, ti: TaskInstance):
    attributes = [{"name": "a", "type": "date", "unit": "s"}]
    ti.run(lambda: operator(attributes=attributes))
    (catalog,) = wes_emulator.catalogs.values()
    assert catalog["attributes"] == attributes
