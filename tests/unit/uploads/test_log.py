"""What people read in the log of an upload: all lines in order, with file and list."""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING

from support.attempts import TaskInstance
from unit.uploads.conftest import replenish, upload, urls
from wes_provider.emulator import Emulator, faults

if TYPE_CHECKING:
    import pytest

UPLOAD = "upload_coupon_file"
NAME = re.compile(r"[a-z2-7]{8}-g\d-[a-z2-7]{4}-[a-z2-7]{6}\.csv")
HERE = "(a.csv of list summer)"


def lines_since(caplog: pytest.LogCaptureFixture, emulator: Emulator) -> list[str]:
    """
    The lines of the provider since the last call, with ``NAME`` for the names of files, and
    ``FILE1`` for the identifier of the list's first file.
    """
    text = "\n".join(
        record.getMessage() for record in caplog.records if record.name.startswith("wes_provider")
    )
    caplog.clear()
    for number, file in enumerate(emulator.files("summer"), start=1):
        text = text.replace(file["_id"], f"FILE{number}")
    return NAME.sub("NAME", text).splitlines()


ADOPTED = "Coupon file FILE1 of an earlier attempt adopted:"


def test_the_log_has_the_start_and_the_result_of_an_upload(
    wes_emulator: Emulator, ti: TaskInstance, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.INFO)
    ti.run(upload())
    assert lines_since(caplog, wes_emulator) == [
        f"Uploading {HERE} as NAME",
        f"Uploaded: coupon file FILE1 {HERE}",
    ]


def test_the_log_of_a_retry_has_the_file_that_it_adopts(
    wes_emulator: Emulator, ti: TaskInstance, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.INFO)
    ti.run(upload())
    caplog.clear()
    ti.retry(upload())
    assert lines_since(caplog, wes_emulator) == [
        f"{ADOPTED} the task instance has uploaded it {HERE}"
    ]


def test_the_log_after_a_clear_has_the_file_that_it_adopts_and_what_a_url_stands_for(
    wes_emulator: Emulator, ti: TaskInstance, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.INFO)
    ti.run(upload())
    caplog.clear()
    ti.clear(upload())
    assert lines_since(caplog, wes_emulator) == [
        f"{ADOPTED} it was uploaded before the clear {HERE}",
        "A URL stands for the same file, whatever it holds now",
    ]


def test_the_log_after_a_clear_with_on_duplicate_upload_has_the_file_that_is_left(
    wes_emulator: Emulator, ti: TaskInstance, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.INFO)
    ti.run(upload())
    caplog.clear()
    ti.clear(upload(on_duplicate="upload"))
    assert lines_since(caplog, wes_emulator) == [
        "Coupon file FILE1 is left: the task was cleared, and on_duplicate is 'upload' " + HERE,
        f"Uploading {HERE} as NAME",
        f"Uploaded: coupon file FILE2 {HERE}",
    ]


def test_the_log_has_each_reply_that_is_lost_and_what_the_list_shows_then(
    wes_emulator: Emulator, ti: TaskInstance, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.INFO)
    wes_emulator.fail(UPLOAD, faults.error(503, effect=False))
    wes_emulator.fail(UPLOAD, faults.reply_lost())
    ti.run(upload())
    assert lines_since(caplog, wes_emulator) == [
        f"Uploading {HERE} as NAME",
        f"503 unexpected-error: Something went wrong on purpose. {HERE}",
        "Reading the list to see whether it shows the file",
        f"The list does not have it: sending it again {HERE}",
        f"Uploading {HERE} as NAME",
        f"no response: RemoteDisconnected {HERE}",
        "Reading the list to see whether it shows the file",
        f"Uploaded: coupon file FILE1, since the list shows it {HERE}",
    ]


def test_the_log_has_when_the_limit_allows_the_next_upload_and_how_many_are_left(
    wes_emulator: Emulator, ti: TaskInstance, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.INFO)
    # A list takes five uploads a minute.
    ti.run(replenish(urls(7), deferrable=False))
    lines = lines_since(caplog, wes_emulator)
    at = lines.index("5 of 7 are uploaded, the rest takes about 0:01:00")
    assert re.fullmatch(
        r"The rate limit allows the next upload at \S+ \S+ UTC \(list summer\)", lines[at - 1]
    )
