"""
Words of a 403 are of coupons if they say no more than that an account has no access: to coupons,
or at all; also if they say nothing beyond the status. Words about a list, an operation or a team
are of something else.
"""

from __future__ import annotations

from typing import Any

import pytest

from support.doctor_words import Tells, each_of
from wes_provider.doctor.replies import remedies

OF_COUPONS = [
    Tells(
        True,
        [
            "",
            "Forbidden",
            "No access to coupons",
            "You have no access.",
            "Access to the coupon features is not enabled",
            "Coupons are not available for you",
            "The account has no access to coupon management features",
            "Your account does not include this",
        ],
    ),
    Tells(
        False,
        [
            "You are not a member of the team that owns this list",
            "Operation listCouponFiles is not granted to this client",
            "Coupon list spring belongs to business unit EMEA",
            "Request blocked by rule 942100",
        ],
    ),
]


@pytest.mark.parametrize(("text", "expected"), each_of(OF_COUPONS))
def test_words_that_an_account_has_no_access_are_told_from_those_about_one_thing(
    text: str, expected: Any
):
    assert remedies.is_of_coupons(text) == expected
