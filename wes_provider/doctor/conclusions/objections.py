"""What to do if each read gets the same error, whatever its path. Pure."""

from __future__ import annotations

import re
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from wes_provider.connection_form import LABELS
from wes_provider.doctor.findings.finding import Certainty, Finding, Topic
from wes_provider.doctor.reads import facts, redirects, sayings
from wes_provider.doctor.reads.evidence import Evidence
from wes_provider.doctor.replies import remedies
from wes_provider.doctor.replies.hosts import other_host, second_connection
from wes_provider.doctor.replies.list_names import about_other_names, other_lists
from wes_provider.doctor.replies.probes import Keys, Kind, Probe, Question, names_header
from wes_provider.doctor.replies.remedies import says_https_only, wanted_form
from wes_provider.doctor.replies.subjects import in_words

__all__ = ["about_account", "conclude_on_objection", "wants_https"]

KEY = Topic.CAMPAIGN_KEY.value
DATA_KEY = Topic.DATA_KEY.value
LOGIN = LABELS["login"]
DATA_CENTER = LABELS["data_center"]
ADDRESS_WORDS: Final = re.compile(
    r"\b(?:data[ -]?cent(?:er|re)|region|cluster|host)s?\b", re.IGNORECASE
)
# That an account is somewhere else than here.
ELSEWHERE: Final = re.compile(
    r"\b(?:wrong|another|other|different|incorrect|invalid|unknown|not|no|misdirected|misrouted|must|use|moved|"
    r"located|hosted|home)\b",
    re.IGNORECASE,
)
# A place by its name: a host, a name with a number, or a part of the world.
NAMED_PLACE: Final = re.compile(
    r"https?://|\b(?:[a-z0-9-]+\.){2,}[a-z]{2,}\b|"
    r"\b(?:data[ -]?cent(?:er|re)|region|cluster|host)\b[^\w.;]{0,3}[a-z-]{0,20}\d|"
    r"\b(?:eu|us|na|sa|ca|ap|me|af|uk|de)-[a-z]*-?\d|"
    r"\b(?:in|to|is|use|of|region|cluster)\b[ :=]+(?:the )?['\"`(]?"
    # In capitals, since "us" is a word.
    r"(?:(?-i:EU|EMEA|US|USA|APAC|LATAM|UK)|europe|america|asia)\b",
    re.IGNORECASE,
)
RUN_AGAIN: Final = "and run this again."


class Conclusion(NamedTuple):
    """
    What an error to each read is about, and what to do.

    :ivar is_proved: whether a read with what is to be set gets no such error.
    """

    topic: Topic
    what_to_do: str
    is_proved: bool = False


def conclude_on_objection(evidence: Evidence, objection: Probe) -> Finding:
    """
    Conclude on the one error that each read gets.

    :param objection: the first read that got it.
    """
    conclusion = _conclude(evidence, objection)
    who = "The service or a gateway"
    certainty = Certainty.NOT_PROVED
    if objection.is_documented_error:
        who = "The service"
    if objection.is_documented_error or conclusion.is_proved:
        certainty = Certainty.WRONG
    others = evidence.of(Question.DATA_KEY)
    known = _tells_keys_apart(evidence, objection)
    holds = ""
    if conclusion.topic is Topic.ACCOUNT:
        holds = _header_holds(evidence, objection)
    with_key = ""
    also = ""
    if known:
        with_key = " with these keys"
        also = f" {known}"
    if any(probe.answer != objection.answer for probe in others):
        with_key = f" with the {KEY}"
        others = [probe for probe in others if facts.is_refused(probe)]
        if others:
            also += f" The {DATA_KEY} is refused ({others[0].answer}): check it, too."
    return Finding(
        topic=conclusion.topic,
        certainty=certainty,
        text=(
            f"{who} replies {objection.answer} to each read{with_key}, whatever its path"
            f"{sayings.words_of(objection)}.{holds} {conclusion.what_to_do}{also}"
        ),
        probes=(
            *evidence.list_answers,
            *others,
            *evidence.of(Question.NO_SUCH_PATH),
            *evidence.sent_for(Question.OTHER_ADDRESS),
        ),
    )


def _tells_keys_apart(evidence: Evidence, objection: Probe) -> str:
    """
    Tell that the service knows the keys, as a sentence, since others get another reply; empty if
    none was sent, or they get the same.
    """
    for probe in evidence.probes:
        is_other = probe.keys is not Keys.OWN and not probe.is_lost
        if is_other and probe.answer != objection.answer:
            return f"Other keys get {probe.answer}, so it knows these: make no new ones."
    return ""


def _header_holds(evidence: Evidence, objection: Probe) -> str:
    """
    Tell what the header has that an error names, after a sentence; empty if it names none, or says
    which form it has to have.
    """
    header = evidence.settings.workspace_header
    if not names_header(objection, header) or wanted_form(objection.message):
        return ""
    return f" {header} holds the {LOGIN}: check it."


