"""
If the user stops the command (SIGINT) while it follows an upload, it ends with 130 and a report of
what was sent: the upload was accepted, and the catalog and the segment were not sent, since the
user stopped it, and are not sent any more. The error output has no traceback, and the output is the
JSON alone, without what Airflow logs when it is imported. The query of the uploaded URL stands in
neither. If the reader of its output goes away, it ends with 1 and without a traceback, for people
and with ``--json``.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_service import (
    OLD_LIST,
    service,
)
from wes_provider.doctor.cli import main
from wes_provider.emulator import Emulator


def test_a_reader_that_goes_away_ends_the_command_with_1(
    emulator: Emulator, monkeypatch: pytest.MonkeyPatch
):
    """What Python itself still writes into the output when it ends is no error."""
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "w") as output:
        monkeypatch.setattr(sys, "stdout", output)
        assert main(["--coupon-list", OLD_LIST, "--json"]) == 1
        print("the end", flush=True)


@pytest.mark.weekly("two processes more; what the command itself does has a test above")
@pytest.mark.parametrize("options", ["", "--json"], ids=["for people", "JSON"])
def test_a_reader_that_goes_away_is_no_traceback(emulator: Emulator, options: str):
    """rich, which prints the report for people, ends that one."""
    program = f"{sys.executable} -W ignore -m wes_provider.doctor {options}"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {program} | true"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr


class Stopped(NamedTuple):
    """How the command ended that was interrupted while it followed an upload."""

    code: int
    output: str
    error: str
    operations: Sequence[str]


def is_followed(emulator: Emulator) -> bool:
    """Whether the doctor has uploaded a file and read it: the list had three of them before."""
    methods = [request.method for request in emulator.requests]
    return methods.count("POST") == 4 and methods[::-1].index("POST") > 2


@pytest.fixture(scope="module")
def stopped() -> Stopped:
    """The command, in a process of its own, to upload a file, to create and to update something."""
    argv = ["--coupon-list", OLD_LIST, "--catalog", "c", "--segment", "s", "--yes", "--json"]
    with service(processing_time=0) as emulator:
        emulator.configure(processing_time=3600)
        connection = emulator.connection(extra={"data_center": "01"})
        file_url = f"{emulator.files_url}/good.csv?signature=SECRET-SIGNATURE"
        command = [sys.executable, "-W", "ignore", "-m", "wes_provider.doctor"]
        with subprocess.Popen(
            [*command, *argv, "--upload", file_url],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "AIRFLOW_CONN_WES_DEFAULT": json.dumps(connection)},
        ) as process:
            while not is_followed(emulator):
                assert process.poll() is None
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            output, error = process.communicate(timeout=60)
        operations = [request.operation or "" for request in emulator.requests]
    return Stopped(process.returncode, output, error, operations)


def test_who_stops_it_while_it_follows_an_upload_gets_a_report_of_what_was_sent(stopped: Stopped):
    assert stopped.code == 130
    report = json.loads(stopped.output)
    assert (report["stopped"], report["writes"]) == (True, 1)
    assert report["verdict"].startswith("Stopped")
    texts = {finding["topic"]: finding["text"] for finding in report["findings"]}
    assert texts["Upload"].startswith("Accepted as coupon file")
    assert {texts["Identifier of a catalog"], texts["Segment"]} == {"Not sent: you stopped it."}


def test_nothing_more_is_written_after_it_is_stopped(stopped: Stopped):
    assert not {"create_catalog", "update_segment"} & {*stopped.operations}


def test_who_stops_it_sees_no_traceback(stopped: Stopped):
    assert "Traceback" not in stopped.error


def test_what_airflow_logs_when_it_is_imported_is_no_part_of_the_output(stopped: Stopped):
    """The JSON alone is; Airflow 3 logs of a secret that it is too short to mask."""
    assert stopped.output.startswith("{\n")


def test_the_query_of_an_uploaded_url_is_not_printed(stopped: Stopped):
    assert "good.csv" in stopped.error
    assert "SECRET-SIGNATURE" not in stopped.output + stopped.error
