"""
If the read of the list fails (a 5xx, or a response that is cut off), but other reads get answers,
also one of a list that does not exist, this list alone may fail: the verdict says to name a list
with fewer files, and does not advise to wait. A gateway that says that the reply is too big for it
is named as the cause. The path is *Not proved*; the key is compared with a made-up one at the other
list, and known if only the made-up one is refused. If the reads of all lists fail, and those of
segments do not, it may be reads of lists alone.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    FILES_PATH,
    Account,
    examined_account,
)
from support.doctor_verdicts import (
    Case,
    check,
    failing_list,
)
from support.servers import Reply
from wes_provider.doctor.findings.finding import Certainty, Topic

FAILING = [
    Case(
        "a list that times out, while another does not",
        failing_list(504),
        (
            "Not proved: Path of the list's files. Not settled, because the service replied 504",
            "Other reads get answers, also one of a list that does not exist (404 not-found)",
            "so it may be this list alone, and waiting may not help: name a list with fewer",
        ),
        ("A gateway may have replied; wait",),
    ),
    *(
        Case(
            f"a list that is too big for a gateway: {words}",
            failing_list(status, words),
            (
                "Not proved: Path of the list's files. Not settled, because the service replied",
                f"'{words}'. Other reads get answers, also one of a list that does not exist",
                "so the reply with this list has more bytes than what is before the service lets "
                "through, and waiting does not help: ask whoever runs it for a higher limit",
            ),
            ("may not help", "run this again later"),
        )
        for status, words in (
            (502, "Body buffer overflow"),
            (502, "Response payload size exceeded maximum allowed payload size (6291556 bytes)"),
            (500, "The response is too large"),
            (502, "upstream sent too big header"),
        )
    ),
    Case(
        "a list that takes too long for a gateway",
        failing_list(504, "Response time exceeded the limit of 30 s"),
        ("'Response time exceeded the limit of 30 s'", "so it may be this list alone"),
        ("more bytes",),
    ),
    Case(
        "a list that is cut off, while shorter replies are not",
        lambda: Account(
            lambda call: (
                Reply(200, b'[{"_id": "f0"}]', is_cut_off=True)
                if call.path == FILES_PATH and call.key == "campaign"
                else None
            )
        ),
        (
            "(incomplete response 200: IncompleteRead: 7 of 15 bytes came). The service is reached",
            "so something between cuts responses off, or the service fails while it replies",
            "Other reads get answers, also one of a list that does not exist (404 not-found)",
            "name a list with fewer files",
        ),
        ("read_timeout",),
    ),
    Case(
        "lists that fail, while segments do not",
        failing_list(500, of_all_lists=True),
        ("the service replied 500", "so it may be reads of lists alone"),
    ),
]


def test_a_key_is_judged_at_another_list_if_only_one_list_fails():
    report = examined_account(failing_list(504)())
    (key,) = [finding for finding in report.findings if finding.topic is Topic.CAMPAIGN_KEY]
    assert (key.certainty, key.text) == (
        Certainty.NOT_SHOWN,
        "Known: a made-up key is refused. But no read with it got a list or a file, so whether it "
        "may read coupons is not shown.",
    )


def test_an_account_whose_list_was_not_read_is_not_ready():
    assert not examined_account(failing_list(504)()).works


@pytest.mark.parametrize("case", FAILING, ids=ids(FAILING))
def test_a_list_that_fails_while_other_reads_get_answers_may_fail_alone(case: Case):
    check(case)
