"""How a service takes each key: from a few replies, without any service."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

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
    one_file,
    redirected,
    segment,
    segment_again,
    with_headers,
    with_made_up_value,
)
from support.doctor_replies import (
    changed,
    error,
    evidence_of,
    reply,
    request_for,
)
from support.doctor_service import record
from wes_provider import contract
from wes_provider.client import requests
from wes_provider.doctor import key_facts
from wes_provider.doctor.evidence import MADE_UP
from wes_provider.doctor.key_facts import KeyFact, Standing, Swapped
from wes_provider.doctor.probes import Probe, Question

BAD = error("bad", "Never.")
ODD = reply(200, "no JSON", {"content-type": "application/json"})
GIVEN = contract.COUPON_FILES_PATH
OTHER_FILES = [record("g1"), record("g2")]


class Shown(NamedTuple):
    """Replies, and whether they show what the test asks."""

    name: str
    probes: Sequence[Probe]
    holds: bool


class Key(NamedTuple):
    """Replies, and how the service takes one key."""

    name: str
    probes: Sequence[Probe]
    standing: Standing


def check_standing(row: Key) -> None:
    """The campaign key is taken as the row says."""
    assert key_facts.campaign_key(evidence_of(*row.probes)).standing is row.standing


SCOPE = error("", "The key lacks the scope coupons:read")
UNANSWERED = [
    Key("nothing", [], Standing.NO_ANSWER),
    Key("no reply", [lost()], Standing.NO_ANSWER),
    Key("no reply, and a made-up key is refused", [lost(), made_up()], Standing.NO_ANSWER),
]


@pytest.mark.parametrize("row", UNANSWERED, ids=ids(UNANSWERED))
def test_a_key_whose_reads_got_no_reply_has_no_answer(row: Key):
    check_standing(row)


def test_a_key_with_files_is_not_shown_if_no_made_up_one_was_read():
    check_standing(Key("", [listed(200, FILES)], Standing.NOT_SHOWN))


REFUSED = [
    Key("refused", [listed(401)], Standing.REFUSED_ONCE),
    Key("refused twice", [listed(401), listed(401)], Standing.REFUSED),
    Key("refused, as a made-up one", [listed(401, b""), made_up(401, b"")], Standing.REFUSED_ONCE),
    Key("refused, then accepted", [listed(401), listed(200, FILES)], Standing.BOTH),
    Key("accepted, then refused", [listed(200, FILES), listed(401)], Standing.BOTH),
    Key(
        "refused once, and a page counts as a second",
        [listed(401), listed(200, PAGE)],
        Standing.REFUSED,
    ),
]


@pytest.mark.parametrize("row", REFUSED, ids=ids(REFUSED))
def test_a_key_is_refused_by_its_first_answer_unless_another_one_accepts_it(row: Key):
    check_standing(row)


WITH_FILES = [
    Key("files, and a refusal", [listed(200, FILES), made_up()], Standing.ACCEPTED_ONCE),
    Key("files twice, and a refusal", [*2 * [listed(200, FILES)], made_up()], Standing.ACCEPTED),
    Key("files, and the same", [listed(200, FILES), made_up(200, FILES)], Standing.NOT_SHOWN),
    Key(
        "files, and other files",
        [listed(200, FILES), made_up(200, OTHER_FILES)],
        Standing.ACCEPTED_ONCE,
    ),
    Key(
        "files, and some of them", [listed(200, FILES), made_up(200, FILES[:1])], Standing.NOT_SHOWN
    ),
    Key("files, and no file", [listed(200, FILES), made_up(200, [])], Standing.ACCEPTED_ONCE),
    Key("files, and a page", [listed(200, FILES), made_up(200, PAGE)], Standing.ACCEPTED_ONCE),
]


@pytest.mark.parametrize("row", WITH_FILES, ids=ids(WITH_FILES))
def test_a_key_with_files_is_accepted_unless_a_made_up_one_gets_some_of_them(row: Key):
    check_standing(row)


WITH_FILES_AND_404 = [
    Key("files, and a 404", [listed(200, FILES), made_up(404)], Standing.ACCEPTED_ONCE),
    Key(
        "files, and a 404, but made-up keys are refused",
        [listed(200, FILES), made_up(404), made_up_segment()],
        Standing.NOT_SHOWN,
    ),
    Key(
        "files, and a 403, though made-up keys are refused",
        [listed(200, FILES), made_up(403), made_up_segment()],
        Standing.ACCEPTED_ONCE,
    ),
]


@pytest.mark.parametrize("row", WITH_FILES_AND_404, ids=ids(WITH_FILES_AND_404))
def test_a_404_for_a_made_up_key_shows_nothing_of_a_service_that_refuses_such_keys(row: Key):
    """It may be another node's."""
    check_standing(row)


