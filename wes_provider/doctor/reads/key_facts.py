"""How the service takes each key, as reads show it. Pure: evidence in, facts out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum, auto
from typing import Final, NamedTuple

from wes_provider import contract
from wes_provider.client import requests
from wes_provider.client.requests import Request
from wes_provider.doctor.reads import facts
from wes_provider.doctor.reads.effects import has_what_was_asked
from wes_provider.doctor.reads.evidence import MADE_UP, Evidence, list_at, listed_in
from wes_provider.doctor.reads.header import current_settings
from wes_provider.doctor.reads.sayings import words_of
from wes_provider.doctor.replies import remedies
from wes_provider.doctor.replies.hosts import leads_to_login, other_host
from wes_provider.doctor.replies.probes import Form, Keys, Kind, Probe, Question, same_reply
from wes_provider.doctor.replies.subjects import Subject

__all__ = [
    "KeyFact",
    "Standing",
    "Swapped",
    "are_no_keys_checked",
    "campaign_key",
    "campaign_key_at_list",
    "data_key",
    "file_to_compare",
    "has_got_files",
    "is_about_key",
    "is_on_other_host",
    "is_service",
    "may_be_another_key",
    "objection",
    "refused_elsewhere",
    "says_more_than_refused",
    "silent_refusal",
    "swapped_keys",
]

WORD_FOR_KEY: Final = re.compile(
    r"\b(?:api[ -]?)?(?:key|token|credential|schlüssel|clé|clave|chave|chiave)s?\b", re.IGNORECASE
)


def objection(evidence: Evidence) -> Probe | None:
    """
    Return the read of the list whose error is about each request, since a path that does not exist
    gets the same; ``None`` if there is none.
    """
    answers = evidence.list_answers
    nowhere = evidence.of(Question.NO_SUCH_PATH)
    if len(answers) < 2 or not nowhere or any(swapped_keys(evidence)):
        return None
    first = answers[0]
    compared = [*answers, *nowhere]
    if first.error_status in (403, 404):
        # Else it may be that the campaign key has no access, or the list is not there.
        compared += evidence.of(Question.DATA_KEY)
    if any(probe.answer != first.answer for probe in compared):
        return None
    if facts.is_about_stage(first) and facts.places(evidence).listed is not None:
        return None  # a gateway says so of paths that it does not have, and it has another one
    if facts.may_be_general(first):
        return first
    return None


def is_service(evidence: Evidence) -> bool:
    """
    Tell whether the service has shown itself at the address.

    It tells keys apart, sends an error as the contract shows it, or lists files at a path and not
    at every path.
    """
    standings = {campaign_key(evidence).standing, data_key(evidence).standing}
    if standings & {Standing.ACCEPTED, Standing.ACCEPTED_ONCE}:
        return True
    answers = [probe for probe in evidence.probes if probe.kind in (Kind.ANSWER, Kind.REFUSED)]
    if any(probe.is_documented_error for probe in answers):
        return True
    nowhere = evidence.nowhere
    is_everywhere = not nowhere or has_what_was_asked(nowhere[0])
    return bool(facts.places(evidence).listed_files) and not is_everywhere


class Standing(Enum):
    """How the service takes a key."""

    ACCEPTED = auto()
    ACCEPTED_ONCE = auto()
    BOTH = auto()  # accepted at some time or place, and refused at another
    REFUSED = auto()
    REFUSED_ONCE = auto()
    NOT_SHOWN = auto()
    NO_ANSWER = auto()


class KeyFact(NamedTuple):
    """
    How the service takes a key: the answers to a read with it, and with a made-up one.

    :ivar lost: the reads with it that got no answer.
    """

    standing: Standing
    own: Sequence[Probe] = ()
    made_up: Probe | None = None
    lost: Sequence[Probe] = ()

    @property
    def is_accepted(self) -> bool:
        """Whether the service accepts the key, as far as it was read."""
        return self.standing in (Standing.ACCEPTED, Standing.ACCEPTED_ONCE)

    @property
    def probes(self) -> list[Probe]:
        """All reads that it rests on."""
        probes = [*self.own, *self.lost]
        if self.made_up is not None:
            probes.append(self.made_up)
        return probes

    @property
    def own_answer(self) -> str:
        """What came first with the own key; empty if nothing did."""
        if self.own:
            return str(self.own[0].answer)
        return ""

    @property
    def own_says(self) -> str:
        """What came first with the own key, with the service's own words."""
        if self.own:
            return f"{self.own_answer}{words_of(self.own[0])}"
        return ""

    @property
    def without_access(self) -> Probe | None:
        """The first reply that says that the key lacks access; ``None`` without one."""
        for probe in self.own:
            if probe.error_status == 403 or facts.hides(probe):
                return probe
        return None

    @property
    def says_without_access(self) -> str:
        """That reply, with the service's own words; empty without one."""
        if self.without_access is None:
            return ""
        return f"{self.without_access.answer}{words_of(self.without_access)}"

    @property
    def names_a_reason(self) -> bool:
        """Whether the refusals say what became of the key."""
        return bool(self.own) and self.own[0].names_a_reason

    @property
    def is_hidden(self) -> bool:
        """Whether a 404 came whose headers or words say that the key lacks a permission."""
        return any(map(facts.hides, self.own))

    @property
    def is_forbidden(self) -> bool:
        """Whether the key is accepted, but a reply said that the account has no access."""
        return any(probe.error_status == 403 for probe in self.own)


