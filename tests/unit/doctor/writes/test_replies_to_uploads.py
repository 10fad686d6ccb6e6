"""
What is said of an upload by its reply. It is *sure* if the reply has a coupon file that did not
fail: also with a reason beside SUCCESS, or beside a status that the connection calls a success; key
and workspace header are accepted then, too.

It is wrong if the list has two new files of its name, if the file failed at once (FAILED, or a word
such as NOT_STARTED with a failure_reason), if an error stands beside the file, if the reply has no
identifier where the provider reads it and the list does not show the file, or if a firewall's page
came. It then says what the reply names, without secrets, and to look for the file before another
upload. It is *Not proved* if the reply speaks of a dry run, or has a file that the list had before,
even if there is a new one.

If the list has the file while the reply has another identifier (also in another case of letters),
none, an error, a 504, or did not come, it was accepted, and is *Not proved*: it is not to be
uploaded again.
"""

from __future__ import annotations

import pytest

from support.doctor_changes import (
    ACCEPTED_FOR_UPLOAD,
    FIREWALL_PAGE,
    IN_LIST,
    IN_LIST_OTHERWISE,
    LOST,
    Case,
    check_reply,
    reply,
)
from support.doctor_findings import ids
from support.doctor_replies import reply as read_reply
from wes_provider.coupon_files import Statuses
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.writes.upload import LookedUp

ACCEPTED = [
    Case(
        "the status PENDING",
        Topic.UPLOAD,
        reply(201, {"_id": "f1", "status": "PENDING"}),
        Certainty.SURE,
        "Accepted as coupon file f1.",
        besides=ACCEPTED_FOR_UPLOAD,
    ),
    Case(
        "the status PENDING, and the list has one file of its name",
        Topic.UPLOAD,
        reply(201, {"_id": "f1", "status": "PENDING"}),
        Certainty.SURE,
        "Accepted as coupon file f1.",
        besides=ACCEPTED_FOR_UPLOAD,
        made=[IN_LIST],
    ),
    Case(
        "the status NOT_STARTED, without a reason",
        Topic.UPLOAD,
        reply(201, {"_id": "f1", "status": "NOT_STARTED"}),
        Certainty.SURE,
        "Accepted as coupon file f1.",
        besides=ACCEPTED_FOR_UPLOAD,
    ),
    Case(
        "a word of failure that the connection calls a success, with a reason",
        Topic.UPLOAD,
        reply(201, {"_id": "f1", "status": "PARTLY_FAILED", "failure_reason": "two bad rows"}),
        Certainty.SURE,
        "Accepted as coupon file f1.",
        besides=ACCEPTED_FOR_UPLOAD,
        connection={"statuses": Statuses.of({"success": ["PARTLY_FAILED"]})},
    ),
    Case(
        "the status SUCCESS, with a reason",
        Topic.UPLOAD,
        reply(201, {"_id": "f1", "status": "SUCCESS", "error": "none"}),
        Certainty.SURE,
        "Accepted as coupon file f1.",
        besides=ACCEPTED_FOR_UPLOAD,
    ),
]


@pytest.mark.parametrize("row", ACCEPTED, ids=ids(ACCEPTED))
def test_an_upload_is_accepted_whose_reply_has_a_file_that_did_not_fail(row: Case):
    check_reply(row)


DOUBTED = [
    Case(
        "the list has two new files of its name",
        Topic.UPLOAD,
        reply(201, {"_id": "f1", "status": "PENDING"}),
        Certainty.WRONG,
        "One request made 2 files of its name: up and f7. Something on the way, or the service "
        "itself, carries out a request twice, so one coupon may go to two customers, and no "
        "setting prevents that. Upload nothing before whoever runs it has ended that; tell the "
        "service's support both identifiers.",
        made=[IN_LIST, IN_LIST_OTHERWISE],
    ),
    Case(
        "the reply speaks of a dry run",
        Topic.UPLOAD,
        reply(201, {"_id": "f1", "status": "PENDING", "dry_run": True}),
        Certainty.NOT_PROVED,
        "Accepted as coupon file f1, but the reply speaks of a rehearsal (dry_run is 'True'): its "
        "coupons may not be in the list, whatever its counts are. Look in the service's dashboard "
        "whether they are, and ask the service's support to have uploads imported.",
    ),
    Case(
        "the list had the file before",
        Topic.UPLOAD,
        reply(201, {"_id": "f0", "status": "PENDING"}),
        Certainty.NOT_PROVED,
        "The response has coupon file f0, which the list had before, so nothing was "
        "uploaded: the service seems to take the same URL or content once. Tasks that upload "
        "it again add nothing. To see an upload, run this again with a URL that the service "
        "has not seen.",
        known=["f0"],
    ),
    Case(
        "the list had the file before, and has a new one of its name",
        Topic.UPLOAD,
        reply(201, {"_id": "f0", "status": "PENDING"}),
        Certainty.NOT_PROVED,
        "The response has coupon file f0, which the list had before, so nothing was "
        "uploaded: the service seems to take the same URL or content once. Tasks that upload "
        "it again add nothing. To see an upload, run this again with a URL that the service "
        "has not seen.",
        known=["f0"],
        made=[IN_LIST],
    ),
]


