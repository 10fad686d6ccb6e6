"""What is said of the data API key, by what reads of segments get with it and with other keys."""

from __future__ import annotations

import pytest

from support.doctor_findings import (
    FILES,
    FORBIDDEN,
    NOT_FOUND,
    PAGE,
    UNAUTHENTICATED,
    Said,
    campaign_key_on_segment,
    data_key_on_list,
    ids,
    listed,
    made_up,
    made_up_segment,
    redirected,
    segment,
    segment_again,
    with_headers,
    with_made_up_value,
)
from support.doctor_keys import (
    CAMPAIGN_KEY_ACCEPTED_TWICE,
    DATA_KEY_ACCEPTED_TWICE,
    DOCUMENTED_403,
    KEY_EXPIRED,
    LIST_ACCEPTED_TWICE,
    NOT_PROVED,
    OTHER_CODE,
    OTHER_CODE_OTHERWISE,
    PERMISSIONS_LACK,
    ROLE_TOO_SMALL,
    SURE,
    TENANT_HEADER_MISSING,
    TOKEN_EXPIRED,
    WANTS_BEARER,
    WRONG,
    Case,
    check_data_key,
    list_refused_twice,
    segment_refused_twice,
    segment_twice,
)
from support.doctor_replies import (
    changed,
    error,
)
from support.doctor_service import CAMPAIGN_KEY
from wes_provider.client import requests
from wes_provider.doctor.evidence import MADE_UP
from wes_provider.doctor.probes import Question

X_APP = "X-App-Id"
HEADER_FOUND = [*list_refused_twice(), *2 * [with_headers(X_APP)], with_made_up_value(X_APP)]
SEGMENT_WITH_X_APP = requests.read_segment(changed(workspace_header=X_APP), MADE_UP)


ELSEWHERE = {"location": "https://segments.example.org/v3/custom-segments/wes-doctor"}


NOT_GIVEN = [
    Case(
        "none is given, and reads are refused",
        segment_refused_twice(),
        Said(SURE, "None is given: segments use the Campaign API key."),
        settings=changed(data_api_key=CAMPAIGN_KEY),
    ),
    Case(
        "none is given, and nothing was read",
        [],
        Said(SURE, "None is given: segments use the Campaign API key."),
        settings=changed(data_api_key=CAMPAIGN_KEY),
    ),
    Case(
        "none is given, and nothing was read with the header",
        HEADER_FOUND,
        Said(SURE, "None is given: segments use the Campaign API key."),
        settings=changed(data_api_key=CAMPAIGN_KEY),
    ),
]


@pytest.mark.parametrize("row", NOT_GIVEN, ids=ids(NOT_GIVEN))
def test_without_a_data_key_segments_use_the_campaign_key_whatever_was_read(row: Case):
    check_data_key(row)


DATA_REFUSED_SWAPS = [
    Case(
        "refused, and both are accepted in the other's place",
        [
            *list_refused_twice(),
            *segment_refused_twice(),
            data_key_on_list(),
            campaign_key_on_segment(),
        ],
        Said(WRONG, "Campaign API key is accepted in its place: swap the two."),
    ),
    Case(
        "refused, and both are accepted in the other's place, but segments are elsewhere",
        [
            *list_refused_twice(),
            *segment_refused_twice(error("", "Use https://segments.example.org/v3 instead.")),
            data_key_on_list(),
            campaign_key_on_segment(),
        ],
        Said(
            NOT_PROVED,
            "Reads get 401: 'Use https://segments.example.org/v3 instead'. Segments "
            "(/v3) are at https://segments.example.org, by the service's words: leave "
            "this connection for coupons, and make a second one with that Address and "
            "the Data API key as its password. Name it in the tasks that update "
            "segments, and run wes-doctor --conn-id ID on it. The key is not judged "
            "here.",
        ),
    ),
    Case(
        "refused, and the campaign key is accepted in its place",
        [
            *list_refused_twice(),
            *segment_refused_twice(),
            data_key_on_list(401),
            campaign_key_on_segment(),
        ],
        Said(
            WRONG,
            "Refused twice (401 request-unauthenticated: 'Credentials are missing or "
            "invalid'), while the Campaign API key is accepted in its place: paste "
            "that one.",
        ),
    ),
    Case(
        "refused, and the campaign key is accepted in both places",
        [*CAMPAIGN_KEY_ACCEPTED_TWICE, *segment_refused_twice(), campaign_key_on_segment()],
        Said(
            WRONG,
            "Refused twice (401 request-unauthenticated: 'Credentials are missing or "
            "invalid'), while the Campaign API key is accepted in its place: paste "
            "that one.",
        ),
    ),
    Case(
        "refused, and it is accepted for coupons",
        [
            *list_refused_twice(),
            *segment_refused_twice(),
            data_key_on_list(),
            campaign_key_on_segment(401),
        ],
        Said(
            NOT_PROVED,
            "Refused twice (401 request-unauthenticated: 'Credentials are missing or "
            "invalid'). Data API key, Workspace identifier or Workspace header may be "
            "wrong, or a gateway refuses everybody: check each of them.",
        ),
    ),
]


