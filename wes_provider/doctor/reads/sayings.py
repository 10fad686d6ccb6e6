"""What a reply says in its own words, and what to do about it. Pure."""

from __future__ import annotations

import re
from typing import Final

from wes_provider import contract
from wes_provider.doctor.reads.sending import until
from wes_provider.doctor.replies import remedies
from wes_provider.doctor.replies import words as wording
from wes_provider.doctor.replies.amounts import too_few
from wes_provider.doctor.replies.hosts import second_connection
from wes_provider.doctor.replies.probes import Form, Kind, Probe
from wes_provider.doctor.replies.subjects import READS, Subject, do_without, in_words
from wes_provider.texts import shown

__all__ = [
    "ABOUT_UPLOADS",
    "SAYS",
    "advice_by_words",
    "advice_of",
    "advice_of_scheme",
    "advice_of_task_field",
    "hand_over",
    "says",
    "words_of",
]
SAYS: Final = 200  # characters of the service's own words
REQUESTS: Final = {"PATCH": "updates", "GET": READS}  # as people call them
CHANGES: Final = {
    "uploads": contract.UPLOAD_PATH,
    "new catalogs": contract.CATALOG_PATH,
    "updates of segments": contract.SEGMENT_PATH,
}
ABOUT_UPLOADS: Final = (Subject.FILE, Subject.LIST)
VERSION: Final = re.compile(r"/(v\d+)/")
# Members of the bodies of changes.
TASKS_SEND: Final = frozenset(
    (*contract.UPLOAD_FIELDS, *contract.CATALOG_FIELDS, *contract.SEGMENT_FIELDS)
)


def words_of(probe: Probe) -> str:
    """Return the service's own words, in quotes, as the end of a sentence; empty without any."""
    if not probe.message:
        return ""
    return f": {wording.quoted(probe.message, SAYS)}"


def advice_of(probe: Probe, support: str = "ask the service's support.") -> str:
    """
    Tell what to do about a reply by its own words, as sentences.

    :param support: whom to ask if they do not say it, as a sentence.
    """
    by_words = advice_by_words(probe)
    if by_words:
        return by_words
    if remedies.asks_for_something(probe.message):
        return f"Do what it says, or {support}"
    return f"{support[:1].upper()}{support[1:]}"


def advice_by_words(probe: Probe) -> str:
    """
    Tell what to do about a reply whose words or headers say what it is about, as sentences; empty
    if they do not.
    """
    words = in_words(probe.code, probe.message)
    if probe.subject is not None and probe.is_about(*ABOUT_UPLOADS):
        # A host, a firewall or a limit that its words name is not the service's.
        return probe.subject.what_to_do(words, "")
    without_words = _advice_without_words(probe) or _advice_of_page(probe)
    if without_words:
        return without_words
    if probe.is_about(Subject.NEGOTIATION):
        return do_without(words, REQUESTS.get(probe.request.method, "requests"))
    if probe.subject is not None:
        remedy = probe.subject.what_to_do(words, until(probe))
        if remedy:
            return f"{remedy}{_changes_of_version(probe)}"
    other_request = _other_request(probe) or _other_list(probe)
    if other_request:
        return other_request
    if remedies.lasts_until(probe.message):
        return "Wait until then, and run this again."
    return ""


def _changes_of_version(probe: Probe) -> str:
    """
    Tell which changes that tasks make go to the version that a reply is about, as a sentence with a
    space before it; empty if the reply is about no version, or all of them go to it.
    """
    if not probe.is_about(Subject.VERSION):
        return ""
    version = _version_of(probe.path)
    concerned = [what for what, path in CHANGES.items() if _version_of(path) == version]
    others = [what for what in CHANGES if what not in concerned]
    if not concerned or not others:
        return ""
    elsewhere = f"{' and '.join(others)} go to another version"
    return f" That concerns {' and '.join(concerned)}; {elsewhere}."


def _version_of(path: str) -> str:
    """Return the version that a path begins with, such as ``v3``; empty without one."""
    found = VERSION.match(path)
    if found is None:
        return ""
    return found[1]


def _advice_without_words(probe: Probe) -> str:
    """Tell what to do about a reply that shows by itself what it is about; empty for others."""
    blocking = wording.blocked_by(probe.response.headers)
    if blocking:
        return (
            "Whoever that link is of has it blocked, whatever the key is: change no setting, but "
            "ask them, or the service's support."
        )
    elsewhere = second_connection(probe)
    if elsewhere:
        return elsewhere
    if probe.is_limit:
        return too_few(probe)
    if not _is_firewall(probe):
        return ""
    let = remedies.LET_THROUGH
    if probe.request.method != "GET":
        let = remedies.LET_WRITES.format(method=probe.request.method)
    return f"A firewall may keep these requests out. {let[:1].upper()}{let[1:]}{hand_over(probe)}"