def says_more_than_refused(fact: KeyFact) -> bool:
    """
    Tell whether the refusals of a key say more than that it is not accepted: whether that is about
    this key, only another one shows.
    """
    if not fact.own or fact.own[0].form is Form.PAGE:
        return False
    message = fact.own[0].message
    says_nothing = (
        not message
        or remedies.is_stock_sentence(message)
        or remedies.is_bare_refusal_of_key(message)
    )
    return not says_nothing and not fact.names_a_reason


def campaign_key(evidence: Evidence) -> KeyFact:
    """Tell how the service takes the campaign API key."""
    made_up = evidence.of(Question.MADE_UP_KEY)
    settings = current_settings(evidence)
    request = list_at(settings, settings.coupon_files_path, evidence.list_id)
    if made_up:
        # The last one, since the keys are compared at one file if a made-up one gets the list.
        request = made_up[-1].request
    fact = _key_fact(evidence, request)
    if fact.standing in (Standing.ACCEPTED, Standing.ACCEPTED_ONCE) and refused_elsewhere(evidence):
        return fact._replace(standing=Standing.BOTH)
    return fact


def campaign_key_at_list(evidence: Evidence) -> KeyFact:
    """
    Tell how the service takes the campaign API key where a made-up one was sent first, which is the
    list: the keys may be compared at one file, too.
    """
    made_up = evidence.of(Question.MADE_UP_KEY)
    if not made_up:
        return campaign_key(evidence)
    return _key_fact(evidence, made_up[0].request)


def are_no_keys_checked(evidence: Evidence) -> bool:
    """
    Tell whether made-up keys get what the own ones get, wherever both were read: the files of a
    list, and segments.
    """
    compared = [
        (_key_fact(evidence, probe.request).own, probe)
        for probe in evidence.of(Question.MADE_UP_KEY, Question.MADE_UP_DATA_KEY)
    ]
    are_alike = all(own and same_reply(own[0], made_up) for own, made_up in compared)
    has_files = any(has_what_was_asked(made_up) for _, made_up in compared)
    are_both_keys = len({made_up.request.operation.key for _, made_up in compared}) == 2
    return are_alike and has_files and are_both_keys


def file_to_compare(evidence: Evidence) -> Probe | None:
    """
    Return the read of one file at which keys can be compared, if a made-up one gets the list's
    files as the own one does; ``None`` if it does not, or was compared there already.
    """
    made_up = evidence.of(Question.MADE_UP_KEY)
    if len(made_up) != 1 or campaign_key(evidence).standing is not Standing.NOT_SHOWN:
        return None
    if not made_up[0].has_succeeded or not has_what_was_asked(made_up[0]):
        return None
    reads = evidence.of(Question.FILE_PATH)
    told = [probe for probe in reads if probe.has_succeeded or probe.kind is Kind.REFUSED]
    return next(iter(told), None)


def has_got_files(evidence: Evidence) -> bool:
    """
    Tell whether a read with the campaign key got what it asked for: a list's files, or one file.
    """
    asked = evidence.of(
        Question.LIST,
        Question.LIST_PATH,
        Question.WHOLE_LIST,
        Question.FILE_PATH,
        Question.AGAIN,
        Question.HEADER,
    )
    return any(
        probe.has_succeeded and probe.request.operation.key is contract.Key.CAMPAIGN
        for probe in asked
    )


