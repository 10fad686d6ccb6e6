"""What ``wes-doctor`` takes, saves, asks and ends with, whatever it finds."""

from __future__ import annotations

import json
import stat
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from support.doctor_reads import ADDRESS, LOGIN
from wes_provider.doctor import cli
from wes_provider.doctor.cli import main
from wes_provider.doctor.findings import Certainty, Finding, Topic
from wes_provider.doctor.options import Options
from wes_provider.doctor.report import Report
from wes_provider.exceptions import WesConfigurationError
from wes_provider.settings import WesSettings

FOUND = {"workspace_header": "X-App-Id"}
URL = "https://files.example.com/a.csv"


class Examined(NamedTuple):
    """What was examined."""

    settings: WesSettings
    extra: dict[str, Any]
    options: Options
    host: str


class Examination:
    """
    In place of an examination, which has tests of its own.

    :ivar calls: so far.
    :ivar certainty: of its one finding; ``ends_with``: what it raises.
    """

    def __init__(self) -> None:
        self.calls: list[Examined] = []
        self.certainty = Certainty.SURE
        self.stopped = False
        self.ends_with: BaseException | None = None

    def __call__(
        self,
        settings: WesSettings,
        extra: dict[str, Any],
        options: Options,
        on_step: Any,
        host: str,
    ) -> Report:
        on_step("Read the list")
        self.calls.append(Examined(settings, extra, options, host))
        if self.ends_with is not None:
            raise self.ends_with
        finding = Finding(Topic.WORKSPACE_HEADER, self.certainty, "Found.", settings=FOUND)
        return Report(settings, extra, [finding], [], 1, 0, self.stopped, lambda value: value)


@pytest.fixture(autouse=True)
def examination(monkeypatch: pytest.MonkeyPatch) -> Examination:
    """The command line with a connection, and without an examination."""
    made = Examination()
    monkeypatch.setattr(cli, "examine", made)
    connection = {
        "conn_type": "wes",
        "host": ADDRESS,
        "login": LOGIN,
        "password": "campaign-key-of-ours",
        "extra": {"data_api_key": "data-key-of-ours", "read_timeout": 90},
    }
    for name in ("WES_DEFAULT", "OTHER"):
        monkeypatch.setenv(f"AIRFLOW_CONN_{name}", json.dumps(connection))
    return made


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[SimpleNamespace]:
    """A terminal, on which ``typed`` is typed."""
    typed = SimpleNamespace(typed="", isatty=lambda: True)
    typed.readline = lambda: typed.typed
    monkeypatch.setattr(sys, "stdin", typed)
    return typed


class Given(NamedTuple):
    """Arguments, and the options that they are."""

    argv: Sequence[str]
    options: dict[str, Any]


GIVEN = [
    Given([], {}),
    Given(["--coupon-list", "spring"], {"coupon_list_id": "spring"}),
    Given(
        ["--coupon-list", "spring", "--upload", URL, "--yes"],
        {"coupon_list_id": "spring", "file_url": URL},
    ),
    Given(["--catalog", "shoes", "--yes"], {"catalog": "shoes"}),
    Given(["--segment", "s", "--yes"], {"segment_id": "s"}),
    Given(
        ["--segment", "s", "--updated-by", "me@test", "--yes"],
        {"segment_id": "s", "updated_by": "me@test"},
    ),
    Given(["--timeout", "0.5"], {"timeout": 0.5}),
    Given(["--final-after", "7"], {"final_after": 7.0}),
]


@pytest.mark.parametrize("row", GIVEN, ids=[" ".join(row.argv) for row in GIVEN])
def test_arguments_are_options_of_the_examination(row: Given, examination: Examination):
    assert main(row.argv) == 0
    (call,) = examination.calls
    defaults = {
        "coupon_list_id": None,
        "file_url": None,
        "catalog": None,
        "segment_id": None,
        "updated_by": "wes-doctor@example.com",
        "timeout": 1800.0,
        "final_after": 60.0,
    }
    given = {name: getattr(call.options, name) for name in defaults}
    assert given == {**defaults, **row.options}
    assert call.settings.base_url == ADDRESS
    assert call.settings.conn_id == "wes_default"
    assert call.extra == {"data_api_key": "data-key-of-ours", "read_timeout": 90}
    assert call.host == ADDRESS