WITHOUT_FILES = [
    Key("no file, and a refusal", [listed(200, []), made_up()], Standing.ACCEPTED_ONCE),
    Key("no file, and a page", [listed(200, []), made_up(200, PAGE)], Standing.ACCEPTED_ONCE),
    Key(
        "no file, and a redirect",
        [listed(200, []), redirected("/login", question=Question.MADE_UP_KEY)],
        Standing.ACCEPTED_ONCE,
    ),
    Key("no file, and a 404", [listed(200, []), made_up(404)], Standing.NOT_SHOWN),
    Key("no file, and the same", [listed(200, []), made_up(200, [])], Standing.NOT_SHOWN),
]


@pytest.mark.parametrize("row", WITHOUT_FILES, ids=ids(WITHOUT_FILES))
def test_a_key_with_an_empty_list_is_accepted_if_a_made_up_one_gets_no_answer_but_a_refusal(
    row: Key,
):
    check_standing(row)


WITH_PAGES = [
    Key("a 404 with a page, and a refusal", [listed(404, PAGE), made_up()], Standing.ACCEPTED_ONCE),
    Key("a 405 with a page, and a refusal", [listed(405, PAGE), made_up()], Standing.ACCEPTED_ONCE),
    Key("a 406 with a page, and a refusal", [listed(406, PAGE), made_up()], Standing.NOT_SHOWN),
    Key(
        "a 404 with a page, and a redirect",
        [listed(404, PAGE), redirected("/login", question=Question.MADE_UP_KEY)],
        Standing.NOT_SHOWN,
    ),
]


@pytest.mark.parametrize("row", WITH_PAGES, ids=ids(WITH_PAGES))
def test_a_key_that_gets_the_page_of_a_path_that_does_not_exist_is_accepted_if_others_are_refused(
    row: Key,
):
    check_standing(row)


WITH_OTHER_ERRORS = [
    Key(
        "a 404, and a 403",
        [listed(404, NOT_FOUND), made_up(403, FORBIDDEN)],
        Standing.ACCEPTED_ONCE,
    ),
    Key(
        "a 404, and a 403 with the same words",
        [listed(404, FORBIDDEN), made_up(403, FORBIDDEN)],
        Standing.ACCEPTED_ONCE,
    ),
    Key(
        "a 400 about a scope, and a 403",
        [listed(400, SCOPE), made_up(403, FORBIDDEN)],
        Standing.ACCEPTED_ONCE,
    ),
    Key("a 404, and a 400", [listed(404, NOT_FOUND), made_up(400, BAD)], Standing.NOT_SHOWN),
]


@pytest.mark.parametrize("row", WITH_OTHER_ERRORS, ids=ids(WITH_OTHER_ERRORS))
def test_a_key_with_another_error_than_a_403_is_accepted_if_a_made_up_one_gets_a_403(row: Key):
    check_standing(row)


