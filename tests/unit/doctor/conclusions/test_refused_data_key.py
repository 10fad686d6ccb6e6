"""
What is said of a data key whose reads all get 401, the first of these that applies, with how often,
the words and the realm of the first. It is *Not ready* if the campaign key is accepted in its
place: paste that one, or swap the two if each is accepted in the other's place; not if each read
names another host. It is *Not ready* if the campaign key is accepted for coupons, even once: make a
new key if the words name a reason, do what they say if a made-up key gets other words, ask whoever
runs what replied if a page came, or else paste it again.

Otherwise it is *Not proved*. If the words name a reason, such as that the key has expired, a new
key is to be made; if those of coupons miss a header, the Workspace header is to be settled first.
If both keys get the same words with a challenge that offers no Basic, the Campaign API key says
what to do. Without a reason, what the words ask for is to be done first; else key, workspace
identifier and workspace header are to be checked, also after one refusal. If another workspace
header is proved, one refusal with it is only "refused once", to be read again.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import (
    FILES,
    PAGE,
    UNAUTHENTICATED,
    Said,
    campaign_key_on_segment,
    data_key_on_list,
    ids,
    listed,
    made_up,
    made_up_segment,
    segment,
    segment_again,
    with_headers,
    with_made_up_value,
)
from support.doctor_keys import (
    CAMPAIGN_KEY_ACCEPTED_TWICE,
    KEY_EXPIRED,
    NOT_PROVED,
    OTHER_CODE,
    OTHER_CODE_OTHERWISE,
    TENANT_HEADER_MISSING,
    TOKEN_EXPIRED,
    WANTS_BEARER,
    WRONG,
    Case,
    check_data_key,
    list_refused_twice,
    segment_refused_twice,
)
from support.doctor_replies import (
    changed,
    error_body,
)
from wes_provider.client import requests
from wes_provider.doctor.reads.evidence import MADE_UP
from wes_provider.doctor.replies.probes import Question

X_APP = "X-App-Id"
HEADER_FOUND = [*list_refused_twice(), *2 * [with_headers(X_APP)], with_made_up_value(X_APP)]
SEGMENT_WITH_X_APP = requests.read_segment(changed(workspace_header=X_APP), MADE_UP)
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
            *segment_refused_twice(error_body("", "Use https://segments.example.org/v3 instead.")),
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
        [segment(401, error_body("", "Please smile."))],
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
        segment_refused_twice(error_body("", "Please smile.")),
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
