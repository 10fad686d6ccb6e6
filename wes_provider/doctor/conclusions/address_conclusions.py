"""What follows from the reads about the address, and about what stands before it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

from wes_provider.connection_form import LABELS
from wes_provider.doctor.conclusions.objections import wants_https
from wes_provider.doctor.conclusions.odd_lists import why_list_is_cut
from wes_provider.doctor.findings.finding import Certainty, Finding, Row, Topic, conclude
from wes_provider.doctor.in_front.checks import conclude_on_check
from wes_provider.doctor.in_front.logins import conclude_on_login
from wes_provider.doctor.in_front.proxy_conclusions import (
    errors_of_proxy,
    proxy_says,
    proxy_says_at_times,
)
from wes_provider.doctor.reads import facts, key_facts, redirects, sayings
from wes_provider.doctor.reads.caches import about_304, cached_paths, cached_reply
from wes_provider.doctor.reads.evidence import Evidence
from wes_provider.doctor.reads.sending import date_or_clock, no_answer, retry_after, until
from wes_provider.doctor.replies import hosts, remedies
from wes_provider.doctor.replies.amounts import too_few
from wes_provider.doctor.replies.list_names import about_other_names, other_lists
from wes_provider.doctor.replies.probes import Form, Kind, Probe, Question, names_in_words
from wes_provider.doctor.replies.proxies import TUNNEL_407, after_407, proxy_sentence
from wes_provider.doctor.replies.remedies import AGAIN, wait_of
from wes_provider.doctor.replies.unreached import cause_of
from wes_provider.doctor.replies.unreadables import encoding_of, is_wrapped, why_unreadable
from wes_provider.doctor.replies.words import capital, frame_in, quoted, text_of
from wes_provider.settings import WesSettings
from wes_provider.texts import counted, redact_url

__all__ = [
    "conclude_on_address",
    "conclude_on_moved",
    "conclude_on_moved_coupons",
    "conclude_on_outage",
    "conclude_on_unexaminable",
    "conclude_on_versionless",
    "conclude_on_what_is_before",
]

MOST_PATHS: Final = 2  # that one sentence names
VERIFY: Final = LABELS["verify"]
DATA_CENTER: Final = LABELS["data_center"]
WHO: Final = (
    "Check the address, and whether a proxy, a gateway or a login page replied in the "
    "service's place."
)
SHUT_OUT: Final = (
    "A made-up key came just before, so it may shut out this machine: do not run this again at "
    "once, and ask whoever runs the gateway."
)
SLOW: Final = 5.0  # seconds that an ordinary reply does not take
# A web server's page, if it wants a client certificate.
CLIENT_CERTIFICATE: Final = ("SSL certificate was sent", "client certificate")


def conclude_on_what_is_before(evidence: Evidence) -> Finding | None:
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


def conclude_on_unexaminable(evidence: Evidence) -> Finding:
    """Tell why the first read already shows that nothing more can be found out."""
    before_service = conclude_on_what_is_before(evidence)
    if before_service is not None:
        return before_service
    probes = evidence.sent_for(Question.LIST, Question.OTHER_ADDRESS)
    first_reads = evidence.sent_for(Question.LIST)
    last = first_reads[-1]
    way = proxy_sentence(evidence.settings)
    if not last.status and len({probe.status for probe in first_reads}) == 1:
        return _no_response(evidence.settings, first_reads, way)
    if is_wrapped(last):
        return _wrapped_json(last, probes)
    cause = no_answer(first_reads)
    return conclude(
        Topic.ADDRESS,
        probes,
        _row_of_client_certificate(last, way),
        Row(
            applies=evidence.settings.base_url.startswith("http://") and wants_https(last),
            certainty=Certainty.WRONG,
            text=(
                f"What replied takes HTTPS only{sayings.words_of(last)}. "
                f"{remedies.WRITE_HTTPS}{way}"
            ),
        ),
        Row(
            applies=last.status == 429,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"Nothing is settled, because {cause}{sayings.words_of(last)}. Tasks may be "
                f"refused as well. {_run_again(last)}"
            ),
        ),
        Row(
            applies=last.kind is Kind.NOT_NOW,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"Nothing is settled, because {cause}{sayings.words_of(last)}. A gateway may have "
                f"replied; wait{until(last)}, and run this again.{way}"
            ),
        ),
        Row(
            applies=bool(last.added_parameters),
            certainty=Certainty.NOT_PROVED,
            text=f"{_adds_to_query(last)}; the Address may be right, and no key was judged.{way}",
        ),
        Row(
            applies=_is_at_port_in_vain(evidence, last),
            certainty=Certainty.NOT_PROVED,
            text=f"{_other_port_in_vain(last)}{way}",
        ),
        Row(
            applies=last.kind is Kind.ELSEWHERE,
            certainty=Certainty.WRONG,
            text=f"{_redirect(evidence, last)}{way}",
        ),
        Row(
            applies=last.status == 407,
            certainty=Certainty.WRONG,
            text=f"{after_407(evidence.settings, last)}{way}",
        ),
        Row(
            applies=bool(about_304(last)),
            certainty=Certainty.NOT_PROVED,
            text=f"Nothing is settled: {about_304(last)}{way}",
        ),
        Row(
            applies=last.is_interim,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"An interim response came with status {last.status}, after which the response "
                "itself follows, which the provider does not read. The Address may be right, and "
                "no key was judged: ask whoever runs what replied to send no interim responses."
                f"{way}"
            ),
        ),
        *_rows_of_unreadable(first_reads, way),
        *_rows_of_page(last, way),
        Row(
            applies=bool(redirects.choices(last)),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"The service offers a choice ({last.status}): "
                f"{', '.join(redirects.choices(last))}{sayings.words_of(last)}. Put the one that "
                "your account is in into the Address, and run this again: nothing from a test "
                f"environment may reach a customer.{way}"
            ),
        ),
        Row(
            applies=bool(_other_lists_say(evidence, last)),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"JSON came with status {last.status}{_words_or_text(last)}. "
                f"{_other_lists_say(evidence, last)} The Address may be right.{way}"
            ),
        ),
        Row(
            applies=last.form is Form.JSON and not last.has_2xx,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"JSON came with status {last.status}{_words_or_text(last)}, and the contract has "
                "no such reply. Do what it says, or ask the service's support what it means; the "
                f"Address may be right.{way}"
            ),
        ),
        Row(
            applies=True,
            certainty=Certainty.WRONG,
            text=(
                f"{capital(last.form.value)} came with status "
                f"{last.status}{_words_or_text(last)}, which the service does not send. {WHO}{way}"
            ),
        ),
    )


def _row_of_client_certificate(last: Probe, way: str) -> Row:
    """Tell what holds if what replied wants a client certificate."""
    wants_certificate = any(words in last.text for words in CLIENT_CERTIFICATE)
    return Row(
        applies=wants_certificate and last.status in (400, 403, 495, 496),
        certainty=Certainty.WRONG,
        text=(
            "What replied demands a client certificate (mutual TLS), which the provider cannot "
            f"send: ask its operator for an address without one.{way}"
        ),
    )


def _rows_of_unreadable(first_reads: Sequence[Probe], way: str) -> list[Row]:
    """Tell what holds if the reply has a body that cannot be read."""
    last = first_reads[-1]
    cannot_be_decoded = bool(encoding_of(last)) or last.is_unreadable_json
    return [
        Row(
            applies=last.has_2xx and cannot_be_decoded,
            certainty=Certainty.NOT_PROVED,
            text=f"{why_unreadable(last)}; the Address may be right, and no key was judged.{way}",
        ),
        Row(
            applies=bool(why_list_is_cut(first_reads)),
            certainty=Certainty.NOT_PROVED,
            text=f"{why_list_is_cut(first_reads)}. No key was judged.{way}",
        ),
    ]


def _rows_of_page(last: Probe, way: str) -> list[Row]:
    """Tell what holds if a web page came with a status that the service may send, too."""
    is_page = last.form is Form.PAGE
    frame = frame_in(last.text)
    return [
        Row(
            applies=is_page and last.has_2xx and bool(frame),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"A web page came with status {last.status}, which leads browsers to "
                f"{redact_url(frame)} by a frame or a refresh. The provider does not follow that, "
                "and no key was judged: ask the service's support for the address of the API, and "
                f"put it into the Address.{way}"
            ),
        ),
        Row(
            applies=is_page and last.status == 403,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"A web page came with status 403{sayings.words_of(last)}, which the service does "
                "not send: a gateway or a firewall may not let this machine in. If the Address is "
                f"right, {remedies.LET_THROUGH}{sayings.hand_over(last)}{way}"
            ),
        ),
        Row(
            applies=is_page and last.has_2xx,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"A web page came with status {last.status}{sayings.words_of(last)}, which is no "
                "reply of the service: it, or something in its place, may be under maintenance. "
                f"Wait{until(last)}, and run this again; if the page stays, check the address, and "
                f"what is between.{way}"
            ),
        ),
    ]


def _other_lists_say(evidence: Evidence, last: Probe) -> str:
    """Tell what to do about lists that a 300 or the like names; empty if it names none."""
    if not evidence.names_a_list or last.form is not Form.JSON or last.has_2xx:
        return ""
    return about_other_names(other_lists(last.message, evidence.list_id))


def _words_or_text(last: Probe) -> str:
    """Return the words of a reply as the end of a sentence; of plain text, its beginning."""
    if last.form is Form.TEXT and not last.message:
        return _text_of(last)
    return sayings.words_of(last)


def _wrapped_json(wrapped: Probe, probes: Sequence[Probe]) -> Finding:
    """Tell what holds if the service wraps its JSON in something."""
    text = (
        f"{why_unreadable(wrapped)}. The Address and the path may be right, and no key was judged."
    )
    return Finding(
        topic=Topic.RECORDS,
        certainty=Certainty.WRONG,
        text=text,
        probes=tuple(probes),
    )


def _firewall(page: Probe, probes: Sequence[Probe], way: str) -> Finding:
    """Tell what holds if a firewall's page came: it is about the requests, and no setting."""
    text = (
        f"A firewall before the service may keep these requests out, since a page like one's came "
        f"with status {page.status}{_text_of(page)}. The Address may be right, and no key was "
        f"judged: {remedies.LET_THROUGH}{sayings.hand_over(page)}{way}"
    )
    return Finding(
        topic=Topic.ACCOUNT,
        certainty=Certainty.NOT_PROVED,
        text=text,
        probes=tuple(probes),
    )


