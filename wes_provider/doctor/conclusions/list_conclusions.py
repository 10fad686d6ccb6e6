"""What follows for the path of a list's files, and for the records that it has. Pure."""

from __future__ import annotations

from wes_provider.doctor.conclusions.failing_lists import conclude_on_failing_list
from wes_provider.doctor.conclusions.masked_records import masked_records
from wes_provider.doctor.conclusions.missing_lists import missing_list
from wes_provider.doctor.conclusions.notices import notices_beside
from wes_provider.doctor.conclusions.own_queries import conclude_on_own_query
from wes_provider.doctor.conclusions.partial_lists import (
    announced,
    has_missing_part,
    is_changed_on_the_way,
    is_same_without_pointer,
    larger_page,
    may_have_more,
    part_of,
    said_beside,
    silent_page,
    size_of_page,
    summed_counts,
)
from wes_provider.doctor.conclusions.path_words import (
    ARRAY,
    FOR_PATH,
    WANTED,
    named,
    not_read_twice,
)
from wes_provider.doctor.conclusions.repeated_records import (
    count_files,
    say_repeated,
    with_several_urls,
)
from wes_provider.doctor.findings import advice
from wes_provider.doctor.findings.finding import Certainty, Finding, Row, Topic, conclude
from wes_provider.doctor.in_front.layers import came_by
from wes_provider.doctor.reads import facts, next_pages, pages, redirects, sayings
from wes_provider.doctor.reads.applied_filters import applied_filter
from wes_provider.doctor.reads.effects import has_what_was_asked
from wes_provider.doctor.reads.evidence import Evidence, Listed, Places, listed_in
from wes_provider.doctor.reads.fallbacks import what_speaks_for_fallback
from wes_provider.doctor.reads.json_forms import path_of_json
from wes_provider.doctor.reads.masked_lists import about_numbers, masked_identifiers
from wes_provider.doctor.reads.since_upload import are_unanswered, settle_no_path, what_came
from wes_provider.doctor.replies.other_forms import form_by_name
from wes_provider.doctor.replies.probes import Probe, Question, same_reply
from wes_provider.doctor.replies.subjects import in_words, subject_of
from wes_provider.doctor.replies.unreadables import has_mark_too_many
from wes_provider.doctor.replies.words import quoted
from wes_provider.texts import counted, shown

__all__ = ["list_path", "records"]


def list_path(evidence: Evidence, tried: Places) -> Finding:
    """Conclude on the path of the list's files."""
    of_own_query = conclude_on_own_query(evidence)
    if of_own_query is not None:
        return of_own_query
    if tried.listed is not None:
        return _list(evidence, tried, tried.listed)
    if tried.uploaded and are_unanswered([*tried.lists.values()]):
        return _unanswered_list(evidence, tried)
    failing = conclude_on_failing_list(evidence)
    if failing is not None and not tried.lists:
        return failing
    if not tried.lists or _is_refused(tried):
        why = evidence.why_not_asked(Question.LIST_PATH)
        return Finding(
            topic=Topic.LIST_PATH,
            certainty=Certainty.NOT_SHOWN,
            text=f"Not asked, because {why}.",
        )
    return missing_list(evidence, tried)


def _unanswered_list(evidence: Evidence, tried: Places) -> Finding:
    """
    Tell what holds if no read of the list since an upload got an answer: what reads before the
    upload show, if they show a path.
    """
    before = facts.places(evidence)
    probes = [*tried.lists.values()]
    if before.listed is not None:
        return list_path(evidence, before)
    if not settle_no_path(probes):
        return missing_list(evidence, tried)
    return Finding(
        topic=Topic.LIST_PATH,
        certainty=Certainty.NOT_PROVED,
        text=(
            f"Not shown: reads of the list since the upload got {what_came(probes[0])}, which is "
            "about no path. Run this again without --upload, once the service answers."
        ),
        probes=tuple(probes),
    )


def _is_refused(tried: Places) -> bool:
    """Tell whether the key is refused, so that reads of the list show nothing."""
    return not tried.uploaded and facts.is_refused(next(iter(tried.lists.values())))


