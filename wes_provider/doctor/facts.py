"""What the reads of a service show, as facts. Pure: evidence in, facts out."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto
from itertools import takewhile
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from wes_provider import contract
from wes_provider.client import requests
from wes_provider.client.failures import INCOMPLETE
from wes_provider.client.requests import Request
from wes_provider.doctor import redirects, remedies
from wes_provider.doctor import words as wording
from wes_provider.doctor.amounts import too_few
from wes_provider.doctor.effects import has_what_was_asked
from wes_provider.doctor.evidence import MADE_UP, Evidence, Places, list_at, listed_in
from wes_provider.doctor.header import current_settings
from wes_provider.doctor.hosts import leads_to_login, other_host, second_connection
from wes_provider.doctor.probes import Form, Keys, Kind, Probe, Question, same_reply
from wes_provider.doctor.sending import until
from wes_provider.doctor.subjects import Subject, do_without, in_words
from wes_provider.doctor.unreached import is_cut_off
from wes_provider.doctor.unreadables import is_unreadable
from wes_provider.texts import shown

__all__ = [
    "SAYS",
    "KeyFact",
    "OnePage",
    "Standing",
    "Swapped",
    "advice_of",
    "advice_of_scheme",
    "answers_segments",
    "campaign_key",
    "data_key",
    "hand_over",
    "has_files_of_other_lists",
    "has_got_files",
    "hides",
    "is_here",
    "is_like_nowhere",
    "is_list_failing_alone",
    "is_list_odd",
    "is_list_odd_alone",
    "is_lost_since_made_up_key",
    "is_no_path_of_gateway",
    "is_nothing_there",
    "is_objection",
    "is_on_other_host",
    "is_reached",
    "is_refused",
    "is_service",
    "is_shut_out",
    "is_unexaminable",
    "knows_path",
    "may_be_another_key",
    "may_be_general",
    "may_be_odd_alone",
    "may_be_shut_out",
    "may_have_other_name",
    "may_lead_to_one_page",
    "objection",
    "one_page",
    "other_data_center",
    "other_name",
    "outage",
    "places",
    "quota",
    "read_of_upload_path",
    "redirect_of_uploads",
    "refused_elsewhere",
    "refuses_no_such_path",
    "renamed_list",
    "says",
    "says_more_than_refused",
    "silent_refusal",
    "swapped_keys",
    "words_of",
]

SAYS: Final = 200  # characters of the service's own words
REQUESTS: Final = {"PATCH": "updates", "GET": "reads"}  # as people call them
# Members of the bodies of changes.
TASKS_SEND: Final = frozenset(
    (*contract.UPLOAD_FIELDS, *contract.CATALOG_FIELDS, *contract.SEGMENT_FIELDS)
)


# -- the list's first read -------------------------------------------------------------------------


def _are_others_lost(evidence: Evidence) -> bool:
    """Tell whether each read but those of the list was lost, too."""
    others = [probe for probe in evidence.probes if probe.question is not Question.LIST]
    return bool(others) and all(probe.is_lost for probe in others)


def is_unexaminable(evidence: Evidence) -> bool:
    """Tell whether the first read already shows that nothing more can be found out."""
    answers = evidence.list_answers
    if not answers:
        return not is_reached(evidence) or _are_others_lost(evidence)
    if any(probe.kind in (Kind.ANSWER, Kind.REFUSED) for probe in answers):
        return False
    last = answers[-1]
    if is_list_odd_alone(evidence):
        return False
    if last.kind is Kind.ELSEWHERE:
        is_renamed = renamed_list(evidence) is not None
        return not is_renamed and not redirects.named_paths(evidence, last)
    # A path that the service does not have may get a web page of its framework.
    return last.status not in (404, 405)


def may_be_odd_alone(evidence: Evidence) -> bool:
    """
    Tell whether the list is redirected to what is no place of the service, or gets a web page, or
    JSON that cannot be read: other paths may reply as the service does.
    """
    answers = evidence.list_answers
    if not answers or not all(map(_is_odd, answers)):
        return False
    last = answers[-1]
    if last.kind is not Kind.ELSEWHERE:
        return True
    is_elsewhere = redirects.other_address(evidence) or redirects.named_paths(evidence, last)
    return not is_elsewhere and not other_host(last) and not redirects.leads_to_itself(last)


def _is_odd(probe: Probe) -> bool:
    # A path that the service does not have may get a web page of its framework.
    is_page = probe.form is Form.PAGE and probe.status not in (404, 405)
    return probe.kind is Kind.ELSEWHERE or is_unreadable(probe) or is_page


def is_list_odd_alone(evidence: Evidence) -> bool:
    """Tell whether only the list replies so: a path that does not exist gets an error here."""
    nowhere = evidence.of(Question.NO_SUCH_PATH)
    is_other = any(is_here(probe) and bool(probe.error_status) for probe in nowhere)
    return is_other and may_be_odd_alone(evidence)


def is_list_odd(evidence: Evidence) -> bool:
    """Tell whether only the list replies so, or is redirected to another name of it."""
    return is_list_odd_alone(evidence) or renamed_list(evidence) is not None


def renamed_list(evidence: Evidence) -> redirects.Renamed | None:
    """
    Return what the read of the named list is redirected to, if it is the same path with another
    name of the list; ``None`` if it is not.
    """
    answers = evidence.list_answers
    if not answers or not evidence.names_a_list:
        return None
    return redirects.renamed(answers[-1])


def is_reached(evidence: Evidence) -> bool:
    """
    Tell whether the first read has reached something that may answer others: a response began, or
    its words say why it settles nothing, or it failed, as one path of several may.
    """
    reads = evidence.sent_for(Question.LIST)
    return any(
        probe.problem.startswith(INCOMPLETE) or probe.is_lost_by_words or _has_failed(probe)
        for probe in reads
    )


def _has_failed(probe: Probe) -> bool:
    """Tell whether a request was lost by a failure that may be of this path alone."""
    return probe.status >= 500


def is_list_failing_alone(evidence: Evidence) -> bool:
    """Tell whether each read of the list failed, while others with the own keys got answers."""
    reads = evidence.sent_for(Question.LIST)
    if not reads or not all(_has_failed(probe) or is_cut_off(probe) for probe in reads):
        return False
    others = [probe for probe in evidence.probes if probe.question is not Question.LIST]
    return any(probe.keys is Keys.OWN and not probe.is_lost for probe in others)


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
    if may_be_general(first):
        return first
    return None


def may_be_general(probe: Probe) -> bool:
    """Tell whether an error may be about each request: it is about no key, and about no path."""
    if is_objection(probe):
        return True
    if not probe.is_not_found:
        return False
    if _is_about(probe, Subject.PATH):
        return True
    words = f"{probe.code} {probe.message}"
    return remedies.names_account(words) or bool(remedies.other_place(words))


class DataCenter(NamedTuple):
    """Another data center, and the connection's address there."""

    number: str
    address: str


