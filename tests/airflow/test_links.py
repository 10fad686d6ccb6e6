"""
How tasks show themselves in Airflow's pages. If the connection's extra ``console_url`` is given, a
task has a link to the page of its list, catalog or segment, with its identifier quoted, also if its
upload is refused with 403. It has none if it fails before it knows its list, or if its connection
names no console, and Airflow logs no error about that.

An instance of a mapped upload is labelled with its list and the last part of its URL, without the
query; if the task has a ``map_index_template``, with that. All tests read one run of
``support/dags/links.py``.
"""

from __future__ import annotations

import json
from typing import NamedTuple

import pytest

from support.airflow_site import AirflowSite, Run
from wes_provider.emulator import Emulator, faults
from wes_provider.links import WesConsoleLink

CONSOLE = "https://console.example.com"


@pytest.fixture(scope="module")
def shown(module_site: AirflowSite, module_emulator: Emulator) -> Run:
    """The connection names a console; that of the task ``without`` does not."""
    extra = {"console_url": f"{CONSOLE}/{{kind}}/{{id}}"}
    module_site.env = {
        "AIRFLOW_CONN_WES_DEFAULT": json.dumps(module_emulator.connection(extra=extra)),
        **module_emulator.connection_env("without_console"),
    }
    module_emulator.script(statuses=[("SUCCESS", None)])
    module_emulator.fail("upload_coupon_file", faults.error(403), list_id="refused")
    return module_site.run(module_site.write_dag_file("links"))


def link_of(run: Run, task_id: str) -> str:
    """The link of a task; empty if it has none, which Airflow 3 stores, too."""
    return str(run.xcoms(task_id).get(WesConsoleLink.xcom_key, ""))


def test_only_the_tasks_with_a_refused_upload_or_a_blank_list_fail(shown: Run):
    failed = {task_id for task_id, state in shown.states().items() if state != "success"}
    assert failed == {"failed", "failed_early"}


class Linked(NamedTuple):
    """A task, and the path of the page that it links to."""

    task_id: str
    path: str


LINKS = {
    "an upload to list/1": Linked("upload", "coupon-list/list%2F1"),
    "a sensor of list/1": Linked("wait", "coupon-list/list%2F1"),
    "an update of the segment shoppers": Linked("segment", "segment/shoppers"),
}


@pytest.mark.parametrize("row", LINKS.values(), ids=LINKS)
def test_a_task_links_to_the_list_or_segment_that_it_works_on(shown: Run, row: Linked):
    assert link_of(shown, row.task_id) == f"{CONSOLE}/{row.path}"


def test_a_task_that_creates_a_catalog_links_to_it(shown: Run):
    assert link_of(shown, "catalog") == f"{CONSOLE}/catalog/{shown.xcom('catalog')}"


def test_a_task_whose_upload_is_refused_links_to_its_list(shown: Run):
    assert link_of(shown, "failed") == f"{CONSOLE}/coupon-list/refused"


NO_LINK = {
    "it fails before it knows its list": "failed_early",
    "its connection names no console": "without",
}


@pytest.mark.parametrize("task_id", NO_LINK.values(), ids=NO_LINK)
def test_a_task_without_a_list_or_a_console_has_no_link(shown: Run, task_id: str):
    assert link_of(shown, task_id) == ""


def test_airflow_logs_no_error_about_a_task_without_a_link(shown: Run):
    assert "XCom not found" not in shown.output


def labels_of(run: Run, task_id: str) -> list[str]:
    """The labels of the instances of a mapped task, in their order."""
    instances = [ti for ti in run.tis() if ti.task_id == task_id]
    return [ti.rendered_map_index for ti in sorted(instances, key=lambda ti: ti.map_index)]


def test_a_mapped_task_is_labelled_with_its_list_and_the_end_of_its_url(shown: Run):
    """Without the URL's signature."""
    assert labels_of(shown, "mapped") == ["list-2 a.csv", "list-2 b.csv"]


def test_a_mapped_task_with_a_label_of_the_users_has_that_one(shown: Run):
    """Its ``map_index_template`` is the URL."""
    labels = ["https://f.example.com/x/a.csv", "https://f.example.com/b.csv"]
    assert labels_of(shown, "own") == labels
