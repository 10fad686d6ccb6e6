"""What follows for the path of one file, and for that of uploads. Pure."""

from __future__ import annotations

from itertools import chain
from typing import Final
from urllib.parse import urlsplit

from wes_provider.client import responses
from wes_provider.doctor.conclusions.path_words import (
    FOR_ACCESS,
    SUPPORT,
    came_redirected,
    encoded_otherwise,
    leads_away,
    named,
    none_shows,
    not_read_twice,
)
from wes_provider.doctor.findings import advice
from wes_provider.doctor.findings.finding import Certainty, Finding, Row, Topic, conclude
from wes_provider.doctor.reads import facts, key_facts, redirects, sayings
from wes_provider.doctor.reads.caches import ask_about_new_file, kept_by_cache, says_behind
from wes_provider.doctor.reads.escapes import escaped_in
from wes_provider.doctor.reads.evidence import (
    MADE_UP,
    Evidence,
    Places,
    file_read,
    record_in,
    unreadable,
)
from wes_provider.doctor.reads.since_upload import are_unanswered, settle_no_path, what_came
from wes_provider.doctor.replies.echoes import about_echo
from wes_provider.doctor.replies.files import closed_state, odd_identifier, status_of
from wes_provider.doctor.replies.other_forms import form_by_name
from wes_provider.doctor.replies.probes import (
    Form,
    Kind,
    Probe,
    Question,
    names_in_words,
    same_reply,
)
from wes_provider.doctor.replies.rights import speaks_against_uploads
from wes_provider.doctor.replies.unreadables import (
    has_mark_too_many,
    is_unreadable,
    is_wrapped,
    why_unreadable,
)
from wes_provider.texts import redact_url, shown
from wes_provider.waits.decision import NOT_FOUND_GRACE

__all__ = ["closed_list", "file_path", "upload_path"]

NO_RECORD: Final = "the reply is no record with an _id"


def file_path(evidence: Evidence, tried: Places) -> Finding:
    """Conclude on the path of one file."""
    if tried.file_path:
        return _file(evidence, tried)
    if tried.uploaded and are_unanswered([*tried.files.values()]):
        return _unanswered_file(evidence, tried)
    if tried.files:
        return _no_file_by_answers(evidence, tried)
    why = evidence.not_asked.get(Question.FILE_PATH) or "no file is known"
    certainty = Certainty.NOT_SHOWN
    if tried.seen_files:
        certainty = Certainty.NOT_PROVED
    what = "Not asked"
    if evidence.sent_for(Question.FILE_PATH):
        what = "Not settled"
    return Finding(
        topic=Topic.FILE_PATH,
        certainty=certainty,
        text=f"{what}, because {why}.",
    )


def _unanswered_file(evidence: Evidence, tried: Places) -> Finding:
    """
    Tell what holds if no read of an uploaded file got an answer: what reads before the upload show,
    if they show a path.
    """
    before = facts.places(evidence)
    probes = [*tried.files.values()]
    if before.file_path:
        return file_path(evidence, before)
    if not settle_no_path(probes):
        return _no_file_by_answers(evidence, tried)
    return Finding(
        topic=Topic.FILE_PATH,
        certainty=Certainty.NOT_PROVED,
        text=(
            f"Not shown: reads of the uploaded file got {what_came(probes[0])}, which is about no "
            "path. Run this again without --upload, once the service answers."
        ),
        probes=tuple(probes),
    )


def _no_file_by_answers(evidence: Evidence, tried: Places) -> Finding:
    """Tell what holds if no path shows a file, by all that came to the requests."""
    answers = [evidence.answers_to(probe.request) or [probe] for probe in tried.files.values()]
    return _no_file(evidence, tried, [*chain(*answers)])


