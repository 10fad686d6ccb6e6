"""
Coupon lists, catalogs and segments as assets, and as OpenLineage names them. The tests of events read
one run of ``support/dags/outlets.py``, those of OpenLineage another one.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import pytest

from support.airflow_site import AirflowSite, Run
from wes_provider.emulator import Emulator

pytestmark = pytest.mark.lineage


@pytest.fixture(scope="module")
def told(module_site: AirflowSite, module_emulator: Emulator) -> Run:
    """A run whose tasks push the extras of their outlets' events; its files have 2 codes and 1."""
    module_emulator.configure(processing_time=0.2)
    first = module_emulator.host("a.csv", b"A\nB\n")
    second = module_emulator.host("b.csv", b"C\n")
    dag_id = module_site.write_dag_file("outlets", first=first, second=second)
    # Airflow 3.0 runs no task with outlets that it does not know.
    module_site.airflow("dags", "reserialize")
    return module_site.run(dag_id)


def extra_of(run: Run, task_id: str) -> dict[str, Any]:
    extra: dict[str, Any] = run.xcom(task_id, "extra")
    return extra


def test_a_run_of_all_tasks_with_outlets_succeeds(told: Run):
    assert told.state == "success"


def test_the_event_of_an_upload_has_its_file(told: Run):
    assert extra_of(told, "upload") == told.xcom("upload", "coupon_file")


def test_the_event_of_an_upload_has_how_many_coupons_were_added(told: Run):
    assert extra_of(told, "upload")["coupons_added"] == 2


@pytest.mark.parametrize("task_id", ["poked", "deferred"])
def test_the_event_of_a_sensor_is_that_of_the_upload_but_for_adopted(told: Run, task_id: str):
    assert {**extra_of(told, task_id), "adopted": False} == extra_of(told, "upload")
    assert "adopted" not in extra_of(told, task_id)


def test_the_event_of_a_replenished_list_has_its_files_and_the_sum_of_their_counts(told: Run):
    assert extra_of(told, "replenish") == {
        "coupon_list_id": "many",
        "coupon_file_ids": told.xcom("replenish"),
        "coupons_added": 3,
        "coupons_duplicate": 0,
        "adopted": False,
        "adopted_coupon_file_ids": [],
    }


def test_the_event_of_a_catalog_has_its_identifier_and_name(told: Run):
    assert extra_of(told, "catalog") == {"catalog_id": told.xcom("catalog"), "name": "goods"}


def test_the_event_of_a_segment_has_its_identifier(told: Run):
    assert extra_of(told, "segment") == {"segment_id": "7"}


class Lineage(NamedTuple):
    """
    What OpenLineage got of a run, in which an upload was deferred and a segment updated.

    :ivar url: of the file, without its signature.
    :ivar text: all events, one a line.
    """

    dag_id: str
    url: str
    text: str

    def of(self, task_id: str) -> dict[str, list[Any]]:
        """The namespaces and names of inputs and of outputs, by the type of the event."""
        found = {}
        for event in map(json.loads, self.text.splitlines()):
            if event["job"]["name"] == f"{self.dag_id}.{task_id}":
                found[event["eventType"]] = [
                    [(each["namespace"], each["name"]) for each in event[side]]
                    for side in ("inputs", "outputs")
                ]
        return found


@pytest.fixture(scope="module")
def lineage(module_site: AirflowSite, module_emulator: Emulator) -> Lineage:
    """With Airflow's OpenLineage provider, which is optional."""
    pytest.importorskip(
        "airflow.providers.openlineage.extractors", reason="no OpenLineage provider here"
    )
    log = module_site.home / "lineage.jsonl"
    transport = json.dumps({"type": "file", "log_file_path": str(log), "append": True})
    url = module_emulator.host("coupons.csv", b"A\n")
    dag_id = module_site.write_tasks(
        f"""
        from wes_provider import assets

        WesUploadCouponFileOperator(
            task_id="upload", coupon_list_id="list-1", file_url="{url}?signature=SECRET",
            wait_for_completion=True, deferrable=True
        )
        WesUpdateSegmentOperator(task_id="update", segment_id="a/b", name="New", outlets=[assets.segment("a/b")])
        """
    )
    # Airflow 3.0 runs no task with outlets that it does not know.
    module_site.airflow("dags", "reserialize")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(module_site.env, "AIRFLOW__OPENLINEAGE__TRANSPORT", transport)
        assert module_site.run(dag_id).state == "success"
    return Lineage(dag_id, url, log.read_text())


def test_openlineage_names_the_file_and_the_list_of_an_upload(lineage: Lineage):
    """At its start, and at its end, which follows a deferral."""
    files, _, name = lineage.url.rpartition("/_emulator/")
    named = [[(files, f"_emulator/{name}")], [("wes://coupon-list", "list-1")]]
    assert lineage.of("upload") == {"START": named, "COMPLETE": named}


def test_openlineage_names_the_outlet_of_a_task_that_has_ended(lineage: Lineage):
    _, outputs = lineage.of("update")["COMPLETE"]
    assert outputs == [("wes://segment", "a/b")]


def test_openlineage_gets_no_signature_of_a_url(lineage: Lineage):
    assert "SECRET" not in lineage.text
