"""The catalog operator through real task runs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from support.airflow_site import AIRFLOW_VERSION, AirflowSite
from wes_provider.emulator import Emulator, faults

decided_alike = pytest.mark.one_airflow("what a catalog's response means is decided apart from Airflow")


def test_a_catalog_is_created_and_its_identifier_returned(site: AirflowSite, wes_emulator: Emulator):
    site.env = wes_emulator.connection_env()
    run = site.run(
        """
        from wes_provider.models import CatalogAttribute
        WesCreateCatalogOperator(
            task_id="t", name="winter-{{ dag.dag_id }}", price_currency="EUR",
            attributes=[CatalogAttribute("id"), {"name": "price_{{ 1 + 1 }}", "type": "double"}],
        )
        """,
        dag_id="catalogs",
    )
    assert run.state == "success"
    (catalog_id,) = wes_emulator.catalogs
    assert run.xcom("t") == catalog_id
    assert run.xcom("t", "catalog")["catalog_id"] == catalog_id
    assert json.loads(wes_emulator.requests[-1].body) == {
        "name": "winter-catalogs",
        "price_currency": "EUR",
        "attributes": [{"name": "id", "type": "string"}, {"name": "price_2", "type": "double"}],
    }


def test_attributes_come_from_a_json_file_or_another_task(site: AirflowSite, wes_emulator: Emulator):
    site.env = wes_emulator.connection_env()
    attributes = [{"name": "id", "type": "string"}]
    (site.dags / "attributes.json").write_text(json.dumps(attributes))
    run = site.run(
        """
        @task
        def schema():
            return [{"name": "id", "type": "string"}]

        made = schema()
        WesCreateCatalogOperator(task_id="f", name="a", price_currency="EUR", attributes="attributes.json")
        WesCreateCatalogOperator(task_id="x", name="b", price_currency="EUR", attributes=made)
        made >> WesCreateCatalogOperator(
            task_id="j", name="c", price_currency="EUR",
            attributes="{{ ti.xcom_pull(task_ids='schema') | tojson }}",
        )
        """
    )
    assert run.state == "success"
    assert {catalog["name"]: catalog["attributes"] for catalog in wes_emulator.catalogs.values()} == {
        "a": attributes,
        "b": attributes,
        "c": attributes,
    }


@decided_alike
def test_what_the_contract_leaves_open_passes_with_a_warning(site: AirflowSite, wes_emulator: Emulator):
    site.env = wes_emulator.connection_env()
    run = site.run(
        'WesCreateCatalogOperator(task_id="t", name="c", price_currency="EUR", '
        'attributes=[{"name": f"a{i}", "type": "date"} for i in range(51)])'
    )
    assert run.state == "success"
    assert "unknown attribute types: date" in run.log("t")
    assert "51 attributes" in run.log("t")


def test_an_answer_without_an_identifier_is_kept_before_the_task_fails(site: AirflowSite, wes_emulator: Emulator):
    """A lost identifier is a lost catalog."""
    site.env = wes_emulator.connection_env()
    wes_emulator.configure(catalog_id_property="result.key")
    run = site.run(
        'WesCreateCatalogOperator(task_id="t", name="c", price_currency="EUR", attributes=[])',
        default_args={"retries": 2, "retry_delay": 0},
    )
    assert run.ti("t").state == "failed"
    assert run.ti("t").try_number == 1, "a retry would find the name taken"
    (catalog_id,) = wes_emulator.catalogs
    assert run.xcom("t", "catalog") == {"result": {"key": catalog_id}}
    assert catalog_id in run.log("t")
    assert "paths.catalog_id" in run.exception("t").message


def test_the_identifier_is_returned_whatever_fails_later(site: AirflowSite, wes_emulator: Emulator):
    site.env = wes_emulator.connection_env()
    run = site.run(
        """
        def fail(context, result=None):
            raise RuntimeError("post")

        WesCreateCatalogOperator(task_id="t", name="c", price_currency="EUR", attributes=[], post_execute=fail)
        """
    )
    assert run.ti("t").state == "failed"
    assert run.xcom("t") == next(iter(wes_emulator.catalogs))


# -- catalogs from one run to the next -----------------------------------------------------------------

ADOPTING = """
    from wes_provider.assets import catalog

    WesCreateCatalogOperator(
        task_id="t", name="{{{{ dag_run.conf['name'] }}}}", price_currency="EUR", attributes=[], if_exists="adopt",
        {arguments}
    )
