"""
The header of the workspace is *sure* if a key is accepted with it: one of both, even once, or each
in the other's place. Without an accepted key, it is *not proved*. If the connection names another
header than the contract (in whatever letters), it is *sure* only if a made-up value in it gets
another reply than the first read that was accepted; it is *not proved* if that gets the same, or
was not sent in this header.

The finding rests on the reads of all accepted keys, and before them on that with a made-up value;
without an accepted key, on the refused read; with another header, on the refused read and those of
that header.
"""

from __future__ import annotations

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
    segment,
    segment_again,
    with_headers,
    with_made_up_value,
)
from support.doctor_headers import (
    CHOSEN,
    NOT_PROVED,
    SENT,
    SURE,
    WITH_CHOSEN,
    Case,
    check_header,
    list_read_twice,
    list_refused_twice,
    read_with,
)
from support.doctor_replies import changed, evidence_of, reply
from wes_provider.client import requests
from wes_provider.doctor.conclusions.header_conclusions import conclude_on_header
from wes_provider.doctor.reads.evidence import MADE_UP
from wes_provider.doctor.replies.probes import Question

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
