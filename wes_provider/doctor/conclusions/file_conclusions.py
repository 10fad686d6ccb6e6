"""
What follows from coupon files: the statuses, the counts, how soon and by which name a list shows
them.

Pure: files in, findings out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from wes_provider.doctor.conclusions.count_conclusions import (
    changed_counts,
    counts_of_list,
    counts_of_upload,
)
from wes_provider.doctor.conclusions.masked_records import masked_names
from wes_provider.doctor.conclusions.polls_on_the_way import conclude_on_polls
from wes_provider.doctor.conclusions.status_conclusions import odd_statuses, statuses_of_list
from wes_provider.doctor.conclusions.unseen_uploads import NOT_AGAIN
from wes_provider.doctor.conclusions.uploaded_statuses import statuses_of_upload
from wes_provider.doctor.conclusions.waits_that_read_nothing import path_that_waits_cannot_read
from wes_provider.doctor.conclusions.whereabouts import taken_for
from wes_provider.doctor.findings import advice
from wes_provider.doctor.findings.finding import Certainty, Finding, Row, Topic, conclude
from wes_provider.doctor.reads.caches import ask_about_new_file, kept_by_cache
from wes_provider.doctor.reads.evidence import Listed, Places, listed_in
from wes_provider.doctor.reads.left_lists import LeftList, LeftPath
from wes_provider.doctor.reads.sending import duration
from wes_provider.doctor.reads.shapes import versions_of
from wes_provider.doctor.reads.sights import files_read_alone, files_with_further_statuses
from wes_provider.doctor.reads.since_upload import came_in_short, what_came
from wes_provider.doctor.reads.snapshots import snapshot_of
from wes_provider.doctor.reads.stages_of_lists import LeftOut
from wes_provider.doctor.reads.turning_statuses import turning_statuses
from wes_provider.doctor.records.counts_of_lists import count_of_list, without_count
from wes_provider.doctor.replies.files import status_of
from wes_provider.doctor.replies.probes import Probe
from wes_provider.doctor.writes.upload import Followed, Lacking, is_name_of
from wes_provider.settings import WesSettings
from wes_provider.texts import shown
from wes_provider.waits.decision import NOT_FOUND_GRACE

__all__ = ["conclude_from_list", "conclude_from_upload"]

STATUSES: Final = Topic.STATUSES.value
OF_OTHER_LISTS: Final = "Only files of other lists were read."
SLOW: Final = 5.0  # seconds that an ordinary reply does not take
LAG_MARGIN: Final = 3  # times the lag seen: the next one may be longer


def conclude_from_list(
    settings: WesSettings, tried: Places, replies: Sequence[Probe] = ()
) -> list[Finding]:
    """
    Conclude on statuses and counts from the files that a list has.

    :param replies: to all reads: a file may have another status in some of them.
    """
    listed = tried.listed
    probes: list[Probe] = []
    odd: Sequence[str] = ()
    if listed is not None:
        probes = [listed.probe]
        odd = listed.records.odd_statuses
    if listed is None and tried.of_other_lists is not None:
        return _not_asked_without_files(OF_OTHER_LISTS)
    of_list = count_of_list(tried.known_files, settings)
    known = [*tried.known_files, *files_with_further_statuses(replies)]
    files = without_count(known, of_list)
    turning = turning_statuses(replies, settings.statuses)
    where = "in the list"
    other_status = ""
    if not turning:
        other_status = _has_other_status(tried)
    if other_status:
        where = "in the list or a file's own record"
    alone = files_read_alone(replies)
    statuses = statuses_of_list(settings, files, probes, where, turning, alone)
    statuses = replace(statuses, text=f"{statuses.text}{other_status}")
    if odd:
        statuses = odd_statuses(tried, odd, probes)
    elif not tried.listed_files and tried.is_unusable:
        text = "No file was read, and tasks could not read the status of one either."
        statuses = Finding(
            topic=Topic.STATUSES,
            certainty=Certainty.NOT_SHOWN,
            text=text,
        )
    counts = counts_of_list(settings, tried, probes)
    if counts.certainty is Certainty.SURE:
        counts = replace(counts, text=f"{counts.text}{changed_counts(settings, replies)}")
    return [
        statuses,
        counts,
        _lag_of_list(settings, listed),
        *masked_names(listed),
    ]


def _lag_of_list(settings: WesSettings, listed: Listed | None) -> Finding:
    """Conclude on how late a list shows files, which a reply may say of itself."""
    snapshot = None
    if listed is not None:
        snapshot = snapshot_of(listed.probe)
    if listed is None or snapshot is None:
        return Finding(
            topic=Topic.LAG,
            certainty=Certainty.NOT_SHOWN,
            text=str(advice.UPLOAD_SHOWS_LAG),
        )
    return Finding(
        topic=Topic.LAG,
        certainty=Certainty.NOT_PROVED,
        text=(
            f"The list may be a snapshot: the reply says {snapshot.says}, {duration(snapshot.age)} "
            "before it was sent. A new file may show as late, and tasks give it "
            f"{settings.coupon_files_lag:.0f} s (coupon_files_lag). Ask the service's support for "
            "a list that is live."
        ),
        probes=(listed.probe,),
    )


def _has_other_status(tried: Places) -> str:
    """
    Tell that a file's own path has another status than the list, as a sentence with a space before
    it; empty if it has not.
    """
    alone = tried.read_alone
    if tried.is_listed_as_read_alone:
        return ""
    for file in tried.listed_files:
        if alone is None or alone.id != file.id:
            continue
        if not file.status:
            return " The list shows no status of some files; tasks read a file's own path."
        return (
            f" The list has file {shown(file.id, quoted=False)} as {status_of(file)}, and its own "
            f"path, which tasks read, as {status_of(alone)}."
        )
    return ""


def _not_asked_without_files(why: str) -> list[Finding]:
    """Conclude on nothing, since no file of the list was read."""
    return [
        Finding(
            topic=Topic.STATUSES,
            certainty=Certainty.NOT_SHOWN,
            text=why,
        ),
        Finding(
            topic=Topic.COUNTS,
            certainty=Certainty.NOT_SHOWN,
            text=why,
        ),
        Finding(
            topic=Topic.LAG,
            certainty=Certainty.NOT_SHOWN,
            text=str(advice.UPLOAD_SHOWS_LAG),
        ),
    ]


def conclude_from_upload(
    settings: WesSettings, followed: Followed, name: str, replies: Sequence[Probe] = ()
) -> list[Finding]:
    """
    Conclude on statuses, counts, lag and names from an uploaded file.

    :param name: that the file was sent with.
    :param replies: to all reads but the polls of the wait.
    """
    findings = [
        statuses_of_upload(settings, followed, replies),
        _lag(settings, followed),
        _names(name, followed),
    ]
    if taken_for(followed) is not None:
        findings[1:] = map(_not_shown_of, (Topic.LIST_PATH, Topic.LAG, Topic.NAMES))
    elif followed.left_list is not None:
        findings.append(_list_of_files_on_their_way(settings, followed, followed.left_list))
    if not followed.problem or followed.waits_for:
        findings.append(counts_of_upload(settings, followed))
    return [*findings, *_conclude_on_own_path(settings, followed)]


def _conclude_on_own_path(settings: WesSettings, followed: Followed) -> list[Finding]:
    """Conclude on the replies of the file's own path, if these show a trouble."""
    unread = followed.unread_polls
    if unread is not None:
        return [path_that_waits_cannot_read(unread)]
    left = followed.left_path(settings.statuses)
    if left is not None:
        return [_path_of_files_on_their_way(left)]
    of_polls = conclude_on_polls(followed, settings.statuses)
    if of_polls:
        return of_polls
    if followed.end_in_list(settings.statuses) and followed.problem:
        text = f"It has the file, with another status than the list: see {STATUSES}."
        return [
            Finding(
                topic=Topic.FILE_PATH,
                certainty=Certainty.NOT_PROVED,
                text=text,
                probes=tuple(followed.reads),
            )
        ]
    if followed.lacking_alone is not None:
        return [_file_that_comes_and_goes(followed.lacking_alone)]
    if followed.missed is not None and _is_shown_late(followed):
        return [_file_shown_late(followed, followed.missed)]
    return []