def _is_firewall(probe: Probe) -> bool:
    """Tell whether a firewall replied: by its words, or as that of AWS does to a change."""
    if remedies.is_firewall(probe.message):
        return True
    error_type = probe.response.headers.get("x-amzn-errortype", "")
    is_bare = remedies.is_bare_refusal(f"{probe.code} {probe.message}")
    return probe.request.method != "GET" and "ForbiddenException" in error_type and is_bare


def _advice_of_page(probe: Probe) -> str:
    """
    Tell what to do about a web page that refuses a change, whatever its title calls that; empty for
    others.
    """
    method = probe.request.method
    is_refusal = probe.error_status in (403, 405, 406, 501)
    if method == "GET" or probe.form is not Form.PAGE or not is_refusal:
        return ""
    return (
        f"What replied sent a web page, so it may be before the service: ask whoever runs it to "
        f"let {method} through. No key was judged by it, and no setting changes it."
    )


# Headers by which support looks a request up.
FOR_SUPPORT: Final = ("cf-ray", "x-amzn-requestid", "x-request-id", "x-correlation-id")


def hand_over(probe: Probe) -> str:
    """
    Tell what of a reply support looks a request up by, as a sentence with a space before it; empty
    without any.
    """
    named = remedies.references_in(probe.clean(wording.text_of(probe.text)))
    headers = probe.response.headers
    for name in FOR_SUPPORT:
        value = probe.clean(headers.get(name, ""))
        # A page that names one has the same in its text.
        if value and not named:
            named = f"{name} {shown(value, quoted=False)}"
    if not named:
        return ""
    return f" Hand over what it names: {named}."


def _other_list(probe: Probe) -> str:
    """
    Tell what to do about a refusal that says which form the identifier of a list has to have, as a
    sentence; empty if it does not.
    """
    if probe.request.operation is not contract.LIST_COUPON_FILES:
        return ""
    if not remedies.names_list(probe.message) or not remedies.wanted_form(probe.message):
        return ""
    return (
        "Name the list with --coupon-list by its identifier in that form; the service's dashboard "
        "has it."
    )


def _other_request(probe: Probe) -> str:
    """
    Tell what to do about a refused change that wants another method or a member of the body that
    the provider does not send, as sentences; empty if it does not.
    """
    method = probe.request.method
    if method == "GET":
        return ""
    other = remedies.other_method(probe.message, method)
    if other or probe.error_status == 405:
        return (
            f"The provider sends {method} to this path, and no setting changes either: ask the "
            "service's support to take that."
        )
    of_tasks = advice_of_task_field(probe)
    if of_tasks:
        return of_tasks
    member = remedies.missing_member(probe.message)
    if member:
        return (
            f"The provider does not send {member}, and no setting adds it: ask the service's "
            "support to accept requests without it."
        )
    return ""


def advice_of_task_field(probe: Probe) -> str:
    """
    Tell what to do about a refused change that lacks a field which tasks send and the doctor does
    not, as a sentence; empty for any other reply.
    """
    member = remedies.missing_member(probe.message)
    if member not in TASKS_SEND:
        return ""
    return f"The doctor does not send {member}, but your tasks can: give it there."


def advice_of_scheme(probe: Probe) -> str:
    """
    Tell what to do if a reply wants its reader to authenticate otherwise than by Basic credentials,
    as sentences; empty if it does not.
    """
    scheme = wording.other_scheme(probe.response.headers)
    if not scheme:
        return ""
    request = "to take Basic"
    if " in the header " in scheme:
        request = "to let your tasks through without that header"
    return (
        f"What replied demands {scheme} (its WWW-Authenticate says so), and the provider sends "
        "Basic credentials only: a gateway may be before the service, and the keys may be right, "
        f"so change none. Ask whoever runs it {request}, or for another address."
    )


def says(probe: Probe) -> str:
    """Tell what the service replied, with its own words, as the beginning of a sentence."""
    sent = f"{probe.request.method} {probe.path}"
    if probe.kind is Kind.NOT_SERVICE:
        came = f"{probe.status}, which is not the service's,"
        return f"What replied sent {came} to {sent}{words_of(probe)}"
    return f"The service replies {probe.answer} to {sent}{words_of(probe)}"
