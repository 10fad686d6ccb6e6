"""What a file's numbers, reasons and notes say of its status, and which person it waits for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from wes_provider.coupon_files import CountNames
from wes_provider.doctor.files import file_of
from wes_provider.doctor.meanings import (
    Means,
    doubt_about,
    meaning_of,
    person_says,
    telling_names,
    what_to_have_done,
)
from wes_provider.models import CouponFile

NO_NAMES = CountNames()


def file(status: str, number: int = 1, /, reason: str = "", **counts: int) -> CouponFile:
    return CouponFile(f"f{number}", status=status, counts=dict(counts), reason=reason)


def recorded(status: str, **members: Any) -> CouponFile:
    """A file as its record has it, with what the provider does not read."""
    found = file_of({"_id": "f1", "status": status, **members})
    assert found is not None
    return found


# -- what speaks against a success -----------------------------------------------------------------


class Doubt(NamedTuple):
    """A file, and what speaks against its success."""

    name: str
    file: CouponFile
    doubt: str


DOUBTS = [
    Doubt("coupons added", file("DONE", coupons_added=5), ""),
    Doubt("no coupon added", file("DONE", coupons_added=0), "no coupon was added"),
    Doubt("no count", file("DONE"), ""),
    Doubt("all coupons are duplicates", file("DONE", coupons_added=0, duplicates=3), ""),
    Doubt("fewer bad rows than coupons", file("DONE", coupons_added=5, rejected=4), ""),
    Doubt(
        "as many bad rows as coupons", file("DONE", coupons_added=5, rejected=5), "rejected is 5"
    ),
    Doubt(
        "fewer bad rows than coupons, and a word of failure",
        file("PARTLY_FAILED", coupons_added=5, rejected=4),
        "rejected is 4",
    ),
    Doubt(
        "fewer bad rows than coupons, and a reason",
        file("DONE", reason="bad", coupons_added=5, rejected=4),
        "rejected is 4",
    ),
    Doubt(
        "no bad row, and a reason",
        file("DONE", reason="bad", rejected=0),
        "the service names 'bad'",
    ),
    Doubt(
        "a note that undoes it",
        recorded("DONE", note="Revoked."),
        "the service notes 'note: Revoked.'",
    ),
    Doubt("a note that it was not undone", recorded("DONE", note="Not revoked."), ""),
    Doubt(
        "a note that it was undone, and nothing else",
        recorded("DONE", note="Revoked. Nothing else was revoked."),
        "the service notes 'note: Revoked. Nothing else was revoked.'",
    ),
    Doubt("a word that undoes it in another property", recorded("DONE", owner="Revoked."), ""),
]


@pytest.mark.parametrize("row", DOUBTS, ids=ids(DOUBTS))
def test_bad_rows_a_reason_a_note_or_no_coupon_speak_against_a_success(row: Doubt):
    """A few bad rows speak against it only beside a reason or a word of failure."""
    assert doubt_about(row.file, NO_NAMES) == row.doubt


# -- a number that tells statuses apart ------------------------------------------------------------


class Telling(NamedTuple):
    """Files, and the number that tells their statuses apart; empty if none does."""

    name: str
    files: Sequence[CouponFile]
    added: str


TELLING = [
    Telling("above 0 with one status alone", [file("A", fresh=5), file("B", 2, fresh=0)], "fresh"),
    Telling("above 0 with each status", [file("A", fresh=5), file("B", 2, fresh=1)], ""),
    Telling("0 with each status", [file("A", fresh=0), file("B", 2, fresh=0)], ""),
    Telling("one status", [file("A", fresh=5), file("A", 2, fresh=0)], ""),
    Telling(
        "two numbers with the same status",
        [file("A", fresh=5, more=4), file("B", 2, fresh=0, more=0)],
        "fresh",
    ),
    Telling(
        "two numbers with different statuses",
        [file("A", fresh=5, more=0), file("B", 2, fresh=0, more=4)],
        "",
    ),
    Telling(
        "two numbers, of which one is above 0 with fewer statuses",
        [file("A", fresh=5, more=4), file("B", 2, fresh=3, more=0), file("C", 3, fresh=0, more=0)],
        "",
    ),
    Telling(
        "another number above 0 where it is 0",
        [file("A", fresh=5, more=1), file("B", 2, fresh=0, more=1)],
        "",
    ),
    Telling("bad rows", [file("A", errors=5), file("B", 2, errors=0)], ""),
    Telling(
        "a number beside coupons added, which is 0",
        [file("A", coupons_added=0, fresh=5), file("B", 2, coupons_added=0, fresh=0)],
        "",
    ),
]


@pytest.mark.parametrize("row", TELLING, ids=ids(TELLING))
def test_a_number_that_is_0_for_some_statuses_only_may_count_coupons_added(row: Telling):
    assert telling_names(row.files, NO_NAMES).added == row.added


def test_a_number_that_tells_statuses_apart_leaves_the_name_of_duplicates():
    files = [file("A", fresh=5), file("B", 2, fresh=0)]
    assert telling_names(files, CountNames(duplicates="old")) == CountNames("fresh", "old")


# -- what a status means ---------------------------------------------------------------------------


class Meant(NamedTuple):
    """A file, others of its list, what its status means, and why."""

    name: str
    file: CouponFile
    means: Means
    sure: bool
    why: str
    others: Sequence[CouponFile] = ()
    is_open: bool = False


MEANT = [
    Meant(
        "a word of an end that others with coupons have",
        file("IMPORTED"),
        Means.SUCCESS,
        sure=True,
        why="coupons were added",
        others=[file("IMPORTED", 2, coupons_added=3)],
    ),
    Meant(
        "a word of a stage and one of an end",
        file("PROCESSING_DONE", coupons_added=5),
        Means.SUCCESS,
        sure=True,
        why="coupons were added",
    ),
    Meant(
        "a word of an end among words that nobody knows",
        file("MOON_DONE", coupons_added=5),
        Means.SUCCESS,
        sure=False,
        why="5 coupons added, but MOON_DONE may be the name of a stage on the way",
    ),
    Meant(
        "a word that nobody knows, and the first of two others has fewer coupons",
        file("STOCKED"),
        Means.SUCCESS,
        sure=False,
        why="3 coupons added in file f2, but STOCKED may be the name of a stage on the way",
        others=[file("STOCKED", 2, coupons_added=3), file("STOCKED", 3, coupons_added=7)],
    ),
    Meant(
        "a word that nobody knows, and a file of another status has more coupons",
        file("STOCKED"),
        Means.SUCCESS,
        sure=False,
        why="3 coupons added in file f3, but STOCKED may be the name of a stage on the way",
        others=[file("OTHER", 2, coupons_added=9), file("STOCKED", 3, coupons_added=3)],
    ),
    Meant(
        "a reason that undoes what was added",
        file("IMPORT_FAILED", reason="All was revoked", coupons_added=5),
        Means.FAILURE,
        sure=False,
        why="the service names 'All was revoked', and the count of coupons added is 5",
    ),
    Meant(
        "a reason that the file was not fetched, and coupons",
        file("IMPORT_FAILED", reason="Download broke off", coupons_added=5),
        Means.FAILURE,
        sure=False,
        why="the service names 'Download broke off', and the count of coupons added is 5",
    ),
    Meant(
        "a word of failure, no coupon, and a number above 0",
        file("REJECTED", coupons_added=0, fresh=4),
        Means.FAILURE,
        sure=False,
        why="the name REJECTED speaks of a failure, and no coupon was added",
    ),
    Meant(
        "a word of failure, and others with coupons",
        file("IMPORT_FAILED", reason="no header"),
        Means.FAILURE,
        sure=False,
        why="the name IMPORT_FAILED speaks of a failure, and the service names 'no header'",
        others=[file("IMPORT_FAILED", 2, coupons_added=3)],
    ),
    Meant(
        "a word of failure, a reason, and coupons",
        file("IMPORT_FAILED", reason="no header", coupons_added=5),
        Means.FAILURE,
        sure=False,
        why="5 coupons added, but the service names 'no header'",
        is_open=True,
    ),
    Meant(
        "a word of failure, a reason, and no coupon",
        file("IMPORT_FAILED", reason="no header", coupons_added=0),
        Means.FAILURE,
        sure=True,
        why="the service names 'no header', and the count of coupons added is 0",
    ),
    Meant(
        "a word of failure, and a number that is 0",
        file("REJECTED", fresh=0),
        Means.FAILURE,
        sure=False,
        why="the name REJECTED speaks of a failure",
    ),
    Meant(
        "a word of failure, and a number above 0",
        file("REJECTED", fresh=4),
        Means.FAILURE,
        sure=False,
        why="the name REJECTED speaks of a failure, but fresh is 4",
        is_open=True,
    ),
    Meant(
        "a word that may be a stop or an end",
        file("SUSPENDED", fresh=4),
        Means.FAILURE,
        sure=False,
        why="SUSPENDED may be the name of a stop or of an end, whatever its numbers are (fresh is 4)",
        is_open=True,
    ),
    Meant(
        "a word that may be a stop or an end, and one of failure",
        file("SUSPENDED_FAILED"),
        Means.FAILURE,
        sure=False,
        why="the name SUSPENDED_FAILED speaks of a failure",
    ),
]


@pytest.mark.parametrize("row", MEANT, ids=ids(MEANT))
def test_what_a_status_means_follows_from_its_words_and_what_its_files_have(row: Meant):
    meaning = meaning_of(row.file, NO_NAMES, row.others)
    assert (meaning.means, meaning.sure, meaning.why) == (row.means, row.sure, row.why)
    assert meaning.is_open is row.is_open


class Supported(NamedTuple):
    """A file with a word that nobody knows, and whether anything speaks for what it means."""

    name: str
    file: CouponFile
    is_supported: bool


SUPPORTED = [
    Supported("no coupon added", file("ODD", coupons_added=0), is_supported=False),
    Supported(
        "no coupon added, and bad rows", file("ODD", coupons_added=0, rejected=2), is_supported=True
    ),
    Supported("a reason", file("ODD", reason="no header", coupons_added=0), is_supported=True),
    Supported("coupons added", file("ODD", coupons_added=5), is_supported=True),
    Supported("no count", file("ODD"), is_supported=False),
]


@pytest.mark.parametrize("row", SUPPORTED, ids=ids(SUPPORTED))
def test_a_meaning_is_supported_by_more_than_that_nothing_was_added(row: Supported):
    assert meaning_of(row.file, NO_NAMES).is_supported is row.is_supported


# -- a person that a file waits for ----------------------------------------------------------------


class Person(NamedTuple):
    """The status and other members of a record, and what says that a person has to act."""

    name: str
    status: str
    members: Mapping[str, Any]
    says: str


WAITS = [
    Person("by its status", "AWAITING_APPROVAL", {}, "the name AWAITING_APPROVAL says so"),
    Person(
        "by its status and who has to act",
        "AWAITING_APPROVAL",
        {"waiting_for": "anna"},
        "the name AWAITING_APPROVAL says so and waiting_for is 'anna'",
    ),
    Person("by who has to act", "HELD", {"waiting_for": "anna"}, "waiting_for is 'anna'"),
    Person("by a word", "HELD", {"approval": "pending"}, "approval is 'pending'"),
    Person(
        "by a name and a word",
        "HELD",
        {"approval_required": "by anna"},
        "approval_required is 'by anna'",
    ),
    Person("by a note", "HELD", {"note": "Waits for approval"}, "note is 'Waits for approval'"),
    Person(
        "by a property, while nobody has approved it",
        "HELD",
        {"approval": "pending", "approved_by": None},
        "approval is 'pending'",
    ),
]
WAITS_NOT = [
    Person("an end", "DONE", {"waiting_for": "anna"}, ""),
    Person("a failure", "APPROVAL_FAILED", {"waiting_for": "anna"}, ""),
    Person("it was approved", "HELD", {"approval": "pending", "approved_by": "anna"}, ""),
    Person("nobody", "HELD", {"waiting_for": "none"}, ""),
    Person("no list of persons", "HELD", {"waiting_for": []}, ""),
    Person("what is required is true", "HELD", {"approval_required": True}, ""),
    Person("what is required is a number", "HELD", {"approval_required": 1}, ""),
    Person("a property that is another's", "HELD", {"name": "pending review.csv"}, ""),
    Person("a note about something else", "HELD", {"note": "Waits for rain"}, ""),
]


@pytest.mark.parametrize("row", [*WAITS, *WAITS_NOT], ids=ids([*WAITS, *WAITS_NOT]))
def test_a_file_waits_for_a_person_by_its_status_or_a_property_unless_somebody_has_acted(
    row: Person,
):
    assert person_says(recorded(row.status, **row.members)) == row.says


class Done(NamedTuple):
    """A status, and what a person has to have done."""

    status: str
    done: str


DONE = [
    Done("AWAITING_APPROVAL", "approved"),
    Done("NEEDS_REVIEW", "reviewed"),
    Done("FREIGABE_PENDING", "released"),
    Done("WAITS", "handled"),
]


@pytest.mark.parametrize("row", DONE, ids=[row.status for row in DONE])
def test_what_a_person_has_to_do_follows_from_the_status(row: Done):
    assert what_to_have_done(recorded(row.status)) == row.done