def _list(evidence: Evidence, tried: Places, listed: Listed) -> Finding:
    """Tell what holds if a path shows the list."""
    given = evidence.settings.coupon_files_path
    path = listed.path
    setting = {"paths.coupon_files": path}
    first = next(iter(tried.lists.values()))
    whole = [probe for probe in tried.lists.values() if probe.question is Question.WHOLE_LIST]
    compared = evidence.nowhere[:1] + evidence.of(Question.MADE_UP_LIST)
    has = f"It has {_how_many(tried, listed)}."
    statuses = evidence.settings.statuses
    is_empty = not listed.files and not pages.total_of(listed)
    filter_in_use = applied_filter(evidence, listed)
    fallback = what_speaks_for_fallback(evidence, tried)
    if fallback:
        compared = [*compared, *evidence.sent_for(Question.FILE_PATH)[:1]]
    return conclude(
        Topic.LIST_PATH,
        [first, listed.probe, *whole, *next_pages.reads_behind(evidence), *compared],
        Row(
            applies=bool(fallback),
            certainty=Certainty.NOT_PROVED,
            text=f"{named(path)} has no file, and {fallback}: {advice.FALLBACK}",
            guesses=setting,
        ),
        *_rows_of_comparison(evidence, tried, listed, has),
        Row(
            applies=bool(listed.records.problem) and path == given,
            certainty=Certainty.SURE,
            text=f"It has {counted(listed.records.number, 'object')}: see {Topic.RECORDS.value}.",
            settings=setting,
        ),
        Row(
            applies=masked_identifiers(listed) is not None and path == given,
            certainty=Certainty.SURE,
            text=f"It has {counted(len(listed.files), 'record')}: see {Topic.RECORDS.value}.",
            settings=setting,
        ),
        Row(
            applies=bool(listed.records.problem) or masked_identifiers(listed) is not None,
            certainty=Certainty.NOT_PROVED,
            text=f"It may be {path}: settle {Topic.RECORDS.value} first.",
        ),
        Row(
            applies=is_empty and _is_any_list_empty(evidence, listed),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{named(path)} has no file, and a list that does not exist gets the same, so "
                f"{shown(evidence.list_id, quoted=False)} may not exist: check its identifier in "
                f"the service's dashboard{advice.UPLOAD_AFTER_CHECK}"
            ),
            guesses=setting,
        ),
        Row(
            applies=is_empty,
            certainty=Certainty.NOT_PROVED,
            text=_empty_list(listed),
            guesses=setting,
        ),
        *_rows_of_other_lists(evidence, tried, listed),
        Row(
            applies=bool(listed.unreadable),
            certainty=Certainty.WRONG,
            text=_why_unreadable(listed),
            settings=setting,
        ),
        Row(
            applies=bool(listed.incomplete) and pages.is_only_page(listed),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{named(path)} says that it is page 1 of 1, and has "
                f"{announced(listed)}{said_beside(listed)}: it contradicts itself, and tasks "
                "take it for a part of the list. It may count files that are deleted or hidden. "
                "No setting helps: ask the service's support why."
            ),
            settings=setting,
        ),
        Row(
            applies=bool(listed.incomplete) and is_changed_on_the_way(listed),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{named(path)} replies with {listed.probe.status}{came_by(listed.probe)}, and "
                "tasks take only a 200 for a whole list, so they could not find an upload whose "
                "response is lost. A proxy may change replies on the way: ask whoever runs it to "
                "pass them on as they are, or the service's support for a 200. The path is not at "
                "fault, and no setting helps."
            ),
            settings=setting,
        ),
        Row(
            applies=has_missing_part(listed),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{named(path)} has a part of the list only: the reply has "
                f"{pages.missing_part(listed)}{said_beside(listed)}, so the service may not have "
                "read all files, or may leave some out. An upload whose outcome is not known may "
                "be one of those. No setting helps: ask the service's support why."
            ),
            settings=setting,
        ),
        Row(
            applies=bool(listed.incomplete) and bool(summed_counts(listed)),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{named(path)} has {counted(len(listed.files), 'file')}, and a total of "
                f"{pages.total_of(listed)}, which is the sum of their {summed_counts(listed)}: it "
                "may count coupons. The provider takes it for the number of files, so tasks take "
                f"the list for a part; {larger_page(listed, whole)}. Ask the service's support "
                "whether the list has more files, or else to leave that number out."
            ),
            settings=setting,
        ),
        Row(
            applies=bool(listed.incomplete),
            certainty=Certainty.NOT_PROVED,
            text=may_have_more(evidence, listed, whole),
            settings=setting,
        ),
        Row(
            applies=bool(silent_page(evidence, listed)),
            certainty=Certainty.NOT_PROVED,
            text=silent_page(evidence, listed),
            settings=setting,
        ),
        Row(
            applies=not tried.uploaded and _may_be_page(evidence, listed),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{has} That is as many as a page often has, and no reply shows that nothing comes "
                "behind them (offset, page), so there may be more. Ask the service's support "
                "whether it divides lists into pages, or name a list with another number of files."
            ),
            settings=setting,
        ),
        Row(
            applies=bool(listed.full_page) and not tried.uploaded,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{has} Its page is full ({listed.full_page}), and nothing says how many there "
                "are, so there may be more. Ask the service's support for a path that has all "
                "files, or name a list with fewer."
            ),
            settings=setting,
        ),
        Row(
            applies=bool(filter_in_use),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{has} But the reply says that a filter applies ({filter_in_use}), so it may "
                "leave out files, and a task would send a file again that is there. Ask the "
                "service's support for a path that has all files."
            ),
            settings=setting,
        ),
        Row(
            applies=bool(with_several_urls(listed.files)),
            certainty=Certainty.NOT_PROVED,
            text=f"{has} {with_several_urls(listed.files)}",
            settings=setting,
        ),
        Row(
            applies=path == given,
            certainty=Certainty.SURE,
            text=f"{has}{say_repeated(listed.files, statuses)}",
            settings=setting,
        ),
        Row(
            applies=bool(tried.uploaded) or _is_read_twice(evidence, listed),
            certainty=Certainty.WRONG,
            text=_other_list_path(evidence, tried, listed),
            settings=setting,
        ),
        Row(
            applies=True,
            certainty=Certainty.NOT_PROVED,
            text=not_read_twice(evidence, path),
            guesses=setting,
        ),
    )