@pytest.mark.parametrize("row", DOUBTED, ids=ids(DOUBTED))
def test_an_upload_with_a_file_in_its_reply_may_have_added_nothing_or_twice(row: Case):
    check_reply(row)


FAILED_AT_ONCE = [
    Case(
        "FAILED, without a reason",
        Topic.UPLOAD,
        reply(201, {"_id": "f1", "status": "FAILED"}),
        Certainty.WRONG,
        "The response has coupon file f1 with the status FAILED at once: the service took "
        "the request, and not the file. Do what it says, or ask its support, before you "
        "upload again.",
    ),
    Case(
        "FAILED, with a failure_reason",
        Topic.UPLOAD,
        reply(201, {"_id": "f1", "status": "FAILED", "failure_reason": "no header"}),
        Certainty.WRONG,
        "The response has coupon file f1 with the status FAILED at once ('failure_reason: no "
        "header'): the service took the request, and not the file. Do what it says, or ask "
        "its support, before you upload again.",
    ),
    Case(
        "NOT_STARTED, with a failure_reason",
        Topic.UPLOAD,
        reply(201, {"_id": "f1", "status": "NOT_STARTED", "failure_reason": "none yet"}),
        Certainty.WRONG,
        "The response has coupon file f1 with the status NOT_STARTED at once "
        "('failure_reason: none yet'): the service took the request, and not the file. Do "
        "what it says, or ask its support, before you upload again.",
    ),
]


@pytest.mark.parametrize("row", FAILED_AT_ONCE, ids=ids(FAILED_AT_ONCE))
def test_an_upload_is_wrong_whose_file_has_failed_at_once(row: Case):
    """By a status that the provider knows, or by a word such as NOT_STARTED with a reason."""
    check_reply(row)


SAYS_THAT_IT_FAILED = [
    Case(
        "FAILED",
        Topic.UPLOAD,
        reply(201, {"_id": "f1", "status": "FAILED", "error": "no header"}),
        Certainty.WRONG,
        "The response has coupon file f1 with the status FAILED, and says that it failed "
        "('no header'): a task does not take it for accepted, and looks for it in the list. "
        "Do what it says, or ask the service's support, before you upload again.",
    ),
    Case(
        "NOT_TAKEN",
        Topic.UPLOAD,
        reply(201, {"_id": "f1", "status": "NOT_TAKEN", "error": "no header"}),
        Certainty.WRONG,
        "The response has coupon file f1 with the status NOT_TAKEN, and says that it failed "
        "('no header'): a task does not take it for accepted, and looks for it in the list. "
        "Do what it says, or ask the service's support, before you upload again.",
    ),
    Case(
        "no status",
        Topic.UPLOAD,
        reply(201, {"_id": "f1", "error": "no header"}),
        Certainty.WRONG,
        "The response has coupon file f1 with the status none, and says that it failed ('no "
        "header'): a task does not take it for accepted, and looks for it in the list. Do "
        "what it says, or ask the service's support, before you upload again.",
    ),
    Case(
        "FAILED, below data, and the list does not have it",
        Topic.UPLOAD,
        reply(201, {"data": {"_id": "f1", "status": "FAILED", "error": "no header"}}),
        Certainty.WRONG,
        "The response has coupon file f1 with the status FAILED, and says that it failed "
        "('no header'): a task does not take it for accepted, and looks for it in the list. "
        "Do what it says, or ask the service's support, before you upload again. The list "
        "did not show it in 4 s.",
        looked_up=LookedUp(4.0),
    ),
    Case(
        "FAILED, below data, and the list was not read",
        Topic.UPLOAD,
        reply(201, {"data": {"_id": "f1", "status": "FAILED", "error": "no header"}}),
        Certainty.WRONG,
        "The response has coupon file f1 with the status FAILED, and says that it failed "
        "('no header'): a task does not take it for accepted, and looks for it in the list. "
        "Do what it says, or ask the service's support, before you upload again. No list was read "
        "in 4 s (503), so nothing shows whether it is there.",
        looked_up=LookedUp(4.0, unanswered=read_reply(503)),
    ),
]