@pytest.mark.parametrize("row", DATA_REFUSED_SWAPS, ids=ids(DATA_REFUSED_SWAPS))
def test_a_refused_data_key_is_wrong_if_the_campaign_key_is_accepted_in_its_place(row: Case):
    """Unless each of its reads names another host."""
    check_data_key(row)


DATA_FORBIDDEN_SWAPS = [
    Case(
        "403 once, and accepted for coupons",
        [*list_refused_twice(), segment(403, FORBIDDEN), data_key_on_list()],
        Said(
            NOT_PROVED,
            "The service replies 403 forbidden: 'Not you', and accepts it for coupons: "
            "it may be a key for coupons. Paste the one for segments, or let --segment "
            "ID try an update.",
        ),
    ),
    Case(
        "403 twice, unlike a made-up key, and accepted for coupons",
        [
            *list_refused_twice(),
            *segment_twice(403, FORBIDDEN),
            made_up_segment(),
            data_key_on_list(),
        ],
        Said(
            NOT_PROVED,
            "The service replies 403 forbidden: 'Not you', and accepts it for coupons: "
            "it may be a key for coupons. Paste the one for segments, or let --segment "
            "ID try an update.",
        ),
    ),
    Case(
        "403 as documented, and accepted for coupons",
        [*list_refused_twice(), *segment_twice(403, DOCUMENTED_403), data_key_on_list()],
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: a made-up key was not compared, "
            "because other replies left it open. Run this again later.",
        ),
    ),
    Case(
        "404, and accepted for coupons",
        [*list_refused_twice(), *segment_twice(404, NOT_FOUND), data_key_on_list()],
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: a made-up key was not compared, "
            "because other replies left it open. Run this again later.",
        ),
    ),
]


@pytest.mark.parametrize("row", DATA_FORBIDDEN_SWAPS, ids=ids(DATA_FORBIDDEN_SWAPS))
def test_a_data_key_that_gets_403_may_be_one_for_coupons_if_these_accept_it(row: Case):
    """Not if the 403 is the documented one, nor after a 404."""
    check_data_key(row)


DATA_UNANSWERED = [
    Case(
        "nothing was read",
        [],
        Said(NOT_PROVED, "Not settled, because other replies left it open. Run this again later."),
    ),
    Case(
        "nothing was read, and the time ran out",
        [],
        Said(NOT_PROVED, "Not settled, because the time ran out. Run this again later."),
        not_asked={Question.DATA_KEY: "the time ran out"},
    ),
    Case(
        "a failure with words",
        [segment(500, error("", "Boom."))],
        Said(NOT_PROVED, "Not settled, because it failed: 'Boom'. Run this again later."),
        not_asked={Question.DATA_KEY: "it failed"},
    ),
    Case(
        "words about no key",
        [segment(403, error("", "Your IP is not on the allow-list."))],
        Said(
            NOT_PROVED,
            "Not judged, since 1 read with it got 403, which is about no key: see Account.",
        ),
    ),
    Case(
        "nothing was read with the header that is proved",
        HEADER_FOUND,
        Said(NOT_PROVED, "Not asked with X-App-Id: put the extra in, and run this again."),
    ),
    Case(
        "a failure with the header that is proved",
        [*HEADER_FOUND, segment(500, request=SEGMENT_WITH_X_APP)],
        Said(NOT_PROVED, "Not asked with X-App-Id: put the extra in, and run this again."),
    ),
]