def _file(evidence: Evidence, tried: Places) -> Finding:
    """Tell what holds if a path shows a file."""
    given = evidence.settings.coupon_file_path
    path = tried.file_path
    setting = {"paths.coupon_file": path}
    first, found = next(iter(tried.files.values())), tried.files[path]
    is_redirected = first.kind is Kind.ELSEWHERE
    is_given_read = is_redirected or len(evidence.answers_to(first.request)) > 1
    is_twice = is_given_read and len(evidence.answers_to(found.request)) > 1
    says = f"It is {named(path)}, not {named(given)}."
    listing = None
    if tried.listed is not None:
        listing = tried.listed.probe
    named_by_service = (
        *redirects.named_paths(evidence, first, tried.file_id),
        *redirects.linked_paths(evidence, listing, tried.file_id),
    )
    if path in named_by_service:
        says = f"The service names {named(path)}, which has a file and its status."
    disagrees = _disagrees_with_list(evidence, tried, found)
    return conclude(
        Topic.FILE_PATH,
        [first, found],
        Row(
            applies=bool(tried.status_elsewhere),
            certainty=Certainty.NOT_PROVED,
            text=_has_status_elsewhere(tried),
            guesses=setting,
        ),
        Row(
            applies=bool(disagrees),
            certainty=Certainty.NOT_PROVED,
            text=disagrees,
            guesses=setting,
        ),
        Row(
            applies=path == given,
            certainty=Certainty.SURE,
            text=f"It has a file and its status.{_refused_file(evidence)}",
            settings=setting,
        ),
        Row(
            applies=bool(tried.uploaded) or is_twice,
            certainty=Certainty.WRONG,
            text=says,
            settings=setting,
        ),
        Row(
            applies=True,
            certainty=Certainty.NOT_PROVED,
            text=not_read_twice(evidence, path),
            guesses=setting,
        ),
    )


def _refused_file(evidence: Evidence) -> str:
    """Tell that another file of the list was refused, as a sentence with a space before it."""
    for probe in evidence.of(Question.FILE_PATH):
        if probe.error_status == 403 and probe.request.subject != MADE_UP:
            file = shown(probe.request.subject, quoted=False)
            return (
                f" But the key may not read file {file} ({probe.answer}{sayings.words_of(probe)})."
            )
    return ""


def _has_status_elsewhere(tried: Places) -> str:
    """Tell which property of a file's own record has its status, if that is not its status."""
    alone = tried.read_alone
    if alone is None or not tried.status_elsewhere:
        return ""
    where = shown(tried.status_elsewhere, quoted=False)
    return (
        f"Its record has {status_of(alone)} as status, and under {where} what the list has as the "
        "file's status. So its status may be that of the request, and tasks read no other one: "
        f"they would not see an end. No setting reads {where}: name {status_of(alone)} in no list "
        "of coupon_file_statuses, and ask the service's support for the file's status under status."
    )


def _disagrees_with_list(evidence: Evidence, tried: Places, found: Probe) -> str:
    """
    Tell that a file's own path has another status than the list had before, which was an end; empty
    if it has not. A file that has ended does not go on.
    """
    file = file_read(found)
    listed = tried.listed
    if file is None or listed is None or tried.uploaded:
        return ""
    is_read_later = listed.probe.sent_at <= found.sent_at
    statuses = evidence.settings.statuses
    for other in listed.files:
        is_end = statuses.succeeded(other.status) or statuses.failed(other.status)
        is_other = other.id == file.id and status_of(other) != status_of(file)
        if is_end and is_other and is_read_later:
            return (
                f"The list has file {shown(file.id, quoted=False)} with {status_of(other)}, and "
                f"its own path has it with {status_of(file)} after that{_behind(found)}: one of "
                "the two is behind. Tasks wait by that path, so they may see an end late, or take "
                "a file for failed that is not. Ask the service's support; no setting helps."
            )
    return ""


def _behind(probe: Probe) -> str:
    """Return how far a node says that it is behind, in parentheses; empty if it does not."""
    says = says_behind(probe)
    if not says:
        return ""
    return f" ({says})"


def _is_odd_list(tried: Places) -> bool:
    """Tell whether the list's path has something that the provider cannot read as a list."""
    first = next(iter(tried.lists.values()), None)
    if first is None or not first.success:
        return False
    return tried.listed is None and tried.of_other_lists is None


def _why_no_file_is_known(tried: Places) -> str:
    """Tell why the doctor knows no file that it could read, and what to do."""
    if tried.listed is not None and tried.listed.records.problem:
        return "No file is known, since the list's records cannot be read: settle that first."
    if _is_odd_list(tried):
        return "No file is known, since the provider cannot read what the list's path has."
    if tried.of_other_lists is not None:
        return "The files of the list's path are of other lists, so none was read: settle that."
    if tried.empty is not None and tried.empty.incomplete:
        return "No file of the list was shown, though it has some: settle that first."
    if tried.empty is not None:
        return f"The list has no file to read: {advice.UPLOAD_FOR_FILE}"
    return f"No file is known, since no list with files was read: {advice.UPLOAD_FOR_FILE}"


