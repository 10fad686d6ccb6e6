"""The operators with files from a bucket: signed late, checked before, reconciled after, never the same codes twice."""

from __future__ import annotations

import hashlib
import json
import logging
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import AirflowSkipException

from support.attempts import Clock, Store, TaskInstance, stop_time
from wes_provider.emulator import Emulator, faults
from wes_provider.exceptions import WesConfigurationError, WesDuplicateError
from wes_provider.operators import (
    WesPreflightOperator,
    WesReplenishCouponListOperator,
    WesUploadCouponFileOperator,
)
from wes_provider.storage import BucketFiles, Ledger, Preflight
from wes_provider.storage.errors import (
    WesFileChangedError,
    WesFileOverwrittenError,
    WesKnownContentError,
    WesPreflightError,
    WesReconciliationError,
)
from wes_provider.storage.files import BucketFile
from wes_provider.storage.ledger import ListLedger, entries_of
from wes_provider.storage.reconcile import check_added

UPLOAD = "upload_coupon_file"
SUMMER = "s3://s3_promo@promo/summer/*.csv"
LEDGER = "s3://s3_promo@promo/ledger"


@pytest.fixture
def clock(s3: Any, wes_emulator: Emulator, monkeypatch: pytest.MonkeyPatch, mocker: Any) -> Clock:
    """One clock for the task, the service, the storage, and the signatures."""
    clock = stop_time(wes_emulator, monkeypatch)
    wes_emulator.script(processing_time=1)
    s3.now = lambda: clock.now
    moment = mocker.patch("botocore.auth.get_current_datetime")
    moment.side_effect = lambda remove_tzinfo=True: datetime.fromtimestamp(clock.now, timezone.utc).replace(
        tzinfo=None if remove_tzinfo else timezone.utc
    )
    mocker.patch("wes_provider.storage.ledger.time", clock)
    mocker.patch("wes_provider.polling.CouponFileWait.now", side_effect=lambda: clock.now)
    sleep = clock.sleep

    def after_fetching(seconds: float) -> None:
        """The service fetches files as soon as it has accepted them, which takes time that this clock does not show."""
        until = time.monotonic() + 2
        while time.monotonic() < until and len(s3.signed) < sum(
            "X-Amz-" in file["file_url"] for file in wes_emulator.files("list")
        ):
            time.sleep(0.01)
        sleep(seconds)

    mocker.patch.object(clock, "sleep", after_fetching)
    return clock


def put(s3: Any, number: int, prefix: str = "summer", codes: int = 3) -> None:
    for index in range(number):
        s3.put(f"{prefix}/{index:02}.csv", content(f"{prefix}-{index}", codes))


def content(stem: str, codes: int = 3) -> bytes:
    return b"code\n" + b"".join(f"{stem}-{code}\n".encode() for code in range(codes))


def operator(files: Any = SUMMER, **arguments: Any) -> Callable[[], WesReplenishCouponListOperator]:
    return lambda: WesReplenishCouponListOperator(
        task_id="replenish", coupon_list_id="list", files=files, **{"deferrable": False, **arguments}
    )


def single(file_url: Any, **arguments: Any) -> Callable[[], WesUploadCouponFileOperator]:
    return lambda: WesUploadCouponFileOperator(
        task_id="upload", coupon_list_id="list", file_url=file_url, wait_for_completion=True, **arguments
    )


def uploads(emulator: Emulator) -> list[str]:
    """Paths of the URLs whose uploads the service accepted."""
    return [file["file_url"].partition("?")[0].partition("/promo/")[2] for file in emulator.files("list")]


@pytest.mark.parametrize("deferrable", [False, True], ids=["worker", "triggerer"])
def test_fifty_files_are_fetched_with_urls_that_live_two_minutes(
    s3: Any, wes_emulator: Emulator, clock: Clock, deferrable: bool
) -> None:
    put(s3, 50)
    ti = TaskInstance(clock)
    make = operator(BucketFiles(SUMMER, url_lifetime=120), deferrable=deferrable, wait_for_completion=False)
    assert len(ti.run(make)) == 50
    clock.sleep(60)
    assert [file["status"] for file in wes_emulator.files("list")] == ["SUCCESS"] * 50
    assert all(not request.refused for request in s3.signed)
    assert clock.slept > 9 * 60