"""


ADOPTING_BOTH_WAYS = """
    from wes_provider.assets import catalog

    common = dict(price_currency="EUR", attributes=[], if_exists="adopt")
    WesCreateCatalogOperator(task_id="t", name="{{ dag_run.conf['name'] }}", **common)
    WesCreateCatalogOperator(
        task_id="outlet", name="{{ dag_run.conf['name'] }}-outlet", outlets=[catalog("goods")], **common
    )
"""


def test_a_catalog_of_an_earlier_run_is_adopted(site: AirflowSite, wes_emulator: Emulator):
    """With an outlet, where Airflow 3.3 keeps the identifier with the asset, and without."""
    site.env = wes_emulator.connection_env()
    dag_id = site.write_tasks(ADOPTING_BOTH_WAYS)
    site.airflow("dags", "reserialize")  # Airflow 3.0 runs no task with outlets that it does not know
    created = {}
    for name in ("one", "two", "one", "two", "one"):
        run = site.run(dag_id, conf={"name": name})
        assert run.state == "success"
        for task_id, catalog in (("t", name), ("outlet", f"{name}-outlet")):
            catalog_id = created.setdefault(catalog, run.xcom(task_id))
            assert run.xcom(task_id) == catalog_id
            assert run.xcom(task_id, "catalog") == {"catalog_id": catalog_id}
    for task_id, catalog in (("t", "one"), ("outlet", "one-outlet")):
        adopting = f"Catalog {catalog} exists: adopting the identifier {created[catalog]} of an earlier run"
        assert adopting in run.log(task_id)
    assert {catalog["name"]: catalog_id for catalog_id, catalog in wes_emulator.catalogs.items()} == created


@decided_alike
def test_catalogs_of_the_same_name_in_two_workspaces_are_told_apart(site: AirflowSite, wes_emulator: Emulator):
    wes_emulator.configure(workspaces={"other": {"api_key": "other-key", "data_api_key": "other-data"}})
    site.env = wes_emulator.connection_env()
    dag_id = site.write_tasks(ADOPTING.format(arguments='outlets=[catalog("goods")]'))
    site.airflow("dags", "reserialize")  # Airflow 3.0 runs no task with outlets that it does not know
    first = site.run(dag_id, conf={"name": "goods"})
    site.env = {"AIRFLOW_CONN_WES_DEFAULT": json.dumps(wes_emulator.connection(workspace="other"))}
    second = site.run(dag_id, conf={"name": "goods"})
    again = site.run(dag_id, conf={"name": "goods"})
    assert again.xcom("t") == second.xcom("t") != first.xcom("t")
    wes_emulator.fail("create_catalog", faults.error(409, "conflict", "A catalog has this name."))
    site.env = {"AIRFLOW_CONN_WES_DEFAULT": json.dumps(wes_emulator.connection(login="third"))}
    third = site.run(dag_id, conf={"name": "goods"})
    assert "No earlier run of this task has stored the identifier" in third.exception("t").message


@decided_alike
def test_a_catalog_that_is_gone_is_created_anew(site: AirflowSite, wes_emulator: Emulator):
    site.env = wes_emulator.connection_env()
    dag_id = site.write_tasks(ADOPTING.format(arguments=""))
    before = site.run(dag_id, conf={"name": "goods"}).xcom("t")
    wes_emulator.reset()
    after = site.run(dag_id, conf={"name": "goods"}).xcom("t")
    assert before != after
    assert list(wes_emulator.catalogs) == [after]


@decided_alike
def test_a_catalog_that_no_run_created_cannot_be_adopted(site: AirflowSite, wes_emulator: Emulator):
    site.env = wes_emulator.connection_env()
    wes_emulator.fail("create_catalog", faults.error(409, "conflict", "A catalog has this name."))
    run = site.run(ADOPTING.format(arguments="retries=3"), conf={"name": "goods"})
    assert run.state == "failed"
    assert len(wes_emulator.requests) == 1
    message = run.exception("t").message
    assert "409 conflict" in message
    assert "No earlier run of this task has stored the identifier of this catalog" in message


@decided_alike
def test_other_refusals_are_no_reason_to_adopt(site: AirflowSite, wes_emulator: Emulator):
    site.env = wes_emulator.connection_env()
    dag_id = site.write_tasks(ADOPTING.format(arguments=""))
    site.run(dag_id, conf={"name": "goods"})
    wes_emulator.fail("create_catalog", faults.error(403, "request-forbidden"))
    run = site.run(dag_id, conf={"name": "goods"})
    assert run.state == "failed"
    assert "403" in run.exception("t").message


# -- schemas -------------------------------------------------------------------------------------------

SCHEMA = """
    from wes_provider.assets import catalog

    WesCreateCatalogOperator(
        task_id="t", name={name!r}, price_currency="{{{{ dag_run.conf['currency'] }}}}",
        attributes="{{{{ dag_run.conf['attributes'] | tojson }}}}", if_exists="adopt", outlets=[catalog("goods")],
        {arguments}
    )
