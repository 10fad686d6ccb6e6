"""
The service, or something before it, is reached if a read of the list got a response that began, a
status of 500 or above, or words that say why it settles nothing, such as a maintenance, or if the
doctor's own time cut it off; a limit (429) and other reads do not count. The list fails alone if each
read of it gets a 500 or above, is cut off after it began, or by the doctor's own time, and another
read with an own key gets an answer. A limit for one of its reads, a response that is too slow for the
connection's read_timeout, and one that was closed before it began are no such failures; a made-up
key's answer does not count.

If all reads with the campaign key fail in the same way, also one of a path that does not exist, and
the data key gets answers, the list does not fail alone: wait until the moment that is named.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import (
    ids,
    listed,
    lost,
    made_up,
    made_up_list,
    nowhere,
    segment,
)
from support.doctor_replies import (
    error_body,
    evidence_of,
)
from wes_provider.client.failures import INCOMPLETE
from wes_provider.doctor.conclusions.failing_lists import failing_key_says
from wes_provider.doctor.conclusions.kept_back import why_not_sent
from wes_provider.doctor.reads import facts
from wes_provider.doctor.replies.probes import Probe


class Shown(NamedTuple):
    """Replies, and whether they show something."""

    name: str
    probes: Sequence[Probe]
    holds: bool


def too_slow(**more: Any) -> Probe:
    """A read of the list that the doctor's own time cut off."""
    return lost("no response: TimeoutError", ran_out=True, **more)


MAINTENANCE = error_body("", "Maintenance until 22:00")
REACHED = [
    Shown("nothing", [], holds=False),
    Shown("nothing came", [lost()], holds=False),
    Shown("a response began", [lost(f"{INCOMPLETE}: 3 bytes")], holds=True),
    Shown("another problem, with these words in it", [lost(f"x {INCOMPLETE}")], holds=False),
    Shown("a response took longer than the doctor's time", [too_slow()], holds=True),
    Shown("nothing was reached in the doctor's time", [too_slow(unsent=True)], holds=False),
    Shown("500", [listed(500)], holds=True),
    Shown("599", [listed(599)], holds=True),
    Shown("a limit", [listed(429)], holds=False),
    Shown("words of a maintenance", [listed(403, MAINTENANCE)], holds=True),
    Shown("no reply, then 502", [lost(), listed(502)], holds=True),
    Shown("no reply, and 500 at another path", [lost(), nowhere(500)], holds=False),
]


@pytest.mark.parametrize("row", REACHED, ids=ids(REACHED))
def test_something_is_reached_if_a_response_began_failed_or_says_why_it_settles_nothing(row: Shown):
    assert facts.is_reached(evidence_of(*row.probes)) is row.holds


CUT_OFF = lost(f"{INCOMPLETE} 200: IncompleteRead")
FAILING = [
    Shown("nothing", [], holds=False),
    Shown("nothing else was read", [listed(500)], holds=False),
    Shown("others reply", [listed(500), nowhere()], holds=True),
    Shown(
        "one of two failed, and one got a limit", [listed(500), listed(429), nowhere()], holds=False
    ),
    Shown("both failed", [listed(500), listed(502), nowhere()], holds=True),
    Shown("others fail, too", [listed(500), nowhere(503)], holds=False),
    Shown("only a made-up key gets a reply", [listed(500), made_up(401)], holds=False),
    Shown("one of two others gets a reply", [listed(500), nowhere(503), segment()], holds=True),
    Shown("cut off, and others reply", [CUT_OFF, nowhere()], holds=True),
    Shown(
        "one of two is cut off, and one got a limit", [CUT_OFF, listed(429), nowhere()], holds=False
    ),
    Shown("slower than the doctor's time, and others reply", [too_slow(), nowhere()], holds=True),
    Shown("slower than the doctor's time, as others", [too_slow(), nowhere(504)], holds=False),
    Shown(
        "slower than the connection's time, and others reply",
        [lost("no response: TimeoutError"), nowhere()],
        holds=False,
    ),
    Shown("begun, but too slow", [lost(f"{INCOMPLETE} 200: ReadTimeout"), nowhere()], holds=False),
    Shown("closed before it began", [lost("RemoteDisconnected"), nowhere()], holds=False),
]


@pytest.mark.parametrize("row", FAILING, ids=ids(FAILING))
def test_the_list_fails_alone_if_each_read_of_it_fails_and_another_with_an_own_key_gets_an_answer(
    row: Shown,
):
    assert facts.is_list_failing_alone(evidence_of(*row.probes)) is row.holds


ALIKE = error_body("unavailable", "Brownout until 16:30 UTC")
ALL_FAIL = [
    Shown("nothing", [], holds=False),
    Shown("the list alone", [listed(503, ALIKE), nowhere(404), segment()], holds=False),
    Shown("no other path was read", [listed(503, ALIKE), segment()], holds=False),
    Shown(
        "a path that does not exist, too",
        [listed(503, ALIKE), nowhere(503, ALIKE), segment()],
        holds=True,
    ),
    Shown(
        "and another list",
        [listed(503, ALIKE), nowhere(503, ALIKE), made_up_list(503, ALIKE), segment()],
        holds=True,
    ),
    Shown(
        "but another list is answered",
        [listed(503, ALIKE), nowhere(503, ALIKE), made_up_list(404), segment()],
        holds=False,
    ),
    Shown(
        "in other words",
        [listed(503, ALIKE), nowhere(503, error_body("x", "Upstream"))],
        holds=False,
    ),
    Shown("with another status", [listed(503, ALIKE), nowhere(502, ALIKE), segment()], holds=False),
    Shown(
        "with the data key, too",
        [listed(503, ALIKE), nowhere(503, ALIKE), segment(503, ALIKE)],
        holds=False,
    ),
    Shown("refusals", [listed(403, ALIKE), nowhere(403, ALIKE), segment()], holds=False),
]


@pytest.mark.parametrize("row", ALL_FAIL, ids=ids(ALL_FAIL))
def test_all_reads_with_the_campaign_key_that_fail_alike_are_about_no_list(row: Shown):
    evidence = evidence_of(*row.probes)
    assert bool(facts.reads_failing_alike(evidence)) is row.holds
    says = failing_key_says(evidence, "Campaign API key")
    assert bool(says) is row.holds
    if row.holds:
        assert not facts.is_list_failing_alone(evidence)
        assert says.endswith("not lists alone: wait until 16:30 UTC, and run this again.")
        assert why_not_sent(evidence)
