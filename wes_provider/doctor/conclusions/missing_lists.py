"""What follows for the path of a list's files if no path shows them. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from wes_provider.connection_form import LABELS
from wes_provider.doctor.conclusions.odd_lists import certainty_of_odd_list, odd_list
from wes_provider.doctor.conclusions.partial_lists import announced
from wes_provider.doctor.conclusions.path_words import (
    ARRAY,
    FOR_ACCESS,
    FOR_PATH,
    SUPPORT,
    WANTED,
    encoded_otherwise,
    named,
    none_shows,
)
from wes_provider.doctor.conclusions.unseen_uploads import reaches_other_system
from wes_provider.doctor.findings import advice
from wes_provider.doctor.findings.finding import Certainty, Finding, Row, Topic, conclude
from wes_provider.doctor.reads import facts, key_facts, pages, redirects, sayings
from wes_provider.doctor.reads.escapes import (
    NAME_LIST_OTHERWISE,
    escaped_in,
    is_list_refused_for_escapes,
)
from wes_provider.doctor.reads.evidence import Evidence, Listed, Places, listed_in
from wes_provider.doctor.reads.fallbacks import what_speaks_for_fallback
from wes_provider.doctor.reads.key_facts import Standing
from wes_provider.doctor.reads.next_pages import Behind, is_only_pointed_at, what_is_behind
from wes_provider.doctor.replies.echoes import Sent, about_changed_paths, about_echo
from wes_provider.doctor.replies.files import json_in_string, shape_of
from wes_provider.doctor.replies.list_names import about_other_names, other_lists
from wes_provider.doctor.replies.probes import Kind, Probe, Question, same_reply
from wes_provider.doctor.replies.remedies import is_of_other_mode, may_lack_access, other_account
from wes_provider.doctor.replies.subjects import about_list_alone
from wes_provider.texts import counted, redact, redact_url, shown

__all__ = ["missing_list"]

MOST_MEMBERS: Final = 3  # of a reply that are quoted


def missing_list(evidence: Evidence, tried: Places) -> Finding:
    """Tell what holds if no path shows the list."""
    probes = list(tried.lists.values())
    first = probes[0]
    nowhere = evidence.nowhere
    is_odd = first.has_succeeded and bool(nowhere)
    is_like_nowhere = is_odd and same_reply(first, nowhere[0])
    has_no_array = is_odd and not is_like_nowhere and tried.without_array is not None
    known = [path for path, probe in tried.lists.items() if facts.knows_path(evidence, probe)]
    key = key_facts.campaign_key(evidence)
    is_accepted = key.standing is Standing.ACCEPTED
    says = sayings.says(first)
    others = tried.of_other_lists
    fallback = what_speaks_for_fallback(evidence, tried)
    return conclude(
        Topic.LIST_PATH,
        [*probes, *_compared(evidence), *evidence.of(Question.OTHER_LIST)],
        Row(
            applies=bool(fallback),
            certainty=Certainty.NOT_PROVED,
            text=f"It replies {first.status} without files, and {fallback}: {advice.FALLBACK}",
        ),
        Row(
            applies=facts.renamed_list(evidence) is not None,
            certainty=Certainty.NOT_PROVED,
            text=_renamed_list(evidence, first),
        ),
        Row(
            applies=bool(_unreadable_target(evidence, tried, first)),
            certainty=Certainty.NOT_PROVED,
            text=_unreadable_target(evidence, tried, first),
        ),
        Row(
            applies=is_list_refused_for_escapes(evidence, first),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{says}. The list's identifier has {escaped_in(evidence.list_id)}, which the "
                "provider sends escaped, and other paths reply as the service does. "
                f"{NAME_LIST_OTHERWISE}"
            ),
        ),
        Row(
            applies=facts.is_list_odd_alone(evidence),
            certainty=certainty_of_odd_list(evidence),
            text=odd_list(evidence, first),
        ),
        Row(
            applies=facts.is_no_path_of_gateway(evidence, first),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{says}, and the same to a path that does not exist, so it has no such path, "
                f"whatever the key is. {none_shows(len(probes))} the list's files; {SUPPORT}"
            ),
        ),
        Row(
            applies=bool(_refused_alone(evidence)),
            certainty=Certainty.NOT_PROVED,
            text=f"{says}. {_refused_alone(evidence)}",
        ),
        Row(
            applies=facts.hides(first) or key_facts.may_be_another_key(key),
            certainty=Certainty.NOT_PROVED,
            text=f"{says}. The path may be right: settle the {Topic.CAMPAIGN_KEY.value} first.",
        ),
        Row(
            applies=first.error_status == 403,
            certainty=Certainty.NOT_PROVED,
            text=f"{says}. The path may be right. {sayings.advice_of(first, FOR_ACCESS)}",
        ),
        Row(
            applies=others is not None,
            certainty=Certainty.NOT_PROVED,
            text=_of_other_lists(evidence, others),
        ),
        Row(
            applies=has_no_array,
            certainty=Certainty.WRONG if is_accepted else Certainty.NOT_PROVED,
            text=_without_array(tried),
        ),
        Row(
            applies=bool(tried.uploaded),
            certainty=Certainty.NOT_PROVED,
            text=_no_uploaded_file(evidence, tried),
        ),
        Row(
            applies=is_like_nowhere,
            certainty=Certainty.NOT_PROVED,
            text=(
                "The service replies with the same JSON to a path that it cannot have: ask its "
                "support for the path."
            ),
        ),
        Row(
            applies=not evidence.names_a_list,
            certainty=Certainty.NOT_PROVED,
            text=f"{advice.LIST_IS_TO_BE_NAMED}; the path may be right.",
        ),
        Row(
            applies=is_odd and first.is_for_later,
            certainty=Certainty.NOT_PROVED,
            text=_list_of_job(first),
        ),
        Row(
            applies=is_odd and bool(json_in_string(first.content)),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"It has JSON as a string under {json_in_string(first.content)}, as the envelope "
                "of a function has it, which the provider does not open: ask whoever runs the "
                "gateway to send what is in it. The path itself may be right."
            ),
        ),
        Row(
            applies=is_odd,
            certainty=Certainty.WRONG if is_accepted else Certainty.NOT_PROVED,
            text=f"It has {shape_of(first.content)}, {ARRAY} The path itself may be right.",
        ),
        Row(
            applies=bool(_other_names(evidence, first)),
            certainty=Certainty.NOT_PROVED,
            text=f"{says}. {_other_names(evidence, first)} The path may be right.",
        ),
        Row(
            applies=bool(_owner_of_list(evidence, first)),
            certainty=Certainty.NOT_PROVED,
            text=f"{says}. {_owner_of_list(evidence, first)}",
        ),
        Row(
            applies=bool(_misread_list(evidence, first)),
            certainty=Certainty.NOT_PROVED,
            text=f"{says}. {_misread_list(evidence, first)}",
        ),
        Row(
            applies=is_of_other_mode(first.message),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{says}. The {Topic.CAMPAIGN_KEY.value} and the list are of different modes or "
                "environments: put in the key of the list's, or name a list of the key's. The path "
                "may be right."
            ),
        ),
        Row(
            applies=first.error_status == 404 and may_lack_access(first.message),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{says}. Check the identifier {evidence.list_id} in the service's dashboard, and "
                f"whether the {Topic.CAMPAIGN_KEY.value} has access to that list; the path may be "
                "right."
            ),
        ),
        Row(
            applies=first.tried in known,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{says}. It replies otherwise to a path that does not exist, so it may have this "
                "path, but not this list, or replies so to a list without files: "
                f"{advice.UPLOAD_FOR_FILE}"
            ),
        ),
        Row(
            applies=facts.is_objection(first),
            certainty=Certainty.NOT_PROVED,
            text=f"{says}. {_objected(evidence, tried)}",
        ),
        Row(
            applies=bool(known),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{says}. {_told_apart(known)} another reply than a path that does not exist, so "
                f"it may be the path, of other things, too; {SUPPORT}"
            ),
        ),
        Row(
            applies=True,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{says}. {_changed_paths([first, *nowhere[:1]])}{none_shows(len(probes))} the "
                f"list's files; {SUPPORT}"
            ),
        ),
    )


def _compared(evidence: Evidence) -> list[Probe]:
    """Return the read that the list's is compared with: one of another list, or of no path."""
    other = facts.answer_beside_forbidden_list(evidence)
    if other is not None:
        return [other]
    return evidence.nowhere[:1]


