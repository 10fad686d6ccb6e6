"""
The header of the workspace is *sure* if a key is accepted with it: one key, even once, or both in
each other's place. Without an accepted key it is *not proved*. A header that the connection names,
and that is not the contract's in any case, is *sure* only if a made-up value in it is refused; *not
proved* if that gets the same, or was not sent.

Another header is proposed (*wrong*) if the key was refused twice with the connection's, and
accepted twice with the other one alone, and a made-up value in that is refused. If the error names
it, or else Vary, that is said. Accepted once, or whatever its value, it is *not proved*. If other
headers get an answer such as 404, that settles nothing. If they get no better reply, the text says
whether the refusal names a header, misses one, or neither: then key or workspace may be wrong. If
the refusal wants another scheme or misses credentials, or no other header was sent, no reply shows
it; but one that names the connection's own is quoted. A header that is demanded besides, or
accepted whatever it has, is *wrong*, and not to be set. A finding rests on the refused read and
those of the other header, or on those of the accepted keys.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import (
    FILES,
    NOT_FOUND,
    UNAUTHENTICATED,
    RestsOn,
    Said,
    again,
    campaign_key_on_segment,
    data_key_on_list,
    ids,
    listed,
    made_up,
    made_up_segment,
    numbers_of,
    segment,
    segment_again,
    with_headers,
    with_headers_besides,
    with_made_up_value,
)
from support.doctor_replies import SETTINGS, changed, error, evidence_of, reply
from support.doctor_service import LIST
from wes_provider.client import requests
from wes_provider.client.requests import Request
from wes_provider.doctor.evidence import MADE_UP, Evidence, list_at
from wes_provider.doctor.findings import Certainty, Topic
from wes_provider.doctor.header import HEADERS
from wes_provider.doctor.header_conclusions import conclude_on_demanded_header, conclude_on_header
from wes_provider.doctor.probes import Probe, Question
from wes_provider.settings import WesSettings

WRONG, NOT_PROVED = Certainty.WRONG, Certainty.NOT_PROVED
NOT_ASKED, SURE = Certainty.NOT_ASKED, Certainty.SURE

# The header of the contract, and one that a connection may name.
SENT = "SVC-APPKEY"
CHOSEN = "X-Mine"
WITH_CHOSEN = changed(workspace_header=CHOSEN)
USUAL = " ".join(name for name in HEADERS if name != SENT)
STRANGE = error("teapot", "Moon phase is unfavourable.")
NAMES_TENANT = error("", "Header X-Tenant is required.")
MISSES_ONE = error("", "Missing tenant header")
HINT = {"vary": "Accept, X-Tenant"}


def read_with(header: str, **changes: Any) -> Request:
    settings = changed(workspace_header=header, **changes)
    return list_at(settings, SETTINGS.coupon_files_path, LIST)


def list_read_twice(status: int, content: Any, **more: Any) -> list[Probe]:
    """The read of the list, twice with the same reply."""
    return [listed(status, content, **more), again(status, content, **more)]


def list_refused_twice(content: Any = UNAUTHENTICATED, **more: Any) -> list[Probe]:
    """The read of the list, twice with 401."""
    return list_read_twice(401, content, **more)


def found_in(header: str) -> list[Probe]:
    """The reads that show that the workspace goes into a header."""
    return [with_headers(header), with_headers(header), with_made_up_value(header)]


class Case(NamedTuple):
    """
    Replies, and what is said of the header.

    :ivar header: that is proved; empty for none.
    :ivar settings: those of the connection, which by default sends the header of the contract.
    """

    name: str
    probes: Sequence[Probe]
    said: Said
    header: str = ""
    settings: WesSettings = SETTINGS
    not_asked: Mapping[Question, str] = {}

    @property
    def evidence(self) -> Evidence:
        return evidence_of(*self.probes, settings=self.settings, not_asked=self.not_asked)


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
        [*list_refused_twice(), *found_in("X-App-Id")],
        Said(WRONG, "The service takes the workspace from X-App-Id, not from SVC-APPKEY."),
        "X-App-Id",
    ),
    Case(
        "another header, which Vary names",
        [*list_refused_twice(headers=HINT), *found_in("X-Tenant")],
        Said(
            WRONG,
            "Vary of replies names X-Tenant, and the service accepts it in place of SVC-APPKEY.",
        ),
        "X-Tenant",
    ),
    Case(
        "another header than the one that Vary names",
        [*list_refused_twice(headers=HINT), *found_in("X-App-Id")],
        Said(WRONG, "The service takes the workspace from X-App-Id, not from SVC-APPKEY."),
        "X-App-Id",
    ),
    Case(
        "another header, which the error names",
        [*list_refused_twice(NAMES_TENANT), *found_in("X-Tenant")],
        Said(WRONG, "The service names X-Tenant, and accepts it in place of SVC-APPKEY."),
        "X-Tenant",
    ),
    Case(
        "another header, which the error and Vary name",
        [*list_refused_twice(NAMES_TENANT, headers=HINT), *found_in("X-Tenant")],
        Said(WRONG, "The service names X-Tenant, and accepts it in place of SVC-APPKEY."),
        "X-Tenant",
    ),
    Case(
        "another header than a chosen one",
        [*[listed(401, UNAUTHENTICATED, request=read_with(CHOSEN))] * 2, *found_in("X-App-Id")],
        Said(WRONG, "The service takes the workspace from X-App-Id, not from X-Mine."),
        "X-App-Id",
        settings=WITH_CHOSEN,
    ),
    Case(
        "another header than the one that the error names",
        [
            *list_refused_twice(NAMES_TENANT),
            with_headers("X-Tenant", 401, NAMES_TENANT),
            *found_in("X-App-Id"),
        ],
        Said(WRONG, "The service takes the workspace from X-App-Id, not from SVC-APPKEY."),
        "X-App-Id",
    ),
]


@pytest.mark.parametrize("row", OTHER_HEADER, ids=ids(OTHER_HEADER))
def test_another_header_is_proposed_once_it_was_accepted_alone_twice_and_its_value_matters(
    row: Case,
):
    check_header(row)


OTHER_HEADER_IN_DOUBT = [
    Case(
        "another header, accepted once",
        [*list_refused_twice(), with_headers("X-App-Id"), with_made_up_value("X-App-Id")],
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
            *list_refused_twice(),
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


@pytest.mark.parametrize("row", OTHER_HEADER_IN_DOUBT, ids=ids(OTHER_HEADER_IN_DOUBT))
def test_another_header_is_not_proposed_if_it_was_accepted_once_or_whatever_its_value(row: Case):
    check_header(row)


ACCEPTED = [
    Case(
        "the campaign key is accepted twice",
        [*list_read_twice(200, FILES), made_up()],
        Said(SURE, "SVC-APPKEY is accepted."),
        SENT,
    ),
    Case(
        "the campaign key is accepted once",
        [listed(200, FILES), made_up()],
        Said(SURE, "SVC-APPKEY is accepted."),
        SENT,
    ),
    Case(
        "the campaign key is accepted, then refused",
        [listed(200, FILES), again(401)],
        Said(SURE, "SVC-APPKEY is accepted."),
        SENT,
    ),
    Case(
        "the data key is accepted twice",
        [segment(), segment_again(), made_up_segment()],
        Said(SURE, "SVC-APPKEY is accepted."),
        SENT,
    ),
    Case(
        "the data key is accepted twice, and the campaign key refused",
        [*list_refused_twice(), segment(), segment_again(), made_up_segment()],
        Said(SURE, "SVC-APPKEY is accepted."),
        SENT,
    ),
    Case(
        "both keys are accepted in the other's place",
        [
            *list_refused_twice(),
            segment(401),
            segment_again(401),
            data_key_on_list(),
            campaign_key_on_segment(),
        ],
        Said(SURE, "SVC-APPKEY is accepted, with the keys swapped."),
        SENT,
    ),
]


@pytest.mark.parametrize("row", ACCEPTED, ids=ids(ACCEPTED))
def test_the_header_that_was_sent_is_sure_while_a_key_is_accepted_with_it(row: Case):
    check_header(row)


NOT_SHOWN = [
    Case(
        "files twice, and no made-up key",
        list_read_twice(200, FILES),
        Said(
            NOT_PROVED,
            "No reply shows whether the service takes SVC-APPKEY.",
        ),
    ),
    Case(
        "the data key is accepted in the other's place",
        [*list_refused_twice(), segment(401), segment_again(401), data_key_on_list()],
        Said(
            NOT_PROVED,
            "No reply shows whether the service takes SVC-APPKEY.",
        ),
    ),
    Case(
        "nothing was read with a header of the connection's own",
        [],
        Said(NOT_PROVED, "No reply shows whether the service takes X-Mine."),
        settings=WITH_CHOSEN,
    ),
]


@pytest.mark.parametrize("row", NOT_SHOWN, ids=ids(NOT_SHOWN))
def test_no_header_is_shown_without_an_accepted_key(row: Case):
    check_header(row)


READ_WITH_CHOSEN = read_with(CHOSEN)
FILES_TWICE_WITH_CHOSEN = [
    listed(200, FILES, request=READ_WITH_CHOSEN),
    again(200, FILES, request=READ_WITH_CHOSEN),
]
KEY_ACCEPTED_WITH_CHOSEN = [*FILES_TWICE_WITH_CHOSEN, made_up(request=READ_WITH_CHOSEN)]
SEGMENT_WITH_CHOSEN = requests.read_segment(WITH_CHOSEN, MADE_UP)
CHOSEN_HEADER = [
    Case(
        "a made-up value is refused",
        [*KEY_ACCEPTED_WITH_CHOSEN, with_made_up_value(CHOSEN)],
        Said(SURE, "X-Mine is accepted; a made-up value is not."),
        CHOSEN,
        WITH_CHOSEN,
    ),
    Case(
        "a made-up value gets the same",
        [*KEY_ACCEPTED_WITH_CHOSEN, with_made_up_value(CHOSEN, 200, FILES)],
        Said(
            NOT_PROVED,
            "Reads get the same with a made-up value in X-Mine, so no reply shows that "
            "it is the workspace's header. Leave workspace_header out, so that "
            "SVC-APPKEY is sent, or let --upload URL show whether uploads pass.",
        ),
        settings=WITH_CHOSEN,
    ),
    Case(
        "a made-up value was not sent",
        KEY_ACCEPTED_WITH_CHOSEN,
        Said(
            NOT_PROVED,
            "X-Mine is accepted, but a made-up value was not compared, because other "
            "replies left it open. Run this again later.",
        ),
        settings=WITH_CHOSEN,
    ),
    Case(
        "a made-up value was not sent, since the time ran out",
        KEY_ACCEPTED_WITH_CHOSEN,
        Said(
            NOT_PROVED,
            "X-Mine is accepted, but a made-up value was not compared, because the "
            "time ran out. Run this again later.",
        ),
        settings=WITH_CHOSEN,
        not_asked={Question.HEADER_VALUE: "the time ran out"},
    ),
    Case(
        "a made-up value was sent in another header",
        [*KEY_ACCEPTED_WITH_CHOSEN, with_made_up_value("X-App-Id")],
        Said(
            NOT_PROVED,
            "X-Mine is accepted, but a made-up value was not compared, because other "
            "replies left it open. Run this again later.",
        ),
        settings=WITH_CHOSEN,
    ),
    Case(
        "401, then files, and a made-up value gets 401",
        [
            listed(401, UNAUTHENTICATED, request=READ_WITH_CHOSEN),
            again(200, FILES, request=READ_WITH_CHOSEN),
            with_made_up_value(CHOSEN, 401, UNAUTHENTICATED),
        ],
        Said(SURE, "X-Mine is accepted; a made-up value is not."),
        CHOSEN,
        WITH_CHOSEN,
    ),
    Case(
        "files, then 404, and a made-up value gets the files",
        [
            listed(200, FILES, request=READ_WITH_CHOSEN),
            again(404, NOT_FOUND, request=READ_WITH_CHOSEN),
            made_up(request=READ_WITH_CHOSEN),
            with_made_up_value(CHOSEN, 200, FILES),
        ],
        Said(
            NOT_PROVED,
            "Reads get the same with a made-up value in X-Mine, so no reply shows that "
            "it is the workspace's header. Leave workspace_header out, so that "
            "SVC-APPKEY is sent, or let --upload URL show whether uploads pass.",
        ),
        settings=WITH_CHOSEN,
    ),
    Case(
        "the data key alone, and a made-up value gets the same",
        [
            reply(404, NOT_FOUND, question=Question.DATA_KEY, request=SEGMENT_WITH_CHOSEN),
            again(404, NOT_FOUND, request=SEGMENT_WITH_CHOSEN),
            made_up_segment(request=SEGMENT_WITH_CHOSEN),
            with_made_up_value(CHOSEN, 404, NOT_FOUND),
        ],
        Said(
            NOT_PROVED,
            "Reads get the same with a made-up value in X-Mine, so no reply shows that "
            "it is the workspace's header. Leave workspace_header out, so that "
            "SVC-APPKEY is sent, or let --upload URL show whether uploads pass.",
        ),
        settings=WITH_CHOSEN,
    ),
    Case(
        "the header of the contract in small letters",
        [
            listed(200, FILES, request=read_with(SENT.lower())),
            again(200, FILES, request=read_with(SENT.lower())),
            made_up(request=read_with(SENT.lower())),
        ],
        Said(SURE, "svc-appkey is accepted."),
        SENT.lower(),
        changed(workspace_header=SENT.lower()),
    ),
]


@pytest.mark.parametrize("row", CHOSEN_HEADER, ids=ids(CHOSEN_HEADER))
def test_a_header_that_the_connection_names_is_sure_if_a_made_up_value_in_it_gets_another_reply(
    row: Case,
):
    check_header(row)


NO_SEARCH = [
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
        list_refused_twice(),
        Said(
            NOT_PROVED,
            "No reply shows whether the service takes SVC-APPKEY.",
        ),
    ),
    Case(
        "401 with the name of the header that was sent",
        list_refused_twice(error("", f"Header {SENT} is not known.")),
        Said(
            NOT_PROVED,
            "The service replies 401 to GET /v1/coupon-list/spring/files: 'Header "
            "SVC-APPKEY is not known'. Check Workspace identifier.",
        ),
    ),
    Case(
        "401, then with the name of the header that was sent",
        [listed(401, UNAUTHENTICATED), again(401, error("", f"Header {SENT} is not known."))],
        Said(
            NOT_PROVED,
            "The service replies 401 to GET /v1/coupon-list/spring/files: 'Header "
            "SVC-APPKEY is not known'. Check Workspace identifier.",
        ),
    ),
]


@pytest.mark.parametrize("row", NO_SEARCH, ids=ids(NO_SEARCH))
def test_the_header_is_open_if_the_key_is_refused_and_no_other_header_was_sent(row: Case):
    check_header(row)


OTHER_REPLIES = [
    Case(
        "all usual headers get files, and one of them 401",
        [*list_refused_twice(), with_headers(USUAL), with_headers("X-App-Id", 401)],
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
            *list_refused_twice(),
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
            *list_refused_twice(),
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
        [*list_refused_twice(NAMES_TENANT), with_headers_besides("X-Tenant", 404, NOT_FOUND)],
        Said(
            NOT_PROVED,
            "With SVC-APPKEY, a read gets 401; with other headers, one got 404 "
            "not-found. That does not settle whether the service takes SVC-APPKEY: run "
            "this again later.",
        ),
    ),
    Case(
        "all usual headers get 404, and one of them files",
        [*list_refused_twice(), with_headers(USUAL, 404, NOT_FOUND), with_headers("X-App-Id")],
        Said(
            NOT_PROVED,
            "With SVC-APPKEY, a read gets 401 request-unauthenticated; with other "
            "headers, one got 404 not-found. That does not settle whether the service "
            "takes SVC-APPKEY: run this again later.",
        ),
    ),
    Case(
        "all usual headers get another 401, and one of them 404",
        [
            *list_refused_twice(),
            with_headers(USUAL, 401, error("no-tenant", "Who?")),
            with_headers("X-App-Id", 404, NOT_FOUND),
        ],
        Said(
            NOT_PROVED,
            "With SVC-APPKEY, a read gets 401 request-unauthenticated; with other "
            "headers, one got 404 not-found. That does not settle whether the service "
            "takes SVC-APPKEY: run this again later.",
        ),
    ),
]


@pytest.mark.parametrize("row", OTHER_REPLIES, ids=ids(OTHER_REPLIES))
def test_another_header_that_gets_another_reply_settles_nothing(row: Case):
    check_header(row)


NO_BETTER = [
    Case(
        "a named header gets the same",
        [*list_refused_twice(NAMES_TENANT), with_headers("X-Tenant", 401, NAMES_TENANT)],
        Said(
            NOT_PROVED,
            "The service names X-Tenant, but a read with it gets no better answer: ask "
            "the service's support what it has to have.",
        ),
    ),
    Case(
        "two named headers get the same",
        [
            *list_refused_twice(error("", "Headers X-Tenant and X-Realm are required.")),
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
        [*list_refused_twice(MISSES_ONE), with_headers(USUAL, 401, MISSES_ONE)],
        Said(
            NOT_PROVED,
            "The service misses a header (401: 'Missing tenant header'): SVC-APPKEY is "
            "not it, nor is any usual one. Ask its support for the name, and put it "
            "into Workspace header.",
        ),
    ),
    Case(
        "a header is missed, and Vary names one",
        [*list_refused_twice(MISSES_ONE, headers=HINT), with_headers(USUAL, 401, MISSES_ONE)],
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
            *list_refused_twice(MISSES_ONE, headers={"vary": "X-Tenant, X-Realm"}),
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
        [*list_refused_twice(), with_headers(USUAL, 401, error("no-tenant", "Who?"))],
        Said(
            NOT_PROVED,
            "A read with the usual headers in place of SVC-APPKEY is refused as well (401 "
            "no-tenant); Campaign API key or Workspace identifier may be wrong: check both.",
        ),
    ),
    Case(
        "all usual headers get the same",
        [*list_refused_twice(), with_headers(USUAL, 401, UNAUTHENTICATED)],
        Said(
            NOT_PROVED,
            "A read with the usual headers in place of SVC-APPKEY gets the same; "
            "Campaign API key or Workspace identifier may be wrong: check both.",
        ),
    ),
    Case(
        "all usual headers get 401, with a challenge for another scheme",
        [
            *list_refused_twice(headers={"www-authenticate": "Negotiate"}),
            with_headers(USUAL, 401, UNAUTHENTICATED),
        ],
        Said(
            NOT_PROVED,
            "No reply shows whether the service takes SVC-APPKEY.",
        ),
    ),
    Case(
        "the error says that credentials are missing, and all usual headers get another 401",
        [
            *list_refused_twice(error("", "No credentials were sent.")),
            with_headers(USUAL, 401, error("no-tenant", "Who?")),
        ],
        Said(
            NOT_PROVED,
            "No reply shows whether the service takes SVC-APPKEY.",
        ),
    ),
]


@pytest.mark.parametrize("row", NO_BETTER, ids=ids(NO_BETTER))
def test_the_header_is_open_if_no_other_one_that_was_sent_gets_a_better_reply(row: Case):
    check_header(row)


RESTS_ON = [
    RestsOn(
        "another header",
        {
            "list": listed(401),
            "list again": again(401),
            "X-B": with_headers("X-B", 401),
            "X-App-Id": with_headers("X-App-Id"),
            "X-App-Id again": with_headers("X-App-Id"),
            "made-up value": with_made_up_value("X-App-Id"),
        },
        ["list", "X-App-Id", "X-App-Id again", "made-up value"],
    ),
    RestsOn(
        "both keys are accepted",
        {
            "list": listed(200, FILES),
            "list again": again(200, FILES),
            "segment": segment(),
            "made-up key": made_up(),
            "segment again": segment_again(),
            "made-up data key": made_up_segment(),
        },
        ["list", "list again", "made-up key", "segment", "segment again", "made-up data key"],
    ),
    RestsOn(
        "only the campaign key is accepted",
        {
            "list": listed(200, FILES),
            "list again": again(200, FILES),
            "segment": segment(401),
            "made-up key": made_up(),
        },
        ["list", "list again", "made-up key"],
    ),
    RestsOn("both are refused", {"list": listed(401), "list again": again(401)}, ["list"]),
]


@pytest.mark.parametrize("row", RESTS_ON, ids=ids(RESTS_ON))
def test_a_finding_about_the_header_rests_on_these_reads(row: RestsOn):
    row.check(conclude_on_header)


def test_a_finding_about_a_header_that_the_connection_names_rests_on_its_made_up_value_first():
    made_up_value = with_made_up_value(CHOSEN)
    evidence = evidence_of(*KEY_ACCEPTED_WITH_CHOSEN, made_up_value, settings=WITH_CHOSEN)
    assert [*conclude_on_header(evidence).probes] == [made_up_value, *KEY_ACCEPTED_WITH_CHOSEN]


DEMANDED = [
    Case(
        "sent besides",
        [
            *list_refused_twice(NAMES_TENANT),
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
            *list_refused_twice(NAMES_TENANT),
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
