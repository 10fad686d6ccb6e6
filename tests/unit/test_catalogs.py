"""What the catalog operator refuses when a DAG is parsed."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from support.attempts import Store
from wes_provider.catalog_records import Remembered, Schema, recall
from wes_provider.emulator import Emulator, faults
from wes_provider.exceptions import WesConfigurationError
from wes_provider.operators import WesCreateCatalogOperator


def test_if_exists_is_checked_when_the_dag_is_parsed():
    with pytest.raises(WesConfigurationError, match="if_exists takes fail or adopt, not 'replace'"):
        WesCreateCatalogOperator(task_id="t", name="n", price_currency="EUR", attributes=[], if_exists="replace")


def test_on_schema_change_is_checked_when_the_dag_is_parsed():
    with pytest.raises(WesConfigurationError, match="on_schema_change takes fail, warn or create, not 'replace'"):
        WesCreateCatalogOperator(task_id="t", name="n", price_currency="EUR", attributes=[], on_schema_change="replace")


@pytest.mark.parametrize(("name", "action"), [("goods", "create"), ("goods-{fingerprint}", "warn")])
def test_a_fingerprint_in_the_name_goes_with_create(name: str, action: str):
    with pytest.raises(WesConfigurationError, match="do not go together"):
        WesCreateCatalogOperator(task_id="t", name=name, price_currency="EUR", attributes=[], on_schema_change=action)


SCHEMA = Schema.of("EUR", [{"name": "id", "type": "string"}, {"name": "price", "type": "double"}])

CHANGES = {
    "none": (SCHEMA, []),
    "order": (Schema.of("EUR", [{"type": "double", "name": "price"}, {"name": "id", "type": "string"}]), []),
    "currency": (Schema("USD", SCHEMA.attributes), ["price_currency: EUR became USD"]),
    "type": (
        Schema.of("EUR", [{"name": "id", "type": "string"}, {"name": "price", "type": "string"}]),
        ["attribute price: type double became string"],
    ),
    "name": (
        Schema.of("EUR", [{"name": "id", "type": "string"}, {"name": "cost", "type": "double"}]),
        ["attribute cost: added", "attribute price: removed"],
    ),
    "unknown field": (
        Schema.of("EUR", [{"name": "id", "type": "string", "unique": True}, {"name": "price", "type": "double"}]),
        ["attribute id: unique None became True"],
    ),
}


@pytest.mark.parametrize(("after", "changes"), CHANGES.values(), ids=CHANGES)
def test_a_schema_change_is_reported_and_changes_the_fingerprint(after: Schema, changes: list[str]):
    assert SCHEMA.changes(after) == changes
    assert (SCHEMA.fingerprint == after.fingerprint) is (not changes)
    assert Schema.load(after.dump()) == after


def test_the_fingerprint_stays_the_same_for_good():
    """It is in the names of catalogs."""
    assert SCHEMA.fingerprint == "19386cddf966"


def test_a_record_of_an_older_version_is_read():
    """Version 1, as it stands in databases."""
    found = Remembered.of({"name": "n", "catalog_id": "c", "catalog": {"catalog_id": "c"}, "later": 1}, "somewhere")
    assert (found.catalog_id, found.response, found.schema) == ("c", {"catalog_id": "c"}, None)


def test_in_a_loop_no_xcom_of_an_earlier_run_is_read():
    """Airflow 3.4 fails a task that tries to."""
    ti = SimpleNamespace(task_id="t", map_index=-1)  # it has no xcom_pull
    task = WesCreateCatalogOperator(task_id="t", name="n", price_currency="EUR", attributes=[])
    assert recall(task, {"ti": ti, "loop": SimpleNamespace(index=1)}, "n") is None


def create(store: Store | None, *, try_number: int, max_tries: int = 0) -> Any:
    """One attempt of a task that creates a catalog."""
    ti = SimpleNamespace(
        try_number=try_number, max_tries=max_tries, task_id="t", map_index=-1, xcom_push=lambda key, value: None
    )
    stores = {} if store is None else {"task_state_store": store}
    return WesCreateCatalogOperator(task_id="t", name="goods", price_currency="EUR", attributes=[]).execute(
        {"ti": ti, **stores}
    )


def test_that_an_earlier_attempt_may_have_created_it_is_remembered_over_clears(wes_emulator: Emulator):
    wes_emulator.fail("create_catalog", faults.reply_lost())
    store = Store()
    for try_number in (1, 2, 3):
        with pytest.raises(Exception, match="An earlier attempt probably created catalog 'goods'"):
            create(store, try_number=try_number, max_tries=try_number - 1)
    assert len(wes_emulator.catalogs) == 1


@pytest.mark.parametrize("store", [Store(), None], ids=["wiped store", "no store"])
def test_without_a_record_an_earlier_attempt_may_have_created_it(wes_emulator: Emulator, store: Store | None):
    create(Store(), try_number=1)
    with pytest.raises(Exception, match="An earlier attempt probably created catalog 'goods'"):
        create(store, try_number=2)


def test_after_a_refusal_for_sure_no_earlier_attempt_is_blamed(wes_emulator: Emulator):
    create(Store(), try_number=1)
    store = Store()
    for try_number in (1, 2):
        with pytest.raises(Exception, match="409") as caught:
            create(store, try_number=try_number)
        assert "an earlier attempt" not in str(caught.value)
