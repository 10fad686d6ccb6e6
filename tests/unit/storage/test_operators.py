"""
The operators with files from a bucket: signed late, checked before, reconciled after, never the
same codes twice.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timezone
from typing import Any, NamedTuple

import pytest
from airflow.providers.common.compat.sdk import AirflowSkipException, TaskDeferred
from msgspec import to_builtins

from support.attempts import TaskInstance
from wes_provider.emulator import Emulator, faults
from wes_provider.exceptions import (
    WesConfigurationError,
    WesCouponFileFailedError,
    WesForbiddenError,
)
from wes_provider.hooks import WesHook
from wes_provider.operators import (
    WesPreflightOperator,
    WesReplenishCouponListOperator,
    WesUploadCouponFileOperator,
)
from wes_provider.storage import BucketFiles, Ledger, Preflight, task
from wes_provider.storage.errors import (
    WesKnownContentError,
    WesLedgerBusyError,
    WesPreflightError,
    WesStorageError,
)
from wes_provider.storage.ledger import ListLedger
from wes_provider.storage.plan import PlannedFile
from wes_provider.storage.task import StorageUploads, with_expected_codes
from wes_provider.uploads.identity import FileKey

UPLOAD = "upload_coupon_file"
SUMMER = "s3://s3_promo@promo/summer/*.csv"
LEDGER = "s3://s3_promo@promo/ledger"


def put(bucket: Any, number: int, prefix: str = "summer", codes: int = 3) -> None:
    for index in range(number):
        bucket.put(f"{prefix}/{index:02}.csv", content(f"{prefix}-{index}", codes))


def content(stem: str, codes: int = 3) -> bytes:
    return b"code\n" + b"".join(f"{stem}-{code}\n".encode() for code in range(codes))


def operator(files: Any = SUMMER, **arguments: Any) -> WesReplenishCouponListOperator:
    given = {"deferrable": False, "poll_interval": 0.05, **arguments}
    return WesReplenishCouponListOperator(
        task_id="replenish", coupon_list_id="list", files=files, **given
    )


def single(file_url: Any, **arguments: Any) -> WesUploadCouponFileOperator:
    return WesUploadCouponFileOperator(
        task_id="replenish",
        coupon_list_id="list",
        file_url=file_url,
        poll_interval=0.05,
        **arguments,
    )


def uploads(emulator: Emulator) -> list[str]:
    """Paths of the URLs whose uploads the service accepted."""
    return [
        file["file_url"].partition("?")[0].partition("/promo/")[2]
        for file in emulator.files("list")
    ]


@contextmanager
def fails(error: type[Exception], match: str) -> Iterator[Any]:
    """Airflow's exception that ends retries has the error as its cause."""
    with pytest.raises(Exception, match=match) as raised:
        yield raised
    assert isinstance(raised.value, error) or isinstance(raised.value.__cause__, error), (
        raised.value
    )


def test_files_are_fetched_with_urls_signed_one_after_another_and_no_signature_is_kept(
    s3: Any, service: Emulator, caplog: pytest.LogCaptureFixture
) -> None:
    put(s3, 3)
    service.fail(UPLOAD, faults.reset())
    ti = TaskInstance()
    with caplog.at_level(logging.INFO):
        assert (
            len(ti.run(operator(BucketFiles(SUMMER, url_lifetime=120), ledger=Ledger(LEDGER)))) == 3
        )
    counts = [(file["expected_codes"], file["coupons_added"]) for file in ti.xcoms["coupon_files"]]
    assert counts == [(3, 3)] * 3
    assert all(not request.refused for request in s3.signed)
    kept = json.dumps(ti.xcoms) + json.dumps(ti.store.values)
    kept += "".join(s3.get(name).decode() for name in s3.names("ledger/"))
    kept += "".join(
        each.getMessage() for each in caplog.records if each.name.startswith("wes_provider")
    )
    assert "summer/00.csv" in kept
    assert "X-Amz" not in kept
    assert "Signature" not in kept