def _path_of_files_on_their_way(left: LeftPath) -> Finding:
    """Tell what to do about a path of one file that has the file no more since that has ended."""
    had = left.had
    return Finding(
        topic=Topic.FILE_PATH,
        certainty=Certainty.WRONG,
        text=(
            f"{had.sent} had the uploaded file at {had.time} UTC, on its way, and got "
            f"{left.lacking[-1].answer} in all {len(left.lacking)} reads since, though the list "
            f"has it as {status_of(left.end)}: the path may have only files that are on their way. "
            "A task that reads it after the end fails, and Airflow does not retry it. No setting "
            "helps: ask the service's support for a path that has files after their end, too."
        ),
        probes=(had, *left.lacking),
    )


def _not_shown_of(topic: Topic, see: str = STATUSES) -> Finding:
    """
    Tell that an upload shows nothing of a topic.

    :param see: the topic whose finding says why.
    """
    return Finding(
        topic=topic,
        certainty=Certainty.NOT_SHOWN,
        text=f"Not shown by this upload: see {see}.",
    )


def _list_of_files_on_their_way(
    settings: WesSettings, followed: Followed, left: LeftList
) -> Finding:
    """Tell what to do about a list that has the uploaded file no more since that has ended."""
    statuses = settings.statuses
    ended = [file for file in followed.before if not statuses.is_pending(file.status)]
    keeps = "So it may have only files that are on their way"
    if ended:
        keeps = (
            f"It has others that have ended, such as {shown(ended[0].id, quoted=False)}, so it may "
            "leave out some"
        )
    had = left.had
    topic = Topic.LIST_PATH
    if had.tried != settings.coupon_files_path:
        # The finding on that path has to say which one to put in.
        topic = Topic.LAG
    return Finding(
        topic=topic,
        certainty=Certainty.NOT_PROVED,
        text=(
            f"{had.sent} had the uploaded file at {had.time} UTC, on its way, and lacked it in all "
            f"{len(left.lacking)} reads since it ended. {keeps}: a task that looks for an upload "
            "whose response is lost may not find it, and would send it again. No coupon_files_lag "
            "helps: ask the service's support for a path that has all files of a list."
        ),
        probes=(had, *left.lacking),
    )


