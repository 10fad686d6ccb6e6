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


def twice(status: int = 401, content: Any = UNAUTHENTICATED, **more: Any) -> list[Probe]:
    return [listed(status, content, **more), again(status, content, **more)]


def with_header(
    header: str,
    status: int = 200,
    content: Any = FILES,
    question: Question = Question.HEADER,
) -> Probe:
    return reply(status, content, question=question, request=read_with(header), tried=header)


def with_value(header: str, status: int = 401, content: Any = UNAUTHENTICATED) -> Probe:
    request = read_with(header, workspace_id="made-up")
    question = Question.HEADER_VALUE
    return reply(status, content, question=question, request=request, tried=header)


def besides(header: str, status: int = 200, content: Any = FILES) -> Probe:
    return with_header(header, status, content, Question.HEADER_BESIDES)


def found_in(header: str) -> list[Probe]:
    """The reads that show that the workspace goes into a header."""
    return [with_header(header), with_header(header), with_value(header)]


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
OTHER_HEADER = [
    Case(
        "another header",
        [*twice(), *found_in("X-App-Id")],
        Said(WRONG, "The service takes the workspace from X-App-Id, not from SVC-APPKEY."),
        "X-App-Id",
    ),
    Case(
        "another header that replies name",
        [*twice(headers=HINT), *found_in("X-Tenant")],
        Said(
            WRONG,
            "Vary of replies names X-Tenant, and the service accepts it in place of SVC-APPKEY.",
        ),
        "X-Tenant",
    ),
    Case(
        "another header than the one that replies name",
        [*twice(headers=HINT), *found_in("X-App-Id")],
        Said(WRONG, "The service takes the workspace from X-App-Id, not from SVC-APPKEY."),
        "X-App-Id",
    ),
    Case(
        "another header that the error names",
        [*twice(401, NAMES_TENANT), *found_in("X-Tenant")],
        Said(WRONG, "The service names X-Tenant, and accepts it in place of SVC-APPKEY."),
        "X-Tenant",
    ),
    Case(
        "another header that the error and replies name",
        [*twice(401, NAMES_TENANT, headers=HINT), *found_in("X-Tenant")],
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
        "another header, read once",
        [*twice(), with_header("X-App-Id"), with_value("X-App-Id")],
        Said(
            NOT_PROVED,
            "With SVC-APPKEY, a read gets 401 request-unauthenticated; with other "
            "headers, one got 200. That does not settle whether the service takes "
            "SVC-APPKEY: run this again later.",
        ),
    ),
    Case(
        "another header, and its value does not matter",
        [
            *twice(),
            with_header("X-App-Id"),
            with_header("X-App-Id"),
            with_value("X-App-Id", 200, FILES),
        ],
        Said(
            NOT_PROVED,
            "With SVC-APPKEY, a read gets 401 request-unauthenticated; with other "
            "headers, one got 200. That does not settle whether the service takes "
            "SVC-APPKEY: run this again later.",
        ),
    ),
]

ACCEPTED = [
    Case(
        "the campaign key is accepted",
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
        "the campaign key is accepted and refused",
        [listed(200, FILES), again(401)],
        Said(SURE, "SVC-APPKEY is accepted."),
        OWN,
    ),
    Case(
        "the data key is accepted",
        [segment(), segment_again(), made_up_segment()],
        Said(SURE, "SVC-APPKEY is accepted."),
        OWN,
    ),
    Case(
        "the data key is accepted, and the campaign key refused",
        [*twice(), segment(), segment_again(), made_up_segment()],
        Said(SURE, "SVC-APPKEY is accepted."),
        OWN,
    ),
    Case(
        "no key is told apart",
        twice(200, FILES),
        Said(
            NOT_PROVED,
            "No reply shows whether the service takes SVC-APPKEY.",
        ),
    ),
    Case(
        "the keys are swapped",
        [*twice(), segment(401), segment_again(401), data_key_on_list(), campaign_key_on_segment()],
        Said(SURE, "SVC-APPKEY is accepted, with the keys swapped."),
        OWN,
    ),
    Case(
        "one key is accepted in the other's place",
        [*twice(), segment(401), segment_again(401), data_key_on_list()],
        Said(
            NOT_PROVED,
            "No reply shows whether the service takes SVC-APPKEY.",
        ),
    ),
    Case(
        "refused, and nothing was tried with a chosen header",
        [],
        Said(NOT_PROVED, "No reply shows whether the service takes X-Mine."),
        settings=CHOSEN,
    ),
]