def test_task_that_defers_goes_on_with_its_plan(s3: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    put(s3, 7)
    with Emulator(processing_time=0.1) as service:
        monkeypatch.setenv("AIRFLOW_CONN_WES_DEFAULT", json.dumps(service.connection()))
        ti, make = (
            TaskInstance(),
            {"deferrable": True, "wait_for_completion": False, "ledger": Ledger(LEDGER)},
        )
        with pytest.raises(TaskDeferred) as deferred:
            ti.run(operator(**make))
        state = json.loads(json.dumps(deferred.value.trigger.serialize()[1]["state"]))
        assert "X-Amz" not in json.dumps(state)
        s3.put("summer/99.csv", content("new"))  # waits for the next run
        service.clock.advance(61)
        state["limiter"] = {}
        assert len(operator(**make).execute_at_reset(ti.context(), {"state": state})) == 7
        assert len(service.files("list")) == 7


def test_bad_files_are_stopped_before_a_request_to_the_service(
    objects: Any, service: Emulator
) -> None:
    put(objects, 2)
    objects.put("summer/bad.csv", b"<html>Please log in</html>")
    for make in (operator(), single("s3://s3_promo@promo/summer/bad.csv")):
        with fails(WesPreflightError, "bad.csv is markup"):
            TaskInstance().run(make)
    assert not service.requests
    assert len(TaskInstance().run(operator(preflight=False, wait_for_completion=False))) == 3
    mixed = operator(
        [service.host("web.csv", b"W1\n"), "s3://s3_promo@promo/summer/00.csv"],
        wait_for_completion=False,
    )
    assert len(TaskInstance(run_id="mixed").run(mixed)) == 2
    assert "Signature=" in service.files("list")[-1]["file_url"]


def test_preflight_also_checks_plain_urls_if_asked(service: Emulator) -> None:
    url = service.host("bad.csv", b"")
    with fails(WesPreflightError, r"bad.csv is empty"):
        TaskInstance().run(operator([url], preflight=Preflight()))
    with fails(WesPreflightError, r"gone.csv cannot be fetched: its host responded with 404"):
        TaskInstance().run(operator([url.replace("bad", "gone")], preflight=Preflight()))
    assert len(TaskInstance().run(operator([url], wait_for_completion=False))) == 1


@pytest.mark.parametrize("as_task", [False, True], ids=["plan_only", "preflight-operator"])
def test_plan_needs_no_service(
    objects: Any, as_task: bool, service: Emulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(objects, 1)
    TaskInstance().run(operator(ledger=Ledger(LEDGER), wait_for_completion=False))
    put(objects, 2)
    requests = len(service.requests)
    monkeypatch.delenv("AIRFLOW_CONN_WES_DEFAULT")
    ti, skip = TaskInstance(task_id="plan"), Ledger(LEDGER, on_known_content="skip")
    if as_task:
        planned = ti.run(
            WesPreflightOperator(task_id="plan", coupon_list_id="list", files=SUMMER, ledger=skip)
        )
        assert planned == ti.xcoms["plan"]
    else:
        assert ti.run(operator(plan_only=True, ledger=skip)) == []
    plan = ti.xcoms["plan"]
    assert [file["path"] for file in plan["files"]] == [
        f"s3://promo/summer/{index:02}.csv" for index in range(2)
    ]
    assert [file["skipped"] is not None for file in plan["files"]] == [True, False]
    assert ([file["codes"] for file in plan["files"]], plan["codes"]) == ([3] * 2, 3)
    assert len(service.requests) == requests


class Checked(NamedTuple):
    """The argument ``preflight`` of the operator that checks, and what it finds of three codes."""

    name: str
    preflight: Any
    codes: int


CHECKED = (
    Checked("by default", None, 3),
    Checked("as it is told", Preflight(header=False), 4),
    Checked("not at all", False, 0),
)


@pytest.mark.parametrize("row", CHECKED, ids=[row.name for row in CHECKED])
def test_the_operator_that_checks_does_it_as_it_is_told(
    row: Checked, objects: Any, service: Emulator
) -> None:
    put(objects, 1)
    plan = TaskInstance().run(
        WesPreflightOperator(
            task_id="plan", coupon_list_id="list", files=SUMMER, preflight=row.preflight
        )
    )
    assert plan["codes"] == row.codes
    assert not service.requests


def test_the_operator_that_checks_only_plans() -> None:
    check = WesPreflightOperator(task_id="plan", coupon_list_id="list", files=SUMMER, retries=4)
    assert (check.plan_only, check.retries) == (True, 4)


class TestLedger:
    def test_content_is_uploaded_to_a_list_once_whatever_its_name(
        self, objects: Any, service: Emulator
    ) -> None:
        put(objects, 2)
        TaskInstance().run(operator(ledger=Ledger(LEDGER), wait_for_completion=False))
        objects.put("winter/new-name.csv", content("summer-1"))
        objects.put("winter/new.csv", content("winter"))
        winter, other = "s3://s3_promo@promo/winter/*", TaskInstance(run_id="winter")
        with fails(
            WesKnownContentError,
            r"winter/new-name.csv: coupon file \w+, by task replenish of DAG shop in run nightly",
        ):
            other.run(operator(winter, ledger=Ledger(LEDGER)))
        assert len(service.files("list")) == 2
        assert len(other.run(operator(winter, ledger=Ledger(LEDGER, on_known_content="skip")))) == 1
        assert uploads(service)[2:] == ["winter/new.csv"]
        skip = Ledger(LEDGER, on_known_content="skip")
        assert TaskInstance(run_id="again").run(operator(winter, ledger=skip)) == []
        with pytest.raises(
            AirflowSkipException,
            match=r"^Left out \(s3://promo/winter/new.csv of list list\)\nthe list has",
        ):
            TaskInstance(run_id="one").run(
                single("s3://s3_promo@promo/winter/new.csv", ledger=skip)
            )
        again = TaskInstance(run_id="last").run(
            operator(winter, ledger=Ledger(LEDGER, on_known_content="upload"))
        )
        assert len(again) == 2

    def test_content_that_two_files_share_is_uploaded_once_or_refused(
        self, objects: Any, service: Emulator
    ) -> None:
        put(objects, 2)
        objects.put("summer/copy.csv", content("summer-0"))
        for policy, preflight in (("fail", None), ("fail", False), ("upload", False)):
            with fails(
                WesPreflightError, r"copy.csv has the same content as s3://promo/summer/00.csv"
            ) as error:
                TaskInstance().run(operator(ledger=Ledger(LEDGER, policy), preflight=preflight))
            assert "preflight=False" not in str(error.value)
            assert "Ledger(on_known_content='skip')" in str(error.value)
        assert not uploads(service)
        ti, skip = TaskInstance(), {"ledger": Ledger(LEDGER, "skip"), "wait_for_completion": False}
        assert len(ti.run(operator(**skip))) == 2
        assert (
            ti.xcoms["plan"]["files"][2]["skipped"]
            == "s3://promo/summer/00.csv has the same content"
        )
        objects.put(
            "summer/000.csv", content("summer-0")
        )  # comes first now, and belongs to no entry
        assert len(ti.retry(operator(**skip))) == 2
        assert len(service.files("list")) == 2

    def test_content_whose_upload_was_refused_may_come_again(
        self, objects: Any, service: Emulator
    ) -> None:
        put(objects, 1)
        service.fail(UPLOAD, faults.error(403))
        with fails(WesForbiddenError, "^403 unexpected-error: "):
            TaskInstance().run(operator(ledger=Ledger(LEDGER)))
        service.script(processing_time=0)
        TaskInstance(run_id="other").run(operator(ledger=Ledger(LEDGER)))
        assert [file["status"] for file in service.files("list")] == ["SUCCESS"]

    @pytest.mark.parametrize(
        ("status", "message"),
        [
            ("FAILED", "^FAILED: Processing failed as scripted"),
            ("BROKEN", "^Processing failed with status BROKEN "),
        ],
        ids=["the service's", "the connection's"],
    )
    def test_content_that_failed_processing_may_come_again(
        self, objects: Any, service: Emulator, status: str, message: str
    ) -> None:
        put(objects, 1)
        given = {
            "ledger": Ledger(LEDGER),
            "coupon_file_statuses": {"failure": ["FAILED", "BROKEN"]},
        }
        service.script(processing_time=0, outcome=status)
        with fails(WesCouponFileFailedError, message):
            TaskInstance().run(operator(**given))
        service.script(processing_time=0)
        TaskInstance(run_id="other").run(operator(**given))
        assert [file["status"] for file in service.files("list")] == [status, "SUCCESS"]

    def test_claim_of_a_crashed_task_stands_until_it_goes_on(
        self, objects: Any, service: Emulator, mocker: Any
    ) -> None:
        put(objects, 1)
        crashed, make = TaskInstance(), {"ledger": Ledger(LEDGER), "wait_for_completion": False}
        crash = mocker.patch.object(ListLedger, "complete", side_effect=KeyboardInterrupt)
        with pytest.raises(KeyboardInterrupt):
            crashed.run(operator(**make))
        mocker.stop(crash)
        other = TaskInstance(run_id="other")
        with fails(
            WesLedgerBusyError,
            r"has claimed its content .*\nIf task replenish of DAG shop .*, clear it; or",
        ):
            other.run(operator(**make))
        (file_id,) = crashed.retry(operator(**make))
        assert [file["_id"] for file in service.files("list")] == [file_id]
        with fails(WesKnownContentError, f"coupon file {file_id}"):
            other.retry(operator(**make))


@pytest.mark.parametrize("on_duplicate", ["adopt", "fail"])
def test_failed_file_repaired_in_place_is_uploaded_after_a_clear(
    objects: Any, service: Emulator, on_duplicate: str
) -> None:
    put(objects, 1)
    ti, make = TaskInstance(), {"ledger": Ledger(LEDGER), "on_duplicate": on_duplicate}
    service.script(processing_time=0, outcome="failure")
    with pytest.raises(Exception, match="failed"):
        ti.run(operator(**make))
    service.script(processing_time=0)
    objects.put("summer/00.csv", content("repaired"))
    (repaired,) = ti.clear(operator(**make))
    assert [file["_id"] == repaired for file in service.files("list")] == [False, True]


def test_file_that_is_overwritten_after_the_checks_is_neither_uploaded_nor_claimed(
    objects: Any, service: Emulator
) -> None:
    put(objects, 1)
    ti = TaskInstance()
    ti.pushed = lambda key, value: (
        objects.put("summer/00.csv", content("other", 6)) if key == "plan" else None
    )
    with fails(WesStorageError, "was overwritten after the task listed it"):
        ti.run(operator(ledger=Ledger(LEDGER)))
    assert not service.files("list")
    assert not objects.names("ledger/")


def test_upload_operator_takes_one_file_of_a_bucket(objects: Any, service: Emulator) -> None:
    put(objects, 2)
    with fails(WesConfigurationError, r"file_url has to be one file, and 2 match"):
        TaskInstance().run(single(SUMMER))
    assert not service.requests
    objects.delete("summer/01.csv")
    ti = TaskInstance()
    file_id = ti.run(single(SUMMER, ledger=Ledger(LEDGER), wait_for_completion=True))
    assert file_id == service.files("list")[0]["_id"]
    assert ti.xcoms["coupon_file"]["expected_codes"] == 3
    assert ti.xcoms["coupon_file"]["file_url"] == "s3://promo/summer/00.csv"


@pytest.mark.parametrize("url", ["s3://s3_promo@promo/summer/*.csv", "s3://s3_promo@promo/a.csv"])
def test_file_url_that_may_match_nothing_skips_the_task(
    objects: Any, service: Emulator, url: str
) -> None:
    with pytest.raises(AirflowSkipException) as skipped:
        TaskInstance().run(single(BucketFiles(url, allow_none=True)))
    assert str(skipped.value) == (
        f"Nothing to upload (list list)\nNo object matches {url}, which allow_none=True allows"
    )
    assert not service.requests


def storage_uploads(items: list[dict[str, Any]], **arguments: Any) -> StorageUploads:
    return StorageUploads(
        "list", items, context=TaskInstance().context(), hook=WesHook(), **arguments
    )


class Planned(NamedTuple):
    """How a file in a bucket is uploaded, and what is known of its content then."""

    name: str
    arguments: dict[str, Any]
    checked: bool
    content_hash: str


SUMMER_0 = hashlib.sha256(b"code\nsummer-0-0\nsummer-0-1\nsummer-0-2\n").hexdigest()
PLANNED = (
    Planned("checked by default", {}, checked=True, content_hash=SUMMER_0),
    Planned("checked", {"preflight": Preflight()}, checked=True, content_hash=SUMMER_0),
    Planned("not checked", {"preflight": False}, checked=False, content_hash=""),
    Planned("ledger", {"ledger": Ledger(LEDGER)}, checked=True, content_hash=SUMMER_0),
    Planned(
        "ledger, not checked",
        {"ledger": Ledger(LEDGER), "preflight": False},
        checked=False,
        content_hash=SUMMER_0,
    ),
)


@pytest.mark.parametrize("row", PLANNED, ids=[row.name for row in PLANNED])
def test_request_of_an_object_has_the_hash_of_its_content(
    objects: Any, service: Emulator, row: Planned
) -> None:
    put(objects, 1)
    storage = storage_uploads([{"file_url": SUMMER}], **row.arguments)
    plan = storage.prepare()
    (request,) = storage.requests(plan)
    assert request.content_hash == row.content_hash
    assert [file["checked"] for file in plan["files"]] == [row.checked]


@pytest.mark.parametrize(
    ("preflight", "content_hash"),
    [(None, ""), (False, ""), (Preflight(), hashlib.sha256(b"A1\n").hexdigest())],
    ids=["absent", "false", "given"],
)
def test_request_of_a_plain_url_has_the_hash_only_if_it_is_checked(
    service: Emulator, preflight: Any, content_hash: str
) -> None:
    storage = storage_uploads([{"file_url": service.host("a.csv", b"A1\n")}], preflight=preflight)
    (request,) = storage.requests(storage.prepare())
    assert request.content_hash == content_hash


@pytest.mark.parametrize("preflight", [None, False], ids=["absent", "false"])
def test_expected_codes_are_those_of_a_check(
    objects: Any, service: Emulator, preflight: Any
) -> None:
    put(objects, 1)
    ti = TaskInstance()
    ti.run(operator(preflight=preflight))
    (summary,) = ti.xcoms["coupon_files"]
    assert ("expected_codes" in summary) is (preflight is None)


def test_url_that_is_given_with_two_queries_is_not_compared_with_itself(
    service: Emulator,
) -> None:
    url = service.host("a.csv", b"A1\n")
    files = [{"file_url": f"{url}?id={name}", "name": name} for name in ("one", "two")]
    with fails(WesPreflightError, r"in files\[0\] and, with another query, in files\[1\]"):
        TaskInstance().run(operator(files, preflight=Preflight()))
    assert not service.requests


def test_plain_url_is_adopted_in_the_ledger_after_a_crash(
    objects: Any, service: Emulator, mocker: Any
) -> None:
    url = service.host("plain.csv", content("plain"))
    crashed, make = TaskInstance(), {"ledger": Ledger(LEDGER), "wait_for_completion": False}
    crash = mocker.patch.object(ListLedger, "complete", side_effect=KeyboardInterrupt)
    with pytest.raises(KeyboardInterrupt):
        crashed.run(operator([url], **make))
    mocker.stop(crash)
    (file_id,) = crashed.retry(operator([url], **make))
    assert [file["_id"] for file in service.files("list")] == [file_id]
    with fails(WesKnownContentError, f"coupon file {file_id}"):
        TaskInstance(run_id="other").run(operator([url], **make))


def test_files_of_a_bucket_stand_beside_plain_urls_and_each_has_its_name(
    objects: Any, service: Emulator
) -> None:
    put(objects, 2)
    files = [{"file_url": SUMMER, "created_by": "me"}, service.host("plain.csv", content("plain"))]
    assert len(TaskInstance().run(operator(files, ledger=Ledger(LEDGER)))) == 3
    assert [file["created_by"] for file in service.files("list")][:2] == ["me", "me"]
    assert len(objects.names("ledger/")) == 6
    with pytest.raises(WesConfigurationError) as error:
        storage_uploads([{"file_url": SUMMER, "name": "codes"}]).prepare()
    assert str(error.value) == (
        "Several files would all be named 'codes': s3://promo/summer/00.csv and 1 more file\n"
        "Leave name out, or name one file"
    )
    objects.delete("summer/01.csv")
    items = [{"file_url": "https://h/a.csv?sig=x"}, {"file_url": SUMMER, "name": "codes"}]
    storage = storage_uploads(items, preflight=False)
    plain, request = storage.requests(storage.prepare())
    assert (plain.shown_url, plain.body["file_url"]) == ("https://h/a.csv", items[0]["file_url"])
    assert (request.coupon_list_id, request.file, request.shown_url, request.body) == (
        "list",
        FileKey("codes"),
        "s3://promo/summer/00.csv",
        {"name": "codes"},
    )


def test_each_file_is_fetched_and_uploaded_as_its_own_item_says(
    objects: Any, service: Emulator, mocker: Any
) -> None:
    put(objects, 1)
    fetched = mocker.spy(task, "download_url")
    urls = [service.host(f"{name}.csv", f"{name}1\n".encode()) for name in "AB"]
    items = [
        {"file_url": urls[0]},
        {"file_url": SUMMER, "created_by": "me"},
        {
            "file_url": f"{urls[1]}?id=1",
            "file_url_auth_username": "user",
            "file_url_auth_password": "hunter2",
        },
    ]
    storage = storage_uploads(items, preflight=Preflight())
    plan = storage.prepare()
    assert [call.args[:3] for call in fetched.call_args_list] == [
        (urls[0], "", ""),
        (f"{urls[1]}?id=1", "user", "hunter2"),
    ]
    assert [file["item"] for file in plan["files"]] == [0, 1, 2]
    first, second, third = storage.requests(plan)
    assert second.body == {"created_by": "me"}
    assert (first.shown_url, third.shown_url) == (urls[0], urls[1])
    assert items[1] == {"file_url": SUMMER, "created_by": "me"}


def test_plan_says_when_the_last_upload_is(objects: Any, service: Emulator) -> None:
    put(objects, 1)
    before = datetime.now(timezone.utc)
    plan = storage_uploads([{"file_url": SUMMER}]).prepare()
    assert before <= datetime.fromisoformat(plan["last_upload_at"]) <= datetime.now(timezone.utc)


class Known(NamedTuple):
    """What the service says of a coupon file with the content, and whether the list has it."""

    name: str
    status: str
    extra: dict[str, Any]
    is_known: bool


BROKEN = {"coupon_file_statuses": {"failure": ["BROKEN"]}}
KNOWN = (
    Known("processed", "SUCCESS", {}, True),
    Known("failed", "FAILED", {}, False),
    Known("of a status that nobody knows", "BROKEN", {}, True),
    Known("failed, as the connection says", "BROKEN", BROKEN, False),
    Known("processed, as the connection says", "FAILED", BROKEN, True),
)


@pytest.mark.parametrize("row", KNOWN, ids=[row.name for row in KNOWN])
def test_content_of_a_file_that_failed_as_the_connection_says_is_not_known(
    row: Known, objects: Any, service: Emulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(objects, 1)
    service.script(processing_time=0, outcome=row.status)
    make = {"ledger": Ledger(LEDGER), "wait_for_completion": False}
    TaskInstance().run(operator(**make))
    for name, value in service.connection_env(extra=row.extra).items():
        monkeypatch.setenv(name, value)
    skip = Ledger(LEDGER, on_known_content="skip")
    other = StorageUploads(
        "list",
        [{"file_url": SUMMER}],
        context=TaskInstance(run_id="other").context(),
        hook=WesHook(),
        ledger=skip,
    )
    assert (other.requests(other.prepare()) == []) is row.is_known


def test_content_of_a_file_that_the_service_does_not_find_stays_known(
    objects: Any, service: Emulator
) -> None:
    put(objects, 1)
    TaskInstance().run(operator(ledger=Ledger(LEDGER), wait_for_completion=False))
    service.fail("get_coupon_file", faults.error(404))
    with fails(WesKnownContentError, "^The content of 1 file was uploaded before "):
        TaskInstance(run_id="other").run(operator(ledger=Ledger(LEDGER)))


def planned(path: str, **more: Any) -> dict[str, Any]:
    return to_builtins(PlannedFile(path=path, **more))


SUMMARIES: list[dict[str, Any]] = [{"id": "1"}, {"id": "2"}, {"id": "3"}]


def test_codes_that_are_expected_are_those_of_the_files_that_are_uploaded() -> None:
    plan = {
        "files": [
            planned("a", codes=1, skipped="known"),
            planned("b", codes=2),
            planned("c", codes=0),
            planned("d", codes=4, skipped=""),
            planned("e", codes=5, checked=False),
        ]
    }
    assert with_expected_codes(plan, SUMMARIES) == [
        {"id": "1", "expected_codes": 2},
        {"id": "2", "expected_codes": 0},
        {"id": "3"},
    ]


def test_nothing_is_expected_without_a_plan_or_without_files_in_it() -> None:
    left_out = {"files": [planned("a", skipped="known")]}
    for plan in (None, {"files": []}, left_out):
        assert with_expected_codes(plan, SUMMARIES) == SUMMARIES


SEVERAL = {
    "two": ([planned("a"), planned("b")], 2),
    "three, of which one is left out": ([planned("a"), planned("b"), planned("c", skipped="x")], 3),
}


@pytest.mark.parametrize(("files", "number"), SEVERAL.values(), ids=SEVERAL)
def test_several_files_for_one_upload_are_an_error_with_their_number(
    files: list[dict[str, Any]], number: int, service: Emulator
) -> None:
    storage = storage_uploads([{"file_url": SUMMER}])
    with pytest.raises(WesConfigurationError) as error:
        storage.requests({"files": files}, single=True)
    assert str(error.value) == (
        f"file_url has to be one file, and {number} match\n"
        "Use WesReplenishCouponListOperator for several"
    )


def test_no_file_for_one_upload_skips_the_task_whatever_names_it(service: Emulator) -> None:
    storage = storage_uploads([{"file_url": SUMMER}])
    with pytest.raises(AirflowSkipException) as skipped:
        storage.requests({"files": []}, single=True)
    assert str(skipped.value) == (
        f"Nothing to upload (list list)\nNo object matches {SUMMER}, which allow_none=True allows"
    )
    assert storage.requests({"files": []}) == []


@pytest.mark.parametrize(
    ("argument", "value"),
    [("preflight", True), ("preflight", Preflight), ("ledger", "s3://x"), ("ledger", Ledger)],
    ids=["a boolean", "the class Preflight", "a string", "the class Ledger"],
)
def test_argument_that_is_none_of_its_kind_is_refused(argument: str, value: Any) -> None:
    with pytest.raises(WesConfigurationError, match=rf"{argument} takes a {argument.title()}"):
        operator(**{argument: value})