def _text_of(page: Probe) -> str:
    """Tell what a page says, in quotes, as the end of a sentence."""
    return f": {quoted(page.clean(text_of(page.text)), sayings.SAYS)}"


def _one_page(evidence: Evidence, one_page: facts.OnePage) -> Finding:
    """Tell what holds if each read is redirected to one and the same page."""
    way = proxy_sentence(evidence.settings)
    first = one_page.redirects[0]
    target = redact_url(first.location)
    said = ""
    if one_page.words:
        said = f": {quoted(one_page.words, sayings.SAYS)}"
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
            certainty=Certainty.NOT_PROVED,
            text=text,
            probes=tuple(probes),
        )
    return conclude(
        Topic.ADDRESS,
        probes,
        Row(
            applies=not said,
            certainty=Certainty.WRONG,
            text=(
                f"A redirect to {target} came, whatever the path, which is not followed. {WHO}{way}"
            ),
        ),
        Row(
            applies=True,
            certainty=Certainty.NOT_PROVED,
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
            certainty=Certainty.WRONG,
            text=text,
            probes=tuple(probes),
        )
    if probes[-1].ran_out:
        text = f"No response came in {probes[-1].took:.0f} s, less than read_timeout. {AGAIN}{way}"
        return Finding(
            topic=Topic.ADDRESS,
            certainty=Certainty.NOT_PROVED,
            text=text,
            probes=tuple(probes),
        )
    causes = [cause_of(probe) for probe in probes]
    # A proof stays one, if another request ends otherwise.
    cause = next((cause for cause in causes if cause.is_sure), causes[-1])
    certainty = Certainty.NOT_PROVED
    if cause.is_sure:
        certainty = Certainty.WRONG
    text = cause.text
    if not cause.is_sure:
        text = f"{capital(no_answer(probes))}. {cause.text}"
    return Finding(
        topic=Topic.ADDRESS,
        certainty=certainty,
        text=f"{text}{way}",
        probes=tuple(probes),
    )


def _redirect(evidence: Evidence, probe: Probe) -> str:
    """Tell what to do about a redirect to another address."""
    target = redact_url(probe.location)
    address = redirects.other_address(evidence)
    tests = evidence.sent_for(Question.OTHER_ADDRESS)
    if not address and facts.answers_segments(evidence) and hosts.other_host(probe):
        return f"A redirect to {target} came. {hosts.second_connection(probe)}"
    if redirects.adds_session(probe):
        return (
            f"A redirect to {target} came that adds a session to the path, behind a semicolon: "
            "something in front of the service keeps sessions in URLs. No setting helps: have "
            "whoever runs it take them out; the Address may be right, and no key was judged."
        )
    if not address:
        return f"A redirect to {target} came, which is not followed. {WHO}"
    named = f"The service names {address}"
    field = _field_of_address(evidence.settings, address)
    if not tests:
        return f"{named}, which was not tested. Check it, then put it into the {field}."
    answer = tests[-1]
    if answer.kind in (Kind.ANSWER, Kind.REFUSED):
        came = f"a read there gets {answer.answer}"
        return f"{named}, and {came}: put it into the {field}, and run this again."
    if not answer.status and _is_upgrade(probe):
        return (
            f"{named}, which is https on the same host, and no response comes there "
            f"({answer.problem}). The redirect may leave out a port: ask whoever runs the service "
            "for its address with https, and put it into the Address."
        )
    return f"{named}, but a read there gets no answer of the service. {WHO}"


def _is_at_port_in_vain(evidence: Evidence, redirect: Probe) -> bool:
    """Tell whether a redirect names another port of the host, where the service does not reply."""
    tests = evidence.sent_for(Question.OTHER_ADDRESS)
    if not redirects.is_other_port(redirect) or not redirects.other_address(evidence):
        return False
    return bool(tests) and tests[-1].kind not in (Kind.ANSWER, Kind.REFUSED)


def _other_port_in_vain(redirect: Probe) -> str:
    """Tell what to do about a redirect to another port, where the service does not reply."""
    return (
        f"{redirect.path} is redirected to {redact_url(redirect.location)}, another port of the "
        "same host, and a read there gets no answer of the service. A proxy may leave out the "
        "port, or name one of its own: ask whoever runs it, or the service's support. The Address "
        "may be right."
    )


def _is_upgrade(probe: Probe) -> bool:
    """Tell whether a redirect leads from http to https on the same host."""
    sent, named = urlsplit(probe.request.url), urlsplit(probe.location)
    return (sent.scheme, named.scheme) == ("http", "https") and sent.hostname == named.hostname


def _adds_to_query(probe: Probe) -> str:
    """Tell what to do about a redirect to the same path with more in its query."""
    names = names_in_words(probe.added_parameters)
    return (
        f"A read is redirected to the same path with {names} in its query "
        f"({probe.status}), so something wants that with each request. The paths of uploads, "
        "catalogs and segments have no query, and no setting adds one: ask whoever runs it, or the "
        "service's support, to do without"
    )


def _field_of_address(settings: WesSettings, address: str) -> str:
    """Tell which field of the connection an address belongs into."""
    if urlsplit(address).hostname == urlsplit(settings.base_url).hostname:
        return "Address"
    first_label = urlsplit(address).netloc.partition(".")[0]
    digits = "".join(character for character in first_label if character.isdigit())
    if not digits:
        return "Address"
    return f"Address, or {digits} into {DATA_CENTER}"


def conclude_on_moved(evidence: Evidence, moved: redirects.Moved) -> Finding:
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
            certainty=Certainty.NOT_PROVED,
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
            certainty=Certainty.WRONG,
            text=text,
            probes=probes,
        )
    text = f"{named}, but a read there gets {test.answer}{sayings.words_of(test)}. {WHO}"
    return Finding(
        topic=Topic.ADDRESS,
        certainty=Certainty.NOT_PROVED,
        text=text,
        probes=probes,
    )


