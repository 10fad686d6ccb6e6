"""
The operators with files from a bucket (``docs/storage.md``). Files are checked before the first
request, and bad ones stop all, unless ``preflight=False``; plain URLs are checked only with a
``Preflight``. Each object is uploaded with a signed URL, whose signature is kept nowhere; checked
ones have ``expected_codes``. A task that defers goes on with its plan. A plan, of ``plan_only`` or
WesPreflightOperator, sends nothing. One file that matches is an upload; two are an error, and none,
if allowed, skips the task.

With a ledger, content that a run has uploaded is an error for any other, or skipped or uploaded
again, as ``on_known_content`` says; of files with the same content in one task, one is uploaded
with ``skip``, and else all are refused. Content whose upload was refused, or whose file failed by
the connection's statuses, may come again; that of a file that is not found stays known. The claim
of a killed task stops other runs, and its retry completes it. A file that is overwritten after the
checks is neither uploaded nor claimed.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable, Iterator
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
    """Put files into a folder of a bucket: ``summer/00.csv``, and so on, with a header each."""
    for index in range(number):
        bucket.put(f"{prefix}/{index:02}.csv", content(f"{prefix}-{index}", codes))


def content(stem: str, codes: int = 3) -> bytes:
    return b"code\n" + b"".join(f"{stem}-{code}\n".encode() for code in range(codes))


LEFT = {"wait_for_completion": False}
"""For uploads whose processing does not matter."""


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


class Uploaded(NamedTuple):
    """
    What three uploads from a bucket have left.

    :ivar kept: XComs, the task's record, the entries of the ledger, and the log.
    """

    file_ids: list[str]
    ti: TaskInstance
    kept: str


@pytest.fixture
def uploaded(s3: Any, service: Emulator, caplog: pytest.LogCaptureFixture) -> Uploaded:
    """Three files of a bucket, uploaded, although the connection for the first one was reset."""
    put(s3, 3)
    service.fail(UPLOAD, faults.reset())
    ti = TaskInstance()
    with caplog.at_level(logging.INFO):
        file_ids = ti.run(operator(BucketFiles(SUMMER, url_lifetime=120), ledger=Ledger(LEDGER)))
    kept = json.dumps(ti.xcoms) + json.dumps(ti.store.values)
    kept += "".join(s3.get(name).decode() for name in s3.names("ledger/"))
    kept += "".join(
        each.getMessage() for each in caplog.records if each.name.startswith("wes_provider")
    )
    return Uploaded(file_ids, ti, kept)


def test_each_file_is_uploaded_and_its_counts_are_those_of_the_check(uploaded: Uploaded) -> None:
    assert len(uploaded.file_ids) == 3
    files = uploaded.ti.xcoms["coupon_files"]
    assert [(file["expected_codes"], file["coupons_added"]) for file in files] == [(3, 3)] * 3


def test_the_bucket_refuses_no_signed_url(uploaded: Uploaded, s3: Any) -> None:
    assert len(s3.signed) >= 3
    assert all(not request.refused for request in s3.signed)


def test_no_signature_is_kept(uploaded: Uploaded) -> None:
    assert "summer/00.csv" in uploaded.kept
    assert "X-Amz" not in uploaded.kept
    assert "Signature" not in uploaded.kept


DEFERRABLE: dict[str, Any] = {
    "deferrable": True,
    "wait_for_completion": False,
    "ledger": Ledger(LEDGER),
}


@pytest.fixture
def limited(monkeypatch: pytest.MonkeyPatch) -> Iterator[Emulator]:
    """A service that allows five uploads a minute."""
    with Emulator(processing_time=0.1) as service:
        monkeypatch.setenv("AIRFLOW_CONN_WES_DEFAULT", json.dumps(service.connection()))
        yield service


def defer(ti: TaskInstance) -> dict[str, Any]:
    """Run a task that defers after five of seven files; return its state as Airflow keeps it."""
    with pytest.raises(TaskDeferred) as deferred:
        ti.run(operator(**DEFERRABLE))
    state: dict[str, Any] = deferred.value.trigger.serialize()[1]["state"]
    return dict(json.loads(json.dumps(state)))


@pytest.mark.usefixtures("limited")
def test_task_that_defers_keeps_no_signature(s3: Any) -> None:
    put(s3, 7)
    state = json.dumps(defer(TaskInstance()))
    assert "summer/06.csv" in state
    assert "X-Amz" not in state


def test_task_that_defers_goes_on_with_the_files_of_its_plan(s3: Any, limited: Emulator) -> None:
    put(s3, 7)
    ti = TaskInstance()
    state = defer(ti)
    s3.put("summer/99.csv", content("new"))  # waits for the next run
    limited.clock.advance(61)
    state["limiter"] = {}
    assert len(operator(**DEFERRABLE).execute_at_reset(ti.context(), {"state": state})) == 7
    assert len(limited.files("list")) == 7


OPERATORS = {
    "several files": lambda: operator(),
    "one file": lambda: single("s3://s3_promo@promo/summer/bad.csv"),
}


@pytest.fixture
def with_bad_file(objects: Any) -> None:
    """Two files with codes, and one with a page in place of them."""
    put(objects, 2)
    objects.put("summer/bad.csv", b"<html>Please log in</html>")


@pytest.mark.usefixtures("with_bad_file")
@pytest.mark.parametrize("make", OPERATORS.values(), ids=OPERATORS)
def test_bad_files_are_stopped_before_a_request_to_the_service(
    service: Emulator, make: Callable[[], Any]
) -> None:
    with fails(WesPreflightError, "bad.csv is markup"):
        TaskInstance().run(make())
    assert not service.requests


@pytest.mark.usefixtures("with_bad_file", "service")
def test_bad_files_are_uploaded_without_a_check() -> None:
    assert len(TaskInstance().run(operator(preflight=False, **LEFT))) == 3


def test_object_beside_a_plain_url_is_signed(objects: Any, service: Emulator) -> None:
    put(objects, 1)
    mixed = [service.host("web.csv", b"W1\n"), "s3://s3_promo@promo/summer/00.csv"]
    TaskInstance().run(operator(mixed, **LEFT))
    plain, signed = service.files("list")
    assert "Signature=" not in plain["file_url"]
    assert "Signature=" in signed["file_url"]


def test_bad_file_at_a_plain_url_is_stopped_with_a_check(service: Emulator) -> None:
    url = service.host("bad.csv", b"")
    with fails(WesPreflightError, r"bad.csv is empty"):
        TaskInstance().run(operator([url], preflight=Preflight()))


def test_plain_url_that_cannot_be_fetched_is_stopped_with_a_check(service: Emulator) -> None:
    gone = f"{service.files_url}/gone.csv"
    with fails(WesPreflightError, r"gone.csv cannot be fetched: its host responded with 404"):
        TaskInstance().run(operator([gone], preflight=Preflight()))


def test_bad_file_at_a_plain_url_is_uploaded_by_default(service: Emulator) -> None:
    url = service.host("bad.csv", b"")
    assert len(TaskInstance().run(operator([url], **LEFT))) == 1


@pytest.fixture
def with_known_file(objects: Any, service: Emulator, monkeypatch: pytest.MonkeyPatch) -> Emulator:
    """
    Two files, of which the first was uploaded before, by the ledger; the connection to the service
    is not there any more.
    """
    put(objects, 1)
    TaskInstance().run(operator(ledger=Ledger(LEDGER), wait_for_completion=False))
    put(objects, 2)
    monkeypatch.delenv("AIRFLOW_CONN_WES_DEFAULT")
    return service


def check_plan(plan: dict[str, Any]) -> None:
    """The plan of the two files, each with three codes, leaves the first one out."""
    assert [(file["path"], file["codes"]) for file in plan["files"]] == [
        ("s3://promo/summer/00.csv", 3),
        ("s3://promo/summer/01.csv", 3),
    ]
    assert [file["skipped"] is not None for file in plan["files"]] == [True, False]
    assert plan["codes"] == 3


def test_plan_only_says_what_is_left_out_and_sends_nothing(with_known_file: Emulator) -> None:
    ti, sent_before = TaskInstance(task_id="plan"), len(with_known_file.requests)
    skip = Ledger(LEDGER, on_known_content="skip")
    assert ti.run(operator(plan_only=True, ledger=skip)) == []
    check_plan(ti.xcoms["plan"])
    assert len(with_known_file.requests) == sent_before


def test_the_operator_that_checks_returns_its_plan_and_sends_nothing(
    with_known_file: Emulator,
) -> None:
    ti, sent_before = TaskInstance(task_id="plan"), len(with_known_file.requests)
    skip = Ledger(LEDGER, on_known_content="skip")
    check = WesPreflightOperator(task_id="plan", coupon_list_id="list", files=SUMMER, ledger=skip)
    plan = ti.run(check)
    check_plan(plan)
    assert plan == ti.xcoms["plan"]
    assert len(with_known_file.requests) == sent_before


class Checked(NamedTuple):
    """The argument ``preflight`` of the operator that checks, and how many codes it finds."""

    name: str
    preflight: Any
    codes: int


CHECKED = (
    Checked("by default", None, 3),
    # The file has a header and three codes.
    Checked("without a header", Preflight(header=False), 4),
    Checked("not at all", False, 0),
)


@pytest.mark.parametrize("row", CHECKED, ids=[row.name for row in CHECKED])
def test_the_operator_that_checks_does_it_by_its_argument_preflight(
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


def test_the_operator_that_checks_only_plans_and_keeps_its_retries() -> None:
    check = WesPreflightOperator(task_id="plan", coupon_list_id="list", files=SUMMER, retries=4)
    assert (check.plan_only, check.retries) == (True, 4)


SKIP = Ledger(LEDGER, on_known_content="skip")
WINTER = "s3://s3_promo@promo/winter/*"


@pytest.fixture
def winter(objects: Any, service: Emulator) -> None:
    """Two files that the run ``nightly`` has uploaded; a copy of the second, and a new file."""
    put(objects, 2)
    TaskInstance().run(operator(ledger=Ledger(LEDGER), **LEFT))
    objects.put("winter/copy.csv", content("summer-1"))
    objects.put("winter/new.csv", content("winter"))


@pytest.mark.usefixtures("winter")
class TestKnownContent:
    def test_content_that_another_run_uploaded_under_another_name_is_refused(
        self, service: Emulator
    ) -> None:
        who = r"winter/copy.csv: coupon file \w+, by task replenish of DAG shop in run nightly"
        with fails(WesKnownContentError, who):
            TaskInstance(run_id="winter").run(operator(WINTER, ledger=Ledger(LEDGER)))
        assert uploads(service) == ["summer/00.csv", "summer/01.csv"]

    def test_content_that_another_run_uploaded_can_be_skipped(self, service: Emulator) -> None:
        file_ids = TaskInstance(run_id="winter").run(operator(WINTER, ledger=SKIP, **LEFT))
        assert len(file_ids) == 1
        assert uploads(service)[2:] == ["winter/new.csv"]

    def test_task_whose_files_are_all_known_uploads_none(self, service: Emulator) -> None:
        TaskInstance(run_id="winter").run(operator(WINTER, ledger=SKIP, **LEFT))
        assert TaskInstance(run_id="again").run(operator(WINTER, ledger=SKIP, **LEFT)) == []
        assert len(uploads(service)) == 3

    def test_task_of_one_file_that_is_known_is_skipped(self) -> None:
        left_out = r"^Left out \(s3://promo/winter/copy.csv of list list\)\nthe list has"
        one = single("s3://s3_promo@promo/winter/copy.csv", ledger=SKIP)
        with pytest.raises(AirflowSkipException, match=left_out):
            TaskInstance(run_id="one").run(one)

    def test_content_that_another_run_uploaded_can_be_uploaded_again(
        self, service: Emulator
    ) -> None:
        again = operator(WINTER, ledger=Ledger(LEDGER, on_known_content="upload"), **LEFT)
        assert len(TaskInstance(run_id="winter").run(again)) == 2
        assert uploads(service)[2:] == ["winter/copy.csv", "winter/new.csv"]


@pytest.fixture
def with_copy(objects: Any) -> None:
    """Two files with codes, and a copy of the first one, which comes last."""
    put(objects, 2)
    objects.put("summer/copy.csv", content("summer-0"))


class Refusing(NamedTuple):
    """What refuses a file with the content of another one."""

    name: str
    policy: str
    preflight: Any


REFUSING = (
    Refusing("check and ledger", "fail", None),
    Refusing("ledger alone", "fail", False),
    Refusing("ledger that lets known content pass", "upload", False),
)


@pytest.mark.usefixtures("with_copy")
class TestSharedContent:
    @pytest.mark.parametrize("row", REFUSING, ids=[row.name for row in REFUSING])
    def test_content_that_two_files_share_is_refused_with_advice_on_the_ledger(
        self, service: Emulator, row: Refusing
    ) -> None:
        refused = operator(ledger=Ledger(LEDGER, row.policy), preflight=row.preflight)
        same = r"copy.csv has the same content as s3://promo/summer/00.csv"
        with fails(WesPreflightError, same) as error:
            TaskInstance().run(refused)
        assert "preflight=False" not in str(error.value)
        assert "Ledger(on_known_content='skip')" in str(error.value)
        assert not uploads(service)

    def test_content_that_two_files_share_is_uploaded_once_with_skip(
        self, service: Emulator
    ) -> None:
        ti = TaskInstance()
        assert len(ti.run(operator(ledger=SKIP, **LEFT))) == 2
        skipped = ti.xcoms["plan"]["files"][2]["skipped"]
        assert skipped == "s3://promo/summer/00.csv has the same content"
        assert uploads(service) == ["summer/00.csv", "summer/01.csv"]

    def test_retry_uploads_no_new_file_with_the_same_content(
        self, objects: Any, service: Emulator
    ) -> None:
        """The new file comes first, and no entry of the ledger is of its path."""
        ti = TaskInstance()
        ti.run(operator(ledger=SKIP, **LEFT))
        objects.put("summer/000.csv", content("summer-0"))
        assert len(ti.retry(operator(ledger=SKIP, **LEFT))) == 2
        assert uploads(service) == ["summer/00.csv", "summer/01.csv"]


class Failing(NamedTuple):
    """A status that means a failure, and how the error begins."""

    name: str
    status: str
    message: str


FAILING = (
    Failing("a status of the default", "FAILED", "^FAILED: Processing failed as scripted"),
    Failing(
        "a status of the operator's argument", "BROKEN", "^Processing failed with status BROKEN "
    ),
)


WITH_LEDGER = {"ledger": Ledger(LEDGER), **LEFT}


def crash(ti: TaskInstance, mocker: Any) -> None:
    """Run a task that is killed after its upload, before it completes its claim."""
    killed = mocker.patch.object(ListLedger, "complete", side_effect=KeyboardInterrupt)
    with pytest.raises(KeyboardInterrupt):
        ti.run(operator(**WITH_LEDGER))
    mocker.stop(killed)


class TestLedger:
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

    @pytest.mark.parametrize("row", FAILING, ids=[row.name for row in FAILING])
    def test_content_that_failed_processing_may_come_again(
        self, objects: Any, service: Emulator, row: Failing
    ) -> None:
        put(objects, 1)
        given = {
            "ledger": Ledger(LEDGER),
            "coupon_file_statuses": {"failure": ["FAILED", "BROKEN"]},
        }
        service.script(processing_time=0, outcome=row.status)
        with fails(WesCouponFileFailedError, row.message):
            TaskInstance().run(operator(**given))
        service.script(processing_time=0)
        TaskInstance(run_id="other").run(operator(**given))
        assert [file["status"] for file in service.files("list")] == [row.status, "SUCCESS"]

    def test_claim_of_a_crashed_task_stops_another_run(
        self, objects: Any, service: Emulator, mocker: Any
    ) -> None:
        put(objects, 1)
        crash(TaskInstance(), mocker)
        claimed = r"has claimed its content .*\nIf task replenish of DAG shop .*, clear it; or"
        with fails(WesLedgerBusyError, claimed):
            TaskInstance(run_id="other").run(operator(**WITH_LEDGER))

    def test_retry_of_a_crashed_task_completes_its_claim(
        self, objects: Any, service: Emulator, mocker: Any
    ) -> None:
        put(objects, 1)
        crashed = TaskInstance()
        crash(crashed, mocker)
        (file_id,) = crashed.retry(operator(**WITH_LEDGER))
        assert [file["_id"] for file in service.files("list")] == [file_id]
        with fails(WesKnownContentError, f"coupon file {file_id}"):
            TaskInstance(run_id="other").run(operator(**WITH_LEDGER))


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


def test_upload_operator_refuses_a_pattern_that_matches_two_files(
    objects: Any, service: Emulator
) -> None:
    put(objects, 2)
    with fails(WesConfigurationError, r"file_url has to be one file, and 2 match"):
        TaskInstance().run(single(SUMMER))
    assert not service.requests


def test_upload_operator_takes_a_pattern_that_matches_one_file(
    objects: Any, service: Emulator
) -> None:
    put(objects, 1)
    ti = TaskInstance()
    file_id = ti.run(single(SUMMER, ledger=Ledger(LEDGER), wait_for_completion=True))
    assert file_id == service.files("list")[0]["_id"]
    assert ti.xcoms["coupon_file"]["expected_codes"] == 3
    assert ti.xcoms["coupon_file"]["file_url"] == "s3://promo/summer/00.csv"


@pytest.mark.parametrize(
    "url", [SUMMER, "s3://s3_promo@promo/a.csv"], ids=["a pattern", "the path of one file"]
)
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


A1 = hashlib.sha256(b"A1\n").hexdigest()


def hash_of_plain_url(service: Emulator, preflight: Any) -> str:
    """The content hash that the request of a plain URL has, whose file has the line A1."""
    storage = storage_uploads([{"file_url": service.host("a.csv", b"A1\n")}], preflight=preflight)
    (request,) = storage.requests(storage.prepare())
    return request.content_hash


def test_request_of_a_plain_url_that_is_checked_has_the_hash(service: Emulator) -> None:
    assert hash_of_plain_url(service, Preflight()) == A1


@pytest.mark.parametrize("preflight", [None, False], ids=["no preflight", "preflight is False"])
def test_request_of_a_plain_url_that_is_not_checked_has_no_hash(
    service: Emulator, preflight: bool | None
) -> None:
    assert hash_of_plain_url(service, preflight) == ""


def test_a_file_that_is_checked_by_default_has_expected_codes(
    objects: Any, service: Emulator
) -> None:
    put(objects, 1)
    ti = TaskInstance()
    ti.run(operator())
    assert [file["expected_codes"] for file in ti.xcoms["coupon_files"]] == [3]


def test_a_file_that_is_not_checked_has_no_expected_codes(objects: Any, service: Emulator) -> None:
    put(objects, 1)
    ti = TaskInstance()
    ti.run(operator(preflight=False))
    (summary,) = ti.xcoms["coupon_files"]
    assert "expected_codes" not in summary


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


def test_fields_of_an_item_are_of_each_file_that_it_matches(
    objects: Any, service: Emulator
) -> None:
    put(objects, 2)
    files = [{"file_url": SUMMER, "created_by": "me"}, service.host("plain.csv", content("plain"))]
    assert len(TaskInstance().run(operator(files, **WITH_LEDGER))) == 3
    created_by = [file.get("created_by") for file in service.files("list")]
    assert created_by[:2] == ["me", "me"]
    assert created_by[2] != "me"


def test_ledger_has_a_claim_and_a_result_of_each_file_also_of_a_plain_url(
    objects: Any, service: Emulator
) -> None:
    put(objects, 2)
    TaskInstance().run(operator([SUMMER, service.host("p.csv", content("plain"))], **WITH_LEDGER))
    assert len(objects.names("ledger/")) == 3 * 2


def test_name_of_an_item_that_matches_several_files_is_refused(
    objects: Any, service: Emulator
) -> None:
    put(objects, 2)
    with pytest.raises(WesConfigurationError) as error:
        storage_uploads([{"file_url": SUMMER, "name": "codes"}]).prepare()
    assert str(error.value) == (
        "Several files would all be named 'codes': s3://promo/summer/00.csv and 1 more file\n"
        "Leave name out, or name one file"
    )


def test_requests_have_the_url_or_the_name_that_they_are_given(
    objects: Any, service: Emulator
) -> None:
    put(objects, 1)
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
    """The status of the file that was uploaded, and whether its content is known then."""

    name: str
    status: str
    extra: dict[str, Any]
    is_known: bool


BROKEN = {"coupon_file_statuses": {"failure": ["BROKEN"]}}
KNOWN = (
    Known("a success by default", "SUCCESS", {}, is_known=True),
    Known("a failure by default", "FAILED", {}, is_known=False),
    Known("none that is known by default", "BROKEN", {}, is_known=True),
    Known("the only failure of the connection", "BROKEN", BROKEN, is_known=False),
    Known("none of the connection's failures", "FAILED", BROKEN, is_known=True),
)


@pytest.mark.parametrize("row", KNOWN, ids=[row.name for row in KNOWN])
def test_content_is_known_unless_the_status_of_its_file_is_a_failure_for_the_connection(
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


WITHOUT_FILES: dict[str, Any] = {
    "no plan": None,
    "no file": {"files": []},
    "a file that is left out": {"files": [planned("a", skipped="known")]},
}


@pytest.mark.parametrize("plan", WITHOUT_FILES.values(), ids=WITHOUT_FILES)
def test_nothing_is_expected_without_a_file_in_the_plan_that_is_uploaded(plan: Any) -> None:
    assert with_expected_codes(plan, SUMMARIES) == SUMMARIES


class Several(NamedTuple):
    """The files of a plan for one upload, and how many the error says there are."""

    name: str
    files: list[dict[str, Any]]
    number: int


SEVERAL = [
    Several("two", [planned("a"), planned("b")], 2),
    Several(
        "three, of which one is left out",
        [planned("a"), planned("b"), planned("c", skipped="x")],
        3,
    ),
]


@pytest.mark.parametrize("row", SEVERAL, ids=[row.name for row in SEVERAL])
def test_several_files_for_one_upload_are_an_error_with_their_number(
    row: Several, service: Emulator
) -> None:
    storage = storage_uploads([{"file_url": SUMMER}])
    with pytest.raises(WesConfigurationError) as error:
        storage.requests({"files": row.files}, single=True)
    assert str(error.value) == (
        f"file_url has to be one file, and {row.number} match\n"
        "Use WesReplenishCouponListOperator for several"
    )


def test_no_file_for_one_upload_skips_the_task(service: Emulator) -> None:
    storage = storage_uploads([{"file_url": SUMMER}])
    with pytest.raises(AirflowSkipException) as skipped:
        storage.requests({"files": []}, single=True)
    assert str(skipped.value) == (
        f"Nothing to upload (list list)\nNo object matches {SUMMER}, which allow_none=True allows"
    )


def test_no_file_for_several_uploads_is_no_request(service: Emulator) -> None:
    assert storage_uploads([{"file_url": SUMMER}]).requests({"files": []}) == []


class WrongKind(NamedTuple):
    """An argument that is given as something else than it takes, and what the error says."""

    name: str
    arguments: dict[str, Any]
    says: str


WRONG_KIND = [
    WrongKind("True for preflight", {"preflight": True}, "preflight takes a Preflight"),
    WrongKind("the class Preflight", {"preflight": Preflight}, "preflight takes a Preflight"),
    WrongKind("a string for ledger", {"ledger": "s3://x"}, "ledger takes a Ledger"),
    WrongKind("the class Ledger", {"ledger": Ledger}, "ledger takes a Ledger"),
]


@pytest.mark.parametrize("row", WRONG_KIND, ids=[row.name for row in WRONG_KIND])
def test_argument_that_is_none_of_its_kind_is_refused(row: WrongKind) -> None:
    with pytest.raises(WesConfigurationError, match=row.says):
        operator(**row.arguments)
