"""What follows from coupon files for their counts: which number counts coupons added. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final

from wes_provider.coupon_files import ADDED_NAMES, DUPLICATE_NAMES, CountNames
from wes_provider.doctor.conclusions.seen_statuses import CONFIRM, MOST_STATUSES
from wes_provider.doctor.findings.finding import Certainty, Finding, Row, Topic, conclude
from wes_provider.doctor.reads.evidence import Places
from wes_provider.doctor.reads.sights import sights_by_file
from wes_provider.doctor.records.counts_of_lists import count_of_list
from wes_provider.doctor.records.disputes import dispute_of
from wes_provider.doctor.records.meanings import (
    telling_names,
)
from wes_provider.doctor.records.own_counts import contradiction_of
from wes_provider.doctor.records.rehearsals import rehearsal_in
from wes_provider.doctor.replies.files import (
    BAD_COUNTS,
    count_names,
    coupons_in,
    has_any,
    is_total,
    may_be_no_duplicates,
    properties_of,
    sounds_like_added,
    unknown_counts,
)
from wes_provider.doctor.replies.probes import Probe
from wes_provider.doctor.writes.upload import Followed
from wes_provider.models import CouponFile
from wes_provider.settings import WesSettings
from wes_provider.texts import counted, shown

__all__ = ["changed_counts", "counts_of_list", "counts_of_upload"]


# A number as people write it: 5000, 5.000, 5 000.
AS_TEXT: Final = re.compile(r"\d{1,3}(?:[.,' \u00a0\u202f]?\d{3})*")


def counts_of_list(settings: WesSettings, tried: Places, probes: Sequence[Probe]) -> Finding:
    """Conclude on the counts of a list's files."""
    files = tried.known_files
    with_counts = [file for file in files if file.counts]
    listed = tried.listed
    if not with_counts and listed is not None and listed.records.odd_numbers:
        numbers = ", ".join(listed.records.odd_numbers[:MOST_STATUSES])
        text = f"Records have numbers ({numbers}), but cannot be read: settle that first."
        return Finding(
            topic=Topic.COUNTS,
            certainty=Certainty.NOT_SHOWN,
            text=text,
            probes=tuple(probes),
        )
    of_list = count_of_list(files, settings)
    if of_list:
        number = files[0].counts[of_list]
        return Finding(
            topic=Topic.COUNTS,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{of_list} is {number} in each of {counted(len(files), 'file')}, whatever its "
                "status is, so it seems to count what the list has, and not what a file brought. "
                "Ask the service's support which number counts a file's coupons."
            ),
            probes=tuple(probes),
        )
    as_text = next(filter(None, (_counts_as_text(settings, file) for file in files)), "")
    if not with_counts and as_text:
        return _of_texts(as_text, probes)
    if not with_counts:
        text = "No file with counts was seen, so added coupons cannot be seen."
        return Finding(
            topic=Topic.COUNTS,
            certainty=Certainty.NOT_SHOWN,
            text=text,
        )
    return _as_guess(_counts_of(settings, _processed_last(settings, with_counts), files, probes))


def changed_counts(settings: WesSettings, replies: Sequence[Probe]) -> str:
    """
    Tell which file has another number of coupons in a later reply, though its status is final in
    both, as a sentence with a space before it; empty if none has.
    """
    for sights in sights_by_file(replies):
        for before, after in pairwise(sights):
            statuses = {before.status, after.status}
            if len(statuses) > 1 or not _has_ended(settings, after.file):
                continue
            had = coupons_in(before.file, settings.count_names).added
            has = coupons_in(after.file, settings.count_names).added
            if had is None or has is None or had == has:
                continue
            return (
                f" File {shown(after.file.id, quoted=False)} had {counted(had, 'coupon')} added "
                f"in one reply, and {has} in a later one, both as {after.status}: a task takes the "
                "number that it reads."
            )
    return ""


def _has_ended(settings: WesSettings, file: CouponFile) -> bool:
    """Tell whether a file has a final status."""
    return settings.statuses.succeeded(file.status) or settings.statuses.failed(file.status)


def _as_guess(finding: Finding) -> Finding:
    """Return a finding on counts whose names only sound alike: no file proves what they count."""
    if finding.certainty is not Certainty.WRONG:
        return finding
    return replace(
        finding,
        certainty=Certainty.NOT_PROVED,
        text=f"{finding.text} {CONFIRM}",
        settings={},
        guesses=finding.settings,
    )


def _processed_last(settings: WesSettings, files: Sequence[CouponFile]) -> CouponFile:
    """
    Return the last file that was processed, by its status, or else by its counts: one that failed
    has no coupons that were added.
    """
    names = telling_names(files, settings.count_names)
    unexplained = [file for file in files if not file.reason] or files
    with_coupons = [file for file in unexplained if coupons_in(file, names).added]
    succeeded = [file for file in unexplained if settings.statuses.succeeded(file.status)]
    both = [file for file in with_coupons if file in succeeded]
    # What says most comes first.
    candidates = (both, with_coupons, succeeded, unexplained)
    return next(found for found in candidates if found)[-1]