def _why_search_ended(evidence: Evidence, tried: Places) -> str:
    """Tell why no further path of one file was read, after a sentence; empty if all were."""
    if tried.uploaded:
        return ""
    why = evidence.not_asked.get(Question.FILE_PATH, "")
    if not why:
        return ""
    return f" The search ended, because {why}."


def _no_file(evidence: Evidence, tried: Places, probes: list[Probe]) -> Finding:
    """Tell what holds if no path shows a file."""
    first = probes[0]
    guesses = {}
    if facts.knows_path(evidence, probes[-1]):
        guesses = {"paths.coupon_file": probes[-1].tried}
    problem = _why_file_is_unreadable(tried)
    odd = tried.odd_status
    stopped = _why_search_ended(evidence, tried)
    return conclude(
        Topic.FILE_PATH,
        probes,
        Row(
            applies=tried.file_id == MADE_UP,
            certainty=Certainty.NOT_PROVED,
            text=_why_no_file_is_known(tried),
            guesses=guesses,
        ),
        Row(
            applies=is_wrapped(first) and key_facts.is_service(evidence),
            certainty=Certainty.WRONG,
            text=f"{first.sent}: {why_unreadable(first)}. The list can be read, unlike that.",
        ),
        Row(
            applies=bool(odd) and key_facts.is_service(evidence),
            certainty=Certainty.WRONG,
            text=(
                f"It has the file with {odd}, but the provider reads a string under status only, "
                "so no task can wait for it. Ask the service's support for such a status."
            ),
        ),
        *_rows_of_record_without_status(evidence, tried),
        Row(
            applies=bool(problem) and key_facts.is_service(evidence),
            certainty=Certainty.WRONG,
            text=(
                f"It has the file, but the provider cannot read it: {problem}. Ask the service's "
                "support."
            ),
        ),
        Row(
            applies=tried.without_id is not None and key_facts.is_service(evidence),
            certainty=Certainty.WRONG,
            text=_without_id(tried),
        ),
        Row(
            applies=bool(tried.other_file),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{first.sent} gets {first.status} with the record "
                f"{shown(tried.other_file, quoted=False)}, which is not the file that was asked "
                "for, so a task could not wait for it. Ask the service's support for the path of "
                "one file."
            ),
        ),
        Row(
            applies=is_unreadable(first) and tried.listed is not None,
            certainty=Certainty.NOT_PROVED,
            text=f"{first.sent}: {why_unreadable(first)}. The list can be read, unlike that.",
        ),
        Row(
            applies=redirects.renamed(first) is not None,
            certainty=Certainty.NOT_PROVED,
            text=_renamed_file(first),
        ),
        Row(
            applies=leads_away(first),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{came_redirected(first)}. No setting helps: ask the service's support for one "
                "file's record as JSON itself."
            ),
        ),
        Row(
            applies=_may_be_refused_for_escapes(evidence, tried, first),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{sayings.says(first)}. Identifiers have {escaped_in(tried.file_id)}, which the "
                "provider sends escaped. A path that does not exist gets another reply, so a "
                "gateway may refuse such paths before the service sees them. Ask whoever runs it "
                "to let them pass, or the service's support for the path of one file."
            ),
        ),
        *_rows_of_new_file(evidence, tried),
        Row(
            applies=first.is_not_found and bool(about_echo(first.message, tried.file_id)),
            certainty=Certainty.NOT_PROVED,
            text=f"{sayings.says(first)}. {about_echo(first.message, tried.file_id)}",
        ),
        Row(
            applies=bool(tried.uploaded) and _is_refused_alone(evidence, tried, first),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{sayings.says(first)}, and other paths get 404, so the path is right, and the "
                f"key may not read a file there. {sayings.advice_of(first, FOR_ACCESS)}"
            ),
        ),
        Row(
            applies=bool(tried.uploaded),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{sayings.says(first)}. {none_shows(len(tried.files))} the uploaded file: ask "
                "the service's support for the path of one file."
            ),
        ),
        Row(
            applies=facts.is_refused(first),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"The read was refused ({first.answer}) at {first.time} UTC, so it shows no path"
                f"{_after_refusal(evidence)}"
            ),
        ),
        Row(
            applies=facts.is_no_path_of_gateway(evidence, first),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{sayings.says(first)}, and the same to a path that does not exist, so it has no "
                f"such path, whatever the key is. {none_shows(len(tried.files))} a file of the "
                f"list; {SUPPORT}{stopped}"
            ),
        ),
        Row(
            applies=facts.is_like_nowhere(evidence, first) and facts.is_about_permission(first),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{sayings.says(first)}, and the same to a path that does not exist, so what "
                "refuses does not look at the path, which may be right. Ask an administrator of "
                "the account, or whoever runs the gateway, what this key may read."
            ),
        ),
        Row(
            applies=facts.is_like_nowhere(evidence, first),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{sayings.says(first)}, and the same to a path that does not exist: either it has "
                "no such path, or the key may not read it. "
                f"{none_shows(len(tried.files))} a file of the list; {SUPPORT}{stopped}"
            ),
        ),
        Row(
            applies=facts.is_file_gone(evidence, first),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{sayings.says(first)}. So it has this path, and file {shown(tried.file_id)} is "
                "gone: name a list with newer files, or let --upload URL show it."
            ),
        ),
        Row(
            applies=first.error_status == 403 or facts.hides(first),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{sayings.says(first)}. The path may be right. "
                f"{sayings.advice_of(first, FOR_ACCESS)}"
            ),
        ),
        Row(
            applies=facts.is_objection(first),
            certainty=Certainty.NOT_PROVED,
            text=f"{sayings.says(first)}. {sayings.advice_of(first, str(SUPPORT))}",
        ),
        Row(
            applies=facts.knows_path(evidence, first),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{sayings.says(first)}, and otherwise to a path that does not exist, so the path "
                f"may be right. {advice.UPLOAD_SHOWS}"
            ),
        ),
        Row(
            applies=all(
                probe.form is Form.PAGE and probe.has_2xx for probe in tried.files.values()
            ),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"What is not the service replied to each read of one file ({first.status}, "
                f"a web page), so none shows whether there is such a path.{stopped}"
            ),
        ),
        Row(
            applies=True,
            certainty=Certainty.NOT_PROVED,
            text=f"{none_shows(len(tried.files))} a file of the list; {SUPPORT}{stopped}",
        ),
    )


