"""
The extra in a report is JSON of at most 100 columns. A property with all of its own stands in one
line if that takes 100 columns or less, and else has each of its own in a line. A list stands in one
line if that takes 99 columns or less, so that a comma has room, and else goes on in as many further
lines as it needs, indented by 8.
"""

from __future__ import annotations

from typing import Any

from support.doctor_reports import (
    WRONG,
    printed,
    report_of,
)
from wes_provider.doctor.findings.finding import Finding, Topic


def pasted(**values: Any) -> list[str]:
    """The lines of the extra that has some values."""
    lines = printed(report_of(Finding(Topic.STATUSES, WRONG, "t", settings=values)))
    return lines[lines.index("{") : lines.index("}") + 1]


SUCCESSES = "coupon_file_statuses.success"


def test_a_list_of_the_extra_that_takes_99_columns_stands_in_one_line():
    assert pasted(**{SUCCESSES: ["Ä" * 10, "B" * 66]}) == [
        "{",
        '  "coupon_file_statuses": {',
        f'    "success": ["{"Ä" * 10}", "{"B" * 66}"]',
        "  }",
        "}",
    ]


def test_a_list_of_the_extra_that_takes_100_columns_goes_on_in_a_further_line():
    assert pasted(**{SUCCESSES: ["Ä" * 10, "B" * 67]})[2:4] == [
        f'    "success": ["{"Ä" * 10}",',
        f'        "{"B" * 67}"]',
    ]


def test_a_list_of_the_extra_takes_as_many_lines_as_it_needs():
    a, b, c, d, e = (letter * 36 for letter in "ABCDE")
    assert pasted(**{SUCCESSES: [a, b, c, d, e], "coupon_file_statuses.failure": ["F"]})[2:-2] == [
        f'    "success": ["{a}", "{b}",',
        f'        "{c}", "{d}",',
        f'        "{e}"],',
        '    "failure": ["F"]',
    ]


def test_a_property_of_the_extra_that_takes_100_columns_stands_in_one_line():
    line = f'  "paths": {{"coupon_files": "{"/" * 69}"}}'
    assert len(line) == 100
    assert pasted(**{"paths.coupon_files": "/" * 69}) == ["{", line, "}"]


def test_a_property_of_the_extra_that_takes_101_columns_has_each_of_its_own_in_a_line():
    assert pasted(**{"paths.coupon_files": "/" * 51, "paths.catalog_id": "ä"}) == [
        "{",
        '  "paths": {',
        f'    "coupon_files": "{"/" * 51}",',
        '    "catalog_id": "ä"',
        "  }",
        "}",
    ]
