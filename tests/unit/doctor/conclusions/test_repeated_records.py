"""
If a list has several records of a file, it is told how many records of how many files it has, and
how the first such file stands there: with which statuses, or how often if that is one. Tasks take
those records for one file. If a file succeeded by one record and failed by another, a watch reports
the first of these.

Records of one name with several URLs make the path of the list *not proved*: if a task looks for
an upload by a given name, or after a clear, it takes them for several files.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import FILES, Said, ids, listed, made_up, nowhere
from support.doctor_replies import evidence_of
from support.doctor_service import LIST, record
from wes_provider.coupon_files import Statuses
from wes_provider.doctor.conclusions.list_conclusions import list_path
from wes_provider.doctor.conclusions.repeated_records import (
    count_files,
    say_repeated,
    with_several_urls,
)
from wes_provider.doctor.findings.finding import Certainty
from wes_provider.doctor.reads import facts
from wes_provider.models import CouponFile

Records = Sequence[Mapping[str, Any]]


class Repeated(NamedTuple):
    """Records of a list, how many they are, and what is said of repeated ones."""

    name: str
    records: Records
    number: str
    said: str


def files_of(records: Records) -> list[CouponFile]:
    return [CouponFile.from_record(dict(entry), LIST) for entry in records]


PENDING, FAILED = record("f1", "PENDING"), record("f1", "FAILED")
TAKEN = "; tasks take those for one file."
ROWS = [
    Repeated("no file", [], "0 files", ""),
    Repeated("one record of each file", [record("f1"), record("f2")], "2 files", ""),
    Repeated(
        "three statuses of the second file",
        [record("f2"), PENDING, record("f1", "PROCESSING"), FAILED],
        "4 records of 2 files",
        f" It has f1 as PENDING, PROCESSING and FAILED{TAKEN}",
    ),
    Repeated(
        "two files, of which the first is named",
        [PENDING, FAILED, record("f2"), record("f2")],
        "4 records of 2 files",
        f" It has f1 as PENDING and FAILED{TAKEN}",
    ),
    Repeated(
        "the same status",
        [record("f1"), record("f1"), record("f1")],
        "3 records of 1 file",
        f" It has f1 3 times{TAKEN}",
    ),
    Repeated(
        "a failure and a success",
        [FAILED, record("f1")],
        "2 records of 1 file",
        f" It has f1 as FAILED and SUCCESS{TAKEN} A watch reports the first of its ends in the "
        "list.",
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=ids(ROWS))
def test_records_of_the_same_file_are_counted_and_named(row: Repeated):
    files = files_of(row.records)
    assert count_files(files) == row.number
    assert say_repeated(files, Statuses()) == row.said


class Urls(NamedTuple):
    """Records of a list, and whether they seem to be several files of one name."""

    name: str
    records: Records
    is_said: bool


def at(url: str, file_id: str = "f1", **more: Any) -> dict[str, Any]:
    return record(file_id, file_url=f"https://files.example.com/{url}", **more)


URLS = [
    Urls("one URL", [at("a"), at("a")], False),
    Urls("one URL with two queries", [at("a?x=1"), at("a?x=2")], False),
    Urls("two URLs", [at("a"), at("b")], True),
    Urls("two URLs of two names", [at("a", name="a"), at("b", name="b")], False),
    Urls("two URLs of two files", [at("a"), at("b", "f2", name="f1")], False),
]


@pytest.mark.parametrize("row", URLS, ids=ids(URLS))
def test_records_of_one_name_and_several_urls_seem_to_be_several_files(row: Urls):
    assert bool(with_several_urls(files_of(row.records))) is row.is_said


class Concluded(NamedTuple):
    """Records of a list, and what is said of its path."""

    name: str
    records: Records
    said: Said


CONCLUDED = [
    Concluded("one record of each file", FILES, Said(Certainty.SURE, "It has 2 files.")),
    Concluded(
        "several records",
        [PENDING, FAILED, record("f2")],
        Said(
            Certainty.SURE,
            f"It has 3 records of 2 files. It has f1 as PENDING and FAILED{TAKEN}",
        ),
    ),
    Concluded(
        "several URLs",
        [at("a"), at("b")],
        Said(
            Certainty.NOT_PROVED,
            "It has 2 records of 1 file. Records of file f1 have one name, and several URLs. So a "
            "task that gives its file a name, or that was cleared, takes them for several files if "
            "it looks for an upload whose response is lost, and asks a person. Ask the service's "
            "support for one record of each file.",
        ),
    ),
]


@pytest.mark.parametrize("row", CONCLUDED, ids=ids(CONCLUDED))
def test_the_path_of_a_list_with_several_records_of_a_file_is_sure_if_tasks_can_do_with_them(
    row: Concluded,
):
    evidence = evidence_of(listed(200, row.records), nowhere(404), made_up(401))
    assert Said.of(list_path(evidence, facts.places(evidence))) == row.said