def counts_of_upload(settings: WesSettings, followed: Followed) -> Finding:
    """Conclude on the counts of an uploaded file."""
    file = followed.file
    as_text = _counts_as_text(settings, file)
    if not file.counts and as_text:
        return _of_texts(as_text, followed.reads)
    if not file.counts:
        text = "The file has no counts of its own, so a task cannot see what was added."
        if _has_failed(settings, file):
            text = (
                "The file has failed, and has no counts: upload one that the service can process, "
                "to see them."
            )
        elif any(other.counts for other in followed.listed_files):
            text = "The file has no counts, unlike others of the list: it may not be processed yet."
        return Finding(
            topic=Topic.COUNTS,
            certainty=Certainty.NOT_SHOWN,
            text=text,
        )
    finding = _counts_of(settings, file, followed.all_files, followed.reads)
    if followed.waits_for:
        return _as_guess(finding)
    return finding


def _has_failed(settings: WesSettings, file: CouponFile) -> bool:
    """Tell whether a file has failed, by its status, or by a reason beside an unknown one."""
    if settings.statuses.succeeded(file.status):
        return False
    return settings.statuses.failed(file.status) or bool(file.reason)


def _counts_as_text(settings: WesSettings, file: CouponFile) -> str:
    """Quote the property that counts coupons by its name, and is a string; empty without one."""
    given = settings.count_names
    names = {*ADDED_NAMES, *DUPLICATE_NAMES, given.added, given.duplicates} - {""}
    for where, value in properties_of(file).items():
        is_number = isinstance(value, str) and AS_TEXT.fullmatch(value.strip()) is not None
        if is_number and where.rpartition(".")[2] in names:
            of_file = f"{shown(where, quoted=False)} of file {shown(file.id, quoted=False)}"
            return f"{of_file} is the string {shown(value)}"
    return ""


def _of_texts(as_text: str, probes: Sequence[Probe]) -> Finding:
    """Tell what holds if counts are strings."""
    text = (
        f"{as_text}, and the provider reads whole numbers only: tasks work, but cannot see how "
        "many coupons were added. No setting changes that: ask the service's support for numbers."
    )
    return Finding(
        topic=Topic.COUNTS,
        certainty=Certainty.NOT_PROVED,
        text=text,
        probes=tuple(probes),
    )


def _counts_of(
    settings: WesSettings,
    file: CouponFile,
    files: Sequence[CouponFile],
    probes: Sequence[Probe],
) -> Finding:
    """
    Conclude on the counts of one file.

    :param files: all that are known: a count may tell their statuses apart.
    """
    names = count_names(file, settings.count_names)
    contradiction = contradiction_of(files, settings.count_names, settings.statuses)
    if contradiction:
        return _of_contradiction(contradiction, settings, file, files, probes)
    sounds_alike = names.read([file])[0] is not None
    if not sounds_alike:
        names = count_names(file, telling_names(files, settings.count_names))
    added, duplicates = names.read([file])
    found = _count_settings(names, added, duplicates)
    text = _counts_text(settings, file, names)
    in_doubt = _names_in_doubt(settings, file, names)
    dispute = dispute_of(files, settings.count_names, settings.statuses)
    rehearsal = rehearsal_in(file)
    disputed = ""
    if dispute is not None:
        disputed = dispute.says
    return conclude(
        Topic.COUNTS,
        probes,
        Row(
            applies=bool(rehearsal) and bool(added),
            certainty=Certainty.NOT_PROVED,
            text=f"{text.rstrip('.')}, but {rehearsal}, so they may not be in the list.",
        ),
        Row(
            applies=bool(rehearsal),
            certainty=Certainty.NOT_SHOWN,
            text=f"Nothing was added to count, since {rehearsal}.",
        ),
        Row(
            applies=bool(disputed),
            certainty=Certainty.NOT_PROVED,
            text=disputed,
        ),
        Row(
            applies=added is None,
            certainty=Certainty.NOT_SHOWN,
            text=_which_counts(file),
            needs_action=bool(unknown_counts(file)),
        ),
        Row(
            applies=not sounds_alike,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{text} {names.added} is above 0 with some statuses and 0 with others, so it may "
                "count coupons added: confirm it, too."
            ),
            settings=found,
        ),
        Row(
            applies=names != settings.count_names and bool(in_doubt),
            certainty=Certainty.NOT_PROVED,
            text=f"{text} {_confirm(in_doubt)}",
            settings=found,
        ),
        Row(
            applies=names != settings.count_names,
            certainty=Certainty.WRONG,
            text=text,
            settings=found,
        ),
        Row(
            applies=True,
            certainty=Certainty.SURE,
            text=text,
            settings=found,
        ),
    )


