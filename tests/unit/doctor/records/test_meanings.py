"""
What a status that the provider does not know means, by its name, its counts and a reason.

It is sure of a word of success (IMPORTED) with coupons added and fewer errors than these, and of a
word of failure with a reason, unless a number of an unknown name is above 0 (a size is none). A
word of success with no coupon added means failure; one with as many errors, with a word of failure
or with "not" is partial, and unsure; so is, in whatever language, one with bad rows while a file of
another status added coupons and has none. A word of a stage means pending, whatever was added; a word
that nobody knows means success with coupons added; each is unsure. With a number of an unknown name
alone, 0 or more, such a word is unclear.

Another name of a count is found if it is the only one that sounds like coupons added, or like
duplicates; not beside the usual names, and not one of errors. Of the files of each status, the
first that added most is taken.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pytest

from wes_provider.coupon_files import CountNames
from wes_provider.doctor.records.meanings import Means, meaning_of, most_added_of_each
from wes_provider.doctor.replies.files import count_names
from wes_provider.models import CouponFile


class Unknown(NamedTuple):
    """
    A status that the provider does not know, what its file has, and what follows.

    :ivar name: what its name and its file have.
    :ivar sure: whether that alone shows the meaning.
    :ivar open: why no setting follows: ``partial``, ``unclear``, or empty if one may follow.
    """

    name: str
    status: str
    counts: Mapping[str, int]
    means: Means
    sure: bool
    reason: str = ""
    open: str = ""


ADDED = {"coupons_added": 5}
ALL_REJECTED = {"total": 6, "rejected": 6}
UNKNOWN = [
    Unknown(
        "a word of success, coupons added, none rejected",
        "IMPORTED",
        {"coupons_added": 5, "rejected": 0},
        Means.SUCCESS,
        sure=True,
    ),
    Unknown("a word of success among nouns", "COUPONS_LOADED", ADDED, Means.SUCCESS, sure=True),
    Unknown("a word of success, but no count", "FINALIZED", {}, Means.SUCCESS, sure=False),
    Unknown(
        "a word of success, but no coupon",
        "IMPORTED",
        {"coupons_added": 0},
        Means.FAILURE,
        sure=False,
    ),
    Unknown(
        "a word of success and coupons added, but as many errors",
        "IMPORTED",
        {"coupons_added": 5, "error_count": 5},
        Means.FAILURE,
        sure=False,
        open="partial",
    ),
    Unknown(
        "a word of success, and a few bad rows among good ones",
        "IMPORTED",
        {"coupons_added": 5, "error_count": 1},
        Means.SUCCESS,
        sure=True,
    ),
    Unknown("a word that nobody knows, coupons added", "STOCKED", ADDED, Means.SUCCESS, sure=False),
    Unknown("a word of a stage, whatever was added", "STAGED", ADDED, Means.PENDING, sure=False),
    Unknown("a word of a stage, without counts", "STAGED", {}, Means.PENDING, sure=False),
    Unknown(
        "a word of failure, and a reason",
        "IMPORT_FAILED",
        {},
        Means.FAILURE,
        sure=True,
        reason="no header",
    ),
    Unknown("a word of failure, but no reason", "ABORTED", ALL_REJECTED, Means.FAILURE, sure=False),
    Unknown(
        "a word of failure, a reason, all rejected",
        "ABORTED",
        ALL_REJECTED,
        Means.FAILURE,
        sure=True,
        reason="no header",
    ),
    Unknown(
        "a word of success and one of failure",
        "COMPLETED_WITH_ERRORS",
        ADDED,
        Means.FAILURE,
        sure=False,
        open="partial",
    ),
    Unknown(
        "a word of success that is negated",
        "NOT_IMPORTED",
        ADDED,
        Means.FAILURE,
        sure=False,
        open="partial",
    ),
    Unknown(
        "a word of failure and a reason, but an unknown number above 0",
        "REJECTED",
        {"przyjete": 9},
        Means.FAILURE,
        sure=False,
        reason="x",
        open="unclear",
    ),
    Unknown(
        "a word of failure and a reason, an unknown number that is 0, and a size",
        "REJECTED",
        {"przyjete": 0, "size": 9},
        Means.FAILURE,
        sure=True,
        reason="x",
    ),
    Unknown(
        "an unknown number above 0",
        "FERTIG",
        {"zaehler.neu": 5},
        Means.SUCCESS,
        sure=False,
        open="unclear",
    ),
    Unknown(
        "an unknown number that is 0",
        "FERTIG",
        {"zaehler.neu": 0},
        Means.SUCCESS,
        sure=False,
        open="unclear",
    ),
]


@pytest.mark.parametrize("row", UNKNOWN, ids=[row.name for row in UNKNOWN])
def test_an_unknown_statuss_meaning_is_sure_if_its_word_and_its_counts_or_reason_agree(
    row: Unknown,
):
    file = CouponFile("a", status=row.status, counts=dict(row.counts), reason=row.reason)
    meaning = meaning_of(file, CountNames())
    assert (meaning.means, meaning.sure) == (row.means, row.sure)
    assert meaning.is_partial is (row.open == "partial")
    assert meaning.is_unclear is (row.open == "unclear")


class Counts(NamedTuple):
    """A file's counts, and the names other than usual of coupons added and duplicates."""

    name: str
    counts: Mapping[str, int]
    added: str
    duplicates: str