def other_data_center(evidence: Evidence, probe: Probe) -> DataCenter | None:
    """
    Return the data center besides the connection's that an error names, if the address is made of
    one; ``None`` if it names none, or several.
    """
    numbers = dict.fromkeys(
        number.zfill(evidence.digits_of_data_center)
        for number in remedies.data_centers_in(probe.message)
    )
    addresses = {number: evidence.address_in(number) for number in numbers}
    others = [
        DataCenter(number, address)
        for number, address in addresses.items()
        if address not in ("", evidence.settings.base_url)
    ]
    if len(others) == 1:
        return others[0]
    return None


def is_objection(probe: Probe) -> bool:
    """Tell whether a reply is an error that is neither about the credentials nor about the path."""
    is_error = probe.status >= 400 or probe.has_error
    return probe.kind is Kind.ANSWER and is_error and probe.error_status not in (404, 405)


def other_name(evidence: Evidence) -> str:
    """
    Return the identifier by which the service calls the list that was read: a read of that has the
    same files, and one of a list that does not exist has not. Empty if there is none.
    """
    made_up = evidence.of(Question.MADE_UP_LIST)
    if not made_up or any(has_files_of_other_lists(evidence, probe) for probe in made_up):
        return ""
    return may_have_other_name(evidence)


def may_have_other_name(evidence: Evidence) -> str:
    """Return the list that has the same files as the one that was read; empty without one."""
    others = places(evidence).of_other_lists
    for probe in evidence.of(Question.OTHER_LIST):
        if others is not None and has_files_of_other_lists(evidence, probe):
            return others.other_lists[0]
    return ""