def conclude_on_versionless(evidence: Evidence, below: redirects.Versionless) -> Finding:
    """Tell what holds if the address ends with a version, and the service is where it does not."""
    address = redact_url(below.address)
    version = evidence.settings.base_url.rpartition("/")[2]
    came = f"a read of the list gets {below.listed.answer}"
    afterwards = "run this again."
    probes = [*evidence.list_answers, below.listed]
    if below.nowhere is not None:
        probes.append(below.nowhere)
    if not below.has_list and below.nowhere is not None:
        came += (
            f"{sayings.words_of(below.listed)}, and one of a path that does not exist "
            f"{below.nowhere.answer}"
        )
        afterwards = "run this again, which judges the keys."
    return Finding(
        topic=Topic.ADDRESS,
        certainty=Certainty.WRONG,
        text=(
            f"The Address ends with /{version}, and paths begin with a version themselves: below "
            f"{address}, {came}. Leave /{version} out of the Address, and {afterwards}"
        ),
        probes=tuple(probes),
    )


def conclude_on_moved_coupons(moved: redirects.Moved) -> list[Finding]:
    """
    Tell what holds if each read with the campaign key is redirected below another address, and
    those of segments are not: uploads and catalogs have paths that no setting changes.
    """
    address = redact_url(moved.address)
    first = moved.redirects[0]
    text = (
        f"Each read of coupons is redirected below {address}, even of a path that does not exist, "
        f"such as that of {first.path} ({first.status}); reads of segments are not. "
    )
    advice = hosts.connection_besides(address, first.request.operation.key, "as redirects show")
    return [
        Finding(
            topic=Topic.ADDRESS,
            certainty=Certainty.WRONG,
            text=f"{text}{advice}",
            probes=(*moved.redirects[:2], *moved.tests, *moved.redirects[2:]),
        ),
        *(
            Finding(
                topic=topic,
                certainty=Certainty.NOT_SHOWN,
                text=f"Not settled here: see {Topic.ADDRESS.value}.",
            )
            for topic in (Topic.LIST_PATH, Topic.FILE_PATH, Topic.UPLOAD)
        ),
    ]