COUNTS = [
    Counts("the usual names", {"added": 1, "duplicates": 2}, "", ""),
    Counts(
        "one of each kind",
        {"stats.imported": 1, "stats.skipped": 2},
        "stats.imported",
        "stats.skipped",
    ),
    Counts("two of one kind", {"new": 1, "created": 2}, "", ""),
    Counts("one of errors", {"import_errors": 1}, "", ""),
    Counts("one of duplicates alone", {"existing": 3}, "", "existing"),
]


@pytest.mark.parametrize("row", COUNTS, ids=[row.name for row in COUNTS])
def test_another_name_of_a_count_is_found_if_it_is_the_only_one_that_sounds_alike(row: Counts):
    names = count_names(CouponFile("a", counts=dict(row.counts)), CountNames())
    assert (names.added, names.duplicates) == (row.added, row.duplicates)


class Added(NamedTuple):
    """Files by identifier, status and coupons added, and those that the others are compared with."""

    name: str
    files: list[tuple[str, str, int]]
    most: list[str]


MOST_ADDED = [
    Added("none", [], []),
    Added("one of each status", [("f1", "A", 0), ("f2", "B", 3)], ["f1", "f2"]),
    Added("the first has most", [("f1", "A", 5), ("f2", "A", 3)], ["f1"]),
    Added("the second has most", [("f1", "A", 3), ("f2", "A", 5)], ["f2"]),
    Added("both have as many", [("f1", "A", 3), ("f2", "A", 3)], ["f1"]),
]


@pytest.mark.parametrize("row", MOST_ADDED, ids=[row.name for row in MOST_ADDED])
def test_of_the_files_of_each_status_the_first_that_added_most_is_taken(row: Added):
    files = [
        CouponFile(file_id, status=status, counts={"coupons_added": added})
        for file_id, status, added in row.files
    ]
    assert [file.id for file in most_added_of_each(files, CountNames())] == row.most


class BadRows(NamedTuple):
    """A file with bad rows, another file of the list, and whether its status is partial."""

    name: str
    status: str
    bad: Mapping[str, int]
    other: CouponFile
    is_partial: bool


def file_with(status: str, **counts: int) -> CouponFile:
    return CouponFile("g1", status=status, counts=counts)


GOOD = file_with("HOTOVO", coupons_added=120, chyby_invalid=0)
ONE_BAD = {"coupons_added": 80, "chyby_invalid": 20}
BAD_ROWS = [
    BadRows("bad rows that another status has none of", "HOTOVO ZČÁSTI", ONE_BAD, GOOD, True),
    BadRows("the same status without any", "HOTOVO", ONE_BAD, GOOD, False),
    BadRows(
        "another status without the count",
        "HOTOVO ZČÁSTI",
        ONE_BAD,
        file_with("HOTOVO", coupons_added=120),
        False,
    ),
    BadRows(
        "another status that added nothing",
        "HOTOVO ZČÁSTI",
        ONE_BAD,
        file_with("NOVÝ", coupons_added=0, chyby_invalid=0),
        False,
    ),
    BadRows(
        "no bad row",
        "HOTOVO ZČÁSTI",
        {"coupons_added": 80, "chyby_invalid": 0},
        GOOD,
        False,
    ),
    BadRows(
        "a German word for a part",
        "TEILWEISE ERFOLGREICH",
        {"coupons_added": 80},
        file_with("ERFOLGREICH", coupons_added=120),
        True,
    ),
    BadRows(
        "a Spanish word for a part",
        "PARCIALMENTE IMPORTADO",
        {"coupons_added": 80},
        file_with("IMPORTADO", coupons_added=120),
        True,
    ),
    BadRows(
        "an Italian word for a part",
        "PARZIALE",
        {"coupons_added": 80},
        file_with("COMPLETO", coupons_added=120),
        True,
    ),
]


@pytest.mark.parametrize("row", BAD_ROWS, ids=[row.name for row in BAD_ROWS])
def test_bad_rows_of_its_own_make_a_status_partial_in_whatever_language(row: BadRows):
    meaning = meaning_of(file_with(row.status, **row.bad), CountNames(), [row.other])
    assert meaning.is_partial is row.is_partial
