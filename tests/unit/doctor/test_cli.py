"""
``wes-doctor`` on the command line, with a service: what it sends, what it prints, what it ends
with.
"""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from support.doctor_service import (
    CAMPAIGN_KEY,
    DATA_KEY,
    LIST,
    OLD_LIST,
    SEGMENT_PATH,
    WORKSPACE,
    Account,
    Call,
    not_found,
    record,
    service,
)
from support.servers import Reply, replying
from wes_provider.doctor.cli import main
from wes_provider.emulator import Emulator

WRITES = {
    "--upload": ("POST", f"/v1/coupon-list/{OLD_LIST}/files"),
    "--catalog": ("POST", "/v1/catalog"),
    "--segment": ("PATCH", "/v3/custom-segments/doctors-segment"),
}
FLAGS = ("--coupon-list", *WRITES, "--yes")


COMBINATIONS = [flags for number in range(6) for flags in combinations(FLAGS, number)]


def is_refused(flags: Sequence[str]) -> bool:
    """Whether a combination lacks a confirmation, or the list that a file goes into."""
    writes = [flag for flag in flags if flag in WRITES]
    lacks_list = "--upload" in flags and "--coupon-list" not in flags
    lacks_confirmation = bool(writes) and "--yes" not in flags
    return lacks_list or lacks_confirmation


ACCEPTED = [flags for flags in COMBINATIONS if not is_refused(flags)]
REFUSED = [flags for flags in COMBINATIONS if is_refused(flags)]


def arguments_of(flags: Sequence[str], emulator: Emulator) -> list[str]:
    """The command's arguments: each flag with a value, if it takes one."""
    values = {
        "--coupon-list": [OLD_LIST],
        "--upload": [f"{emulator.files_url}/good.csv"],
        "--catalog": ["a-catalog"],
        "--segment": ["doctors-segment"],
    }
    return [part for flag in flags for part in (flag, *values.get(flag, []))]


@pytest.mark.parametrize("flags", ACCEPTED, ids=" ".join)
def test_the_changes_that_are_asked_for_and_confirmed_are_sent_in_order_and_no_other(
    emulator: Emulator, flags: Sequence[str]
):
    before = len(emulator.requests)
    main(arguments_of(flags, emulator))
    sent = [(request.method, request.raw_path) for request in emulator.requests[before:]]
    changes = [change for change in sent if change[0] != "GET"]
    assert changes == [WRITES[flag] for flag in flags if flag in WRITES]


@pytest.mark.parametrize("flags", REFUSED, ids=" ".join)
def test_nothing_is_sent_if_a_change_lacks_its_confirmation_or_an_upload_its_list(
    emulator: Emulator, flags: Sequence[str]
):
    before = len(emulator.requests)
    with pytest.raises(SystemExit) as exit_:
        main(arguments_of(flags, emulator))
    assert exit_.value.code == 2
    assert len(emulator.requests) == before


def test_the_update_of_a_segment_sends_updated_by_alone(emulator: Emulator):
    main(["--segment", "doctors-segment", "--yes"])
    (update,) = [request for request in emulator.requests if request.method == "PATCH"]
    assert json.loads(update.body) == {"updated_by": "wes-doctor@example.com"}


class Ended(NamedTuple):
    """Arguments, and the exit code."""

    name: str
    argv: Sequence[str]
    code: int


ENDS = [
    Ended("without a list: not proved", [], 1),
    Ended("with a list: ready", ["--coupon-list", OLD_LIST], 0),
]


@pytest.mark.parametrize("row", ENDS, ids=[row.name for row in ENDS])
def test_the_exit_code_is_0_for_a_ready_account_and_1_for_another(row: Ended, emulator: Emulator):
    assert main(row.argv) == row.code


def test_the_json_says_whether_all_works_and_how_much_was_written(
    emulator: Emulator, capsys: pytest.CaptureFixture[str]
):
    main(["--coupon-list", OLD_LIST, "--catalog", "c", "--segment", "s", "--yes", "--json"])
    report = json.loads(capsys.readouterr().out)
    assert report["works"] is True
    assert report["writes"] == 2