def conclude_on_outage(evidence: Evidence, lost: Sequence[Probe]) -> Finding:
    """Tell what holds if the service went away while it was read."""
    last = lost[-1]
    again = AGAIN
    wait = retry_after(last, last.sent_at)
    if wait:
        end = date_or_clock(last.sent_at + wait, last.sent_at)
        again = f"Run this again after {end}, as its headers say."
    before = counted(len(evidence.probes) - len(lost), "read")
    text = f"After {before}, since {lost[0].time} UTC, {no_answer(lost)}{sayings.words_of(last)}."
    if last in errors_of_proxy(evidence):
        again = proxy_says(last)
    if facts.may_be_shut_out(evidence, lost):
        again = SHUT_OUT
    return Finding(
        topic=Topic.ADDRESS,
        certainty=Certainty.NOT_PROVED,
        text=f"{text} {again}",
        probes=tuple(lost),
    )


def conclude_on_address(evidence: Evidence) -> Finding:
    """Conclude on the address, if a read shows that something replies there."""
    settings = evidence.settings
    answers = evidence.list_answers
    kinds = {probe.kind for probe in answers}
    is_unchecked = settings.base_url.startswith("https") and settings.verify is False
    # Whether a key is accepted says nothing about the address.
    is_changing = len(kinds) > 1 and bool(kinds & {Kind.NOT_SERVICE, Kind.ELSEWHERE})
    way = proxy_sentence(settings)
    probes = redirects.circle(evidence) or redirects.differing_redirects(evidence)
    if is_changing and not probes:
        probes = answers
    return conclude(
        Topic.ADDRESS,
        probes,
        *_rows_of_redirects(evidence, way),
        Row(
            applies=not key_facts.is_service(evidence) and kinds == {Kind.REFUSED},
            certainty=Certainty.NOT_SHOWN,
            text="It refuses the key; whether it is the service is not shown.",
        ),
        Row(
            applies=not key_facts.is_service(evidence) and facts.is_list_odd_alone(evidence),
            certainty=Certainty.NOT_PROVED,
            text=f"{_odd_list(evidence)}{way}",
        ),
        Row(
            applies=not key_facts.is_service(evidence) and _has_list_alone(evidence),
            certainty=Certainty.NOT_PROVED,
            text=f"{_list_alone(evidence)}{way}",
        ),
        Row(
            applies=not key_facts.is_service(evidence),
            certainty=Certainty.NOT_PROVED,
            text=(
                "It responds, but no reply shows that it is the service. "
                f"{_same_everywhere(evidence) or WHO}{way}"
            ),
        ),
        Row(
            applies=bool(evidence.out_of_time),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"It responds, but {evidence.out_of_time}. So not all questions were asked. "
                f"{AGAIN} If it stays so slow, ask the service's support."
            ),
        ),
        Row(
            applies=bool(cached_reply(evidence)),
            certainty=Certainty.NOT_PROVED,
            text=_cached(evidence),
        ),
        Row(
            applies=facts.is_nothing_there(evidence),
            certainty=Certainty.NOT_PROVED,
            text=f"{_same_everywhere(evidence)}{way}",
        ),
        Row(
            applies=bool(proxy_says_at_times(evidence)),
            certainty=Certainty.NOT_PROVED,
            text=f"It responds, but not each time. {proxy_says_at_times(evidence)}{way}",
        ),
        Row(
            applies=bool(facts.failing_replies(evidence)),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"It responds, but {facts.failing_replies(evidence)}: {_why_some_fail(evidence)}. "
                "Change no setting, and ask the service's support."
            ),
        ),
        Row(
            applies=is_unchecked,
            certainty=Certainty.NOT_SHOWN,
            text=f"Certificates are not checked, since {VERIFY} is false.",
            needs_action=True,
        ),
        Row(
            applies=True,
            certainty=Certainty.SURE,
            text=f"It responds{_slowly(evidence)}.{way}",
            needs_action=bool(_slowly(evidence)),
        ),
    )


