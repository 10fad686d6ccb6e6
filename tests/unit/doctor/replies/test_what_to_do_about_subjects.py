"""
What to do about a refusal follows from what it is about. If it is about the machine, its workers'
addresses are to be let in; the machine's own address is shown if the words call it "your" or the
like. A maintenance or a quota is to be waited for: until then, if the words have a date or an hour
that is not that of its beginning; else until what the reply's headers say; else until a maintenance
is over, and for a quota without an end. The clock is to be set, a key to be replaced or extended as its words say, a missing
permission or plan to be asked for, and a version of the service to be asked about, but not one of
a client. What the provider does not send, or a client's version, no setting changes. A repeated
request is no fault of a key or a path, and a gateway of AWS has its own words for no path. Other
words about the path say it best themselves, so nothing is added.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from wes_provider.doctor.replies.subjects import (
    subject_of,
)


class Remedy(NamedTuple):
    """
    A message, and what to do about it.

    :ivar until: the end that the reply's headers have, with a space before it; empty for none.
    """

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
    Remedy("Maintenance since 10:00", f"Wait until 11:00 UTC{NEW}", " until 11:00 UTC"),
    Remedy("Maintenance since 10:00 until 12:00", f"Wait until then{NEW}", " until 11:00 UTC"),
    Remedy("Rate limit", f"Wait, {MORE}"),
    Remedy("Rate limit", f"Wait until 10:00 UTC, {MORE}", " until 10:00 UTC"),
    Remedy("Rate limit until 10:00", f"Wait until then, {MORE}", " until 11:00 UTC"),
    Remedy("in the path", ""),
    Remedy(
        "Missing Authentication Token",
        "A gateway of AWS says so of a path that it does not have, or if it wants signatures of "
        "its own, whatever the key is: the Address may lack its stage, such as /prod.",
    ),
    Remedy(
        "Authorization header requires 'Credential' parameter.",
        "A gateway of AWS says so of a path that it does not have, or if it wants signatures of "
        "its own, whatever the key is: the Address may lack its stage, such as /prod.",
    ),
    Remedy(
        "Invalid key=value pair (missing equal-sign) in Authorization header (hashed with SHA-256)",
        "A gateway of AWS says so of a path that it does not have, or if it wants signatures of "
        "its own, whatever the key is: the Address may lack its stage, such as /prod.",
    ),
    Remedy("key expired", "Make a new key, or have its time extended, and put it in."),
    Remedy("key revoked", "Make a new key, or have this one enabled, and put it in."),
    Remedy(
        "version 1 is retired",
        "The provider sends to paths of that version, which no setting changes: ask the service's support "
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
        "Client version unsupported",
        "The provider is a client of its own, and no setting changes that: ask the service's "
        "support to accept it.",
    ),
    Remedy(
        "Your SDK version is deprecated, please upgrade your SDK",
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
        "The provider sends application/json, and asks for it, and no setting changes that: ask "
        "the service's support, or whoever runs the gateway, to accept requests with that.",
    ),
    Remedy(
        "not acceptable",
        "The provider sends application/json, and asks for it, and no setting changes that: ask "
        "the service's support, or whoever runs the gateway, to accept requests with that.",
    ),
    Remedy(
        "media type",
        "The provider sends application/json, and asks for it, and no setting changes that: ask "
        "the service's support, or whoever runs the gateway, to accept requests with that.",
    ),
]


@pytest.mark.parametrize(
    "row", REMEDIES, ids=[f"{row.message}; headers:{row.until}" for row in REMEDIES]
)
def test_what_to_do_about_a_refusal_follows_from_its_subject_words_and_end(row: Remedy):
    subject = subject_of("", row.message)
    assert subject is not None
    assert subject.what_to_do(row.message, row.until) == row.what_to_do
