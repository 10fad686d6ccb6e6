"""What people read in a task's log, as a whole: each line once, with file and list."""

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


def told(caplog: pytest.LogCaptureFixture, emulator: Emulator) -> list[str]:
    """The lines since the last call, with names and identifiers by their role."""
    text = "\n".join(
        record.getMessage() for record in caplog.records if record.name.startswith("wes_provider")
    )
    caplog.clear()
    for number, file in enumerate(emulator.files("summer"), start=1):
        text = text.replace(file["_id"], f"FILE{number}")
    return NAME.sub("NAME", text).splitlines()


def test_the_log_tells_each_step_once(
    wes_emulator: Emulator, ti: TaskInstance, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.INFO)
    ti.run(upload())
    assert told(caplog, wes_emulator) == [
        f"Uploading {HERE} as NAME",
        f"Uploaded: coupon file FILE1 {HERE}",
    ]
    ti.retry(upload())
    adopted = "Coupon file FILE1 of an earlier attempt adopted:"
    assert told(caplog, wes_emulator) == [f"{adopted} the task instance has uploaded it {HERE}"]
    ti.clear(upload())
    assert told(caplog, wes_emulator) == [
        f"{adopted} it was uploaded before the clear {HERE}",
        "A URL stands for the same file, whatever it holds now",
    ]
    ti.clear(upload(on_duplicate="upload"))
    assert told(caplog, wes_emulator) == [
        "Coupon file FILE1 is left: the task was cleared, and on_duplicate is 'upload' " + HERE,
        f"Uploading {HERE} as NAME",
        f"Uploaded: coupon file FILE2 {HERE}",
    ]


def test_the_log_tells_of_lost_replies(
    wes_emulator: Emulator, ti: TaskInstance, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.INFO)
    wes_emulator.fail(UPLOAD, faults.error(503, effect=False))
    wes_emulator.fail(UPLOAD, faults.reply_lost())
    ti.run(upload())
    assert told(caplog, wes_emulator) == [
        f"Uploading {HERE} as NAME",
        f"503 unexpected-error: Something went wrong on purpose. {HERE}",
        "Reading the list to see whether it shows the file",
        f"The list does not have it: sending it again {HERE}",
        f"Uploading {HERE} as NAME",
        f"no response: RemoteDisconnected {HERE}",
        "Reading the list to see whether it shows the file",
        f"Uploaded: coupon file FILE1, since the list shows it {HERE}",
    ]


def test_the_log_tells_of_the_limit_and_how_far_it_is(
    wes_emulator: Emulator, ti: TaskInstance, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.INFO)
    ti.run(replenish(urls(7), deferrable=False))
    lines = told(caplog, wes_emulator)
    at = lines.index("5 of 7 are uploaded, the rest takes about 0:01:00")
    assert re.fullmatch(
        r"The rate limit allows the next upload at \S+ \S+ UTC \(list summer\)", lines[at - 1]
    )
