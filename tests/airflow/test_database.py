"""
Codes of a database in real task runs: SQLite, and a bucket's server on loopback.

The example hands over at most 50,000 codes a night, and none twice: of 120,000 codes, three nights
get 50,000, 50,000 and 20,000, with no duplicate, and the fourth one's upload is skipped. The
database then says which run each code was handed over by. If the service fails to process the file,
the run fails, and its codes stay reserved for it: another night hands none of them over.

The DAG with a query that only reads uploads the codes of the day before the run; with the lines for
runs by hand, those of the one day that is named, and a day without codes skips both tasks.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from support.airflow_site import AirflowSite
from support.coupon_database import CouponDatabase
from support.examples import prepare
from support.pages import PAGES, section, snippets
from support.storage_tasks import bucket_server
from wes_provider.emulator import Emulator

pytest.importorskip("wes_provider.storage")
pytest.importorskip("airflow.providers.sqlite", reason="dependency group storage")


@pytest.fixture
def bucket() -> Iterator[Any]:
    with bucket_server() as server:
        yield server


@pytest.fixture
def database(
    bucket: Any, site: AirflowSite, wes_emulator: Emulator, tmp_path: Path
) -> CouponDatabase:
    prepare(site, wes_emulator, only=["replenish_from_database"])
    site.env["AIRFLOW_CONN_AWS_DEFAULT"] = bucket.connection()
    database = CouponDatabase(tmp_path / "coupons.db")
    site.env["AIRFLOW_CONN_COUPON_DATABASE"] = database.connection()
    return database


def test_each_night_hands_over_other_codes_until_there_are_none(
    database: CouponDatabase, bucket: Any, site: AirflowSite, wes_emulator: Emulator
):
    database.add(120_000)
    nights = [site.run("wes_replenish_from_database") for _ in range(4)]
    assert [night.state for night in nights] == ["success"] * 4
    files = wes_emulator.files("newsletter")
    assert [file["coupons_added"] for file in files] == [50_000, 50_000, 20_000]
    assert [file["coupons_duplicate"] for file in files] == [0, 0, 0]
    assert nights[3].states()["upload"] == "skipped"
    assert database.handed_over() == {
        night.run_id: file["coupons_added"] for night, file in zip(nights[:3], files, strict=True)
    }
    assert len(bucket.names("from-database/")) == 3


def test_codes_of_a_file_that_failed_stay_reserved_for_its_run(
    database: CouponDatabase, bucket: Any, site: AirflowSite, wes_emulator: Emulator
):
    database.add(10)
    wes_emulator.script(list_id="newsletter", outcome="failure")
    run = site.run("wes_replenish_from_database")
    assert run.state == "failed"
    assert database.handed_over() == {}
    assert database.reserved() == {run.run_id: 10}
    another_night = site.run("wes_replenish_from_database")
    assert another_night.states()["upload"] == "skipped"
    assert database.reserved() == {run.run_id: 10}


def test_a_query_that_only_reads_uploads_the_codes_of_the_day_that_a_run_by_hand_names(
    database: CouponDatabase, site: AirflowSite, wes_emulator: Emulator, tmp_path: Path
):
    with closing(sqlite3.connect(tmp_path / "coupons.db")) as opened, opened:
        opened.execute("ALTER TABLE coupon_codes ADD COLUMN made_on TEXT")
        opened.execute("INSERT INTO coupon_codes (code, made_on) VALUES ('A-1', '2026-11-24')")
        opened.execute("INSERT INTO coupon_codes (code, made_on) VALUES ('B-1', '2026-11-25')")
    part = section(PAGES["from-a-database.md"], "If you may only read the table")
    (dag,), (by_hand,) = snippets(part, "python"), snippets(part, r"\{code-block\} python")
    (nightly,) = re.findall(r"^DAY = .*?^\):\n", dag, re.MULTILINE | re.DOTALL)
    site.write_dag("codes_of_a_day", dag.replace(nightly, by_hand))
    assert site.run("codes_of_a_day").state == "success"
    assert [file["coupons_added"] for file in wes_emulator.files("newsletter")] == [1]
    empty = site.run("codes_of_a_day", conf={"day": "2026-11-26"})
    assert empty.states() == {"write": "skipped", "upload": "skipped"}


def test_a_query_that_only_reads_runs_every_night_with_the_codes_of_the_day_before(
    database: CouponDatabase, site: AirflowSite, wes_emulator: Emulator, tmp_path: Path
):
    yesterday = datetime.now(timezone.utc).date() - timedelta(days=1)
    with closing(sqlite3.connect(tmp_path / "coupons.db")) as opened, opened:
        opened.execute("ALTER TABLE coupon_codes ADD COLUMN made_on TEXT")
        opened.execute(
            "INSERT INTO coupon_codes (code, made_on) VALUES ('A-1', ?)", (str(yesterday),)
        )
    (dag,) = snippets(
        section(PAGES["from-a-database.md"], "If you may only read the table"), "python"
    )
    site.write_dag("codes_of_a_day", dag)
    assert site.run("codes_of_a_day").state == "success"
    assert [file["coupons_added"] for file in wes_emulator.files("newsletter")] == [1]
