"""
The questions to the service that reads can settle, as a table, and the loop that asks them.

A reply may come from a gateway, a proxy or a cache. So there are reads to compare others with: with
a key that nobody has, of a path that does not exist, and of the same request once more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple, TypeAlias

import msgspec

from wes_provider import contract
from wes_provider.client import requests
from wes_provider.client.requests import Request
from wes_provider.doctor import changes, checks, effects, facts, header, key_facts, pages, redirects
from wes_provider.doctor.escapes import escaped_in, is_list_refused_for_escapes
from wes_provider.doctor.evidence import MADE_UP, Evidence, Listed, Places, file_at, list_at
from wes_provider.doctor.hosts import other_host
from wes_provider.doctor.key_facts import Standing
from wes_provider.doctor.layers import is_layer, may_be_layer
from wes_provider.doctor.probes import Keys, Kind, Probe, Question, same_reply
from wes_provider.doctor.sending import POSTPONED, Ask, Reader, no_answer
from wes_provider.doctor.unreadables import is_unreadable
from wes_provider.models import CouponFile

__all__ = ["LIST_PATHS", "QUESTIONS", "file_paths", "read_service"]

NO_SUCH_PATH: Final = "/v1/wes-doctor-no-such-path/{coupon_list_id}"

LIST_PATHS: Final = (
    contract.COUPON_FILES_PATH,
    "/v1/coupon-list/{coupon_list_id}/coupon-files",
    "/v1/coupon-lists/{coupon_list_id}/files",
    "/v2/coupon-list/{coupon_list_id}/files",
    "/v1/coupon-files/{coupon_list_id}",
    "/v1/coupon-list/{coupon_list_id}",
    "/v1/coupon-list/{coupon_list_id}/uploads",
    "/v1/coupon-list/{coupon_list_id}/file",
    "/v1/coupon-files/list/{coupon_list_id}",
    "/v1/coupons/{coupon_list_id}/files",
)
"""What services of this kind usually have as the path of a list's files; the likeliest first."""

FILE_PATHS: Final = (
    contract.COUPON_FILE_PATH,
    "/v1/coupon-files/{coupon_file_id}",
    "/v1/coupon-file/{coupon_file_id}",
    "/v1/files/{coupon_file_id}",
    "/v1/coupon-list/{coupon_list_id}/file/{coupon_file_id}",
    "/v1/coupon-list/files/{coupon_file_id}",
    "/v2/coupon-list/{coupon_list_id}/files/{coupon_file_id}",
    "/v1/coupon-list/{coupon_list_id}/files/{coupon_file_id}/status",
)

SHUT_OUT: Final = "no response came any more since a made-up key was sent"
MOST_PAGES: Final = 3  # larger pages that are tried
KEY_IS_REFUSED: Final = "reads with the Campaign API key are refused"
LIST_HAS_NO_ANSWER: Final = "the read of the list got no answer"


class NotAsked(NamedTuple):
    """The question cannot be asked, or needs not be."""

    why: str


Step: TypeAlias = "Ask | NotAsked | None"  # None: the question is settled, as far as it can be


class QuestionRow(NamedTuple):
    """
    One question.

    :ivar text: for people who wait.
    :ivar next_step: what to send next, by what is known.
    :ivar reserve: reads that are left for the questions below.
    :ivar is_asked_anyway: also if the first read shows that nothing more can be found out.
    """

    question: Question
    text: str
    next_step: Callable[[Evidence], Step]
    reserve: int = 0
    is_asked_anyway: bool = False


# -- keys and header -------------------------------------------------------------------------------


def _read_list(evidence: Evidence) -> Step:
    answers = evidence.list_answers
    is_doubtful = len(answers) == 1 and (
        answers[0].kind is not Kind.ANSWER or facts.may_be_general(answers[0])
    )
    if answers and not is_doubtful:
        return None
    path = evidence.settings.coupon_files_path
    return Ask(list_at(evidence.settings, path, evidence.list_id), tried=path)


def _read_other_address(evidence: Evidence) -> Step:
    address = redirects.other_address(evidence)
    if not address or evidence.of(Question.OTHER_ADDRESS):
        return None
    settings = msgspec.structs.replace(evidence.settings, base_url=address)
    request = list_at(settings, settings.coupon_files_path, evidence.list_id)
    return Ask(request, tried=address)


