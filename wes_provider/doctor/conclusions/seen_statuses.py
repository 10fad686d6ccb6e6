"""What coupon files show of their statuses, and the lists that follow from it. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from wes_provider.coupon_files import CountNames, Statuses
from wes_provider.doctor.reads.evidence import UNREADABLE
from wes_provider.doctor.records.histories import TakenBack, taken_back
from wes_provider.doctor.records.meanings import (
    NONE_ADDED,
    Meaning,
    Means,
    doubt_about,
    meaning_of,
    means_in,
    most_added_of_each,
    telling_names,
)
from wes_provider.doctor.replies.files import coupons_in, status_of, unknown_counts
from wes_provider.models import CouponFile
from wes_provider.settings import WesSettings
from wes_provider.texts import counted, shown

__all__ = [
    "CONFIRM",
    "GARBLED",
    "MASKED",
    "MOST_STATUSES",
    "WITH_NUMBERS",
    "SeenStatuses",
    "as_sentence",
    "clear_meanings",
    "end_taken_back",
    "is_masked",
    "known_statuses",
    "lists_with",
    "meanings_by_status",
    "question_of_counts",
    "says_of_status",
    "see_statuses",
]

GARBLED: Final = (
    "cannot be read: its bytes are not text in the charset that the response names. Ask the "
    "service's support for UTF-8."
)
MASK: Final = re.compile(r"[^\w\s]+|X{3,}|<?(?:REDACTED|MASKED)>?")  # in capitals
MASKED: Final = (
    "seems to be a mask, as of something on the way that hides values: have whoever runs it pass "
    "these replies on as they are. Name it nowhere: successes and failures may look alike."
)
CONFIRM: Final = (
    "Confirm this in the service's dashboard, then put the extra below into the connection."
)
WITH_NUMBERS: Final = (
    "Statuses have numbers of their file in them ({statuses}), so the next file has another one, "
    "and no list of coupon_file_statuses helps: tasks would wait until their timeout. Name none of "
    "them, and ask the service's support for statuses of fixed words."
)
MOST_STATUSES: Final = 8  # that are named


def lists_with(
    statuses: Statuses,
    meanings: Mapping[str, Means],
) -> dict[str, Any]:
    """
    Return the lists of the extra ``coupon_file_statuses``, with the meanings of some statuses.
    """
    means_of: dict[str, str] = {}
    for means in Means:
        means_of |= dict.fromkeys(getattr(statuses, means.value), means.value)
    means_of |= {status: means.value for status, means in meanings.items()}
    return {
        f"coupon_file_statuses.{means.value}": sorted(
            status for status, value in means_of.items() if value == means.value
        )
        for means in Means
    }


def known_statuses(statuses: Statuses) -> frozenset[str]:
    """Return the statuses of all three lists."""
    return statuses.pending | statuses.success | statuses.failure


def meanings_by_status(
    settings: WesSettings, files: Sequence[CouponFile]
) -> dict[str, dict[Means, Meaning]]:
    """
    Tell what each status seems to mean by its files; without those that the provider knows by
    itself.

    What the connection says is no evidence: it may be a guess that was pasted.
    """
    names = telling_names(files, settings.count_names)
    others = most_added_of_each(files, names)
    found: dict[str, dict[Means, Meaning]] = {}
    for file in files:
        status = status_of(file)
        given = means_in(settings.statuses, status)
        is_own = given is not None and given is means_in(Statuses(), status)
        if not status or is_own:
            continue
        meanings = found.setdefault(status, {})
        meaning = meaning_of(file, names, others)
        meaning = meaning._replace(why=f"file {shown(file.id, quoted=False)}: {meaning.why}")
        if meaning.is_open:
            meanings[meaning.means] = meaning
        elif meaning.is_supported:
            meanings.setdefault(meaning.means, meaning)
    return found


def clear_meanings(unknown: Mapping[str, Mapping[Means, Meaning]]) -> dict[str, Means]:
    """Return the statuses that seem to mean one thing only."""
    return {
        status: means
        for status, meanings in unknown.items()
        for means, meaning in meanings.items()
        if len(meanings) == 1 and not meaning.is_open
    }


def says_of_status(status: str, meanings: Mapping[Means, Meaning]) -> str:
    """Tell what a status seems to mean, as part of a sentence."""
    if not meanings:
        return f"nothing shows what {status} means"
    if len(meanings) > 1:
        kinds = " or ".join(sorted(means.value for means in meanings))
        return f"{status} cannot be told apart: {kinds}"
    (meaning,) = meanings.values()
    if meaning.is_either:
        return f"{status} may mean success or failure ({meaning.why})"
    if meaning.is_unclear:
        return f"{status} is unclear ({meaning.why})"
    if meaning.is_partial:
        return f"{status} is partial ({meaning.why}): decide whether your tasks should accept it"
    return f"{status} seems to mean {meaning.means.value} ({meaning.why})"


def _doubt_about_given(
    given: Means | None,
    status: str,
    meanings: Mapping[Means, Meaning],
) -> str:
    """Tell what the files of a status leave open of what the connection says; empty for nothing."""
    if given is None or given is Means.PENDING:
        return ""
    meaning = None
    if len(meanings) == 1:
        meaning = meanings.get(given)
    if meaning is not None and (meaning.sure or given is Means.FAILURE):
        return ""
    if meaning is not None:
        return f"{status} means {given.value} by the connection ({meaning.why})"
    if meanings:
        says = says_of_status(status, meanings)
        return f"the connection names {status} as {given.value}, but {says}"
    return f"the connection names {status} as {given.value}, but no file shows that"


def end_taken_back(settings: WesSettings, files: Sequence[CouponFile]) -> TakenBack | None:
    """Return a success or a failure that was no end by the history of a file; ``None`` for none."""
    clear = clear_meanings(meanings_by_status(settings, files))
    return taken_back(
        files, lambda status: means_in(settings.statuses, status) or clear.get(status)
    )


def as_sentence(end: TakenBack | None) -> str:
    """Tell of an end that was none, as sentences with a space before them; empty without one."""
    if end is None:
        return ""
    return f" {end}"


class FailedFile(NamedTuple):
    """A file with success, and what says that it failed; empty if nothing does."""

    file: CouponFile
    why: str


class SeenStatuses(NamedTuple):
    """
    What the files of a list show of their statuses.

    :ivar unknown: what each status seems to mean that no list of the connection has.
    :ivar clear: those of them that seem to mean one thing only.
    :ivar doubts: what the files leave open of the connection's own lists, as sentences.
    :ivar succeeded: the files with success; ``failed``: those of them that something says failed.
    """

    names: str
    unknown: Mapping[str, Mapping[Means, Meaning]]
    clear: Mapping[str, Means]
    doubts: str
    succeeded: Sequence[CouponFile]
    failed: Sequence[FailedFile]

    @property
    def is_to_be_decided(self) -> bool:
        """Whether no file can show more of what is unknown, since it is partial."""
        unclear = [self.unknown[status] for status in self.unknown.keys() - self.clear.keys()]
        partial = [
            all(meaning.is_partial for meaning in meanings.values()) and bool(meanings)
            for meanings in unclear
        ]
        return bool(partial) and all(partial)

    @property
    def is_harmless(self) -> bool:
        """Whether all that is unknown is a stage on the way, which is waited for."""
        return set(self.clear.values()) <= {Means.PENDING} and len(self.clear) == len(self.unknown)

    @property
    def says(self) -> str:
        """What the unknown statuses seem to mean, as part of a sentence."""
        return "; ".join(
            says_of_status(status, meanings) for status, meanings in self.unknown.items()
        )

    @property
    def failures_say(self) -> str:
        """How many files with success failed by what the service names."""
        number = f"{len(self.failed)} of {counted(len(self.succeeded), 'file')}"
        why = next((failed.why for failed in self.failed), "")
        return f"{number} with success failed by what the service names: {why}"


def see_statuses(settings: WesSettings, files: Sequence[CouponFile]) -> SeenStatuses:
    """Return what files show of their statuses."""
    statuses = settings.statuses
    meanings = meanings_by_status(settings, files)
    unknown = {name: meanings[name] for name in sorted(meanings.keys() - known_statuses(statuses))}
    given = {name: meanings[name] for name in sorted(meanings.keys() & known_statuses(statuses))}
    doubts = [_doubt_about_given(means_in(statuses, name), name, given[name]) for name in given]
    succeeded = [file for file in files if statuses.succeeded(file.status)]
    looked_at = [FailedFile(file, _why_failed(file, settings.count_names)) for file in succeeded]
    return SeenStatuses(
        names=", ".join(sorted({*map(status_of, files)} - {""})),
        unknown=unknown,
        clear=clear_meanings(unknown),
        doubts="; ".join(filter(None, doubts)),
        succeeded=succeeded,
        failed=[failed for failed in looked_at if failed.why],
    )


def is_masked(status: str) -> bool:
    """Tell whether a status is what stands for a value that somebody hides, such as ``****``."""
    return status != "" and UNREADABLE not in status and MASK.fullmatch(status) is not None


def question_of_counts(settings: WesSettings, files: Sequence[CouponFile]) -> str:
    """
    Ask which number counts coupons added, with the numbers of a file of each status, as sentences
    before others; empty if that is known, or no number can be it.
    """
    names = telling_names(files, settings.count_names)
    if any(coupons_in(file, names).added is not None for file in files):
        return ""
    numbers = list(dict.fromkeys(name for file in files for name in unknown_counts(file)))
    if not numbers:
        return ""
    of_status: dict[str, CouponFile] = {}
    for file in files:
        of_status.setdefault(status_of(file), file)
    table = "; ".join(
        f"{status} {', '.join(str(file.counts.get(name, '-')) for name in numbers)}"
        for status, file in of_status.items()
    )
    if len(numbers) > 1:
        which = f"Which of {', '.join(numbers)} counts"
    else:
        which = f"Does {numbers[0]} count"
    return (
        f"{which} coupons added ({table})? Name it in coupon_file_counts, and run this again: it "
        "tells what statuses mean. "
    )


def _why_failed(file: CouponFile, names: CountNames) -> str:
    """
    Return what says that a file failed, of which no coupon was added: a reason, or a count of bad
    rows; empty if nothing does.
    """
    added = coupons_in(file, names).added
    if added:
        return ""
    if file.reason:
        return shown(file.reason)
    doubt = doubt_about(file, names)
    if added == 0 and doubt != NONE_ADDED:
        return doubt
    return ""
