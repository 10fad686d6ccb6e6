"""
What changed while the doctor read: one request with two answers, and keys that are refused since
made-up ones were sent. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum, auto
from itertools import dropwhile, groupby, pairwise
from operator import itemgetter
from typing import Any, Final, NamedTuple

from wes_provider import contract
from wes_provider.doctor.reads.caches import about_304
from wes_provider.doctor.reads.evidence import Evidence, file_read, listed_in
from wes_provider.doctor.reads.key_turns import key_in_turn
from wes_provider.doctor.reads.sayings import SAYS, advice_of, hand_over, words_of
from wes_provider.doctor.reads.shapes import labels_of_shapes, versions_of, with_version
from wes_provider.doctor.replies.probes import Form, Keys, Kind, Probe, same_request
from wes_provider.doctor.replies.subjects import Subject
from wes_provider.doctor.replies.words import quoted, text_of
from wes_provider.texts import counted, shown

__all__ = ["Lockout", "Scope", "TwoAnswers", "came_in_turn", "lockout", "two_answers"]


# -- a lock-out ------------------------------------------------------------------------------------


class Lockout(NamedTuple):
    """
    Reads with the own keys that were accepted, and are all refused after made-up keys were sent.

    :ivar refused: the reads with the own keys since then.
    :ivar made_up: how many reads with made-up keys came before.
    """

    refused: Sequence[Probe]
    made_up: int

    @property
    def text(self) -> str:
        """The sentence that says so, and what to do."""
        first = self.refused[0]
        return (
            f"Since {first.time} UTC, after {counted(self.made_up, 'read')} with made-up keys, the "
            "service refuses the own keys, too, which it accepted before "
            f"({first.answer}{words_of(first)}): it may lock an account after wrong keys, or the "
            "keys were revoked. Do not run this again at once: ask the service's support, or wait "
            "until tasks work."
        )


def lockout(evidence: Evidence) -> Lockout | None:
    """
    Return the lock-out that made-up keys may have caused; ``None`` if there is none.

    All later reads with the own keys are refused, and the first of them follows a made-up key, or
    they are with both keys. A key that was rotated meanwhile is usually one of two.
    """
    refused = _refused_in_the_end(evidence)
    if not refused or refused[0].subject is not None:
        return None  # or the service says itself why it refuses
    before = evidence.probes[: evidence.probes.index(refused[0])]
    made_up = sum(probe.keys is Keys.MADE_UP for probe in before)
    if not made_up or not any(_was_accepted(before, probe) for probe in refused):
        return None
    is_next = before[-1].keys is Keys.MADE_UP
    is_general = len({probe.request.operation.key for probe in refused}) > 1
    if is_next or is_general:
        return Lockout(refused, made_up)
    return None


def _refused_in_the_end(evidence: Evidence) -> list[Probe]:
    """Return the last reads with the own keys, as far back as all of them are refused."""
    refused: list[Probe] = []
    for probe in reversed(evidence.probes):
        if probe.keys is not Keys.OWN or probe.is_lost:
            continue
        if not _is_shut(probe):
            break
        refused.insert(0, probe)
    return refused


def _was_accepted(before: Sequence[Probe], refused: Probe) -> bool:
    """Tell whether the same request got an answer before, which was no refusal of its own."""
    return any(
        same_request(refused, probe) and probe.kind is Kind.ANSWER and not _is_shut(probe)
        for probe in before
    )


def _is_shut(probe: Probe) -> bool:
    return probe.kind is Kind.REFUSED or probe.status in (403, 423)


# -- one request, two answers ----------------------------------------------------------------------


class Scope(Enum):
    """What is not settled if a request gets two answers."""

    SHAPES = auto()  # they differ in the shape of their records
    FILES = auto()  # they differ in the files that they list
    PATHS = auto()  # the key is accepted in both; one node does not have the list or the file
    KEYS = auto()  # the key is refused in one
    ALL = auto()


class TwoAnswers(NamedTuple):
    """
    A request that was answered in two ways.

    :ivar text: the sentence that says so, and what to do.
    """

    answers: Sequence[Probe]
    text: str
    scope: Scope

    @property
    def is_of_shapes(self) -> bool:
        """Whether the answers differ in the shape of their records."""
        return self.scope is Scope.SHAPES

    @property
    def is_about_list(self) -> bool:
        """Whether the request is that of a list's files."""
        return self.answers[0].request.operation is contract.LIST_COUPON_FILES


