"""
The command ``wes-doctor`` around an examination: its arguments, what it asks before a change, its
exit codes, and the files of ``--save-extra``.
"""

from __future__ import annotations

import json
import shutil
import stat
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from support.doctor_reads import LOGIN
from wes_provider.doctor import cli
from wes_provider.doctor.cli import main
from wes_provider.doctor.findings import Certainty, Finding, Topic
from wes_provider.doctor.options import Options
from wes_provider.doctor.report import Report
from wes_provider.exceptions import WesConfigurationError
from wes_provider.settings import WesSettings

HOST = "https://api-{data_center}.example.com"
ADDRESS = "https://api-07.example.com"
GIVEN_EXTRA = {"data_center": "07", "data_api_key": "data-key-of-ours", "read_timeout": 90}
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
    In place of an examination, which has tests of its own: it has one finding.

    :ivar calls: so far.
    :ivar certainty: of the finding; ``found``: what the extra gets by it.
    :ivar stopped: whether the report says that the user stopped it.
    :ivar ends_with: what it raises in place of a report.
    """

    def __init__(self) -> None:
        self.calls: list[Examined] = []
        self.certainty = Certainty.SURE
        self.found = FOUND
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
        finding = Finding(Topic.WORKSPACE_HEADER, self.certainty, "Found.", settings=self.found)
        return Report(settings, extra, [finding], [], 1, 0, self.stopped, lambda value: value)


@pytest.fixture(autouse=True)
def examination(monkeypatch: pytest.MonkeyPatch) -> Examination:
    """The command line with two connections that differ in their login, and no real examination."""
    made = Examination()
    monkeypatch.setattr(cli, "examine", made)
    for name, login in (("WES_DEFAULT", LOGIN), ("OTHER", "another-workspace")):
        connection = {
            "conn_type": "wes",
            "host": HOST,
            "login": login,
            "password": "campaign-key-of-ours",
            "extra": GIVEN_EXTRA,
        }
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
    End("not asked", Certainty.NOT_ASKED, code=0),
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


def check_usage_error(
    argv: Sequence[str],
    message: str,
    examination: Examination,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The command ends with 2 and this message, and nothing was examined or printed as a result."""
    with pytest.raises(SystemExit) as exit_:
        main(argv)
    said = capsys.readouterr()
    assert said.err.endswith(f"wes-doctor: error: {message}\n")
    assert (exit_.value.code, examination.calls, said.out) == (2, [], "")


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


# -- before a change -------------------------------------------------------------------------------

CREATES = (
    f"wes-doctor sends {ADDRESS} at most 12 reads. Then it changes something in the service:\n"
    "  - Create the catalog shoes\n"
)


def test_what_is_to_be_changed_is_shown_before_it_is_asked(
    terminal: SimpleNamespace, capsys: pytest.CaptureFixture[str]
):
    main(["--catalog", "shoes"])
    assert capsys.readouterr().err == f"{CREATES}Type yes to go on: "


def test_with_yes_given_what_is_to_be_changed_is_shown_and_nothing_asked(
    terminal: SimpleNamespace, examination: Examination, capsys: pytest.CaptureFixture[str]
):
    assert main(["--catalog", "shoes", "--yes"]) == 0
    assert capsys.readouterr().err == CREATES
    assert len(examination.calls) == 1


def test_how_often_an_upload_is_read_is_shown_before_it(capsys: pytest.CaptureFixture[str]):
    main(["--coupon-list", "spring", "--upload", URL, "--yes"])
    assert capsys.readouterr().err == (
        f"wes-doctor sends {ADDRESS} at most 12 reads. Then it changes something in the service:\n"
        f"  - Upload {URL} to the list spring\n"
        "It follows the upload with at most 100 reads in a minute, then with one in 10 s.\n"
    )


@pytest.mark.parametrize("typed", ["yes\n", " YES \n"], ids=repr)
def test_yes_on_the_terminal_confirms_a_change(
    typed: str, examination: Examination, terminal: SimpleNamespace
):
    terminal.typed = typed
    assert main(["--catalog", "shoes"]) == 0
    assert len(examination.calls) == 1


