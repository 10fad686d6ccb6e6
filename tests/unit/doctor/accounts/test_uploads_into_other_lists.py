"""
If the record of an accepted file names another list than it was sent to, the account is not ready,
whether the list has the file or not: the verdict names the list, and says to upload nothing more.
"""

from __future__ import annotations

from typing import Any

import pytest

from support.doctor_service import Call
from support.doctor_uploads import Uploads
from support.servers import Reply


class OtherList(Uploads):
    """An account that makes the file in another list."""

    @property
    def file(self) -> dict[str, Any]:
        return {**super().file, "coupons_list_id": "spring-archive"}


class OtherListAlone(OtherList):
    """The same, and neither the list nor a path shows the file."""

    def answer(self, call: Call) -> Reply | None:
        if call.method == "GET":
            return None
        return super().answer(call)


@pytest.mark.parametrize("account", [OtherList, OtherListAlone], ids=["listed", "not listed"])
def test_a_file_in_another_list_is_said_first(account: type[Uploads]):
    report = account().examine()
    assert report.verdict.startswith(
        "Not proved: Upload. Accepted as coupon file up, but its record names the list "
        "spring-archive, and it was sent to spring: "
    )
    assert report.verdict.endswith("Upload nothing before that.")