def _may_be_page(evidence: Evidence, listed: Listed) -> bool:
    """Tell whether a list may go on after its files, though nothing announces more."""
    return pages.may_be_page(listed) and not pages.is_end_shown(evidence, listed)


def _is_read_twice(evidence: Evidence, listed: Listed) -> bool:
    """Tell whether both the connection's path and the one that has the list were read twice."""
    at_path = evidence.answers_to(listed.probe.request)
    return min(len(evidence.list_answers), len(at_path)) > 1


def records(tried: Places) -> list[Finding]:
    """Conclude on the records of a list if the provider cannot use them; else on nothing."""
    listed = tried.listed
    if listed is None:
        return []
    masked = masked_records(listed)
    if masked is not None:
        return [masked]
    if not listed.records.problem:
        return []
    has = ", ".join(listed.records.odd_properties) or "no properties"
    form = ""
    if listed.probe.standard:
        form = f" They come as {listed.probe.standard}."
    text = (
        f"{named(listed.path)} has {listed.records.problem}, which the provider cannot read."
        f"{about_numbers(listed)}{form} "
        f"They have {has}; no setting maps properties, and the path is not at fault: ask the "
        f"service's support for {WANTED}."
    )
    return [
        Finding(
            topic=Topic.RECORDS,
            certainty=Certainty.WRONG,
            text=text,
            probes=(listed.probe,),
        )
    ]


def _is_any_list_empty(evidence: Evidence, listed: Listed) -> bool:
    """Tell whether a list that does not exist gets the same as one without files."""
    if listed.unreadable:
        return False
    made_up = evidence.of(Question.MADE_UP_LIST)
    return bool(made_up) and same_reply(made_up[0], listed.probe)


def _rows_of_other_lists(evidence: Evidence, tried: Places, listed: Listed) -> list[Row]:
    """Tell what holds if files may be of other lists than the one that was read."""
    if tried.uploaded or not evidence.names_a_list:
        return []
    if listed.unreadable or not listed.files:
        return []
    made_up = evidence.of(Question.MADE_UP_LIST)
    why = evidence.why_not_asked(Question.MADE_UP_LIST)
    others = ", ".join(listed.other_lists)
    has = f"{named(listed.path)} has {_how_many(tried, listed)}"
    return [
        Row(
            applies=bool(others),
            certainty=Certainty.NOT_PROVED,
            text=f"{has}, of other lists, too: {shown(others, quoted=False)}. {FOR_PATH}",
        ),
        Row(
            applies=not listed.names_list
            and any(_has_the_same(listed, probe) for probe in made_up),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{has}, and the same for a list that does not exist, so they may be of any list. "
                f"{FOR_PATH}"
            ),
        ),
        Row(
            applies=not listed.names_list and not made_up,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{has}, which do not say of which list they are. A list that does not exist was "
                f"not compared, because {why}. Run this again later."
            ),
        ),
    ]


def _has_the_same(listed: Listed, probe: Probe) -> bool:
    """Tell whether a reply for another list has some of the same files."""
    other = listed_in(listed.path, probe)
    if other is None:
        return same_reply(listed.probe, probe)
    return not set(listed.file_ids).isdisjoint(other.file_ids)


