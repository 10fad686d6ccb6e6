"""
What follows from the reads: a table for each topic, of what holds and how certain it is.

Pure: facts in, findings out. A key or a path is ``sure`` only if a wrong one gets another reply.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from enum import Enum
from typing import Final
from urllib.parse import urlsplit

from wes_provider import contract
from wes_provider.client import responses
from wes_provider.client.rate_limits import rate_limit
from wes_provider.connection_form import LABELS
from wes_provider.doctor import advice, facts, header, hosts, redirects, remedies
from wes_provider.doctor.amounts import too_few
from wes_provider.doctor.anybodys import conclude_on_anybodys, files_of_others
from wes_provider.doctor.checks import conclude_on_check
from wes_provider.doctor.evidence import Evidence, Places, unreadable
from wes_provider.doctor.facts import KeyFact, Standing
from wes_provider.doctor.findings import Certainty, Finding, Row, Topic, conclude
from wes_provider.doctor.layers import conclude_on_layer, telling_realm
from wes_provider.doctor.logins import conclude_on_login
from wes_provider.doctor.notices import conclude_on_notices
from wes_provider.doctor.objections import about_account, conclude_on_objection, wants_https
from wes_provider.doctor.path_conclusions import file_path, list_path, records, upload_path
from wes_provider.doctor.probes import (
    Form,
    Keys,
    Kind,
    Probe,
    Question,
    named_headers,
    names_header,
    same_reply,
)
from wes_provider.doctor.proxies import TUNNEL_407, after_407, proxy_sentence
from wes_provider.doctor.refusals import conclude_on_refusals, why_not_judged
from wes_provider.doctor.remedies import wait_of
from wes_provider.doctor.sending import (
    date_or_clock,
    limits_in,
    no_answer,
    resets_in,
    retry_after,
    until,
)
from wes_provider.doctor.subjects import Subject
from wes_provider.doctor.unreached import cause_of
from wes_provider.doctor.unreadables import encoding_of, is_wrapped, why_unreadable
from wes_provider.doctor.words import other_scheme, quoted, text_of
from wes_provider.settings import WesSettings
from wes_provider.texts import counted, redact_url

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
SHUT_OUT: Final = (
    "A made-up key came just before, so it may shut out this machine: do not run this again at "
    "once, and ask whoever runs the gateway."
)
HEADER_FIRST: Final = f"Not settled: see {HEADER}."
AGAIN: Final = "Run this again later."
AFTER_LIMIT: Final = "Wait until then, or ask the service's support for more, and run this again."
AFTER_UPLOAD: Final = (
    "An upload takes one for an accepted file without an identifier, and is not sent again."
)
SLOW: Final = 5.0  # seconds that an ordinary reply does not take
LONG_LIMIT: Final = 3600.0  # seconds; a shorter one is over when the command is run again
# What becomes of a made-up key.
KEPT_OUT: Final = {
    Kind.ELSEWHERE: "is sent elsewhere",
    Kind.NOT_SERVICE: "gets a page",
}
WRITE_PROVES: Final = {
    Question.MADE_UP_KEY: advice.UPLOAD_SHOWS,
    Question.MADE_UP_DATA_KEY: advice.UPDATE_SHOWS,
}
# A web server's page, if it wants a client certificate.
CLIENT_CERTIFICATE: Final = ("SSL certificate was sent", "client certificate")


def conclude_from_reads(evidence: Evidence, tried: Places) -> list[Finding]:
    """
    Conclude on address, keys, header, paths and limits.

    :param tried: the paths that were tried; after an upload, those that were tried for its file.
    """
    refusals = conclude_on_refusals(evidence)
    if facts.is_unexaminable(evidence):
        return refusals or [_unexaminable_address(evidence)]
    alone = _on_one_cause(evidence)
    if alone:
        return alone
    lost = facts.outage(evidence)
    is_limited = any(finding.topic is Topic.LIMITS for finding in refusals)
    if not any(finding.topic is Topic.ACCOUNT for finding in refusals):
        refusals += conclude_on_anybodys(evidence)
    findings = [
        *refusals,
        _outage(evidence, lost) if lost else _address(evidence),
        *_keys_and_header(evidence, tried),
        list_path(evidence, tried),
        *records(tried),
        file_path(evidence, tried),
        upload_path(evidence, tried),
        *([] if is_limited else [_limits(evidence)]),
        *_errors_as_successes(evidence),
        *conclude_on_notices(evidence),
    ]
    is_hopeless = any(probe.is_limit and too_few(probe) for probe in evidence.probes)
    if is_hopeless:
        return [*map(_without_again, findings)]
    return findings


def _on_one_cause(evidence: Evidence) -> list[Finding]:
    """Conclude on the one cause that keeps all else from being examined; nothing without one."""
    layer = conclude_on_layer(evidence)
    if layer is not None:
        return [_before_service(evidence) or layer]
    objection = facts.objection(evidence)
    missed = header.missed_header(evidence)
    if objection is not None and missed is not None and not named_headers(missed):
        text = _missed_header(evidence, missed)
        return [
            Finding(
                topic=Topic.WORKSPACE_HEADER,
                certainty=NOT_PROVED,
                text=text,
                probes=(missed,),
            )
        ]
    if objection is not None:
        return [conclude_on_objection(evidence, objection)]
    moved = redirects.moved(evidence)
    if moved is not None:
        return [_moved(evidence, moved)]
    demanded = header.demanded_header(evidence)
    if demanded:
        return [_address(evidence), _demanded_header(evidence, demanded)]
    return []


def _without_again(finding: Finding) -> Finding:
    """Return a finding that leads to the limit that no time helps against."""
    see = f"See {Topic.LIMITS.value}."
    text = finding.text
    if finding.topic is not Topic.LIMITS:
        for again in (AGAIN, AFTER_LIMIT):
            text = text.replace(again, see)
    return replace(finding, text=text)


# -- address ---------------------------------------------------------------------------------------


def _before_service(evidence: Evidence) -> Finding | None:
    """
    Conclude on what stands before the service, and says so: a login, a check, one page, a firewall.
    """
    login_or_check = conclude_on_login(evidence) or conclude_on_check(evidence)
    if login_or_check is not None:
        return login_or_check
    one_page = facts.one_page(evidence)
    if one_page is not None:
        return _one_page(evidence, one_page)
    last = evidence.sent_for(Question.LIST)[-1]
    words = f"{last.message} {text_of(last.text)}"
    if last.form is not Form.PAGE or not remedies.is_firewall(words):
        return None
    probes = evidence.sent_for(Question.LIST, Question.OTHER_ADDRESS)
    return _firewall(last, probes, proxy_sentence(evidence.settings))


def _unexaminable_address(evidence: Evidence) -> Finding:
    """Tell why the first read already shows that nothing more can be found out."""
    before_service = _before_service(evidence)
    if before_service is not None:
        return before_service
    probes = evidence.sent_for(Question.LIST, Question.OTHER_ADDRESS)
    first_reads = evidence.sent_for(Question.LIST)
    last = first_reads[-1]
    way = proxy_sentence(evidence.settings)
    if not last.status and len({probe.status for probe in first_reads}) == 1:
        return _no_response(evidence.settings, first_reads, way)
    cause = no_answer(first_reads)
    is_page = last.form is Form.PAGE
    if is_wrapped(last):
        return _wrapped_json(last, probes)
    wants_certificate = any(words in last.text for words in CLIENT_CERTIFICATE)
    return conclude(
        Topic.ADDRESS,
        probes,
        Row(
            applies=wants_certificate and last.status in (400, 403, 495, 496),
            certainty=WRONG,
            text=(
                "What replied demands a client certificate (mutual TLS), which the provider cannot "
                f"send: ask its operator for an address without one.{way}"
            ),
        ),
        Row(
            applies=evidence.settings.base_url.startswith("http://") and wants_https(last),
            certainty=WRONG,
            text=(
                f"What replied takes HTTPS only{facts.words_of(last)}. {remedies.WRITE_HTTPS}{way}"
            ),
        ),
        Row(
            applies=last.status == 429,
            certainty=NOT_PROVED,
            text=(
                f"Nothing is settled, because {cause}{facts.words_of(last)}. Tasks may be refused "
                f"as well. {_run_again(last)}"
            ),
        ),
        Row(
            applies=last.kind is Kind.NOT_NOW,
            certainty=NOT_PROVED,
            text=(
                f"Nothing is settled, because {cause}{facts.words_of(last)}. A gateway may have "
                f"replied; wait{until(last)}, and run this again.{way}"
            ),
        ),
        Row(
            applies=last.kind is Kind.ELSEWHERE,
            certainty=WRONG,
            text=f"{_redirect(evidence, last)}{way}",
        ),
        Row(
            applies=last.status == 407,
            certainty=WRONG,
            text=f"{after_407(evidence.settings, last)}{way}",
        ),
        Row(
            applies=last.has_2xx and (bool(encoding_of(last)) or last.is_unreadable_json),
            certainty=NOT_PROVED,
            text=(f"{why_unreadable(last)}; the Address may be right, and no key was judged.{way}"),
        ),
        Row(
            applies=last.form is Form.BROKEN,
            certainty=NOT_PROVED,
            text=(
                f"JSON that cannot be read came with status {last.status}: a gateway may have cut "
                f"it. Run this again.{way}"
            ),
        ),
        Row(
            applies=is_page and last.status == 403,
            certainty=NOT_PROVED,
            text=(
                f"A web page came with status 403{facts.words_of(last)}, which the service does "
                "not send: a gateway or a firewall may not let this machine in. If the Address is "
                f"right, {remedies.LET_THROUGH}{way}"
            ),
        ),
        Row(
            applies=is_page and last.has_2xx,
            certainty=NOT_PROVED,
            text=(
                f"A web page came with status {last.status}{facts.words_of(last)}, which is no "
                "reply of the service: it, or something in its place, may be under maintenance. "
                f"Wait{until(last)}, and run this again; if the page stays, check the address, and "
                f"what is between.{way}"
            ),
        ),
        Row(
            applies=True,
            certainty=WRONG,
            text=(
                f"{_capital(last.form.value)} came with status "
                f"{last.status}{_words_or_text(last)}, which the service does not send. {WHO}{way}"
            ),
        ),
    )


def _words_or_text(last: Probe) -> str:
    """Return the words of a reply as the end of a sentence; of plain text, its beginning."""
    if last.form is Form.TEXT and not last.message:
        return _text_of(last)
    return facts.words_of(last)


def _wrapped_json(wrapped: Probe, probes: Sequence[Probe]) -> Finding:
    """Tell what holds if the service wraps its JSON in something."""
    text = (
        f"{why_unreadable(wrapped)}. The Address and the path may be right, and no key was judged."
    )
    return Finding(
        topic=Topic.RECORDS,
        certainty=WRONG,
        text=text,
        probes=tuple(probes),
    )


def _firewall(page: Probe, probes: Sequence[Probe], way: str) -> Finding:
    """Tell what holds if a firewall's page came: it is about the requests, and no setting."""
    references = remedies.references_in(page.clean(text_of(page.text)))
    hand_over = ""
    if references:
        hand_over = f" Hand over what it names: {references}."
    text = (
        f"A firewall before the service may keep these requests out, since a page like one's came "
        f"with status {page.status}{_text_of(page)}. The Address may be right, and no key was "
        f"judged: {remedies.LET_THROUGH}{hand_over}{way}"
    )
    return Finding(
        topic=Topic.ACCOUNT,
        certainty=NOT_PROVED,
        text=text,
        probes=tuple(probes),
    )