@pytest.mark.parametrize("typed", ["y\n", "yes please\n", "\n", ""], ids=repr)
def test_anything_but_yes_on_the_terminal_ends_with_2_before_anything_is_sent(
    typed: str, examination: Examination, terminal: SimpleNamespace
):
    terminal.typed = typed
    assert main(["--catalog", "shoes"]) == 2
    assert examination.calls == []


def test_without_a_terminal_a_change_needs_yes_as_an_argument(
    examination: Examination, terminal: SimpleNamespace, capsys: pytest.CaptureFixture[str]
):
    terminal.typed = "yes\n"
    terminal.isatty = lambda: False
    message = "this changes something: confirm it on a terminal, or give --yes"
    check_usage_error(["--catalog", "c"], message, examination, capsys)


# -- the files of --save-extra -----------------------------------------------------------------------


EXTRA = {"data_center": "07", "read_timeout": 90, **FOUND}
"""What is saved: it has no key."""
KEY = {"data_api_key": "KEPT"}


def connection(extra: Any) -> dict[str, Any]:
    """What a file of connections has."""
    return {"wes_default": {"conn_type": "wes", "host": "h", "extra": extra}}


WITH_KEY = connection({**KEY, **EXTRA})
WITHOUT_KEY = connection(EXTRA)


def saved_over(file: Path, before: Any) -> Any:
    """What a file of JSON has after the extra was saved into it."""
    file.write_text(json.dumps(before))
    assert main(["--save-extra", str(file)]) == 0
    return json.loads(file.read_text())


def test_a_new_file_has_the_extra_alone_as_indented_json(tmp_path: Path):
    file = tmp_path / "extra.json"
    assert main(["--save-extra", str(file)]) == 0
    assert file.read_text() == json.dumps(EXTRA, indent=2) + "\n"


