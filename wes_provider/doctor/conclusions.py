"""
What follows from the reads: a table for each topic, of what holds and how certain it is.

Pure: facts in, findings out. A key or a path is ``sure`` only if a wrong one gets another reply.
"""

from __future__ import annotations

import time
from typing import Final
from urllib.parse import urlsplit

from requests.utils import select_proxy

from wes_provider.client.rate_limits import rate_limit
from wes_provider.client.sync import environment
from wes_provider.connection_form import LABELS
from wes_provider.doctor import facts
from wes_provider.doctor.evidence import Evidence, Places
from wes_provider.doctor.facts import KeyFact, Standing
from wes_provider.doctor.findings import Certainty, Finding, Row, Topic, conclude
from wes_provider.doctor.path_conclusions import file_path, list_path
from wes_provider.doctor.probes import (
    Form,
    Kind,
    Probe,
    Question,
    is_certificate,
    named_headers,
    names_header,
    same_reply,
)
from wes_provider.doctor.sending import TOOK_ALL, no_answer
from wes_provider.settings import WesSettings
from wes_provider.texts import counted, redact_url, shown

__all__ = ["conclude_from_reads"]

WRONG, NOT_PROVED = Certainty.WRONG, Certainty.NOT_PROVED
NOT_ASKED, SURE = Certainty.NOT_ASKED, Certainty.SURE
KEY, DATA_KEY = Topic.CAMPAIGN_KEY.value, Topic.DATA_KEY.value
HEADER, WORKSPACE = Topic.WORKSPACE_HEADER.value, LABELS["login"]
VERIFY, DATA_CENTER = LABELS["verify"], LABELS["data_center"]
WHO: Final = (
    "Check the address, and whether a proxy, a gateway or a login page replied in the "
    "service's place."
)
TRUST: Final = (
    f"Set {VERIFY} to the bundle of your company's proxy, or check the address and "
    "this machine's clock."
)


def conclude_from_reads(evidence: Evidence, tried: Places) -> list[Finding]:
    """
    Conclude on address, keys, header, paths and limits.

    :param tried: the paths that were tried; after an upload, those that were tried for its file.
    """
    if facts.is_unexaminable(evidence):
        return [_unexaminable_address(evidence)]
    return [
        _address(evidence),
        _campaign_key(evidence),
        _data_key(evidence),
        _header(evidence),
        list_path(evidence, tried),
        file_path(evidence, tried),
        _limits(evidence),
    ]


# -- address ---------------------------------------------------------------------------------------


def _unexaminable_address(evidence: Evidence) -> Finding:
    """Why the first read already shows that nothing more can be found out."""
    probes = [
        probe
        for probe in evidence.probes
        if probe.question in (Question.LIST, Question.OTHER_ADDRESS)
    ]
    first_reads = [probe for probe in probes if probe.question is Question.LIST]
    last = first_reads[-1]
    way = _proxy_sentence(evidence.settings)
    cause = no_answer(first_reads)
    return conclude(
        Topic.ADDRESS,
        probes,
        Row(
            is_certificate(last),
            WRONG,
            f"This machine does not trust the certificate. {TRUST}",
        ),
        Row(
            last.unsent,
            WRONG,
            f"The service was not reached: check scheme, host and port, and the network.{way}",
        ),
        Row(
            last.status == 0,
            NOT_PROVED,
            f"{_capital(cause)}: check scheme, host and port, network and timeouts.{way}",
        ),
        Row(
            last.status == 429,
            NOT_PROVED,
            f"Nothing is settled, because {cause}. Run this again later.",
        ),
        Row(
            last.kind is Kind.NOT_NOW,
            NOT_PROVED,
            f"Nothing is settled, because {cause}. A gateway may have replied; run this again "
            f"later.{way}",
        ),
        Row(last.kind is Kind.ELSEWHERE, WRONG, f"{_redirect(evidence, last)}{way}"),
        Row(
            last.status == 407,
            WRONG,
            f"The proxy requires a username and password: give them in its address.{way}",
        ),
        Row(
            last.form is Form.BROKEN,
            NOT_PROVED,
            f"JSON that cannot be read came with status {last.status}: a gateway may have cut it. "
            f"Run this again.{way}",
        ),
        Row(
            True,
            WRONG,
            f"{_capital(last.form.value)} came with status {last.status}, which the service does "
            f"not send. {WHO}{way}",
        ),
    )


