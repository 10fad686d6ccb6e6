"""What follows for a list that replies otherwise than other paths do, or is cut. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from wes_provider.doctor.conclusions.path_words import came_redirected, leads_to_maintenance
from wes_provider.doctor.findings.finding import Certainty
from wes_provider.doctor.in_front.layers import came_by
from wes_provider.doctor.reads import key_facts, sayings
from wes_provider.doctor.reads.evidence import Evidence
from wes_provider.doctor.replies.hosts import leads_to_login
from wes_provider.doctor.replies.other_forms import form_by_name, most_read
from wes_provider.doctor.replies.probes import Form, Kind, Probe
from wes_provider.doctor.replies.unreadables import is_wrapped, why_unreadable

__all__ = ["certainty_of_odd_list", "odd_list", "why_list_is_cut"]

SHORTEST_CUT: Final = 64  # bytes of a reply that something on the way may have cut


def certainty_of_odd_list(evidence: Evidence) -> Certainty:
    """
    Tell how certain it is that tasks cannot read the list: the service itself redirects it, or
    sends it in a form that has a name.
    """
    answers = evidence.list_answers
    if len(answers) < 2 or not key_facts.is_service(evidence):
        return Certainty.NOT_PROVED
    last = answers[-1]
    if leads_to_maintenance(last):
        return Certainty.NOT_PROVED
    if last.kind is Kind.ELSEWHERE or is_wrapped(last) or _is_named_form(last):
        return Certainty.WRONG
    return Certainty.NOT_PROVED


def _is_named_form(probe: Probe) -> bool:
    """Tell whether a body has a form with a name, and is not only called JSON."""
    return not probe.is_unreadable_json and bool(form_by_name(probe))


def odd_list(evidence: Evidence, first: Probe) -> str:
    """Tell what to do about a list that replies otherwise than the other paths do."""
    address = "so the Address may be right"
    if key_facts.is_service(evidence):
        address = "so the Address is right"
    if first.form is Form.PAGE and not is_wrapped(first):
        return (
            f"A web page came with status {first.status}{sayings.words_of(first)}. Other paths "
            f"reply here, {address}. {sayings.advice_of(first)}"
        )
    if first.kind is not Kind.ELSEWHERE:
        return f"{_why_not_read(evidence, first)}. Other paths reply here, {address}."
    what_to_do = "ask the service's support for a list that replies with JSON itself."
    if leads_to_login(first.location):
        what_to_do = "ask whoever runs it to let requests with keys through to the list."
    if leads_to_maintenance(first):
        what_to_do = "wait until it is over, and run this again, or ask the service's support."
    came = came_redirected(first)
    return f"{came}; other paths reply here, {address}. No setting helps: {what_to_do}"


def _why_not_read(evidence: Evidence, first: Probe) -> str:
    """Tell why the list cannot be read, and what to do, without the end of the last sentence."""
    return why_list_is_cut(evidence.list_answers) or why_unreadable(first)


def why_list_is_cut(answers: Sequence[Probe]) -> str:
    """
    Tell what cuts JSON of a list that cannot be read, and what to do, without the end of the last
    sentence; empty if the list is no such JSON.
    """
    last = answers[-1]
    if last.is_too_long:
        return (
            f"The list is longer than the {most_read(last)} that the provider reads. Tasks upload "
            "and wait, but cannot look in such a list for an upload whose outcome is not known: "
            "use lists with fewer files, and name one in --coupon-list, or ask the service's "
            "support for shorter records in lists"
        )
    if last.form is not Form.BROKEN or is_wrapped(last):
        return ""
    if _are_alike(answers):
        return (
            f"JSON that cannot be read came {len(answers)} times, each of "
            f"{len(last.response.body)} bytes{came_by(last)}, so something on the way may cut "
            "what is longer: ask whoever runs it. To go on meanwhile, name a list with fewer files"
        )
    return (
        f"JSON that cannot be read came with status {last.status}: a gateway may have cut it. Run "
        "this again"
    )


def _are_alike(probes: Sequence[Probe]) -> bool:
    """Tell whether several replies have the same body, which is so long that it may be cut."""
    bodies = {probe.response.body for probe in probes}
    return len(probes) > 1 and len(bodies) == 1 and len(bodies.pop()) >= SHORTEST_CUT
