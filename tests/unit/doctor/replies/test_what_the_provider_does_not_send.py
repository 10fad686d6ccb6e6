"""
If a refusal demands what the provider does not send, it is named, and the refusal is about
negotiation: If-Match and its like, an idempotency key, a client certificate, a signature, a digest
of the body, a number of the request, a traceparent, a version of the API, a CSRF token, a nonce, a
time of the request, or a one-time password. A digest, nonce, signature or certificate is demanded
only if a word such as "required", "missing", "must", "needs", "send" or "add" stands in the same
sentence, before or after it. A number of the request is none if support is to be sent it, or it has
a value. If the words name a header in capitals (X-Request-Id is required), it is called by that
name, and else by words for it. No setting adds it, but to the query of reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from wes_provider.doctor.replies.subjects import (
    READS,
    Subject,
    do_without,
    not_sent_in,
    subject_of,
)


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


class Without(NamedTuple):
    """A refusal of some requests, and the end of the advice."""

    name: str
    words: str
    refused: str
    advice: str


FOR_A_QUERY = (
    "The provider does not send a version of the API. The extra paths takes a query for reads of "
    "lists and files, but no setting adds one to uploads, catalogs and segments: ask the service's "
    "support, or whoever runs the gateway, to accept all requests without it."
)
NO_SETTING = "The provider does not send a version of the API, and no setting adds it: ask"
WITHOUT = [
    Without(
        "reads, and a query", "The api-version query parameter is required.", READS, FOR_A_QUERY
    ),
    Without("reads, and a parameter", "Missing api-version: ?api-version=1", READS, FOR_A_QUERY),
    Without("reads, and a header", "The header api-version is required.", READS, NO_SETTING),
    Without("updates", "The api-version query parameter is required.", "updates", NO_SETTING),
]


@pytest.mark.parametrize("row", WITHOUT, ids=[row.name for row in WITHOUT])
def test_a_query_that_reads_lack_may_stand_in_paths_and_nothing_else_may(row: Without):
    assert do_without(row.words, row.refused).startswith(row.advice)
