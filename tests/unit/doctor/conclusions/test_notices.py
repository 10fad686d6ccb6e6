"""
What replies say to people becomes one finding, which is *sure* and needs an action; without
anything there is none.

What the last answer to each own key announces, in headers, is quoted, and once if both keys get the
same; refusals and made-up keys do not count. In bodies, it counts only beside a list's files, at
most three objects down, and not in records or errors. Words about a key ask for a new one, before
words about a maintenance or read-only (uploads may fail); all else asks the service's support what
replaces it.

Sentences of at least three words stand beside a list's files if their member is named like a notice
(such as warning, message or info), at most three objects down; they are quoted without secrets,
unless they were announced already, or the list has no file. Each text has 120 characters at most. A
list whose bytes are no UTF-8 is said to be none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids, made_up
from support.doctor_notices import FILES, Announced, list_reply, segment_reply
from support.doctor_replies import evidence_of, reply
from support.doctor_service import record
from wes_provider.doctor.conclusions.notices import conclude_on_notices, notices_beside
from wes_provider.doctor.findings.finding import Topic

CAMPAIGN, DATA = Topic.CAMPAIGN_KEY.value, Topic.DATA_KEY.value
NEW_KEY = "Put a new key in before that."
AWAY = "Uploads may fail until that is over."
NEW_WAY = "Ask the service's support what replaces it."


class Body(NamedTuple):
    """A body, and the sentences for people in it."""

    name: str
    content: Any
    notices: Mapping[str, str]


THREE = "Three short words"
BODIES = [
    Body("an object", {"message": THREE}, {"message": THREE}),
    Body(
        "a list of texts, a number and a word",
        {"messages": [THREE, 3, "word", "And three more"]},
        {"messages": f"{THREE} And three more"},
    ),
    Body("further down", {"meta": {"System_Notice": THREE}}, {"meta.System_Notice": THREE}),
    Body("in the third object below", {"a": {"b": {"c": {"info": THREE}}}}, {"a.b.c.info": THREE}),
    Body(
        "in a list of records, and beside it",
        {"files": [{"message": THREE}], "note": THREE},
        {"note": THREE},
    ),
    Body("info as the beginning of a name", {"infoText": THREE}, {"infoText": THREE}),
    Body("warning as the beginning of a name", {"warningCode": THREE}, {"warningCode": THREE}),
    Body("info in the plural", {"infos": THREE}, {"infos": THREE}),
    *(
        Body(name, {name: THREE}, {name: THREE})
        for name in (
            "warning",
            "notices",
            "alert",
            "caution",
            "hint",
            "message",
            "messages",
            "msg",
            "footnote",
            "remark",
            "info",
            "hinweis",
            "aviso",
        )
    ),
]


@pytest.mark.parametrize("row", BODIES, ids=[row.name for row in BODIES])
def test_sentences_of_three_words_under_names_of_notices_are_found_down_to_three_objects_below(
    row: Body,
):
    assert notices_beside(row.content) == row.notices


NO_SENTENCES = [
    Body("a list of objects", [{"message": THREE}], {}),
    Body("two words", {"message": "Two words"}, {}),
    Body("another name", {"title": THREE}, {}),
    Body("a number", {"message": 3}, {}),
    Body("in the fourth object below", {"a": {"b": {"c": {"d": {"info": THREE}}}}}, {}),
    Body("message as the beginning of a name", {"messageType": THREE}, {}),
]


@pytest.mark.parametrize("row", NO_SENTENCES, ids=[row.name for row in NO_SENTENCES])
def test_records_fewer_words_and_other_names_have_no_sentences_for_people(row: Body):
    assert notices_beside(row.content) == row.notices


BESIDE = "Beside the list's files stands"
SEE = "See whether it is about what tasks do."
WHICH = [
    Announced("two replies without an announcement", [list_reply(), segment_reply()]),
    Announced("no reply", []),
    Announced(
        "to the campaign key",
        [list_reply(sunset="soon")],
        f"Replies with the {CAMPAIGN} announce Sunset: soon. {NEW_WAY}",
        [0],
    ),
    Announced(
        "to the data key",
        [list_reply(), segment_reply(sunset="soon")],
        f"Replies with the {DATA} announce Sunset: soon. {NEW_WAY}",
        [1],
    ),
    Announced(
        "the same to both keys",
        [list_reply(sunset="soon"), segment_reply(sunset="soon")],
        f"Replies announce Sunset: soon. {NEW_WAY}",
        [0, 1],
    ),
    Announced(
        "the same end of a key to both keys",
        [list_reply(x_key_expires="soon"), segment_reply(**{"x-key-expires": "soon"})],
        f"Replies with the {CAMPAIGN} and the {DATA} announce X-Key-Expires: soon. {NEW_KEY}",
        [0, 1],
    ),
    Announced(
        "something else to each key",
        [list_reply(sunset="soon"), segment_reply(sunset="later")],
        f"Replies with the {CAMPAIGN} announce Sunset: soon. {NEW_WAY} Replies with the {DATA} "
        f"announce Sunset: later. {NEW_WAY}",
        [0, 1],
    ),
    Announced(
        "the last of two answers alone",
        [list_reply(), list_reply(sunset="soon")],
        f"Replies with the {CAMPAIGN} announce Sunset: soon. {NEW_WAY}",
        [1],
    ),
    Announced("the first of two answers alone", [list_reply(sunset="soon"), list_reply()]),
    Announced(
        "an answer, and then something else with a refusal",
        [list_reply(sunset="soon"), list_reply(status=401, sunset="later")],
        f"Replies with the {CAMPAIGN} announce Sunset: soon. {NEW_WAY}",
        [0],
    ),
    Announced("to a made-up key", [list_reply(), made_up(404, b"", headers={"sunset": "soon"})]),
]


@pytest.mark.parametrize("row", WHICH, ids=[row.name for row in WHICH])
def test_what_the_last_reply_to_each_own_key_that_is_an_answer_announces_is_said(row: Announced):
    assert conclude_on_notices(evidence_of(*row.probes)) == row.findings


WHAT = [
    Announced(
        "two headers",
        [list_reply(sunset="a.", deprecation="b.")],
        f"Replies with the {CAMPAIGN} announce Sunset: a.; Deprecation: b. {NEW_WAY}",
        [0],
    ),
    Announced(
        "the end of a key",
        [list_reply(x_key_expires="soon")],
        f"Replies with the {CAMPAIGN} announce X-Key-Expires: soon. {NEW_KEY}",
        [0],
    ),
    *(
        Announced(
            word,
            [list_reply(x_note=f"The {word} is rotated")],
            f"Replies with the {CAMPAIGN} announce X-Note: The {word} is rotated. {NEW_KEY}",
            [0],
        )
        for word in ("token", "Credential", "secret", "password")
    ),
    *(
        Announced(
            text,
            [list_reply(x_note=text)],
            f"Replies with the {CAMPAIGN} announce X-Note: {text}. {NEW_WAY}",
            [0],
        )
        for text in (
            "Header SVC-APPKEY is deprecated",
            "Header X-Api-Key is deprecated",
            "Paging without keyset will be removed",
            "The tokenizer is deprecated",
        )
    ),
    Announced(
        "a key in a maintenance",
        [list_reply(x_note="maintenance: no keys")],
        f"Replies with the {CAMPAIGN} announce X-Note: maintenance: no keys. {NEW_KEY}",
        [0],
    ),
    Announced(
        "a maintenance",
        [list_reply(x_note="Maintenance soon")],
        f"Replies with the {CAMPAIGN} announce X-Note: Maintenance soon. {AWAY}",
        [0],
    ),
    Announced(
        "read-only",
        [list_reply(x_note="read-only soon")],
        f"Replies with the {CAMPAIGN} announce X-Note: read-only soon. {AWAY}",
        [0],
    ),
    Announced(
        "a word that has read in it",
        [list_reply(x_note="already deprecated")],
        f"Replies with the {CAMPAIGN} announce X-Note: already deprecated. {NEW_WAY}",
        [0],
    ),
]


@pytest.mark.parametrize("row", WHAT, ids=[row.name for row in WHAT])
def test_what_is_to_be_done_about_an_announcement_follows_from_its_name_and_words(row: Announced):
    assert conclude_on_notices(evidence_of(*row.probes)) == row.findings


WHERE = [
    Announced(
        "in the reply, beside the files",
        [
            list_reply(
                {
                    "meta": {"x": "It expires", "y": ["a", "will be gone"], "z": "fine"},
                    "data": FILES,
                }
            )
        ],
        f"Replies with the {CAMPAIGN} announce meta.x: It expires; meta.y: will be gone. {NEW_WAY}",
        [0],
    ),
    Announced(
        "twice in an array",
        [list_reply({"x": ["It expires", "fine", "It will be gone"], "data": FILES})],
        f"Replies with the {CAMPAIGN} announce x: It expires; It will be gone. {NEW_WAY}",
        [0],
    ),
    Announced(
        "first in an array, of a key",
        [list_reply({"x": ["The key expires", "It will be gone"], "data": FILES})],
        f"Replies with the {CAMPAIGN} announce x: The key expires; It will be gone. {NEW_KEY}",
        [0],
    ),
    Announced(
        "last in an array, of a key",
        [list_reply({"x": ["It will be gone", "The key expires"], "data": FILES})],
        f"Replies with the {CAMPAIGN} announce x: It will be gone; The key expires. {NEW_KEY}",
        [0],
    ),
    Announced(
        "in the fourth object below",
        [list_reply({"a": {"b": {"c": {"d": {"x": "It expires"}}}}, "data": FILES})],
    ),
    Announced(
        "in the third object below",
        [list_reply({"a": {"b": {"c": {"x": "It expires"}}}, "data": FILES})],
        f"Replies with the {CAMPAIGN} announce a.b.c.x: It expires. {NEW_WAY}",
        [0],
    ),
    Announced("in a record", [list_reply([record("f1", error="It expires")])]),
    Announced("in the body of an error", [list_reply({"x": "It expires"}, 400)]),
    Announced(
        "in the body of a reply to the data key",
        [list_reply(), segment_reply(200, {"x": "It expires"})],
    ),
]


@pytest.mark.parametrize("row", WHERE, ids=[row.name for row in WHERE])
def test_announcements_in_bodies_count_if_they_stand_beside_a_lists_files(row: Announced):
    assert conclude_on_notices(evidence_of(*row.probes)) == row.findings


HOW_MUCH = [
    Announced(
        "a header of 120 characters",
        [list_reply(sunset="x " * 59 + "yz")],
        f"Replies with the {CAMPAIGN} announce Sunset: {'x ' * 59}yz. {NEW_WAY}",
        [0],
    ),
    Announced(
        "a header of 121 characters",
        [list_reply(sunset="x " * 60 + "y")],
        f"Replies with the {CAMPAIGN} announce Sunset: {'x ' * 29}… {'x ' * 29}y. {NEW_WAY}",
        [0],
    ),
]


@pytest.mark.parametrize("row", HOW_MUCH, ids=[row.name for row in HOW_MUCH])
def test_an_announcement_is_said_with_120_characters_at_most(row: Announced):
    assert conclude_on_notices(evidence_of(*row.probes)) == row.findings


def masked(text: str) -> str:
    return text.replace("hunter2", "***")


BESIDE_FILES = [
    Announced(
        "a sentence beside files",
        [list_reply({"note": "Three short words.", "data": FILES})],
        f"{BESIDE} note: Three short words. {SEE}",
        [0],
    ),
    Announced(
        "two sentences",
        [list_reply({"note": "A b c", "info": "D e f", "data": FILES})],
        f"{BESIDE} note: A b c; info: D e f. {SEE}",
        [0],
    ),
    Announced(
        "a sentence beside no file", [list_reply({"note": "Three short words.", "data": []})]
    ),
    Announced(
        "a sentence of an end, which is announced already",
        [list_reply({"note": "It all expires.", "data": FILES})],
        f"Replies with the {CAMPAIGN} announce note: It all expires. {NEW_WAY}",
        [0],
    ),
    Announced(
        "a sentence of an end and another",
        [list_reply({"note": "It all expires.", "info": "D e f", "data": FILES})],
        f"Replies with the {CAMPAIGN} announce note: It all expires. {NEW_WAY} {BESIDE} info: D e "
        f"f. {SEE}",
        [0, 0],
    ),
    Announced(
        "a sentence of an end with three dots, which is announced already",
        [list_reply({"note": "It all expires...", "data": FILES})],
        f"Replies with the {CAMPAIGN} announce note: It all expires. {NEW_WAY}",
        [0],
    ),
    Announced(
        "a secret in a sentence",
        [replace(list_reply({"note": "A b hunter2", "data": FILES}), clean=masked)],
        f"{BESIDE} note: A b ***. {SEE}",
        [0],
    ),
    Announced(
        "a sentence of 121 characters",
        [list_reply({"note": "x " * 60 + "y", "data": FILES})],
        f"{BESIDE} note: {'x ' * 29}… {'x ' * 29}y. {SEE}",
        [0],
    ),
]


@pytest.mark.parametrize("row", BESIDE_FILES, ids=ids(BESIDE_FILES))
def test_sentences_for_people_beside_a_lists_files_are_said_unless_they_announce_an_end(
    row: Announced,
):
    assert conclude_on_notices(evidence_of(*row.probes)) == row.findings


def test_a_list_whose_names_are_no_utf8_is_said_to_be_none():
    row = Announced(
        "a name that is no UTF-8",
        [reply(200, b'[{"_id": "f1", "status": "SUCCESS", "name": "M\xe4rz"}]')],
        "The list's reply is no UTF-8, so letters of its names are read as \ufffd: ask the "
        "service's support to send UTF-8.",
        [0],
    )
    assert conclude_on_notices(evidence_of(*row.probes)) == row.findings
