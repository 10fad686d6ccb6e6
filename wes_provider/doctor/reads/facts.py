"""What the reads of a service show of its list, and of paths. Pure: evidence in, facts out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from wes_provider import contract
from wes_provider.client.failures import INCOMPLETE
from wes_provider.client.requests import Request
from wes_provider.doctor.reads import redirects
from wes_provider.doctor.reads.evidence import MADE_UP, Evidence, Places, list_at, listed_in
from wes_provider.doctor.reads.header import current_settings
from wes_provider.doctor.replies import remedies
from wes_provider.doctor.replies import words as wording
from wes_provider.doctor.replies.files import is_closed_by_words
from wes_provider.doctor.replies.hosts import other_host
from wes_provider.doctor.replies.other_forms import is_in_other_form
from wes_provider.doctor.replies.probes import Form, Keys, Kind, Probe, Question, same_reply
from wes_provider.doctor.replies.subjects import Subject, in_words
from wes_provider.doctor.replies.unreached import is_cut_off, is_without_end
from wes_provider.doctor.replies.unreadables import is_unreadable

__all__ = [
    "OnePage",
    "answer_beside_forbidden_list",
    "answer_of_other_list",
    "answers_segments",
    "has_fallen_silent",
    "has_files_of_other_lists",
    "hides",
    "is_about_list_alone",
    "is_about_permission",
    "is_about_stage",
    "is_file_gone",
    "is_here",
    "is_like_nowhere",
    "is_list_closed",
    "is_list_failing_alone",
    "is_list_forbidden",
    "is_list_odd",
    "is_list_odd_alone",
    "is_lost_since_made_up_key",
    "is_no_path_of_gateway",
    "is_nothing_there",
    "is_objection",
    "is_odd",
    "is_reached",
    "is_refused",
    "is_shut_out",
    "is_unexaminable",
    "is_version_away",
    "knows_path",
    "may_be_general",
    "may_be_odd_alone",
    "may_be_shut_out",
    "may_have_other_name",
    "may_lead_to_one_page",
    "one_page",
    "only_first_reads_fail",
    "other_data_center",
    "other_name",
    "outage",
    "places",
    "quota",
    "read_of_upload_path",
    "reads_failing_alike",
    "redirect_of_uploads",
    "refuses_no_such_path",
    "renamed_list",
]

QUICK: Final = 2.0  # seconds in which an ordinary reply comes
SILENT: Final = 10.0  # seconds without a response, if all before came quickly


def _are_others_lost(evidence: Evidence) -> bool:
    """Tell whether each read but those of the list was lost, too."""
    others = evidence.besides_list
    return bool(others) and all(probe.is_lost for probe in others)


def _has_run_out_without_reply(evidence: Evidence) -> bool:
    """Tell whether no request got a reply in the time that there was."""
    return bool(evidence.out_of_time) and not any(probe.status for probe in evidence.probes)


def is_unexaminable(evidence: Evidence) -> bool:
    """Tell whether the first read already shows that nothing more can be found out."""
    answers = evidence.list_answers
    if not answers and _has_run_out_without_reply(evidence):
        return True
    if not answers and any(map(is_without_end, evidence.sent_for(Question.LIST))):
        return True
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
    what is no JSON that can be read: other paths may reply as the service does.
    """
    answers = evidence.list_answers
    if not answers or not all(map(is_odd, answers)):
        return False
    last = answers[-1]
    if last.kind is not Kind.ELSEWHERE:
        return True
    is_elsewhere = redirects.other_address(evidence) or redirects.named_paths(evidence, last)
    return not is_elsewhere and not other_host(last) and not redirects.leads_to_itself(last)