@pytest.mark.parametrize("row", DATA_UNANSWERED, ids=ids(DATA_UNANSWERED))
def test_a_data_key_is_open_if_no_read_gets_an_answer_about_it(row: Case):
    """Nothing was read, it was lost, or it is about no key."""
    check_data_key(row)


DATA_REFUSED_ALIKE = [
    Case(
        "once",
        [segment(401, UNAUTHENTICATED)],
        Said(
            NOT_PROVED,
            "Refused once (401 request-unauthenticated: 'Credentials are missing or "
            "invalid'). Data API key, Workspace identifier or Workspace header may be "
            "wrong, or a gateway refuses everybody: check each of them.",
        ),
    ),
    Case(
        "once, with something to do",
        [segment(401, error("", "Please smile."))],
        Said(
            NOT_PROVED,
            "Refused once (401: 'Please smile'). Do what it says; if that does not "
            "help, check Data API key, Workspace identifier and Workspace header.",
        ),
    ),
    Case(
        "twice",
        segment_refused_twice(),
        Said(
            NOT_PROVED,
            "Refused twice (401 request-unauthenticated: 'Credentials are missing or "
            "invalid'). Data API key, Workspace identifier or Workspace header may be "
            "wrong, or a gateway refuses everybody: check each of them.",
        ),
    ),
    Case(
        "twice, with something to do",
        segment_refused_twice(error("", "Please smile.")),
        Said(
            NOT_PROVED,
            "Refused twice (401: 'Please smile'). Do what it says; if that does not "
            "help, check Data API key, Workspace identifier and Workspace header.",
        ),
    ),
    Case(
        "twice, in words of no meaning",
        segment_refused_twice(OTHER_CODE),
        Said(
            NOT_PROVED,
            "Refused twice (401 teapot: 'Moon phase is unfavourable'). Data API key, "
            "Workspace identifier or Workspace header may be wrong, or a gateway "
            "refuses everybody: check each of them.",
        ),
    ),
    Case(
        "twice, with a realm",
        segment_refused_twice(b"", headers={"www-authenticate": 'Basic realm="nginx staging"'}),
        Said(
            NOT_PROVED,
            "Refused twice (401, of the realm 'nginx staging'). Data API key, "
            "Workspace identifier or Workspace header may be wrong, or a gateway "
            "refuses everybody: check each of them.",
        ),
    ),
    Case(
        "three times",
        [*segment_refused_twice(), segment_again(401)],
        Said(
            NOT_PROVED,
            "Refused 3 times (401 request-unauthenticated: 'Credentials are missing or "
            "invalid'). Data API key, Workspace identifier or Workspace header may be "
            "wrong, or a gateway refuses everybody: check each of them.",
        ),
    ),
]


@pytest.mark.parametrize("row", DATA_REFUSED_ALIKE, ids=ids(DATA_REFUSED_ALIKE))
def test_a_data_key_refused_without_a_reason_is_open_with_what_to_check(row: Case):
    check_data_key(row)


DATA_REFUSED_WITH_HEADER = [
    Case(
        "once, with the header that is proved",
        [*HEADER_FOUND, segment(401, UNAUTHENTICATED, request=SEGMENT_WITH_X_APP)],
        Said(
            NOT_PROVED,
            "Refused once. Not proved by a second read: other replies left it open. "
            "Run this again later.",
        ),
    ),
    Case(
        "once, with the header that is proved, and the time ran out",
        [*HEADER_FOUND, segment(401, UNAUTHENTICATED, request=SEGMENT_WITH_X_APP)],
        Said(
            NOT_PROVED,
            "Refused once. Not proved by a second read: the time ran out. Run this again later.",
        ),
        not_asked={Question.DATA_KEY: "the time ran out"},
    ),
    Case(
        "twice, with the header that is proved",
        [*HEADER_FOUND, *segment_refused_twice(UNAUTHENTICATED, request=SEGMENT_WITH_X_APP)],
        Said(
            NOT_PROVED,
            "Refused twice (401 request-unauthenticated: 'Credentials are missing or "
            "invalid'). Data API key, Workspace identifier or Workspace header may be "
            "wrong, or a gateway refuses everybody: check each of them.",
        ),
    ),
]


