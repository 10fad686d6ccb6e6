"""
Some DAGs and tests that pages show do what the pages say. The tutorial's DAG logs the tutorial's
text. The templates for XComs of tasks that wait find the coupons added of an upload, 1, and the sum of a replenished list's
two files, 5; the JSON that the page shows has the fields of the XCom ``coupon_file``. A file's
coupons are counted once, also if the statement runs again, and also if another file of the task
fails. A list is replenished if 999 coupons are left, and not at 1,000, with a given file and with
one of 5,000 codes that a DAG makes and notes in its database. A DAG that reads a list works once on
a file that has ended, and not on one that has not. The three tests of the guide to testing pass.
Tests of a database or a bucket are skipped without the dependency group ``storage``.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import requests

from support.pages import PAGES, snippets
from wes_provider.emulator import Emulator


def test_the_tutorials_dag_does_what_the_tutorial_says(site: Any, wes_emulator: Emulator):
    (dag,), (said, *_) = (
        snippets(PAGES["tutorial.md"], "python"),
        snippets(PAGES["tutorial.md"], "text"),
    )
    wes_emulator.host(
        "coupons.csv", b"".join(b"SUMMER-%05d\n" % number for number in range(1, 5001))
    )
    wes_emulator.configure(hosted_url="https://files.example.com")
    site.env = wes_emulator.connection_env()
    site.write_dag("replenish", dag)
    run = site.run("replenish")
    assert run.state == "success"
    assert said.strip() in run.log("upload")


COUNTING = """
from airflow.providers.common.compat.sdk import DAG, task
from wes_provider.operators import (
    WesReplenishCouponListOperator,
    WesUploadCouponFileOperator,
)

@task
def count(*found):
    print("found", *found)

with DAG("counting", schedule=None):
    WesUploadCouponFileOperator(
        task_id="upload",
        coupon_list_id="summer-sale",
        file_url="{url}/one.csv",
        wait_for_completion=True,
    ) >> WesReplenishCouponListOperator(
        task_id="replenish",
        coupon_list_id="winter-sale",
        files=["{url}/two.csv", "{url}/three.csv"],
    ) >> count(*{templates!r})
