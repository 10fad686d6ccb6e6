"""
If no read since an accepted upload got an answer, that comes first, *not proved*: with how many
reads got what, that the file was accepted and is not to be sent again, and what to do. A refused
key is said of the key, whatever else came; a limit of the rate limits; this machine's address, or
another reason in words, of the account; anything else of the address. Nothing is said if one reply
is an answer, if nothing was read, or if the upload was not accepted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_findings import FILES, UNAUTHENTICATED, ids
from support.doctor_replies import SETTINGS, error_body, reply
from support.doctor_service import record
from wes_provider.client import requests
from wes_provider.doctor.conclusions.silence import conclude_on_silence
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.replies.probes import Probe, Question

UPLOAD = requests.upload(
    SETTINGS, "spring", {"file_url": "https://files.example.com/a.csv", "name": "a"}
)
ACCEPTED = reply(201, record("up", "PENDING"), question=Question.WRITE, request=UPLOAD)
LOST = reply(503, b"", question=Question.WRITE, request=UPLOAD)
KEPT = "Coupon file up was accepted: do not send it again."
REFUSED = reply(401, UNAUTHENTICATED)
EXPIRED = reply(401, error_body("key-expired", "This API key has expired."))
LIMITED = reply(429, b"")
AWAY = reply(503, error_body("unavailable", "Deployment in progress."))
BLOCKED = reply(403, error_body("request-forbidden", "Your IP address is temporarily blocked."))


class Silence(NamedTuple):
    """Replies since the upload, what they are about, and what is said."""

    name: str
    since: Sequence[Probe]
    topic: Topic
    text: str


SILENCES = [
    Silence(
        "a refused key",
        [REFUSED, REFUSED],
        Topic.CAMPAIGN_KEY,
        "Accepted until the upload, and refused since then: each of 2 reads got 401 "
        f"request-unauthenticated: 'Credentials are missing or invalid'. {KEPT} It may have been "
        "revoked or replaced, or locked: check it in the service's dashboard, and run this again "
        "without --upload.",
    ),
    Silence(
        "a refused key, and an outage",
        [AWAY, REFUSED, REFUSED],
        Topic.CAMPAIGN_KEY,
        "Accepted until the upload, and refused since then: 2 of 3 reads got 401 "
        f"request-unauthenticated: 'Credentials are missing or invalid'. {KEPT} It may have been "
        "revoked or replaced, or locked: check it in the service's dashboard, and run this again "
        "without --upload.",
    ),
    Silence(
        "a key that has expired",
        [EXPIRED],
        Topic.CAMPAIGN_KEY,
        "Accepted until the upload, and refused since then: each of 1 read got 401 key-expired: "
        f"'This API key has expired'. {KEPT} Make a new key, or have its time extended, and put "
        "it in.",
    ),
    Silence(
        "a limit",
        [LIMITED, LIMITED],
        Topic.LIMITS,
        f"No read since the upload got an answer: each of 2 reads got 429. {KEPT} Wait, and run "
        "this again without --upload.",
    ),
    Silence(
        "a limit that says for how long",
        [reply(429, b"", {"retry-after": "60"})],
        Topic.LIMITS,
        f"No read since the upload got an answer: each of 1 read got 429. {KEPT} Wait until "
        "08:01:00 UTC, as its headers say, and run this again without --upload.",
    ),
    Silence(
        "an outage",
        [AWAY, AWAY],
        Topic.ADDRESS,
        "No read since the upload got an answer: each of 2 reads got 503 unavailable: 'Deployment "
        f"in progress'. {KEPT} Wait, and run this again without --upload.",
    ),
    Silence(
        "an address of this machine that is kept out",
        [BLOCKED, BLOCKED],
        Topic.ACCOUNT,
        "No read since the upload got an answer: each of 2 reads got 403 request-forbidden: 'Your "
        f"IP address is temporarily blocked'. {KEPT} This machine's address may not use it: change "
        "no key, but have the addresses of your workers and triggerers put on the allow-list, and "
        "run this from there. The same requests were answered at other times: it may be that this "
        "machine is seen with several addresses, of which one is not let in.",
    ),
]


@pytest.mark.parametrize("row", SILENCES, ids=ids(SILENCES))
def test_silence_since_an_upload_comes_first_and_says_what_came(row: Silence):
    (finding,) = conclude_on_silence(ACCEPTED, row.since)
    assert (finding.topic, finding.text) == (row.topic, row.text)
    assert finding.certainty is Certainty.NOT_PROVED
    assert finding.is_cause


class NoSilence(NamedTuple):
    """An upload and the replies since then that are no silence."""

    name: str
    uploaded: Probe
    since: Sequence[Probe]


NO_SILENCE = [
    NoSilence("an answer", ACCEPTED, [AWAY, reply(200, FILES)]),
    NoSilence("nothing was read", ACCEPTED, []),
    NoSilence("the upload was not accepted", LOST, [AWAY]),
]


@pytest.mark.parametrize("row", NO_SILENCE, ids=ids(NO_SILENCE))
def test_nothing_is_said_of_silence_otherwise(row: NoSilence):
    assert conclude_on_silence(row.uploaded, row.since) == []