@pytest.mark.parametrize("row", DATA_REFUSED_WITH_HEADER, ids=ids(DATA_REFUSED_WITH_HEADER))
def test_a_data_key_that_is_refused_with_a_header_that_is_proved_is_open(row: Case):
    """Once is not enough to judge it."""
    check_data_key(row)


DATA_REFUSED_ALONE = [
    Case(
        "the campaign key is accepted",
        [*CAMPAIGN_KEY_ACCEPTED_TWICE, *segment_refused_twice()],
        Said(
            WRONG,
            "Refused twice (401 request-unauthenticated: 'Credentials are missing or "
            "invalid'), though the Campaign API key is accepted: paste it again, or do "
            "what it says.",
        ),
    ),
    Case(
        "the campaign key is accepted only once",
        [listed(200, FILES), made_up(), *segment_refused_twice()],
        Said(
            WRONG,
            "Refused twice (401 request-unauthenticated: 'Credentials are missing or "
            "invalid'), though the Campaign API key is accepted: paste it again, or do "
            "what it says.",
        ),
    ),
    Case(
        "the campaign key is accepted, and the words name a reason",
        [*CAMPAIGN_KEY_ACCEPTED_TWICE, *segment_refused_twice(KEY_EXPIRED)],
        Said(
            WRONG,
            "Refused twice (401 key-expired: 'Your key has expired'), though the "
            "Campaign API key is accepted: make a new key, or have its time extended, "
            "and put it in.",
        ),
    ),
    Case(
        "the campaign key is accepted, and a made-up key gets other words",
        [
            *CAMPAIGN_KEY_ACCEPTED_TWICE,
            *segment_refused_twice(OTHER_CODE),
            made_up_segment(401, OTHER_CODE_OTHERWISE),
        ],
        Said(
            WRONG,
            "Refused twice (401 teapot: 'Moon phase is unfavourable'), though the "
            "Campaign API key is accepted: do what it says, since another key gets "
            "other words; or ask the service's support which key this needs.",
        ),
    ),
    Case(
        "the campaign key is accepted, and a page came",
        [*CAMPAIGN_KEY_ACCEPTED_TWICE, *segment_refused_twice(PAGE)],
        Said(
            WRONG,
            "Refused twice (401: 'Hello'), though the Campaign API key is accepted: "
            "what replied sent a web page and no JSON of the service's, so it may be "
            "before it: ask whoever runs it to let requests through, or paste the key "
            "again.",
        ),
    ),
]


@pytest.mark.parametrize("row", DATA_REFUSED_ALONE, ids=ids(DATA_REFUSED_ALONE))
def test_a_data_key_that_is_refused_while_the_campaign_key_is_accepted_is_wrong(row: Case):
    check_data_key(row)


DATA_REFUSED_FOR_A_REASON = [
    Case(
        "a reason",
        segment_refused_twice(KEY_EXPIRED),
        Said(
            NOT_PROVED,
            "Refused twice (401 key-expired: 'Your key has expired'): make a new key, "
            "or have its time extended, and put it in.",
        ),
    ),
    Case(
        "a header, for coupons",
        [*list_refused_twice(TENANT_HEADER_MISSING), *segment_refused_twice()],
        Said(NOT_PROVED, "Not settled: see Workspace header."),
    ),
    Case(
        "a header for both, with a challenge",
        [
            *list_refused_twice(TENANT_HEADER_MISSING, headers=WANTS_BEARER),
            *segment_refused_twice(TENANT_HEADER_MISSING, headers=WANTS_BEARER),
        ],
        Said(NOT_PROVED, "Not settled: see Workspace header."),
    ),
    Case(
        "a reason for both, with a challenge",
        [
            *list_refused_twice(TOKEN_EXPIRED, headers=WANTS_BEARER),
            *segment_refused_twice(TOKEN_EXPIRED, headers=WANTS_BEARER),
        ],
        Said(NOT_PROVED, "Refused twice (401: 'The token has expired'): see Campaign API key."),
    ),
    Case(
        "a reason for both, with a challenge for segments only",
        [
            *list_refused_twice(TOKEN_EXPIRED),
            *segment_refused_twice(TOKEN_EXPIRED, headers=WANTS_BEARER),
        ],
        Said(
            NOT_PROVED,
            "Refused twice (401: 'The token has expired'): make a new key, or have its "
            "time extended, and put it in.",
        ),
    ),
]


