"""
What people read in the log of an upload, one record after another, each with its level. It has the
start, with the name that the upload gets, and the result. A retry and a clear have the file that is
adopted, and why; a clear adds that a URL stands for the same file; with ``on_duplicate="upload"``,
the file that is left, and an upload under a new name. A request whose outcome is unknown is a
warning with the error, followed by what the list shows; it is sent again under the same name. At
the limit, the log has when the next upload is allowed, how many are done, and how long the rest
takes.

The line that says what happened to a file ends with the file and the list, and one about the limit
with the list; a line below either, and the hint what a URL stands for, ends with neither.
"""

from __future__ import annotations

import logging
import re

import pytest

from support.attempts import TaskInstance
from unit.uploads.conftest import replenish, upload, urls
from wes_provider.emulator import Emulator, faults

UPLOAD = "upload_coupon_file"
NAME = re.compile(r"[a-z2-7]{8}-g\d-[a-z2-7]{4}-[a-z2-7]{6}\.csv")
HERE = "(a.csv of list summer)"


class Log:
    """The provider's log."""

    def __init__(self, caplog: pytest.LogCaptureFixture, emulator: Emulator) -> None:
        caplog.set_level(logging.INFO)
        self._caplog = caplog
        self._emulator = emulator
        self._names: list[str] = []

    def records(self) -> list[str]:
        """
        The records since the last call: the level of each, and its message of one line or more.

        ``FILE1`` stands for the identifier of the list's first file, and ``NAME1`` for the first
        name under which a file was uploaded; two names that differ have two numbers.
        """
        records = [
            f"{record.levelname} {record.getMessage()}"
            for record in self._caplog.records
            if record.name.startswith("wes_provider")
        ]
        self._caplog.clear()
        return [NAME.sub(self._number_name, self._number_files(record)) for record in records]

    def _number_files(self, record: str) -> str:
        for number, file in enumerate(self._emulator.files("summer"), start=1):
            record = record.replace(file["_id"], f"FILE{number}")
        return record

    def _number_name(self, found: re.Match[str]) -> str:
        if found[0] not in self._names:
            self._names.append(found[0])
        return f"NAME{self._names.index(found[0]) + 1}"


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture, wes_emulator: Emulator) -> Log:
    return Log(caplog, wes_emulator)


def test_the_log_has_the_start_and_the_result_of_an_upload(ti: TaskInstance, log: Log) -> None:
    ti.run(upload())
    assert log.records() == [
        f"INFO Uploading {HERE} as NAME1",
        f"INFO Uploaded: coupon file FILE1 {HERE}",
    ]


def test_the_log_of_a_retry_has_the_file_that_it_adopts(ti: TaskInstance, log: Log) -> None:
    ti.run(upload())
    log.records()
    ti.retry(upload())
    assert log.records() == [
        "INFO Coupon file FILE1 of an earlier attempt adopted: the task instance has uploaded it "
        f"{HERE}"
    ]


def test_the_log_after_a_clear_has_the_file_that_it_adopts_and_what_a_url_stands_for(
    ti: TaskInstance, log: Log
) -> None:
    ti.run(upload())
    log.records()
    ti.clear(upload())
    assert log.records() == [
        "INFO Coupon file FILE1 of an earlier attempt adopted: it was uploaded before the clear "
        f"{HERE}",
        "INFO A URL stands for the same file, whatever it holds now",
    ]


def test_the_log_after_a_clear_with_on_duplicate_upload_has_the_file_that_is_left(
    ti: TaskInstance, log: Log
) -> None:
    """The second upload has a name of its own."""
    ti.run(upload())
    assert log.records()[0] == f"INFO Uploading {HERE} as NAME1"
    ti.clear(upload(on_duplicate="upload"))
    assert log.records() == [
        "INFO Coupon file FILE1 is left: the task was cleared, and on_duplicate is 'upload' "
        f"{HERE}",
        f"INFO Uploading {HERE} as NAME2",
        f"INFO Uploaded: coupon file FILE2 {HERE}",
    ]


def test_the_log_warns_of_each_request_whose_outcome_is_unknown_and_has_what_the_list_shows(
    wes_emulator: Emulator, ti: TaskInstance, log: Log
) -> None:
    """The first request has no effect, and the second one has; both send the same name."""
    wes_emulator.fail(UPLOAD, faults.error(503, effect=False))
    wes_emulator.fail(UPLOAD, faults.reply_lost())
    ti.run(upload())
    assert log.records() == [
        f"INFO Uploading {HERE} as NAME1",
        f"WARNING 503 unexpected-error: Something went wrong on purpose. {HERE}\n"
        "Reading the list to see whether it shows the file",
        f"INFO The list does not have it: sending it again {HERE}",
        f"INFO Uploading {HERE} as NAME1",
        f"WARNING no response: RemoteDisconnected {HERE}\n"
        "Reading the list to see whether it shows the file",
        f"INFO Uploaded: coupon file FILE1, since the list shows it {HERE}",
    ]


def test_the_log_has_when_the_limit_allows_the_next_upload_and_how_many_are_left(
    ti: TaskInstance, log: Log
) -> None:
    """A list takes five uploads in each minute of the clock, which stands at 01:00:00.3."""
    ti.run(replenish(urls(7), deferrable=False))
    records = log.records()
    assert len(records) == 15
    assert [record for record in records if not record.startswith("INFO Upload")] == [
        "INFO The rate limit allows the next upload at 2023-11-14 01:01:00 UTC (list summer)\n"
        "5 of 7 are uploaded, the rest takes about 0:01:00"
    ]
    assert records[9].startswith("INFO Uploaded: coupon file FILE5 (part-4.csv ")
