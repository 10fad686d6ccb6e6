"""What an upload and a catalog's creation leave behind when the network fails, through real task runs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from support.airflow_site import AirflowSite, Run
from wes_provider.emulator import Emulator, faults
from wes_provider.texts import redact_url

URL = "https://files.example.com/coupons.csv"
UPLOAD, LISTING = "upload_coupon_file", "list_coupon_files"
resolved_alike = pytest.mark.one_airflow(
    "what a lost reply means, and what a list shows of it, is decided apart from Airflow"
)


@pytest.fixture
def service(site: AirflowSite, wes_emulator: Emulator) -> Emulator:
    """The emulator, with a list that shows a file half a second late; the site's connection leads to it."""
    wes_emulator.configure(limits=None, list_lag=0.5)
    wes_emulator.script(statuses=[("SUCCESS", None)])
    extra = {"coupon_files_lag": 1, "read_timeout": 1, "max_attempts": 2}
    site.env["AIRFLOW_CONN_WES_DEFAULT"] = json.dumps(wes_emulator.connection(extra=extra))
    return wes_emulator


def run_uploads(site: AirflowSite, names: list[str], **arguments: Any) -> Run:
    """One DAG run with a task for each name, which uploads to a list of that name."""
    given = {"file_url": URL, "retries": 2, **arguments}
    return site.run(
        f"""
        for name in {names!r}:
            WesUploadCouponFileOperator(task_id=name, coupon_list_id=name, retry_delay=timedelta(0), **{given!r})
        """
    )


# What goes wrong with the upload, and how many requests it takes.
RESOLVED = {
    "reply_lost": (faults.reply_lost(), 1),
    "reset": (faults.reset(effect=True), 1),
    "e500": (faults.error(500, effect=True), 1),
    "e503": (faults.error(503, effect=True), 1),
    "e504": (faults.error(504, effect=True), 1),
    "truncated": (faults.truncated(), 1),
    "garbage": (faults.garbage(), 1),
    "no_id": (faults.garbage(b'{"status": "PENDING"}'), 1),
    "slow_gateway": (faults.slow(2.5), 1),
    "e503_without_effect": (faults.error(503), 2),
    "reply_lost_without_effect": (faults.reply_lost(effect=False), 2),
    "rate_limited": (faults.rate_limited(), 2),
}


def test_an_upload_is_not_repeated_when_the_reply_is_lost(site: AirflowSite, service: Emulator):
    """With a name of the provider's; the unit tier has users' names, too."""
    for name, (fault, _) in RESOLVED.items():
        service.fail(UPLOAD, fault, list_id=name)
    run = run_uploads(site, list(RESOLVED))
    polled = {}
    for name in RESOLVED:
        (file,) = service.files(name)
        assert run.xcom(name) == run.xcom(name, "coupon_file")["id"] == file["_id"]
        assert run.ti(name).try_number == 1
        requests = [r for r in service.requests_for(UPLOAD) if f"/{name}/" in r.raw_path]
        polled[name] = len(requests)
    assert polled == {name: requests for name, (_, requests) in RESOLVED.items()}
    assert run.state == "success"


# What goes wrong with the upload, what with the list, and how many files are there in the end.
UNDECIDED = {
    "no_such_path": (faults.reply_lost(), faults.error(404), 1),
    "no_such_method": (faults.reply_lost(), faults.error(405), 1),
    "forbidden": (faults.reply_lost(effect=False), faults.error(403), 0),
    "yes_and_no": (faults.empty(effect=False), None, 0),
}


@resolved_alike
def test_an_undecided_outcome_fails_without_retries(site: AirflowSite, service: Emulator):
    for name, (fault, listing, _) in UNDECIDED.items():
        service.fail(UPLOAD, fault, list_id=name)
        if listing is not None:
            service.fail(LISTING, listing, list_id=name, times=None)
    run = run_uploads(site, list(UNDECIDED))
    assert set(run.states().values()) == {"failed"}
    for name, (_, _, files) in UNDECIDED.items():
        assert len(service.files(name)) == files
        assert run.ti(name).try_number == 1
        assert "return_value" not in run.xcoms(name)
        message = run.exception(name).message
        first = message.partition("\n")[0]  # without retry policies, the class of the error stands before it
        assert first.removeprefix("WesUnknownOutcomeError: ").startswith("Perhaps uploaded: ")
        assert first.endswith(f"(coupons.csv of list {name})")
        (sent,) = {json.loads(r.body)["name"] for r in service.requests_for(UPLOAD) if f"/{name}/" in r.raw_path}
        assert f"Look in the service's console for a file of the list named {sent}\n" in message
        assert "to the file's identifier, or to absent if there is none, and clear the task" in message


