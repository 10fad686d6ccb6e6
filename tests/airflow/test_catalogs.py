"""
The catalog operator through real task runs; what it decides is tested in ``unit/test_catalogs.py``.
"""

from __future__ import annotations

import json

import pytest

from support.airflow_site import AIRFLOW_VERSION, AirflowSite
from wes_provider.emulator import Emulator


def test_a_catalog_is_created_from_whatever_gives_its_attributes(
    site: AirflowSite, wes_emulator: Emulator
):
    attributes = [{"name": "id", "type": "string"}]
    (site.dags / "attributes.json").write_text(json.dumps(attributes))
    run = site.run(site.write_dag_file("catalogs_from_anywhere", dag_id="catalogs"))
    assert {task_id: state for task_id, state in run.states().items() if state != "success"} == {
        "fails": "failed"
    }
    assert {
        catalog["name"]: catalog["attributes"] for catalog in wes_emulator.catalogs.values()
    } == {
        "winter-catalogs": [*attributes, {"name": "price_2", "type": "double"}],
        **dict.fromkeys("bcd", attributes),
        "e": [],
    }
    returned = {run.xcom(task_id) for task_id in ("objects", "file", "output", "json", "fails")}
    assert returned == set(wes_emulator.catalogs), "whatever fails later"
    assert run.xcom("objects", "catalog")["catalog_id"] == run.xcom("objects")


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
    site: AirflowSite, wes_emulator: Emulator
):
    """With an outlet, where Airflow 3.3 keeps the identifier with the asset, and without."""
    dag_id = site.write_tasks(ADOPTING)
    # Airflow 3.0 runs no task with outlets that it does not know.
    site.airflow("dags", "reserialize")
    created = {}
    for name in ("one", "two", "one"):
        run = site.run(dag_id, conf={"name": name, "currency": "EUR"})
        assert run.state == "success"
        for task_id, catalog in (("t", name), ("outlet", f"{name}-outlet")):
            catalog_id = created.setdefault(catalog, run.xcom(task_id))
            assert run.xcom(task_id) == catalog_id
            assert run.xcom(task_id, "catalog") == {"catalog_id": catalog_id}
    assert {
        catalog["name"]: catalog_id for catalog_id, catalog in wes_emulator.catalogs.items()
    } == created
    changed = site.run(dag_id, conf={"name": "one", "currency": "USD"})
    assert changed.states() == {"t": "failed", "outlet": "success"}
    assert changed.ti("t").try_number == 1, "a retry cannot help"
    assert "catalog 'one' exists with another schema: " in changed.exception("t").message
    assert "return_value" not in changed.xcoms("t")
    assert changed.xcom("outlet") == created["one-outlet"]
    for task_id in ("t", "outlet"):
        assert changed.xcom(task_id, "schema_changes") == ["price_currency was EUR and is now USD"]
    if AIRFLOW_VERSION != (2, 11):  # whose dags test stores no event
        table = "dataset_event" if AIRFLOW_VERSION < (3, 0) else "asset_event"
        event = json.loads(site.rows(f"SELECT extra FROM {table} ORDER BY id")[-1].extra)
        assert event["schema_changes"] == ["price_currency was EUR and is now USD"]