def _of_contradiction(
    contradiction: str,
    settings: WesSettings,
    file: CouponFile,
    files: Sequence[CouponFile],
    probes: Sequence[Probe],
) -> Finding:
    """Tell what holds if files contradict the connection's names of counts."""
    better = count_names(file, _kept_names(settings))
    added, duplicates = better.read([file])
    under = _used(better.added, ADDED_NAMES, file)
    is_open = dispute_of(files, CountNames(), settings.statuses) is not None
    found = {}
    if added is not None and not is_open:
        found = {"coupon_file_counts.added": under}
    if found and duplicates is not None:
        of_duplicates = _used(better.duplicates, DUPLICATE_NAMES, file)
        found["coupon_file_counts.duplicates"] = of_duplicates
    return conclude(
        Topic.COUNTS,
        probes,
        Row(
            applies=bool(found),
            certainty=Certainty.WRONG,
            text=(
                f"{contradiction} By {under}, {counted(added or 0, 'coupon')} were added in file "
                f"{shown(file.id, quoted=False)}."
            ),
            settings=found,
        ),
        Row(
            applies=True,
            certainty=Certainty.NOT_PROVED,
            text=f"{contradiction} {_which_counts(file)}",
        ),
    )


def _kept_names(settings: WesSettings) -> CountNames:
    """Return what stays of the connection's names if the one of coupons added is contradicted."""
    duplicates = settings.count_names.duplicates
    if sounds_like_added(duplicates):
        return CountNames()
    return CountNames(duplicates=duplicates)


def _names_in_doubt(settings: WesSettings, file: CouponFile, names: CountNames) -> list[str]:
    """
    Return the names of counts that are proposed, and that may count something else: coupons added,
    if there are further numbers; duplicates, if the name may be of what was left out.
    """
    has_open_duplicates = _is_open_duplicates(settings, names)
    is_added_proposed = names.added != settings.count_names.added
    in_doubt = []
    if is_added_proposed and (has_open_duplicates or _numbers_besides(file, names)):
        in_doubt.append(names.added)
    if has_open_duplicates:
        in_doubt.append(names.duplicates)
    return in_doubt


def _is_open_duplicates(settings: WesSettings, names: CountNames) -> bool:
    """Tell whether a number is proposed for duplicates that may count what was left out."""
    is_proposed = names.duplicates != settings.count_names.duplicates
    return is_proposed and may_be_no_duplicates(names.duplicates)


def _confirm(in_doubt: Sequence[str]) -> str:
    if len(in_doubt) == 1:
        return f"Confirm in the service's dashboard what {in_doubt[0]} counts."
    return f"Confirm in the service's dashboard what {' and '.join(in_doubt)} count."


def _numbers_besides(file: CouponFile, names: CountNames) -> list[str]:
    """Return the numbers of a file that are neither used nor of what is bad."""
    used = {_used(names.added, ADDED_NAMES, file), _used(names.duplicates, DUPLICATE_NAMES, file)}
    others = [name for name in file.counts if name not in used]
    return [name for name in others if not _is_bad_count(name)]


def _which_counts(file: CouponFile) -> str:
    """Ask which number counts coupons added; if none may, say so."""
    numbers = [f"{name} ({number})" for name, number in unknown_counts(file).items()]
    title = shown(file.id, quoted=False)
    if not numbers:
        return f"No number of file {title} seems to count coupons added."
    return (
        f"Which of {', '.join(numbers[:MOST_STATUSES])} counts coupons added, in file {title}? "
        'Name it in coupon_file_counts, such as {"added": "...", "duplicates": "..."}.'
    )


def _counts_text(settings: WesSettings, file: CouponFile, names: CountNames) -> str:
    """
    Tell what a file counts; under which names, if the connection has others; and which other
    numbers may count duplicates, if none is known to.
    """
    added, duplicates = names.read([file])
    used = [_used(names.added, ADDED_NAMES, file)]
    text = f"{counted(added or 0, 'coupon')} added"
    is_open = _is_open_duplicates(settings, names)
    if duplicates is not None and not is_open:
        used.append(_used(names.duplicates, DUPLICATE_NAMES, file))
        text = f"{text}, {counted(duplicates, 'duplicate')}"
    if names != settings.count_names:
        text = f"{text}, under {' and '.join(used)}"
    text = f"{text}, in file {shown(file.id, quoted=False)}"
    if duplicates is not None and is_open:
        return f"{text}; {names.duplicates} ({duplicates}) may count duplicates."
    if duplicates is not None:
        return f"{text}."
    text = f"{text}; no count of duplicates is known."
    others = [name for name in _numbers_besides(file, names) if not is_total(name)]
    if not others:
        return text
    which = ", ".join(others[:MOST_STATUSES])
    return f"{text} If a number counts duplicates ({which}), name it in coupon_file_counts."


def _used(name: str, usual: Sequence[str], file: CouponFile) -> str:
    """Return the name of a count that is used: the one that is set, else the first usual one."""
    return name or next((name for name in usual if name in file.counts), "")


def _is_bad_count(name: str) -> bool:
    return has_any(BAD_COUNTS, name.lower())


def _count_settings(
    names: CountNames,
    added: int | None,
    duplicates: int | None,
) -> dict[str, Any]:
    if added is None:
        return {}
    found = {"coupon_file_counts.added": names.added}
    if duplicates is not None:
        found["coupon_file_counts.duplicates"] = names.duplicates
    return found