"""


@pytest.mark.ci("the tests of operators have each XCom")
def test_the_templates_that_read_xcoms_find_the_counts(site: Any, wes_emulator: Emulator):
    page = PAGES["operators.md"]
    (block,) = snippets(page, "jinja")
    templates = re.findall(r"\{\{.*?\}\}", block, re.DOTALL)
    for name, codes in (("one", 1), ("two", 2), ("three", 3)):
        content = "".join(f"{name}-{number}\n" for number in range(codes))
        wes_emulator.host(f"{name}.csv", content.encode())
    site.env = wes_emulator.connection_env()
    site.write_dag("counting", COUNTING.format(url=wes_emulator.files_url, templates=templates))
    run = site.run("counting")
    assert run.state == "success"
    assert "found 1 5" in run.log("count")
    (shown,) = snippets(page, "json")
    assert json.loads(shown).keys() == run.xcom("upload", "coupon_file").keys()


@pytest.fixture
def database(site: Any, wes_emulator: Emulator, tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """The database of the connections that pages name, empty."""
    pytest.importorskip("airflow.providers.sqlite", reason="dependency group storage")
    path = tmp_path / "coupons.db"
    connection = json.dumps({"conn_type": "sqlite", "host": str(path)})
    site.env = {
        **wes_emulator.connection_env(),
        "AIRFLOW_CONN_COUPON_DATABASE": connection,
        "AIRFLOW_CONN_CAMPAIGN_DATABASE": connection,
    }
    with closing(sqlite3.connect(path)) as opened:
        yield opened


def test_coupons_per_list_and_day_are_counted_once_for_each_file(
    site: Any, wes_emulator: Emulator, database: sqlite3.Connection
):
    page = PAGES["count-coupons.md"]
    (dag, *_), (table, question) = snippets(page, "python"), snippets(page, "sql")
    database.executescript(table)
    url = wes_emulator.host("summer.csv", b"coupon\nS-1\nS-2\nS-2\n")
    site.write_dag("count", dag.replace("https://files.example.com/summer.csv", url))
    run = site.run("replenish_and_count")
    assert run.state == "success"
    (counted,) = database.execute(question).fetchall()
    assert (counted[0], counted[2]) == ("summer-sale", 2)

    # As a retry of the task would do.
    (statement,) = re.findall(r'^NOTE = """(.*?)"""', dag, re.MULTILINE | re.DOTALL)
    (file_id,) = run.xcom("replenish")
    database.execute(statement.format("?"), (file_id, "summer-sale", 2, file_id))
    assert database.execute(question).fetchall() == [counted]


def test_coupons_of_a_processed_file_are_counted_if_another_file_has_failed(
    site: Any, wes_emulator: Emulator, database: sqlite3.Connection
):
    page = PAGES["count-coupons.md"]
    (dag, *_), (table, question) = snippets(page, "python"), snippets(page, "sql")
    database.executescript(table)
    url = '"https://files.example.com/summer.csv"'
    assert url in dag
    good = wes_emulator.host("good.csv", b"coupon\nS-1\nS-2\n")
    bad = good.replace("good.csv", "bad.csv")
    site.write_dag(
        "count", dag.replace(url, f'"{good}", "{bad}"').replace("retries=3", "retries=0")
    )
    run = site.run("replenish_and_count")
    assert run.states() == {
        "replenish": "failed",
        "count": "success",
        "end": "upstream_failed",
    }
    assert run.state == "failed"
    (counted,) = database.execute(question).fetchall()
    assert (counted[0], counted[2]) == ("summer-sale", 2)


def test_a_run_whose_coupons_could_not_be_counted_is_failed(
    site: Any, wes_emulator: Emulator, database: sqlite3.Connection
):
    """The database lacks the table."""
    (dag, *_) = snippets(PAGES["count-coupons.md"], "python")
    url = wes_emulator.host("summer.csv", b"coupon\nS-1\nS-2\n")
    dag = dag.replace("https://files.example.com/summer.csv", url).replace("retries=3", "retries=0")
    site.write_dag("count", dag)
    run = site.run("replenish_and_count")
    assert run.states() == {
        "replenish": "success",
        "count": "failed",
        "end": "upstream_failed",
    }
    assert run.state == "failed"


class Stock(NamedTuple):
    """How many coupons are left, and the state of the task that replenishes the list."""

    left: int
    state: str


STOCKS = [Stock(1000, "skipped"), Stock(999, "success")]
by_stock = pytest.mark.parametrize("row", STOCKS, ids=lambda row: f"{row.left} coupons left")


def leave_coupons(database: sqlite3.Connection, left: int) -> None:
    """Have the table that the page names hold coupons, and one that is issued."""
    database.execute("CREATE TABLE coupons (code TEXT, issued_at TEXT)")
    database.executemany("INSERT INTO coupons (code) VALUES (?)", [("C",)] * left)
    database.execute("INSERT INTO coupons VALUES ('issued', '2026-01-01')")
    database.commit()


@by_stock
def test_a_list_is_replenished_only_if_the_database_has_fewer_than_1000_coupons(
    site: Any, wes_emulator: Emulator, database: sqlite3.Connection, row: Stock
):
    _joined, dag = snippets(PAGES["low-stock.md"], "python")
    leave_coupons(database, row.left)
    url = wes_emulator.host("newsletter.csv", b"coupon\nN-1\n")
    assert 'FILES + "/{{ ts_nodash }}.csv"' in dag
    site.write_dag("low", dag.replace('FILES + "/{{ ts_nodash }}.csv"', f'"{url}"'))
    run = site.run("replenish_if_low")
    assert run.states() == {"stock_is_low": "success", "replenish": row.state}


@by_stock
def test_a_file_is_written_and_uploaded_only_if_the_database_has_fewer_than_1000_coupons(
    site: Any, database: sqlite3.Connection, tmp_path: Path, row: Stock
):
    joined, _dag = snippets(PAGES["low-stock.md"], "python")
    leave_coupons(database, row.left)
    folder = tmp_path / "served"
    folder.mkdir()
    with Emulator(host_folder=folder) as emulator:
        site.env |= emulator.connection_env()
        # A folder stands in for the bucket: without signatures, the files have plain URLs.
        url = f'f"{emulator.files_url}/{{name}}.csv"'
        for old, new in (
            ('"s3://aws_default@promo/newsletter"', f'"file://{folder}"'),
            ("        return path\n", f"        return {url}\n"),
            (
                "ObjectStoragePath(path).read_text",
                f"next(Path({str(folder)!r}).iterdir()).read_text",
            ),
            ("import secrets\n", "import secrets\nfrom pathlib import Path\n"),
            # As a retry after a lost commit would do.
            (">> note(new_file)", '>> note(new_file) >> note.override(task_id="again")(new_file)'),
        ):
            assert old in joined
            joined = joined.replace(old, new)
        site.write_dag("joined", joined)
        run = site.run("write_and_replenish_if_low")
        assert run.states() == {
            "stock_is_low": "success",
            **dict.fromkeys(("write_file", "replenish", "note", "again"), row.state),
        }
        added = [file["coupons_added"] for file in emulator.files("newsletter")]
    assert added == ([5000] if row.state == "success" else [])
    ((left,),) = database.execute("SELECT count(*) FROM coupons WHERE issued_at IS NULL")
    assert left == row.left + sum(added)


def test_a_dag_that_reads_the_list_works_once_on_each_file_that_has_ended(
    site: Any, wes_emulator: Emulator
):
    *_, dag = snippets(PAGES["watch.md"], "python")
    site.env = wes_emulator.connection_env()
    site.write_dag("reading", dag)
    wes_emulator.configure(processing_time=600)  # longer than the DAG takes on a busy machine
    (file_id,) = _upload_by_hand(wes_emulator)
    wes_emulator.clock.advance(3600)
    _upload_by_hand(wes_emulator)  # it is on its way while the DAG reads
    run = site.run("on_any_file_by_reading")
    assert run.states() == dict.fromkeys(("new_files", "work", "remember"), "success")
    assert f"new files: ['{file_id}']" in run.log("work")
    run = site.run("on_any_file_by_reading")
    assert run.states() == {"new_files": "success", "work": "skipped", "remember": "skipped"}


def _upload_by_hand(emulator: Emulator) -> list[str]:
    """Upload a file without a task, and return the identifiers of the list's files."""
    connection = emulator.connection()
    body = {"file_url": emulator.host("by-hand.csv", b"coupon\nS-1\n")}
    requests.post(
        f"{emulator.url}/v1/coupon-list/summer-sale/files",
        json=body,
        auth=(connection["login"], connection["password"]),
        headers={"SVC-APPKEY": connection["login"]},
        timeout=10,
    ).raise_for_status()
    return [file["_id"] for file in emulator.files("summer-sale")]


@pytest.mark.one_airflow("the page is about the emulator's fixture")
def test_the_tests_of_the_guide_to_testing_pass(site: Any):
    dag, tests = snippets(PAGES["test-in-ci.md"], "python")
    site.write_dag("nightly_coupons", dag)
    test = site.home / "test_nightly_coupons.py"
    test.write_text(tests)
    done = site.airflow(
        "python",
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        str(test),
        timeout=240,
        check=False,
    )
    assert "3 passed" in done.output
    assert done.exit_code == 0
