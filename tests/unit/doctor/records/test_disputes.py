"""
Numbers of a file that may count coupons added are in dispute if they differ in any file, and the
difference is not what was left out (duplicates, bad rows). A total of rows, lines, steps or pages
(rows_total, totalSteps) counts no coupons, and is in no dispute. Another total is in none with a
file that failed without any coupon, by its status or a reason, or that is on its way, by its status
as the connection has it or by its name. Nothing is in dispute if the connection names the number of
coupons added; a name for duplicates settles nothing.

Three numbers at most are named, the usual name first, and of each status the first file that has
all of them. If none of these files disagrees, the first one that does takes the place of its
status's. It is said with the numbers of each status, eight at most; with a file's identifier if it
has none; and with which statuses a number is 0 while another one is not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pytest

from wes_provider.coupon_files import CountNames, Statuses
from wes_provider.doctor.records.disputes import dispute_of
from wes_provider.models import CouponFile

NO_NAMES = CountNames()


def file(number: int, status: str = "SUCCESS", reason: str = "", **counts: int) -> CouponFile:
    return CouponFile(f"f{number}", status=status, counts=dict(counts), reason=reason)


class Disagreeing(NamedTuple):
    """
    Files, and the numbers that disagree.

    :ivar files: those of the dispute, by their number.
    """

    name: str
    given: Sequence[CouponFile]
    names: Sequence[str]
    files: Sequence[int]


DISPUTES = [
    Disagreeing("two numbers", [file(1, added=5, stored=4)], ["added", "stored"], [1]),
    Disagreeing(
        "the other is smaller by what was left out",
        [file(1, added=5, stored=3, duplicates=2)],
        ["added", "stored"],
        [1],
    ),
    Disagreeing("the other is larger", [file(1, added=5, stored=6)], ["added", "stored"], [1]),
    Disagreeing(
        "more than that", [file(1, added=5, stored=8, duplicates=2)], ["added", "stored"], [1]
    ),
    Disagreeing(
        "the usual name comes first", [file(1, stored=4, added=5)], ["added", "stored"], [1]
    ),
    Disagreeing("no usual name", [file(1, stored=4, valid=5)], ["stored", "valid"], [1]),
    Disagreeing(
        "four numbers",
        [file(1, added=5, stored=4, valid=3, usable=2)],
        ["added", "stored", "valid"],
        [1],
    ),
    Disagreeing("a total", [file(1, added=5, total=6)], ["added", "total"], [1]),
    Disagreeing(
        "a total of a failure in part",
        [file(1, "failed", added=1, total=6)],
        ["added", "total"],
        [1],
    ),
    Disagreeing(
        "a total of a file without one", [file(1, "ODD", added=0, total=6)], ["added", "total"], [1]
    ),
    Disagreeing(
        "a total beside an end by a name that is not set",
        [file(1, "ABGESCHLOSSEN", added=3, total=6)],
        ["added", "total"],
        [1],
    ),
    Disagreeing(
        "no total on its way", [file(1, "PENDING", added=3, stored=6)], ["added", "stored"], [1]
    ),
    Disagreeing(
        "in a later file only",
        [file(1, added=5, stored=5), file(2, "DONE", added=5, stored=4)],
        ["added", "stored"],
        [1, 2],
    ),
    Disagreeing(
        "the second of a status",
        [file(1, added=5, stored=5), file(2, added=5, stored=4), file(3, added=5, stored=3)],
        ["added", "stored"],
        [2],
    ),
    Disagreeing(
        "the first of each status",
        [
            file(1, added=5, stored=4),
            file(2, "success", added=7, stored=2),
            file(3, "DONE", added=1, stored=1),
        ],
        ["added", "stored"],
        [1, 3],
    ),
    Disagreeing(
        "a file without one of them",
        [file(1, "DONE", added=5), file(2, added=5, stored=4)],
        ["added", "stored"],
        [2],
    ),
    Disagreeing(
        "the second of a status, while another's first disagrees",
        [
            file(1, "A", added=5, stored=4),
            file(2, "B", added=5, stored=5),
            file(3, "B", added=5, stored=4),
        ],
        ["added", "stored"],
        [1, 2],
    ),
    Disagreeing(
        "the third of two statuses",
        [
            file(1, "A", added=5, stored=5),
            file(2, "B", added=5, stored=5),
            file(3, "A", added=5, stored=4),
            file(4, "A", added=5, stored=3),
        ],
        ["added", "stored"],
        [3, 2],
    ),
    Disagreeing(
        "only a file that has neither begins",
        [file(1, "DONE"), file(2, stored=5, valid=4)],
        ["stored", "valid"],
        [2],
    ),
]


@pytest.mark.parametrize("row", DISPUTES, ids=[row.name for row in DISPUTES])
def test_numbers_that_disagree_without_an_explanation_are_in_dispute(row: Disagreeing):
    dispute = dispute_of(row.given, NO_NAMES, Statuses())
    assert dispute is not None
    assert list(dispute.names) == row.names
    assert [file.id for file in dispute.files] == [f"f{number}" for number in row.files]


class OfSomethingElse(NamedTuple):
    """The name of a number beside coupons_added, and whether it may count coupons added, too."""

    name: str
    may_count_coupons: bool = False


TOTALS = [
    OfSomethingElse("rows_total"),
    OfSomethingElse("total_rows"),
    OfSomethingElse("totalRows"),
    OfSomethingElse("stats.lines_received"),
    OfSomethingElse("records_processed"),
    OfSomethingElse("stages_total"),
    OfSomethingElse("total_steps"),
    OfSomethingElse("pages_total"),
    OfSomethingElse("total", may_count_coupons=True),
    OfSomethingElse("total_codes", may_count_coupons=True),
    OfSomethingElse("coupons_total", may_count_coupons=True),
    OfSomethingElse("rows_imported", may_count_coupons=True),
    OfSomethingElse("total_trows", may_count_coupons=True),
]


@pytest.mark.parametrize("row", TOTALS, ids=[row.name for row in TOTALS])
def test_a_total_of_rows_steps_or_pages_is_in_no_dispute_with_coupons_added(row: OfSomethingElse):
    numbers = {"coupons_added": 1000, row.name: 5000}
    dispute = dispute_of([file(1, **numbers)], NO_NAMES, Statuses())
    assert (dispute is not None) is row.may_count_coupons


class Agreeing(NamedTuple):
    """Files whose numbers agree, or whose difference is explained."""

    name: str
    files: Sequence[CouponFile]


AGREEING = [
    Agreeing("no file", []),
    Agreeing("one number", [file(1, added=5)]),
    Agreeing("the same numbers", [file(1, added=5, stored=5)]),
    Agreeing("the difference was left out", [file(1, added=5, stored=7, duplicates=2)]),
    Agreeing("a total of a failure", [file(1, "FAILED", added=0, total=6)]),
    Agreeing("a total of a file with a reason", [file(1, "ODD", "bad", added=0, total=6)]),
    Agreeing("a total on its way", [file(1, "PENDING", added=3, total=6)]),
    Agreeing(
        "a total on its way by a name that is not set",
        [file(1, "IN BEARBEITUNG", added=3, total=6), file(2, "ABGESCHLOSSEN", added=6, total=6)],
    ),
    Agreeing(
        "the same, but for a file without one", [file(1, added=5, stored=5), file(2, stored=4)]
    ),
]


@pytest.mark.parametrize("row", AGREEING, ids=[row.name for row in AGREEING])
def test_numbers_that_agree_or_whose_difference_is_explained_are_in_no_dispute(row: Agreeing):
    assert dispute_of(row.files, NO_NAMES, Statuses()) is None


def test_nothing_is_in_dispute_if_the_connection_names_the_number_of_coupons_added():
    files = [file(1, added=5, stored=4)]
    assert dispute_of(files, CountNames(added="stored"), Statuses()) is None


def test_a_dispute_is_not_settled_by_a_name_for_duplicates():
    files = [file(1, added=5, stored=4)]
    assert dispute_of(files, CountNames(duplicates="stored"), Statuses()) is not None


def test_the_statuses_of_the_connection_say_what_failed():
    files = [file(1, "KAPUTT", added=0, total=6)]
    statuses = Statuses.of({"failure": ["KAPUTT"]})
    assert dispute_of(files, NO_NAMES, statuses) is None


def test_a_status_that_is_a_success_of_the_connection_is_not_on_its_way():
    """Without that name, STAGED sounds as if the total were still being reached."""
    files = [file(1, "STAGED", added=3, total=6)]
    assert dispute_of(files, NO_NAMES, Statuses()) is None
    assert dispute_of(files, NO_NAMES, Statuses.of({"success": ["STAGED"]})) is not None


OPEN = "Which number counts coupons added is open."
CONFIRM = "Confirm with the service's support which one does, and name it in coupon_file_counts."


class Says(NamedTuple):
    """Files in dispute, and what is said of them."""

    name: str
    files: Sequence[CouponFile]
    text: str


def of_statuses(number: int, counts: Mapping[str, int]) -> list[CouponFile]:
    """Files with a status each."""
    return [file(each, f"S{each}", **counts) for each in range(number)]


EIGHT = ", ".join(f"S{number}" for number in range(8))
EIGHT_WITH_NUMBERS = ", ".join(f"S{number} 5/0" for number in range(8))
SAYS = [
    Says("one status", [file(1, added=5, stored=4)], "added/stored: SUCCESS 5/4. "),
    Says(
        "two statuses",
        [file(1, "b", added=5, stored=4), file(2, "A", added=1, stored=2)],
        "added/stored: B 5/4, A 1/2. ",
    ),
    Says("no status", [file(1, "", added=5, stored=4)], "added/stored: f1 5/4. "),
    Says(
        "the first is 0",
        [file(1, added=0, stored=4)],
        "added/stored: SUCCESS 0/4; added is 0 with SUCCESS. ",
    ),
    Says(
        "each is 0 somewhere",
        [file(1, "A", added=0, stored=4), file(2, "B", added=3, stored=0)],
        "added/stored: A 0/4, B 3/0; added is 0 with A; stored is 0 with B. ",
    ),
    Says(
        "both are 0",
        [file(1, "A", added=1, stored=4), file(2, "B", added=0, stored=0)],
        "added/stored: A 1/4, B 0/0. ",
    ),
    Says(
        "two of three are 0",
        [file(1, "A", added=1, stored=2, valid=3), file(2, "B", added=0, stored=0, valid=3)],
        "added/stored/valid: A 1/2/3, B 0/0/3; added is 0 with B; stored is 0 with B. ",
    ),
    Says(
        "the other is 1",
        [file(1, added=0, stored=1)],
        "added/stored: SUCCESS 0/1; added is 0 with SUCCESS. ",
    ),
    Says(
        "nine statuses",
        of_statuses(9, {"added": 5, "stored": 0}),
        f"added/stored: {EIGHT_WITH_NUMBERS}; stored is 0 with {EIGHT}. ",
    ),
]


@pytest.mark.parametrize("row", SAYS, ids=[row.name for row in SAYS])
def test_a_dispute_is_said_with_the_numbers_of_each_status(row: Says):
    dispute = dispute_of(row.files, NO_NAMES, Statuses())
    assert dispute is not None
    assert dispute.says == f"{OPEN} {row.text}{CONFIRM}"
