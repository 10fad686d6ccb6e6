"""
A key is accepted (once after one read, else simply) if a made-up key gets something else that keeps
it out; if not, or if no made-up key was read, it is not shown. The first answer to a made-up key
counts.
A key with files is accepted unless a made-up one gets some of these files; a 404 for a made-up key
counts only if no made-up key was refused. A key with an empty list is accepted if a made-up one
gets a 401, a page or a redirect. A key with the page of a 404 or 405, and no other, is accepted if
a made-up one gets a 401.
If the own key gets an error, it is accepted if a made-up one gets a 403, and the own one gets
another status, or words about a scope that the made-up one does not get; or if the own one gets the
same error twice, the made-up one another, and no made-up key is refused.
If the list alone is odd (no JSON, or a redirect), while a path that does not exist gets 404, the
key is accepted if a made-up one gets a 401 or 403; not if the redirect leads to a login. A data key
with an odd first reply is not shown if another answer comes later.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import (
    FILES,
    FORBIDDEN,
    NOT_FOUND,
    PAGE,
    ids,
    listed,
    lost,
    made_up,
    made_up_segment,
    nowhere,
    redirected,
    segment,
    segment_again,
)
from support.doctor_replies import (
    error_body,
    evidence_of,
)
from support.doctor_service import record
from support.doctor_standings import BAD, ODD, SCOPE, Key, check_standing
from wes_provider.doctor.reads import key_facts
from wes_provider.doctor.reads.key_facts import Standing
from wes_provider.doctor.replies.probes import Question

OTHER_FILES = [record("g1"), record("g2")]


def test_a_key_with_files_is_not_shown_if_no_made_up_one_was_read():
    check_standing(Key("", [listed(200, FILES)], Standing.NOT_SHOWN))


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
    Key(
        "files, and a 429 since too many wrong keys came",
        [listed(200, FILES), made_up(429, error_body("", "Too many failed logins"))],
        Standing.ACCEPTED_ONCE,
    ),
    Key("files, and a 429", [listed(200, FILES), made_up(429)], Standing.NOT_SHOWN),
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
def test_files_and_a_404_for_a_made_up_key_show_nothing_if_a_made_up_key_was_refused_elsewhere(
    row: Key,
):
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
def test_a_key_that_gets_a_404_or_405_with_a_page_is_accepted_if_a_made_up_one_gets_a_401(
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
        [listed(403, SCOPE), made_up(403, error_body("", "Your scope is too small."))],
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
