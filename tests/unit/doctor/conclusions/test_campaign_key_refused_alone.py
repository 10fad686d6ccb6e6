"""
What is said of a campaign key whose reads all get 401 while the data key is accepted, even once: it
is *Not ready*, and the first refusal decides what to do.

After a web page, whoever runs what replied is to be asked to let requests through, or the key to be
pasted again. Without words, with a stock sentence of a status, or with words that only say that the
key is invalid, it is to be pasted again. Other words are to be followed if no other key was refused
with words for the list; under the usual code of the contract, the key may be pasted again, too. If
a made-up key gets the same words, once, the key is to be pasted again; if it gets others only, the
words are about this key. Only if no made-up key was refused with words, the data key's refusal for
the list is compared in the same way.

The words are quoted, unless they have the usual code in the form of the contract and say no more
than made-up keys get.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import (
    PAGE,
    Said,
    again,
    data_key_on_list,
    ids,
    listed,
    made_up,
    made_up_segment,
    segment,
)
from support.doctor_keys import (
    DATA_KEY_ACCEPTED_TWICE,
    OTHER_CODE,
    OTHER_CODE_OTHERWISE,
    USUAL_CODE_IN_OTHER_FORM,
    USUAL_CODE_MARS,
    WRONG,
    Case,
    check_campaign_key,
    list_refused_twice,
)
from support.doctor_replies import (
    error_body,
)

REFUSED_ALONE = [
    Case(
        "a page",
        [*list_refused_twice(PAGE), *DATA_KEY_ACCEPTED_TWICE],
        Said(
            WRONG,
            "Refused twice (401: 'Hello'), though the Data API key is accepted: what "
            "replied sent a web page and no JSON of the service's, so it may be before "
            "it: ask whoever runs it to let requests through, or paste the key again.",
        ),
    ),
    Case(
        "a page, then an error",
        [listed(401, PAGE), again(401, OTHER_CODE), *DATA_KEY_ACCEPTED_TWICE],
        Said(
            WRONG,
            "Refused twice (401: 'Hello'), though the Data API key is accepted: what "
            "replied sent a web page and no JSON of the service's, so it may be before "
            "it: ask whoever runs it to let requests through, or paste the key again.",
        ),
    ),
    Case(
        "without words",
        [*list_refused_twice(b""), *DATA_KEY_ACCEPTED_TWICE],
        Said(WRONG, "Refused twice, though the Data API key is accepted: paste it again."),
    ),
    Case(
        "without words, then with an error",
        [listed(401), again(401, OTHER_CODE), *DATA_KEY_ACCEPTED_TWICE],
        Said(WRONG, "Refused twice, though the Data API key is accepted: paste it again."),
    ),
    Case(
        "a stock sentence",
        [*list_refused_twice(error_body("", "Unauthorized")), *DATA_KEY_ACCEPTED_TWICE],
        Said(
            WRONG,
            "Refused twice (401: 'Unauthorized'), though the Data API key is accepted: "
            "paste it again.",
        ),
    ),
    Case(
        "a sentence of its status",
        [
            *list_refused_twice(error_body("", "401 Authorization Required")),
            *DATA_KEY_ACCEPTED_TWICE,
        ],
        Said(
            WRONG,
            "Refused twice (401: '401 Authorization Required'), though the Data API "
            "key is accepted: paste it again.",
        ),
    ),
    Case(
        "bare words",
        [*list_refused_twice(error_body("", "Invalid api key")), *DATA_KEY_ACCEPTED_TWICE],
        Said(
            WRONG,
            "Refused twice (401: 'Invalid api key'), though the Data API key is "
            "accepted: paste it again.",
        ),
    ),
]


@pytest.mark.parametrize("row", REFUSED_ALONE, ids=ids(REFUSED_ALONE))
def test_a_key_refused_alone_is_to_be_pasted_again_if_the_first_refusal_says_nothing_else(
    row: Case,
):
    """After a web page, who runs what is before the service is asked first."""
    check_campaign_key(row)


REFUSED_ALONE_IN_WORDS = [
    Case(
        "the usual words",
        [*list_refused_twice(), *DATA_KEY_ACCEPTED_TWICE],
        Said(
            WRONG,
            "Refused twice (401 request-unauthenticated: 'Credentials are missing or "
            "invalid'), though the Data API key is accepted: paste it again, or do "
            "what it says.",
        ),
    ),
    Case(
        "the usual words, and the data key is accepted only once",
        [*list_refused_twice(), segment(), made_up_segment()],
        Said(
            WRONG,
            "Refused twice (401 request-unauthenticated: 'Credentials are missing or "
            "invalid'), though the Data API key is accepted: paste it again, or do "
            "what it says.",
        ),
    ),
    Case(
        "the usual code, and other words",
        [*list_refused_twice(USUAL_CODE_MARS), *DATA_KEY_ACCEPTED_TWICE],
        Said(
            WRONG,
            "Refused twice (401 request-unauthenticated: 'Mars is near'), though the "
            "Data API key is accepted: paste it again, or do what it says.",
        ),
    ),
    Case(
        "the usual code and other words, then another code",
        [listed(401, USUAL_CODE_MARS), again(401, OTHER_CODE), *DATA_KEY_ACCEPTED_TWICE],
        Said(
            WRONG,
            "Refused twice (401 request-unauthenticated: 'Mars is near'), though the "
            "Data API key is accepted: paste it again, or do what it says.",
        ),
    ),
    Case(
        "another code",
        [*list_refused_twice(OTHER_CODE), *DATA_KEY_ACCEPTED_TWICE],
        Said(
            WRONG,
            "Refused twice (401 teapot: 'Moon phase is unfavourable'), though the Data "
            "API key is accepted: do what it says, or ask the service's support which "
            "key this needs.",
        ),
    ),
    Case(
        "another code, and a made-up key is refused without words",
        [*list_refused_twice(OTHER_CODE), made_up(401, b""), *DATA_KEY_ACCEPTED_TWICE],
        Said(
            WRONG,
            "Refused twice (401 teapot: 'Moon phase is unfavourable'), though the Data "
            "API key is accepted: do what it says, or ask the service's support which "
            "key this needs.",
        ),
    ),
    Case(
        "another code, and a made-up key gets 404",
        [*list_refused_twice(OTHER_CODE), made_up(404), *DATA_KEY_ACCEPTED_TWICE],
        Said(
            WRONG,
            "Refused twice (401 teapot: 'Moon phase is unfavourable'), though the Data "
            "API key is accepted: do what it says, or ask the service's support which "
            "key this needs.",
        ),
    ),
]


@pytest.mark.parametrize("row", REFUSED_ALONE_IN_WORDS, ids=ids(REFUSED_ALONE_IN_WORDS))
def test_a_key_refused_alone_has_words_to_follow_if_no_other_key_is_refused_with_words(row: Case):
    check_campaign_key(row)


REFUSED_LIKE_OTHERS = [
    Case(
        "another code, as a made-up key gets",
        [*list_refused_twice(OTHER_CODE), made_up(401, OTHER_CODE), *DATA_KEY_ACCEPTED_TWICE],
        Said(
            WRONG,
            "Refused twice (401 teapot: 'Moon phase is unfavourable'), though the Data "
            "API key is accepted: paste it again.",
        ),
    ),
    Case(
        "another code, and a made-up key gets other words",
        [
            *list_refused_twice(OTHER_CODE),
            made_up(401, OTHER_CODE_OTHERWISE),
            *DATA_KEY_ACCEPTED_TWICE,
        ],
        Said(
            WRONG,
            "Refused twice (401 teapot: 'Moon phase is unfavourable'), though the Data "
            "API key is accepted: do what it says, since another key gets other words; "
            "or ask the service's support which key this needs.",
        ),
    ),
    Case(
        "another code, and made-up keys get other words, and then the same",
        [
            *list_refused_twice(OTHER_CODE),
            made_up(401, OTHER_CODE_OTHERWISE),
            made_up(401, OTHER_CODE),
            *DATA_KEY_ACCEPTED_TWICE,
        ],
        Said(
            WRONG,
            "Refused twice (401 teapot: 'Moon phase is unfavourable'), though the Data "
            "API key is accepted: paste it again.",
        ),
    ),
    Case(
        "another code, and the data key gets other words there",
        [
            *list_refused_twice(OTHER_CODE),
            data_key_on_list(401, OTHER_CODE_OTHERWISE),
            *DATA_KEY_ACCEPTED_TWICE,
        ],
        Said(
            WRONG,
            "Refused twice (401 teapot: 'Moon phase is unfavourable'), though the Data "
            "API key is accepted: do what it says, since another key gets other words; "
            "or ask the service's support which key this needs.",
        ),
    ),
    Case(
        "another code, as a made-up key gets, while the data key gets other words there",
        [
            *list_refused_twice(OTHER_CODE),
            data_key_on_list(401, OTHER_CODE_OTHERWISE),
            made_up(401, OTHER_CODE),
            *DATA_KEY_ACCEPTED_TWICE,
        ],
        Said(
            WRONG,
            "Refused twice (401 teapot: 'Moon phase is unfavourable'), though the Data "
            "API key is accepted: paste it again.",
        ),
    ),
    Case(
        "another code, as the data key gets there, while a made-up key gets other words",
        [
            *list_refused_twice(OTHER_CODE),
            data_key_on_list(401, OTHER_CODE),
            made_up(401, OTHER_CODE_OTHERWISE),
            *DATA_KEY_ACCEPTED_TWICE,
        ],
        Said(
            WRONG,
            "Refused twice (401 teapot: 'Moon phase is unfavourable'), though the Data "
            "API key is accepted: do what it says, since another key gets other words; "
            "or ask the service's support which key this needs.",
        ),
    ),
]


@pytest.mark.parametrize("row", REFUSED_LIKE_OTHERS, ids=ids(REFUSED_LIKE_OTHERS))
def test_words_of_a_refusal_are_to_be_followed_unless_another_key_gets_the_same(row: Case):
    """A made-up key counts before the data key."""
    check_campaign_key(row)


REFUSED_WITH_USUAL_CODE = [
    Case(
        "the usual code, as a made-up key gets",
        [
            *list_refused_twice(USUAL_CODE_MARS),
            made_up(401, USUAL_CODE_MARS),
            *DATA_KEY_ACCEPTED_TWICE,
        ],
        Said(WRONG, "Refused twice, though the Data API key is accepted: paste it again."),
    ),
    Case(
        "the usual code first, as a made-up key gets, then another code",
        [
            listed(401, USUAL_CODE_MARS),
            again(401, OTHER_CODE),
            made_up(401, USUAL_CODE_MARS),
            *DATA_KEY_ACCEPTED_TWICE,
        ],
        Said(WRONG, "Refused twice, though the Data API key is accepted: paste it again."),
    ),
    Case(
        "the usual code first in the form of the contract, then not, as a made-up key gets",
        [
            listed(401, USUAL_CODE_MARS),
            again(401, USUAL_CODE_IN_OTHER_FORM),
            made_up(401, USUAL_CODE_MARS),
            *DATA_KEY_ACCEPTED_TWICE,
        ],
        Said(WRONG, "Refused twice, though the Data API key is accepted: paste it again."),
    ),
    Case(
        "the usual code in the form of the contract, with bare words",
        [
            *list_refused_twice(error_body("request-unauthenticated", "Invalid api key")),
            *DATA_KEY_ACCEPTED_TWICE,
        ],
        Said(WRONG, "Refused twice, though the Data API key is accepted: paste it again."),
    ),
    Case(
        "the usual code in another form, with bare words",
        [
            *list_refused_twice({"code": "request-unauthenticated", "message": "Invalid api key"}),
            *DATA_KEY_ACCEPTED_TWICE,
        ],
        Said(
            WRONG,
            "Refused twice (401 request-unauthenticated: 'Invalid api key'), though "
            "the Data API key is accepted: paste it again.",
        ),
    ),
]


@pytest.mark.parametrize("row", REFUSED_WITH_USUAL_CODE, ids=ids(REFUSED_WITH_USUAL_CODE))
def test_the_usual_refusal_is_not_quoted_if_it_says_no_more_than_others_get(row: Case):
    """It is quoted if it has another form than the contract."""
    check_campaign_key(row)
