"""The command ``wes-ledger``: what it prints of a list's uploads, and which errors it ends with."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

import msgspec
import pytest
from msgspec.structs import replace

from support.attempts import TaskInstance
from support.pages import PAGES
from wes_provider.storage import Ledger
from wes_provider.storage.cli import main
from wes_provider.storage.plan import PlannedFile
from wes_provider.storage.stores import Entry

LOCATION = "s3://s3_promo@promo/ledger"


@pytest.fixture
def ledger(objects: Any) -> str:
    """The place of a ledger of ``list-1``: one content was uploaded, the next one only claimed."""
    ti = TaskInstance(dag_id="summer", run_id="nightly", task_id="upload", map_index=2)
    opened = Ledger(LOCATION).open("list-1", ti.attempt(), lambda coupon_file_id: False)
    for name in ("1", "2"):
        claimed, _ = opened.claim(
            PlannedFile(path=f"s3://promo/{name}.csv", codes=100, sha256=name * 64)
        )
        if name == "1":
            opened.complete(claimed, "f1")
    return LOCATION


def test_show_prints_a_table_with_a_line_for_each_entry(
    ledger: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", "list-1", "--location", ledger]) == 0
    header, first, second = capsys.readouterr().out.splitlines()
    assert header.split() == "claimed state coupon_file_id codes path uploaded by".split()
    assert first.split()[1:5] == ["uploaded", "f1", "100", "s3://promo/1.csv"]
    assert first.endswith("task upload[2] of DAG summer in run nightly")
    assert second.split()[1:3] == ["claimed", "-"]


def test_show_says_that_a_list_has_no_entry(
    ledger: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", "list-2", "--location", ledger]) == 0
    assert capsys.readouterr().out == "The ledger has no entry for list list-2\n"


ENTRY = Entry(
    sha256="1" * 64,
    number=1,
    coupon_list_id="l",
    path="s3://promo/a.csv",
    etag="e",
    codes=12,
    at="2026-01-01T00:00:00+00:00",
    by="task upload of DAG summer in run r",
    state="uploaded",
    coupon_file_id="f1",
)


def put_entries(objects: Any, *entries: Entry) -> None:
    """Store entries of the list ``l``."""
    for entry in entries:
        objects.put(f"ledger/l/{entry.key}.json", msgspec.json.encode(entry))


def test_the_columns_of_the_table_are_as_wide_as_what_is_in_them(
    objects: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    later = "2026-01-01T00:00:01+00:00"
    put_entries(
        objects,
        ENTRY,
        replace(ENTRY, number=2, at=later, state="claimed", coupon_file_id="", by="t"),
    )
    assert main(["show", "l", "--location", LOCATION]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "claimed                    state     coupon_file_id  codes  path              uploaded by",
        "2026-01-01T00:00:00+00:00  uploaded  f1              12     s3://promo/a.csv  "
        "task upload of DAG summer in run r",
        f"{later}  claimed   -               12     s3://promo/a.csv  t",
    ]


def test_an_entry_that_cannot_be_read_is_an_error_that_names_it(
    objects: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    objects.put("ledger/l/1-1.json", b"{")
    assert main(["export", "l", "--location", LOCATION]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.endswith(  # after what Airflow logs of the connection
        f"An entry of the ledger cannot be read: {LOCATION}/l/1-1\n"
        "Someone has changed it. Put it right; if you delete it, whatever else the ledger has of "
        "that content still counts\n"
    )


INCOMPLETE = {
    "no location": ["show", "l"],
    "no list": ["show", "--location", LOCATION],
    "another action": ["delete", "l", "--location", LOCATION],
}


@pytest.mark.parametrize("arguments", INCOMPLETE.values(), ids=INCOMPLETE)
def test_arguments_that_are_missing_or_unknown_end_the_command_with_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith("usage: wes-ledger ")


SHOW, EXPORT = re.findall(r"^\$ wes-ledger (.+)$", PAGES["storage.md"], re.MULTILINE)


@pytest.mark.parametrize("command", [SHOW, EXPORT], ids=["show", "export"])
def test_a_command_of_the_docs_prints_the_uploads(
    command: str, ledger: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the list and the connection of this test in place of those of the page."""
    here = command.replace("winter-sale", "list-1").replace("aws_default", "s3_promo")
    assert main(here.split()) == 0
    assert "s3://promo/1.csv" in capsys.readouterr().out


def test_export_prints_each_entry_as_a_line_of_json(
    ledger: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "list-1", "--location", ledger]) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["sha256"], first["state"], first["coupon_file_id"]) == (
        "1" * 64,
        "uploaded",
        "f1",
    )
    assert (second["sha256"], second["state"]) == ("2" * 64, "claimed")


def test_entries_stand_in_the_order_of_their_times(
    objects: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """Which is neither that of their keys nor its reverse."""
    put_entries(
        objects,
        replace(ENTRY, sha256="1" * 64, number=1, at="2026-01-02T00:00:00+00:00"),
        replace(ENTRY, sha256="1" * 64, number=2, at="2026-01-03T00:00:00+00:00"),
        replace(ENTRY, sha256="2" * 64, number=1, at="2026-01-01T00:00:00+00:00"),
    )
    assert main(["export", "l", "--location", LOCATION]) == 0
    entries = map(json.loads, capsys.readouterr().out.splitlines())
    assert [entry["at"][:10] for entry in entries] == ["2026-01-01", "2026-01-02", "2026-01-03"]


def test_what_airflow_prints_meanwhile_is_no_part_of_an_export(
    objects: Any, capsys: pytest.CaptureFixture[str], mocker: Any
) -> None:
    mocker.patch(
        "wes_provider.storage.cli.BucketStore.all_entries",
        side_effect=lambda: print("a line of Airflow's log") or [],
    )
    assert main(["export", "l", "--location", LOCATION]) == 0
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.endswith("a line of Airflow's log\n")


class Unreadable(NamedTuple):
    """A list and the place of a ledger, one of which cannot be, and the first line of the error."""

    list_id: str
    place: str
    problem: str


UNREADABLE = {
    "a place without a scheme": Unreadable(
        "l", "/ledger", "location of Ledger is '/ledger', which is no URL of object storage"
    ),
    "a blank list": Unreadable(" ", LOCATION, "coupon_list_id is empty"),
}


@pytest.mark.parametrize("row", UNREADABLE.values(), ids=UNREADABLE)
def test_a_place_or_a_list_that_cannot_be_is_an_error_and_ends_the_command_with_1(
    row: Unreadable, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", row.list_id, "--location", row.place]) == 1
    assert capsys.readouterr().err.splitlines()[0] == row.problem
