"""
What replies announce: that a key, or this way to the service, ends, or a maintenance. Pure.

What is not understood is quoted, too, if it speaks of an end.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timezone
from itertools import chain
from typing import Any, Final, NamedTuple

from wes_provider import contract
from wes_provider.client.announcements import plain_name
from wes_provider.doctor.findings.finding import Certainty, Finding, Topic
from wes_provider.doctor.reads import facts, key_facts
from wes_provider.doctor.reads.evidence import Evidence
from wes_provider.doctor.reads.header import is_standard
from wes_provider.doctor.replies.members import inside, last_name
from wes_provider.doctor.replies.probes import Kind, Probe, Question
from wes_provider.doctor.replies.remedies import sentences_of_end
from wes_provider.doctor.replies.subjects import MAINTENANCE, Subject
from wes_provider.doctor.replies.words import abridged, is_sentence, quoted

__all__ = ["OF_TESTS", "announced_in", "conclude_on_notices", "notices_beside"]

# A warning for people (RFC 7234); those with other numbers are of caches.
WARNING: Final = re.compile(r"\s*299 +\S+ +\"([^\"]+)\"")
ENDINGS: Final = ("sunset", "deprecation")
# What a header or a property beside the files has if it announces an end, in a usual language.
OF_AN_END: Final = re.compile(
    r"retir|expir|deprecat|sunset|end.of.life|stops? working|no longer|read.?only|maintenance|"
    r"wartung|mantenimiento|manutenzione|rotated|will (?:be|not)|läuft ab|abgelaufen|caduca",
    re.IGNORECASE,
)
NOT_ABOUT_IT: Final = frozenset(
    "set-cookie content-security-policy strict-transport-security server alt-svc nel".split()
)
DEEPEST: Final = 3  # objects within objects that are searched
# The end of a key has no standard header: X-Api-Key-Expires, Token-Expiry.
END_OF_KEY: Final = re.compile(
    r"(?:key|token|credential|secret|password).*(?:expir|valid-until|renew|days-?left)"
    r"|(?:expir|valid-until|renew).*(?:key|token|credential|secret|password)"
)
# Not a part of another word, such as keyset, and in a text no part of a header's name.
KEY_IN_NAME: Final = re.compile(
    r"(?:^|[-_.])(?:key|token|credential|secret|password)s?(?:[-_.]|$)", re.IGNORECASE
)
KEY_IN_TEXT: Final = re.compile(
    r"(?<![\w-])(?:api[ -]?)?(?:key|token|credential|secret|password)s?(?![\w-])", re.IGNORECASE
)
READ_ONLY: Final = re.compile(r"\bread[ _-]?only\b", re.IGNORECASE)
# Of replies to changes: others of their sentences say what was done, each time.
OF_A_WARNING: Final = re.compile(r"warn|caution|alert|deprecat")
OF_A_CHANGE: Final = re.compile(
    r"retir|deprecat|sunset|end.of.life|stops? working|no longer|will be (?:reject|refuse|require|"
    r"remove|ignore)",
    re.IGNORECASE,
)
MOST_WARNED: Final = 200  # characters of a warning
MOST_SHOWN: Final = 120  # characters of a header
# Members of a success that are for people.
FOR_PEOPLE: Final = re.compile(
    r"warn|notice|alert|caution|hint|messages?$|msg|note|remark|info|hinweis|aviso"
)
# How replies say that they are of a test environment.
OF_ENVIRONMENT: Final = re.compile(r"environment|(?:^|-)(?:env|mode|stage)$")
OF_TESTS: Final = re.compile(
    r"sandbox|test(?:ing)?|staging|demo|development|dev|dry[ _-]?run|simulat(?:ion|ed)",
    re.IGNORECASE,
)
TEST_FLAGS: Final = (
    ("livemode", False),
    ("live", False),
    ("production", False),
    ("sandbox", True),
    ("testmode", True),
    ("istest", True),
    ("demo", True),
)
MOST_MARKS: Final = 2
NEW_KEY: Final = "Put a new key in before that."
AWAY_FOR_A_TIME: Final = "Uploads may fail until that is over."
NEW_WAY: Final = "Ask the service's support what replaces it."


def announced_in(headers: Mapping[str, str]) -> dict[str, str]:
    """
    Return the headers that announce an end, with what they say.

    :param headers: names in lower case.
    """
    announced = {}
    for name, value in headers.items():
        warning = WARNING.match(value)
        if name == "warning" and warning is not None:
            announced[name] = warning[1]
        elif value.strip() and (name in ENDINGS or END_OF_KEY.search(name)):
            announced[name] = _as_date(value.strip())
        elif not is_standard(name) and name not in NOT_ABOUT_IT and OF_AN_END.search(value):
            announced[name] = value.strip()
    return announced


def announced_beside(
    content: Any,
    above: str = "",
    depth: int = 0,
) -> dict[str, str]:
    """
    Return the texts of an object that speak of an end, but for those of records, by dotted names;
    those of an array together.
    """
    announced: dict[str, str] = {}
    if not isinstance(content, Mapping) or depth > DEEPEST:
        return announced
    for name, value in content.items():
        where = f"{above}{name}"
        texts = value
        if not isinstance(value, list):
            texts = [value]
        ends = [text for text in texts if isinstance(text, str) and OF_AN_END.search(text)]
        if ends:
            announced[where] = "; ".join(ends)
        announced |= announced_beside(value, f"{where}.", depth + 1)
    return announced


def notices_beside(content: Any, above: str = "", depth: int = 0) -> dict[str, str]:
    """
    Return the sentences for people that a success has, but for those of records, by dotted names.
    """
    notices: dict[str, str] = {}
    if not isinstance(content, Mapping) or depth > DEEPEST:
        return notices
    for name, value in content.items():
        where = f"{above}{name}"
        texts = value if isinstance(value, list) else [value]
        sentences = [*filter(is_sentence, texts)]
        if sentences and FOR_PEOPLE.search(plain_name(str(name))):
            notices[where] = " ".join(sentences)
        notices |= notices_beside(value, f"{where}.", depth + 1)
    return notices


def _as_date(value: str) -> str:
    """
    Return a value that is seconds since 1970, such as that of Deprecation, as a date; else as it
    is.
    """
    if not re.fullmatch(r"@\d{1,11}", value):
        return value
    return f"{datetime.fromtimestamp(int(value[1:]), timezone.utc):%Y-%m-%d}"


class Notice(NamedTuple):
    """What replies say to people, as sentences, and the replies that say so."""

    text: str
    probes: Sequence[Probe]


def conclude_on_notices(evidence: Evidence, later: Sequence[Probe] = ()) -> list[Finding]:
    """
    Conclude on what replies announce to the connection's keys; nothing if they do not.

    :param later: changes, and reads of what was changed.
    """
    notices = [*_announced_by_brownout(evidence), *_announced_to_keys(evidence)]
    notices += _said_of_tests(evidence)
    notices += _said_in_no_utf8(evidence)
    notices += _said_beside_files(evidence, said=" ".join(notice.text for notice in notices))
    notices += _said_to_changes(later, said=" ".join(notice.text for notice in notices))
    if not notices:
        return []
    return [
        Finding(
            topic=Topic.NOTICES,
            certainty=Certainty.SURE,
            text=" ".join(notice.text for notice in notices),
            probes=tuple(chain.from_iterable(notice.probes for notice in notices)),
            needs_action=True,
        )
    ]


def _last_answers(evidence: Evidence) -> dict[Topic, Probe]:
    """Return the last answer that each key got."""
    by_key = {
        Topic.CAMPAIGN_KEY: key_facts.campaign_key(evidence).own,
        Topic.DATA_KEY: key_facts.data_key(evidence).own,
    }
    last = {}
    for topic, own in by_key.items():
        for probe in own:
            if probe.kind is Kind.ANSWER:
                last[topic] = probe
    return last


def _announced_by_brownout(evidence: Evidence) -> list[Notice]:
    """
    Return what the last reply of a brownout says of the version's end, in its words and headers;
    nothing without one.
    """
    replies = [probe for probe in evidence.own if probe.is_about(Subject.BROWNOUT)]
    for probe in replies[-1:]:
        said = [quoted(sentence, MOST_SHOWN) for sentence in sentences_of_end(probe.message)]
        said += [
            f"{name.title()}: {abridged(probe.clean(value), MOST_SHOWN)}"
            for name, value in announced_in(probe.response.headers).items()
            if name in ENDINGS
        ]
        if said:
            text = f"A version that the provider sends to ends: {'; '.join(said)}. {NEW_WAY}"
            return [Notice(text, [probe])]
    return []


def _announced_to_keys(evidence: Evidence) -> list[Notice]:
    """Return what replies to each key announce; the same to both keys once."""
    topics: dict[str, list[str]] = {}
    probes: dict[str, list[Probe]] = {}
    for topic, probe in _last_answers(evidence).items():
        text = _says(_announced(probe), probe.clean)
        if text:
            topics.setdefault(text, []).append(topic.value)
            probes.setdefault(text, []).append(probe)
    return [
        Notice(text=f"{_whose_replies(names, text)} announce {text}", probes=probes[text])
        for text, names in topics.items()
    ]


def _whose_replies(names: Sequence[str], text: str) -> str:
    """Name the keys whose replies announce something, unless it is about no key and in all."""
    if len(names) > 1 and not text.endswith(NEW_KEY):
        return "Replies"
    return f"Replies with the {' and the '.join(names)}"


def _said_of_tests(evidence: Evidence) -> list[Notice]:
    """Return that replies say that they are of a test environment; nothing if they do not."""
    for probe in _last_answers(evidence).values():
        marks = marks_of_tests(probe)
        if marks:
            text = (
                f"Replies say that this is no production ({', '.join(marks)}): what tasks upload "
                "may reach nobody. Put in the keys of production, if you mean that."
            )
            return [Notice(text, [probe])]
    return []


def _said_beside_files(evidence: Evidence, said: str) -> list[Notice]:
    """
    Return what a list says to people beside its files; nothing if it has no files, or says nothing.

    :param said: what is said of it already.
    """
    listed = facts.places(evidence).listed
    if listed is None or not listed.files:
        return []
    text = _says_beside_files(listed.probe, said)
    if not text:
        return []
    return [Notice(text, [listed.probe])]


def _said_to_changes(later: Sequence[Probe], said: str) -> list[Notice]:
    """
    Return what the replies to accepted changes warn of, in their headers and bodies; nothing if
    they do not.

    :param said: what is said already.
    """
    notices = []
    for probe in later:
        if probe.question is not Question.WRITE or not probe.success:
            continue
        warnings = {
            where: text
            for where, text in notices_beside(probe.content).items()
            if OF_A_WARNING.search(plain_name(where)) or OF_A_CHANGE.search(text)
        }
        headers = announced_in(probe.response.headers)
        warnings |= {name.title(): value for name, value in headers.items()}
        quotes = {
            where: abridged(probe.clean(text), MOST_WARNED) for where, text in warnings.items()
        }
        news = [f"{where}: {text}" for where, text in quotes.items() if text not in said]
        if news:
            named = "; ".join(news).rstrip(".")
            text = (
                f"The reply to {probe.sent} has {named}. See whether your tasks have to change "
                "because of it."
            )
            notices.append(Notice(text, [probe]))
    return notices


def marks_of_tests(probe: Probe) -> list[str]:
    """
    Return the headers and members by which a reply says that it is of a test environment, such as
    ``livemode: false``.
    """
    marks = [
        f"{name.title()}: {value}"
        for name, value in probe.response.headers.items()
        if OF_ENVIRONMENT.search(name) and OF_TESTS.fullmatch(value.strip())
    ]
    for where, value in inside(probe.content):
        name = last_name(where)
        is_word = isinstance(value, str) and OF_TESTS.fullmatch(value) is not None
        is_environment = is_word and OF_ENVIRONMENT.search(name) is not None
        if is_environment or (name, value) in TEST_FLAGS:
            marks.append(f"{where}: {json.dumps(value)}")
    return marks[:MOST_MARKS]


def _says_beside_files(probe: Probe, said: str) -> str:
    """
    Return a sentence with what a list says to people beside its files; empty if nothing.

    :param said: what is said of it already.
    """
    notices = {
        where: abridged(probe.clean(text), MOST_SHOWN)
        for where, text in notices_beside(probe.content).items()
    }
    news = [f"{where}: {text}" for where, text in notices.items() if text.rstrip(".") not in said]
    if not news:
        return ""
    named = "; ".join(news).rstrip(".")
    return f"Beside the list's files stands {named}. See whether it is about what tasks do."


def _said_in_no_utf8(evidence: Evidence) -> list[Notice]:
    """Return that the list's reply is no UTF-8, so that characters of it are lost; else nothing."""
    listed = facts.places(evidence).listed
    if listed is None or "\ufffd" not in listed.probe.text:
        return []
    text = (
        "The list's reply is no UTF-8, so letters of its names are read as \ufffd: ask the "
        "service's support to send UTF-8."
    )
    return [Notice(text, [listed.probe])]


def _announced(probe: Probe) -> dict[str, str]:
    """Tell what a reply announces, in its headers and beside a list's files."""
    announced = {
        name.title(): value for name, value in announced_in(probe.response.headers).items()
    }
    if probe.request.operation is contract.LIST_COUPON_FILES and probe.success:
        announced |= announced_beside(probe.content)
    return announced


def _says(
    announced: Mapping[str, str],
    clean: Callable[[str], str],
) -> str:
    """
    Return the headers, and what to do, as the end of a sentence and another one; empty without any.
    """
    if not announced:
        return ""
    named = "; ".join(
        f"{name}: {abridged(clean(value), MOST_SHOWN)}" for name, value in announced.items()
    )
    named = named.rstrip(".")
    if _is_about_key(announced):
        return f"{named}. {NEW_KEY}"
    if MAINTENANCE.search(named) or READ_ONLY.search(named):
        return f"{named}. {AWAY_FOR_A_TIME}"
    return f"{named}. {NEW_WAY}"


def _is_about_key(announced: Mapping[str, str]) -> bool:
    """Tell whether an announcement is about a key, by its name or its text."""
    return any(
        KEY_IN_NAME.search(name) is not None or KEY_IN_TEXT.search(text) is not None
        for name, text in announced.items()
    )
