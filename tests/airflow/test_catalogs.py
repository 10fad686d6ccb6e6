"""
The catalog operator through real task runs; what it decides is tested in ``unit/test_catalogs.py``.
The tests of sources read one run of ``support/dags/catalogs_from_anywhere.py``.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import pytest

from support.airflow_site import AIRFLOW_VERSION, AirflowSite, Run
from wes_provider.emulator import Emulator

ATTRIBUTES = [{"name": "id", "type": "string"}]


class Created(NamedTuple):
    """A run of all tasks, and the catalogs after it, by identifier."""

    run: Run
    catalogs: dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def created(module_site: AirflowSite, module_emulator: Emulator) -> Created:
    module_emulator.reset()
    (module_site.dags / "attributes.json").write_text(json.dumps(ATTRIBUTES))
    run = module_site.run(module_site.write_dag_file("catalogs_from_anywhere", dag_id="catalogs"))
    return Created(run, module_emulator.catalogs)


class Source(NamedTuple):
    """What gives the attributes of a task's catalog, whose name is rendered, too."""

    name: str
    task_id: str
    catalog: str
    attributes: list[dict[str, str]]


SOURCES = [
    Source(
        "objects with templates",
        "objects",
        "winter-catalogs",
        [*ATTRIBUTES, {"name": "price_2", "type": "double"}],
    ),
    Source("a file", "file", "b", ATTRIBUTES),
    Source("the result of a task", "output", "c", ATTRIBUTES),
    Source("a template that renders JSON", "json", "d", ATTRIBUTES),
    Source("none, of a task that fails after it", "fails", "e", []),
]


@pytest.mark.parametrize("row", SOURCES, ids=lambda row: row.name)
def test_a_catalog_is_created_from_whatever_gives_its_attributes(created: Created, row: Source):
    catalog = created.catalogs[created.run.xcom(row.task_id)]
    assert (catalog["name"], catalog["attributes"]) == (row.catalog, row.attributes)


def test_each_task_creates_one_catalog(created: Created):
    assert len(created.catalogs) == len(SOURCES)


def test_only_the_task_whose_post_execute_fails_does(created: Created):
    states = created.run.states()
    assert [task_id for task_id, state in states.items() if state != "success"] == ["fails"]


def test_a_task_has_its_catalogs_identifier_in_the_xcom_catalog_too(created: Created):
    assert created.run.xcom("objects", "catalog")["catalog_id"] == created.run.xcom("objects")


ADOPTING = """
    from wes_provider.assets import catalog

    common = dict(price_currency="{{ dag_run.conf['currency'] }}", attributes=[], if_exists="adopt", retries=3)
    WesCreateCatalogOperator(task_id="t", name="{{ dag_run.conf['name'] }}", **common)
    WesCreateCatalogOperator(
        task_id="outlet", name="{{ dag_run.conf['name'] }}-outlet", outlets=[catalog("goods")],
        on_schema_change="warn", **common
    )
"""


@pytest.mark.ci("unit/test_catalogs has each store")
def test_a_catalog_of_an_earlier_run_is_adopted_unless_its_schema_changed(
    module_site: AirflowSite, module_emulator: Emulator
):
    """With an outlet, where Airflow 3.3 keeps the identifier with the asset, and without."""
    dag_id = module_site.write_tasks(ADOPTING)
    # Airflow 3.0 runs no task with outlets that it does not know.
    module_site.airflow("dags", "reserialize")
    module_emulator.reset()
    created = {}
    for name in ("one", "two", "one"):
        run = module_site.run(dag_id, conf={"name": name, "currency": "EUR"})
        assert run.state == "success"
        for task_id, catalog in (("t", name), ("outlet", f"{name}-outlet")):
            catalog_id = created.setdefault(catalog, run.xcom(task_id))
            assert run.xcom(task_id) == catalog_id
            assert run.xcom(task_id, "catalog") == {"catalog_id": catalog_id}
    assert {
        catalog["name"]: catalog_id for catalog_id, catalog in module_emulator.catalogs.items()
    } == created
    changed = module_site.run(dag_id, conf={"name": "one", "currency": "USD"})
    assert changed.states() == {"t": "failed", "outlet": "success"}
    assert changed.ti("t").try_number == 1, "a retry cannot help"
    assert "catalog 'one' exists with another schema: " in changed.exception("t").message
    assert "return_value" not in changed.xcoms("t")
    assert changed.xcom("outlet") == created["one-outlet"]
    for task_id in ("t", "outlet"):
        assert changed.xcom(task_id, "schema_changes") == ["price_currency was EUR and is now USD"]
    if AIRFLOW_VERSION != (2, 11):  # whose dags test stores no event
        table = "dataset_event" if AIRFLOW_VERSION < (3, 0) else "asset_event"
        event = json.loads(module_site.rows(f"SELECT extra FROM {table} ORDER BY id")[-1].extra)
        assert event["schema_changes"] == ["price_currency was EUR and is now USD"]
