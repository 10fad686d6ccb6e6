"""
What replies say to people: that something ends, a maintenance, a test environment, sentences beside
files, and a list that is no UTF-8.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids, made_up
from support.doctor_replies import evidence_of, reply
from support.doctor_service import record
from wes_provider.doctor.findings import Certainty, Finding, Topic
from wes_provider.doctor.notices import announced_in, conclude_on_notices, notices_beside
from wes_provider.doctor.probes import Probe, Question

FILES = [record("f1")]
CAMPAIGN, DATA = Topic.CAMPAIGN_KEY.value, Topic.DATA_KEY.value
NEW_KEY = "Put a new key in before that."
AWAY = "Uploads may fail until that is over."
NEW_WAY = "Ask the service's support what replaces it."


class Header(NamedTuple):
    """A header, and what it announces; empty for nothing."""

    name: str
    value: str
    announced: str = ""


HEADERS = [
    Header("warning", ' 299  svc  "Ends soon"', "Ends soon"),
    Header("sunset", " Fri, 04 Dec 2026 ", "Fri, 04 Dec 2026"),
    Header("sunset", "@1767225600", "2026-01-01"),
    Header("x-key-expires", "@1767225600", "2026-01-01"),
    Header("x-note", "it expires @1767225600", "it expires @1767225600"),
    Header("deprecation", "@1767225600", "2026-01-01"),
    Header("deprecation", "@1", "1970-01-01"),
    Header("deprecation", "@", "@"),
    Header("deprecation", "@12345678901", "2361-03-21"),
    Header("deprecation", "@123456789012", "@123456789012"),
    Header("deprecation", "1767225600", "1767225600"),
    Header("deprecation", "@17a", "@17a"),
    Header("x-key-expires", "soon", "soon"),
    Header("x-token-valid-until", "soon", "soon"),
    Header("credential-renewal", "soon", "soon"),
    Header("secret-days-left", "3", "3"),
    Header("secret-daysleft", "3", "3"),
    Header("password-expiry", "3", "3"),
    Header("expiry-key", "3", "3"),
    Header("valid-until-token", "3", "3"),
    Header("renew-credential", "3", "3"),
    Header("expires-secret", "3", "3"),
    Header("expires-password", "3", "3"),
    *(
        Header("x-note", f"it {words} now", f"it {words} now")
        for words in (
            "will be retired",
            "expires",
            "is Deprecated",
            "has its sunset",
            "is end-of-life",
            "stops working",
            "stop working",
            "no longer works",
            "is read-only",
            "is readonly",
            "has maintenance",
            "hat Wartung",
            "en mantenimiento",
            "in manutenzione",
            "is rotated",
            "will be",
            "will not",
            "läuft ab",
            "schon abgelaufen",
            "caduca",
        )
    ),
    Header("x-note", " Expires soon ", "Expires soon"),
]


@pytest.mark.parametrize("row", HEADERS, ids=[f"{row.name}: {row.value}" for row in HEADERS])
def test_a_header_announces_an_end_by_its_name_or_its_words(row: Header):
    assert announced_in({row.name: row.value}) == {row.name: row.announced}


NO_HEADERS = [
    Header("warning", '199 svc "Ends soon"'),
    Header("warning", "299 svc Ends soon"),
    Header("x-warning", '299 svc "Ends soon"'),
    Header("warning", '110 cache "no longer fresh"'),
    Header("deprecation", "  "),
    Header("sunset", ""),
    Header("days-left-key", "3"),
    Header("x-key-expires", " "),
    Header("expires", "0"),
    Header("x-key", "abc"),
    Header("x-note", "all is well"),
    Header("x-note", "it will continue"),
    Header("cache-control", "it expires"),
    Header("access-control-expose-headers", "expires"),
    *(
        Header(name, "it expires")
        for name in (
            "set-cookie",
            "content-security-policy",
            "strict-transport-security",
            "server",
            "alt-svc",
            "nel",
        )
    ),
]


@pytest.mark.parametrize("row", NO_HEADERS, ids=[f"{row.name}: {row.value}" for row in NO_HEADERS])
def test_a_header_announces_nothing_without_such_a_name_words_or_value(row: Header):
    """Nor do those of caches, cookies, security and servers, whatever their words."""
    assert announced_in({row.name: row.value}) == {}


def test_all_announcements_stand_in_the_order_of_the_headers():
    headers = {"sunset": "soon", "date": "now", "deprecation": "@0"}
    assert [*announced_in(headers).items()] == [("sunset", "soon"), ("deprecation", "1970-01-01")]


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


class Announced(NamedTuple):
    """
    Replies, and what is said of them; empty for nothing.

    :ivar numbers: of the replies that it rests on.
    """

    name: str
    probes: Sequence[Probe]
    text: str = ""
    numbers: Sequence[int] = ()

    @property
    def findings(self) -> list[Finding]:
        """What is concluded."""
        if not self.text:
            return []
        probes = tuple(self.probes[number] for number in self.numbers)
        return [Finding(Topic.NOTICES, Certainty.SURE, self.text, probes, needs_action=True)]


def list_reply(content: Any = FILES, status: int = 200, **headers: str) -> Probe:
    """The read of the list; names of headers of the reply have _ for -."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return reply(status, content, named)