def _is_refused_alone(evidence: Evidence, tried: Places, first: Probe) -> bool:
    """
    Tell whether the first path of a file gets a 403, and paths that there are not get a 404: others
    of one file, or one that does not exist. Paths below the first one may get its 403, too.
    """
    if first.kind is not Kind.ANSWER or first.error_status != 403:
        return False
    if any(probe.error_status == 403 for probe in evidence.nowhere):
        return False
    return any(probe.is_not_found for probe in [*tried.files.values(), *evidence.nowhere])


def _after_refusal(evidence: Evidence) -> str:
    """Tell what to do about the refused read of one file, as the end of a sentence."""
    if key_facts.campaign_key(evidence).standing is key_facts.Standing.REFUSED:
        return f": settle the {Topic.CAMPAIGN_KEY.value} first."
    return ". Run this again later."


def _rows_of_new_file(evidence: Evidence, tried: Places) -> list[Row]:
    """Tell what holds if a path has older files of the list, and does not give the uploaded one."""
    missed = tried.files.get(facts.places(evidence).file_path)
    if not tried.uploaded or missed is None:
        return []
    return [
        Row(
            applies=missed.is_not_found,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{sayings.says(missed)}. The path has an older file, so it is right, and did not "
                f"have the new one meanwhile{kept_by_cache(missed)}. A task fails if that lasts "
                f"for {NOT_FOUND_GRACE:.0f} s, and Airflow does not retry it. No setting "
                f"helps: {ask_about_new_file(missed)}."
            ),
        ),
        Row(
            applies=missed.kind is Kind.REFUSED,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{sayings.says(missed)}. The path has an older file for the same key, so the path "
                "is right, and the key may not read the new file, or not yet. A task would fail "
                f"then. {sayings.advice_of(missed, FOR_ACCESS)}"
            ),
        ),
    ]


