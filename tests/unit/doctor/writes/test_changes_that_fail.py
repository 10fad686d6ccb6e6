"""
An upload that gets a 5xx or no response is *wrong*: the service may have done it or not, and its
file is to be looked for before anything is uploaded again. A time of the headers says until when to
wait. But if words or code of a 5xx say that the service takes no changes, it is *not proved*:
nothing was done in all likelihood, and it is to be repeated when the hour of the words has come,
else the time of the headers, else when that is over. An upload for which the service was not
reached was not sent: it is *wrong*, and to be tried again, and nothing is to be looked for.
"""

from __future__ import annotations

import pytest

from support.doctor_changes import (
    LOST,
    UNSENT,
    Case,
    check_reply,
    reply,
)
from support.doctor_findings import ids
from wes_provider.doctor.findings.finding import Certainty, Topic

FAILURES = [
    Case(
        "500 with words",
        Topic.UPLOAD,
        reply(500, {"error": {"code": "oops", "message": "Oops."}}),
        Certainty.WRONG,
        "The service replies 500 oops to POST /v1/coupon-list/spring/files: 'Oops'; the "
        "service may have done it or not. Look for Wes-Doctor-1.csv among the list's files "
        "in the service's console; upload nothing again before that.",
    ),
    Case(
        "503 with a time",
        Topic.UPLOAD,
        reply(503, {"error": {"code": "busy", "message": "Busy."}}, retry_after="60"),
        Certainty.WRONG,
        "The service replies 503 busy to POST /v1/coupon-list/spring/files: 'Busy'; the "
        "service may have done it or not. Wait until 08:01:00 UTC, as its headers say. Look "
        "for Wes-Doctor-1.csv among the list's files in the service's console; upload "
        "nothing again before that.",
    ),
    Case(
        "503 that takes no changes until an hour",
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
        "503 that takes no changes until an hour, with another time in a header",
        Topic.UPLOAD,
        reply(
            503,
            {"error": {"code": "read-only", "message": "Uploads are paused until 18:00 UTC."}},
            retry_after="60",
        ),
        Certainty.NOT_PROVED,
        "The service replies 503 read-only to POST /v1/coupon-list/spring/files: 'Uploads "
        "are paused until 18:00 UTC'. It says that it takes no changes, so nothing was done "
        "in all likelihood. Wait until then, and then repeat this. Look for Wes-Doctor-1.csv "
        "among the list's files in the service's console; upload nothing again before that.",
    ),
    Case(
        "503 that takes no changes by its code",
        Topic.UPLOAD,
        reply(503, {"error": {"code": "read-only", "message": "No."}}),
        Certainty.NOT_PROVED,
        "The service replies 503 read-only to POST /v1/coupon-list/spring/files: 'No'. It says "
        "that it takes no changes, so nothing was done in all likelihood. Wait until it is over, "
        "and then repeat this. Look for Wes-Doctor-1.csv among the list's files in the service's "
        "console; upload nothing again before that.",
    ),
    Case(
        "503 that takes no changes, with a time in a header",
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
        "500 without a code that takes no changes",
        Topic.UPLOAD,
        reply(500, {"message": "Writes are disabled."}),
        Certainty.NOT_PROVED,
        "The service or a gateway replies 500 to POST /v1/coupon-list/spring/files: 'Writes "
        "are disabled'. It says that it takes no changes, so nothing was done in all "
        "likelihood. Wait until it is over, and then repeat this. Look for Wes-Doctor-1.csv "
        "among the list's files in the service's console; upload nothing again before that.",
    ),
]


@pytest.mark.parametrize("row", FAILURES, ids=ids(FAILURES))
def test_a_change_that_a_server_fails_at_may_be_done_or_not(row: Case):
    """Unless it says that it takes no changes."""
    check_reply(row)


NO_RESPONSES = [
    Case(
        "not sent",
        Topic.UPLOAD,
        UNSENT,
        Certainty.WRONG,
        "It was not sent: the service was not reached. Try again.",
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
]


@pytest.mark.parametrize("row", NO_RESPONSES, ids=ids(NO_RESPONSES))
def test_a_change_without_a_response_was_not_sent_or_may_be_done(row: Case):
    check_reply(row)
