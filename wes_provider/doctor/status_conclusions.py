"""What follows from coupon files for statuses: what each one means, and how sure that is. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from wes_provider.coupon_files import CountNames, Statuses
from wes_provider.doctor import advice
from wes_provider.doctor.evidence import UNREADABLE, Places
from wes_provider.doctor.files import (
    coupons_in,
    status_of,
    step_of,
    unknown_counts,
)
from wes_provider.doctor.findings import Certainty, Finding, Row, Topic, conclude
from wes_provider.doctor.meanings import (
    NONE_ADDED,
    Meaning,
    Means,
    doubt_about,
    meaning_of,
    most_added_of_each,
    telling_names,
    what_to_have_done,
)
from wes_provider.doctor.moments import when_it_goes_on
from wes_provider.doctor.numbered_statuses import quoted_statuses, statuses_with_numbers
from wes_provider.doctor.other_states import other_state
from wes_provider.doctor.probes import Probe
from wes_provider.doctor.rehearsals import IN_REHEARSAL, not_in_effect_by, rehearsal_in
from wes_provider.doctor.remedies import is_of_fetching
from wes_provider.doctor.upload import Followed, own_successes
from wes_provider.doctor.whereabouts import has_parts, has_read_page, taken_for, what_else
from wes_provider.doctor.words import capital
from wes_provider.models import CouponFile
from wes_provider.settings import WesSettings
from wes_provider.texts import counted, redact, shown

__all__ = [
    "CONFIRM",
    "MOST_STATUSES",
    "odd_statuses",
    "statuses_of_list",
    "statuses_of_upload",
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
LONGEST_REASON: Final = 120  # characters
CONFIRM: Final = (
    "Confirm this in the service's dashboard, then put the extra below into the connection."
)
WITH_NUMBERS: Final = (
    "Statuses have numbers of their file in them ({statuses}), so the next file has another one, "
    "and no list of coupon_file_statuses helps: tasks would wait until their timeout. Name none of "
    "them, and ask the service's support for statuses of fixed words."
)
GOT_PAGE: Final = (
    "The service got a web page from the URL, and no file: use a URL that leads to the file "
    "itself, and run this again."
)
MOST_STATUSES: Final = 8  # that are named


def _lists_with(
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


def _known(statuses: Statuses) -> frozenset[str]:
    return statuses.pending | statuses.success | statuses.failure


def _means_in(statuses: Statuses, status: str) -> Means | None:
    """Return the list that has a status; ``None`` if no list has it."""
    return next((means for means in Means if status in getattr(statuses, means.value)), None)


def _meanings(
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
        given = _means_in(settings.statuses, status)
        is_own = given is not None and given is _means_in(Statuses(), status)
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


def _clear_meanings(unknown: Mapping[str, Mapping[Means, Meaning]]) -> dict[str, Means]:
    """Return the statuses that seem to mean one thing only."""
    return {
        status: means
        for status, meanings in unknown.items()
        for means, meaning in meanings.items()
        if len(meanings) == 1 and not meaning.is_open
    }


def _says(status: str, meanings: Mapping[Means, Meaning]) -> str:
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
        return f"the connection names {status} as {given.value}, but {_says(status, meanings)}"
    return f"the connection names {status} as {given.value}, but no file shows that"


class SeenStatuses(NamedTuple):
    """
    What the files of a list show of their statuses.

    :ivar unknown: what each status seems to mean that no list of the connection has.
    :ivar clear: those of them that seem to mean one thing only.
    :ivar doubts: what the files leave open of the connection's own lists, as sentences.
    :ivar succeeded: the files with success; ``failed``: those of them with a reason of a failure.
    """

    names: str
    unknown: Mapping[str, Mapping[Means, Meaning]]
    clear: Mapping[str, Means]
    doubts: str
    succeeded: Sequence[CouponFile]
    failed: Sequence[CouponFile]

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
        return "; ".join(_says(status, meanings) for status, meanings in self.unknown.items())

    @property
    def failures_say(self) -> str:
        """How many files with success failed by what the service names."""
        number = f"{len(self.failed)} of {counted(len(self.succeeded), 'file')}"
        reason = ""
        if self.failed:
            reason = shown(self.failed[0].reason)
        return f"{number} with success failed by what the service names: {reason}"


def _seen_statuses(settings: WesSettings, files: Sequence[CouponFile]) -> SeenStatuses:
    statuses = settings.statuses
    meanings = _meanings(settings, files)
    unknown = {name: meanings[name] for name in sorted(meanings.keys() - _known(statuses))}
    given = {name: meanings[name] for name in sorted(meanings.keys() & _known(statuses))}
    doubts = [_doubt_about_given(_means_in(statuses, name), name, given[name]) for name in given]
    succeeded = [file for file in files if statuses.succeeded(file.status)]
    return SeenStatuses(
        names=", ".join(sorted({*map(status_of, files)} - {""})),
        unknown=unknown,
        clear=_clear_meanings(unknown),
        doubts="; ".join(filter(None, doubts)),
        succeeded=succeeded,
        failed=[file for file in succeeded if _is_failure(file, settings.count_names)],
    )


def _is_masked(status: str) -> bool:
    """Tell whether a status is what stands for a value that somebody hides, such as ``****``."""
    return status != "" and UNREADABLE not in status and MASK.fullmatch(status) is not None


def _rehearsal_of_all(settings: WesSettings, files: Sequence[CouponFile]) -> str:
    """Quote what says that files were only checked; empty if a file has coupons added."""
    if any(coupons_in(file, settings.count_names).added for file in files):
        return ""
    return next(filter(None, map(rehearsal_in, files)), "")


def statuses_of_list(
    settings: WesSettings,
    files: Sequence[CouponFile],
    probes: Sequence[Probe],
    where: str,
) -> Finding:
    """
    Conclude on what the statuses of a list's files mean.

    :param where: they were read, for people.
    """
    seen = _seen_statuses(settings, files)
    lists = _lists_with(settings.statuses, seen.clear)
    question = _question_of_counts(settings, files)
    rehearsal = _rehearsal_of_all(settings, files)
    masked = next(filter(_is_masked, map(status_of, files)), "")
    apart = other_state(files, settings.statuses, settings.count_names)
    numbered = statuses_with_numbers(files)
    return conclude(
        Topic.STATUSES,
        probes,
        Row(
            applies=not files,
            certainty=Certainty.NOT_ASKED,
            text=str(advice.UPLOAD_SHOWS_STATUSES),
        ),
        Row(
            applies=not seen.names,
            certainty=Certainty.NOT_PROVED,
            text=f"No file of the list has one{advice.UPLOAD_TRIES_STATUS}",
        ),
        Row(
            applies=UNREADABLE in seen.names,
            certainty=Certainty.NOT_PROVED,
            text=f"{seen.names} {GARBLED}",
        ),
        Row(
            applies=bool(masked),
            certainty=Certainty.NOT_PROVED,
            text=f"{masked} {MASKED}",
        ),
        Row(
            applies=bool(rehearsal),
            certainty=Certainty.NOT_PROVED,
            text=f"No file of the list has coupons added, and {rehearsal}. {IN_REHEARSAL}",
        ),
        Row(
            applies=bool(numbered),
            certainty=Certainty.WRONG,
            text=WITH_NUMBERS.format(statuses=quoted_statuses(numbered)),
        ),
        Row(
            applies=apart is not None,
            certainty=Certainty.NOT_PROVED,
            text=f"{apart}.",
        ),
        Row(
            applies=bool(seen.unknown) and not seen.is_harmless,
            certainty=Certainty.NOT_PROVED,
            text=f"{question}{capital(seen.says)}. {_confirm(seen, question)}",
            guesses=lists,
        ),
        Row(
            applies=bool(seen.failed),
            certainty=Certainty.NOT_PROVED,
            text=f"{seen.failures_say}. Ask the service's support what the status means.",
        ),
        Row(
            applies=bool(seen.doubts),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{capital(seen.doubts)}. Confirm it in the service's dashboard"
                f"{advice.UPLOAD_PROVES_END}"
            ),
        ),
        Row(
            applies=not seen.succeeded,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"Only {seen.names} {where}, so what success is called is not shown. "
                f"{advice.UPLOAD_SHOWS}"
            ),
            guesses=lists,
        ),
        Row(
            applies=bool(seen.unknown),
            certainty=Certainty.NOT_ASKED,
            text=f"{seen.says}, and is waited for.",
            settings={},
            guesses=lists,
        ),
        Row(
            applies=True,
            certainty=Certainty.SURE,
            text=f"{seen.names} {where}, which the provider knows.",
        ),
    )


def _question_of_counts(settings: WesSettings, files: Sequence[CouponFile]) -> str:
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


def _confirm(seen: SeenStatuses, question: str) -> str:
    """
    Tell what to do about statuses that files speak for, or that nothing speaks for.

    :param question: that settles them, if there is one.
    """
    if set(seen.clear.values()) - {Means.PENDING}:
        return CONFIRM
    if seen.is_to_be_decided:
        return "Name it in coupon_file_statuses as you decide, under success or failure."
    if question:
        return f"Or look it up in the service's dashboard{advice.UPLOAD_SHOWS_STATUS}"
    return (
        "Look it up in the service's dashboard and name it in coupon_file_statuses"
        f"{advice.UPLOAD_SHOWS_STATUS}"
    )


def odd_statuses(
    tried: Places,
    odd: Sequence[str],
    probes: Sequence[Probe],
) -> Finding:
    """Tell what holds if files have something else in place of a status that the provider reads."""
    has = f"Files have {', '.join(odd[:MOST_STATUSES])}"
    if tried.file_path:
        text = (
            f"{has} in the list, but a status that the provider reads in their own record. Ask the "
            "service's support for the same in the list."
        )
        return Finding(
            topic=Topic.STATUSES,
            certainty=Certainty.NOT_PROVED,
            text=text,
            probes=tuple(probes),
        )
    certainty = Certainty.WRONG if tried.odd_status else Certainty.NOT_PROVED
    text = (
        f"{has}: the provider reads a string under status only, and no setting changes that. Ask "
        "the service's support for such statuses."
    )
    return Finding(
        topic=Topic.STATUSES,
        certainty=certainty,
        text=text,
        probes=tuple(probes),
    )


def _is_failure(file: CouponFile, names: CountNames) -> bool:
    """Tell whether a file has a reason of a failure, and no coupons that were added."""
    return bool(file.reason) and not coupons_in(file, names).added


def statuses_of_upload(settings: WesSettings, followed: Followed) -> Finding:
    """Tell what the statuses of the uploaded file mean."""
    last = status_of(followed.file)
    meaning = _meaning_of_end(settings, followed)
    names_seen = dict.fromkeys(followed.statuses)
    between = [name for name in names_seen if _is_between(settings, followed, name)]
    came = _in_order(followed)
    lists: dict[str, Any] = {}
    proved: dict[str, Any] = {}
    if meaning.sure:
        lists = _lists_of_upload(settings, followed, between, meaning)
        names = ("coupon_file_statuses.pending", f"coupon_file_statuses.{meaning.means.value}")
        proved = {name: lists[name] for name in names}
    beside = what_else(followed)
    also = _also_proposed(settings, followed, between)
    question = _question_of_counts(settings, followed.all_files)
    after_failure = ""
    if meaning.means is Means.FAILURE and followed.file.reason:
        after_failure = _after_failure(followed)
    return conclude(
        Topic.STATUSES,
        followed.reads,
        _row_of_file_taken_for_another(followed),
        _row_of_early_success(settings, followed, meaning),
        _row_of_person(settings, followed, between),
        _row_of_rehearsal(settings, followed),
        *_rows_without_success(settings, followed),
        _row_of_numbered_status(followed),
        _row_of_other_state(settings, followed),
        *_rows_against_success(settings, followed),
        Row(
            applies=settings.statuses.succeeded(last) and meaning.sure,
            certainty=Certainty.SURE,
            text=_success_says(settings, followed, between),
            settings=proved,
            guesses=lists,
        ),
        Row(
            applies=settings.statuses.succeeded(last),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{came}: {last} means success{_by_connection(last)}, and lasted, but "
                f"{meaning.why}.{beside} {_after_doubt(followed, meaning)}"
            ),
        ),
        Row(
            applies=meaning.sure,
            certainty=Certainty.WRONG,
            text=(
                f"{came}: {last} means {meaning.means.value} ({meaning.why}), which the provider "
                f"does not know.{after_failure}{also}"
            ),
            settings=proved,
            guesses=lists,
        ),
        Row(
            applies=meaning.is_partial,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{came}, which lasted and is partial ({meaning.why}): decide whether your tasks "
                f"should accept it, or upload a file without faults.{beside}{also}"
            ),
            guesses=_lists_beside_end(settings, followed, between),
        ),
        Row(
            applies=meaning.is_supported and meaning.means is not Means.PENDING,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{came}, which lasted and may mean {meaning.what}: {meaning.why}."
                f"{after_failure}{also} {CONFIRM}"
            ),
            guesses=_lists_of_upload(settings, followed, between, meaning),
        ),
        Row(
            applies=True,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{came}, which lasted{_may_mean(meaning)}: {meaning.why}.{beside}{also} "
                f"{question}{_about_open_status(followed)}"
            ),
            guesses=_lists_beside_end(settings, followed, between, _may_be_pending(last, meaning)),
        ),
    )


def _row_of_file_taken_for_another(followed: Followed) -> Row:
    """Tell what holds if the service took the uploaded file for one that the list had before."""
    other = taken_for(followed)
    if other is None:
        return Row(applies=False, certainty=Certainty.NOT_PROVED, text="")
    return Row(
        applies=True,
        certainty=Certainty.NOT_PROVED,
        text=(
            f"{_in_order(followed)}: the record of the uploaded file names coupon file "
            f"{shown(other.id, quoted=False)}, which the list had before, and the list does not "
            f"show the uploaded one, so the service may have taken it for that one."
            f"{what_else(followed)} Upload a file with other codes, to see what success is called. "
            f"Decide whether your tasks should accept {status_of(followed.file)}."
        ),
        is_cause=True,
    )


def _row_of_numbered_status(followed: Followed) -> Row:
    """Tell what holds if the last status has a number of the file in it."""
    last = status_of(followed.file)
    is_numbered = last in statuses_with_numbers(followed.all_files)
    return Row(
        applies=is_numbered,
        certainty=Certainty.WRONG,
        text=f"{_in_order(followed)}. {WITH_NUMBERS.format(statuses=quoted_statuses([last]))}",
    )


def _row_of_other_state(settings: WesSettings, followed: Followed) -> Row:
    """Tell what holds if a state beside the last status tells files of that status apart."""
    apart = other_state(followed.all_files, settings.statuses, settings.count_names)
    is_of_last = apart is not None and apart.status == status_of(followed.file)
    return Row(
        applies=is_of_last,
        certainty=Certainty.NOT_PROVED,
        text=f"{_in_order(followed)}, which lasted.{_reason_so_far(followed.file)} {apart}.",
    )


def _rows_against_success(settings: WesSettings, followed: Followed) -> list[Row]:
    """Tell what speaks against a last status that tasks take for a success."""
    last = status_of(followed.file)
    is_known = settings.statuses.succeeded(last)
    came = _in_order(followed)
    seen = _seen_statuses(settings, followed.listed_files)
    others_failed = any(status_of(file) == last for file in seen.failed)
    return [
        Row(
            applies=is_known and bool(followed.grew),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{came}, which is success for tasks, but the file went on after that "
                f"({followed.grew}): a task would end too early. Ask the service's support what "
                "tells that a file is done."
            ),
        ),
        Row(
            applies=is_known and others_failed,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{came}, which is success for tasks, but {seen.failures_say}. Ask the service's "
                "support what the status means."
            ),
        ),
    ]


def _success_says(settings: WesSettings, followed: Followed, between: Sequence[str]) -> str:
    """
    Tell that the file ended with a success that the connection knows.

    :param between: statuses that came before it, and that the connection does not know.
    """
    came = _in_order(followed)
    others = _also_proposed(settings, followed, [])
    if between:
        return f"{came}: {', '.join(between)} is on the way, and waited for.{others}"
    if status_of(followed.file) in own_successes(settings.statuses):
        return f"{came}, which lasted and means success.{others}"
    return f"{came}, which means success.{others}"


def _may_be_pending(status: str, meaning: Meaning) -> dict[str, Means]:
    """
    Return a status that seems to be of a file on its way, as a guess: a wrong one makes a task wait
    for it, and nothing worse; empty if it does not seem so.
    """
    if meaning.means is Means.PENDING and meaning.is_supported:
        return {status: Means.PENDING}
    return {}


def _in_order(followed: Followed) -> str:
    """Return the statuses of the uploaded file in the order in which they came."""
    came = followed.statuses
    if len(came) > MOST_STATUSES:
        came = (*came[: MOST_STATUSES - 1], "…", came[-1])
    return " → ".join(came)


def _may_mean(meaning: Meaning) -> str:
    """Tell what a status may mean, if anything speaks for that, as part of a sentence."""
    if meaning.is_supported or meaning.is_open or meaning.means is not Means.SUCCESS:
        return f" and may mean {meaning.what}"
    return ", and nothing shows what it means"


def _about_open_status(followed: Followed) -> str:
    """Tell what to do about a last status of which nothing shows what it means."""
    if has_parts(followed):
        return (
            "Ask the service's support which status says that all of them are in, and name it as "
            "success only then."
        )
    when = _when_it_goes_on(followed)
    if when:
        return (
            f"By {when} it goes on later: look in the service's dashboard after that what its last "
            "status is, and see that tasks wait so long."
        )
    return (
        "Look the status up and name it in coupon_file_statuses, or have the next upload wait "
        "longer, with --final-after SECONDS."
    )


def _after_doubt(followed: Followed, meaning: Meaning) -> str:
    """Tell what to do about a known success that something speaks against."""
    if has_read_page(followed):
        return GOT_PAGE
    if meaning.why == NONE_ADDED:
        return "Upload new coupons, if none of them may be in a list already."
    return "Ask the service's support what becomes of such a file."


def _also_proposed(settings: WesSettings, followed: Followed, between: Sequence[str]) -> str:
    """
    Tell what speaks for the other statuses that the extra has, as sentences; empty without any.
    """
    sentences = []
    if between:
        sentences.append(f" {', '.join(between)} came before it.")
    meanings = _meanings(settings, followed.listed_files)
    shown_by_list = _others_of_list(settings, meanings)
    if followed.waits_for:
        shown_by_list = _unknown_of_list(settings, meanings)
    for status, seen in meanings.items():
        has_open = any(meaning.is_open for meaning in seen.values())
        is_open = has_open and status not in _known(settings.statuses)
        if status not in followed.statuses and (is_open or status in shown_by_list):
            sentences.append(f" {_says(status, seen)}.")
    return "".join(sentences)


def _others_of_list(
    settings: WesSettings, meanings: Mapping[str, Mapping[Means, Meaning]]
) -> dict[str, Means]:
    """
    Return the statuses of a list's other files that seem to mean failure or a stage on the way, and
    that the provider does not know.
    """
    unknown = _unknown_of_list(settings, meanings)
    return {name: means for name, means in unknown.items() if means is not Means.SUCCESS}


def _unknown_of_list(
    settings: WesSettings, meanings: Mapping[str, Mapping[Means, Meaning]]
) -> dict[str, Means]:
    """Return the statuses that seem to mean one thing, and that the provider does not know."""
    known = _known(settings.statuses)
    return {name: means for name, means in _clear_meanings(meanings).items() if name not in known}


def _by_connection(status: str) -> str:
    """Who says that a status means success, if it is not the provider."""
    if Statuses().succeeded(status):
        return ""
    return " by the connection"


def _is_between(settings: WesSettings, followed: Followed, status: str) -> bool:
    """Tell whether a status came before the last one, and is none that the provider waits for."""
    return status not in settings.statuses.pending and status != status_of(followed.file)


def _row_of_early_success(settings: WesSettings, followed: Followed, meaning: Meaning) -> Row:
    """Tell what holds if the file went on after a status that the connection names as success."""
    last = status_of(followed.file)
    early = [status for status in followed.statuses[:-1] if settings.statuses.succeeded(status)]
    early = list(dict.fromkeys(early))
    names = ", ".join(early)
    came = _in_order(followed)
    if last in early and _goes_back(followed):
        return Row(
            applies=True,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{came}: the status goes back. One of several nodes may be behind another, or "
                f"{last} may be the status of a step, too, so that tasks would end too early. Ask "
                "the service's support which of the two it is."
            ),
        )
    if last in early:
        return Row(
            applies=True,
            certainty=Certainty.WRONG,
            text=(
                f"{came}: {last} came before the end, too, as the status of a step, and tasks take "
                "the first one for a success, so they would end too early. No setting tells the "
                "two apart: ask the service's support for a status that only the whole file gets."
            ),
        )
    after = ""
    if settings.statuses.failed(last):
        after = f" Then the file failed{_why(followed.file)}: upload a good one."
    lists = _lists_of_upload(settings, followed, early, meaning)
    changed = ("coupon_file_statuses.pending", "coupon_file_statuses.success")
    return Row(
        applies=bool(early),
        certainty=Certainty.WRONG,
        text=(
            f"{came}: {names} is a stage on the way, though "
            "tasks take it for a success, so they would end too early. Name it as "
            f"pending.{after}"
        ),
        settings={name: lists[name] for name in changed},
    )


def _goes_back(followed: Followed) -> bool:
    """Tell whether a status that came before the first end of a file came after it again."""
    last = status_of(followed.file)
    first_end = followed.statuses.index(last)
    return not set(followed.statuses[:first_end]).isdisjoint(followed.statuses[first_end:])


def _row_of_person(settings: WesSettings, followed: Followed, between: Sequence[str]) -> Row:
    """Tell what holds if the file does not go on before a person acts."""
    last = status_of(followed.file)
    lists = _lists_beside_end(settings, followed, between, {last: Means.PENDING})
    also = _also_proposed(settings, followed, between)
    if lists != _lists_with(settings.statuses, {}):
        also = f"{also} {CONFIRM}"
    has_ended = settings.statuses.succeeded(last) or settings.statuses.failed(last)
    came = _in_order(followed)
    return Row(
        applies=bool(followed.waits_for) and not has_ended,
        certainty=Certainty.NOT_PROVED,
        text=(
            f"The uploaded file waits for a person: {came} ({followed.waits_for}), and did not go "
            f"on. Have it {what_to_have_done(followed.file)}, and see in the service's dashboard "
            f"what becomes of it; a task waits for that until its timeout.{also}"
        ),
        guesses=lists,
    )


def _row_of_rehearsal(settings: WesSettings, followed: Followed) -> Row:
    """Tell what holds if the record says that the file was only checked."""
    rehearsal = rehearsal_in(followed.file)
    if settings.statuses.succeeded(followed.file.status):
        rehearsal = not_in_effect_by(followed.file)
    has = "without coupons added, and"
    if coupons_in(followed.file, settings.count_names).added:
        has = "with coupons added, but they may not be in the list:"
    return Row(
        applies=bool(rehearsal) and not followed.problem,
        certainty=Certainty.NOT_PROVED,
        text=f"{_in_order(followed)}, {has} {rehearsal}. {IN_REHEARSAL}",
    )


def _reason_so_far(file: CouponFile) -> str:
    """Quote what a file that has not ended names for a trouble, as a sentence; empty without."""
    if not file.reason:
        return ""
    return f" The service names {shown(redact(file.reason), LONGEST_REASON)}."


def _when_it_goes_on(followed: Followed) -> str:
    """Quote what says that the uploaded file goes on at a time to come; empty if nothing does."""
    for read in followed.reads:
        return when_it_goes_on(followed.file, read)
    return ""


def _after_problem(followed: Followed) -> str:
    """Tell what to do if no end of the file was seen."""
    if is_of_fetching(followed.file.reason):
        return (
            "It seems not to get the file from the URL: let it read that from where it asks, and "
            "see what becomes of this file before you upload it again."
        )
    if followed.gone is not None:
        return (
            "No time cures that: see in the list what became of it, do not upload it again, and "
            "ask the service's support for an identifier that stays until the file is processed."
        )
    when = _when_it_goes_on(followed)
    if when:
        return (
            f"By {when} it goes on later: do not upload it again, look in the service's dashboard "
            "after that what became of it, and see that tasks wait so long."
        )
    if followed.is_read_alone:
        return (
            "Do not upload it again: see in the service's dashboard what becomes of it, or ask the "
            "service's support. --timeout gives the next upload more time."
        )
    return f"Settle the {Topic.FILE_PATH.value} first: tasks read the file there, until its end."


def _under_another_identifier(followed: Followed) -> str:
    """Tell what to do about a file whose identifier changes; empty if it does not."""
    successor = followed.successor
    if successor is None:
        return ""
    now = shown(successor.id, quoted=False)
    if successor.status:
        now = f"{now} ({status_of(successor)})"
    seen = followed.last_seen.rstrip(".")
    return (
        "The end of the file was not seen under its identifier "
        f"{shown(followed.file.id, quoted=False)}: {seen}. The list has it as {now} now, so its "
        "identifier changes, and a task could not wait for it. No setting changes that: ask the "
        "service's support for an identifier that stays. Do not upload it again: it is there."
    )


def _ended_in_list_only(followed: Followed, end: str) -> str:
    """
    Tell what to do about a file of which the list has the end, and its own path has not.

    :param end: the status in the list.
    """
    cache = ""
    whom = "the service's support why the two differ"
    if followed.cached_by:
        cache = f", from a cache ({followed.cached_by})"
        whom = "whoever runs the cache to leave out the paths of files"
    return (
        f"The list has the file as {end}, but its own path replied "
        f"{status_of(followed.file)} for {followed.waited:.0f} s{cache}. Tasks wait by that path, "
        "so they would not see the end. Do not upload it again: it is there. "
        f"Ask {whom}."
    )


def _rows_without_success(settings: WesSettings, followed: Followed) -> list[Row]:
    """Tell what holds if no end was seen that may be a success."""
    file = followed.file
    last = status_of(file)
    odd = followed.places.odd_status
    end_in_list = followed.end_in_list(settings.statuses)
    return [
        Row(
            applies=bool(odd),
            certainty=Certainty.WRONG,
            text=(
                f"The file has {odd}, but the provider reads a string under status only, and no "
                "setting changes that. Ask the service's support."
            ),
        ),
        Row(
            applies=followed.successor is not None and bool(followed.problem),
            certainty=Certainty.WRONG,
            text=_under_another_identifier(followed),
        ),
        Row(
            applies=bool(end_in_list) and bool(followed.problem),
            certainty=Certainty.WRONG,
            text=_ended_in_list_only(followed, end_in_list),
        ),
        Row(
            applies=bool(followed.problem),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"The end of the file was not seen: {followed.last_seen.rstrip('.')}."
                f"{_reason_so_far(file)}{what_else(followed)} {_after_problem(followed)}"
            ),
        ),
        Row(
            applies=UNREADABLE in last,
            certainty=Certainty.NOT_PROVED,
            text=f"{last} {GARBLED}",
        ),
        Row(
            applies=_is_masked(last),
            certainty=Certainty.NOT_PROVED,
            text=f"{last} {MASKED}",
        ),
        Row(
            applies=settings.statuses.failed(last),
            certainty=Certainty.NOT_PROVED,
            text=f"{last}: the file failed{_why(file)}.{_after_failure(followed)}",
        ),
    ]


def _lists_of_upload(
    settings: WesSettings, followed: Followed, between: Sequence[str], meaning: Meaning
) -> dict[str, Any]:
    """Return the lists of statuses, with those of the uploaded file and the list's failures."""
    others = _others_of_list(settings, _meanings(settings, followed.listed_files))
    on_the_way = dict.fromkeys(between, Means.PENDING)
    last = status_of(followed.file)
    return _lists_with(settings.statuses, {**others, **on_the_way, last: meaning.means})


