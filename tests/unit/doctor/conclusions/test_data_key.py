"""
What is said of a data key that is not refused twice. If none is given, segments use the campaign
key, whatever was read.

It is *sure* only if two reads get an answer, such as 404, and a made-up key is refused; after one
such read, 403 or 404, it is *Not proved*, until a second one. If a read gets a 403, or a 404 about
a permission, while a made-up key is refused, it is *Not proved*: the words of the first such reply
give the advice, and ``--segment ID`` tries an update. A 403 of another code than the documented
one, of a key that is accepted for coupons where the campaign key is not, says that it may be one
for coupons, before that. It is *Not proved*, too, if it was accepted and refused (with both times), if a made-up key gets the same or
was not sent (with the reason, such as that the time ran out), if no read got an answer, and if a
read's words are about no key; if another workspace header is proved, only reads with that count. If
each read names another host, by a redirect or by its words, while the list is answered here, even
by a refusal, a second connection for segments is advised, and the key is not judged.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import (
    FORBIDDEN,
    NOT_FOUND,
    Said,
    data_key_on_list,
    ids,
    made_up_segment,
    redirected,
    segment,
    segment_again,
    with_headers,
    with_made_up_value,
)
from support.doctor_keys import (
    DATA_KEY_ACCEPTED_TWICE,
    DOCUMENTED_403,
    LIST_ACCEPTED_TWICE,
    NOT_PROVED,
    PERMISSIONS_LACK,
    ROLE_TOO_SMALL,
    SURE,
    Case,
    check_data_key,
    list_refused_twice,
    segment_refused_twice,
    segment_twice,
)
from support.doctor_replies import (
    changed,
    error_body,
)
from support.doctor_service import CAMPAIGN_KEY
from wes_provider.client import requests
from wes_provider.doctor.reads.evidence import MADE_UP
from wes_provider.doctor.replies.probes import Question

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
def test_a_data_key_that_coupons_accept_may_be_one_for_coupons_if_segments_give_an_odd_403(
    row: Case,
):
    """Not after the documented 403, nor after a 404. The campaign key is refused in each row."""
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
        [segment(500, error_body("", "Boom."))],
        Said(NOT_PROVED, "Not settled, because it failed: 'Boom'. Run this again later."),
        not_asked={Question.DATA_KEY: "it failed"},
    ),
    Case(
        "words about no key",
        [segment(403, error_body("", "Your IP is not on the allow-list."))],
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


ONCE_WITHOUT_ACCESS = Said(
    NOT_PROVED,
    "Reads of segments get 403 forbidden: 'Not you', while a made-up key is refused; --segment ID "
    "tries an update.",
)
DATA_FORBIDDEN = [
    Case(
        "403, then 404",
        [segment(403, FORBIDDEN), segment_again(404, NOT_FOUND), made_up_segment()],
        ONCE_WITHOUT_ACCESS,
    ),
    Case(
        "404, then 403",
        [segment(404, NOT_FOUND), segment_again(403, FORBIDDEN), made_up_segment()],
        ONCE_WITHOUT_ACCESS,
    ),
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
        [*segment_twice(403, error_body("", "Your scope is small.")), made_up_segment()],
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
            segment(404, error_body("moved", "Use https://segments.example.org/v3 instead.")),
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
def test_a_data_key_is_not_judged_if_each_read_names_another_host_and_coupons_are_here(row: Case):
    """A redirect or words name it."""
    check_data_key(row)
