"""
The folder has these example DAGs and no others, and none fails to be imported, of those that this
Airflow and the installed packages can import (``support/examples.py`` leaves out the others). Those
run here do their job against the emulator; ``summer_sale`` runs in ``test_readme.py``. One uploads 5,000 coupons and starts the campaign, whose log has the file, its
status, its count and the time. A failure is reported with list, file, reason and advice. The files
of all shops that a run names go into the list in that order. A list gets new coupons at 900, below
the limit of 1,000, and none at 1,500. A catalog is created in the first night, and found in the
second one. A segment stays if no file was processed. Those that use guards or buckets run in
``test_guarded_segments.py``, ``test_storage.py`` and ``test_database.py``.
"""

from __future__ import annotations

import re
from importlib.util import find_spec

import pytest

from support.airflow_site import AIRFLOW_VERSION, AirflowSite
from support.examples import prepare
from wes_provider.emulator import Emulator

EXAMPLES = {
    "summer_sale",
    "wes_alert_on_failure",
    "wes_provision_catalog",
    "wes_replenish_coupon_list",
    "wes_replenish_many_files",
    "wes_replenish_when_low",
}
if AIRFLOW_VERSION >= (3, 0):
    EXAMPLES.add("wes_refresh_segment_on_any_file")
OF_PACKAGES = {
    "guards": {"wes_refresh_segment", "wes_refresh_segment_with_approval"},
    "storage": {
        "wes_replenish_from_bucket",
        "wes_replenish_from_database",
        "wes_replenish_when_files_arrive",
    },
}
"""Examples of packages that the rest does without."""


@pytest.fixture
def examples(
    request: pytest.FixtureRequest, site: AirflowSite, wes_emulator: Emulator
) -> AirflowSite:
    """
    A site with example DAGs, all or those of the parameter, as ``wes-emulator exec --host-folder``
    would have it.
    """
    prepare(site, wes_emulator, only=getattr(request, "param", None))
    return site


def only(name: str) -> pytest.MarkDecorator:
    """With this example alone: each command of Airflow reads all that are there."""
    return pytest.mark.parametrize("examples", [[name]], indirect=True, ids=[name])


def test_these_examples_and_no_others_are_imported_without_an_error(examples: AirflowSite):
    assert [row.stacktrace for row in examples.rows("SELECT stacktrace FROM import_error")] == []
    there = [ids for package, ids in OF_PACKAGES.items() if find_spec(f"wes_provider.{package}")]
    found = {row.dag_id for row in examples.rows("SELECT dag_id FROM serialized_dag")}
    assert found == EXAMPLES.union(*there)


@only("replenish_coupon_list")
def test_the_coupon_list_is_replenished_before_the_campaign_starts(
    examples: AirflowSite, wes_emulator: Emulator
):
    run = examples.run("wes_replenish_coupon_list")
    assert run.state == "success"
    (file,) = wes_emulator.files("summer-sale")
    assert (file["status"], file["coupons_added"]) == ("SUCCESS", 5000)
    log = run.log("start_campaign")
    assert f"Coupon file:   {file['_id']}" in log
    assert "Status:        SUCCESS" in log
    assert "Coupons added: 5000" in log
    assert re.search(r"Time taken:    \d+\.\d s", log)


@only("alert_on_failure")
@pytest.mark.skipif(
    (3, 0) <= AIRFLOW_VERSION < (3, 3),
    reason="its dags test gives callbacks no exception: the alert has neither reason nor advice",
)
def test_a_failure_is_reported_with_list_file_reason_and_advice(
    examples: AirflowSite, wes_emulator: Emulator
):
    wes_emulator.script(list_id="autumn-sale", outcome="failure")
    run = examples.run("wes_alert_on_failure")
    assert run.state == "failed"
    (file,) = wes_emulator.files("autumn-sale")
    log = run.log("upload")
    assert "ALERT from wes_alert_on_failure.upload, WesCouponFileFailedError" in log
    assert "List:   autumn-sale" in log
    assert f"File:   {file['file_url']}" in log
    assert re.search(r"Reason: FAILED: .+", log)
    assert "Advice: Fix the file, then clear this task: it uploads the file again." in log


@only("replenish_many_files")
def test_the_files_of_the_shops_that_a_run_names_go_into_the_list_in_that_order(
    examples: AirflowSite, wes_emulator: Emulator
):
    wes_emulator.host("lisbon.csv", b"L1\nL2\n")
    wes_emulator.host("porto.csv", b"P1\n")
    run = examples.run("wes_replenish_many_files", conf={"shops": ["lisbon", "porto"]})
    assert run.state == "success"
    files = wes_emulator.files("winter-sale")
    assert [file["coupons_added"] for file in files] == [2, 1]
    assert run.xcom("replenish") == [file["_id"] for file in files]
    for file in files:
        assert f"{file['name']}: SUCCESS" in run.log("report")


@only("replenish_when_low")
@pytest.mark.wes(seed={"version": 1, "lists": {"newsletter": {"coupons": 1500}}})
def test_a_list_gets_new_coupons_at_900_and_none_at_1500(
    examples: AirflowSite, wes_emulator: Emulator
):
    examples.env["WES_EMULATOR_URL"] = wes_emulator.url
    wes_emulator.host("newsletter.csv", b"".join(b"C-%d\n" % number for number in range(5000)))
    assert examples.run("wes_replenish_when_low").state == "success"
    assert wes_emulator.files("newsletter") == []
    wes_emulator.issue_coupons("newsletter", 600)
    run = examples.run("wes_replenish_when_low")
    assert run.state == "success"
    assert "newsletter has 900 coupons; low is below 1000." in run.log("stock_is_low")
    wes_emulator.assert_uploaded_once("newsletter")
    assert wes_emulator.stock("newsletter")["stock"] == 5900


@only("provision_catalog")
def test_a_catalog_is_created_in_the_first_night_and_found_in_the_second(
    examples: AirflowSite, wes_emulator: Emulator
):
    run = examples.run("wes_provision_catalog")
    assert run.state == "success"
    ((catalog_id, catalog),) = wes_emulator.catalogs.items()
    assert catalog["name"] == "products"
    assert f"into catalog {catalog_id}" in run.log("ingest_items")

    another_night = examples.run("wes_provision_catalog")
    assert another_night.state == "success"
    assert list(wes_emulator.catalogs) == [catalog_id]
    assert f"into catalog {catalog_id}" in another_night.log("ingest_items")


@only("refresh_segment_on_any_file")
@pytest.mark.skipif(AIRFLOW_VERSION < (3, 0), reason="Airflow 2 has no watchers")
def test_without_a_processed_file_the_segment_stays(examples: AirflowSite, wes_emulator: Emulator):
    """With one, it is refreshed: scheduler/test_watching.py has a triggerer that watches."""
    run = examples.run("wes_refresh_segment_on_any_file")
    assert run.state == "success"
    assert run.ti("update_segment").state == "skipped"
    assert wes_emulator.segments == {}