WHAT_TO_DO: Final = {
    Scope.SHAPES: "Two versions of the service may reply, such as while a new one is put in place: "
    "change nothing, ask the service's support which one stays, and run this again later.",
    Scope.FILES: "One of several nodes may be behind, and then a task may not find its upload in "
    "the list: run this again later, or tell the service's support which replies differ.",
    Scope.PATHS: "Several nodes may disagree, so neither the key nor a path is shown to be wrong: "
    "run this again later, or ask the service's support.",
    Scope.KEYS: "The key may be revoked, or not known to one of several nodes, or a gateway may "
    "refuse at times: check it in the service's dashboard, and run this again later.",
    Scope.ALL: "A proxy or a gateway may reply at times: run this again later, or check what is "
    "between you and the service.",
}


KNOWN_LATER: Final = (
    "One of several nodes may not know the key yet, such as after a new one was made, or a gateway "
    "may refuse at times: wait, change nothing, and run this again later."
)


def two_answers(evidence: Evidence, followed: Iterable[Probe] = ()) -> list[TwoAnswers]:
    """
    Return all requests with the connection's keys that were answered in two ways.

    :param followed: reads of an uploaded file, and of its list, while it was processed.
    """
    followed = [*followed]
    return [
        *_two_answers_to_reads(evidence),
        *_refused_at_times(evidence, followed),
        *_two_shapes_of_followed(evidence, followed),
    ]


def _refused_at_times(evidence: Evidence, followed: Sequence[Probe]) -> list[TwoAnswers]:
    """
    Return the reads of a file on its way, or of its list, that were refused at one time since the
    upload, and got what they asked for at another; or were redirected in turn with that.
    """
    evidence = evidence.plus(followed)
    found: list[TwoAnswers] = []
    for replies in _by_request(followed):
        told = (
            _refused_and_accepted(replies)
            or _shut_in_the_end(replies)
            or _redirected_in_turn(replies)
        )
        if not told:
            continue
        order = _in_order(evidence, told)
        if found:
            found.append(_for_the_same_reason(told, order))
        else:
            found.append(_two_answers(evidence, told, order))
    return found


def _refused_and_accepted(replies: Sequence[Probe]) -> list[Probe]:
    """Return the replies that accept or refuse the key; none unless there are both."""
    told = [probe for probe in replies if probe.success or probe.kind is Kind.REFUSED]
    if {Kind.ANSWER, Kind.REFUSED} <= {probe.kind for probe in told}:
        return told
    return []


def _shut_in_the_end(replies: Sequence[Probe]) -> list[Probe]:
    """
    Return the replies if the last ones forbid what earlier ones gave. What is forbidden first may
    be so while a file is on its way.
    """
    told = [probe for probe in replies if probe.success or _is_shut(probe)]
    runs = [is_shut for is_shut, _ in groupby(told, key=_is_shut)]
    if runs == [False, True]:
        return told
    return []


def _redirected_in_turn(replies: Sequence[Probe]) -> list[Probe]:
    """
    Return the successes and the redirects if they alternate: a redirect that stays is that of a
    file which has moved.
    """
    told = [probe for probe in replies if probe.success or probe.kind is Kind.ELSEWHERE]
    kinds = [kind for kind, _ in groupby(probe.kind for probe in told)]
    if Kind.ELSEWHERE in kinds and len(kinds) > 2:
        return told
    return []


def _for_the_same_reason(answers: Sequence[Probe], order: str) -> TwoAnswers:
    """Say which two answers came to a further request."""
    text = f"Two answers to {answers[0].sent}, too, for the same reason: {order}."
    return TwoAnswers(answers=answers, text=text, scope=_scope_of(answers))