def _file_that_comes_and_goes(lacking: Lacking) -> Finding:
    """Tell what tasks meet if the path of one file has it in one reply, and not in a later one."""
    had, lacked = lacking
    return Finding(
        topic=Topic.FILE_PATH,
        certainty=Certainty.NOT_PROVED,
        text=(
            f"{had.sent} had the uploaded file at {had.time}, and got {lacked.answer} at "
            f"{lacked.time} UTC: one of several nodes may be behind. A task that has waited for a "
            "minute or more fails if it gets that, and Airflow does not retry it. Ask the "
            "service's support whether all nodes have a file."
        ),
        probes=tuple(lacking),
    )


def _is_shown_late(followed: Followed) -> bool:
    """Tell whether the path of one file had a new one so late that tasks may fail before that."""
    if followed.missed is None or followed.missed.tried != followed.places.file_path:
        return False
    return LAG_MARGIN * followed.missed_after > NOT_FOUND_GRACE


def _file_shown_late(followed: Followed, missed: Probe) -> Finding:
    """Tell what tasks meet if the path of one file has a new file only after a while."""
    return Finding(
        topic=Topic.FILE_PATH,
        certainty=Certainty.NOT_PROVED,
        text=(
            f"{missed.sent} has the uploaded file, but still got {missed.answer} "
            f"{followed.missed_after:.0f} s after the upload{kept_by_cache(missed)}. A task bears "
            f"that for {NOT_FOUND_GRACE:.0f} s, and fails if another file takes longer, and "
            "Airflow does not retry it. No setting helps: "
            f"{ask_about_new_file(missed)}."
        ),
        probes=(missed, *followed.reads),
    )


