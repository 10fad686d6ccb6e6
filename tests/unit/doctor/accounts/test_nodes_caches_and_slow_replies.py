"""
If every other reply is a 504, the Address is *Not proved*: it is said how many replies failed, that
one of several nodes may fail, and to change no setting. If replies have an Age above 0, or an
X-Cache that says HIT, the Address is *Not proved*, since a cache replies, and tasks may read an old
status. If replies are so slow that the doctor's time (4 s here) runs out, the Address is *Not
proved*, with the longest time: that is no lockout because of the made-up key, and no read is cut
off by the end of the time.
"""

from __future__ import annotations

import time

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    Account,
    Call,
    examined_account,
    page_reply,
)
from support.doctor_verdicts import Case, announcing, check
from wes_provider.doctor.reads import sending

AT_TIMES = [
    Case(
        "one of two nodes that fails",
        lambda: Account(
            lambda call: (
                page_reply(504, "<title>Gateway Time-out</title>") if call.number % 2 == 0 else None
            )
        ),
        (
            "Not proved: Address. It responds, but 6 of 12 replies were 504",
            "one of several nodes",
            "Change no setting",
        ),
    ),
    Case(
        "a cache that replies in the service's place",
        announcing(Age="1800"),
        ("Not proved: Address. A cache replies", "Age: 1800", "an old status"),
    ),
    Case(
        "a cache that says hit",
        announcing(X_Cache="HIT from edge"),
        ("Not proved: Address. A cache replies", "x-cache: HIT from edge", "an old status"),
    ),
]


@pytest.mark.parametrize("row", AT_TIMES, ids=ids(AT_TIMES))
def test_the_address_is_not_proved_if_half_of_the_replies_fail_or_a_cache_sends_them(row: Case):
    check(row)


@pytest.mark.weekly(
    "takes three seconds, and test_time_that_runs_out.py is about slow replies, too"
)
def test_a_slow_service_is_called_slow_and_no_lockout(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sending, "LONGEST", 4.0)
    monkeypatch.setattr(sending, "SLOW", 0.3)
    monkeypatch.setattr(sending, "LEFT_FOR_RESPONSE", 0.1)

    def replies(_: Call) -> None:
        time.sleep(0.55)

    report = examined_account(Account(replies))
    assert report.verdict.startswith("Not proved: Address. It responds, but replies took up to 1 s")
    assert "made-up key came just before" not in report.to_json()
    assert not any(probe.ran_out for finding in report.findings for probe in finding.probes)
