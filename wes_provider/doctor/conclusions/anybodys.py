"""Files that a made-up key gets, too: whose they are, as far as replies say. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Any, Final, NamedTuple

from wes_provider.client.announcements import plain_name
from wes_provider.connection_form import LABELS
from wes_provider.doctor.conclusions.notices import OF_TESTS
from wes_provider.doctor.findings.finding import Certainty, Finding, Topic
from wes_provider.doctor.reads import facts, key_facts
from wes_provider.doctor.reads.effects import has_what_was_asked
from wes_provider.doctor.reads.evidence import Evidence
from wes_provider.doctor.replies.files import records_at
from wes_provider.doctor.replies.members import inside
from wes_provider.doctor.replies.probes import Probe
from wes_provider.texts import counted, shown

__all__ = [
    "AnybodysFiles",
    "anybodys_files",
    "conclude_on_anybodys",
    "files_of_others",
    "without_anybodys",
]

ENVIRONMENT: Final = "environment"
# A member, also in objects, such as meta.workspace.id.
OWNER: Final = re.compile(
    r"(?:.*\.)?(?:current|your)?(workspace|tenant|account|organi[sz]ation|org|company|project|"
    rf"realm|{ENVIRONMENT})(?:\.?(?:id|name|key|code|slug|identifier))?"
)
MOST_OWNERS: Final = 2
MOST_LISTS: Final = 3
CHECK: Final = (
    f"the keys may not be recognised, or the address is that of a demo: check the keys, the "
    f"{LABELS['login']} (login) and the {Topic.ADDRESS.value}, and upload nothing before that."
)
SEE: Final = f"Not settled: see {Topic.ACCOUNT.value}."
# What is said of files, as if they were the account's.
OF_FILES: Final = frozenset(
    {Topic.LIST_PATH, Topic.FILE_PATH, Topic.STATUSES, Topic.COUNTS, Topic.NAMES, Topic.RECORDS}
)


class AnybodysFiles(NamedTuple):
    """
    Replies with the same files to the own key and to a made-up one.

    :ivar owner: whose they say that they are, such as ``workspace demo``, if it is not the login;
        empty if they do not say so.
    :ivar other_lists: the lists that the files are of, if none is of the list that was read.
    """

    own: Probe
    made_up: Probe
    owner: str
    other_lists: str

    @property
    def may_be_of_others(self) -> bool:
        """Whether something shows that they may be of another account."""
        return bool(self.owner or self.other_lists)

    @property
    def why_nothing_is_written(self) -> str:
        """Tell why nothing is written if they may be of others, as the end of a sentence."""
        if self.owner:
            return f"replies, also to a made-up key, are of {self.owner}"
        return "a made-up key gets the same files, and none of them is of the list"


def anybodys_files(evidence: Evidence) -> AnybodysFiles | None:
    """Return the files that a made-up key gets as the own one does; ``None`` if it gets others."""
    if key_facts.campaign_key(evidence).is_accepted:
        return None
    fact = key_facts.campaign_key_at_list(evidence)
    if fact.made_up is None or not fact.own:
        return None
    own = fact.own[0]
    if not has_what_was_asked(own) or not has_what_was_asked(fact.made_up):
        return None
    tried = facts.places(evidence)
    lists = ""
    if tried.listed is None and tried.of_other_lists is not None:
        others = tried.of_other_lists.other_lists[:MOST_LISTS]
        lists = shown(", ".join(others), quoted=False)
    return AnybodysFiles(
        own=own,
        made_up=fact.made_up,
        owner=_other_owner(evidence.settings.workspace_id, (own, fact.made_up)),
        other_lists=lists,
    )


def files_of_others(evidence: Evidence) -> AnybodysFiles | None:
    """Return such files if they may be of another account; ``None`` if nothing shows that."""
    anybodys = anybodys_files(evidence)
    if anybodys is not None and anybodys.may_be_of_others:
        return anybodys
    return None


def _other_owner(login: str, replies: tuple[Probe, ...]) -> str:
    """Return whose data replies are by their words, if they name others than the login alone."""
    named: dict[str, str] = {}
    for probe in replies:
        places = [probe.content, *records_at(probe.content)]
        for word, value in chain.from_iterable(map(_owners_in, places)):
            if value.lower() == login.lower():
                return ""
            named.setdefault(f"{word} {shown(probe.clean(value), quoted=False)}", value)
    return " and ".join([*named][:MOST_OWNERS])


def _owners_in(content: Any) -> Iterator[tuple[str, str]]:
    """Yield the members that say whose data it is: the word for it, and the value."""
    for where, value in inside(content):
        named = OWNER.fullmatch(plain_name(where))
        if named is None or type(value) not in (str, int):
            continue
        if named[1] != ENVIRONMENT or OF_TESTS.fullmatch(str(value)):
            yield named[1], str(value)


def conclude_on_anybodys(evidence: Evidence) -> list[Finding]:
    """Conclude on files that may be of another account; nothing if nothing shows that."""
    anybodys = files_of_others(evidence)
    if anybodys is None:
        return []
    login = evidence.settings.workspace_id
    number = counted(len(records_at(anybodys.own.content)), "file")
    text = (
        f"A made-up key gets the same {number}, none of them of the list {evidence.list_id}, but "
        f"of {anybodys.other_lists}: {CHECK}"
    )
    if anybodys.owner:
        text = (
            f"All replies with files, also to a made-up key, are of {anybodys.owner}, and not of "
            f"{login}: {CHECK}"
        )
    return [
        Finding(
            topic=Topic.ACCOUNT,
            certainty=Certainty.NOT_PROVED,
            text=text,
            probes=(anybodys.own, anybodys.made_up),
            is_cause=True,
        )
    ]


def without_anybodys(findings: list[Finding], anybodys: AnybodysFiles) -> list[Finding]:
    """Return the findings without what is said of anybody's files as if they were the account's."""
    return [_without_anybodys(finding, anybodys) for finding in findings]


def _without_anybodys(finding: Finding, anybodys: AnybodysFiles) -> Finding:
    if finding.topic not in OF_FILES:
        return finding
    text = (
        f"{finding.text} A made-up key gets the list as well, so that may show nothing of the "
        "account."
    )
    if anybodys.may_be_of_others:
        text = SEE
    elif finding.is_trouble:
        return finding
    return Finding(
        topic=finding.topic,
        certainty=Certainty.NOT_SHOWN,
        text=text,
        probes=finding.probes,
    )
