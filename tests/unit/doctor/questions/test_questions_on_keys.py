"""
The list is read once, and once more after a refusal or an error such as 400. A data key reads a
segment, if one is given: once, and once more if it alone is refused. If a key is refused or
forbidden, the other one is sent in its place, first for the list, then for a segment if the data
key gets the list or the campaign key had no access; not if another header is proved, or no data key
is given.

A made-up key is sent to the list's path that has files, else to the connection's. It is not sent if
the own key is refused with words that say no more than that, if that has no answer, or if no
response came since another made-up key. A made-up data key is sent if the own one got an answer, or
was refused twice with words that say more. If a page refuses the list twice, and a path that does
not exist alike, a made-up key is sent to find out whether any key gets that.

Nowhere is short for a path that does not exist.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import (
    FILES,
    FORBIDDEN,
    NOT_FOUND,
    PAGE,
    at_path,
    campaign_key_on_segment,
    data_key_on_list,
    ids,
    listed,
    lost,
    made_up,
    made_up_segment,
    nowhere,
    segment,
    segment_again,
)
from support.doctor_questions import (
    ANY_KEY,
    DATA_KEY,
    MADE_UP_DATA_KEY,
    MADE_UP_KEY,
    NAMING_SPRING,
    NAMING_WINTER,
    NO_DATA_KEY,
    NO_MORE,
    PROVED_HEADER,
    READ_LIST,
    SETTLED,
    STRANGE,
    SWAP,
    WITH_PROVED_HEADER,
    QuestionCase,
    list_refused_twice,
    next_step,
)
from support.doctor_replies import error_body, request_for
from wes_provider.client.requests import read_segment
from wes_provider.doctor.questions.path_steps import LIST_PATHS
from wes_provider.doctor.reads.evidence import MADE_UP
from wes_provider.doctor.replies.probes import Question

FOR_READ_LIST = [
    QuestionCase(
        "nothing was read",
        [],
        ("own /v1/coupon-list/spring/files; tries /v1/coupon-list/{coupon_list_id}/files"),
    ),
    QuestionCase("files", [listed(200, FILES)], SETTLED),
    QuestionCase(
        "401",
        [listed(401)],
        ("own /v1/coupon-list/spring/files; tries /v1/coupon-list/{coupon_list_id}/files"),
    ),
    QuestionCase("401 twice", [listed(401), listed(401)], SETTLED),
    QuestionCase(
        "400",
        [listed(400, STRANGE)],
        ("own /v1/coupon-list/spring/files; tries /v1/coupon-list/{coupon_list_id}/files"),
    ),
    QuestionCase("404", [listed(404, NOT_FOUND)], SETTLED),
]


@pytest.mark.parametrize("row", FOR_READ_LIST, ids=ids(FOR_READ_LIST))
def test_the_list_is_read_until_it_gets_files_a_404_or_the_same_error_twice(row: QuestionCase):
    assert next_step(READ_LIST, row) == row.step


FOR_DATA_KEY = [
    QuestionCase(
        "no data key is given",
        [listed(200, FILES)],
        "not asked: no Data API key is given",
        {"settings": NO_DATA_KEY},
    ),
    QuestionCase("files", [listed(200, FILES)], "own /v3/custom-segments/wes-doctor"),
    QuestionCase("files, and 404 for the data key", [listed(200, FILES), segment()], SETTLED),
    QuestionCase(
        "files, and 401 for the data key",
        [listed(200, FILES), segment(401)],
        "own /v3/custom-segments/wes-doctor",
    ),
    QuestionCase(
        "files, and 401 for the data key twice",
        [listed(200, FILES), segment(401), segment(401)],
        SETTLED,
    ),
    QuestionCase(
        "401 twice, and 401 for the data key", [*list_refused_twice(), segment(401)], SETTLED
    ),
]


@pytest.mark.parametrize("row", FOR_DATA_KEY, ids=ids(FOR_DATA_KEY))
def test_a_given_data_key_is_read_until_it_gets_an_answer_and_again_if_it_alone_is_refused(
    row: QuestionCase,
):
    assert next_step(DATA_KEY, row) == row.step


FOR_ANY_KEY = [
    QuestionCase(
        "401 with a page twice, and nowhere the same",
        [*list_refused_twice(PAGE), nowhere(401, PAGE)],
        "made-up /v1/coupon-list/spring/files",
    ),
    QuestionCase(
        "401 with a page twice, and nowhere was not read", list_refused_twice(PAGE), SETTLED
    ),
    QuestionCase(
        "401 with a page twice, and nowhere and for a made-up key the same",
        [*list_refused_twice(PAGE), nowhere(401, PAGE), made_up(401, PAGE)],
        SETTLED,
    ),
    QuestionCase(
        "401 as documented twice, and nowhere the same",
        [*list_refused_twice(), nowhere(401)],
        SETTLED,
    ),
]


@pytest.mark.parametrize("row", FOR_ANY_KEY, ids=ids(FOR_ANY_KEY))
def test_a_made_up_key_is_sent_if_a_page_refuses_the_list_twice_and_nowhere_alike(
    row: QuestionCase,
):
    assert next_step(ANY_KEY, row) == row.step


FOR_SWAP = [
    QuestionCase(
        "401 for both keys",
        [*list_refused_twice(), segment(401)],
        "swapped /v1/coupon-list/spring/files",
    ),
    QuestionCase(
        "401 for both keys, and the data key gets files",
        [*list_refused_twice(), segment(401), data_key_on_list()],
        "swapped /v3/custom-segments/wes-doctor",
    ),
    QuestionCase(
        "401 for both keys, and the data key 401 for the list",
        [*list_refused_twice(), segment(401), data_key_on_list(401)],
        SETTLED,
    ),
    QuestionCase(
        "401 for both keys, and both were swapped",
        [*list_refused_twice(), segment(401), data_key_on_list(), campaign_key_on_segment()],
        SETTLED,
    ),
    QuestionCase(
        "403, and 404 for the data key",
        [listed(403, FORBIDDEN), segment()],
        "swapped /v1/coupon-list/spring/files",
    ),
    QuestionCase(
        "403, and 404 for the data key, and that 401 for the list",
        [listed(403, FORBIDDEN), segment(), data_key_on_list(401)],
        "swapped /v3/custom-segments/wes-doctor",
    ),
    QuestionCase(
        "files, and 403 for the data key",
        [listed(200, FILES), segment(403, FORBIDDEN)],
        "swapped /v1/coupon-list/spring/files",
    ),
    QuestionCase(
        "401, and 404 for the data key, and that gets files",
        [*list_refused_twice(), segment(), data_key_on_list()],
        SETTLED,
    ),
    QuestionCase("files, and 404 for the data key", [listed(200, FILES), segment()], SETTLED),
    QuestionCase(
        "401, and no data key is given", list_refused_twice(), SETTLED, {"settings": NO_DATA_KEY}
    ),
    QuestionCase("a header is proved", PROVED_HEADER, SETTLED),
    QuestionCase(
        "a header is proved, and 403 for the data key with it",
        [
            *PROVED_HEADER,
            segment(403, FORBIDDEN, request=read_segment(WITH_PROVED_HEADER, MADE_UP)),
        ],
        SETTLED,
    ),
]


@pytest.mark.parametrize("row", FOR_SWAP, ids=ids(FOR_SWAP))
def test_a_refused_or_forbidden_key_has_another_one_sent_in_its_place_unless_a_header_is_proved(
    row: QuestionCase,
):
    assert next_step(SWAP, row) == row.step


FOR_MADE_UP_DATA_KEY = [
    QuestionCase(
        "404 for the data key",
        [segment()],
        "made-up /v3/custom-segments/wes-doctor",
    ),
    QuestionCase(
        "404 for the data key, and for a made-up one",
        [segment(), made_up_segment(404, NOT_FOUND)],
        SETTLED,
    ),
    QuestionCase("401 for the data key", [segment(401)], SETTLED),
    QuestionCase(
        "401 for the data key twice that says no more",
        [segment(401, NO_MORE), segment_again(401, NO_MORE)],
        SETTLED,
    ),
    QuestionCase(
        "401 for the data key twice with words",
        [segment(401), segment_again(401)],
        "made-up /v3/custom-segments/wes-doctor",
    ),
]


@pytest.mark.parametrize("row", FOR_MADE_UP_DATA_KEY, ids=ids(FOR_MADE_UP_DATA_KEY))
def test_a_made_up_data_key_is_sent_if_the_own_one_is_answered_or_refused_twice_with_words(
    row: QuestionCase,
):
    assert next_step(MADE_UP_DATA_KEY, row) == row.step


FOR_MADE_UP_KEY = [
    QuestionCase(
        "files",
        [listed(200, NAMING_SPRING)],
        "made-up /v1/coupon-list/spring/files",
    ),
    QuestionCase(
        "404, and files at another path",
        [listed(404, NOT_FOUND), at_path(LIST_PATHS[1], 200, NAMING_SPRING)],
        "made-up /v1/coupon-list/spring/coupon-files",
    ),
    QuestionCase(
        "files, and a made-up key was sent", [listed(200, NAMING_SPRING), made_up()], SETTLED
    ),
    QuestionCase(
        "401 twice that says no more",
        list_refused_twice(error_body("request-unauthenticated", "Invalid API key.")),
        "not asked: reads with the Campaign API key are refused",
    ),
    QuestionCase(
        "401 twice with words",
        list_refused_twice(),
        "made-up /v1/coupon-list/spring/files",
    ),
    QuestionCase(
        "no reply",
        [lost()],
        "not asked: the read with the own key has no answer",
    ),
    QuestionCase(
        "404",
        [listed(404, NOT_FOUND)],
        "made-up /v1/coupon-list/spring/files",
    ),
    QuestionCase(
        "no response since another made-up key",
        [
            listed(200, NAMING_SPRING),
            made_up_segment(),
            lost(question=Question.FILE_PATH, request=request_for(Question.FILE_PATH)),
        ],
        "not asked: no response came any more since a made-up key was sent",
    ),
    QuestionCase(
        "404, and files of another list at another path",
        [listed(404, NOT_FOUND), at_path(LIST_PATHS[1], 200, NAMING_WINTER)],
        "made-up /v1/coupon-list/spring/coupon-files",
    ),
]


@pytest.mark.parametrize("row", FOR_MADE_UP_KEY, ids=ids(FOR_MADE_UP_KEY))
def test_a_made_up_key_is_sent_to_the_path_with_files_or_an_error_unless_refusals_say_no_more(
    row: QuestionCase,
):
    assert next_step(MADE_UP_KEY, row) == row.step