def _by_request(probes: Iterable[Probe]) -> list[list[Probe]]:
    """Return the replies to each request, in order."""
    by_request: dict[Any, list[Probe]] = {}
    for probe in probes:
        by_request.setdefault(probe.identity, []).append(probe)
    return [*by_request.values()]


def _two_shapes_of_followed(evidence: Evidence, followed: Iterable[Probe]) -> list[TwoAnswers]:
    """
    Return the reads of a file on its way that came in two shapes in turn: one that changes once may
    be that of a file that goes on.
    """
    found = []
    for answers in _by_request(probe for probe in followed if probe.success):
        labels = labels_of_shapes(answers)
        if len([*groupby(labels)]) > 2 and not _go_on_with_files(answers, labels):
            order = _in_order(evidence, answers)
            found.append(_two_answers(evidence, answers, order))
    return found


def _go_on_with_files(answers: Sequence[Probe], labels: Sequence[str]) -> bool:
    """
    Tell whether the shape of replies changes with the statuses of their files, which go on and do
    not come back: then it is the files that change, and no version of the service.
    """
    states = [*map(_statuses_in, answers)]
    stages = [state for state, _ in groupby(states)]
    of_stages = set(zip(states, labels, strict=True))
    return len(stages) == len(set(stages)) == len(of_stages)


def _statuses_in(answer: Probe) -> frozenset[tuple[str, str]]:
    """Return the identifiers and statuses of the files that a reply has."""
    listed = listed_in("", answer)
    alone = file_read(answer)
    if answer.request.operation is contract.LIST_COUPON_FILES and listed is not None:
        return frozenset((file.id, file.status) for file in listed.files)
    if alone is not None:
        return frozenset({(alone.id, alone.status)})
    return frozenset()


def _two_answers_to_reads(evidence: Evidence) -> list[TwoAnswers]:
    locked = lockout(evidence)
    found: list[TwoAnswers] = []
    reasons: set[Subject] = set()
    for answers in evidence.answers_by_request():
        order = _in_order(evidence, answers)
        reason = _told_by(answers)
        if locked is not None and any(answer in locked.refused for answer in answers):
            found.append(TwoAnswers(answers=answers, text=locked.text, scope=Scope.ALL))
        elif order and reason in reasons:
            found.append(_for_the_same_reason(answers, order))
        elif order:
            found.append(_two_answers(evidence, answers, order))
            if reason is not None:
                reasons.add(reason)
    return found


def _told_by(answers: Sequence[Probe]) -> Subject | None:
    """Return what answers say by their own words that a refusal is about; ``None`` for nothing."""
    subjects = [probe.subject.subject for probe in answers if probe.subject is not None]
    return next(iter(subjects), None)


def _two_answers(evidence: Evidence, answers: Sequence[Probe], order: str) -> TwoAnswers:
    """
    Say which two answers came to a request, and what to do.

    :param order: which of them came in which order, for people.
    """
    scope = _scope_of(answers)
    what_to_do = WHAT_TO_DO[scope]
    if scope is Scope.KEYS:
        what_to_do = _what_to_do_about_key(evidence, answers)
    said = next((probe for probe in answers if probe.subject is not None), None)
    of_304 = [*filter(None, map(about_304, answers))]
    if said is not None:
        # The service says itself why it refuses, so nothing else is guessed.
        what_to_do = advice_of(said)
    elif of_304:
        what_to_do = of_304[0]
    elif _is_away_since(evidence, answers[-1]):
        what_to_do = _what_to_do_about_page(evidence, answers[-1])
    elif scope is Scope.ALL and _come_in_turn(evidence):
        what_to_do = _what_to_do_about_node(evidence)
    text = (
        f"{_who_answered(answers)} gave two answers to the same request, {answers[0].sent}: "
        f"{order}. {_reason(answers)}{what_to_do}"
    )
    return TwoAnswers(
        answers=answers,
        text=text,
        scope=scope,
    )