def has_files_of_other_lists(evidence: Evidence, probe: Probe) -> bool:
    """Tell whether a reply has the files that the list has, which are of other lists only."""
    others = places(evidence).of_other_lists
    if others is None:
        return False
    ids = [file.id for file in others.files]
    listed = listed_in(others.path, probe)
    return listed is not None and bool(ids) and [file.id for file in listed.files] == ids


class OnePage(NamedTuple):
    """
    One page that reads are redirected to, whatever their path.

    :ivar redirects: of two paths.
    :ivar page: the read of the page; ``None`` if it was not read.
    """

    redirects: Sequence[Probe]
    page: Probe | None

    @property
    def words(self) -> str:
        """What the page says of itself, in its title or else in its text; empty if nothing."""
        if self.page is None or not self.page.status:
            return ""
        return self.page.message or self.page.clean(wording.text_of(self.page.text))

    @property
    def is_of_maintenance(self) -> bool:
        """Whether the page, or what it is called, says that the service is away for a time."""
        if self.is_login:
            return False
        return remedies.is_maintenance(f"{urlsplit(self.redirects[0].location).path} {self.words}")

    @property
    def is_login(self) -> bool:
        """Whether the page wants a login."""
        return self.page is not None and wording.is_login(self.page.text)


def one_page(evidence: Evidence) -> OnePage | None:
    """
    Return the one page that reads of two paths are redirected to; ``None`` if there is none, or no
    two paths show it.
    """
    if not may_lead_to_one_page(evidence):
        return None
    first = evidence.list_answers[-1]
    for probe in evidence.of(Question.NO_SUCH_PATH):
        is_same = _without_query(probe.location) == _without_query(first.location)
        if probe.kind is Kind.ELSEWHERE and is_same:
            page = next(iter(evidence.sent_for(Question.PAGE)), None)
            return OnePage((first, probe), page)
    return None


def may_lead_to_one_page(evidence: Evidence) -> bool:
    """Tell whether the list is redirected to what is no place of the list."""
    answers = evidence.list_answers
    is_redirected = bool(answers) and answers[-1].kind is Kind.ELSEWHERE
    return is_redirected and is_unexaminable(evidence) and not redirects.other_address(evidence)


def _without_query(url: str) -> str:
    return url.partition("?")[0].partition("#")[0]


def is_nothing_there(evidence: Evidence) -> bool:
    """
    Tell whether each path gets the same 404, with whatever key, as of a gateway without a service.
    """
    nowhere = evidence.of(Question.NO_SUCH_PATH)
    answers = [probe for probe in evidence.probes if not probe.is_lost]
    if not nowhere or not any(probe.keys is Keys.MADE_UP for probe in answers):
        return False
    return all(probe.error_status == 404 and same_reply(probe, nowhere[0]) for probe in answers)


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
    nowhere = evidence.of(Question.NO_SUCH_PATH)
    is_everywhere = not nowhere or has_what_was_asked(nowhere[0])
    return bool(places(evidence).listed_files) and not is_everywhere


def outage(evidence: Evidence) -> list[Probe]:
    """
    Return the reads since the service went away: the last ones, if they are several and none of
    them got an answer; empty if it did not. A rate limit is another thing.
    """
    lost = _lost_in_the_end(evidence)
    if len(lost) == len(evidence.probes):
        return []
    requests_lost = {(probe.request.url, probe.keys) for probe in lost}
    if len(requests_lost) > 1:
        return lost
    return []


def _lost_in_the_end(evidence: Evidence) -> list[Probe]:
    lost = [*takewhile(_is_lost, reversed(evidence.probes))]
    lost.reverse()
    return lost


def is_shut_out(evidence: Evidence) -> bool:
    """
    Tell whether a firewall seems to shut out this machine since a made-up key was sent, as two
    requests show; each further one may prolong that.
    """
    lost = outage(evidence)
    return bool(lost) and may_be_shut_out(evidence, lost)


def is_lost_since_made_up_key(evidence: Evidence) -> bool:
    """Tell whether no response came any more since a made-up key, so that no other one is sent."""
    lost = _lost_in_the_end(evidence)
    if not lost or len(lost) == len(evidence.probes):
        return False
    return may_be_shut_out(evidence, lost)


