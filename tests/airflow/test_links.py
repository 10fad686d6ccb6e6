"""How tasks show themselves in Airflow's pages: their link to the console, and their label where they are mapped."""

from __future__ import annotations

import json

from support.airflow_site import AirflowSite
from wes_provider.emulator import Emulator, faults
from wes_provider.links import WesConsoleLink

CONSOLE = {"console_url": "https://console.example.com/{kind}/{id}"}
LINK = WesConsoleLink.xcom_key


def connection(emulator: Emulator) -> dict[str, str]:
    return {"AIRFLOW_CONN_WES_DEFAULT": json.dumps(emulator.connection(extra=CONSOLE))}


def test_every_task_links_to_what_it_works_on(site: AirflowSite, wes_emulator: Emulator):
    site.env = connection(wes_emulator)
    wes_emulator.configure(processing_time=0)
    url = wes_emulator.host("coupons.csv", b"A\n")
    run = site.run(
        f"""
        upload = WesUploadCouponFileOperator(task_id="upload", coupon_list_id="list/1", file_url="{url}")
        WesCouponFileSensor(task_id="wait", coupon_list_id="list/1", coupon_file_id=upload.output)
        WesCreateCatalogOperator(task_id="catalog", name="goods", price_currency="EUR", attributes=[])
        WesUpdateSegmentOperator(task_id="segment", segment_id="shoppers", name="Shoppers")
        """
    )
    assert run.state == "success"
    assert {task_id: run.xcom(task_id, LINK) for task_id in ("upload", "wait", "catalog", "segment")} == {
        "upload": "https://console.example.com/coupon-list/list%2F1",
        "wait": "https://console.example.com/coupon-list/list%2F1",
        "catalog": f"https://console.example.com/catalog/{run.xcom('catalog')}",
        "segment": "https://console.example.com/segment/shoppers",
    }


def test_a_failed_task_keeps_its_link(site: AirflowSite, wes_emulator: Emulator):
    site.env = connection(wes_emulator)
    wes_emulator.fail("upload_coupon_file", faults.error(403))
    run = site.run(
        """
        WesUploadCouponFileOperator(task_id="upload", coupon_list_id="list-1", file_url="https://f.example.com/a.csv")
        """
    )
    assert run.state == "failed"
    assert run.xcom("upload", LINK) == "https://console.example.com/coupon-list/list-1"


def test_without_a_console_there_is_no_link(site: AirflowSite, wes_emulator: Emulator):
    site.env = wes_emulator.connection_env()
    run = site.run("""WesUpdateSegmentOperator(task_id="segment", segment_id="shoppers", name="Shoppers")""")
    assert run.state == "success"
    assert run.xcom("segment", LINK) == ""
    assert "XCom not found" not in run.output


def test_a_mapped_task_is_labelled_with_list_and_file(site: AirflowSite, wes_emulator: Emulator):
    site.env = wes_emulator.connection_env()
    run = site.run(
        """
        Upload = WesUploadCouponFileOperator.partial
        urls = ["https://f.example.com/x/a.csv", "https://f.example.com/b.csv"]
        Upload(task_id="upload", coupon_list_id="list-1").expand(file_url=urls)
        Upload(task_id="own", coupon_list_id="list-1", map_index_template="{{ task.file_url }}").expand(file_url=urls)
        """
    )
    labels = {(ti.task_id, ti.map_index): ti.rendered_map_index for ti in run.tis()}
    assert labels == {
        ("upload", 0): "list-1 a.csv",
        ("upload", 1): "list-1 b.csv",
        ("own", 0): "https://f.example.com/x/a.csv",
        ("own", 1): "https://f.example.com/b.csv",
    }