def _redirect(evidence: Evidence, probe: Probe) -> str:
    """What to do about a redirect to another address."""
    target = redact_url(probe.location)
    address = facts.other_address(evidence)
    tests = evidence.of(Question.OTHER_ADDRESS)
    if not address:
        return f"A redirect to {target} came, which is not followed. {WHO}"
    named = f"The service names {address}"
    first_label = urlsplit(address).netloc.partition(".")[0]
    digits = "".join(character for character in first_label if character.isdigit())
    field = "Address"
    if urlsplit(address).hostname != urlsplit(evidence.settings.base_url).hostname and digits:
        field = f"Address, or {digits} into {DATA_CENTER}"
    if not tests:
        return f"{named}, which was not tested. Check it, then put it into the {field}."
    answer = tests[-1]
    if answer.kind in (Kind.ANSWER, Kind.REFUSED):
        came = f"a read there gets {answer.answer}"
        return f"{named}, and {came}: put it into the {field}, and run this again."
    return f"{named}, but a read there gets no answer of the service. {WHO}"


def _address(evidence: Evidence) -> Finding:
    settings = evidence.settings
    answers = facts.list_answers(evidence)
    kinds = {probe.kind for probe in answers}
    is_unchecked = settings.base_url.startswith("https") and settings.verify is False
    # Whether a key is accepted says nothing about the address.
    is_changing = len(kinds) > 1 and bool(kinds & {Kind.NOT_SERVICE, Kind.ELSEWHERE})
    way = _proxy_sentence(settings)
    return conclude(
        Topic.ADDRESS,
        answers if is_changing else answers[:0],
        Row(
            not facts.is_service(evidence) and kinds == {Kind.REFUSED},
            NOT_ASKED,
            "It refuses the key; whether it is the service is not shown.",
        ),
        Row(
            not facts.is_service(evidence),
            NOT_PROVED,
            f"It responds, but no reply shows that it is the service. {WHO}{way}",
        ),
        Row(is_unchecked, NOT_ASKED, f"Certificates are not checked, since {VERIFY} is false."),
        Row(True, SURE, f"It responds.{way}"),
    )


def _proxy_sentence(settings: WesSettings) -> str:
    """A sentence that names the proxy, with a space before it; empty without a proxy."""
    proxies, _ = environment(settings)
    proxy = select_proxy(settings.base_url, proxies)
    if not proxy:
        return ""
    return f" Requests go through the proxy {urlsplit(proxy).netloc.rpartition('@')[2]}."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _limits(evidence: Evidence) -> Finding:
    limits = [rate_limit(probe.response.headers, time.time()) for probe in evidence.probes]
    stated = [limit for limit in limits if limit.remaining is not None and limit.reset is not None]
    of = f"{len(stated)} of {counted(len(evidence.probes), 'response')}"
    refused = sum(probe.status == 429 for probe in evidence.probes)
    waited = f" The service refused {counted(refused, 'read')} by one." if refused else ""
    is_accepted = facts.campaign_key(evidence).standing is Standing.ACCEPTED
    documented = f"No response states any: the documented ones apply.{waited}"
    return conclude(
        Topic.LIMITS,
        [],
        Row(bool(stated), SURE, f"{of} state them; the provider keeps to it.{waited}"),
        Row(is_accepted, SURE, documented),
        Row(True, NOT_ASKED, documented),
    )


# -- keys and header -------------------------------------------------------------------------------