WITH_403 = [
    Key("a 403, and another 403", [listed(403, FORBIDDEN), made_up(403, BAD)], Standing.NOT_SHOWN),
    Key(
        "a 403 about a scope, and a 403 about something else",
        [listed(403, SCOPE), made_up(403, FORBIDDEN)],
        Standing.ACCEPTED_ONCE,
    ),
    Key(
        "a 403 about a scope, and another 403 about one",
        [listed(403, SCOPE), made_up(403, error("", "Your scope is too small."))],
        Standing.NOT_SHOWN,
    ),
    Key(
        "a 403 about a scope, and the same",
        [listed(403, SCOPE), made_up(403, SCOPE)],
        Standing.NOT_SHOWN,
    ),
]


@pytest.mark.parametrize("row", WITH_403, ids=ids(WITH_403))
def test_a_key_with_a_403_about_a_scope_is_accepted_if_a_made_up_one_gets_a_403_about_none(
    row: Key,
):
    check_standing(row)


WITH_404 = [
    Key(
        "a 404 once, and another 404",
        [listed(404, NOT_FOUND), made_up(404, BAD)],
        Standing.NOT_SHOWN,
    ),
    Key(
        "the same 404 twice, and another 404",
        [*2 * [listed(404, NOT_FOUND)], made_up(404, BAD)],
        Standing.ACCEPTED,
    ),
    Key(
        "two different 404, and another 404",
        [listed(404, NOT_FOUND), listed(404, FORBIDDEN), made_up(404, BAD)],
        Standing.NOT_SHOWN,
    ),
    Key(
        "the same 404 twice, and the same",
        [*2 * [listed(404, NOT_FOUND)], made_up(404, NOT_FOUND)],
        Standing.NOT_SHOWN,
    ),
    Key(
        "the same 404 twice, and another 404, but made-up keys are refused",
        [*2 * [listed(404, NOT_FOUND)], made_up(404, BAD), made_up_segment()],
        Standing.NOT_SHOWN,
    ),
]


@pytest.mark.parametrize("row", WITH_404, ids=ids(WITH_404))
def test_a_key_with_the_same_404_twice_is_accepted_if_a_made_up_one_gets_another_answer(row: Key):
    """Unless made-up keys are refused elsewhere: then it may be another node's."""
    check_standing(row)


SEVERAL_MADE_UP = [
    Key(
        "files, and first the same, then a refusal",
        [listed(200, FILES), made_up(200, FILES), made_up()],
        Standing.NOT_SHOWN,
    ),
    Key(
        "files, and first no reply, then a refusal",
        [listed(200, FILES), lost(question=Question.MADE_UP_KEY), made_up()],
        Standing.ACCEPTED_ONCE,
    ),
]


@pytest.mark.parametrize("row", SEVERAL_MADE_UP, ids=ids(SEVERAL_MADE_UP))
def test_the_first_answer_to_a_made_up_key_counts(row: Key):
    check_standing(row)


ODD_LISTS = [
    Key("no JSON, and a refusal", [ODD, nowhere(), made_up()], Standing.ACCEPTED_ONCE),
    Key(
        "no JSON, and a refusal, and no path that does not exist was read",
        [ODD, made_up()],
        Standing.NOT_SHOWN,
    ),
    Key("no JSON, and a 403", [ODD, nowhere(), made_up(403)], Standing.ACCEPTED_ONCE),
    Key("no JSON, and a 404", [ODD, nowhere(), made_up(404)], Standing.NOT_SHOWN),
    Key(
        "a redirect to a login, and a refusal",
        [redirected("/login"), nowhere(), made_up()],
        Standing.NOT_SHOWN,
    ),
    Key(
        "a redirect to a download, and a refusal",
        [redirected("https://files.example.org/a.csv"), nowhere(), made_up()],
        Standing.ACCEPTED_ONCE,
    ),
]


@pytest.mark.parametrize("row", ODD_LISTS, ids=ids(ODD_LISTS))
def test_a_key_is_accepted_if_the_list_alone_is_odd_and_a_made_up_one_is_kept_out(row: Key):
    """
    A path that does not exist gets 404, unless the row says otherwise. A key that is not accepted
    may lead to a login, too.
    """
    check_standing(row)