READ_WITH_MINE = read_with(MINE)
MINE_TWICE = [listed(200, FILES, request=READ_WITH_MINE), again(200, FILES, request=READ_WITH_MINE)]
MINE_ACCEPTED = [*MINE_TWICE, made_up(request=READ_WITH_MINE)]
SEGMENT_WITH_MINE = requests.read_segment(CHOSEN, MADE_UP)
MINE_CASES = [
    Case(
        "its value matters",
        [*MINE_ACCEPTED, with_value(MINE)],
        Said(SURE, "X-Mine is accepted; a made-up value is not."),
        MINE,
        CHOSEN,
    ),
    Case(
        "its value does not matter",
        [*MINE_ACCEPTED, with_value(MINE, 200, FILES)],
        Said(
            NOT_PROVED,
            "Reads get the same with a made-up value in X-Mine, so no reply shows that "
            "it is the workspace's header. Leave workspace_header out, so that "
            "SVC-APPKEY is sent, or let --upload URL show whether uploads pass.",
        ),
        settings=CHOSEN,
    ),
    Case(
        "its value was not compared",
        MINE_ACCEPTED,
        Said(
            NOT_PROVED,
            "X-Mine is accepted, but a made-up value was not compared, because other "
            "replies left it open. Run this again later.",
        ),
        settings=CHOSEN,
    ),
    Case(
        "its value was not compared for a reason",
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
        "the value of another header was compared",
        [*MINE_ACCEPTED, with_value("X-App-Id")],
        Said(
            NOT_PROVED,
            "X-Mine is accepted, but a made-up value was not compared, because other "
            "replies left it open. Run this again later.",
        ),
        settings=CHOSEN,
    ),
    Case(
        "refused first, and its value is refused",
        [
            listed(401, UNAUTHENTICATED, request=READ_WITH_MINE),
            again(200, FILES, request=READ_WITH_MINE),
            with_value(MINE, 401, UNAUTHENTICATED),
        ],
        Said(SURE, "X-Mine is accepted; a made-up value is not."),
        MINE,
        CHOSEN,
    ),
    Case(
        "accepted with two answers, and its value gets the first",
        [
            listed(200, FILES, request=READ_WITH_MINE),
            again(404, NOT_FOUND, request=READ_WITH_MINE),
            made_up(request=READ_WITH_MINE),
            with_value(MINE, 200, FILES),
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
        "only the data key is accepted",
        [
            reply(404, NOT_FOUND, question=Question.DATA_KEY, request=SEGMENT_WITH_MINE),
            again(404, NOT_FOUND, request=SEGMENT_WITH_MINE),
            made_up_segment(request=SEGMENT_WITH_MINE),
            with_value(MINE, 404, NOT_FOUND),
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

UNSETTLED = [
    Case(
        "nothing was read",
        [],
        Said(
            NOT_PROVED,
            "No reply shows whether the service takes SVC-APPKEY.",
        ),
    ),
    Case(
        "refused, and no other header was tried",
        twice(),
        Said(
            NOT_PROVED,
            "No reply shows whether the service takes SVC-APPKEY.",
        ),
    ),
    Case(
        "refused by what takes no Basic credentials",
        [
            *twice(headers={"www-authenticate": "Negotiate"}),
            with_header(USUAL, 401, UNAUTHENTICATED),
        ],
        Said(
            NOT_PROVED,
            "No reply shows whether the service takes SVC-APPKEY.",
        ),
    ),
    Case(
        "the error names the header that was sent",
        twice(401, error("", f"Header {OWN} is not known.")),
        Said(
            NOT_PROVED,
            "The service replies 401 to GET /v1/coupon-list/spring/files: 'Header "
            "SVC-APPKEY is not known'. Check Workspace identifier.",
        ),
    ),
    Case(
        "the second error names the header that was sent",
        [listed(401, UNAUTHENTICATED), again(401, error("", f"Header {OWN} is not known."))],
        Said(
            NOT_PROVED,
            "The service replies 401 to GET /v1/coupon-list/spring/files: 'Header "
            "SVC-APPKEY is not known'. Check Workspace identifier.",
        ),
    ),
    Case(
        "an answer with other headers",
        [*twice(), with_header(USUAL), with_header("X-App-Id", 401)],
        Said(
            NOT_PROVED,
            "With SVC-APPKEY, a read gets 401 request-unauthenticated; with other "
            "headers, one got 200. That does not settle whether the service takes "
            "SVC-APPKEY: run this again later.",
        ),
    ),
    Case(
        "an answer with one of other headers",
        [*twice(), with_header(USUAL, 500, STRANGE), with_header("X-App-Id", 404, NOT_FOUND)],
        Said(
            NOT_PROVED,
            "With SVC-APPKEY, a read gets 401 request-unauthenticated; with other "
            "headers, one got 404 not-found. That does not settle whether the service "
            "takes SVC-APPKEY: run this again later.",
        ),
    ),
    Case(
        "the same with another header, and an answer then",
        [
            *twice(),
            with_header(USUAL, 401, UNAUTHENTICATED),
            with_header("X-App-Id", 404, NOT_FOUND),
        ],
        Said(
            NOT_PROVED,
            "With SVC-APPKEY, a read gets 401 request-unauthenticated; with other "
            "headers, one got 404 not-found. That does not settle whether the service "
            "takes SVC-APPKEY: run this again later.",
        ),
    ),
    Case(
        "an answer with a header besides",
        [*twice(401, NAMES_TENANT), besides("X-Tenant", 404, NOT_FOUND)],
        Said(
            NOT_PROVED,
            "With SVC-APPKEY, a read gets 401; with other headers, one got 404 "
            "not-found. That does not settle whether the service takes SVC-APPKEY: run "
            "this again later.",
        ),
    ),
    Case(
        "the error names a header",
        [*twice(401, NAMES_TENANT), with_header("X-Tenant", 401, NAMES_TENANT)],
        Said(
            NOT_PROVED,
            "The service names X-Tenant, but a read with it gets no better answer: ask "
            "the service's support what it has to have.",
        ),
    ),
    Case(
        "the error names two headers",
        [
            *twice(401, error("", "Headers X-Tenant and X-Realm are required.")),
            with_header("X-Tenant X-Realm", 401, NAMES_TENANT),
        ],
        Said(
            NOT_PROVED,
            "The service names X-Tenant, X-Realm, but a read with it gets no better "
            "answer: ask the service's support what it has to have.",
        ),
    ),
    Case(
        "a header is missed",
        [*twice(401, MISSES_ONE), with_header(USUAL, 401, MISSES_ONE)],
        Said(
            NOT_PROVED,
            "The service misses a header (401: 'Missing tenant header'): SVC-APPKEY is "
            "not it, nor is any usual one. Ask its support for the name, and put it "
            "into Workspace header.",
        ),
    ),
    Case(
        "a header is missed, and replies name one",
        [*twice(401, MISSES_ONE, headers=HINT), with_header(USUAL, 401, MISSES_ONE)],
        Said(
            NOT_PROVED,
            "The service misses a header (401: 'Missing tenant header'): SVC-APPKEY is "
            "not it, nor is any usual one, nor is X-Tenant, which replies name. Ask "
            "its support for the name, and put it into Workspace header.",
        ),
    ),
    Case(
        "a header is missed, and replies name two",
        [
            *twice(401, MISSES_ONE, headers={"vary": "X-Tenant, X-Realm"}),
            with_header(USUAL, 401, MISSES_ONE),
        ],
        Said(
            NOT_PROVED,
            "The service misses a header (401: 'Missing tenant header'): SVC-APPKEY is "
            "not it, nor is any usual one, nor is X-Tenant, X-Realm, which replies "
            "name. Ask its support for the name, and put it into Workspace header.",
        ),
    ),
    Case(
        "another refusal with the usual headers",
        [*twice(), with_header(USUAL, 401, error("no-tenant", "Who?"))],
        Said(
            NOT_PROVED,
            "A read with the usual headers in place of SVC-APPKEY is refused as well (401 "
            "no-tenant); Campaign API key or Workspace identifier may be wrong: check both.",
        ),
    ),
    Case(
        "the same with the usual headers",
        [*twice(), with_header(USUAL, 401, UNAUTHENTICATED)],
        Said(
            NOT_PROVED,
            "A read with the usual headers in place of SVC-APPKEY gets the same; "
            "Campaign API key or Workspace identifier may be wrong: check both.",
        ),
    ),
]

HEADER_CASES = [*OTHER_HEADER, *ACCEPTED, *MINE_CASES, *UNSETTLED]


@pytest.mark.parametrize("row", HEADER_CASES, ids=ids(HEADER_CASES))
def test_what_is_said_of_the_workspace_header(row: Case):
    finding = conclude_on_header(row.evidence)
    assert finding.topic is Topic.WORKSPACE_HEADER
    assert Said.of(finding) == row.said
    proposed = {}
    if row.header:
        proposed = {"workspace_header": row.header}
    assert (finding.settings, finding.guesses) == (proposed, {})


class RestsOn(NamedTuple):
    """Reads, and the numbers of those that the finding rests on, in its order."""

    name: str
    probes: Sequence[Probe]
    numbers: list[int]
    settings: Any = SETTINGS


RESTS_ON = [
    RestsOn(
        "another header",
        [listed(401), again(401), with_header("X-B", 401), *found_in("X-App-Id")],
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
        [*MINE_ACCEPTED, with_value(MINE)],
        [
            3,
            0,
            1,
            2,
        ],
        CHOSEN,
    ),
    RestsOn("a refused read", twice(), [0]),
]


@pytest.mark.parametrize("row", RESTS_ON, ids=ids(RESTS_ON))
def test_a_finding_about_the_header_rests_on_reads_with_it(row: RestsOn):
    finding = conclude_on_header(evidence_of(*row.probes, settings=row.settings))
    assert numbers_of(finding, row.probes) == row.numbers


DEMANDED = [
    Case(
        "sent besides",
        [*twice(401, NAMES_TENANT), besides("X-Tenant"), with_value("X-App-Id")],
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
        [*twice(401, NAMES_TENANT), with_header("X-Tenant"), with_value("X-Tenant", 200, FILES)],
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


def refused(status: int = 429, content: Any = b"", **more: Any) -> list[Probe]:
    """Two requests that a limit refuses, after one that it let pass."""
    return [
        listed(200, FILES, sent_at=MOMENT - 60),
        segment(status, content, **more),
        nowhere(status, content, **{"sent_at": MOMENT + 30, **more}),
    ]


LIMITS = [
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
        "stated",
        [listed(200, FILES, headers=STATED)],
        Said(SURE, "Stated by 1 of 1 response; the provider keeps to them."),
    ),
    Case(
        "stated by one of two",
        [listed(200, FILES), again(200, FILES, headers=STATED)],
        Said(SURE, "Stated by 1 of 2 responses; the provider keeps to them."),
    ),
    Case(
        "stated, and one was refused",
        [listed(429), again(200, FILES, headers=STATED)],
        Said(SURE, "Stated by 1 of 2 responses; the provider keeps to them. 1 read got 429."),
    ),
    Case(
        "stated, and two were refused",
        [listed(429), listed(429), again(200, FILES, headers=STATED)],
        Said(SURE, "Stated by 1 of 3 responses; the provider keeps to them. 2 reads got 429."),
    ),
    Case(
        "a reset that is much later than Retry-After",
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
    Case(
        "the number left only",
        [listed(200, FILES, headers=REMAINING)],
        Said(
            NOT_ASKED,
            "Responses have x-ratelimit-remaining, but no x-ratelimit-reset that can "
            "be read: the provider keeps to the documented ones.",
        ),
    ),
    Case(
        "the reset only",
        [listed(200, FILES, headers=RESET)],
        Said(NOT_ASKED, "No headers: the provider keeps to the documented ones."),
    ),
    Case(
        "the limit only",
        [listed(200, FILES, headers=LIMIT)],
        Said(
            NOT_ASKED,
            "Responses have x-ratelimit-limit, but no x-ratelimit-reset that can be "
            "read: the provider keeps to the documented ones.",
        ),
    ),
    Case(
        "the limit and the number left, each in one reply",
        [listed(200, FILES, headers=REMAINING), again(200, FILES, headers=LIMIT)],
        Said(
            NOT_ASKED,
            "Responses have x-ratelimit-limit and x-ratelimit-remaining, but no "
            "x-ratelimit-reset that can be read: the provider keeps to the documented "
            "ones.",
        ),
    ),
    Case(
        "one was refused, and resets are no times",
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
        "one was refused, and resets are milliseconds",
        [listed(429, headers={**LIMIT, "x-ratelimit-reset": "1795754830000"})],
        Said(
            NOT_PROVED,
            "Responses have x-ratelimit-limit, but no x-ratelimit-reset that is a time (it is "
            "1795754830000, perhaps milliseconds): tasks keep to the documented limits, and may "
            "get 429, as 1 read did. Ask whoever sends them for times in epoch seconds.",
        ),
    ),
    Case(
        "one was refused",
        [listed(429), again(200, FILES)],
        Said(
            NOT_ASKED,
            "1 read got 429, and no response has the documented headers: the provider "
            "keeps to the documented limits, and the service may have others.",
        ),
    ),
    Case(
        "another form",
        [listed(200, FILES, headers={"x-quota": "7"})],
        Said(
            NOT_ASKED,
            "Responses state some in another form than the contract (x-quota: 7): the "
            "provider keeps to the documented ones.",
        ),
    ),
    Case(
        "another form in the second reply",
        [listed(200, FILES), again(200, FILES, headers={"x-quota": "7", "x-burst-limit": "9"})],
        Said(
            NOT_ASKED,
            "Responses state some in another form than the contract (x-quota: 7, "
            "x-burst-limit: 9): the provider keeps to the documented ones.",
        ),
    ),
    Case(
        "another form in each reply",
        [listed(200, FILES, headers={"x-quota": "8"}), again(200, FILES, headers={"x-quota": "7"})],
        Said(
            NOT_ASKED,
            "Responses state some in another form than the contract (x-quota: 8): the "
            "provider keeps to the documented ones.",
        ),
    ),
    Case(
        "another form, and the number left",
        [listed(200, FILES, headers={"x-quota": "7", **REMAINING})],
        Said(
            NOT_ASKED,
            "Responses have x-ratelimit-remaining, but no x-ratelimit-reset that can "
            "be read: the provider keeps to the documented ones.",
        ),
    ),
    Case(
        "too few",
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
        "too few in the second reply, and stated",
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
        "too few by two replies",
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
    Case(
        "a quota is used up",
        refused(),
        Said(
            NOT_PROVED,
            "Since 08:00:00 UTC, the service replied 429 to each of 2 requests. Tasks "
            "may be refused as well. Wait, or ask the service's support for more, and "
            "run this again. The other rows rest on the reads before.",
        ),
    ),
    Case(
        "a quota is used up, with headers",
        refused(headers={"x-quota": "0", "retry-after": "7200"}),
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
        "a quota is used up, by words",
        refused(403, QUOTA_WORDS),
        Said(
            NOT_PROVED,
            "Since 08:00:00 UTC, the service replied 403 to each of 2 requests: 'Daily "
            "quota exceeded'. Tasks may be refused as well. Wait, or ask the service's "
            "support for more: it is about no key. The other rows rest on the reads "
            "before.",
        ),
    ),
    Case(
        "a quota is used up, with words",
        refused(429, STRANGE),
        Said(
            NOT_PROVED,
            "Since 08:00:00 UTC, the service replied 429 to each of 2 requests: 'Moon "
            "phase is unfavourable'. Tasks may be refused as well. Wait, or ask the "
            "service's support for more, and run this again. The other rows rest on "
            "the reads before.",
        ),
    ),
    Case(
        "a quota is used up that is too few",
        refused(429, STRANGE, headers=TRIAL),
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
        "a quota is used up, and it was stated as too few before",
        [listed(200, FILES, headers=TRIAL), *refused()[1:]],
        Said(
            NOT_PROVED,
            "Since 08:00:00 UTC, the service replied 429 to each of 2 requests. Tasks "
            "may be refused as well. Wait, or ask the service's support for more, and "
            "run this again. The other rows rest on the reads before.",
        ),
    ),
    Case(
        "a quota is used up, and two replies differ",
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
        "a quota lets others pass later",
        [*refused(), again(200, FILES)],
        Said(
            NOT_ASKED,
            "2 reads got 429, and no response has the documented headers: the provider "
            "keeps to the documented limits, and the service may have others.",
        ),
    ),
    Case(
        "a quota is used up, with two headers",
        refused(headers={"x-quota": "0", "x-burst-limit": "9"}),
        Said(
            NOT_PROVED,
            "Since 08:00:00 UTC, the service replied 429 to each of 2 requests. It "
            "sends x-quota: 0, x-burst-limit: 9. Tasks may be refused as well. Wait, "
            "or ask the service's support for more, and run this again. The other rows "
            "rest on the reads before.",
        ),
    ),
]


@pytest.mark.parametrize("row", LIMITS, ids=ids(LIMITS))
def test_what_is_said_of_rate_limits(row: Case):
    finding = conclude_on_limits(row.evidence)
    assert finding.topic is Topic.LIMITS
    assert Said.of(finding) == row.said


def test_a_quota_that_is_used_up_rests_on_the_reads_since_then():
    probes = refused()
    assert numbers_of(conclude_on_limits(evidence_of(*probes)), probes) == [1, 2]
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
    Errors("none", [listed(200, FILES), nowhere()], []),
    Errors("an error with its own status", [listed(400, STRANGE)], []),
    Errors(
        "of a list",
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
        "of a list, without a data key",
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
        "with 202",
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
        "the first of two",
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
        "the second reply",
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
        "of a segment",
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
    Errors(
        "with a name that has the code",
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
        "with a code besides its name",
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
        "without words",
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
    Errors(
        "taken for a list",
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
        "of two lists, the second taken for a list",
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
        "of a segment, and of a list that is taken for one",
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
def test_what_is_said_of_errors_that_come_as_successes(row: Errors):
    findings = conclude_on_errors(evidence_of(*row.probes, settings=row.settings))
    assert [Said.of(finding) for finding in findings] == row.said
    topics = [(finding.topic, finding.needs_action) for finding in findings]
    assert topics in ([], [(Topic.ERRORS, True), (Topic.SEGMENT, False)])
    for finding in findings:
        assert numbers_of(finding, row.probes) == [row.rests_on]