def _what_to_do_about_key(evidence: Evidence, answers: Sequence[Probe]) -> str:
    """Tell what to do about a key that is accepted in one answer, and refused in another."""
    in_turn = key_in_turn(evidence, answers[0].request.operation.key)
    if in_turn.node_says:
        return in_turn.node_says
    if in_turn.is_accepted_later or not _is_shut(answers[-1]):
        return KNOWN_LATER
    return WHAT_TO_DO[Scope.KEYS]


def _who_answered(answers: Sequence[Probe]) -> str:
    """Tell who gave answers: the service alone, or perhaps something before it, too."""
    if any(probe.kind is Kind.NOT_SERVICE for probe in answers):
        return "The service and something before it"
    return "The service"


def _is_away_since(evidence: Evidence, page: Probe) -> bool:
    """Tell whether a web page came at last, and each reply after the first page was one, too."""
    if page.form is not Form.PAGE or page.kind is not Kind.NOT_SERVICE:
        return False
    since = _replies_since_page(evidence)
    return len(since) >= FEWEST_PAGES and all(probe.form is Form.PAGE for probe in since)


def _replies_since_page(evidence: Evidence) -> list[Probe]:
    """Return all replies from the first web page on."""
    replies = evidence.replies
    return [*dropwhile(lambda probe: probe.form is not Form.PAGE, replies)]


def _what_to_do_about_page(evidence: Evidence, page: Probe) -> str:
    """Tell what to do if nothing but a web page comes any more."""
    number = len(_replies_since_page(evidence))
    said = ""
    text = page.clean(text_of(page.text))
    if text and not page.message:
        said = f" ({quoted(text, SAYS)})"
    return (
        f"All {number} replies since then were such a page{said}, so it may keep this machine out "
        "after some requests: do not run this again at once, and ask whoever runs what is before "
        f"the service to let this machine through.{hand_over(page)}"
    )


def _come_in_turn(evidence: Evidence) -> bool:
    """Tell whether web pages came at least twice, and replies of the service between them."""
    replies = evidence.replies
    runs = [is_page for is_page, _ in groupby(replies, key=_is_foreign_page)]
    return runs.count(True) > 1


def _is_foreign_page(probe: Probe) -> bool:
    return probe.form is Form.PAGE and probe.kind is Kind.NOT_SERVICE


def _what_to_do_about_node(evidence: Evidence) -> str:
    """Tell what to do if web pages and replies of the service come in turn."""
    replies = evidence.replies
    pages = [*filter(_is_foreign_page, replies)]
    return (
        f"{len(pages)} of {len(replies)} replies were such a page, in turn with those of the "
        "service: one of several nodes behind the Address may not have it. Change nothing, and ask "
        "whoever runs it to take that node out."
    )


def _scope_of(answers: Sequence[Probe]) -> Scope:
    if len({probe.answer for probe in answers}) == 1:
        if labels_of_shapes(answers):
            return Scope.SHAPES
        return Scope.FILES
    kinds = {probe.kind for probe in answers}
    if not kinds <= {Kind.ANSWER, Kind.REFUSED}:
        return Scope.ALL
    if any(map(_is_shut, answers)):
        return Scope.KEYS
    return Scope.PATHS


def _reason(answers: Sequence[Probe]) -> str:
    """
    Return a sentence with the reason of an error that is no documented one, or says what it is
    about; empty without any.
    """
    for probe in answers:
        is_telling = probe.subject is not None or not probe.is_documented_error
        if probe.message and is_telling:
            return f"With {probe.status} came {quoted(probe.message, SAYS)}. "
    return ""


def _is_accepted_later(evidence: Evidence, first: Probe) -> bool:
    """
    Tell whether a read with the connection's keys was accepted after an answer that is another.
    """
    later = evidence.probes[evidence.probes.index(first) + 1 :]
    return any(probe.keys is Keys.OWN and probe.has_succeeded for probe in later)


