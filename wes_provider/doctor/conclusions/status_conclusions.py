"""What follows for statuses from the files of a list. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from wes_provider.doctor.conclusions.seen_statuses import (
    CONFIRM,
    GARBLED,
    MASKED,
    MOST_STATUSES,
    WITH_NUMBERS,
    SeenStatuses,
    as_sentence,
    end_taken_back,
    is_masked,
    lists_with,
    question_of_counts,
    see_statuses,
)
from wes_provider.doctor.conclusions.turning_conclusions import (
    row_of_turning_statuses,
    with_replies_that_turn,
)
from wes_provider.doctor.findings import advice
from wes_provider.doctor.findings.finding import Certainty, Finding, Row, Topic, conclude
from wes_provider.doctor.reads.evidence import UNREADABLE, Places
from wes_provider.doctor.reads.turning_statuses import TurningStatus
from wes_provider.doctor.records.limited_imports import limit_of_import
from wes_provider.doctor.records.meanings import Means, doubt_about
from wes_provider.doctor.records.numbered_statuses import quoted_statuses, statuses_with_numbers
from wes_provider.doctor.records.open_successes import OpenSuccess, open_success
from wes_provider.doctor.records.other_states import other_state
from wes_provider.doctor.records.rehearsals import IN_REHEARSAL, rehearsal_in
from wes_provider.doctor.replies.files import coupons_in, status_of
from wes_provider.doctor.replies.probes import Probe
from wes_provider.doctor.replies.words import capital
from wes_provider.models import CouponFile
from wes_provider.settings import WesSettings
from wes_provider.texts import counted, shown

__all__ = ["odd_statuses", "statuses_of_list"]


def _rehearsal_of_all(settings: WesSettings, files: Sequence[CouponFile]) -> str:
    """Quote what says that files were only checked; empty if a file has coupons added."""
    if any(coupons_in(file, settings.count_names).added for file in files):
        return ""
    return next(filter(None, map(rehearsal_in, files)), "")


def _failures_that_added(settings: WesSettings, files: Sequence[CouponFile]) -> str:
    """
    Tell of a status that tasks take for a failure, though its files have coupons added and nothing
    else that speaks of a failure, as sentences; empty without one.
    """
    names = settings.count_names
    odd = [
        file
        for file in files
        if settings.statuses.failed(file.status)
        and coupons_in(file, names).added
        and not doubt_about(file, names)
    ]
    if not odd:
        return ""
    status = status_of(odd[0])
    number = sum(status_of(file) == status for file in odd)
    has = "has" if number == 1 else "have"
    added = counted(coupons_in(odd[0], names).added or 0, "coupon")
    return (
        f"Tasks take {status} for a failure, but {counted(number, 'file')} with it {has} coupons "
        f"added ({shown(odd[0].id, quoted=False)}: {added}), and nothing else speaks of a failure. "
        "It may come after a success, such as at the end of a validity: then a task that sees it "
        "fails, and its coupons are there. Ask the service's support what the status means."
    )


def _partial_successes(settings: WesSettings, files: Sequence[CouponFile]) -> str:
    """Tell of the files with success of which a part only was imported, as sentences."""
    partial = [
        file for file in files if settings.statuses.succeeded(file.status) and limit_of_import(file)
    ]
    if not partial:
        return ""
    first = partial[0]
    others = ""
    if len(partial) > 1:
        others = f" (and {counted(len(partial) - 1, 'other')} like it)"
    return (
        f"File {shown(first.id, quoted=False)}{others} has {status_of(first)}, which means "
        f"success, but {limit_of_import(first)}. Ask the service's support what becomes of such a "
        "file."
    )


def statuses_of_list(
    settings: WesSettings,
    files: Sequence[CouponFile],
    probes: Sequence[Probe],
    where: str,
    turning: Sequence[TurningStatus] = (),
    alone: Sequence[CouponFile] = (),
) -> Finding:
    """
    Conclude on what the statuses of a list's files mean.

    :param where: they were read, for people.
    :param turning: the files whose status turns between replies.
    :param alone: the files that were read alone, since their own record may have more.
    """
    seen = see_statuses(settings, files)
    probes = with_replies_that_turn(turning, probes)
    lists = lists_with(settings.statuses, seen.clear)
    question = question_of_counts(settings, files)
    rehearsal = _rehearsal_of_all(settings, files)
    garbled = next((status for status in map(status_of, files) if UNREADABLE in status), "")
    masked = next(filter(is_masked, map(status_of, files)), "")
    apart = other_state(files, settings.statuses, settings.count_names)
    numbered = statuses_with_numbers(files)
    is_open = open_success(files, settings.statuses, settings.count_names)
    failures_that_added = _failures_that_added(settings, files)
    partial_successes = _partial_successes(settings, files)
    taken_back = end_taken_back(settings, [*files, *alone])
    also_taken_back = as_sentence(taken_back)
    return conclude(
        Topic.STATUSES,
        probes,
        Row(
            applies=not files,
            certainty=Certainty.NOT_SHOWN,
            text=str(advice.UPLOAD_SHOWS_STATUSES),
        ),
        Row(
            applies=not seen.names,
            certainty=Certainty.NOT_PROVED,
            text=f"No file of the list has one{advice.UPLOAD_TRIES_STATUS}",
        ),
        Row(
            applies=bool(garbled),
            certainty=Certainty.NOT_PROVED,
            text=f"{garbled} {GARBLED}",
        ),
        Row(
            applies=bool(masked),
            certainty=Certainty.NOT_PROVED,
            text=f"{masked} {MASKED}",
        ),
        row_of_turning_statuses(settings, turning, seen),
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
        _row_of_open_success(settings, seen, is_open),
        Row(
            applies=bool(seen.unknown) and not seen.is_harmless,
            certainty=Certainty.NOT_PROVED,
            text=(f"{question}{capital(seen.says)}. {_confirm(seen, question)}{also_taken_back}"),
            guesses=lists,
        ),
        Row(
            applies=taken_back is not None and taken_back.means is Means.SUCCESS,
            certainty=Certainty.NOT_PROVED,
            text=str(taken_back),
            guesses=lists,
        ),
        Row(
            applies=bool(failures_that_added),
            certainty=Certainty.NOT_PROVED,
            text=failures_that_added,
        ),
        Row(
            applies=bool(seen.failed),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{seen.failures_say}. A task takes such a file for a success, unless "
                "min_coupons_added says how many coupons it has to add. Ask the service's support "
                "what the status means."
            ),
        ),
        Row(
            applies=bool(partial_successes),
            certainty=Certainty.NOT_PROVED,
            text=partial_successes,
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
            certainty=Certainty.NOT_SHOWN,
            text=f"{seen.says}, and is waited for.",
            settings={},
            guesses=lists,
        ),
        Row(
            applies=True,
            certainty=Certainty.SURE,
            text=f"{seen.names} {where}, which the provider knows.{also_taken_back}",
            needs_action=taken_back is not None,
        ),
    )


def _row_of_open_success(
    settings: WesSettings, seen: SeenStatuses, is_open: OpenSuccess | None
) -> Row:
    """Tell what holds if other files speak against a status that tasks take for a success."""
    if is_open is None:
        return Row(applies=False, certainty=Certainty.NOT_PROVED, text="")
    also = ""
    if seen.unknown:
        also = f" {capital(seen.says)}."
    lists = lists_with(settings.statuses, {**seen.clear, is_open.status: Means.PENDING})
    return Row(
        applies=True,
        certainty=Certainty.NOT_PROVED,
        text=(
            f"{is_open}. If so, a task ends too early, with no coupon in the list, and "
            f"{is_open.status} has to be named as pending.{also} {CONFIRM}"
        ),
        guesses=lists,
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
