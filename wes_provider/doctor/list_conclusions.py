"""What follows for the path of a list's files, and for the records that it has. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

from wes_provider.client import responses
from wes_provider.connection_form import LABELS
from wes_provider.doctor import advice, facts, key_facts, pages, redirects, sayings
from wes_provider.doctor.effects import has_what_was_asked
from wes_provider.doctor.escapes import (
    NAME_LIST_OTHERWISE,
    escaped_in,
    is_list_refused_for_escapes,
)
from wes_provider.doctor.evidence import (
    Evidence,
    Listed,
    Places,
    listed_in,
)
from wes_provider.doctor.files import json_in_string, shape_of
from wes_provider.doctor.findings import Certainty, Finding, Row, Topic, conclude
from wes_provider.doctor.hosts import leads_to_login
from wes_provider.doctor.key_facts import Standing
from wes_provider.doctor.layers import came_by
from wes_provider.doctor.notices import notices_beside
from wes_provider.doctor.probes import Form, Kind, Probe, Question, same_reply, with_query
from wes_provider.doctor.remedies import (
    is_maintenance,
    is_of_other_mode,
    may_lack_access,
    other_account,
)
from wes_provider.doctor.subjects import in_words, subject_of
from wes_provider.doctor.unreadables import (
    has_mark_too_many,
    is_wrapped,
    why_unreadable,
)
from wes_provider.doctor.words import quoted
from wes_provider.texts import counted, redact, redact_url, shown

__all__ = [
    "FOR_ACCESS",
    "IN_VAIN",
    "SUPPORT",
    "came_redirected",
    "encoded_otherwise",
    "leads_away",
    "list_path",
    "named",
    "not_read_twice",
    "records",
]

WRONG, NOT_PROVED = Certainty.WRONG, Certainty.NOT_PROVED
NOT_ASKED, SURE = Certainty.NOT_ASKED, Certainty.SURE
SUPPORT: Final = advice.UPLOAD_TRIES_MORE
FOR_ACCESS: Final = "ask the service's support for access."
WANTED: Final = (
    "an array of files, or an object with it under data, each file with a string under _id and one "
    "under status, and its counts of coupons as numbers; one file alone likewise"
)
ARRAY: Final = (
    f"but the provider reads an array, or one under data: ask the service's support for {WANTED}."
)
# What only the URL of a download has in its query that is signed beforehand.
SIGNED: Final = re.compile(
    r"(?:^|[&;])(?:x-amz-|x-goog-|x-oss-)?(?:signature|sig|hmac|token|credential)=", re.IGNORECASE
)
ACCEPTED: Final = 202  # to be done later
MOST_MEMBERS: Final = 3  # of a reply that are quoted
FOR_PATH: Final = "Ask the service's support for the path of one list's files."
OK: Final = 200
PARTIAL_CONTENT: Final = 206
IN_VAIN: Final = {True: "This path does not show", False: "None of these paths shows"}


def named(path: str) -> str:
    """Return a path of the extra ``paths``, with its query in words."""
    before, _, query = path.partition("?")
    return with_query(before, query)


def list_path(evidence: Evidence, tried: Places) -> Finding:
    """Conclude on the path of the list's files."""
    if tried.listed is not None:
        return _list(evidence, tried, tried.listed)
    if not tried.lists or _is_refused(tried):
        why = evidence.why_not_asked(Question.LIST_PATH)
        return Finding(
            topic=Topic.LIST_PATH,
            certainty=NOT_ASKED,
            text=f"Not asked, because {why}.",
        )
    return _no_list(evidence, tried)


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
    is_empty = not listed.files and not pages.total_of(listed)
    applied_filter = pages.applied_filter(evidence, listed)
    return conclude(
        Topic.LIST_PATH,
        [first, listed.probe, *whole, *compared],
        *_rows_of_comparison(evidence, tried, listed, has),
        Row(
            applies=bool(listed.records.problem) and path == given,
            certainty=SURE,
            text=f"It has {counted(listed.records.number, 'object')}: see {Topic.RECORDS.value}.",
            settings=setting,
        ),
        Row(
            applies=bool(listed.records.problem),
            certainty=NOT_PROVED,
            text=f"It may be {path}: settle {Topic.RECORDS.value} first.",
        ),
        Row(
            applies=is_empty and _is_any_list_empty(evidence, listed),
            certainty=NOT_PROVED,
            text=(
                f"{named(path)} has no file, and a list that does not exist gets the same, so "
                f"{shown(evidence.list_id, quoted=False)} may not exist: check its identifier in "
                "the service's dashboard before anything is uploaded into it, or name a list with "
                "files."
            ),
            guesses=setting,
        ),
        Row(
            applies=is_empty,
            certainty=NOT_PROVED,
            text=_empty_list(listed),
            guesses=setting,
        ),
        *_rows_of_other_lists(evidence, tried, listed),
        Row(
            applies=bool(listed.unreadable),
            certainty=WRONG,
            text=_why_unreadable(listed),
            settings=setting,
        ),
        Row(
            applies=bool(listed.incomplete) and pages.is_only_page(listed),
            certainty=NOT_PROVED,
            text=(
                f"{named(path)} says that it is page 1 of 1, and has "
                f"{_announced(listed)}{_said_beside(listed)}: it contradicts itself, and tasks "
                "take it for a part of the list. It may count files that are deleted or hidden. "
                "No setting helps: ask the service's support why."
            ),
            settings=setting,
        ),
        Row(
            applies=bool(listed.incomplete) and _is_changed_on_the_way(listed),
            certainty=NOT_PROVED,
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
            applies=bool(listed.incomplete),
            certainty=NOT_PROVED,
            text=(
                f"{named(path)} has a part of the list only: {_announced(listed)}"
                f"{_said_beside(listed)}; "
                f"{_larger_page(listed, whole)}. {_about_pages(listed, whole)}"
            ),
            settings=setting,
        ),
        Row(
            applies=pages.list_with_more(evidence, listed) is not None,
            certainty=NOT_PROVED,
            text=_silent_page(evidence, listed),
            settings=setting,
        ),
        Row(
            applies=not tried.uploaded and _may_be_page(evidence, listed),
            certainty=NOT_PROVED,
            text=(
                f"{has} That is as many as a page often has, and nothing shows whether the service "
                "heeds the size of a page (limit), so there may be more. Ask the service's support "
                "whether it divides lists into pages, or name a list with another number of files."
            ),
            settings=setting,
        ),
        Row(
            applies=bool(listed.full_page) and not tried.uploaded,
            certainty=NOT_PROVED,
            text=(
                f"{has} Its page is full ({listed.full_page}), and nothing says how many there "
                "are, so there may be more. Ask the service's support for a path that has all "
                "files, or name a list with fewer."
            ),
            settings=setting,
        ),
        Row(
            applies=bool(applied_filter),
            certainty=NOT_PROVED,
            text=(
                f"{has} But the reply says that a filter applies ({applied_filter}), so it may "
                "leave out files, and a task would send a file again that is there. Ask the "
                "service's support for a path that has all files."
            ),
            settings=setting,
        ),
        Row(
            applies=path == given,
            certainty=SURE,
            text=has,
            settings=setting,
        ),
        Row(
            applies=bool(tried.uploaded) or _is_read_twice(evidence, listed),
            certainty=WRONG,
            text=_other_list_path(evidence, tried, listed),
            settings=setting,
        ),
        Row(
            applies=True,
            certainty=NOT_PROVED,
            text=not_read_twice(evidence, path),
            guesses=setting,
        ),
    )