def _read_moved_address(evidence: Evidence) -> Step:
    """Read the list below the address that all redirects lead to."""
    moved = redirects.moved(evidence)
    if moved is None or moved.tests:
        return None
    path = redirects.path_below(
        evidence.settings, moved.address, evidence.settings.coupon_files_path
    )
    settings = msgspec.structs.replace(evidence.settings, base_url=moved.address)
    return Ask(list_at(settings, path, evidence.list_id), tried=moved.address)


def _read_named_address(evidence: Evidence) -> Step:
    """Read the list in the data center, or below the path, that the service names to each read."""
    objection = key_facts.objection(evidence)
    if objection is None or evidence.sent_for(Question.OTHER_ADDRESS):
        return None
    address = redirects.address_with_account(evidence.settings, objection)
    other = facts.other_data_center(evidence, objection)
    if other is not None:
        address = other.address
    if not address:
        return None
    settings = msgspec.structs.replace(evidence.settings, base_url=address)
    request = list_at(settings, settings.coupon_files_path, evidence.list_id)
    return Ask(request, tried=address)


def _read_another_path(evidence: Evidence) -> Step:
    """
    Find out whether another path is redirected or refused likewise, or gets what cannot be read.
    """
    is_odd = facts.may_lead_to_one_page(evidence) or facts.may_be_odd_alone(evidence)
    if not (is_odd or may_be_layer(evidence)) or evidence.sent_for(Question.NO_SUCH_PATH):
        return None
    return Ask(list_at(evidence.settings, NO_SUCH_PATH, MADE_UP))


def _read_page(evidence: Evidence) -> Step:
    """Read the page that all is redirected to, unless another host has it."""
    one_page = facts.one_page(evidence)
    if one_page is None or evidence.sent_for(Question.PAGE):
        return None
    redirect = one_page.redirects[0]
    if not redirects.leads_to_same_origin(redirect):
        return None
    return Ask(redirect.request._replace(url=redirect.location))


def _read_with_cookie(evidence: Evidence) -> Step:
    """Send the cookie back that a check sets, to find out whether the service is behind it."""
    cookies = checks.cookies_to_try(evidence)
    if cookies is None:
        return None
    return Ask(cookies.on(evidence.list_answers[-1].request), tried=cookies.names)


def _read_segments_beside(evidence: Evidence) -> Step:
    """Find out whether segments are here, if the list is redirected to another host."""
    answers = evidence.list_answers
    if not answers or answers[-1].kind is not Kind.ELSEWHERE or not other_host(answers[-1]):
        return None
    if evidence.of(Question.DATA_KEY):
        return None
    return _read_data_key(evidence)


def _read_with_any_key(evidence: Evidence) -> Step:
    """Find out whether any key is refused so, before the service sees it."""
    is_compared = bool(evidence.of(Question.NO_SUCH_PATH))
    if not is_compared or not may_be_layer(evidence) or evidence.sent_for(Question.MADE_UP_KEY):
        return None
    return Ask(evidence.list_answers[0].request, Keys.MADE_UP)


def _has_data_key(evidence: Evidence) -> bool:
    return evidence.settings.data_api_key != evidence.settings.api_key


def _data_read(evidence: Evidence) -> Request:
    return requests.read_segment(header.current_settings(evidence), MADE_UP)


def _read_data_key(evidence: Evidence) -> Step:
    if not _has_data_key(evidence):
        return NotAsked("no Data API key is given")
    request = requests.read_segment(evidence.settings, MADE_UP)
    answers = evidence.answers_to(request)
    # If the other key is refused, too, the cause is probably the same.
    is_alone = not any(map(facts.is_refused, evidence.list_answers))
    if not answers:
        return Ask(request)
    is_refused_once = len(answers) == 1 and facts.is_refused(answers[0])
    if is_refused_once and is_alone:
        return Ask(request)
    return None


def _read_data_key_with_header(evidence: Evidence) -> Step:
    if not _has_data_key(evidence) or not header.proved_header(evidence):
        return None
    request = _data_read(evidence)
    if evidence.answers_to(request):
        return None
    return Ask(request)