def _lists_beside_end(
    settings: WesSettings,
    followed: Followed,
    between: Sequence[str],
    end: Mapping[str, Means] = {},
) -> dict[str, Any]:
    """
    Return the lists with what is shown of all statuses but the last one of the file.

    :param end: what that one means; empty if that is open.
    """
    others = _unknown_of_list(settings, _meanings(settings, followed.listed_files))
    others.pop(status_of(followed.file), None)
    on_the_way = dict.fromkeys(between, Means.PENDING)
    return _lists_with(settings.statuses, {**others, **on_the_way, **end})


def _meaning_of_end(settings: WesSettings, followed: Followed) -> Meaning:
    """Tell what the last status of the uploaded file means."""
    last = status_of(followed.file)
    if Statuses().succeeded(last) and settings.statuses.succeeded(last):
        step = step_of(followed.file)
        doubt = step or doubt_about(followed.file, settings.count_names)
        return Meaning(
            means=Means.SUCCESS,
            sure=not doubt,
            why=doubt,
        )
    files = followed.all_files
    names = telling_names(files, settings.count_names)
    meaning = meaning_of(followed.file, names, followed.listed_files)
    if settings.statuses.succeeded(last) and meaning.means is Means.SUCCESS:
        # The connection and the file's counts say the same.
        return meaning._replace(sure=meaning.is_supported)
    return meaning


def _why(file: CouponFile) -> str:
    """Return the reason of a failure as the end of a sentence."""
    if file.reason:
        return f" ({file.reason})"
    return " without a reason that the provider reads"


def _after_failure(followed: Followed) -> str:
    """
    Tell what to do after an uploaded file has failed, by its reason; without one, by what else its
    record has. As sentences with a space before each.
    """
    reason = followed.file.reason
    if not reason and not has_read_page(followed):
        return (
            f"{what_else(followed)} See in the service's dashboard why, or ask its support. If it "
            "is the file, run this again with a good one."
        )
    if has_read_page(followed):
        return f" {GOT_PAGE}"
    if is_of_fetching(reason):
        return (
            " If the service could not get it from its URL, let the service's addresses in there, "
            "or use a URL that it can read, and run this again."
        )
    return " If it is the file, run this again with a good one; otherwise, settle that first."
