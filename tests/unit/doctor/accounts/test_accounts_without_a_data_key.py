"""
If the connection has no data key of its own, segments use the campaign key: the account is ready,
and the Data API key says that none is given.
"""

from __future__ import annotations

from support.doctor_service import (
    CAMPAIGN_KEY,
    Account,
    about,
    check_what_holds_of_each_report,
    examined_account,
)
from wes_provider.doctor.findings.finding import Topic


def test_without_a_data_key_segments_use_the_campaign_key():
    report = examined_account(Account(), extra={"data_api_key": CAMPAIGN_KEY})
    check_what_holds_of_each_report(report)
    assert report.works
    assert about(report, Topic.DATA_KEY).text == "None is given: segments use the Campaign API key."
