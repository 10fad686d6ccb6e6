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
    by_status,
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
)
from support.doctor_replies import MOMENT, SETTINGS, changed, error, evidence_of, reply
from support.doctor_service import CAMPAIGN_KEY, LIST, record
from wes_provider import contract
from wes_provider.client import requests
from wes_provider.client.failures import INCOMPLETE
from wes_provider.doctor import facts
from wes_provider.doctor.evidence import MADE_UP, Evidence, Places, list_at
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
LIST_ACCEPTED_TWICE = [listed(200, FILES), again(200, FILES)]


class Case(NamedTuple):
    """Replies, and what is said of a key."""

    name: str
    probes: Sequence[Probe]
    said: Said
    settings: Any = SETTINGS
    not_asked: Mapping[Question, str] = {}
    list_id: str = "spring"

    @property
    def evidence(self) -> Evidence:
        return evidence_of(
            *self.probes,
            settings=self.settings,
            not_asked=self.not_asked,
            list_id=self.list_id,
        )


def twice(status: int = 401, content: Any = None, **more: Any) -> list[Probe]:
    content = by_status(status, content)
    return [listed(status, content, **more), again(status, content, **more)]


def segment_twice(status: int = 401, content: Any = None, **more: Any) -> list[Probe]:
    return [segment(status, content, **more), segment_again(status, content, **more)]


ACCEPTED_DATA_KEY = [segment(), segment_again(), made_up_segment()]
REFUSED_DATA_KEY = segment_twice(401, error("no-segments", "Segments want another."))


def check_campaign_key(row: Case) -> None:
    """The finding about the campaign key says what the row says, word for word."""
    evidence = row.evidence
    finding = conclude_on_campaign_key(evidence, facts.places(evidence))
    assert finding.topic is Topic.CAMPAIGN_KEY
    assert Said.of(finding) == row.said


