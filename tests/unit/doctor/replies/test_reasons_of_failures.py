"""
The reason why a file failed, if its record has none that the provider reads, is the first text for
people in a member named after errors or failures, also in German, at any depth; it is said with the
member's name. In arrays and objects, at most four within each other, the first entry with a text
counts, and a message before a code beside it. A number of errors, an empty array, an address, where
errors are, what is done about them (error_policy), and the text "None" are no reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from wes_provider.doctor.replies.files import file_of


class Explained(NamedTuple):
    """What a record has that may tell why its file failed, and what is read of it."""

    name: str
    record: Mapping[str, Any]
    reason: str


EXPLAINED = [
    Explained("nothing", {"rows": 3}, ""),
    Explained("a string", {"fehler": "Kein Kopf"}, "fehler: Kein Kopf"),
    Explained("a number of errors", {"errors": 3}, ""),
    Explained("an empty array", {"errors": []}, ""),
    Explained("an array of strings", {"failures": ["No header", "x"]}, "failures: No header"),
    Explained(
        "an array of objects, a message after a code",
        {"error_details": [{"row": 0, "code": "E7", "message": "HTTP 403"}]},
        "error_details: HTTP 403",
    ),
    Explained(
        "the second object has the message",
        {"errors": [{"row": 1}, {"detail": "No column code"}]},
        "errors: No column code",
    ),
    Explained(
        "below another property",
        {"result": {"failures": [{"code": "E7"}]}},
        "result.failures: E7",
    ),
    Explained(
        "a message before a code beside it",
        {"failure": {"code": "E7", "message": "No header"}},
        "failure.message: No header",
    ),
    Explained("an address of errors", {"error_report": "https://files.example.com/e"}, ""),
    Explained("where errors are", {"links": {"errors": "see page 4"}}, ""),
    Explained("what is done about errors", {"error_policy": "skip"}, ""),
    Explained("None as a text", {"error_text": "None."}, ""),
    Explained("in four arrays", {"errors": [[[["No header"]]]]}, "errors: No header"),
    Explained("in five arrays", {"errors": [[[[["No header"]]]]]}, ""),
]


@pytest.mark.parametrize("row", EXPLAINED, ids=[row.name for row in EXPLAINED])
def test_the_reason_of_a_failure_is_the_first_text_for_people_in_a_member_named_after_errors(
    row: Explained,
):
    file = file_of({"_id": "a", "status": "FAILED", **row.record})
    assert file is not None
    assert file.reason == row.reason