def is_odd(probe: Probe) -> bool:
    """Tell whether a reply is a redirect, a web page, or a success that cannot be read."""
    # A path that the service does not have may get a web page of its framework.
    is_page = probe.form is Form.PAGE and probe.status not in (404, 405)
    if probe.kind is Kind.ELSEWHERE or is_page:
        return True
    return is_in_other_form(probe) or is_unreadable(probe)


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
    its words say why it settles nothing, or it failed or took too long, as one path of several may.
    """
    reads = evidence.sent_for(Question.LIST)
    return any(
        probe.problem.startswith(INCOMPLETE) or probe.is_lost_by_words or _may_fail_alone(probe)
        for probe in reads
    )


def _has_failed(probe: Probe) -> bool:
    return probe.status >= 500


def _may_fail_alone(probe: Probe) -> bool:
    """Tell whether a request was lost by a failure, or a wait, that may be of this path alone."""
    is_too_slow = probe.ran_out and not probe.unsent
    return _has_failed(probe) or is_too_slow


def is_list_failing_alone(evidence: Evidence) -> bool:
    """
    Tell whether each read of the list failed, or took too long, while others with the own keys got
    answers.
    """
    reads = evidence.sent_for(Question.LIST)
    if not reads or not all(_may_fail_alone(probe) or is_cut_off(probe) for probe in reads):
        return False
    if reads_failing_alike(evidence):
        return False
    others = evidence.besides_list
    return any(probe.keys is Keys.OWN and not probe.is_lost for probe in others)


def reads_failing_alike(evidence: Evidence) -> list[Probe]:
    """
    Return the reads with the campaign key if all of them failed in the same way, also one of a path
    that does not exist, while the data key gets answers: what failed is all that lies behind that
    key or version, and no list. Empty otherwise.
    """
    reads = _with_campaign_key(evidence)
    nowhere = [probe for probe in reads if probe.question is Question.NO_SUCH_PATH]
    others = [probe for probe in evidence.own if probe not in reads]
    if not nowhere or len(nowhere) == len(reads) or all(probe.is_lost for probe in others):
        return []
    are_alike = all(same_reply(probe, reads[0]) for probe in reads)
    if are_alike and _has_failed(reads[0]) and not reads[0].is_limit:
        return reads
    return []


def is_version_away(evidence: Evidence) -> bool:
    """
    Tell whether all that lies behind the campaign key is away for a time: each read with it fails
    in the same way, or gets words of a brownout.
    """
    reads = _with_campaign_key(evidence)
    is_brownout = bool(reads) and all(probe.is_about(Subject.BROWNOUT) for probe in reads)
    return is_brownout or bool(reads_failing_alike(evidence))


def _with_campaign_key(evidence: Evidence) -> list[Probe]:
    """Return the own reads of operations that take the campaign key."""
    return [probe for probe in evidence.own if probe.request.operation.key is contract.Key.CAMPAIGN]


def is_list_forbidden(evidence: Evidence) -> bool:
    """Tell whether each read of the named list gets a 403 that does not refuse the key itself."""
    answers = evidence.list_answers
    if not answers or not evidence.names_a_list or places(evidence).listed is not None:
        return False
    return all(probe.kind is Kind.ANSWER and probe.error_status == 403 for probe in answers)


def answer_beside_forbidden_list(evidence: Evidence) -> Probe | None:
    """
    Return the error that the own key gets about a list that does not exist, if the named list alone
    gets a 403: then that is about this list. ``None`` if both get 403, or it is not shown.
    """
    made_up = evidence.of(Question.MADE_UP_LIST)
    if not made_up or not is_list_forbidden(evidence):
        return None
    if not made_up[0].is_not_found or hides(made_up[0]):
        return None
    return made_up[0]


def answer_of_other_list(evidence: Evidence) -> Probe | None:
    """
    Return the answer with the own key about a list that does not exist, if only the list itself
    fails; ``None`` without one that is no refusal.
    """
    made_up = evidence.of(Question.MADE_UP_LIST)
    if not made_up or not is_list_failing_alone(evidence):
        return None
    if made_up[0].kind is not Kind.ANSWER or not made_up[0].is_documented_error:
        return None
    return made_up[0]


def may_be_general(probe: Probe) -> bool:
    """Tell whether an error may be about each request: it is about no key, and about no path."""
    if is_objection(probe):
        return True
    if not probe.is_not_found:
        return False
    if probe.is_about(Subject.PATH):
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


def is_list_closed(probe: Probe) -> bool:
    """Tell whether the read of a list is refused because the list is archived, closed or locked."""
    return is_objection(probe) and is_closed_by_words(in_words(probe.code, probe.message))


OF_THIS_LIST: Final = re.compile(r"\b(?:this|the) (?:coupon )?list\b", re.IGNORECASE)
# Conflict, gone, locked, and unavailable for legal reasons.
ABOUT_WHAT_IS_ASKED: Final = (409, 410, 423, 451)


def is_about_list_alone(probe: Probe) -> bool:
    """
    Tell whether an error is about this list by its status and its words, and these ask for nothing
    that would help: then another list may be read.
    """
    if probe.error_status not in ABOUT_WHAT_IS_ASKED or probe.subject is not None:
        return False
    is_of_list = OF_THIS_LIST.search(probe.message) is not None
    return is_of_list and not remedies.asks_for_something(probe.message)


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
    listed = listed_in(others.path, probe)
    return listed is not None and listed.file_ids == others.file_ids


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
    nowhere = evidence.nowhere
    answers = [probe for probe in evidence.probes if not probe.is_lost]
    if not nowhere or not any(probe.keys is Keys.MADE_UP for probe in answers):
        return False
    return all(probe.error_status == 404 and same_reply(probe, nowhere[0]) for probe in answers)


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


def has_fallen_silent(evidence: Evidence, ran_out: Probe) -> bool:
    """
    Tell whether a read waited in vain for long since a made-up key was sent, though all replies
    before came quickly: a firewall that shuts out this machine drops its requests.

    :param ran_out: the latest read, which is not part of the evidence.
    """
    took = [probe.took for probe in evidence.replies]
    is_sudden = bool(took) and max(took) < QUICK and ran_out.took >= SILENT
    return is_sudden and is_lost_since_made_up_key(evidence.plus([ran_out]))


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


def answers_segments(evidence: Evidence) -> bool:
    """Tell whether reads of segments get replies here, which name no other host for them."""
    own = evidence.of(Question.DATA_KEY)
    return any(map(is_here, own))


def is_here(probe: Probe) -> bool:
    """Tell whether a reply shows that what was asked for is at this address."""
    return probe.kind in (Kind.ANSWER, Kind.REFUSED) and not other_host(probe)


def is_refused(probe: Probe) -> bool:
    """Tell whether a read is refused for its credentials."""
    return probe.kind is Kind.REFUSED


def refuses_no_such_path(evidence: Evidence) -> bool:
    """Tell whether each read of a path that does not exist is refused."""
    nowhere = evidence.of(Question.NO_SUCH_PATH)
    return bool(nowhere) and all(map(is_refused, nowhere))


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
    nowhere = evidence.nowhere
    if not probe.is_not_found or not nowhere:
        return False
    return not same_reply(probe, nowhere[0])


def is_file_gone(evidence: Evidence, probe: Probe) -> bool:
    """
    Tell whether a 410 is about the file itself, and not about the path: one that has ended, or that
    another one is named for.
    """
    if not probe.is_gone or remedies.is_retired(probe.message):
        return False
    return not redirects.named_paths(evidence, probe, probe.request.subject)


def hides(probe: Probe) -> bool:
    """
    Tell whether a 404 says that the key lacks a permission, so that it may hide what there is.
    """
    return probe.error_status == 404 and is_about_permission(probe)


def is_about_permission(probe: Probe) -> bool:
    """Tell whether an error says that the key lacks a permission."""
    return probe.is_about(Subject.SCOPE)


def is_like_nowhere(evidence: Evidence, probe: Probe) -> bool:
    """
    Tell whether a path gets the 403 that a path gets which does not exist: it may be none, or what
    refuses it does so before it looks at the path.
    """
    nowhere = evidence.nowhere
    if probe.error_status != 403 or not nowhere:
        return False
    return probe.answer == nowhere[0].answer and same_reply(probe, nowhere[0])


def is_no_path_of_gateway(evidence: Evidence, probe: Probe) -> bool:
    """
    Tell whether a gateway's words for a path that it does not have came, though it has others.
    """
    return is_about_stage(probe) and is_like_nowhere(evidence, probe)


def is_about_stage(probe: Probe) -> bool:
    """Tell whether an error has a gateway's words for a path that it does not have."""
    return probe.is_about(Subject.STAGE)