def _lag(settings: WesSettings, followed: Followed) -> Finding:
    lag = followed.listed_after
    if followed.gone is not None:
        return Finding(
            topic=Topic.LAG,
            certainty=Certainty.NOT_SHOWN,
            text=f"Not shown, since the file went meanwhile ({followed.gone.answer}).",
        )
    if followed.left_list is not None:
        return _not_shown_of(Topic.LAG, Topic.LIST_PATH.value)
    if followed.left_out is not None and not _differ_in_node(followed.left_out):
        return _list_that_leaves_out(settings, followed.left_out)
    if followed.lacking is not None and followed.left_path(settings.statuses) is None:
        return Finding(
            topic=Topic.LAG,
            certainty=Certainty.NOT_PROVED,
            text=_comes_and_goes(followed.lacking),
            probes=tuple(followed.lacking),
        )
    if lag is None and followed.unlisted_by_cache:
        return Finding(
            topic=Topic.LAG,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"The list did not show the file in {followed.waited:.0f} s: "
                f"{_cache_says(settings, followed)} {NOT_AGAIN}"
            ),
        )
    if lag is None and followed.places.partial is not None:
        text = "The list may show a part of its files, so how soon it has a new one is not shown."
        return Finding(
            topic=Topic.LAG,
            certainty=Certainty.NOT_SHOWN,
            text=text,
        )
    if lag is None:
        return _lag_without_end(followed)
    current = settings.coupon_files_lag
    needed = max(math.ceil(LAG_MARGIN * lag / 10) * 10.0, current)
    if followed.unanswered is not None and followed.unlisted_after <= current:
        return _lag_at_most(followed, followed.unanswered, lag, leaves_room=needed <= current)
    setting = {"coupon_files_lag": needed}
    shown_by = followed.places.listed
    when = f"after {lag:.0f} s"
    if shown_by is not None and shown_by.probe.took > SLOW:
        when = f"within {lag:.0f} s, as long as the reply took"
    came = f"In the list {when}"
    return conclude(
        Topic.LAG,
        [],
        Row(
            applies=bool(followed.unlisted_by_cache),
            certainty=Certainty.NOT_PROVED,
            text=f"{came}; before that, {_cache_says(settings, followed)}",
            guesses=setting,
        ),
        Row(
            applies=followed.is_listed_when_processed,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{came}, when it was processed, and not yet after "
                f"{followed.unlisted_after:.0f} s, when it was on its way: the list may leave out "
                "files that are on their way, or be late. If it leaves them out, coupon_files_lag "
                "has to be above the longest time that processing takes (tasks give it "
                f"{current:.0f} s), or a task sends a file again that is there. Ask the service's "
                "support."
            ),
            guesses=setting,
        ),
        Row(
            applies=followed.unlisted_after > current,
            certainty=Certainty.WRONG,
            text=(
                f"{came}, and tasks give it {current:.0f} s (coupon_files_lag): they would send a "
                f"file again that is there. {needed:.0f} s leave room for a slower one."
            ),
            settings=setting,
        ),
        Row(
            applies=lag > current,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{came}, and not yet after {followed.unlisted_after:.0f} s. Tasks give it "
                f"{current:.0f} s (coupon_files_lag): if that is too few, they send a file again "
                f"that is there. {needed:.0f} s leave room for a slower one."
            ),
            guesses=setting,
        ),
        Row(
            applies=needed > current,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{came}. Tasks give it {current:.0f} s (coupon_files_lag); another file may take "
                f"longer, and {needed:.0f} s leave room for that."
            ),
            guesses=setting,
        ),
        Row(
            applies=True,
            certainty=Certainty.SURE,
            text=f"{came}; the {current:.0f} s that tasks give it leave room.",
            settings=setting,
        ),
    )


def _differ_in_node(left: LeftOut) -> bool:
    """Tell whether headers name one node for lists with the file, and another one for the rest."""
    return bool(versions_of(Lacking(left.had, left.lacking[0]), ("had", "lacked")))


def _list_that_leaves_out(settings: WesSettings, left: LeftOut) -> Finding:
    """Tell what to do about a list that leaves out a file at some of its stages."""
    first, last = left.lacking[0], left.lacking[-1]
    again, unless = "", ""
    probes = [left.had, first, last]
    if left.again is not None:
        probes.append(left.again)
        again = f", and had it again at {left.again.time}"
        unless = (
            ", unless coupon_files_lag is above the longest time for which it lacks one (tasks "
            f"give it {settings.coupon_files_lag:.0f} s)"
        )
    return Finding(
        topic=Topic.LAG,
        certainty=Certainty.NOT_PROVED,
        text=(
            f"The list had the uploaded file at {left.had.time}, lacked it in {len(left.lacking)} "
            f"reads from {first.time} to {last.time}{again} (UTC): it had it as "
            f"{_statuses_in_words(left.had_at)}, and lacked it as "
            f"{_statuses_in_words(left.lacked_at)}. If it leaves out such files, a task that looks "
            f"for an upload whose response is lost sends it again{unless}. Ask the service's "
            "support for a list that has all files at all times."
        ),
        probes=tuple(probes),
    )


def _statuses_in_words(statuses: Sequence[str]) -> str:
    return " and ".join(shown(status, quoted=False) for status in statuses)