@pytest.mark.parametrize("row", DATA_REFUSED_FOR_A_REASON, ids=ids(DATA_REFUSED_FOR_A_REASON))
def test_the_words_of_refusals_decide_what_to_do_about_a_data_key(row: Case):
    """Those that both keys get with a challenge for another scheme are about none of them; a header
    that is missed for coupons comes first.
    """
    check_data_key(row)


DATA_ACCEPTED = [
    Case(
        "404 twice",
        DATA_KEY_ACCEPTED_TWICE,
        Said(SURE, "Accepted twice; a made-up key is refused."),
    ),
    Case(
        "404 once",
        [segment(), made_up_segment()],
        Said(
            NOT_PROVED,
            "Accepted once; a made-up key is refused. Not proved by a second read: "
            "other replies left it open. Run this again later.",
        ),
    ),
    Case(
        "403 once",
        [segment(403, FORBIDDEN), made_up_segment()],
        Said(
            NOT_PROVED,
            "Accepted once; a made-up key is refused. Not proved by a second read: "
            "other replies left it open. Run this again later.",
        ),
    ),
]


@pytest.mark.parametrize("row", DATA_ACCEPTED, ids=ids(DATA_ACCEPTED))
def test_a_data_key_is_sure_after_two_404_and_open_after_one_read_if_a_made_up_one_is_refused(
    row: Case,
):
    """It is sure after 404 twice, and not proved after one read."""
    check_data_key(row)


DATA_FORBIDDEN = [
    Case(
        "403 twice",
        [*segment_twice(403, FORBIDDEN), made_up_segment()],
        Said(
            NOT_PROVED,
            "Reads of segments get 403 forbidden: 'Not you', while a made-up key is "
            "refused; --segment ID tries an update.",
        ),
    ),
    Case(
        "403 about a scope twice",
        [*segment_twice(403, error("", "Your scope is small.")), made_up_segment()],
        Said(
            NOT_PROVED,
            "Reads of segments get 403: 'Your scope is small', while a made-up key is "
            "refused; --segment ID tries an update. Ask an administrator of the "
            "account for a key with what it lacks.",
        ),
    ),
    Case(
        "404 about a permission twice",
        [*segment_twice(404, PERMISSIONS_LACK), made_up_segment()],
        Said(
            NOT_PROVED,
            "Reads of segments get 404 not-found: 'Nothing here that your permissions "
            "show', while a made-up key is refused; --segment ID tries an update. Ask "
            "an administrator of the account for a key with what it lacks.",
        ),
    ),
    Case(
        "403 about a role, then another 403",
        [segment(403, ROLE_TOO_SMALL), segment_again(403, FORBIDDEN), made_up_segment()],
        Said(
            NOT_PROVED,
            "Reads of segments get 403: 'Your role is too small', while a made-up key "
            "is refused; --segment ID tries an update. Ask an administrator of the "
            "account for a key with what it lacks.",
        ),
    ),
    Case(
        "403, then one about a role",
        [segment(403, FORBIDDEN), segment_again(403, ROLE_TOO_SMALL), made_up_segment()],
        Said(
            NOT_PROVED,
            "Reads of segments get 403 forbidden: 'Not you', while a made-up key is "
            "refused; --segment ID tries an update.",
        ),
    ),
]


@pytest.mark.parametrize("row", DATA_FORBIDDEN, ids=ids(DATA_FORBIDDEN))
def test_a_known_data_key_that_may_read_no_segment_is_open_with_the_first_words_advice(row: Case):
    """Only an update shows whether it may do that; the words of the first reply give advice."""
    check_data_key(row)


