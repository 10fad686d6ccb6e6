"""
A replenished list takes its files from the result of a task, the results of a mapped task, a
template that renders JSON, or the name of a JSON file, whose templates are rendered. They are
uploaded in their order; the task returns their identifiers, and its XCom ``coupon_files`` has each
with its last status. Rendered arguments, XComs and log have neither the signature of a URL nor a
password for it; the rendered arguments of all but the file show where the URLs lead. All tests read
one run of ``support/dags/replenish_from_anywhere.py``; the pace is tested in ``unit/uploads``.
"""

from __future__ import annotations

import json
from typing import NamedTuple

import pytest

from support.airflow_site import AirflowSite, Run
from wes_provider.emulator import Emulator

HOST = "https://files.example.com"
FILES = [f"{HOST}/{index}.csv?sig=other" for index in range(4)]
SECRETS = ("sig=other", "hunter2")
"""Of the signature in the URLs, and of the password that a task gives for them."""


class Source(NamedTuple):
    """
    What gives the files of a task, and which they are.

    :ivar task_id: of the task, and the identifier of its list.
    :ivar urls: ``{run_id}`` in them stands for the run's.
    """

    name: str
    task_id: str
    urls: list[str]


SOURCES = [
    Source("the result of a task", "output", FILES),
    Source(
        "the results of a mapped task",
        "mapped",
        [f"{HOST}/mapped-{number}.csv?sig=other" for number in (1, 2)],
    ),
    Source("a template that renders JSON", "text", FILES[:1]),
    Source("a file with JSON and a template", "file", [FILES[0], HOST + "/{run_id}.csv"]),
]
by_source = pytest.mark.parametrize("row", SOURCES, ids=lambda row: row.name)


class Replenished(NamedTuple):
    """The run of all tasks, and the service after it."""

    run: Run
    emulator: Emulator


@pytest.fixture(scope="module")
def replenished(module_site: AirflowSite, module_emulator: Emulator) -> Replenished:
    module_emulator.script(statuses=[("PENDING", 1), ("SUCCESS", None)])
    (module_site.dags / "files.json").write_text(
        json.dumps([*FILES[:1], HOST + "/{{ run_id }}.csv"])
    )
    run = module_site.run(module_site.write_dag_file("replenish_from_anywhere", urls=FILES))
    return Replenished(run, module_emulator)


def test_a_run_of_all_tasks_succeeds(replenished: Replenished):
    assert replenished.run.state == "success"


@by_source
def test_the_files_of_each_source_are_uploaded_in_their_order(
    replenished: Replenished, row: Source
):
    uploaded = [file["file_url"] for file in replenished.emulator.files(row.task_id)]
    assert uploaded == [url.format(run_id=replenished.run.run_id) for url in row.urls]


@by_source
def test_a_task_returns_the_identifiers_of_its_files(replenished: Replenished, row: Source):
    ids = [file["_id"] for file in replenished.emulator.files(row.task_id)]
    assert replenished.run.xcom(row.task_id) == ids


@by_source
def test_a_task_has_its_files_as_an_xcom_with_their_last_status(
    replenished: Replenished, row: Source
):
    coupon_files = replenished.run.xcom(row.task_id, "coupon_files")
    assert [(file["id"], file["status"]) for file in coupon_files] == [
        (file["_id"], "SUCCESS") for file in replenished.emulator.files(row.task_id)
    ]


@by_source
def test_neither_rendered_arguments_nor_xcoms_nor_log_of_a_task_have_a_secret(
    replenished: Replenished, row: Source
):
    run = replenished.run
    left = json.dumps(run.rendered(row.task_id)) + json.dumps(run.xcoms(row.task_id))
    left += run.log(row.task_id)
    assert [secret for secret in SECRETS if secret in left] == []


@pytest.mark.parametrize("task_id", ["output", "mapped", "text"])
def test_the_rendered_arguments_of_a_task_show_its_urls(replenished: Replenished, task_id: str):
    assert f"{HOST}/" in json.dumps(replenished.run.rendered(task_id))