def quota(evidence: Evidence) -> list[Probe]:
    """
    Return the reads since a rate limit refused everything; empty if it let others pass later.
    """
    refused = [*takewhile(lambda probe: probe.is_limit, reversed(evidence.probes))]
    refused.reverse()
    requests_refused = {(probe.request.url, probe.keys) for probe in refused}
    if len(requests_refused) < 2 or len(refused) == len(evidence.probes):
        return []
    return refused


def _is_lost(probe: Probe) -> bool:
    return probe.is_lost and not probe.is_lost_by_words and not probe.is_limit


def may_be_shut_out(evidence: Evidence, lost: Sequence[Probe]) -> bool:
    """Tell whether no response came any more since a made-up key was sent: a firewall may do so."""
    before = evidence.probes[: len(evidence.probes) - len(lost)]
    is_after_made_up_key = Keys.MADE_UP in (lost[0].keys, before[-1].keys)
    return is_after_made_up_key and not any(probe.status for probe in lost)


# -- keys ------------------------------------------------------------------------------------------


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
    def names_a_reason(self) -> bool:
        """Whether the refusals say what became of the key."""
        return bool(self.own) and self.own[0].names_a_reason

    @property
    def is_hidden(self) -> bool:
        """Whether a 404 comes whose headers or words say that the key lacks a permission."""
        return bool(self.own) and hides(self.own[0])

    @property
    def is_forbidden(self) -> bool:
        """Whether the key is accepted, but the account has no access."""
        return bool(self.own) and self.own[0].error_status == 403


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
        request = made_up[0].request
    fact = _key_fact(evidence, request)
    if fact.standing in (Standing.ACCEPTED, Standing.ACCEPTED_ONCE) and refused_elsewhere(evidence):
        return fact._replace(standing=Standing.BOTH)
    return fact


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


def answers_segments(evidence: Evidence) -> bool:
    """Tell whether reads of segments get replies here, which name no other host for them."""
    own = evidence.of(Question.DATA_KEY)
    return any(is_here(probe) for probe in own)


def is_here(probe: Probe) -> bool:
    """Tell whether a reply shows that what was asked for is at this address."""
    return probe.kind in (Kind.ANSWER, Kind.REFUSED) and not other_host(probe)