def test_another_connection_is_read(examination: Examination):
    assert main(["--conn-id", "other"]) == 0
    assert examination.calls[0].settings.conn_id == "other"


class End(NamedTuple):
    """What was found, and the exit code."""

    name: str
    certainty: Certainty
    code: int
    stopped: bool = False


ENDS = [
    End("sure", Certainty.SURE, 0),
    End("not asked", Certainty.NOT_ASKED, 0),
    End("not proved", Certainty.NOT_PROVED, 1),
    End("wrong", Certainty.WRONG, 1),
    End("stopped", Certainty.SURE, 130, stopped=True),
]


@pytest.mark.parametrize("row", ENDS, ids=[row.name for row in ENDS])
def test_the_exit_code_says_what_was_found(
    row: End, examination: Examination, capsys: pytest.CaptureFixture[str]
):
    examination.certainty, examination.stopped = row.certainty, row.stopped
    assert main([]) == row.code
    said = capsys.readouterr()
    assert "Workspace header" in said.out
    assert "Found." in said.out
    assert said.err == ""


def test_json_is_printed_alone(capsys: pytest.CaptureFixture[str]):
    assert main(["--json"]) == 0
    assert json.loads(capsys.readouterr().out)["state"] == "ready"


def test_who_stops_it_early_gets_a_line(
    examination: Examination, capsys: pytest.CaptureFixture[str]
):
    examination.ends_with = KeyboardInterrupt()
    assert main([]) == 130
    assert capsys.readouterr() == ("", "wes-doctor: stopped\n")


class Wrong(NamedTuple):
    """Arguments that cannot be used, and the last words of the message."""

    argv: Sequence[str]
    message: str


WRONG = [
    Wrong(["--timeout", "0"], "argument --timeout: takes seconds above 0, not 0"),
    Wrong(["--timeout", "-1"], "argument --timeout: takes seconds above 0, not -1"),
    Wrong(["--timeout", "inf"], "argument --timeout: takes seconds above 0, not inf"),
    Wrong(["--timeout", "nan"], "argument --timeout: takes seconds above 0, not nan"),
    Wrong(["--timeout", "x"], "argument --timeout: invalid _seconds value: 'x'"),
    Wrong(["--final-after", "0"], "argument --final-after: takes seconds above 0, not 0"),
    Wrong(["--save-extra", "/no/such/a"], "there is no folder /no/such"),
    Wrong(["--catalog", "c"], "this changes something: confirm it on a terminal, or give --yes"),
]


@pytest.mark.parametrize("row", WRONG, ids=[" ".join(row.argv) for row in WRONG])
def test_wrong_usage_ends_with_2(
    row: Wrong,
    examination: Examination,
    terminal: SimpleNamespace,
    capsys: pytest.CaptureFixture[str],
):
    terminal.isatty = lambda: False
    with pytest.raises(SystemExit) as exit_:
        main(row.argv)
    assert (exit_.value.code, examination.calls) == (2, [])
    assert capsys.readouterr().err.endswith(f"wes-doctor: error: {row.message}\n")


def test_what_a_secrets_backend_raises_is_named_by_its_class_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    def get_connection(*_: str) -> None:
        raise RuntimeError("with a SECRET")

    monkeypatch.setattr("wes_provider.hooks.get_connection", get_connection)
    with pytest.raises(SystemExit) as exit_:
        main([])
    assert exit_.value.code == 2
    message = "wes-doctor: error: connection 'wes_default' cannot be read: RuntimeError\n"
    assert capsys.readouterr().err.endswith(message)


