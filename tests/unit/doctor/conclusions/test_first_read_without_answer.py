"""
What is said of the Address if no read of the list gets an answer, with the proxy that may have
replied (not after a 429). It is *Not proved*, unless a cause is sure; it rests on the reads of the
list, and a 429 or 503 shows nothing that stands before the service.

The status that came last decides: after a 429, tasks may be refused as well, and one is to wait
until its reset, or not at all for a limit of 5 a day; after a 5xx, a gateway may have replied,
until its time. Words and times of the last are quoted. Without a response, the cause of the last
read is said (no response in time: the network; a closed connection: scheme and port), unless
another read got a status.

It is wrong if a read was not sent (a refused connection) or does not trust the certificate,
whatever the other ended with; the first of these counts. It is wrong if a proxy refused the tunnel:
with 407 at last, it wants a login. If the doctor's time ran out at last, it is to be run again.
"""

from __future__ import annotations

import pytest

from support.doctor_addresses import (
    NOT_PROVED,
    STRANGE,
    WAITS,
    WRONG,
    Case,
    RestsOn,
    check_names_proxy,
    check_unexaminable,
)
from support.doctor_findings import (
    Said,
    ids,
    listed,
    lost,
    numbers_of,
    segment,
)
from support.doctor_replies import (
    evidence_of,
)
from wes_provider.doctor.conclusions.address_conclusions import (
    conclude_on_unexaminable,
    conclude_on_what_is_before,
)

LIMITED_OR_AWAY = [
    Case(
        "429",
        [listed(429)],
        Said(
            NOT_PROVED,
            "Nothing is settled, because the service replied 429 to the request. Tasks "
            "may be refused as well. Run this again later.",
        ),
        names_proxy=False,
    ),
    Case(
        "429 with words and a time",
        [listed(429, STRANGE, headers=WAITS)],
        Said(
            NOT_PROVED,
            "Nothing is settled, because the service replied 429 to the request (its "
            "limit resets at 08:00:30 UTC): 'Moon phase is unfavourable'. Tasks may be "
            "refused as well. Wait until 08:00:30 UTC, as its headers say, and run "
            "this again.",
        ),
        names_proxy=False,
    ),
    Case(
        "429 with a limit of 5 a day",
        [listed(429, STRANGE, headers={"ratelimit-policy": "5;w=86400"})],
        Said(
            NOT_PROVED,
            "Nothing is settled, because the service replied 429 to the request: 'Moon "
            "phase is unfavourable'. Tasks may be refused as well. 5 requests a day "
            "are too few for a wait, which reads each file dozens of times an hour, "
            "and for this command, which sends about 10 reads: to wait does not help. "
            "Ask the service's support for more.",
        ),
        names_proxy=False,
    ),
    Case(
        "503, then 429",
        [listed(503), listed(429)],
        Said(
            NOT_PROVED,
            "Nothing is settled, because 503, then 429 came to 2 requests. Tasks may "
            "be refused as well. Run this again later.",
        ),
        names_proxy=False,
    ),
    Case(
        "503",
        [listed(503)],
        Said(
            NOT_PROVED,
            "Nothing is settled, because the service replied 503 to the request. A "
            "gateway may have replied; wait, and run this again.",
        ),
    ),
    Case(
        "503 with words and a time",
        [listed(503, STRANGE, headers=WAITS)],
        Said(
            NOT_PROVED,
            "Nothing is settled, because the service replied 503 to the request: 'Moon "
            "phase is unfavourable'. A gateway may have replied; wait until 08:00:30 "
            "UTC, as its headers say, and run this again.",
        ),
    ),
    Case(
        "429, then 503",
        [listed(429), listed(503)],
        Said(
            NOT_PROVED,
            "Nothing is settled, because 429, then 503 came to 2 requests. A gateway "
            "may have replied; wait, and run this again.",
        ),
    ),
]


@pytest.mark.parametrize("row", LIMITED_OR_AWAY, ids=ids(LIMITED_OR_AWAY))
def test_the_status_that_came_last_decides_429_or_503(row: Case):
    check_unexaminable(row)


NO_RESPONSE = [
    Case(
        "no response",
        [lost()],
        Said(
            NOT_PROVED,
            "The request got no whole response (ReadTimeout). The service is reached, "
            "but sends nothing in time: it is slow, or something between swallows "
            "requests. Raise read_timeout, or check the network.",
        ),
    ),
    Case(
        "no response twice",
        [lost(), lost("ConnectionReset")],
        Said(
            NOT_PROVED,
            "None of 2 requests got a whole response (ConnectionReset). The port is "
            "reached, but the connection is closed without a response: check scheme "
            "and port, and what is between.",
        ),
    ),
    Case(
        "no response, then 500",
        [lost(), listed(500)],
        Said(
            NOT_PROVED,
            "Nothing is settled, because nothing whole, then 500 came to 2 requests. A "
            "gateway may have replied; wait, and run this again.",
        ),
    ),
    Case(
        "500, then no response",
        [listed(500), lost()],
        Said(
            NOT_PROVED,
            "Nothing is settled, because 500, then nothing whole came to 2 requests. A "
            "gateway may have replied; wait, and run this again.",
        ),
    ),
]


