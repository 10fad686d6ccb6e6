"""
How the reply to a change says that the change is not in effect, or not yet. Pure.

A task takes the status of a success for the effect, and reads nothing else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from wes_provider.doctor.replies.members import inside, last_name, plain_names
from wes_provider.doctor.replies.moments import lies_ahead
from wes_provider.doctor.replies.probes import Probe
from wes_provider.doctor.replies.words import is_sentence
from wes_provider.texts import redact, shown

__all__ = ["GIVEN_BY_PEOPLE", "quoted_property", "sentence_besides", "why_not_in_effect"]

# Plain names of properties that people fill, and whose words say nothing of the change.
GIVEN_BY_PEOPLE: Final = ("name", "title", "label", "description", "comment")
# Plain names that end so have a state.
STATES: Final = ("state", "status", "stage", "phase", "mode")
NOT_LIVE: Final = re.compile(
    r"draft|unpublished|not[ _-]?(?:yet[ _-]?)?(?:published|live|applied)|staged|scheduled|queued|"
    r"submitted|proposed|preview|dry[ _-]?run|simulat\w+|\w*[ _-]only|ignored|skipped",
    re.IGNORECASE,
)
# Properties that say it by themselves, with the value by which they do.
FLAGS: Final = (
    ("draft", True),
    ("isdraft", True),
    ("dryrun", True),
    ("simulated", True),
    ("preview", True),
    ("ignored", True),
    ("published", False),
    ("ispublished", False),
    ("live", False),
    ("islive", False),
    ("ineffect", False),
    ("persisted", False),
    ("committed", False),
)
SAYS_NOT_LIVE: Final = re.compile(
    r"\bdrafts?\b|unpublished|\bun(?:changed|affected|touched)\b|\bnot (?:yet )?(?:be |been )?"
    r"(?:live|publish|in effect|effective|applied|saved|stored|persisted|changed|active|"
    r"activated|visible|processed)|"
    r"\bno changes?\b|\bnothing\b|\buntil\b|\bonce\b|\bwill (?:be|take|become|go)\b|"
    r"\b(?:takes?|comes? into|goes?|go) (?:effect|live|force)\b|\bnext (?:run|night|day|sync)|"
    r"\bscheduled|\bqueued|\blater\b|dry.?run|\bpreview|\bsimulat|\bignored|\bskipped|"
    r"(?:validated|checked|verified) only|only (?:validated|checked|verified)|\bread.?only\b",
    re.IGNORECASE,
)
# What a sentence has, in a usual language, if it says that a change was made.
SAYS_DONE: Final = re.compile(
    r"updated|created|saved|stored|success|\bdone\b|\bok\b|applied|accepted|angelegt|erstellt|"
    r"aktualisiert|gespeichert|erfolgreich|actualizad|creado|creada|guardad|enregistré",
    re.IGNORECASE,
)
REVISION: Final = re.compile(r"(?:revision|version|rev)(?:number|no|id)?")
LIVE_REVISION: Final = re.compile(
    rf"(?:live|published|active|effective|production){REVISION.pattern}"
)
MOST_QUOTED: Final = 2
# Since when something is in effect.
BEGINS: Final = re.compile(
    r"(?:effective|publish(?:e[sd])?|go(?:es)?live|appl(?:y|ies|ied)|scheduled|takeseffect|active)"
    r"(?:at|from|on|date|for|since|time)*"
)


def why_not_in_effect(probe: Probe) -> str:
    """
    Quote what says that a change is not in effect, such as ``segment.state: draft``: a state, a
    flag, a sentence, a time to come, or the number of an older revision that is live; empty if
    nothing does.
    """
    said = [
        (where, value)
        for where, value in _of_the_change(probe)
        if _says_not_live(last_name(where), value) or _begins_later(probe, where, value)
    ]
    # Sentences first, since they say most.
    said.sort(key=lambda each: not is_sentence(each[1]))
    quoted = [quoted_property(probe, where, value) for where, value in said]
    return "; ".join(quoted[:MOST_QUOTED]) or _older_revision(probe)


def sentence_besides(probe: Probe) -> str:
    """Quote a sentence of a reply that does not say that the change was made; empty without one."""
    for where, value in _of_the_change(probe):
        if is_sentence(value) and not SAYS_DONE.search(value):
            return quoted_property(probe, where, value)
    return ""


def _of_the_change(probe: Probe) -> Iterator[tuple[str, Any]]:
    """Yield what a reply has, but for what people have given and for the filters of a segment."""
    for where, value in inside(probe.content):
        names = plain_names(where)
        is_given_by_people = names[-1] in GIVEN_BY_PEOPLE
        if not is_given_by_people and not any("filter" in name for name in names):
            yield where, value


def _says_not_live(name: str, value: Any) -> bool:
    """
    Tell whether a property says that a change is not in effect.

    :param name: the last part of its dotted name, plain.
    """
    if isinstance(value, bool):
        return (name, value) in FLAGS
    if not isinstance(value, str):
        return False
    if is_sentence(value):
        return SAYS_NOT_LIVE.search(value) is not None
    return name.endswith(STATES) and NOT_LIVE.fullmatch(value.strip()) is not None


def _begins_later(probe: Probe, where: str, value: Any) -> bool:
    """Tell whether a property has a time after the request, from which a change is in effect."""
    return BEGINS.fullmatch(last_name(where)) is not None and lies_ahead(value, probe)


def _older_revision(probe: Probe) -> str:
    """Quote the number of a live revision that is below another one; empty without one."""
    numbers = [(where, value) for where, value in _of_the_change(probe) if type(value) is int]
    revisions = [value for where, value in numbers if REVISION.fullmatch(last_name(where))]
    for where, value in numbers:
        if LIVE_REVISION.fullmatch(last_name(where)) and any(value < other for other in revisions):
            return f"{shown(where, quoted=False)} {value}, below {max(revisions)}"
    return ""


def quoted_property(probe: Probe, where: str, value: Any) -> str:
    """Return a property with its value: a sentence in quotes, and anything else as JSON has it."""
    said = value
    if not isinstance(value, str):
        said = json.dumps(value)
    said = shown(redact(probe.clean(said)), quoted=is_sentence(value))
    return f"{shown(where, quoted=False)}: {said}"