def _conclude(evidence: Evidence, objection: Probe) -> Conclusion:
    """Return what the error is about: the first of these that it names."""
    for conclude in CONCLUSIONS:
        conclusion = conclude(evidence, objection)
        if conclusion is not None:
            return conclusion
    return Conclusion(
        topic=Topic.ACCOUNT,
        what_to_do=sayings.advice_of(objection),
    )


def _of_other_host(evidence: Evidence, objection: Probe) -> Conclusion | None:
    """Tell what to do if coupons are on another host, and segments are here."""
    if not facts.answers_segments(evidence) or not other_host(objection):
        return None
    return Conclusion(
        topic=Topic.CAMPAIGN_KEY,
        what_to_do=second_connection(objection),
    )


def _of_data_center(evidence: Evidence, objection: Probe) -> Conclusion | None:
    """Tell what to do if the error names another data center, or says that this one is wrong."""
    other = facts.other_data_center(evidence, objection)
    if other is None:
        if objection.status == 421:
            return _set_address(evidence, objection)
        return None
    tests = evidence.of(Question.OTHER_ADDRESS)
    is_there = bool(tests) and tests[-1].kind in (Kind.ANSWER, Kind.REFUSED)
    if is_there and not facts.is_objection(tests[-1]):
        text = (
            f"In data center {other.number}, a read gets {tests[-1].answer}: set {DATA_CENTER} "
            f'(data_center) to "{other.number}", {RUN_AGAIN}'
        )
        return Conclusion(
            topic=Topic.ADDRESS,
            what_to_do=text,
            is_proved=True,
        )
    text = f'Set {DATA_CENTER} (data_center) to "{other.number}", as it says, {RUN_AGAIN}'
    lost = evidence.sent_for(Question.OTHER_ADDRESS)
    if lost and lost[-1].kind is Kind.NOT_NOW and lost[-1].status:
        came = f"{lost[-1].status}{sayings.words_of(lost[-1])}"
        text = (
            f'Set {DATA_CENTER} (data_center) to "{other.number}", as it says. A read there gets '
            f"{came}: run this again when that is over."
        )
    return Conclusion(
        topic=Topic.ADDRESS,
        what_to_do=text,
    )


def wants_https(probe: Probe) -> bool:
    """Tell whether what replied takes HTTPS only, by its words or its header ``Upgrade``."""
    if probe.status < 400:
        return False
    if probe.status == 426 and "tls" in probe.response.headers.get("upgrade", "").lower():
        return True
    return says_https_only(f"{probe.code} {probe.message} {probe.text[: sayings.SAYS]}")


def _of_https(evidence: Evidence, objection: Probe) -> Conclusion | None:
    """Tell what to do if the address has HTTP, and the error is that HTTPS is taken only."""
    if not evidence.settings.base_url.startswith("http://") or not wants_https(objection):
        return None
    return Conclusion(
        topic=Topic.ADDRESS,
        what_to_do=remedies.WRITE_HTTPS,
    )


def _of_path(evidence: Evidence, objection: Probe) -> Conclusion | None:
    """Tell what to do if the error names a part that paths have to begin with."""
    address = redirects.address_with_account(evidence.settings, objection)
    if not address:
        return None
    tests = evidence.of(Question.OTHER_ADDRESS)
    is_there = bool(tests) and tests[-1].answer != objection.answer
    if is_there and tests[-1].kind in (Kind.ANSWER, Kind.REFUSED):
        text = (
            f"Below {address}, a read gets {tests[-1].answer}: put that into the Address, "
            f"{RUN_AGAIN}"
        )
        return Conclusion(
            topic=Topic.ADDRESS,
            what_to_do=text,
            is_proved=True,
        )
    text = f"Put {address} into the Address, as it says, {RUN_AGAIN}"
    return Conclusion(
        topic=Topic.ADDRESS,
        what_to_do=text,
    )


def _of_list(evidence: Evidence, objection: Probe) -> Conclusion | None:
    """Tell what to do if the error is about the identifier of the list."""
    list_id = evidence.list_id
    if not evidence.names_a_list or objection.status in (401, 403):
        return None
    other_names = about_other_names(other_lists(objection.message, list_id))
    if other_names:
        return Conclusion(Topic.LIST_PATH, other_names)
    if list_id not in objection.message or objection.status > 400:
        return None
    return Conclusion(
        Topic.LIST_PATH,
        "It is about the list's identifier: name the list as the service's dashboard does, in "
        f"place of {list_id}, {RUN_AGAIN}",
    )