def _swap_keys(evidence: Evidence) -> Step:
    """Try each key in the other's place, if it has no access in its own."""
    if not _has_data_key(evidence) or header.proved_header(evidence):
        return None
    for read in _reads_to_swap(evidence):
        if not evidence.answers_to(read.request, Keys.SWAPPED):
            return Ask(read.request, Keys.SWAPPED)
    return None


def _reads_to_swap(evidence: Evidence) -> list[Probe]:
    """Return the reads that are sent once more, each with the other key."""
    campaign, data = key_facts.campaign_key(evidence), key_facts.data_key(evidence)
    is_refused = campaign.standing is Standing.REFUSED
    has_no_access = key_facts.may_be_another_key(campaign)
    is_data_refused = data.standing in (Standing.REFUSED, Standing.REFUSED_ONCE)
    reads: list[Probe] = []
    if is_refused or has_no_access or key_facts.may_be_another_key(data):
        reads += campaign.own[:1]
    if has_no_access or (is_data_refused and key_facts.swapped_keys(evidence).data):
        reads += data.own[:1]
    return reads


def _find_header(evidence: Evidence) -> Step:
    refused = header.refused_read(evidence)
    if refused is None or header.header_candidate(evidence):
        return None
    data = key_facts.data_key(evidence).own
    if data and data[0].answer != refused.answer and data[0].kind is Kind.ANSWER:
        return None  # the header is accepted with the other key
    names = header.headers_to_try(evidence)
    if not names:
        return None
    return _with_headers(evidence, refused, names)


def _with_headers(
    evidence: Evidence,
    read: Probe,
    names: tuple[str, ...],
    *,
    value: str = "",
) -> Ask:
    """
    Return a read with other headers in place of the connection's.

    :param value: that they have; the workspace by default.
    """
    settings = evidence.settings
    headers = dict(read.request.headers)
    headers.pop(settings.workspace_header)
    headers |= dict.fromkeys(names, value or settings.workspace_id)
    return Ask(read.request._replace(headers=headers), tried=" ".join(names))


def _read_with_made_up_header(evidence: Evidence) -> Step:
    """Find out whether a header is the workspace's, or only has to be there."""
    read = header.refused_read(evidence)
    name = header.header_candidate(evidence)
    if evidence.of(Question.HEADER_VALUE):
        return None
    if not name and header.is_chosen(evidence):
        name = evidence.settings.workspace_header
        read = next((probe for probe in evidence.list_answers if probe.kind is Kind.ANSWER), None)
    if not name or read is None:
        return None
    return _with_headers(evidence, read, (name,), value=MADE_UP)


def _confirm_header(evidence: Evidence) -> Step:
    """Send the header once more that was accepted, so that two nodes that reply in turn are met."""
    refused = header.refused_read(evidence)
    name = header.header_candidate(evidence)
    tried = [probe.tried for probe in evidence.of(Question.HEADER)]
    if refused is None or not name or tried.count(name) > 1:
        return None
    return _with_headers(evidence, refused, (name,))


def _add_header(evidence: Evidence) -> Step:
    refused = header.refused_read(evidence)
    names = header.headers_to_add(evidence)
    if refused is None or not names:
        return None
    headers = {**refused.request.headers, **dict.fromkeys(names, evidence.settings.workspace_id)}
    return Ask(refused.request._replace(headers=headers), tried=" ".join(names))


def _read_no_such_path(evidence: Evidence) -> Step:
    if key_facts.campaign_key(evidence).standing is Standing.REFUSED:
        return NotAsked(KEY_IS_REFUSED)
    answers = evidence.of(Question.NO_SUCH_PATH)
    if answers and not (len(answers) == 1 and facts.is_refused(answers[0])):
        return None
    return Ask(list_at(header.current_settings(evidence), NO_SUCH_PATH, MADE_UP))


def _read_with_made_up_data_key(evidence: Evidence) -> Step:
    fact = key_facts.data_key(evidence)
    if fact.made_up is not None:
        return None
    is_refused = fact.standing is Standing.REFUSED
    is_telling = is_refused and key_facts.says_more_than_refused(fact)
    if is_telling or fact.standing is Standing.NOT_SHOWN:
        return Ask(_data_read(evidence), Keys.MADE_UP)
    return None