REFUSED_ELSEWHERE = [
    Key(
        "files, and a refusal, but a file is refused",
        [listed(200, FILES), made_up(), one_file(401)],
        Standing.BOTH,
    ),
    Key(
        "files, and a refusal, but a file is refused, and each path that does not exist",
        [listed(200, FILES), made_up(), one_file(401), nowhere(401)],
        Standing.ACCEPTED_ONCE,
    ),
    Key(
        "files, and a refusal, but a file is refused, and one of two paths that do not exist",
        [listed(200, FILES), made_up(), one_file(401), nowhere(401), nowhere()],
        Standing.BOTH,
    ),
    Key(
        "files, and a refusal, but another path of the list is refused",
        [listed(200, FILES), made_up(), at_path("/a", 401)],
        Standing.BOTH,
    ),
    Key(
        "files, and no made-up key, and a file is refused",
        [listed(200, FILES), one_file(401)],
        Standing.NOT_SHOWN,
    ),
]


@pytest.mark.parametrize("row", REFUSED_ELSEWHERE, ids=ids(REFUSED_ELSEWHERE))
def test_an_accepted_key_is_both_if_a_file_or_other_path_is_refused_and_some_unknown_path_is_not(
    row: Key,
):
    """An unknown path is one that does not exist; it counts as not refused if none was read."""
    check_standing(row)


ACCEPTED = {Standing.ACCEPTED, Standing.ACCEPTED_ONCE}


@pytest.mark.parametrize("standing", Standing)
def test_only_accepted_and_accepted_once_count_as_accepted(standing: Standing):
    assert KeyFact(standing).is_accepted is (standing in ACCEPTED)


ERROR_OF_KEYS = {"result": "FAIL", "code": "E7", "message": "Unknown key."}
IN_SUCCESS = [
    Key(
        "the data key gets the error of made-up ones, while the campaign key gets files",
        [
            segment(200, ERROR_OF_KEYS),
            made_up_segment(200, ERROR_OF_KEYS),
            listed(200, FILES),
            made_up(200, ERROR_OF_KEYS),
        ],
        Standing.REFUSED_ONCE,
    ),
    Key(
        "the data key gets the error of made-up ones, while the campaign key gets a 404",
        [
            segment(200, ERROR_OF_KEYS),
            made_up_segment(200, ERROR_OF_KEYS),
            listed(404, NOT_FOUND),
            made_up(200, ERROR_OF_KEYS),
        ],
        Standing.REFUSED_ONCE,
    ),
    # The campaign key gets it, too, or nothing.
    Key(
        "both keys get it",
        [
            segment(200, ERROR_OF_KEYS),
            made_up_segment(200, ERROR_OF_KEYS),
            listed(200, ERROR_OF_KEYS),
            made_up(200, ERROR_OF_KEYS),
        ],
        Standing.NOT_SHOWN,
    ),
    Key(
        "the campaign key was not read",
        [
            segment(200, ERROR_OF_KEYS),
            made_up_segment(200, ERROR_OF_KEYS),
            made_up(200, ERROR_OF_KEYS),
        ],
        Standing.NOT_SHOWN,
    ),
    Key(
        "one of two reads with the campaign key gets it",
        [
            segment(200, ERROR_OF_KEYS),
            made_up_segment(200, ERROR_OF_KEYS),
            listed(200, FILES),
            listed(200, ERROR_OF_KEYS),
            made_up(200, ERROR_OF_KEYS),
        ],
        Standing.NOT_SHOWN,
    ),
    # The data key does not get an error of made-up keys in a success.
    Key(
        "the data key gets it, then another error",
        [
            segment(200, ERROR_OF_KEYS),
            segment_again(200, error("x", "No.")),
            made_up_segment(200, ERROR_OF_KEYS),
            listed(200, FILES),
            made_up(200, ERROR_OF_KEYS),
        ],
        Standing.NOT_SHOWN,
    ),
    Key(
        "the data key gets another error",
        [
            segment(200, error("x", "No.")),
            made_up_segment(200, ERROR_OF_KEYS),
            listed(200, FILES),
            made_up(200, ERROR_OF_KEYS),
        ],
        Standing.NOT_SHOWN,
    ),
    Key(
        "the error comes with 404",
        [
            segment(404, ERROR_OF_KEYS),
            made_up_segment(404, ERROR_OF_KEYS),
            listed(200, FILES),
            made_up(404, ERROR_OF_KEYS),
        ],
        Standing.NOT_SHOWN,
    ),
    Key(
        "a made-up key gets another error for coupons",
        [
            segment(200, ERROR_OF_KEYS),
            made_up_segment(200, ERROR_OF_KEYS),
            listed(200, FILES),
            made_up(200, error("x", "No.")),
        ],
        Standing.NOT_SHOWN,
    ),
    Key(
        "made-up keys get no error",
        [
            segment(200, {"a": 1}),
            made_up_segment(200, {"a": 1}),
            listed(200, FILES),
            made_up(200, {"a": 1}),
        ],
        Standing.NOT_SHOWN,
    ),
]


