"""
Plans of uploads. A file is left out if the list has its content as a coupon file, or if an earlier
file of the plan has the same content, each with the reason; files that were not fetched are never
taken for one content. A plan counts the codes of the files that are uploaded, and has the time of
the last upload in UTC, at five files a minute, or None without one; files that are left out take no
time. The log says what is left out and when the last file is uploaded.

A checked file is planned with its hash, codes, duplicates and blank lines, one that is not checked
with what is known of it. A plan is plain JSON, and is read as it was written. A path with a
connection, also an empty one, is an object; a plain URL is none.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from wes_provider.storage.counting import Counts
from wes_provider.storage.listed_file import ListedFile
from wes_provider.storage.plan import (
    PlannedFile,
    leave_out_files,
    plan_file,
    read_plan,
    write_plan,
)
from wes_provider.storage.preflight import CheckedFile
from wes_provider.storage.stores import Entry


def file(name: str, sha256: str, codes: int) -> PlannedFile:
    """A file of the bucket; one without a hash was not fetched."""
    return PlannedFile(path=f"s3://promo/{name}.csv", sha256=sha256, codes=codes)


KNOWN = Entry(
    sha256="k", number=1, coupon_list_id="l", path="p", etag="", codes=1, by="t", coupon_file_id="f"
)
FILES = (
    file("known", "k", 1),
    file("first", "a", 10),
    file("second", "a", 10),
    file("not-fetched", "", 0),
    file("not-fetched-either", "", 0),
    file("other", "b", 100),
)


def test_a_plan_counts_the_codes_of_the_files_that_are_uploaded() -> None:
    assert write_plan("l", leave_out_files(FILES, {0: KNOWN}), now=0)["codes"] == 110


def test_files_whose_content_is_known_or_planned_are_left_out() -> None:
    """Files that were not fetched are not taken for one content."""
    assert [planned.skipped for planned in leave_out_files(FILES, {0: KNOWN})] == [
        "the list has its content as coupon file f",
        None,
        "s3://promo/first.csv has the same content",
        None,
        None,
        None,
    ]


@pytest.fixture
def _a_machine_in_another_zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "IST-5:30")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def plain(name: str, sha256: str, codes: int, skipped: str | None = None) -> dict[str, Any]:
    """A file as a plan has it."""
    return {
        "path": f"s3://promo/{name}.csv",
        "item": 0,
        "conn_id": None,
        "url_lifetime": 0,
        "etag": "",
        "size": 0,
        "checked": True,
        "sha256": sha256,
        "codes": codes,
        "duplicates": 0,
        "blank_lines": 0,
        "skipped": skipped,
    }


NOON = 1_767_268_800  # 2026-01-01 12:00:00 UTC
LEFT_OUT = "the list has its content as coupon file f"
KNOWN_AND_SIX = (FILES[0], *(file(f"{n}", f"{n}", n) for n in range(6)))
"""The service takes five of the six in the first minute."""


@pytest.mark.usefixtures("_a_machine_in_another_zone")
def test_a_plan_is_plain_json_with_the_time_of_the_last_upload_in_utc() -> None:
    """As XComs have it."""
    assert write_plan("l", leave_out_files(KNOWN_AND_SIX, {0: KNOWN}), now=NOON) == {
        "coupon_list_id": "l",
        "codes": 15,
        "last_upload_at": "2026-01-01T12:01:00+00:00",
        "files": [
            plain("known", "k", 1, LEFT_OUT),
            *(plain(f"{n}", f"{n}", n) for n in range(6)),
        ],
    }


@pytest.mark.usefixtures("_a_machine_in_another_zone")
def test_the_log_has_what_is_left_out_and_when_the_last_file_is_uploaded(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO", logger="wes_provider.storage.plan")
    write_plan("l", leave_out_files(KNOWN_AND_SIX, {0: KNOWN}), now=NOON)
    assert [record.getMessage() for record in caplog.records] == [
        f"Leaving out s3://promo/known.csv: {LEFT_OUT}",
        "6 files to upload, the last one at about 2026-01-01 12:01 UTC",
    ]


def test_the_log_of_a_plan_without_an_upload_names_no_time(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO", logger="wes_provider.storage.plan")
    write_plan("l", leave_out_files(FILES[:1], {0: KNOWN}), now=NOON)
    assert caplog.messages[-1] == "No file to upload"


def test_a_checked_file_is_planned_with_what_was_found() -> None:
    listed = ListedFile(
        path="s3://promo/a.csv", item=3, conn_id="c", etag="e", size=5, url_lifetime=7
    )
    checked = CheckedFile(listed, 9, "sha", Counts(codes=4, duplicates=2, blank_lines=1))
    assert plan_file(checked) == PlannedFile(
        path="s3://promo/a.csv",
        item=3,
        conn_id="c",
        etag="e",
        size=9,
        url_lifetime=7,
        sha256="sha",
        codes=4,
        duplicates=2,
        blank_lines=1,
    )


def test_a_plan_without_a_file_to_upload_has_no_last_upload() -> None:
    plan = write_plan("l", leave_out_files(FILES[:1], {0: KNOWN}), now=0)
    assert plan["last_upload_at"] is None


def test_a_plan_without_a_file_to_upload_has_no_codes() -> None:
    assert write_plan("l", leave_out_files(FILES[:1], {0: KNOWN}), now=0)["codes"] == 0


def test_a_file_that_is_not_checked_keeps_what_is_known_of_it() -> None:
    listed = ListedFile(path="https://h/a.csv", item=2, checked=False)
    assert plan_file(CheckedFile(listed, 0)) == PlannedFile(
        path="https://h/a.csv", item=2, checked=False
    )


def test_a_checked_file_without_codes_is_planned_with_its_hash_and_blank_lines() -> None:
    listed = ListedFile(path="s3://promo/a.csv", conn_id="")
    planned = plan_file(CheckedFile(listed, 9, "sha", Counts(codes=0, duplicates=0, blank_lines=3)))
    assert (planned.sha256, planned.codes, planned.blank_lines) == ("sha", 0, 3)


def test_a_third_file_of_one_content_is_left_out_for_the_first() -> None:
    files = [file(name, "a", 1) for name in ("first", "second", "third")]
    assert [planned.skipped for planned in leave_out_files(files, {})] == [
        None,
        "s3://promo/first.csv has the same content",
        "s3://promo/first.csv has the same content",
    ]


def test_files_that_are_left_out_take_no_time() -> None:
    """Five others are as many as a minute has."""
    files = [FILES[0], *(file(f"{n}", f"{n}", n) for n in range(5))]
    plan = write_plan("l", leave_out_files(files, {0: KNOWN}), now=0)
    assert plan["last_upload_at"] == "1970-01-01T00:00:00+00:00"


def test_a_known_file_is_left_out_even_if_its_upload_has_no_identifier() -> None:
    entry = replace(KNOWN, coupon_file_id="")
    (planned,) = leave_out_files(FILES[:1], {0: entry})
    assert planned.skipped == "the list has its content as coupon file "


def test_a_file_with_an_empty_connection_is_an_object() -> None:
    assert ListedFile(path="s3://promo/a.csv", conn_id="").is_object


def test_a_file_at_a_plain_url_is_no_object() -> None:
    assert not ListedFile(path="https://h/a.csv").is_object


def test_a_plan_is_read_as_it_was_written() -> None:
    files = leave_out_files(FILES, {0: KNOWN})
    assert read_plan(write_plan("l", files, now=0)) == files