"""

BEFORE = {"currency": "EUR", "attributes": [{"name": "id", "type": "string"}, {"name": "price", "type": "double"}]}
AFTER = {"currency": "USD", "attributes": [{"name": "price", "type": "string"}, {"name": "id", "type": "string"}]}
CHANGES = ["price_currency: EUR became USD", "attribute price: type double became string"]


def with_schema(site: AirflowSite, wes_emulator: Emulator, name: str = "goods", arguments: str = "") -> str:
    site.env = wes_emulator.connection_env()
    dag_id = site.write_tasks(SCHEMA.format(name=name, arguments=arguments))
    site.airflow("dags", "reserialize")  # Airflow 3.0 runs no task with outlets that it does not know
    return dag_id


def event_extra(site: AirflowSite) -> Any:
    table = "dataset_event" if AIRFLOW_VERSION < (3, 0) else "asset_event"
    return json.loads(site.rows(f"SELECT extra FROM {table} ORDER BY id")[-1].extra)


def test_a_catalog_whose_schema_has_changed_is_not_adopted(site: AirflowSite, wes_emulator: Emulator):
    dag_id = with_schema(site, wes_emulator, arguments="retries=3")
    first = site.run(dag_id, conf=BEFORE)
    assert first.state == "success"
    same = site.run(dag_id, conf={**BEFORE, "attributes": BEFORE["attributes"][::-1]})
    assert same.xcom("t") == first.xcom("t")
    assert "schema_changes" not in same.xcoms("t")
    changed = site.run(dag_id, conf=AFTER)
    assert changed.state == "failed"
    assert changed.ti("t").try_number == 1
    assert "catalog 'goods' exists with another schema: " in changed.exception("t").message
    assert "attribute price: type double became string" in changed.exception("t").message
    assert changed.xcom("t", "schema_changes") == CHANGES
    assert "return_value" not in changed.xcoms("t")


@decided_alike
def test_a_schema_change_may_be_a_warning_each_time(site: AirflowSite, wes_emulator: Emulator):
    dag_id = with_schema(site, wes_emulator, arguments='on_schema_change="warn"')
    first = site.run(dag_id, conf=BEFORE)
    for _ in range(2):
        changed = site.run(dag_id, conf=AFTER)
        assert changed.state == "success"
        assert changed.xcom("t") == first.xcom("t")
        assert changed.xcom("t", "schema_changes") == CHANGES
        assert "The schema has changed since catalog" in changed.log("t")
        if AIRFLOW_VERSION != (2, 11):  # whose dags test stores no event
            assert event_extra(site)["schema_changes"] == CHANGES