def _read_with_made_up_key(evidence: Evidence) -> Step:
    fact = key_facts.campaign_key(evidence)
    is_refused = fact.standing is Standing.REFUSED
    if is_refused and not key_facts.says_more_than_refused(fact):
        return NotAsked(KEY_IS_REFUSED)
    if evidence.of(Question.MADE_UP_KEY):
        return None
    if facts.is_lost_since_made_up_key(evidence):
        return NotAsked(SHUT_OUT)
    if changes.lockout(evidence) is not None:
        return NotAsked("the service refuses the own keys since a made-up one was sent")
    tried = facts.places(evidence)
    listed = tried.listed or tried.of_other_lists
    if listed is not None:
        return Ask(listed.probe.request, Keys.MADE_UP)
    if not fact.own:
        return NotAsked("the read with the own key has no answer")
    return Ask(fact.own[0].request, Keys.MADE_UP)


# -- paths -----------------------------------------------------------------------------------------


def _why_not_read(evidence: Evidence) -> str:
    """Tell why no path is read with the campaign key; empty if there is no reason."""
    fact = key_facts.campaign_key(evidence)
    without = LIST_HAS_NO_ANSWER
    if fact.lost and fact.lost[-1].is_lost_by_words:
        without = f"the read of the list was refused ({fact.lost[-1].answer})"
    return {
        Standing.REFUSED: KEY_IS_REFUSED,
        Standing.NO_ANSWER: without,
    }.get(fact.standing, "")


def _read_other_list(evidence: Evidence) -> Step:
    """Read the list that all files say they are of, if it is not the one that was read."""
    if evidence.sent_for(Question.OTHER_LIST):
        return None
    settings = header.current_settings(evidence)
    renamed = _renamed_list(evidence)
    if renamed:
        return Ask(list_at(settings, settings.coupon_files_path, renamed))
    others = facts.places(evidence).of_other_lists
    if others is None or len(others.other_lists) != 1:
        return None
    return Ask(list_at(settings, others.path, others.other_lists[0]))


def _renamed_list(evidence: Evidence) -> str:
    """Return the list that the read of the list is redirected to; empty if it is not."""
    renamed = facts.renamed_list(evidence)
    if renamed is None or renamed.is_encoding:
        return ""
    return renamed.value


def _find_list(evidence: Evidence) -> Step:
    why = _why_not_read(evidence)
    if why:
        return NotAsked(why)
    tried = facts.places(evidence)
    if tried.listed is not None:
        return None
    named = redirects.named_paths(evidence, next(iter(tried.lists.values())))
    why = ""
    if not named:
        why = _why_no_other_path(evidence, tried)
    if _is_refused_meanwhile(evidence, Question.LIST_PATH):
        why = "the service refused the key meanwhile"
    if why:
        return NotAsked(why)
    settings = header.current_settings(evidence)
    for path in (*named, *LIST_PATHS):
        if path not in tried.lists:
            return Ask(list_at(settings, path, evidence.list_id), tried=path)
    return None


def _why_no_other_path(evidence: Evidence, tried: Places) -> str:
    """Tell why the list is not looked for at other paths than the connection's; empty if it is."""
    first = next(iter(tried.lists.values()))
    nowhere = evidence.of(Question.NO_SUCH_PATH)
    is_something = first.success and tried.of_other_lists is None
    is_odd = is_something and bool(nowhere) and not same_reply(first, nowhere[0])
    # The first row that holds says why.
    rows = (
        (facts.is_no_path_of_gateway(evidence, first), ""),
        (
            is_list_refused_for_escapes(evidence, first),
            "they would have the same escaped characters",
        ),
        (
            facts.renamed_list(evidence) is not None,
            "the service redirects to another name of the list",
        ),
        (
            facts.is_list_odd_alone(evidence),
            "the path is the list's, but what it replies cannot be read",
        ),
        (bool(facts.may_have_other_name(evidence)), "the list has another name"),
        (
            facts.is_objection(first) or facts.hides(first),
            "the service names another reason",
        ),
        (
            facts.knows_path(evidence, first),
            "the service has the path, but not this list",
        ),
        (is_odd, "the path has something, in another form"),
    )
    return next((why for holds, why in rows if holds), "")


