"""The next reads of the questions about the paths of a list's files and of one file. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from wes_provider import contract
from wes_provider.doctor.questions.steps import KEY_IS_REFUSED, NotAsked, Step
from wes_provider.doctor.reads import facts, header, key_facts, next_pages, pages, redirects
from wes_provider.doctor.reads.escapes import escaped_in, is_list_refused_for_escapes
from wes_provider.doctor.reads.evidence import MADE_UP, Evidence, Listed, Places, file_at, list_at
from wes_provider.doctor.reads.json_forms import path_of_json
from wes_provider.doctor.reads.key_facts import Standing
from wes_provider.doctor.reads.masked_lists import masked_identifiers
from wes_provider.doctor.reads.own_queries import QueryShows, own_query
from wes_provider.doctor.reads.sending import Ask
from wes_provider.doctor.replies.files import is_record_without_id
from wes_provider.doctor.replies.probes import Kind, Probe, Question, same_reply
from wes_provider.doctor.replies.unreadables import is_unreadable
from wes_provider.models import CouponFile

__all__ = [
    "FILE_PATHS",
    "LIST_PATHS",
    "file_paths",
    "find_file",
    "find_list",
    "guess_file_path",
    "read_made_up_list",
    "read_next_page",
    "read_other_list",
    "read_upload_path",
    "read_whole_list",
    "read_without_query",
]

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
MOST_PAGES: Final = 3  # larger pages that are tried
LIST_HAS_NO_ANSWER: Final = "the read of the list got no answer"


def _why_not_read(evidence: Evidence) -> str:
    """Tell why no path is read with the campaign key; empty if there is no reason."""
    fact = key_facts.campaign_key(evidence)
    if fact.standing is Standing.REFUSED:
        return KEY_IS_REFUSED
    is_list_answered = fact.standing is not Standing.NO_ANSWER
    if facts.answer_of_other_list(evidence) is not None:
        is_list_answered = False
    if is_list_answered:
        return ""
    if fact.lost and fact.lost[-1].is_lost_by_words:
        return f"the read of the list was refused ({fact.lost[-1].answer})"
    return LIST_HAS_NO_ANSWER


def read_other_list(evidence: Evidence) -> Step:
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


def find_list(evidence: Evidence) -> Step:
    """Read the list at the connection's path, at those that replies name, and at usual ones."""
    why = _why_not_read(evidence)
    if why:
        return NotAsked(why)
    tried = facts.places(evidence)
    if tried.listed is not None:
        return None
    as_json = path_of_json(evidence)
    if as_json and as_json not in tried.lists:
        settings = header.current_settings(evidence)
        return Ask(list_at(settings, as_json, evidence.list_id), tried=as_json)
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


def read_whole_list(evidence: Evidence) -> Step:
    """Read a larger page of a list of which a page was read."""
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
    return _read_behind(evidence, listed, tried)


def read_next_page(evidence: Evidence) -> Step:
    """Read what a list points at, which may be no file: some services do so with the last page."""
    listed = facts.places(evidence).listed
    if listed is None or evidence.sent_for(Question.NEXT_PAGE):
        return None
    if not next_pages.is_only_pointed_at(listed):
        return None
    following = next_pages.next_page(listed)
    if following is None:
        return None
    request = listed.probe.request._replace(url=following.url)
    return Ask(request, tried=following.parameter)


def read_without_query(evidence: Evidence) -> Step:
    """
    Read the list without what the query of the connection's path may leave out, and once more if it
    has more files then.
    """
    query = own_query(evidence)
    if query is None or len(query.reads) > 1:
        return None
    if query.reads and query.shows is not QueryShows.LEAVES_OUT:
        return None
    settings = header.current_settings(evidence)
    return Ask(list_at(settings, query.path, evidence.list_id), tried=query.path)


def _read_larger_page(evidence: Evidence, listed: Listed, tried: Sequence[str]) -> Step:
    settings = header.current_settings(evidence)
    reads = evidence.of(Question.WHOLE_LIST)
    if any(pages.is_largest_by_reply(listed, probe) for probe in reads):
        return None
    for path in pages.larger_pages(evidence, listed):
        if path not in tried:
            return Ask(list_at(settings, path, evidence.list_id), tried=path)
    return None


def _read_behind(evidence: Evidence, listed: Listed, tried: Sequence[str]) -> Step:
    """Read what comes behind the files of a list, until that is a file, or nothing."""
    if pages.list_with_more(evidence, listed) is not None:
        return None
    if pages.page_behind(evidence, listed) is not None or pages.is_end_shown(evidence, listed):
        return None
    settings = header.current_settings(evidence)
    for path in pages.pages_behind(listed):
        if path not in tried:
            return Ask(list_at(settings, path, evidence.list_id), tried=path)
    return None


def read_made_up_list(evidence: Evidence) -> Step:
    """
    Files that do not say which list they are of may be those of any list; and a failure, or a 403,
    may be of this list alone.
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
    if facts.is_list_forbidden(evidence):
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


def find_file(evidence: Evidence) -> Step:
    """Read one file that was seen, at paths that it may have."""
    why = _why_not_read(evidence)
    if why:
        return NotAsked(why)
    tried = facts.places(evidence)
    if not tried.seen_files:
        return None
    if tried.listed is not None and masked_identifiers(tried.listed) is not None:
        return NotAsked("the list has no identifier of a file")
    first, last = _hardest(tried.seen_files), tried.seen_files[-1]
    unread = next(filter(partial(_is_kept_from_file, evidence), tried.files.values()), None)
    if unread is None:
        return _next_file_path(evidence, tried, first.id)
    if unread.request.subject == first.id != last.id:
        settings = header.current_settings(evidence)
        return Ask(file_at(settings, unread.tried, evidence.list_id, last.id), tried=unread.tried)
    return _next_file_path(evidence, tried, tried.file_id)


def _hardest(files: Sequence[CouponFile]) -> CouponFile:
    """
    Return the file whose identifier is the hardest for a path: with a slash, which gateways refuse
    most; else with anything that is sent escaped; else the first one.
    """
    return max(files, key=lambda file: ("/" in file.id, bool(escaped_in(file.id))))


def _is_kept_from_file(evidence: Evidence, probe: Probe) -> bool:
    """
    Tell whether a reply says of a file which the list has that it is gone, or that the key may not
    read this one, at a path for files: then another file may be read there.
    """
    if facts.hides(probe):
        return False
    if probe.error_status == 403 and not facts.is_like_nowhere(evidence, probe):
        return probe.kind is Kind.ANSWER
    return facts.is_file_gone(evidence, probe) or facts.knows_path(evidence, probe)


def guess_file_path(evidence: Evidence) -> Step:
    """Without a file to read, find a path whose 404 is about the file."""
    tried = facts.places(evidence)
    if _why_not_read(evidence) or tried.seen_files:
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
    if is_unreadable(probe) or is_record_without_id(probe.content):
        return True
    if probe.kind is not Kind.ANSWER:
        return False
    if probe.request.subject == MADE_UP:
        return facts.knows_path(evidence, probe)
    if facts.is_file_gone(evidence, probe):
        return True
    is_kept_out = probe.error_status == 403 and not facts.is_like_nowhere(evidence, probe)
    return (
        is_kept_out or facts.hides(probe) or (probe.success and probe.request.subject in probe.text)
    )


def read_upload_path(evidence: Evidence) -> Step:
    """Read the path that files are uploaded to: the list may be read at another one."""
    if _why_not_read(evidence) or not evidence.names_a_list:
        return None
    request = facts.read_of_upload_path(evidence)
    if evidence.answers_to(request):
        return None
    return Ask(request)