@pytest.mark.parametrize("row", NO_RESPONSE, ids=ids(NO_RESPONSE))
def test_the_cause_of_the_last_read_without_a_response_is_said_unless_another_read_got_one(
    row: Case,
):
    check_unexaminable(row)


NOT_REACHED = [
    Case(
        "no trust in the certificate, then no response",
        [lost("CertVerificationError"), lost()],
        Said(
            WRONG,
            "This machine does not trust the certificate. Set Verify TLS to the bundle "
            "of your company's proxy, or check the address and this machine's clock.",
        ),
    ),
    Case(
        "no response, then a refused connection",
        [lost(), lost("refused", unsent=True)],
        Said(
            WRONG,
            "The service was not reached: check scheme, host and port, and the network.",
        ),
    ),
    Case(
        "a refused connection, then no trust in the certificate",
        [lost("refused", unsent=True), lost("CertVerificationError")],
        Said(
            WRONG,
            "The service was not reached: check scheme, host and port, and the network.",
        ),
    ),
]


@pytest.mark.parametrize("row", NOT_REACHED, ids=ids(NOT_REACHED))
def test_a_cause_that_is_sure_counts_whatever_the_other_read_ended_with(row: Case):
    """Of two that are sure, the first one counts."""
    check_unexaminable(row)


TUNNELS = [
    Case(
        "a refused tunnel",
        [lost("the proxy of the environment refused the tunnel to the service: 407")],
        Said(
            WRONG,
            "The proxy wants a login: put username:password@, percent-encoded, before "
            "the host in its address. If it wants another kind of login, name the "
            "service's host in the variable no_proxy, if it can be reached without the "
            "proxy, or ask whoever runs the proxy for one with a username and password "
            "(Basic), or for a local helper that logs in.",
        ),
    ),
    Case(
        "no response, then a refused tunnel",
        [lost(), lost("the proxy of the environment refused the tunnel to the service: 407")],
        Said(
            WRONG,
            "The proxy wants a login: put username:password@, percent-encoded, before "
            "the host in its address. If it wants another kind of login, name the "
            "service's host in the variable no_proxy, if it can be reached without the "
            "proxy, or ask whoever runs the proxy for one with a username and password "
            "(Basic), or for a local helper that logs in.",
        ),
    ),
    Case(
        "a refused tunnel, then no response",
        [lost("the proxy of the environment refused the tunnel to the service: 407"), lost()],
        Said(
            WRONG,
            "The proxy refuses a tunnel to the service: ask whoever runs it to let "
            "this machine through.",
        ),
    ),
]


@pytest.mark.parametrize("row", TUNNELS, ids=ids(TUNNELS))
def test_a_tunnel_that_is_refused_last_with_407_wants_a_login(row: Case):
    check_unexaminable(row)


OUT_OF_TIME = [
    Case(
        "time that ran out",
        [lost(ran_out=True, took=7.4)],
        Said(NOT_PROVED, "No response came in 7 s, less than read_timeout. Run this again later."),
    ),
    Case(
        "no response, then time that ran out",
        [lost(took=3.0), lost(ran_out=True, took=7.6)],
        Said(NOT_PROVED, "No response came in 8 s, less than read_timeout. Run this again later."),
    ),
    Case(
        "time that ran out, then no response",
        [lost(ran_out=True, took=7.6), lost()],
        Said(
            NOT_PROVED,
            "None of 2 requests got a whole response (ReadTimeout). The service is "
            "reached, but sends nothing in time: it is slow, or something between "
            "swallows requests. Raise read_timeout, or check the network.",
        ),
    ),
]


@pytest.mark.parametrize("row", OUT_OF_TIME, ids=ids(OUT_OF_TIME))
def test_a_read_that_ran_out_of_the_doctors_time_last_is_to_be_repeated(row: Case):
    check_unexaminable(row)


ALL = [*LIMITED_OR_AWAY, *NO_RESPONSE, *NOT_REACHED, *TUNNELS, *OUT_OF_TIME]


@pytest.mark.parametrize("row", ALL, ids=ids(ALL))
def test_the_proxy_that_may_have_replied_is_named(row: Case):
    check_names_proxy(row, conclude_on_unexaminable)


@pytest.mark.parametrize("row", LIMITED_OR_AWAY, ids=ids(LIMITED_OR_AWAY))
def test_such_a_first_read_shows_nothing_that_stands_before_the_service(row: Case):
    assert conclude_on_what_is_before(row.evidence) is None


RESTS_ON = [
    RestsOn(
        "reads without a response",
        [lost(), lost(), segment(500)],
        [0, 1],
    ),
    RestsOn(
        "reads that ran out of time",
        [lost(), lost(ran_out=True), segment(500)],
        [0, 1],
    ),
    RestsOn(
        "refused tunnels",
        [
            lost(),
            lost("the proxy of the environment refused the tunnel to the service: 407"),
            segment(500),
        ],
        [0, 1],
    ),
]


@pytest.mark.parametrize("row", RESTS_ON, ids=ids(RESTS_ON))
def test_a_finding_about_the_first_read_names_its_reads_in_this_order(row: RestsOn):
    finding = conclude_on_unexaminable(evidence_of(*row.probes, settings=row.settings))
    assert numbers_of(finding, row.probes) == row.numbers