def _is_refused_meanwhile(evidence: Evidence, question: Question) -> bool:
    """Tell whether the last read of a search was refused, though reads of no path are not."""
    if facts.refuses_no_such_path(evidence):
        return False
    return any(map(facts.is_refused, evidence.of(question)))


def _read_whole_list(evidence: Evidence) -> Step:
    listed = facts.places(evidence).listed
    tried = [probe.tried for probe in evidence.of(Question.WHOLE_LIST)]
    if listed is None or len(tried) >= MOST_PAGES:
        return None
    settings = header.current_settings(evidence)
    confirmed = pages.confirmed_page(listed)
    if confirmed and confirmed not in tried:
        return Ask(list_at(settings, confirmed, evidence.list_id), tried=confirmed)
    if listed.incomplete:
        return _read_larger_page(evidence, listed, tried)
    if not pages.may_be_page(listed):
        return None
    if not tried:
        return _read_larger_page(evidence, listed, tried)
    return _read_page_for_one(evidence, listed, tried)


def _read_larger_page(evidence: Evidence, listed: Listed, tried: Sequence[str]) -> Step:
    settings = header.current_settings(evidence)
    for path in pages.larger_pages(evidence, listed):
        if path not in tried:
            return Ask(list_at(settings, path, evidence.list_id), tried=path)
    return None


def _read_page_for_one(evidence: Evidence, listed: Listed, tried: Sequence[str]) -> Step:
    """Read a page for one file, to see whether the service heeds the size of a page at all."""
    path = pages.page_for_one(listed)
    if path in tried or pages.list_with_more(evidence, listed) is not None:
        return None
    settings = header.current_settings(evidence)
    return Ask(list_at(settings, path, evidence.list_id), tried=path)


def _read_made_up_list(evidence: Evidence) -> Step:
    """
    Files that do not say which list they are of may be those of any list; and a failure may be of
    this list alone.
    """
    if evidence.sent_for(Question.MADE_UP_LIST):
        return None
    path = _path_of_made_up_list(evidence)
    if not path:
        return None
    return Ask(list_at(header.current_settings(evidence), path, MADE_UP), tried=path)


def _path_of_made_up_list(evidence: Evidence) -> str:
    """Return the path at which a made-up list shows more than is known; empty for none."""
    given = header.current_settings(evidence).coupon_files_path
    if facts.is_list_failing_alone(evidence) or _renamed_list(evidence):
        return given
    places = facts.places(evidence)
    if places.of_other_lists is not None and facts.may_have_other_name(evidence):
        return places.of_other_lists.path
    listed = places.listed
    if listed is None or listed.names_list or not evidence.names_a_list:
        return ""
    return listed.path


def file_paths(given: str, list_path: str) -> list[str]:
    """
    Paths of a coupon file, the likeliest first: the connection's, and one below the path of the
    list's files.
    """
    below = f"{list_path.partition('?')[0].rstrip('/')}/{{coupon_file_id}}"
    return list(dict.fromkeys((given, below, *FILE_PATHS)))


def _find_file(evidence: Evidence) -> Step:
    why = _why_not_read(evidence)
    if why:
        return NotAsked(why)
    tried = facts.places(evidence)
    if not tried.listed_files:
        return None
    first, last = _hardest(tried.listed_files), tried.listed_files[-1]
    gone = next(filter(partial(_is_gone, evidence), tried.files.values()), None)
    if gone is None:
        return _next_file_path(evidence, tried, first.id)
    if gone.request.subject == first.id != last.id:
        settings = header.current_settings(evidence)
        return Ask(file_at(settings, gone.tried, evidence.list_id, last.id), tried=gone.tried)
    return _next_file_path(evidence, tried, tried.file_id)


def _hardest(files: Sequence[CouponFile]) -> CouponFile:
    """
    Return the file whose identifier is the hardest for a path: with a slash, which gateways refuse
    most; else with anything that is sent escaped; else the first one.
    """
    return max(files, key=lambda file: ("/" in file.id, bool(escaped_in(file.id))))


