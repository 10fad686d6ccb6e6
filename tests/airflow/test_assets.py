"""
Coupon lists, catalogs and segments as assets, and as OpenLineage names them.

A task that has its list, catalog or segment as an outlet gives the asset's event an extra: what an
upload or a sensor, also one that was deferred, says of its processed file, with the coupons added;
the identifiers of a replenished list's files, with the sums of their counts; the identifier and
name of a created catalog; the identifier of a segment. Other outlets of the task get nothing.

OpenLineage gets as the input of an upload the address and path of its file, without the query
where a signature is, and its list as the output, at the task's start and at its end, also after a
deferral. An outlet ``wes://KIND/ID`` has the namespace ``wes://KIND`` and the name ``ID``,
unquoted. Tests of extras read one run of ``support/dags/outlets.py``, the others another one.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import pytest

from support.airflow_site import AirflowSite, Run
from wes_provider.emulator import Emulator, faults

pytestmark = pytest.mark.lineage


@pytest.fixture(scope="module")
def told(module_site: AirflowSite, module_emulator: Emulator) -> Run:
    """
    A run whose tasks push the extras that they give their outlets' events: ``airflow dags test``
    stores no event on each Airflow. Its files have 2 codes and 1.
    """
    module_emulator.configure(processing_time=0.2)
    # The first poll of a sensor fails, so that it goes on in a trigger.
    module_emulator.fail("get_coupon_file", faults.error(503), list_id="later", times=1)
    first = module_emulator.host("a.csv", b"A\nB\n")
    second = module_emulator.host("b.csv", b"C\n")
    dag_id = module_site.write_dag_file("outlets", first=first, second=second)
    # Airflow 3.0 runs no task with outlets that it does not know.
    module_site.airflow("dags", "reserialize")
    return module_site.run(dag_id)


def extra_for_the_event_of(run: Run, task_id: str) -> dict[str, Any]:
    extra: dict[str, Any] = run.xcom(task_id, "extra")
    return extra


def test_a_run_of_all_tasks_with_outlets_succeeds(told: Run):
    assert told.state == "success"


def test_the_extra_of_an_upload_is_its_xcom_coupon_file_with_the_coupons_added(told: Run):
    extra = extra_for_the_event_of(told, "upload")
    assert extra == told.xcom("upload", "coupon_file")
    assert extra["coupons_added"] == 2


def test_the_extra_of_a_sensor_is_that_of_its_files_upload_but_for_adopted(told: Run):
    extra = extra_for_the_event_of(told, "poked")
    assert "adopted" not in extra
    assert {**extra, "adopted": False} == extra_for_the_event_of(told, "upload")


def test_the_extra_of_a_sensor_that_was_deferred_is_the_file_that_it_returns(told: Run):
    extra = extra_for_the_event_of(told, "deferred")
    assert "Deferring until processed" in told.log("deferred")
    assert extra == told.xcom("deferred")
    assert (extra["id"], extra["coupons_added"]) == (told.xcom("to_later"), 2)


def test_the_extra_of_a_replenished_list_has_its_files_and_the_sum_of_their_counts(told: Run):
    assert extra_for_the_event_of(told, "replenish") == {
        "coupon_list_id": "many",
        "coupon_file_ids": told.xcom("replenish"),
        "coupons_added": 3,
        "coupons_duplicate": 0,
        "adopted": False,
        "adopted_coupon_file_ids": [],
    }


def test_the_extra_of_a_catalog_has_its_identifier_and_name(told: Run):
    assert extra_for_the_event_of(told, "catalog") == {
        "catalog_id": told.xcom("catalog"),
        "name": "goods",
    }


def test_the_extra_of_a_segment_has_its_identifier(told: Run):
    assert extra_for_the_event_of(told, "segment") == {"segment_id": "7"}


@pytest.mark.parametrize(
    "task_id", ["upload", "poked", "deferred", "replenish", "catalog", "segment"]
)
def test_another_outlet_of_a_task_gets_no_extra(told: Run, task_id: str):
    assert told.xcom(task_id, "extra of the other") == {}


class Lineage(NamedTuple):
    """
    What OpenLineage got of a run, in which an upload was deferred and a segment updated.

    :ivar url: of the file, without its signature.
    :ivar text: all events, one a line.
    """

    run: Run
    url: str
    text: str

    def of(self, task_id: str) -> list[tuple[str, list[Any]]]:
        """
        The type of each event, in their order, and the namespaces and names of its inputs and of
        its outputs.
        """
        return [
            (
                event["eventType"],
                [
                    [(each["namespace"], each["name"]) for each in event[side]]
                    for side in ("inputs", "outputs")
                ],
            )
            for event in map(json.loads, self.text.splitlines())
            if event["job"]["name"] == f"{self.run.dag_id}.{task_id}"
        ]


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
        run = module_site.run(dag_id)
    assert run.state == "success"
    return Lineage(run, url, log.read_text())


def test_openlineage_names_the_file_and_the_list_of_an_upload_at_its_start_and_its_end(
    lineage: Lineage,
):
    """It starts twice, since it goes on after a deferral: all events name them."""
    assert "Deferring until processed" in lineage.run.log("upload")
    files, _, name = lineage.url.rpartition("/_emulator/")
    named = [[(files, f"_emulator/{name}")], [("wes://coupon-list", "list-1")]]
    events = lineage.of("upload")
    assert (events[0], events[-1]) == (("START", named), ("COMPLETE", named))
    assert [datasets for _, datasets in events] == [named] * len(events)


def test_openlineage_names_the_outlet_of_a_task_that_has_ended(lineage: Lineage):
    event_type, (_, outputs) = lineage.of("update")[-1]
    assert (event_type, outputs) == ("COMPLETE", [("wes://segment", "a/b")])


def test_openlineage_gets_no_signature_of_a_url(lineage: Lineage):
    assert "SECRET" not in lineage.text