def _rows_of_comparison(
    evidence: Evidence,
    tried: Places,
    listed: Listed,
    has: str,
) -> list[Row]:
    """Tell what holds if a path that does not exist has the same, or was not compared."""
    nowhere = evidence.nowhere
    why = evidence.why_not_asked(Question.NO_SUCH_PATH)
    if tried.uploaded:
        return []
    succeeded = [probe for probe in nowhere if probe.has_succeeded]
    is_anything = any(not listed.files or has_what_was_asked(probe) for probe in succeeded)
    return [
        Row(
            applies=is_anything,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"The service replies with {listed.probe.form.value} to a path that it cannot "
                f"have, too: {advice.UPLOAD_SHOWS_PATH}"
            ),
        ),
        Row(
            applies=not nowhere,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{has} A path that does not exist was not compared, because {why}. Run this again "
                "later."
            ),
        ),
    ]


def _how_many(tried: Places, listed: Listed) -> str:
    if tried.uploaded:
        return "the uploaded file"
    if listed.records.problem and not listed.files:
        return f"{counted(listed.records.number, 'object')} that cannot be read"
    return count_files(listed.files)


def _has_no_file(listed: Listed) -> str:
    """Tell that a list has no file, or that a success without a body may mean so."""
    nothing = listed.probe.nothing
    if listed.unreadable and not nothing:
        nothing = "with null under data"
    if nothing:
        return (
            f"{named(listed.path)} gets {listed.probe.status} {nothing}, as a list without files "
            "may. That is not proved, and the provider reads no list in it: "
        )
    return f"{named(listed.path)} has no file, so it may list something else; "


def _empty_list(listed: Listed) -> str:
    """Tell what to do about a list without files; what its reply says to people comes first."""
    said = " ".join(notices_beside(listed.probe.content).values())
    if not said:
        return f"{_has_no_file(listed)}{advice.UPLOAD_FOR_FILE}"
    text = listed.probe.clean(said)
    what_to_do = ""
    subject = subject_of("", text)
    if subject is not None:
        what_to_do = subject.what_to_do(in_words("", text), "")
    what_to_do = what_to_do or "Do what it says, or ask the service's support."
    return (
        f"{named(listed.path)} has no file, and its reply says {quoted(text, sayings.SAYS)}. "
        f"{what_to_do} An empty list shows nothing else."
    )


def _why_unreadable(listed: Listed) -> str:
    if has_mark_too_many(listed.probe):
        return (
            f"{named(listed.path)} has the files after a byte order mark too many, which the "
            "provider cannot read, and no setting changes that: ask the service's support for "
            "plain JSON."
        )
    where = listed.records.where
    if where in ("", "data"):
        return (
            f"{named(listed.path)} has the files, but the provider cannot read them: "
            f"{listed.unreadable}. Ask the service's support."
        )
    part = ""
    total = pages.larger_total(listed)
    if total is not None:
        part = f"{len(listed.files)} of {counted(total, 'file')} alone, "
    return f"{named(listed.path)} has {part or 'the files '}under {where}, {ARRAY}"


def _other_list_path(evidence: Evidence, tried: Places, listed: Listed) -> str:
    """Tell what to say if another path than the connection's has the list."""
    given = evidence.settings.coupon_files_path
    path = listed.path
    if listed.probe.question is Question.WHOLE_LIST:
        size = size_of_page(path)
        number = len(listed.files)
        if is_same_without_pointer(listed, tried.partial):
            return (
                f"{named(given)} announces more files, so tasks take it for a part of the list; "
                f"with {size}, it has the same {counted(number, 'file')}, and announces none."
            )
        part = f"a part of the list only{part_of(tried)}"
        all_of_it = f"{named(given)} has {part}; with {size}, it has all of it"
        if pages.is_confirmed(evidence, listed):
            most = size.partition("=")[2]
            return f"{all_of_it}, which is enough up to {most} files; there are {number}."
        return f"{all_of_it}; no reply says up to how many files, and there are {number}."
    if path == path_of_json(evidence):
        first = next(iter(tried.lists.values()))
        return (
            f"{named(given)} replies with {form_by_name(first) or first.form.value}, and its Link "
            f"names {named(path)}, which has {_how_many(tried, listed)} as JSON: put that in."
        )
    if path in redirects.named_paths(evidence, next(iter(tried.lists.values()))):
        return f"The service names {named(path)}, which has {_how_many(tried, listed)}."
    return f"It is {named(path)}, not {named(given)}."
