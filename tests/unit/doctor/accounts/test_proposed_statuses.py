"""
A status of a list's files is proposed as success only if coupons were added with it, or if a number
of an unknown name is above 0 with it and 0 with another status; as failure only if its files have a
reason, or a count of what is bad, and no unknown number above 0 (a size is none). Without counts,
with the same count for all, with 0 alone, and if two numbers contradict each other, nothing is
proposed. Statuses are *Not proved* each time, and stay so after all statuses were pasted as
successes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from support.doctor_service import (
    LIST,
    Account,
    about,
    examined_account,
)
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.report import Report


class Proposed(NamedTuple):
    """The files of a list, and the statuses that are proposed as success and as failure."""

    name: str
    files: tuple[Mapping[str, Any], ...]
    success: frozenset[str] = frozenset()
    failure: frozenset[str] = frozenset()


def file(name: str, status: str, **counts: Any) -> dict[str, Any]:
    return {"_id": name, "name": name, "status": status, "coupons_list_id": LIST, **counts}


PROPOSED = [
    Proposed("no counts", (file("a", "FERTIG"), file("b", "WEG"))),
    Proposed("a count that is the same for all", (file("a", "JA", n=5), file("b", "NEIN", n=5))),
    Proposed("zero alone", (file("a", "NEIN", added=0),)),
    Proposed(
        "a count that is above 0 with one only",
        (file("a", "JA", neu=500), file("b", "NEIN", neu=0)),
        frozenset({"JA"}),
    ),
    Proposed(
        "counts that contradict each other",
        (file("a", "JA", x=5, y=0), file("b", "NEIN", x=0, y=5)),
    ),
    Proposed(
        "a reason",
        (file("a", "OUI", added=5), file("b", "NON", added=0, error="vide")),
        frozenset({"OUI"}),
        frozenset({"NON"}),
    ),
    Proposed(
        "numbers that nobody names, above 0 beside a reason",
        (file("a", "JA", x=5, y=0), file("b", "NEIN", x=0, y=5, fehler="zu kurz")),
    ),
    Proposed(
        "a reason beside numbers that are 0, and one that is a size",
        (file("a", "OK_2", x=5, y=3), file("b", "NEIN", x=0, y=0, bytes=9, fehler="zu kurz")),
        frozenset({"OK_2"}),
        frozenset({"NEIN"}),
    ),
    Proposed(
        "a count of what is bad",
        (file("a", "JA", fehler=0), file("b", "NEIN", fehler=9)),
        failure=frozenset({"NEIN"}),
    ),
]


def proposed(report: Report, name: str) -> frozenset[str]:
    value = report.changed.get(f"coupon_file_statuses.{name}")
    known = getattr(report.settings.statuses, name)
    return frozenset() if value is None else frozenset(value.value) - known


@pytest.mark.parametrize("row", PROPOSED, ids=[row.name for row in PROPOSED])
def test_a_status_is_proposed_only_if_something_speaks_for_it(row: Proposed):
    report = examined_account(Account(records=row.files))
    assert proposed(report, "success") == row.success
    assert proposed(report, "failure") == row.failure
    assert about(report, Topic.STATUSES).certainty is Certainty.NOT_PROVED


@pytest.mark.parametrize("row", PROPOSED, ids=[row.name for row in PROPOSED])
def test_a_guess_is_not_sure_after_it_was_pasted(row: Proposed):
    success = sorted({str(record["status"]) for record in row.files})
    extra = {"coupon_file_statuses": {"success": success}}
    report = examined_account(Account(records=row.files), extra=extra)
    assert about(report, Topic.STATUSES).certainty is Certainty.NOT_PROVED