def _text_of(page: Probe) -> str:
    """Tell what a page says, in quotes, as the end of a sentence."""
    return f": {quoted(page.clean(text_of(page.text)), facts.SAYS)}"


def _one_page(evidence: Evidence, one_page: facts.OnePage) -> Finding:
    """Tell what holds if each read is redirected to one and the same page."""
    way = proxy_sentence(evidence.settings)
    first = one_page.redirects[0]
    target = redact_url(first.location)
    said = ""
    if one_page.words:
        said = f": {quoted(one_page.words, facts.SAYS)}"
    probes = [*one_page.redirects]
    if one_page.page is not None:
        probes.append(one_page.page)
    wait = f" {wait_of(one_page.words)}"
    if wait.endswith("is over"):
        wait = until(one_page.page or first) or wait
    leads = f"Each read is redirected to {target}, whatever its path{said}."
    if one_page.is_of_maintenance:
        text = (
            f"{leads} The service, or what is before it, is away for a time: wait{wait}, and run "
            f"this again. The Address may be right.{way}"
        )
        return Finding(
            topic=Topic.ACCOUNT,
            certainty=NOT_PROVED,
            text=text,
            probes=tuple(probes),
        )
    return conclude(
        Topic.ADDRESS,
        probes,
        Row(
            applies=not said,
            certainty=WRONG,
            text=(
                f"A redirect to {target} came, whatever the path, which is not followed. {WHO}{way}"
            ),
        ),
        Row(
            applies=True,
            certainty=NOT_PROVED,
            text=(
                f"{leads} Do what the page says, or ask the service's support about it, and run "
                f"this again. {WHO}{way}"
            ),
        ),
    )


