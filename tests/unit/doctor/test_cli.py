"""
The changes that are asked for (``--upload``, ``--catalog``, ``--segment``) are sent in this order,
and no other, if ``--yes`` confirms them and an upload has its ``--coupon-list``; else nothing is
sent. The update of a segment sends ``updated_by`` alone. The exit code is 0 for a ready account, 1
for another (without a list), and 2 for wrong usage, which sends nothing and names the cause without
secrets. ``--json`` says whether all works and how much was written.

The report of an ordinary account begins with the verdict, has at most 16 lines of 100 columns, and
says what is sure before what is not shown. The error output is empty if the command only reads;
else it says how many reads at most are sent (12, and 100 in a minute after an upload), and names
each change. A proxy whose URL cannot be used is named without its password.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import pytest

from support.doctor_service import (
    OLD_LIST,
)
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
    Usage(["--coupon-list", "l", "--upload", "no-url", "--yes"], "--upload takes an absolute URL"),
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
    Usage(["--segment", "s", "--updated-by", "", "--yes"], "--updated-by is empty"),
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
    assert {*words} == {"sure", "not shown"}
    assert words == sorted(words, reverse=True)


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
