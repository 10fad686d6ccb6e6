"""
What is said of a campaign key if no read of the list gets an answer: it is *Not proved*, with the
reason why and the words of the last read.

After a 429 as the last read, the command is to be run again later, or after the limit if it lasts
for an hour (3600 s) or more, by Retry-After or a header of a reset, the longer one. A 503 that
names two hours is only to be read again later; after no response, the network or read_timeout is to
be checked; a failure with words of a retired version has that advice. A 403 about an account or a
quota is about no key, and leads to Account or Rate limits.

If the list fails while another read gets an answer, reads of lists alone may fail, or this list
alone if a list that does not exist gets an answer; what that got first counts, and if it is
refused, this is only said. If the last response was cut off, that is said, too.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import (
    Said,
    ids,
    listed,
    lost,
    made_up_list,
    nowhere,
)
from support.doctor_keys import (
    NOT_PROVED,
    Case,
    check_campaign_key,
)
from support.doctor_replies import (
    error_body,
)
from wes_provider.client.failures import INCOMPLETE
from wes_provider.doctor.replies.probes import Question

TIME_RAN_OUT = {Question.LIST: "the time ran out"}
LIMITED = [
    Case(
        "a limit",
        [listed(429)],
        Said(NOT_PROVED, "Not settled, because the time ran out. Run this again later."),
        not_asked=TIME_RAN_OUT,
    ),
    Case(
        "a limit with words",
        [listed(429, error_body("", "Slow down."))],
        Said(
            NOT_PROVED, "Not settled, because the time ran out: 'Slow down'. Run this again later."
        ),
        not_asked=TIME_RAN_OUT,
    ),
    Case(
        "a limit of an hour",
        [listed(429, headers={"retry-after": "3600"})],
        Said(
            NOT_PROVED,
            "Not settled, because the time ran out. Wait until then, or ask the "
            "service's support for more, and run this again.",
        ),
        not_asked=TIME_RAN_OUT,
    ),
    Case(
        "a limit of less than an hour",
        [listed(429, headers={"retry-after": "3599"})],
        Said(NOT_PROVED, "Not settled, because the time ran out. Run this again later."),
        not_asked=TIME_RAN_OUT,
    ),
    Case(
        "a limit of two hours, by Retry-After",
        [listed(429, headers={"retry-after": "7200"})],
        Said(
            NOT_PROVED,
            "Not settled, because the time ran out. Wait until then, or ask the "
            "service's support for more, and run this again.",
        ),
        not_asked=TIME_RAN_OUT,
    ),
    Case(
        "a limit of two hours, by another header, and of seconds by Retry-After",
        [listed(429, headers={"x-quota-reset": "7200", "retry-after": "5"})],
        Said(
            NOT_PROVED,
            "Not settled, because the time ran out. Wait until then, or ask the "
            "service's support for more, and run this again.",
        ),
        not_asked=TIME_RAN_OUT,
    ),
    Case(
        "a limit of two hours, by Retry-After, and of seconds by another header",
        [listed(429, headers={"x-quota-reset": "5", "retry-after": "7200"})],
        Said(
            NOT_PROVED,
            "Not settled, because the time ran out. Wait until then, or ask the "
            "service's support for more, and run this again.",
        ),
        not_asked=TIME_RAN_OUT,
    ),
    Case(
        "no reply, then a limit of two hours",
        [lost(), listed(429, headers={"retry-after": "7200"})],
        Said(
            NOT_PROVED,
            "Not settled, because the time ran out. Wait until then, or ask the "
            "service's support for more, and run this again.",
        ),
        not_asked=TIME_RAN_OUT,
    ),
]


@pytest.mark.parametrize("row", LIMITED, ids=ids(LIMITED))
def test_a_campaign_key_whose_last_read_gets_429_is_open_with_how_long_the_limit_lasts(row: Case):
    """
    The table has its words, its length (after an hour or more, the command is not just to be run
    again later), where its length stands, and another read before it.
    """
    check_campaign_key(row)


ABOUT_NO_KEY = [
    Case(
        "words that are about no key",
        [listed(403, error_body("", "Your IP is not on the allow-list."))],
        Said(
            NOT_PROVED,
            "Not judged, since 1 read with it got 403, which is about no key: see Account.",
        ),
    ),
    Case(
        "words of a quota",
        [listed(403, error_body("", "Daily limit reached."))],
        Said(
            NOT_PROVED,
            "Not judged, since 1 read with it got 403, which is about no key: see Rate limits.",
        ),
    ),
]


@pytest.mark.parametrize("row", ABOUT_NO_KEY, ids=ids(ABOUT_NO_KEY))
def test_a_campaign_key_is_open_if_its_read_gets_a_403_about_an_account_or_a_quota(row: Case):
    """A 403 about an account or a quota is said where it belongs."""
    check_campaign_key(row)


NO_ANSWER = [
    Case(
        "nothing was read",
        [],
        Said(NOT_PROVED, "Not settled, because other replies left it open. Run this again later."),
    ),
    Case(
        "nothing was read, and the time ran out",
        [],
        Said(NOT_PROVED, "Not settled, because the time ran out. Run this again later."),
        not_asked=TIME_RAN_OUT,
    ),
    Case(
        "nothing came",
        [lost()],
        Said(
            NOT_PROVED,
            "Not settled, because the time ran out. The service is reached, but sends nothing "
            "in time: it is slow, or something between swallows requests. Raise "
            "read_timeout, or check the network.",
        ),
        not_asked=TIME_RAN_OUT,
    ),
    Case(
        "503 that names two hours",
        [listed(503, headers={"retry-after": "7200"})],
        Said(NOT_PROVED, "Not settled, because the time ran out. Run this again later."),
        not_asked=TIME_RAN_OUT,
    ),
    Case(
        "a limit of two hours, then no reply",
        [listed(429, headers={"retry-after": "7200"}), lost()],
        Said(
            NOT_PROVED,
            "Not settled, because the time ran out. The service is reached, but sends "
            "nothing in time: it is slow, or something between swallows requests. "
            "Raise read_timeout, or check the network.",
        ),
        not_asked=TIME_RAN_OUT,
    ),
    Case(
        "a failure with words of a version",
        [listed(500, error_body("", "This version is retired."))],
        Said(
            NOT_PROVED,
            "Not settled, because the time ran out: 'This version is retired'. The provider sends "
            "to paths of that version, which no setting changes: ask the service's support for "
            "how long it stays, or for a newer provider. That concerns uploads and new catalogs; "
            "updates of segments go to another version.",
        ),
        not_asked=TIME_RAN_OUT,
    ),
]


@pytest.mark.parametrize("row", NO_ANSWER, ids=ids(NO_ANSWER))
def test_a_campaign_key_is_open_if_no_read_gets_an_answer(row: Case):
    """Nothing was read, nothing came, or the service failed."""
    check_campaign_key(row)


FAILS = {Question.LIST: "it failed"}
OTHER_READS = [
    Case(
        "others get answers",
        [listed(500), nowhere()],
        Said(
            NOT_PROVED,
            "Not settled, because it failed. Other reads get answers, so it may be "
            "reads of lists alone, and waiting may not help: name a list with fewer "
            "files, or ask the service's support.",
        ),
        not_asked=FAILS,
    ),
    Case(
        "others fail, too",
        [listed(500), nowhere(500)],
        Said(NOT_PROVED, "Not settled, because it failed. Run this again later."),
        not_asked=FAILS,
    ),
]


@pytest.mark.parametrize("row", OTHER_READS, ids=ids(OTHER_READS))
def test_a_failure_may_be_of_lists_alone_if_other_reads_get_answers(row: Case):
    check_campaign_key(row)


MADE_UP_LISTS = [
    Case(
        "a list that does not exist gets an answer",
        [listed(500), made_up_list()],
        Said(
            NOT_PROVED,
            "Not settled, because it failed. Other reads get answers, also one of a "
            "list that does not exist (404 not-found), so it may be this list alone, "
            "and waiting may not help: name a list with fewer files, or ask the "
            "service's support.",
        ),
        not_asked=FAILS,
    ),
    Case(
        "a list that does not exist gets an answer, then it is refused",
        [listed(500), nowhere(), made_up_list(), made_up_list(401)],
        Said(
            NOT_PROVED,
            "Not settled, because it failed. Other reads get answers, also one of a "
            "list that does not exist (404 not-found), so it may be this list alone, "
            "and waiting may not help: name a list with fewer files, or ask the "
            "service's support.",
        ),
        not_asked=FAILS,
    ),
    Case(
        "a list that does not exist is refused",
        [listed(500), nowhere(), made_up_list(401)],
        Said(
            NOT_PROVED,
            "Not settled, because it failed. Run this again later. Another list is "
            "refused (401 request-unauthenticated).",
        ),
        not_asked=FAILS,
    ),
    Case(
        "a list that does not exist is refused, then gets an answer",
        [listed(500), nowhere(), made_up_list(401), made_up_list()],
        Said(
            NOT_PROVED,
            "Not settled, because it failed. Run this again later. Another list is "
            "refused (401 request-unauthenticated).",
        ),
        not_asked=FAILS,
    ),
]


@pytest.mark.parametrize("row", MADE_UP_LISTS, ids=ids(MADE_UP_LISTS))
def test_a_failure_may_be_of_this_list_alone_if_one_that_does_not_exist_gets_an_answer_first(
    row: Case,
):
    check_campaign_key(row)


CUT_OFF = [
    Case(
        "cut off",
        [lost(f"{INCOMPLETE} 200: IncompleteRead"), nowhere()],
        Said(
            NOT_PROVED,
            "Not settled, because it failed. The service is reached, and the "
            "connection is closed before its response has ended, so something between "
            "cuts responses off, or the service fails while it replies: no timeout "
            "helps. Ask whoever runs what is between, or the service's support. Other "
            "reads get answers, so it may be reads of lists alone, and waiting may not "
            "help: name a list with fewer files, or ask the service's support.",
        ),
        not_asked=FAILS,
    ),
    Case(
        "cut off, then failed",
        [lost(f"{INCOMPLETE} 200: IncompleteRead"), listed(500), nowhere()],
        Said(
            NOT_PROVED,
            "Not settled, because it failed. Other reads get answers, so it may be "
            "reads of lists alone, and waiting may not help: name a list with fewer "
            "files, or ask the service's support.",
        ),
        not_asked=FAILS,
    ),
    Case(
        "failed, then cut off",
        [listed(500), lost(f"{INCOMPLETE} 200: IncompleteRead"), nowhere()],
        Said(
            NOT_PROVED,
            "Not settled, because it failed. The service is reached, and the "
            "connection is closed before its response has ended, so something between "
            "cuts responses off, or the service fails while it replies: no timeout "
            "helps. Ask whoever runs what is between, or the service's support. Other "
            "reads get answers, so it may be reads of lists alone, and waiting may not "
            "help: name a list with fewer files, or ask the service's support.",
        ),
        not_asked=FAILS,
    ),
]


@pytest.mark.parametrize("row", CUT_OFF, ids=ids(CUT_OFF))
def test_a_list_whose_last_response_is_cut_off_has_that_said(row: Case):
    check_campaign_key(row)


FAILURES_IN_WORDS = [
    Case(
        "with words",
        [listed(500, error_body("", "Boom.")), nowhere()],
        Said(
            NOT_PROVED,
            "Not settled, because it failed: 'Boom'. Other reads get answers, so it "
            "may be reads of lists alone, and waiting may not help: name a list with "
            "fewer files, or ask the service's support.",
        ),
        not_asked=FAILS,
    ),
    Case(
        "with words, and others the second time",
        [listed(500, error_body("", "Boom.")), listed(500, error_body("", "Bang.")), nowhere()],
        Said(
            NOT_PROVED,
            "Not settled, because it failed: 'Bang'. Other reads get answers, so it "
            "may be reads of lists alone, and waiting may not help: name a list with "
            "fewer files, or ask the service's support.",
        ),
        not_asked=FAILS,
    ),
]


@pytest.mark.parametrize("row", FAILURES_IN_WORDS, ids=ids(FAILURES_IN_WORDS))
def test_the_words_of_the_last_failure_of_the_list_are_quoted(row: Case):
    check_campaign_key(row)