SWAPS = [
    Case(
        "each in the other's place",
        [*twice(), *REFUSED_DATA_KEY, data_key_on_list(), campaign_key_on_segment()],
        Said(
            WRONG,
            "Refused twice (401 request-unauthenticated: 'Credentials are missing or "
            "invalid'), while each key is accepted in the other's place: swap Campaign "
            "API key and Data API key.",
        ),
    ),
    Case(
        "the data key in its place",
        [*twice(), *REFUSED_DATA_KEY, data_key_on_list(), campaign_key_on_segment(401)],
        Said(
            WRONG,
            "Refused twice (401 request-unauthenticated: 'Credentials are missing or "
            "invalid'). The Data API key is accepted in its place: paste the right "
            "one.",
        ),
    ),
    Case(
        "accepted as a data key",
        [*twice(), *REFUSED_DATA_KEY, data_key_on_list(401), campaign_key_on_segment()],
        Said(
            WRONG,
            "Refused twice, but it is accepted as Data API key: paste the key for "
            "coupons in its place.",
        ),
    ),
    Case(
        "a 403 that is not the documented one, and both swapped",
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
        "a 403 that is not the documented one, and the data key in its place",
        [*twice(403, FORBIDDEN), *REFUSED_DATA_KEY, data_key_on_list()],
        Said(
            WRONG,
            "The service replies 403 forbidden: 'Not you'. The Data API key is "
            "accepted in its place: paste the right one.",
        ),
    ),
    Case(
        "a single 403 that is not the documented one, and the data key in its place",
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
    Case(
        "twice",
        twice(),
        Said(
            NOT_PROVED,
            "Refused twice (401 request-unauthenticated: 'Credentials are missing or "
            "invalid'). Campaign API key, Workspace identifier or Workspace header may "
            "be wrong, or a gateway refuses everybody: check each of them.",
        ),
    ),
    Case(
        "three times",
        [*twice(), again(401, UNAUTHENTICATED)],
        Said(
            NOT_PROVED,
            "Refused 3 times (401 request-unauthenticated: 'Credentials are missing or "
            "invalid'). Campaign API key, Workspace identifier or Workspace header may "
            "be wrong, or a gateway refuses everybody: check each of them.",
        ),
    ),
    Case(
        "without words",
        twice(401, b""),
        Said(
            NOT_PROVED,
            "Refused twice (401). Campaign API key, Workspace identifier or Workspace "
            "header may be wrong, or a gateway refuses everybody: check each of them.",
        ),
    ),
    Case(
        "with a realm that tells something",
        twice(401, b"", headers={"www-authenticate": 'Basic realm="nginx staging"'}),
        Said(
            NOT_PROVED,
            "Refused twice (401, of the realm 'nginx staging'). Campaign API key, "
            "Workspace identifier or Workspace header may be wrong, or a gateway "
            "refuses everybody: check each of them.",
        ),
    ),
    Case(
        "with a realm that any service has",
        twice(401, b"", headers={"www-authenticate": 'Basic realm="api"'}),
        Said(
            NOT_PROVED,
            "Refused twice (401). Campaign API key, Workspace identifier or Workspace "
            "header may be wrong, or a gateway refuses everybody: check each of them.",
        ),
    ),
    Case(
        "with something to do",
        twice(401, error("", "Please smile.")),
        Said(
            NOT_PROVED,
            "Refused twice (401: 'Please smile'). Do what it says; if that does not "
            "help, check Campaign API key, Workspace identifier and Workspace header.",
        ),
    ),
    Case(
        "in words of no meaning",
        twice(401, STRANGE),
        Said(
            NOT_PROVED,
            "Refused twice (401 teapot: 'Moon phase is unfavourable'). Campaign API "
            "key, Workspace identifier or Workspace header may be wrong, or a gateway "
            "refuses everybody: check each of them.",
        ),
    ),
    Case(
        "the first of two counts: with something to do",
        [listed(401, error("", "Please smile.")), again(401, STRANGE)],
        Said(
            NOT_PROVED,
            "Refused twice (401: 'Please smile'). Do what it says; if that does not "
            "help, check Campaign API key, Workspace identifier and Workspace header.",
        ),
    ),
    Case(
        "the first of two counts: with a realm",
        [listed(401, b"", headers={"www-authenticate": 'Basic realm="nginx"'}), again(401)],
        Said(
            NOT_PROVED,
            "Refused twice (401, of the realm 'nginx'). Campaign API key, Workspace "
            "identifier or Workspace header may be wrong, or a gateway refuses "
            "everybody: check each of them.",
        ),
    ),
]


@pytest.mark.parametrize("row", REFUSED_UNEXPLAINED, ids=ids(REFUSED_UNEXPLAINED))
def test_a_campaign_key_that_is_refused_without_a_reason(row: Case):
    """What is refused may be key, identifier or header; the words and the realm are quoted."""
    check_campaign_key(row)


REFUSED_WITH_ANOTHER_SCHEME = [
    Case(
        "by a gateway whose words are about a token",
        [
            *twice(401, TOKEN_EXPIRED, headers=BEARER),
            *segment_twice(401, TOKEN_EXPIRED, headers=BEARER),
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
        "by a gateway whose words are about a token, and the data key in other words",
        [*twice(401, TOKEN_EXPIRED, headers=BEARER), *segment_twice(401, EXPIRED, headers=BEARER)],
        Said(
            NOT_PROVED,
            "Refused twice (401: 'The token has expired'): make a new key, or have its "
            "time extended, and put it in.",
        ),
    ),
    Case(
        "in the same words as the data key, without a challenge",
        [*twice(401, EXPIRED), *segment_twice(401, EXPIRED)],
        Said(
            NOT_PROVED,
            "Refused twice (401 key-expired: 'Your key has expired'): make a new key, "
            "or have its time extended, and put it in.",
        ),
    ),
    Case(
        "by what takes no Basic credentials",
        twice(401, STRANGE, headers={"www-authenticate": "Negotiate"}),
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
        "for a permission, by a gateway",
        [*twice(401, TOO_SMALL, headers=BEARER), *segment_twice(401, TOO_SMALL, headers=BEARER)],
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
        "for a permission, with a challenge, and the data key for another",
        [*twice(401, TOO_SMALL, headers=BEARER), *REFUSED_DATA_KEY],
        Said(
            NOT_PROVED,
            "Refused twice (401: 'Your role is too small'). Ask an administrator of "
            "the account for a key with what it lacks.",
        ),
    ),
    Case(
        "the first of two counts: of a gateway",
        [
            listed(401, TOKEN_EXPIRED, headers=BEARER),
            again(401, TOKEN_EXPIRED),
            *segment_twice(401, TOKEN_EXPIRED),
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
        "with a reason and a challenge, and the data key was not read",
        twice(401, TOKEN_EXPIRED, headers=BEARER),
        Said(
            NOT_PROVED,
            "Refused twice (401: 'The token has expired'): make a new key, or have its "
            "time extended, and put it in.",
        ),
    ),
]


@pytest.mark.parametrize("row", REFUSED_WITH_ANOTHER_SCHEME, ids=ids(REFUSED_WITH_ANOTHER_SCHEME))
def test_a_campaign_key_that_is_refused_by_what_may_be_a_gateway(row: Case):
    """
    A challenge for another scheme than Basic always counts if the words name no reason. If they
    do, it counts if the data key gets the same words; else, or unread, the reason wins.
    """
    check_campaign_key(row)


REFUSED_FOR_A_REASON = [
    Case(
        "for a reason",
        twice(401, EXPIRED),
        Said(
            NOT_PROVED,
            "Refused twice (401 key-expired: 'Your key has expired'): make a new key, "
            "or have its time extended, and put it in.",
        ),
    ),
    Case(
        "for a reason, in the usual code",
        twice(401, error("request-unauthenticated", "Your key has expired.")),
        Said(
            NOT_PROVED,
            "Refused twice (401 request-unauthenticated: 'Your key has expired'): make "
            "a new key, or have its time extended, and put it in.",
        ),
    ),
    Case(
        "for a reason, though the data key is accepted",
        [*twice(401, EXPIRED), *ACCEPTED_DATA_KEY],
        Said(
            WRONG,
            "Refused twice (401 key-expired: 'Your key has expired'), though the Data "
            "API key is accepted: make a new key, or have its time extended, and put "
            "it in.",
        ),
    ),
    Case(
        "for a header",
        twice(401, HEADER_MISSING),
        Said(NOT_PROVED, "Not settled: see Workspace header."),
    ),
    Case(
        "for a reason that comes before the header",
        twice(401, error("", "Header X-Tenant is required, and your key has expired")),
        Said(
            NOT_PROVED,
            "Refused twice (401: 'Header X-Tenant is required, and your key has "
            "expired'): make a new key, or have its time extended, and put it in.",
        ),
    ),
    Case(
        "for an account",
        twice(401, MISMATCH),
        Said(
            NOT_PROVED,
            "Refused twice (401: 'The keys belong to another workspace'). The "
            "Workspace identifier (login) is workspace: check it, whether the keys are "
            "of it, and the Address, and run this again.",
        ),
    ),
    Case(
        "for an account of a gateway",
        twice(401, MISMATCH, headers=BEARER),
        Said(
            NOT_PROVED,
            "Refused twice (401: 'The keys belong to another workspace'). The "
            "Workspace identifier (login) is workspace: check it, whether the keys are "
            "of it, and the Address, and run this again.",
        ),
    ),
    Case(
        "for a permission",
        twice(401, TOO_SMALL),
        Said(
            NOT_PROVED,
            "Refused twice (401: 'Your role is too small'). Ask an administrator of "
            "the account for a key with what it lacks.",
        ),
    ),
    Case(
        "for credentials that did not arrive by way of a proxy",
        twice(401, error("", "Authorization header is missing."), headers={"via": "1.1 edge"}),
        Said(
            NOT_PROVED,
            "Refused twice (401: 'Authorization header is missing'). Each request had "
            "an Authorization header (Basic), so something between may take it out (replies have "
            "Via: 1.1 edge): change no key, and ask whoever runs it to pass that header on. No key "
            "was judged.",
        ),
    ),
    Case(
        "for credentials that did not arrive",
        twice(401, error("", "Authorization header is missing.")),
        Said(
            NOT_PROVED,
            "Refused twice (401: 'Authorization header is missing'). Each request had "
            "an Authorization header (Basic), so something between may take it out: "
            "change no key, and ask whoever runs it to pass that header on. No key was "
            "judged.",
        ),
    ),
    Case(
        "for a reason in its code",
        twice(401, error("key-rotated", "No.")),
        Said(
            NOT_PROVED,
            "Refused twice (401 key-rotated: 'No'): copy the current key from where "
            "the service shows it, and put it in.",
        ),
    ),
    Case(
        "the first of two counts: for a reason",
        [listed(401, EXPIRED), again(401, error("key-rotated", "No."))],
        Said(
            NOT_PROVED,
            "Refused twice (401 key-expired: 'Your key has expired'): make a new key, "
            "or have its time extended, and put it in.",
        ),
    ),
    Case(
        "for a reason, in the usual code, as a made-up key is",
        [*twice(401, USUAL_EXPIRED), made_up(401, USUAL_EXPIRED)],
        Said(
            NOT_PROVED,
            "Refused twice (401 request-unauthenticated: 'Your key has expired'): make "
            "a new key, or have its time extended, and put it in.",
        ),
    ),
    Case(
        "the first of two counts: for a reason in its code",
        [listed(401, error("key-rotated", "No.")), again(401, EXPIRED)],
        Said(
            NOT_PROVED,
            "Refused twice (401 key-rotated: 'No'): copy the current key from where "
            "the service shows it, and put it in.",
        ),
    ),
]


@pytest.mark.parametrize("row", REFUSED_FOR_A_REASON, ids=ids(REFUSED_FOR_A_REASON))
def test_a_campaign_key_that_is_refused_for_a_reason(row: Case):
    """Code or words of the refusal say what is wrong, and the advice follows from that."""
    check_campaign_key(row)


OTHER_ACCEPTED = [
    Case(
        "a page",
        [*twice(401, PAGE), *ACCEPTED_DATA_KEY],
        Said(
            WRONG,
            "Refused twice (401: 'Hello'), though the Data API key is accepted: what "
            "replied sent a web page and no JSON of the service's, so it may be before "
            "it: ask whoever runs it to let requests through, or paste the key again.",
        ),
    ),
    Case(
        "without words",
        [*twice(401, b""), *ACCEPTED_DATA_KEY],
        Said(WRONG, "Refused twice, though the Data API key is accepted: paste it again."),
    ),
    Case(
        "in a stock sentence",
        [*twice(401, error("", "Unauthorized")), *ACCEPTED_DATA_KEY],
        Said(
            WRONG,
            "Refused twice (401: 'Unauthorized'), though the Data API key is accepted: "
            "paste it again.",
        ),
    ),
    Case(
        "in bare words",
        [*twice(401, error("", "Invalid api key")), *ACCEPTED_DATA_KEY],
        Said(
            WRONG,
            "Refused twice (401: 'Invalid api key'), though the Data API key is "
            "accepted: paste it again.",
        ),
    ),
    Case(
        "the usual words",
        [*twice(), *ACCEPTED_DATA_KEY],
        Said(
            WRONG,
            "Refused twice (401 request-unauthenticated: 'Credentials are missing or "
            "invalid'), though the Data API key is accepted: paste it again, or do "
            "what it says.",
        ),
    ),
    Case(
        "the usual code",
        [*twice(401, MARS), *ACCEPTED_DATA_KEY],
        Said(
            WRONG,
            "Refused twice (401 request-unauthenticated: 'Mars is near'), though the "
            "Data API key is accepted: paste it again, or do what it says.",
        ),
    ),
    Case(
        "another code",
        [*twice(401, STRANGE), *ACCEPTED_DATA_KEY],
        Said(
            WRONG,
            "Refused twice (401 teapot: 'Moon phase is unfavourable'), though the Data "
            "API key is accepted: do what it says, or ask the service's support which "
            "key this needs.",
        ),
    ),
    Case(
        "as a made-up key is",
        [*twice(401, STRANGE), made_up(401, STRANGE), *ACCEPTED_DATA_KEY],
        Said(
            WRONG,
            "Refused twice (401 teapot: 'Moon phase is unfavourable'), though the Data "
            "API key is accepted: paste it again.",
        ),
    ),
    Case(
        "in other words than a made-up key",
        [*twice(401, STRANGE), made_up(401, OTHER_WORDS), *ACCEPTED_DATA_KEY],
        Said(
            WRONG,
            "Refused twice (401 teapot: 'Moon phase is unfavourable'), though the Data "
            "API key is accepted: do what it says, since another key gets other words; "
            "or ask the service's support which key this needs.",
        ),
    ),
    Case(
        "in other words than the data key there",
        [*twice(401, STRANGE), data_key_on_list(401, OTHER_WORDS), *ACCEPTED_DATA_KEY],
        Said(
            WRONG,
            "Refused twice (401 teapot: 'Moon phase is unfavourable'), though the Data "
            "API key is accepted: do what it says, since another key gets other words; "
            "or ask the service's support which key this needs.",
        ),
    ),
    Case(
        "as a made-up key is, and not as the data key there",
        [
            *twice(401, STRANGE),
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
        "as the data key there is, and not as a made-up key",
        [
            *twice(401, STRANGE),
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
    Case(
        "a made-up key without words",
        [*twice(401, STRANGE), made_up(401, b""), *ACCEPTED_DATA_KEY],
        Said(
            WRONG,
            "Refused twice (401 teapot: 'Moon phase is unfavourable'), though the Data "
            "API key is accepted: do what it says, or ask the service's support which "
            "key this needs.",
        ),
    ),
    Case(
        "a made-up key gets another answer",
        [*twice(401, STRANGE), made_up(404), *ACCEPTED_DATA_KEY],
        Said(
            WRONG,
            "Refused twice (401 teapot: 'Moon phase is unfavourable'), though the Data "
            "API key is accepted: do what it says, or ask the service's support which "
            "key this needs.",
        ),
    ),
    Case(
        "the usual code, as a made-up key is",
        [
            *twice(401, MARS),
            made_up(401, MARS),
            *ACCEPTED_DATA_KEY,
        ],
        Said(WRONG, "Refused twice, though the Data API key is accepted: paste it again."),
    ),
    Case(
        "the usual code as documented, in bare words",
        [
            *twice(401, error("request-unauthenticated", "Invalid api key")),
            *ACCEPTED_DATA_KEY,
        ],
        Said(WRONG, "Refused twice, though the Data API key is accepted: paste it again."),
    ),
    Case(
        "the usual code not as documented, in bare words",
        [
            *twice(401, {"code": "request-unauthenticated", "message": "Invalid api key"}),
            *ACCEPTED_DATA_KEY,
        ],
        Said(
            WRONG,
            "Refused twice (401 request-unauthenticated: 'Invalid api key'), though "
            "the Data API key is accepted: paste it again.",
        ),
    ),
    Case(
        "the data key only once",
        [*twice(), segment(), made_up_segment()],
        Said(
            WRONG,
            "Refused twice (401 request-unauthenticated: 'Credentials are missing or "
            "invalid'), though the Data API key is accepted: paste it again, or do "
            "what it says.",
        ),
    ),
    Case(
        "in a sentence of its status",
        [*twice(401, error("", "401 Authorization Required")), *ACCEPTED_DATA_KEY],
        Said(
            WRONG,
            "Refused twice (401: '401 Authorization Required'), though the Data API "
            "key is accepted: paste it again.",
        ),
    ),
    Case(
        "first without words",
        [listed(401), again(401, STRANGE), *ACCEPTED_DATA_KEY],
        Said(WRONG, "Refused twice, though the Data API key is accepted: paste it again."),
    ),
    Case(
        "first with a page",
        [listed(401, PAGE), again(401, STRANGE), *ACCEPTED_DATA_KEY],
        Said(
            WRONG,
            "Refused twice (401: 'Hello'), though the Data API key is accepted: what "
            "replied sent a web page and no JSON of the service's, so it may be before "
            "it: ask whoever runs it to let requests through, or paste the key again.",
        ),
    ),
    Case(
        "first in the usual code",
        [listed(401, MARS), again(401, STRANGE), *ACCEPTED_DATA_KEY],
        Said(
            WRONG,
            "Refused twice (401 request-unauthenticated: 'Mars is near'), though the "
            "Data API key is accepted: paste it again, or do what it says.",
        ),
    ),
    Case(
        "first in the usual code, as a made-up key is",
        [listed(401, MARS), again(401, STRANGE), made_up(401, MARS), *ACCEPTED_DATA_KEY],
        Said(WRONG, "Refused twice, though the Data API key is accepted: paste it again."),
    ),
    Case(
        "first as documented, as a made-up key is",
        [listed(401, MARS), again(401, MARS_OTHERWISE), made_up(401, MARS), *ACCEPTED_DATA_KEY],
        Said(WRONG, "Refused twice, though the Data API key is accepted: paste it again."),
    ),
]


@pytest.mark.parametrize("row", OTHER_ACCEPTED, ids=ids(OTHER_ACCEPTED))
def test_a_campaign_key_that_is_refused_though_the_data_key_is_accepted(row: Case):
    """The key is wrong: paste it again, or do what the words of the refusal ask for."""
    check_campaign_key(row)


ACCEPTED_TWICE = [
    Case(
        "twice",
        [*LIST_ACCEPTED_TWICE, made_up()],
        Said(SURE, "Accepted twice; a made-up key is refused."),
    ),
    Case(
        "three times",
        [*LIST_ACCEPTED_TWICE, again(200, FILES), made_up()],
        Said(SURE, "Accepted 3 times; a made-up key is refused."),
    ),
    Case(
        "a made-up key without words",
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
        "a made-up key gets nothing",
        [*LIST_ACCEPTED_TWICE, made_up(200, [])],
        Said(SURE, "Accepted twice; a made-up key gets 200."),
    ),
    Case(
        "a made-up key gets a page",
        [*LIST_ACCEPTED_TWICE, made_up(200, PAGE)],
        Said(SURE, "Accepted twice; a made-up key gets a page."),
    ),
    Case(
        "a made-up key is sent elsewhere",
        [*LIST_ACCEPTED_TWICE, made_up(302, b"", headers={"location": "/login"})],
        Said(SURE, "Accepted twice; a made-up key is sent elsewhere."),
    ),
    Case(
        "an unknown list, but a file",
        [*twice(404, NOT_FOUND), made_up(), one_file(200, record("f1"))],
        Said(SURE, "Accepted twice; a made-up key is refused."),
    ),
]


@pytest.mark.parametrize("row", ACCEPTED_TWICE, ids=ids(ACCEPTED_TWICE))
def test_a_campaign_key_that_is_accepted_twice_and_another_is_not(row: Case):
    """Sure: it was answered twice, and got a list or a file; a made-up key got no files."""
    check_campaign_key(row)


KNOWN_WITHOUT_ACCESS = [
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
        "hidden",
        [*twice(404, NO_SCOPE), made_up()],
        Said(
            NOT_PROVED,
            "The service replies 404 not-found: 'Nothing here that your permissions "
            "show', while a made-up key is refused. Ask an administrator of the "
            "account for a key with what it lacks.",
        ),
    ),
    Case(
        "forbidden",
        [*twice(403, FORBIDDEN), made_up()],
        Said(
            WRONG,
            "The service replies 403 forbidden: 'Not you', while a made-up key is "
            "refused. Ask the service's support.",
        ),
    ),
    Case(
        "forbidden as documented",
        [*twice(403, DOCUMENTED), made_up()],
        Said(
            WRONG,
            "Accepted, but the account has no access to coupons (403 "
            "request-forbidden: 'No access to coupons'): ask support.",
        ),
    ),
    Case(
        "forbidden for an account",
        [*twice(403, error("", "Unknown workspace.")), made_up()],
        Said(
            WRONG,
            "The service replies 403: 'Unknown workspace', while a made-up key is "
            "refused. The Workspace identifier (login) is workspace: check it, whether "
            "the keys are of it, and the Address, and run this again.",
        ),
    ),
    Case(
        "forbidden first for an account",
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
        "forbidden first for a role",
        [listed(403, TOO_SMALL), again(403, FORBIDDEN), made_up()],
        Said(
            WRONG,
            "The service replies 403: 'Your role is too small', while a made-up key is "
            "refused. Ask an administrator of the account for a key with what it "
            "lacks.",
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
]


@pytest.mark.parametrize("row", KNOWN_WITHOUT_ACCESS, ids=ids(KNOWN_WITHOUT_ACCESS))
def test_a_campaign_key_that_is_known_but_gets_no_files(row: Case):
    """A made-up key is refused, and the own one gets 403, 404 or no list that can be read."""
    check_campaign_key(row)


ACCEPTED_ONCE = [
    Case(
        "forbidden once",
        [listed(403, FORBIDDEN), made_up()],
        Said(
            NOT_PROVED,
            "Accepted once; a made-up key is refused. Not proved by a second read: "
            "other replies left it open. Run this again later.",
        ),
    ),
    Case(
        "hidden once",
        [listed(404, NO_SCOPE), made_up()],
        Said(
            NOT_PROVED,
            "Accepted once; a made-up key is refused. Not proved by a second read: "
            "other replies left it open. Run this again later.",
        ),
    ),
    Case(
        "once",
        [listed(200, FILES), made_up()],
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
    Case(
        "once, and not repeated for a reason",
        [listed(200, FILES), made_up()],
        Said(
            NOT_PROVED,
            "Accepted once; a made-up key is refused. Not proved by a second read: the "
            "time ran out. Run this again later.",
        ),
        not_asked={Question.AGAIN: "the time ran out"},
    ),
    Case(
        "once, and then lost",
        [listed(200, FILES), lost(question=Question.AGAIN, sent_at=MOMENT + 60), made_up()],
        Said(
            NOT_PROVED,
            "Accepted once; a made-up key is refused. Not proved by a second read: the "
            "request got no whole response (ReadTimeout). Run this again later.",
        ),
    ),
    Case(
        "once, and lost at the same moment",
        [listed(200, FILES), lost(question=Question.AGAIN, sent_at=MOMENT), made_up()],
        Said(
            NOT_PROVED,
            "Accepted once; a made-up key is refused. Not proved by a second read: "
            "other replies left it open. Run this again later.",
        ),
    ),
    Case(
        "once, and lost before",
        [lost(sent_at=MOMENT - 60), listed(200, FILES), made_up()],
        Said(
            NOT_PROVED,
            "Accepted once; a made-up key is refused. Not proved by a second read: "
            "other replies left it open. Run this again later.",
        ),
    ),
    Case(
        "once, among failures",
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
    Case(
        "once what cannot be read",
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
]


@pytest.mark.parametrize("row", ACCEPTED_ONCE, ids=ids(ACCEPTED_ONCE))
def test_a_campaign_key_that_is_accepted_once(row: Case):
    """It is not proved, and why no second read proved it is said."""
    check_campaign_key(row)


NOT_SHOWN = [
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
        "the same files",
        [*LIST_ACCEPTED_TWICE, made_up(200, FILES)],
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: a made-up key gets the same (200). "
            "--upload URL shows it.",
        ),
    ),
    Case(
        "the same files of others",
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
        "another answer",
        [listed(400, STRANGE), made_up(400, error("other", "Never."))],
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: it gets 400 teapot, a made-up key "
            "400 other. --upload URL shows it.",
        ),
    ),
    Case(
        "other words",
        [listed(400, STRANGE), made_up(400, OTHER_WORDS)],
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: it gets 400 teapot: 'Moon phase is "
            "unfavourable', and a made-up key 400 teapot: 'Saturn is in retrograde'. "
            "--upload URL shows it.",
        ),
    ),
    Case(
        "what a plan lacks",
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
        "another subject",
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
    Case(
        "what a plan lacks, without a made-up key",
        twice(400, error("", "Your plan has no API.")),
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: a made-up key was not compared, "
            "because other replies left it open. Run this again later.",
        ),
    ),
    Case(
        "a list that cannot be read",
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
    Case(
        "first what a plan lacks",
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
]


@pytest.mark.parametrize("row", NOT_SHOWN, ids=ids(NOT_SHOWN))
def test_a_campaign_key_that_no_comparison_with_a_made_up_key_shows(row: Case):
    """A made-up key gets the same, gets another answer that tells nothing, or was not tried."""
    check_campaign_key(row)


BOTH = [
    Case(
        "refused later",
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
        "refused first",
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
        "refused at the path of a file",
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
        "refused at the path of a file, then at the list",
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
        "refused at the list between two acceptances",
        [listed(200, FILES), again(401, UNAUTHENTICATED), again(200, FILES, sent_at=MOMENT + 90)],
        Said(
            NOT_PROVED,
            "Accepted at 08:00:00 UTC (/v1/coupon-list/spring/files), refused at "
            "08:01:00 (/v1/coupon-list/spring/files): one of several nodes may not "
            "know the key, or it was revoked: check it in the service's dashboard, and "
            "run this again later.",
        ),
    ),
    Case(
        "refused at the path of a file between two acceptances",
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
        "refused at the list, then at the path of a file",
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


A_REASON = {Question.LIST: "of a reason"}
LIMITED = [
    Case(
        "a limit",
        [listed(429)],
        Said(NOT_PROVED, "Not settled, because of a reason. Run this again later."),
        not_asked=A_REASON,
    ),
    Case(
        "a limit with words",
        [listed(429, error("", "Slow down."))],
        Said(NOT_PROVED, "Not settled, because of a reason: 'Slow down'. Run this again later."),
        not_asked=A_REASON,
    ),
    Case(
        "a limit of two hours",
        [listed(429, headers={"retry-after": "7200"})],
        Said(
            NOT_PROVED,
            "Not settled, because of a reason. Wait until then, or ask the "
            "service's support for more, and run this again.",
        ),
        not_asked=A_REASON,
    ),
    Case(
        "a limit of an hour",
        [listed(429, headers={"retry-after": "3600"})],
        Said(
            NOT_PROVED,
            "Not settled, because of a reason. Wait until then, or ask the "
            "service's support for more, and run this again.",
        ),
        not_asked=A_REASON,
    ),
    Case(
        "a limit of less than an hour",
        [listed(429, headers={"retry-after": "3599"})],
        Said(NOT_PROVED, "Not settled, because of a reason. Run this again later."),
        not_asked=A_REASON,
    ),
    Case(
        "a limit by another header",
        [listed(429, headers={"x-quota-reset": "7200", "retry-after": "5"})],
        Said(
            NOT_PROVED,
            "Not settled, because of a reason. Wait until then, or ask the "
            "service's support for more, and run this again.",
        ),
        not_asked=A_REASON,
    ),
    Case(
        "a limit after an outage",
        [lost(), listed(429, headers={"retry-after": "7200"})],
        Said(
            NOT_PROVED,
            "Not settled, because of a reason. Wait until then, or ask the "
            "service's support for more, and run this again.",
        ),
        not_asked=A_REASON,
    ),
    Case(
        "a limit by the usual header beside another one",
        [listed(429, headers={"x-quota-reset": "5", "retry-after": "7200"})],
        Said(
            NOT_PROVED,
            "Not settled, because of a reason. Wait until then, or ask the "
            "service's support for more, and run this again.",
        ),
        not_asked=A_REASON,
    ),
]


@pytest.mark.parametrize("row", LIMITED, ids=ids(LIMITED))
def test_a_campaign_key_whose_last_read_gets_429(row: Case):
    """
    A limit of an hour or more is to be waited for, or raised; after a shorter one, the command is
    to be run again later.
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
        "nothing was read for a reason",
        [],
        Said(NOT_PROVED, "Not settled, because of a reason. Run this again later."),
        not_asked=A_REASON,
    ),
    Case(
        "nothing came",
        [lost()],
        Said(
            NOT_PROVED,
            "Not settled, because of a reason. The service is reached, but sends nothing "
            "in time: it is slow, or something between swallows requests. Raise "
            "read_timeout, or check the network.",
        ),
        not_asked=A_REASON,
    ),
    Case(
        "an outage that names a time",
        [listed(503, headers={"retry-after": "7200"})],
        Said(NOT_PROVED, "Not settled, because of a reason. Run this again later."),
        not_asked=A_REASON,
    ),
    Case(
        "an outage after a limit",
        [listed(429, headers={"retry-after": "7200"}), lost()],
        Said(
            NOT_PROVED,
            "Not settled, because of a reason. The service is reached, but sends "
            "nothing in time: it is slow, or something between swallows requests. "
            "Raise read_timeout, or check the network.",
        ),
        not_asked=A_REASON,
    ),
    Case(
        "a failure with words of a version",
        [listed(500, error("", "This version is retired."))],
        Said(
            NOT_PROVED,
            "Not settled, because of a reason: 'This version is retired'. Uploads go to "
            "a path of that version, which no setting changes: ask the service's "
            "support for how long it stays, or for a newer provider.",
        ),
        not_asked=A_REASON,
    ),
]


@pytest.mark.parametrize("row", NO_ANSWER, ids=ids(NO_ANSWER))
def test_a_campaign_key_whose_reads_bring_no_answer(row: Case):
    """Nothing was read, nothing came, or the service failed."""
    check_campaign_key(row)


FAILS = {Question.LIST: "it failed"}
LIST_FAILS = [
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
    Case(
        "others fail, too",
        [listed(500), nowhere(500)],
        Said(NOT_PROVED, "Not settled, because it failed. Run this again later."),
        not_asked=FAILS,
    ),
    Case(
        "with words of the last",
        [listed(500, error("", "Boom.")), listed(500, error("", "Bang.")), nowhere()],
        Said(
            NOT_PROVED,
            "Not settled, because it failed: 'Bang'. Other reads get answers, so it "
            "may be reads of lists alone, and waiting may not help: name a list with "
            "fewer files, or ask the service's support.",
        ),
        not_asked=FAILS,
    ),
    Case(
        "a list that does not exist is refused first",
        [listed(500), nowhere(), made_up_list(401), made_up_list()],
        Said(
            NOT_PROVED,
            "Not settled, because it failed. Run this again later. Another list is "
            "refused (401 request-unauthenticated).",
        ),
        not_asked=FAILS,
    ),
    Case(
        "a list that does not exist gets an answer first",
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
]


@pytest.mark.parametrize("row", LIST_FAILS, ids=ids(LIST_FAILS))
def test_a_campaign_key_whose_reads_of_the_list_fail(row: Case):
    """Whether reads of lists alone fail follows from the other reads."""
    check_campaign_key(row)


UPLOADED = [
    pytest.param(
        Places({}, {SETTINGS.coupon_file_path: one_file(200, record("f1"))}, "f1"),
        id="the path of the file",
    ),
    pytest.param(
        Places({SETTINGS.coupon_files_path: listed(200, FILES)}, {}),
        id="the list with the file",
    ),
]


@pytest.mark.parametrize("tried", UPLOADED)
def test_a_campaign_key_that_got_a_file_after_an_upload_is_sure(tried: Places):
    evidence = evidence_of(*twice(404, NOT_FOUND), made_up())
    assert conclude_on_campaign_key(evidence, tried).certainty is SURE


def test_a_campaign_key_that_got_no_file_after_an_upload_stays_open():
    evidence = evidence_of(*twice(404, NOT_FOUND), made_up())
    assert conclude_on_campaign_key(evidence, Places({}, {})).certainty is NOT_ASKED


# -- the data key ----------------------------------------------------------------------------------

X_APP = "X-App-Id"
WITH_X_APP = list_at(changed(workspace_header=X_APP), SETTINGS.coupon_files_path, LIST)
HEADER_FOUND = [
    *twice(),
    *2 * [reply(200, FILES, question=Question.HEADER, request=WITH_X_APP, tried=X_APP)],
    reply(401, UNAUTHENTICATED, question=Question.HEADER_VALUE, request=WITH_X_APP, tried=X_APP),
]
SEGMENT_WITH_X_APP = requests.read_segment(changed(workspace_header=X_APP), MADE_UP)
ACCEPTED_CAMPAIGN_KEY = [*LIST_ACCEPTED_TWICE, made_up()]
ELSEWHERE = {"location": "https://segments.example.org/v3/custom-segments/wes-doctor"}


def check_data_key(row: Case) -> None:
    """The finding about the data key says what the row says, word for word."""
    finding = conclude_on_data_key(row.evidence)
    assert finding.topic is Topic.DATA_KEY
    assert Said.of(finding) == row.said


DATA_SWAPS = [
    Case(
        "none is given",
        segment_twice(),
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
        "each in the other's place",
        [*twice(), *segment_twice(), data_key_on_list(), campaign_key_on_segment()],
        Said(WRONG, "Campaign API key is accepted in its place: swap the two."),
    ),
    Case(
        "the campaign key in its place",
        [*twice(), *segment_twice(), data_key_on_list(401), campaign_key_on_segment()],
        Said(
            WRONG,
            "Refused twice (401 request-unauthenticated: 'Credentials are missing or "
            "invalid'), while the Campaign API key is accepted in its place: paste "
            "that one.",
        ),
    ),
    Case(
        "accepted as the campaign key",
        [*twice(), *segment_twice(), data_key_on_list(), campaign_key_on_segment(401)],
        Said(
            NOT_PROVED,
            "Refused twice (401 request-unauthenticated: 'Credentials are missing or "
            "invalid'). Data API key, Workspace identifier or Workspace header may be "
            "wrong, or a gateway refuses everybody: check each of them.",
        ),
    ),
    Case(
        "403, and accepted for coupons",
        [*twice(), segment(403, FORBIDDEN), data_key_on_list()],
        Said(
            NOT_PROVED,
            "The service replies 403 forbidden: 'Not you', and accepts it for coupons: "
            "it may be a key for coupons. Paste the one for segments, or let --segment "
            "ID try an update.",
        ),
    ),
    Case(
        "403 twice, told apart, and accepted for coupons",
        [*twice(), *segment_twice(403, FORBIDDEN), made_up_segment(), data_key_on_list()],
        Said(
            NOT_PROVED,
            "The service replies 403 forbidden: 'Not you', and accepts it for coupons: "
            "it may be a key for coupons. Paste the one for segments, or let --segment "
            "ID try an update.",
        ),
    ),
    Case(
        "the documented 403, and accepted for coupons",
        [*twice(), *segment_twice(403, DOCUMENTED), data_key_on_list()],
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: a made-up key was not compared, "
            "because other replies left it open. Run this again later.",
        ),
    ),
    Case(
        "404, and accepted for coupons",
        [*twice(), *segment_twice(404), data_key_on_list()],
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: a made-up key was not compared, "
            "because other replies left it open. Run this again later.",
        ),
    ),
    Case(
        "none is given, and nothing was read with the header",
        HEADER_FOUND,
        Said(SURE, "None is given: segments use the Campaign API key."),
        settings=changed(data_api_key=CAMPAIGN_KEY),
    ),
    Case(
        "the campaign key in its place, and it is accepted",
        [*ACCEPTED_CAMPAIGN_KEY, *segment_twice(), campaign_key_on_segment()],
        Said(
            WRONG,
            "Refused twice (401 request-unauthenticated: 'Credentials are missing or "
            "invalid'), while the Campaign API key is accepted in its place: paste "
            "that one.",
        ),
    ),
    Case(
        "each in the other's place, but segments are elsewhere",
        [
            *twice(),
            *segment_twice(401, error("", "Use https://segments.example.org/v3 instead.")),
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
]


@pytest.mark.parametrize("row", DATA_SWAPS, ids=ids(DATA_SWAPS))
def test_a_data_key_that_is_missing_or_may_be_swapped(row: Case):
    """None is given, or reads with swapped keys were sent."""
    check_data_key(row)


DATA_UNANSWERED = [
    Case(
        "nothing was read",
        [],
        Said(NOT_PROVED, "Not settled, because other replies left it open. Run this again later."),
    ),
    Case(
        "nothing was read for a reason",
        [],
        Said(NOT_PROVED, "Not settled, because the time ran out. Run this again later."),
        not_asked={Question.DATA_KEY: "the time ran out"},
    ),
    Case(
        "lost, with words",
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
        "nothing was read with the header",
        HEADER_FOUND,
        Said(NOT_PROVED, "Not asked with X-App-Id: put the extra in, and run this again."),
    ),
    Case(
        "lost with the header",
        [*HEADER_FOUND, segment(500, request=SEGMENT_WITH_X_APP)],
        Said(NOT_PROVED, "Not asked with X-App-Id: put the extra in, and run this again."),
    ),
]


@pytest.mark.parametrize("row", DATA_UNANSWERED, ids=ids(DATA_UNANSWERED))
def test_a_data_key_whose_reads_bring_no_answer(row: Case):
    """Nothing was read, it was lost, or it is about no key."""
    check_data_key(row)


DATA_REFUSED = [
    Case(
        "twice",
        segment_twice(),
        Said(
            NOT_PROVED,
            "Refused twice (401 request-unauthenticated: 'Credentials are missing or "
            "invalid'). Data API key, Workspace identifier or Workspace header may be "
            "wrong, or a gateway refuses everybody: check each of them.",
        ),
    ),
    Case(
        "three times",
        [*segment_twice(), segment_again(401)],
        Said(
            NOT_PROVED,
            "Refused 3 times (401 request-unauthenticated: 'Credentials are missing or "
            "invalid'). Data API key, Workspace identifier or Workspace header may be "
            "wrong, or a gateway refuses everybody: check each of them.",
        ),
    ),
    Case(
        "with a realm",
        segment_twice(401, b"", headers={"www-authenticate": 'Basic realm="nginx staging"'}),
        Said(
            NOT_PROVED,
            "Refused twice (401, of the realm 'nginx staging'). Data API key, "
            "Workspace identifier or Workspace header may be wrong, or a gateway "
            "refuses everybody: check each of them.",
        ),
    ),
    Case(
        "though the campaign key is accepted",
        [*ACCEPTED_CAMPAIGN_KEY, *segment_twice()],
        Said(
            WRONG,
            "Refused twice (401 request-unauthenticated: 'Credentials are missing or "
            "invalid'), though the Campaign API key is accepted: paste it again, or do "
            "what it says.",
        ),
    ),
    Case(
        "for a reason, though the campaign key is accepted",
        [*ACCEPTED_CAMPAIGN_KEY, *segment_twice(401, EXPIRED)],
        Said(
            WRONG,
            "Refused twice (401 key-expired: 'Your key has expired'), though the "
            "Campaign API key is accepted: make a new key, or have its time extended, "
            "and put it in.",
        ),
    ),
    Case(
        "though the campaign key is accepted, in other words than a made-up key",
        [*ACCEPTED_CAMPAIGN_KEY, *segment_twice(401, STRANGE), made_up_segment(401, OTHER_WORDS)],
        Said(
            WRONG,
            "Refused twice (401 teapot: 'Moon phase is unfavourable'), though the "
            "Campaign API key is accepted: do what it says, since another key gets "
            "other words; or ask the service's support which key this needs.",
        ),
    ),
    Case(
        "though the campaign key is accepted, with a page",
        [*ACCEPTED_CAMPAIGN_KEY, *segment_twice(401, PAGE)],
        Said(
            WRONG,
            "Refused twice (401: 'Hello'), though the Campaign API key is accepted: "
            "what replied sent a web page and no JSON of the service's, so it may be "
            "before it: ask whoever runs it to let requests through, or paste the key "
            "again.",
        ),
    ),
    Case(
        "for a reason",
        segment_twice(401, EXPIRED),
        Said(
            NOT_PROVED,
            "Refused twice (401 key-expired: 'Your key has expired'): make a new key, "
            "or have its time extended, and put it in.",
        ),
    ),
    Case(
        "for a header",
        [*twice(401, HEADER_MISSING), *segment_twice()],
        Said(NOT_PROVED, "Not settled: see Workspace header."),
    ),
    Case(
        "by a gateway",
        [
            *twice(401, TOKEN_EXPIRED, headers=BEARER),
            *segment_twice(401, TOKEN_EXPIRED, headers=BEARER),
        ],
        Said(NOT_PROVED, "Refused twice (401: 'The token has expired'): see Campaign API key."),
    ),
    Case(
        "by a gateway, without a challenge for coupons",
        [*twice(401, TOKEN_EXPIRED), *segment_twice(401, TOKEN_EXPIRED, headers=BEARER)],
        Said(
            NOT_PROVED,
            "Refused twice (401: 'The token has expired'): make a new key, or have its "
            "time extended, and put it in.",
        ),
    ),
    Case(
        "in words of no meaning",
        segment_twice(401, STRANGE),
        Said(
            NOT_PROVED,
            "Refused twice (401 teapot: 'Moon phase is unfavourable'). Data API key, "
            "Workspace identifier or Workspace header may be wrong, or a gateway "
            "refuses everybody: check each of them.",
        ),
    ),
    Case(
        "with something to do",
        segment_twice(401, error("", "Please smile.")),
        Said(
            NOT_PROVED,
            "Refused twice (401: 'Please smile'). Do what it says; if that does not "
            "help, check Data API key, Workspace identifier and Workspace header.",
        ),
    ),
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
        "once, with the header",
        [*HEADER_FOUND, segment(401, UNAUTHENTICATED, request=SEGMENT_WITH_X_APP)],
        Said(
            NOT_PROVED,
            "Refused once. Not proved by a second read: other replies left it open. "
            "Run this again later.",
        ),
    ),
    Case(
        "twice, with the header",
        [*HEADER_FOUND, *segment_twice(401, UNAUTHENTICATED, request=SEGMENT_WITH_X_APP)],
        Said(
            NOT_PROVED,
            "Refused twice (401 request-unauthenticated: 'Credentials are missing or "
            "invalid'). Data API key, Workspace identifier or Workspace header may be "
            "wrong, or a gateway refuses everybody: check each of them.",
        ),
    ),
    Case(
        "once, and its question has a reason, with the header",
        [*HEADER_FOUND, segment(401, UNAUTHENTICATED, request=SEGMENT_WITH_X_APP)],
        Said(
            NOT_PROVED,
            "Refused once. Not proved by a second read: the time ran out. Run this again later.",
        ),
        not_asked={Question.DATA_KEY: "the time ran out"},
    ),
    Case(
        "by a gateway, for a header",
        [
            *twice(401, HEADER_MISSING, headers=BEARER),
            *segment_twice(401, HEADER_MISSING, headers=BEARER),
        ],
        Said(NOT_PROVED, "Not settled: see Workspace header."),
    ),
]


@pytest.mark.parametrize("row", DATA_REFUSED, ids=ids(DATA_REFUSED))
def test_a_data_key_that_is_refused(row: Case):
    """The words, the challenge and whether the campaign key is accepted say what to do."""
    check_data_key(row)


DATA_ACCEPTED = [
    Case(
        "twice",
        ACCEPTED_DATA_KEY,
        Said(SURE, "Accepted twice; a made-up key is refused."),
    ),
    Case(
        "once",
        [segment(), made_up_segment()],
        Said(
            NOT_PROVED,
            "Accepted once; a made-up key is refused. Not proved by a second read: "
            "other replies left it open. Run this again later.",
        ),
    ),
    Case(
        "once, with 403",
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
    """Sure if a segment that does not exist is not found twice; once is no proof."""
    check_data_key(row)


DATA_FORBIDDEN = [
    Case(
        "forbidden",
        [*segment_twice(403, FORBIDDEN), made_up_segment()],
        Said(
            NOT_PROVED,
            "Reads of segments get 403 forbidden: 'Not you', while a made-up key is "
            "refused; --segment ID tries an update.",
        ),
    ),
    Case(
        "forbidden, by a scope",
        [*segment_twice(403, error("", "Your scope is small.")), made_up_segment()],
        Said(
            NOT_PROVED,
            "Reads of segments get 403: 'Your scope is small', while a made-up key is "
            "refused; --segment ID tries an update. Ask an administrator of the "
            "account for a key with what it lacks.",
        ),
    ),
    Case(
        "hidden",
        [*segment_twice(404, NO_SCOPE), made_up_segment()],
        Said(
            NOT_PROVED,
            "Reads of segments get 404 not-found: 'Nothing here that your permissions "
            "show', while a made-up key is refused; --segment ID tries an update. Ask "
            "an administrator of the account for a key with what it lacks.",
        ),
    ),
    Case(
        "forbidden first by a scope",
        [segment(403, TOO_SMALL), segment_again(403, FORBIDDEN), made_up_segment()],
        Said(
            NOT_PROVED,
            "Reads of segments get 403: 'Your role is too small', while a made-up key "
            "is refused; --segment ID tries an update. Ask an administrator of the "
            "account for a key with what it lacks.",
        ),
    ),
    Case(
        "forbidden last by a scope",
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
        "accepted and refused",
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
        "the same as a made-up key",
        [*segment_twice(404, NOT_FOUND), made_up_segment(404, NOT_FOUND)],
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: a made-up key gets the same (404 "
            "not-found: 'Nothing is here'). --segment ID shows it.",
        ),
    ),
    Case(
        "no made-up key",
        segment_twice(404, NOT_FOUND),
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: a made-up key was not compared, "
            "because other replies left it open. Run this again later.",
        ),
    ),
    Case(
        "no made-up key for a reason",
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
        "redirected",
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
        "named",
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
    Case(
        "the first of two",
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
        "coupons are elsewhere, too",
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
        "one of two is here",
        [*LIST_ACCEPTED_TWICE, segment(302, b"", headers=ELSEWHERE), segment_again()],
        Said(
            NOT_PROVED,
            "No reply shows whether it is accepted: a made-up key was not compared, "
            "because other replies left it open. Run this again later.",
        ),
    ),
]


@pytest.mark.parametrize("row", DATA_ELSEWHERE, ids=ids(DATA_ELSEWHERE))
def test_a_data_key_while_segments_are_at_another_address(row: Case):
    """A redirect or the words of a reply name the address of segments."""
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
        [*twice(), *segment_twice(), data_key_on_list(), campaign_key_on_segment()],
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
            *twice(),
            *segment_twice(),
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
        [one_file(401), data_key_on_list(), *twice()],
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
def test_a_finding_about_the_campaign_key_rests_on_reads_with_it(row: RestsOn):
    """
    In this order: reads of the list, the lost ones, one with a made-up key, those with swapped
    keys, and those of a file that are refused.
    """
    evidence = evidence_of(*row.probes)
    finding = conclude_on_campaign_key(evidence, facts.places(evidence))
    assert numbers_of(finding, row.probes) == row.campaign_key


@pytest.mark.parametrize("row", RESTS_ON, ids=ids(RESTS_ON))
def test_a_finding_about_the_data_key_rests_on_reads_with_it(row: RestsOn):
    """
    In this order: reads of a segment, the lost ones, one with a made-up key, and those with swapped
    keys.
    """
    finding = conclude_on_data_key(evidence_of(*row.probes))
    assert numbers_of(finding, row.probes) == row.data_key