@pytest.mark.parametrize("row", IN_SUCCESS, ids=ids(IN_SUCCESS))
def test_a_data_key_is_refused_that_gets_the_error_of_made_up_keys_while_the_other_does_not(
    row: Key,
):
    assert key_facts.data_key(evidence_of(*row.probes)).standing is row.standing


def test_a_data_key_with_an_odd_reply_first_and_another_answer_later_is_not_shown():
    """Though a made-up key is refused, and the list alone is odd."""
    evidence = evidence_of(
        ODD,
        nowhere(),
        segment(302, b"", headers={"location": "/files/a"}),
        segment_again(),
        made_up_segment(),
    )
    assert key_facts.data_key(evidence).standing is Standing.NOT_SHOWN


def test_a_key_rests_on_its_answered_reads_then_on_lost_ones_then_on_a_made_up_keys():
    probes = [lost(), listed(404, NOT_FOUND), made_up(), listed(200, FILES)]
    fact = key_facts.campaign_key(evidence_of(*probes))
    assert [id(probe) for probe in fact.probes] == [id(probes[at]) for at in (1, 3, 0, 2)]


def test_a_key_that_was_not_read_rests_on_no_reads():
    assert KeyFact(Standing.NO_ANSWER).probes == []


def test_the_campaign_key_is_judged_at_the_path_that_a_made_up_one_was_sent_to():
    request = request_for(Question.LIST, path="/other/{coupon_list_id}")
    probes = [
        listed(200, FILES),
        listed(401, request=request),
        made_up(401, request=request),
        made_up(200, FILES),
    ]
    assert key_facts.campaign_key(evidence_of(*probes)).standing is Standing.REFUSED_ONCE


X_APP_ID = changed(workspace_header="X-App-Id")
FOUND_IN_X_APP_ID = [
    *2 * [listed(401)],
    *2 * [with_headers("X-App-Id")],
    with_made_up_value("X-App-Id"),
]


def test_reads_with_a_header_that_is_proved_are_those_of_the_campaign_key():
    evidence = evidence_of(*FOUND_IN_X_APP_ID)
    fact = key_facts.campaign_key(evidence)
    assert [id(probe) for probe in fact.own] == [id(probe) for probe in FOUND_IN_X_APP_ID[2:4]]
    assert fact.standing is Standing.NOT_SHOWN


def test_reads_with_a_header_that_is_proved_are_those_of_the_data_key():
    with_header = segment(404, request=requests.read_segment(X_APP_ID, MADE_UP))
    fact = key_facts.data_key(evidence_of(*FOUND_IN_X_APP_ID, with_header, segment(401)))
    assert [id(probe) for probe in fact.own] == [id(with_header)]


