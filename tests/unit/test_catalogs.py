"""The catalog operator: what it refuses, and what it finds again."""

from __future__ import annotations

import re
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import AirflowFailException

from support.attempts import Store, TaskInstance
from wes_provider.emulator import Emulator, faults
from wes_provider.exceptions import WesConfigurationError, WesError
from wes_provider.operators import WesCreateCatalogOperator
from wes_provider.operators.catalogs import CatalogRecord

ATTRIBUTES = [{"name": "id", "type": "string"}, {"name": "price", "type": "double"}]


def operator(**arguments: Any) -> WesCreateCatalogOperator:
    given: dict[str, Any] = {"task_id": "t", "name": "goods", "price_currency": "EUR", "attributes": ATTRIBUTES}
    return WesCreateCatalogOperator(**{**given, **arguments})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"if_exists": "replace"}, "if_exists takes fail or adopt, not 'replace'"),
        ({"on_schema_change": "create"}, "on_schema_change takes fail or warn, not 'create'"),
        ({"price_currency": "eur"}, "Write it in capitals"),
        ({"attributes": [{"name": "id"}]}, r"attributes\[0\].type takes a text"),
    ],
)
def test_arguments_are_checked_when_the_dag_is_parsed(arguments: dict[str, Any], message: str):
    with pytest.raises(WesConfigurationError, match=message):
        operator(**arguments)


def record(currency: str = "EUR", attributes: Any = ATTRIBUTES) -> CatalogRecord:
    return CatalogRecord("goods", "c1", currency, attributes, None)


CHANGES: list[tuple[CatalogRecord, list[str]]] = [
    (record(), []),
    (record(attributes=ATTRIBUTES[::-1]), []),
    (record("USD"), ["price_currency: EUR became USD"]),
    (
        record(attributes=[ATTRIBUTES[0], {"name": "price", "type": "string"}]),
        ["attribute price: type double became string"],
    ),
    (
        record(attributes=[ATTRIBUTES[0], {"name": "cost", "type": "double"}]),
        ["attribute cost: type none became double", "attribute price: type double became none"],
    ),
]


@pytest.mark.parametrize(("after", "changes"), CHANGES)
def test_a_schema_change_is_reported(after: CatalogRecord, changes: list[str]):
    assert sorted(record().changes(after)) == sorted(changes)


@pytest.fixture
def ti() -> TaskInstance:
    return TaskInstance(task_id="t")


def test_the_identifier_that_an_earlier_attempt_got_is_returned(wes_emulator: Emulator, ti: TaskInstance):
    catalog_id = ti.run(operator)
    assert ti.retry(operator) == catalog_id
    assert len(wes_emulator.catalogs) == 1
    assert len(wes_emulator.requests_for("create_catalog")) == 1


def test_a_cleared_task_adopts_the_catalog_that_it_created(wes_emulator: Emulator, ti: TaskInstance):
    created = ti.run(lambda: operator(if_exists="adopt"))
    assert ti.clear(lambda: operator(if_exists="adopt")) == created
    with pytest.raises((WesError, AirflowFailException), match="409"):
        ti.clear(operator)


@pytest.mark.parametrize("broken", ["return_value", "catalog"])
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


def test_a_person_decides_about_an_identifier_that_got_lost(wes_emulator: Emulator, ti: TaskInstance):
    wes_emulator.fail("create_catalog", faults.garbage(b"{}"), times=1)
    with pytest.raises((WesError, AirflowFailException)) as raised:
        ti.run(operator)
    (catalog_id,) = wes_emulator.catalogs
    assert "Look for catalog 'goods' in the service's console" in str(raised.value)
    assert "red-task.html#a-person-decides" in str(raised.value)
    (variable,) = re.findall(r"Airflow Variable (\S+)\nto its identifier", str(raised.value))
    ti.variables[variable] = catalog_id
    ti.store = Store()
    assert ti.clear(operator) == catalog_id
    assert ti.xcoms["return_value"] == catalog_id
    assert len(wes_emulator.requests_for("create_catalog")) == 1


def test_a_name_that_is_taken_says_what_to_do(wes_emulator: Emulator, ti: TaskInstance):
    operator().hook.create_catalog("goods", "EUR", ATTRIBUTES)
    with pytest.raises((WesError, AirflowFailException), match="409") as raised:
        ti.run(operator)
    assert "Airflow Variable wes_decision_wes_catalog_" in str(raised.value)
    assert len(wes_emulator.catalogs) == 1
