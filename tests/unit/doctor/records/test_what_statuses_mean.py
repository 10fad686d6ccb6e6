"""
An unknown status means what the first of these says. A word that may be a stop or an end, such as
SUSPENDED, leaves it open, unless a word of failure is beside it. A word of failure or a doubt,
beside an unknown number above 0, leaves it open. A word of failure with a reason, and no file of
this status with coupons: failure, for sure. A reason that undoes what was added, or that the file
was not fetched: failure, whatever was added. A doubt or a word of failure beside coupons of this
file: it is partial, and open. A word of failure alone: failure. Coupons added, by this file or by
others with the same status: success, for sure if all words state an end (IMPORTED,
PROCESSING_DONE), and else not, since it may be a stage on the way. A meaning is supported by
coupons added, a reason or bad rows, and not by that no coupon was added, or no count.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_findings import ids
from wes_provider.coupon_files import CountNames
from wes_provider.doctor.records.meanings import (
    Means,
    meaning_of,
)
from wes_provider.models import CouponFile

NO_NAMES = CountNames()


def file(status: str, number: int = 1, /, reason: str = "", **counts: int) -> CouponFile:
    return CouponFile(f"f{number}", status=status, counts=dict(counts), reason=reason)


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
