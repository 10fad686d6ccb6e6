"""
A change that gets a 4xx is *wrong*. If the key is refused (a 401 whose code says so), the key is
*wrong*, too, whatever reads get; words such as "expired" say what to do about it. A 429 is *not
proved*: nothing was done, and it is to be tried again, at the time of its headers if they have one.
A 408 and a 499 leave open whether it was done. Any other 4xx shows that nothing was done if it has
the service's code, or words about a known subject such as a plan; a gateway's with neither shows
nothing. Its words decide what to do; a 404 of a segment says to check its identifier, and a 409 of
a catalog to give another name. A header that the error names is *wrong*, too, if it may have the
workspace: that is, if it is not the one that was sent, and the status is neither 405 nor 406. An
error with the status 200 is *wrong*: for an update it is a refusal; for an upload it is open
whether it was done, so the file is to be looked for before anything is uploaded again.
"""

from __future__ import annotations

import pytest

from support.doctor_changes import (
    FIREWALL_PAGE,
    Case,
    check_reply,
    reply,
)
from support.doctor_findings import ids
from wes_provider.doctor.findings import Certainty, Topic

REFUSED_KEYS = [
    Case(
        "an upload",
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
        "an upload, and the words say that the key has expired",
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
        "an update",
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
]


@pytest.mark.parametrize("row", REFUSED_KEYS, ids=ids(REFUSED_KEYS))
def test_a_change_with_a_refused_key_is_wrong_and_so_is_the_key(row: Case):
    check_reply(row)


ERRORS_IN_SUCCESSES = [
    Case(
        "an upload, with success: false",
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
        "an update, with success: false",
        Topic.SEGMENT,
        reply(200, {"success": False, "code": "10003", "message": "Unknown segment"}),
        Certainty.WRONG,
        "Refused (200 10003: 'Unknown segment'), though a task takes the status for a "
        "success. Ask the service's support. Look in the service's dashboard whether "
        "anything was done.",
    ),
    Case(
        "an update, with the code of a refused key",
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
]


@pytest.mark.parametrize("row", ERRORS_IN_SUCCESSES, ids=ids(ERRORS_IN_SUCCESSES))
def test_an_error_with_the_status_of_a_success_is_wrong(row: Case):
    """Of an update it is a refusal; of an upload, whether it was done is open."""
    check_reply(row)


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
        reply(400, {"error": {"code": "bad-file", "message": "file_url is not https."}}),
        Certainty.WRONG,
        "The service replies 400 bad-file to POST /v1/coupon-list/spring/files: 'file_url is "
        "not https'. Nothing was done. Ask the service's support.",
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
        Certainty.WRONG,
        "The service replies 400 bad to POST /v1/coupon-list/spring/files: 'created_by has "
        "to be an e-mail address'. Nothing was done. The doctor sends created_by "
        "'wes-doctor', and your tasks their own. Do what it says, or ask the service's "
        "support.",
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
        "an update, and 404",
        Topic.SEGMENT,
        reply(404, {"error": {"code": "no-segment", "message": "Segment vip does not exist."}}),
        Certainty.WRONG,
        "The service replies 404 no-segment to PATCH /v3/custom-segments/vip: 'Segment vip "
        "does not exist'. Nothing was done. Check the segment's identifier in the service's "
        "dashboard.",
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
        "a catalog, and 409",
        Topic.CATALOG,
        reply(409, {"error": {"code": "exists", "message": "shop exists."}}),
        Certainty.WRONG,
        "The service replies 409 exists to POST /v1/catalog: 'shop exists'. Nothing was "
        "done. Give another name with --catalog.",
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


@pytest.mark.parametrize("row", REFUSALS, ids=ids(REFUSALS))
def test_whether_a_4xx_shows_that_nothing_was_done_follows_from_its_code_or_its_words(row: Case):
    """A gateway's 4xx with neither shows nothing. The advice follows from the words."""
    check_reply(row)


HEADERS = [
    Case(
        "another header than the connection's",
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
        "the header of the contract",
        Topic.SEGMENT,
        reply(
            400, {"error": {"code": "header-missing", "message": "Header SVC-APPKEY is missing."}}
        ),
        Certainty.WRONG,
        "The service replies 400 header-missing to PATCH /v3/custom-segments/vip: 'Header "
        "SVC-APPKEY is missing'. Nothing was done. Ask the service's support.",
    ),
    Case(
        "the header of the contract, while the connection has another",
        Topic.SEGMENT,
        reply(400, {"error": {"code": "x", "message": "Header SVC-APPKEY is missing."}}),
        Certainty.WRONG,
        "The service replies 400 x to PATCH /v3/custom-segments/vip: 'Header SVC-APPKEY is missing'. Nothing was done. Ask the service's support.",
        besides=[
            (
                Topic.WORKSPACE_HEADER,
                Certainty.WRONG,
                "X-App-Id is sent, but the service replies 400 x: 'Header SVC-APPKEY is missing'. "
                "Leave workspace_header out, and ask the service's support about X-App-Id.",
            )
        ],
        connection={"workspace_header": "X-App-Id"},
    ),
    Case(
        "a third header, while the connection has another than the contract's",
        Topic.SEGMENT,
        reply(400, {"error": {"code": "x", "message": "Header X-Tenant is missing."}}),
        Certainty.WRONG,
        "The service replies 400 x to PATCH /v3/custom-segments/vip: 'Header X-Tenant is missing'. Nothing was done. Ask the service's support.",
        besides=[
            (
                Topic.WORKSPACE_HEADER,
                Certainty.WRONG,
                "X-App-Id is sent, but the service replies 400 x: 'Header X-Tenant is missing'. "
                "Ask the service's support which header has the workspace.",
            )
        ],
        connection={"workspace_header": "X-App-Id"},
    ),
    Case(
        "a header for another method, with 405",
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
        "a third header, with 405",
        Topic.SEGMENT,
        reply(405, {"error": {"code": "x", "message": "Header X-Tenant is missing."}}),
        Certainty.WRONG,
        "The service replies 405 x to PATCH /v3/custom-segments/vip: 'Header X-Tenant is missing'. "
        "Nothing was done. The provider sends PATCH to this path, and no setting changes either: "
        "ask the service's support to take that.",
    ),
    Case(
        "the header Accept, with 406",
        Topic.SEGMENT,
        reply(406, {"error": {"code": "no", "message": "Send the header Accept: a/b."}}),
        Certainty.WRONG,
        "The service replies 406 no to PATCH /v3/custom-segments/vip: 'Send the header "
        "Accept: a/b'. Nothing was done. The provider has no setting for such a header: ask "
        "the service's support, or whoever runs the gateway, to do without it.",
    ),
]


@pytest.mark.parametrize("row", HEADERS, ids=ids(HEADERS))
def test_a_header_that_an_error_names_is_wrong_if_it_may_have_the_workspace(row: Case):
    """Not one that a negotiation or another method is about."""
    check_reply(row)
