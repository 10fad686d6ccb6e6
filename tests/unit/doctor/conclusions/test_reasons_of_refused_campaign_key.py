"""
What is said of a campaign key whose reads all get 401, by the words of the first refusal: the first
of these that applies. It is *Not proved*, but *Not ready* if the data key is accepted.

Words or a code that say what became of the key decide first, with any code: a new key if it expired
or was revoked, the current one if it was rotated; after "expired", a clock of the service that is
an hour ahead is said, too. They do not count if the data key gets the same words, and a
WWW-Authenticate of the first refusal offers no Basic: then a gateway may be before the service, and
no key is to be changed. Words about a missing header lead to the Workspace header, words about
another account to the login, both also with such a challenge. Words about a permission ask for a
key with it, unless both keys get them with the challenge.

With a challenge and other words, no key is to be changed. Without one, the words are quoted, with
the realm of the challenge unless any service has it ("api"): what they ask for is to be done first,
or else key, workspace identifier and header are to be checked.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import (
    Said,
    again,
    ids,
    listed,
    made_up,
)
from support.doctor_keys import (
    CHECK_IT,
    DATA_KEY_ACCEPTED_TWICE,
    DATA_KEY_REFUSED_TWICE,
    KEY_EXPIRED,
    NOT_PROVED,
    OTHER_CODE,
    OTHER_WORKSPACE,
    ROLE_TOO_SMALL,
    TENANT_HEADER_MISSING,
    TOKEN_EXPIRED,
    USUAL_CODE_EXPIRED,
    WANTS_BEARER,
    WRONG,
    Case,
    check_campaign_key,
    list_refused_twice,
    segment_refused_twice,
)
from support.doctor_replies import (
    error_body,
)

REFUSED_IN_WORDS = [
    Case(
        "without words",
        list_refused_twice(b""),
        Said(
            NOT_PROVED,
            "Refused twice (401). Campaign API key, Workspace identifier or Workspace "
            "header may be wrong, or a gateway refuses everybody: check each of them.",
        ),
    ),
    Case(
        "with something to do",
        list_refused_twice(error_body("", "Please smile.")),
        Said(
            NOT_PROVED,
            "Refused twice (401: 'Please smile'). Do what it says; if that does not "
            "help, check Campaign API key, Workspace identifier and Workspace header.",
        ),
    ),
    Case(
        "with something to do, then in other words",
        [listed(401, error_body("", "Please smile.")), again(401, OTHER_CODE)],
        Said(
            NOT_PROVED,
            "Refused twice (401: 'Please smile'). Do what it says; if that does not "
            "help, check Campaign API key, Workspace identifier and Workspace header.",
        ),
    ),
    Case(
        "in words of no meaning",
        list_refused_twice(OTHER_CODE),
        Said(
            NOT_PROVED,
            "Refused twice (401 teapot: 'Moon phase is unfavourable'). Campaign API "
            "key, Workspace identifier or Workspace header may be wrong, or a gateway "
            "refuses everybody: check each of them.",
        ),
    ),
]


@pytest.mark.parametrize("row", REFUSED_IN_WORDS, ids=ids(REFUSED_IN_WORDS))
def test_words_of_the_first_refusal_that_name_no_reason_are_quoted(row: Case):
    """What they ask for is to be done first."""
    check_campaign_key(row)


REFUSED_WITH_REALM = [
    Case(
        "with a realm that tells something",
        list_refused_twice(b"", headers={"www-authenticate": 'Basic realm="nginx staging"'}),
        Said(
            NOT_PROVED,
            "Refused twice (401, of the realm 'nginx staging'). Campaign API key, "
            "Workspace identifier or Workspace header may be wrong, or a gateway "
            "refuses everybody: check each of them.",
        ),
    ),
    Case(
        "with a realm that tells something, then without one",
        [listed(401, b"", headers={"www-authenticate": 'Basic realm="nginx"'}), again(401)],
        Said(
            NOT_PROVED,
            "Refused twice (401, of the realm 'nginx'). Campaign API key, Workspace "
            "identifier or Workspace header may be wrong, or a gateway refuses "
            "everybody: check each of them.",
        ),
    ),
    Case(
        "with a realm that any service has",
        list_refused_twice(b"", headers={"www-authenticate": 'Basic realm="api"'}),
        Said(
            NOT_PROVED,
            "Refused twice (401). Campaign API key, Workspace identifier or Workspace "
            "header may be wrong, or a gateway refuses everybody: check each of them.",
        ),
    ),
]


@pytest.mark.parametrize("row", REFUSED_WITH_REALM, ids=ids(REFUSED_WITH_REALM))
def test_the_realm_of_the_first_refusal_is_quoted_unless_any_service_has_it(row: Case):
    check_campaign_key(row)


REFUSED_WITH_ANOTHER_SCHEME = [
    Case(
        "in words that name no reason",
        list_refused_twice(OTHER_CODE, headers={"www-authenticate": "Negotiate"}),
        Said(
            NOT_PROVED,
            "Refused twice (401 teapot: 'Moon phase is unfavourable'). What replied "
            "demands Negotiate (its WWW-Authenticate says so), and the provider sends "
            "Basic credentials only: a gateway may be before the service, and the keys "
            "may be right, so change none. Ask whoever runs it to take Basic, or for "
            "another address.",
        ),
    ),
    Case(
        "in words about a token, and the data key in the same",
        [
            *list_refused_twice(TOKEN_EXPIRED, headers=WANTS_BEARER),
            *segment_refused_twice(TOKEN_EXPIRED, headers=WANTS_BEARER),
        ],
        Said(
            NOT_PROVED,
            "Refused twice (401: 'The token has expired'). What replied demands Bearer "
            "(its WWW-Authenticate says so), and the provider sends Basic credentials "
            "only: a gateway may be before the service, and the keys may be right, so "
            "change none. Ask whoever runs it to take Basic, or for another address.",
        ),
    ),
    Case(
        "in words about a token, and the data key in others",
        [
            *list_refused_twice(TOKEN_EXPIRED, headers=WANTS_BEARER),
            *segment_refused_twice(KEY_EXPIRED, headers=WANTS_BEARER),
        ],
        Said(
            NOT_PROVED,
            "Refused twice (401: 'The token has expired'): make a new key, or have its "
            "time extended, and put it in.",
        ),
    ),
    Case(
        "in words about a token, and the data key in others, with the same status and code",
        [
            *list_refused_twice(TOKEN_EXPIRED, headers=WANTS_BEARER),
            *segment_refused_twice(error_body("", "The token has lapsed."), headers=WANTS_BEARER),
        ],
        Said(
            NOT_PROVED,
            "Refused twice (401: 'The token has expired'): make a new key, or have its "
            "time extended, and put it in.",
        ),
    ),
    Case(
        "in words about a token, and the data key was not read",
        list_refused_twice(TOKEN_EXPIRED, headers=WANTS_BEARER),
        Said(
            NOT_PROVED,
            "Refused twice (401: 'The token has expired'): make a new key, or have its "
            "time extended, and put it in.",
        ),
    ),
    Case(
        "in words about a token, and the data key in the same, with a challenge only the first "
        "time",
        [
            listed(401, TOKEN_EXPIRED, headers=WANTS_BEARER),
            again(401, TOKEN_EXPIRED),
            *segment_refused_twice(TOKEN_EXPIRED),
        ],
        Said(
            NOT_PROVED,
            "Refused twice (401: 'The token has expired'). What replied demands Bearer "
            "(its WWW-Authenticate says so), and the provider sends Basic credentials "
            "only: a gateway may be before the service, and the keys may be right, so "
            "change none. Ask whoever runs it to take Basic, or for another address.",
        ),
    ),
    Case(
        "in words about a key, and the data key in the same, without a challenge",
        [*list_refused_twice(KEY_EXPIRED), *segment_refused_twice(KEY_EXPIRED)],
        Said(
            NOT_PROVED,
            "Refused twice (401 key-expired: 'Your key has expired'): make a new key, "
            "or have its time extended, and put it in.",
        ),
    ),
    Case(
        "in words about a permission, and the data key in the same",
        [
            *list_refused_twice(ROLE_TOO_SMALL, headers=WANTS_BEARER),
            *segment_refused_twice(ROLE_TOO_SMALL, headers=WANTS_BEARER),
        ],
        Said(
            NOT_PROVED,
            "Refused twice (401: 'Your role is too small'). What replied demands "
            "Bearer (its WWW-Authenticate says so), and the provider sends Basic "
            "credentials only: a gateway may be before the service, and the keys may "
            "be right, so change none. Ask whoever runs it to take Basic, or for "
            "another address.",
        ),
    ),
    Case(
        "in words about a permission, and the data key in others",
        [*list_refused_twice(ROLE_TOO_SMALL, headers=WANTS_BEARER), *DATA_KEY_REFUSED_TWICE],
        Said(
            NOT_PROVED,
            "Refused twice (401: 'Your role is too small'). Ask an administrator of "
            "the account for a key with what it lacks.",
        ),
    ),
]


@pytest.mark.parametrize("row", REFUSED_WITH_ANOTHER_SCHEME, ids=ids(REFUSED_WITH_ANOTHER_SCHEME))
def test_a_challenge_for_another_scheme_than_basic_counts_more_than_words_that_both_keys_get(
    row: Case,
):
    """Words for the campaign key alone that name a reason, or what it lacks, count more than the
    challenge. Without a challenge, such words count.
    """
    check_campaign_key(row)


REFUSED_FOR_ANOTHER_CAUSE = [
    Case(
        "in words about an account, and the data key was not read",
        list_refused_twice(OTHER_WORKSPACE, headers=WANTS_BEARER),
        Said(
            NOT_PROVED, f"Refused twice (401: 'The keys belong to another workspace'). {CHECK_IT}"
        ),
    ),
    Case(
        "in words about an account, and the data key in the same",
        [
            *list_refused_twice(OTHER_WORKSPACE, headers=WANTS_BEARER),
            *segment_refused_twice(OTHER_WORKSPACE, headers=WANTS_BEARER),
        ],
        Said(
            NOT_PROVED, f"Refused twice (401: 'The keys belong to another workspace'). {CHECK_IT}"
        ),
    ),
    Case(
        "in words about a header, and the data key in the same",
        [
            *list_refused_twice(TENANT_HEADER_MISSING, headers=WANTS_BEARER),
            *segment_refused_twice(TENANT_HEADER_MISSING, headers=WANTS_BEARER),
        ],
        Said(NOT_PROVED, "Not settled: see Workspace header."),
    ),
]


@pytest.mark.parametrize("row", REFUSED_FOR_ANOTHER_CAUSE, ids=ids(REFUSED_FOR_ANOTHER_CAUSE))
def test_words_about_an_account_or_a_header_count_more_than_a_challenge(row: Case):
    check_campaign_key(row)


AN_HOUR_AHEAD = {"date": "Fri, 15 Jan 2027 09:00:00 GMT"}
REFUSED_FOR_A_REASON = [
    Case(
        "words that it has expired",
        list_refused_twice(KEY_EXPIRED),
        Said(
            NOT_PROVED,
            "Refused twice (401 key-expired: 'Your key has expired'): make a new key, "
            "or have its time extended, and put it in.",
        ),
    ),
    Case(
        "words that it has expired, an hour ahead of this machine",
        list_refused_twice(KEY_EXPIRED, headers=AN_HOUR_AHEAD),
        Said(
            NOT_PROVED,
            "Refused twice (401 key-expired: 'Your key has expired'): make a new key, or have its "
            "time extended, and put it in. By its Date, the service's clock is 60 minutes ahead of "
            "this machine's: if it is the service's that is wrong, put in no other key, but ask "
            "its support to set it.",
        ),
    ),
    Case(
        "a code that it was revoked, an hour ahead of this machine",
        list_refused_twice(error_body("key-revoked", "No."), headers=AN_HOUR_AHEAD),
        Said(
            NOT_PROVED,
            "Refused twice (401 key-revoked: 'No'): make a new key, or have this one enabled, and "
            "put it in.",
        ),
    ),
    Case(
        "a code that it was rotated",
        list_refused_twice(error_body("key-rotated", "No.")),
        Said(
            NOT_PROVED,
            "Refused twice (401 key-rotated: 'No'): copy the current key from where "
            "the service shows it, and put it in.",
        ),
    ),
    Case(
        "words that it has expired, then a code that it was rotated",
        [listed(401, KEY_EXPIRED), again(401, error_body("key-rotated", "No."))],
        Said(
            NOT_PROVED,
            "Refused twice (401 key-expired: 'Your key has expired'): make a new key, "
            "or have its time extended, and put it in.",
        ),
    ),
    Case(
        "a code that it was rotated, then words that it has expired",
        [listed(401, error_body("key-rotated", "No.")), again(401, KEY_EXPIRED)],
        Said(
            NOT_PROVED,
            "Refused twice (401 key-rotated: 'No'): copy the current key from where "
            "the service shows it, and put it in.",
        ),
    ),
    Case(
        "words that it has expired, with the usual code",
        list_refused_twice(error_body("request-unauthenticated", "Your key has expired.")),
        Said(
            NOT_PROVED,
            "Refused twice (401 request-unauthenticated: 'Your key has expired'): make "
            "a new key, or have its time extended, and put it in.",
        ),
    ),
    Case(
        "words that it has expired, with the usual code, as a made-up key gets",
        [*list_refused_twice(USUAL_CODE_EXPIRED), made_up(401, USUAL_CODE_EXPIRED)],
        Said(
            NOT_PROVED,
            "Refused twice (401 request-unauthenticated: 'Your key has expired'): make "
            "a new key, or have its time extended, and put it in.",
        ),
    ),
    Case(
        "words that it has expired, and the data key is accepted",
        [*list_refused_twice(KEY_EXPIRED), *DATA_KEY_ACCEPTED_TWICE],
        Said(
            WRONG,
            "Refused twice (401 key-expired: 'Your key has expired'), though the Data "
            "API key is accepted: make a new key, or have its time extended, and put "
            "it in.",
        ),
    ),
    Case(
        "words that it has expired, and that a header is required",
        list_refused_twice(error_body("", "Header X-Tenant is required, and your key has expired")),
        Said(
            NOT_PROVED,
            "Refused twice (401: 'Header X-Tenant is required, and your key has "
            "expired'): make a new key, or have its time extended, and put it in.",
        ),
    ),
]


@pytest.mark.parametrize("row", REFUSED_FOR_A_REASON, ids=ids(REFUSED_FOR_A_REASON))
def test_what_became_of_a_campaign_key_by_the_first_refusal_decides_what_to_do(row: Case):
    check_campaign_key(row)


REFUSED_FOR_SOMETHING_ELSE = [
    Case(
        "words that a header is missing",
        list_refused_twice(TENANT_HEADER_MISSING),
        Said(NOT_PROVED, "Not settled: see Workspace header."),
    ),
    Case(
        "words that the keys are of another workspace",
        list_refused_twice(OTHER_WORKSPACE),
        Said(
            NOT_PROVED,
            "Refused twice (401: 'The keys belong to another workspace'). The "
            "Workspace identifier (login) is workspace: check it, whether the keys are "
            "of it, and the Address, and run this again.",
        ),
    ),
    Case(
        "words that a role is too small",
        list_refused_twice(ROLE_TOO_SMALL),
        Said(
            NOT_PROVED,
            "Refused twice (401: 'Your role is too small'). Ask an administrator of "
            "the account for a key with what it lacks.",
        ),
    ),
]


@pytest.mark.parametrize("row", REFUSED_FOR_SOMETHING_ELSE, ids=ids(REFUSED_FOR_SOMETHING_ELSE))
def test_words_about_a_header_an_account_or_a_permission_decide_what_to_do(row: Case):
    check_campaign_key(row)