def _run_again(probe: Probe) -> str:
    """Tell when to run the command again after a rate limit."""
    few = too_few(probe)
    if few:
        return few
    moment = until(probe)
    if moment:
        return f"Wait{moment}, and run this again."
    return AGAIN


def _no_response(settings: WesSettings, probes: Sequence[Probe], way: str) -> Finding:
    """Tell what holds if the first read got no whole response."""
    if TUNNEL_407 in probes[-1].problem:
        text = f"{after_407(settings, probes[-1])}{way}"
        return Finding(
            topic=Topic.ADDRESS,
            certainty=WRONG,
            text=text,
            probes=tuple(probes),
        )
    if probes[-1].ran_out:
        text = f"No response came in {probes[-1].took:.0f} s, less than read_timeout. {AGAIN}{way}"
        return Finding(
            topic=Topic.ADDRESS,
            certainty=NOT_PROVED,
            text=text,
            probes=tuple(probes),
        )
    causes = [cause_of(probe) for probe in probes]
    # A proof stays one, if another request ends otherwise.
    cause = next((cause for cause in causes if cause.is_sure), causes[-1])
    certainty = NOT_PROVED
    if cause.is_sure:
        certainty = WRONG
    text = cause.text
    if not cause.is_sure:
        text = f"{_capital(no_answer(probes))}. {cause.text}"
    return Finding(
        topic=Topic.ADDRESS,
        certainty=certainty,
        text=f"{text}{way}",
        probes=tuple(probes),
    )


