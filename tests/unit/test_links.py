"""Links to the console, and labels of mapped tasks."""

from __future__ import annotations

from wes_provider.links import console_url
from wes_provider.operators import WesUploadCouponFileOperator
from wes_provider.operators.base import LABEL_LENGTH


def test_an_identifier_is_quoted_in_the_consoles_url():
    assert console_url("https://c.example.com/a?{kind}={id}", "coupon-list", "a/b ?") == (
        "https://c.example.com/a?coupon-list=a%2Fb%20%3F"
    )


def test_a_label_fits_into_airflows_database():
    operator = WesUploadCouponFileOperator(
        task_id="t", coupon_list_id="l" * 500, file_url="https://f.example.com/a.csv"
    )
    assert operator.map_label == "l" * LABEL_LENGTH