def _is_gone(evidence: Evidence, probe: Probe) -> bool:
    """Tell whether a reply says that a file which the list has is gone, at a path for files."""
    if facts.hides(probe):
        return False
    return probe.is_gone or facts.knows_path(evidence, probe)


def _guess_file_path(evidence: Evidence) -> Step:
    """Without a file to read, find a path whose 404 is about the file."""
    tried = facts.places(evidence)
    if _why_not_read(evidence) or tried.listed_files:
        return None
    first = next(iter(tried.lists.values()))
    is_about_list = facts.is_objection(first) or facts.is_list_odd(evidence)
    if is_about_list or facts.hides(first):
        return NotAsked("no list was read, so no file is known")
    return _next_file_path(evidence, tried, MADE_UP)


def _next_file_path(evidence: Evidence, tried: Places, file_id: str) -> Step:
    settings = header.current_settings(evidence)
    if tried.file_path or any(_is_about_file(evidence, probe) for probe in tried.files.values()):
        return None
    if _is_refused_meanwhile(evidence, Question.FILE_PATH):
        return NotAsked("the service refused the key meanwhile")
    first = tried.files.get(settings.coupon_file_path)
    if first is not None and _may_be_known_elsewhere(evidence, first):
        return Ask(first.request, tried=first.tried)
    for path in _likely_file_paths(evidence, tried, file_id):
        if path not in tried.files:
            return Ask(file_at(settings, path, evidence.list_id, file_id), tried=path)
    return None


def _likely_file_paths(evidence: Evidence, tried: Places, file_id: str) -> list[str]:
    """Return paths of one file: the connection's, those that replies name, then usual ones."""
    settings = header.current_settings(evidence)
    list_path = settings.coupon_files_path
    named: list[str] = []
    for probe in reversed([*tried.files.values()]):
        named += redirects.named_paths(evidence, probe, file_id)
    if tried.listed is not None:
        list_path = tried.listed.path
        named += redirects.linked_paths(evidence, tried.listed.probe, file_id)
    first, *usual = file_paths(settings.coupon_file_path, list_path)
    return [first, *named, *usual]


def _may_be_known_elsewhere(evidence: Evidence, probe: Probe) -> bool:
    """
    Tell whether another node may know the file that one node does not, so that it is read again.
    """
    if probe.kind is Kind.ELSEWHERE or probe.request.subject == MADE_UP:
        return False
    return len(evidence.answers_to(probe.request)) < 2


def _is_about_file(evidence: Evidence, probe: Probe) -> bool:
    """
    Tell whether a reply shows that the path is right, though the provider cannot read the file.
    """
    if is_unreadable(probe):
        return True
    if probe.kind is not Kind.ANSWER:
        return False
    if probe.request.subject == MADE_UP:
        return facts.knows_path(evidence, probe)
    if probe.is_gone:
        return True
    is_kept_out = probe.error_status == 403 and not facts.is_like_nowhere(evidence, probe)
    return (
        is_kept_out or facts.hides(probe) or (probe.success and probe.request.subject in probe.text)
    )


def _read_upload_path(evidence: Evidence) -> Step:
    """Read the path that files are uploaded to: the list may be read at another one."""
    if _why_not_read(evidence) or not evidence.names_a_list:
        return None
    request = facts.read_of_upload_path(evidence)
    if evidence.answers_to(request):
        return None
    return Ask(request)


# -- once more -------------------------------------------------------------------------------------


class Repeat(NamedTuple):
    """A request on which a report rests, and how many answers it has to have."""

    ask: Ask
    answers: int = 2


def _ask_again(evidence: Evidence) -> Step:
    for repeat in _to_repeat(evidence):
        answers = evidence.answers_to(repeat.ask.request)
        if len(answers) < repeat.answers and not _had_no_answer(evidence, repeat.ask):
            return repeat.ask
    return None