def _demanded_header(evidence: Evidence, demanded: str) -> Finding:
    """Tell what holds if the service demands a header that the provider does not send."""
    given = evidence.settings.workspace_header
    besides = evidence.of(Question.HEADER_BESIDES)
    shown_by = "Reads with both are accepted, so it"
    if not besides:
        shown_by = "Reads with it are accepted whatever it has, so it"
    return Finding(
        topic=Topic.WORKSPACE_HEADER,
        certainty=WRONG,
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


def _redirect(evidence: Evidence, probe: Probe) -> str:
    """Tell what to do about a redirect to another address."""
    target = redact_url(probe.location)
    address = redirects.other_address(evidence)
    tests = evidence.of(Question.OTHER_ADDRESS)
    if not address and facts.answers_segments(evidence) and hosts.other_host(probe):
        return f"A redirect to {target} came. {hosts.second_connection(probe)}"
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


def _moved(evidence: Evidence, moved: redirects.Moved) -> Finding:
    """Tell what holds if each read is redirected to the same path below another address."""
    address = redact_url(moved.address)
    first = moved.redirects[0]
    named = (
        f"The service is below {address}: all redirects lead there, such as that of "
        f"{first.path} ({first.status}, Location {redact_url(first.location)})"
    )
    settings = evidence.settings
    paths = (settings.coupon_files_path, settings.coupon_file_path)
    needless = [
        path for path in paths if redirects.path_below(settings, moved.address, path) != path
    ]
    without = ""
    if needless:
        prefix = needless[0].removesuffix(
            redirects.path_below(settings, moved.address, needless[0])
        )
        without = f", without {prefix} in paths"
    test = None
    if moved.tests:
        test = moved.tests[-1]
    probes = (*moved.redirects[:2], *moved.tests, *moved.redirects[2:])
    if test is None or test.kind is Kind.NOT_NOW:
        why = evidence.why_not_asked(Question.OTHER_ADDRESS)
        text = f"{named}. It was not tested, because {why}: put it into the Address{without}."
        return Finding(
            topic=Topic.ADDRESS,
            certainty=NOT_PROVED,
            text=f"{text} {AGAIN}",
            probes=probes,
        )
    if test.kind in (Kind.ANSWER, Kind.REFUSED) and test.error_status not in (404, 405):
        text = (
            f"{named}, and a read there gets {test.answer}. Put it into the Address{without}, and "
            "run this again."
        )
        return Finding(
            topic=Topic.ADDRESS,
            certainty=WRONG,
            text=text,
            probes=probes,
        )
    text = f"{named}, but a read there gets {test.answer}{facts.words_of(test)}. {WHO}"
    return Finding(
        topic=Topic.ADDRESS,
        certainty=NOT_PROVED,
        text=text,
        probes=probes,
    )


def _outage(evidence: Evidence, lost: Sequence[Probe]) -> Finding:
    """Tell what holds if the service went away while it was read."""
    last = lost[-1]
    again = AGAIN
    wait = retry_after(last, last.sent_at)
    if wait:
        end = date_or_clock(last.sent_at + wait, last.sent_at)
        again = f"Run this again after {end}, as its headers say."
    before = counted(len(evidence.probes) - len(lost), "read")
    text = f"After {before}, since {lost[0].time} UTC, {no_answer(lost)}{facts.words_of(last)}."
    if facts.may_be_shut_out(evidence, lost):
        again = SHUT_OUT
    return Finding(
        topic=Topic.ADDRESS,
        certainty=NOT_PROVED,
        text=f"{text} {again}",
        probes=tuple(lost),
    )


def _address(evidence: Evidence) -> Finding:
    settings = evidence.settings
    answers = evidence.list_answers
    kinds = {probe.kind for probe in answers}
    is_unchecked = settings.base_url.startswith("https") and settings.verify is False
    # Whether a key is accepted says nothing about the address.
    is_changing = len(kinds) > 1 and bool(kinds & {Kind.NOT_SERVICE, Kind.ELSEWHERE})
    way = proxy_sentence(settings)
    differing = redirects.differing_redirects(evidence)
    where = ", ".join(f"{probe.path} to {redact_url(probe.location)}" for probe in differing)
    return conclude(
        Topic.ADDRESS,
        differing or (answers if is_changing else answers[:0]),
        Row(
            applies=bool(differing),
            certainty=NOT_PROVED,
            text=(
                f"Redirects differ by path: {where}. No one Address fits all: ask the service's "
                "support for it."
            ),
        ),
        Row(
            applies=not facts.is_service(evidence) and kinds == {Kind.REFUSED},
            certainty=NOT_ASKED,
            text="It refuses the key; whether it is the service is not shown.",
        ),
        Row(
            applies=not facts.is_service(evidence) and facts.is_list_odd_alone(evidence),
            certainty=NOT_PROVED,
            text=f"{_odd_list(evidence)}{way}",
        ),
        Row(
            applies=not facts.is_service(evidence),
            certainty=NOT_PROVED,
            text=(
                "It responds, but no reply shows that it is the service. "
                f"{_same_everywhere(evidence) or WHO}{way}"
            ),
        ),
        Row(
            applies=bool(evidence.out_of_time),
            certainty=NOT_PROVED,
            text=(
                f"It responds, but {evidence.out_of_time}. So not all questions were asked. "
                f"{AGAIN} If it stays so slow, ask the service's support."
            ),
        ),
        Row(
            applies=bool(facts.cached_reply(evidence)),
            certainty=NOT_PROVED,
            text=_cached(evidence),
        ),
        Row(
            applies=facts.is_nothing_there(evidence),
            certainty=NOT_PROVED,
            text=f"{_same_everywhere(evidence)}{way}",
        ),
        Row(
            applies=is_unchecked,
            certainty=NOT_ASKED,
            text=f"Certificates are not checked, since {VERIFY} is false.",
            needs_action=True,
        ),
        Row(
            applies=bool(facts.failing_replies(evidence)),
            certainty=NOT_PROVED,
            text=(
                f"It responds, but {facts.failing_replies(evidence)}: it may be that one of "
                "several nodes behind the Address fails. Change no setting, and ask the service's "
                "support."
            ),
        ),
        Row(
            applies=True,
            certainty=SURE,
            text=f"It responds{_slowly(evidence)}.{way}",
            needs_action=bool(_slowly(evidence)),
        ),
    )


def _odd_list(evidence: Evidence) -> str:
    """Tell what came of the list if nothing else shows that the service is at the address."""
    if not evidence.list_answers:
        return ""
    first = evidence.list_answers[0]
    if first.kind is Kind.ELSEWHERE:
        return (
            f"A redirect of the list to {redact_url(first.location)} came, which is not followed, "
            f"and no other reply shows that it is the service. {WHO}"
        )
    return (
        f"{why_unreadable(first)}; the Address may be right, but no other reply shows that it is "
        "the service."
    )


def _cached(evidence: Evidence) -> str:
    """Tell what to do about a cache, of which waits would read old statuses."""
    return (
        f"A cache replies in the service's place ({facts.cached_reply(evidence)}): ask whoever "
        "runs it to leave out these paths, or waits may read old statuses, and keys are perhaps "
        "not checked."
    )


def _same_everywhere(evidence: Evidence) -> str:
    """Tell what to say if each path gets the same 404, with whatever key; empty if it does not."""
    if not facts.is_nothing_there(evidence):
        return ""
    first = evidence.list_answers[0]
    return (
        f"Each path gets the same {first.status}, with whatever key{facts.words_of(first)}. The "
        "Address may lack a part, such as the prefix of a gateway, or be another one: check it. "
        "Nothing shows what the keys are worth."
    )


def _slowly(evidence: Evidence) -> str:
    """Tell how long replies take if some are slow, as the end of a sentence; empty if none is."""
    took = [probe.took for probe in evidence.probes if probe.status]
    slow = [seconds for seconds in took if seconds > SLOW]
    if not slow:
        return ""
    which = f"{len(slow)} of {len(took)} replies"
    return f", but {which} took more than {SLOW:.0f} s, up to {max(slow):.0f} s"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _limits(evidence: Evidence) -> Finding:
    limits = [rate_limit(probe.response.headers, time.time()) for probe in evidence.probes]
    stated = [limit for limit in limits if limit.remaining is not None and limit.reset is not None]
    of = f"{len(stated)} of {counted(len(evidence.probes), 'response')}"
    refused = sum(probe.status == 429 for probe in evidence.probes)
    waited = ""
    if refused:
        waited = f" {counted(refused, 'read')} got 429."
    over = facts.quota(evidence)
    few = next(filter(None, map(too_few, evidence.probes)), "")
    return conclude(
        Topic.LIMITS,
        over,
        Row(
            applies=bool(over),
            certainty=NOT_PROVED,
            text=_quota_says(over),
        ),
        Row(
            applies=bool(few),
            certainty=NOT_PROVED,
            text=f"{few} Responses state that limit.",
        ),
        Row(
            applies=bool(stated),
            certainty=SURE,
            text=f"{of} state them; the provider keeps to them.{waited}",
        ),
        Row(
            applies=bool(refused),
            certainty=NOT_ASKED,
            text=(
                f"{counted(refused, 'read')} got 429, and no response has the documented headers: "
                "the provider keeps to the documented limits, and the service may have others."
            ),
        ),
        Row(
            applies=bool(_limits_without_reset(evidence)),
            certainty=NOT_ASKED,
            text=(
                f"Responses have {_limits_without_reset(evidence)}, but no "
                f"{contract.RATE_LIMIT_RESET} that can be read: the provider keeps to the "
                "documented ones."
            ),
        ),
        Row(
            applies=any(limits_in(probe) for probe in evidence.probes),
            certainty=NOT_ASKED,
            text=(
                "Responses state some in another form than the contract "
                f"({_other_limits(evidence)}): the provider keeps to the documented ones."
            ),
        ),
        Row(
            applies=True,
            certainty=NOT_ASKED,
            text="No headers: the provider keeps to the documented ones.",
        ),
    )


def _other_limits(evidence: Evidence) -> str:
    """Return the headers about limits of the first response that has any."""
    limits = (limits_in(probe) for probe in evidence.probes)
    return ", ".join(next(filter(None, limits), []))


def _quota_says(over: Sequence[Probe]) -> str:
    """Tell what a rate limit means that lasts longer than the doctor waits."""
    if not over:
        return ""
    last = over[-1]
    headers = ", ".join(limits_in(last))
    stated = ""
    if headers:
        stated = f" It sends {headers}."
    few = too_few(last)
    if few:
        return (
            f"{few} Since {over[0].time} UTC, {no_answer(over)}{facts.words_of(last)}.{stated} The "
            "other rows rest on the reads before."
        )
    return (
        f"Since {over[0].time} UTC, {no_answer(over)}{facts.words_of(last)}.{stated} Tasks may "
        f"be refused as well. {_after_quota(last)} The other rows rest on the "
        "reads before."
    )


def _after_quota(last: Probe) -> str:
    """Tell what to do after a quota that is used up, by its words, or else by its headers."""
    if last.is_lost_by_words:
        return facts.advice_of(last)
    return f"Wait{until(last)}, or ask the service's support for more, and run this again."


def _limits_without_reset(evidence: Evidence) -> str:
    """Return the documented headers of limits that replies have without a reset; else empty."""
    documented = (contract.RATE_LIMIT_LIMIT, contract.RATE_LIMIT_REMAINING)
    has = [
        name
        for name in documented
        if any(name.lower() in probe.response.headers for probe in evidence.probes)
    ]
    return " and ".join(has)


def _errors_as_successes(evidence: Evidence) -> list[Finding]:
    """Tell what tasks make of errors that come with the status of a success, if reads get such."""
    errors = [probe for probe in evidence.probes if probe.has_2xx and probe.has_error]
    silent = facts.silent_refusal(evidence)
    if errors:
        came = f"Errors come with status {errors[0].status} here ({_error_says(errors[0])})"
    elif silent is not None:
        errors = [silent]
        came = f"A made-up key gets {silent.status} and no file here, as if the list were empty"
    else:
        return []
    always = (
        f"They come with {errors[0].status}, which an update takes for a success. {AFTER_UPLOAD}"
    )
    text = (
        f"{came}, which an update takes for a success"
        f"{advice.UPDATE_TRIES_ONE} {AFTER_UPLOAD}{_what_reads_make_of(errors)} Ask the service's "
        "support for statuses that fit."
    )
    has_data_key = evidence.settings.data_api_key != evidence.settings.api_key
    certainty = NOT_ASKED
    if has_data_key:
        certainty = NOT_PROVED
    return [
        Finding(
            topic=Topic.ERRORS,
            certainty=SURE,
            text=always,
            probes=tuple(errors[:1]),
            needs_action=True,
        ),
        Finding(
            topic=Topic.SEGMENT,
            certainty=certainty,
            text=text,
            probes=tuple(errors[:1]),
        ),
    ]


def _what_reads_make_of(errors: Sequence[Probe]) -> str:
    """
    Tell whether reads of lists take such a reply for a list, after a sentence; empty if none came
    to a list.
    """
    of_lists = [probe for probe in errors if probe.request.operation is contract.LIST_COUPON_FILES]
    if not of_lists:
        return ""
    if all(unreadable(responses.listing, probe) for probe in of_lists):
        return " Reads of lists notice them."
    return (
        " The read of a list takes one for an empty list, so an upload whose outcome is not known "
        "may be taken for one that never arrived."
    )


def _error_says(probe: Probe) -> str:
    """Tell what an error in the body of a success has, such as ``returnCode 4011: 'No key'``."""
    name = probe.error_name
    if probe.code and probe.code not in name:
        name = f"{name.removeprefix('an error')} {probe.code}".strip()
    return f"{name}{facts.words_of(probe)}"


# -- keys and header -------------------------------------------------------------------------------


def _keys_and_header(evidence: Evidence, tried: Places) -> list[Finding]:
    """Return the keys, then the header; it comes first if the service says that it misses one."""
    keys = [_campaign_key(evidence, tried), _data_key(evidence)]
    if header.missed_header(evidence) is None:
        return [*keys, _header(evidence)]
    return [_header(evidence), *keys]


def _campaign_key(evidence: Evidence, tried: Places) -> Finding:
    fact = facts.campaign_key(evidence)
    swaps = evidence.of(Question.SWAPPED_KEYS)
    return conclude(
        Topic.CAMPAIGN_KEY,
        [*fact.probes, *swaps, *facts.refused_elsewhere(evidence)],
        *_rows_of_swapped_campaign_key(evidence, fact),
        *_rows_of_refused_campaign_key(evidence, fact),
        Row(
            applies=fact.standing is Standing.ACCEPTED and fact.is_hidden,
            certainty=NOT_PROVED,
            text=_forbidden(evidence, fact),
        ),
        Row(
            applies=fact.standing is Standing.ACCEPTED and fact.is_forbidden,
            certainty=WRONG,
            text=_forbidden(evidence, fact),
        ),
        Row(
            applies=fact.standing is Standing.ACCEPTED and not _has_got_files(evidence, tried),
            certainty=NOT_ASKED,
            text=(
                f"Known: a made-up key {_kept_out(fact)}. But no read with it got a list or a "
                "file, so whether it may read coupons is not shown."
            ),
        ),
        Row(
            applies=fact.standing is Standing.NOT_SHOWN and facts.is_list_odd(evidence),
            certainty=NOT_ASKED,
            text=f"Not judged, since the list cannot be read: see {Topic.LIST_PATH.value}.",
        ),
        _row_of_key(evidence, fact, Question.MADE_UP_KEY),
    )


def _rows_of_swapped_campaign_key(evidence: Evidence, fact: KeyFact) -> list[Row]:
    """Tell what holds if a key that has no access is accepted, or replaced, in another place."""
    swapped = facts.swapped_keys(evidence)
    denied = f"The service replies {fact.own_says}"
    if fact.standing is Standing.REFUSED:
        denied = _refused(evidence, fact)
    elif not facts.may_be_another_key(fact):
        return []
    return [
        Row(
            applies=swapped.are_both,
            certainty=WRONG,
            text=(
                f"{denied}, while each key is accepted in the other's place: swap {KEY} and "
                f"{DATA_KEY}."
            ),
        ),
        Row(
            applies=swapped.data,
            certainty=WRONG,
            text=f"{denied}. The {DATA_KEY} is accepted in its place: paste the right one.",
        ),
        Row(
            applies=swapped.campaign,
            certainty=WRONG,
            text=f"{denied}, but accepts it as {DATA_KEY}: paste the key for coupons in its place.",
        ),
    ]


def _rows_of_refused_campaign_key(evidence: Evidence, fact: KeyFact) -> list[Row]:
    """Tell what holds if each read with the campaign key is refused."""
    if fact.standing is not Standing.REFUSED:
        return []
    refused = _refused(evidence, fact)
    return [
        Row(
            applies=facts.data_key(evidence).is_accepted,
            certainty=WRONG,
            text=f"{refused}, though the {DATA_KEY} is accepted: {_about_refused(evidence, fact)}",
        ),
        *_rows_of_reasons(evidence, fact, f"{refused}: {_new_key(fact)}"),
        Row(
            applies=True,
            certainty=NOT_PROVED,
            text=(
                f"Refused {_times(len(fact.own))} ({_says_with_realm(fact)}). "
                f"{_to_check(evidence, fact, KEY)}"
            ),
        ),
    ]


def _rows_of_reasons(evidence: Evidence, fact: KeyFact, new_key: str) -> list[Row]:
    """Tell what holds if refusals of a key say why, or that another thing is missed."""
    is_about_key = fact.names_a_reason and not _is_of_gateway(evidence)
    is_header_missed = header.missed_header(evidence) is not None
    return [
        Row(
            applies=is_about_key,
            certainty=NOT_PROVED,
            text=new_key,
        ),
        Row(
            applies=is_header_missed,
            certainty=NOT_PROVED,
            text=HEADER_FIRST,
        ),
    ]


def _has_got_files(evidence: Evidence, tried: Places) -> bool:
    """Tell whether the campaign key got a list or a file: in a read, or after an upload."""
    return facts.has_got_files(evidence) or bool(tried.file_path or tried.listed_files)


def _forbidden(evidence: Evidence, fact: KeyFact) -> str:
    """Tell what to say of a campaign key that is told from a made-up one, and gets 403."""
    if not facts.may_be_another_key(fact) and not fact.is_hidden:
        return f"Accepted, but the account has no access to coupons ({fact.own_says}): ask support."
    what_to_do = about_account(evidence, fact.own[0]) or facts.advice_of(fact.own[0])
    return (
        f"The service replies {fact.own_says}, while a made-up key {_kept_out(fact)}. {what_to_do}"
    )


def _data_key(evidence: Evidence) -> Finding:
    settings = evidence.settings
    fact = facts.data_key(evidence)
    name = header.proved_header(evidence)
    tried = evidence.of(Question.SWAPPED_KEYS)
    swapped = facts.swapped_keys(evidence)
    why = evidence.why_not_asked(Question.DATA_KEY)
    is_unanswered = fact.standing is Standing.NO_ANSWER
    return conclude(
        Topic.DATA_KEY,
        [*fact.probes, *tried],
        Row(
            applies=settings.data_api_key == settings.api_key,
            certainty=SURE,
            text=f"None is given: segments use the {KEY}.",
        ),
        Row(
            applies=is_unanswered and bool(name),
            certainty=NOT_PROVED,
            text=f"Not asked with {name}: put the extra in, and run this again.",
        ),
        Row(
            applies=is_unanswered,
            certainty=NOT_PROVED,
            text=_no_answer_says(fact, why),
        ),
        Row(
            applies=facts.is_on_other_host(evidence, fact),
            certainty=NOT_PROVED,
            text=f"{_on_other_host(fact)} The key is not judged here.",
        ),
        Row(
            applies=swapped.are_both,
            certainty=WRONG,
            text=f"{KEY} is accepted in its place: swap the two.",
        ),
        *_rows_of_refused_data_key(evidence, fact),
        Row(
            applies=fact.standing is Standing.REFUSED_ONCE and not name,
            certainty=NOT_PROVED,
            text=f"Refused once ({fact.own_says}). {_to_check(evidence, fact, DATA_KEY)}",
        ),
        Row(
            applies=facts.may_be_another_key(fact) and swapped.data,
            certainty=NOT_PROVED,
            text=(
                f"The service replies {fact.own_says}, and accepts it for coupons: it may be a key "
                f"for coupons. Paste the one for segments{advice.UPDATE_IS_TRIED}"
            ),
        ),
        Row(
            applies=fact.standing is Standing.ACCEPTED and (fact.is_forbidden or fact.is_hidden),
            certainty=NOT_PROVED,
            text=(
                f"Reads of segments get {fact.own_says}, while a made-up key {_kept_out(fact)}"
                f"{advice.UPDATE_TRIES_AN_UPDATE}{_of_data_key(fact)}"
            ),
        ),
        _row_of_key(evidence, fact, Question.MADE_UP_DATA_KEY),
    )


def _rows_of_refused_data_key(evidence: Evidence, fact: KeyFact) -> list[Row]:
    """Tell what holds if each read with the data key is refused."""
    if fact.standing is not Standing.REFUSED:
        return []
    refused = _refused(evidence, fact)
    often = _times(len(fact.own))
    return [
        Row(
            applies=facts.swapped_keys(evidence).campaign,
            certainty=WRONG,
            text=f"{refused}, while the {KEY} is accepted in its place: paste that one.",
        ),
        Row(
            applies=facts.campaign_key(evidence).is_accepted,
            certainty=WRONG,
            text=f"{refused}, though the {KEY} is accepted: {_about_refused(evidence, fact)}",
        ),
        *_rows_of_reasons(evidence, fact, f"{refused}: {_new_key(fact)}"),
        Row(
            applies=_is_of_gateway(evidence),
            certainty=NOT_PROVED,
            text=f"{refused}: see {KEY}.",
        ),
        Row(
            applies=True,
            certainty=NOT_PROVED,
            text=(
                f"Refused {often} ({_says_with_realm(fact)}). {_to_check(evidence, fact, DATA_KEY)}"
            ),
        ),
    ]


def _on_other_host(fact: KeyFact) -> str:
    """Tell what to do about what is on another host, with what came."""
    if not fact.own:
        return ""
    first = fact.own[0]
    came = f"{first.answer}{facts.words_of(first)}"
    if first.kind is Kind.ELSEWHERE:
        came = f"{first.status} to {redact_url(first.location)}"
    return f"Reads get {came}. {facts.advice_of(first)}"


def _to_check(evidence: Evidence, fact: KeyFact, key: str) -> str:
    """Tell what to check if a key is refused, and nothing shows whether it is the cause."""
    if not fact.own:
        return ""
    refused = fact.own[0]
    about = about_account(evidence, refused)
    if about:
        return about
    if refused.subject is not None and not _is_of_gateway(evidence):
        return facts.advice_of(refused)
    of_scheme = facts.advice_of_scheme(refused)
    if of_scheme:
        return of_scheme
    if remedies.asks_for_something(refused.message):
        return f"Do what it says; if that does not help, check {key}, {WORKSPACE} and {HEADER}."
    return (
        f"{key}, {WORKSPACE} or {HEADER} may be wrong, or a gateway refuses everybody: check each "
        "of them."
    )


def _demanded_scheme(fact: KeyFact) -> str:
    """
    Tell how the refusals of a key want their reader to authenticate, if not by Basic credentials.
    """
    if fact.own:
        return other_scheme(fact.own[0].response.headers)
    return ""


def _is_of_gateway(evidence: Evidence) -> bool:
    """
    Tell whether both keys are refused in the same words, with a challenge that offers no Basic:
    what the words say of a token is about none of the keys.
    """
    campaign, data = facts.campaign_key(evidence), facts.data_key(evidence)
    return bool(_demanded_scheme(campaign)) and campaign.own_says == data.own_says


def _of_data_key(fact: KeyFact) -> str:
    """Tell what to do about a data key by the service's words, after a text; empty if nothing."""
    if not fact.own:
        return ""
    if fact.own[0].subject is None:
        return ""
    return f" {facts.advice_of(fact.own[0])}"


def _row_of_key(evidence: Evidence, fact: KeyFact, made_up: Question) -> Row:
    """Tell what holds of a key that was not refused twice."""
    certainty = NOT_PROVED
    if fact.standing is Standing.ACCEPTED:
        certainty = SURE
    return Row(
        applies=True,
        certainty=certainty,
        text=_key_says(evidence, fact, made_up),
    )


def _key_says(evidence: Evidence, fact: KeyFact, made_up: Question) -> str:
    """Tell how the service takes a key that was not refused twice."""
    kept_out = f"a made-up key {_kept_out(fact)}"
    if fact.standing is Standing.ACCEPTED:
        return f"Accepted {_times(len(fact.own))}; {kept_out}."
    if fact.standing is Standing.ACCEPTED_ONCE:
        why = _why_not_repeated(evidence, fact, Question.AGAIN)
        return f"Accepted once; {kept_out}. Not proved by a second read: {why}. {AGAIN}"
    if fact.standing is Standing.REFUSED_ONCE:
        why = _why_not_repeated(evidence, fact, fact.own[0].question)
        return f"Refused once. Not proved by a second read: {why}. {AGAIN}"
    if fact.standing is Standing.NO_ANSWER:
        why = evidence.why_not_asked(Question.LIST)
        if facts.is_list_failing_alone(evidence):
            return _list_fails_says(evidence, fact, why)
        return _no_answer_says(fact, why)
    if fact.standing is Standing.BOTH:
        return _both(evidence, fact)
    return f"No reply shows whether it is accepted: {_unshown(evidence, fact, made_up)}"


def _kept_out(fact: KeyFact) -> str:
    """Tell what becomes of a made-up key, if it was sent."""
    if fact.made_up is None:
        return "was not sent"
    is_another_answer = fact.made_up.kind is Kind.ANSWER and fact.made_up.error_status != 403
    if is_another_answer:
        return f"gets {fact.made_up.answer}"
    return KEPT_OUT.get(fact.made_up.kind, "is refused")


def _why_not_repeated(evidence: Evidence, fact: KeyFact, question: Question) -> str:
    """Tell why a read with the own key has one answer only."""
    lost = [probe for probe in fact.lost if probe.sent_at > fact.own[0].sent_at]
    if lost:
        return no_answer(lost)
    why = evidence.not_asked.get(question) or evidence.why_not_asked(Question.AGAIN)
    failing = facts.failing_replies(evidence)
    if failing:
        return f"{why}, and {failing}"
    return why


def _no_answer_says(fact: KeyFact, why: str) -> str:
    """Tell why nothing shows how the service takes a key, and what to do."""
    elsewhere = why_not_judged(fact.lost)
    return elsewhere or f"Not settled, because {why}{_words_of_lost(fact)}. {_after_lost(fact)}"


def _list_fails_says(evidence: Evidence, fact: KeyFact, why: str) -> str:
    """Tell what holds if the reads of the list fail, and others do not."""
    made_up = evidence.of(Question.MADE_UP_LIST)
    which = "reads of lists"
    also = ""
    if made_up and facts.is_refused(made_up[0]):
        return f"{_no_answer_says(fact, why)} Another list is refused ({made_up[0].answer})."
    if made_up:
        which = "this list"
        also = f", also one of a list that does not exist ({made_up[0].answer})"
    return (
        f"Not settled, because {why}{_words_of_lost(fact)}. Other reads get answers{also}, so it "
        f"may be {which} alone, and waiting may not help: name a list with fewer files, or ask the "
        "service's support."
    )


def _after_lost(fact: KeyFact) -> str:
    """Tell what to do if a read got no answer."""
    last = None
    if fact.lost:
        last = fact.lost[-1]
    if last is not None and not last.status:
        return cause_of(last).text
    if last is not None and last.subject is not None and not last.is_limit:
        return facts.advice_of(last)
    return _after_limit(fact)


def _words_of_lost(fact: KeyFact) -> str:
    """Return the words of what came in place of an answer, as the end of a sentence."""
    if fact.lost:
        return facts.words_of(fact.lost[-1])
    return ""


def _after_limit(fact: KeyFact) -> str:
    """Tell what to do after a rate limit that lasts for a day or more, or another reason."""
    last = None
    if fact.lost:
        last = fact.lost[-1]
    if last is None or last.status != 429:
        return AGAIN
    lasts = max(retry_after(last, last.sent_at) or 0.0, resets_in(last) or 0.0)
    if lasts < LONG_LIMIT:
        return AGAIN
    return AFTER_LIMIT


def _both(evidence: Evidence, fact: KeyFact) -> str:
    """Tell which reads with one key are accepted, and which are refused."""
    refused = [*facts.refused_elsewhere(evidence), *filter(facts.is_refused, fact.own)]
    accepted = [probe for probe in fact.own if not facts.is_refused(probe)]
    return (
        f"Accepted at {accepted[0].time} UTC ({accepted[0].path}), refused at {refused[0].time} "
        f"({refused[0].path}): one of several nodes may not know the key, or it was revoked: check "
        "it in the service's dashboard, and run this again later."
    )


def _unshown(evidence: Evidence, fact: KeyFact, made_up: Question) -> str:
    """Tell why reads do not show how the service takes a key."""
    own = fact.own[0]
    proves = str(WRITE_PROVES[made_up])
    if files_of_others(evidence) is not None:
        proves = f"See {Topic.ACCOUNT.value}."
    if own.subject is not None and own.subject.subject is Subject.PLAN:
        proves = facts.advice_of(own)  # no write would show more
    if fact.made_up is None:
        why = evidence.why_not_asked(made_up)
        return f"a made-up key was not compared, because {why}. {AGAIN}"
    if same_reply(fact.made_up, own):
        return f"a made-up key gets the same ({fact.own_says}). {proves}"
    if fact.made_up.answer != own.answer:
        return f"it gets {own.answer}, a made-up key {fact.made_up.answer}. {proves}"
    return (
        f"it gets {fact.own_says}, and a made-up key {fact.made_up.answer}"
        f"{facts.words_of(fact.made_up)}. {proves}"
    )


def _refused(evidence: Evidence, fact: KeyFact) -> str:
    """Tell how often a key was refused, with the words unless they say only that it is refused."""
    said = f"Refused {_times(len(fact.own))}"
    if not fact.own or not fact.own[0].message:
        return said
    is_usual_code = fact.own[0].code == contract.REQUEST_UNAUTHENTICATED
    is_usual = is_usual_code and fact.own[0].is_documented_error and not fact.names_a_reason
    if is_usual and _words_of_key(evidence, fact) is KeyWords.USUAL:
        return said
    return f"{said} ({_says_with_realm(fact)})"


def _says_with_realm(fact: KeyFact) -> str:
    """Return what came first with a key, with the realm of its refusal if that tells something."""
    realm = ""
    if fact.own:
        realm = telling_realm(fact.own[0])
    if realm:
        return f"{fact.own_says}, of the realm {realm!r}"
    return fact.own_says


def _about_refused(evidence: Evidence, fact: KeyFact) -> str:
    """Tell what to do about a refused key while the other one is accepted."""
    if fact.names_a_reason:
        return _new_key(fact)
    if fact.own[0].form is Form.PAGE:
        return (
            "what replied sent a web page and no JSON of the service's, so it may be before it: "
            "ask whoever runs it to let requests through, or paste the key again."
        )
    words = _words_of_key(evidence, fact)
    if words is KeyWords.OF_THIS_KEY:
        return (
            "do what it says, since another key gets other words; or ask the service's support "
            "which key this needs."
        )
    if words is KeyWords.USUAL:
        return "paste it again."
    if fact.own[0].code == contract.REQUEST_UNAUTHENTICATED:
        return "paste it again, or do what it says."
    return "do what it says, or ask the service's support which key this needs."


class KeyWords(Enum):
    """What the words of a refusal are about."""

    USUAL = "say only that a key is not accepted"
    OF_THIS_KEY = "another key gets other words"
    UNKNOWN = "no other key was refused, and they may say more"


def _words_of_key(evidence: Evidence, fact: KeyFact) -> KeyWords:
    """Tell what the words are about that a refused key gets: other keys are the evidence."""
    first = fact.own[0]
    says_nothing = (
        not first.message
        or remedies.is_stock_sentence(first.message)
        or remedies.is_bare_refusal_of_key(first.message)
    )
    if says_nothing:
        return KeyWords.USUAL
    others = _refusals_of_other_keys(evidence, first)
    if others and not any(same_reply(first, other) for other in others):
        return KeyWords.OF_THIS_KEY
    if others:
        return KeyWords.USUAL
    return KeyWords.UNKNOWN


def _refusals_of_other_keys(evidence: Evidence, refused: Probe) -> list[Probe]:
    """Return the refusals that the same request got with another key."""
    others = [
        *evidence.answers_to(refused.request, Keys.SWAPPED),
        *evidence.answers_to(refused.request, Keys.MADE_UP),
    ]
    return [probe for probe in others if facts.is_refused(probe) and probe.message]


def _new_key(fact: KeyFact) -> str:
    """Tell what to do about a refused key by what became of it."""
    if fact.own:
        return remedies.new_key(f"{fact.own[0].code} {fact.own[0].message}")
    return ""


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def _header(evidence: Evidence) -> Finding:
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
            certainty=SURE,
            text=f"{given} is accepted.",
            probes=probes,
            settings=setting,
        )
    is_swapped = facts.swapped_keys(evidence).are_both
    return conclude(
        Topic.WORKSPACE_HEADER,
        [refused],
        Row(
            applies=is_swapped,
            certainty=SURE,
            text=f"{given} is accepted, with the keys swapped.",
            settings=setting,
        ),
        Row(
            applies=True,
            certainty=NOT_PROVED,
            text=_unsettled_header(evidence, refused),
        ),
    )