def _has_list_alone(evidence: Evidence) -> bool:
    """
    Tell whether a read got the list's files, and neither another path nor a made-up key showed what
    they get.
    """
    compared = evidence.of(Question.NO_SUCH_PATH, Question.MADE_UP_KEY)
    return bool(facts.places(evidence).listed_files) and not compared


def _list_alone(evidence: Evidence) -> str:
    """Tell what holds if a read got the list's files, and nothing was compared with that."""
    why = evidence.why_not_asked(Question.NO_SUCH_PATH)
    what_to_do = AGAIN
    if facts.quota(evidence):
        what_to_do = f"See {Topic.LIMITS.value}."
    return (
        "It responds, and a read got the list's files. That it is the service was not confirmed by "
        f"another path, because {why}. {what_to_do}"
    )


def _rows_of_redirects(evidence: Evidence, way: str) -> list[Row]:
    """Tell what holds if redirects lead to each other, or differ by path."""
    settings = evidence.settings
    circle = redirects.circle(evidence)
    differing = redirects.differing_redirects(evidence)
    where = ", ".join(f"{probe.path} to {redact_url(probe.location)}" for probe in differing)
    names_address = [redirects.named_address(settings, probe) for probe in differing]
    # If the list is found where one of them leads, the rows of the paths say so.
    is_found = facts.places(evidence).listed is not None
    return [
        Row(
            applies=bool(circle),
            certainty=Certainty.NOT_PROVED,
            text=f"{_in_circle(circle)}{way}",
        ),
        Row(
            applies=bool(differing) and not any(names_address) and not is_found,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"Redirects differ by path: {where}. They stay at this Address, which may be "
                "right: ask the service's support for its paths."
            ),
        ),
        Row(
            applies=bool(differing) and any(names_address),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"Redirects differ by path: {where}. No one Address fits all: ask the service's "
                "support for it."
            ),
        ),
    ]


