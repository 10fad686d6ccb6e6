"""What follows for statuses from those that the uploaded file went through. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from wes_provider.coupon_files import Statuses
from wes_provider.doctor.conclusions.other_ends import lasted, other_ends
from wes_provider.doctor.conclusions.replaced_files import row_of_replaced_files
from wes_provider.doctor.conclusions.seen_statuses import (
    CONFIRM,
    GARBLED,
    MASKED,
    MOST_STATUSES,
    WITH_NUMBERS,
    SeenStatuses,
    as_sentence,
    clear_meanings,
    end_taken_back,
    is_masked,
    known_statuses,
    lists_with,
    meanings_by_status,
    question_of_counts,
    says_of_status,
    see_statuses,
)
from wes_provider.doctor.conclusions.turning_conclusions import (
    row_of_turning_statuses,
    with_replies_that_turn,
)
from wes_provider.doctor.conclusions.whereabouts import (
    has_parts,
    has_read_page,
    taken_for,
    what_else,
)
from wes_provider.doctor.findings.finding import Certainty, Finding, Row, Topic, conclude
from wes_provider.doctor.reads.evidence import UNREADABLE, file_read
from wes_provider.doctor.reads.lagging_nodes import lagging_nodes
from wes_provider.doctor.reads.sights import files_read_alone, files_with_further_statuses
from wes_provider.doctor.reads.since_upload import came_in_short
from wes_provider.doctor.reads.steps_that_go_on import steps_that_go_on
from wes_provider.doctor.reads.turning_statuses import Turn, TurningStatus, turning_statuses
from wes_provider.doctor.records.demands import demanded_request
from wes_provider.doctor.records.meanings import (
    NONE_ADDED,
    Meaning,
    Means,
    doubt_about,
    meaning_of,
    telling_names,
    what_to_have_done,
)
from wes_provider.doctor.records.numbered_statuses import quoted_statuses, statuses_with_numbers
from wes_provider.doctor.records.open_successes import open_success
from wes_provider.doctor.records.other_states import other_state
from wes_provider.doctor.records.rehearsals import IN_REHEARSAL, not_in_effect_by, rehearsal_in
from wes_provider.doctor.records.scans import scan_says
from wes_provider.doctor.replies.files import coupons_in, status_of, step_of
from wes_provider.doctor.replies.moments import when_it_goes_on
from wes_provider.doctor.replies.probes import Probe
from wes_provider.doctor.replies.remedies import is_of_fetching
from wes_provider.doctor.writes.upload import (
    Followed,
    ending_of_wait,
    is_answered_without_file,
    own_successes,
)
from wes_provider.models import CouponFile
from wes_provider.settings import WesSettings
from wes_provider.texts import redact, shown

__all__ = ["statuses_of_upload"]

LONGEST_REASON: Final = 120  # characters
AFTER_SCAN: Final = (
    " Run this again with another file, or have whoever runs the scanner release this one."
)
MORE_TIME: Final = (
    "See in the service's dashboard what becomes of this file, or give the next upload more time, "
    "with --final-after SECONDS."
)
GOT_PAGE: Final = (
    "The service got a web page from the URL, and no file: use a URL that leads to the file "
    "itself, and run this again."
)


def statuses_of_upload(
    settings: WesSettings, followed: Followed, replies: Sequence[Probe] = ()
) -> Finding:
    """
    Tell what the statuses of the uploaded file mean.

    :param replies: to all reads but the polls of the wait.
    """
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
    question = question_of_counts(settings, followed.all_files)
    all_replies = _with_polls(replies, followed)
    turning = turning_statuses(all_replies, settings.statuses)
    turning.sort(key=lambda each: not _is_between_words(each))
    seen = see_statuses(settings, [*followed.all_files, *files_with_further_statuses(all_replies)])
    taken_back = end_taken_back(settings, [*followed.all_files, *files_read_alone(all_replies)])
    also_taken_back = as_sentence(taken_back)
    is_success = settings.statuses.succeeded(last) and meaning.sure
    is_taken_back = taken_back is not None and taken_back.means is Means.SUCCESS
    after_failure = ""
    if meaning.means is Means.FAILURE and scan_says(followed.file, followed.statuses):
        after_failure = AFTER_SCAN
    elif meaning.means is Means.FAILURE and followed.file.reason:
        after_failure = _after_failure(followed)
    replaced = row_of_replaced_files(settings, followed, all_replies, came)
    two_words = _row_of_two_words(settings, followed, turning, seen)
    early = [
        _row_of_file_taken_for_another(followed),
        _row_of_early_success(settings, followed, meaning),
        _row_of_early_failure(settings, followed),
    ]
    reads = followed.reads
    if replaced.applies or two_words.applies or not any(row.applies for row in early):
        reads = with_replies_that_turn(turning, reads)
    return conclude(
        Topic.STATUSES,
        reads,
        replaced,
        two_words,
        *early,
        row_of_turning_statuses(settings, turning, seen),
        _row_of_demand(settings, followed),
        _row_of_person(settings, followed, between),
        _row_of_rehearsal(settings, followed),
        *_rows_without_success(settings, followed),
        _row_of_numbered_status(followed),
        _row_of_other_state(settings, followed),
        _row_of_open_success(settings, followed),
        *_rows_against_success(settings, followed),
        _row_of_other_ends(settings, followed, between, meaning),
        Row(
            applies=is_success and is_taken_back,
            certainty=Certainty.NOT_PROVED,
            text=f"{_success_says(settings, followed, between)}{also_taken_back}",
            guesses=lists,
        ),
        Row(
            applies=is_success,
            certainty=Certainty.SURE,
            text=f"{_success_says(settings, followed, between)}{also_taken_back}",
            settings=proved,
            guesses=lists,
            needs_action=taken_back is not None,
        ),
        Row(
            applies=settings.statuses.succeeded(last),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{came}: {last} means success{_by_connection(last)}, and lasted, but "
                f"{_against_success(settings, followed, meaning)}.{beside} "
                f"{_after_doubt(settings, followed, meaning)}"
            ),
        ),
        Row(
            applies=meaning.sure,
            certainty=Certainty.WRONG,
            text=(
                f"{came}: {last} means {meaning.means.value} ({meaning.why}), which the provider "
                f"does not know.{after_failure}{also}{also_taken_back}"
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
                f"{after_failure}{also} {CONFIRM}{also_taken_back}"
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


def _with_polls(replies: Sequence[Probe], followed: Followed) -> list[Probe]:
    """Return replies with those of polls, which are none of them."""
    polls = [probe for probe in followed.own_reads if not any(probe is reply for reply in replies)]
    return [*replies, *polls]


def _is_between_words(turning: TurningStatus) -> bool:
    """
    Tell whether a file changes between two words for one state, and back: so neither is a step.
    """
    return turning.turn is Turn.TWO_WORDS and turning.comes_again


def _row_of_two_words(
    settings: WesSettings,
    followed: Followed,
    turning: Sequence[TurningStatus],
    seen: SeenStatuses,
) -> Row:
    """
    Tell what holds if a file changes between two words for one state, and back.

    :param turning: such files come first.
    """
    if not any(map(_is_between_words, turning)):
        return Row(applies=False, certainty=Certainty.NOT_PROVED, text="")
    row = row_of_turning_statuses(settings, turning, seen)
    if not settings.statuses.failed(followed.file.status):
        return row
    return row._replace(text=f"{row.text} The uploaded file failed{_why(followed.file)}.")


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


def _row_of_open_success(settings: WesSettings, followed: Followed) -> Row:
    """Tell what holds if other files speak against the known success that the file ended with."""
    last = status_of(followed.file)
    is_open = open_success(followed.all_files, settings.statuses, settings.count_names)
    return Row(
        applies=is_open is not None and is_open.status == last,
        certainty=Certainty.NOT_PROVED,
        text=(
            f"{_in_order(followed)}, which lasted. {is_open}. Do not upload it again: see in the "
            "service's dashboard what becomes of it. If it goes on from there, a task ends too "
            f"early, and {last} has to be named as pending."
        ),
    )


def _rows_against_success(settings: WesSettings, followed: Followed) -> list[Row]:
    """Tell what speaks against a last status that tasks take for a success."""
    last = status_of(followed.file)
    is_known = settings.statuses.succeeded(last)
    came = _in_order(followed)
    seen = see_statuses(settings, followed.listed_files)
    others = [failed.file for failed in seen.failed if failed.file.id != followed.file.id]
    others_failed = any(status_of(file) == last for file in others)
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


def _row_of_other_ends(
    settings: WesSettings, followed: Followed, between: Sequence[str], meaning: Meaning
) -> Row:
    """
    Tell what holds if a status seems to mean success, but other files ended with another one.

    :param between: statuses that came before the last one.
    """
    ends = other_ends(settings, followed)
    last = status_of(followed.file)
    seems_to_succeed = meaning.means is Means.SUCCESS and meaning.is_supported
    lists = _lists_beside_end(settings, followed, between)
    confirm = ""
    if lists != lists_with(settings.statuses, {}):
        confirm = f" {CONFIRM}"
    by_connection = ""
    if settings.statuses.succeeded(last):
        by_connection = (
            " By the connection, it means success: if it is a stage, tasks end too early."
        )
    also = _also_proposed(settings, followed, between, with_successes=True)
    return Row(
        applies=ends is not None and seems_to_succeed,
        certainty=Certainty.NOT_PROVED,
        text=(
            f"{_in_order(followed)}, {lasted(followed)}, but {ends}. So {last} may be a stage on "
            f"the way, though coupons were added.{by_connection} {MORE_TIME}{also}{confirm}"
        ),
        guesses=lists,
    )


def _success_says(settings: WesSettings, followed: Followed, between: Sequence[str]) -> str:
    """
    Tell that the file ended with a success that the connection knows.

    :param between: statuses that came before it, and that the connection does not know.
    """
    came = _in_order(followed)
    others = f"{_lacked_status(followed)}{_also_proposed(settings, followed, [])}"
    if between:
        return f"{came}: {', '.join(between)} is on the way, and waited for.{others}"
    if status_of(followed.file) in own_successes(settings.statuses):
        return f"{came}, which lasted and means success.{others}"
    return f"{came}, which means success.{others}"


def _lacked_status(followed: Followed) -> str:
    """
    Tell that replies lacked a status while the file was on its way, as a sentence with a space
    before it; empty if none did.
    """
    files = [*map(file_read, followed.replies_of_own_path)]
    if all(file is None or file.status for file in files):
        return ""
    return " On the way, replies had it without a status, which tasks bear: they poll on."


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


def _against_success(settings: WesSettings, followed: Followed, meaning: Meaning) -> str:
    """
    Tell what speaks against a known success: beside its meaning, that it added no coupon, and what
    the service names for that.
    """
    says = [meaning.why]
    if _has_added_none(settings, followed) and meaning.why != NONE_ADDED:
        says.append("0 coupons were added")
    reason = shown(redact(followed.file.reason), LONGEST_REASON)
    if followed.file.reason and not meaning.why.startswith("the service names"):
        says.append(f"the service names {reason}")
    *first, last = says
    if first:
        return f"{', '.join(first)}, and {last}"
    return last


def _has_added_none(settings: WesSettings, followed: Followed) -> bool:
    """Tell whether the file says that it added 0 coupons."""
    return coupons_in(followed.file, settings.count_names).added == 0


def _after_doubt(settings: WesSettings, followed: Followed, meaning: Meaning) -> str:
    """Tell what to do about a known success that something speaks against."""
    if has_read_page(followed):
        return GOT_PAGE
    if followed.file.reason and _has_added_none(settings, followed):
        success = status_of(followed.file)
        return (
            f"{_after_failure(followed).strip()} Tasks take {success} for a success, whatever was "
            "added."
        )
    if meaning.why == NONE_ADDED:
        return "Upload new coupons, if none of them may be in a list already."
    return "Ask the service's support what becomes of such a file."


def _also_proposed(
    settings: WesSettings,
    followed: Followed,
    between: Sequence[str],
    *,
    with_successes: bool = False,
) -> str:
    """
    Tell what speaks for the other statuses that the extra has, as sentences; empty without any.

    :param with_successes: whether it also has the successes of other files, since the last status
        of the uploaded one is none. It has them if the file waits for a person.
    """
    sentences = []
    if between:
        sentences.append(f" {', '.join(between)} came before it.")
    meanings = meanings_by_status(settings, followed.listed_files)
    shown_by_list = _others_of_list(settings, meanings)
    if followed.waits_for or with_successes:
        shown_by_list = _unknown_of_list(settings, meanings)
    for status, seen in meanings.items():
        has_open = any(meaning.is_open for meaning in seen.values())
        is_open = has_open and status not in known_statuses(settings.statuses)
        if status not in followed.statuses and (is_open or status in shown_by_list):
            sentences.append(f" {says_of_status(status, seen)}.")
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
    known = known_statuses(settings.statuses)
    return {name: means for name, means in clear_meanings(meanings).items() if name not in known}


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
    steps = _steps_that_go_on(followed)
    if early and not steps and _goes_back(followed, early[0]):
        return _row_of_status_that_goes_back(followed, names)
    if last in early:
        return Row(
            applies=True,
            certainty=Certainty.WRONG,
            text=(
                f"{came}: {last} came before the end, too, as the status of a step"
                f"{steps}, and tasks take the first one for a success, so they would end too "
                "early. No setting tells the two apart: ask the service's support for a status "
                "that only the whole file gets."
            ),
        )
    after = ""
    if settings.statuses.failed(last):
        after = f" Then the file failed{_why(followed.file)}: upload a good one."
    lists = _lists_of_upload(settings, followed, early, meaning)
    changed = ("coupon_file_statuses.pending", "coupon_file_statuses.success")
    if early and not lists["coupon_file_statuses.success"]:
        return Row(
            applies=True,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{came}: {names} is a stage on the way{steps}, though tasks take it for a "
                "success, so they would end too early. No other success is known: ask the "
                "service's support which status says that all of a file is in, and name it as "
                f"success.{after}"
            ),
        )
    if settings.statuses.failed(last) and any(map(Statuses().succeeded, early)):
        # Of other files, it may be the end: as pending, those would never end.
        return Row(
            applies=True,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{came}: tasks take {names} for a success, and would end before the failure. Ask "
                "the service's support whether it is a stage on the way, and which status says "
                f"that all of a file is in.{after}"
            ),
        )
    return Row(
        applies=bool(early),
        certainty=Certainty.WRONG,
        text=(
            f"{came}: {names} is a stage on the way{steps}, though "
            "tasks take it for a success, so they would end too early. Name it as "
            f"pending.{after}"
        ),
        settings={name: lists[name] for name in changed},
    )


def _steps_that_go_on(followed: Followed) -> str:
    """Quote the steps of the file that go on and never back; empty if none do."""
    files = [file for file in map(file_read, followed.own_reads) if file is not None]
    steps = steps_that_go_on(files)
    if not steps:
        return ""
    return f" (its steps go on and never back: {steps})"


def _row_of_status_that_goes_back(followed: Followed, early: str) -> Row:
    """
    Tell what holds if a status from before an early success came after it again.

    :param early: the successes that came before that, in words.
    """
    goes_back = f"{_in_order(followed)}: the status goes back."
    nodes = lagging_nodes(followed.own_reads)
    text = (
        f"{goes_back} One of several nodes may be behind another, or {early} may be the status of "
        "a step, too, so that tasks would end too early. Ask the service's support which of the "
        "two it is."
    )
    if nodes is not None and status_of(followed.file) == early:
        text = (
            f"{goes_back} {nodes}. So {nodes.who} {nodes.are} behind, and {early} is no step: "
            f"change no status, and tell the service's support that {nodes.who} {nodes.are} "
            "behind. A task may see the end later there."
        )
    elif nodes is not None:
        text = (
            f"{goes_back} {nodes}. So {nodes.who} {nodes.are} behind. But {early} came before "
            f"{status_of(followed.file)}, so it may be the status of a step, too, and tasks would "
            "end too early: ask the service's support which status says that all of a file is in."
        )
    return Row(
        applies=True,
        certainty=Certainty.NOT_PROVED,
        text=text,
    )


def _row_of_early_failure(settings: WesSettings, followed: Followed) -> Row:
    """Tell what holds if the file went on after a status that tasks take for its failure."""
    early = [status for status in followed.statuses[:-1] if settings.statuses.failed(status)]
    names = ", ".join(dict.fromkeys(early))
    return Row(
        applies=bool(early),
        certainty=Certainty.WRONG,
        text=(
            f"{_in_order(followed)}: {names} is no end, since the service tried the file again by "
            "itself, and a task fails at the first one. A clear of that task would upload the file "
            "once more, beside what the service does. No setting tells the two apart: ask the "
            "service's support for another status until its last attempt."
        ),
    )


def _goes_back(followed: Followed, early: str) -> bool:
    """Tell whether a status that came before an early success of a file came after it again."""
    first_end = followed.statuses.index(early)
    return not set(followed.statuses[:first_end]).isdisjoint(followed.statuses[first_end:])


def _row_of_demand(settings: WesSettings, followed: Followed) -> Row:
    """Tell what holds if the record demands a further request before the file goes on."""
    last = status_of(followed.file)
    demanded = demanded_request(followed.file)
    has_ended = settings.statuses.succeeded(last) or settings.statuses.failed(last)
    has_coupons = bool(coupons_in(followed.file, settings.count_names).added)
    return Row(
        applies=bool(demanded) and not has_ended and not has_coupons,
        certainty=Certainty.NOT_PROVED,
        text=(
            f"{_in_order(followed)}, which lasted: by its record, the file waits for a further "
            f"request ({demanded}), which the provider does not send. So no list of "
            f"coupon_file_statuses helps, and {last} is no success. Have this file finished or "
            "taken back in the service's dashboard, and ask the service's support for uploads that "
            "need no such request."
        ),
    )


def _row_of_person(settings: WesSettings, followed: Followed, between: Sequence[str]) -> Row:
    """Tell what holds if the file does not go on before a person acts."""
    last = status_of(followed.file)
    lists = _lists_beside_end(settings, followed, between, {last: Means.PENDING})
    also = _also_proposed(settings, followed, between)
    if lists != lists_with(settings.statuses, {}):
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
    when = ""
    if settings.statuses.succeeded(followed.file.status) and rehearsal != rehearsal_in(
        followed.file
    ):
        when = _when_it_goes_on(followed)
    what_to_do = IN_REHEARSAL
    if when:
        what_to_do = (
            f"By {when}, that changes later, and a task ends before it does. Look in the service's "
            "dashboard after that whether the coupons are in use; do not upload the file again."
        )
    return Row(
        applies=bool(rehearsal) and not followed.problem,
        certainty=Certainty.NOT_PROVED,
        text=f"{_in_order(followed)}, {has} {rehearsal}. {what_to_do}",
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


def _after_problem(settings: WesSettings, followed: Followed) -> str:
    """Tell what to do if no end of the file was seen."""
    has_failed = settings.statuses.failed(followed.file.status)
    when = _when_it_goes_on(followed)
    # The first row that applies says what to do.
    rows = (
        (
            bool(followed.retry) and has_failed,
            f"By {followed.retry} the service tries it again: do not upload it again, and look in "
            "the service's dashboard after that what became of it. A task fails at this status, "
            "and a clear of that task would upload the file once more: ask the service's support "
            "for another status until its last attempt.",
        ),
        (
            is_of_fetching(followed.file.reason),
            "It seems not to get the file from the URL: let it read that from where it asks, and "
            "see what becomes of this file before you upload it again.",
        ),
        (
            followed.gone is not None and followed.gone.is_not_found,
            f"It had {status_of(followed.file)} last, and is gone since, also from the list: the "
            "service may remove files that are done, and then no task sees a success. Do not "
            "upload it again: see in the service's dashboard what became of it, and ask the "
            "service's support to keep files, and to show them, after they have ended.",
        ),
        (
            followed.gone is not None,
            "No time cures that: see in the list what became of it, do not upload it again, and "
            "ask the service's support for an identifier that stays until the file is processed.",
        ),
        (
            bool(when),
            f"By {when} it goes on later: do not upload it again, look in the service's dashboard "
            "after that what became of it, and see that tasks wait so long.",
        ),
        (
            followed.is_file_unanswered,
            "Do not upload it again: see in the service's dashboard what becomes of it, and run "
            "this again without --upload, once reads get answers.",
        ),
        (
            followed.unread_polls is not None
            or ending_of_wait(followed, settings.statuses) is not None,
            "Do not upload it again: see in the service's dashboard what becomes of it, and settle "
            f"the {Topic.FILE_PATH.value} first.",
        ),
        (
            followed.is_read_alone or is_answered_without_file(followed),
            f"{_last_poll(followed)}Do not upload it again: see in the service's dashboard what "
            "becomes of it, or ask the service's support. --timeout gives the next upload more "
            "time.",
        ),
        (
            followed.places.statusless is not None,
            f"Do not upload it again. Settle {Topic.RECORDS.value} first.",
        ),
        (
            True,
            f"Do not upload it again. Settle the {Topic.FILE_PATH.value} first: tasks read the "
            "file there, until its end.",
        ),
    )
    return next(what_to_do for applies, what_to_do in rows if applies)


def _last_poll(followed: Followed) -> str:
    """Quote why the last poll got no whole response, as a sentence; empty if it got one."""
    lost, replies = followed.lost_polls, followed.polls
    if not lost or (replies and replies[-1].sent_at > lost[-1].sent_at):
        return ""
    return f"The last poll failed: {lost[-1].problem}. "


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
    replied = f"replied {status_of(followed.file)} for {followed.waited:.0f} s"
    last = followed.replies_of_own_path[-1:]
    if last and file_read(last[0]) is None:
        replied = f"got {came_in_short(last[0])} at last"
    if followed.cached_by:
        cache = f", from a cache ({followed.cached_by})"
        whom = "whoever runs the cache to leave out the paths of files"
    return (
        f"The list has the file as {end}, but its own path {replied}{cache}. Tasks wait by that "
        "path, so they would not see the end. Do not upload it again: it is there. "
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
                f"{_reason_so_far(file)}{what_else(followed)} {_after_problem(settings, followed)}"
            ),
        ),
        Row(
            applies=UNREADABLE in last,
            certainty=Certainty.NOT_PROVED,
            text=f"{last} {GARBLED}",
        ),
        Row(
            applies=is_masked(last),
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
    others = _others_of_list(settings, meanings_by_status(settings, followed.listed_files))
    on_the_way = dict.fromkeys(between, Means.PENDING)
    last = status_of(followed.file)
    return lists_with(settings.statuses, {**others, **on_the_way, last: meaning.means})


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
    others = _unknown_of_list(settings, meanings_by_status(settings, followed.listed_files))
    others.pop(status_of(followed.file), None)
    on_the_way = dict.fromkeys(between, Means.PENDING)
    return lists_with(settings.statuses, {**others, **on_the_way, **end})


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
    meaning = meaning_of(followed.file, names, followed.listed_files, followed.statuses)
    if meaning.means is Means.SUCCESS and other_ends(settings, followed) is not None:
        return meaning._replace(sure=False)
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