@resolved_alike
def test_a_list_that_cannot_be_read_for_now_is_read_again_by_a_retry(site: AirflowSite, service: Emulator):
    service.fail(UPLOAD, faults.reply_lost(), list_id="t")
    service.fail(LISTING, faults.error(503), list_id="t", times=4)
    service.configure(list_lag=0)
    run = run_uploads(site, ["t"])
    assert run.state == "success"
    assert [file["_id"] for file in service.files("t")] == [run.xcom("t")]
    if run.failures("t"):  # a slow machine reads the list less often in that time
        assert "the list cannot be read now: 503" in run.failures("t")[0].message


@pytest.mark.parametrize("deferrable", [False, True], ids=["here", "deferred"])
def test_the_identifier_outlives_a_wait_that_failed(site: AirflowSite, service: Emulator, deferrable: bool):
    service.script(list_id="failing", statuses=[("PENDING", 1)], outcome="failure")
    service.script(list_id="endless", outcome="never")
    waiting = {"wait_for_completion": True, "deferrable": deferrable, "poll_interval": 1, "timeout": 3, "retries": 0}
    run = run_uploads(site, ["failing", "endless"], **waiting)
    for name, error, status in (
        ("failing", "WesCouponFileFailedError", "FAILED"),
        ("endless", "WesTimeoutError", "PENDING"),
    ):
        (file,) = service.files(name)
        assert run.ti(name).state == "failed"
        assert error in run.exception(name).type + run.exception(name).message
        assert run.xcom(name) == file["_id"]
        assert run.xcom(name, "coupon_file")["status"] == status


@pytest.mark.parametrize("deferrable", [False, True], ids=["here", "deferred"])
def test_every_way_to_succeed_leaves_the_same_xcoms(site: AirflowSite, service: Emulator, deferrable: bool):
    service.script(list_id="waited", statuses=[("PENDING", 1), ("SUCCESS", None)])
    service.fail(UPLOAD, faults.reply_lost(), list_id="found")
    run = run_uploads(
        site, ["fresh", "waited", "found"], wait_for_completion=True, deferrable=deferrable, poll_interval=1
    )
    for name in ("fresh", "waited", "found"):
        (file,) = service.files(name)
        xcoms = run.xcoms(name)
        assert xcoms["return_value"] == file["_id"]
        assert xcoms["coupon_file"] == {
            "id": file["_id"],
            "coupon_list_id": name,
            "name": file["name"],
            "status": "SUCCESS",
            "file_url": redact_url(file["file_url"]),
            "coupons_added": 0,
            "coupons_duplicate": 0,
        }
        assert {"return_value", "coupon_file"} <= set(xcoms)
        assert set(xcoms) == set(run.xcoms("fresh"))


def test_a_task_that_returns_nothing_still_pushes_its_file(site: AirflowSite, service: Emulator):
    run = run_uploads(site, ["t"], do_xcom_push=False)
    assert "return_value" not in run.xcoms("t")
    assert run.xcom("t", "coupon_file")["id"] == service.files("t")[0]["_id"]


def test_no_secret_is_in_what_airflow_stores(site: AirflowSite, service: Emulator):
    service.fail(UPLOAD, faults.reply_lost())
    site.run(
        """
        WesUploadCouponFileOperator(
            task_id="t", coupon_list_id="t", name="coupons.csv",
            file_url="https://files.example.com/coupons.csv?signature={{ 'secret' | upper }}-1",
            file_url_auth_username="u", file_url_auth_password="{{ 'secret' | upper }}-2",
        )
        """
    )
    assert json.loads(service.requests_for(UPLOAD)[0].body)["file_url"].endswith("?signature=SECRET-1")
    assert [name for name, content in site.texts() if b"SECRET-" in content] == []


# -- catalogs --------------------------------------------------------------------------------------

CATALOG = """
WesCreateCatalogOperator(
    task_id="t", name="goods", price_currency="EUR", attributes=[], retries=1, retry_delay=timedelta(0)
)
"""


@resolved_alike
@pytest.mark.parametrize("attempts", [1, 3], ids=["two_attempts_of_the_task", "two_requests_of_one_attempt"])
def test_a_name_that_is_taken_after_a_lost_reply_is_probably_ours(
    site: AirflowSite, wes_emulator: Emulator, attempts: int
):
    site.env["AIRFLOW_CONN_WES_DEFAULT"] = json.dumps(wes_emulator.connection(extra={"max_attempts": attempts}))
    wes_emulator.fail("create_catalog", faults.reply_lost())
    run = site.run(CATALOG)
    assert run.state == "failed"
    assert run.ti("t").try_number == (2 if attempts == 1 else 1)
    assert len(wes_emulator.catalogs) == 1
    message = run.exception("t").message
    assert "409" in message
    assert "Look for catalog 'goods' in the service's console" in message
    assert "Airflow Variable wes_decision_wes_catalog_" in message


@resolved_alike
def test_a_name_that_is_taken_by_others_is_not_ours(site: AirflowSite, wes_emulator: Emulator):
    site.env = wes_emulator.connection_env()
    wes_emulator.fail("create_catalog", faults.error(409))
    run = site.run(CATALOG)
    assert run.ti("t").try_number == 1
    assert "409" in run.exception("t").message