def _of_address(evidence: Evidence, objection: Probe) -> Conclusion | None:
    """Tell what to do if the error is about the address: where the account is, or is not."""
    if other_host(objection):
        return _set_address(evidence, objection)
    words = in_words(objection.code, objection.message)
    is_elsewhere = ELSEWHERE.search(words) is not None or NAMED_PLACE.search(words) is not None
    if ADDRESS_WORDS.search(words) is None or not is_elsewhere:
        return None
    return _set_address(evidence, objection)


def _set_address(evidence: Evidence, objection: Probe) -> Conclusion:
    """Tell to set the address to the place that an error names, or to find out which that is."""
    setting = "Address"
    besides = _or_data_center(evidence)
    if evidence.is_made_of_data_center:
        setting = f"{DATA_CENTER} (data_center), which the Address is made of,"
    if other_host(objection) or NAMED_PLACE.search(objection.message):
        text = f"Set the {setting} to what it says{besides}, {RUN_AGAIN}"
    else:
        text = (
            "It does not say where the account is: the service's dashboard or its support does. "
            f"Set the {setting} to that{besides}, {RUN_AGAIN}"
        )
    return Conclusion(topic=Topic.ADDRESS, what_to_do=text)


def _or_data_center(evidence: Evidence) -> str:
    """
    Return the setting besides the address that may have the data center, in parentheses; empty if
    the host has no number that it can be.
    """
    host = urlsplit(evidence.settings.base_url).hostname or ""
    if evidence.host or re.search(r"[a-z]", host) is None or re.search(r"\d", host) is None:
        return ""
    return f" ({DATA_CENTER}, if the Address has {{data_center}})"


def _of_account(evidence: Evidence, objection: Probe) -> Conclusion | None:
    """
    Tell what to do if the keys are of another account than the login, or nobody has that account.
    """
    what_to_do = about_account(evidence, objection)
    if what_to_do:
        return Conclusion(
            topic=Topic.ACCOUNT,
            what_to_do=what_to_do,
        )
    return None


def about_account(evidence: Evidence, probe: Probe) -> str:
    """
    Tell what to do about an error that is about the account that requests name; empty if it is
    about something else.
    """
    login = evidence.settings.workspace_id
    place = remedies.other_place(in_words(probe.code, probe.message))
    if not place and not remedies.names_account(f"{probe.code} {probe.message}"):
        return ""
    other = remedies.other_account(probe.message, login)
    if other:
        return (
            f"The {LOGIN} (login) is {login}: put {other} there, or paste the keys of {login}, "
            f"{RUN_AGAIN}"
        )
    where = "Address"
    if evidence.is_made_of_data_center:
        where = DATA_CENTER
    if place:
        return (
            f"So it is probably of another {place}: find out which one has {login}, in the "
            f"service's dashboard or from its support, and set the {where} to it, {RUN_AGAIN} If "
            f"it is this {place}, check the {LOGIN} (login)."
        )
    return (
        f"The {LOGIN} (login) is {login}: check it, whether the keys are of it, and the {where}, "
        f"{RUN_AGAIN}"
    )


def _of_scheme(_evidence: Evidence, objection: Probe) -> Conclusion | None:
    """Tell what to do if a gateway takes other credentials than the provider sends."""
    text = sayings.advice_of_scheme(objection)
    if text:
        return Conclusion(
            topic=Topic.ACCOUNT,
            what_to_do=text,
        )
    return None


def _of_machine(_evidence: Evidence, objection: Probe) -> Conclusion | None:
    """
    Tell what to do if nothing but a refusal came, as of a gateway that does not know this machine.
    """
    is_bare = not objection.code and remedies.is_bare_refusal(objection.message)
    if objection.status != 403 or not is_bare:
        return None
    text = (
        f"It does not say why, as a gateway or a firewall that does not let this machine in: first "
        f"{remedies.LET_IN}"
    )
    return Conclusion(
        topic=Topic.ACCOUNT,
        what_to_do=text,
    )


def _of_form(evidence: Evidence, objection: Probe) -> Conclusion | None:
    """Tell what to do if the workspace identifier has to have another form, such as a UUID."""
    settings = evidence.settings
    form = wanted_form(objection.message)
    is_named = names_header(objection, settings.workspace_header)
    if not form or not (is_named or settings.workspace_id in objection.message):
        return None
    text = (
        f"It takes the {LOGIN} (login) in another form only ({form}): put in the one that the "
        f"service's dashboard has, in place of {settings.workspace_id}, {RUN_AGAIN} No key was "
        "judged."
    )
    return Conclusion(
        topic=Topic.ACCOUNT,
        what_to_do=text,
    )


CONCLUSIONS: Final = (
    _of_https,
    _of_other_host,
    _of_data_center,
    _of_path,
    _of_form,
    _of_list,
    _of_account,
    _of_scheme,
    _of_address,
    _of_machine,
)
"""What an error may be about; the first one counts that its words name."""