@pytest.mark.parametrize("row", SAYS_THAT_IT_FAILED, ids=ids(SAYS_THAT_IT_FAILED))
def test_an_upload_is_wrong_whose_reply_has_an_error_beside_its_file(row: Case):
    """A task takes no such reply for a success."""
    check_reply(row)


FOUND_IN_LIST = [
    Case(
        "another identifier in the reply",
        Topic.UPLOAD,
        reply(201, {"_id": "job-7", "status": "PENDING"}),
        Certainty.NOT_PROVED,
        "The response has the identifier job-7, but the list has the file as up, so that is "
        "not the file's: it may be of a job. Do not upload it again; ask the service's "
        "support for responses with the file's identifier.",
        besides=ACCEPTED_FOR_UPLOAD,
        looked_up=LookedUp(4.0, file=IN_LIST),
    ),
    Case(
        "an identifier that differs in upper and lower case",
        Topic.UPLOAD,
        reply(201, {"_id": "UP", "status": "PENDING"}),
        Certainty.NOT_PROVED,
        "The response has the identifier UP, and the list has the file as up: they differ in upper "
        "and lower case only. Tasks compare identifiers exactly, so a task would wait for that "
        "file in vain. Do not upload it again; ask the service's support for the same identifier "
        "in all replies.",
        besides=ACCEPTED_FOR_UPLOAD,
        looked_up=LookedUp(4.0, file=IN_LIST),
    ),
    Case(
        "no identifier in the reply",
        Topic.UPLOAD,
        reply(202, {"job_id": "j1"}),
        Certainty.NOT_PROVED,
        "Accepted with 202 and no identifier; the list had it after 4 s, so tasks find it "
        "there: ask the service's support whether that stays.",
        besides=ACCEPTED_FOR_UPLOAD,
        looked_up=LookedUp(4.0, file=IN_LIST),
    ),
    Case(
        "an identifier below another property",
        Topic.UPLOAD,
        reply(201, {"result": {"_id": "f1", "status": "PENDING"}}),
        Certainty.NOT_PROVED,
        "Accepted with 201 and no identifier where the provider reads it (it is under "
        "result); the list had it after 4 s, so tasks find it there: ask the service's "
        "support whether that stays.",
        besides=ACCEPTED_FOR_UPLOAD,
        looked_up=LookedUp(4.0, file=IN_LIST),
    ),
    Case(
        "an error beside the identifier",
        Topic.UPLOAD,
        reply(201, {"_id": "f1", "status": "FAILED", "error": "no header"}),
        Certainty.NOT_PROVED,
        "Accepted with 201 and an error beside its identifier; the list had it after 4 s, so "
        "tasks find it there: ask the service's support whether that stays.",
        besides=ACCEPTED_FOR_UPLOAD,
        looked_up=LookedUp(4.0, file=IN_LIST),
    ),
    Case(
        "a page with 504",
        Topic.UPLOAD,
        reply(504, b"<html>x</html>", content_type="text/html"),
        Certainty.NOT_PROVED,
        "The reply was 504, but the list had it after 4 s, so it was accepted, and tasks "
        "find it there: ask the service's support why it does not say so.",
        besides=ACCEPTED_FOR_UPLOAD,
        looked_up=LookedUp(4.0, file=IN_LIST),
    ),
    Case(
        "no response",
        Topic.UPLOAD,
        LOST,
        Certainty.NOT_PROVED,
        "No usable response came, but the list had it after 4 s, so it was accepted, and "
        "tasks find it there: ask the service's support why it does not say so.",
        besides=ACCEPTED_FOR_UPLOAD,
        looked_up=LookedUp(4.0, file=IN_LIST),
    ),
]