# A gateway may have failed once or twice by chance.
SEVERAL: Final = 3


def failing_replies(evidence: Evidence) -> str:
    """
    Say how many replies were failures of a gateway or the service, if they are several and a
    request that got one was also answered, as if one of several nodes failed; empty otherwise.
    """
    replies = evidence.replies
    failed = [probe for probe in replies if _has_failed(probe) and not probe.is_limit]
    answered = [probe for probe in replies if not _has_failed(probe)]
    is_at_times = not set(map(_sent_to, failed)).isdisjoint(map(_sent_to, answered))
    if len(failed) < SEVERAL or not is_at_times:
        return ""
    statuses = ", ".join(map(str, sorted({probe.status for probe in failed})))
    return f"{len(failed)} of {len(replies)} replies were {statuses}"


def only_first_reads_fail(evidence: Evidence) -> bool:
    """Tell whether each failure came to the first read of a path, with each of several paths."""
    seen: set[tuple[str, str]] = set()
    failed = 0
    for probe in evidence.replies:
        is_first = _sent_to(probe) not in seen
        seen.add(_sent_to(probe))
        if _has_failed(probe) and not is_first:
            return False
        failed += _has_failed(probe)
    return failed > 1


def _sent_to(probe: Probe) -> tuple[str, str]:
    return probe.request.method, probe.path
