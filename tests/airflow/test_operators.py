"""
What an upload leaves behind if it succeeds; what it decides is in ``unit/uploads``. Its result is
the identifier of its file, the XCom ``coupon_file`` a summary without the URL's signature, and
``wes_console_url`` the only other XCom; without ``do_xcom_push``, only the result is left out. The
rendered URL and password are sent, and are in no file of the site (DAGs, logs, database). It takes
one try and one request, or two if the first one gets a 503 without effect; if the reply is lost,
the file is taken from the list. Its task is deferred until the file is processed, unless the list
already shows that. All tests read one run of ``support/dags/uploads_of_all_kinds.py``, without a
triggerer: each task has ``deferrable=True``, and ``SECRET-1`` and ``SECRET-2`` in URL and password.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import pytest

from support.airflow_site import AirflowSite, Run
from wes_provider.emulator import Emulator, faults

UPLOAD = "upload_coupon_file"


class Upload(NamedTuple):
    """
    What happens to the first request of a task, and how many requests it takes.

    :ivar case: what happens.
    :ivar name: of the task and of its list.
    :ivar is_deferred: unless the list already shows the file as processed.
    """

    case: str
    name: str
    fault: faults.Fault | None
    requests: int
    is_deferred: bool = True


UPLOADS = [
    Upload("processed at once", "fresh", None, 1),
    Upload("pending for a second", "waited", None, 1),
    Upload("the reply is lost", "reply_lost", faults.reply_lost(), 1, is_deferred=False),
    Upload("503 without effect", "e503_without_effect", faults.error(503), 2),
]
by_upload = pytest.mark.parametrize("row", UPLOADS, ids=lambda row: row.case)


class Uploaded(NamedTuple):
    """The run of all tasks, and the service after it."""

    run: Run
    emulator: Emulator

    def sent(self, name: str) -> list[dict[str, Any]]:
        """The bodies of the uploads to a list."""
        requests = self.emulator.requests_for(UPLOAD)
        return [json.loads(each.body) for each in requests if f"/{name}/" in each.raw_path]

    def file(self, name: str) -> dict[str, Any]:
        """The only file of a list."""
        (file,) = self.emulator.files(name)
        return file


@pytest.fixture(scope="module")
def uploaded(module_site: AirflowSite, module_emulator: Emulator) -> Uploaded:
    module_emulator.configure(limits=None, list_lag=0.5)
    module_emulator.script(statuses=[("SUCCESS", None)])
    module_emulator.script(list_id="waited", statuses=[("PENDING", 1), ("SUCCESS", None)])
    for row in UPLOADS:
        if row.fault is not None:
            module_emulator.fail(UPLOAD, row.fault, list_id=row.name)
    extra = {"coupon_files_lag": 1, "max_attempts": 2}
    connection = json.dumps(module_emulator.connection(extra=extra))
    module_site.env["AIRFLOW_CONN_WES_DEFAULT"] = connection
    lists = [row.name for row in UPLOADS]
    run = module_site.run(module_site.write_dag_file("uploads_of_all_kinds", lists=lists))
    return Uploaded(run, module_emulator)


def test_a_run_of_all_uploads_succeeds(uploaded: Uploaded):
    assert uploaded.run.state == "success"


@by_upload
def test_an_upload_takes_one_try_and_a_second_request_only_if_the_first_had_no_effect(
    uploaded: Uploaded, row: Upload
):
    assert len(uploaded.sent(row.name)) == row.requests
    assert uploaded.run.ti(row.name).try_number == 1


@by_upload
def test_an_upload_defers_its_task_unless_the_file_is_known_to_be_processed(
    uploaded: Uploaded, row: Upload
):
    assert ("Deferring until processed" in uploaded.run.log(row.name)) is row.is_deferred


@by_upload
def test_an_upload_is_sent_with_the_rendered_url_and_password(uploaded: Uploaded, row: Upload):
    rendered = ("https://files.example.com/coupons.csv?signature=SECRET-1", "SECRET-2")
    bodies = uploaded.sent(row.name)
    sent = [(body["file_url"], body["file_url_auth_password"]) for body in bodies]
    assert sent == [rendered] * row.requests


@by_upload
def test_an_upload_leaves_its_identifier_as_the_tasks_result(uploaded: Uploaded, row: Upload):
    assert uploaded.run.xcom(row.name) == uploaded.file(row.name)["_id"]


@by_upload
def test_an_upload_leaves_a_summary_of_its_file_without_the_signature_as_an_xcom(
    uploaded: Uploaded, row: Upload
):
    file = uploaded.file(row.name)
    assert uploaded.run.xcom(row.name, "coupon_file") == {
        "id": file["_id"],
        "coupon_list_id": row.name,
        "name": file["name"],
        "status": "SUCCESS",
        "file_url": "https://files.example.com/coupons.csv",
        "coupons_added": 0,
        "adopted": False,
        "coupons_duplicate": 0,
    }


@by_upload
def test_an_upload_leaves_its_result_the_summary_and_a_link_as_its_only_xcoms(
    uploaded: Uploaded, row: Upload
):
    names = {"return_value", "coupon_file", "wes_console_url"}
    assert set(uploaded.run.xcoms(row.name)) == names


def test_an_upload_of_a_task_without_do_xcom_push_leaves_no_result(uploaded: Uploaded):
    assert "return_value" not in uploaded.run.xcoms("no_xcom")


def test_an_upload_of_a_task_without_do_xcom_push_leaves_its_file_as_an_xcom(uploaded: Uploaded):
    coupon_file = uploaded.run.xcom("no_xcom", "coupon_file")
    assert coupon_file["id"] == uploaded.file("no_xcom")["_id"]


@pytest.mark.usefixtures("uploaded")
def test_no_secret_is_left_in_the_sites_files_after_a_run_without_a_triggerer(
    module_site: AirflowSite,
):
    """``scheduler/test_secrets.py`` searches what a trigger's row holds, too."""
    assert [name for name, content in module_site.texts() if b"SECRET-" in content] == []
