"""
How the service takes a key, by the replies to one read with it. Without any reply it has no answer.
It is refused if its first answer is a 401: once after one answer, else simply refused (a web page
counts as a second answer); whatever a made-up key gets. It is both, accepted and refused, if one
answer is a 401 and another is an answer of the service. The campaign key is both, too, if it is
accepted for the list, and one file or another path of the list is refused; not if each path that
does not exist is refused, too. Only "accepted" and "accepted once" count as accepted.

The reads are those of the list for the campaign key, at the path that a made-up key was sent to last,
and those of a segment for the data key; if another workspace header is proved, only those with that
header. The fact rests on the answered reads, then on lost ones, then on the read with a made-up
key.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import (
    FILES,
    NOT_FOUND,
    PAGE,
    at_path,
    ids,
    listed,
    lost,
    made_up,
    nowhere,
    one_file,
    segment,
    with_headers,
    with_made_up_value,
)
from support.doctor_replies import (
    changed,
    evidence_of,
    request_for,
)
from support.doctor_standings import Key, check_standing
from wes_provider.client import requests
from wes_provider.doctor.reads import key_facts
from wes_provider.doctor.reads.evidence import MADE_UP
from wes_provider.doctor.reads.key_facts import KeyFact, Standing
from wes_provider.doctor.replies.probes import Question

UNANSWERED = [
    Key("nothing", [], Standing.NO_ANSWER),
    Key("no reply", [lost()], Standing.NO_ANSWER),
    Key("no reply, and a made-up key is refused", [lost(), made_up()], Standing.NO_ANSWER),
]


@pytest.mark.parametrize("row", UNANSWERED, ids=ids(UNANSWERED))
def test_a_key_whose_reads_got_no_reply_has_no_answer(row: Key):
    check_standing(row)


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


def test_a_key_rests_on_its_answered_reads_then_on_lost_ones_then_on_a_made_up_keys():
    probes = [lost(), listed(404, NOT_FOUND), made_up(), listed(200, FILES)]
    fact = key_facts.campaign_key(evidence_of(*probes))
    assert [id(probe) for probe in fact.probes] == [id(probes[at]) for at in (1, 3, 0, 2)]


def test_a_key_that_was_not_read_rests_on_no_reads():
    assert KeyFact(Standing.NO_ANSWER).probes == []


def test_the_campaign_key_is_judged_at_the_path_that_a_made_up_one_was_sent_to_last():
    request = request_for(Question.LIST, path="/other/{coupon_list_id}")
    probes = [
        listed(200, FILES),
        made_up(200, FILES),
        listed(401, request=request),
        made_up(401, request=request),
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