def _reads_with_accepted_keys(evidence: Evidence) -> tuple[Probe, ...]:
    """Return the reads that the keys rest on which the service accepts."""
    accepted = (Standing.ACCEPTED, Standing.ACCEPTED_ONCE, Standing.BOTH)
    both = (facts.campaign_key(evidence), facts.data_key(evidence))
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
            certainty=SURE,
            text=f"{given} is accepted; a made-up value is not.",
            settings={"workspace_header": given},
        ),
        Row(
            applies=value is header.Value.DOES_NOT_MATTER,
            certainty=NOT_PROVED,
            text=(
                f"Reads get the same with a made-up value in {given}, so no reply shows that it is "
                "the workspace's header. Leave workspace_header out, so that "
                f"{contract.WORKSPACE_HEADER} is sent{advice.UPLOAD_SHOWS_PASSING}"
            ),
        ),
        Row(
            applies=True,
            certainty=NOT_PROVED,
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
        certainty=WRONG,
        text=text,
        probes=(refused, *accepted),
        settings=setting,
    )


def _unsettled_header(evidence: Evidence, refused: Probe | None) -> str:
    """Tell why reads do not show which header the service takes."""
    given = evidence.settings.workspace_header
    keys_first = f"No reply shows whether the service takes {given}: settle the keys first."
    if refused is not None and other_scheme(refused.response.headers):
        return keys_first
    for probe in evidence.list_answers:
        if names_header(probe, given):
            return f"{facts.says(probe)}. Check {WORKSPACE}."
    if refused is None or not evidence.of(Question.HEADER, Question.HEADER_BESIDES):
        return keys_first
    return _other_headers_say(evidence, refused)


