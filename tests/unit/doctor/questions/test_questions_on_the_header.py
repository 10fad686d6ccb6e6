"""
If the list is refused twice, or an error names a header, other headers are sent in place of the
connection's: those that are named, or else all usual ones at once, and then the first half of those
that helped, until one is left. None is sent if the data key got an answer with the connection's
header. A header that helped once is sent once more, and with a made-up value; so is a made-up value
in a header that the connection names, if the list was read with it. A named header that does not
help alone is sent besides the connection's. Once a header is proved (it helped twice, and a made-up
value did not), the data key is read with it.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import (
    FILES,
    ids,
    listed,
    segment,
    with_headers,
)
from support.doctor_questions import (
    CONFIRM_HEADER,
    DATA_KEY_WITH_HEADER,
    FIND_HEADER,
    GIVEN,
    HEADER_BESIDES,
    HEADER_VALUE,
    NAMES_ONE,
    PROVED_HEADER,
    SETTLED,
    QuestionCase,
    list_refused_twice,
    next_step,
)
from support.doctor_replies import changed
from support.doctor_service import LIST
from wes_provider.doctor.reads.evidence import list_at

FOR_FIND_HEADER = [
    QuestionCase(
        "401 twice",
        list_refused_twice(),
        (
            "own /v1/coupon-list/spring/files; X-SVC-APPKEY=workspace; "
            "SVC-APP-KEY=workspace; SVC-WORKSPACE-ID=workspace; "
            "X-Workspace-Id=workspace; X-Workspace=workspace; Workspace-Id=workspace; "
            "X-App-Id=workspace; X-App-Key=workspace; X-AppKey=workspace; "
            "APPKEY=workspace; X-Application-Id=workspace; X-Account-Id=workspace; "
            "X-Tenant-Id=workspace; X-Project-Id=workspace; X-Client-Id=workspace; "
            "tries X-SVC-APPKEY SVC-APP-KEY SVC-WORKSPACE-ID X-Workspace-Id "
            "X-Workspace Workspace-Id X-App-Id X-App-Key X-AppKey APPKEY "
            "X-Application-Id X-Account-Id X-Tenant-Id X-Project-Id X-Client-Id"
        ),
    ),
    QuestionCase(
        "401 twice, and three headers help",
        [*list_refused_twice(), with_headers("X-A X-B X-C")],
        ("own /v1/coupon-list/spring/files; X-A=workspace; X-B=workspace; tries X-A X-B"),
    ),
    QuestionCase(
        "401 twice, and a header helps", [*list_refused_twice(), with_headers("X-A")], SETTLED
    ),
    QuestionCase("files", [listed(200, FILES)], SETTLED),
    QuestionCase(
        "401 twice with the name of a header",
        list_refused_twice(NAMES_ONE),
        "own /v1/coupon-list/spring/files; X-Tenant=workspace; tries X-Tenant",
    ),
    QuestionCase(
        "401 twice, and 404 for the data key", [*list_refused_twice(), segment()], SETTLED
    ),
    QuestionCase(
        "401 twice, and 401 for the data key",
        [*list_refused_twice(), segment(401)],
        (
            "own /v1/coupon-list/spring/files; X-SVC-APPKEY=workspace; "
            "SVC-APP-KEY=workspace; SVC-WORKSPACE-ID=workspace; "
            "X-Workspace-Id=workspace; X-Workspace=workspace; Workspace-Id=workspace; "
            "X-App-Id=workspace; X-App-Key=workspace; X-AppKey=workspace; "
            "APPKEY=workspace; X-Application-Id=workspace; X-Account-Id=workspace; "
            "X-Tenant-Id=workspace; X-Project-Id=workspace; X-Client-Id=workspace; "
            "tries X-SVC-APPKEY SVC-APP-KEY SVC-WORKSPACE-ID X-Workspace-Id "
            "X-Workspace Workspace-Id X-App-Id X-App-Key X-AppKey APPKEY "
            "X-Application-Id X-Account-Id X-Tenant-Id X-Project-Id X-Client-Id"
        ),
    ),
    QuestionCase(
        "400 with the name of a header, and the same for the data key",
        [listed(400, NAMES_ONE), segment(400, NAMES_ONE)],
        "own /v1/coupon-list/spring/files; X-Tenant=workspace; tries X-Tenant",
    ),
    QuestionCase(
        "400 with the name of a header, and 404 for the data key",
        [listed(400, NAMES_ONE), segment()],
        SETTLED,
    ),
]


@pytest.mark.parametrize("row", FOR_FIND_HEADER, ids=ids(FOR_FIND_HEADER))
def test_other_headers_are_sent_if_the_list_is_refused_and_the_data_key_is_not_answered(
    row: QuestionCase,
):
    assert next_step(FIND_HEADER, row) == row.step


FOR_CONFIRM_HEADER = [
    QuestionCase(
        "a header helps once",
        [*list_refused_twice(), with_headers("X-A")],
        "own /v1/coupon-list/spring/files; X-A=workspace; tries X-A",
    ),
    QuestionCase(
        "a header helps twice",
        [*list_refused_twice(), with_headers("X-A"), with_headers("X-A")],
        SETTLED,
    ),
    QuestionCase("no header was sent", list_refused_twice(), SETTLED),
]


@pytest.mark.parametrize("row", FOR_CONFIRM_HEADER, ids=ids(FOR_CONFIRM_HEADER))
def test_a_header_that_helped_once_is_sent_once_more(row: QuestionCase):
    assert next_step(CONFIRM_HEADER, row) == row.step


FOR_HEADER_VALUE = [
    QuestionCase(
        "a header helps once",
        [*list_refused_twice(), with_headers("X-A")],
        "own /v1/coupon-list/spring/files; X-A=wes-doctor; tries X-A",
    ),
    QuestionCase("a header helps twice, and a made-up value does not", PROVED_HEADER, SETTLED),
    QuestionCase("no header was sent", list_refused_twice(), SETTLED),
    QuestionCase(
        "the connection names a header, and files come",
        [listed(200, FILES, request=list_at(changed(workspace_header="X-A"), GIVEN, LIST))],
        "own /v1/coupon-list/spring/files; X-A=wes-doctor; tries X-A",
        {"settings": changed(workspace_header="X-A")},
    ),
    QuestionCase(
        "the connection names a header, and 401 comes",
        [listed(401, request=list_at(changed(workspace_header="X-A"), GIVEN, LIST))],
        SETTLED,
        {"settings": changed(workspace_header="X-A")},
    ),
]


@pytest.mark.parametrize("row", FOR_HEADER_VALUE, ids=ids(FOR_HEADER_VALUE))
def test_a_made_up_value_is_sent_in_a_header_that_helps_or_that_the_connection_names(
    row: QuestionCase,
):
    assert next_step(HEADER_VALUE, row) == row.step


FOR_HEADER_BESIDES = [
    QuestionCase(
        "a named header does not help",
        [*list_refused_twice(NAMES_ONE), with_headers("X-Tenant", 401, NAMES_ONE)],
        "own /v1/coupon-list/spring/files; X-Tenant=workspace; tries X-Tenant",
    ),
    QuestionCase("no header is named", list_refused_twice(), SETTLED),
]


@pytest.mark.parametrize("row", FOR_HEADER_BESIDES, ids=ids(FOR_HEADER_BESIDES))
def test_a_named_header_that_does_not_help_alone_is_sent_besides_the_connections(row: QuestionCase):
    assert next_step(HEADER_BESIDES, row) == row.step


FOR_DATA_KEY_WITH_HEADER = [
    QuestionCase(
        "a header is proved",
        PROVED_HEADER,
        "own /v3/custom-segments/wes-doctor; X-App-Id=workspace",
    ),
    QuestionCase("no header was sent", list_refused_twice(), SETTLED),
]


@pytest.mark.parametrize("row", FOR_DATA_KEY_WITH_HEADER, ids=ids(FOR_DATA_KEY_WITH_HEADER))
def test_the_data_key_is_read_with_a_header_once_that_is_proved(row: QuestionCase):
    assert next_step(DATA_KEY_WITH_HEADER, row) == row.step
