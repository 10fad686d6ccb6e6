"""What follows from the reads about the header that names the workspace. Pure."""

from __future__ import annotations

from typing import Final

from wes_provider import contract
from wes_provider.connection_form import LABELS
from wes_provider.doctor.findings import advice
from wes_provider.doctor.findings.finding import Certainty, Finding, Row, Topic, conclude
from wes_provider.doctor.reads import header, key_facts, sayings
from wes_provider.doctor.reads.evidence import Evidence
from wes_provider.doctor.reads.key_facts import Standing
from wes_provider.doctor.replies.probes import (
    Kind,
    Probe,
    Question,
    named_headers,
    names_header,
    same_reply,
)
from wes_provider.doctor.replies.remedies import AGAIN, misses_credentials
from wes_provider.doctor.replies.words import other_scheme

__all__ = ["conclude_on_demanded_header", "conclude_on_header", "missed_header_says"]

KEY: Final = Topic.CAMPAIGN_KEY.value
HEADER: Final = Topic.WORKSPACE_HEADER.value
WORKSPACE: Final = LABELS["login"]


def conclude_on_header(evidence: Evidence) -> Finding:
    """Conclude on the header that names the workspace."""
    name = header.proved_header(evidence)
    refused = header.refused_read(evidence)
    if name and refused is not None:
        return _other_header(evidence, name, refused)
    given = evidence.settings.workspace_header
    setting = {"workspace_header": given}
    probes = _reads_with_accepted_keys(evidence)
    if probes and header.is_chosen(evidence):
        return _chosen_header(evidence, probes)
    if probes:
        return Finding(
            topic=Topic.WORKSPACE_HEADER,
            certainty=Certainty.SURE,
            text=f"{given} is accepted.",
            probes=probes,
            settings=setting,
        )
    is_swapped = key_facts.swapped_keys(evidence).are_both
    return conclude(
        Topic.WORKSPACE_HEADER,
        [refused, *_telling_refusals(evidence, refused)],
        Row(
            applies=is_swapped,
            certainty=Certainty.SURE,
            text=f"{given} is accepted, with the keys swapped.",
            settings=setting,
        ),
        Row(
            applies=True,
            certainty=Certainty.NOT_PROVED,
            text=_unsettled_header(evidence, refused),
        ),
    )


def _reads_with_accepted_keys(evidence: Evidence) -> tuple[Probe, ...]:
    """Return the reads that the keys rest on which the service accepts."""
    accepted = (Standing.ACCEPTED, Standing.ACCEPTED_ONCE, Standing.BOTH)
    both = (key_facts.campaign_key(evidence), key_facts.data_key(evidence))
    return tuple(probe for fact in both if fact.standing in accepted for probe in fact.probes)


def _chosen_header(evidence: Evidence, probes: tuple[Probe, ...]) -> Finding:
    """
    Tell what holds of a header that the contract does not name, if reads with it are accepted.
    """
    given = evidence.settings.workspace_header
    made_up = evidence.of(Question.HEADER_VALUE)
    accepted = [probe for probe in evidence.list_answers if probe.kind is Kind.ANSWER]
    value = header.value_in(evidence, given, [*accepted, *probes][0])
    why = evidence.why_not_asked(Question.HEADER_VALUE)
    return conclude(
        Topic.WORKSPACE_HEADER,
        [*made_up, *probes],
        Row(
            applies=value is header.Value.MATTERS,
            certainty=Certainty.SURE,
            text=f"{given} is accepted; a made-up value is not.",
            settings={"workspace_header": given},
        ),
        Row(
            applies=value is header.Value.DOES_NOT_MATTER,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"Reads get the same with a made-up value in {given}, so no reply shows that it is "
                "the workspace's header. Leave workspace_header out, so that "
                f"{contract.WORKSPACE_HEADER} is sent{advice.UPLOAD_SHOWS_PASSING}"
            ),
        ),
        Row(
            applies=True,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{given} is accepted, but a made-up value was not compared, because {why}. {AGAIN}"
            ),
        ),
    )


def _other_header(evidence: Evidence, name: str, refused: Probe) -> Finding:
    given = evidence.settings.workspace_header
    text = f"The service takes the workspace from {name}, not from {given}."
    if name in header.hinted_headers(evidence):
        where = header.where_hinted(evidence, name)
        text = f"{where} of replies names {name}, and the service accepts it in place of {given}."
    if name in named_headers(refused):
        text = f"The service names {name}, and accepts it in place of {given}."
    searched = evidence.of(Question.HEADER, Question.HEADER_VALUE)
    accepted = [probe for probe in searched if probe.tried == name]
    setting = {"workspace_header": name}
    return Finding(
        topic=Topic.WORKSPACE_HEADER,
        certainty=Certainty.WRONG,
        text=text,
        probes=(refused, *accepted),
        settings=setting,
    )


def _unsettled_header(evidence: Evidence, refused: Probe | None) -> str:
    """Tell why reads do not show which header the service takes."""
    keys_first = f"No reply shows whether the service takes {evidence.settings.workspace_header}."
    if refused is not None and _wants_other_credentials(refused):
        return keys_first
    about_own_header = _about_own_header(evidence)
    if about_own_header:
        return about_own_header
    is_searched = bool(evidence.of(Question.HEADER, Question.HEADER_BESIDES))
    if is_searched and refused is not None:
        return _other_headers_say(evidence, refused)
    if is_searched:
        return keys_first
    return _named_header_unread(evidence) or keys_first


