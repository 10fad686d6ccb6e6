"""
If the read of the list fails (a 5xx, or a response that is cut off), but other reads get answers,
also one of a list that does not exist, this list alone may fail: the verdict says to name a list
with fewer files, and does not advise to wait. If the reads of all lists fail, and those of segments
do not, it may be reads of lists alone.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    FILES_PATH,
    Account,
)
from support.doctor_verdicts import (
    Case,
    check,
    failing_list,
)
from support.servers import Reply

FAILING = [
    Case(
        "a list that times out, while another does not",
        failing_list(504, of_all_lists=False),
        (
            "Not proved: Campaign API key. Not settled, because the service replied 504",
            "Other reads get answers, also one of a list that does not exist (404 not-found)",
            "so it may be this list alone, and waiting may not help: name a list with fewer",
        ),
        ("A gateway may have replied; wait",),
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


@pytest.mark.parametrize("case", FAILING, ids=ids(FAILING))
def test_a_list_that_fails_while_other_reads_get_answers_may_fail_alone(case: Case):
    check(case)