def test_a_line_names_the_file_that_has_the_extra(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    file = tmp_path / "extra.json"
    main(["--save-extra", str(file)])
    assert capsys.readouterr().err == f"wes-doctor: The extra is in {file}\n"


SAVED_BEFORE = {"an empty object": {}, "other extras": {"read_timeout": 1, "verify": True}}


@pytest.mark.parametrize("before", SAVED_BEFORE.values(), ids=SAVED_BEFORE)
def test_a_file_with_an_extra_alone_gets_the_new_one_in_its_place(
    before: dict[str, Any], tmp_path: Path
):
    assert saved_over(tmp_path / "extra.json", before) == EXTRA


class Saved(NamedTuple):
    """The connections that a file has, and those that it has after the extra was saved into it."""

    before: dict[str, Any]
    after: dict[str, Any]


WITH_KEYS = {
    "an object with another extra": Saved(connection({**KEY, "verify": True}), WITH_KEY),
    "a string of JSON": Saved(connection(json.dumps(KEY)), WITH_KEY),
    "an object whose key is empty": Saved(
        connection({"data_api_key": ""}), connection({"data_api_key": "", **EXTRA})
    ),
}


@pytest.mark.parametrize("row", WITH_KEYS.values(), ids=WITH_KEYS)
def test_the_extra_of_a_connection_is_replaced_but_for_its_data_api_key(row: Saved, tmp_path: Path):
    assert saved_over(tmp_path / "wes.json", row.before) == row.after


WITHOUT_KEYS = {
    "an object": Saved(connection({"verify": True}), WITHOUT_KEY),
    "an empty object": Saved(connection({}), WITHOUT_KEY),
    "null": Saved(connection(None), WITHOUT_KEY),
    "an empty string": Saved(connection(""), WITHOUT_KEY),
    "null in a string": Saved(connection("null"), WITHOUT_KEY),
    "no extra": Saved(
        {"wes_default": {"conn_type": "wes"}},
        {"wes_default": {"conn_type": "wes", "extra": EXTRA}},
    ),
}


@pytest.mark.parametrize("row", WITHOUT_KEYS.values(), ids=WITHOUT_KEYS)
def test_an_extra_of_a_connection_without_a_data_api_key_is_replaced(row: Saved, tmp_path: Path):
    assert saved_over(tmp_path / "wes.json", row.before) == row.after


def test_other_connections_of_the_file_stay_as_they_are(tmp_path: Path):
    other = {"b": {"conn_type": "x", "extra": {"data_api_key": "OTHER"}}}
    after = saved_over(tmp_path / "wes.json", {**other, **connection({})})
    assert after == {**other, **WITHOUT_KEY}


class Kept(NamedTuple):
    """What a file has that no extra can be saved into, and why."""

    name: str
    text: str
    why: str


NO_OBJECT = "has no connection wes_default that is a JSON object, and stays as it is."
ODD_EXTRA = "has an extra that is no JSON object, and stays as it is."
KEPT = [
    Kept("an empty file", "", "has no JSON, and stays as it is."),
    Kept("arrays too deep to be read", "[" * 100_000, "has no JSON, and stays as it is."),
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
def test_a_file_that_has_no_connection_with_an_object_as_extra_stays_and_nothing_is_sent(
    row: Kept,
    tmp_path: Path,
    examination: Examination,
    capsys: pytest.CaptureFixture[str],
):
    file = tmp_path / "wes.json"
    file.write_text(row.text)
    argv = ["--save-extra", str(file)]
    check_usage_error(argv, f"{file} {row.why} {AS_JSON}", examination, capsys)
    assert file.read_text() == row.text


def test_a_folder_is_refused_before_anything_is_sent(
    tmp_path: Path, examination: Examination, capsys: pytest.CaptureFixture[str]
):
    message = f"{tmp_path} is a folder: name a file for the extra"
    check_usage_error(["--save-extra", str(tmp_path)], message, examination, capsys)


def test_a_file_in_a_folder_that_is_not_there_is_refused_before_anything_is_sent(
    examination: Examination, capsys: pytest.CaptureFixture[str]
):
    argv = ["--save-extra", "/no/such/a"]
    check_usage_error(argv, "there is no folder /no/such", examination, capsys)


def test_each_of_several_files_is_checked_before_anything_is_sent(
    tmp_path: Path, examination: Examination, capsys: pytest.CaptureFixture[str]
):
    argv = ["--save-extra", str(tmp_path / "extra.json"), "--save-extra", "/no/such/a"]
    check_usage_error(argv, "there is no folder /no/such", examination, capsys)


def test_a_file_that_is_written_again_keeps_its_mode(tmp_path: Path):
    file = tmp_path / "wes.json"
    file.touch()
    file.chmod(0o640)
    saved_over(file, connection({}))
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


def test_nobody_else_can_read_the_file_while_it_is_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Until it gets the mode of the file that it replaces."""
    modes = []

    def copy_mode(_: Path, beside: Path) -> None:
        modes.append(stat.S_IMODE(beside.stat().st_mode))

    monkeypatch.setattr(shutil, "copymode", copy_mode)
    file = tmp_path / "extra.json"
    file.write_text("{}")
    main(["--save-extra", str(file)])
    assert modes == [0o600]


def test_a_link_stays_one_and_the_file_that_it_leads_to_is_written(tmp_path: Path):
    file, link = tmp_path / "wes.json", tmp_path / "link.json"
    link.symlink_to(file)
    saved_over(link, connection({}))
    assert link.is_symlink()
    assert json.loads(file.read_text()) == WITHOUT_KEY


def test_no_other_file_is_left_beside_one_that_is_written_again(tmp_path: Path):
    saved_over(tmp_path / "wes.json", connection({}))
    assert [each.name for each in tmp_path.iterdir()] == ["wes.json"]


def test_each_of_several_files_has_the_extra(tmp_path: Path):
    files = [tmp_path / "a.json", tmp_path / "b.json"]
    assert main([part for file in files for part in ("--save-extra", str(file))]) == 0
    assert [json.loads(file.read_text()) for file in files] == [EXTRA, EXTRA]


def test_letters_are_saved_as_they_are_and_not_as_escapes(tmp_path: Path, examination: Examination):
    examination.found = {"workspace_header": "X-Ä"}
    file = tmp_path / "extra.json"
    assert main(["--save-extra", str(file)]) == 0
    assert '"X-Ä"' in file.read_text()