def _campaign_key(evidence: Evidence) -> Finding:
    fact = facts.campaign_key(evidence)
    data = facts.data_key(evidence)
    swapped = evidence.of(Question.SWAPPED_KEYS)
    is_swapped = len(swapped) > 1 and all(probe.kind is Kind.ANSWER for probe in swapped)
    in_its_place = bool(swapped) and swapped[0].kind is Kind.ANSWER
    is_refused = fact.standing is Standing.REFUSED
    refused = f"Refused {_times(len(fact.own))}"
    return conclude(
        Topic.CAMPAIGN_KEY,
        [*fact.probes, *swapped, *facts.refused_elsewhere(evidence)],
        Row(
            is_refused and is_swapped,
            WRONG,
            f"{refused}, while each key is accepted in the other's place: swap {KEY} and "
            f"{DATA_KEY}.",
        ),
        Row(
            is_refused and in_its_place,
            WRONG,
            f"{refused}. The {DATA_KEY} is accepted in its place: paste the right one.",
        ),
        Row(
            is_refused and data.standing in (Standing.ACCEPTED, Standing.ACCEPTED_ONCE),
            WRONG,
            f"{refused}, though the {DATA_KEY} is accepted: paste it again.",
        ),
        Row(
            is_refused,
            NOT_PROVED,
            f"{refused}. {KEY}, {WORKSPACE} or {HEADER} is wrong, or a gateway refuses everybody.",
        ),
        Row(
            fact.standing is Standing.ACCEPTED and fact.is_forbidden,
            WRONG,
            f"Accepted, but the account has no access to coupons ({fact.own_answer}): ask support.",
        ),
        _row_of_key(evidence, fact, Question.MADE_UP_KEY),
    )


def _data_key(evidence: Evidence) -> Finding:
    settings = evidence.settings
    fact = facts.data_key(evidence)
    campaign = facts.campaign_key(evidence)
    is_refused = fact.standing is Standing.REFUSED
    refused = f"Refused {_times(len(fact.own))}"
    header = facts.proved_header(evidence)
    swapped = evidence.of(Question.SWAPPED_KEYS)
    is_swapped = len(swapped) > 1 and all(probe.kind is Kind.ANSWER for probe in swapped)
    why = evidence.not_asked.get(Question.DATA_KEY) or TOOK_ALL
    return conclude(
        Topic.DATA_KEY,
        [*fact.probes, *swapped],
        Row(
            settings.data_api_key == settings.api_key,
            SURE,
            f"None is given: segments use the {KEY}.",
        ),
        Row(
            fact.standing is Standing.NO_ANSWER and bool(header),
            NOT_PROVED,
            f"Not asked with {header}: put the extra in, and run this again.",
        ),
        Row(fact.standing is Standing.NO_ANSWER, NOT_PROVED, f"Not settled, because {why}."),
        Row(
            is_refused and campaign.standing in (Standing.ACCEPTED, Standing.ACCEPTED_ONCE),
            WRONG,
            f"{refused}, though the {KEY} is accepted: paste it again.",
        ),
        Row(is_refused and is_swapped, WRONG, f"{refused}: swap {KEY} and {DATA_KEY}."),
        Row(
            is_refused or (fact.standing is Standing.REFUSED_ONCE and not header),
            NOT_PROVED,
            f"{refused}. {DATA_KEY}, {WORKSPACE} or {HEADER} is wrong, or a gateway refuses "
            "everybody.",
        ),
        Row(
            fact.standing is Standing.ACCEPTED and fact.is_forbidden,
            NOT_PROVED,
            f"Accepted, but reads of segments are forbidden ({fact.own_answer}); --segment ID "
            "tries an update.",
        ),
        _row_of_key(evidence, fact, Question.MADE_UP_DATA_KEY),
    )


def _row_of_key(evidence: Evidence, fact: KeyFact, made_up: Question) -> Row:
    """What holds of a key that was not refused twice."""
    again = evidence.not_asked.get(Question.AGAIN) or TOOK_ALL
    if fact.standing is Standing.ACCEPTED:
        return Row(True, SURE, f"Accepted {_times(len(fact.own))}; a made-up key is refused.")
    if fact.standing is Standing.ACCEPTED_ONCE:
        text = f"Accepted once; a made-up key is refused. Not proved by a second read: {again}."
        return Row(True, NOT_PROVED, text)
    if fact.standing is Standing.BOTH:
        return Row(True, NOT_PROVED, _both(evidence, fact))
    if fact.standing is Standing.REFUSED_ONCE:
        why = evidence.not_asked.get(fact.own[0].question) or again
        return Row(True, NOT_PROVED, f"Refused once. Not proved by a second read: {why}.")
    if fact.standing is Standing.NO_ANSWER:
        why = evidence.not_asked.get(Question.LIST) or TOOK_ALL
        return Row(True, NOT_PROVED, f"Not settled, because {why}.")
    return Row(
        True,
        NOT_PROVED,
        f"No reply shows whether it is accepted: {_unshown(evidence, fact, made_up)}",
    )