class OwnAnswer(NamedTuple):
    """Answers to the own key, and what is said of the first of them."""

    name: str
    own: Sequence[Probe]
    answer: str = ""
    says: str = ""
    names_a_reason: bool = False
    is_hidden: bool = False
    is_forbidden: bool = False


EXPIRED = error("key-expired", "The key has expired.")
OWN_ANSWERS = [
    OwnAnswer("nothing", []),
    OwnAnswer("a code and a message", [listed(400, BAD)], "400 bad", "400 bad: 'Never'"),
    OwnAnswer("no words", [listed(418)], "418", "418"),
    OwnAnswer("no words, then a reason", [listed(418), listed(401, EXPIRED)], "418", "418"),
    OwnAnswer(
        "a reason, then no words",
        [listed(401, EXPIRED), listed(418)],
        "401 key-expired",
        "401 key-expired: 'The key has expired'",
        names_a_reason=True,
    ),
    OwnAnswer(
        "a 404 about a scope",
        [listed(404, SCOPE)],
        "404",
        "404: 'The key lacks the scope coupons:read'",
        is_hidden=True,
    ),
    OwnAnswer(
        "a 404 about nothing",
        [listed(404, NOT_FOUND)],
        "404 not-found",
        "404 not-found: 'Nothing is here'",
    ),
    OwnAnswer(
        "a 403 about a scope",
        [listed(403, SCOPE)],
        "403",
        "403: 'The key lacks the scope coupons:read'",
        is_forbidden=True,
    ),
    OwnAnswer(
        "a 403 about nothing",
        [listed(403, FORBIDDEN)],
        "403 forbidden",
        "403 forbidden: 'Not you'",
        is_forbidden=True,
    ),
]


by_own_answer = pytest.mark.parametrize("row", OWN_ANSWERS, ids=ids(OWN_ANSWERS))


@by_own_answer
def test_of_the_answers_to_the_own_key_the_first_ones_status_and_code_are_shown(row: OwnAnswer):
    assert KeyFact(Standing.NOT_SHOWN, row.own).own_answer == row.answer


@by_own_answer
def test_the_words_of_the_first_answer_to_the_own_key_are_quoted(row: OwnAnswer):
    assert KeyFact(Standing.NOT_SHOWN, row.own).own_says == row.says


@by_own_answer
def test_a_reason_is_named_if_the_first_answer_says_what_became_of_the_key(row: OwnAnswer):
    assert KeyFact(Standing.NOT_SHOWN, row.own).names_a_reason is row.names_a_reason


@by_own_answer
def test_a_list_is_hidden_from_a_key_if_the_first_answer_is_a_404_about_a_scope(row: OwnAnswer):
    assert KeyFact(Standing.NOT_SHOWN, row.own).is_hidden is row.is_hidden


@by_own_answer
def test_a_key_is_forbidden_if_the_first_answer_is_a_403_whatever_it_is_about(row: OwnAnswer):
    assert KeyFact(Standing.NOT_SHOWN, row.own).is_forbidden is row.is_forbidden


GOT_FILES = [
    Shown("nothing", [], holds=False),
    *(
        Shown(question.value, [reply(200, FILES, question=question)], holds=holds)
        for question, holds in (
            (Question.LIST, True),
            (Question.LIST_PATH, True),
            (Question.WHOLE_LIST, True),
            (Question.FILE_PATH, True),
            (Question.AGAIN, True),
            (Question.HEADER, True),
            (Question.OTHER_LIST, False),
            (Question.NO_SUCH_PATH, False),
            (Question.MADE_UP_KEY, False),
        )
    ),
    Shown("an empty list", [listed(200, [])], holds=True),
    Shown(
        "a segment, again",
        [reply(200, [], question=Question.AGAIN, request=request_for(Question.DATA_KEY))],
        holds=False,
    ),
    Shown("an error", [listed(200, BAD)], holds=False),
    Shown("a page", [listed(200, PAGE)], holds=False),
    Shown("a 404", [listed(404, NOT_FOUND)], holds=False),
    Shown("a 404, then a file", [listed(404, NOT_FOUND), one_file(200, FILES[0])], holds=True),
]