def is_on_other_host(evidence: Evidence, fact: KeyFact) -> bool:
    """Tell whether each read with the data key names another host, while coupons are here."""
    are_coupons_here = any(map(is_here, evidence.list_answers))
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
    Return the reads of a file that are refused, though the service does not refuse reads of paths
    that it does not have.
    """
    if refuses_no_such_path(evidence):
        return []
    return [
        probe for probe in evidence.of(Question.FILE_PATH, Question.LIST_PATH) if is_refused(probe)
    ]


def is_refused(probe: Probe) -> bool:
    """Tell whether a read is refused for its credentials."""
    return probe.kind is Kind.REFUSED


def refuses_no_such_path(evidence: Evidence) -> bool:
    """Tell whether each read of a path that does not exist is refused."""
    nowhere = evidence.of(Question.NO_SUCH_PATH)
    return bool(nowhere) and all(map(is_refused, nowhere))


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
    is_first_refused = is_refused(own[0])
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
    is_about_it = own.error_status == 403 and _is_about(own, Subject.SCOPE)
    return is_about_it and not _is_about(made_up, Subject.SCOPE) and not same_reply(own, made_up)


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
    if all(map(_is_odd, own)) and is_list_odd(evidence):
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
    ids = [{file.id for file in found.files} for found in listed if found is not None]
    return len(ids) == 2 and all(ids) and ids[0].isdisjoint(ids[1])


def _refuses_made_up_keys(evidence: Evidence) -> bool:
    return any(map(is_refused, evidence.of(Question.MADE_UP_KEY, Question.MADE_UP_DATA_KEY)))


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


def may_be_another_key(fact: KeyFact) -> bool:
    """
    Tell whether each read gets a 403 that is not the documented one, of an account without access.
    """
    if not fact.own or fact.own[0].code == contract.REQUEST_FORBIDDEN:
        return False
    return all(probe.kind is Kind.ANSWER and probe.error_status == 403 for probe in fact.own)


# -- paths -----------------------------------------------------------------------------------------


def places(evidence: Evidence) -> Places:
    """Return the paths that were tried, and what came first at each."""
    settings = current_settings(evidence)
    given = settings.coupon_files_path
    answers = evidence.answers_to(list_at(settings, given, evidence.list_id))
    lists = {}
    if answers:
        lists = dict.fromkeys([given], _best(answers))
    for probe in evidence.of(Question.LIST_PATH, Question.WHOLE_LIST):
        lists.setdefault(probe.tried, probe)
    files: dict[str, Probe] = {}
    file_id = MADE_UP
    for probe in evidence.of(Question.FILE_PATH):
        if probe.tried not in files or not files[probe.tried].success:
            files[probe.tried] = probe
        file_id = probe.request.subject
    return Places(lists, files, file_id)


def _best(answers: Sequence[Probe]) -> Probe:
    """Return the first answer that settles something, else the first."""
    return next((probe for probe in answers if probe.kind is Kind.ANSWER), answers[0])


def read_of_upload_path(evidence: Evidence) -> Request:
    """
    Return the read of the path that files are uploaded to, whichever the connection has for lists.
    """
    return list_at(current_settings(evidence), contract.UPLOAD_PATH, evidence.list_id)


def redirect_of_uploads(evidence: Evidence) -> Probe | None:
    """
    Return the read of the path of uploads that is redirected; ``None`` if it is not, or was not
    read. A redirect to another host is about the address, unless the list is read at this one.
    """
    is_service_here = places(evidence).listed is not None
    for probe in evidence.answers_to(read_of_upload_path(evidence)):
        is_on_this_host = urlsplit(probe.location).netloc == urlsplit(probe.request.url).netloc
        if probe.kind is Kind.ELSEWHERE and (is_on_this_host or is_service_here):
            return probe
    return None


def knows_path(evidence: Evidence, probe: Probe) -> bool:
    """
    Tell whether a 404 is another one than that of a path that does not exist: not about the path.
    """
    nowhere = evidence.of(Question.NO_SUCH_PATH)
    if not probe.is_not_found or not nowhere:
        return False
    return not same_reply(probe, nowhere[0])


def hides(probe: Probe) -> bool:
    """
    Tell whether a 404 says that the key lacks a permission, so that it may hide what there is.
    """
    return probe.error_status == 404 and _is_about(probe, Subject.SCOPE)


def _is_about(probe: Probe, subject: Subject) -> bool:
    return probe.subject is not None and probe.subject.subject is subject


def is_like_nowhere(evidence: Evidence, probe: Probe) -> bool:
    """
    Tell whether a path gets the 403 that a path gets which does not exist, so that it is none.
    """
    nowhere = evidence.of(Question.NO_SUCH_PATH)
    if probe.error_status != 403 or not nowhere:
        return False
    return probe.answer == nowhere[0].answer and same_reply(probe, nowhere[0])


def is_no_path_of_gateway(evidence: Evidence, probe: Probe) -> bool:
    """
    Tell whether a gateway's words for a path that it does not have came, though it has others.
    """
    return _is_about(probe, Subject.STAGE) and is_like_nowhere(evidence, probe)


def words_of(probe: Probe) -> str:
    """Return the service's own words, in quotes, as the end of a sentence; empty without any."""
    if not probe.message:
        return ""
    return f": {wording.quoted(probe.message, SAYS)}"


def advice_of(probe: Probe, support: str = "ask the service's support.") -> str:
    """
    Tell what to do about a reply by its own words, as sentences.

    :param support: whom to ask if they do not say it, as a sentence.
    """
    without_words = _advice_without_words(probe)
    if without_words:
        return without_words
    words = in_words(probe.code, probe.message)
    if probe.subject is not None and probe.subject.subject is Subject.NEGOTIATION:
        return do_without(words, REQUESTS.get(probe.request.method, "requests"))
    if probe.subject is not None:
        remedy = probe.subject.what_to_do(words, until(probe))
        if remedy:
            return remedy
    other_request = _other_request(probe) or _other_list(probe)
    if other_request:
        return other_request
    if remedies.lasts_until(probe.message):
        return "Wait until then, and run this again."
    if remedies.asks_for_something(probe.message):
        return f"Do what it says, or {support}"
    return f"{support[:1].upper()}{support[1:]}"


def _advice_without_words(probe: Probe) -> str:
    """Tell what to do about a reply that shows by itself what it is about; empty for others."""
    elsewhere = second_connection(probe)
    if elsewhere:
        return elsewhere
    if probe.is_limit:
        return too_few(probe)
    if not remedies.is_firewall(probe.message):
        return ""
    let = remedies.LET_THROUGH
    if probe.request.method != "GET":
        let = remedies.LET_WRITES.format(method=probe.request.method)
    return f"A firewall may keep these requests out. {let[:1].upper()}{let[1:]}{hand_over(probe)}"