def _both(evidence: Evidence, fact: KeyFact) -> str:
    """Which reads with one key are accepted, and which are refused."""
    refused = [*facts.refused_elsewhere(evidence), *filter(facts.is_refused, fact.own)]
    accepted = [probe for probe in fact.own if not facts.is_refused(probe)]
    return (
        f"Accepted at {accepted[0].time} UTC ({accepted[0].path}), refused at {refused[0].time} "
        f"({refused[0].path}): one of several nodes may not know the key, or it was revoked."
    )


def _unshown(evidence: Evidence, fact: KeyFact, made_up: Question) -> str:
    """Why reads do not show how the service takes a key."""
    own = fact.own[0]
    if fact.made_up is None:
        why = evidence.not_asked.get(made_up) or TOOK_ALL
        return f"a made-up key was not compared, because {why}."
    if same_reply(fact.made_up, own):
        says = f": {own.message}" if own.message else ""
        return f"a made-up key gets the same ({own.answer}{says})."
    if fact.made_up.answer != own.answer:
        return f"it gets {own.answer}, a made-up key {fact.made_up.answer}."
    return f"it gets {own.answer}, and so does a made-up key, in other words."


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def _header(evidence: Evidence) -> Finding:
    header = facts.proved_header(evidence)
    refused = facts.refused_read(evidence)
    if header and refused is not None:
        return _other_header(evidence, header, refused)
    given = evidence.settings.workspace_header
    setting = {"workspace_header": given}
    accepted = [
        fact
        for fact in (facts.campaign_key(evidence), facts.data_key(evidence))
        if fact.standing in (Standing.ACCEPTED, Standing.ACCEPTED_ONCE, Standing.BOTH)
    ]
    if accepted:
        probes = tuple(probe for fact in accepted for probe in fact.probes)
        return Finding(Topic.WORKSPACE_HEADER, SURE, f"{given} is accepted.", probes, setting)
    swapped = [probe.kind is Kind.ANSWER for probe in evidence.of(Question.SWAPPED_KEYS)]
    is_swapped = bool(swapped) and all(swapped)
    return conclude(
        Topic.WORKSPACE_HEADER,
        [refused],
        Row(is_swapped, SURE, f"{given} is accepted, with the keys swapped.", setting),
        Row(True, NOT_PROVED, _unsettled_header(evidence, refused)),
    )


def _other_header(evidence: Evidence, header: str, refused: Probe) -> Finding:
    given = evidence.settings.workspace_header
    text = f"The service takes the workspace from {header}, not from {given}."
    if header in named_headers(refused):
        text = f"The service names {header}, and accepts it in place of {given}."
    accepted = [probe for probe in evidence.of(Question.HEADER) if probe.tried == header]
    setting = {"workspace_header": header}
    return Finding(Topic.WORKSPACE_HEADER, WRONG, text, (refused, *accepted), setting)


def _unsettled_header(evidence: Evidence, refused: Probe | None) -> str:
    """Why reads do not show which header the service takes."""
    given = evidence.settings.workspace_header
    searched = evidence.of(Question.HEADER)
    for probe in facts.list_answers(evidence):
        if names_header(probe, given):
            return f"The service names {given}: {shown(probe.message)}. Check {WORKSPACE}."
    if refused is None or not searched:
        return f"No reply shows whether the service takes {given}."
    if any(probe.kind is Kind.ANSWER for probe in searched):
        return (
            "Other headers were accepted at one time and refused at another, so whether the "
            f"service takes {given} is not settled."
        )
    named = named_headers(refused)
    if named:
        return f"The service names {', '.join(named)}, but a read with it gets no better answer."
    return (
        f"A read with the usual headers in place of {given} gets the same; {KEY} or {WORKSPACE} "
        "may be wrong."
    )