def _refused_alone(evidence: Evidence) -> str:
    """Tell what to do if this list is refused, and another one is not; empty otherwise."""
    other = facts.answer_beside_forbidden_list(evidence)
    if other is None:
        return ""
    return (
        f"A list that does not exist gets {other.answer}, so this list alone is refused, and the "
        "path may be right: name a list that the key may read, or ask the service's support for "
        "access to this one, with these words."
    )


def _without_array(tried: Places) -> str:
    """Tell what to do about files that the list's path has without an array; empty for none."""
    found = tried.without_array
    if found is None:
        return ""
    path = "The path itself may be right"
    if tried.file_path:
        path = "The path is right"
    wanted = "an array, even for one file"
    others = "; a list with two files or more may come as an array"
    if found.are_keyed:
        wanted = "an array of these files"
        others = ""
    return (
        f"It has {found}, and no array, but the provider reads an array of objects, or one under "
        f"data: ask the service's support for {wanted}. {path}{others}."
    )


def _changed_paths(replies: Sequence[Probe]) -> str:
    """Tell whether the words of replies name other paths than were sent, before a sentence."""
    about = about_changed_paths([Sent(probe.path, probe.message) for probe in replies])
    if about:
        return f"{about} "
    return ""


def _unreadable_target(evidence: Evidence, tried: Places, first: Probe) -> str:
    """
    Tell what a list has where it is redirected to, if that is there, and the provider cannot read
    it; empty otherwise.
    """
    if first.kind is not Kind.ELSEWHERE:
        return ""
    for path in redirects.named_paths(evidence, first):
        target = tried.lists.get(path)
        if target is None or not target.has_succeeded:
            continue
        leads = f"{first.path} is redirected to {named(path)}, which has"
        listed = listed_in(path, target)
        if listed is None:
            return f"{leads} {shape_of(target.content)}, {ARRAY} Do not put that path in."
        if listed.records.problem:
            return (
                f"{leads} records that the provider cannot read: {listed.records.problem}. Do not "
                f"put that path in, and ask the service's support for {WANTED}."
            )
    return ""