def _may_be_page(evidence: Evidence, listed: Listed) -> bool:
    """Tell whether a list may go on after its files, though nothing announces more."""
    return pages.may_be_page(listed) and not pages.is_size_heeded(evidence)


def _is_read_twice(evidence: Evidence, listed: Listed) -> bool:
    """Tell whether both the connection's path and the one that has the list were read twice."""
    at_path = evidence.answers_to(listed.probe.request)
    return min(len(evidence.list_answers), len(at_path)) > 1


def not_read_twice(evidence: Evidence, path: str) -> str:
    """Tell why a path that has what was sought was not read once more."""
    why = evidence.why_not_asked(Question.AGAIN)
    return (
        f"It may be {named(path)}, which was not read twice, because {why}. Put it in, and run "
        "this again."
    )


def records(tried: Places) -> list[Finding]:
    """Conclude on the records of a list if the provider cannot read them; else on nothing."""
    listed = tried.listed
    if listed is None or not listed.records.problem:
        return []
    has = ", ".join(listed.records.odd_properties) or "no properties"
    form = ""
    if listed.probe.standard:
        form = f" They come as {listed.probe.standard}."
    text = (
        f"{named(listed.path)} has {listed.records.problem}, which the provider cannot read.{form} "
        f"They have {has}; no setting maps properties, and the path is not at fault: ask the "
        f"service's support for {WANTED}."
    )
    return [
        Finding(
            topic=Topic.RECORDS,
            certainty=WRONG,
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
    if tried.uploaded or listed.unreadable or not evidence.names_a_list:
        return []
    made_up = evidence.of(Question.MADE_UP_LIST)
    why = evidence.why_not_asked(Question.MADE_UP_LIST)
    others = ", ".join(listed.other_lists)
    has = f"{named(listed.path)} has {_how_many(tried, listed)}"
    return [
        Row(
            applies=bool(others),
            certainty=NOT_PROVED,
            text=f"{has}, of other lists, too: {shown(others, quoted=False)}. {FOR_PATH}",
        ),
        Row(
            applies=not listed.names_list
            and any(_has_the_same(listed, probe) for probe in made_up),
            certainty=NOT_PROVED,
            text=(
                f"{has}, and the same for a list that does not exist, so they may be of any list. "
                f"{FOR_PATH}"
            ),
        ),
        Row(
            applies=not listed.names_list and not made_up,
            certainty=NOT_PROVED,
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
    return bool({file.id for file in listed.files} & {file.id for file in other.files})


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
    is_answered = bool(nowhere) and nowhere[0].has_succeeded
    is_anything = is_answered and (not listed.files or has_what_was_asked(nowhere[0]))
    return [
        Row(
            applies=is_anything,
            certainty=NOT_PROVED,
            text=(
                f"The service replies with {listed.probe.form.value} to a path that it cannot "
                f"have, too: {advice.UPLOAD_SHOWS_PATH}"
            ),
        ),
        Row(
            applies=not nowhere,
            certainty=NOT_PROVED,
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
    return counted(len(listed.files), "file")


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
    total = pages.total_of(listed)
    if total is not None and total > len(listed.files):
        part = f"{len(listed.files)} of {counted(total, 'file')} alone, "
    return f"{named(listed.path)} has {part or 'the files '}under {where}, {ARRAY}"


def _is_changed_on_the_way(listed: Listed) -> bool:
    """Tell whether only its status says that a list may be incomplete, and that is no 206."""
    if listed.probe.status in (OK, PARTIAL_CONTENT):
        return False
    with_200 = listed.probe.response._replace(status_code=OK)
    return not responses.listing(listed.probe.request, with_200).incomplete


def _announced(listed: Listed) -> str:
    """Tell what announces that a list is incomplete."""
    total = pages.total_of(listed)
    if total is not None and total > len(listed.files):
        return f"{len(listed.files)} of {counted(total, 'file')}"
    if pages.next_pages(listed.probe):
        return "the service names a next page"
    return listed.incomplete.removeprefix("the service shows a part of the list only: ")


def _said_beside(listed: Listed) -> str:
    """Return what a reply says to people beside the files, in parentheses; empty without any."""
    said = " ".join(notices_beside(listed.probe.content).values())
    if not said:
        return ""
    return f" ({quoted(listed.probe.clean(said), sayings.SAYS)})"


def _silent_page(evidence: Evidence, listed: Listed) -> str:
    """Tell what to do about a page that does not say that it is one; empty if it is none."""
    larger = pages.list_with_more(evidence, listed)
    if larger is None:
        return ""
    return (
        f"{named(listed.path)} has {counted(len(listed.files), 'file')}, and with "
        f"{_size_of_page(larger.path)} it has {len(larger.files)}: it is a page, though no reply "
        "says so. An upload whose outcome is not known is not found on another page. Ask the "
        "service's support for a path that has all files, or for the largest page."
    )


def _larger_page(listed: Listed, whole: list[Probe]) -> str:
    """Tell what came of the read of a larger page."""
    if not whole and "?" in listed.path:
        return "a larger page was not read, since paths.coupon_files names its query"
    if not whole:
        return "a larger page was not read"
    return ", ".join(_page_says(listed, probe) for probe in whole)


def _about_pages(listed: Listed, whole: list[Probe]) -> str:
    """Tell what to do about a list that no page shows as a whole."""
    refused = {_size_of_page(probe.tried) for probe in whole if not probe.success}
    for probe in whole:
        size = pages.largest_page(listed, probe)
        if size is not None and str(size) not in refused:
            return (
                f"Use lists of at most {size.most} files, with ?{size} at the end of "
                "paths.coupon_files, or ask the service's support for larger pages: an upload "
                "whose outcome is not known is not found on another page."
            )
    unit = pages.range_unit(listed)
    if unit:
        most = len(listed.files)
        return (
            f"Parts come by the header Range ({unit}), which the provider cannot send, so it does "
            "not find an upload whose outcome is not known on another part. Use lists of at most "
            f"{counted(most, 'file')}, if these come with status 200, or ask the service's support "
            "for a path that has all files."
        )
    return "Ask the service's support for a path that has all files."


def _page_says(listed: Listed, probe: Probe) -> str:
    """Tell what came of one read of a larger page."""
    size = _size_of_page(probe.tried)
    largest = pages.largest_page(listed, probe)
    if probe.success and largest is not None:
        return f"{size} gets {largest.most}, which is the largest page"
    if probe.success:
        return f"{size} does not show all"
    return f"{size} gets {probe.answer}{sayings.words_of(probe)}"


def _part_of(tried: Places) -> str:
    """
    Tell how many files of how many the connection's path has, in parentheses; empty if unknown.
    """
    first = tried.partial
    total = None
    if first is not None:
        total = pages.total_of(first)
    if first is None or total is None or total <= len(first.files):
        return ""
    return f" ({len(first.files)} of {counted(total, 'file')})"


def _size_of_page(path: str) -> str:
    """Return the last parameter of a path, such as ``limit=1000``."""
    return path.rpartition("?")[2].rpartition("&")[2]


def _other_list_path(evidence: Evidence, tried: Places, listed: Listed) -> str:
    """Tell what to say if another path than the connection's has the list."""
    given = evidence.settings.coupon_files_path
    path = listed.path
    if listed.probe.question is Question.WHOLE_LIST:
        size = _size_of_page(path)
        number = len(listed.files)
        part = f"a part of the list only{_part_of(tried)}"
        all_of_it = f"{named(given)} has {part}; with {size}, it has all of it"
        if pages.is_confirmed(evidence, listed):
            most = size.partition("=")[2]
            return f"{all_of_it}, which is enough up to {most} files; there are {number}."
        return f"{all_of_it}; no reply says up to how many files, and there are {number}."
    if path in redirects.named_paths(evidence, next(iter(tried.lists.values()))):
        return f"The service names {named(path)}, which has {_how_many(tried, listed)}."
    return f"It is {named(path)}, not {named(given)}."


def _no_list(evidence: Evidence, tried: Places) -> Finding:
    """Tell what holds if no path shows the list."""
    probes = list(tried.lists.values())
    first = probes[0]
    nowhere = evidence.nowhere
    is_odd = first.has_succeeded and bool(nowhere)
    is_like_nowhere = is_odd and same_reply(first, nowhere[0])
    known = [path for path, probe in tried.lists.items() if facts.knows_path(evidence, probe)]
    key = key_facts.campaign_key(evidence)
    is_accepted = key.standing is Standing.ACCEPTED
    says = sayings.says(first)
    others = tried.of_other_lists
    return conclude(
        Topic.LIST_PATH,
        [*probes, *nowhere[:1], *evidence.of(Question.OTHER_LIST)],
        Row(
            applies=facts.renamed_list(evidence) is not None,
            certainty=NOT_PROVED,
            text=_renamed_list(evidence, first),
        ),
        Row(
            applies=is_list_refused_for_escapes(evidence, first),
            certainty=NOT_PROVED,
            text=(
                f"{says}. The list's identifier has {escaped_in(evidence.list_id)}, which the "
                "provider sends escaped, and other paths reply as the service does. "
                f"{NAME_LIST_OTHERWISE}"
            ),
        ),
        Row(
            applies=facts.is_list_odd_alone(evidence),
            certainty=_certainty_of_odd_list(evidence),
            text=_odd_list(evidence, first),
        ),
        Row(
            applies=facts.is_no_path_of_gateway(evidence, first),
            certainty=NOT_PROVED,
            text=(
                f"{says}, and the same to a path that does not exist, so it has no such path, "
                f"whatever the key is. {IN_VAIN[len(probes) == 1]} the list's files; {SUPPORT}"
            ),
        ),
        Row(
            applies=facts.hides(first) or key_facts.may_be_another_key(key),
            certainty=NOT_PROVED,
            text=f"{says}. The path may be right: settle the {Topic.CAMPAIGN_KEY.value} first.",
        ),
        Row(
            applies=first.error_status == 403,
            certainty=NOT_PROVED,
            text=f"{says}. The path may be right. {sayings.advice_of(first, FOR_ACCESS)}",
        ),
        Row(
            applies=others is not None,
            certainty=NOT_PROVED,
            text=_of_other_lists(evidence, others),
        ),
        Row(
            applies=bool(tried.uploaded),
            certainty=NOT_PROVED,
            text=_no_uploaded_file(tried),
        ),
        Row(
            applies=is_like_nowhere,
            certainty=NOT_PROVED,
            text=(
                "The service replies with the same JSON to a path that it cannot have: ask its "
                "support for the path."
            ),
        ),
        Row(
            applies=not evidence.names_a_list,
            certainty=NOT_PROVED,
            text=f"{advice.LIST_IS_TO_BE_NAMED}; the path may be right.",
        ),
        Row(
            applies=is_odd and first.status == ACCEPTED,
            certainty=NOT_PROVED,
            text=_list_of_job(first),
        ),
        Row(
            applies=is_odd and bool(json_in_string(first.content)),
            certainty=NOT_PROVED,
            text=(
                f"It has JSON as a string under {json_in_string(first.content)}, as the envelope "
                "of a function has it, which the provider does not open: ask whoever runs the "
                "gateway to send what is in it. The path itself may be right."
            ),
        ),
        Row(
            applies=is_odd,
            certainty=WRONG if is_accepted else NOT_PROVED,
            text=f"It has {shape_of(first.content)}, {ARRAY} The path itself may be right.",
        ),
        Row(
            applies=bool(_owner_of_list(evidence, first)),
            certainty=NOT_PROVED,
            text=f"{says}. {_owner_of_list(evidence, first)}",
        ),
        Row(
            applies=is_of_other_mode(first.message),
            certainty=NOT_PROVED,
            text=(
                f"{says}. The {Topic.CAMPAIGN_KEY.value} and the list are of different modes or "
                "environments: put in the key of the list's, or name a list of the key's. The path "
                "may be right."
            ),
        ),
        Row(
            applies=first.error_status == 404 and may_lack_access(first.message),
            certainty=NOT_PROVED,
            text=(
                f"{says}. Check the identifier {evidence.list_id} in the service's dashboard, and "
                f"whether the {Topic.CAMPAIGN_KEY.value} has access to that list; the path may be "
                "right."
            ),
        ),
        Row(
            applies=first.tried in known,
            certainty=NOT_PROVED,
            text=(
                f"{says}. It replies otherwise to a path that does not exist, so it may have this "
                "path, but not this list, or replies so to a list without files: "
                f"{advice.UPLOAD_FOR_FILE}"
            ),
        ),
        Row(
            applies=facts.is_objection(first),
            certainty=NOT_PROVED,
            text=f"{says}. {_objected(evidence, tried)}",
        ),
        Row(
            applies=bool(known),
            certainty=NOT_PROVED,
            text=(
                f"{says}. {_told_apart(known)} another reply than a path that does not exist, so "
                f"it may be the path, of other things, too; {SUPPORT}"
            ),
        ),
        Row(
            applies=True,
            certainty=NOT_PROVED,
            text=f"{says}. {IN_VAIN[len(probes) == 1]} the list's files; {SUPPORT}",
        ),
    )


def _told_apart(known: Sequence[str]) -> str:
    """Tell which paths get another reply, as the beginning of a sentence; empty if none."""
    if not known:
        return ""
    if len(known) > 1:
        return f"{known[0]}, as {counted(len(known) - 1, 'other path')} that was tried, gets"
    return f"Only {known[0]} gets"


def _renamed_list(evidence: Evidence, first: Probe) -> str:
    """Tell what to do about a list that is redirected to another name of it; empty if none is."""
    renamed = facts.renamed_list(evidence)
    if renamed is None:
        return ""
    if renamed.is_encoding:
        return encoded_otherwise(first)
    name = shown(renamed.value, quoted=False)
    leads = f"{first.path} to the same path with {name} ({first.status})"
    made_up = [redirects.renamed(probe) for probe in evidence.of(Question.MADE_UP_LIST)]
    if any(other is not None and other.value == renamed.value for other in made_up):
        return (
            f"The service redirects {leads}, and a list that does not exist likewise, so that is "
            f"no other name of {evidence.list_id}: check it in the service's dashboard, or ask the "
            "service's support."
        )
    read = next(iter(evidence.of(Question.OTHER_LIST)), None)
    seems = f"The list seems to be called {name} now: the service redirects {leads}"
    do = f"Name {name} in --coupon-list, and in your tasks, and run this again."
    if read is None:
        return f"{seems}. {do}"
    listed = listed_in("", read)
    if listed is not None:
        return f"{seems}, and a read of that has {counted(listed.records.number, 'file')}. {do}"
    return (
        f"{seems}, but a read of that gets {read.answer}{sayings.words_of(read)}. Ask the "
        "service's support what the list is called."
    )


def encoded_otherwise(redirect: Probe) -> str:
    """Tell what to do about a redirect to the same identifier, which is encoded otherwise."""
    return (
        f"{redirect.sent} is redirected to {redact_url(redirect.location)}, which has the same "
        "identifier, encoded otherwise. The provider encodes identifiers in one way only, and no "
        "setting changes that: ask the service's support to accept it, or use an identifier of "
        "letters, digits and hyphens."
    )


def _certainty_of_odd_list(evidence: Evidence) -> Certainty:
    """Tell how certain it is that tasks cannot read the list: the service itself redirects it."""
    last = evidence.list_answers[-1:]
    if not key_facts.is_service(evidence) or any(map(_leads_to_maintenance, last)):
        return NOT_PROVED
    is_sure = is_wrapped(last[0]) or last[0].kind is Kind.ELSEWHERE
    if len(evidence.list_answers) > 1 and is_sure:
        return WRONG
    return NOT_PROVED


def _odd_list(evidence: Evidence, first: Probe) -> str:
    """Tell what to do about a list that replies otherwise than the other paths do."""
    address = "so the Address may be right"
    if key_facts.is_service(evidence):
        address = "so the Address is right"
    if first.form is Form.PAGE and not is_wrapped(first):
        return (
            f"A web page came with status {first.status}{sayings.words_of(first)}. Other paths "
            f"reply here, {address}. {sayings.advice_of(first)}"
        )
    if first.kind is not Kind.ELSEWHERE:
        return f"{why_unreadable(first)}. Other paths reply here, {address}."
    what_to_do = "ask the service's support for a list that replies with JSON itself."
    if leads_to_login(first.location):
        what_to_do = "ask whoever runs it to let requests with keys through to the list."
    if _leads_to_maintenance(first):
        what_to_do = "wait until it is over, and run this again, or ask the service's support."
    came = came_redirected(first)
    return f"{came}; other paths reply here, {address}. No setting helps: {what_to_do}"


def came_redirected(probe: Probe) -> str:
    """Tell where a path is redirected to, and why that is not followed."""
    return (
        f"{probe.sent} is redirected to {redact_url(probe.location)}{_kind_of_target(probe)}, "
        f"which is not followed{_why_not_followed(probe)}"
    )


def leads_away(probe: Probe) -> bool:
    """Tell whether a path is redirected to another host."""
    return probe.kind is Kind.ELSEWHERE and not redirects.leads_to_same_origin(probe)


def _leads_to_maintenance(probe: Probe) -> bool:
    """Tell whether the path of a redirect is called as a page of a maintenance is."""
    return is_maintenance(urlsplit(probe.location).path)


def _kind_of_target(redirect: Probe) -> str:
    """Tell what a redirect leads to by its URL, in parentheses; empty if that does not say so."""
    if leads_to_login(redirect.location):
        return " (a browser login)"
    if _leads_to_maintenance(redirect):
        return " (a maintenance, by its name)"
    if SIGNED.search(urlsplit(redirect.location).query):
        return " (a signed download)"
    return ""


def _why_not_followed(redirect: Probe) -> str:
    if redirects.leads_to_same_origin(redirect):
        return ""
    return ", since keys may not go there"


def _owner_of_list(evidence: Evidence, first: Probe) -> str:
    """Tell what to do about a list of another account that an error names; empty if it does not."""
    login = evidence.settings.workspace_id
    other = other_account(first.message, login)
    if first.error_status != 404 or not other:
        return ""
    return (
        f"The {LABELS['login']} (login) is {login}: name a list of it, or use a connection with "
        f"the login and the keys of {other}. The path may be right."
    )


def _no_uploaded_file(tried: Places) -> str:
    """Tell what to say if no path shows the uploaded file in its list."""
    in_vain = f"{IN_VAIN[len(tried.lists) == 1]} the uploaded file"
    if tried.partial is not None:
        return (
            f"{in_vain}: {named(tried.partial.path)} has a part of the list only: "
            f"{_announced(tried.partial)}. Ask the service's support for a path that has all files."
        )
    if tried.empty is not None:
        return (
            f"{in_vain}: {named(tried.empty.path)} has no file at all. Ask the service's support "
            "where the files of a list are."
        )
    return f"{in_vain}. Ask the service's support where and when a list has a new file."


def _of_other_lists(evidence: Evidence, others: Listed | None) -> str:
    """Tell what to say if a path has files of other lists only."""
    if others is None:
        return ""
    lists = shown(", ".join(others.other_lists), quoted=False)
    name = facts.other_name(evidence)
    if name:
        return (
            f"The service calls the list {evidence.list_id} {name}: a read of that has the same "
            f"{counted(len(others.files), 'file')}, which say that they are of it. Name {name} in "
            "tasks, and here, so that the rest is read, too."
        )
    has = (
        f"{named(others.path)} has {counted(len(others.files), 'file')}, none of them of the list "
        f"{evidence.list_id}, but of {lists}"
    )
    made_up = evidence.of(Question.MADE_UP_LIST)
    if any(facts.has_files_of_other_lists(evidence, probe) for probe in made_up):
        return f"{has}, and the same for a list that does not exist. {FOR_PATH}"
    return (
        f"{has}. Name the list as the service does, or ask its "
        "support for the path of one list's files."
    )


def _list_of_job(first: Probe) -> str:
    """Tell what to do about a list that a job collects, as a reply with 202 says."""
    place = ""
    if first.location:
        place = f", with {redact_url(first.location)} as its Location"
    members = {}
    if isinstance(first.content, dict):
        members = first.content
    scalars = [
        f"{shown(name, quoted=False)} {shown(redact(first.clean(str(value))), quoted=False)}"
        for name, value in members.items()
        if isinstance(value, (str, int))
    ]
    says = ""
    if scalars:
        says = f" ({', '.join(scalars[:MOST_MEMBERS])})"
    return (
        f"The list does not come at once: the service replies {first.status} to GET {first.path}"
        f"{place}{says}, as if a job collected it, and the provider cannot fetch what a job has "
        "made. The path may be right: ask the service's support for one that replies with the "
        "files themselves."
    )


def _objected(evidence: Evidence, tried: Places) -> str:
    """Tell what to do about a reply that is not about the path or the key."""
    given = evidence.settings.coupon_files_path
    message = next(iter(tried.lists.values())).message.lower()
    of_query = [name for name in pages.parameters_of(given) if name.lower() in message]
    if of_query:
        return (
            f"Its parameter {shown(of_query[0], quoted=False)} is that of paths.coupon_files: "
            "correct the query there, or take it out, and run this again."
        )
    named = redirects.named_paths(evidence, next(iter(tried.lists.values())))
    if named and named[0] in tried.lists:
        return f"A read of {named[0]} does not show the list's files; {SUPPORT}"
    if named:
        return f"It names {named[0]}, which was not read: run this again later."
    first = next(iter(tried.lists.values()))
    return sayings.advice_of(first)