@pytest.mark.parametrize("row", GOT_FILES, ids=ids(GOT_FILES))
def test_the_campaign_key_has_got_files_if_a_read_of_files_with_it_succeeded(row: Shown):
    """Even if the list is empty."""
    assert key_facts.has_got_files(evidence_of(*row.probes)) is row.holds


ELSEWHERE = error("wrong-host", "Segments are at https://segments.example.com")
HOSTS = [
    Shown("nothing", [], holds=False),
    Shown("a 404", [listed(200, FILES), segment()], holds=False),
    Shown("another host", [listed(200, FILES), segment(421, ELSEWHERE)], holds=True),
    Shown(
        "another host twice",
        [listed(200, FILES), *2 * [segment(421, ELSEWHERE)]],
        holds=True,
    ),
    Shown(
        "another host, then a 404",
        [listed(200, FILES), segment(421, ELSEWHERE), segment()],
        holds=False,
    ),
    Shown(
        "another host, but coupons get a page",
        [listed(200, PAGE), segment(421, ELSEWHERE)],
        holds=False,
    ),
    Shown(
        "another host, and that for coupons, too",
        [listed(421, ELSEWHERE), segment(421, ELSEWHERE)],
        holds=False,
    ),
]


@pytest.mark.parametrize("row", HOSTS, ids=ids(HOSTS))
def test_segments_are_on_another_host_if_each_read_names_one_and_coupons_are_here(row: Shown):
    evidence = evidence_of(*row.probes)
    assert key_facts.is_on_other_host(evidence, key_facts.data_key(evidence)) is row.holds


SILENT = [
    Shown("no file", [listed(200, FILES), made_up(200, [])], holds=True),
    Shown("a refusal", [listed(200, FILES), made_up()], holds=False),
    Shown("an error with 200", [listed(200, FILES), made_up(200, BAD)], holds=False),
    Shown("a page", [listed(200, FILES), made_up(200, PAGE)], holds=False),
    Shown("no read with a made-up key", [listed(200, FILES)], holds=False),
    Shown("the same files", [listed(200, FILES), made_up(200, FILES)], holds=False),
    Shown(
        "no file, while the own key gets 404 twice",
        [*2 * [listed(404, NOT_FOUND)], made_up(200, [])],
        holds=False,
    ),
]


@pytest.mark.parametrize("row", SILENT, ids=ids(SILENT))
def test_a_made_up_key_is_refused_silently_if_it_gets_a_success_in_place_of_files(row: Shown):
    found = key_facts.silent_refusal(evidence_of(*row.probes))
    assert (found is row.probes[-1]) is row.holds
    assert (found is not None) is row.holds


class Refused(NamedTuple):
    """
    Replies, and what is refused.

    :ivar numbers: of the reads of a file or of another path of the list that are refused.
    """

    name: str
    probes: Sequence[Probe]
    numbers: Sequence[int] = ()


REFUSALS = [
    Refused("nothing", []),
    Refused(
        "a file and another path of the list",
        [one_file(401), at_path("/a", 401), one_file(404), listed(401)],
        numbers=[0, 1],
    ),
    Refused("a file and each path that does not exist", [one_file(401), nowhere(401)]),
    Refused(
        "a file and one of two paths that do not exist",
        [one_file(401), nowhere(401), nowhere()],
        numbers=[0],
    ),
]


@pytest.mark.parametrize("row", REFUSALS, ids=ids(REFUSALS))
def test_reads_of_a_file_or_other_path_are_refused_unless_each_path_that_does_not_exist_is(
    row: Refused,
):
    found = key_facts.refused_elsewhere(evidence_of(*row.probes))
    assert [id(probe) for probe in found] == [id(row.probes[number]) for number in row.numbers]


