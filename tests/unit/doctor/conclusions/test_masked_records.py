"""
If several files of a list, with different names and URLs, have one ``_id``, or an ``_id`` is a mask,
Records is *not proved*: it says how many files those are and quotes the identifier, and the headers
that speak of masking. The path is *sure* if it is the connection's. Names that are all masked are
*not proved*, too. A list that a masked identifier names is no other list.

Identifiers that are numbers are said to be, and to be rounded if each is larger than 2^53, and a
float.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import Said, ids, listed, made_up, nowhere
from support.doctor_replies import SETTINGS, evidence_of
from support.doctor_service import record
from wes_provider.doctor.conclusions.file_conclusions import conclude_from_list
from wes_provider.doctor.conclusions.list_conclusions import list_path, records
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.reads import facts
from wes_provider.doctor.reads.evidence import Evidence
from wes_provider.doctor.reads.masked_lists import about_numbers

Records = Sequence[Mapping[str, Any]]
SURE = Certainty.SURE


def at(file_id: str, name: str, url: str = "", **more: Any) -> dict[str, Any]:
    url = f"https://files.example.com/{url or name}.csv"
    return record(file_id, name=name, file_url=url, **more)


def evidence(files: Records, **headers: str) -> Evidence:
    sent = {name.lower().replace("_", "-"): value for name, value in headers.items()}
    return evidence_of(listed(200, files, headers=sent), nowhere(404), made_up(401))


class Identifiers(NamedTuple):
    """Records of a list, how the row on them begins, and what is said of the path."""

    name: str
    files: Records
    says: str
    path: Said


HAS = "/v1/coupon-list/{coupon_list_id}/files has "
TWO, THREE = (
    Said(SURE, "It has 2 records: see Records."),
    Said(SURE, "It has 3 records: see Records."),
)
MASKED = [
    Identifiers(
        "one mask for all files",
        [at("[REDACTED]", "a"), at("[REDACTED]", "b")],
        f"{HAS}2 files of several names and URLs under one _id, [REDACTED], which is no identifier "
        "of a file. Something on the way may mask it, or the service itself does.",
        TWO,
    ),
    Identifiers(
        "one that is no mask",
        [at("spring", "a"), at("spring", "b"), at("f3", "c")],
        f"{HAS}2 files of several names and URLs under one _id, spring, which is no identifier of "
        "a file. Something on the way may mask it, or the service itself does.",
        THREE,
    ),
    Identifiers(
        "a mask that keeps the end of each",
        [at("****1051", "a"), at("****1058", "b"), at("f3", "c")],
        f"{HAS}2 files with an _id such as ****1051, which seems to be masked. Something on the "
        "way may mask it, or the service itself does.",
        THREE,
    ),
]


@pytest.mark.parametrize("row", MASKED, ids=ids(MASKED))
def test_identifiers_that_are_no_files_are_not_proved(row: Identifiers):
    known = evidence(row.files)
    tried = facts.places(known)
    (finding,) = records(tried)
    assert finding.certainty is Certainty.NOT_PROVED
    assert finding.text.startswith(row.says)
    assert finding.text.endswith("to pass _id on as it is. Upload nothing before that.")
    assert Said.of(list_path(known, tried)) == row.path


class Theirs(NamedTuple):
    """Records whose identifiers may be those of their files."""

    name: str
    files: Records


THEIRS = [
    Theirs("one of each", [at("f1", "a"), at("f2", "b")]),
    Theirs("two records of a file", [at("f1", "a"), at("f1", "a", status="PENDING")]),
    Theirs("two that differ in the name", [at("f1", "a", "x"), at("f1", "b", "x")]),
    Theirs("two that differ in the URL", [at("f1", "a", "x"), at("f1", "a", "y")]),
    Theirs("no file", []),
]


@pytest.mark.parametrize("row", THEIRS, ids=ids(THEIRS))
def test_identifiers_that_may_be_files_say_nothing(row: Theirs):
    assert records(facts.places(evidence(row.files))) == []


def test_what_replies_say_of_their_way_is_quoted():
    files = [at("[REDACTED]", "a"), at("[REDACTED]", "b")]
    known = evidence(files, Via="1.1 dlp-gw-3", X_DLP_Action="masked; rule=PAN")
    (finding,) = records(facts.places(known))
    said = "(replies have Via: 1.1 dlp-gw-3 and x-dlp-action: masked; rule=PAN)"
    assert f"may mask it {said}, or the service" in finding.text


def test_a_masked_name_of_the_list_is_no_other_list():
    masked = [at("f1", "a", coupons_list_id="[REDACTED]"), at("f2", "b", coupons_list_id="****")]
    tried = facts.places(evidence(masked))
    assert tried.listed is not None
    assert not tried.listed.other_lists


class Names(NamedTuple):
    """Names of a list's files, and whether they are said to be masked."""

    name: str
    names: Sequence[str]
    are_masked: bool


NAMES = [
    Names("all", ["****.csv", "[REDACTED]"], True),
    Names("one of two", ["****.csv", "summer.csv"], False),
    Names("all that there are", ["****.csv", ""], True),
    Names("none", ["summer.csv"], False),
    Names("no name", [""], False),
    Names("no file", [], False),
]


@pytest.mark.parametrize("row", NAMES, ids=ids(NAMES))
def test_names_that_are_all_masked_are_not_proved(row: Names):
    files = [record(f"f{number}", name=name) for number, name in enumerate(row.names)]
    findings = conclude_from_list(SETTINGS, facts.places(evidence(files)))
    about_names = [finding for finding in findings if finding.topic is Topic.NAMES]
    assert [finding.certainty for finding in about_names] == [Certainty.NOT_PROVED] * row.are_masked


class Numbers(NamedTuple):
    """Identifiers of records, and what is said of numbers among them."""

    name: str
    ids: Sequence[Any]
    says: str


NUMBER = " An _id is a number there, and the provider reads a string"
ROUNDED = (
    f"{NUMBER}, and these seem to be rounded, as programs do with numbers of that size, so they may "
    "be of no file."
)
NUMBERS = [
    Numbers("small ones", [17, 18], f"{NUMBER}."),
    Numbers("one among strings", [17, "f2"], f"{NUMBER}."),
    Numbers("large ones", [7291845530182746112, 7291845530182747136], ROUNDED),
    Numbers(
        "large ones, one of which is exact",
        [7291845530182746112, 7291845530182747137],
        f"{NUMBER}.",
    ),
    Numbers("large ones with zeros at the end", [7291845530182746000], ROUNDED),
    Numbers("the largest that a float always holds", [2**53], f"{NUMBER}."),
    Numbers("the next float", [2**53 + 2], ROUNDED),
    Numbers("none", [None, {"oid": 1}], ""),
]


@pytest.mark.parametrize("row", NUMBERS, ids=ids(NUMBERS))
def test_identifiers_that_are_numbers_may_be_rounded(row: Numbers):
    files = [{"_id": value, "name": "a", "status": "SUCCESS"} for value in row.ids]
    listed_files = facts.places(evidence(files)).listed
    assert listed_files is not None
    assert about_numbers(listed_files) == row.says
