"""What follows from the reply to a change: each row of the tables, with its whole sentences."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from wes_provider.client.responses import Response
from wes_provider.doctor.findings import Certainty, Topic
from wes_provider.doctor.options import Options
from wes_provider.doctor.probes import Probe, Question
from wes_provider.doctor.upload import LookedUp
from wes_provider.doctor.writes import conclude_from_write, not_sent, writes_of
from wes_provider.exceptions import WesConfigurationError
from wes_provider.models import CouponFile
from wes_provider.settings import WesSettings

SETTINGS = WesSettings("https://api.example.com", "acme", "campaign-key", "data-key")
NAME = "Wes-Doctor-1.csv"
OPTIONS = Options(
    coupon_list_id="spring",
    file_url="https://files.example.com/a.csv?sig=hunter2",
    catalog="shop",
    segment_id="vip",
)
object.__setattr__(OPTIONS, "file_name", NAME)
WRITES = {write.topic: write for write in writes_of(OPTIONS)}
SENT_AT = 1_800_000_000.0  # 08:00:00 UTC
LISTED = CouponFile.from_record({"_id": "up", "status": "PENDING", "name": NAME})
RENAMED = CouponFile.from_record({"_id": "f7", "status": "PENDING", "name": "other.csv"})


class Said(NamedTuple):
    """The reply to a change; ``None`` if there was none."""

    response: Response | None
    unsent: bool = False


def reply(status: int, body: Any = b"", **headers: str) -> Said:
    """A reply, of JSON if nothing else is said."""
    if not isinstance(body, bytes):
        body = json.dumps(body).encode()
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    if body:
        named.setdefault("content-type", "application/json")
    return Said(Response(status, named, body))


BLOCKED = (
    b"<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. "
    b"Please consult with your administrator. Your support ID is: 8231764490125533120</body></html>"
)
LOST = Said(None)
UNSENT = Said(None, unsent=True)
ACCEPTED_FOR_UPLOAD = [
    (Topic.CAMPAIGN_KEY, Certainty.SURE, "Accepted, for an upload."),
    (Topic.WORKSPACE_HEADER, Certainty.SURE, "SVC-APPKEY is accepted, for an upload."),
]
ACCEPTED_FOR_UPDATE = [
    (Topic.DATA_KEY, Certainty.SURE, "Accepted, for an update."),
    (Topic.WORKSPACE_HEADER, Certainty.SURE, "SVC-APPKEY is accepted, for an update."),
]


class Case(NamedTuple):
    """
    A change, the reply to it, and what is said of it.

    :ivar besides: what is said of the key and the workspace header.
    :ivar looked_up: what the list showed of an upload.
    :ivar known: the files that the list had before.
    :ivar made: the new files of the list with the name of the upload.
    """

    name: str
    topic: Topic
    reply: Said
    certainty: Certainty
    text: str
    settings: Mapping[str, Any] = {}
    besides: Sequence[tuple[Topic, Certainty, str]] = ()
    looked_up: LookedUp | None = None
    known: Sequence[str] = ()
    made: Sequence[CouponFile] = ()
    guesses: Mapping[str, Any] = {}


def probe_of(topic: Topic, said: Said) -> Probe:
    request = WRITES[topic].request(SETTINGS)
    probe = Probe(Question.WRITE, request, sent_at=SENT_AT)
    if said.response is None:
        return replace(probe, problem="no response", unsent=said.unsent)
    return replace(probe, response=said.response)


CASES = [
    Case(
        "one file made",
        Topic.UPLOAD,
        reply(201, {"_id": "f1", "status": "PENDING"}),
        Certainty.SURE,
        "Accepted as coupon file f1.",
        besides=ACCEPTED_FOR_UPLOAD,
        made=[LISTED],
    ),
    Case(
        "two files made",
        Topic.UPLOAD,
        reply(201, {"_id": "f1", "status": "PENDING"}),
        Certainty.WRONG,
        "One request made 2 files of its name: up and f7. Something on the way, or the service "
        "itself, carries out a request twice, so one coupon may go to two customers, and no "
        "setting prevents that. Upload nothing before whoever runs it has ended that; tell the "
        "service's support both identifiers.",
        made=[LISTED, RENAMED],
    ),
    Case(
        "updated, as was sent",
        Topic.SEGMENT,
        reply(200, {"id": "vip", "updated_by": "wes-doctor@example.com"}),
        Certainty.SURE,
        "Updated: the service takes updated_by alone.",
        besides=ACCEPTED_FOR_UPDATE,
    ),
    Case(
        "not taken over",
        Topic.SEGMENT,
        reply(200, {"data": {"id": "vip", "updated_by": "anna@example.com"}}),
        Certainty.WRONG,
        "The reply is 200, which a task takes for a success, but its updated_by is "
        "'anna@example.com', and not the one that was sent: the update is not in effect as the "
        "reply says. Have it approved if it waits for that, or ask the service's support when "
        "updates take effect.",
    ),
    Case(
        "not taken over before an approval",
        Topic.SEGMENT,
        reply(200, {"updated_by": "anna@example.com", "change": {"state": "AWAITING_APPROVAL"}}),
        Certainty.WRONG,
        "The reply is 200, which a task takes for a success, but its updated_by is "
        "'anna@example.com', and not the one that was sent, and says that something is awaited "
        "(change.state: AWAITING_APPROVAL): the update is not in effect as the reply says. Have "
        "it approved if it waits for that, or ask the service's support when updates take effect.",
    ),
    Case(
        "created, with the identifier of the request",
        Topic.CATALOG,
        reply(201, {"id": "r-1", "catalog": {"uid": "c1"}}, x_request_id="r-1"),
        Certainty.WRONG,
        "Created; its identifier is under catalog.uid. Id 'r-1' is that of the request.",
        settings={"paths.catalog_id": "catalog.uid"},
    ),
    Case(
        "created, with the identifier of the request alone",
        Topic.CATALOG,
        reply(201, {"id": "r-1"}, correlation_id="r-1"),
        Certainty.WRONG,
        'Created; the body of the reply ({"id": "r-1"}) has no identifier that can be read, and no '
        "setting changes that: look for 'shop' in the service's dashboard, keep its identifier, "
        "and ask the service's support for it in the body. A task would fail without it.",
    ),
    Case(
        "accepted",
        Topic.UPLOAD,
        reply(201, {"_id": "f1", "status": "PENDING"}),
        Certainty.SURE,
        "Accepted as coupon file f1.",
        besides=ACCEPTED_FOR_UPLOAD,
    ),
    Case(
        "accepted as a rehearsal",
        Topic.UPLOAD,
        reply(201, {"_id": "f1", "status": "PENDING", "dry_run": True}),
        Certainty.NOT_PROVED,
        "Accepted as coupon file f1, but the reply speaks of a rehearsal (dry_run is 'True'): its "
        "coupons may not be in the list, whatever its counts are. Look in the service's dashboard "
        "whether they are, and ask the service's support to have uploads imported.",
    ),
    Case(
        "a file that the list had",
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
        "a file that has failed",
        Topic.UPLOAD,
        reply(201, {"_id": "f1", "status": "FAILED", "error": "no header"}),
        Certainty.WRONG,
        "The response has coupon file f1 with the status FAILED, and says that it failed "
        "('no header'): a task does not take it for accepted, and looks for it in the list. "
        "Do what it says, or ask the service's support, before you upload again.",
    ),
    Case(
        "a file that has failed, without a reason",
        Topic.UPLOAD,
        reply(201, {"_id": "f1", "status": "FAILED"}),
        Certainty.WRONG,
        "The response has coupon file f1 with the status FAILED at once: the service took "
        "the request, and not the file. Do what it says, or ask its support, before you "
        "upload again.",
    ),
    Case(
        "a bad word without a reason",
        Topic.UPLOAD,
        reply(201, {"_id": "f1", "status": "NOT_STARTED"}),
        Certainty.SURE,
        "Accepted as coupon file f1.",
        besides=ACCEPTED_FOR_UPLOAD,
    ),
    Case(
        "a bad word with a reason",
        Topic.UPLOAD,
        reply(201, {"_id": "f1", "status": "NOT_TAKEN", "error": "no header"}),
        Certainty.WRONG,
        "The response has coupon file f1 with the status NOT_TAKEN, and says that it failed "
        "('no header'): a task does not take it for accepted, and looks for it in the list. "
        "Do what it says, or ask the service's support, before you upload again.",
    ),
    Case(
        "a success with an old error",
        Topic.UPLOAD,
        reply(201, {"_id": "f1", "status": "SUCCESS", "error": "none"}),
        Certainty.SURE,
        "Accepted as coupon file f1.",
        besides=ACCEPTED_FOR_UPLOAD,
    ),
    Case(
        "another identifier",
        Topic.UPLOAD,
        reply(201, {"_id": "job-7", "status": "PENDING"}),
        Certainty.NOT_PROVED,
        "The response has the identifier job-7, but the list has the file as up, so that is "
        "not the file's: it may be of a job. Do not upload it again; ask the service's "
        "support for responses with the file's identifier.",
        besides=ACCEPTED_FOR_UPLOAD,
        looked_up=LookedUp(4.0, file=LISTED),
    ),
    Case(
        "another identifier, by upper and lower case only",
        Topic.UPLOAD,
        reply(201, {"_id": "UP", "status": "PENDING"}),
        Certainty.NOT_PROVED,
        "The response has the identifier UP, and the list has the file as up: they differ in upper "
        "and lower case only. Tasks compare identifiers exactly, so a task would wait for that "
        "file in vain. Do not upload it again; ask the service's support for the same identifier "
        "in all replies.",
        besides=ACCEPTED_FOR_UPLOAD,
        looked_up=LookedUp(4.0, file=LISTED),
    ),
    Case(
        "no identifier, and listed",
        Topic.UPLOAD,
        reply(202, {"job_id": "j1"}),
        Certainty.NOT_PROVED,
        "Accepted with 202 and no identifier; the list had it after 4 s, so tasks find it "
        "there: ask the service's support whether that stays.",
        besides=ACCEPTED_FOR_UPLOAD,
        looked_up=LookedUp(4.0, file=LISTED),
    ),
    Case(
        "identifier elsewhere, and listed",
        Topic.UPLOAD,
        reply(201, {"result": {"_id": "f1", "status": "PENDING"}}),
        Certainty.NOT_PROVED,
        "Accepted with 201 and no identifier where the provider reads it (it is under "
        "result); the list had it after 4 s, so tasks find it there: ask the service's "
        "support whether that stays.",
        besides=ACCEPTED_FOR_UPLOAD,
        looked_up=LookedUp(4.0, file=LISTED),
    ),
    Case(
        "an error, and listed",
        Topic.UPLOAD,
        reply(504, b"<html>x</html>", content_type="text/html"),
        Certainty.NOT_PROVED,
        "The reply was 504, but the list had it after 4 s, so it was accepted, and tasks "
        "find it there: ask the service's support why it does not say so.",
        besides=ACCEPTED_FOR_UPLOAD,
        looked_up=LookedUp(4.0, file=LISTED),
    ),
    Case(
        "lost, and listed",
        Topic.UPLOAD,
        LOST,
        Certainty.NOT_PROVED,
        "No usable response came, but the list had it after 4 s, so it was accepted, and "
        "tasks find it there: ask the service's support why it does not say so.",
        besides=ACCEPTED_FOR_UPLOAD,
        looked_up=LookedUp(4.0, file=LISTED),
    ),
    Case(
        "no identifier, not listed",
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
        "no identifier, renamed",
        Topic.UPLOAD,
        reply(202, {"ok": 1}),
        Certainty.WRONG,
        "The response lacks the coupon file's _id: '{\"ok\": 1}'. It has the status 202. "
        "The list has coupon file f7 with its URL, but with another name ('other.csv'), so "
        "tasks ask a person. Look for Wes-Doctor-1.csv among the list's files in the "
        "service's console; upload nothing again before that.",
        looked_up=LookedUp(4.0, renamed=RENAMED),
    ),
    Case(
        "no body, not looked for",
        Topic.UPLOAD,
        reply(204),
        Certainty.WRONG,
        "The response lacks the coupon file's _id. It has the status 204. Look for "
        "Wes-Doctor-1.csv among the list's files in the service's console; upload nothing "
        "again before that.",
    ),
    Case(
        "identifier elsewhere, not listed",
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
    Case(
        "a refused key",
        Topic.UPLOAD,
        reply(401, {"error": {"code": "invalid-api-key", "message": "No."}}),
        Certainty.WRONG,
        "Campaign API key: refused (401 invalid-api-key), so nothing was done. Paste the key "
        "again, or check whether it may do this.",
        besides=[
            (
                Topic.CAMPAIGN_KEY,
                Certainty.WRONG,
                "Refused for an upload (401 invalid-api-key), whatever reads get. Paste the "
                "key again, or check whether it may do this.",
            ),
        ],
    ),
    Case(
        "a key that has expired",
        Topic.UPLOAD,
        reply(401, {"error": {"code": "invalid-api-key", "message": "The key has expired."}}),
        Certainty.WRONG,
        "Campaign API key: refused (401 invalid-api-key: 'The key has expired'), so nothing "
        "was done. Make a new key, or have its time extended, and put it in.",
        besides=[
            (
                Topic.CAMPAIGN_KEY,
                Certainty.WRONG,
                "Refused for an upload (401 invalid-api-key: 'The key has expired'), "
                "whatever reads get. Make a new key, or have its time extended, and put it "
                "in.",
            ),
        ],
    ),
    Case(
        "a success with an error",
        Topic.UPLOAD,
        reply(200, {"success": False, "message": "No."}),
        Certainty.WRONG,
        "The service or a gateway replies 200 with an error to POST "
        "/v1/coupon-list/spring/files: 'No'. A task cannot tell whether it was done, since "
        "the status is that of a success: ask the service's support. Look for "
        "Wes-Doctor-1.csv among the list's files in the service's console; upload nothing "
        "again before that.",
    ),
    Case(
        "not sent",
        Topic.UPLOAD,
        UNSENT,
        Certainty.WRONG,
        "It was not sent: the service was not reached. Try again.",
    ),
    Case(
        "a rate limit",
        Topic.UPLOAD,
        reply(429, {"error": {"code": "rate-limited", "message": "Slow down."}}, retry_after="30"),
        Certainty.NOT_PROVED,
        "The service's rate limit refused it: 'Slow down', so nothing was done: try again "
        "later. Wait until 08:00:30 UTC, as its headers say, or ask the service's support "
        "for more: it is about no key.",
    ),
    Case(
        "a rate limit of unknown length",
        Topic.UPLOAD,
        reply(429, b""),
        Certainty.NOT_PROVED,
        "The service's rate limit refused it, so nothing was done: try again later.",
    ),
    Case(
        "a 4xx with a code",
        Topic.UPLOAD,
        reply(400, {"error": {"code": "bad-file", "message": "file_url is not https."}}),
        Certainty.WRONG,
        "The service replies 400 bad-file to POST /v1/coupon-list/spring/files: 'file_url is "
        "not https'. Nothing was done. Ask the service's support.",
    ),
    Case(
        "a 4xx without a code",
        Topic.UPLOAD,
        reply(400, {"message": "No."}),
        Certainty.WRONG,
        "The service or a gateway replies 400 to POST /v1/coupon-list/spring/files: 'No'. "
        "Nothing shows that it was done. Ask the service's support.",
    ),
    Case(
        "a 4xx without a code about a plan",
        Topic.UPLOAD,
        reply(402, {"message": "Your plan has no uploads."}),
        Certainty.WRONG,
        "The service or a gateway replies 402 to POST /v1/coupon-list/spring/files: 'Your "
        "plan has no uploads'. Nothing was done. Ask the service's support for a plan that "
        "has it.",
    ),
    Case(
        "about the creator",
        Topic.UPLOAD,
        reply(
            400, {"error": {"code": "bad", "message": "created_by has to be an e-mail address."}}
        ),
        Certainty.WRONG,
        "The service replies 400 bad to POST /v1/coupon-list/spring/files: 'created_by has "
        "to be an e-mail address'. Nothing was done. The doctor sends created_by "
        "'wes-doctor', and your tasks their own. Do what it says, or ask the service's "
        "support.",
    ),
    Case(
        "a redirect to another host",
        Topic.UPLOAD,
        reply(307, b"", location="https://other.example.com/v1/coupon-list/spring/files"),
        Certainty.WRONG,
        "POST /v1/coupon-list/spring/files is redirected to "
        "https://other.example.com/v1/coupon-list/spring/files (307), which is not followed. "
        "Nothing shows that it was done: reads work at this Address, and nothing shows whether "
        "they do there. Ask the service's support where uploads go without a redirect, and whether "
        "lists and files can be read there; only then put https://other.example.com into the "
        "Address. Look for Wes-Doctor-1.csv among the list's files in the service's console; "
        "upload nothing again before that.",
    ),
    Case(
        "a redirect to another host, with a query",
        Topic.UPLOAD,
        reply(307, b"", location="https://other.example.com/v1/coupon-list/spring/files?sig=1"),
        Certainty.WRONG,
        "POST /v1/coupon-list/spring/files is redirected to "
        "https://other.example.com/v1/coupon-list/spring/files (307), which is not followed. "
        "Nothing shows that it was done: reads work at this Address, and nothing shows whether "
        "they do there. Ask the service's support where uploads go without a redirect, and whether "
        "lists and files can be read there; only then put https://other.example.com into the "
        "Address. The redirect has a query, which the provider does not send. Look for "
        "Wes-Doctor-1.csv among the list's files in the service's console; upload nothing again "
        "before that.",
    ),
    Case(
        "a redirect to another path",
        Topic.UPLOAD,
        reply(307, b"", location="https://api.example.com/v2/up"),
        Certainty.WRONG,
        "POST /v1/coupon-list/spring/files is redirected to https://api.example.com/v2/up "
        "(307), which is not followed. Nothing shows that it was done: no setting changes "
        "the path, so ask the service's support to take uploads there, or for a newer "
        "provider. Look for Wes-Doctor-1.csv among the list's files in the service's "
        "console; upload nothing again before that.",
    ),
    Case(
        "a redirect to http",
        Topic.UPLOAD,
        reply(307, b"", location="http://api.example.com/v1/coupon-list/spring/files"),
        Certainty.WRONG,
        "POST /v1/coupon-list/spring/files is redirected to "
        "http://api.example.com/v1/coupon-list/spring/files (307), which is not followed. "
        "Nothing shows that it was done: it leads from HTTPS to HTTP, where no key may go. "
        "Ask whoever runs the gateway, or the service's support, to keep HTTPS. Look for "
        "Wes-Doctor-1.csv among the list's files in the service's console; upload nothing "
        "again before that.",
    ),
    Case(
        "a redirect to http on another host",
        Topic.UPLOAD,
        reply(307, b"", location="http://other.example.org/v1/coupon-list/spring/files"),
        Certainty.WRONG,
        "POST /v1/coupon-list/spring/files is redirected to "
        "http://other.example.org/v1/coupon-list/spring/files (307), which is not followed. "
        "Nothing shows that it was done: it leads from HTTPS to HTTP, where no key may go. "
        "Ask whoever runs the gateway, or the service's support, to keep HTTPS. Look for "
        "Wes-Doctor-1.csv among the list's files in the service's console; upload nothing "
        "again before that.",
    ),
    Case(
        "no changes taken",
        Topic.UPLOAD,
        reply(
            503, {"error": {"code": "read-only", "message": "Uploads are paused until 18:00 UTC."}}
        ),
        Certainty.NOT_PROVED,
        "The service replies 503 read-only to POST /v1/coupon-list/spring/files: 'Uploads "
        "are paused until 18:00 UTC'. It says that it takes no changes, so nothing was done "
        "in all likelihood. Wait until then, and then repeat this. Look for Wes-Doctor-1.csv "
        "among the list's files in the service's console; upload nothing again before that.",
    ),
    Case(
        "no changes taken, for a time",
        Topic.UPLOAD,
        reply(
            503,
            {"error": {"code": "read-only", "message": "The service is read-only."}},
            retry_after="60",
        ),
        Certainty.NOT_PROVED,
        "The service replies 503 read-only to POST /v1/coupon-list/spring/files: 'The "
        "service is read-only'. It says that it takes no changes, so nothing was done in all "
        "likelihood. Wait until 08:01:00 UTC, as its headers say, and then repeat this. Look "
        "for Wes-Doctor-1.csv among the list's files in the service's console; upload "
        "nothing again before that.",
    ),
    Case(
        "an error of the server",
        Topic.UPLOAD,
        reply(500, {"error": {"code": "oops", "message": "Oops."}}),
        Certainty.WRONG,
        "The service replies 500 oops to POST /v1/coupon-list/spring/files: 'Oops'; the "
        "service may have done it or not. Look for Wes-Doctor-1.csv among the list's files "
        "in the service's console; upload nothing again before that.",
    ),
    Case(
        "an error of the server, with a time",
        Topic.UPLOAD,
        reply(503, {"error": {"code": "busy", "message": "Busy."}}, retry_after="60"),
        Certainty.WRONG,
        "The service replies 503 busy to POST /v1/coupon-list/spring/files: 'Busy'; the "
        "service may have done it or not. Wait until 08:01:00 UTC, as its headers say. Look "
        "for Wes-Doctor-1.csv among the list's files in the service's console; upload "
        "nothing again before that.",
    ),
    Case(
        "a lost response",
        Topic.UPLOAD,
        LOST,
        Certainty.WRONG,
        "No usable response came; the service may have done it or not. Look for "
        "Wes-Doctor-1.csv among the list's files in the service's console; upload nothing "
        "again before that.",
    ),
    Case(
        "updated",
        Topic.SEGMENT,
        reply(200, {"id": "vip"}),
        Certainty.SURE,
        "Updated: the service takes updated_by alone.",
        besides=ACCEPTED_FOR_UPDATE,
    ),
    Case(
        "a catalog is accepted, and the request is named",
        Topic.CATALOG,
        reply(202, {"request_id": "req-77c1", "state": "ACCEPTED"}),
        Certainty.NOT_PROVED,
        "Accepted with 202: request_id may be the identifier of the request or of an operation, "
        "and not the catalog's. Look for 'shop' in the service's dashboard, keep its "
        "identifier, and ask the service's support which property of a reply has it.",
    ),
    Case(
        "a catalog is created, and a job is named",
        Topic.CATALOG,
        reply(201, {"job_ref": "j-7"}),
        Certainty.NOT_PROVED,
        "Accepted with 201: job_ref may be the identifier of the request or of an operation, and "
        "not the catalog's. Look for 'shop' in the service's dashboard, keep its "
        "identifier, and ask the service's support which property of a reply has it.",
    ),
    Case(
        "updated, but not one of several",
        Topic.SEGMENT,
        reply(
            207,
            {"results": [{"id": "vip", "status": 403, "error": {"code": "segment-locked"}}]},
        ),
        Certainty.WRONG,
        "Not done as it seems: the reply is 207, which a task takes for a success, and has status "
        '403: {"code":"segment-locked"} in it. See what that says about the segment before tasks '
        "update it, or ask the service's support.",
    ),
    Case(
        "updated, but not one of several, by its status alone",
        Topic.SEGMENT,
        reply(207, {"results": [{"id": "vip", "status": 400}]}),
        Certainty.WRONG,
        "Not done as it seems: the reply is 207, which a task takes for a success, and has status "
        "400 in it. See what that says about the segment before tasks update it, or ask the "
        "service's support.",
    ),
    Case(
        "updated, but not one of several, by its error alone",
        Topic.SEGMENT,
        reply(207, {"results": [{"id": "vip", "errors": ["locked"]}]}),
        Certainty.WRONG,
        "Not done as it seems: the reply is 207, which a task takes for a success, and has "
        '["locked"] in it. See what that says about the segment before tasks update it, or ask the '
        "service's support.",
    ),
    Case(
        "updated, with an entry below 400",
        Topic.SEGMENT,
        reply(207, {"results": [{"id": "vip", "status": 399}]}),
        Certainty.SURE,
        "Updated: the service takes updated_by alone.",
        besides=ACCEPTED_FOR_UPDATE,
    ),
    Case(
        "updated, with entries that went well",
        Topic.SEGMENT,
        reply(207, {"results": [{"id": "vip", "status": 200, "error": None, "errors": []}]}),
        Certainty.SURE,
        "Updated: the service takes updated_by alone.",
        besides=ACCEPTED_FOR_UPDATE,
    ),
    Case(
        "updated, and replaced",
        Topic.SEGMENT,
        reply(200, {"id": "vip", "name": None, "included_filters": None, "users": 0}),
        Certainty.WRONG,
        "Accepted, but the reply has name null and included_filters null, and the update sent "
        "updated_by alone: it may have replaced the segment. Look at segment vip in the service's "
        "console now, and put back what is gone. Ask the service's support whether an update keeps "
        "the fields that it does not send; until then, let tasks send all of them.",
    ),
    Case(
        "updated, with a name and without filters",
        Topic.SEGMENT,
        reply(200, {"data": {"id": "vip", "name": "VIP", "included_filters": {}}}),
        Certainty.WRONG,
        "Accepted, but the reply has included_filters {}, and the update sent updated_by alone: "
        "it may have replaced the segment. Look at segment vip in the service's console now, and "
        "put back what is gone. Ask the service's support whether an update keeps the fields that "
        "it does not send; until then, let tasks send all of them.",
    ),
    Case(
        "updated, with filters",
        Topic.SEGMENT,
        reply(200, {"id": "vip", "name": "", "included_filters": {"filters": []}}),
        Certainty.SURE,
        "Updated: the service takes updated_by alone.",
        besides=ACCEPTED_FOR_UPDATE,
    ),
    Case(
        "updated, with a name that nobody gave",
        Topic.SEGMENT,
        reply(200, {"id": "vip", "name": ""}),
        Certainty.SURE,
        "Updated: the service takes updated_by alone.",
        besides=ACCEPTED_FOR_UPDATE,
    ),
    Case(
        "updated, with a firewall's page",
        Topic.SEGMENT,
        reply(200, BLOCKED, content_type="text/html"),
        Certainty.WRONG,
        "A firewall's page came with 200: 'Request Rejected', so the service may not have got it. "
        "Reads pass, so a rule may be about PATCH or about what its body has, such as a URL: "
        "change no key, and have whoever runs it let these requests through. Hand over what it "
        "names: support ID 8231764490125533120.",
    ),
    Case(
        "uploaded, with a firewall's page",
        Topic.UPLOAD,
        reply(200, BLOCKED, content_type="text/html"),
        Certainty.WRONG,
        "A firewall's page came with 200: 'Request Rejected', so the service may not have got it. "
        "Reads pass, so a rule may be about POST or about what its body has, such as a URL: "
        "change no key, and have whoever runs it let these requests through. Hand over what it "
        "names: support ID 8231764490125533120. Look for Wes-Doctor-1.csv among the list's files "
        "in the service's console; upload nothing again before that.",
    ),
    Case(
        "refused by a firewall's page",
        Topic.CATALOG,
        reply(403, BLOCKED, content_type="text/html"),
        Certainty.WRONG,
        "The service or a gateway replies 403 to POST /v1/catalog: 'Request Rejected'. Nothing "
        "shows that it was done. A firewall may keep these requests out. Reads pass, so a rule may "
        "be about POST or about what its body has, such as a URL: change no key, and have whoever "
        "runs it let these requests through. Hand over what it names: support ID "
        "8231764490125533120.",
    ),
    Case(
        "updated, without a body",
        Topic.SEGMENT,
        reply(204),
        Certainty.SURE,
        "Updated: the service takes updated_by alone.",
        besides=ACCEPTED_FOR_UPDATE,
    ),
    Case(
        "updated, with a page",
        Topic.SEGMENT,
        reply(200, b"<html>x</html>", content_type="text/html"),
        Certainty.NOT_PROVED,
        "A success for a task, but the reply is a web page: perhaps a gateway's. Look "
        "whether it was done.",
    ),
    Case(
        "updated, with half a body",
        Topic.SEGMENT,
        reply(200, b'{"id": "v'),
        Certainty.NOT_PROVED,
        "A success for a task, but the reply is JSON that cannot be read: perhaps a "
        "gateway's. Look whether it was done.",
    ),
    Case(
        "an error with 200",
        Topic.SEGMENT,
        reply(200, {"success": False, "code": "10003", "message": "Unknown segment"}),
        Certainty.WRONG,
        "Refused (200 10003: 'Unknown segment'), though a task takes the status for a "
        "success. Ask the service's support. Look in the service's dashboard whether "
        "anything was done.",
    ),
    Case(
        "a refused key with 200",
        Topic.SEGMENT,
        reply(200, {"error": {"code": "invalid-api-key", "message": "No."}}),
        Certainty.WRONG,
        "Refused (200 invalid-api-key: 'No'), though a task takes the status for a success. "
        "Paste the key again, or check whether it may do this.",
        besides=[
            (
                Topic.DATA_KEY,
                Certainty.WRONG,
                "Refused for an update (200 invalid-api-key: 'No'), whatever reads get. "
                "Paste the key again, or check whether it may do this.",
            ),
        ],
    ),
    Case(
        "a segment that is not there",
        Topic.SEGMENT,
        reply(404, {"error": {"code": "no-segment", "message": "Segment vip does not exist."}}),
        Certainty.WRONG,
        "The service replies 404 no-segment to PATCH /v3/custom-segments/vip: 'Segment vip "
        "does not exist'. Nothing was done. Check the segment's identifier in the service's "
        "dashboard.",
    ),
    Case(
        "a data key that may not do it",
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
        "another header",
        Topic.SEGMENT,
        reply(
            400, {"error": {"code": "header-missing", "message": "Header X-WORKSPACE is missing."}}
        ),
        Certainty.WRONG,
        "The service replies 400 header-missing to PATCH /v3/custom-segments/vip: 'Header "
        "X-WORKSPACE is missing'. Nothing was done. Ask the service's support.",
        besides=[
            (
                Topic.WORKSPACE_HEADER,
                Certainty.WRONG,
                "SVC-APPKEY is sent, but the service replies 400 header-missing: 'Header "
                "X-WORKSPACE is missing'. Ask the service's support which header has the "
                "workspace.",
            ),
        ],
    ),
    Case(
        "another method, by a header that is none of the workspace",
        Topic.SEGMENT,
        reply(
            405,
            {"error": {"code": "no-patch", "message": "Send POST with X-HTTP-Method-Override."}},
        ),
        Certainty.WRONG,
        "The service replies 405 no-patch to PATCH /v3/custom-segments/vip: 'Send POST with "
        "X-HTTP-Method-Override'. Nothing was done. The provider sends PATCH to this path, and no "
        "setting changes either: ask the service's support to take that.",
    ),
    Case(
        "a refused data key",
        Topic.SEGMENT,
        reply(401, {"error": {"code": "invalid-api-key", "message": "No."}}),
        Certainty.WRONG,
        "Data API key: refused (401 invalid-api-key), so nothing was done. Paste the key "
        "again, or check whether it may do this.",
        besides=[
            (
                Topic.DATA_KEY,
                Certainty.WRONG,
                "Refused for an update (401 invalid-api-key), whatever reads get. Paste the "
                "key again, or check whether it may do this.",
            ),
        ],
    ),
    Case(
        "created",
        Topic.CATALOG,
        reply(201, {"catalog_id": "c1"}),
        Certainty.SURE,
        "Created; its identifier is c1.",
        settings={"paths.catalog_id": None},
    ),
    *(
        Case(
            f"not created, since it was there: {said}",
            Topic.CATALOG,
            reply(200, {"id": "c1", **beside}),
            Certainty.NOT_PROVED,
            f"Accepted with 200, and c1 is an identifier, but by the reply ({said}) nothing was "
            "created: 'shop' seems to have been there. A task would take that catalog for the one "
            "that it creates. To see a creation, name a catalog that does not exist.",
            guesses={"paths.catalog_id": None},
        )
        for beside, said in (
            ({"created": False}, "created: false"),
            ({"meta": {"already_exists": True}}, "meta.already_exists: true"),
            (
                {"message": "A catalog of this name exists; it is returned unchanged."},
                "message: 'A catalog of this name exists; it is returned unchanged.'",
            ),
        )
    ),
    Case(
        "created, as a flag says",
        Topic.CATALOG,
        reply(
            201,
            {"id": "c1", "created": True, "exists": False, "new": 0, "name": "It already exists"},
        ),
        Certainty.SURE,
        "Created; its identifier is c1.",
        settings={"paths.catalog_id": None},
    ),
    Case(
        "created, under another name",
        Topic.CATALOG,
        reply(201, {"catalog": {"uid": "c1"}, "name": "shop"}),
        Certainty.WRONG,
        "Created; its identifier is under catalog.uid.",
        settings={"paths.catalog_id": "catalog.uid"},
    ),
    Case(
        "created, under a name that may be that of an identifier",
        Topic.CATALOG,
        reply(201, {"catalog": {"key": "c1"}, "name": "shop"}),
        Certainty.NOT_PROVED,
        "Created, but which property is its identifier? catalog.key 'c1'. Keep these values, and "
        "name the right property in paths.catalog_id.",
        guesses={"paths.catalog_id": "catalog.key"},
    ),
    Case(
        "created, under one of two names that may be that of an identifier",
        Topic.CATALOG,
        reply(201, {"status": "created", "catalog": {"ref": "c1", "tag": "c2", "name": "shop"}}),
        Certainty.NOT_PROVED,
        "Created, but which property is its identifier? catalog.ref 'c1' (beside the name), "
        "catalog.tag 'c2' (beside the name). Keep these values, and name the right property in "
        "paths.catalog_id.",
    ),
    Case(
        "created, with the identifier of the request at the top",
        Topic.CATALOG,
        reply(
            201,
            {"id": "req-1", "catalog": {"ref": "c1", "name": "shop"}},
            x_request_id="req-1",
        ),
        Certainty.NOT_PROVED,
        "Created, but which property is its identifier? catalog.ref 'c1' (beside the name). Keep "
        "these values, and name the right property in paths.catalog_id. Id 'req-1' is that of the "
        "request.",
        guesses={"paths.catalog_id": "catalog.ref"},
    ),
    Case(
        "created, under one of two",
        Topic.CATALOG,
        reply(201, {"id": "c1", "ref": "c2"}),
        Certainty.SURE,
        "Created; its identifier is c1.",
        settings={"paths.catalog_id": None},
    ),
    Case(
        "accepted, with the identifier of an operation",
        Topic.CATALOG,
        reply(202, {"id": "op-5", "metadata": {"target": "catalogs/c7"}}),
        Certainty.NOT_PROVED,
        "Accepted with 202, and not done yet: op-5 may be the identifier of the operation, and a "
        "task would take it for the catalog's. Look for 'shop' in the service's dashboard, keep "
        "its identifier, and ask the service's support how a task gets it from a reply.",
    ),
    Case(
        "not done yet, with 200",
        Topic.CATALOG,
        reply(200, {"id": "op-5", "done": False}),
        Certainty.NOT_PROVED,
        "Accepted with 200, and not done yet: op-5 may be the identifier of the operation, and a "
        "task would take it for the catalog's. Look for 'shop' in the service's dashboard, keep "
        "its identifier, and ask the service's support how a task gets it from a reply.",
    ),
    Case(
        "done",
        Topic.CATALOG,
        reply(200, {"id": "c1", "done": True}),
        Certainty.SURE,
        "Created; its identifier is c1.",
        settings={"paths.catalog_id": None},
    ),
    Case(
        "created, one identifier at the top, and one beside the catalog's name",
        Topic.CATALOG,
        reply(201, {"id": "9b2f", "object": "response", "catalog": {"key": "c1", "name": "shop"}}),
        Certainty.NOT_PROVED,
        "Created, but which property is its identifier? id '9b2f', catalog.key 'c1' (beside the "
        "name). Keep these values, and name the right property in paths.catalog_id.",
        guesses={"paths.catalog_id": "catalog.key"},
    ),
    Case(
        "being made, with a placeholder, and a link to the request",
        Topic.CATALOG,
        reply(
            201,
            {
                "id": "00000000-0000-0000-0000-000000000000",
                "name": "shop",
                "state": "PROVISIONING",
                "ref": "ctlg_7",
                "status_url": "/v1/catalog/requests/ctlg_7",
            },
        ),
        Certainty.NOT_PROVED,
        "Accepted with 201, and not done yet, so which property will have the catalog's identifier "
        "is not shown. Look for 'shop' in the service's dashboard, keep its identifier, and ask "
        "the service's support where a reply has it.",
    ),
    Case(
        "being made, with an identifier of something",
        Topic.CATALOG,
        reply(201, {"id": "c1", "name": "shop", "status": "provisioning"}),
        Certainty.NOT_PROVED,
        "Accepted with 201, and not done yet: c1 may be the identifier of the operation, and a "
        "task would take it for the catalog's. Look for 'shop' in the service's dashboard, keep "
        "its identifier, and ask the service's support how a task gets it from a reply.",
    ),
    Case(
        "an operation in place of a catalog",
        Topic.CATALOG,
        reply(201, {"id": "req_1", "type": "operation", "name": "shop"}),
        Certainty.NOT_PROVED,
        "Accepted with 201, and not done yet: req_1 may be the identifier of the operation, and a "
        "task would take it for the catalog's. Look for 'shop' in the service's dashboard, keep "
        "its identifier, and ask the service's support how a task gets it from a reply.",
    ),
    Case(
        "created, with 0 as identifier, and another one",
        Topic.CATALOG,
        reply(201, {"id": 0, "name": "shop", "state": "QUEUED", "ref": "c1"}),
        Certainty.NOT_PROVED,
        "Accepted with 201: ref may be the identifier of the request or of an operation, and not "
        "the catalog's. Look for 'shop' in the service's dashboard, keep its identifier, and ask "
        "the service's support which property of a reply has it.",
    ),
    Case(
        "created, and active",
        Topic.CATALOG,
        reply(201, {"id": "c1", "name": "shop", "status": "ACTIVE", "type": "catalog"}),
        Certainty.SURE,
        "Created; its identifier is c1.",
        settings={"paths.catalog_id": None},
    ),
    Case(
        "created, with an event around it",
        Topic.CATALOG,
        reply(201, {"id": "evt_7", "object": "event", "data": {"uid": "CAT-4", "name": "shop"}}),
        Certainty.NOT_PROVED,
        "Created, but which property is its identifier? id 'evt_7', data.uid 'CAT-4' (beside the "
        "name). Keep these values, and name the right property in paths.catalog_id.",
        guesses={"paths.catalog_id": "data.uid"},
    ),
    Case(
        "created, with a secret beside it",
        Topic.CATALOG,
        reply(201, {"ref": "c1", "access_token_id": "hunter2", "api_key": "hunter2"}),
        Certainty.NOT_PROVED,
        "Created, but which property is its identifier? ref 'c1', access_token_id, api_key. Keep "
        "these values, and name the right property in paths.catalog_id.",
    ),
    Case(
        "created, with a secret below it",
        Topic.CATALOG,
        reply(201, {"ref": "c1", "credentials": {"id": "hunter2"}}),
        Certainty.NOT_PROVED,
        "Created, but which property is its identifier? ref 'c1', credentials.id. Keep "
        "these values, and name the right property in paths.catalog_id.",
    ),
    Case(
        "created, the identifier and another one beside the catalog's name",
        Topic.CATALOG,
        reply(201, {"id": "c1", "name": "shop", "owner": {"id": "u7"}}),
        Certainty.SURE,
        "Created; its identifier is c1.",
        settings={"paths.catalog_id": None},
    ),
    Case(
        "created, the same identifier twice",
        Topic.CATALOG,
        reply(201, {"id": "c1", "catalog": {"id": "c1", "name": "shop"}}),
        Certainty.SURE,
        "Created; its identifier is c1.",
        settings={"paths.catalog_id": None},
    ),
    Case(
        "created, the name elsewhere without an identifier",
        Topic.CATALOG,
        reply(201, {"id": "c1", "request": {"name": "shop"}}),
        Certainty.SURE,
        "Created; its identifier is c1.",
        settings={"paths.catalog_id": None},
    ),
    Case(
        "created, nothing like an identifier",
        Topic.CATALOG,
        reply(201, {"x": "c1", "y": "c2"}),
        Certainty.NOT_PROVED,
        "Created, but which property is its identifier? x 'c1', y 'c2'. Keep these values, and "
        "name the right property in paths.catalog_id.",
    ),
    Case(
        "created, nothing",
        Topic.CATALOG,
        reply(201, {}),
        Certainty.WRONG,
        "Created; the body of the reply ({}) has no identifier that can be read, and no "
        "setting changes that: look for 'shop' in the service's dashboard, keep its "
        "identifier, and ask the service's support for it in the body. A task would fail "
        "without it.",
    ),
    Case(
        "created, no body, a Location",
        Topic.CATALOG,
        reply(201, b"", location="https://api.example.com/v1/catalog/c1?sig=hunter2"),
        Certainty.WRONG,
        "Created; the reply has no body, and its Location names /v1/catalog/c1, which the "
        "provider does not read, and no setting changes that: keep that identifier, and ask "
        "the service's support for it in the body. A task would fail without it.",
    ),
    Case(
        "accepted, no body",
        Topic.CATALOG,
        reply(202),
        Certainty.WRONG,
        "Accepted with 202; the reply has no body, and no setting changes that: look for "
        "'shop' in the service's dashboard, keep its identifier, and ask the service's "
        "support for it in the body. A task would fail without it.",
    ),
    Case(
        "created, a page",
        Topic.CATALOG,
        reply(201, b"<html>x</html>", content_type="text/html"),
        Certainty.NOT_PROVED,
        "A web page came with status 201, perhaps from a gateway, so a task would fail. Look "
        "in the service's dashboard whether 'shop' was created.",
    ),
    Case(
        "it exists",
        Topic.CATALOG,
        reply(409, {"error": {"code": "exists", "message": "shop exists."}}),
        Certainty.WRONG,
        "The service replies 409 exists to POST /v1/catalog: 'shop exists'. Nothing was "
        "done. Give another name with --catalog.",
    ),
    Case(
        "a file in an envelope that has failed",
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
        "an error beside a file without a status",
        Topic.UPLOAD,
        reply(201, {"_id": "f1", "error": "no header"}),
        Certainty.WRONG,
        "The response has coupon file f1 with the status none, and says that it failed ('no "
        "header'): a task does not take it for accepted, and looks for it in the list. Do "
        "what it says, or ask the service's support, before you upload again.",
    ),
    Case(
        "an error beside a file, and listed",
        Topic.UPLOAD,
        reply(201, {"_id": "f1", "status": "FAILED", "error": "no header"}),
        Certainty.NOT_PROVED,
        "Accepted with 201 and an error beside its identifier; the list had it after 4 s, so "
        "tasks find it there: ask the service's support whether that stays.",
        besides=ACCEPTED_FOR_UPLOAD,
        looked_up=LookedUp(4.0, file=LISTED),
    ),
    Case(
        "a file that has failed, with a reason of another name",
        Topic.UPLOAD,
        reply(201, {"_id": "f1", "status": "FAILED", "failure_reason": "no header"}),
        Certainty.WRONG,
        "The response has coupon file f1 with the status FAILED at once ('failure_reason: no "
        "header'): the service took the request, and not the file. Do what it says, or ask "
        "its support, before you upload again.",
    ),
    Case(
        "a word that only sounds bad, with a reason",
        Topic.UPLOAD,
        reply(201, {"_id": "f1", "status": "NOT_STARTED", "failure_reason": "none yet"}),
        Certainty.WRONG,
        "The response has coupon file f1 with the status NOT_STARTED at once "
        "('failure_reason: none yet'): the service took the request, and not the file. Do "
        "what it says, or ask its support, before you upload again.",
    ),
    Case(
        "a version that has ended",
        Topic.UPLOAD,
        reply(308, {"message": "Version v1 is retired."}, location="https://api.example.com/v2/up"),
        Certainty.WRONG,
        "The version that uploads go to has ended. POST /v1/coupon-list/spring/files is "
        "redirected to https://api.example.com/v2/up (308: 'Version v1 is retired'), which "
        "is not followed. Nothing shows that it was done: no setting changes the path, so "
        "ask the service's support to take uploads there, or for a newer provider. Look for "
        "Wes-Doctor-1.csv among the list's files in the service's console; upload nothing "
        "again before that.",
    ),
    Case(
        "a redirect to another host and path",
        Topic.UPLOAD,
        reply(307, b"", location="https://other.example.com/up"),
        Certainty.WRONG,
        "POST /v1/coupon-list/spring/files is redirected to https://other.example.com/up "
        "(307), which is not followed. Nothing shows that it was done: ask the service's "
        "support: no setting changes the path there. Look for Wes-Doctor-1.csv among the "
        "list's files in the service's console; upload nothing again before that.",
    ),
    Case(
        "a redirect to another data center",
        Topic.UPLOAD,
        reply(307, b"", location="https://api.example.com:8443/v1/coupon-list/spring/files"),
        Certainty.WRONG,
        "POST /v1/coupon-list/spring/files is redirected to "
        "https://api.example.com:8443/v1/coupon-list/spring/files (307), which is not "
        "followed. Nothing shows that it was done: reads work at this Address, and nothing shows "
        "whether they do there. Ask the service's support where uploads go without a redirect, and "
        "whether lists and files can be read there; only then put https://api.example.com:8443 "
        "into the Address. Look for Wes-Doctor-1.csv among the list's files in the service's "
        "console; upload nothing again before that.",
    ),
    Case(
        "a redirect of an update to the host of segments",
        Topic.SEGMENT,
        reply(307, b"", location="https://data.example.com/v3/custom-segments/vip"),
        Certainty.WRONG,
        "PATCH /v3/custom-segments/vip is redirected to "
        "https://data.example.com/v3/custom-segments/vip (307), which is not followed. "
        "Nothing shows that it was done: segments (/v3) are at https://data.example.com, by "
        "the service's words: leave this connection for coupons, and make a second one with "
        "that Address and the Data API key as its password. Name it in the tasks that update "
        "segments, and run wes-doctor --conn-id ID on it.",
    ),
    Case(
        "an error of a gateway that takes no changes",
        Topic.UPLOAD,
        reply(500, {"message": "Writes are disabled."}),
        Certainty.NOT_PROVED,
        "The service or a gateway replies 500 to POST /v1/coupon-list/spring/files: 'Writes "
        "are disabled'. It says that it takes no changes, so nothing was done in all "
        "likelihood. Wait until it is over, and then repeat this. Look for Wes-Doctor-1.csv "
        "among the list's files in the service's console; upload nothing again before that.",
    ),
    Case(
        "an error of a client that a gateway sends",
        Topic.UPLOAD,
        reply(499, b""),
        Certainty.WRONG,
        "The service or a gateway replies 499 to POST /v1/coupon-list/spring/files; the "
        "service may have done it or not. Look for Wes-Doctor-1.csv among the list's files "
        "in the service's console; upload nothing again before that.",
    ),
    Case(
        "a timeout",
        Topic.UPLOAD,
        reply(408, {"message": "Request timeout."}),
        Certainty.WRONG,
        "The service or a gateway replies 408 to POST /v1/coupon-list/spring/files: 'Request "
        "timeout'; the service may have done it or not. Look for Wes-Doctor-1.csv among the "
        "list's files in the service's console; upload nothing again before that.",
    ),
    Case(
        "no updates, by the response's words",
        Topic.SEGMENT,
        reply(200, b"\xff\xfe\x00binary", content_type="application/octet-stream"),
        Certainty.SURE,
        "Updated: the service takes updated_by alone.",
        besides=ACCEPTED_FOR_UPDATE,
    ),
    Case(
        "an update of a list",
        Topic.SEGMENT,
        reply(200, [1, 2]),
        Certainty.SURE,
        "Updated: the service takes updated_by alone.",
        besides=ACCEPTED_FOR_UPDATE,
    ),
    Case(
        "another header that a negotiation names",
        Topic.SEGMENT,
        reply(406, {"error": {"code": "no", "message": "Send the header Accept: a/b."}}),
        Certainty.WRONG,
        "The service replies 406 no to PATCH /v3/custom-segments/vip: 'Send the header "
        "Accept: a/b'. Nothing was done. The provider has no setting for such a header: ask "
        "the service's support, or whoever runs the gateway, to do without it.",
    ),
    Case(
        "the documented header",
        Topic.SEGMENT,
        reply(
            400, {"error": {"code": "header-missing", "message": "Header SVC-APPKEY is missing."}}
        ),
        Certainty.WRONG,
        "The service replies 400 header-missing to PATCH /v3/custom-segments/vip: 'Header "
        "SVC-APPKEY is missing'. Nothing was done. Ask the service's support.",
    ),
    Case(
        "created, an identifier among words",
        Topic.CATALOG,
        reply(201, {"note": "fresh", "data": {"UID": "c1"}}),
        Certainty.WRONG,
        "Created; its identifier is under data.UID.",
        settings={"paths.catalog_id": "data.UID"},
    ),
    Case(
        "created, with a sentence",
        Topic.CATALOG,
        reply(201, {"id": "the new one", "uid": "c2"}),
        Certainty.WRONG,
        "Created; its identifier is under uid.",
        settings={"paths.catalog_id": "uid"},
    ),
    Case(
        "created, an array",
        Topic.CATALOG,
        reply(201, ["c1"]),
        Certainty.WRONG,
        'Created; the body of the reply (["c1"]) has no identifier that can be read, and no '
        "setting changes that: look for 'shop' in the service's dashboard, keep its "
        "identifier, and ask the service's support for it in the body. A task would fail "
        "without it.",
    ),
    Case(
        "created, text",
        Topic.CATALOG,
        reply(201, b"c1", content_type="text/plain"),
        Certainty.SURE,
        "Created; its identifier is c1.",
        settings={"paths.catalog_id": None},
    ),
    Case(
        "created, binary",
        Topic.CATALOG,
        reply(201, b"\x1f\x8b\x08\x00\x00\x00", content_type="application/json"),
        Certainty.WRONG,
        "Created; the body of the reply (binary) has no identifier that can be read, and no "
        "setting changes that: look for 'shop' in the service's dashboard, keep its "
        "identifier, and ask the service's support for it in the body. A task would fail "
        "without it.",
    ),
    Case(
        "created, half of a body",
        Topic.CATALOG,
        reply(201, b'{"id": "c'),
        Certainty.NOT_PROVED,
        "JSON that cannot be read came with status 201, perhaps from a gateway, so a task "
        "would fail. Look in the service's dashboard whether 'shop' was created.",
    ),
    Case(
        "another object of the request",
        Topic.UPLOAD,
        reply(202, {"ticket": 7, "note": "in two words of task"}),
        Certainty.WRONG,
        'The response lacks the coupon file\'s _id: \'{"ticket": 7, "note": "in two words of '
        "task\"}'. It has the status 202 and names ticket 7. The list did not show it in 4 "
        "s. Look for Wes-Doctor-1.csv among the list's files in the service's console; "
        "upload nothing again before that.",
        looked_up=LookedUp(4.0),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_what_is_said_of_a_reply_to_a_change(case: Case):
    probe = probe_of(case.topic, case.reply)
    finding, *besides = conclude_from_write(
        WRITES[case.topic], probe, SETTINGS, OPTIONS, case.looked_up, case.known, case.made
    )

    assert finding.topic is case.topic
    assert (finding.certainty, finding.text) == (case.certainty, case.text)
    assert finding.settings == case.settings
    assert finding.guesses == case.guesses
    assert finding.probes == (probe,)
    said = [(beside.topic, beside.certainty, beside.text) for beside in besides]
    assert said == list(case.besides)
    assert all(beside.probes == (probe,) for beside in besides)


class Planned(NamedTuple):
    """A change as it is announced and sent."""

    topic: Topic
    text: str
    path: str
    body: Mapping[str, Any]


PLANNED = [
    Planned(
        Topic.UPLOAD,
        "Upload https://files.example.com/a.csv to the list spring",
        "POST https://api.example.com/v1/coupon-list/spring/files",
        {
            "file_url": "https://files.example.com/a.csv?sig=hunter2",
            "name": NAME,
            "created_by": "wes-doctor",
        },
    ),
    Planned(
        Topic.CATALOG,
        "Create the catalog shop",
        "POST https://api.example.com/v1/catalog",
        {
            "name": "shop",
            "price_currency": "EUR",
            "attributes": [
                {"name": "id", "type": "string"},
                {"name": "title", "type": "string"},
            ],
        },
    ),
    Planned(
        Topic.SEGMENT,
        "Update the segment vip: its updated_by becomes wes-doctor@example.com",
        "PATCH https://api.example.com/v3/custom-segments/vip",
        {"updated_by": "wes-doctor@example.com"},
    ),
]


@pytest.mark.parametrize("row", PLANNED, ids=[row.topic.stable_name for row in PLANNED])
def test_a_change_is_announced_and_sent(row: Planned):
    options = replace(OPTIONS)
    object.__setattr__(options, "file_name", NAME)
    write = {write.topic: write for write in writes_of(options)}[row.topic]
    request = write.request(SETTINGS)

    assert write.text == row.text
    assert f"{request.method} {request.url}" == row.path
    assert json.loads(request.body or b"") == row.body


class Wrong(NamedTuple):
    """Options that cannot be sent, and the error."""

    name: str
    options: Options
    error: str


WRONG = [
    Wrong(
        "no list",
        Options(file_url="https://files.example.com/a.csv"),
        "--upload needs --coupon-list: the list that the file goes into",
    ),
    Wrong(
        "an empty list",
        Options(coupon_list_id=" "),
        "--coupon-list is empty",
    ),
    Wrong(
        "an empty segment",
        Options(segment_id=""),
        "--segment is empty",
    ),
    Wrong(
        "control characters",
        Options(segment_id="v\x07p"),
        "--segment holds U+0007, BELL 'v p'",
    ),
    Wrong(
        "a character that cannot be seen",
        Options(segment_id="v\ue000p"),
        "--segment holds U+E000, a control character 'v p'",
    ),
]


@pytest.mark.parametrize("row", WRONG, ids=[row.name for row in WRONG])
def test_options_that_cannot_be_sent_are_refused_before_anything_is(row: Wrong):
    with pytest.raises(WesConfigurationError) as error:
        writes_of(row.options)
    assert str(error.value).splitlines()[0] == row.error


def test_without_changes_nothing_is_sent():
    assert writes_of(Options(coupon_list_id="spring")) == []


def test_a_change_that_the_user_stopped_was_not_asked():
    finding = not_sent(WRITES[Topic.UPLOAD], "you stopped it", stopped=True)
    assert (finding.topic, finding.certainty) == (Topic.UPLOAD, Certainty.NOT_ASKED)
    assert finding.text == "Not sent: you stopped it."


def test_a_change_that_something_kept_from_being_sent_is_not_proved():
    finding = not_sent(WRITES[Topic.SEGMENT], "nothing shows the service", stopped=False)
    assert (finding.topic, finding.certainty) == (Topic.SEGMENT, Certainty.NOT_PROVED)
    assert finding.text == "Not sent: nothing shows the service."