def is_on_other_host(evidence: Evidence, fact: KeyFact) -> bool:
    """Tell whether each read with the data key names another host, while coupons are here."""
    are_coupons_here = any(map(facts.is_here, evidence.list_answers))
    return bool(fact.own) and all(map(other_host, fact.own)) and are_coupons_here


def silent_refusal(evidence: Evidence) -> Probe | None:
    """
    Return the reply with the status of a success, and without an error, that a made-up key got in
    place of files; ``None`` if there is none.
    """
    fact = campaign_key(evidence)
    if not fact.is_accepted or fact.made_up is None:
        return None
    if fact.made_up.has_succeeded and has_what_was_asked(fact.own[0]):
        return fact.made_up
    return None


def refused_elsewhere(evidence: Evidence) -> list[Probe]:
    """
    Return the reads of a file, or of another path of the list, that are refused, though the service
    does not refuse each read of a path that it does not have.
    """
    if facts.refuses_no_such_path(evidence):
        return []
    return [
        probe
        for probe in evidence.of(Question.FILE_PATH, Question.LIST_PATH)
        if facts.is_refused(probe)
    ]


def data_key(evidence: Evidence) -> KeyFact:
    """Tell how the service takes the data API key."""
    return _key_fact(evidence, requests.read_segment(current_settings(evidence), MADE_UP))


def _key_fact(evidence: Evidence, request: Request) -> KeyFact:
    own = evidence.answers_to(request)
    made_up = next(iter(evidence.answers_to(request, Keys.MADE_UP)), None)
    lost = evidence.lost_reads(request)
    if not own:
        return KeyFact(
            standing=Standing.NO_ANSWER,
            own=own,
            made_up=made_up,
            lost=lost,
        )
    is_once = len(own) == 1
    is_first_refused = facts.is_refused(own[0])
    is_told_apart = made_up is not None and _is_told_apart(evidence, own, made_up)
    if made_up is not None and _has_error_of_made_up_keys(evidence, own, made_up):
        is_first_refused = True
    rows = (
        ({Kind.REFUSED, Kind.ANSWER} <= {probe.kind for probe in own}, Standing.BOTH),
        (is_first_refused and is_once, Standing.REFUSED_ONCE),
        (is_first_refused, Standing.REFUSED),
        (is_told_apart and is_once, Standing.ACCEPTED_ONCE),
        (is_told_apart, Standing.ACCEPTED),
        (True, Standing.NOT_SHOWN),
    )
    standing = next(standing for holds, standing in rows if holds)
    return KeyFact(
        standing=standing,
        own=own,
        made_up=made_up,
        lost=lost,
    )


def _is_forbidden_otherwise(own: Probe, made_up: Probe) -> bool:
    """Tell whether a made-up key gets a 403, and the own one none, or one for another reason."""
    if made_up.error_status != 403:
        return False
    return own.error_status != 403 or _lacks_permission(own, made_up)


def _lacks_permission(own: Probe, made_up: Probe) -> bool:
    """
    Tell whether a key is known by the words of its 403, which are about a permission, while those
    for a made-up key are about something else.
    """
    is_about_it = own.error_status == 403 and own.is_about(Subject.SCOPE)
    return is_about_it and not made_up.is_about(Subject.SCOPE) and not same_reply(own, made_up)


def _has_error_of_made_up_keys(evidence: Evidence, own: Sequence[Probe], made_up: Probe) -> bool:
    """
    Tell whether a key gets the error that made-up keys get, in the body of a success, where the
    other key gets something else.
    """
    if not made_up.has_2xx or not made_up.has_error:
        return False
    if any(probe.answer != made_up.answer for probe in own):
        return False
    for other in evidence.of(Question.MADE_UP_KEY, Question.MADE_UP_DATA_KEY):
        others = evidence.answers_to(other.request)
        is_another = bool(others) and all(probe.answer != other.answer for probe in others)
        if other.answer == made_up.answer and is_another:
            return True
    return False


def _is_let_in(own: Probe) -> bool:
    """Tell whether a read was not refused; a path that does not exist may get a web page."""
    return own.kind is Kind.ANSWER or own.status in (404, 405)


