"""The next reads of the questions about the address, the keys and the header. Pure."""

from __future__ import annotations

import msgspec

from wes_provider.client import requests
from wes_provider.doctor.in_front import checks
from wes_provider.doctor.in_front.layers import may_be_layer
from wes_provider.doctor.questions.steps import (
    KEY_IS_REFUSED,
    NO_SUCH_PATH,
    SHUT_OUT,
    NotAsked,
    Step,
    data_read,
    has_data_key,
)
from wes_provider.doctor.reads import changes, facts, header, key_facts, redirects
from wes_provider.doctor.reads.evidence import MADE_UP, Evidence, list_at
from wes_provider.doctor.reads.key_facts import Standing
from wes_provider.doctor.reads.sending import Ask
from wes_provider.doctor.replies.hosts import other_host
from wes_provider.doctor.replies.probes import Keys, Kind, Probe, Question

__all__ = [
    "add_header",
    "confirm_header",
    "find_header",
    "read_address_without_version",
    "read_another_path",
    "read_data_key",
    "read_data_key_with_header",
    "read_list",
    "read_moved_address",
    "read_named_address",
    "read_no_such_path",
    "read_other_address",
    "read_page",
    "read_segments_beside",
    "read_with_any_key",
    "read_with_cookie",
    "read_with_made_up_data_key",
    "read_with_made_up_header",
    "read_with_made_up_key",
    "swap_keys",
]


def read_list(evidence: Evidence) -> Step:
    """Read the list, and once more if the first answer is of another kind or may be general."""
    answers = evidence.list_answers
    is_doubtful = len(answers) == 1 and (
        answers[0].kind is not Kind.ANSWER or facts.may_be_general(answers[0])
    )
    if answers and not is_doubtful:
        return None
    path = evidence.settings.coupon_files_path
    return Ask(list_at(evidence.settings, path, evidence.list_id), tried=path)


def read_other_address(evidence: Evidence) -> Step:
    """Read the list at another address that a redirect of it names."""
    address = redirects.other_address(evidence)
    if not address or evidence.of(Question.OTHER_ADDRESS):
        return None
    settings = msgspec.structs.replace(evidence.settings, base_url=address)
    request = list_at(settings, settings.coupon_files_path, evidence.list_id)
    return Ask(request, tried=address)


def read_address_without_version(evidence: Evidence) -> Step:
    """
    Read the list at the address without the version at its end, if it is not found with that; then
    a path there that does not exist, and the list once more as the connection is set.
    """
    address = redirects.address_without_version(evidence.settings)
    answers = evidence.list_answers
    is_missing = bool(answers) and answers[0].error_status == 404
    if not address or not is_missing:
        return None
    settings = msgspec.structs.replace(evidence.settings, base_url=address)
    tried = [probe.tried for probe in evidence.sent_for(Question.OTHER_ADDRESS)]
    if not tried:
        return Ask(list_at(settings, settings.coupon_files_path, evidence.list_id), tried=address)
    below = redirects.below_without_version(evidence)
    if below is None or not below.may_have_list:
        return None
    marked = redirects.nowhere_below(address)
    if marked not in tried:
        return Ask(list_at(settings, NO_SUCH_PATH, MADE_UP), tried=marked)
    path = evidence.settings.coupon_files_path
    if len(answers) == 1 and path not in tried:
        return Ask(list_at(evidence.settings, path, evidence.list_id), tried=path)
    return None


def read_moved_address(evidence: Evidence) -> Step:
    """Read the list below the address that all redirects lead to."""
    moved = redirects.moved(evidence)
    if moved is None or moved.tests:
        return None
    path = redirects.path_below(
        evidence.settings, moved.address, evidence.settings.coupon_files_path
    )
    settings = msgspec.structs.replace(evidence.settings, base_url=moved.address)
    return Ask(list_at(settings, path, evidence.list_id), tried=moved.address)


def read_named_address(evidence: Evidence) -> Step:
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


def read_another_path(evidence: Evidence) -> Step:
    """
    Find out whether another path is redirected or refused likewise, or gets what cannot be read.
    """
    is_odd = facts.may_lead_to_one_page(evidence) or facts.may_be_odd_alone(evidence)
    if not (is_odd or may_be_layer(evidence)) or evidence.sent_for(Question.NO_SUCH_PATH):
        return None
    return Ask(list_at(evidence.settings, NO_SUCH_PATH, MADE_UP))


def read_page(evidence: Evidence) -> Step:
    """Read the page that all is redirected to, unless another host has it."""
    one_page = facts.one_page(evidence)
    if one_page is None or evidence.sent_for(Question.PAGE):
        return None
    redirect = one_page.redirects[0]
    if not redirects.leads_to_same_origin(redirect):
        return None
    return Ask(redirect.request._replace(url=redirect.location))


def read_with_cookie(evidence: Evidence) -> Step:
    """Send the cookie back that a check sets, to find out whether the service is behind it."""
    cookies = checks.cookies_to_try(evidence)
    if cookies is None:
        return None
    return Ask(cookies.on(evidence.list_answers[-1].request), tried=cookies.names)


