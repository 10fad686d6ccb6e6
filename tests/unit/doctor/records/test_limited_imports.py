"""
A record says that a part of its file only was imported by yes in a property such as truncated,
partial or incomplete, at any depth, or by a note for people about a limit that left something out.
Both are quoted, two at most, yes and no first. A no, another property, and a note that nothing was
left out say nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from support.doctor_service import record
from wes_provider.doctor.records.limited_imports import limit_of_import
from wes_provider.doctor.replies.files import file_of


class Limit(NamedTuple):
    """Members of a record, and what they say of a limit; empty for nothing."""

    name: str
    members: Mapping[str, Any]
    says: str = ""


BY_YES = [
    *(
        Limit(name, {name: True}, f"{name} is true")
        for name in (
            "truncated",
            "partial",
            "isPartial",
            "incomplete",
            "was_truncated",
            "partially_imported",
            "limit_reached",
            "rowLimitExceeded",
        )
    ),
    Limit("below another member", {"import": {"partial": True}}, "import.partial is true"),
    Limit("yes in words", {"truncated": "Yes"}, "truncated is yes"),
    Limit("no", {"truncated": False, "partial": "no", "incomplete": None}),
    Limit("a number", {"partial": 3}),
    Limit("another property", {"partial_key": True, "complete": True}),
]


def _says_note(note: str) -> str:
    return f"the service notes {note!r}"


BY_NOTE = [
    Limit(
        "a plan",
        {"note": "Trial plan: only the first 1000 rows of a file are imported."},
        _says_note("note: Trial plan: only the first 1000 rows of a file are imported"),
    ),
    Limit(
        "several warnings",
        {"warnings": ["Odd header", "The remaining lines were ignored"]},
        _says_note("warnings: The remaining lines were ignored"),
    ),
    Limit(
        "a limit that was reached",
        {"import": {"detail": "Row limit of 500 reached"}},
        _says_note("import.detail: Row limit of 500 reached"),
    ),
    Limit("an excess", {"info": "Exceeds the limit"}, _says_note("info: Exceeds the limit")),
    Limit("some of all", {"hint": "Only 10 of 20 codes"}, _says_note("hint: Only 10 of 20 codes")),
    Limit("a limit that was not reached", {"note": "The limit was not reached"}),
    Limit("no limit", {"note": "No limit was exceeded."}),
    Limit("nothing was left out", {"note": "Nothing was truncated"}),
    Limit("a limit alone", {"note": "The limit is 1000 rows"}),
    Limit("no property for notes", {"owner": "Only the first 10 rows"}),
    Limit(
        "yes, and two notes",
        {"hint": "Capped at 10", "note": "It was truncated", "truncated": True},
        f"truncated is true, and {_says_note('hint: Capped at 10')}",
    ),
]


@pytest.mark.parametrize("row", [*BY_YES, *BY_NOTE], ids=[row.name for row in (*BY_YES, *BY_NOTE)])
def test_a_record_says_by_yes_or_by_a_note_that_a_part_only_was_imported(row: Limit):
    file = file_of(record("up", "SUCCESS", **row.members))
    assert file is not None
    assert limit_of_import(file) == row.says
