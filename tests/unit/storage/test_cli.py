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
from wes_provider.storage.preflight import CheckedFile

LOCATION = "s3://s3_promo@promo/ledger"


@pytest.fixture
def ledger(s3: Any) -> str:
    ti = SimpleNamespace(dag_id="summer", run_id="run-1", task_id="upload", map_index=2)
    ledger = Ledger(LOCATION).open("list-1", {"ti": ti})
    for number in (1, 2):
        file = CheckedFile(f"s3://promo/{number}.csv", 10, "etag", number * 100, str(number) * 64)
        claimed = ledger.claim(file, "name")
        assert claimed
        if number == 1:
            ledger.end(claimed[0], "uploaded", "f1")
    return LOCATION


def test_show_prints_a_table(ledger: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "list-1", "--location", ledger]) == 0
    header, first, second = capsys.readouterr().out.splitlines()
    assert header.split() == "claimed state coupon_file_id codes path uploaded by".split()
    assert first.split()[2:6] == ["uploaded", "f1", "100", "s3://promo/1.csv"]
    assert first.endswith("summer.upload[2], run run-1")
    assert second.split()[2:4] == ["claimed", "-"]


def test_export_prints_every_field_as_json_or_csv(ledger: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "list-1", "--location", ledger]) == 0
    first, second = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (first["sha256"], first["coupon_file_id"], second["state"]) == ("1" * 64, "f1", "claimed")
    assert main(["export", "list-1", "--location", ledger, "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["path"] for row in rows] == ["s3://promo/1.csv", "s3://promo/2.csv"]


def test_the_commands_of_the_docs(ledger: str, capsys: pytest.CaptureFixture[str]) -> None:
    commands = re.findall(r"^\$ wes-ledger (.+)$", PAGES["storage.md"], re.MULTILINE)
    assert len(commands) == 2
    for command in commands:
        typed = command.replace("winter-sale", "list-1").replace("aws_default", "s3_promo")
        assert main(typed.split()) == 0
        assert "s3://promo/1.csv" in capsys.readouterr().out


def test_list_without_entries_is_no_error(s3: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "list-2", "--location", LOCATION]) == 0
    assert capsys.readouterr().out == "The ledger has no entry for list list-2\n"


def test_place_that_cannot_be_read_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "list-1", "--location", "/ledger"]) == 1
    assert "A ledger needs a folder of object storage, not '/ledger'" in capsys.readouterr().err


def test_bucket_that_does_not_exist_is_an_error(s3: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "list-1", "--location", "s3://s3_promo@nowhere/ledger"]) == 1
    assert "The bucket of the ledger does not exist" in capsys.readouterr().err


def test_empty_list_id_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["show", " "])
    assert "the list's id is empty" in capsys.readouterr().err


def test_csv_has_no_formulas(s3: Any, capsys: pytest.CaptureFixture[str]) -> None:
    ti = SimpleNamespace(dag_id="summer", run_id="+1", task_id="upload", map_index=-1)
    Ledger(LOCATION).open("=inj", {"ti": ti}).claim(CheckedFile("s3://promo/1.csv", 10, "@x", 1, "1" * 64), "-name")
    capsys.readouterr()
    assert main(["export", "=inj", "--location", LOCATION, "--format", "csv"]) == 0
    (row,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert [row[name] for name in ("coupon_list_id", "run_id", "etag", "name")] == ["'=inj", "'+1", "'@x", "'-name"]
    assert (row["map_index"], row["path"]) == ("-1", "s3://promo/1.csv")