class Usage(NamedTuple):
    """Arguments that cannot be used, and the beginning of the message."""

    argv: list[str]
    message: str


WRONG_USAGE = [
    Usage(["--upload", "https://files.example.com/a.csv"], "--upload needs --coupon-list"),
    Usage(["--coupon-list", ".."], "--coupon-list is '..'"),
    Usage(["--coupon-list", "l", "--upload", "no-url", "--yes"], "file_url takes an absolute URL"),
    Usage(
        ["--catalog", "c"],
        "this changes something: confirm it on a terminal, or give --yes",
    ),
    Usage(["--conn-id", "nowhere"], "Connection 'nowhere' is not defined (--conn-id)"),
    Usage(
        ["--conn-id", "without_login"],
        "Connection 'without_login' cannot be used: login (Workspace identifier) is missing",
    ),
    Usage(["--timeout", "-1"], "argument --timeout: takes seconds above 0"),
    Usage(["--segment", "a\nb", "--yes"], "--segment holds U+000A, LINE FEED 'a b'"),
    Usage(["--segment", "s", "--updated-by", "", "--yes"], "updated_by is empty"),
    Usage(["--save-extra", "/no/such/folder/extra.json"], "there is no folder /no/such/folder"),
]


@pytest.mark.parametrize("row", WRONG_USAGE, ids=[" ".join(row.argv) for row in WRONG_USAGE])
def test_wrong_usage_ends_with_2_and_sends_nothing(
    row: Usage,
    emulator: Emulator,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.setenv(
        "AIRFLOW_CONN_WITHOUT_LOGIN", '{"conn_type": "wes", "host": "h", "password": "KEY-KEY"}'
    )
    before = len(emulator.requests)
    with pytest.raises(SystemExit) as exit_:
        main(row.argv)
    assert exit_.value.code == 2
    error = capsys.readouterr().err
    assert error.partition("wes-doctor: error: ")[2].startswith(row.message)
    assert "KEY-KEY" not in error
    assert len(emulator.requests) == before


def test_the_report_of_an_ordinary_account_has_16_lines_and_announces_changes_on_the_error_output(
    emulator: Emulator, capsys: pytest.CaptureFixture[str]
):
    """The verdict first, what is fine in one line each; steps go to a terminal only."""
    url = f"{emulator.files_url}/good.csv"
    writes = ["--upload", url, "--catalog", "c", "--segment", "s", "--yes"]
    assert main(["--coupon-list", OLD_LIST, *writes]) == 0
    captured = capsys.readouterr()
    lines = captured.out.splitlines()
    assert len(lines) <= 16
    assert max(map(len, lines)) <= 100
    assert lines[0] == "Ready: everything that your tasks need works."
    assert {line.split()[0] for line in lines[2:]} == {"sure", "not"}
    assert captured.err.splitlines() == [
        f"wes-doctor sends {emulator.url} at most 12 reads. Then it changes something in the "
        "service:",
        f"  - Upload {url} to the list {OLD_LIST}",
        "  - Create the catalog c",
        "  - Update the segment s: its updated_by becomes wes-doctor@example.com",
        "It follows the upload with at most 100 reads in a minute, then with one in 10 s.",
    ]


def test_nothing_but_the_report_is_printed_if_it_only_reads(
    emulator: Emulator, capsys: pytest.CaptureFixture[str]
):
    assert main(["--coupon-list", OLD_LIST]) == 0
    assert capsys.readouterr().err == ""


def test_what_is_sure_stands_before_what_was_not_asked(
    emulator: Emulator, capsys: pytest.CaptureFixture[str]
):
    main(["--coupon-list", OLD_LIST])
    lines = capsys.readouterr().out.splitlines()[2:]
    words = [line[:12].strip() for line in lines if line[:12].strip()]
    assert {*words} == {"sure", "not asked"}
    assert words == sorted(words, reverse=True)


def test_a_report_is_printed_though_the_file_for_its_extra_cannot_be_written(
    emulator: Emulator, capsys: pytest.CaptureFixture[str]
):
    """It is wrong usage, though the catalog was created."""
    with pytest.raises(SystemExit) as exit_:
        main(["--catalog", "c", "--yes", "--save-extra", "/dev/full"])
    assert exit_.value.code == 2
    captured = capsys.readouterr()
    assert captured.out.splitlines()[0].startswith("Not proved: ")
    assert "/dev/full cannot be written: OSError" in captured.err


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


GIVEN: dict[str, Any] = {
    "data_center": "02",
    "read_timeout": 90,
    "paths": {
        "coupon_files": "/v1/coupon-list/{coupon_list_id}/files?limit=1000",
        "catalog_id": "x.y",
    },
}
FOUND = {
    **GIVEN,
    "paths": {**GIVEN["paths"], "coupon_file": "/v1/coupon-files/{coupon_file_id}"},
}
OTHER = {"conn_type": "wes", "extra": {"data_api_key": "KEPT"}}
EXPORTED = {"conn_type": "wes", "extra": '{"data_api_key": "KEPT"}'}


@pytest.fixture
def save_extra_of_other(
    emulator: Emulator, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Path], None]:
    """
    Saves the extra of the connection ``other`` into a file. The path of a file that the connection
    has is wrong, so the account is not ready.
    """
    emulator.configure(coupon_file_path="/v1/coupon-files/{coupon_file_id}")
    defaults = {"connect_timeout": 10, "verify": True}
    connection = emulator.connection(extra={**GIVEN, **defaults, "token": "UNKNOWN"})
    monkeypatch.setenv("AIRFLOW_CONN_OTHER", json.dumps(connection))

    def save(file: Path) -> None:
        argv = ["--conn-id", "other", "--coupon-list", OLD_LIST, "--save-extra", str(file)]
        assert main(argv) == 1

    return save