def test_what_cannot_be_examined_is_wrong_usage(
    examination: Examination, capsys: pytest.CaptureFixture[str]
):
    examination.ends_with = WesConfigurationError("no such thing")
    with pytest.raises(SystemExit) as exit_:
        main([])
    assert exit_.value.code == 2
    assert capsys.readouterr().err.endswith("wes-doctor: error: no such thing\n")


class Typed(NamedTuple):
    """What is typed on a terminal, and whether it confirms."""

    typed: str
    is_confirmed: bool


TYPED = [
    Typed("yes\n", True),
    Typed(" YES \n", True),
    Typed("y\n", False),
    Typed("yes please\n", False),
    Typed("\n", False),
    Typed("", False),
]
ASKED = (
    f"wes-doctor sends {ADDRESS} at most 12 reads. Then it changes something in the service:\n"
    "  - Create the catalog shoes\n"
)


@pytest.mark.parametrize("row", TYPED, ids=[repr(row.typed) for row in TYPED])
def test_a_change_is_confirmed_by_yes(
    row: Typed,
    examination: Examination,
    terminal: SimpleNamespace,
    capsys: pytest.CaptureFixture[str],
):
    terminal.typed = row.typed
    assert main(["--catalog", "shoes"]) == (0 if row.is_confirmed else 2)
    assert bool(examination.calls) is row.is_confirmed
    assert capsys.readouterr().err == f"{ASKED}Type yes to go on: "


def test_an_upload_is_followed_with_further_reads(capsys: pytest.CaptureFixture[str]):
    assert main(["--coupon-list", "spring", "--upload", URL, "--yes"]) == 0
    assert capsys.readouterr().err == (
        f"wes-doctor sends {ADDRESS} at most 12 reads. Then it changes something in the service:\n"
        f"  - Upload {URL} to the list spring\n"
        "It follows the upload with at most 100 reads in a minute, then with one in 10 s.\n"
    )


class Saved(NamedTuple):
    """What a file has, and what it has after the extra was saved into it; ``None`` for no file."""

    name: str
    before: Any
    after: Any


EXTRA = {"read_timeout": 90, **FOUND}
KEY = {"data_api_key": "KEPT"}


def connection(extra: Any) -> dict[str, Any]:
    return {"wes_default": {"conn_type": "wes", "host": "h", "extra": extra}}


WITH_KEY = connection({**KEY, **EXTRA})
WITHOUT_KEY = connection(EXTRA)
SAVED = [
    Saved("no file", None, EXTRA),
    Saved("nothing", {}, EXTRA),
    Saved("an extra", {"read_timeout": 1, "verify": True}, EXTRA),
    Saved("an object", connection({**KEY, "old": 1}), WITH_KEY),
    Saved("a string", connection(json.dumps(KEY)), WITH_KEY),
    Saved(
        "a key that is empty",
        connection({"data_api_key": ""}),
        connection({"data_api_key": "", **EXTRA}),
    ),
    Saved("an object without a key", connection({"old": 1}), WITHOUT_KEY),
    Saved("an empty object", connection({}), WITHOUT_KEY),
    Saved("null", connection(None), WITHOUT_KEY),
    Saved("an empty string", connection(""), WITHOUT_KEY),
    Saved("a string of null", connection("null"), WITHOUT_KEY),
    Saved(
        "no extra",
        {"wes_default": {"conn_type": "wes"}},
        {"wes_default": {"conn_type": "wes", "extra": EXTRA}},
    ),
    Saved(
        "others",
        {"b": {"conn_type": "x"}, **connection({})},
        {"b": {"conn_type": "x"}, **WITHOUT_KEY},
    ),
]