def read_segments_beside(evidence: Evidence) -> Step:
    """Find out whether segments are here, if the list is redirected to another host."""
    answers = evidence.list_answers
    if not answers or answers[-1].kind is not Kind.ELSEWHERE or not other_host(answers[-1]):
        return None
    if evidence.of(Question.DATA_KEY):
        return None
    return read_data_key(evidence)


def read_with_any_key(evidence: Evidence) -> Step:
    """Find out whether any key is refused so, before the service sees it."""
    is_compared = bool(evidence.of(Question.NO_SUCH_PATH))
    if not is_compared or not may_be_layer(evidence) or evidence.sent_for(Question.MADE_UP_KEY):
        return None
    return Ask(evidence.list_answers[0].request, Keys.MADE_UP)


def read_data_key(evidence: Evidence) -> Step:
    """
    Read a segment that does not exist with the Data API key, and twice if that key alone is
    refused.
    """
    if not has_data_key(evidence):
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


def read_data_key_with_header(evidence: Evidence) -> Step:
    """Read a segment with the header that was found."""
    if not has_data_key(evidence) or not header.proved_header(evidence):
        return None
    request = data_read(evidence)
    if evidence.answers_to(request):
        return None
    return Ask(request)


def swap_keys(evidence: Evidence) -> Step:
    """Try each key in the other's place, if it has no access in its own."""
    if not has_data_key(evidence) or header.proved_header(evidence):
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


def find_header(evidence: Evidence) -> Step:
    """Send names that the workspace header may have, several at once, until one is accepted."""
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


def read_with_made_up_header(evidence: Evidence) -> Step:
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


def confirm_header(evidence: Evidence) -> Step:
    """Send the header once more that was accepted, so that two nodes that reply in turn are met."""
    refused = header.refused_read(evidence)
    name = header.header_candidate(evidence)
    tried = [probe.tried for probe in evidence.of(Question.HEADER)]
    if refused is None or not name or tried.count(name) > 1:
        return None
    return _with_headers(evidence, refused, (name,))


def add_header(evidence: Evidence) -> Step:
    """Send further headers with the workspace beside the connection's."""
    refused = header.refused_read(evidence)
    names = header.headers_to_add(evidence)
    if refused is None or not names:
        return None
    headers = {**refused.request.headers, **dict.fromkeys(names, evidence.settings.workspace_id)}
    return Ask(refused.request._replace(headers=headers), tried=" ".join(names))


def read_no_such_path(evidence: Evidence) -> Step:
    """Read a path that does not exist, to compare other replies with."""
    if key_facts.campaign_key(evidence).standing is Standing.REFUSED:
        return NotAsked(KEY_IS_REFUSED)
    answers = evidence.of(Question.NO_SUCH_PATH)
    if answers and not (len(answers) == 1 and facts.is_refused(answers[0])):
        return None
    return Ask(list_at(header.current_settings(evidence), NO_SUCH_PATH, MADE_UP))


def read_with_made_up_data_key(evidence: Evidence) -> Step:
    """Find out whether a key that nobody has gets what the Data API key gets."""
    fact = key_facts.data_key(evidence)
    if fact.made_up is not None:
        return None
    is_refused = fact.standing is Standing.REFUSED
    is_telling = is_refused and key_facts.says_more_than_refused(fact)
    if is_telling or fact.standing is Standing.NOT_SHOWN:
        return Ask(data_read(evidence), Keys.MADE_UP)
    return None


def _compare_at_file(evidence: Evidence) -> Step:
    """
    Compare the keys at the path of one file, if a made-up key gets the list: a cache may have it
    for everybody, while other paths check keys.
    """
    own = key_facts.file_to_compare(evidence)
    if own is None:
        return None
    return Ask(own.request, Keys.MADE_UP)


def read_with_made_up_key(evidence: Evidence) -> Step:
    """Find out whether a key that nobody has gets what the Campaign API key gets."""
    fact = key_facts.campaign_key(evidence)
    is_refused = fact.standing is Standing.REFUSED
    if is_refused and not key_facts.says_more_than_refused(fact):
        return NotAsked(KEY_IS_REFUSED)
    if evidence.of(Question.MADE_UP_KEY):
        return _compare_at_file(evidence)
    if facts.is_lost_since_made_up_key(evidence):
        return NotAsked(SHUT_OUT)
    if changes.lockout(evidence) is not None:
        return NotAsked("the service refuses the own keys since a made-up one was sent")
    tried = facts.places(evidence)
    listed = tried.listed or tried.of_other_lists
    if listed is not None:
        return Ask(listed.probe.request, Keys.MADE_UP)
    if fact.own:
        return Ask(fact.own[0].request, Keys.MADE_UP)
    other_list = facts.answer_of_other_list(evidence)
    if other_list is not None:
        return Ask(other_list.request, Keys.MADE_UP)
    return NotAsked("the read with the own key has no answer")