def _lag_without_end(followed: Followed) -> Finding:
    """Tell what holds of the lag if no list that was read had the file."""
    unanswered = followed.unanswered
    if unanswered is not None and not followed.unlisted_after:
        return Finding(
            topic=Topic.LAG,
            certainty=Certainty.NOT_SHOWN,
            text=f"Not shown: no list was read since the upload ({what_came(unanswered)}).",
        )
    seconds = f"{followed.waited:.0f} s"
    if unanswered is not None:
        seconds = (
            f"{followed.unlisted_after:.0f} s, and was not read after that "
            f"({what_came(unanswered)})"
        )
    return Finding(
        topic=Topic.LAG,
        certainty=Certainty.NOT_PROVED,
        text=(
            f"The list did not show the file in {seconds}: ask the service's support how soon it "
            f"does. {NOT_AGAIN}"
        ),
    )


def _lag_at_most(
    followed: Followed, unanswered: Probe, lag: float, *, leaves_room: bool
) -> Finding:
    """
    Tell what holds of the lag if the last read of the list before the one with the file got no
    answer. It proposes no setting, since the file may have been there before.

    :param leaves_room: whether the lag leaves room in what tasks give it.
    """
    not_yet = ""
    if followed.unlisted_after:
        not_yet = f", and more than {followed.unlisted_after:.0f} s"
    certainty = Certainty.NOT_SHOWN
    if leaves_room:
        certainty = Certainty.SURE
    return Finding(
        topic=Topic.LAG,
        certainty=certainty,
        text=(
            f"At most {lag:.0f} s{not_yet}: reads of it just before got "
            f"{came_in_short(unanswered)}."
        ),
    )


def _cache_says(settings: WesSettings, followed: Followed) -> str:
    """Tell what follows from a cache that sent the list without the new file."""
    return (
        f"a cache sent the list ({followed.unlisted_by_cache}), so how soon the service itself has "
        "a new file is not shown. Ask whoever runs the cache to leave out these paths. Until then, "
        "coupon_files_lag has to be above the time for which it keeps a list (tasks give it "
        f"{settings.coupon_files_lag:.0f} s), or a task sends a file again that is there."
    )


def _comes_and_goes(lacking: Lacking) -> str:
    """Tell what to do about a file that is there in one reply, and not in a later one."""
    had, lacked = lacking
    nodes = versions_of(lacking, ("had", "lacked"))
    had_at, lacked_at = had.time, f"{lacked.time} UTC"
    if nodes:
        had_at = f"{had_at} [{nodes['had']}]"
        lacked_at = f"{lacked_at} [{nodes['lacked']}]"
    return (
        f"The uploaded file comes and goes: {had.sent} had it at {had_at}, and "
        f"lacked it at {lacked_at}. One of several nodes may be behind, so "
        "how late the list may be is not shown. Ask the service's support how far a node may be "
        "behind, and set coupon_files_lag above that: a task may send a file again that is there."
    )


def _names(sent: str, followed: Followed) -> Finding:
    """Tell whether an upload whose response is lost could be found in the list by its name."""
    tried = followed.places
    names = [file.name for file in tried.listed_files if file.id == tried.uploaded]
    if not names:
        text = "The list did not show the file while it was followed."
        return Finding(
            topic=Topic.NAMES,
            certainty=Certainty.NOT_SHOWN,
            text=text,
        )
    name = names[0]
    characters = f"{len(name)} of {len(sent)} characters"
    if is_name_of(name, sent):
        return Finding(
            topic=Topic.NAMES,
            certainty=Certainty.SURE,
            text=f"The list shows {characters}, which suffices.",
        )
    shows = "The list shows another name"
    whose = "an upload whose response is lost"
    if _had_name_at_first(sent, followed):
        shows = f"{shows} than at first"
        whose = f"from then on, {whose}"
    elif name and sent.lower().startswith(name.lower()):
        shows = f"The list shows {characters}, too few to tell it from others"
    return Finding(
        topic=Topic.NAMES,
        certainty=Certainty.SURE,
        text=f"{shows}: {whose} needs a person.",
        needs_action=True,
    )


def _had_name_at_first(sent: str, followed: Followed) -> bool:
    """Tell whether an earlier reply listed the uploaded file by the name that was sent."""
    for reply in followed.lists:
        listed = listed_in(reply.tried, reply)
        if listed is None:
            continue
        names = [file.name for file in listed.files if file.id == followed.file.id]
        if any(is_name_of(name, sent) for name in names):
            return True
    return False