@pytest.mark.parametrize("row", SAVED, ids=[row.name for row in SAVED])
def test_the_extra_is_saved_and_the_data_api_key_stays(
    row: Saved, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    file = tmp_path / "wes.json"
    if row.before is not None:
        file.write_text(json.dumps(row.before))
    assert main(["--save-extra", str(file)]) == 0
    assert file.read_text() == json.dumps(row.after, indent=2) + "\n"
    assert capsys.readouterr().err == f"wes-doctor: The extra is in {file}\n"


class Kept(NamedTuple):
    """What a file has that no extra can be saved into, and why."""

    name: str
    text: str
    why: str


NO_OBJECT = "has no connection wes_default that is a JSON object, and stays as it is."
ODD_EXTRA = "has an extra that is no JSON object, and stays as it is."
KEPT = [
    Kept("an empty file", "", "has no JSON, and stays as it is."),
    Kept("text", "wes_default=wes://", "has no JSON, and stays as it is."),
    Kept(
        "an array",
        "[]",
        "has no connections, and stays as it is: it is JSON without an object.",
    ),
    Kept("other connections", '{"b": {"conn_type": "http", "password": "p"}}', NO_OBJECT),
    Kept("the connection as a URI", '{"wes_default": "wes://l:p@h"}', NO_OBJECT),
    Kept("an object without conn_type", '{"wes_default": {"extra": {}}}', NO_OBJECT),
    Kept("another document", '{"name": "x", "verify": true}', NO_OBJECT),
    Kept("an extra of no JSON", '{"wes_default": {"conn_type": "wes", "extra": "x"}}', ODD_EXTRA),
    Kept("a number as extra", '{"wes_default": {"conn_type": "wes", "extra": 7}}', ODD_EXTRA),
    Kept(
        "a number as extra, in a string",
        '{"wes_default": {"conn_type": "wes", "extra": "7"}}',
        ODD_EXTRA,
    ),
]
AS_JSON = (
    "Write the connection into it as a JSON object with conn_type and extra, or name another file."
)


@pytest.mark.parametrize("row", KEPT, ids=[row.name for row in KEPT])
def test_a_file_that_would_lose_something_stays_and_nothing_is_sent(
    row: Kept, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    file = tmp_path / "wes.json"
    file.write_text(row.text)
    with pytest.raises(SystemExit) as exit_:
        main(["--save-extra", str(file)])
    said = capsys.readouterr()
    assert exit_.value.code == 2
    assert said.err.endswith(f"wes-doctor: error: {file} {row.why} {AS_JSON}\n")
    assert said.out == ""
    assert file.read_text() == row.text


def test_a_file_that_is_written_again_keeps_its_mode_and_its_link(tmp_path: Path):
    file, link = tmp_path / "wes.json", tmp_path / "link.json"
    file.write_text(json.dumps(connection({})))
    file.chmod(0o640)
    link.symlink_to(file)
    main(["--save-extra", str(link)])
    assert link.is_symlink()
    assert json.loads(file.read_text()) == WITHOUT_KEY
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert sorted(each.name for each in tmp_path.iterdir()) == ["link.json", "wes.json"]


def test_a_folder_is_refused_before_anything_is_sent(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    with pytest.raises(SystemExit):
        main(["--save-extra", str(tmp_path)])
    said = capsys.readouterr()
    assert said.err.endswith(f"error: {tmp_path} is a folder: name a file for the extra\n")
    assert said.out == ""


def test_several_files_are_saved_with_letters_as_they_are(
    tmp_path: Path, examination: Examination, monkeypatch: pytest.MonkeyPatch
):
    def examine(*arguments: Any, host: str) -> Report:
        report = examination(*arguments, host=host)
        finding = replace(report.findings[0], settings={"workspace_header": "X-Ä"})
        return replace(report, findings=[finding])

    monkeypatch.setattr(cli, "examine", examine)
    files = [tmp_path / "a.json", tmp_path / "b.json"]
    argv = [part for file in files for part in ("--save-extra", str(file))]
    assert main(argv) == 0
    assert ["X-Ä" in file.read_text() for file in files] == [True, True]
