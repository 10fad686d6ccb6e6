"""
If a list has 2 of 7 files by its Content-Range, the verdict says that parts come by the header
Range, and that lists of at most 2 files are the way out.
"""

from __future__ import annotations

from support.doctor_effects import Case, check
from support.doctor_service import (
    Account,
    record,
)


def test_a_part_by_the_header_range_is_said_with_lists_of_its_size_as_the_way_out():
    """The first part has two files of seven."""
    check(
        Case(
            "a part of two files",
            lambda: Account(
                records=[record(f"f{number}") for number in range(2)],
                list_headers={"Content-Range": "items 0-1/7"},
                list_body=lambda records: {"data": records, "total": 7},
            ),
            ("2 of 7 files", "Parts come by the header Range (items)", "lists of at most 2 files"),
        )
    )
