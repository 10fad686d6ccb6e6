"""What follows from replies about the two keys: with the whole sentences, without any service."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import (
    FILES,
    FORBIDDEN,
    NOT_FOUND,
    PAGE,
    UNAUTHENTICATED,
    Said,
    again,
    campaign_key_on_segment,
    data_key_on_list,
    ids,
    listed,
    lost,
    made_up,
    made_up_list,
    made_up_segment,
    nowhere,
    numbers_of,
    one_file,
    redirected,
    segment,
    segment_again,
    with_headers,
    with_made_up_value,
)
from support.doctor_replies import (
    MOMENT,
    SETTINGS,
    changed,
    error,
    evidence_of,
    reply,
    request_for,
)
from support.doctor_service import CAMPAIGN_KEY, LIST, record
from wes_provider import contract
from wes_provider.client import requests
from wes_provider.client.failures import INCOMPLETE
from wes_provider.doctor import facts
from wes_provider.doctor.evidence import MADE_UP, Evidence, Places
from wes_provider.doctor.findings import Certainty, Topic
from wes_provider.doctor.key_conclusions import conclude_on_campaign_key, conclude_on_data_key
from wes_provider.doctor.probes import Probe, Question

WRONG, NOT_PROVED = Certainty.WRONG, Certainty.NOT_PROVED
NOT_ASKED, SURE = Certainty.NOT_ASKED, Certainty.SURE

DOCUMENTED = error(contract.REQUEST_FORBIDDEN, "No access to coupons.")
EXPIRED = error("key-expired", "Your key has expired.")
STRANGE = error("teapot", "Moon phase is unfavourable.")
OTHER_WORDS = error("teapot", "Saturn is in retrograde.")
NO_SCOPE = error("not-found", "Nothing here that your permissions show.")
BEARER = {"www-authenticate": 'Bearer error="invalid_token"'}
TOKEN_EXPIRED = error("", "The token has expired.")
TOO_SMALL = error("", "Your role is too small.")
MISMATCH = error("", "The keys belong to another workspace.")
USUAL_EXPIRED = error("request-unauthenticated", "Your key has expired.")
MARS = error("request-unauthenticated", "Mars is near.")
MARS_OTHERWISE = {"code": "request-unauthenticated", "message": "Mars is near."}
HEADER_MISSING = error("", "Missing tenant header")
CHECK_IT = (
    "The Workspace identifier (login) is workspace: check it, whether the keys are of it, and the "
    "Address, and run this again."
)
LIST_ACCEPTED_TWICE = [listed(200, FILES), again(200, FILES)]


class Case(NamedTuple):
    """Replies, and what is said of a key."""

    name: str
    probes: Sequence[Probe]
    said: Said
    settings: Any = SETTINGS
    not_asked: Mapping[Question, str] = {}
    list_id: str = LIST

    @property
    def evidence(self) -> Evidence:
        return evidence_of(
            *self.probes,
            settings=self.settings,
            not_asked=self.not_asked,
            list_id=self.list_id,
        )


def twice(status: int, content: Any, **more: Any) -> list[Probe]:
    """The read of the list, twice with the same reply."""
    return [listed(status, content, **more), again(status, content, **more)]


def refused_twice(content: Any = UNAUTHENTICATED, **more: Any) -> list[Probe]:
    """The read of the list, twice with 401."""
    return twice(401, content, **more)


def segment_twice(status: int, content: Any, **more: Any) -> list[Probe]:
    """The read of a segment with the data key, twice with the same reply."""
    return [segment(status, content, **more), segment_again(status, content, **more)]


def segment_refused_twice(content: Any = UNAUTHENTICATED, **more: Any) -> list[Probe]:
    """The read of a segment with the data key, twice with 401."""
    return segment_twice(401, content, **more)


ACCEPTED_DATA_KEY = [segment(), segment_again(), made_up_segment()]
REFUSED_DATA_KEY = segment_refused_twice(error("no-segments", "Segments want another."))


CACHED = {"age": "30"}


def check_campaign_key(row: Case) -> None:
    """The finding about the campaign key says what the row says, word for word."""
    evidence = row.evidence
    finding = conclude_on_campaign_key(evidence, facts.places(evidence))
    assert finding.topic is Topic.CAMPAIGN_KEY
    assert Said.of(finding) == row.said


SWAPS = [
    # It is refused twice.
    Case(
        "refused, and both are accepted in the other's place",
        [*refused_twice(), *REFUSED_DATA_KEY, data_key_on_list(), campaign_key_on_segment()],
        Said(
            WRONG,
            "Refused twice (401 request-unauthenticated: 'Credentials are missing or "
            "invalid'), while each key is accepted in the other's place: swap Campaign "
            "API key and Data API key.",
        ),
    ),
    Case(
        "refused, and the data key is accepted in its place",
        [*refused_twice(), *REFUSED_DATA_KEY, data_key_on_list(), campaign_key_on_segment(401)],
        Said(
            WRONG,
            "Refused twice (401 request-unauthenticated: 'Credentials are missing or "
            "invalid'). The Data API key is accepted in its place: paste the right "
            "one.",
        ),
    ),
    Case(
        "refused, and it is accepted for segments",
        [*refused_twice(), *REFUSED_DATA_KEY, data_key_on_list(401), campaign_key_on_segment()],
        Said(
            WRONG,
            "Refused twice, but it is accepted as Data API key: paste the key for "
            "coupons in its place.",
        ),
    ),
    # It gets a 403 that is not the documented one.
    Case(
        "403 twice, and both are accepted in the other's place",
        [
            *twice(403, FORBIDDEN),
            *REFUSED_DATA_KEY,
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
        [*twice(403, FORBIDDEN), *REFUSED_DATA_KEY, data_key_on_list()],
        Said(
            WRONG,
            "The service replies 403 forbidden: 'Not you'. The Data API key is "
            "accepted in its place: paste the right one.",
        ),
    ),
    Case(
        "403 once, and the data key is accepted in its place",
        [listed(403, FORBIDDEN), *REFUSED_DATA_KEY, data_key_on_list()],
        Said(
            WRONG,
            "The service replies 403 forbidden: 'Not you'. The Data API key is "
            "accepted in its place: paste the right one.",
        ),
    ),
]


@pytest.mark.parametrize("row", SWAPS, ids=ids(SWAPS))
def test_a_campaign_key_and_a_data_key_that_may_be_swapped(row: Case):
    """
    It is refused twice, or gets a 403 that is not the documented one, and a read with swapped keys
    is accepted.
    """
    check_campaign_key(row)


NO_SWAP = [
    Case(
        "the documented 403, and the data key in its place",
        [*twice(403, DOCUMENTED), made_up(), *REFUSED_DATA_KEY, data_key_on_list()],
        Said(
            WRONG,
            "Accepted, but the account has no access to coupons (403 "
            "request-forbidden: 'No access to coupons'): ask support.",
        ),
    ),
    Case(
        "refused once, and the data key in its place",
        [listed(401, UNAUTHENTICATED), *REFUSED_DATA_KEY, data_key_on_list()],
        Said(
            NOT_PROVED,
            "Refused once. Not proved by a second read: other replies left it open. "
            "Run this again later.",
        ),
    ),
]


@pytest.mark.parametrize("row", NO_SWAP, ids=ids(NO_SWAP))
def test_a_campaign_key_that_is_not_taken_for_a_swapped_one(row: Case):
    """
    It is accepted without access, or refused only once, though the data key is accepted for
    coupons.
    """
    check_campaign_key(row)


REFUSED_UNEXPLAINED = [
    # How often.
    Case(
        "twice",
        refused_twice(),
        Said(
            NOT_PROVED,
            "Refused twice (401 request-unauthenticated: 'Credentials are missing or "
            "invalid'). Campaign API key, Workspace identifier or Workspace header may "
            "be wrong, or a gateway refuses everybody: check each of them.",
        ),
    ),
    Case(
        "three times",
        [*refused_twice(), again(401, UNAUTHENTICATED)],
        Said(
            NOT_PROVED,
            "Refused 3 times (401 request-unauthenticated: 'Credentials are missing or "
            "invalid'). Campaign API key, Workspace identifier or Workspace header may "
            "be wrong, or a gateway refuses everybody: check each of them.",
        ),
    ),
    # A cache replied.
    Case(
        "by a cache, both times",
        refused_twice(b"", headers=CACHED),
        Said(
            NOT_PROVED,
            "Refused twice, by replies that a cache had kept (Age: 30), so they say nothing of "
            "this key. Ask whoever runs the cache not to keep refusals, and run this again once it "
            "has dropped these.",
        ),
    ),
    Case(
        "by a cache, the first time",
        [listed(401, b"", headers=CACHED), again(401, b"")],
        Said(
            NOT_PROVED,
            "Refused twice (401). Campaign API key, Workspace identifier or Workspace "
            "header may be wrong, or a gateway refuses everybody: check each of them.",
        ),
    ),
    # Its words.
    Case(
        "without words",
        refused_twice(b""),
        Said(
            NOT_PROVED,
            "Refused twice (401). Campaign API key, Workspace identifier or Workspace "
            "header may be wrong, or a gateway refuses everybody: check each of them.",
        ),
    ),
    Case(
        "with something to do",
        refused_twice(error("", "Please smile.")),
        Said(
            NOT_PROVED,
            "Refused twice (401: 'Please smile'). Do what it says; if that does not "
            "help, check Campaign API key, Workspace identifier and Workspace header.",
        ),
    ),
    Case(
        "with something to do, then in other words",
        [listed(401, error("", "Please smile.")), again(401, STRANGE)],
        Said(
            NOT_PROVED,
            "Refused twice (401: 'Please smile'). Do what it says; if that does not "
            "help, check Campaign API key, Workspace identifier and Workspace header.",
        ),
    ),
    Case(
        "in words of no meaning",
        refused_twice(STRANGE),
        Said(
            NOT_PROVED,
            "Refused twice (401 teapot: 'Moon phase is unfavourable'). Campaign API "
            "key, Workspace identifier or Workspace header may be wrong, or a gateway "
            "refuses everybody: check each of them.",
        ),
    ),
    # Its realm.
    Case(
        "with a realm that tells something",
        refused_twice(b"", headers={"www-authenticate": 'Basic realm="nginx staging"'}),
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
        refused_twice(b"", headers={"www-authenticate": 'Basic realm="api"'}),
        Said(
            NOT_PROVED,
            "Refused twice (401). Campaign API key, Workspace identifier or Workspace "
            "header may be wrong, or a gateway refuses everybody: check each of them.",
        ),
    ),
]


@pytest.mark.parametrize("row", REFUSED_UNEXPLAINED, ids=ids(REFUSED_UNEXPLAINED))
def test_a_campaign_key_that_is_refused_without_a_reason(row: Case):
    """
    What is refused may be key, identifier or header. The table has how often, the words and the
    realm, which are quoted.
    """
    check_campaign_key(row)


REFUSED_WITH_ANOTHER_SCHEME = [
    # The words name no reason.
    Case(
        "in words that name no reason",
        refused_twice(STRANGE, headers={"www-authenticate": "Negotiate"}),
        Said(
            NOT_PROVED,
            "Refused twice (401 teapot: 'Moon phase is unfavourable'). What replied "
            "demands Negotiate (its WWW-Authenticate says so), and the provider sends "
            "Basic credentials only: a gateway may be before the service, and the keys "
            "may be right, so change none. Ask whoever runs it to take Basic, or for "
            "another address.",
        ),
    ),
    # The words name a reason, or what the key lacks.
    Case(
        "in words about a token, and the data key in the same",
        [
            *refused_twice(TOKEN_EXPIRED, headers=BEARER),
            *segment_refused_twice(TOKEN_EXPIRED, headers=BEARER),
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
            *refused_twice(TOKEN_EXPIRED, headers=BEARER),
            *segment_refused_twice(EXPIRED, headers=BEARER),
        ],
        Said(
            NOT_PROVED,
            "Refused twice (401: 'The token has expired'): make a new key, or have its "
            "time extended, and put it in.",
        ),
    ),
    Case(
        "in words about a token, and the data key was not read",
        refused_twice(TOKEN_EXPIRED, headers=BEARER),
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
            listed(401, TOKEN_EXPIRED, headers=BEARER),
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
        [*refused_twice(EXPIRED), *segment_refused_twice(EXPIRED)],
        Said(
            NOT_PROVED,
            "Refused twice (401 key-expired: 'Your key has expired'): make a new key, "
            "or have its time extended, and put it in.",
        ),
    ),
    Case(
        "in words about a permission, and the data key in the same",
        [
            *refused_twice(TOO_SMALL, headers=BEARER),
            *segment_refused_twice(TOO_SMALL, headers=BEARER),
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
        [*refused_twice(TOO_SMALL, headers=BEARER), *REFUSED_DATA_KEY],
        Said(
            NOT_PROVED,
            "Refused twice (401: 'Your role is too small'). Ask an administrator of "
            "the account for a key with what it lacks.",
        ),
    ),
    # The words are about an account or a header: these come first.
    Case(
        "in words about an account, and the data key was not read",
        refused_twice(MISMATCH, headers=BEARER),
        Said(
            NOT_PROVED, f"Refused twice (401: 'The keys belong to another workspace'). {CHECK_IT}"
        ),
    ),
    Case(
        "in words about an account, and the data key in the same",
        [
            *refused_twice(MISMATCH, headers=BEARER),
            *segment_refused_twice(MISMATCH, headers=BEARER),
        ],
        Said(
            NOT_PROVED, f"Refused twice (401: 'The keys belong to another workspace'). {CHECK_IT}"
        ),
    ),
    Case(
        "in words about a header, and the data key in the same",
        [
            *refused_twice(HEADER_MISSING, headers=BEARER),
            *segment_refused_twice(HEADER_MISSING, headers=BEARER),
        ],
        Said(NOT_PROVED, "Not settled: see Workspace header."),
    ),
]


@pytest.mark.parametrize("row", REFUSED_WITH_ANOTHER_SCHEME, ids=ids(REFUSED_WITH_ANOTHER_SCHEME))
def test_a_campaign_key_that_is_refused_with_a_challenge_for_another_scheme_than_basic(row: Case):
    """
    The table has words that name no reason: the challenge counts; words that name one, or what the
    key lacks: it counts if the data key gets the same; words about an account or a header: it does
    not count.
    """
    check_campaign_key(row)


REFUSED_FOR_A_REASON = [
    # A reason about the key.
    Case(
        "a reason",
        refused_twice(EXPIRED),
        Said(
            NOT_PROVED,
            "Refused twice (401 key-expired: 'Your key has expired'): make a new key, "
            "or have its time extended, and put it in.",
        ),
    ),
    Case(
        "a reason in its code",
        refused_twice(error("key-rotated", "No.")),
        Said(
            NOT_PROVED,
            "Refused twice (401 key-rotated: 'No'): copy the current key from where "
            "the service shows it, and put it in.",
        ),
    ),
    Case(
        "a reason, then another one",
        [listed(401, EXPIRED), again(401, error("key-rotated", "No."))],
        Said(
            NOT_PROVED,
            "Refused twice (401 key-expired: 'Your key has expired'): make a new key, "
            "or have its time extended, and put it in.",
        ),
    ),
    Case(
        "a reason in its code, then another one",
        [listed(401, error("key-rotated", "No.")), again(401, EXPIRED)],
        Said(
            NOT_PROVED,
            "Refused twice (401 key-rotated: 'No'): copy the current key from where "
            "the service shows it, and put it in.",
        ),
    ),
    Case(
        "a reason, with the usual code",
        refused_twice(error("request-unauthenticated", "Your key has expired.")),
        Said(
            NOT_PROVED,
            "Refused twice (401 request-unauthenticated: 'Your key has expired'): make "
            "a new key, or have its time extended, and put it in.",
        ),
    ),
    Case(
        "a reason, with the usual code, as a made-up key gets",
        [*refused_twice(USUAL_EXPIRED), made_up(401, USUAL_EXPIRED)],
        Said(
            NOT_PROVED,
            "Refused twice (401 request-unauthenticated: 'Your key has expired'): make "
            "a new key, or have its time extended, and put it in.",
        ),
    ),
    Case(
        "a reason, and the data key is accepted",
        [*refused_twice(EXPIRED), *ACCEPTED_DATA_KEY],
        Said(
            WRONG,
            "Refused twice (401 key-expired: 'Your key has expired'), though the Data "
            "API key is accepted: make a new key, or have its time extended, and put "
            "it in.",
        ),
    ),
    Case(
        "a reason and a header",
        refused_twice(error("", "Header X-Tenant is required, and your key has expired")),
        Said(
            NOT_PROVED,
            "Refused twice (401: 'Header X-Tenant is required, and your key has "
            "expired'): make a new key, or have its time extended, and put it in.",
        ),
    ),
    # A header, an account or a permission.
    Case(
        "a header",
        refused_twice(HEADER_MISSING),
        Said(NOT_PROVED, "Not settled: see Workspace header."),
    ),
    Case(
        "an account",
        refused_twice(MISMATCH),
        Said(
            NOT_PROVED,
            "Refused twice (401: 'The keys belong to another workspace'). The "
            "Workspace identifier (login) is workspace: check it, whether the keys are "
            "of it, and the Address, and run this again.",
        ),
    ),
    Case(
        "a permission",
        refused_twice(TOO_SMALL),
        Said(
            NOT_PROVED,
            "Refused twice (401: 'Your role is too small'). Ask an administrator of "
            "the account for a key with what it lacks.",
        ),
    ),
    # Credentials that did not arrive.
    Case(
        "credentials that did not arrive",
        refused_twice(error("", "Authorization header is missing.")),
        Said(
            NOT_PROVED,
            "Refused twice (401: 'Authorization header is missing'). Each request had "
            "an Authorization header (Basic), so something between may take it out: "
            "change no key, and ask whoever runs it to pass that header on. No key was "
            "judged.",
        ),
    ),
    Case(
        "credentials that did not arrive, by way of a proxy",
        refused_twice(error("", "Authorization header is missing."), headers={"via": "1.1 edge"}),
        Said(
            NOT_PROVED,
            "Refused twice (401: 'Authorization header is missing'). Each request had "
            "an Authorization header (Basic), so something between may take it out (replies have "
            "Via: 1.1 edge): change no key, and ask whoever runs it to pass that header on. No key "
            "was judged.",
        ),
    ),
]


@pytest.mark.parametrize("row", REFUSED_FOR_A_REASON, ids=ids(REFUSED_FOR_A_REASON))
def test_a_campaign_key_that_is_refused_for_a_reason(row: Case):
    """
    Code or words of the refusal are about the key; a header, an account or a permission; or
    credentials that did not arrive. The advice follows from that.
    """
    check_campaign_key(row)


OTHER_ACCEPTED = [
    # A page, or words that say no more than that it is refused.
    Case(
        "a page",
        [*refused_twice(PAGE), *ACCEPTED_DATA_KEY],
        Said(
            WRONG,
            "Refused twice (401: 'Hello'), though the Data API key is accepted: what "
            "replied sent a web page and no JSON of the service's, so it may be before "
            "it: ask whoever runs it to let requests through, or paste the key again.",
        ),
    ),
    Case(
        "a page, then an error",
        [listed(401, PAGE), again(401, STRANGE), *ACCEPTED_DATA_KEY],
        Said(
            WRONG,
            "Refused twice (401: 'Hello'), though the Data API key is accepted: what "
            "replied sent a web page and no JSON of the service's, so it may be before "
            "it: ask whoever runs it to let requests through, or paste the key again.",
        ),
    ),
    Case(
        "without words",
        [*refused_twice(b""), *ACCEPTED_DATA_KEY],
        Said(WRONG, "Refused twice, though the Data API key is accepted: paste it again."),
    ),
    Case(
        "without words, then with an error",
        [listed(401), again(401, STRANGE), *ACCEPTED_DATA_KEY],
        Said(WRONG, "Refused twice, though the Data API key is accepted: paste it again."),
    ),
    Case(
        "a stock sentence",
        [*refused_twice(error("", "Unauthorized")), *ACCEPTED_DATA_KEY],
        Said(
            WRONG,
            "Refused twice (401: 'Unauthorized'), though the Data API key is accepted: "
            "paste it again.",
        ),
    ),
    Case(
        "a sentence of its status",
        [*refused_twice(error("", "401 Authorization Required")), *ACCEPTED_DATA_KEY],
        Said(
            WRONG,
            "Refused twice (401: '401 Authorization Required'), though the Data API "
            "key is accepted: paste it again.",
        ),
    ),
    Case(
        "bare words",
        [*refused_twice(error("", "Invalid api key")), *ACCEPTED_DATA_KEY],
        Said(
            WRONG,
            "Refused twice (401: 'Invalid api key'), though the Data API key is "
            "accepted: paste it again.",
        ),
    ),
    # Words that may say more, and no other key is refused with words.
    Case(
        "the usual words",
        [*refused_twice(), *ACCEPTED_DATA_KEY],
        Said(
            WRONG,
            "Refused twice (401 request-unauthenticated: 'Credentials are missing or "
            "invalid'), though the Data API key is accepted: paste it again, or do "
            "what it says.",
        ),
    ),
    Case(
        "the usual words, and the data key is accepted only once",
        [*refused_twice(), segment(), made_up_segment()],
        Said(
            WRONG,
            "Refused twice (401 request-unauthenticated: 'Credentials are missing or "
            "invalid'), though the Data API key is accepted: paste it again, or do "
            "what it says.",
        ),
    ),
    Case(
        "the usual code, and other words",
        [*refused_twice(MARS), *ACCEPTED_DATA_KEY],
        Said(
            WRONG,
            "Refused twice (401 request-unauthenticated: 'Mars is near'), though the "
            "Data API key is accepted: paste it again, or do what it says.",
        ),
    ),
    Case(
        "the usual code and other words, then another code",
        [listed(401, MARS), again(401, STRANGE), *ACCEPTED_DATA_KEY],
        Said(
            WRONG,
            "Refused twice (401 request-unauthenticated: 'Mars is near'), though the "
            "Data API key is accepted: paste it again, or do what it says.",
        ),
    ),
    Case(
        "another code",
        [*refused_twice(STRANGE), *ACCEPTED_DATA_KEY],
        Said(
            WRONG,
            "Refused twice (401 teapot: 'Moon phase is unfavourable'), though the Data "
            "API key is accepted: do what it says, or ask the service's support which "
            "key this needs.",
        ),
    ),
    Case(
        "another code, and a made-up key is refused without words",
        [*refused_twice(STRANGE), made_up(401, b""), *ACCEPTED_DATA_KEY],
        Said(
            WRONG,
            "Refused twice (401 teapot: 'Moon phase is unfavourable'), though the Data "
            "API key is accepted: do what it says, or ask the service's support which "
            "key this needs.",
        ),
    ),
    Case(
        "another code, and a made-up key gets 404",
        [*refused_twice(STRANGE), made_up(404), *ACCEPTED_DATA_KEY],
        Said(
            WRONG,
            "Refused twice (401 teapot: 'Moon phase is unfavourable'), though the Data "
            "API key is accepted: do what it says, or ask the service's support which "
            "key this needs.",
        ),
    ),
    # Another key is refused there, too.
    Case(
        "another code, as a made-up key gets",
        [*refused_twice(STRANGE), made_up(401, STRANGE), *ACCEPTED_DATA_KEY],
        Said(
            WRONG,
            "Refused twice (401 teapot: 'Moon phase is unfavourable'), though the Data "
            "API key is accepted: paste it again.",
        ),
    ),
    Case(
        "another code, and a made-up key gets other words",
        [*refused_twice(STRANGE), made_up(401, OTHER_WORDS), *ACCEPTED_DATA_KEY],
        Said(
            WRONG,
            "Refused twice (401 teapot: 'Moon phase is unfavourable'), though the Data "
            "API key is accepted: do what it says, since another key gets other words; "
            "or ask the service's support which key this needs.",
        ),
    ),
    Case(
        "another code, and the data key gets other words there",
        [*refused_twice(STRANGE), data_key_on_list(401, OTHER_WORDS), *ACCEPTED_DATA_KEY],
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
            *refused_twice(STRANGE),
            data_key_on_list(401, OTHER_WORDS),
            made_up(401, STRANGE),
            *ACCEPTED_DATA_KEY,
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
            *refused_twice(STRANGE),
            data_key_on_list(401, STRANGE),
            made_up(401, OTHER_WORDS),
            *ACCEPTED_DATA_KEY,
        ],
        Said(
            WRONG,
            "Refused twice (401 teapot: 'Moon phase is unfavourable'), though the Data "
            "API key is accepted: do what it says, since another key gets other words; "
            "or ask the service's support which key this needs.",
        ),
    ),
    # The usual code, in the form of the contract or not.
    Case(
        "the usual code, as a made-up key gets",
        [
            *refused_twice(MARS),
            made_up(401, MARS),
            *ACCEPTED_DATA_KEY,
        ],
        Said(WRONG, "Refused twice, though the Data API key is accepted: paste it again."),
    ),
    Case(
        "the usual code first, as a made-up key gets, then another code",
        [listed(401, MARS), again(401, STRANGE), made_up(401, MARS), *ACCEPTED_DATA_KEY],
        Said(WRONG, "Refused twice, though the Data API key is accepted: paste it again."),
    ),
    Case(
        "the usual code first in the form of the contract, then not, as a made-up key gets",
        [listed(401, MARS), again(401, MARS_OTHERWISE), made_up(401, MARS), *ACCEPTED_DATA_KEY],
        Said(WRONG, "Refused twice, though the Data API key is accepted: paste it again."),
    ),
    Case(
        "the usual code in the form of the contract, with bare words",
        [
            *refused_twice(error("request-unauthenticated", "Invalid api key")),
            *ACCEPTED_DATA_KEY,
        ],
        Said(WRONG, "Refused twice, though the Data API key is accepted: paste it again."),
    ),
    Case(
        "the usual code in another form, with bare words",
        [
            *refused_twice({"code": "request-unauthenticated", "message": "Invalid api key"}),
            *ACCEPTED_DATA_KEY,
        ],
        Said(
            WRONG,
            "Refused twice (401 request-unauthenticated: 'Invalid api key'), though "
            "the Data API key is accepted: paste it again.",
        ),
    ),
]


@pytest.mark.parametrize("row", OTHER_ACCEPTED, ids=ids(OTHER_ACCEPTED))
def test_a_campaign_key_that_is_refused_though_the_data_key_is_accepted(row: Case):
    """
    The key is wrong: paste it again, or do what the words of the refusal ask for. The table has
    words that say nothing more; words that may say more; words that another key gets or does not
    get; and the usual code.
    """
    check_campaign_key(row)


ACCEPTED_TWICE = [
    # How often, and what the own key gets.
    Case(
        "files twice",
        [*LIST_ACCEPTED_TWICE, made_up()],
        Said(SURE, "Accepted twice; a made-up key is refused."),
    ),
    Case(
        "files three times",
        [*LIST_ACCEPTED_TWICE, again(200, FILES), made_up()],
        Said(SURE, "Accepted 3 times; a made-up key is refused."),
    ),
    Case(
        "an unknown list twice, but a file",
        [*twice(404, NOT_FOUND), made_up(), one_file(200, record("f1"))],
        Said(SURE, "Accepted twice; a made-up key is refused."),
    ),
    # What a made-up key gets.
    Case(
        "a made-up key is refused without words",
        [*LIST_ACCEPTED_TWICE, made_up(401, b"")],
        Said(SURE, "Accepted twice; a made-up key is refused."),
    ),
    Case(
        "a made-up key gets 403",
        [*LIST_ACCEPTED_TWICE, made_up(403, FORBIDDEN)],
        Said(SURE, "Accepted twice; a made-up key is refused."),
    ),
    Case(
        "a made-up key gets 404",
        [*LIST_ACCEPTED_TWICE, made_up(404, NOT_FOUND)],
        Said(SURE, "Accepted twice; a made-up key gets 404 not-found."),
    ),
    Case(
        "a made-up key gets no file",
        [*LIST_ACCEPTED_TWICE, made_up(200, [])],
        Said(SURE, "Accepted twice; a made-up key gets 200."),
    ),
    Case(
        "a made-up key gets a page",
        [*LIST_ACCEPTED_TWICE, made_up(200, PAGE)],
        Said(SURE, "Accepted twice; a made-up key gets a page."),
    ),
    Case(
        "a made-up key is redirected to a login",
        [*LIST_ACCEPTED_TWICE, made_up(302, b"", headers={"location": "/login"})],
        Said(SURE, "Accepted twice; a made-up key is sent elsewhere."),
    ),
]


@pytest.mark.parametrize("row", ACCEPTED_TWICE, ids=ids(ACCEPTED_TWICE))
def test_a_campaign_key_that_is_accepted_twice_and_another_is_not(row: Case):
    """
    Sure: it was answered twice, and got a list or a file. The table has how often, and what a
    made-up key gets.
    """
    check_campaign_key(row)


KNOWN_WITHOUT_ACCESS = [
    # It is told apart, and not said to lack anything.
    Case(
        "an unknown list",
        [*twice(404, NOT_FOUND), made_up()],
        Said(
            NOT_ASKED,
            "Known: a made-up key is refused. But no read with it got a list or a "
            "file, so whether it may read coupons is not shown.",
        ),
    ),
    Case(
        "a list that cannot be read, for the own key only",
        [
            *twice(200, "no JSON", headers={"content-type": "application/json"}),
            nowhere(),
            made_up(),
        ],
        Said(
            NOT_ASKED,
            "Known: a made-up key is refused. But no read with it got a list or a "
            "file, so whether it may read coupons is not shown.",
        ),
    ),
    Case(
        "another error, read twice",
        [*twice(400, STRANGE), made_up(400, error("other", "Never."))],
        Said(
            NOT_ASKED,
            "Known: a made-up key gets 400 other. But no read with it got a list or a "
            "file, so whether it may read coupons is not shown.",
        ),
    ),
    # The words say what it lacks, or it gets a 403.
    Case(
        "a 404 about a permission",
        [*twice(404, NO_SCOPE), made_up()],
        Said(
            NOT_PROVED,
            "The service replies 404 not-found: 'Nothing here that your permissions "
            "show', while a made-up key is refused. Ask an administrator of the "
            "account for a key with what it lacks.",
        ),
    ),
    Case(
        "403",
        [*twice(403, FORBIDDEN), made_up()],
        Said(
            WRONG,
            "The service replies 403 forbidden: 'Not you', while a made-up key is "
            "refused. Ask the service's support.",
        ),
    ),
    Case(
        "403 as documented",
        [*twice(403, DOCUMENTED), made_up()],
        Said(
            WRONG,
            "Accepted, but the account has no access to coupons (403 "
            "request-forbidden: 'No access to coupons'): ask support.",
        ),
    ),
    Case(
        "403 about an account",
        [*twice(403, error("", "Unknown workspace.")), made_up()],
        Said(
            WRONG,
            "The service replies 403: 'Unknown workspace', while a made-up key is "
            "refused. The Workspace identifier (login) is workspace: check it, whether "
            "the keys are of it, and the Address, and run this again.",
        ),
    ),
    Case(
        "403 about an account, then another 403",
        [listed(403, MISMATCH), again(403, FORBIDDEN), made_up()],
        Said(
            WRONG,
            "The service replies 403: 'The keys belong to another workspace', while a "
            "made-up key is refused. The Workspace identifier (login) is workspace: "
            "check it, whether the keys are of it, and the Address, and run this "
            "again.",
        ),
    ),
    Case(
        "403 about a role, then another 403",
        [listed(403, TOO_SMALL), again(403, FORBIDDEN), made_up()],
        Said(
            WRONG,
            "The service replies 403: 'Your role is too small', while a made-up key is "
            "refused. Ask an administrator of the account for a key with what it "
            "lacks.",
        ),
    ),
]


@pytest.mark.parametrize("row", KNOWN_WITHOUT_ACCESS, ids=ids(KNOWN_WITHOUT_ACCESS))
def test_a_campaign_key_that_is_known_but_gets_no_files(row: Case):
    """
    The table has errors that do not say what the key lacks, and a list that cannot be read; then a
    404 about a permission, and 403.
    """
    check_campaign_key(row)


ACCEPTED_ONCE = [
    # What the only read gets.
    Case(
        "403 once",
        [listed(403, FORBIDDEN), made_up()],
        Said(
            NOT_PROVED,
            "Accepted once; a made-up key is refused. Not proved by a second read: "
            "other replies left it open. Run this again later.",
        ),
    ),
    Case(
        "a 404 about a permission once",
        [listed(404, NO_SCOPE), made_up()],
        Said(
            NOT_PROVED,
            "Accepted once; a made-up key is refused. Not proved by a second read: "
            "other replies left it open. Run this again later.",
        ),
    ),
    Case(
        "files once",
        [listed(200, FILES), made_up()],
        Said(
            NOT_PROVED,
            "Accepted once; a made-up key is refused. Not proved by a second read: "
            "other replies left it open. Run this again later.",
        ),
    ),
    Case(
        "a list that cannot be read, once",
        [
            listed(200, "no JSON", headers={"content-type": "application/json"}),
            nowhere(),
            made_up(),
        ],
        Said(
            NOT_PROVED,
            "Accepted once; a made-up key is refused. Not proved by a second read: "
            "other replies left it open. Run this again later.",
        ),
    ),
    Case(
        "an unknown list once",
        [listed(404, NOT_FOUND), made_up()],
        Said(
            NOT_PROVED,
            "Accepted once; a made-up key is refused. Not proved by a second read: "
            "other replies left it open. Run this again later.",
        ),
    ),
    # Why there was no second read.
    Case(
        "files once, and the time ran out",
        [listed(200, FILES), made_up()],
        Said(
            NOT_PROVED,
            "Accepted once; a made-up key is refused. Not proved by a second read: the "
            "time ran out. Run this again later.",
        ),
        not_asked={Question.AGAIN: "the time ran out"},
    ),
    Case(
        "files once, and no reply later",
        [listed(200, FILES), lost(question=Question.AGAIN, sent_at=MOMENT + 60), made_up()],
        Said(
            NOT_PROVED,
            "Accepted once; a made-up key is refused. Not proved by a second read: the "
            "request got no whole response (ReadTimeout). Run this again later.",
        ),
    ),
    Case(
        "files once, and no reply at the same moment",
        [listed(200, FILES), lost(question=Question.AGAIN, sent_at=MOMENT), made_up()],
        Said(
            NOT_PROVED,
            "Accepted once; a made-up key is refused. Not proved by a second read: "
            "other replies left it open. Run this again later.",
        ),
    ),
    Case(
        "files once, and no reply before",
        [lost(sent_at=MOMENT - 60), listed(200, FILES), made_up()],
        Said(
            NOT_PROVED,
            "Accepted once; a made-up key is refused. Not proved by a second read: "
            "other replies left it open. Run this again later.",
        ),
    ),
    Case(
        "files once, after three failures",
        [
            reply(500, sent_at=MOMENT - 9),
            reply(502, sent_at=MOMENT - 8),
            reply(502, sent_at=MOMENT - 7),
            listed(200, FILES),
            made_up(),
        ],
        Said(
            NOT_PROVED,
            "Accepted once; a made-up key is refused. Not proved by a second read: "
            "other replies left it open, and 3 of 5 replies were 500, 502. Run this "
            "again later.",
        ),
    ),
]


@pytest.mark.parametrize("row", ACCEPTED_ONCE, ids=ids(ACCEPTED_ONCE))
def test_a_campaign_key_that_is_accepted_once(row: Case):
    """The table has what the only read gets, and then why there was no second one."""
    check_campaign_key(row)


READ_OF_ESCAPED_LIST = request_for(Question.LIST, list_id="spring/sale")
NOT_SHOWN = [
    # No made-up key was read.
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
        twice(400, error("", "Your plan has no API.")),
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: a made-up key was not compared, "
            "because other replies left it open. Run this again later.",
        ),
    ),
    # A made-up key gets the same, or what tells nothing.
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
            *twice(200, [record("f1", coupons_list_id="winter")]),
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
        [*twice(400, STRANGE), made_up(400, STRANGE)],
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: a made-up key gets the same (400 "
            "teapot: 'Moon phase is unfavourable'). --upload URL shows it.",
        ),
    ),
    Case(
        "another error, read once",
        [listed(400, STRANGE), made_up(400, error("other", "Never."))],
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: it gets 400 teapot, a made-up key "
            "400 other. --upload URL shows it.",
        ),
    ),
    Case(
        "the same error in other words",
        [listed(400, STRANGE), made_up(400, OTHER_WORDS)],
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
            *twice(400, error("", "Your plan has no API.")),
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
            again(400, STRANGE),
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
            *twice(400, error("", "Your scope is small.")),
            made_up(400, error("", "Your scope is small.")),
        ],
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: a made-up key gets the same (400: "
            "'Your scope is small'). --upload URL shows it.",
        ),
    ),
    # The list cannot be read.
    Case(
        "a list that cannot be read, and no made-up key",
        [*twice(200, "no JSON", headers={"content-type": "application/json"}), nowhere()],
        Said(NOT_ASKED, "Not judged, since the list cannot be read: see Path of the list's files."),
    ),
    Case(
        "a list that cannot be read, as a made-up key cannot",
        [
            *twice(200, "no JSON", headers={"content-type": "application/json"}),
            nowhere(),
            made_up(200, "no JSON", headers={"content-type": "application/json"}),
        ],
        Said(NOT_ASKED, "Not judged, since the list cannot be read: see Path of the list's files."),
    ),
]


@pytest.mark.parametrize("row", NOT_SHOWN, ids=ids(NOT_SHOWN))
def test_a_campaign_key_that_no_comparison_with_a_made_up_key_shows(row: Case):
    """
    The table has reads without a made-up key; with one that gets the same, or what tells nothing;
    and lists that cannot be read.
    """
    check_campaign_key(row)


BOTH = [
    # At the list alone.
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
    # Also at the path of a file.
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


@pytest.mark.parametrize("row", BOTH, ids=ids(BOTH))
def test_a_campaign_key_that_is_accepted_and_refused(row: Case):
    """
    Moment and path of the first acceptance and of one refusal are said: of one at a file's path, if
    there is one, even if the list was refused earlier; else of the list's first.
    """
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
def test_a_campaign_key_that_is_refused_once(row: Case):
    """Not proved by a second read, and why there was none is said."""
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
def test_a_campaign_key_whose_last_read_gets_429(row: Case):
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
def test_a_campaign_key_whose_read_is_refused_for_something_else(row: Case):
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
def test_a_campaign_key_whose_reads_bring_no_answer(row: Case):
    """Nothing was read, nothing came, or the service failed."""
    check_campaign_key(row)


FAILS = {Question.LIST: "it failed"}
LIST_FAILS = [
    # What other reads get.
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
    # What a list gets that does not exist.
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
    # Responses that are cut off.
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
    # Words of the failures.
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


@pytest.mark.parametrize("row", LIST_FAILS, ids=ids(LIST_FAILS))
def test_a_campaign_key_whose_reads_of_the_list_fail(row: Case):
    """
    The table has what other reads get, what a list gets that does not exist, responses that are cut
    off, and words of the failures.
    """
    check_campaign_key(row)


class Uploaded(NamedTuple):
    """What came at each path after an upload."""

    name: str
    tried: Places


UPLOADED = [
    Uploaded(
        "the path of the file",
        Places({}, {SETTINGS.coupon_file_path: one_file(200, record("f1"))}, "f1"),
    ),
    Uploaded(
        "the list with the file", Places({SETTINGS.coupon_files_path: listed(200, FILES)}, {})
    ),
]


@pytest.mark.parametrize("row", UPLOADED, ids=ids(UPLOADED))
def test_a_campaign_key_that_got_a_file_after_an_upload_is_sure(row: Uploaded):
    evidence = evidence_of(*twice(404, NOT_FOUND), made_up())
    assert conclude_on_campaign_key(evidence, row.tried).certainty is SURE


def test_a_campaign_key_that_got_no_file_after_an_upload_stays_open():
    evidence = evidence_of(*twice(404, NOT_FOUND), made_up())
    assert conclude_on_campaign_key(evidence, Places({}, {})).certainty is NOT_ASKED


# -- the data key ----------------------------------------------------------------------------------

X_APP = "X-App-Id"
HEADER_FOUND = [*refused_twice(), *2 * [with_headers(X_APP)], with_made_up_value(X_APP)]
SEGMENT_WITH_X_APP = requests.read_segment(changed(workspace_header=X_APP), MADE_UP)
ACCEPTED_CAMPAIGN_KEY = [*LIST_ACCEPTED_TWICE, made_up()]
ELSEWHERE = {"location": "https://segments.example.org/v3/custom-segments/wes-doctor"}


def check_data_key(row: Case) -> None:
    """The finding about the data key says what the row says, word for word."""
    finding = conclude_on_data_key(row.evidence)
    assert finding.topic is Topic.DATA_KEY
    assert Said.of(finding) == row.said


DATA_SWAPS = [
    # No key for segments alone is given.
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
    # It is refused twice.
    Case(
        "refused, and both are accepted in the other's place",
        [*refused_twice(), *segment_refused_twice(), data_key_on_list(), campaign_key_on_segment()],
        Said(WRONG, "Campaign API key is accepted in its place: swap the two."),
    ),
    Case(
        "refused, and both are accepted in the other's place, but segments are elsewhere",
        [
            *refused_twice(),
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
            *refused_twice(),
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
        [*ACCEPTED_CAMPAIGN_KEY, *segment_refused_twice(), campaign_key_on_segment()],
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
            *refused_twice(),
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
    # It gets 403 or 404, and is accepted for coupons.
    Case(
        "403 once, and accepted for coupons",
        [*refused_twice(), segment(403, FORBIDDEN), data_key_on_list()],
        Said(
            NOT_PROVED,
            "The service replies 403 forbidden: 'Not you', and accepts it for coupons: "
            "it may be a key for coupons. Paste the one for segments, or let --segment "
            "ID try an update.",
        ),
    ),
    Case(
        "403 twice, unlike a made-up key, and accepted for coupons",
        [*refused_twice(), *segment_twice(403, FORBIDDEN), made_up_segment(), data_key_on_list()],
        Said(
            NOT_PROVED,
            "The service replies 403 forbidden: 'Not you', and accepts it for coupons: "
            "it may be a key for coupons. Paste the one for segments, or let --segment "
            "ID try an update.",
        ),
    ),
    Case(
        "403 as documented, and accepted for coupons",
        [*refused_twice(), *segment_twice(403, DOCUMENTED), data_key_on_list()],
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: a made-up key was not compared, "
            "because other replies left it open. Run this again later.",
        ),
    ),
    Case(
        "404, and accepted for coupons",
        [*refused_twice(), *segment_twice(404, NOT_FOUND), data_key_on_list()],
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: a made-up key was not compared, "
            "because other replies left it open. Run this again later.",
        ),
    ),
]


@pytest.mark.parametrize("row", DATA_SWAPS, ids=ids(DATA_SWAPS))
def test_a_data_key_that_is_missing_or_may_be_swapped(row: Case):
    """
    The table has connections without one; and reads with swapped keys after a key that is refused,
    or that gets 403 or 404.
    """
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
def test_a_data_key_whose_reads_bring_no_answer(row: Case):
    """Nothing was read, it was lost, or it is about no key."""
    check_data_key(row)


DATA_REFUSED = [
    # Neither the words nor the campaign key show why.
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
        segment_refused_twice(STRANGE),
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
    # Another header than the connection's is proved.
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
    # The campaign key is accepted.
    Case(
        "the campaign key is accepted",
        [*ACCEPTED_CAMPAIGN_KEY, *segment_refused_twice()],
        Said(
            WRONG,
            "Refused twice (401 request-unauthenticated: 'Credentials are missing or "
            "invalid'), though the Campaign API key is accepted: paste it again, or do "
            "what it says.",
        ),
    ),
    Case(
        "the campaign key is accepted, and the words name a reason",
        [*ACCEPTED_CAMPAIGN_KEY, *segment_refused_twice(EXPIRED)],
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
            *ACCEPTED_CAMPAIGN_KEY,
            *segment_refused_twice(STRANGE),
            made_up_segment(401, OTHER_WORDS),
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
        [*ACCEPTED_CAMPAIGN_KEY, *segment_refused_twice(PAGE)],
        Said(
            WRONG,
            "Refused twice (401: 'Hello'), though the Campaign API key is accepted: "
            "what replied sent a web page and no JSON of the service's, so it may be "
            "before it: ask whoever runs it to let requests through, or paste the key "
            "again.",
        ),
    ),
    # The words name a reason, or those for coupons a header, or a challenge wants another scheme.
    Case(
        "a reason",
        segment_refused_twice(EXPIRED),
        Said(
            NOT_PROVED,
            "Refused twice (401 key-expired: 'Your key has expired'): make a new key, "
            "or have its time extended, and put it in.",
        ),
    ),
    Case(
        "a header, for coupons",
        [*refused_twice(HEADER_MISSING), *segment_refused_twice()],
        Said(NOT_PROVED, "Not settled: see Workspace header."),
    ),
    Case(
        "a header for both, with a challenge",
        [
            *refused_twice(HEADER_MISSING, headers=BEARER),
            *segment_refused_twice(HEADER_MISSING, headers=BEARER),
        ],
        Said(NOT_PROVED, "Not settled: see Workspace header."),
    ),
    Case(
        "a reason for both, with a challenge",
        [
            *refused_twice(TOKEN_EXPIRED, headers=BEARER),
            *segment_refused_twice(TOKEN_EXPIRED, headers=BEARER),
        ],
        Said(NOT_PROVED, "Refused twice (401: 'The token has expired'): see Campaign API key."),
    ),
    Case(
        "a reason for both, with a challenge for segments only",
        [*refused_twice(TOKEN_EXPIRED), *segment_refused_twice(TOKEN_EXPIRED, headers=BEARER)],
        Said(
            NOT_PROVED,
            "Refused twice (401: 'The token has expired'): make a new key, or have its "
            "time extended, and put it in.",
        ),
    ),
]


@pytest.mark.parametrize("row", DATA_REFUSED, ids=ids(DATA_REFUSED))
def test_a_data_key_that_is_refused(row: Case):
    """
    The table has refusals that nothing explains, refusals with another header, an accepted campaign
    key, and words or a challenge that say what to do.
    """
    check_data_key(row)


DATA_ACCEPTED = [
    Case(
        "404 twice",
        ACCEPTED_DATA_KEY,
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
def test_a_data_key_that_is_accepted_while_a_made_up_key_is_refused(row: Case):
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
        [*segment_twice(404, NO_SCOPE), made_up_segment()],
        Said(
            NOT_PROVED,
            "Reads of segments get 404 not-found: 'Nothing here that your permissions "
            "show', while a made-up key is refused; --segment ID tries an update. Ask "
            "an administrator of the account for a key with what it lacks.",
        ),
    ),
    Case(
        "403 about a role, then another 403",
        [segment(403, TOO_SMALL), segment_again(403, FORBIDDEN), made_up_segment()],
        Said(
            NOT_PROVED,
            "Reads of segments get 403: 'Your role is too small', while a made-up key "
            "is refused; --segment ID tries an update. Ask an administrator of the "
            "account for a key with what it lacks.",
        ),
    ),
    Case(
        "403, then one about a role",
        [segment(403, FORBIDDEN), segment_again(403, TOO_SMALL), made_up_segment()],
        Said(
            NOT_PROVED,
            "Reads of segments get 403 forbidden: 'Not you', while a made-up key is "
            "refused; --segment ID tries an update.",
        ),
    ),
]


@pytest.mark.parametrize("row", DATA_FORBIDDEN, ids=ids(DATA_FORBIDDEN))
def test_a_data_key_that_is_known_but_may_read_no_segment(row: Case):
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
def test_a_data_key_that_is_not_shown_to_be_accepted(row: Case):
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
def test_a_data_key_whose_reads_name_another_address(row: Case):
    """
    By redirects or by words. It is not judged, if each read names one and coupons are here.
    """
    check_data_key(row)


# -- requests that findings rest on ----------------------------------------------------------------


class RestsOn(NamedTuple):
    """
    Reads, and which of them findings rest on.

    :ivar campaign_key: numbers of reads, from 0, in the order in which the finding about the
        campaign key names them; ``data_key`` likewise.
    """

    name: str
    probes: Sequence[Probe]
    campaign_key: list[int]
    data_key: list[int]


RESTS_ON = [
    RestsOn("nothing", [], [], []),
    RestsOn(
        "reads of both keys",
        [*LIST_ACCEPTED_TWICE, segment(), made_up(), made_up_segment()],
        [0, 1, 3],
        [2, 4],
    ),
    RestsOn(
        "lost reads",
        [lost(), *LIST_ACCEPTED_TWICE, segment(500)],
        [1, 2, 0],
        [3],
    ),
    RestsOn(
        "reads with the other key",
        [*refused_twice(), *segment_refused_twice(), data_key_on_list(), campaign_key_on_segment()],
        [0, 1, 4, 5],
        [2, 3, 4, 5],
    ),
    RestsOn(
        "lost reads and made-up keys",
        [
            lost(),
            made_up(),
            *LIST_ACCEPTED_TWICE,
            made_up_segment(),
            segment(500),
            segment_again(),
        ],
        [2, 3, 0, 1],
        [6, 5, 4],
    ),
    RestsOn(
        "made-up keys and reads with the other key",
        [
            data_key_on_list(),
            campaign_key_on_segment(),
            made_up(),
            made_up_segment(),
            *refused_twice(),
            *segment_refused_twice(),
        ],
        [4, 5, 2, 0, 1],
        [6, 7, 3, 0, 1],
    ),
    RestsOn(
        "a file that is refused",
        [*LIST_ACCEPTED_TWICE, made_up(), one_file(401)],
        [0, 1, 2, 3],
        [],
    ),
    RestsOn(
        "a file that is refused, and a read with the other key",
        [one_file(401), data_key_on_list(), *refused_twice()],
        [2, 3, 1, 0],
        [1],
    ),
    RestsOn(
        "a file that is read",
        [*LIST_ACCEPTED_TWICE, made_up(), one_file(200, record("f1"))],
        [0, 1, 2],
        [],
    ),
]


@pytest.mark.parametrize("row", RESTS_ON, ids=ids(RESTS_ON))
def test_a_finding_about_the_campaign_key_names_its_reads_in_this_order(row: RestsOn):
    """
    Reads of the list, the lost ones, one with a made-up key, those with swapped
    keys, and those of a file that are refused.
    """
    evidence = evidence_of(*row.probes)
    finding = conclude_on_campaign_key(evidence, facts.places(evidence))
    assert numbers_of(finding, row.probes) == row.campaign_key


@pytest.mark.parametrize("row", RESTS_ON, ids=ids(RESTS_ON))
def test_a_finding_about_the_data_key_names_its_reads_in_this_order(row: RestsOn):
    """
    Reads of a segment, the lost ones, one with a made-up key, and those with swapped
    keys.
    """
    finding = conclude_on_data_key(evidence_of(*row.probes))
    assert numbers_of(finding, row.probes) == row.data_key
