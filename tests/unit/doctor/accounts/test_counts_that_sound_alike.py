"""
If a list's files have a count whose name only sounds like one of duplicates (already_there, beside
added), the verdict is *Not proved: Counts*: it says both counts and their names, and to put the
extra below into the connection.
"""

from __future__ import annotations

from typing import Any

from support.doctor_service import (
    LIST,
    Account,
)
from support.doctor_verdicts import Case, check


def file(name: str, status: str, **counts: Any) -> dict[str, Any]:
    return {"_id": name, "name": name, "status": status, "coupons_list_id": LIST, **counts}


def test_a_count_that_sounds_like_one_of_duplicates_is_not_proved():
    check(
        Case(
            "a count that sounds like one of duplicates",
            lambda: Account(records=[file("a", "DONE", added=9, already_there=2)]),
            (
                "Not proved: Counts. 9 coupons added, 2 duplicates, under added and already_there",
                "put the extra below into the connection",
            ),
        )
    )
