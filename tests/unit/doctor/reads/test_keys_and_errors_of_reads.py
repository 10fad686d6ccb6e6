"""
The list is read with its own key, with the data key if keys are swapped, or with a made-up one. A
request did not leave if the configuration is wrong or there is no connection; one whose response
broke off may be done. If the service has codes of errors, replies that came before are read again
by them: a 200 with another code than that of a success is an error.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_replies import SETTINGS, changed, reply, request_for
from support.doctor_service import Account
from support.servers import replying
from wes_provider.doctor.reads.evidence import list_at
from wes_provider.doctor.reads.sending import Ask, Reader, Sender
from wes_provider.doctor.replies.codes import CodeMember
from wes_provider.doctor.replies.probes import Keys, Question
from wes_provider.exceptions import (
    WesConfigurationError,
    WesConnectionError,
    WesError,
    WesUnknownOutcomeError,
)


def test_replies_are_read_again_by_the_codes_of_the_service():
    sender = Sender(SETTINGS)
    sender.probes = [reply(200, {"rc": 7}), reply(200, {"rc": 0})]
    before = (*sender.probes[::-1],)
    codes = CodeMember("rc", frozenset("0"))
    assert Reader(sender).read_by(codes, before) == before
    assert [probe.codes for probe in sender.probes] == [codes, codes]
    assert [probe.has_error for probe in sender.probes] == [True, False]


class Failed(NamedTuple):
    """An error of a request, and whether it did not reach the service."""

    error: WesError
    unsent: bool


FAILED = [
    Failed(WesConfigurationError("The CA bundle does not exist"), unsent=True),
    Failed(WesConnectionError("refused"), unsent=True),
    Failed(WesUnknownOutcomeError("The response broke off"), unsent=False),
]


@pytest.mark.parametrize("row", FAILED, ids=[type(row.error).__name__ for row in FAILED])
def test_a_request_that_did_not_leave_is_not_one_that_may_be_done(
    row: Failed, monkeypatch: pytest.MonkeyPatch
):
    def fails(*_: object) -> None:
        raise row.error

    monkeypatch.setattr("wes_provider.doctor.reads.sending.WesClient.send", fails)
    sender = Sender(SETTINGS, str)
    assert sender.send(Question.LIST, Ask(request_for(Question.LIST))).unsent is row.unsent


class Sent(NamedTuple):
    """With which keys a read is asked for, and which key the list is read with then."""

    keys: Keys
    key: str


SENT = [
    Sent(Keys.OWN, "campaign"),
    Sent(Keys.SWAPPED, "data"),
    Sent(Keys.MADE_UP, "unknown"),
]


@pytest.mark.parametrize("row", SENT, ids=[row.keys.value for row in SENT])
def test_the_list_is_read_with_its_own_the_data_key_or_a_made_up_one(row: Sent):
    account = Account()
    with replying(account) as url:
        settings = changed(base_url=url)
        request = list_at(settings, settings.coupon_files_path, "spring")
        Sender(settings).send(Question.LIST, Ask(request, row.keys))
    assert [call.key for call in account.calls] == [row.key]