# Headers by which support looks a request up.
FOR_SUPPORT: Final = ("cf-ray", "x-amzn-requestid", "x-request-id", "x-correlation-id")


def hand_over(probe: Probe) -> str:
    """
    Tell what of a reply support looks a request up by, as a sentence with a space before it; empty
    without any.
    """
    named = remedies.references_in(probe.clean(wording.text_of(probe.text)))
    headers = probe.response.headers
    for name in FOR_SUPPORT:
        value = probe.clean(headers.get(name, ""))
        # A page that names one has the same in its text.
        if value and not named:
            named = f"{name} {shown(value, quoted=False)}"
    if not named:
        return ""
    return f" Hand over what it names: {named}."


def _other_list(probe: Probe) -> str:
    """
    Tell what to do about a refusal that says which form the identifier of a list has to have, as a
    sentence; empty if it does not.
    """
    if probe.request.operation is not contract.LIST_COUPON_FILES:
        return ""
    if not remedies.names_list(probe.message) or not remedies.wanted_form(probe.message):
        return ""
    return (
        "Name the list with --coupon-list by its identifier in that form; the service's dashboard "
        "has it."
    )


def _other_request(probe: Probe) -> str:
    """
    Tell what to do about a refused change that wants another method or a member of the body that
    the provider does not send, as sentences; empty if it does not.
    """
    method = probe.request.method
    if method == "GET":
        return ""
    other = remedies.other_method(probe.message, method)
    if probe.error_status == 405 and probe.form is Form.PAGE:
        return (
            f"What replied sent a web page, so it may be before the service: ask whoever runs it "
            f"to let {method} through. No key was judged by it, and no setting changes it."
        )
    if other or probe.error_status == 405:
        return (
            f"The provider sends {method} to this path, and no setting changes either: ask the "
            "service's support to take that."
        )
    member = remedies.missing_member(probe.message)
    if member in TASKS_SEND:
        return f"The doctor does not send {member}, but your tasks can: give it there."
    if member:
        return (
            f"The provider does not send {member}, and no setting adds it: ask the service's "
            "support to accept requests without it."
        )
    return ""


def advice_of_scheme(probe: Probe) -> str:
    """
    Tell what to do if a reply wants its reader to authenticate otherwise than by Basic credentials,
    as sentences; empty if it does not.
    """
    scheme = wording.other_scheme(probe.response.headers)
    if not scheme:
        return ""
    return (
        f"What replied demands {scheme} (its WWW-Authenticate says so), and the provider sends "
        "Basic credentials only: a gateway may be before the service, and the keys may be right, "
        "so change none. Ask whoever runs it to take Basic, or for another address."
    )


def says(probe: Probe) -> str:
    """Tell what the service replied, with its own words, as the beginning of a sentence."""
    sent = f"{probe.request.method} {probe.path}"
    if probe.kind is Kind.NOT_SERVICE:
        came = f"{probe.status}, which is not the service's,"
        return f"What replied sent {came} to {sent}{words_of(probe)}"
    return f"The service replies {probe.answer} to {sent}{words_of(probe)}"


# A gateway may have failed once or twice by chance.
SEVERAL: Final = 3


# -- what stands before the service ----------------------------------------------------------------


def failing_replies(evidence: Evidence) -> str:
    """
    Say how many replies were failures of a gateway or the service, if they are several and a
    request that got one was also answered, as if one of several nodes failed; empty otherwise.
    """
    replies = [probe for probe in evidence.probes if probe.status]
    failed = [probe for probe in replies if _has_failed(probe) and not probe.is_limit]
    answered = [probe for probe in replies if not _has_failed(probe)]
    is_at_times = not set(map(_sent_to, failed)).isdisjoint(map(_sent_to, answered))
    if len(failed) < SEVERAL or not is_at_times:
        return ""
    statuses = ", ".join(map(str, sorted({probe.status for probe in failed})))
    return f"{len(failed)} of {len(replies)} replies were {statuses}"


def _sent_to(probe: Probe) -> tuple[str, str]:
    return probe.request.method, probe.path
