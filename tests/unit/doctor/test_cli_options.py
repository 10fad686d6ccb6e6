"""
The command `wes-doctor` examines the connection wes_default, or that of --conn-id, once, with the
options of its arguments and else their defaults: a timeout of 1800 seconds, a status that is final
after 60 seconds, and updates by wes-doctor@example.com. --timeout and --final-after take a finite
number above 0. White space around the host is left out.

It prints the report alone, or with --json nothing but JSON. Its exit code is 0 if all findings are
sure or not shown, 1 if one is not proved or wrong, and 130 if the user stopped it, whatever was
found; before there is a report, it prints one line then. It is 2 after a wrong argument, a
configuration error, or a connection that a secrets backend cannot read, of whose error only the
class is named; of a wrong argument, nothing is examined.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_cli import (
    ADDRESS,
    GIVEN_EXTRA,
    HOST,
    URL,
    Examination,
    check_usage_error,
)
from support.doctor_reads import LOGIN
from wes_provider.doctor.cli import main
from wes_provider.doctor.findings.finding import Certainty
from wes_provider.exceptions import WesConfigurationError

pytestmark = pytest.mark.usefixtures("examination")


class Given(NamedTuple):
    """Arguments, and the options that do not have their default then."""

    name: str
    argv: Sequence[str]
    options: dict[str, Any]


DEFAULTS = {
    "coupon_list_id": None,
    "file_url": None,
    "catalog": None,
    "segment_id": None,
    "updated_by": "wes-doctor@example.com",
    "timeout": 1800.0,
    "final_after": 60.0,
}
GIVEN = [
    Given("no arguments", [], {}),
    Given("a list", ["--coupon-list", "spring"], {"coupon_list_id": "spring"}),
    Given(
        "an upload to a list",
        ["--coupon-list", "spring", "--upload", URL, "--yes"],
        {"coupon_list_id": "spring", "file_url": URL},
    ),
    Given("a catalog", ["--catalog", "shoes", "--yes"], {"catalog": "shoes"}),
    Given("a segment", ["--segment", "s", "--yes"], {"segment_id": "s"}),
    Given(
        "a segment and who updates it",
        ["--segment", "s", "--updated-by", "me@test", "--yes"],
        {"segment_id": "s", "updated_by": "me@test"},
    ),
    Given("a timeout", ["--timeout", "0.5"], {"timeout": 0.5}),
    Given("when a status is final", ["--final-after", "7"], {"final_after": 7.0}),
]


@pytest.mark.parametrize("row", GIVEN, ids=[row.name for row in GIVEN])
def test_the_examination_gets_the_arguments_as_options_and_else_their_defaults(
    row: Given, examination: Examination
):
    assert main(row.argv) == 0
    (call,) = examination.calls
    options = {name: getattr(call.options, name) for name in DEFAULTS}
    assert options == {**DEFAULTS, **row.options}


def test_the_examination_gets_settings_extra_and_host_of_the_connection(examination: Examination):
    """The settings have the address, the host is as the connection has it."""
    assert main([]) == 0
    (call,) = examination.calls
    assert call.settings.base_url == ADDRESS
    assert call.extra == GIVEN_EXTRA
    assert call.host == HOST


def test_white_space_around_the_host_of_the_connection_is_left_out(
    examination: Examination, monkeypatch: pytest.MonkeyPatch
):
    connection = {"conn_type": "wes", "host": f" {HOST} ", "login": LOGIN, "password": "k"}
    connection["extra"] = {"data_center": "07"}
    monkeypatch.setenv("AIRFLOW_CONN_WES_DEFAULT", json.dumps(connection))
    main([])
    assert examination.calls[0].host == HOST


class Connection(NamedTuple):
    """Arguments, and the workspace of the connection that they name."""

    name: str
    argv: Sequence[str]
    workspace: str


CONNECTIONS = [
    Connection("none is named", [], LOGIN),
    Connection("another one is named", ["--conn-id", "other"], "another-workspace"),
]


@pytest.mark.parametrize("row", CONNECTIONS, ids=[row.name for row in CONNECTIONS])
def test_the_connection_is_wes_default_unless_another_one_is_named(
    row: Connection, examination: Examination
):
    assert main(row.argv) == 0
    assert examination.calls[0].settings.workspace_id == row.workspace


class End(NamedTuple):
    """How certain the one finding is, whether the user stopped it, and the exit code."""

    name: str
    certainty: Certainty
    code: int
    stopped: bool = False


ENDS = [
    End("sure", Certainty.SURE, code=0),
    End("not shown", Certainty.NOT_SHOWN, code=0),
    End("not proved", Certainty.NOT_PROVED, code=1),
    End("wrong", Certainty.WRONG, code=1),
    End("sure, but stopped", Certainty.SURE, code=130, stopped=True),
]


@pytest.mark.parametrize("row", ENDS, ids=[row.name for row in ENDS])
def test_the_exit_code_follows_from_the_findings_and_from_a_stop(
    row: End, examination: Examination
):
    examination.certainty, examination.stopped = row.certainty, row.stopped
    assert main([]) == row.code


def test_without_arguments_the_report_alone_is_printed(capsys: pytest.CaptureFixture[str]):
    main([])
    said = capsys.readouterr()
    assert "Workspace header" in said.out
    assert "Found." in said.out
    assert said.err == ""


def test_with_json_nothing_but_json_is_printed(capsys: pytest.CaptureFixture[str]):
    assert main(["--json"]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["state"] == "ready"
    assert said.err == ""


def test_a_stop_before_there_is_a_report_prints_one_line_and_ends_with_130(
    examination: Examination, capsys: pytest.CaptureFixture[str]
):
    examination.ends_with = KeyboardInterrupt()
    assert main([]) == 130
    assert capsys.readouterr() == ("", "wes-doctor: stopped\n")


class NoSeconds(NamedTuple):
    """An argument that takes seconds with something else, and the last words of the message."""

    argv: Sequence[str]
    message: str


NO_SECONDS = {
    "a word": NoSeconds(["--timeout", "x"], "argument --timeout: takes seconds above 0, not x"),
    "none": NoSeconds(["--timeout", "0"], "argument --timeout: takes seconds above 0, not 0"),
    "less than none": NoSeconds(
        ["--timeout", "-1"], "argument --timeout: takes seconds above 0, not -1"
    ),
    "without end": NoSeconds(
        ["--timeout", "inf"], "argument --timeout: takes seconds above 0, not inf"
    ),
    "not a number": NoSeconds(
        ["--timeout", "nan"], "argument --timeout: takes seconds above 0, not nan"
    ),
    "none until a status is final": NoSeconds(
        ["--final-after", "0"], "argument --final-after: takes seconds above 0, not 0"
    ),
}


@pytest.mark.parametrize("row", NO_SECONDS.values(), ids=NO_SECONDS)
def test_an_argument_that_takes_seconds_takes_a_finite_number_above_0(
    row: NoSeconds, examination: Examination, capsys: pytest.CaptureFixture[str]
):
    check_usage_error(row.argv, row.message, examination, capsys)


def test_what_a_secrets_backend_raises_is_named_by_its_class_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    def get_connection(*_: str) -> None:
        raise RuntimeError("with a SECRET")

    monkeypatch.setattr("wes_provider.hooks.get_connection", get_connection)
    with pytest.raises(SystemExit) as exit_:
        main([])
    assert exit_.value.code == 2
    printed = capsys.readouterr().err
    assert printed.endswith(
        "wes-doctor: error: connection 'wes_default' cannot be read: RuntimeError\n"
    )
    assert "SECRET" not in printed


def test_a_configuration_error_of_the_examination_is_wrong_usage(
    examination: Examination, capsys: pytest.CaptureFixture[str]
):
    examination.ends_with = WesConfigurationError("no such thing")
    with pytest.raises(SystemExit) as exit_:
        main([])
    assert exit_.value.code == 2
    assert capsys.readouterr().err.endswith("wes-doctor: error: no such thing\n")


def connection(extra: Any) -> dict[str, Any]:
    """What a file of connections has."""
    return {"wes_default": {"conn_type": "wes", "host": "h", "extra": extra}}
