"""``wes-doctor`` on the command line: what it sends, what it prints, what it ends with."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from support.doctor_service import OLD_LIST
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
def test_what_is_asked_for_is_written_and_nothing_else(emulator: Emulator, flags: Sequence[str]):
    before = len(emulator.requests)
    main(arguments_of(flags, emulator))
    sent = [(request.method, request.raw_path) for request in emulator.requests[before:]]
    changes = [change for change in sent if change[0] != "GET"]
    assert changes == [WRITES[flag] for flag in flags if flag in WRITES]


@pytest.mark.parametrize("flags", REFUSED, ids=" ".join)
def test_nothing_is_sent_without_a_confirmation_or_a_list(emulator: Emulator, flags: Sequence[str]):
    before = len(emulator.requests)
    with pytest.raises(SystemExit) as exit_:
        main(arguments_of(flags, emulator))
    assert exit_.value.code == 2
    assert len(emulator.requests) == before


def test_an_update_has_updated_by_alone(emulator: Emulator):
    main(["--segment", "doctors-segment", "--yes"])
    (update,) = [request for request in emulator.requests if request.method == "PATCH"]
    assert json.loads(update.body) == {"updated_by": "wes-doctor@example.com"}


@pytest.mark.parametrize(("argv", "code"), [([], 1), (["--coupon-list", OLD_LIST], 0)])
def test_the_command_ends_with_0_if_all_works(emulator: Emulator, argv: list[str], code: int):
    assert main(argv) == code


def test_the_json_says_whether_all_works_and_how_much_was_written(
    emulator: Emulator, capsys: pytest.CaptureFixture[str]
):
    main(["--coupon-list", OLD_LIST, "--catalog", "c", "--segment", "s", "--yes", "--json"])
    report = json.loads(capsys.readouterr().out)
    assert report["works"] is True
    assert report["writes"] == 2


class Usage(NamedTuple):
    """Arguments that do not go together, and the message."""

    argv: list[str]
    message: str


WRONG_USAGE = [
    Usage(["--upload", "https://files.example.com/a.csv"], "--upload needs --coupon-list"),
    Usage(["--coupon-list", ".."], "--coupon-list is '..'"),
    Usage(["--coupon-list", "l", "--upload", "no-url", "--yes"], "file_url takes an absolute URL"),
    Usage(["--catalog", "c"], "confirm it on a terminal, or give --yes"),
    Usage(["--conn-id", "nowhere"], "Connection 'nowhere' is not defined (--conn-id)"),
    Usage(["--conn-id", "without_login"], "login (Workspace identifier) is missing"),
    Usage(["--timeout", "-1"], "takes seconds above 0"),
    Usage(["--segment", "a\nb", "--yes"], "--segment"),
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
    assert row.message in error
    assert "KEY-KEY" not in error
    assert len(emulator.requests) == before


def test_the_report_of_an_ordinary_account_fits_on_a_screen(
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
    captured = capsys.readouterr()
    assert captured.err == ""
    words = [line[:12].strip() for line in captured.out.splitlines()[2:] if line[:12].strip()]
    assert words == sorted(words, key=["wrong", "not proved", "sure", "not asked"].index)


def test_an_unwritable_file_loses_no_report(emulator: Emulator, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        main(["--catalog", "c", "--yes", "--save-extra", "/dev/full"])
    captured = capsys.readouterr()
    assert captured.out.splitlines()[0].startswith("Not proved: ")
    assert "/dev/full cannot be written: OSError" in captured.err


@pytest.mark.weekly("one process more; the same end is tested with a file that cannot be written")
def test_a_reader_that_goes_away_is_no_traceback(emulator: Emulator):
    command = f"set -o pipefail; {sys.executable} -W ignore -m wes_provider.doctor | true"
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, check=False, timeout=60
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
def saves(emulator: Emulator, monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """Has the extra of the connection ``other`` saved into a file."""
    emulator.configure(coupon_file_path="/v1/coupon-files/{coupon_file_id}")
    defaults = {"connect_timeout": 10, "verify": True}
    connection = emulator.connection(extra={**GIVEN, **defaults, "token": "UNKNOWN"})
    monkeypatch.setenv("AIRFLOW_CONN_OTHER", json.dumps(connection))

    def save(file: Path) -> None:
        argv = ["--conn-id", "other", "--coupon-list", OLD_LIST, "--save-extra", str(file)]
        assert main(argv) == 1

    return save


def test_the_extra_is_saved_with_what_the_connection_sets_besides_defaults(
    saves: Callable[[Path], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    saves(tmp_path / "extra.json")
    assert json.loads((tmp_path / "extra.json").read_text()) == FOUND
    assert f"The extra is in {tmp_path / 'extra.json'}" in capsys.readouterr().err


@pytest.mark.parametrize("connection", [OTHER, EXPORTED], ids=["an object", "a string"])
def test_the_extra_is_saved_into_a_file_of_connections_whose_key_stays(
    saves: Callable[[Path], None], tmp_path: Path, connection: Mapping[str, Any]
):
    file = tmp_path / "connections.json"
    file.write_text(json.dumps({"other": connection, "b": {}}))
    saves(file)
    saved = {**OTHER, "extra": {"data_api_key": "KEPT", **FOUND}}
    assert json.loads(file.read_text()) == {"other": saved, "b": {}}


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        pytest.param("yes", 1),
        pytest.param("no", 2, marks=pytest.mark.weekly("no terminal is refused alike")),
    ],
)
def test_a_write_is_confirmed_on_a_terminal_which_has_one_line_of_progress(
    typed: str, code: int, emulator: Emulator
):
    """In a process of its own, as it is for a user."""
    user, program = pty.openpty()
    os.write(user, f"{typed}\n".encode())
    command = [sys.executable, "-W", "ignore", "-m", "wes_provider.doctor", "--segment", "s"]
    done = subprocess.run(
        command,
        stdin=program,
        stdout=subprocess.PIPE,
        stderr=program,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
        check=False,
        timeout=60,
    )
    os.close(program)
    shown = os.read(user, 65536).decode()
    os.close(user)
    asked, _, progress = shown.partition("Type yes to go on: ")
    assert "Update the segment s: its updated_by becomes wes-doctor@example.com" in asked
    assert done.returncode == code
    assert set(emulator.segments) == ({"s"} if typed == "yes" else set())
    assert ("Update the segment s" in progress) is (typed == "yes")
    assert progress.count("\n") <= 2, "each step replaces the one before"
    assert b"Type yes" not in done.stdout


def test_control_characters_and_long_texts_of_the_service_do_not_reach_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    status = "\x1b]0;owned\x07\u202e" + "A" * 3_000
    record = {
        "_id": "f" * 500,
        "status": status,
        "name": "n",
        "coupons_list_id": "l",
        "error": status,
        status: 7,
    }
    body = json.dumps({"data": [record], f"next_{status}": status}).encode()
    with replying(lambda *_: Reply(200, body)) as url:
        connection = {"conn_type": "wes", "host": url, "login": "w", "password": "p" * 9}
        monkeypatch.setenv("AIRFLOW_CONN_WES_DEFAULT", json.dumps(connection))
        for argv in ([], ["--json"]):
            main(
                [
                    "--coupon-list",
                    OLD_LIST,
                    "--upload",
                    "https://f.example.com/a",
                    "--yes",
                    "--timeout",
                    "0.1",
                    *argv,
                ]
            )
            captured = capsys.readouterr()
            assert "Path of the list" in captured.out
            shown = captured.out + captured.err
            assert all(character.isprintable() or character == "\n" for character in shown)
            assert len(shown) < 40_000


def test_an_environment_that_cannot_be_used_is_named_as_the_cause(
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


def is_followed(emulator: Emulator) -> bool:
    """Whether the doctor has uploaded a file and read it: the list had three of them before."""
    methods = [request.method for request in emulator.requests]
    return methods.count("POST") == 4 and methods[::-1].index("POST") > 2


def test_who_stops_it_amid_an_upload_gets_a_report_and_nothing_more_is_sent(
    emulator: Emulator, monkeypatch: pytest.MonkeyPatch
):
    """
    Its standard output is JSON alone, though Airflow logs that a secret of two characters is too
    short to mask.
    """
    monkeypatch.setenv(
        "AIRFLOW_CONN_WES_DEFAULT", json.dumps(emulator.connection(extra={"data_center": "01"}))
    )
    emulator.configure(processing_time=3600)
    url = f"{emulator.files_url}/good.csv?signature=SECRET-SIGNATURE"
    argv = [
        "--coupon-list",
        OLD_LIST,
        "--upload",
        url,
        "--catalog",
        "c",
        "--segment",
        "s",
        "--yes",
        "--json",
    ]
    command = [sys.executable, "-W", "ignore", "-m", "wes_provider.doctor", *argv]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        while not is_followed(emulator):
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        output, error = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in error
    report = json.loads(output)
    assert (report["stopped"], report["writes"]) == (True, 1)
    assert report["verdict"].startswith("Stopped")
    texts = {finding["topic"]: finding["text"] for finding in report["findings"]}
    assert texts["Upload"].startswith("Accepted as coupon file")
    assert {texts["Identifier of a catalog"], texts["Segment"]} == {"Not sent: you stopped it."}
    assert "SECRET-SIGNATURE" not in output + error
    assert {request.operation for request in emulator.requests} & {
        "create_catalog",
        "update_segment",
    } == set()