class Swap(NamedTuple):
    """Replies, and which key is accepted in the other's place."""

    name: str
    probes: Sequence[Probe]
    swapped: Swapped


REFUSED_BOTH = [listed(401), segment(401)]
SWAPS = [
    # Each key is refused in its own place.
    Swap("no read in the other's place", REFUSED_BOTH, Swapped(campaign=False, data=False)),
    Swap(
        "both are accepted",
        [*REFUSED_BOTH, data_key_on_list(), campaign_key_on_segment()],
        Swapped(campaign=True, data=True),
    ),
    Swap(
        "the data key is accepted for coupons",
        [*REFUSED_BOTH, data_key_on_list(), campaign_key_on_segment(401)],
        Swapped(campaign=False, data=True),
    ),
    Swap(
        "the campaign key is accepted for segments",
        [*REFUSED_BOTH, campaign_key_on_segment()],
        Swapped(campaign=True, data=False),
    ),
    Swap(
        "a 403 in the other's place",
        [*REFUSED_BOTH, data_key_on_list(403), campaign_key_on_segment(403)],
        Swapped(campaign=False, data=False),
    ),
    Swap(
        "a page in the other's place",
        [*REFUSED_BOTH, data_key_on_list(200, PAGE)],
        Swapped(campaign=False, data=False),
    ),
    # What shows that a place keeps keys out.
    Swap(
        "each key gets 404 in its own place",
        [listed(404), segment(404), data_key_on_list(), campaign_key_on_segment()],
        Swapped(campaign=False, data=False),
    ),
    Swap(
        "each key gets 403 in its own place",
        [listed(403), segment(403), data_key_on_list(), campaign_key_on_segment()],
        Swapped(campaign=True, data=True),
    ),
    Swap(
        "the campaign key is accepted once, and a made-up one is not",
        [listed(200, FILES), made_up(), data_key_on_list()],
        Swapped(campaign=False, data=True),
    ),
    Swap(
        "the data key is accepted twice, and a made-up one is not",
        [*2 * [segment()], made_up_segment(), campaign_key_on_segment()],
        Swapped(campaign=True, data=False),
    ),
    Swap(
        "the campaign key gets 404, then it is refused",
        [listed(404), listed(401), data_key_on_list()],
        Swapped(campaign=False, data=True),
    ),
]


@pytest.mark.parametrize("row", SWAPS, ids=ids(SWAPS))
def test_a_key_is_swapped_that_is_accepted_in_the_others_place_where_another_key_is_kept_out(
    row: Swap,
):
    """The table has what comes in the other's place, then what shows that keys are kept out."""
    assert key_facts.swapped_keys(evidence_of(*row.probes)) == row.swapped


@pytest.mark.parametrize("campaign", [False, True])
@pytest.mark.parametrize("data", [False, True])
def test_both_keys_are_swapped_if_each_is(campaign: bool, data: bool):
    assert Swapped(campaign, data).are_both is (campaign and data)


ANOTHER = [
    Shown("nothing", [], holds=False),
    Shown("a 403 of another code", [segment(403, BAD)], holds=True),
    Shown("the documented 403", [segment(403, error("request-forbidden", "No."))], holds=False),
    Shown(
        "a 403 of another code, then the documented one",
        [segment(403, BAD), segment(403, error("request-forbidden", "No."))],
        holds=True,
    ),
    Shown("a 403, then a 404", [segment(403, BAD), segment()], holds=False),
    Shown("a page", [segment(403, PAGE)], holds=False),
    Shown("a 404", [segment()], holds=False),
]


@pytest.mark.parametrize("row", ANOTHER, ids=ids(ANOTHER))
def test_a_key_may_be_another_one_if_each_read_gets_403_and_the_first_is_not_as_documented(
    row: Shown,
):
    assert key_facts.may_be_another_key(KeyFact(Standing.NOT_SHOWN, row.probes)) is row.holds