def _to_repeat(evidence: Evidence) -> Iterator[Repeat]:
    """Return what to repeat, the most important first."""
    settings = evidence.settings
    path = settings.coupon_files_path
    first = Ask(list_at(settings, path, evidence.list_id), tried=path)
    tried = facts.places(evidence)
    if tried.listed is not None and tried.listed.path != path:
        yield Repeat(first)
        yield Repeat(Ask(tried.listed.probe.request, tried=tried.listed.path))
    if tried.file_path not in ("", settings.coupon_file_path):
        yield Repeat(Ask(tried.files[tried.file_path].request, tried=tried.file_path))
    if _has_data_key(evidence):
        yield Repeat(Ask(_data_read(evidence)))
    for probe in key_facts.campaign_key(evidence).own[:1]:
        yield Repeat(Ask(probe.request))
    if evidence.list_answers and not header.proved_header(evidence):
        # Once more in a row, so that two nodes that reply in turn are both met.
        yield Repeat(first, answers=3)
    if tried.file_path:
        yield Repeat(Ask(tried.files[tried.file_path].request, tried=tried.file_path))


def _had_no_answer(evidence: Evidence, ask: Ask) -> bool:
    """Tell whether asking again was tried, and brought no answer."""
    repeated = evidence.sent_for(Question.AGAIN)
    return any(probe in repeated for probe in evidence.lost_reads(ask.request))


QUESTIONS: Final = (
    QuestionRow(
        question=Question.LIST,
        text="Is the campaign key accepted?",
        next_step=_read_list,
        is_asked_anyway=True,
    ),
    QuestionRow(
        question=Question.OTHER_ADDRESS,
        text="Is the service elsewhere?",
        next_step=_read_other_address,
        is_asked_anyway=True,
    ),
    QuestionRow(
        question=Question.NO_SUCH_PATH,
        text="Does another path reply so?",
        next_step=_read_another_path,
        is_asked_anyway=True,
    ),
    QuestionRow(
        question=Question.PAGE,
        text="What does that page say?",
        next_step=_read_page,
        is_asked_anyway=True,
    ),
    QuestionRow(
        question=Question.COOKIE,
        text="Does a cookie let it pass?",
        next_step=_read_with_cookie,
        is_asked_anyway=True,
    ),
    QuestionRow(
        question=Question.DATA_KEY,
        text="Are segments here?",
        next_step=_read_segments_beside,
        is_asked_anyway=True,
    ),
    QuestionRow(
        question=Question.DATA_KEY,
        text="Is the data key accepted?",
        next_step=_read_data_key,
    ),
    QuestionRow(
        question=Question.MADE_UP_KEY,
        text="Does any key get that?",
        next_step=_read_with_any_key,
    ),
    QuestionRow(
        question=Question.HEADER,
        text="Which header holds the workspace?",
        next_step=_find_header,
    ),
    QuestionRow(
        question=Question.HEADER,
        text="Which header holds the workspace?",
        next_step=_confirm_header,
    ),
    QuestionRow(
        question=Question.HEADER_VALUE,
        text="Does its value matter?",
        next_step=_read_with_made_up_header,
    ),
    QuestionRow(
        question=Question.HEADER_BESIDES,
        text="Is another header needed, too?",
        next_step=_add_header,
    ),
    QuestionRow(
        question=Question.SWAPPED_KEYS,
        text="Are the two keys swapped?",
        next_step=_swap_keys,
    ),
    QuestionRow(
        question=Question.DATA_KEY,
        text="Is the data key accepted?",
        next_step=_read_data_key_with_header,
        reserve=5,
    ),
    QuestionRow(
        question=Question.NO_SUCH_PATH,
        text="How does it reply to no path?",
        next_step=_read_no_such_path,
        reserve=1,
    ),
    QuestionRow(
        question=Question.OTHER_ADDRESS,
        text="Is all of it elsewhere?",
        next_step=_read_moved_address,
    ),
    QuestionRow(
        question=Question.OTHER_ADDRESS,
        text="Is it where the service says?",
        next_step=_read_named_address,
        is_asked_anyway=True,
    ),
    QuestionRow(
        question=Question.MADE_UP_DATA_KEY,
        text="Is a made-up data key refused?",
        next_step=_read_with_made_up_data_key,
        reserve=2,
    ),
    QuestionRow(
        question=Question.OTHER_LIST,
        text="Is the list called otherwise?",
        next_step=_read_other_list,
        reserve=4,
    ),
    QuestionRow(
        question=Question.LIST_PATH,
        text="Where are the list's files?",
        next_step=_find_list,
        reserve=4,
    ),
    QuestionRow(
        question=Question.WHOLE_LIST,
        text="Are larger pages whole?",
        next_step=_read_whole_list,
        reserve=4,
    ),
    QuestionRow(
        question=Question.MADE_UP_LIST,
        text="Has a made-up list the same files?",
        next_step=_read_made_up_list,
        reserve=3,
    ),
    # Between the two made-up keys, since a service may lock an account after the first.
    QuestionRow(
        question=Question.FILE_PATH,
        text="Where is one file?",
        next_step=_find_file,
        reserve=3,
    ),
    QuestionRow(
        question=Question.MADE_UP_KEY,
        text="Is a made-up campaign key refused?",
        next_step=_read_with_made_up_key,
        reserve=1,
    ),
    QuestionRow(
        question=Question.FILE_PATH,
        text="Which path is about one file?",
        next_step=_guess_file_path,
        reserve=3,
    ),
    QuestionRow(
        question=Question.AGAIN,
        text="Is the answer the same once more?",
        next_step=_ask_again,
    ),
    QuestionRow(
        question=Question.UPLOAD_PATH,
        text="Is the path of uploads redirected?",
        next_step=_read_upload_path,
    ),
)
"""In the order in which they are asked."""


