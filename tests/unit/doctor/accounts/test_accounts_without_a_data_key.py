"""
No data key of its own is one that is not given, empty, null, or the campaign key. Then nothing is
asked for segments: the account is ready by the reads of coupons alone, and the Data API key says,
*Sure*, that none is given. An update of a segment is sent with the campaign key; if that is
refused, the Data API key is *Wrong*, and the account is not ready.
"""

from __future__ import annotations

from typing import Any

import pytest

from support.doctor_service import (
    CAMPAIGN_KEY,
    UNAUTHENTICATED,
    Account,
    Call,
    about,
    check_what_holds_of_each_report,
    examined_account,
    json_reply,
)
from support.servers import Reply
from wes_provider.doctor.findings.finding import Certainty, Topic

NONE_GIVEN: dict[str, Any] = {
    "empty": "",
    "null": None,
    "the campaign key": CAMPAIGN_KEY,
}


def update_taken_of(key: str):
    def replies(call: Call) -> Reply | None:
        if not call.path.startswith("/v3/"):
            return None
        return json_reply(200, {}) if call.key == key else json_reply(401, UNAUTHENTICATED)

    return replies


@pytest.mark.parametrize("key", NONE_GIVEN.values(), ids=NONE_GIVEN)
def test_without_a_data_key_of_its_own_nothing_is_asked_for_segments(key: Any):
    account = Account()
    report = examined_account(account, extra={"data_api_key": key})
    check_what_holds_of_each_report(report)
    assert report.works
    finding = about(report, Topic.DATA_KEY)
    assert finding.text == "None is given: segments use the Campaign API key."
    assert finding.certainty is Certainty.SURE
    assert [call for call in account.calls if call.path.startswith("/v3/")] == []


@pytest.mark.parametrize("key", NONE_GIVEN.values(), ids=NONE_GIVEN)
def test_an_update_is_sent_with_the_campaign_key(key: Any):
    account = Account(update_taken_of("campaign"))
    report = examined_account(
        account, extra={"data_api_key": key}, segment_id="s", updated_by="a@example.com"
    )
    assert report.works
    assert {call.key for call in account.calls if call.path.startswith("/v3/")} == {"campaign"}


def test_an_update_that_refuses_the_campaign_key_is_wrong():
    report = examined_account(
        Account(update_taken_of("data")),
        extra={"data_api_key": CAMPAIGN_KEY},
        segment_id="s",
        updated_by="a@example.com",
    )
    finding = about(report, Topic.DATA_KEY)
    assert (finding.certainty, report.works) == (Certainty.WRONG, False)
    assert finding.text.startswith("Refused for an update (401 request-unauthenticated)")
