"""What follows for statuses from files whose status turns between replies. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from wes_provider.coupon_files import Statuses
from wes_provider.doctor.conclusions.seen_statuses import SeenStatuses, lists_with, says_of_status
from wes_provider.doctor.findings.finding import Certainty, Row
from wes_provider.doctor.reads.turning_statuses import Turn, TurningStatus, twins_of
from wes_provider.doctor.records.meanings import Means, means_in
from wes_provider.doctor.replies.probes import Probe
from wes_provider.doctor.replies.words import capital
from wes_provider.settings import WesSettings
from wes_provider.texts import counted, shown

__all__ = ["row_of_turning_statuses", "with_replies_that_turn"]

TWO_WORDS: Final = (
    "Its counts or its reason stay the same, so these may be two words for one state, as of two "
    "languages: ask the service's support for one language"
)
BEHIND: Final = (
    "One of several nodes may be behind, so a task may read an old status, and wait for longer: "
    "run this again later, or ask the service's support which node is behind."
)
BEHIND_OR_RETRIED: Final = (
    "One of several nodes may be behind, or the service tries the file again by itself, and a task "
    "fails at the first {status}: ask the service's support which of the two it is."
)
APART: Final = (
    "Several nodes may disagree, and a task takes the status that it reads: run this again later, "
    "or ask the service's support which one holds."
)
BOTH_ARE_KNOWN: Final = (
    ". The provider knows both words, but other states may have a second one, too."
)
NAME_BOTH: Final = ", or name both words in coupon_file_statuses."
CONFIRM_GUESSES: Final = (
    " Confirm this in the service's dashboard before you put the extra below into the connection."
)


def row_of_turning_statuses(
    settings: WesSettings, turning: Sequence[TurningStatus], seen: SeenStatuses
) -> Row:
    """
    Tell what holds if the status of files turns between replies to the same request.

    :param seen: what all statuses of any reply show, so that unknown ones are named.
    """
    if not turning:
        return Row(applies=False, certainty=Certainty.NOT_PROVED, text="")
    twins = _meanings_of_twins(turning, settings.statuses)
    unknown = _unknown_says(settings.statuses, turning, seen)
    return Row(
        applies=True,
        certainty=Certainty.NOT_PROVED,
        text=(
            f"{_two_answers_say(turning)} {_what_to_do(settings.statuses, turning[0])}{unknown}"
            f"{_confirm(settings.statuses, {**seen.clear, **twins})}"
        ),
        guesses=lists_with(settings.statuses, {**seen.clear, **twins}),
    )


def with_replies_that_turn(
    turning: Sequence[TurningStatus], probes: Sequence[Probe]
) -> list[Probe]:
    """Return the replies to the first request in which a status turns, and then other reads."""
    if not turning:
        return [*probes]
    replies = turning[0].replies
    others = [probe for probe in probes if not any(probe is reply for reply in replies)]
    return [*replies, *others]


def _two_answers_say(turning: Sequence[TurningStatus]) -> str:
    """Tell which file has which statuses in which order, and of how many others they turn."""
    first = turning[0]
    others = {each.file_id for each in turning} - {first.file_id}
    also = ""
    if others:
        also = f" (and of {counted(len(others), 'other')})"
    return (
        f"The service gave two answers to the same request, {first.replies[0].sent}: the status of "
        f"file {shown(first.file_id, quoted=False)}{also} is {first.came}."
    )


def _what_to_do(statuses: Statuses, turning: TurningStatus) -> str:
    """Tell what the two statuses of a file may be, and what to do."""
    if turning.turn is Turn.TWO_WORDS:
        if all(means_in(statuses, word) is not None for word in turning.words):
            return f"{TWO_WORDS}{BOTH_ARE_KNOWN}"
        return f"{TWO_WORDS}{NAME_BOTH}"
    if turning.turn is Turn.APART:
        return APART
    for word in turning.words:
        if statuses.failed(word):
            return BEHIND_OR_RETRIED.format(status=word)
    return BEHIND


def _meanings_of_twins(turning: Sequence[TurningStatus], statuses: Statuses) -> dict[str, Means]:
    """Return what unknown statuses mean if they say the same as a known one."""
    meanings = {}
    for word, known in twins_of(turning, statuses).items():
        means = means_in(statuses, known)
        if means is not None:
            meanings[word] = means
    return meanings


def _unknown_says(statuses: Statuses, turning: Sequence[TurningStatus], seen: SeenStatuses) -> str:
    """Tell what each unknown status of any reply may mean, as a sentence after a space."""
    twins = twins_of(turning, statuses)
    meanings = _meanings_of_twins(turning, statuses)
    says = []
    for status, by_files in seen.unknown.items():
        if status in twins:
            says.append(f"{status} may mean {meanings[status].value}, as {twins[status]} does")
        else:
            says.append(says_of_status(status, by_files))
    if not says:
        return ""
    return f" {capital('; '.join(says))}."


def _confirm(statuses: Statuses, guessed: Mapping[str, Means]) -> str:
    """Tell what to do with guessed statuses; empty if none is new."""
    if lists_with(statuses, guessed) == lists_with(statuses, {}):
        return ""
    return CONFIRM_GUESSES