def read_service(
    reader: Reader,
    evidence: Evidence,
    on_step: Callable[[str], None],
) -> Evidence:
    """
    Read what a service shows.

    :param evidence: without reads.
    :param on_step: called with the question at each read, and with what is waited for.
    """
    for row in QUESTIONS:
        if not row.is_asked_anyway and _is_over(evidence):
            continue
        evidence = _settle(row, reader, evidence, on_step)
    # With the reads that the last questions did not need.
    for row in QUESTIONS:
        if not _is_over(evidence) and evidence.not_asked.get(row.question) == POSTPONED:
            evidence = _settle(row._replace(reserve=0), reader, evidence, on_step)
    return evidence


def _read_by_codes(reader: Reader, evidence: Evidence) -> Evidence:
    """Read all replies by the codes of errors, once some of them show which these are."""
    codes = effects.learned_codes(evidence)
    if codes is None:
        return evidence
    return replace(evidence, probes=reader.read_by(codes, evidence.probes))


def _is_over(evidence: Evidence) -> bool:
    """Tell whether nothing more can be found out as the connection is set."""
    if facts.is_unexaminable(evidence) or is_layer(evidence) or header.demanded_header(evidence):
        return True
    moved = redirects.moved(evidence)
    if moved is not None and moved.tests:
        return True
    return key_facts.objection(evidence) is not None


def _settle(
    row: QuestionRow, reader: Reader, evidence: Evidence, on_step: Callable[[str], None]
) -> Evidence:
    """Send reads until a question is settled, or nothing more can be sent for it."""
    while True:
        if facts.is_shut_out(evidence):
            return evidence.without(row.question, SHUT_OUT)
        step = row.next_step(evidence)
        if step is None:
            return evidence
        if isinstance(step, NotAsked):
            return evidence.without(row.question, step.why)
        obstacle = reader.obstacle(step, row.reserve)
        if obstacle == reader.out_of_time:
            evidence = replace(evidence, out_of_time=obstacle)
        if obstacle:
            return evidence.without(row.question, obstacle)
        on_step(row.text)
        sent = reader.read(
            row.question,
            step,
            lambda seconds: on_step(f"{row.text} The service's limit: {seconds:.0f} s to wait"),
        )
        if sent[-1].ran_out and evidence.probes:
            evidence = evidence.plus(sent[:-1])
            return replace(evidence, out_of_time=reader.out_of_time).without(
                row.question, reader.out_of_time
            )
        evidence = _read_by_codes(reader, evidence.plus(sent)).without(row.question, "")
        if sent[-1].is_lost:
            evidence = evidence.without(row.question, no_answer(sent))
            if row.question is not Question.AGAIN:
                return evidence
