"""What is said of a campaign API key that replies leave open: no comparison shows it, replies
contradict each other, or reads bring no answer.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import (
    FILES,
    PAGE,
    UNAUTHENTICATED,
    Said,
    again,
    ids,
    listed,
    lost,
    made_up,
    made_up_list,
    nowhere,
    one_file,
    redirected,
)
from support.doctor_keys import (
    LIST_ACCEPTED_TWICE,
    NOT_ASKED,
    NOT_PROVED,
    OTHER_CODE,
    OTHER_CODE_OTHERWISE,
    Case,
    check_campaign_key,
    listed_twice,
)
from support.doctor_replies import (
    MOMENT,
    error,
    request_for,
)
from support.doctor_service import record
from wes_provider.client.failures import INCOMPLETE
from wes_provider.doctor.probes import Question

READ_OF_ESCAPED_LIST = request_for(Question.LIST, list_id="spring/sale")
NOT_COMPARED = [
    Case(
        "no made-up key",
        LIST_ACCEPTED_TWICE,
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: a made-up key was not compared, "
            "because other replies left it open. Run this again later.",
        ),
    ),
    Case(
        "no made-up key for a reason",
        LIST_ACCEPTED_TWICE,
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: a made-up key was not compared, "
            "because the time ran out. Run this again later.",
        ),
        not_asked={Question.MADE_UP_KEY: "the time ran out"},
    ),
    Case(
        "no made-up key, and an error about a plan",
        listed_twice(400, error("", "Your plan has no API.")),
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: a made-up key was not compared, "
            "because other replies left it open. Run this again later.",
        ),
    ),
]


@pytest.mark.parametrize("row", NOT_COMPARED, ids=ids(NOT_COMPARED))
def test_why_no_made_up_key_was_compared_with_the_campaign_key_is_said(row: Case):
    check_campaign_key(row)


NOT_TOLD_APART = [
    Case(
        "the same files",
        [*LIST_ACCEPTED_TWICE, made_up(200, FILES)],
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: a made-up key gets the same (200). "
            "--upload URL shows it.",
        ),
    ),
    Case(
        "the same files, of another list",
        [
            *listed_twice(200, [record("f1", coupons_list_id="winter")]),
            made_up(200, [record("f1", coupons_list_id="winter")]),
        ],
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: a made-up key gets the same (200). "
            "See Account.",
        ),
    ),
    Case(
        "the same error",
        [*listed_twice(400, OTHER_CODE), made_up(400, OTHER_CODE)],
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: a made-up key gets the same (400 "
            "teapot: 'Moon phase is unfavourable'). --upload URL shows it.",
        ),
    ),
    Case(
        "the same redirect",
        [redirected("/files/a"), redirected("/files/a", question=Question.MADE_UP_KEY)],
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: a made-up key gets the same (302). "
            "--upload URL shows it.",
        ),
    ),
    Case(
        "another error, read once",
        [listed(400, OTHER_CODE), made_up(400, error("other", "Never."))],
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: it gets 400 teapot, a made-up key "
            "400 other. --upload URL shows it.",
        ),
    ),
    Case(
        "the same error in other words",
        [listed(400, OTHER_CODE), made_up(400, OTHER_CODE_OTHERWISE)],
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: it gets 400 teapot: 'Moon phase is "
            "unfavourable', and a made-up key 400 teapot: 'Saturn is in retrograde'. "
            "--upload URL shows it.",
        ),
    ),
    Case(
        "the same error, about a plan",
        [
            *listed_twice(400, error("", "Your plan has no API.")),
            made_up(400, error("", "Your plan has no API.")),
        ],
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: a made-up key gets the same (400: "
            "'Your plan has no API'). Ask the service's support for a plan that has "
            "it.",
        ),
    ),
    Case(
        "the same error first, about a plan, then another one",
        [
            listed(400, error("", "Your plan has no API.")),
            again(400, OTHER_CODE),
            made_up(400, error("", "Your plan has no API.")),
        ],
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: a made-up key gets the same (400: "
            "'Your plan has no API'). Ask the service's support for a plan that has "
            "it.",
        ),
    ),
    Case(
        "the same page, at a path with an escaped slash",
        [
            listed(404, PAGE, request=READ_OF_ESCAPED_LIST),
            made_up(404, PAGE, request=READ_OF_ESCAPED_LIST),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: a made-up key gets the same (404 that is not "
            "the service's: 'Hello'). The list's identifier has '/' (%2F), which the provider "
            "sends escaped, and other paths reply as the service does: a gateway may refuse such "
            "paths. Name the list by its identifier in the service's dashboard, or have such "
            "paths let through.",
        ),
        list_id="spring/sale",
    ),
    Case(
        "the same error, about a scope",
        [
            *listed_twice(400, error("", "Your scope is small.")),
            made_up(400, error("", "Your scope is small.")),
        ],
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: a made-up key gets the same (400: "
            "'Your scope is small'). --upload URL shows it.",
        ),
    ),
]


@pytest.mark.parametrize("row", NOT_TOLD_APART, ids=ids(NOT_TOLD_APART))
def test_a_campaign_key_is_open_if_a_made_up_key_gets_the_same_or_only_another_error_once(
    row: Case,
):
    check_campaign_key(row)


LIST_UNREADABLE = [
    Case(
        "a list that cannot be read, and no made-up key",
        [*listed_twice(200, "no JSON", headers={"content-type": "application/json"}), nowhere()],
        Said(NOT_ASKED, "Not judged, since the list cannot be read: see Path of the list's files."),
    ),
    Case(
        "a list that cannot be read, as a made-up key cannot",
        [
            *listed_twice(200, "no JSON", headers={"content-type": "application/json"}),
            nowhere(),
            made_up(200, "no JSON", headers={"content-type": "application/json"}),
        ],
        Said(NOT_ASKED, "Not judged, since the list cannot be read: see Path of the list's files."),
    ),
]


@pytest.mark.parametrize("row", LIST_UNREADABLE, ids=ids(LIST_UNREADABLE))
def test_a_campaign_key_is_not_judged_by_a_list_that_cannot_be_read(row: Case):
    """Unless a made-up key is kept out."""
    check_campaign_key(row)


BOTH_AT_LIST = [
    Case(
        "accepted, then refused",
        [listed(200, FILES), again(401, UNAUTHENTICATED), made_up()],
        Said(
            NOT_PROVED,
            "Accepted at 08:00:00 UTC (/v1/coupon-list/spring/files), refused at "
            "08:01:00 (/v1/coupon-list/spring/files): one of several nodes may not "
            "know the key, or it was revoked: check it in the service's dashboard, and "
            "run this again later.",
        ),
    ),
    Case(
        "refused, then accepted, then each again",
        [
            listed(401, UNAUTHENTICATED),
            again(200, FILES),
            again(401, UNAUTHENTICATED, sent_at=MOMENT + 90),
            again(200, FILES, sent_at=MOMENT + 120),
        ],
        Said(
            NOT_PROVED,
            "Accepted at 08:01:00 UTC (/v1/coupon-list/spring/files), refused at "
            "08:00:00 (/v1/coupon-list/spring/files): one of several nodes may not "
            "know the key, or it was revoked: check it in the service's dashboard, and "
            "run this again later.",
        ),
    ),
    Case(
        "accepted, then refused, then accepted",
        [listed(200, FILES), again(401, UNAUTHENTICATED), again(200, FILES, sent_at=MOMENT + 90)],
        Said(
            NOT_PROVED,
            "Accepted at 08:00:00 UTC (/v1/coupon-list/spring/files), refused at "
            "08:01:00 (/v1/coupon-list/spring/files): one of several nodes may not "
            "know the key, or it was revoked: check it in the service's dashboard, and "
            "run this again later.",
        ),
    ),
]


@pytest.mark.parametrize("row", BOTH_AT_LIST, ids=ids(BOTH_AT_LIST))
def test_the_first_acceptance_and_the_first_refusal_of_the_list_are_said(row: Case):
    check_campaign_key(row)


BOTH_AT_FILE = [
    Case(
        "accepted, then refused at the path of a file, then accepted",
        [
            *LIST_ACCEPTED_TWICE,
            made_up(),
            one_file(401, UNAUTHENTICATED, sent_at=MOMENT + 30),
            again(200, FILES, sent_at=MOMENT + 90),
        ],
        Said(
            NOT_PROVED,
            "Accepted at 08:00:00 UTC (/v1/coupon-list/spring/files), refused at "
            "08:00:30 (/v1/coupon-list/spring/files/f1): one of several nodes may not "
            "know the key, or it was revoked: check it in the service's dashboard, and "
            "run this again later.",
        ),
    ),
    Case(
        "accepted twice, and refused at the path of a file between",
        [
            listed(200, FILES),
            again(200, FILES, sent_at=MOMENT + 90),
            made_up(),
            one_file(401, UNAUTHENTICATED, sent_at=MOMENT + 30),
        ],
        Said(
            NOT_PROVED,
            "Accepted at 08:00:00 UTC (/v1/coupon-list/spring/files), refused at "
            "08:00:30 (/v1/coupon-list/spring/files/f1): one of several nodes may not "
            "know the key, or it was revoked: check it in the service's dashboard, and "
            "run this again later.",
        ),
    ),
    Case(
        "accepted, then refused at the path of a file, then at the list",
        [
            listed(200, FILES),
            one_file(401, UNAUTHENTICATED, sent_at=MOMENT + 30),
            again(401, UNAUTHENTICATED),
        ],
        Said(
            NOT_PROVED,
            "Accepted at 08:00:00 UTC (/v1/coupon-list/spring/files), refused at "
            "08:00:30 (/v1/coupon-list/spring/files/f1): one of several nodes may not "
            "know the key, or it was revoked: check it in the service's dashboard, and "
            "run this again later.",
        ),
    ),
    Case(
        "accepted, then refused at the list, then at the path of a file",
        [
            listed(200, FILES),
            again(401, UNAUTHENTICATED),
            one_file(401, UNAUTHENTICATED, sent_at=MOMENT + 90),
        ],
        Said(
            NOT_PROVED,
            "Accepted at 08:00:00 UTC (/v1/coupon-list/spring/files), refused at "
            "08:01:30 (/v1/coupon-list/spring/files/f1): one of several nodes may not "
            "know the key, or it was revoked: check it in the service's dashboard, and "
            "run this again later.",
        ),
    ),
]


@pytest.mark.parametrize("row", BOTH_AT_FILE, ids=ids(BOTH_AT_FILE))
def test_a_refusal_at_the_path_of_a_file_is_said_before_one_of_the_list(row: Case):
    check_campaign_key(row)


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
        [listed(429, error("", "Slow down."))],
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
        [listed(403, error("", "Your IP is not on the allow-list."))],
        Said(
            NOT_PROVED,
            "Not judged, since 1 read with it got 403, which is about no key: see Account.",
        ),
    ),
    Case(
        "words of a quota",
        [listed(403, error("", "Daily limit reached."))],
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
        [listed(500, error("", "This version is retired."))],
        Said(
            NOT_PROVED,
            "Not settled, because the time ran out: 'This version is retired'. Uploads go to "
            "a path of that version, which no setting changes: ask the service's "
            "support for how long it stays, or for a newer provider.",
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
        [listed(500, error("", "Boom.")), nowhere()],
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
        [listed(500, error("", "Boom.")), listed(500, error("", "Bang.")), nowhere()],
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