def _is_told_apart(evidence: Evidence, own: Sequence[Probe], made_up: Probe) -> bool:
    """
    Tell whether a made-up key is kept out: it is refused, or led to a login page, while the own one
    gets an answer; or it gets another answer than the own one gets each of several times, of a
    service that refuses no made-up key. Else another node may have answered.
    """
    first = own[0]
    if all(map(facts.is_odd, own)) and facts.is_list_odd(evidence):
        return _is_odd_for_own_key_only(first, made_up)
    if not _is_let_in(first):
        return False
    if has_what_was_asked(first) and not _may_be_of_other_node(evidence, made_up):
        return not has_what_was_asked(made_up) or _has_other_files(first, made_up)
    if made_up.kind is not Kind.ANSWER:
        return made_up.kind is Kind.REFUSED or first.kind is Kind.ANSWER
    return _is_forbidden_otherwise(first, made_up) or _always_differs(evidence, own, made_up)


def _always_differs(evidence: Evidence, own: Sequence[Probe], made_up: Probe) -> bool:
    """
    Tell whether the own key gets one answer each of several times, and a made-up key another one,
    of a service that refuses no made-up key.
    """
    if _refuses_made_up_keys(evidence):
        return False
    own_answers = {probe.answer for probe in own}
    return len(own) > 1 and len(own_answers) == 1 and made_up.answer not in own_answers


def _is_odd_for_own_key_only(own: Probe, made_up: Probe) -> bool:
    """Tell whether a made-up key is kept out, while the own one gets what cannot be read."""
    # A login may be where a key leads that is not accepted.
    return made_up.is_kept_out and not leads_to_login(own.location)


def _has_other_files(own: Probe, made_up: Probe) -> bool:
    """Tell whether a made-up key gets files of which the own key gets none."""
    listed = [listed_in("", probe) for probe in (own, made_up)]
    ids = [set(found.file_ids) for found in listed if found is not None]
    return len(ids) == 2 and all(ids) and ids[0].isdisjoint(ids[1])


def _refuses_made_up_keys(evidence: Evidence) -> bool:
    return any(map(facts.is_refused, evidence.of(Question.MADE_UP_KEY, Question.MADE_UP_DATA_KEY)))


def _may_be_of_other_node(evidence: Evidence, made_up: Probe) -> bool:
    """Tell whether a node without the list may have replied, since made-up keys are refused."""
    return made_up.error_status == 404 and _refuses_made_up_keys(evidence)


class Swapped(NamedTuple):
    """
    Which key is accepted in the other's place, as far as that was tried, and shows anything.

    :ivar campaign: the campaign API key, for segments.
    :ivar data: the data API key, for coupons.
    """

    campaign: bool
    data: bool

    @property
    def are_both(self) -> bool:
        """Whether each key is accepted in the other's place."""
        return self.campaign and self.data


def swapped_keys(evidence: Evidence) -> Swapped:
    """Tell which key is accepted in the other's place, where another key is not."""
    accepted = {
        probe.request.operation.key
        for probe in evidence.of(Question.SWAPPED_KEYS)
        if probe.kind is Kind.ANSWER and probe.error_status != 403
    }
    return Swapped(
        campaign=contract.Key.DATA in accepted and _keeps_out(data_key(evidence)),
        data=contract.Key.CAMPAIGN in accepted and _keeps_out(campaign_key(evidence)),
    )


def _keeps_out(fact: KeyFact) -> bool:
    """Tell whether a key is not let in: the own one, or a made-up one that is told from it."""
    if fact.standing in (Standing.ACCEPTED, Standing.ACCEPTED_ONCE):
        return True
    return any(probe.is_kept_out for probe in fact.own)


def is_about_key(refusal: Probe) -> bool:
    """Tell whether the words of a refusal are about a key, not about an account."""
    return WORD_FOR_KEY.search(refusal.message) is not None


def may_be_another_key(fact: KeyFact) -> bool:
    """
    Tell whether each read gets a 403 that is not the documented one, of an account without access,
    or whose words are about the key.
    """
    if not fact.own:
        return False
    is_of_account = fact.own[0].code == contract.REQUEST_FORBIDDEN
    if is_of_account and not is_about_key(fact.own[0]):
        return False
    return all(probe.kind is Kind.ANSWER and probe.error_status == 403 for probe in fact.own)
