"""
Which findings follow from the reads, in their order: Address, the two keys, Workspace header
(before the keys if a header is missed), path of the list, path of one file, Upload, Rate limits.
These replace all others: the Address, if the first read gets no response or a page, if a layer
refuses each read, or if the service moved as a whole; the Account, if all reads are refused for the
machine, if each path gets the same error, or if the layer is a firewall; the Workspace header, if
that error says that one is missing without naming it; Address and header, if one is demanded
besides. Account or Rate limits come first if some reads are refused by their words, and the Account
if the files are of others; a quota that is used up stays in the last row. Records follow the path
of the list if they cannot be read; Errors, Segment and Notices come last, if errors come with 200
and if the last read announces something.
If the last read was refused by a limit of too few requests, keys say "See Rate limits" in place of
"Run this again later". An outage is said of the Address, and a missed header of the Workspace
header, by its read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import (
    FILES,
    PAGE,
    UNAUTHENTICATED,
    again,
    ids,
    listed,
    lost,
    made_up,
    made_up_list,
    nowhere,
    segment,
    with_headers_besides,
)
from support.doctor_replies import error_body, evidence_of, reply
from support.doctor_service import record
from wes_provider.doctor.conclusions.read_conclusions import conclude_from_reads
from wes_provider.doctor.findings.finding import Certainty, Finding, Topic
from wes_provider.doctor.reads import facts
from wes_provider.doctor.replies.probes import Probe

KEYS_FIRST = [
    Topic.ADDRESS,
    Topic.CAMPAIGN_KEY,
    Topic.DATA_KEY,
    Topic.WORKSPACE_HEADER,
    Topic.LIST_PATH,
    Topic.FILE_PATH,
    Topic.UPLOAD,
    Topic.LIMITS,
]
HEADER_FIRST = [
    Topic.ADDRESS,
    Topic.WORKSPACE_HEADER,
    Topic.CAMPAIGN_KEY,
    Topic.DATA_KEY,
    *KEYS_FIRST[4:],
]
STRANGE = error_body("teapot", "Moon phase is unfavourable.")
BANNED = error_body("", "Your IP is not on the allow-list.")
QUOTA = error_body("", "Daily quota exceeded.")
MISSES_ONE = error_body("", "Missing tenant header")
NAMES_ONE = error_body("", "Header X-Tenant is required.")
IN_ORDER = [listed(200, FILES), again(200, FILES), made_up(), nowhere(), made_up_list()]
TRIAL = {"ratelimit-policy": "5;w=86400"}
OF_WINTER = [record("f1", coupons_list_id="winter")]
LAYER = "<html><title>401 Authorization Required</title>"


def listed_twice(status: int, content: Any, **more: Any) -> list[Probe]:
    """The read of the list, twice with the same reply."""
    return [listed(status, content, **more), again(status, content, **more)]


def below(probe: Probe) -> Probe:
    """The redirect of a request to the same path below another address."""
    url = probe.request.url.replace("example.com", "example.com/gw", 1)
    return reply(301, headers={"location": url}, question=probe.question, request=probe.request)


class Case(NamedTuple):
    """Replies, and what findings are about, in their order."""

    name: str
    probes: Sequence[Probe]
    topics: list[Topic]


SUNSET = {"sunset": "Fri, 31 Dec 2027 00:00:00 GMT"}
CASES = [
    Case("files", IN_ORDER, KEYS_FIRST),
    Case("no response", [lost()], [Topic.ADDRESS]),
    Case("a page", [listed(200, PAGE)], [Topic.ADDRESS]),
    Case(
        "all reads are about the machine",
        [listed(403, BANNED), segment(403, BANNED)],
        [Topic.ACCOUNT],
    ),
    Case(
        "some reads are about the machine",
        [*IN_ORDER, segment(403, BANNED)],
        [
            Topic.ACCOUNT,
            Topic.ADDRESS,
            Topic.CAMPAIGN_KEY,
            Topic.DATA_KEY,
            Topic.WORKSPACE_HEADER,
            Topic.LIST_PATH,
            Topic.FILE_PATH,
            Topic.UPLOAD,
            Topic.LIMITS,
        ],
    ),
    Case(
        "some reads are about a quota",
        [listed(200, FILES), again(200, FILES), segment(403, QUOTA), made_up()],
        [
            Topic.LIMITS,
            Topic.ADDRESS,
            Topic.CAMPAIGN_KEY,
            Topic.DATA_KEY,
            Topic.WORKSPACE_HEADER,
            Topic.LIST_PATH,
            Topic.FILE_PATH,
            Topic.UPLOAD,
        ],
    ),
    Case(
        "a quota is used up",
        [listed(200, FILES), segment(403, QUOTA), nowhere(403, QUOTA)],
        [
            Topic.ADDRESS,
            Topic.CAMPAIGN_KEY,
            Topic.DATA_KEY,
            Topic.WORKSPACE_HEADER,
            Topic.LIST_PATH,
            Topic.FILE_PATH,
            Topic.UPLOAD,
            Topic.LIMITS,
        ],
    ),
    Case(
        "files of others",
        [*listed_twice(200, OF_WINTER), made_up(200, OF_WINTER), nowhere(), made_up_list()],
        [
            Topic.ACCOUNT,
            Topic.ADDRESS,
            Topic.CAMPAIGN_KEY,
            Topic.DATA_KEY,
            Topic.WORKSPACE_HEADER,
            Topic.LIST_PATH,
            Topic.FILE_PATH,
            Topic.UPLOAD,
            Topic.LIMITS,
        ],
    ),
    Case(
        "files of others, and some reads are about the machine",
        [*listed_twice(200, OF_WINTER), made_up(200, OF_WINTER), nowhere(), segment(403, BANNED)],
        [
            Topic.ACCOUNT,
            Topic.ADDRESS,
            Topic.CAMPAIGN_KEY,
            Topic.DATA_KEY,
            Topic.WORKSPACE_HEADER,
            Topic.LIST_PATH,
            Topic.FILE_PATH,
            Topic.UPLOAD,
            Topic.LIMITS,
        ],
    ),
    Case(
        "files of others, and some reads are about a quota",
        [*listed_twice(200, OF_WINTER), segment(403, QUOTA), made_up(200, OF_WINTER), nowhere()],
        [
            Topic.LIMITS,
            Topic.ACCOUNT,
            Topic.ADDRESS,
            Topic.CAMPAIGN_KEY,
            Topic.DATA_KEY,
            Topic.WORKSPACE_HEADER,
            Topic.LIST_PATH,
            Topic.FILE_PATH,
            Topic.UPLOAD,
        ],
    ),
    Case(
        "an outage",
        [listed(200, FILES), segment(503), nowhere(503)],
        [
            Topic.ADDRESS,
            Topic.CAMPAIGN_KEY,
            Topic.DATA_KEY,
            Topic.WORKSPACE_HEADER,
            Topic.LIST_PATH,
            Topic.FILE_PATH,
            Topic.UPLOAD,
            Topic.LIMITS,
        ],
    ),
    Case(
        "records that cannot be read",
        [*listed_twice(200, [{"id": "f1"}]), nowhere(), made_up()],
        [
            Topic.ADDRESS,
            Topic.CAMPAIGN_KEY,
            Topic.DATA_KEY,
            Topic.WORKSPACE_HEADER,
            Topic.LIST_PATH,
            Topic.RECORDS,
            Topic.FILE_PATH,
            Topic.UPLOAD,
            Topic.LIMITS,
        ],
    ),
    Case(
        "errors that come as successes",
        [listed(200, FILES), again(200, FILES), segment(200, STRANGE), made_up()],
        [
            Topic.ADDRESS,
            Topic.CAMPAIGN_KEY,
            Topic.DATA_KEY,
            Topic.WORKSPACE_HEADER,
            Topic.LIST_PATH,
            Topic.FILE_PATH,
            Topic.UPLOAD,
            Topic.LIMITS,
            Topic.ERRORS,
            Topic.SEGMENT,
        ],
    ),
    Case(
        "an announcement that the last read has not any more",
        [listed(200, FILES, headers=SUNSET), *IN_ORDER[1:]],
        KEYS_FIRST,
    ),
    Case(
        "an announcement",
        [IN_ORDER[0], again(200, FILES, headers=SUNSET), *IN_ORDER[2:]],
        [*KEYS_FIRST, Topic.NOTICES],
    ),
    Case(
        "a layer",
        [*listed_twice(401, LAYER), nowhere(401, LAYER), made_up(401, LAYER)],
        [Topic.ADDRESS],
    ),
    Case(
        "a layer that is a firewall",
        [
            *listed_twice(401, "<html><title>Request blocked</title>"),
            nowhere(401, "<html><title>Request blocked</title>"),
            made_up(401, "<html><title>Request blocked</title>"),
        ],
        [Topic.ACCOUNT],
    ),
    Case("an objection", [*listed_twice(400, STRANGE), nowhere(400, STRANGE)], [Topic.ACCOUNT]),
    Case(
        "an objection that misses a header",
        [*listed_twice(400, MISSES_ONE), nowhere(400, MISSES_ONE)],
        [Topic.WORKSPACE_HEADER],
    ),
    Case(
        "an objection that names a header",
        [*listed_twice(400, NAMES_ONE), nowhere(400, NAMES_ONE)],
        [Topic.ACCOUNT],
    ),
    Case(
        "a header is missed",
        [*listed_twice(401, MISSES_ONE)],
        [
            Topic.ADDRESS,
            Topic.WORKSPACE_HEADER,
            Topic.CAMPAIGN_KEY,
            Topic.DATA_KEY,
            Topic.LIST_PATH,
            Topic.FILE_PATH,
            Topic.UPLOAD,
            Topic.LIMITS,
        ],
    ),
    Case(
        "a service that moved",
        [below(listed()), below(nowhere()), below(segment())],
        [Topic.ADDRESS],
    ),
    Case(
        "a header that is demanded",
        [*listed_twice(401, NAMES_ONE), with_headers_besides("X-Tenant")],
        [
            Topic.ADDRESS,
            Topic.WORKSPACE_HEADER,
        ],
    ),
    Case(
        "refused",
        listed_twice(401, UNAUTHENTICATED),
        [
            Topic.ADDRESS,
            Topic.CAMPAIGN_KEY,
            Topic.DATA_KEY,
            Topic.WORKSPACE_HEADER,
            Topic.LIST_PATH,
            Topic.FILE_PATH,
            Topic.UPLOAD,
            Topic.LIMITS,
        ],
    ),
]


def conclude(probes: Sequence[Probe]) -> list[Finding]:
    evidence = evidence_of(*probes)
    return conclude_from_reads(evidence, facts.places(evidence))


@pytest.mark.parametrize("row", CASES, ids=ids(CASES))
def test_these_reads_have_findings_about_these_topics_in_this_order(row: Case):
    assert [finding.topic for finding in conclude(row.probes)] == row.topics


class Text(NamedTuple):
    """Replies, and the certainty and the text of one finding."""

    name: str
    probes: Sequence[Probe]
    topic: Topic
    certainty: Certainty
    text: str


TEXTS = [
    Text(
        "a limit that no time helps against, of the key",
        [listed(200, FILES, headers=TRIAL), made_up()],
        Topic.CAMPAIGN_KEY,
        Certainty.NOT_PROVED,
        (
            "Accepted once; a made-up key is refused. Not proved by a second read: "
            "other replies left it open. Run this again later."
        ),
    ),
    Text(
        "a refusal by a limit that no time helps against, of the key",
        [listed(200, FILES), made_up(), segment(429, b"", headers=TRIAL)],
        Topic.CAMPAIGN_KEY,
        Certainty.NOT_PROVED,
        (
            "Accepted once; a made-up key is refused. Not proved by a second read: "
            "other replies left it open. See Rate limits."
        ),
    ),
    Text(
        "a refusal by a limit that no time helps against, of limits",
        [listed(200, FILES), made_up(), segment(429, b"", headers=TRIAL)],
        Topic.LIMITS,
        Certainty.NOT_PROVED,
        (
            "5 requests a day are too few for a wait, which reads each file dozens of "
            "times an hour, and for this command, which sends about 10 reads: to wait "
            "does not help. Ask the service's support for more. Responses state that "
            "limit."
        ),
    ),
    Text(
        "a refusal by a limit, of the key",
        [listed(200, FILES), made_up(), segment(429)],
        Topic.CAMPAIGN_KEY,
        Certainty.NOT_PROVED,
        (
            "Accepted once; a made-up key is refused. Not proved by a second read: "
            "other replies left it open. Run this again later."
        ),
    ),
    Text(
        "a long limit that no time helps against, of the data key",
        [
            listed(200, FILES),
            segment(429, b"", headers={**TRIAL, "retry-after": "7200"}),
            made_up(),
        ],
        Topic.DATA_KEY,
        Certainty.NOT_PROVED,
        "Not settled, because other replies left it open. See Rate limits.",
    ),
    Text(
        "a header that an objection misses",
        [*listed_twice(400, MISSES_ONE), nowhere(400, MISSES_ONE)],
        Topic.WORKSPACE_HEADER,
        Certainty.NOT_PROVED,
        (
            "The service misses a header (400: 'Missing tenant header'): SVC-APPKEY is "
            "not it. Ask its support for the name, and put it into Workspace header."
        ),
    ),
    Text(
        "an outage",
        [listed(200, FILES), segment(503), nowhere(503)],
        Topic.ADDRESS,
        Certainty.NOT_PROVED,
        (
            "After 1 read, since 08:00:00 UTC, the service replied 503 to each of 2 "
            "requests. Run this again later."
        ),
    ),
]


@pytest.mark.parametrize("row", TEXTS, ids=ids(TEXTS))
def test_a_limit_a_header_or_an_outage_is_said_beside_findings_about_something_else(row: Text):
    (finding,) = [finding for finding in conclude(row.probes) if finding.topic is row.topic]
    assert (finding.certainty, finding.text) == (row.certainty, row.text)


def test_a_header_that_an_objection_misses_rests_on_its_read():
    probes = [*listed_twice(400, MISSES_ONE), nowhere(400, MISSES_ONE)]
    (finding,) = conclude(probes)
    assert finding.probes == (probes[0],)
