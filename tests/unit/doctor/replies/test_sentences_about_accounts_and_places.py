"""
A sentence is about accounts that do not match if it says so, and then the account besides the login
is read if it names one; not if an account is suspended, has no access, or is an "app". Numbers of
data centers are read after a word for a place, such as "dc3", "region 114", "shard #7", "Pod eu-04"
or "moved to stack 12"; not from eu-west-1, "3 cells", "podcast 12" or "error 3".
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from wes_provider.doctor.replies.remedies import (
    data_centers_in,
    names_account,
    other_account,
)


class DataCenters(NamedTuple):
    """Words, and the numbers of data centers in them."""

    words: str
    numbers: list[str]


DATA_CENTERS = [
    DataCenters("homed in dc3.", ["3"]),
    DataCenters("in data center 3", ["3"]),
    DataCenters("DC-03, region 114", ["03", "114"]),
    DataCenters("in region eu-west-1", []),
    DataCenters("lives in cell 03 (Frankfurt); this is cell 01", ["03", "01"]),
    DataCenters("on shard #7", ["7"]),
    DataCenters("Pod eu-04 has it", ["04"]),
    DataCenters("moved to stack 12", ["12"]),
    DataCenters("stamp: 5", ["5"]),
    DataCenters("in 3 cells", []),
    DataCenters("podcast 12", []),
    DataCenters("error 3", []),
]


@pytest.mark.parametrize("row", DATA_CENTERS, ids=[row.words for row in DATA_CENTERS])
def test_the_numbers_of_data_centers_are_read(row: DataCenters):
    assert data_centers_in(row.words) == row.numbers


class OtherAccount(NamedTuple):
    """Words, whether they are about the account, and the other account that they name."""

    words: str
    is_about_account: bool
    other: str


OTHER_ACCOUNTS = [
    OtherAccount(
        "This key was issued for workspace acme-eu, not for acme-us.",
        is_about_account=True,
        other="acme-eu",
    ),
    OtherAccount(
        "Key belongs to tenant 'b2', but the request is for tenant acme-us",
        is_about_account=True,
        other="b2",
    ),
    OtherAccount("workspace-mismatch", is_about_account=True, other=""),
    OtherAccount(
        "Organization acme-us was not found in this region.", is_about_account=True, other=""
    ),
    OtherAccount("The API key is of another project.", is_about_account=True, other=""),
    OtherAccount(
        "Workspace acme-us is suspended: invoice INV-2231 is unpaid.",
        is_about_account=False,
        other="",
    ),
    OtherAccount("The account has no access to coupons.", is_about_account=False, other=""),
    OtherAccount("No such app.", is_about_account=False, other=""),
]


@pytest.mark.parametrize("row", OTHER_ACCOUNTS, ids=[row.words for row in OTHER_ACCOUNTS])
def test_an_account_that_keys_are_not_of_is_told_from_other_reasons(
    row: OtherAccount,
):
    assert names_account(row.words) is row.is_about_account
    assert not row.is_about_account or other_account(row.words, "acme-us") == row.other
