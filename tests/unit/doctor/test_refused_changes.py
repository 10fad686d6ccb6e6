"""
A change that gets a 429 is *not proved*: nothing was done, and it is to be tried again, at the time
of its headers if they have one. A change that gets any other 4xx is *wrong*. A 408 and a 499 leave
it open whether it was done, so an uploaded file is to be looked for. Any other shows that nothing
was done if it has a code in the service's form, or words about a known subject such as a plan;
without these, as of a firewall, nothing shows it. Its words decide what to do. A 404 of a segment
without such words says to check its identifier, and a 409 of a catalog to give another name.
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