def test_fifty_files_signed_at_the_start_are_mostly_dead(s3: Any, wes_emulator: Emulator, clock: Clock) -> None:
    put(s3, 50)
    urls = [file.url() for file in BucketFiles(SUMMER, url_lifetime=120).expand()]
    TaskInstance(clock).run(operator(urls, wait_for_completion=False))
    clock.sleep(60)
    ended = Counter(file["status"] for file in wes_emulator.files("list"))
    assert ended["FAILED"] >= 30
    assert "expired" in s3.signed[-1].refused


def no_signature_in(ti: TaskInstance, s3: Any) -> None:
    kept = json.dumps(ti.xcoms) + json.dumps(ti.store.values if ti.store else {})
    kept += "".join(s3.get(name).decode() for name in s3.names("ledger/"))
    assert "X-Amz" not in kept
    assert "Signature" not in kept


def test_no_signature_is_logged_or_kept(
    s3: Any, wes_emulator: Emulator, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    put(s3, 2)
    wes_emulator.fail(UPLOAD, faults.reset())
    ti = TaskInstance(clock)
    with caplog.at_level(logging.INFO):
        ti.run(operator(ledger=Ledger(LEDGER)))
    ours = [record.getMessage() for record in caplog.records if record.name.startswith("wes_provider")]
    assert ours
    assert not [text for text in ours if "X-Amz" in text]
    no_signature_in(ti, s3)


def test_bad_files_are_stopped_before_a_request_to_the_service(s3: Any, wes_emulator: Emulator, clock: Clock) -> None:
    put(s3, 2)
    s3.put("summer/bad.csv", b"<html>Please log in</html>")
    for make in (operator(), single("s3://s3_promo@promo/summer/bad.csv")):
        with pytest.raises(Exception, match="is an HTML or XML page") as error:
            TaskInstance(clock).run(make)
        assert isinstance(error.value, WesPreflightError) or error.value.__cause__
    assert not wes_emulator.requests
    TaskInstance(clock).run(operator(preflight=False, wait_for_completion=False))
    assert len(wes_emulator.files("list")) == 3


def test_preflight_also_checks_plain_urls_if_asked(wes_emulator: Emulator, s3: Any, clock: Clock) -> None:
    url = wes_emulator.host("bad.csv", b"")
    with pytest.raises(Exception, match=r"bad.csv is empty"):
        TaskInstance(clock).run(operator([url], preflight=Preflight()))
    assert not wes_emulator.requests
    TaskInstance(clock).run(operator([url], wait_for_completion=False))
    assert len(wes_emulator.files("list")) == 1


@pytest.mark.parametrize("as_task", [False, True], ids=["plan_only", "preflight-operator"])
def test_plan_is_pushed_without_a_request_to_the_service(
    s3: Any, wes_emulator: Emulator, clock: Clock, as_task: bool
) -> None:
    put(s3, 6)
    ti = TaskInstance(clock)
    if as_task:
        plan = ti.run(lambda: WesPreflightOperator(task_id="plan", coupon_list_id="list", files=SUMMER))
        assert plan == ti.xcoms["plan"]
    else:
        assert ti.run(operator(plan_only=True)) == []
    plan = ti.xcoms["plan"]
    assert [file["path"] for file in plan["files"]] == [f"s3://promo/summer/{index:02}.csv" for index in range(6)]
    assert [file["codes"] for file in plan["files"]] == [3] * 6
    first, last = (datetime.fromisoformat(plan["files"][index]["upload_at"]) for index in (0, 5))
    assert last - first == timedelta(minutes=1)
    assert plan["last_upload_at"] == last.isoformat()
    assert not wes_emulator.requests


def test_plan_with_a_ledger_needs_no_service(
    s3: Any, wes_emulator: Emulator, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(s3, 1)
    TaskInstance(clock).run(operator(ledger=Ledger(LEDGER)))
    put(s3, 2)
    requests = len(wes_emulator.requests)
    monkeypatch.delenv("AIRFLOW_CONN_WES_DEFAULT")
    skip = Ledger(LEDGER, on_known_content="skip")
    for make in (
        operator(plan_only=True, ledger=skip),
        lambda: WesPreflightOperator(task_id="plan", coupon_list_id="list", files=SUMMER, ledger=skip),
    ):
        ti = TaskInstance(clock, task_id="plan")
        ti.run(make)
        assert ["skipped" in file for file in ti.xcoms["plan"]["files"]] == [True, False]
    assert len(wes_emulator.requests) == requests


def test_more_codes_than_the_file_had_are_a_warning(
    s3: Any, wes_emulator: Emulator, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    url = wes_emulator.host("a.csv", content("a", 5))
    ti = TaskInstance(clock)
    ti.pushed = lambda key, value: wes_emulator.host("a.csv", content("b", 6)) and None
    ti.run(operator([url], preflight=Preflight(min_added_ratio=1)))
    assert ti.xcoms["coupon_files"][0]["unaccounted_codes"] == -1
    assert "The service counted 6 codes of a file that has 5\n" in caplog.text


def test_missing_counts_are_named_as_the_cause_unless_none_are_needed() -> None:
    with pytest.raises(WesReconciliationError, match=r"^Added codes of 1 file not reported") as error:
        check_added([("s3://promo/a.csv", 3, None), ("s3://promo/b.csv", 3, 3)], 0.9, "list")
    assert "Counts of coupon files" in str(error.value)
    check_added([("s3://promo/a.csv", 3, None)], 0, "list")


def test_codes_are_reconciled_with_the_services_counts(s3: Any, wes_emulator: Emulator, clock: Clock) -> None:
    put(s3, 2)
    ti = TaskInstance(clock)
    ti.run(operator(preflight=Preflight(min_added_ratio=1)))
    assert [file["expected_codes"] for file in ti.xcoms["coupon_files"]] == [3, 3]
    assert [file["unaccounted_codes"] for file in ti.xcoms["coupon_files"]] == [0, 0]
    s3.put("winter/a.csv", content("summer-0"))  # the list has these
    s3.put("winter/b.csv", content("winter"))
    with pytest.raises(Exception, match=r"winter/a.csv: 0 of 3 codes were added") as error:
        TaskInstance(clock, task_id="winter").run(
            operator("s3://s3_promo@promo/winter/*", preflight=Preflight(min_added_ratio=0.5))
        )
    assert "b.csv" not in str(error.value)
    assert isinstance(error.value, WesReconciliationError) or error.value.__cause__


class TestLedger:
    def test_content_is_uploaded_to_a_list_once_whatever_its_name(
        self, s3: Any, wes_emulator: Emulator, clock: Clock
    ) -> None:
        put(s3, 2)
        TaskInstance(clock).run(operator(ledger=Ledger(LEDGER)))
        s3.put("winter/new-name.csv", content("summer-1"))
        s3.put("winter/new.csv", content("winter"))
        winter = "s3://s3_promo@promo/winter/*"
        with pytest.raises(Exception, match=r"winter/new-name.csv: coupon file \w+, by shop.replenish, run nightly"):
            TaskInstance(clock, task_id="winter").run(operator(winter, ledger=Ledger(LEDGER)))
        assert len(wes_emulator.files("list")) == 2
        ti = TaskInstance(clock, task_id="winter")
        assert len(ti.run(operator(winter, ledger=Ledger(LEDGER, on_known_content="skip")))) == 1
        assert uploads(wes_emulator)[2:] == ["winter/new.csv"]
        again = operator(winter, ledger=Ledger(LEDGER, on_known_content="upload"))
        assert len(TaskInstance(clock, task_id="again").run(again)) == 2

    def test_run_with_nothing_new_uploads_nothing(self, s3: Any, wes_emulator: Emulator, clock: Clock) -> None:
        put(s3, 2)
        make = operator(ledger=Ledger(LEDGER, on_known_content="skip"))
        assert len(TaskInstance(clock, run_id="first").run(make)) == 2
        assert TaskInstance(clock, run_id="second").run(make) == []
        with pytest.raises(AirflowSkipException, match=r"^Left out \(\S+ of list list\)\n.*list has its content as"):
            TaskInstance(clock, run_id="third").run(
                single("s3://s3_promo@promo/summer/00.csv", ledger=Ledger(LEDGER, on_known_content="skip"))
            )
        assert len(wes_emulator.files("list")) == 2

    def test_content_that_two_files_of_a_run_share_is_uploaded_once(
        self, s3: Any, wes_emulator: Emulator, clock: Clock
    ) -> None:
        put(s3, 2)
        s3.put("summer/copy.csv", content("summer-0"))
        ti = TaskInstance(clock)
        skip = operator(ledger=Ledger(LEDGER, on_known_content="skip"), wait_for_completion=False)
        assert len(ti.run(skip)) == 2
        assert uploads(wes_emulator) == ["summer/00.csv", "summer/01.csv"]
        assert ti.xcoms["plan"]["files"][2]["same_content_as"] == "s3://promo/summer/00.csv"
        s3.put("summer/000.csv", content("summer-0"))  # comes first now, and belongs to no entry
        assert len(ti.retry(skip)) == 2
        assert len(wes_emulator.files("list")) == 2

    @pytest.mark.parametrize("preflight", [None, False], ids=["checked", "unchecked"])
    @pytest.mark.parametrize("policy", ["fail", "upload"])
    def test_content_that_two_files_share_is_one_error(
        self, s3: Any, wes_emulator: Emulator, clock: Clock, policy: str, preflight: Any
    ) -> None:
        put(s3, 1)
        for name in ("a", "b"):
            s3.put(f"summer/{name}.csv", content("summer-0"))
        with pytest.raises(Exception, match=r"(?s)2 problems in.*a.csv has the same content.*b.csv has the same"):
            TaskInstance(clock).run(operator(ledger=Ledger(LEDGER, policy), preflight=preflight))
        assert not uploads(wes_emulator)

    def test_asset_state_store_serves_as_well(self, s3: Any, wes_emulator: Emulator, clock: Clock, mocker: Any) -> None:
        put(s3, 1)
        values = Store()
        mocker.patch.object(TaskInstance, "step", with_states(TaskInstance.step, values))
        TaskInstance(clock).run(operator(ledger=Ledger()))
        with pytest.raises(Exception, match="The content of 1 file was uploaded before"):
            TaskInstance(clock, run_id="other").run(operator(ledger=Ledger()))
        assert {key.partition("-")[0] for key in values.values} == {
            f"wes_ledger_{hashlib.sha256(content('summer-0')).hexdigest()}"
        }

    def test_file_that_failed_processing_may_come_again(self, s3: Any, wes_emulator: Emulator, clock: Clock) -> None:
        put(s3, 1)
        wes_emulator.script(processing_time=1, outcome="failure")
        with pytest.raises(Exception, match="failed processing"):
            TaskInstance(clock).run(operator(ledger=Ledger(LEDGER)))
        wes_emulator.script(processing_time=1)
        TaskInstance(clock, run_id="other").run(operator(ledger=Ledger(LEDGER)))
        assert len(wes_emulator.files("list")) == 2

    def test_cleared_task_that_uploads_again_says_so(
        self, s3: Any, wes_emulator: Emulator, clock: Clock, caplog: pytest.LogCaptureFixture
    ) -> None:
        put(s3, 1)
        ti = TaskInstance(clock)
        make = operator(ledger=Ledger(LEDGER), on_duplicate="upload")
        (first,) = ti.run(make)
        assert "uploading again" not in caplog.text
        ti.clear(make)
        assert "List list: uploading again what this task uploaded before\n" in caplog.text
        assert f"s3://promo/summer/00.csv is coupon file {first}." in caplog.text
        assert len(wes_emulator.files("list")) == 2

    def test_refused_upload_leaves_no_claim(self, s3: Any, wes_emulator: Emulator, clock: Clock) -> None:
        put(s3, 1)
        wes_emulator.fail(UPLOAD, faults.error(403))
        with pytest.raises(Exception, match="403"):
            TaskInstance(clock).run(operator(ledger=Ledger(LEDGER)))
        TaskInstance(clock, run_id="other").run(operator(ledger=Ledger(LEDGER)))
        assert len(wes_emulator.files("list")) == 1


def with_states(step: Any, values: Store) -> Any:
    """Attempts whose context has the asset state store."""

    class States:
        def __getitem__(self, asset: Any) -> Store:
            return values

    def patched(self: Any, make: Any, resumption: Any) -> Any:
        def made() -> Any:
            task = make()
            execute = task.execute
            task.execute = lambda context: execute({**context, "asset_state_store": States()})
            return task

        return step(self, made, resumption)

    return patched


class TestOverwrittenFile:
    def test_file_that_was_overwritten_after_its_upload_is_not_mixed_with_it(
        self, s3: Any, wes_emulator: Emulator, clock: Clock, mocker: Any
    ) -> None:
        put(s3, 2)
        ti = TaskInstance(clock)
        ti.run(operator(wait_for_completion=False))
        s3.put("summer/01.csv", content("other"))
        with pytest.raises(Exception, match=r"An earlier attempt uploaded it \(\S+ of list list\)") as error:
            ti.retry(operator(wait_for_completion=False))
        assert isinstance(error.value, WesDuplicateError) or error.value.__cause__
        assert "It was overwritten since, so its content differs" in str(error.value)
        assert "The task now uploads" not in str(error.value)
        assert len(wes_emulator.files("list")) == 2

    @pytest.mark.parametrize("on_duplicate", ["adopt", "fail"])
    def test_file_that_failed_is_repaired_in_place_and_uploaded_after_a_clear(
        self, s3: Any, wes_emulator: Emulator, clock: Clock, on_duplicate: str
    ) -> None:
        put(s3, 1)
        ti = TaskInstance(clock)
        make = operator(ledger=Ledger(LEDGER), on_duplicate=on_duplicate)
        wes_emulator.script(processing_time=1, outcome="failure")
        with pytest.raises(Exception, match="failed processing"):
            ti.run(make)
        wes_emulator.script(processing_time=1)
        s3.put("summer/00.csv", content("repaired"))
        (repaired,) = ti.clear(make)
        assert [file["_id"] == repaired for file in wes_emulator.files("list")] == [False, True]

    def test_without_a_state_store_it_is_uploaded_as_another_file(
        self, s3: Any, wes_emulator: Emulator, clock: Clock
    ) -> None:
        put(s3, 2)
        ti = TaskInstance(clock, store=None)
        ti.run(operator(wait_for_completion=False))
        s3.put("summer/01.csv", content("other"))
        clock.sleep(3600)
        ti.retry(operator(wait_for_completion=False))
        assert len(wes_emulator.files("list")) == 3

    def test_file_that_is_overwritten_while_its_content_is_claimed_is_not_uploaded(
        self, s3: Any, wes_emulator: Emulator, clock: Clock, mocker: Any
    ) -> None:
        """A claim may take long; what is signed after it is what was claimed."""
        put(s3, 1)
        claim = ListLedger.claim

        def slowly(*arguments: Any) -> Any:
            entry = claim(*arguments)
            s3.put("summer/00.csv", content("other", 6))
            return entry

        patched = mocker.patch.object(ListLedger, "claim", slowly)
        with pytest.raises(WesFileChangedError, match="was overwritten after the task listed it"):
            TaskInstance(clock).run(operator(ledger=Ledger(LEDGER)))
        assert not wes_emulator.files("list")
        mocker.stop(patched)
        s3.put("summer/01.csv", content("summer-0"))  # the content that never reached the list is not known
        assert len(TaskInstance(clock, run_id="other").run(operator(ledger=Ledger(LEDGER)))) == 2

    def test_file_that_is_overwritten_while_it_is_processed_is_an_error_and_both_contents_are_known(
        self, s3: Any, wes_emulator: Emulator, clock: Clock
    ) -> None:
        put(s3, 2)
        ti = TaskInstance(clock)
        ti.pushed = lambda key, value: s3.put("summer/00.csv", content("other", 6)) if key == "return_value" else None
        with pytest.raises(Exception, match=r"(?s)1 file was overwritten.*00.csv: coupon file \w+; ETag \w+") as error:
            ti.run(operator(ledger=Ledger(LEDGER)))
        assert isinstance(error.value, WesFileOverwrittenError) or error.value.__cause__
        entries = Ledger(LEDGER).open("list", {"ti": ti}).entries()
        states = sorted((entry.codes, entry.state) for entry in entries)
        assert states == [(0, "uncertain"), (3, "uncertain"), (3, "uploaded")]
        s3.put("summer/00.csv", content("summer-0"))
        for stem in ("summer-0", "other"):
            s3.put("winter/a.csv", content(stem, 3 if stem == "summer-0" else 6))
            with pytest.raises(Exception, match="whether it has this content cannot be known"):
                TaskInstance(clock, run_id=stem).run(operator("s3://s3_promo@promo/winter/*", ledger=Ledger(LEDGER)))
        assert len(wes_emulator.files("list")) == 2

    def test_file_that_is_deleted_or_written_again_with_the_same_content_is_no_error(
        self, s3: Any, wes_emulator: Emulator, clock: Clock, mocker: Any
    ) -> None:
        def delete(key: str, value: Any) -> None:
            if key == "return_value":
                while not any(request.path.endswith("01.csv") for request in s3.signed):
                    time.sleep(0.01)  # until the service has read it
                s3.delete("summer/01.csv")

        put(s3, 2)
        ti = TaskInstance(clock)
        ti.pushed = delete
        assert len(ti.run(operator(ledger=Ledger(LEDGER)))) == 2
        ti = TaskInstance(clock, run_id="other")
        # As with keys of a key management service, by which the same content gets another ETag.
        ti.pushed = lambda key, value: (
            mocker.patch.object(BucketFile, "current", lambda self: replace(self, etag="other"))
            if key == "return_value"
            else None
        )
        assert len(ti.run(operator(ledger=Ledger(LEDGER, on_known_content="upload")))) == 1

    def test_file_added_while_the_task_is_deferred_waits_for_the_next_run(
        self, s3: Any, wes_emulator: Emulator, clock: Clock
    ) -> None:
        put(s3, 7)
        ti = TaskInstance(clock)
        make = operator(deferrable=True, wait_for_completion=False)
        resumption, _ = ti.step(make, None)
        assert resumption is not None
        s3.put("summer/99.csv", content("new"))
        clock.sleep(61)
        resumption, ids = ti.step(make, resumption)
        assert len(ids) == 7


class TestArguments:
    def test_several_files_are_too_many_for_the_upload_operator(
        self, s3: Any, wes_emulator: Emulator, clock: Clock
    ) -> None:
        put(s3, 2)
        with pytest.raises(Exception, match=r"file_url has to be one file, and 2 match"):
            TaskInstance(clock).run(single(SUMMER))
        assert not wes_emulator.requests

    def test_upload_operator_takes_a_file_of_a_bucket(self, s3: Any, wes_emulator: Emulator, clock: Clock) -> None:
        put(s3, 1)
        ti = TaskInstance(clock)
        assert ti.run(single(SUMMER, ledger=Ledger(LEDGER))) == wes_emulator.files("list")[0]["_id"]
        assert ti.xcoms["coupon_file"]["expected_codes"] == 3
        assert s3.signed

    def test_files_of_a_bucket_stand_beside_plain_urls(self, s3: Any, wes_emulator: Emulator, clock: Clock) -> None:
        put(s3, 2)
        url = wes_emulator.host("plain.csv", content("plain"))
        make = operator([{"file_url": SUMMER, "created_by": "me"}, url], ledger=Ledger(LEDGER))
        ti = TaskInstance(clock)
        assert len(ti.run(make)) == 3
        assert [file["created_by"] for file in wes_emulator.files("list")][:2] == ["me", "me"]
        assert len(entries_of(Ledger(LEDGER).open("list", {"ti": ti}).store)) == 3

    def test_one_name_for_several_files_is_refused(self, s3: Any, wes_emulator: Emulator, clock: Clock) -> None:
        put(s3, 2)
        with pytest.raises(Exception, match="would all be named 'codes'"):
            TaskInstance(clock).run(operator([{"file_url": SUMMER, "name": "codes"}]))

    @pytest.mark.parametrize("url", ["file:///data/codes.csv", "/data/codes.csv"])
    def test_local_files_are_refused(self, url: str, s3: Any, wes_emulator: Emulator, clock: Clock) -> None:
        with pytest.raises(WesConfigurationError):
            TaskInstance(clock).run(operator([url]))
        assert not wes_emulator.requests

    @pytest.mark.parametrize("value", [True, "x", 0, Preflight])
    def test_preflight_that_is_none_is_refused(self, value: Any) -> None:
        with pytest.raises(WesConfigurationError, match="preflight takes a Preflight or False\n"):
            operator(preflight=value)()

    @pytest.mark.parametrize("value", [True, "s3://promo/ledger", Path("ledger"), Ledger])
    def test_ledger_that_is_none_is_refused(self, value: Any) -> None:
        with pytest.raises(WesConfigurationError, match="ledger takes a Ledger\n"):
            operator(ledger=value)()

    def test_arguments_of_preflight_are_checked_at_once_unless_they_are_templates(self) -> None:
        with pytest.raises(WesConfigurationError, match="header of Preflight takes True, False or None, not 'code'"):
            Preflight(header="code")
        assert Preflight(header="{{ params.header }}", min_codes="5")


def test_known_content_error_is_permanent() -> None:
    assert WesKnownContentError.permanent