@pytest.mark.parametrize("row", FOUND_IN_LIST, ids=ids(FOUND_IN_LIST))
def test_an_upload_is_accepted_but_not_proved_if_only_the_list_has_its_file(row: Case):
    check_reply(row)


WITHOUT_IDENTIFIER = [
    Case(
        "an operation_id and a Location",
        Topic.UPLOAD,
        reply(
            202, {"operation_id": "op-1"}, location="https://api.example.com/v1/op/1?sig=hunter2"
        ),
        Certainty.WRONG,
        'The response lacks the coupon file\'s _id: \'{"operation_id": "op-1"}\'. It has the '
        "status 202 and names operation_id op-1 and the Location "
        "https://api.example.com/v1/op/1. The list did not show it in 4 s. Look for "
        "Wes-Doctor-1.csv among the list's files in the service's console; upload nothing "
        "again before that.",
        looked_up=LookedUp(4.0),
    ),
    Case(
        "a ticket",
        Topic.UPLOAD,
        reply(202, {"ticket": 7, "note": "in two words of task"}),
        Certainty.WRONG,
        'The response lacks the coupon file\'s _id: \'{"ticket": 7, "note": "in two words of '
        "task\"}'. It has the status 202 and names ticket 7. The list did not show it in 4 "
        "s. Look for Wes-Doctor-1.csv among the list's files in the service's console; "
        "upload nothing again before that.",
        looked_up=LookedUp(4.0),
    ),
    Case(
        "the list has a file with its URL and another name",
        Topic.UPLOAD,
        reply(202, {"ok": 1}),
        Certainty.WRONG,
        "The response lacks the coupon file's _id: '{\"ok\": 1}'. It has the status 202. "
        "The list has coupon file f7 with its URL, but with another name ('other.csv'), so "
        "tasks ask a person. See in the service's console whether this file is the upload; "
        "upload nothing again before that.",
        looked_up=LookedUp(4.0, renamed=IN_LIST_OTHERWISE),
    ),
    Case(
        "no body, and the list was not read",
        Topic.UPLOAD,
        reply(204),
        Certainty.WRONG,
        "The response lacks the coupon file's _id. It has the status 204. Look for "
        "Wes-Doctor-1.csv among the list's files in the service's console; upload nothing "
        "again before that.",
    ),
    Case(
        "an identifier below another property",
        Topic.UPLOAD,
        reply(201, {"result": {"_id": "f1", "status": "PENDING"}}),
        Certainty.WRONG,
        "The response lacks the coupon file's _id where the provider reads it: it is under "
        "result. It has the status 201. The list did not show it in 4 s. Look for "
        "Wes-Doctor-1.csv among the list's files in the service's console; upload nothing "
        "again before that.",
        looked_up=LookedUp(4.0),
    ),
    Case(
        "an identifier that is a number",
        Topic.UPLOAD,
        reply(201, {"_id": 7, "status": "PENDING"}),
        Certainty.WRONG,
        "The response lacks the coupon file's _id where the provider reads it: it is 7, "
        "which is no string. It has the status 201. The list did not show it in 4 s. Look "
        "for Wes-Doctor-1.csv among the list's files in the service's console; upload "
        "nothing again before that.",
        looked_up=LookedUp(4.0),
    ),
]


@pytest.mark.parametrize("row", WITHOUT_IDENTIFIER, ids=ids(WITHOUT_IDENTIFIER))
def test_an_upload_is_wrong_whose_reply_has_no_identifier_and_whose_file_is_not_found(row: Case):
    """What the reply names, and what the list has instead, is said."""
    check_reply(row)


FIREWALLS = [
    Case(
        "a page that names a support ID",
        Topic.UPLOAD,
        reply(200, FIREWALL_PAGE, content_type="text/html"),
        Certainty.WRONG,
        "A firewall's page came with 200: 'Request Rejected', so the service may not have got it. "
        "Reads pass, so a rule may be about POST or about what its body has, such as a URL: "
        "change no key, and have whoever runs it let these requests through. Hand over what it "
        "names: support ID 8231764490125533120. Look for Wes-Doctor-1.csv among the list's files "
        "in the service's console; upload nothing again before that.",
    ),
]


@pytest.mark.parametrize("row", FIREWALLS, ids=ids(FIREWALLS))
def test_a_firewalls_page_with_200_accepts_no_upload(row: Case):
    check_reply(row)
