"""What follows from replies about the header of the workspace, about limits, and about errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import (
    FILES,
    FORBIDDEN,
    NOT_FOUND,
    UNAUTHENTICATED,
    Said,
    again,
    campaign_key_on_segment,
    data_key_on_list,
    ids,
    listed,
    made_up,
    made_up_segment,
    nowhere,
    numbers_of,
    segment,
    segment_again,
    with_headers,
    with_headers_besides,
    with_made_up_value,
)
from support.doctor_replies import MOMENT, SETTINGS, changed, error, evidence_of, reply
from support.doctor_service import CAMPAIGN_KEY, LIST
from wes_provider.client import requests
from wes_provider.client.requests import Request
from wes_provider.doctor.codes import CodeMember
from wes_provider.doctor.evidence import MADE_UP, Evidence, list_at
from wes_provider.doctor.findings import Certainty, Topic
from wes_provider.doctor.header import HEADERS
from wes_provider.doctor.header_conclusions import (
    conclude_on_demanded_header,
    conclude_on_header,
)
from wes_provider.doctor.limit_conclusions import conclude_on_errors, conclude_on_limits
from wes_provider.doctor.probes import Probe, Question

WRONG, NOT_PROVED = Certainty.WRONG, Certainty.NOT_PROVED
NOT_ASKED, SURE = Certainty.NOT_ASKED, Certainty.SURE

OWN = "SVC-APPKEY"
MINE = "X-Mine"
CHOSEN = changed(workspace_header=MINE)
USUAL = " ".join(name for name in HEADERS if name != OWN)
STRANGE = error("teapot", "Moon phase is unfavourable.")
NAMES_TENANT = error("", "Header X-Tenant is required.")
MISSES_ONE = error("", "Missing tenant header")


def read_with(header: str, **changes: Any) -> Request:
    settings = changed(workspace_header=header, **changes)
    return list_at(settings, SETTINGS.coupon_files_path, LIST)


def twice(status: int, content: Any, **more: Any) -> list[Probe]:
    """The read of the list, twice with the same reply."""
    return [listed(status, content, **more), again(status, content, **more)]


def refused_twice(content: Any = UNAUTHENTICATED, **more: Any) -> list[Probe]:
    """The read of the list, twice with 401."""
    return twice(401, content, **more)


def found_in(header: str) -> list[Probe]:
    """The reads that show that the workspace goes into a header."""
    return [with_headers(header), with_headers(header), with_made_up_value(header)]


class Case(NamedTuple):
    """Replies, what is said of the header, and what that proposes."""

    name: str
    probes: Sequence[Probe]
    said: Said
    header: str = ""
    settings: Any = SETTINGS
    not_asked: Mapping[Question, str] = {}

    @property
    def evidence(self) -> Evidence:
        return evidence_of(*self.probes, settings=self.settings, not_asked=self.not_asked)


HINT = {"vary": "Accept, X-Tenant"}


def check_header(row: Case) -> None:
    """The finding about the header says what the row says, word for word."""
    finding = conclude_on_header(row.evidence)
    assert finding.topic is Topic.WORKSPACE_HEADER
    assert Said.of(finding) == row.said
    proposed = {}
    if row.header:
        proposed = {"workspace_header": row.header}
    assert (finding.settings, finding.guesses) == (proposed, {})


OTHER_HEADER = [
    Case(
        "another header",
        [*refused_twice(), *found_in("X-App-Id")],
        Said(WRONG, "The service takes the workspace from X-App-Id, not from SVC-APPKEY."),
        "X-App-Id",
    ),
    Case(
        "another header, which Vary names",
        [*refused_twice(headers=HINT), *found_in("X-Tenant")],
        Said(
            WRONG,
            "Vary of replies names X-Tenant, and the service accepts it in place of SVC-APPKEY.",
        ),
        "X-Tenant",
    ),
    Case(
        "another header than the one that Vary names",
        [*refused_twice(headers=HINT), *found_in("X-App-Id")],
        Said(WRONG, "The service takes the workspace from X-App-Id, not from SVC-APPKEY."),
        "X-App-Id",
    ),
    Case(
        "another header, which the error names",
        [*refused_twice(NAMES_TENANT), *found_in("X-Tenant")],
        Said(WRONG, "The service names X-Tenant, and accepts it in place of SVC-APPKEY."),
        "X-Tenant",
    ),
    Case(
        "another header, which the error and Vary name",
        [*refused_twice(NAMES_TENANT, headers=HINT), *found_in("X-Tenant")],
        Said(WRONG, "The service names X-Tenant, and accepts it in place of SVC-APPKEY."),
        "X-Tenant",
    ),
    Case(
        "another header than a chosen one",
        [*[listed(401, UNAUTHENTICATED, request=read_with(MINE))] * 2, *found_in("X-App-Id")],
        Said(WRONG, "The service takes the workspace from X-App-Id, not from X-Mine."),
        "X-App-Id",
        settings=CHOSEN,
    ),
    Case(
        "another header, accepted once",
        [*refused_twice(), with_headers("X-App-Id"), with_made_up_value("X-App-Id")],
        Said(
            NOT_PROVED,
            "With SVC-APPKEY, a read gets 401 request-unauthenticated; with other "
            "headers, one got 200. That does not settle whether the service takes "
            "SVC-APPKEY: run this again later.",
        ),
    ),
    Case(
        "another header, and a made-up value gets the same",
        [
            *refused_twice(),
            with_headers("X-App-Id"),
            with_headers("X-App-Id"),
            with_made_up_value("X-App-Id", 200, FILES),
        ],
        Said(
            NOT_PROVED,
            "With SVC-APPKEY, a read gets 401 request-unauthenticated; with other "
            "headers, one got 200. That does not settle whether the service takes "
            "SVC-APPKEY: run this again later.",
        ),
    ),
]


@pytest.mark.parametrize("row", OTHER_HEADER, ids=ids(OTHER_HEADER))
def test_another_header_that_was_accepted_alone(row: Case):
    check_header(row)


ACCEPTED = [
    Case(
        "the campaign key is accepted twice",
        [*twice(200, FILES), made_up()],
        Said(SURE, "SVC-APPKEY is accepted."),
        OWN,
    ),
    Case(
        "the campaign key is accepted once",
        [listed(200, FILES), made_up()],
        Said(SURE, "SVC-APPKEY is accepted."),
        OWN,
    ),
    Case(
        "the campaign key is accepted, then refused",
        [listed(200, FILES), again(401)],
        Said(SURE, "SVC-APPKEY is accepted."),
        OWN,
    ),
    Case(
        "the data key is accepted twice",
        [segment(), segment_again(), made_up_segment()],
        Said(SURE, "SVC-APPKEY is accepted."),
        OWN,
    ),
    Case(
        "the data key is accepted twice, and the campaign key refused",
        [*refused_twice(), segment(), segment_again(), made_up_segment()],
        Said(SURE, "SVC-APPKEY is accepted."),
        OWN,
    ),
    Case(
        "files twice, and no made-up key",
        twice(200, FILES),
        Said(
            NOT_PROVED,
            "No reply shows whether the service takes SVC-APPKEY.",
        ),
    ),
    Case(
        "both keys are accepted in the other's place",
        [
            *refused_twice(),
            segment(401),
            segment_again(401),
            data_key_on_list(),
            campaign_key_on_segment(),
        ],
        Said(SURE, "SVC-APPKEY is accepted, with the keys swapped."),
        OWN,
    ),
    Case(
        "the data key is accepted in the other's place",
        [*refused_twice(), segment(401), segment_again(401), data_key_on_list()],
        Said(
            NOT_PROVED,
            "No reply shows whether the service takes SVC-APPKEY.",
        ),
    ),
    Case(
        "nothing was read with a header of the connection's own",
        [],
        Said(NOT_PROVED, "No reply shows whether the service takes X-Mine."),
        settings=CHOSEN,
    ),
]


@pytest.mark.parametrize("row", ACCEPTED, ids=ids(ACCEPTED))
def test_the_header_of_the_connection_while_keys_are_accepted_or_not(row: Case):
    check_header(row)


READ_WITH_MINE = read_with(MINE)
MINE_TWICE = [listed(200, FILES, request=READ_WITH_MINE), again(200, FILES, request=READ_WITH_MINE)]
MINE_ACCEPTED = [*MINE_TWICE, made_up(request=READ_WITH_MINE)]
SEGMENT_WITH_MINE = requests.read_segment(CHOSEN, MADE_UP)
MINE_CASES = [
    Case(
        "a made-up value is refused",
        [*MINE_ACCEPTED, with_made_up_value(MINE)],
        Said(SURE, "X-Mine is accepted; a made-up value is not."),
        MINE,
        CHOSEN,
    ),
    Case(
        "a made-up value gets the same",
        [*MINE_ACCEPTED, with_made_up_value(MINE, 200, FILES)],
        Said(
            NOT_PROVED,
            "Reads get the same with a made-up value in X-Mine, so no reply shows that "
            "it is the workspace's header. Leave workspace_header out, so that "
            "SVC-APPKEY is sent, or let --upload URL show whether uploads pass.",
        ),
        settings=CHOSEN,
    ),
    Case(
        "a made-up value was not sent",
        MINE_ACCEPTED,
        Said(
            NOT_PROVED,
            "X-Mine is accepted, but a made-up value was not compared, because other "
            "replies left it open. Run this again later.",
        ),
        settings=CHOSEN,
    ),
    Case(
        "a made-up value was not sent, since the time ran out",
        MINE_ACCEPTED,
        Said(
            NOT_PROVED,
            "X-Mine is accepted, but a made-up value was not compared, because the "
            "time ran out. Run this again later.",
        ),
        settings=CHOSEN,
        not_asked={Question.HEADER_VALUE: "the time ran out"},
    ),
    Case(
        "a made-up value was sent in another header",
        [*MINE_ACCEPTED, with_made_up_value("X-App-Id")],
        Said(
            NOT_PROVED,
            "X-Mine is accepted, but a made-up value was not compared, because other "
            "replies left it open. Run this again later.",
        ),
        settings=CHOSEN,
    ),
    Case(
        "401, then files, and a made-up value gets 401",
        [
            listed(401, UNAUTHENTICATED, request=READ_WITH_MINE),
            again(200, FILES, request=READ_WITH_MINE),
            with_made_up_value(MINE, 401, UNAUTHENTICATED),
        ],
        Said(SURE, "X-Mine is accepted; a made-up value is not."),
        MINE,
        CHOSEN,
    ),
    Case(
        "files, then 404, and a made-up value gets the files",
        [
            listed(200, FILES, request=READ_WITH_MINE),
            again(404, NOT_FOUND, request=READ_WITH_MINE),
            made_up(request=READ_WITH_MINE),
            with_made_up_value(MINE, 200, FILES),
        ],
        Said(
            NOT_PROVED,
            "Reads get the same with a made-up value in X-Mine, so no reply shows that "
            "it is the workspace's header. Leave workspace_header out, so that "
            "SVC-APPKEY is sent, or let --upload URL show whether uploads pass.",
        ),
        settings=CHOSEN,
    ),
    Case(
        "the data key alone, and a made-up value gets the same",
        [
            reply(404, NOT_FOUND, question=Question.DATA_KEY, request=SEGMENT_WITH_MINE),
            again(404, NOT_FOUND, request=SEGMENT_WITH_MINE),
            made_up_segment(request=SEGMENT_WITH_MINE),
            with_made_up_value(MINE, 404, NOT_FOUND),
        ],
        Said(
            NOT_PROVED,
            "Reads get the same with a made-up value in X-Mine, so no reply shows that "
            "it is the workspace's header. Leave workspace_header out, so that "
            "SVC-APPKEY is sent, or let --upload URL show whether uploads pass.",
        ),
        settings=CHOSEN,
    ),
    Case(
        "the header of the contract in small letters",
        [
            listed(200, FILES, request=read_with(OWN.lower())),
            again(200, FILES, request=read_with(OWN.lower())),
            made_up(request=read_with(OWN.lower())),
        ],
        Said(SURE, "svc-appkey is accepted."),
        OWN.lower(),
        changed(workspace_header=OWN.lower()),
    ),
]


@pytest.mark.parametrize("row", MINE_CASES, ids=ids(MINE_CASES))
def test_a_header_that_the_connection_names(row: Case):
    check_header(row)


UNSETTLED = [
    # No other header was sent.
    Case(
        "nothing was read",
        [],
        Said(
            NOT_PROVED,
            "No reply shows whether the service takes SVC-APPKEY.",
        ),
    ),
    Case(
        "401 twice",
        refused_twice(),
        Said(
            NOT_PROVED,
            "No reply shows whether the service takes SVC-APPKEY.",
        ),
    ),
    Case(
        "401 with the name of the header that was sent",
        refused_twice(error("", f"Header {OWN} is not known.")),
        Said(
            NOT_PROVED,
            "The service replies 401 to GET /v1/coupon-list/spring/files: 'Header "
            "SVC-APPKEY is not known'. Check Workspace identifier.",
        ),
    ),
    Case(
        "401, then with the name of the header that was sent",
        [listed(401, UNAUTHENTICATED), again(401, error("", f"Header {OWN} is not known."))],
        Said(
            NOT_PROVED,
            "The service replies 401 to GET /v1/coupon-list/spring/files: 'Header "
            "SVC-APPKEY is not known'. Check Workspace identifier.",
        ),
    ),
    # Another header gets an answer.
    Case(
        "all usual headers get files, and one of them 401",
        [*refused_twice(), with_headers(USUAL), with_headers("X-App-Id", 401)],
        Said(
            NOT_PROVED,
            "With SVC-APPKEY, a read gets 401 request-unauthenticated; with other "
            "headers, one got 200. That does not settle whether the service takes "
            "SVC-APPKEY: run this again later.",
        ),
    ),
    Case(
        "all usual headers get 500, and one of them 404",
        [
            *refused_twice(),
            with_headers(USUAL, 500, STRANGE),
            with_headers("X-App-Id", 404, NOT_FOUND),
        ],
        Said(
            NOT_PROVED,
            "With SVC-APPKEY, a read gets 401 request-unauthenticated; with other "
            "headers, one got 404 not-found. That does not settle whether the service "
            "takes SVC-APPKEY: run this again later.",
        ),
    ),
    Case(
        "all usual headers get the same, and one of them 404",
        [
            *refused_twice(),
            with_headers(USUAL, 401, UNAUTHENTICATED),
            with_headers("X-App-Id", 404, NOT_FOUND),
        ],
        Said(
            NOT_PROVED,
            "With SVC-APPKEY, a read gets 401 request-unauthenticated; with other "
            "headers, one got 404 not-found. That does not settle whether the service "
            "takes SVC-APPKEY: run this again later.",
        ),
    ),
    Case(
        "a named header gets 404 besides",
        [*refused_twice(NAMES_TENANT), with_headers_besides("X-Tenant", 404, NOT_FOUND)],
        Said(
            NOT_PROVED,
            "With SVC-APPKEY, a read gets 401; with other headers, one got 404 "
            "not-found. That does not settle whether the service takes SVC-APPKEY: run "
            "this again later.",
        ),
    ),
    # Another header gets no answer.
    Case(
        "a named header gets the same",
        [*refused_twice(NAMES_TENANT), with_headers("X-Tenant", 401, NAMES_TENANT)],
        Said(
            NOT_PROVED,
            "The service names X-Tenant, but a read with it gets no better answer: ask "
            "the service's support what it has to have.",
        ),
    ),
    Case(
        "two named headers get the same",
        [
            *refused_twice(error("", "Headers X-Tenant and X-Realm are required.")),
            with_headers("X-Tenant X-Realm", 401, NAMES_TENANT),
        ],
        Said(
            NOT_PROVED,
            "The service names X-Tenant, X-Realm, but a read with it gets no better "
            "answer: ask the service's support what it has to have.",
        ),
    ),
    Case(
        "a header is missed, and all usual ones get the same",
        [*refused_twice(MISSES_ONE), with_headers(USUAL, 401, MISSES_ONE)],
        Said(
            NOT_PROVED,
            "The service misses a header (401: 'Missing tenant header'): SVC-APPKEY is "
            "not it, nor is any usual one. Ask its support for the name, and put it "
            "into Workspace header.",
        ),
    ),
    Case(
        "a header is missed, and Vary names one",
        [*refused_twice(MISSES_ONE, headers=HINT), with_headers(USUAL, 401, MISSES_ONE)],
        Said(
            NOT_PROVED,
            "The service misses a header (401: 'Missing tenant header'): SVC-APPKEY is "
            "not it, nor is any usual one, nor is X-Tenant, which replies name. Ask "
            "its support for the name, and put it into Workspace header.",
        ),
    ),
    Case(
        "a header is missed, and Vary names two",
        [
            *refused_twice(MISSES_ONE, headers={"vary": "X-Tenant, X-Realm"}),
            with_headers(USUAL, 401, MISSES_ONE),
        ],
        Said(
            NOT_PROVED,
            "The service misses a header (401: 'Missing tenant header'): SVC-APPKEY is "
            "not it, nor is any usual one, nor is X-Tenant, X-Realm, which replies "
            "name. Ask its support for the name, and put it into Workspace header.",
        ),
    ),
    Case(
        "all usual headers get another 401",
        [*refused_twice(), with_headers(USUAL, 401, error("no-tenant", "Who?"))],
        Said(
            NOT_PROVED,
            "A read with the usual headers in place of SVC-APPKEY is refused as well (401 "
            "no-tenant); Campaign API key or Workspace identifier may be wrong: check both.",
        ),
    ),
    Case(
        "all usual headers get the same",
        [*refused_twice(), with_headers(USUAL, 401, UNAUTHENTICATED)],
        Said(
            NOT_PROVED,
            "A read with the usual headers in place of SVC-APPKEY gets the same; "
            "Campaign API key or Workspace identifier may be wrong: check both.",
        ),
    ),
    Case(
        "all usual headers get 401, with a challenge for another scheme",
        [
            *refused_twice(headers={"www-authenticate": "Negotiate"}),
            with_headers(USUAL, 401, UNAUTHENTICATED),
        ],
        Said(
            NOT_PROVED,
            "No reply shows whether the service takes SVC-APPKEY.",
        ),
    ),
]


@pytest.mark.parametrize("row", UNSETTLED, ids=ids(UNSETTLED))
def test_a_header_with_which_no_key_is_accepted(row: Case):
    """The table has no other header, other headers that get an answer, and others that get none."""
    check_header(row)


class RestsOn(NamedTuple):
    """Reads, and the numbers of those that the finding rests on, in its order."""

    name: str
    probes: Sequence[Probe]
    numbers: list[int]
    settings: Any = SETTINGS


RESTS_ON = [
    RestsOn(
        "another header",
        [listed(401), again(401), with_headers("X-B", 401), *found_in("X-App-Id")],
        [
            0,
            3,
            4,
            5,
        ],
    ),
    RestsOn(
        "both keys",
        [*twice(200, FILES), segment(), made_up(), segment_again(), made_up_segment()],
        [
            0,
            1,
            3,
            2,
            4,
            5,
        ],
    ),
    RestsOn(
        "the accepted key",
        [*twice(200, FILES), segment(401), made_up()],
        [
            0,
            1,
            3,
        ],
    ),
    RestsOn(
        "a chosen header",
        [*MINE_ACCEPTED, with_made_up_value(MINE)],
        [
            3,
            0,
            1,
            2,
        ],
        CHOSEN,
    ),
    RestsOn("a refused read", refused_twice(), [0]),
]


@pytest.mark.parametrize("row", RESTS_ON, ids=ids(RESTS_ON))
def test_a_finding_about_the_header_names_its_reads_in_this_order(row: RestsOn):
    finding = conclude_on_header(evidence_of(*row.probes, settings=row.settings))
    assert numbers_of(finding, row.probes) == row.numbers


DEMANDED = [
    Case(
        "sent besides",
        [
            *refused_twice(NAMES_TENANT),
            with_headers_besides("X-Tenant"),
            with_made_up_value("X-App-Id"),
        ],
        Said(
            WRONG,
            "The service demands X-Tenant besides SVC-APPKEY, which the provider "
            "cannot send. Reads with both are accepted, so it is not the workspace's "
            "header: do not set it as such. Ask the service's support, or whoever runs "
            "the gateway, to do without it.",
        ),
    ),
    Case(
        "accepted whatever it has",
        [
            *refused_twice(NAMES_TENANT),
            with_headers("X-Tenant"),
            with_made_up_value("X-Tenant", 200, FILES),
        ],
        Said(
            WRONG,
            "The service demands X-Tenant besides SVC-APPKEY, which the provider "
            "cannot send. Reads with it are accepted whatever it has, so it is not the "
            "workspace's header: do not set it as such. Ask the service's support, or "
            "whoever runs the gateway, to do without it.",
        ),
    ),
]


@pytest.mark.parametrize("row", DEMANDED, ids=ids(DEMANDED))
def test_a_header_that_is_demanded_besides_is_wrong(row: Case):
    finding = conclude_on_demanded_header(row.evidence, "X-Tenant")
    assert finding.topic is Topic.WORKSPACE_HEADER
    assert Said.of(finding) == row.said
    assert numbers_of(finding, row.probes) == list(range(len(row.probes)))


# -- limits ----------------------------------------------------------------------------------------

DATE = {"date": "Fri, 15 Jan 2027 08:00:00 GMT"}
REMAINING = {**DATE, "x-ratelimit-remaining": "7"}
RESET = {**DATE, "x-ratelimit-reset": str(int(MOMENT) + 60)}
STATED = {**REMAINING, **RESET}
LIMIT = {**DATE, "x-ratelimit-limit": "60"}
TRIAL = {"ratelimit-policy": "5;w=86400"}
QUOTA_WORDS = error("", "Daily quota exceeded.")


def refused_by_limit(status: int = 429, content: Any = b"", **more: Any) -> list[Probe]:
    """Two requests that a limit refuses, after one that it let pass."""
    return [
        listed(200, FILES, sent_at=MOMENT - 60),
        segment(status, content, **more),
        nowhere(status, content, **{"sent_at": MOMENT + 30, **more}),
    ]


def check_limits(row: Case) -> None:
    """The finding about limits says what the row says, word for word."""
    finding = conclude_on_limits(row.evidence)
    assert finding.topic is Topic.LIMITS
    assert Said.of(finding) == row.said


STATED_LIMITS = [
    Case(
        "nothing was read",
        [],
        Said(NOT_ASKED, "No headers: the provider keeps to the documented ones."),
    ),
    Case(
        "no headers",
        [listed(200, FILES)],
        Said(NOT_ASKED, "No headers: the provider keeps to the documented ones."),
    ),
    Case(
        "a number and a reset",
        [listed(200, FILES, headers=STATED)],
        Said(SURE, "Stated by 1 of 1 response; the provider keeps to them."),
    ),
    Case(
        "a number and a reset in one of two replies",
        [listed(200, FILES), again(200, FILES, headers=STATED)],
        Said(SURE, "Stated by 1 of 2 responses; the provider keeps to them."),
    ),
    Case(
        "a number and a reset, after 429",
        [listed(429), again(200, FILES, headers=STATED)],
        Said(SURE, "Stated by 1 of 2 responses; the provider keeps to them. 1 read got 429."),
    ),
    Case(
        "a number and a reset, after 429 twice",
        [listed(429), listed(429), again(200, FILES, headers=STATED)],
        Said(SURE, "Stated by 1 of 3 responses; the provider keeps to them. 2 reads got 429."),
    ),
    Case(
        "429, and no headers",
        [listed(429), again(200, FILES)],
        Said(
            NOT_ASKED,
            "1 read got 429, and no response has the documented headers: the provider "
            "keeps to the documented limits, and the service may have others.",
        ),
    ),
    # Headers of the contract that do not suffice.
    Case(
        "a number alone",
        [listed(200, FILES, headers=REMAINING)],
        Said(
            NOT_ASKED,
            "Responses have x-ratelimit-remaining, but no x-ratelimit-reset that can "
            "be read: the provider keeps to the documented ones.",
        ),
    ),
    Case(
        "a reset alone",
        [listed(200, FILES, headers=RESET)],
        Said(NOT_ASKED, "No headers: the provider keeps to the documented ones."),
    ),
    Case(
        "a limit alone",
        [listed(200, FILES, headers=LIMIT)],
        Said(
            NOT_ASKED,
            "Responses have x-ratelimit-limit, but no x-ratelimit-reset that can be "
            "read: the provider keeps to the documented ones.",
        ),
    ),
    Case(
        "a number in one reply, and a limit in another",
        [listed(200, FILES, headers=REMAINING), again(200, FILES, headers=LIMIT)],
        Said(
            NOT_ASKED,
            "Responses have x-ratelimit-limit and x-ratelimit-remaining, but no "
            "x-ratelimit-reset that can be read: the provider keeps to the documented "
            "ones.",
        ),
    ),
    Case(
        "a limit with the status of a failure",
        [listed(503, {"message": "Throttled"}), again(200, FILES), nowhere()],
        Said(
            NOT_PROVED,
            "1 of 3 reads got 503: 'Throttled', which is a limit by its words. Tasks take that "
            "status for a failure, and do not keep to the limit: they repeat reads, and look for "
            "an upload in the list before they send it again. Ask whoever runs the gateway to "
            "reply 429 with Retry-After, and for enough requests.",
        ),
    ),
    Case(
        "429 with a limit and a reset of a few seconds",
        [
            listed(429, headers={**LIMIT, "x-ratelimit-reset": "12"}),
            again(200, FILES, headers=LIMIT),
        ],
        Said(
            NOT_PROVED,
            "Responses have x-ratelimit-limit, but no x-ratelimit-reset that is a time (it is 12, "
            "perhaps seconds from then): tasks keep to the documented limits, and may get 429, as "
            "1 read did. Ask whoever sends them for times in epoch seconds.",
        ),
    ),
    Case(
        "429 with a limit and a reset in milliseconds",
        [listed(429, headers={**LIMIT, "x-ratelimit-reset": "1795754830000"})],
        Said(
            NOT_PROVED,
            "Responses have x-ratelimit-limit, but no x-ratelimit-reset that is a time (it is "
            "1795754830000, perhaps milliseconds): tasks keep to the documented limits, and may "
            "get 429, as 1 read did. Ask whoever sends them for times in epoch seconds.",
        ),
    ),
    Case(
        "a limit and a reset in milliseconds, and no 429",
        [listed(200, FILES, headers={**LIMIT, "x-ratelimit-reset": "1795754830000"})],
        Said(
            NOT_ASKED,
            "Responses have x-ratelimit-limit, but no x-ratelimit-reset in seconds since 1970 (it "
            "is 1795754830000, perhaps milliseconds): the provider keeps to the documented ones.",
        ),
    ),
    Case(
        "429 with a reset much later than Retry-After",
        [
            listed(200, FILES),
            again(
                429,
                headers={"x-ratelimit-reset": str(int(MOMENT) + 7200), "retry-after": "2"},
                sent_at=MOMENT,
            ),
        ],
        Said(
            NOT_PROVED,
            "A reply with 429 permits requests in 2 s by Retry-After, and 7199 s later by "
            "x-ratelimit-reset. One of the two may be of another limit, such as one of a day, or "
            "of another clock. Tasks wait for x-ratelimit-reset: ask the service's support which "
            "one holds.",
        ),
    ),
    # Other headers.
    Case(
        "x-quota",
        [listed(200, FILES, headers={"x-quota": "7"})],
        Said(
            NOT_ASKED,
            "Responses state some in another form than the contract (x-quota: 7): the "
            "provider keeps to the documented ones.",
        ),
    ),
    Case(
        "x-quota and x-burst-limit in the second reply",
        [listed(200, FILES), again(200, FILES, headers={"x-quota": "7", "x-burst-limit": "9"})],
        Said(
            NOT_ASKED,
            "Responses state some in another form than the contract (x-quota: 7, "
            "x-burst-limit: 9): the provider keeps to the documented ones.",
        ),
    ),
    Case(
        "x-quota in each reply",
        [listed(200, FILES, headers={"x-quota": "8"}), again(200, FILES, headers={"x-quota": "7"})],
        Said(
            NOT_ASKED,
            "Responses state some in another form than the contract (x-quota: 8): the "
            "provider keeps to the documented ones.",
        ),
    ),
    Case(
        "x-quota, and a number",
        [listed(200, FILES, headers={"x-quota": "7", **REMAINING})],
        Said(
            NOT_ASKED,
            "Responses have x-ratelimit-remaining, but no x-ratelimit-reset that can "
            "be read: the provider keeps to the documented ones.",
        ),
    ),
]


@pytest.mark.parametrize("row", STATED_LIMITS, ids=ids(STATED_LIMITS))
def test_limits_that_headers_state_or_not(row: Case):
    """The table has headers of the contract, headers of it that do not suffice, and others."""
    check_limits(row)


TOO_FEW = [
    Case(
        "5 a day",
        [listed(200, FILES, headers=TRIAL)],
        Said(
            NOT_PROVED,
            "5 requests a day are too few for a wait, which reads each file dozens of "
            "times an hour, and for this command, which sends about 10 reads: to wait "
            "does not help. Ask the service's support for more. Responses state that "
            "limit.",
        ),
    ),
    Case(
        "5 a day in the second reply, and a number and a reset",
        [listed(200, FILES, headers=STATED), again(200, FILES, headers=TRIAL)],
        Said(
            NOT_PROVED,
            "5 requests a day are too few for a wait, which reads each file dozens of "
            "times an hour, and for this command, which sends about 10 reads: to wait "
            "does not help. Ask the service's support for more. Responses state that "
            "limit.",
        ),
    ),
    Case(
        "5 and 6 a day in two replies",
        [
            listed(200, FILES, headers=TRIAL),
            again(200, FILES, headers={"ratelimit-policy": "6;w=86400"}),
        ],
        Said(
            NOT_PROVED,
            "5 requests a day are too few for a wait, which reads each file dozens of "
            "times an hour, and for this command, which sends about 10 reads: to wait "
            "does not help. Ask the service's support for more. Responses state that "
            "limit.",
        ),
    ),
]


@pytest.mark.parametrize("row", TOO_FEW, ids=ids(TOO_FEW))
def test_limits_of_too_few_requests(row: Case):
    check_limits(row)


USED_UP = [
    Case(
        "429 twice at the end",
        refused_by_limit(),
        Said(
            NOT_PROVED,
            "Since 08:00:00 UTC, the service replied 429 to each of 2 requests. Tasks "
            "may be refused as well. Wait, or ask the service's support for more, and "
            "run this again. The other rows rest on the reads before.",
        ),
    ),
    Case(
        "429 twice at the end, with words",
        refused_by_limit(429, STRANGE),
        Said(
            NOT_PROVED,
            "Since 08:00:00 UTC, the service replied 429 to each of 2 requests: 'Moon "
            "phase is unfavourable'. Tasks may be refused as well. Wait, or ask the "
            "service's support for more, and run this again. The other rows rest on "
            "the reads before.",
        ),
    ),
    Case(
        "429 twice at the end, with a header and a time",
        refused_by_limit(headers={"x-quota": "0", "retry-after": "7200"}),
        Said(
            NOT_PROVED,
            "Since 08:00:00 UTC, the service replied 429 to each of 2 requests (its "
            "limit resets at 10:00:30 UTC). It sends x-quota: 0. Tasks may be refused "
            "as well. Wait until 10:00:30 UTC, as its headers say, or ask the "
            "service's support for more, and run this again. The other rows rest on "
            "the reads before.",
        ),
    ),
    Case(
        "429 twice at the end, with two headers",
        refused_by_limit(headers={"x-quota": "0", "x-burst-limit": "9"}),
        Said(
            NOT_PROVED,
            "Since 08:00:00 UTC, the service replied 429 to each of 2 requests. It "
            "sends x-quota: 0, x-burst-limit: 9. Tasks may be refused as well. Wait, "
            "or ask the service's support for more, and run this again. The other rows "
            "rest on the reads before.",
        ),
    ),
    Case(
        "403 with words of a quota twice at the end",
        refused_by_limit(403, QUOTA_WORDS),
        Said(
            NOT_PROVED,
            "Since 08:00:00 UTC, the service replied 403 to each of 2 requests: 'Daily "
            "quota exceeded'. Tasks may be refused as well. Wait, or ask the service's "
            "support for more: it is about no key. The other rows rest on the reads "
            "before.",
        ),
    ),
    Case(
        "429 with words and another header, then with words of a quota",
        [
            listed(200, FILES),
            segment(429, STRANGE, headers={"x-quota": "1"}),
            nowhere(429, QUOTA_WORDS, headers={"x-quota": "2"}),
        ],
        Said(
            NOT_PROVED,
            "Since 08:00:00 UTC, the service replied 429 to each of 2 requests: 'Daily "
            "quota exceeded'. It sends x-quota: 2. Tasks may be refused as well. Wait, "
            "or ask the service's support for more, and run this again. The other rows "
            "rest on the reads before.",
        ),
    ),
    Case(
        "429 with 5 a day twice at the end",
        refused_by_limit(429, STRANGE, headers=TRIAL),
        Said(
            NOT_PROVED,
            "5 requests a day are too few for a wait, which reads each file dozens of "
            "times an hour, and for this command, which sends about 10 reads: to wait "
            "does not help. Ask the service's support for more. Since 08:00:00 UTC, "
            "the service replied 429 to each of 2 requests: 'Moon phase is "
            "unfavourable'. It sends ratelimit-policy: 5⁏w=86400. The other rows rest "
            "on the reads before.",
        ),
    ),
    Case(
        "429 twice at the end, and 5 a day before",
        [listed(200, FILES, headers=TRIAL), *refused_by_limit()[1:]],
        Said(
            NOT_PROVED,
            "Since 08:00:00 UTC, the service replied 429 to each of 2 requests. Tasks "
            "may be refused as well. Wait, or ask the service's support for more, and "
            "run this again. The other rows rest on the reads before.",
        ),
    ),
    Case(
        "429 twice, then files",
        [*refused_by_limit(), again(200, FILES)],
        Said(
            NOT_ASKED,
            "2 reads got 429, and no response has the documented headers: the provider "
            "keeps to the documented limits, and the service may have others.",
        ),
    ),
]


@pytest.mark.parametrize("row", USED_UP, ids=ids(USED_UP))
def test_a_quota_that_is_used_up(row: Case):
    check_limits(row)


def test_a_finding_about_a_quota_names_the_reads_since_it_is_used_up():
    probes = refused_by_limit()
    assert numbers_of(conclude_on_limits(evidence_of(*probes)), probes) == [1, 2]


def test_a_finding_about_limits_names_no_reads_if_others_pass_later():
    assert conclude_on_limits(evidence_of(listed(429), again(200, FILES))).probes == ()


# -- errors that come as successes -----------------------------------------------------------------


class Errors(NamedTuple):
    """Replies, and what is said of errors, and of segments; nothing if no error is a success."""

    name: str
    probes: Sequence[Probe]
    said: list[Said]
    settings: Any = SETTINGS
    rests_on: int = 0


CODES = CodeMember("returnCode", frozenset({"0"}))
EMPTY = {"returnCode": 4011, "message": "No key", "data": []}
NO_DATA_KEY = changed(data_api_key=CAMPAIGN_KEY)
ERRORS = [
    # No such error.
    Errors("files", [listed(200, FILES), nowhere()], []),
    Errors("an error with 400", [listed(400, STRANGE)], []),
    # Of lists and of segments.
    Errors(
        "200 for a list",
        [listed(200, STRANGE)],
        [
            Said(
                SURE,
                "They come with 200, which an update takes for a success. An upload takes "
                "one for an accepted file without an identifier, and is not sent again.",
            ),
            Said(
                NOT_PROVED,
                "Errors come with status 200 here (teapot: 'Moon phase is unfavourable'), "
                "which an update takes for a success; --segment ID tries one. An upload "
                "takes one for an accepted file without an identifier, and is not sent "
                "again. Reads of lists notice them. Ask the service's support for statuses "
                "that fit.",
            ),
        ],
    ),
    Errors(
        "200 for a list, without a data key",
        [listed(200, STRANGE)],
        [
            Said(
                SURE,
                "They come with 200, which an update takes for a success. An upload takes "
                "one for an accepted file without an identifier, and is not sent again.",
            ),
            Said(
                NOT_ASKED,
                "Errors come with status 200 here (teapot: 'Moon phase is unfavourable'), "
                "which an update takes for a success; --segment ID tries one. An upload "
                "takes one for an accepted file without an identifier, and is not sent "
                "again. Reads of lists notice them. Ask the service's support for statuses "
                "that fit.",
            ),
        ],
        NO_DATA_KEY,
    ),
    Errors(
        "202 for a list",
        [listed(202, STRANGE)],
        [
            Said(
                SURE,
                "They come with 202, which an update takes for a success. An upload takes "
                "one for an accepted file without an identifier, and is not sent again.",
            ),
            Said(
                NOT_PROVED,
                "Errors come with status 202 here (teapot: 'Moon phase is unfavourable'), "
                "which an update takes for a success; --segment ID tries one. An upload "
                "takes one for an accepted file without an identifier, and is not sent "
                "again. Reads of lists notice them. Ask the service's support for statuses "
                "that fit.",
            ),
        ],
    ),
    Errors(
        "201, then 202 for a list",
        [listed(201, STRANGE), again(202, FORBIDDEN)],
        [
            Said(
                SURE,
                "They come with 201, which an update takes for a success. An upload takes "
                "one for an accepted file without an identifier, and is not sent again.",
            ),
            Said(
                NOT_PROVED,
                "Errors come with status 201 here (teapot: 'Moon phase is unfavourable'), "
                "which an update takes for a success; --segment ID tries one. An upload "
                "takes one for an accepted file without an identifier, and is not sent "
                "again. Reads of lists notice them. Ask the service's support for statuses "
                "that fit.",
            ),
        ],
    ),
    Errors(
        "files, and 200 for a segment",
        [listed(200, FILES), segment(200, STRANGE)],
        [
            Said(
                SURE,
                "They come with 200, which an update takes for a success. An upload takes "
                "one for an accepted file without an identifier, and is not sent again.",
            ),
            Said(
                NOT_PROVED,
                "Errors come with status 200 here (teapot: 'Moon phase is unfavourable'), "
                "which an update takes for a success; --segment ID tries one. An upload "
                "takes one for an accepted file without an identifier, and is not sent "
                "again. Ask the service's support for statuses that fit.",
            ),
        ],
        rests_on=1,
    ),
    Errors(
        "200 for a segment",
        [segment(200, STRANGE)],
        [
            Said(
                SURE,
                "They come with 200, which an update takes for a success. An upload takes "
                "one for an accepted file without an identifier, and is not sent again.",
            ),
            Said(
                NOT_PROVED,
                "Errors come with status 200 here (teapot: 'Moon phase is unfavourable'), "
                "which an update takes for a success; --segment ID tries one. An upload "
                "takes one for an accepted file without an identifier, and is not sent "
                "again. Ask the service's support for statuses that fit.",
            ),
        ],
    ),
    # What the error has.
    Errors(
        "a code of a status",
        [listed(200, {"statusCode": 401, "message": "No key"})],
        [
            Said(
                SURE,
                "They come with 200, which an update takes for a success. An upload takes "
                "one for an accepted file without an identifier, and is not sent again.",
            ),
            Said(
                NOT_PROVED,
                "Errors come with status 200 here (statusCode 401: 'No key'), which an "
                "update takes for a success; --segment ID tries one. An upload takes one "
                "for an accepted file without an identifier, and is not sent again. Reads "
                "of lists notice them. Ask the service's support for statuses that fit.",
            ),
        ],
    ),
    Errors(
        "success false and a code",
        [listed(200, {"success": False, "code": "no-key"})],
        [
            Said(
                SURE,
                "They come with 200, which an update takes for a success. An upload takes "
                "one for an accepted file without an identifier, and is not sent again.",
            ),
            Said(
                NOT_PROVED,
                "Errors come with status 200 here (no-key), which an update takes for a "
                "success; --segment ID tries one. An upload takes one for an accepted file "
                "without an identifier, and is not sent again. Reads of lists notice them. "
                "Ask the service's support for statuses that fit.",
            ),
        ],
    ),
    Errors(
        "success false alone",
        [listed(200, {"success": False})],
        [
            Said(
                SURE,
                "They come with 200, which an update takes for a success. An upload takes "
                "one for an accepted file without an identifier, and is not sent again.",
            ),
            Said(
                NOT_PROVED,
                "Errors come with status 200 here (an error: '{\"success\": false}'), which "
                "an update takes for a success; --segment ID tries one. An upload takes "
                "one for an accepted file without an identifier, and is not sent again. "
                "Reads of lists notice them. Ask the service's support for statuses that "
                "fit.",
            ),
        ],
    ),
    # Taken for a list without files.
    Errors(
        "an empty list with a code of an error",
        [listed(200, EMPTY, codes=CODES)],
        [
            Said(
                SURE,
                "They come with 200, which an update takes for a success. An upload takes "
                "one for an accepted file without an identifier, and is not sent again.",
            ),
            Said(
                NOT_PROVED,
                "Errors come with status 200 here (returnCode 4011: 'No key'), which an "
                "update takes for a success; --segment ID tries one. An upload takes one "
                "for an accepted file without an identifier, and is not sent again. The "
                "read of a list takes one for an empty list, so an upload whose outcome is "
                "not known may be taken for one that never arrived. Ask the service's "
                "support for statuses that fit.",
            ),
        ],
    ),
    Errors(
        "an error, then an empty list with a code of an error",
        [listed(200, STRANGE), again(200, EMPTY, codes=CODES)],
        [
            Said(
                SURE,
                "They come with 200, which an update takes for a success. An upload takes "
                "one for an accepted file without an identifier, and is not sent again.",
            ),
            Said(
                NOT_PROVED,
                "Errors come with status 200 here (teapot: 'Moon phase is unfavourable'), "
                "which an update takes for a success; --segment ID tries one. An upload "
                "takes one for an accepted file without an identifier, and is not sent "
                "again. The read of a list takes one for an empty list, so an upload whose "
                "outcome is not known may be taken for one that never arrived. Ask the "
                "service's support for statuses that fit.",
            ),
        ],
    ),
    Errors(
        "an error for a segment, and an empty list with a code of an error",
        [segment(200, STRANGE), listed(200, EMPTY, codes=CODES)],
        [
            Said(
                SURE,
                "They come with 200, which an update takes for a success. An upload takes "
                "one for an accepted file without an identifier, and is not sent again.",
            ),
            Said(
                NOT_PROVED,
                "Errors come with status 200 here (teapot: 'Moon phase is unfavourable'), "
                "which an update takes for a success; --segment ID tries one. An upload "
                "takes one for an accepted file without an identifier, and is not sent "
                "again. The read of a list takes one for an empty list, so an upload whose "
                "outcome is not known may be taken for one that never arrived. Ask the "
                "service's support for statuses that fit.",
            ),
        ],
    ),
    # A made-up key.
    Errors(
        "a made-up key gets no file",
        [*twice(200, FILES), made_up(200, [])],
        [
            Said(
                SURE,
                "They come with 200, which an update takes for a success. An upload takes "
                "one for an accepted file without an identifier, and is not sent again.",
            ),
            Said(
                NOT_PROVED,
                "A made-up key gets 200 and no file here, as if the list were empty, which "
                "an update takes for a success; --segment ID tries one. An upload takes "
                "one for an accepted file without an identifier, and is not sent again. "
                "The read of a list takes one for an empty list, so an upload whose "
                "outcome is not known may be taken for one that never arrived. Ask the "
                "service's support for statuses that fit.",
            ),
        ],
        rests_on=2,
    ),
    Errors(
        "a made-up key gets no file, with 204",
        [*twice(200, FILES), made_up(204, b"")],
        [
            Said(
                SURE,
                "They come with 204, which an update takes for a success. An upload takes "
                "one for an accepted file without an identifier, and is not sent again.",
            ),
            Said(
                NOT_PROVED,
                "A made-up key gets 204 and no file here, as if the list were empty, which "
                "an update takes for a success; --segment ID tries one. An upload takes "
                "one for an accepted file without an identifier, and is not sent again. "
                "Reads of lists notice them. Ask the service's support for statuses that "
                "fit.",
            ),
        ],
        rests_on=2,
    ),
    Errors(
        "a made-up key gets an error",
        [*twice(200, FILES), made_up(200, STRANGE)],
        [
            Said(
                SURE,
                "They come with 200, which an update takes for a success. An upload takes "
                "one for an accepted file without an identifier, and is not sent again.",
            ),
            Said(
                NOT_PROVED,
                "Errors come with status 200 here (teapot: 'Moon phase is unfavourable'), "
                "which an update takes for a success; --segment ID tries one. An upload "
                "takes one for an accepted file without an identifier, and is not sent "
                "again. Reads of lists notice them. Ask the service's support for statuses "
                "that fit.",
            ),
        ],
        rests_on=2,
    ),
    Errors("a made-up key gets files", [*twice(200, FILES), made_up(200, FILES)], []),
]


@pytest.mark.parametrize("row", ERRORS, ids=ids(ERRORS))
def test_errors_with_the_status_of_a_success(row: Errors):
    """The table has no such error, errors of lists and of segments, and made-up keys."""
    findings = conclude_on_errors(evidence_of(*row.probes, settings=row.settings))
    assert [Said.of(finding) for finding in findings] == row.said
    topics = [(finding.topic, finding.needs_action) for finding in findings]
    assert topics == ([(Topic.ERRORS, True), (Topic.SEGMENT, False)] if row.said else [])
    for finding in findings:
        assert numbers_of(finding, row.probes) == [row.rests_on]