def segment_reply(status: int = 404, content: Any = b"", **headers: str) -> Probe:
    """The read of a segment with the data key, and headers of the reply."""
    return reply(status, content, headers, question=Question.DATA_KEY)


BESIDE = "Beside the list's files stands"
SEE = "See whether it is about what tasks do."
TESTS = "what tasks upload may reach nobody. Put in the keys of production, if you mean that."
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
        f"Replies with the {CAMPAIGN} and the {DATA} announce Sunset: soon. {NEW_WAY}",
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


MARKS = [
    Announced(
        "livemode false",
        [list_reply({"livemode": False, "data": FILES})],
        f"Replies say that this is no production (livemode: false): {TESTS}",
        [0],
    ),
    Announced("livemode true", [list_reply({"livemode": True, "data": FILES})]),
    *(
        Announced(
            f"{name} {shown}",
            [list_reply({"meta": {name: value}, "data": FILES})],
            f"Replies say that this is no production (meta.{name}: {shown}): {TESTS}",
            [0],
        )
        for name, value, shown in (
            ("live", False, "false"),
            ("production", False, "false"),
            ("sandbox", True, "true"),
            ("test_mode", True, "true"),
            ("isTest", True, "true"),
            ("demo", True, "true"),
        )
    ),
    Announced("live null", [list_reply({"live": None, "data": FILES})]),
    Announced("sandbox a string", [list_reply({"sandbox": "1", "data": FILES})]),
    Announced(
        "live 0 and sandbox 1",
        [list_reply({"live": 0, "sandbox": 1, "data": FILES})],
        f"Replies say that this is no production (live: 0, sandbox: 1): {TESTS}",
        [0],
    ),
    Announced("live 1 and sandbox 0", [list_reply({"live": 1, "sandbox": 0, "data": FILES})]),
]


@pytest.mark.parametrize("row", MARKS, ids=[row.name for row in MARKS])
def test_a_test_environment_is_known_by_members_that_are_true_or_false_or_1_or_0(row: Announced):
    assert conclude_on_notices(evidence_of(*row.probes)) == row.findings


ENVIRONMENTS = [
    *(
        Announced(
            word,
            [list_reply({"environment": word, "data": FILES})],
            f'Replies say that this is no production (environment: "{word}"): {TESTS}',
            [0],
        )
        for word in ("sandbox", "Test", "testing", "staging", "demo", "development", "dev")
    ),
    Announced("environment production", [list_reply({"environment": "production", "data": FILES})]),
    Announced("environment latest", [list_reply({"environment": "latest", "data": FILES})]),
    *(
        Announced(
            name,
            [list_reply(**{name: " Test "})],
            f"Replies say that this is no production ({name.replace('_', '-').title()}:  Test ): "
            f"{TESTS}",
            [0],
        )
        for name in ("environment_id", "x_env", "env", "mode", "x_stage")
    ),
    Announced("a header with mode in the middle of its name", [list_reply(x_mode_of_x="test")]),
    Announced("a header with mode as the end of a word", [list_reply(commode="test")]),
    Announced("env live", [list_reply(env="live")]),
]


@pytest.mark.parametrize("row", ENVIRONMENTS, ids=[row.name for row in ENVIRONMENTS])
def test_a_test_environment_is_known_by_its_name_in_a_member_or_a_header(row: Announced):
    assert conclude_on_notices(evidence_of(*row.probes)) == row.findings


SEVERAL_MARKS = [
    Announced(
        "three marks, of which two are shown",
        [list_reply({"live": False, "demo": True, "data": FILES}, env="dev")],
        f"Replies say that this is no production (Env: dev, live: false): {TESTS}",
        [0],
    ),
    Announced(
        "a header of a reply to the data key",
        [list_reply(), segment_reply(env="dev")],
        f"Replies say that this is no production (Env: dev): {TESTS}",
        [1],
    ),
    Announced(
        "headers of replies to both keys, of which one is shown",
        [list_reply(env="dev"), segment_reply(env="demo")],
        f"Replies say that this is no production (Env: dev): {TESTS}",
        [0],
    ),
]


@pytest.mark.parametrize("row", SEVERAL_MARKS, ids=[row.name for row in SEVERAL_MARKS])
def test_two_marks_of_a_test_environment_are_said_and_a_header_of_replies_to_both_keys_once(
    row: Announced,
):
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