def _renamed_file(probe: Probe) -> str:
    """Tell what to do about one file that is redirected to another identifier; empty if none is."""
    renamed = redirects.renamed(probe)
    if renamed is None:
        return ""
    if renamed.is_encoding:
        return encoded_otherwise(probe)
    name = shown(renamed.value, quoted=False)
    leads = f"The service redirects {probe.path} to the same path with {name} ({probe.status})"
    if renamed.is_list:
        return (
            f"{leads}: the list {renamed.sent} seems to be called {name}. Name {name} in "
            "--coupon-list, and in your tasks, and run this again."
        )
    return (
        f"{leads}: the file {shown(renamed.sent, quoted=False)} seems to be called {name} there, "
        "and redirects are not followed, so a task could not wait for it. No setting changes "
        "that: ask the service's support for lists that have the identifier of the path."
    )


def _may_be_refused_for_escapes(evidence: Evidence, tried: Places, first: Probe) -> bool:
    """
    Tell whether a file may not be read for the characters of its identifier: each path with them
    gets what a path that does not exist does not get.
    """
    nowhere = evidence.nowhere
    is_like_nowhere = not nowhere or same_reply(first, nowhere[0])
    if is_like_nowhere or not escaped_in(tried.file_id):
        return False
    return all(same_reply(first, probe) for probe in tried.files.values())


def _without_id(tried: Places) -> str:
    """Tell what to do about the record of a file that has no identifier; empty without one."""
    probe = tried.without_id
    if probe is None:
        return ""
    return (
        f"{probe.sent} has the record of a file without an _id, so nothing shows that it is of the "
        "file that was asked for, and the provider cannot read it: no task can wait for a file. "
        "The path may be right. Ask the service's support for the _id in it."
    )


def _rows_of_record_without_status(evidence: Evidence, tried: Places) -> list[Row]:
    """
    Tell what holds if a path replies with the very record of the file, without a status: the path
    is right, and what is wrong is the record.
    """
    if tried.statusless is None or not key_facts.is_service(evidence):
        return []
    path = tried.statusless.tried
    given = evidence.settings.coupon_file_path
    setting = {"paths.coupon_file": path}
    return [
        Row(
            applies=path == given,
            certainty=Certainty.SURE,
            text=f"It has the record of a file: see {Topic.RECORDS.value}.",
            settings=setting,
        ),
        Row(
            applies=True,
            certainty=Certainty.NOT_PROVED,
            text=f"It may be {named(path)}: settle {Topic.RECORDS.value} first.",
            guesses=setting,
        ),
    ]


def _why_file_is_unreadable(tried: Places) -> str:
    """Tell why the provider cannot read a reply that has the file; empty if no reply has it."""
    if tried.odd_file is None:
        return ""
    if has_mark_too_many(tried.odd_file):
        return "it has a byte order mark too many before its JSON"
    form = form_by_name(tried.odd_file)
    if form:
        return f"the reply is {form}, and no JSON"
    record = record_in(tried.odd_file)
    if record is None:
        odd = odd_identifier(tried.odd_file.content)
        if odd:
            return f"its _id has to be at the top or under data, but {odd}"
        return NO_RECORD
    return unreadable(responses.coupon_file, tried.odd_file)


def _what_paths_repair(evidence: Evidence, tried: Places) -> str:
    """Tell what an extra with other paths repairs, after a sentence; empty without one."""
    given = evidence.settings
    listed = ""
    if tried.listed is not None:
        listed = tried.listed.path
    if listed in ("", given.coupon_files_path) and tried.file_path in ("", given.coupon_file_path):
        return ""
    return " The extra repairs reads of lists and of files, and no upload."


def closed_list(tried: Places) -> str:
    """
    Tell what to do about a list whose reply says that it is closed, as the end of a sentence; empty
    if it does not say so.
    """
    if tried.listed is None:
        return ""
    state = closed_state(tried.listed.probe.content)
    if not state:
        return ""
    return (
        f"the list's reply has {state}: name a list that takes files, or have this one opened in "
        "the service's dashboard"
    )


def upload_path(evidence: Evidence, tried: Places) -> Finding:
    """Conclude on uploads, as far as a read of their path shows anything."""
    closed = closed_list(tried)
    if closed and tried.listed is not None:
        return Finding(
            topic=Topic.UPLOAD,
            certainty=Certainty.NOT_PROVED,
            text=f"It may take no files, since {closed}.",
            probes=(tried.listed.probe,),
        )
    redirected = facts.redirect_of_uploads(evidence)
    against = _what_speaks_against_uploads(evidence)
    if redirected is None and against is not None:
        return against
    if redirected is None or _is_for_the_address(evidence, tried):
        text = str(advice.UPLOAD_PROVES)
        return Finding(
            topic=Topic.UPLOAD,
            certainty=Certainty.NOT_SHOWN,
            text=text,
        )
    return _redirected_upload(evidence, tried, redirected)


