"""
``--save-extra FILE`` writes the extra that was found into a file, and says where it is: what the
connection sets, without keys, unknown names and values that are the defaults, and with what the
doctor found. If the file has connections, it goes into the extra of the connection that was read,
whether that is an object or a string, beside the keys that are there; other connections stay. If
the file cannot be written, the report is printed all the same, and the exit code is 2.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from support.doctor_service import (
    OLD_LIST,
)
from wes_provider.doctor.cli import main
from wes_provider.emulator import Emulator


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
