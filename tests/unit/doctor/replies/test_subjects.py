"""
What a refusal is about follows from the words of its code and its message, in English and some
other languages. Some subjects decide the kind of the reply, whatever its status: the machine's
place, its address and the clock (kept out), a maintenance, a quota and hours of the day (not now), a key that
has ended (refused). The others have no kind: the provider's own name, a part of the path, a stage,
another scheme, a version, a scope, a plan, a repetition, and what the provider does not send. Words of none are about
nothing. If words are of two subjects, the first one counts, in this order, not in that of the
words: own name, place, machine, clock, maintenance, quota, path, stage, scheme, key, hours, version, scope, plan,
what is not sent, repetition.

If one sentence of the message has "missing" or "invalid" and "or" at most 40 characters apart, a
cause is left open: only subjects without a kind count. A code is read as words (dailyLimit,
IP_not-allowed), and is no part of the message's sentence; an "or" in it leaves nothing open.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from wes_provider.doctor.replies.subjects import (
    Kind,
    Subject,
    in_words,
    subject_of,
)


class About(NamedTuple):
    """A subject, the kind of its replies, and messages about it."""

    subject: Subject | None
    kind: Kind | None
    messages: Sequence[str]


ABOUT = [
    About(
        Subject.MACHINE,
        Kind.KEPT_OUT,
        [
            "allowlist",
            "allow-list",
            "White list",
            "your IP",
            "source address",
            "client address",
            "remote address",
            "network address",
            "address not allowed",
            "address is not permitted",
            "address not authorized",
            "resource policy",
            "resource-based policy",
            "firewall",
            "WAF",
            "network policy",
            "network zone",
            "vpc",
            "vpce",
            "ip",
        ],
    ),
    About(
        Subject.PLACE,
        Kind.KEPT_OUT,
        [
            "country not allowed",
            "location is blocked",
            "country blocked",
            "from your country",
            "from your network location",
            "requests from outside",
            "geo-blocking",
        ],
    ),
    About(
        Subject.SCHEME,
        None,
        [
            "Use a bearer token",
            "requires OAuth 2.0",
            "Segments accept OAuth 2.0 access tokens only",
            "API keys were retired for v3",
            "keys are no longer accepted",
            "Basic authentication is no longer supported",
            "JWT required",
        ],
    ),
    About(
        Subject.CLOCK,
        Kind.KEPT_OUT,
        [
            "clock",
            "time skewed",
            "timestamp too old",
            "time stamp is expired",
            "timestamp invalid",
            "timestamp outside",
            "timestamp in the past",
            "timestamp is in the future",
            "request time too old",
            "request date expired",
            "request time is outside",
            "request time differs",
        ],
    ),
    About(
        Subject.MAINTENANCE,
        Kind.NOT_NOW,
        [
            "Maintenance",
            "Wartung",
            "mantenimiento",
            "manutenzione",
            "manutenção",
            "manutencao",
            "downtime",
            "read-only mode",
            "readonly until",
            "read only window",
            "read-only during",
            "sólo lectura hasta",
            "solo lectura, hasta",
            "service is read-only",
            "system now read only",
            "API is currently read-only",
            "platform read-only",
            "database are read-only",
            "site is readonly",
            "temporarily unavailable",
            "temporarily disabled",
            "temporarily closed",
            "temporarily offline",
            "migration in progress",
            "migration is running",
            "being migrated",
        ],
    ),
    About(
        Subject.QUOTA,
        Kind.NOT_NOW,
        [
            "quota exceeded",
            "quota is exhausted",
            "quota used",
            "quota reached",
            "quota consumed",
            "spike arrest violation",
            "SpikeArrestViolation",
            "allowed rate: 12pm",
            "rate exceeded",
            "you exceeded your rate",
            "quota spent",
            "quota resets",
            "quota reset",
            "Quota verbraucht",
            "Quota erschöpft",
            "exceeded quota",
            "exhausted your quota",
            "over quota",
            "out of quota",
            "reached quota",
            "used up the quota",
            "rate limit",
            "daily-limit",
            "hourly_limits",
            "monthly limit",
            "weekly limit",
            "usage limit",
            "requests limit",
            "call limit",
            "volume limit",
            "throughput limit",
            "transaction limit",
            "limit of 5 per second",
            "limits per minute",
            "limit: 5 per hour",
            "limit 5 per day",
            "limit per month",
            "too many requests",
            "too many calls",
            "throttled",
            "Kontingent",
            "cuota",
            "slow down",
        ],
    ),
    About(
        Subject.PATH,
        None,
        [
            "give it in the path",
            "is in your URL",
            "in the URI",
            "path must have",
            "URL should",
            "uri has to",
            "path lacks",
            "url needs",
            "no tenant in",
            "no workspace in",
            "no account in",
            "as /{tenant}/ has",
        ],
    ),
    About(Subject.STAGE, None, ["Missing Authentication Token"]),
    About(
        Subject.KEY,
        Kind.REFUSED,
        [
            "key pending approval",
            "The token is not yet valid",
            "credentials await activation",
            "key expired",
            "tokens revoked",
            "credential retired",
            "key rotated",
            "key rotation",
            "key replaced",
            "key superseded",
            "key is obsolete",
            "key outdated",
            "Schlüssel ersetzt",
            "key disabled",
            "Schlüssel abgelaufen",
            "Schlüssel gesperrt",
            "clé: widerrufen",
            "clave caducada",
        ],
    ),
    About(Subject.VERSION, None, ["version 1 is retired", "deprecated v1"]),
    About(
        Subject.CLIENT,
        None,
        [
            "Requests of the client 'airflow-provider-wes/0.1.0' are not allowed",
            "Airflow-Provider-WES is blocked",
        ],
    ),
    About(
        Subject.HOURS,
        Kind.NOT_NOW,
        [
            "This key may be used Mon-Fri 06:00-20:00 Europe/Berlin only",
            "Allowed between 8:00am and 6:00pm",
            "Access permitted 08.00 to 18.00",
            "only valid 8h00-18h00",
            "06:00\u201320:00 only",
            "Requests outside the permitted hours are rejected",
            "outside your time window",
            "Not available outside business hours",
        ],
    ),
    About(
        Subject.POLICY,
        None,
        [
            "User: anonymous is not authorized to perform: execute-api:Invoke on resource: arn:x",
            "user:anonymous is not authorised to perform this with an explicit deny",
        ],
    ),
    About(
        Subject.SCOPE,
        None,
        [
            "scope a",
            "scopes",
            "permission",
            "explicit deny",
            "not authorized to access",
            "not authorised to perform",
            "not authorized to read",
            "not authorized to use",
            "privilege",
            "entitlement",
            "role",
            "read-only",
            "readonly",
            "Berechtigung",
            "autorisé",
            "permiso",
        ],
    ),
    About(
        Subject.PLAN,
        None,
        [
            "your plan",
            "license",
            "licence",
            "tier",
            "quota",
            "subscription does not",
            "upgrade to pro",
            "not enabled for you",
            "not activated for",
            "not included for",
            "feature not there",
            "feature is disabled",
            "feature disabled",
        ],
    ),
    About(
        Subject.REPETITION,
        None,
        [
            "an identical request",
            "duplicate request",
            "duplicated API request",
            "repeated requests",
            "request already received",
            "request was previously processed",
            "request has been already seen",
            "replay",
            "replayed",
        ],
    ),
    About(
        Subject.NEGOTIATION,
        None,
        [
            "accept: x",
            "Accept=x",
            "accept header",
            "not acceptable",
            "not_acceptable",
            "user agent",
            "user-agent",
            "media type",
            "media-type",
            "SDK version",
            "client version",
            "app version",
            "upgrade your SDK",
            "update the client",
            "use our new app",
            "use an sdk",
            "use a client",
            "If-Match",
            "csrf",
        ],
    ),
    About(
        None,
        None,
        [
            "",
            "No.",
            "shipping",
            "a.ip",
            "address allowed",
            "address",
            "time stamp",
            "plane",
            *(
                "path",
                "limits",
                "limit per year",
                "call limits must be",
                "rate limit has to be not"[:14],
            ),
            "too many files",
            "Requests between 06:00 and 20:00 are logged",
            "sent on Mon, 30 Nov 2026 12:00:00 GMT only",
            "ip phones",
            "telescope",
            "parole",
            "planet",
            "frontier",
            "tiers",
            "keys",
            "authentication token",
            "wafer",
            "vpcs",
            "request limit should be set",
            "request limit may be",
            "request limit is not given",
        ],
    ),
]


@pytest.mark.parametrize(
    ("message", "subject", "kind"),
    [(message, row.subject, row.kind) for row in ABOUT for message in row.messages],
    ids=[message for row in ABOUT for message in row.messages],
)
def test_the_subject_and_the_kind_of_a_message_follow_from_its_words(
    message: str, subject: Subject | None, kind: Kind | None
):
    row = subject_of("", message)
    assert (row and row.subject, row and row.kind) == (subject, kind)


class Both(NamedTuple):
    """A message with words of two subjects, and that which it is about."""

    message: str
    subject: Subject


# Each pair is about the one that stands first in the order above, whichever its words name first.
BOTH = [
    Both("clock of your IP", Subject.MACHINE),
    Both("clock maintenance", Subject.CLOCK),
    Both("quota exceeded by the maintenance", Subject.MAINTENANCE),
    Both("maintenance: reads are allowed 06:00-20:00", Subject.MAINTENANCE),
    Both("valid 06:00-20:00 only, key expired", Subject.KEY),
    Both("version 1 is retired outside business hours", Subject.HOURS),
    Both("client airflow-provider-wes: IP not allowed", Subject.CLIENT),
    Both("the path needs it, quota exceeded", Subject.QUOTA),
    Both("missing authentication token in the path", Subject.PATH),
    Both("key expired: missing authentication token", Subject.STAGE),
    Both("version 1 is retired, key expired", Subject.KEY),
    Both("scope of version 1 is retired", Subject.VERSION),
    Both("your plan has no permission", Subject.SCOPE),
    Both("user agent of your plan", Subject.PLAN),
    Both("a nonce is required against replays", Subject.NEGOTIATION),
]


@pytest.mark.parametrize("row", BOTH, ids=[row.message for row in BOTH])
def test_a_message_with_words_of_two_subjects_is_about_the_earlier_one(row: Both):
    found = subject_of("", row.message)
    assert found is not None
    assert found.subject is row.subject


class Causes(NamedTuple):
    """A message with several causes, and what it is about."""

    name: str
    message: str
    subject: Subject | None


CAUSES = [
    # One of the causes is that something is missing or invalid, so the others are left open.
    Causes("an expired key, or a missing one", "key expired, missing or unknown", None),
    Causes("an invalid one, or the machine", "invalid or your IP", None),
    Causes("the machine, or an invalid one", "your IP or the Clock is invalid", None),
    Causes("the clock, or an invalid key", "clock or key invalid", None),
    Causes(
        "an expired key before, in a sentence of its own", "key expired. Invalid, or none", None
    ),
    # The rule is for subjects with a kind of their own.
    Causes("a missing permission, or another", "missing or no permission", Subject.SCOPE),
    Causes(
        "an expired key, and a scope that may be invalid",
        "key expired. Invalid scope, or none",
        Subject.SCOPE,
    ),
    Causes(
        "an expired key, or a missing one, 40 characters apart",
        f"key expired, missing {'x' * 38} or unknown",
        None,
    ),
    Causes(
        "an expired key, or a missing one, 41 characters apart",
        f"key expired, missing {'x' * 39} or unknown",
        Subject.KEY,
    ),
    Causes("missing, in a sentence of its own", "missing. Or key expired", Subject.KEY),
    Causes("two causes, none of which is missing", "key expired or revoked", Subject.KEY),
]


@pytest.mark.parametrize("row", CAUSES, ids=[row.name for row in CAUSES])
def test_a_kind_is_left_open_if_a_missing_or_invalid_thing_is_another_cause(row: Causes):
    found = subject_of("", row.message)
    assert (found and found.subject) == row.subject


class Code(NamedTuple):
    """A code, a message, and both as words."""

    code: str
    message: str
    words: str


CODES = [
    Code("", "", ""),
    Code("dailyLimitExceeded", "", "daily Limit Exceeded"),
    Code("IP_not-allowed", "No.", "IP not allowed; No."),
    Code("", "as_it-isThere", "as_it-isThere"),
    Code("ABCd2E", "", "ABCd2E"),
]


@pytest.mark.parametrize("row", CODES, ids=[row.code for row in CODES])
def test_a_code_is_read_as_words(row: Code):
    assert in_words(row.code, row.message) == row.words


def test_a_code_and_a_message_are_no_one_sentence():
    assert subject_of("version", "retired") is None


def test_a_code_in_camel_case_has_the_subject_of_its_words():
    found = subject_of("dailyLimit", "")
    assert found is not None
    assert found.subject is Subject.QUOTA


def test_an_or_in_a_code_leaves_nothing_open():
    found = subject_of("missing or ip", "no")
    assert found is not None
    assert found.subject is Subject.MACHINE