def _what_speaks_against_uploads(evidence: Evidence) -> Finding | None:
    """Tell what the list's replies say against uploads with the campaign key; ``None`` if not."""
    listed = facts.places(evidence).listed
    if listed is None:
        return None
    says = speaks_against_uploads(listed.probe)
    if not says:
        return None
    return Finding(
        topic=Topic.UPLOAD,
        certainty=Certainty.NOT_PROVED,
        text=(
            f"The list's reply says what the {Topic.CAMPAIGN_KEY.value} may do ({says}), and "
            f"uploads are not among it. {advice.UPLOAD_PROVES_RIGHT}"
        ),
        probes=(listed.probe,),
    )


def _is_for_the_address(evidence: Evidence, tried: Places) -> bool:
    """
    Tell whether redirects differ by path in a way that the row of the address tells: the list was
    not found where one leads, or one leads to the same path at another address.
    """
    differing = redirects.differing_redirects(evidence)
    addresses = [redirects.named_address(evidence.settings, probe) for probe in differing]
    return bool(differing) and (tried.listed is None or any(addresses))


def _to_other_host(redirected: Probe) -> str:
    """Tell where a redirect to another host leads; empty for one to the same host."""
    named = urlsplit(redirected.location)
    if named.netloc == urlsplit(redirected.request.url).netloc:
        return ""
    return f" to {redact_url(redirected.location)}"


def _redirected_upload(evidence: Evidence, tried: Places, redirected: Probe) -> Finding:
    """Tell what holds if a read of the path that uploads go to is redirected."""
    renamed = redirects.renamed(redirected)
    if renamed is not None and not renamed.is_encoding:
        return Finding(
            topic=Topic.UPLOAD,
            certainty=Certainty.NOT_SHOWN,
            text=(
                f"A read of {redirected.path}, which uploads go to, is redirected to the same path "
                f"with {shown(renamed.value, quoted=False)} ({redirected.status}): settle the name "
                "of the list first."
            ),
            probes=(redirected,),
        )
    added = redirected.added_parameters
    if added:
        return Finding(
            topic=Topic.UPLOAD,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"A read of {redirected.path} is redirected to the same path with "
                f"{names_in_words(added)} in its query ({redirected.status}). Uploads go to that "
                "path, too, and have no query, and no setting adds one: ask whoever runs it, or "
                "the service's support, to take uploads without."
            ),
            probes=(redirected,),
        )
    address = redirects.named_address(evidence.settings, redirected)
    if address and not redirects.has_segments_in_place(evidence):
        text = (
            f"A read of {redirected.path} is redirected to the same path below "
            f"{redact_url(address)} ({redirected.status}, Location "
            f"{redact_url(redirected.location)}). If uploads are, too, put that into the Address, "
            "and take it out of paths."
        )
        return Finding(
            topic=Topic.UPLOAD,
            certainty=Certainty.NOT_PROVED,
            text=text,
            probes=(redirected,),
        )
    nowhere = evidence.nowhere[:1]
    is_general = any(probe.kind is Kind.ELSEWHERE for probe in nowhere)
    # Else a web server may redirect reads only, such as to a path with a slash.
    if is_general and redirected.message:
        text = (
            f"{sayings.says(redirected)}. Any path of that kind is redirected, and uploads go to "
            "one, which no setting changes: ask the service's support to take uploads there, or "
            f"for a newer provider.{_what_paths_repair(evidence, tried)}"
        )
        return Finding(
            topic=Topic.UPLOAD,
            certainty=Certainty.WRONG,
            text=text,
            probes=(redirected, *nowhere),
        )
    return Finding(
        topic=Topic.UPLOAD,
        certainty=Certainty.NOT_PROVED,
        text=(
            f"A read of {redirected.path} is redirected ({redirected.status}"
            f"{_to_other_host(redirected)}){sayings.words_of(redirected)}. Uploads go to that "
            f"path, too, and no setting changes it: {advice.UPLOAD_PROVES_IT}"
        ),
        probes=(redirected,),
    )