def _misread_list(evidence: Evidence, first: Probe) -> str:
    """Tell what to do about a 404 that names the list in another spelling; empty if none does."""
    if first.error_status != 404 or not evidence.names_a_list:
        return ""
    return about_echo(first.message, evidence.list_id)


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


def _other_names(evidence: Evidence, first: Probe) -> str:
    """Tell what to do about lists that an error names in place of this one; empty without any."""
    if not evidence.names_a_list or first.kind is not Kind.ANSWER:
        return ""
    return about_other_names(other_lists(first.message, evidence.list_id))


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


def _no_uploaded_file(evidence: Evidence, tried: Places) -> str:
    """Tell what to say if no path shows the uploaded file in its list."""
    in_vain = f"{none_shows(len(tried.lists))} the uploaded file"
    partial = tried.partial
    if partial is not None and what_is_behind(evidence, partial) is not Behind.NOTHING:
        has = "has"
        if is_only_pointed_at(partial):
            has = "may have"
        return (
            f"{in_vain}: {named(partial.path)} {has} a part of the list only: "
            f"{announced(partial)}. Ask the service's support for a path that has all files."
        )
    if tried.empty is not None:
        return (
            f"{in_vain}: {named(tried.empty.path)} has no file at all. Ask the service's support "
            "where the files of a list are."
        )
    if reaches_other_system(evidence, tried):
        return (
            f"{in_vain}, nor does the path of one file, and both have older ones: reads and "
            "uploads may reach different systems, such as during a migration. See in the "
            "service's dashboard where the file is, and ask the service's support."
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
    if facts.is_list_closed(first):
        return "Do what it says, or name a list that takes files in --coupon-list."
    if facts.is_about_list_alone(first):
        return about_list_alone(first.message)
    return sayings.advice_of(first)