def test_the_extra_is_saved_with_what_the_connection_sets_besides_defaults(
    save_extra_of_other: Callable[[Path], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    save_extra_of_other(tmp_path / "extra.json")
    assert json.loads((tmp_path / "extra.json").read_text()) == FOUND
    assert f"The extra is in {tmp_path / 'extra.json'}" in capsys.readouterr().err


@pytest.mark.parametrize("connection", [OTHER, EXPORTED], ids=["an object", "a string"])
def test_the_extra_is_saved_into_a_file_of_connections_whose_key_stays(
    save_extra_of_other: Callable[[Path], None], tmp_path: Path, connection: Mapping[str, Any]
):
    file = tmp_path / "connections.json"
    file.write_text(json.dumps({"other": connection, "b": {}}))
    save_extra_of_other(file)
    saved = {**OTHER, "extra": {"data_api_key": "KEPT", **FOUND}}
    assert json.loads(file.read_text()) == {"other": saved, "b": {}}


class OnTerminal(NamedTuple):
    """How the command ended that a user confirmed, or did not, on a terminal."""

    code: int
    asked: str
    progress: str
    output: str
    segments: Sequence[str]


def update_segment_on_terminal(typed: str) -> OnTerminal:
    """
    Update the segment ``s``, in a process of its own, as it is for a user, who types something and
    names no list.
    """
    user, program = pty.openpty()
    os.write(user, f"{typed}\n".encode())
    with service(processing_time=0) as emulator:
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-m", "wes_provider.doctor", "--segment", "s"],
            stdin=program,
            stdout=subprocess.PIPE,
            stderr=program,
            env={**os.environ, **emulator.connection_env(), "TERM": "xterm", "COLUMNS": "100"},
            check=False,
            timeout=60,
        )
        segments = [*emulator.segments]
    os.close(program)
    shown = os.read(user, 65536).decode()
    os.close(user)
    asked, _, progress = shown.partition("Type yes to go on: ")
    return OnTerminal(done.returncode, asked, progress, done.stdout.decode(), segments)


@pytest.fixture(scope="module")
def confirmed() -> OnTerminal:
    """The command after the user has typed ``yes``."""
    return update_segment_on_terminal("yes")


def test_a_write_that_is_confirmed_on_a_terminal_is_sent(confirmed: OnTerminal):
    """Without a list, the account is not ready."""
    assert (confirmed.code, confirmed.segments) == (1, ["s"])


def test_a_terminal_shows_what_is_to_be_confirmed(confirmed: OnTerminal):
    assert (
        "  - Update the segment s: its updated_by becomes wes-doctor@example.com" in confirmed.asked
    )


def test_a_question_on_a_terminal_is_no_part_of_the_report(confirmed: OnTerminal):
    assert confirmed.output.startswith("Not proved: ")


def test_a_terminal_has_one_line_of_progress(confirmed: OnTerminal):
    """Each step replaces the one before."""
    assert "Update the segment s" in confirmed.progress
    assert confirmed.progress.count("\n") <= 2


@pytest.mark.weekly("one process more; test_cli_options.py has what confirms, and what does not")
def test_a_write_that_is_not_confirmed_on_a_terminal_is_not_sent():
    refused = update_segment_on_terminal("no")
    assert (refused.code, refused.segments) == (2, [])
    assert "Update the segment s" not in refused.progress


ODD = "\x1b]0;owned\x07\u202e" + "A" * 3_000


def what_an_odd_account_has_printed(
    option: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> str:
    """The output for an account whose last file, and whose reply about a segment, have odd texts."""

    def no_segment(call: Call) -> Reply | None:
        if call.path == SEGMENT_PATH and call.key == "data":
            return not_found(f"segment {ODD}")
        return None

    odd_file = record("f" * 500, ODD, error=ODD, **{ODD: 7})
    with replying(Account(no_segment, [record("f1"), odd_file])) as url:
        connection = {
            "conn_type": "wes",
            "host": url,
            "login": WORKSPACE,
            "password": CAMPAIGN_KEY,
            "extra": {"data_api_key": DATA_KEY},
        }
        monkeypatch.setenv("AIRFLOW_CONN_WES_DEFAULT", json.dumps(connection))
        assert main(["--coupon-list", LIST, *option.split()]) == 1
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


OUTPUTS = pytest.mark.parametrize("option", ["", "--json"], ids=["for people", "JSON"])


@OUTPUTS
def test_control_characters_of_the_service_are_replaced_in_the_output(
    option: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """The status in capitals, as it is compared; what the service says of the file in quotes."""
    output = what_an_odd_account_has_printed(option, monkeypatch, capsys)
    assert "Not proved: Statuses." in output
    assert "\ufffd]0;OWNED\ufffd\ufffdAAA" in output
    assert "' ]0;owned" in output
    assert all(character.isprintable() or character == "\n" for character in output)


@OUTPUTS
def test_of_a_long_text_of_the_service_at_most_100_characters_are_in_the_output(
    option: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    output = what_an_odd_account_has_printed(option, monkeypatch, capsys)
    lengths = [len(run) for run in re.findall("A+|f+", output)]
    assert 80 < max(lengths) <= 100


def test_a_proxy_that_cannot_be_used_is_named_without_its_password(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    connection = {
        "conn_type": "wes",
        "host": "https://api.example.com",
        "login": "w",
        "password": "p" * 9,
    }
    monkeypatch.setenv("AIRFLOW_CONN_WES_DEFAULT", json.dumps(connection))
    monkeypatch.setenv("HTTPS_PROXY", "socks5://user:PROXY-PASSWORD@127.0.0.1:1")
    assert main([]) == 1
    captured = capsys.readouterr()
    said = " ".join(captured.out.split())
    assert "the URL of the proxy in HTTPS_PROXY cannot be used: SOCKS needs the package" in said
    assert "PROXY-PASSWORD" not in captured.out + captured.err


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