def _other_headers_say(evidence: Evidence, refused: Probe) -> str:
    """Tell why reads with other headers do not show which one the service takes."""
    given = evidence.settings.workspace_header
    searched = evidence.of(Question.HEADER, Question.HEADER_BESIDES)
    others = [probe for probe in searched if probe.answer != refused.answer]
    if any(probe.kind is Kind.ANSWER for probe in others):
        return (
            f"With {given}, a read gets {refused.answer}; with other headers, one got "
            f"{others[0].answer}. That does not settle whether the service takes {given}: run this "
            "again later."
        )
    named = named_headers(refused)
    if named:
        return (
            f"The service names {', '.join(named)}, but a read with it gets no better answer: ask "
            "the service's support what it has to have."
        )
    missed = header.missed_header(evidence)
    if missed is not None:
        return _missed_header(evidence, missed)
    return (
        f"A read with the usual headers in place of {given} gets the same; {KEY} or {WORKSPACE} "
        "may be wrong: check both."
    )


def _missed_header(evidence: Evidence, missed: Probe) -> str:
    """Tell what to say if the service misses a header, and no reply shows which."""
    given = evidence.settings.workspace_header
    hinted = header.hinted_headers(evidence)
    also = ""
    if hinted:
        also = f", nor is {', '.join(hinted)}, which replies name"
    return (
        f"The service misses a header ({missed.answer}{facts.words_of(missed)}): {given} is not "
        f"it, nor is any usual one{also}. Ask its support for the name, and put it into {HEADER}."
    )
