"""
If a service refuses a made-up key with status 200, an empty list and words beside it, such as
meta.rc "error", ret 17 or outcome "denied" where a success has "ok", 0 or "done", the segment's
finding says that reads of lists take a refusal for an empty list, and the campaign key is *sure*.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_service import (
    Account,
    Call,
    about,
    examined_account,
    json_reply,
)
from support.servers import Reply
from wes_provider.doctor.findings.finding import Certainty, Topic


class Refusal(NamedTuple):
    """How a service of errors with 200 calls a success and a refusal."""

    fine: dict[str, object]
    refused: dict[str, object]


REFUSALS = [
    Refusal({"meta": {"rc": "ok"}}, {"meta": {"rc": "error", "msg": "LoginRequired"}}),
    Refusal({"ret": 0}, {"ret": 17, "info": "unknown key"}),
    Refusal({"outcome": "done"}, {"outcome": "denied", "reason": "unknown key"}),
]


@pytest.mark.parametrize("refusal", REFUSALS, ids=[str(row.refused) for row in REFUSALS])
def test_a_refusal_with_200_and_an_empty_list_is_said_to_be_taken_for_one(refusal: Refusal):
    def replies(call: Call) -> Reply | None:
        if call.key == "unknown":
            return json_reply(200, {**refusal.refused, "data": []})
        return None

    account = Account(replies, list_body=lambda records: {**refusal.fine, "data": records})

    report = examined_account(account)

    segment = about(report, Topic.SEGMENT)
    assert "The read of a list takes one for an empty list" in segment.text
    assert "Reads of lists notice them" not in segment.text
    assert about(report, Topic.CAMPAIGN_KEY).certainty is Certainty.SURE
