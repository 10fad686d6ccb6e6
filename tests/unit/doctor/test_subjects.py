"""What a refusal is about, by each of the ways that services say it, and what follows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from wes_provider.doctor.subjects import (
    Kind,
    Subject,
    in_words,
    not_sent_in,
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
            "country not allowed",
            "location is blocked",
            "country blocked",
            "ip",
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


# Each pair is about the one that stands first in the order machine, clock, maintenance, quota, path,
# stage, key, version, scope, plan and negotiation, whichever its words name first.
BOTH = [
    Both("clock of your IP", Subject.MACHINE),
    Both("clock maintenance", Subject.CLOCK),
    Both("quota exceeded by the maintenance", Subject.MAINTENANCE),
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


class Remedy(NamedTuple):
    """A message, and what to do about it."""

    message: str
    what_to_do: str
    until: str = ""


SUPPORT = "ask the service's support, or whoever runs the gateway, to accept requests without it."
ALLOW = (
    "may not use it: change no key, but have the addresses of your workers and triggerers put on "
    "the allow-list, and run this from there."
)
MORE = "or ask the service's support for more: it is about no key."
NEW = ", and run this again."
REMEDIES = [
    Remedy(
        "duplicate request",
        "It is no fault of a key or a path: a request is refused that is the same as one before "
        "it. Tasks repeat reads, so ask the service's support, or whoever runs the gateway, to "
        "take reads out of that.",
    ),
    Remedy("Not on the allowlist", f"This machine's address {ALLOW}"),
    Remedy("Your IP 203.0.113.7 is unknown", f"This machine's address 203.0.113.7 {ALLOW}"),
    Remedy("IP 203.0.113.7 is let in", f"This machine's address {ALLOW}"),
    Remedy(
        "clock skew",
        "Set the clock of this machine, and those of your workers and triggerers, by NTP: no key "
        "was judged.",
    ),
    Remedy("Maintenance", f"Wait until it is over{NEW}"),
    Remedy("Maintenance", f"Wait until 10:00 UTC{NEW}", " until 10:00 UTC"),
    Remedy("Maintenance till 10:00", f"Wait until then{NEW}", " until 11:00 UTC"),
    Remedy("Rate limit", f"Wait, {MORE}"),
    Remedy("Rate limit", f"Wait until 10:00 UTC, {MORE}", " until 10:00 UTC"),
    Remedy("Rate limit until 10:00", f"Wait until then, {MORE}", " until 11:00 UTC"),
    Remedy("in the path", ""),
    Remedy(
        "Missing Authentication Token",
        "A gateway of AWS says so of a path that it does not have, whatever the key is: the "
        "Address may lack its stage, such as /prod.",
    ),
    Remedy("key expired", "Make a new key, or have its time extended, and put it in."),
    Remedy("key revoked", "Make a new key, or have this one enabled, and put it in."),
    Remedy(
        "version 1 is retired",
        "Uploads go to a path of that version, which no setting changes: ask the service's support "
        "for how long it stays, or for a newer provider.",
    ),
    Remedy("scope", "Ask an administrator of the account for a key with what it lacks."),
    Remedy("your plan", "Ask the service's support for a plan that has it."),
    Remedy("If-Match", f"The provider does not send If-Match, and no setting adds it: {SUPPORT}"),
    Remedy(
        "Please upgrade your SDK",
        "The provider is a client of its own, and no setting changes that: ask the service's "
        "support to accept it.",
    ),
    Remedy(
        "SDK version",
        "The provider is a client of its own, and no setting changes that: ask the service's "
        "support to accept it.",
    ),
    Remedy(
        "The User-Agent is not one of ours",
        "The provider has no setting for such a header: ask the service's support, or whoever runs "
        "the gateway, to do without it.",
    ),
    Remedy(
        "PATCH takes application/merge-patch+json: unsupported media type",
        "The provider sends and takes application/json only, and no setting changes that: ask "
        "the service's support, or whoever runs the gateway, to accept requests in that form.",
    ),
    Remedy(
        "media type",
        "The provider sends and takes application/json only, and no setting changes that: ask "
        "the service's support, or whoever runs the gateway, to accept requests in that form.",
    ),
]


@pytest.mark.parametrize("row", REMEDIES, ids=[f"{row.message}{row.until}" for row in REMEDIES])
def test_what_to_do_about_a_refusal_follows_from_its_subject_words_and_end(row: Remedy):
    subject = subject_of("", row.message)
    assert subject is not None
    assert subject.what_to_do(row.message, row.until) == row.what_to_do


class Unsent(NamedTuple):
    """What the provider does not send, and words that ask for it."""

    what: str
    words: Sequence[str]


WANTED = (
    "required",
    "missing",
    "must",
    "needed",
    "needs",
    "expected",
    "mandatory",
    "lacks",
    "without",
    "send",
    "set",
    "add",
)
UNSENT = [
    Unsent("If-Unmodified-Since", ["If-Unmodified-Since", "if unmodified since"]),
    Unsent("If-None-Match", ["If-None-Match", "if none match"]),
    Unsent(
        "If-Match",
        [
            "If-Match",
            "if match",
            "etag",
            "ETags",
            "precondition required",
            "precondition header is required",
        ],
    ),
    Unsent("Idempotency-Key", ["Idempotency-Key", "idempotency token", "idempotent key"]),
    Unsent(
        "a client certificate",
        [
            "client certificate",
            "client SSL certificate",
            "client-tls-cert",
            "mutual TLS",
            "mutual-ssl",
            "mTLS",
            "no required SSL certificate",
            "TLS certificate missing",
        ],
    ),
    Unsent(
        "a signature of requests",
        [
            "hmac",
            "sigv4",
            "signature_v4",
            "Sig V4",
            "unsigned request",
            "signed requests",
            "sign the request",
            "sign your requests",
            "sign each request",
            "sign all requests",
            "sign requests",
            "signature required",
            "missing request signature",
            "x-signature needed",
        ],
    ),
    Unsent(
        "a digest of the body",
        [
            "digest required",
            "content digest missing",
            "md5 expected",
            "missing content-md5",
            "checksum needed",
        ],
    ),
    Unsent(
        "a number of the request",
        [
            "request id required",
            "x-request-id' header is required",
            "correlation_id missing",
            "trace id must be sent",
            "transaction id must be given",
            "missing request id",
            "required header: 'x-request-id",
            "needs a request id",
            "lacks request id",
            "without request id",
            "send a correlation id",
            "add trace-id header",
            "requestid missing",
        ],
    ),
    Unsent("a traceparent", ["traceparent required", "missing trace parent"]),
    Unsent(
        "a version of the API",
        ["x-api-version required", "missing api-version", "x-api version needed"],
    ),
    Unsent("a CSRF token", ["csrf", "XSRF"]),
    Unsent(
        "a nonce", [*(f"nonce {word}" for word in WANTED), *(f"{word} a nonce" for word in WANTED)]
    ),
    Unsent(
        "a time of the request",
        [
            "timestamp header required",
            "x-timestamp header missing",
            "request time stamp header needed",
        ],
    ),
    Unsent(
        "a one-time password",
        ["otp", "TOTP", "mfa", "2fa", "one-time password", "one-time code", "two-factor"],
    ),
    Unsent(
        "",
        [
            "",
            "etagere",
            "digest",
            "nonce",
            "nonce. Required",
            "required; a nonce",
            "signature",
            "send the request id to support",
            "add request id: a7",
            "precondition",
            "certificate required",
            "client",
            "one-time",
        ],
    ),
]


@pytest.mark.parametrize(
    ("words", "what"),
    [(words, row.what) for row in UNSENT for words in row.words],
    ids=[words for row in UNSENT for words in row.words],
)
def test_what_the_provider_does_not_send_is_found_in_words_that_demand_it(words: str, what: str):
    assert not_sent_in(words) == what


@pytest.mark.parametrize("words", [words for row in UNSENT if row.what for words in row.words])
def test_words_about_what_the_provider_does_not_send_are_about_negotiation(words: str):
    found = subject_of("", words)
    assert found is not None
    assert found.subject is Subject.NEGOTIATION


class NamedAs(NamedTuple):
    """Words with a header in capitals, and what they ask for."""

    words: str
    what: str


NAMED_AS = [
    NamedAs("X-Request-Id is required", "X-Request-Id"),
    NamedAs("X-Correlation-Id is required", "X-Correlation-Id"),
    NamedAs("X-Signature is required", "X-Signature"),
    NamedAs("X-Api-Version is required", "X-Api-Version"),
    NamedAs("Content-MD5 is missing", "Content-MD5"),
    NamedAs("signature required, see X-Other-Header", "a signature of requests"),
    NamedAs("x-request-id is required", "a number of the request"),
]


@pytest.mark.parametrize("row", NAMED_AS, ids=[row.words for row in NAMED_AS])
def test_a_header_that_the_words_ask_for_is_called_by_its_name_in_capitals(row: NamedAs):
    assert not_sent_in(row.words) == row.what
