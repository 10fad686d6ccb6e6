"""What reads since an upload settle: only an answer settles anything. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from wes_provider.doctor.reads.sayings import words_of
from wes_provider.doctor.replies.probes import Form, Kind, Probe

__all__ = ["are_unanswered", "came_in_short", "is_answer", "settle_no_path", "what_came"]


def is_answer(probe: Probe) -> bool:
    """
    Tell whether a reply answers what was asked. A limit, an outage, a refused key, a refusal of
    this machine, a redirect and a page do not.
    """
    return probe.kind is Kind.ANSWER


def are_unanswered(probes: Sequence[Probe]) -> bool:
    """Tell whether there are replies, and none of them is an answer."""
    return bool(probes) and not any(map(is_answer, probes))


def what_came(probe: Probe) -> str:
    """Tell what came in place of an answer, such as ``503 unavailable: 'Deployment'``."""
    return f"{came_in_short(probe)}{words_of(probe)}"


def came_in_short(probe: Probe) -> str:
    """Tell what came in place of an answer without its words, such as ``503 unavailable``."""
    if not probe.status:
        return f"no whole response, {probe.problem}"
    answer = probe.answer._replace(kind=Kind.ANSWER)
    if probe.kind is Kind.NOT_SERVICE and probe.form is Form.PAGE:
        return f"{answer} with a web page"
    return str(answer)


def settle_no_path(probes: Sequence[Probe]) -> bool:
    """
    Tell whether there are reads of paths, and each got a reply that is about no path: about the
    moment, this machine or the key.
    """
    return bool(probes) and all(map(_is_about_no_path, probes))


def _is_about_no_path(probe: Probe) -> bool:
    return probe.is_lost or probe.kind is Kind.REFUSED
