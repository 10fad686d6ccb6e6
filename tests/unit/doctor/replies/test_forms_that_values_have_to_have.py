"""
The form that a value has to have, such as UUID, integer, number, hex, "24 digits" or slug, is read
from words if one like "not", "invalid", "must", "should", "expected", "needs" or "valid" stands
before it in the same sentence; also in German. A form alone, or in the next sentence, is none.
Words name the identifier of a list if they have "list id", "coupon_list_id", "listid" and the like;
"the list" and "list of ids" do not.
"""

from __future__ import annotations

from typing import Any

import pytest

from support.doctor_words import Tells, each_of
from wes_provider.doctor.replies import remedies

WANTED_FORM = [
    Tells("UUID", ["not a UUID", "invalid UUID", "must be a valid UUID"]),
    Tells(
        "guid",
        [
            "malformed guid",
            "should be a guid",
            "expected guid",
            "expects a guid",
            "need guid",
            "needs a guid",
            "wants guid",
            "want a guid",
            "has to be a guid",
            "valid guid",
            "keine guid",
            "gültige guid",
        ],
    ),
    *(
        Tells(form, [f"must be a {form}"])
        for form in (
            "ulid",
            "integer",
            "numeric",
            "number",
            "Ganzzahl",
            "24 digits",
            "24-digits",
            "24 hex digits",
            "8 characters",
            "24 hexadecimal",
            "hex",
            "hexadecimal",
            "slug",
            "urn",
        )
    ),
    Tells("", ["", "UUID", "not one; a UUID", "must be a uuids"]),
]


@pytest.mark.parametrize(("text", "expected"), each_of(WANTED_FORM))
def test_the_form_that_a_value_has_to_have_is_read(text: str, expected: Any):
    assert remedies.wanted_form(text) == expected


NAMES_LIST = [
    Tells(
        True,
        [
            "coupon_list_id must be hex",
            "list id",
            "the coupon list identifier",
            "lists_id",
            "coupon-list-id",
            "listid is wrong",
            "CouponListId",
        ],
    ),
    Tells(False, ["", "the list is empty", "list of ids", "playlistid"]),
]


@pytest.mark.parametrize(("text", "expected"), each_of(NAMES_LIST))
def test_words_that_name_the_identifier_of_a_list_are_known(text: str, expected: Any):
    assert remedies.names_list(text) == expected
