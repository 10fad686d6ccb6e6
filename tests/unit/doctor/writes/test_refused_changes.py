"""
A change that gets a 429 is *not proved*: nothing was done, and it is to be tried again, at the time
of its headers if they have one. A change is *not proved*, too, if its refusal is about what the
doctor was given, or did not give: a segment that does not exist, a catalog that does, a list that
the words of an upload's refusal call missing, the URL of its file, a file that the service has (a
409), or a field that tasks send and the doctor does not. It says which, and the key is then not what was refused. A change that gets any
other 4xx is *wrong*, and so is a 501, of a method that something does not take. A 408 and a 499 leave
it open whether it was done, so an uploaded file is to be looked for. Any other shows that nothing
was done if it has a code in the service's form, or words about a known subject such as a plan;
without these, as of a firewall, nothing shows it. Its words decide what to do.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_changes import (
    FIREWALL_PAGE,
    OPTIONS,
    SETTINGS,
    WRITES,
    Case,
    check_reply,
    probe_of,
    reply,
)
from support.doctor_findings import ids
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.writes.write import conclude_from_write

NOT_FOR_THE_KEY = "It was not what was refused for an upload: one that is accepted shows it."
OF_UPLOAD = [(Topic.CAMPAIGN_KEY, Certainty.NOT_SHOWN, NOT_FOR_THE_KEY)]
OF_UPDATE = [
    (Topic.DATA_KEY, Certainty.NOT_SHOWN, NOT_FOR_THE_KEY.replace("an upload", "an update"))
]
LIMITS = [
    Case(
        "with a time",
        Topic.UPLOAD,
        reply(429, {"error": {"code": "rate-limited", "message": "Slow down."}}, retry_after="30"),
        Certainty.NOT_PROVED,
        "The service's rate limit refused it: 'Slow down', so nothing was done: try again "
        "later. Wait until 08:00:30 UTC, as its headers say, or ask the service's support "
        "for more: it is about no key.",
    ),
    Case(
        "without a time",
        Topic.UPLOAD,
        reply(429, b""),
        Certainty.NOT_PROVED,
        "The service's rate limit refused it, so nothing was done: try again later.",
    ),
]


@pytest.mark.parametrize("row", LIMITS, ids=ids(LIMITS))
def test_a_change_that_a_rate_limit_refused_is_to_be_tried_again_later(row: Case):
    check_reply(row)


REFUSALS = [
    Case(
        "an upload, and a code",
        Topic.UPLOAD,
        reply(400, {"error": {"code": "bad-name", "message": "The name is taken."}}),
        Certainty.WRONG,
        "The service replies 400 bad-name to POST /v1/coupon-list/spring/files: 'The name is "
        "taken'. Nothing was done. Ask the service's support.",
    ),
    Case(
        "an upload, and no code",
        Topic.UPLOAD,
        reply(400, {"message": "No."}),
        Certainty.WRONG,
        "The service or a gateway replies 400 to POST /v1/coupon-list/spring/files: 'No'. "
        "Nothing shows that it was done. Ask the service's support.",
    ),
    Case(
        "an upload, and no code, but words about a plan",
        Topic.UPLOAD,
        reply(402, {"message": "Your plan has no uploads."}),
        Certainty.WRONG,
        "The service or a gateway replies 402 to POST /v1/coupon-list/spring/files: 'Your "
        "plan has no uploads'. Nothing was done. Ask the service's support for a plan that "
        "has it.",
    ),
    Case(
        "an upload, and words about created_by",
        Topic.UPLOAD,
        reply(
            400, {"error": {"code": "bad", "message": "created_by has to be an e-mail address."}}
        ),
        Certainty.NOT_PROVED,
        "The service replies 400 bad to POST /v1/coupon-list/spring/files: 'created_by has "
        "to be an e-mail address'. Nothing was done. The doctor does not send created_by, "
        "but your tasks can: give it there.",
        besides=[
            (
                Topic.CAMPAIGN_KEY,
                Certainty.NOT_SHOWN,
                "It was not what was refused for an upload: one that is accepted shows it.",
            )
        ],
    ),
    Case(
        "an upload, and 499 without a body",
        Topic.UPLOAD,
        reply(499, b""),
        Certainty.WRONG,
        "The service or a gateway replies 499 to POST /v1/coupon-list/spring/files; the "
        "service may have done it or not. Look for Wes-Doctor-1.csv among the list's files "
        "in the service's console; upload nothing again before that.",
    ),
    Case(
        "an upload, and 408 with words",
        Topic.UPLOAD,
        reply(408, {"message": "Request timeout."}),
        Certainty.WRONG,
        "The service or a gateway replies 408 to POST /v1/coupon-list/spring/files: 'Request "
        "timeout'; the service may have done it or not. Look for Wes-Doctor-1.csv among the "
        "list's files in the service's console; upload nothing again before that.",
    ),
    Case(
        "an update, and 501 with a page",
        Topic.SEGMENT,
        reply(501, b"<html><title>Unsupported Request</title></html>", content_type="text/html"),
        Certainty.WRONG,
        "The service or a gateway replies 501 to PATCH /v3/custom-segments/vip: 'Unsupported "
        "Request', so nothing was done in all likelihood. What replied sent a web page, so it may "
        "be before the service: ask whoever runs it to let PATCH through. No key was judged by it, "
        "and no setting changes it.",
    ),
    Case(
        "an update, and 501 in JSON",
        Topic.SEGMENT,
        reply(501, {"message": "Not implemented."}),
        Certainty.WRONG,
        "The service or a gateway replies 501 to PATCH /v3/custom-segments/vip: 'Not "
        "implemented', so nothing was done in all likelihood. It says that it does not take PATCH, "
        "which tasks send to this path: ask the service's support, or whoever runs a gateway "
        "before it, to take that.",
    ),
    Case(
        "an upload, and 409 in another language",
        Topic.UPLOAD,
        reply(409, {"erro": {"codigo": "duplicado", "mensagem": "Este arquivo já existe."}}),
        Certainty.NOT_PROVED,
        "The service or a gateway replies 409 duplicado to POST /v1/coupon-list/spring/files: "
        "'Este arquivo já existe'. Nothing was done. A 409 is a conflict with what the service "
        "has, so it may have this file, or one of this name or content, already: run this again "
        "with another file.",
        besides=OF_UPLOAD,
    ),
    Case(
        "an update, and 403 about a scope",
        Topic.SEGMENT,
        reply(
            403,
            {"error": {"code": "forbidden", "message": "The key lacks the scope segments.write."}},
        ),
        Certainty.WRONG,
        "The service replies 403 forbidden to PATCH /v3/custom-segments/vip: 'The key lacks "
        "the scope segments.write'. Nothing was done. Ask an administrator of the account "
        "for a key with what it lacks.",
    ),
    Case(
        "an upload, and 403 about this machine",
        Topic.UPLOAD,
        reply(403, {"error": {"code": "ip", "message": "Your IP is not on the allow-list."}}),
        Certainty.WRONG,
        "The service replies 403 ip to POST /v1/coupon-list/spring/files: 'Your IP is not on the "
        "allow-list'. Nothing was done. This machine's address may not use it: change no key, but have the addresses of your workers and triggerers put on the allow-list, and run this from there.",
    ),
    Case(
        "a catalog, and 409 about a plan",
        Topic.CATALOG,
        reply(409, {"error": {"code": "x", "message": "Your plan has no catalogs."}}),
        Certainty.WRONG,
        "The service replies 409 x to POST /v1/catalog: 'Your plan has no catalogs'. Nothing was "
        "done. Ask the service's support for a plan that has it.",
    ),
    Case(
        "a catalog, and a firewall's page with 403",
        Topic.CATALOG,
        reply(403, FIREWALL_PAGE, content_type="text/html"),
        Certainty.WRONG,
        "The service or a gateway replies 403 to POST /v1/catalog: 'Request Rejected'. Nothing "
        "shows that it was done. A firewall may keep these requests out. Reads pass, so a rule may "
        "be about POST or about what its body has, such as a URL: change no key, and have whoever "
        "runs it let these requests through. Hand over what it names: support ID "
        "8231764490125533120.",
    ),
]


class Refused(NamedTuple):
    """A change that is refused for what the doctor was given, and the advice."""

    name: str
    topic: Topic
    status: int
    code: str
    message: str
    advice: str
    besides: list[tuple[Topic, Certainty, str]] = OF_UPLOAD


CHECK_LIST = "Check the list's identifier in the service's dashboard, and name it otherwise."
OTHER_LIST = (
    "It is about this list, and no setting: name another one in --coupon-list, and in your tasks."
)
SEE_URL = (
    "It is about the file's URL, and no setting: see whether it can be read without a login from "
    "where the service asks, and run this again with one that can."
)
FOR_WHAT_WAS_GIVEN = [
    Refused(
        "a segment that does not exist",
        Topic.SEGMENT,
        404,
        "no-segment",
        "Segment vip does not exist",
        "Check the segment's identifier in the service's dashboard.",
        OF_UPDATE,
    ),
    Refused(
        "a catalog that exists",
        Topic.CATALOG,
        409,
        "exists",
        "shop exists",
        "Give another name with --catalog.",
    ),
    Refused(
        "a list that does not exist",
        Topic.UPLOAD,
        404,
        "coupon-list-not-found",
        "Coupon list 'spring' does not exist in this workspace",
        CHECK_LIST,
    ),
    Refused("a list, by its code", Topic.UPLOAD, 404, "coupon-list-not-found", "Wrong", CHECK_LIST),
    Refused(
        "a list by another name",
        Topic.UPLOAD,
        404,
        "no-list",
        "No list 'spring'. Did you mean 'Spring'?",
        "The list may be called Spring: name that in --coupon-list, and in your tasks, and run "
        "this again.",
    ),
    Refused(
        "one of two lists of that name",
        Topic.UPLOAD,
        409,
        "ambiguous-list",
        "Two lists have this name; candidates: uk.spring, de.spring",
        "It names uk.spring, de.spring: name the one that you mean in --coupon-list, and in your "
        "tasks, and run this again.",
    ),
    Refused("a list that is full", Topic.UPLOAD, 422, "full", "The list is full", OTHER_LIST),
    Refused("a list that is closed", Topic.UPLOAD, 409, "x", "The list is closed", OTHER_LIST),
    Refused(
        "a list that is closed for a time",
        Topic.UPLOAD,
        409,
        "x",
        "The list is closed until 18:00 UTC",
        "It is about this list, and no setting: wait until then, or name another one in "
        "--coupon-list, and in your tasks.",
    ),
    Refused(
        "a conflict that says what to do",
        Topic.UPLOAD,
        409,
        "name-taken",
        "This content is there. Please give another file",
        "A 409 is about what the service has or does, and no setting: do what it says.",
    ),
    Refused("no such list", Topic.UPLOAD, 422, "bad-list", "There is no such list", CHECK_LIST),
    Refused("a URL", Topic.UPLOAD, 400, "bad-file", "file_url is not https", SEE_URL),
    Refused(
        "a host of files that is not allowed",
        Topic.UPLOAD,
        403,
        "request-forbidden",
        "The host files.example.com is not on the allow-list of file sources",
        "It is about the file's URL, and no setting: have the service's support, or the "
        "workspace's administrator, allow its host as a source of files, or put the file on a host "
        "that is allowed, and run this again.",
    ),
    Refused(
        "a host of files that wants a login",
        Topic.UPLOAD,
        401,
        "file-fetch-unauthorized",
        "HTTP 401 from files.example.com",
        "It is about the file's URL, and no setting: its host wants a login. Give "
        "file_url_auth_username and file_url_auth_password in your tasks (the doctor sends "
        "neither), or run this again with a URL that can be read without a login.",
    ),
    Refused(
        "a host of files that leads elsewhere",
        Topic.UPLOAD,
        400,
        "bad",
        "Use https://cdn.example.com in place of files.example.com",
        "It is about the file's URL, and no setting: do what it says, and run this again with such "
        "a URL.",
    ),
    Refused(
        "a URL that was not read",
        Topic.UPLOAD,
        400,
        "bad",
        "The URL responded with 404",
        SEE_URL,
    ),
    Refused(
        "a URL that was asked with HEAD",
        Topic.UPLOAD,
        400,
        "bad",
        "file_url cannot be reached: HEAD returned 403",
        f"{SEE_URL} A URL that is signed for GET is refused for HEAD.",
    ),
    Refused(
        "a field that tasks send",
        Topic.SEGMENT,
        422,
        "invalid",
        "included_filters is required",
        "The doctor does not send included_filters, but your tasks can: give it there.",
        OF_UPDATE,
    ),
    Refused(
        "a field that tasks send, by its place",
        Topic.SEGMENT,
        422,
        "invalid",
        '[{"loc":["body","included_filters"],"msg":"field required"}]',
        "The doctor does not send included_filters, but your tasks can: give it there.",
        OF_UPDATE,
    ),
]


@pytest.mark.parametrize("row", FOR_WHAT_WAS_GIVEN, ids=ids(FOR_WHAT_WAS_GIVEN))
def test_a_change_that_is_refused_for_what_was_given_shows_no_setting_to_be_wrong(row: Refused):
    error = {"error": {"code": row.code, "message": row.message}}
    probe = probe_of(row.topic, reply(row.status, error))
    quoted = f"'{row.message}'"
    if "'" in row.message:
        quoted = f'"{row.message}"'
    check_reply(
        Case(
            row.name,
            row.topic,
            reply(row.status, error),
            Certainty.NOT_PROVED,
            f"The service replies {row.status} {row.code} to {probe.sent}: "
            f"{quoted}. Nothing was done. {row.advice}",
            besides=row.besides,
        )
    )


MISSING_FIELD = "The upload lacks what the provider never sends: field checksum is required"
OF_ANOTHER_KIND = [
    Refused("a list in another sense", Topic.UPLOAD, 400, "bad", "The list of names is odd", ""),
    Refused("a field of the provider's", Topic.UPLOAD, 400, "bad", MISSING_FIELD, ""),
    Refused("404 of an upload without a list", Topic.UPLOAD, 404, "x", "Nothing here", ""),
    Refused("a URL that took too long", Topic.UPLOAD, 408, "x", "file_url was not fetched yet", ""),
    Refused("a URL, and 500", Topic.UPLOAD, 500, "x", "file_url cannot be reached", ""),
    Refused("404 about a permission", Topic.SEGMENT, 404, "x", "Your permissions show none", ""),
]


@pytest.mark.parametrize("row", OF_ANOTHER_KIND, ids=ids(OF_ANOTHER_KIND))
def test_a_change_that_is_refused_for_something_else_is_wrong(row: Refused):
    came = reply(row.status, {"error": {"code": row.code, "message": f"{row.message}."}})
    probe = probe_of(row.topic, came)
    finding, *_ = conclude_from_write(WRITES[row.topic], probe, SETTINGS, OPTIONS)
    assert finding.certainty is Certainty.WRONG


@pytest.mark.parametrize("row", REFUSALS, ids=ids(REFUSALS))
def test_whether_a_4xx_shows_that_nothing_was_done_follows_from_its_code_or_its_words(row: Case):
    """A gateway's 4xx with neither shows nothing. The advice follows from the words."""
    check_reply(row)