def _in_circle(circle: Sequence[Probe]) -> str:
    """Tell what to do about two redirects that lead to each other; empty if there are none."""
    if not circle:
        return ""
    first, second = circle
    return (
        f"Redirects go in a circle: {first.path} leads to {second.path}, and that back. Two "
        "layers, such as a gateway and the service, disagree about the form of paths: change "
        "neither the Address nor paths, and show this to whoever runs them. No key was judged."
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
    why = why_list_is_cut(evidence.list_answers) or why_unreadable(first)
    return f"{why}; the Address may be right, but no other reply shows that it is the service."


def _cached(evidence: Evidence) -> str:
    """Tell what to do about a cache, which may keep old lists and statuses, and ignore keys."""
    keys = ""
    at_list = evidence.of(Question.MADE_UP_KEY)[:1]
    if not any(map(facts.is_refused, at_list)):
        keys = ", and keys are perhaps not checked"
    paths = cached_paths(evidence)
    return (
        f"A cache replies in the service's place to {' and '.join(paths[:MOST_PATHS])} "
        f"({cached_reply(evidence)}): ask whoever runs it to leave out what tasks read, or they "
        f"may read an old list or an old status{keys}."
    )


def _same_everywhere(evidence: Evidence) -> str:
    """Tell what to say if each path gets the same 404, with whatever key; empty if it does not."""
    if not facts.is_nothing_there(evidence):
        return ""
    first = evidence.list_answers[0]
    return (
        f"Each path gets the same {first.status}, with whatever key{sayings.words_of(first)}. The "
        "Address may lack a part, such as the prefix of a gateway, or be another one: check it. "
        "Nothing shows what the keys are worth."
    )


def _why_some_fail(evidence: Evidence) -> str:
    """Tell why several replies may be failures, while others to the same requests are answers."""
    if facts.only_first_reads_fail(evidence):
        return (
            "each time the first read of a path, so the service may start up only when it is asked"
        )
    return "it may be that one of several nodes behind the Address fails"


def _slowly(evidence: Evidence) -> str:
    """Tell how long replies take if some are slow, as the end of a sentence; empty if none is."""
    took = [probe.took for probe in evidence.replies]
    slow = [seconds for seconds in took if seconds > SLOW]
    if not slow:
        return ""
    which = f"{len(slow)} of {len(took)} replies"
    return f", but {which} took more than {SLOW:.0f} s, up to {max(slow):.1f} s"
