"""
An interim response (status 100 to 199), such as 103 Early Hints: the response itself follows, and the
provider does not read it. It is no answer of the service. If the reads of the list get one, the Address is
*not proved*, whoever replied is to be asked to send none, and nothing more is read or written.
"""

from __future__ import annotations

import pytest

from support.doctor_replies import reply
from support.doctor_service import Account, about, check_what_holds_of_each_report, examined_account
from support.servers import Reply
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.replies.probes import Kind


@pytest.mark.parametrize("status", [100, 103, 199])
def test_an_interim_response_is_none_of_the_service(status: int):
    assert reply(status, b"").kind is Kind.NOT_SERVICE


@pytest.mark.parametrize("status", [200, 204])
def test_a_success_without_a_body_is_an_answer(status: int):
    assert reply(status, b"").kind is Kind.ANSWER


def test_interim_responses_to_the_list_end_the_examination():
    account = Account(lambda _: Reply(103, b"", {"Link": "</a.css>; rel=preload"}))
    report = examined_account(account, file_url="https://files.example.com/a.csv")
    check_what_holds_of_each_report(report)
    finding = about(report, Topic.ADDRESS)
    assert finding.certainty is Certainty.NOT_PROVED
    assert finding.text.startswith(
        "An interim response came with status 103, after which the response itself follows, which "
        "the provider does not read. The Address may be right, and no key was judged: ask whoever"
    )
    assert (report.reads, report.writes) == (2, 0)
