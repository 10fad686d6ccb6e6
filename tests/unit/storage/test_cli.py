"""``wes-ledger`` shows and exports what was uploaded."""

from __future__ import annotations

import csv
import io
import json
import re
from types import SimpleNamespace
from typing import Any

import pytest

from support.pages import PAGES
from wes_provider.storage import Ledger
from wes_provider.storage.cli import main
from wes_provider.storage.content import CheckedFile

LOCATION = "s3://s3_promo@promo/ledger"


@pytest.fixture
def ledger(s3: Any) -> str:
    ti = SimpleNamespace(dag_id="summer", run_id="+1", task_id="upload", map_index=2)
    for name, sha256 in (("1.csv", "1" * 64), ("2.csv", "2" * 64)):
        ledger = Ledger(LOCATION).open("list-1", {"ti": ti})
        file = CheckedFile(path=f"s3://promo/{name}", size=10, etag="@x", codes=100, sha256=sha256)
        claimed, _ = ledger.claim(file, "-name")
        if name == "1.csv":
            ledger.end(claimed, "uploaded", "f1")
    return LOCATION


def test_show_prints_a_table(ledger: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "list-1", "--location", ledger]) == 0
    header, first, second = capsys.readouterr().out.splitlines()
    assert header.split() == "claimed state coupon_file_id codes path uploaded by".split()
    assert first.split()[2:6] == ["uploaded", "f1", "100", "s3://promo/1.csv"]
    assert first.endswith("summer.upload[2], run +1")
    assert second.split()[2:4] == ["claimed", "-"]
    assert main(["show", "list-2", "--location", ledger]) == 0
    assert capsys.readouterr().out == "The ledger has no entry for list list-2\n"


def test_export_prints_every_field_as_json_or_csv_without_formulas(
    ledger: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "list-1", "--location", ledger]) == 0
    first, second = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (first["sha256"], first["coupon_file_id"], second["state"]) == ("1" * 64, "f1", "claimed")
    assert main(["export", "list-1", "--location", ledger, "--format", "csv"]) == 0
    row = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))[1]
    assert [row[name] for name in ("path", "run_id", "etag", "name")] == ["s3://promo/2.csv", "'+1", "'@x", "'-name"]


def test_the_commands_of_the_docs(ledger: str, capsys: pytest.CaptureFixture[str]) -> None:
    commands = re.findall(r"^\$ wes-ledger (.+)$", PAGES["storage.md"], re.MULTILINE)
    assert len(commands) == 2
    for command in commands:
        assert main(command.replace("winter-sale", "list-1").replace("aws_default", "s3_promo").split()) == 0
        assert "s3://promo/1.csv" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("list_id", "location", "problem"),
    [
        ("list-1", "/ledger", "A ledger needs a folder of object storage, not '/ledger'"),
        ("list-1", "s3://s3_promo@nowhere/ledger", "The bucket of the ledger does not exist"),
        (" ", LOCATION, "coupon_list_id"),
    ],
)
def test_place_that_cannot_be_read_is_an_error(
    s3: Any, capsys: pytest.CaptureFixture[str], list_id: str, location: str, problem: str
) -> None:
    assert main(["show", list_id, "--location", location]) == 1
    assert problem in capsys.readouterr().err
