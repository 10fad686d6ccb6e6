"""
--save-extra writes the extra that was found, without any key, as indented JSON into each file that
it names, and a line says so. A new file, or one that has an extra alone, gets it as a whole. In a
file of connections, it takes the place of the extra of the examined one, but for its data_api_key;
other connections stay. Letters are saved as they are.

Before anything is sent, the command ends with 2 if a file has no JSON, or no such connection with
conn_type and an object, a JSON string of one or nothing as extra; if it is a folder, or in a folder
that is not there. The file stays as it is then. A file that is written again keeps its mode, nobody
else can read it meanwhile, a link stays one, and no other file is left beside it.
"""

from __future__ import annotations

import json
import shutil
import stat
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from support.doctor_cli import (
    FOUND,
    Examination,
    check_usage_error,
)
from wes_provider.doctor.cli import main

pytestmark = pytest.mark.usefixtures("examination")

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
