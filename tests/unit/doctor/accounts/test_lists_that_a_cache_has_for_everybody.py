"""
A cache that has the list for any key, while the service checks keys at other paths: the Address is
not *sure*, and keys are compared at one file. If the own key is refused there as a made-up one is, it
is *wrong*, whatever the cache sends; if it gets the file, it is *sure*. If a made-up key gets
everything that the own ones get, no write is advised to prove a key.
"""

from __future__ import annotations

from support.doctor_service import (
    FILES_PATH,
    UNAUTHENTICATED,
    Account,
    Call,
    about,
    check_says,
    check_what_holds_of_each_report,
    examined_account,
    json_reply,
    not_found,
    record,
)
from support.servers import Reply
from wes_provider.doctor.findings.finding import Certainty, Topic

FILES = [record("f1"), record("f2", "FAILED", error="no header")]


def cached(call: Call) -> Reply | None:
    """The list for any key, from a cache; all else as a healthy account."""
    if call.path == FILES_PATH:
        return json_reply(200, FILES, Age="1501", **{"Cache-Control": "max-age=3600"})
    return None


def cached_for_revoked_key(call: Call) -> Reply | None:
    """The same, but the service does not know the campaign key."""
    if call.path != FILES_PATH and call.key == "campaign":
        return json_reply(401, UNAUTHENTICATED)
    return cached(call)


def unchecked(call: Call) -> Reply:
    """Any key gets all."""
    if call.path == FILES_PATH:
        return json_reply(200, FILES)
    if call.path == f"{FILES_PATH}/f1":
        return json_reply(200, FILES[0])
    return not_found("it")


def test_a_key_that_is_refused_wherever_no_cache_replies_is_wrong():
    report = examined_account(Account(cached_for_revoked_key))
    check_what_holds_of_each_report(report)
    check_says(
        report.verdict,
        ("Not ready: Campaign API key. Refused twice, though the Data API key is accepted",),
    )
    check_says(
        about(report, Topic.ADDRESS).text,
        ("A cache replies in the service's place", "and keys are perhaps not checked"),
    )
    check_says(about(report, Topic.FILE_PATH).text, ("settle the Campaign API key first",))
    assert about(report, Topic.LIST_PATH).certainty is Certainty.NOT_SHOWN


def test_a_key_that_gets_one_file_that_a_made_up_one_does_not_get_is_sure():
    report = examined_account(Account(cached))
    check_what_holds_of_each_report(report)
    assert report.verdict.startswith("Not proved: Address. A cache replies in the service's place")
    assert about(report, Topic.CAMPAIGN_KEY).certainty is Certainty.SURE
    assert about(report, Topic.LIST_PATH).certainty is Certainty.SURE


def test_no_write_is_advised_to_prove_a_key_where_no_keys_are_checked():
    report = examined_account(Account(unchecked))
    check_what_holds_of_each_report(report)
    for topic in (Topic.CAMPAIGN_KEY, Topic.DATA_KEY):
        check_says(
            about(report, topic).text,
            ("No reply shows whether it is accepted", "a gateway may not check keys"),
        )
        assert "--upload" not in about(report, topic).text
        assert "--segment" not in about(report, topic).text
