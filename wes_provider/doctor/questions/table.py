"""
The questions to the service that reads can settle, as a table, and the loop that asks them.

A reply may come from a gateway, a proxy or a cache. So there are reads to compare others with: with
a key that nobody has, of a path that does not exist, and of the same request once more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from wes_provider.doctor.in_front.layers import is_layer
from wes_provider.doctor.questions.key_steps import (
    add_header,
    confirm_header,
    find_header,
    read_address_without_version,
    read_another_path,
    read_data_key,
    read_data_key_with_header,
    read_list,
    read_moved_address,
    read_named_address,
    read_no_such_path,
    read_other_address,
    read_page,
    read_segments_beside,
    read_with_any_key,
    read_with_cookie,
    read_with_made_up_data_key,
    read_with_made_up_header,
    read_with_made_up_key,
    swap_keys,
)
from wes_provider.doctor.questions.path_steps import (
    find_file,
    find_list,
    guess_file_path,
    read_made_up_list,
    read_next_page,
    read_other_list,
    read_upload_path,
    read_whole_list,
    read_without_query,
)
from wes_provider.doctor.questions.steps import SHUT_OUT, NotAsked, Step, data_read, has_data_key
from wes_provider.doctor.reads import effects, facts, header, key_facts, redirects
from wes_provider.doctor.reads.evidence import Evidence, list_at
from wes_provider.doctor.reads.sending import POSTPONED, Ask, Reader, no_answer
from wes_provider.doctor.replies.probes import Driver, Question

__all__ = ["QUESTIONS", "read_service"]


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


class Repeat(NamedTuple):
    """A request on which a report rests, and how many answers it has to have."""

    ask: Ask
    answers: int = 2


def _ask_again(evidence: Evidence) -> Step:
    for repeat in _to_repeat(evidence):
        answers = evidence.answers_to(repeat.ask.request)
        if len(answers) < repeat.answers and not _had_no_answer(evidence, repeat.ask):
            return _as_waits_poll(evidence, repeat.ask)
    return None


def _as_waits_poll(evidence: Evidence, ask: Ask) -> Ask:
    """
    Return a read that is repeated anyway as waits send it, once: that of the file; without a path
    of one file, that of the list.
    """
    tried = facts.places(evidence)
    polled = tried.files.get(tried.file_path)
    if polled is None and tried.listed is not None:
        polled = tried.listed.probe
    if polled is None or polled.request != ask.request or _has_polled(evidence):
        return ask
    return ask._replace(driver=Driver.OF_POLLS)


def _has_polled(evidence: Evidence) -> bool:
    """Tell whether a read was sent as waits send it."""
    if evidence.unread_polls:
        return True
    return any(probe.driver is Driver.OF_POLLS for probe in evidence.probes)


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
    if has_data_key(evidence):
        yield Repeat(Ask(data_read(evidence)))
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
        next_step=read_list,
        is_asked_anyway=True,
    ),
    QuestionRow(
        question=Question.OTHER_ADDRESS,
        text="Is the service elsewhere?",
        next_step=read_other_address,
        is_asked_anyway=True,
    ),
    QuestionRow(
        question=Question.OTHER_ADDRESS,
        text="Does the address have a version too many?",
        next_step=read_address_without_version,
        is_asked_anyway=True,
    ),
    QuestionRow(
        question=Question.NO_SUCH_PATH,
        text="Does another path reply so?",
        next_step=read_another_path,
        is_asked_anyway=True,
    ),
    QuestionRow(
        question=Question.PAGE,
        text="What does that page say?",
        next_step=read_page,
        is_asked_anyway=True,
    ),
    QuestionRow(
        question=Question.COOKIE,
        text="Does a cookie let it pass?",
        next_step=read_with_cookie,
        is_asked_anyway=True,
    ),
    QuestionRow(
        question=Question.DATA_KEY,
        text="Are segments here?",
        next_step=read_segments_beside,
        is_asked_anyway=True,
    ),
    QuestionRow(
        question=Question.DATA_KEY,
        text="Is the data key accepted?",
        next_step=read_data_key,
    ),
    QuestionRow(
        question=Question.MADE_UP_KEY,
        text="Does any key get that?",
        next_step=read_with_any_key,
    ),
    QuestionRow(
        question=Question.HEADER,
        text="Which header holds the workspace?",
        next_step=find_header,
    ),
    QuestionRow(
        question=Question.HEADER,
        text="Which header holds the workspace?",
        next_step=confirm_header,
    ),
    QuestionRow(
        question=Question.HEADER_VALUE,
        text="Does its value matter?",
        next_step=read_with_made_up_header,
    ),
    QuestionRow(
        question=Question.HEADER_BESIDES,
        text="Is another header needed, too?",
        next_step=add_header,
    ),
    QuestionRow(
        question=Question.SWAPPED_KEYS,
        text="Are the two keys swapped?",
        next_step=swap_keys,
    ),
    QuestionRow(
        question=Question.DATA_KEY,
        text="Is the data key accepted?",
        next_step=read_data_key_with_header,
        reserve=5,
    ),
    QuestionRow(
        question=Question.NO_SUCH_PATH,
        text="How does it reply to no path?",
        next_step=read_no_such_path,
        reserve=1,
    ),
    QuestionRow(
        question=Question.OTHER_ADDRESS,
        text="Is all of it elsewhere?",
        next_step=read_moved_address,
    ),
    QuestionRow(
        question=Question.OTHER_ADDRESS,
        text="Is it where the service says?",
        next_step=read_named_address,
        is_asked_anyway=True,
    ),
    QuestionRow(
        question=Question.MADE_UP_DATA_KEY,
        text="Is a made-up data key refused?",
        next_step=read_with_made_up_data_key,
        reserve=2,
    ),
    QuestionRow(
        question=Question.OTHER_LIST,
        text="Is the list called otherwise?",
        next_step=read_other_list,
        reserve=4,
    ),
    QuestionRow(
        question=Question.LIST_PATH,
        text="Where are the list's files?",
        next_step=find_list,
        reserve=4,
    ),
    QuestionRow(
        question=Question.WHOLE_LIST,
        text="Are larger pages whole?",
        next_step=read_whole_list,
        reserve=4,
    ),
    QuestionRow(
        question=Question.MADE_UP_LIST,
        text="Has a made-up list the same files?",
        next_step=read_made_up_list,
        reserve=3,
    ),
    QuestionRow(
        question=Question.WITHOUT_QUERY,
        text="Does the path's query leave files out?",
        next_step=read_without_query,
        reserve=4,
    ),
    # Between the two made-up keys, since a service may lock an account after the first.
    QuestionRow(
        question=Question.FILE_PATH,
        text="Where is one file?",
        next_step=find_file,
        reserve=3,
    ),
    QuestionRow(
        question=Question.MADE_UP_KEY,
        text="Is a made-up campaign key refused?",
        next_step=read_with_made_up_key,
        reserve=1,
    ),
    QuestionRow(
        question=Question.FILE_PATH,
        text="Which path is about one file?",
        next_step=guess_file_path,
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
        next_step=read_upload_path,
    ),
    QuestionRow(
        question=Question.NEXT_PAGE,
        text="Does the list go on?",
        next_step=read_next_page,
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
    if redirects.versionless(evidence) is not None:
        return True
    objection = key_facts.objection(evidence)
    # A gateway that does not have this path may have another one.
    return objection is not None and not facts.is_about_stage(objection)


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
        if obstacle:
            return _without_read(row, reader, evidence, obstacle)
        on_step(row.text)
        sent = reader.read(
            row.question,
            step,
            lambda seconds: on_step(f"{row.text} The service's limit: {seconds:.0f} s to wait"),
        )
        is_silent = facts.has_fallen_silent(evidence.plus(sent[:-1]), sent[-1])
        if sent[-1].ran_out and evidence.probes and not is_silent:
            return _without_read(row, reader, evidence.plus(sent[:-1]), reader.out_of_time)
        if step.driver is Driver.OF_POLLS and not sent[-1].status:
            # Whether that is so of this driver alone, the next read shows, with the other one.
            unread = tuple(probe for probe in sent if not probe.status)
            replies = [probe for probe in sent if probe.status]
            evidence = replace(evidence.plus(replies), unread_polls=unread)
            continue
        evidence = _read_by_codes(reader, evidence.plus(sent)).without(row.question, "")
        if sent[-1].is_lost:
            evidence = evidence.without(row.question, no_answer(sent))
            if row.question is not Question.AGAIN:
                return evidence


def _without_read(row: QuestionRow, reader: Reader, evidence: Evidence, why: str) -> Evidence:
    """Return the evidence with the reason why no further read is sent for a question."""
    if why == reader.out_of_time:
        evidence = replace(evidence, out_of_time=why)
    return evidence.without(row.question, why)
