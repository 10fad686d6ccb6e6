"""
The catalog operator through real task runs; what it decides is tested in ``unit/test_catalogs.py``.
The attributes of a catalog may be objects with templates, the name of a JSON file, the result of a
task, a template that renders JSON, or none. A task creates one catalog, also if it fails after
that; returns its identifier, and has it in the XCom ``catalog``, too.

With ``if_exists="adopt"``, a task returns the catalog that an earlier run created with this name,
also if a run with another name, which is another catalog, came between. If its currency is now
another, it fails without a retry and returns nothing; with ``on_schema_change="warn"`` it adopts
the catalog. The change is in the XCom ``schema_changes``, and in the asset's event. Tests of
sources read one run of ``support/dags/catalogs_from_anywhere.py``, those of adopted catalogs four
runs.
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
    WesCreateCatalogOperator(task_id="plain", name="{{ dag_run.conf['name'] }}", **common)
    WesCreateCatalogOperator(
        task_id="outlet", name="{{ dag_run.conf['name'] }}-outlet", outlets=[catalog("goods")],
        on_schema_change="warn", **common
    )
"""
TASKS = ["plain", "outlet"]
"""The task ``outlet`` has an asset, with which Airflow 3.3 keeps the identifier."""
by_task = pytest.mark.parametrize("task_id", TASKS, ids=["without an outlet", "with an outlet"])


class Adopting(NamedTuple):
    """
    Runs of two tasks with ``if_exists="adopt"``.

    :param first: of the name ``one``.
    :param other: of the name ``two``.
    :param again: of the name ``one``, after the other one.
    :param changed: of the name ``one``, with another currency.
    :param catalogs: the names of all catalogs after these runs, by identifier.
    :param event: of the asset that the last run has changed; None where ``dags test`` stores none.
    """

    first: Run
    other: Run
    again: Run
    changed: Run
    catalogs: dict[str, str]
    event: dict[str, Any] | None


@pytest.fixture(scope="module")
def adopting(module_site: AirflowSite, module_emulator: Emulator) -> Adopting:
    dag_id = module_site.write_tasks(ADOPTING)
    # Airflow 3.0 runs no task with outlets that it does not know.
    module_site.airflow("dags", "reserialize")
    module_emulator.reset()
    first, other, again, changed = (
        module_site.run(dag_id, conf={"name": name, "currency": currency})
        for name, currency in [("one", "EUR"), ("two", "EUR"), ("one", "EUR"), ("one", "USD")]
    )
    catalogs = {key: catalog["name"] for key, catalog in module_emulator.catalogs.items()}
    event = None
    if AIRFLOW_VERSION != (2, 11):
        table = "dataset_event" if AIRFLOW_VERSION < (3, 0) else "asset_event"
        event = json.loads(module_site.rows(f"SELECT extra FROM {table} ORDER BY id")[-1].extra)
    return Adopting(first, other, again, changed, catalogs, event)


CHANGES = ["price_currency was EUR and is now USD"]
ADOPTS = pytest.mark.ci("unit/test_catalogs has each store")


@ADOPTS
def test_two_names_are_two_catalogs(adopting: Adopting):
    created = [(run.xcom(task_id), task_id) for run in adopting[:2] for task_id in TASKS]
    names = ["one", "one-outlet", "two", "two-outlet"]
    assert adopting.catalogs == dict(zip([key for key, _ in created], names, strict=True))


@ADOPTS
@by_task
def test_a_catalog_of_an_earlier_run_is_adopted(adopting: Adopting, task_id: str):
    catalog_id = adopting.first.xcom(task_id)
    assert adopting.again.state == "success"
    assert adopting.again.xcom(task_id) == catalog_id
    assert adopting.again.xcom(task_id, "catalog") == {"catalog_id": catalog_id}


@ADOPTS
def test_a_catalog_with_another_schema_is_not_adopted_and_its_task_not_retried(adopting: Adopting):
    task = "plain"
    assert adopting.changed.states()[task] == "failed"
    assert adopting.changed.ti(task).try_number == 1
    message = adopting.changed.exception(task).message
    assert "catalog 'one' exists with another schema: " in message
    assert "return_value" not in adopting.changed.xcoms(task)


@ADOPTS
def test_a_catalog_with_another_schema_is_adopted_if_the_task_is_to_warn_only(adopting: Adopting):
    assert adopting.changed.states()["outlet"] == "success"
    assert adopting.changed.xcom("outlet") == adopting.first.xcom("outlet")


@ADOPTS
@by_task
def test_changes_of_the_schema_are_in_an_xcom(adopting: Adopting, task_id: str):
    assert adopting.changed.xcom(task_id, "schema_changes") == CHANGES


@ADOPTS
@pytest.mark.skipif(AIRFLOW_VERSION == (2, 11), reason="whose dags test stores no event")
def test_changes_of_the_schema_are_in_the_assets_event(adopting: Adopting):
    assert adopting.event is not None
    assert adopting.event["schema_changes"] == CHANGES