DATA_NOT_SHOWN = [
    Case(
        "404, then refused",
        [segment(), segment_again(401)],
        Said(
            NOT_PROVED,
            "Accepted at 08:00:00 UTC (/v3/custom-segments/wes-doctor), refused at "
            "08:01:00 (/v3/custom-segments/wes-doctor): one of several nodes may not "
            "know the key, or it was revoked: check it in the service's dashboard, and "
            "run this again later.",
        ),
    ),
    Case(
        "404, and a made-up key gets the same",
        [*segment_twice(404, NOT_FOUND), made_up_segment(404, NOT_FOUND)],
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: a made-up key gets the same (404 "
            "not-found: 'Nothing is here'). --segment ID shows it.",
        ),
    ),
    Case(
        "a redirect, and a made-up key gets the same",
        [
            *2 * [segment(302, b"", headers={"location": "/x"})],
            made_up_segment(302, b"", headers={"location": "/x"}),
        ],
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: a made-up key gets the same (302). Updates go "
            "to that path, too: ask the service's support whether it takes them. --segment ID "
            "shows it.",
        ),
    ),
    Case(
        "404, and no made-up key",
        segment_twice(404, NOT_FOUND),
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: a made-up key was not compared, "
            "because other replies left it open. Run this again later.",
        ),
    ),
    Case(
        "404, and no made-up key, since the time ran out",
        segment_twice(404, NOT_FOUND),
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: a made-up key was not compared, "
            "because the time ran out. Run this again later.",
        ),
        not_asked={Question.MADE_UP_DATA_KEY: "the time ran out"},
    ),
]


@pytest.mark.parametrize("row", DATA_NOT_SHOWN, ids=ids(DATA_NOT_SHOWN))
def test_a_data_key_is_open_that_gets_both_or_the_same_as_a_made_up_one_or_was_not_compared(
    row: Case,
):
    """It is accepted and refused, or a made-up key gets the same, or was not compared."""
    check_data_key(row)


DATA_ELSEWHERE = [
    Case(
        "a redirect",
        [*LIST_ACCEPTED_TWICE, segment(302, b"", headers=ELSEWHERE)],
        Said(
            NOT_PROVED,
            "Reads get 302 to "
            "https://segments.example.org/v3/custom-segments/wes-doctor. Segments "
            "(/v3) are at https://segments.example.org, by the service's words: leave "
            "this connection for coupons, and make a second one with that Address and "
            "the Data API key as its password. Name it in the tasks that update "
            "segments, and run wes-doctor --conn-id ID on it. The key is not judged "
            "here.",
        ),
    ),
    Case(
        "two redirects",
        [
            *LIST_ACCEPTED_TWICE,
            segment(302, b"", headers=ELSEWHERE),
            segment_again(307, b"", headers=ELSEWHERE),
        ],
        Said(
            NOT_PROVED,
            "Reads get 302 to "
            "https://segments.example.org/v3/custom-segments/wes-doctor. Segments "
            "(/v3) are at https://segments.example.org, by the service's words: leave "
            "this connection for coupons, and make a second one with that Address and "
            "the Data API key as its password. Name it in the tasks that update "
            "segments, and run wes-doctor --conn-id ID on it. The key is not judged "
            "here.",
        ),
    ),
    Case(
        "a redirect, then a 404",
        [*LIST_ACCEPTED_TWICE, segment(302, b"", headers=ELSEWHERE), segment_again()],
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: a made-up key was not compared, "
            "because other replies left it open. Run this again later.",
        ),
    ),
    Case(
        "a redirect, and one of coupons",
        [
            redirected("https://segments.example.org/v1/coupon-list/spring/files"),
            segment(302, b"", headers=ELSEWHERE),
        ],
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: a made-up key was not compared, "
            "because other replies left it open. Run this again later.",
        ),
    ),
    Case(
        "words of a 404",
        [
            *LIST_ACCEPTED_TWICE,
            segment(404, error("moved", "Use https://segments.example.org/v3 instead.")),
        ],
        Said(
            NOT_PROVED,
            "Reads get 404 moved: 'Use https://segments.example.org/v3 instead'. "
            "Segments (/v3) are at https://segments.example.org, by the service's "
            "words: leave this connection for coupons, and make a second one with that "
            "Address and the Data API key as its password. Name it in the tasks that "
            "update segments, and run wes-doctor --conn-id ID on it. The key is not "
            "judged here.",
        ),
    ),
]


@pytest.mark.parametrize("row", DATA_ELSEWHERE, ids=ids(DATA_ELSEWHERE))
def test_a_data_key_is_open_if_its_reads_name_another_address(row: Case):
    """
    By redirects or by words. It is not judged, if each read names one and coupons are here.
    """
    check_data_key(row)
