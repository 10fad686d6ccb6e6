"""
What reads got of what they asked for, and what that shows, whatever their status and words. Pure.

If a read with the right settings has it, and the same one with a made-up key or path does not, the
setting matters: no refusal has to say so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from wes_provider.doctor.reads.evidence import Evidence, file_read, listed_in
from wes_provider.doctor.replies.codes import CodeMember, codes_in
from wes_provider.doctor.replies.probes import Probe, Question
from wes_provider.doctor.replies.words import FINE

__all__ = ["has_what_was_asked", "learned_codes"]

OF_MADE_UP_KEYS: Final = (Question.MADE_UP_KEY, Question.MADE_UP_DATA_KEY)


def has_what_was_asked(probe: Probe) -> bool:
    """Tell whether a reply has files, each with an identifier, or the one that was asked for."""
    listed = listed_in("", probe)
    if listed is not None and listed.files:
        return True
    return probe.has_succeeded and file_read(probe) is not None


def learned_codes(evidence: Evidence) -> CodeMember | None:
    """
    Find the member whose value tells refusals with the status of a success from replies that have
    what was asked for; ``None`` if there is none, or none is needed.
    """
    own = evidence.own
    got = [codes_in(probe.content) for probe in filter(has_what_was_asked, own)]
    if not got:
        return None
    for probe in _refused_silently(evidence):
        for name, code in codes_in(probe.content).items():
            member = _member(name, got)
            if _tells_refusal(evidence, probe, member, code):
                return member
    return None


def _member(name: str, got: Iterable[Mapping[str, str]]) -> CodeMember:
    """
    Return a member with the values that it has in replies that have what was asked for.

    :param got: the codes of these replies.
    """
    fine = [codes[name] for codes in got if name in codes]
    return CodeMember(name, frozenset(fine))


def _tells_refusal(evidence: Evidence, probe: Probe, member: CodeMember, code: str) -> bool:
    """Tell whether the code of a reply is that of a refusal, compared with what came otherwise."""
    if code in member.fine or FINE.fullmatch(code):
        return False
    return bool(member.fine) or _is_of_key(evidence, probe, member.name, code)


def _refused_silently(evidence: Evidence) -> list[Probe]:
    """Return the replies to made-up keys and paths that look like successes, and have nothing."""
    compared = evidence.of(*OF_MADE_UP_KEYS, Question.NO_SUCH_PATH)
    return [probe for probe in compared if probe.success and not has_what_was_asked(probe)]


def _is_of_key(evidence: Evidence, probe: Probe, name: str, code: str) -> bool:
    """Tell whether a code came for a made-up key, and not for the own one."""
    if probe.question not in OF_MADE_UP_KEYS:
        return False
    own = evidence.answers_to(probe.request)
    return bool(own) and all(codes_in(other.content).get(name) != code for other in own)