def _in_order(evidence: Evidence, answers: Sequence[Probe]) -> str:
    """Tell which answers to one request came in which order; empty if they are all the same."""
    labels = _labels(answers)
    versions = versions_of(answers, labels)
    said = [with_version(label, versions) for label in labels]
    pairs = zip(said, answers, strict=True)
    firsts = [next(run) for _, run in groupby(pairs, key=itemgetter(0))]
    if len(firsts) < 2:
        return ""
    if len(firsts) > 2:
        return came_in_turn(firsts)
    (before, _), (after, first) = firsts
    since = "since"
    if not first.has_succeeded and _is_accepted_later(evidence, first):
        since = "at"
    if _come_in_turn(evidence):
        since = "at"
    return f"{before} at first, {after} {since} {first.time} UTC"


def came_in_turn(firsts: Sequence[tuple[str, Probe]]) -> str:
    """
    Tell which answers came in turn.

    :param firsts: what came, with the first answer of each kind in a row.
    """
    if len(firsts) > MOST_TURNS:
        return f"{came_in_turn(firsts[:MOST_TURNS])}, and so on"
    times = {probe.time for _, probe in firsts}
    if len(times) == 1:
        return f"{', then '.join(label for label, _ in firsts)}, at {times.pop()} UTC"
    return f"{', then '.join(f'{label} at {probe.time}' for label, probe in firsts)} UTC"


def _labels(answers: Sequence[Probe]) -> list[str]:
    """
    Tell what sets answers to one request apart: what came, or else the shape of their records, or
    else the files that they list.
    """
    labels = [_label(probe) for probe in answers]
    if len(set(labels)) > 1:
        return labels
    shapes = labels_of_shapes(answers)
    if not shapes and _loses_files(answers):
        known = list(dict.fromkeys(file_id for probe in answers for file_id in _files_of(probe)))
        return [f"{probe.status} with {_files_beside(probe, known)}" for probe in answers]
    return shapes or labels


def _label(probe: Probe) -> str:
    """Tell what came, in words that tell it from other answers."""
    if probe.kind is Kind.ANSWER and not probe.success:
        return str(probe.answer)
    if about_304(probe):
        return "304 without a body"
    labels = {
        Kind.ANSWER: f"accepted ({probe.status})",
        Kind.REFUSED: f"refused ({probe.answer})",
        Kind.ELSEWHERE: f"a redirect ({probe.status})",
        Kind.NOT_SERVICE: f"{probe.form.value} that is not the service's ({probe.status})",
    }
    return labels[probe.kind]


FEWEST_PAGES: Final = 3  # that show more than a reply by chance
MOST_TURNS: Final = 3  # answers in turn that are named


def _is_whole(probe: Probe) -> bool:
    """Tell whether a success has all files of a list, as far as it says."""
    listed = listed_in("", probe)
    return probe.success and (listed is None or not listed.incomplete)


def _files_of(probe: Probe) -> list[str]:
    """
    Return the identifiers that a response lists as a whole; none if it lists a part or nothing.
    """
    listed = listed_in("", probe)
    if (
        listed is None
        or listed.incomplete
        or probe.request.operation is not contract.LIST_COUPON_FILES
    ):
        return []
    return listed.file_ids


def _files_beside(probe: Probe, known: Sequence[str]) -> str:
    """
    Tell how many files a reply has, and which it lacks.

    :param known: the identifiers that any reply has.
    """
    ids = _files_of(probe)
    lacks = [file_id for file_id in known if file_id not in ids]
    if ids and lacks:
        return f"{counted(len(ids), 'file')}, without {shown(', '.join(lacks), quoted=False)}"
    if ids:
        return counted(len(ids), "file")
    return "no file"


def _loses_files(answers: Sequence[Probe]) -> bool:
    """
    Tell whether a later answer lacks a file of an earlier one, so that they are of two states.
    """
    listings = [set(_files_of(probe)) for probe in answers if _is_whole(probe)]
    return any(before - after for before, after in pairwise(listings))
