"""
If a quota refuses each read after the list, the row of the address says that a read got the list's
files, and why nothing was compared with that; not that no reply shows the service. If a made-up key
or another path was compared, that decides. The verdict says until when to wait, and of no other row
that it rests on the reads before if it is open.
"""

from __future__ import annotations

from support.doctor_findings import FILES, Said, listed, made_up, nowhere, segment
from support.doctor_replies import evidence_of
from support.doctor_service import FILES_PATH, Account, Call, about, examined_account, json_reply
from support.servers import Reply
from wes_provider.doctor.conclusions.address_conclusions import conclude_on_address
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.replies.probes import Probe, Question

OUT_OF_QUOTA = {
    "statusCode": 403,
    "message": "Out of call volume quota. Quota will be replenished in 03:12:45.",
}
REFUSED = "the service replied 403 to each of 2 requests"
NOT_SHOWN = {Question.NO_SUCH_PATH: REFUSED}
WHO = (
    "It responds, but no reply shows that it is the service. Check the address, and whether a "
    "proxy, a gateway or a login page replied in the service's place."
)


def address(*probes: Probe, not_asked: dict[Question, str] = NOT_SHOWN) -> Said:
    return Said.of(conclude_on_address(evidence_of(*probes, not_asked=not_asked)))


def test_a_list_that_came_before_the_quota_was_used_up_is_named_by_the_address():
    said = address(listed(200, FILES), segment(403, OUT_OF_QUOTA), nowhere(403, OUT_OF_QUOTA))
    assert said == Said(
        Certainty.NOT_PROVED,
        "It responds, and a read got the list's files. That it is the service was not confirmed by "
        f"another path, because {REFUSED}. See Rate limits.",
    )


def test_a_list_that_came_before_replies_were_lost_is_named_by_the_address():
    said = address(listed(200, FILES), nowhere(503), nowhere(503))
    assert said == Said(
        Certainty.NOT_PROVED,
        "It responds, and a read got the list's files. That it is the service was not confirmed by "
        f"another path, because {REFUSED}. Run this again later.",
    )


def test_a_list_that_a_made_up_key_or_another_path_gets_shows_no_service():
    with_made_up_key = address(listed(200, FILES), made_up(200, FILES), nowhere(403, OUT_OF_QUOTA))
    at_another_path = address(listed(200, FILES), nowhere(200, FILES), segment(403, OUT_OF_QUOTA))
    assert with_made_up_key == at_another_path == Said(Certainty.NOT_PROVED, WHO)


def test_a_list_without_files_shows_no_service():
    said = address(listed(200, []), segment(403, OUT_OF_QUOTA), nowhere(403, OUT_OF_QUOTA))
    assert said == Said(Certainty.NOT_PROVED, WHO)


def test_the_verdict_on_a_quota_says_until_when_to_wait_and_contradicts_no_row():
    def replies(call: Call) -> Reply | None:
        if call.number > 3:
            return json_reply(403, OUT_OF_QUOTA)
        if call.path == FILES_PATH:
            return None
        return json_reply(401, {"statusCode": 401, "message": "Access denied due to invalid key."})

    report = examined_account(Account(replies))
    assert report.verdict.startswith("Not proved: Rate limits. Since ")
    assert " UTC, as it says, or ask the service's support for more" in report.verdict
    assert report.verdict.endswith("The other rows rest on the reads before, or are open.")
    assert "a read got the list's files" in about(report, Topic.ADDRESS).text