def _wants_other_credentials(refused: Probe) -> bool:
    """Tell whether a refusal demands another scheme, or says that no credentials came."""
    return bool(other_scheme(refused.response.headers)) or misses_credentials(refused.message)


def _about_own_header(evidence: Evidence) -> str:
    """Tell what the service says of the header that was sent; empty if it does not name it."""
    given = evidence.settings.workspace_header
    for probe in evidence.list_answers:
        if names_header(probe, given) and header.misses_header(probe):
            return _header_taken_out(given, probe)
        if names_header(probe, given):
            return f"{sayings.says(probe)}. Check {WORKSPACE}."
    return ""


def _named_header_unread(evidence: Evidence) -> str:
    """Tell which header the service names, though reads with it got no answer; else empty."""
    if not evidence.sent_for(Question.HEADER):
        return ""
    for probe in evidence.list_answers:
        named = named_headers(probe)
        if named:
            return (
                f"{sayings.says(probe)}. No read with {', '.join(named)} got an answer, because "
                f"{evidence.why_not_asked(Question.HEADER)}. {AGAIN}"
            )
    return ""


def _other_headers_say(evidence: Evidence, refused: Probe) -> str:
    """Tell why reads with other headers do not show which one the service takes."""
    given = evidence.settings.workspace_header
    searched = evidence.of(Question.HEADER, Question.HEADER_BESIDES)
    others = [probe for probe in searched if probe.answer != refused.answer]
    answered = [probe for probe in others if probe.kind is Kind.ANSWER]
    if answered:
        return (
            f"With {given}, a read gets {refused.answer}; with other headers, one got "
            f"{answered[0].answer}. That does not settle whether the service takes {given}: run "
            "this again later."
        )
    named = named_headers(refused)
    judged = _refusal_of_named_header(evidence, refused)
    if judged is not None:
        return (
            f"The service names {', '.join(named)}, and reads it: with the workspace in it, a read "
            f"gets {judged.answer}{sayings.words_of(judged)}. A gateway may demand a key of its "
            f"own there, which the provider cannot send besides {given}; or it is the workspace's "
            f"header, and {WORKSPACE} is wrong: ask the service's support which of the two it is."
        )
    if named:
        return (
            f"The service names {', '.join(named)}, but a read with it gets no better answer: ask "
            "the service's support what it has to have."
        )
    missed = header.missed_header(evidence)
    if missed is not None:
        return missed_header_says(evidence, missed)
    came = "gets the same"
    if others:
        came = f"is refused as well ({others[0].answer})"
    return (
        f"A read with the usual headers in place of {given} {came}; {KEY} or {WORKSPACE} may be "
        "wrong: check both."
    )


def _telling_refusals(evidence: Evidence, refused: Probe | None) -> list[Probe]:
    """Return the refusal of what stands in a named header, if there is one."""
    if refused is None:
        return []
    judged = _refusal_of_named_header(evidence, refused)
    if judged is None:
        return []
    return [judged]


def _refusal_of_named_header(evidence: Evidence, refused: Probe) -> Probe | None:
    """
    Return the refusal of what stands in a header that the service names, and misses without it;
    ``None`` if reads with and without it are refused alike.
    """
    for probe in evidence.of(Question.HEADER, Question.HEADER_BESIDES):
        is_sent = probe.tried in named_headers(refused)
        if is_sent and probe.kind is Kind.REFUSED and not same_reply(probe, refused):
            return probe
    return None


def missed_header_says(evidence: Evidence, missed: Probe) -> str:
    """Tell what to say if the service misses a header, and no reply shows which."""
    given = evidence.settings.workspace_header
    if names_header(missed, given):
        return _header_taken_out(given, missed)
    also = ""
    if header.usual_ones_were_sent(evidence):
        also = ", nor is any usual one"
    hinted = header.hinted_headers(evidence)
    if hinted:
        also += f", nor is {', '.join(hinted)}, which replies name"
    return (
        f"The service misses a header ({missed.answer}{sayings.words_of(missed)}): {given} is not "
        f"it{also}. Ask its support for the name, and put it into {HEADER}."
    )


def _header_taken_out(given: str, missed: Probe) -> str:
    """Tell what to do if the service misses the very header that was sent."""
    way = ""
    via = missed.response.headers.get("via", "")
    if via:
        way = f" (replies come by {missed.clean(via)})"
    return (
        f"The service misses {given} ({missed.answer}{sayings.words_of(missed)}), which was sent: "
        f"something on the way may take it out{way}. Change no setting: ask whoever runs the proxy "
        "or gateway in between to pass it on."
    )


def conclude_on_demanded_header(evidence: Evidence, demanded: str) -> Finding:
    """Tell what holds if the service demands a header that the provider does not send."""
    given = evidence.settings.workspace_header
    besides = evidence.of(Question.HEADER_BESIDES)
    shown_by = "Reads with both are accepted, so it"
    if not besides:
        shown_by = "Reads with it are accepted whatever it has, so it"
    return Finding(
        topic=Topic.WORKSPACE_HEADER,
        certainty=Certainty.WRONG,
        text=(
            f"The service demands {demanded} besides {given}, which the provider cannot send. "
            f"{shown_by} is not the workspace's header: do not set it as such. Ask the service's "
            "support, or whoever runs the gateway, to do without it."
        ),
        probes=(
            *evidence.list_answers,
            *besides,
            *evidence.of(Question.HEADER, Question.HEADER_VALUE),
        ),
    )
