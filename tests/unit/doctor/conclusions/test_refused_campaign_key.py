"""
What is said of a campaign key whose reads are refused, if swapped keys, a cache or the number of
refusals decide.
If each read gets 401, at least two, or a 403 of another code than the documented one, at least
once, it is *Not ready* if a read with swapped keys is accepted: swap the two, or put in the key
that was accepted. The documented 403 is of an accepted key without access, and after one 401 no
swap counts.
Refused twice or more, without words that name a reason, it is *Not proved*: it says how often, and
what to check. If a cache had kept each refusal (Age above 0), they say nothing of the key; not if
only one came from a cache. If the words say that the Authorization header is missing, something
between may take it out (Via names it), and the key is not judged.
Refused once, it is *Not proved*, with why there was no second read: it was lost, or else the reason
for the list, before that for the second read.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import (
    FORBIDDEN,
    UNAUTHENTICATED,
    Said,
    again,
    campaign_key_on_segment,
    data_key_on_list,
    ids,
    listed,
    lost,
    made_up,
)
from support.doctor_keys import (
    DATA_KEY_REFUSED_TWICE,
    DOCUMENTED_403,
    FROM_CACHE,
    NOT_PROVED,
    WRONG,
    Case,
    check_campaign_key,
    list_refused_twice,
    listed_twice,
)
from support.doctor_replies import (
    MOMENT,
    error_body,
)
from wes_provider.doctor.replies.probes import Question

REFUSED_SWAPS = [
    Case(
        "refused, and both are accepted in the other's place",
        [
            *list_refused_twice(),
            *DATA_KEY_REFUSED_TWICE,
            data_key_on_list(),
            campaign_key_on_segment(),
        ],
        Said(
            WRONG,
            "Refused twice (401 request-unauthenticated: 'Credentials are missing or "
            "invalid'), while each key is accepted in the other's place: swap Campaign "
            "API key and Data API key.",
        ),
    ),
    Case(
        "refused, and the data key is accepted in its place",
        [
            *list_refused_twice(),
            *DATA_KEY_REFUSED_TWICE,
            data_key_on_list(),
            campaign_key_on_segment(401),
        ],
        Said(
            WRONG,
            "Refused twice (401 request-unauthenticated: 'Credentials are missing or "
            "invalid'). The Data API key is accepted in its place: paste the right "
            "one.",
        ),
    ),
    Case(
        "refused, and it is accepted for segments",
        [
            *list_refused_twice(),
            *DATA_KEY_REFUSED_TWICE,
            data_key_on_list(401),
            campaign_key_on_segment(),
        ],
        Said(
            WRONG,
            "Refused twice, but it is accepted as Data API key: paste the key for "
            "coupons in its place.",
        ),
    ),
]


@pytest.mark.parametrize("row", REFUSED_SWAPS, ids=ids(REFUSED_SWAPS))
def test_a_refused_campaign_key_is_wrong_if_a_read_with_swapped_keys_is_accepted(row: Case):
    check_campaign_key(row)


FORBIDDEN_SWAPS = [
    Case(
        "403 twice, and both are accepted in the other's place",
        [
            *listed_twice(403, FORBIDDEN),
            *DATA_KEY_REFUSED_TWICE,
            data_key_on_list(),
            campaign_key_on_segment(),
        ],
        Said(
            WRONG,
            "The service replies 403 forbidden: 'Not you', while each key is accepted "
            "in the other's place: swap Campaign API key and Data API key.",
        ),
    ),
    Case(
        "403 twice, and the data key is accepted in its place",
        [*listed_twice(403, FORBIDDEN), *DATA_KEY_REFUSED_TWICE, data_key_on_list()],
        Said(
            WRONG,
            "The service replies 403 forbidden: 'Not you'. The Data API key is "
            "accepted in its place: paste the right one.",
        ),
    ),
    Case(
        "403 once, and the data key is accepted in its place",
        [listed(403, FORBIDDEN), *DATA_KEY_REFUSED_TWICE, data_key_on_list()],
        Said(
            WRONG,
            "The service replies 403 forbidden: 'Not you'. The Data API key is "
            "accepted in its place: paste the right one.",
        ),
    ),
]


@pytest.mark.parametrize("row", FORBIDDEN_SWAPS, ids=ids(FORBIDDEN_SWAPS))
def test_a_campaign_key_that_gets_403_is_wrong_if_the_data_key_is_accepted_in_its_place(row: Case):
    """The 403 is not the documented one."""
    check_campaign_key(row)


NO_SWAP = [
    Case(
        "the documented 403, and the data key in its place",
        [
            *listed_twice(403, DOCUMENTED_403),
            made_up(),
            *DATA_KEY_REFUSED_TWICE,
            data_key_on_list(),
        ],
        Said(
            WRONG,
            "Accepted, but the account has no access to coupons (403 "
            "request-forbidden: 'No access to coupons'): ask support.",
        ),
    ),
    Case(
        "refused once, and the data key in its place",
        [listed(401, UNAUTHENTICATED), *DATA_KEY_REFUSED_TWICE, data_key_on_list()],
        Said(
            NOT_PROVED,
            "Refused once. Not proved by a second read: other replies left it open. "
            "Run this again later.",
        ),
    ),
]


@pytest.mark.parametrize("row", NO_SWAP, ids=ids(NO_SWAP))
def test_a_campaign_key_is_not_swapped_if_it_gets_the_documented_403_or_one_refusal(row: Case):
    """
    It is accepted without access, or refused only once, though the data key is accepted for
    coupons.
    """
    check_campaign_key(row)


REFUSED_OFTEN = [
    Case(
        "twice",
        list_refused_twice(),
        Said(
            NOT_PROVED,
            "Refused twice (401 request-unauthenticated: 'Credentials are missing or "
            "invalid'). Campaign API key, Workspace identifier or Workspace header may "
            "be wrong, or a gateway refuses everybody: check each of them.",
        ),
    ),
    Case(
        "three times",
        [*list_refused_twice(), again(401, UNAUTHENTICATED)],
        Said(
            NOT_PROVED,
            "Refused 3 times (401 request-unauthenticated: 'Credentials are missing or "
            "invalid'). Campaign API key, Workspace identifier or Workspace header may "
            "be wrong, or a gateway refuses everybody: check each of them.",
        ),
    ),
]


@pytest.mark.parametrize("row", REFUSED_OFTEN, ids=ids(REFUSED_OFTEN))
def test_how_often_a_campaign_key_was_refused_is_said(row: Case):
    check_campaign_key(row)


REFUSED_BY_CACHES = [
    Case(
        "by a cache, both times",
        list_refused_twice(b"", headers=FROM_CACHE),
        Said(
            NOT_PROVED,
            "Refused twice, by replies that a cache had kept (Age: 30), so they say nothing of "
            "this key. Ask whoever runs the cache not to keep refusals, and run this again once it "
            "has dropped these.",
        ),
    ),
    Case(
        "by a cache, 30 s and 90 s after it came",
        [listed(401, b"", headers=FROM_CACHE), again(401, b"", headers={"age": "90"})],
        Said(
            NOT_PROVED,
            "Refused twice, by replies that a cache had kept (Age: 30), so they say nothing of "
            "this key. Ask whoever runs the cache not to keep refusals, and run this again once it "
            "has dropped these.",
        ),
    ),
    Case(
        "by a cache, the first time",
        [listed(401, b"", headers=FROM_CACHE), again(401, b"")],
        Said(
            NOT_PROVED,
            "Refused twice (401). Campaign API key, Workspace identifier or Workspace "
            "header may be wrong, or a gateway refuses everybody: check each of them.",
        ),
    ),
]


@pytest.mark.parametrize("row", REFUSED_BY_CACHES, ids=ids(REFUSED_BY_CACHES))
def test_refusals_say_nothing_of_a_campaign_key_if_a_cache_had_kept_each_of_them(row: Case):
    check_campaign_key(row)


REFUSED_WITHOUT_CREDENTIALS = [
    Case(
        "no way named",
        list_refused_twice(error_body("", "Authorization header is missing.")),
        Said(
            NOT_PROVED,
            "Refused twice (401: 'Authorization header is missing'). Each request had "
            "an Authorization header (Basic), so something between may take it out: "
            "change no key, and ask whoever runs it to pass that header on. No key was "
            "judged.",
        ),
    ),
    Case(
        "by way of a proxy that Via names",
        list_refused_twice(
            error_body("", "Authorization header is missing."), headers={"via": "1.1 edge"}
        ),
        Said(
            NOT_PROVED,
            "Refused twice (401: 'Authorization header is missing'). Each request had "
            "an Authorization header (Basic), so something between may take it out (replies have "
            "Via: 1.1 edge): change no key, and ask whoever runs it to pass that header on. No key "
            "was judged.",
        ),
    ),
]


@pytest.mark.parametrize("row", REFUSED_WITHOUT_CREDENTIALS, ids=ids(REFUSED_WITHOUT_CREDENTIALS))
def test_a_campaign_key_is_not_judged_if_its_credentials_did_not_arrive(row: Case):
    check_campaign_key(row)


REFUSED_ONCE = [
    Case(
        "refused",
        [listed(401, UNAUTHENTICATED)],
        Said(
            NOT_PROVED,
            "Refused once. Not proved by a second read: other replies left it open. "
            "Run this again later.",
        ),
    ),
    Case(
        "refused, and then lost",
        [listed(401, UNAUTHENTICATED), lost(question=Question.AGAIN, sent_at=MOMENT + 60)],
        Said(
            NOT_PROVED,
            "Refused once. Not proved by a second read: the request got no whole "
            "response (ReadTimeout). Run this again later.",
        ),
    ),
    Case(
        "refused, and a reason for the list comes before one for the second read",
        [listed(401, UNAUTHENTICATED)],
        Said(
            NOT_PROVED,
            "Refused once. Not proved by a second read: the time ran out. Run this again later.",
        ),
        not_asked={Question.LIST: "the time ran out", Question.AGAIN: "it was too late"},
    ),
    Case(
        "refused, and not repeated for a reason",
        [listed(401, UNAUTHENTICATED)],
        Said(
            NOT_PROVED,
            "Refused once. Not proved by a second read: it was too late. Run this again later.",
        ),
        not_asked={Question.AGAIN: "it was too late"},
    ),
]


@pytest.mark.parametrize("row", REFUSED_ONCE, ids=ids(REFUSED_ONCE))
def test_a_campaign_key_that_is_refused_once_is_not_proved(row: Case):
    """Not proved by a second read, and why there was none is said."""
    check_campaign_key(row)
